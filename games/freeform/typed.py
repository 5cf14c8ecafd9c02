"""Words that a host typed, read by what the file says and by what is held now; and the values of the little language.

What belongs here: reading, and refusing what cannot be read. What does not: what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from events.errors import Unreadable
from games.freeform import actions as a
from games.freeform import lang, words
from games.freeform.lang import LIMIT, Count, Held, Typed
from games.freeform.model import EVERYBODY, HOSTS, Field, VerbKind
from games.freeform.read import level_of
from games.freeform.reckon import Values, come_to, kept_within
from games.freeform.facts import TABLES_OWN, State
from games.kinds import did_you_mean, shown

Bound: TypeAlias = Callable[[Field], tuple[int, int]]


def known(things: Mapping[str, Any], name: str, what: str) -> Any:
    """The thing of that name.

    Raises:
        Unreadable: `freeform.name`, with the nearest; what is secret is named to nobody.
    """
    if name in things:
        return things[name]
    names = [key for key, thing in things.items() if not getattr(thing, "secret", False)]
    hint = did_you_mean(name, names, f"one of: {' '.join(names)}" if names else "hl rules", 1)
    raise Unreadable("freeform.name", f"there is no {what} {shown(name)} in the file", hint)


def values_of(state: State, typed: Mapping[str, str], asked: str = "") -> Values:
    """Where names get their values: what was typed, and what is held now."""

    def who(field: str) -> str:
        return typed.get(field, field) if field else asked

    def leaf(tree: Typed | Held | Count) -> int:
        if isinstance(tree, Typed):
            word = typed.get(tree.field, words.NOTHING)
            return 0 if word == words.NOTHING else int(word)
        if isinstance(tree, Count):
            return len(state.cards(tree.item, who(tree.who)))
        counter = state.rules.counters[tree.counter]
        return state.held(tree.counter, TABLES_OWN if counter.table else who(tree.who))

    return Values(leaf, lambda word: typed.get(word, word))


def bounds(state: State, asked: str) -> Bound:
    """(field) -> the least and the greatest number it takes for that player now; any, where that needs a player."""

    def of(field: Field) -> tuple[int, int]:
        values = values_of(state, {}, asked)
        try:
            least, most = (
                otherwise if tree is None else come_to(tree, values, kept_within)
                for tree, otherwise in ((field.least, 0 if field.most is not None else -LIMIT), (field.most, LIMIT))
            )
        except KeyError:  # a counter of each player, and nobody is asked
            return anything(field)
        return least, most

    return of


def anything(field: Field) -> tuple[int, int]:
    return -LIMIT, LIMIT


def read_words(
    state: State, fields: tuple[Field, ...], typed: Iterable[str], bound: Bound, what: str
) -> tuple[str, ...]:
    """The words of a sheet or verb, one for each field, in their one spelling.

    Raises:
        Unreadable: `freeform.word`. What a counter holds that not everybody sees, only the hosts read.
    """
    typed_words = tuple(typed)
    needed = sum(not field.optional for field in fields)
    if not needed <= len(typed_words) <= len(fields):
        usage = " ".join(words.usage(field) for field in fields)
        count = str(needed) if needed == len(fields) else f"{needed} to {len(fields)}"
        problem = f"{what} takes {count} words, not {len(typed_words)}"
        raise Unreadable("freeform.word", problem, f"{what} {usage}".rstrip())
    whole = (*typed_words, *[words.NOTHING] * (len(fields) - len(typed_words)))
    return tuple(_read_word(state, field, word, bound) for field, word in zip(fields, whole, strict=True))


def _read_word(state: State, field: Field, word: str, bound: Bound) -> str:
    try:
        return words.read_word(field, word, state.table.directory(), bound)
    except Unreadable as error:
        leaves = [leaf for tree in (field.least, field.most) if tree is not None for leaf in lang.leaves(tree)]
        least = min((level_of(leaf, state.rules.counters, state.rules.items).now for leaf in leaves), default=EVERYBODY)
        if least == EVERYBODY:
            raise
        what = f"{field.name} cannot be {shown(word)} now"
        fix = "hl status" if least == HOSTS else f"{field.name}: {field.said}"
        raise Unreadable(error.code, what, fix, error.what) from None


def words_of_verb(state: State, verb: VerbKind, typed: Iterable[str]) -> tuple[str, ...]:
    """The words of a verb; bounds with counters are those of the first player it names."""
    typed_words = tuple(typed)
    players = state.table.directory()
    first = next((n for n, field in enumerate(verb.fields) if field.kind == "player" and not field.many), None)
    asked = players.find(typed_words[first]) if first is not None and first < len(typed_words) else ""
    return read_words(state, verb.fields, typed_words, bounds(state, asked), f"hl do {verb.name}")


def same(spelled: tuple[str, ...], recorded: tuple[str, ...]) -> None:
    """What the log holds is written in its one spelling.

    Raises:
        Unreadable: `freeform.word`.
    """
    if spelled != recorded:
        raise Unreadable("freeform.word", f"{' '.join(recorded)} is not spelled as the log spells it", "hl verify")


def words_of_sheet(state: State, round_: str, action: a.Seal) -> tuple[str, ...]:
    kind = state.rules.sheet(round_)
    bound = anything if action.as_sent else bounds(state, action.player)
    return read_words(state, kind.fields, action.words, bound, f"hl seal {action.player}")
