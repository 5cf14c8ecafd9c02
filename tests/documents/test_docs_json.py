"""docs/json.md names every key that the program prints, and every fact with its keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.records import snake
from games.registry import load, names
from games.table import rounds as sealed
from games.table.facts import TABLE_FACTS
from ledger.cli.app import App
from ledger.cli.verbs import shared_verbs
from tests.support import replaying
from tests.support.guide import page_of
from tests.support.host import hl, run_all
from tests.support.paper import HOUR, chat, message
from tests.support.schemas import KEPT, of_line, wrong

VERBS = (
    "view --for host", "view --for ann", "view --for public", "status", "final", "scores --for host", "summary --all",
    "reveal", "log", "show 24", "show 38", "explain final", "verify", "receipt", "games", "rules", "assumptions",
    "doctor", "explain fox", "explain 47", "replay", "replay --for ann", "replay --for public", "diff 22 23",
    "diff {m} {m}", "diff {m} {m}/ann.jsonl", "diff {m} {m}/cut.jsonl", "export", "export --for ann",
    "evidence {m}/chat.json", "read {m}/chat.json", "audit {m}", "check {m}/new.toml", "board",
    "simulate polar -n 1",
)  # fmt: skip
OWN = list(dict.fromkeys(fact for name in names() for fact in load(name).facts))
OTHERS = {
    "poker_auction": (
        "show 22", "show 20", "log", "explain final", "explain round:clubs", "replay --for bob", "export --for bob",
    ),
    "marsmatch": ("hint ann --as-of 13", "log"),
}  # fmt: skip
"""Of other games what has no schema; of views and results the schema of each game has every key."""
DESK = ("outbox", "outbox next", "drift", "waiting", "remind")
"""Asked when there is something to say: a text is wrong, somebody owes a gift."""
BY_PLAYER = {
    "players", "scores", "garnets", "tokens", "votes", "cards", "bids", "sheets", "gained", "points", "titles", "users",
    "decided", "played", "refused", "winners", "never_played",
}  # fmt: skip
"""Objects whose keys are players or cards."""
FREE = frozenset({"args", "value", "content"})
"""What stands in these is described elsewhere: in the log format, and in the rules of the game."""


def keys(value: Any, at: str = "") -> Iterator[str]:
    """Every key of a JSON value, at any depth, that means the same for every match."""
    if isinstance(value, dict):
        for key, item in value.items():
            if at not in BY_PLAYER:
                yield key
            if key not in FREE:
                yield from keys(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    shared = (root / "docs" / "json.md").read_text(encoding="utf-8")
    return "\n".join([shared, *(page_of(name) for name in names())])


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Every key that the verbs print about a bundled match, and a writing verb and an error besides. What they print
    fits its schema."""
    match, game = str(tmp_path_factory.mktemp("json") / "m"), "equilibrium"
    found: set[str] = set()
    app = App()

    def ask(words: str, *more: str) -> None:
        told = hl("-g", match, "--as", "mara", *words.format(m=match).split(), *more, app=app)
        assert more[0] != "-f" or told.code == (4 if words == "audit {m}" else 0), words + told.err  # of a cut log
        for line in told.out.splitlines():
            answer = json.loads(line)
            found.update(keys(answer))
            if (what := of_line(" ".join([words, *more]))) is not None:
                assert not wrong(answer, what, game), words

    replaying.played("equilibrium", Path(match))
    run_all(match, f"redact --for ann -o '{match}/ann.jsonl'")
    lines = Path(match, "log.jsonl").read_bytes()
    Path(match, "cut.jsonl").write_bytes(lines[: len(lines) // 2])
    messages = [message(2 * HOUR, "Ann", "I lock in"), message(3 * HOUR, "Ann", "hello", timestamp="2026-01-01T00:00Z")]
    Path(match, "new.toml").write_bytes(Path("games/equilibrium/demo.toml").read_bytes())
    Path(match, "chat.json").write_text(json.dumps(chat(messages)), encoding="utf-8")
    for words in VERBS:
        ask(words, "-f", "json")
    ask("outbox done 22b", "--json")
    ask("amend 22 give=R4", "--json", "--yes")  # the text that was posted is wrong now
    ask("undo 69", "--json", "--yes")  # the gift; it is owed again
    for words in DESK:
        ask(words, "-f", "json")
    ask("reopen", "--json")
    ask("override ann hand R1", "--json", "-n")
    ask("trade ann R1 ann R1", "--json")
    for game, lines in OTHERS.items():
        match = str(tmp_path_factory.mktemp("json") / game)
        replaying.played(game, Path(match))
        for words in lines:
            ask(words, "-f", "json")
    return found


def of_schemas() -> set[str]:
    """Every key of an answer for which there is a schema, of any game."""
    found: set[str] = set()
    for what in ("view", "write", "final", "verify", "simulate"):
        for path in KEPT.rglob(f"{what}.json"):
            json.loads(path.read_text(), object_hook=lambda held: found.update(held.get("properties", ())) or held)
    return found


def test_every_key_is_on_the_page(page: str, printed: set[str]) -> None:
    """A key that is not described is not a promise anybody can rely on."""
    named = set(re.findall(r"[`\"](\w+)[`\"]", page))
    assert len(printed) > 50 and len(of_schemas()) > 100
    assert (printed | of_schemas()) - named == set()


def test_every_verb_that_answers_in_json_is_asked() -> None:
    """A new verb fails here by its name until a command of its own is compared with the page."""
    lines = [*VERBS, *DESK, *(line for listed in OTHERS.values() for line in listed)]
    asked = {line.partition(" ")[0] for line in lines}
    assert {one.verb for name in names() for one in load(name).lookups} <= asked
    assert [row.name for row in shared_verbs().values() if "json" in row.formats and row.name not in asked] == []


@pytest.mark.parametrize("fact", [*TABLE_FACTS, *sealed.SEALED_FACTS, *OWN], ids=lambda fact: snake(fact))
def test_every_fact_is_on_the_page(fact: Any, page: str) -> None:
    """With exactly the keys it has, in their order."""
    listed = " ".join(f"`{name}`" for name in fact._fields) or "(none)"
    assert f"| `{snake(fact)}` | {listed} |" in page


def test_the_check_itself_can_fail() -> None:
    """Keys are found at any depth; players and the fields of entries are not taken for keys."""
    answer = {"view": {"players": {"ann": {"hand": []}}}, "entries": [{"args": {"give": "R1"}, "at": ""}]}
    assert list(keys(answer)) == ["view", "players", "hand", "entries", "args", "at"]
