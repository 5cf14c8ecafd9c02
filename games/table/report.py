"""Blocks that every game's report shares. From the result only, which is already cut down for the viewer."""

from __future__ import annotations

from games.contract import Frame, Result
from games.kit.blocks import Block, Emoji, Strong, items, text
from games.kit.tell import count

KINDS = {
    "vote": "vote who is Elimination Candidate",
    "gift": "give a spare Token of Life away",
    "choose": "choose",
    "lot": "a lot decides",
    "ruling": "a host decides",
}


def tokens_and_elimination(frame: Frame, result: Result) -> list[Block]:
    """Who holds Tokens of Life and who is Elimination Candidate, where both are settled and visible."""
    blocks: list[Block] = []
    if result.tokens and any(result.tokens.values()):
        held = {p: n for p, n in result.tokens.items() if n}
        token = Emoji(frame.emoji.get("token", ""))
        lines = [(token, Strong(frame.names[p]), f" · {count(n, 'Token')} of Life") for p, n in held.items()]
        blocks.append(items(*lines))
    if result.elimination:
        blocks.append(text("Elimination Candidate: ", Strong(frame.named(result.elimination))))
    return blocks


def decided(frame: Frame, result: Result) -> list[Block]:
    """What is still open, who decides it, among whom."""
    lines = []
    for d in result.decisions:
        who = f"{frame.named(d['who'])}: " if d.get("who") else ""
        among = f", among {frame.named(d['among'])}" if d.get("among") else ""
        lines.append(f"{who}{KINDS[d['kind']]}{among}")
    return [items(*lines)] if lines else []
