"""A TOML reader with bounds: no file makes it fail with an unexpected error or keeps it busy for ever.

What belongs here: what every TOML file of ours must keep to. What does not: which keys it has
(ledger/exchange/matchfile.py and others).
"""

from __future__ import annotations

import re
from typing import Any

from events.errors import Unreadable

MAX_LENGTH = 1 << 20
"""Characters."""
MAX_DEPTH = 16
"""Nesting of tables and lists, and parts of a key: an entry of the log holds no more."""
MAX_NUMBER = 2**53
"""As in the log, positive or negative."""
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}\.[ \t]*+){{{MAX_DEPTH}}}")
"""tomllib takes time quadratic in the parts of a key."""


def parse(text: str) -> dict[str, Any]:
    """A TOML text as Python values.

    Raises:
        Unreadable: `toml.unreadable`, it is not TOML or goes beyond the bounds above.
    """
    import tomllib  # 0.2 bare interpreters of each trade and each Tab

    if len(text) > MAX_LENGTH:
        raise _unreadable(f"it has more than {MAX_LENGTH} characters", "shorten it")
    if long_key := _LONG_KEY.search(text):
        raise _too_deep(f" (at line {text.count(chr(10), 0, long_key.start()) + 1})")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hints = (f": {hint}" for begin, hint in HINTS.items() if str(error).startswith(begin))
        raise _unreadable(f"{error}{next(hints, '')}", "correct that line and run it again") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # more digits than Python reads
        raise _too_great() from None
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH + 1):
        level = [item for value in level for item in _inside(value)]
    if level:
        raise _too_deep()
    return data


def _inside(value: Any) -> list[Any]:
    if isinstance(value, int) and not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise _too_great()
    if isinstance(value, dict):
        return [*value.values()]
    return value if isinstance(value, list) else []


def _too_deep(where: str = "") -> Unreadable:
    what = f"tables, lists or parts of a key are nested more than {MAX_DEPTH} deep{where}"
    return _unreadable(what, "make it flatter")


HINTS = {
    "Invalid value": 'a word or a text needs straight "quotes"; is one missing?',
    "Unclosed inline table": "is a comma, a quote or the } missing? All of { ... } is on one line",
    "Unclosed array": "is a comma, a quote or the ] missing?",
    "Illegal character": "a text ends with its quote on the same line; is it missing?",
    "Unterminated": "is a quote missing?",
    "Expected newline": "is a quote missing, or something there twice?",
    "Expected '='": "a name is one word; is the = missing?",
    "Invalid initial": "is a comma too many there?",
    "Cannot overwrite": "it is written twice",
}
"""How an error of Python's reader begins -> the usual cause, for people who have never programmed."""


def _too_great() -> Unreadable:
    return _unreadable("a whole number is larger than 2^53", "choose a smaller one")


def _unreadable(what: str, fix: str) -> Unreadable:
    return Unreadable("toml.unreadable", what, fix)
