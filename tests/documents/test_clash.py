"""Another package with one of our names, `events`, `games` or `ledger`: it is found and told, never used as ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sources import ROOT

GUARD = "import sys; sys.path[:0] = {path!r}; from ledger.__main__ import main; sys.argv[1:] = {words!r}; main()"


def other(folder: Path, name: str) -> Path:
    """A package of that name as pip installs one, with the record of its files."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("", encoding="utf-8")
    info = folder / f"other_{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: other-{name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "RECORD").write_text(f"{name}/__init__.py,,\nother_{name}-1.0.dist-info/METADATA,,\n", encoding="utf-8")
    return folder


def hl(path: list[Path], *words: str) -> tuple[int, str, str]:
    """One command where Python looks in these folders first."""
    program = GUARD.format(path=[str(one) for one in path], words=[*words])
    env = {key: value for key, value in os.environ.items() if key not in ("HL_MATCH", "HL_DEBUG", "HL_DOUBLE")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, cwd=path[0])
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", ["events", "games"])
def test_a_package_of_our_name_that_stands_first_is_told(name: str, tmp_path: Path) -> None:
    """In two lines and with an exit code, not in a traceback; nothing is done."""
    code, out, err = hl([other(tmp_path, name), ROOT], "demo")
    assert (code, out) == (2, "") and f"the package {name} that Python finds here is not host-ledger's" in err
    assert "[install.clash]" in err and "try: pipx install /" in err and len(err.splitlines()) == 2
    assert not (tmp_path / "demo-match").exists()


@pytest.mark.parametrize("name", ["events", "games", "ledger", ""])
def test_doctor_names_who_shares_a_name(name: str, tmp_path: Path) -> None:
    """Also where ours was installed last and works: the other one no longer does."""
    code, out, _ = hl([ROOT, *([other(tmp_path, name)] if name else [])], "doctor")
    alone = "ok  names: events, games, ledger are host-ledger's alone"
    assert code == 0 and (f"!!  names: other-{name} has modules of the same names" if name else alone) in out


def test_an_error_of_our_own_is_not_taken_for_a_clash(tmp_path: Path) -> None:
    """What cannot be imported for another reason is shown as it is."""
    (tmp_path / "click").mkdir()
    (tmp_path / "click" / "__init__.py").write_text("raise ImportError('broken')", encoding="utf-8")
    assert "install.clash" not in hl([tmp_path, ROOT], "note", "x")[2]
