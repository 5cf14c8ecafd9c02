"""Corrections: undo, redo, confirm. Entries themselves are never changed; another entry says what counts."""

from __future__ import annotations

from events.errors import Unmet
from ledger.cli.answer import answer
from ledger.cli.app import App, entry_number
from ledger.cli.options import WriteOptions
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.record.corrections import check_redo, check_undo, confirm, last_of, last_undo_of, redo, undo, why_ask
from ledger.record.plan import Options
from ledger.tell.entry_words import in_words


def match_when_typed(match: Match, once: str | None) -> Match:
    """The match in which this command is read: a command typed again with its `--once` key means what it meant."""
    from ledger.record.once import recorded_under

    before = recorded_under(match, once)
    return match.as_known(before[0].seq - 1) if before else match


def do_undo(app: App, seq: str | None, writing: WriteOptions) -> None:
    options = app.options(writing)
    match = app.match
    earlier = match_when_typed(match, options.once)
    target = entry_number(seq) if seq is not None else last_of(earlier, options.by)
    check_undo(earlier, target)
    if earlier is match:
        struck = "; ".join(in_words(match, entry) for entry in match.fold.layout.batch(target))
        if not app.json:
            app.to_host(f"to undo: {struck}")
        if seq is None:
            _ask_whether_meant(app, target, struck, options)
    written = undo(match, target, options, app.ask)
    answer(app, written, writing, effect=stays(match, target))


def stays(match: Match, target: int) -> str:
    """What is said of a correction that changes nothing, where one might think that it does."""
    published = match.book.entries[target - 1].body.do in ("commit", "word")
    return "it was published, and the deal goes by it all the same" if published else ""


def _ask_whether_meant(app: App, target: int, struck: str, options: Options) -> None:
    """Ask before an entry is undone that the host did not name, where another may be meant."""
    reasons = why_ask(app.match, target, options.by, now_ms())
    if not reasons or options.yes or options.dry_run:
        return
    if not app.ask(f"undo would strike {struck}; {'; '.join(reasons)}", f"hl undo {target}"):
        raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"hl undo {target}")


def do_redo(app: App, seq: str | None, writing: WriteOptions) -> None:
    options = app.options(writing)
    match = app.match
    earlier = match_when_typed(match, options.once)
    target = check_redo(earlier, entry_number(seq)) if seq is not None else last_undo_of(earlier, options.by)
    answer(app, redo(match, target, options, app.ask), writing)


def do_confirm(app: App, seq: str, writing: WriteOptions) -> None:
    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    written = confirm(match, target, options, app.ask)
    do = match.book.entries[target - 1].body.do
    answer(app, written, writing, effect=f"{options.by} has checked entry {target} ({do})")
