"""The programs in docs/ that share nothing with ours agree with `verify`: on logs sound and damaged, on draws.

1,000 random logs, each a cut, redacted, edited or damaged form of a real one. Whole deals: test_fair_deals.

Source: issue "Audit"; reliability section 1, promise 9; section 7.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from events import GENESIS, Finding, LogFile, close_line, read_chain, write_line
from games.kit import luck
from games.registry import names
from ledger.audit.verify import STOPS, verify
from tests.support import replaying
from tests.support.sizes import many

DOCS = Path(__file__).resolve().parents[2] / "docs"
LOGS = many(300, 1_000, mutants=1_000)
CHAIN = STOPS - {"log.not_canonical"} | {"log.torn", "log.no_newline", "log.empty"}
"""What the second program looks for as well: bytes, order, chain, seals."""


def program(name: str) -> Any:
    """A program of docs/ as a module; the checker of logs is run from its source each time."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = compile((DOCS / "check_log.py").read_text(encoding="utf-8"), "check_log.py", "exec")


def second(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the second program says."""
    monkeypatch.setattr(sys, "argv", ["check_log.py", str(path)])
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(CHECKER, {"__name__": "__main__"})
    except SystemExit as stop:
        return str(stop.code)
    return out.getvalue().strip()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[list[bytes]]:
    """The lines of every bundled match."""
    found = []
    for name in names():
        folder = tmp_path_factory.mktemp("played") / name
        replaying.played(name, folder)
        found.append((folder / "log.jsonl").read_bytes().splitlines(keepends=True))
    return found


def variant(lines: list[bytes], dice: random.Random) -> bytes:
    """Some form of a real log: a prefix, perhaps with closed lines, perhaps written anew, perhaps damaged."""
    lines = lines[: dice.randint(1, len(lines))]
    if dice.random() < 0.3:
        chosen = dice.random()
        lines = [close_line(line) if dice.random() < chosen else line for line in lines]
    elif dice.random() < 0.2:
        lines = anew(lines, dice)
    data = b"".join(lines)
    for _ in range(dice.choice((0, 0, 1, 1, 1, 2))):
        at = dice.randrange(max(1, len(data)))
        match dice.randrange(8):
            case 0:
                data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[at + 1 :]
            case 2:
                data = data[:at] + bytes([dice.choice(b'\n\r\0 "}0a{')]) + data[at:]
            case 3:
                data = data[:at]
            case 4:
                data = data[:at] + data[dice.randrange(at, len(data)) if at < len(data) else at :]
            case 5:
                pieces = data.splitlines(keepends=True)
                dice.shuffle(pieces)
                data = b"".join(pieces)
            case 6:
                data += dice.choice((b"\n", b"{}\n", b"\0" * 40, data[: at // 2], b"x" * 70_000 + b"\n"))
            case 7:
                data = data.replace(
                    *dice.choice(((b'"do"', b'"od"'), (b"\n", b"\r\n"), (b'","seal"', b'", "seal"'))), 1
                )
    return data


def anew(lines: list[bytes], dice: random.Random) -> list[bytes]:
    """The same entries with other salts, and a chain that holds; one of them perhaps not as the ledger spells it."""
    made, prev, odd = [], GENESIS, dice.randrange(2 * len(lines))
    for seq, line in enumerate(lines, start=1):
        body = line[line.index(b',"body":') + 8 : -2]
        body = body.replace(b'"args":', b'"args" :') if seq == odd else body
        raw, prev = write_line(seq, prev, dice.randbytes(16).hex(), body)
        made.append(raw)
    return made


def test_both_programs_agree_on_every_form_of_a_log(
    played: list[list[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sound or not, the first bad line, the head and how many lines are open: for every one of them."""
    (tmp_path / "empty.jsonl").touch()
    assert second(tmp_path / "empty.jsonl", monkeypatch).startswith("line 1: ")
    assert [finding.code for finding in verify(str(tmp_path / "empty.jsonl")).findings] == ["log.empty"]
    dice, path, seen = random.Random(8), tmp_path / "log.jsonl", dict.fromkeys(("sound", "bad", "spelling"), 0)
    for number in range(LOGS):
        path.write_bytes(variant(dice.choice(played), dice))
        told = second(path, monkeypatch)
        findings: list[Finding] = []
        lines = list(LogFile(path).scan(findings))
        whole = verify(str(path))
        chain = [finding for finding in findings if finding.code in CHAIN]
        if chain:
            seen["bad"] += 1
            assert told.startswith(f"line {chain[0].line}: "), (number, told, chain)
        else:
            seen["sound"] += 1
            opened = sum(line.body is not None for line in lines)
            assert told == f"{len(lines)} lines, {opened} open, head {lines[-1].hash}", (number, told)
        odd = any(finding.code == "log.not_canonical" for finding in whole.findings)
        seen["spelling"] += odd  # only who reads the bodies sees that, and reads no further
        assert odd or [finding for finding in whole.findings if finding.code in CHAIN] == chain, number
        assert odd or chain or whole.head == lines[-1].hash
    assert min(seen["sound"], seen["bad"]) > LOGS // 4 and seen["spelling"], seen


# ---- draws ---------------------------------------------------------------------------------------------------------


def test_both_programs_throw_the_same_words_away() -> None:
    """The branch that chance never takes: words at and around the limit."""
    other = program("check_deal")
    for n in (1, 3, 40, 2**31 + 1, 2**32):
        limit = 2**64 - 2**64 % n
        for first in (limit - 1, limit, min(limit + 1, 2**64 - 1), 2**64 - 1):
            words = [first, 5, 7]
            assert other.below(iter(words), n) == luck.below(iter(words), n) == (first if first < limit else 5) % n


def test_the_vectors_of_the_format_hold_in_both_programs() -> None:
    """Source: docs/log-format.md, Randomness."""
    other = program("check_deal")
    words = [("ann", "x"), ("bob", "y")]
    wanted = "ad1b48ddb51f35a31e18b5a84260210cf8f0bfe72f61d2d35e0e85351f94093e"
    assert other.mixed(bytes(32), words).hex() == luck.mix(bytes(32), words).hex() == wanted
    cards = list(range(10))
    luck.shuffle(cards, luck.stream(bytes.fromhex(wanted), "deck"))
    assert other.shuffled(list(range(10)), other.stream(bytes.fromhex(wanted), "deck")) == cards
    assert cards == [4, 1, 7, 0, 5, 8, 2, 6, 9, 3]
    commitment = "cccac7fa59481c1f200ee70cf9422b773d459620544c55fb643e1b652522a4f7"
    assert luck.commitment("demo", bytes(32)) == commitment


def test_the_lines_of_the_real_matches_are_sound(played: list[list[bytes]]) -> None:
    """Otherwise agreement would be cheap."""
    for lines in played:
        assert len(list(read_chain(lines))) == len(lines) >= 10
