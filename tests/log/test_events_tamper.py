"""Changing a log in any way is found, and the first bad line is named: by the chain, the head record, a receipt.

Every byte of a short log; whole lines of a real one, under `verify`. HL_FULL=1 tries every value and every place.

Source: reliability section 1, promises 5 and 6.
"""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

from events import GENESIS, Damaged, LogFile, close_line, create, read_chain, write_body, write_line
from events.entry import seal
from ledger.audit.verify import verify
from tests.support.demos import SHARED
from tests.support.logs import body, found, told
from tests.support.sizes import FULL

VALUES = range(256) if FULL else (0, 10, 13, 32, 34, 48, 65, 97, 125, 255)


def chained(bodies) -> list[bytes]:
    """The lines of these salts and bodies, with a chain that holds."""
    lines, prev = [], GENESIS
    for seq, (salt, data) in enumerate(bodies, start=1):
        line, prev = write_line(seq, prev, salt, data)
        lines.append(line)
    return lines


NOTES = [(f"{n:032x}", write_body(body(n, f"no {n}"))) for n in range(1, 7)]
SHORT = chained(NOTES)
WHOLE = b"".join(SHORT)
ENDS = [*accumulate(map(len, SHORT))]


def line_of(at: int) -> int:
    """The line in which that byte stands."""
    return 1 + sum(end <= at for end in ENDS)


def first_bad(data: bytes) -> int | None:
    """The line that reading names, or None. Lines end in a newline and nowhere else."""
    try:
        list(read_chain(re.findall(rb"[^\n]*\n|[^\n]+", data)))
    except Damaged as error:
        return error.line
    return None


@pytest.fixture
def placed(tmp_path):
    """A place for a log, beside it the head record of the short one."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(WHOLE)
    path.chmod(0o600)
    LogFile(path).accept()
    return path


# ---- bytes -----------------------------------------------------------------------------------------------------------


def test_every_changed_byte_is_found_and_its_line_named():
    wrong = []
    for at in range(len(WHOLE)):
        for value in VALUES:
            named = first_bad(WHOLE[:at] + bytes([value]) + WHOLE[at + 1 :]) if value != WHOLE[at] else line_of(at)
            if named != line_of(at):
                wrong.append((at, value, named))
    assert not wrong


def test_a_byte_put_in_or_taken_out_is_found():
    for at in range(len(WHOLE)):
        assert first_bad(WHOLE[:at] + WHOLE[at + 1 :]) == line_of(at)
        for value in b'\n\r\0 "}0a{':
            named = first_bad(WHOLE[:at] + bytes([value]) + WHOLE[at:])
            # A newline before a line's own is the empty line after it.
            assert named == line_of(at) or (value == WHOLE[at] == 10 and named == line_of(at) + 1), (at, value, named)


def test_no_end_can_be_cut_off_unseen(placed):
    """With the head record; its last newline alone is not a lost entry."""
    for end in range(0, len(WHOLE) - 1, 1 if FULL else 5):
        placed.write_bytes(WHOLE[:end])
        with told(Damaged, line=line_of(end + 1 if end + 1 in ENDS else end)):
            LogFile(placed).read()
    placed.write_bytes(WHOLE[:-1])
    assert len(LogFile(placed).read().lines) == len(SHORT)


@pytest.mark.parametrize(
    ("old", "new", "code", "why"),
    [
        (b'"seq":2', b'"seq":5', "log.seq", "it is numbered 5"),
        (b"no 2", b"no 3", "log.seal", "its content was changed"),
        (b'{"seq":2', b'\xef\xbb\xbf{"seq":2', "log.layout", "(it begins with a byte-order mark)"),
        (b'{"seq":2', b' {"seq":2', "log.layout", "(it begins with a space)"),
        (SHORT[1], b"\n", "log.layout", "(it is empty)"),
        (b"}}\n", b"}}\r\n", "log.layout", "(it holds a carriage return)"),
        (b"}}\n", b"}}\0\n", "log.layout", "(it holds NUL bytes)"),
        (b'"seq":2', b'"seq":02', "log.layout", "(other keys, or in another order or spelling)"),
        (b'"salt":"0', b'"salt":"A', "log.layout", "(other keys, or in another order or spelling)"),
        (b'"prev":"', b'"prev":"\\', "log.layout", "(other keys, or in another order or spelling)"),
        (b'"prev":"' + SHORT[1][17:20], b'"prev":"xyz', "log.layout", "(other keys, or in another order or spelling)"),
        (SHORT[1], SHORT[0].replace(b'"seq":1', b'"seq":2'), "log.chain", "it does not follow the line before it"),
        (b"}}\n", b"}}", "log.cut", "it has no newline at its end"),
    ],
)
def test_the_reason_is_named(old, new, code, why):
    """The most telling thing."""
    assert old in SHORT[1]
    with told(Damaged, code, "line 2 of the log is bad: ", why, line=2):
        list(read_chain([SHORT[0], SHORT[1].replace(old, new, 1)]))


def test_a_salt_that_is_no_hex_is_found_though_its_seal_fits(placed):
    """Somebody who makes a whole line can fit the seal to anything. Salts are checked together, also where some lines
    have none, and the line keeps its own number."""
    for at in range(3):
        lines = chained([("ABCDEF" + "0" * 26 if n == at else "0" * 32, data) for n, (_, data) in enumerate(NOTES)])
        assert first_bad(b"".join(lines)) == at + 1
        assert first_bad(b"".join(lines).replace(b"no 1", b"no 2")) == 1
    lines = chained([(salt, data) for salt, (_, data) in zip(("0" * 32, "Z" * 32, "1" * 32), NOTES, strict=False)])
    for some in (lines, lines[:2]):
        good = []
        with told(Damaged, "log.layout", line=2):
            good.extend(line.seq for line in read_chain([close_line(some[0]), *some[1:]]))
    placed.write_bytes(b"".join(chained([("Z" * 32 if n == 900 else "0" * 32, NOTES[0][1]) for n in range(1000)])))
    with told(Damaged, "log.layout", line=901):  # in a later block of the file
        LogFile(placed).read()
    assert seal("0" * 32, b"{}") != seal("1" * 32, b"{}")


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
        count, findings, _ = found(path)
        assert (count, findings[0][0]) == (1, 2)


# ---- lines, under `verify` -------------------------------------------------------------------------------------------


LINES = 30


@pytest.fixture(scope="module")
def sound() -> list[bytes]:
    """The first 30 lines of the bundled match: setup, deal, trades, corrections."""
    return (SHARED.made("equilibrium") / "log.jsonl").read_bytes().splitlines(keepends=True)[:LINES]


def judged(path, lines, receipts=()):
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    return verify(str(path), receipts)


def edits(sound):
    """What can be done with whole lines, and the first bad line that must be named."""
    for i in range(LINES):
        if i < LINES - 1:
            yield f"deleted {i + 1}", sound[:i] + sound[i + 1 :], i + 1
        yield f"doubled {i + 1}", sound[: i + 1] + sound[i:], i + 2
        for put_in in (b"\n", b"{}\n", sound[(i + 7) % LINES]):
            yield f"{put_in[:9]!r} before {i + 1}", [*sound[:i], put_in, *sound[i:]], i + 1
        for j in range(i + 1, LINES if FULL else min(i + 3, LINES)):
            swapped = list(sound)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield f"swapped {i + 1} and {j + 1}", swapped, i + 1
    yield "the last one deleted", sound[:-1], LINES
    yield "two changed", b"".join(sound).replace(b'"by":"', b'"by":"x').splitlines(keepends=True), 1


def test_lines_deleted_doubled_swapped_or_put_in_are_findings_of_verify(placed, sound):
    assert judged(placed, sound, ()).findings, "beside the head record of another log"
    LogFile(placed).accept()
    assert judged(placed, sound).ok
    for what, lines, first in edits(sound):
        findings = judged(placed, lines).findings
        assert findings and findings[0].line == first, (what, findings[:2])


def _changed(bodies, i):
    salt, data = bodies[i]
    return [*bodies[:i], (salt, data.replace(b'"recorded":"2', b'"recorded":"3')), *bodies[i + 1 :]]


def _swapped(bodies, i):
    lower, upper = sorted((i, (i + 1) % LINES))
    return [*bodies[:lower], bodies[upper], *bodies[lower + 1 : upper], bodies[lower], *bodies[upper + 1 :]]


EDITS = {
    "changed": _changed,
    "salted": lambda bodies, i: [*bodies[:i], ("0" * 32, bodies[i][1]), *bodies[i + 1 :]],
    "deleted": lambda bodies, i: bodies[:i] + bodies[i + 1 :],
    "put in": lambda bodies, i: [*bodies[:i], bodies[i - 1 if i else 1], *bodies[i:]],
    "swapped": _swapped,
    "cut": lambda bodies, i: bodies[:i],
}


@pytest.fixture(scope="module")
def bodies(sound):
    parts = [(line, line.index(b',"salt":"')) for line in sound]
    return [(line[at + 9 : at + 41].decode(), line[at + 50 : -2]) for line, at in parts]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_found_by_the_head_record_and_every_receipt_at_or_after_it(edit, placed, bodies, sound):
    """However well the chain was made anew; and by no receipt before it."""
    assert chained(bodies) == sound
    judged(placed, sound)
    LogFile(placed).accept()
    hashes = [line.hash for line in read_chain(sound)]
    for i in range(1 if edit == "cut" else 0, LINES):
        lines = chained(EDITS[edit](bodies, i))
        assert list(read_chain(lines)), "the chain alone says nothing"
        first = 0 if edit == "swapped" and i == LINES - 1 else i
        for some in [[receipt] for receipt in hashes] if FULL else [hashes]:
            findings = judged(placed, lines, some).findings
            lost = [one.what.split()[5].rstrip(":") for one in findings if one.code == "receipt.unknown"]
            assert sorted(lost) == sorted(set(some) & set(hashes[first:])), (edit, i)
        code = "log.head_ahead" if len(lines) < LINES else "log.head_other"
        assert code in [one.code for one in findings]
        for attempt in (LogFile(placed).read, LogFile(placed).writing().__enter__):
            with told(Damaged, code, line=LINES if code == "log.head_other" else len(lines) + 1):
                attempt()
