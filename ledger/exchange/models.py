"""Shared parts of the pydantic models of files that people write, and their faults in our own words.

Source: docs/decisions/0044-models-for-files.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError

from events.errors import LedgerError
from games.kinds import clean, did_you_mean
from games.table.settings import as_toml
from ledger.core.times import check_zone
from ledger.core.tomlfile import Fault, KeyPath

T = TypeVar("T")
PLAIN = "plain"
"""The code of an error without its own code; it gets the code of its file."""


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def wrong(code: str, what: str, fix: str = "") -> PydanticCustomError:
    """An error for our own validators, with a code from docs/errors.md and a fix."""
    return PydanticCustomError(code, "{what}", {"what": what, "fix": fix})


def reading(read: Callable[[T], object]) -> AfterValidator:

    def check(value: T) -> T:
        try:
            read(value)
        except LedgerError as error:
            raise wrong(error.code, error.what, error.fix) from None
        return value

    return AfterValidator(check)


def _line(text: str, limit: int) -> str:
    cleaned = clean(text)
    if not 0 < len(cleaned) <= limit or "\n" in cleaned:
        raise wrong(PLAIN, f"must be one line of 1 to {limit} characters")
    return cleaned


def _text(text: str) -> str:
    if not text.strip():
        raise wrong(PLAIN, "must be a text")
    return text.strip()


NOT_BLANK = WithJsonSchema({"type": "string", "pattern": r"\S"})
NotBlank = Annotated[str, AfterValidator(_text), NOT_BLANK]
NameLine = Annotated[str, AfterValidator(partial(_line, limit=64)), NOT_BLANK]
LongLine = Annotated[str, AfterValidator(partial(_line, limit=100)), NOT_BLANK]
Zone = Annotated[NotBlank, reading(check_zone)]


M = TypeVar("M", bound=BaseModel)
_FAULTS = {
    "missing": "is missing",
    "extra_forbidden": "is unknown",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_short": "must list at least {min_length}",
    "string_unicode": "holds a character that cannot be written",
}
_WANTED = {
    "int": "a whole number", "bool": "true or false", "string": "a text", "tuple": "a list", "list": "a list",
    "dict": "a table", "model": "a table",
}  # fmt: skip


def checked(
    model: type[M], data: Any, code: str, codes: Mapping[str, str] = {}, context: Mapping[str, Any] | None = None
) -> M | list[Fault]:
    """The model of a file's data, or all faults in it.

    Args:
        code: The code of faults that have none of their own. `codes`: name of a key -> the code for its faults.
    """
    try:
        return model.model_validate(data, context=context)
    except ValidationError as error:
        return [_fault(model, dict(details), code, codes) for details in error.errors(include_url=False)]


def _fault(model: type[BaseModel], error: dict[str, Any], code: str, codes: Mapping[str, str]) -> Fault:
    where: KeyPath = tuple(part for part in error["loc"] if part != "[key]")
    table, sample = _place_in(model, where)
    key = next((part for part in reversed(where) if isinstance(part, str)), "")
    code = codes.get(key, code)
    if error["type"] == "extra_forbidden":
        keys = [field.alias or field_name for field_name, field in table.model_fields.items()]
        return Fault(where, "no such key", did_you_mean(key, keys, f"one of: {' '.join(keys)}", 1), code)
    if "fix" in error.get("ctx", {}):
        own_code = error["type"] if "." in error["type"] else code
        return Fault(where, error["ctx"]["what"], error["ctx"]["fix"] or sample, own_code)
    what = fault_in_words(error)
    return Fault(where, what if where else f"it {what}", sample, code)


def _place_in(model: type[BaseModel], where: KeyPath) -> tuple[type[BaseModel], str]:
    """The model of the table with this key, and a sample line for the key."""
    sample = ""
    for part in where:
        field = model.model_fields.get(part) if isinstance(part, str) else None
        if field is not None:
            sample = f"{part} = {as_toml(field.examples[0])}" if field.examples else ""
            model = next((cls for cls in _classes(field.annotation) if issubclass(cls, BaseModel)), model)
    return model, sample


def _classes(hint: Any) -> list[type]:
    inner = [part for arg in get_args(hint) for part in _classes(arg)]
    return [hint, *inner] if isinstance(hint, type) else inner


def fault_in_words(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, in our own words, because pydantic's change between releases.

    >>> fault_in_words({"type": "int_type"}), fault_in_words({"type": "model_type"})
    ('must be a whole number', 'must be a table')
    """
    kind = error["type"]
    if kind in _FAULTS:
        return _FAULTS[kind].format(**error.get("ctx", {})).replace("'", "")
    return f"must be {_WANTED[kind.partition('_')[0]]}" if kind.endswith("_type") else str(error["msg"]).lower()
