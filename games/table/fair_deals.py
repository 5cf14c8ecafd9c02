"""Fair deals: what is committed to before the cards are dealt, players' own words, and a deal that is replaced."""

from __future__ import annotations

from typing import Any

from events.errors import Refused
from games.contract import Fact
from games.kit.luck import commitment
from games.table import actions as a
from games.table import facts as f
from games.table.state import Table

MAX_WORDS = 500
"""Of all players together: a deal names the line of each, and a line of the log has 65,536 bytes."""


def fairness(table: Table, action: a.Commit | a.Seed | a.Word, *, dealt: bool) -> list[Fact]:
    """A commitment first, then words, then the deal: nobody who knows one can choose another. Source: design 5.

    Words that another copy of the log brings after the deal are kept, and not in it: `prepare` refuses to add any then.
    """
    match action:
        case a.Word() if dealt or table.status != "setup":
            return [f.WordLate(action.player)]
        case a.Word():
            if table.words >= MAX_WORDS:
                raise Refused("table.words_many", f"{MAX_WORDS} words are in the deal, and it takes no more", "hl deal")
            return [f.WordAdded(action.player, action.text)]
        case a.Commit():
            if dealt or table.status != "setup":
                raise Refused("table.commit_late", "the cards are dealt: nothing can be committed to now", "hl status")
            if table.commitment is not None:
                raise Refused("table.committed", "there is a commitment already", "hl word PLAYER TEXT")
            if action.commitment is None:
                raise Refused("table.commit_empty", "a commitment is recorded with its hash", "hl commit")
            return [f.Committed(action.commitment)]
        case a.Seed():
            if commitment(table.game_id, bytes.fromhex(action.seed)) != table.commitment:
                raise Refused("table.seed_other", "this seed is not the one that was committed to", "hl verify")
            return [f.SeedKept(action.seed)]


def replaced(table: Table, action: Any) -> list[Fact]:
    """What is told of an action that takes the place of what was published or drawn first. Source: design section 5."""
    if getattr(action, "replaces", None) is None:
        return []
    if isinstance(action, a.Commit):
        return [f.DrawReplaced("commitment")]
    if getattr(action, "commitment", None) is not None:
        return [f.DrawReplaced("deal")]
    if hasattr(action, "commitment") and action.seed is None:
        return [f.DrawReplaced("cards")]
    fixed = hasattr(action, "commitment") and table.commitment is not None
    return [f.DrawReplaced("newer" if fixed else "again")]
