"""What a write verb answers: the confirmation for the host on stderr, what to tell whom on stdout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.records import plain, snake
from ledger.cli.app import App
from ledger.render import render

if TYPE_CHECKING:
    from ledger.recorder import Written
    from ledger.replay import Outcome


def answer(app: App, written: Written, options: Mapping[str, Any]) -> None:
    """Say what was recorded, what follows from it, and print the notices to send.

    Raises:
        Unprinted: recorded, but stdout took nothing.
    """
    if options["as_json"]:
        app.out_recorded(json.dumps(as_json(app, written, dry=options["dry_run"]), ensure_ascii=False))
        return
    _confirm(app, written, dry=options["dry_run"])
    texts = [text for viewer, text in notices(app, written) if viewer and text]
    if texts:
        app.out_recorded("\n\n".join(texts))


def as_json(app: App, written: Written, *, dry: bool) -> dict[str, Any]:
    """Source: design section 8, JSON of write verbs."""
    explain, state = app.match.game.explain, written.after
    facts = [
        {**plain(fact), "fact": snake(type(fact)), "seq": outcome.live.seq, "text": explain(state, fact).text}
        for outcome in written.outcomes
        for fact in outcome.facts
    ]
    contested = [contest(outcome) for outcome in written.contested]
    answer_: dict[str, Any] = {"ok": True, "seq": [] if dry else list(written.seqs), "facts": facts}
    return {**answer_, "contested": contested, "drift": [], **({"dry_run": True} if dry else {})}


def contest(outcome: Outcome) -> dict[str, Any]:
    """A contested entry, for JSON."""
    refusal = outcome.refusal
    assert refusal is not None
    return {"seq": outcome.live.seq, "code": refusal.code, "what": refusal.what}


def _confirm(app: App, written: Written, *, dry: bool) -> None:
    match = app.match
    verb = "would record" if dry else "recorded before, nothing new:" if written.repeated else "recorded"
    first, last = written.seqs[0], written.seqs[-1]
    numbers = f"#{first}" if first == last else f"#{first} to #{last}"
    app.note(f"{verb} {numbers}" + ("" if dry else f" · receipt {written.head}"))
    for outcome in written.outcomes:
        for fact in outcome.facts:
            reason = match.game.explain(written.after, fact)
            app.note(f"  {reason.text} [{reason.rule}]")
        if outcome.refusal is not None:
            app.note(f"  contested, it changes nothing: {outcome.refusal.what} [{outcome.refusal.code}]")
    if written.passed:
        app.note(f"  placed before {written.passed} entr{'y' if written.passed == 1 else 'ies'} recorded earlier")
    if written.changes:
        for line in written.changes:
            app.note(f"  now {line}")
    else:
        facts = [fact for outcome in written.outcomes for fact in outcome.facts]
        for line in render(match.game.tell(written.after, facts, "host"), "text", match.zone).splitlines():
            app.note(f"  now {line.removeprefix('- ')}")
    for outcome in written.newly:
        assert outcome.refusal is not None
        app.note(f"  entry {outcome.live.seq} ({outcome.live.do}) is contested now: {outcome.refusal.what}")
    for warning in written.warnings:
        app.note(f"  note: {warning}")


def notices(app: App, written: Written) -> list[tuple[str, str]]:
    """(viewer, text) for each audience that these entries have something to tell."""
    from ledger.render import discord
    from ledger.render.text import escape

    match, state = app.match, written.after
    facts = [fact for outcome in written.outcomes for fact in outcome.facts]
    told = []
    for viewer in ("public", *state.table.seats) if facts else ():
        blocks = match.game.tell(state, facts, viewer)
        if blocks:
            seat = state.table.seats.get(viewer)
            where = escape(f"{seat.name} {seat.channel}".strip() if seat else "everybody")
            told.append((viewer, f"--- to {where}\n{discord.render(blocks)}"))
    return told
