"""What a host has settled for themself on this computer: `config.toml` in their configuration folder.

Belongs here: what the file may say. Does not belong here: anything of a match. A value counts
after an option, the environment and the match folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from events.errors import Unreadable
from events.record import NamedTuple
from ledger.core.inputs import MAX_TOML_BYTES, read_text
from ledger.core.where import config_file

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
FIX = "correct that file, or take it away"


class Config(NamedTuple):
    """The file, or nothing where there is none."""

    path: str
    host: str | None = None
    zone: str | None = None
    match: str | None = None
    color: str = "auto"
    pager: str | None = None
    backup: str | None = None
    sign: str | None = None
    aliases: Mapping[str, str] = {}
    """A word -> the verb, with words after it, that it stands for."""


def read_config(env: Mapping[str, str] = os.environ) -> Config:
    """What the file says.

    Raises:
        Unreadable: `config.unreadable`, naming the file and all that is wrong with it.
    """
    path = config_file(env)
    try:
        text = read_text(path, MAX_TOML_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return Config(path)
    except OSError as error:
        raise Unreadable(CODE, f"{path}: cannot be read: {error.strerror}", FIX) from None
    from games import toml

    try:
        data = toml.parse(text)
    except Unreadable as error:
        raise Unreadable(CODE, f"{path}: {error.what}", FIX) from None
    if wrong := {key: what for key, value in data.items() if (what := _wrong(key, value))}:
        from ledger.core.tomlfile import Document, Fault, located, refuse

        faults = [Fault((key,), what, "", CODE) for key, what in wrong.items()]
        refuse(located(faults, Document(data, text)), path, FIX)
    for key in {"match", "backup", "sign"} & data.keys():
        data[key] = os.path.expanduser(data[key])
    return Config(path, **data)


def _wrong(key: str, value: Any) -> str | None:
    """What is wrong with a value. By hand, because every start may read it: docs/decisions/0044-models-for-files.md."""
    if key not in KEYS:
        return f"no such key; it may have {', '.join(KEYS)}"
    if key == "aliases":
        if isinstance(value, Mapping) and all(isinstance(word, str) and word.strip() for word in value.values()):
            return None
        return 'must be a table of words: [aliases], then t = "trade"'
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return "must be a text"
    if key == "color" and value not in ("auto", "always", "never"):
        return "must be auto, always or never"
    if key in ("backup", "sign") and not os.path.isabs(os.path.expanduser(value)):
        return "must be a whole path, from / or ~ on"
    return None
