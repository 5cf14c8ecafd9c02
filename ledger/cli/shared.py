"""The shared verbs that need nothing but their record."""

from __future__ import annotations

from typing import Any

import click

from events.errors import Unreadable
from games.records import kebab
from games.table import actions as shared
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.derive import WRITE_NAMES, command_for, verb, write_options

_BY_VERB = {kebab(cls): cls for cls in shared.TYPED}


def command(name: str) -> click.Command:
    """The command of a shared verb."""
    if name == "amend-setting":
        return _amend_setting()
    return command_for(_BY_VERB[name], _FIELDS_HELP if name == "override" else "")


_FIELDS_HELP = "Which fields there are depends on the game; an unknown one is answered with the list."


def _amend_setting() -> click.Command:
    def run(app: App, setting: tuple[str, ...], **given: Any) -> None:
        from ledger.recorder import record

        app.json = given["as_json"]
        key, eq, value = " ".join(setting).partition("=")
        if not eq or not key.strip():
            raise Unreadable("command.usage", "a setting is changed with KEY=VALUE", "hl amend-setting er_metric=value")
        action = shared.AmendSetting(key.strip(), value.strip())
        answer(app, record(app.match, action, app.options({n: given[n] for n in WRITE_NAMES}), app.ask), given)

    words = click.Argument(["setting"], nargs=-1, required=True, metavar="KEY=VALUE")
    return verb("amend-setting", shared.AmendSetting.__doc__ or "", [words, *write_options()], run)
