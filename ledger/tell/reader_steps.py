"""A match told step by step, for readers who are no hosts: what they were told or may open, and nothing of the rest.

Not its number, its time, or that something happened: their steps have their own numbers, and pictures are made from
their view at that step. Belongs here: going through a fold, and these steps. Does not belong here: steps for the hosts
(host_steps.py). Source: docs/log-format.md and docs/reliability.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.audiences import PUBLIC_VIEWER, Audience
from games.contract import Fact, Moment
from games.records import kebab, plain
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.actions import AmendSetting
from games.table.rounds import RoundOpened
from games.table.settings import in_words as as_words
from ledger.core.live import BEFORE_ALL, Live
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.tell.entry_words import as_typed
from ledger.tell.redact import audiences
from ledger.tell.step import Sentence, Step

BEGINNINGS = (table_facts.PhaseBegan, table_facts.Reopened, RoundOpened)
RESOLVE = kebab(shared.Resolve)
EVERYBODY, YOU, HOSTS = "everybody", "you", "the hosts"


class StepBuilder:
    """Goes through a fold, state by state, and makes the steps of what one audience (not the hosts) may know."""

    def __init__(self, match: Match, viewer: str) -> None:
        self.match, self.fold, self.viewer, self.game = match, match.fold, viewer, match.game
        self.entries = match.book.entries
        self.state = match.engine.start(self.entries[0].body, match.book.game_id)
        self.opens = audiences(self.match)
        self.steps: list[Step] = []
        self.states: list[Any] = []
        self._batch = 0
        """The batch of the last step."""

    def build(self) -> None:
        """Add all steps, in the order in which the entries count."""
        self.created(self.entries[0].body.at)
        setup = sum(outcome.live.at == BEFORE_ALL for outcome in self.fold.outcomes)
        for outcome in self.fold.outcomes[:setup]:
            self.state = self.match.engine.apply(self.state, outcome.facts)
            self.seated(outcome)
        for outcome in self.fold.outcomes[setup:]:
            timed_facts = list(zip(outcome.times[: outcome.passed], outcome.facts, strict=False))
            for at in dict.fromkeys(time for time, _ in timed_facts):  # the ends that the clock brought before it
                facts = tuple(fact for time, fact in timed_facts if time == at)
                self.state = self.match.engine.apply(self.state, facts)
                self.passed(at, facts)
            facts = outcome.facts[outcome.passed :]
            self.state = self.match.engine.apply(self.state, facts)
            self.happened(outcome, facts)
        self.ended()

    def add(self, step: Step) -> None:
        """Add a step, with the present state."""
        self.steps.append(step._replace(number=len(self.steps) + 1))
        self.states.append(self.state)

    def created(self, at: int) -> None:
        """Line 1. Everybody may open it."""
        table = self.state.table
        kind = "" if table.title == self.game.title else f", a match of {self.game.title}"
        sentence = f"{table.title} is made{kind}: {table.named(table.players)}."
        self.add(Step(0, at, EVERYBODY, (Sentence((sentence,)),), phase=self._phase(())))

    def seated(self, outcome: Outcome) -> None:
        """An entry of `new`: what players brought is seen in the picture of the first step."""
        self.states[0] = self.state

    def passed(self, at: int, facts: tuple[Fact, ...]) -> None:
        """An end that the clock brought."""
        self._add_told(Step(0, at, "", ()), facts, 0)

    def happened(self, outcome: Outcome, facts: tuple[Fact, ...]) -> None:
        """An entry."""
        live = outcome.live
        resolved = str(live.args.get("round", "")) if live.do == RESOLVE and outcome.refusal is None else ""
        batch = self.entries[live.seq - 1].body.batch or 0
        audience = self._opened(outcome)
        typed = as_typed(self.match, live.do, live.args) if audience else ""
        known_to = "" if audience is None else EVERYBODY if audience.everybody or audience.after_end else YOU
        step = Step(0, live.at if audience else None, known_to, (), resolved, typed=typed)
        if not self._add_told(step, facts, batch) and audience:
            self.add(step._replace(sentences=(Sentence((_sentence_of_unsent(live, typed, known_to),)),)))

    def ended(self) -> None:
        """The ends that the clock brought after the last entry, and the step that says how things stand."""
        self._passed_since()
        self.add(Step(0, None, EVERYBODY if self.viewer == PUBLIC_VIEWER else YOU, ()))

    def _passed_since(self) -> None:
        """The ends that the clock brings between the last entry and the moment of the fold (`--as-of TIME`)."""
        while (end := self.game.due(self.state)) is not None and end <= self.fold.last:
            self.state, facts = self.match.engine.pass_time(self.state, Moment(end, len(self.entries)))
            self.passed(end, tuple(fact for _, fact in facts))

    def _add_told(self, step: Step, facts: tuple[Fact, ...], batch: int) -> bool:
        """Add the step if the audience is told anything of these facts; the facts of one batch share a step."""
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
        """The phase that the audience sees, if these facts began it and the last step was in another."""
        if self.steps and not any(isinstance(fact, BEGINNINGS) for fact in facts):
            return ""
        phase = str(plain(self.game.view(self.state, self.viewer)).get("phase", ""))
        return phase if phase != next((step.phase for step in reversed(self.steps) if step.phase), "") else ""

    def _opened(self, outcome: Outcome) -> Audience | None:
        """Who may open the entry as it counts now, if this audience is among them; otherwise None."""
        audience = self._audience(outcome.live.seq)
        if outcome.refusal is not None:
            return None
        return audience if audience.admits(self.viewer, ended=self.fold.state.table.status == "finished") else None

    def _audience(self, seq: int) -> Audience:
        """Who may open the line that an entry counts by: its own, or that of its last amend."""
        amends = self.fold.marks.amended.get(seq, ())
        return self.opens[amends[-1].seq if amends else seq]


def _sentence_of_unsent(live: Live, typed: str, known_to: str) -> str:
    """The sentence of an entry about which no text was sent, for readers who may open it.

    The public reads what the entry does, others the command as a host types it.
    """
    if known_to != EVERYBODY:
        return f"recorded: {typed}"
    if live.do == kebab(AmendSetting):
        return f"The setting {live.args.get('key')} is now {as_words(live.args.get('value'))}."
    return f"Recorded by the hosts: {live.do.replace('-', ' ')}."


def in_words(audience: Audience, names_of: Callable[[tuple[str, ...]], str]) -> str:
    """Who may see something, in words: `everybody`, `Ann and Bob`, `the hosts`, `everybody after the end`."""
    if audience.everybody:
        return EVERYBODY
    parts = [names_of(audience.players)] if audience.players else []
    parts += [f"{EVERYBODY} after the end"] if audience.after_end else []
    return ", ".join(parts) or HOSTS
