"""Commands derived from action records: names, help, words and types come from the record and nowhere else."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from events.errors import Unreadable
from games.records import fields, kebab, plain
from ledger.cli.own_verbs import game_here, spoken_here
from ledger.cli.params import LOOKUP, Param, of_record
from ledger.cli.verb import Verb

if TYPE_CHECKING:
    from games.contract import Lookup, Spoken
    from ledger.cli.app import App
    from ledger.cli.command import Command
    from ledger.cli.options import ReadOptions, WriteOptions


@functools.cache
def command_of(row: Command, run: Callable[..., Any] | None) -> Verb:
    """The command of a shared verb; without a function of its own it records what its record says."""
    help = f"{row.help} {row.more}".strip()
    return Verb(row.name, help, row.takes, run) if run else command_for(row.record, help, row.takes)


@functools.cache
def command_for(cls: type, help: str = "", takes: tuple[Param, ...] = ()) -> Verb:
    """The command of an action record."""
    takes = takes or of_record(cls)

    def run(app: App, writing: WriteOptions, **words: Any) -> None:
        carry_out(app, cls, words, writing)

    in_place = " ".join(f"{param.typed}: {param.help}" for param in takes if param.help and not param.spelled)
    text = "\n\n".join(part for part in (help or inspect.getdoc(cls) or "", in_place) if part)
    return Verb(kebab(cls), text, takes, run, once=True)


def carry_out(app: App, cls: type, words: Mapping[str, Any], writing: WriteOptions) -> None:
    """Record the action of these words, and answer."""
    from games.table.actions import PREVIEWED
    from ledger.cli.answer import answer
    from ledger.cli.typed_words import typed_action
    from ledger.core.clock import now_ms
    from ledger.record.recorder import record_actions

    at = app.options(writing).at
    action = typed_action(app, cls, words, now_ms() if at is None else at)
    is_shown = False
    if cls in PREVIEWED and not writing.yes and not writing.dry_run:
        from ledger.cli.preview import preview

        is_shown = preview(app, action, writing)
        if not app.may_ask:
            return
        writing = writing._replace(early=True)  # the preview has told the host
    fix = f"look at it with -n, then add {'--early' if writing.yes else '--yes'}"
    written = record_actions(app.match, [action], app.options(writing), functools.partial(app.ask, fix=fix))
    answer(app, written._replace(shown=is_shown), writing)


# ---- the game's own ----------------------------------------------------------------------------------------------


def game_command(app: App, name: str) -> Verb | None:
    """The game's own verb of that name, or one of its synonyms."""
    game = game_here(app)
    if game is None:
        return None
    wanted = game.synonyms.get(name, name)
    for cls in game.actions:
        if kebab(cls) == wanted:
            return command_for(cls)
    if (spoken := spoken_here(app, game).get(name)) is not None:
        return spoken_for(name, spoken)
    return next((lookup_for(lookup) for lookup in game.lookups if lookup.verb == wanted), None)


def spoken_for(name: str, spoken: Spoken) -> Verb:
    """The command of a word that stands for an action with its first words filled in."""
    places = [field for field in fields(spoken.action) if field.in_place]
    options = tuple(param for param in of_record(spoken.action) if param.spelled)
    usage = " ".join(["hl", name, *spoken.usage])

    def run(app: App, typed: Sequence[str], writing: WriteOptions, **values: Any) -> None:
        words = [*spoken.first, *typed]
        for field in places:
            values[field.name] = tuple(words) if field.many else words[0] if words else None
            words = [] if field.many else words[1:]
            if field.required and values[field.name] is None:
                raise Unreadable("command.usage", f"{field.name.upper()} is missing", usage)
        carry_out(app, spoken.action, values, writing)

    takes = (Param("[WORDS...]", spoken.help, name="typed", many=True), *options)
    return Verb(name, f"{spoken.help}\n\n{usage}", takes, run)


def games_with(verb: str) -> dict[str, type]:
    """Built-in game -> its action of that name."""
    from games import registry

    actions_of = {name: registry.load(name).actions for name in registry.names()}
    return {name: cls for name, actions in actions_of.items() for cls in actions if kebab(cls) == verb}


def lookup_for(lookup: Lookup) -> Verb:
    """The command of a verb that only looks: what it prints is for hosts only."""

    def run(app: App, player: str, reading: ReadOptions) -> None:
        from events.audiences import HOST_VIEWER
        from ledger.cli.output import deliver, deliver_blocks, hosts_match
        from ledger.render.safe import json_text

        match = hosts_match(app, reading)
        state = match.fold.state
        view = lookup.view(state, match.table.directory().find(player))
        if reading.json:
            deliver(app, json_text(plain(view)), reading)
        else:
            deliver_blocks(app, lookup.report(match.frame(state, HOST_VIEWER), view), reading)

    return Verb(lookup.verb, lookup.help, LOOKUP, run)


def own_option(app: App, name: str, option: str, value: str) -> bool:
    """Is this global option (`--as`), where it stands after a verb, rather the verb's own?

    It is where the game's action has an option of that name that takes the value, or where nothing else would: a host
    is meant by the name of a host alone. Source: docs/decisions/0020-as-after-play.md.
    """
    game = game_here(app) if app.has_match else None
    cls = next((cls for cls in game.actions if kebab(cls) == name), None) if game else None
    field = next((f for f in fields(cls) if not f.in_place and f.option == option), None) if cls else None
    if field is None or field.kind is None:
        return False
    return value.partition(":")[0].lower() in field.kind.choices or value not in app.match.table.hosts
