"""MarsMatch as hosts type it: rounds, a whole match, slips. How a case is written: support/lines.py.

Every expected value was worked out by hand from the rules. MM1 and MM2: test_marsmatch_combos and _rules.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.kit import luck
from tests.support import completing, fair
from tests.support.host import Host, match_file
from tests.support.lines import lined, plays
from tests.table.lines import pairs


def deal(here: Host, *said: str) -> None:
    """`a 3 3, b 4` are the hands; a is Banker, and sits before b."""
    hands = pairs(" ".join(said))
    here.write(f"draw --banker {next(iter(hands))} --seats {','.join(hands)}")
    here.deal(hands)
    here.write("open")


def drawn(here: Host, turned: str) -> None:
    """A draw that no command made: that of its seed, or its reverse."""
    source, seed = {"shuffle": ["a", "b"]}, "11" * 32
    order = luck.repeat(source, luck.mix(bytes.fromhex(seed)), here.last + 1)[:: int(turned)]
    args = {"banker": order[0], "seats": list(order), "drawn": list(order), "draw": source, "seed": seed}
    fair.append(here, ("draw", args))


SHOWS = {
    "deal": deal,
    "drawn": drawn,
    "found": lambda here: [finding.code for finding in fair.verified(here).findings],
    "strike": lambda here: fair.append(here, ("undo", {"target": here.last})),
    "points": lambda here: here.have("points", "public"),
    "tab": lambda here, *words: completing.offered("-g", str(here.path), *(word.strip("_") for word in words)),
    "cards": lambda here: sum(row["count"] for row in here.view()["players"].values()),
    "between": lambda here, *ends: (
        lined(here.out).partition(ends[0].replace("_", " "))[2].partition(ends[1].replace("_", " "))[0]
    ),
}
SHORT = {
    "two rounds": """named ann bob cyd rounds=2 ; : deal ann 3, bob 4, cyd 5 6 ; play ann 3 ; play bob 4
        : deal cyd A, ann 4 4, bob 5 5 ; play cyd A ; override bob points -50 --note 'two hours late' --yes
        close real --yes""",
}
HOSTS = """
MM-24 final shows what each round brought and to whom, then all rounds together, with what hosts set
  two rounds ; final -f text ; : between Round_1 Round_2 ~ ANN · Ground Hand · 500 points ~ BOB · Human Hand
  : between Round_1 Round_2 ~ CYD · Total Loser · 0 points
  : between Round_2 All_rounds ~ CYD · Ground Hand · 500 points
  : between Round_2 All_rounds ~ BOB · Total Loser ; : between All_rounds Cards_left ~ BOB · -150 by the hosts !~ Ground
  : points == ann 500, bob -50, cyd 500 ; : view --for public | view.rounds.banker == ann cyd
  : view --for public | view.rounds.0.points == ann 500, bob 100
  : view --for public | view.rounds.1.titles.bob == total_loser
MM-24 reveal prints a round that is over; who may not know the points is told no round
  two rounds ; reveal 1 -f text ~ Banker: ANN. ~ ANN · Ground Hand · 500 points !~ Round 2 ; reveal 2 ~ Round 2
  2 reveal 3 ~ no round ; amend-setting visibility.points=host --yes ; 2 reveal 1 ~ no round
  reveal 1 --for host ~ Round 1
--as HOST stands before the verb, or after it with the name of a host; --as TYPE after `play` alone
  named a b c ; : deal a 5 5 5 5 6 6 6 6 Q, b 10, c 10 ; 2 play a Q --as rockt ~ combination.unknown
  3 play a Q --as rocket ~ marsmatch.declared ; 2 pass a --as rocket ~ host.unknown
  2 --as rocket play a Q ~ host.unknown ; --as mara play a Q --as single ; pass b --as mara ; pass c --as=mara
from the deal to the result: tricks, going out, titles, scores; hint and explain
  named a b c d ; : deal a 3 3 K, b 4 4 9, c 5 A, d 6 7 ; : hint b | turn == no ; : hint b | trick == none ; play a 33
  : hint b | plays.cards == 4 4 ; 3 pass a ~ marsmatch.not_your_turn ; play b 4,4
  explain @ ~ B plays 4 4: Pair of 4; 4 over 3, the same type and shape ; pass c ; pass d ; pass a ; play b 9
  : view --for host | view.titles == b ground_snatch ; play c A ; pass d ; pass a ; play c 5 --yes
  : final | status == finished ; : final | scores == b 300, c 100 ; : final | ranking == b c a d
  : final | garnets == ; : final | tokens == ; : final | elimination ==
  : view --for public | view.players.a.hand == K ; verify
MM-25 `waiting` shows that a turn is overdue; `timeout` records what follows
  named a b c turn_seconds=30 ; : deal a 3 K, b 4 5, c 6 7 ; : waiting | waiting.who == a ; 5 waiting --check
  timeout a ; : view --for host | view.trick.cards == 3 ; : view --for host | view.turn == b ; verify
draw and deal by the program are kept with their seeds and repeated by `verify`; another outcome is found
  named a b rounds=2 ; : deal a 3, b 4 ; play a 3 ; draw ; deal ; : cards == 108 ; verify ; undo --yes ; undo --yes
  : drawn 1 ; : found == draw.replaced ; : strike ; : drawn -1 ; : found == draw.other draw.replaced
completion: whose turn it is, the cards he holds; `--as` after `play` offers how they are read
  named ann bob ; : deal ann 3 3 K, bob 4 5 ; : tab pla == play ; : tab hin == hint ; : tab play _ == ann
  : tab play ann _ == 3 K ; : tab play ann K --as s == single:K ; : tab play ann 4 --as _ !~ :4
  : tab hint _ == ann bob ; : tab hint ann -- ~ --as-of
  : tab draw --banker b == bob ; : tab --as _ == mara
help lists the verbs of the game
  named a b ; : deal a 3, b 4 ; --help ~ draw ~ play ~ pass ~ timeout ~ hint ; hint --help ~ for hosts alone
"""


@pytest.fixture
def named(host: Host) -> Callable[..., Host]:
    """A match of these players, with these settings."""

    def make(*words: str) -> Host:
        seats = {p: {"name": p.upper()} for p in words if "=" not in p}
        settings = "\n".join(["short_hands = true", *(word for word in words if "=" in word)])
        return host.new(match_file("marsmatch", seats, settings, zone="UTC"))

    return make


test_hosts = plays(HOSTS)
