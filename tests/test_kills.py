"""Killed at any moment, alone and among eight: what was acknowledged is kept, nothing twice, nothing half.

Random kills hardly ever fall into the middle of a write, so the writes here go out in pieces; a kill after every single
byte is in test_events_files.py, every state a disk may hold after a power cut in test_events_crash.py.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from sizes import log_number, many

PROGRAM = Path(__file__).resolve().parent / "reliability" / "killing.py"


def killed(root: Path, kills: int, writers: int, how: str = "sound") -> dict[str, int]:
    """What became of so many kills. In memory where there is a file system in memory: a kill loses no page."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        words = [str(root), folder, str(kills), str(writers), "7", how]
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(PROGRAM), *words], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    told: dict[str, int] = json.loads(done.stdout)
    return told


def sound(told: dict[str, int]) -> bool:
    return not (told["lost"] or told["double"] or told["strange"])


def test_random_kills(root: Path, record_property: Any) -> None:
    told = killed(root, many(60, 10_000), 1)
    log_number(record_property, told["kills"])
    assert sound(told), told
    assert told["acked"] > told["kills"] // 4 and (told["torn"] or told["kills"] < 1000), told


def test_kills_among_eight_writers(root: Path, record_property: Any) -> None:
    told = killed(root, many(40, 3_000), 8)
    log_number(record_property, told["kills"])
    assert sound(told), told
    assert told["acked"] > 20, told


@pytest.mark.parametrize(("how", "writers"), [("early", 1), ("unlocked", 8)])
def test_sabotage_is_seen(root: Path, how: str, writers: int) -> None:
    """Acknowledged before it is written; written without the lock."""
    assert not sound(killed(root, 60, writers, how))


EIGHT = """
import sys
sys.path.insert(0, sys.argv[1])
from events import Body, LogFile
log, mark, slowest = LogFile(sys.argv[2], wait=120.0), None, 0.0
for n in range(int(sys.argv[4])):
    with log.writing(mark) as writer:
        line = writer.append([Body("note", n, sys.argv[3], n, {"n": n})])[0]
        mark = writer.mark
    print(line.seq, line.hash, flush=True)
"""


def test_eight_writers_lose_nothing(root: Path, tmp_path: Path, record_property: Any) -> None:
    """8 processes, 1,000 entries each in the full run: all there, once, each writer's in its order."""
    from events import Body, LogFile, create, read_body

    path, each = tmp_path / "log.jsonl", many(40, 1_000)
    create(path, [Body("note", 0, "start", 0, {})])
    command = [sys.executable, "-c", EIGHT, str(root), str(path)]
    running = [subprocess.Popen([*command, f"h{n}", str(each)], stdout=subprocess.PIPE) for n in range(8)]
    acked = dict(line.split() for one in running for line in one.communicate()[0].decode().splitlines())
    assert [one.returncode for one in running] == [0] * 8
    lines = LogFile(path).read().lines[1:]
    assert len(acked) == len(lines) == 8 * each
    assert all(acked[str(line.seq)] == line.hash for line in lines)
    bodies = [read_body(line.body or b"") for line in lines]
    for n in range(8):
        assert [one.args["n"] for one in bodies if one.by == f"h{n}"] == list(range(each))
    log_number(record_property, len(lines))


# ---- a power cut on a real file system ------------------------------------------------------------------------------

SHUTDOWN = (2 << 30) | (4 << 16) | (ord("X") << 8) | 125
"""EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN; with 2, what is only in the journal's memory is thrown away."""
CUT = """
import fcntl, json, os, random, select, signal, struct, subprocess, sys, time
root, folder, cuts, how, kind, size, force = sys.argv[1:]
cuts, size = int(cuts), int(size)
sys.path.insert(0, root)
from events import Body, Disk, LogFile, create
if how == "unflushed":
    Disk.fsync = lambda self, fd: None
image, mount = folder + "/image", folder + "/mount"
os.mkdir(mount)
luck, found = random.Random(3), dict(cuts=0, acked=0, lost=0, strange=0)

def system(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def write(path, out):
    log, n, mark = LogFile(path, wait=5.0), 0, None
    while True:
        with log.writing(mark) as writer:
            line = writer.append([Body("note", n, "ann", n, {"n": n, "text": "x" * luck.choice([10, 300, 5000])})])[0]
            mark = writer.mark
        os.write(out, b"%d %s\\n" % (line.seq, line.hash.encode()))
        n += 1

acked, path = {}, mount + "/m/log.jsonl"
while found["cuts"] < cuts:
    if found["cuts"] % 40 == 0:
        with open(image, "wb") as file:
            file.truncate(size << 20)
        system("mkfs." + kind, "-q", force, image)
        system("mount", "-o", "loop", image, mount)
        create(path, [Body("note", 0, "start", 0, {})])
        acked = {}
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            write(path, theirs)
        finally:
            os._exit(0)
    os.close(theirs)
    os.set_blocking(mine, False)
    select.select([mine], [], [], 2.0)
    until, data = time.monotonic() + luck.uniform(0, 0.02), b""
    while time.monotonic() < until:
        try:
            data += os.read(mine, 65536)
        except BlockingIOError:
            time.sleep(0.0005)
    fd = os.open(mount, os.O_RDONLY)
    fcntl.ioctl(fd, SHUTDOWN, struct.pack("I", 2))  # what is acknowledged after this is no promise
    os.close(fd)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(mine)
    system("umount", mount)
    system("mount", "-o", "loop", image, mount)
    acked.update(line.split() for line in data.decode().split("\\n")[:-1])
    try:
        lines = LogFile(path).read().lines
        hashes = {str(line.seq): line.hash for line in lines}
        found["lost"] += sum(1 for seq, told in acked.items() if hashes.get(seq) != told)
        acked = {seq: told for seq, told in hashes.items() if seq != "1"}
        with LogFile(path).writing() as writer:
            line = writer.append([Body("note", 0, "bob", 0, {})])[0]
        acked[str(line.seq)] = line.hash
    except Exception as error:
        found["strange"] += 1
        found["why"] = repr(error)
    found["cuts"] += 1
    found["acked"] += data.count(b"\\n")
    if found["cuts"] % 40 == 0 or found["cuts"] >= cuts or how == "unflushed" and found["lost"] + found["strange"]:
        system("umount", mount)
        if found["lost"] + found["strange"]:
            break
print(json.dumps(found))
""".replace("SHUTDOWN", str(SHUTDOWN))


FILE_SYSTEMS = {"ext4": ("24", "-F"), "xfs": ("320", "-f")}
"""Name -> (MiB of the smallest that can be made, the option that makes it without asking)."""


def cut(root: Path, tmp_path: Path, kind: str, cuts: int, how: str) -> dict[str, Any]:
    """Cut the power so often under a writer on that file system in a file.

    The mounts live in a name space of their own: they are gone with the program, however it ends.
    """
    if os.geteuid() != 0:
        pytest.skip("a power cut needs root: run it once as root on Linux")
    if ctypes.CDLL(None).unshare is None or not shutil.which(
        f"mkfs.{kind}", path=f"{os.environ['PATH']}:/sbin:/usr/sbin"
    ):
        pytest.skip(f"a power cut needs mkfs.{kind}")
    given = [str(root), str(tmp_path), str(cuts), how, kind, *FILE_SYSTEMS[kind]]
    words = ["unshare", "-m", sys.executable, "-W", "ignore", "-c", CUT, *given]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode and "CalledProcessError" in done.stderr and "mount" in done.stderr:
        pytest.skip("no loop mount here: " + done.stderr.splitlines()[-1][:200])
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILE_SYSTEMS)
def test_power_cuts(root: Path, tmp_path: Path, kind: str, record_property: Any) -> None:
    """What was not flushed is lost: everything acknowledged before the cut is there, and the log can go on."""
    told = cut(root, tmp_path, kind, many(8, 1_000), "sound")
    log_number(record_property, told["cuts"])
    assert not told["lost"] and not told["strange"] and told["acked"] > told["cuts"] // 2, told


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILE_SYSTEMS)
def test_sabotage_of_the_flush_is_seen(root: Path, tmp_path: Path, kind: str) -> None:
    told = cut(root, tmp_path, kind, 40, "unflushed")
    assert told["lost"] or told["strange"], told
