"""Receipts that somebody kept, against the lines of a log: is each the hash of a line, of which, and who signed it?

Belongs here: what is wrong with published receipts. Does not belong here: how they are read from a text (receipts.py),
how a signature is checked (signing.py), and what the log says of itself (claims.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events import Finding
from events.record import NamedTuple
from ledger.audit.receipts import Digest, Head

NAMED = {"commitment": "commitment", "seed": "seed", "word": "text"}
"""What entries publish besides their hashes, and the field that holds it; a player's own word may look like a hash."""


class Proof(NamedTuple):
    """A receipt, a commitment, a seed or a word, and its line."""

    receipt: str
    line: int
    signer: str | None
    kind: str


class Published(NamedTuple):
    """A log that was read, and the receipts looked for in it."""

    game: str
    """Hash of line 1."""
    entries: int
    lines: Mapping[str, int]
    """Receipt -> the line whose hash it is, 0 for none."""
    named: Mapping[Digest, int]
    """Commitment, seed or word -> the first line that holds it, 0 for none."""

    def against(self, heads: Sequence[Head], signers: str | None, findings: list[Finding]) -> tuple[Proof, ...]:
        """The receipts that match; for the others `findings` get one each.

        Args:
            heads: The heads that were published in three lines.
            signers: File of allowed signers, of whom one must have signed each head; None: no signature is asked for.

        Raises:
            Unreadable: `sign.signers`. Unmet: `sign.tool`.
        """
        for receipt, line in sorted(self.lines.items()):
            if not line:
                what = f"no line has the hash {receipt}: it is of another log, or history was rewritten"
                findings.append(Finding(self.entries, "receipt.unknown", what))
        for digest, line in sorted(self.named.items()):
            if not line:
                what = f"no entry holds the {digest.kind} {digest.hash}: it is of another log, or history was rewritten"
                code = "receipt.commitment" if digest.kind == "commitment" else "receipt.seed"
                findings.append(Finding(self.entries, code, what))
        for head in heads:
            findings += self._misfits(head)
        signed: dict[Head, str] = {}
        if signers is not None:
            from ledger.audit.signing import check_signers, signer

            check_signers(signers)
            for head in heads:
                if head.signature and (by := signer(head.text, head.signature, signers)) is not None:
                    signed[head] = by
                    continue
                what = f"the head of {head.entries} entries, {head.hash}, is signed by nobody in {signers}"
                findings.append(Finding(self.lines[head.hash] or self.entries, "receipt.signature", what))
        findings += self._two_histories(list(signed))
        names = {head.hash: by for head, by in signed.items()}
        proofs = [Proof(receipt, line, names.get(receipt), "receipt") for receipt, line in self.lines.items()]
        proofs += [Proof(digest.hash, line, None, digest.kind) for digest, line in self.named.items()]
        return tuple(proof for proof in proofs if proof.line)

    def _misfits(self, head: Head) -> list[Finding]:
        line = self.lines[head.hash]
        if head.game != self.game:
            what = f"the head of {head.entries} entries is of the match {head.game}, and this one is {self.game}"
            return [Finding(line or self.entries, "receipt.match", what)]
        if line not in (0, head.entries):
            what = f"it was published as the head of {head.entries} entries, and is the hash of line {line}"
            return [Finding(line, "receipt.number", what)]
        return []

    def _two_histories(self, signed: Sequence[Head]) -> list[Finding]:
        """Two signed heads of one match with one number: the proof that two histories were shown."""
        first: dict[tuple[str, int], Head] = {}
        findings = []
        for head in signed:
            earlier = first.setdefault((head.game, head.entries), head)
            if earlier.hash != head.hash:
                what = f"two signed heads of {head.entries} entries: {earlier.hash} and {head.hash}"
                findings.append(Finding(min(head.entries, self.entries), "receipt.two", what))
        return findings


def taken_for(
    digests: Sequence[Digest],
    by_hash: Mapping[str, int],
    by_digest: Mapping[Digest, int],
    *,
    legible: bool,
    whole: bool,
) -> tuple[dict[str, int], dict[Digest, int], list[str]]:
    """Sort published hashes: (receipt -> line, commitment, seed or word -> line, those that cannot be looked up).

    Args:
        by_hash: Hash -> the line whose hash it is, 0 for none, as in the result.
        by_digest: Commitment, seed or word -> the first line that holds it.
        legible: Could bodies be read? `whole`: of every line?
    """
    lines: dict[str, int] = {}
    named: dict[Digest, int] = {}
    unknown: list[str] = []
    is_finding = {"commitment": legible, "seed": legible and whole}
    """Kind -> is it a finding that no line holds it? A commitment is open in every copy, a seed may be closed,
    and a word may be any text."""
    for kind, hash in digests:
        fitting = [name for name in NAMED if Digest(name, hash) in by_digest]
        chosen = kind or ("receipt" if by_hash[hash] or not fitting else fitting[0])
        digest = Digest(chosen, hash)
        if chosen == "receipt":
            lines[hash] = by_hash[hash]
        elif chosen not in NAMED:
            unknown.append(f"{chosen} {hash}: only receipts, commitments, seeds and words are looked up")
        elif digest in by_digest or is_finding.get(chosen):
            named[digest] = by_digest.get(digest, 0)
        else:
            unknown.append(f"whether {chosen} {hash} is of this log: no line that can be read holds it")
    return lines, named, unknown
