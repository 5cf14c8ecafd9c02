"""Rounds with clocks and names of their own, and the breaks between them: those that docs/add-a-game.md shows.

A match of four rounds: bids of 24 hours, answers of 6, and 12 hours before bids are taken again.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.contract import Game
from games.parts.build import build
from games.records import kebab
from games.table import actions as shared
from ledger.author.simulation import Trial
from tests.support.guide import PAGE, stated

HOUR = 3_600_000
PEOPLE = ["ann", "bob", "cyd"]
ROUNDS = ("bid_1", "answer_1", "bid_2", "answer_2")
SHOWN = re.compile(r"^  ```python\n(  names=.*?)^  ```$", re.MULTILINE | re.DOTALL)


def game() -> Game:
    """Sealed Bid with the rounds that the page shows."""
    (shown,) = SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    with_breaks = stated()
    assert with_breaks.rounds is not None
    rounds = with_breaks.rounds._replace(**eval(f"dict({shown})"))
    return build(
        with_breaks._replace(
            rounds=rounds, over=lambda state: set(ROUNDS) <= set(state.table.resolved), phases={"p": "-"}
        )
    )


@pytest.fixture
def match() -> Trial:
    """The first answers are resolved: the break has begun."""
    trial = Trial(game(), PEOPLE)
    trial.do(shared.Open())
    for hours in (24, 6):
        trial.do(shared.Resolve(), at=trial.now + hours * HOUR)
    return trial


def said(match: Trial) -> tuple[str, float | None]:
    """The phase, and in how many hours it ends."""
    end = match.game.due(match.state)
    return match.state.table.phase, None if end is None else (end - match.now) / HOUR


def bid(match: Trial) -> Any:
    return match.game.actions[0]("ann", 5)


def test_two_steps_of_a_round_have_clocks_of_their_own() -> None:
    trial = Trial(game(), PEOPLE)
    trial.do(shared.Open())
    assert said(trial) == ("bid_1", 24)
    trial.do(shared.Resolve())
    assert said(trial) == ("answer_1", 6)
    assert not trial.refusal(bid(trial)) and "The answer 1 round" in trial.notice(trial.do(shared.Resolve()), "public")


def test_the_next_round_opens_by_itself(match: Trial) -> None:
    """When the break ends, and not when somebody comes: the clock of the round counts from there."""
    assert said(match) == ("break", 12)
    began = match.now
    match.wait(began + 12 * HOUR - 1)
    assert match.state.table.round is None
    match.wait(began + 13 * HOUR)
    assert said(match) == ("bid_2", 23)
    match.do(shared.Resolve())
    match.do(shared.Resolve())
    assert match.state.table.status == "finished" and not match.game.invariants(match.state)


def test_hosts_move_it_pause_it_and_end_it(match: Trial) -> None:
    """`deadline`, `pause`, `resume`, `close`, as every other end."""
    match.do(shared.Deadline("+3600000"))
    assert said(match) == ("break", 13)
    match.do(shared.Pause())
    assert said(match) == ("break", None)
    match.do(shared.Resume(), at=match.now + 5 * HOUR)
    assert said(match) == ("break", 13)
    match.do(shared.Close())
    assert said(match) == ("bid_2", 24)


def test_what_is_typed_in_it_is_refused_in_words(match: Trial) -> None:
    for action, what, fix in (
        (
            bid(match),
            "it is the break between two rounds; sheets are taken again when the next round opens",
            "add --at TIME if it was sent while a round was open\nhl status",
        ),
        (shared.Open(), "the next round opens by itself after the break", "hl close break"),
        (shared.Resolve(), "there is no round to resolve", "hl status"),
        (
            shared.Reopen("answer_1"),
            "the answer 1 round is not on, so it cannot be reopened; to go back into it, undo its resolve",
            "hl undo last resolve -n",
        ),
    ):
        refused = match.refusal(action)
        assert refused is not None and (refused.what, refused.fix) == (what, fix), kebab(type(action))
    assert match.game.moves(match.state, "ann") == () and match.game.waiting(match.state) == ()


def test_nothing_opens_after_a_break_before_no_round(match: Trial) -> None:
    """Hosts declare the match void in the break: it is over, and stays so."""
    match.do(shared.Declare("void", ()))
    match.wait(match.now + 99 * HOUR)
    assert match.state.table.status == "finished" and match.state.table.round is None


def test_a_rule_may_leave_no_round_to_open() -> None:
    """No end can pass without a fact: the break is over, and nothing begins."""
    made = stated()
    assert made.rounds is not None
    rounds = made.rounds._replace(
        names=lambda state: ROUNDS[: 1 if state.table.phase == "break" else 2], between=lambda state, name: 1
    )
    trial = Trial(build(made._replace(rounds=rounds, over=lambda state: False)), PEOPLE)
    trial.do(shared.Open())
    trial.do(shared.Resolve())
    trial.wait(trial.now + 9 * HOUR)
    assert trial.state.table.round is None and trial.game.due(trial.state) is None


def test_it_is_told_to_hosts_and_players(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the notice, status, view and waiting; and `close break` after its end does not end the round after it."""
    monkeypatch.setattr("games.sealed_bid.GAME", game())
    lines("""saturday sealed_bid ; resolve --yes --early
      resolve --yes --early ~ There is a break now. ~ a break begins
      : told public ~ The next round opens <t:1792872180:F>
      status ~ The break. The next round opens 2026-10-24 22:03:00 CEST. ~ the next end comes in 11 h
      : view --for ann | view.phase == break ; : view --for ann | view.ends == 2026-10-24T20:03:00.000Z
      waiting ~ a break until 2026-10-24 22:03:00 CEST (in 11 h ~ nobody owes anything
      deadline +2h --yes ~ the break ends Sunday 25 October 2026, 00:03 CEST ~ The next round now opens <t:
      pause ; resume ~ The clock runs again. The next round now opens <t:
      3 bid ann 7 ~ it is the break between two rounds ; +20h ; status ~ hl close break ; waiting ~ hl close break
      close break --yes ~ The bid 2 round is open ; bid ann 7 ; verify ~ verified:""")
