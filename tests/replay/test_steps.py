"""A match told step by step: every entry for the hosts, and for others what they were told or may open, nothing more.

Source: docs/log-format.md, docs/commands.md, docs/reliability.md. The pairs are those of secrecy/, for every game
that has them.
"""

from __future__ import annotations

import json

from events.audiences import EVERYBODY
from games.table.actions import META_VERBS
from ledger.core.match import Match
from ledger.tell import reports
from ledger.tell.steps import readers_in_words, steps_of
from tests.support.lines import at, plays
from tests.support.paper import HOUR, paper
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
            assert told.report(len(told.steps)) == reports.report(played, reports.Shown(known.fold, viewer))


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


READERS = ("host", "public", "ann", "bob", "cyd", "hal")
SHORT = {"first": "trade ann R2 bob B4"}
SHOWS = {
    "typed": lambda here, viewer: [f"{step.typed} /" for step in whole(here.match, viewer).steps],
    "number": lambda here, *words: len(here.json(f"replay --for public {' '.join(words)}")["steps"]),
    "bookmarks": lambda here: [step.entry.seq for step in whole(here.match, "host").steps if step.bookmark],
    **{name: lambda here, path, name=name: at(here.json(f"replay --for {name}"), f"steps{path}") for name in READERS},
}
STEPS = """
what the clock brings is a step of its own: 72 hours after the opening trading is over, however late an entry is
  desk ; first ; +90h ; note 'still here?' ; : host [phase=deciding].at == 2026-03-05T09:03:00.000Z
  : host [phase=deciding] !~ seq ; : host [phase=deciding].known_to == everybody
  : public [phase=deciding].at == 2026-03-05T09:03:00.000Z ; : public [phase=deciding].known_to == everybody
  : cyd [phase=deciding].at == 2026-03-05T09:03:00.000Z ; : cyd [phase=deciding].known_to == everybody
a moment lets the clock run up to it: the end is a step, though no entry came after it
  desk ; first ; +90h ; : number --as-of 2026-03-05T09:02Z == 3 ; : number --as-of 2026-03-05T09:04Z == 4
corrections stand with what they correct
  desk ; trade ann R2 bob R6 ; lock hal ; +1h ; amend 20 take=B4 --yes ; undo 21 --yes ; note 'so he wrote' --about 22
  : host [seq=20].corrections ~ seq 22, what take R6 -> B4 ; : host [seq=20].notes == so he wrote
  : host [seq=20].marks == amended by 22 ; : bookmarks ~ 20 ; : host [seq=21].corrections ~ seq 23, what undone
  : host [seq=21].0.sentences.text == undone, it changes nothing: lock hal ; : host [seq=24] == ; : host [seq=22] ==
  : typed ann ~ trade ann R2 bob B4 / ; : replay --for ann | steps !~ R6 ; : typed hal !~ lock
an undone entry after all others is told
  desk ; first ; lock hal ; undo 21 --yes ; : host .-2.seq == 20 ; : host .-1.seq == 21
  : replay --for host --as-of 20 | steps.-1.seq == 20
who is amended away does not see what it says now, and what was typed first is nobody's
  desk ; first ; amend 20 b=cyd take=R9 --yes ; : typed cyd ~ trade ann R2 cyd R9 / ; : typed bob !~ trade
a contested entry is the hosts' alone
  desk ; trade ann R10 bob B4 --force ; : host .-1.marks ~ contested ; : typed ann !~ trade ; : typed bob !~ trade
  : host .-1.sentences.0.text ~ the rules do not allow it, so it changes nothing: ; : typed public !~ trade
the moment of a hidden entry is told to nobody: who did not lock last learns that trading is over, and not when
  desk ; lock ann ; lock bob ; lock cyd ; lock dan ; lock eve ; lock fox ; lock gil
  lock hal --yes ; : ann [phase=deciding].at == none ; : public [phase=deciding].at == none
  : hal [phase=deciding].at == 2026-03-02T09:11:00.000Z
an entry that nobody is told of is shown as it was typed
  desk ; lock ann ; : ann .-2.sentences.text == recorded: lock ann ; : ann .-2.at == 2026-03-02T09:04:00.000Z
  : typed bob !~ lock ; : bob .-2.typed == open
"""
test_told_step_by_step = plays(STEPS)


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
