"""Two kinds of text that went through an escaper, kept apart by type: for Discord, and for a terminal.

A name, a note or a word of a file is a `str`; where text leaves, a `str` does not fit. It must have gone through the
escaper of its sink, whose caller has decided who reads it.

Source: docs/decisions/0029-two-kinds-of-text.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NewType, TypeAlias, TypeVar

from events.instants import Instant
from games.kit.blocks import Emoji, Span, Strong, When
from games.signs import visible
from ledger.render.scripts import isolated

DiscordText = NewType("DiscordText", str)
"""Can be pasted into Discord as it stands: nothing in it pings, links or formats but what is meant to. Made by
`ledger.render.discord` alone."""
PlainText = NewType("PlainText", str)
"""For a terminal, read by a host or an auditor, who passes it on to nobody: nothing in it moves a cursor."""
FileText = NewType("FileText", str)
"""JSON, CSV, Markdown, HTML or SVG, escaped by the rules of its own; in JSON names are as they were typed."""
SafeText: TypeAlias = DiscordText | PlainText | FileText

_T = TypeVar("_T", bound=SafeText)


def plain_text(text: str) -> PlainText:
    """Any text for a terminal: what is invisible or moves the cursor is shown as `<U+XXXX>`; only line ends stay.

    What is written from right to left is isolated, so that it moves nothing around it.

    >>> plain_text("\\x1b[2Jhi\\u202e")
    '<U+001B>[2Jhi<U+202E>'
    """
    return PlainText(isolated(visible(text, keep="\n")))


_PINGS = re.compile(
    r"(?<=@)(?=everyone|here)|(?<=<)(?=[@#:/atid])|(?<=:)(?=//)|(?i:(?<=discord)|(?<=discordapp))(?=\.)"
)
"""Where Discord would begin to read a mention, an emoji, a time or a link."""


def without_pings(text: str) -> PlainText:
    """Text for the terminal that a host may copy into a channel: as it was written, but it pings nobody.

    A zero-width space inside each mention, emoji and link prevents that. Marks of Discord's formatting stay.

    >>> without_pings("er_metric must be count or value"), without_pings("@everyone owes a vote")
    ('er_metric must be count or value', '@\\u200beveryone owes a vote')
    """
    return PlainText(_PINGS.sub("\u200b", plain_text(text)))


def plain_line(text: str) -> PlainText:
    """Any text for a terminal, in one line."""
    return PlainText(plain_text(text).replace("\n", " "))


def json_text(data: object) -> FileText:
    """Data as JSON, not escaped for Discord; half a character of somebody else's JSON stays an escape."""
    return FileText(json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace").decode())


def verbatim(text: str) -> FileText:
    """The program's own text for another program, unescaped: no name is in it."""
    return FileText(text)


def joined(parts: Iterable[_T], between: str = "\n") -> _T:
    """Texts of one kind as one; `between` is a constant."""
    return between.join(parts)  # type: ignore[return-value]


def in_spans(
    spans: Sequence[Span],
    escape: Callable[[str], str],
    when: Callable[[Instant], str],
    strong: tuple[str, str] = ("", ""),
    emoji: Callable[[str], str] = lambda code: "",
) -> str:
    """The parts of a sentence as one text.

    Args:
        escape: Of the sink. when: An instant as the sink shows it. strong: Before and after what is strong.
    """
    parts = []
    for span in spans:
        match span:
            case When():
                parts.append(when(span.at))
            case Strong():
                parts.append(f"{strong[0]}{escape(span.text)}{strong[1]}")
            case Emoji():
                parts.append(emoji(span.code))
            case _:
                parts.append(escape(span))
    return "".join(parts)


def filled(template: str, *parts: _T | int) -> _T:
    """A template with a part in place of each `{}`; `template` is a constant, so nothing in it needs an escape."""
    return template.format(*parts)  # type: ignore[return-value]
