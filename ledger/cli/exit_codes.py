"""The exit code of each kind of error. Source: docs/commands.md, exit codes."""

from __future__ import annotations

from events.errors import (
    Damaged,
    LedgerError,
    NotRecorded,
    OutcomeUnknown,
    Refused,
    Unmet,
    Unprinted,
    Unreadable,
)  # fmt: skip

EXIT_CODES: dict[type[LedgerError], int] = {
    Unreadable: 2,
    Refused: 3,
    Damaged: 4,
    Unmet: 5,
    NotRecorded: 6,
    OutcomeUnknown: 7,
    Unprinted: 8,
}


def exit_code(error: LedgerError) -> int:
    """1 for an error of no kind."""
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), 1)
