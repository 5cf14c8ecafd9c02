"""Copy a text to the clipboard, by the terminal (OSC 52) and by a clipboard program of the system; and keep a backup of
the log, which is extended after each command and never prevents recording.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys

from events.disk import DISK
from ledger.render.safe import SafeText

COMMANDS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)


def _commands() -> list[tuple[str, ...]]:
    own = {"windows": "clip.exe", "macos": "pbcopy"}.get(DISK.system)  # always present on that system
    return [command for command in COMMANDS if own in (None, command[0])]


def system_command() -> tuple[str, ...] | None:
    return next((command for command in _commands() if shutil.which(command[0])), None)


def copy(text: SafeText) -> str:
    """Copy by the terminal, which never confirms it, and by the first program that works; return its name or ""."""
    if sys.stderr.isatty() and len(text.encode()) <= 74_994:  # the limit of terminals
        sys.stderr.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")
        sys.stderr.flush()
    return next((command[0] for command in _commands() if shutil.which(command[0]) and _accepts(command, text)), "")


def _accepts(command: tuple[str, ...], text: SafeText) -> bool:
    try:
        ran = subprocess.run(
            command,
            input=text.encode("utf-16" if command[0] == "clip.exe" else "utf-8"),
            env={**os.environ, "LC_CTYPE": "UTF-8"} if command[0] == "pbcopy" else None,
            check=False,
            timeout=5,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ran.returncode == 0


def keep_copy(log: str, game_id: str, folder: str, end: int) -> str | None:
    """Append to the copy of a log, `folder`/`game_id`/log.jsonl, readable by its owner only. Returns a fault, or None.

    Existing bytes of the copy are never changed: it is a fault if the log does not continue the copy. Two commands at
    the same time write the same bytes to the same place.

    Args:
        end: How many bytes of the log to copy: those that were read, so always whole lines.
    """
    path = copy_of(game_id, folder)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(log, "rb") as source, os.fdopen(DISK.open(path, os.O_RDWR | os.O_CREAT), "r+b") as copy:
            size = copy.seek(0, os.SEEK_END)
            start = max(0, size - 65_536)  # compare the end of the copy with the log
            copy.seek(start)
            source.seek(start)
            if copy.read(size - start) != source.read(size - start):
                return f"the copy in {path} is of another log, so it was left alone"
            if size < end:
                copy.seek(size)
                copy.write(source.read(end - size))
                copy.flush()
                os.fsync(copy.fileno())
    except OSError as error:
        return f"no copy in {folder}: {error.strerror}"
    return None


def copy_of(game_id: str, folder: str) -> str:
    return os.path.join(folder, game_id[:16], "log.jsonl")
