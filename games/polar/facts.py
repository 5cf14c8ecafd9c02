"""The state of a match of Polar RPS Party and its facts: each with its rule, its words and its effect.

Source: sections 1 to 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.record import NamedTuple
from games.contract import OWN, FactSpec, News, each, fact
from games.kinds import Player, count
from games.parts.rules import number_of
from games.polar.actions import BEATEN_BY, BEATS, BOMBS, Settings, bomb_name, item_name, kind_of
from games.table import Table, facts as table_facts
from games.table.rounds import RoundOpened, RoundResolved, SheetDropped, SheetSealed, SubmissionsClosed
from games.table.view import allowed

PREGAME = "pregame"
TICKETS = 4
SWAPS = 2
FIRST_BOMBS = 2
"""The number of bombs with which a player begins. Source: section 1."""
SECOND = "token:second"
"""The subject of the choice among tied second places."""
PRICE = "section 4, PL-6"
"""The rule of paying for a purchase."""
UNPAID = "PL-7"
NOT_SOLD = f"nothing is sold in the {PREGAME}"
REASON_LINES = {
    **{f"no {what} left": f"{what}s" for what in ("ticket", "swap")},
    **{f"no {bomb_name(bomb)} left": "bombs" for bomb in BOMBS},
    "already in that room": "rooms",
}
"""Why an item cannot be used -> the line that must be open for its player to be told."""


class Held(NamedTuple):
    """What a player has. `room` and `sign` are "" before the pregame is resolved."""

    room: str = ""
    sign: str = ""
    points: int = 0
    tickets: int = TICKETS
    swaps: int = SWAPS
    bombs: Mapping[str, int] = {}
    bought: Mapping[str, int] = {}
    """Kind (`ticket swap bomb`) -> how many the player has bought."""


class Played(NamedTuple):
    """A resolved round; number 0 is the pregame, which is not scored."""

    number: int
    rooms: Mapping[str, str] = {}
    """Player -> room, after the moves."""
    signs: Mapping[str, str] = {}
    bombs: Mapping[str, Mapping[str, int]] = {}
    """Room -> bomb -> how many; rooms without bombs are left out."""
    users: Mapping[str, tuple[str, str]] = {}
    """Player -> (bomb, room). Secret."""
    scores: Mapping[str, int] = {}
    totals: Mapping[str, int] = {}
    void: Mapping[str, tuple[ItemVoid, ...]] = {}
    """Player -> the items of the sheet that did not count, with the reasons. Secret."""


class State(NamedTuple):
    table: Table
    settings: Settings
    players: Mapping[str, Held] = each(Held())
    history: tuple[Played, ...] = ()
    now: Played = Played(0)

    @property
    def over(self) -> bool:
        return f"round_{self.settings.rounds}" in self.table.resolved

    def may(self, line: str, viewer: str, owner: str) -> bool:
        return allowed(self.table, line, viewer, (owner,), over=self.over)

    def holds(self, player: str, **changed: Any) -> State:
        return self._replace(players={**self.players, player: self.players[player]._replace(**changed)})


def counts(items: Sequence[str]) -> Mapping[str, int]:
    """Bomb -> how many, in the order of the printed list."""
    return {bomb: items.count(bomb) for bomb in BOMBS if bomb in items}


def added(held: Mapping[str, int], extra: Mapping[str, int]) -> dict[str, int]:
    """The sum of two counts of bombs without zeros, in the printed order."""
    total = {bomb: held.get(bomb, 0) + extra.get(bomb, 0) for bomb in BOMBS}
    return {bomb: n for bomb, n in total.items() if n}


@fact(line=OWN)
class Placed(NamedTuple):
    """A player begins in a room with a sign; a lot decided those named in `drawn`."""

    player: Player
    room: str
    sign: str
    bombs: tuple[str, ...]
    drawn: tuple[str, ...]

    def rule(self, state: State) -> str:
        return "section 1, PL-3" if self.drawn else "section 1"

    def host(self, state: State) -> str:
        counted = {bomb: self.bombs.count(bomb) for bomb in self.bombs}
        bombs = " and ".join(count(n, bomb_name(bomb)) for bomb, n in counted.items()) or "no bomb"
        drawn = f" ({' and '.join(self.drawn)} by lot)" if self.drawn else ""
        return f"{state.table.name(self.player)} begins in {self.room.title()} with {self.sign}{drawn} and {bombs}"

    def owner(self, state: State, viewer: str) -> News:
        drawn = {"room": self.room.title(), "sign": self.sign}
        known = [drawn[what] for what in self.drawn if state.may(f"{what}s", viewer, viewer)]
        return f"Drawn by lot for you: {' and '.join(known)}." if known else None

    def evolve(self, state: State) -> State:
        bombs = added(state.players[self.player].bombs, counts(self.bombs))
        return state.holds(self.player, room=self.room, sign=self.sign, bombs=bombs)


@fact("{rule}", line="invalid_items")
class ItemVoid(NamedTuple):
    """An item of a sheet does not count, and nothing is used up; unless `resolved`, only as things are now."""

    player: Player
    round: str
    item: str
    why: str
    rule: str
    resolved: bool

    def why_told(self, state: State) -> str:
        """`why` for its owner, unless it reveals a line that is closed to them."""
        cost = self.rule == UNPAID and self.why != NOT_SOLD
        lines = ("prices", "garnets") if cost else filter(None, (REASON_LINES.get(self.why),))
        known = all(state.may(line, self.player, self.player) for line in lines)
        return self.why if known else f"it cannot be {'paid' if cost else 'used'}"

    def host(self, state: State) -> str:
        what = "counts for nothing" if self.resolved else "would count for nothing as things stand"
        return f"{state.table.name(self.player)}, {self.item}: {what}: {self.why}"

    def owner(self, state: State, viewer: str) -> str:
        counted = "This counted" if self.resolved else "As things stand this counts"
        return f"{counted} for nothing: {self.item} ({self.why_told(state)})."

    def evolve(self, state: State) -> State:
        void = state.now.void
        kept = {**void, self.player: (*void.get(self.player, ()), self)}
        return state._replace(now=state.now._replace(void=kept)) if self.resolved else state


@fact("section 4", line=OWN)
class Bought(NamedTuple):
    """A player bought an item for `price` garnets, which a transfer to the bank pays."""

    player: Player
    item: str
    price: int

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} buys {item_name(self.item)} at {count(self.price, 'garnet')}"

    def owner(self, state: State, viewer: str) -> News:
        """What was bought and what was paid, each only if its line is open."""
        price, lines = count(self.price, "garnet"), (f"{kind_of(self.item)}s", "prices", "garnets")
        item, asked, purse = (state.may(line, viewer, viewer) for line in lines)
        if not item:
            return f"You lost {price}." if purse else None
        return f"You bought {item_name(self.item)}{f' for {price}' if asked or purse else ''}."

    def evolve(self, state: State) -> State:
        held, kind = state.players[self.player], kind_of(self.item)
        bought = {**held.bought, kind: held.bought.get(kind, 0) + 1}
        if kind == "bomb":
            bombs = added(held.bombs, {self.item.removesuffix("_bomb"): 1})
            return state.holds(self.player, bought=bought, bombs=bombs)
        return state.holds(self.player, bought=bought, **{f"{kind}s": getattr(held, f"{kind}s") + 1})


@fact("section 2")
class TicketUsed(NamedTuple):
    player: Player
    src: str
    to: str

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} goes from {self.src.title()} to {self.to.title()} with a ticket"

    def evolve(self, state: State) -> State:
        return state.holds(self.player, room=self.to, tickets=state.players[self.player].tickets - 1)


@fact("section 2, PL-25", "{player} swaps signs and is {sign} now")
class SwapUsed(NamedTuple):
    player: Player
    sign: str

    def evolve(self, state: State) -> State:
        return state.holds(self.player, sign=self.sign, swaps=state.players[self.player].swaps - 1)


@fact("section 2")
class BombUsed(NamedTuple):
    player: Player
    bomb: str
    room: str

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} uses a {bomb_name(self.bomb)} on {self.room.title()}"

    def evolve(self, state: State) -> State:
        now, held = state.now, state.players[self.player]
        bombs = {**now.bombs, self.room: added(now.bombs.get(self.room, {}), {self.bomb: 1})}
        now = now._replace(bombs=bombs, users={**now.users, self.player: (self.bomb, self.room)})
        return state.holds(self.player, bombs=added(held.bombs, {self.bomb: -1}))._replace(now=now)


@fact()
class Scored(NamedTuple):
    """The parts of a player's points in a round, after the moves and swaps."""

    player: Player
    round: int
    room: str
    sign: str
    beats: int
    """Players in the room that this player's room beats: +1 each."""
    beaten: int
    """Players in the room that beats this player's room: -1 each."""
    minority: bool
    """The player's sign is the rarer one: +1."""
    doubled: bool
    confetti: int
    """Confetti Bombs that count: +1 each."""
    polarity: int
    """Polarity Bombs that count, for the rarer sign: +2 each."""
    base: int
    points: int
    tickets: int
    """Tickets from Ticket Bombs."""

    def rule(self, state: State) -> str:
        gaps = {"PL-4": self.minority or self.polarity, "PL-5": self.doubled, "PL-12": self.tickets}
        return ", ".join(["section 3", *(gap for gap, used in gaps.items() if used)])

    def host(self, state: State) -> str:
        """The sum behind the points, in the order of section 3."""
        winner, loser = BEATEN_BY[self.room].title(), BEATS[self.room].title()
        parts = [f"+{self.beats} for those in {loser}"] if self.beats else []
        parts += [f"-{self.beaten} for those in {winner}"] if self.beaten else []
        parts += [f"+1 for the rarer sign {self.sign}"] if self.minority else []
        text = f"in {self.room.title()}, {', '.join(parts) or f'with nobody in {loser} or {winner}'}"
        if self.doubled or self.confetti or self.polarity:
            text += f": {self.base}"
        text += f", doubled {2 * self.base}" if self.doubled else ""
        text += f", +{self.confetti} Confetti" if self.confetti else ""
        text += f", +{2 * self.polarity} Polarity" if self.polarity else ""
        text += f"; and {count(self.tickets, 'ticket')} from Ticket Bombs" if self.tickets else ""
        return f"{state.table.name(self.player)} scores {self.points} in round {self.round}: {text}"

    def evolve(self, state: State) -> State:
        held, now = state.players[self.player], state.now
        points, tickets = held.points + self.points, held.tickets + self.tickets
        had = state.holds(self.player, points=points, tickets=tickets)
        return had._replace(now=now._replace(scores={**now.scores, self.player: self.points}))


def _reward(fact: table_facts.RewardPaid, state: State, viewer: str) -> News:
    """Garnets won; the reason tells the points."""
    because = f": {fact.reward.why}" if state.may("scoreboard", viewer, viewer) else ""
    return f"You won {count(fact.reward.garnets, 'garnet')}{because}."


def _asked(fact: table_facts.DecisionOpened, state: State, viewer: str) -> News:
    among = state.table.one_of(fact.decision.among)
    if fact.decision.about == SECOND:
        return f"You are first. Choose who of those in the second place wins a Token of Life: {among}."
    if fact.decision.kind == "gift":
        return fact.owner(state, viewer)
    return f"You vote who is Elimination Candidate: {among}."


def _resolved(fact: RoundResolved, state: State) -> State:
    playing = {p: held for p, held in state.players.items() if p not in state.table.outside}
    done = state.now._replace(
        number=number_of(state.table),
        rooms={p: held.room for p, held in state.players.items() if held.room},
        signs={p: held.sign for p, held in playing.items()},  # also without a room: who has none, `rooms` tells
        scores={p: state.now.scores.get(p, 0) for p in playing},
        totals={p: held.points for p, held in playing.items()},
    )
    return state._replace(history=(*state.history, done), now=Played(0))


def corrected(fact: table_facts.FieldSet, state: State) -> News:
    """What everybody is told of a field that a host set; start rooms and signs wait until the pregame is resolved."""
    if fact.field != "points" and not state.history:
        return None
    if fact.value == "none":
        return f"A host took {state.table.name(fact.player)} out of the rooms."
    return f"A host set the {fact.field} of {state.table.name(fact.player)}: {fact.value.title()}."


def stands(facts: tuple[object, ...], has_news: bool) -> bool:
    """Is a player also told where they stand? Not if only a sheet came in, or submissions ended."""
    return not all(isinstance(fact, (SheetSealed, SheetDropped, ItemVoid, SubmissionsClosed)) for fact in facts)


TABLE_FACTS: Mapping[type, FactSpec] = {
    RoundOpened: FactSpec("section 1"),
    SubmissionsClosed: FactSpec("section 1"),
    RoundResolved: FactSpec("section 3", evolve=_resolved),
    table_facts.Moved: FactSpec(  # the payment for a purchase is told with it
        owner=lambda fact, state, viewer: None if fact.rule == PRICE else fact.owner(state, viewer)
    ),
    table_facts.PhaseBegan: FactSpec("section 5"),
    table_facts.EliminationFound: FactSpec("section 5, PL-19, PL-20"),
    table_facts.DecisionOpened: FactSpec(owner=_asked),
    table_facts.RewardPaid: FactSpec(owner=_reward),
}
