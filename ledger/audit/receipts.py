"""Receipts that somebody kept: find them in a text, compare them with the lines of a log, and check who signed them.

The system's `ssh-keygen -Y` makes and checks signatures. A signature says who signed, never when; only publication
proves a time. Keys are the hosts' own ssh keys: this program never makes a key or reads a passphrase (`ssh-keygen` and
its agent ask for it). Source: docs/log-format.md section 10.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from events import Finding
from events.errors import NotRecorded, Unmet, Unreadable
from events.record import NamedTuple

# ---- receipts in a text ----------------------------------------------------------------------------------------------

ORIGIN = "host-ledger/v1"
HASH = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])")
KINDS = {"head": "receipt", "hash": "receipt"} | {
    word: word for word in ("receipt", "commitment", "seed", "word", "seal", "digest", "prev")
}
"""Word before a hash -> the kind of the hash."""
_WORD = re.compile(rf"(?:(?<![a-z0-9])|(?<=\\[nrt]))({'|'.join(KINDS)})(?:e?s)?(?![a-z0-9])", re.IGNORECASE)
_LINE_ENDS = ("\n", "\r", "\\n", "\\r")
"""In an exported chat (JSON), a line ends with a backslash and a letter."""
_LINK_END = re.compile(r"[\s\"'<>\\]")
_MAX_CONTEXT = 4096
_QUOTED = r"[ \t>`]*"
_HEAD = re.compile(
    rf"{ORIGIN} (?P<game>[0-9a-f]{{64}})[ \t]*\r?\n{_QUOTED}(?P<entries>[0-9]{{1,15}})[ \t]*\r?\n"
    rf"{_QUOTED}(?P<hash>[0-9a-f]{{64}})"
)
_SIGNATURE = re.compile(
    r"\s*(?P<armour>-----BEGIN SSH SIGNATURE-----\r?\n[A-Za-z0-9+/=\r\n]{1,8000}-----END SSH SIGNATURE-----)"
)


class PublicHead(NamedTuple):
    """A published head: the match, the number of lines, and the hash of the last line."""

    game: str
    entries: int
    hash: str
    signature: str = ""

    @property
    def text(self) -> str:
        return f"{ORIGIN} {self.game}\n{self.entries}\n{self.hash}\n"


class Digest(NamedTuple):
    kind: str
    """One of `KINDS`, or "" if none of those words precedes the hash."""
    hash: str


class Receipts(NamedTuple):
    digests: tuple[Digest, ...]
    heads: tuple[PublicHead, ...]


NONE = Receipts((), ())


def read_receipts(text: str) -> Receipts:
    """Every receipt in a text: a saved chat, a player's notes, the output of `hl receipt`.

    A head in three lines may be quoted (`> `) or fenced; its signature must follow directly.

    >>> read_receipts("mara: the receipt of tonight is " + "ab" * 32).digests == (Digest("receipt", "ab" * 32),)
    True
    """
    heads = []
    for match in _HEAD.finditer(text):
        signature = _SIGNATURE.match(text, match.end())
        armour = signature["armour"].replace("\r\n", "\n") + "\n" if signature else ""
        heads.append(PublicHead(match["game"], int(match["entries"]), match["hash"], armour))
    games, hashes = {head.game for head in heads}, {head.hash for head in heads}
    digests = dict.fromkeys(Digest("receipt" if hash in hashes else kind, hash) for kind, hash in _digests(text))
    named = games | {digest.hash for digest in digests if digest.kind}
    return Receipts(tuple(digest for digest in digests if digest.kind or digest.hash not in named), tuple(heads))


def _digests(text: str) -> Iterator[Digest]:
    """Each run of 64 hex digits, with the last keyword before it in its line. Hashes in links are skipped."""
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


# ---- signatures of heads ---------------------------------------------------------------------------------------------

NAMESPACE = "host-ledger-head@v1"
"""Prevents a signature of a head from being used for anything else."""
MAX_PASSPHRASE_SECONDS = 120.0


def sign(text: str, key: str, namespace: str = NAMESPACE, *, ask: bool) -> str:
    """The armoured signature of a text.

    Args:
        key: A private ssh key, or a public one whose private key an agent holds.
        ask: Whether ssh-keygen may ask for a passphrase at the terminal.

    Raises:
        Unreadable: `sign.key`, the key cannot sign. Unmet: `sign.tool`, there is no ssh-keygen, or it does not answer.
    """
    if not os.path.isfile(key):
        raise Unreadable("sign.key", f"there is no key at {key}", "hl receipt --sign KEY")
    result = _ssh_keygen("sign", "-q", "-f", key, "-n", namespace, text=text, ask=ask)
    if result.returncode != 0 or not result.stdout.startswith("-----BEGIN SSH SIGNATURE-----"):
        errors = result.stderr.strip().splitlines()
        what = f"{key} could not sign: {errors[-1] if errors else 'ssh-keygen says nothing'}"
        raise Unreadable("sign.key", what, "ssh-add it first, or name the private key")
    return result.stdout


def check_signers(signers: str) -> None:
    """Refuse a file of allowed signers that does not exist.

    Raises:
        Unreadable: `sign.signers`.
    """
    if not os.path.isfile(signers):
        what = f"there is no file {signers}"
        raise Unreadable("sign.signers", what, "a line for each host: mara ssh-ed25519 AAAA... (man ssh-keygen)")


def signer(text: str, signature: str, signers: str, namespace: str = NAMESPACE) -> str | None:
    """The name of the signer; None if nobody in the file of allowed signers signed this text.

    Args:
        signers: A file as ssh-keygen reads it: one `NAME KEYTYPE KEY` per line.

    Raises:
        Unmet: `sign.tool`, there is no ssh-keygen.
    """
    with _written(signature) as path:
        principals = _ssh_keygen("find-principals", "-s", path, "-f", signers)
        for name in principals.stdout.splitlines() if principals.returncode == 0 else ():
            options = ("-f", signers, "-I", name, "-n", namespace, "-s", path)
            if _ssh_keygen("verify", *options, text=text).returncode == 0:
                return name
    return None


@contextmanager
def _written(signature: str) -> Iterator[str]:
    """Write a signature to a temporary private file and yield its path: ssh-keygen reads signatures only from files."""
    try:
        handle, path = tempfile.mkstemp(prefix="hl-", suffix=".sig")  # made with rights 0600
        with os.fdopen(handle, "w", encoding="ascii", errors="replace", newline="\n") as file:
            file.write(signature)
    except OSError as error:
        what = f"no file could be made for ssh-keygen: {error.strerror}"
        raise NotRecorded("output.disk", what, "make room, or set TMPDIR") from None
    try:
        yield path
    finally:
        os.unlink(path)


def _ssh_keygen(command: str, *options: str, text: str = "", ask: bool = False) -> subprocess.CompletedProcess[str]:
    """Run ssh-keygen. Without `ask` it has no terminal, so it can never wait for input."""
    if (tool := shutil.which("ssh-keygen")) is None:
        what = "signatures need ssh-keygen (OpenSSH 8.2 or newer), and it is not installed here"
        raise Unmet("sign.tool", what, "install OpenSSH; hl receipt without --sign needs nothing")
    env = os.environ if ask else {**os.environ, "SSH_ASKPASS_REQUIRE": "never"}
    try:
        result = subprocess.run(
            [tool, "-Y", command, *options],
            input=text.encode(),  # bytes, since Windows would turn each newline of a text into two characters
            capture_output=True,
            timeout=MAX_PASSPHRASE_SECONDS,
            check=False,
            env=env,
            start_new_session=not ask,
        )
        output = (part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (result.stdout, result.stderr))
        return subprocess.CompletedProcess(result.args, result.returncode, *output)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unmet("sign.tool", f"ssh-keygen did not answer: {error}", "ssh-keygen -Y sign by hand") from None


# ---- compared with a log ---------------------------------------------------------------------------------------------

NAMED = {"commitment": "commitment", "seed": "seed", "word": "text"}
"""Kind -> the field of an entry that publishes such a hash; a player's own word may look like one."""


class Proof(NamedTuple):
    receipt: str
    line: int
    signer: str | None
    kind: str


class ReceiptCheck(NamedTuple):
    game: str
    entries: int
    lines: Mapping[str, int]
    """Receipt -> the line with that hash, or 0."""
    named: Mapping[Digest, int]

    def against(self, heads: Sequence[PublicHead], signers: str | None, findings: list[Finding]) -> tuple[Proof, ...]:
        """The receipts that match the log; a finding is appended for each of the others.

        Args:
            signers: File of allowed signers, one of whom must have signed each head; None if signatures do not matter.

        Raises:
            Unreadable: `sign.signers`. Unmet: `sign.tool`.
        """
        for receipt, line in sorted(self.lines.items()):
            if not line:
                what = f"no line has the hash {receipt}: this receipt is of another log, or somebody rewrote this one"
                findings.append(Finding(self.entries, "receipt.unknown", what))
        for digest, line in sorted(self.named.items()):
            if not line:
                what = (
                    f"no entry has the {digest.kind} {digest.hash}: it is of another log, or somebody rewrote this one"
                )
                code = "receipt.commitment" if digest.kind == "commitment" else "receipt.seed"
                findings.append(Finding(self.entries, code, what))
        for head in heads:
            line = self.lines[head.hash]
            if head.game != self.game:
                what = f"the receipt of {head.entries} entries is of the match {head.game}, but this is {self.game}"
                findings.append(Finding(line or self.entries, "receipt.match", what))
            elif line not in (0, head.entries):
                what = f"it was published as the receipt of {head.entries} entries, but it is the hash of line {line}"
                findings.append(Finding(line, "receipt.number", what))
        signed: dict[PublicHead, str] = {}
        if signers is not None:
            check_signers(signers)
            for head in heads:
                if head.signature and (by := signer(head.text, head.signature, signers)) is not None:
                    signed[head] = by
                    continue
                what = f"nobody in {signers} signed the receipt of {head.entries} entries, {head.hash}"
                findings.append(Finding(self.lines[head.hash] or self.entries, "receipt.signature", what))
        findings += self._two_histories(list(signed))
        names = {head.hash: by for head, by in signed.items()}
        proofs = [Proof(receipt, line, names.get(receipt), "receipt") for receipt, line in self.lines.items()]
        proofs += [Proof(digest.hash, line, None, digest.kind) for digest, line in self.named.items()]
        return tuple(proof for proof in proofs if proof.line)

    def _two_histories(self, signed: Sequence[PublicHead]) -> list[Finding]:
        """A finding for each pair of signed heads of one match with the same number: they prove two histories."""
        first: dict[tuple[str, int], PublicHead] = {}
        findings = []
        for head in signed:
            earlier = first.setdefault((head.game, head.entries), head)
            if earlier.hash != head.hash:
                what = f"there are two signed receipts of {head.entries} entries: {earlier.hash} and {head.hash}"
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
    """Sort published hashes: (receipt -> line, commitment, seed or word -> line, remarks on those not looked up).

    Args:
        by_hash: Hash -> the line with that hash, or 0, as in the result.
        by_digest: Commitment, seed or word -> the first line that contains it.
        legible: Whether bodies could be read. `whole`: whether those of all lines could.
    """
    lines: dict[str, int] = {}
    named: dict[Digest, int] = {}
    unknown: list[str] = []
    is_finding = {"commitment": legible, "seed": legible and whole}
    """Kind -> whether it is a finding if no line contains it. A commitment is open in every copy, a seed may be
    closed, and a word may be any text."""
    for kind, hash in digests:
        fitting = [name for name in NAMED if Digest(name, hash) in by_digest]
        chosen = kind or ("receipt" if by_hash[hash] or not fitting else fitting[0])
        digest = Digest(chosen, hash)
        if chosen == "receipt":
            lines[hash] = by_hash[hash]
        elif chosen not in NAMED:
            unknown.append(f"{chosen} {hash}: hl looks up receipts, commitments, seeds and words only")
        elif digest in by_digest or is_finding.get(chosen):
            named[digest] = by_digest.get(digest, 0)
        else:
            unknown.append(f"whether {chosen} {hash} is of this log: no line that can be read has it")
    return lines, named, unknown
