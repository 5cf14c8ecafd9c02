"""`make bench`: the speed figures, as ratios measured in one run on this machine.

Start-up figures are whole processes, timed in turn with a bare interpreter (A B A B ...), CPU time of the child,
median of the ratios. Log figures are medians in one process against F, "read the file and SHA-256 each line".
`hl` runs without the collector of cyclic garbage, so figures are taken without it. Limits stand in LIMITS and LEAST.

`--quick` leaves out what takes minutes: a million lines, other programs, a thousand logs.
"""

from __future__ import annotations

import argparse
import compileall
import gc
import hashlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "bench"))

from make_log import PLAYERS, auction_of, long_log, match_of  # noqa: E402
from mars import hand_of_54, reader_beside_naive, whole_match  # noqa: E402
from rivals import rivals  # noqa: E402

LIMITS = {
    "hl --help": 2.0,
    "hl --help, in a match": 3.0,
    "hl trade, 300 entries": 11.0,
    "hl __complete trade ann, 300 entries": 6.0,
    "hl view --for ann -f json, 300 entries": 10.0,
    "hl hint, a hand of 54 cards": 12.0,
    "chain and seals, 100,000 lines": 4.0,
    "chain and seals, 1,000,000 lines": 4.0,
    "verify with full replay, 100,000 entries": 27.0,
    "hl audit, a cluster of two beside two processes": 1.5,
}
"""The last: 1.3 times the work at most, and a second or so in which the client starts, beside some seven seconds."""
LEAST = {"hl audit of 1,000 logs, two processes": 1.8}
"""Where more is better."""
A_LINE = 24
"""Most bytes that `verify` keeps of a line: time, batch and size take 16, and a list that grows has room to spare."""
MILLION = 1_000_000
LOGS = 1_000


def child_cpu(command: list[str]) -> float:
    """CPU seconds of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=clean_env())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{command} ended with {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def clean_env() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "HL_MATCH", "HL_AS")}


def hl(*words: str) -> list[str]:
    """The command as the installed script runs it."""
    return [sys.executable, "-c", "from ledger.__main__ import main; main()", *words]


def against_bare(command: Callable[[], list[str]], runs: int) -> tuple[float, float]:
    """Median ratio to a bare interpreter, and median milliseconds."""
    bare = [sys.executable, "-c", "pass"]
    child_cpu(command()), child_cpu(bare)
    ratios, times = [], []
    for _ in range(runs):
        mine, floor = child_cpu(command()), child_cpu(bare)
        ratios.append(mine / floor)
        times.append(mine * 1000)
    return statistics.median(ratios), statistics.median(times)


def seconds(work: Callable[[], object], runs: int) -> float:
    """Median seconds of some work in this process."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def floor_f(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            hashlib.sha256(line).digest()


def chain(path: Path) -> None:
    from events import LogFile

    findings: list[object] = []
    for _ in LogFile(str(path)).scan(findings):  # type: ignore[arg-type]
        pass
    assert not findings, findings


def verify(path: Path) -> None:
    from ledger.audit.verify import verify as check

    found = check(str(path))
    assert found.ok, found.findings


def peak_memory(path: Path, what: str) -> float:
    """Peak MiB of one fresh process that checks a log (VmHWM: ru_maxrss would count the parent's pages too)."""
    code = f"import sys; sys.path.insert(0, 'bench'); from run import {what}; from pathlib import Path"
    ask = "print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1])"
    command = [sys.executable, "-c", f"{code}; {what}(Path(sys.argv[1])); {ask}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=clean_env())
    return int(done.stdout) / 1024


def lines_of_code() -> dict[str, int]:
    """Lines per room that are not blank."""
    return {
        room: sum(
            sum(bool(line.strip()) for line in file.read_text().splitlines())
            for file in sorted((ROOT / room).rglob("*.py"))
        )
        for room in ("events", "games", "ledger", "tests")
    }


def show(name: str, value: float, unit: str, note: str) -> bool:
    limit, least = LIMITS.get(name), LEAST.get(name)
    good = (limit is None or value <= limit) and (least is None or value >= least)
    word = "" if limit is None else f"   limit {limit:g}  {'ok' if good else 'OVER'}"
    word = word if least is None else f"   at least {least:g}  {'ok' if good else 'UNDER'}"
    print(f"{name:<44}{value:>8.2f} {unit}{word}   {note}", flush=True)
    return good


def a_million_lines(base: Path) -> bool:
    """Chain and seals of a long log on one core, in memory that does not grow; a whole verify, in next to none."""
    path, tenth = base / "million.jsonl", base / "tenth.jsonl"
    long_log(path, MILLION)
    long_log(tenth, MILLION // 10)
    f, c = [], []
    for _ in range(3):
        f.append(seconds(lambda: floor_f(path), 1))
        c.append(seconds(lambda: chain(path), 1))
    ratio = statistics.median(mine / floor for mine, floor in zip(c, f, strict=True))
    good = show("chain and seals, 1,000,000 lines", ratio, "F", f"{min(c):.1f} s, F is {min(f):.2f} s")
    for what, a_line in (("chain", 0), ("verify", A_LINE)) if Path("/proc/self/status").exists() else ():
        small, large = peak_memory(tenth, what), peak_memory(path, what)
        show(f"peak memory of {what}, 1,000,000 lines", large, "MiB", f"{small:.1f} MiB for a tenth of the lines")
        if large > small + 4 + a_line * (MILLION - MILLION // 10) / 2**20:
            print("  memory grows with the log: OVER")
            good = False
    path.unlink()
    return good


def beside_others(base: Path, log: Path, entries: int) -> bool:
    """A whole verify beside other programs on as many entries: CPU seconds of whole processes, best of three."""
    ours = min(child_cpu(hl("-g", str(log), "verify")) for _ in range(3))
    print(f"{f'hl verify, {entries:,} entries':<44}{ours:>8.2f} s CPU   start-up and all")
    good = True
    for name, command, version in rivals(base, entries):
        if command is None:
            print(f"{name:<44}  skipped: {version}")
            continue
        theirs = min(child_cpu(command) for _ in range(3))
        ahead = theirs > ours
        good &= ahead
        told = f"{theirs / ours:.1f} x ours  {'ok' if ahead else 'AHEAD OF US'}"
        print(f"{name:<44}{theirs:>8.2f} s CPU   {told}   {version}")
    return good


def many_logs(base: Path) -> bool:
    """A season's archive on one process and on two: wall-clock seconds of the whole command, best of three."""
    folder = base / "season"
    for n in range(LOGS):
        (folder / f"m{n:04d}").mkdir(parents=True)
        long_log(folder / f"m{n:04d}" / "log.jsonl", 250 + n % 100)

    def wall(jobs: int) -> float:
        command = hl("audit", "-j", str(jobs), str(folder))
        run = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True, "env": clean_env()}
        return seconds(lambda: subprocess.run(command, **run), 1)

    from events.disk import DISK

    if DISK.processors() < 2:
        print(f"{'hl audit of 1,000 logs, two processes':<44}  skipped: one core here")
        return True
    alone, together = zip(*((wall(1), wall(2)) for _ in range(3)), strict=True)
    note = f"{min(alone):.1f} s on one, {min(together):.1f} s on two; 250 to 349 entries each"
    good = show("hl audit of 1,000 logs, two processes", min(alone) / min(together), "x", note)
    return beside_a_cluster(base, folder) and good


def beside_a_cluster(base: Path, folder: Path) -> bool:
    """The same archive on two processes and on a Dask scheduler with two workers, over TLS: in turn, best of three."""
    name = "hl audit, a cluster of two beside two processes"
    missing = [package for package in ("distributed", "cryptography") if find_spec(package) is None]
    if missing:
        print(f"{name:<44}  skipped: {', '.join(missing)} not installed (make archives)")
        return True
    program = [sys.executable, str(ROOT / "tests" / "reliability" / "on_a_cluster.py"), str(base), "tls"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
        assert cluster.stdin is not None and cluster.stdout is not None
        url = cluster.stdout.readline().split()[1]
        keys = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
        env = clean_env() | {f"DASK_DISTRIBUTED__COMM__TLS__{key}": str(base / key) for key in keys}

        def wall(*words: str) -> float:
            run = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True, "env": env}
            return seconds(lambda: subprocess.run(hl("audit", *words, str(folder)), **run), 1)

        near, far = zip(*((wall("-j", "2"), wall("--scheduler", url)) for _ in range(3)), strict=True)
        cluster.stdin.close()
    return show(name, min(far) / min(near), "x", f"{min(far):.1f} s beside {min(near):.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="counted runs of each command")
    parser.add_argument("--entries", type=int, default=100_000, help="entries of the long log")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    given = parser.parse_args()
    gc.disable()
    for room in ("events", "games", "ledger"):
        compileall.compile_dir(str(ROOT / room), quiet=2)
    print(f"Python {sys.version.split()[0]}; ratios: x a bare interpreter (start-up), F = read and SHA-256 each line")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        match_of(base / "match", 300)
        auction_of(base / "auction", 300)
        hand_of_54(base / "mars")
        played = whole_match(base / "played")
        fresh = iter(range(10**6))

        def trade() -> list[str]:
            copy = base / f"copy{next(fresh)}"
            shutil.copytree(base / "match", copy)
            return hl("-g", str(copy), "trade", PLAYERS[0], "R4", PLAYERS[1], "R6", "--at", "2026-03-04T17:00Z")

        def power() -> list[str]:
            copy = base / f"copy{next(fresh)}"
            shutil.copytree(base / "auction", copy)
            return hl("-g", str(copy), "power", "ann", "30", "SDHCJ", "--at", "2026-03-02T00:00Z")

        for name, command in (
            ("import click", lambda: [sys.executable, "-c", "import click"]),
            ("hl --help", lambda: hl("--help")),
            ("hl --help, in a match", lambda: hl("-g", str(base / "match"), "--help")),
            ("hl power, Poker Auction, 300 entries", power),
            ("hl trade, 300 entries", trade),
            (
                "hl __complete trade ann, 300 entries",
                lambda: hl("__complete", "-g", str(base / "match"), "trade", PLAYERS[0], ""),
            ),
            (
                "hl view --for ann -f json, 300 entries",
                lambda: hl("-g", str(base / "match"), "view", "--for", "ann", "-f", "json"),
            ),
            ("hl hint, a hand of 54 cards", lambda: hl("-g", str(base / "mars"), "hint", "ann")),
            (f"hl verify, MarsMatch of four, {played} entries", lambda: hl("-g", str(base / "played"), "verify")),
        ):
            ratio, ms = against_bare(command, given.runs)
            good &= show(name, ratio, "x", f"{ms:.0f} ms CPU")
        times, each = reader_beside_naive(1_000_000, 2_000)
        show("naive reader beside ours, 1,000,000 plays", times, "x", f"{each:.1f} us a play of ours")
        path = base / "played" / "log.jsonl"
        f, v = seconds(lambda: floor_f(path), 7), seconds(lambda: verify(path), 7)
        note = f"{v * 1e6 / played:.0f} us an entry"
        show(f"verify, MarsMatch of four, {played} entries", v / f, "F", note)
        path = base / "long.jsonl"
        long_log(path, given.entries)
        short = base / "short.jsonl"
        long_log(short, given.entries // 10)
        f = seconds(lambda: floor_f(path), 7)
        print(
            f"{'F, ' + format(given.entries, ',') + ' lines':<44}{f * 1000:>8.1f} ms   {path.stat().st_size >> 20} MiB"
        )
        c = seconds(lambda: chain(path), 7)
        good &= show("chain and seals, 100,000 lines", c / f, "F", f"{c * 1e6 / given.entries:.2f} us a line")
        v = seconds(lambda: verify(path), 3)
        note = f"{v * 1e6 / given.entries:.1f} us an entry"
        good &= show("verify with full replay, 100,000 entries", v / f, "F", note)
        for what in ("chain", "verify") if Path("/proc/self/status").exists() else ():
            small, large = peak_memory(short, what), peak_memory(path, what)
            show(f"peak memory of {what}", large, "MiB", f"{small:.1f} MiB for a tenth of the lines")
        if not given.quick:
            good &= a_million_lines(base)
            good &= beside_others(base, path, given.entries)
            good &= many_logs(base)
    print("lines of code, not blank: " + ", ".join(f"{room} {count:,}" for room, count in lines_of_code().items()))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
