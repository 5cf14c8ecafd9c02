"""Renderers: blocks -> text for one sink. Only they decide how things look; they get blocks, never a view or state."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import Unreadable
from games.kit.blocks import Block
from ledger.render import discord, html, md, svg, text
from ledger.render.safe import FileText, SafeText

PICTURES = ("svg", "png")
FORMATS = ("text", "discord", "md", "html", *PICTURES, "json")
SEVERAL = ("text", "discord", "md", "json")
"""Formats that can hold several texts in one file."""


def labelled(label: str, text: SafeText, fmt: str) -> SafeText:
    """A text below a line like `--- to Ann #ann`, for files with several texts; names are escaped for the format."""
    return FileText(f"--- {md.escape(label)}\n{text}") if fmt == "md" else discord.labelled(label, text)


def render(blocks: Sequence[Block], fmt: str, zone: str, width: int | None = None) -> SafeText:
    """The blocks as text for a terminal, to paste into Discord, as a page, or only their pictures as SVG.

    PNG is not text: see `png.render`.

    Args:
        zone: The zone for showing instants; Discord shows them in each reader's own zone.
        width: The width of the terminal for `text`; None does not wrap. Other formats are never wrapped.

    Raises:
        Unreadable: `format.unknown`; `picture.none`.
    """
    if fmt == "discord":
        return discord.render(blocks)
    if fmt == "text":
        return text.render(blocks, zone, width)
    if fmt == "md":
        return FileText(md.render(blocks, zone))
    if fmt == "html":
        return FileText(html.render(blocks, zone))
    if fmt == "svg":
        return FileText(svg.render(blocks))
    raise Unreadable("format.unknown", f"this text cannot be written as {fmt}", f"one of: {' '.join(FORMATS)}")
