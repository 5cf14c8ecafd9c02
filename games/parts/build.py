"""`build` completes a game from what it states, and reports everything that is missing.

What belongs here: assembling the parts, and the checks. What does not: how a part is made (the other modules here).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from operator import attrgetter
from typing import Any, get_args

from events.record import beside, hints
from games.contract import DERIVED, SPECIAL, AnyRecord, FactSpec, Game, Lines, MatchView, VisibleTo, goes, put, spec_of
from games.parts import dealing, moves as can, rules, view, words
from games.records import fields, kebab
from games.table import actions
from games.table.report import PHASES
from games.table.settings import LEVELS, Gap
from games.table.view import DECIDED

HAS = ("tokens", "elimination", "winner", "gift", "vote", "choose", "lot", "deal", "commit")
STATED = ("settings", "phases", "player_view", "match_view", "asks", "over", "decided", "scores", "board")
"""The derived values that a game may state itself."""
_FIELD = r"(?<!\{)\{(\w+)"


class Incomplete(Exception):
    """The stated game is incomplete or contradicts itself; the message lists every fault."""


def build(stated: Game) -> Game:
    """Check a game and complete it.

    Raises:
        Incomplete: a datum or a fact has no line or no words, or a name refers to nothing in the game.
    """
    whole = filled(stated)
    if faults := [*_misstated(stated), *faults_of(whole._replace(facts=facts_of(whole)))]:
        raise Incomplete(f"{stated.name}: " + "; ".join(faults))
    return assemble(stated)


def assemble(stated: Game) -> Game:
    """Complete a game without checking it.

    The bundled games are checked by their tests, because the check would cost every command 4 ms.
    """
    stated = filled(stated)
    stated = stated._replace(facts=facts_of(stated))
    game = stated if stated.deal is None else dealing.put_in(stated, stated.deal)
    game = game._replace(
        over=lambda state: state.table.void or stated.over(state),  # a void match is over, whatever the game says
        has=frozenset({*stated.has, *filter(partial(getattr, stated), ("garnets", "rounds", "deal"))}),
        overrides={name: rules.completed(name, row) for name, row in game.overrides.items()},
    )
    effects, specs = rules.effects(game), cache(partial(words.specs, game))
    game = game._replace(decide=rules.decide(game, stated.over, effects))
    moves = partial(can.legal, game)
    return game._replace(
        start=partial(rules.start, game),
        evolve=partial(rules.evolve, effects),
        due=partial(rules.due, game),
        prepare=partial(rules.prepare, game),
        audit=partial(rules.audit, game),
        audience=partial(view.audience, game),
        view=partial(view.cut_view, game),
        result=partial(view.result, game),
        waiting=partial(view.waiting, game),
        asks=partial(can.asks, game) if game.asks is DERIVED else game.asks,
        report=partial(words.report_of, game),
        scores=words.scores_of if game.scores is DERIVED else game.scores,
        board=partial(words.board_of, game) if game.board is DERIVED else game.board,
        tell=partial(words.tell, game, specs),
        worded=partial(words.worded, specs),
        explain=partial(words.explain, specs),
        known=partial(words.known, game, specs),
        moves=moves,
        suggest=partial(can.suggest, game, moves),
        invariants=partial(rules.invariants, game),
        faulty=partial(rules.faulty, game),
        changed=partial(rules.changed, game),
    )


def filled(stated: Game) -> Game:
    """Fill in what can be derived from the game's state and its other parts."""
    game, state = stated, stated.state
    if game.rounds is not None:
        game = game._replace(rounds=rules.rounds_of(game.rounds))
    if game.settings is DERIVED:
        game = game._replace(settings=hints(state)["settings"])
    if game.phases is DERIVED:
        game = game._replace(phases=PHASES)
    if game.player_view is DERIVED:
        game = game._replace(player_view=view.player_view(state, game.visibility))
    if game.match_view is DERIVED:
        game = game._replace(match_view=view.match_view(state))
    if game.decided is DERIVED:
        game = game._replace(decided=tuple(filter(game.has.__contains__, ("tokens", "elimination", "winner"))))
    if game.over is DERIVED:
        rows = None if hasattr(state, "over") else game.rounds
        game = game._replace(over=attrgetter("over") if rows is None else partial(rules.over, rows))
    return game


def facts_of(game: Game) -> tuple[type, ...]:
    """The game's own facts: those of a deal, and the records marked with `fact` in the module of its state."""
    of_a_deal = (cls for cls in game.table_facts if cls not in rules.TABLE_FACTS)
    return (*of_a_deal, *(cls for cls in beside(game.state) if spec_of(cls)))


def _misstated(stated: Game) -> Iterator[str]:
    """Values that `build` would overwrite, and unknown words in `has`."""
    for name, default in Game._field_defaults.items():
        if default is DERIVED and getattr(stated, name) is not DERIVED and name not in STATED:
            yield f"{name} is made by build, and cannot be stated" + ("; state choices" if name == "moves" else "")
    yield from (f"has: there is no {word}; one of: {' '.join(HAS)}" for word in stated.has if word not in HAS)
    if "winner" in stated.has and "winner" not in (*stated.visibility, *stated.match_lines):
        yield "has winner, and there is no line winner: nobody but hosts would be told who won"


def faults_of(game: Game) -> Iterator[str]:
    """Everything that is missing, and every name that refers to nothing."""
    known = {*game.visibility, *game.match_lines, *SPECIAL}
    yield from (f"{line} cannot be a line: the word has a meaning" for line in SPECIAL & set(game.visibility))
    if "order" in game.match_view._fields:
        name = game.match_view.__name__
        yield f"{name}.order: in of_match the word means the order of players; name the field otherwise"
    yield from _unmarked(game.player_view, frozenset(), known)
    if game.match_view is not MatchView:
        yield from _unmarked(game.match_view, {"players", *view.STANDARD}, known)
    if game.of_player is None:
        held = {*names_of(game.state), "garnets"}
        yield from (
            f"{name}: the state has no such field, and there is no of_player"
            for name in names_of(game.player_view)
            if name not in held
        )
    yield from _unplaced(game)
    named = {cls.__name__ for cls in rules.TABLE_FACTS}
    for cls in game.facts:
        if cls.__name__ in named:
            yield f"{cls.__name__}: a fact of every game is called so"
        spec = spec_of(cls) or game.table_facts[cls]
        yield from _unsaid(cls, spec, known, rules.TABLE_FACTS)
    for cls, spec in game.table_facts.items():
        if cls in rules.TABLE_FACTS:
            yield from _unsaid(cls, spec, known, rules.TABLE_FACTS)
    yield from _unsound(game)
    for name, sets in game.overrides.items():
        if sets.read is DERIVED and sets.how != "N" and sets.how != sets.how.lower():
            yield f"override {name}: nothing says how {sets.how} is read"
        if sets.put is DERIVED and sets.facts is None and not hasattr(game.state, name):
            yield f"override {name}: the state has no such field, and nothing says where it goes"
        if (sets.owner or sets.public) and sets.line is None:
            yield f"override {name} is told, and no line says to whom"
    for what, keys in _lines(game):
        yield from (f"{what}: there is no line {line}" for line in keys if line and line not in known)
    for cls, verb in game.verbs.items():
        if verb.draw is not None and "drawn" not in names_of(cls):
            yield f"draw of {cls.__name__}: it has no field drawn"
    if not game.phases:
        yield "phases: the first one is that before play"


def names_of(cls: AnyRecord) -> tuple[str, ...]:
    return tuple(getattr(cls, "_fields", ()))


def _unplaced(game: Game) -> Iterator[str]:
    """Facts that say neither what they change nor `told_only`; records that change the state but are not facts."""
    for cls in (*rules.TABLE_FACTS, *game.facts):
        spec = spec_of(cls) or game.table_facts.get(cls, FactSpec())
        if not spec.rule:
            yield f"{cls.__name__} has no words: nothing states its rule"
        if spec.evolve is None or (spec.evolve is put and not goes(cls)):
            yield f"{cls.__name__} is never placed: it has no method evolve, and none of its fields is Puts or Adds"
        elif spec.evolve is put:
            missing = goes(cls).keys() - names_of(game.state)
            yield from (f"{cls.__name__}.{name}: the state has no such field" for name in missing)
        elif goes(cls):
            yield f"{cls.__name__} has a method evolve, so nothing of it is Puts or Adds"
    for cls in beside(game.state):
        if spec_of(cls) is None and hasattr(cls, "evolve"):
            yield f"{cls.__name__} has no words: it changes the state, and is not marked as a fact"


def _unsound(game: Game) -> Iterator[str]:
    """Settings, lines and verbs that could not be used."""
    for key, (level, _) in game.visibility.items():
        if level not in LEVELS:
            yield f"visibility {key}: {level} is no level, one of {' '.join(LEVELS)}"
    for setting in fields(game.settings):
        if not isinstance(setting.note, Gap):
            yield f"setting {setting.name} has no Gap"
        if setting.name in game.visibility:
            yield f"setting {setting.name} is called like a line: name one of them otherwise"
    if game.rounds and game.rounds.number and game.rounds.number not in names_of(game.settings):
        yield f"rounds: there is no setting {game.rounds.number}"
    taken = {kebab(cls) for cls in (*actions.TYPED, *actions.WRITTEN, *actions.ABOUT)}
    for cls in game.actions:
        if kebab(cls) in taken:
            yield f"{cls.__name__}: {kebab(cls)} is a verb of every game"
        if not cls.__doc__:
            yield f"{cls.__name__} has no docstring: it is the help of the verb"
        for field in fields(cls):
            if not field.arg.hidden and not field.arg.help:
                yield f"{cls.__name__}.{field.name} has no Arg: it is the help of the word"
            if field.kind and isinstance(field.default, str) and not re.fullmatch(field.kind.pattern, field.default):
                what = f'{cls.__name__}.{field.name}: its default "{field.default}" is no {field.kind.name.lower()}'
                yield f"{what}; write {field.name}: Annotated[str | None, ...] = None"
    for cls in game.sheets:
        if not hasattr(cls, "player"):
            yield f"{cls.__name__} is a sheet, and has no field player"


def _lines(game: Game) -> Iterator[tuple[str, Iterable[str | None]]]:
    """(where a line is named, those lines), for everything but views and facts."""
    for cls, verb in game.verbs.items():
        yield cls.__name__, (verb.own, verb.others, verb.draw and verb.draw.line)
    for name, sets in game.overrides.items():
        yield f"override {name}", asked(sets.line)
    if game.deal is not None:
        yield "the deal", (game.deal.line, game.deal.others)
    if game.scored is not None:
        yield "scored", (key for mark in (game.scored.line, *game.scored.lines) for key in mark.keys)
    yield "decided", set(game.decided) - set(DECIDED)


def _unmarked(
    cls: type, free: frozenset[str] | set[str], known: set[str], met: frozenset[type] = frozenset()
) -> Iterator[str]:
    """The fields of a view that have no mark, or a mark that opens nothing; for records inside it, only the latter.

    A mark counts only as an argument of `Annotated`; anywhere else it marks nothing.
    """
    marked, hinted = {datum.name: datum.lines for datum in view.data_of(cls)}, hints(cls)
    for name, hint in hinted.items():
        where, lines = f"{cls.__name__}.{name}", marked.get(name, ())
        keys = (key for line in lines for key in line.keys)
        yield from (f"{where}: there is no line {key}" for key in keys if key not in known)
        inside, marks = (get_args(hint)[0], get_args(hint)[1:]) if hasattr(hint, "__metadata__") else (hint, ())
        stray = any(isinstance(mark, tuple) and any(isinstance(one, VisibleTo) for one in mark) for mark in marks)
        if stray or any(isinstance(part, VisibleTo) for part in _parts(inside)):
            yield f"{where}: a VisibleTo inside a tuple or another type marks nothing: write Annotated[X, VisibleTo]"
        elif not lines and name not in free:
            yield f"{where} has no VisibleTo"
        for part in _parts(inside):
            if isinstance(part, type) and hasattr(part, "_fields") and part not in {cls, *met} and _has_marks(part):
                yield from _unmarked(part, set(names_of(part)), known, met | {cls})


def _parts(hint: object) -> Iterator[object]:
    yield hint
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        yield from _parts(part)


def _has_marks(cls: type) -> bool:
    """Is any field of this record marked, even wrongly? A record without marks is shown whole."""
    return any(
        isinstance(one, VisibleTo)
        for hint in hints(cls).values()
        for part in _parts(hint)
        for one in (part, *(part if isinstance(part, tuple) else ()))
    )


def _unsaid(cls: type, spec: FactSpec, known: set[str], shared: frozenset[type]) -> Iterator[str]:
    if cls not in shared and not (spec.rule and spec.host):
        yield f"{cls.__name__} has no rule or no words for the hosts"
    if cls not in shared and (spec.owner or spec.public) and spec.line is None:
        yield f"{cls.__name__} is told, and no line says to whom"
    for text in (spec.rule, spec.host, spec.owner, spec.public):
        names = re.findall(_FIELD, text) if isinstance(text, str) else []
        missing = [name for name in names if name not in names_of(cls)]
        yield from (f"{cls.__name__}: a text has {{{name}}}, and the fact has no such field" for name in missing)
    yield from (f"{cls.__name__}: there is no line {line}" for line in asked(spec.line) if line not in known)


def asked(line: Lines | Callable[..., Lines] | None) -> tuple[str, ...]:
    """The lines that are named; for a callable, the lines that it can return for any fact and state.

    The callable runs with stand-ins that answer each question (`if self.by == "deal"`, `if self.by is None`) first with
    yes and then with no, at most 256 times. A line built from the contents of a stand-in only exists in a match, and is
    left out.
    """
    if not callable(line):
        return (line,) if isinstance(line, str) else tuple(line or ())
    found: dict[str, None] = {}
    open_: list[tuple[bool, ...]] = [()]
    for _ in range(256):
        if not open_:
            break
        path = _Path(open_.pop())
        with suppress(Exception):  # no match takes this path
            keys = line(_StandIn(path), _StandIn(path))
            keys = (keys,) if isinstance(keys, str) else keys
            found |= dict.fromkeys(key for key in keys if type(key) is str and not any(map(key.count, MADE)))
        open_ += path.others()
    return tuple(found)


MADE = ("\0", "None")
"""Marks a text that was built from a stand-in, or from None."""


class _Path:
    """One path through a callable: the answers given so far."""

    def __init__(self, first: tuple[bool, ...]) -> None:
        self.first, self.answers = first, list[bool]()

    def answer(self) -> bool:
        """Yes, unless this path begins otherwise."""
        at = len(self.answers)
        if at >= 32:
            raise RecursionError("it never stops asking")
        self.answers.append(self.first[at] if at < len(self.first) else True)
        return self.answers[-1]

    def others(self) -> Iterator[tuple[bool, ...]]:
        """The paths that branch off after the beginning of this one."""
        for at in range(len(self.first), len(self.answers)):
            yield (*self.answers[:at], False)


class _StandIn:
    """Stands in for a fact or a state, and for everything in it."""

    def __init__(self, path: _Path) -> None:
        self._path = path

    def _other(self, *_: object, **__: object) -> Any:
        return _StandIn(self._path)

    def __getattr__(self, name: str) -> Any:
        """Another stand-in, or None."""
        value = self.__dict__[name] = _StandIn(self._path) if self._path.answer() else None
        return value

    def __iter__(self) -> Iterator[Any]:
        yield _StandIn(self._path)

    def _yes_or_no(self, *_: object) -> bool:
        return self._path.answer()

    def __str__(self) -> str:
        return MADE[0]

    __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __and__ = __or__ = _other
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _yes_or_no
    __hash__ = None  # type: ignore[assignment]
