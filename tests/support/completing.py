"""What a shell would offer at the end of a line, in this process."""

from __future__ import annotations

from ledger.cli import completion
from ledger.cli.root import hl
from ledger.core.match import Match

A_FILE = "a file"
"""Stands for the names of files, which the shell knows."""


def offered(*words: str, known: Match | None = None) -> list[str]:
    """What the last of the words after `hl` may become; `known`: a match in memory."""
    items = completion.candidates(hl, list(words) or [""], completion.Looking(known=known))
    return [A_FILE if item.type == "file" else item.value for item in items]
