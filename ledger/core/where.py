"""Where the match is. Light enough for a help text: nothing is read but the file's name, or its first line."""

from __future__ import annotations

import os

from events.disk import line_to_run, own_folder
from events.errors import Unreadable
from ledger.core.inputs import open_plain
from ledger.wire.seam import is_url, mirror_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOG_NAME = "log.jsonl"
FIRST_LINE = 65_536


def find_log(named: str | None, env: Mapping[str, str] = os.environ, here: str | None = None) -> str:
    """The log meant by `-g`, `$HL_MATCH`, or the nearest parent folder that holds one. Source: design section 8.

    Raises:
        Unreadable: `match.none`, no match here; `wire.no_mirror`, a URL that was not cloned.
    """
    named = named or env.get("HL_MATCH") or None
    if named and is_url(named):
        log = mirror_of(named)
        if log is None:
            raise Unreadable("wire.no_mirror", "this machine has no mirror of that match", "hl clone URL")
        return log
    if named:
        path = os.path.expanduser(named)
        log = os.path.join(path, LOG_NAME) if os.path.isdir(path) or not path.endswith(".jsonl") else path
        if not os.path.exists(log):
            raise Unreadable(
                "match.none",
                f"there is no match at {named}",
                f"{line_to_run('hl', 'new', named)} --from FILE.toml",
            )
        return log
    folder = os.path.abspath(here or os.getcwd())
    while True:
        log = os.path.join(folder, LOG_NAME)
        if os.path.exists(log):
            return log
        parent = os.path.dirname(folder)
        if parent == folder:
            raise Unreadable("match.none", "there is no match in this folder or above it", "hl -g FOLDER ...")
        folder = parent


def game_of(log: str) -> str | None:
    """The name of the game in line 1, unchecked: enough to list its verbs, never to act on."""
    try:
        with os.fdopen(open_plain(log), "rb") as file:
            line = file.readline(FIRST_LINE)
    except OSError:
        return None
    _, key, rest = line.partition(b'"game":"')
    name = rest.partition(b'"')[0].decode("ascii", "replace")
    return name if key and name.isidentifier() else None


def config_folder(env: Mapping[str, str] = os.environ) -> str:
    """The host's own configuration folder: never beside a log, which is handed on."""
    return own_folder("config", env)


def config_file(env: Mapping[str, str] = os.environ) -> str:
    """What the host has settled for themself (config.py)."""
    return os.path.join(config_folder(env), "config.toml")
