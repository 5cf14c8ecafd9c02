"""JSON Schemas of records: what `plain` and `args_of` (games/records.py) make of them, field by field.

Belongs here: from annotations to a schema. Does not belong here: what stands around the records (schema.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from events.instants import Instant
from events.record import hints
from games.contract import VisibleTo
from games.kinds import HEX, INSTANT, NAME_PATTERN, Kind
from games.records import ABSENT, Arg, Bounds
from games.table.settings import LEVELS

Schema: TypeAlias = dict[str, Any]
MOMENT: Schema = {"$ref": "#/$defs/instant"}
HASH: Schema = {"$ref": "#/$defs/hash"}
NAME: Schema = {"$ref": "#/$defs/name"}
LEVEL: Schema = {"$ref": "#/$defs/level"}
BASE: Mapping[str, Schema] = {
    "instant": {"type": "string", "pattern": f"^{INSTANT.pattern}$"},
    "hash": {"type": "string", "pattern": f"^{HEX.pattern}$"},
    "name": {"type": "string", "pattern": f"^{NAME_PATTERN}$"},
    "level": {"enum": [*LEVELS]},
}
"""Schemas to which the others refer, by name."""


def an_object(properties: Mapping[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """An object with these keys and no other; those not named as optional must be there."""
    required = [key for key in properties if key not in optional]
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def a_list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def a_table(values: Schema) -> Schema:
    """An object whose keys are names: of players, of cards."""
    return {"type": "object", "additionalProperties": values}


class Shapes:
    """The schemas of records, each once, by its name.

    Args:
        log: Are they args of a log, where what is null, or was not filled in, is left out?
    """

    def __init__(self, *, log: bool = False) -> None:
        self.log = log
        self.defs: dict[str, Schema] = {}
        self._named: dict[type, str] = {}

    def record(self, cls: type, further: Mapping[str, Schema] | None = None) -> Schema:
        """A reference to the schema of a record; `further`: keys beside its own."""
        if cls not in self._named:
            name = cls.__name__ if cls.__name__ not in self.defs else f"{cls.__module__.split('.')[1]}.{cls.__name__}"
            self._named[cls], self.defs[name] = name, {}
            defaults: Mapping[str, Any] = cls._field_defaults  # type: ignore[attr-defined]
            keys = {field: {**self.of(hint), **_description(hint)} for field, hint in hints(cls).items()}
            optional = [field for field in keys if field in defaults and (self.log or defaults[field] is ABSENT)]
            optional += [field for field in keys if _is_gated(hints(cls)[field])]
            properties = {field.rstrip("_"): schema for field, schema in keys.items()}
            properties |= further or {}
            self.defs[name] = an_object(properties, tuple(field.rstrip("_") for field in optional))
        return {"$ref": f"#/$defs/{self._named[cls]}"}

    def of(self, hint: Any) -> Schema:
        """The schema of an annotation."""
        marks: list[Any] = []
        while get_origin(hint) is Annotated:
            hint, *metadata = get_args(hint)
            marks += metadata
        if get_origin(hint) in (Union, UnionType):
            options = [self.of(Annotated[(option, *marks)] if marks else option) for option in get_args(hint)]
            options = [option for option in options if not self.log or option != {"type": "null"}]
            return options[0] if len(options) == 1 else {"anyOf": options}
        if hint is Instant:
            return MOMENT
        if hasattr(hint, "_fields"):
            return self.record(hint)
        return self._plain(hint, marks)

    def _plain(self, hint: Any, marks: list[Any]) -> Schema:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Literal:
            return {"enum": list(args)}
        if origin is tuple:
            items = [self.of(Annotated[(item, *marks)] if marks else item) for item in args if item is not Ellipsis]
            if Ellipsis in args:
                return a_list(items[0])
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if origin in (Mapping, dict):
            return a_table(self.of(args[1]))
        if hint is int:
            bounds = next((mark for mark in marks if isinstance(mark, Bounds)), None)
            return {"type": "integer", **({"minimum": bounds.least, "maximum": bounds.most} if bounds else {})}
        if hint is str and any(isinstance(mark, Bounds) and mark.unit for mark in marks):
            return {"type": "string", "pattern": "^[0-9][0-9a-zA-Z ]*$"}
        if hint is str:
            kind = next((mark for mark in marks if isinstance(mark, Kind)), None)
            return _word_schema(kind) if kind else {"type": "string"}
        if hint is Any:
            return {}
        return {"type": {bool: "boolean", NoneType: "null"}[hint]}


def _word_schema(kind: Kind) -> Schema:
    """A word of that kind, as the log spells it. JSON Schema knows no flags inside an expression."""
    if kind.pattern in (NAME_PATTERN, HEX.pattern, INSTANT.pattern):
        return {NAME_PATTERN: NAME, HEX.pattern: HASH, INSTANT.pattern: MOMENT}[kind.pattern]
    return {"type": "string", "pattern": "^(?:" + kind.pattern.replace("(?s:.)", r"[\s\S]") + ")$"}


def _description(hint: Any) -> Schema:
    """The description in an annotation, if it has one."""
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next(({"description": mark.help} for mark in marks if isinstance(mark, Arg) and mark.help), {})


def _is_gated(hint: Any) -> bool:
    """Is it a field of a view that only some may see?"""
    return get_origin(hint) is Annotated and any(isinstance(mark, VisibleTo) for mark in get_args(hint)[1:])
