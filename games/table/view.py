"""What of the table an audience may know; the shared half of every game's view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.audiences import EVERYBODY, HOST, Audience
from games.contract import Action
from games.table import actions as a
from games.table.state import Table


def decisions(table: Table) -> tuple[Mapping[str, Any], ...]:
    """What is open at the end, for everybody: which kind, who decides, among whom."""
    return tuple({"kind": d.kind, "who": list(d.who), "among": list(d.among)} for d in table.decisions)


def shared_audience(action: Action) -> Audience:
    """Who may see an entry of a shared verb opened. What is not named here is the hosts'.

    A lot names only those it is drawn among; an override, a note, a ruling or a deal may hold anything.
    """
    match action:
        case a.Create() | a.Open() | a.Close() | a.Reopen() | a.Deadline() | a.AmendSetting() | a.Lot() | a.Gift():
            return EVERYBODY
        case a.Seat() | a.Blank() | a.Penalty() | a.Alias():
            return Audience.only(action.player)
        case a.Award():
            return EVERYBODY if action.what == "tokens" else Audience.only(action.player)
        case a.Vote():
            return Audience.only(action.voter)
        case _:
            return HOST
