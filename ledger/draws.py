"""Every recorded draw, repeated once the fold has reached it; and which outcomes nobody can repeat.

Belongs here: the audit of deals and lots. Does not belong here: how a draw is made (games/kit/luck.py, the games).
Source: design section 5.
"""

from __future__ import annotations

from typing import Any

from events import LedgerError
from games.table import actions as shared
from ledger.replay import Engine, Live

DRAWS = frozenset({"deal", "lot", "resolve"})
"""The shared entries that hold the outcome of a draw, whether it was drawn or typed in."""


def drawn(live: Live) -> bool:
    """Is it an entry that may hold a draw?"""
    return live.do in DRAWS or "seed" in live.args or live.args.get("method") == "typed"


class Draws:
    """Repeats draws as they are folded.

    Attributes:
        typed: What was typed in, and so cannot be repeated, in words.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.typed: list[str] = []
        self._dealt = False

    def check(self, state: Any, live: Live, number: int) -> str | None:
        """What is wrong with the draw of an entry that was folded into `state`.

        Args:
            number: That of the entry where it was recorded first; a lot is drawn under it.
        """
        try:
            action = self.engine.read(live.do, live.args, state.table)
        except LedgerError as error:
            return error.what
        match action:
            case shared.Seed():
                return None  # the rules compare it with the commitment
            case shared.Deal():
                return self._deal(state, action, live, number)
            case shared.Lot(seed=None):
                self.typed.append(f"the lot of entry {live.seq}: its outcome was typed in, nothing can be drawn again")
                return None
            case shared.Resolve(seed=None) if action.order or action.drawn:
                self.typed.append(f"the lot of entry {live.seq}: its outcome was typed in, nothing can be drawn again")
                return None
            case _ if live.args.get("method") == "typed":
                self.typed.append(f"the {live.do} of entry {live.seq}: it was typed in, nothing can be drawn again")
                return None
        return self.engine.game.audit(state, action, number)

    def _deal(self, state: Any, action: shared.Deal, live: Live, number: int) -> str | None:
        """A commitment serves one deal, the first; the deals of later rounds draw seeds of their own."""
        committed = state.table.commitment is not None and not self._dealt
        self._dealt = True
        if action.method == "typed":
            if committed:
                return "the cards were typed in, though a seed had been committed to"
            self.typed.append(f"the deal of entry {live.seq}: the cards were typed in, nothing can be drawn again")
            return None
        if committed and action.seed is not None:
            return "the cards were drawn from another seed than the one that was committed to"
        return self.engine.game.audit(state, action, number)
