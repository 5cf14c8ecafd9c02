"""Equilibrium, rule by rule: sections 1 to 9 of the rule page, the gaps (EQ-n), the season layer (S-n).

Each case begins with the rule it holds (tests/table/lines.py). The expected values were worked out from the pages by
hand; every setting is tested both ways.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.audiences import EVERYBODY_AFTER_END, HOST
from events.errors import LedgerError, Unreadable
from events.instants import later
from games.contract import Moment
from games.equilibrium import actions as a, facts as f
from games.equilibrium.actions import VISIBILITY
from games.equilibrium.cards import sort
from games.kit import luck
from games.parts import HandDealt
from games.table import actions as shared, facts as table_facts
from tests.support.ended import BEST_TWICE, DEAL, ENDS, MINUTE, PAIRS, Fixed, ended, hand_set, trade_all
from tests.support.play import Play, only
from tests.table import lines


def all_traded(said: str, **given: Any) -> Play:
    """Every pair has traded."""
    play = Play(hands=DEAL, **given)
    trade_all(play, PAIRS)
    return play


def here(said: str, **given: Any) -> Play:
    """Every pair without p2 has traded; or p2 has left, and so many of them have."""
    play = Play(hands=DEAL, settings={"garnet_hands": []}, **given)
    if said:
        play.do(shared.Drop("p2"))
    trade_all(play, [pair for pair in PAIRS if "p2" not in pair][: int(said or 21)])
    return play


def most(said: str, **given: Any) -> Play:
    """p1 and p2 hold what they hold at the end; p2 has traded."""
    play = Play(hands=ENDS, **given)
    play.do(a.Trade("p2", "R7", "p8", "R7"))
    play.do(hand_set("p1", BEST_TWICE["p1"]))
    play.do(shared.Close())
    return play


STARTS = {
    "": lambda said, **given: Play(**given),
    "dealt": lambda said, **given: Play(hands={**DEAL, **lines.pairs(said)}, **given),
    "hands": lambda said, **given: Play(hands=lines.pairs(said), **given),
    "ended": lambda said, **given: ended(Play, lines.pairs(said), **given),
    "twice": lambda said, **given: ended(Play, {**BEST_TWICE, **lines.pairs(said)}, **given),
    "final": lambda said, **given: Play(hands=ENDS, **given),
    "most": most, "here": here, "gone": here, "traded": all_traded,
}  # fmt: skip
SHOWS = {
    "hand": lambda play: play.state.hands,
    "ticked": lambda play: play.state.ticked,
    "pairs": lambda play: ["-".join(pair) for pair in play.state.traded],
    "locked": lambda play: list(play.state.locked),
    "offers": lambda play: len(play.state.offers),
    "awards": lambda play: {award.condition: award.player for award in play.state.table.awards},
    "over": lambda play: play.state.over,
    "closed": lambda play: [fact.why for fact in only(play.last, f.OfferClosed)],
    "ended": lambda play: [x.why for x in only(play.told, table_facts.PhaseEnded) if x.phase == "trading"],
}
RULES = """
1 five cards each, nothing left over; a hand is a sorted tuple of faces, however it was typed
  dealt p1 "R2 B9 R9 B4 R4"; hand p1 == R2 B4 R4 B9 R9; hand p8 == B1 R1 B2 R5 R7; laws == nothing
1 each player brings the garnets he holds
  set garnet_hands=[]; with p1=1 p3=3; dealt; garnets == p1 1, p3 3
1 at most four of any value; more than two of one face only by recolouring
  set garnet_hands=[]; with p1=3; hands p1 "R7 R7 B7 B7 R2"; recolour p1 B7; recolour p1 B7; hand p1 == R2 R7 R7 R7 R7
  laws == nothing
2 PREGAME, DEAL, TRADING in that order; the deal happens once
  no any: open; deal; open; no any: hand p1 R4 B4 R9 B9 R2; no any: deal; no opened: open
2 nothing but questions before trading is opened: before the deal
  with p1=3; unopened; no not_open: trade p1 R2 p2 B4; no not_open: offer p1 R2 p2 B4; no not_open: accept p2 p1
  no not_open: recolour p1 R2; no not_open: lock p1; no not_open: unlock p1; no not_open: withdraw p1 p2
  no not_open: decline p2 p1
2 and after it; a note may be kept
  with p1=3; unopened; dealt; no not_open: trade p1 R2 p2 B4; no not_open: offer p1 R2 p2 B4; no not_open: accept p2 p1
  no not_open: recolour p1 R2; no not_open: lock p1; no not_open: unlock p1; no not_open: withdraw p1 p2
  no not_open: decline p2 p1; note "a question"; open; no opened: open
2 nothing of it when trading is over
  with p1=3; dealt; close; no trading_over: trade p1 R2 p2 B4; no trading_over: offer p1 R2 p2 B4
  no trading_over: accept p2 p1; no trading_over: recolour p1 R2; no trading_over: lock p1; no trading_over: unlock p1
  no trading_over: withdraw p1 p2; no trading_over: decline p2 p1
9 the entry of an offer is open to its two by the line of trades that are one's own
  dealt; opens offer p6 R2 p7 R2 == p6 p7; opens withdraw p6 p7 == p6 p7; opens decline p7 p6 == p6 p7
9 however open all others are
  set see.trade_done=host see.trades=everybody see.own_hand=everybody see.dealt_hands=everybody; dealt
  opens offer p6 R2 p7 R2 == nothing; opens withdraw p6 p7 == nothing; opens decline p7 p6 == nothing
2 trading is 72 hours, half-open
  dealt; ends == 72h; +72h-1ms; trade p1 R2 p2 B4; +1ms; no trading_over: trade p1 R9 p3 B5; over == yes
2 trading_hours
  set trading_hours=5; dealt; +5h; no trading_over: lock p1
2 the eighth lock ends trading
  dealt; lock p1; lock p2; lock p3; lock p4; lock p5; lock p6; lock p7; over == no; lock p8; over == yes
  no trading_over: trade p1 R2 p2 B4; ended == all players are locked; reopen trading; ends == none; locked == nothing
  over == no
2 FINAL evaluates, awards and finds the EC at the very end
  final; kinds == nothing; override p4 hand "B8 B7 B5 B4 B3"; awards == nothing; +72h; facts ~ TokenAwarded
  facts ~ EliminationFound; status == finished; view host phase == finished
2 vote_hours
  set vote_hours=3; ended; open == vote p1 p2 p5: p3 p4; status == deciding; until == 3h
2, S-2 gift_hours: an ungiven token lapses
  set gift_hours=7 tol_conditions=[best_er,best_poker]; twice; open ~ gift p1:; tokens == p1 2; +7h-1ms; kinds == gift
  +1ms; tokens == p1 1; no no_gift: gift p1 p8; status == finished
2 play begins once; the pregame ends by that and not by itself; what has ended may be ended again, in vain
  dealt; close pregame; facts == nothing; close trading; over == yes; close trading; facts == nothing
2, host powers: trading and decisions can be reopened, nothing else
  dealt; no any: reopen pregame; no any: reopen finished; close; no any: reopen pregame; no any: reopen deciding
  no any: reopen ruling; no any: reopen x
3 an offer needs a pair that has not traded, and the card that is given
  dealt; no card_not_held: offer p1 R10 p2 B4; offer p1 R2 p2 B4; accept p2 p1; no pair_used: offer p1 R9 p2 R6
  no pair_used: offer p2 R6 p1 R9; no any: offer p1 R4 p1 B4; no any: trade p1 R4 p1 B4
3 the proposer withdraws, the partner declines; a closed offer cannot be accepted, another can be made
  dealt; no no_offer: withdraw p1 p2; no no_offer: decline p2 p1; offer p1 R2 p2 B4; withdraw p1 p2
  no no_offer: accept p2 p1; offer p1 R2 p2 B4; decline p2 p1; offers == 0; offer p1 R2 p2 B4
  no no_offer: withdraw p2 p1; no no_offer: decline p1 p2
3 accept swaps one card each way at once, marks the pair used, and checks both hands for garnets
  dealt; offer p1 R2 p2 B4; hand p1 == R2 B4 R4 B9 R9; no no_offer: accept p1 p2; no no_offer: accept p3 p1
  accept p2 p1; hand p1 == B4 B4 R4 B9 R9; hand p2 == R2 R6 R7 R8 R10; pairs == p1-p2; ticked p1 == full received
  ticked p2 == flush received; garnets p1 == 1; garnets p2 == 1; no any: accept p2 p1; offers == 0
3, EQ-8 an offer that mirrors an open one is its acceptance, and says so; another one is not
  dealt; offer p1 R2 p2 B4; offer p2 R6 p1 R9; offers == 2; offer p2 B4 p1 R2; closed == accepted; pairs == p1-p2
3 both cards are needed when it is accepted, whatever was held when the offer was made
  dealt; offer p1 R2 p2 B4; trade p1 R2 p3 B5; no card_not_held: accept p2 p1; pairs == p1-p3; trade p1 B5 p7 R2
  accept p2 p1
3 trade is offer and acceptance in one
  dealt; trade p1 R2 p2 B4; hand p1 == B4 B4 R4 B9 R9; hand p2 == R2 R6 R7 R8 R10; pairs == p1-p2
  garnets == p1 1, p2 1, p6 1
3, EQ-10 an offer to somebody traded with meanwhile cannot be accepted
  dealt; offer p1 R2 p2 B4; trade p1 R9 p2 R6; no pair_used: accept p2 p1
3 recolour costs 1, flips one held card, needs a garnet
  with p1=1; dealt; no card_not_held: recolour p1 R10; recolour p1 R2; hand p1 == B2 B4 R4 B9 R9; garnets p1 == 0
  no no_garnet: recolour p1 R4
3 a lock is a marker; twice is refused, and so is unlocking what is not locked
  dealt; no not_locked: unlock p1; lock p1; locked == p1; no locked: lock p1; unlock p1; locked == nothing
4 the garnet is paid first, so at the cap a recolour into a paying class pays itself back
  with p3=3; dealt; recolour p3 R9; hand p3 == B5 B6 B7 B8 B9; garnets p3 == 3; ticked p3 == flush received
  explain ~ P3 pays 1 garnet
4 once per class and player: leaving the class and making it again pays nothing
  set garnet_cap=9; dealt; trade p1 R2 p2 B4; garnets p1 == 1; trade p1 B4 p8 R1; trade p1 R1 p7 R4
  ticked p1 == full received; garnets p1 == 1; trade p4 R5 p5 R3; garnets p4 == 1
4 recolours are counted, where everybody may know
  set see.recolours=everybody; with p1=3; dealt; recolour p1 R2; recolour p1 B2; view p2 players.p1.recolours == 2
6 a smaller difference is better; a tie goes to the larger total; equal in both is tied
  ended; ranking == p5 p2 p6 p1 p7 p8 p3=p4; result host scores == p1 1, p2 1, p3 5, p4 5, p5 1, p6 1, p7 1, p8 3
7, EQ-1 best ER, best poker hand, lowest sum of placings; one token each; er_metric = count
  ended; awards == best_er p5, best_poker p1, lowest_placing_sum p2; tokens == p1 1, p2 1, p5 1
EQ-1 er_metric = value
  set er_metric=value; ended; awards == best_er p7, best_poker p1, lowest_placing_sum p2; result host scores.p1 == 10
  result host scores.p7 == 3; open ~ : p3 p4
7 a tie in a condition: the better ER wins
  set tol_conditions=[best_poker]; ended p1 "R7 R7 B7 R8 R8"; awards == best_poker p2
7, EQ-20 still tied after both: that token is not awarded; nobody to vote: a lot among the last
  ended p1 "R9 R9 B9 R10 B10", p2 "B9 R9 B9 R10 B10", p5 "R4 B4 R9 B9 B8"; awards == nothing; tokens == nothing
  open == lot : p3 p4; no no_vote: vote p1 p3; lot p3 p4 --outcome p3; ec == p3; status == finished
7 the EC is found among players without a token; here the worst of all holds one
  set tol_conditions=[best_poker]; ended p1 "R2 R2 R2 R2 R1", p3 "R9 R6 B5 B4 R3", p4 "B9 B6 R5 R4 B3"
  awards == best_poker p1; ranking ~ p8 p1; ec == p8
7, EQ-21 a tie for the worst ER: the worse poker hand; he keeps his garnets
  with p4=2; ended p4 "B8 B7 B6 B5 B1"; ec == p4; garnets p4 == 2; ranking ~ p4
7 the other way round
  ended p4 "B10 B7 B5 B4 B1"; ec == p3; result public reasons ~ poker hand Flush, behind P4
7, S-3 still tied: the ToL holders vote, nobody else, and on the tied alone
  ended; no no_vote: vote p3 p4; no no_vote: vote p6 p4; no vote_candidate: vote p1 p8
  no vote_candidate: vote p1 p1; vote p1 p3; vote p2 p4; vote p5 p4; ec == p4; status == finished
8 a reward is never taken back; no garnet for winning
  dealt; garnets p6 == 1; trade p6 B9 p7 R1; garnets p6 == 1; close; garnets p6 == 1
EQ-3 tol_conditions is an ordered list
  set tol_conditions=[lowest_placing_sum,best_er]; ended; why ~ lowest; awards == best_er p5, lowest_placing_sum p2
EQ-3 it may be empty
  set tol_conditions=[]; ended; awards == nothing
EQ-3 most_trades; what the condition compares is said
  set tol_conditions=[most_trades,most_garnets_earned,best_er] garnet_hands=[flush]; dealt; trade p7 R1 p8 R1
  trade p7 R1 p5 R8; close; awards ~ most_trades p7
  why ~ most trades: 2 trades / most garnets earned: 1 garnet / best equilibrium: difference 1,
EQ-3 most_trades: ties to the better ER
  set tol_conditions=[most_trades]; dealt; trade p7 R1 p8 R1; close; awards == most_trades p8
EQ-3 host_decides leaves one token to a host, without a clock; one taken away is none given
  set tol_conditions=[best_poker,host_decides]; ended p4 "B8 B7 B6 B5 B1"; awards == best_poker p1; open ~ ruling :
  until == none; status == deciding; award p1 tokens -1; kinds == ruling; award p1 tokens 1; award p8 tokens 1
  tokens == p1 1, p8 1; status == finished
EQ-4 a dealt hand pays at once
  dealt; garnets p6 == 1; news p6 ~ Flush, for the first time
EQ-4 dealt_hands_count = false: the first trade that keeps it pays
  set dealt_hands_count=false; dealt; garnets p6 == 0; ticked p6 == absent; trade p6 B9 p7 B8; garnets p6 == 1
E1 garnets, cap, burnt classes, refused trades
  with p1=1 p3=3 p4=3 p5=1 p6=1 p7=1 p8=1; dealt; garnets == p1 1, p3 3, p4 3, p5 1, p6 2, p7 1, p8 1
  trade p1 R2 p2 B4; ticked p1 == full received; ticked p2 == flush received; hand p1 == B4 B4 R4 B9 R9
  hand p2 == R2 R6 R7 R8 R10; garnets == p1 2, p2 1, p3 3, p4 3, p5 1, p6 2, p7 1, p8 1; recolour p3 R9
  ticked p3 == flush received; hand p3 == B5 B6 B7 B8 B9; garnets p3 == 3; trade p4 R5 p5 R3; ticked p4 == full at_cap
  hand p4 == B3 R3 R3 B10 R10; garnets p4 == 3; recolour p4 R10; facts !~ ClassTicked; view p4 players.p4.class == full
  garnets p4 == 2; no pair_used: trade p1 R9 p2 R10; no card_not_held: trade p6 R1 p7 R2; trade p7 R1 p8 R1
  facts !~ ClassTicked; hand p7 == R1 R2 R4 R6 B8; no pair_used: trade p8 R1 p7 R1; recolour p8 R7; garnets p8 == 0
  no no_garnet: recolour p8 R5; garnets == p1 2, p2 1, p3 3, p4 2, p5 1, p6 2, p7 1
E1, EQ-2 with straights in garnet_hands: a dealt straight is met at the cap and burnt
  set garnet_hands=[four,full,flush,straight]; with p3=3; dealt; ticked p3 == straight at_cap; recolour p3 R9
  ticked p3 == flush received, straight at_cap; garnets p3 == 3
E2 the final hands: classes, totals, equilibrium; reopened, the result is taken back with its votes, and given anew
  ended; view public players.p1 == class four, equilibrium 1, hand B1 B1 R1 R1 R10, total 14; vote p1 p3
  view public players.p3.class == flush; view public players.p6.class == straight; reopen trading; status == running
  ec == nothing; tokens == nothing; kinds == nothing; close; open == vote p1 p2 p5: p3 p4; tokens == p1 1, p2 1, p5 1
  vote p1 p4; ec == nothing; vote p2 p4; vote p5 p4; ec == p4
EQ-5 recolour_counts = false
  set recolour_counts=false; with p3=1; dealt; recolour p3 R9; garnets p3 == 0; ticked p3 == absent
EQ-6 before the end a player sees his own cards and garnets alone; after it hands, class, ER, total, garnets of all
  with p1=2; dealt; trade p1 R2 p2 B4; view public players == absent; view p2 players.p1 == absent
  view p2 players.p2.hand == R2 R6 R7 R8 R10; view p2 players.p2.garnets == 1; close
  view public players.p1 == class full, equilibrium 1, garnets 3, hand B4 B4 R4 B9 R9, total 30
  view p1 players.p2 == class flush, equilibrium 5, garnets 1, hand R2 R6 R7 R8 R10, total 33
EQ-6 votes are never revealed
  ended; vote p1 p3; view public votes == absent; view p2 votes == absent
EQ-6 unless the host set it so
  set see.votes=everybody; ended; vote p1 p3; vote p2 p4; vote p5 p4; view public votes == p1 p3, p2 p4, p5 p4
EQ-6 who may know the votes reads with how much each voted only where garnets are open to everybody
  set see.votes=everybody tol_conditions=[best_poker,best_er]; ended p1 "B2 B2 B2 B2 B1"; award p5 garnets 9
  vote p1 p3; vote p5 p4; result public reasons.elimination.0.why ~ hold most garnets
  result p5 reasons.elimination.0.why !~ P1 with; result host reasons.elimination.0.why ~ P1 with
EQ-6 with garnets open everybody reads how much each voted with
  set see.votes=everybody see.own_garnets=everybody tol_conditions=[best_poker,best_er]
  ended p1 "B2 B2 B2 B2 B1"; award p5 garnets 9; vote p1 p3; vote p5 p4
  result public reasons.elimination.0.why ~ hold most garnets (P1 with
EQ-7 a trade of a card not held is refused, the pair is not used; no penalty is automatic
  with p6=1; dealt; no card_not_held: trade p6 R1 p7 R2; pairs == nothing; breach p6; garnets p6 == 2
  penalty p6 --garnets 1; garnets p6 == 1; trade p6 B1 p7 R2
EQ-8 one open offer per direction per pair; a new one replaces it
  dealt; offer p1 R2 p2 B4; offer p1 R9 p2 R10; closed == replaced; offer p2 R6 p1 R4; offers == 2; accept p2 p1
  hand p1 == R2 B4 R4 B9 R10; offers == 0
EQ-8 no expiry before the end; withdrawable until confirmed
  dealt; offer p1 R2 p2 B4; offer p1 R2 p3 B5; +72h-1ms; accept p2 p1; withdraw p1 p3
EQ-8 both players naming the identical pair of cards is an offer and its confirmation
  dealt; offer p1 R2 p2 B4; offer p2 B4 p1 R2; facts ~ Traded; hand p1 == B4 B4 R4 B9 R9; offers == 0
EQ-8 as a confirmation it is void when the first card has gone meanwhile
  dealt; offer p1 R2 p2 B4; trade p1 R2 p3 B5; no card_not_held: offer p2 B4 p1 R2; pairs == p1-p3
EQ-9 an offer for a card that the partner lacks is taken like any other; a refused trade names no side to be forwarded
  dealt; offer p1 R2 p2 B10; facts == Offered; no card_not_held: trade p1 R10 p2 B4; refusal ~ P1
  no card_not_held: accept p2 p1; refusal ~ P2
EQ-10 R1 for R1 consumes the pair and changes nothing
  dealt; trade p7 R1 p8 R1; hand p7 == R1 R2 R4 R6 B8; pairs == p7-p8; facts !~ ClassTicked
EQ-10 allow_identical_trade = false refuses it; the other colour is always legal
  set allow_identical_trade=false; dealt; no identical: trade p7 R1 p8 R1; no any: offer p7 R1 p8 R1; pairs == nothing
  trade p1 R4 p2 B4
EQ-11 multi_tol = next_best
  set tol_conditions=[best_er,best_poker] multi_tol=next_best; twice; awards == best_er p1, best_poker p2
EQ-11 in the order of the conditions
  set tol_conditions=[best_poker,best_er] multi_tol=next_best; twice; awards == best_poker p1, best_er p5
EQ-11 multi_tol = lapse: the surplus is lost
  set tol_conditions=[best_er,best_poker] multi_tol=lapse; twice; tokens == p1 1; kinds == nothing; status == finished
EQ-11 give_away: gifts wait until the EC is found, and may not go to him (nor by a reopened vote)
  set tol_conditions=[best_er,best_poker]; ended p1 "R9 R9 B9 B9 R10"; kinds == vote; tokens == p1 2; no any: gift p1 p3
  vote p1 p3; ec == p3; kinds == gift; no gift_candidate: gift p1 p3; gift p1 p4; tokens == p1 1, p4 1; reopen vote
  ec == nothing; tokens == p1 2; kinds == vote; vote p1 p4; ec == p4; tokens == p1 2; kinds == gift; gift p1 p3
  tokens == p1 1, p3 1; status == finished
S-2 a spare token goes to anybody but the EC and not to a holder, given by its winner alone
  set tol_conditions=[best_er,best_poker,lowest_placing_sum]; twice; tokens == p1 3; no any: gift p1 p4
  no any: gift p1 p1; no any: gift p2 p3; gift p1 p2; no any: gift p1 p2; no any: gift p2 p3; status == deciding
  gift p1 p3; tokens == p1 1, p2 1, p3 1; status == finished; no any: gift p1 p6
EQ-12 garnet_class_mode = class
  set garnet_hands=[flush,straight,full,trips,pair,two_pair] garnet_cap=9 max_garnets_from_match=9
  hands p1 "R4 R5 R6 R7 R8", p2 "R9 B9 R9 B10 R10"; garnets p1 == 1; garnets p2 == 1
EQ-12 contains: a straight of one colour is both, a full house also trips and two pair
  set garnet_class_mode=contains garnet_hands=[flush,straight,full,trips,two_pair,pair] garnet_cap=9
  set max_garnets_from_match=9; hands p1 "R4 R5 R6 R7 R8", p2 "R9 B9 R9 B10 R10"; garnets p1 == 2; garnets p2 == 4
EQ-13 max_garnets_from_match is a limit of its own
  set garnet_cap=9 max_garnets_from_match=1 garnet_hands=[full,trips]; hands p1 "R9 B9 R9 B10 R3", p2 "R10 B1 R5 R6 R7"
  garnets p1 == 1; trade p1 R3 p2 R10; ticked p1 == full at_limit, trips received; garnets p1 == 1
EQ-13, S-7 garnet_cap is the other one: excess is discarded
  set garnet_cap=1 garnet_hands=[full,trips]; hands p1 "R9 B9 R9 B10 R3", p2 "R10 B1 R5 R6 R7"; trade p1 R3 p2 R10
  ticked p1 == full at_cap, trips received; garnets p1 == 1
EQ-13 that somebody holds the most allowed tells of their purse: where it is closed they do not read why
  set garnet_cap=1 garnet_hands=[full] see.own_garnets=host; with p1=1
  hands p1 "R9 B9 R9 B10 R3", p2 "R10 B1 R5 R6 R7"; trade p1 R3 p2 R10
  ticked p1 == full at_cap; told p1 ~ it earned no garnet.
EQ-14 the new colour travels with the card; whoever holds it may recolour it back, for a garnet again
  with p1=2 p3=1; dealt; recolour p1 R2; recolour p1 B2; hand p1 == R2 B4 R4 B9 R9; garnets p1 == 0; trade p1 R2 p3 B5
  recolour p3 R2; hand p3 ~ B2; garnets p3 == 0
EQ-14 recolouring unlocks him and nobody else
  with p1=1; dealt; lock p1; lock p2; recolour p1 R2; locked == p2
EQ-16 the match ends at the 28th trade, by itself only once
  set garnet_hands=[]; with p1=1; traded; over == yes; no trading_over: recolour p1 R4; reopen trading; over == no
EQ-16 auto_end_after_last_trade = false: garnets stay spendable to the end
  set garnet_hands=[] auto_end_after_last_trade=false; with p1=1; traded; over == no; recolour p1 R4; +72h; over == yes
EQ-17 a lock bars from nothing; confirming a trade unlocks both traders, an offer unlocks nobody
  dealt; lock p1; lock p2; lock p3; offer p1 R2 p2 B4; locked == p1 p2 p3; accept p2 p1; locked == p3
EQ-17 lock_grace_minutes: the end comes that long after the eighth lock, unless somebody unlocks before
  set lock_grace_minutes=10; dealt; lock p1; lock p2; lock p3; lock p4; lock p5; lock p6; lock p7; lock p8; +10m-1ms
  unlock p1; +10m; over == no; lock p1; +10m-1ms; over == no; +1ms; over == yes
EQ-17 a grace that runs past the 72 hours does not lengthen them
  set lock_grace_minutes=60; dealt; +71h+59m; lock p1; lock p2; lock p3; lock p4; lock p5; lock p6; lock p7; lock p8
  +1m; over == yes
EQ-17 players and public see how many are locked, hosts see who
  dealt; lock p1; lock p2; view public locked == 2; view p3 locked == 2; view host locked == 2
  view host players.p1.locked == yes; view p3 players.p1 == absent; view p1 players.p1.locked == yes
EQ-17 not with the line locked_count closed
  set see.locked_count=host; dealt; lock p1; view p3 locked == absent; view public locked == absent
  view host locked == 1
EQ-20 the worst of all holds a token: he is no candidate, and votes; with the token taken away the other way round
  set tol_conditions=[best_poker,best_er]; ended p1 "B2 B2 B2 B2 B1"; tokens == p1 1, p5 1; open == vote p1 p5: p3 p4
  award p1 tokens -1; tokens == p5 1; ec == p1
EQ-22 proposed before and confirmed after the end is void
  dealt; +72h-1ms; offer p1 R2 p2 B4; +1ms; no trading_over: accept p2 p1; hand p1 == R2 B4 R4 B9 R9
EQ-23 the pair knows; for the others nothing differs, not even the number of trades left
  dealt; trade p1 R2 p2 B4; view p1 players.p1.traded_with == p2; view p1 trades_left == 6
  view p2 players.p2.traded_with == p1; view public trades_left == absent; view p3 trades_left == 7
  view host trades_left == 27; told p3 == nothing
EQ-24 a deal before play is told when play opens
  unopened; dealt; view p6 players.p6.hand == absent; news p6 !~ Flush; open; view p6 players.p6.hand == B1 B3 B5 B7 B9
EQ-24 when play opens what a class earned is told where both of its lines are open
  set see.garnet_gained=host; unopened; dealt; open; news p6 !~ for the first time
EQ-24 hands_told = at_deal
  set hands_told=at_deal; unopened; dealt; view p6 players.p6.hand == B1 B3 B5 B7 B9; news p6 ~ Flush
S-3 one vote a person, however many tokens; one against one and no garnets: a lot
  set garnet_hands=[] tol_conditions=[best_er,best_poker,most_trades]; most
  awards == best_er p1, best_poker p1, most_trades p2; open == vote p1 p2: p3 p4; vote p1 p3; vote p2 p4; ec == nothing
  kinds == lot
S-3 when a host corrects a hand after the vote, only votes of those who then hold a token count
  ended; vote p1 p3; vote p2 p4; vote p5 p4; ec == p4; override p5 hand "R10 B10 R4 B9 B1"; tokens ~ p2; tokens !~ p5
  ec == nothing; kinds == lot
S-4 plurality; tie: the candidate whose voters hold most garnets
  with p1=2 p2=1 p5=3; ended; vote p1 p3; vote p2 p4; +24h; ec == p3
S-4 tie: a lot
  with p1=1 p2=1 p5=3; ended; vote p1 p3; vote p2 p4; +24h; ec == nothing; kinds == lot
S-4 among whom a lot is after a vote tells whom most voted for: who may not know the votes is not told, nor may open it
  with p1=1 p2=1 p5=3; ended; vote p1 p3; vote p2 p4; +24h; result host decisions.0.among == p3 p4
  result public decisions.0 == kind lot; result p1 decisions.0 == kind lot; opens lot p3 p4 --outcome p3 == nothing
  lot p3 p4 --outcome p3; opens lot p3 p4 --outcome p3 == nothing; result public reasons.elimination.0.how == lot
S-4 also if nobody voted; who may know the votes is told
  ended; +24h; result public decisions.0 == kind lot; opens lot p3 p4 --outcome p3 == nothing
S-4 with the votes open
  set see.votes=everybody; ended; +24h; result public decisions.0 == among p3 p4, kind lot
  opens lot p3 p4 --outcome p3 == later
EQ-20 without a vote among whom it is, is known
  ended p1 "R9 R9 B9 R10 B10", p2 "B9 R9 B9 R10 B10", p5 "R4 B4 R9 B9 B8"
  result public decisions.0 == among p3 p4, kind lot; opens lot p3 p4 --outcome p3 == later
S-6 garnets are never negative
  with p1=1; dealt; no any: penalty p1 --garnets 2; no any: award p1 garnets -2; award p1 garnets -1; garnets p1 == 0
S-11 hours amended move the end; no other setting does, and after the end nothing
  dealt; +1h; amend-setting trading_hours=80; ends == 79h; amend-setting trading_hours=70; ends == 69h
  amend-setting vote_hours=48; ends == 69h; close; amend-setting trading_hours=80; over == yes
S-11 also while the clock is paused
  dealt; +1h; pause; +2h; amend-setting trading_hours=80; +3h; resume; ends == 79h
S-G3 who has left does nothing; locks are waited for from the others alone
  with p1=2; dealt; drop p1; no left: trade p1 R2 p2 B4; no left: recolour p1 R2; lock p2; lock p3; lock p4; lock p5
  lock p6; lock p7; over == no; lock p8; over == yes
EQ-25, EQ-16 what remains possible is counted of those who are here
  gone 20; view host trades_left == 1; over == no
EQ-25, EQ-16 trading ends with the last trade that is possible
  gone 21; over == yes
EQ-25, EQ-16 and when who leaves was the last to trade with
  here; view host trades_left == 7; view p1 trades_left == 1; drop p2; facts ~ PhaseEnded; over == yes
EQ-25, EQ-17 a lock of who left is none, and the text says of how many
  dealt; lock p2; drop p2; lock p1; report public ~ Locked in: 1 of 7.
EQ-25 who has left is no partner, and offers to them are gone
  dealt; offer p1 R2 p2 B4; drop p2; report p1 ~ Not yet traded with: P3, P4, P5; no left: trade p1 R2 p2 B4
  replace p2 Zoe; no no_offer: accept p2 p1; report p1 ~ Not yet traded with: Zoe, P3
S-2, S-G3 a spare token is not given to who has left; a gift that was recorded before stands
  set tol_conditions=[best_er,best_poker]; twice; drop p2; no gift_candidate: gift p1 p2; gift p1 p3; drop p3
  tokens == p1 1, p3 1
EQ-3 host_decides twice: one declared token leaves the other open
  set tol_conditions=[host_decides,host_decides]; ended; declare token p1 --tokens 1; kinds == ruling
  declare token p2 --tokens 1; kinds !~ ruling; tokens == p1 1, p2 1
S-G3, 2 nobody is left to lock: the clock ends trading, once
  set auto_end_after_last_trade=false; dealt; drop p1; drop p2; drop p3; drop p4; drop p5; drop p6; drop p7; drop p8
  no left: lock p1; over == no; +72h; ended == its 72 hours are over
9 own garnet gained; which class gave which garnet is never told of others
  dealt; view p6 players.p6.earned == flush; view p7 players.p6 == absent; view public players == absent
9 not even where the line says everybody
  set see.garnet_gained=everybody; dealt; view p6 players.p6.earned == flush; view p7 players.p6.earned == absent
9 and not to himself where it is closed
  set see.garnet_gained=host; dealt; view p6 players.p6.earned == absent
EQ-24 nor what they were paid for, where that the deal earned is closed
  set see.dealt_garnet=host; dealt; view p6 players.p6.earned == absent
9 final hands, classes, ranks and garnets are told at game end, also where their lines say everybody
  set see.final_hands=everybody see.final_classes=everybody see.final_er=everybody see.final_garnets=everybody; dealt
  view public players == absent; view p2 players.p1 == absent; close; view public players.p1.hand == R2 B4 R4 B9 R9
9 equilibrium, and the sum of a hand, are told as their own line says
  set see.final_er=host; dealt; close; view public players.p1 == class two_pair, hand R2 B4 R4 B9 R9
9 scores are of the end, also where their line says everybody
  set see.final_er=everybody; dealt; result public scores == absent
9 with whom one has traded is one's own, also where that line says everybody
  set see.trade_done=everybody; dealt; trade p1 R2 p2 B4; view p1 players.p1.traded_with == p2
  view p3 players.p1 == absent; view p3 trades_left == 7; view public trades_left == absent
EQ-6 one's own vote may be told to oneself
  set see.votes=owner; ended; vote p1 p3; vote p2 p4; view p1 votes == p1 p3; view public votes == absent
9 garnets closed
  set see.own_garnets=host see.final_garnets=host; dealt; close; view p1 players.p1.garnets == absent
6, 7, 9 the ranking goes by equilibrium and then by poker hand: who may not know both does not read it
  set see.final_classes=host; ended; result public scores ~ p3 5; result public ranking == absent
6, 7, 9 without equilibrium no scores either
  set see.final_er=host; ended; result public scores == absent; result public ranking == absent
"""
test_rule = lines.plays(RULES, STARTS, SHOWS)


@pytest.mark.parametrize(
    "hands",
    [
        {**DEAL, "p1": "R4 B4 R9 B9 R4"},  # a third R4 and one R2
        {**DEAL, "p1": "R4 B4 R9 B9"},
        {**DEAL, "p1": "R4 B4 R9 B9 R2 R2", "p7": "R1 R4 R6 B8"},
    ],
    ids=["three of a copy", "a card short", "six and four"],
)
def test_a_deal_that_is_not_the_deck(match, hands):
    """1: a typed deal must be the deck, five each; otherwise nothing is dealt."""
    play = match()
    with pytest.raises(LedgerError) as refusal:
        for player, text in hands.items():
            play.do(shared.Hand(player, tuple(text.split())))
        play.do(shared.Deal("typed"))
    assert refusal.value.code.startswith("equilibrium.")
    play.refuse(shared.Open())


def test_a_seeded_deal(match):
    """1: a drawn deal is the published shuffle of the deck in its documented order; the same seed deals the same."""

    play = match()
    actions = play.game.prepare(play.state, shared.Deal(), Fixed())
    for action in actions:
        play.do(action)
    order = [f"{c}{v}" for v in range(1, 11) for c in "BR" for _ in range(2)]
    wanted = luck.deal(order, play.state.table.seats, 5, luck.mix(bytes(range(32))))
    assert play.state.hands == {p: sort(hand) for p, hand in wanted.items()}
    deal = actions[-1]
    assert deal.method == "drawn" and deal.seed == bytes(range(32)).hex()
    assert play.game.audit(play.state, deal, 18) is None


LINES = """
own_hand owner view p1 players.p1.hand
own_garnets owner view p1 players.p1.garnets
dealt_garnet owner news p6 ~ Flush, for the first time
trade_done traders view p2 players.p2.traded_with
garnet_gained owner news p1 ~ Full House, for the first time
garnet_gained owner news p6 ~ Flush, for the first time
recolour_done owner news p3 ~ You paid
locked_count everybody view p8 locked
locks everybody view p8 players.p5.locked
final_hands everybody_after_end view public players.p1.hand
final_classes everybody_after_end view public players.p1.class
final_er everybody_after_end view public players.p1.total
tokens everybody_after_end result public tokens
elimination everybody_after_end result public elimination
final_garnets everybody_after_end result public garnets
trades everybody_after_end view public players.p1.traded_with
dealt_hands everybody_after_end view public players.p1.dealt
recolours everybody_after_end view public players.p3.recolours
earned everybody_after_end view public players.p1.earned
"""
"""Line, a level that shows it, what is asked then, and in a text what is looked for. `votes` has cases of its own."""


@pytest.mark.parametrize("row", LINES.split("\n")[1:-1])
def test_every_line_of_the_information_table(match, row):
    """EQ-6: each line of the information table is a setting: what it allows is shown, what it keeps is not."""
    line, level, *what = row.split(" ")
    asked, _, wanted = " ".join(what).partition(" ~ ")
    for shown in (level, "host", "nobody_ever"):
        play = match(hands=DEAL, garnets={"p3": 1}, settings={"visibility": {line: shown}})
        for action in (a.Trade("p1", "R2", "p2", "B4"), a.Recolour("p3", "R9"), a.Lock("p5")):
            play.do(action)
        if level.endswith("end"):
            play.do(shared.Close())
        found = lines.ask(play, asked)
        assert (wanted in found and found not in ("absent", "none", "")) == (shown == level), shown
    assert {*(named.split(" ")[0] for named in LINES.split("\n")[1:-1]), "votes"} == set(VISIBILITY)


def test_a_refusal_to_accept_names_no_side(match):
    """EQ-9: what may be forwarded of a refused trade does not say which side lacked the card; the host is told."""
    texts = set()
    for give, take, lacking in (("R10", "B4", "P1"), ("R2", "B10", "P2")):
        play = match(hands=DEAL)
        refusal = play.refuse(a.Trade("p1", give, "p2", take))
        assert lacking in refusal.host_only
        texts.add((refusal.code, refusal.what, refusal.fix))
    assert len(texts) == 1


def test_a_remark_ends_nothing(match):
    """EQ-17: the clock ends trading. A note about an entry lets no time pass, and so does not end it in its place."""
    play = match(hands=DEAL, settings={"lock_grace_minutes": 10})
    for player in DEAL:
        play.do(a.Lock(player))
    late = Moment(later(play.now, 20 * MINUTE), 99, "mara")
    (remark,) = play.game.decide(play.state, shared.Note("all eight are locked", about=30), late)
    assert isinstance(remark, table_facts.Remarked) and play.game.due(play.state) == later(play.now, 10 * MINUTE)


def test_a_trade_is_told_to_the_two(match):
    """9: each reads of their own trade and of his own hand, dealt, told or set; others and the public nothing."""
    for level in ("traders", "host"):
        play = match(hands=DEAL, settings={"visibility": {"trade_done": level}})
        facts = only(play.do(a.Trade("p1", "R2", "p2", "B4")), f.Traded)
        told_to = {v for v in ("p1", "p2", "p3", "public") if play.game.tell(play.state, facts, v)}
        assert told_to == ({"p1", "p2"} if level == "traders" else set())
    for level in ("owner", "host"):
        play = match(hands=DEAL, settings={"visibility": {"own_hand": level}})
        by_host = only(play.do(hand_set("p1", "R1 R4 B6 R9 R10")), f.HandSet)
        for fact in (*only(play.dealt, HandDealt)[:1], f.HandsTold(("p1",)), *by_host):
            told_to = {v for v in ("p1", "p2", "public") if play.game.tell(play.state, [fact], v)}
            assert told_to == ({"p1"} if level == "owner" else set()), fact


def test_laws_that_an_override_breaks(match):
    """The engine notices a hand of four, a card made of nothing, and garnets below zero."""
    play = match(hands=DEAL)
    assert play.game.invariants(play.state) == ()
    short = play.state._replace(hands={**play.state.hands, "p1": play.state.hands["p1"][:4]})
    assert "p1 holds 4 cards" in play.game.invariants(short)
    table = play.state.table._replace(purses={"p1": -1, "bank": 1})
    assert play.game.invariants(play.state._replace(table=table)) == ("p1 holds -1 garnets",)


@pytest.mark.parametrize("action", [shared.Deal("typed"), shared.Deal("drawn", seed="00"), shared.Seed("00")])
def test_what_all_hands_follow_from_is_open_with_the_dealt_hands(match, action):
    """9: dealt hands are never told: nor is the deal opened, unless a setting opens them, and then after the end."""
    for level, who in (("host", HOST), ("nobody_ever", HOST), ("everybody", EVERYBODY_AFTER_END),
                       ("everybody_after_end", EVERYBODY_AFTER_END)):  # fmt: skip
        play = match(hands=DEAL, settings={"visibility": {"dealt_hands": level}})
        assert play.game.audience(play.state, action) == who, level


def test_a_card_has_one_spelling(match):
    """1: notation R7, B10; what hosts type otherwise is recorded so, and a hand sorted; what is no card is refused."""
    play = match(hands=DEAL)
    (said,) = play.game.prepare(play.state, hand_set("p1", "tr, 4black B2 red-9, b10"), Fixed())
    assert said.value == "B2 B4 R9 B10 R10"
    for text in ("", " , ", "R11", "R0", "G4", "R4 B4 R9 B9 x"):
        with pytest.raises(Unreadable) as refusal:
            play.do(hand_set("p1", text))
        assert refusal.value.code == "equilibrium.card"
