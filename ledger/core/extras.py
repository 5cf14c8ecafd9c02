"""Packages that only an extra installs: the error when one is missing, and the command line that installs it."""

from __future__ import annotations

import sys
from pathlib import Path

from events.disk import line_to_run
from events.errors import Unreadable
from ledger.core.clash import source_folder


class NotInstalled(Unreadable):
    """A feature needs an extra that is not installed. Use `with NotInstalled(...):` around imports of its packages."""

    def __init__(self, code: str, what: str, extra: str = "", otherwise: str = "") -> None:
        missing = f"{what} needs the extra {extra}, which is not installed{otherwise}"
        super().__init__(code, missing, install_line(extra))

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: object, __: object) -> None:
        if isinstance(error, ImportError) and (error.name or "").partition(".")[0] not in ("events", "games", "ledger"):
            raise self from None


def install_line(extra: str) -> str:
    """The command line that adds an extra, using whatever installed the program here: pipx, uv or pip."""
    wanted, parts = f"{source_folder()}[{extra}]", Path(sys.prefix).parts
    if "pipx" in parts:
        return line_to_run("pipx", "install", "--force", wanted)
    if "uv" in parts:
        return line_to_run("uv", "tool", "install", "--force", wanted)
    return line_to_run(sys.executable, "-m", "pip", "install", wanted)
