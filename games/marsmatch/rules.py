"""The phases of a round, what happens by itself, what hosts may do, and the state after each fact. Source: section 2.

The draw is in draw.py, turns and tricks of the Real Match in tricks.py, the Initial Phase in heaven.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from events.errors import Refused
from events.instants import Instant
from games.contract import Action, Luck, Moment, Transaction
from games.kinds import fold
from games.kit.blocks import Strong
from games.marsmatch import facts as f
from games.marsmatch import tricks
from games.marsmatch.cards import EMPTY, RANKS, compact, count, minus, plus, read_cards, total
from games.marsmatch.heaven import winners
from games.marsmatch.facts import State, Trick
from games.marsmatch.titles import TITLES
from games.parts import CardsDealt, HandDealt, Override
from games.parts.rules import by_the_table
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.endgame import settle
from games.table.prepare import NONE, or_none, signed, with_value, word_or_none

_WINS = re.compile(r"win\s+(\S+?):?(?:\s.*)?", re.DOTALL)


# ---- the phases of a round ---------------------------------------------------------------------------------------


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """The Initial Phase, which plays itself, and the first lead. Source: section 2, 2 and 3; MM-1 to MM-6."""
    state = tx.state
    if state.opened:
        raise Refused("marsmatch.opened", "play of this round has begun already", "hl status")
    if state.banker is None:
        raise Refused("marsmatch.not_dealt", "nobody is Banker yet", "hl draw")
    if state.dealt is None:
        raise Refused("marsmatch.not_dealt", "no cards are dealt yet", "hl deal")
    if state.table.status == "setup":
        tx.emit(table_facts.PhaseBegan("initial", "running", moment.at, None))
    hands = {p: hand for p, hand in state.hands.items() if p not in state.table.left}  # who left wins nothing: MM-32
    tx.emit(*winners(hands, state.order, state.banker, state.settings.snatch))
    tx.emit(table_facts.PhaseEnded("initial", "it plays itself"))
    if not tricks.must_end(tx.state):
        tx.emit(table_facts.PhaseBegan("real", "running", moment.at, None))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """End the round now: who holds cards is a Total Loser. What has ended meanwhile stays as it is."""
    state, phase = tx.state, action.phase
    if phase not in ("initial", "real"):
        by_the_table(tx, action, moment)
    elif phase == "real" and state.playing:
        tricks.end_round(tx, "a host ended it")
    elif not state.opened or phase not in state.table.past:
        raise Refused("marsmatch.not_open", f"the {phase} phase is not being played", "hl open")


def reopen(tx: Transaction[State], action: shared.Reopen, moment: Moment) -> None:
    """Go on with a round that a host ended, or that the settings would not end any more. Source: MM-8."""
    state, phase = tx.state, action.phase
    if phase not in ("initial", "real"):
        by_the_table(tx, action, moment)
        return
    if phase == "initial" or not state.ended or tricks.must_end(state):
        what = "only a round that a host ended can be gone back into"
        raise Refused("marsmatch.reopen", what, "hl log")
    tx.emit(
        table_facts.Reopened(phase),
        f.RoundReopened(state.round),
        table_facts.PhaseBegan("real", "running", moment.at, None),
    )
    tricks.resume(tx, moment)


def prepare_reopen(state: State, action: shared.Reopen, luck: Luck) -> tuple[Action, ...]:
    """Without a phase the round is meant, where it has ended."""
    return (action._replace(phase="real") if action.phase is None and state.ended else action,)


def follow(tx: Transaction[State], moment: Moment) -> None:
    """What happens by itself now: turns of those who left, the end of the round, decisions, the next round."""
    tricks.follow(tx, moment)
    needed = tricks.needed(tx.state)
    while tx.emit_all(settle(tx.state.table, needed, moment.at, over=tx.state.over)):
        pass
    state = tx.state
    if state.ended and not state.over and not needed.needed:
        tx.emit(f.RoundBegan(state.round + 1), table_facts.PhaseBegan("initial", "running", moment.at, None))
    elif not state.opened and state.table.status == "finished" and not state.over:
        tx.emit(table_facts.PhaseBegan("initial", "running", moment.at, None))  # there are more rounds again


def due(state: State) -> Instant | None:
    """The end of a decision. That of a turn is none: a host records that it was reached. Source: MM-25."""
    return state.table._replace(ends=None).next_end() if state.table.decisions else None


# ---- host powers -------------------------------------------------------------------------------------------------


def ruling(tx: Transaction[State], action: shared.Ruling, moment: Moment) -> None:
    """`win PLAYER ...`: a run of three wins, if a host has to judge one of that player. Source: MM-9."""
    state, wins = tx.state, _WINS.fullmatch(action.text.strip())
    player = state.table.directory().spelled().get(fold(wins[1])) if wins else None
    by_the_table(tx, action, moment)
    if player in tricks.open_runs(state):
        tricks.go_out(tx, player, "human_hand", "a host ruled that three plays in a row win")


OVERRIDES: Mapping[str, Override[State]] = {
    "hand": Override(
        '"3 3 10 BJ"|none',
        or_none(lambda typed: " ".join(read_cards(typed))),
        lambda state, player, value: state._replace(
            hands={**state.hands, player: EMPTY if value == NONE else count(value.split())}
        ),
        line="own_hand",
        owner=lambda fact, state, viewer: (
            "A host corrected your hand: ", Strong(compact(state.hands.get(viewer, EMPTY))), "."
        ),
    ),
    "points": Override(
        "N (may be below zero)",
        lambda typed: str(signed(typed.strip())),
        line="points",
        public="A host corrected the score: {player} has {value} points.",
    ),
    "title": Override(
        "|".join([*TITLES, NONE]),
        word_or_none(TITLES, code="marsmatch.title", what="title"),
        lambda state, player, title: state._replace(titles=with_value(state.titles, player, title)),
        line="points",
        public=lambda fact, state: (
            f"A host corrected the score: {state.table.name(fact.player)} has "
            f"{TITLES[fact.value].name if fact.value in TITLES else 'no title'}."
        ),
    ),
}  # fmt: skip
"""What `override` may set."""


# ---- evolve ------------------------------------------------------------------------------------------------------


def _turn(fact: f.TurnBegan, state: State) -> State:
    """The end of a turn is that of the phase, so that a pause moves it: by what is left of the pause, if one is on."""
    table = state.table.begun(state.table.phase, fact.at, fact.ends)
    if not fact.leads:
        return state._replace(table=table, turn=fact.player)
    first = (state.first if state.plays else None) or fact.player  # who left before leading anything was no leader
    return state._replace(table=table, turn=fact.player, leader=fact.player, first=first, orphan=None)


def _played(fact: f.Played, state: State) -> State:
    cards, player = count(fact.cards), fact.player
    return state._replace(
        hands={**state.hands, player: minus(state.hands[player], cards)},
        gone=plus(state.gone, cards),
        trick=Trick(player, cards, fact.reading),
        passed=state.passed if state.settings.pass_locks else frozenset(),
        plays={**state.plays, player: state.plays.get(player, 0) + 1},
        runner=player,
        run=state.run + 1 if state.runner == player else 1,
    )


def _trick_won(fact: f.TrickWon, state: State) -> State:
    table = state.table._replace(ends=None)
    return state._replace(table=table, trick=None, passed=frozenset(), turn=None, orphan=fact.player)


def _out(fact: f.HeavenlyWon | f.WentOut, state: State) -> State:
    player = fact.player
    return state._replace(
        out=state.out if player in state.out else (*state.out, player),
        titles={**state.titles, player: fact.title},
        gained={**state.gained, player: state.gained.get(player, 0) + fact.points},
        points={**state.points, player: state.points.get(player, 0) + fact.points},
    )


def _went_out(fact: f.WentOut, state: State) -> State:
    emptied = state.emptied if any(state.hands[fact.player]) else (*state.emptied, fact.player)
    asked = tuple(run for run in state.asked if run.player != fact.player)
    return _out(fact, state)._replace(emptied=emptied, asked=asked)


def _reopened(fact: f.RoundReopened, state: State) -> State:
    titles = {p: title for p, title in state.titles.items() if title != "total_loser"}
    return state._replace(ended=False, titles=titles)


EVOLVE = {
    f.BankerDrawn: lambda fact, state: state._replace(banker=fact.banker, seats=fact.seats),
    HandDealt: lambda fact, state: state._replace(hands={**state.hands, fact.player: count(fact.cards)}),
    CardsDealt: lambda fact, state: state._replace(dealt=state.hands),
    f.HeavenlyWon: lambda fact, state: _out(fact, state)._replace(heavenly=state.heavenly | {fact.player}),
    table_facts.PhaseEnded: lambda fact, state: state._replace(opened=True) if fact.phase == "initial" else state,
    f.TurnBegan: _turn,
    f.Played: _played,
    f.Passed: lambda fact, state: state._replace(passed=state.passed | {fact.player}),
    f.TrickWon: _trick_won,
    f.LeadNamed: lambda fact, state: state._replace(orphan=None),
    f.RunReached: lambda fact, state: state._replace(asked=(*state.asked, fact)),
    f.WentOut: _went_out,
    f.RoundEnded: lambda fact, state: state._replace(
        ended=True, titles={**state.titles, **dict.fromkeys(fact.losers, "total_loser")}
    ),
    f.RoundReopened: _reopened,
    f.RoundBegan: lambda fact, state: State(
        state.table, state.settings, fact.round, points=state.points, before=state.rounds
    ),
}


def broken(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: cards are conserved, titles and points belong together."""
    if state.dealt is not None:
        now, before = plus(total(state.hands.values()), state.gone), total(state.dealt.values())
        out = any(not any(state.hands.get(p, EMPTY)) for p in state.table.left)  # a host took their cards away: MM-32
        for rank, held, dealt in zip(RANKS, now, before, strict=True):
            if held > dealt or (held != dealt and not out):
                yield f"{held} x {rank} are held or played; {dealt} were dealt"
    yield from (f"{p} is out and holds cards" for p in state.emptied if any(state.hands[p]))
    if state.round == 1:
        for player, points in state.points.items():
            title = state.titles.get(player)
            if points not in (TITLES[title].points if title else (0,)):
                yield f"{player} has {points} points as {TITLES[title].name if title else 'one without title'}"
