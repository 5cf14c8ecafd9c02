"""The recorder: what a host typed becomes lines of the log, or is refused and changes nothing.

One shape for every write verb: read the log under the lock, work out what the new lines would do (`Plan`), ask when
others would be contested by it, then one write. Source: design section 4, Append; docs/decisions/0004-one-plan.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from events import Body, Entry, LedgerError, Moved, Refused, Unmet
from events.record import NamedTuple
from games.contract import Action, Moment, Published
from games.kit.sealed import SheetSealed
from games.records import args_of, kebab
from games.table import actions as shared
from ledger.core.clock import OsLuck, now_ms
from ledger.core.commitments import KEPT, goes_by
from ledger.core.match import Match
from ledger.core.replay import Fold, Outcome, fold, index, live_of, unsettled, with_marks
from ledger.core.times import message_id, show_day
from ledger.record.doubts import let_in, too_early, which_round
from ledger.record.together import TRIES, apart, counts_at, decided_anew, overtaking
from ledger.tell.differences import differences
from ledger.tell.ends import nearer

if TYPE_CHECKING:
    from ledger.tell.drift import Drift
    from ledger.tell.texts import Item


class Options(NamedTuple):
    """What a write verb may say besides its own words. Source: design section 8."""

    by: str
    at: int | None = None
    """When it counts, ms; None: now."""
    evidence: str | None = None
    seen: int | None = None
    """When the message was written that is the evidence, ms."""
    note: str | None = None
    """A remark for the hosts; of `declare` the reason, for everybody."""
    private: bool = False
    """The reason of `declare` is for hosts alone."""
    once: str | None = None
    again: bool = False
    force: bool = False
    dry_run: bool = False
    yes: bool = False
    early: bool = False
    """A round may be resolved while somebody owes a sheet and its deadline lies ahead."""
    asking: bool = False
    """Somebody is at a terminal: what changes is shown before a correction or a late entry is recorded."""


class Written(NamedTuple):
    """What a write verb did (or, with `dry_run`, would do)."""

    seqs: tuple[int, ...]
    head: str
    outcomes: tuple[Outcome, ...]
    """Of the new entries."""
    contested: tuple[Outcome, ...]
    """All that is contested and unsettled afterwards."""
    newly: tuple[Outcome, ...]
    """Contested now and not before, the new entries apart."""
    mended: tuple[Outcome, ...]
    """Contested before, and in effect now."""
    drift: tuple[Drift, ...]
    """Texts already posted that are wrong now and were right before."""
    changes: tuple[str, ...]
    """What differs in the host's view, in words; for entries placed in the past and for corrections."""
    passed: int
    """How many live entries the new one was placed before."""
    before: Any
    after: Any
    repeated: bool
    warnings: tuple[str, ...]
    news: tuple[Item, ...] = ()
    """What is to be told because of it, and was not told before."""
    hasty: tuple[str, ...] = ()
    """Why it may come too early."""


class Plan(NamedTuple):
    """New bodies, and what the match looks like with them."""

    bodies: tuple[Body, ...]
    before: Fold
    after: Fold
    mine: frozenset[int]
    passed: int
    correction: bool
    drift: tuple[Drift, ...] = ()
    """Texts already posted that this would make wrong."""
    preview: tuple[str, ...] = ()
    """What the host confirms in any case."""
    news: tuple[Item, ...] = ()
    """What there is to tell because of it."""
    hasty: tuple[str, ...] = ()
    """Why it may come too early: to be confirmed by itself, whatever `--yes` says."""


Ask = Callable[[str], bool]
"""Asks the host to confirm. Returns whether they did; raises `Unmet` where nobody can be asked."""
Planner = Callable[[Match, int], Plan]


def nobody(question: str) -> bool:
    """An `Ask` for a program: whatever must be confirmed is refused, unless the options say `yes`."""
    raise Unmet("confirm.needed", "a host must confirm this first", "look at it first, then say yes", question)


def record_actions(match: Match, actions: Sequence[Action], options: Options, ask: Ask = nobody) -> Written:
    """Record what a host says happened: mostly one action; several are one batch, and the last is the command's own.

    Raises:
        Refused, Unreadable: not allowed or not understood; nothing was written.
        Unmet: others would become contested and nobody confirmed it; nothing was written.
        Damaged, NotRecorded, OutcomeUnknown: from the log. On a shared match the entry is decided anew when another
            host was quicker.
    """
    return _carry_out(match, options, ask, lambda m, now: _plan_actions(m, actions, options, now), actions[-1])


def correct(match: Match, entry: Action, options: Options, ask: Ask, check: Callable[[Match], object]) -> Written:
    """Record an entry about the log (`undo`, `redo`, `amend`, `confirm`). `check` refuses what cannot be."""

    def plan(m: Match, now: int) -> Plan:
        check(m)
        return _plan_correction(m, entry, options, now)

    return _carry_out(match, options, ask, plan, entry)


def record_marks(
    match: Match, entries: Sequence[Action], options: Options, ask: Ask, check: Callable[[Match], object]
) -> Written:
    """Record what was done with texts (`posted`, `posting`), or undo such a mark: which entries count stays as it is.

    Each is a line of its own, so that each can be undone alone. Nothing is folded anew. Raises as `correct`.
    """

    def plan(m: Match, now: int) -> Plan:
        check(m)
        seq = len(m.book.entries) + 1
        bodies = [body for i, one in enumerate(entries) for body in _bodies((one,), options, now, now, seq + i)]
        new = [*m.book.entries, *(Entry(seq + i, "", body) for i, body in enumerate(bodies))]
        targets = [one.target for one in entries if isinstance(one, shared.Undo)]
        alone = all(m.fold.layout.batch(target) == (target,) for target in targets)
        after = with_marks(m.fold, new) if alone else fold(m.engine, new)
        return Plan(tuple(bodies), m.fold, after, frozenset(range(seq, seq + len(bodies))), 0, correction=False)

    return _carry_out(match, options, ask, plan, entries[-1])


def record_prepared(match: Match, options: Options, ask: Ask, plan_for: Planner) -> Written:
    """Record entries that are complete already (`join`): also what the rules refuse here. Raises as `record_actions`.

    Args:
        plan_for: Makes the plan anew under the lock, with `plan_prepared`.
    """
    return _carry_out(match, options, ask, plan_for, None)


def plan_prepared(match: Match, bodies: Sequence[Body], describe: Callable[[Fold], Sequence[str]]) -> Plan:
    """The match with these entries at the end of its log; `describe` says of it what the host is to confirm."""
    seq = len(match.book.entries) + 1
    new = [Entry(seq + i, "", body) for i, body in enumerate(bodies)]
    after = fold(match.engine, [*match.book.entries, *new]) if new else match.fold
    mine = frozenset(range(seq, seq + len(new)))
    return Plan(tuple(bodies), match.fold, after, mine, 0, correction=True, preview=tuple(describe(after)))


def preview(match: Match, action: Action, options: Options) -> tuple[Written, Match]:
    """What recording this would do, and the match as it would be then; nothing is written.

    Raises:
        What `record_actions` raises.
    """
    if (seen := _repeated(match, action, options)) is not None:
        return seen, match
    plan = _plan_actions(match, [action], options, now_ms())
    after = match.with_bodies(plan.bodies)
    after.adopt(plan.after)
    return _written(plan, match, ()), after


def _carry_out(match: Match, options: Options, ask: Ask, plan_for: Planner, action: Action) -> Written:
    if options.dry_run:
        match.refresh()
        if (seen := _repeated(match, action, options)) is not None:
            return seen
        plan = plan_for(match, now_ms())
        return _written(plan._replace(drift=_drifts(match, plan), news=_news(match, plan)), match, ())
    confirmed: tuple[str, ...] | None = None
    overtaken: list[Plan] = []
    while True:
        with match.book.log.writing(match.book.mark) as writer:
            match.book.take(writer.reading)
            if (seen := _repeated(match, action, options)) is not None:
                return seen
            with overtaking(match, overtaken):
                plan = plan_for(match, now_ms())
            plan = plan._replace(drift=_drifts(match, plan))
            doubts = _doubts(match, plan, options)
            if not doubts or confirmed == doubts:
                plan = plan._replace(news=_news(match, plan))
                clocks = apart(match, options.by, now_ms())
                try:
                    lines = writer.append(plan.bodies)
                except Moved:
                    overtaken.append(plan)
                    if len(overtaken) == TRIES:
                        raise
                    continue
                match.book.appended(lines, plan.bodies, writer.mark)
                match.adopt(plan.after)
                late = ["interrupted too late: this is recorded"] if writer.interrupted else []
                told = (*match.book.notes, *writer.warnings, *late, *clocks, *decided_anew(match, overtaken, plan))
                return _written(plan, match, told)
        # The lock is given up while the host thinks; what he confirms must still be so afterwards.
        if not ask("\n".join(doubts)):
            how = "--early" if options.yes else "--yes"
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"add {how} to go on")
        confirmed = doubts


def _doubts(match: Match, plan: Plan, options: Options) -> tuple[str, ...]:
    """What a host must see before this is written. Empty: nothing, or nothing that `--yes` has not answered.

    What only changes the picture is asked about at a terminal; what hurts another entry or a posted text, always.
    """
    hasty = () if options.early else plan.hasty
    if options.yes:
        return hasty
    said = [*plan.preview, *hasty] if plan.bodies else []
    if options.seen is not None and options.at is not None and options.at > options.seen:
        written, counts = show_day(options.seen, match.zone), show_day(options.at, match.zone)
        said.append(f"this would count {counts}, after its message was written: {written}")
    said += nearer((f for o in plan.after.outcomes if o.live.seq in plan.mine for f in o.facts), plan.after.state.table)
    said += let_in(plan.before, plan.after)
    said += [
        f"entry {o.live.seq} ({o.live.do}) becomes contested: {o.refusal.what}{_aside(o)}"
        for o in _newly(plan)
        if o.refusal is not None
    ]
    changed = match.game.changed(plan.before.state, plan.after.state, "")
    said += [match.game.explain(plan.after.state, fact).text for fact in changed]
    said += [f"text {d.item}, posted to {d.channel}: {d.what}" for d in plan.drift]
    if options.asking and (plan.correction or plan.passed):
        said += [f"then {line}" for line in differences(match, plan.before.state, plan.after.state)]
    return tuple(said)


def _aside(outcome: Outcome) -> str:
    """What only the host may read of a refusal."""
    told = outcome.refusal.host_only if outcome.refusal else ""
    return f" (host only: {told})" if told else ""


def _drifts(match: Match, plan: Plan) -> tuple[Drift, ...]:
    """Texts already posted that this would make wrong, and that are right without it."""
    if not (plan.passed or plan.correction):
        return ()
    if not any(e.body.do == "posted" for e in (plan.after if plan.preview else plan.before).layout.about):
        return ()
    from ledger.tell.outbox import outbox

    before = {drift.item for drift in outbox(match).drifted}
    changed = match.with_bodies(plan.bodies)
    changed.adopt(plan.after)
    return tuple(drift for drift in outbox(changed).drifted if drift.item not in before)


def _news(match: Match, plan: Plan) -> tuple[Item, ...]:
    """What the new entries tell, against what the entries after them have told already. For corrections the outbox."""
    from ledger.tell.texts import corrected, lines_of, news

    first = next((i for i, o in enumerate(plan.after.outcomes) if o.live.seq in plan.mine), None)
    anew: tuple[Item, ...] = ()
    if (plan.correction or plan.passed) and not plan.drift:  # what was posted has its correction in the outbox
        anew = tuple(corrected(match.game, plan.before.state, plan.after.state, plan.before.last))
    if first is None or plan.correction:
        return anew

    before = [outcome.live for outcome in plan.before.outcomes[first:]]
    after = [outcome.live for outcome in plan.after.outcomes[first:]]
    state = match.fold_until(lambda live: live.seq == before[0].seq).state if before else plan.before.state
    own = tuple(news(match.engine, state, before, after, plan.mine))
    said = {(item.audience, line) for item in own for line in lines_of(item)}
    return (*own, *(item for item in anew if not all((item.audience, line) in said for line in lines_of(item))))


def _newly(plan: Plan) -> tuple[Outcome, ...]:
    was = {o.live.seq for o in plan.before.contested}
    return tuple(o for o in plan.after.contested if o.live.seq not in was and o.live.seq not in plan.mine)


def _mended(plan: Plan) -> tuple[Outcome, ...]:
    was = {o.live.seq for o in plan.before.outcomes if o.refusal is not None}
    return tuple(o for o in plan.after.outcomes if o.live.seq in was and o.refusal is None)


def _written(plan: Plan, match: Match, warnings: Sequence[str]) -> Written:
    new = {o.live.seq: o for o in plan.after.outcomes}
    laws, unpaid = match.game.invariants, match.game.unpaid
    known, short = set(laws(plan.before.state)), set(unpaid(plan.before.state))
    broken = [f"a law is broken now: {law}" for law in laws(plan.after.state) if law not in known]
    if not any(isinstance(fact, SheetSealed) for seq in plan.mine if seq in new for fact in new[seq].facts):
        broken += [line for line in unpaid(plan.after.state) if line not in short]
    changes: tuple[str, ...] = ()
    if plan.correction or plan.passed:
        changes = differences(match, plan.before.state, plan.after.state)
    return Written(
        seqs=tuple(sorted(plan.mine)),
        head=match.book.head,
        outcomes=tuple(new[seq] for seq in sorted(plan.mine) if seq in new),
        contested=plan.after.contested,
        newly=_newly(plan),
        mended=_mended(plan),
        drift=plan.drift,
        changes=changes,
        passed=plan.passed,
        before=plan.before.state,
        after=plan.after.state,
        repeated=False,
        warnings=(*broken, *warnings),
        news=plan.news,
        hasty=plan.hasty,
    )


def _repeated(match: Match, action: Action, options: Options) -> Written | None:
    """The answer to a command that was recorded before under the same `--once` key."""
    if options.once is None:
        return None
    under = recorded_under(match, options.once)
    if not under:
        return None
    entry = next((one for one in under if _says(match, one, action)), None)
    if entry is None:
        entry = under[0]
        raise Refused(
            "once.other",
            f"the key {options.once} was used for another command ({entry.body.do}, entry {entry.seq})",
            "use another --once key",
        )
    state, seqs = match.fold.state, match.fold.layout.batch(entry.seq)
    receipt = match.book.entries[seqs[-1] - 1].hash
    return Written(seqs, receipt, (), match.fold.contested, (), (), (), (), 0, state, state, True, ())


def recorded_under(match: Match, once: str | None) -> list[Entry]:
    """The entries that were recorded under this `--once` key: several where copies were joined."""
    called = match.fold.layout.called
    return [e for e in match.book.entries if once in called(e)] if once is not None else []


class _Redrawn(NamedTuple):
    """The draw of an entry that is in the log."""

    seq: int
    drawn: str
    published: Published | None
    at: int

    def seed(self) -> bytes:
        return bytes.fromhex(self.drawn)


def _says(match: Match, entry: Entry, action: Action) -> bool:
    """Is the entry what typing this action gave where and when it was recorded?"""
    body, layout = entry.body, match.fold.layout
    if body.do != kebab(type(action)):
        return False
    if args_of(action) == body.args or body.do in shared.ABOUT_THE_LOG:
        return args_of(action) == body.args
    known = match.as_known(layout.batch(entry.seq)[0] - 1)
    then = known.fold_until(lambda live: live.at > body.at).state
    luck = _Redrawn(layout.place(entry.seq)[0], str(body.args.get("seed", "")), known.published(), body.at)
    try:
        *_, again = match.game.prepare(_seen(match, then, action, body.at, entry.seq), action, luck)
        return args_of(again) == body.args
    except (LedgerError, ValueError):
        return False


def _plan_actions(match: Match, typed: Sequence[Action], options: Options, now: int) -> Plan:
    """Prepare the actions where they belong in time, let the rules decide, and fold on."""
    before, entries = match.fold, match.book.entries
    at = counts_at(match, now) if options.at is None or _momentary(match, typed, options) else options.at
    _refuse_duplicate(match, options)
    for action in typed:
        if (about := getattr(action, "about", None)) is not None:
            match.check_entry(about)
    seq = len(entries) + 1
    later = [o for o in before.outcomes if (o.live.at, o.live.seq) > (at, seq)]
    late = [o for o in later if not o.live.still]
    base = match.fold_until(lambda live: live.at > at).state if late else before.state
    kept = any(kebab(type(action)) in KEPT or goes_by(type(action)) for action in typed)
    fixed = match.published() if kept else None  # reads the whole log
    luck = OsLuck(before.layout.next, fixed, at)
    hasty: tuple[str, ...] = ()
    if isinstance(typed[-1], shared.Resolve):
        which_round(match, typed[-1], options.by)
        hasty = too_early(match, match.engine.pass_time(base, Moment(at, seq))[0], at)
    actions = [one for action in typed for one in match.game.prepare(_seen(match, base, action, at, seq), action, luck)]
    bodies = _bodies(actions, options, at, now, seq)
    after, refused = _after(match, bodies, before, bool(later), seq)
    if refused is not None and not options.force:
        raise refused
    mine = frozenset(range(seq, seq + len(bodies)))
    return Plan(bodies, before, after, mine, len(late), correction=False, hasty=hasty)


def _momentary(match: Match, typed: Sequence[Action], options: Options) -> bool:
    """Do these actions count when they are recorded? A message is kept as evidence then, and gives no time.

    What was published fixes a deal in the order in which it was recorded: no time that a host chooses may change it.

    Raises:
        Refused: `draw.at`, a time was typed.
    """
    verbs = {kebab(type(action)) for action in typed}
    drawn = any(goes_by(type(action)) for action in typed)
    committed = drawn and any(entry.body.do == "commit" for entry in match.book.entries)
    momentary = committed or not verbs.isdisjoint(shared.MOMENTARY)
    if momentary and options.at is not None and (options.evidence is None or options.seen not in (None, options.at)):
        verb = kebab(type(typed[-1]))
        fix = "leave --at out; --msg LINK keeps the message as evidence"
        raise Refused("draw.at", f"{verb} counts at the moment when it is recorded", fix)
    return momentary


def _seen(match: Match, base: Any, action: Action, at: int, seq: int) -> Any:
    """The state that fills in what was not typed: with the ends that have come by then, except for `close`.

    A host who types `close` means the phase he sees, also when the clock has ended it meanwhile; and the entry keeps
    its name, so that one recorded late before it cannot make it mean another. Source: docs/decisions/0005.
    """
    if isinstance(action, shared.Close):
        return base
    return match.engine.pass_time(base, Moment(at, seq))[0]


def _refuse_duplicate(match: Match, options: Options) -> None:
    """The same live message twice is a slip, unless `--again`. Source: design section 4, late entries."""
    if options.evidence is None or options.again:
        return
    wanted = message_id(options.evidence)
    struck = match.fold.marks.struck
    for entry in match.book.entries:
        seen = entry.body.evidence
        if seen is not None and entry.seq not in struck and message_id(seen) == wanted:
            raise Refused(
                "evidence.duplicate",
                "this message is recorded already",
                "--again records it once more",
                f"it is entry {entry.seq} ({entry.body.do}): hl show {entry.seq}",
            )


def _bodies(actions: Sequence[Action], options: Options, at: int, now: int, seq: int) -> tuple[Body, ...]:
    """The lines of one command: its entries, and the note that goes with the last of them."""
    records: list[Any] = list(actions)
    if options.note is not None:
        about = seq + len(actions) - 1
        declares = actions and isinstance(actions[-1], shared.Declare)
        records.append(
            shared.Reason(options.note, about, options.private) if declares else shared.Note(options.note, about)
        )
    batch = seq if len(records) > 1 else None
    main = len(actions) - 1
    return tuple(
        Body(
            do=kebab(type(one)),
            at=at,
            by=options.by,
            recorded=now,
            args=args_of(one),
            again=options.again and i == main,
            batch=batch,
            evidence=options.evidence if i == main else None,
            force=options.force and i <= main,
            once=options.once if i == main else None,
        )
        for i, one in enumerate(records)
    )


def _after(match: Match, bodies: Sequence[Body], before: Fold, late: bool, seq: int) -> tuple[Fold, LedgerError | None]:
    """The match with the new lines, and the first refusal among them."""
    if not late:
        state, outcomes, last = before.state, list(before.outcomes), before.last
        for i, body in enumerate(bodies):
            live = live_of(body, seq + i)
            state, outcome = match.engine.step(state, live)
            outcomes.append(outcome)
            last = last if live.still else live.at
        contested = tuple(unsettled(outcomes))
        new = [Entry(seq + i, "", body) for i, body in enumerate(bodies)]
        after = before._replace(
            state=state,
            outcomes=tuple(outcomes),
            layout=index([*match.book.entries, *new]),
            contested=contested,
            last=last,
        )
    else:
        new = [Entry(seq + i, "", body) for i, body in enumerate(bodies)]
        after = fold(match.engine, [*match.book.entries, *new])
    mine = range(seq, seq + len(bodies))
    return after, next((o.refusal for o in after.outcomes if o.live.seq in mine and o.refusal), None)


def _plan_correction(match: Match, entry: Action, options: Options, now: int) -> Plan:
    """An entry about the log: it acts at once, and the whole log is folded with it."""
    seq = len(match.book.entries) + 1
    bodies = _bodies((entry,), options._replace(force=False), now, now, seq)
    new = [Entry(seq + i, "", body) for i, body in enumerate(bodies)]
    after = fold(match.engine, [*match.book.entries, *new])
    mine = frozenset(range(seq, seq + len(bodies)))
    return Plan(bodies, match.fold, after, mine, 0, correction=True)
