"""The programs in docs/ that share nothing with ours agree with `verify`: on logs sound and damaged, on draws.

1,000 random logs, each a cut, redacted, edited or damaged form of a real one. Whole deals: test_fair_deals.

Source: issue "Audit"; reliability section 1, promise 9; section 7.
"""

from __future__ import annotations

import random
from pathlib import Path

from events import Finding, LogFile, read_chain
from games.kit import luck
from games.registry import names
from ledger.audit.verify import STOPS, verify
from tests.support.demos import SHARED
from tests.support.second import program, second, variant
from tests.support.sizes import many

LOGS = many(300, 1_000, mutants=1_000)
CHAIN = STOPS - {"log.not_canonical"} | {"log.torn", "log.no_newline", "log.empty"}
"""What the second program looks for as well: bytes, order, chain, seals."""


def test_both_programs_agree_on_every_form_of_a_log(tmp_path: Path) -> None:
    """Sound or not, the first bad line, the head and how many lines are open: for every one of them."""
    (tmp_path / "empty.jsonl").touch()
    assert second(tmp_path / "empty.jsonl").startswith("line 1: ")
    assert [finding.code for finding in verify(str(tmp_path / "empty.jsonl")).findings] == ["log.empty"]
    played = [(SHARED.made(game) / "log.jsonl").read_bytes().splitlines(keepends=True) for game in names()]
    assert all(len(list(read_chain(lines))) == len(lines) >= 10 for lines in played), "or agreement would be cheap"
    dice, path, seen = random.Random(8), tmp_path / "log.jsonl", dict.fromkeys(("sound", "bad", "spelling"), 0)
    for number in range(LOGS):
        path.write_bytes(variant(dice.choice(played), dice))
        told = second(path)
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
