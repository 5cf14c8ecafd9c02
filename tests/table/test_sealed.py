"""Sealed rounds (games/table/rounds.py): which sheet counts, who is silent, what is late. Source: S-9, S-10, S-G1."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from events.errors import Refused
from games.contract import Moment
from games.kinds import TEXT_LIMIT, called
from games.records import args_of, fields, kebab, plain
from games.table import actions as shared, rounds, rounds as sealed
from games.table.rounds import SheetSealed
from games.table.state import Round, Seat, Submission, Table

PLAYERS = ("ann", "bob", "cyd")


def table(left: frozenset[str] = frozenset()) -> Table:
    return Table("x", "x", "UTC", ("mara",), {p: Seat(p) for p in PLAYERS}, {}, (), 0, "one", left=left)


def played(*said: tuple[int, str, str, bool], player: str = "ann", admit: tuple[int, ...] = ()) -> Round:
    """A round with these sheets of one player: (entry, kind, content, late)."""
    round_ = Round("one", 0)
    for seq, kind, content, late in said:
        sheet = Submission(seq, seq, content if kind == "sheet" else None, kind, late)  # type: ignore[arg-type]
        round_ = round_.with_sheet(player, sheet)
    for seq in admit:
        round_ = round_.with_admitted(seq)
    return round_


def test_every_short_history():
    """S-9, S-10, S-G1: of up to four sheets the last one in time or admitted counts, written a second time; a
    withdrawal leaves nothing, a blank is not silence, and every sheet is kept."""
    standings = {"sheet": "submitted", "blank": "blank", "withdrawn": "silent"}
    kinds = [*itertools.product(standings, ("in time", "late", "admitted"))]
    for history in itertools.chain.from_iterable(itertools.product(kinds, repeat=size) for size in range(5)):
        said = [(seq, kind, f"c{seq}", when != "in time") for seq, (kind, when) in enumerate(history, start=1)]
        admitted = tuple(seq for seq, (_, when) in enumerate(history, start=1) if when == "admitted")
        round_ = played(*said, admit=admitted)
        kind, content = next(
            ((k, c) for seq, k, c, late in said[::-1] if seq in admitted or not late), ("withdrawn", "")
        )
        assert sealed.content(round_, "ann") == (content if kind == "sheet" else None), history
        assert sealed.standing(round_, "ann") == standings[kind], history
        assert sealed.standing(round_, "bob") == "silent" and len(round_.sheets.get("ann", ())) == len(said)


@pytest.mark.parametrize(
    ("closed", "grace", "at", "late"),
    [
        (None, 0, 10**12, False),
        (1000, 0, 999, False),
        (1000, 0, 1000, True),
        (1000, 5, 5999, False),
        (1000, 5, 6000, True),
    ],
)
def test_late(closed, grace, at, late):
    """S-G1: in time means before the deadline and its grace; half-open; no deadline, no lateness."""
    assert sealed.is_late(Round("one", 0, closed), grace, at) is late


def test_who_owes():
    """S-10, S-G3: the silent; not who said that he submits nothing, not who has left."""
    round_ = played((1, "blank", "", False), player="bob")
    assert rounds.silent(table(), round_) == ("ann", "cyd")
    assert rounds.silent(table(frozenset({"cyd"})), round_) == ("ann",)
    (due, _) = rounds.owed(table()._replace(round=round_, ends=99), "a sheet")
    assert (due.who, due.what, due.since, due.until) == ("ann", "a sheet", 0, 99)


def test_only_a_late_sheet_of_this_round_is_admitted():
    """S-G1: `ruling admit` names a late sheet of the round that is on, once."""
    round_ = played((1, "sheet", "x", False), (2, "sheet", "y", True))
    let_in = sealed.admit(table()._replace(round=round_), "admit 2")
    assert let_in is not None and let_in.player == "ann"
    for seq, one in ((1, round_), (3, round_), (2, played((2, "sheet", "y", True), admit=(2,))), (2, None)):
        with pytest.raises(Refused) as refusal:
            sealed.admit(table()._replace(round=one), f"admit {seq}")
        assert refusal.value.code == "sealed.not_late"


# ---- a sheet names its round (decision 0025) -------------------------------------------------------------------------

LUCK: Any = None
"""No sheet asks for any."""
BY_THEMSELVES = {"bid", "power", "sides", "start"}
"""Their verb or their cards belong to one round alone: in another one they are refused anyhow."""


def on_the_table(match: Any, name: str) -> tuple[Any, dict[str, Any]]:
    """A match with a round on that takes every sheet that names its round, and one of each of these."""
    from games.hex_parties import actions as hexes
    from games.poker_auction import actions as auction
    from games.polar import actions as polar

    play = match(name, players=("a", "b"))
    sheets: dict[str, dict[str, Any]] = {
        "polar": {
            "submit": polar.Submit("a", ("paper",)),
            "go": polar.Go("a", "paper"),
            "swap": polar.Swap("a"),
            "bomb": polar.Bomb("a", "double", "rock"),
            "buy": polar.Buy("a", ("ticket",)),
        },
        "hex_parties": {"move": hexes.Move("a", "")},
        "poker_auction": {"withdraw": auction.Withdraw("a")},
    }
    if name == "polar":
        play.do(shared.Resolve(drawn=("a rock +", "b rock +")))
    if name == "poker_auction":
        play.do(auction.Power("a", 1))
    return play, {**sheets[name], "blank": shared.Blank("a")}


@pytest.mark.parametrize("name", ["hex_parties", "poker_auction", "polar"])
def test_every_sheet_names_its_round(match, name):
    """0025: what is recorded holds the round that is on; no other round takes it, and no host types it."""
    play, sheets = on_the_table(match, name)
    assert {kebab(cls) for cls in play.game.actions} - BY_THEMSELVES == sheets.keys() - {"blank"}
    on = play.state.table.round.name
    for verb, sheet in sheets.items():
        (recorded,) = play.game.prepare(play.state, sheet, LUCK)
        assert recorded.round == on and args_of(recorded)["round"] == on, verb
        (field,) = (field for field in fields(type(sheet)) if field.name == "round")
        assert field.arg.hidden and "round" not in args_of(sheet), verb
        kept = recorded._replace(round="round_7")
        assert play.game.prepare(play.state, kept, LUCK) == (kept,), "it keeps its round"
        refusal = play.refuse(kept, "not_this_round")
        assert refusal.what == f"{called(on)} is on, not round 7" and "hl resolve --at" in refusal.fix, verb


@pytest.mark.parametrize("name", ["hex_parties", "poker_auction", "polar"])
def test_a_sheet_of_an_old_log_is_for_the_round_that_is_on(match, name):
    """0025: before, sheets named no round; what they come to is what a named one does, in the same JSON."""
    for verb in on_the_table(match, name)[1]:
        play, sheets = on_the_table(match, name)
        moment = Moment(play.now, 99)
        (named,) = play.game.prepare(play.state, sheets[verb], LUCK)
        old = play.game.decide(play.state, sheets[verb], moment)
        assert old == play.game.decide(play.state, named, moment), verb
        (sheet,) = (fact for fact in old if isinstance(fact, SheetSealed))
        assert plain(sheet)["round"] == play.state.table.round.name
        assert "round" not in (plain(sheet)["sheet"]["content"] or {}), verb


def test_a_round_that_is_over_says_how_it_can_be_on_again(match):
    """0025: a late sheet of a round that another host has resolved is no sheet of the next one."""
    play, sheets = on_the_table(match, "polar")
    (sheet,) = play.game.prepare(play.state, sheets["submit"], LUCK)
    play.do(shared.Resolve())
    refusal = play.refuse(sheet, "not_this_round")
    assert refusal.what == "round 2 is on, not round 1" and refusal.fix == "hl log --kind resolve"
    assert not play.state.table.round.sheets


def test_a_ruling_in_the_numbers_of_another_copy():
    """0025: only the number of the entry that is let in is another one, and what is written still fits the log."""
    assert rounds.renumbered("admit 9: 9 of 9\nadmit 9", 14) == "admit 14: 9 of 9\nadmit 9"
    assert rounds.renumbered("we admit 9", 14) == "we admit 9" and rounds.let_in("admit 9x") is None
    assert len(rounds.renumbered("admit 9 " + "x" * (TEXT_LIMIT - 8), 14)) == TEXT_LIMIT
