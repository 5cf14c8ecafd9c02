"""What a log says of its own receipts: that one stands under a posted text, and in which message one was posted.

A message id is a clock that no host can set, so an anchor says since when the lines up to its receipt have been there.
Belongs here: those claims against the lines of the log. Does not belong here: whether the message really holds the
receipt; only Discord can show that, and `verify` says so. Source: reliability section 5; docs/log-format.md section 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from events import Body, Finding, Line, NotCanonical, Unreadable, read_body, write_instant
from events.record import NamedTuple
from ledger.core.times import read_message

CLOCKS_APART = 5 * 60_000
"""Milliseconds by which Discord's clock and that of a host's machine may differ."""
MAX_LISTED = 100
"""Anchors that are listed one by one."""


class Claim(NamedTuple):
    """An entry names the hash of an earlier line."""

    seq: int
    recorded: int
    head: str
    link: str | None
    """For an anchor: the message."""


class _Seen(NamedTuple):
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

        found = re.search(RECEIPT_LINE, text)
        return Claim(seq, body.recorded, found[1], None) if found else None
    return None


def compare(claims: Iterable[Claim], lines: Iterable[Line]) -> tuple[list[Finding], list[str]]:
    """What is wrong with these claims, and what of them cannot be told from the log."""
    listed = list(claims)
    wanted = {claim.head for claim in listed}
    seen: dict[str, _Seen] = {}
    for line in lines:
        if line.hash in wanted:
            seen[line.hash] = _Seen(line.seq, _recorded(line.body))
    findings: list[Finding] = []
    anchors: list[str] = []
    for claim in listed:
        found = seen.get(claim.head)
        if found is None or found.seq >= claim.seq:
            what = f"the receipt that entry {claim.seq} names is that of no line before it"
            if claim.link is None:
                findings.append(Finding(claim.seq, "posted.receipt", what))
            else:
                findings.append(Finding(claim.seq, "anchor.unknown", what))
        elif claim.link is not None:
            anchors += _anchored(claim, found, findings)
    if len(anchors) > MAX_LISTED:
        anchors[MAX_LISTED:] = [f"{len(anchors) - MAX_LISTED} more anchors: hl log --kind anchor lists them"]
    return findings, anchors


def _recorded(body: bytes | None) -> int | None:
    try:
        return None if body is None else read_body(body).recorded
    except NotCanonical:
        return None


def _anchored(claim: Claim, line: _Seen, findings: list[Finding]) -> list[str]:
    """An anchor whose receipt is that of `line`: does the time of the message fit, and what is left to look at."""
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
        anchored: When somebody said that the message holds it.
    """
    if recorded is not None and posted < recorded - CLOCKS_APART:
        return (
            f"the message is of {write_instant(posted)}, and the line whose receipt it would hold was recorded later, "
            f"at {write_instant(recorded)}"
        )
    if posted > anchored + CLOCKS_APART:
        return f"the message is of {write_instant(posted)}, later than the entry that speaks of it"
    return None
