"""What a fresh interpreter loads: a game brings no terminal, no tables, no validator; a help text brings no game.

Starting is what a host waits for, forty times an evening. Source: docs/reliability.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import replaying
from tests.support.guide import built_in as names
from tests.support.sources import ROOT

HEAVY = {"click", "pydantic", "pydantic_core", "tabulate", "ledger", "typing_extensions", "annotated_types"}


def loaded(code: str, folder: Path | None = None) -> set[str]:
    """The names of all modules that are loaded after `code` ran in an interpreter of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    program = f"{code}\nimport sys\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder or ROOT, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def tops(modules: set[str]) -> set[str]:
    """The packages those modules belong to."""
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("name", names())
def test_a_game_is_pure(name: str) -> None:
    """Rules can be used without terminal, tables and validator: by a bot, a notebook, another front."""
    found = loaded(f"import events, games.{name}")
    assert f"games.{name}.rules" in found
    assert not tops(found) & HEAVY
    assert not [other for other in names() if other != name and f"games.{other}" in found]


def test_the_log_alone_needs_nothing() -> None:
    """events stands on Python alone, and knows neither games nor ledger."""
    found = loaded("from events import LogFile, create, read_body")
    assert not tops(found) & (HEAVY | {"games"})


RUN = """
import io, sys
from ledger.cli.root import run
sys.stdout = sys.stderr = io.StringIO()
for line in {lines!r}:
    run(line.split())
sys.stderr = sys.__stderr__
"""


def test_help_loads_no_game_and_no_validator(tmp_path: Path) -> None:
    """`hl --help` where there is no match: nothing that a help text does not need."""
    found = loaded(RUN.format(lines=["--help", "--version", "games --help", ""]), tmp_path)
    assert "ledger.cli.root" in found
    assert not tops(found) & {"pydantic", "pydantic_core", "tabulate"}
    assert not [name for name in names() if f"games.{name}" in found]


def test_what_a_match_needs_loads_no_models(tmp_path: Path) -> None:
    """Models are for files of somebody else: a host waits for every import. docs/decisions/0044-models-for-files.md."""
    replaying.played(names()[0], tmp_path / "m")
    verbs = ("note x -n", "status", "undo -n -y", "outbox", "verify", "--help", "doctor")
    found = loaded(RUN.format(lines=[f"-g m --as mara {verb}" for verb in verbs]), tmp_path)
    assert "ledger.cli.root" in found and not found & {"pydantic", "pydantic_core"}


PROFILED = """
import inspect, sys
modules, functions = set(), set()
def seen(frame, event, arg):
    name = frame.f_globals.get("__name__", "")
    code = frame.f_code
    ours = name.partition(".")[0] in ("events", "games", "ledger")
    if event == "call" and ours and code.co_flags & inspect.CO_OPTIMIZED:  # no module, and no body of a class
        modules.add(name)
        functions.add((name, code.co_qualname))
from ledger.cli import app, carry_out, root
sys.setprofile(seen)
code = root.run(sys.argv[1:])
sys.setprofile(None)
print(len(modules), len(functions))
sys.exit(code)
"""
MAX_MODULES, MAX_FUNCTIONS = 64, 630
"""What a reader of one `hl trade` would have to follow; a number grows for a reason."""


def test_a_trade_runs_through_few_modules(tmp_path: Path) -> None:
    """Modules of ours that one `hl trade` runs, and functions in them."""
    demo = ROOT / "games" / "equilibrium"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "HL_AS": "mara", "HL_MATCH": "m"}

    def hl(program: str, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *words], capture_output=True, text=True, cwd=tmp_path, env=env, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    plain = "import sys; from ledger.cli.root import run; sys.exit(run(sys.argv[1:]))"
    for line in (f"new m --from {demo}/demo.toml", f"deal --from {demo}/demo-deal.toml", "open"):
        hl(plain, *line.split())
    modules, functions = map(int, hl(PROFILED, "trade", "ann", "R4", "bob", "R6").split("\n")[-2].split())
    assert modules <= MAX_MODULES and functions <= MAX_FUNCTIONS, f"{modules} modules, {functions} functions"


def test_the_list_of_games_imports_none() -> None:
    """A game that is half written must not hide the others."""
    found = loaded("from games.registry import names\nassert names()")
    assert not [name for name in names() if f"games.{name}" in found]


def test_the_check_itself_can_fail() -> None:
    """What a program loads is seen."""
    assert {"click", "pydantic"} <= loaded("import click, ledger.exchange.matchfile")
