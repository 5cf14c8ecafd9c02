"""The plug-in through which `ledger/core/logs.py` finds and opens shared matches.

It loads the rest of this room only for a match that is shared.
"""

from __future__ import annotations

from events.errors import Unreadable
from events.log import LogFile
from ledger.core.clock import now_ms
from ledger.core.logs import LogPlugin
from ledger.wire.protocol import read_place
from ledger.wire.sidecars import WIRE, known_mirror


def is_url(named: str) -> bool:
    """Whether this is the URL of a shared match (well formed or not) and not a folder.

    >>> is_url("git+file:///srv/hl.git#ep4"), is_url("ep4")
    (True, False)
    """
    return named.find("://") > 1  # a single letter before it is a drive


def mirror_of(url: str) -> str | None:
    """The log of this machine's mirror of the URL, if there is one.

    Raises:
        Unreadable: `wire.password`, `wire.url`.
    """
    return known_mirror(read_place(url).url)


def _find(url: str) -> str:
    """As `mirror_of`, but raises Unreadable `wire.no_mirror` if the match was not cloned."""
    if (log := mirror_of(url)) is None:
        raise Unreadable("wire.no_mirror", "this machine has no mirror of that match", "hl clone URL")
    return log


def _open(path: str) -> LogFile:
    from ledger.wire.mirror import SharedLog  # 0.4 bare interpreters of each trade, 0.6 of each Tab

    return SharedLog(path, now_ms)


PLUGIN = LogPlugin(WIRE, is_url, _find, _open)
