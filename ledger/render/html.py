"""Blocks as HTML: a fragment for a page that has the rules of `style`, or a complete page that loads nothing.

All text passes through `svg.escape`. There are no inline styles or handlers, so a page can forbid both.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from events.disk import folder_of, in_folder
from events.instants import Instant, write_end
from games.kit.blocks import Block, Board, Chart, Heading, Items, Span, Table, Text
from ledger.core.inputs import read_text
from ledger.core.times import show_time
from ledger.render import svg
from ledger.render.safe import in_spans
from ledger.render.svg import DARK, LIGHT, css, escape


def render(blocks: Sequence[Block], zone: str) -> str:
    title = next((block.text for block in blocks if isinstance(block, Heading)), "host-ledger")
    rules = style()
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{digest(rules)}'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{rules}</style></head>\n"
        f"<body><main>{fragment(blocks, zone)}</main></body></html>"
    )


def style() -> str:
    page = read_text(in_folder(folder_of(__file__), "page.css"))
    dark = f"@media screen and (prefers-color-scheme:dark){{{css(DARK, ':root:not([data-look=light]) ')}}}"
    return "\n".join([page, css(LIGHT), dark, f"@media screen{{{css(DARK, '[data-look=dark] ')}}}"])


def digest(text: str) -> str:
    """The source expression in a Content-Security-Policy for a style or script with exactly this text.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def fragment(blocks: Sequence[Block], zone: str, under: int = 0) -> str:
    """The blocks as elements, one line each.

    Args:
        under: How many levels of headings the page has above these.
    """
    elements, title = [], ""
    for block in blocks:
        if isinstance(block, Heading):
            title = block.text
        elements.append(_block(block, zone, under, title))
    return "\n".join(elements)


def _block(block: Block, zone: str, under: int, title: str) -> str:
    match block:
        case Heading():
            level = min(block.level + under, 6)
            return f"<h{level}>{escape(block.text)}</h{level}>"
        case Text():
            return f"<p>{_spans(block.spans, zone)}</p>"
        case Items():
            return "<ul>" + "".join(f"<li>{_spans(spans, zone)}</li>" for spans in block.items) + "</ul>"
        case Table():
            return _table(block)
        case Board() | Chart():
            return f"<figure>{svg.picture(block, title, titled=False)}</figure>"


def _table(block: Table) -> str:
    def cell(i: int, text: str, tag: str) -> str:
        look = ' class="num"' if i in block.numbers else ""
        scope = ' scope="col"' if tag == "th" and text else ""
        return f"<{tag if text else 'td'}{scope}{look}>{escape(text)}</{tag if text else 'td'}>"

    head = "".join(cell(i, text, "th") for i, text in enumerate(block.header))
    rows = "".join("<tr>" + "".join(cell(i, text, "td") for i, text in enumerate(row)) + "</tr>" for row in block.rows)
    return (
        '<div class="wide" tabindex="0" role="group" aria-label="table">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _spans(spans: Sequence[Span], zone: str) -> str:
    def when(at: Instant) -> str:
        return f'<time datetime="{write_end(at)}">{escape(show_time(at, zone))}</time>'

    return in_spans(spans, escape, when, ("<strong>", "</strong>")).replace("\n", "<br>")
