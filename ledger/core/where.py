"""Finding the log of the match, and its game. Cheap enough for a help text: reads at most the first line."""

from __future__ import annotations

import os

from events.disk import line_to_run, own_folder
from events.errors import Unreadable
from ledger.core.inputs import open_plain
from ledger.wire.seam import is_url, mirror_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LOG_NAME = "log.jsonl"
FIRST_LINE = 65_536


def find_log(typed: str | None, env: Mapping[str, str] = os.environ, start: str | None = None) -> str:
    """The log named by `-g` or `$HL_MATCH`, or the one in the nearest parent folder. Source: docs/commands.md.

    Raises:
        Unreadable: `match.none`, no match here; `wire.no_mirror`, a URL that was not cloned.
    """
    typed = typed or env.get("HL_MATCH") or None
    if typed and is_url(typed):
        log = mirror_of(typed)
        if log is None:
            raise Unreadable("wire.no_mirror", "this machine has no mirror of that match", "hl clone URL")
        return log
    if typed:
        path = os.path.expanduser(typed)
        log = os.path.join(path, LOG_NAME) if os.path.isdir(path) or not path.endswith(".jsonl") else path
        if not os.path.exists(log):
            fix = f"{line_to_run('hl', 'new', typed)} --from FILE.toml"
            raise Unreadable("match.none", f"there is no match at {typed}", fix)
        return log
    folder = os.path.abspath(start or os.getcwd())
    while True:
        log = os.path.join(folder, LOG_NAME)
        if os.path.exists(log):
            return log
        parent = os.path.dirname(folder)
        if parent == folder:
            raise Unreadable("match.none", "there is no match in this folder or above it", "hl -g FOLDER ...")
        folder = parent


def is_found(find: Callable[[], str]) -> bool:
    """Does this find a log?

    Raises:
        Unreadable: it refuses for another reason than `match.none`.
    """
    try:
        find()
    except Unreadable as error:
        if error.code != "match.none":
            raise
        return False
    return True


def game_of(log: str) -> str | None:
    """The name of the game in line 1, not verified: enough to list its verbs, not to record anything."""
    try:
        with os.fdopen(open_plain(log), "rb") as file:
            line = file.readline(FIRST_LINE)
    except OSError:
        return None
    _, key, after_key = line.partition(b'"game":"')
    name = after_key.partition(b'"')[0].decode("ascii", "replace")
    return name if key and name.isidentifier() else None


def config_file(env: Mapping[str, str] = os.environ) -> str:
    """The path of the host's own settings (config.py)."""
    return os.path.join(own_folder("config", env), "config.toml")
