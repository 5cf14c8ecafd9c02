"""Sheets as players send them and hosts type them: two messages, two of a kind, what is read back, what cannot be paid.

How a case is written: support/lines.py, and conftest.py here. Source: S-9, S-G1, HX-7, HX-21, PL-8 to PL-10, PA-6;
EQ-24.
"""

from __future__ import annotations

import shutil

from tests.support.ended import NAMES
from tests.support.host import match_file
from tests.support.lines import plays
from tests.support.sources import ROOT

EIGHT = {p: {"name": p.title(), "garnets": 1} for p in NAMES}
FILES = {
    "deal": (ROOT / "games/equilibrium/demo-deal.toml").read_text(encoding="utf-8"),
    "dealt": match_file("equilibrium", EIGHT),
    "at_once": match_file("equilibrium", EIGHT, 'hands_told = "at_deal"'),
}
SHORT = {
    "polar": """saturday polar ; start ann rock + double,confetti ; start bob rock + double,confetti
      start cyd rock + double,confetti ; resolve --yes""",
    "hexes": "saturday hex_parties",
    "auction": "saturday poker_auction ; resolve --yes --early",
    "ann's": ": view --for host | view.sheets.ann",
    "bob's": ": view --for host | view.sheets.bob",
    "copy b": ": copied",
}
SHOWS = {
    "copied": lambda here: str(shutil.copytree(here.path, here.folder / "b"))[:0],
    "read": lambda here, name: (here.folder / name).read_text(encoding="utf-8"),
    "count": lambda here, *words: (here.out + here.err).count(" ".join(words)),
}
SHEETS = """
S-9 a new sheet replaces and says what it drops, with the line that adds instead
  polar ; submit ann --ticket paper --bomb double rock
  submit ann --swap ~ no longer on Ann's sheet for round 1: a ticket to Paper; a Double Bomb on Rock ~ add=true
  : told ann ~ It replaces your sheet before it. No longer on your sheet: a ticket to Paper, a Double Bomb on Rock.
  ann's == --swap ; amend @ add=true --yes ; ann's == --ticket paper --swap --bomb double rock
  submit bob --ticket paper !~ no longer ; submit bob --ticket scissors --swap !~ no longer ; blank bob !~ no longer
S-9 an addition merges by kind; the whole sheet is read back; what is added to nothing is the sheet
  polar ; submit ann --ticket paper --bomb double rock ; submit ann --bomb confetti paper --swap --add ~ Ann's sheet for
  ann's == --ticket paper --swap --bomb confetti paper
  : told ann ~ Your sheet for round 1: a ticket to Paper, a sign swap, a Confetti Bomb on Paper.
  submit ann --bomb double rock --add ~ now: a ticket to Paper; a sign swap; a Double Bomb on Rock; no longer: a
  submit bob --swap --add ; bob's == --swap ; blank bob ; submit bob --ticket paper --add ; bob's == --ticket paper
the answer says which entry a sheet takes the place of; not where the last was taken back, nor for a late one
  polar ; submit ann --swap !~ instead ; submit ann --swap ~ a sign swap (the same as #
  submit ann --ticket paper ~ (instead of #
  go ann --off ~ Ann's sheet for round 1 now: nothing on it; no longer: a ticket to Paper ; close --yes
  submit ann --ticket paper !~ instead
a late part touches nothing until it is admitted
  polar ; submit ann --ticket paper ; close --yes ; submit ann --swap --add ~ late: hl ruling admit
  : told ann ~ Your sheet for round 1: a ticket to Paper, a sign swap. It came after round 1 had closed
  ann's == --ticket paper ; submit ann --bomb double rock ; ruling "admit @1" ; ann's == --ticket paper --swap
  ruling "admit @1" ~ no longer on Ann's sheet for round 1: a ticket to Paper; a sign swap ; ann's == --bomb double rock
what a merge makes void is told: two parts, each good by itself, cost more than is held
  polar ; submit ann --buy ticket
  submit ann --buy ticket,ticket --add ~ this counts for nothing: buy a Ticket (it costs 2 garnets, 0 left)
  submit bob --buy swap ; submit bob --ticket rock --add ~ Your sheet for round 1: buy a Sign Swap; a ticket to Rock.
  : told bob ~ counts for nothing: ticket to Rock (already in that room)
parts of two hosts merge in fold order
  polar ; copy b ; submit ann --ticket paper ; > -g b submit ann --swap --add --as ben ; join b --yes
  > -g b join m --yes --as ben ; ann's == --ticket paper --swap
  > -g b view --for host ~ --ticket paper --swap
first sheets merge as well
  saturday polar ; start ann rock + double,ticket ; start ann blank - --add
  : told ann ~ Your sheet for the pregame: Rock, -, a Double Bomb, a Ticket Bomb.
  start ann paper blank ~ no longer on Ann's sheet for the pregame: -; a Double Bomb, a Ticket Bomb
  : told ann ~ Your sheet for the pregame: Paper, no sign, no bombs.
orders merge by piece
  hexes ; move ann odd A3 even B5 --bonus leap:odd ; move ann even A3 --add ~ both pieces want it
  ann's == odd A3 even A3 --bonus leap:odd ; summary ann
  move ann odd B2 ~ no longer on Ann's sheet for round 1: even to A3; with leap for odd; to add to the old
  sides ann A4 ~ Your sheet for round 1: the piece on A4 is odd; odd to B2. !~ no longer
sheets that are valid as a whole do not merge
  auction ; bid ann "AC 20, KC 11"
  bid ann "AC 21" ~ no longer on Ann's sheet for the clubs round: 11 chips on KC; a new sheet replaces the old one
  : told ann ~ It replaces your sheet before it. No longer on your sheet: 11 chips on KC. ; 2 bid ann "QC 1" --add
HX-7, HX-21 two of a kind in orders are refused; as sent none of the two is chosen, and nothing is paid
  hexes ; 2 move ann odd A3 --bonus "sprint, leap" ~ sprint and leap in one message ~ sealed.twice ~ --as-sent
  2 move ann odd A3 odd B2 ~ the odd piece is sent to A3 and B2 ~ sealed.twice ~ --as-sent
  move ann odd A3 --bonus "sprint, leap" --as-sent ~ one bonus a round
  move bob odd A3 odd B2 --as-sent ~ it is sent to several cells ; resolve --yes --early ~ one bonus a round
  : view --for host | view.players.ann.garnets == 1
a bonus typed twice does not vanish
  hexes ; 2 move ann odd A3 --bonus sprint --bonus leap ~ option --bonus is given twice ~ command.usage
  2 note x --at -1m --at -2m ; 2 move ann odd A3 --bonus "sprint, lep" --as-sent ~ there is no bonus
PL-8 to PL-10 two of a kind on a sheet
  polar ; 2 start ann rock + double,double,ticket ~ 3 bombs in one message: two bombs are chosen
  2 submit ann --ticket paper,scissors ~ 2 tickets in one message ~ sealed.twice
  2 submit ann --swap --swap ~ 2 sign swaps in one message ; ann's == none
  2 submit ann --bomb double rock --bomb confetti rock ~ 2 bombs in one message
  submit ann --ticket paper,scissors --as-sent ~ one ticket a round
  submit ann --swap --swap --as-sent ~ one swap a round
  submit ann --bomb double rock --bomb confetti rock --as-sent ~ one bomb a round
a third bomb
  saturday polar ; 2 start ann rock + double,ticket,confetti ~ 3 bombs in one message: two bombs are chosen
  start ann rock + double,ticket,confetti --as-sent ~ counts for nothing
a bid names nothing twice
  auction ; 2 bid ann "AC 20, AC 11" --as-sent ~ AC is bid on twice
  2 bid ann "AC 20" --diamonds AC --diamonds KC ~ given twice
a submission for powers is read back completed
  saturday poker_auction
  power ann 12 J>S ~ 12 chips; Joker, Spades, Diamonds, Hearts, Clubs (the last 3 in the printed order).
  power bob 12 ~ 12 chips; Spades, Diamonds, Hearts, Clubs, Joker (the printed order).
  power cyd 12 C>H>J>S ~ Clubs, Hearts, Joker, Spades, Diamonds. /
a bid is read back with its powers
  saturday poker_auction ; power ann 9 diamonds ; power bob 9 hearts ; power cyd 9 clubs ; resolve --yes
  bid ann "AC 20, KC 11" --diamonds QC ~ 11 chips on KC; 20 chips on AC; 31 chips in all; Diamonds on QC.
  bid bob "AC 5" --gift AC=cyd ~ Your sheet for the clubs round: 5 chips on AC; AC goes to Cyd if you win it.
  bid cyd --destroy 2C ~ Your sheet for the clubs round: Clubs destroys 2C.
orders are read back in words
  hexes ; move ann odd A3 even B5 --bonus leap:even ~ Your sheet for round 1: odd to A3; even to B5; with leap for even.
  move bob ~ Your sheet for round 1: nothing moves.
PA-6 a correction that puts a sheet over budget says so, at once and in status
  auction ; bid ann "AC 20, KC 11" ; status !~ over budget
  override ann chips 5 ~ note: Ann's sheet spends 31 chips, and Ann has 5: over budget (PA-6)
  status ~ Ann's sheet spends 31 chips, and Ann has 5: over budget (PA-6); to correct it
  status ~ to correct it: hl amend {bid}, to leave it so: hl ruling --about {bid} "TEXT" ; note other !~ over budget
  bid ann "AC 5" !~ over budget ; status !~ over budget
2 so does one that gives a used power to somebody else
  saturday poker_auction ; power ann 9 diamonds ; power bob 9 hearts ; power cyd 9 clubs ; resolve --yes
  bid ann "KC 11" --diamonds QC ; override ann power spades ; override bob power diamonds
  status ~ ! Ann's sheet uses Diamonds, and Ann does not have it any more; to correct it: hl amend {bid}
  bid bob --diamonds QC ; bid ann "KC 11" !~ does not have it any more ; status !~ ! Ann's
2, PL-7 to PL-10 each item of a sheet that would count for nothing is listed until it is corrected or ruled on
  polar ; submit ann --buy swap ; status !~ ! Ann,
  override ann garnets 0 ~ note: Ann, buy a Sign Swap: would count for nothing as things stand: it costs 1 garnet, 0
  status ~ ! Ann, buy a Sign Swap: would count for nothing as things stand: it costs 1 garnet, 0 left (PL-7); to correct
  status ~ to correct it: hl amend {submit}, to leave it so: hl ruling --about {submit} "TEXT"
  submit ann --swap ; status !~ ! Ann, ; go ann rock ; status ~ ! Ann, ticket to Rock: ~ already in that room (PL-8)
  amend @ room=paper --yes ; status !~ ! Ann, ; bomb bob double paper ; status !~ ! Bob, ; override bob bombs none
  status ~ ! Bob, Double Bomb on Paper: would ~ no Double Bomb left (section 2); to correct it: hl amend {bomb}
  ruling --about {bomb} "they lose it" ; status !~ ! Bob,
S-9 a late sheet that says what counts already needs no ruling
  polar ; +2h ; close --yes --at -50m ; submit ann --ticket paper --at -48m ; status ~ came late and does not count
  submit ann --ticket paper --at -62m ; status !~ came late ; resolve --yes --early --at -40m !~ came late
PL-3 so is what of a first sheet would be lost
  saturday polar ; start ann rock + double ; status ~ ! Ann, second bomb: would count for nothing as things stand: none
HX-7, HX-8 so is an order or a bonus that would have no effect
  hexes ; move ann odd A3 --bonus leap ; status !~ ! as things stand
  override ann garnets 0 ~ note: as things stand, Ann, the bonus leap: ~ with no garnet to pay it
  status ~ ! as things stand, Ann, the bonus leap: ~ (HX-7); to correct it: hl amend {move}, to leave it so: hl ruling
  move bob odd I1 ; status ~ ! as things stand, Bob, the odd piece to I1: ~ (HX-8); to correct it: hl amend @, to leave
a blank is refused where nothing is owed
  saturday polar rounds = 1 ; blank ann ; resolve --yes --early ; resolve --yes --early ; +100h
  3 blank bob ~ table.nothing_owed
EQ-24, 9 a deal before play is told when play opens; until then neither the hand nor what it paid is in a player's text
  file dealt ; deal --from deal.toml !~ --- to ~ Fox has Flush ; summary fox !~ Flush !~ B9 !~ Garnets
  view --for fox -f json !~ lush !~ B9 !~ "garnets"
  redact --for fox -o fox.jsonl !~ B9 ; : read fox.jsonl !~ B9
  override gil hand "R1 R2 R4 R6 B8" !~ A host corrected ; open ; : count You were dealt == 8 ; : count you earned == 1
  : told fox ~ You were dealt your five cards. ~ Flush, for the first time: you earned 1 garnet. ~ B1 B3 B5 B7 B9 ·
  : told fox ~ Garnets: 2 ; summary fox ~ B7 ; summary ann !~ B7
a deal may be told at once
  file at_once ; deal --from deal.toml ; : count You were dealt == 8 ; open !~ You were dealt
"""
test_sheets = plays(SHEETS)
