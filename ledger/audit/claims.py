"""What a log claims about its own receipts: that one is under a posted text, and in which message one was posted.

A message id is a clock that no host can set, so an anchor shows since when the lines up to its receipt have existed.
Belongs here: those claims against the lines of the log. Does not belong here: whether the message really holds the
receipt; only Discord can show that, and `verify` says so. Source: reliability section 5; docs/log-format.md section 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from events import Body, Finding, Line, NotCanonical, Unreadable, read_body, write_instant
from events.record import NamedTuple
from ledger.core.times import read_message

MAX_CLOCK_SKEW = 5 * 60_000
"""Milliseconds by which Discord's clock and that of a host's machine may differ."""
MAX_LISTED = 100
"""Anchors that are listed singly."""


class Claim(NamedTuple):
    """An entry names the hash of an earlier line."""

    seq: int
    recorded: int
    head: str
    link: str | None
    """For an anchor: the message."""


class _NamedLine(NamedTuple):
    """The line that has the hash; `recorded` is None when it is closed."""

    seq: int
    recorded: int | None


def claim_of(seq: int, body: Body) -> Claim | None:
    """What an entry claims, if it was recorded in this copy of the log."""
    if body.do == "anchor":
        link, head = body.args.get("link"), body.args.get("head")
        return Claim(seq, body.recorded, head if isinstance(head, str) else "", link if isinstance(link, str) else "")
    if body.do == "posted" and isinstance(text := body.args.get("text"), str):
        from ledger.tell.texts import RECEIPT_LINE

        receipt = re.search(RECEIPT_LINE, text)
        return Claim(seq, body.recorded, receipt[1], None) if receipt else None
    return None


def compare(claims: Iterable[Claim], lines: Iterable[Line]) -> tuple[list[Finding], list[str]]:
    """The findings about these claims, and what of them the log alone cannot show."""
    all_claims = list(claims)
    hashes = {claim.head for claim in all_claims}
    named_lines: dict[str, _NamedLine] = {}
    for line in lines:
        if line.hash in hashes:
            named_lines[line.hash] = _NamedLine(line.seq, _recorded(line.body))
    findings: list[Finding] = []
    anchors: list[str] = []
    for claim in all_claims:
        named = named_lines.get(claim.head)
        if named is None or named.seq >= claim.seq:
            what = f"the receipt that entry {claim.seq} names is that of no line before it"
            findings.append(Finding(claim.seq, "posted.receipt" if claim.link is None else "anchor.unknown", what))
        elif claim.link is not None:
            anchors += _anchored(claim, named, findings)
    if len(anchors) > MAX_LISTED:
        anchors[MAX_LISTED:] = [f"{len(anchors) - MAX_LISTED} more anchors: hl log --kind anchor lists them"]
    return findings, anchors


def _recorded(body: bytes | None) -> int | None:
    try:
        return None if body is None else read_body(body).recorded
    except NotCanonical:
        return None


def _anchored(claim: Claim, line: _NamedLine, findings: list[Finding]) -> list[str]:
    """What to look at for an anchor with the receipt of `line`; where the time of its message cannot fit, a finding."""
    assert claim.link is not None
    try:
        posted = read_message(claim.link).at
    except Unreadable as error:
        findings.append(Finding(claim.seq, "anchor.link", f"entry {claim.seq}: {error.what}"))
        return []
    if problem := misfit(posted, line.recorded, claim.recorded):
        findings.append(Finding(claim.seq, "anchor.time", f"entry {claim.seq}: {problem}"))
        return []
    return [f"that the message of {write_instant(posted)} holds the receipt of line {line.seq}: look at {claim.link}"]


def misfit(posted: int, recorded: int | None, anchored: int) -> str | None:
    """Why a message of `posted` cannot hold the receipt of a line, or None. All in ms.

    Args:
        recorded: When the line was recorded; None: it is closed.
        anchored: When the anchor was recorded.
    """
    if recorded is not None and posted < recorded - MAX_CLOCK_SKEW:
        return (
            f"the message is of {write_instant(posted)}, and the line whose receipt it would hold was recorded later, "
            f"at {write_instant(recorded)}"
        )
    if posted > anchored + MAX_CLOCK_SKEW:
        return f"the message is of {write_instant(posted)}, later than the entry that speaks of it"
    return None
