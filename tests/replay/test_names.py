"""Names in every script: written from right to left they move nothing around them, and they take the columns they take.

Through every renderer, and through the commands of a match whose players have such names.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from games.kit.blocks import Board, Cell, Chart, Heading, Items, Piece, Series, Strong, Table, Text
from games.signs import is_mark, is_unseen
from ledger.cli.terminal import escape_controls
from ledger.core.match import Match
from ledger.page import page
from ledger.render import FORMATS, discord, labelled, png, render, scripts, svg, text as figures
from ledger.render.safe import DiscordText
from ledger.render.text import render as as_text
from ledger.tell.steps import steps_of
from tests.support.host import hl

NAMES = {
    "ann": "דנה לוי", "bob": "سارة علي", "cyd": "李雷", "dan": "👩‍🚀 Luna", "eve": "Zoe\u0301", "fox": "🇩🇪 Bo",
    "gil": "ח׳ליל ג'ון", "hal": "한글",
}  # fmt: skip
FSI, PDI = "\u2068", "\u2069"
TEXTS = tuple(fmt for fmt in FORMATS if fmt not in ("png", "json"))


def bare(out: str) -> str:
    """What stands outside every isolate."""
    return re.sub(f"{FSI}[^{FSI}{PDI}]*{PDI}", "", out)


def turns(out: str) -> list[str]:
    """The signs outside every isolate that are written from right to left."""
    return [c for c in bare(out) if unicodedata.bidirectional(c) in ("R", "AL")]


def wide(text: str) -> int:
    """Columns by Python's own tables, for the names above."""
    text = (
        unicodedata.normalize("NFC", text).replace("👩‍🚀", "漢").replace("🇩🇪", "漢").replace(FSI, "").replace(PDI, "")
    )
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if c != "\u200b")


def reports() -> list[object]:
    names = [*NAMES.values()]
    return [
        Heading(names[0]),
        Text((f"{names[0]} 5, {names[1]} gives 3 to ", Strong(names[1]), f" ({names[0]})")),
        Items(((names[1], " 7"),)),
        Table(("who", names[0], "points"), tuple((name, name, "7") for name in names), (2,)),
        Table(("who", "n"), tuple((name, "10") for name in names), (1,)),
        Board(names[0], (Cell("A1", 0, 0, ""),), (Piece("A1", names[0], "circle", 0),), (("x", names[1]),)),
        Chart(names[0], ("1", "2"), tuple(Series(name, (1, i), i) for i, name in enumerate(names)), "step", "points"),
    ]


@pytest.mark.parametrize("fmt", TEXTS)
def test_what_is_written_from_right_to_left_is_isolated_in_every_renderer(fmt: str) -> None:
    out = html.unescape(render(reports(), fmt, "UTC"))  # type: ignore[arg-type]
    assert turns(out) == [] and out.count(FSI) == out.count(PDI) > 5
    assert "<U+" not in out  # the joiner of an emoji, the mark on a letter
    assert NAMES["dan"] in out or fmt == "svg"


@pytest.mark.parametrize("width", [*range(20, 40)])
def test_a_name_that_goes_on_in_the_next_line_is_isolated_there_too(width: int) -> None:
    """To a terminal each line is a paragraph of its own: an isolate ends with it."""
    told = Text((f"Ann 5, {NAMES['ann']} gives 3 to {NAMES['bob']} 7, and {NAMES['gil']} 4",))
    for line in as_text([told], "UTC", width).splitlines():
        assert not turns(line) and line.count(FSI) == line.count(PDI), line


def test_the_last_guard_lets_what_isolates_through() -> None:
    shown = discord.escape(NAMES["ann"])
    assert escape_controls(shown) == shown
    assert "\u2068" not in discord.escape("a\u2068b") and "\\u2068" in escape_controls("\u2068", as_json=True)


def runs(text: str) -> list[str]:
    return re.findall(f"{FSI}([^{FSI}{PDI}]*){PDI}", scripts.isolated(text))


def test_a_name_is_one_run_and_a_number_beside_it_is_none_of_it() -> None:
    assert runs(f"{NAMES['ann']} 5, Ann and {NAMES['gil']}: 3") == [NAMES["ann"], NAMES["gil"]]
    assert runs("דנה2 3") == ["דנה2"]
    assert runs("שלום, מה שלומך?") == ["שלום, מה שלומך"]  # a sentence is read from right to left


# ---- columns ---------------------------------------------------------------------------------------------------------


def test_columns_are_those_of_unicode() -> None:
    """Where this Python knows a sign. Some ranges are wide as a whole, with what Unicode may yet put there."""
    for code in range(0x20, 0x30000):
        sign = chr(code)
        if unicodedata.category(sign) in ("Cn", "Cs", "Co", "Cc") or is_unseen(sign) or is_mark(sign):
            continue
        medial = 0x1160 <= code <= 0x11FF
        expected = 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        assert scripts.columns(sign) == expected or medial or 0x4DC0 <= code <= 0x4DFF, (hex(code), expected)


@pytest.mark.parametrize(
    ("text", "room"),
    [("Ann", 3), ("李雷", 4), ("Zoe\u0301", 3), ("👩‍🚀", 2), ("👩🏽‍🚀x", 3), ("🇩🇪🇫🇷", 4), ("❤️", 2), ("דָּנָה", 3),
     ("👨‍👩‍👧‍👦", 2),
     (f"{FSI}דנה{PDI}", 3), ("한글", 4), ("1️⃣", 1), ("", 0)],
)  # fmt: skip
def test_a_sign_with_what_belongs_to_it_is_one(text: str, room: int) -> None:
    assert scripts.columns(text) == room


@given(st.text(max_size=12), st.integers(0, 12))
def test_what_is_cut_has_room_and_nothing_left_open(text: str, room: int) -> None:
    shown = scripts.isolated("".join(c for c in text if c not in (FSI, PDI)))
    kept = scripts.cut(shown, room)
    assert scripts.columns(kept) <= room and kept.count(FSI) == kept.count(PDI)
    assert shown.startswith(scripts.without_isolates(kept)[:1]) or shown.startswith(FSI)
    assert "".join(sign for sign, _ in scripts.signs(text)) == text


def rows(out: str, ends: str) -> Iterator[str]:
    yield from (line for line in out.splitlines() if line.rstrip().endswith(ends))


def test_tables_and_charts_stand_in_columns_whatever_a_name_is() -> None:
    for fmt in ("text", "discord"):
        out = render(reports()[4:5], fmt, "UTC")  # type: ignore[arg-type]
        assert len({wide(line) for line in rows(out, " 10")}) == 1 and len([*rows(out, " 10")]) == len(NAMES), out
    for fmt in ("text", "discord", "md"):
        out = render(reports()[6:], fmt, "UTC")  # type: ignore[arg-type]
        bars = [wide(re.split("[▁-█]", line)[0]) for line in out.splitlines() if re.search("[▁-█]", line)]
        assert len(bars) == len(NAMES) and len(set(bars)) == 1, out


def test_pieces_with_wide_tags_leave_the_cells_beside_them_where_they_are() -> None:
    cells = tuple(Cell(f"A{n}", 2 * n, 0, "") for n in range(3))
    for tag in NAMES.values():
        board = Board("", cells, (Piece("A0", tag, "circle", 0),), ())
        for drawn in (True, False):
            (line,) = figures.board_lines(board, wide=drawn)[:1]
            plain = figures.board_lines(board._replace(pieces=(Piece("A0", "An", "circle", 0),)), wide=drawn)[0]
            assert wide(line[: line.index("2")]) == wide(plain[: plain.index("2")]), (tag, line)


# ---- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_does_not_stretch_a_name_that_its_font_has_not() -> None:
    """Its width can only be guessed; a length that is wrong would pull the letters apart."""
    drawn = render(reports()[6:], "svg", "UTC")  # type: ignore[arg-type]
    for drawn_text in re.findall(r"<text[^>]*textLength[^>]*>([^<]*)<", drawn):
        assert svg.covers(html.unescape(drawn_text)), drawn_text
    assert svg.clip(NAMES["dan"], 10, 14) in ("…", "👩‍🚀…")


def test_a_png_says_which_signs_no_font_here_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    nobody = "\U00013000\u2e80"  # hieroglyphs and radicals: hardly a machine has a font for them
    chart = Chart("", ("1",), (Series(f"Ann {nobody}", (1,), 0), Series("Bob Ωж", (2,), 1)), "", "")
    found = png.missing([Heading("x"), chart])
    assert set(found) <= set(nobody)
    assert png.missing([chart._replace(series=chart.series[1:])]) == []
    monkeypatch.setattr(svg, "covers", lambda text: text.isascii())
    monkeypatch.setattr(png, "_sign_alone", lambda sign: b"" if sign in ("\u0378", "Ω") else b"drawn")
    assert png.missing([chart]) == ["Ω"]


# ---- a match ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def match(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Players with these names, and two trades."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    rows_ = "\n".join(f'{player} = {{ name = "{name}", channel = "#{player}" }}' for player, name in NAMES.items())
    Path("m.toml").write_text(f'game = "equilibrium"\nhosts = ["mara"]\n[players]\n{rows_}\n', encoding="utf-8")
    monkeypatch.setenv("HL_MATCH", "m")
    for line in ("new m --from m.toml", f"deal --from {root / 'games/equilibrium/demo-deal.toml'}", "open",
                 "trade ann R2 bob B4", "lock cyd --force", "award dan garnets 1", "note דנה"):  # fmt: skip
        told = hl(*line.split())
        assert told.code == 0, told
        assert turns(told.out + told.err) == [], told
    return tmp_path / "m"


READ = (
    "status", "log", "log --for host", "show 21", "explain 20", "explain ann", "view --for public", "view --for ann",
    "scores --for host", "summary ann", "summary --all", "outbox", "outbox show 20b", "waiting", "replay",
    "view --for public -f discord", "view --for ann -f md", "view --for ann -f html", "board --for host", "drift",
    "trade ann R2 bob B4", "diff 19 now", "hands ann",
)  # fmt: skip


def test_every_command_isolates_the_names_of_a_match(match: Path) -> None:
    for line in READ:
        told = hl(*line.split())
        assert told.out or told.err
        assert turns(html.unescape(told.out + told.err)) == [], (line, told)
    here = Match(str(match / "log.jsonl"))
    made = page([steps_of(here, here.fold, "public")])
    assert turns(html.unescape(made)) == [] and FSI in made


def test_a_name_above_a_text_is_no_link_in_markdown() -> None:
    """`summary --all -f md` names the player above each text."""
    above = labelled("to [x](https://y.z) #ann", DiscordText("text"), "md").splitlines()[0]
    assert above.startswith("--- to \\[x\\](https:\\/")
