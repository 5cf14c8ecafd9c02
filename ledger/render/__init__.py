"""Renderers: blocks -> text for one sink. Only they know how a thing looks; they get blocks, never a view or state."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import Unreadable
from games.kit.blocks import Block
from ledger.render import discord, html, md, svg, text
from ledger.render.safe import FileText, SafeText

PICTURES = ("svg", "png")
FORMATS = ("text", "discord", "md", "html", *PICTURES, "json")
SEVERAL = ("text", "discord", "md", "json")
"""Formats in which one file can hold several texts."""


def ending(fmt: str) -> str:
    return "txt" if fmt in ("text", "discord") else fmt


def labelled(label: str, text: SafeText, fmt: str) -> SafeText:
    """`--- to Ann #ann` above a text, where one file holds several; what is in a name does nothing in that format."""
    return FileText(f"--- {md.escape(label)}\n{text}") if fmt == "md" else discord.labelled(label, text)


def render(blocks: Sequence[Block], fmt: str, zone: str, width: int | None = None) -> SafeText:
    """The blocks as a terminal shows them, as what one pastes into Discord, as a page, or only their pictures as SVG.

    PNG is not text: `png.render`.

    Args:
        zone: In which instants are shown; Discord shows them in each reader's own zone.
        width: Of the terminal that shows `text`; None does not wrap. No other format is wrapped.

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
