"""What pages and programs name is there: files and functions of docs/rooms.md, public names, what the bench imports."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import ledger
from tests.support.sources import ROOT

ROOMS, API = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("rooms", "api"))
NAMED = re.compile(r"`((?:events|games|ledger)/[\w/]+\.py)`(?:: `(\w+)`)?")


def defined(source: str) -> set[str]:
    """Every function and class in a source, methods too."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def test_every_file_and_function_of_rooms_is_there() -> None:
    """A file that was renamed, or a function that has moved, would send the reader astray."""
    found = NAMED.findall(" ".join(ROOMS.split()))
    assert len(found) >= 30
    for where, name in found:
        source = (ROOT / where).read_text(encoding="utf-8")
        assert not name or name in defined(source), f"{where} has no {name}"


def test_every_room_is_visited() -> None:
    """The way of the trade leads through all three rooms, and the game's own files."""
    visited = {where for where, _ in NAMED.findall(ROOMS)}
    assert {where.split("/")[0] for where in visited} == {"events", "games", "ledger"}
    assert {f"games/equilibrium/{name}.py" for name in ("actions", "rules", "facts", "view")} <= visited


def test_a_wrong_name_would_be_noticed() -> None:
    """The check itself can fail."""
    assert defined("def decide(): ...") == {"decide"}
    found = NAMED.findall("`games/tx.py`: `Transaction`, `ledger/core/match.py`")
    assert found == [("games/tx.py", "Transaction"), ("ledger/core/match.py", "")]


@pytest.mark.parametrize("name", ledger.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    assert inspect.getdoc(getattr(ledger, name)), name
    assert name in API, f"docs/api.md does not say what {name} is for"


def test_what_may_be_imported_is_what_is_listed() -> None:
    assert sorted(ledger._MODULE_OF) == sorted(ledger.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ledger.__getattr__("nothing")


@pytest.mark.parametrize("path", sorted((ROOT / "bench").glob("*.py")), ids=lambda path: path.name)
def test_what_the_bench_imports_is_there(path: Path) -> None:
    """It runs too long for the quick suite."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("events", "games", "ledger"):
            module = importlib.import_module(node.module or "")
            missing = [alias.name for alias in node.names if not hasattr(module, alias.name)]
            for name in missing:
                importlib.import_module(f"{module.__name__}.{name}")  # a module of the package, or nothing
