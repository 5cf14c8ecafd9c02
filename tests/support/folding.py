"""What must hold of every state that a log of any game folds to: it can be shown, told and explained to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.contract import Game
from games.records import plain
from games.table.view import frame
from ledger.core.replay import Fold


def can_be_shown(game: Game, fold: Fold, players: Sequence[str], rounds: Iterable[str] = ()) -> None:
    """Everything that a game makes of a state, for hosts, the public and each player.

    Args:
        rounds: Rounds whose text is asked for although they may not be resolved.
    """
    state = fold.state
    facts = [fact for outcome in fold.outcomes for fact in outcome.facts]
    for viewer in ("host", "public", *players):
        view, result = game.view(state, viewer), game.result(state, viewer)
        framed = frame(state.table, game.title, viewer)
        plain(view), plain(result)
        game.report(framed, view, result), game.scores(framed, view, result), game.board(framed, view, result)
        for name in dict.fromkeys((*state.table.resolved, *rounds)):
            game.round_report(framed, view, name)
        game.tell(state, facts, viewer)
    assert all(game.explain(state, fact).text for fact in facts)
    game.waiting(state), game.invariants(state), game.due(state)
