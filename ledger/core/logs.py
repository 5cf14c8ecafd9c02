"""Find and open the log of a match, and read the game that it names. Cheap enough to run for a help text.

A log is a file on this machine. Other rooms plug in logs that are more than a file (`ledger/wire/plugin.py`: the mirror
of a shared match), so that this room imports none of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module

from events.disk import line_to_run, own_folder
from events.errors import Unreadable
from events.log import LogFile
from events.record import NamedTuple
from ledger.core.inputs import open_plain

LOG_NAME = "log.jsonl"
FIRST_LINE = 65_536
PLUGINS = ("ledger.wire.plugin",)
"""Modules with a `LogPlugin` called `PLUGIN`. They are imported by name when a log is first looked for, so that this
room depends on none of them and no entry point of the program can forget one."""


class LogPlugin(NamedTuple):
    ending: str
    """A log is of this kind if a file exists with the log's name plus this ending."""
    is_name: Callable[[str], bool]
    """Whether the text typed after `-g` names a log of this kind."""
    find: Callable[[str], str]
    open: Callable[[str], LogFile]


@cache
def plugins() -> tuple[LogPlugin, ...]:
    return tuple(import_module(name).PLUGIN for name in PLUGINS)


def open_log(path: str) -> LogFile:
    for plugin in plugins():
        if os.path.lexists(path + plugin.ending):
            return plugin.open(path)
    return LogFile(path)


def find_log(typed: str | None, env: Mapping[str, str] = os.environ) -> str:
    """The log named by `-g` or `$HL_MATCH`, or the one in this folder or its nearest parent.

    Raises:
        Unreadable: `match.none`, no match here; or the error of a plug-in that cannot find the name.
    """
    typed = typed or env.get("HL_MATCH") or None
    for plugin in plugins():
        if typed and plugin.is_name(typed):
            return plugin.find(typed)
    if typed:
        path = os.path.expanduser(typed)
        log = os.path.join(path, LOG_NAME) if os.path.isdir(path) or not path.endswith(".jsonl") else path
        if not os.path.exists(log):
            fix = f"{line_to_run('hl', 'new', typed)} --from FILE.toml"
            raise Unreadable("match.none", f"there is no match at {typed}", fix)
        return log
    folder = os.getcwd()
    while True:
        log = os.path.join(folder, LOG_NAME)
        if os.path.exists(log):
            return log
        parent = os.path.dirname(folder)
        if parent == folder:
            below = sorted(row.name for row in os.scandir() if os.path.exists(os.path.join(row.path, LOG_NAME)))
            what = "there is no match in this folder or above it"
            what += f"; below it: {', '.join(below[:9])}" if below else ""
            raise Unreadable("match.none", what, "hl -g FOLDER ..." if below else "hl init GAME")
        folder = parent


def is_found(find: Callable[[], str]) -> bool:
    """Whether `find` finds a log.

    Raises:
        Unreadable: `find` refuses for another reason than `match.none`.
    """
    try:
        find()
    except Unreadable as error:
        if error.code != "match.none":
            raise
        return False
    return True


def game_of(log: str) -> str | None:
    try:
        with os.fdopen(open_plain(log), "rb") as file:
            line = file.readline(FIRST_LINE)
    except OSError:
        return None
    _, key, after_key = line.partition(b'"game":"')
    name = after_key.partition(b'"')[0].decode("ascii", "replace")
    return name if key and name.isidentifier() else None


def config_file(env: Mapping[str, str] = os.environ) -> str:
    return os.path.join(own_folder("config", env), "config.toml")
