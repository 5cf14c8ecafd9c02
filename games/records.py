"""Records: named tuples whose annotations say what a field is, for the reader, the command line and the help.

Actions, facts, settings and views are all `typing.NamedTuple` classes (why: docs/decisions/0002-named-tuples.md).
This module reads their annotations once and gives each record a strict reader built on pydantic's validator core.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from events.errors import Unreadable
from events.instants import Instant, write_end
from events.record import NamedTuple
from games.kinds import Kind

R = TypeVar("R")


class _Absent:
    """What is left out, which is not the same as null: a field of a view that this audience may not see, or one of an
    action that nothing has filled in (logs that were written before it was there)."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final[Any] = _Absent()


class Arg(NamedTuple):
    """What a field means, in words for the help; and how it is typed."""

    help: str
    positional: bool = False
    """Typed in place although it has a default."""
    hidden: bool = False
    """Not typed at all: filled in when the action is prepared."""
    phrase: bool = False
    """The last word in place; may be typed as several, which are joined by spaces."""
    sealed: bool = False
    """A player's secret until a reveal: `hl shell` keeps no history of a line with such a word."""
    words: int = 1
    """An option's value is so many words, kept as one text with spaces between them."""
    counted: bool = False
    """A whole number typed by repeating a bare option: `--swap --swap` is 2."""
    option: str = ""
    """The name of its option, where that is not the name of the field (`as` cannot name a field)."""


class Bounds(NamedTuple):
    """Least and greatest whole number, both allowed."""

    least: int
    most: int = 2**53


class Field(NamedTuple):
    """One field of a record, as its annotations say."""

    name: str
    base: Any
    """`str`, `int`, `bool`, `dict`, or a `Literal`; of one element when `many`."""
    kind: Kind | None
    bounds: Bounds | None
    arg: Arg
    many: bool
    required: bool
    default: Any
    note: Any
    """Whatever other mark the annotation carries (a setting's gap)."""
    lists: bool
    """A table whose lines are lists."""

    @property
    def option(self) -> str:
        """How it is typed when it is not typed in place: `--as-sent`."""
        return "--" + (self.arg.option or self.name.replace("_", "-"))

    @property
    def in_place(self) -> bool:
        """Is it typed in place, or as an option?"""
        return not self.arg.hidden and (self.required or self.arg.positional) and not self.bare

    @property
    def bare(self) -> bool:
        """Is it an option without a value?"""
        return self.base is bool or self.arg.counted

    def parts(self, text: str) -> list[str]:
        """The words of a list that is typed as one text: between commas, and between spaces where none can hold any."""
        if self.arg.words > 1 or self.kind is None:
            return [part.strip() for part in text.split(",") if part.strip()]
        return text.replace(",", " ").split()


def kebab(cls: type) -> str:
    """The verb of an action: its class name in lower case with hyphens. `AmendSetting` -> `amend-setting`."""
    return _joined(cls.__name__, "-")


def snake(cls: type) -> str:
    """The wire name of a fact: its class name in lower case with underscores."""
    return _joined(cls.__name__, "_")


def _joined(name: str, by: str) -> str:
    return "".join(by + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name))


@functools.cache
def fields(cls: type) -> tuple[Field, ...]:
    """The fields of a record in their order. Cached: annotations are evaluated once a class and process."""
    hints = get_type_hints(cls, include_extras=True)
    defaults: Mapping[str, Any] = cls._field_defaults  # type: ignore[attr-defined]
    return tuple(_field(name, hints[name], defaults) for name in cls._fields)  # type: ignore[attr-defined]


def _field(name: str, hint: Any, defaults: Mapping[str, Any]) -> Field:
    marks: list[Any] = []
    many = False
    hint = _peel(hint, marks)
    if get_origin(hint) is tuple:
        many = True
        hint = _peel(get_args(hint)[0], marks)

    def mark(kind: type[R]) -> R | None:
        return next((m for m in marks if isinstance(m, kind)), None)

    known = (Kind, Bounds, Arg)
    return Field(
        name=name,
        base=hint if get_origin(hint) is Literal else get_origin(hint) or hint,
        kind=mark(Kind),
        bounds=mark(Bounds),
        arg=mark(Arg) or Arg(""),
        many=many,
        required=name not in defaults,
        default=defaults.get(name),
        note=next((m for m in marks if not isinstance(m, known)), None),
        lists=get_origin(hint) is Mapping and get_origin(get_args(hint)[1]) is tuple,
    )


def _peel(hint: Any, marks: list[Any]) -> Any:
    """Take `Annotated` and `| None` off, keeping the marks (outermost first)."""
    while True:
        if get_origin(hint) is Annotated:
            inner, *found = get_args(hint)
            marks.extend(found)
            hint = inner
        elif get_origin(hint) in (Union, UnionType):
            (hint,) = (a for a in get_args(hint) if a is not NoneType)
        else:
            return hint


def _schema(hint: Any) -> dict[str, Any]:
    """The validator-core schema of one annotation; strict throughout, lists of the log become tuples."""
    marks: list[Any] = []
    if get_origin(hint) in (Union, UnionType):
        return {"type": "nullable", "schema": _schema(_peel(hint, marks))}
    hint = _peel(hint, marks)
    kind = next((m for m in marks if isinstance(m, Kind)), None)
    bounds = next((m for m in marks if isinstance(m, Bounds)), Bounds(-(2**53)))
    origin = get_origin(hint)
    if origin is Literal:
        return {"type": "literal", "expected": list(get_args(hint))}
    if origin is tuple:
        return {
            "type": "tuple",
            "items_schema": [_schema(get_args(hint)[0])],
            "variadic_item_index": 0,
            "strict": False,
            "max_length": 4096,
        }
    if origin in (dict, Mapping):
        return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": _schema(get_args(hint)[1])}
    if hint is bool:
        return {"type": "bool"}
    if hint is int:
        return {"type": "int", "ge": bounds.least, "le": bounds.most}
    if hint is str:
        return {"type": "str", "max_length": 65_536} | ({"pattern": f"^(?:{kind.pattern})$"} if kind else {})
    if hint is Any:
        return {"type": "any"}
    raise TypeError(f"a record cannot hold {hint!r}")


def reader(cls: type[R]) -> Callable[[Mapping[str, Any]], R]:
    """A strict reader of `cls` from the args of a log line: no unknown key, no converted type.

    Raises (the reader):
        Unreadable: `args.unreadable`, naming the field and what is wrong with it.
    """
    known: Any = cls
    made: Callable[[Mapping[str, Any]], R] = _reader(known)
    return made


class UncheckedSettings(dict[str, Any]):
    """Settings that were read without a check, and that nothing is recorded by. See `trusting`."""


def trusting(cls: type[R]) -> Callable[[Mapping[str, Any]], R]:
    """A reader of `cls` that takes each value as the log has it; it costs a twentieth of loading a validator.

    For completion only: what it reads decides about nothing that is recorded or told.

    Raises (the reader):
        Unreadable: `args.unreadable`, a key is missing or not known.
    """

    def read(args: Mapping[str, Any]) -> R:
        try:
            return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in args.items()})
        except TypeError:
            raise Unreadable("args.unreadable", f"{kebab(cls)} cannot be read", "hl verify") from None

    return read


@functools.cache
def _reader(cls: type) -> Callable[[Mapping[str, Any]], Any]:
    from pydantic_core import SchemaValidator, ValidationError

    hints = get_type_hints(cls, include_extras=True)
    schema: Any = {
        "type": "typed-dict",
        "config": {"strict": True},
        "extra_behavior": "forbid",
        "fields": {
            f.name: {"type": "typed-dict-field", "required": f.required, "schema": _schema(hints[f.name])}
            for f in fields(cls)
        },
    }
    check = SchemaValidator(schema).validate_python

    def read(args: Mapping[str, Any]) -> Any:
        try:
            return cls(**check(args))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            what = f"{_place(first['loc']) or kebab(cls)} {fault_in_words(first)}"
            raise Unreadable("args.unreadable", what) from None

    return read


def _place(location: Sequence[int | str]) -> str:
    """The field that is meant: `hands`, or `hands, item 2`."""
    return ", ".join(f"item {part + 1}" if isinstance(part, int) else part for part in location)


def fault_in_words(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, in our words: pydantic's change from release to release.

    >>> fault_in_words({"type": "int_type"}), fault_in_words({"type": "model_type"})
    ('must be a whole number', 'must be a table')
    """
    kind, told = error["type"], error.get("ctx", {})
    match kind:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not known here"
        case "literal_error":
            return f"must be {told['expected']}".replace("'", "")
        case "greater_than_equal":
            return f"must be at least {told['ge']}"
        case "less_than_equal":
            return f"must be at most {told['le']}"
        case "too_short":
            return f"must list at least {told['min_length']}"
        case "string_unicode":
            return "holds a character that cannot be written"
        case "string_pattern_mismatch":
            return "is not spelled as the log spells it"
    wanted = {
        "int": "a whole number",
        "bool": "true or false",
        "string": "a text",
        "tuple": "a list",
        "list": "a list",
        "dict": "a table",
        "model": "a table",
    }
    return f"must be {wanted[kind.partition('_')[0]]}" if kind.endswith("_type") else str(error["msg"]).lower()


def is_record(value: object) -> bool:
    """Is it a named tuple (and not a plain one)?"""
    return isinstance(value, tuple) and hasattr(value, "_fields")


@functools.cache
def _instants(cls: type) -> frozenset[str]:
    """The fields of a record that are annotated as instants. Where no annotation speaks of one, none is evaluated."""
    if not any("Instant" in str(said) for said in cls.__annotations__.values()):
        return frozenset()
    return frozenset(field.name for field in fields(cls) if field.base is Instant)


def plain(value: Any, instant: Callable[[Instant], str] = write_end) -> Any:
    """JSON of a record: objects, lists and scalars; `ABSENT` fields left out, `None` kept as null.

    Args:
        instant: How an instant is written.
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
    if isinstance(value, (list, tuple)):
        return [plain(item, instant) for item in value]
    return value


def args_of(action: Any) -> dict[str, Any]:
    """What the log keeps of an action: every field, defaults filled in; null, and what was not filled in, omitted."""
    said = zip(action._fields, action, strict=True)
    return {name: plain(item) for name, item in said if item is not None and item is not ABSENT}
