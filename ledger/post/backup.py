"""A second copy of the log, kept up after each command: never in the way of recording."""

from __future__ import annotations

import os

from events.disk import DISK


def keep_copy(log: str, game_id: str, folder: str, end: int) -> str | None:
    """Append to the copy of a log, `folder`/`game_id`/log.jsonl, readable by its owner alone. Returns a fault, or None.

    Bytes of the copy are never changed: a log that does not continue it is not copied, and that is the fault. Two
    commands at once write the same bytes to the same place.

    Args:
        end: How many bytes of the log are copied: those that were read, so always whole lines.
    """
    path = copy_of(game_id, folder)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(log, "rb") as source, os.fdopen(DISK.open(path, os.O_RDWR | os.O_CREAT), "r+b") as copy:
            size = copy.seek(0, os.SEEK_END)
            start = max(0, size - 65_536)  # its end is compared with the log
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
