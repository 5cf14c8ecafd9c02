"""The effects that a host must see and confirm before a plan is carried out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from events import Body
from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.errors import Refused
from events.instants import Instant, later, read_instant
from events.record import NamedTuple
from games.contract import Fact, Game, Moment, Result, State, View
from games.kinds import called, casefolded, count, grouped, listed
from games.records import kebab, plain
from games.table import Table, actions as shared
from games.table.facts import Abstained, ChoiceMade, GiftNamed, VoteCast
from games.table.rounds import LateAdmitted, SheetSealed, all_rounds, counts_instead, gives_way, not_counted
from ledger.core.effective import EffectiveEntry
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import show_day, show_end, show_time
from ledger.record.plan import Options, Plan, newly, states
from ledger.tell.diff import differences
from ledger.tell.listing import as_typed, in_words
from ledger.tell.reports import amends, moved_sheets, not_open, phase_name
from ledger.tell.texts import overridden


def doubts(match: Match, plan: Plan, options: Options) -> tuple[str, ...]:
    """The lines that a host must confirm before the plan is written; empty if there are none, or `--yes` covers them.

    Changes of the state are confirmed only at a terminal, but harm to another entry or a posted text always.
    """
    if options.yes and (options.early or plan.correction or not is_previewed(plan)):
        return ()
    found = Openings() if options.early else openings(match, plan)
    if options.yes:  # scripts must always pass --yes, so it is no answer about early ends
        return (*plan_lines(match, plan), *found.early) if found.early else ()
    lines = [*plan.preview, *found.early, *found.shown] if plan.bodies else []
    for outcome in plan.before.contested:
        entry = outcome.entry
        if entry.do in ("deal", "open") and any(body.do == entry.do for body in plan.bodies):
            mend = f"to mend it: {amends(plan.before, entry.seq)}"
            lines.append(f"entry {entry.seq} is a {entry.do} too, which the rules do not allow; {mend}")
    if options.seen is not None and options.at is not None and options.at > options.seen:
        written, counts = show_day(options.seen, match.zone), show_day(options.at, match.zone)
        lines.append(f"this would count {counts}, but its message was written at another time: {written}")
    if match.game.rounds:
        lines += late_sheets_let_in(plan.before, plan.after)
        lines += [f"then {line}" for line in moved_sheets(match, plan.before, plan.after)]
    lines += [
        f"the rules would no longer allow entry {o.entry.seq} ({as_typed(match, o.entry.do, o.entry.args)}): "
        f"{o.refusal.what}"
        + (f" (host only: {o.refusal.host_only})" if o.refusal.host_only else "")
        + (f"; to move it: hl amend {o.entry.seq} at=TIME" if says_the_same(plan.bodies, o.entry) else "")
        for o in newly(plan)
        if o.refusal is not None
    ]
    changed = match.game.changed(plan.before.state, plan.after.state, "")
    lines += [match.game.explain(plan.after.state, fact).text for fact in changed]
    lines += [f"text {d.item}, posted to {d.channel}: {d.what}" for d in plan.drift]
    if options.asking and (plan.correction or plan.passed):
        lines += [f"then {line}" for line in differences(match, *states(match, plan))]
    return (*plan_lines(match, plan), *lines) if lines and not plan.preview else tuple(lines)


def plan_lines(match: Match, plan: Plan) -> Iterator[str]:
    for body in plan.bodies:
        match body.do:
            case "redo":
                yield f"to take back: {in_words(match, body.args['target'])}"
            case "amend" if (target := body.args["target"]) <= len(match.book.entries):
                do = match.book.entries[target - 1].body.do
                now, at = as_typed(match, do, body.args.get("args", {})), body.args.get("at")
                when = f", at {show_time(read_instant(at), match.zone)}" if at else ""
                yield f"to amend: {in_words(match, target)}; it would say: {now}{when}"
            case "undo" | "note" | "reason":  # the struck entries are listed before any question
                continue
            case _:
                yield f"to record: {as_typed(match, body.do, body.args)}"
    if plan.passed:
        yield f"it counts from {show_day(plan.bodies[0].at, match.zone)}, before entries that were recorded earlier"


def says_the_same(others: Sequence[Body | EffectiveEntry], entry: EffectiveEntry) -> bool:
    """Whether the entry says what one of these does, which count at another time."""

    def words(args: Mapping[str, Any]) -> dict[str, str]:
        return {key: casefolded(str(value)) for key, value in args.items()}

    return any((other.do, words(other.args)) == (entry.do, words(entry.args)) for other in others)


def late_sheets_let_in(before: Fold, after: Fold) -> Iterator[str]:
    """A line for each late sheet that now counts in place of one that was in time, because an end was moved."""
    late = {fact.sheet.seq for fact in not_counted(before.facts)}
    still_late = {fact.sheet.seq for fact in not_counted(after.facts)} if late else set()
    ruled = {fact.seq for fact in after.facts if isinstance(fact, LateAdmitted) and fact.by == "ruling"}
    let_in, rounds = late - still_late - ruled, all_rounds(after.facts) if late else {}
    for fact in (fact for fact in after.facts if isinstance(fact, SheetSealed) and fact.sheet.seq in let_in):
        seq, player, on = fact.sheet.seq, fact.player, rounds[fact.round]
        own = tuple(sheet for sheet in on.sheets[player] if sheet.seq not in late or sheet.seq == seq)
        in_time = gives_way(on._replace(sheets={player: own}), seq)
        if in_time is not None and counts_instead(on, seq) is None:
            late_sheet = f"the late sheet of {after.state.table.name(player)} (entry {seq})"
            yield f"{late_sheet} counts in {called(fact.round)} instead of entry {in_time.seq}, which was in time"


def which_round(match: Match, action: shared.Resolve, by: str) -> None:
    """Check that a host who has recorded nothing since another host resolved a round resolves the right one.

    Raises:
        Refused: `resolve.which`, they named no round, and may not know that the next one has begun.
    """
    if action.round is not None:
        return
    struck, table = match.fold.marks.struck, match.table
    for entry in reversed(match.book.entries):
        if entry.body.by == by:
            return
        if entry.body.do == "resolve" and entry.seq not in struck:
            resolved = f"{called(str(entry.body.args.get('round')))} (entry {entry.seq})"
            message = f"{entry.body.by} has resolved {resolved}, and you have recorded nothing since"
            fix = f"hl resolve {table.round.name.removeprefix('round_')}" if table.round else "hl status"
            raise Refused("resolve.which", f"{message}: say which round you mean", fix)


# ---- what a plan ends early, and what it reveals ---------------------------------------------------------------------


Path: TypeAlias = tuple[str, ...]
Datum: TypeAlias = tuple[Path, str]
"""The path to a datum. A list item has no path of its own, so its words are added; otherwise they are empty."""


class Openings(NamedTuple):
    early: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def openings(match: Match, plan: Plan) -> Openings:
    before, after = plan.before.state, plan.after.state
    if before is after or not plan.bodies:
        return Openings()
    at = max(plan.bodies[-1].at, plan.after.last)  # both states are those after all that is recorded
    facts = [fact for o in plan.after.outcomes if o.entry.seq in plan.mine for fact in o.facts]
    early: list[str] = []
    if not plan.correction:  # the host is not the cause of ends that come due by then, unless they missed one
        elapsed, _ = match.engine.pass_time(before, Moment(at, min(plan.mine)))
        moves = plan.bodies[-1].do in ("deadline", "pause")
        was, now = (_on_the_clock(match.game, state) for state in (before, elapsed)) if moves else ("", "")
        if was != now:
            ended = f"{was} ended {show_end(match.game.due(before) or at, at, match.zone)}"
            early = [f"{ended}, so this counts for {now}; for {was}, before it: --at TIME"]
        else:
            before = elapsed
    holds = plan.passed and not overridden(plan.after.outcomes).keys() & plan.mine
    then = (*_early_then(match, plan, facts),) if holds else ()
    early += then or early_ends(match.game, before, after, at, facts)
    early += lapsing(plan.before.state.table, after.table)
    shown = [*_in_words(after, opened(match.game, before, after))]
    sealed = before.table.round
    if sealed and sealed.sheets and sealed.name in after.table.resolved and not is_previewed(plan):
        shown.append(f"this opens the sheets for {called(sealed.name)}")
    between = before.table.status == "running" and before.table.round is None
    if between and after.table.status != "running" and "hl open" in (not_open(match.game, before) or ()):
        shown.append("this ends the match with a round to come: hl open begins it")
    return Openings(tuple(early), tuple(shown))


def _early_then(match: Match, plan: Plan, facts: Sequence[Fact]) -> Iterator[str]:
    """What a late entry ends early at its own moment: by the last entry, the same may have ended by itself."""
    at = plan.bodies[-1].at
    then, now = (known.fold_until(lambda live: live.at > at).state for known in (match, match.with_bodies(plan.bodies)))
    before, _ = match.engine.pass_time(then, Moment(at, min(plan.mine)))
    return early_ends(match.game, before, now, at, facts)


def _on_the_clock(game: Game, state: State) -> str:
    """What a host means by the end that they move."""
    timed = state.table.timed()
    return f"the {timed.noun}" if timed else phase_name(game, state)


def is_previewed(plan: Plan) -> bool:
    """Whether the plan has a verb like `resolve`, whose purpose is to reveal and which previews what it reveals."""
    return any(body.do == kebab(cls) for body in plan.bodies for cls in shared.PREVIEWED)


# ---- what ends early -------------------------------------------------------------------------------------------------


def early_ends(game: Game, before: State, after: State, at: Instant, facts: Sequence[Fact]) -> Iterator[str]:
    """A sentence for the phase, the round and each decision that ends sooner after the plan than before it.

    A round ends early only while somebody owes a sheet, and a decision only while somebody owes an answer.

    Args:
        at: The moment, ms. Whatever had ended by then did not end early.
        facts: The facts of the plan. A player who answers in one of them owes nothing any more.
    """
    was, now, zone = before.table, after.table, before.table.zone
    answers = (Abstained, ChoiceMade, GiftNamed, SheetSealed, VoteCast)  # their first field names the player
    answered = {fact[0] for fact in facts if isinstance(fact, answers)}
    owed = {(due.what, due.who) for due in game.waiting(before)}

    def early(name: str, end: int, ends: int | None, owing: Sequence[str] = ()) -> str:
        when = "now" if ends is None else show_end(ends, at, zone)
        who = f", and {listed(owing)} still owe{'' if len(owing) > 1 else 's'} something" if owing else ""
        return f"this ends {name} {when}, not {show_end(end, at, zone)}{who}"

    end = _phase_end(was, at)
    if end is not None and end > at:
        owing = tuple(dict.fromkeys(was.name(who) for _, who in sorted(owed) if who not in answered))
        if _is_over(was, now):
            if was.round is None or owed:
                yield early(phase_name(game, before), end, None, owing if was.round else ())
        elif (was.phase, was.since) == (now.phase, now.since):
            before_ends, ends = _next_end(game, before, at), _next_end(game, after, at)
            if ends is not None and ends < end and (before_ends is None or ends < before_ends):
                yield early(phase_name(game, before), end, ends)
    still_open = {decision.key: decision for decision in now.decisions}
    for decision in was.decisions:
        if decision.ends is None or (until := _running(was, decision.ends, at)) <= at:
            continue
        if (same := still_open.get(decision.key)) is not None:
            ends = None if same.ends is None else _running(now, same.ends, at)
            if ends is not None and ends < until:
                yield early(f"the {decision.noun}", until, ends)
        elif not any(what == decision.noun and who not in answered for what, who in owed):
            continue
        elif other := next((d for d in now.decisions if d.kind == decision.kind and d not in was.decisions), None):
            field, verb = ("among", "is among") if other.who == decision.who else ("who", "falls to")
            new, old = (was.named(getattr(d, field)) for d in (other, decision))
            yield f"the {decision.noun} {verb} {new} instead of {old}"
        elif decision.key in now.closed or now.status == "finished":  # otherwise the match went back before it
            yield early(f"the {decision.noun}", until, None)


def lapsing(was: Table, now: Table) -> Iterator[str]:
    """A sentence for each player who could give a token away before the plan and after it no more, also in time."""
    for player in (player for decision in was.decisions if decision.kind == "gift" for player in decision.who):
        if (lost := now.lapsed.get(player, 0) - was.lapsed.get(player, 0)) > 0:
            name, verb = was.name(player), "lapses" if lost == 1 else "lapse"
            named = f"if {name} has named somebody, first: hl gift {player} NAME --at TIME"
            yield f"{count(lost, 'spare token')} of {name} {verb}; {named}"


def _running(table: Table, end: Instant, at: Instant) -> Instant:
    return end if table.paused is None else later(end, at - table.paused)


def _phase_end(table: Table, at: Instant) -> Instant | None:
    """The end of the phase or of the open round; None if it has no end, or the round is closed."""
    is_closed = table.round is not None and table.round.closed is not None
    return None if table.ends is None or is_closed else _running(table, table.ends, at)


def _next_end(game: Game, state: State, at: Instant) -> Instant | None:
    table = state.table
    end, due = _phase_end(table, at), game.due(state)
    if due is None or any(decision.ends == due for decision in table.decisions):
        return end
    return due if end is None else min(due, end)


def _is_over(was: Table, now: Table) -> bool:
    """Whether the phase or round of `was` is over. It is not if the match went back to an earlier one."""
    if now.status in ("deciding", "finished") and was.status == "running":
        return True
    if was.round is None:
        return was.phase != now.phase and was.phase in now.past
    if now.round is None or now.round.name != was.round.name:
        return was.round.name in now.resolved
    return now.round.closed is not None


# ---- what is revealed ------------------------------------------------------------------------------------------------


def opened(game: Game, before: State, after: State) -> dict[str, list[Path]]:
    new: dict[str, set[Datum]] = {}
    for viewer in (PUBLIC_VIEWER, *after.table.seats):
        pairs = zip(_shown(game, before, viewer), _shown(game, after, viewer), strict=True)
        for was, now in pairs:
            if was != now:
                new.setdefault(viewer, set()).update(_data_of(now, after) - _data_of(was, before))
    known = _shown(game, before, HOST_VIEWER) if new else ()
    there = {datum for shown in known for datum in _data_of(shown, before)}
    public = new.get(PUBLIC_VIEWER, set()) & there
    opened_to: dict[str, list[Path]] = {}
    for viewer, data in new.items():
        mine = data & there if viewer == PUBLIC_VIEWER else (data & there) - public
        if paths := sorted({path for path, words in mine if viewer not in path and viewer != words}):
            opened_to[viewer] = paths
    return opened_to


def _shown(game: Game, state: State, viewer: str) -> tuple[View, View]:
    return game.view(state, viewer), game.result(state, viewer)


def _data_of(shown: View, state: State) -> set[Datum]:
    data = plain(shown)
    if isinstance(shown, Result):  # everybody may know these keys at any time
        data = {key: data[key] for key in data if key not in ("game", "status", "decisions", "assumptions")}
    return {*_data(data, (), state.table.seats)}


def _data(value: Any, path: Path, seats: Collection[str], *, in_list: bool = False) -> Iterator[Datum]:
    """The data in a view, with the keys and named players that lead to each. Empty values are left out."""
    if isinstance(value, Mapping):
        named = [text for text in value.values() if isinstance(text, str) and text in seats] if in_list else []
        for key, item in value.items():
            yield from _data(item, (*path, *named, str(key)), seats, in_list=in_list)
    elif isinstance(value, list):
        for item in value:
            yield from _data(item, path, seats, in_list=True)
    elif value is not None and value != "":
        yield path, str(value) if in_list else ""


def _in_words(state: State, shown: Mapping[str, Sequence[Path]]) -> Iterator[str]:
    """`this shows everybody the hand, class and garnets of Ann and Bob, and the ranking`."""
    table = state.table
    for viewer, paths in shown.items():
        whose: dict[str, list[str]] = {}
        for path in paths:
            names = [name for name in path if name not in table.seats and not name.isdigit()]
            field = (names[-1] if names else path[-1]).replace("_", " ")
            whose.setdefault(field, []).extend(name for name in path if name in table.seats)
        groups = grouped((tuple(dict.fromkeys(players)), field) for field, players in whose.items())
        parts = []
        for whom, fields in groups.items():
            of = "everybody" if len(whom) == len(table.seats) else table.named(whom)
            parts.append(f"the {listed(fields)}" + (f" of {of}" if whom else ""))
        yield f"this shows {'everybody' if viewer == PUBLIC_VIEWER else table.name(viewer)} {listed(parts)}"
