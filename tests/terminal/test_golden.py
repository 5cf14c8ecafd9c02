"""Golden transcripts: whole conversations with `hl`, read by a person before they were kept. How: transcripts.py."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*/*.txt"))


@pytest.mark.usefixtures("built_in_only")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_conversation_goes_as_it_was_kept(path: Path, stage: Any, request: pytest.FixtureRequest) -> None:
    """Every command of the transcript is run; every word of the answers is as it was when a person read it."""
    shared = path.parent / "files"
    if shared.is_dir():
        shutil.copytree(shared, stage.folder, dirs_exist_ok=True)
    kept = path.read_text(encoding="utf-8")
    now = stage.play(kept)
    if request.config.getoption("--golden-update"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == kept.splitlines(), (
            "pytest tests/terminal/test_golden.py --golden-update, then read the diff"
        )


def test_there_are_transcripts() -> None:
    """An empty folder must not pass for a good one."""
    assert len(FILES) >= 6


def test_a_changed_word_is_noticed(stage: Any) -> None:
    """The check itself can fail: what a transcript claims is compared, not copied."""
    claimed = "$ hl game\nall is well\n"
    assert stage.play(claimed) != claimed
