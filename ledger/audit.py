"""Proving a finished log: bytes, chain, seals, canonical form, both orders, fold, laws, draws. Findings are returned.

The log is streamed. Entries that stand in the order in which they fold are folded as they are read, and nothing is
kept; otherwise time, batch and place of each entry are kept (20 bytes) and the entries are read a second time.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from events import Body, Entry, Finding, LedgerError, Line, LogFile, NotCanonical, Unreadable, read_body
from events.record import NamedTuple
from games.registry import load
from games.table.actions import ABOUT_THE_LOG
from ledger.replay import BEFORE_ALL, Engine, Index, Live, as_live, live_of, marks, with_places

HOST_MADE = frozenset({"override", "award", "amend-setting"})
"""What a host may do although a law is broken by it (more garnets than the cap): said, and no finding."""
KEEP = 100
"""Contested entries that are listed one by one."""


class Verdict(NamedTuple):
    """What `verify` says. Source: design section 8, JSON."""

    ok: bool
    entries: int
    open: int
    head: str
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        findings = [f._asdict() for f in self.findings]
        rest = {"findings": findings, "not_checked": list(self.not_checked)}
        return {"ok": self.ok, "entries": self.entries, "open": self.open, "head": self.head, **rest}


class _Draws:
    """Entries whose recorded draw is repeated once the fold has reached them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def check(self, state: Any, live: Live, number: int) -> str | None:
        """`number`: that of the entry where it was recorded first; a lot is drawn under it."""
        if "seed" not in live.args and live.do != "deal":
            return None
        try:
            return self.engine.game.audit(state, self.engine.read(live.do, live.args, state.table), number)
        except LedgerError as error:
            return error.what


def verify(path: str, receipts: Sequence[str] = (), *, full: bool = False) -> Verdict:
    """Check a log and say everything that is wrong with it, and what was not checked.

    Args:
        receipts: Heads that were published: each must be the hash of a line of this log.
        full: Is a closed line a finding?

    Raises:
        Unreadable, NotRecorded: there is no log to read.
    """
    return _Check(path, receipts, full).run()


class _Check:
    def __init__(self, path: str, receipts: Sequence[str], full: bool) -> None:
        self.full = full
        self.log = LogFile(path)
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.wanted = {receipt.strip().lower() for receipt in receipts}
        self.head, self.game_id, self.entries, self.open = "", "", 0, 0
        # What a second reading needs, 20 bytes an entry.
        self.at, self.batch, self.offset, self.size = array("q"), array("i"), array("q"), array("i")
        self.about: list[Entry] = []
        self.engine: Engine | None = None
        self.state: Any = None
        self.ordered = True
        self.contested: dict[int, LedgerError] = {}
        self.ruled: set[int] = set()
        self.overridden = False

    def run(self) -> Verdict:
        previous = BEFORE_ALL
        for line in self.log.scan(self.findings):
            self.entries, self.head = line.seq, line.hash
            self.game_id = self.game_id or line.hash
            self.wanted.discard(line.hash)
            if line.body is None:
                if self.full:
                    self.findings.append(Finding(line.seq, "log.closed", f"line {line.seq} is closed"))
                continue
            self.open += 1
            body = self._body(line)
            if body is None:
                break
            self._keep(line, body)
            self.ordered = self.ordered and body.do not in ABOUT_THE_LOG
            setup = line.seq == 1 or body.batch == 1
            if not setup:
                self.ordered = self.ordered and body.at >= previous
                previous = body.at
            if self.ordered and self.open == self.entries:
                self._step(line.seq, body, setup)
        self._fold_again()
        self._conclude()
        return Verdict(
            not self.findings, self.entries, self.open, self.head, tuple(self.findings), tuple(self.not_checked)
        )

    def _body(self, line: Line) -> Body | None:
        assert line.body is not None
        try:
            return read_body(line.body)
        except NotCanonical as error:
            self.findings.append(Finding(line.seq, "log.not_canonical", f"line {line.seq}: {error}"))
            return None

    def _keep(self, line: Line, body: Body) -> None:
        self.at.append(body.at)
        self.batch.append(body.batch if body.batch and body.batch <= line.seq else 0)  # one that lies names no batch
        if body.batch == 1 and line.seq > 1 and self.open == line.seq and self.batch[-2] != 1:
            what = f"line {line.seq} says that it was written with line 1, and is not one of the entries after it"
            self.findings.append(Finding(line.seq, "log.batch", what))
        self.offset.append(line.offset)
        self.size.append(line.size)
        if body.do == "posted" and not body.args.get("dropped"):
            text = body.args.get("text")
            digest = hashlib.sha256(text.encode()).hexdigest() if isinstance(text, str) else ""
            if digest != body.args.get("digest"):
                what = f"entry {line.seq}: the text and its digest do not agree"
                self.findings.append(Finding(line.seq, "posted.digest", what))
        if body.do in ABOUT_THE_LOG:
            self.about.append(Entry(line.seq, line.hash, body))

    def _start(self, body: Body) -> bool:
        """Fold line 1. False when it cannot be folded here; then only bytes, chain and seals were checked."""
        try:
            if body.do != "create":
                raise Unreadable("log.no_create", "line 1 does not create a match")
            self.engine = Engine(load(str(body.args.get("game"))))
            self.draws = _Draws(self.engine)
            self.state = self.engine.start(body, self.game_id)
        except Unreadable as error:
            self.engine = None
            self.not_checked.append(f"fold, laws and draws: {error.what}")
            return False
        return True

    def _step(self, seq: int, body: Body, setup: bool) -> None:
        if seq == 1:
            self.ordered = self._start(body)
            return
        self._fold_one(Live(BEFORE_ALL, seq, body.do, body.by, body.args, True) if setup else live_of(body, seq), seq)

    def _fold_one(self, live: Live, number: int) -> None:
        assert self.engine is not None
        self.state, outcome = self.engine.step(self.state, live)
        if outcome.refusal is not None:
            self.contested[live.seq] = outcome.refusal
            return
        if live.do == "ruling" and isinstance(about := live.args.get("about"), int):
            self.ruled.add(about)
        self.overridden = self.overridden or live.do in HOST_MADE
        if problem := self.draws.check(self.state, live, number):
            self.findings.append(Finding(live.seq, "draw.other", f"entry {live.seq}: {problem}"))

    def _fold_again(self) -> None:
        """The second reading, for a log whose entries do not stand in the order in which they fold."""
        if self.ordered or self.open != self.entries or not self.entries or self.engine is None:
            if self.open != self.entries:
                closed = self.entries - self.open
                self.not_checked.append(f"{closed} closed lines: what they say, and so fold, laws and draws")
            return
        self.contested.clear()
        self.ruled.clear()
        self.findings = [f for f in self.findings if f.code != "draw.other"]
        layout = self._layout()
        said = marks(layout)
        about = {entry.seq for entry in self.about}
        order = []
        for seq in range(2, len(self.at) + 1):
            if seq in about or seq in said.struck:
                continue
            order.append((self._folds_at(seq, layout, said), layout.place(seq), seq))
        order.sort()
        started = False
        for seq, body in self._read([1, *(seq for *_, seq in order)]):
            if not started:
                self.state, started = self.engine.start(body, self.game_id), True
                continue
            self._fold_one(as_live(Entry(seq, "", body), said, layout), layout.place(seq)[0])

    def _layout(self) -> Index:
        """Batches and places; only a log that was joined with another copy is read once more for its places."""
        plain = Index(self.about, self.batch)
        if not any(entry.body.do == "join" for entry in self.about):
            return plain
        lines = self.log.scan([])
        return with_places(plain, (Entry(s, h, read_body(b)) for s, h, b, *_ in lines if b is not None))

    def _folds_at(self, seq: int, layout: Index, said: Any) -> int:
        stub = Entry(seq, "", Body(do="", at=self.at[seq - 1], by="", recorded=0, args={}))
        return as_live(stub, said, layout).at

    def _read(self, seqs: Iterable[int]) -> Iterator[tuple[int, Body]]:
        """The bodies of these lines, in this order."""
        places = ((seq, self.offset[seq - 1], self.size[seq - 1]) for seq in seqs)
        for seq, raw in self.log.lines_at(places):
            yield seq, read_body(raw)

    def _conclude(self) -> None:
        for seq, refusal in sorted(self.contested.items())[:KEEP]:
            if seq not in self.ruled:
                what = f"entry {seq} is contested and not settled: {refusal.what}"
                self.findings.append(Finding(seq, "log.contested", what))
        if self.engine is not None and self.open == self.entries:
            for law in self.engine.game.invariants(self.state):
                if self.overridden:
                    self.not_checked.append(f"a law that no longer holds after what a host decided: {law}")
                else:
                    self.findings.append(Finding(self.entries, "fold.law", f"after the last entry, {law}"))
        for receipt in sorted(self.wanted):
            what = f"no line has the hash {receipt}: it is of another log, or history was rewritten"
            self.findings.append(Finding(self.entries, "receipt.unknown", what))
        if self.log.unproved:
            self.not_checked.append("the end of the log: there is no head record; give a receipt with --receipt")
