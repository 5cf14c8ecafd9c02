"""The generators of pairs: the file of this folder that bears the name of a game."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent


def has_generator(game: str) -> bool:
    """Is there one for this game?"""
    return (HERE / f"{game}.py").is_file()


def generator(game: str) -> ModuleType:
    """The one for this game: `draw` makes a pair, `knows` says what a viewer may know."""
    return importlib.import_module(f"tests.secrecy.{game}")
