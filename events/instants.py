"""Instants: whole milliseconds since 1970 UTC in memory, 24 fixed characters in the log.

Source: docs/log-format.md section 5.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import NewType

Instant = NewType("Instant", int)
"""Milliseconds since 1970 UTC, a plain int in memory. The JSON writer recognises it by the field's annotation."""
DISCORD_EPOCH = 1_420_070_400_000
_FIRST_DAY = datetime(1970, 1, 1)  # noqa: DTZ001 - an instant is in UTC, and has no zone
MAX_INSTANT = 253_402_300_799_999
"""The last instant that can be written: 9999-12-31T23:59:59.999Z."""
_FORM = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-5][0-9])\.([0-9]{3})Z")
_SECONDS = {f"{n:02d}.": n * 1000 for n in range(60)}
_minutes: dict[str, int] = {}  # "2026-11-20T18:10:" -> its ms; entries of one evening share their minutes
_millis: dict[str, int] = {}  # "012Z" -> 12, for every value read so far


def read_instant(text: str) -> Instant:
    """Parse an instant as the log writes it, into milliseconds since 1970.

    Args:
        text: Exactly `YYYY-MM-DDTHH:MM:SS.mmmZ`, a real date in the years 1970 to 9999, no leap second.

    Raises:
        ValueError: The text has another spelling, or the date does not exist.

    >>> read_instant("1970-01-02T00:00:00.001Z")
    86400001
    """
    try:
        return _minutes[text[:17]] + _SECONDS[text[17:20]] + _millis[text[20:]]  # type: ignore[return-value]  # each entry
    except KeyError:
        return _read_new(text)


def _read_new(text: str) -> Instant:
    """`read_instant` for a text that is not an instant, or whose minute or milliseconds are not cached yet."""
    if (form := _FORM.fullmatch(text)) is None:
        raise ValueError(f"not an instant like 2026-11-20T18:10:12.000Z: {text[:40]!a}")
    year, month, day, hour, minute, second, millis = map(int, form.groups())
    if year < 1970 or not 1 <= month <= 12 or hour > 23 or minute > 59:
        raise ValueError(f"no such moment: {text}")
    try:
        days = date(year, month, day).toordinal() - _FIRST_DAY.toordinal()
    except ValueError:
        raise ValueError(f"no such date: {text[:10]}") from None
    if len(_minutes) >= 4096:
        _minutes.clear()
    start = _minutes[text[:17]] = days * 86_400_000 + hour * 3_600_000 + minute * 60_000
    _millis[text[20:]] = millis
    return Instant(start + second * 1000 + millis)


def write_instant(ms: int) -> str:
    """Write an instant in its 24 characters.

    Args:
        ms: Milliseconds since 1970 UTC, 0 to 253402300799999 (the end of the year 9999).

    Raises:
        ValueError: `ms` is outside these bounds.

    >>> write_instant(86400001)
    '1970-01-02T00:00:00.001Z'
    """
    if not 0 <= ms <= MAX_INSTANT:
        raise ValueError(f"an instant must be between 1970 and 9999: {ms} ms")
    return f"{(_FIRST_DAY + timedelta(milliseconds=ms)).isoformat(timespec='milliseconds')}Z"


def write_end(ms: int) -> str:
    """Like `write_instant`, for a computed end: an end after the year 9999 becomes the last instant of that year.

    >>> write_end(MAX_INSTANT + 1)
    '9999-12-31T23:59:59.999Z'
    """
    return write_instant(min(ms, MAX_INSTANT))


def later(at: Instant, ms: int) -> Instant:
    """The instant `ms` milliseconds after `at`, or before it when `ms` is negative."""
    return Instant(at + ms)


def snowflake_ms(message_id: int) -> Instant:
    """The instant at which a Discord message was sent, taken from its id.

    Args:
        message_id: The id, 0 to 2^64 - 1.

    Raises:
        ValueError: `message_id` is outside these bounds.

    >>> write_instant(snowflake_ms(175928847299117063))
    '2016-04-30T11:18:25.796Z'
    """
    if not 0 <= message_id < 1 << 64:
        raise ValueError(f"not a Discord id: {message_id}")
    return Instant((message_id >> 22) + DISCORD_EPOCH)
