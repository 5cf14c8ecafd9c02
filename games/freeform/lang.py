"""The little language of a file: whole numbers, comparisons, effects. It always terminates and reaches nothing outside
the match: there are no loops, no calls and no names of our code.

What belongs here: parsing a text into a tree, and evaluating it. What does not: which names exist (`Scope`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import TypeAlias, TypeVar

from events.record import NamedTuple
from games.kinds import did_you_mean, digits, shown

T = TypeVar("T")
LIMIT = 10**9
"""The greatest absolute value."""
MAX_CHARACTERS = 300
"""The most characters of one effect or expression."""
MAX_DEPTH = 20
_TOKEN = re.compile(r"\s*(\w{1,32}(?!\w)|'[^']*'|\+=|-=|<=|>=|!=|==|[-+*/(),:<>=])")
"""A name, a number, a card in quotes, a sign."""
TABLE, DECK, AWAY = "table", "deck", "away"
PLACES = (TABLE, DECK, AWAY)
"""Where a card can be if no player has it: open on the table, hidden in the deck, or out of play."""
RESERVED = frozenset({"if", "and", "min", "max", "count", "move", *PLACES, "all", "yes", "no", "public"})
"""Words that a file cannot use as names."""


class Wrong(Exception):
    """A text cannot be read; `what` tells its author why."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def hint(word: str, names: Iterable[str]) -> str:
    """The name that is probably meant, or all names."""
    known = [*names]
    some = " ".join(known[:20]) + (" ..." if len(known) > 20 else "")
    return did_you_mean(word, known, f"one of: {some}" if known else "the file has none", 1)


class Number(NamedTuple):
    value: int


class Typed(NamedTuple):
    """A field of the verb or sheet."""

    field: str


class Held(NamedTuple):
    """A counter of the player whom a field names, of the player in question (`who` is ""), or of the table."""

    counter: str
    who: str = ""


class Count(NamedTuple):
    """The number of cards that a player has or that are at a place, of one value or of all (`card` is "")."""

    item: str
    who: str = ""
    card: str = ""


class Sum(NamedTuple):
    """Two values and an operation: `+ - * /`, min, max. Division rounds down; division by 0 gives 0."""

    sign: str
    left: Expression
    right: Expression


Expression: TypeAlias = Number | Typed | Held | Count | Sum


class Compare(NamedTuple):
    """`left` and `right` are numbers; or `left` is a field and `right` a word or another field (a `str`)."""

    left: Expression
    sign: str
    right: Expression | str


class Change(NamedTuple):
    """`target += amount`, if all of `when` holds."""

    target: Held
    sign: str
    amount: Expression
    when: tuple[Compare, ...] = ()


class Move(NamedTuple):
    """Moves an amount of a counter from one player to another, or the card that the field `card` names."""

    what: str
    src: str
    to: str
    amount: Expression | None
    when: tuple[Compare, ...] = ()


Effect: TypeAlias = Change | Move


class Scope(NamedTuple):
    """The names that a text may use."""

    fields: Mapping[str, str]
    """Field -> its kind: number, player, one, yes, card and so on. Lists and text cannot be calculated with."""
    counters: Mapping[str, bool]
    """Counter -> does it belong to the table?"""
    items: Mapping[str, tuple[str, ...]]
    """Kind of card -> its cards."""
    words: Mapping[str, tuple[str, ...]] = {}
    """Field -> the words it can hold."""
    of_field: Mapping[str, str] = {}
    """Field with a card -> the kind of card."""
    asked: bool = False
    """Is there a player in question, so that a counter needs no player's name?"""


class _Reader:
    def __init__(self, text: str, scope: Scope) -> None:
        if len(text) > MAX_CHARACTERS:
            raise Wrong(f"it has more than {MAX_CHARACTERS} characters")
        self.scope, self.tokens, self.at = scope, list(_tokens(text)), 0
        self.depth = 0

    def next(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.next()
        if not token or (wanted and token != wanted):
            what = f'"{wanted}"' if wanted else "something"
            raise Wrong(f"""{what} is missing {f'before "{token}"' if token else "at the end"}""")
        self.at += 1
        return token

    def whole(self, read: Callable[[_Reader], T]) -> T:
        """Parse the whole text."""
        tree = read(self)
        if self.next():
            raise Wrong(f'"{self.next()}" is too much there')
        return tree

    def named(self, what: str, names: Iterable[str], token: str = "", also: str = "") -> str:
        """Read the next name, which must be one of these.

        Raises:
            Wrong: it is not; the message has the nearest, or all.
        """
        token, known = (token or self.take()).strip("'"), [*names]
        if token not in known:
            raise Wrong(f"there is no {what} {token}; {hint(token, known)}{also}")
        return token

    def player(self, *places: str) -> str:
        """Read a field that names a player, or one of these places."""
        return self.named("player field", (*self.players(), *places))

    def players(self) -> list[str]:
        return [field for field, kind in self.scope.fields.items() if kind == "player"]

    # ---- values

    def value(self) -> Expression:
        left = self.product()
        while self.next() in ("+", "-"):
            left = Sum(self.take(), left, self.product())
        return left

    def product(self) -> Expression:
        left = self.factor()
        while self.next() in ("*", "/"):
            left = Sum(self.take(), left, self.factor())
        return left

    def factor(self) -> Expression:
        """Parse one level of nesting: brackets, signs and lists contain the next."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Wrong("too many brackets are nested")
        tree = self.one()
        self.depth -= 1
        return tree

    def one(self) -> Expression:
        token = self.take()
        if (number := digits(token, 32)) is not None:
            if number > LIMIT:
                raise Wrong(f"{token} is more than {LIMIT}")
            return Number(number)
        if token == "-":
            return Sum("-", Number(0), self.factor())
        if token == "(":
            inside = self.value()
            self.take(")")
            return inside
        if token in ("min", "max"):
            return self.best(token)
        if token == "count":
            return self.count()
        return self.name(token)

    def best(self, which: str) -> Expression:
        self.take("(")
        tree = self.value()
        self.take(",")
        tree = Sum(which, tree, self.value())
        while self.next() == ",":
            self.take()
            tree = Sum(which, tree, self.value())
        self.take(")")
        return tree

    def count(self) -> Expression:
        self.take("(")
        item, who, card = self.named("kind of card", self.scope.items), "", ""
        if self.next() == "=":
            self.take()
            card = self.named(item, dict.fromkeys(self.scope.items[item]))
        if self.next() == ",":
            self.take()
            who = self.player(*PLACES)
        elif not self.scope.asked:
            raise Wrong(f"count({item}, ...) must say whose, or: table, deck, away")
        self.take(")")
        return Count(item, who, card)

    def name(self, token: str) -> Expression:
        scope = self.scope
        if token in scope.counters:
            return self.held(token)
        if token in scope.items:
            whose = "" if scope.asked else ", PLAYER"
            one = f"count({token} = {scope.items[token][0]}{whose})"
            raise Wrong(f"{token} is no number; how many a player has: count({token}{whose}), or of one card: {one}")
        if scope.fields.get(token, "number") != "number":
            raise Wrong(f"{token} is no number")
        numbers = (field for field, kind in scope.fields.items() if kind == "number")
        return Typed(self.named("counter or field", (*scope.counters, *numbers), token))

    def held(self, counter: str) -> Held:
        of_table, players = self.scope.counters[counter], self.players()
        if self.next() in players:
            if of_table:
                raise Wrong(f"{counter} is the table's: no player stands beside it")
            return Held(counter, self.take())
        if not of_table and not self.scope.asked:
            how = f"like {counter} {players[0]}" if players else 'it takes a field: fields = { who = "player" }'
            how += f"; {self.next()} does not name one player" if self.next() in self.scope.fields else ""
            raise Wrong(f"{counter} is a counter of each player: whose? {how}")
        return Held(counter)

    # ---- conditions and effects

    def condition(self) -> Compare:
        kind = self.scope.fields.get(self.next(), "")
        if kind in ("one", "yes", "player", "card", "cell") and self.next(1) in ("=", "!="):
            field, sign, word = self.take(), self.take(), self.take()
            if self.scope.fields.get(word) != kind:
                if kind in ("player", "card", "cell"):
                    raise Wrong(f"{field} can only be compared with another field of its kind, not with {word}")
                word = self.named(field, self.scope.words[field], word)
            return Compare(Typed(field), sign, word)
        return Compare(self.value(), self.named("comparison", _HOLDS), self.value())

    def effect(self) -> Effect:
        when: list[Compare] = []
        while self.next() == ("and" if when else "if"):
            self.take()
            when.append(self.condition())
        if when:
            self.take(":")
        if self.next() == "move":
            self.take()
            return self.move()._replace(when=tuple(when))
        card, who = next(iter(self.scope.of_field), ""), next(iter(self.players()), DECK)
        also = f"; a card goes like this: move {card} {who} {TABLE}" if card else ""
        target = self.held(self.named("counter", self.scope.counters, also=also))
        return Change(target, self.named("change", ("+=", "-=", "=")), self.value(), tuple(when))

    def move(self) -> Move:
        if self.next() in self.scope.of_field:
            return Move(self.take(), self.player(*PLACES), self.player(*PLACES), None)
        counters = (counter for counter, of_table in self.scope.counters.items() if not of_table)
        what = self.named("counter of players, or field that names a card,", (*self.scope.of_field, *counters))
        return Move(what, self.player(), self.player(), self.value())


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Wrong(f"{shown(text[at:].strip(), 12)} cannot be read")
        if match[1] == "==":
            raise Wrong("write one = , not ==")
        at = match.end()
        yield match[1]


def read_value(text: str, scope: Scope) -> Expression:
    """Parse an expression. Raises `Wrong`."""
    return _Reader(text, scope).whole(_Reader.value)


def read_effect(text: str, scope: Scope) -> Effect:
    """Parse an effect. Raises `Wrong`."""
    return _Reader(text, scope).whole(_Reader.effect)


def leaves(tree: Expression | str) -> Iterator[Expression]:
    """Everything that an expression reads: its fields, counters and counts."""
    if isinstance(tree, Sum):
        yield from leaves(tree.left)
        yield from leaves(tree.right)
    elif not isinstance(tree, str):
        yield tree


def reads(effect: Effect) -> Iterator[Expression]:
    """Everything that an effect reads, in its amount and in its conditions."""
    for condition in effect.when:
        yield from leaves(condition.left)
        yield from leaves(condition.right)
    if effect.amount is not None:
        yield from leaves(effect.amount)


# ---- evaluation: every step is bounded, a division by 0 gives 0 ------------------------------------------------------


class TooGreat(Exception):
    """A value beyond `LIMIT`."""


class Values(NamedTuple):
    """The values of the names in a text."""

    leaf: Callable[[Typed | Held | Count], int]
    word: Callable[[str], str]


def within(value: int) -> int:
    """Return the value.

    Raises:
        TooGreat: it is beyond `LIMIT`.
    """
    if not -LIMIT <= value <= LIMIT:
        raise TooGreat
    return value


def kept_within(value: int) -> int:
    """The value, clipped to `LIMIT`."""
    return max(-LIMIT, min(LIMIT, value))


def come_to(tree: Expression, values: Values, bound: Callable[[int], int] = within) -> int:
    """Evaluate an expression, with `bound` applied to each step."""
    if isinstance(tree, Sum):
        left, right = come_to(tree.left, values, bound), come_to(tree.right, values, bound)
        return bound(_DO[tree.sign](left, right))
    return tree.value if isinstance(tree, Number) else values.leaf(tree)


_DO: Mapping[str, Callable[[int, int], int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda a, b: a // b if b else 0,
    "min": min,
    "max": max,
}
_HOLDS: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def holds(when: tuple[Compare, ...], values: Values) -> bool:
    """Do all of these conditions hold?"""
    return all(_one_holds(condition, values) for condition in when)


def _one_holds(condition: Compare, values: Values) -> bool:
    if isinstance(condition.right, str):
        assert isinstance(condition.left, Typed), "a word is compared with a field"
        return (values.word(condition.left.field) == values.word(condition.right)) is (condition.sign == "=")
    return _HOLDS[condition.sign](come_to(condition.left, values), come_to(condition.right, values))
