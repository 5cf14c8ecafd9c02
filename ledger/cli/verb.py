"""The class of a verb, a click command that says who may read its output and what it records; and common options."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, takewhile
from typing import Any, Literal, TypeAlias

import click
from click.core import ParameterSource, augment_usage_errors

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import listed, shown
from games.registry import names
from ledger.cli.completion import COLORS, audiences, choices, colors, entries, files, fitting, hosts, points

Audience: TypeAlias = Literal["any", "host", "public", "none"]
Decorator: TypeAlias = Callable[[Any], Any]
VALUE_MARK = "\x1f"
"""Put before a word like -2 or -2h while click parses, so that it is read as a value and not as an option."""


class ReadOptions(NamedTuple):
    """The audience, point of the match, format and target of output. Options that a verb lacks have these defaults."""

    viewer: str | None = None
    as_of: str | None = None
    known: str | None = None
    fmt: str = "text"
    target: str | None = None
    overwrite: bool = False
    copy: bool = False

    @property
    def json(self) -> bool:
        return self.fmt == "json"


class WriteOptions(NamedTuple):
    """How to record an entry, as typed (`App.options` reads times and links). Options a verb lacks have defaults."""

    at: str | None = None
    msg: str | None = None
    note: str | None = None
    once: str | None = None
    again: bool = False
    force: bool = False
    early: bool = False
    dry_run: bool = False
    yes: bool = False
    json: bool = False


_PEOPLE = r"(?<![\w/\"])(?:ann|bob|cyd|dan|eve|fox|gil|hal)\b"
"""Who plays in the examples."""


def _set(name: str, words: Sequence[str] = ()) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def callback(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        if words and value not in (None, *words):
            what = f"the value of --color is {listed(words, 'or')}, not {value}"
            raise Unreadable("command.usage", what, "hl --color auto ...")
        if value not in (None, False):
            setattr(ctx.obj, name, value)
        return value

    return callback


def global_options(*, hidden: bool) -> list[click.Option]:
    """The options of `hl` itself, which every verb takes too."""
    match, host = "The match: a folder with log.jsonl, a .jsonl file, or a URL.", "Who records."
    common: Any = {"expose_value": False, "hidden": hidden}
    return [
        click.Option(["-g", "--match"], metavar="MATCH", help=match, callback=_set("match_name"), is_eager=True,
                     shell_complete=files, **common),
        click.Option(["--as"], metavar="HOST", help=host, callback=_set("host_name"), shell_complete=hosts, **common),
        click.Option(["--color"], metavar="WHEN", help="auto, always or never.", callback=_set("color", COLORS),
                     shell_complete=colors, **common),
        click.Option(["--no-input"], is_flag=True, help="Never ask; a needed confirmation is exit code 5.",
                     callback=_set("no_input"), **common),
    ]  # fmt: skip


class Verb(click.Command):
    """One verb of `hl`.

    Attributes:
        audience: Who may read its output: `any` (`--for`, or the named player), `host`, `public` (everybody), `none`
            (the output is not about a match).
        records: The entries it may record, by their names in the log; `*` for whatever its input says. `run`, `shell`
            and `demo` record nothing themselves; they run other verbs.
        needs: Features of which a game must have at least one for the verb to make sense.
        once: Refuse an option that is typed twice, so that no value is lost in something recorded.
    """

    def __init__(
        self, name: str, group: str = "", *, audience: Audience = "host", records: Sequence[str] = (),
        needs: Iterable[str] = (), record: type | None = None,
        once: bool = False, **attrs: Any,
    ) -> None:  # fmt: skip
        paragraphs = inspect.cleandoc(attrs.pop("help", None) or "").split("\n\n")
        examples = [part for part in paragraphs if re.fullmatch(r"(?:hl .*\n?)*", part)]
        self.examples = tuple("\n".join(examples).splitlines())
        text = "\n\n".join(part for part in paragraphs if part not in examples)
        super().__init__(name, context_settings={"help_option_names": ["--help"]}, help=text, **attrs)
        self.name: str = name
        self.group, self.audience, self.records, self.once = group, audience, tuple(records), once
        self.needs, self.record = frozenset(needs), record
        spelled = {word for param in self.params for word in param.opts}
        self.params += [option for option in global_options(hidden=True) if not spelled & {*option.opts}]

    @property
    def writes(self) -> bool:
        return bool(self.records)

    @property
    def formats(self) -> tuple[str, ...]:
        return next((param.type.formats for param in self.params if isinstance(param.type, Format)), ())

    @property
    def options(self) -> frozenset[str]:
        return frozenset(param.name or "" for param in self.params if isinstance(param, click.Option))

    def means_something(self, has: Iterable[str]) -> bool:
        return not self.needs or not self.needs.isdisjoint(has)

    @property
    def summary(self) -> str:
        return " ".join((self.help or "").partition("\n\n")[0].split())

    def examples_in(self, ctx: click.Context) -> list[str]:
        """The examples as one types them here: where a match has not these players, its own stand in for them; of what
        its file names, one of that."""
        lines, match = [line.format(game=names()[0]) for line in self.examples], getattr(ctx.obj, "here", None)
        if match and match.game.written and (own := match.game.written.examples(match.fold.state).get(self.record)):
            return [f"hl {self.name} {own}"]
        players = match.table.players if match else ()
        people = dict.fromkeys(name for line in lines for name in re.findall(_PEOPLE, line))
        if not players or people.keys() <= set(players):
            return lines
        stand_in = dict(zip(people, cycle(players), strict=False))
        return [re.sub(_PEOPLE, lambda found: stand_in[found[0]], line) for line in lines]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for line in self.examples_in(ctx):
            formatter.write(f"  {line}\n")
        if self.examples:
            formatter.write("\n")
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            args = self._without_half_an_option(ctx, args)
        else:
            self._no_option_is_a_value(ctx, args)
        marked = [VALUE_MARK + word if word[:1] == "-" and word[1:2].isdigit() else word for word in args]
        with augment_usage_errors(ctx):  # so that the message can end with an example of this verb
            if self.once and not ctx.resilient_parsing:
                self._no_option_twice(ctx, marked)
            rest = super().parse_args(ctx, marked)
        ctx.params = {name: _unmark(value) for name, value in ctx.params.items()}
        if not ctx.resilient_parsing:
            self._format_of_the_file(ctx)
        return rest

    def _format_of_the_file(self, ctx: click.Context) -> None:
        """Take the format from the ending of `-o`: `-o board.png` is a PNG. Refuse an ending that contradicts `-f`."""
        _, dot, end = str(ctx.params.get("target") or "").rpartition(".")
        end = end.lower()
        if not dot or end not in self.formats or end == ctx.params["fmt"]:
            return
        if ctx.get_parameter_source("fmt") is ParameterSource.COMMANDLINE:
            fmt, target = ctx.params["fmt"], ctx.params["target"]
            what = f"-f {fmt} writes no {end} file, and {target} is called one"
            raise Unreadable("format.contradiction", what, f"-f {end}, or another name for the file")
        ctx.params["fmt"] = end

    def _without_half_an_option(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words without a final option that lacks its value, since click could not parse such a line."""
        takes = {word: param.nargs for param in self.get_params(ctx) if isinstance(param, click.Option)
                 and not (param.is_flag or param.count) for word in param.opts}  # fmt: skip
        at = next((i for i in reversed(range(len(args))) if args[i] in takes), None)
        return args if at is None or len(args) - at > takes[args[at]] else args[:at]

    def _no_option_is_a_value(self, ctx: click.Context, args: Sequence[str]) -> None:
        """Refuse an option as another's value: with `--once -n`, `-n` would be the key and the entry be recorded."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        spelled = {word for option in options for word in (*option.opts, *option.secondary_opts)}
        taking = {word: option for option in options if not (option.is_flag or option.count) for word in option.opts}
        words = [*takewhile("--".__ne__, args)]
        for place, word in enumerate(words):
            if word not in taking:
                continue
            form, rest = taking[word].make_metavar(ctx), words[place + 1 : place + 1 + taking[word].nargs]
            values = [*takewhile(lambda value: value not in spelled, rest)]
            after = rest[len(values)] if len(values) < len(rest) else ""
            is_cut = len(rest) < taking[word].nargs and len(words) == len(args)
            if values and (after or is_cut):
                what = f"{word} takes {form}; {' '.join(form.split()[len(values) :])} is missing"
                raise Unreadable("command.usage", what, f"{word} {form} {after}".strip())
            if after:
                inline = f"; {word}={after}, if that is the value" if word.startswith("--") else ""
                what = f"option {word} needs a value, and {after} is an option"
                raise Unreadable("command.usage", what, f"{word} {form} {after}{inline}")
            if is_cut:
                raise Unreadable("command.usage", f"option {word} needs a value", f"{ctx.command_path} --help")

    def _no_option_twice(self, ctx: click.Context, args: Sequence[str]) -> None:
        _, _, params = self.make_parser(ctx).parse_args(list(args))
        for option in params:
            single = isinstance(option, click.Option) and not (option.is_flag or option.count or option.multiple)
            if single and option.expose_value and params.count(option) > 1:
                word = max(option.opts, key=len)
                raise Unreadable("command.usage", f"option {word} is given twice, but takes one value", f"{word} once")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        words = []
        for param in self.get_params(ctx):
            given = ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
            if isinstance(param, click.Option) and (param.multiple or param.count or not given):
                words += param.opts
        return [click.shell_completion.CompletionItem(word) for word in fitting(words, incomplete)]


def _unmark(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(VALUE_MARK)
    return tuple(_unmark(item) for item in value) if isinstance(value, tuple) else value


def verb(
    name: str, group: str, *, audience: Audience = "host", records: Sequence[str] = (), needs: Iterable[str] = (),
    once: bool = False,
) -> Callable[[Callable[..., Any]], Verb]:  # fmt: skip
    """Make a verb whose function gets the `App`, its words and options, and `reading` and `writing`."""

    def decorate(function: Callable[..., Any]) -> Verb:
        about = {"group": group, "audience": audience, "records": records, "needs": needs, "once": once}
        return click.command(name, cls=Verb, **about)(click.pass_obj(bundled(function)))

    return decorate


def bundled(function: Callable[..., Any]) -> Callable[..., Any]:
    bundles: dict[str, type[ReadOptions] | type[WriteOptions]] = {"reading": ReadOptions, "writing": WriteOptions}
    takes = {name: cls for name, cls in bundles.items() if name in inspect.signature(function).parameters}

    @functools.wraps(function)
    def call(app: Any, **values: Any) -> Any:
        for name, cls in takes.items():
            bundle = cls(**{option: values.pop(option) for option in cls._fields if option in values})
            app.json = app.json or bundle.json
            values[name] = bundle
        return function(app, **values)

    return call


class Format(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 knows no arguments
    name = "format"

    def __init__(self, formats: Sequence[str]) -> None:
        self.formats = tuple(formats)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return check_format(value, self.formats)


def check_format(fmt: str, known: Sequence[str]) -> str:
    """Return the format if it is one of these.

    Raises:
        Unreadable: `format.unknown`.
    """
    if fmt not in known:
        raise Unreadable("format.unknown", f"this cannot be printed as {fmt}", f"one of: {' '.join(known)}")
    return fmt


def together(*options: Decorator) -> Decorator:

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


# ---- common options ----------------------------------------------------------------------------------------------


def format_option(*formats: str, default: str = "text") -> Decorator:
    return click.option("-f", "--format", "fmt", type=Format(formats), metavar="|".join(formats), default=default,
                        help="How to print it.", shell_complete=choices(*formats))  # fmt: skip


list_option: Decorator = format_option("text", "json")


def read_log(ctx: click.Context, path: str) -> None:
    """Use the log or folder named among the words of a verb as the match, like `-g`.

    Raises:
        click.UsageError: another match is named too.
    """
    if ctx.obj.match_name not in (None, path):
        raise click.UsageError(f"two matches are named: {shown(ctx.obj.match_name)} and {shown(path)}", ctx)
    ctx.obj.match_name = path


log_argument: Decorator = click.argument(
    "log", metavar="[LOG]", required=False, expose_value=False, shell_complete=files,
    callback=lambda ctx, param, value: None if value is None else read_log(ctx, value),
)  # fmt: skip
"""The log to read, typed after the verb, as suits an auditor who has just the file."""
point_options: Decorator = together(
    click.option("--for", "viewer", metavar="P|public|host", help="For whom.", shell_complete=audiences),
    click.option("--as-of", metavar="SEQ|round:NAME|TIME|now", help="The match at that point.", shell_complete=points),
    click.option("--known", metavar="SEQ", help="What was known at that entry: lines 1 to SEQ only.",
                 shell_complete=entries),
)  # fmt: skip


def file_option(*words: str, metavar: str = "FILE", **attrs: Any) -> Decorator:
    return click.option(*words, metavar=metavar, shell_complete=files, **attrs)


overwrite_option: Decorator = click.option("--overwrite", is_flag=True, help="The file may exist.")
into_options: Decorator = together(
    file_option("-o", "--output", "target", help="Write it to a new file."),
    overwrite_option,
    click.option("--copy", is_flag=True, help="Copy it to the clipboard as well."),
)


def read_options(*formats: str, default: str = "text") -> Decorator:
    """The options for audience, point, format (by default text and json) and target of output."""
    return together(point_options, format_option(*(formats or ("text", "json")), default=default), into_options)


note_option: Decorator = click.option("--note", metavar="TEXT", help="A remark for the hosts, kept beside the entry.")
once_option: Decorator = click.option(
    "--once", metavar="KEY", help="Record only once under this key, however often it is run."
)
yes_option: Decorator = click.option("-y", "--yes", is_flag=True, help="Do not ask.")
json_option: Decorator = click.option("--json", is_flag=True, help="Answer as JSON on stdout.")
answer_options: Decorator = together(
    click.option("-n", "--dry-run", is_flag=True, help="Only say what would happen."), yes_option, json_option
)
about_options: Decorator = together(note_option, once_option, answer_options)
"""Options of verbs about other entries, which act at once: they take no time and cannot be forced."""


def write_options(note: Decorator = note_option) -> Decorator:
    """The options of every verb that records something in the match; `note`: its `--note` option."""
    return together(
        click.option("--at", metavar="TIME", help="When it counts: 18:42, sat 09:50, 24 Oct 9:50, -20m, an ISO time."),
        click.option("--msg", metavar="LINK",
                     help="The Discord message: kept as evidence, gives the time without --at."),
        note,
        once_option,
        click.option("--again", is_flag=True, help="The same message is meant a second time."),
        click.option("--force", is_flag=True, help="Record what the rules refuse: it is kept, and changes nothing."),
        answer_options,
    )  # fmt: skip
