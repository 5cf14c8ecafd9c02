"""Which sheet of a player counts is the same wherever it is said: in answers, explanations, refusals, texts.

The law: a sheet that came later, by the time at which it counts and then by its number, counts in the
place of one before it; a late one counts once it is admitted, by a ruling or because the end was moved. Here it is
written a second time, for drawn matches of every game with sheets. Source: S-9, S-G1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.table.rounds import LateAdmitted, all_rounds
from games.table.state import Round, Submission
from ledger.core.match import Match
from ledger.tell.outbox import outbox
from tests.support.host import Host, match_file
from tests.support.sizes import log_number, many

GOLD = """game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
[counters]
gold = { start = 10, seen_by = "owner", final = "everybody", least = 0 }
[sheets.bid]
fields = { gold = "number 0..gold" }
rounds = 2
hours = 24
opened = "everybody"
[result]
score = "gold"
"""
THREE = {p: {"name": p.title()} for p in ("ann", "bob", "cyd")}
SIX = {p: {"name": p.title()} for p in ("ann", "bob", "cyd", "dan", "eve", "fox")}
FILES = {
    "freeform": GOLD,
    "poker_auction": match_file("poker_auction", THREE, "allow_odd_roster = true"),
    "polar": match_file("polar", THREE, "allow_odd_roster = true"),
    "hex_parties": match_file("hex_parties", SIX),
}
SHEETS = {
    "freeform": ("seal bob 1", "seal bob 2", "seal bob 3", "seal bob 4", "blank bob"),
    "poker_auction": ("power bob 5 hearts", "power bob 6 clubs", "power bob 7 hearts", "withdraw bob", "blank bob"),
    "polar": (
        "submit bob --swap", "submit bob --ticket paper", "swap bob", "go bob rock", "go bob paper",
        "submit bob --ticket rock --swap --add", "blank bob",
    ),
    "hex_parties": (
        "sides bob B6", "sides bob B5", "move bob odd C5 even C6", "move bob odd B4", "move bob odd B4 --add",
        "move bob even C6 --add", "blank bob",
    ),
}  # fmt: skip
SEEDS, LENGTH = 4, 16
INSTEAD = r"#(\d+) came after it and counts instead"


def kinds(sheet: Submission, other: Submission) -> bool:
    """Whether both are of one kind: the choice of the odd piece is one of its own, which no blank touches."""
    return (type(sheet.content).__name__ == "Sides") is (type(other.content).__name__ == "Sides")


def counting(round_: Round, seq: int) -> set[int]:
    """The entries that count of the kind of sheet of entry `seq`: the last whole one and what adds to it."""
    (own,) = (sheets for sheets in round_.sheets.values() if any(sheet.seq == seq for sheet in sheets))
    (this,) = (sheet for sheet in own if sheet.seq == seq)
    items: dict[str, int] = {}
    adds = False
    for sheet in sorted(own, key=lambda sheet: (sheet.at, sheet.seq)):
        if kinds(sheet, this) and (not sheet.late or sheet.seq in round_.admitted):
            named = dict.fromkeys(sheet.parts or ("*",), sheet.seq)
            items = {**items, **named} if adds and sheet.parts is not None else named
            adds = sheet.content is not None
    return {*items.values()}


def truly(said: str, round_: Round, seq: int) -> None:
    """What is said of an admitted sheet is what the law says."""
    counts, newer = counting(round_, seq), re.search(INSTEAD, said)
    assert (seq not in counts and int(newer[1]) in counts) if newer else ("counts" in said and seq in counts), said


def admissions(match: Match) -> Iterator[tuple[int, str]]:
    """(entry, words) of each fact that lets a late sheet in; checked as of its own time, and of now."""
    engine = match.engine
    state = engine.start(match.book.entries[0].body, match.book.game_id)
    for outcome in match.fold.outcomes:
        state = engine.apply(state, outcome.facts)
        for fact in (fact for fact in outcome.facts if isinstance(fact, LateAdmitted)):
            then, now = (match.explain(of, fact).text for of in (state, match.fold.state))
            if state.table.round is not None:
                truly(then, state.table.round, fact.seq)
            truly(now, all_rounds(one for each in match.fold.outcomes for one in each.facts)[fact.round], fact.seq)
            yield outcome.entry.seq, now


def checked(host: Host, answer: str) -> int:
    """How many statements on which sheet counts were true while the round is on."""
    match = host.match
    on, number = match.table.round, len([*admissions(match)])
    if on is None:
        return number
    for newer in re.findall(INSTEAD, answer):
        assert int(newer) in counting(on, int(newer)), answer
        number += 1
    for seq in map(int, re.findall(r"To let it count: hl ruling admit (\d+)", host.hl("status").text)):
        assert seq in counting(on.with_admitted(seq), seq)
    sheets = [sheet for sheet in on.sheets.get("bob", ()) if sheet.late]
    for sheet in sheets[-2:]:
        said = host.hl(f"ruling 'admit {sheet.seq}' -n", code=None).err
        line = next(line for line in said.splitlines() if "late sheet of" in line or "admitted already" in line)
        truly(line, on.with_admitted(sheet.seq), sheet.seq)
        number += 1
    return number


class Reader:
    """A player of Freeform, who believes what the last text said of their sheet."""

    def __init__(self) -> None:
        self.late, self.believes = "", "none"

    def reads(self, text: str) -> None:
        for line in text.splitlines():
            if sheet := re.search(r"Your sheet for round 1: (gold \d)|You submit (nothing) for round 1", line):
                said = sheet[1] or sheet[2]
                if "counts only if a host rules so" in line:
                    self.late = said
                else:
                    self.believes = said
            elif "Your late sheet for round 1 counts" in line:
                named = re.search(r"It says: (gold \d|nothing)", line)
                self.believes = named[1] if named else self.late or self.believes

    def check(self, match: Match) -> None:
        on = match.table.round
        own = on.sheets.get("bob", ()) if on else ()
        if on and own:
            (content,) = {s.content for s in own if s.seq in counting(on, own[0].seq)} or {"none"}
            truth = (
                content
                if content == "none"
                else re.sub(r".*(\d).*", r"gold \1", str(content))
                if content
                else "nothing"
            )
            assert truth == self.believes, (truth, self.believes)


def lines_of(chance: random.Random, game: str, host: Host) -> Iterator[str]:
    """Lines that a host may type, one after the other."""
    for _ in range(LENGTH):
        sheet = chance.choice(SHEETS[game])
        late = [s.seq for s in on.sheets.get("bob", ()) if s.late] if (on := host.match.table.round) else []
        yield chance.choice(
            [sheet, sheet, f"{sheet} --at -{chance.randint(1, 9)}m", f"{sheet} --at -{chance.randint(1, 9)}m"]
            + ["reopen --yes", "deadline +30m --yes"] * bool(on and on.closed)
            + ["close --yes"] * (1 + bool(on and not on.closed))
            + [f"ruling 'admit {seq}'" for seq in late[-2:]]
        )


@pytest.mark.parametrize("game", SHEETS)
def test_which_sheet_counts_is_said_alike(game: str, tmp_path: Path, monkeypatch: Any, record_property: Any) -> None:
    """S-9, S-G1: whatever comes late, earlier, blank or back, and whatever is moved or ruled."""
    number = 0
    for seed in range(many(SEEDS, 100)):
        host, chance = Host(tmp_path / str(seed), monkeypatch), random.Random(f"{game} {seed}")
        host.new(FILES[game]).hl("open")
        if game == "polar":
            host.hl("resolve --yes --early")
        reader = Reader()
        for line in lines_of(chance, game, host):
            answer = host.hl(f"{line} --yes" if "--yes" not in line else line, code=None)
            assert answer.code in (0, 3), answer
            number += checked(host, answer.text)
            if game == "freeform":
                reader.reads("\n".join(item.text for item in outbox(host.match).waiting if item.audience == "bob"))
                host.hl("outbox done all --yes", code=None)
                reader.check(host.match)
        for _ in range(chance.randint(1, 3)):
            host.hl("resolve --yes --early", code=None)
            host.hl("open", code=None)
        admitted = dict(admissions(host.match))
        for seq, said in admitted.items():
            assert said in host.hl(f"show {seq}").out and said in host.hl(f"explain {seq}").out
    log_number(record_property, number)
    assert number > LENGTH


def test_a_sheet_recorded_later_that_counts_before_a_late_one(host: Host) -> None:
    """S-9, S-G1: the late sheet that a reopening lets in counts in the place of one that was recorded after it, with
    `--at`. Who reads the texts in the order in which they are sent knows that."""
    host.new(GOLD)
    for line in ("open", "close --yes", "seal bob 5"):
        host.hl(line)
    late = host.last
    assert "Your sheet for round 1: gold 2.\n" in host.hl("seal bob 2 --at -2m30s").out
    reopened = host.hl("reopen --yes")
    assert f"the late sheet of Bob counts in round 1 (instead of #{late + 1})" in reopened.err
    assert "Your late sheet for round 1 counts: its end was moved.\n" in reopened.out
    assert "admitted already, and counts" in host.hl(f"ruling 'admit {late}' -n", code=3).err
    for at in ("-5m20s", "-5m30s"):  # before it was closed, and after
        answer = host.hl(f"seal bob 3 --at {at}")
        assert f"now #{late} came after it and counts instead" in answer.err and "to Bob" not in answer.out, answer
    assert "- Your sheet for round 1: gold 1.\n" in host.hl("seal bob 1 --at -5m").out, "it waits for no ruling"
    said = f"entry {late} is admitted already; #{host.last} came after it and counts instead"
    assert said in host.hl(f"ruling 'admit {late}' -n", code=3).err
    assert "sent gold 1" in host.hl("resolve --yes").err
