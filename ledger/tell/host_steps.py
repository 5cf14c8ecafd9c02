"""A match told step by step, for the hosts: every entry in the order in which it counts, with its place in the log.

Belongs here: steps of entries, with corrections and remarks, also of struck and contested ones. Does not belong here:
the order of steps, and what other readers may know (reader_steps.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from events import MAX_INSTANT, Entry
from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import Fact
from games.table.actions import META_VERBS
from ledger.core.layout import Place
from ledger.core.live import late_entries
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.tell.entry_words import as_typed, in_a_word, in_typed_order
from ledger.tell.listing import row
from ledger.tell.reader_steps import EVERYBODY, HOSTS, RESOLVE, StepBuilder, in_words
from ledger.tell.step import Correction, Recorded, Sentence, Step


class HostStepBuilder(StepBuilder):
    """Adds a step for every entry, with its place in the log. Meta entries belong to the step that they are about."""

    def __init__(self, match: Match) -> None:
        super().__init__(match, HOST_VIEWER)
        self.late = late_entries(self.entries, self.fold.layout)
        self.notes, self.attached = _notes(match)
        undone = (self.entries[seq - 1] for seq in self.fold.marks.struck if seq not in self.attached)
        live_verbs = (entry for entry in undone if entry.body.do not in META_VERBS)
        self.struck = sorted(live_verbs, key=self._point, reverse=True)
        """The entries that are undone, the first of them last."""

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
        live = outcome.live
        self._undone_before((live.at, self.fold.layout.place(live.seq)))
        if live.seq not in self.attached:
            self._entry(outcome, facts, live.at)

    def ended(self) -> None:
        self._passed_since()
        self._undone_before((MAX_INSTANT + 1 if self.fold.whole else self.fold.last + 1, (0, "")))

    def _entry(self, outcome: Outcome, facts: tuple[Fact, ...], at: int) -> None:
        live, refused = outcome.live, outcome.refusal
        sentences = self._explained(facts) or (Sentence(("no change: already in effect",)),)
        if refused is not None:
            parts = (refused.what, *([f"host only: {refused.host_only}"] if refused.host_only else []))
            sentences = (Sentence((f"contested, it changes nothing: {'; '.join(parts)}",), refused.code),)
        resolved = str(live.args.get("round", "")) if live.do == RESOLVE and refused is None else ""
        entry = self._recorded(live.seq, live.args, contested=refused is not None)
        typed = as_typed(self.match, live.do, live.args)
        known_to = in_words(self._audience(live.seq), self.state.table.named)
        self.add(Step(0, at, known_to, sentences, resolved, self._phase(facts), typed, entry))

    def _explained(self, facts: Iterable[Fact]) -> tuple[Sentence, ...]:
        reasons = (self.game.explain(self.state, fact) for fact in facts)
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
        """Add the struck entries that have their place before that point."""
        while self.struck and self._point(self.struck[-1]) < point:
            entry = self.struck.pop()
            body = entry.body
            typed = as_typed(self.match, body.do, body.args)
            sentence = Sentence(("undone, it changes nothing: ", typed))
            known_to = in_words(self.opens[entry.seq], self.state.table.named)
            self.add(Step(0, body.at, known_to, (sentence,), typed=typed, entry=self._recorded(entry.seq, body.args)))


def _notes(match: Match) -> tuple[dict[int, tuple[str, ...]], frozenset[int]]:
    """The remarks about each entry, and the numbers of the entries that are such remarks.

    A remark about an amend or undo belongs to the entry that this changed.
    """
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
