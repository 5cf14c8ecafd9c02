"""Changes one thing in the sources and runs the tests, again and again: which changes does no test notice?

    python tests/reliability/mutate.py events [--one-in 4] [--only canon.py] [--seed 1] [--minutes 20] [--jobs 2]
    python tests/reliability/mutate.py games/equilibrium [--loading-one-in 5]

Nothing is written into the project. The tests are collected once, and run once to learn which lines each of them
reaches. A change within functions is then put into their code, in a child of that process, and the tests that reach its
line are run, the quickest first. What a module does while it is loaded cannot be changed afterwards: for that, and for
lines that run while it is loaded, a child loads everything anew. A test that hangs kills its mutant.

Survivors are printed as they would read; those that are explained stand in mutants_explained.txt (the file, the old and
the new line, or `*` for any new line), and are counted apart.
"""

from __future__ import annotations

import argparse
import gc
import importlib.abc
import importlib.util
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from mutants import Mutant, functions_in, mutants, outside_functions

ROOT = Path(__file__).resolve().parent.parent.parent
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
}  # fmt: skip
LEAVE_OUT = "not (two_writers or killed_after or sabotage or every_day or cheap or secrecy)"
"""Tests that take long and see nothing that others do not."""
Fate = str
"""`killed`, `hung`, `survived`, or `anew`: everything must be loaded anew to tell."""


class Reach(NamedTuple):
    """What the tests do without a change."""

    seconds: list[float]
    """Of each test, in the order of collection."""
    tests: dict[tuple[str, int], list[int]]
    """(file, line) -> the tests that run it."""
    loading: frozenset[tuple[str, int]]
    """Lines that run before any test."""


class Functions:
    """Functions that were made from a source, wherever they are held now."""

    def __init__(self, file: Path) -> None:
        self.made: dict[tuple[str, int], list[FunctionType]] = defaultdict(list)
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(file):
                self.made[_key(thing.__code__)].append(thing)

    def become(self, code: CodeType) -> bool:
        """Give every function its code out of that module. False if one of those that differ cannot be had."""
        return all([self._become(inner) for inner in functions_in(code)])

    def _become(self, code: CodeType) -> bool:
        found = self.made.get(_key(code), ())
        for function in found:
            try:
                function.__code__ = code
            except ValueError:
                return False
        for inner in functions_in(code):
            self._become(inner)
        return bool(found)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module with a change."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.mutant = mutant

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, ROOT / self.mutant.file, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.mutant.code, module.__dict__)


class Tracer:
    """Lines of some files as they are run. Use as a context; `lines` is filled."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files, self.lines = {str(f): f.relative_to(ROOT).as_posix() for f in files}, set[tuple[str, int]]()

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        file = self.files.get(frame.f_code.co_filename)
        if file is None:
            return None
        seen, add = self.lines, self.lines.add

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            add((file, frame.f_lineno))
            return line

        seen.add((file, frame.f_lineno))
        return line

    def __enter__(self) -> Tracer:
        self.lines = set()
        sys.settrace(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)


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


def passes(item: Any, following: Any) -> bool:
    """Whether this test passes."""
    from _pytest.runner import runtestprotocol

    return not any(report.failed for report in runtestprotocol(item, nextitem=following, log=False))


def all_pass(items: Sequence[Any]) -> bool:
    """Whether these tests pass; no more are run after one that does not."""
    return all(passes(item, after) for item, after in zip(items, [*items[1:], None], strict=True))


def quiet() -> None:
    """Print nothing from here on."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)


def own_folder(items: Sequence[Any], folder: Path) -> None:
    """Let the tests of this child write into a folder of their own."""
    if items:
        items[0].config._tmp_path_factory._basetemp = folder
    tempfile.tempdir = str(folder)


class Child(NamedTuple):
    pid: int
    number: int
    ends: float
    folder: Path


def side_by_side(jobs: int, work: Iterator[tuple[int, float, Callable[[Path], Fate]]]) -> Iterator[tuple[int, Fate]]:
    """Do each piece of work in a child: (its number, seconds it may take, what it does). Yields what came of it."""
    fates = {10: "survived", 11: "killed", 12: "anew"}
    running: dict[int, Child] = {}
    more = True
    while more or running:
        while more and len(running) < jobs:
            piece = next(work, None)
            if piece is None:
                more = False
                break
            number, seconds, act = piece
            folder = Path(tempfile.mkdtemp(prefix="mutant-"))
            pid = os.fork()
            if pid == 0:
                os.setsid()
                code = 11  # whatever goes wrong is noticed
                try:
                    quiet()
                    code = {fate: code for code, fate in fates.items()}[act(folder)]
                finally:
                    os._exit(code)
            running[pid] = Child(pid, number, time.monotonic() + seconds, folder)
        for child in [*running.values()]:
            done, status = os.waitpid(child.pid, os.WNOHANG)
            fate = fates.get(os.waitstatus_to_exitcode(status), "killed") if done else ""
            if not done and time.monotonic() > child.ends:
                os.killpg(child.pid, signal.SIGKILL)
                os.waitpid(child.pid, 0)
                fate = "hung"
            if fate:
                del running[child.pid]
                shutil.rmtree(child.folder, ignore_errors=True)
                yield child.number, fate
        time.sleep(0.005)


def in_child(work: Callable[[], Any]) -> Any:
    """What the work returns, done in a child: nothing of it stays here. It must go through JSON."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        quiet()
        with os.fdopen(write, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def measured(items: list[Any], files: Sequence[Path], loading: set[tuple[str, int]]) -> Reach:
    """Run every test once, as the sources are."""

    def work() -> list[Any]:
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        own_folder(items, folder)
        out: list[Any] = []
        tracer = Tracer(files)
        for item, after in zip(items, [*items[1:], None], strict=True):
            began = time.monotonic()
            with tracer:
                good = passes(item, after)
            out.append((good, time.monotonic() - began, sorted(tracer.lines)))
        shutil.rmtree(folder, ignore_errors=True)
        return out

    found = in_child(work)
    bad = [item.nodeid for item, (good, _, _) in zip(items, found, strict=True) if not good]
    assert not bad, f"these tests fail as the sources are: {bad}"
    tests: dict[tuple[str, int], list[int]] = defaultdict(list)
    for n, (_, _, lines) in enumerate(found):
        for file, line in lines:
            tests[file, line].append(n)
    return Reach([seconds for _, seconds, _ in found], tests, frozenset(loading))


def chosen(mutant: Mutant, reach: Reach) -> list[int]:
    """The tests to run: those that reach the statement, the quickest first, as many as have room in `ENOUGH`."""
    able = {n for line in mutant.lines for n in reach.tests.get((mutant.file, line), ())}
    order = sorted(able, key=lambda n: reach.seconds[n])
    took, out = 0.0, []
    for n in order:
        took += reach.seconds[n]
        if took > ENOUGH and out:
            break
        out.append(n)
    return out


def within_functions(
    found: Sequence[Mutant], tests: Sequence[str], words: str, jobs: int
) -> Iterator[tuple[int, Fate]]:
    """The fate of each mutant that can be put into functions that are loaded already; `anew` for the others."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.setsid()
        quiet()
        out = os.fdopen(write, "w")
        files = sorted({ROOT / m.file for m in found})
        loader = Tracer(files)

        def work(items: list[Any]) -> None:
            gc.unfreeze()  # conftest.py freezes what was collected, and then no function would be found
            reach = measured(items, files, loader.lines)
            functions = {file.relative_to(ROOT).as_posix(): Functions(file) for file in files}
            outside = {
                file.relative_to(ROOT).as_posix(): outside_functions(
                    compile(file.read_text(encoding="utf-8"), str(file), "exec", dont_inherit=True)
                )
                for file in files
            }
            caches = [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper)]
            gc.freeze()

            def pieces() -> Iterator[tuple[int, float, Callable[[Path], Fate]]]:
                for number, mutant in enumerate(found):
                    numbers = chosen(mutant, reach)
                    some = [items[n] for n in numbers]

                    def act(folder: Path, mutant: Mutant = mutant, some: list[Any] = some) -> Fate:
                        loaded = any((mutant.file, line) in reach.loading for line in mutant.lines)
                        if outside_functions(mutant.code) != outside[mutant.file]:
                            return "anew"
                        if not functions[mutant.file].become(mutant.code):
                            return "anew"
                        for cache in caches:
                            cache.cache_clear()
                        own_folder(some, folder)
                        return "killed" if not all_pass(some) else "anew" if loaded else "survived"

                    yield number, LONGEST + 5 * sum(reach.seconds[n] for n in numbers), act

            for number, fate in side_by_side(jobs, pieces()):
                print(json.dumps([number, fate]), file=out, flush=True)

        def told(items: list[Any]) -> None:
            """pytest keeps to itself what goes wrong in a hook."""
            try:
                work(items)
            except BaseException as problem:
                print(json.dumps([-1, repr(problem)]), file=out, flush=True)

        try:
            with loader:
                collected(tests, words, told)
        finally:
            os._exit(0)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            for line in told:
                number, fate = json.loads(line)
                assert number >= 0, fate
                yield number, fate
    finally:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def loaded_anew(found: dict[int, Mutant], tests: Sequence[str], words: str, jobs: int) -> Iterator[tuple[int, Fate]]:
    """The fate of each mutant, in a child that has loaded nothing of the project yet."""

    def pieces() -> Iterator[tuple[int, float, Callable[[Path], Fate]]]:
        for number, mutant in found.items():

            def act(folder: Path, mutant: Mutant = mutant) -> Fate:
                sys.meta_path.insert(0, Changed(mutant))
                good: list[bool] = []

                def work(items: list[Any]) -> None:
                    own_folder(items, folder)
                    good.append(all_pass(items))

                code = collected(tests, words, work)
                return "survived" if code == 0 and good == [True] else "killed"

            yield number, 10 * LONGEST, act

    yield from side_by_side(jobs, pieces())


def tests_of(target: str) -> tuple[list[str], str]:
    """(the test files for a target; which of their tests)."""
    kind, _, game = target.partition("/")
    found: list[str] = []
    for pattern in TESTS[kind]:
        here = sorted((ROOT / "tests").rglob(pattern.format(game=game)))
        found += [str(path) for path in here if str(path) not in found]
    every = "golden or any_log or old_logs or contract or docs_games or export or audit or closed_lines"
    return found, f"({game} or not ({every})) and {LEAVE_OUT}" if game else LEAVE_OUT


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("target", help="events, or games/NAME")
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
    os.environ["HL_LAWS"] = "1"
    sys.dont_write_bytecode = True
    if os.access("/dev/shm", os.W_OK):
        tempfile.tempdir = "/dev/shm"  # tests of the sources, not of the disk
    for heavy in ("pytest", "hypothesis.strategies", "click", "pydantic_core", "tabulate", "_pytest.python"):
        __import__(heavy)
    files = sorted(p for p in (ROOT / given.target).rglob("*.py") if p.name not in NOT_RULES)
    found = [m for p in files if given.only in ("", p.name) for m in mutants(p, ROOT)]
    whole = len(found)
    random.Random(given.seed).shuffle(found)
    found = found[: max(1, whole // given.one_in)]
    known = set(EXPLAINED.read_text(encoding="utf-8").splitlines())
    tests, words = tests_of(given.target)
    began, counts, anew = time.monotonic(), {"killed": 0, "hung": 0, "survived": 0, "explained": 0}, {}

    def over() -> bool:
        return bool(given.minutes) and time.monotonic() - began > given.minutes * 60

    def count(mutant: Mutant, fate: Fate) -> None:
        fate = "explained" if fate == "survived" and {mutant.name, mutant.any_name} & known else fate
        counts[fate] += 1
        if fate == "survived":
            print(f"{mutant.file}:{mutant.line}\n  - {mutant.old.strip()}\n  + {mutant.new.strip()}", flush=True)

    for number, fate in within_functions(found, tests, words, given.jobs):
        if fate == "anew":
            anew[number] = found[number]
        else:
            count(found[number], fate)
        if over():
            break
    minutes = (time.monotonic() - began) / 60
    print(f"{minutes:.1f} minutes: {sum(counts.values())} put into functions, {counts}", flush=True)
    print(f"{len(anew)} need everything loaded anew, one in {given.loading_one_in} of them is tried", flush=True)
    anew = dict([*anew.items()][:: given.loading_one_in])
    for number, fate in loaded_anew(anew, tests, words, given.jobs):
        count(found[number], fate)
        if over():
            break
    tried = sum(counts.values())
    dead = counts["killed"] + counts["hung"]
    share = 100 * dead // max(1, tried - counts["explained"])
    print(f"{given.target}: {tried} of {whole} mutants, {dead} killed ({share} %), {counts}")
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
