"""The log: the format of a line, the chain of lines, and the file. This package knows no game and no clock.

The format is described in docs/log-format.md; anyone can check a log without this package.
"""

from __future__ import annotations

from events.canon import NotCanonical, dumps, loads
from events.disk import Disk
from events.entry import GENESIS, Body, Entry, Line, close_line, read_bodies, read_body, write_body, write_line
from events.errors import Damaged, LedgerError, Moved, NotRecorded, OutcomeUnknown, Refused, Unmet, Unreadable
from events.instants import MAX_INSTANT, read_instant, snowflake_ms, write_instant
from events.log import LogFile
from events.reading import Finding, Mark, Reading, read_chain
from events.writer import create

__all__ = [
    "GENESIS", "MAX_INSTANT", "Body", "Damaged", "Disk", "Entry", "Finding", "LedgerError", "Line", "LogFile", "Mark",
    "Moved", "NotCanonical", "NotRecorded", "OutcomeUnknown", "Reading", "Refused", "Unmet", "Unreadable", "close_line",
    "create", "dumps", "loads", "read_bodies", "read_body", "read_chain", "read_instant", "snowflake_ms", "write_body",
    "write_instant", "write_line",
]  # fmt: skip
