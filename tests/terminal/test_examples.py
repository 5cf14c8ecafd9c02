"""The examples that a help text begins with: each runs in a match. Source: docs/commands.md, "Help"."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from events import LogFile, read_body, write_instant
from games.records import kebab
from games.registry import load
from ledger.cli.app import App
from ledger.cli.derive import verb_of
from ledger.cli.verb import Verb
from ledger.cli.verbs import EVENING, FOR_PROGRAMS, SHARED, shared_verbs
from tests.support.demos import NOW, Demos
from tests.support.guide import built_in as names
from tests.support.host import hl
from tests.support.replaying import demo_of
from tests.support.sources import ROOT

POINTS = 200
"""At so many points of a bundled match an example is tried, from the beginning to the end."""
ELSEWHERE = {
    "init": "asks at a terminal",
    "shell": "asks at a terminal",
    "share": "a server",
    "clone": "a server",
    "sync": "a server",
    "unshare": "a server",
    "import": "a form's CSV and its map",
    "join": "another host's copy",
    "anchor": "a message that is younger than the match",
    "commit": "a match before its deal",
    "word": "a match with a commitment",
    "choose": "a choice that the rules give",
    "resume": "a match that is paused",
    "timeout": "a turn that took too long",
}
"""Examples that need what a test of examples has not: they are only parsed."""


class Example(NamedTuple):
    verb: Verb
    line: str

    def words(self, game: str) -> list[str]:
        return shlex.split(self.line.format(game=game))[1:]


def of_game(game: str) -> list[Verb]:
    return [*map(verb_of, load(game).actions)]


def examples(verbs: Sequence[Verb]) -> list[Example]:
    return [Example(verb, line) for verb in verbs for line in verb.examples]


class Point(NamedTuple):
    """A match as it was after some of its entries; `app` has folded it."""

    folder: Path
    at: str
    app: App


def points(game: str, demos: Demos, tmp_path: Path) -> Iterator[Point]:
    made = demos.copy(game, tmp_path / "whole")
    lines = (made / "log.jsonl").read_bytes().splitlines(keepends=True)
    bodies = [read_body(line.body) for line in LogFile(str(made / "log.jsonl")).read().lines if line.body]
    first = min(body.at for body in bodies if body.at < body.recorded)
    step = max(1, len(lines) // POINTS)
    for n in sorted({*range(1, len(lines) + 1, step), len(lines)}, key=lambda n: n * 0.618 % 1):  # here and there
        folder = tmp_path / f"{n}"
        folder.mkdir()
        (folder / "log.jsonl").write_bytes(b"".join(lines[:n]))
        played = [body.at for body in bodies[:n] if body.at < body.recorded]
        yield Point(folder, write_instant(max(played, default=first)), App())


def stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands where the bundled matches were played."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("ledger.core.clock.time", SimpleNamespace(time=lambda: NOW / 1000))


def tried(example: Example, point: Point, game: str) -> int:
    """The exit code of an example at a point of a match; nothing is recorded."""
    words = example.words(game)
    options = ["--at", point.at] if "at" in example.verb.options and "--at" not in words else []
    options += ["-n"] if "dry_run" in example.verb.options else []
    return hl("-g", str(point.folder), "--as", "mara", *words, *options, app=point.app).code


@pytest.mark.parametrize("game", names())
def test_every_example_of_a_game_runs_in_its_match(
    game: str, demos: Demos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each example of the game's own verbs is carried out at some point of its bundled match."""
    stopped(tmp_path, monkeypatch)
    left = [example for example in examples(of_game(game)) if example.verb.name not in ELSEWHERE]
    assert [verb.name for verb in of_game(game) if not verb.examples] == []
    for point in points(game, demos, tmp_path):
        left = [example for example in left if tried(example, point, game) != 0]
        if not left:
            return
    raise AssertionError([example.line for example in left])


def test_every_other_example_runs(demos: Demos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example of a verb that every match has is carried out at some point of some bundled match."""
    stopped(tmp_path, monkeypatch)
    assert [verb.name for verb in shared_verbs().values() if not verb.examples] == []
    left = [example for example in examples([*shared_verbs().values()]) if example.verb.name not in ELSEWHERE]
    for game in names():
        place = tmp_path / game
        place.mkdir()
        monkeypatch.chdir(place)
        shutil.copy(demo_of(game).with_name("demo.toml"), "match.toml")
        shutil.copy(ROOT / "tests" / "golden" / "equilibrium" / "files" / "chat.json", "chat.json")
        Path("evening.hl").write_text("status\n")
        for point in points(game, demos, place):
            left = [example for example in left if tried(example, point, game) != 0]
            if not left:
                return
    assert not left, "\n".join(example.line for example in left)


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_the_other_examples_are_read(name: str) -> None:
    """Of an example that needs a terminal or a server the words are those of its verb."""
    verbs = [*shared_verbs().values(), *(verb for game in names() for verb in of_game(game))]
    for example in examples([verb for verb in verbs if verb.name == name]):
        verb, *words = example.words(names()[0])
        assert verb == name
        example.verb.make_context(name, words, obj=None)


def test_the_help_begins_with_the_examples() -> None:
    """A host wants a line to type before they read on."""
    for verb in [*shared_verbs().values(), *(verb for game in names() for verb in of_game(game))]:
        help = hl(verb.name, "--help").out if verb.name in SHARED else ""
        if help:
            shown = [line.strip() for line in help.split("Usage:")[0].splitlines() if line.strip()]
            assert shown == [line.format(game=names()[0]) for line in verb.examples]


def test_a_usage_error_ends_in_an_example(demos: Demos) -> None:
    """What is said of a line that cannot be read ends in one that can, not in words in capitals."""
    folder = str(demos.made("equilibrium"))
    answer = hl("-g", folder, "trade", "ann", "R2", "bob")
    assert answer.code == 2 and answer.err.splitlines()[-1].strip() == f"like: hl -g {folder} trade ann R2 bob B4"


def test_the_help_of_a_match_begins_with_the_evening(demos: Demos) -> None:
    """First what is typed all evening: the game's own verbs, and six; what is for programs only in `hl help all`."""
    match = ("-g", str(demos.made("equilibrium")))
    help, everything = hl(*match, "--help").out, hl(*match, "help", "all").out
    first = help.split("this evening:\n")[1].split("\n\n")[0]
    listed = [line.split()[0] for line in first.splitlines() if line[2:3] != " "]
    assert listed == [*(kebab(cls) for cls in load("equilibrium").actions), *EVENING]
    for name in FOR_PROGRAMS:
        assert f"\n  {name} " not in help and f"\n  {name} " in everything
