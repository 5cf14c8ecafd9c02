"""docs/rooms.md follows one command through the code: what it names must be there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

NAMED = re.compile(r"`((?:events|games|ledger)/[\w/]+\.py)`(?:: `(\w+)`)?")


def defined(source: str) -> set[str]:
    """Every function and class in a source, methods too."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def test_every_file_and_function_on_the_page_exists(root: Path) -> None:
    """A file that was renamed, or a function that has moved, would send the reader astray."""
    page = (root / "docs" / "rooms.md").read_text(encoding="utf-8")
    found = NAMED.findall(" ".join(page.split()))
    assert len(found) >= 30
    for where, name in found:
        assert (root / where).is_file(), where
        if name:
            assert name in defined((root / where).read_text(encoding="utf-8")), f"{where} has no {name}"


def test_every_room_is_visited(root: Path) -> None:
    """The way of the trade leads through all three rooms, and the game's own files."""
    page = (root / "docs" / "rooms.md").read_text(encoding="utf-8")
    visited = {where for where, _ in NAMED.findall(page)}
    assert {where.split("/")[0] for where in visited} == {"events", "games", "ledger"}
    game = {where for where in visited if where.startswith("games/equilibrium/")}
    assert {f"games/equilibrium/{name}.py" for name in ("actions", "rules", "facts", "view")} <= game


def test_a_wrong_name_would_be_noticed() -> None:
    """The check itself can fail."""
    assert "decide" in defined("def decide(): ...")
    assert "decides" not in defined("def decide(): ...")
    assert NAMED.findall("`games/tx.py`: `Transaction`, `ledger/core/match.py`") == [
        ("games/tx.py", "Transaction"),
        ("ledger/core/match.py", ""),
    ]
