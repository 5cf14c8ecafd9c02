"""Matches in minutes: lengths as they are written, and an evening of six rounds of three minutes by the clock.

Source: docs/log-format.md, settings; docs/decisions/0063-matches-in-minutes.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from events.errors import Unreadable
from games.registry import load
from games.spans import HOUR, MINUTE, SECOND, fault, in_words, span
from games.table.settings import check
from ledger.cli.outbox import _usual_hold
from ledger.exchange.template import template
from tests.support.host import Host

START = 1_795_716_000_000
"""26 November 2026, 18:00 UTC."""
POLAR = """game = "polar"
title = "Night"
zone = "UTC"
hosts = ["mara", "theo"]
[players]
ann = { name = "Ann" }
bob = { name = "Bob" }
cyd = { name = "Cyd" }
dan = { name = "Dan" }
eve = { name = "Eve" }
[settings]
rounds = 6
"""
IN_MINUTES = 'pregame_hours = "8m"\nround_hours = "3m"\nvote_hours = "90s"\ngift_hours = "90s"\ngrace_seconds = "10s"\n'


class Hosts(Host):
    """Two hosts at one match, at a clock that the test moves."""

    pace = 0

    def clock(self, clock: str) -> None:
        """It is so many minutes and seconds after the beginning."""
        minutes, seconds = clock.split(":")
        self.now = START + int(minutes) * MINUTE + int(seconds) * SECOND


@pytest.fixture
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosts:
    return Hosts(tmp_path, monkeypatch, START)


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


def test_another_text_is_refused_with_a_line_that_can_be_run(hosts: Hosts) -> None:
    """In a match file with its line, at the command line with the command."""
    said = hosts.new(POLAR + 'round_hours = "3 mns"\n', "--as", "mara", code=2).err
    assert "line 13: settings.round_hours: must be a length of time" in said and 'round_hours = "90m"' in said
    hosts.new(POLAR + IN_MINUTES, "--as", "mara")
    said = hosts.hl("amend-setting round_hours='8 mns' --as mara", code=2).text
    assert said.rstrip().endswith("amend-setting round_hours=90m")
    hosts.hl("amend-setting round_hours=90m --as mara")
    assert hosts.match.table.settings["round_hours"] == "90m"
    hosts.hl("amend-setting round_hours=2 --as mara")
    assert hosts.match.table.settings["round_hours"] == 2


def test_a_freeform_file_has_its_hours_in_minutes(hosts: Hosts) -> None:
    """`hours` of a sheet and of the vote; anything else is refused with its line."""
    file = """game = "freeform"
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
    said = hosts.new(file.replace('"3m"', '"3 mns"'), "--as", "mara", code=2).err
    assert "line 13: sheets.offer.hours: hours must be a length of time" in said and 'hours = "90m"' in said
    hosts.new(file, "--as", "mara")
    for minute in ("0:00", "3:10"):
        hosts.clock(minute)
        hosts.hl("open")
        assert hosts.match.table.ends == hosts.now + 3 * MINUTE
        hosts.now += 3 * MINUTE
        hosts.hl("resolve --yes")
    hosts.hl("add points ann 1")
    hosts.hl("add points bob 1")
    hosts.hl("close --yes")
    (vote,) = hosts.match.table.decisions
    assert (vote.kind, vote.ends) == ("vote", hosts.now + 90 * SECOND)


# ---- an evening ----------------------------------------------------------------------------------------------------


def test_an_evening_of_six_rounds_of_three_minutes(hosts: Hosts) -> None:
    """By the clock: two hosts type sheets, one round is extended, one is paused, one sheet comes in the grace."""
    hosts.new(POLAR + IN_MINUTES, "--as", "mara")
    hosts.hl("open --as mara")
    assert hosts.match.table.ends == START + 8 * MINUTE
    assert _usual_hold(hosts.match.table) == 48 * SECOND, "a tenth of the phase"
    for minute, player, host in ((1, "ann", "mara"), (2, "bob", "theo"), (3, "cyd", "mara"), (4, "dan", "theo")):
        hosts.clock(f"{minute}:00")
        hosts.hl(f"start {player} rock + --as {host}")
    hosts.clock("4:30")
    hosts.hl("start eve paper - --as theo")
    hosts.clock("8:00")
    hosts.hl("resolve --yes --as mara")
    assert hosts.match.table.ends == START + 11 * MINUTE
    assert _usual_hold(hosts.match.table) == 18 * SECOND

    # Round 1: nobody is reminded before three quarters of the three minutes, and then with the minute of its end.
    hosts.clock("9:00")
    hosts.hl("submit ann --ticket paper --as mara")
    assert "until 2026-11-26 18:11:00 UTC (in 2 min)" in hosts.hl("waiting").text
    assert "r " not in hosts.hl("outbox --as mara").text.replace("for ", "")
    hosts.clock("10:20")
    assert f"<t:{(START + 11 * MINUTE) // 1000}:R>" in hosts.hl("remind --as mara").text
    hosts.clock("11:05")
    hosts.hl("submit bob --ticket paper --as theo")
    hosts.hl("resolve --yes --as theo")
    told = hosts.hl("status --as mara").text
    assert "Bob's sheet" not in told, "within the grace of 10 s"

    # Round 2 is extended by 90 seconds: what hosts read has the time of day and the seconds, and no day.
    assert hosts.match.table.ends == START + 14 * MINUTE + 5 * SECOND
    hosts.clock("13:30")
    said = hosts.hl("deadline +90s --as theo").text
    assert "round 2 ends in 2 min 5 s, at 18:15:35, not at 18:14:05" in said
    hosts.clock("15:00")
    hosts.hl("submit cyd --ticket rock --as mara")
    hosts.clock("15:35")
    hosts.hl("resolve --yes --as mara")

    # Round 3 is paused for 40 seconds.
    hosts.clock("16:00")
    hosts.hl("pause --as mara")
    hosts.clock("16:40")
    said = hosts.hl("resume --as theo").text
    end = (START + 19 * MINUTE + 15 * SECOND) // 1000
    assert "after a pause of 40 seconds" in said and "round 3 ends in 2 min 35 s, at 18:19:15" in said
    assert f"The next end is <t:{end}:F> (<t:{end}:R>)." in said
    assert hosts.match.table.ends == START + 18 * MINUTE + 35 * SECOND + 40 * SECOND
    hosts.clock("19:15")
    hosts.hl("resolve --yes --as mara")

    for minute in (23, 27):
        hosts.clock(f"{minute}:00")
        assert (
            " had closed and counts only if a host rules so" in hosts.hl("submit dan --ticket scissors --as theo").text
        ), "and after its grace"
        hosts.hl("resolve --yes --as mara")
    hosts.clock("28:00")
    hosts.hl("submit eve --ticket rock --as mara")
    hosts.clock("30:00")
    hosts.hl("resolve --yes --as mara")
    table = hosts.match.table
    assert table.resolved[-1] == "round_6" and table.round is None
    (choice,) = table.decisions
    assert (choice.kind, choice.ends) == ("choose", START + 31 * MINUTE + 30 * SECOND)
    hosts.clock("31:00")
    assert "the next end comes in 30 s" in hosts.hl("status --as mara").text
    hosts.clock("32:00")
    assert "the end passed 30 s ago" in hosts.hl("status --as mara").text
    hosts.hl("close --as theo")
    assert hosts.match.table.choices == {}, "his 90 seconds were over"

    # The page and the list have the seconds, which tell what happened within one minute.
    for line in ("replay --as mara", "log --as mara"):
        assert "18:15:35" in hosts.hl(line).text, line
    hosts.hl("verify")
