"""Two people in two homes play the evening of docs/two-hosts.md: far apart (30 ms there and back, one piece in twenty
is lost and sent again), with clocks four minutes apart, over every wire, from the page alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import SERVERS
from tests.support.transcripts import agrees, console_blocks

pytestmark = [pytest.mark.slow, pytest.mark.posix]
HERE = Path(__file__).resolve()
PAGE = HERE.parents[2] / "docs" / "two-hosts.md"
SSH = HERE.parents[1] / "reliability" / "cutting_ssh.py"
APART = 4 * 60_000


@pytest.fixture(params=["git", *SERVERS])
def url(request: Any, stage: Any) -> Iterator[str]:
    if request.param == "git":
        subprocess.run(["git", "init", "-q", "--bare", "ledger.git"], check=True)
        for name, value in (
            ("GIT_SSH_COMMAND", f"{sys.executable} -S -E {SSH}"), ("GIT_SSH_VARIANT", "ssh"), ("CUT_DELAY", "15"),
            ("CUT_LOSS", "0.05"),
        ):  # fmt: skip
            stage.patch.setenv(name, value)
        yield f"git+ssh://here{stage.folder}/ledger.git#ep5"
        return
    with tempfile.TemporaryDirectory(prefix="srv") as place:
        server = SERVERS[request.param](Path(place))
        for name, value in server.env.items():
            stage.patch.setenv(name, value)
        server.proxy.set(delay=0.015, loss=0.05)
        yield server.url("ep5")
        server.close()


def test_the_evening_of_the_page(stage: Any, url: str, root: Path) -> None:
    """Every command answers as the page says, but for words about clocks; both mirrors end alike, nothing contested."""
    page = PAGE.read_text(encoding="utf-8")
    section = page[page.index("## A shared match") : page.index("## Not a cloud drive")]
    (stage.folder / "games").symlink_to(root / "games")
    shown = url.replace(str(stage.folder), "~")
    for step in console_blocks(section):
        line = "\n".join(step.command)
        if line.startswith("$ git init"):
            continue
        ben = "-g bens" in line or "clone" in line
        stage.now += APART if ben else 0
        answer = stage.run((line.replace("git+file://$PWD/ledger.git#ep5", f"'{url}'"),))
        stage.now -= APART if ben else 0
        told = "\n".join(row for row in answer.splitlines() if "clock" not in row)
        claimed = step.answer.replace("git+file://~/ledger.git#ep5", shown)
        assert agrees(claimed, told), f"{line}\n{answer}\n--- the page:\n{claimed}"
    assert "[exit" not in stage.run(("$ hl -g ep5 sync",))
    mirrors = [(stage.folder / name / "log.jsonl").read_bytes() for name in ("ep5", "bens-again")]
    assert mirrors[0] == mirrors[1]
    assert "do not allow" not in stage.run(("$ hl -g ep5 status",))
    assert not re.search("not recorded|unknown", stage.run(("$ hl -g ep5 sync",)))
