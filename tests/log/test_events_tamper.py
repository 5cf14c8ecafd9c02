"""Changing a log in any way is found, and the first bad line is named. HL_FULL=1 tries every value of every byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import events.reading
from events import GENESIS, Body, Damaged, Finding, LogFile, create, link, read_chain, seal, write_body, write_line

FULL = bool(os.environ.get("HL_FULL"))
LINES = 6
VALUES = range(256) if FULL else (0, 1, 9, 10, 13, 32, 34, 44, 48, 49, 57, 58, 65, 92, 97, 102, 125, 127, 128, 255)


def body(n: int) -> Body:
    return Body("note", 1_800_000_000_000 + n, "mara", 1_800_000_000_000 + n, {"text": f"no {n}"})


@pytest.fixture(scope="module")
def sound() -> list[bytes]:
    out, prev = [], GENESIS
    for n in range(1, LINES + 1):
        raw, prev = write_line(n, prev, f"{n:032x}", write_body(body(n)))
        out.append(raw)
    return out


@pytest.fixture
def placed(tmp_path, sound) -> Path:
    """The same log with its head record."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(sound))
    path.chmod(0o600)
    LogFile(path).accept()
    return path


def first_bad(data: bytes) -> int | None:
    """The line that reading names, or None. Lines end in a newline and nowhere else."""
    lines = data.split(b"\n")
    raw = [part + b"\n" for part in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    try:
        for _ in read_chain(raw):
            pass
    except Damaged as error:
        return error.line
    return None


def substitutions(sound: list[bytes]) -> tuple[int, list[tuple[int, int, int | None]]]:
    """How many changes of one byte were tried, and those not found at their own line."""
    tried, wrong, data = 0, [], b"".join(sound)
    at = 0
    for number, raw in enumerate(sound, 1):
        for here in range(at, at + len(raw)):
            for value in VALUES:
                if value != data[here]:
                    tried += 1
                    named = first_bad(data[:here] + bytes([value]) + data[here + 1 :])
                    if named != number:
                        wrong.append((here, value, named))
        at += len(raw)
    return tried, wrong


def test_every_changed_byte_is_found_and_its_line_named(sound):
    tried, wrong = substitutions(sound)
    assert tried > 30_000
    assert not wrong, wrong[:5]


def test_sabotage_without_the_seal_the_matrix_fails(sound, monkeypatch):
    monkeypatch.setattr(events.reading, "seal", lambda salt, body: "")
    real = events.reading._closed_hash

    def trusting(line: bytes, seq: int, prev: str) -> str:
        try:
            return real(line, seq, prev)
        except Damaged as error:
            if error.code != "log.seal":
                raise
            return link(seq, prev, line[90 + len(str(seq)) :][:64].decode())

    monkeypatch.setattr(events.reading, "_closed_hash", trusting)
    assert substitutions(sound[:2])[1]


def test_a_byte_put_in_or_taken_out_is_found(sound):
    data = b"".join(sound)
    starts = [0]
    for raw in sound:
        starts.append(starts[-1] + len(raw))
    for at in range(len(data)):
        number = next(n for n in range(1, LINES + 1) if at < starts[n])
        assert first_bad(data[:at] + data[at + 1 :]) == number
        for value in b'\n\r\0 "}0a{':
            changed = data[:at] + bytes([value]) + data[at:]
            named = first_bad(changed)
            # A newline before a line's own is the empty line after it.
            assert named == number or (value == 10 and data[at] == 10 and named == number + 1), (at, value, named)


def test_lines_deleted_doubled_swapped_cut_or_put_in_are_found(placed, sound):
    full = b"".join(sound)
    for i in range(LINES):
        for j in range(i + 1, LINES):
            swapped = list(sound)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            assert first_bad(b"".join(swapped)) == i + 1
        if i < LINES - 1:
            assert first_bad(b"".join(sound[:i] + sound[i + 1 :])) == i + 1
        assert first_bad(b"".join([*sound[: i + 1], *sound[i:]])) == i + 2
        assert first_bad(b"".join([*sound[:i], b"{}\n", *sound[i:]])) == i + 1
        assert first_bad(b"".join([*sound[:i], b"\n", *sound[i:]])) == i + 1
    for end in range(len(full) - 1):  # with the head record no end can be cut off unseen
        placed.write_bytes(full[:end])
        with pytest.raises(Damaged) as caught:
            LogFile(placed).read()
        whole = (full[:end] + b"\n").count(b"\n") if full[end : end + 1] == b"\n" else full[:end].count(b"\n")
        assert caught.value.line == whole + 1, end
    placed.write_bytes(full[:-1])  # its last newline alone is not a lost entry
    assert len(LogFile(placed).read().lines) == LINES


def test_every_single_change_is_a_finding_of_verify(placed, sound):
    full = b"".join(sound)
    step = 1 if FULL else 7
    for at in range(0, len(full), step):
        placed.write_bytes(full[:at] + bytes([full[at] ^ 1]) + full[at + 1 :])
        findings: list[Finding] = []
        good = list(LogFile(placed).scan(findings))
        assert findings, at
        assert findings[0].line == len(good) + 1 == full[:at].count(b"\n") + 1


def test_a_whole_chain_written_anew_is_found_by_the_head_record(placed, sound):
    for edited in range(1, LINES + 1):
        out, prev = [], GENESIS
        for n in range(1, LINES + 1):
            raw, prev = write_line(n, prev, f"{n:032x}", write_body(body(n + 100 if n == edited else n)))
            out.append(raw)
        placed.write_bytes(b"".join(out))
        assert first_bad(b"".join(out)) is None  # the chain alone proves nothing
        with pytest.raises(Damaged) as caught:
            LogFile(placed).read()
        assert (caught.value.code, caught.value.line) == ("log.head_other", LINES)
        with pytest.raises(Damaged), LogFile(placed).writing():
            pass
        findings: list[Finding] = []
        assert len(list(LogFile(placed).scan(findings))) == LINES
        assert [f.code for f in findings] == ["log.head_other"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b'"seq":2', b'"seq":5', "log.seq"),
        (b"no 2", b"no 3", "log.seal"),
        (b'{"seq":2', b' {"seq":2', "log.layout"),
        (b'"seq":2', b'"seq":02', "log.layout"),
        (b'"salt":"0', b'"salt":"A', "log.layout"),
        (b'"prev":"', b'"prev":"\\', "log.layout"),
        (b"}}\n", b"}}\r\n", "log.layout"),
    ],
)
def test_the_reason_is_named(sound, old, new, code):
    with pytest.raises(Damaged) as caught:
        list(read_chain([sound[0], sound[1].replace(old, new, 1)]))
    assert (caught.value.code, caught.value.line) == (code, 2)


def test_a_salt_that_is_no_hex_is_found_though_its_seal_fits():
    """Somebody who makes a whole line can fit the seal to anything; the layout still holds."""
    data = write_body(body(1))
    for at in (0, 1, 2):
        out, prev = [], GENESIS
        for n in range(3):
            salt = "ABCDEF" + "0" * 26 if n == at else "0" * 32
            raw, prev = write_line(n + 1, prev, salt, data)
            out.append(raw)
        assert first_bad(b"".join(out)) == at + 1
        broken = b"".join(out).replace(b"no 1", b"no 2")
        assert first_bad(broken) == 1
    assert seal("0" * 32, data) != seal("1" * 32, data)


def test_the_first_of_two_bad_lines_is_named(sound):
    data = b"".join(sound).replace(b"no 3", b"no 9").replace(b"no 5", b"no 9")
    assert first_bad(data) == 3


def test_hostile_bytes_give_a_verdict(tmp_path):
    path = tmp_path / "log.jsonl"
    create(path, [body(1)])
    good = path.read_bytes()
    hostile = (
        b"\0" * 100, b"[" * 100_000, b"\n" * 50, b"\xff\xfe", b"{" * 70_000 + b"\n", b'{"seq":2}\n', b"9" * 10**6,
        b'{"seq":' + b"9" * 5000 + b"}\n", b"\r\n", good, b" \n", b'{"seq":' * 400_000, good[:-3] * 8_000,
        b"x" * 10_000_000,
    )  # fmt: skip
    for bad in hostile:
        path.write_bytes(good + bad)
        findings: list[Finding] = []
        assert len(list(LogFile(path).scan(findings))) == 1
        assert findings[0].line == 2
