"""The draw of Banker and seats, before the cards of a round are dealt. Source: section 2, 1; MM-6.

Randomness: docs/log-format.md.
"""

from __future__ import annotations

from events.errors import Refused
from games.contract import Action, Luck, Moment, Transaction
from games.kit import luck as kit_luck
from games.marsmatch import actions as a
from games.marsmatch import facts as f
from games.marsmatch.facts import State
from games.records import plain
from games.table import prepare as table_prepare
from games.table.rules import must_be_here


def draw(tx: Transaction[State], action: a.Draw, moment: Moment) -> None:
    """The Banker and the seats. Source: section 2, 1; MM-6."""
    state = tx.state
    _must_be_undealt(state)
    if state.banker is not None:
        name = state.table.name(state.banker)
        raise Refused("marsmatch.drawn", f"{name} is Banker already", "hl log")
    if action.banker is None or not action.seats:
        raise Refused("marsmatch.undrawn", "a draw is recorded with Banker and seats", "hl draw")
    seated = table_prepare.as_drawn(state, (action.banker, *action.seats)).table.present
    if sorted(action.seats) != sorted(seated):
        present = state.table.present
        whom = "every player who has not left" if state.table.left else "every player"
        raise Refused("marsmatch.seats", f"the seats name {whom} once", f"hl draw --seats {','.join(present)}")
    tx.emit(f.BankerDrawn(action.banker, action.seats))


def _must_be_undealt(state: State) -> None:
    if state.dealt is not None:
        raise Refused("marsmatch.dealt", "the cards of this round are dealt", "hl log")
    if state.over:
        raise Refused("marsmatch.over", "the match is over", "hl status")


def may_deal(state: State) -> None:
    """Raises `Refused` where the cards are dealt already, or nobody is Banker."""
    _must_be_undealt(state)
    if state.banker is None:
        raise Refused("marsmatch.undrawn", "nobody is Banker yet", "hl draw")


def prepare(state: State, action: a.Draw, luck: Luck) -> tuple[Action, ...]:
    """What was not typed is drawn; but a Banker typed alone takes the seats of the match file."""
    if action.seed is not None:  # amended: it is typed now, and no longer drawn
        typed = action._replace(drawn=None, draw=None, seed=None)
        return (typed if audit(state, action, luck.seq) else action,)
    must_be_here(state.table, *action.seats, *([action.banker] if action.banker is not None else []))
    if action.banker is not None:
        return (action._replace(seats=action.seats or state.table.present),)
    source, seed = {"one": list(action.seats)} if action.seats else {"shuffle": list(state.table.present)}, luck.seed()
    drawn = kit_luck.repeat(source, kit_luck.mix(seed), luck.seq)
    seats = action.seats or drawn
    return (action._replace(banker=drawn[0], seats=seats, drawn=drawn, draw=source, seed=seed.hex()),)


def audit(state: State, action: a.Draw, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded draw of Banker and seats, or None.

    Both: the players who are here are shuffled, the first of them is Banker. The Banker alone: one of the seats.
    """
    if action.seed is None or action.drawn is None:
        return None
    present = table_prepare.as_drawn(state, action.seats).table.present
    both = plain(action.draw) == {"shuffle": list(present)} and action.seats == action.drawn
    if not both and plain(action.draw) != {"one": list(action.seats)}:
        return "it was drawn from something else than the rules say"
    wrong = table_prepare.redrawn(
        action.seed,
        lambda seed: kit_luck.repeat(action.draw or {}, kit_luck.mix(seed), seq),
        action.drawn,
        "another Banker or other seats",
    )
    differs = action.drawn[:1] != (action.banker,)
    return wrong or ("the seed draws another Banker or other seats" if differs else None)
