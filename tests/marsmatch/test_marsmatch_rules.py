"""MarsMatch, rule by rule: sections 1 to 6 of the rule page, the gaps (MM-n), the season layer (S-n).

Each case begins with the rule it holds (tests/table/lines.py); `a 3 3` is a play, `b -` a pass. The expected values
were worked out from the pages by hand; every setting is tested both ways. Combinations: test_marsmatch_combos.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.contract import Moment, Published
from games.kit import luck as kit_luck
from games.kit.blocks import Table, text
from games.marsmatch import GAME, actions as a, facts as f, report
from games.marsmatch.cards import CARDS, EACH, deck, packs, read_cards
from games.marsmatch.combos import READING
from games.marsmatch.view import hint
from games.table import actions as shared, facts as table_facts
from games.table.view import frame
from tests.support.logs import told
from tests.support.mars import FOUR, STARLINK, UFO, Mars, moment_of
from tests.support.play import Play, only
from tests.table import lines


def hands(said: str, **given: Any) -> Mars:
    """`a 3 3 K, b 4 5`, a is Banker; `c: a 3, …`: c is."""
    banker, _, rows = said.rpartition(":")
    held = lines.pairs(rows.replace("STARLINK", STARLINK).replace("UFO", UFO))
    return Mars(held, banker=banker or None, **given)


def turn(play: Any) -> str | None:
    """Whose turn it is, and whether they lead."""
    now = play.state.turn if play.state.playing else None
    return f"{now} leads" if now and play.state.trick is None else now


STARTS = {
    "": lambda said, **given: Play("marsmatch", **{"opened": False, "players": list("abc"), **given}),
    "four": lambda said, **given: Mars(FOUR, banker=said or None, **given),
    "hands": hands,
}  # fmt: skip
SHOWS = {
    "turn": turn,
    "moves": lambda play: {p: [[type(one).__name__, *one[1:]] for one in GAME.moves(play.state, p)] for p in "abc"},
    "titles": lambda play: play.state.titles,
    "points": lambda play: play.state.points,
    "trick": lambda play: [row["by"], row["type"], row["rank"]] if (row := play.view()["trick"]) else "",
    "groups": lambda play: [play.state.trick.reading.groups, play.state.trick.reading.attached],
    "run": lambda play: {p: row["run"] for p, row in play.view()["players"].items()},
    "seats": lambda play: [play.state.banker, *play.state.seats],
    "round": lambda play: play.state.round,
    "won": lambda play: [fact.player for fact in play.of(f.TrickWon)],
    "outs": lambda play: [fact.why for fact in play.of(f.WentOut)],
    "by itself": lambda play: [fact.automatic for fact in only(play.last, (f.Played, f.Passed))],
    "clock": lambda play: [lines.hours(play, due.until) for due in GAME.waiting(play.state)],
}  # fmt: skip
RULES = """
hint lists what can be played: to lead with, also after one's own play, or to beat the trick; it says whose turn it is
  hands a 3 3 10, b 4 4 BJ 2, c J; look hint a turn == yes; look hint a trick == none; look hint a plays.0.cards == 3
  look hint a plays.1.cards == 10; look hint a plays.2.cards == 3 3; look hint a plays.3 == absent; a 10
  look hint b trick.cards == 10; look hint b plays.0.cards == 2; look hint b plays.1.cards == BJ
  look hint b plays.0.type == single; look hint b plays.1.type == boat; look hint b plays.2 == absent
  look hint c turn == no; look hint a trick == none; b 2; c -; a -; b 4 4; look hint a plays == nothing
2.1, MM-6 a Banker typed alone takes the seats of the match file; a draw is made once
  of a b c d; draw --banker c; seats == c a b c d; no drawn: draw --banker b; refusal ~ hl log
2.1 seats typed in name everybody once
  no seats: draw --banker a --seats a --seats b; no seats: draw --banker a --seats a --seats b --seats b
  draw --banker c --seats b --seats c --seats a; seats == c b c a
2.1 the deal comes after the draw, only once, then play is opened, once
  of a b c; no undrawn: deal --method typed; no not_dealt: open; refusal ~ hl draw; draw; no not_dealt: open
  refusal ~ hl deal; view host phase == initial; status == setup; no not_playing: a 3; no not_open: close initial
  no not_open: close real; deal; view host players.a.count == 54; no dealt: deal; no dealt: draw; no dealt: hand a 3
  open; no opened: open
short_hands: any number of cards but none; never more of a card than the packs hold
  set short_hands=true; of a b; draw --banker a; hand a BJ BJ BJ; no deck: deal --method typed; hand b 3
  no deck: deal --method typed; refusal ~ 3 x BJ where the deck has 2; hand a BJ BJ; deal --method typed
MM-5 the one that is left is Total Loser, and the round ends
  hands a STARLINK, b UFO, c 5; status == finished; titles == a heavenly_hand, b non_banker_heavenly, c total_loser
MM-5 nobody is left: it ends as well
  hands a STARLINK, b STARLINK, c UFO; status == finished; titles !~ loser
2.2 titles of the Initial Phase
  hands a UFO, b STARLINK, c 5, d 6; titles == a heavenly_hand, b non_banker_heavenly
2.2 a follower's alone
  hands a 4, b STARLINK, c 5, d 6; titles == b heaven_snatch; turn == a leads
2.3, MM-6 the first leader: the Banker
  four c; turn == c leads
2.3, MM-6 or the next seat that is not out
  hands a STARLINK, b UFO, c 4, d 5; turn == c leads
2.3, MM-6 round the table
  hands d: a 4, b 5, c 6, d UFO; turn == a leads
2.3 clockwise; a play must beat the last one; when everybody else has passed its owner leads anew
  four; a 3; b 7; c -; d -; a -; turn == b leads; won == b; b 8; c J; d -; a -; turn == b; b -; turn == c leads
2.3 out of turn: whose turn it is, and what can be typed
  four; no not_your_turn: b 7; refusal ~ it is A's turn, not B's | hl play a CARDS; a 3; no not_your_turn: c -
  refusal ~ hl pass b
MM-20 one may pass although able to beat; who leads may not pass
  four; no leader_passes: a -; refusal ~ leads this trick; a 3; b -; c -; d -; turn == a leads
MM-19 passing bars nobody from the trick
  hands a 3 5 K, b 6 Q, c 4 7 9; a 3; b -; c 4; a 5; b 6; turn == c
MM-19 pass_locks
  set pass_locks=true; hands a 3 5 K, b 6 Q, c 4 7 9; a 3; b -; c 4; a 5; turn == c; c -; turn == a leads
cards not held: how many stands where only the host reads it
  hands a 3 3 5, b 4; no not_held: a 3 3 3 K; refusal ~ A does not hold these cards: 3 3 3 K |
  refusal ~ A: 3: 3 played, 2 held, K: 1 played, 0 held; refusal ~ hl hint a
cards that form nothing: the nearest legal reading
  hands a 4 4 5 5 6 6, b 4; no no_combination: a 4 4 5 5
  refusal ~ 4 4 5 5 is no combination, the nearest is 5 5 (a Pair of 5) | hl hint a |
and in the same words, but for the hosts, if they are not held
  hands a 4 5 5, b 4; no no_combination: a 4 4 5 5
  refusal ~ 4 4 5 5 is no combination, the nearest is 5 5 (a Pair of 5) | hl hint a | A: 4: 2 played, 1 held
MM-22 the last cards obey the shapes
  hands a 5 5 5 6 6 6 9, b 4; no no_combination: a 5 5 5 6 6 6 9
who is out plays no more, and it says with which title
  hands a 3, b 4 5, c 6 7; a 3; no is_out: a 3; refusal ~ Ground Hand; override a title none; no is_out: a 3
  refusal ~ A is out of this round (left)
who has left plays no more
  hands a 3 4, b 4 5, c 6 7; drop c; no left: c 6
after the round nobody plays
  hands a 3, b 4; a 3; no not_playing: b 4; refusal ~ the round is over
6 a title is named where points are known
  set see.points=host; hands a 3, b 4 5, c 6 7; a 3; no is_out: a 3; refusal !~ Ground Hand |; refusal ~ Ground Hand
3 who leads with what can be read in several ways declares it
  hands a 5 5 5 5 6 6 6 6 K, b 7*8, c 4; no declare: a 5 5 5 5 6 6 6 6; refusal ~ Starship of 2 groups up to 6
  refusal ~ --as starship:6+pairs; no declared: play a "5 5 5 5 6 6 6 6" --reading rocket; refusal ~ is no rocket
  play a "5 5 5 5 6 6 6 6" --reading starship; groups == 2; trick == a starship 6
3 one reading of it can be named
  hands a 5 5 5 5 6 6 6 6 K, b 7*8, c 4; play a "5 5 5 5 6 6 6 6" --reading starship:5+pairs; groups == 1 pairs
  trick == a starship 5
3 following, any reading that beats is enough; a declaration that does not beat is refused
  hands a 3*4 4*4 9 9 K, b 5 5 5 5 6 6 6 6 K, c 4; play a "3 3 3 3 4 4 4 4" --reading starship:4
  no does_not_beat: play b "5 5 5 5 6 6 6 6" --reading starship:6+pairs; b 5 5 5 5 6 6 6 6; groups == 2
3 with pairs as well
  hands a 3*4 4*4 9 9 K, b 5 5 5 5 6 6 6 6 K, c 4; play a "4 4 4 4 3 3 9 9" --reading starship; b 5 5 5 5 6 6 6 6
  trick == b starship 6; groups == 1 pairs
3 a reading that is weaker in every way need not be declared
  hands a 2 2 2 K 3, b 4; a 2 2 2 K; trick == a rocket 2
MM-17 the play counts, not the holding
  hands a 3*4 9, b 4; a 3 3 3; trick ~ super_drone
MM-17 super_drone_by_holding: exactly three must be held
  set super_drone_by_holding=true; hands a 3*4 9, b 4; a 3 3 3; trick ~ rocket
MM-17 they are
  set super_drone_by_holding=true; hands a 3*3 9, b 4; a 3 3 3; trick ~ super_drone
MM-12 a Lone Boat is compared as a single: BJ beats LJ, LJ beats 2, equal does not beat
  hands a 2 5, b LJ 5, c LJ BJ 5; a 2; b LJ; trick == b boat LJ; no does_not_beat: c LJ; c BJ
MM-13 a Boat answers the same kind of Boat
  hands a LJ 5 K, b BJ 6 6 K, c 4; a LJ 5; no does_not_beat: b BJ 6 6; b BJ 6; trick == b boat_single BJ 6
MM-23 equal does not beat
  hands a 5 5 K, b 5 5 K, c 4; a 5 5; no does_not_beat: b 5 5; refusal ~ equal, and equal never beats | hl hint b
MM-26 a ruling with its reason, and override
  four; ruling "the play stands"; override a points 5; points == a 5
MM-27 a single 2 is a 2
  hands a 2 3, b A 4, c 5; a 2; no does_not_beat: b A; trick == a single 2
MM-28, MM-29 any two Jokers are a Spaceship; the higher beats, equal does not
  hands a LJ BJ K, b LJ BJ BJ K, c 4; a LJ BJ; trick ~ spaceship; no does_not_beat: b LJ BJ; b BJ BJ
MM-30 a Drone does not beat a Spaceship; Jokers form no Drone
  hands a LJ LJ LJ BJ K, b 4 4 4 4 K, c 5; no no_combination: a LJ LJ LJ BJ; a LJ LJ; no does_not_beat: b 4 4 4 4
2.3, MM-7 the last play still has to be beaten; if nobody does, the next seat leads
  hands a 3 3, b 8 Q, c 4 9, d 5 10; a 3 3; b -; c -; turn == d; d -; turn == b leads
2.3 if somebody does, he leads
  hands a 3 3, b 8 8 Q, c 4 9, d 5 10; a 3 3; b 8 8; c -; d -; turn == b leads
MM-7 post_win_lead = player_before
  set post_win_lead=player_before; hands a 3 3, b 8 Q, c 4 9, d 5 10; a 3 3; b -; c -; d -; turn == d leads
MM-7 named: whoever went out names who leads; nobody plays before; each round is named anew
  set post_win_lead=named rounds=2; hands a 3 3, b 8 Q, c 4 9, d 5 10; a 3 3; b -; c -; d -; turn == none
  open == choose a: b c d; owed == a choice; no lead_open: b 8; refusal ~ must say who leads
  no choose_candidate: choose a a; choose a c; turn == c leads; open == nothing; close real; draw --banker a; hand a 3 3
  hand b 8 Q; hand c 4 9; hand d 5; deal --method typed; open; a 3 3; b -; c -; d -; round == 2; open == choose a: b c d
  choose a b; turn == b leads
MM-7 a host may close the naming
  set post_win_lead=named; hands a 3 3, b 8 Q, c 4 9; a 3 3; b -; c -; close choose; turn == b leads
MM-7, S-G3 who leaves cannot be named
  set post_win_lead=named; hands a 3 3, b 8 Q, c 4 9, d 5 10; a 3 3; b -; c -; d -; drop b; open == choose a: c d
  choose a d; turn == d leads
MM-7 who still plays leads himself
  set post_win_lead=named; hands a 3 3 7, b 8 Q, c 4 9; a 3 3; b -; c -; turn == a leads
MM-7, MM-25 nobody has to be named within a time, unless a host set one
  set post_win_lead=named turn_seconds=60; hands a 3 3, b 8 Q, c 4 9; a 3 3; b -; c -; +24h; turn == none; clock == none
  deadline "in 1h"; clock == 1h; +1h-1ms; turn == none; +1ms; turn == b leads; open == nothing
MM-9, MM-32 who had still to answer leaves: three plays in a row win, and the round is over
  set three_in_a_row=instant_win real_end=first_out; hands a 3 4 5 9, b 3 3, c 3 3; a 3; b -; c -; a 4; b -; c -; a 5
  b -; drop c; titles == a human_hand, b total_loser, c total_loser; status == finished
2.4, MM-10 Ground Hand: the first leader, out within his first two plays, nobody having played in between: 500
  hands a 3 3 K, b 4 5, c 6 7; a 3 3; b -; c -; a K; titles == a ground_hand; points == a 500; turn == b
  outs == out in the first 2 plays, nobody having played in between
2.4 in the first play
  hands a 3 3, b 4 5, c 6 7; a 3 3; outs == out in the first play, nobody having played in between
MM-11 any other first out, the leader included: 300
  hands a 3 3 K A, b 4 5, c 6 7; a 3 3; b -; c -; a K; b -; c -; a A; titles == a ground_snatch; points == a 300
MM-11 somebody played in between
  hands a 3 K, b 4 5, c 6 7; a 3; b 4; c -; a K; titles == a ground_snatch
MM-11 somebody else
  hands a 3 K, b 4, c 6 7; a 3; b 4; titles == b ground_snatch
MM-10 ground_hand_max_plays = 3: the third play counts
  set ground_hand_max_plays=3; hands a 3 3 K A, b 4 5, c 6 7; a 3 3; b -; c -; a K; b -; c -; a A; points == a 500
MM-10 ground_hand_max_plays = 1
  set ground_hand_max_plays=1; hands a 3 3 K, b 4 5, c 6 7; a 3 3; b -; c -; a K; points == a 300
MM-10 ground_hand_who = anybody: in his own first plays, too
  set ground_hand_who=anybody; hands a 3 K, b 4 5, c 6 7; a 3; b 4; c -; a -; b 5; titles == b ground_hand
MM-10 ground_hand_who = leader
  hands a 3 K, b 4 5, c 6 7; a 3; b 4; c -; a -; b 5; titles == b ground_snatch
MM-10 anybody, but somebody played in between
  set ground_hand_who=anybody; hands a 3 K, b 4 5 9, c 6 7; a 3; b 4; c 6; a -; b 9; c -; a -; b 5
  titles == b ground_snatch
2.4, MM-8 play goes on to the second out, 100; everybody still holding cards is Total Loser, 0
  hands a 3 3, b 4 K, c 6 A, d 7 9; a 3 3; b -; c -; d -; b 4; c 6; d 7; b K; points == a 500, b 100; ranking == a b c=d
  titles == a ground_hand, b human_hand, c total_loser, d total_loser; status == finished
  result host scores == a 500, b 100
2.4 two players end at the first out
  hands a 3 3, b 4; a 3 3; titles == a ground_hand, b total_loser; status == finished
2.4 who is out in the Initial Phase is the first out
  hands a STARLINK, b 4, c 5 6; b 4; points == a 10000, b 500; titles ~ c total_loser
MM-8 real_end = first_out
  set real_end=first_out; hands a 3 3, b 4 K, c 6 A; a 3 3; titles == a ground_hand, b total_loser, c total_loser
  status == finished
MM-8 one_winner_tiers: the leader's blitz 500
  set real_end=one_winner_tiers; hands a 3 3, b 4 4, c 5; a 3 3; points == a 500; titles ~ a ground_hand
  status == finished
MM-8 one_winner_tiers: another's immediate reply 300
  set real_end=one_winner_tiers; hands a 3 3 9, b 4 4 5, c 5; a 3 3; b 4 4; c -; a -; b 5; points == b 300
MM-8 one_winner_tiers: his third play 100
  set real_end=one_winner_tiers; hands a 3 3 9, b 4 4 5 6, c 5; a 3 3; b 4 4; c -; a -; b 5; c -; a -; b 6
  points == b 100
MM-8 one_winner_tiers: anybody later 100
  set real_end=one_winner_tiers; hands a 3 9 K, b 4 8, c 5; a 3; b 4; c 5; points == c 100; titles ~ c human_hand
MM-8 one_winner_tiers: an answer to a later play
  set real_end=one_winner_tiers; hands a 3 3 9 9 J, b 4 4 10 10, c 5; a 3 3; b 4 4; c -; a 9 9; b 10 10; points == b 100
MM-8 close real ends a round, reopen real goes on where it stood; an end by the rules stays
  hands a 3 3, b 4 K, c 6 A, d 7; a 3 3; b -; close real
  titles == a ground_hand, b total_loser, c total_loser, d total_loser; status == finished; turn == none; reopen real
  facts ~ TurnBegan; titles == a ground_hand; turn == c; status == running; c -; d -; b 4; c 6; d 7
  titles ~ d human_hand; no reopen: reopen real; no reopen: reopen initial; close real; facts == nothing
MM-8, S-G3 if its player has left meanwhile, that of the next
  hands a 3 3, b 4 K, c 6 A, d 7; a 3 3; b -; close real; drop c; reopen real; turn == d
MM-5 a round that ended in the Initial Phase had no Real Match to close
  hands a STARLINK, b 4; no not_open: close real
MM-9 the engine always shows the run; by default it wins nothing
  hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5; run == a 3; b -; c -; turn == a leads
  titles == nothing; a 6; b 8; run == b 1
MM-9 instant_win: three tricks in a row unanswered, the hand not empty: out with a Human Hand
  set three_in_a_row=instant_win; hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5
  titles == nothing; b -; c -; titles == a human_hand; points == a 100; turn == b leads; laws == nothing; b 8; c -
  b 9 9; titles ~ b ground_snatch; status == finished
MM-9 instant_win: out, and not twice
  set three_in_a_row=instant_win; hands a 3 4 5, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5; b -; c -
  titles == a ground_snatch; points == a 300
MM-9 instant_win: answered
  set three_in_a_row=instant_win; hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5; b 8; c -
  a -; titles == nothing; turn == b leads
MM-9 ask_host: at the third play in a row a host is asked; play goes on; he rules
  set three_in_a_row=ask_host; hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5
  open == ruling : a; b -; ruling "win bob: he is somebody else"; kinds == ruling; ruling "win A: the third one counts"
  titles == a human_hand; kinds == nothing; c -; turn == b leads
MM-9 ask_host: or closes it
  set three_in_a_row=ask_host; hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5; close ruling
  kinds == nothing; titles == nothing; ruling "win a: too late"; titles == nothing; b -; c -; a 6; b -; c -; a 7
  titles == a ground_snatch
MM-9 ask_host: the round ends meanwhile; the match waits for the ruling
  set three_in_a_row=ask_host; hands a 3 4 5 6 7, b 8 9 9, c 8 10 10; a 3; b -; c -; a 4; b -; c -; a 5; close real
  status == deciding; ruling "win a"; titles == a human_hand, b total_loser, c total_loser; points == a 100
  status == finished; laws == nothing
MM-24 points are summed; each round has its own draw and deal; with more rounds the match goes on
  set rounds=2; hands a 3 3, b 4 K; a 3 3; view host phase == initial; status == running; round == 2; titles == nothing
  result host scores == a 500; no not_open: close initial; no not_open: close real; no not_playing: b 4
  no undrawn: deal --method typed; draw --banker b; hand a 3 4; hand b 5; deal --method typed; open; b 5
  result host scores == a 500, b 500; status == finished; ranking == a=b; no any: draw --banker a
  amend-setting rounds=3; round == 3; status == running
MM-24, S-11 a round that nobody has opened is none; one that is played is played out
  set rounds=3; hands a 9, b 3 3 5; a 9; round == 2; amend-setting rounds=1; status == finished
  result host scores == a 500; no over: draw --banker a; amend-setting rounds=2; status == running; draw --banker a
  hand a 9; hand b 3 5; deal --method typed; open; amend-setting rounds=1; status == running; a 9; status == finished
  round == 2
MM-25 no clock by default
  four; owed == a move; clock == none; no no_clock: timeout a; view host ends == absent
MM-25 turn_seconds: a turn ends so many seconds after it began; nothing happens by itself
  set turn_seconds=60; four; +1ms; no not_your_turn: timeout b; +1m-2ms; no in_time: timeout a; refusal ~ 1 second left
  +1ms; timeout a; trick == a single 3; facts ~ Played; turn == b; +2m; turn == b; timeout b; turn == c; c J
  clock ~ 0.016
MM-25 how long he has left, in seconds below two minutes
  set turn_seconds=7200; four; no in_time: timeout a; refusal ~ 120 minutes left; +2h-121000ms; no in_time: timeout a
  refusal ~ 3 minutes left; +2000ms; no in_time: timeout a; refusal ~ 119 seconds left
MM-25 what comes after the end of a turn counts; the hosts read how late it was
  set turn_seconds=60; four; a 3; facts !~ CameLate; +150000ms; b -; facts ~ CameLate
  explain ~ B's turn had ended 1 minute 30 seconds before; told b !~ ended; told public !~ ended; turn == c; +61000ms
  c J; facts ~ CameLate; turn == d
MM-25 a pause moves the end by what is left of it
  set turn_seconds=60; four; +10000ms; pause; clock == none; view public paused == yes; +80000ms; no paused: timeout a
  +20000ms; resume; view public paused == absent; no in_time: timeout a; refusal ~ 50 seconds left
MM-25 the turn began when the clock stood still: a whole one after it
  set turn_seconds=60; four; pause; +15000ms; a 3; +30000ms; resume; no in_time: timeout b; refusal ~ 60 seconds left
MM-25 whose turn begins while the clock stands still is told of that, and of no end
  set turn_seconds=60; four; a 3; news public ~ B is next, until; pause; b 7
  news public ~ C is next, the clock is paused.; news public !~ C is next, until
  view public ends == absent; resume; view public ends !~ absent
MM-25 nor where there is no clock
  four; pause; a 3; news public ~ B is next.
MM-25 deadline moves the end, also where no clock is set
  four; deadline "in 1h"; clock == 1h; +1h; timeout a; turn == b; clock == none
MM-25 not where it is nobody's turn
  set rounds=2; hands a 3 3, b 4 K; a 3 3; deadline "in 1h"; view host ends == absent
MM-25 the lowest single may be a Joker
  set turn_seconds=60; hands a LJ BJ, b 4; +1m; timeout a; trick ~ boat
MM-25 without cards there is nothing to lead
  set turn_seconds=60; four; override a hand none; +1m; no no_cards: timeout a
  refusal ~ A holds no cards to lead | hl close real
S-G3 who leaves is passed over and loses; his last play has still to be beaten; fewer than two end the round
  hands a 3 3, b 4 K, c 6 A, d 7 9; drop a; turn == b leads; b 4; drop b; c -; d -; turn == c leads; drop c
  status == finished; titles == a total_loser, b total_loser, c total_loser, d total_loser; points == nothing
MM-32 seats and cards are typed without who has left
  set short_hands=true; of a b c; drop b; no left: draw --banker b
  no left: draw --banker a --seats a --seats b --seats c; draw --banker a; hand a 3 4 5; no left: hand b 3 4 5
  hand c 3 4 5; deal --method typed; open; turn == a leads
MM-32 who takes a seat over that the draw left out is told where they sit; not who takes over one that was drawn
  set short_hands=true; of a b c; replace c Cid; told public == - Cid takes over the seat of C.; drop c
  draw --banker b --seats b --seats a; replace c Cyd; told public == - Cyd takes over the seat of Cid, and sits after A.
  explain == Cyd takes over the seat of Cid, and sits after A; view host players ~ c; replace a Al
  told public == - Al takes over the seat of A.; drop c; hand a 3; hand b 4; deal --method typed; replace c Cyd
  told public == - Cyd is back in their seat.
MM-32 a Starlink that was dealt to who leaves before play counts for nothing
  set short_hands=true; of a b c d; draw --banker b; hand a 5 6 7; hand b 3 3 3 3 3 3; hand c BJ BJ LJ LJ; hand d 8 9
  deal --method typed; drop b; open; points == c 900; turn == d leads; override b hand none; laws == nothing
S-G3, 2.3 who was to answer last leaves: the owner of the trick leads at once
  hands a 3 9, b 4 K, c 6 A; a 3; b -; drop c; turn == a leads
2.4, MM-6 if the Banker leaves before he has played, the next seat leads first
  hands a 9 9, b 5, c 4 4 6; drop a; b 5; titles ~ b ground_hand; points == b 500
host powers: override sets that field and nothing else; laws left broken are named
  hands a 3 3, b 4 K, c 6 A; override b hand "k 5 t"; view host players.b.hand == 5 10 K
  laws ~ 0 x 4 are held or played, 1 were dealt / 1 x 5 are held or played, 0 were dealt; override b hand "4 K"
  laws == nothing; override c points 42; ranking ~ c; laws == nothing; override c points 0; override c title HUMAN_HAND
  laws == c has 0 points as Human Hand; override c points 100; laws == nothing
  override c points 0; titles == c human_hand; turn == a leads; override c title none; titles == nothing
  override c hand none; view host players.c.count == 0; no title: override a title king; no card: override a hand X
  no number: override a points x; no field: override a chips 1
4 points may fall below zero
  hands a 3 4, b 4 5, c 6 7; override b points -50; points == b -50; ranking == a=c b
  no number: override b points fifty
4 there are neither garnets nor tokens; a host may keep the season's books all the same
  four; award a garnets 3; award a tokens 1; penalty a --garnets 1; garnets == a 2; override a garnets 1; garnets == a 1
  laws == nothing; no no_round: resolve; result host garnets == nothing; result public tokens == nothing
5 hands private, sizes and plays public; all hands once the match is finished
  hands a 3 3 10, b 4 BJ, c J LJ; a 10; view host players.b == count 2, hand 4 BJ; view host trick.cards == 10
  view a players.a.hand == 3 3; view a players.b.hand == absent; view public players.b.count == 2
  view public players.a.hand == absent; view public trick.cards == 10; view public turn == b; close real
  view public players.b.hand == 4 BJ; view public phase == finished
5 own_hand = host
  set see.own_hand=host; hands a 3 3 10, b 4 BJ; a 10; view a players.a.hand == absent; view host players.a.hand == 3 3
5 own_hand = everybody
  set see.own_hand=everybody; hands a 3 3 10, b 4 BJ; view public players.b.hand == 4 BJ
5 hand_sizes = host
  set see.hand_sizes=host; hands a 3 3 10, b 4 BJ; view a players.a.count == absent; view host players.a.count == 3
5 how many cards are left is told down to the last one
  hands a 3 4 5, b 9 9, c 10 J; a 3; told public ~ 2 cards left; b -; c -; a 4; told public ~ 1 card left; b -; c -; a 5
  told public ~ 0 cards left
5 hand_sizes = host: it is told to nobody
  set see.hand_sizes=host; hands a 3 4 5, b 9 9, c 10 J; a 3; told public !~ left; told b !~ left; b -; c -; a 4
  told public !~ left; b -; c -; a 5; told public !~ left; news a !~ left; news b !~ left
5 hand_sizes = owner
  set see.hand_sizes=owner; hands a 3 3 10, b 4 BJ; view a players.a.count == 3; view a players.b.count == absent
5 points = nobody_ever: no titles, and no ranking either
  set see.points=nobody_ever; hands a 3 3 10, b 4 BJ; view a players.a.points == absent; result a ranking == absent
  view a titles == nothing; view host players.a.points == 0
5 points = host: a heavenly hand is shown, and not what it is worth
  set see.points=host; hands a STARLINK, b 5, c 6; told public ~ A shows a Starlink; told public !~ point
5 plays = host: neither turn nor trick; who names who leads tells who played last
  set see.plays=host post_win_lead=named; hands a 9, b 3 3 5, c 4 4 6; view a turn == none; view host turn == a; a 9
  b -; c -; view a trick == none; view a players.a.run == absent; result public decisions == nothing
  open == choose a: b c
5 plays = host: the end of a turn is not told after a pause either
  set see.plays=host turn_seconds=60; hands a 3 3 10, b 4 K; pause; +1h; resume; told public == - The clock runs again.
5 plays = host: an end for who names who leads is told nobody
  set see.plays=host post_win_lead=named; hands a 3 3, b 8 Q, c 4 9; a 3 3; b -; c -; deadline "in 1h"; clock == 1h
  told public == nothing
5 plays = host: a refused turn tells nobody but hosts whose turn it is, or what lies there
  set see.plays=host; hands a 9, b 3 3 5, c 4 4 6
  no not_now: b 3; refusal ~ B cannot do that now | hl status | it is A's turn
  a 9; no not_now: b 3; refusal ~ B cannot do that now | hl status | 3 does not beat 9
5 what is played is open where the table says so, a draw always; a hand to its player: everybody
  set see.plays=everybody; four; opens play a 3 == everybody; opens pass a == everybody; opens draw == everybody
  opens hand b 3 == b; opens deal == nothing
5 plays = everybody_after_end
  set see.plays=everybody_after_end; four; opens play a 3 == later; opens pass a == later
5 plays = host
  set see.plays=host; four; opens play a 3 == nothing; opens pass a == nothing; opens draw == everybody
5 plays = owner
  set see.plays=owner; four; opens play a 3 == a; opens pass a == a
5 final_hands = everybody: remaining hands are open at the end, and not before
  set see.final_hands=everybody; hands a 3 3, b 4 K; view public players.b.hand == absent; a 3 3
  view public players.b.hand == 4 K
5 final_hands = host: remaining hands stay closed at the end, but to their owners
  set see.final_hands=host; hands a 3 3, b 4 K; a 3 3; view public players.b.hand == absent
  view b players.b.hand == 4 K
MM-14 a higher type beats a lower one only across types
  set cross_type=false; hands a K K 3, b 5 5 5 4, c 9; a K K; no any: b 5 5 5
MM-14 cross_type
  set cross_type=true; hands a K K 3, b 5 5 5 4, c 9; a K K; b 5 5 5
MM-15 a 2 may be attached to a Rocket
  set rocket_attach_two=true; hands a 4 4 4 3 3, b 5 5 5 2 4, c 9; a 4 4 4 3; b 5 5 5 2
MM-15 or not
  set rocket_attach_two=false; hands a 4 4 4 3 3, b 5 5 5 2 4, c 9; a 4 4 4 3; no any: b 5 5 5 2
MM-31 a group needs a natural card
  set wild_needs_natural=true; hands a 3 3 4 4 5 5 3, b 6 6 2 2 8 8 4, c 9; a 3 3 4 4 5 5; no any: b 6 6 2 2 8 8
MM-31 or not
  set wild_needs_natural=false; hands a 3 3 4 4 5 5 3, b 6 6 2 2 8 8 4, c 9; a 3 3 4 4 5 5; b 6 6 2 2 8 8
MM-18 an attachment for each group
  set attachments=per_group; hands a 4 4 4 5 5 5 3 9 3, b 6 6 6 7 7 7 8 4, c 9; a 4 4 4 5 5 5 3 9
  no any: b 6 6 6 7 7 7 8
MM-18 or one for all
  set attachments=fixed; hands a 4 4 4 5 5 5 3 3, b 6 6 6 7 7 7 8 4, c 9; a 4 4 4 5 5 5 3; b 6 6 6 7 7 7 8
1 hands have 54 cards without short_hands
  of a b; draw --banker a; no hand_size: hand a 3; hand a 333333334444444455555555666666667777777788888888999999
  no hand_size: hand b 99TTTTTTTTJJJJJJJJQQQQQQQQKKKKKKKKAAAAAAAA22222222LJLJBJ
whose turn it is may play all that a hint lists, as declared, and pass; nobody else has a move
  hands a 3 3 10, b 4 4 BJ 2, c J; moves a == Play 3 single:3 Play 10 single:10 Play 3 3 pair:3; a 10
  moves b == Pass Play 2 single:2 Play BJ boat:BJ; moves a == nothing; moves c == nothing
"""


def typed(line: str) -> str:
    """What hosts type for `a 3 3` and `b -`."""
    found = re.fullmatch(r"([a-d]) (.+)", line)
    if found is None:
        return line
    return f"pass {found[1]}" if found[2] == "-" else f'play {found[1]} "{found[2]}"'


test_rule = lines.plays(RULES, STARTS, SHOWS, typed)


def test_1_packs():
    """1: N packs have 4N of each rank, N Big and N Little Jokers; 54 cards each."""
    for number in (2, 3, 7):
        assert packs(number) == (4 * number,) * 13 + (number, number)
        assert len(deck(number)) == 54 * number
    assert deck(2)[:9] == ("3",) * 8 + ("4",) and deck(2)[-4:] == ("LJ", "LJ", "BJ", "BJ")


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("3 3 3 K", "3 3 3 K"), ("333k", "3 3 3 K"), ("k,3,3 3", "3 3 3 K"), ("t", "10"), ("TT10", "10 10 10"),
        ("bj lj 2", "2 LJ BJ"), ("LJBJ", "LJ BJ"), ("BJJ", "J BJ"), ("a2", "A 2"), ("10J", "10 J"),
    ],
)  # fmt: skip
def test_1_how_cards_are_typed(typed, cards):
    """1: any case, spaces, commas or nothing between; T is 10 and is never written."""
    assert " ".join(read_cards(typed)) == cards
    assert CARDS.read(typed, None) == cards


@pytest.mark.parametrize("typed", ["", "1", "0", "11", "B", "L", "3♠", "R7", "3-3", "joker", "3 3 X"])
def test_1_an_unknown_card(typed):
    """1: nothing is guessed."""
    with told(Unreadable, "marsmatch.card") as refusal:
        read_cards(typed)
    assert refusal.value.fix


@pytest.mark.parametrize("given", [a.Draw(), a.Draw(None, ("b", "c", "a")), a.Draw("a"), a.Draw("a", ("b", "c", "a"))])
def test_2_1_a_draw_can_be_repeated(match, given):
    """S-G5: the seed is kept where something was drawn, gives the same again, and another outcome is found."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(range(32)))})()
    (action,) = GAME.prepare(play.state, given, luck)
    assert (action.seed is None) is (given.banker is not None)
    assert GAME.audit(play.state, action, 12) is None
    if action.seed is not None:
        other = action._replace(banker=next(p for p in "abc" if p != action.banker))
        assert "another Banker" in GAME.audit(play.state, other, 12)
        assert GAME.audit(play.state, action._replace(seed="xyz"), 12) == "its seed is not in hex digits"
        assert GAME.prepare(play.state, other, luck) == (other._replace(drawn=None, draw=None, seed=None),)


def test_2_1_a_draw_is_recorded_whole(match):
    """2.1: without Banker or without seats it is no draw, whoever wrote the entry."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    for half in (a.Draw("a"), a.Draw(None, ("a", "b", "c")), a.Draw()):
        with told(Refused, "marsmatch.undrawn"):
            GAME.decide(play.state, half, moment_of(play))


def test_2_1_a_drawn_deal_can_be_repeated(match):
    """S-G5: the seed deals the hands again; other hands are found; a typed deal has no seed."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    play.do(a.Draw())
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(range(32)))})()
    *hands, deal = GAME.prepare(play.state, shared.Deal(), luck)
    for one in (*hands, deal):
        play.do(one)
    assert GAME.audit(play.state, deal, 12) is None
    assert "other hands" in GAME.audit(play.state, deal._replace(seed="00" * 32), 12)
    assert GAME.audit(play.state, deal._replace(seed="zz"), 12) == "its seed is not in hex digits"
    assert "there is no seed" in GAME.audit(play.state, deal._replace(seed=None), 12)
    assert GAME.audit(play.state, shared.Deal("typed"), 12) is None


def test_2_1_a_commitment_serves_the_first_round(match):
    """docs/audit.md: `commit` and words fix the first deal; a later round draws a seed of its own."""
    play = match("marsmatch", players=["a", "b", "c", "d"], settings={"rounds": 2}, opened=False)
    play.do(a.Draw())
    drawn_from = {"deal": kit_luck.pack(deck(4)), "each": EACH, "to": ["a", "b", "c", "d"]}
    draws = frozenset({kit_luck.digest(drawn_from)})
    fixed = Published("11" * 32, bytes(range(32)), (("a", "the rain"),), ("22" * 32,), "11" * 32, draws=draws)
    luck = type("Luck", (), {"seq": 12, "published": fixed, "seed": staticmethod(lambda: bytes(32))})()
    *hands, deal = GAME.prepare(play.state, shared.Deal(), luck)
    assert deal._replace(draw=None) == shared.Deal("drawn", None, "11" * 32, ("22" * 32,))
    for one in (*hands, deal):
        play.do(one)
    key = kit_luck.mix(fixed.seed, fixed.words)
    assert GAME.audit(play.state, deal, 12, key) is None
    assert "other hands" in GAME.audit(play.state, deal, 12, kit_luck.mix(fixed.seed))
    before = play.state.hands
    (late,) = GAME.decide(play.state, shared.Word("b", "too late"), Moment(play.now, 99))
    assert late == table_facts.WordLate("b")
    play.do(shared.Open())
    play.do(shared.Close("real"))
    assert play.state.round == 2
    play.do(a.Draw())
    *_, deal = GAME.prepare(play.state, shared.Deal(), luck)
    assert deal._replace(draw=None) == shared.Deal("drawn", "00" * 32)
    play.do(shared.Deal())
    assert play.state.hands != before


def test_1_a_short_hand_has_some_cards(match):
    short = match("marsmatch", players=["a", "b"], settings={"short_hands": True}, opened=False)
    short.do(a.Draw("a"))
    short.refuse(shared.Hand("a", ()), "hand_size")


INITIAL = [
    # (hands, default: points, every_holder: points)
    ((STARLINK, UFO, "3*5 K", "4"), {"a": 10_000, "b": 700}, None),
    (("4", UFO, STARLINK, "3*7 K"), {"c": 9_000}, {"b": 900, "c": 9_000}),
    (("4", UFO, UFO, "3*7 K"), {"b": 900, "c": 900}, None),
    ((UFO, UFO, "4", "5"), {"a": 1_000, "b": 700}, None),
    (("3*7 K", "LJ BJ BJ BJ 4", "5", "6"), {}, None),
    # MM-2: seven is none; both in one hand pay the better only; other splits of four Jokers are no UFO
    (("3*6 LJ LJ BJ BJ K", "4", "5", "6"), {"a": 10_000}, None),
    (("LJ LJ LJ BJ 4", "LJ BJ BJ BJ 4", "5", "6"), {}, None),
    (("LJ LJ BJ BJ BJ 4", "5", "6", "7"), {}, None),
    # MM-4: a UFO of the Banker does not stop a follower's Starlink
    ((UFO, STARLINK, "5", "6"), {"a": 1_000, "b": 7_000}, None),
    # MM-3: ties score in full, and the lower class gets nothing by default
    (("5", STARLINK, STARLINK, UFO), {"b": 9_000, "c": 9_000}, {"b": 9_000, "c": 9_000, "d": 900}),
]


@pytest.mark.parametrize(("hands", "points", "every"), INITIAL)
def test_2_2_the_initial_phase(mars, hands, points, every):
    """2.2, MM-1 to MM-4, with both settings of snatch; MM2 is among these."""
    seats = dict(zip("abcd", hands, strict=True))
    for snatch, wanted in (("best_class", points), ("every_holder", every or points)):
        play = mars(seats, settings={"snatch": snatch})
        assert play.points() == wanted
        winners = [p for p in "abcd" if p in wanted]
        assert sorted(play.state.out[: len(winners)]) == winners
        others = [p for p in "abcd" if p not in wanted]
        if len(others) > 1:
            assert play.state.active() == tuple(others) and play.turn == others[0]
        assert GAME.invariants(play.state) == ()


def test_how_a_declaration_is_typed():
    """`--as`: the type in any case, with - or _; a rank and attachments after it; a slip is answered."""
    assert READING.read("Rocket", None) == "rocket"
    assert READING.read("pair-sequence:t", None) == "pair_sequence:10"
    assert READING.read("Pair Sequence:t", None) == "pair_sequence:10"
    assert READING.read("STARSHIP:6+PAIRS", None) == "starship:6+pairs"
    with pytest.raises(Unreadable) as refusal:
        READING.read("rockt", None)
    assert refusal.value.code == "combination.unknown" and "rocket" in refusal.value.fix


def test_4_a_title_without_its_points_is_named(mars):
    """4: 500, 300 and 100 for those who go out, 0 for a Total Loser; a host may set a title, and the laws say what of
    it does not add up; points that a title brought a host may change."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A"}).go("a 3 3")
    play.do(shared.Close("real"))
    for title, right, name in (("ground_hand", 500, "Ground Hand"), ("ground_snatch", 300, "Ground Snatch")):
        play.do(shared.Override("b", "title", title))
        for points in (0, 1, 100, 300, 500):
            play.do(shared.Override("a", "points", str(points)))
            play.do(shared.Override("b", "points", str(points)))
            assert GAME.invariants(play.state) == (() if points == right else (f"b has {points} points as {name}",))


def test_nothing_is_hinted_after_the_end(mars):
    """Nobody takes part in play then."""
    for player in ("a", "b"):
        over = mars({"a": "3", "b": "4"}).go("a 3")
        with told(Refused, "marsmatch.no_hint"):
            hint(over.state, player)


def test_how_a_hint_reads(mars):
    """One line for each type and shape: the ranks at which it can be played, and the lowest cards that do."""

    def shown(play, player):
        heading, *rest = report.hint(frame(play.state.table, "MarsMatch", "host"), hint(play.state, player))
        return heading.text, rest[0].rows if isinstance(rest[0], Table) else rest[0]

    play = mars({"a": "5 5 5 6 6 6", "b": "9*5 BJ 3", "c": "4"})
    assert shown(play, "a") == (
        "A to lead with",
        (
            ("single card", "5 6", "5"), ("Pair", "5 6", "55"), ("Rocket", "5 6", "555"),
            ("Rocket, 2 groups", "6", "555 666"), ("Rocket with singles", "5 6", "555 6"),
            ("Rocket with pairs", "5 6", "555 66"),
        ),
    )  # fmt: skip
    play.go("a 5 5")
    assert shown(play, "b") == ("B to beat 5 5", (("Pair", "9", "99"), ("Drone", "4×9 5×9", "9999")))
    assert shown(play, "c") == ("C to beat 5 5, once it is their turn", text("Nothing: only a pass."))
    boats = (("single card", "3", "3"), ("Lone Boat", "BJ", "BJ"), ("Boat with a single", "BJ+3", "3 BJ"))
    assert shown(mars({"a": "BJ 3", "b": "4"}), "a") == ("A to lead with", boats)


def test_hint_names_only_what_may_be_played(mars):
    """Every line of a hint can be played as it stands; nothing else of the hand can, at that rank and shape."""
    play = mars({"a": "3 3 4 4 5 5 K", "b": "6 6 7 7 8 2 2 BJ LJ 3 3 3", "c": "9"}).go("a 3 3 4 4 5 5")
    for one in hint(play.state, "b").plays:
        facts = GAME.decide(play.state, a.Play("b", " ".join(one.cards)), moment_of(play))
        assert facts[0].reading.type == one.type


def test_how_three_threes_read_is_for_the_hosts(mars):
    """3, `super_drone_by_holding`: it tells how many 3s he holds besides, so that a refusal says nothing of it."""
    said = set()
    for hand in ("3 3 3 J Q BJ", "3 3 3 3 Q BJ", "4 4 K J Q BJ"):
        play = mars({"b": hand, "c": "9 10 J Q K", "a": "4 5 6 7 8"}, settings={"super_drone_by_holding": True})
        for played, reading in (("3 3 3", "drone"), ("3 3 3 BJ", None)):
            refusal = play.refuse(a.Play("b", played, reading))
            said.add((played, refusal.code, refusal.what, refusal.fix))
            assert refusal.host_only
    assert len(said) == 2
