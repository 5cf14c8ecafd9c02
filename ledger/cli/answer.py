"""What a write verb answers: the confirmation for the host on stderr, what to tell whom on stdout."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from events.errors import LedgerError
from games.records import plain, snake
from ledger.cli.app import App, unprinted
from ledger.render import discord
from ledger.render.safe import DiscordText, filled, joined, json_text
from ledger.render.text import unlisted
from ledger.tell import ends

if TYPE_CHECKING:
    from ledger.cli.options import WriteOptions
    from ledger.core.match import Match
    from ledger.core.replay import Outcome
    from ledger.record.plan import Written


def answer(app: App, written: Written, writing: WriteOptions, *, said: str = "") -> None:
    """Say what was recorded, what follows from it, and print the notices to send. `said`: for an entry without facts.

    Raises:
        Unprinted: recorded, but stdout or stderr took nothing.
    """
    try:
        _answer(app, written, said, dry=writing.dry_run)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError as error:
        if writing.dry_run:
            raise
        raise unprinted(error) from None


def _answer(app: App, written: Written, said: str, *, dry: bool) -> None:
    if app.json:
        app.out(json_text(as_json(app, written, dry=dry)))
        return
    _confirm(app, written, dry=dry, said=said or "it changes nothing in the match")
    told = "would go to" if dry else "to"
    if texts := [text for _, text in notices(app, written, told)]:
        app.out(joined(texts, "\n\n"))
    elif not written.repeated and _is_somebodys(app.match, written):
        app.to_host(f"  nobody {'would be' if dry else 'is'} sent anything")


def _is_somebodys(match: Match, written: Written) -> bool:
    """Is it about a player in particular, who may know it? Then a host may expect a text for that player."""
    for outcome in written.outcomes:
        live = outcome.live
        try:
            action = match.engine.read(live.do, live.args, written.after.table)
        except LedgerError:
            continue
        if outcome.facts and match.game.audience(written.after, action).players:
            return True
    return False


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
    drift = [one.as_json() for one in written.drift]
    return {**answer_, "contested": contested, "drift": drift, **({"dry_run": True} if dry else {})}


def contest(outcome: Outcome) -> dict[str, Any]:
    """A contested entry, for JSON."""
    refusal = outcome.refusal
    assert refusal is not None
    return {"seq": outcome.live.seq, "code": refusal.code, "what": refusal.what}


def contested_line(refusal: LedgerError) -> DiscordText:
    """What is said of an entry that is recorded although the rules refuse it."""
    what, code = discord.escape(refusal.what), discord.code(refusal.code)
    return filled("  contested, it changes nothing: {} [{}]", what, code)


def newly_line(outcome: Outcome, becomes: str = "is contested now") -> DiscordText:
    """What is said of an earlier entry that this makes contested."""
    assert outcome.refusal is not None
    seq, do, what = outcome.live.seq, discord.code(outcome.live.do), discord.escape(outcome.refusal.what)
    return filled("  entry {} ({}) {}: {}", seq, do, discord.code(becomes), what)


def _confirm(app: App, written: Written, *, dry: bool, said: str) -> None:
    match = app.match
    verb = "would record" if dry else "recorded before, nothing new:" if written.repeated else "recorded"
    first, last = written.seqs[0], written.seqs[-1]
    numbers = f"#{first}" if first == last else f"#{first} to #{last}"
    app.to_host(f"{verb} {numbers}" + ("" if dry else f" · receipt {written.head}"))
    for outcome in written.outcomes:
        for fact in () if written.shown else outcome.facts:
            reason = match.game.explain(written.after, fact)
            app.note(filled("  {} [{}]", discord.escape(reason.text), discord.code(reason.rule)))
        if outcome.refusal is not None:
            app.note(contested_line(outcome.refusal))
        for line in ends.lines(outcome.facts, written.after.table):
            app.to_host(f"  {line}")
    if written.passed:
        app.to_host(f"  placed before {written.passed} entr{'y' if written.passed == 1 else 'ies'} recorded earlier")
    if written.changes:
        for line in () if written.asked else written.changes:
            app.to_host(f"  now {line}")
    else:
        facts = [fact for outcome in written.outcomes for fact in outcome.facts]
        told = () if written.shown else match.game.tell(written.after, facts, "host").blocks
        for line in unlisted(told, match.zone):
            app.note(filled("  now {}", line))
    if not written.asked:
        tell_contested(app, written)
    if not (written.repeated or written.outcomes or written.changes):
        app.to_host(f"  {said}")
    elif len(written.outcomes) == 1 and not (written.outcomes[0].facts or written.outcomes[0].refusal):
        app.to_host("  no change: already in effect")
    if written.changes and (concerned := _concerned(match, written)):
        app.to_host(f"  what they may know has changed: {concerned}")
    for drift in () if written.asked else written.drift:
        app.to_host(f"  text {drift.item}, posted to {drift.channel}: {drift.what}; hl outbox has the correction")
    if written.asked and written.drift:
        app.to_host("  hl outbox has the correction" + ("s" if len(written.drift) > 1 else ""))
    for warning in written.warnings:
        app.to_host(f"  note: {warning}")


def tell_contested(app: App, written: Written) -> None:
    """Which earlier entries no longer apply because of this, and which apply again."""
    for outcome in written.newly:
        app.note(newly_line(outcome))
    for outcome in written.mended:
        app.to_host(f"  entry {outcome.live.seq} ({outcome.live.do}) is in effect now")


def _concerned(match: Match, written: Written) -> str:
    """Whose picture of the match is another one now, as the verbs that print it."""
    game, before, after = match.game, written.before, written.after
    others = [p for p in after.table.seats if game.view(before, p) != game.view(after, p)]
    everybody = game.view(before, "public") != game.view(after, "public")
    if everybody and len(others) == len(after.table.seats):
        return "hl reveal, hl summary --all"
    if others == list(after.table.seats):
        return "hl summary --all"
    return ", ".join([*(["hl reveal"] if everybody else []), *(f"hl summary {p}" for p in others)])


def notices(app: App, written: Written, to: str = "to") -> list[tuple[str, DiscordText]]:
    """(viewer, text) for each audience that these entries tell something new; the first line says to whom."""
    seats = written.after.table.seats
    told = []
    for item in sorted(written.news, key=lambda item: ("public", *seats).index(item.audience)):
        seat = seats.get(item.audience)
        where = f"{seat.name} {seat.channel}".strip() if seat else "everybody"
        told.append((item.audience, discord.labelled(f"{to} {where}", discord.render(item.blocks))))
    return told
