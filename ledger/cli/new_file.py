"""Files that a command writes, all but the log and what belongs to it (events/): private, whole or not at all.

Belongs here: making them and their folders. Does not belong here: which names are a log's own (log_names.py).
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import stat

from events.disk import DISK, attempt, folded, folder_of, in_folder, name_of
from events.errors import NotRecorded, Unreadable
from events.files import same_file
from ledger.core.inputs import open_plain
from ledger.core.where import FIRST_LINE, LOG_NAME


def make_folder(folder: str) -> None:
    """Make a folder that its owner alone may read, and those around it; one that is there stays as it is.

    Raises:
        NotRecorded: `output.disk`.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"{folder} cannot be a folder: {error.strerror}"
        raise NotRecorded("output.disk", what, "choose another place") from None


def write_new(target: str, data: bytes, *, overwrite: bool, ours: bool = False) -> None:
    """Write a private file, whole or not at all; no file is overwritten unasked, and no link is followed.

    Args:
        ours: It is one that belongs to a log.

    Raises:
        Unreadable: `output.exists`; `output.match`, it would take the place of a file of a match.
        NotRecorded: `output.disk`.
    """
    try:
        if not ours and is_of_a_match(target):
            what = f"{target} is a log, or belongs to one, and is not written over"
            raise Unreadable("output.match", what, f"another name: {free_name(target)}")
        overwrite = _is_there(target, overwrite=overwrite)
        handle, unfinished = _unfinished(folder_of(target))
        try:
            _fill(handle, data)
            if overwrite:
                DISK.close(handle)
                handle = -1
                DISK.replace(unfinished, target)
            else:
                handle = _give_name(handle, unfinished, target)
        except BaseException:
            attempt(DISK.close, handle)
            attempt(DISK.unlink, unfinished)
            raise
        attempt(DISK.close, handle)
    except FileExistsError:
        raise Unreadable("output.exists", f"{target} is there already", "--overwrite, or another name") from None
    except OSError as error:
        what = f"{target} cannot be written: {error.strerror}"
        raise NotRecorded("output.disk", what, "choose another place") from None


def _unfinished(folder: str) -> tuple[int, str]:
    """A new private file in that folder, open for writing: what stands under a name is whole."""
    for number in itertools.count():
        path = in_folder(folder, f".hl-{os.getpid()}-{number}.new")
        try:
            return DISK.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL), path
        except FileExistsError:
            continue  # a process of that number was killed here once
    raise AssertionError("counting never ends")


def _fill(handle: int, data: bytes) -> None:
    """Write all of it and bring it to the disk."""
    done = 0
    while done < len(data):
        done += DISK.write(handle, data[done : done + (1 << 20)])
    DISK.fsync(handle)


def _is_there(target: str, *, overwrite: bool) -> bool:
    """Is there a plain file that may be replaced? Raise OSError if something else has the name."""
    try:
        there = os.lstat(target)
    except FileNotFoundError:
        return False
    if not overwrite:
        raise FileExistsError(errno.EEXIST, "File exists")
    if not stat.S_ISREG(there.st_mode):
        raise OSError(errno.EINVAL, "it is no plain file")
    return True


def _give_name(handle: int, unfinished: str, target: str) -> int:
    """Give the finished file its name, never over another; its descriptor, or -1 when it was closed."""
    try:
        handle = DISK.give_name(handle, unfinished, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        _is_there(target, overwrite=False)
        DISK.rename(unfinished, target)
        return handle
    return DISK.settle_name(handle, unfinished, target)


_BESIDE = r"head|((head|wire|pending)\.)?new-.*|torn-.*|settled|webhooks|wire|wire-unfinished|pending|signed|git"
_OF_A_LOG = rf"(?s)(.+\.jsonl)\.({_BESIDE})"
"""Names beside a log that are the log's own."""
_FIRST_LINE = rb'\{"seq":1,"prev":"0{64}","seal":"[0-9a-f]{64}"'
_CLOSED_LINE = rb'\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","seal":"[0-9a-f]{64}"\}\n'


def is_of_a_match(target: str) -> bool:
    """Is it a log, or a name beside a log that is the log's own?

    A file is a log when a head record stands beside it, or when it begins as one does: so under every name, through
    every folder, for every match. A copy with closed lines and without a head record is not: nobody records in it.

    Raises:
        PermissionError: nobody may look.
    """
    name = folded(name_of(target)).rstrip(". ")  # as Windows and macOS compare names, so that no disk is fooled
    if re.fullmatch(_OF_A_LOG, name) or (name.endswith(".jsonl") and os.path.lexists(f"{target}.head")):
        return True
    if _other_name_of_a_log(target):
        return True
    try:
        with os.fdopen(open_plain(target), "rb") as file:
            if not re.match(_FIRST_LINE, file.readline(FIRST_LINE)):
                return name == LOG_NAME
            return not any(re.fullmatch(_CLOSED_LINE, line) for line in iter(lambda: file.readline(FIRST_LINE), b""))
    except PermissionError:
        raise
    except OSError:
        return False  # there is nothing, or nothing that could be a log


def _other_name_of_a_log(target: str) -> bool:
    """Does a file of a log in that folder have this as another name: a short one of Windows, or a second one?"""
    try:
        there = os.stat(target)
        names = [name for name in os.listdir(folder_of(target) or ".") if re.fullmatch(_OF_A_LOG, folded(name))]
        return any(same_file(there, os.stat(in_folder(folder_of(target), name))) for name in names)
    except OSError:
        return False


def free_name(target: str) -> str:
    """A name in this folder that could be written instead."""
    stem, dot, kind = os.path.basename(target).partition(".")
    names = (f"{stem}-{n}{dot}{kind.partition('.')[0]}" for n in itertools.count(2))
    return next(name for name in names if not os.path.lexists(name))
