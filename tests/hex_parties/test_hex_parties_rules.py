"""Hex Parties, rule by rule: sections 1 to 6 of the rule page, the gaps (HX-n), the season layer (S-n).

Each case begins with the rule it holds (tests/table/lines.py). The expected values were worked out from the pages by
hand; every setting is tested both ways. Moves, parties and victory as pure functions: test_hex_parties_moves.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from events.errors import Unreadable
from games.contract import Moment
from games.hex_parties import actions as a, facts as f
from games.hex_parties.board import BOARD, BONUS, TEMPLATE, read_cell, read_orders
from games.table import actions as shared
from games.table.view import frame
from tests.support.hexparties import HX1, PLAYERS, TRIO, Hexes
from tests.support.play import only
from tests.table import lines


def standing(said: str, start: Any, **given: Any) -> Hexes:
    return Hexes.at([int(n) for n in said.split()], start, **given)


def hx1(said: str, **given: Any) -> Hexes:
    """Scenario HX1, its orders in."""
    play = Hexes(**given)
    play.moves(HX1)
    return play


def ended(said: str, **given: Any) -> Hexes:
    """E5 D5 E6 is the only party, of p1, p2, p3; one round with these points before it."""
    play = standing(said, TRIO, **given)
    play.resolve()
    return play


STARTS = {
    "": lambda said, **given: Hexes(**given), "hx1": hx1, "ended": ended,
    "hx2": lambda said, **given: Hexes.at([int(n) for n in said.split()], **given),
    "trio": lambda said, **given: standing(said, TRIO, **given),
}  # fmt: skip
SHOWS = {
    "cells": lambda play: play.cells(),
    "points": lambda play: play.state.points,
    "illegal": lambda play: [row["player"] for row in play.view()["rounds"][-1]["illegal"]],
    "bounced": lambda play: {row["player"] for row in play.view()["rounds"][-1]["bounced"]},
    "winners": lambda play: play.view()["winners"],
    "bonuses": lambda play: {p: row["bonuses_used"] for p, row in play.view()["players"].items()},
    "faults": lambda play: [f"{x.item} to {x.to}: {x.why}" for x in only(play.last, f.OrderFaulty)],
}
RULES = """
2, HX-1 six players, two pieces each, no points, no deal; the template, one pair a seat
  view host round == 1; cells p1o == A2; cells p1e == A4; cells p2o == B6; cells p2e == D8; cells p3o == F8
  cells p4o == I4; cells p5e == F1; cells p6o == D1; points == nothing; no any: deal
2, 3 before open and after the end nothing is taken
  unopened; no no_round: move p1 "odd D5"; no no_round: sides p1 A2; no no_round: resolve; ends == none
2, 3 after the end nothing is taken
  ended 4 0 0 9 8 1; no no_round: move p1 "odd D5"; no no_round: resolve
HX-1 the layout is a setting, so that a match can be taken over; the first is odd unless sides says otherwise
  hx2; cells p1o == E5; cells p1e == A2; sides p1 A2; resolve; cells p1o == A2; cells p1e == E5; cells p2o == B2
HX-1 it may be amended until play begins
  unopened
  amend-setting 'start={p1=["A1","I1"],p2=["A2","I2"],p3=["A3","I3"],p4=["A4","I4"],p5=["A5","I5"],p6=["E1","E9"]}'
  cells p3o == A3; amend-setting "start.p6=E2 E8"; cells p6e == E8; no any: amend-setting "start.p1=E8, A1"
  refusal ~ E8 is given to p1 and p6; open; no started: amend-setting "start.p6=E2 E7"
HX-1, S-G4 fewer players take the first pairs
  of p1 p2 p3 p4; cells p4e == I2; cells p5o == absent; resolve; cells p4e == I2
HX-1 more have no cells without a layout, and cannot open
  of p1 p2 p3 p4 p5 p6 p7; unopened; no roster: open; refusal ~ HX-1; laws == nothing; view p7 players.p7.odd == absent
2 one odd and one even piece, chosen with the first submission; the last choice counts
  sides p1 A4; sides p2 D8; sides p2 B6; resolve; cells p1o == A4; cells p1e == A2; cells p2o == B6; cells p2e == D8
2, 3 orders speak of odd and even as they are chosen: from A4, D5 is no straight line
  move p1 "odd D5"; sides p1 A4; resolve; cells p1o == A4
2, 3 orders follow the chosen piece
  move p1 "odd D4"; sides p1 A4; resolve; cells p1o == D4; cells p1e == A2
HX-24 only in the first round, and only for a cell on which one of his pieces stands
  no no_piece: sides p1 E5; refusal ~ A2 and A4; resolve; no sides_over: sides p1 A4
HX-9 missing_parity = first_listed: the first is odd; the moves still count
  move p1 "odd A3 even D4"; resolve; explain ~ P1: the piece on A2 is odd (listed first; cells p1o == A3
  cells p1e == D4
HX-9 missing_parity = host: a host must say, and who is missing is the hosts'
  set missing_parity=host; sides p2 B6; sides p3 F8; sides p4 I4; sides p5 H1; sides p6 D1; move p1 "odd A3 even D4"
  +25h; no sides_missing: resolve
  refusal ~ some players have not said which piece is odd (HX-9) | hl sides PLAYER CELL | not said for P1
  sides p1 A4; resolve; explain ~ P1: the piece on A4 is odd; cells p1o == A3
HX-9 a lot typed in; a choice that was sent goes before it
  set missing_parity=lot; sides p2 B6; no no_piece: resolve --drawn "p1 E5"; no sides_missing: resolve --drawn "p1 A4"
  resolve --drawn "p1 A4" --drawn "p2 D8" --drawn "p3 F8" --drawn "p4 first" --drawn "p5 second" --drawn "p6 D1"
  cells p1o == A4; cells p2o == B6; cells p3o == F8; cells p4o == I4; cells p5o == F1; cells p6o == D1
HX-9 without the setting there is no lot
  no no_draw: resolve --drawn "p1 A4"
HX-3 vacated_cells = blocked: a cell that was occupied when the round began is no target
  hx2; move p1 "odd E3"; move p3 "odd E5"; resolve; cells p3o == D5; illegal == p3
HX-3 vacated_cells = open: it is free if that piece leaves
  set vacated_cells=open; hx2; move p1 "odd E3"; move p3 "odd E5"; resolve; cells p3o == E5; illegal == nothing
HX-4 own_cell = allow: following one's own piece is legal
  move p5 "odd I1 even H1"; resolve; cells p5e == H1
HX-4 own_cell = forbid
  set own_cell=forbid; move p5 "odd I1 even H1"; resolve; cells p5e == F1
3, HX-4, HX-5, HX-8 what breaks a rule is recorded, and what comes of it is told when it comes in
  move p1 "odd A1 even A1"; faults == even to A1: A2 on the way to A1 is occupied: it stays; move p1 "odd A4 even A2"
  faults == nothing; move p1 "odd A3 even A3"; faults ~ odd to A3: both pieces want it: it stays even to A3: both
  move p1 "odd A4 even A4"; faults == odd to A4: the player's own even piece is there and stays: it stays
  move p1 "odd E5"; faults ~ odd to E5: E5 is 4 cells away and not in a straight line
HX-23 a move is one way to one cell
  no twice: move p1 "odd A3 odd A2"; refusal ~ the odd piece is sent to A3 and A2
S-9 a later command replaces all orders; what it does not name stays
  move p1 "odd A3 even D4"; move p1 "even D7"; resolve; cells p1o == A2; cells p1e == D7
S-10 a blank takes orders back and is not waited for, sides stand on their own
  sides p1 A4; move p1 "odd D4"; blank p1; owed !~ p1; resolve; cells p1o == A4; cells p1e == A2; illegal == nothing
S-10 a blank before the choice of the odd piece stands; who owes what
  blank p1; sides p1 A4; sides p2 B6; move p3 "odd D8"; move p4 ""; sides p4 I4; drop p5
  owed == p2 sheet of orders, p3 choice of the odd piece, p6 sheet of orders; resolve; owed !~ choice; owed !~ p5
S-G1 late orders are kept, marked, not counted
  move p1 "even D4"; +24h; move p1 "even D7"; resolve; cells p1e == D4
S-G1 unless a ruling admits them
  move p1 "even D4"; +24h; move p1 "even D7"; ruling "admit @: the connection was down"; resolve; cells p1e == D7
S-G1 grace_seconds
  set grace_seconds=60; +24h+59000ms; move p1 "even D7"; resolve; cells p1e == D7
S-G1, HX-9 an admitted late choice does not bring late orders with it: from A2, D4 is not in a line
  move p1 "even D4"; +25h; sides p1 A4; move p1 "even D7"; ruling "admit @1"; resolve; cells p1o == A4; cells p1e == A2
HX-22 24 hours a round; each begins when the one before is resolved
  ends == 24h; +3h; resolve; ends == 24h; view host round == 2; view host phase == round
HX-22 round_hours
  set round_hours=48; ends == 48h; +3h; resolve; ends == 48h
HX-2 no bonus until the host enters them
  no any: move p1 "odd D5" --bonus sprint; refusal ~ no movement bonuses
HX-2 a name that is none; entered during the match; a bonus that is gone by then counts for nothing
  amend-setting 'bonuses=[{name="sprint",range=5}]'; no any: move p1 "odd D5" --bonus sprnt
  refusal ~ there is no bonus "sprnt"; refusal ~ sprint
  no any: move p1 "odd D5" --bonus jump; refusal ~ --bonus NAME; refusal !~ amend-setting
  move p1 "odd E6" --bonus sprint; amend-setting "bonuses=[]"
  resolve; explain ~ there is no bonus sprint any more; cells p1o == A2; no any: amend-setting bonuses=sprint
  refusal ~ must be a list
HX-2 1 garnet each, to the bank; each once a match, also when a host has changed a capital letter of its name
  set bonuses='[{name="Sprint",range=5}]'; with p1=3; move p1 "odd F6" --bonus sprint; faults == nothing; resolve
  explain ~ P1 pays 1 garnet; cells p1o == F6; garnets p1 == 2; bonuses p1 == Sprint; move p1 "odd F2" --bonus sprint
  faults ~ Sprint is used up: it is ignored, nothing is paid; amend-setting 'bonuses=[{name="sPrint",range=5}]'; resolve
  cells p1o == F6; garnets p1 == 2
HX-2 the three of the template work as they are printed there
  set bonuses='[{name="sprint",range=5},{name="leap",pass_through=true},{name="bend",bend=true}]'
  move p1 "odd E6" --bonus sprint; move p6 "odd A1" --bonus leap; move p3 "odd D8 even G4" --bonus bend:even; resolve
  cells p1o == E6; cells p6o == A1; cells p3o == F8; cells p3e == G4; bonuses == p1 sprint, p3 bend, p6 leap
HX-7 a bounced bonus is spent and used up
  set bonuses='[{name="Sprint",range=5}]'; move p1 "odd E6" --bonus sprint; move p2 "odd E6"; resolve; cells p1o == A2
  cells p2o == B6; garnets p1 == 0; bonuses p1 == Sprint
HX-7 refund_bounced_bonus: neither
  set refund_bounced_bonus=true bonuses='[{name="Sprint",range=5}]'; move p1 "odd E6" --bonus sprint; move p2 "odd E6"
  resolve; garnets p1 == 1; bonuses p1 == nothing; told p1 ~ You get your bonus Sprint back, because its moves bounced.
HX-7 a bonus for both is given back only where both bounced
  set refund_bounced_bonus=true bonuses='[{name="rush",range=4,reach="both"}]'; move p2 "odd E6"
  move p1 "odd E6 even E4" --bonus rush; resolve; cells p1o == A2; cells p1e == E4; garnets p1 == 0
HX-7 ignored where it is illegal or too dear, nothing spent, the move re-tested as an ordinary one
  set bonuses='[{name="Sprint",range=5},{name="leap",pass_through=true,cost=2}]'; move p1 "odd D5" --bonus leap
  move p2 "odd B5 even D3" --bonus sprint:odd; move p6 "odd A1" --bonus sprint; resolve
  explain ~ leap costs 2, with only 1 garnet to pay it; explain ~ B1 on the way to A1 is occupied; cells p1o == D5
  cells p2o == B5; cells p2e == D8; cells p6o == D1; garnets == p1 1, p3 1, p4 1, p5 1, p6 1
HX-7, HX-8 why an order failed is told where all that it tells is open: positions, own garnets, the use of bonuses
  set bonuses='[{name="Sprint",range=5},{name="leap",pass_through=true,cost=2}]' see.own_garnets=host
  move p1 "odd D5" --bonus leap; move p6 "odd A1"; resolve; told p1 ~ costs nothing.; told p1 !~ garnet
HX-7, HX-8 so is where a piece stands in the way, to the hosts' end of it and in the report of all failed orders
  set see.positions=host see.failed_orders=everybody; move p6 "odd A1"; resolve
  told p6 ~ Your odd piece stays.; told p6 !~ occupied; told public ~ odd to A1: it stays; told public !~ occupied
HX-7 where failed orders are closed, a bonus comes back without a word of why
  set see.failed_orders=host refund_bounced_bonus=true bonuses='[{name="Sprint",range=5}]'
  move p1 "odd E6" --bonus sprint; move p2 "odd E6"; resolve; told p1 ~ You get your bonus Sprint back.
HX-2 reach = both: named for nothing in particular it carries both
  set bonuses='[{name="hop",pass_through=true,reach="both"}]'; move p1 "odd B2 even B4" --bonus hop; resolve
  explain ~ P1 uses the bonus hop for odd and even
HX-2 reach = both: for one piece, that one
  set bonuses='[{name="hop",pass_through=true,reach="both"}]'; move p1 "odd B2 even B4" --bonus hop:odd; resolve
  explain ~ P1 uses the bonus hop for odd /
5, S-2 one winner: two tokens and two garnets; the points of the last round are added; one token is given away
  ended 4 5 6 9 8 1; winners == p1; points == p1 5, p2 6, p3 7, p4 9, p5 8, p6 1; tokens == p1 2; garnets p1 == 3
  ec == p6; kinds == gift; no gift_candidate: gift p1 p6; gift p1 p4; tokens == p1 1, p4 1; status == finished
5, HX-26 two winners: one token and one garnet each, no gift
  ended 4 7 0 9 8 0; winners == p1 p2; tokens == p1 1, p2 1; garnets == p1 2, p2 2, p3 1, p4 1, p5 1, p6 1; ec == p6
  kinds == nothing
5 three winners: no token, one garnet each
  ended 4 7 8 9 8 0; winners == p1 p2 p3; tokens == nothing; garnets == p1 2, p2 2, p3 2, p4 1, p5 1, p6 1
  status == finished
5 three winners: everybody reads why there are no tokens
  ended 4 7 8 9 9 0; report public ~ P1, P2 and P3 ended the match: three or more, so nobody wins a token.
5 nobody in max_rounds: no tokens, no garnets; the fewest points lose; rounds that are over stay over
  set max_rounds=3; trio 0 0 0 0 0 0; override p4 points 1; override p5 points 1; resolve; resolve; status == running
  resolve; winners == nothing; tokens == nothing; garnets p1 == 1; points == p1 3, p2 3, p3 3, p4 1, p5 1; ec == p6
  told public ~ That was the last round: nobody has won.; told public !~ victory space
  no rounds: amend-setting max_rounds=5; refusal ~ the rounds are over
S-11, HX-14 max_rounds amended counts from then on
  resolve; resolve; amend-setting max_rounds=2; status == running; resolve; view host winners == nothing
  no no_round: resolve
HX-14 a victory in the last round counts
  set max_rounds=1; ended 4 0 0 9 8 1; winners == p1; tokens == p1 2
HX-14 last_round_wins = false: nobody has victory spaces in the last round
  set max_rounds=1 last_round_wins=false; trio 4 0 0 0 0 0; view p1 players.p1.victory_cells == nothing; resolve
  winners == nothing; told public ~ nobody has won
HX-14 with it he has
  set max_rounds=1; trio 4 0 0 0 0 0; view p1 players.p1.victory_cells == E5; resolve; winners == p1
  told public !~ nobody has won
HX-12 who reaches 4 points by the round itself does not end the match in it, but in the next
  ended 3 3 3 0 0 0; status == running; points == p1 4, p2 4, p3 4; resolve; winners == p1
5, HX-13 on ring 1 with 6 points nobody ends
  ended 0 6 0 0 0 0; status == running
5, HX-13 with 7 he does
  ended 0 7 0 0 0 0; winners == p2
HX-19, S-7 garnets above 3 are discarded, and it is said; set after the end they stay as set
  with p1=2 p2=1; ended 4 0 0 9 8 1; garnets p1 == 3; explain ~ 1 garnet above the cap of 3 is discarded
  override p1 garnets 0; garnets p1 == 0
HX-19 what is discarded is told to him alone
  with p1=2 p2=1; trio 4 0 0 9 8 1; resolve; told p1 ~ You won 1 garnet. 1 garnet above the cap of 3 is discarded.
  told p2 !~ discarded; report public !~ discarded
HX-19 all of it
  with p1=3 p2=1; trio 4 0 0 9 8 1; resolve; told p1 ~ 2 garnets above the cap of 3 are discarded.
HX-19 garnet_cap
  set garnet_cap=9; with p1=3; ended 4 0 0 9 8 1; garnets p1 == 5
HX-19 who holds 3 gets none
  with p1=3; ended 4 0 0 9 8 1; garnets p1 == 3
HX-15 token holders are excluded, however they got it
  ended 4 6 6 9 8 6; ec == p6; award p6 tokens 1; open ~ vote p1: p2 p3
HX-15 ec_excludes_token_holders = false: by the letter
  set ec_excludes_token_holders=false; ended 4 6 6 9 8 6; ec == p1
HX-15 an ender without token is not excluded
  ended 4 7 7 9 8 6; ec == p1
HX-15, S-2 the gift waits for the candidate; ungiven it lapses after gift_hours
  set gift_hours=12; ended 4 2 2 9 8 3; kinds == vote; no no_gift: gift p1 p4; vote p1 p2; ec == p2; kinds == gift; +12h
  tokens == p1 1; status == finished
HX-16, S-4 plurality of all who ended the match, with or without a token
  ended 4 7 7 2 2 9; open == vote p1 p2 p3: p4 p5; vote p1 p4; vote p2 p5; vote p3 p5; ec == p5
HX-16, S-4 a split of two: the one whose voter holds more garnets
  with p1=2; ended 4 7 6 2 2 9; winners == p1 p2; vote p1 p4; vote p2 p5; ec == p4
HX-16, S-4 equal: a lot
  with p1=1 p2=1; ended 4 7 6 2 2 9; vote p1 p4; vote p2 p5; open == lot : p4 p5; lot; kinds !~ lot
HX-16 what is not voted in vote_hours is not; without any vote a lot
  set vote_hours=6; ended 4 7 6 2 2 9; +6h; kinds == lot
HX-16 ec_tie_no_winner = lot
  set ec_tie_no_winner=lot max_rounds=1; with p4=2 p5=1 p6=1; ended 3 3 3 0 0 0; open == lot : p4 p5 p6
  no lot_among: lot p4; no lot_among: lot p4 p5; open == lot : p4 p5 p6; lot
  status == finished
HX-16 ec_tie_no_winner = host: a host names
  set ec_tie_no_winner=host max_rounds=1; with p4=2 p5=1 p6=1; ended 3 3 3 0 0 0; open == lot : p4 p5 p6
  no host_names: lot; refusal ~ hl lot --outcome PLAYER; lot --outcome p4; ec == p4
HX-16 ec_tie_no_winner = lower_garnets, then a lot
  set ec_tie_no_winner=lower_garnets max_rounds=1; with p4=2 p5=1 p6=1; ended 3 3 3 0 0 0; open == lot : p5 p6
HX-16 lower_garnets may decide alone
  set ec_tie_no_winner=lower_garnets max_rounds=1; with p4=2 p6=1; ended 3 3 3 0 0 0; ec == p5
  explain ~ fewest garnets: 0
6 who decides is told where winners and tokens may be known
  ended 4 7 7 2 2 9; result p4 decisions.0.who == p1 p2 p3; news p1 ~ You may vote
6 not with winners closed
  set see.winners=host; ended 4 7 7 2 2 9; result p4 decisions.0.who == absent; news p1 !~ You may vote
6 not with tokens closed
  set see.tokens=host; ended 4 7 7 2 2 9; result p4 decisions.0.who == absent; news p1 !~ You may vote
HX-25 points are never negative
  no number: override p1 points -1; no number: override p1 points one; no number: override p1 points 1.5
  override p1 points 12; points p1 == 12
HX-27 pieces of who has left count and stand in the way until a host takes them off; a cell puts one back
  drop p6; resolve; cells p6o == D1; override p6 odd none; told public ~ off the board; override p6 even none
  view host players.p6.odd == absent; move p2 "odd C7"; resolve; view host rounds.1.positions.p6 == absent
  override p6 odd E5; view host players.p6.odd == E5; view host players.p6.even == absent; replace p6 Zoe
  no sides_over: sides p6 E5; move p6 "odd E6 even E4"; resolve; view host players.p6.odd == E6
HX-9, HX-27 which piece is odd is not asked of who has none
  set missing_parity=host; sides p6 B1; drop p6; override p6 odd none; drop p5; override p5 odd none
  override p5 even none; sides p1 A2; sides p2 B6; sides p3 F8; sides p4 I4; resolve; view host players.p6.even == D1
  view host players.p6.odd == absent; view host players.p5.odd == absent
HX-9, HX-27 nor by a lot
  set missing_parity=lot; drop p5; override p5 odd none; override p5 even none; resolve
  view host players.p5.odd == absent
host powers: points, odd, even, garnets of that player and nothing else; what it breaks is said until it is mended
  override p1 odd e5; override p2 even E5; override p3 garnets 7; cells p1o == E5; cells p2e == E5; garnets p3 == 7
  laws == p1's odd piece and p2's even piece are both on E5; override p2 even D8; laws == nothing
  no field: override p1 chips 3; no cell: override p1 odd E12; override p2 odd E5; move p1 "odd E6"; resolve
  cells p1o == E6; cells p2o == E5
2, host powers: odd is the piece that its player has chosen so far, wherever a host puts it
  sides p1 A4; override p1 odd E5; view p1 players.p1.odd == E5; view p1 players.p1.even == A2; resolve; cells p1o == E5
2, host powers: the piece that was moved may be chosen
  override p1 even E5; sides p1 E5; resolve; cells p1o == E5; cells p1e == A2
6 positions: a piece placed by a host is told once, to everybody, and not which is odd before the moves of round 1
  override p1 odd E5; told public ~ a piece of P1 is on E5; told p2 == nothing; resolve; override p1 odd D5
  told public ~ the odd piece of P1 is on D5; override p1 even E5; told public ~ the even piece of P1 is on E5
6 positions = host: not told, nor shown to their owners
  set see.positions=host; view p1 players.p1.odd == absent; override p1 odd E5; told public == nothing
6 positions = owner
  set see.positions=owner; view p1 players.p1.odd == A2; view p1 players.p2.odd == absent
6, HX-17, HX-18 positions, parties and points are public; garnets, bonuses and failed orders are the owner's
  hx1; resolve; view p1 players.p2 == odd B3, even D8, points 1; view public players.p1 == odd A2, even D4, points 1
  view p1 players.p1.garnets == 1; bounced == p1 p2 p3 p4; illegal == p6; view p5 rounds.0.illegal == nothing
  view p6 rounds.0.illegal.0.player == p6; view public rounds.0.illegal == absent
  view public rounds.0.bounced == absent; told p1 ~ Your odd piece stays: its move to D5 bounced.; told p1 !~ P2
  told public !~ bounced
6 orders and the choice of the odd piece are the hosts' and the owner's until the round is resolved
  sides p1 A4; move p1 "odd D4"; view host sheets.p1 == sides A4, odd D4; view p1 sheets.p1 == sides A4, odd D4
  view p1 players.p1.odd == A4; view public players.p1.odd == A2; view p2 players.p1.odd == A2
  view public sheets == absent; blank p2; view p2 sheets == p2 blank
HX-18 reveal_orders_at_end opens them at the end, and not before
  set reveal_orders_at_end=true; hx1; resolve; view public rounds.0.illegal == absent
  view public rounds.0.bounced == absent
HX-18 failed orders are the owner's for ever
  trio 4 0 0 9 8 1; move p4 "odd A1"; resolve; view public rounds.0.illegal == absent
  view p4 rounds.0.illegal.0.to == A1
HX-18 reveal_orders_at_end
  set reveal_orders_at_end=true; trio 4 0 0 9 8 1; move p4 "odd A1"; resolve; view public rounds.0.illegal.0.to == A1
HX-17 which bonuses are used is not announced: each is told to its owner alone, and what was ignored
  set bonuses='[{name="Sprint",range=5}]'; move p1 "odd E6" --bonus sprint; move p6 "odd A1" --bonus sprint; resolve
  view public players.p1.bonuses_used == absent; told public !~ Sprint; told p2 !~ Sprint
  told p1 ~ Your bonus Sprint is used up.; told p1 ~ You paid 1 garnet.
  told p6 ~ Your bonus sprint does not count and costs nothing
  told p6 ~ Your odd piece stays: B1 on the way to A1 is occupied.
HX-17 bonus_use = everybody
  set see.bonus_use=everybody bonuses='[{name="Sprint",range=5}]'; move p1 "odd E6" --bonus sprint; resolve
  view public players.p1.bonuses_used == Sprint; told public ~ P1 used Sprint.
HX-17 in which order they were used is not shown
  with p1=3; set see.bonus_use=everybody bonuses='[{name="Sprint",range=5},{name="Bolt",range=5}]'
  move p1 "odd E6" --bonus sprint; resolve; move p1 "odd A2" --bonus bolt; resolve
  view public players.p1.bonuses_used ~ Bolt Sprint
6 with their lines closed the owner reads nothing of it
  set see.bonus_use=host see.own_garnets=host see.failed_orders=host bonuses='[{name="Sprint",range=5}]'
  move p1 "odd E6" --bonus sprint; move p6 "odd A1" --bonus sprint; resolve; told p1 !~ Sprint; told p1 !~ garnet
  told p6 !~ bonus; told p6 !~ stays
5, 6 victory spaces are shown to their owner, by the points he has now
  trio 3 4 0 0 0 0; view p1 players.p1.victory_cells == nothing; view p2 players.p2.victory_cells == E5
  view p1 players.p2.victory_cells == absent
5, 6 who ended the match is told to everybody
  ended 4 0 0 9 8 1; news public ~ P1 scored on a victory space: the match ends.
5, 6 not with the line winners closed
  set see.winners=host; ended 4 0 0 9 8 1; news public !~ victory space; news public !~ nobody has won
5, 6 the reason names the cell
  ended 4 0 0 9 8 1; result public reasons.tokens.0.why ~ scored on
5, 6 not with the line positions closed
  set see.positions=host; ended 4 0 0 9 8 1; result public reasons.tokens.0.why == absent
  result host reasons.tokens.0.why ~ scored on
"""
test_rule = lines.plays(RULES, STARTS, SHOWS)


def test_the_template_is_fair():
    """2: turned by a sixth the template is itself, pair by pair; no piece is next to another."""
    turned = {cell: BOARD.names[-z, x + z] for cell, (x, z) in BOARD.axial.items()}
    pairs = {frozenset(pair) for pair in TEMPLATE}
    assert {frozenset(turned[cell] for cell in pair) for pair in TEMPLATE} == pairs
    cells = [cell for pair in TEMPLATE for cell in pair]
    assert len(set(cells)) == 12 and all(BOARD.distance(one, other) > 1 for one, other in combinations(cells, 2))


def test_hx9_the_lot_is_recorded_and_repeated(hexes):
    """HX-9, S-G5: one entry for each lot, with its seed; replay draws nothing, an audit draws it again."""
    play = hexes(settings={"missing_parity": "lot"})
    play.sides("p3", "H6")

    def chance(seq: int) -> Any:
        drawn = staticmethod(lambda: seq.to_bytes(32, "big"))
        return type("Luck", (), {"seq": seq, "published": None, "seed": drawn})()

    (resolve,) = play.game.prepare(play.state, shared.Resolve(), chance(20))
    assert resolve.round == "round_1" and [line.split()[0] for line in resolve.drawn] == list(PLAYERS)
    assert play.game.audit(play.state, resolve, 20) is None
    assert play.game.audit(play.state, resolve, 21) in (None, "the seed draws other pieces")
    assert play.game.audit(play.state, resolve._replace(seed="zz"), 20) == "its seed is not in hex digits"
    assert play.game.prepare(play.state, resolve, chance(20)) == (resolve,), "the same draw stays as it is"
    other = "p1 A2" if resolve.drawn[0] == "p1 second" else "p1 A4"
    (kept,) = play.game.prepare(play.state, resolve._replace(drawn=(other, *resolve.drawn[1:])), chance(20))
    assert kept.drawn[0] in ("p1 first", "p1 second") and kept.drawn[0] != resolve.drawn[0]
    assert kept.drawn[1:] == resolve.drawn[1:] and kept.seed is None, "amended: what is typed was not drawn"
    assert not play.game.audience(play.state, resolve).admits("p1", ended=True), "it tells who chose none"
    draws = {play.game.prepare(play.state, shared.Resolve(), chance(n))[0].drawn for n in range(300)}
    assert {line for drawn in draws for line in drawn} == {f"{p} {w}" for p in PLAYERS for w in ("first", "second")}
    assert len(draws) > 60, "each player's lot is his own"


def test_hx21_one_cell_for_each_piece():
    """HX-21: one target for each piece; orders are read in any spelling; two cells are kept as they were written."""
    assert read_orders("odd D5, even D4 odd d4") == "odd D5 odd D4 even D4"
    assert read_orders("EVEN d4,  odd: D5") == "odd D5 even D4" == read_orders("o d5 e d4")
    assert read_orders("even a1") == "even A1" and read_orders("  ") == ""
    for typed in ("odd D5 " * 5, "D5", "odd", "both D5", "odd D5 even", "odd Z9", "odd D9", "odd D5x", "sideways D5"):
        with pytest.raises(Unreadable):
            read_orders(typed)
    with pytest.raises(Unreadable, match="row D has 8 cells, D1 to D8"):
        read_cell("d9")
    with pytest.raises(Unreadable, match="A to I"):
        read_cell("K1")


def test_a_bonus_used_twice_breaks_a_law(hexes):
    """HX-2: each once a player and match; the rules refuse it, and the engine would notice."""
    play = hexes()
    assert play.game.invariants(play.state._replace(used={"p1": ("sprint",), "p2": ("sprint", "leap")})) == ()
    broken = play.game.invariants(play.state._replace(used={"p1": ("sprint", "leap", "sprint")}))
    assert broken == ("p1 used sprint twice",)


def test_a_match_that_cannot_open_can_be_looked_at(hexes):
    """HX-1: with seven players and no layout the seventh has no cells; every text can be made all the same."""

    play = hexes(players=(*PLAYERS, "p7"), opened=False)
    for viewer in ("host", "public", "p1", "p7"):
        view, result = play.game.view(play.state, viewer), play.game.result(play.state, viewer)
        called = frame(play.state.table, "Hex Parties", viewer)
        assert play.game.report(called, view, result) and play.game.board(called, view, result)
    assert "odd" not in play.view("p7")["players"]["p7"] and play.game.invariants(play.state) == ()


def test_what_can_be_done_now(hexes):
    """3: either piece as the odd one in round 1, and each piece alone to every cell that it may reach."""
    play = hexes()
    moves = play.game.moves(play.state, "p1")
    assert {one.cell for one in moves if isinstance(one, a.Sides)} == {"A2", "A4"}
    orders = {one.orders for one in moves if isinstance(one, a.Move)}
    assert {"", "odd A2", "odd A3", "odd D5", "even D4"} <= orders and "odd E5" not in orders
    play.resolve()
    assert not [one for one in play.game.moves(play.state, "p1") if isinstance(one, a.Sides)]
    for action in play.game.moves(play.state, "p1"):
        faults = only(play.game.decide(play.state, action, Moment(play.now, 0)), f.OrderFaulty)
        assert "HX-8" not in [fact.rule for fact in faults], "no illegal order is offered"


def test_one_spelling(hexes):
    """HX-2, host powers: the log holds what was meant, however it was typed."""
    assert [BONUS.read(word, None) for word in ("Sprint=odd", "sprint:BOTH", "leap")] == [
        "sprint:odd", "sprint:both", "leap"
    ]  # fmt: skip
    for typed in ("sprint:", "sprint:neither", ":odd", "9 lives:odd"):
        with pytest.raises(Unreadable):
            BONUS.read(typed, None)
    play = hexes()
    for field, typed, kept in (("points", "07", "7"), ("odd", "e5", "E5"), ("even", " e5 ", "E5")):
        (action,) = play.game.prepare(play.state, shared.Override("p1", field, typed), None)
        assert action.value == kept


def test_a_bounced_player_is_not_told_how_many_wanted_the_cell(hexes):
    """6, HX-18: a pair that differs in a second rival, whose order failed as well."""
    start = {"p1": ["A2", "A4"], "p2": ["C3", "C4"], "p3": ["C6", "B6"], "p4": ["F8", "H6"], "p5": ["I4", "I2"]}
    told = []
    for second in ("", "even B4"):
        play = hexes(settings={"start": {**start, "p6": ["H1", "F1"]}})
        play.moves({"p1": "even B4", "p2": "even B4", "p3": second})
        facts = play.resolve()
        assert len(only(facts, f.PieceBounced)) == 2 + bool(second)
        told.append([[play.game.tell(play.state, facts, viewer), play.view(viewer)] for viewer in ("p1", "public")])
    assert told[0] == told[1]
