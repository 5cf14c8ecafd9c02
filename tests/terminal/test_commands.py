"""The one table of commands: what it says of a verb is what the verb does, and nothing is in it twice or missing."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from games.records import kebab
from games.registry import load, names
from games.table import actions
from ledger.cli import own_verbs
from ledger.cli.app import App
from ledger.cli.command import Command
from ledger.cli.commands import TABLE, VERBS
from ledger.cli.derive import command_for, lookup_for
from ledger.cli.options import bundled
from ledger.cli.partial_line import grammar, verbs
from ledger.cli.root import find, run
from ledger.render import FORMATS
from tests.support.guide import built_in

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path.stem for path in (ROOT / "ledger" / "cli").glob("[a-z]*.py"))
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
TRIED = (*FORMATS, "csv", "yaml", "")
WORDS = {
    "check": ("match.toml",),
    "template": ("equilibrium",), "show": ("1",), "explain": ("final",), "diff": ("1", "now"), "summary": ("ann",),
    "view": ("--for", "public"), "audit": (".",), "evidence": ("chat.json",), "read": ("chat.json",),
}  # fmt: skip
"""What a verb cannot do without, besides its format."""


# ---- dispatch ------------------------------------------------------------------------------------------------------


def functions() -> Iterator[tuple[str, str]]:
    """(verb, module) of every function `do_VERB` there is."""
    for name in MODULES:
        module = importlib.import_module(f"ledger.cli.{name}")
        for what in vars(module):
            if what.startswith("do_"):
                yield what.removeprefix("do_").replace("_", "-"), name


def test_every_verb_has_its_function_and_every_function_its_verb() -> None:
    """It stands in the module that the table names; the others need only their record."""
    assert sorted(functions()) == sorted((row.name, row.module) for row in TABLE if row.module)
    assert len(VERBS) == len(TABLE)
    assert all(kebab(row.record) == row.name for row in TABLE if not row.module)


@pytest.mark.parametrize("row", [row for row in TABLE if row.module], ids=lambda row: row.name)
def test_a_function_takes_what_its_row_says(row: Command) -> None:
    """No word or option that it does not know, none that it misses."""
    run = getattr(importlib.import_module(f"ledger.cli.{row.module}"), f"do_{row.name.replace('-', '_')}")
    given = [one.name for one in row.takes]
    assert len(set(given)) == len(given)
    bundles = bundled(row.takes)
    alone = [name for name in given if not any(name in names for names in bundles.values())]
    inspect.signature(run).bind(App(), **dict.fromkeys([*alone, *bundles]))


@pytest.mark.parametrize("name", names())
def test_completion_and_the_commands_know_the_same_words(name: str) -> None:
    """Of every verb of a game, shared or its own: words in place, spellings of options, which of them have a value."""
    game = load(name)
    commands = {row.name: find(App(), row.name) for row in TABLE}
    commands |= {kebab(cls): command_for(cls) for cls in game.actions}
    commands |= {one.verb: lookup_for(one) for one in game.lookups}
    assert {*commands, *game.synonyms} == set(verbs(game))
    everywhere = grammar("", game).options
    for verb, command in commands.items():
        known = grammar(verb, game)
        listed = [one for one in command.params if isinstance(one, click.Option)]
        options = {word: not (one.is_flag or one.count) for one in listed for word in one.opts}
        assert sum(isinstance(p, click.Argument) for p in command.params) == len(known.words), verb
        assert {word: bool(one.metavar) for word, one in known.options.items() if word in options} == options, verb
        assert set(known.options) - set(options) <= {*everywhere, "--help"}, verb


# ---- what is recorded ----------------------------------------------------------------------------------------------


def test_every_entry_of_the_table_is_recorded_by_some_verb() -> None:
    """What a host can say, what the ledger writes about it, and what it writes at the start: no record is forgotten."""
    known = {kebab(cls) for cls in (*actions.TYPED, *actions.WRITTEN, *actions.ABOUT)}
    assert {entry for row in TABLE for entry in row.records} - {"*"} == known
    assert {kebab(cls) for cls in actions.TYPED} <= {row.name for row in TABLE if row.name in row.records}


@pytest.mark.parametrize("row", [row for row in TABLE if row.writes], ids=lambda row: row.name)
def test_what_records_can_be_tried_and_answers_in_json(row: Command) -> None:
    """It has `-n` and `--json`; so a verb with `-n` that is said to record nothing is a slip in the table."""
    assert {"dry_run", "json"} <= {one.name for one in row.takes}
    assert not [other.name for other in TABLE if not other.writes and "dry_run" in {one.name for one in other.takes}]


# ---- formats and audiences -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that has begun, with one trade."""
    folder = tmp_path_factory.mktemp("table")
    before = os.getcwd()
    os.chdir(folder)
    try:
        lines = ['game = "equilibrium"', 'title = "A test"', 'hosts = ["mara"]', "[players]"]
        lines += [f'{player} = {{ name = "{player.capitalize()}" }}' for player in PLAYERS]
        (folder / "match.toml").write_text("\n".join(lines), encoding="utf-8")
        (folder / "chat.json").write_text('{"channel": {"id": "1", "name": "c"}, "messages": []}', encoding="utf-8")
        assert run(["new", "m", "--from", "match.toml"]) == run(["-g", "m", "deal"]) == run(["-g", "m", "open"]) == 0
    finally:
        os.chdir(before)
    return folder


def ran(capture: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str]:
    capture.readouterr()
    code = run(["-g", "m", "--no-input", *words])
    return code, b"".join(capture.readouterr()).decode(errors="replace")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_verb_prints_the_formats_of_its_row_and_no_other(
    row: Command, match: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """What is listed is printed, each in its own way (or there is no picture to print); the rest is refused."""
    monkeypatch.chdir(match)
    printed = []
    for fmt in TRIED:
        code, said = ran(capsysbinary, row.name, *WORDS.get(row.name, ()), "-f", fmt)
        if fmt in row.formats:
            assert code == 0 or "[picture." in said, (fmt, said)
            printed += [said] if code == 0 else []
            assert fmt != "json" or all(json.loads(line) for line in said.splitlines() if line[:1] in "{["), said
        else:
            assert code == 2 and ("format.unknown" if row.formats else "command.usage") in said, (fmt, said)
    assert len(set(printed)) == len(printed), "two formats print the same"


AUDIENCE = [row for row in TABLE if any("--for" in one.spelled for one in row.takes)]


@pytest.mark.parametrize("row", AUDIENCE, ids=lambda row: row.name)
def test_a_verb_for_hosts_says_so(
    row: Command, match: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A verb that takes `--for` is for any audience, or refuses every one but the hosts."""
    monkeypatch.chdir(match)
    words = {**WORDS, "redact": ("-o", "ann.jsonl"), "summary": ()}.get(row.name, ())
    code, said = ran(capsysbinary, row.name, *words, "--for", "ann")
    assert ("[audience.host_only]" in said) == (row.audience == "host"), said
    assert (code == 0) == (row.audience == "any") or row.name == "summary"


# ---- help ----------------------------------------------------------------------------------------------------------


def test_help_is_that_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """`hl help VERB` is `hl VERB --help`; it begins with the line of `hl --help`, and every option is explained."""
    for row in TABLE:
        assert row.help.endswith(".") and row.more[-1:] in ("", "."), row.name
        texts = [(run(words), capsys.readouterr().out) for words in (["help", row.name], [row.name, "--help"])]
        assert texts[0] == texts[1] and texts[0][0] == 0
        assert row.help in " ".join(texts[0][1].split())
        assert not [one.typed for one in row.takes if one.spelled and not one.help], row.name


def test_help_of_no_verb_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """As the verb itself would."""
    assert run(["help", "revael"]) == 2
    assert "did you mean hl reveal" in capsys.readouterr().err


def test_the_file_of_a_games_verbs_says_what_the_game_says(request: pytest.FixtureRequest) -> None:
    """`hl --help` reads it in place of the game. `pytest FILE --golden-update` draws it anew."""
    for name in built_in():
        file, text = ROOT / "games" / name / own_verbs.FILE, own_verbs.file_of(load(name))
        if request.config.getoption("--golden-update") and text is not None:
            file.write_text(text, encoding="utf-8")
        assert (file.read_text(encoding="utf-8") if file.exists() else None) == text, name


@pytest.mark.parametrize("game", [None, "equilibrium"])
def test_the_table_costs_next_to_nothing(game: str | None, tmp_path: Path) -> None:
    """`hl --help`: none of the modules that cost time, and of the games none at all; in a match, where the verbs of its
    game are listed, one that reads a file besides."""
    if game is not None:
        (tmp_path / "log.jsonl").write_text(f'{{"game":"{game}"}}\n', encoding="utf-8")
    program = "import sys; from ledger.cli.root import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert ("Record a confirmed trade" in done.stdout) is (game is not None)
    loaded = {name for name in done.stderr.split()}
    assert "ledger.cli.commands" in loaded and ("games" in loaded) is (game is not None)
    assert not loaded & {"click", "collections", "typing", "re", "json", "inspect", "events.record"}
    assert not [name for name in loaded if name.startswith("games.")]
