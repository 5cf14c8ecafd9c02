"""The last guard before a terminal: no control character leaves, whatever a name or a log holds. Imports nothing."""

from __future__ import annotations

_UNSEEN = [
    c for c in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)) if c not in (9, 10)
]
_SHOWN = {c: f"<U+{c:04X}>" for c in _UNSEEN if c not in (0x2068, 0x2069)}
"""But for the two that isolate a name (ledger/render/scripts.py)."""
_IN_JSON = {c: f"\\u{c:04x}" for c in _UNSEEN}


def escape_controls(text: str, *, as_json: bool = False) -> str:
    """Text whose control characters and changes of direction are shown, never sent: whatever a name or a log holds.

    The last guard: renderers escape more, and each in the way of its sink.

    >>> escape_controls("\\x1b[2Jhi"), escape_controls('"\\x9b"', as_json=True)
    ('<U+001B>[2Jhi', '"\\\\u009b"')
    """
    return text if text.isascii() and text.isprintable() else text.translate(_IN_JSON if as_json else _SHOWN)
