"""One entry in full: its fields, times, evidence, the facts that follow from it, its hash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.record import NamedTuple
from games.records import plain, snake
from ledger.core.live import late_entries
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.core.times import show_time
from ledger.render.safe import PlainText, plain_text
from ledger.tell.entry_words import by_name, in_a_word
from ledger.tell.listing import Row, row


def outcome_of(match: Match, seq: int) -> Outcome | None:
    """The outcome of folding that entry; None if it is not live."""
    return next((o for o in match.fold.outcomes if o.live.seq == seq), None)


class Detail(NamedTuple):
    """One entry in full."""

    row: Row
    hash: str
    evidence: str | None
    facts: tuple[tuple[Mapping[str, Any], str, str], ...]
    """(as JSON, words, rule) of each fact."""
    refusal: str | None

    def text(self, zone: str) -> PlainText:
        """For a terminal."""
        row = self.row
        lines = [f"entry {row.seq} · {row.do} · recorded by {row.by}"]
        for key, value in row.args.items():
            if isinstance(value, dict):
                lines += [f"  {key}:", *(f"    {name}: {in_a_word(item)}" for name, item in value.items())]
            elif value != []:
                lines.append(f"  {key}: {in_a_word(value)}".replace("\n", "\n    "))
        lines += [f"  counts at {show_time(row.at, zone)}, recorded {show_time(row.recorded, zone)}"]
        if row.first is not None:
            at, args = row.first
            lines += [f"  before it was amended: {by_name(args)}; counted at {show_time(at, zone)}"]
        lines += [f"  evidence: {self.evidence}"] if self.evidence else []
        lines += [f"  {mark}" for mark in row.marks]
        lines += [f"  -> {sentence} [{rule}]" for _, sentence, rule in self.facts]
        lines += [f"  contested: {self.refusal}"] if self.refusal else []
        return plain_text("\n".join([*lines, f"  hash {self.hash}"]))

    def as_json(self) -> dict[str, Any]:
        facts = [{**fact, "text": sentence, "rule": rule} for fact, sentence, rule in self.facts]
        row = self.row.as_json()
        return {**row, "hash": self.hash, "evidence": self.evidence, "facts": facts, "contested": self.refusal}


def detail(match: Match, seq: int) -> Detail:
    """One entry in full.

    Raises:
        Unreadable: `entry.unknown`.
    """
    match.check_entry(seq)
    entry = match.book.entries[seq - 1]
    outcome = outcome_of(match, seq)
    reasons = [(fact, match.game.explain(match.fold.state, fact)) for fact in (outcome.facts if outcome else ())]
    facts = tuple(({**plain(fact), "fact": snake(type(fact))}, reason.text, reason.rule) for fact, reason in reasons)
    refusal = outcome.refusal.what if outcome and outcome.refusal else None
    late = seq in late_entries(match.book.entries, match.fold.layout)
    entry_row = row(match, entry, late=late, contested=refusal is not None)
    return Detail(entry_row, entry.hash, entry.body.evidence, facts, refusal)
