"""Times as hosts type and read them: stored in UTC, shown in the match's zone. Unreadable times are never guessed.

    TIME  = [DAY] CLOCK | "now" | SPAN "ago" | "in" SPAN
    DAY   = "today" | "yesterday" | "tomorrow" | WEEKDAY | [WEEKDAY] DATE
    DATE  = 2026-10-24 | 24.10. | 24.10.2026 | 24 Oct | Oct 24 | 24 October 2026
    CLOCK = 9:50 | 09:50:30 | 9pm | 9:50 pm
    SPAN  = see games/spans.py

Names are English, in full or cut to three letters. ISO 8601, `<t:...>`, and a Discord message link or id work too.
A weekday, or a date without a year, is the nearest past one; for a deadline, the nearest future one. Source:
docs/commands.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from events import MAX_INSTANT, snowflake_ms, write_instant
from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import shown
from games.spans import HOUR, SECOND, read_span, show_span

# ---- the grammar: text alone, no zone and no present instant ---------------------------------------------------------

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _names_pattern(names: tuple[str, ...]) -> str:
    return "|".join(f"{name[:3]}(?:{name[3:]})?" for name in names)


_MONTH = rf"(?:{_names_pattern(MONTHS)}|Sept)"
_TIME = rf"""(?ix)(?:(?P<near>today|yesterday|tomorrow)\s+
    |(?:(?P<weekday>{_names_pattern(WEEKDAYS)}),?\s+)?
     (?:(?P<y1>[0-9]{{4}})-(?P<m1>[0-9]{{1,2}})-(?P<d1>[0-9]{{1,2}}),?\s+
       |(?P<d2>[0-9]{{1,2}})\.\s?(?P<m2>[0-9]{{1,2}})(?:\.(?:\s?(?P<y2>[0-9]{{4}}))?)?,?\s+
       |(?P<d3>[0-9]{{1,2}})\.?\s+(?P<m3>{_MONTH})\.?(?:,?\s+(?P<y3>[0-9]{{4}}))?,?\s+
       |(?P<m4>{_MONTH})\.?\s+(?P<d4>[0-9]{{1,2}})(?:,?\s+(?P<y4>[0-9]{{4}}))?,?\s+)?
    )(?P<hour>[0-9]{{1,2}})(?::(?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}}))?)?(?:\s*(?P<half>[ap])\.?m\.?)?"""


class DayAndClock(NamedTuple):
    """A day and a clock as typed; whether that time exists depends on the zone."""

    near: int | None
    weekday: int | None
    """0 is Monday. With a date: the weekday typed in front of it."""
    date: tuple[int | None, int, int] | None
    """Year (None: not typed), month, day."""
    clock: tuple[int, int, int]


def read_words(typed: str) -> DayAndClock | None:
    """Read a day and a clock; None for anything else.

    Raises:
        Unreadable: `time.ambiguous`, in a date with slashes it is unclear which number is the month.

    >>> read_words("sat 9:50pm")
    DayAndClock(near=None, weekday=5, date=None, clock=(21, 50, 0))
    >>> read_words("24.10. 9:50").date, read_words("October 24, 2026 9:50").date
    ((None, 10, 24), (2026, 10, 24))
    """
    if matched := re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})(/[0-9]{2,4})?\b(.*)", typed):
        numbers, year = (int(matched[1]), int(matched[2])), (matched[3] or "").replace("/", " ")
        readings = [
            f"{day} {MONTHS[month - 1][:3]}{year} {matched[4].strip() or '18:42'}"
            for day, month in dict.fromkeys([numbers, numbers[::-1]])
            if 1 <= month <= 12 and 1 <= day <= 31
        ]
        problem = "has a date with slashes, which hl does not read"
        if len(readings) > 1:
            problem = "does not say which number is the month"
        raise Unreadable("time.ambiguous", f"{shown(typed)} {problem}", " or ".join(readings) or "24 Oct 18:42")
    matched = re.fullmatch(_TIME, typed)
    if matched is None or not (matched["minute"] or matched["half"]):
        return None
    groups = {name: value for name, value in matched.groupdict().items() if value is not None}
    hour = int(groups["hour"])
    if half := groups.get("half"):
        hour = hour % 12 + 12 * (half.lower() == "p") if 1 <= hour <= 12 else 24
    day = next((name for name in groups if name[0] == "d"), None)
    date = None
    if day is not None:
        name, year = groups[f"m{day[1]}"], groups.get(f"y{day[1]}")
        month = int(name) if name.isdigit() else _place_in(MONTHS, name) + 1
        date = (None if year is None else int(year), month, int(groups[day]))
    weekday = _place_in(WEEKDAYS, groups["weekday"]) if "weekday" in groups else None
    near = ("yesterday", "today", "tomorrow").index(groups["near"].lower()) - 1 if "near" in groups else None
    return DayAndClock(near, weekday, date, (hour, int(groups.get("minute", 0)), int(groups.get("second", 0))))


def _place_in(names: tuple[str, ...], typed: str) -> int:
    return [name[:3].lower() for name in names].index(typed[:3].lower())


def read_ago(typed: str) -> int | None:
    """The distance from now, in ms, of `now`, `2h ago`, `in 6h`, `-20m` and `+6h`; None for anything else.

    >>> read_ago("2h ago"), read_ago("in 90 min"), read_ago("-20m"), read_ago("now"), read_ago("6h")
    (-7200000, 5400000, -1200000, 0, None)
    """
    lowered = typed.lower()
    if lowered == "now":
        return 0
    if lowered.startswith("in "):
        return read_span(lowered.removeprefix("in ").strip())
    if lowered.endswith(" ago"):
        span = read_span(lowered.removesuffix("ago").strip())
        return None if span is None else -span
    span = read_span(lowered[1:]) if lowered[:1] in ("+", "-") and not lowered[1:2].isspace() else None
    return span if span is None or lowered[0] == "+" else -span


# ---- times in a zone -------------------------------------------------------------------------------------------------

_MESSAGE_ID = r"[0-9]{15,20}"
_LINK = (
    r"<?https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/channels/(?:[0-9]{1,20}|@me)/[0-9]{1,20}/([0-9]{15,20})/?>?"
)
_ISO = (
    r"(?i)([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3})[0-9]*)?)?"
    r"\s*(Z|[+-][0-9]{2}:?[0-5][0-9])?"
)
_OFFSET = r"(?:(?:GMT|UTC)[ ]?)?([+\u2212-])([0-9]{1,2})(?::?([0-5][0-9]))?|GMT|UTC|Z"
"""An offset as forms and spreadsheets write it: `GMT+2`, `UTC+02:00`, `+0200`, `GMT`, `Z`."""
_ABBREVIATIONS = (
    r"(?:WET|WEST|BST|IST|CET|CEST|EET|EEST|MSK|EST|EDT|CST|CDT|MST|MDT|PST|PDT|AKST|AKDT|HST|JST|KST|AEST|AEDT|ACST"
    r"|AWST|NZST|NZDT|SAST)"
)
"""Names of winter and summer times. None is an offset by itself; its meaning depends on the zone."""
_ZONE = r"[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*"
"""Names in the time zone database. Other names (`localtime`) may mean different zones on different machines."""
PASSED = 18 * HOUR
"""A typed time of day that is further ahead than this may be a slip: it passed less than six hours ago."""
ZONES = (
    "UTC GMT Z BST IST WET WEST CET CEST MEZ MESZ EET EEST MSK EST EDT ET CST CDT CT MST MDT MT PST PDT PT AKST AKDT"
    " HST AST ADT NST JST KST HKT SGT AEST AEDT ACST AWST NZST NZDT"
)
"""Short names of zones, which a typed time may not have: some of them mean several."""
HELP, ENDS = (
    f"one of: 18:42, {words}, sat 09:50, 24 Oct 9:50, 2026-11-20T18:42+01:00, <t:...>, or a message link"
    for words in ("yesterday 18:42, -20m", "+20m, in 20m")
)


class MessageLink(NamedTuple):
    """A Discord message: its time to the millisecond, and its link as evidence."""

    id: str
    at: int
    evidence: str


def read_message(typed: str) -> MessageLink:
    """Read a message link or id.

    Raises:
        Unreadable: `time.message`, the text is neither.
    """
    text = typed.strip()
    link = re.fullmatch(_LINK, text)
    number = link[1] if link else text
    if not is_message_id(number):
        what = f"{shown(typed)} is not a message link or id"
        raise Unreadable("time.message", what, "right-click the message, Copy Message Link")
    return MessageLink(number, snowflake_ms(int(number)), text.strip("<>"))


def is_message_id(number: str) -> bool:
    """Whether `number` can be the id of a Discord message."""
    return bool(re.fullmatch(_MESSAGE_ID, number)) and int(number) < 2**63


def message_id(evidence: str) -> str:
    """The id at the end of a link that is kept as evidence."""
    return evidence.rstrip("/").rsplit("/", 1)[-1]


def read_time(typed: str, *, now: int, zone: str, future: bool = False) -> int:
    """Read a typed time; return milliseconds.

    Args:
        now: The present instant; `18:42` and `-20m` are counted from it.
        zone: The match's zone, for a time without offset.
        future: Whether a time after `now` is allowed (a deadline). An entry is never in the future.

    Raises:
        Unreadable: the time cannot be read, does not exist, exists twice, or is in the future.
    """
    text = typed.strip()
    if (shift := read_ago(text)) is not None:
        at = now + shift
    elif matched := re.fullmatch(r"<t:([0-9]{1,12})(?::[tTdDfFR])?>", text):
        at = int(matched[1]) * SECOND
    elif re.fullmatch(_LINK, text) or re.fullmatch(_MESSAGE_ID, text):
        at = read_message(text).at
    elif matched := re.fullmatch(_ISO, text):
        at = _iso(matched, typed, zone)
    elif day_and_clock := read_words(text):
        at = _nearest(day_and_clock, typed, now, zone, future)
    elif named := {*ZONES.split()}.intersection(text.upper().split()):
        what = f"{shown(typed)}: short names of zones, like {max(named)}, are not read; times are in {zone}"
        raise Unreadable("time.unreadable", what, f"the time in {zone}, or with its offset: 2026-11-20T18:42-05:00")
    else:
        raise Unreadable("time.unreadable", f"{shown(typed)} is not a time", ENDS if future else HELP)
    if not 0 <= at <= MAX_INSTANT:
        raise Unreadable("time.unreadable", f"{shown(typed)} is outside the years 1970 to 9999", HELP)
    if at > now and not future:
        clock = re.fullmatch(r"(?:today )?(\d{1,2}(?::\d\d){0,2}(?: ?[ap]m)?)", text.lower())
        fix = f'"yesterday {clock[1]}"' if clock else HELP
        raise Unreadable("time.future", f"{shown(typed)} is in the future ({show_time(at, zone)})", fix)
    return at


def read_end(typed: str, *, now: int, zone: str, present: int) -> str:
    """Read a typed end: an instant, or a distance (`ParseContext.end`).

    Args:
        now: The moment of the entry, ms. A day before it is no end, so `yesterday` counts from `present`.

    Raises:
        Unreadable: as `read_time`.
    """
    text = typed.strip().lower()
    if (shift := read_ago(text)) is not None and text.startswith(("+", "-", "in ")):
        return f"in {shift}" if text.startswith("in ") else f"{shift:+}"
    if re.fullmatch(r"[\d.,]+ ?[a-z]+", text) and read_ago(f"+{text}") is not None:
        what = f"{shown(typed)} may be counted from now or from the end as it is"
        raise Unreadable("time.unreadable", what, f'+{text} moves the end; "in {text}" counts from now')
    words = read_words(text)
    end = read_time(typed, now=present if words and words.near == -1 else now, zone=zone, future=True)
    is_clock = words is not None and words[:3] == (None, None, None)
    if is_clock and end - now > PASSED and _local(end, zone).date() != _local(now, zone).date():
        raise Unreadable("time.unreadable", f"{shown(typed)} has passed today", f'"tomorrow {text}"')
    return write_instant(end)


def is_complete(typed: str) -> bool:
    return re.fullmatch(_ISO, typed.strip()) is not None


def _nearest(day_and_clock: DayAndClock, typed: str, now: int, zone: str, future: bool) -> int:
    """The nearest past time in the zone with this day and clock, or with `future` the nearest future one."""
    days = _days(day_and_clock, _local(now, zone).date(), future)
    for day in days:
        parts = (day.year, day.month, day.day, *day_and_clock.clock)
        readings = [_ms(reading) for reading in _readings(typed, zone, *parts)]
        if len(days) > 1 and not any(at > now if future else at <= now for at in readings):
            continue
        if day_and_clock.weekday is not None and day.weekday() != day_and_clock.weekday:
            is_a, not_a = WEEKDAYS[day.weekday()], WEEKDAYS[day_and_clock.weekday]
            message = f"{day.day} {MONTHS[day.month - 1]} {day.year} is a {is_a}, not a {not_a}"
            raise Unreadable("time.weekday", message, "type the date alone")
        return _to_ms(typed, zone, *parts, 0)
    raise Unreadable("time.unreadable", f"{shown(typed)} is not a date and time that exists", HELP)


def _days(words: DayAndClock, today: date, future: bool) -> list[date]:
    """The days that the words allow, nearest first; a single day if they are unambiguous."""
    step = 1 if future else -1
    days: list[date] = []
    if words.date is not None:
        year, month, day = words.date
        for candidate_year in range(today.year, today.year + 9 * step, step) if year is None else (year,):
            with suppress(ValueError):  # 29 February, and dates that never exist
                days.append(date(candidate_year, month, day))
        return days
    shift, next_shift = words.near or 0, int(future and words.near is None)
    if words.weekday is not None:
        shift, next_shift = (words.weekday - today.weekday()) * step % 7 * step, 7 * step
    with suppress(OverflowError):  # the ends of the calendar
        days.append(today + timedelta(days=shift))
        if next_shift:
            days.append(days[0] + timedelta(days=next_shift))
    return days


def _iso(matched: re.Match[str], typed: str, zone: str) -> int:
    parts = [int(matched[i] or 0) for i in range(1, 7)]
    ms = int((matched[7] or "0").ljust(3, "0"))
    if not matched[8]:
        return _to_ms(typed, zone, *parts, ms)
    offset = matched[8].upper().replace(":", "")
    try:
        shift = timedelta() if offset == "Z" else timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5]))
        zone_of_offset = timezone(-shift if offset[0] == "-" else shift)
        return _ms(datetime(*parts, tzinfo=zone_of_offset)) + ms  # type: ignore[misc,arg-type]
    except (ValueError, OverflowError):
        raise Unreadable("time.unreadable", f"{shown(typed)} is not a date and time that exists", HELP) from None


def read_local(typed: str, form: str, zone: str, now: int) -> int | None:
    """Read a time in a `strptime` format (or `iso`), in `zone` unless it has an offset; None if it does not fit.

    For `%z` the offset may also be written as forms do: `GMT+2`, `UTC+02:00`. An offset that the format itself spells
    out (`GMT+1`, `Z`, `CEST`) must be the offset of the zone at that time.

    Raises:
        Unreadable: `time.skipped`, `time.twice`, `import.time`, and for `iso` as `read_time`.
    """
    if form == "iso":
        text = _with_plain_offset(typed)
        return read_time(text, now=now, zone=zone, future=True) if re.fullmatch(_ISO, text) else None
    plain_form = re.sub(r"(?i)(?:GMT|UTC) ?%z", "%z", form)
    readable = [(typed, form)]
    if "%z" in form:
        readable.append((_with_plain_offset(typed), plain_form))
    for text, written_as in readable:
        try:
            moment = datetime.strptime(text, written_as)  # noqa: DTZ007 - the zone is put on below
            break
        except ValueError:
            continue
    else:
        return None
    ms = moment.microsecond // 1000
    if moment.tzinfo is not None:
        return _ms(moment.replace(microsecond=0)) + ms
    parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    if literal := _offset_in(form):
        return _as_spelled_out(typed, literal, zone, *parts) + ms
    return _to_ms(typed, zone, *parts, ms)


def _with_plain_offset(typed: str) -> str:
    """The text with its offset rewritten as in ISO 8601, if the offset is at the end or begins with GMT or UTC."""

    def plain(found: re.Match[str]) -> str:
        return f" {_plain_offset(found)}"

    at_end = re.sub(rf"(?i)(?<=[0-9m])[ ]?(?:{_OFFSET})$", plain, typed.strip())
    return re.sub(rf"(?i)[ ]?\b(?=GMT|UTC)(?:{_OFFSET})(?![A-Za-z0-9])", plain, at_end).strip()


def _plain_offset(found: re.Match[str]) -> str:
    sign, hours, minutes = found.groups()[-3:]
    return f"{'-' if sign == chr(0x2212) else sign}{int(hours):02}:{minutes or '00'}" if sign else "+00:00"


def _offset_in(form: str) -> str:
    """The offset, or name of a winter or summer time, that a format spells out; "" if there is none."""
    literal = re.sub("%.", "\0", form)
    found = re.search(rf"(?<![A-Za-z])(?:{_OFFSET})(?![A-Za-z0-9])", literal)
    if found and (found.group().isalpha() or found.group()[0].isalpha() or found.end() == len(literal)):
        return found.group()
    return next((name for name in re.findall("[A-Z]+", literal) if re.fullmatch(_ABBREVIATIONS, name)), "")


def _as_spelled_out(typed: str, literal: str, zone: str, *parts: int) -> int:
    """A local time, in ms, whose format spells out an offset, which the zone must have at that time."""
    zone_info = read_zone(zone)
    for reading in _readings(typed, zone, *parts):
        local = reading.astimezone(zone_info)
        found = re.fullmatch(_OFFSET, literal)
        has = local.tzname() if found is None else f"{local:%z}"
        if has == (literal if found is None else _plain_offset(found).replace(":", "")):
            return _ms(reading)
    fix = f"write %z in the format where it says {literal}; or correct the zone of the map"
    raise Unreadable("import.time", f"{shown(typed)}: the format says {literal}, which {zone} does not have then", fix)


def _readings(typed: str, zone: str, *parts: int) -> list[datetime]:
    """The two readings of a local date and time, in UTC. They differ only at a change of the clocks."""
    try:
        naive = datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001 - the zone is put on below
    except ValueError:
        raise Unreadable("time.unreadable", f"{shown(typed)} is not a date and time that exists", HELP) from None
    zone_info = read_zone(zone)
    try:
        return [naive.replace(tzinfo=zone_info, fold=fold).astimezone(UTC) for fold in (0, 1)]
    except OverflowError:
        raise Unreadable("time.unreadable", f"{shown(typed)} is outside the years 1970 to 9999", HELP) from None


def _to_ms(typed: str, zone: str, *parts: int) -> int:
    """Local date and time -> ms. A time that a clock change skips or repeats is refused, and both readings named."""
    *fields, ms = parts
    readings, zone_info = _readings(typed, zone, *fields), read_zone(zone)
    naive = datetime(*fields)  # type: ignore[arg-type]  # noqa: DTZ001 - local time, as typed
    if readings[0] == readings[1]:
        return _ms(readings[0]) + ms
    precision = "milliseconds" if ms else "seconds" if naive.second else "minutes"
    readings = [reading.replace(microsecond=1000 * ms) for reading in readings]
    local_times = [reading.astimezone(zone_info).isoformat(timespec=precision) for reading in readings]
    if readings[0].astimezone(zone_info).replace(microsecond=0, tzinfo=None) != naive:
        later, earlier = local_times
        what = f"{shown(typed)} does not exist in {zone}: the clocks jump over it"
        raise Unreadable("time.skipped", what, f"{earlier} or {later}")
    raise Unreadable("time.twice", f"{shown(typed)} happens twice in {zone}", " or ".join(local_times))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp()) * SECOND


def check_zone(zone: str) -> None:
    """Check that a typed zone is in the time zone database, which is the same on every machine.

    Raises:
        Unreadable: `time.zone`.
    """
    if not re.fullmatch(_ZONE, zone):
        raise _no_zone(zone)
    read_zone(zone)


def _no_zone(zone: str) -> Unreadable:
    from zoneinfo import available_timezones  # as in `read_zone`

    place = zone.lower().replace(" ", "_")
    meant = sorted(name for name in available_timezones() if name.lower().split("/")[-1] == place)
    fix = f"did you mean {' or '.join(meant)}?" if meant else "write it like Europe/Berlin, America/New_York or UTC"
    return Unreadable("time.zone", f"there is no time zone {shown(zone)}", fix)


def read_zone(zone: str) -> tzinfo:
    """The zone of that name.

    Raises:
        Unreadable: `time.zone`, this machine does not know it.
    """
    if zone == "UTC":
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # 0.2 bare interpreters of each Tab

    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _no_zone(zone) from None


def _local(at: int, zone: str) -> datetime:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(at, MAX_INSTANT))
    try:
        return moment.astimezone(read_zone(zone))
    except OverflowError:  # the last hours of 9999 are past the calendar in zones east of UTC
        return moment


def show_time(at: int, zone: str) -> str:
    """`2026-11-20 19:10:12 CET`: the instant in the match's zone, to the second."""
    moment = _local(at, zone)
    return f"{moment:%Y-%m-%d %H:%M:%S} {moment.tzname() or ''}".rstrip()


def show_clock(at: int, zone: str, *, seconds: bool = False) -> str:
    """`Fri 20 Nov 19:10`: short, for lists, and the same in every locale."""
    moment = _local(at, zone)
    clock = f"{moment:%H:%M:%S}" if seconds else f"{moment:%H:%M}"
    return f"{WEEKDAYS[moment.weekday()][:3]} {moment.day:>2} {MONTHS[moment.month - 1][:3]} {clock}"


def show_day(at: int, zone: str) -> str:
    moment = _local(at, zone)
    clock = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    day = f"{WEEKDAYS[moment.weekday()]} {moment.day} {MONTHS[moment.month - 1]} {moment.year}"
    return f"{day}, {clock} {moment.tzname() or ''}".rstrip()


def show_end(at: int, now: int, zone: str) -> str:
    """`at 19:10:30` if less than an hour away, where the day is obvious; else as `show_day`."""
    return f"at {_local(at, zone):%H:%M:%S}" if abs(at - now) < HOUR else show_day(at, zone)


def crowded(times: Iterable[int]) -> bool:
    """Whether two different instants (ms) fall within one minute, so that a list of them must show seconds."""
    minutes: dict[int, int] = {}
    return any(minutes.setdefault(at // 60_000, at) != at for at in times)


def clock_change(start: int, end: int, zone: str) -> str:
    """The change of a zone's clocks between two instants (ms): `the clocks go back 1 h`, or ""."""
    before, after = _local(start, zone).utcoffset(), _local(end, zone).utcoffset()
    if before is None or after is None or before == after:
        return ""
    moved = round((after - before).total_seconds()) * SECOND
    return f"the clocks go {'forward' if moved > 0 else 'back'} {show_span(abs(moved))}"
