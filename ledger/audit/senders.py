"""Who sent the lines of a shared match, according to their signatures, and which entries no signature covers.

A signature says: "I sent the entries FIRST to LAST of this match, and with them its head was HASH". `--as` alone is
only a claim. So an entry by mara that is covered by theo's key is a finding, unless theo brought it: with `join`, or
from line 1 on as the host who shared the match. Such a signature proves only that theo had the entry, so these entries
are listed separately. Lines are sent once, unless a host shares the match again; then the earlier signature covers
the entry.
"""

from __future__ import annotations

from collections.abc import Sequence

from events import Body, Finding, LogFile, read_body
from ledger.audit.receipts import ORIGIN, check_signers, sign, signer
from ledger.audit.verify import VerifyReport, ranges
from ledger.core.match import Match
from ledger.wire.mirror import SharedLog
from ledger.wire.sealing import Signed, Signer

NAMESPACE = "host-ledger-push@v1"
"""Prevents the signature of a published head from being used for sent lines, and the other way round."""


def text_of(game: str, first: int, last: int, head: str) -> str:
    return f"{ORIGIN} {game}\n{first}-{last}\n{head}\n"


def push_signer(key: str | None, match: Match, *, ask: bool) -> Signer | None:
    """The signer of lines that this match sends; None without a key. `ask`: whether it may ask for a passphrase."""
    if key is None:
        return None
    game = match.book.game_id
    return lambda first, last, head: sign(text_of(game, first, last, head), key, NAMESPACE, ask=ask)


def sign_pushes(log: LogFile, key: str | None, match: Match, *, ask: bool) -> None:
    """Sign the lines of this shared log from now on when they are sent. Arguments as for `push_signer`."""
    assert isinstance(log, SharedLog)
    log.signer = push_signer(key, match, ask=ask)


def with_senders(found: VerifyReport, path: str, pushes: Sequence[Signed], signers: str) -> VerifyReport:
    """The verdict on a log, extended by what the signatures beside it prove.

    Args:
        found: The verdict so far. If the chain is broken, it is returned with a remark that senders were not checked.
        signers: File of allowed signers, each with the name of the host in the match.

    Raises:
        Unreadable: `sign.signers`. Unmet: `sign.tool`.
    """
    check_signers(signers)
    if any(one.code.startswith("log.") and one.code != "log.contested" for one in found.findings):
        return found._replace(not_checked=(*found.not_checked, "who sent which entries: correct the findings first"))
    lines = LogFile(path).read().lines
    bodies = [read_body(line.body) if line.body is not None else None for line in lines]
    covers: dict[int, str] = {}
    brought: set[int] = set()
    findings = []
    for one in sorted(pushes, key=lambda one: (one.last, -one.first)):
        here = 1 <= one.first <= one.last <= len(lines) and lines[one.last - 1].hash == one.head
        text = text_of(lines[0].hash, one.first, one.last, one.head)
        if (by := signer(text, one.signature, signers, NAMESPACE) if here else None) is None:
            what = f"nobody in {signers} signed {_entries(one.first, one.last)}, or the signature is of other lines"
            findings.append(Finding(min(max(one.last, 1), len(lines)), "sign.push", what))
            continue
        claimed = range(one.first, one.last + 1)
        some = [seq for seq in claimed if seq not in covers]
        if one.first != 1 and any(covers.get(seq, by) != by for seq in claimed):
            what = f"{by} signed {_entries(one.first, one.last)}, of which others had sent some before"
            findings.append(Finding(one.last, "sign.push", what))
        covers |= dict.fromkeys(some, by)
        if one.first == 1 or any(body and body.do == "join" for body in bodies[one.first - 1 : one.last]):
            brought |= {*some}
    notes = _told(covers, brought, bodies, findings)
    if bare := [line.seq for line in lines if line.seq not in covers]:
        notes.append(f"who sent {_listed(bare)}: without a signature, the host's name in it is only a claim")
    both = tuple(sorted((*found.findings, *findings)))
    return found._replace(ok=not both, findings=both, remarks=(*found.remarks, *notes))


def _told(
    covers: dict[int, str], brought: set[int], bodies: Sequence[Body | None], findings: list[Finding]
) -> list[str]:
    """Sentences on whose key covers which entries: those in the sender's name, and those `brought`. Others are
    findings."""
    sent: dict[tuple[bool, str, str], list[int]] = {}
    for seq, by in sorted(covers.items()):
        body = bodies[seq - 1]
        says = by if body is None else body.by
        if says == by or seq in brought:
            sent.setdefault((says != by, by, says), []).append(seq)
        else:
            what = f"entry {seq} says that {says} recorded it, but it was sent with the key of {by}"
            findings.append(Finding(seq, "sign.other", what))
    return [
        f"{by} shared the match or joined a copy, and brought {_listed(seqs)} with their key; that {says} recorded "
        "them is only a claim" if others else f"sent with the key of {by}: {_listed(seqs)}"
        for (others, by, says), seqs in sorted(sent.items())
    ]  # fmt: skip


def _entries(first: int, last: int) -> str:
    return f"entry {first}" if first == last else f"entries {first} to {last}"


def _listed(seqs: Sequence[int]) -> str:
    return f"entr{'y' if len(seqs) == 1 else 'ies'} {', '.join(ranges(seqs))}"
