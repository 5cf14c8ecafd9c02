"""A match whose log is on paper, entry by entry, without disk or command line; and a chat beside it.

The game is the one with the deck of forty cards: eight players, dealt at once, play opened after an hour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from events import Body, write_instant
from events.instants import Instant, later
from games.registry import load
from ledger.core.match import Match
from ledger.exchange.matchfile import setup_bodies
from tests.secrecy.on_paper import Sheet

HANDS = {
    "p1": "R1 B1 R2 B2 R3", "p2": "B3 R3 R4 B4 B3", "p3": "R1 B1 R2 B2 R4", "p4": "B4 R5 B5 R5 B5",
    "p5": "R6 B6 R6 B6 R7", "p6": "B7 R7 B7 R8 B8", "p7": "R8 B8 R9 B9 R9", "p8": "B9 R10 B10 R10 B10",
}  # fmt: skip
HOUR = 3_600_000
BEGAN = Instant(1_795_000_000_000)
FIRST = 20
"""The number of the first row."""
TRADE = {"a": "p1", "give": "R3", "b": "p2", "take": "B4"}

Row = tuple[Any, ...]


def paper(*rows: Row) -> Match:
    """Rows: (ms after the beginning, verb, arguments), and perhaps the evidence, and when it was recorded."""
    file = {"game": "equilibrium", "title": "On paper", "zone": "UTC", "hosts": ["mara", "ben"]}
    setup = {**file, "players": {p: {"name": p.title()} for p in HANDS}}
    _, bodies = setup_bodies(setup, source="match.toml", by=None, now=BEGAN)
    first = len(bodies) + 1
    dealt = [
        Body("hand", BEGAN, "mara", BEGAN, {"player": p, "cards": hand.split()}, batch=first)
        for p, hand in HANDS.items()
    ]
    bodies = [*bodies, *dealt, Body("deal", BEGAN, "mara", BEGAN, {"method": "typed"}, batch=first)]
    bodies.append(Body("open", later(BEGAN, HOUR), "mara", later(BEGAN, HOUR), {}))
    for row in rows:
        after, do, args = row[:3]
        evidence = row[3] if len(row) > 3 else None
        recorded = row[4] if len(row) > 4 else 80 * HOUR
        bodies.append(Body(do, later(BEGAN, after), "mara", later(BEGAN, recorded), args, evidence=evidence))
    return Sheet(load("equilibrium"), bodies)


def snowflake(at: int) -> str:
    """The id of a message of that moment, ms."""
    return str((at - 1_420_070_400_000) << 22)


def link(after: int, channel: str = "77") -> str:
    """The link of the message that was written so long after the beginning."""
    return f"https://discord.com/channels/845/{channel}/{snowflake(BEGAN + after)}"


def message(after: int, who: str, content: str, **more: Any) -> dict[str, Any]:
    """A message as DiscordChatExporter writes it. `edited`: ms after the beginning; `approved`: who ticked it."""
    at = BEGAN + after
    edited, approved = more.pop("edited", None), more.pop("approved", ())
    return {
        "id": snowflake(at),
        "type": "Default",
        "timestamp": write_instant(at).replace("Z", "+00:00"),
        "timestampEdited": None if edited is None else write_instant(BEGAN + edited),
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": content,
        "author": {"id": "1" + snowflake(at)[:9], "name": who.lower(), "discriminator": "0000", "nickname": who,
                   "color": None, "isBot": False, "roles": [], "avatarUrl": ""},
        "attachments": [], "embeds": [], "stickers": [], "mentions": [],
        "reactions": [{"emoji": {"id": "", "name": "✅", "code": "white_check_mark"}, "count": 1,
                       "users": [{"id": "5", "name": name, "nickname": name} for name in approved]}],
        **more,
    }  # fmt: skip


def chat(messages: Iterable[Mapping[str, Any]], channel: str = "77", **span: Any) -> dict[str, Any]:
    """A channel as it is exported."""
    listed: Sequence[Mapping[str, Any]] = list(messages)
    return {
        "guild": {"id": "845", "name": "Season", "iconUrl": ""},
        "channel": {"id": channel, "type": "GuildTextChat", "categoryId": "1", "category": "pairs", "name": "p1-p2"},
        "dateRange": {"after": span.get("after"), "before": span.get("before")},
        "exportedAt": span.get("exported", write_instant(BEGAN + 200 * HOUR)),
        "messages": listed,
        "messageCount": len(listed),
    }
