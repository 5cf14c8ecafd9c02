"""Text for Discord: escaped, pinging nobody, split below the size limit, with tables that fit a phone.

Source: docs/decisions/0029.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from games.kit.blocks import EMOJI_PATTERN, Block, Board, Chart, Heading, Items, Span, Table, Text
from games.signs import MAX_MARKS_IN_A_ROW, is_mark, is_unseen, joiners, visible
from ledger.render.safe import DiscordText, SafeText, in_spans, joined
from ledger.render.scripts import columns, cut, isolated, ljust, rjust
from ledger.render.text import board_lines, legend, sparklines

LIMIT = 1900
"""The most UTF-16 units in a message. Discord accepts 2000; the receipt line needs room."""
FENCE_WIDTH = 32
"""Columns that a phone shows inside a fence without breaking the line."""
BETWEEN = "\n\n— next message —\n\n"
"""Separates the messages of a text that was posted whole, in the log."""
ZWSP = "\u200b"
_DIGITS = frozenset("0123456789")
_OWN_WORDS = re.compile(r"(?:[A-Za-z0-9 .,;()'&-]|(?<=[a-z])_(?=[a-z])|:(?= |$)|(?<=[0-9]):(?=[0-9]))*")
_NEEDS_NO_ESCAPE = re.compile(r"[0-9 ]*(?:[A-Za-z('&,;](?:[A-Za-z0-9 .,;()'&+/-]|:(?= |\Z))*)?")
"""Matches most texts; they need no escape unless they contain a Discord address."""
_T = TypeVar("_T", bound=SafeText)
_IN_FENCE = str.maketrans({"`": "ˋ", "@": f"@{ZWSP}"})


def escape(text: str) -> DiscordText:
    """Escape player text for a message: Discord's markup is escaped; mentions, emoji and links are defused.

    Every escape is a backslash before the mark, a zero-width space after `@`, `<` or in `://`, or `<U+XXXX>` for an
    invisible character, so the text can be restored. Right-to-left runs are isolated.

    >>> print(escape("**hi**: see https://x.y"))
    \\*\\*hi\\*\\*: see https\\:​//x.y
    """
    if _NEEDS_NO_ESCAPE.fullmatch(text) and "discord" not in text.lower():
        return DiscordText(text)
    return _escaped(text)


def _escaped(text: str) -> DiscordText:
    out: list[str] = []
    marks, start, joins = 0, True, joiners(text)
    for i, c in enumerate(text):
        marks = marks + 1 if is_mark(c) else 0
        if (is_unseen(c) and c != "\n" and i not in joins) or marks > MAX_MARKS_IN_A_ROW or text.startswith("<U+", i):
            out.append(f"\\<{ZWSP}U\\+{ord(c):04X}\\>")
            start = False
            continue
        after = text[i + 1 : i + 2]
        begins_list = start and (c in "-+" or (c == "." and out and out[-1] in _DIGITS))
        if c in "\\`*_~|>#[]<@" or begins_list:
            out.append("\\" + c)
        elif c == ":" and after.strip():
            out.append("\\:" + (ZWSP if after == "/" else ""))
        elif c == "." and text[max(0, i - 10) : i].lower().endswith(("discord", "discordapp")):
            out.append(ZWSP + ".")
        else:
            out.append(c)
        if c in "@<":
            out.append(ZWSP)
        start = c == "\n" or (start and (c.isspace() or c in _DIGITS))
    return DiscordText(isolated("".join(out)))


def code(text: str) -> DiscordText:
    """A code, a rule or a time in the program's own words, unescaped, so that it can be searched for.

    A text with any other character is escaped.

    >>> code("sections 4 and 8"), code("table.not_enough_tokens"), code("_x_")
    ('sections 4 and 8', 'table.not_enough_tokens', '\\\\_x\\\\_')
    """
    return DiscordText(text) if _OWN_WORDS.fullmatch(text) else escape(text)


def labelled(label: str, text: _T) -> _T:
    """A text to post, below a line for hosts like `--- to Ann #ann`. Pasted by mistake, the line pings nobody."""
    return f"--- {escape_fenced(label)}\n{text}"  # type: ignore[return-value]


def escape_fenced(text: str) -> str:
    """Escape player text for a fence, so that it cannot close the fence, ping, or break the line.

    >>> escape_fenced("```\\n<U+"), escape_fenced("ˋ")
    ('ˋˋˋ<U+000A><U+003C>U+', '<U+02CB>')
    """
    return isolated(visible(text, also="ˋ").translate(_IN_FENCE))


def render(blocks: Sequence[Block]) -> DiscordText:
    return numbered(messages(blocks))


def in_one(texts: Sequence[DiscordText]) -> DiscordText:
    return joined(texts, BETWEEN)


def numbered(texts: Sequence[DiscordText]) -> DiscordText:
    """Messages one below the other; if there are several, each below a line with its number.

    >>> print(numbered([DiscordText("one"), DiscordText("two")]))
    --- message 1 of 2
    one
    <BLANKLINE>
    --- message 2 of 2
    two
    """
    if len(texts) < 2:
        return joined(texts)
    return joined((labelled(f"message {n} of {len(texts)}", text) for n, text in enumerate(texts, 1)), "\n\n")


def messages(blocks: Sequence[Block], limit: int = LIMIT) -> list[DiscordText]:
    """Split blocks into messages of at most `limit` UTF-16 units, never inside a fence.

    A block is kept whole if that leaves the message before it more than half full. A heading never ends a message.
    """
    closed: list[list[str]] = []
    current: list[str] = []
    headings = 0
    """How many of the last pieces are headings, which stay with the next piece."""

    def size(pieces: Sequence[str]) -> int:
        return units("\n".join(pieces))

    for block in blocks:
        pieces = _pieces(block, limit)
        breaks = limit // 2 < size(current) and size([*current, *pieces]) > limit >= size(pieces)
        for n, piece in enumerate(pieces):
            if current and (size([*current, piece]) > limit or (breaks and not n)):
                moved = len(current) - headings
                end = moved if moved and size([*current[moved:], piece]) <= limit else len(current)
                closed.append(current[:end])
                current = current[end:]
            current.append(piece)
            headings = headings + 1 if isinstance(block, Heading) else 0
    return [DiscordText("\n".join(message)) for message in (*closed, current) if any(message)]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _pieces(block: Block, limit: int) -> list[str]:
    """A block as pieces that may go into different messages."""
    match block:
        case Heading():
            return [f"{'##' if block.level == 1 else '###'} {escape(block.text)}".replace("\n", " ")]
        case Text():
            return _split(_spans(block.spans), limit)
        case Items():
            return [piece for spans in block.items for piece in _split("- " + _spans(spans), limit)]
        case Table():
            return _table(block, limit)
        case Board():
            fences = _fenced([escape_fenced(line) for line in board_lines(block, wide=False)], limit)
            marks = " · ".join(f"{mark} {meaning}" for mark, meaning in legend(block, wide=False))
            return [*fences, *(_split(escape(marks), limit) if marks else [])]
        case Chart():
            return _chart(block, limit)


def _spans(spans: Sequence[Span]) -> str:
    def emoji(sign: str) -> str:
        return f"{sign} " if re.fullmatch(EMOJI_PATTERN, sign) else ""

    return in_spans(spans, escape, lambda at: f"<t:{at // 1000}:F> (<t:{at // 1000}:R>)", ("**", "**"), emoji)


def _split(text: str, limit: int) -> list[str]:
    """Text in pieces within the limit, broken at spaces if possible, and never inside an escape."""
    pieces: list[str] = []
    while units(text) > limit:
        cut = text[:limit]
        while units(cut) > limit:
            cut = cut[:-1]
        at = max(cut.rfind("\n"), cut.rfind(" "))
        at = at if at > limit // 2 else len(cut)
        while at > 1 and text[at - 1] in "\\" + ZWSP:
            at -= 1
        pieces.append(text[:at])
        text = text[at:].lstrip(" \n")
    return [*pieces, text]


def _fenced(lines: list[str], limit: int) -> list[str]:
    room = max(1, (limit - 10) // (max([FENCE_WIDTH, *map(units, lines)]) + 1))
    return ["```\n" + "\n".join(lines[i : i + room]) + "\n```" for i in range(0, len(lines), room)]


def _chart(block: Chart, limit: int) -> list[str]:
    rows = [(escape_fenced(name), bars, last) for name, bars, last in sparklines(block)]
    longest = max((columns(name) for name, _, _ in rows), default=0)
    last_width = max((len(last) for _, _, last in rows), default=0)
    bars_room = max(1, FENCE_WIDTH - min(longest, 8) - last_width - 2)
    bars_width = min(bars_room, max((len(bars) for _, bars, _ in rows), default=0))
    room = min(longest, max(1, FENCE_WIDTH - bars_width - last_width - 2))
    return _fenced([f"{ljust(cut(n, room), room)} {b[-bars_room:]} {v.rjust(last_width)}" for n, b, v in rows], limit)


def _table(block: Table, limit: int) -> list[str]:
    """A fenced table if it fits a phone; otherwise one list item per row, which can wrap and names its columns."""
    rows = [[escape_fenced(cell) for cell in row] for row in block.rows]
    header = [escape_fenced(cell) for cell in block.header]
    widths = [max(columns(row[i]) for row in [header, *rows]) for i in range(len(header))]
    if sum(widths) + len(widths) - 1 <= FENCE_WIDTH:
        lines = []
        for cells in [header, *rows]:
            placed = enumerate(zip(cells, widths, strict=True))
            padded = [rjust(c, w) if i in block.numbers else ljust(c, w) for i, (c, w) in placed]
            lines.append(" ".join(padded).rstrip())
        return _fenced(lines, limit)
    items = []
    for first, *others in block.rows:
        cells = [f"{name} {c}" if name else c for name, c in zip(block.header[1:], others, strict=True) if c]
        items += _split(f"- **{escape(first)}** {escape(' · '.join(cells))}", limit)
    return items
