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


Span: TypeAlias = str | Strong | When


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
