"""A strict reader for Discord chats that DiscordChatExporter exported as JSON, HTML or CSV.

A file is an `Export`; all files of one channel, in parts or overlapping, form one `Chat`. CSV has no message ids; HTML
shows servers and times only through ids. Missing data is left out, and `evidence` says what could not be compared.
Source: DiscordChatExporter, MessageGroupTemplate and CsvMessageWriter.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import unescape
from html.parser import HTMLParser
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from events import MAX_INSTANT, Unreadable, snowflake_ms, write_instant
from events.instants import DISCORD_EPOCH
from events.record import NamedTuple
from games.kinds import count, digits, grouped, shown
from ledger.core.times import read_time
from ledger.core.tomlfile import refuse
from ledger.exchange.models import checked, wrong

FIX = "export the channel with DiscordChatExporter, format JSON, HTML or CSV; docs/looking-back.md shows one"
EXPORT_AGAIN = "export it again with a current version of DiscordChatExporter"
Form: TypeAlias = Literal["JSON", "HTML", "CSV"]
FORMS: tuple[Form, ...] = ("JSON", "HTML", "CSV")
"""The form with the most information comes first."""


def _any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise wrong("chat.shape", "must be a text", FIX)
    return value


def _id(value: Any) -> str:
    digits = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    if not re.fullmatch(r"[0-9]{1,20}", digits) or int(digits) >= 2**64:
        raise wrong("chat.shape", "is no id", FIX)
    return digits


def _instant(value: Any) -> int:
    is_iso = isinstance(value, str) and re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T", value)
    try:
        return read_time(value if is_iso else "", now=MAX_INSTANT, zone="UTC", future=True)
    except Unreadable:
        raise wrong("chat.shape", f"is no time: {shown(str(value))}", FIX) from None


AnyText = Annotated[str, PlainValidator(_any_text)]
"""Any JSON string, even one with a lone surrogate, which pydantic's `str` refuses."""
Id = Annotated[str, BeforeValidator(_id)]
Instant = Annotated[int, BeforeValidator(_instant)]


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class Person(Part):
    id: Id | None = None
    name: AnyText | None = None
    nickname: AnyText | None = None
    bot: bool = Field(False, validation_alias="isBot")

    @property
    def names(self) -> tuple[str, ...]:
        names = (self.nickname, self.name, self.id)
        return tuple(dict.fromkeys(name.strip() for name in names if name and name.strip()))

    @property
    def called(self) -> str:
        return next(iter(self.names), "")


class Reaction(Part):
    sign: AnyText = Field("", validation_alias=AliasPath("emoji", "name"))
    count: int = 0
    users: list[Person] | None = None

    @property
    def consents(self) -> bool:
        return any(sign in "✅☑✔👍👌🤝🆗" for sign in self.sign)


class Message(Part):
    form: Form = "JSON"
    id: Id
    """CSV messages have none; `_numbered` gives each an id that encodes its moment."""
    type: AnyText = "Default"
    at: Instant = Field(validation_alias="timestamp")
    edited: Instant | None = Field(None, validation_alias="timestampEdited")
    edited_once: bool = Field(False, validation_alias="isEdited")
    """It was edited, but the file does not say when."""
    author: Person
    content: AnyText
    forwarded: Any = Field(None, validation_alias="forwardedMessage")
    reactions: list[Reaction] = []

    @property
    def blank(self) -> bool:
        return not self.content.strip()

    @property
    def in_one_line(self) -> str:
        content = " ".join(self.content.split())
        return content if len(content) <= 200 else content[:199] + "…"

    @property
    def approved(self) -> list[tuple[str, ...]]:
        return [user.names for reaction in self.reactions if reaction.consents for user in reaction.users or ()]

    @property
    def ticked(self) -> bool:
        """Whether it has a consenting reaction of people whom the file does not name."""
        return any(reaction.users is None and reaction.count > 0 and reaction.consents for reaction in self.reactions)


def _written(messages: list[Message]) -> list[Message]:
    by_somebody = (m for m in messages if m.type in ("Default", "Reply"))  # the others are notices from Discord
    return sorted(by_somebody, key=lambda m: (m.at, int(m.id)))


class Export(Part):
    """One file: the exported part of a channel, with the messages that people wrote, oldest first."""

    form: Form = "JSON"
    guild: Id | None = Field("0", validation_alias=AliasPath("guild", "id"))
    """0: a private chat. None: the file does not name the server."""
    channel: Id = Field(validation_alias=AliasPath("channel", "id"))
    name: AnyText | None = Field(None, validation_alias=AliasPath("channel", "name"))
    dated: bool = False
    after: Instant | None = Field(None, validation_alias=AliasPath("dateRange", "after"))
    before: Instant | None = Field(None, validation_alias=AliasPath("dateRange", "before"))
    exported: Instant | None = Field(None, validation_alias="exportedAt")
    messages: Annotated[list[Message], AfterValidator(_written)]

    @property
    def last(self) -> int:
        return self.messages[-1].at if self.messages else 0


Span: TypeAlias = tuple[int | None, int | None]
"""(start, end) in ms, end excluded; None means from the beginning or to the end."""


class Chat(NamedTuple):
    channel: str
    name: str
    guild: str | None
    spans: tuple[Span, ...]
    messages: tuple[Message, ...]
    forms: frozenset[Form]
    undecided: int
    """The number of messages that differ between files, none of which says which version is newer."""

    def evidence(self, message: Message) -> tuple[str, str]:
        if message.form == "CSV":
            return "--at", write_instant(message.at)
        if self.guild is None:
            return "--msg", message.id
        where = "@me" if self.guild == "0" else self.guild
        return "--msg", f"https://discord.com/channels/{where}/{self.channel}/{message.id}"

    def holds(self, at: int) -> bool:
        return any((start is None or at >= start) and (end is None or at < end) for start, end in self.spans)


def read_export(data: bytes, source: str) -> Export:
    """Read the chat in a file.

    Args:
        source: The name of the file, for messages. HTML and CSV name their channel nowhere else.

    Raises:
        Unreadable: `chat.shape`, the file has another shape, or seems to have more messages than can be read.
    """
    form, content = tables(data, source)
    export = checked(Export, content, "chat.shape")
    if isinstance(export, list):
        refuse(export, source, FIX)
    messages = [one if one.form == form else one.model_copy(update={"form": form}) for one in export.messages]
    return export.model_copy(update={"form": form, "messages": messages})


def channels(exports: Iterable[Export]) -> list[Chat]:
    """Merge all files of each channel, in any order; return the channels by id, the oldest first.

    Of several copies of a message, the newest in the most informative form counts. Only JSON states its span; files in
    the other forms span from their first message to their last.
    """
    of_channel = grouped((export.channel, export) for export in exports)
    return [_channel(of_channel[channel]) for channel in sorted(of_channel, key=int)]


def _channel(exports: Sequence[Export]) -> Chat:
    newest = max(exports, key=lambda export: (bool(export.name), export.exported or 0, export.last, export.name or ""))
    guilds = {export.guild for export in exports if export.guild is not None}
    by_id = grouped((m.id, _Copy(export, (m,))) for export in exports if export.form != "CSV" for m in export.messages)
    by_moment: dict[tuple[int, str], list[_Copy]] = {}
    for export in exports:
        at_once = grouped(((m.at, m.author.id or m.author.called), m) for m in export.messages if export.form == "CSV")
        for key, together in at_once.items():
            by_moment.setdefault(key, []).append(_Copy(export, tuple(together)))
    told = [_newest(copies) for copies in by_id.values()]
    moments = {moment for (message,), _ in told for moment in (message.at, instant_of_id(message.id))}
    told += [_newest(copies) for (at, _), copies in by_moment.items() if at not in moments]
    messages = _numbered(message for together, _ in told for message in together)
    return Chat(
        newest.channel,
        newest.name or newest.channel,
        max(guilds, key=int, default=None),
        _spans(exports),
        tuple(sorted(messages, key=lambda message: (message.at, int(message.id)))),
        frozenset(message.form for message in messages),
        sum(undecided for _, undecided in told),
    )


class _Copy(NamedTuple):
    """A message as one file has it; for CSV, all messages that its author wrote at that moment."""

    export: Export
    messages: tuple[Message, ...]

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The copy with the highest rank counts: (readable, informative form, when last seen in ms, 0 if unknown).

        If a message has no text and was not edited, the exporting account could not read it.
        """
        edited = max(message.edited or 0 for message in self.messages)
        readable = any(not message.blank or message.edited or message.edited_once for message in self.messages)
        return readable, -FORMS.index(self.export.form), max(self.export.exported or 0, edited)

    @property
    def likely(self) -> tuple[bool, int, str]:
        """Orders copies of the same rank: an edited one in a file that goes on longer is probably newer."""
        return (any(message.edited_once for message in self.messages), self.export.last, repr(self.messages))


def _newest(copies: Sequence[_Copy]) -> tuple[tuple[Message, ...], bool]:
    best = max(copies, key=lambda copy: (copy.rank, copy.likely))
    rivals = {tuple(message.content for message in copy.messages) for copy in copies if copy.rank == best.rank}
    messages = best.messages
    if any(message.edited_once for copy in copies for message in copy.messages) and messages[0].edited is None:
        messages = (messages[0].model_copy(update={"edited_once": True}), *messages[1:])
    return messages, len(rivals) > 1


def _numbered(messages: Iterable[Message]) -> list[Message]:
    """The messages, each with an id. CSV messages get an id that encodes their moment."""
    numbered: list[Message] = []
    at_moment = Counter[int]()
    for message in sorted(messages, key=lambda one: (one.at, one.author.id or "", one.content)):
        if message.form == "CSV":
            number = (max(message.at - DISCORD_EPOCH, 0) << 22) + at_moment[message.at]
            at_moment[message.at] += 1
            message = message.model_copy(update={"id": str(number)})
        numbered.append(message)
    return numbered


def _spans(exports: Sequence[Export]) -> tuple[Span, ...]:
    spans: list[Span] = []
    whole: list[Export] = []
    for export in exports:
        if export.form == "JSON":
            ends = [bound for bound in (export.before, export.exported) if bound is not None]
            spans.append((export.after, min(ends, default=None)))
        elif export.messages and export.dated:
            spans.append((export.messages[0].at, export.last + 1))
        elif export.messages:
            whole.append(export)
    if whole:
        spans.append((min(export.messages[0].at for export in whole), max(export.last for export in whole) + 1))
    return tuple(spans)


def instant_of_id(message: str) -> int | None:
    at = snowflake_ms(int(message))
    return at if at > DISCORD_EPOCH else None


# ---- the three forms -------------------------------------------------------------------------------------------------

HEADER = "AuthorID,Author,Date,Content,Attachments,Reactions"
_CHANNEL_FILE = re.compile(
    r"(?:.* - )?(.*) ?\[([0-9]{1,20})\]"
    r"( \((?:after |before )?[0-9]{4}-[0-9]{2}-[0-9]{2}[^()]*\))?(?: \[part [0-9]+\])?[^\[\]]*"
)
"""`Server - Category - channel [ID] (after ...) [part 2].html`: name and id of the channel, and the range of days."""


def tables(data: bytes, source: str) -> tuple[Form, Any]:
    """Parse an exported chat into its form and the data for `Export`.

    Raises:
        Unreadable: `chat.shape`, it has none of the three forms.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("chat.shape", f"{source} is not text in UTF-8", FIX) from None
    start = text.lstrip()
    if start.startswith("<"):
        page = ChatPage(source)
        page.read(text)
        return "HTML", {"guild": {"id": page.server}, **_from_name(source), "messages": page.messages}
    if start.startswith(HEADER):
        return "CSV", {"guild": {"id": None}, **_from_name(source), "messages": _csv_messages(start, source)}
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        what = f"{source} is not a JSON, HTML or CSV export of DiscordChatExporter"
        raise Unreadable("chat.shape", what, FIX) from None
    if isinstance(content, dict) and isinstance(messages := content.get("messages"), list):
        _all_read(source, len(messages), content.get("messageCount"))
    return "JSON", content


def _all_read(source: str, read: int, signs: Any) -> None:
    """Refuse a file if fewer messages were read than it seems to have."""
    if isinstance(signs, int) and signs > read:
        what = f"{source} seems to have {count(signs, 'message')}, but {read or 'none'} of them can be read"
        raise Unreadable("chat.shape", what, EXPORT_AGAIN)


def _from_name(source: str) -> dict[str, Any]:
    if (parts := _CHANNEL_FILE.fullmatch(os.path.basename(source))) is None:
        what = f"the name of {source} does not say which channel it is from"
        fix = 'name it as DiscordChatExporter does: the id of the channel in brackets, like "eve-fox [44].html"'
        raise Unreadable("chat.shape", what, fix)
    return {"channel": {"id": parts[2], "name": parts[1].strip()}, "dated": parts[3] is not None}


def _csv_messages(text: str, source: str) -> list[dict[str, Any]]:
    before = csv.field_size_limit(MAX_CELL)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise Unreadable("chat.shape", f"{source} is not CSV: {error}", FIX) from None
    finally:
        csv.field_size_limit(before)
    width = HEADER.count(",") + 1
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            what = f"{source}, row {number}: it has {len(row)} cells instead of {width}"
            raise Unreadable("chat.shape", what, FIX)
    messages = []
    for author, name, at, content, _, signs in rows[1:]:
        found = re.findall(r"(\S+) \(([0-9]{1,9})\)", signs)
        reactions = [{"emoji": {"name": sign}, "count": int(n)} for sign, n in found]
        written = {"id": "0", "timestamp": at, "author": {"id": author, "name": name}, "content": content}
        messages.append({**written, "reactions": reactions})
    return messages


MAX_CELL = 1 << 17
"""The most characters between two tags, or in one cell; a message has at most 4,000."""
MAX_TAG = 1 << 14
MAX_OPEN = 200
"""The most tags nested in a message; an export has some thirty."""
_COUNT = re.compile(r"Exported ([0-9][0-9.,'’\s]{0,19}) message")
"""The sentence at the end of the page; the thousands separator depends on the language of the exporting machine."""
_TOKEN = re.compile(r"""[^<]+|(<!--[^<>]*-->|<(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*+>)""")
_VOID_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_MARKDOWN = {"strong": "**", "em": "*", "u": "__", "s": "~~", "code": "`"}
_MARKDOWN_BEFORE = {"h1": "\n# ", "h2": "\n## ", "h3": "\n### ", "li": "\n- ", "br": "\n"}


class ChatPage(HTMLParser):
    """Takes the messages from the page, tag by tag, and skips everything around the chat.

    HTMLParser searches for the end of an incomplete tag again and again, so it gets only complete tags.
    """

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.server: str | None = None
        self.messages: list[dict[str, Any]] = []
        self._open: list[tuple[str, str]] = []
        """(tag, kind) of all open elements of a message, its container first."""
        self._author: dict[str, Any] = {}
        self._quotes = 0
        self._ids: set[str] = set()
        self._strays = self._counted = 0
        """Strays: groups without a message, and parts outside of any message. Counted: the total at the page's end."""
        self._empty_group = self._in_count = False

    def read(self, text: str) -> None:
        """Read the page. Raises Unreadable: `chat.shape`."""
        begin = re.search(r"""<div[^<>]{1,99}?\bclass=["']?chatlog["']?\s*>""", text)
        if begin is None:
            raise self._fault("is HTML, but not a chat that DiscordChatExporter wrote")
        if icon := re.search(r"/icons/([0-9]{1,20})/", text[: begin.start()]):  # the picture of the server
            self.server = icon[1]
        at = begin.end()
        try:
            while at < len(text):
                token = _TOKEN.match(text, at)
                if token is None or len(token[0]) > MAX_CELL or (token[1] and len(token[0]) > MAX_TAG):
                    raise self._fault(f"is cut off or damaged in line {text.count(chr(10), 0, at) + 1}")
                at = token.end()
                if not token[1]:
                    self._append(unescape(token[0]))
                    continue
                self.feed(token[0])
                if self.rawdata:
                    raise self._fault(f"is damaged in line {text.count(chr(10), 0, at) + 1}")
        except ValueError:  # a character reference with thousands of digits
            raise self._fault(f"is damaged in line {text.count(chr(10), 0, at) + 1}") from None
        if self._open:
            raise self._fault("is cut off: its last message has no end")
        _all_read(self.source, len(self.messages), max(len(self._ids), self._counted))
        if self._strays or self._empty_group:
            what = f"{self.source} holds messages in a layout that cannot be read"
            raise Unreadable("chat.shape", what, EXPORT_AGAIN)

    def _fault(self, what: str) -> Unreadable:
        return Unreadable("chat.shape", f"{self.source} {what}", FIX)

    def _inside(self, kind: str) -> bool:
        return any(kind == open_kind for _, open_kind in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        css = next(iter(values.get("class", "").split()), "")
        kind = css.removeprefix("chatlog__")
        if "data-message-id" in values:
            self._ids.add(values["data-message-id"])
        if kind == "message-container":
            self._begin_message(values)
            self._empty_group = False
        elif not self._open:
            self._in_count = css == "postamble__entry"
            if kind == "message-group":
                self._author = {}
                self._strays += self._empty_group
                self._empty_group = True
            elif css != kind:
                self._strays += 1
            return
        else:
            self._in_message(tag, kind, values)
        if tag not in _VOID_TAGS:
            self._open.append((tag, kind))
            if len(self._open) > MAX_OPEN:
                raise self._fault(f"has more than {MAX_OPEN} tags open within one another")

    def _begin_message(self, values: dict[str, str]) -> None:
        """Begin a message. In a group, later messages have the author of the first."""
        if self._open:
            raise self._fault("has a message within a message; was it exported without markdown?")
        message_id = values.get("data-message-id") or values.get("id", "").rpartition("-")[2]
        number = digits(message_id, 20)
        at = None if number is None or number >= 2**64 else write_instant(snowflake_ms(number))
        written = {"id": message_id, "timestamp": at, "author": self._author}
        self.messages.append({**written, "content": "", "reactions": []})

    def _in_message(self, tag: str, kind: str, values: dict[str, str]) -> None:
        message = self.messages[-1]
        if kind in ("author", "system-notification-author"):
            self._author = message["author"] = {"name": values.get("title"), "id": values.get("data-user-id")}
            message["type"] = "Default" if kind == "author" else "Notice"
        elif kind == "author-tag":
            self._author["isBot"] = True
        elif kind.startswith("forwarded"):
            message["forwardedMessage"] = {}
        elif kind == "edited-timestamp":
            message["isEdited"] = True
        elif kind == "reaction":
            message["reactions"].append({"emoji": {"name": ""}, "count": 1})
        elif tag == "img" and self._inside("reaction"):
            message["reactions"][-1]["emoji"]["name"] = values.get("alt", "")
        elif kind == "markdown-quote-content":
            self._quotes += 1
            self._append("\n")
        elif tag == "img":
            self._append(values.get("alt", ""))
        else:
            self._append(_MARKDOWN.get(tag) or _MARKDOWN_BEFORE.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._in_count = False
        if not any(tag == open_tag for open_tag, _ in self._open):
            return
        closed = ""
        while closed != tag:
            closed, kind = self._open[-1]
            self._append(_MARKDOWN.get(closed, ""))
            self._open.pop()
            if kind == "markdown-quote-content":
                self._quotes -= 1
                self._append("\n")

    def _append(self, text: str) -> None:
        if self._in_count and (counted := _COUNT.search(text)):
            self._counted = int(re.sub(r"\D", "", counted[1]))
        if not text or not self._open:
            return
        message, kind = self.messages[-1], self._open[-1][1]
        if kind == "author":
            message["author"]["nickname"] = message["author"].get("nickname", "") + text
        if self._inside("content") and not self._inside("edited-timestamp"):
            quote = "\n" + "> " * self._quotes
            message["content"] += text.replace("\n", quote) if self._quotes else text
