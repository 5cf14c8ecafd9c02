"""JSON Schemas: those that are kept are those that are printed, closed where the format is closed, and an independent
validator finds every kept log, golden and answer in them. Source: docs/json.md, Schemas."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from events.errors import LedgerError
from games.registry import load
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.exchange.matchfile import setup_bodies
from ledger.exchange.schema import OF_A_GAME, TITLES, as_text, schema
from ledger.exchange.template import template
from tests.support import replaying
from tests.support.host import hl
from tests.support.schemas import GAMES, KEPT, ROOT, of_line, wrong
from tests.support.sizes import FULL

SHARED = tuple(what for what in TITLES if what not in OF_A_GAME)
ALL = [*((what, "") for what in SHARED), *((what, game) for game in GAMES for what in OF_A_GAME)]
OPEN = {"Amend.args", "AmendSetting.value", "SettingAmended.value", "Submission.content", "draw", "bonuses"}
"""What stands for anything, as docs/json.md says; besides the tables of a file that holds its own rules."""


@pytest.mark.parametrize(("what", "game"), ALL, ids=lambda part: part or "-")
def test_what_is_kept_is_what_is_made(what: str, game: str, request: pytest.FixtureRequest) -> None:
    """`pytest tests/documents/test_schema.py --golden-update` draws them anew; they are valid schemas."""
    path = KEPT / game / f"{what}.json"
    made = as_text(schema(what, load(game) if game else None)) + "\n"
    if request.config.getoption("--golden-update"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made
    Draft202012Validator.check_schema(json.loads(made))
    assert {one.name for one in KEPT.glob("*.json")} == {f"{one}.json" for one in SHARED}
    assert {one.name for one in KEPT.iterdir() if one.is_dir()} == set(GAMES)


# ---- closed ----------------------------------------------------------------------------------------------------------


def open_places(value: Any, at: str = "") -> Iterator[str]:
    """Every place of a schema at which anything may stand: `{}`, `true`, or an object that does not say its keys."""
    if isinstance(value, list):
        for item in value:
            yield from open_places(item, at)
    if not isinstance(value, dict):
        return
    if set(value) <= {"description", "default", "examples"}:
        yield at
    if value.get("type") == "object" and "additionalProperties" not in value:
        yield at
    for key, item in value.items():
        if key in ("properties", "$defs"):
            for name, inner in item.items():
                yield from open_places(inner, f"{at}.{name}".strip("."))
        elif key in ("anyOf", "allOf", "items", "prefixItems", "then", "additionalProperties") and item is not False:
            yield from open_places(item, at)


@pytest.mark.parametrize(("what", "game"), ALL, ids=lambda part: part or "-")
def test_nothing_is_open_but_what_the_page_names(what: str, game: str) -> None:
    """A schema that allows anything is none. `body.args` is closed by the verb beside it."""
    tables = load(game).written.tables if game and load(game).written else ()  # type: ignore[union-attr]
    found = set(open_places(json.loads((KEPT / game / f"{what}.json").read_text(encoding="utf-8")))) - {"body.args"}
    left = {one for one in found if one not in OPEN and one.split(".")[-1] not in (*OPEN, *tables)}
    assert not left


def test_the_check_itself_can_fail() -> None:
    assert [*open_places({"properties": {"a": {}, "b": {"type": "object"}, "c": {"type": "string"}}})] == ["a", "b"]
    assert [*open_places({"items": {"type": "object", "additionalProperties": {}}}, "x")] == ["x"]


# ---- logs ------------------------------------------------------------------------------------------------------------

LOGS = sorted(path for game in GAMES for path in (ROOT / "tests" / "old_logs" / game).glob("*.jsonl"))
EXAMPLES = sorted((ROOT / "docs" / "matches").rglob("*.jsonl"))


def game_of(path: Path) -> str:
    return str(json.loads(path.read_text(encoding="utf-8").partition("\n")[0])["body"]["args"]["game"])


@pytest.mark.parametrize("path", [*LOGS, *EXAMPLES], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_line_of_every_kept_log_fits(path: Path) -> None:
    """And of its copy for the public, where lines are closed."""
    game = game_of(path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        assert not wrong(line, "log", game), line
    assert not wrong({key: lines[-1][key] for key in ("seq", "prev", "seal")}, "log", game)


def broken(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One line, spoiled in ways that the format does not allow."""
    body = line["body"]
    for change in (
        {"seq": 0}, {"prev": "0"}, {"salt": "x"}, {"more": 1}, {"body": {**body, "mood": "good"}},
        {"body": {**body, "do": "dance"}}, {"body": {**body, "at": "yesterday"}}, {"body": {**body, "force": False}},
        {"body": {**body, "args": {**body["args"], "zzz": 1}}}, {"body": {k: v for k, v in body.items() if k != "by"}},
    ):  # fmt: skip
        yield {**line, **change}
    for name in body["args"]:
        yield {**line, "body": {**body, "args": {**body["args"], name: 1.5}}}


@pytest.mark.parametrize("game", GAMES)
def test_a_spoiled_line_does_not_fit(game: str) -> None:
    """Every verb of a kept log, with a key too many, a key too few, and each argument of a wrong type."""
    seen: set[str] = set()
    for path in (one for one in LOGS if one.parent.name == game):
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if line["body"]["do"] in seen:
                continue
            seen.add(line["body"]["do"])
            for spoiled in broken(line):
                free = any(spoiled["body"]["args"].get(name) == 1.5 for name in ("value", "draw"))
                assert free or wrong(spoiled, "log", game), spoiled
    assert len(seen) > 8


# ---- answers ---------------------------------------------------------------------------------------------------------


def answers(text: str) -> Iterator[tuple[str, Any]]:
    """(schema, JSON) of each command in a transcript or a page whose answer stands below it."""
    for typed, below in re.findall(r"^\$ hl (.+)\n([{\[].*)$", re.sub(r"<hex [0-9]+>", "0" * 64, text), re.MULTILINE):
        if "..." in below:
            continue
        words = re.sub(r"^(-g \S+ |--as \S+ )*", "", typed).split()
        asked = ("--json" in words or "json" in words) and ">" not in words and "|" not in words
        if asked and (what := of_line(" ".join(words))) is not None:
            yield what, json.loads(below)


TOLD = re.compile(r"^\$ hl (view|final) .*-f json\n\[exit [0-9]\]\n(\{.*)$", re.MULTILINE)
GOLDENS = {game: sorted((ROOT / "tests" / "golden" / game).glob("*.txt")) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_in_a_golden_fits(game: str) -> None:
    """What is told of old logs is kept too: views and results as they were printed."""
    number = 0
    for path in GOLDENS[game]:
        for what, value in answers(path.read_text(encoding="utf-8")):
            assert not wrong(value, what, game), path
            number += 1
    for path in sorted((ROOT / "tests" / "old_logs" / game).glob("*.told")):
        text = path.read_text(encoding="utf-8")
        for verb, line in TOLD.findall(text):
            assert not wrong(json.loads(line), verb, game), path
            number += 1
    assert number >= 6


def test_every_answer_in_the_pages_fits() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    found = [one for path in pages for one in answers(path.read_text(encoding="utf-8"))]
    for what, value in found:
        game = value.get("result", {}).get("game", GAMES[0])
        assert game not in GAMES or not wrong(value, what, game)


ASKED = (
    ("status", "view"), ("view --for {p}", "view"), ("view --for public", "view"), ("summary --all", "view"),
    ("reveal", "view"), ("scores --for host", "final"), ("final", "final"), ("verify", "verify"),
    ("view --for nobody", "view"), ("verify --receipt x", "verify"), ("note hello -n", "write"),
    ("award {p} garnets 1 -n", "write"), ("undo", "write"), ("award {p} garnets 99999 -n", "write"),
    ("declare token {p} 3 --note because -n", "write"), ("blank {p} -n", "write"), ("pause -n", "write"),
)  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_what_is_printed_of_a_played_match_fits(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the middle of it, for every kind of audience, and where a command is refused."""
    monkeypatch.setenv("COLUMNS", "100")
    replaying.played(game, tmp_path / "m")
    log = tmp_path / "m" / "log.jsonl"
    create = json.loads(log.read_text(encoding="utf-8").partition("\n")[0])["body"]["args"]
    player, host = create["roster"][0]["id"], create["hosts"][0]
    entries = len(log.read_text(encoding="utf-8").splitlines())
    points = range(len(create["roster"]) + 2, entries, 3 if FULL else max(3, entries // 3))

    app = App()

    def ask(words: str, what: str) -> None:
        flag = ["--json"] if what == "write" else ["-f", "json"]
        answer = hl("-g", str(log), "--as", host, *words.format(p=player).split(), *flag, app=app)
        assert not wrong(json.loads(answer.out), what, game), words

    for words, what in ASKED:
        ask(words, what)
    for seq in points:
        for words in ("view --for host", f"view --for {player}", "view --for public"):
            ask(f"{words} --known {seq}", "view")
        ask(f"final --known {seq} --for host", "final")


def test_a_spoiled_answer_does_not_fit() -> None:
    """An unknown key or a wrong type, however deep, is found."""
    game = GAMES[0]
    text = next((ROOT / "tests" / "old_logs" / game).glob("*.told")).read_text(encoding="utf-8")
    whole = json.loads(re.findall(r"^\$ hl view --for public -f json\n\[exit 0\]\n(\{.*)$", text, re.MULTILINE)[0])
    assert not wrong(whole, "view", game)
    for place in ((), ("view",), ("result",)):
        for change in ({"zzz": 1}, {"status": "odd"} if place == ("result",) else {"zzz": None}):
            spoiled = deepcopy(whole)
            inner = spoiled
            for key in place:
                inner = inner[key]
            inner |= change
            assert wrong(spoiled, "view", game), (place, change)
    for what in TITLES:
        assert wrong({"ok": False, "error": {"code": "a.b", "what": "", "fix": "", "more": 1}}, what, game), what


# ---- match files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_match_files_fit_as_the_program_reads_them(game: str) -> None:
    """The template, whole and with every line taken out of its comment; the demo; and what neither of them takes."""
    demo = tomllib.loads((ROOT / "games" / game / "demo.toml").read_text(encoding="utf-8"))
    text = template(load(game))
    for data in (demo, tomllib.loads(text)):
        assert not wrong(data, "match", game)
    if load(game).written is None:
        settled = tomllib.loads(re.sub(r"^#(\w+ = |\[settings)", r"\1", text, flags=re.MULTILINE))
        assert len(settled["settings"]) > 3 and not wrong(settled, "match", game)
    players = {**demo["players"]}
    first = next(iter(players))
    for change in (
        {"zonen": "UTC"}, {"hosts": []}, {"hosts": ["Mara Lind"]}, {"hosts": 3}, {"title": ""}, {"game": "other"},
        {"players": {**players, "Hal 9000": {}}}, {"players": {**players, first: {"nick": "x"}}},
        {"players": {**players, first: {"garnets": -1}}}, {"players": {**players, first: {"aliases": "x"}}},
        {"players": {**players, first: 3}}, {"settings": {"best_of": 3}}, {"settings": 3},
        {"settings": {"visibility": {"votez": "host"}}}, {"settings": {"visibility": {"votes": "x"}}},
        {"settings": {"grace_seconds": "x"}}, {"settings": {"leaver_result": "gone"}},
    ):  # fmt: skip
        data = {**demo, **change}
        assert wrong(data, "match", game), change
        with pytest.raises(LedgerError):
            setup_bodies(data, source="x.toml", by=None, now=0)
    assert wrong({key: value for key, value in demo.items() if key != "hosts"}, "match", game)


def test_the_verb_prints_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a game, or in a match; without one it says what is missing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HL_MATCH", raising=False)
    assert run(["schema", "view", GAMES[0]]) == 0
    printed = capsys.readouterr().out
    assert printed == (KEPT / GAMES[0] / "view.json").read_text(encoding="utf-8")
    assert run(["schema", "final"]) == 0 and json.loads(capsys.readouterr().out)
    assert run(["schema", "view"]) == 2 and "[schema.game]" in capsys.readouterr().err
    assert run(["schema", "viw"]) == 2 and "did you mean view?" in capsys.readouterr().err
    replaying.played(GAMES[0], tmp_path / "m")
    assert run(["-g", "m", "schema", "view"]) == 0 and capsys.readouterr().out == printed
