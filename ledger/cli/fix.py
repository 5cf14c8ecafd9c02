"""Corrections: undo, redo, amend, confirm. Entries themselves are never changed; another entry says what counts."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from events.errors import Refused, Unreadable
from games.kinds import shown
from ledger.cli.answer import answer
from ledger.cli.app import App, entry_number
from ledger.cli.typed_words import typed_fields

if TYPE_CHECKING:
    from ledger.cli.options import WriteOptions
    from ledger.core.match import Match
    from ledger.record.plan import Options


def _as_read(match: Match, once: str | None) -> Match:
    """The match in which this command is read: a command typed again with its `--once` key means what it meant."""
    from ledger.record.once import recorded_under

    before = recorded_under(match, once)
    return match.as_known(before[0].seq - 1) if before else match


def do_undo(app: App, seq: str | None, writing: WriteOptions) -> None:
    from ledger.record.corrections import check_undo, last_of, undo
    from ledger.tell.listing import in_words

    options = app.options(writing)
    match = app.match
    then = _as_read(match, options.once)
    target = entry_number(seq) if seq is not None else last_of(then, options.by)
    check_undo(then, target)
    if then is match:
        struck = "; ".join(in_words(match, one) for one in match.fold.layout.batch(target))
        if not app.json:
            app.to_host(f"to undo: {struck}")
        if seq is None:
            _ask_if_meant(app, target, struck, options)
    written = undo(match, target, options, app.ask)
    answer(app, written, writing, effect=_stays(match, target))


def _stays(match: Match, target: int) -> str:
    """What is said of a correction that changes nothing, where one might think that it does."""
    published = match.book.entries[target - 1].body.do in ("commit", "word")
    return "it was published, and the deal goes by it all the same" if published else ""


def _ask_if_meant(app: App, target: int, struck: str, options: Options) -> None:
    """Is it the entry that is meant, which was not named?

    Raises:
        Unmet: nobody said so.
    """
    from ledger.core.clock import now_ms
    from ledger.record.corrections import why_ask

    reasons = why_ask(app.match, target, options.by, now_ms())
    if not reasons or options.yes or options.dry_run:
        return
    if not app.ask(f"undo would strike {struck}; {'; '.join(reasons)}", f"hl undo {target}"):
        from events.errors import Unmet

        raise Unmet("confirm.declined", "not confirmed: nothing was recorded", f"hl undo {target}")


def do_redo(app: App, seq: str | None, writing: WriteOptions) -> None:
    from ledger.record.corrections import check_redo, last_undo_of, redo

    options = app.options(writing)
    match = app.match
    then = _as_read(match, options.once)
    target = check_redo(then, entry_number(seq)) if seq is not None else last_undo_of(then, options.by)
    written = redo(match, target, options, app.ask)
    answer(app, written, writing)


def do_amend(app: App, seq: str, words: tuple[str, ...], writing: WriteOptions) -> None:
    from ledger.record.corrections import amended
    from ledger.record.recorder import correct

    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    fields = dict(_pair(word) for word in words)
    when = fields.pop("at", None)
    at = None if when is None else app.read_at(when)

    def read_in(m: Match) -> Any:
        return amended(m, target, _in_place(m, target, fields), functools.partial(typed_fields, app), at)

    entry = read_in(_as_read(match, options.once))

    def check(m: Match) -> None:
        if read_in(m) != entry:
            what = f"entry {target} was corrected by another host meanwhile"
            raise Refused("amend.changed", what, f"hl show {target}")

    written = correct(match, entry, options, app.ask, check)
    answer(app, written, writing, effect=_stays(match, target))


def _in_place(match: Match, target: int, typed: Mapping[str, str]) -> Mapping[str, str]:
    """`bribe=3` of a verb or sheet that the match file makes, as all the words it stands among; others as typed."""
    from games.records import fields
    from ledger.core.live import as_live
    from ledger.record.corrections import check_amend

    if match.game.written is None or not typed:
        return typed
    check_amend(match, target)
    live = as_live(match.book.entries[target - 1], match.fold.marks, match.fold.layout)
    for one in match.game.written.spoken(match.fold.state).values():
        places = [field.name for field in fields(one.action) if field.in_place]
        said = list(live.args.get(places[-1], ()) or ())
        first = tuple(live.args.get(name) for name in places[: len(one.first)])
        mine = match.engine.actions.get(live.do) is one.action and first == one.first and len(said) == len(one.fields)
        if mine and set(typed) <= set(one.fields) and not any("," in word for word in said):
            words = (typed.get(name, word) for name, word in zip(one.fields, said, strict=True))
            return {places[-1]: ",".join(words)}
    return typed


def _pair(word: str) -> tuple[str, str]:
    key, eq, value = word.partition("=")
    if not eq or not key:
        raise Unreadable("command.usage", f"{shown(word)} is not KEY=VALUE", "hl amend SEQ KEY=VALUE")
    return key, value


def do_confirm(app: App, seq: str, writing: WriteOptions) -> None:
    from ledger.record.corrections import confirm

    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    written = confirm(match, target, options, app.ask)
    do = match.book.entries[target - 1].body.do
    answer(app, written, writing, effect=f"{options.by} has checked entry {target} ({do})")
