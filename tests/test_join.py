"""Joining: two copies of a log that went on apart come to hold the same, whatever was recorded in each.

The laws are checked in memory, on logs with real chains; what touches the disk goes through the command line.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events import GENESIS, Body, Entry, LedgerError, Refused, link, read_body, seal, write_body, write_instant
from games.equilibrium import actions as a
from games.equilibrium.cards import DECK
from games.records import args_of, kebab
from games.registry import load
from games.table import actions as shared
from ledger.join import common_lines, compare
from ledger.match import Match
from ledger.matchfile import setup_bodies
from ledger.recorder import check_amend, check_redo, check_undo
from ledger.replay import Engine

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
    live = [o.live.do for o in done.outcomes if o.live.do != "note"]  # both hosts' remarks on one message are kept
    return state._replace(traded=traded), contested, confirmed, done.last, sorted(live)


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


def law(examples: int) -> Any:
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None, suppress_health_check=quiet)


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
