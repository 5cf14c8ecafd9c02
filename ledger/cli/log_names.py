"""Which names and files belong to a log, so that no command writes over them.

Source: docs/log-format.md sections 6 to 8.
"""

from __future__ import annotations

import itertools
import os
import re

from events.disk import folded, folder_of, in_folder, name_of
from events.files import same_file
from ledger.core.inputs import open_plain
from ledger.core.where import FIRST_LINE, LOG_NAME

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
