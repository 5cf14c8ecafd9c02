"""Receipts as texts: the head in three lines, and the receipts and signed heads that stand in somebody's text.

Belongs here: what a receipt looks like when it leaves the log, and reading it back. Does not belong here: signatures
(signing.py) and whether the log has such a line (audit.py). Source: docs/log-format.md section 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from events.record import NamedTuple

ORIGIN = "host-ledger/v1"
HASH = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])")
KINDS = {"head": "receipt", "hash": "receipt"} | {
    word: word for word in ("receipt", "commitment", "seed", "word", "seal", "digest", "prev")
}
"""Word before a hash -> the kind of hash that it announces."""
_WORD = re.compile(rf"(?:(?<![a-z0-9])|(?<=\\[nrt]))({'|'.join(KINDS)})(?:e?s)?(?![a-z0-9])", re.IGNORECASE)
_LINE_ENDS = ("\n", "\r", "\\n", "\\r")
"""In an exported chat (JSON) a line ends with a backslash and a letter."""
_LINK_END = re.compile(r"[\s\"'<>\\]")
_MAX_CONTEXT = 4096
"""Characters before a hash that are read."""
_QUOTED = r"[ \t>`]*"
_HEAD = re.compile(
    rf"{ORIGIN} (?P<game>[0-9a-f]{{64}})[ \t]*\r?\n{_QUOTED}(?P<entries>[0-9]{{1,15}})[ \t]*\r?\n"
    rf"{_QUOTED}(?P<hash>[0-9a-f]{{64}})"
)
_SIGNATURE = re.compile(
    r"\s*(?P<armour>-----BEGIN SSH SIGNATURE-----\r?\n[A-Za-z0-9+/=\r\n]{1,8000}-----END SSH SIGNATURE-----)"
)


class Head(NamedTuple):
    """A head as it was published: which match, how many lines, the hash of the last."""

    game: str
    entries: int
    hash: str
    signature: str = ""
    """Armoured, of `text`; empty: nobody signed it."""

    @property
    def text(self) -> str:
        """The three lines, exactly what a signature is made of."""
        return f"{ORIGIN} {self.game}\n{self.entries}\n{self.hash}\n"


class Digest(NamedTuple):
    """64 hex digits in a text, and the kind that the word before them announces."""

    kind: str
    """One of `KINDS`; "": none of those words precedes them."""
    hash: str


class Receipts(NamedTuple):
    """All receipts in a text."""

    digests: tuple[Digest, ...]
    """In the order of the text, each once; the receipts of the heads are among them."""
    heads: tuple[Head, ...]


NONE = Receipts((), ())


def read_receipts(text: str) -> Receipts:
    """Every receipt in a text: a saved chat, a player's notes, the output of `hl receipt`.

    A head in three lines may be quoted (`> `) or stand in a fence; a signature stands right after it.

    >>> read_receipts("mara: the receipt of tonight is " + "ab" * 32).digests == (Digest("receipt", "ab" * 32),)
    True
    """
    heads = []
    for match in _HEAD.finditer(text):
        signature = _SIGNATURE.match(text, match.end())
        armour = signature["armour"].replace("\r\n", "\n") + "\n" if signature else ""
        heads.append(Head(match["game"], int(match["entries"]), match["hash"], armour))
    games, hashes = {head.game for head in heads}, {head.hash for head in heads}
    digests = dict.fromkeys(Digest("receipt" if hash in hashes else kind, hash) for kind, hash in _digests(text))
    named = games | {digest.hash for digest in digests if digest.kind}
    return Receipts(tuple(digest for digest in digests if digest.kind or digest.hash not in named), tuple(heads))


def _digests(text: str) -> Iterator[Digest]:
    """Each 64 hex digits, with the last of our words before them in their line; those in links are passed over."""
    word, linked, end = "", False, 0
    for match in HASH.finditer(text):
        reach = match.start() - _MAX_CONTEXT
        before = text[max(end, reach) : match.start()]
        line = max(before.rfind(mark) for mark in _LINE_ENDS)
        if line >= 0 or reach > end:
            word = ""
        linked, end = linked and reach <= end, match.end()
        for keyword in _WORD.finditer(before, max(line, 0)):
            word = keyword[1].lower()
        *links, tail = _LINK_END.split(before)
        linked = "://" in tail or (linked and not links)
        if not linked:
            yield Digest(KINDS.get(word, ""), match[0].lower())
