"""Lengths of time, read from what hosts, match files and games write, and written in words.

    SPAN = 90s | 3m | 6h | 1h30m | 1d12h | 2 days 3 hours | 20 min

In a file or a game, a plain number has the unit of its field, usually hours. The log keeps what was written.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TypeAlias

from games.kinds import count, shown

Length: TypeAlias = int | str
"""A length as it is written: a number in the unit of its field, or a text like `90m`."""
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
UNITS = {"d": ("day", DAY), "h": ("hour", HOUR), "m": ("minute", MINUTE), "s": ("second", SECOND)}
"""First letter -> the unit and its length, ms."""
SHORT = {"day": "d", "hour": "h", "minute": "min", "second": "s"}
PART = r"[0-9]{1,6}\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)"
SAMPLE = 'a number, or a text like "90s", "3m", "24h" or "1d12h"'


def read_span(typed: str) -> int | None:
    """A length of time in milliseconds; None for anything else.

    >>> read_span("1h30m"), read_span("2 days 3 hours"), read_span("6")
    (5400000, 183600000, None)
    """
    if not re.fullmatch(rf"(?i){PART}(?:\s*{PART})*", typed):
        return None
    return sum(int(n) * UNITS[unit.lower()][1] for n, unit in re.findall(r"([0-9]+)\s*([a-zA-Z])", typed))


def span(length: Length, unit: int = HOUR) -> int:
    """A length in milliseconds; `unit` is what a plain number counts, ms.

    Raises:
        ValueError: it cannot be read. Settings and match files are checked earlier.

    >>> span(24) == span("24h"), span("3m"), span(90, SECOND)
    (True, 180000, 90000)
    """
    ms = length * unit if isinstance(length, int) else read_span(length)
    if ms is None:
        raise ValueError(f"{shown(str(length))} is no length of time: {SAMPLE}")
    return ms


def fault(value: object, least: int, most: int, unit: int) -> str | None:
    """What is wrong with a length, or None.

    A text may be shorter than the least number, down to a second; no length at all is fine only if `least` is 0.

    >>> fault("3m", 1, 1440, HOUR), fault("61d", 1, 1440, HOUR)
    (None, 'must be at most 1440 hours')
    """
    plural = next(name for name, ms in UNITS.values() if ms == unit) + "s"
    ms = value * unit if type(value) is int else read_span(value) if isinstance(value, str) else None
    if ms is None:
        return f'must be a length of time: a number of {plural}, or a text like "90s", "3m" or "1d12h"'
    if ms > most * unit:
        return f"must be at most {most} {plural}"
    if type(value) is int and value < least:
        return f"must be at least {least}"
    return "must be at least a second" if least and not ms else None


def in_hours(key: str, names: Container[str]) -> str:
    """What to write instead of a key like `trading_minutes`; "" for any other key.

    >>> in_hours("trading_minutes", ("trading_hours",)), in_hours("minutes", ("start",))
    ('trading_hours = "3m"', '')
    """
    stem, _, unit = f"_{key}".rpartition("_")
    name, sample = f"{stem}_hours"[1:], {"seconds": "90s", "minutes": "3m", "days": "2d"}.get(unit)
    return f'{name} = "{sample}"' if sample and name in names else ""


def show_span(ms: int, *, most: int = 2, long: bool = False) -> str:
    """A length of time in words: at most `most` parts, the largest ones; `long` writes units out.

    >>> show_span(90 * 60 * 1000), show_span(40_000), show_span(90_000, long=True), show_span(72 * HOUR, long=True)
    ('1 h 30 min', '40 s', '1 minute 30 seconds', '3 days')
    """
    rest, parts = max(0, ms), list[str]()
    for name, length in UNITS.values():
        number, rest = divmod(rest, length)
        if number:
            parts.append(count(number, name) if long else f"{number} {SHORT[name]}")
    return " ".join(parts[:most]) or ("0 seconds" if long else "0 s")


def in_words(length: Length, unit: int = HOUR) -> str:
    """A length in words for a sentence.

    >>> in_words(72), in_words("90m"), in_words("3m")
    ('72 hours', '1 hour 30 minutes', '3 minutes')
    """
    if isinstance(length, int):
        return count(length, next(name for name, ms in UNITS.values() if ms == unit))
    return show_span(span(length, unit), most=4, long=True)
