"""The page that checks a log in a browser (ledger/page/check.html): says what check_log.py and check_deal.py say.

Its script runs in node here, with the hash of the platform and with its own; test_replay_browser.py has real browsers.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.host import hl, match_file
from tests.support.second import program, second, variant
from tests.support.sources import ROOT

PAGE = ROOT / "ledger" / "page" / "check.html"
NODE = shutil.which("node")
PLAYERS = "ann bob cyd dan eve fox gil hal"
DRIVER = """
const fs = require("fs");
(async () => {
  const asked = JSON.parse(fs.readFileSync(0, "utf8"));
  globalThis.HL_OWN_HASH = asked.own;
  const out = [];
  for (const log of asked.logs || []) {
    const { lines, open, head, error } = await checkLog(new Uint8Array(fs.readFileSync(log)));
    const told = error || `${lines.length} lines, ${open} open, head ${head}`;
    out.push([told, error ? "" : await checkDeal(lines), lookUp(asked.text || "", lines)]);
  }
  const hashes = await Promise.all((asked.hash || []).map(async text => toHex(await sha256(fromHex(text)))));
  const key = await mixed(new Uint8Array(32), [["ann", "x"], ["bob", "y"]]);
  const cards = await shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], stream(key, "deck"));
  console.log(JSON.stringify({ out, hashes, key: toHex(key), cards }));
})();
"""


def script() -> str:
    found = re.search(r'<script id="check">\n(.*?)</script>', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def asked(**what: Any) -> Any:
    """What the script answers in node."""
    if NODE is None:
        pytest.skip("needs node")
    done = subprocess.run(
        [NODE, "-e", script() + DRIVER], input=json.dumps(what), capture_output=True, encoding="utf-8", check=True
    )
    return json.loads(done.stdout)


COMMITTED = (
    "commit; word ann rain; word bob '🂡 xyzzy'; deal",
    "commit; word ann rain; undo --yes; word bob é; deal; open",
    "commit; word ann rain; deal; undo --yes; deal --yes",
    "commit; undo --yes; commit --yes; word cyd x; deal",
    "commit; deal; undo --yes; undo 2 --yes; deal --yes",
    "deal; open",
)


FREEFORM = """game = "freeform"\nhosts = ["mara"]\n[players]\nann = {}\nbob = {}\ncyd = {}
[items]\nguild = { values = ["a", "b"], draw = "one each", seen_by = "owner" }
deed = { values = "1..9", draw = "deal 2", seen_by = "owner" }\n"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Committed deals, replaced ones, the old logs of every game; some with closed lines, some damaged."""
    folder = tmp_path_factory.mktemp("logs")
    sound = []
    for kind, file, draws in (
        ("m", match_file("equilibrium", PLAYERS), "deal"),
        ("f", FREEFORM, "draw guild; draw deed"),
    ):
        (folder / f"{kind}.toml").write_text(file)
        for number, lines in enumerate(COMMITTED):
            match = folder / f"{kind}{number}"
            assert hl("new", str(match), "--from", str(folder / f"{kind}.toml")).code == 0
            for line in lines.replace("deal", draws).split(";"):
                hl("-g", str(match), *shlex.split(line))
            sound.append(match / "log.jsonl")
    sound += sorted((ROOT / "tests" / "old_logs").rglob("*.jsonl"))
    dice, made = random.Random(3), list(sound)
    for number in range(150):
        made.append(folder / f"v{number}.jsonl")
        made[-1].write_bytes(variant(dice.choice(sound).read_bytes().splitlines(keepends=True), dice))
    return made


@pytest.mark.parametrize("own", [False, True], ids=["subtle", "own"])
def test_the_page_says_what_the_two_programs_say(logs: list[Path], own: bool) -> None:
    """Any log, sound, redacted or damaged: the same words, with the browser's hash and with its own."""
    deals, seen = program("check_deal"), {"sound": 0, "bad": 0, "drawn": 0, "REPLACED": 0}
    for path, (chain, deal, _) in zip(logs, asked(logs=[str(p) for p in logs], own=own)["out"], strict=True):
        assert chain == second(path), path
        good = " open, head " in chain
        seen["sound" if good else "bad"] += 1
        if good:
            wanted = deals.main(str(path))
            unreadable = "WRONG: this is not a log as the ledger writes it"
            assert deal == wanted or (deal.startswith(unreadable) and wanted.startswith(unreadable)), path
            seen["drawn"] += "the seed's" in deal
            seen["REPLACED"] += "REPLACED" in deal
    assert all(seen.values()), seen


def test_receipts_are_looked_up(logs: list[Path]) -> None:
    """A receipt, a commitment, digits of nothing here; part of a longer number is none."""
    lines = [json.loads(line) for line in logs[0].read_bytes().splitlines()]
    commit = next(line["body"]["args"]["commitment"] for line in lines if line["body"]["do"] == "commit")
    text = f"head {lines[1]['prev'].upper()}, {commit} {'0' * 64} {'1' * 65}"
    ((_, _, found),) = asked(logs=[str(logs[0])], text=text)["out"]
    seq = next(line["seq"] for line in lines if line["body"]["do"] == "commit")
    expected = [[lines[1]["prev"], "receipt of entry 1"], [commit, f"the commitment of entry {seq}"], ["0" * 64, ""]]
    assert found == expected


@pytest.mark.parametrize("own", [False, True], ids=["subtle", "own"])
def test_the_vectors_hold(own: bool) -> None:
    """Those of the format, and SHA-256 of every length around its blocks."""
    texts = [bytes(range(n % 256))[:n] + b"x" * max(0, n - 256) for n in (*range(0, 140), 1000, 65536)]
    told = asked(hash=[text.hex() for text in texts], own=own)
    assert told["hashes"] == [hashlib.sha256(text).hexdigest() for text in texts]
    assert told["key"] == "ad1b48ddb51f35a31e18b5a84260210cf8f0bfe72f61d2d35e0e85351f94093e"
    assert told["cards"] == [4, 1, 7, 0, 5, 8, 2, 6, 9, 3]


def test_the_page_is_one_file_without_a_network(tmp_path: Path) -> None:
    """Nothing is loaded from elsewhere, nothing is sent, and no text of a log is read as a page."""
    page = PAGE.read_text(encoding="utf-8")
    assert "default-src 'none'" in page and "connect-src" not in page
    assert not re.findall(
        r"""(?:src|href|action)\s*=|url\(|fetch\(|XMLHttp|WebSocket|import\(|innerHTML|eval\(""", page
    )
    assert hl("replay", "--html", str(tmp_path / "check.html"), "--check").code == 0
    assert (tmp_path / "check.html").read_bytes() == PAGE.read_bytes()
    assert hl("replay", "--check").code == 2
