"""One step of a match that is told step by step, and the picture after it.

Belongs here: the data of a step. Does not belong here: which steps there are (steps.py), how they look (renderers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events import write_instant
from events.instants import write_end
from events.record import NamedTuple
from games.contract import Result, View
from games.kit.blocks import Block, Span
from games.records import kebab
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import crowded
from ledger.render.safe import in_spans

_REMARKS = frozenset({kebab(shared.Note), kebab(shared.Ruling)})


class Sentence(NamedTuple):
    """One event in words; for the hosts with the numbered rule behind it."""

    spans: tuple[Span, ...]
    rule: str = ""

    @property
    def text(self) -> str:
        """The words alone, instants as the log writes them: for JSON and for searching."""
        return in_spans(self.spans, str, write_end)


class Correction(NamedTuple):
    """A later entry that has amended or undone this one."""

    seq: int
    by: str
    recorded: int
    what: str


class Recorded(NamedTuple):
    """An entry with its marks, corrections and remarks. Visible to hosts only."""

    seq: int
    do: str
    args: Mapping[str, Any]
    """As amended, in the order in which a host types them."""
    by: str
    recorded: int
    marks: tuple[str, ...]
    """As in the log: `late`, `contested`, `forced`, `undone by 39`, `amended by 47`, `confirmed by ben`."""
    corrections: tuple[Correction, ...]
    notes: tuple[str, ...]
    """Remarks of hosts about it."""
    evidence: str | None
    """The link to its message."""


class Step(NamedTuple):
    """One step of a match, as far as the audience may know it."""

    number: int
    """1, 2, 3 without gaps, whatever the audience may not know."""
    at: int | None
    """When it happened, ms. Never None for the hosts.

    None for other readers if an entry that they may not open caused it, because its time is a secret; and in the last
    step, which says how things stand.
    """
    known_to: str
    """Who may know: `everybody`, `Ann and Bob`, `the hosts`; for a player `everybody`, or `you` if part is theirs."""
    sentences: tuple[Sentence, ...]
    """Empty only in the step that says how things stand."""
    round: str = ""
    """The round that is resolved in this step, if any."""
    phase: str = ""
    """The phase that begins in this step, if any."""
    typed: str = ""
    """The entry as a host types it, `trade ann R2 bob B4`, where the audience may open it."""
    entry: Recorded | None = None
    """None for an end that the clock brought, and for all readers but the hosts."""

    @property
    def bookmark(self) -> bool:
        """Did a host leave a remark here?"""
        return self.entry is not None and bool(self.entry.notes or self.entry.do in _REMARKS)

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
    """The steps of one match for one audience, and the picture after each.

    Attributes:
        match, viewer: The match and the audience.
        steps: In the order in which they count; `steps[n - 1]` is step n. There is always at least one.
        seconds: Do times need seconds, because two of them are in the same minute?
    """

    def __init__(self, match: Match, viewer: str, steps: Sequence[Step], states: Sequence[Any]) -> None:
        self.match, self.viewer, self.steps = match, viewer, tuple(steps)
        self._states = tuple(states)
        self._drawn: dict[tuple[str, int], list[Block]] = {}
        self.seconds = crowded(step.at for step in self.steps if step.at is not None)

    def view(self, number: int) -> View:
        """The view of the audience after step `number`."""
        return self.match.game.view(self._states[number - 1], self.viewer)

    def result(self, number: int) -> Result:
        """The result after step `number`, as far as the audience may know."""
        return self.match.game.result(self._states[number - 1], self.viewer)

    def report(self, number: int) -> list[Block]:
        """The picture of the match after step `number`. Drawn once."""
        return self._draw("report", number)

    def board(self, number: int) -> list[Block]:
        """The board after step `number`. Drawn once."""
        return self._draw("board", number)

    def scores(self, number: int) -> list[Block]:
        """The ranking after step `number`. Drawn once."""
        return self._draw("scores", number)

    def rounds(self, number: int) -> list[Block]:
        """The text of the round that is resolved in step `number`; empty where none is, or none may be known."""
        name = self.steps[number - 1].round
        frame = self.match.frame(self._states[number - 1], self.viewer)
        return self.match.game.round_report(frame, self.view(number), name) if name else []

    def _draw(self, kind: str, number: int) -> list[Block]:
        key = (kind, number)
        if key not in self._drawn:
            frame = self.match.frame(self._states[number - 1], self.viewer)
            self._drawn[key] = getattr(self.match.game, kind)(frame, self.view(number), self.result(number))
        return self._drawn[key]
