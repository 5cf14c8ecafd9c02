"""Nothing that leaves for a viewer of Poker Auction depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, seeded leaks that must be found, and what the lot may tell.

Source: docs/games/poker_auction.md, section 6, PA-14, PA-15, PA-18; docs/reliability.md (promise 3).
"""

from __future__ import annotations

from typing import Any

import pytest

from events.audiences import EVERYBODY, PUBLIC_VIEWER
from games.poker_auction import actions as a, facts as f
from games.table import actions as shared
from tests.secrecy import leaks
from tests.secrecy.leaks import others

# ---- the lot -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tied", "apart"])
def test_the_lot_tells_of_no_tie(auction, name):
    """PA-18: everybody may open the resolve of the power round, so it looks the same whether somebody tied or not."""
    play = auction()
    play.power("a", 10, "S")
    play.power("b", 10 if name == "tied" else 20, "S")
    for player in "cde":
        play.power(player, {"c": 1, "d": 2, "e": 3}[player], "S")
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
    (action,) = play.game.prepare(play.state, shared.Resolve(), luck)
    assert play.game.audience(play.state, action) == EVERYBODY
    assert action == shared.Resolve("power", action.drawn, {"shuffle": list("abcde")}, "00" * 32)
    assert sorted(action.drawn) == list("abcde")
    other = auction()
    assert play.game.prepare(other.state, shared.Resolve(), luck) == (action,)


# ---- seeded leaks --------------------------------------------------------------------------------------------------


def of_each_card(change: Any) -> leaks.Leaky:
    """A game that says more of each card, out of what became of it."""

    def changed(state: Any, viewer: str, shown: Any) -> Any:
        rounds = []
        for round_ in shown.rounds:
            facts = {fact.card: fact for fact in state.results[round_.suit]}
            rounds.append(round_._replace(cards={c: change(v, facts[c]) for c, v in round_.cards.items()}))
        return shown._replace(rounds=tuple(rounds))

    return leaks.changed_view(changed)


def picking_order(state: Any, facts: list[Any], viewer: str) -> str | None:
    picked = [fact.player for fact in facts if isinstance(fact, f.PowerTaken)]
    return " ".join(picked) if viewer == PUBLIC_VIEWER else None


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "chips of the others in all": leaks.added_text(
        lambda s, v: f"{sum(s.chips[p] for p in others(s, v))} chips are left."
    ),
    "order of players by hidden chips": leaks.added_text(lambda s, v: " ".join(sorted(others(s, v), key=s.chips.get))),
    "whether Diamonds is used up": leaks.added_text(
        lambda s, v: "Diamonds is used up." if "diamonds" in s.used else None
    ),
    "what Diamonds collected": leaks.added_text(
        lambda s, v: f"Diamonds collected {sum(s.income.values())}." if s.income else None
    ),
    "that a card was a gift": of_each_card(lambda view, fact: view._replace(why=fact.why)),
    "a tie on a card that nobody won": of_each_card(
        lambda view, fact: view._replace(because_of_invalid_bids=bool(fact.tied))
    ),
    "highest bid of the round": leaks.added_notice(
        lambda s, facts, v: (
            f"The highest was {max((x.bid or 0 for x in facts if isinstance(x, f.CardAwarded)), default=0)}."
        )
    ),
    "the order of picking": leaks.added_notice(picking_order),
    "chips submitted for powers": leaks.added_notice(
        lambda s, facts, v: str([x.chips for x in facts if isinstance(x, f.ChipsSpent) and "power" in x.what])
    ),
    "a refusal that names the richest": leaks.refused_with(
        "over_budget", lambda s, action, refusal: f"nobody has more than {max(s.chips.values())}"
    ),
    "who may open a withdrawal": leaks.opened_to_everybody(a.Withdraw),
}
