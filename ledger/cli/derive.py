"""Verbs made from action records: names, help, words and types all come from the record."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from events.disk import line_to_run
from events.errors import LedgerError, Refused, Unreadable
from games import registry
from games.contract import Game, Lookup, Spoken
from games.kinds import TEXT
from games.records import Field, fields, kebab, of_each
from ledger.cli.completion import Looking, field_words, of_field, players
from ledger.cli.verb import Decorator, ReadOptions, Verb, WriteOptions, bundled, read_options, write_options
from ledger.cli.verbs import SHARED
from ledger.core.logs import game_of
from ledger.core.outside import load

if TYPE_CHECKING:  # 0.6 bare interpreters of each Tab
    from ledger.cli.app import App


@functools.cache
def verb_of(cls: type, group: str = "", help: str = "", more: Decorator = lambda run: run, **about: Any) -> Verb:
    """The verb of an action record.

    Args:
        help: The help text, if not the docstring of the record.
        more: Adds an option to its fields and the options of every writing verb.
        about: Attributes of `Verb`.
    """
    own_as = next((field for field in fields(cls) if field.option == "--as" and not field.in_place), None)

    def run(app: App, writing: WriteOptions, **words: Any) -> None:
        if own_as is not None:
            words[own_as.name] = _own_as(app, own_as, words[own_as.name])
        _carry_out(app, cls, words, writing)

    params = _params(cls)
    in_place = " ".join(
        f"{param.metavar}: {text}" for param, text in params if text and not isinstance(param, click.Option)
    )
    text = "\n\n".join(part for part in (help or inspect.getdoc(cls) or "", in_place) if part)
    function = more(write_options()(click.pass_obj(bundled(run))))
    about = {"records": (kebab(cls),), "record": cls, "once": True, **about}
    fields_first = [param for param, _ in params]
    return click.command(kebab(cls), cls=Verb, group=group, help=text, params=fields_first, **about)(function)


def _carry_out(app: App, cls: type, words: Mapping[str, Any], writing: WriteOptions) -> None:
    from ledger.cli.carry_out import carry_out  # 0.8 bare interpreters of each Tab

    try:
        carry_out(app, cls, words, writing)
    except Refused as error:
        if writing.at and error.host_only and "hl " not in error.host_only:  # it is about a hand, not an entry
            error.host_only = f"at {writing.at}: {error.host_only}"
        name = kebab(cls)
        spoken = spoken_here(app, app.match.game).get(name) if error.code == f"table.no_{name}" else None
        if spoken is not None and app.match.table.round is not None:
            typed = [words[field.name] or () for field in fields(cls) if field.in_place]
            error.fix = in_full(spoken, *chain(*([word] if isinstance(word, str) else word for word in typed)))
        raise


def _own_as(app: App, field: Field, typed: Sequence[str]) -> str | None:
    """The value of the verb's own `--as`. A host's name there says who records instead. Source: docs/decisions/0020."""
    choices = field.kind.choices if field.kind else ()
    own = [word for word in typed if word.partition(":")[0].lower() in choices or word not in app.match.table.hosts]
    if own[1:]:
        raise Unreadable("command.usage", "option --as is given twice, and takes one value", "--as once")
    app.host_name = next((word for word in typed if word not in own), app.host_name)
    return own[0] if own else None


def _params(cls: type) -> list[tuple[click.Parameter, str]]:
    visible = [field for field in fields(cls) if not field.arg.hidden]
    places = [field for field in visible if field.in_place]
    return [(_param(cls, field, last=field in places[-1:]), field.arg.help) for field in visible]


def _param(cls: type, field: Field, *, last: bool) -> click.Parameter:
    arg, words = field.arg, get_args(field.base) if get_origin(field.base) is Literal else ()
    complete = functools.partial(of_field, cls, field)
    if field.in_place:
        many = field.many or field == of_each(cls)
        word = "|".join(words) or field.name.upper() + ("..." if many else "")
        is_text = last and field.base is str and not field.many and (arg.phrase or field.kind in (TEXT, None))
        return click.Argument(
            [field.name], required=field.required, nargs=-1 if many or arg.phrase or is_text else 1,
            metavar=word if field.required else f"[{word}]", shell_complete=complete,
        )  # fmt: skip
    names = [field.option, field.name]
    if field.bare:
        return click.Option(names, help=arg.help, count=arg.counted, is_flag=not arg.counted)
    value = "|".join(words) or (field.kind.name if field.kind else field.name.upper())
    several = field.many or field.option == "--as"  # the name of a host may be typed too
    return click.Option(
        names, help=arg.help, metavar=value, multiple=several, nargs=arg.words, shell_complete=complete,
    )  # fmt: skip


def game_here(app: App | Looking) -> Game | None:
    """The game of the match, if there is one. Only line 1 is read, because a help text must not fold the log."""
    try:
        return load(name) if app.has_match and (name := game_of(app.log())) else None
    except Unreadable:
        return None  # the verb itself will report an unknown game


def own_verbs(app: App | Looking, game: Game) -> list[tuple[str, str]]:
    """The verbs of a game and of the match file as they are typed, each with a line of help."""
    own = [(kebab(cls), (cls.__doc__ or "").strip().partition("\n")[0]) for cls in game.actions]
    for name, word in spoken_here(app, game).items():
        own.append((in_full(word).removeprefix("hl ") if taken(game, name) else name, word.help))
    return own + [(lookup.verb, lookup.help.partition("\n")[0]) for lookup in game.lookups]


def spoken_here(app: App | Looking, game: Game) -> Mapping[str, Spoken]:
    """The verbs that the match file defines; empty for an unreadable log, which the verb itself will report."""
    if game.written is None:
        return {}
    try:
        return game.written.spoken(app.match.fold.state)
    except LedgerError:
        return {}


def in_file(app: App, word: str) -> tuple[str, list[str]]:
    """The table of the match file with a row called `word` (or its plural), and the lines to type that accept it."""
    if (game := game_here(app)) is None or game.written is None:
        return "", []
    state, rows = app.match.fold.state, app.match.file_rows()
    name = next((each for each in (word, f"{word}s", word.removesuffix("s")) if each in rows), "")
    takes = [
        cls for cls in game.actions if any(name in (game.suggest(state, cls, f.name, {}) or ()) for f in fields(cls))
    ]
    return rows.get(name, ""), [f"hl {kebab(cls)} {name}" for cls in takes]


def taken(game: Game, name: str) -> bool:
    return name in SHARED or any(kebab(cls) == name for cls in game.actions)


def in_full(spoken: Spoken, *typed: str) -> str:
    """The long form of a verb that the match file defines: `hl do buy ann 3` for `hl buy ann 3`."""
    return line_to_run("hl", kebab(spoken.action), *spoken.first, *typed)


def game_verb(app: App | Looking, game: Game, name: str) -> Verb | None:
    wanted = game.synonyms.get(name, name)
    for cls in game.actions:
        if kebab(cls) == wanted:
            return verb_of(cls)
    if (spoken := spoken_here(app, game).get(name)) is not None:
        return verb_of_spoken(name, spoken)
    return next((verb_of_lookup(lookup) for lookup in game.lookups if lookup.verb == wanted), None)


def verb_of_spoken(name: str, spoken: Spoken) -> Verb:
    places = [field for field in fields(spoken.action) if field.in_place]
    usage = " ".join(["hl", name, *spoken.usage])

    def run(app: App, typed: Sequence[str], writing: WriteOptions, **values: Any) -> None:
        words = [*spoken.first, *typed]
        for field in places:
            if field.required and not (field.many or words):
                raise Unreadable("command.usage", f"{field.name.upper()} is missing", usage)
            values[field.name] = tuple(words) if field.many else words[0] if words else None
            words = [] if field.many else words[1:]
        _carry_out(app, spoken.action, values, writing)

    def complete(ctx: click.Context, param: click.Parameter, part: str) -> list[str]:
        words = [*spoken.first, *(ctx.params["typed"] or ())]
        place = places[min(len(words), len(places) - 1)]
        typed = {field.name: word for field, word in zip(places, words, strict=False)}
        typed |= {place.name: " ".join(words[len(places) - 1 :])} if len(words) >= len(places) else {}
        return field_words(ctx.obj.match, spoken.action, place, typed, part)

    words = click.Argument(["typed"], required=False, nargs=-1, metavar="[WORDS...]", shell_complete=complete)
    params = [words, *(param for param, _ in _params(spoken.action) if isinstance(param, click.Option))]
    function = write_options()(click.pass_obj(bundled(run)))
    words_of = "; ".join(f"{field.upper()}: {kind}" for field, kind in zip(spoken.fields, spoken.kinds, strict=True))
    help = f"{spoken.help}\n\n{usage}\n\n{words_of}"
    return click.command(name, cls=Verb, help=help, params=params, records=(kebab(spoken.action),))(function)


def verb_of_lookup(lookup: Lookup) -> Verb:
    @click.command(lookup.verb, cls=Verb, help=lookup.help, audience=lookup.audience)
    @click.argument("player", metavar="PLAYER", shell_complete=players)
    @read_options()
    @click.pass_obj
    @bundled
    def run(app: App, player: str, reading: ReadOptions) -> None:
        from ledger.cli.output import look_up  # 1.3 bare interpreters of each Tab

        look_up(app, lookup, player, reading)

    return run


def games_with(verb: str) -> dict[str, type]:
    """Built-in game -> its action with this name."""
    actions_of = {name: registry.load(name).actions for name in registry.names()}
    return {name: cls for name, actions in actions_of.items() for cls in actions if kebab(cls) == verb}
