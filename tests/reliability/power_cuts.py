"""Power cuts under a writer, a program of its own for root: `power_cuts.py ROOT FOLDER CUTS HOW KIND`.

A file system of that kind lies in a file and is mounted; a child appends entries and acknowledges each. Then the power
goes, what was acknowledged before counts as promised, and the file system is mounted again as a machine would after a
start: everything promised is in the log, and the log can go on.

How the power goes: ext4 and XFS are told to forget what they have not flushed. btrfs has no such word, so it lies in a
file of an XFS, of which a clone is made in one moment, under the running writer: what the block device held just then.

HOW: `sound`, or `unflushed` for a control. Prints one line of JSON: {"cuts", "acked", "lost", "strange"}.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time
from typing import Any

root, folder, wanted, how, kind = sys.argv[1:]
sys.path.insert(0, root)

from events import Body, Disk, LogFile, create  # noqa: E402

SHUTDOWN = (2 << 30) | (4 << 16) | (ord("X") << 8) | 125
"""EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN; with 2, what is only in the journal's memory is thrown away."""
CLONE = (1 << 30) | (4 << 16) | (0x94 << 8) | 9
"""FICLONE: the file becomes a copy of another as that is at one moment."""
MADE = {"ext4": (24, "-F"), "xfs": (320, "-f"), "btrfs": (120, "-f")}
"""Kind -> (MiB of the smallest that can be made, the option that makes it without asking)."""
CANNOT = 77
"""Exit code where nothing can be mounted at all. Later on, what cannot be mounted is lost."""
ANEW = 40
"""Cuts after which a new file system is made."""
CLONED = kind == "btrfs"
MOUNT, OUTER = f"{folder}/mount", f"{folder}/outer"
IMAGE = f"{OUTER if CLONED else folder}/image"
LOG = f"{MOUNT}/m/log.jsonl"
LUCK = random.Random(3)
found: dict[str, Any] = {"cuts": 0, "acked": 0, "lost": 0, "strange": 0}


def system(*words: str) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def made(image: str, kind: str, mib: int, force: str, mount: str) -> None:
    """A new file system in a file, mounted."""
    with open(image, "wb") as file:
        file.truncate(mib << 20)
    system(f"mkfs.{kind}", "-q", force, image)
    system("mount", "-o", "loop", image, mount)


def write(out: int) -> None:
    """Append until killed."""
    log, n, mark = LogFile(LOG, wait=5.0), 0, None
    while True:
        body = Body("note", n, "ann", n, {"n": n, "text": "x" * LUCK.choice([10, 300, 5000])})
        with log.writing(mark) as writer:
            line = writer.append([body])[0]
            mark = writer.mark
        os.write(out, b"%d %s\n" % (line.seq, line.hash.encode()))
        n += 1


def power_goes() -> None:
    """From here on nothing more reaches the file system as it will be found."""
    if CLONED:
        source, target = os.open(IMAGE, os.O_RDONLY), os.open(f"{IMAGE}.cut", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        fcntl.ioctl(target, CLONE, source)
        os.close(target)
        os.close(source)
    else:
        fd = os.open(MOUNT, os.O_RDONLY)
        fcntl.ioctl(fd, SHUTDOWN, struct.pack("I", 2))
        os.close(fd)


def power_comes() -> None:
    system("umount", MOUNT)
    if CLONED:
        os.replace(f"{IMAGE}.cut", IMAGE)
    system("mount", "-o", "loop", IMAGE, MOUNT)


def one_cut() -> dict[str, str]:
    """Number -> hash of what was acknowledged before the power went."""
    mine, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            write(theirs)
        finally:
            os._exit(0)
    os.close(theirs)
    os.set_blocking(mine, False)
    select.select([mine], [], [], 2.0)
    until, data = time.monotonic() + LUCK.uniform(0, 0.02), b""
    while time.monotonic() < until:
        try:
            data += os.read(mine, 65536)
        except BlockingIOError:
            time.sleep(0.0005)
    power_goes()  # what is acknowledged after this is no promise
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(mine)
    power_comes()
    return dict(line.split() for line in data.decode().split("\n")[:-1])


def judge(acked: dict[str, str]) -> dict[str, str]:
    """Look for what was acknowledged, and append one entry more. What must be there after the next cut."""
    lines = LogFile(LOG).read().lines
    hashes = {str(line.seq): line.hash for line in lines}
    found["lost"] += sum(1 for seq, told in acked.items() if hashes.get(seq) != told)
    del hashes["1"]
    with LogFile(LOG).writing() as writer:
        line = writer.append([Body("note", 0, "bob", 0, {})])[0]
    return {**hashes, str(line.seq): line.hash}


if how == "unflushed":
    Disk.fsync = lambda self, fd: None  # type: ignore[method-assign]
os.mkdir(MOUNT)
os.mkdir(OUTER)
try:
    if CLONED:
        made(f"{folder}/outer.image", "xfs", 600, "-f", OUTER)
    made(IMAGE, kind, *MADE[kind], MOUNT)
    system("umount", MOUNT)
except subprocess.CalledProcessError as error:
    print(error, file=sys.stderr)
    sys.exit(CANNOT)
acked: dict[str, str] = {}
while found["cuts"] < int(wanted) and not found["lost"] + found["strange"]:
    if found["cuts"] % ANEW == 0:
        if found["cuts"]:
            system("umount", MOUNT)
        made(IMAGE, kind, *MADE[kind], MOUNT)
        create(LOG, [Body("note", 0, "start", 0, {})])
        acked = {}
    now = one_cut()
    found["cuts"], found["acked"] = found["cuts"] + 1, found["acked"] + len(now)
    try:
        acked = judge({**acked, **now})
    except Exception as error:
        found["strange"] += 1
        found["why"] = repr(error)
system("umount", MOUNT)
if CLONED:
    system("umount", OUTER)
print(json.dumps(found))
