"""What a report is made of. Blocks say what; the renderers in `ledger/render/` alone say how.

Every `str` in a block is escaped by the renderer for its sink; nothing in a report is markup. Emphasis and instants
are values of their own.
"""

from __future__ import annotations

from typing import TypeAlias

from events.record import NamedTuple


class Strong(NamedTuple):
    """A word that should stand out."""

    text: str


class When(NamedTuple):
    """An instant (ms): each renderer shows it its own way (Discord: every reader's own zone and "in 3 hours")."""

    at: int


class Emoji(NamedTuple):
    """A season's own emoji, as its server writes it (`<:garnet:123456789012345678>`); "" where it has none.

    Shown where the renderer can show it, followed by a space; nothing elsewhere. It adds nothing to what is said.
    """

    code: str


EMOJI_PATTERN = r"<a?:\w{2,32}:\d{15,20}>"
"""The only form of an emoji that is ever sent: it can neither ping nor link."""
Span: TypeAlias = str | Strong | When | Emoji


class Heading(NamedTuple):
    text: str
    level: int = 1


class Text(NamedTuple):
    """One paragraph."""

    spans: tuple[Span, ...]


class Table(NamedTuple):
    """Rows under column names; cells are text, aligned by the renderer. `numbers`: columns aligned to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


class Items(NamedTuple):
    """A list, one paragraph an item."""

    items: tuple[tuple[Span, ...], ...]


Block: TypeAlias = Heading | Text | Table | Items


def text(*spans: Span) -> Text:
    """A paragraph of these spans."""
    return Text(spans)


def items(*lines: str | tuple[Span, ...]) -> Items:
    """A list of these lines."""
    return Items(tuple((line,) if isinstance(line, str) else line for line in lines))
