"""Every game has a page with its rules, and the page says what the code says: settings, information table, verbs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from events.errors import Unreadable
from games.registry import load
from games.table.settings import check
from ledger.author.newgame import missing, verbs
from tests.support.guide import page_of

ROW = re.compile(r"^\| `(\w+)` \| [^|]* \| `([^|`]*)` \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
"""A row of the table of settings: name, default, what it may be."""


def test_the_page_of_a_game_says_what_the_code_says(any_game: str, root: Path) -> None:
    """Each setting with gap and default, each line of the information table, each verb, each field of override."""
    page = page_of(any_game)
    assert missing(load(any_game), page) == []


def test_a_verb_is_shown_with_its_options() -> None:
    rows = [row for row in verbs(load("polar")) if row.startswith(("| `submit ", "| `bomb "))]
    assert rows[0].startswith(
        "| `submit PLAYER [--ticket TICKET] [--swap] [--bomb BOMB] [--buy BUY] [--as-sent] [--add]`"
    )
    assert rows[1].startswith("| `bomb PLAYER [KIND] [ROOM] [--off] [--as-sent]` |")


def test_a_wrong_default_would_be_noticed(root: Path) -> None:
    """The check itself can fail."""
    page = (root / "docs" / "games" / "equilibrium.md").read_text(encoding="utf-8")
    for old, new in (("| `72` | 1 to 1440,", "| `48` | 1 to 1440,"), ("| `72` | 1 to 1440,", "| `72` | 1 to 720,")):
        (row,) = missing(load("equilibrium"), page.replace(old, new))
        assert row.startswith("| `trading_hours` |  | `72` | 1 to 1440,")


def test_a_setting_may_be_what_its_page_says_and_nothing_else(any_game: str, root: Path) -> None:
    """Both ends of a range are taken and what lies beyond is refused; each word named is taken, another not."""
    game, page = load(any_game), page_of(any_game)

    def taken(key: str, value: Any) -> bool:
        try:
            check(game.settings, game.visibility, {key: value})
        except Unreadable:
            return False
        return True

    found = 0
    for key, lists, said in ROW.findall(page):
        lists = lists.strip() in ("[]",) or " " in lists.strip()
        if span := re.match(r"(-?\d+) to (\d+)", said):
            least, most = int(span[1]), int(span[2])
            values = {least: True, most: True, least - 1: False, most + 1: False, str(least): False}
            values |= {"90m": True, "90 mns": False, "100000000h": False} if "90m" in said else {}
        else:
            words = re.findall(r"`([^`]*)`", said)
            listed = [json.loads(w) if w in ("true", "false") or w.isdigit() else w for w in words]
            if not listed:
                continue
            values = {**dict.fromkeys(listed, True), "something else": False}
            assert not (any(word is True for word in listed) and taken(key, 1)), f"{key}: 1 is not true"
        for value, wanted in values.items():
            assert taken(key, [value] if lists else value) is wanted, (key, value)
            found += 1
    assert found > 10


@pytest.mark.parametrize(
    ("name", "gaps"),
    [("equilibrium", 25), ("hex_parties", 27), ("marsmatch", 32), ("poker_auction", 24), ("polar", 26)],
)
def test_every_gap_is_settled_on_the_page(name: str, gaps: int, root: Path) -> None:
    """Each is a setting, or a decision that is written down; and they are numbered without a hole."""
    page = (root / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    said = re.split(r"\n\* \*\*[A-Z]+-(\d+)\. ", page)
    assert sorted(map(int, said[1::2])) == [*range(1, gaps + 1)]
    assert not [
        n for n, text in zip(said[1::2], said[2::2], strict=True) if not re.search(r"\*(Setting|Decided)", text)
    ]
