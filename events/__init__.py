"""The log: what a line is, how lines are chained, and the file they are kept in.

Belongs here: bytes, hashes, instants, appending and reading. Does not belong here: any game, and the clock.
The format is described in docs/log-format.md; anyone can check a log without this package.
"""

from events.canon import NotCanonical, dumps, loads
from events.chain import read_chain
from events.disk import DISK, Disk
from events.entry import (
    GENESIS,
    LONGEST,
    Body,
    Entry,
    Line,
    close_line,
    link,
    read_body,
    seal,
    write_body,
    write_line,
)
from events.errors import Damaged, LedgerError, NotRecorded, OutcomeUnknown, Refused, Unmet, Unprinted, Unreadable
from events.instants import read_instant, snowflake_ms, write_instant
from events.log import Finding, LogFile, Mark, Reading, Writer, create

__all__ = [
    "DISK",
    "GENESIS",
    "LONGEST",
    "Body",
    "Damaged",
    "Disk",
    "Entry",
    "Finding",
    "LedgerError",
    "Line",
    "LogFile",
    "Mark",
    "NotCanonical",
    "NotRecorded",
    "OutcomeUnknown",
    "Reading",
    "Refused",
    "Unmet",
    "Unprinted",
    "Unreadable",
    "Writer",
    "close_line",
    "create",
    "dumps",
    "link",
    "loads",
    "read_body",
    "read_chain",
    "read_instant",
    "seal",
    "snowflake_ms",
    "write_body",
    "write_instant",
    "write_line",
]
