"""Times and ends as hosts type them: --at beside --msg, readings that are told, ends that move. Source: S-9, S-G1.

Poker Auction in Berlin, whose clocks go back on Sunday 25 October 2026 at 03:00, and Polar where rounds are counted.
How a case is written: support/lines.py, and conftest.py here.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.support.lines import plays

SHORT = {
    "auction": "saturday poker_auction",
    "the end": ": view --for host | view.ends",
    "set to": ": log --kind deadline | entries.-1.args.when",
    "counts from": ": log | entries.-1.at",
    "copy b": ": copied b",
    "ben's": "> -g b --as ben",
}
SHOWS = {
    "copied": lambda here, name: str(shutil.copytree(here.path, here.folder / name))[:0],
    "readings": lambda here, *words: here.hl(" ".join(words)).text.count("Saturday 24 October 2026, 10:02 CEST"),
}
ENDS = """
a reading is told in full with the weekday, once; a complete time is not repeated
  auction ; note hello --at "fri 21:50" ~ fri 21:50: Friday 23 October 2026, 21:50 CEST / recorded
  counts from == 2026-10-23T19:50:00.000Z ; note hello --at "2026-10-24 10:00" !~ October
  : readings resolve --at 10:02 == 1 ; 3 vote ann bob --at "20 min ago" ~ 20 min ago: Saturday 24 October 2026, 09:
  2 note x --at "10/11 9:50" ~ 10 Nov 9:50 or 11 Oct 9:50 ; note hello --at "sat 09:50" --json !~ October
  amend 6 at="thu 12:00" --yes ~ thu 12:00: Thursday 22 October 2026, 12:00 CEST
a time beside a message is when it counts; a message later than that is asked about
  auction ; +60m ; note agreed --at "50 min ago" --msg {link-9m} ; counts from == 2026-10-24T08:12:00.000Z
  : body evidence ~ https://discord.com/channels/1/2/
  5 note agreed --at "5 min ago" --msg {link-9m} ~ but its message was written
  note agreed --at "5 min ago" --msg {link-9m} --yes ; 3 note agreed --at "20 min ago" --msg {link-10m} ~ evidence.dupl
a message gives no time to what counts when it is recorded
  demo equilibrium ; 3 commit --at -5m --msg {link} ~ draw.at
a log since a weekday is since the past one
  auction ; note --at "2 days ago" early ; log --kind note --since "fri 0:00" !~ early
  log --kind note --since "thu 0:00" ~ early
an end moves by so much from where it is, however late that is typed; the answer says both
  auction ; the end == 2026-10-25T08:01:00.000Z
  deadline +6h ~ the power round ends Sunday 25 October 2026, 15:01 CET, not Sunday 25 October 2026, 09:01 CET
  the end == 2026-10-25T14:01:00.000Z ; set to == 2026-10-25T14:01:00.000Z
  5 deadline -30m ~ not Sunday 25 October 2026, 15:01 CET ; the end == 2026-10-25T14:01:00.000Z
  deadline -30m --yes ; the end == 2026-10-25T13:31:00.000Z ; 3 deadline -40h --yes ~ table.deadline_past
  deadline "tomorrow 18:00" ; the end == 2026-10-25T17:00:00.000Z
  deadline "sun 18:00" ~ no change: already in effect
an end is worked out where its entry stands: also with --at, with --msg, and amended
  auction ; +120m ; deadline "25 Oct 12:00" ; deadline +6h --at "1h ago" --yes ; set to == 2026-10-25T14:01:00.000Z
  the end == 2026-10-25T11:00:00.000Z ; deadline "in 6h" --msg {link-30m} --yes
  counts from == 2026-10-24T09:35:00.000Z
  set to == 2026-10-24T15:35:00.000Z ; amend @ "when=in 8h" --yes
  : body args.args.when == 2026-10-24T17:35:00.000Z ; amend {deadline} when=+1h --yes
  : body args.args.when == 2026-10-25T15:01:00.000Z
where there is no end it cannot be moved by so much
  auction ; close --yes ; reopen ; 3 deadline +6h ~ table.no_end ~ deadline "in 2h" ; deadline "in 6h"
  the end == 2026-10-24T14:05:00.000Z
an end that has passed is moved from where it was, and not to what lies behind the entry
  auction ; +24h59m ; 3 deadline +30m ~ table.deadline_past ; deadline +6h ; the end == 2026-10-25T14:01:00.000Z
--once: typed again it is the same command, although the end has moved meanwhile
  auction ; deadline +6h --once more ~ recorded # ; deadline +6h --once more ~ recorded before
  3 deadline +7h --once more ~ once.other
the same extension in two copies is one
  auction ; copy b ; deadline +6h ; ben's deadline +6h
  join b --yes ~ both move the end to Sunday 25 October 2026, 15:01 CET; it is moved once
  the end == 2026-10-25T14:01:00.000Z ; ben's join m --yes ; ben's deadline +1h ; join b --yes !~ one extension
  the end == 2026-10-25T15:01:00.000Z
S-G1 an extension lets in what lies before the new end, and the player is told
  auction ; +23h59m30s ; power bob 12 hearts ~ late: hl ruling admit ; status ~ Bob
  deadline +6h ~ the late sheet of Bob counts in the power round
  : told bob ~ Your late sheet for the power round counts: its end was moved. ; status !~ came late
  resolve --yes --early ~ Bob takes Hearts (pick 1, with 12 chips)
a late sheet let in over one in time is asked about, also by an extension recorded late, and by a reopening
  auction ; power ann 5 hearts ; +23h58m30s ; power ann 7 clubs ~ late
  5 deadline +6h ~ (entry 7) counts in the power round instead of entry 6, which was in time
  5 deadline "25 Oct 12:00" --at "25 Oct 9:00" ~ the late sheet of Ann (entry 7) counts in the power round instead of
  5 reopen ~ the late sheet of Ann (entry 7) counts in the power round instead of entry 6, which was in time
  deadline "25 Oct 12:00" --at "25 Oct 9:00" --yes ; status !~ came late ; undo --yes
  status ~ came late and does not count ; ruling "admit 7" ; deadline +6h !~ Your late sheet
a sheet after the new end is late again
  auction ; +24h8m ; deadline +30m ; power bob 12 hearts ; status !~ came late ; +20m
  power bob 13 hearts ~ late: hl ruling admit ; status ~ Bob
while somebody owes a sheet and the end lies ahead, --yes alone does not resolve
  auction ; power ann 5 hearts
  5 resolve --yes ~ this ends the power round now, not Sunday 25 October 2026, 09:01 CET, and Bob and Cyd ~ --early
  resolve ~ Bob and Cyd still owe something ~ --yes --early records it ; : kinds 1 == power ; power bob 5 hearts
  5 resolve --yes ~ Cyd still owes something ; blank cyd ; resolve --yes ; resolve --yes --early
a round whose end has passed or is not set is resolved by --yes
  auction ; resolve --yes --at now --early ; close --yes ; resolve --yes ; close --yes ; reopen ; resolve --yes ; +30h
  resolve --yes
a resolve names its round after that of another host
  auction ; note ready ; resolve --yes --early --as ben
  3 resolve --yes --early ~ ben has resolved the power round (entry 7) ~ resolve.which ~ resolve clubs
  3 resolve ~ resolve.which ; 3 resolve power --yes --early ~ sealed.not_this_round ; resolve clubs --yes --early
  : body args.round == clubs ; resolve --yes --early ; note seen --as ben ; resolve --yes --early --as ben
a change of the clocks within a phase is told when it opens: Berlin goes back in that night
  auction ; undo --yes
  open ~ the power round ends at 09:03, because the clocks go back 1 h: Sunday 25 October 2026, 09:03 CET
  +30h ; resolve --yes --early !~ the clocks
rounds that are counted go by their number
  saturday polar ; resolve pregame --yes --early ; resolve 1 --yes --early --as ben ; : body args.round == round_1
  3 resolve --yes --early ~ resolve 2
"""
test_ends = plays(ENDS)


@pytest.mark.parametrize("answer", ["n", "y"])
def test_a_terminal_asks_once_before_an_early_resolve(lines: Any, stage: Any, answer: str) -> None:
    lines("auction ; power ann 5 hearts")
    told = " ".join(stage.run((f"$ hl -g m --as mara resolve # types: {answer}",)).split())
    assert told.count("still owe something") == 1 and ("recorded #" in told) is (answer == "y")
    assert "not confirmed" in stage.run(("$ hl -g m --as mara resolve --yes # types: n",)) or answer == "y"


@pytest.mark.parametrize(
    ("game", "before"), [("polar", "choose"), ("poker_auction", "round"), ("hex_parties", "taken")]
)
@pytest.mark.parametrize("how", ["close --yes", "+200h ; note 'the end has passed'"])
def test_a_headline_asks_for_nothing_once_the_end_has_passed(lines: Any, game: str, before: str, how: str) -> None:
    """Seen: "orders are taken. Orders have ended"; the same for an end by a host and by the clock, in each report."""
    asks_nothing = "~ have ended !~ choose a room !~ are taken !~ It ends"
    lines(f"""saturday {game} ; reveal ~ {before} !~ have ended ; {how} ; reveal {asks_nothing}
      status {asks_nothing} ; summary ann {asks_nothing}""")
