"""Commands derived from action records: names, help, words and types come from the record and nowhere else."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, Literal, get_args, get_origin

import click

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from games.contract import Lookup, Spoken
from games.kinds import PLAYER, ParseContext, digits, nearest, shown
from games.records import Field, fields, kebab
from games.table import actions as shared
from ledger.cli.answer import answer
from ledger.cli.app import VALUE_MARK, App
from ledger.cli.command import Command
from ledger.cli.options import BUNDLES, ReadOptions, WriteOptions, bundled
from ledger.cli.output import check_format, deliver, deliver_blocks, hosts_match
from ledger.cli.own_verbs import game_here, spoken_here
from ledger.cli.params import LOOKUP, Param, of_record


class Verb(click.Command):
    """A command made from the table. Its words like -2 are values; every value reaches `run` as typed."""

    def __init__(
        self, name: str, help: str, takes: Iterable[Param], run: Callable[..., Any], *, once: bool = False
    ) -> None:
        """Args:
        once: Is an option that is typed twice refused? Where something is recorded, neither value may vanish.
        """
        takes, self.once = tuple(takes), once
        super().__init__(
            name, params=[_click(one) for one in takes], callback=click.pass_obj(_with_bundles(takes, run)), help=help
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self._no_option_is_a_value(ctx, args)
        if self.once:
            self._no_option_twice(ctx, args)
        rest = super().parse_args(ctx, args)
        ctx.params = {name: _unmark(value) for name, value in ctx.params.items()}
        return rest

    def _no_option_is_a_value(self, ctx: click.Context, args: Sequence[str]) -> None:
        """`--once -n` has forgotten its key: taken for one, `-n` would be no dry run, and the entry would be recorded.

        Raises:
            Unreadable: `command.usage`.
        """
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        spelled = {word for option in options for word in (*option.opts, *option.secondary_opts)}
        taking = {word: option for option in options if not (option.is_flag or option.count) for word in option.opts}
        for word, after in pairwise(takewhile(lambda word: word != "--", args)):
            if word in taking and after in spelled:
                value = taking[word].make_metavar(ctx)
                so = f"; {word}={after}, if that is the value" if word.startswith("--") else ""
                what = f"option {word} needs a value, and {after} is an option"
                raise Unreadable("command.usage", what, f"{word} {value} {after}{so}")

    def _no_option_twice(self, ctx: click.Context, args: Sequence[str]) -> None:
        """Of two values for one option the first would vanish without a word.

        Raises:
            Unreadable: `command.usage`.
        """
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        single = [
            one for one in order if isinstance(one, click.Option) and not (one.is_flag or one.count or one.multiple)
        ]
        for option in single:
            if single.count(option) > 1:
                word = max(option.opts, key=len)
                raise Unreadable("command.usage", f"option {word} is given twice, and takes one value", f"{word} once")


def _with_bundles(takes: Sequence[Param], run: Callable[..., Any]) -> Callable[..., Any]:
    """`run`, with what shared options say as the records `reading` and `writing`."""
    names = bundled(takes)

    def call(app: App, **given: Any) -> Any:
        bundles = {name: BUNDLES[name](**{one: given.pop(one) for one in own}) for name, own in names.items()}
        if bundles:
            app.json = any(bundle.json for bundle in bundles.values())
        return run(app, **given, **bundles)

    return call


def _unmark(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(VALUE_MARK)
    return tuple(_unmark(item) for item in value) if isinstance(value, tuple) else value


def _click(one: Param) -> click.Parameter:
    """A word or an option of the table, as click knows it."""
    if not one.spelled:
        many = one.many or one.text
        return click.Argument([one.name], required=one.required, nargs=-1 if many else 1, metavar=one.typed)
    names = [*one.spelled, one.name]
    if not one.metavar:
        return click.Option(names, help=one.help, count=one.count, is_flag=not one.count)
    made = click.Option(
        names, help=one.help, metavar=one.metavar, required=one.required, multiple=one.many, nargs=one.words
    )
    if one.name == "fmt":
        made.default = one.default
        made.callback = lambda ctx, param, value: check_format(value, one.metavar.split("|"))
    return made


@functools.cache
def command_of(row: Command, run: Callable[..., Any] | None) -> Verb:
    """The command of a shared verb; without a function of its own it records what its record says."""
    help = f"{row.help} {row.more}".strip()
    return Verb(row.name, help, row.takes, run) if run else command_for(row.record, help, row.takes)


@functools.cache
def command_for(cls: type, help: str = "", takes: tuple[Param, ...] = ()) -> Verb:
    """The command of an action record."""
    takes = takes or of_record(cls)

    def run(app: App, writing: WriteOptions, **given: Any) -> None:
        carry_out(app, cls, given, writing)

    where = " ".join(f"{one.typed}: {one.help}" for one in takes if one.help and not one.spelled)
    text = "\n\n".join(part for part in (help or inspect.getdoc(cls) or "", where) if part)
    return Verb(kebab(cls), text, takes, run, once=True)


def carry_out(app: App, cls: type, given: Mapping[str, Any], writing: WriteOptions) -> None:
    """Record the action of these words, and answer."""
    from ledger.core.clock import now_ms
    from ledger.record.recorder import record_actions

    at = app.options(writing).at
    action = typed_action(app, cls, given, now_ms() if at is None else at)
    shown = False
    if cls in shared.PREVIEWED and not writing.yes and not writing.dry_run:
        shown = preview(app, action, writing)
        if not app.may_ask:
            return
        writing = writing._replace(early=True)  # the preview has said it
    fix = "look at it with -n, then add --early" if writing.yes else "look at it with -n, then add --yes"
    written = record_actions(app.match, [action], app.options(writing), functools.partial(app.ask, fix=fix))
    answer(app, written._replace(shown=shown), writing)


def preview(app: App, action: Any, writing: WriteOptions) -> bool:
    """Show what an action would come to and who is still missing; on a terminal ask whether to record it.

    Returns whether what is recorded comes out the same: nothing was drawn.

    Raises:
        Unmet: the host said no.
    """
    from events.errors import Unmet
    from ledger.record.recorder import record_actions
    from ledger.render.discord import escape

    dry = writing._replace(dry_run=True)
    seen = record_actions(app.match, [action], app.options(dry), app.ask)
    answer(app, seen, dry)
    drawn = any("seed" in outcome.live.args for outcome in seen.outcomes)
    if drawn:
        app.to_host("  a preview draws a lot of its own; what is recorded draws anew and may come out otherwise")
    missing: dict[str, list[str]] = {}
    for due in app.match.game.waiting(app.match.fold.state):
        missing.setdefault(due.what, []).append(app.match.table.name(due.who))
    for what, names in missing.items():
        which = f"{what}: " if len(missing) > 1 else ""
        app.note(escape(f"  {which}nothing that counts has come from {', '.join(names)}"))
    for line in seen.hasty:
        app.to_host(f"  {line}")
    words = [part for o in seen.outcomes for part in (o.live.do, o.live.args.get("round")) if part]
    if not app.may_ask:
        app.to_host(f"  nothing is recorded yet; --yes{' --early' if seen.hasty else ''} records it")
    elif not app.ask(f"  to record: {' '.join(words)}"):
        raise Unmet("confirm.declined", "not confirmed: nothing was recorded", "add --yes to go on")
    return not drawn


def typed_action(app: App, cls: type, given: Mapping[str, Any], now: int) -> Any:
    """The action that these words mean.

    Args:
        now: The moment of the entry, ms: times among the words are counted from it.

    Raises:
        Unreadable: a word that cannot be read; nothing is guessed.
    """
    desk = app.match.desk(now)
    if not given.get("value") and {"player", "value"} <= given.keys():  # two words: of the table, and the value
        given = {**given, "player": None, "value": given.get("player")}
    values = {}
    for field in fields(cls):
        word = given.get(field.name)
        if word is None or word == () or field.arg.hidden:
            continue
        if isinstance(word, tuple) and not field.many:
            word = " ".join(word)
        if word == "-" and field.arg.sealed and field.arg.phrase:
            word = sys.stdin.read()
        listed = _each(field, word) if field.many else [word]
        read = tuple(read_word(field, one, desk) for one in listed)
        values[field.name] = read if field.many else read[0]
    return cls(**values)


def _each(field: Field, words: Sequence[Any]) -> list[str]:
    """The words of a field of many: players, and words out of a fixed list, may stand with commas between them."""
    if field.arg.words > 1:
        return [" ".join(pair) for pair in words]
    if field.kind is not PLAYER and (field.kind is None or not field.kind.choices):
        return list(words)
    return [part for word in words for part in word.split(",") if part.strip()]


def read_word(field: Field, word: Any, desk: ParseContext) -> Any:
    """One typed word as the log will know it.

    Raises:
        Unreadable: with the nearest words, or the bounds.
    """
    if field.base is bool:
        said = word if isinstance(word, bool) else word.strip().lower()
        known = {True: True, False: False, "true": True, "yes": True, "false": False, "no": False}.get(said)
        if known is None:
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", "one of: true false")
        return known
    if isinstance(word, int):  # counted
        word = str(word)
    if field.kind is not None:
        return field.kind.read(word, desk)
    if get_origin(field.base) is Literal:
        choices = [str(choice) for choice in get_args(field.base)]
        if word.lower() not in choices:
            near = nearest(word.lower(), choices)
            hint = f"did you mean {near[0]}?" if near else f"one of: {' '.join(choices)}"
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", hint)
        return word.lower()
    if field.base is int:
        least, most = (field.bounds.least, field.bounds.most) if field.bounds else (-(2**53), 2**53)
        number = digits(word.removeprefix("-").removeprefix("#"), 15)
        if number is None:
            raise Unreadable(
                "number.unreadable", f"{shown(word)} is not a whole number", f"{field.name}: {field.arg.help}"
            )
        number = -number if word.startswith("-") else number
        if not least <= number <= most:
            raise Unreadable("number.bounds", f"{field.name} must be {least} to {most}, not {number}", field.arg.help)
        return number
    return word


def typed_fields(app: App, cls: type, words: Mapping[str, str], now: int) -> dict[str, Any]:
    """`key=value` words as args of an action, for `amend`; `now`: the moment of the entry, ms.

    Raises:
        Unreadable: `amend.field`, no such field.
    """
    from games.records import plain

    known = {f.name: f for f in fields(cls) if not f.arg.hidden}
    desk = app.match.desk(now)
    args = {}
    for name, word in words.items():
        field = known.get(name.replace("-", "_"))
        if field is None:
            near = nearest(name, known) or list(known)
            raise Unreadable(
                "amend.field", f"{kebab(cls)} has no field {shown(name)}", f"one of: {' '.join([*near, 'at'])}"
            )
        if field.many:
            args[field.name] = [plain(read_word(field, part, desk)) for part in field.parts(word)]
        else:
            args[field.name] = read_word(field, word, desk)
    return args


# ---- the game's own ----------------------------------------------------------------------------------------------


def game_command(app: App, name: str) -> click.Command | None:
    """The game's own verb of that name, or one of its synonyms."""
    game = game_here(app)
    if game is None:
        return None
    wanted = game.synonyms.get(name, name)
    for cls in game.actions:
        if kebab(cls) == wanted:
            return command_for(cls)
    if (one := spoken_here(app, game).get(name)) is not None:
        return spoken_for(name, one)
    return next((lookup_for(one) for one in game.lookups if one.verb == wanted), None)


def spoken_for(name: str, one: Spoken) -> Verb:
    """The command of a word that stands for an action with its first words filled in."""
    places = [field for field in fields(one.action) if field.in_place]
    more = tuple(row for row in of_record(one.action) if row.spelled)
    usage = " ".join(["hl", name, *one.usage])

    def run(app: App, typed: Sequence[str], writing: WriteOptions, **given: Any) -> None:
        words, said = [*one.first, *typed], dict[str, Any]()
        for field in places:
            said[field.name], words = (tuple(words), []) if field.many else (words[0] if words else None, words[1:])
            if field.required and said[field.name] is None:
                raise Unreadable("command.usage", f"{field.name.upper()} is missing", usage)
        carry_out(app, one.action, {**said, **given}, writing)

    return Verb(name, f"{one.help}\n\n{usage}", (Param("[WORDS...]", one.help, name="typed", many=True), *more), run)


def games_with(verb: str) -> dict[str, type]:
    """Built-in game -> its action of that name."""
    from games import registry

    loaded = {name: registry.load(name).actions for name in registry.names()}
    return {name: cls for name, actions in loaded.items() for cls in actions if kebab(cls) == verb}


def lookup_for(lookup: Lookup) -> Verb:
    """The command of a verb that only looks: what it prints is for hosts only."""

    def run(app: App, player: str, reading: ReadOptions) -> None:
        from games.records import plain
        from ledger.render.safe import json_text

        match = hosts_match(app, reading)
        state = match.fold.state
        shown = lookup.view(state, match.table.directory().find(player))
        if reading.json:
            deliver(app, json_text(plain(shown)), reading)
        else:
            deliver_blocks(app, lookup.report(match.frame(state, HOST_VIEWER), shown), reading)

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
