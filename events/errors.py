"""The errors that a host can cause, meet or fix: one root, and one class for each way a command can end.

Source: docs/log-format.md section 9.
"""

from __future__ import annotations


class LedgerError(Exception):
    """Base of every error that a host can cause or fix.

    Args:
        code: Stable name of the reason, such as "log.seal"; part of the contract.
        what: One sentence that says what is wrong; a player may read it. Names in it are not escaped: the code that
            prints it escapes it as Discord text (docs/decisions/0029-two-kinds-of-text.md).
        fix: A line to run or a thing to do next, or "". A host types it, so it is not escaped for Discord, and names
            appear in it only as words to type.
        host_only: A part that only hosts may read, or "".
    """

    def __init__(self, code: str, what: str, fix: str = "", host_only: str = "") -> None:
        super().__init__(what)
        self.code, self.what, self.fix, self.host_only = code, what, fix, host_only

    def __str__(self) -> str:
        return self.what


class Unreadable(LedgerError):
    """The input cannot be understood, or does not exist. Nothing was written."""


class Refused(LedgerError):
    """The input is understood but not allowed. Nothing was written."""


class Damaged(LedgerError):
    """The log does not verify. Nothing was written or repaired.

    `line` is the number of the first bad line, from 1, or None when no single line is to blame.
    """

    def __init__(self, code: str, what: str, fix: str = "", host_only: str = "", *, line: int | None = None) -> None:
        super().__init__(code, what, fix, host_only)
        self.line = line


class Unmet(LedgerError):
    """A checked condition does not hold, or a confirmation is missing. Nothing was written."""


class NotRecorded(LedgerError):
    """The disk or the lock failed. Nothing was recorded: the log is unchanged."""


class Moved(NotRecorded):
    """Another host of the shared match recorded first. Nothing was recorded: read the new lines and decide again."""


class OutcomeUnknown(LedgerError):
    """It is unknown whether the entry was recorded; `hl doctor` checks it."""


class Unprinted(LedgerError):
    """The entry is recorded; only its receipt could not be printed."""
