"""The sources of the three rooms, read and parsed once for every test that looks at them."""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("events", "games", "ledger")


class Module(NamedTuple):
    """One source file of the project."""

    where: str
    """Its path, like `games/kit/poker.py`."""
    tree: ast.Module
    source: str


def module(where: str, source: str) -> Module:
    return Module(where, ast.parse(source, where), source)


@functools.cache
def modules() -> tuple[Module, ...]:
    """All of them."""
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return tuple(module(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in found)


@functools.cache
def nodes(one: Module) -> tuple[ast.AST, ...]:
    """All that a module is made of."""
    return tuple(ast.walk(one.tree))
