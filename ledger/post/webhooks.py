"""The webhooks of a match: one for each audience, in a file beside the log that only its owner may read.

A webhook's address is a password: whoever has it can write into the channel. It is in no log and is never printed.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from events import Refused, Unreadable
from events.audiences import PUBLIC_VIEWER
from events.disk import DISK
from events.record import NamedTuple
from ledger.core.inputs import MAX_TOML_BYTES, read_text

ENDING = ".webhooks"
"""Added to the path of the log: the path of the file."""
ADDRESS = re.compile(
    r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{15,20}/[\w-]{20,200}/?",
    re.A,
)


class Hook(NamedTuple):
    url: str
    channel: str
    guild: str

    def link(self, message: str) -> str:
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{message}"


class Picture(NamedTuple):
    data: bytes
    alt: str


class Answer(NamedTuple):
    kind: Literal["taken", "refused", "later", "unknown"]
    """`taken`: it was carried out. `refused`, `later`: it was not. `unknown`: it may have been."""
    what: str = ""
    data: Mapping[str, Any] = {}
    wait: float = 0.0
    """For `later`: in how many seconds."""


class Hooks(NamedTuple):
    of: Mapping[str, Hook]
    log: str = ""
    """The log that they were added for: in a copy of the folder they are not used."""

    def lacking(self, players: Iterable[str]) -> list[str]:
        return [who for who in (PUBLIC_VIEWER, *players) if who not in self.of]


def read_hooks(log: str) -> Hooks:
    """The webhooks beside a log; none where there is no such file.

    Raises:
        Refused: `webhooks.rights`, others can read the file. Unreadable: `webhooks.unreadable`.
    """
    path = log + ENDING
    fix = "move it away; hl webhook add makes a new one"
    try:
        status = DISK.stat(path)
        if DISK.others_may_read(status):
            message = f"others on this machine can read {path}, and anybody who has a webhook can write to its channel"
            raise Refused("webhooks.rights", message, f"chmod 600 {path}")
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("webhooks.unreadable", f"{path} is not a plain file", fix)
        data = json.loads(read_text(path, MAX_TOML_BYTES))
        hooks = {
            str(audience): Hook(str(row["url"]), str(row["channel"]), str(row["guild"]))
            for audience, row in data["hooks"].items()
        }
        return Hooks(hooks, str(data["log"]))
    except FileNotFoundError:
        return Hooks({})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable("webhooks.unreadable", f"{path} cannot be read as a list of webhooks", fix) from None


def as_file(hooks: Hooks) -> bytes:
    rows = {audience: hook._asdict() for audience, hook in hooks.of.items()}
    return (json.dumps({"log": hooks.log, "hooks": rows}, indent=1) + "\n").encode()


def into_one_channel(hooks: Mapping[str, Hook]) -> list[tuple[str, ...]]:
    """Groups of audiences whose webhooks write into one channel: each would read the texts of the others."""
    channels: dict[str, list[str]] = {}
    for audience, hook in hooks.items():
        channels.setdefault(hook.channel, []).append(audience)
    return [tuple(group) for group in channels.values() if len(group) > 1]
