"""Renderers: blocks -> text for one sink. They alone know how a thing looks; they get blocks, never a view or state."""

from __future__ import annotations

from collections.abc import Sequence

from events import Unreadable
from games.kit.blocks import Block

FORMATS = ("text", "discord", "json")
"""What `-f` may say in this release."""


def render(blocks: Sequence[Block], fmt: str, zone: str) -> str:
    """The blocks as text for a terminal, or as what one pastes into Discord.

    Args:
        zone: In which a terminal shows instants; Discord shows each reader his own.

    Raises:
        Unreadable: `format.unknown`.
    """
    if fmt == "discord":
        from ledger.render import discord

        return discord.render(blocks)
    if fmt == "text":
        from ledger.render import text

        return text.render(blocks, zone)
    raise Unreadable("format.unknown", f"this text cannot be written as {fmt}", f"one of: {' '.join(FORMATS)}")
