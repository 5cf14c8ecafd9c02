"""Signed heads and anchors: what `verify` says of them. Source: docs/log-format.md section 10; docs/audit.md."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ledger.audit.receipts import PublicHead, sign
from ledger.audit.verify import verify
from ledger.core.match import Match
from tests.support.audited import CHECKED, append, checked, codes
from tests.support.demos import NOW
from tests.support.host import Host, hl, link
from tests.support.lines import plays

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed here")


# ---- signatures ----------------------------------------------------------------------------------------------------


@pytest.fixture
def keyed(host: Host, demos: Any) -> Host:
    """The bundled match; the keys `mara`, `theo`, and `locked`, which has a passphrase; `signers` allows mara only."""
    demos.copy("equilibrium", host.path)
    host.now, host.by = NOW, "mara"
    for name, phrase in (("mara", ""), ("theo", ""), ("locked", "secret")):
        made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-C", name, "-f", str(host.folder / name)]
        subprocess.run(made, check=True, stdin=subprocess.DEVNULL)
    host.file("signers", f"mara {(host.folder / 'mara.pub').read_text()}")
    return host


def heads(here: Host, key: str = "-", how: str = "") -> None:
    """The head, signed with that key, in a chat: with other letters in its signature, a false one, or of line 1."""
    entries = here.match.book.entries
    head = here.hl(f"receipt --sign {key}" if key != "-" else "receipt").out
    if how == "false":
        head += "\n-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"
    if how == "bent":
        head = head.replace("SIGNATURE-----\n", "SIGNATURE-----\nAAAA", 1)
    if how == "moved":
        head = head.replace(f"\n{len(entries)}\n{entries[-1].hash}", f"\n1\n{entries[0].hash}")
    here.file("heads", f"mara: good night\n{head}")


def two(here: Host) -> list[str]:
    """What is found of two heads that mara has signed: of the log, and of another history with as many lines."""
    entries = here.match.book.entries
    head = PublicHead(entries[0].hash, len(entries), entries[-1].hash)
    signed = [one._replace(signature=sign(one.text, "mara", ask=False)) for one in (head, head._replace(hash="7" * 64))]
    found = verify(str(here.path / "log.jsonl"), heads=signed, signers="signers")
    assert all(one.hash in found.findings[0].what for one in signed)
    return codes(found)


SIGNED = """
a signed head says who
  keyed ; : heads mara ; check ~ , signed by mara /
  : verify --receipts heads --signers signers | receipts.signer == mara
  receipt --sign mara -f json ~ "signature": "-----BEGIN SSH SIGNATURE-----
a head signed by another, or changed, or not signed, is found
  keyed ; : heads theo ; 4 check ~ [receipt.signature] ; : heads ; 4 check ~ [receipt.signature]
  : heads mara bent ; 4 check ~ [receipt.signature] ; : heads mara moved ; 4 check ~ [receipt.signature]
two signed heads with one number are the proof of two histories
  keyed ; : two == receipt.two receipt.unknown
a key that cannot sign is said, and nothing waits for a passphrase
  keyed ; 2 receipt --sign locked ~ [sign.key] ; 2 receipt --sign signers ~ [sign.key]
  2 receipt --sign nowhere ~ [sign.key] ; : heads ; 2 verify --receipts heads --signers nowhere ~ [sign.signers]
"""
test_signatures = needs_ssh(plays(SIGNED))
UNSIGNED = """
without ssh-keygen only signatures are missing
  demo equilibrium ; : without ; : heads - false ; 5 receipt --sign heads ~ [sign.tool] ; verify --receipts heads
  5 verify --receipts heads --signers heads ~ [sign.tool]
"""


# ---- anchors -------------------------------------------------------------------------------------------------------


def named(here: Host) -> int:
    """The number of the line whose hash the last anchor names."""
    entries = here.match.book.entries
    return next(entry.seq for entry in entries if entry.hash == entries[-1].body.args["head"])


def anchor_hash(here: Host, seq: str) -> str:
    here.hl(f"anchor {link(here.now)} {here.match.book.entries[int(seq) - 1].hash}")
    return ""


def claimed(here: Host, name: str, value: str) -> str:
    """An anchor that no command made, with something that an entry of another copy may have."""
    more = {name: int(value) if value.isdigit() else value}
    append(here.path, "anchor", {"link": link(0), "head": "cd" * 32}, **more)
    return ""


SHORT = {"b": "> -g b --as mara", "check": "verify --receipts heads --signers signers"}
SHOWS = {
    **CHECKED, "heads": heads, "two": two, "named": named, "claimed": claimed,
    "looks": lambda here, name="m": sum("look at" in line for line in checked(here, name).not_checked),
    "anchor_hash": anchor_hash,
    "same": lambda here, seq: here.match.as_known(int(seq)).fold.state.hands == here.match.fold.state.hands,
    "without": lambda here: here.patch.setattr("ledger.audit.receipts.shutil.which", lambda tool: None),
    "copied": lambda here: shutil.copytree(here.path, here.folder / "b") and "",
}  # fmt: skip
ANCHORS = f"""
an anchor names the newest receipt that the message can hold
  demo equilibrium ; +2h ; note after the message ; anchor {{link-1h}} ~ the receipt of entry 69 was posted at
  : named == 69 ; : body args.link == {{link-1h1m}} ; : found ==
  : unchecked ~ the receipt of line 69 in it: look at {{link-1h1m}}
an anchor can name an entry, a receipt or a posted text
  demo equilibrium ; outbox done 21a ; +1h ; anchor {{link}} 21a ; : named == 21 ; anchor {{link}} 30 ; : named == 30
  anchor {{link}} '#31' ; : named == 31 ; : anchor_hash 8 ; : named == 8 ; : found ==
anchors that cannot be are refused, and nothing is written
  demo equilibrium ; +1h ; anchor {{link}} 30 ; 3 anchor {{link-1m}} 30 ~ [anchor.twice]
  3 anchor {{link-1h8m}} 1 ~ [anchor.time] ; 3 anchor {{link-1h9m}} ~ [anchor.time]
  2 anchor {{link+1h}} ~ [time.future] ; 2 anchor tomorrow ~ [time.message]
  2 anchor 175928847299117063 ~ [anchor.link] ; 2 anchor {{link}} {"ab" * 32} ~ [anchor.unknown]
  2 anchor {{link}} 9999 ~ [entry.unknown]
nor one that names a text for a player alone: there is no receipt under it
  demo equilibrium ; +1h ; 2 anchor {{link}} 21b ~ [anchor.unknown]
an anchor changes nothing in the match and can be undone
  demo equilibrium ; +1h ; anchor {{link}} 30 --note 'in #announcements' ; : same 69 == yes ; : looks == 1
  undo {{anchor}} ; : looks == 0 ; anchor {{link}} 30
joined copies keep anchors and texts and judge only their own: what the other posted and anchored is no finding
  demo equilibrium ; : copied ; +1h ; note in m ; b note in b ; b outbox done 21a ; +1h ; anchor {{link-30m}}
  b anchor {{link-30m}} ; join b --yes ; b join m --yes ; : found == ; : found b == ; : looks == 1 ; : looks b == 1
  : unchecked ~ 1 posted text, to be checked with that copy
  : unchecked ~ 1 anchor from another copy of the log, to be checked with that copy
  redact --for public -o public.jsonl ; : found public.jsonl == ; : unchecked public.jsonl ~ 1 anchor from another
no key makes a claim one of another copy: what was brought is what a `join` entry lists
  demo equilibrium ; : claimed once {"ab" * 32} ; : found == anchor.unknown
nor does the entry itself
  demo equilibrium ; : claimed joined 3 ; : found == anchor.unknown
"""
test_anchors = plays(ANCHORS, UNSIGNED)


def test_made_up_anchors_are_found_in_every_copy(evening: Path, tmp_path: Path) -> None:
    """A hash of no line before; a message older than its line, or younger than the anchor; no message."""
    entries = Match(str(evening / "log.jsonl")).book.entries
    now = entries[-1].body.recorded
    for args in (
        {"link": link(now), "head": "ab" * 32},
        {"link": link(entries[-1].body.recorded - 6 * 60_000 - 1), "head": entries[-1].hash},
        {"link": link(now + 6 * 60_000), "head": entries[-1].hash},
        {"link": "https://example.org/", "head": entries[-1].hash},
        {"head": entries[-1].hash},
    ):
        append(evening, "anchor", args)
    wanted = ["anchor.unknown", "anchor.time", "anchor.time", "anchor.link", "anchor.link"]
    assert codes(verify(str(evening / "log.jsonl"))) == wanted
    for audience in ("public", "ann"):
        copy = tmp_path / f"{audience}.jsonl"
        assert hl("-g", str(evening), "redact", "--for", audience, "-o", str(copy))[0] == 0
        found = codes(verify(str(copy)))
        # When a closed line was recorded is not known; the last line before the anchors is a closed one here.
        assert found == [wanted[0], *wanted[2:]] or found == wanted
