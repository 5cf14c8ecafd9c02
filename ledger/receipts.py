"""Receipts as texts: the head in three lines, and the receipts and signed heads that stand in somebody's text.

Belongs here: what a receipt looks like when it leaves the log, and reading it back. Does not belong here: signatures
(signing.py) and whether the log has such a line (audit.py). Source: docs/log-format.md section 10.
"""

from __future__ import annotations

import re

from events.record import NamedTuple

ORIGIN = "host-ledger/v1"
HASH = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])")
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


class Receipts(NamedTuple):
    """What stands in a text."""

    hashes: tuple[str, ...]
    """Every receipt, in the order of the text; those of the heads are among them."""
    heads: tuple[Head, ...]


NONE = Receipts((), ())


def read_receipts(text: str) -> Receipts:
    """Every receipt in a text: a saved chat, a player's notes, the output of `hl receipt`.

    A head in three lines may be quoted (`> `) or stand in a fence; a signature stands right after it.

    >>> read_receipts("mara: the receipt of tonight is " + "ab" * 32).hashes == ("ab" * 32,)
    True
    """
    heads = []
    for found in _HEAD.finditer(text):
        signed = _SIGNATURE.match(text, found.end())
        armour = signed["armour"].replace("\r\n", "\n") + "\n" if signed else ""
        heads.append(Head(found["game"], int(found["entries"]), found["hash"], armour))
    games = {head.game for head in heads}
    hashes = dict.fromkeys(word.lower() for word in HASH.findall(text))
    last = {head.hash for head in heads}
    return Receipts(tuple(word for word in hashes if word not in games or word in last), tuple(heads))
