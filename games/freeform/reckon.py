"""What a text of the little language comes to. Total: every step is bounded, and a division by 0 gives 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

from events.record import NamedTuple
from games.freeform.lang import LIMIT, Compare, Count, Expression, Held, Number, Sum, Typed


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
