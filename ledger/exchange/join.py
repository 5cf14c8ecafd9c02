"""Joining: what another copy of the same match has recorded since the two parted becomes entries of this one.

Belongs here: recording it, and what a host is told before. Does not belong here: what it comes to (copies.py).
"""

from __future__ import annotations

from events import read_instant
from events.instants import Instant
from events.record import NamedTuple
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import show_day
from ledger.exchange.copies import POSTING_VERBS, Joining, compare
from ledger.record.plan import Ask, Options, Plan, Written
from ledger.record.recorder import plan_prepared, record_prepared
from ledger.tell import listing

MAX_LISTED = 40
"""New entries that are shown one by one."""


class Joined(NamedTuple):
    """What came of it."""

    joining: Joining
    written: Written
    preview: tuple[str, ...]


def join(match: Match, other_copy: Match, options: Options, ask: Ask) -> Joined:
    """Record here what the other copy has and this one lacks; nothing is written there.

    Raises:
        Refused: `join.other_match`. Otherwise as `recorder.record`.
    """
    joinings: list[Joining] = []
    previews: list[tuple[str, ...]] = []

    def plan(current: Match, now: Instant) -> Plan:
        joining = compare(current, other_copy, by=options.by, now=now)

        def preview(after: Fold) -> tuple[str, ...]:
            return describe(current, other_copy, joining, after, now)

        planned = plan_prepared(current, joining.bodies, preview)
        joinings.append(joining)
        previews.append(planned.preview)
        return planned

    written = record_prepared(match, options, ask, plan)
    return Joined(joinings[-1], written, previews[-1])


def describe(match: Match, other_copy: Match, joining: Joining, after: Fold, now: int) -> tuple[str, ...]:
    """What the host sees before they confirm: how the copies stand, what is new, what clashes."""
    since = len(other_copy.book.entries) - joining.common
    lines = [
        f"both copies have the same lines up to {joining.common}; since then {_entries(since)} there, "
        f"{_entries(len(match.book.entries) - joining.common)} here"
    ]
    if joining.known:
        lines.append(f"already here: {joining.known} of theirs")
    lines += [f"the same, recorded in both: {there} there is {here} here" for there, here in joining.same.items()]
    lines += [f"left out: entry {there} there: {reason}" for there, reason in joining.left_out]
    if not joining.taken:
        return (*lines, "nothing new to record")
    lines.append(f"new here: {_entries(len(joining.taken))}")
    rows = {row.seq: row for row in listing.rows(other_copy, player=None, kind=None, live_only=False)[0]}
    for there, here in [*joining.taken.items()][:MAX_LISTED]:
        line = rows[there].line(match.zone).removeprefix(f"#{there}").lstrip()
        lines.append(f"  #{here} ({there} there)  {line}")
    if len(joining.taken) > MAX_LISTED:
        lines.append(f"  ... and {len(joining.taken) - MAX_LISTED} more: hl -g {other_copy.book.path} log")
    ahead = [there for there in joining.taken if other_copy.book.entries[there - 1].body.at > now]
    lines += [f"entry {there} there counts at a time that has not come: is one of the clocks wrong?" for there in ahead]
    return (
        *lines,
        *_same_end(match, other_copy, joining),
        *joining.clashes,
        *_sent_twice(match, joining),
        *_clashes(match, other_copy, joining, after),
    )


def _same_end(match: Match, other_copy: Match, joining: Joining) -> list[str]:
    """Ends that a host of either copy moved to the same instant: it is moved once."""
    lines, struck = [], match.fold.marks.struck
    ours = [e for e in match.book.entries[joining.common :] if e.body.do == "deadline" and e.seq not in struck]
    for there, here in joining.taken.items():
        body = other_copy.book.entries[there - 1].body
        same = next((entry for entry in ours if body.do == "deadline" and entry.body.args == body.args), None)
        if same is not None and there not in other_copy.fold.marks.struck:
            when = show_day(read_instant(str(body.args["when"])), match.zone)
            lines.append(f"#{same.seq} here and #{here} ({there} there) both move the end to {when}: one extension")
    return lines


def _sent_twice(match: Match, joining: Joining) -> list[str]:
    """Texts that both copies posted, or began to post, since they parted: only one copy may post."""
    bodies = [entry.body for entry in match.book.entries[joining.common :]]
    ours = [body for body in bodies if body.do in POSTING_VERBS and body.joined is None]
    theirs = [body for body in joining.bodies if body.do in POSTING_VERBS]
    twice = {str(body.args.get("item")) for body in ours} & {str(body.args.get("item")) for body in theirs}
    lines = [f"text {item} was posted, or begun to be, from both copies: is it there twice?" for item in twice]
    if any(body.do == "posting" for body in ours) and any(body.do == "posting" for body in theirs):
        lines.append("both copies have posted since they parted: only one may (hl outbox post); let the other rest")
    return sorted(lines)


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


def _clashes(match: Match, other_copy: Match, joining: Joining, after: Fold) -> list[str]:
    """Their entries that do not count here, and entries that both copies have corrected."""
    there_of = {here: there for there, here in joining.taken.items()}
    contested = {outcome.live.seq for outcome in other_copy.fold.contested}
    lines = []
    for outcome in after.contested:
        if outcome.refusal is None or (there := there_of.get(outcome.live.seq)) is None:
            continue
        status = "contested there as well" if there in contested else "contested here"
        lines.append(f"#{outcome.live.seq} ({outcome.live.do}, {there} there) is {status}: {outcome.refusal.what}")
    new = set(there_of)
    for target, amends in after.marks.amended.items():
        ours = [entry.seq for entry in amends if entry.seq not in new and entry.seq > joining.common]
        theirs = [entry.seq for entry in amends if entry.seq in new]
        if ours and theirs:
            lines.append(
                f"entry {target} was amended in both copies (#{ours[-1]}, #{theirs[-1]}): the last, "
                f"#{amends[-1].seq}, counts"
            )
        elif theirs and match.fold.marks.confirmed.get(target):
            lines.append(f"entry {target} was confirmed here and amended there (#{theirs[-1]}): look at it again")
        if theirs and target in after.marks.struck:
            lines.append(f"entry {target} is undone (#{after.marks.struck[target]}), so #{theirs[-1]} amends nothing")
    for body in joining.bodies:
        amends = after.marks.amended.get(body.args["target"], ()) if body.do == "confirm" else ()
        if any(entry.seq not in new and entry.seq > joining.common for entry in amends):
            lines.append(
                f"entry {body.args['target']} was amended here and confirmed there by {body.by}: look at it again"
            )
    return lines
