"""Every game has a page with its rules, and the page says what the code says: settings, information table, verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.contract import Game
from games.records import fields, kebab, plain
from games.registry import load, names
from games.table.settings import Gap, Season


def word(value: Any) -> str:
    """A default as a match file and the page write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value) or "[]" if isinstance(value, list) else str(value)


def missing(game: Game, page: str) -> list[str]:
    """What the page of a game does not say."""
    wanted = []
    for cls in (game.settings, Season):
        for field in fields(cls):
            if isinstance(field.note, Gap):
                gap = "" if field.note.number == "T" else field.note.number
                wanted.append(f"| `{field.name}` | {gap} | `{word(plain(field.default))}` |")
    wanted += [f"| `{key}` | {about} | `{level}` |" for key, (level, about) in game.visibility.items()]
    wanted += [f"`{kebab(cls)} " for cls in game.actions]
    wanted += [f"| `{field}` |" for field in game.fields]
    return [line for line in wanted if line not in page]


@pytest.mark.parametrize("name", names())
def test_the_page_of_a_game_says_what_the_code_says(name: str, root: Path) -> None:
    """Each setting with gap and default, each line of the information table, each verb, each field of override."""
    page = (root / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert missing(load(name), page) == []


def test_a_wrong_default_would_be_noticed(root: Path) -> None:
    """The check itself can fail."""
    page = (root / "docs" / "games" / "equilibrium.md").read_text(encoding="utf-8")
    wrong = page.replace("| `trading_hours` |  | `72` |", "| `trading_hours` |  | `48` |")
    assert missing(load("equilibrium"), wrong) == ["| `trading_hours` |  | `72` |"]


def test_every_gap_of_equilibrium_is_settled_on_its_page(root: Path) -> None:
    """EQ-1 to EQ-23: each is a setting, or a decision that is written down."""
    page = (root / "docs" / "games" / "equilibrium.md").read_text(encoding="utf-8")
    for number in range(1, 24):
        said = page.partition(f"* **EQ-{number}. ")[2].partition("\n* **")[0]
        assert "*Setting" in said or "*Decided*" in said, f"EQ-{number}"
