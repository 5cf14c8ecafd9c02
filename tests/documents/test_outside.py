"""Games of other packages: found by entry point, imported only when trusted, named in line 1, missed in words.

Source: docs/games-from-outside.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games import parts
from ledger.author.newgame import HAS, SKELETON, chosen
from ledger.core import outside
from tests.support.host import hl
from tests.support.lines import plays
from tests.support.sizes import many

NAME = "mirror_duel"
META = "mirror_duels-1.4.dist-info"
UNDO = """

class Undo(NamedTuple):
    pass


GAME = GAME._replace(verbs={**GAME.verbs, Undo: GAME.verb(Undo())})
"""
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
def seated(stage: Any, package: Path) -> Any:
    """A host at a terminal, a year after the bundled matches."""
    stage.run(("$ sleep 3d",))
    return stage


def changed(name: str, change: Callable[[str], str]) -> Any:
    """Asked, it changes a file of the installed package."""

    def ask(here: Any) -> str:
        path = here.folder / "site" / name
        path.write_text(change(path.read_text("utf-8")), encoding="utf-8")
        return ""

    return ask


TRUST = "> games --trust mirror_duel"
SHORT = {"trust": TRUST, "played": f"+3d ; {TRUST} ; > demo mirror_duel --into m"}
SHOWS = {
    "imported": lambda here: NAME in sys.modules,
    "there": lambda here, name: (here.folder / name).exists(),
    "folder": lambda here, name: (here.folder / name).mkdir() or "",
    "unlisted": changed(f"{META}/entry_points.txt", lambda text: ""),
    "another": changed(f"{META}/METADATA", lambda text: text.replace("mirror-duels", "other")),
    "claims": changed(f"{META}/entry_points.txt", lambda text: text.replace(f"{NAME} =", "equilibrium =")),
    "spoilt": changed("../m/log.jsonl", lambda text: text.replace('"number":90', '"number":91')),
    "undo": changed(f"{NAME}/__init__.py", lambda text: f"{text}{UNDO}"),
}
OUTSIDE = """
it is listed and not imported: neither a command nor a stranger's log imports it before a host says so
  nothing ; > games ~ mirror_duel from mirror-duels 1.4; not trusted: hl games --trust mirror_duel
  2 > template mirror_duel ~ [game.untrusted] ; 2 > demo mirror_duel ~ [game.untrusted]
  2 > page mirror_duel ~ [game.untrusted] ; : imported == no ; trust ; > template mirror_duel ~ game = "mirror_duel"
trust is for one package: another one that brings a game of that name is not trusted by it
  nothing ; trust ; : another ; 2 > template mirror_duel ~ [game.untrusted]
its match is played and line 1 names the package; verbs, help, page and audit work as for a built-in game
  nothing ; played ; : show 1 | args.package == mirror-duels 1.4 ; verify ~ verified: 11 entries, receipt
  send --help ~ Seal the number of a player ; explain final ~ Tokens of Life: Ann
without the package what can be proved is proved: bytes, chain and seals; the rest is named, with what is missing
  nothing ; played ; : unlisted ; verify ~ the game mirror_duel comes from mirror-duels 1.4, which is not installed here
  verify ~ verified: 11 entries ; 2 status ~ [game.unknown] ; : spoilt ; 4 verify
a built-in game wins
  nothing ; : claims ; > games !~ equilibrium from
a verb that the ledger has already is said at once: shared verbs win, so it could never be typed
  nothing ; : undo ; > games --trust mirror_duel ~ its verb undo cannot be typed
a skeleton has a name that can be a game, and only what a skeleton has
  nothing ; 2 > new-game '' --into x ; 2 > new-game 9lives --into x ; 2 > new-game json --into x
  2 > new-game 'a b' --into x
  2 > new-game equilibrium --into x ; 2 > new-game ../x --into x
  2 > new-game glass_house --with bord --into x ~ "bord" is nothing that ~ [newgame.has] ~ did you mean board?
  : there x == no
a skeleton overwrites nothing
  nothing ; : folder x ; 2 > new-game glass_house --into x ~ [newgame.exists] ; : there x/tests == no
"""
test_games_of_other_packages = plays(OUTSIDE, uses="package")


def test_a_fault_in_its_code_says_whose_it_is_and_where(seated: Any, package: Path) -> None:
    source = package / NAME / "__init__.py"
    text = source.read_text(encoding="utf-8")
    head = next(line for line in text.splitlines() if line.startswith("def resolve("))
    source.write_text(text.replace(head, f"{head}\n    None + 1", 1), encoding="utf-8")
    assert "None + 1" in source.read_text(encoding="utf-8")
    seated.run(("$ hl games --trust mirror_duel",))
    told = seated.run(("$ hl demo mirror_duel --into duel",))
    line = source.read_text(encoding="utf-8").split("None + 1")[0].count("\n") + 1
    where = f"hl: a fault in the game mirror_duel of mirror-duels 1.4, mirror_duel/__init__.py line {line}, in resolve"
    assert f"{where}: TypeError: unsupported operand" in told


def test_nothing_is_looked_up_for_a_built_in_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "listed", lambda: pytest.fail("entry points were looked at"))
    assert outside.load("equilibrium").title == "Equilibrium"


@pytest.mark.parametrize(
    ("source", "said"),
    [("raise RuntimeError('no')", "cannot be loaded: RuntimeError: no"), ("GAME = 3", "is not a game called")],
)
def test_a_broken_game_is_the_fault_of_its_package(seated: Any, package: Path, source: str, said: str) -> None:
    """Nothing is written down of a game that cannot be loaded; one that was trusted may break later."""
    sound = (package / NAME / "__init__.py").read_text(encoding="utf-8")
    for before, command in ((None, "games --trust mirror_duel"), (sound, "template mirror_duel")):
        if before is not None:
            assert "not trusted" in seated.run(("$ hl games",))
            (package / NAME / "__init__.py").write_text(before, encoding="utf-8")
            assert "cannot be reached" not in seated.run(("$ hl games --trust mirror_duel",))
            sys.modules.pop(NAME, None)
        (package / NAME / "__init__.py").write_text(source, encoding="utf-8")
        told = seated.run((f"$ hl {command}",))
        assert said in told and "[game.broken]" in told and "[exit 2]" in told
        sys.modules.pop(NAME, None)


@pytest.mark.posix
def test_what_cannot_be_written_is_said_in_one_message(seated: Any, tmp_path: Path) -> None:
    """A file where a folder has to be; the list is private, and no link in its place is followed."""
    Path("file").write_text("mine", encoding="utf-8")
    told = seated.run(("$ hl new-game glass_house --into file/x",))
    assert "[output.disk]" in told and told.endswith("[exit 6]")
    kept = Path(outside._list_path())
    seated.run(("$ hl games --trust mirror_duel",))
    assert (kept.read_text("utf-8"), kept.stat().st_mode & 0o777) == ("mirror_duel mirror-duels\n", 0o600)
    seated.run(("$ hl games --trust mirror_duel",))
    assert kept.read_text("utf-8") == "mirror_duel mirror-duels\n", "each stands there once"
    kept.unlink()
    kept.symlink_to(Path("file").absolute())
    told = seated.run(("$ hl games --trust mirror_duel",))
    assert "[output.disk]" in told and Path("file").read_text("utf-8") == "mine"


MORE = ["board,roles,draw,cards,gifts,purse", *HAS, ",".join(HAS)]


@pytest.mark.parametrize("has", ["sheets,gifts", *(pytest.param(has, marks=pytest.mark.slow) for has in MORE)])
def test_the_tests_of_a_skeleton_pass_as_they_are_written(has: str, tmp_path: Path, root: Path) -> None:
    """They also prove that its pairs meet every verb and every secret; here of fewer matches."""
    assert hl("new-game", "glass_house", "--with", has, "--into", str(tmp_path / "new")).code == 0
    tests = tmp_path / "new" / "tests" / "test_glass_house.py"
    tests.write_text(tests.read_text("utf-8").replace("range(20)", f"range({many(6, 20)})"), "utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "new" / "tests")],
        cwd=tmp_path / "new",
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'new'}:{root}"},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0 and re.search("4[0-9] passed|5[0-9] passed", found.stdout), found.stdout
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--quiet", "."]
    assert not subprocess.run(ruff, cwd=tmp_path / "new", capture_output=True, text=True).stdout


def test_no_skeleton_has_a_name_that_it_does_not_import_or_an_import_out_of_order(tmp_path: Path) -> None:
    """Of every choice of parts: its own tests need not meet the line."""
    for number in range(1, len(HAS) + 1):
        for has in combinations(HAS, number):
            for template in ("game/__init__.py.txt", "test.py.txt"):
                text = chosen((SKELETON / template).read_text(), has).replace("$NAME", "glass_house")
                (tmp_path / f"{'_'.join(has)}_{template.replace('/', '_')}.py").write_text(text)
    how = "--isolated --no-cache --quiet --select F,I --output-format concise --config"
    ruff = [sys.executable, "-m", "ruff", "check", *how.split(), 'lint.isort.known-first-party=["glass_house"]', "."]
    found = subprocess.run(ruff, capture_output=True, text=True, cwd=tmp_path)
    known = re.compile(rf"F403 |F405 `({'|'.join(parts.__all__)})` may be undefined")
    unknown = [line for line in found.stdout.splitlines() if not known.search(line)]
    assert len([*tmp_path.iterdir()]) == 254 and not unknown, unknown


@pytest.mark.parametrize("package", [",".join(HAS)], indirect=True)
def test_the_demo_of_a_skeleton_with_everything_is_played(seated: Any, package: Path) -> None:
    seated.run(("$ hl games --trust mirror_duel",))
    assert "[exit" not in seated.run(("$ hl demo mirror_duel --into duel > told.txt",))
    assert "Tokens of Life: Ann" in seated.run(("$ hl -g duel explain final",))
    assert "Board of 5x5 cells. Ann on B1" in seated.run(("$ hl -g duel board -f html",))
