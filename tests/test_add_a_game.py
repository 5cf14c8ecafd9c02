"""docs/add-a-game.md makes a whole small game: here its files are taken from the page, and a match of it is played."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games

NAME = "sealed_bid"
FILE = re.compile(rf"^```\w+\n# games/{NAME}/([\w.]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRANSCRIPT = re.compile(r"^```transcript\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs" / "add-a-game.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(page: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the game on the page, where the registry finds it."""
    place = tmp_path_factory.mktemp("more-games")
    (place / NAME).mkdir()
    for name, text in FILE.findall(page):
        (place / NAME / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(place)])
    importlib.invalidate_caches()
    yield place / NAME
    for module in [m for m in sys.modules if m.startswith(f"games.{NAME}")]:
        del sys.modules[module]
    vars(games).pop(NAME, None)


@pytest.fixture
def auction(folder: Path, stage: Any) -> Any:
    """The bundled match of the page, played through the real commands; the stage stands beside it."""
    stage.run(("$ sleep 3d",))  # its bids are of the 2nd and 3rd of March
    assert stage.run((f"$ hl demo {NAME} --into auction > told.txt",)) == ""
    stage.run(("$ export HL_MATCH=auction",))
    return stage


def test_the_page_has_every_file(folder: Path) -> None:
    """The files that a game consists of, and nothing that the page forgets to show."""
    wanted = ["__init__", "actions", "facts", "report", "rules", "settings", "state", "view", "words"]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*(f"{w}.py" for w in wanted), "demo.hl", "demo.toml"]
    )


def test_the_conversation_on_the_page_is_what_happens(folder: Path, page: str, stage: Any) -> None:
    """Every command of the page is run; its answer is as the page says, hashes apart."""
    transcripts = sys.modules["transcripts"]
    (kept,) = TRANSCRIPT.findall(page)
    stage.run(("$ sleep 3d",))
    for step in transcripts.read_steps(kept):
        assert transcripts.agrees(step.answer, stage.run(step.command)), step.command


def test_its_log_verifies_and_a_changed_byte_is_found(auction: Any) -> None:
    """The new game is proved like any other."""
    assert "\nverified: 9 entries, head " in auction.run(("$ hl verify",))
    log = Path("auction/log.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"amount":12', b'"amount":13'))
    assert auction.run(("$ hl verify",)).endswith("[exit 4]")


def test_a_bid_is_secret_until_the_end(auction: Any) -> None:
    """Bob sees his own bid only while bids may be sealed, and the public none; afterwards all see all."""

    def bids(viewer: str, *point: str) -> Any:
        answer = auction.run((" ".join([f"$ hl view --for {viewer} -f json", *point]),))
        return json.loads(answer)["view"].get("bids")

    assert bids("bob", "--as-of 8") == {"bob": 9}
    assert bids("public", "--as-of 8") is None
    assert bids("host", "--as-of 8") == {"ann": 12, "bob": 9}
    assert bids("public") == {"ann": 12, "bob": 9}


def test_equal_bids_go_to_a_lot_or_to_nobody(auction: Any) -> None:
    """SB-1, both ways; and an override after the end is followed by the result."""

    def tokens() -> Any:
        return json.loads(auction.run(("$ hl final -f json --for host",)))["tokens"]

    assert tokens() == {"ann": 1, "bob": 0, "cyd": 0}
    auction.run(("$ hl override bid cyd 12 > told.txt",))
    assert json.loads(auction.run(("$ hl final -f json",)))["status"] == "deciding"
    auction.run(("$ hl lot --outcome cyd > told.txt",))
    assert tokens() == {"ann": 0, "bob": 0, "cyd": 1}
    auction.run(("$ hl amend-setting bid_tie=nobody > told.txt",))
    assert tokens() == {"ann": 0, "bob": 0, "cyd": 0}


def test_the_check_itself_can_fail(page: str) -> None:
    """A page without its rules would not pass for a whole one."""
    files = dict(FILE.findall(page))
    assert "def decide" in files["rules.py"]
    assert "rules.py" not in dict(FILE.findall(page.replace(f"# games/{NAME}/rules.py\n", "")))
