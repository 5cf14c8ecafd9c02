"""A season of matches, good and damaged. There are no tests here."""

from __future__ import annotations

import shutil
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
