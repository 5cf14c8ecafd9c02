"""Joining: two copies of a log that went on apart come to hold the same, whatever was recorded in each.

The laws are checked in memory, on logs with real chains; what touches the disk goes through the command line.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import GENESIS, Body, Entry, LedgerError, close_line, link, read_body, seal, write_body, write_instant
from games.equilibrium import actions as a
from games.equilibrium.cards import DECK
from games.records import args_of, kebab, plain
from games.registry import load
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.replay import Engine
from ledger.exchange.copies import common_lines, compare
from ledger.exchange.matchfile import setup_bodies
from ledger.record.corrections import check_amend, check_redo, check_undo
from tests.support.sizes import law

MINUTE = 60_000
BEGAN = 1_772_442_000_000
PLAYERS = tuple(f"p{n}" for n in range(1, 9))


class Shelf:
    """A book that stands in memory: entries in a real chain, and no file."""

    def __init__(self, path: str) -> None:
        self.path, self.entries, self.notes = path, [], ()

    head = property(lambda self: self.entries[-1].hash)
    game_id = property(lambda self: self.entries[0].hash)

    def add(self, *bodies: Body) -> None:
        """Write these lines; what a log could not hold fails here."""
        for body in bodies:
            seq, prev = len(self.entries) + 1, self.entries[-1].hash if self.entries else GENESIS
            data = write_body(body)
            sealed = seal(f"{hash((self.path, seq)) & 2**128 - 1:032x}", data)
            self.entries.append(Entry(seq, link(seq, prev, sealed), read_body(data)))


def in_memory(name: str, bodies: list[Body]) -> Match:
    """A match without a file."""
    match: Any = Match.__new__(Match)
    match.book = Shelf(name)
    match.book.add(*bodies)
    match.game = load("equilibrium")
    match.engine, match._fold, match._folded = Engine(match.game), None, 0
    return match


def copied(match: Match, name: str) -> Match:
    other = in_memory(name, [])
    other.book.entries = [*match.book.entries]
    return other


def joined(match: Match, other: Match, now: int, by: str = "mara") -> int:
    """Join in memory: how many lines were written."""
    bodies = compare(match, other, by=by, now=now).bodies
    match.book.add(*bodies)
    return len(bodies)


def counts(match: Match) -> Any:
    """The state and what is contested, without the numbers that entries happen to have here."""
    done = match.fold
    state = done.state
    contested = sorted((o.live.at, o.live.do, o.refusal.code) for o in done.contested)
    confirmed = sorted(sorted(hosts) for hosts in done.marks.confirmed.values())
    traded = dict.fromkeys(sorted(state.traded), 0)
    return state._replace(traded=traded), contested, confirmed, done.last, sorted(o.live.do for o in done.outcomes)


def opened(dice: random.Random) -> list[Body]:
    """The lines of a match that has just begun."""
    data = {"game": "equilibrium", "hosts": ["mara", "theo"], "players": {p: {"garnets": 2} for p in PLAYERS}}
    bodies = setup_bodies(data, source="test", by=None, now=BEGAN)[1]
    cards = list(DECK)
    dice.shuffle(cards)
    hands = [shared.Hand(p, tuple(cards[i * 5 : i * 5 + 5])) for i, p in enumerate(PLAYERS)]
    first = len(bodies) + 1
    bodies += [line(one, BEGAN, batch=first) for one in (*hands, shared.Deal("typed"))]
    return [*bodies, line(shared.Open(), BEGAN + MINUTE)]


def begun(dice: random.Random) -> tuple[Match, list[Body]]:
    """A match some minutes old, and the messages that are there to be read."""
    match = in_memory("one", opened(dice))
    read = messages(dice, match)
    go_on(dice, match, "mara", BEGAN + 20 * MINUTE, 6, read)
    return match, read


def line(action: Any, at: int, by: str = "mara", **more: Any) -> Body:
    return Body(kebab(type(action)), at, by, more.pop("recorded", at), args_of(action), **more)


# ---- what two hosts may do apart -----------------------------------------------------------------------------------


def some_act(dice: random.Random, match: Match) -> Any:
    """Something that may happen at a table; often what the rules refuse."""
    one, two = dice.sample(PLAYERS[:4], 2)
    hands = match.fold.state.hands  # a host may have undone the deal
    mine, his = (dice.choice(hands.get(p, DECK)) for p in (one, two))
    return dice.choice(
        [
            a.Trade(one, mine, two, his),
            a.Trade(one, mine, two, his),
            a.Offer(one, mine, two, his),
            a.Accept(two, one),
            a.Recolour(one, mine),
            a.Lock(one),
            a.Unlock(one),
            shared.Award(one, "garnets", dice.choice([1, -1])),
            shared.Override("garnets", one, str(dice.randint(0, 3))),
            shared.Lot(PLAYERS[:2], dice.choice(PLAYERS[:2])),
            shared.Pause(),
            shared.Resume(),
            shared.Close("trading"),
            shared.Note("a remark"),
            shared.AmendSetting("garnet_cap", dice.choice([1, 3])),
        ]
    )


def messages(dice: random.Random, match: Match) -> list[Body]:
    """What players have written where both hosts read it: each may record it."""
    found = []
    for number in range(6):
        at = BEGAN + dice.randint(2, 4) * MINUTE
        more = (
            {"once": f"row-{number}"} if number < 2 else {"evidence": f"https://discord.com/channels/1/2/{number:018d}"}
        )
        found.append(line(some_act(dice, match), at, "mara", force=True, **more))
    return found


def some_correction(dice: random.Random, match: Match) -> Any:
    """An undo, redo, amend, confirm, posted or ruling that a host could record now; None when chance finds none."""
    last = len(match.book.entries)
    target = dice.randint(20, 26) if dice.random() < 0.6 else dice.randint(19, last)
    if target > last:
        return None
    body = match.book.entries[target - 1].body
    kind = dice.choice(["undo", "undo", "redo", "amend", "amend", "when", "confirm", "posted", "ruling", "note"])
    try:
        if kind == "undo":
            check_undo(match, target)
            return shared.Undo(target)
        if kind == "redo":
            return shared.Redo(check_redo(match, target))
        if kind in ("amend", "when"):
            check_amend(match, target)
            when = write_instant(BEGAN + dice.randint(2, 9) * MINUTE) if kind == "when" else None
            args = dict(body.args)
            for name, words in (("player", PLAYERS[:4]), ("a", PLAYERS[:4]), ("value", "0123"), ("text", ("x", "y"))):
                if name in args and body.do != "hand":
                    args[name] = dice.choice(words)
            return shared.Amend(target, args, when)
    except LedgerError:
        return None
    if kind == "confirm":
        return shared.Confirm(target) if body.do != "join" else None
    if kind == "posted":
        return shared.Posted(f"{target}b", "p1", "#p1", "told", "", ())
    return shared.Ruling("so be it", target) if kind == "ruling" else shared.Note("on that", target)


def go_on(dice: random.Random, match: Match, by: str, now: int, acts: int, read: list[Body]) -> int:
    """One host records for a while in his copy. Times are whole minutes, so that many entries share one."""
    for _ in range(acts):
        now += dice.randint(0, 2) * 1000
        book: Any = match.book
        if dice.random() < 0.4:
            if (entry := some_correction(dice, match)) is not None:
                late = {} if kebab(type(entry)) in ("ruling", "note") else {"recorded": now}
                book.add(line(entry, now, by, **late))
            continue
        seq, at = len(book.entries) + 1, BEGAN + dice.randint(2, 5) * MINUTE
        if dice.random() < 0.5:
            one = dice.choice(read)._replace(by=by, recorded=now)
            if any(recorded(match, one, entry) for entry in book.entries):
                continue
        else:
            one = line(some_act(dice, match), at, by, recorded=now, force=True)
        if dice.random() < 0.3:
            remark = line(shared.Note("why", seq), one.at, by, recorded=now, batch=seq)
            book.add(one._replace(batch=seq), remark)
        else:
            book.add(one)
    return now


def recorded(match: Match, one: Body, entry: Entry) -> bool:
    """Is this message, or key, recorded in this copy?"""
    if one.once is not None:
        return one.once in match.fold.layout.called(entry)
    return one.evidence == entry.body.evidence and entry.seq not in match.fold.marks.struck


@law(150)
@given(seed=st.integers(0, 10**9), acts=st.integers(1, 12), rounds=st.integers(1, 3))
def test_joined_both_ways_two_copies_hold_the_same(seed: int, acts: int, rounds: int) -> None:
    """Issue 3, laws: whatever each host recorded, late, undone, amended, at the same minute, from the same message."""
    dice = random.Random(seed)
    one, read = begun(dice)
    two = copied(one, "two")
    now = BEGAN + 30 * MINUTE
    for _ in range(rounds):
        go_on(dice, one, "mara", now, acts, read)
        now = go_on(dice, two, "theo", now, acts, read) + MINUTE
        joined(one, two, now, "mara")
        if dice.random() < 0.5:
            go_on(dice, one, "mara", now, 2, read)
            joined(two, one, now + MINUTE, "theo")
            joined(one, two, now + MINUTE, "mara")
        joined(two, one, now, "theo")
        assert counts(one) == counts(two)
        assert joined(one, two, now) == joined(two, one, now) == 0


@law(80)
@given(seed=st.integers(0, 10**9), acts=st.integers(1, 8))
def test_three_copies_hold_the_same(seed: int, acts: int) -> None:
    """An entry is itself through however many copies it comes: whoever joins whom, in any order."""
    dice = random.Random(seed)
    first, read = begun(dice)
    copies = [first, copied(first, "1"), copied(first, "2")]
    now = BEGAN + 30 * MINUTE
    for _ in range(2):
        for match, by in zip(copies, ("mara", "theo", "theo"), strict=True):
            now = go_on(dice, match, by, now, acts, read)
        for _ in range(dice.randint(0, 2)):
            joined(*dice.sample(copies, 2), now)
    for _ in range(2):
        for match, other in dice.sample([(x, y) for x in copies for y in copies if x is not y], 6):
            joined(match, other, now)
    for match, other in combinations(copies, 2):
        assert counts(match) == counts(other)
        assert joined(match, other, now) == 0


@law(120)
@given(seed=st.integers(0, 10**9), acts=st.integers(2, 10))
def test_a_join_that_was_cut_short_is_completed(seed: int, acts: int) -> None:
    """Killed after any line of it, and repeated: nothing is doubled, and it comes to the same."""
    dice = random.Random(seed)
    one, read = begun(dice)
    two = copied(one, "two")
    now = BEGAN + 30 * MINUTE
    go_on(dice, one, "mara", now, acts, read)
    go_on(dice, two, "theo", now, acts, read)
    bodies = compare(one, two, by="mara", now=now).bodies
    whole = copied(one, "whole")
    whole.book.add(*bodies)
    one.book.add(*bodies[: dice.randint(0, len(bodies))])
    if dice.random() < 0.5:
        go_on(dice, one, "mara", now, 2, read)
        joined(whole, one, now)  # what was recorded meanwhile is in neither of the others
    joined(one, two, now)
    assert counts(one) == counts(whole)
    assert joined(one, two, now) == 0


def test_an_entry_recorded_after_a_join_stands_after_all_that_was_known_then() -> None:
    """Also when the other copy has counted further: its number here would put it before what it answers."""
    one = in_memory("one", opened(random.Random(1)))
    two = copied(one, "two")
    at = BEGAN + 2 * MINUTE
    for _ in range(9):
        two.book.add(line(shared.Note("there"), at, "theo"))
    seq = len(one.book.entries) + 1
    places = [seq + 7, seq + 8]  # two of the nine: as if a join had left out what makes no sense here
    one.book.add(
        line(shared.Join("f" * 64, 1, tuple({"place": n, "line": two.book.entries[n - 1].hash} for n in places)), at),
        *(line(shared.Note("there"), at, "theo", joined=seq) for _ in places),
        line(shared.Note("here"), at),
    )
    layout = one.fold.layout
    assert [layout.place(seq + n)[0] for n in (1, 2, 3)] == [*places, seq + 9] and layout.next == seq + 10


def test_a_log_that_was_never_joined_folds_by_its_numbers_alone() -> None:
    """Design section 4: (`at`, `seq`), and entries about the log by `seq`; nothing of this page concerns it."""
    one, _ = begun(random.Random(2))
    layout = one.fold.layout
    assert not layout.places and layout.place(7) == (7, "") and layout.next == len(one.book.entries) + 1


def test_two_undos_of_one_entry_are_both_taken_back_before_it_counts() -> None:
    """Each host has undone it: it stays struck while one of the undos is in effect, in both copies."""
    one, _ = begun(random.Random(3))
    one.book.add(line(a.Lock("p1"), BEGAN + 5 * MINUTE, force=True))
    target, two, now = len(one.book.entries), copied(one, "two"), BEGAN + 40 * MINUTE
    one.book.add(line(shared.Undo(target), now))
    two.book.add(line(shared.Undo(target), now, "theo"))
    for match, other in ((one, two), (two, one)):
        joined(match, other, now)
    one.book.add(line(shared.Redo(target + 1), now + MINUTE))
    joined(two, one, now + MINUTE)
    assert target in one.fold.marks.struck and target in two.fold.marks.struck
    two.book.add(line(shared.Redo(target + 1), now + 2 * MINUTE, "theo"))
    joined(one, two, now + 2 * MINUTE)
    assert target not in one.fold.marks.struck and target not in two.fold.marks.struck


def test_a_batch_that_a_kill_has_split_is_undone_as_one() -> None:
    """Its first line came with the join that was killed, the rest with the next one, and something stands between."""
    one, _ = begun(random.Random(4))
    two, now = copied(one, "two"), BEGAN + 40 * MINUTE
    seq = len(one.book.entries) + 1
    hands = [line(shared.Award(p, "garnets", 1), now, "theo", batch=seq) for p in PLAYERS[:3]]
    two.book.add(*hands)
    one.book.add(*compare(one, two, by="mara", now=now).bodies[:2])
    one.book.add(line(shared.Note("meanwhile"), now + MINUTE))
    joined(one, two, now + 2 * MINUTE)
    two.book.add(line(shared.Undo(seq + 1), now + 3 * MINUTE, "theo"))
    joined(one, two, now + 4 * MINUTE)
    joined(two, one, now + 4 * MINUTE)
    assert counts(one) == counts(two) and len(one.fold.marks.struck) == 3


def test_a_long_join_takes_several_join_entries() -> None:
    """What a join says of its lines may not fit into one line; it goes on in the next, and nothing is lost."""
    one = in_memory("one", opened(random.Random(5)))
    two, now = copied(one, "two"), BEGAN + 40 * MINUTE
    three = copied(one, "three")
    for n in range(700):
        two.book.add(line(shared.Note(f"note {n}"), now + n, "theo", once=f"{n}", evidence=f"message {n}"))
        key = f"{n} " + "é" * 120
        three.book.add(line(shared.Note(f"note {n}"), now + n, "mara", once=key, evidence=f"message {n}"))
    joined(two, three, now)
    bodies = compare(one, two, by="mara", now=now).bodies
    assert sum(body.do == "join" for body in bodies) > 3
    assert max(len(write_body(body)) for body in bodies) < 60_000
    assert joined(one, two, now) == len(bodies) and joined(one, two, now) == 0
    assert [e.body.args["text"] for e in one.book.entries if e.body.do == "note"] == [f"note {n}" for n in range(700)]
    found = [one.fold.layout.called(e) for e in one.book.entries if e.body.do == "note"]
    assert found == [(f"{n}", f"{n} " + "é" * 120) for n in range(700)]
    assert joined(one, three, now) == 0


@law(20)
@given(seed=st.integers(0, 10**9), number=st.integers(2, 3))
def test_any_text_may_be_a_key_and_nothing_is_lost(seed: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are what people type: hashes of lines of any copy, of nothing, each other's keys. Joins may be cut short."""
    dice = random.Random(seed)
    monkeypatch.setattr("ledger.exchange.copies.MAX_JOIN_BYTES", dice.choice([250, 40_000]))  # many entries, or one
    first = in_memory("0", opened(dice))
    copies: list[Any] = [first, *(copied(first, str(n)) for n in range(1, number))]
    told: dict[str, set[str | None]] = {}
    """What was acknowledged -> the keys it was recorded under."""
    now = BEGAN + 30 * MINUTE
    for turn in range(24):
        match = dice.choice(copies)
        if turn > 6 and dice.random() < 0.3:
            bodies = compare(match, dice.choice(copies), by="mara", now=now).bodies
            match.book.add(*bodies[: dice.choice([len(bodies), len(bodies), dice.randint(0, len(bodies))])])
            continue
        lines = [entry.hash for one in copies for entry in one.book.entries[-4:]]
        key = dice.choice([None, "k1", "k2", f"{dice.getrandbits(256):064x}", *dice.sample(lines, 4)])
        if key is not None and any(key in match.fold.layout.called(entry) for entry in match.book.entries):
            continue
        text = dice.choice(["k", f"text {turn}"]) + (key or f"{turn}")
        batch = len(match.book.entries) + 1 if dice.random() < 0.3 else None
        match.book.add(line(shared.Ruling(text), now, once=key, batch=batch))
        told.setdefault(text, set()).add(key)
        if batch is not None:
            match.book.add(line(shared.Note(f"on {turn}", batch), now, batch=batch))
    for _ in range(number):
        for n in range(number):
            joined(copies[n], copies[(n + 1) % number], now)
    for match in copies:
        entries = [entry for entry in match.book.entries if entry.body.do == "ruling"]
        assert sorted(entry.body.args["text"] for entry in entries) == sorted(told)
        assert {entry.body.args["text"]: {*(match.fold.layout.called(entry) or [None])} for entry in entries} == told
        assert counts(match) == counts(copies[0])
        assert [joined(match, other, now) for other in copies] == [0] * number


def test_what_a_cut_join_says_of_lines_that_never_came_is_of_no_other_entry() -> None:
    """Its first line came, and then what was recorded here: that is neither the line nor goes by its keys."""
    one = in_memory("one", opened(random.Random(7)))
    two, three, now = copied(one, "two"), copied(one, "three"), BEGAN + 40 * MINUTE
    message = {"evidence": "https://discord.com/channels/1/2/1"}
    two.book.add(line(shared.Note("told"), now, "theo", once="k2", **message))
    three.book.add(line(shared.Note("told"), now, once="k3", **message))
    joined(two, three, now)
    one.book.add(*compare(one, two, by="mara", now=now).bodies[:1])
    first = len(one.book.entries) + 1
    own = {"own": "own", "more": None, "x": None}
    one.book.add(*(line(shared.Note(text), now, once=key, batch=first) for text, key in own.items()))
    layout = one.fold.layout
    assert not layout.joined and not layout.also and layout.called(one.book.entries[first - 1]) == ("own",)
    for match, other in ((one, two), (two, one), (three, two)):
        joined(match, other, now)
    for match in (one, two, three):
        notes = {e.body.args["text"]: match.fold.layout.called(e) for e in match.book.entries if e.body.do == "note"}
        assert notes.keys() == {"told", "own", "more", "x"} and {*notes["told"]} == {"k2", "k3"}
        assert match.fold.layout.batch(len(match.book.entries)) and counts(match) == counts(one)


def test_what_is_known_of_a_shared_line_reaches_a_copy_that_has_it_already() -> None:
    """Three copies: two of them learnt that one of their lines was recorded elsewhere too, under another key."""
    one = in_memory("one", opened(random.Random(8)))
    two, now = copied(one, "two"), BEGAN + 40 * MINUTE
    for match, key in ((one, "k1"), (two, "k2")):
        message = f"https://discord.com/channels/1/2/{1:018d}"
        match.book.add(line(shared.Note("told"), now, once=key, evidence=message))
    three = copied(one, "three")
    joined(one, two, now)
    joined(three, one, now)
    at = len(opened(random.Random(8)))
    assert [{*match.fold.layout.called(match.book.entries[at])} for match in (one, three)] == [{"k1", "k2"}] * 2
    assert joined(three, one, now) == joined(three, two, now) == joined(one, three, now) == 0


ROWS: list[Any] = [
    5, [], {}, None, "x" * 64, {"place": 20}, {"line": "f" * 64}, {"place": "20", "line": "f" * 64},
    {"place": 0, "line": "f" * 64}, {"place": -1, "line": "f" * 64}, {"place": 20, "line": 7},
    {"place": True, "line": "f" * 64},
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_join_entry_that_says_no_line_brings_nothing(row: Any) -> None:
    """What follows was recorded here, whatever it says of itself; and so the other copy takes it."""
    one = in_memory("one", opened(random.Random(9)))
    two, now = copied(one, "two"), BEGAN + 40 * MINUTE
    seq = len(one.book.entries) + 1
    known = [row, {"entry": 3, "also": [row], "keys": [row]}, {"entry": row}]
    args = {"head": "f" * 64, "lines": row if row in (5, {}) else [row, row], "known": known}
    one.book.add(Body("join", now, "mara", now, args, batch=seq))
    one.book.add(*(line(shared.Note(f"{n}"), now, joined=seq) for n in range(3)))
    assert not one.fold.layout.joined and not one.fold.layout.also
    joined(two, one, now)
    assert [e.body.args["text"] for e in two.book.entries if e.body.do == "note"] == ["0", "1", "2"]
    assert counts(one) == counts(two) and joined(two, one, now) == joined(one, two, now) == 0


def test_a_line_that_is_named_twice_is_the_first_that_was_named() -> None:
    """A join entry that gives two entries one line, or an entry the line of another, hides none of them."""
    one = in_memory("one", opened(random.Random(10)))
    two, now = copied(one, "two"), BEGAN + 40 * MINUTE
    one.book.add(line(shared.Note("own"), now))
    seq, own = len(one.book.entries) + 1, {"place": 7, "line": one.book.head}
    there = {"place": 20, "line": "f" * 64}
    known = ({"entry": 3, "also": [own]}, {"entry": seq + 2, "also": [{"place": 9, "line": "e" * 64}], "keys": ["k"]})
    lines = (there, {"place": 21, "line": "d" * 64, "also": [there, own], "keys": ["k", 5]}, there, own, there)
    one.book.add(line(shared.Join("f" * 64, 1, lines, known), now, batch=seq))
    one.book.add(*(line(shared.Note(f"{n}"), now, joined=seq) for n in range(7)))
    layout = one.fold.layout
    assert layout.joined == {seq + 1: (20, "f" * 64), seq + 2: (21, "d" * 64)} and not layout.also
    assert layout.keys == {seq + 2: ("k",)}
    joined(two, one, now)
    assert [e.body.args["text"] for e in two.book.entries if e.body.do == "note"] == ["own", *map(str, range(7))]
    assert counts(one) == counts(two) and joined(two, one, now) == joined(one, two, now) == 0


def test_common_lines_end_where_the_hashes_differ() -> None:
    one = in_memory("one", opened(random.Random(6)))
    two = copied(one, "two")
    last = len(one.book.entries)
    assert common_lines(one.book.entries, two.book.entries) == last
    one.book.add(line(shared.Note("x"), BEGAN))
    assert common_lines(one.book.entries, two.book.entries) == last
    two.book.add(line(shared.Note("x"), BEGAN), line(shared.Note("y"), BEGAN))
    assert common_lines(one.book.entries, two.book.entries) == last


# ---- on disk, through the command line -----------------------------------------------------------------------------

LINK = "https://discord.com/channels/1/2/"


class Table:
    """Two machines: the folders `a` (mara) and `b` (ben), one of them a copy of the other."""

    def __init__(self, stage: Any) -> None:
        self.stage = stage
        self.begin()
        shutil.copytree("a", "b")

    def begin(self) -> None:
        """The match before it is copied."""
        demo = Path(__file__).resolve().parents[2] / "games" / "equilibrium"
        shutil.copy(demo / "demo.toml", "demo.toml")
        shutil.copy(demo / "demo-deal.toml", "deal.toml")
        for words in ("new a --from demo.toml", "-g a --as mara deal --from deal.toml", "-g a --as mara open"):
            assert "[exit" not in self.type(words)

    def type(self, words: str) -> str:
        return str(self.stage.run((f"$ hl {words}",)))

    def a(self, words: str) -> str:
        return self.type(f"-g a --as mara {words}")

    def b(self, words: str) -> str:
        return self.type(f"-g b --as ben {words}")

    def entries(self, name: str) -> list[Any]:
        return [json.loads(line) for line in Path(name, "log.jsonl").read_text().splitlines()]

    def message(self, minutes: int) -> str:
        return f"{LINK}{self.stage.now - minutes * MINUTE - 1420070400000 << 22}"


@pytest.fixture
def table(stage: Any) -> Table:
    return Table(stage)


def test_join_previews_asks_and_records(table: Table) -> None:
    """What is new and what clashes is said before; without a terminal and --yes nothing is recorded (5)."""
    table.a("trade ann R2 bob B4")
    table.b('trade bob B4 cyd R9 --note "Bob wrote at once"')
    before = Path("a/log.jsonl").read_bytes()
    for words, ends in (("join b", "[exit 5]"), ("join b -n", "")):
        told = table.a(words)
        assert told.endswith(ends) and "up to 19; since then 2 entries there, 1 entry here" in told
        assert "#22 (20 there)" in told and "trade a=bob give=B4 b=cyd take=R9" in told
        assert "is contested here" in told
        assert Path("a/log.jsonl").read_bytes() == before
    assert table.stage.run(("$ hl -g a --as mara join b # types: n",)).endswith("[exit 5]")
    assert Path("a/log.jsonl").read_bytes() == before
    told = table.stage.run(("$ hl -g a --as mara join b # types: y",))
    assert "recorded #21 to #23" in told and "the other copy lacks 1 of ours" in told
    old, new = table.entries("b")[19], table.entries("a")[21]
    match = Match("a/log.jsonl")
    assert match.fold.layout.first_line(match.book.entries[21]) == old_hash("b", 20) and "once" not in new["body"]
    same = ("args", "at", "by", "do")
    assert {key: new["body"][key] for key in same} == {key: old["body"][key] for key in same}
    assert new["body"]["recorded"] > old["body"]["recorded"]
    assert table.entries("a")[22]["body"]["args"]["about"] == 22 and new["body"]["batch"] == 22


def old_hash(name: str, seq: int) -> str:
    return Match(f"{name}/log.jsonl").book.entries[seq - 1].hash


def test_joining_twice_and_back_records_nothing_new(table: Table) -> None:
    """Safe to repeat, and to do the other way round; then both copies say the same and verify."""
    table.a("recolour fox B9")
    table.a("undo")
    table.b("trade ann R2 bob B4")
    table.b("amend 20 take=R6")
    assert "recorded" in table.a("join b --yes")
    assert table.a("join b --yes").endswith("nothing new to record")
    assert "already here: 2 of theirs" in table.b("join a --yes")
    assert len(table.entries("a")) == len(table.entries("b")) == 24
    for name in "ab":
        assert "\nverified: " in table.type(f"-g {name} verify")
    assert table.b("join a --yes").endswith("nothing new to record")
    assert table.a("join b --yes").endswith("nothing new to record")
    views = [json.loads(table.type(f"-g {name} view --for host -f json")) for name in "ab"]
    assert views[0]["view"] == views[1]["view"]


def test_the_same_message_read_by_both_is_one_entry(table: Table) -> None:
    """Not doubled; and what one of them corrects is corrected in both copies."""
    message = table.message(2)
    table.a(f"award gil garnets 1 --msg {message}")
    table.b(f"award gil garnets 1 --msg {message}")
    told = table.a("join b --yes")
    assert "the same, recorded in both: 20 there is 20 here" in told
    assert table.a("join b --yes").endswith("nothing new to record")
    table.b("undo 20")
    table.a("join b --yes")
    for name in "ab":
        player = json.loads(table.type(f"-g {name} view --for host -f json"))["view"]["players"]["gil"]
        assert player["garnets"] == 1  # what he came with
    message = table.message(1)
    table.b(f"award gil garnets 2 --msg {message}")
    table.a(f"award gil garnets 1 --msg {message}")
    told = table.a("join b --yes")
    assert "the same message is entry" in told and "undo one" in told


def test_a_key_holds_across_copies(table: Table) -> None:
    """--once: the command was run on the other machine, its entry came by `join`; here it is not run again."""
    table.b("award gil garnets 1 --once prize")
    table.a("join b --yes")
    assert "recorded before, nothing new: #21" in table.a("award gil garnets 1 --once prize")
    assert "[once.other]" in table.a("award gil garnets 2 --once prize")


def test_a_key_of_64_hex_digits_is_a_key_like_any_other(table: Table) -> None:
    """Promise 1: two hosts recorded different things under the hash of one message; both copies come to hold both."""
    key = hashlib.sha256(b"Ann: I was first").hexdigest()
    table.a(f'note "Ann was first" --once {key}')
    table.b(f"award gil garnets 1 --once {key}")
    assert "they say different things: both are kept" in table.a("join b --yes")
    table.b("join a --yes")
    for name in "ab":
        bodies = [entry["body"] for entry in table.entries(name)[19:] if entry["body"]["do"] != "join"]
        assert sorted((body["do"], body["once"]) for body in bodies) == [("award", key), ("note", key)]
        assert "\nverified: " in table.type(f"-g {name} verify")
    assert "recorded before, nothing new: #20" in table.a(f'note "Ann was first" --once {key}')
    assert "recorded before, nothing new: #20" in table.b(f"award gil garnets 1 --once {key}")
    assert table.a("join b --yes").endswith("nothing new to record")
    assert table.b("join a --yes").endswith("nothing new to record")


def test_a_key_that_two_copies_used_for_two_commands_answers_both(table: Table) -> None:
    """After the join both hosts may run their own command again, in either copy: each is told that it is recorded."""
    mine, theirs = "award gil garnets 1 --once prize", "award hal garnets 2 --once prize"
    table.a(mine)
    table.b(theirs)
    table.a("join b --yes")
    for command in (mine, theirs):
        assert "recorded before, nothing new" in table.a(command)
    assert "[once.other]" in table.a("award gil garnets 2 --once prize")


def test_the_hash_of_a_line_as_a_key_hides_no_line(table: Table) -> None:
    """Promise 1: whoever types the hash of a line of another copy as a key says nothing about that line."""
    table.b("award gil garnets 1")
    table.a(f"note seen --once {old_hash('b', 20)}")
    table.a(f"note again --once {old_hash('b', 3)}")
    table.a("join b --yes")
    table.b("join a --yes")
    for name in "ab":
        found = [entry["body"]["do"] for entry in table.entries(name)[19:] if entry["body"]["do"] != "join"]
        assert sorted(found) == ["award", "note", "note"]
    assert "recorded before" in table.a(f"note seen --once {old_hash('b', 20)}")


def test_a_key_holds_in_a_ring_of_three_copies(table: Table) -> None:
    """--once: wherever it was run first, no other copy runs it again, and the first answers as before."""
    shutil.copytree("a", "c")
    table.a("award gil garnets 1 --once a-1")
    table.b("award gil garnets 2 --once b-1")
    for name, other in ("ba", "cb", "ac", "ba"):
        assert "[exit" not in table.type(f"-g {name} --as mara join {other} --yes")
    for name in "abc":
        for words in ("award gil garnets 1 --once a-1", "award gil garnets 2 --once b-1"):
            assert "recorded before, nothing new" in table.type(f"-g {name} --as mara {words}"), name
    assert table.a("join b").endswith("nothing new to record")


def test_a_join_in_whose_middle_a_power_cut_left_nothing_is_done_again(table: Table) -> None:
    """Pages of one write come in any order: the first is missing, the last whole. It is one torn tail, not damage."""
    table.a("recolour fox B9")
    for n in range(3):
        table.b(f"award gil garnets 1 --once {n}")
    before = Path("a/log.jsonl.head").read_bytes()
    start = Path("a/log.jsonl").stat().st_size
    table.a("join b --yes")
    data = Path("a/log.jsonl").read_bytes()
    Path("a/log.jsonl").write_bytes(data[:start] + bytes(600) + data[start + 600 :])
    Path("a/log.jsonl.head").write_bytes(before)
    assert "recorded #21 to #24" in table.a("join b --yes")
    assert "\nverified: " in table.type("-g a verify") and len(list(Path("a").glob("log.jsonl.torn-*"))) == 1


def test_a_text_that_was_posted_there_drifts_here(table: Table) -> None:
    """It was posted by what was known there; only its exact text can be compared, and it is another one now."""
    table.stage.run(("$ sleep 1h",))
    table.b("trade bob B4 cyd R9")
    assert "20c" in table.b("outbox")
    table.b("outbox done 20c")
    table.a(f"trade ann R2 bob R6 --msg {table.message(30)}")
    assert "text 22c, posted to #bob, is wrong" in table.a("join b -n")
    table.a("join b --yes")
    waiting = [row.split()[0] for row in table.a("outbox").splitlines()]
    assert "posted to #bob" in table.a("drift") and "22c" not in waiting and "22c+1" in waiting
    table.a("outbox done 22c+1")
    assert "22c" not in table.a("drift")


def test_a_lot_that_was_drawn_there_verifies_here(table: Table) -> None:
    """It was drawn under its number there; `verify` repeats the draw under that number."""
    table.a("note here")
    table.b("lot ann bob cyd")
    table.a("join b --yes")
    table.a("lot dan eve fox")
    assert "\nverified: " in table.a("verify")


def test_the_two_last_words_on_an_entry(table: Table) -> None:
    """Both hosts amended it: the later one counts in both copies, and the host is told."""
    table.a("trade ann R2 bob B4")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    table.a("amend 20 take=R6")
    table.b("amend 20 take=R7")
    assert "entry 20 was amended in both copies" in table.a("join b --yes")
    table.b("join a --yes")
    assert table.type("-g a view --for ann") == table.type("-g b view --for ann")


BAD = [
    ("join other", 3, "join.other_match"),
    ("join nowhere", 2, "match.none"),
    ('join ""', 2, "match.none"),
    ("join torn", 4, "log.layout"),
    ("join closed", 2, "log.redacted"),
    ("join", 2, "command.usage"),
]


@pytest.mark.parametrize(("words", "code", "name"), BAD, ids=[name for *_, name in BAD])
def test_what_cannot_be_joined_is_refused_and_changes_nothing(table: Table, words: str, code: int, name: str) -> None:
    table.type("new other --from demo.toml")
    for folder in ("torn", "closed"):
        shutil.copytree("b", folder)
    lines = Path("b/log.jsonl").read_bytes().splitlines(keepends=True)
    Path("torn/log.jsonl").write_bytes(b"".join([*lines[:10], b"{}\n", *lines[11:]]))
    Path("closed/log.jsonl").write_bytes(b"".join([*lines[:-1], close_line(lines[-1])]))
    before = {path: path.read_bytes() for path in Path().rglob("log.jsonl*")}
    told = table.a(f"{words} --yes")
    assert (
        told.endswith(f"[exit {code}]")
        and f"[{name}]" in told
        and any(f"\n  {one}: " in told for one in ("try", "like", "help"))
    )
    assert before == {path: path.read_bytes() for path in Path().rglob("log.jsonl*")}


def test_itself_and_an_older_copy_give_nothing(table: Table) -> None:
    table.a("note x")
    for other in ("a", "b", "a/log.jsonl"):
        assert table.a(f"join {other} --yes").endswith("nothing new to record")


def test_a_join_killed_at_any_byte_is_completed_by_the_next(table: Table) -> None:
    """Every cut at a line's end, and some inside lines; the head record still says what it said before."""
    table.a("recolour fox B9")
    table.b('trade ann R2 bob B4 --note "x"')
    table.b("undo")
    before = {path.name: path.read_bytes() for path in Path("a").iterdir()}
    table.a("join b --yes")
    whole = Path("a/log.jsonl").read_bytes()
    first = {old_hash("b", seq) for seq in range(20, 23)}
    start = len(before["log.jsonl"])
    ends = [start] + [i + 1 for i in range(start, len(whole)) if whole[i : i + 1] == b"\n"]
    assert len(ends) == 5
    for cut in sorted({*ends, *(end - 1 for end in ends[1:]), start + 1, start + 300}):
        shutil.rmtree("a")
        Path("a").mkdir(0o700)
        for name, data in {**before, "log.jsonl": whole[:cut]}.items():
            Path("a", name).write_bytes(data)
            Path("a", name).chmod(0o600)
        assert "[exit" not in table.a("join b --yes")
        bodies = [entry["body"] for entry in table.entries("a")[20:] if entry["body"]["do"] != "join"]
        assert [body["do"] for body in bodies] == ["trade", "note", "undo"], cut
        match = Match("a/log.jsonl")
        assert {match.fold.layout.first_line(entry) for entry in match.book.entries} >= first, cut
        assert table.a("join b --yes").endswith("nothing new to record")
        view = table.a("view --for host -f json").splitlines()[-1]  # a note may stand before it: a missing newline
        assert json.loads(view)["view"]["players"]["fox"]["garnets"] == 1


def test_json_of_a_join(table: Table) -> None:
    """The keys of a verb that writes, and what came from where."""
    table.b("trade ann R2 bob B4")
    told = json.loads(table.a("join b --yes --json"))
    assert told["ok"] and told["seq"] == [20, 21] and told["common"] == 19
    assert told["taken"] == [{"there": 20, "here": 21}] and told["same"] == told["clashes"] == []
    refused = json.loads(table.a("join nowhere --json").removesuffix("[exit 2]"))
    assert refused["error"]["code"] == "match.none"


# ---- sealed rounds (decision 0025) ---------------------------------------------------------------------------------


class Rounds(Table):
    """Two copies of a match of Polar, round 1 on. Ann is in Rock with +, Bob in Paper with -."""

    def begin(self) -> None:
        top = 'game = "polar"\ntitle = "Ep"\nzone = "UTC"\nhosts = ["mara", "ben"]\n[players]\n'
        Path("m.toml").write_text(top + 'ann = { name = "Ann" }\nbob = { name = "Bob" }\n')
        assert "[exit" not in self.type("new a --from m.toml --as mara")
        for words in ("open", "start ann rock +", "start bob paper -", "resolve --yes --early"):
            assert "[exit" not in self.a(words)

    def sheets(self, name: str) -> Any:
        """What counts of everybody in the round that is on."""
        return json.loads(self.type(f"-g {name} view --for host -f json"))["view"]["sheets"]

    def alike(self) -> None:
        """Both copies join, hold the same, and would resolve the round alike."""
        assert "[exit" not in self.a("join b --yes") + self.b("join a --yes")
        a, b = Match("a/log.jsonl"), Match("b/log.jsonl")
        assert plain(a.fold.state._replace(table=None)) == plain(b.fold.state._replace(table=None))
        assert self.sheets("a") == self.sheets("b")
        on = a.table.round.name if a.table.round else ""
        (one, two) = (told(f"resolve {on} -n --at -1m").partition("would go to")[0] for told in (self.a, self.b))
        assert one.splitlines()[2:] == two.splitlines()[2:]


@pytest.fixture
def sheets(stage: Any) -> Rounds:
    return Rounds(stage)


def test_a_late_sheet_that_is_admitted_is_the_same_in_both_copies(sheets: Rounds) -> None:
    """The number in `admit SEQ` is an entry like that of --about: entry 9 there is Ann's, entry 9 here is Bob's."""
    sheets.a("close")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    sheets.a("submit bob --ticket rock")
    sheets.b("submit ann --ticket scissors")
    sheets.b('ruling "admit #9 - her 2 phones died"')
    sheets.alike()
    assert sheets.sheets("a") == {"ann": "--ticket scissors", "bob": None}
    rulings = [e["body"]["args"]["text"] for e in sheets.entries("a") if e["body"]["do"] == "ruling"]
    assert rulings == ["admit #11 - her 2 phones died"]
    # Undone in the copy where it came to, and amended where it came from: both know which sheet is meant.
    sheets.a("undo 12 --yes")
    sheets.alike()
    assert sheets.sheets("b") == {"ann": None, "bob": None}
    sheets.a("redo 13")
    sheets.alike()
    sheets.b('amend 10 "text=admit 12 - it was his phone" --yes')
    sheets.alike()
    assert sheets.sheets("a") == {"ann": None, "bob": "--ticket rock"}
    assert "nothing new" in sheets.a("join b") and "nothing new" in sheets.b("join a")


def test_what_was_admitted_and_is_not_there_admits_nothing_here(sheets: Rounds) -> None:
    """A forced ruling about an entry that is none there lets in no entry that happens to have the number here."""
    sheets.a("close")
    shutil.rmtree("b")
    shutil.copytree("a", "b")
    sheets.b('ruling "admit 11: he will send it" --force')
    sheets.a("note one")
    sheets.a("note two")
    sheets.a("submit bob --ticket rock")
    sheets.a("join b --yes")
    assert sheets.entries("a")[-1]["body"]["args"]["text"] == "admit 0: he will send it"
    assert sheets.sheets("a") == {"ann": None, "bob": None}


@pytest.mark.parametrize("words", ["submit ann --ticket scissors", "go ann scissors", "blank ann"])
def test_a_sheet_of_a_round_that_the_other_has_resolved(sheets: Rounds, words: str) -> None:
    """Ben's late sheet for round 1 is no sheet of round 2: it is contested in both copies until somebody settles it."""
    sheets.a("submit ann --swap")
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket paper")
    sheets.b(words)
    joined = sheets.a("join b --yes -n")
    assert "is contested here: round 2 is on, not round 1" in joined
    sheets.alike()
    assert sheets.sheets("a") == {"ann": "--ticket paper", "bob": None}
    for told in (sheets.a, sheets.b):
        assert "contested" in told("status")


# ---- the same in one copy: a resolve is undone ---------------------------------------------------------------------


def test_sheets_of_the_next_round_leave_this_one_alone_after_an_undo(sheets: Rounds) -> None:
    """Undo a resolve, and the sheets that have come for round 2 do not go over those of round 1."""
    sheets.a("submit ann --ticket scissors")
    sheets.a("submit bob --swap")
    resolved = len(sheets.entries("a")) + 1
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket paper")
    told = sheets.a(f"undo {resolved} -n")
    assert "contested" in told and "round 1 is on, not round 2" in told
    assert "[exit 5]" in sheets.a(f"undo {resolved}"), "it is asked about"
    sheets.a(f"undo {resolved} --yes")
    assert sheets.sheets("a") == {"ann": "--ticket scissors", "bob": "--swap"}
    # Resolved when it was, they are sheets of round 2 again; resolved now, Ann's would have to be sent again.
    told = sheets.a("resolve --yes --early --at -6m")
    assert "Ann goes from Rock to Scissors" in told
    assert sheets.sheets("a") == {"ann": "--ticket paper", "bob": None}


def test_a_sheet_that_gets_another_time_is_for_the_round_of_that_time(sheets: Rounds) -> None:
    """Typed in after the resolve and dated back, it is a sheet of round 1; its other corrections leave its round."""
    sheets.a("status")  # a minute goes by
    sheets.a("resolve --yes --early")
    sheets.a("submit ann --ticket scissors")
    late = len(sheets.entries("a"))
    sheets.a(f"amend {late} ticket=paper --yes")
    amended = sheets.entries("a")[-1]["body"]["args"]["args"]
    assert amended["round"] == "round_2" and sheets.sheets("a")["ann"] == "--ticket paper"
    assert "has no field" in sheets.a(f"amend {late} round=round_1")
    told = sheets.a(f"amend {late} at=-6m --yes")
    assert sheets.entries("a")[-1]["body"]["args"]["args"] == {**amended, "round": "round_1"}, told
    assert sheets.sheets("a")["ann"] is None and "Paper**: Ann" in sheets.a("reveal 1")
