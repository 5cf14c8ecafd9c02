"""`explain`: every account adds up, every entry and every card has its chain, and each link its rule.

Source: docs/json.md; issue "Audit", explain.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from events.errors import Unreadable
from games.records import plain
from games.registry import load
from games.table import Table
from ledger.core.match import Match
from ledger.tell.explain import GROUPS, applied_facts, why
from ledger.tell.listing import concerns, kinds_of, readings


def held(table: Table, about: str, player: str) -> int:
    return table.garnets(player) if about == "garnets" else table.tokens.get(player, 0)


@pytest.mark.parametrize("about", ["garnets", "tokens"])
def test_every_account_adds_up(played: Match, about: str) -> None:
    """For each player by himself, and in the result, whatever hosts awarded, undid and set in between."""
    final = why(played, "final").chain
    for player in played.table.players:
        for chain in (why(played, player).chain, final):
            mine = [link for link in chain if link.about == about and link.player == player]
            assert sum(link.change for link in mine) == held(played.table, about, player)
            assert about == "tokens" or mine[0].fact == "seat_taken", (
                "an account begins with the seat, also with nothing"
            )
            now = 0
            for link in mine:
                now += link.change
                assert link.now == now
            assert all(link.rule for link in mine)


def test_everything_that_concerns_a_player_is_behind_them(played: Match) -> None:
    """Each fact that names him stands in his chain once, or once for each account that it changed."""
    for player in played.table.players:
        chain = why(played, player).chain
        mine = [(moved.seq, type(moved.fact)) for moved in applied_facts(played) if concerns(moved.fact, player)]
        told = {(link.seq, link.fact, link.text) for link in chain}
        assert len(told) >= len({(seq, cls) for seq, cls in mine})
        assert {seq for seq, _ in mine} <= {link.seq for link in chain}
        assert {link.about for link in chain} <= set(GROUPS)
        assert [link.seq for link in chain if link.about == "play"], player


def test_where_he_stands_is_said_first(played: Match) -> None:
    for player in played.table.players:
        stands = why(played, player).stands
        assert stands[0].startswith(f"{played.table.name(player)}: ") and "_" not in stands[0]
        assert "garnets" not in stands[0] or f"garnets {played.table.garnets(player)}" in stands[0]
        assert (player in played.table.elimination) == any("Elimination Candidate" in line for line in stands)


def test_every_entry_is_explained(played: Match) -> None:
    """Also line 1, what is undone, and the entries about the log."""
    for seq in range(1, len(played.book.entries) + 1):
        found = why(played, f"#{seq}")
        assert found.stands[0].startswith(f"Entry {seq}, recorded by ")
        assert found.chain and all(link.text and link.rule for link in found.chain), seq
        assert "{" not in " ".join(found.lines(played))


def test_every_card_that_is_held_has_its_chain(played: Match) -> None:
    rows = plain(played.game.view(played.fold.state, "host"))["players"]
    held_ = {card for row in rows.values() for key in ("hand", "cards") for card in row.get(key, ())}
    for card in held_:
        if not card.isdigit():  # a number is an entry
            assert why(played, card.lower()).chain, card


def test_a_round_is_explained_by_its_entry(played: Match) -> None:
    resolved = [o.entry for o in played.fold.outcomes if o.entry.do == "resolve"]
    for live in resolved:
        assert why(played, f"round:{live.args['round']}") == why(played, str(live.seq))


def test_another_spelling_of_a_card() -> None:
    """Words are read as the game's verbs read them."""
    here: Any = SimpleNamespace(game=load("equilibrium"), desk=lambda now: None)
    assert "R7" in list(readings(here, "red7")) and list(readings(here, "nonsense")) == []


def test_what_is_not_there(played: Match) -> None:
    unknown = {"0": "entry.unknown", "9999": "entry.unknown", "zz9": "player.unknown", "round:nonsense": "as_of.round"}
    for word, code in unknown.items():
        with pytest.raises(Unreadable) as error:
            why(played, word)
        assert error.value.code == code


def test_what_is_filled_in_is_no_word_of_the_game(played: Match) -> None:
    """The round of a sheet is never typed, so a word is not read as one."""
    assert "ROUND" not in [kind.name for kind in kinds_of(played)]
