"""A match as a sequence of steps, for the hosts or another audience: what happened, and who may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from events import MAX_INSTANT, Entry, write_instant
from events.audiences import HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.instants import write_end
from events.record import NamedTuple
from games.contract import Fact, Moment, Report, Result, View
from games.kit.blocks import Block, Span
from games.records import kebab, plain
from games.table import actions as shared, facts as table_facts
from games.table.actions import META_VERBS, AmendSetting
from games.table.rounds import RoundOpened
from games.table.settings import rule_in_words
from ledger.core.effective import BEFORE_ALL, Place, late_entries
from ledger.core.match import Match
from ledger.core.replay import Fold, Outcome
from ledger.core.times import crowded
from ledger.render.safe import in_spans
from ledger.tell.listing import as_typed, in_a_word, in_typed_order, row
from ledger.tell.redact import REMARKS, audiences

# ---- steps -----------------------------------------------------------------------------------------------------------


class Sentence(NamedTuple):
    spans: tuple[Span, ...]
    rule: str = ""

    @property
    def text(self) -> str:
        return in_spans(self.spans, str, write_end)


class Correction(NamedTuple):
    seq: int
    by: str
    recorded: int
    what: str


class Recorded(NamedTuple):
    seq: int
    do: str
    args: Mapping[str, Any]
    """The amended arguments, in the order in which a host types them."""
    by: str
    recorded: int
    marks: tuple[str, ...]
    """Marks as in `hl log`: `late`, `contested`, `forced`, `undone by 39`, `amended by 47`, `confirmed by ben`."""
    corrections: tuple[Correction, ...]
    notes: tuple[str, ...]
    evidence: str | None


class Step(NamedTuple):
    number: int
    """1, 2, 3 without gaps, even if there are steps that the audience may not know."""
    at: int | None
    """When it happened, ms. Never None for the hosts.

    For other readers it is None if the step was caused by an entry that they may not open, because the time of such an
    entry is a secret; and in the last step, which shows the final state.
    """
    known_to: str
    """Who may know: `everybody`, `Ann and Bob`, `the hosts`; for a player `everybody`, or `you` if part is theirs."""
    sentences: tuple[Sentence, ...]
    """Empty only in the last step, which shows the final state."""
    round: str = ""
    phase: str = ""
    typed: str = ""
    entry: Recorded | None = None
    """None for an end that came due by itself, and for all readers except hosts."""

    @property
    def bookmark(self) -> bool:
        """Whether a host left a remark here."""
        return self.entry is not None and bool(self.entry.notes or self.entry.do in REMARKS)

    def as_json(self) -> dict[str, Any]:
        """Source: docs/json.md, replay."""
        sentences = [{"text": s.text, **({"rule": s.rule} if s.rule else {})} for s in self.sentences]
        step: dict[str, Any] = {"step": self.number, "at": None if self.at is None else write_instant(self.at)}
        step |= {"known_to": self.known_to, "sentences": sentences}
        step |= {name: value for name in ("round", "phase", "typed") if (value := getattr(self, name))}
        if (entry := self.entry) is not None:
            corrections = [{**c._asdict(), "recorded": write_instant(c.recorded)} for c in entry.corrections]
            step |= {**entry._asdict(), "recorded": write_instant(entry.recorded), "corrections": corrections}
        return step


class Steps:
    def __init__(self, match: Match, viewer: str, steps: Sequence[Step], states: Sequence[Any]) -> None:
        self.match, self.viewer, self.steps = match, viewer, tuple(steps)
        self._states = tuple(states)
        self.seconds = crowded(step.at for step in self.steps if step.at is not None)

    def view(self, number: int) -> View:
        return self.match.game.view(self._states[number - 1], self.viewer)

    def result(self, number: int) -> Result:
        return self.match.game.result(self._states[number - 1], self.viewer)

    def report(self, number: int) -> list[Block]:
        """The report of the match after step `number`."""
        return self._draw(self.match.game.report, number)

    def board(self, number: int) -> list[Block]:
        return self._draw(self.match.game.board, number)

    def _draw(self, report: Report, number: int) -> list[Block]:
        return report(self.match.frame(self._states[number - 1], self.viewer), self.view(number), self.result(number))

    def rounds(self, number: int) -> list[Block]:
        """The report of the round resolved in step `number`; empty if there is none, or it is hidden."""
        name = self.steps[number - 1].round
        frame = self.match.frame(self._states[number - 1], self.viewer)
        return self.match.game.round_report(frame, self.view(number), name) if name else []


# ---- for players and the public --------------------------------------------------------------------------------------

RESOLVE = kebab(shared.Resolve)
EVERYBODY, YOU, HOSTS = "everybody", "you", "the hosts"


class StepBuilder:
    """Walks through a fold, state by state, and makes the steps that one audience (not the hosts) may know."""

    def __init__(self, match: Match, viewer: str) -> None:
        self.match, self.fold, self.viewer, self.game = match, match.fold, viewer, match.game
        self.entries = match.book.entries
        self.state = match.engine.start(self.entries[0].body, match.book.game_id)
        self.opens = audiences(self.match)
        self.steps: list[Step] = []
        self.states: list[Any] = []
        self._batch = 0  # the batch of the last step

    def build(self) -> None:
        self.created(self.entries[0].body.at)
        setup = sum(outcome.entry.at == BEFORE_ALL for outcome in self.fold.outcomes)
        for outcome in self.fold.outcomes[:setup]:
            self.state = self.match.engine.apply(self.state, outcome.facts)
            self.seated(outcome)
        for outcome in self.fold.outcomes[setup:]:
            timed_facts = list(zip(outcome.times[: outcome.passed], outcome.facts, strict=False))
            for at in dict.fromkeys(time for time, _ in timed_facts):  # ends that came due before it
                facts = tuple(fact for time, fact in timed_facts if time == at)
                self.state = self.match.engine.apply(self.state, facts)
                self.passed(at, facts)
            facts = outcome.facts[outcome.passed :]
            self.state = self.match.engine.apply(self.state, facts)
            self.happened(outcome, facts)
        self.ended()

    def add(self, step: Step) -> None:
        self.steps.append(step._replace(number=len(self.steps) + 1))
        self.states.append(self.state)

    def created(self, at: int) -> None:
        table = self.state.table
        kind = "" if table.title == self.game.title else f", a match of {self.game.title}"
        sentence = f"{table.title} is made{kind}: {table.named(table.players)}."
        self.add(Step(0, at, EVERYBODY, (Sentence((sentence,)),), phase=self._phase(())))

    def seated(self, outcome: Outcome) -> None:
        """Handle an entry of `new`: the report of the first step shows what players brought."""
        self.states[0] = self.state

    def passed(self, at: int, facts: tuple[Fact, ...]) -> None:
        self._add_told(Step(0, at, "", ()), facts, 0)

    def happened(self, outcome: Outcome, facts: tuple[Fact, ...]) -> None:
        live = outcome.entry
        resolved = str(live.args.get("round", "")) if live.do == RESOLVE and outcome.refusal is None else ""
        batch = self.entries[live.seq - 1].body.batch or 0
        audience = self._opened(outcome)
        typed = as_typed(self.match, live.do, live.args) if audience else ""
        known_to = "" if audience is None else EVERYBODY if audience.everybody or audience.after_end else YOU
        step = Step(0, live.at if audience else None, known_to, (), resolved, typed=typed)
        if not self._add_told(step, facts, batch) and audience:
            does = f"Recorded by the hosts: {live.do.replace('-', ' ')}."
            if live.do == kebab(AmendSetting):
                does = rule_in_words(self.game, str(live.args["key"]), live.args["value"])
            sentence = does if known_to == EVERYBODY else f"recorded: {typed}"
            self.add(step._replace(sentences=(Sentence((sentence,)),)))

    def ended(self) -> None:
        self._passed_since()
        self.add(Step(0, None, EVERYBODY if self.viewer == PUBLIC_VIEWER else YOU, ()))

    def _passed_since(self) -> None:
        """Add the ends that come due between the last entry and the moment of the fold (`--as-of TIME`)."""
        while (end := self.game.due(self.state)) is not None and end <= self.fold.last:
            self.state, facts = self.match.engine.pass_time(self.state, Moment(end, len(self.entries)))
            self.passed(end, tuple(fact for _, fact in facts))

    def _add_told(self, step: Step, facts: tuple[Fact, ...], batch: int) -> bool:
        """Add the step if the audience is told any of these facts; facts of one batch share a step."""
        public = self._sentences(facts, PUBLIC_VIEWER)
        own = self._sentences(facts, self.viewer) if self.viewer != PUBLIC_VIEWER else ()
        sentences = tuple(dict.fromkeys((*public, *own)))
        if not sentences:
            return False
        known_to = YOU if own or step.known_to == YOU else EVERYBODY
        step = step._replace(known_to=known_to, sentences=sentences, phase=self._phase(facts))
        if batch and self._batch == batch:
            before = self.steps.pop()
            self.states.pop()
            step = step._replace(
                at=step.at if before.at is None else before.at,
                sentences=tuple(dict.fromkeys((*before.sentences, *sentences))),
                known_to=YOU if YOU in (before.known_to, step.known_to) else EVERYBODY,
                round=before.round or step.round,
                phase=step.phase or before.phase,
                typed=before.typed or step.typed,
            )
        self._batch = batch
        self.add(step)
        return True

    def _sentences(self, facts: tuple[Fact, ...], audience: str) -> tuple[Sentence, ...]:
        notice = self.game.tell(self.state, facts, audience)
        if notice.below and not notice.lines:
            return (Sentence(("there is something new to see",)),)
        return tuple(Sentence(spans) for spans in notice.lines)

    def _phase(self, facts: Iterable[Fact]) -> str:
        """The phase that the audience sees, if these facts began it and the last step was in another one."""
        beginnings = (table_facts.PhaseBegan, table_facts.Reopened, RoundOpened)
        if self.steps and not any(isinstance(fact, beginnings) for fact in facts):
            return ""
        phase = str(plain(self.game.view(self.state, self.viewer)).get("phase", ""))
        return phase if phase != next((step.phase for step in reversed(self.steps) if step.phase), "") else ""

    def _opened(self, outcome: Outcome) -> Audience | None:
        audience, ended = self._audience(outcome.entry.seq), self.fold.state.table.status == "finished"
        return audience if outcome.refusal is None and audience.admits(self.viewer, ended=ended) else None

    def _audience(self, seq: int) -> Audience:
        """Who may open the line that decides how an entry counts: its own, or that of its last amend."""
        amends = self.fold.marks.amended.get(seq, ())
        return self.opens[amends[-1].seq if amends else seq]


def readers_in_words(audience: Audience, names_of: Callable[[tuple[str, ...]], str]) -> str:
    """Who may see something, in words: `everybody`, `Ann and Bob`, `the hosts`, `everybody after the end`."""
    if audience.everybody:
        return EVERYBODY
    parts = [names_of(audience.players)] if audience.players else []
    parts += [f"{EVERYBODY} after the end"] if audience.after_end else []
    return ", ".join(parts) or HOSTS


class HostStepBuilder(StepBuilder):
    """Makes a step for every entry, with the data of its line. Meta entries belong to the step that they are about."""

    def __init__(self, match: Match) -> None:
        super().__init__(match, HOST_VIEWER)
        self.late = late_entries(self.entries, self.fold.layout)
        self.notes, self.attached = _notes(match)
        undone = (self.entries[seq - 1] for seq in self.fold.marks.struck if seq not in self.attached)
        live_verbs = (entry for entry in undone if entry.body.do not in META_VERBS)
        self.struck = sorted(live_verbs, key=self._point, reverse=True)

    def created(self, at: int) -> None:
        super().created(at)
        self.steps[0] = self.steps[0]._replace(entry=self._recorded(1, self.entries[0].body.args))

    def seated(self, outcome: Outcome) -> None:
        self._entry(outcome, outcome.facts, self.entries[0].body.at)

    def passed(self, at: int, facts: tuple[Fact, ...]) -> None:
        self._undone_before((at, (0, "")))
        readers = [p for p in (PUBLIC_VIEWER, *self.state.table.seats) if self.game.tell(self.state, facts, p)]
        known_to = EVERYBODY if PUBLIC_VIEWER in readers else self.state.table.named(readers) if readers else HOSTS
        self.add(Step(0, at, known_to, self._explained(facts), phase=self._phase(facts)))

    def happened(self, outcome: Outcome, facts: tuple[Fact, ...]) -> None:
        live = outcome.entry
        self._undone_before((live.at, self.fold.layout.place(live.seq)))
        if live.seq not in self.attached:
            self._entry(outcome, facts, live.at)

    def ended(self) -> None:
        self._passed_since()
        self._undone_before((MAX_INSTANT + 1 if self.fold.whole else self.fold.last + 1, (0, "")))

    def _entry(self, outcome: Outcome, facts: tuple[Fact, ...], at: int) -> None:
        live, refused = outcome.entry, outcome.refusal
        sentences = self._explained(facts) or (Sentence(("no change: already in effect",)),)
        if refused is not None:
            parts = (refused.what, *([f"host only: {refused.host_only}"] if refused.host_only else []))
            why = f"the rules do not allow it, so it changes nothing: {'; '.join(parts)}"
            sentences = (Sentence((why,), refused.code),)
        resolved = str(live.args.get("round", "")) if live.do == RESOLVE and refused is None else ""
        entry = self._recorded(live.seq, live.args, contested=refused is not None)
        typed = as_typed(self.match, live.do, live.args)
        known_to = readers_in_words(self._audience(live.seq), self.state.table.named)
        self.add(Step(0, at, known_to, sentences, resolved, self._phase(facts), typed, entry))

    def _explained(self, facts: Iterable[Fact]) -> tuple[Sentence, ...]:
        reasons = (self.match.explain(self.state, fact) for fact in facts)
        return tuple(Sentence((reason.text,), reason.rule) for reason in reasons)

    def _recorded(self, seq: int, args: Mapping[str, Any], *, contested: bool = False) -> Recorded:
        entry = self.entries[seq - 1]
        body = entry.body
        marks = row(self.match, entry, late=seq in self.late, contested=contested).marks
        ordered = in_typed_order(self.match, body.do, args)
        corrections = tuple(self._corrections(entry))
        notes, evidence = self.notes.get(seq, ()), body.evidence
        return Recorded(seq, body.do, ordered, body.by, body.recorded, marks, corrections, notes, evidence)

    def _corrections(self, entry: Entry) -> Iterator[Correction]:
        marks, args_before = self.fold.marks, entry.body.args
        for seq, _, body in marks.amended.get(entry.seq, ()):
            args = amended if isinstance(amended := body.args.get("args"), dict) else args_before
            changed_keys = [key for key in {**args_before, **args} if args_before.get(key) != args.get(key)]
            changes = [f"{key} {in_a_word(args_before.get(key))} -> {in_a_word(args.get(key))}" for key in changed_keys]
            changes += [f"at {body.args['at']}"] if body.args.get("at") else []
            yield Correction(seq, body.by, body.recorded, ", ".join(changes) or "as it was")
            args_before = args
        if (undo := marks.struck.get(entry.seq)) is not None:
            body = self.entries[undo - 1].body
            yield Correction(undo, body.by, body.recorded, "undone")

    def _point(self, entry: Entry) -> tuple[int, Place]:
        return entry.body.at, self.fold.layout.place(entry.seq)

    def _undone_before(self, point: tuple[int, Place]) -> None:
        while self.struck and self._point(self.struck[-1]) < point:
            entry = self.struck.pop()
            body = entry.body
            typed = as_typed(self.match, body.do, body.args)
            sentence = Sentence(("undone, it changes nothing: ", typed))
            known_to = readers_in_words(self.opens[entry.seq], self.state.table.named)
            self.add(Step(0, body.at, known_to, (sentence,), typed=typed, entry=self._recorded(entry.seq, body.args)))


def _notes(match: Match) -> tuple[dict[int, tuple[str, ...]], frozenset[int]]:
    """The remarks about each entry, and the numbers of the entries that are remarks."""
    entries, struck = match.book.entries, match.fold.marks.struck
    notes: dict[int, tuple[str, ...]] = {}
    attached: set[int] = set()
    for seq, _, body in entries:
        about = body.args.get("about")
        if body.do != "note" or not isinstance(about, int) or not 1 <= about < seq:
            continue
        about_body = entries[about - 1].body
        target = about_body.args.get("target") if about_body.do in META_VERBS else about
        if isinstance(target, int) and 1 <= target < seq:
            attached.add(seq)
            if seq not in struck:
                notes[target] = (*notes.get(target, ()), str(body.args.get("text", "")))
    return notes, frozenset(attached)


def steps_of(match: Match, fold: Fold, viewer: str) -> Steps:
    """The steps of a match up to the point of `fold`, for one audience.

    Args:
        match: A match with the known entries; `match.as_known(seq)` for those known at an entry.
        fold: A fold of these entries, whole or up to some moment (`reports.at_point`).
        viewer: `host`, `public` or a player.
    """
    match = match.at(fold)
    builder = HostStepBuilder(match) if viewer == HOST_VIEWER else StepBuilder(match, viewer)
    builder.build()
    return Steps(match, viewer, builder.steps, builder.states)
