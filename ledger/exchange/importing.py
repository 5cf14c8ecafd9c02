"""Importing: the rows of a form's answers, each an entry of its own, recorded or tried. Source: docs/import.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from events import LedgerError, Refused, Unreadable
from events.record import NamedTuple
from games.records import args_of, kebab
from ledger.core.match import Match
from ledger.core.times import message_id
from ledger.exchange.orders import BadCell, Order, Reader
from ledger.exchange.rows import BadRow, Row
from ledger.record.plan import Ask, Options, Written
from ledger.record.recorder import preview, record_actions
from ledger.tell.entry_words import as_typed


class RowOutcome(NamedTuple):
    """What became of a row (or would): `recorded`, `known`, `double`, `unreadable`, `refused`."""

    row: int
    status: str
    text: str
    written: Written | None = None
    error: LedgerError | None = None
    column: str | None = None


def run(
    match: Match, reader: Reader, rows: Sequence[Row | BadRow], *, ask: Ask | None, again: bool, force: bool
) -> Iterator[RowOutcome]:
    """What becomes of each row. Rows that were read are taken in the order in which they count.

    Args:
        ask: Records, each row by itself; None: nothing is written, each row is tried on what the ones before it left.

    Raises:
        NotRecorded, OutcomeUnknown, Damaged: from the log; the rows before are recorded.
    """
    orders: list[Order] = []
    first: dict[str, int] = {}
    for row in rows:
        if isinstance(row, BadRow):
            yield RowOutcome(row.number, "unreadable", row.error.what, error=row.error)
            continue
        try:
            order = reader.order(row)
        except BadCell as error:
            yield RowOutcome(row.number, "unreadable", error.error.what, error=error.error, column=error.column)
            continue
        if (earlier := first.setdefault(order.once, order.row)) != order.row:
            yield RowOutcome(order.row, "double", f"the same as row {earlier} of this file")
        else:
            orders.append(order)
    orders = _with_marks(match, orders, first)
    orders.sort(key=lambda order: (reader.now if order.at is None else order.at, order.row))
    for order in orders:
        options = Options(
            by=order.by, at=order.at, evidence=order.evidence, once=order.once, again=again, force=force, yes=True,
            early=True,
        )  # fmt: skip
        try:
            if ask is None:
                written, match = preview(match, order.action, options)
            else:
                written = record_actions(match, [order.action], options, ask)
        except (Refused, Unreadable) as error:
            yield _refused(match, order, error)
            continue
        if written.repeated:
            struck = " (undone since)" if written.seqs[0] in match.fold.marks.struck else ""
            yield RowOutcome(order.row, "known", f"recorded before, as entry {written.seqs[0]}{struck}", written)
        else:
            yield RowOutcome(
                order.row, "recorded", as_typed(match, kebab(type(order.action)), args_of(order.action)), written
            )


def _with_marks(match: Match, orders: Sequence[Order], keys: Mapping[str, int]) -> list[Order]:
    """Mark the evidence of a new row that stands where, in an earlier export, another row stood that has only moved.

    If that other row is gone from the file, somebody has edited it: the evidence stays the same, and is refused.
    """
    moved = {
        entry.body.evidence
        for entry in match.book.entries
        if entry.body.evidence is not None and not keys.keys().isdisjoint(match.fold.layout.called(entry))
    }
    known = {key for entry in match.book.entries for key in match.fold.layout.called(entry)}
    return [
        order._replace(evidence=f"{order.evidence} ({order.once[4:12]})")
        if order.placed and order.evidence in moved and order.once not in known
        else order
        for order in orders
    ]


def _refused(match: Match, order: Order, error: LedgerError) -> RowOutcome:
    """What became of a refused row: `known` if an entry from the same message says the same, else `refused`."""
    if error.code == "evidence.duplicate":
        cited, args = message_id(order.evidence), args_of(order.action)
        for entry in match.book.entries:
            body = entry.body
            if body.evidence is None or message_id(body.evidence) != cited or body.do != kebab(type(order.action)):
                continue
            if all(body.args.get(name) == value for name, value in args.items()):
                return RowOutcome(order.row, "known", f"this message is recorded already, as entry {entry.seq}")
    return RowOutcome(order.row, "refused", error.what, error=error)
