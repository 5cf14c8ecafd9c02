"""Markdown (CommonMark with tables): for a wiki page, an issue, a note."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.kit.blocks import Block, Board, Chart, Heading, Items, Span, Table, Text
from ledger.core.times import show_time
from ledger.render.discord import escape_fenced
from ledger.render.safe import in_spans, plain_text
from ledger.render.scripts import columns, ljust
from ledger.render.text import board_lines, legend, sparklines

_MARKS = str.maketrans({**{c: "\\" + c for c in "\\`*_[]<>#|~&$"}, "@": "@\u200b"})


def escape(text: str) -> str:
    """Escape any text for one line of Markdown, so that it formats nothing, links nothing and mentions nobody.

    >>> print(escape("1. **hi** <b> [x](https://y) www.z"))
    1\\. \\*\\*hi\\*\\* \\<b\\> \\[x\\](https:\\//y) www\\.z
    """
    line = plain_text(text).replace("\n", " ").translate(_MARKS).replace("://", ":\\//").replace("www.", "www\\.")
    list_mark = re.match(r"\s*(?:\d{1,9}[.)]|[-+=])", line)
    return line if list_mark is None else f"{line[: list_mark.end() - 1]}\\{line[list_mark.end() - 1 :]}"


def render(blocks: Sequence[Block], zone: str) -> str:
    return "\n\n".join(_block(block, zone) for block in blocks)


def _block(block: Block, zone: str) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {escape(block.text)}"
        case Text():
            return _spans(block.spans, zone)
        case Items():
            return "\n".join(f"- {_spans(spans, zone)}" for spans in block.items)
        case Table():
            rule = ["---:" if i in block.numbers else "---" for i in range(len(block.header))]
            rows = [[escape(cell) for cell in row] for row in (block.header, *block.rows)]
            return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], rule, *rows[1:]])
        case Board():
            marks = " · ".join(f"{mark} {meaning}" for mark, meaning in legend(block, wide=True))
            return _fenced(board_lines(block, wide=True)) + (f"\n\n{escape(marks)}" if marks else "")
        case Chart():
            series = sparklines(block)
            room = max((columns(name) for name, _, _ in series), default=0)
            return _fenced([f"{ljust(name, room)} {bars} {last}" for name, bars, last in series])


def _fenced(lines: Sequence[str]) -> str:
    return "\n".join(["```text", *(escape_fenced(line) for line in lines), "```"])


def _spans(spans: Sequence[Span], zone: str) -> str:
    return in_spans(spans, escape, lambda at: escape(show_time(at, zone)), ("**", "**"))
