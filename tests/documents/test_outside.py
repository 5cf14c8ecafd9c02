"""Games of other packages: found by entry point, imported only when trusted, named in line 1, missed in words.

Source: docs/games-from-outside.md.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games import parts
from ledger.author.newgame import HAS, SKELETON, chosen
from ledger.core import outside
from tests.support.host import hl

NAME = "mirror_duel"
INFO = "Metadata-Version: 2.1\nName: mirror-duels\nVersion: 1.4\n"


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with a game that `hl new-game` wrote; nobody has trusted it."""
    folder = tmp_path / "site"
    has = getattr(request, "param", "sheets")
    assert hl("new-game", NAME, "--with", has, "--into", str(folder)).code == 0
    made = folder / "mirror_duels-1.4.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(INFO, encoding="utf-8")
    (made / "entry_points.txt").write_text(f"[{outside.GROUP}]\n{NAME} = {NAME}:GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == NAME]:
        del sys.modules[name]


@pytest.fixture
def host(stage: Any, package: Path) -> Any:
    """A host at a terminal, a year after the bundled matches."""
    stage.run(("$ sleep 3d",))
    return stage


def test_it_is_listed_and_not_imported(host: Any) -> None:
    assert "mirror_duel  from mirror-duels 1.4; not trusted: hl games --trust mirror_duel" in host.run(("$ hl games",))
    assert NAME not in sys.modules


def test_nothing_of_it_runs_before_a_host_says_so(host: Any) -> None:
    """Neither a command nor a stranger's log imports it."""
    for command in ("template mirror_duel", "demo mirror_duel", "page mirror_duel"):
        assert "[game.untrusted]" in host.run((f"$ hl {command}",)), command
    assert NAME not in sys.modules
    host.run(("$ hl games --trust mirror_duel",))
    assert 'game = "mirror_duel"' in host.run(("$ hl template mirror_duel",))


def test_trust_is_for_one_package(host: Any, package: Path) -> None:
    """Another package that brings a game of that name is not trusted by it."""
    host.run(("$ hl games --trust mirror_duel",))
    meta = package / "mirror_duels-1.4.dist-info" / "METADATA"
    meta.write_text(INFO.replace("mirror-duels", "other"), encoding="utf-8")
    assert "[game.untrusted]" in host.run(("$ hl template mirror_duel",))


def test_its_match_is_played_and_line_1_names_the_package(host: Any) -> None:
    """Verbs, help, completion, page and audit work as for a built-in game."""
    host.run(("$ hl games --trust mirror_duel",))
    host.run(("$ hl demo mirror_duel --into duel > told.txt",))
    host.run(("$ export HL_MATCH=duel",))
    first = json.loads(host.run(("$ hl show 1 -f json",)))
    assert first["args"]["package"] == "mirror-duels 1.4"
    assert "\nverified: 11 entries, receipt " in host.run(("$ hl verify",))
    assert "Seal the number of a player" in host.run(("$ hl send --help",))
    assert "Tokens of Life: Ann" in host.run(("$ hl explain final",))


def test_a_fault_in_its_code_says_whose_it_is_and_where(host: Any, package: Path) -> None:
    source = package / NAME / "__init__.py"
    text = source.read_text(encoding="utf-8")
    head = next(line for line in text.splitlines() if line.startswith("def resolve("))
    source.write_text(text.replace(head, f"{head}\n    None + 1", 1), encoding="utf-8")
    assert "None + 1" in source.read_text(encoding="utf-8")
    host.run(("$ hl games --trust mirror_duel",))
    told = host.run(("$ hl demo mirror_duel --into duel",))
    line = source.read_text(encoding="utf-8").split("None + 1")[0].count("\n") + 1
    where = f"hl: a fault in the game mirror_duel of mirror-duels 1.4, mirror_duel/__init__.py line {line}, in resolve"
    assert f"{where}: TypeError: unsupported operand" in told


def test_without_the_package_what_can_be_proved_is_proved(host: Any, package: Path) -> None:
    """Bytes, chain and seals; the rest is named, with the package that is missing."""
    host.run(("$ hl games --trust mirror_duel",))
    host.run(("$ hl demo mirror_duel --into duel > told.txt",))
    (package / "mirror_duels-1.4.dist-info" / "entry_points.txt").unlink()
    told = host.run(("$ hl -g duel verify",))
    assert "the game mirror_duel comes from mirror-duels 1.4, which is not installed here" in told
    assert "verified: 11 entries" in told
    assert "[game.unknown]" in host.run(("$ hl -g duel status",))
    log = Path("duel/log.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"number":90', b'"number":91'))
    assert host.run(("$ hl -g duel verify",)).endswith("[exit 4]")


def test_a_built_in_game_wins_and_nothing_is_looked_up_for_it(
    host: Any, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "mirror_duels-1.4.dist-info" / "entry_points.txt").write_text(
        f"[{outside.GROUP}]\nequilibrium = {NAME}:GAME\n", encoding="utf-8"
    )
    assert "equilibrium  from" not in host.run(("$ hl games",))
    monkeypatch.setattr(outside, "listed", lambda: pytest.fail("entry points were looked at"))
    assert outside.load("equilibrium").title == "Equilibrium"


def test_a_verb_that_the_ledger_has_already_is_said_at_once(host: Any, package: Path) -> None:
    """Shared verbs win, so such a verb of a game could never be typed."""
    source = package / NAME / "__init__.py"
    source.write_text(
        f"{source.read_text(encoding='utf-8')}\n\nclass Undo(NamedTuple):\n    pass\n\n\n"
        "GAME = GAME._replace(verbs={**GAME.verbs, Undo: GAME.verb(Undo())})\n",
        encoding="utf-8",
    )
    assert "its verb undo cannot be typed" in host.run(("$ hl games --trust mirror_duel",))


@pytest.mark.parametrize(
    ("source", "said"),
    [("raise RuntimeError('no')", "cannot be loaded: RuntimeError: no"), ("GAME = 3", "is not a game called")],
)
def test_a_broken_game_is_the_package_s_fault_in_one_message(host: Any, package: Path, source: str, said: str) -> None:
    """Nothing is written down of a game that cannot be loaded; one that was trusted may break later."""
    sound = (package / NAME / "__init__.py").read_text(encoding="utf-8")
    for before, command in ((None, "games --trust mirror_duel"), (sound, "template mirror_duel")):
        if before is not None:
            assert "not trusted" in host.run(("$ hl games",))
            (package / NAME / "__init__.py").write_text(before, encoding="utf-8")
            assert "cannot be reached" not in host.run(("$ hl games --trust mirror_duel",))
            sys.modules.pop(NAME, None)
        (package / NAME / "__init__.py").write_text(source, encoding="utf-8")
        told = host.run((f"$ hl {command}",))
        assert said in told and "[game.broken]" in told and "[exit 2]" in told
        sys.modules.pop(NAME, None)


@pytest.mark.parametrize("name", ["", "9lives", "json", "equilibrium", "a b", "../x"])
def test_a_skeleton_has_a_name_that_can_be_a_game(stage: Any, name: str) -> None:
    told = stage.run((f"$ hl new-game '{name}' --into x",))
    assert "[exit 2]" in told and not Path("x").exists()


def test_a_skeleton_overwrites_nothing(stage: Any) -> None:
    Path("x").mkdir()
    assert "[newgame.exists]" in stage.run(("$ hl new-game glass_house --into x",))
    assert not list(Path("x").iterdir())


@pytest.mark.posix
def test_what_cannot_be_written_is_said_in_one_message(host: Any, tmp_path: Path) -> None:
    """A file where a folder has to be; the list is private, and no link in its place is followed."""
    Path("file").write_text("mine", encoding="utf-8")
    told = host.run(("$ hl new-game glass_house --into file/x",))
    assert "[output.disk]" in told and told.endswith("[exit 6]")
    kept = Path(outside._list_path())
    host.run(("$ hl games --trust mirror_duel",))
    assert (kept.read_text("utf-8"), kept.stat().st_mode & 0o777) == ("mirror_duel mirror-duels\n", 0o600)
    host.run(("$ hl games --trust mirror_duel",))
    assert kept.read_text("utf-8") == "mirror_duel mirror-duels\n", "each stands there once"
    kept.unlink()
    kept.symlink_to(Path("file").absolute())
    told = host.run(("$ hl games --trust mirror_duel",))
    assert "[output.disk]" in told and Path("file").read_text("utf-8") == "mine"


SOME = ("sheets,gifts",)
MORE = ["board,roles,draw,cards,gifts,purse", *HAS, ",".join(HAS)]


@pytest.mark.parametrize("has", [*SOME, *(pytest.param(has, marks=pytest.mark.slow) for has in MORE)])
def test_the_tests_of_a_skeleton_pass_as_they_are_written(has: str, tmp_path: Path) -> None:
    """They also prove that its pairs meet every verb and every secret."""
    assert hl("new-game", "glass_house", "--with", has, "--into", str(tmp_path / "new")).code == 0
    root = Path(__file__).resolve().parents[2]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "new" / "tests")],
        cwd=tmp_path / "new",
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'new'}:{root}"},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0 and re.search("4[0-9] passed|5[0-9] passed", found.stdout), found.stdout


def test_no_skeleton_has_a_name_that_it_does_not_import(tmp_path: Path) -> None:
    """Of every choice of parts: its own tests need not meet the line."""
    for number in range(1, len(HAS) + 1):
        for has in combinations(HAS, number):
            for template in ("game/__init__.py.txt", "test.py.txt"):
                text = chosen((SKELETON / template).read_text(), has).replace("$NAME", "glass_house")
                (tmp_path / f"{'_'.join(has)}_{template.replace('/', '_')}.py").write_text(text)
    ruff = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select",
        "F",
        "--quiet",
        str(tmp_path),
    ]
    found = subprocess.run([*ruff, "--output-format", "concise"], capture_output=True, text=True)
    known = re.compile(rf"F403 |F405 `({'|'.join(parts.__all__)})` may be undefined")
    unknown = [line for line in found.stdout.splitlines() if not known.search(line)]
    assert len([*tmp_path.iterdir()]) == 254 and not unknown, unknown


@pytest.mark.parametrize("package", [",".join(HAS)], indirect=True)
def test_the_demo_of_a_skeleton_with_everything_is_played(host: Any, package: Path) -> None:
    host.run(("$ hl games --trust mirror_duel",))
    assert "[exit" not in host.run(("$ hl demo mirror_duel --into duel > told.txt",))
    assert "Tokens of Life: Ann" in host.run(("$ hl -g duel explain final",))
    assert "Board of 5x5 cells. Ann on B1" in host.run(("$ hl -g duel board -f html",))


def test_what_a_skeleton_cannot_have_is_named(stage: Any) -> None:
    told = stage.run(("$ hl new-game glass_house --with bord --into x",))
    assert '"bord" is nothing that a skeleton has [newgame.has]' in told and "did you mean board?" in told
