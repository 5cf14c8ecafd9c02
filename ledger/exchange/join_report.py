"""What a host is told before a join is recorded: how the copies stand, what is new, what clashes."""

from __future__ import annotations

from events import read_instant
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import show_day
from ledger.exchange.copies import SENDING, Joining, amends_of
from ledger.tell import listing

MAX_SHOWN = 40
"""New entries that are shown one by one."""


def describe(match: Match, other: Match, joining: Joining, after: Fold, now: int) -> tuple[str, ...]:
    """What the host sees before they confirm: how the copies stand, what is new, what clashes."""
    since = len(other.book.entries) - joining.common
    lines = [
        f"both copies have the same lines up to {joining.common}; since then {_entries(since)} there, "
        f"{_entries(len(match.book.entries) - joining.common)} here"
    ]
    if joining.known:
        lines.append(f"already here: {joining.known} of theirs")
    lines += [f"the same, recorded in both: {there} there is {here} here" for there, here in joining.same.items()]
    lines += [f"left out: entry {there} there: {why}" for there, why in joining.left]
    if not joining.taken:
        return (*lines, "nothing new to record")
    lines.append(f"new here: {_entries(len(joining.taken))}")
    rows = {row.seq: row for row in listing.rows(other, player=None, kind=None, live_only=False).rows}
    for there, here in [*joining.taken.items()][:MAX_SHOWN]:
        told = rows[there].line(match.zone).removeprefix(f"#{there}").lstrip()
        lines.append(f"  #{here} ({there} there)  {told}")
    if len(joining.taken) > MAX_SHOWN:
        lines.append(f"  ... and {len(joining.taken) - MAX_SHOWN} more: hl -g {other.book.path} log")
    ahead = [there for there in joining.taken if other.book.entries[there - 1].body.at > now]
    lines += [f"entry {there} there counts at a time that has not come: is one of the clocks wrong?" for there in ahead]
    return (
        *lines,
        *_same_end(match, other, joining),
        *joining.clashes,
        *_sent_twice(match, joining),
        *_clashes(match, other, joining, after),
    )


def _same_end(match: Match, other: Match, joining: Joining) -> list[str]:
    """Ends that a host of either copy moved to the same instant: it is moved once."""
    said, struck = [], match.fold.marks.struck
    ours = [e for e in match.book.entries[joining.common :] if e.body.do == "deadline" and e.seq not in struck]
    for there, here in joining.taken.items():
        body = other.book.entries[there - 1].body
        same = next((e for e in ours if body.do == "deadline" and e.body.args == body.args), None)
        if same is not None and there not in other.fold.marks.struck:
            when = show_day(read_instant(str(body.args["when"])), match.zone)
            said.append(f"#{same.seq} here and #{here} ({there} there) both move the end to {when}: one extension")
    return said


def _sent_twice(match: Match, joining: Joining) -> list[str]:
    """What both copies posted, or began to, since they parted: of two copies only one may post."""
    ours = [e.body for e in match.book.entries[joining.common :] if e.body.do in SENDING and e.body.joined is None]
    theirs = [body for body in joining.bodies if body.do in SENDING]
    twice = {str(body.args.get("item")) for body in ours} & {str(body.args.get("item")) for body in theirs}
    said = [f"text {name} was posted, or begun to be, from both copies: is it there twice?" for name in twice]
    if any(body.do == "posting" for body in ours) and any(body.do == "posting" for body in theirs):
        said.append("both copies have posted since they parted: only one may (hl outbox post); let the other rest")
    return sorted(said)


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


def _clashes(match: Match, other: Match, joining: Joining, after: Fold) -> list[str]:
    """What of theirs does not count here, and what both have corrected."""
    there_of = {here: there for there, here in joining.taken.items()}
    contested = {o.live.seq for o in other.fold.contested}
    said = []
    for outcome in after.contested:
        if outcome.refusal is None or (there := there_of.get(outcome.live.seq)) is None:
            continue
        word = "contested there as well" if there in contested else "contested here"
        said.append(f"#{outcome.live.seq} ({outcome.live.do}, {there} there) is {word}: {outcome.refusal.what}")
    new = set(there_of)
    for target, amends in after.marks.amended.items():
        ours = [e.seq for e in amends if e.seq not in new and e.seq > joining.common]
        theirs = [e.seq for e in amends if e.seq in new]
        if ours and theirs:
            said.append(
                f"entry {target} was amended in both copies (#{ours[-1]}, #{theirs[-1]}): the last, "
                f"#{amends[-1].seq}, counts"
            )
        elif theirs and match.fold.marks.confirmed.get(target):
            said.append(f"entry {target} was confirmed here and amended there (#{theirs[-1]}): look at it again")
        if theirs and target in after.marks.struck:
            said.append(f"entry {target} is undone (#{after.marks.struck[target]}), so #{theirs[-1]} amends nothing")
    for body in joining.bodies:
        checked = body.args.get("target")
        if body.do == "confirm" and any(e.seq not in new and e.seq > joining.common for e in amends_of(after, checked)):
            said.append(f"entry {checked} was amended here and confirmed there by {body.by}: look at it again")
    return said
