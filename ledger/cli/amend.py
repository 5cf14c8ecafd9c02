"""`amend`: an entry gets other words, or another time. The entry itself stays as it is."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from events.errors import Refused, Unreadable
from games.kinds import shown
from games.records import fields
from ledger.cli.answer import answer
from ledger.cli.app import App, entry_number
from ledger.cli.fix import match_when_typed, stays
from ledger.cli.options import WriteOptions
from ledger.cli.typed_words import typed_fields
from ledger.core.live import as_live
from ledger.core.match import Match
from ledger.record.amending import amended, check_amend
from ledger.record.recorder import correct


def do_amend(app: App, seq: str, words: tuple[str, ...], writing: WriteOptions) -> None:
    options = app.options(writing)
    match, target = app.match, entry_number(seq)
    values = dict(_pair(word) for word in words)
    time = values.pop("at", None)
    at = None if time is None else app.read_at(time)

    def read_in(current: Match) -> Any:
        words_of = _in_place(current, target, values)
        return amended(current, target, words_of, functools.partial(typed_fields, app), at)

    amend = read_in(match_when_typed(match, options.once))

    def check(current: Match) -> None:
        if read_in(current) != amend:
            what = f"entry {target} was corrected by another host meanwhile"
            raise Refused("amend.changed", what, f"hl show {target}")

    written = correct(match, amend, options, app.ask, check)
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
