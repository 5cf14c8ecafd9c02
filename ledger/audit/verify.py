"""Proving a finished log: bytes, chain, seals, canonical form, both orders, fold, laws, draws, what players were told,
receipts. Findings are returned, all at once.

The log is streamed. Entries that stand in the order in which they fold are folded as they are read, and nothing is
kept; otherwise time, batch and place of each entry are kept (16 bytes) and the entries are read a second time. What
entries say of other lines (anchors, receipts under texts) is looked up in one more reading, where there is any.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any

from events import Body, Entry, Finding, LedgerError, Line, LogFile, NotCanonical, Unreadable, read_body, write_instant
from events.disk import DISK, Disk
from events.instants import Instant
from games.contract import Moment
from games.table.actions import META_VERBS
from ledger.audit.claims import Claim, claim_of, compare
from ledger.audit.draws import Draws
from ledger.audit.published import NAMED, Proof, Published, taken_for
from ledger.audit.receipts import HASH, Digest, Head
from ledger.audit.remarks import corrections, naming, ranges
from ledger.audit.report import VerifyReport
from ledger.core.commitments import Deals
from ledger.core.deal_record import DEAL_VERBS
from ledger.core.layout import Index, with_places
from ledger.core.live import BEFORE_ALL, Live, Marks, as_live, is_remark, marks
from ledger.core.outside import load
from ledger.core.replay import FORMAT, Engine

HOST_MADE = frozenset({"override", "award", "declare", "amend-setting"})
"""What a host may do although a law is broken by it (more garnets than the cap): said, and no finding."""
WEIGHED = HOST_MADE | {"ruling"}
"""What is looked at once it was folded. So is an entry that holds a seed, or may hold a draw."""
NOTED = META_VERBS | DEAL_VERBS
"""What is kept of a log besides times and batches. So is an entry that holds a seed, or a draw by its label."""
_LiveFields = tuple[Moment, str, Mapping[str, Any], bool]  # of `live_of`, without its constructor: 5 % of the time
ENTRIES_READ_AHEAD = 128
MAX_LISTED = 100
"""Contested entries that are listed one by one."""
STOPS = frozenset(f"log.{why}" for why in ("layout", "seq", "chain", "seal", "too_long", "cut", "not_canonical"))
"""Findings after which nothing can be read."""


def verify(
    path: str,
    receipts: Sequence[str] = (),
    *,
    full: bool = False,
    digests: Sequence[Digest] = (),
    heads: Sequence[Head] = (),
    signers: str | None = None,
    disk: Disk = DISK,
) -> VerifyReport:
    """Check a log and say everything that is wrong with it, and what was not checked.

    Args:
        receipts: Hashes that were published: each must be that of a line of this log.
        full: Is a closed line a finding?
        digests: What else was published, by what the text takes it for: a receipt must be of a line, a commitment or a
            seed in one; what no word says is the first of these that fits.
        heads: Heads in three lines that were published: match and number must fit as well.
        signers: File of allowed signers; each of `heads` must be signed by one of them.
        disk: What gives the log and its head record, where they are no files.

    Raises:
        Unreadable, NotRecorded: there is no log to read. Unmet: `sign.tool`, signatures cannot be checked here.
    """
    receipts = [receipt.strip().lower() for receipt in receipts]
    return _Check(path, [*(Digest("receipt", one) for one in receipts), *digests], full, heads, signers, disk).run()


class _Check:
    def __init__(
        self,
        path: str,
        digests: Sequence[Digest],
        full: bool,
        heads: Sequence[Head],
        signers: str | None,
        disk: Disk,
    ) -> None:
        self.full = full
        self.log = LogFile(path, disk)
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.remarks: list[str] = []
        self.heads, self.signers = heads, signers
        self.digests = [*digests, *(Digest("receipt", head.hash) for head in heads)]
        self.wanted: dict[str, int] = dict.fromkeys((digest.hash for digest in self.digests), 0)
        """Hash -> the line whose hash it is, 0 for none."""
        self.named: dict[Digest, int] = {}
        """Commitment, seed or word that is wanted -> the first line that holds it."""
        self.head, self.game_id, self.entries, self.closed = "", "", 0, 0
        # What a second reading needs, 16 bytes a line; `at` and `batch` are 0 for a closed one.
        self.at, self.batch, self.size = array("q"), array("i"), array("i")
        self.about: list[Entry] = []
        self.claims: list[Claim] = []
        self.engine: Engine | None = None
        self.deals = Deals()
        self.draws: Draws | None = None
        self.state: Any = None
        self.legible = True
        """Are bodies of a format that this release reads?"""
        self.ordered = True
        self.contested: dict[int, LedgerError] = {}
        self.ruled: set[int] = set()
        self.overridden = False
        self.host_made: list[int] = []
        self.redrawn: list[tuple[int, str]] = []
        """(entry, verb) of all that ever held the seed of a draw of its own."""

    @property
    def whole(self) -> bool:
        """Is every line open, and can it be folded?"""
        return self.engine is not None and self.entries > self.closed == 0

    def run(self) -> VerifyReport:
        self._fold(self._once_through(), Index(self.about, self.batch))
        if self.legible:
            self._fold_again()
            self._told()
            self._drawn_before()
            self._claimed()
        self._conclude()
        proofs = self._receipts()
        said = (tuple(sorted(self.findings)), tuple(self.not_checked), tuple(self.remarks))
        return VerifyReport(not self.findings, self.entries, self.entries - self.closed, self.head, *said, proofs)

    # ---- the first reading ------------------------------------------------------------------------------------------

    def _once_through(self) -> Iterator[_LiveFields]:
        """Read all of it; hand on what can be folded as it stands."""
        seq, head, previous, wanted = 0, "", BEFORE_ALL, self.wanted
        keep_at, keep_batch, keep_size = self.at.append, self.batch.append, self.size.append
        for line in self.log.scan(self.findings):
            seq, head, data, _, size = line
            keep_size(size)
            if seq == 1:
                self.game_id = head
            if head in wanted:
                wanted[head] = seq
            if data is None:
                self.closed, self.ordered = self.closed + 1, False
                if self.full:
                    self.findings.append(Finding(seq, "log.closed", "its content is closed"))
                keep_at(0)
                keep_batch(0)
                continue
            if not self.legible:
                continue
            try:
                body = read_body(data)
            except NotCanonical as error:
                self.findings.append(Finding(seq, "log.not_canonical", f"line {seq}: {error}"))
                break
            do, at, by, _, args, _, batch = body[:7]
            setup = batch == 1 or seq == 1
            keep_at(at)
            keep_batch(batch if batch and batch <= seq else 0)  # one that lies names no batch
            if batch == 1:
                self._beside_line_1(seq)
            if do in NOTED or "seed" in args or "draw" in args or do in self.deals.drawing:
                self._keep(line, body)
            if wanted:
                self._names(seq, body)
            if self.ordered:
                self.ordered = do not in META_VERBS and (setup or at >= previous)
                previous = previous if setup else at
                if seq == 1:
                    self.ordered = self._start(body)
                elif self.ordered:
                    moment = Moment(BEFORE_ALL if setup else at, seq, by)
                    yield moment, do, args, setup or is_remark(do, args)
        self.entries, self.head = seq, head

    def _beside_line_1(self, seq: int) -> None:
        if seq > 1 and not self.closed and self.batch[-2] != 1:
            what = f"line {seq} says that it was written with line 1, and is not one of the entries after it"
            self.findings.append(Finding(seq, "log.batch", what))

    def _keep(self, line: Line, body: Body) -> None:
        self.deals.keep(Entry(line.seq, line.hash, body))
        if "seed" in body.args and body.do != "seed":
            self.redrawn.append((line.seq, body.do))
        if body.do in META_VERBS:
            self.about.append(Entry(line.seq, line.hash, body))
            self._posted(line.seq, body)
            if (claim := claim_of(line.seq, body)) is not None:
                self.claims.append(claim)

    def _names(self, seq: int, body: Body) -> None:
        for kind, name in NAMED.items():
            if isinstance(value := body.args.get(name), str) and (kind != "word" or body.do == "word"):
                for hash in HASH.findall(value.lower()):
                    if hash in self.wanted:
                        self.named.setdefault(Digest(kind, hash), seq)

    def _posted(self, seq: int, body: Body) -> None:
        if body.do != "posted" or body.args.get("dropped"):
            return
        text = body.args.get("text")
        digest = hashlib.sha256(text.encode()).hexdigest() if isinstance(text, str) else ""
        if digest != body.args.get("digest"):
            what = f"entry {seq}: the text and its digest do not agree"
            self.findings.append(Finding(seq, "posted.digest", what))

    def _start(self, body: Body) -> bool:
        """Fold line 1. False when it cannot be folded here; then only bytes, chain and seals were checked."""
        try:
            if body.do != "create":
                raise Unreadable("log.no_create", "line 1 does not create a match")
            version = body.args.get("format")
            self.legible = not (isinstance(version, int) and version > FORMAT)
            self.engine = Engine(load(str(body.args.get("game")), body.args.get("package")))
            self.deals.game_id = self.game_id
            self.draws = Draws(self.engine, self.deals)
            self.state = self.engine.start(body, self.game_id)
        except Unreadable as error:
            self.engine = None
            rest = "" if self.legible else "what the other lines say, "
            self.not_checked.append(f"{rest}fold, laws, draws and what players were told: {error.what}")
            return False
        return True

    def _fold(self, lives: Iterator[_LiveFields], layout: Index) -> None:
        """Fold some after some were read: the code of either stays near the processor, an eighth of the time."""
        while some := list(islice(lives, ENTRIES_READ_AHEAD)):
            assert self.engine is not None and self.draws is not None
            advance, state, weighed = self.engine.advance, self.state, WEIGHED | self.draws.verbs
            for moment, do, args, still in some:
                state, _, _, refusal = advance(state, moment, do, args, still)
                if refusal is not None:
                    self.contested[moment.seq] = refusal
                elif do in weighed or "seed" in args:
                    self._accepted(state, Live(moment, do, args, still), self.draws, layout)
            self.state = state

    def _accepted(self, state: Any, live: Live, draws: Draws, layout: Index) -> None:
        do, args = live.do, live.args
        if do in HOST_MADE:
            self.overridden = True
            if do != "amend-setting":
                self.host_made.append(live.seq)
        elif do == "ruling" and isinstance(about := args.get("about"), int):
            self.ruled.add(about)
        if (do in draws.verbs or "seed" in args) and (problem := draws.check(state, live, layout)):
            self.findings.append(Finding(live.seq, "draw.other", f"entry {live.seq}: {problem}"))

    # ---- the second reading -----------------------------------------------------------------------------------------

    def _fold_again(self) -> None:
        """The second reading, for a log whose entries do not stand in the order in which they fold."""
        if self.closed:
            self.not_checked.append(
                f"{self.closed} closed lines: what they say, and so fold, laws, draws and what players were told"
            )
        if self.ordered or not self.whole:
            return
        self.contested.clear()
        self.ruled.clear()
        self.host_made.clear()
        self.overridden = False
        assert self.draws is not None and self.engine is not None
        self.draws.typed.clear()
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
        bodies = self._read([1, *(seq for *_, seq in order)])
        self.state = self.engine.start(next(bodies)[1], self.game_id)
        self._fold((as_live(Entry(seq, "", body), said, layout) for seq, body in bodies), layout)

    def _layout(self) -> Index:
        """Batches and places; only a log that was joined with another copy is read once more for its places."""
        plain = Index(self.about, self.batch)
        if self.closed or not any(entry.body.do == "join" for entry in self.about):
            return plain
        return with_places(plain, self._entries())

    def _entries(self) -> Iterator[Entry]:
        """All that could be read, once more."""
        for line in self.log.scan([]):
            if line.seq > len(self.at):
                return
            if line.body is not None:
                yield Entry(line.seq, line.hash, read_body(line.body))

    def _folds_at(self, seq: int, layout: Index, said: Marks) -> int:
        stub = Entry(seq, "", Body(do="", at=Instant(self.at[seq - 1]), by="", recorded=Instant(0), args={}))
        return as_live(stub, said, layout).at

    def _read(self, seqs: Iterable[int]) -> Iterator[tuple[int, Body]]:
        """The bodies of these lines, in this order."""
        offset = array("q", accumulate(self.size, initial=0))
        places = ((seq, offset[seq - 1], self.size[seq - 1]) for seq in seqs)
        for seq, raw in self.log.lines_at(places):
            yield seq, read_body(raw)

    def _told(self) -> None:
        """What players were told: every posted text once more, from what was known at that line."""
        if not self.whole or not any(entry.body.do == "posted" for entry in self.about):
            return
        from ledger.audit.retold import retold
        from ledger.core.match import Match

        found = retold(Match.of(self.log.path, list(self._entries())))
        self.findings += found.findings
        self.not_checked += found.not_checked
        self.remarks += found.remarks

    def _drawn_before(self) -> None:
        """Whether the deal goes by what was published, and which other draws were undone."""
        if not self.whole:
            return
        layout = self._layout()
        said = marks(layout)
        dead = {*said.struck, *self.contested}
        judgement = self.deals.judged(layout, said, lambda seq: seq not in dead, self.ruled)
        self.findings += judgement.findings
        for one in judgement.replaced:
            what = f"{one.what}, at {write_instant(one.at)}"
            if one.ruled:
                self.remarks.append(f"{what}; a host has ruled on it")
            else:
                what = f"{what}, and no ruling says why (hl ruling TEXT --about {one.seq})"
                self.findings.append(Finding(one.seq, "draw.replaced", what))
        self.remarks += judgement.remarks
        gone = [f"{seq} ({do})" for seq, do in self.redrawn if seq in said.struck]
        self.remarks += naming("drawn, and undone afterwards", gone)
        self.remarks += naming("what a host set, awarded or declared, whatever the rules say", ranges(self.host_made))
        self.remarks += corrections(layout, said, () if self.ordered else self.at, self.ruled & {*self.contested})

    def _claimed(self) -> None:
        """What the log says of its own receipts: that they stand under texts, and in which messages."""
        if not self.claims:
            return
        layout, whole = self._layout(), not self.closed
        struck = marks(layout).struck
        # What was brought speaks of the copy it comes from. Where `join` entries are closed, the entry itself says so.
        brought = {e.seq for e in self.about if (e.seq in layout.joined if whole else e.body.joined is not None)}
        claims = [claim for claim in self.claims if claim.seq not in struck and claim.seq not in brought]
        if anchors := sum(claim.link is not None and claim.seq in brought for claim in self.claims):
            many = f"{anchors} anchor{'' if anchors == 1 else 's'}"
            self.not_checked.append(f"{many} from another copy of the log, to be checked with that copy")
        if claims:
            found, left = compare(claims, self.log.scan([]))
            self.findings += found
            self.not_checked += left

    # ---- what it comes to -------------------------------------------------------------------------------------------

    def _conclude(self) -> None:
        if any(finding.code in STOPS for finding in self.findings):
            read = min(self.entries, len(self.at))
            self.not_checked.append(f"everything{f' after line {read}' if read else ''}: it cannot be read")
        unsettled = sorted(seq for seq in self.contested if seq not in self.ruled)
        for seq in unsettled[:MAX_LISTED]:
            what = f"entry {seq} is contested and not settled: {self.contested[seq].what}"
            self.findings.append(Finding(seq, "log.contested", what))
        if more := unsettled[MAX_LISTED:]:
            what = f"entry {more[0]} and {len(more) - 1} more are contested and not settled: hl status lists them"
            self.findings.append(Finding(more[0], "log.contested", what))
        if self.engine is not None and self.whole:
            for law in self.engine.game.invariants(self.state):
                if self.overridden:
                    self.not_checked.append(f"a law that no longer holds after what a host decided: {law}")
                else:
                    self.findings.append(Finding(self.entries, "fold.law", f"after the last entry, {law}"))
            if self.draws is not None:
                self.not_checked += self.draws.typed

    def _receipts(self) -> tuple[Proof, ...]:
        """The receipts that somebody kept against the lines they are of."""
        whole = not self.closed
        lines, named, unknown = taken_for(self.digests, self.wanted, self.named, legible=self.legible, whole=whole)
        self.not_checked += unknown
        match = Published(self.game_id, self.entries, lines, named)
        proofs = match.against(self.heads, self.signers, self.findings)
        newest = max(lines.values(), default=0)
        if newest < self.entries:
            rest = f"lines {newest + 1} to {self.entries}" if newest + 1 < self.entries else f"line {self.entries}"
            given = "no receipt of it or a later line was given" if newest else "no receipt of it was given"
            given = given if lines else "no receipt was given"
            what = f"whether {rest if newest else 'all of it'} was written anew: {given} (--receipt HASH)"
            self.not_checked.append(what)
            if self.log.unproved:
                self.not_checked.append("the end of the log: there is no head record, and no receipt of the last line")
        return proofs
