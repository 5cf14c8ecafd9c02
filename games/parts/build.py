"""`build`: a `Game` out of its parts, and a word about each part that is missing, when the game is built.

What belongs here: putting things together, and the checks. What does not: how anything is made (the modules beside).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from events.instants import Instant
from events.record import beside
from games.contract import Game
from games.kit.tell import Say
from games.parts import changed, dealing, opened, pages, prepare, rules, shown, words
from games.parts import moves as can
from games.parts.declare import Parts
from games.records import Field, fields, kebab
from games.table import actions
from games.table.evolve import EVOLVE
from games.table.settings import LEVELS, Gap
from games.table.words import SAYS

_PLACE = r"(?<!\{)\{(\w+)"
_LINE = r"Line\(\s*['\"](\w+)['\"]"


class Incomplete(Exception):
    """Parts from which no game can be made; every message names the part."""


def build(parts: Parts[Any]) -> Game:
    """The game that these parts make.

    Raises:
        Incomplete: a datum or a fact has no line or no words, or a name is none of the game's.
    """
    if faults := list(faults_of(parts)):
        raise Incomplete(f"{parts.name}: " + "; ".join(faults))
    if parts.deal is not None:
        parts = dealing.put_in(parts, parts.deal)
    stated_over = parts.over
    parts = parts._replace(
        over=lambda state: state.table.void or stated_over(state),  # a match that was declared void, whatever it says
        has=tuple(what_it_has(parts)),
    )
    decide = rules.decide(parts, stated_over)
    moves = partial(can.legal, parts, decide)
    says = cache(partial(words.rows, parts))
    return Game(
        name=parts.name,
        title=parts.title,
        rules=parts.rules,
        texts=parts.texts,
        players=parts.players,
        garnet_cap=parts.garnet_cap,
        settings=parts.settings,
        visibility=parts.visibility,
        actions=(*parts.sheets, *parts.verbs),
        facts=own_facts(parts),
        lookups=parts.lookups,
        has=frozenset(parts.has),
        synonyms=parts.synonyms,
        fields=prepare.typed_fields(parts),
        given={name: row.read for name, row in parts.overrides.items() if row.at_start},
        start=partial(rules.start, parts),
        decide=decide,
        evolve=rules.evolve(parts),
        due=_due(parts),
        prepare=partial(prepare.prepare, parts),
        audit=partial(prepare.audit, parts),
        audience=partial(opened.audience, parts),
        view=shown.view(parts),
        views=(shown.view_of(parts), parts.player),
        result=partial(shown.result, parts),
        report=partial(pages.report, parts),
        scores=parts.scores or pages.scores,
        counts=parts.scored.counts if parts.scored else lambda state: "points",
        board=parts.board or partial(pages.board, parts),
        rounds=parts.rounds_told or (lambda frame, view, name: []),
        tell=words.tell(parts, says),
        explain=partial(words.explain, says),
        known=partial(words.known, parts, says),
        waiting=partial(shown.waiting, parts),
        moves=moves,
        suggest=partial(can.suggest, parts, moves),
        invariants=partial(rules.invariants, parts),
        written=parts.written,
        unpaid=lambda state: tuple(parts.unpaid(state, on)) if parts.unpaid and (on := state.table.round) else (),
        changed=partial(changed.changed, parts),
        demo=parts.demo,
    )


def _due(parts: Parts[Any]) -> Callable[[Any], Instant | None]:
    due = parts.due
    if due is None:
        return lambda state: state.table.next_end()
    return lambda state: state.table.next_end() if state.table.void else due(state)


def what_it_has(parts: Parts[Any]) -> Iterator[str]:
    """What there is of tokens, votes, garnets, rounds and so on."""
    yield from parts.has
    follows = {"garnets": parts.garnets, "rounds": parts.rounds, "deal": parts.deal}
    yield from (name for name, there in follows.items() if there)


def own_facts(parts: Parts[Any]) -> tuple[type, ...]:
    """The game's own facts: those that it words or places, and whatever else stands in a module called `facts`."""
    stated = [cls for cls in (*parts.says, *parts.evolve) if cls not in rules.TABLE_FACTS]
    others = (record for cls in stated if cls.__module__.endswith(".facts") for record in beside(cls))
    return tuple(dict.fromkeys([*stated, *others]))


def faults_of(parts: Parts[Any]) -> Iterator[str]:
    """What is missing, or names what is not there."""
    known = {*parts.visibility, *parts.match_lines, *shown.SPECIAL}
    yield from (f"{line} cannot be a line: the word has a meaning" for line in shown.SPECIAL & set(parts.visibility))
    if parts.view and hasattr(parts.view, "order"):
        yield f"{parts.view.__name__}.order: in of_match the word means the order of players; name the field otherwise"
    for cls in (parts.player, *((parts.view,) if parts.view else ())):
        free = {"players", *shown.STANDARD} if cls is parts.view else set()
        yield from _unmarked(cls, free, known)
    for cls, row in parts.says.items():
        yield from _unsaid(cls, row, known)
    yield from _unsound(parts)
    placed, worded = {*EVOLVE, *parts.evolve}, {*SAYS, *parts.says}
    for cls in (*rules.TABLE_FACTS, *own_facts(parts)):
        if cls not in worded:
            yield f"{cls.__name__} has no words: no row in says"
        if cls not in placed:
            yield f"{cls.__name__} is never placed: no handler in evolve"
    for name, sets in parts.overrides.items():
        if sets.put is None and sets.facts is None and not hasattr(parts.state, name):
            yield f"override {name}: the state has no such field, and nothing says where it goes"
        if (sets.owner or sets.public) and sets.line is None:
            yield f"override {name} is told, and no line says to whom"
    opened = {verb.__name__: (does.own, does.others) for verb, does in parts.verbs.items()}
    opened |= {"the deal": (parts.deal.line, parts.deal.others)} if parts.deal is not None else {}
    for what, lines in opened.items():
        yield from (f"{what}: there is no line {line}" for line in lines if line and line not in known)
    yield from (f"draw of {cls.__name__}: it has no field drawn" for cls in parts.draws if "drawn" not in cls._fields)  # type: ignore[attr-defined]
    if not parts.phases:
        yield "phases: the first one is that before play"


def _unsound(parts: Parts[Any]) -> Iterator[str]:
    """Settings, lines and verbs that nobody could use."""
    for key, (level, _) in parts.visibility.items():
        if level not in LEVELS:
            yield f"visibility {key}: {level} is no level, one of {' '.join(LEVELS)}"
    settings: Any = parts.settings
    known = settings._fields
    for name in known:
        if "Gap(" not in _written(settings, name) and not isinstance(_field(settings, name).note, Gap):
            yield f"setting {name} has no Gap"
    if parts.rounds and parts.rounds.number and parts.rounds.number not in known:
        yield f"rounds: there is no setting {parts.rounds.number}"
    taken = {kebab(cls) for cls in (*actions.TYPED, *actions.WRITTEN, *actions.ABOUT)}
    for cls in (*parts.sheets, *parts.verbs):
        if kebab(cls) in taken:
            yield f"{cls.__name__}: {kebab(cls)} is a verb of every game"
        if not cls.__doc__:
            yield f"{cls.__name__} has no docstring: it is the help of the verb"
        for name in getattr(cls, "_fields", ()):
            if "Arg(" not in _written(cls, name) and not (arg := _field(cls, name).arg).hidden and not arg.help:
                yield f"{cls.__name__}.{name} has no Arg: it is the help of the word"
    for cls in parts.sheets:
        if not hasattr(cls, "player"):
            yield f"{cls.__name__} is a sheet, and has no field player"


def _field(cls: type, name: str) -> Field:
    return next(field for field in fields(cls) if field.name == name)


def _unmarked(cls: Any, free: set[str], known: set[str]) -> Iterator[str]:
    """The fields of a view without a mark; in the records inside it likewise, where any is marked."""
    for name in cls._fields:
        lines = re.findall(_LINE, _written(cls, name))
        if lines:
            yield from (f"{cls.__name__}.{name}: there is no line {key}" for key in lines if key not in known)
        elif name not in free and not any(datum.lines for datum in shown.data_of(cls) if datum.name == name):
            yield f"{cls.__name__}.{name} has no Line"


def _written(cls: Any, name: str) -> str:
    """The annotation of a field as it is written: it is evaluated only where that does not tell."""
    return str(cls.__annotations__.get(name, ""))


def _unsaid(cls: type, row: Say, known: set[str]) -> Iterator[str]:
    table = cls in rules.TABLE_FACTS
    if not row.rule or not (row.host or table):
        yield f"{cls.__name__} has no rule or no words for the hosts"
    if (row.owner or row.public) and row.line is None and not table:
        yield f"{cls.__name__} is told, and no line says to whom"
    for text in (row.host, row.owner, row.public):
        names = re.findall(_PLACE, text) if isinstance(text, str) else []
        missing = [name for name in names if name not in cls._fields]  # type: ignore[attr-defined]
        yield from (f"{cls.__name__}: a text has {{{name}}}, and the fact has no such field" for name in missing)
    if not callable(row.line):
        lines = (row.line,) if isinstance(row.line, str) else row.line or ()
        yield from (f"{cls.__name__}: there is no line {line}" for line in lines if line not in known)
