"""Provably fair deals: commitment, words, deal, and a second program that repeats it. Design section 5; S-G5."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from pathlib import Path
from typing import Any

import pytest

from events import Body, LogFile
from ledger.audit import verify
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.match import Match
from ledger.redact import may_open

ROOT = Path(__file__).resolve().parent.parent
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")


def independent() -> Any:
    spec = importlib.util.spec_from_file_location("check_deal", ROOT / "docs" / "check_deal.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    (tmp_path / "m.toml").write_text(
        'game = "equilibrium"\nhosts = ["mara"]\n[players]\n' + "\n".join(f"{p} = {{}}" for p in PLAYERS)
    )
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")) == 0
    return tmp_path / "m"


def hl(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run(list(words), App())


def test_a_committed_deal_verifies_and_the_second_program_agrees(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "word", "ann", "too early") == 3
    assert hl(*here, "commit") == 0
    assert hl(*here, "commit") == 3
    assert hl(*here, "word", "ann", "the rain in Spaiñ") == 0
    assert hl(*here, "word", "bob", "🂡 xyzzy") == 0
    assert hl(*here, "deal") == 0
    assert hl(*here, "word", "cyd", "too late") == 3
    log = fair / "log.jsonl"
    assert verify(str(log)).ok
    assert independent().main(log).startswith("the deal of 8 hands")
    deal = Match(str(log)).book.entries[-1].body
    assert (deal.do, deal.args) == ("deal", {"method": "drawn"})


def test_many_deals_are_equal_in_both_programs(fair: Path) -> None:
    """With and without commitment and words: the seed in the log is enough to repeat the deal."""
    check, here = independent(), ("-g", str(fair))
    for n in range(12):
        if n == 6:
            assert hl(*here, "commit") == 0
        if n > 6:
            assert hl(*here, "word", PLAYERS[n % 8], f"word {n}") == 0
        assert hl(*here, "deal") == 0
        assert check.main(fair / "log.jsonl").startswith("the deal of 8 hands")
        assert hl(*here, "undo", "--yes") == 0


def test_a_deal_that_was_changed_is_found(fair: Path) -> None:
    """The right number of the right cards, and not the seed's."""
    assert hl("-g", str(fair), "commit") == 0
    log = fair / "log.jsonl"
    seq = len(Match(str(log)).book.entries) + 1
    typed = "B1 B1 R1 R1 B2", "B2 R2 R2 B3 B3", "R3 R3 B4 B4 R4", "R4 B5 B5 R5 R5", "B6 B6 R6 R6 B7", "B7 R7 R7 B8 B8"
    hands = dict(zip(PLAYERS, (*typed, "R8 R8 B9 B9 R9", "R9 B10 B10 R10 R10"), strict=True))
    bodies = [Body("hand", 1, "mara", 1, {"player": p, "cards": h.split()}, batch=seq) for p, h in hands.items()]
    bodies.append(Body("deal", 1, "mara", 1, {"method": "drawn"}, batch=seq))
    with LogFile(log).writing() as writer:
        bodies = [body._replace(at=2**41, recorded=2**41) for body in bodies]
        writer.append(bodies)
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.other"]
    assert independent().main(log).startswith("WRONG: other hands")


def test_a_deal_of_whole_packs_is_repeated_by_the_second_program(tmp_path: Path) -> None:
    """MarsMatch: 54 cards each, with and without commitment and words; a later round has a seed of its own."""
    (tmp_path / "m.toml").write_text(
        'game = "marsmatch"\nhosts = ["mara"]\n[settings]\nrounds = 2\n[players]\n'
        + "\n".join(f"{p} = {{}}" for p in PLAYERS[:5])
    )
    here = ("-g", str(tmp_path / "m"))
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")) == 0
    log = tmp_path / "m" / "log.jsonl"
    for line in (["commit"], ["word", "ann", "the rain in Spaiñ"], ["draw"], ["deal"]):
        assert hl(*here, *line) == 0
    assert independent().main(log) == "the deal of 5 hands is the seed's"
    for line in (["open"], ["close", "real"], ["draw"], ["deal"]):
        assert hl(*here, *line) == 0
    assert independent().main(log) == "the deal of 5 hands is the seed's"
    assert verify(str(log)).ok


def test_another_seed_than_the_committed_one_is_contested(fair: Path) -> None:
    log = fair / "log.jsonl"
    with LogFile(log).writing() as writer:
        first = len(writer.reading.lines) + 1
        writer.append(
            [
                Body("commit", 2**41, "mara", 2**41, {"commitment": "0" * 64}, batch=first),
                Body("seed", 2**41, "mara", 2**41, {"seed": "1" * 64}, batch=first),
            ]
        )
    assert [finding.code for finding in verify(str(log)).findings] == ["log.contested"]


def test_the_seed_is_the_hosts_alone(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "commit") == 0
    assert hl(*here, "word", "ann", "rain") == 0
    match = Match(str(fair / "log.jsonl"))
    numbers = {entry.body.do: entry.seq for entry in match.book.entries}
    for viewer in ("public", *PLAYERS):
        opened = may_open(match, viewer)
        assert {numbers["commit"], numbers["word"]} <= opened
        assert numbers["seed"] not in opened
