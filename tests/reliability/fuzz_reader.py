"""Any bytes to the reader of logs: `fuzz_reader.py ROOT RUNS SEED`; guided by coverage where atheris is there.

The first byte says which: a whole log file (0), a line after good ones (1), a body (2), a body that a chain holds (3).
Whatever they are: a reading, or the one error type of that reader; what was read is written back as the same bytes.
A run of a second or more, or more than 600 MB of memory in all, fails.
Prints JSON: {"runs", "seconds", "guided", "errors", "good"}.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from typing import Any

root, runs, seed = sys.argv[1:]
sys.path.insert(0, root)
RUNS = int(runs)
try:
    import atheris
except ImportError:
    atheris = None

from contextlib import nullcontext  # noqa: E402

with atheris.instrument_imports() if atheris and RUNS > 5000 else nullcontext():
    from events import Body, LedgerError, LogFile, NotCanonical, dumps, loads, read_body, write_body, write_line

from tests.support.simulated import Sim  # noqa: E402

MAX_BYTES = 600 << 20
found = {"runs": 0, "errors": 0, "good": 0}
LUCK, BEGAN = random.Random(int(seed)), time.time()


def sound() -> list[bytes]:
    """Three good lines."""
    lines, prev = [], "0" * 64
    for seq in (1, 2, 3):
        body = write_body(Body("note", seq, "mara", seq, {"text": "é\n", "n": seq, "list": [1, {"a": None}]}, batch=1))
        line, prev = write_line(seq, prev, "ab" * 16, body)
        lines.append(line)
    return lines


LINES = sound()


def read_log(data: bytes, head: bytes = b"") -> None:
    """As every command reads, and as `verify` does."""
    log = LogFile("log", disk=Sim({"log": data, **({"log.head": head} if head else {})}), wait=0.0)
    findings: list[Any] = []
    for line in log.scan(findings):
        assert line.hash
    try:
        lines = log.read().lines
    except LedgerError:
        found["errors"] += 1
        assert findings, "read refuses what verify accepts"
        return
    found["good"] += 1
    assert sum(line.size for line in lines) <= len(data) + 1


def one(data: bytes) -> None:
    """One input."""
    kind, data = (data[0] % 4, data[1:]) if data else (2, b"")
    if kind == 0:
        cut = data.find(b"\n\n\n")
        read_log(data if cut < 0 else data[:cut], b"" if cut < 0 else data[cut + 3 :])
    elif kind == 1:
        read_log(b"".join(LINES) + data)
    elif kind == 2:
        strict(data)
    else:
        try:
            read_body(data)
            found["good"] += 1
        except NotCanonical:
            found["errors"] += 1


def strict(data: bytes) -> None:
    try:
        value = loads(data)
    except NotCanonical:
        found["errors"] += 1
        return
    assert dumps(value) == data, "what was read is written otherwise"
    found["good"] += 1


def timed(data: bytes) -> None:
    began = time.process_time()
    found["runs"] += 1
    one(data)
    assert time.process_time() - began < 1.0, f"{len(data)} bytes took {time.process_time() - began:.1f} s"
    if atheris and found["runs"] in (RUNS - 1, RUNS):  # the fuzzer leaves without coming back
        done(BEGAN, guided=True)


# ---- without a guide: seeds, broken in many ways --------------------------------------------------------------------

HOSTILE = (
    b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":1e400}', b'{"a":1.0}', b'{"a":-0}', b'{"a":' + b"9" * 400 + b"}",
    b'{"a":' + b"9" * 5000 + b"}", b"[" * 300, b"[" * 30_000, b'{"a":' * 20_000, b'{"a":"\\ud800"}', b'{"a":"\\u0000"}',
    b'{"a":"\\u0041"}', b'{"a":"\\/"}', b"\xef\xbb\xbf{}", b'{"a":1}\r\n', b'{"A":1}', b'{"":1}', b"{}", b"null", b"",
    b'{"a": 1}', b'{"b":1,"a":2}', b'{"a":"\xff"}', b'{"a":true}', b'{"a":9007199254740993}', b'{"a":[[]]}', b"\0" * 99,
)  # fmt: skip
TOKENS = (
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"\n", b"\0", b"\\", b"1", b"-", b".", b"e", b"null", b"true", b'"seq":',
    b'"prev":', b'"seal":', b'"salt":', b'"body":', b'"args":', b'"at":', b"0" * 64, b"\\ud800", b"\xff", b" ",
    b"2" * 17,
)  # fmt: skip


def seeds() -> list[bytes]:
    log = b"".join(LINES)
    head = b"3 " + b"0" * 64 + b" " + b"0" * 16
    bodies = [line[line.index(b'"body":') + 7 : -2] for line in LINES]
    made = [b"\0" + log, b"\0" + log + b"\n\n" + head.ljust(159) + b"\n", b"\1" + LINES[2], b"\1" + LINES[0]]
    return made + [bytes([kind]) + part for kind in (1, 2, 3) for part in (*HOSTILE, *bodies)]


def mutated(pool: list[bytes]) -> bytes:
    data = bytearray(LUCK.choice(pool))
    for _ in range(LUCK.choice((1, 1, 1, 2, 3, 8))):
        at = LUCK.randrange(len(data) + 1)
        match LUCK.randrange(6):
            case 0:
                data[at:at] = LUCK.choice(TOKENS)
            case 1:
                data[at : at + LUCK.choice((1, 1, 4, 70))] = b""
            case 2 if at < len(data):
                data[at] = LUCK.randrange(256)
            case 3:
                other = LUCK.choice(pool)
                data[at:] = other[LUCK.randrange(len(other) + 1) :]
            case 4:
                data[at:at] = data[max(0, at - LUCK.randrange(1, 200)) : at]
            case _:
                data[at : at + 1] = LUCK.choice(TOKENS)
    return bytes(data[:200_000])


def done(began: float, guided: bool) -> None:
    print(json.dumps({**found, "seconds": round(time.time() - began, 1), "guided": guided}), flush=True)


def main() -> None:
    if atheris is None or RUNS <= 5000:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES + (400 << 20), MAX_BYTES + (400 << 20)))
        pool = seeds()
        for data in pool:
            timed(data)
        while found["runs"] < RUNS:
            timed(mutated(pool))
        done(BEGAN, guided=False)
        return
    corpus = tempfile.mkdtemp(prefix="fuzz-", dir=os.environ.get("FUZZ_FOLDER"))
    for number, data in enumerate(seeds()):
        with open(os.path.join(corpus, str(number)), "wb") as file:
            file.write(data)
    options = [f"-runs={RUNS}", f"-seed={seed}", "-max_len=8192", "-timeout=10", "-rss_limit_mb=600", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus}-", corpus], timed)
    atheris.Fuzz()


main()
