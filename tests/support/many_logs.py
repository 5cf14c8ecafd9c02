"""A season of matches, good and damaged, as a folder and as archives. No test stands here."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ledger.cli.app import App
from ledger.cli.root import run
from tests.support import replaying

BAD = {"ep05/log.jsonl": "log.seal", "ep12/log.jsonl": "log.head_ahead", "other.jsonl": "log.layout"}
"""The first finding of each log that is not sound."""


def make_season(base: Path) -> None:
    """Twenty matches, one with a changed byte, one cut; a redacted copy; what is no log; a link, a torn tail."""
    replaying.played("equilibrium", base / "ep01")
    for n in range(2, 21):
        shutil.copytree(base / "ep01", base / f"ep{n:02d}")
    log = base / "ep05" / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"by":"mara"', b'"by":"nara"', 1))
    log = base / "ep12" / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:30]))
    words = ["-g", str(base / "ep01"), "redact", "--for", "ann", "-o", str(base / "ann.jsonl")]
    assert run(words, App()) == 0
    (base / "other.jsonl").write_text('{"name": "no log"}\n')
    (base / "notes.txt").write_text("nothing of ours")
    (base / "ep01" / "log.jsonl.torn-12-abcdef01").write_text("{")
    (base / "link.jsonl").symlink_to(base / "ep01" / "log.jsonl")


def names_below(folder: Path) -> Iterator[str]:
    """Every plain file, in no good order."""
    for here, _, files in os.walk(folder):
        for name in sorted(files, reverse=True):
            path = Path(here) / name
            if not path.is_symlink():
                yield path.relative_to(folder).as_posix()


def packed(folder: Path, target: Path) -> Path:
    """The plain files of a folder in an archive of the kind that its name says."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
            for name in names_below(folder):
                made.write(folder / name, name)
    else:
        kind = target.suffix.removeprefix(".").removeprefix("tar")
        with tarfile.open(target, f"w:{kind}") as tar:  # type: ignore[call-overload]
            for name in names_below(folder):
                tar.add(folder / name, f"./{name}")
    return target
