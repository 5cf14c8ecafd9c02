"""Two people in two homes play the evening of docs/two-hosts.md: far apart (30 ms there and back, one piece in twenty
is lost and sent again), with clocks four minutes apart, over every wire, from the page alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers import Git
from tests.support.transcripts import agrees, console_blocks

pytestmark = [pytest.mark.slow, pytest.mark.posix]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "two-hosts.md"
APART = 4 * 60_000


@pytest.fixture
def url(server: Any, stage: Any) -> str:
    if isinstance(server, Git):
        server.env |= {"CUT_DELAY": "15", "CUT_LOSS": "0.05"}
    else:
        server.proxy.set(delay=0.015, loss=0.05)
    for name, value in server.env.items():
        stage.patch.setenv(name, value)
    return str(server.url("ep5"))


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
