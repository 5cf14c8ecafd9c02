"""Every recorded draw, repeated when the fold reaches it; and the outcomes that nobody can repeat.

Belongs here: the audit of deals and lots. Does not belong here: how a draw is made (games/kit/luck.py, the games).
Source: docs/decisions/0032.
"""

from __future__ import annotations

from typing import Any

from events import LedgerError
from games.records import fields
from games.table import actions as shared
from ledger.core.commitments import Deals
from ledger.core.layout import Index
from ledger.core.live import Live
from ledger.core.replay import Engine


class Draws:
    """Repeats draws as they are folded.

    Attributes:
        typed: Outcomes that were typed in, and so cannot be repeated, a sentence each.
    """

    def __init__(self, engine: Engine, deals: Deals) -> None:
        self.engine, self.deals = engine, deals
        self.typed: list[str] = []
        self.verbs = frozenset(
            do for do, cls in engine.actions.items() if {"draw", "outcome"} & {field.name for field in fields(cls)}
        )
        """The verbs whose entries may hold an outcome, drawn or typed in."""

    def check(self, state: Any, live: Live, layout: Index) -> str | None:
        """The fault of a draw in an entry that was folded into `state`, or None. A lot is drawn under its place."""
        number = layout.place(live.seq)[0]
        try:
            action = self.engine.read(live.do, live.args, state.table)
        except LedgerError as error:
            return error.what
        match action:
            case shared.Seed():
                return None  # the rules compare it with the commitment
            case shared.Deal(method="typed"):
                self.typed.append(f"the deal of entry {live.seq}: the cards were typed in, nothing can be drawn again")
                return None
            case _ if isinstance(getattr(action, "commitment", None), str):
                key = self.deals.key(layout, live.args)
                if key is None:
                    return "it names a commitment, or words, that the log does not hold"
                return self.engine.game.audit(state, action, number, key)
            case shared.Lot(seed=None) | shared.Open(seed=None) | shared.Resolve(seed=None):
                if isinstance(action, shared.Lot) or action.drawn:
                    what = f"the lot of entry {live.seq}: its outcome was typed in, nothing can be drawn again"
                    self.typed.append(what)
                return None
            case _ if type(action) in self.engine.game.actions and getattr(action, "seed", "") is None:
                self.typed.append(f"the {live.do} of entry {live.seq}: it was typed in, nothing can be drawn again")
                return None
        return self.engine.game.audit(state, action, number)
