"""The steps of a match for a terminal: all in a list, or one with its picture. Nothing in it moves a cursor."""

from __future__ import annotations

from games.kit.blocks import Strong, When
from ledger.core.times import show_clock, show_time
from ledger.render import text
from ledger.render.safe import PlainText
from ledger.render.text import wrapped
from ledger.tell.step import Step, Steps

INDENT = "      "


def listed(told: Steps, width: int | None) -> PlainText:
    """Every step, one after the other; `width`: of the terminal, None does not wrap."""
    return PlainText("\n".join(entries(told, width)))


def entries(told: Steps, width: int | None) -> list[PlainText]:
    """Of each step its lines, as `listed` has them."""
    return [PlainText("\n".join(_entry(told, step, width))) for step in told.steps if step.sentences]


def page(told: Steps, number: int, width: int | None) -> PlainText:
    """One step: where it stands, what happened, and the picture after it."""
    step = told.steps[number - 1]
    head, *rest = _lines(told, step)
    lines = [piece for line in (title(told, step), head) for piece in wrapped(line, width, "")]
    lines += ["", *(piece for line in rest for piece in wrapped(f"- {line.lstrip()}", width, "  "))] if rest else []
    return PlainText("\n".join([*lines, "", picture(told, number, width)]))


def title(told: Steps, step: Step) -> str:
    """`Episode 3 · step 21 of 62 · entry 22`."""
    name = told.match.table.title
    parts = [str(text.escape(name)).replace("\n", " "), f"step {step.number} of {len(told.steps)}"]
    return " · ".join([*parts, *([f"entry {step.entry.seq}"] if step.entry else [])])


def picture(told: Steps, number: int, width: int | None) -> PlainText:
    """The picture after a step: the text of a round where one is resolved, otherwise how the match stands."""
    return text.render(told.rounds(number) or told.report(number), told.match.zone, width)


def _entry(told: Steps, step: Step, width: int | None) -> list[str]:
    number = f"#{step.entry.seq}" if step.entry else "clock" if told.viewer == "host" else str(step.number)
    first, *rest = _lines(told, step)
    lines = wrapped(f"{number:<6}{first}", width, INDENT)
    return [*lines, *(piece for line in rest for piece in wrapped(INDENT + line, width, INDENT + "  "))]


def _lines(told: Steps, step: Step) -> list[str]:
    """When, who may know, what became of it; then what happened, and what hosts said of it."""
    zone, entry = told.match.zone, step.entry
    if not step.sentences:
        return ["how it stands"]
    head = [
        "time not told" if step.at is None else show_clock(step.at, zone, seconds=told.seconds),
        f"known to {text.escape(step.known_to)}",
    ]
    marks = [f"round {step.round.removeprefix('round_')} is resolved"] if step.round else []
    if entry is not None:
        head.append(f"recorded {show_clock(entry.recorded, zone)} by {entry.by}")
        marks = [*marks, *map(text.escape, entry.marks)]
    lines = [" · ".join([*head, *marks])]
    told_apart = step.known_to != "everybody" and not step.round
    if step.typed and told_apart and not step.sentences[0].text.endswith(step.typed):
        lines.append(f"  {text.escape(step.typed)}")
    for said in step.sentences:
        rule = f" [{said.rule}]" if said.rule else ""
        lines.append("".join(_word(span, zone) for span in said.spans) + rule)
    if entry is not None:
        for fix in entry.corrections:
            when = show_clock(fix.recorded, zone)
            lines.append(f"entry {fix.seq}, {when}, {fix.by}: {text.escape(fix.what)}")
        lines += [f"note: {text.escape(note)}" for note in entry.notes]
    return [line.replace("\n", " ") for line in lines]


def _word(span: object, zone: str) -> str:
    match span:
        case When():
            return show_time(span.at, zone)
        case Strong():
            return text.escape(span.text)
        case str():
            return text.escape(span)
        case _:
            return ""
