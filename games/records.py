"""Records: named tuples whose annotations describe each field to the reader, the command line and the help.

Actions, facts, settings and views are all named tuples (why: docs/decisions/0002-named-tuples.md). This module reads
their annotations once and derives a strict reader from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from operator import call, itemgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from events.errors import Unreadable
from events.instants import Instant, write_end
from events.record import NamedTuple, hints
from games import spans
from games.kinds import PLAYER, Kind, listed
from games.spans import Length

R = TypeVar("R")
Check: TypeAlias = Callable[[Any], Any]
"""Converts a value of a log line to what a record holds: a list becomes a tuple. Raises `_Wrong`."""
MAX_LIST_ITEMS = 4096
MAX_TEXT_CHARACTERS = 65_536
MAX_KNOWN_TEXTS = 256
"""The most checked values that are remembered for a field: players and cards recur in every line."""


class _Absent:
    """A value that is missing, which is not the same as null: a field of a view that this audience may not see, or a
    field of an action in a log that was written before the field existed."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final[Any] = _Absent()


class Arg(NamedTuple):
    """What a field means, for the help, and how it is typed."""

    help: str
    positional: bool = False
    """Typed in place although it has a default."""
    hidden: bool = False
    """Never typed: it is filled in when the action is prepared."""
    phrase: bool = False
    """The last positional word; several words are joined by spaces."""
    sealed: bool = False
    """Secret until a reveal: `hl shell` keeps such a line out of its history."""
    words: int = 1
    """The number of words in the option's value, which is kept as one text."""
    counted: bool = False
    """A number that is typed by repeating a bare option: `--swap --swap` is 2."""
    option: str = ""
    """The name of its option, if not that of the field (a field cannot be called `as`)."""


class Bounds(NamedTuple):
    """The least and the greatest whole number, both allowed."""

    least: int
    most: int = 2**53
    unit: int = 0
    """For a length of time (`int | str`, so a text like `90m` too): what a plain number counts, ms."""


class Field(NamedTuple):
    name: str
    base: Any
    """`str`, `int`, `bool`, `dict`, a `Literal`, or `Length`; the type of one element if `many`."""
    kind: Kind | None
    bounds: Bounds | None
    arg: Arg
    many: bool
    required: bool
    default: Any
    note: Any
    """Any other mark of the annotation (the gap of a setting)."""
    lists: bool
    """True for a mapping whose values are tuples."""

    @property
    def option(self) -> str:
        """Its option, if it is not positional: `--as-sent`."""
        return "--" + (self.arg.option or self.name.replace("_", "-"))

    @property
    def in_place(self) -> bool:
        """Is it positional?"""
        return not self.arg.hidden and (self.required or self.arg.positional) and not self.bare

    @property
    def bare(self) -> bool:
        """Is it an option without a value?"""
        return self.base is bool or self.arg.counted

    def parts(self, text: str) -> list[str]:
        """Split a list that is typed as one text: at commas, and at spaces too if no word can contain one."""
        if self.arg.words > 1 or self.kind is None:
            return [part.strip() for part in text.split(",") if part.strip()]
        return text.replace(",", " ").split()


def kebab(cls: type) -> str:
    """The verb of an action, from its class name: `AmendSetting` -> `amend-setting`."""
    return re.sub("(?!^)(?=[A-Z])", "-", cls.__name__).lower()


def snake(cls: type) -> str:
    """The name of a fact in JSON, from its class name: `CardsDealt` -> `cards_dealt`."""
    return kebab(cls).replace("-", "_")


@cache
def fields(cls: type) -> tuple[Field, ...]:
    """The fields of a record in order. Annotations are evaluated once for each class."""
    defaults: Mapping[str, Any] = cls._field_defaults  # type: ignore[attr-defined]
    return tuple(_field(name, hint, defaults) for name, hint in hints(cls).items())


def of_each(cls: type) -> Field | None:
    """The player field of a verb that takes nothing else; the verb then takes several players, an entry for each."""
    places = [field for field in fields(cls) if not field.arg.hidden and field.name != "round"]
    return places[0] if len(places) == 1 and places[0].in_place and places[0].kind is PLAYER else None


def _field(name: str, hint: Any, defaults: Mapping[str, Any]) -> Field:
    marks: dict[type, Any] = {}
    hint = _peel(hint, marks)
    many = get_origin(hint) is tuple
    hint = _peel(get_args(hint)[0], marks) if many else hint
    return Field(
        name=name,
        base=hint if get_origin(hint) is Literal or hint == Length else get_origin(hint) or hint,
        kind=marks.get(Kind),
        bounds=marks.get(Bounds),
        arg=marks.get(Arg, Arg("")),
        many=many,
        required=name not in defaults,
        default=defaults.get(name),
        note=next((mark for kind, mark in marks.items() if kind not in (Kind, Bounds, Arg)), None),
        lists=get_origin(hint) is Mapping and get_origin(get_args(hint)[1]) is tuple,
    )


def _peel(hint: Any, marks: dict[type, Any]) -> Any:
    """Unwrap `Annotated` and `| None`; collect the outermost mark of each type in `marks`."""
    while True:
        if get_origin(hint) is Annotated:
            hint, *own_marks = get_args(hint)
            for mark in own_marks:
                marks.setdefault(type(mark), mark)
        elif get_origin(hint) in (Union, UnionType) and hint != Length:
            (hint,) = (a for a in get_args(hint) if a is not NoneType)
        else:
            return hint


class _Wrong(Exception):
    """What is wrong with a value, and the path to it."""

    def __init__(self, what: str, *where: str) -> None:
        self.what, self.where = what, where

    def within(self, place: str) -> _Wrong:
        return _Wrong(self.what, place, *self.where)


def _check(hint: Any) -> Check:
    marks: dict[type, Any] = {}
    if get_origin(hint) in (Union, UnionType) and hint != Length:
        of_value = _check(_peel(hint, marks))
        return lambda value: None if value is None else of_value(value)
    hint = _peel(hint, marks)
    origin = get_origin(hint)
    if origin is Literal:
        return partial(_word, get_args(hint))
    if origin is tuple:
        return partial(_list, _check(get_args(hint)[0]))
    if origin in (dict, Mapping):
        return partial(_table, _check(get_args(hint)[1]))
    bounds = marks.get(Bounds, Bounds(-(2**53)))
    if hint == Length:
        return partial(_length, bounds)
    if hint is int:
        return partial(_whole, *bounds)
    if hint is str:
        return _Text(marks[Kind].pattern if Kind in marks else None)
    if hint is bool:
        return _truth
    if hint is Any:
        return lambda value: value
    raise TypeError(f"a record cannot hold {hint!r}")


def _word(words: tuple[Any, ...], value: Any) -> Any:
    if value in words and type(value) is type(words[words.index(value)]):
        return value
    raise _Wrong(f"must be {listed(map(str, words), 'or')}")


def _list(check: Check, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise _Wrong("must be a list")
    if len(value) > MAX_LIST_ITEMS:
        raise _Wrong(f"must list at most {MAX_LIST_ITEMS}")
    items: list[Any] = []
    try:
        for item in value:
            items.append(check(item))
    except _Wrong as wrong:
        raise wrong.within(f"item {len(items) + 1}") from None
    return tuple(items)


def _table(check: Check, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong("must be a table")
    items, key = {}, ""
    try:
        for key, item in value.items():
            items[key] = check(item)
    except _Wrong as wrong:
        raise wrong.within(key) from None
    return items


def _whole(least: int, most: int, unit: int, value: Any) -> Any:
    if type(value) is not int:
        raise _Wrong("must be a whole number")
    if least <= value <= most:
        return value
    raise _Wrong(f"must be at least {least}" if value < least else f"must be at most {most}")


def _length(bounds: Bounds, value: Any) -> Any:
    if (wrong := spans.fault(value, *bounds)) is not None:
        raise _Wrong(wrong)
    return value


def _truth(value: Any) -> Any:
    if value is True or value is False:
        return value
    raise _Wrong("must be true or false")


class _Text(dict[Any, str]):
    """The check of a text, and the texts that passed it. No value of another type equals one of these keys."""

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern

    def __call__(self, value: Any) -> str:
        if type(value) is not str:
            raise _Wrong("must be a text")
        return self[value]

    def __missing__(self, value: Any) -> str:
        if type(value) is not str:
            raise _Wrong("must be a text")
        if len(value) > MAX_TEXT_CHARACTERS:
            raise _Wrong(f"must have at most {MAX_TEXT_CHARACTERS} characters")
        if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
            raise _Wrong("holds a character that cannot be written")
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            raise _Wrong("is not the spelling of the log")
        if len(self) < MAX_KNOWN_TEXTS:
            self[value] = value
        return value


def _fault(cls: type, checks: Mapping[str, Check], args: Any) -> tuple[str, str]:
    """(field, what is wrong) for the first wrong field, in the order of the record."""
    if not isinstance(args, Mapping):
        return kebab(cls), "must be a table"
    for field in fields(cls):
        try:
            if field.name in args:
                checks[field.name](args[field.name])
            elif field.required:
                return field.name, "is missing"
        except _Wrong as wrong:
            return ", ".join((field.name, *wrong.where)), wrong.what
    return next(name for name in args if name not in checks), "is unknown"


@cache
def reader(cls: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Make a strict reader of `cls` from the args of a log line: it accepts no unknown key and converts no type.

    Raises (the reader):
        Unreadable: `args.unreadable`, naming the first wrong field and what is wrong with it.
    """
    checks = {name: _check(hint) for name, hint in hints(cls).items()}
    values_of = itemgetter(*checks) if len(checks) > 1 else lambda args: map(args.__getitem__, checks)
    each = [check.__getitem__ if isinstance(check, _Text) else check for check in checks.values()]

    def read(args: Mapping[str, Any]) -> Any:
        try:
            if len(args) == len(each):
                return tuple.__new__(cls, map(call, each, values_of(args)))  # twice as fast; true for most entries
            return cls(**{name: checks[name](value) for name, value in args.items()})
        except (_Wrong, LookupError, TypeError, AttributeError):
            raise Unreadable("args.unreadable", " ".join(_fault(cls, checks, args))) from None

    return read


def is_record(value: object) -> bool:
    """Is it a named tuple?"""
    return isinstance(value, tuple) and hasattr(value, "_fields")


@cache
def _instants(cls: type) -> frozenset[str]:
    """The fields of a record annotated as instants. Annotations are evaluated only if one mentions `Instant`."""
    stated = (annotation for base in cls.__mro__ for annotation in vars(base).get("__annotations__", {}).values())
    if not any("Instant" in str(annotation) for annotation in stated):
        return frozenset()
    return frozenset(field.name for field in fields(cls) if field.base is Instant)


def plain(value: Any, instant: Callable[[Instant], str] = write_end) -> Any:
    """Convert a record to objects, lists and scalars for JSON; `ABSENT` is left out, `None` becomes null.

    Args:
        instant: Writes an instant.
    """
    if is_record(value):
        instants = _instants(value.__class__)
        return {
            name.rstrip("_"): instant(item) if name in instants and item is not None else plain(item, instant)
            for name, item in zip(value._fields, value, strict=True)
            if item is not ABSENT
        }
    if isinstance(value, Mapping):
        return {key: plain(item, instant) for key, item in value.items() if item is not ABSENT}
    return [plain(item, instant) for item in value] if isinstance(value, (list, tuple)) else value


def args_of(action: Any) -> dict[str, Any]:
    """The args of an action in the log: every field, also those with defaults, except for None and `ABSENT`."""
    pairs = zip(action._fields, action, strict=True)
    return {name: plain(item) for name, item in pairs if item is not None and item is not ABSENT}
