"""The state of a match of Hex Parties and its facts: each with its rule, its words and its effect.

Source: sections 2 to 6, HX-17.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from events.record import NamedTuple
from games.contract import Fact, FactSpec, News, each, fact
from games.hex_parties.actions import Move, Settings, Sides, added, order_of, spelled
from games.hex_parties.board import Cells, Order, Parity, Piece, placed
from games.kinds import Player, count
from games.table import Table, facts as table_facts
from games.table.rounds import RoundOpened, RoundResolved, SubmissionsClosed, counted
from games.table.state import Round
from games.table.view import allowed

GARNETS = {1: 2}
"""Number of players who ended the match -> garnets for each; two or more get 1."""


class Record(NamedTuple):
    number: int
    cells: Mapping[Piece, str] = {}
    parties: tuple[PartyFormed, ...] = ()
    gained: Mapping[str, int] = {}
    points: Mapping[str, int] = {}
    bounced: tuple[PieceBounced, ...] = ()
    illegal: tuple[OrderIllegal, ...] = ()


class State(NamedTuple):
    table: Table
    settings: Settings
    cells: Cells
    """The cell of every piece; before round 1 is resolved, a player's first listed piece is the odd one."""
    points: Mapping[str, int] = each(0)
    used: Mapping[str, tuple[str, ...]] = {}
    """Player -> the bonuses they have used up."""
    now: Record = Record(1)
    results: tuple[Record, ...] = ()
    over: bool = False
    winners: tuple[str, ...] = ()
    reached: tuple[VictoryReached, ...] = ()
    closing: Mapping[str, int] = {}
    """The garnets of each player when play ended, before rewards."""

    @property
    def may_be_won(self) -> bool:
        """Does a victory count in the current round? Source: HX-14."""
        return self.settings.last_round_wins or len(self.results) + 1 < self.settings.max_rounds

    @property
    def number(self) -> int:
        return len(self.results) + (0 if self.over else 1)

    def with_piece(self, player: str, which: Parity, cell: str) -> State:
        return self._replace(cells={**self.cells, (player, which): cell})

    def noting(self, field: str, fact: Fact) -> State:
        """The state with a fact added to that field of the round's record."""
        kept: dict[str, Any] = {field: (*getattr(self.now, field), fact)}
        return self._replace(now=self.now._replace(**kept))

    def reward(self, player: str) -> tuple[int, int]:
        """The garnets that a winner receives, and those that are discarded. Source: HX-19, S-7."""
        garnets = GARNETS.get(len(self.winners), 1)
        received = min(garnets, max(0, self.settings.garnet_cap - self.closing.get(player, 0)))
        return received, garnets - received

    def discarded(self, lost: int) -> str:
        are = "is" if lost == 1 else "are"
        return f"{count(lost, 'garnet')} above the cap of {self.settings.garnet_cap} {are} discarded"


def sides(round_: Round, player: str) -> Sides | None:
    """The choice of the odd piece that counts: the last one; orders and blanks do not affect it."""
    choices = [sheet.content for sheet in counted(round_, player) if isinstance(sheet.content, Sides)]
    return choices[-1] if choices else None


def move(round_: Round, player: str) -> Move | None:
    """The orders that count: the last ones with their additions, unless a blank came later."""
    current: Move | None = None
    for sheet in counted(round_, player):
        if not isinstance(sheet.content, Sides):
            sent, parts = sheet.content, sheet.parts
            current = sent if current is None or sent is None or parts is None else added(current, sent, parts)
    return current


def orders(round_: Round, player: str) -> Order:
    return order_of(move(round_, player))


def on_sheet(content: Sides | Move) -> str:
    return spelled(content) if isinstance(content, Move) else f"the piece on {content.cell} is odd"


def odd_cell(state: State, player: str, choice: Sides) -> str:
    """The present cell of the piece that was chosen as the odd one: a host may have moved it."""
    cell, odd, even = choice.cell, state.cells.get((player, "odd")), state.cells.get((player, "even"))
    if cell in (even, odd):
        return cell
    began = placed(state.settings.start, state.table.players)
    return (even if began.get((player, "even")) == cell else odd) or cell


def with_odd(cells: Cells, player: str, cell: str) -> Cells:
    """The cells with the player's piece on that cell as the odd one."""
    odd, even = cells.get((player, "odd")), cells.get((player, "even"))
    if odd is not None and even is not None:
        return {**cells, (player, "odd"): even, (player, "even"): odd} if cell == even else cells
    now: Parity = "odd" if cell in (odd, even) else "even"  # after a host took a piece off, the other keeps its parity
    return {(player, now) if piece[0] == player else piece: at for piece, at in cells.items()}


def standing_cells(state: State) -> Cells:
    """The cells of all pieces, with the choices of the odd piece that count now."""
    round_ = state.table.round
    if state.results or round_ is None:
        return state.cells
    cells = state.cells
    for player in state.table.players:
        choice = sides(round_, player)
        if choice is not None:
            cells = with_odd(cells, player, odd_cell(state, player, choice))
    return cells


@fact("{rule}", told_only=True)
class OrderFaulty(NamedTuple):
    """As things are, this order or bonus will have no effect. It is told when orders come in, and decides nothing."""

    player: Player
    round: str
    item: Literal["odd", "even", "bonus"]
    to: str
    """The cell, or the name of the bonus."""
    why: str
    rule: str

    def host(self, state: State) -> str:
        item = "the bonus" if self.item == "bonus" else f"the {self.item} piece to"
        return f"as things stand, {state.table.name(self.player)}, {item} {self.to}: {self.why}"


@fact(line="positions")
class ParityChosen(NamedTuple):
    player: Player
    cell: str
    by: Literal["player", "first_listed", "lot"]

    def rule(self, state: State) -> str:
        return "section 2" if self.by == "player" else "HX-9"

    def host(self, state: State) -> str:
        by = {"player": "as chosen", "first_listed": "listed first; no choice came", "lot": "by lot"}[self.by]
        return f"{state.table.name(self.player)}: the piece on {self.cell} is odd ({by})"

    def owner(self, state: State, viewer: str) -> News:
        if self.by == "lot":
            return f"A lot made your piece on {self.cell} the odd one."
        return f"You chose no odd piece: it is the one on {self.cell}." if self.by == "first_listed" else None

    def evolve(self, state: State) -> State:
        return state._replace(cells=with_odd(state.cells, self.player, self.cell))


@fact("HX-3, HX-8", "{player}, {piece} to {to}: illegal, {why}: it stays", "failed_orders")
class OrderIllegal(NamedTuple):
    player: Player
    piece: Parity
    to: str
    why: str

    def owner(self, state: State, viewer: str) -> str:
        """Why it stays tells where pieces are."""
        return f"Your {self.piece} piece stays{_why(state, viewer, self.why)}."

    def evolve(self, state: State) -> State:
        return state.noting("illegal", self)


@fact("HX-7", "{player}, bonus {bonus}: ignored, nothing is paid: {why}", "failed_orders", told_only=True)
class BonusIgnored(NamedTuple):
    player: Player
    bonus: str
    why: str

    def owner(self, state: State, viewer: str) -> str:
        """Why tells where pieces are, what its player holds, or which bonuses they have used."""
        why = _why(state, viewer, self.why, "own_garnets", "bonus_use")
        return f"Your bonus {self.bonus} does not count and costs nothing{why}."


def _why(state: State, viewer: str, why: str, *own: str) -> str:
    """Why an order failed, for who may know where all pieces are, and these lines of their own."""
    may = partial(allowed, state.table, viewer=viewer, over=state.over)
    return f": {why}" if may("positions", owners=()) and all(may(line, owners=(viewer,)) for line in own) else ""


@fact("HX-2, HX-7", line="bonus_use", owner="Your bonus {bonus} is used up.", public="{player} used {bonus}.")
class BonusUsed(NamedTuple):
    player: Player
    bonus: str
    pieces: tuple[str, ...]

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} uses the bonus {self.bonus} for {' and '.join(self.pieces)}"

    def evolve(self, state: State) -> State:
        return state._replace(used={**state.used, self.player: (*state.used.get(self.player, ()), self.bonus)})


@fact("HX-7", "{player}, bonus {bonus}: all its moves bounced, so it is given back", "bonus_use", told_only=True)
class BonusReturned(NamedTuple):
    player: Player
    bonus: str

    def owner(self, state: State, viewer: str) -> str:
        bounced = allowed(state.table, "failed_orders", viewer, (viewer,), over=state.over)
        return f"You get your bonus {self.bonus} back{', because its moves bounced' if bounced else ''}."


@fact("section 3, HX-10", line="failed_orders", owner="Your {piece} piece stays: its move to {to} bounced.")
class PieceBounced(NamedTuple):
    """A piece stays because others wanted its target: `against` lists them as `player piece`."""

    player: Player
    piece: Parity
    to: str
    against: tuple[str, ...]

    def host(self, state: State) -> str:
        others = (word.partition(" ") for word in self.against)
        rivals = ", ".join(f"{state.table.name(player)}'s {which} piece" for player, _, which in others)
        return f"{state.table.name(self.player)}, {self.piece} to {self.to}: bounced with {rivals}: it stays"

    def evolve(self, state: State) -> State:
        return state.noting("bounced", self)


@fact("section 3", "{player}, {piece}: moved from {start} to {to}")
class PieceMoved(NamedTuple):
    player: Player
    piece: Parity
    start: str
    to: str

    def evolve(self, state: State) -> State:
        return state.with_piece(self.player, self.piece, self.to)


@fact("section 4")
class PartyFormed(NamedTuple):
    """Two or more connected pieces, by their cells in reading order."""

    cells: tuple[str, ...]
    scores: Literal["odd", "even", "none"]

    def host(self, state: State) -> str:
        scores = "nobody scores" if self.scores == "none" else f"its {self.scores} pieces score"
        return f"a party of {len(self.cells)} ({' '.join(self.cells)}): {scores}"

    def evolve(self, state: State) -> State:
        return state.noting("parties", self)


@fact("section 4")
class PointsScored(NamedTuple):
    """A player scored with `pieces`, each with its cell and the size of its party: `odd A2 3`."""

    player: Player
    points: int
    pieces: tuple[str, ...]

    def host(self, state: State) -> str:
        parts = []
        for word in self.pieces:
            piece, _, size = word.rpartition(" ")
            parts.append(f"{piece.replace(' ', ' on ')} in a party of {size}")
        return f"{state.table.name(self.player)} scores {count(self.points, 'point')} with {' and '.join(parts)}"

    def evolve(self, state: State) -> State:
        now = state.now._replace(gained={**state.now.gained, self.player: self.points})
        return state._replace(now=now, points={**state.points, self.player: state.points[self.player] + self.points})


@fact("section 5, HX-12")
class VictoryReached(NamedTuple):
    """A piece scored on a victory space of its owner, who had `points` before the round."""

    player: Player
    piece: Parity
    cell: str
    points: int

    @property
    def in_words(self) -> str:
        return f"{self.piece} scored on {self.cell}, with {count(self.points, 'point')} before the round"

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} ends the match: {self.in_words}"

    def evolve(self, state: State) -> State:
        return state._replace(reached=(*state.reached, self))


@fact("section 5, HX-14", "play is over: {why}", "winners")
class PlayEnded(NamedTuple):
    """Play is over: somebody won, or it was the last round. `garnets` are what each player holds before rewards."""

    winners: tuple[Player, ...]
    why: str
    garnets: tuple[tuple[str, int], ...]

    def public(self, state: State) -> str:
        if not self.winners:
            return "That was the last round: nobody has won."
        return f"{state.table.named(self.winners)} scored on a victory space: the match ends."

    def evolve(self, state: State) -> State:
        return state._replace(over=True, winners=self.winners, closing=dict(self.garnets))


def _reward(fact: table_facts.RewardPaid, state: State, viewer: str) -> str:
    won, (_, lost) = fact.reward.garnets, state.reward(viewer)
    sentences = [f"You won {count(won, 'garnet')}."] if won else []
    return " ".join([*sentences, *([f"{state.discarded(lost)}."] if lost else [])])


def _resolved(fact: RoundResolved, state: State) -> State:
    record = state.now._replace(cells=state.cells, points=state.points)
    return state._replace(results=(*state.results, record), now=Record(record.number + 1))


def _amended(fact: table_facts.SettingAmended, state: State) -> State:
    fresh = state.table.status == "setup"
    return state._replace(cells=placed(state.settings.start, state.table.players)) if fresh else state


def piece_placed(fact: table_facts.FieldSet, state: State) -> str:
    """What everybody is told of a piece that a host placed, without its parity until round 1 is resolved."""
    piece = f"the {fact.field} piece" if state.results else "a piece"
    where = "off the board" if fact.value == "none" else f"on {fact.value}"
    return f"A host corrected a position: {piece} of {state.table.name(fact.player)} is {where}."


def stands(facts: tuple[Fact, ...], has_news: bool) -> bool:
    """Is a player also told where they stand? Yes after a round, and after a host set or moved something."""
    by_hosts = (table_facts.FieldSet, table_facts.Moved)
    return any(isinstance(fact, RoundResolved) or (has_news and isinstance(fact, by_hosts)) for fact in facts)


TABLE_FACTS: Mapping[type, FactSpec] = {
    **dict.fromkeys(
        (RoundOpened, SubmissionsClosed, table_facts.PhaseBegan, table_facts.PhaseEnded), FactSpec("section 3")
    ),
    RoundResolved: FactSpec("section 3", evolve=_resolved),
    table_facts.SettingAmended: FactSpec(evolve=_amended),
    table_facts.Moved: FactSpec(
        owner=lambda fact, state, viewer: (
            f"You {'received' if fact.to == viewer else 'paid'} {count(fact.garnets, 'garnet')}."
        )
    ),
    table_facts.RewardPaid: FactSpec(line="own_garnets", owner=_reward),
    table_facts.EliminationFound: FactSpec("section 5, HX-15, HX-16"),
}
