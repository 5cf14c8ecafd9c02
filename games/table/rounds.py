"""Sealed rounds at the table: opened, closed, reopened, resolved; sheets taken, late ones admitted; who still owes one.

What belongs here: everything about a round that does not depend on what is on a sheet. Which rounds follow each other,
what a sheet says and what comes of it is the game's. Source: season S-9, S-10, S-G1, S-G3.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from events.errors import Refused
from games.contract import Due, Moment
from games.kit.sealed import (
    LateAdmitted,
    Round,
    RoundOpened,
    RoundResolved,
    Sheet,
    SheetSealed,
    SubmissionsClosed,
    admitted,
    called,
    is_late,
    late_sheet,
    sealed,
    standing,
)
from games.table import facts as f
from games.table.state import Table

_ADMIT = re.compile(r"admit\s+#?(\d{1,9})\b.*", re.DOTALL)


def taking(table: Table) -> Round:
    """The round that is on.

    Raises:
        Refused: `sealed.no_round`.
    """
    if table.round is None:
        before = table.status == "setup"
        what = "submissions are not taken yet" if before else "no submissions are taken any more"
        raise Refused("sealed.no_round", what, "hl open" if before else "hl status")
    return table.round


def seal(
    table: Table, player: str, content: Any, moment: Moment, kind: Literal["sheet", "blank", "withdrawn"] = "sheet"
) -> SheetSealed:
    """A submission as it is kept, late or in time. The caller knows that the round is on and that the player may."""
    round_ = taking(table)
    late = is_late(round_, table.settings["grace_seconds"], moment.at)
    return SheetSealed(player, Sheet(moment.seq, moment.at, content, kind, late), round_.name)


def admit(table: Table, text: str) -> LateAdmitted | None:
    """What a ruling `admit SEQ` does; None for any other ruling. Source: S-G1.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_late`.
    """
    found = _ADMIT.fullmatch(text)
    if found is None:
        return None
    round_, seq = taking(table), int(found[1])
    player, _ = late_sheet(round_, seq)
    return LateAdmitted(player, seq, round_.name)


def closed(table: Table, at: int) -> SubmissionsClosed:
    """Submissions of the round that is on end at `at` (ms)."""
    return SubmissionsClosed(taking(table).name, at, tuple((p, table.garnets(p)) for p in table.players))


def close(table: Table, name: str, moment: Moment) -> list[Any]:
    """End the submissions now; what comes later is late. Resolving is another step.

    Raises:
        Refused: `sealed.not_this_round`.
    """
    if table.round is not None and table.round.name == name:
        return [closed(table, moment.at)] if table.round.closed is None else []
    if name in table.past:
        return []
    raise Refused("sealed.not_this_round", f"{called(name)} is not on", "hl status")


def reopen(table: Table, name: str, moment: Moment) -> list[Any]:
    """Take sheets again in the round that is on; it then has no end until a host gives it one.

    Raises:
        Refused: `sealed.reopen`.
    """
    if table.round is None or table.round.name != name:
        raise Refused("sealed.reopen", f"{called(name)} is not on: it cannot be reopened", "hl undo its resolve")
    return [f.DeadlineMoved(None, None, moment.at)] if table.round.closed is not None else []


def resolving(table: Table, name: str | None) -> Round:
    """The round that a `resolve` means.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_this_round`.
    """
    if table.round is None:
        raise Refused("sealed.no_round", "there is no round to resolve", "hl status")
    if name != table.round.name:
        what = f"{called(table.round.name)} is on, not {called(name or '')}"
        raise Refused("sealed.not_this_round", what, "hl status")
    return table.round


def evolve(table: Table, fact: Any) -> Table:
    """The table after a fact of a sealed round."""
    if isinstance(fact, RoundOpened):
        began = table.begun(fact.round, fact.at, fact.ends)
        return began._replace(status="running", round=Round(fact.round, fact.at))
    round_ = table.round
    if round_ is None:
        raise AssertionError("a sheet without a round")
    match fact:
        case SheetSealed():
            return table._replace(round=sealed(round_, fact))
        case LateAdmitted():
            return table._replace(round=admitted(round_, fact))
        case SubmissionsClosed():
            return table._replace(round=round_._replace(closed=fact.at, held=dict(fact.garnets)), ends=None)
        case RoundResolved():
            past, resolved = (*table.past, fact.round), (*table.resolved, fact.round)
            return table._replace(round=None, ends=None, past=past, resolved=resolved)
        case _:
            raise AssertionError(f"no fact of a round: {fact!r}")


def silent(table: Table, round_: Round) -> tuple[str, ...]:
    """Those who still owe a submission: not who left, not who said that he submits nothing."""
    return tuple(p for p in table.players if p not in table.left and standing(round_, p) == "silent")


def owed(table: Table, what: str) -> tuple[Due, ...]:
    """Who still owes a submission of the round that is on."""
    round_ = table.round
    if round_ is None:
        return ()
    ends = round_.closed or table.ends
    return tuple(Due(p, what, round_.opened, ends) for p in silent(table, round_))
