"""The one factory: which object stands for a log, the file itself or the mirror of a shared match.

Loads nothing of the rest of this room for a match that is not shared.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from events.log import LogFile


def is_url(named: str) -> bool:
    """Is this the URL of a shared match, well formed or not, and no folder?

    >>> is_url("git+file:///srv/hl.git#ep4"), is_url("ep4")
    (True, False)
    """
    return named.find("://") > 1  # one letter before it is a drive


def mirror_of(url: str) -> str | None:
    """The log of the mirror of this URL on this machine, if it has one.

    Raises:
        Unreadable: `wire.password`, `wire.url`.
    """
    from ledger.wire.beside import known_mirror
    from ledger.wire.urls import read_place

    return known_mirror(read_place(url).url)


def log_at(path: str, now: Callable[[], int]) -> LogFile:
    """The log at this path; a mirror when `<path>.wire` stands beside it.

    Args:
        now: The present instant, ms since 1970 UTC.
    """
    if os.path.lexists(path + ".wire"):
        from ledger.wire.mirror import SharedLog

        return SharedLog(path, now)
    from events.log import LogFile

    return LogFile(path)
