"""The HTML in which DiscordChatExporter writes a chat, taken apart tag by tag.

It gives servers and times only through ids. Belongs here: that form. Does not belong here: the others (chat_forms.py).
Source: DiscordChatExporter, MessageGroupTemplate.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from events import Unreadable, snowflake_ms, write_instant
from games.kinds import digits

FIX = "export the channel with DiscordChatExporter, format JSON, HTML or CSV; docs/looking-back.md shows one"
MAX_CELL = 1 << 17
"""Characters between two tags, or of one cell; a message has 4,000 at most."""
MAX_TAG = 1 << 14
MAX_OPEN = 200
"""Tags open within one another in a message; an export has some thirty."""
_CHAT_BEGINS = re.compile(r"""<div[^<>]{1,99}?\bclass=["']?chatlog["']?\s*>""")
_SERVER_ICON = re.compile(r"/icons/([0-9]{1,20})/")
"""In the address of the picture of the server."""
_TOKEN = re.compile(r"""[^<]+|(<!--[^<>]*-->|<(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*+>)""")
_VOID_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_MARKDOWN = {"strong": "**", "em": "*", "u": "__", "s": "~~", "code": "`"}
_MARKDOWN_BEFORE = {"h1": "\n# ", "h2": "\n## ", "h3": "\n### ", "li": "\n- ", "br": "\n"}


class ChatPage(HTMLParser):
    """Takes the messages out of the page, tag by tag; all around the chat is passed over.

    HTMLParser looks for the end of a tag again and again where there is none, so it is only given whole ones.
    """

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.server: str | None = None
        self.messages: list[dict[str, Any]] = []
        self._open: list[tuple[str, str]] = []
        """(tag, kind) of all that is open within a message, its container first."""
        self._author: dict[str, Any] = {}
        self._quotes = 0

    def read(self, text: str) -> None:
        """Raises: Unreadable: `chat.shape`."""
        begin = _CHAT_BEGINS.search(text)
        if begin is None:
            raise self._fault("is HTML, but no chat that DiscordChatExporter wrote")
        if (icon := _SERVER_ICON.search(text[: begin.start()])) is not None:
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

    def _fault(self, what: str) -> Unreadable:
        return Unreadable("chat.shape", f"{self.source} {what}", FIX)

    def _inside(self, kind: str) -> bool:
        return any(kind == open_kind for _, open_kind in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        kind = next(iter(values.get("class", "").split()), "").removeprefix("chatlog__")
        if kind == "message-container":
            self._begin_message(values)
        elif not self._open:
            self._author = {} if kind == "message-group" else self._author
            return
        else:
            self._in_message(tag, kind, values)
        if tag not in _VOID_TAGS:
            self._open.append((tag, kind))
            if len(self._open) > MAX_OPEN:
                raise self._fault(f"has more than {MAX_OPEN} tags open within one another")

    def _begin_message(self, values: dict[str, str]) -> None:
        """Begin a message. Those that follow the first in a group have its author."""
        if self._open:
            raise self._fault("has a message within a message; was it exported without markdown?")
        message_id = values.get("data-message-id") or values.get("id", "").rpartition("-")[2]
        number = digits(message_id, 20)
        at = None if number is None or number >= 2**64 else snowflake_ms(number)
        self.messages.append(
            {
                "id": message_id,
                "timestamp": None if at is None else write_instant(at),
                "author": self._author,
                "content": "",
                "reactions": [],
            }
        )

    def _in_message(self, tag: str, kind: str, values: dict[str, str]) -> None:
        message = self.messages[-1]
        if kind in ("author", "system-notification-author"):
            self._author = message["author"] = {"name": values.get("title"), "id": values.get("data-user-id")}
            message["type"] = "Default" if kind == "author" else "Notice"
        elif kind == "author-tag":
            self._author["isBot"] = True
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
        """Append text to the message, unless it belongs to a quoted message, the author or the mark of an edit."""
        if not text or not self._open:
            return
        message, kind = self.messages[-1], self._open[-1][1]
        if kind == "author":
            message["author"]["nickname"] = message["author"].get("nickname", "") + text
        if self._inside("content") and not self._inside("edited-timestamp"):
            quote = "\n" + "> " * self._quotes
            message["content"] += text.replace("\n", quote) if self._quotes else text
