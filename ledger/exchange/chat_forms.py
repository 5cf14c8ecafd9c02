"""The forms in which DiscordChatExporter writes a chat: JSON, HTML and CSV, each as the tables of its JSON.

CSV has no ids of messages at all. What a form lacks is left out, and `evidence` says what could not be compared.
Belongs here: telling the forms apart, and CSV. Does not belong here: the page (chat_page.py), what must stand in a chat
(chat.py). Source: DiscordChatExporter, CsvMessageWriter; docs/looking-back.md.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from typing import Any, Literal, TypeAlias

from events import Unreadable
from ledger.exchange.chat_page import FIX, MAX_CELL, ChatPage

Form: TypeAlias = Literal["JSON", "HTML", "CSV"]
FORMS: tuple[Form, ...] = ("JSON", "HTML", "CSV")
"""The one with most information first."""
HEADER = "AuthorID,Author,Date,Content,Attachments,Reactions"
_CHANNEL_FILE = re.compile(r"(?:.* - )?(.*?) ?\[([0-9]{1,20})\]")
"""`Server - Category - channel [ID] (after ...).html`: the name and the id of the channel."""
_REACTIONS = re.compile(r"(\S+) \(([0-9]{1,9})\)")


def tables(data: bytes, source: str) -> tuple[Form, Any]:
    """The tables of an exported chat.

    Args:
        source: The name of the file: HTML and CSV name their channel nowhere else.

    Raises:
        Unreadable: `chat.shape`, it is none of the three.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("chat.shape", f"{source} is not text in UTF-8", FIX) from None
    start = text.lstrip()
    if start.startswith("<"):
        page = ChatPage(source)
        page.read(text)
        return "HTML", {"guild": {"id": page.server}, "channel": _channel(source), "messages": page.messages}
    if start.startswith(HEADER):
        return "CSV", {"guild": {"id": None}, "channel": _channel(source), "messages": _csv_messages(start, source)}
    try:
        return "JSON", json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("chat.shape", f"{source} is no JSON, HTML or CSV of DiscordChatExporter", FIX) from None


def _channel(source: str) -> dict[str, Any]:
    """The channel, taken from the name of its file."""
    parts = _CHANNEL_FILE.match(os.path.basename(source))
    if parts is None:
        what = f"the name of {source} does not say which channel it is"
        fix = 'name it as DiscordChatExporter does: the id of the channel in brackets, like "eve-fox [44].html"'
        raise Unreadable("chat.shape", what, fix)
    return {"id": parts[2], "name": parts[1]}


def _csv_messages(text: str, source: str) -> list[dict[str, Any]]:
    """The messages of rows that have no ids of messages (`Chat.in_form` makes them up)."""
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
    return [
        {
            "id": "0",
            "timestamp": at,
            "author": {"id": author, "name": name},
            "content": content,
            "reactions": [{"emoji": {"name": sign}, "count": int(n)} for sign, n in _REACTIONS.findall(signs)],
        }
        for author, name, at, content, _, signs in rows[1:]
    ]
