"""Verify a finished log: bytes, chain, seals, canonical form, both orders, fold, laws, draws, posted texts, receipts.

All findings are returned at once. The log is streamed: entries recorded in the order in which they fold are folded as
they are read, and nothing is kept. Otherwise the time, batch and size of each line are kept (16 bytes), and the entries
are read a second time. If entries refer to other lines (anchors, receipts under texts), one more pass looks these up.
"""

from __future__ import annotations

import bisect
import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from events import Body, Entry, Finding, LedgerError, Line, LogFile, NotCanonical, Unreadable, read_bodies, read_body
from events.disk import DISK, Disk
from events.instants import Instant, write_instant
from events.record import NamedTuple
from games.kinds import count, shown
from games.records import fields, plain
from games.table import actions as shared
from games.table.actions import META_VERBS
from ledger.audit.receipts import HASH, NAMED, Digest, Proof, PublicHead, ReceiptCheck, taken_for
from ledger.core.commitments import DEAL_VERBS, Deals
from ledger.core.effective import BEFORE_ALL, EffectiveEntry, Index, Marks, as_effective, is_remark, marks, with_places
from ledger.core.match import Match
from ledger.core.outside import load
from ledger.core.replay import FORMAT, Engine
from ledger.core.times import read_message
from ledger.tell.listing import seqs_of
from ledger.tell.outbox import Postmark, disturbances, outbox, posted_marks, reminder
from ledger.tell.texts import RECEIPT_LINE, Item, collect, split_name

# ---- the verdict -----------------------------------------------------------------------------------------------------


class VerifyReport(NamedTuple):
    """The verdict of `verify`. Source: docs/json.md."""

    ok: bool
    entries: int
    open: int
    head: str
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """What an outsider should know about this log, although nothing is wrong with it."""
    receipts: tuple[Proof, ...] = ()


class Audited(NamedTuple):
    path: str
    verdict: VerifyReport

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, **plain(self.verdict)}


def unread(path: str, finding: Finding) -> Audited:
    return Audited(path, VerifyReport(False, 0, 0, "", (finding,), ("everything",)))


# ---- remarks that are not findings: entries that do not count as they were recorded ----------------------------------

MAX_LISTED = 100


def corrections(layout: Index, marks: Marks, at: Sequence[int], settled: Iterable[int]) -> Iterator[str]:
    """Remarks on entries that were undone, amended, recorded late, or refused by the rules and ruled on.

    Args:
        at: Index n - 1: the time at which line n counts, ms. Empty if no entry was recorded late.
        settled: The contested entries that a ruling is about.
    """
    yield from naming("undone", [f"{seq} (by {undo})" for seq, undo in sorted(marks.struck.items())])
    redone = [f"{e.body.args.get('target')} (by {e.seq})" for e in layout.about if e.body.do == "redo"]
    yield from naming("an undo that was taken back", redone)
    yield from naming("amended", [f"{seq} (by {seqs_of(amends)})" for seq, amends in sorted(marks.amended.items())])
    yield from naming("recorded late, after entries that count later", ranges(_late(layout, at)))
    yield from naming("not allowed by the rules, with a ruling about it", ranges(sorted(settled)))


def _late(layout: Index, at: Sequence[int]) -> Iterator[int]:
    about, latest = {entry.seq for entry in layout.about}, int(BEFORE_ALL)
    for seq, moment in enumerate(at, start=1):
        if seq not in about and not layout.is_setup(seq):
            if moment < latest:
                yield seq
            latest = max(latest, moment)


def naming(what: str, names: Sequence[str]) -> Iterator[str]:
    """The remark that names these entries; nothing if there are none."""
    if names:
        further = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        noun = "entry" if len(names) == 1 and " to " not in names[0] else "entries"
        yield f"{what}: {noun} {', '.join(names[:MAX_LISTED])}{further}"


def ranges(numbers: Iterable[int]) -> list[str]:
    """Numbers in order, with consecutive ones as a range.

    >>> ranges([2, 4, 5, 6, 9])
    ['2', '4 to 6', '9']
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return [" to ".join(map(str, ends)) for ends in spans]


# ---- receipts that the log itself names: under posted texts, and in anchors ------------------------------------------
MAX_CLOCK_SKEW = 5 * 60_000
"""How many milliseconds Discord's clock and a host's clock may differ."""


class HashClaim(NamedTuple):
    seq: int
    recorded: int
    head: str
    link: str | None


def hash_claim(seq: int, body: Body) -> HashClaim | None:
    if body.do == "anchor":
        link, head = body.args.get("link"), body.args.get("head")
        head, link = (word if isinstance(word, str) else "" for word in (head, link))
        return HashClaim(seq, body.recorded, head, link)
    text = body.args.get("text") if body.do == "posted" else None
    receipt = re.search(RECEIPT_LINE, text) if isinstance(text, str) else None
    return HashClaim(seq, body.recorded, receipt[1], None) if receipt else None


def compare(claims: Iterable[HashClaim], lines: Iterable[Line]) -> tuple[list[Finding], list[str]]:
    """The findings about these claims, and sentences on what the log alone cannot prove."""
    all_claims = list(claims)
    hashes = {claim.head for claim in all_claims}
    named_lines: dict[str, tuple[int, int | None]] = {}
    """Hash -> the line that has it, and when that line was recorded (None if it is closed)."""
    for line in lines:
        if line.hash in hashes:
            try:
                recorded = None if line.body is None else read_body(line.body).recorded
            except NotCanonical:
                recorded = None
            named_lines[line.hash] = line.seq, recorded
    findings: list[Finding] = []
    anchors: list[str] = []
    for claim in all_claims:
        named = named_lines.get(claim.head)
        if named is None or named[0] >= claim.seq:
            what = f"entry {claim.seq} names a receipt that no line before it has"
            findings.append(Finding(claim.seq, "posted.receipt" if claim.link is None else "anchor.unknown", what))
        elif claim.link is not None:
            anchors += _anchored(claim, *named, findings)
    if len(anchors) > MAX_LISTED:
        anchors[MAX_LISTED:] = [f"{len(anchors) - MAX_LISTED} more anchors: hl log --kind anchor lists them"]
    return findings, anchors


def _anchored(claim: HashClaim, line: int, recorded: int | None, findings: list[Finding]) -> list[str]:
    """A sentence on what to check for an anchor of `line`. If its message has an impossible time, add a finding."""
    assert claim.link is not None
    try:
        posted = read_message(claim.link).at
    except Unreadable as error:
        findings.append(Finding(claim.seq, "anchor.link", f"entry {claim.seq}: {error.what}"))
        return []
    if problem := misfit(posted, recorded, claim.recorded):
        findings.append(Finding(claim.seq, "anchor.time", f"entry {claim.seq}: {problem}"))
        return []
    at = write_instant(posted)
    return [f"whether the message of {at} has the receipt of line {line} in it: look at {claim.link}"]


def misfit(posted: int, recorded: int | None, anchored: int) -> str | None:
    """Why a message posted at `posted` cannot contain the receipt of a line, or None. All times in ms.

    Args:
        recorded: When the line was recorded; None if it is closed.
    """
    if recorded is not None and posted < recorded - MAX_CLOCK_SKEW:
        return (
            f"the message is of {write_instant(posted)}, but the line of that receipt was recorded later, at "
            f"{write_instant(recorded)}"
        )
    if posted > anchored + MAX_CLOCK_SKEW:
        return f"the message is of {write_instant(posted)}, but the entry about it is older"
    return None


class Draws:
    def __init__(self, engine: Engine, deals: Deals) -> None:
        self.engine, self.deals = engine, deals
        self.typed: list[str] = []
        names = {do: {field.name for field in fields(cls)} for do, cls in engine.actions.items()}
        self.verbs = frozenset(do for do, named in names.items() if named & {"draw", "outcome"})

    def check(self, state: Any, live: EffectiveEntry, layout: Index) -> str | None:
        """The fault of the draw in an entry that led to `state`, or None. A lot is drawn with its place as number."""
        number = layout.place(live.seq)[0]
        try:
            action = self.engine.read(live.do, live.args, state.table)
        except LedgerError as error:
            return error.what
        match action:
            case shared.Seed():
                return None  # the rules compare it with the commitment
            case shared.Deal(method="typed"):
                what, typed = "deal", "the cards"
            case _ if isinstance(getattr(action, "commitment", None), str):
                if (key := self.deals.key(layout, live.args)) is None:
                    return "it names a commitment or words that are not in the log"
                return self.engine.game.audit(state, action, number, key)
            case shared.Lot(seed=None) | shared.Open(seed=None) | shared.Resolve(seed=None):
                if not (isinstance(action, shared.Lot) or action.drawn):
                    return None
                what, typed = "lot", "the outcome"
            case _ if type(action) in self.engine.game.actions and getattr(action, "seed", "") is None:
                what, typed = live.do, "it"
            case _:
                return self.engine.game.audit(state, action, number)
        self.typed.append(f"the {what} of entry {live.seq}: a host typed {typed} in, so there is no draw to repeat")
        return None


# ---- every posted text is generated again ----------------------------------------------------------------------------


def posted_texts(match: Match) -> tuple[Iterable[Finding], Sequence[str], Iterable[str]]:
    """Compare each posted text in effect with the one that this engine generates from the lines before it.

    Returns the findings, what was not checked, and remarks on texts that no longer match the state of the match.
    """
    posted = [mark for mark in posted_marks(match) if not mark.action.dropped]
    recorded, current = match.book.entries[0].body.args.get("texts"), match.game.texts
    if posted and recorded != current:
        what = f"{count(len(posted), 'posted text')} of texts version {recorded}; this release writes version {current}"
        unchecked = f"what players were told: {what}; only the text and its digest were compared"
        return (), (unchecked,), _untold(match)
    joined = [mark for mark in posted if mark.brought]
    own = [mark for mark in posted if not mark.brought]
    there = count(len(joined), "posted text")
    unchecked = f"what players were told from another copy of the log: {there}, to be checked with that copy"
    remarks = [*_untold(match)]
    for drift in outbox(match).drifted:
        where = f"text {shown(drift.item)}, posted to {shown(drift.channel)}"
        remarks.append(f"{where}: {drift.what}; no correction was posted")
    return _compared(match, own), (unchecked,) if joined else (), remarks


def _untold(match: Match) -> Iterator[str]:
    """Remarks on undone posting marks and dropped corrections, since readers may not know the present state."""
    struck = match.fold.marks.struck
    for entry in match.fold.layout.about:
        if entry.body.do == "posted" and entry.seq in struck and not entry.body.args.get("dropped"):
            yield f"text {shown(str(entry.body.args.get('item')))} was marked as posted, and the mark was taken back"
    for mark in posted_marks(match):
        if mark.action.dropped and mark.action.covers:
            yield f"a correction of text {' '.join(map(shown, mark.action.covers))} was dropped and not posted"


def _compared(match: Match, posted: Sequence[Postmark]) -> Iterator[Finding]:
    """Findings about posted texts. All texts posted between two entries that disturb texts share one fold."""
    entries = match.book.entries
    disturbing = sorted({*disturbances(match), *(entry.seq for entry in entries if entry.body.do == "join")})
    texts_at: dict[int, dict[str, Item]] = {}
    for mark in posted:
        seq, post, item_name = mark.seq, mark.action, split_name(mark.action.item)[0]
        later = bisect.bisect_right(disturbing, mark.known)
        epoch = disturbing[later] - 1 if later < len(disturbing) else len(entries)
        if epoch not in texts_at:
            texts_at = {epoch: collect(match, entries[:epoch])}
        item = texts_at[epoch].get(item_name)
        if item is None or item.seq >= mark.known:
            past = match.as_known(mark.known - 1)
            if post.covers:
                uncaused: Iterable[Item] = outbox(past).waiting
            else:  # the clock causes reminders
                uncaused = (reminder(past, due) for due in past.game.waiting(past.fold.state))
            item = next((text for text in uncaused if text.whole == item_name), None)
        if item is None:
            what = f"entry {seq}: no text {shown(post.item)} waited to be posted when it was recorded"
            yield Finding(seq, "posted.unknown", what)
        elif item.audience != post.audience:
            what = f"text {post.item} is for {item.audience}, but entry {seq} sent it to {shown(post.audience)}"
            yield Finding(seq, "posted.audience", what)
        elif item.posted_as(post.item, post.parts) != post.text:
            what = f"text {post.item}, posted by entry {seq}, is not the text that follows from the lines before it"
            yield Finding(seq, "posted.other", what)


HOST_MADE = frozenset({"override", "award", "declare", "amend-setting"})
"""Verbs by which a host may break a law (more garnets than the cap): a remark, not a finding."""
WEIGHED = HOST_MADE | {"ruling"}
"""Verbs to look at after folding. Entries with a seed or a possible draw are looked at too."""
NOTED = META_VERBS | DEAL_VERBS
"""Verbs whose entries are kept, not only their times and batches. Entries with a seed or a draw are kept too."""
NO_HEAD = (
    "the end of the log: this copy came without log.jsonl.head, so lines cut off its end would not be noticed; with a "
    "receipt they would (--receipt HASH)"
)
STOPS = frozenset(f"log.{why}" for why in ("layout", "seq", "chain", "seal", "too_long", "cut", "not_canonical"))


def verify(
    path: str,
    receipts: Sequence[str] = (),
    *,
    full: bool = False,
    digests: Sequence[Digest] = (),
    heads: Sequence[PublicHead] = (),
    signers: str | None = None,
    disk: Disk = DISK,
) -> VerifyReport:
    """Check a log; report everything that is wrong with it, and what was not checked.

    Args:
        receipts: Published hashes. Each must be the hash of a line of this log.
        full: Whether a closed line is a finding.
        digests: Other published hashes with their kinds. A receipt must be the hash of a line; a commitment or seed
            must be in a line; a hash without a kind is taken as the first of these that fits.
        heads: Published heads in three lines: match and number must fit as well.
        signers: File of allowed signers; one of them must have signed each of `heads`.
        disk: The source of the log and its head record, if they are not files.

    Raises:
        Unreadable, NotRecorded: there is no log to read. Unmet: `sign.tool`, signatures cannot be checked here.
    """
    receipts = [receipt.strip().lower() for receipt in receipts]
    log = LogFile(path, disk)
    return _Check(log, [*(Digest("receipt", one) for one in receipts), *digests], full, heads, signers).run()


class _Check:
    def __init__(
        self, log: LogFile, digests: Sequence[Digest], full: bool, heads: Sequence[PublicHead], signers: str | None
    ) -> None:
        self.log, self.full = log, full
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.remarks: list[str] = []
        self.heads, self.signers = heads, signers
        self.digests = [*digests, *(Digest("receipt", head.hash) for head in heads)]
        self.wanted: dict[str, int] = dict.fromkeys((digest.hash for digest in self.digests), 0)
        """Hash -> the line with that hash, or 0."""
        self.named: dict[Digest, int] = {}
        self.head, self.game_id, self.entries, self.closed = "", "", 0, 0
        # What a second reading needs, 16 bytes a line; `at` and `batch` are 0 for a closed line.
        self.at, self.batch, self.size = array("q"), array("i"), array("i")
        self.about: list[Entry] = []
        self.claims: list[HashClaim] = []
        self.deals = Deals()
        self.draws: Draws | None = None
        self.state: Any = None
        self.legible = True
        self.ordered = True
        self.contested: dict[int, LedgerError] = {}
        self.ruled: set[int] = set()
        self.overridden = False
        self.host_made: list[int] = []
        self.redrawn: list[tuple[int, str]] = []

    @property
    def whole(self) -> bool:
        return self.draws is not None and self.entries > self.closed == 0

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

    def _once_through(self) -> Iterator[list[EffectiveEntry]]:
        """Read the log block by block; yield the entries that can be folded in the order in which they are read."""
        previous = BEFORE_ALL
        for lines in self.log.scan_blocks(self.findings):
            if lines[0].seq == 1:
                self.game_id = lines[0].hash
            self.size.extend([line.size for line in lines])
            bodies = read_bodies([line.body for line in lines if line.body is not None])
            lives: list[EffectiveEntry] = []
            for line in lines:
                seq = line.seq
                if line.hash in self.wanted:
                    self.wanted[line.hash] = seq
                if line.body is None:
                    self.closed, self.ordered = self.closed + 1, False
                    if self.full:
                        self.findings.append(Finding(seq, "log.closed", "its content was removed (a closed line)"))
                    self.at.append(0)
                    self.batch.append(0)
                    continue
                if not self.legible:
                    continue
                try:
                    do, at, by, _, args, _, batch, *_ = body = next(bodies)
                except NotCanonical as error:
                    self.findings.append(Finding(seq, "log.not_canonical", f"line {seq}: {error}"))
                    if lives:
                        yield lives
                    self.entries, self.head = seq, line.hash
                    return
                self.at.append(at)
                self.batch.append(batch if batch and batch <= seq else 0)  # a false one counts as none
                if batch == 1 or do in NOTED or "seed" in args or "draw" in args or do in self.deals.drawing:
                    self._keep(line, body)
                if self.wanted:
                    self._names(seq, body)
                if self.ordered:
                    setup = batch == 1 or seq == 1
                    self.ordered = do not in META_VERBS and (setup or at >= previous)
                    previous = previous if setup else at
                    if seq == 1:
                        self.ordered = self._start(body)
                    elif self.ordered:
                        still = setup or is_remark(do, args)
                        lives.append(EffectiveEntry(BEFORE_ALL if setup else at, seq, by, do, args, still))
            if lives:
                yield lives
            self.entries, self.head = lines[-1].seq, lines[-1].hash

    def _keep(self, line: Line, body: Body) -> None:
        if body.batch == 1 and line.seq > 1 and not self.closed and self.batch[-2] != 1:
            what = f"line {line.seq} says that it was written with line 1, but it is not one of the entries after it"
            self.findings.append(Finding(line.seq, "log.batch", what))
        self.deals.keep(Entry(line.seq, line.hash, body))
        if "seed" in body.args and body.do != "seed":
            self.redrawn.append((line.seq, body.do))
        if body.do in META_VERBS:
            self.about.append(Entry(line.seq, line.hash, body))
            if body.do == "posted" and not body.args.get("dropped"):
                text = body.args.get("text")
                digest = hashlib.sha256(text.encode()).hexdigest() if isinstance(text, str) else ""
                if digest != body.args.get("digest"):
                    what = f"entry {line.seq}: the text and its digest do not agree"
                    self.findings.append(Finding(line.seq, "posted.digest", what))
            if (claim := hash_claim(line.seq, body)) is not None:
                self.claims.append(claim)

    def _names(self, seq: int, body: Body) -> None:
        for kind, name in NAMED.items():
            if isinstance(value := body.args.get(name), str) and (kind != "word" or body.do == "word"):
                for hash in HASH.findall(value.lower()):
                    if hash in self.wanted:
                        self.named.setdefault(Digest(kind, hash), seq)

    def _start(self, body: Body) -> bool:
        try:
            if body.do != "create":
                raise Unreadable("log.no_create", "line 1 does not create a match")
            version = body.args.get("format")
            self.legible = not (isinstance(version, int) and version > FORMAT)
            engine = Engine(load(str(body.args.get("game")), body.args.get("package")))
            self.deals.game_id = self.game_id
            self.state = engine.start(body, self.game_id)
            self.draws = Draws(engine, self.deals)
        except Unreadable as error:
            rest = "" if self.legible else "what the other lines say, "
            self.not_checked.append(f"{rest}the rules, the laws, the draws and what players were told: {error.what}")
            return False
        return True

    def _fold(self, blocks: Iterable[Iterable[EffectiveEntry]], layout: Index) -> None:
        """Fold block by block, not line by line: reading and folding stay in the cache, which saves an eighth."""
        for lives in blocks:
            assert self.draws is not None
            advance, state, weighed = self.draws.engine.advance, self.state, WEIGHED | self.draws.verbs
            for live in lives:
                state, _, _, refusal = advance(state, live)
                if refusal is not None:
                    self.contested[live.seq] = refusal
                elif live.do in weighed or "seed" in live.args:
                    self._accepted(state, live, self.draws, layout)
            self.state = state

    def _accepted(self, state: Any, live: EffectiveEntry, draws: Draws, layout: Index) -> None:
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
        """Read and fold a log again whose entries are not in the order in which they fold."""
        if self.closed:
            self.not_checked.append(
                f"what the {self.closed} closed lines say, and therefore the rules, the laws, the draws and what "
                "players were told"
            )
        if self.ordered or not self.whole:
            return
        self.contested.clear()
        self.ruled.clear()
        self.host_made.clear()
        self.overridden = False
        assert self.draws is not None
        self.draws.typed.clear()
        self.findings = [f for f in self.findings if f.code != "draw.other"]
        layout = self._layout()
        said = marks(layout)
        about = {entry.seq for entry in self.about}
        order = []
        for seq in range(2, len(self.at) + 1):
            if seq not in about and seq not in said.struck:
                stub = Entry(seq, "", Body(do="", at=Instant(self.at[seq - 1]), by="", recorded=Instant(0), args={}))
                order.append((as_effective(stub, said, layout).at, layout.place(seq), seq))
        order.sort()
        bodies = self._read([1, *(seq for *_, seq in order)])
        self.state = self.draws.engine.start(next(bodies)[1], self.game_id)
        self._fold([(as_effective(Entry(seq, "", body), said, layout) for seq, body in bodies)], layout)

    def _layout(self) -> Index:
        """Batches and places. Only a log that was joined with another copy is read again for its places."""
        plain = Index(self.about, self.batch)
        if self.closed or not any(entry.body.do == "join" for entry in self.about):
            return plain
        return with_places(plain, self._entries())

    def _entries(self) -> Iterator[Entry]:
        for line in self.log.scan([]):
            if line.seq > len(self.at):
                return
            if line.body is not None:
                yield Entry(line.seq, line.hash, read_body(line.body))

    def _read(self, seqs: Iterable[int]) -> Iterator[tuple[int, Body]]:
        offset = array("q", accumulate(self.size, initial=0))
        for seq, raw in self.log.lines_at((seq, offset[seq - 1], self.size[seq - 1]) for seq in seqs):
            yield seq, read_body(raw)

    def _told(self) -> None:
        if not self.whole or not any(entry.body.do == "posted" for entry in self.about):
            return
        findings, not_checked, remarks = posted_texts(Match.of(self.log.path, list(self._entries())))
        self.findings += findings
        self.not_checked += not_checked
        self.remarks += remarks

    def _drawn_before(self) -> None:
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
        self.remarks += naming("set, awarded or declared by a host, whatever the rules say", ranges(self.host_made))
        self.remarks += corrections(layout, said, () if self.ordered else self.at, self.ruled & {*self.contested})

    def _claimed(self) -> None:
        """Check the receipts that the log itself names: under posted texts and in anchors."""
        if not self.claims:
            return
        layout, whole = self._layout(), not self.closed
        struck = marks(layout).struck
        # Entries from another copy refer to that copy. If `join` entries are closed, `joined` tells which these are.
        brought = {e.seq for e in self.about if (e.seq in layout.joined if whole else e.body.joined is not None)}
        claims = [claim for claim in self.claims if claim.seq not in struck and claim.seq not in brought]
        if anchors := sum(claim.link is not None and claim.seq in brought for claim in self.claims):
            many = count(anchors, "anchor")
            self.not_checked.append(f"{many} from another copy of the log, to be checked with that copy")
        if claims:
            found, left = compare(claims, self.log.scan([]))
            self.findings += found
            self.not_checked += left

    def _conclude(self) -> None:
        if any(finding.code in STOPS for finding in self.findings):
            read = min(self.entries, len(self.at))
            self.not_checked.append(f"everything{f' after line {read}' if read else ''}: it cannot be read")
        unsettled = sorted(seq for seq in self.contested if seq not in self.ruled)
        for seq in unsettled[:MAX_LISTED]:
            what = f"the rules do not allow entry {seq}, and no host has settled it: {self.contested[seq].what}"
            self.findings.append(Finding(seq, "log.contested", what))
        if more := unsettled[MAX_LISTED:]:
            what = f"the rules do not allow entry {more[0]} and {len(more) - 1} more either: hl status lists them"
            self.findings.append(Finding(more[0], "log.contested", what))
        if self.draws is not None and self.whole:
            for law in self.draws.engine.game.invariants(self.state):
                if self.overridden:
                    self.not_checked.append(f"a law that a host's decision has broken: {law}")
                else:
                    what = f"after the last entry, a law is broken: {law}"
                    self.findings.append(Finding(self.entries, "fold.law", what))
            self.not_checked += self.draws.typed

    def _receipts(self) -> tuple[Proof, ...]:
        whole = not self.closed
        lines, named, unknown = taken_for(self.digests, self.wanted, self.named, legible=self.legible, whole=whole)
        self.not_checked += unknown
        match = ReceiptCheck(self.game_id, self.entries, lines, named)
        proofs = match.against(self.heads, self.signers, self.findings)
        newest = max(lines.values(), default=0)
        if newest < self.entries:
            rest = f"lines {newest + 1} to {self.entries}" if newest + 1 < self.entries else f"line {self.entries}"
            given = "you gave no receipt of it or of a later line" if newest else "you gave no receipt of it"
            given = given if lines else "you gave no receipt"
            what = f"whether {rest if newest else 'all of it'} was rewritten: {given} (--receipt HASH)"
            self.not_checked.append(what)
            if self.log.unproved:
                self.not_checked.append(NO_HEAD)
        return proofs
