"""What the models of files that somebody else wrote share; pydantic checks them.

Does not belong here: what a file has (match_model.py, sheet.py, chat.py), and faults (model_faults.py). A host
feels start-up, so only verbs that read such a file import this. Source: docs/decisions/0044-models-for-files.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, WithJsonSchema

from events.errors import LedgerError
from games.kinds import clean
from ledger.core.times import check_zone

if TYPE_CHECKING:
    from pydantic_core import PydanticCustomError

T = TypeVar("T")
PLAIN = "plain"
"""The code of an error that has none of its own: it gets that of its file."""


class Strict(BaseModel):
    """A table with no key but these, whose values are never converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def wrong(code: str, what: str, fix: str = "") -> PydanticCustomError:
    """An error of a validator of ours: with a code of docs/errors.md and what helps."""
    from pydantic_core import PydanticCustomError

    return PydanticCustomError(code, "{what}", {"what": what, "fix": fix})


def reading(read: Callable[[T], object]) -> AfterValidator:
    """Hold a value against a reader of ours, and keep it as it was typed; the reader's code and fix stay."""

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
Text = Annotated[str, AfterValidator(_text), NOT_BLANK]
"""A text that is not blank."""
Line = Annotated[str, AfterValidator(partial(_line, limit=64)), NOT_BLANK]
"""A name: one line of at most 64 characters."""
LongLine = Annotated[str, AfterValidator(partial(_line, limit=100)), NOT_BLANK]
Zone = Annotated[Text, reading(check_zone)]
