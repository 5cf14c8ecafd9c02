"""Plain text for a terminal: nothing in it moves a cursor, tables are aligned, instants are in the match's zone."""

from __future__ import annotations

from collections.abc import Sequence

from games.kit.blocks import Block, Board, Chart, Emoji, Heading, Items, Span, Strong, Table, Text, When
from ledger.core.times import show_time
from ledger.render import figures, scripts
from ledger.render.safe import PlainText, joined, plain_text

escape = plain_text


def render(blocks: Sequence[Block], zone: str) -> PlainText:
    """Blocks as text, one empty line between them, no line end at the end."""
    return joined((PlainText(_block(block, zone)) for block in blocks), "\n\n")


def unlisted(blocks: Sequence[Block], zone: str) -> list[PlainText]:
    """The lines of blocks, without the dashes of lists."""
    return [PlainText(line.removeprefix("- ")) for line in render(blocks, zone).splitlines()]


def _block(block: Block, zone: str) -> str:
    match block:
        case Heading():
            line = escape(block.text).replace("\n", " ")
            return f"{line}\n{'=' * scripts.columns(line)}" if block.level == 1 else f"{line}:"
        case Text():
            return _spans(block.spans, zone)
        case Items():
            return "\n".join("- " + _spans(spans, zone).replace("\n", "\n  ") for spans in block.items)
        case Table():
            return table(block.header, block.rows, block.numbers)
        case Board():
            marks = " · ".join(f"{mark} {meaning}" for mark, meaning in figures.legend(block, wide=True))
            drawn = [*figures.board_lines(block, wide=True), *([marks] if marks else [])]
            return "\n".join(escape(line) for line in drawn)
        case Chart():
            return table(("", "", ""), figures.sparklines(block), (2,)).partition("\n")[2].partition("\n")[2]


def _spans(spans: Sequence[Span], zone: str) -> str:
    def word(span: Span) -> str:
        match span:
            case When():
                return show_time(span.at, zone)
            case Strong():
                return escape(span.text)
            case Emoji():
                return ""
            case _:
                return escape(span)

    return "".join(word(span) for span in spans)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> PlainText:
    """Rows under their header. Nothing is taken for a number: 007 stays 007."""
    import tabulate  # heavy, and only needed where there is a table

    tabulate.WIDE_CHARS_MODE = True
    tabulate.wcwidth = scripts  # type: ignore[attr-defined]  # it asks this module for columns
    names, *cells = [[escape(cell).replace("\n", " ") for cell in row] for row in (header, *rows)]
    align = ["right" if i in numbers else "left" for i in range(len(header))]
    drawn = tabulate.tabulate(cells, headers=names, tablefmt="simple", disable_numparse=True, colalign=align)
    return PlainText("\n".join(line.rstrip() for line in drawn.splitlines()))
