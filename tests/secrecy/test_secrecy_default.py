"""Pairs that every game gets without a word about it (ledger/author/pairs.py), and leaks that they must find.

The leaks are put into Lantern Walk of docs/add-a-game.md: into its marks, its rows, its
order, its counts, its refusals.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from events.errors import Refused
from games.contract import Game
from games.parts.build import build
from games.registry import load, names
from games.table import actions as shared
from games.table import rounds as sealed
from ledger.author.pairs import leaks
from tests.secrecy.generators import has_generator
from tests.secrecy.leaks import added_notice, added_text, changed_rules, changed_view, opened_to_everybody
from tests.support.guide import stated
from tests.support.sizes import many

PEOPLE = ["ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal"]
WITHIN = 30
"""Every seeded leak is found within so many matches."""
TELLING = (0, 1, 20, 27)
"""Those that show most leaks: where the search begins, only to be quick."""


@pytest.mark.parametrize("share", range(4))
@pytest.mark.parametrize("name", [name for name in names() if not has_generator(name)])
def test_a_game_without_pairs_of_its_own_tells_nobody_what_they_may_not_know(name: str, share: int) -> None:
    game = load(name)
    for seed in range(share, many(WITHIN, 2_000), 4):
        assert not list(leaks(game, PEOPLE[: max(4, game.players[0])], Random(seed))), seed


# ---- seeded leaks ----------------------------------------------------------------------------------------------------


def sent(state: Any) -> list[str]:
    """Who has sent a sheet of the round that is on."""
    return sorted(state.table.round.sheets) if state.table.round else []


def counted(state: Any, action: Any, refused: Refused | None) -> Refused | None:
    """A refusal that says how many sheets are in."""
    return refused and Refused(refused.code, f"{refused.what} {len(sent(state))}", refused.fix)


BY_POINTS = '{"order": sorted(s.table.players, key=lambda p: -s.points.get(p, 0))}'
BUILT: dict[str, tuple[str, str]] = {
    "a datum that everybody may know": ('VisibleTo("guilds"), Label', 'VisibleTo("course"), Label'),
    "a datum under another line": ('VisibleTo("points"), Label', 'VisibleTo("places"), Label'),
    "a row that everybody may know": ('"guilds", "You are a {guild}."', '"course", public="{player} is a {guild}."'),
    "a row under another line": (
        '"points", "You score {points:point}."', '"places", public="{player} scores {points:point}."'
    ),
    "the order of arrival": ("for p in state.table.players if p in steps}", "for p in steps}"),
    "the order of the points": ("board=board,", f"board=board, of_match=lambda s, viewer: {BY_POINTS},"),
    "who chose to stay": (" if cell != state.at[p]", ""),
}  # fmt: skip
CHANGED: dict[str, Any] = {
    "how many sheets are in": added_text(lambda state, viewer: f"{len(sent(state))} steps are in"),
    "how many moths there are": added_text(lambda state, viewer: str([*state.guild.values()].count("moth"))),
    "who has sent a sheet": changed_view(lambda state, viewer, shown: shown._replace(submitted=sent(state))),
    "that a sheet came in": added_notice(
        lambda state, facts, viewer: "A step!" if any(isinstance(x, sealed.SheetSealed) for x in facts) else None
    ),
    "a refusal that counts": changed_rules(counted),
}


@pytest.mark.parametrize("name", [*BUILT, *CHANGED, "who may open a sheet", "who may open the draw"])
def test_seeded_leaks_are_found(name: str, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """The check can fail: which match showed it is recorded with the test."""
    game: Game
    if name in BUILT:
        game = build(stated("lantern_walk", BUILT[name]))
    elif name in CHANGED:
        game = CHANGED[name](load("lantern_walk"), monkeypatch)
    else:
        own = load("lantern_walk")
        game = opened_to_everybody(shared.Open if "draw" in name else own.actions[0])(own, monkeypatch)
    seeds = dict.fromkeys((*TELLING, *range(WITHIN)))
    found = next((seed for seed in seeds if list(leaks(game, PEOPLE[:4], Random(seed)))), None)
    assert found is not None, "not found"
    record_property("match", found)
