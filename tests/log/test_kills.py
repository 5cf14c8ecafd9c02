"""Killed at any moment, alone and among eight: what was acknowledged is kept, nothing twice, nothing half.

Random kills hardly ever fall into the middle of a write, so the writes here go out in pieces; a line that ends after
any byte is in test_events_faults.py, every state a disk may hold after a power cut in test_events_crash.py.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.sizes import log_number, many

PROGRAM = Path(__file__).resolve().parents[1] / "reliability" / "killing.py"


def killed(root: Path, kills: int, writers: int) -> dict[str, int]:
    """What became of so many kills. In memory where there is a file system in memory: a kill loses no page."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        words = [str(root), folder, str(kills), str(writers), "7"]
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

CUTS = Path(__file__).resolve().parents[1] / "reliability" / "power_cuts.py"
FILE_SYSTEMS = {"ext4": ("mkfs.ext4",), "xfs": ("mkfs.xfs",), "btrfs": ("mkfs.btrfs", "mkfs.xfs")}
"""Name -> the programs that make what it needs."""


def cut(root: Path, kind: str, cuts: int, how: str) -> dict[str, Any]:
    """Cut the power so often under a writer on that file system in a file.

    The mounts live in a name space of their own: they are gone with the program, however it ends.
    """
    if os.geteuid() != 0:
        pytest.skip("a power cut needs root: run it once as root on Linux")
    missing = [
        name for name in FILE_SYSTEMS[kind] if not shutil.which(name, path=f"{os.environ['PATH']}:/sbin:/usr/sbin")
    ]
    if missing or not shutil.which("unshare"):
        pytest.skip(f"a power cut on {kind} needs unshare, {' and '.join(FILE_SYSTEMS[kind])}")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        words = [sys.executable, "-W", "ignore", str(CUTS), str(root), folder, str(cuts), how, kind]
        done = subprocess.run(["unshare", "-m", *words], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("no loop mount here: " + done.stderr.splitlines()[-1][:200])
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILE_SYSTEMS)
def test_power_cuts(root: Path, kind: str, record_property: Any) -> None:
    """What was not flushed is lost: everything acknowledged before the cut is there, and the log can go on."""
    told = cut(root, kind, many(8, 1_000), "sound")
    log_number(record_property, told["cuts"])
    assert not told["lost"] and not told["strange"] and told["acked"] > told["cuts"] // 2, told


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILE_SYSTEMS)
def test_sabotage_of_the_flush_is_seen(root: Path, kind: str) -> None:
    told = cut(root, kind, 40, "unflushed")
    assert told["lost"] or told["strange"], told
