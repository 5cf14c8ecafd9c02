"""What a plan ends before its time, and what it shows that was closed before: a host is asked about both.

Derived from the match before and after the plan, for every game and verb alike. Belongs here: finding it, and saying it
in one sentence. Does not belong here: who is asked, and when (recorder.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import Instant
from games.contract import Moment, State
from games.kinds import called, listed
from games.records import plain
from games.table import Table
from games.table.facts import Abstained, ChoiceMade, GiftNamed, VoteCast
from ledger.core.match import Match
from ledger.core.times import show_day, show_span
from ledger.record.plan import Plan

Path: TypeAlias = tuple[str, ...]
"""The keys that lead to a datum of a view."""
EMPTY: tuple[object, ...] = (None, "", [], {})
RESULT = ("ranking", "scores", "tokens", "elimination")
"""What of a result is closed to others until the rules open it."""


def openings(match: Match, plan: Plan) -> Iterator[str]:
    """Sentences that say which phase this ends before its time, and what it shows to whom. Empty: nothing."""
    before, after = plan.before.state, plan.after.state
    if before is after or not plan.bodies:
        return
    at = plan.bodies[-1].at
    if not plan.correction:  # what the clock brings by then is no doing of the host's
        before, _ = match.engine.pass_time(before, Moment(at, min(plan.mine)))
    yield from _early_ends(match, plan, before, at)
    shown = _opened(match, before, after)
    everybody = shown.pop(PUBLIC_VIEWER)
    if everybody:
        yield f"this shows everybody {_in_words(after, everybody)}"
    for viewer, paths in shown.items():
        if rest := [path for path in paths if path not in everybody]:
            yield f"this shows {after.table.name(viewer)} {_in_words(after, rest)}"


def _early_ends(match: Match, plan: Plan, before: State, at: Instant) -> Iterator[str]:
    """A sentence for the phase, the round or the decision that this ends while its end lies ahead."""
    after, zone = plan.after.state, match.zone
    was, now = before.table, after.table

    def early(name: str, end: int, ends: int | None = None) -> str:
        when = "now" if ends is None else show_day(ends, zone)
        return f"this ends {name} {when}, and not {show_day(end, zone)} ({show_span(end - (ends or at))} early)"

    name = called(was.round.name) if was.round else was.phase
    end = was.end_at(at) if was.paused is None else was.ends
    if end is not None and end > at:
        if (was.phase != now.phase and was.phase in now.past) or (was.round and _is_over(was.round.name, now)):
            yield early(name, end)
        elif was.phase == now.phase and was.ends == now.ends:
            due = match.game.due(after)  # an end of the game's own, like that after the last lock
            if due is not None and due < end and due != match.game.due(before):
                yield early(name, end, due)
    if plan.correction or plan.passed:
        return  # a decision that is gone then was one that should not have been open
    facts = [fact for o in plan.after.outcomes if o.live.seq in plan.mine for fact in o.facts]
    answered = {fact[0] for fact in facts if isinstance(fact, (VoteCast, Abstained, GiftNamed, ChoiceMade))}
    open_now = {decision.key for decision in now.decisions}
    for decision in was.decisions:
        owing = {due.who for due in match.game.waiting(before) if due.what == decision.noun} - answered
        if decision.ends is not None and decision.ends > at and decision.key not in open_now and owing:
            yield early(f"the {decision.noun}", decision.ends)


def _is_over(round_: str, table: Table) -> bool:
    """Does the table take no more sheets of that round?"""
    return table.round is None or table.round.name != round_ or table.round.closed is not None


def _opened(match: Match, before: State, after: State) -> dict[str, list[Path]]:
    """Audience -> the data that it sees after and not before, though they were there, and not its own."""
    there = {**_leaves(plain(match.game.view(before, HOST_VIEWER))), **_leaves(_result(match, before, HOST_VIEWER))}
    opened = {}
    for viewer in (PUBLIC_VIEWER, *after.table.seats):
        seen = {**_leaves(plain(match.game.view(before, viewer))), **_leaves(_result(match, before, viewer))}
        sees = {**_leaves(plain(match.game.view(after, viewer))), **_leaves(_result(match, after, viewer))}
        opened[viewer] = [path for path in sees if path not in seen and path in there and viewer not in path]
    return opened


def _result(match: Match, state: State, viewer: str) -> dict[str, Any]:
    result: dict[str, Any] = plain(match.game.result(state, viewer))
    return {key: result[key] for key in RESULT if key in result}


def _leaves(value: Any, path: Path = ()) -> dict[Path, Any]:
    """The data of a view by the keys that lead there; what is empty is no datum."""
    if isinstance(value, Mapping) and value:
        return {key: leaf for name, item in value.items() for key, leaf in _leaves(item, (*path, name)).items()}
    return {} if value in EMPTY else {path: value}


def _in_words(state: State, paths: Sequence[Path]) -> str:
    """`the hand, class and garnets of Ann and Bob, and the ranking`."""
    seats, whose = state.table.seats, dict[str, list[str]]()
    for path in paths:
        field = next((name for name in reversed(path) if name not in seats and not name.isdigit()), path[-1])
        whose.setdefault(field.replace("_", " "), []).extend(name for name in path if name in seats)
    groups: dict[tuple[str, ...], list[str]] = {}
    for field, players in whose.items():
        groups.setdefault(tuple(dict.fromkeys(players)), []).append(field)
    parts = []
    for whom, fields in groups.items():
        names = "everybody" if len(whom) == len(seats) else listed(map(state.table.name, whom))
        of = f" of {names}" if whom else ""
        parts.append(f"the {listed(fields)}{of}")
    return listed(parts)
