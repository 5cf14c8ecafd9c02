"""Changes one thing in the sources and runs the tests, again and again: which changes does no test notice?

    python tests/reliability/mutate.py events [--one-in 4] [--only canon.py] [--seed 1] [--minutes 20]
    python tests/reliability/mutate.py games/equilibrium

A change is a comparison turned, an operator exchanged, a number one off, a condition negated, a short word altered, a
statement left out. Each is tried in a child of this process in which the module is loaded from the changed source;
nothing is written into the project. A test that hangs kills its mutant. Survivors are printed as they would read; those
that are explained stand in mutants_explained.txt (the file, the old and the new line), and are counted apart.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
EXPLAINED = Path(__file__).with_name("mutants_explained.txt")
LONGEST = 300
"""Seconds after which a run of the tests is taken to hang."""
NOT_RULES = {"report.py", "words.py", "notices.py", "suggest.py", "__init__.py"}
FILES = ("reading", "writer", "tail", "making", "log", "files", "head", "disk")
"""Modules of events/ that are about files; the others are about bytes."""
TESTS = {
    "bytes": ("test_events_format.py", "test_events_tamper.py"),
    "files": ("test_events_files.py", "test_events_crash.py"),
    "games": ("test_{game}_rules.py", "test_{game}_hands.py", "test_{game}_*.py", "test_old_logs.py", "test_golden.py"),
}
LEAVE_OUT = "not (two_writers or killed_after or sabotage or every_day or full_disk or readers_are_never or cheap)"
"""Tests of the files that take long and see nothing that others do not."""
SLOWER = ("laws", "oracle", "scenarios")
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    file: str
    line: int
    old: str
    new: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.file}\t{self.old.strip()}\t{self.new.strip()}"


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """What could stand in the place of a node."""
    made: Any = copy.deepcopy(node)
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            made.ops = [SWAPS[type(op)]()]
            yield made
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            made.op = SWAPS[type(op)]()
            yield made
        case ast.UnaryOp(op=ast.Not()):
            yield made.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield ast.Constant(node.value + 1)
        case ast.Constant(value=str()) if node.value and len(node.value) < 24 and " " not in node.value:
            yield ast.Constant(node.value + "X")
        case ast.Constant(value=bytes()) if node.value:
            yield ast.Constant(node.value + b"X")
        case ast.IfExp():
            made.body, made.orelse = made.orelse, made.body
            yield made
        case ast.If() | ast.While():
            made.test = ast.UnaryOp(ast.Not(), made.test)
            yield made
        case ast.Raise() | ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Break() | ast.Continue():
            yield ast.Pass()


def skipped(tree: ast.Module) -> set[int]:
    """Ids of nodes that say nothing at run time: annotations, docstrings, imports, words of messages."""
    out: set[int] = set()

    def all_of(node: ast.AST | None) -> None:
        out.update(id(n) for n in ast.walk(node)) if node is not None else None

    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                all_of(node)
            case ast.AnnAssign() | ast.arg():
                all_of(node.annotation)
            case ast.FunctionDef():
                for one in (node.returns, *node.decorator_list):
                    all_of(one)
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                all_of(node)
            case ast.Assign() if ast.unparse(node.targets[0]) in ("__all__", "TYPE_CHECKING"):
                all_of(node)
            case ast.Call() if ast.unparse(node.func) in ("Refused", "Unreadable", "Arg", "Setting", "Damaged"):
                for word in (*node.args[1:], *node.keywords):
                    all_of(word)
    return out


class Swap(ast.NodeTransformer):
    def __init__(self, at: int, new: ast.AST) -> None:
        self.at, self.new, self.count = at, new, -1

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.count += 1
        if self.count == self.at:
            return ast.copy_location(copy.deepcopy(self.new), node)
        return super().generic_visit(node)

    visit = generic_visit


def ordered(tree: ast.AST) -> list[ast.AST]:
    """Nodes in the order in which `Swap` counts them."""
    found: list[ast.AST] = []

    class Walk(ast.NodeVisitor):
        def visit(self, node: ast.AST) -> None:
            found.append(node)
            self.generic_visit(node)

    Walk().visit(tree)
    return found


def mutants(path: Path) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    quiet, before = skipped(tree), ast.unparse(tree).splitlines()
    for at, node in enumerate(ordered(tree)):
        if id(node) in quiet:
            continue
        for new in variants(node):
            changed = Swap(at, new).visit(copy.deepcopy(tree))
            text = ast.unparse(ast.fix_missing_locations(changed))
            after = text.splitlines()
            line = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
            if line is not None:
                where = path.relative_to(ROOT).as_posix()
                yield Mutant(where, getattr(node, "lineno", 0), before[line], after[line], text)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Loads one module from another source."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.name, self.path, self.source = name, str(ROOT / mutant.file), mutant.source

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_filename(self, name: str) -> str:
        return self.path

    def get_data(self, path: str) -> bytes:
        return self.source.encode()

    def path_stats(self, path: str) -> Any:
        raise OSError  # no cached bytecode


def tests_of(target: str, file: str) -> tuple[list[str], str]:
    """(the test files for a mutant of that file, the quick ones first; which of their tests)."""
    game = target.partition("/")[2]
    kinds = "games" if game else "files" if Path(file).stem in FILES else "bytes"
    found: list[str] = []
    for pattern in TESTS[kinds]:
        here = sorted((ROOT / "tests").glob(pattern.format(game=game)))
        here.sort(key=lambda path: any(word in path.name for word in SLOWER))
        found += [str(path) for path in here if str(path) not in found and "secrecy" not in path.name]
    return found, f"{game} or not (golden or old_logs)" if game else LEAVE_OUT


def run_tests(mutant: Mutant | None, tests: list[str], words: str) -> str:
    """`killed`, `survived` or `hung`: in a child, so that nothing stays."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        keep = os.dup(2)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        code = 99
        try:
            import pytest

            if mutant is not None:
                sys.meta_path.insert(0, Changed(mutant))
            options = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "--no-header", "-W", "ignore", "-k", words]
            alone = ["--noconftest"] if words == LEAVE_OUT else []  # what it imports would cost more than the tests
            code = int(pytest.main([*options, *alone, *tests]))
        except BaseException:
            code = 98
        finally:
            os.close(keep)
            os._exit(code)
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return "survived" if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 else "killed"
        time.sleep(0.02)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hung"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("target", help="events, or games/NAME")
    parser.add_argument("--one-in", type=int, default=1)
    parser.add_argument("--only", default="", help="one file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ.pop("HL_FULL", None)
    sys.dont_write_bytecode = True
    for heavy in ("pytest", "hypothesis.strategies", "click", "pydantic_core", "tabulate", "_pytest.python"):
        __import__(heavy)
    files = sorted(p for p in (ROOT / given.target).rglob("*.py") if p.name not in NOT_RULES)
    found = [m for p in files if given.only in ("", p.name) for m in mutants(p)]
    whole = len(found)
    random.Random(given.seed).shuffle(found)
    found = found[: max(1, whole // given.one_in)]
    known = set(EXPLAINED.read_text(encoding="utf-8").splitlines()) if EXPLAINED.exists() else set()
    for tests, words in {(tuple(t), w) for t, w in (tests_of(given.target, m.file) for m in found)}:
        assert run_tests(None, list(tests), words) == "survived", f"the tests fail as they are: {tests}"
    began, counts = time.monotonic(), {"killed": 0, "hung": 0, "survived": 0, "explained": 0}
    for mutant in found:
        said = run_tests(mutant, *tests_of(given.target, mutant.file))
        if said == "survived" and mutant.name in known:
            said = "explained"
        counts[said] += 1
        if said == "survived":
            print(f"{mutant.file}:{mutant.line}\n  - {mutant.old.strip()}\n  + {mutant.new.strip()}", flush=True)
        if given.minutes and time.monotonic() - began > given.minutes * 60:
            break
    tried = sum(counts.values())
    dead = counts["killed"] + counts["hung"]
    share = 100 * dead // max(1, tried - counts["explained"])
    print(f"{given.target}: {tried} of {whole} mutants, {dead} killed ({share} %), {counts}")
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
