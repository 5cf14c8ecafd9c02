"""Types for escaped text, one for each sink: for Discord, for a terminal, and for files.

A name, a note or a word of a file is a `str`, which no output function accepts. It must go through the escaper of its
sink first, and the caller of the escaper has decided who reads it.

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
"""Can be pasted into Discord as it is: nothing in it pings, links or formats unintentionally. Only
`ledger.render.discord` makes it."""
PlainText = NewType("PlainText", str)
"""For the terminal of a host or auditor, who does not pass it on. Nothing in it moves a cursor."""
FileText = NewType("FileText", str)
"""JSON, CSV, Markdown, HTML or SVG, escaped by the rules of its format. In JSON, names are as they were typed."""
SafeText: TypeAlias = DiscordText | PlainText | FileText

_T = TypeVar("_T", bound=SafeText)


def plain_text(text: str) -> PlainText:
    """Escape any text for a terminal: invisible characters and those that move the cursor are shown as `<U+XXXX>`.

    Line ends are kept. Right-to-left runs are isolated, so that they do not move the text around them.

    >>> plain_text("\\x1b[2Jhi\\u202e")
    '<U+001B>[2Jhi<U+202E>'
    """
    return PlainText(isolated(visible(text, keep="\n")))


_PINGS = re.compile(
    r"(?<=@)(?=everyone|here)|(?<=<)(?=[@#:/atid])|(?<=:)(?=//)|(?i:(?<=discord)|(?<=discordapp))(?=\.)"
)
"""The positions at which Discord would recognise a mention, an emoji, a time or a link."""


def without_pings(text: str) -> PlainText:
    """Text for the terminal that a host may copy into a channel: unchanged, except that it pings nobody.

    A zero-width space inside each mention, emoji and link prevents pings. Discord's formatting marks are kept.

    >>> without_pings("er_metric must be count or value"), without_pings("@everyone owes a vote")
    ('er_metric must be count or value', '@\\u200beveryone owes a vote')
    """
    return PlainText(_PINGS.sub("\u200b", plain_text(text)))


def plain_line(text: str) -> PlainText:
    return PlainText(plain_text(text).replace("\n", " "))


def json_text(data: object) -> FileText:
    """Data as JSON, not escaped for Discord. A lone surrogate from foreign JSON stays an escape."""
    return FileText(json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace").decode())


def verbatim(text: str) -> FileText:
    """The program's own text for another program, unescaped. It must not contain names."""
    return FileText(text)


def joined(parts: Iterable[_T], between: str = "\n") -> _T:
    """Join texts of one kind; `between` must be a constant."""
    return between.join(parts)  # type: ignore[return-value]


def in_spans(
    spans: Sequence[Span],
    escape: Callable[[str], str],
    when: Callable[[Instant], str],
    strong: tuple[str, str] = ("", ""),
    emoji: Callable[[str], str] = lambda code: "",
) -> str:
    """Join the parts of a sentence into one text.

    Args:
        escape: The escaper of the sink. when: Shows an instant. strong: Marks before and after strong text.
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
    """Fill each `{}` of a template; `template` must be a constant, so it needs no escape."""
    return template.format(*parts)  # type: ignore[return-value]
