"""Copying a text: to the terminal's clipboard (OSC 52) and to the system's, with whatever program the system has."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ledger.render.safe import SafeText

COMMANDS = (
    ("pbcopy",), ("wl-copy",), ("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input"), ("clip.exe",),
)  # fmt: skip
OSC_LIMIT = 74_994
"""Bytes of text that terminals take in one OSC 52 sequence."""


def system_command() -> tuple[str, ...] | None:
    """The system's own clipboard program, if there is one."""
    return next((command for command in COMMANDS if shutil.which(command[0])), None)


def copy(text: SafeText) -> bool:
    """Copy where it can be done; was there any place?"""
    done = False
    if sys.stderr.isatty() and len(text.encode()) <= OSC_LIMIT:
        sys.stderr.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")
        sys.stderr.flush()
        done = True
    command = system_command()
    if command is not None:
        try:
            ran = subprocess.run(
                command,
                input=text.encode(),
                check=False,
                timeout=5,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            done = done or ran.returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            pass
    return done
