"""Laws over random matches of every game: what ends a phase early, or opens what was closed, is never recorded unasked.

Issue: "What ends a phase before its time, or opens what was secret, is asked about first"; an ordinary entry is not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from events import LedgerError, Unmet
from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import Instant, write_end
from games.contract import Moment
from games.registry import load
from games.table import actions as shared
from ledger.exchange.matchfile import setup_bodies
from ledger.record import corrections, recorder
from ledger.record.plan import Options, nobody
from tests.secrecy.on_paper import Clock, Sheet, remembered
from tests.support.randomly import BEGAN, MINUTE, PEOPLE, SHORT, SIZES, acts, take
from tests.support.sizes import log_number, many

LONGEST = 60
ORDINARY = frozenset({"Note", "Seat", "Open", "Deal"})
"""Verbs that neither end nor open anything: a question about them would be answered blindly."""


def a_match(name: str, chance: random.Random, clock: Clock) -> Iterator[tuple[Sheet, Any]]:
    """A random match of a game, before each thing that happens in it."""
    players = PEOPLE[: chance.randint(*SIZES.get(name, (3, 5)))]
    rows = {p: {"name": p.title(), "garnets": chance.randint(0, 3)} for p in players}
    clock.now = BEGAN
    file = {"game": name, "title": "A law", "zone": "UTC", "hosts": ["mara"], "players": rows}
    settings = {"allow_odd_roster": True, **SHORT.get(name, {})}
    _, bodies = setup_bodies({**file, "settings": settings}, source="match.toml", by=None, now=BEGAN)
    sheet = Sheet(load(name), bodies)
    for action in acts(sheet, players, chance, clock):
        clock.now += MINUTE
        yield sheet, action
        take(sheet, action)
        if len(sheet.book.entries) >= len(bodies) + LONGEST:
            return


def asked(sheet: Sheet, action: Any) -> str | None:
    """The question where nobody answers, None where there is none. Nothing is recorded then; else it is."""
    before = len(sheet.book.entries)
    try:
        recorder.record_actions(sheet, [action], Options("mara"), nobody)
    except Unmet as unmet:
        assert len(sheet.book.entries) == before, "what was asked about is not recorded"
        return unmet.host_only
    return None


def ends_early(before: Any, after: Any, now: int) -> bool:
    """Was the phase on, its end ahead, and is it over? Worked out from the table alone."""
    was, table = before.table, after.table
    end = was.ends
    if was.status != "running" or was.paused is not None or end is None or end <= now or was.round is not None:
        return False
    return bool(table.status in ("deciding", "finished"))


def opened_fields(game: Any, before: Any, after: Any) -> set[tuple[str, str]]:
    """(player, field) that everybody reads now, could not read before, and that was there and was the same."""

    def players(state: Any, viewer: str) -> Any:
        return getattr(game.view(state, viewer), "players", None) or {}

    hosts, was, now = players(before, HOST_VIEWER), players(before, PUBLIC_VIEWER), players(after, PUBLIC_VIEWER)
    found = set()
    for player, record in now.items():
        for field in getattr(record, "_fields", ()):
            there, shown = getattr(hosts.get(player), field, None), getattr(record, field)
            if shown and shown == there and not getattr(was.get(player), field, None):
                found.add((player, field))
    return found


def test_nothing_ends_early_or_opens_unasked(any_game: str, record_property: Any) -> None:
    """Each act of the match is tried without an answer: what was recorded ended nothing early and opened nothing."""
    met = Counter[str]()
    for seed in range(many(3, 100, 6)):
        chance = random.Random(f"openings {any_game} {seed}")
        with Clock() as clock, remembered():
            for sheet, action in a_match(any_game, chance, clock):
                if isinstance(action, shared.Resolve):  # it is there to open, and is shown first
                    continue
                before, _ = sheet.engine.pass_time(
                    sheet.fold.state, Moment(Instant(clock.now), len(sheet.book.entries) + 1)
                )
                copy = sheet.copy()
                if not take(copy, action):
                    continue
                after = copy.fold.state
                opens, early = opened_fields(sheet.game, before, after), ends_early(before, after, clock.now)
                copy = sheet.copy()
                question = asked(copy, action)
                where = f"{any_game}, seed {seed}: {action} after {len(sheet.book.entries)} entries"
                if opens:
                    assert question and "this shows " in question, f"{where} opens {opens}"
                if early:
                    assert question and "this ends " in question, f"{where} ends {before.table.phase}"
                if type(action).__name__ in ORDINARY:
                    assert question is None, f"{where}: {question}"
                met.update(opens=bool(opens), early=early, asked=bool(question), acts=1)
    log_number(record_property, met["acts"])
    assert met["asked"] * 5 < met["acts"], f"a question that always comes is answered blindly: {met}"


def test_a_phase_that_a_host_ends_early_is_asked_about_and_one_in_time_is_not(any_game: str) -> None:
    """`close` at any point of a match: early it is asked about, unless all that a round wants is in; late it is not."""
    met = Counter[str]()
    for seed in range(many(2, 60, 4)):
        chance = random.Random(f"closing {any_game} {seed}")
        with Clock() as clock, remembered():
            for sheet, _ in a_match(any_game, chance, clock):
                table, now = sheet.table, clock.now
                end = table.ends
                if table.status != "running" or end is None or table.decisions or chance.random() < 0.6:
                    continue
                for ahead in (True, False):
                    copy = sheet.copy()
                    clock.now = now if ahead else end + MINUTE
                    owing = bool(sheet.game.waiting(copy.fold.state))
                    try:
                        question = asked(copy, shared.Close())
                    except LedgerError:
                        continue
                    finally:
                        clock.now = now
                    where = f"{any_game}, seed {seed}, after {len(sheet.book.entries)} entries: {question}"
                    if not ahead:
                        assert question is None, where
                    elif end > now and (table.round is None or (owing and table.round.closed is None)):
                        assert question and "this ends " in question, where
                        met["early"] += 1
    assert met["early"] or any_game in ("freeform", "marsmatch"), "no phase was ever ended early"


def test_a_slow_answer_is_asked_once(name: str = "equilibrium") -> None:
    """The clock goes on while the host thinks: the question is still the same."""
    questions: list[str] = []
    with Clock() as clock, remembered():
        for sheet, action in a_match(name, random.Random(1), clock):
            if sheet.table.phase != "trading" or isinstance(action, shared.Close):
                continue

            def slowly(question: str, clock: Clock = clock) -> bool:
                questions.append(question)
                clock.now += 3 * MINUTE
                return True

            recorder.record_actions(sheet, [shared.Close()], Options("mara"), slowly)
            break
    assert len(questions) == 1 and "this ends trading now" in questions[0]


def test_the_last_lock_and_the_last_who_leaves_are_asked_about_and_no_other() -> None:
    """One keystroke more, and only for the lock that ends the match. Source: EQ-17."""
    from games.equilibrium.actions import Lock

    with Clock() as clock, remembered():
        for sheet, _ in a_match("equilibrium", random.Random(2), clock):
            if sheet.table.phase == "trading":
                break
        *others, last = sheet.table.players
        for player in others:
            assert asked(sheet, Lock(player)) is None
        for action in (Lock(last), shared.Drop(last)):
            question = asked(sheet, action)
            assert question and "this ends trading now" in question and "this shows everybody" in question
            assert "hand" in question and sheet.table.status == "running"


def test_a_correction_that_opens_again_is_asked_about() -> None:
    """`redo` of an early end that was undone shows every hand again, and `undo` of an extension ends trading sooner."""
    with Clock() as clock, remembered():
        for sheet, _ in a_match("equilibrium", random.Random(3), clock):
            if sheet.table.phase == "trading":
                break
        assert take(sheet, shared.Deadline(write_end(Instant(sheet.table.ends + 6 * 60 * MINUTE))))
        moved = len(sheet.book.entries)
        with pytest.raises(Unmet) as unmet:
            corrections.undo(sheet, moved, Options("mara"), nobody)
        assert "this ends trading " in unmet.value.host_only and "this shows" not in unmet.value.host_only
        assert take(sheet, shared.Close())
        corrections.undo(sheet, moved + 1, Options("mara", yes=True), nobody)
        with pytest.raises(Unmet) as unmet:
            corrections.redo(sheet, moved + 2, Options("mara"), nobody)
        assert "this ends trading now" in unmet.value.host_only and "this shows everybody" in unmet.value.host_only
