"""Pictures: what is drawn, that it can be read, by whom, and that nothing typed gets out of its text."""

from __future__ import annotations

import itertools
import math
import re
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from events import Unreadable
from games.kit.blocks import Block, Board, Cell, Chart, Heading, Piece, Series, Table, When, items, text
from games.kit.grid import grid
from ledger.cli.root import run
from ledger.render import FORMATS, discord, html, png, render, safe, svg, text as plain
from ledger.render.discord import FENCE_WIDTH
from ledger.render.svg import DASHES, MARKERS, spread
from tests.support.drawing import CHART, CLUSTER, PARTY, PLAYERS, SPREAD, SVG, TEMPLATE, board, boxes, cells, faults
from tests.support.truetype import widths_in

# ---- what is drawn --------------------------------------------------------------------------------------------------


def elements(drawn: str, tag: str, look: str = "") -> list[ET.Element]:
    found = ET.fromstring(drawn).iter(f"{SVG}{tag}")
    return [one for one in found if not look or one.get("class") == look]


def test_every_cell_and_piece_is_drawn_once() -> None:
    """61 names, twelve tags in their shapes: circle for odd, square for even."""
    drawn = svg.picture(PARTY, "Round 3")
    told = [one.text for one in elements(drawn, "text")]
    assert sorted(t for t in told if t and t[0] in "ABCDEFGHI" and t[1:].isdigit()) == sorted(c.name for c in cells())
    for i, name in enumerate(PLAYERS):
        assert told.count(name[:2]) == 3, "both pieces, and the legend"
        assert len(elements(drawn, "circle", f"c{i}")) == 1
        assert len(elements(drawn, "rect", f"c{i}")) == 2, "the square, and the legend"


def test_marked_pieces_have_a_ring_and_a_star() -> None:
    """A scored piece is marked by shape, not by colour; a piece that did not score is not."""
    rings = elements(svg.picture(PARTY), "circle", "mark")
    assert len(rings) == 6 and not elements(svg.picture(PARTY), "rect", "mark")
    assert len(elements(svg.picture(PARTY), "polygon", "star")) == 7, "six pieces, and the legend"
    assert not elements(svg.picture(SPREAD), "circle", "mark")


@pytest.mark.parametrize(("radius", "shaded"), [(-1, 0), (0, 1), (1, 7), (2, 19), (3, 37), (4, 61)])
def test_shaded_cells(radius: int, shaded: int) -> None:
    """Victory rings: 1, 7, 19, 37, 61 cells (Hex Parties, section 1)."""
    paths = elements(svg.picture(board(TEMPLATE, radius=radius)), "path", "s0")
    in_legend = 1 if shaded else 0
    assert sum((path.get("d") or "").count("M") for path in paths) == shaded + in_legend


def test_the_words_for_those_who_cannot_see() -> None:
    """A role, a title, a description."""
    root = ET.fromstring(svg.picture(PARTY, "Round 3"))
    assert root.get("role") == "img"
    said = [(child.tag.removeprefix(SVG), child.text) for child in root]
    assert said[:2] == [("title", "Round 3"), ("desc", PARTY.alt)]


def test_one_frame_and_one_font_for_both() -> None:
    """Board and chart open with the same element, font and frame."""
    one, other = (ET.fromstring(svg.picture(block, "T")) for block in (SPREAD, CHART))
    assert one.get("font-family") == other.get("font-family") and svg.FAMILY in str(one.get("font-family"))
    frames = [next(root.iter(f"{SVG}rect")) for root in (one, other)]
    assert {tuple((k, f.get(k)) for k in ("class", "x", "y", "width", "rx")) for f in frames} == {
        (("class", "paper"), ("x", "0.5"), ("y", "0.5"), ("width", "289"), ("rx", "8"))
    }


def test_a_chart_has_a_line_for_each_series_and_names_it() -> None:
    """Lines, markers, the name and last value of each at its end, axes that say what they are."""
    drawn = svg.picture(CHART)
    told = [one.text for one in elements(drawn, "text")]
    for one in CHART.series:
        assert f"{one.name} {one.values[-1]}" in told
        assert elements(drawn, "path", f"l{one.colour}")
    assert "round" in told and "points" in told and set(CHART.labels) <= set(told)


def test_no_two_lines_look_alike_without_colour() -> None:
    """Twenty lines: any two differ in marker or dash, and neighbours in both."""
    series = tuple(Series(f"P{i}", (i, i + 1), i) for i in range(20))
    drawn = svg.picture(Chart("", ("1", "2"), series))
    lines = [p for p in elements(drawn, "path") if (p.get("class") or "").startswith("l") and p.get("stroke-linejoin")]
    looks = [(MARKERS[i % len(MARKERS)], line.get("stroke-dasharray") or "") for i, line in enumerate(lines)]
    assert len(looks) == 20 == len(set(looks)) and {dash for _, dash in looks} <= set(DASHES)
    assert all(one != other for a, b in itertools.pairwise(looks) for one, other in zip(a, b, strict=True))


# ---- it can be read -------------------------------------------------------------------------------------------------

CELLS = ("A1", "A2", "B1", "B2", "B4", "D4", "E5", "E6", "D1")
LAYOUTS: dict[str, Block] = {
    "spread": SPREAD,
    "one party": PARTY,
    "all marked": board(CLUSTER, radius=4, marked=CLUSTER),
    "wide tags": board(TEMPLATE, names=("Wm", "MW", "WW", "Mm", "mW", "%W")),
    "long names": board(TEMPLATE, names=[f"{c}{c} " + "Bartholomew " * 9 for c in "abcdef"]),
    "seven cells": Board("", tuple(c for c in cells(1) if c.shade), (), (("near", "all of it"),)),
    "one cell": Board("", (Cell("A1", 0, 0),), (Piece("A1", "An", "square", 7, True),)),
    "three on a cell": grid(6, 5).board(
        "",
        [Piece(cell, f"{n:02}", "circle", n, n == 1) for n, cell in enumerate(("C3", "C3", "C3", *CELLS))],
        [(f"{n:02}", f"Player {n}") for n in range(12)],
    ),
    "chart": CHART,
    "thirteen lines": Chart("", ("1", "2"), tuple(Series("Bartholomew " * 3, (5, 5), i) for i in range(13)), "x", "y"),
    "one label": Chart("", ("1",), (Series("Ann", (3,), 0), Series("Bob", (3,), 1))),
    "forty labels": Chart("", tuple(f"r{i}" for i in range(40)), (Series("Ann", tuple(range(40)), 0),), "round"),
    "below zero": Chart("", ("1", "2"), (Series("Ann", (-1, -900), 0), Series("Bob", (1, 5_000), 1))),
    "nothing": Chart("", (), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_label_meets_another_or_leaves_the_frame(name: str) -> None:
    """By the metrics of the font that draws them."""
    assert not faults(svg.picture(LAYOUTS[name], "A match with quite a long title that will not fit in here at all"))


def test_the_check_of_labels_itself_can_fail() -> None:
    """A label moved onto another, and one moved out, are found."""
    drawn = svg.picture(SPREAD)
    first, second = [one for one in boxes(drawn) if one.text in ("A1", "C1")]
    near = drawn.replace(">A1<", f">{'A' * 60}<")
    assert first.text == "A1" and second.text == "C1"
    assert any("leaves" in fault for fault in faults(near)) and any("meets" in fault for fault in faults(near))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.text(max_size=30), st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=12)), max_size=13
    )
)
def test_any_chart_keeps_its_labels_apart(drawn: list[tuple[str, list[int]]]) -> None:
    """Names, numbers and lengths of any kind."""
    length = max((len(values) for _, values in drawn), default=0)
    labels = tuple(str(i + 1) for i in range(length))
    chart = Chart("", labels, tuple(Series(name, tuple(values), i) for i, (name, values) in enumerate(drawn)), "round")
    assert not faults(svg.picture(chart))


@given(st.lists(st.floats(0, 100), max_size=9))
def test_names_are_spread(wanted: list[float]) -> None:
    """At least so far apart, in the order wanted, and inside while there is room; one alone stands where it wants."""
    placed = spread(wanted, 10, 0, 100)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    gaps = [placed[b] - placed[a] for a, b in itertools.pairwise(order)]
    assert all(gap >= 10 - 1e-6 for gap in gaps) and all(-1e-6 <= y <= 100 + 1e-6 for y in placed)
    assert len(wanted) != 1 or placed == wanted


def test_the_smallest_text_on_a_phone() -> None:
    """At 290 px: a cell's name is at least 7 px, in an empty cell 9; tags at least 10; legends 10."""
    drawn = svg.picture(PARTY)
    assert ET.fromstring(drawn).get("viewBox", "").split()[2] == "290"
    sizes = {one.text: float(one.get("font-size", "0")) for one in elements(drawn, "text")}
    assert sizes["E5"] >= 7 and sizes["A1"] >= 9 and sizes["scored"] >= 10
    tags = [float(one.get("font-size", "0")) for one in elements(drawn, "text") if (one.get("class") or "")[0] == "i"]
    assert min(sorted(tags)[6:]) >= 10, "the six of the legend are smaller"


# ---- by whom: colour blindness and contrast -------------------------------------------------------------------------

SEEN = {
    "as it is": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Full dichromacy in linear RGB. Source: Machado, Oliveira and Fernandes 2009."""
THEMES = {"dark": svg.DARK, "light": svg.LIGHT}


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def lab(rgb: tuple[float, ...]) -> tuple[float, ...]:
    """Source: CIE 15:2004, CIE 1976 L*a*b*; white is D65."""
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    xyz = (sum(a * b for a, b in zip(row, rgb, strict=True)) / sum(row) for row in to_xyz)
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour: str, how: str) -> tuple[float, ...]:
    rgb = linear(colour)
    return lab(tuple(min(1, max(0, sum(a * b for a, b in zip(row, rgb, strict=True)))) for row in SEEN[how]))


def closest(colours: tuple[str, ...], how: str) -> float:
    return min(math.dist(seen(a, how), seen(b, how)) for a, b in itertools.combinations(colours, 2))


@pytest.mark.parametrize("how", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_any_two_of_twelve_colours_differ_to_everybody(theme: str, how: str) -> None:
    """At least 22 in CIE Lab for each kind of colour blindness, 32 for everybody else (2.3 is just noticeable)."""
    assert len(THEMES[theme].colours) == 12
    assert closest(THEMES[theme].colours, how) >= (32 if how == "as it is" else 22)


def test_the_check_of_colours_itself_can_fail() -> None:
    """Red and green of the same lightness are far apart, and close to who cannot tell them. Known values of CIE Lab."""
    pair = ("#c04040", "#5f8020")
    assert closest(pair, "as it is") > 32 > 22 > closest(pair, "deuteranopia")
    assert [round(n, 1) for n in lab(linear("#ff0000"))] == [53.2, 80.1, 67.2]


def contrast(one: str, other: str) -> float:
    """Source: WCAG 2.2, contrast ratio."""
    light, dark = sorted(
        (sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (one, other)),
        reverse=True,
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_contrast(theme: svg.Theme) -> None:
    """Text 4.5 on everything it stands on; shapes 3 on paper and cells; a shaded edge 3 on its fill and paper."""
    grounds = [theme.paper, theme.cell, *(fill for fill, _ in theme.shades)]
    assert all(contrast(theme.text, ground) >= 4.5 for ground in grounds)
    assert all(contrast(theme.dim, ground) >= 4.5 for ground in grounds)
    assert all(contrast(ink_, colour) >= 4.5 for colour, ink_ in zip(theme.colours, theme.inks, strict=True))
    assert all(contrast(colour, ground) >= 3 for colour in theme.colours for ground in (theme.paper, theme.cell))
    assert all(contrast(edge, ground) >= 3 for fill, edge in theme.shades for ground in (fill, theme.paper))


def test_shape_and_tag_alone_tell_every_piece() -> None:
    """Without any colour no two pieces look the same."""
    looks = [(piece.shape, piece.tag) for piece in PARTY.pieces]
    assert len(looks) == len(set(looks)) == 12


# ---- nothing gets out of its text -----------------------------------------------------------------------------------


@given(st.text(max_size=60))
def test_one_escaping_for_markup(typed: str) -> None:
    """What was typed comes back as one text, in an element and in an attribute, with what is invisible shown."""
    drawn = ET.fromstring(f'<a b="{(escaped := svg.escape(typed))}">{escaped}</a>')
    expected = safe.plain_text(typed)
    assert (drawn.text or "") == expected.replace("\r", "\n")
    assert len(drawn) == 0 and set(drawn.attrib) == {"b"}


# ---- characters -----------------------------------------------------------------------------------------------------


def test_the_board_of_a_phone_fits_a_fence() -> None:
    """Rows by letter, cells by number, at most 32 columns; circles and squares, filled where they scored; shades."""
    lines = plain.board_lines(PARTY, wide=False)
    assert max(map(len, lines)) <= FENCE_WIDTH and [line[0] for line in lines[:9]] == list("ABCDEFGHI")
    board, below = lines[:9], lines[9:]
    assert "●Fa" in board[5] and "□Fa" in board[5] and board[8].split() == ["I", "1", "2", "3", "4", "5"]
    shaded = [cell for line in lines for cell in re.findall(r"\d\+", line)]
    assert len(shaded) == sum(bool(cell.shade) for cell in PARTY.cells) and below, "a shade under a piece stands below"
    assert "○ odd · □ even · ● ■ scored" in discord.render([PARTY])
    assert "@everyone" not in discord.render([PARTY]) and discord.render([PARTY]).count("```") == 2


def test_the_board_of_a_terminal_names_every_cell() -> None:
    """Every cell by its name unless something stands on it; pieces in brackets of their shape."""
    drawn = "\n".join(plain.board_lines(SPREAD, wide=True))
    empty = {cell.name for cell in SPREAD.cells} - set(TEMPLATE)
    assert {word.rstrip("+") for word in drawn.split()} >= empty
    assert drawn.count("(") == drawn.count("[") == 6 and max(map(len, drawn.splitlines())) <= 80
    assert "( ) odd · [ ] even · * scored · + Ann can end" in plain.render([SPREAD], "UTC")


# ---- PNG ------------------------------------------------------------------------------------------------------------


def test_a_png_shows_its_letters() -> None:
    """A drawing program without a font draws no text and says nothing, or the same empty box for every letter. Names in
    Latin with marks, Greek and Cyrillic are in the bundled font."""
    pytest.importorskip("resvg_py")
    words = ("M8", "I1", "żó", "Ωδ", "Жы", "\ue000\ue000", "  ")
    assert all(svg.covers(word) for word in words[:5])
    drawn = {png.render([Board("", (Cell(word, 0, 0),), ())], svg.DARK, pixels=290) for word in words}
    assert len(drawn) == len(words) and {int.from_bytes(one[16:20]) for one in drawn} == {290}


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clear message and a code, not an import error."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Unreadable) as caught:
        png.render([SPREAD])
    assert caught.value.code == "picture.extra" and "[images]" in caught.value.fix


def test_a_text_without_a_picture_has_none() -> None:
    """Not an empty file."""
    for draw in (svg.render, png.render):
        with pytest.raises(Unreadable) as caught:
            draw([Heading("Scores"), text("nothing")])
        assert caught.value.code == "picture.none"


def test_sizes_and_times() -> None:
    """A board of 61 cells with 12 pieces: below 20 KB as SVG, made in 50 ms; below 250 KB as PNG in 3 s (a loaded
    machine; 0.15 s on an idle one)."""
    began = time.perf_counter()
    drawn = svg.render([PARTY])
    assert len(drawn) < 20_000 and time.perf_counter() - began < 0.05
    if "resvg_py" in sys.modules or __import__("importlib.util").util.find_spec("resvg_py"):
        began = time.perf_counter()
        assert len(png.render([PARTY])) < 250_000 and time.perf_counter() - began < 3


def test_several_pictures_stand_below_each_other() -> None:
    """One file, as high as both with their gap; each under its heading."""
    drawn = svg.render([Heading("One"), SPREAD, Heading("Two", 2), CHART])
    whole = ET.fromstring(drawn)
    inner = whole.findall(f"{SVG}svg")
    assert [one.findtext(f"{SVG}title") for one in inner] == ["One", "Two"]
    heights = [float(one.get("height", "0")) for one in inner]
    assert float(whole.get("viewBox", "").split()[3]) == pytest.approx(sum(heights) + 8, abs=0.2)
    assert float(inner[1].get("y", "0")) == pytest.approx(heights[0] + 8, abs=0.1)
    assert svg.alt([SPREAD, CHART]) == f"{SPREAD.alt} {CHART.alt}"


def test_the_bundled_font_and_its_licence() -> None:
    """The licence lies beside the font, the font is small, and the table of widths is its own."""
    folder = Path(svg.__file__).parent / "fonts"
    assert "SIL OPEN FONT LICENSE" in (folder / "OFL.txt").read_text(encoding="utf-8")
    assert (folder / svg.FILE).stat().st_size < 120_000
    assert svg.metrics() == widths_in(svg.data())


def test_a_page_forbids_everything_but_its_own_style() -> None:
    """Nothing is loaded, nothing runs, and the hash is that of the style in it."""
    page = html.render([Heading("T"), text("x", When(0)), PARTY], "UTC")
    rules = page.partition("<style>")[2].partition("</style>")[0]
    assert f"default-src 'none'; style-src '{html.digest(rules)}'" in page
    loads = ("<script", "style=", "http:", "url(", "@import", "href")
    assert not [word for word in loads if word in page.replace("http://www.w3.org/2000/svg", "")]


@pytest.mark.parametrize("fmt", [fmt for fmt in FORMATS if fmt not in ("png", "json")])
def test_every_renderer_knows_every_block(fmt: str) -> None:
    """All six kinds of blocks in every format that is text."""
    assert render([Heading("H"), text("t"), items("i"), Table(("a",), (("b",),)), SPREAD, CHART], fmt, "UTC")


# ---- on the command line --------------------------------------------------------------------------------------------


@pytest.fixture
def hl(host: Any, root: Path) -> Callable[..., int]:
    """`hl` in a match whose board is the crowded one, whatever the game draws."""
    from ledger.tell import reports

    host.new((root / "games/equilibrium/demo.toml").read_text(encoding="utf-8"))
    host.patch.chdir(host.folder)
    host.patch.setattr(reports, "board", lambda match, point: [Heading("The board"), PARTY])
    return lambda *words: run(["-g", "m", *words])


def test_a_picture_in_a_file(hl: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """Written for the host alone, with the alt text beside; a second time only with --overwrite."""
    pytest.importorskip("resvg_py")
    capsys.readouterr()
    assert hl("board", "-f", "svg", "-o", "b.svg") == 0 and hl("board", "-f", "png", "-o", "b.png") == 0
    said = capsys.readouterr()
    assert said.out == "" and said.err.count(f"its alt text: {PARTY.alt}") == 2
    assert ET.fromstring(Path("b.svg").read_bytes()).findtext(f"{SVG}title") == "The board"
    assert Path("b.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert {Path(name).stat().st_mode & 0o777 for name in ("b.svg", "b.png")} == {0o600}
    assert hl("board", "-f", "png", "-o", "b.png") == 2 and "[output.exists]" in capsys.readouterr().err
    assert hl("board", "-f", "png", "-o", "b.png", "--overwrite") == 0


def test_a_png_is_piped_but_not_shown(
    hl: Callable[..., int], capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes, and nothing but bytes; a terminal gets none of them."""
    pytest.importorskip("resvg_py")
    capsysbinary.readouterr()
    assert hl("board", "-f", "png") == 0
    piped = capsysbinary.readouterr().out
    assert piped[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(piped[16:20]) == png.PIXELS
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert hl("board", "-f", "png") == 2
    said = capsysbinary.readouterr()
    assert said.out == b"" and b"[picture.terminal]" in said.err


def test_what_is_refused(hl: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """With its code, exit 2, and no file."""
    for line, code in (
        ("scores -f svg", "picture.none"), ("scores -f png -o s.png", "picture.none"),
        ("board -f gif", "format.unknown"), ("board -f png --copy", "command.usage"),
        ("summary --all -f svg", "format.unknown"),
    ):  # fmt: skip
        assert hl(*line.split()) == 2 and f"[{code}]" in capsys.readouterr().err, line
    assert not Path("s.png").exists()


def test_what_cannot_be_seen_is_shown_once() -> None:
    """A control character in a name is shown, and what shows it is not taken for a name that only looks so."""
    drawn = svg.picture(Chart("", ("1",), (Series("A\x1f", (1,), 0), Series("<U+001F>", (2,), 1))))
    first, second = (one.text for one in elements(drawn, "text") if (one.text or "")[-2:] in (" 1", " 2"))
    assert first == "A<U+001F> 1" and second != "<U+001F> 2" and not faults(drawn)
