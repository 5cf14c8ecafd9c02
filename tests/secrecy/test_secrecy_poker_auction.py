"""Nothing that leaves for a viewer of Poker Auction depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, seeded leaks that must be found, and what the lot may tell.

Source: docs/games/poker_auction.md, section 6, PA-14, PA-15, PA-18; docs/reliability.md (promise 3).
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from events.audiences import EVERYBODY, PUBLIC_VIEWER
from events.errors import Refused
from games.contract import Game
from games.poker_auction import actions as a, facts as f
from games.registry import load
from games.table import actions as shared
from games.table.rounds import SheetSealed, silent
from tests.secrecy import harness as harness, judging as judging, poker_auction as sheets
from tests.secrecy.leaks import (
    Leaky,
    added_notice,
    added_text,
    changed_view,
    opened_to_everybody,
    others,
)

GAME = load("poker_auction")


# ---- pairs ---------------------------------------------------------------------------------------------------------


def test_pairs_get_everywhere_and_leave_the_same() -> None:
    """The generator is no good if it never gets there: every verb and power, late and admitted, refusals, the end."""
    found = judging.reached(harness.Memory(GAME, sheets.knows), sheets)
    assert found.viewers == {*sheets.NAMES, "public"} and found.differing == len(found.pairs)
    options = {"--drawn", "--diamonds", "--destroy", "--gift"}
    assert options | {"power", "bid", "blank", "open", "close", "resolve"} <= found.seen
    assert {
        "power",
        "bid",
        "blank",
        "withdraw",
        "undo",
        "admit",
        "refused",
        "--as-sent",
        "note",
        "breach",
    } <= found.hidden
    assert {"--diamonds", "--destroy", "--gift", "override", "award", "tokens", "penalty", "alias"} <= found.hidden
    assert not found.lacks("destroyed", "no_valid_bids", '"because_of_invalid_bids": true', '"finished"', '"power"')
    codes = {"over_budget", "not_owned", "power_first", "power_over", "nothing_sent", "used", "other_round"}
    assert {"probe", "notice", "entries", *(f"probe poker_auction.{code}" for code in codes)} <= found.kinds


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


def refusal_names_chips(game: Game, patch: pytest.MonkeyPatch) -> Game:
    def decide(state: Any, action: Any, moment: Any) -> Any:
        try:
            return game.decide(state, action, moment)
        except Refused as refusal:
            if refusal.code.endswith("over_budget"):
                most = max(state.chips.values())
                raise Refused(refusal.code, f"{refusal.what}; nobody has more than {most}", refusal.fix) from None
            raise

    return game._replace(decide=decide)


def picking_order(state: Any, facts: list[Any], viewer: str) -> str | None:
    picked = [fact.player for fact in facts if isinstance(fact, f.PowerTaken)]
    return " ".join(picked) if viewer == PUBLIC_VIEWER else None


def gift_told(state: Any, viewer: str, shown: Any) -> Any:
    rounds = []
    for round_ in shown.rounds:
        why = {fact.card: fact.why for fact in state.results[round_.suit]}
        rounds.append(round_._replace(cards={c: v._replace(why=why[c]) for c, v in round_.cards.items()}))
    return shown._replace(rounds=tuple(rounds))


def ties_told(state: Any, viewer: str, shown: Any) -> Any:
    rounds = []
    for round_ in shown.rounds:
        tied = {fact.card: bool(fact.tied) for fact in state.results[round_.suit]}
        cards = {c: v._replace(because_of_invalid_bids=tied[c]) for c, v in round_.cards.items()}
        rounds.append(round_._replace(cards=cards))
    return shown._replace(rounds=tuple(rounds))


LEAKS: dict[str, Leaky] = {
    "chips of the others in all": added_text(lambda s, v: f"{sum(s.chips[p] for p in others(s, v))} chips are left."),
    "order of players by hidden chips": added_text(
        lambda s, v: " ".join(sorted(others(s, v), key=lambda p: s.chips[p]))
    ),
    "how many sheets are in": added_text(
        lambda s, v: f"{5 - len(silent(s.table, s.table.round))} of 5 are in." if s.table.round is not None else None
    ),
    "who has sent nothing": added_text(
        lambda s, v: " ".join(silent(s.table, s.table.round)) if s.table.round is not None else None
    ),
    "whether Diamonds is used up": added_text(lambda s, v: "Diamonds is used up." if "diamonds" in s.used else None),
    "what Diamonds collected": added_text(
        lambda s, v: f"Diamonds collected {sum(s.income.values())}." if s.income else None
    ),
    "that a card was a gift": changed_view(gift_told),
    "a tie on a card that nobody won": changed_view(ties_told),
    "highest bid of the round": added_notice(
        lambda s, facts, v: (
            f"The highest was {max((x.bid or 0 for x in facts if isinstance(x, f.CardAwarded)), default=0)}."
        )
    ),
    "a sheet told to everybody": added_notice(
        lambda s, facts, v: "A sheet is in." if any(isinstance(x, SheetSealed) for x in facts) else None
    ),
    "a late sheet told to everybody": added_notice(
        lambda s, facts, v: "Late!" if any(isinstance(x, SheetSealed) and x.sheet.late for x in facts) else None
    ),
    "the order of picking": added_notice(picking_order),
    "chips submitted for powers": added_notice(
        lambda s, facts, v: str([x.chips for x in facts if isinstance(x, f.ChipsSpent) and "power" in x.what])
    ),
    "a refusal that names the richest": refusal_names_chips,
    "who may open a withdrawal": opened_to_everybody(a.Withdraw),
}


# ---- the information table -----------------------------------------------------------------------------------------


def test_nothing_of_the_view_is_outside_the_table(auction) -> None:
    """6: with every line of the information table closed, a view holds phases and ends and nothing else."""
    closed = {"visibility": dict.fromkeys(GAME.visibility, "host")}
    play = auction.clubs(settings=closed)
    play.bid("d", "2C 5", gift=("2C=a",))
    for _ in range(4):
        play.resolve()
    view = play.view("public")
    assert {p: row for p, row in view["players"].items() if row} == {}
    cards = [card for round_ in view["rounds"] for card in round_["cards"].values()]
    assert cards == [{"to": None, "why": "sealed"}] * 52
    assert set(view) == {"phase", "ends", "players", "rounds"}
    result = json.loads(json.dumps(play.result("public")._asdict(), default=str))
    assert {key for key, value in result.items() if value != "ABSENT"} == {"game", "status", "decisions", "assumptions"}
