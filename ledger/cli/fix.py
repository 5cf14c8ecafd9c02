"""Corrections: undo, redo, confirm. Entries themselves are never changed; another entry says what counts."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import click

from events.errors import Refused, Unmet, Unreadable
from games.kinds import shown
from games.records import fields
from ledger.cli.answer import answer
from ledger.cli.app import App, WriteOptions, entry_number
from ledger.cli.completion import amendable, amended_fields, live, of_another_host, undone
from ledger.cli.typed_words import typed_fields
from ledger.cli.verb import about_options, verb
from ledger.core.clock import now_ms
from ledger.core.live import as_live
from ledger.core.match import Match
from ledger.record.amending import amended, check_amend
from ledger.record.corrections import check_redo, check_undo, confirm, last_of, last_undo_of, redo, undo, why_ask
from ledger.record.once import recorded_under
from ledger.record.plan import Options
from ledger.record.recorder import correct
from ledger.tell.entry_words import in_words


def match_when_typed(match: Match, once: str | None) -> Match:
    """The match in which this command is read: a command typed again with its `--once` key means what it meant."""

    before = recorded_under(match, once)
    return match.as_known(before[0].seq - 1) if before else match


@verb("undo", "fix", records=("undo",))
@click.argument("seq", required=False, metavar="[SEQ]", shell_complete=live)
@about_options
def undo_entry(app: App, seq: str | None, writing: WriteOptions) -> None:
    """Cancel an entry; it stays in the log.

    And all that its command recorded; without SEQ the last one you recorded.
    """
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


@verb("redo", "fix", records=("redo",))
@click.argument("seq", required=False, metavar="[SEQ]", shell_complete=undone)
@about_options
def redo_entry(app: App, seq: str | None, writing: WriteOptions) -> None:
    """Take an undo back.

    SEQ is the undo or the entry it struck; without it your last.
    """
    options = app.options(writing)
    match = app.match
    earlier = match_when_typed(match, options.once)
    target = check_redo(earlier, entry_number(seq)) if seq is not None else last_undo_of(earlier, options.by)
    answer(app, redo(match, target, options, app.ask), writing)


@verb("confirm", "fix", records=("confirm",))
@click.argument("seq", metavar="SEQ", shell_complete=of_another_host)
@about_options
def confirm_entry(app: App, seq: str, writing: WriteOptions) -> None:
    """Record that another host has checked an entry."""
    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    written = confirm(match, target, options, app.ask)
    do = match.book.entries[target - 1].body.do
    answer(app, written, writing, effect=f"{options.by} has checked entry {target} ({do})")


@verb("amend", "fix", records=("amend",))
@click.argument("seq", metavar="SEQ", shell_complete=amendable)
@click.argument("words", metavar="KEY=VALUE...", nargs=-1, required=True, shell_complete=amended_fields)
@about_options
def amend(app: App, seq: str, words: tuple[str, ...], writing: WriteOptions) -> None:
    """Correct an entry.

    Its fields, or at=TIME. The entry itself stays as it is.
    """
    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    values = dict(_pair(word) for word in words)
    time = values.pop("at", None)
    at = None if time is None else app.read_at(time)

    def read_in(current: Match) -> Any:
        words_of = _in_place(current, target, values)
        return amended(current, target, words_of, functools.partial(typed_fields, app), at)

    correction = read_in(match_when_typed(match, options.once))

    def check(current: Match) -> None:
        if read_in(current) != correction:
            what = f"entry {target} was corrected by another host meanwhile"
            raise Refused("amend.changed", what, f"hl show {target}")

    written = correct(match, correction, options, app.ask, check)
    answer(app, written, writing, effect=stays(match, target))


def _in_place(match: Match, target: int, typed: Mapping[str, str]) -> Mapping[str, str]:
    """`bribe=3` of a verb or sheet that the match file makes, as all the words it stands among; others as typed."""
    if match.game.written is None or not typed:
        return typed
    check_amend(match, target)
    live = as_live(match.book.entries[target - 1], match.fold.marks, match.fold.layout)
    for spoken in match.game.written.spoken(match.fold.state).values():
        places = [field.name for field in fields(spoken.action) if field.in_place]
        words = list(live.args.get(places[-1], ()) or ())
        first = tuple(live.args.get(name) for name in places[: len(spoken.first)])
        is_same_verb = match.engine.actions.get(live.do) is spoken.action and first == spoken.first
        if not is_same_verb or len(words) != len(spoken.fields) or any("," in word for word in words):
            continue
        if set(typed) <= set(spoken.fields):
            amended_words = (typed.get(name, word) for name, word in zip(spoken.fields, words, strict=True))
            return {places[-1]: ",".join(amended_words)}
    return typed


def _pair(word: str) -> tuple[str, str]:
    key, eq, value = word.partition("=")
    if not eq or not key:
        raise Unreadable("command.usage", f"{shown(word)} is not KEY=VALUE", "hl amend SEQ KEY=VALUE")
    return key, value
