"""The little language of a file: whole numbers, comparisons, effects. Read once, and total: no loop, no call, no name
of ours, nothing outside the match.

What belongs here: reading a text into a tree, and what it comes to. What does not: which names there are (`Scope`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import TypeAlias, TypeVar

from events.record import NamedTuple

T = TypeVar("T")
LIMIT = 10**9
"""Values lie within so much of 0, either way."""
MAX_CHARACTERS = 300
"""Characters of one effect or expression."""
MAX_DEPTH = 20
_TOKEN = re.compile(
    r"\s*(?:([0-9]{1,10}(?![0-9]))|([a-z][a-z0-9_]{0,31}(?![a-z0-9_]))|(\+=|-=|<=|>=|!=|[-+*/(),:<>=]))"
)
RESERVED = frozenset(
    {"if", "and", "min", "max", "count", "move", "table", "deck", "away", "all", "yes", "no", "public"}
)
"""Words that nothing in a file can be called."""
TABLE, DECK, AWAY = "table", "deck", "away"
PLACES = (TABLE, DECK, AWAY)
"""Where a card can be besides a player's hand: open on the table, hidden in the deck, out of play."""


class Wrong(Exception):
    """A text that cannot be read; `what` says why, in words for who wrote it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Number(NamedTuple):
    value: int


class Typed(NamedTuple):
    """A field of the verb or sheet."""

    field: str


class Held(NamedTuple):
    """A counter: of the player whom a field names, of the player in question (`who` ""), or of the table."""

    counter: str
    who: str = ""


class Count(NamedTuple):
    """How many cards lie with somebody, or at a place."""

    item: str
    who: str = ""


class Sum(NamedTuple):
    """Two values and what is done with them: `+ - * /`, min, max. Division is whole, towards below; by 0 it gives 0."""

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
    """`target += amount`, where all of `when` holds."""

    target: Held
    sign: str
    amount: Expression
    when: tuple[Compare, ...] = ()


class Move(NamedTuple):
    """So much of a counter goes from one player to another; or one card (`card` is the field that names it)."""

    what: str
    src: str
    to: str
    amount: Expression | None
    when: tuple[Compare, ...] = ()


Effect: TypeAlias = Change | Move


class Scope(NamedTuple):
    """The names that a text may use."""

    fields: Mapping[str, str]
    """Field -> its kind: number, player, one, yes, card, ... ; a list and text cannot be calculated with."""
    counters: Mapping[str, bool]
    """Counter -> is it the table's?"""
    items: frozenset[str]
    words: Mapping[str, tuple[str, ...]] = {}
    """Field -> the words it can hold."""
    of_field: Mapping[str, str] = {}
    """Field that names a card -> the kind of card."""
    asked: bool = False
    """Is there one player in question, so that a counter needs no name beside it?"""


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
        """What the whole text comes to."""
        tree = read(self)
        if self.next():
            raise Wrong(f'"{self.next()}" means nothing there')
        return tree

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
        """One level of what stands inside one another: a bracket, a sign or a list has the next in it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Wrong("too many brackets are nested")
        tree = self.one()
        self.depth -= 1
        return tree

    def one(self) -> Expression:
        token = self.take()
        if token.isdigit():
            if int(token) > LIMIT:
                raise Wrong(f"{token} is more than {LIMIT}")
            return Number(int(token))
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
        item, who = self.take(), ""
        if item not in self.scope.items:
            raise Wrong(f"there are no cards {item} to count")
        if self.next() == ",":
            self.take()
            who = self.place()
        elif not self.scope.asked:
            raise Wrong(f"count({item}, ...) must say whose, or: table, deck, away")
        self.take(")")
        return Count(item, who)

    def name(self, token: str) -> Expression:
        scope = self.scope
        if token in scope.counters:
            return self.held(token)
        kind = scope.fields.get(token)
        if kind == "number":
            return Typed(token)
        if kind is not None:
            raise Wrong(f"{token} is no number")
        if token in scope.items:
            raise Wrong(f"which card of {token} a player has cannot be asked, only how many: count({token}, PLAYER)")
        raise Wrong(f"there is no counter or field {token}")

    def held(self, counter: str) -> Held:
        follows, of_table = self.next(), self.scope.counters[counter]
        if self.scope.fields.get(follows) == "player" and not of_table:
            return Held(counter, self.take())
        if not of_table and not self.scope.asked:
            raise Wrong(f"{counter} is a counter of each player: whose? ({counter} and a field that names a player)")
        return Held(counter)

    def place(self) -> str:
        token = self.take()
        if token not in PLACES and self.scope.fields.get(token) != "player":
            raise Wrong(f"{token} is no field that names a player")
        return token

    # ---- conditions and effects

    def condition(self) -> Compare:
        kind = self.scope.fields.get(self.next(), "")
        if kind in ("one", "yes", "player", "card", "cell") and self.next(1) in ("=", "!="):
            field, sign, word = self.take(), self.take(), self.take()
            if word == "=":
                raise Wrong("write one = , not ==")
            same = self.scope.fields.get(word) == kind
            if not same and kind in ("player", "card", "cell"):
                raise Wrong(f"{field} can only be compared with another field of its kind, not with {word}")
            if not same and word not in self.scope.words.get(field, ()):
                raise Wrong(f"{field} is never {word}")
            return Compare(Typed(field), sign, word)
        left, sign = self.value(), self.take()
        if sign not in ("=", "!=", "<", "<=", ">", ">="):
            raise Wrong(f"{sign} compares nothing: = != < <= > >=")
        return Compare(left, sign, self.value())

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
        counter = self.take()
        if counter not in self.scope.counters:
            raise Wrong(f"there is no counter {counter} to change")
        target, sign = self.held(counter), self.take()
        if sign not in ("+=", "-=", "="):
            raise Wrong(f"{sign} changes nothing: += -= =")
        return Change(target, sign, self.value(), tuple(when))

    def move(self) -> Move:
        what = self.take()
        if what in self.scope.of_field:
            return Move(what, self.place(), self.place(), None)
        if self.scope.counters.get(what, True):
            raise Wrong(f"{what} is no counter of the players, and no field that names a card: it cannot move")
        src, to = self.take(), self.take()
        for who in (src, to):
            if self.scope.fields.get(who) != "player":
                raise Wrong(f"{who} is no field that names a player")
        return Move(what, src, to, self.value())


def _tokens(text: str) -> Iterator[str]:
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Wrong(f"{text[at:].strip()[:12]!r} cannot be read")
        at = match.end()
        yield match[1] or match[2] or match[3]


def read_value(text: str, scope: Scope) -> Expression:
    """An expression. Raises: Wrong."""
    return _Reader(text, scope).whole(_Reader.value)


def read_effect(text: str, scope: Scope) -> Effect:
    """An effect. Raises: Wrong."""
    return _Reader(text, scope).whole(_Reader.effect)


def leaves(tree: Expression | str) -> Iterator[Expression]:
    """All that an expression reads: its fields, counters, counts."""
    if isinstance(tree, Sum):
        yield from leaves(tree.left)
        yield from leaves(tree.right)
    elif not isinstance(tree, str):
        yield tree


def reads(effect: Effect) -> Iterator[Expression]:
    """All that an effect reads, in its amount and in its conditions."""
    for condition in effect.when:
        yield from leaves(condition.left)
        yield from leaves(condition.right)
    if effect.amount is not None:
        yield from leaves(effect.amount)


# ---- what a text comes to: every step is bounded, a division by 0 gives 0 --------------------------------------------


class TooGreat(Exception):
    """A value beyond `LIMIT`."""


class Values(NamedTuple):
    """Where the names of a text get their values."""

    leaf: Callable[[Typed | Held | Count], int]
    word: Callable[[str], str]


def within(value: int) -> int:
    """The value.

    Raises:
        TooGreat: it lies beyond `LIMIT`.
    """
    if not -LIMIT <= value <= LIMIT:
        raise TooGreat
    return value


def kept_within(value: int) -> int:
    """The value, or the limit beyond which it lies."""
    return max(-LIMIT, min(LIMIT, value))


def come_to(tree: Expression, values: Values, bound: Callable[[int], int] = within) -> int:
    """What an expression comes to; each step of it is bounded by `bound`."""
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
    """Do all of these hold?"""
    return all(_one_holds(condition, values) for condition in when)


def _one_holds(condition: Compare, values: Values) -> bool:
    if isinstance(condition.right, str):
        assert isinstance(condition.left, Typed), "a word is compared with a field"
        return (values.word(condition.left.field) == values.word(condition.right)) is (condition.sign == "=")
    return _HOLDS[condition.sign](come_to(condition.left, values), come_to(condition.right, values))
