"""The recorder: the actions of a host become lines of the log, or are refused and change nothing.

Every write verb takes the same steps: read the log under the lock, work out the effects of the new lines (`Plan`), ask
the host to confirm harmful effects, then write once.
Source: docs/log-format.md; docs/decisions/0004-one-plan.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from events import Body, Entry, LedgerError, Moved, Refused, Unmet
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, AnyAction, Moment, Published
from games.kit.luck import mix
from games.records import args_of, fields, kebab
from games.spans import show_span
from games.table import actions as shared
from games.table.facts import DecisionClosed, PhaseEnded
from games.table.rounds import RoundOpened
from ledger.core.clock import OsLuck, now_ms
from ledger.core.commitments import DEAL_VERBS, draw_of
from ledger.core.effective import index, unamended
from ledger.core.match import Match
from ledger.core.replay import Fold, Outcome, fold, unsettled
from ledger.core.times import message_id, show_day, show_time
from ledger.record.doubts import doubts, openings, says_the_same, which_round
from ledger.record.plan import RULES, Ask, Options, Plan, Planner, Written, drifts, news_of, nobody, typed_on, written
from ledger.tell.reports import next_steps, not_open


def record_actions(match: Match, actions: Sequence[Action], options: Options, ask: Ask = nobody) -> Written:
    """Record actions: usually one; several form one batch, and the last is the one that the host typed.

    Raises:
        Refused, Unreadable: not allowed or not understood; nothing was written.
        Unmet: nobody confirmed what must be confirmed; nothing was written.
        Damaged, NotRecorded, OutcomeUnknown: from the log. If another host of a shared match records first, the entry
            is decided again.
    """
    return _carry_out(match, options, ask, lambda m, now: _plan_actions(m, actions, options, now), actions[-1])


def correct(match: Match, entry: Action, options: Options, ask: Ask, check: Callable[[Match], object]) -> Written:
    """Record a meta entry (`undo`, `redo`, `amend`, `confirm`). `check` raises if it is not allowed."""

    def plan(m: Match, now: Instant) -> Plan:
        check(m)
        bodies = _bodies((entry,), options._replace(force=False), now, now, len(m.book.entries) + 1)
        return plan_prepared(m, bodies, lambda after: ())

    return _carry_out(match, options, ask, plan, entry)


def record_marks(
    match: Match, entries: Sequence[Action], options: Options, ask: Ask, check: Callable[[Match], object]
) -> Written:
    """Record that texts were posted or are being sent (`posted`, `posting`), or undo such marks; one line each."""

    def plan(m: Match, now: Instant) -> Plan:
        check(m)
        seq = len(m.book.entries) + 1
        bodies = [body for i, action in enumerate(entries) for body in _bodies((action,), options, now, now, seq + i)]
        after = fold(m.engine, m.with_bodies(bodies).book.entries)
        return Plan(tuple(bodies), m.fold, after, frozenset(range(seq, seq + len(bodies))), (), correction=False)

    return _carry_out(match, options, ask, plan, entries[-1])


def record_prepared(match: Match, options: Options, ask: Ask, plan_for: Planner) -> Written:
    """Record complete entries (`join`), even ones that the rules refuse. Raises as `record_actions`.

    Args:
        plan_for: Makes the plan under the lock, with `plan_prepared`.
    """
    return _carry_out(match, options, ask, plan_for, None)


def plan_prepared(match: Match, bodies: Sequence[Body], describe: Callable[[Fold], Sequence[str]]) -> Plan:
    """A plan for these entries at the end of the log; `describe` makes the lines that the host confirms."""
    seq = len(match.book.entries) + 1
    after = fold(match.engine, match.with_bodies(bodies).book.entries) if bodies else match.fold
    mine = frozenset(range(seq, seq + len(bodies)))
    return Plan(tuple(bodies), match.fold, after, mine, (), correction=True, preview=tuple(describe(after)))


def preview(match: Match, action: Action, options: Options) -> tuple[Written, Match]:
    """The effects of recording an action, and the match as it would be afterwards; nothing is written.

    Raises:
        What `record_actions` raises.
    """
    if (earlier := repeated(match, action, options)) is not None:
        return earlier, match
    plan = _plan_actions(match, [action], options, now_ms())
    after = match.with_bodies(plan.bodies)
    after.adopt(plan.after)
    return _would(match, plan), after


def _would(match: Match, plan: Plan) -> Written:
    found = openings(match, plan)
    return written(plan, match, ())._replace(early=found.early, shown=found.shown)


def _carry_out(match: Match, options: Options, ask: Ask, plan_for: Planner, action: Action | None) -> Written:
    if options.dry_run:
        match.refresh()
        if (earlier := repeated(match, action, options)) is not None:
            return earlier
        plan = plan_for(match, now_ms())
        return _would(match, plan._replace(drift=drifts(match, plan), news=news_of(match, plan)))
    confirmed: tuple[str, ...] | None = None
    overtaken: list[Plan] = []
    while True:
        with match.book.log.writing(match.book.mark) as writer:
            match.book.take(writer.reading)
            if (earlier := repeated(match, action, options)) is not None:
                return earlier
            with overtaking(match, overtaken):
                plan = plan_for(match, now_ms())
            plan = plan._replace(drift=drifts(match, plan))
            questions = doubts(match, plan, options)
            if not questions or confirmed == questions:
                plan = plan._replace(news=news_of(match, plan))
                clocks = clock_warnings(match, options.by, now_ms())
                try:
                    lines = writer.append(plan.bodies)
                except Moved:
                    overtaken.append(plan)
                    if len(overtaken) == MAX_TRIES:
                        raise
                    continue
                match.book.appended(lines, plan.bodies, writer.mark)
                match.adopt(plan.after)
                late = ["you interrupted too late: this is recorded"] if writer.interrupted else []
                warnings = (*match.book.notes, *writer.warnings, *late, *clocks, *decided_anew(match, overtaken, plan))
                return written(plan, match, warnings)._replace(asked=confirmed is not None)
        # The lock is released while the host answers; afterwards the questions must still be the same.
        if not ask("\n".join(questions)):
            option = "--early" if options.yes else "--yes"
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"add {option} to go on")
        confirmed = questions


def _plan_actions(match: Match, typed: Sequence[Action], options: Options, now: Instant) -> Plan:
    """Prepare the actions at their place in time, let the rules decide, and fold the log with them."""
    before, entries = match.fold, match.book.entries
    at = counts_at(match, now) if options.at is None or _momentary(match, typed, options) else Instant(options.at)
    _refuse_duplicate(match, options)
    for action in typed:
        if (about := getattr(action, "about", None)) is not None:
            match.check_entry(about)
    seq = len(entries) + 1
    later = [o for o in before.outcomes if (o.entry.at, o.entry.seq) > (at, seq)]
    late = [o for o in later if not o.entry.still]
    state = match.fold_until(lambda live: live.at > at).state if late else before.state
    uses_published = any(kebab(type(action)) in DEAL_VERBS or hasattr(action, "commitment") for action in typed)
    published = match.published() if uses_published else None  # reads the whole log
    luck = OsLuck(before.layout.next, published, at)
    if isinstance(typed[-1], shared.Resolve):
        which_round(match, typed[-1], options.by)
    try:
        prepared = (match.game.prepare(typed_on(match, state, action, at, seq), action, luck) for action in typed)
        actions = [again(match, one) if hasattr(one, "replaces") else one for one in chain.from_iterable(prepared)]
    except LedgerError as error:
        error.fix = _or_what_comes_first(match, error.fix, now)
        if options.at is not None:
            _at_a_typed_time(match, error, later, typed[-1], now, Moment(at, seq))
        raise
    bodies = _bodies(actions, options, at, now, seq)
    for entry in (o.entry for o in later if says_the_same(bodies, o.entry)):
        _not_again(match, typed[-1], entry.seq, luck)
    after, refused = _after(match, bodies, before, bool(later), seq)
    if refused is not None and not options.force:
        if refused.code == "table.not_here":
            refused.fix = "\n".join(next_steps(match.game, before.state, now)) or refused.fix
        refused.fix = _or_what_comes_first(match, refused.fix, now)
        if options.at is not None:
            _at_a_typed_time(match, refused, later, typed[-1], now, Moment(at, seq))
        if refused.code == f"table.no_{kebab(type(actions[-1]))}" and isinstance(refused, Refused):
            _name_the_one_before(match, refused, actions[-1])
        raise refused
    if refused is None and not later:
        for number, action in enumerate(actions, start=before.layout.next):
            if not getattr(action, "draw", None):
                continue
            fixed = published if getattr(action, "commitment", None) is not None else None
            wrong = match.game.audit(after.state, action, number, mix(fixed.seed, fixed.words) if fixed else None)
            if wrong is not None:  # nobody could repeat the draw, and `verify` would report it as forged
                fix = "tell the author of the game"
                raise Refused("draw.unrepeatable", f"this cannot be drawn again: {wrong}", fix)
    mine = frozenset(range(seq, seq + len(bodies)))
    return Plan(bodies, before, after, mine, tuple(o.entry.seq for o in late), correction=False)


def _not_again(match: Match, action: Action, seq: int, luck: OsLuck) -> None:
    """Refuse an earlier time for what is typed again, if it is refused now because entry `seq` says so, later."""
    try:
        match.game.prepare(typed_on(match, match.fold.state, action, luck.at, luck.seq), action, luck)
    except Refused as refusal:
        refusal.fix, refusal.host_only = f"hl amend {seq} at=TIME", f"entry {seq} says so, later; to move it, amend it"
        raise


def _name_the_one_before(match: Match, refused: Refused, action: Action) -> None:
    """Add to the refusal of an answer that nothing asks for which entry had the answer of that player before."""
    do, args, player = kebab(type(action)), args_of(action), fields(type(action))[0].name
    same = [o.entry for o in match.fold.outcomes if o.entry.do == do and o.entry.args[player] == args[player]]
    for entry in same[-1:]:
        pairs = " ".join(f"{key}={value}" for key, value in args.items() if entry.args.get(key) != value)
        line = f"entry {entry.seq} says so already"
        if pairs:
            line = f"{match.table.name(args[player])}'s {do} is entry {entry.seq}"
            after = match.supposing(shared.Amend(entry.seq, {**entry.args, **args}))
            if not any(o.refusal for o in after.fold.outcomes if o.entry.seq == entry.seq):
                line += f"; if it was mistyped: hl amend {entry.seq} {pairs}"
        else:
            refused.fix = "hl status"
        refused.host_only = "\n".join(filter(None, (refused.host_only, line)))


def _or_what_comes_first(match: Match, fix: str, now: Instant) -> str:
    """A fix; if it is a verb without words that is refused now as well (`hl open` before a draw), the fix of that.

    Why a `resolve` is refused may be a secret of somebody's sheet, and a refusal may be forwarded.
    """
    for _ in range(4):  # so many refusals in a row are asked what comes first
        cls = match.engine.actions.get(fix.removeprefix("hl ").removesuffix(" -n"))
        if cls in (None, shared.Resolve) or any(field.required for field in fields(cls)):
            break
        if (refusal := _refusal_now(match, cls(), now)) is None:
            break
        fix = refusal.fix if refusal.fix.startswith("hl ") else "hl status"
    return fix


def _refusal_now(match: Match, action: Action, now: Instant) -> LedgerError | None:
    seq = len(match.book.entries) + 1
    try:
        on = typed_on(match, match.fold.state, action, now, seq)
        first, *_ = match.game.prepare(on, action, _Redrawn(match.fold.layout.next, "", match.published(), now))
        match.game.decide(on, first, Moment(now, seq))
    except LedgerError as refusal:
        return refusal
    return None


PRESENT = re.compile(r"\b(has|is)\b(.*?)(?: now|(?<= over))$")


def _at_a_typed_time(
    match: Match, error: LedgerError, later: Sequence[Outcome], action: Action, now: Instant, then: Moment
) -> None:
    """Replace a fix that records something, if the refused entry had a typed time: run now, it may not do the same.
    Who has left by then and is replaced later is told of as such; of what is refused only then, what comes next.

    It depends on whether a time was typed, not on whether an entry came after it, which may be a secret. What keeps
    play closed is no secret: everybody is told.
    """
    command, closed = error.fix.split(), not_open(match.game, match.fold.state) or ()
    records = command[:1] == ["hl"] and command[1] in match.engine.actions and error.fix not in closed
    no_round = later if error.code == "sealed.no_round" else ()
    rounds = [outcome for outcome in no_round if any(isinstance(fact, RoundOpened) for fact in outcome.facts)]
    entries = (outcome.entry for outcome in (*rounds, *later) if not outcome.entry.still)
    counted = next((entry for entry in entries if entry.do not in RULES), None)
    reopened = "hl reopen" in error.fix and any(outcome.entry.do == kebab(shared.Reopen) for outcome in later)
    if (records or reopened or rounds) and isinstance(error, Refused):
        error.fix = "hl log"
    told = not isinstance(error, Refused) or error.host_only
    if counted and not told and (rounds or _refusal_now(match, action, now) is None):
        since = show_day(counted.at, match.zone)
        error.host_only = f"entry {counted.seq} ({counted.do}) counts only from {since}"
    for entry in (outcome.entry for outcome in later if error.code == "table.left"):
        if entry.do == kebab(shared.Replace) and entry.args["player"] in command:
            error.fix = f"hl amend {entry.seq} at=TIME"
            since = show_day(entry.at, match.zone)
            error.host_only = f"{entry.args['name']} takes over the seat from {since} on (entry {entry.seq})"
    if "add --at TIME" in error.fix:  # which the host did
        lines = (line for line in error.fix.splitlines() if not line.startswith(("add --at TIME", "hl reopen")))
        error.fix = "\n".join(lines) or "hl log"
        error.what, known = (PRESENT.sub(_past, text) for text in (error.what, error.host_only))
        error.host_only = "\n".join(filter(None, (_when_it_ended(match, later, action, then), known)))


def _past(sentence: re.Match[str]) -> str:
    return f"{'had' if sentence[1] == 'has' else 'was'}{sentence[2]} then"


def _when_it_ended(match: Match, later: Sequence[Outcome], action: Action, then: Moment) -> str:
    """When the phase, or the decision that this action is for, had ended by then, in words; "" if it had not."""
    passed = match.engine.pass_time(match.fold_until(lambda live: live.at > then.at).state, then)[1]
    earlier = match.fold.outcomes[: len(match.fold.outcomes) - len(later)]
    is_play = type(action) in match.game.actions and not match.game.rounds
    timed = [*chain.from_iterable(zip(o.times, o.facts, strict=True) for o in earlier), *passed]
    for at, fact in reversed(timed):
        match fact:
            case DecisionClosed(decision) if decision.kind == kebab(type(action)) and action[0] in decision.who:
                return f"the {decision.noun} ended {show_day(at, match.zone)}"
            case PhaseEnded(phase) if is_play:
                return f"{phase} ended {show_day(at, match.zone)}"
    return ""


def _momentary(match: Match, typed: Sequence[Action], options: Options) -> bool:
    """Whether these actions count at the moment of recording, so that a message is only evidence and gives no time.

    Published commitments and words fix a deal in the order of recording, which no time that a host chooses may change.
    """
    verbs = {kebab(type(action)) for action in typed}
    draws = any(hasattr(action, "commitment") for action in typed)
    committed = draws and any(entry.body.do == "commit" for entry in match.book.entries)
    momentary = committed or not verbs.isdisjoint(shared.MOMENTARY)
    if momentary and options.at is not None and (options.evidence is None or options.seen not in (None, options.at)):
        verb = kebab(type(typed[-1]))
        fix = "leave --at out; --msg LINK keeps the message as evidence"
        raise Refused("draw.at", f"{verb} always counts from the moment it is recorded", fix)
    return momentary


def _refuse_duplicate(match: Match, options: Options) -> None:
    """Refuse a message that is already the evidence of an entry. Source: docs/log-format.md."""
    if options.evidence is None or options.again:
        return
    message = message_id(options.evidence)
    struck = match.fold.marks.struck
    for entry in match.book.entries:
        evidence = entry.body.evidence
        if evidence is not None and entry.seq not in struck and message_id(evidence) == message:
            which = f"it is entry {entry.seq} ({entry.body.do}): hl show {entry.seq}"
            fix = "--again records it once more"
            raise Refused("evidence.duplicate", "this message is already recorded", fix, which)


def _bodies(actions: Sequence[Action], options: Options, at: Instant, now: Instant, seq: int) -> tuple[Body, ...]:
    records = list(actions)
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
            do=kebab(type(action)),
            at=at,
            by=options.by,
            recorded=now,
            args=args_of(action),
            again=options.again and i == main,
            batch=batch,
            evidence=options.evidence if i == main else None,
            force=options.force and i <= main,
            once=options.once if i == main else None,
        )
        for i, action in enumerate(records)
    )


def _after(match: Match, bodies: Sequence[Body], before: Fold, late: bool, seq: int) -> tuple[Fold, LedgerError | None]:
    entries = match.with_bodies(bodies).book.entries
    if late:
        after = fold(match.engine, entries)
    else:
        state, outcomes, last = before.state, list(before.outcomes), before.last
        for i, body in enumerate(bodies):
            live = unamended(body, seq + i)
            state, outcome = match.engine.step(state, live)
            outcomes.append(outcome)
            last = last if live.still else live.at
        after = before._replace(
            state=state,
            outcomes=tuple(outcomes),
            layout=index(entries),
            contested=tuple(unsettled(outcomes)),
            last=last,
        )
    mine = range(seq, seq + len(bodies))
    return after, next((o.refusal for o in after.outcomes if o.entry.seq in mine and o.refusal), None)


# ---- a command repeated under its `--once` key is answered but not recorded again ------------------------------------


def repeated(match: Match, action: Action | None, options: Options) -> Written | None:
    if options.once is None or action is None:
        return None
    under = recorded_under(match, options.once)
    if not under:
        return None
    entry = next((candidate for candidate in under if _is_repeat(match, candidate, action)), None)
    if entry is None:
        entry = under[0]
        what = f"the key {options.once} is already used for another command ({entry.body.do}, entry {entry.seq})"
        raise Refused("once.other", what, "use another --once key")
    state, seqs = match.fold.state, match.fold.layout.batch(entry.seq)
    receipt = match.book.entries[seqs[-1] - 1].hash
    return Written(seqs, receipt, (), match.fold.contested, (), (), (), (), (), state, state, True, ())


def recorded_under(match: Match, once: str | None) -> list[Entry]:
    called = match.fold.layout.called
    return [e for e in match.book.entries if once in called(e)] if once is not None else []


def again(match: Match, action: AnyAction) -> AnyAction:
    """The action. If it repeats a draw that was undone, `replaces` is set to the line of the first draw."""
    if action.replaces is not None:
        return action
    do, args = kebab(type(action)), args_of(action)
    if hasattr(action, "commitment") and not draw_of(do, args):
        return action
    return action._replace(replaces=match.deals().again(match.fold.layout, match.fold.marks.struck, do, args))


class _Redrawn(NamedTuple):
    seq: int
    seed_hex: str
    published: Published | None
    at: Instant

    def seed(self) -> bytes:
        return bytes.fromhex(self.seed_hex)


def _is_repeat(match: Match, entry: Entry, action: Action) -> bool:
    body, layout = entry.body, match.fold.layout
    if body.do != kebab(type(action)):
        return False
    if args_of(action) == body.args or body.do in shared.META_VERBS:
        return args_of(action) == body.args
    match_then = match.as_known(layout.batch(entry.seq)[0] - 1)
    state = match_then.fold_until(lambda live: live.at > body.at).state
    luck = _Redrawn(layout.place(entry.seq)[0], str(body.args.get("seed", "")), match_then.published(), body.at)
    try:
        *_, prepared = match.game.prepare(typed_on(match, state, action, body.at, entry.seq), action, luck)
        return args_of(again(match_then, prepared) if hasattr(prepared, "replaces") else prepared) == body.args
    except (LedgerError, ValueError):
        return False


# ---- several hosts record in one shared match at once, each with their own clock -------------------------------------


MAX_TRIES = 40
MAX_CLOCK_GAP_MS = 5_000
"""How far two clocks may differ before hosts are warned, ms."""


def counts_at(match: Match, now: Instant) -> Instant:
    """When an entry without a typed time counts: now, or on a shared match no earlier than the last recorded entry."""
    if not match.book.log.shared:
        return now
    return max(now, *(entry.body.recorded for entry in match.book.entries))


def clock_warnings(match: Match, by: str, now: int) -> list[str]:
    """A warning if another host's clock differs by more than five seconds; empty for a match that is not shared."""
    if not match.book.log.shared:
        return []
    ahead = max(match.book.entries, key=lambda entry: entry.body.recorded)
    gap = ahead.body.recorded - now
    if gap > MAX_CLOCK_GAP_MS:
        sentence = f"entry {ahead.seq} of {ahead.body.by} was typed {show_span(gap)} from now, by their clock"
        return [f"{sentence}: this counts at {show_time(ahead.body.recorded, match.zone)}; compare your clocks"]
    mine, gap, host = 0, 0, ""
    for entry in match.book.entries:
        if entry.body.by == by:
            mine, gap = entry.body.recorded, 0
        elif mine - entry.body.recorded > max(MAX_CLOCK_GAP_MS, gap):
            gap, host = mine - entry.body.recorded, entry.body.by
    return [f"the clock of {host} was {show_span(gap)} or more behind yours; compare your clocks"] if gap else []


@contextmanager
def overtaking(match: Match, plans: Sequence[Plan]) -> Iterator[None]:
    """If an entry that is decided again is refused, add to the error which entries were recorded before it."""
    try:
        yield
    except LedgerError as error:
        if plans:
            came = _overtakers(match, plans[0], len(match.book.entries))
            sentence = f"{came} just before this, which is why it is refused"
            error.host_only = "\n".join(filter(None, (error.host_only, sentence)))
        raise


def decided_anew(match: Match, plans: Sequence[Plan], plan: Plan) -> list[str]:
    """A warning if other hosts recorded first and that changed the effects of the entry."""
    if not plans or _effects(match, plans[0]) == _effects(match, plan):
        return []
    came = _overtakers(match, plans[0], min(plan.mine, default=1) - 1)
    return [f"{came} just before this, which changed its effect: what you read here is right"]


def _overtakers(match: Match, plan: Plan, last: int) -> str:
    """Who recorded the entries from the first number in the plan up to `last`: `ben recorded #12 to #14`."""
    first = min(plan.mine, default=last)
    by = ", ".join(dict.fromkeys(entry.body.by for entry in match.book.entries[first - 1 : last]))
    return f"{by} recorded #{first}" + (f" to #{last}" if last > first else "")


def _effects(match: Match, plan: Plan) -> list[tuple[str, list[str], str]]:
    explain = match.game.explain
    return [
        (o.entry.do, [explain(plan.after.state, fact).text for fact in o.facts], o.refusal.code if o.refusal else "")
        for o in plan.after.outcomes
        if o.entry.seq in plan.mine
    ]
