"""Poker Auction, rule by rule: sections 1 to 6 of the rule page, the gaps (PA-n), the season layer (S-n).

Each case begins with the rule it holds (tests/table/lines.py). The expected values were worked out from the pages by
hand; every setting is tested both ways. What hands are worth: test_poker_auction_hands.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import Unreadable
from games.poker_auction.actions import VISIBILITY, read_bids, read_ranking
from games.poker_auction.cards import DECK, read_card
from games.table import actions as shared
from tests.support.auction import CARDS, PLAYERS, Auction
from tests.table import lines


def ended(said: str, **given: Any) -> Auction:
    """A match that is over with the hands of `CARDS`, or with others: `a "2C 3C"`; only those that are named: `= …`."""
    hands = lines.pairs(said.removeprefix("="))
    return Auction.ended(hands if said.startswith("=") else {**CARDS, **hands}, **given)


def tie(said: str, **given: Any) -> Auction:
    """a and b tie at 20 chips for Spades; a holds more garnets, b bids more where garnets are bid."""
    play = Auction(garnets={"a": 5, "b": 3, "c": 2, "d": 1}, **given)
    bid = play.state.settings.power_tie == "bid"
    for player, chips, garnets in (("a", 20, 1), ("b", 20, 2), ("c", 10, 2)):
        play.power(player, chips, "S", garnets=garnets if bid else 0)
    return play


def of_cards(play: Auction, what: Any) -> dict[str, Any]:
    """Of each card of the rounds that are resolved."""
    return {fact.card: what(fact) for facts in play.state.results.values() for fact in facts}


def hands(play: Auction) -> None:
    """The rounds that are left pass; then hosts give the hands of `CARDS`."""
    while play.state.table.round is not None:
        play.resolve()
    for player in PLAYERS:
        play.do(shared.Override(player, "cards", CARDS[player]))


STARTS = {
    "": lambda said, **given: Auction(**given), "clubs": lambda said, **given: Auction.clubs(**given),
    "ended": ended, "tie": tie,
}  # fmt: skip
SHOWS = {
    "chips": lambda play: play.chips(),
    "cards": lambda play: play.cards(),
    "powers": lambda play: play.powers(),
    "card": lambda play: of_cards(play, lambda fact: [fact.to or "nobody", fact.why]),
    "bid": lambda play: of_cards(play, lambda fact: fact.bid),
    "skipped": lambda play: of_cards(play, lambda fact: fact.tied),
    "remark": lambda play: of_cards(play, lambda fact: fact.because_of_invalid_bids),
    "used": lambda play: play.state.used,
    "overspent": lambda play: play.state.overspent,
    "best": lambda play: play.best(),
    "passed": hands,
}
RULES = """
1 104 chips each, nothing dealt, no power yet; there is no deal
  chips == a 104, b 104, c 104, d 104, e 104; cards == nothing; powers == nothing; no any: deal
1, S-7 players bring garnets, and no cap holds in this game
  with a=9; garnets == a 9
1 power, clubs, diamonds, hearts, spades, then hands and awards at once
  view host phase == power; resolve; view host phase == clubs; resolve; view host phase == diamonds; resolve
  view host phase == hearts; resolve; view host phase == spades; resolve; status == finished; no no_round: resolve
  no no_round: bid a "AC 1"
1 no sheet before open; play is opened once
  unopened; view host phase == power; status == setup; no no_round: power a 3 S; no no_round: resolve; open
  no opened: open
2, PA1 by chips, then garnets; all submitted chips are spent; Joker +26
  clubs; powers == a diamonds, b spades, c clubs, d hearts, e joker; chips == a 74, b 74, c 94, d 104, e 105
  garnets == a 2, b 5, c 1, d 3
2 the Joker brings 26 at once, whatever he spent
  power c 104 J; resolve; explain ~ C receives 26 chips; chips c == 26
2, S-9 0 to 104 chips; the last sheet counts
  power a 104 J; no over_budget: power a 105 S; power a 0 H; resolve; chips a == 104
3 the highest amount that only one bid wins: 5 5 3
  clubs; bid a "9C 5"; bid c "9C 5"; bid d "9C 3"; resolve; card 9C == d won; bid 9C == 3; skipped 9C == 5
  remark 9C == yes; told public ~ 9C: D receives it because of invalid bids.
3 amounts that two bid count for nobody, the next one that only one bid wins: 5 5 3 3 1
  clubs; bid a "9C 5"; bid c "9C 5"; bid d "9C 3"; bid e "9C 3"; bid b "9C 1"; resolve; card 9C == b won
  skipped 9C == 5 3
3 ties only: no valid bid, it goes to Spades: 5 5 3 3
  clubs; bid a "9C 5"; bid c "9C 5"; bid d "9C 3"; bid e "9C 3"; resolve; card 9C == b no_valid_bids; skipped 9C == 5 3
  remark 9C == no
3 a tie below the highest does not matter: 7 5 5
  clubs; bid a "9C 7"; bid c "9C 5"; bid d "9C 5"; resolve; card 9C == a won; skipped 9C == 5; remark 9C == no
3 one bid wins; without one all cards go to Spades
  clubs; bid a "9C 4"; resolve; card 9C == a won; bid 9C == 4; skipped 9C == nothing
  cards b == 2C 3C 4C 5C 6C 7C 8C 10C JC QC KC AC
3 the sum of all bids is deducted, won or not, tied or destroyed
  clubs; bid a "2C 5, 3C 7"; bid b "2C 5"; bid c "3C 9" --destroy 4C; bid e "4C 11"; resolve
  chips == a 62, b 69, c 85, d 104, e 94
3 Diamonds: all chips bid on the card, its own bid included; bidders still lose them; once in the match
  clubs; bid a "7C 6" --diamonds 7C; bid d "7C 6"; bid e "7C 10"; resolve; chips a == 90; card 7C == e won
  chips d == 98; chips e == 95; no used: bid a "2D 1" --diamonds 2D; bid a "2D 1"
3 Diamonds may be named with no bid at all
  clubs; bid a --diamonds 7C; bid e "7C 10"; resolve; chips a == 84
3 Diamonds on a card that nobody bids on is used
  clubs; bid a --diamonds 7C; resolve; chips a == 74; used == diamonds a
3, 6 the 26 of the Joker are no income of Diamonds
  clubs; override a power none; override e power diamonds; view e players.e.diamonds_income == none
3 Hearts: a recipient for any bid, different ones, unlimited; only if that bid wins
  clubs; bid d "2C 5, 3C 5, 4C 5, 5C 2" --gift 2C=a --gift 3C=b --gift 5C=c; bid e "5C 3"; resolve; card 2C == a gift
  card 3C == b gift; card 4C == d won; card 5C == e won; chips d == 87; bid d "2D 5" --gift 2D=a; resolve
  card 2D == a gift
3 Clubs: nobody gets the card, not Spades either; chips bid on it are lost; once in the match
  clubs; bid c "6C 4" --destroy 6C; bid e "6C 9"; resolve; card 6C == nobody destroyed; chips c == 90; chips e == 96
  no used: bid c --destroy 2D; override a cards 6C; laws == 6C is owned, though it went
3 the Joker has no power of another
  clubs; no not_owned: bid e "2C 1" --destroy 2C; no not_owned: bid e "2C 1" --diamonds 2C
  no not_owned: bid e "2C 1" --gift 2C=a
3, S-9 a sheet is valid as a whole: one card of another suit, and the one before it counts
  clubs; bid a "2C 5"; no other_round: bid a "2C 9, 2D 1"; resolve; bid 2C == 5
5, S-2 the highest hand: two tokens, five garnets; everybody has five cards, so the lowest hand is EC
  ended; ranking == a b c d e; ec == e; tokens == a 2; garnets == a 7, b 5, c 1, d 3; kinds == gift
  result host scores == a 9, b 8, c 7, d 5, e 1; best e == high
PA-22, S-2 the second token goes to anybody but a holder and the EC
  ended; no gift_candidate: gift a e; no gift_candidate: gift a a; gift a c; tokens == a 1, c 1; status == finished
PA-22 it lapses after gift_hours
  set gift_hours=2; ended; +2h; tokens == a 1
5 with fewer than five cards a player is EC without comparison
  ended d "5C 6D 7H 8S"; ec == d; ranking == a b c e d; view host players.d.auto_ec == yes
  view host players.d.best == none; view host players.d.cards == 5C 6D 7H 8S
  news d ~ You are Elimination Candidate: fewer than five cards.
5 who is Elimination Candidate without comparison stands last, so nobody reads a ranking who may not know it
  set see.elimination=host; ended d "5C 6D 7H 8S"; result a ranking == absent; result host ranking == a b c e d
host powers: no rule refuses an override; what it breaks is said until it is mended
  clubs; laws == nothing; resolve; laws == nothing; override a cards "2C AS"
  laws == 2C is owned 2 times / AS is owned, though its round is not resolved; override a power spades
  laws ~ spades is held twice; no field: override a hand 2C; no number: override a chips -1
S-G1 a late sheet is kept, and counts by a ruling; then it replaces the one before it
  clubs; bid a "2C 1"; close clubs; bid a "3C 2"; bid a "4C 3"; no not_late: ruling "admit 1"
  ruling "admit @1: the server was down"; no not_late: ruling "admit @2"; resolve; cards a == 3C
S-G1 a late withdrawal or blank changes nothing
  clubs; bid a "2C 1"; bid c "3C 1"; close; withdraw a; blank c; resolve; cards a == 2C; cards c == 3C
S-10 who said that he submits nothing owes nothing; who was silent does; neither has bids
  clubs; bid a "2C 1"; blank a; bid c "3C 1"; withdraw c; bid d "4C 1"
  owed == b sheet for clubs, c sheet for clubs, e sheet for clubs; view a submitted == yes; view c submitted == no
  no nothing_sent: withdraw c; resolve; cards d == 4C; cards a == absent
S-G3, PA-24 who left submits nothing more and is not waited for; what was sent counts; without it, no power
  power a 3 J; drop a; drop b; no left: power b 3 S; owed ~ c submission for powers, d submission; owed !~ a sub
  owed !~ b sub; resolve; powers a == joker; powers b == absent
S-G3, PA-24 who left and is out is no automatic Elimination Candidate
  set leaver_result=out; drop b; passed == none; override b cards none; view host players.b.auto_ec == no
  view host players.a.auto_ec == no
PA-24 who has left gets no unsold cards and no gift; a sheet that was sent before counts
  power a 50 spades; power b 40 hearts; resolve; bid a "2C 5"; drop a; no left: bid b "3C 5" --gift 3C=a
  bid b "3C 5" --gift 3C=c; resolve; card 2C == a won; card 3C == c gift; card 4C == nobody no_valid_bids
  override a cards none; laws == nothing
S-11 a setting is amended from now on, the result too
  ended a "AS 9S 4S 3S 2S", b "AH KH QH JH 9H", c "2C 3D 4D 5D 7C", d "2D 3C 4C 5C 7D", e "2H 3H 6C 7S 8D"
  tokens == a 2; amend-setting flush_tie=next_cards; tokens == b 2; garnets == a 2, b 10, c 1, d 3
  no any: amend-setting min_bid=2
S-9, S-10 hosts see what counts of each player; others whether their own is in
  clubs; bid d "2C 5, 3C 1" --gift 2C=a; bid a "2C 4" --diamonds 8C; blank b; bid c --destroy 6C
  view host sheets == a 2C 4 --diamonds 8C, b blank, c --destroy 6C, d 2C 5, 3C 1 --gift 2C=a
  view public closed == absent; close; view public closed == yes; view a sheets == absent; reopen
  told public ~ is open, and has no end until a host sets one; view e closed == absent; view e submitted == no
PA-1 round_hours: what comes at their end is late; resolving is another step, and begins the next round's hours
  set round_hours=6; clubs; ends == 6h; bid a "2C 5"; +6h-1ms; bid c "3C 5"; +1ms; bid e "4C 5"
  view host phase == clubs; +1h; resolve; cards a == 2C; cards c == 3C; cards e == absent; ends == 6h
PA-1 a round lasts 24 hours by default; powers are on from open
  ends == 24h; +30h; resolve; ends == 24h
PA-2 everybody pays what he submitted, whichever power he gets
  power a 50 SDHCJ; power b 40 SDHCJ; power c 30 SDHCJ; power d 20 SDHCJ; power e 10 SDHCJ; resolve
  powers == a spades, b diamonds, c hearts, d clubs, e joker; chips == a 54, b 64, c 74, d 84, e 120
PA-3 who submits nothing bids 0 and takes what is left, in the printed order
  with a=4 b=3 c=2 d=1 e=0; blank b; resolve; powers == a spades, b diamonds, c hearts, d clubs, e joker
  chips == a 104, b 104, c 104, d 104, e 130
PA-4 holdings: more garnets held first; nothing is spent; a garnet bid is refused
  tie; no garnets: power d 20 S --garnets 1; resolve; powers a == spades; powers b == diamonds
  garnets == a 5, b 3, c 2, d 1
PA-4 power_tie = bid: more garnets bid first; who ties in chips pays his bid, who does not keeps it
  set power_tie=bid; tie; no not_enough_garnets: power d 20 S --garnets 2; resolve; powers b == spades
  powers a == diamonds; garnets == a 4, b 1, c 2, d 1; explain ~ B pays 2 garnets
PA-4, S-6 garnets lost after the sheet came in are not bid; no purse falls below zero
  set power_tie=bid; tie; penalty b --garnets 3; resolve; powers a == spades; garnets b == 0
PA-4 power_tie = lot: the order that was drawn
  set power_tie=lot; tie; resolve --drawn a --drawn b --drawn c --drawn d --drawn e; powers a == spades
PA-4 power_tie = lot: another order
  set power_tie=lot; tie; no drawn: resolve --drawn a --drawn b
  resolve --drawn b --drawn a --drawn c --drawn d --drawn e; powers a == diamonds
PA-4 the lot decides between equals only
  power a 50 S; power b 40 S; power c 30 S; power d 20 S; power e 10 S
  resolve --drawn e --drawn d --drawn c --drawn b --drawn a; powers == a spades, b diamonds, c hearts, d clubs, e joker
PA-5 0 is no bid while min_bid is 1
  clubs; bid e "AC 0"; bid a "KC 0"; bid c "KC 0"; resolve; card AC == b no_valid_bids; skipped KC == nothing
  chips e == 105
PA-5 with min_bid 0 a lone 0 beats Spades
  set min_bid=0; clubs; bid e "AC 0"; bid a "KC 0"; bid c "KC 0"; resolve; card AC == e won; card KC == b no_valid_bids
  skipped KC == 0
PA-6 a sheet over budget is refused, and the previous valid sheet stays
  clubs; bid a "2C 70, 3C 4"; no over_budget: bid a "2C 70, 3C 5"; refusal ~ the sheet before it still counts
  refusal ~ --as-sent; no over_budget: bid c "2C 95"; refusal !~ before it; resolve; chips a == 0
PA-6 as sent: all is deducted, below zero; who won a card so is EC without comparison, who did not is not
  clubs; bid a "2C 60, 3C 30" --as-sent; bid c "4C 80, 5C 20" --as-sent; bid e "4C 80, 5C 25"; resolve; chips a == -16
  chips c == -6; card 4C == b no_valid_bids; card 5C == e won; laws == nothing; view host players.a.auto_ec == yes
  view host players.c.auto_ec == no; view a players.a.auto_ec == absent; passed == none; ec == a; tokens == b 2
PA-6 overspend = flag takes it without --as-sent
  set overspend=flag; clubs; bid a "2C 60, 3C 30"; resolve; chips a == -16; overspent == a
  explain ~ A spent more chips than they had in the clubs round and won a card with it
PA-6 all chips are no debt, and one more is
  set overspend=flag; power a 104 S; resolve; facts !~ Overspent; chips a == 0; bid a "2C 1"; resolve; facts ~ Overspent
PA-6 an overspender who gives the card away is EC, not the recipient
  clubs; bid d "2C 105" --gift 2C=c --as-sent; resolve; card 2C == c gift; overspent == d
PA-6 a debt in the power round wins no card, so nobody is EC for it alone
  power a 120 S --as-sent; resolve; chips a == -16; overspent == nothing; facts ~ Overspent
  no over_budget: bid a "2C 1"; bid a "2C 0"; laws == nothing
PA-6 what counts is the chips held when the round is resolved
  clubs; bid a "2C 70"; override a chips 60; resolve; chips a == -10; overspent == a
PA-7 multi_ec = all: all with too few cards are EC
  ended b "2C 2D", c "3C 3D", e "AC KC QC"; ec == b c e; kinds == gift
PA-7 multi_ec = winner_picks: one among them; who is given five cards is no candidate any more
  set multi_ec=winner_picks; ended b "2C 2D", c "3C 3D", e "AC KC QC"; open == choose a: b c e; ec == nothing
  news a ~ You choose who is Elimination Candidate: B, C or E.; no choose_candidate: choose a d
  no no_choose: choose b c; choose a c; ec == c; kinds == gift; override c cards "3C 3D 3H 4C 4D"
  open == choose a: b e; ec == nothing
PA-7 with the line tokens closed nobody is told among whom the winner picks: it is all who hold none
  set multi_ec=winner_picks see.tokens=host; ended b "2C 2D", c "3C 3D", e "AC KC QC"; result b decisions == kind choose
PA-7 multi_ec = fewest_cards: equal: a lot
  set multi_ec=fewest_cards; ended b "2C 2D", c "3C 3D", e "AC KC QC"; open == lot : b c; lot --outcome b; ec == b
PA-7 multi_ec = fewest_cards: one has fewer
  set multi_ec=fewest_cards; ended b 2C, c "3C 3D"; ec == b
PA-7 multi_ec = lot
  set multi_ec=lot; ended b "2C 2D", c "3C 3D", e "AC KC QC"; open == lot : b c e; lot --outcome b; ec == b
  kinds == gift
PA-7 vote_hours: a winner who does not pick in time leaves it to a lot
  set multi_ec=winner_picks vote_hours=3; ended b 2C, c "3C 3D"; +3h-1ms; kinds == choose; +1ms; kinds == lot
PA-7 nobody has five cards: no winner, no garnets, and all are EC
  ended = a 2C, b 3C; tokens == nothing; ec == a b c d e; garnets a == 2; status == finished
PA-7 nobody has five cards, winner_picks: there is no winner, so a lot
  set multi_ec=winner_picks; ended =; kinds == lot
PA-7 nobody has five cards, fewest_cards
  set multi_ec=fewest_cards; ended = a 2C; open == lot : b c d e
PA-8 a destroyed card goes neither to Spades nor to a Hearts recipient; Diamonds collects
  clubs; bid c --destroy 6C; bid d "6C 8" --gift 6C=a; bid a "6C 3" --diamonds 6C; resolve; card 6C == nobody destroyed
  chips a == 82; used == clubs c, diamonds a
PA2 the clubs round: each card, all chips, all cards
  clubs; bid a "2C 5, 3C 4, 5C 6, 6C 8, 7C 1" --diamonds 7C; bid b "2C 5, 3C 4"; bid c "2C 3, 3C 2" --destroy 6C
  bid d "3C 2, 5C 7, 7C 10, KC 3" --gift 5C=c --gift KC=a; bid e "6C 9, 7C 12, KC 20, AC 0"; resolve
  chips == a 73, b 65, c 89, d 82, e 64; cards == b 3C 4C 8C 9C 10C JC QC AC, c 2C 5C, e 7C KC
  remark == 2C yes
  card 2C == c won; card 5C == c gift; card 6C == nobody destroyed; card KC == e won; card AC == b no_valid_bids
  view host phase == diamonds
PA-8 no bid is needed
  clubs; bid c --destroy 6C; resolve; card 6C == nobody destroyed; used == clubs c
PA-9 flush_tie = suit: flushes with the same highest card by suit at once
  ended a "AS 9S 4S 3S 2S", b "AH KH QH JH 9H", c "2C 3D 4D 5D 7C", d "2D 3C 4C 5C 7D", e "2H 3H 6C 7S 8D"
  tokens == a 2
PA-10, PA-11 a straight by the suit of its top card; two pair by the suit of the higher pair
  ended a "5C 6D 7H 8S 9S", b "5D 6H 7C 8C 9H", c "KS KD 3C 3D 2H", d "KH KC 3S 3H AC", e "2C 4C 6S 8D 10D"
  ranking == a b c d e
PA-12 no side card counts by default
  ended a "2C 3C", b 4C, c "7S 7D 2H 3H 4H", d "7H 7C AC KC QC", e "2D 3D 5S 6S 9D"; ranking ~ c d e
PA-12 with kickers ranks of the side cards come before suits
  set kickers=true; ended a "2C 3C", b 4C, c "7S 7D 2H 3H 4H", d "7H 7C AC KC QC", e "2D 3D 5S 6S 9D"; ranking ~ d c e
PA-13 of hands equal in what is compared, the one with the best suit
  ended a "9C 9S 9H 2D KS 2S 2H"; view host players.a.best == cards 9S 9H 9C 2S 2H, class full
PA-14 a gift to a stranger: the recipient is another player of this match
  clubs; no unknown: bid d "2C 5" --gift 2C=zoe; refusal ~ zoe
PA-14 a gift to oneself is none; to a bidder of the card it may go; the public hears only who received
  clubs; bid d "2C 5, 3C 5" --gift 2C=d --gift 3C=a; explain ~ gift to oneself is none; bid a "3C 4"; resolve
  card 2C == d won; card 3C == a gift; view public rounds.0.cards.3C.why == received
PA-14 a gift of a card without a bid asks for no bid that nobody made
  clubs; no gift_without_bid: bid d "2C 5" --gift 3C=a
  refusal ~ | correct the card of --gift to one that is bid on, or bid on 3C too
PA-14 announce_gift
  set announce_gift=true; clubs; bid d "5C 7" --gift 5C=c; bid a "5C 9"; bid e "5C 9"; resolve
  view public rounds.0.cards.5C.why == gift; told public ~ 5C: C receives it as a gift because of invalid bids.
PA-15 the use of Clubs is seen after the round; that of Diamonds not, and never the amount
  clubs; bid a "2C 17" --diamonds 2C; bid c --destroy 6C; resolve; told public ~ 6C: destroyed
  told public !~ Diamonds was used; told public !~ 17 chips; view public rounds.0.diamonds == absent
PA-15 announce_diamonds
  set announce_diamonds=true; clubs; bid a "2C 17" --diamonds 2C; resolve; told public ~ Diamonds was used on 2C
  told public !~ 17 chips; view public rounds.0.diamonds == 2C
6 with cards_received closed nobody is told what Clubs destroyed, even where the use of Diamonds is announced
  set announce_diamonds=true see.cards_received=host; clubs; bid c --destroy 6C; resolve; told public ~ is resolved
  told public !~ 6C
PA-16 named in a sheet that was withdrawn or replaced is not used; it lapses at the end
  clubs; bid a "2C 1" --diamonds 2C; bid a "2C 1"; bid c --destroy 3C; withdraw c; resolve; used == nothing
  card 3C == b no_valid_bids; resolve; resolve; bid a "2S 1" --diamonds 2S; resolve; chips a == 73; used == diamonds a
PA-17 chips break no tie, and are not given
  ended; override b chips 999; ranking == a b c d e; ec == e; no any: gift b c
PA-18 chips and rankings submitted are told to nobody; the powers are
  power a 33 J; view host sheets.a == 33 joker>spades>diamonds>hearts>clubs; resolve; told public ~ A has Joker
  told public !~ 33; told b !~ 33; told a ~ 33; view public players.a.power_bid == absent
PA-19 fewer players leave powers unowned; without a Spades owner unsold cards are discarded
  of a b c; power a 10 DHCJS; power b 10 DHCJS; power c 10 DHCJS; resolve; powers ~ diamonds; powers ~ hearts
  powers ~ clubs; bid a "2C 1"; resolve; card 3C == nobody no_valid_bids; card 2C == a won; laws == nothing
  told public ~ no valid bids, discarded
PA-19 more than five are not supported: play is not opened
  of a b c d e f; unopened; no roster: open
PA-20 an overspender with the highest hand wins no token and the next hand takes all
  clubs; bid a "2C 99" --as-sent; resolve; passed == none; ec == a; tokens == b 2; ranking == b c d e a; garnets a == 2
PA-20 auto_ec_can_win: he wins, and is EC all the same
  set auto_ec_can_win=true; clubs; bid a "2C 99" --as-sent; resolve; passed == none; ec == a; tokens == a 2
  garnets a == 7
PA-21 the order is total; equal hands that an override makes: a lot
  ended d "AC KC QC JC 9H"; ec == nothing; open == lot : d e
PA-21, S-4 equal highest hands, which only an override makes: nobody wins the tokens
  ended b "AS KS QS JS 10S"; tokens == nothing; garnets a == 2
PA-23 garnets held when the power round closes break ties, not those held when it is resolved
  tie; close; penalty a --garnets 5; resolve; powers a == spades
PA-23 a deadline that was moved is the one that counts
  tie; close; reopen; penalty a --garnets 5; resolve; powers b == spades
6 diamonds_use = owner: who used Diamonds reads on what, and not who has it afterwards
  set see.diamonds_use=owner; clubs; bid a "2C 5" --diamonds 2C; resolve; override a power none
  override b power diamonds; view a rounds.0.diamonds == 2C; view b rounds.0.diamonds == absent
  no used: bid b "2D 3" --diamonds 2D
  refusal == Diamonds cannot be used any more, it works once | leave it out | A used it
6 diamonds_use = owner: whether it was used is not told who has it afterwards
  set see.diamonds_use=owner; clubs; resolve; override a power none; override b power diamonds
  view b rounds.0.diamonds == absent
6 powers = host: nobody learns by chips which power they have
  set see.powers=host; clubs; view d players.d.diamonds_income == absent; view a players.a.diamonds_income == absent
  told e !~ Joker
6 powers = host: who gets a card that nobody bid on has Spades, so it is received like any other
  set see.powers=host; clubs; bid a "2C 1"; resolve; view public rounds.0.cards.7C == to b, why received
  told public ~ 7C: B receives it.; told public !~ Spades
6 invalid_bids = host: who reads that a card was received is told no more
  set see.invalid_bids=host; clubs; bid a "2C 5"; bid e "2C 5"; bid c "2C 3"; resolve; told public ~ 2C: C receives it.
6 of others only the power; per card the receiver, no valid bids or destroyed, and the remark
  clubs; bid c "2C 3" --destroy 6C; bid d "5C 7" --gift 5C=c; bid a "2C 5" --diamonds 2C; bid e "2C 5"; resolve
  view public players == a power diamonds, b power spades, c power clubs, d power hearts, e power joker
  view public rounds.0.cards.2C == because_of_invalid_bids yes, to c, why received
  view public rounds.0.diamonds == absent; view b rounds.0.cards.5C == to c, why received
  view b rounds.0.cards.6C == why destroyed; view b players.a == power diamonds
  view b rounds.0.cards.7C == to b, why no_valid_bids; view host rounds.0.cards.5C.why == gift
  view a players.a == chips 82, power diamonds, garnets 2, diamonds_income 13
6 at the end hands, ranking, tokens and EC are public; bids and chips never are
  clubs; view public players.a == power diamonds; resolve; resolve; resolve; result public tokens == absent
  result public ranking == absent; passed == none; view public players.e.cards == JC QC KC AC 9H
  view public players.e.auto_ec == no; view public players.e.chips == absent; result public elimination == e
6, PA-15 diamonds_use at owner: who has Diamonds sees where he used it
  set see.diamonds_use=owner; clubs; bid a "2C 5" --diamonds 2C; resolve; resolve; view a rounds.0.diamonds == 2C
  view a rounds.1.diamonds == absent; view b rounds.0.diamonds == absent; view public rounds.1.diamonds == absent
6, PA-3, PA-18 power_bids at owner: his chips and his five powers, and nobody else's
  set see.power_bids=owner; clubs; view b players.b.power_bid == chips 30, ranking spades joker diamonds hearts clubs
  view b players.a.power_bid == absent
6, host powers: chips and cards that a host sets are told to their player alone
  clubs; override a chips 11; told a ~ A host corrected your chips.; told a ~ Chips: 11; told public == nothing
  told b == nothing; override a cards 2C; told a ~ A host corrected your cards.; told public == nothing
PA-3 missing powers follow in the printed order S, D, H, C, J; one named again counts where it was named first
  power a 10 ""; explain ~ 10 chips, Spades, Diamonds, Hearts, Clubs, Joker (the printed order); power a 10 J
  explain ~ Joker, Spades, Diamonds, Hearts, Clubs (the last 4; power a 10 H>H>D
  explain ~ Hearts, Diamonds, Spades, Clubs, Joker (the last 3; power a 10 "clubs, joker"
  explain ~ Clubs, Joker, Spades, Diamonds, Hearts (the last 3; power a 10 SDHCJ
  explain ~ Spades, Diamonds, Hearts, Clubs, Joker; power a 10 j>s
  explain ~ Joker, Spades, Diamonds, Hearts, Clubs (the last 3; resolve; powers a == joker
3, PA-5 a non-negative whole number for a card, each card once; nothing is guessed
  clubs; no amount: bid a "2C -1"; no amount: bid a "2C 1.5"; no amount: bid a "2C x"; no bid: bid a 2C
  no card: bid a "1C 5"; no bid: bid a "4C 3 bob"; no card: bid a "clubs 2C 5 3C 4"; no bid_twice: bid a "2C 1, 2c 2"
3, PA-3, PA-5, PA-14 what is accepted and changed is said
  power a 30 J>S>J; explain ~ 30 chips, Joker, Spades, Diamonds, Hearts, Clubs (the last 3 in the printed order)
  power a 30 SDHCJ; explain !~ printed order
6 with cards_received closed the public hears nothing of any card
  set see.cards_received=host; clubs; bid a "2C 5"; resolve; told public ~ is resolved; told public !~ 2C
6 a power that a host sets is told to everybody by one message
  clubs; override a power none; told public ~ A host corrected a power: A has no power.; told b !~ power
6 or to nobody where powers are secret
  set see.powers=host; clubs; override a power none; told public == nothing
5, 6 who falls short is told with hands and candidates only
  ended d "5C 6D"; view public players.d.auto_ec == yes
5, 6 not where hands are secret
  set see.final_hands=host; ended d "5C 6D"; view public players.d.auto_ec == absent
5, 6 nor where candidates are
  set see.elimination=host; ended d "5C 6D"; view public players.d.auto_ec == absent
"""
test_rule = lines.plays(RULES, STARTS, SHOWS)


def test_spellings(auction):
    """3: what hosts type becomes one spelling, in the order of the cards; so is what an override sets."""
    assert read_bids("ac 20; KC=11\n♣2: 3") == read_bids("AC=20 KC=11 2C - 3") == "2C 3, KC 11, AC 20"
    assert read_bids("") == ""
    assert [read_card(word) for word in ("10c", "tc", "CT", "♠a", "qH")] == ["10C", "10C", "10C", "AS", "QH"]
    for field, typed, kept in (("chips", "07", "7"), ("cards", "as, 10c", "10C AS"), ("power", " Joker ", "joker")):
        (action,) = auction().game.prepare(auction().state, shared.Override("a", field, typed), None)
        assert action.value == kept
    for typed in ("S>X", "SDHCJ X"):
        with pytest.raises(Unreadable, match='"x" is no power'):
            read_ranking(typed)


def test_chips_below_zero_break_a_law(auction):
    """PA-6: only who sent a sheet over budget has fewer than no chips; the rules see to it, and the engine too."""
    state = auction.clubs().state
    below = state._replace(chips={**state.chips, "a": -1, "b": 0})
    assert auction.clubs().game.invariants(below) == ("a has -1 chips",)
    assert auction.clubs().game.invariants(below._replace(overdrawn=frozenset("a"))) == ()
    play = auction.clubs()
    play.resolve()
    play.do(shared.Override("b", "cards", " ".join(DECK[1:13])))
    assert play.game.invariants(play.state) == ("2C is owned by nobody",)


LINES = """
powers players.b.power
cards_received rounds.0.cards.2C.to
invalid_bids rounds.0.cards.2C.because_of_invalid_bids
own_chips players.b.chips
diamonds_income players.a.diamonds_income
own_garnets players.b.garnets
bids rounds.0.cards.2C.bids.a
chips players.b.chips
diamonds_use rounds.0.diamonds
gifts rounds.0.cards.5C.why gift
power_bids players.b.power_bid.chips
final_hands players.b.best
tokens tokens
elimination elimination
final_garnets players.b.garnets
"""
"""Line of the information table, where it is seen of somebody else than the viewer, and what, if not anything."""


@pytest.mark.parametrize("row", LINES.split("\n")[1:-1])
def test_each_line_of_the_information_table(auction, row):
    """6: each line is a setting: told to everybody, or to nobody but the hosts; the last four when it is over."""
    line, path, *wanted = row.split(" ")
    over, verb = line in ("final_hands", "tokens", "elimination", "final_garnets"), "view" if "." in path else "result"
    for level in ("everybody_after_end" if over else "everybody", "host", "nobody_ever"):
        play = auction.clubs(settings={"visibility": {line: level}})
        play.bid("a", "2C 5", diamonds="2C")
        play.bid("d", "5C 7", gift=("5C=c",))
        play.resolve()
        for ended in (False, True) if over else (True,):
            while over and ended and play.state.table.round is not None:
                play.resolve()
            for viewer in ("c", "public"):
                found = lines.ask(play, f"{verb} {viewer} {path}")
                known = found in wanted if wanted else found not in ("absent", "none", "")
                assert known is (ended and level.startswith("everybody")), (level, found)
    assert {named.split(" ")[0] for named in LINES.split("\n")[1:-1]} == set(VISIBILITY)
