"""The webhooks of a match: one for each audience, in a file of their own beside the log that only its owner may read.

A webhook's address is a password: whoever has it can write into the channel. It is in no log and is never printed.
Belongs here: that file. Does not belong here: sending (discord_http.py), and what is sent when (posting.py).
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Mapping

from events import Refused, Unreadable
from events.disk import DISK
from events.record import NamedTuple
from ledger.core.inputs import MAX_TOML_BYTES, read_text

ENDING = ".webhooks"
"""After the name of the log: the name of the file."""
ADDRESS = re.compile(
    r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{15,20}/[\w-]{20,200}/?",
    re.A,
)
"""What a webhook's address looks like."""


class Hook(NamedTuple):
    """A webhook, and where it writes."""

    url: str
    channel: str
    """The id of the channel at Discord."""
    guild: str

    def link(self, message: str) -> str:
        """The link to a message that it wrote."""
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{message}"


class Hooks(NamedTuple):
    """All of a match."""

    of: Mapping[str, Hook]
    """By audience: `public`, or a player."""
    log: str = ""
    """The log for which they were given: a copy of the folder has another."""


def read_hooks(log: str) -> Hooks:
    """The webhooks beside a log; none where there is no such file.

    Raises:
        Refused: `webhooks.rights`, others can read the file. Unreadable: `webhooks.unreadable`.
    """
    path = log + ENDING
    again = "move it away, and hl webhook add writes it anew"
    try:
        found = DISK.stat(path)
        if DISK.others_may_read(found):
            what = f"others on this machine can read {path}: whoever has a webhook can write into its channel"
            raise Refused("webhooks.rights", what, f"chmod 600 {path}")
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("webhooks.unreadable", f"{path} is no plain file", again)
        data = json.loads(read_text(path, MAX_TOML_BYTES))
        hooks = {
            str(who): Hook(str(row["url"]), str(row["channel"]), str(row["guild"]))
            for who, row in data["hooks"].items()
        }
        return Hooks(hooks, str(data["log"]))
    except FileNotFoundError:
        return Hooks({})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable("webhooks.unreadable", f"{path} cannot be read as a list of webhooks", again) from None


def as_file(hooks: Hooks) -> bytes:
    """The file that holds them."""
    rows = {who: {"url": hook.url, "channel": hook.channel, "guild": hook.guild} for who, hook in hooks.of.items()}
    return (json.dumps({"log": hooks.log, "hooks": rows}, indent=1) + "\n").encode()


def sharing(hooks: Mapping[str, Hook]) -> list[tuple[str, ...]]:
    """The audiences whose webhooks write into one channel: each would read what is for the other."""
    channels: dict[str, list[str]] = {}
    for who, hook in hooks.items():
        channels.setdefault(hook.channel, []).append(who)
    return [tuple(group) for group in channels.values() if len(group) > 1]
