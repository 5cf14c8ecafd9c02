"""A command as click runs it, made from its row in the table or from a record.

Belongs here: parameters, and how a command line is taken apart. Does not belong here: which verbs there are and what
they do (derive.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Any

import click

from events.errors import Unreadable
from ledger.cli.app import VALUE_MARK, App
from ledger.cli.options import BUNDLES, bundled
from ledger.cli.params import Param


class Verb(click.Command):
    """A command made from the table. Its words like -2 are values; every value reaches `run` as typed."""

    def __init__(
        self, name: str, help: str, takes: Iterable[Param], run: Callable[..., Any], *, once: bool = False
    ) -> None:
        """`once`: an option that is typed twice is refused. Where something is recorded, neither value may vanish."""
        takes, self.once = tuple(takes), once
        callback = click.pass_obj(_with_bundles(takes, run))
        super().__init__(name, params=[_click(param) for param in takes], callback=callback, help=help)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self._no_option_is_a_value(ctx, args)
        if self.once:
            self._no_option_twice(ctx, args)
        rest = super().parse_args(ctx, args)
        ctx.params = {name: _unmark(value) for name, value in ctx.params.items()}
        return rest

    def _no_option_is_a_value(self, ctx: click.Context, args: Sequence[str]) -> None:
        """`--once -n` lacks its key: taken for one, `-n` would be no dry run, and the entry would be recorded."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        spelled = {word for option in options for word in (*option.opts, *option.secondary_opts)}
        taking = {word: option for option in options if not (option.is_flag or option.count) for word in option.opts}
        for word, after in pairwise(takewhile(lambda word: word != "--", args)):
            if word in taking and after in spelled:
                inline = f"; {word}={after}, if that is the value" if word.startswith("--") else ""
                what = f"option {word} needs a value, and {after} is an option"
                raise Unreadable("command.usage", what, f"{word} {taking[word].make_metavar(ctx)} {after}{inline}")

    def _no_option_twice(self, ctx: click.Context, args: Sequence[str]) -> None:
        """Of two values for one option the first would vanish without a word."""
        _, _, params = self.make_parser(ctx).parse_args(list(args))
        for option in params:
            single = isinstance(option, click.Option) and not (option.is_flag or option.count or option.multiple)
            if single and params.count(option) > 1:
                word = max(option.opts, key=len)
                raise Unreadable("command.usage", f"option {word} is given twice, and takes one value", f"{word} once")


def _with_bundles(takes: Sequence[Param], run: Callable[..., Any]) -> Callable[..., Any]:
    """`run`, with the values of shared options in the records `reading` and `writing`."""
    options_of = bundled(takes)

    def call(app: App, **values: Any) -> Any:
        bundles = {
            name: BUNDLES[name](**{option: values.pop(option) for option in options_of[name]}) for name in options_of
        }
        if bundles:
            app.json = any(bundle.json for bundle in bundles.values())
        return run(app, **values, **bundles)

    return call


def _unmark(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(VALUE_MARK)
    return tuple(_unmark(item) for item in value) if isinstance(value, tuple) else value


def _click(param: Param) -> click.Parameter:
    if not param.spelled:
        nargs = -1 if param.many or param.text else 1
        return click.Argument([param.name], required=param.required, nargs=nargs, metavar=param.typed)
    names = [*param.spelled, param.name]
    if not param.metavar:
        return click.Option(names, help=param.help, count=param.count, is_flag=not param.count)
    option = click.Option(
        names, help=param.help, metavar=param.metavar, required=param.required, multiple=param.many, nargs=param.words
    )
    if param.name == "fmt":
        option.default = param.default
        option.callback = lambda ctx, option, value: check_format(value, param.metavar.split("|"))
    return option


def check_format(fmt: str, known: Sequence[str]) -> str:
    """The format, if it is one of these.

    Raises:
        Unreadable: `format.unknown`.
    """
    if fmt not in known:
        raise Unreadable("format.unknown", f"this cannot be printed as {fmt}", f"one of: {' '.join(known)}")
    return fmt
