"""Who sent an entry of a shared match: hosts' keys, signatures beside the lines, and what `verify --signers` says.

Source: docs/two-hosts.md; docs/audit.md; docs/decisions/0038-a-mirror-and-a-wire.md. Needs ssh-keygen.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.support.evening import Evening

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen is installed here")


class Signing:
    """mara and theo share a match, each with a key of their own and a configuration that names it."""

    def __init__(self, stage: Any, *, plain: bool = False) -> None:
        self.stage, self.folder = stage, stage.folder
        rows = []
        for name in ("mara", "theo", "eve"):
            key = self.folder / f"{name}.key"
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
            if name != "eve":
                rows.append(f"{name} {(self.folder / f'{name}.key.pub').read_text()}")
            self.config(name, f'sign = "{key}"\n')
        (self.folder / "signers").write_text("".join(rows))
        self.who("mara")
        self.evening = Evening(stage, plain=plain)

    def config(self, name: str, text: str) -> None:
        place = self.folder / f"config-{name}" / "host-ledger"
        place.mkdir(parents=True, exist_ok=True)
        (place / "config.toml").write_text(text)

    def who(self, name: str) -> None:
        """At whose machine we sit from now on."""
        self.stage.patch.setenv("XDG_CONFIG_HOME", str(self.folder / f"config-{name}"))

    def do(self, name: str, line: str, where: str, by: str = "") -> str:
        self.who(name)
        told: str = self.stage.run((f"$ hl -g {where} --as {by or name} {line}",))
        return told

    def verify(self, where: str = "m") -> str:
        told: str = self.stage.run((f"$ hl -g {where} verify --signers signers",))
        return told


@pytest.fixture
def signing(request: Any, stage: Any) -> Signing:
    return Signing(stage, plain=getattr(request, "param", False))


also_plain = pytest.mark.parametrize("signing", [False, True], indirect=True, ids=["sealed", "plain"])
"""Where it matters how a signature lies on the server."""


@also_plain
def test_whose_key_covers_which_entries(signing: Signing) -> None:
    """Both mirrors say the same; who shared the match covers what was before; a batch is covered whole."""
    signing.do("theo", "trade gil B8 ann B1 --note seen", "t")
    signing.do("mara", "lock hal", "m")
    signing.stage.run(("$ hl -g t sync",))
    for where in ("m", "t"):
        told = signing.verify(where)
        assert "note: sent with the key of mara: entries 1 to 19, 22" in told, told
        assert "note: sent with the key of theo: entries 20 to 21" in told
        assert "without a signature" not in told and "verified: 22 entries" in told
    held = signing.evening.everything()
    assert (b"SSH SIGNATURE" in held) is False, "it is sealed, or coded, beside its line"
    assert "verified" in signing.stage.run(("$ hl -g t verify",))


def test_an_entry_without_a_signature(signing: Signing) -> None:
    """Theo has no key: said, and no finding. A key that is gone holds no entry up."""
    signing.config("theo", "")
    signing.do("theo", "note one", "t")
    signing.config("theo", f'sign = "{signing.folder}/gone"\n')
    told = signing.do("theo", "note two", "t")
    assert "recorded #21" in told and "not signed" in told and "[exit" not in told
    signing.do("mara", "sync", "m")
    told = signing.verify()
    assert (
        "who sent entries 20 to 21: without a signature, the host's name in it is only a claim" in told
        and "verified" in told
    )


def test_an_entry_in_the_name_of_another_host(signing: Signing) -> None:
    """`--as mara` with theo's key is a finding."""
    signing.do("theo", "note hello", "t", by="mara")
    told = signing.verify("t")
    assert "entry 20 says that mara recorded it, but it was sent with the key of theo [sign.other]" in told
    assert "[exit 4]" in told
    rows = json.loads(signing.stage.run(("$ hl -g t verify --signers signers -f json",)).splitlines()[0])["findings"]
    assert [(row["line"], row["code"]) for row in rows] == [(20, "sign.other")]


def test_a_key_that_is_in_no_list(signing: Signing) -> None:
    signing.do("eve", "note hello", "t", by="theo")
    told = signing.verify("t")
    assert "sign.push" in told and "nobody in signers signed entry 20" in told and "[exit 4]" in told


def test_a_signature_of_other_lines(signing: Signing) -> None:
    """Taken from another entry, or with another range: a finding each."""
    signing.do("theo", "note one", "t")
    kept = signing.folder / "t" / "log.jsonl.signed"
    whole = kept.read_text()
    for old, new in (('"first": 20', '"first": 19'), ('"last": 20', '"last": 19')):
        assert old in whole
        kept.write_text(whole.replace(old, new))
        assert "sign.push" in signing.verify("t")
    kept.write_text(whole + '{"first": 1, half a line')
    assert "verified" in signing.verify("t")


def test_a_published_head_is_not_one_that_was_sent(signing: Signing) -> None:
    """`receipt --sign` of the same head says another thing: it covers no entry."""
    signing.config("theo", "")
    signing.do("theo", "note in the name of mara", "t", by="mara")
    signing.do("mara", "sync", "m")
    told = signing.stage.run(("$ hl -g m receipt --sign mara.key -f json",))
    head = json.loads(told)
    row = {"first": 20, "last": 20, "head": head["head"], "signature": head["signature"]}
    with (signing.folder / "m" / "log.jsonl.signed").open("a") as kept:
        kept.write(json.dumps(row) + "\n")
    assert "sign.push" in signing.verify()


@pytest.mark.parametrize(("first", "found"), [(1, False), (15, True)])
def test_what_others_sent_before_is_not_covered_by_a_later_word(signing: Signing, first: int, found: bool) -> None:
    """Theo signs for more than what he sent: from line 1 on, as who shares a match anew, or from the middle."""
    signing.do("theo", "note one", "t")
    stated = json.loads(signing.stage.run(("$ hl -g t receipt -f json",)))
    game, head = stated["game"], stated["head"]
    text = f"host-ledger/v1 {game}\n{first}-20\n{head}\n"
    key = ["ssh-keygen", "-Y", "sign", "-f", signing.folder / "theo.key", "-n", "host-ledger-push@v1"]
    made = subprocess.run(key, input=text, capture_output=True, text=True, check=True).stdout
    with (signing.folder / "t" / "log.jsonl.signed").open("a") as kept:
        kept.write(json.dumps({"first": first, "last": 20, "head": head, "signature": made}) + "\n")
    told = signing.verify("t")
    assert "the key of mara: entries 1 to 19" in told and "the key of theo: entry 20" in told, told
    assert ("of which others had sent some before [sign.push]" in told) == found == ("[exit 4]" in told), told


def test_a_forged_entry_that_came_with_the_whole_match(signing: Signing) -> None:
    """Theo records in mara's name without a key, forgets what she had signed, and shares the match anew with his: that
    covers it from line 1 on, and nobody can read it as hers."""
    signing.config("theo", "")
    signing.do("theo", "note forged", "t", by="mara")
    signing.do("theo", "note own", "t")
    signing.config("theo", f'sign = "{signing.folder}/theo.key"\n')
    (signing.folder / "t" / "log.jsonl.signed").unlink()
    signing.do("theo", f"share {signing.evening.url}2 --move --yes", "t")
    told = signing.verify("t")
    assert "sent with the key of theo: entry 21" in told, told
    assert "theo shared the match or joined a copy, and brought entries 1 to 20 with their key; that" in told
    assert (
        "that mara recorded them is only a claim" in " ".join(told.split()) and "sent with the key of mara" not in told
    )
    assert "verified: 21 entries" in told


def test_hostile_signatures_stop_nobody(signing: Signing) -> None:
    """Numbers with thousands of digits, endless ones and lists in lists, on the server or beside the log."""
    from ledger.wire.protocol import Stored
    from ledger.wire.sealing import Sealing, signed_rows

    class Told(Sealing):
        def both(self, row: Stored) -> tuple[bytes, str]:
            return b"", row.data

    assert signed_rows([Stored("0" * 64, "1" * 5000 + "\nSSH"), Stored("0" * 64, "\u0663\nSSH")], Told(b""), 1) == []
    kept = signing.folder / "t" / "log.jsonl.signed"
    for bad in ('{"first": Infinity, "last": 1, "head": "", "signature": ""}', "[" * 100_000):
        kept.write_text(f"{kept.read_text()}\n{bad}\n")
    assert "verified" in signing.verify("t")


@also_plain
def test_they_come_with_a_clone_and_stay_after_leaving(signing: Signing) -> None:
    """A third mirror has them all; shared anew under another name they go along; what was joined is said."""
    signing.do("theo", "note one", "t")
    stage, evening = signing.stage, signing.evening
    evening.ok(f"clone {evening.url} third < key", "")
    assert "theo: entry 20" in signing.verify("third")
    signing.do("mara", "sync", "m")
    evening.ok("unshare --yes", "m")
    assert "theo: entry 20" in signing.verify("m")
    again = evening.url.replace("#ep4", "#new")
    evening.ok(f"share {again} --yes", "m")
    evening.ok("share --key > key2", "m")
    evening.ok(f"clone {again} fourth < key2", "")
    assert "theo: entry 20" in signing.verify("fourth") and "mara: entries 1 to 19" in signing.verify("fourth")
    evening.ok("unshare --yes", "t")
    evening.ok("note alone", "t")
    told = signing.do("mara", "join t --yes", "m")
    assert "recorded" in told
    told = signing.verify("m")
    assert "mara shared the match or joined a copy, and brought " in told, told
    assert "that theo recorded them is only a claim" in told and "verified" in told
    assert stage.run(("$ hl -g m doctor",))


@also_plain
def test_lost_answers_keep_their_signature(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sent without an answer and is found, or is sent again, is covered as well."""
    from events import OutcomeUnknown
    from ledger.wire.git import GitWire

    real = GitWire.push
    for late in (True, False):

        def push(self: GitWire, *args: Any, late: bool = late) -> None:
            if late:
                real(self, *args)
            raise OutcomeUnknown("wire.unknown", "unknown", "hl sync")

        with monkeypatch.context() as patch:
            patch.setattr(GitWire, "push", push)
            assert "[exit 7]" in signing.do("theo", f"note {late}", "t")
        signing.do("theo", f"note after-{late}", "t")
    told = signing.verify("t")
    assert "theo: entries 20 to 23" in told and "without a signature" not in told, told
