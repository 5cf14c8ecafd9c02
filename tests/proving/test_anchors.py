"""Signed heads and anchors: what `verify` says of them. Source: docs/log-format.md section 10; docs/audit.md."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ledger.core.clock
from ledger.audit.receipts import PublicHead, read_receipts
from ledger.audit.verify import verify
from ledger.core.match import Match
from ledger.tell.outbox import outbox
from tests.support.audited import append, codes, host_of
from tests.support.host import hl, link

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed here")


# ---- signatures ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys made on the fly: `mara` and `theo`, and a file that allows mara only."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("mara", "theo"):
        made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
        subprocess.run(made, check=True, stdin=subprocess.DEVNULL)
    made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", str(folder / "locked")]
    subprocess.run(made, check=True, stdin=subprocess.DEVNULL)
    kind, key, _ = (folder / "mara.pub").read_text().split()
    (folder / "signers").write_text(f"mara {kind} {key}\n")
    return folder


@needs_ssh
def test_a_signed_head_says_who(evening: Path, keys: Path, tmp_path: Path) -> None:
    code, signed, _ = hl("-g", str(evening), "receipt", "--sign", str(keys / "mara"))
    assert code == 0
    (tmp_path / "heads").write_text(f"mara: good night\n{signed}")
    check = ("-g", str(evening), "verify", "--receipts", str(tmp_path / "heads"), "--signers", str(keys / "signers"))
    code, told, _ = hl(*check)
    assert code == 0 and ", signed by mara\n" in told
    rows = json.loads(hl(*check, "-f", "json")[1])["receipts"]
    assert [row["signer"] for row in rows] == ["mara"]
    told = json.loads(hl("-g", str(evening), "receipt", "--sign", str(keys / "mara"), "-f", "json")[1])
    assert set(told) == {"game", "entries", "head", "signature"}


@needs_ssh
def test_a_head_signed_by_another_or_changed_or_not_signed_is_found(evening: Path, keys: Path) -> None:
    path, signers = str(evening / "log.jsonl"), str(keys / "signers")
    (good,) = read_receipts(hl("-g", str(evening), "receipt", "--sign", str(keys / "mara"))[1]).heads
    (other,) = read_receipts(hl("-g", str(evening), "receipt", "--sign", str(keys / "theo"))[1]).heads
    assert good.signature and other.signature
    first = Match(path).book.entries[0].hash
    bent = good.signature.replace("\n", "\nAAAA", 1)
    for head in (other, good._replace(signature=""), good._replace(signature=bent)):
        assert codes(verify(path, heads=[head], signers=signers)) == ["receipt.signature"]
    moved = good._replace(entries=1, hash=first)
    assert codes(verify(path, heads=[moved], signers=signers)) == ["receipt.signature"]


@needs_ssh
def test_two_signed_heads_with_one_number_are_the_proof_of_two_histories(evening: Path, keys: Path) -> None:
    from ledger.audit.receipts import sign

    path = str(evening / "log.jsonl")
    entries = Match(path).book.entries
    one = PublicHead(entries[0].hash, len(entries), entries[-1].hash)
    two = one._replace(hash="7" * 64)
    signed = [head._replace(signature=sign(head.text, str(keys / "mara"), ask=False)) for head in (one, two)]
    found = verify(path, heads=signed, signers=str(keys / "signers"))
    assert codes(found) == ["receipt.two", "receipt.unknown"]
    assert one.hash in found.findings[0].what and two.hash in found.findings[0].what


@needs_ssh
def test_a_key_that_cannot_sign_is_said_and_nothing_waits_for_a_passphrase(evening: Path, keys: Path) -> None:
    for key in ("locked", "signers", "nowhere"):
        code, out, err = hl("-g", str(evening), "receipt", "--sign", str(keys / key))
        assert (code, out) == (2, "") and "[sign.key]" in err
    heads = hl("-g", str(evening), "receipt")[1]
    (keys / "heads").write_text(heads)
    check = ("-g", str(evening), "verify", "--receipts", str(keys / "heads"), "--signers")
    code, _, err = hl(*check, str(keys / "nowhere"))
    assert code == 2 and "[sign.signers]" in err


def test_without_ssh_keygen_only_signatures_are_missing(evening: Path, tmp_path: Path, monkeypatch: Any) -> None:
    import ledger.audit.receipts

    monkeypatch.setattr(ledger.audit.receipts.shutil, "which", lambda tool: None)
    code, head, _ = hl("-g", str(evening), "receipt")
    assert code == 0
    (tmp_path / "key").write_text("")
    code, out, err = hl("-g", str(evening), "receipt", "--sign", str(tmp_path / "key"))
    assert (code, out) == (5, "") and "[sign.tool]" in err
    signature = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"
    (tmp_path / "heads").write_text(f"{head}\n{signature}")
    check = ("-g", str(evening), "verify", "--receipts", str(tmp_path / "heads"))
    assert hl(*check)[0] == 0
    code, _, err = hl(*check, "--signers", str(tmp_path / "key"))
    assert code == 5 and "[sign.tool]" in err


# ---- anchors -------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, evening: Path) -> Callable[[int], int]:
    """Moves the clock so many ms past the last entry, and says where it stands."""
    last = Match(str(evening / "log.jsonl")).book.entries[-1].body.recorded

    def move(by: int) -> int:
        now = type("Time", (), {"time": staticmethod(lambda: (last + by) / 1000)})
        monkeypatch.setattr(ledger.core.clock, "time", now)
        return last + by

    move(0)
    return move


HOUR = 3_600_000


def test_an_anchor_names_the_newest_receipt_the_message_can_hold(evening: Path, clock: Callable[[int], int]) -> None:
    here = host_of(evening)
    entries = Match(str(evening / "log.jsonl")).book.entries
    posted = clock(HOUR)
    clock(2 * HOUR)
    assert hl(*here, "note", "after the message")[0] == 0
    code, _, err = hl(*here, "anchor", link(posted))
    assert code == 0
    assert f"the receipt of entry {len(entries)} was posted at" in err
    last = Match(str(evening / "log.jsonl")).book.entries[-1]
    assert (last.body.do, last.body.args) == ("anchor", {"link": link(posted), "head": entries[-1].hash})
    found = verify(str(evening / "log.jsonl"))
    assert found.ok
    (look,) = [line for line in found.not_checked if "look at" in line]
    assert f"the receipt of line {len(entries)} in it: look at {link(posted)}" in look


def test_an_anchor_can_name_an_entry_a_receipt_or_a_posted_text(evening: Path, clock: Callable[[int], int]) -> None:
    here = host_of(evening)
    item = next(i for i in outbox(Match(str(evening / "log.jsonl"))).waiting if i.audience == "public")
    assert hl(*here, "outbox", "done", item.name)[0] == 0
    entries = Match(str(evening / "log.jsonl")).book.entries
    posted = clock(HOUR)
    for n, (word, wanted) in enumerate(
        (
            (item.name, item.receipt),
            ("30", entries[29].hash),
            ("#31", entries[30].hash),
            (entries[7].hash, entries[7].hash),
        )
    ):
        assert hl(*here, "anchor", link(posted - n), word)[0] == 0
        assert Match(str(evening / "log.jsonl")).book.entries[-1].body.args["head"] == wanted
    assert verify(str(evening / "log.jsonl")).ok


def test_anchors_that_cannot_be_are_refused_and_nothing_is_written(evening: Path, clock: Callable[[int], int]) -> None:
    here = host_of(evening)
    entries = Match(str(evening / "log.jsonl")).book.entries
    posted = clock(HOUR)
    assert hl(*here, "anchor", link(posted), "30")[0] == 0
    before = (evening / "log.jsonl").read_bytes()
    early = entries[0].body.recorded - 6 * 60_000
    for words, code, name in (
        ((link(posted), "30"), 3, "anchor.twice"),
        ((link(early), "1"), 3, "anchor.time"),
        ((link(early),), 3, "anchor.time"),
        ((link(posted + HOUR),), 2, "time.future"),
        (("tomorrow",), 2, "time.message"),
        ((link(posted).rsplit("/", 1)[1],), 2, "anchor.link"),
        ((link(posted), "ab" * 32), 2, "anchor.unknown"),
        ((link(posted), "10b"), 2, "anchor.unknown"),  # for ann alone: no receipt under it
        ((link(posted), "9999"), 2, "entry.unknown"),
    ):
        got, _, err = hl(*here, "anchor", *words)
        assert got == code and f"[{name}]" in err, (words, err)
    assert (evening / "log.jsonl").read_bytes() == before


def test_an_anchor_changes_nothing_in_the_match_and_can_be_undone(evening: Path, clock: Callable[[int], int]) -> None:
    here = host_of(evening)
    before = Match(str(evening / "log.jsonl")).fold.state
    clock(HOUR)
    assert hl(*here, "anchor", link(clock(HOUR)), "30", "--note", "in #announcements")[0] == 0
    after = Match(str(evening / "log.jsonl"))
    assert after.fold.state.hands == before.hands
    seq = next(e.seq for e in after.book.entries if e.body.do == "anchor")
    assert hl(*here, "undo", str(seq))[0] == 0
    assert not any("look at" in line for line in verify(str(evening / "log.jsonl")).not_checked)
    assert hl(*here, "anchor", link(clock(HOUR)), "30")[0] == 0


def test_joined_copies_keep_anchors_and_texts_and_judge_only_their_own(
    evening: Path, clock: Callable[[int], int]
) -> None:
    """A receipt belongs to one copy: what the other posted and anchored is no finding, and said not to be checked."""
    other = Path(shutil.copytree(evening, evening.parent / "other"))
    for folder in (evening, other):
        posted = clock(HOUR)
        assert hl(*host_of(folder), "note", f"in {folder.name}")[0] == 0
        item = next(i for i in outbox(Match(str(folder / "log.jsonl"))).waiting if i.audience == "public")
        if folder is other:
            assert hl(*host_of(folder), "outbox", "done", item.name)[0] == 0
        clock(2 * HOUR)
        assert hl(*host_of(folder), "anchor", link(posted + HOUR))[0] == 0
    for folder, copy in ((evening, other), (other, evening)):
        assert hl(*host_of(folder), "join", str(copy), "--yes")[0] == 0
    for folder in (evening, other):
        found = verify(str(folder / "log.jsonl"))
        assert found.ok, found.findings
        assert len([line for line in found.not_checked if "look at" in line]) == 1
    told = verify(str(evening / "log.jsonl")).not_checked
    assert any("1 posted text, to be checked with that copy" in line for line in told)
    assert "1 anchor from another copy of the log, to be checked with that copy" in told
    copy = evening.parent / "public.jsonl"
    assert hl("-g", str(evening), "redact", "--for", "public", "-o", str(copy))[0] == 0
    assert verify(str(copy)).ok and [line for line in verify(str(copy)).not_checked if "1 anchor from another" in line]


@pytest.mark.parametrize("more", [{"once": "ab" * 32}, {"joined": 3}], ids=str)
def test_no_key_makes_a_claim_one_of_another_copy(evening: Path, more: dict[str, Any]) -> None:
    """What was brought is what a `join` entry lists: neither a key that was typed nor the entry itself says it."""
    append(evening, "anchor", {"link": link(0), "head": "cd" * 32}, **more)
    assert codes(verify(str(evening / "log.jsonl"))) == ["anchor.unknown"]


def test_made_up_anchors_are_found_in_every_copy(evening: Path, tmp_path: Path, clock: Callable[[int], int]) -> None:
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
