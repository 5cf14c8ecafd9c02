"""Golden transcripts: whole conversations with `hl`, read by a person before they were kept. How: transcripts.py."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.transcripts import Pasting

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*/*.txt"))


@pytest.fixture
def pasting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pasting:
    (tmp_path / "here").mkdir()
    return Pasting(tmp_path / "here", monkeypatch)


@pytest.mark.usefixtures("built_in_only")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_conversation_goes_as_it_was_kept(path: Path, pasting: Pasting, request: pytest.FixtureRequest) -> None:
    """Every command of the transcript is run; every word of the answers is as it was when a person read it. And what an
    answer says to try runs, right after it was said (why: test_try_lines.py)."""
    shared = path.parent / "files"
    if shared.is_dir():
        shutil.copytree(shared, pasting.folder, dirs_exist_ok=True)
    kept = path.read_text(encoding="utf-8")
    now = pasting.play(kept)
    if request.config.getoption("--golden-update"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == kept.splitlines(), (
            "pytest tests/terminal/test_golden.py --golden-update, then read the diff"
        )
    failed = [told for told in pasting.pasted.values() if told]
    assert not failed, "\n\n".join(failed)


def test_there_are_transcripts() -> None:
    """An empty folder must not pass for a good one."""
    assert len(FILES) >= 6


def test_a_changed_word_is_noticed(stage: Any) -> None:
    """The check itself can fail: what a transcript claims is compared, not copied."""
    claimed = "$ hl game\nall is well\n"
    assert stage.play(claimed) != claimed


def test_a_line_that_does_not_run_is_noticed(pasting: Pasting) -> None:
    pasting._paste("hl nosuch", "$ hl note x\n")
    assert "nosuch" in pasting.pasted["hl nosuch"]
