"""The only door to the system: every call on a file, lock or signal goes through a `Disk`.

Tests replace the object, so nothing else in the project may call `os` on these files.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from shlex import quote
from typing import Any
from unicodedata import normalize

if sys.platform == "win32":
    from events.windows import Disk as Disk
else:
    from events.posix import Disk as Disk

DISK = Disk()
_LIBRARY = ("", "Library", "Application Support")
_OWN: dict[str, dict[str, tuple[str, ...]]] = {
    "linux": {"config": ("", ".config"), "state": ("", ".local", "state"), "data": ("", ".local", "share")},
    "macos": {"config": _LIBRARY, "state": _LIBRARY, "data": _LIBRARY},
    "windows": {
        "config": ("APPDATA", "AppData", "Roaming"),
        "state": ("LOCALAPPDATA", "AppData", "Local"),
        "data": ("LOCALAPPDATA", "AppData", "Local"),
    },
}
"""System -> kind -> the environment variable that names a user's folder, and the default path below their home."""


folder_of, name_of, in_folder, same_file = os.path.dirname, os.path.basename, os.path.join, os.path.samestat
"""Path helpers without pathlib, whose import would cost more than the rest of start-up."""


def own_folder(kind: str, env: Mapping[str, str] = os.environ, system: str = "") -> str:
    """The user's folder for `config`, `state` or `data`; `$XDG_CONFIG_HOME` and its like take precedence."""
    variable, *below = _OWN[system or DISK.system][kind]
    base = env.get(f"XDG_{kind.upper()}_HOME") or env.get(variable) or os.path.join(os.path.expanduser("~"), *below)
    return os.path.join(base, "host-ledger")


def folded(name: str) -> str:
    """A name folded as file systems do that treat `Log` and `log`, or two encodings of `ö`, as the same name."""
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFC", name).casefold())


def line_to_run(*words: str) -> str:
    """A command line for a POSIX shell; the code that prints it rewrites it for the shell in use."""
    return " ".join(map(quote, words))


@contextmanager
def closing(disk: Disk, fd: int) -> Iterator[int]:
    try:
        yield fd
    finally:
        disk.close(fd)


def attempt(call: Callable[..., object], *arguments: Any) -> OSError | None:
    """Make a call that is allowed to fail; return its error, or None."""
    try:
        call(*arguments)
    except OSError as error:
        return error
    return None
