"""Matches in minutes: lengths as they are written, and an evening of six rounds of three minutes by the clock.

Source: docs/log-format.md, settings; docs/decisions/0063-matches-in-minutes.md.
"""

from __future__ import annotations

import pytest

from events.errors import Unreadable
from games.registry import load
from games.spans import HOUR, MINUTE, SECOND, fault, in_words, span
from games.table.settings import check
from ledger.cli.outbox import _usual_hold
from ledger.exchange.template import template
from tests.support.host import match_file
from tests.support.lines import plays

PEOPLE = ("ann", "bob", "cyd", "dan", "eve")
SPANS = {"pregame_hours": "8m", "round_hours": "3m", "vote_hours": "90s", "gift_hours": "90s", "grace_seconds": "10s"}
POLAR = {"players": {p: {"name": p.title()} for p in PEOPLE}, "hosts": ("mara", "theo"), "zone": "UTC"}
QUICK = """game = "freeform"
title = "Quick"
hosts = ["mara"]
[players]
ann = {}
bob = {}
cyd = {}
[counters]
points = { seen_by = "everybody" }
[sheets.offer]
fields = { bid = "number 0..9" }
rounds = 2
hours = "3m"
[result]
score = "points"
tokens = "highest"
ties = "vote"
hours = "90s"
"""
FILES = {
    "night": match_file("polar", settings={"rounds": 6, **SPANS}, **POLAR),
    "wrong": match_file("polar", settings={"rounds": 6, "round_hours": "3 mns"}, **POLAR),
    "quick": QUICK,
    "odd": QUICK.replace('"3m"', '"3 mns"'),
}
SHOWS = {
    "hold": lambda here: f"{_usual_hold(here.match.table) / SECOND:g}s",
    "votes": lambda here: [f"{one.kind} {(one.ends - here.now) / MINUTE:g}m" for one in here.match.table.decisions],
}


# ---- how a length is written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "unit", "ms"),
    [
        (24, HOUR, 24 * HOUR), ("24h", HOUR, 24 * HOUR), ("3m", HOUR, 3 * MINUTE), ("90m", HOUR, 90 * MINUTE),
        ("1d12h", HOUR, 36 * HOUR), ("90s", HOUR, 90 * SECOND), (5, MINUTE, 5 * MINUTE), (90, SECOND, 90 * SECOND),
    ],
)  # fmt: skip
def test_a_length_is_a_number_of_its_unit_or_a_text(written: int | str, unit: int, ms: int) -> None:
    """A plain number keeps meaning hours, or what its place counts."""
    assert span(written, unit) == ms and fault(written, 0, 100, unit) is None


@pytest.mark.parametrize("written", ["3 mns", "", "-3m", "0x3m", "three", "3", 1.5, True, None, ["3m"], "0m", "61d"])
def test_anything_else_is_no_length(written: object) -> None:
    """Unreadable input is refused, never guessed; and no round is over before it begins."""
    assert fault(written, 1, 1440, HOUR)


def test_a_length_in_a_sentence() -> None:
    """A number with its unit, as it was; a text in words."""
    assert [in_words(w) for w in (72, 1, "3m", "1d12h")] == ["72 hours", "1 hour", "3 minutes", "1 day 12 hours"]


FIRST_TEXTS = {
    "polar": ("round_hours", "pregame_hours", "vote_hours", "gift_hours", "grace_seconds"),
    "equilibrium": ("trading_hours", "vote_hours", "gift_hours", "lock_grace_minutes"),
    "hex_parties": ("round_hours", "vote_hours", "gift_hours", "grace_seconds"),
    "poker_auction": ("round_hours", "vote_hours", "gift_hours", "grace_seconds"),
    "marsmatch": ("turn_seconds",),
}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, names in FIRST_TEXTS.items() for name in names])
def test_every_setting_that_is_a_length_takes_a_text(game: str, name: str) -> None:
    """In all games; the template says so, and another text is refused with a line that can be typed."""
    stated = load(game)
    check(stated.settings, stated.visibility, {name: "90m"}, has=stated.has)
    with pytest.raises(Unreadable) as refused:
        check(stated.settings, stated.visibility, {name: "90 mns"}, has=stated.has)
    assert refused.value.fix == f'{name} = "90m"' and "must be a length of time" in refused.value.what
    about = template(stated).partition(f"#{name} = ")[0].splitlines()[-1]
    assert about.endswith('Or a text: "90s", "3m", "1d12h".')


# ---- at the command line ---------------------------------------------------------------------------------------------

EVENING = """
another text is refused with a line that can be run: in a match file with its line, at the command line with the command
  nothing night
  2 > new m --from wrong.toml --as mara ~ settings.round_hours: must be a length of time ~ round_hours = "90m"
  > new m --from night.toml --as mara ; 2 amend-setting 'round_hours=8 mns' --as mara ~ amend-setting round_hours=90m /
  amend-setting round_hours=90m --as mara ; : table settings.round_hours == 90m ; amend-setting round_hours=2 --as mara
  : table settings.round_hours == 2
a freeform file has its hours in minutes: of a sheet and of the vote; anything else is refused with its line
  nothing odd ; 2 > new m --from odd.toml ~ line 13: sheets.offer.hours: hours must be a length of time ~ hours = "90m"
  > new m --from quick.toml --as mara ; pace 0 ; open ; : ends == 3m ; +4m
  deadline +2m -n ~ , not at 09: ; resolve --yes ; open ; : ends == 3m ; +3m
  resolve --yes ; add points ann 1 ; add points bob 1 ; close --yes ; : votes == vote 1.5m
an evening of six rounds of three minutes: two hosts type sheets, one round is extended, one paused, one sheet is late
  file night ; pace 0 ; open ; : ends == 8m ; : hold == 48s ; +1m ; start ann rock + ; +1m ; start bob rock + --as theo
  +1m ; start cyd rock + ; +1m ; start dan rock + --as theo ; +30s ; start eve paper - --as theo ; +3m30s
  resolve --yes
  : ends == 3m ; : hold == 18s
  +1m ; submit ann --ticket paper ; waiting ~ until 2026-03-02 09:12:00 UTC (in 2 min) ; : to reminder ==
  +1m20s ; remind ~ <t:1772442720:R> ; +45s ; submit bob --ticket paper --as theo ; resolve --yes --as theo
  status !~ Bob's sheet ; : ends == 3m
  +2m25s ; deadline +90s --as theo ~ round 2 ends in 2 min 5 s, at 09:16:35, not at 09:15:05
  +1m30s ; submit cyd --ticket rock ; +35s ; resolve --yes ; +25s ; pause ; +40s
  resume --as theo ~ after a pause of 40 seconds ~ round 3 ends in 2 min 35 s, at 09:20:15
  status ~ in 2 min 35 s ; : ends == 2.58333m ; +2m35s ; resolve --yes
  +3m45s ; submit dan --ticket scissors --as theo ~ had closed and counts only if a host rules so ; resolve --yes
  +4m ; submit dan --ticket scissors --as theo ~ had closed and counts only if a host rules so ; resolve --yes
  +1m ; submit eve --ticket rock ; +2m ; resolve --yes ; : table resolved ~ round_6 ; : table round == none
  : votes == choose 1.5m ; +1m ; status ~ the next end comes in 30 s ; +1m ; status ~ the end passed 30 s ago
  close --as theo ; : table choices == ; replay ~ 09:16:35 ; log ~ 09:16:35 ; verify
"""
test_in_minutes = plays(EVENING)
