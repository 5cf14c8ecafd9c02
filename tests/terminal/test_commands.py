"""The verbs that every match has: what one says of itself is what it does, and none is listed twice or missing."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from games.contract import Lookup
from games.kit.blocks import text
from games.records import kebab
from games.registry import load
from games.table import actions
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.cli.verb import Verb
from ledger.cli.verbs import FOR_PROGRAMS, MODULES, OF_NO_MATCH, shared_verbs
from ledger.render import FORMATS
from tests.support.host import Answer, hl
from tests.support.sources import ROOT

TABLE = tuple(shared_verbs().values())
TRIED = (*FORMATS, "csv", "yaml", "")
READER = App()
WORDS = {
    "simulate": ("polar", "-n", "1"),
    "check": ("match.toml",),
    "template": ("equilibrium",), "show": ("1",), "explain": ("final",), "diff": ("1", "now"), "summary": ("ann",),
    "view": ("--for", "public"), "audit": (".",), "evidence": ("chat.json",), "read": ("chat.json",),
}  # fmt: skip
"""What a verb cannot do without, besides its format."""


# ---- where a verb is -----------------------------------------------------------------------------------------------


def test_a_verb_is_in_the_module_that_the_list_names() -> None:
    """Every verb there is is listed, with the one module that has it."""
    modules = sorted(path.stem for path in (ROOT / "ledger" / "cli").glob("[a-z]*.py"))
    found = [
        (what.name, module)
        for module in modules
        for what in vars(importlib.import_module(f"ledger.cli.{module}")).values()
        if isinstance(what, Verb)
    ]
    assert sorted(found) == sorted(MODULES.items())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_parts_of_a_verb_have_names_of_their_own(row: Verb) -> None:
    """A name that two words or options share would lose one of them without a word."""
    names = [param.name for param in row.params if param.expose_value]
    assert len(set(names)) == len(names)
    spelled = [word for param in row.params for word in param.opts]
    assert len(set(spelled)) == len(spelled)


# ---- what is recorded ----------------------------------------------------------------------------------------------


def test_every_entry_of_the_table_is_recorded_by_some_verb() -> None:
    """What a host can say, what the ledger writes about it, and what it writes at the start: no record is forgotten."""
    known = {kebab(cls) for cls in (*actions.TYPED, *actions.WRITTEN, *actions.ABOUT)}
    assert {entry for row in TABLE for entry in row.records} - {"*"} == known
    assert {kebab(cls) for cls in actions.TYPED} <= {row.name for row in TABLE if row.name in row.records}


@pytest.mark.parametrize("row", [row for row in TABLE if row.writes], ids=lambda row: row.name)
def test_what_records_can_be_tried_and_answers_in_json(row: Verb) -> None:
    """It has `-n` and `--json`; so a verb with `-n` that is said to record nothing is a slip in the table."""
    assert {"dry_run", "json"} <= row.options
    assert not [other.name for other in TABLE if not other.writes and "dry_run" in other.options]


# ---- formats and audiences -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(demos: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match, and files to read beside it."""
    folder: Path = tmp_path_factory.mktemp("table")
    demos.copy("equilibrium", folder / "m")
    shutil.copy(ROOT / "games/equilibrium/demo.toml", folder / "match.toml")
    (folder / "chat.json").write_text('{"channel": {"id": "1", "name": "c"}, "messages": []}', encoding="utf-8")
    return folder


@pytest.fixture
def match(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Runs a command in that match."""
    monkeypatch.chdir(folder)
    return lambda *words: hl("-g", "m", "--no-input", *words, app=READER)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_verb_prints_the_formats_of_its_row_and_no_other(row: Verb, match: Callable[..., Answer]) -> None:
    """What is listed is printed, each in its own way (or there is no picture to print); the rest is refused."""
    printed = []
    for fmt in TRIED:
        code, said = (told := match(row.name, *WORDS.get(row.name, ()), "-f", fmt)).code, told.text
        if fmt in row.formats:
            assert code == 0 or "[picture." in said, (fmt, said)
            printed += [said] if code == 0 else []
            assert fmt != "json" or all(json.loads(line) for line in said.splitlines() if line[:1] in "{["), said
        else:
            assert code == 2 and ("format.unknown" if row.formats else "command.usage") in said, (fmt, said)
    assert len(set(printed)) == len(printed), "two formats print the same"


@pytest.mark.parametrize("row", [row for row in TABLE if "viewer" in row.options], ids=lambda row: row.name)
def test_a_verb_for_hosts_says_so(row: Verb, match: Callable[..., Answer]) -> None:
    """A verb that takes `--for` is for any audience, or refuses every one but the hosts."""
    words = {**WORDS, "redact": ("-o", "ann.jsonl"), "summary": ()}.get(row.name, ())
    told = match(row.name, *words, "--for", "ann")
    assert ("[audience.host_only]" in told.text) == (row.audience == "host"), told
    assert (told.code == 0) == (row.audience == "any") or row.name == "summary"


@pytest.mark.parametrize("audience", ["host", "any"])
def test_a_lookup_for_everybody_sees_only_the_view(
    audience: Any, match: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for hosts gets the state. One that players may read gets the view of the audience, by default everybody's."""

    def seen(known: Any, player: str) -> Any:
        return (known.players or {}).get(player) if audience == "any" else known.table.seats[player]

    def in_words(context: Any, row: Any) -> Any:
        return [text(f"{context.viewer}: {getattr(row, 'hand', row)}")]

    lookup = Lookup("peek", "Look at a player.", seen, in_words, audience)
    monkeypatch.setattr("games.equilibrium.GAME", load("equilibrium")._replace(lookups=(lookup,)))
    at = ("peek", "ann", "--as-of", "40")
    answers = {who: match(*at, *(("--for", who) if who else ())).text for who in ("", "host", "ann", "bob")}
    if audience == "host":
        assert "host: Seat" in answers[""] == answers["host"] and "audience.host_only" in answers["ann"]
    else:
        assert answers[""] == "public: None\n" and answers["bob"] == "bob: None\n"
        assert "ann: ('" in answers["ann"] and "host: ('" in answers["host"]


# ---- help ----------------------------------------------------------------------------------------------------------


def test_help_of_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """`hl help VERB` is `hl VERB --help`; it begins with the line of `hl --help`, and every option is explained."""
    for row in TABLE:
        assert row.summary.endswith("."), row.name
        texts = [(run(words), capsys.readouterr().out) for words in (["help", row.name], [row.name, "--help"])]
        assert texts[0] == texts[1] and texts[0][0] == 0
        assert row.summary in " ".join(texts[0][1].split())
        assert not [one.name for one in row.params if isinstance(one, click.Option) and not one.help], row.name


@pytest.mark.parametrize("game", [None, "equilibrium"])
def test_help_lists_the_verbs_of_the_match(
    game: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a match first those of its game and of an evening, and none that means nothing in it; none for programs."""
    if game is not None:
        (tmp_path / "log.jsonl").write_text(f'{{"game":"{game}"}}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert ("Record a confirmed trade" in out) is (game is not None)
    titles = re.findall(r"^([a-z ]+):$", out, re.MULTILINE)
    own = ["this evening"] if game else []
    assert titles == [*own, "set up", "any match", "fix", "see", "tell", "audit", "tools"]
    listed = set(re.findall(r"^  ([a-z-]+)  ", out, re.MULTILINE))
    has = load(game).has if game else frozenset[str]()
    listed_here = [row for row in TABLE if row.name not in FOR_PROGRAMS]
    assert {row.name for row in listed_here if not game or row.means_something(has)} <= listed
    assert not game or not listed & {row.name for row in TABLE if not row.means_something(has)}


def test_the_verbs_of_no_match_are_named() -> None:
    """So that a line to run is written without loading its verb."""
    assert {verb.name for verb in TABLE if verb.audience == "none"} | {"clone"} == OF_NO_MATCH
