"""Joining: two copies of a log that went on apart come to hold the same, whatever was recorded in each.

The laws are checked in memory, on logs with real chains; what touches the disk: test_join_files.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events import GENESIS, Body, Entry, LedgerError, read_body, write_body, write_instant
from events.entry import link, seal
from games.equilibrium import actions as a
from games.equilibrium.cards import DECK
from games.records import args_of, kebab
from games.registry import load
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.replay import Engine
from ledger.exchange.join import compare
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


def line(action: Any, at: int, by: str = "mara", **more: Any) -> Body:
    return Body(kebab(type(action)), at, by, more.pop("recorded", at), args_of(action), **more)


def counts(match: Match) -> Any:
    """The state and what is contested, without the numbers that entries happen to have here."""
    done = match.fold
    state = done.state
    contested = sorted((o.entry.at, o.entry.do, o.refusal.code) for o in done.contested)
    confirmed = sorted(sorted(hosts) for hosts in done.marks.confirmed.values())
    traded = dict.fromkeys(sorted(state.traded), 0)
    return state._replace(traded=traded), contested, confirmed, done.last, sorted(o.entry.do for o in done.outcomes)


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
            shared.Override(one, "garnets", str(dice.randint(0, 3))),
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
    """docs/log-format.md: (`at`, `seq`), and entries about the log by `seq`; nothing of this page concerns it."""
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
    monkeypatch.setattr("ledger.exchange.join.MAX_JOIN_BYTES", dice.choice([250, 40_000]))  # many entries, or one
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
