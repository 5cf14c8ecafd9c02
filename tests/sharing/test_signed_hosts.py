"""Who sent an entry of a shared match: hosts' keys, signatures beside the lines, and what `verify --signers` says.

How a case is written: support/lines.py. Mara sits at her machine in `m`, Theo at his in `t`; `checked m` is verify with
the list of signers. Source: docs/two-hosts.md; docs/audit.md; docs/decisions/0038-a-mirror-and-a-wire.md. Needs
ssh-keygen.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from events import OutcomeUnknown
from ledger.audit.receipts import signer
from ledger.wire.git import GitWire
from ledger.wire.protocol import Stored
from ledger.wire.sealing import Sealing, signed_rows
from tests.support.ended import HANDS, NAMES
from tests.support.host import Answer, Host, match_file
from tests.support.lines import plays

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen is installed here")


class Signing(Host):
    """mara and theo share a match, each with a key of their own and a configuration that names it.

    Attributes:
        machine: Whose configuration counts; without it that of the host whose folder is named.
        whole: What lay beside Theo's log before a test changed it.
    """

    machine = whole = ""

    def type(self, *words: str, code: int | None = 0, by: str = "") -> Answer:
        owner = self.machine or {"t": "theo"}.get(words[1], "mara")
        self.patch.setenv("XDG_CONFIG_HOME", str(self.folder / f"config-{owner}"))
        return super().type(*(word.replace("URL", self.url) for word in words), code=code, by=by)

    def key(self, name: str, key: str = "") -> str:
        """From here on that host signs with the key of that name, or with none."""
        place = self.folder / f"config-{name}" / "host-ledger"
        place.mkdir(parents=True, exist_ok=True)
        (place / "config.toml").write_text(f'sign = "{self.folder}/{key}"\n' if key else "")
        return ""

    def clone(self, name: str, of: str = "") -> str:
        """A further mirror, of what the match in m is shared as."""
        words = self.type("-g", "m", "--as", "mara", "share", "--key", code=None).out
        self.patch.setattr("sys.stdin", io.StringIO(words))
        self.type("clone", self.url + of, name)
        return ""

    @property
    def url(self) -> str:
        return f"git+file://{self.folder}/srv.git#ep4"

    @property
    def beside(self) -> Path:
        """What lies beside Theo's log."""
        return self.folder / "t" / "log.jsonl.signed"


def shared(host: Host, *options: str) -> Signing:
    here = Signing(host.folder, host.patch, host.now)
    here.patch.chdir(here.folder)
    for name in ("mara", "theo", "eve"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", f"{name}.key"], check=True)
        here.key(name, f"{name}.key")
    here.file("signers", "".join(f"{name} {Path(f'{name}.key.pub').read_text()}" for name in ("mara", "theo")))
    subprocess.run(["git", "init", "-q", "--bare", "srv.git"], check=True)
    here.by = "mara"
    here.new(match_file("equilibrium", dict.fromkeys(NAMES, 2), hosts=("mara", "theo"))).deal(HANDS)
    here.hl("open")
    here.hl("share", here.url, *options)
    here.by = ""
    here.clone("t")
    return here


@pytest.fixture
def sealed(host: Host) -> Signing:
    return shared(host)


@pytest.fixture
def plain(host: Host) -> Signing:
    return shared(host, "--plain", "--yes")


def at(here: Signing, name: str = "") -> str:
    here.machine = name
    return ""


def bent(here: Signing, *words: str) -> str:
    """`"last": 20 -> "last": 19` in what lay beside Theo's log; `-> TEXT`: behind it."""
    old, _, new = " ".join(words).rpartition("-> ")
    here.whole = here.whole or here.beside.read_text()
    assert old.strip() in here.whole
    here.beside.write_text(here.whole.replace(old.strip(), new) if old else f"{here.whole}{new}\n")
    return ""


def published(here: Signing) -> str:
    """The head that Mara publishes is put beside Theo's log, as if it covered entry 20."""
    head = json.loads(here.type("-g", "m", "receipt", "--sign", "mara.key", "-f", "json").out)
    return bent(here, "->", json.dumps({"first": 20, "last": 20, **{key: head[key] for key in ("head", "signature")}}))


def claimed(here: Signing, first: str) -> str:
    """Theo signs for all from that line on."""
    stated = json.loads(here.type("-g", "t", "receipt", "-f", "json").out)
    text = f"host-ledger/v1 {stated['game']}\n{first}-20\n{stated['head']}\n"
    key = ["ssh-keygen", "-Y", "sign", "-f", "theo.key", "-n", "host-ledger-push@v1"]
    made = subprocess.run(key, input=text, capture_output=True, text=True, check=True).stdout
    return bent(here, "->", json.dumps({"first": int(first), "last": 20, "head": stated["head"], "signature": made}))


def loses(here: Signing, how: str) -> str:
    """Theo sends a note, and gets no answer: it is `kept` there, or `lost`."""
    real = GitWire.push

    def push(wire: GitWire, *args: Any) -> None:
        if how == "kept":
            real(wire, *args)
        raise OutcomeUnknown("wire.unknown", "unknown", "hl sync")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GitWire, "push", push)
        here.type("-g", "t", "--as", "theo", "note", how, code=7)
    return ""


SHORT = {"mara": "> -g m --as mara", "theo": "> -g t --as theo"}
SHORT |= {f"checked {name}": f"> -g {name} verify --signers signers" for name in ("m", "t", "third", "fourth")}
SHOWS = {
    "at": at, "bent": bent, "published": published, "claimed": claimed, "loses": loses,
    "key": Signing.key, "clone": Signing.clone, "forgotten": lambda here: here.beside.unlink() or "",
    "nested": lambda here: bent(here, "->", "[" * 100_000),
    "server": lambda here: subprocess.run(
        ["git", "-C", "srv.git", "cat-file", "--batch-all-objects", "--batch"], check=True, capture_output=True
    ).stdout.decode(errors="replace"),
}  # fmt: skip
SIGNED = """
an entry without a signature is said, and no finding; a key that is gone holds no entry up
  sealed ; : key theo ; theo note one ; : key theo gone ; theo note two ~ recorded #21 ~ not signed ; mara sync
  checked m ~ entries 20 to 21: without a signature, the host's name in it is only a claim ~ verified
an entry in the name of another host is a finding
  sealed ; : at theo ; > -g t --as mara note hello
  4 checked t ~ entry 20 says that mara recorded it, but it was sent with the key of theo [sign.other]
  4 checked t -f json ~ "line": 20, "code": "sign.other"
a key that is in no list
  sealed ; : at eve ; theo note hello ; 4 checked t ~ sign.push ~ nobody in signers signed entry 20
a signature of other lines: of another entry, or with another range; half a row is none
  sealed ; theo note one ; : bent "first": 20 -> "first": 19 ; 4 checked t ~ sign.push
  : bent "last": 20 -> "last": 19 ; 4 checked t ~ sign.push ; : bent -> {"first": 1, half a line ; checked t ~ verified
a published head is not one that was sent: it covers no entry
  sealed ; : key theo ; > -g t --as mara note in ; mara sync ; : published ; 4 checked t ~ sign.push
what others sent before is not covered by who signs from line 1 on, as who shares a match anew
  sealed ; theo note one ; : claimed 1
  checked t ~ the key of mara: entries 1 to 19 ~ the key of theo: entry 20 !~ sign.push
nor by who signs from the middle on
  sealed ; theo note one ; : claimed 15 ; 4 checked t ~ the key of mara: entries 1 to 19 ~ the key of theo: entry 20
  4 checked t ~ of which others had sent some before [sign.push]
a forged entry that came with the whole match cannot be read as hers: his key covers it from line 1 on, as brought
  sealed ; : key theo ; > -g t --as mara note forged ; theo note own ; : key theo theo.key ; : forgotten
  theo share URL2 --move --yes
  checked t ~ sent with the key of theo: entry 21 !~ sent with the key of mara ~ verified: 21 entries
  checked t ~ theo shared the match or joined a copy, and brought entries 1 to 20 with their key; that ~ only a claim
numbers without end and lists in lists stop nobody
  sealed ; : bent -> {"first": Infinity, "last": 1, "head": "", "signature": ""} ; checked t ~ verified ; : nested
  checked t ~ verified
"""
BOTH = """
whose key covers which entries: both mirrors say the same; who shared covers what was before; a batch is covered whole
  sealed ; theo trade gil B8 ann B4 --note seen ; mara lock hal ; theo sync ; theo verify ~ verified
  checked m ~ the key of mara: entries 1 to 19, 22 ~ the key of theo: entries 20 to 21 !~ without a signature
  checked t ~ the key of mara: entries 1 to 19, 22 ~ the key of theo: entries 20 to 21 !~ without a signature
  checked t ~ verified: 22 entries ; : server !~ SSH SIGNATURE
they come with a clone, stay after leaving, and go along to another name; what was joined is said
  sealed ; theo note one ; : clone third ; checked third ~ theo: entry 20 ; mara sync ; mara unshare --yes
  checked m ~ theo: entry 20 ; mara share URL2 --yes ; : clone fourth 2
  checked fourth ~ theo: entry 20 ~ mara: entries 1 to 19 ; theo unshare --yes ; theo note alone
  mara join t --yes ~ recorded ; checked m ~ mara shared the match or joined a copy, and brought ~ verified
  checked m ~ that theo recorded them is only a claim ; mara doctor
lost answers keep their signature: what was sent without an answer and is found, or is sent again
  sealed ; : loses kept ; theo note after ; : loses lost ; theo note last
  checked t ~ theo: entries 20 to 23 !~ without a signature
"""
test_signed_hosts = plays(SIGNED, BOTH, BOTH.replace("  sealed ;", "  plain ;"))


def test_hostile_signatures_on_the_server_are_none() -> None:
    """Numbers with thousands of digits, and digits of other scripts."""

    class Told(Sealing):
        def both(self, row: Stored) -> tuple[bytes, str]:
            return b"", row.data

    assert signed_rows([Stored("0" * 64, "1" * 5000 + "\nSSH"), Stored("0" * 64, "\u0663\nSSH")], Told(b""), 1) == []


def test_a_signature_with_other_signs_than_ascii_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "signers").write_text("mara ssh-ed25519 AAAA\n")
    assert signer("text", "\u00fc", str(tmp_path / "signers")) is None
