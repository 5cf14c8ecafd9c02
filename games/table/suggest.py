"""Words likely meant next in the shared verbs, for completion: who may vote for whom, which phase can be reopened."""

from __future__ import annotations

from collections.abc import Mapping

from games.table import actions as a
from games.table.state import Table

DECIDES: Mapping[tuple[type, str], tuple[str, str]] = {
    (a.Vote, "voter"): ("vote", "who"),
    (a.Vote, "candidate"): ("vote", "among"),
    (a.Gift, "player"): ("gift", "who"),
    (a.Gift, "receiver"): ("gift", "among"),
    (a.Choose, "player"): ("choose", "who"),
    (a.Choose, "choice"): ("choose", "among"),
    (a.Lot, "among"): ("lot", "among"),
    (a.Lot, "outcome"): ("lot", "among"),
}
"""A field -> which kind of open decision it belongs to, and which of its players are meant."""


def suggest(table: Table, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field of a shared verb, given those before it. Empty: no idea."""
    if (place := DECIDES.get((action, field))) is not None:
        kind, side = place
        pending = [d for d in table.decisions if d.kind == kind]
        return tuple(dict.fromkeys(p for d in pending for p in (d.who if side == "who" else d.among)))
    if action is a.Close:
        return tuple(dict.fromkeys([*(d.kind for d in table.decisions), table.phase]))
    if action is a.Reopen:
        return tuple(dict.fromkeys(name for name in reversed(table.past) if name != "pregame"))
    return ()
