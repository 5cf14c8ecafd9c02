"""What a player could play now: for the hosts alone, who judge a claim by it. Source: docs/games/marsmatch.md, hint."""

from __future__ import annotations

from events.errors import Refused
from events.record import NamedTuple
from games.contract import Frame
from games.kit.blocks import Block, Heading, Table, text
from games.marsmatch.cards import EMPTY, cards_of, count, joined
from games.marsmatch.combos import beats
from games.marsmatch.finder import formable
from games.marsmatch.names import TYPES, rank_of
from games.marsmatch.state import State
from games.marsmatch.tricks import grammar
from games.marsmatch.view import TrickView, trick_of


class MayPlay(NamedTuple):
    """One reading that the hand can form, and cards that make it."""

    type: str
    groups: int
    attached: str
    rank: str
    cards: tuple[str, ...]


class HintView(NamedTuple):
    """Source: docs/json.md, hint."""

    player: str
    turn: bool
    """Is it his turn?"""
    trick: TrickView | None
    """What is to be beaten; None: he would lead."""
    plays: tuple[MayPlay, ...]


def hint(state: State, player: str) -> HintView:
    """Every reading that this player could play: against the trick, or to lead with.

    Raises:
        Refused: `marsmatch.no_hint`, he takes no part in play now.
    """
    if not state.playing or player not in state.active():
        raise Refused("marsmatch.no_hint", f"{state.table.name(player)} takes no part in play now", "hl board")
    trick, across = state.trick, state.settings.cross_type
    if trick is not None and trick.by == player:
        trick = None
    found = formable(state.hands.get(player, EMPTY), grammar(state, player))
    able = [one for one in found if trick is None or beats(one.reading, trick.reading, cross_type=across)]
    plays = tuple(
        MayPlay(reading.type, reading.groups, reading.attached, rank_of(reading), cards_of(cards))
        for reading, cards in able
    )
    return HintView(player, state.turn == player, trick_of(state) if trick else None, plays)


def report(frame: Frame, shown: HintView) -> list[Block]:
    """One line a shape: the ranks that can be played, and the lowest cards that do."""
    name = frame.names[shown.player]
    against = f"to beat {' '.join(shown.trick.cards)}" if shown.trick else "to lead with"
    blocks: list[Block] = [Heading(f"{name} {against}")]
    rows: dict[str, list[MayPlay]] = {}
    for one in shown.plays:
        rows.setdefault(_shape(one), []).append(one)
    if not rows:
        return [*blocks, text("Nothing: he can only pass.")]
    lines = tuple((shape, " ".join(_ranks(able)), joined(count(able[0].cards))) for shape, able in rows.items())
    return [*blocks, Table(("combination", "ranks", "lowest"), lines)]


def _ranks(able: list[MayPlay]) -> list[str]:
    if able[0].type == "drone":
        return [f"{len(one.cards)}×{one.rank}" for one in able]
    return [one.rank.replace(" ", "+") for one in able]


def _shape(one: MayPlay) -> str:
    many = f", {one.groups} groups" if one.groups > 1 else ""
    more = f" with {one.attached}" if one.attached else ""
    return f"{TYPES[one.type]}{more}{many}"  # type: ignore[index]
