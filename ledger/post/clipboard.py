"""Copying a text: to the terminal's clipboard (OSC 52), and to the system's with one of its clipboard programs."""

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
    own = {"windows": "clip.exe", "macos": "pbcopy"}.get(DISK.system)  # what such a system always has
    return [command for command in COMMANDS if own in (None, command[0])]


def system_command() -> tuple[str, ...] | None:
    return next((command for command in _commands() if shutil.which(command[0])), None)


def copy(text: SafeText) -> str:
    """Copy with the first program that takes the text; its name. The terminal, which never confirms it, is none."""
    if sys.stderr.isatty() and len(text.encode()) <= 74_994:  # terminals take no more
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
