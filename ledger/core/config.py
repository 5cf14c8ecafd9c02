"""The settings of a host on this computer: `config.toml` in their configuration folder.

Options, the environment and the match folder take precedence over the file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from events.errors import Unreadable
from events.record import NamedTuple
from games import toml
from ledger.core.inputs import MAX_TOML_BYTES, read_text
from ledger.core.logs import config_file

KEYS = {
    "host": "who records, where the match has a host of that name",
    "zone": "of a match file that names none",
    "match": "the match to look at where there is none; nothing is recorded in it unasked",
    "color": "auto, always or never",
    "pager": "the program that shows what is longer than the screen, after $PAGER; cat for none",
    "backup": "a folder: after each command it has a copy of the log",
    "sign": "an ssh key: what this host sends to a shared match is signed with it",
    "aliases": "words for verbs",
}
CODE = "config.unreadable"
FIX = "correct that file, or move it away"


class Config(NamedTuple):
    path: str
    host: str | None = None
    zone: str | None = None
    match: str | None = None
    color: str = "auto"
    pager: str | None = None
    backup: str | None = None
    sign: str | None = None
    aliases: Mapping[str, str] = {}


def read_config(env: Mapping[str, str] = os.environ) -> Config:
    """The settings of the file.

    Raises:
        Unreadable: `config.unreadable`; it names the file and all its faults.
    """
    path = config_file(env)
    try:
        text = read_text(path, MAX_TOML_BYTES)
        data = toml.parse(text)
    except (FileNotFoundError, NotADirectoryError):
        return Config(path)
    except OSError as error:
        raise Unreadable(CODE, f"{path}: cannot be read: {error.strerror}", FIX) from None
    except Unreadable as error:
        raise Unreadable(CODE, f"{path}: {error.what}", FIX) from None
    if faulty := {key: fault for key, value in data.items() if (fault := _fault_of(key, value))}:
        from ledger.core.tomlfile import Document, Fault, located, refuse  # 0.3 bare interpreters of each command

        faults = [Fault((key,), fault, "", CODE) for key, fault in faulty.items()]
        refuse(located(faults, Document(data, text)), path, FIX)
    for key in {"match", "backup", "sign"} & data.keys():
        data[key] = os.path.expanduser(data[key])
    return Config(path, **data)


def _fault_of(key: str, value: Any) -> str | None:
    """The fault of a value, or None. Done without pydantic, since any start may read the file: docs/decisions/0044."""
    if key not in KEYS:
        return f"no such key; it may have {', '.join(KEYS)}"
    if key == "aliases":
        if isinstance(value, Mapping) and all(isinstance(verb, str) and verb.strip() for verb in value.values()):
            return None
        return 'must be a table of words: [aliases], then t = "trade"'
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return "must be a text"
    if key == "color" and value not in ("auto", "always", "never"):
        return "must be auto, always or never"
    if key in ("backup", "sign") and not os.path.isabs(os.path.expanduser(value)):
        return "must be a whole path, from / or ~ on"
    return None
