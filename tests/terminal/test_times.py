"""Times as hosts type them: every form, every refusal, and every change of the clocks in every zone.

Source: docs/commands.md (times are never guessed); what a day is in a zone: the time zone database of this machine.
"""

from __future__ import annotations

import itertools
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

import pytest

from events import write_instant
from events.errors import Unreadable
from ledger.core import times
from tests.support.sizes import FULL, log_number

NOW = 1_795_201_812_000
"""2026-11-20 19:10:12 UTC, 20:10:12 in Berlin."""
BERLIN = "Europe/Berlin"
SECOND, HOUR, DAY = 1000, 3_600_000, 86_400_000


def read(typed: str, zone: str = "UTC", *, now: int = NOW, future: bool = False) -> str:
    return write_instant(times.read_time(typed, now=now, zone=zone, future=future))


def refused(typed: str, zone: str = "UTC", *, now: int = NOW, future: bool = True) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        times.read_time(typed, now=now, zone=zone, future=future)
    return caught.value


# ---- forms ---------------------------------------------------------------------------------------------------------


TIMES = """
18:42                          | 2026-11-20 17:42 | 2026-11-21 17:42
  9:05                         | 2026-11-20 08:05
20:10:12                       | 2026-11-20 19:10:12 | 2026-11-21 19:10:12
20:10:13                       | time.future "yesterday 20:10:13" ~ 2026-11-20 20:10:13 CET | 2026-11-20 19:10:13
22:10                          | time.future "yesterday 22:10"
11pm                           | time.future "yesterday 11pm"
12pm                           | 2026-11-20 11:00
12:30am                        | 2026-11-19 23:30
today 0:00                     | 2026-11-19 23:00
today 18:42                    | 2026-11-20 17:42 | 2026-11-20 17:42
today 11:05 PM                 | time.future "yesterday 11:05 pm"
yesterday 18:42                | 2026-11-19 17:42
yesterday 6pm                  | 2026-11-19 17:00
YESTERDAY  23:59:59            | 2026-11-19 22:59:59
tomorrow 18:00                 | time.future * | 2026-11-21 17:00
now                            | 2026-11-20 19:10:12
-20m                           | 2026-11-20 18:50:12
-1h30m                         | 2026-11-20 17:40:12
-1d2h3m4s                      | 2026-11-19 17:07:08
2h ago                         | 2026-11-20 17:10:12
90 min ago                     | 2026-11-20 17:40:12
1 day 2 hours ago              | 2026-11-19 17:10:12
in 6h                          | time.future * | 2026-11-21 01:10:12
in 1 day 30 minutes            | time.future * | 2026-11-21 19:40:12
+6h                            | time.future * | 2026-11-21 01:10:12
+1s                            | time.future one of: 18:42, yesterday*
2026-11-20T18:42+01:00         | 2026-11-20 17:42
2026-11-20 18:42-0330          | time.future * | 2026-11-20 22:12
2026-11-20T18:42:13.5Z         | 2026-11-20 18:42:13.500
2026-11-20t18:42:13.0625999 z  | 2026-11-20 18:42:13.062
2026-11-20 18:42               | 2026-11-20 17:42
2026-07-20 18:42               | 2026-07-20 16:42
2026-10-24 9:50                | 2026-10-24 07:50
2026-12-24 9:50                | time.future *
<t:1795201812>                 | 2026-11-20 19:10:12
<t:1795201812:F>               | 2026-11-20 19:10:12
fri 9:50                       | 2026-11-20 08:50 | 2026-11-27 08:50
fri 21:50                      | 2026-11-13 20:50 | 2026-11-20 20:50
Saturday, 09:50                | 2026-11-14 08:50 | 2026-11-21 08:50
SAT 9:50pm                     | 2026-11-14 20:50 | 2026-11-21 20:50
24.10. 9:50                    | 2026-10-24 07:50 | 2027-10-24 07:50
24.10 9:50                     | 2026-10-24 07:50 | 2027-10-24 07:50
24 Oct 9:50                    | 2026-10-24 07:50 | 2027-10-24 07:50
october 24, 9:50 am            | 2026-10-24 07:50 | 2027-10-24 07:50
20 Nov 21:50                   | 2025-11-20 20:50 | 2026-11-20 20:50
25.12. 12 am                   | 2025-12-24 23:00 | 2026-12-24 23:00
29 Feb 12:00                   | 2024-02-29 11:00 | 2028-02-29 11:00
24.10.2026 9:50:07             | 2026-10-24 07:50:07
24. 10. 2026 9:50              | 2026-10-24 07:50
Sat 24 Oct 2026 9:50           | 2026-10-24 07:50
Sept 1 2026 6 p.m.             | 2026-09-01 16:00
24 Dec 2026 9:50               | time.future *
Fri 24 Oct 2026 9:50           | time.weekday * ~ 24 October 2026 is a Saturday, not a Friday
10/11 9:50                     | time.ambiguous 10 Nov 9:50 or 11 Oct 9:50
3/4 18:00                      | time.ambiguous *
10/24/2026 9:50                | time.ambiguous 24 Oct 2026 9:50 ~ has a date with slashes
2026-03-29 02:30               | time.skipped 2026-03-29T01:30+01:00 or 2026-03-29T03:30+02:00
2026-03-29 02:30:15            | time.skipped 2026-03-29T01:30:15+01:00 or 2026-03-29T03:30:15+02:00
2026-10-25 02:30:15.5          | time.twice 2026-10-25T02:30:15.500+02:00 or 2026-10-25T02:30:15.500+01:00
"""
"""What is typed in Berlin on Friday 20 November 2026 at 20:10:12; what it means of an entry, and of a deadline: an
instant in UTC, worked out by hand (an hour behind Berlin in November, two in July), or a refusal: its code, what may be
typed instead, and behind `~` some words of it."""


@pytest.mark.parametrize(
    ("typed", "future", "means"),
    [
        (typed, future, means)
        for typed, *meant in (row.split("| ") for row in TIMES.strip("\n").splitlines())
        for future, means in zip((False, True), meant, strict=False)
    ],
)
def test_a_form_means_one_instant_or_is_refused_with_what_can_be_typed(typed: str, future: bool, means: str) -> None:
    """In the zone of the match; a weekday or a date without a year is the nearest one."""
    if means[:1].isdigit():
        instant = means.strip().replace(" ", "T")
        assert read(typed, BERLIN, future=future) == f"{instant}{'0000-00-00T00:00:00.000Z'[len(instant) :]}"
        return
    code, _, told = means.strip().partition(" ")
    fix, _, what = told.partition(" ~ ")
    found = refused(typed, BERLIN, future=future)
    assert found.code == code and fnmatchcase(found.fix, fix) and what in found.what, (found.fix, found.what)
    for word in found.fix.split(" or ") if found.fix[0] in '"0123456789' else ():
        assert read(word.strip('"'), BERLIN)


def test_a_message_is_a_clock_to_the_millisecond() -> None:
    """The time of an id is its upper 42 bits, from the first second of 2015. Source: Discord's documentation."""
    number = (NOW + 1 - 1_420_070_400_000) << 22 | 5
    for before in ("https://discord.com", "https://ptb.discord.com", "<https://canary.discordapp.com"):
        link = f"{before}/channels/@me/17/{number}"
        found = times.read_message(link + ">" * link.startswith("<"))
        assert (found.id, found.at, found.evidence) == (str(number), NOW + 1, link.strip("<"))
    assert times.read_message(f" {number} ").at == NOW + 1
    assert times.read_time(str(number), now=NOW + 1, zone=BERLIN) == NOW + 1
    for wrong in ("", "12345", "9" * 20, str(2**63), f"https://evil.example/channels/1/2/{number}", "٣" * 17):
        with pytest.raises(Unreadable) as caught:
            times.read_message(wrong)
        assert caught.value.code == "time.message"
    assert times.read_message(str(2**63 - 1)).at == ((2**63 - 1) >> 22) + 1_420_070_400_000


def test_the_nearest_one_of_a_repeated_hour_is_asked_about_and_not_skipped() -> None:
    """Sunday 25 October 2026 has 02:30 twice in Berlin: before it last Sunday is meant, then both are."""
    first, between = 1_792_888_200_000 - 1, 1_792_888_200_000 + HOUR // 2
    assert write_instant(first + 1) == "2026-10-25T00:30:00.000Z"
    assert read("sun 02:30", BERLIN, now=first) == "2026-10-18T00:30:00.000Z"
    for now, future in ((between, False), (between, True), (between + DAY, False)):
        assert refused("sun 02:30", BERLIN, now=now, future=future).code == "time.twice"
    assert read("sun 02:30", BERLIN, now=between + HOUR, future=True) == "2026-11-01T01:30:00.000Z"


def zones() -> list[str]:
    """Every zone of this machine; in the quick run one of those whose clocks went alike since 2024."""
    names = sorted(zoneinfo.available_timezones() - {"localtime"})
    if not names:
        pytest.skip("this machine has no time zone database")
    days = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(0, 5 * 366, 7)]
    alike = {tuple(day.astimezone(zoneinfo.ZoneInfo(name)).utcoffset() for day in days): name for name in names}
    return names if FULL else sorted(alike.values())


def test_the_nearest_day_is_the_nearest_in_every_zone(record_property: Any) -> None:
    """Each weekday and several dates, in every zone, at the changes of a year: none of that name lies between."""
    words = [f"{day} {clock}" for day in ("mon", "thu", "sun") for clock in ("0:00", "12:00", "23:59")]
    checked = 0
    for name in zones():
        zone = zoneinfo.ZoneInfo(name)
        for now in (1_774_742_400_000, 1_782_000_000_000, 1_792_886_400_000, NOW):
            local = datetime.fromtimestamp(now / 1000, zone).replace(tzinfo=None)
            for typed, future in itertools.product([*words, "24.10. 9:50", "29 Mar 12:00"], (False, True)):
                try:
                    at = times.read_time(typed, now=now, zone=name, future=future)
                except Unreadable as found:
                    assert found.code in ("time.twice", "time.skipped"), (name, typed)
                    continue
                assert (at > now) == future or at == now, (name, typed)
                wall = datetime.fromtimestamp(at / 1000, zone).replace(tzinfo=None)
                limit = timedelta(days=7 if typed in words else 366, hours=3)
                assert abs(local - wall) <= limit, (name, typed, wall)
                checked += 1
    log_number(record_property, checked)


@pytest.mark.parametrize(
    "typed",
    [
        "", "18:42 yesterday", "24:00", "12:60", "12:00:60", "18.42", "13pm", "0:30 am", "2026-02-30 12:00",
        "sat", "saturn 9:50", "sat 9", "next sat 9:50", "24.10.", "24.10.26 9:50", "24.13. 9:50", "31.4. 9:50",
        "24 okt 9:50",
        "sat tomorrow 9:50", "today sat 9:50", "9:50 sat", "2h ago 9:50", "ago", "in", "in 6", "6 ago", "in -6h",
        "+ 6h",
        "soon", "noon", "half past nine", "Oct 9:50", "29 Feb 2026 9:50", "2026-10 9:50",
        "2026-13-01 12:00", "26-11-20 18:42", "2026-11-20", "2026-11-20T18:42+24:00", "2026-11-20T18:42+05:60",
        "2026-11-20T18:42+5", "20m", "+6", "-1w", "<t:12345678901234>", "<t:1795201812:x>", "1795201812",
        "１８:４２", "٠٩:٠٥", "+٦h", "<t:١٧٩٥٢٠١٨١٢>", "2026-11-2²T18:42", "18:42 Europe/Berlin",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_and_never_guessed(typed: str) -> None:
    found = refused(typed)
    assert found.code == "time.unreadable"
    ways = "+20m, in 20m" if found.what.endswith("is not a time") else "yesterday 18:42, -20m"
    assert found.fix.startswith(f"one of: 18:42, {ways}, ")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Auckland"])
@pytest.mark.parametrize(
    "typed",
    ["0001-01-01 00:00", "9999-12-31 23:59:59.999", "1969-12-31 23:59", "-999999d", "+999999d999999d999999d999999d"],
)
def test_the_ends_of_the_calendar_are_no_crash(typed: str, zone: str) -> None:
    """Refused, or read where the instant is within 1970 to 9999 in UTC."""
    if typed.startswith("9999") and zone in ("UTC", "Asia/Tokyo", "Pacific/Auckland"):
        assert read(typed, zone, future=True).startswith("9999-12-31")
    elif typed.startswith("1969") and zone == "America/New_York":
        assert read(typed, zone) == "1970-01-01T04:59:00.000Z"
    else:
        found = refused(typed, zone)
        assert (found.code, "1970 to 9999" in found.what) == ("time.unreadable", True)


def test_a_clock_in_the_last_days_of_the_calendar_is_no_crash() -> None:
    end = 253_402_300_799_999
    assert read("00:00", now=end) == read("00:00", now=end, future=True) == "9999-12-31T00:00:00.000Z"
    assert times.show_time(end, "Asia/Tokyo") == "9999-12-31 23:59:59 UTC"


def test_an_unknown_zone_is_refused() -> None:
    """Also what only this machine would understand: its own zone, and zones that count leap seconds."""
    of_this_machine = ("localtime", "posixrules", "right/UTC", "posix/UTC")
    for zone in ("Mars/Phobos", "", " UTC", "utc", "../UTC", "/UTC", *of_this_machine):
        with pytest.raises(Unreadable) as caught:
            times.check_zone(zone)
        assert caught.value.code == "time.zone"
    for zone in ("UTC", "Etc/GMT+5", "America/Port-au-Prince", "EST5EDT", "America/Argentina/Buenos_Aires"):
        times.check_zone(zone)
        assert str(times.read_zone(zone)) == zone


def test_a_column_of_a_sheet_is_read_by_its_form() -> None:
    for typed, form, instant in (
        ("20.11.2026 18:42", "%d.%m.%Y %H:%M", "2026-11-20T17:42:00.000Z"),
        ("2026-11-20 18:42:00.250 +0200", "%Y-%m-%d %H:%M:%S.%f %z", "2026-11-20T16:42:00.250Z"),
        ("2026-11-20 20:10:12", "iso", "2026-11-20T19:10:12.000Z"),
        ("18:42", "iso", None),
        ("2026-11-20 18:42", "%d.%m.%Y %H:%M", None),
    ):
        at = times.read_local(typed, form, BERLIN, NOW)
        assert (at and write_instant(at)) == instant, typed


# ---- how they are shown --------------------------------------------------------------------------------------------


def test_times_are_shown_in_the_zone_of_the_match() -> None:
    assert times.show_time(NOW + 999, BERLIN) == "2026-11-20 20:10:12 CET"
    assert times.show_clock(NOW, BERLIN) == "Fri 20 Nov 20:10"
    assert times.show_clock(NOW - 19 * DAY, BERLIN) == "Sun  1 Nov 20:10"
    assert times.show_clock(NOW, BERLIN, seconds=True) == "Fri 20 Nov 20:10:12"
    assert times.show_day(NOW, BERLIN) == "Friday 20 November 2026, 20:10:12 CET"
    assert times.show_day(NOW - 12 * SECOND, BERLIN) == "Friday 20 November 2026, 20:10 CET"
    spans = {0: "0 s", -5: "0 s", 999: "0 s", 61_000: "1 min 1 s", DAY + 1: "1 d", DAY + HOUR + 60_000: "1 d 1 h"}
    assert {ms: times.show_span(ms) for ms in spans} == spans


def test_a_list_shows_seconds_where_minutes_do_not_tell_its_entries_apart() -> None:
    assert not times.crowded([NOW, NOW, NOW + 60_000, NOW - HOUR])
    assert times.crowded([NOW, NOW + HOUR, NOW + 5_000])


def test_a_change_of_the_clocks_between_two_instants_is_said() -> None:
    """Berlin goes back on 25 October 2026 and forward on 29 March 2026, at 01:00 UTC."""
    back, forward = 1_792_890_000_000, 1_774_746_000_000
    assert times.clock_change(back - 1, back, BERLIN) == "the clocks go back 1 h"
    assert times.clock_change(forward - 1, forward + DAY, BERLIN) == "the clocks go forward 1 h"
    assert times.clock_change(back, back + DAY, BERLIN) == times.clock_change(back - 1, back, "UTC") == ""
    assert times.clock_change(forward - DAY, back + DAY, BERLIN) == ""


# ---- changes of the clocks -----------------------------------------------------------------------------------------


def changes(zone: zoneinfo.ZoneInfo) -> Iterator[tuple[datetime, timedelta, timedelta]]:
    """(first instant of the new time, offset before, offset after) in 2024 to 2028."""

    def offset(at: datetime) -> timedelta:
        found = at.astimezone(zone).utcoffset()
        assert found is not None
        return found

    day, end = datetime(2024, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
    before = offset(day)
    while day < end:
        day += timedelta(days=1)
        after = offset(day)
        if after != before:
            low, high = day - timedelta(days=1), day
            while high - low > timedelta(seconds=1):
                middle = low + (high - low) // 2
                low, high = (low, middle) if offset(middle) == after else (middle, high)
            yield high.replace(microsecond=0), before, after
        before = after


def ms_of(moment: datetime) -> int:
    return round(moment.timestamp()) * SECOND


def test_no_zone_skips_or_repeats_a_time_unnoticed(record_property: Any) -> None:
    """Every zone of this machine and every change of five years, 2024 to 2028.

    Within the change both readings are named, and each of them can be typed; at its edges, and a day before and after,
    the time is read as the zone has it.
    """
    skipped = twice = 0
    for name in zones():
        zone = zoneinfo.ZoneInfo(name)
        for first, before, after in changes(zone):
            gap = after - before
            wall = (first + (before if gap > timedelta() else after)).replace(tzinfo=None)
            """The first local time that does not exist, or that comes again."""
            for within in (wall, wall + abs(gap) / 2, wall + abs(gap) - timedelta(seconds=1)):
                found = refused(str(within.replace(microsecond=0)), name, now=0)
                assert found.code == ("time.skipped" if gap > timedelta() else "time.twice"), (name, within)
                readings = [times.read_time(word, now=0, zone=name, future=True) for word in found.fix.split(" or ")]
                local = within.replace(microsecond=0, tzinfo=UTC)
                assert sorted(readings) == sorted(ms_of(local - offset) for offset in (before, after)), (name, found)
            skipped, twice = skipped + (gap > timedelta()), twice + (gap < timedelta())
            past = wall + abs(gap)
            for local, offset in (
                (wall - timedelta(seconds=1), before), (past, after),
                (wall - timedelta(days=1), before), (past + timedelta(days=1), after),
            ):  # fmt: skip
                at = ms_of(local.replace(tzinfo=UTC) - offset)
                assert times.read_time(str(local), now=0, zone=name, future=True) == at, (name, local)
                assert times.show_time(at, name).startswith(str(local))
    assert min(skipped, twice) > 100
    log_number(record_property, skipped + twice)


def test_a_bare_clock_asks_too_on_the_day_of_a_change() -> None:
    """At noon on the day when Berlin repeats an hour, and on the day after."""
    noon = 1_792_926_000_000 - 2 * HOUR
    assert write_instant(noon) == "2026-10-25T09:00:00.000Z"
    for typed, now in (("02:30", noon), ("today 2:30", noon), ("yesterday 02:30", noon + DAY)):
        assert refused(typed, BERLIN, now=now, future=False).code == "time.twice"
    for typed, now in (("03:30", noon), ("02:30", noon + DAY), ("yesterday 02:30", noon + 2 * DAY)):
        assert times.read_time(typed, now=now, zone=BERLIN) <= now
