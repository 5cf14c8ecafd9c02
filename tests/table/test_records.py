"""The strict reader of a log line: no unknown key, no converted type, each fault with the field it is in.

What a log says is somebody else's until it was read. Source: docs/log-format.md section 4.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import NAME_PATTERN, PLAYER, TEXT, Player, choice
from games.records import ABSENT, MAX_LIST_ITEMS, MAX_TEXT_CHARACTERS, Arg, Bounds, fields, reader

COLOUR = choice("colour", ("red", "blue"))


class Every(NamedTuple):
    """A field of each kind; the first one must be there."""

    who: Player
    many: tuple[Annotated[str, COLOUR], ...] = ()
    text: Annotated[str, TEXT, Arg("Any text.")] = "x"
    free: str = ""
    number: Annotated[int, Bounds(0, 9)] = 0
    any_number: int = 0
    yes: bool = False
    word: Literal["count", "value"] = "count"
    digit: Literal[0, 1] = 0
    maybe: Player | None = None
    table: Mapping[str, tuple[int, ...]] = {}
    rows: tuple[Mapping[str, Any], ...] = ()
    left: Any = ABSENT


READ = [
    ({}, Every("ann")),
    ({"many": ["red", "blue"]}, Every("ann", ("red", "blue"))),
    ({"maybe": None}, Every("ann")),
    ({"maybe": "bob", "yes": True}, Every("ann", yes=True, maybe="bob")),
    ({"word": "value", "digit": 1}, Every("ann", word="value", digit=1)),
    ({"text": "two\nlines", "free": "é\n"}, Every("ann", text="two\nlines", free="é\n")),
    ({"number": 9, "any_number": -(2**53)}, Every("ann", number=9, any_number=-(2**53))),
    ({"table": {"a": [1, 2], "b": []}}, Every("ann", table={"a": (1, 2), "b": ()})),
    ({"rows": [{"a": [1]}], "left": [1]}, Every("ann", rows=({"a": [1]},), left=[1])),
]  # fmt: skip


@pytest.mark.parametrize(("args", "record"), READ, ids=repr)
def test_what_is_read(args: dict[str, Any], record: Every) -> None:
    """Lists become tuples, what is left out has its default, and the match stands as before."""
    got = reader(Every)({"who": "ann", **args})
    assert got == record and repr(got) == repr(record)


REFUSED = [
    ({"many": "red"}, "many must be a list"),
    ({"many": ["red", "green"]}, "many, item 2 is not the spelling of the log"),
    ({"many": ["red"] * (MAX_LIST_ITEMS + 1)}, f"many must list at most {MAX_LIST_ITEMS}"),
    ({"who": "Ann"}, "who is not the spelling of the log"),
    ({"who": "ann\n"}, "who is not the spelling of the log"),
    ({"who": None}, "who must be a text"),
    ({"who": ["ann"]}, "who must be a text"),
    ({"text": ""}, "text is not the spelling of the log"),
    ({"free": "\udcff"}, "free holds a character that cannot be written"),
    ({"free": "x" * (MAX_TEXT_CHARACTERS + 1)}, f"free must have at most {MAX_TEXT_CHARACTERS} characters"),
    ({"number": 10}, "number must be at most 9"),
    ({"number": -1}, "number must be at least 0"),
    ({"number": "1"}, "number must be a whole number"),
    ({"number": 1.0}, "number must be a whole number"),
    ({"number": True}, "number must be a whole number"),
    ({"any_number": 2**53 + 1}, f"any_number must be at most {2**53}"),
    ({"yes": 1}, "yes must be true or false"),
    ({"word": "median"}, "word must be count or value"),
    ({"word": ["count"]}, "word must be count or value"),
    ({"digit": True}, "digit must be 0 or 1"),
    ({"digit": 1.0}, "digit must be 0 or 1"),
    ({"table": []}, "table must be a table"),
    ({"table": {"a": [1, "2"]}}, "table, a, item 2 must be a whole number"),
    ({"rows": [[]]}, "rows, item 1 must be a table"),
    ({"more": 1}, "more is unknown"),
    ({"more": 1, "yes": 0, "number": 10}, "number must be at most 9"),
]


@pytest.mark.parametrize(("args", "what"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_refused(args: dict[str, Any], what: str) -> None:
    """The first field that is wrong in the order of the record, before keys that it does not have; also a second time,
    when some values are known."""
    for _ in range(2):
        with pytest.raises(Unreadable) as refused:
            reader(Every)({"who": "ann", **args})
        assert (refused.value.code, refused.value.what) == ("args.unreadable", what)


def test_a_field_that_must_be_there() -> None:
    for args, what in (({}, "who is missing"), ({"number": -1}, "who is missing"), ([], "every must be a table")):
        with pytest.raises(Unreadable) as refused:
            reader(Every)(args)  # type: ignore[arg-type]
        assert refused.value.what == what


def test_what_an_annotation_says() -> None:
    """The marks of each field, as the command line and the help use them."""
    who, many, text, *_ = fields(Every)
    assert who.kind is not None and who.kind.pattern == NAME_PATTERN and who.required and not who.many
    assert many.kind is COLOUR and many.many and many.default == () and text.arg.help == "Any text."


def test_records_of_typing_are_read_as_ours() -> None:
    """A game of another package may have written its records with them."""

    class Plain(typing.NamedTuple):
        who: Player
        number: int = 1

    assert reader(Plain)({"who": "ann"}) == ("ann", 1)
    assert [field.kind for field in fields(Plain)] == [PLAYER, None]


def test_a_record_holds_what_can_be_checked() -> None:
    class Odd(NamedTuple):
        when: float

    with pytest.raises(TypeError, match="cannot hold"):
        reader(Odd)


def test_a_choice_reads_small_and_capital_letters() -> None:
    ways = choice("way", ("N", "stay"))
    assert [ways.spell(typed) for typed in ("n", "N", "Stay")] == ["N", "N", "stay"]
    with pytest.raises(Unreadable, match=r'no way "stya"'):
        ways.spell("stya")
