"""Blocks that every game's report shares. From frame and result only, which are already cut down for the viewer."""

from __future__ import annotations

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import read_instant
from games.contract import Frame, Result
from games.kit.blocks import Block, Emoji, Heading, Span, Strong, When, items, text
from games.kit.tell import count

KINDS = {
    "vote": "vote who is Elimination Candidate",
    "gift": "give a spare Token of Life away",
    "choose": "choose",
    "lot": "a lot decides",
    "ruling": "a host decides",
}


def heading(frame: Frame) -> Heading:
    """The match, its game unless the match is named after it, and the player for whom the text is."""
    title = frame.title if frame.title == frame.game else f"{frame.title} · {frame.game}"
    if frame.viewer not in (HOST_VIEWER, PUBLIC_VIEWER):
        title += f" · for {frame.names[frame.viewer]}"
    return Heading(title)


def clock(paused: bool | None, ends: str | None, until: str = "It ends") -> tuple[Span, ...]:
    """What follows the name of a phase: that the clock is paused, and when it ends, in the reader's own time.

    Args:
        ends: RFC 3339 in UTC, as it stands in the view.
    """
    spans: tuple[Span, ...] = (" The clock is paused.",) if paused else ()
    return spans if ends is None else (*spans, f" {until} ", When(read_instant(ends)), ".")


def tokens_and_elimination(frame: Frame, result: Result) -> list[Block]:
    """Who holds Tokens of Life and who is Elimination Candidate, where both are settled and visible."""
    blocks: list[Block] = []
    if result.tokens and any(result.tokens.values()):
        held = {p: n for p, n in result.tokens.items() if n}
        token = Emoji(frame.emoji.get("token", ""))
        lines = [(token, Strong(frame.names[p]), f" · {count(n, 'Token')} of Life") for p, n in held.items()]
        blocks.append(items(*lines))
    if result.elimination:
        blocks.append(_called(frame, "Elimination Candidate", result.elimination))
    if result.winners:
        blocks.append(_called(frame, "Winner", result.winners))
    if result.losers:
        blocks.append(_called(frame, "Loser", result.losers))
    return blocks


def _called(frame: Frame, what: str, players: tuple[str, ...]) -> Block:
    """Elimination Candidates: Ann and Bob."""
    return text(f"{what}{'s' if len(players) > 1 else ''}: ", Strong(frame.named(players)))


def decided(frame: Frame, result: Result) -> list[Block]:
    """What is still open, who decides it, among whom."""
    lines = []
    for d in result.decisions:
        who = f"{frame.named(d['who'])}: " if d.get("who") else ""
        among = f", among {frame.named(d['among'])}" if d.get("among") else ""
        lines.append(f"{who}{KINDS[d['kind']]}{among}")
    return [items(*lines)] if lines else []
