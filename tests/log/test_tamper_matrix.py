"""A real log of 30 entries under `verify`: each change of lines is found, and the first bad line named.

Every line deleted, doubled, swapped, put in; every edit x every receipt with the chain made anew. `HL_FULL=1` tries
every place. test_events_tamper.py does so for every byte of a file.

Source: reliability section 1, promises 5 and 6.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ledger.audit.receipts
from events import GENESIS, LogFile, read_body, read_chain, write_body, write_line
from ledger.audit.verify import VerifyReport, verify
from tests.support import replaying

FULL = bool(os.environ.get("HL_FULL"))
LINES = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tamper") / "m"
    replaying.played("equilibrium", made)
    return made


@pytest.fixture(scope="module")
def sound(folder: Path) -> list[bytes]:
    """The first 30 lines of the bundled match: setup, deal, trades, corrections."""
    lines = (folder / "log.jsonl").read_bytes().splitlines(keepends=True)[:LINES]
    assert len(lines) == LINES
    return lines


@pytest.fixture(scope="module")
def hashes(sound: list[bytes]) -> list[str]:
    """The receipt of each line."""
    return [line.hash for line in read_chain(sound)]


class Placed:
    """A log file with the head record of the sound log, and whatever stands in it now."""

    def __init__(self, path: Path, sound: list[bytes]) -> None:
        self.path = path
        self.put(sound)
        LogFile(path).accept()

    def put(self, lines: list[bytes]) -> None:
        self.path.write_bytes(b"".join(lines))
        self.path.chmod(0o600)

    def verify(self, lines: list[bytes]) -> VerifyReport:
        self.put(lines)
        return verify(str(self.path))


@pytest.fixture
def placed(tmp_path: Path, sound: list[bytes]) -> Placed:
    return Placed(tmp_path / "log.jsonl", sound)


# ---- lines ---------------------------------------------------------------------------------------------------------


def edits(sound: list[bytes]) -> Iterator[tuple[str, list[bytes], int]]:
    """What can be done with whole lines, and the first bad line that must be named."""
    for i in range(LINES):
        if i < LINES - 1:
            yield f"deleted {i + 1}", sound[:i] + sound[i + 1 :], i + 1
        yield f"doubled {i + 1}", sound[: i + 1] + sound[i:], i + 2
        yield f"empty line before {i + 1}", [*sound[:i], b"\n", *sound[i:]], i + 1
        other = sound[(i + 7) % LINES]
        if other is not sound[i]:
            yield f"another put in before {i + 1}", [*sound[:i], other, *sound[i:]], i + 1
        for j in range(i + 1, LINES) if FULL else range(i + 1, min(i + 3, LINES)):
            swapped = list(sound)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield f"swapped {i + 1} and {j + 1}", swapped, i + 1
    yield "the last one deleted", sound[:-1], LINES


def test_lines_deleted_doubled_swapped_or_put_in_are_findings_of_verify(placed: Placed, sound: list[bytes]) -> None:
    assert placed.verify(sound).ok
    for what, lines, first in edits(sound):
        found = placed.verify(lines)
        assert found.findings and found.findings[0].line == first, (what, found.findings[:2])


# ---- receipts ------------------------------------------------------------------------------------------------------


def rewritten(bodies: list[tuple[str, bytes]]) -> list[bytes]:
    """A log of these salts and bodies, with a chain that holds."""
    lines, prev = [], GENESIS
    for seq, (salt, body) in enumerate(bodies, start=1):
        line, prev = write_line(seq, prev, salt, body)
        lines.append(line)
    return lines


def _changed(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    salt, data = bodies[i]
    body = read_body(data)
    return [*bodies[:i], (salt, write_body(body._replace(recorded=body.recorded + 1))), *bodies[i + 1 :]]


def _salted(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    return [*bodies[:i], ("0" * 32, bodies[i][1]), *bodies[i + 1 :]]


def _deleted(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    return bodies[:i] + bodies[i + 1 :]


def _put_in(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    return [*bodies[:i], bodies[i - 1 if i else 1], *bodies[i:]]


def _swapped(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    other = (i + 1) % LINES
    lower, upper = min(i, other), max(i, other)
    return [*bodies[:lower], bodies[upper], *bodies[lower + 1 : upper], bodies[lower], *bodies[upper + 1 :]]


def _cut(bodies: list[tuple[str, bytes]], i: int) -> list[tuple[str, bytes]]:
    return bodies[:i]


Edit = Callable[[list[tuple[str, bytes]], int], list[tuple[str, bytes]]]
EDITS: dict[str, Edit] = {
    "changed": _changed, "salted": _salted, "deleted": _deleted, "put in": _put_in, "swapped": _swapped, "cut": _cut,
}  # fmt: skip


@pytest.fixture(scope="module")
def bodies(sound: list[bytes]) -> list[tuple[str, bytes]]:
    parts = [(line, line.index(b',"salt":"')) for line in sound]
    return [(line[at + 9 : at + 41].decode(), line[at + 50 : -2]) for line, at in parts]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_found_by_every_receipt_at_or_after_it(
    edit: str, tmp_path: Path, bodies: list[tuple[str, bytes]], sound: list[bytes], hashes: list[str]
) -> None:
    """However well the chain was made anew; and by no receipt before it."""
    assert rewritten(bodies) == sound
    path = tmp_path / "log.jsonl"
    for i in range(1 if edit == "cut" else 0, LINES):
        lines = rewritten(EDITS[edit](bodies, i))
        assert list(read_chain(lines)), "the chain alone says nothing"
        path.write_bytes(b"".join(lines))
        path.chmod(0o600)
        first = 0 if edit == "swapped" and i == LINES - 1 else i
        for some in [[receipt] for receipt in hashes] if FULL else [hashes]:
            lost = [
                f.what.split()[5].rstrip(":") for f in verify(str(path), some).findings if f.code == "receipt.unknown"
            ]
            assert sorted(lost) == sorted(set(some) & set(hashes[first:])), (edit, i)


def test_sabotage_without_comparing_receipts_the_matrix_fails(
    tmp_path: Path, bodies: list[tuple[str, bytes]], hashes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(rewritten(_changed(bodies, 5))))
    assert not verify(str(path), hashes).ok
    monkeypatch.setattr(ledger.audit.receipts.ReceiptCheck, "against", lambda *args: ())
    assert verify(str(path), hashes).ok
