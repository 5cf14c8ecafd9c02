"""Who has left is nowhere asked, told, chosen, paired, dealt in or waited for; what was before stands. Source: S-G3.

How a case is written: support/lines.py.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from games.contract import LEFT
from games.registry import load, names
from games.table import actions as shared
from ledger.author.simulation import Trial
from tests.support.ended import NAMES as NAMED
from tests.support.host import Host
from tests.support.lines import plays

SIZES = {"equilibrium": 8, "hex_parties": 6, "polar": 6, "marsmatch": 4}


def trades(here: Host, *pair: str) -> None:
    """These two trade their first cards; without them each pair does that bob is not in."""
    for one, other in [pair] if pair else combinations([p for p in NAMED if p != "bob"], 2):
        hands = here.have("hand")
        here.write(f"trade {one} {hands[one][0]} {other} {hands[other][0]}")


SHOWS = {
    "trades": trades,
    "away": lambda here: {*NAMED}.difference(*(here.write("draw -n")["facts"][0]["seats"] for _ in range(6))),
    "cards": lambda here: sum(row["count"] for row in here.view()["players"].values()) / 54,
}
LEAVING = """
who has left gets no private text and no correction; who takes the seat over gets all that there is to it
  desk ; trade ann R2 bob B4 ; : waits bob == 19c 20c ; drop bob --yes ; override bob hand "R1 B1 R2 B2 R3" --yes
  award bob garnets 1 --yes !~ --- to Bob ; : waits bob == ; summary --all ~ --- to Hal !~ to Bob
  replace bob Zoe ~ Zoe takes over the seat of Bob ; : texts bob ~ You take over the seat of Bob ~ B1 R1 B2 R2 R3
  : texts bob ~ Traded with: Ann ; : texts public ~ Zoe takes over the seat of Bob.
what was not posted to who has left is named and waits for nobody; who takes the seat over reads the whole, and not this
  desk ; trade ann R2 bob B4 ; : waits bob == 19c 20c ; drop bob --yes ; : outbox | gone.item == 19c 20c
  : outbox | gone.audience == bob bob ; outbox ~ not posted to bob, who has left the match: 19c 20c ; replace bob Zoe
  : outbox | gone == absent ; : waits bob == 22c ; : outbox | superseded.item == 19c 20c
  : outbox | superseded.by == 22c 22c ; undo --yes ; undo --yes ; : waits bob == 19c 20c
the seat of Robert is not called rob2 in what everybody reads
  match polar rob2 ann cyd ; replace rob2 Zoe ; replace rob2 Yan ; : texts public ~ Zoe takes over the seat of Rob2.
  : texts public ~ Yan takes over the seat of Zoe. !~ rob2
a drop recorded late is asked about: what needs them becomes contested, the end comes earlier; its undo mends both
  desk ; : trades ; lock ann ; : trades ann bob
  5 drop bob --at -90s ~ the rules would no longer allow ; drop bob --at -150s --yes
  : contested == @1 ; : table phase !~ trading ; undo --yes ; : table phase == trading ; status ~ the next end
MM-32 who leaves before the draw gets no seat and no cards: seven seats, a Banker among them, seven packs
  match marsmatch ann bob cyd dan eve fox gil hal ; drop bob ; : away == bob ; draw ; deal ; open ; : cards == 7.0
  : view --for host | view.players.bob.count == 0 ; board --for public ~ Bob (left) ; verify ; close real --yes
  : view --for host | view.titles.bob == absent
MM-32 a drop found out after the deal undoes neither draw nor deal, and the audit repeats both
  match marsmatch ann bob cyd dan ; alias bob bobby ; draw ; deal ; open ; drop bob --at -4m --yes ; : contested ==
  verify ; : view --for host | view.players.bob.count == 54 ; : view --for host | view.turn !~ bob
"""
test_leaving = plays(LEAVING)
"""S-G3."""


# ---- every game ----------------------------------------------------------------------------------------------------


def begun(name: str, **settings: Any) -> Trial:
    """A match of that game, open, with the number of players it is for."""
    play = Trial(load(name), NAMED[: SIZES.get(name, 5)], settings={"allow_odd_roster": True, **settings})
    if "deal" in play.game.has:
        if name == "marsmatch":
            play.do(load(name).actions[0]())
        play.do(shared.Deal())
    play.do(shared.Open())
    return play


def end(play: Trial) -> None:
    """Play on, nobody doing anything, until play is over."""
    for _ in range(40):
        if play.state.table.status in ("deciding", "finished"):
            return
        if play.state.table.round is not None:
            play.do(shared.Resolve())
        else:
            play.do(shared.Close())


def test_who_has_left_carries_a_mark_in_every_list(any_game: str) -> None:
    """S-G3: in reports, scores and boards, of hosts, players and the public; and in the result."""
    from games.kit.blocks import Board, Items, Table
    from games.table.view import frame

    play = begun(any_game)
    play.do(shared.Drop("bob"))
    for _ in range(2):
        for viewer in ("host", "public", "ann"):
            shown, view, result = frame(play.state.table, play.game.title, viewer), None, play.result(viewer)
            assert result.left == ("bob",)
            view = play.game.view(play.state, viewer)
            for draw in (play.game.report, play.game.scores, play.game.board):
                for block in draw(shown, view, result):
                    if isinstance(block, Table):
                        named = [cell for row in block.rows for cell in row if cell.lower() in ("bob", f"bob {LEFT}")]
                        assert all(cell.endswith(LEFT) for cell in named)
                    if isinstance(block, Items):
                        said = ["".join(str(span) for span in line) for line in block.items]
                        assert not [line for line in said if "Bob" in line and f"Bob {LEFT}" not in line]
                    if isinstance(block, Board):
                        assert "Bob" not in dict(block.legend).values()
        end(play)


@pytest.mark.parametrize("name", [n for n in names() if "elimination" in load(n).has and n != "freeform"])
def test_every_leaver_is_eliminated_where_the_setting_says_so(name: str) -> None:
    """S-G3: `eliminated`: all who left, and no vote; `out`: none of them; and no token in any case."""
    for setting in ("eliminated", "out", "as_played"):
        play = begun(name, leaver_result=setting)
        play.do(shared.Drop("bob"))
        play.do(shared.Drop("ann"))
        end(play)
        for _ in range(20):
            open_ = play.state.table.decisions
            assert not {"ann", "bob"} & {p for d in open_ for p in (*d.who, *d.among)} or setting == "as_played"
            if not open_:
                break
            play.do(shared.Lot() if open_[0].kind == "lot" else shared.Close(open_[0].kind))
        table = play.state.table
        if setting == "eliminated":
            assert table.elimination == ("ann", "bob")
        if setting == "out":
            assert not {"ann", "bob"} & {*table.elimination}
        assert not {"ann", "bob"} & {award.player for award in table.awards}
        assert not {"ann", "bob"} & {reward.player for reward in table.rewards}


def test_what_was_decided_before_they_left_stands(polar: Any) -> None:
    """S-G3: who leaves after the end keeps the token, and stays Elimination Candidate; before the vote, neither."""
    play = polar.placed({"a": "rock +", "b": "scissors +", "c": "scissors +", "d": "paper -"}, settings={"rounds": 1})
    play.resolve()
    winner = play.state.table.awards[0].player
    while play.state.table.status != "finished":
        open_ = play.state.table.decisions[0]
        play.do(shared.Lot() if open_.kind == "lot" else shared.Close(open_.kind))
    before = play.state.table
    for gone in (winner, before.elimination[0]):
        play.do(shared.Drop(gone))
        assert (play.state.table.elimination, play.state.table.awards) == (before.elimination, before.awards)
