"""Nothing that leaves for a viewer of Hex Parties depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, and seeded leaks that must be found. The picture is compared
whole: every cell, piece, mark and word of it, and its alt text.

Source: docs/games/hex_parties.md, section 6, HX-17, HX-18; docs/reliability.md (promise 3).
"""

from __future__ import annotations

from random import Random
from typing import Any

from events.audiences import PUBLIC_VIEWER
from games.hex_parties import actions as a, facts as f
from games.hex_parties.facts import standing_cells
from games.hex_parties.view import BouncedView, IllegalView
from games.kit.blocks import Board
from games.table import facts as table_facts
from games.table.rounds import silent, standing
from tests.secrecy import leaks
from tests.secrecy.leaks import others
from tests.secrecy.script import PUBLIC
from tests.secrecy.test_secrecy_default import begun, shown, went
from tests.support.sizes import many


def test_with_whom_and_with_how_many_a_move_bounced_is_told_nobody() -> None:
    """Not even where every line is open: the same round, in which each bounced move met other rivals, more or fewer.

    The pairs seldom have a bounced move of the viewer. Source: HX-17, HX-18.
    """
    met = 0
    for seed in range(many(6, 300)):
        chance = Random(f"bounced {seed}")
        match = begun("hex_parties", chance, ("everybody",))
        pieces = [f"{player} {which}" for player, which in match.state.cells]
        for before, _, facts in went(match, chance):
            many_ = chance.randint(1, 3)
            others = [
                x._replace(against=tuple(chance.sample(pieces, many_))) if isinstance(x, f.PieceBounced) else x
                for x in facts
            ]
            met += others != facts
            for viewer in (PUBLIC_VIEWER, *match.state.table.players) if others != facts else ():
                read = []
                for told in (facts, others):
                    side = before.twin()
                    for fact in told:
                        side.state = side.game.evolve(side.state, fact)
                    read.append((repr(side.game.tell(side.state, told, viewer)), repr(shown(side, viewer))))
                assert read[0] == read[1], (seed, viewer)
    assert met > 5, "no move bounced"


def odd_piece_told(state: Any, player: str, row: Any) -> dict[str, Any]:
    """Which piece is odd, before the round is resolved."""
    return {which: standing_cells(state)[player, which] for which in ("odd", "even")}


def sheets_told(state: Any, viewer: str, shown: Any) -> Any:
    """Who has sent anything, as an empty word."""
    if state.table.round is None:
        return shown
    sent = {p: None if standing(state.table.round, p) == "silent" else "" for p in others(state, viewer)}
    return shown._replace(sheets={**(shown.sheets or {}), **sent})


def failed(one: Any, record: Any) -> dict[str, Any]:
    return {"bounced": tuple(BouncedView(x.player, x.piece, x.to) for x in record.bounced)}


def failed_early(state: Any, viewer: str, shown: Any) -> Any:
    """As soon as it is settled that the end will tell of them, and only to players."""
    if viewer == PUBLIC or not state.settings.reveal_orders_at_end:
        return shown
    both = zip(shown.rounds, state.results, strict=True)
    return shown._replace(rounds=tuple(one._replace(**failed(one, record)) for one, record in both))


def illegal(one: Any, record: Any) -> dict[str, Any]:
    return {"illegal": tuple(IllegalView(x.player, x.piece, x.to, x.why) for x in record.illegal)}


def marked_when_sent(state: Any, board: Any) -> Any:
    """A piece is marked when its owner has sent something."""
    if state.table.round is None or not isinstance(board, Board):
        return board
    quiet = set(silent(state.table, state.table.round))
    owners = {cell: p for (p, _), cell in state.cells.items()}
    pieces = tuple(piece._replace(marked=owners.get(piece.cell) not in quiet) for piece in board.pieces)
    return board._replace(pieces=pieces)


def bounced_with(state: Any, facts: list[Any], viewer: str) -> str | None:
    mine = [x.against for x in facts if isinstance(x, f.PieceBounced) and x.player == viewer]
    return f"You bounced with {mine}." if mine else None


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "who has sent anything": leaks.changed_view(sheets_told),
    "the odd pieces before the deadline": leaks.changed_rows(odd_piece_told),
    "bounced orders of the others": leaks.changed_rounds(lambda s: s.results, failed),
    "bounced orders of the others before the end that tells them": leaks.changed_view(failed_early),
    "illegal orders of the others": leaks.changed_rounds(lambda s: s.results, illegal),
    "with whom a move bounced": leaks.added_notice(bounced_with),
    "how many moves bounced": leaks.added_notice(
        lambda s, facts, v: (
            f"{sum(isinstance(x, f.PieceBounced) for x in facts)} bounced."
            if any(isinstance(x, f.PartyFormed) for x in facts)
            else None
        )
    ),
    "garnets of the others in all": leaks.added_text(lambda s, v: str(sum(s.table.garnets(p) for p in others(s, v)))),
    "order of players by garnets": leaks.added_text(lambda s, v: " ".join(sorted(others(s, v), key=s.table.garnets))),
    "that a bonus was used": leaks.added_text(lambda s, v: "A bonus is used up." if any(s.used.values()) else None),
    "that somebody paid": leaks.noticed(table_facts.Moved, "Somebody paid."),
    "a faulty order told to everybody": leaks.noticed(f.OrderFaulty, "That will not do."),
    "the picture marks who has sent something": leaks.changed_blocks(marked_when_sent),
    "the alt text counts failed orders": leaks.added_alt(
        lambda s: f"{len(s.results[-1].bounced) if s.results else 0} moves bounced."
    ),
    "a refusal that names the richest": leaks.refused_with(
        "hex_parties.", lambda s, action, refusal: f"nobody has more than {max(map(s.table.garnets, s.table.seats))}"
    ),
    "who may open orders": leaks.opened_to_everybody(a.Move),
}
