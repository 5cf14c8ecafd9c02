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
    "backup": "a folder: after each command it has a copy of the log",
    "aliases": "words for verbs",
}
SAMPLE = 'host = "mara"'


class Config(NamedTuple):
    """The file, or nothing where there is none."""

    path: str
    host: str | None = None
    zone: str | None = None
    match: str | None = None
    color: str = "auto"
    backup: str | None = None
    aliases: Mapping[str, str] = {}
    """A word -> the verb, with words after it, that it stands for."""


def read_config(env: Mapping[str, str] = os.environ) -> Config:
    """What the file says.

    Raises:
        Unreadable: `config.unreadable`, naming the file and what is wrong with it.
    """
    path = config_file(env)
    try:
        text = read_text(path, MAX_TOML_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return Config(path)
    except OSError as error:
        raise _wrong(path, f"cannot be read: {error.strerror}") from None
    from games import toml

    try:
        data = toml.parse(text)
    except Unreadable as error:
        raise _wrong(path, error.what) from None
    for key, value in data.items():
        _check(path, key, value)
    for key in {"match", "backup"} & data.keys():
        data[key] = os.path.expanduser(data[key])
    return Config(path, **data)


def _check(path: str, key: str, value: Any) -> None:
    if key not in KEYS:
        raise _wrong(path, f"there is no {key}; it may have {', '.join(KEYS)}")
    if key == "aliases":
        if not isinstance(value, Mapping) or not all(isinstance(word, str) and word.strip() for word in value.values()):
            raise _wrong(path, 'aliases is a table of words: [aliases], then t = "trade"')
    elif not isinstance(value, str) or not value.strip():
        raise _wrong(path, f"{key} must be a text")
    elif key == "color" and value not in ("auto", "always", "never"):
        raise _wrong(path, "color is auto, always or never")
    elif key == "backup" and not os.path.isabs(os.path.expanduser(value)):
        raise _wrong(path, "backup must be a whole path, from / or ~ on")


def _wrong(path: str, what: str) -> Unreadable:
    return Unreadable("config.unreadable", f"{path}: {what}", "correct that file, or take it away")
