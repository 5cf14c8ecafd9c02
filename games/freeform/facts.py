"""The state of a match of a file and its facts: each with its words and its effect.

A line of the file says who is told a fact: `has:oil` is the oil that a player holds.
"""

from __future__ import annotations

from collections.abc import Mapping

from events.audiences import PUBLIC_VIEWER
from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import COURSE, HOSTS, OWN, FactSpec, News, fact
from games.freeform.actions import Settings
from games.freeform.lang import DECK, PLACES, TABLE
from games.freeform.model import Rules
from games.freeform.read import TABLES, read_rules, tables_of
from games.freeform.words import NOTHING
from games.kinds import Player, called, upper
from games.kit.blocks import When
from games.table import Table, facts as table_facts
from games.table.facts import HOST_POWERS, voted_on
from games.table.report import phases_after
from games.table.rounds import content
from games.table.settings import in_words
from games.table.state import Round
from games.table.view import allowed, decision_lines, of_votes

RULE = "the file"
TABLES_OWN = ""
"""Stands in for a player: the counter is the table's."""


class State(NamedTuple):
    table: Table
    settings: Settings
    rules: Rules
    counters: Mapping[str, Mapping[str, int]] = {}
    """Counter -> player (or "" for the table) -> value."""
    items: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """Kind of card -> player or place -> cards in order."""
    drawn: frozenset[str] = frozenset()
    opened: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """Resolved round -> player -> the words of the sheet."""
    ended: bool = False
    laid: frozenset[tuple[str, str]] = frozenset()
    """(round, kind of card) for which cards were laid open when the round began."""

    def held(self, counter: str, who: str) -> int:
        return self.counters[counter][who]

    def cards(self, item: str, place: str) -> tuple[str, ...]:
        return self.items[item].get(place, ())

    def with_counter(self, counter: str, values: Mapping[str, int]) -> State:
        """The state with these values for a counter."""
        return self._replace(counters={**self.counters, counter: {**self.counters[counter], **values}})

    def label(self, name: str) -> str:
        """The name of a counter or a kind of card in texts."""
        thing = self.rules.things.get(name)
        return thing.label if thing else name

    def card(self, item: str, card: str) -> str:
        """A card with the name of its kind, unless both are the same."""
        return card if card == self.label(item) else f"{self.label(item)} {card}"

    def place(self, place: str) -> str:
        """The name of a player, or of a place of cards, in texts."""
        return {TABLE: "the table", DECK: "the deck"}.get(place, "away" if place in PLACES else self.table.name(place))


def rules_of(tables: Mapping[str, object]) -> Rules:
    """The rules of a match.

    Raises:
        Unreadable: `freeform.file`, with the first fault.
    """
    rules, faults = read_rules(tables)
    if faults:
        where, what = faults[0]
        place = ".".join(where) or "the file"
        raise Unreadable("freeform.file", f"{place} cannot be read", "hl template freeform", f"{place}: {what}")
    return rules


EMPTY = read_rules({})[0]
"""The rules of a match without a file, which only generic tests make."""


def start(table: Table, settings: Settings) -> State:
    """The first state: every counter at its start, every card where it begins.

    Raises:
        Unreadable: `freeform.file`.
    """
    for player in table.seats:
        if player in PLACES:
            raise Unreadable("freeform.file", f"no player of this match can be called {player}", "choose another id")
    tables = tables_of(table.settings)
    return filled(State(table, settings, rules_of(tables) if tables else EMPTY))


def filled(state: State) -> State:
    """Add the counters and cards of the rules that the state lacks, with their first values and places."""
    counters, items = dict(state.counters), dict(state.items)
    players = state.table.players
    for counter in state.rules.counters.values():
        if counter.name not in counters:
            counters[counter.name] = dict.fromkeys((TABLES_OWN,) if counter.table else players, counter.start)
    for item in state.rules.items.values():
        if item.name not in items:
            place = DECK if item.draw else TABLE
            items[item.name] = {} if item.draw == "one each" else {place: item.values}
    return state._replace(counters=counters, items=items)


# ---- what was recorded, and what was said --------------------------------------------------------------------------


class ByVerb(str):
    """Stands in for a reason: a verb of the file did it, and the words of the file say so."""


def _why(why: str) -> str:
    return f" ({why})" if why else ""


def _why_told(why: str) -> str:
    """The reason as it is told; empty if a verb did it, because the words of the file say so."""
    return "" if not why or isinstance(why, ByVerb) else f", {why}"


@fact(told_only=True)
class Done(NamedTuple):
    """A verb of the file was recorded; what it did follows."""

    verb: str
    words: tuple[str, ...]

    def rule(self, state: State) -> str:
        return f"the file, verbs.{self.verb}"

    def host(self, state: State) -> str:
        return f"{self.verb} {' '.join(self.words)}".strip()


@fact("the file, says", "{player} is told: {text}", OWN, "{text}", told_only=True)
class Told(NamedTuple):
    player: Player
    text: str


@fact("the file, says", "everybody is told: {text}", COURSE, public="{text}", told_only=True)
class Announced(NamedTuple):
    text: str


# ---- counters ------------------------------------------------------------------------------------------------------


@fact(RULE, holds=True)
class Counted(NamedTuple):
    player: Player
    counter: str
    value: int
    was: int
    why: str
    told: bool
    """Is it told in a sentence of its own? If not, the verb's words tell it."""

    def _became(self, called: str) -> News:
        return f"{called}: {self.value} (before: {self.was}){_why_told(self.why)}." if self.told else None

    def host(self, state: State) -> str:
        counter = f"{state.label(self.counter)} of {state.table.name(self.player)}"
        return f"{counter} is {self.value}, was {self.was}{_why(self.why)}"

    def line(self, state: State) -> str:
        return f"has:{self.counter}"

    def owner(self, state: State, viewer: str) -> News:
        return self._became(f"Your {state.label(self.counter)}")

    def public(self, state: State) -> News:
        return self._became(f"{state.label(self.counter)} of {state.table.name(self.player)}")

    def evolve(self, state: State) -> State:
        return state.with_counter(self.counter, {self.player: self.value})


@fact(RULE)
class TableCounted(NamedTuple):
    counter: str
    value: int
    was: int
    why: str
    told: bool

    def host(self, state: State) -> str:
        return f"{state.label(self.counter)} is {self.value}, was {self.was}{_why(self.why)}"

    def line(self, state: State) -> str:
        return f"table:{self.counter}"

    def public(self, state: State) -> News:
        why = _why_told(self.why)
        return f"{state.label(self.counter)}: {self.value} (before: {self.was}){why}." if self.told else None

    def evolve(self, state: State) -> State:
        return state.with_counter(self.counter, {TABLES_OWN: self.value})


# ---- cards ---------------------------------------------------------------------------------------------------------


@fact(RULE, holds=True)
class CardMoved(NamedTuple):
    item: str
    card: str
    src: str
    to: str
    why: str
    told: bool

    def who(self) -> list[str]:
        return [place for place in (self.src, self.to) if place not in PLACES]

    def _goes(self, state: State) -> str:
        return f"{state.card(self.item, self.card)} goes from {state.place(self.src)} to {state.place(self.to)}"

    def host(self, state: State) -> str:
        return f"{self._goes(state)}{_why(self.why)}"

    def line(self, state: State) -> str:
        """The line of the place where the card is open; between `deck` and `away` nobody knows it."""
        if TABLE in (self.src, self.to):
            return f"table:{self.item}"
        return f"has:{self.item}" if self.who() else f"deck:{self.item}"

    def owner(self, state: State, viewer: str) -> News:
        verb = "received" if viewer == self.to else "gave away"
        return f"You {verb} {state.card(self.item, self.card)}{_why_told(self.why)}." if self.told else None

    def public(self, state: State) -> News:
        return f"{self._goes(state)}{_why_told(self.why)}." if self.told else None

    def evolve(self, state: State) -> State:
        there = list(state.cards(self.item, self.src))
        there.remove(self.card)
        taken = {**state.items[self.item], self.src: tuple(there)}
        lie = {**taken, self.to: (*taken.get(self.to, ()), self.card)}
        return state._replace(items={**state.items, self.item: lie})


@fact(RULE, line=HOSTS)
class CardsDrawn(NamedTuple):
    item: str
    drawn: tuple[str, ...]
    to: tuple[str, ...] = ()
    """The players to whom a deal gives cards, in seat order."""

    def _lying(self, state: State) -> dict[str, tuple[str, ...]]:
        """Player or place -> the cards that the draw puts there."""
        item = state.rules.items[self.item]
        if item.draw == "one each":
            return {player: (card,) for player, card in (line.split(" ") for line in self.drawn)}
        hands = {player: self.drawn[n * item.each : (n + 1) * item.each] for n, player in enumerate(self.to)}
        return {**hands, DECK: self.drawn[item.each * len(self.to) :]}

    def host(self, state: State) -> str:
        places = self._lying(state) if self.item in state.rules.items else {}
        deck = " ".join(places.get(DECK, ()))
        return f"{state.label(self.item)} is drawn{f'; in the deck: {deck}' if deck else ''}"

    def evolve(self, state: State) -> State:
        places = self._lying(state)
        return state._replace(items={**state.items, self.item: places}, drawn=state.drawn | {self.item})


@fact(RULE, public=True, holds=True, told_only=True)
class CardsGot(NamedTuple):
    player: Player
    item: str
    cards: tuple[str, ...]

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} has {state.label(self.item)} {' '.join(self.cards)}"

    def line(self, state: State) -> str:
        return f"has:{self.item}"

    def owner(self, state: State, viewer: str) -> str:
        return f"You have {state.label(self.item)} {' '.join(self.cards)}."


@fact(RULE, public=True)
class LaidOpen(NamedTuple):
    item: str
    cards: tuple[str, ...]
    round: str

    def host(self, state: State) -> str:
        return f"{state.label(self.item)} laid open: {' '.join(self.cards) or 'none, the deck is empty'}"

    def line(self, state: State) -> str:
        return f"table:{self.item}"

    def evolve(self, state: State) -> State:
        places = state.items[self.item]
        table = (*places.get(TABLE, ()), *self.cards)
        moved = {**places, DECK: places.get(DECK, ())[len(self.cards) :], TABLE: table}
        return state._replace(items={**state.items, self.item: moved}, laid=state.laid | {(self.round, self.item)})


# ---- sheets --------------------------------------------------------------------------------------------------------


def _on_sheet(state: State, round_: str, words: tuple[str, ...]) -> dict[str, str]:
    """Field -> the word on a sheet, with names for players; without fields that were left out."""
    texts = {}
    for field, word in zip(state.rules.sheet(round_).fields, words, strict=False):
        if word != NOTHING:
            value = state.table.named(word.split(",")) if field.kind == "player" else word
            texts[field.name] = f"{field.name} {value}"
    return texts


def items_of(state: State, round_: Round, player: str) -> dict[str, str]:
    """Field -> what counts for a player in a round, in words."""
    sheet = content(round_, player)
    return {} if sheet is None else _on_sheet(state, round_.name, sheet.words)


@fact(RULE)
class SheetOpened(NamedTuple):
    player: Player
    round: str
    words: tuple[str, ...]

    def _sheet(self, state: State) -> str:
        return ", ".join(_on_sheet(state, self.round, self.words).values()) or "nothing"

    def host(self, state: State) -> str:
        return f"the sheet of {state.table.name(self.player)}, {called(self.round)}: {self._sheet(state)}"

    def line(self, state: State) -> str:
        return f"opened:{self.round}"

    def owner(self, state: State, viewer: str) -> str:
        return f"You sent: {self._sheet(state)}."

    def public(self, state: State) -> str:
        return f"{state.table.name(self.player)}: {self._sheet(state)}."

    def evolve(self, state: State) -> State:
        sheets = {**state.opened.get(self.round, {}), self.player: self.words}
        return state._replace(opened={**state.opened, self.round: sheets})


# ---- the words of the table's facts in this game -------------------------------------------------------------------

DECIDES = {
    "vote": "{who} {vote} {about}",
    "lot": "a lot decides {about}",
    "ruling": "the hosts decide {about}",
}
"""Kind of decision -> what everybody is told of it."""


def _decision_told(fact: table_facts.DecisionOpened, state: State) -> News:
    """Tell a tie, who settles it and until when, if everybody may know the tokens (or, for it, the elimination)."""
    table, decision = state.table, fact.decision
    if not all(allowed(table, line, PUBLIC_VIEWER, (), over=True) for line in decision_lines(decision)):
        return None
    who, vote = table.named(decision.who), "votes" if len(decision.who) == 1 else "vote"
    sentence = DECIDES[decision.kind].format(who=who, vote=vote, about=voted_on(decision.about))
    until: tuple[str | When, ...] = (", until ", When(decision.ends)) if decision.ends is not None else ()
    votes = allowed(table, "votes", PUBLIC_VIEWER, (), over=True) or not of_votes(table, decision.kind, decision.about)
    return (upper(sentence) + (f": {table.one_of(decision.among)}" if votes else ""), *until, ".")


def _began(fact: table_facts.PhaseBegan, state: State) -> News:
    return phases_after("Play").get(fact.phase)


def _amendment(fact: table_facts.SettingAmended, state: State) -> str:
    added = fact.key.partition(".")[0] in TABLES
    return f"{fact.key} is {'added to the file' if added else f'now {in_words(fact.value)}'}"


def _added(fact: table_facts.SettingAmended, state: State) -> News:
    head, dot, tail = fact.key.partition(".")
    if not dot or head not in ("counters", "items", "sheets", "verbs"):
        return None
    return f"The rules have something new: {tail.replace('_', ' ')} ({head})."


def _amended(fact: table_facts.SettingAmended, state: State) -> State:
    """The state after something was added to the file."""
    tables = tables_of(state.table.settings)
    return filled(state._replace(rules=rules_of(tables))) if tables else state


TABLE_FACTS: Mapping[type, FactSpec] = {
    table_facts.DecisionOpened: FactSpec(public=_decision_told),
    table_facts.PhaseBegan: FactSpec(public=_began),
    table_facts.PhaseEnded: FactSpec(evolve=lambda fact, state: state._replace(ended=True)),
    table_facts.SettingAmended: FactSpec(
        HOST_POWERS,
        _amendment,
        lambda fact, state: HOSTS if isinstance(fact.value, dict) and fact.value.get("secret") is True else COURSE,
        public=_added,
        evolve=_amended,
    ),
}
