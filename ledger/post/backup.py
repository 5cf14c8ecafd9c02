"""A second copy of the log, kept up after each command: never in the way of recording."""

from __future__ import annotations

import os

from events.disk import DISK

TAIL = 65_536
"""Bytes at the end of the copy that must be those of the log, before more is put after them."""


def keep_copy(log: str, game_id: str, folder: str, end: int) -> str | None:
    """Bring the copy of a log up to it: `folder`/`game_id`/log.jsonl, for its owner alone. What went wrong, or None.

    What stands in the copy is never changed: a log that does not go on from it is told, and not copied. Two commands at
    once write the same bytes to the same place.

    Args:
        end: How much of the log is copied, bytes: what was read of it, never half a line.
    """
    path = copy_of(game_id, folder)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(log, "rb") as source, os.fdopen(DISK.open(path, os.O_RDWR | os.O_CREAT), "r+b") as copy:
            size = copy.seek(0, os.SEEK_END)
            start = max(0, size - TAIL)
            copy.seek(start)
            source.seek(start)
            if copy.read(size - start) != source.read(size - start):
                return f"the copy in {path} is of another history: it stays as it is"
            if size < end:
                copy.seek(size)
                copy.write(source.read(end - size))
                copy.flush()
                os.fsync(copy.fileno())
    except OSError as error:
        return f"no copy in {folder}: {error.strerror}"
    return None


def copy_of(game_id: str, folder: str) -> str:
    """Where the copy of a match lies."""
    return os.path.join(folder, game_id[:16], "log.jsonl")
