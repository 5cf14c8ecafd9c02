"""Nothing that leaves for a viewer of Polar RPS Party depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, seeded leaks that must be found, and what the lots may tell.

Source: docs/games/polar.md, section 6, PL-6, PL-22, PL-24; docs/reliability.md (promise 3).
"""

from __future__ import annotations

from typing import Any

import pytest

from events.audiences import HOST
from games.polar import actions as a, facts as f
from games.table import actions as shared, rounds as sealed
from games.table.facts import FieldSet
from games.table.rounds import silent
from tests.secrecy import leaks
from tests.secrecy.leaks import others

# ---- the lots ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", [(), ("a",), ("a", "b")])
def test_the_lots_tell_of_no_silence(polar, named):
    """1: everybody has a lot, needed or not, in an entry of the hosts': its shape tells nothing of who named what."""
    play = polar(players=("a", "b"))
    for player in named:
        play.start(player, "rock", "+")
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
    (action,) = play.game.prepare(play.state, shared.Resolve(), luck)
    other = play.game.prepare(polar(players=("a", "b")).state, shared.Resolve(), luck)
    assert (action,) == other and play.game.audience(play.state, action) == HOST


# ---- seeded leaks --------------------------------------------------------------------------------------------------


def bought(held: Any) -> int:
    return sum(held.bought.values())


def users(one: Any, had: Any) -> dict[str, Any]:
    return {"users": {p: " on ".join(used) for p, used in had.users.items()}}


def bombs_in_the_order_they_came(one: Any, had: Any) -> dict[str, Any]:
    return {"bombs": {room: one.bombs[room] for room in dict.fromkeys(room for _, room in had.users.values())}}


def sheets_of_others(state: Any, viewer: str, shown: Any) -> Any:
    round_ = state.table.round
    if round_ is None or shown.sheet or viewer not in state.players:
        return shown
    said = [a.in_words(made) for p in others(state, viewer) if (made := sealed.content(round_, p)) is not None]
    return shown._replace(sheet=said[0] if said else None)


def lots_published(state: Any, facts: list[Any], viewer: str) -> str | None:
    drawn = [fact.player for fact in facts if isinstance(fact, f.Placed) and fact.drawn]
    return f"Drawn by lot: {' '.join(drawn)}" if drawn else None


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "who used which bomb": leaks.changed_rounds(lambda s: s.history[1:], users),
    "rooms with bombs in the order of their users": leaks.changed_rounds(
        lambda s: s.history[1:], bombs_in_the_order_they_came
    ),
    "the sheet of another": leaks.changed_view(sheets_of_others),
    "what all have bought so far": leaks.changed_rows(
        lambda s, p, row: {"prices": {"ticket": sum(map(bought, s.players.values())) + 1}} if row.prices else {}
    ),
    "purchases told to everybody": leaks.noticed(f.Bought, "Somebody bought something."),
    "inventories of the others in all": leaks.added_text(
        lambda s, v: f"{sum(s.players[p].tickets + sum(s.players[p].bombs.values()) for p in others(s, v))} are left."
    ),
    "order of players by hidden garnets": leaks.added_text(
        lambda s, v: " ".join(sorted(others(s, v), key=s.table.garnets))
    ),
    "invalid items told to everybody": leaks.added_notice(
        lambda s, facts, v: (
            str(sum(isinstance(x, f.ItemVoid) and x.resolved for x in facts)) if len(facts) > 1 else None
        )
    ),
    "whose start was drawn by lot": leaks.added_notice(lots_published),
    "whose first sheet had invalid items": leaks.added_text(
        lambda s, v: str(sum(p in s.history[0].void for p in others(s, v))) if s.history else None
    ),
    "a refusal that counts the silent": leaks.refused_with(
        "", lambda s, action, refusal: len(silent(s.table, s.table.round)) if s.table.round is not None else None
    ),
    "who may open a sheet": leaks.opened_to_everybody(a.Submit),
    "who may open a first sheet": leaks.opened_to_everybody(a.Start),
    "a host's override told to everybody": leaks.noticed(FieldSet, "A host set something."),
}
