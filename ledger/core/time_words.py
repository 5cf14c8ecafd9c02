"""The grammar of typed times: the words for a day, a clock, a length of time. Text only: no zone, no present instant.

    TIME  = [DAY] CLOCK | "now" | SPAN "ago" | "in" SPAN
    DAY   = "today" | "yesterday" | "tomorrow" | WEEKDAY | [WEEKDAY] DATE
    DATE  = 2026-10-24 | 24.10. | 24.10.2026 | 24 Oct | Oct 24 | 24 October 2026
    CLOCK = 9:50 | 09:50:30 | 9pm | 9:50 pm
    SPAN  = see games/spans.py

Names are English, whole or their first three letters. Anything else is refused. Source: docs/commands.md.
"""

from __future__ import annotations

import re

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import shown
from games.spans import read_span

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAYS_FROM_TODAY = {"yesterday": -1, "today": 0, "tomorrow": 1}


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
_SLASHES = r"([0-9]{1,2})/([0-9]{1,2})(/[0-9]{2,4})?\b(.*)"
"""Both are compiled by the first such word."""


class Words(NamedTuple):
    """A day and a clock as typed; whether that time exists depends on the zone."""

    near: int | None
    """Days from today."""
    weekday: int | None
    """0 is Monday. With a date: the day of the week that was typed beside it."""
    date: tuple[int | None, int, int] | None
    """Year (None: not typed), month, day."""
    clock: tuple[int, int, int]


def read_words(typed: str) -> Words | None:
    """A day and a clock; None for anything else.

    Raises:
        Unreadable: `time.ambiguous`, a date with slashes: which of the two is the month?

    >>> read_words("sat 9:50pm")
    Words(near=None, weekday=5, date=None, clock=(21, 50, 0))
    >>> read_words("24.10. 9:50").date, read_words("October 24, 2026 9:50").date
    ((None, 10, 24), (2026, 10, 24))
    """
    if matched := re.fullmatch(_SLASHES, typed):
        numbers, year = (int(matched[1]), int(matched[2])), (matched[3] or "").replace("/", " ")
        readings = [
            f"{day} {MONTHS[month - 1][:3]}{year} {matched[4].strip() or '18:42'}"
            for day, month in dict.fromkeys([numbers, numbers[::-1]])
            if 1 <= month <= 12 and 1 <= day <= 31
        ]
        problem = "has its date with slashes, which is not read"
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
    near = DAYS_FROM_TODAY[groups["near"].lower()] if "near" in groups else None
    return Words(near, weekday, date, (hour, int(groups.get("minute", 0)), int(groups.get("second", 0))))


def _place_in(names: tuple[str, ...], typed: str) -> int:
    return [name[:3].lower() for name in names].index(typed[:3].lower())


def read_ago(typed: str) -> int | None:
    """Milliseconds from the present of `now`, `2h ago`, `in 6h`, `-20m` and `+6h`; None for anything else.

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
