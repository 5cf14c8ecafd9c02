"""The log: the format of a line, the chain of lines, and the file.

Belongs here: bytes, hashes, instants, appending and reading. Does not belong here: any game, and the clock.
The format is described in docs/log-format.md; anyone can check a log without this package.

The public names below are loaded when they are first used: a help text needs the errors, but not the log.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from events.canon import NotCanonical, dumps, loads
    from events.chain import read_chain
    from events.disk import DISK, Disk
    from events.entry import (
        GENESIS,
        MAX_LINE_BYTES,
        Body,
        Entry,
        Line,
        close_line,
        link,
        read_bodies,
        read_body,
        seal,
        write_body,
        write_line,
    )
    from events.errors import (
        Damaged,
        LedgerError,
        Moved,
        NotRecorded,
        OutcomeUnknown,
        Refused,
        Unmet,
        Unprinted,
        Unreadable,
    )
    from events.instants import MAX_INSTANT, read_instant, snowflake_ms, write_instant
    from events.log import LogFile
    from events.making import create, create_copy
    from events.reading import Finding, Mark, Reading
    from events.writer import Writer

_HOME = {
    "canon": "NotCanonical dumps loads",
    "chain": "read_chain",
    "disk": "DISK Disk",
    "entry": "GENESIS MAX_LINE_BYTES Body Entry Line close_line link read_bodies read_body seal write_body write_line",
    "errors": "Damaged LedgerError Moved NotRecorded OutcomeUnknown Refused Unmet Unprinted Unreadable",
    "instants": "MAX_INSTANT read_instant snowflake_ms write_instant",
    "log": "LogFile",
    "making": "create create_copy",
    "reading": "Finding Mark Reading",
    "writer": "Writer",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load the module that holds a public name. Python calls this for submodules too."""
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'events' has no attribute {name!r}")
    value: object = getattr(__import__(f"events.{module}", fromlist=[name]), name)
    globals()[name] = value
    return value


__all__ = [
    "DISK", "GENESIS", "MAX_INSTANT", "MAX_LINE_BYTES", "Body", "Damaged", "Disk", "Entry", "Finding", "LedgerError",
    "Line", "LogFile", "Mark", "Moved", "NotCanonical", "NotRecorded", "OutcomeUnknown", "Reading", "Refused", "Unmet",
    "Unprinted", "Unreadable", "Writer", "close_line", "create", "create_copy", "dumps", "link", "loads", "read_bodies",
    "read_body", "read_chain", "read_instant", "seal", "snowflake_ms", "write_body", "write_instant", "write_line",
]  # fmt: skip
