"""Text inside markup: the one escaping of everything that ends as HTML or SVG."""

from __future__ import annotations

from ledger.render.text import escape as seen

_MARKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(text: str) -> str:
    """Any text as content or as a quoted attribute: it opens no tag, closes no quote, names no entity.

    What is invisible or turns the direction of writing is shown as `<U+XXXX>`, as on a terminal.

    >>> escape("<script>'&amp;'\\u202e")
    '&lt;script&gt;&#39;&amp;amp;&#39;&lt;U+202E&gt;'
    """
    return seen(text).translate(_MARKS)
