"""`make bench`: the speed figures, as ratios measured in one run on this machine.

Every figure is CPU time, and what is compared runs in turn (A B A B ...): a busy machine slows both alike. A figure is
the median of the ratios, with the middle half of them behind it. A limit within a middle half that is wide is not
judged: "too noisy". Start-up is a budget: no verb may cost more than `bean-query --help` (beanquery), a program that
people do not wait for. F is "read the file and SHA-256 each line". `hl` runs without the collector of cyclic garbage,
so the log figures do too.

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
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from make_log import PLAYERS, auction_of, long_log, match_of  # noqa: E402
from mars import hand_of_54, reader_beside_naive, whole_match  # noqa: E402
from rivals import find, rivals  # noqa: E402

WIDE = 0.1
"""The widest middle half, as a share of the median, in which a limit is still judged."""
CHAIN_LIMIT, VERIFY_LIMIT = 4.0, 26.0
"""In F: chain and seals, and verify with full replay."""
TAB_LIMIT = 8.0
"""In bare interpreters: one press of Tab."""
BUDGET_IN_INTERPRETERS = 14.0
"""What `bean-query --help` costs, for where it is not installed."""
BYTES_PER_LINE = 24
"""Most that `verify` keeps of a line: time, batch and size take 16, and a list that grows has room to spare."""
MILLION, LOGS = 1_000_000, 1_000

missed: list[str] = []
"""The figures that were over their limit."""


# ---- measuring ------------------------------------------------------------------------------------------------------


def child_cpu(command: Sequence[str], **variables: str) -> float:
    """CPU seconds of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = clean_env() | variables
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{command} ended with {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def own_cpu(work: Callable[[Path], object], path: Path) -> float:
    """CPU seconds of some work on a file, in this process."""
    start = time.process_time()
    work(path)
    return time.process_time() - start


def clean_env() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "HL_MATCH", "HL_AS")}


def hl(*words: str) -> list[str]:
    """The command as the installed script runs it."""
    return [sys.executable, "-c", "from ledger.__main__ import main; main()", *words]


def show(name: str, ratios: Sequence[float], unit: str, note: str = "", *, limit: float | None = None) -> None:
    """Print one figure, and judge its limit."""
    low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 2 else sorted([*ratios, ratios[0]])[:3]
    word = ""
    if limit is not None:
        noisy = low <= limit < high and (high - low) / middle > WIDE
        word = "too noisy" if noisy else "ok" if middle <= limit else "OVER"
        if word == "OVER":
            missed.append(name)
        word = f"limit {limit:g} {unit}: {word}"
    print(f"{name:<46}{middle:>7.2f} {unit:<2} ({low:.2f}-{high:.2f})  {word:<24} {note}", flush=True)


def busy() -> tuple[float, float]:
    """CPU seconds that the whole machine has spent so far, and those that this process and its children have."""
    machine = 0.0
    if Path("/proc/stat").exists():
        user, nice, system = Path("/proc/stat").read_text().split()[1:4]
        machine = (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")
    return machine, sum(os.times()[:4])


def others_since(before: tuple[float, float], seconds: float) -> float:
    """How many cores other programs kept busy since `before`, `seconds` ago; 0 where the system does not say."""
    machine, ours = (now - then for now, then in zip(busy(), before, strict=True))
    return max(0.0, machine - ours) / seconds


# ---- start-up -------------------------------------------------------------------------------------------------------


def commands(base: Path) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """What a host types, in matches of 300 entries; what records gets a fresh copy each time."""
    match_of(base / "match", 300)
    auction_of(base / "auction", 300)
    hand_of_54(base / "mars")
    played = whole_match(base / "played")
    fresh = iter(range(10**6))

    def recording(name: str, *words: str) -> Callable[[], list[str]]:
        def command() -> list[str]:
            copy = base / f"copy{next(fresh)}"
            shutil.copytree(base / name, copy)
            return hl("-g", str(copy), *words)

        return command

    def reading(name: str, *words: str) -> Callable[[], list[str]]:
        return lambda: hl("-g", str(base / name), *words)

    yield "hl --help", lambda: hl("--help")
    yield "hl --help, in a match", reading("match", "--help")
    yield "hl trade", recording("match", "trade", PLAYERS[0], "R4", PLAYERS[1], "R6", "--at", "2026-03-04T17:00Z")
    yield "hl power, Poker Auction", recording("auction", "power", "ann", "30", "SDHCJ", "--at", "2026-03-02T00:00Z")
    yield "hl status", reading("match", "status")
    yield "hl view --for ann -f json", reading("match", "view", "--for", "ann", "-f", "json")
    yield "hl hint, a hand of 54 cards", reading("mars", "hint", "ann")
    yield f"hl verify, MarsMatch of four, {played} entries", reading("played", "verify")


def start_up(base: Path, runs: int) -> None:
    """Each verb in turn with a bare interpreter and with `bean-query --help`, which is its budget."""
    bare, budget = [sys.executable, "-c", "pass"], find("bean-query")
    if budget is None:
        print(f"beanquery is not installed: the budget is {BUDGET_IN_INTERPRETERS:g} bare interpreters")
    for name, command in commands(base):
        in_bare, in_budget, times = [], [], []
        for _ in range(runs):
            floor, mine = child_cpu(bare), child_cpu(command())
            limit = child_cpu([budget, "--help"]) if budget else floor * BUDGET_IN_INTERPRETERS
            in_bare.append(mine / floor)
            in_budget.append(mine / limit)
            times.append(mine * 1000)
        note = f"{statistics.median(in_bare):.1f} bare interpreters, {statistics.median(times):.0f} ms"
        show(name, in_budget, "B", note, limit=1.0)
    tab = {"_HL_COMPLETE": "bash_complete", "COMP_WORDS": f"-g\n{base / 'match'}\ntrade\n{PLAYERS[0]}\n"}
    ratios = [child_cpu(hl(), **tab) / child_cpu(bare) for _ in range(runs)]
    show("Tab after hl trade ann", ratios, "x", limit=TAB_LIMIT)


# ---- the log --------------------------------------------------------------------------------------------------------


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


def in_floors(path: Path, works: Sequence[Callable[[Path], None]], runs: int) -> list[list[float]]:
    """Of each work, its ratio to F in each of the runs; F is taken before and after each work."""
    ratios: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for taken, work in zip(ratios, works, strict=True):
            before, mine, after = (own_cpu(step, path) for step in (floor_f, work, floor_f))
            taken.append(2 * mine / (before + after))
    return ratios


def the_log(base: Path, entries: int) -> Path:
    path, short = base / "long.jsonl", base / "short.jsonl"
    long_log(path, entries)
    long_log(short, entries // 10)
    f = statistics.median(own_cpu(floor_f, path) for _ in range(5))
    print(f"F, {entries:,} lines: {f * 1000:.0f} ms, {path.stat().st_size >> 20} MiB")
    chained, verified = in_floors(path, (chain, verify), 5)
    show(f"chain and seals, {entries:,} lines", chained, "F", limit=CHAIN_LIMIT)
    show(f"verify with full replay, {entries:,} entries", verified, "F", limit=VERIFY_LIMIT)
    for what in ("chain", "verify") if Path("/proc/self/status").exists() else ():
        print(f"peak memory of {what}: {peak_memory(path, what):.0f} MiB, {peak_memory(short, what):.0f} for a tenth")
    played = base / "played" / "log.jsonl"
    (taken,) = in_floors(played, (verify,), 7)
    show("verify, MarsMatch of four", taken, "F")
    times, each = reader_beside_naive(1_000_000, 2_000)
    print(f"naive reader beside ours, 1,000,000 plays: {times:.1f} x, {each:.1f} us a play of ours")
    return path


def growth(base: Path, runs: int) -> None:
    """What one trade costs in longer and longer matches."""
    floor = None
    for entries in (100, 300, 1_000, 3_000, 10_000):
        match_of(base / f"grown{entries}", entries)
        ratios = []
        for n in range(runs):
            copy = base / f"grown{entries}-{n}"
            shutil.copytree(base / f"grown{entries}", copy)
            bare = child_cpu([sys.executable, "-c", "pass"])
            mine = child_cpu(
                hl("-g", str(copy), "trade", PLAYERS[0], "R4", PLAYERS[1], "R6", "--at", "2026-03-04T17:00Z")
            )
            ratios.append(mine / bare)
        floor = floor or statistics.median(ratios)
        show(
            f"hl trade, {entries:,} entries", ratios, "x", f"{statistics.median(ratios) / floor:.1f} times that of 100"
        )


def peak_memory(path: Path, what: str) -> float:
    """Peak MiB of one fresh process that checks a log (VmHWM: ru_maxrss would count the parent's pages too)."""
    code = f"import sys; sys.path.insert(0, 'bench'); from run import {what}; from pathlib import Path"
    ask = "print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1])"
    command = [sys.executable, "-c", f"{code}; {what}(Path(sys.argv[1])); {ask}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=clean_env())
    return int(done.stdout) / 1024


def a_million_lines(base: Path) -> None:
    """Chain and seals of a long log on one core, in memory that does not grow; a whole verify, in next to none."""
    path, tenth = base / "million.jsonl", base / "tenth.jsonl"
    long_log(path, MILLION)
    long_log(tenth, MILLION // 10)
    (ratios,) = in_floors(path, (chain,), 3)
    show("chain and seals, 1,000,000 lines", ratios, "F", limit=CHAIN_LIMIT)
    for what, a_line in (("chain", 0), ("verify", BYTES_PER_LINE)) if Path("/proc/self/status").exists() else ():
        small, large = peak_memory(tenth, what), peak_memory(path, what)
        grows = large > small + 4 + a_line * (MILLION - MILLION // 10) / 2**20
        word = "OVER: memory grows with the log" if grows else "ok"
        print(f"peak memory of {what}, 1,000,000 lines: {large:.0f} MiB, {small:.0f} for a tenth: {word}")
        if grows:
            missed.append(f"peak memory of {what}")
    path.unlink()


def beside_others(base: Path, log: Path, entries: int) -> None:
    """A whole `hl verify` in turn with other programs on as many entries, start-up and all."""
    for rival in rivals(base, entries):
        if rival.command is None:
            print(f"{rival.name:<46} skipped: {rival.version}")
            continue
        pairs = [(child_cpu(hl("-g", str(log), "verify")), child_cpu(rival.command)) for _ in range(5)]
        ratios = [ours / theirs for ours, theirs in pairs]
        note = f"{min(theirs for _, theirs in pairs):.2f} s; {rival.version}: {rival.does}"
        show(f"hl verify beside {rival.name}", ratios, "x", note, limit=rival.limit)


# ---- an archive -----------------------------------------------------------------------------------------------------


def wall(*words: str, env: dict[str, str] | None = None) -> tuple[float, float]:
    """Seconds on the wall of one whole command, and how many cores other programs kept busy meanwhile."""
    before, start = busy(), time.perf_counter()
    subprocess.run(
        hl("audit", *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=env or clean_env()
    )
    seconds = time.perf_counter() - start
    return seconds, others_since(before, seconds)


def many_logs(base: Path) -> None:
    """A season's archive on one process and on two, in turn: seconds on the wall, so the cores must be free."""
    from events.disk import DISK

    name, folder = "hl audit of 1,000 logs, one process to two", base / "season"
    if DISK.processors() < 2:
        print(f"{name:<46} skipped: one core here")
        return
    for n in range(LOGS):
        (folder / f"m{n:04d}").mkdir(parents=True)
        long_log(folder / f"m{n:04d}" / "log.jsonl", 250 + n % 100)
    runs = [(wall("-j", "1", str(folder)), wall("-j", "2", str(folder))) for _ in range(3)]
    others = max(run[1] for pair in runs for run in pair)
    note = f"{min(two[0] for _, two in runs):.1f} s on two; other programs kept {others:.1f} cores busy"
    # 1.8 times as quick on two cores, where both are free.
    show(name, [two[0] / one[0] for one, two in runs], "x", note, limit=1 / 1.8 if others < 0.1 else None)
    beside_a_cluster(base, folder)


def beside_a_cluster(base: Path, folder: Path) -> None:
    """The same archive on two processes and on a Dask scheduler with two workers, over TLS, in turn.

    The client takes a second to start, and each log costs a message: a cluster pays when it has more cores.
    """
    name = "hl audit, a cluster of two to two processes"
    missing = [package for package in ("distributed", "cryptography") if find_spec(package) is None]
    if missing:
        print(f"{name:<46} skipped: {', '.join(missing)} not installed")
        return
    program = [sys.executable, str(ROOT / "tests" / "reliability" / "on_a_cluster.py"), str(base), "tls"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
        assert cluster.stdin is not None and cluster.stdout is not None
        url = cluster.stdout.readline().split()[1]
        keys = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
        env = clean_env() | {f"DASK_DISTRIBUTED__COMM__TLS__{key}": str(base / key) for key in keys}
        runs = [(wall("-j", "2", str(folder)), wall("--scheduler", url, str(folder), env=env)) for _ in range(3)]
        cluster.stdin.close()
    show(name, [far[0] / near[0] for near, far in runs], "x", f"{min(far[0] for _, far in runs):.1f} s", limit=1.5)


# ---- the run --------------------------------------------------------------------------------------------------------


def lines_of_code() -> dict[str, int]:
    """Lines per room that are not blank."""
    return {
        room: sum(
            sum(bool(line.strip()) for line in file.read_text().splitlines())
            for file in sorted((ROOT / room).rglob("*.py"))
        )
        for room in ("events", "games", "ledger", "tests")
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="counted runs of each command")
    parser.add_argument("--entries", type=int, default=100_000, help="entries of the long log")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    given = parser.parse_args()
    gc.disable()
    for room in ("events", "games", "ledger"):
        compileall.compile_dir(str(ROOT / room), quiet=2)
    before, start = busy(), time.perf_counter()
    print(f"Python {sys.version.split()[0]}; CPU time; B: bean-query --help, x: the other one, F: each line's SHA-256")
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        start_up(base, given.runs)
        path = the_log(base, given.entries)
        if not given.quick:
            growth(base, 5)
            a_million_lines(base)
            beside_others(base, path, given.entries)
            many_logs(base)
    print(f"other programs kept {others_since(before, time.perf_counter() - start):.1f} cores busy on average")
    print("lines of code, not blank: " + ", ".join(f"{room} {count:,}" for room, count in lines_of_code().items()))
    print(f"over their limit: {', '.join(missed)}" if missed else "every limit that could be judged holds")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
