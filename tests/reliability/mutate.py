"""Changes one thing in the sources and runs the tests, again and again: which changes does no test notice?

    python tests/reliability/mutate.py events [--one-in 4] [--only canon.py] [--seed 1] [--minutes 20] [--jobs 2]
    python tests/reliability/mutate.py games/equilibrium [--loading-one-in 5]
    python tests/reliability/mutate.py secrecy: guards of secrecy are left out, and only tests of secrecy look

Nothing is written into the project. The tests are collected once, and run once to learn which lines each of them
reaches. A change within functions is then put into their code, in a child of that process, and the tests that reach its
line are run, the quickest first. What a module does while it is loaded cannot be changed afterwards: for that, and for
lines that run while it is loaded, a child loads everything anew. A test that hangs kills its mutant.

Survivors are printed as they would read; those that are explained stand in mutants_explained.txt (the file, the old and
the new line, or `*` for any new line), and are counted apart.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.abc
import importlib.util
import itertools
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from mutants import Mutant, functions_in, more_open, mutants, outside_functions

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = {"events", "games", "ledger", "tests"}
EXPLAINED = Path(__file__).with_name("mutants_explained.txt")
LONGEST = 60
"""Seconds after which the tests of one mutant are taken to hang, over and above what they take without it."""
ENOUGH = 25
"""Seconds of tests, as they are without a change, that are run for one mutant; the quickest are run first."""
NOT_RULES = {"report.py", "words.py", "notices.py", "suggest.py", "__init__.py"}
TESTS = {
    "events": ("test_events_*.py", "test_hostile_logs.py", "test_second_checker.py"),
    "games": (
        "test_{game}_*.py", "test_any_log.py", "test_old_logs.py", "test_golden.py", "test_contract.py",
        "test_docs_games.py", "test_sealed.py", "test_closed_lines.py", "test_cards.py",
        "test_desk.py", "test_errors.py", "test_explain.py", "test_fair_deals.py", "test_luck.py", "test_redact.py",
        "test_audit.py", "test_rooms.py", "test_import.py", "test_two_hosts.py", "test_export.py",
    ),
    "secrecy": (
        "secrecy/test_*.py", "replay/test_*.py", "test_redact.py", "test_outbox*.py", "test_late_texts.py",
        "test_*_rules.py", "test_declare.py", "test_fair_deals.py",
    ),
}  # fmt: skip
GUARDED = ("games/*/facts.py", "games/*/view.py", "games/*/words.py", "ledger/tell/*.py")
"""The sources that say what a viewer is told, for the target `secrecy`."""
LEAVE_OUT_OF_SECRECY = "not (seeded or sabotage or found or hostile or browser or slow)"
LEAVE_OUT = "not (two_writers or after_any_byte or sabotage or every_day or cheap or secrecy)"
"""Tests that take long and see nothing that others do not."""
SURVIVED, KILLED, ANEW = 10, 11, 12
"""What a child exits with; ANEW: everything must be loaded anew to tell."""
FATES = {SURVIVED: "survived", ANEW: "anew", -signal.SIGALRM: "hung"}
Lines = set[tuple[str, int]]
"""(file, line)"""


# ---- children ------------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """What is done in a child for one mutant."""

    mutant: Mutant
    seconds: float
    """That it may take."""
    act: Callable[[str], int]
    """Run its tests, in a folder of their own; SURVIVED, KILLED or ANEW."""


def fork(act: Callable[[], int], seconds: float = 0) -> int:
    """Start a child that prints nothing and exits with what `act` returns. SIGALRM ends it after that time, if any."""
    pid = os.fork()
    if pid == 0:
        code = KILLED  # whatever goes wrong is noticed
        try:
            os.setsid()
            signal.setitimer(signal.ITIMER_REAL, seconds)
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd)
            code = act()
        finally:
            os._exit(code)
    return pid


def side_by_side(jobs: int, work: Iterator[Piece]) -> Iterator[tuple[Mutant, str]]:
    """Do each piece in a child, so many at once. Yields what came of it."""
    running: dict[int, tuple[Mutant, str]] = {}
    for piece in itertools.chain(work, itertools.repeat(None)):
        if piece:
            folder = tempfile.mkdtemp(prefix="mutant-")
            running[fork(partial(piece.act, folder), piece.seconds)] = piece.mutant, folder
        if not running:
            return
        if len(running) == jobs or not piece:
            pid, status = os.wait()
            mutant, folder = running.pop(pid)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            shutil.rmtree(folder, ignore_errors=True)
            yield mutant, FATES.get(os.waitstatus_to_exitcode(status), "killed")


# ---- the tests -----------------------------------------------------------------------------------------------------


class Loop:
    """A plugin: the tests are collected, and are run by us."""

    def __init__(self, work: Callable[[list[Any]], None]) -> None:
        self.work = work

    def pytest_runtestloop(self, session: Any) -> bool:
        sys.settrace(None)
        self.work(session.items)
        return True


def collected(tests: Sequence[str], words: str, work: Callable[[list[Any]], None]) -> int:
    """Let pytest collect the tests, and do the work with them."""
    import pytest
    from hypothesis import Phase, settings

    settings.register_profile("quick to fail", phases=[Phase.explicit, Phase.generate])  # nobody reads the example
    settings.load_profile("quick to fail")
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "-W", "ignore", "-k", words]
    keep = ["-o", "tmp_path_retention_policy=none"]
    return int(pytest.main([*options, *keep, *tests], plugins=[Loop(work)]))


def passing(items: Sequence[Any], folder: str) -> Iterator[bool]:
    """Whether each of these tests passes, one after the other; they write into that folder."""
    from _pytest.runner import runtestprotocol

    tempfile.tempdir = folder
    for item, following in itertools.pairwise([*items, None]):
        item.config._tmp_path_factory._basetemp = Path(folder)
        yield not any(report.failed for report in runtestprotocol(item, nextitem=following, log=False))


@contextlib.contextmanager
def traced(files: set[str]) -> Iterator[Lines]:
    """The lines of these files that are run, until the tracing is ended."""
    lines: Lines = set()

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename in files:
            lines.add((frame.f_code.co_filename, frame.f_lineno))
            return line
        return None

    sys.settrace(line)
    yield lines
    sys.settrace(None)


def measured(items: Sequence[Any], files: set[str]) -> list[tuple[float, Lines]]:
    """Of each test the seconds it takes and the lines it runs, as the sources are. It is run in a child."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder, tempfile.TemporaryFile("w+") as kept:

        def act() -> int:
            tests, rows = passing(items, folder), []
            for _ in items:
                began = time.monotonic()
                with traced(files) as lines:
                    good = next(tests)
                rows.append((good, time.monotonic() - began, [*lines]))
            json.dump(rows, kept)
            kept.flush()
            return SURVIVED

        os.waitpid(fork(act), 0)
        kept.seek(0)
        rows = json.load(kept)
    bad = [item.nodeid for item, (good, _, _) in zip(items, rows, strict=True) if not good]
    assert not bad, f"these tests fail as the sources are: {bad}"
    return [(seconds, {(file, line) for file, line in lines}) for _, seconds, lines in rows]


# ---- a change within functions -------------------------------------------------------------------------------------


class Loaded:
    """The tests and the sources as they are loaded here.

    Args:
        loading: The lines that ran before any test.
    """

    def __init__(self, items: Sequence[Any], files: set[str], loading: Lines) -> None:
        gc.unfreeze()  # conftest.py freezes what was collected, and then no function would be found
        self.items, self.loading = items, loading
        self.seconds, self.tests = list[float](), defaultdict[tuple[str, int], list[int]](list)
        for n, (seconds, lines) in enumerate(measured(items, files)):
            self.seconds.append(seconds)
            for line in lines:
                self.tests[line].append(n)
        self.functions: dict[Any, list[FunctionType]] = defaultdict(list)
        """Those made from a source, wherever they are held now."""
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename in files:
                self.functions[_key(thing.__code__)].append(thing)
        self.caches = [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper)]
        whole = {
            file: compile(Path(file).read_text(encoding="utf-8"), file, "exec", dont_inherit=True) for file in files
        }
        self.outside = {file: outside_functions(code) for file, code in whole.items()}
        self.same = {inner for code in whole.values() for inner in functions_in(code)}
        gc.freeze()

    def piece(self, mutant: Mutant) -> Piece:
        """The tests that reach the statement, the quickest first, as many as have room in `ENOUGH`."""
        lines = [(mutant.code.co_filename, line) for line in mutant.lines]
        able = sorted({n for line in lines for n in self.tests.get(line, ())}, key=self.seconds.__getitem__)
        took = [*itertools.accumulate(self.seconds[n] for n in able)]
        some = [self.items[n] for n, end in zip(able, took, strict=True) if end <= max(ENOUGH, took[0])]
        seconds = took[len(some) - 1] if some else 0

        def act(folder: str) -> int:
            same = outside_functions(mutant.code) == self.outside[mutant.code.co_filename]
            if not same or not self.become(mutant.code):
                return ANEW
            for cache in self.caches:
                cache.cache_clear()
            if not all(passing(some, folder)):
                return KILLED
            return SURVIVED if self.loading.isdisjoint(lines) else ANEW

        return Piece(mutant, LONGEST + 5 * seconds, act)

    def become(self, code: CodeType) -> bool:
        """Give every function that differs its code out of that module. False if one of them cannot be had."""
        able = True
        for inner in (inner for inner in functions_in(code) if inner not in self.same):
            held = self.functions.get(_key(inner), [])
            try:
                for function in held:
                    function.__code__ = inner
            except ValueError:
                held = []
            self.become(inner)
            able = able and bool(held)
        return able


def _key(code: CodeType) -> Any:
    return code.co_filename, code.co_qualname, code.co_firstlineno


# ---- everything loaded anew ----------------------------------------------------------------------------------------


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module with a change."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.mutant = mutant

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.code.co_filename, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.mutant.code, module.__dict__)


def loaded_anew(mutant: Mutant, tests: Sequence[str], words: str) -> Piece:
    """All the tests, with the project loaded again."""

    def act(folder: str) -> int:
        for name in [name for name in sys.modules if name.partition(".")[0] in PROJECT]:
            del sys.modules[name]
        sys.meta_path.insert(0, Changed(mutant))
        good: list[bool] = []
        code = collected(tests, words, lambda items: good.append(all(passing(items, folder))))
        return SURVIVED if code == 0 and good == [True] else KILLED

    return Piece(mutant, 10 * LONGEST, act)


def tests_of(target: str) -> tuple[list[str], str]:
    """(the test files for a target; which of their tests)."""
    kind, _, game = target.partition("/")
    found: list[str] = []
    for pattern in TESTS[kind]:
        here = sorted((ROOT / "tests").rglob(pattern.format(game=game)))
        found += [str(path) for path in here if str(path) not in found]
    if kind == "secrecy":
        return found, LEAVE_OUT_OF_SECRECY
    every = "golden or any_log or old_logs or contract or docs_games or export or audit or closed_lines"
    return found, f"({game} or not ({every})) and {LEAVE_OUT}" if game else LEAVE_OUT


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("target", help="events, games/NAME or secrecy")
    parser.add_argument("--one-in", type=int, default=1)
    parser.add_argument("--loading-one-in", type=int, default=1, help="of those that need everything loaded anew")
    parser.add_argument("--only", default="", help="one file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ.pop("HL_FULL", None)
    secrecy = given.target == "secrecy"
    os.environ["HL_LAWS"] = "" if secrecy else "1"
    sys.dont_write_bytecode = True
    if os.access("/dev/shm", os.W_OK):
        tempfile.tempdir = "/dev/shm"  # tests of the sources, not of the disk
    files = sorted(p for p in (ROOT / given.target).rglob("*.py") if p.name not in NOT_RULES)
    files = sorted(p for pattern in GUARDED for p in ROOT.glob(pattern)) if secrecy else files
    variants = more_open if secrecy else None
    found = [m for p in files if given.only in ("", p.name) for m in mutants(p, ROOT, variants)]
    whole = len(found)
    random.Random(given.seed).shuffle(found)
    found = found[: max(1, whole // given.one_in)]
    known = set(EXPLAINED.read_text(encoding="utf-8").splitlines())
    tests, words = tests_of(given.target)
    began, counts, anew = time.monotonic(), Counter[str](), list[Mutant]()

    def tried(work: Iterator[Piece]) -> None:
        for mutant, fate in side_by_side(given.jobs, itertools.takewhile(lambda _: not over(), work)):
            if fate == "anew":
                anew.append(mutant)
                continue
            fate = "explained" if fate == "survived" and {mutant.name, mutant.any_name} & known else fate
            counts[fate] += 1
            if fate == "survived":
                print(f"{mutant.file}:{mutant.line}\n  - {mutant.old.strip()}\n  + {mutant.new.strip()}", flush=True)

    def over() -> bool:
        return bool(given.minutes) and time.monotonic() - began > given.minutes * 60

    if secrecy:  # what a digest notices, nobody has looked for
        from tests.secrecy.kept import Kept

        Kept.changed = lambda *_: []  # type: ignore[method-assign]
    sources = {mutant.code.co_filename for mutant in found}
    with traced(sources) as loading:
        code = collected(tests, words, lambda items: tried(map(Loaded(items, sources, loading).piece, found)))
    assert code == 0, "the tests could not be collected, or fail as the sources are"
    minutes = (time.monotonic() - began) / 60
    print(f"{minutes:.1f} minutes: {counts.total()} put into functions, {dict(counts)}", flush=True)
    print(f"{len(anew)} need everything loaded anew, one in {given.loading_one_in} of them is tried", flush=True)
    tried(loaded_anew(mutant, tests, words) for mutant in anew[:: given.loading_one_in])
    dead = counts["killed"] + counts["hung"]
    share = 100 * dead // max(1, counts.total() - counts["explained"])
    print(f"{given.target}: {counts.total()} of {whole} mutants, {dead} killed ({share} %), {dict(counts)}")
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
    return 0 if share >= (60 if secrecy else 90) else 1  # half of the guards have another behind them, or hide more


if __name__ == "__main__":
    sys.exit(main())
