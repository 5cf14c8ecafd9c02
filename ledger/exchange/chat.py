"""An exported Discord chat, read strictly: the JSON that DiscordChatExporter writes for one channel.

Belongs here: what a file must look like, and a message as a record. Does not belong here: what it has to do with the
log (evidence.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from events import MAX_INSTANT, Unreadable, snowflake_ms
from events.record import NamedTuple
from games.kinds import shown
from ledger.core.times import read_time

DISCORD_BEGAN = 1_420_070_400_000
"""2015-01-01T00:00:00Z, the first moment that a message id can tell, ms."""
SPOKEN = ("Default", "Reply")
"""Types of messages that somebody wrote; the rest are notices of Discord itself."""
FIX = "export the channel with DiscordChatExporter, format JSON; docs/looking-back.md shows one"


class Message(NamedTuple):
    """One message that somebody wrote."""

    id: str
    at: int
    edited: int | None
    """When it was last edited, ms."""
    author: str
    """The author's id."""
    names: tuple[str, ...]
    """By which names the author goes: nickname first."""
    bot: bool
    content: str
    approved: tuple[tuple[str, ...], ...]
    """Who put a sign of consent under it, each with all names, the id last."""


class Chat(NamedTuple):
    """One channel, as far as it was exported. Times in ms; None: no bound was given."""

    guild: str
    channel: str
    name: str
    after: int | None
    before: int | None
    exported: int | None
    messages: tuple[Message, ...]

    def link(self, message: str) -> str:
        """The link of a message."""
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{message}"

    def holds(self, at: int) -> bool:
        """Would a message of that moment be in this file?"""
        late = [bound for bound in (self.before, self.exported) if bound is not None]
        return (self.after is None or at >= self.after) and all(at < bound for bound in late)


CONSENT = frozenset("✅☑✔👍👌🤝🆗")


def read_chat(data: bytes, source: str) -> Chat:
    """The chat in a file.

    Args:
        source: What to call the file in a message.

    Raises:
        Unreadable: `chat.shape`, saying where it is another shape.
    """
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable("chat.shape", f"{source} is not JSON in UTF-8", FIX) from None

    def bad(where: str, wanted: str) -> Unreadable:
        return Unreadable("chat.shape", f"{source} is no chat that can be read: {where} {wanted}", FIX)

    if not isinstance(told, dict):
        raise bad("the whole", f"is {_kind(told)}, not a table with channel and messages")
    channel, listed = told.get("channel"), told.get("messages")
    if not isinstance(channel, dict) or not isinstance(listed, list):
        raise bad("channel or messages", "is missing")
    guild = told.get("guild")
    guild_id = _id(guild.get("id")) if isinstance(guild, dict) else None
    channel_id = _id(channel.get("id"))
    if channel_id is None:
        raise bad("channel.id", "is no id")

    def when(value: Any, where: str) -> int | None:
        at = _time(value)
        if at is None and value is not None:
            raise bad(where, f"is no time: {shown(str(value))}")
        return at

    span = told.get("dateRange")
    span = span if isinstance(span, dict) else {}
    messages = []
    for n, item in enumerate(listed):
        where = f"message {n + 1}"
        if not isinstance(item, dict):
            raise bad(where, f"is {_kind(item)}, not a table")
        author = item.get("author")
        id_, at = _id(item.get("id")), _time(item.get("timestamp"))
        if id_ is None or at is None or not isinstance(author, dict):
            lacks = "id" if id_ is None else "timestamp" if at is None else "author"
            raise bad(where, f"has no {lacks} that can be read")
        content = item.get("content")
        if not isinstance(content, str):
            raise bad(where, "has no content")
        if item.get("type", "Default") in SPOKEN:
            edited = when(item.get("timestampEdited"), f"timestampEdited of {where}")
            names = _names(author)
            approved = tuple(_approved(item.get("reactions")))
            bot = author.get("isBot") is True
            messages.append(Message(id_, at, edited, _id(author.get("id")) or "", names, bot, content, approved))
    return Chat(
        guild=guild_id if guild_id not in (None, "0") else "@me",
        channel=channel_id,
        name=str(channel.get("name") or channel_id),
        after=when(span.get("after"), "dateRange.after"),
        before=when(span.get("before"), "dateRange.before"),
        exported=when(told.get("exportedAt"), "exportedAt"),
        messages=tuple(sorted(messages, key=lambda message: (message.at, int(message.id)))),
    )


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "true or false"}
    return "nothing" if value is None else kinds.get(type(value), "a table")


def _id(value: Any) -> str | None:
    word = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    return word if re.fullmatch(r"[0-9]{1,20}", word) else None


def _time(value: Any) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        return read_time(value, now=MAX_INSTANT, zone="UTC", future=True)
    except Unreadable:
        return None


def _names(person: Mapping[str, Any]) -> tuple[str, ...]:
    """By which names somebody goes; his id last, for an alias may be one."""
    told = [person.get(key) for key in ("nickname", "name", "id")]
    return tuple(dict.fromkeys(name.strip() for name in told if isinstance(name, str) and name.strip()))


def _approved(reactions: Any) -> list[tuple[str, ...]]:
    """Who reacted with a sign of consent."""
    found = []
    for reaction in reactions if isinstance(reactions, list) else ():
        emoji = reaction.get("emoji") if isinstance(reaction, dict) else None
        sign = str(emoji.get("name", "")) if isinstance(emoji, dict) else ""
        users = reaction.get("users") if CONSENT & set(sign) else ()
        found += [_names(user) for user in users if isinstance(user, dict)] if isinstance(users, list) else []
    return found


def told_by_id(message: str) -> int | None:
    """The moment that a message id tells, ms; None when it is too small to be of Discord's years."""
    at = snowflake_ms(int(message))
    return at if at > DISCORD_BEGAN else None
