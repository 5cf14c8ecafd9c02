"""Writers that are killed while they write, a program of its own: `killing.py ROOT FOLDER KILLS WRITERS SEED`.

Each writer appends entries and, after each, sends (number, hash) down a pipe; that is an acknowledgement. A writer is
killed, mostly 0 to 4 ms after an acknowledgement, and replaced. Every 150 entries or so a new log is begun. Then, and
after each kill when there is one writer: every acknowledged entry is in the log, once, and the log has at most one
entry more for each kill.

Prints one line of JSON: {"kills", "acked", "entries", "torn", "lost", "double", "strange"}.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

root, where, wanted, writers, seed = sys.argv[1:]
sys.path.insert(0, root)

from events import Body, Damaged, Disk, LedgerError, LogFile, create, read_body  # noqa: E402

KILLS, WRITERS = int(wanted), int(writers)
LUCK = random.Random(int(seed))
MOST = 150
SIZES = (10, 10, 200, 900, 5000, 60_000)


class Pieces(Disk):
    """A write that reaches the file in several pieces: a kill falls between them far more often."""

    def write(self, fd: int, data: bytes) -> int:
        for start in range(0, len(data), max(1, len(data) // 4)):
            os.write(fd, data[start : start + max(1, len(data) // 4)])
        return len(data)


class Writer(NamedTuple):
    """A child and the pipe it acknowledges into."""

    pid: int
    pipe: int
    rest: bytearray


out = -1


def write(path: Path, host: str, luck: random.Random) -> None:
    """Append until killed."""
    log, n, mark = LogFile(path, disk=Pieces(), wait=60.0), 0, None
    while True:
        with log.writing(mark) as writer:
            if writer.mark.seq > MOST:
                os.write(out, b"full\n")
                time.sleep(60)
            body = Body("note", n, host, n, {"n": n, "text": "x" * luck.choice(SIZES)})
            line = writer.append([body])[0]
            mark = writer.mark
        os.write(out, b"%d %s\n" % (line.seq, line.hash.encode()))
        n += 1


def start(path: Path, host: str) -> Writer:
    global out
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(mine)
        out = theirs
        with contextlib.suppress(LedgerError):
            write(path, host, random.Random(LUCK.random()))
        os._exit(0)
    os.close(theirs)
    return Writer(pid, mine, bytearray())


def drain(one: Writer, acked: dict[int, str], *, all_of_it: bool) -> bool:
    """Take what was acknowledged; is the log full?"""
    for _ in range(10_000 if all_of_it else 50):
        if not all_of_it and not select.select([one.pipe], [], [], 0)[0]:
            break
        data = os.read(one.pipe, 65536)
        if not data:
            break
        one.rest.extend(data)
    full = False
    *lines, rest = bytes(one.rest).split(b"\n")
    one.rest[:] = rest
    for line in lines:
        if line == b"full":
            full = True
            continue
        seq, _, told = line.decode().partition(" ")
        if int(seq) in acked:
            told_twice.append(int(seq))
        acked[int(seq)] = told
    return full


told_twice: list[int] = []
found: dict[str, Any] = dict.fromkeys(("kills", "acked", "entries", "torn", "lost", "double", "strange"), 0)


def judge(path: Path, acked: dict[int, str], kills: int, *, over: bool) -> None:
    try:
        lines = LogFile(path).read().lines
    except Damaged:
        found["strange"] += 1
        return
    hashes = {line.seq: line.hash for line in lines}
    found["lost"] += sum(1 for seq, told in acked.items() if hashes.get(seq) != told)
    if len(lines) - 1 > len(acked) + kills:
        found["strange"] += 1
    if over:
        by: dict[str, list[int]] = {}
        for line in lines[1:]:
            one = read_body(line.body or b"")
            by.setdefault(one.by, []).append(one.args["n"])
        for numbers in by.values():
            if numbers != list(range(len(numbers))):
                found["double"] += 1
        found["acked"] += len(acked)
        found["entries"] += len(lines)
        found["torn"] += len(list(path.parent.glob("*.torn-*")))


def one_log(path: Path) -> None:
    create(path, [Body("note", 0, "start", 0, {})])
    hosts = (f"h{n}" for n in range(10**9))
    acked: dict[int, str] = {}
    running = [start(path, next(hosts)) for _ in range(WRITERS)]
    kills, full = 0, False
    while not full and found["kills"] + kills < KILLS:
        victim = LUCK.randrange(WRITERS)
        if LUCK.random() < 0.8:
            select.select([one.pipe for one in running], [], [], 0.5)  # somebody has written
        time.sleep(LUCK.uniform(0, 0.004))
        os.kill(running[victim].pid, signal.SIGKILL)
        os.waitpid(running[victim].pid, 0)
        kills += 1
        full = drain(running[victim], acked, all_of_it=True)
        os.close(running[victim].pipe)
        for other in running[:victim] + running[victim + 1 :]:
            full = drain(other, acked, all_of_it=False) or full
        if WRITERS == 1:
            judge(path, acked, kills, over=False)
        running[victim] = start(path, next(hosts))
    for one in running:
        os.kill(one.pid, signal.SIGKILL)
        os.waitpid(one.pid, 0)
        drain(one, acked, all_of_it=True)
        os.close(one.pipe)
    found["kills"] += kills + WRITERS
    judge(path, acked, kills + WRITERS, over=True)


number = 0
while found["kills"] < KILLS:
    number += 1
    one_log(Path(where) / str(number) / "log.jsonl")
found["double"] += len(told_twice)
print(json.dumps(found))
