"""A law over random matches of every game: who leaves, comes back or is replaced, recorded in time or late, or undone.

`drop`, its undo and `replace` are put at every position of a match. Recorded in time, all that follows is typed anew
and taken or refused; recorded late, what was taken before stands or becomes contested. Both give the same state, views
and texts, and what is contested in one is refused in the other. An undo gives back the match that was. What was drawn
or dealt is luck, and falls as it fell. `HL_FULL=1` plays more matches and looks at every position. Source: S-G3.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from events import Body
from events.audiences import PUBLIC_VIEWER
from games.table import actions as shared
from ledger.record import corrections, recorder
from ledger.record.plan import Options
from ledger.tell.outbox import outbox
from ledger.tell.texts import texts_now
from tests.secrecy.on_paper import Clock, Sheet, remembered
from tests.support.randomly import MINUTE, Played, drawn, play, take, yes
from tests.support.sizes import FULL, log_number, many


class Change(NamedTuple):
    """What stands after the entry of that number."""

    after: int
    action: Any

    def at(self, bodies: Sequence[Body]) -> int:
        """A second after that entry."""
        return bodies[self.after - 1].at + 1_000


def with_gaps(match: Played, changes: Sequence[Change]) -> list[Body]:
    """The match with a note in place of each change, so that all other entries have the same number."""
    bodies: list[Body] = []
    for place, body in enumerate(match.bodies, 1):
        bodies.append(moved(body, changes))
        bodies += [note(change.at(match.bodies)) for change in changes if change.after == place]
    return bodies


def moved(body: Body, changes: Sequence[Change]) -> Body:
    """Of a batch that stands behind a change the number of its first entry is another one."""
    first = body.batch
    return body if first is None else body._replace(batch=first + sum(change.after < first for change in changes))


def note(at: int) -> Body:
    return Body("note", at, "mara", at, {"text": "-"})


def recorded_late(match: Played, changes: Sequence[Change], clock: Clock) -> Sheet:
    """First the whole match, then the changes, each with its earlier time."""
    sheet = Sheet(match.game, with_gaps(match, changes))
    clock.now = match.bodies[-1].at + MINUTE
    for change in changes:
        assert take(sheet, change.action, change.at(match.bodies)), change
    return sheet


def recorded_in_time(match: Played, changes: Sequence[Change], clock: Clock) -> tuple[Sheet, set[int]]:
    """Everything is typed in its order; and the entries that the rules then refuse."""
    start = min(change.after for change in changes)
    sheet, refused = Sheet(match.game, match.bodies[:start]), set()
    for place in range(start, len(match.bodies) + 1):
        if place > start:
            body = match.bodies[place - 1]
            clock.now = body.at
            before = [entry.body for entry in sheet.book.entries]
            if body.do == "hand" or body.args.get("seed") is not None:
                sheet = Sheet(match.game, [*before, moved(body, changes)])
                taken = sheet.fold.outcomes[-1].refusal is None
            else:
                taken = take(sheet, sheet.engine.read(body.do, body.args, sheet.table))
            if not taken:
                refused.add(len(before) + 1)
                sheet = Sheet(match.game, [*before, note(body.at)])
        for change in changes:
            if change.after == place:
                clock.now = change.at(match.bodies)
                assert take(sheet, change.action), change
    return sheet, refused


def known(sheet: Sheet) -> Any:
    """The state, and what each audience is shown of it."""
    state, game = sheet.fold.state, sheet.game
    viewers = ("host", PUBLIC_VIEWER, *state.table.seats)
    state = state._replace(table=state.table._replace(game_id=""))
    return state, [(game.view(state, v), game.result(state, v)) for v in viewers], said(sheet)


def said(sheet: Sheet) -> list[tuple[int, str, Any]]:
    """Every text, in order: when, to whom, what."""
    return [(item.at, item.audience, item.notice) for item in texts_now(sheet).values()]


def check(sheet: Sheet, match: Played) -> None:
    """Who has left is asked nothing, told nothing, and marked."""
    state, table = sheet.fold.state, sheet.table
    assert list(sheet.game.invariants(state)) == []
    left = set(table.left)
    assert not left & {due.who for due in sheet.game.waiting(state)}
    for decision in table.decisions:
        assert not left & set(decision.who) or decision.kind == "vote", decision
        assert not left & set(decision.among) or left >= set(decision.among), decision
    assert not [item for item in outbox(sheet).waiting if item.audience in left]
    for viewer in ("host", PUBLIC_VIEWER, *table.seats):
        view, result = sheet.game.view(state, viewer), sheet.game.result(state, viewer)
        for draw in (sheet.game.report, sheet.game.scores, sheet.game.board):
            draw(sheet.frame(state, viewer), view, result)


def differs(one: Sheet, other: Sheet) -> list[str]:
    """In which parts of what is known they differ."""
    first, second = known(one), known(other)
    parts = ("state", "views", "texts")
    return [part for part, a, b in zip(parts, first, second, strict=True) if a != b and not as_late(part, a, b)]


ASKED = re.compile(r"You choose|You may vote|You won a second|.* (is next|leads)\b")


def as_late(part: str, one: Any, other: Any) -> bool:
    """Do these texts differ only in how one stands, where one says that it was recorded late, and in a question or a
    turn that is over by then? A text of such questions alone is not told late."""
    if part != "texts":
        return False
    both = {row[:2] for row in one} & {row[:2] for row in other}
    one, other = ([row for row in rows if row[:2] in both or not_asked(row[2])] for rows in (one, other))
    if [row[:2] for row in one] != [row[:2] for row in other]:
        return False
    for (*_, told), (*_, others) in zip(one, other, strict=True):
        late = any("This was recorded late" in str(said.below[:1]) for said in (told, others))
        if not_asked(told) != not_asked(others) or not (late or told.below == others.below):
            return False
    return True


def not_asked(said: Any) -> list[Any]:
    return [line for line in said.lines if not ASKED.match(str(line[0]))]


def test_in_time_or_late_is_the_same(any_game: str, record_property: Any) -> None:
    """`drop` and `replace` at every position; quick: some positions of a match of each game."""
    tried = 0
    for seed, chance, clock, match in drawn("", any_game, many(1, 8)):
        places = range(match.setup, len(match.bodies) + 1)
        for place in places if FULL else chance.sample(places, min(4, len(places))):
            gone = chance.choice([body.args["player"] for body in match.bodies if body.do == "seat"])
            changes = [Change(place, shared.Drop(gone))]
            if chance.random() < 0.5:
                opened = next(n for n, body in enumerate(match.bodies) if body.do == "open")  # then no seat is left
                last = opened if place <= opened else len(match.bodies)
                changes.append(Change(chance.randint(place, last), shared.Replace(gone, "Zoe")))
            late = recorded_late(match, changes, clock)
            timely, refused = recorded_in_time(match, changes, clock)
            where = f"{any_game}, seed {seed}: {changes}"
            assert {outcome.entry.seq for outcome in late.fold.contested} == refused, where
            assert differs(late, timely) == [], where
            check(late, match)
            tried += 1
    log_number(record_property, tried)


def test_an_undo_gives_back_the_match_that_was(any_game: str) -> None:
    """At once or at the very end, of a drop in time or late: as if nobody had left."""
    for seed, chance, clock, match in drawn("undo ", any_game, many(1, 8)):
        places = range(match.setup, len(match.bodies) + 1)
        for place in places if FULL else chance.sample(places, min(3, len(places))):
            gone = chance.choice([body.args["player"] for body in match.bodies if body.do == "seat"])
            change = Change(place, shared.Drop(gone))
            plain = Sheet(match.game, with_gaps(match, [change]))
            late = recorded_late(match, [change], clock)
            undo(late, len(late.book.entries))
            early = Sheet(match.game, match.bodies[:place])
            clock.now = change.at(match.bodies)
            assert take(early, change.action)
            rest = [moved(body, [change]) for body in match.bodies[place:]]
            early = Sheet(match.game, [*(e.body for e in early.book.entries), *rest])
            clock.now = match.bodies[-1].at + MINUTE
            undo(early, place + 1)
            for sheet in (late, early):
                assert differs(plain, sheet) == [] and not sheet.fold.contested, f"seed {seed}: {change}"


def undo(sheet: Sheet, seq: int) -> None:
    entry = shared.Undo(seq)
    recorder.correct(sheet, entry, Options("mara", yes=True), yes, lambda m: corrections.check_undo(m, seq))


def test_the_law_can_fail() -> None:
    """Another player who leaves, or another position, is another match."""
    with Clock() as clock, remembered():
        match = play("polar", random.Random(1), clock)
        changes = [[Change(match.setup + 3, shared.Drop(who))] for who in ("ann", "bob")]
        one, other = (recorded_late(match, change, clock) for change in changes)
    assert differs(one, other) == ["state", "views", "texts"]
