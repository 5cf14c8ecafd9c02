"""Sealed rounds at the table: opened, closed, reopened, resolved; sheets taken, late ones admitted; who still owes one.

What belongs here: everything about a round that does not depend on what is on a sheet. Which rounds follow each other,
what a sheet says and what comes of it is the game's. Source: season S-9, S-10, S-G1, S-G3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from events.errors import Refused
from events.instants import Instant
from games.contract import Action, Due, Moment
from games.kinds import TEXT_LIMIT
from games.kit import sealed
from games.kit.sealed import Round, called
from games.records import ABSENT
from games.table import actions as a
from games.table import facts as f
from games.table.state import Table

A = TypeVar("A", bound=Action)
_ADMIT = r"(?s)(admit\s+#?)([0-9]{1,9})(\b.*)"


def taking(table: Table, sent_for: str = ABSENT) -> Round:
    """The round that is on.

    Args:
        sent_for: The round that a sheet names; absent in old logs, which then means the one that is on.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_this_round`.
    """
    if table.round is None:
        before = table.status == "setup"
        what = "submissions are not taken yet" if before else "no submissions are taken any more"
        if table.phase == sealed.BREAK:
            what = "it is the break between two rounds: submissions are taken again when the next one opens"
        raise Refused("sealed.no_round", what, "hl open" if before else "hl status")
    if sent_for and sent_for != table.round.name:
        fix = "hl log --kind resolve" if sent_for in table.past else "hl resolve --at TIME"
        raise _other(table.round, sent_for, fix)
    return table.round


def _other(round_: Round, wanted: str, fix: str) -> Refused:
    """Another round is on than the one that is meant."""
    return Refused("sealed.not_this_round", f"{called(round_.name)} is on, not {called(wanted)}", fix)


def addressed(table: Table, action: A) -> A:
    """A sheet with the round that it is sent for: the one that is on, or the vote for a blank in one.

    What has no field `round`, or names one already, stays as it is. Source: decision 0025.
    """
    if getattr(action, "round", None) is not ABSENT:
        return action
    if table.round is not None:
        return action._replace(round=table.round.name)
    voting = isinstance(action, a.Blank) and any(d.kind == "vote" and action.player in d.who for d in table.decisions)
    return action._replace(round=a.VOTE) if voting else action


def seal(
    table: Table,
    player: str,
    content: Any,
    moment: Moment,
    kind: Literal["sheet", "blank", "withdrawn"] = "sheet",
    parts: tuple[str, ...] | None = None,
) -> sealed.SheetSealed:
    """A submission as it is kept, late or in time. The caller knows that the round is on and that the player may.

    Which round it is for, and whether it is an addition, is said by the fact, not by what was on the sheet.
    """
    round_ = taking(table)
    said_elsewhere: dict[str, Any] = {"round": ABSENT, "add": False}
    if content is not None:
        content = content._replace(**{name: said_elsewhere[name] for name in said_elsewhere if hasattr(content, name)})
    late = sealed.is_late(round_, table.settings["grace_seconds"], moment.at)
    return sealed.SheetSealed(player, sealed.Submission(moment.seq, moment.at, content, kind, late, parts), round_.name)


def admit(table: Table, text: str) -> sealed.LateAdmitted | None:
    """What a ruling `admit SEQ` does; None for any other ruling. Source: S-G1.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_late`.
    """
    seq = let_in(text)
    if seq is None:
        return None
    round_ = taking(table)
    player, _ = sealed.late_sheet(round_, seq)
    return sealed.LateAdmitted(player, seq, round_.name)


def let_in(text: str) -> int | None:
    """The entry that a ruling `admit SEQ` is about; None for any other ruling.

    >>> let_in("admit #9: the train"), let_in("Ann is admitted")
    (9, None)
    """
    match = re.fullmatch(_ADMIT, text)
    return int(match[2]) if match else None


def renumbered(text: str, seq: int) -> str:
    """A ruling `admit SEQ` as it is typed in a copy of the log where that entry has another number.

    >>> renumbered("admit #9: 9 minutes late", 14)
    'admit #14: 9 minutes late'
    """
    match = re.fullmatch(_ADMIT, text)
    return f"{match[1]}{seq}{match[3]}"[:TEXT_LIMIT] if match else text


def closed(table: Table, at: Instant) -> sealed.SubmissionsClosed:
    """Submissions of the round that is on end at `at`."""
    return sealed.SubmissionsClosed(taking(table).name, at, tuple((p, table.garnets(p)) for p in table.players))


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
        raise Refused("sealed.reopen", f"{called(name)} is not on: it cannot be reopened", "hl log --kind resolve")
    return (
        [] if table.round.closed is None else [f.DeadlineMoved(None, None, moment.at), *sealed.admit_all(table.round)]
    )


def resolving(table: Table, name: str | None) -> Round:
    """The round that a `resolve` means.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_this_round`.
    """
    if table.round is None:
        raise Refused("sealed.no_round", "there is no round to resolve", "hl status")
    if name != table.round.name:
        raise _other(table.round, name or "", "hl status")
    return table.round


def _opened(table: Table, fact: sealed.RoundOpened) -> Table:
    began = table.begun(fact.round, fact.at, fact.ends)
    return began._replace(status="running", round=Round(fact.round, fact.at))


def _resolved(table: Table, fact: sealed.RoundResolved) -> Table:
    past, resolved = (*table.past, fact.round), (*table.resolved, fact.round)
    return table._replace(round=None, last=table.round, ends=None, past=past, resolved=resolved)


EVOLVE: Mapping[type, Callable[[Any, Any], Table]] = {
    sealed.RoundOpened: _opened,
    sealed.SheetSealed: lambda table, fact: table._replace(round=sealed.sealed(table.round, fact)),
    sealed.LateAdmitted: lambda table, fact: table._replace(round=sealed.admitted(table.round, fact)),
    sealed.SheetDropped: lambda table, fact: table,
    sealed.SubmissionsClosed: lambda table, fact: table._replace(
        round=table.round._replace(closed=fact.at, held=dict(fact.garnets)), ends=None
    ),
    sealed.RoundResolved: _resolved,
}
"""The table after each fact of a sealed round."""


def silent(table: Table, round_: Round, among: Iterable[str] | None = None) -> tuple[str, ...]:
    """Those of `among` (None: of the players) who still owe a submission: not who left, not who submits nothing."""
    asked = table.players if among is None else among
    return tuple(p for p in asked if p not in table.left and sealed.standing(round_, p) == "silent")


def owed(table: Table, what: str, among: Iterable[str] | None = None) -> tuple[Due, ...]:
    """Who of `among` (None: of everybody) still owes a submission of the round that is on."""
    round_ = table.round
    if round_ is None:
        return ()
    ends = round_.closed or table.ends
    return tuple(Due(p, what, round_.opened, ends) for p in silent(table, round_, among))
