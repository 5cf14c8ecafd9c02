"""Nothing that leaves for a viewer of Hex Parties depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, and seeded leaks that must be found. The picture is compared
whole: every cell, piece, mark and word of it, and its alt text.

Source: docs/games/hex_parties.md, section 6, HX-17, HX-18; docs/reliability.md (promise 3).
"""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import Refused
from games.contract import Game
from games.hex_parties import actions as a, facts as f
from games.hex_parties.facts import standing_cells
from games.hex_parties.view import BouncedView, IllegalView
from games.kit.blocks import Board
from games.registry import load
from games.table import facts as table_facts
from games.table.rounds import SheetSealed, silent, standing
from tests.secrecy import harness as harness, hex_parties as orders, judging as judging
from tests.secrecy.leaks import (
    Leaky,
    added_notice,
    added_text,
    changed_rules,
    changed_view,
    opened_to_everybody,
    others,
)

GAME = load("hex_parties")
PICTURED = orders.whole(GAME)


# ---- pairs ---------------------------------------------------------------------------------------------------------


def test_pairs_get_everywhere_and_leave_the_same() -> None:
    """The generator is no good if it never gets there: every verb, late and admitted, refusals, bonuses, the end."""
    found = judging.reached(harness.Memory(PICTURED, orders.knows), orders)
    assert found.viewers == {*orders.NAMES, "public"} and found.differing == len(found.pairs)
    assert {"sides", "move", "blank", "open", "close", "resolve", "override", "vote", "gift", "--bonus"} <= found.seen
    assert {"sides", "move", "blank", "undo", "admit", "refused", "--bonus", "note", "breach", "ruling"} <= found.hidden
    assert {"override", "award", "tokens", "penalty", "alias"} <= found.hidden
    assert not found.lacks("bounced", "occupied", "is used up", '"finished"', "Shaded for")
    codes = {"hex_parties.cell", "hex_parties.no_piece", "hex_parties.sides_over"}
    assert {"probe", "notice", "entries", *(f"probe {code}" for code in codes)} <= found.kinds


# ---- seeded leaks --------------------------------------------------------------------------------------------------


def odd_pieces_told(state: Any, viewer: str, shown: Any) -> Any:
    """Which piece is odd, before the round is resolved."""
    cells = standing_cells(state)
    players = {p: row._replace(odd=cells[p, "odd"], even=cells[p, "even"]) for p, row in shown.players.items()}
    return shown._replace(players=players)


def sheets_told(state: Any, viewer: str, shown: Any) -> Any:
    """Who has sent anything, as an empty word."""
    if state.table.round is None:
        return shown
    sent = {p: None if standing(state.table.round, p) == "silent" else "" for p in others(state, viewer)}
    return shown._replace(sheets={**(shown.sheets or {}), **sent})


def failed_told(state: Any, viewer: str, shown: Any) -> Any:
    """The failed orders of everybody."""
    rounds = []
    for round_, record in zip(shown.rounds, state.results, strict=True):
        bounced = tuple(BouncedView(x.player, x.piece, x.to) for x in record.bounced)
        rounds.append(round_._replace(bounced=bounced))
    return shown._replace(rounds=tuple(rounds))


def illegal_told(state: Any, viewer: str, shown: Any) -> Any:
    rounds = []
    for round_, record in zip(shown.rounds, state.results, strict=True):
        illegal = tuple(IllegalView(x.player, x.piece, x.to, x.why) for x in record.illegal)
        rounds.append(round_._replace(illegal=illegal))
    return shown._replace(rounds=tuple(rounds))


def picture(change: Any) -> Leaky:
    """A game whose picture tells more, out of the state."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        last: dict[str, Any] = {}

        def view(state: Any, viewer: str) -> Any:
            last["state"] = state
            return game.view(state, viewer)

        def report(frame: Any, shown: Any, result: Any) -> Any:
            made = game.report(frame, shown, result)
            return [change(last["state"], block) if isinstance(block, Board) else block for block in made]

        return game._replace(view=view, report=report)

    return leak


def marked_when_sent(state: Any, board: Board) -> Board:
    """A piece is marked when its owner has sent something."""
    if state.table.round is None:
        return board
    quiet = set(silent(state.table, state.table.round))
    owners = {cell: p for (p, _), cell in state.cells.items()}
    pieces = tuple(piece._replace(marked=owners.get(piece.cell) not in quiet) for piece in board.pieces)
    return board._replace(pieces=pieces)


def alt_counts(state: Any, board: Board) -> Board:
    """The alt text says how many orders failed in the last round."""
    failed = len(state.results[-1].bounced) if state.results else 0
    return board._replace(alt=f"{board.alt} {failed} moves bounced.")


def bounced_with(state: Any, facts: list[Any], viewer: str) -> str | None:
    mine = [x.against for x in facts if isinstance(x, f.PieceBounced) and x.player == viewer]
    return f"You bounced with {mine}." if mine else None


def names_the_richest(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is None or not refusal.code.startswith("hex_parties."):
        return None
    most = max(state.table.garnets(p) for p in state.table.seats)
    return Refused(refusal.code, f"{refusal.what}; nobody has more than {most} garnets", refusal.fix)


LEAKS: dict[str, Leaky] = {
    "how many sheets are in": added_text(
        lambda s, v: f"{6 - len(silent(s.table, s.table.round))} of 6." if s.table.round is not None else None
    ),
    "who has sent anything": changed_view(sheets_told),
    "the odd pieces before the deadline": changed_view(odd_pieces_told),
    "bounced orders of the others": changed_view(failed_told),
    "illegal orders of the others": changed_view(illegal_told),
    "with whom a move bounced": added_notice(bounced_with),
    "how many moves bounced": added_notice(
        lambda s, facts, v: (
            f"{sum(isinstance(x, f.PieceBounced) for x in facts)} bounced."
            if any(isinstance(x, f.PartyFormed) for x in facts)
            else None
        )
    ),
    "garnets of the others in all": added_text(lambda s, v: str(sum(s.table.garnets(p) for p in others(s, v)))),
    "order of players by garnets": added_text(
        lambda s, v: " ".join(sorted(others(s, v), key=lambda p: s.table.garnets(p)))
    ),
    "that a bonus was used": added_text(lambda s, v: "A bonus is used up." if any(s.used.values()) else None),
    "that somebody paid": added_notice(
        lambda s, facts, v: "Somebody paid." if any(isinstance(x, table_facts.Moved) for x in facts) else None
    ),
    "a sheet told to everybody": added_notice(
        lambda s, facts, v: "A sheet is in." if any(isinstance(x, SheetSealed) for x in facts) else None
    ),
    "a faulty order told to everybody": added_notice(
        lambda s, facts, v: "That will not do." if any(isinstance(x, f.OrderFaulty) for x in facts) else None
    ),
    "the picture marks who has sent something": picture(marked_when_sent),
    "the alt text counts failed orders": picture(alt_counts),
    "a refusal that names the richest": changed_rules(names_the_richest),
    "who may open orders": opened_to_everybody(a.Move),
}
