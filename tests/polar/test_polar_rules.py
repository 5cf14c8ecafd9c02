"""Polar RPS Party, rule by rule: sections 1 to 6 of the rule page, the gaps (PL-n), the season layer (S-n).

Each case begins with the rule it holds (tests/table/lines.py). The expected values were worked out from the pages by
hand; every setting is tested both ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from events.audiences import HOST
from events.errors import Refused, Unreadable
from games.contract import Moment
from games.polar import actions as a, facts as f
from games.polar.actions import VISIBILITY
from games.polar.rules import OVERRIDES
from games.polar.sheets import score
from games.table import actions as shared, facts as table_facts
from tests.support.play import only
from tests.support.polar import DUEL, PL1, Polar
from tests.table import lines


def placed(said: str, where: Mapping[str, str] = PL1, **given: Any) -> Polar:
    """Round 1: `a rock + confetti ticket, b paper -`; where nobody has a sign only the bombs are said."""
    rows = lines.pairs(said)
    if " + " in f"{said} ".replace(",", " ") or " - " in f"{said} ".replace(",", " "):
        where = {p: " ".join(row.split()[:2]) for p, row in rows.items()}
        rows = {p: " ".join(row.split()[2:]) for p, row in rows.items()}
    return Polar.placed(where, rows, **given)


def pl1(said: str, **given: Any) -> Polar:
    """Scenario PL1: Rock Polarity x2 + Confetti; Scissors Double + Confetti; Paper Double x2."""
    used = "polarity rock,polarity rock,confetti rock,double scissors,confetti scissors,double paper,double paper"
    bombs = dict(zip(PL1, used.split(","), strict=True))
    play = Polar.placed(PL1, {p: bomb.split()[0] for p, bomb in bombs.items()}, **given)
    for player, bomb in bombs.items():
        play.submit(player, bomb=bomb)
    play.resolve()
    return play


STARTS = {
    "": lambda said, **given: Polar(**given),
    "placed": placed,
    "pl1": pl1,
    "duel": lambda said, **given: placed(said, DUEL, **given),
    "ended": lambda said, **given: Polar.ended({p: int(n) for p, n in lines.pairs(said).items()}, **given),
}
SHOWS = {
    "rooms": lambda play: play.have("room"),
    "signs": lambda play: play.have("sign"),
    "points": lambda play: play.have("points"),
    "tickets": lambda play: play.have("tickets"),
    "swaps": lambda play: play.have("swaps"),
    "bombs": lambda play: play.have("bombs"),
    "held": lambda play: {
        p: [row["tickets"], row["swaps"], *(f"{bomb} {n}" for bomb, n in sorted(row["bombs"].items()))]
        for p, row in play.view()["players"].items()
    },
    "void": lambda play: {p: " / ".join(play.void(p)) for p in play.state.table.players},
    "scores": lambda play: play.view()["rounds"][-1]["scores"],
    "sheets": lambda play: play.view()["sheets"],
    "paid": lambda play: [fact.price for fact in only(play.last, f.Bought)],
    "voids": lambda play: " / ".join(f"{v.item}: {v.why}" for v in only(play.last, f.ItemVoid)),
    "placed": lambda play: {fact.player: fact.drawn for fact in only(play.last, f.Placed)},
}
RULES = """
1, S-6 a room, a sign, 4 tickets, 2 swaps, two bombs of his choice, 0 points; garnets of the season
  with a=9; placed a rock + confetti ticket, b scissors - double polarity; rooms == a rock, b scissors
  signs == a +, b -; held == a 4 2 confetti 1 ticket 1, b 4 2 double 1 polarity 1; points == nothing; garnets == a 9
1, PL-1 the roster says how many play, from two to thirteen
  of a b c d e f g h i j k l m; resolve; facts ~ Placed; resolve; facts ~ Scored; scores m !~ absent
1 the pregame of 48 hours, then rounds of 24; nothing is scored in the pregame
  of a b; view host phase == pregame; view host of == 9; ends == 48h; resolve; facts !~ Scored
  view host rounds == nothing; view host phase == round; ends == 24h; view host round == 1; +1h; resolve; facts ~ Scored
  view host round == 2; ends == 24h
1 pregame_hours: submissions end by themselves, and the round waits to be resolved
  set pregame_hours=5; of a b; ends == 5h; +5h; view public closed == yes; view host phase == pregame
  no pregame: swap a; refusal ~ it is not resolved yet | hl resolve
1 round_hours
  set round_hours=7; of a b; resolve; ends == 7h; +7h; view public closed == yes
1, S-11 rounds: a host may amend it as long as they are not over
  set rounds=3; duel; resolve; amend-setting rounds=2; no rounds: amend-setting rounds=1
  refusal ~ round 2 has already begun; resolve; view host phase == deciding; no rounds: amend-setting rounds=5
  refusal ~ the rounds are over; no no_round: resolve; no no_round: swap a
1 no sheet before open; play is opened once; each phase takes its own sheets only
  of a b; unopened; view host phase == pregame; status == setup; no no_round: start a rock +; no no_round: resolve; open
  no opened: open; no pregame: swap a; no pregame: go a rock; no pregame: bomb a double rock; no pregame: buy a ticket
  no pregame: submit a --swap; resolve; no pregame_over: start a rock +
1, S-G5 who names no room or sign gets one by lot
  of a b c d; start a rock blank; start b blank -; start c cellar plus --as-sent; resolve
  placed == a sign, b room, c room, d room sign; rooms a == rock; signs b == -; signs c == +
S-G5 a lot that was drawn elsewhere, for those who need one; one each, and nothing that is no room or sign
  of a b c; start a rock +; no any: resolve --drawn b; no any: resolve --drawn "b rock"
  no any: resolve --drawn "b rock + x"; refusal ~ is not a player; no room: resolve --drawn "b attic +"
  no room: resolve --drawn "b blank +"; no sign: resolve --drawn "b rock ?"; no sign: resolve --drawn "b rock blank"
  no unknown: resolve --drawn "zed rock +"; no drawn: resolve --drawn "b rock +"; refusal ~ C named no room and no sign
  refusal !~ C |; no drawn: resolve --drawn "b rock +" --drawn "B r plus" --drawn "c rock +"
  resolve --drawn "B r plus" --drawn "c scissors minus"; rooms == a rock, b rock, c scissors; signs c == -
1 nothing is drawn in a round
  of a b; resolve; no no_draw: resolve --drawn "a rock +"
1, S-9 a later first sheet replaces the one before it; an earlier one never fills its gaps; a blank takes it all
  of a b; start a rock + double ticket; start a paper - confetti; start b rock + double ticket; blank b; resolve
  rooms a == paper; signs a == -; bombs a == confetti 1; placed b == room sign; bombs b == nothing
PL-3 what of a first sheet counts for nothing is said when it comes in, and with the start
  set bad_bomb=lose_both; of a b; start a cellar blank double bazooka --as-sent
  voids ~ room "cellar": there is no such room
  voids ~ "bazooka" Bomb: there is no such bomb, it is lost / Double Bomb: lost with the other one; start b rock + blank
  resolve; void a ~ room "cellar": there is no such room, a lot decides / "bazooka"
  void b ~ nameless Bomb: there is no such bomb, it is lost / second bomb: none is named, it is lost
1 when the pregame is resolved everybody learns rooms and signs, and not who chose which bombs
  of a b c; start a rock + double ticket; view public players.a == nothing; view public begin == absent
  resolve --drawn "b rock -" --drawn "c paper +"; view public begin == rooms paper c, rock a b, signs a +, b -, c +
  told public ~ The start; told public !~ lot; told public !~ Double; told b ~ Drawn by lot for you: Rock and -
  told a !~ lot
3 the worked example: Rock A+ B+ C-, Paper D- E-, Scissors F+ G-
  placed; resolve; scores == c 1, d 1, e 1, f -1, g -1
  explain ~ F scores -1 in round 1: in Scissors, +2 for those in Paper
3, PL-4 polarity_scope = all: plus is the rarer sign
  set polarity_scope=all; placed; resolve; scores == a 1, b 1, d 1, e 1, g -1
3 Rock beats Scissors: +1 for each player beaten, -1 for each who beats
  placed a rock +, b rock +, c scissors +; resolve; scores == a 1, b 1, c -2
3 Paper beats Rock
  placed a paper +, b paper +, c rock +; resolve; scores == a 1, b 1, c -2
3 Scissors beats Paper
  placed a scissors +, b scissors +, c paper +; resolve; scores == a 1, b 1, c -2
3.2, 3.3, PL-25 everybody moves and swaps at once, then points are counted
  placed a rock +, b paper +, c scissors +; submit a --ticket paper; submit b --ticket rock --swap
  submit c --ticket rock; rooms a == rock; resolve; rooms == a paper, b rock, c rock; signs b == -
  scores == a 2, b -1, c -1; tickets a == 3
3.5, PL-5 double_mode = base_only: a base below zero doubles too
  placed a rock +, b paper + double ticket, c paper + confetti ticket; submit b --bomb double rock
  submit c --bomb confetti rock; resolve; points == a -3, b 1, c 1
PL-5 double_mode = cancels_others
  set double_mode=cancels_others; placed a rock +, b paper + double ticket, c paper + confetti ticket
  submit b --bomb double rock; submit c --bomb confetti rock; resolve; points == a -4, b 1, c 1
PL-5 double_mode = cancelled_by_others
  set double_mode=cancelled_by_others; placed a rock +, b paper + double ticket, c paper + confetti ticket
  submit b --bomb double rock; submit c --bomb confetti rock; resolve; points == a -1, b 1, c 1
PL1 the rooms, signs and bombs of the scenario
  pl1; points == a 1, b 1, c 6, d 2, e 2, f -1, g -1
  view public rounds.0.bombs == paper double 2, rock confetti 1, polarity 2, scissors confetti 1, double 1
PL1, PL-4 among all
  set polarity_scope=all; pl1; points == a 6, b 6, c 1, d 2, e 2, f 1, g -1
PL1, PL-5 cancels_others
  set double_mode=cancels_others; pl1; points == a 1, b 1, c 6, d 2, e 2, f -2, g -2
PL1, PL-5 cancelled_by_others
  set double_mode=cancelled_by_others; pl1; points == a 1, b 1, c 6, d 2, e 2
PL1, PL-4, PL-5 cancels_others among all
  set double_mode=cancels_others polarity_scope=all; pl1; points == a 6, b 6, c 1, d 2, e 2, g -2
3.4, PL-12 a ticket for each Ticket Bomb to everybody in the room after the moves; not usable in the same round
  placed a rock + ticket ticket, b paper + ticket double, c rock +; override c tickets 0; submit a --bomb ticket rock
  submit b --bomb ticket rock --ticket rock; submit c --ticket paper; resolve; tickets == a 6, b 5, c 2; rooms c == rock
  submit c --ticket paper; resolve; tickets c == 1; rooms c == paper
3.4, PL-11 bombs hit who is there after the moves
  placed a rock + confetti confetti, b rock +; submit a --bomb confetti rock --ticket paper; resolve; scores == a 1
PL-21 the same bomb on the same room: both consumed, both listed
  duel a confetti double, b confetti double; submit a --bomb confetti rock; submit b --bomb confetti rock; resolve
  view public rounds.0.bombs.rock == confetti 2; bombs == a double 1, b double 1; points a == 1
3, PL-4, PL-5 every point has a reason
  placed a polarity double, b confetti ticket, c double ticket; submit a --bomb polarity rock
  submit b --bomb confetti rock; submit c --bomb double rock; resolve
  explain ~ C scores 5 in round 1: in Rock, +2 for those in Scissors, -2 for those in
  explain ~ Paper, +1 for the rarer sign -: 1, doubled 2, +1 Confetti, +2 Polarity
4, PL-6 prices rise for each kind: 1+2+3; bombs of all types are one kind; no refund
  with a=20; duel; view a players.a.prices == bomb 1, swap 1, ticket 1
  submit a --buy ticket --buy ticket --buy ticket --buy double --buy polarity --buy swap; voids == nothing; resolve
  paid == 1 2 3 1 2 1; held a == 7 3 double 1 polarity 1; garnets a == 10
  view a players.a.prices == bomb 3, swap 2, ticket 4; submit a --buy ticket_bomb --buy swap; resolve
  held a == 7 4 double 1 polarity 1 ticket 1; garnets a == 5
PL-6 price_scope = per_player
  with a=1 b=8; duel; submit a --buy ticket; resolve; submit b --buy ticket --buy ticket; resolve; paid == 1 2
  garnets == b 5
PL-6 price_scope = market: counted for all; within a round each pays his own
  set price_scope=market; with a=10 b=8; duel; submit a --buy ticket --buy ticket; submit b --buy ticket; resolve
  garnets == a 7, b 7; view a players.a.prices.ticket == 4; submit b --buy ticket; resolve; paid == 4
PL-7 what cannot be paid fails, in the player's order; a later cheaper one does not; what hung on it is blank
  with a=4; duel; submit a --buy double --buy confetti --buy polarity --buy swap --bomb polarity rock; resolve
  garnets a == 0; held a == 4 3 confetti 1 double 1
  void a == buy a Polarity Bomb: it costs 3 garnets, 1 left / Polarity Bomb on Rock: no Polarity Bomb left
PL-7 use_same_round: what is bought with a sheet can be used by it
  with a=3; duel; override a tickets 0; override a swaps 0
  submit a --buy ticket --buy swap --buy confetti --ticket paper --swap --bomb confetti rock; resolve; rooms a == paper
  held a == 0 0
PL-7 use_same_round = false: from the next round on
  set use_same_round=false; with a=3; duel; override a tickets 0; override a swaps 0
  submit a --buy ticket --buy swap --buy confetti --ticket paper --swap --bomb confetti rock; resolve; rooms a == rock
  held a == 1 1 confetti 1; submit a --ticket paper --swap --bomb confetti rock; resolve; held a == 0 0
  rooms a == paper
PL-7 purchase_window = every_round: not with the first sheet
  of a b; with a=3; start a rock + double double --buy double; resolve; held a == 4 2 double 2; garnets a == 3
  void a ~ buy a Double Bomb: nothing is sold in the pregame
PL-7 purchase_window = pregame_too
  set purchase_window=pregame_too; of a b; with a=3; start a rock + double double --buy double --buy ticket --buy ticket
  resolve; held a == 5 2 double 3; garnets a == 1; void a == buy a Ticket: it costs 2 garnets, 1 left
  view a players.a.prices == bomb 2, swap 1, ticket 2
2, PL-25 the sign flips at the end, one swap less; the new sign counts
  placed a rock +, b rock +, c rock +; submit a --swap; resolve; signs a == -; swaps == a 1, b 2, c 2; scores == a 1
  submit a --swap; resolve; signs a == +; points == a 1
2, PL-11 a bomb of a type he has, on any room, an empty one too; consumed and shown either way
  duel a confetti double; submit a --bomb confetti scissors; resolve; bombs a == double 1
  view public rounds.0.bombs == scissors confetti 1; scores == a -1, b 1
2, S-9 each item is judged by itself; an earlier sheet never fills the gap
  with a=1; duel a double confetti; submit a --ticket scissors --bomb confetti paper
  submit a --ticket rock --swap --bomb double rock --buy polarity --buy polarity; resolve; rooms a == rock; signs a == -
  held a == 4 1 confetti 1 polarity 1
  void a == buy a Polarity Bomb: it costs 2 garnets, 0 left / ticket to Rock: already in that room
2 valid iff he has a ticket, a swap, a bomb of that type; no more than he began with
  duel a double double; override a tickets 0; override a swaps 0; override a bombs none
  submit a --ticket paper --swap --bomb double rock; resolve; held a == 0 0
  void a == ticket to Paper: no ticket left / sign swap: no swap left / Double Bomb on Rock: no Double Bomb left
2 a room, sign, bomb or item that is none is the typing of the host, unless they say that it is the player's
  of a b; no room: start a papr +; refusal ~ did you mean paper? (--as-sent if the player wrote it so)
  no sign: start a rock pluss; refusal ~ one of: + - (--as-sent if the player wrote it so)
  no bomb: start a rock + dubble; refusal ~ did you mean double? (--as-sent if; no item: start a rock + --buy tiket
  refusal ~ did you mean ticket or ticket_bomb? (--as-sent; start a papr pluss dubble --buy tiket --as-sent; resolve
  no room: submit a --ticket papr; refusal ~ did you mean paper?; no bomb: submit a --bomb doble rock
  refusal ~ did you mean double?; no room: submit a --bomb double rok; refusal ~ did you mean rock?
  no item: submit a --buy swop; refusal ~ did you mean swap?
  submit a --ticket papr --bomb doble rok --buy swop --as-sent; no room: go a papr; refusal ~ did you mean paper?
  go a papr --as-sent; no bomb: bomb a doble rock; refusal ~ did you mean double?; bomb a doble rock --as-sent
  no room: bomb a double rok; refusal ~ did you mean rock?; bomb a double rok --as-sent; no item: buy a swop
  refusal ~ did you mean swap?; buy a swop --as-sent
2 go, swap, bomb and buy put one item in place of the one that was there, and leave the others
  with a=5; duel a double confetti; swap a; go a paper; go a scissors; bomb a double rock; buy a ticket swap; swap a
  sheets a == --ticket scissors --swap --bomb double rock --buy ticket --buy swap; bomb a confetti paper; buy a polarity
  sheets a == --ticket scissors --swap --bomb confetti paper --buy polarity; go a --off; swap a --off; buy a --off
  sheets a == --bomb confetti paper; bomb a --off; sheets a == nothing on it; view a submitted == yes; resolve
  held a == 4 2 confetti 1 double 1
2 short forms: an item or --off, not both, not neither; --off takes off what is there
  duel a double confetti; no what: go a; no what: bomb a; no what: bomb a double; no what: buy a
  no off: go a paper --off; no off: bomb a double rock --off; no off: bomb a double --off; no off: buy a swap --off
  no not_on: go a --off; refusal ~ A's sheet has no ticket
  no not_on: swap a --off; refusal ~ A's sheet has no sign swap
  no not_on: bomb a --off; refusal ~ A's sheet has no bomb; no not_on: buy a --off; refusal ~ A's sheet has no purchase
  no empty: submit a; blank a; no not_on: go a --off; go a paper; sheets a == --ticket paper
2 a purchase that names nothing is kept, is no item, and he reads it back
  with a=5; placed; submit a --buy blank --as-sent; told a ~ Your sheet for round 1: buy nothing.; resolve
  void a == buy nothing: there is no such item; garnets a == 5
S-10 a blank on purpose is no silence; it replaces a sheet; only the silent are waited for
  duel; owed == a sheet for round 1, b sheet for round 1; submit a --ticket paper; blank a
  told a ~ You submit nothing for round 1; sheets == a blank; owed == b sheet for round 1
  view a sheet == nothing, on purpose; view b sheet == none; resolve; rooms == a rock, b paper
S-10 who owes what in the pregame
  of a b; owed == a room, sign and two bombs, b room, sign and two bombs
S-G1 a late sheet counts only if a ruling admits it; it is this round's only
  duel; submit a --ticket scissors; close; submit a --ticket paper; told a ~ counts only if a host rules so
  sheets a == --ticket scissors; view a sheet ~ Scissors; ruling "admit @: the train"
  told a ~ Your late sheet for round 1 counts; sheets a == --ticket paper; no not_late: ruling "admit @1"
  no not_late: ruling "admit 1"; resolve; rooms a == paper
host powers: a closed round takes sheets again; a resolved one does not
  duel; close; reopen round_1; ends == none; submit a --ticket paper; sheets a == --ticket paper; close; deadline +2h
  submit a --ticket scissors; resolve; rooms a == scissors; no reopen: reopen round_1
  no not_this_round: resolve round_1
S-G3, PL-26 who leaves in the pregame and named nothing is in no room
  of a b; drop a; no left: start a rock +; resolve --drawn "b rock +"; rooms == b rock; resolve; scores == nothing
  view host rounds.0.rooms.rock == b
PL-26 who has left counts for the others until a host takes them out of the rooms
  placed a rock +, b scissors +, c scissors +; drop c; resolve; scores == a 2, b -1, c -1; override c room none
  told public ~ took C out of the rooms; resolve; scores == a 1, b -1
5, PL-16, S-2 two tokens to the first, one to the second; the first may give one away, not to the EC
  ended a 9, b 5, c 3, d 1; tokens == a 2, b 1; kinds == gift; ec == d; no gift_candidate: gift a a
  no gift_candidate: gift a b; no gift_candidate: gift a d; no no_gift: gift b c; gift a c
  tokens == a 1, b 1, c 1; status == finished; ranking == a b c d; result host scores == a 9, b 5, c 3, d 1
PL-16, S-2 gift_hours: a token that is not given lapses
  set gift_hours=2; ended a 9, b 5, c 3, d 1; +2h-1ms; tokens == a 2, b 1; +1ms; tokens == a 1, b 1; status == finished
5, PL-17 one first and several second: the first picks who of them wins the other, who then counts as a winner
  ended a 9, b 5, c 5, d 1, e 1; tokens == a 1; ec == nothing; open == choose a: b c; no no_choose: choose b c
  news a ~ Choose who of those in the second place wins a Token of Life: B or C.; no choose_candidate: choose a a
  no choose_candidate: choose a d; no no_vote: vote a d; choose a c; tokens == a 1, c 1; open == vote a c: d e
  no no_choose: choose a b; no no_vote: vote b d
PL-17 vote_hours: when he does not pick in time a lot does among the second
  set vote_hours=3; ended a 9, b 5, c 5, d 1; +3h-1ms; kinds == choose; +1ms; open == lot : b c
  no lot_outcome: lot --outcome d; lot --outcome b; tokens == a 1, b 1; ec == d
  why ~ second with 5 points, the winner picked nobody, drawn by lot
PL-17 a host ends the choice
  ended a 9, b 5, c 5, d 1; close choose; open == lot : b c
PL-17, S-G3 he leaves
  ended a 9, b 5, c 5, d 1; drop a; open == lot : b c
PL-17, host powers: the choice can be reopened; the tokens follow
  ended a 9, b 5, c 5, d 1; choose a b; tokens == a 1, b 1; status == finished; reopen choose; kinds == choose
  tokens == a 1; choose a c; tokens == a 1, c 1
PL-17 with the line tokens closed nobody is told whom the winner picked: it wins a token
  set see.tokens=host; ended a 9, b 5, c 5, d 1; choose a b; tokens == a 1, b 1; told public !~ chooses
5, S-G3 leaver_result = out: who is left alone with points has nobody behind them
  set leaver_result=out rounds=1; of a b; resolve; drop b; resolve; tokens == a 1; kinds == ruling
5, PL-18 two to four tied first: one token each and nothing else; no second place
  ended a 9, b 9, c 9, d 9, e 5, f 1; tokens == a 1, b 1, c 1, d 1; ec == f; status == finished; kinds == nothing
5, PL-19 five or more tied first: no tokens, no voters either, so a lot among several lowest
  ended a 9, b 9, c 9, d 9, e 9, x 1, y 1; tokens == nothing; open == lot : x y; lot --outcome y; ec == y
  status == finished
5 max_tied_tol: more than so many tied first, and nobody wins a token
  set max_tied_tol=2; ended a 9, b 9, c 9, d 1; tokens == nothing
5, PL-19 two to four, all tied: everybody holds a token, so hosts declare, whenever they do
  ended a 3, b 3, c 3, d 3; tokens == a 1, b 1, c 1, d 1; kinds == ruling; ec == nothing; status == deciding; +1000h
  kinds == ruling; declare elimination; ec == nothing; status == finished
5, PL-19 five, all tied: no token, a lot
  ended a 3, b 3, c 3, d 3, e 3; tokens == nothing; open == lot : a b c d e
5, PL-19 two players: the second wins a token and is last as well, so hosts declare; the spare lapses
  ended a 9, b 1; tokens == a 2, b 1; kinds == ruling; declare elimination; tokens == a 1, b 1; status == finished
5, PL-19 two players by the letter
  set ec_excludes_token_holders=false; ended a 9, b 1; ec == b; tokens == a 1, b 1
5, PL-19 three players, the second are also last: who is picked holds a token, the other is EC
  ended a 9, b 1, c 1; choose a b; ec == c; tokens == a 1, b 1
5, PL-19 three players by the letter: a vote among both
  set ec_excludes_token_holders=false; ended a 9, b 1, c 1; choose a b; open == vote a b: b c; vote b c; vote a c
  ec == c
PL-19 ec_excludes_token_holders: a token by a host's award counts as one that is held
  ended a 9, b 5, c 3, d 1; ec == d; award d tokens 1; ec == c
PL-19 ec_excludes_token_holders = false
  set ec_excludes_token_holders=false; ended a 9, b 5, c 3, d 1; award d tokens 1; ec == d
5, PL-20, S-3 those who WON a token vote; only the tied lowest may be named; most votes
  ended a 9, b 9, c 9, d 1, e 1, f 1; open == vote a b c: d e f; no vote_candidate: vote a b; no no_vote: vote d e
  news b ~ You vote who is Elimination Candidate: D, E or F.; vote a d; vote a e; vote b e; ec == nothing; vote c f
  ec == e; status == finished
PL-16 to be given a token is not to win it, a host's award neither
  ended a 9, b 5, c 3, d 1, e 1; award c tokens 1; open == vote a b: d e
5 a tied vote goes by garnets after the rewards
  with b=1; ended a 15, b 15, c 15, d 1, e 1; garnets == a 2, b 3, c 2; vote a d; vote b e; blank c; ec == e
PL-20 vote_hours: no votes at all, a lot among the lowest
  set vote_hours=5; ended a 9, b 9, d 1, e 1; +5h-1ms; kinds == vote; +1ms; open == lot : d e
PL-20 abstaining is allowed
  ended a 9, b 9, d 1, e 1; blank a; blank b; open == lot : d e
PL-20 a voter may be a candidate
  set ec_excludes_token_holders=false; ended a 3, b 3, c 3; open == vote a b c: a b c; vote a a; vote b a; vote c b
  ec == a
5, PL-14, PL-15 floor(points / 7), 0 if negative; the bank pays
  with a=2; ended a 13, b 100, c 3, d -20, e 14, f 6, g 7; garnets == a 3, b 14, e 2, g 1
PL-15 garnets_per
  set garnets_per=5; ended a 14, b 100, c 3; garnets == a 2, b 20
PL-15 garnets_from = final_total
  set garnets_per=1 rounds=2; duel; resolve; submit a --ticket scissors; resolve; points == nothing; garnets == nothing
PL-15 garnets_from = points_gained, without the losses
  set garnets_from=points_gained garnets_per=1 rounds=2; duel; resolve; submit a --ticket scissors; resolve
  points == nothing; garnets == a 1, b 1
PL2 the start and two rounds of sheets: rooms, signs, points, inventories, garnets, what is void
  with a=4 c=6 d=1; of a b c d; start a rock + confetti ticket; start b rock - double bazooka --as-sent
  start c paper + polarity polarity; start d scissors - ticket confetti; resolve
  held == a 4 2 confetti 1 ticket 1, b 4 2 double 1, c 4 2 polarity 2, d 4 2 confetti 1 ticket 1
  garnets == a 4, c 6, d 1; submit a --ticket paper --bomb ticket paper; submit b --ticket rock --swap
  submit c --buy ticket --buy ticket --buy ticket --bomb polarity rock --bomb polarity paper --as-sent
  submit d --buy swap --ticket rock; resolve; view public rounds.0.rooms == paper a c, rock b d
  view public rounds.0.signs == a +, b +, c +, d -; view public rounds.0.bombs == paper ticket 1
  points == a 2, b -2, c 2, d -2; held == a 4 2 confetti 1, b 4 1 double 1, c 8 2 polarity 2, d 3 3 confetti 1 ticket 1
  garnets == a 4
  voids == ticket to Rock: already in that room / Polarity Bomb on Rock and Polarity Bomb on Paper: one bomb a round
  submit a --buy double --buy confetti --buy polarity --bomb double rock; submit c --ticket scissors; submit d --swap
  resolve; view public rounds.1.rooms == paper a, rock b d, scissors c; view public rounds.1.bombs == rock double 1
  signs == a +, b +, c +, d +; scores == a 1, c -1; points == a 3, b -2, c 1, d -2; garnets == a 1
  held == a 4 2 confetti 2, b 4 1 double 1, c 7 2 polarity 2, d 3 2 confetti 1 ticket 1
  void a == buy a Polarity Bomb: it costs 3 garnets, 1 left
host powers: what an override breaks is said until it is mended
  duel; resolve; laws == nothing; override a points 5; laws == a has 5 points, the rounds gave -1; override a points -1
  laws == nothing; no number: override a points ten; no number: override a tickets -1; no number: override a swaps 1.5
  no room: override a room attic; no room: override a room blank; no sign: override a sign x
  no bomb: override a bombs bazooka; no field: override a score 3
host powers, 1: a room that a host sets stands for who names none; nobody learns of it early
  of a b; override a room paper; told public == nothing; told a == nothing; told b == nothing; override a sign -
  told public == nothing; override b room paper; start b rock +; view a players.a.room == none
  view a players.a.sign == none; view public players.a.sign == none
  view public players.a.room == none; view a players.a.channels == rock paper scissors; resolve
  rooms == a paper, b rock; signs a == -; placed == nothing
S-11 a setting amended counts from now on: rounds that were scored stay as they were
  placed; resolve; amend-setting polarity_scope=all; resolve; scores a == 1; view host rounds.0.scores.a == 0
PL-23, S-6 tickets, swaps and bombs never move; garnets by an award or a penalty
  with a=2; duel; award b garnets 1; penalty a --garnets 1; garnets == a 1, b 1; no no_gift: gift a b
  no not_enough_garnets: penalty a --garnets 5
2, PL-7 what can be paid is judged when the round is resolved
  with a=1; duel; submit a --buy ticket; voids == nothing; penalty a --garnets 1; resolve
  void a == buy a Ticket: it costs 1 garnet, 0 left; tickets a == 4
6, S-14, PL-22 players talk inside their room; it changes with the publication
  duel; submit a --ticket scissors; close; view a players.a.channels == rock; resolve
  view a players.a.channels == scissors; view a players.b.channels == absent; view public players.a.channels == absent
PL-22 channels_switch = deadline: between deadline and publication nobody talks
  set channels_switch=deadline; duel; +24h; view a players.a.channels == nothing
PL-22 pregame_talk = open: everybody anywhere
  of a b; unopened; view a players.a.channels == nothing; open; view a players.a.channels == rock paper scissors
PL-22 pregame_talk = closed
  set pregame_talk=closed; of a b; view a players.a.channels == nothing
6 the scoreboard is public always; tokens and EC when it is over
  set rounds=2; duel; resolve; result public ranking.0 == b; result public scores == a -1, b 1
  result public tokens == absent; result public elimination == absent; result public garnets == absent
6 a player sees his own inventory; the public nobody's
  with a=1; duel a double confetti; submit a --bomb double rock; resolve
  view host players.a == bombs confetti 1, garnets 1, points -2, room rock, sign +, swaps 2, tickets 4
  view a players.b == points 1, room paper, sign -; view public players.a == points -2, room rock, sign +
  view public rounds.0.bombs == rock double 1; view public rounds.0.scores == a -2, b 1
  view public rounds.0.totals == a -2, b 1; view public rounds.0.users == absent; view public sheet == absent
  view host sheet == absent
6 sheet is his sheet of the running round in words, his alone
  of a b; start a rock blank double bazooka --as-sent; view a sheet == Rock, no sign, a Double Bomb, a "bazooka" Bomb
  resolve; override a room rock; view a sheet == none; report a ~ Nothing is in from you yet.
  submit a --ticket paper --swap --swap --bomb double rock --buy ticket_bomb --buy swap --as-sent
  view a sheet ~ buy a Ticket Bomb, a Sign Swap, a ticket to Paper, 2 sign swaps, a Double Bomb on Rock
  view b sheet == none; view public sheet == absent; report a ~ Your sheet: buy a Ticket Bomb
  report b !~ buy a Ticket Bomb; report public !~ buy a Ticket Bomb; blank a
  report a ~ Your sheet: nothing, on purpose.
6 with owner each sees his own room, sign and points, and nothing is said of where the others are
  set see.rooms=owner see.signs=owner see.scoreboard=owner; duel a double double; submit a --bomb double paper; resolve
  view a rounds.0.rooms == rock a; view a rounds.0.signs == a +; view a rounds.0.scores == a -1
  report a ~ 1 Double Bomb; report a !~ 'B'; view public rounds.0.rooms == absent
6 rooms: where nobody may know them, who was taken out of theirs stands in scores and signs as the others do
  set see.rooms=host; duel; override a room none; resolve; report public ~ ('A', '0', '0')
  view public rounds.0.signs == a +, b -; report public ~ ('A +',)
6 bomb_users: where it is opened the reveal says who used what
  set see.bomb_users=everybody; duel a double double; submit a --bomb double paper; resolve
  report public ~ A: Double Bomb on Paper
6 what was bought, what it cost and what is left; a payment is told once
  with a=2; duel; submit a --buy ticket --buy ticket; resolve; told a ~ You bought a Ticket for 1 garnet.
  told a !~ lost; told a ~ for nothing: buy a Ticket (it costs 2 garnets, 1 left); told b !~ bought
6 with prices closed
  set see.prices=host; with a=2; duel; submit a --buy ticket --buy ticket; resolve
  told a ~ You bought a Ticket for 1 garnet.; told a ~ (it cannot be paid); void a == buy a Ticket: it cannot be paid
6 with garnets closed
  set see.garnets=host; with a=2; duel; submit a --buy ticket --buy ticket; resolve
  told a ~ You bought a Ticket for 1 garnet.; told a ~ (it cannot be paid)
6 with prices and garnets closed
  set see.prices=host see.garnets=host; with a=2; duel; submit a --buy ticket --buy ticket; resolve
  told a ~ You bought a Ticket.; told a !~ lost
6 what is bought with the first sheet is no exception: prices closed
  set purchase_window=pregame_too see.prices=host; of a b; with a=1
  start a rock + double ticket --buy ticket --buy ticket; told a ~ for nothing: buy a Ticket (it cannot be paid)
  resolve --drawn "b rock +"; void a == buy a Ticket: it cannot be paid
6 what is bought with the first sheet: garnets closed
  set purchase_window=pregame_too see.garnets=host; of a b; with a=1
  start a rock + double ticket --buy ticket --buy ticket; told a ~ for nothing: buy a Ticket (it cannot be paid)
  resolve --drawn "b rock +"; void a == buy a Ticket: it cannot be paid
6 with tickets closed
  set see.tickets=host; with a=2; duel; submit a --buy ticket --buy ticket; resolve; told a !~ bought
  told a ~ You lost 1 garnet.
6 with tickets and garnets closed
  set see.tickets=host see.garnets=host; with a=2; duel; submit a --buy ticket --buy ticket; resolve; told a !~ bought
  told a !~ lost; told a ~ (it cannot be paid)
6, docs/log-format.md: a sheet is open to its player; the lots of the pregame to the hosts; the rest as everywhere
  of a b; opens start a rock + == a; opens submit a --swap == a; opens go a rock == a; opens swap a == a
  opens bomb a double rock == a; opens buy a swap == a; opens blank a == a; opens penalty a == a; opens vote a b == a
  opens resolve pregame --drawn "a rock +" == nothing; opens resolve round_1 == everybody
  opens open == everybody; opens close round_1 == everybody; opens drop a == everybody; opens choose a b == a later
  opens gift a b == a later; opens award a tokens 1 == later; opens award a garnets 1 == a; opens ruling x == nothing
  opens note x == nothing; opens override a points 3 == nothing; opens breach a == nothing
after a resolve or an override the host reads what everybody has
  of a b; override a room rock; told host ~ a: Rock, 0 points, 4 tickets, 2 swaps, no bombs, 0 garnets
  resolve --drawn "a rock +" --drawn "b paper -"; told host ~ b: Paper -, 0 points, 4 tickets
6, host powers: points, rooms and signs to everybody, inventories to the owner without a number
  duel; override a points 4; told public ~ A host set the points of A: 4.; told b == nothing; override a room paper
  told public ~ room of A: Paper.; override a sign -; told public ~ sign of A: -.; override a tickets 9
  told public == nothing; told a ~ A host set your tickets.; override a swaps 1; told a ~ A host set your sign swaps.
  told b == nothing; override a bombs double; told a ~ A host set your bombs.; told public == nothing
host powers, S-2 reports follow an override: scoreboard and board say what is, the rounds what was
  set rounds=1; duel; resolve; override a points 30; override a room scissors; view public rounds.0.totals == a -1, b 1
  report public ~ ('A', '-1', '30'); report public ~ Now: A 30, B 1.
"""
VOID = """
6 why an item counts for nothing is told as its line says: {line} = {level}
  set see.{line}={level}; duel; {spent}; submit a {typed}; told a ~ counts for nothing: {item} ({why})
  resolve; void a == {item}: {why}
"""
VOIDS = "".join(
    VOID.format(line=line, level=level, spent=spent, typed=typed, item=item, why=why)
    for line, spent, typed, item, why_not in (
        ("tickets", "override a tickets 0", "--ticket paper", "ticket to Paper", "no ticket left"),
        ("swaps", "override a swaps 0", "--swap", "sign swap", "no swap left"),
        ("bombs", "", "--bomb confetti rock", "Confetti Bomb on Rock", "no Confetti Bomb left"),
        ("rooms", "", "--ticket rock", "ticket to Rock", "already in that room"),
    )
    for level, why in (("owner", why_not), ("host", "it cannot be used"))
)
BLANK = """
2, PL-8 to PL-10 an item that cannot be counts for nothing, is not consumed, and is told with its reason: {typed}
  duel a double confetti; submit a {typed} --as-sent; voids == {said}; told public == nothing
  told a ~ As things stand this counts for nothing; resolve; void a == {said}; told a ~ This counted for nothing
  told b !~ counted; held a == 4 2 confetti 1 double 1; rooms a == rock; signs a == +
  view host rounds.0.bombs == nothing
"""
BLANKS = {
    "--ticket rock": "ticket to Rock: already in that room",
    "--ticket attic": 'ticket to "attic": there is no such room',
    "--ticket blank": "ticket to no room: there is no such room",
    "--ticket paper --ticket scissors": "ticket to Paper and to Scissors: one ticket a round",
    "--ticket paper --ticket paper": "ticket to Paper and to Paper: one ticket a round",
    "--swap --swap": "2 sign swaps: one swap a round",
    "--bomb polarity rock": "Polarity Bomb on Rock: no Polarity Bomb left",
    "--bomb bazooka rock": '"bazooka" Bomb on Rock: there is no such bomb',
    "--bomb double attic": 'Double Bomb on "attic": there is no such room',
    "--bomb double rock --bomb double rock": "Double Bomb on Rock and Double Bomb on Rock: one bomb a round",
    "--bomb double rock --bomb confetti rock": "Double Bomb on Rock and Confetti Bomb on Rock: one bomb a round",
    "--buy ticket_bomb": "buy a Ticket Bomb: it costs 1 garnet, 0 left",
    "--buy unicorn": 'buy "unicorn": there is no such item',
}
"""A sheet with an item that cannot be, and what is said of it. a is in Rock and has a Double and a Confetti Bomb."""
VOIDS += "".join(BLANK.format(typed=typed, said=said) for typed, said in BLANKS.items())
test_rule = lines.plays(RULES + VOIDS, STARTS, SHOWS)


def test_spellings():
    """docs/json.md: rooms, signs, bombs and items as hosts type them become one spelling; anything else stays as it
    is.
    """
    desk: Any = None
    assert [a.ROOM.read(word, desk) for word in ("R", " Paper ", "SCISSORS", "s", "Blank")] == [
        "rock", "paper", "scissors", "scissors", "blank"
    ]  # fmt: skip
    assert [a.SIGN.read(word, desk) for word in ("+", "plus", "-", "Minus", "−", "–", "blank")] == [
        "+", "+", "-", "-", "-", "-", "blank"
    ]  # fmt: skip
    assert [a.BOMB.read(word, desk) for word in ("Double", "ticket-bomb", "ticket")] == ["double", "ticket", "ticket"]
    assert [a.ITEM.read(word, desk) for word in ("Ticket", "ticket-bomb", "sign_swap")] == [
        "ticket", "ticket_bomb", "swap"
    ]  # fmt: skip
    assert a.ROOM.read("  the \n attic\x1b[31m ", desk) == "the attic[31m"
    assert a.ROOM.read("\x07", desk) == "blank" and a.ROOM.read("x" * 500, desk) == "x" * 60
    for kind in (a.ROOM, a.SIGN, a.BOMB, a.ITEM):  # a log that one version wrote is read by all
        assert re.fullmatch(kind.pattern, "x" * 60) and not re.fullmatch(kind.pattern, "x" * 61)
    assert a.BOMB_AT.read("Double  R", desk) == "double rock" and a.BOMB_AT.read("big under the bed", desk)
    for word in ("double", "double ", " rock", ""):
        with pytest.raises(Unreadable, match="a bomb and a room are meant"):
            a.BOMB_AT.read(word, desk)


def test_a_short_form_changes_the_sheet_of_its_own_round(polar):
    """0025: `go` of round 1 puts nothing on the sheet of round 2; within its round it goes on from what is there."""
    play = polar.placed(DUEL)
    play.do(a.Swap("a"))
    (late,) = play.game.prepare(play.state, a.Go("a", "paper"), None)
    play.do(late)
    assert play.view()["sheets"]["a"] == "--ticket paper --swap"
    play.resolve()
    play.refuse(late, "not_this_round")
    play.refuse(late._replace(off=True, room=None), "not_this_round")
    assert play.view()["sheets"]["a"] is None
    play.do(a.Go("a", "rock"))
    assert play.view()["sheets"]["a"] == "--ticket rock"


def test_a_blank_is_for_a_round_or_for_the_vote(polar):
    """0025, S-10: an abstention is no sheet once the last resolve is undone, and a sheet's blank is no abstention."""
    round_1 = polar.placed(DUEL)
    (blank,) = round_1.game.prepare(round_1.state, shared.Blank("a"), None)
    assert blank.round == "round_1"
    play = polar.ended({"a": 9, "b": 5, "c": 5, "d": 1, "e": 1})
    play.do(shared.Choose("a", "c"))
    (abstains,) = play.game.prepare(play.state, shared.Blank("a"), None)
    assert abstains.round == "vote" and play.game.prepare(play.state, abstains, None) == (abstains,)
    play.refuse(blank, "no_round")
    assert only(play.do(abstains), table_facts.Abstained)
    assert round_1.refuse(abstains, "not_this_round").what == "round 1 is on, not the vote"
    nobody = play.game.prepare(play.state, shared.Blank("b"), None)
    assert nobody == (shared.Blank("b"),), "he has no vote, and no round is on"


def test_who_only_watches_has_no_total(polar):
    """Somebody of the roster who does not play is in no score."""
    play = polar.placed({**DUEL, "c": DUEL["a"]})
    play.state = play.state._replace(table=play.state.table._replace(outside=frozenset({"c"})))
    play.resolve()
    assert [*play.view("host")["rounds"][0]["totals"]] == ["a", "b"]


@pytest.mark.parametrize("scope", ["room", "all"])
def test_the_round_can_be_worked_out_from_the_reveal(polar, scope):
    """PL-24: rooms, signs and bombs on rooms give everybody the points of the round."""
    play = polar.placed(bombs={"a": "double confetti", "d": "polarity ticket"}, settings={"polarity_scope": scope})
    play.submit("a", bomb="double rock")
    play.submit("d", bomb="polarity rock", ticket="rock")
    play.resolve()
    seen = play.view("public")["rounds"][0]
    rooms = {p: room for room, there in seen["rooms"].items() for p in there}
    worked = score(rooms, seen["signs"], seen["bombs"], scope, "base_only")
    assert {p: worked[p].points for p in sorted(worked)} == seen["scores"]


LINES: dict[str, Any] = {
    "rooms": lambda play, v: play.view(v)["players"]["b"].get("room") and play.view(v)["rounds"][0].get("rooms"),
    "signs": lambda play, v: play.view(v)["players"]["b"].get("sign") and play.view(v)["rounds"][0].get("signs"),
    "bombs_on_rooms": lambda play, v: play.view(v)["rounds"][0].get("bombs"),
    "scoreboard": lambda play, v: "points" in play.view(v)["players"]["b"] and play.view(v)["rounds"][0].get("totals"),
    "invalid_items": lambda play, v: play.view(v)["players"]["b"].get("invalid"),
    "bomb_users": lambda play, v: play.view(v)["rounds"][0].get("users"),
    "tokens": lambda play, v: any((play.result(v).tokens or {}).values()),
    "elimination": lambda play, v: play.result(v).elimination,
}
"""Line of the information table -> is it told? The other lines: is it in the row of b?"""


@pytest.mark.parametrize("line", VISIBILITY)
def test_each_line_of_the_information_table(polar, line):
    """6: every line of the table, opened and closed: `host`, `owner`, `everybody`, `everybody_after_end`."""
    shown = {}

    def look(play: Any, level: str, *, over: bool) -> None:
        for viewer in ("a", "b", "public", "host"):
            lines.report(play, viewer)
            row = play.view(viewer)["players"]["b"]
            shown[level, viewer, over] = bool(LINES[line](play, viewer) if line in LINES else line in row)

    for level in ("host", "nobody_ever", "owner", "everybody", "everybody_after_end"):
        settings = {"visibility": {line: level}, "rounds": 2}
        play = polar.placed({"a": "rock +", "b": "paper -", "c": "scissors -", "d": "rock -"}, {"b": "double double"},
                            settings=settings)  # fmt: skip
        play.submit("b", bomb="double paper", ticket="paper")
        play.resolve()
        look(play, level, over=False)
        play.submit("b", ticket="paper")
        play.resolve()
        for player, points in zip("abcd", "9531", strict=True):
            play.do(shared.Override(player, "points", points))
        look(play, level, over=True)
    after_only = line in ("tokens", "elimination")
    over_only = line == "prices"  # nothing is sold when it is over
    host_too = line not in ("prices", "invalid_items", "channels", "bomb_users")
    for (level, viewer, over), told_ in shown.items():
        may = {
            "host": False,
            "nobody_ever": False,
            "owner": viewer == "b" and line not in ("bombs_on_rooms", "tokens", "elimination"),
            "everybody": not (after_only and not over),
            "everybody_after_end": over,
        }[level]
        if viewer == "host":
            may = host_too and (over or not after_only)
        if over_only and over:
            may = False
        if (level, line) == ("owner", "tokens"):
            may = viewer in ("a", "b", "host") and over  # each his own
        if level == "owner" and line in ("rooms", "signs", "scoreboard") and viewer != "host":
            continue  # each sees his own row of it: below
        assert told_ == may, (level, viewer, over)


def test_every_pregame_resolve_is_the_hosts(polar):
    """6: whoever named a room, all of them or none, typed or drawn: it tells nothing that it is closed."""
    for starts in ((), ("a",), ("a", "b")):
        for typed in (None, ("a rock +", "b paper -")):
            play = polar(players=("a", "b"))
            for player in starts:
                play.start(player, "rock", "+")
            luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
            (action,) = play.game.prepare(play.state, shared.Resolve(drawn=typed), luck)
            assert play.game.audience(play.state, action) == HOST


@pytest.mark.parametrize(("typed", "kept"), [("-0", "0"), ("0", "0"), ("-12", "-12"), (" 7 ", "7")])
def test_points_have_one_spelling(typed, kept):
    """Host powers: a value is kept as it will be read again."""
    assert OVERRIDES["points"].read(typed) == kept


@pytest.mark.parametrize("held", [{"tickets": -1}, {"swaps": -1}, {"bombs": {"double": -1}}])
def test_nothing_is_held_below_zero(polar, held):
    """Laws: an inventory below zero is said."""
    play = polar.placed()
    first = play.state.table.players[0]
    players = {**play.state.players, first: play.state.players[first]._replace(**held)}
    assert play.game.invariants(play.state) == ()
    assert len(play.game.invariants(play.state._replace(players=players))) == 1


def test_a_lot_of_no_room_or_no_sign_is_refused(polar):
    """Each of the two must be one of the game, also in a log that was made elsewhere."""
    for line in ("a rock x", "a cellar +", "a cellar x"):
        play = polar(players=("a", "b"))
        with pytest.raises(Refused) as caught:
            play.game.decide(play.state, shared.Resolve("pregame", drawn=(line, "b rock +")), Moment(play.now, 9))
        assert caught.value.code == "polar.drawn" and line in caught.value.what
