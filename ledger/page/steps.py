"""The steps of a match as text, for a terminal or a file."""

from __future__ import annotations

from ledger.core.times import show_clock
from ledger.render import text
from ledger.render.safe import PlainText
from ledger.render.text import wrapped
from ledger.tell.step import Step, Steps

INDENT = "      "


def entries(steps: Steps, width: int | None) -> list[PlainText]:
    """Every step, one after the other; `width`: of the terminal, None does not wrap."""
    return [PlainText("\n".join(_entry(steps, step, width))) for step in steps.steps if step.sentences]


def _entry(steps: Steps, step: Step, width: int | None) -> list[str]:
    number = f"#{step.entry.seq}" if step.entry else "clock" if steps.viewer == "host" else str(step.number)
    head, *details = _lines(steps, step)
    lines = wrapped(f"{number:<6}{head}", width, INDENT)
    return [*lines, *(piece for line in details for piece in wrapped(INDENT + line, width, INDENT + "  "))]


def _lines(steps: Steps, step: Step) -> list[str]:
    """First time, readers and marks of a step; then its sentences, corrections, and the remarks of hosts."""
    zone, entry = steps.match.zone, step.entry
    if not step.sentences:
        return ["how it stands"]
    head = [
        "time not told" if step.at is None else show_clock(step.at, zone, seconds=steps.seconds),
        f"known to {text.escape(step.known_to)}",
    ]
    marks = [f"round {step.round.removeprefix('round_')} is resolved"] if step.round else []
    if entry is not None:
        head.append(f"recorded {show_clock(entry.recorded, zone)} by {entry.by}")
        marks = [*marks, *map(text.escape, entry.marks)]
    lines = [" · ".join([*head, *marks])]
    is_private = step.known_to != "everybody" and not step.round
    if step.typed and is_private and not step.sentences[0].text.endswith(step.typed):
        lines.append(f"  {text.escape(step.typed)}")
    for sentence in step.sentences:
        rule = f" [{sentence.rule}]" if sentence.rule else ""
        lines.append(text.sentence(sentence.spans, zone) + rule)
    if entry is not None:
        for fix in entry.corrections:
            when = show_clock(fix.recorded, zone)
            lines.append(f"entry {fix.seq}, {when}, {fix.by}: {text.escape(fix.what)}")
        lines += [f"note: {text.escape(note)}" for note in entry.notes]
    return [line.replace("\n", " ") for line in lines]
