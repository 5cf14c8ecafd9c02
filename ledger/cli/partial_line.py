"""A command line that is still being typed: its verb, its words and options, and what its verb takes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from events.record import NamedTuple
from ledger.cli.commands import VERBS
from ledger.cli.params import ALONE, GLOBAL, LOOKUP, Param, of_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from games.contract import Game


class Grammar(NamedTuple):
    """What a verb takes."""

    words: tuple[Param, ...]
    """In place."""
    options: Mapping[str, Param]
    """By every spelling."""
    cls: type | None = None
    """The record whose fields they are."""


class PartialLine(NamedTuple):
    """A half-typed command line, taken apart."""

    verb: str | None
    words: tuple[str, ...]
    """After the verb, in place."""
    used: frozenset[str]
    """Options that stand there."""
    option: Param | None
    """The option whose value is being typed."""
    begun: tuple[str, ...]
    """The words of that value so far."""
    host_name: str | None


def match_named(words: list[str]) -> str | None:
    """The value of `-g`, wherever it stands."""
    for i, word in enumerate(words):
        name, eq, value = word.partition("=")
        if name in ("-g", "--match"):
            return value if eq else next(iter(words[i + 1 :]), None)
    return None


def take_apart(words: Iterable[str], known: Callable[[str], Grammar]) -> PartialLine:
    """Verb, words and options of a command line whose last word is not among `words`."""
    verb, in_place, used = None, list[str](), set[str]()
    host: str | None = None
    grammar, source = known(""), iter(words)
    option: Param | None = None
    begun: tuple[str, ...] = ()
    for word in source:
        option, begun = None, ()
        name, eq, value = word.partition("=")
        if word == "--":
            in_place += source
        elif word[:1] == "-" and word[1:2] and not word[1].isdigit():
            used.add(name)
            slot = grammar.options.get(name)
            if eq or slot is None or not slot.metavar:
                values: tuple[str, ...] = (value,)
            else:
                values = tuple(itertools.islice(source, slot.words))
                option, begun = (slot, values) if len(values) < slot.words else (None, ())
            if name == "--as" and values:
                host = values[0]
        elif verb is None:
            verb, grammar = word, known(word)
        else:
            in_place.append(word)
    return PartialLine(verb, tuple(in_place), frozenset(used), option, begun, host)


def verbs(game: Game | None) -> list[str]:
    """The game's verbs with their synonyms, then the shared ones."""
    from games.records import kebab

    own = [*(kebab(cls) for cls in game.actions), *(lookup.verb for lookup in game.lookups)] if game else []
    return [*own, *(game.synonyms if game else ()), *VERBS]


def grammar(verb: str, game: Game | None) -> Grammar:
    """What a verb takes; of "" the options of all, of an unknown one also words that nobody knows."""
    cls, takes = action_of(verb, game), tuple[Param, ...]()
    if verb in VERBS:
        takes = VERBS[verb].takes
    elif cls is not None:
        takes = of_record(cls)
    elif game and any(lookup.verb == verb for lookup in game.lookups):
        takes = LOOKUP
    elif verb:
        takes = (Param("WORD..."),)
    options: dict[str, Param] = {}
    for param in (*takes, *GLOBAL, *((Param("--help"),) if verb else ALONE)):
        for name in param.spelled:
            options.setdefault(name, param)  # `--as` may be the verb's own
    return Grammar(tuple(param for param in takes if not param.spelled), options, cls)


def action_of(verb: str, game: Game | None) -> type | None:
    """The action record of a verb, a synonym included."""
    from games.records import kebab
    from games.table.actions import TYPED

    wanted = game.synonyms.get(verb, verb) if game else verb
    return next((cls for cls in (*(game.actions if game else ()), *TYPED) if kebab(cls) == wanted), None)
