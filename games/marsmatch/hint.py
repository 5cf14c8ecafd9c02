"""What a player could play now: for the hosts alone, who judge a claim by it. Source: docs/games/marsmatch.md, hint.

And what can be done now, for completion and simulated matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from events.errors import Refused
from events.record import NamedTuple
from games.contract import Action, Frame
from games.kit.blocks import Block, Heading, Table, text
from games.marsmatch import actions as a
from games.marsmatch.cards import EMPTY, cards_of, count, in_words, joined
from games.marsmatch.combos import beats
from games.marsmatch.finder import formable
from games.marsmatch.names import TYPES, rank_of, spelled
from games.marsmatch.facts import State
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
    """Is it their turn?"""
    trick: TrickView | None
    """What is to be beaten; None: they would lead."""
    plays: tuple[MayPlay, ...]


def hint(state: State, player: str) -> HintView:
    """Every reading that this player could play: against the trick, or to lead with.

    Raises:
        Refused: `marsmatch.no_hint`, they take no part in play now.
    """
    if not state.playing or player not in state.active():
        raise Refused("marsmatch.no_hint", f"{state.table.name(player)} takes no part in play now", "hl board")
    trick, across = state.trick, state.settings.cross_type
    if trick is not None and trick.by == player:
        trick = None
    formed = formable(state.hands.get(player, EMPTY), grammar(state, player))
    able = [combo for combo in formed if trick is None or beats(combo.reading, trick.reading, cross_type=across)]
    plays = tuple(MayPlay(r.type, r.groups, r.attached, rank_of(r), cards_of(cards)) for r, cards in able)
    return HintView(player, state.turn == player, trick_of(state) if trick else None, plays)


def report(frame: Frame, view: HintView) -> list[Block]:
    """One line a shape: the ranks that can be played, and the lowest cards that do."""
    name = frame.names[view.player]
    against = f"to beat {' '.join(view.trick.cards)}" if view.trick else "to lead with"
    rows: dict[str, list[MayPlay]] = {}
    for play in view.plays:
        rows.setdefault(_shape(play), []).append(play)
    lines = tuple((shape, " ".join(map(_rank, able)), joined(count(able[0].cards))) for shape, able in rows.items())
    table = Table(("combination", "ranks", "lowest"), lines) if rows else text("Nothing: only a pass.")
    return [Heading(f"{name} {against}"), table]


def _rank(play: MayPlay) -> str:
    return f"{len(play.cards)}×{play.rank}" if play.type == "drone" else play.rank.replace(" ", "+")


def _shape(play: MayPlay) -> str:
    many = f", {play.groups} groups" if play.groups > 1 else ""
    attached = f" with {play.attached}" if play.attached else ""
    return f"{TYPES[play.type]}{attached}{many}"  # type: ignore[index]


def moves(state: State, player: str) -> Iterator[Action]:
    """To pass, to let the time pass, and every reading that the hand can form, with the lowest cards that do."""
    if player == state.turn:
        yield from (a.Pass(player), a.Timeout(player))
        formed = formable(state.hands.get(player, EMPTY), grammar(state, player))
        yield from (a.Play(player, in_words(cards), spelled(reading)) for reading, cards in formed)


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Whose turn it is, the cards that player holds. Source: `games.contract.Game.suggest`."""
    if action in (a.Play, a.Pass, a.Timeout) and field == "player":
        return (state.turn,) if state.playing and state.turn is not None else ()
    if action is a.Play and field == "cards":
        return tuple(dict.fromkeys(cards_of(state.hands.get(words.get("player", ""), EMPTY))))
    return ()
