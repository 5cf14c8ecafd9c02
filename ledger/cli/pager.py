"""The pager: which program a host wants, and giving it a text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

from events.disk import DISK


def pager(settled: str | None) -> str:
    """The command of the pager: $PAGER, what the host has settled, `less` or `more`; empty: none is wanted."""
    if (command := os.environ.get("PAGER", settled)) is not None:
        return "" if command.strip() == "cat" else command.strip()
    if os.environ.get("TERM") == "dumb":
        return ""
    usual = ("less",) if DISK.system == "windows" else ("less", "more")  # more.com shows no UTF-8
    return next((name for name in usual if shutil.which(name)), "")


def through(command: str, text: str) -> bool:
    """Give the text to a pager and wait until it has ended; is there such a program?

    Not click's: that puts the text into a file in a folder for all where the system is Windows.
    """
    try:
        words = shlex.split(command, posix=DISK.system != "windows")
    except ValueError:
        return False
    program = shutil.which(words[0].strip('"')) if words else None
    if program is None:
        return False
    env = {**os.environ, "LESS": os.environ.get("LESS", "-R")}
    running = subprocess.Popen([program, *words[1:]], stdin=subprocess.PIPE, env=env)
    left = text.encode(errors="replace")
    while True:
        try:
            running.communicate(left)  # that it was left before the end is no error
        except KeyboardInterrupt:
            left = b""  # the pager answers it
            continue
        return True
