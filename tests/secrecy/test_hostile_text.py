"""Whatever somebody is called or writes is only text, in every place where text comes out.

One escaping function for each sink. For any text: nothing in what comes out means anything to the sink, and taking the
escapes away gives the text back, so that no two texts look the same. Then a corpus of hostile names and notes goes
through every field of every kind of block and every renderer.

Source: docs/reliability.md. The corpus: hostile.py; numbers and sabotage: docs/reliability.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from games.kit.blocks import Board, Cell, Chart, Heading, Items, Piece, Series, Strong, Table, Text
from games.signs import is_mark, is_unseen
from ledger.render import FORMATS, discord, render
from ledger.render.safe import plain_text
from tests.support.hostile import CORPUS, PIECES
from tests.support.sinks import SINKS, UNSEEN, ZWSP, Sink, check_page, in_json, in_table
from tests.support.sizes import examples, log_number, many

anything = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.lists(st.sampled_from(CORPUS), min_size=1, max_size=3).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)


def judge(sink: Sink, text: str) -> None:
    out = sink.escape(text)
    assert not sink.breaks(out), (sink.breaks(out), text, out)
    assert sink.back(out) == sink.takes(text), (text, out)


def of_any_text(holds: Callable[[str], None], quick: int, full: int, record_property: Any) -> None:
    """Draw so many texts of which it holds."""
    seen = 0

    @examples(quick, full)
    @given(text=anything)
    def run(text: str) -> None:
        nonlocal seen
        seen += 1
        holds(text)

    run()
    log_number(record_property, seen)


@pytest.mark.parametrize("name", SINKS)
def test_text_stays_text(name: str, record_property: Any) -> None:
    """Any text at all: nothing of it is obeyed, and it can be had back."""
    of_any_text(lambda text: judge(SINKS[name], text), 150, 20_000, record_property)


@pytest.mark.parametrize("name", SINKS)
def test_the_corpus_stays_text(name: str) -> None:
    for text in CORPUS:
        for around in ("{}", " {}", "x{}", "{}x", "{0}{0}", "1{}", "\n{}"):
            judge(SINKS[name], around.replace("{0}", text).replace("{}", text))


def test_no_two_of_the_corpus_look_the_same() -> None:
    for name, sink in SINKS.items():
        made = {}
        for text in CORPUS:
            out = sink.escape(text)
            assert sink.takes(made.setdefault(out, text)) == sink.takes(text), (name, text, made[out])


# ---- through every block and every renderer -------------------------------------------------------------------------


def blocks(text: str) -> list[Any]:
    """A report in which this text stands in every field that can hold one."""
    return [
        Heading(text),
        Heading(text, 2),
        Text((text, " ", Strong(text), " ", text)),
        Items(((text,), (Strong(text), ": ", text))),
        Table((text, "n"), ((text, text), ("a", text)), (1,)),
        Table((text, "long", "longer"), ((text, "word " * 9, text), ("a", "b", text)), ()),
        Board(text, (Cell("A1", 0, 0, text),), (Piece("A1", text, "circle", 0),), (("A1", text), (text, text))),
        Chart(text, (text, "2"), (Series(text, (1, 2), 0),)),
    ]


PAGES = [fmt for fmt in FORMATS if fmt not in ("json", "png", "csv")]


@pytest.mark.parametrize("fmt", PAGES)
def test_the_corpus_through_every_block(fmt: str) -> None:
    for text in CORPUS[:: many(3, 1)]:
        check_page(fmt, render(blocks(text), fmt, "UTC"), text)


@pytest.mark.parametrize("fmt", PAGES)
def test_anything_through_every_block(fmt: str, record_property: Any) -> None:
    of_any_text(lambda text: check_page(fmt, render(blocks(text), fmt, "UTC"), text), 25, 2_000, record_property)


# ---- the same on every Python ---------------------------------------------------------------------------------------


FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a sign, by Unicode's tables, of which there is nothing to see."""


@pytest.mark.parametrize("unseen", [*FILLERS, "\u034f", "\u17b4", "\u180b"])
def test_nobody_is_called_what_cannot_be_seen(unseen: str) -> None:
    """Ann, and Ann with a sign that fills no place, are told apart wherever they are named."""
    for escape in (discord.escape, plain_text):
        assert escape(f"Ann{unseen}").replace("\\", "").replace("\u200b", "") == f"Ann<U+{ord(unseen):04X}>"


def test_what_is_seen_does_not_depend_on_the_python() -> None:
    """Where this Python's tables know a sign, they and ours agree; what they do not know yet, ours may."""
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if category == "Cn":
            continue
        unseen = category in UNSEEN or chr(code) in FILLERS
        assert is_unseen(chr(code)) == unseen or (is_mark(chr(code)) and category in ("Mn", "Me"))
        assert is_mark(chr(code)) == (category in ("Mn", "Me")), hex(code)


CLEANERS = ("games/kinds.py", "games/signs.py", "ledger/exchange/template.py")
"""What is typed, before it is kept; ids that are proposed for names."""


def test_no_renderer_asks_the_python(root: Any) -> None:
    """`unicodedata` and the like may clean what is typed; what comes out never depends on them."""
    for path in [*sorted((root / "ledger").rglob("*.py")), *sorted((root / "games").rglob("*.py"))]:
        source = path.read_text(encoding="utf-8")
        where = path.relative_to(root).as_posix()
        assert "unicodedata" not in source or where in CLEANERS, where
        if "render" in where:
            assert not re.search(r"\.(isdigit|isalpha|isalnum|isdecimal|isnumeric)\(", source), where


# ---- the checks can fail --------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[str, Callable[[str], str]]] = {
    "terminal sends ESC": ("terminal", lambda text: text.replace("\x9b", "<U+009B>")),
    "terminal shows <U+ as typed": (
        "terminal",
        lambda text: "".join(f"<U+{ord(c):04X}>" if is_unseen(c) and c != "\n" else c for c in text),
    ),
    "discord leaves one mark": ("discord", lambda text: discord.escape(text).replace("\\_", "_")),
    "discord leaves @everyone": ("discord", lambda text: discord.escape(text).replace(ZWSP, "")),
    "discord leaves lists": ("discord", lambda text: discord.escape(text).replace("\\-", "-")),
    "a refusal is printed as it is": ("refusal", lambda text: text),
    "fence can be closed": ("fence", lambda text: discord.escape_fenced(text).replace("ˋ", "`")),
    "table takes numbers": ("table", lambda text: in_table(text.replace("007", "7"))),
    "table breaks a row": ("table", lambda text: in_table(text).replace("  x", "\n  x")),
    "message prints what turns": ("message", lambda text: '"' + "".join(c for c in text if c != "\x1b") + '"'),
    "json drops what it hides": ("json", lambda text: in_json("".join(c for c in text if not is_unseen(c)))),
}


PLAINLY = st.text("aZ09 .,:;-+()'&/\n_@<", max_size=12)


@examples(400, 20_000)
@given(text=st.one_of(PLAINLY, st.builds("{}discord{}".format, PLAINLY, PLAINLY), st.sampled_from(CORPUS)))
def test_what_is_plain_at_a_glance_has_nothing_to_escape(text: str) -> None:
    """Most texts are not gone through sign by sign; going through them gives the same."""
    assert discord.escape(text) == discord._escaped(text)


@pytest.mark.parametrize("name", BROKEN)
def test_sabotage_of_an_escape_is_seen(name: str) -> None:
    sink, broken = BROKEN[name]
    with pytest.raises(AssertionError):
        for text in CORPUS:
            judge(SINKS[sink]._replace(escape=broken), text)
