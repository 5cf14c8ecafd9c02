"""The schemas of docs/schema/, and a validator that is not ours."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from games.registry import names
from ledger.exchange.schema import OF_A_GAME
from tests.support.sources import ROOT

KEPT = ROOT / "docs" / "schema"
GAMES = tuple(name for name in names() if (ROOT / "games" / name).is_dir())
OUTPUT = {
    "view": "view", "summary": "view", "reveal": "view", "status": "view", "board": "view", "final": "final",
    "scores": "final", "verify": "verify",
}  # fmt: skip


@cache
def validator(what: str, game: str) -> Any:
    """Of the schema as it is kept, not as it is made."""
    from jsonschema import Draft202012Validator  # not of those who only import this

    path = KEPT / game / f"{what}.json" if what in OF_A_GAME else KEPT / f"{what}.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def wrong(value: Any, what: str, game: str) -> list[str]:
    """What the validator says of a value, as deep inside as it can tell."""
    from jsonschema.exceptions import best_match

    error = best_match(validator(what, game).iter_errors(value))
    return [f"{error.json_path}: {error.message[:300]}"] if error else []


def of_line(words: str) -> str | None:
    """The schema of what a command line prints in JSON, if there is one."""
    listed = words.split()
    return "write" if "--json" in listed else OUTPUT.get(listed[0])
