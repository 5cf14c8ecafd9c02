"""Poker Auction as hosts type it: previews, explanations, corrections, the end.

How a case is written: support/lines.py. The scenarios PA1 and PA2 by their numbers: test_poker_auction_rules.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

from tests.support import completing
from tests.support.auction import GARNETS
from tests.support.host import match_file
from tests.support.lines import plays

SEATS = {p: {"name": p.upper(), "garnets": n} for p, n in GARNETS.items()}
FILES = {
    "five": match_file("poker_auction", SEATS, zone="UTC"),
    "picked": match_file("poker_auction", SEATS, 'multi_ec = "winner_picks"', zone="UTC"),
}
SHORT = {
    "pa1": """power a 30 'S>D>H>C>J' ; power b 30 'spades joker diamonds hearts clubs' ; power c 10 'D>S>C>H>J'
        power e 25 JSDHC ; resolve --yes --early""",
    "a to d": """bid a '2C 5, 3C 4, 5C 6, 6C 8, 7C 1' --diamonds 7C ; b to d""",
    "b to d": """bid b '2C 5, 3C 4' ; bid c '2C 3, 3C 2' --destroy 6C
        bid d '3C 2, 5C 7, 7C 10, KC 3' --gift 5C=c --gift KC=a""",
    "e": "bid e '6C 9, 7C 12, KC 20, AC 0'",
    "pa2": "file five ; open ; pa1 ; a to d ; e ; resolve --yes",
    "the rest": "resolve --yes --early ; resolve --yes --early ; resolve --yes --early",
}
SHOWS = {
    "tab": lambda here, *words: completing.offered("-g", str(here.path), *words, ""),
    "chips": lambda here: here.have("chips"),
}
HOSTS = """
PA2 resolve without --yes shows the reason of each line, and records nothing
  file five ; open ; pa1 ; a to d
  resolve ~ 2C: C wins with 3; tied and skipped: 5 ~ 3C has no valid bid, so it goes to B (Spades); tied and
  : kinds 1 == bid
  resolve ~ 4C has no valid bid, so it goes to B (Spades) ~ 5C: D wins with 7 and C receives it (Hearts)
  resolve ~ 6C is destroyed (Clubs) ~ A uses Diamonds on 7C ~ no sheet for clubs from E ~ --yes --early
explain names each card, also those that nobody received, and a power
  pa2 ; verify ; explain 6c ~ 6C is destroyed (Clubs) ~ C uses Clubs on 6C
  explain 7C ~ A receives 23 chips (Diamonds on 7C) ; explain joker ~ Joker ; 2 explain 2H ~ player.unknown
a correction is previewed card by card: of the rounds only what becomes different is told
  pa2 ; amend 14 "bids=2C 5" -n ~ now rounds clubs cards 3C to: b -> a / ~ cards 3C why: no_valid_bids -> won
  amend 14 "bids=2C 5" -n !~ cards 4C !~ cards 2C
completion offers the cards of the round and the powers
  file five ; open ; : tab power a 5 == spades diamonds hearts clubs joker ; pa1
  : tab bid a == 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC
the final reveal waits to be posted when the last decision is made, not before
  file picked ; open ; pa1 ; the rest ; resolve --yes --early ; : table status == deciding
  : texts public !~ The match is over. ; : waiting | waiting.who == b ; : waiting | waiting.what == choice
  explain final ~ a choice is open for B ; choose b a ; gift b c ; : table status == finished
  : told public ~ - The match is over. ~ Elimination Candidate: A ~ C · 1 Token ~ no hand, 0 cards
--as-of round:NAME is the match as it was when that round was resolved
  pa2 ; bid a "2D 1" ; : view --for host --as-of round:clubs | view.phase == diamonds
  : view --for host --as-of round:clubs | view.sheets ==
  : view --for host --as-of round:clubs | view.players.a.chips == 73
  : view --for public --as-of round:power | view.rounds ==
  2 view --for host --as-of round:hearts ~ as_of.round ~ --as-of round:power or --as-of round:clubs
a card that a host moved is marked where its round is told, as far as its reader may know
  file five ; open ; power a 5 "H>D>C>J>S" ; power e 9 "S>D>C>J>H" ; resolve --yes --early ; bid a "2C 3, 3C 2"
  resolve --yes --early ; override b cards 2C --yes ; override a cards 3C --yes
  reveal clubs --for host -f text ~ A: 2C (moved by a host to B), 3C
  reveal clubs --for a -f text ~ A: 2C (moved by a host), 3C ; reveal clubs -f text !~ moved ; the rest
  final -f text ~ A: 2C (moved by a host to B), 3C ; reveal hearts -f text !~ moved
"""
test_hosts = plays(HOSTS)


def test_a_sheet_from_standard_input(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`bid P -`."""
    monkeypatch.setattr("sys.stdin", io.StringIO("2c 5\n3c: 4\n\n5♣ = 6\nC6 8\n7C 1\n"))
    lines("""file five ; open ; pa1 ; bid a - --diamonds 7C ; b to d ; e ; resolve --yes
        : chips == a 73, b 65, c 89, d 82, e 64""")
