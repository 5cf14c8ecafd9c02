"""A match told step by step: every entry for the hosts, and for others what they were told or may open, nothing more.

Source: docs/log-format.md, docs/commands.md, docs/reliability.md. The pairs are those of secrecy/, for every game
that has them.
"""

from __future__ import annotations

import json

from events import write_instant
from events.audiences import EVERYBODY
from games.table.actions import META_VERBS
from ledger.core.match import Match
from ledger.tell import reports
from ledger.tell.steps import readers_in_words, steps_of
from tests.support.paper import BEGAN, HANDS, HOUR, TRADE, paper
from tests.support.replaying import whole


def viewers(match: Match) -> list[str]:
    return ["host", "public", *match.table.seats]


# ---- what every replay is ------------------------------------------------------------------------------------------


def test_steps_are_numbered_by_themselves_and_end_as_the_match_stands(played: Match) -> None:
    for viewer in viewers(played):
        told = whole(played, viewer)
        assert [step.number for step in told.steps] == list(range(1, len(told.steps) + 1))
        last = len(told.steps)
        point = reports.Shown(played.fold, viewer)
        assert told.report(last) == reports.report(played, point)
        assert told.board(last) == reports.board(played, point)
        assert told.view(last) == played.game.view(played.fold.state, viewer)
        for step in told.steps:
            assert told.report(step.number) is told.report(step.number), "a picture is drawn once"
            json.dumps(step.as_json())


def test_the_hosts_see_every_entry_once(played: Match) -> None:
    """Struck ones too; those about the log, and remarks about an entry, stand with the entry they are about."""
    told = whole(played, "host")
    shown = [step.entry.seq for step in told.steps if step.entry]
    bodies = {entry.seq: entry.body for entry in played.book.entries}
    beside = {
        seq for seq, body in bodies.items()
        if body.do in META_VERBS or (body.do == "note" and "about" in body.args)
    }  # fmt: skip
    assert sorted(shown) == [seq for seq in bodies if seq not in beside]
    remarks = {body.args["text"] for body in bodies.values() if body.do == "note" and "about" in body.args}
    assert {note for step in told.steps if step.entry for note in step.entry.notes} == remarks
    assert all(step.sentences and step.at is not None for step in told.steps)
    later = [step.at or 0 for step in told.steps if step.entry and not played.fold.layout.is_setup(step.entry.seq)]
    assert later == sorted(later)


def test_others_learn_nothing_of_the_log(played: Match) -> None:
    for viewer in viewers(played)[1:]:
        told = whole(played, viewer)
        assert all(step.entry is None and not step.bookmark for step in told.steps)
        text = json.dumps([step.as_json() for step in told.steps])
        assert "CANARY" not in text
        for key in ("seq", "recorded", "by", "marks", "rule", "notes", "corrections"):
            assert f'"{key}":' not in text
        assert told.steps[-1].at is None and not told.steps[-1].sentences


def test_rounds_and_phases_are_marked(played: Match) -> None:
    """Each resolved round in one step, with its text; the first step has a phase, and so has the end."""
    for viewer in viewers(played):
        told = whole(played, viewer)
        resolved = [o.entry.args["round"] for o in played.fold.outcomes if o.entry.do == "resolve"]
        marked = [step for step in told.steps if step.round]
        assert [step.round for step in marked] == resolved
        assert len({bool(told.rounds(step.number)) for step in marked}) <= 1, "a game tells of its rounds, or does not"
        assert told.rounds(1) == []
        phases = [step.phase for step in told.steps if step.phase]
        assert len(until := phases[: phases.index("finished") + 1]) == len({*until}), "until hosts went on"


# ---- points, corrections, the clock --------------------------------------------------------------------------------


def test_known_at_an_entry_tells_what_was_known_then(played: Match) -> None:
    """`--known N` for every tenth entry: the pictures at the end are those of that fold."""
    for seq in range(1, len(played.book.entries) + 1, 10):
        known = played.as_known(seq)
        for viewer in ("host", "public"):
            told = steps_of(known, known.fold, viewer)
            assert told.report(len(told.steps)) == reports.report(known, reports.Shown(known.fold, viewer))


def test_as_of_an_entry_ends_there(played: Match) -> None:
    seqs = [o.entry.seq for o in played.fold.outcomes]
    for seq in seqs[:: max(1, len(seqs) // 6)]:
        point = reports.at_point(played, "host", as_of=str(seq), known=None, now=0)
        told = steps_of(played, point.fold, "host")
        shown = [step.entry.seq for step in told.steps if step.entry]
        folded = {1, *(o.entry.seq for o in point.fold.outcomes)}
        assert set(shown) - folded <= set(played.fold.marks.struck)
        assert all("about" in played.book.entries[other - 1].body.args for other in folded - set(shown))
        assert told.report(len(told.steps)) == reports.report(played, point)


def test_what_the_clock_brings_is_a_step_of_its_own() -> None:
    """72 hours after the opening trading is over, whichever entry comes next, however late."""
    match = paper((2 * HOUR, "trade", TRADE), (90 * HOUR, "note", {"text": "still here?"}))
    for viewer, known in (("host", "everybody"), ("public", "everybody"), ("p3", "everybody")):
        told = whole(match, viewer)
        over = next(step for step in told.steps if step.phase in ("deciding", "finished"))
        assert over.at == BEGAN + 73 * HOUR and over.entry is None
        assert over.known_to == known
        assert over.phase == match.table.phase


def test_a_moment_lets_the_clock_run_up_to_it() -> None:
    """`--as-of TIME` after the end: the end is a step, though no entry came after it."""
    match = paper((2 * HOUR, "trade", TRADE))
    before, after = (
        reports.at_point(match, "public", as_of=write_instant(BEGAN + hours * HOUR), known=None, now=BEGAN + 99 * HOUR)
        for hours in (72, 74)
    )
    assert len(steps_of(match, before.fold, "public").steps) + 1 == len(steps_of(match, after.fold, "public").steps)


def test_corrections_stand_with_what_they_correct() -> None:
    match = paper(
        (2 * HOUR, "trade", TRADE),
        (3 * HOUR, "lock", {"player": "p5"}),
        (80 * HOUR, "amend", {"target": 20, "args": {**TRADE, "take": "R4"}}),
        (80 * HOUR, "undo", {"target": 21}),
        (80 * HOUR, "note", {"text": "he wrote R4", "about": 22}),
    )
    told = {step.entry.seq: step for step in whole(match, "host").steps if step.entry}
    assert [(c.seq, c.what) for c in told[20].entry.corrections] == [(22, "take B4 -> R4")]  # type: ignore[union-attr]
    assert told[20].entry.notes == ("he wrote R4",) and told[20].bookmark  # type: ignore[union-attr]
    assert told[20].entry.marks == ("amended by 22",)  # type: ignore[union-attr]
    assert [(c.seq, c.what) for c in told[21].entry.corrections] == [(23, "undone")]  # type: ignore[union-attr]
    assert told[21].sentences[0].text == "undone, it changes nothing: lock p5"
    assert 24 not in told
    text = json.dumps([step.as_json() for step in whole(match, "p1").steps])
    assert "received R4" in text and "B4" not in text.replace("B4 R5 B5", "")
    assert "lock p5" not in json.dumps([step.as_json() for step in whole(match, "p5").steps][1:])


def test_an_undone_entry_after_all_others_is_told() -> None:
    match = paper((2 * HOUR, "trade", TRADE), (3 * HOUR, "lock", {"player": "p5"}), (80 * HOUR, "undo", {"target": 21}))
    assert [step.entry and step.entry.seq for step in whole(match, "host").steps[-2:]] == [20, 21]
    point = reports.at_point(match, "host", as_of="20", known=None, now=0)
    assert steps_of(match, point.fold, "host").steps[-1].entry.seq == 20  # type: ignore[union-attr]


def test_who_is_amended_away_does_not_see_what_it_says_now() -> None:
    """That the trade is somebody else's is not theirs to know, and what was typed first is nobody's."""
    now = {"a": "p1", "give": "R3", "b": "p3", "take": "R4"}
    rows = ((2 * HOUR, "trade", TRADE), (80 * HOUR, "amend", {"target": 20, "args": now}))
    assert "trade p1 R3 p3 R4" in [step.typed for step in whole(paper(*rows), "p3").steps]
    assert "trade" not in json.dumps([step.as_json() for step in whole(paper(*rows), "p2").steps])


def test_a_contested_entry_is_the_hosts_alone() -> None:
    match = paper((2 * HOUR, "trade", {**TRADE, "give": "R10"}))
    told = whole(match, "host").steps[-1]
    assert told.entry and "contested" in told.entry.marks
    assert told.sentences[0].text.startswith("the rules do not allow it, so it changes nothing:")
    for viewer in ("p1", "p2", "public"):
        assert not any("R10" in step.typed for step in whole(match, viewer).steps)


def test_the_moment_of_a_hidden_entry_is_told_to_nobody() -> None:
    """The last lock ends trading. Who did not lock last learns that, and not to the millisecond when."""
    locks = [(2 * HOUR + i, "lock", {"player": p}) for i, p in enumerate(HANDS)]
    match = paper(*locks)
    for viewer, at in (("p1", None), ("public", None), ("p8", BEGAN + 2 * HOUR + 7)):
        over = next(step for step in whole(match, viewer).steps if any("over" in s.text for s in step.sentences))
        assert over.at == at


def test_an_entry_that_nobody_is_told_of_is_shown_as_it_was_typed() -> None:
    match = paper((2 * HOUR, "lock", {"player": "p1"}))
    assert whole(match, "p1").steps[-2].sentences[0].text == "recorded: lock p1"
    assert whole(match, "p1").steps[-2].at == BEGAN + 2 * HOUR
    assert len(whole(match, "p2").steps) + 1 == len(whole(match, "p1").steps)


def test_remarks_are_the_hosts_whatever_a_game_says() -> None:
    """A note may hold anything: no game can open one."""
    match = paper((2 * HOUR, "note", {"text": "CANARY"}), (3 * HOUR, "ruling", {"text": "CANARY"}))
    match.game = match.game._replace(audience=lambda state, action: EVERYBODY)
    assert "CANARY" not in json.dumps([step.as_json() for step in whole(match, "public").steps])
    assert "CANARY" in json.dumps([step.as_json() for step in whole(match, "host").steps])


def test_audiences_in_words() -> None:
    from events.audiences import EVERYBODY_AFTER_END, HOST, Audience

    named = " and ".join
    several = (HOST, EVERYBODY, EVERYBODY_AFTER_END, Audience.only("ann", "bob"))
    assert [readers_in_words(a, named) for a in several] == [
        "the hosts", "everybody", "everybody after the end", "ann and bob",
    ]  # fmt: skip
    assert readers_in_words(Audience(("ann",), after_end=True), named) == "ann, everybody after the end"
