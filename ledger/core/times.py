"""Times as hosts type and read them. Stored: UTC. Shown: the match's zone. Unreadable times are refused, never guessed.

Accepted: ISO 8601 with offset, `18:42`, `yesterday 18:42`, `-20m`, `+6h` (where the future is meant), `<t:...>`,
a Discord message link or id. Source: design section 6.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from events import LATEST, snowflake_ms
from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import shown

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

SECOND = 1000
UNITS = {"s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND, "d": 86_400 * SECOND}
_SHIFT = re.compile(r"([+-])((?:[0-9]{1,6}[smhd])+)")
_STAMP = re.compile(r"<t:([0-9]{1,12})(?::[tTdDfFR])?>")
MESSAGE_ID = re.compile(r"[0-9]{15,20}")
_LINK = re.compile(
    r"<?https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/channels/(?:[0-9]{1,20}|@me)/[0-9]{1,20}/([0-9]{15,20})/?>?"
)
_CLOCK = re.compile(r"(?:(yesterday|today)\s+)?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?", re.IGNORECASE)
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3})[0-9]*)?)?"
    r"\s*(Z|[+-][0-9]{2}:?[0-5][0-9])?",
    re.IGNORECASE,
)
_ZONE = re.compile(r"[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")
"""Names of the time zone database. What else a machine may know (`localtime`) is another zone on another machine."""
HELP = "18:42, yesterday 18:42, -20m, 2026-11-20T18:42+01:00, <t:...>, or a message link"


class Message(NamedTuple):
    """A Discord message: a clock to the millisecond, and the evidence."""

    id: str
    at: int
    evidence: str


def read_message(typed: str) -> Message:
    """A message link or id.

    Raises:
        Unreadable: `time.message`, when it is neither.
    """
    word = typed.strip()
    found = _LINK.fullmatch(word)
    number = found[1] if found else word
    if not MESSAGE_ID.fullmatch(number) or int(number) >= 2**63:
        raise Unreadable(
            "time.message", f"{shown(typed)} is no message link or id", "right-click the message, Copy Message Link"
        )
    return Message(number, snowflake_ms(int(number)), word.strip("<>"))


def message_id(evidence: str) -> str:
    """The id at the end of a link that was kept as evidence."""
    return evidence.rstrip("/").rsplit("/", 1)[-1]


def read_time(typed: str, *, now: int, zone: str, future: bool = False) -> int:
    """A time as typed, in milliseconds.

    Args:
        now: The present instant; `18:42` and `-20m` are counted from it.
        zone: The match's zone, in which a time without offset is meant.
        future: Is a time after now allowed (a deadline)? An entry is never in the future.

    Raises:
        Unreadable: it cannot be read, does not exist, exists twice, or lies in the future.
    """
    word = typed.strip()
    if found := _SHIFT.fullmatch(word):
        sign = 1 if found[1] == "+" else -1
        at = now + sign * sum(int(n) * UNITS[unit] for n, unit in re.findall(r"([0-9]+)([smhd])", found[2]))
    elif found := _STAMP.fullmatch(word):
        at = int(found[1]) * SECOND
    elif _LINK.fullmatch(word) or MESSAGE_ID.fullmatch(word):
        at = read_message(word).at
    elif found := _CLOCK.fullmatch(word):
        at = _clock(found, typed, now, zone, future)
    elif found := _ISO.fullmatch(word):
        at = _iso(found, typed, zone)
    else:
        raise Unreadable("time.unreadable", f"{shown(typed)} is not a time", HELP)
    if not 0 <= at <= LATEST:
        raise Unreadable("time.unreadable", f"{shown(typed)} is outside the years 1970 to 9999", HELP)
    if at > now and not future:
        raise Unreadable(
            "time.future", f"{shown(typed)} lies in the future ({show_time(at, zone)})", _earlier(typed) or HELP
        )
    return at


def _earlier(typed: str) -> str:
    return f'--at "yesterday {typed.strip()}"' if re.fullmatch(r"\d{1,2}:\d\d(:\d\d)?", typed.strip()) else ""


def _clock(found: re.Match[str], typed: str, now: int, zone: str, future: bool) -> int:
    from datetime import timedelta

    day = _local(now, zone)
    if (found[1] or "").lower() == "yesterday":
        day -= timedelta(days=1)
    at = _join(typed, zone, day.year, day.month, day.day, int(found[2]), int(found[3]), int(found[4] or 0), 0)
    if at <= now and future and found[1] is None and now <= LATEST - UNITS["d"]:
        day += timedelta(days=1)
        at = _join(typed, zone, day.year, day.month, day.day, int(found[2]), int(found[3]), int(found[4] or 0), 0)
    return at


def _iso(found: re.Match[str], typed: str, zone: str) -> int:
    parts = [int(found[i] or 0) for i in range(1, 7)]
    ms = int((found[7] or "0").ljust(3, "0"))
    if not found[8]:
        return _join(typed, zone, *parts, ms)
    from datetime import UTC, datetime, timedelta, timezone

    offset = found[8].upper().replace(":", "")
    try:
        shift = timedelta() if offset == "Z" else timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5]))
        if shift >= timedelta(hours=24):
            raise ValueError("offset")
        away = UTC if offset == "Z" else timezone(-shift if offset[0] == "-" else shift)
        return _ms(datetime(*parts, tzinfo=away)) + ms  # type: ignore[misc,arg-type]
    except (ValueError, OverflowError):
        raise Unreadable("time.unreadable", f"{shown(typed)} is no real date and time", HELP) from None


def read_local(typed: str, form: str, zone: str, now: int) -> int | None:
    """A time written in a form of `strptime` (or `iso`), in that zone unless it says its own; None: in another form.

    Raises:
        Unreadable: `time.skipped`, `time.twice`, and what `read_time` says of a time that is `iso`.
    """
    if form == "iso":
        return read_time(typed, now=now, zone=zone, future=True) if _ISO.fullmatch(typed) else None
    from datetime import datetime

    try:
        moment = datetime.strptime(typed, form)  # noqa: DTZ007 - the zone is put on below
    except ValueError:
        return None
    ms = moment.microsecond // 1000
    if moment.tzinfo is not None:
        return _ms(moment.replace(microsecond=0)) + ms
    parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    return _join(typed, zone, *parts, ms)


def _join(typed: str, zone: str, *parts: int) -> int:
    """Local date and time -> ms; a time that a change of the clocks skips or repeats is refused with both readings."""
    from datetime import UTC, datetime

    *fields, ms = parts
    try:
        naive = datetime(*fields)  # type: ignore[arg-type]  # noqa: DTZ001 - the zone is put on below
    except ValueError:
        raise Unreadable("time.unreadable", f"{shown(typed)} is no real date and time", HELP) from None
    where = read_zone(zone)
    try:
        readings = [naive.replace(tzinfo=where, fold=fold).astimezone(UTC) for fold in (0, 1)]
    except OverflowError:
        raise Unreadable("time.unreadable", f"{shown(typed)} is outside the years 1970 to 9999", HELP) from None
    if readings[0] == readings[1]:
        return _ms(readings[0]) + ms
    exact = "milliseconds" if ms else "seconds" if naive.second else "minutes"
    readings = [reading.replace(microsecond=1000 * ms) for reading in readings]
    shown_as = [reading.astimezone(where).isoformat(timespec=exact) for reading in readings]
    if readings[0].astimezone(where).replace(microsecond=0, tzinfo=None) != naive:
        later, earlier = shown_as
        raise Unreadable(
            "time.skipped", f"{shown(typed)} does not exist in {zone}: the clocks jump over it", f"{earlier} or {later}"
        )
    raise Unreadable("time.twice", f"{shown(typed)} happens twice in {zone}", " or ".join(shown_as))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp()) * SECOND


def check_zone(zone: str) -> None:
    """A zone as typed is one of the time zone database: any machine knows the same.

    Raises:
        Unreadable: `time.zone`.
    """
    if not _ZONE.fullmatch(zone):
        raise _no_zone(zone)
    read_zone(zone)


def _no_zone(zone: str) -> Unreadable:
    what = f"there is no time zone {shown(zone)}"
    return Unreadable("time.zone", what, "write it like Europe/Berlin, America/New_York or UTC")


def read_zone(zone: str) -> tzinfo:
    """The zone of that name.

    Raises:
        Unreadable: `time.zone`, when this machine does not know it.
    """
    if zone == "UTC":
        from datetime import UTC

        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _no_zone(zone) from None


def _local(at: int, zone: str) -> datetime:
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(at, LATEST))
    try:
        return moment.astimezone(read_zone(zone))
    except OverflowError:  # the last hours of the year 9999 are in no calendar further east
        return moment


def show_time(at: int, zone: str) -> str:
    """`2026-11-20 19:10:12 CET`: the instant in the match's zone, to the second."""
    moment = _local(at, zone)
    return f"{moment:%Y-%m-%d %H:%M:%S} {moment.tzname() or ''}".rstrip()


def show_clock(at: int, zone: str) -> str:
    """`Fri 20 Nov 19:10`: short, for lists; the same in every locale."""
    moment = _local(at, zone)
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{days[moment.weekday()]} {moment.day:>2} {months[moment.month - 1]} {moment:%H:%M}"


def show_span(ms: int) -> str:
    """A length of time in words, two parts at most.

    >>> show_span(90 * 60 * 1000), show_span(40_000)
    ('1 h 30 min', '40 s')
    """
    seconds = max(0, ms) // SECOND
    parts = [
        (seconds // 86_400, "d"),
        (seconds % 86_400 // 3600, "h"),
        (seconds % 3600 // 60, "min"),
        (seconds % 60, "s"),
    ]
    told = [f"{n} {unit}" for n, unit in parts if n]
    return " ".join(told[:2]) or "0 s"
