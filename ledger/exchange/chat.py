"""An exported Discord chat, read strictly: what DiscordChatExporter writes for one channel.

Belongs here: what we rely on in such a file; the rest of it is passed over. Does not belong here: the forms in which it
is written (chat_forms.py), and what it has to do with the log (evidence.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from events import MAX_INSTANT, Unreadable, snowflake_ms, write_instant
from games.kinds import shown
from ledger.core.times import read_time
from ledger.core.tomlfile import refuse
from ledger.exchange.chat_forms import FORMS, Form, tables
from ledger.exchange.chat_page import FIX
from ledger.exchange.model_faults import checked
from ledger.exchange.models import wrong

DISCORD_BEGAN = 1_420_070_400_000
"""2015-01-01T00:00:00Z, the first moment that a message id can encode, ms."""
WRITTEN_TYPES = ("Default", "Reply")
"""Types of messages that somebody wrote; the others are notices of Discord itself."""
CONSENT_SIGNS = frozenset("✅☑✔👍👌🤝🆗")


def _any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise wrong("chat.shape", "must be a text", FIX)
    return value


_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")


def _id(value: Any) -> str:
    digits = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    if not re.fullmatch(r"[0-9]{1,20}", digits) or int(digits) >= 2**64:
        raise wrong("chat.shape", "is no id", FIX)
    return digits


def _instant(value: Any) -> int:
    iso = isinstance(value, str) and _ISO.match(value)
    try:
        return read_time(value if iso else "", now=MAX_INSTANT, zone="UTC", future=True)
    except Unreadable:
        raise wrong("chat.shape", f"is no time: {shown(str(value))}", FIX) from None


AnyText = Annotated[str, PlainValidator(_any_text)]
"""Any JSON string, even with half of a surrogate pair, which pydantic's `str` refuses."""
Id = Annotated[str, BeforeValidator(_id)]
Instant = Annotated[int, BeforeValidator(_instant)]
"""Milliseconds."""


class Part(BaseModel):
    """A table of which we rely on some keys."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Person(Part):
    """Whoever wrote a message, or put a sign under it."""

    id: Id | None = None
    name: AnyText | None = None
    nickname: AnyText | None = None
    bot: bool = Field(False, validation_alias="isBot")

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which they go; the id last, for an alias may be one."""
        names = (self.nickname, self.name, self.id)
        return tuple(dict.fromkeys(name.strip() for name in names if name and name.strip()))

    @property
    def called(self) -> str:
        return next(iter(self.names), "")


class Reaction(Part):
    sign: AnyText = Field("", validation_alias=AliasPath("emoji", "name"))
    count: int = 0
    users: list[Person] | None = None
    """None: the file does not say who put it there."""

    @property
    def consents(self) -> bool:
        return bool(CONSENT_SIGNS & set(self.sign))


class Message(Part):
    """One message."""

    id: Id
    type: AnyText = "Default"
    at: Instant = Field(validation_alias="timestamp")
    edited: Instant | None = Field(None, validation_alias="timestampEdited")
    """When it was last edited."""
    edited_once: bool = Field(False, validation_alias="isEdited")
    """It was edited, and the file does not say when."""
    author: Person
    content: AnyText
    reactions: list[Reaction] = []

    @property
    def in_one_line(self) -> str:
        """What it says, in one line, as far as a list shows it."""
        content = " ".join(self.content.split())
        return content if len(content) <= 200 else content[:199] + "…"

    @property
    def approved(self) -> list[tuple[str, ...]]:
        """Who put a sign of consent under it, each with all names."""
        return [user.names for reaction in self.reactions if reaction.consents for user in reaction.users or ()]

    @property
    def ticked(self) -> bool:
        """Is there a sign of consent under it, and the file does not say whose?"""
        return any(reaction.users is None and reaction.count > 0 and reaction.consents for reaction in self.reactions)


def _written(messages: list[Message]) -> list[Message]:
    return sorted((m for m in messages if m.type in WRITTEN_TYPES), key=lambda m: (m.at, int(m.id)))


class Chat(Part):
    """One channel, as far as it was exported; its messages that somebody wrote, oldest first."""

    form: Form = "JSON"
    guild: Id | None = Field("0", validation_alias=AliasPath("guild", "id"))
    """0: a private chat. None: the file does not say which server it is."""
    channel: Id = Field(validation_alias=AliasPath("channel", "id"))
    name: AnyText | None = Field(None, validation_alias=AliasPath("channel", "name"))
    after: Instant | None = Field(None, validation_alias=AliasPath("dateRange", "after"))
    before: Instant | None = Field(None, validation_alias=AliasPath("dateRange", "before"))
    exported: Instant | None = Field(None, validation_alias="exportedAt")
    messages: Annotated[list[Message], AfterValidator(_written)]

    def evidence(self, message: Message) -> tuple[str, str]:
        """The option with which an entry cites a message: its link, its bare id, or else its time."""
        if self.form == "CSV":
            return "--at", write_instant(message.at)
        if self.guild is None:
            return "--msg", message.id
        where = "@me" if self.guild == "0" else self.guild
        return "--msg", f"https://discord.com/channels/{where}/{self.channel}/{message.id}"

    def holds(self, at: int) -> bool:
        """Would a message of that moment be in this file?"""
        ends = [bound for bound in (self.before, self.exported) if bound is not None]
        return (self.after is None or at >= self.after) and all(at < bound for bound in ends)

    def in_form(self, form: Form) -> Chat:
        """The chat as a file of that form has it. Only JSON states its span: the others span their own messages.

        Messages of CSV have no ids: each gets the one that the first message of its moment could have.
        """
        messages, update = self.messages, dict[str, Any](form=form)
        if form == "CSV":
            at_moment: Counter[int] = Counter()
            numbered = []
            for message in messages:
                number = (max(message.at - DISCORD_BEGAN, 0) << 22) + at_moment[message.at]
                at_moment[message.at] += 1
                numbered.append(message.model_copy(update={"id": str(number)}))
            update["messages"] = messages = numbered
        if form != "JSON":
            times = [message.at for message in messages] or [0]
            update |= {"after": min(times), "before": max(times) + 1}
        return self.model_copy(update=update)


def read_chat(data: bytes, source: str) -> Chat:
    """The chat in a file.

    Args:
        source: What to call the file in a message.

    Raises:
        Unreadable: `chat.shape`, saying where it is another shape.
    """
    form, content = tables(data, source)
    chat = checked(Chat, content, "chat.shape")
    if isinstance(chat, list):
        refuse(chat, source, FIX)
    return chat.in_form(form)


def each_once(chats: Sequence[Chat]) -> list[Chat]:
    """Exports may overlap: a message is kept in the first of them, and in the form that has most of it."""
    seen: set[tuple[str, str]] = set()
    moments: set[tuple[str, int]] = set()
    distinct = []
    for chat in sorted(chats, key=lambda chat: FORMS.index(chat.form)):
        messages = {message.id: message for message in chat.messages if (chat.channel, message.id) not in seen}
        if chat.form == "CSV":
            messages = {key: message for key, message in messages.items() if (chat.channel, message.at) not in moments}
        else:
            moments |= {(chat.channel, message.at) for message in messages.values()}
        seen |= {(chat.channel, key) for key in messages}
        distinct.append(chat.model_copy(update={"messages": [*messages.values()]}))
    return distinct


def instant_of_id(message: str) -> int | None:
    """The moment that a message id encodes, ms; None when that is before Discord began."""
    at = snowflake_ms(int(message))
    return at if at > DISCORD_BEGAN else None
