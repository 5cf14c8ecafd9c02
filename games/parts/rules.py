"""What is recorded of an action and what follows from it: by the handlers of a game, or else by the table.

What belongs here: choosing the handler, the steps that every game shares, making and repeating draws. What does not:
the rules of one game. Source: docs/decisions/0032.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

from events.errors import Refused, Unreadable
from events.instants import Instant, later
from games.contract import (
    DERIVED,
    Action,
    AnyAction,
    AnyFact,
    AnySettings,
    AnySheet,
    AnyState,
    AnyValue,
    Do,
    Draw,
    Elapsed,
    Fact,
    Game,
    Luck,
    Moment,
    Override,
    Rounds,
    Sheet,
    State,
    Transaction,
    each,
    spec_of,
    with_stated,
)
from games.kinds import BREAK, called, choice, listed, shown
from games.kit import luck as kit_luck
from games.parts import dealing
from games.parts.view import as_it_is, audience, places
from games.records import ABSENT, Field, fields, kebab, plain
from games.spans import span
from games.table import (
    actions as shared,
    facts as table_facts,
    prepare as table_prepare,
    rounds as table_rounds,
    rules as table_rules,
    settings as table_settings,
)
from games.table.endgame import follow, follow_void, warnings
from games.table.facts import ResultChanged
from games.table.rounds import LateAdmitted, RoundOpened, RoundResolved, SheetDropped, SheetSealed
from games.table.state import Round, Table


def source_of(row: Draw, state: State, action: AnyAction) -> dict[str, AnyValue] | None:
    """The source of a draw, as its entry keeps it to repeat the draw from its seed. None: nothing is drawn."""
    if row.source is not None:
        source: dict[str, AnyValue] | None = plain(row.source(state, action))
        return source
    if row.shuffle is not None:
        return {"shuffle": list(row.shuffle(state))}
    assert row.each is not None and row.of is not None, "a draw shuffles, or draws for each"
    return {"each": list(row.each(state)), "of": [list(words) for words in row.of(state)]}


def fixed_now(game: Game, state: State) -> Iterator[Mapping[str, AnyValue]]:
    """The source of each draw that a commitment made now would fix, as their entries would keep it."""
    if game.deal is not None and game.deal.committed(state):
        yield dealing.source(game.deal, state)
    for row in filter(None, (verb.draw for verb in game.verbs.values())):
        yield from (plain(source) for source in row.fixed(state))


def must_be_drawn(game: Game, state: State, action: AnyAction) -> None:
    """Refuse an action that lacks its draw, has a wrong one, or has one that the rules do not ask for."""
    row = game.verb(action).draw
    if row is None or not row.when(state):
        if action.drawn is not None or action.seed is not None:
            raise _no_draw()
    elif action.drawn is None:
        raise Refused("table.undrawn", "a draw is recorded with its outcome", f"hl {kebab(type(action))}")
    elif row.shuffle is not None:
        wanted = row.shuffle(as_drawn(state, action))
        if sorted(action.drawn) != sorted(wanted):
            raise _not_each(state.table, wanted)
    elif row.each is not None and row.typed is None:  # what is typed in the game's own way may leave some out
        named = {line.partition(" ")[0] for line in action.drawn}
        if lacking := [player for player in row.each(as_drawn(state, action)) if player not in named]:
            raise Refused("table.drawn", f"nothing was drawn for {_named(state.table, lacking)}", "hl log --kind drop")


def as_drawn(state: State, action: AnyAction) -> AnyState:
    """The state as it was drawn from, with every player whom the recorded draw names still present."""
    return table_prepare.as_drawn(state, [line.partition(" ")[0] for line in action.drawn or ()], action.draw)


def _no_draw() -> Refused:
    return Refused("table.no_draw", "nothing is drawn here, so --drawn means nothing", "leave --drawn out")


def _not_each(table: Table, wanted: Iterable[str]) -> Refused:
    what = f"--drawn must name each of {_named(table, wanted)} once"
    return Refused("table.drawn", what, "leave --drawn out, and it is drawn here")


def _named(table: Table, words: Iterable[str]) -> str:
    """Players by their names, and whatever else may be drawn."""
    return listed(table.name(word) if word in table.seats else word for word in words)


def must_say_whose(action: shared.Override, table: bool) -> None:
    """Check that an override names a player if, and only if, the field belongs to a player.

    Raises:
        Unreadable: `override.whose`.
    """
    if table and action.player is not None:
        what = f"{action.field} belongs to the table, not to a player"
        raise Unreadable("override.whose", what, f"hl override {action.field} VALUE")
    if not table and action.player is None:
        fix = f"hl override PLAYER {action.field} VALUE"
        raise Unreadable("override.whose", f"say whose {action.field} that is", fix)


def prepare(game: Game, state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """The actions to record: draws are made, and defaults that depend on the state are filled in."""
    sheet = game.sheets.get(type(action))
    if own := sheet.prepare if sheet else game.verb(action).prepare:
        entries = own(state, action, luck)
        by_its_part = game.deal is not None and isinstance(action, shared.Deal)
        if by_its_part or len(entries) != 1 or type(entries[0]) is not type(action):
            return entries
        action = entries[0]
    if isinstance(action, shared.Override):
        if (field := game.overrides.get(action.field)) is not None:
            must_say_whose(action, field.table)
            return (action._replace(value=field.read(action.value)),)
        if action.field == "garnets" and game.garnets:
            return (action._replace(value=str(table_prepare.whole(action.value))),)
        raise table_prepare.no_such_field(action, game.fields)
    fixed = fixed_now(game, state)
    entries = table_prepare.prepare(state.table, action, luck, game.settings, game.visibility, game.has, fixed)
    if (row := game.verb(action).draw) and row.when(state):
        return (_drawn(row, state, entries[0], luck),)
    if getattr(action, "drawn", None) is not None and type(action) in (shared.Open, shared.Resolve):
        raise _no_draw()
    return entries


def _drawn(row: Draw, state: State, action: AnyAction, luck: Luck) -> AnyAction:
    """The action with its draw. A draw that was typed in, or is being amended, is not made again."""
    source = source_of(row, state, action)
    if source is None:
        return action
    label = source.get("label", "")
    fixed = luck.published if label else None
    if action.drawn is None and fixed is not None and fixed.fixes(source):
        drawn = kit_luck.repeat(source, kit_luck.mix(fixed.seed, fixed.words), luck.seq, label)
        replaces = fixed.replaced_by(f"draw:{label}")
        entry = action._replace(commitment=fixed.commitment, words=fixed.lines, replaces=replaces)
        return entry._replace(drawn=drawn, draw=source)
    if action.drawn is None:
        seed = luck.seed()
        drawn = kit_luck.repeat(source, kit_luck.mix(seed), luck.seq)
        entry = action._replace(drawn=drawn, draw=source, seed=seed.hex())
        return entry if fixed is None else entry._replace(replaces=fixed.before(f"draw:{label}"))
    typed = action._replace(drawn=_typed(row, state, source, action.drawn))
    if typed.seed is not None and _redrawn(row, state, typed, luck.seq) is None:
        return typed
    drawn_from = ("each", "of") if "of" in source else ("shuffle",)
    kept = {key: value for key, value in source.items() if key not in drawn_from}
    typed = typed._replace(seed=None, draw=kept or None)
    return typed if fixed is None else typed._replace(replaces=fixed.before(f"draw:{label}"))


def _typed(row: Draw, state: State, source: Mapping[str, AnyValue], lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a draw that a host typed in, in normal spelling.

    Raises:
        Unreadable: a word cannot be drawn here.
        Refused: `table.drawn`, a player has no line, or two.
    """
    lines = [part.strip() for line in lines for part in line.split(",") if part.strip()]
    if row.typed is not None:
        return tuple(row.typed(state, line) for line in lines)
    read = tuple(_typed_line(state.table, source, line.split()) for line in lines)
    wanted = source.get("shuffle") or source["each"]
    if sorted(read if "shuffle" in source else (line.partition(" ")[0] for line in read)) != sorted(wanted):
        raise _not_each(state.table, wanted)
    return read


def _typed_line(table: Table, source: Mapping[str, AnyValue], words: Sequence[str]) -> str:
    lists, shuffled = source.get("of", ()), source.get("shuffle", ())
    if not table.seats.keys() >= set(shuffled):
        return choice("draw", shuffled).spell(" ".join(words))
    if len(words) != 1 + len(lists):
        what = f"{shown(' '.join(words))} is not a player{' and what was drawn' if lists else ''}"
        raise Unreadable("draw.unreadable", what, "one part for each player, between commas")
    outcomes = [choice("draw", of).spell(word) for word, of in zip(words[1:], lists, strict=True)]
    return " ".join([table.directory().find(words[0]), *outcomes])


def _redrawn(row: Draw, state: State, action: AnyAction, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded draw; None if its seed, or the `key` of its commitment, gives it again."""
    source = source_of(row, as_drawn(state, action), action)
    if source is None:
        return None
    if plain(action.draw) != source:
        return "it was not drawn from what the rules say"
    label = source.get("label", "") if key else ""
    return table_prepare.redrawn(
        action.seed or "",
        lambda seed: kit_luck.repeat(source, key or kit_luck.mix(seed), seq, label),
        tuple(action.drawn),
        row.what,
    )


def audit(game: Game, state: State, action: AnyAction, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a draw that `state` includes, or None."""
    if own := game.verb(action).audit:
        return own(state, action, seq, key)
    if (row := game.verb(action).draw) and action.drawn is not None and (action.seed is not None or key):
        return _redrawn(row, state, action, seq, key)
    return table_prepare.audit(action, seq)


# ---- a result that was told and has changed --------------------------------------------------------------------------


Kind: TypeAlias = Literal["elimination", "winner", "tokens", "scores", "ranking"]
Pairs: TypeAlias = tuple[tuple[str, int], ...]
Row: TypeAlias = tuple[Kind, Pairs, Pairs]
CAUSES: Mapping[type, str] = {
    shared.Declare: "the hosts declared it",
    shared.Award: "the hosts gave or took something",
    shared.Penalty: "a player was penalised",
    shared.Override: "the hosts corrected a count",
    shared.AmendSetting: "a rule was changed",
    shared.Reopen: table_facts.REOPENED,
    shared.Drop: "a player left",
    shared.Replace: "a player came back",
}
"""What hosts record after the end -> why the result changed, in words that reveal nothing else."""


def changed(game: Game, before: State, after: State, why: str, places: bool = True) -> tuple[Fact, ...]:
    """The facts that correct a result that was already told. Empty before the end.

    Settling an open decision corrects nothing.

    Args:
        places: Whether changed places are told, and not only changed scores.
    """
    if not game.over(before):
        return ()
    rows: list[Row] = [*_table(before.table, after.table)]
    if game.over(after) and not after.table.void and not before.table.void:
        rows += _ranks(game, before, after, told=places)
    return tuple(ResultChanged(kind, was, now, why) for kind, was, now in rows)


def _table(before: Table, after: Table) -> Iterator[Row]:
    was_told = before.status == "finished"
    kinds: tuple[tuple[Kind, tuple[str, ...], tuple[str, ...]], ...] = (
        ("elimination", before.elimination, after.elimination),
        ("winner", before.winners, after.winners),
    )
    for kind, was, now in kinds:
        if was != now and (was or was_told):
            yield kind, tuple((p, 1) for p in was), tuple((p, 1) for p in now)
    held, holds = _held(before), _held(after)
    if held != holds and (was_told or _withdrawn(before, after)):
        yield "tokens", held, holds


def _held(table: Table) -> Pairs:
    return tuple((p, n) for p in table.players if (n := table.tokens.get(p, 0)) > 0)


def _withdrawn(before: Table, after: Table) -> bool:
    """Is a token, or the gift of one, taken back? Giving a spare token, or letting it lapse, does not count."""
    was, now = (Counter(award[:2] for award in table.awards) for table in (before, after))  # whatever the reason
    return bool(was - now or Counter(before.given) - Counter(after.given)) or any(
        before.granted.get(p, 0) > after.granted.get(p, 0) or before.taken.get(p, 0) < after.taken.get(p, 0)
        for p in before.players
    )


def _ranks(game: Game, before: State, after: State, *, told: bool) -> Iterator[Row]:
    """The changed scores; the places instead, if they are `told` and do not follow from the scores or the scores are
    the same."""
    if game.scored is None:
        return
    was, now = game.scored.scores(before), game.scored.scores(after)
    kind: Kind = "scores"
    stood, stands = _places(game, before, was), _places(game, after, now)
    if told and (was == now or (game.scored.ranking is not None and stood != stands)):
        kind, was, now = "ranking", stood, stands
    moved = [p for p in was if p in now and was[p] != now[p]]
    if moved:
        yield kind, tuple((p, was[p]) for p in moved), tuple((p, now[p]) for p in moved)


def _places(game: Game, state: State, scores: Mapping[str, int]) -> dict[str, int]:
    groups = places(game, state, scores)
    return {p: 1 + sum(map(len, groups[:n])) for n, group in enumerate(groups) for p in group}


# ---- decide and evolve -----------------------------------------------------------------------------------------------


Effect: TypeAlias = Callable[[AnyFact, AnyState], AnyState]
TABLE_FACTS = frozenset({*table_facts.TABLE_FACTS, *table_rounds.SEALED_FACTS})


def start(game: Game, table: Table) -> AnyState:
    settings: AnySettings = table_settings.own(game.settings, table.settings)
    fresh = table._replace(phase=next(iter(game.phases)))
    state: AnyState = game.begin(fresh, settings) if game.begin else game.state(fresh, settings)
    for name, held in zip(state._fields, state, strict=True):
        if isinstance(held, each):
            state = state._replace(**{name: dict.fromkeys(table.seats, held.value)})
    return state


def decide(
    game: Game, over: Callable[[State], bool], effects: Mapping[type, Effect]
) -> Callable[[State, Action, Moment], list[Fact]]:
    """Make the game's `decide`: (state, action, moment) -> the facts with all their consequences. Raises `Refused`.

    Args:
        over: `Game.over` as the game states it, for a match that is not void.
    """
    handlers: dict[type, Do] = {
        shared.Seat: partial(_seat, game),
        shared.Override: partial(_override, game),
        shared.AmendSetting: partial(_amend, game),
        shared.Replace: partial(_replace, game),
        **(_rounds(game, game.rounds) if game.rounds else {}),
        **{cls: verb.do for cls, verb in game.verbs.items() if verb.do is not None},
        **({Elapsed: game.on_elapsed} if game.on_elapsed else {}),
    }
    tells_dropped = game.rounds.items if game.rounds else None
    by_itself, verdict = game.follow, game.verdict or as_it_is
    causes = {**dict.fromkeys(game.verbs.keys() - {*shared.TYPED}, CAUSES[shared.Override]), **CAUSES}

    def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
        if state.table.declared:
            table_rules.must_count(state.table, action)
        tx: Transaction[AnyState] = Transaction(state, effects)
        handle: Do = handlers.get(type(action), by_the_table)
        handle(tx, action, moment)
        if getattr(action, "replaces", None) is not None:
            by_deal = game.deal is not None and game.deal.committed(state)
            fixes = by_deal if isinstance(action, shared.Deal) else "commitment" in action._fields
            fixed = state.table.commitment is not None and fixes
            tx.emit(table_rules.replaced(action, audience(game, tx.state, action), fixed=fixed))
        after = tx.state
        if after is state:
            return tx  # no change has no consequences; what time brings comes as an `Elapsed`
        if tells_dropped is not None:
            _dropped(tx, state, tells_dropped)
        if tx.state.table.void:
            follow_void(tx, moment.at)
        else:
            if by_itself is not None:
                by_itself(tx, moment)
            if over(tx.state) and (game.verdict is not None or tx.state.table.declared):
                follow(tx, verdict, moment.at)
        if over(state) or state.table.void:
            tx.emit(*changed(game, state, tx.state, causes.get(type(action), "it was decided again")))
        return tx

    return decide


def by_the_table(tx: Transaction[AnyState], action: Action, moment: Moment) -> None:
    tx.emit(*table_rules.decide(tx.state.table, action, moment))


def effects(game: Game) -> dict[type, Effect]:
    """Fact class -> (fact, state) -> the state after it. Complete: a fact of any other class is a bug."""
    found: dict[type, Effect] = {}
    for cls in (*TABLE_FACTS, *game.facts):
        put, stated = spec_of(cls), game.table_facts.get(cls)
        if cls in TABLE_FACTS and put is not None and put.evolve is not None:
            found[cls] = partial(_on_the_table, game, put.evolve, stated and stated.evolve)
        elif (spec := stated or put) is not None and spec.evolve is not None:
            found[cls] = spec.evolve
    return found


def evolve(effects: Mapping[type, Effect], state: AnyState, fact: Fact) -> AnyState:
    """The state after the fact."""
    if type(fact) not in effects:
        raise AssertionError(f"a fact that nobody can place: {fact!r}")
    return effects[type(fact)](fact, state)


def _on_the_table(game: Game, put: Effect, more: Effect | None, fact: AnyFact, state: AnyState) -> AnyState:
    """Apply a fact of the table to the table, to the game's copy of settings and fields, and then apply `more`."""
    table = put(fact, state.table)
    if table is not state.table:
        state = state._replace(table=table)
    if isinstance(fact, table_facts.SettingAmended):
        state = state._replace(settings=table_settings.own(game.settings, table.settings))
    elif isinstance(fact, table_facts.FieldSet):
        return game.overrides[fact.field].put(state, fact.player, fact.value)
    return more(fact, state) if more is not None else state


def completed(name: str, row: Override) -> Override:
    """The row with default functions that read a value and put it into the state."""
    is_number = row.how.startswith("N")

    def read(typed: str) -> str:
        return str(table_prepare.whole(typed)) if is_number else choice(name, row.how.split("|")).spell(typed)

    def put(state: AnyState, player: str, value: str) -> AnyState:
        kept = int(value) if is_number else value
        return state._replace(**{name: kept if row.table else {**getattr(state, name), player: kept}})

    return with_stated(row._replace(read=read, put=put), row)


def _set_field(tx: Transaction[AnyState], row: Override, player: str, field: str, typed: str) -> None:
    value = row.read(typed)
    facts = row.facts(tx.state, player, value) if row.facts else ()
    tx.emit(*(facts or (table_facts.FieldSet(player, field, value),)))


def _seat(game: Game, tx: Transaction[AnyState], action: shared.Seat, moment: Moment) -> None:
    """Seat a player with what the match file gives them."""
    by_the_table(tx, action, moment)
    rows = {name: row for name, row in game.overrides.items() if row.at_start}
    for field, typed in action.given.items():
        if field not in rows:
            no_field = shared.Override(action.player, field)
            raise table_prepare.no_such_field(no_field, {name: row.how for name, row in rows.items()})
        _set_field(tx, rows[field], action.player, field, typed)


def must_have_places(game: Game, settings: AnySettings, players: Sequence[str], fix: str = "hl drop NAME") -> None:
    """Refuse more players than can play.

    Raises:
        Refused: `GAME.roster`.
    """
    most, why = game.places(settings) if game.places else (len(players), "")
    if len(players) > most:
        raise Refused(f"{game.name}.roster", f"{why}: at most {most} can play, and there are {len(players)}", fix)


def _replace(game: Game, tx: Transaction[AnyState], action: shared.Replace, moment: Moment) -> None:
    """Put another person into a seat; into one that was left, if there is a place for one more player."""
    left = tx.state.table.left
    by_the_table(tx, action, moment)
    if action.player in left:
        must_have_places(game, tx.state.settings, tx.state.table.present)


def _override(game: Game, tx: Transaction[AnyState], action: shared.Override, moment: Moment) -> None:
    """Set one field of one player, or of the table. Source: season, host powers."""
    row = game.overrides.get(action.field)
    must_say_whose(action, row is not None and row.table)
    player = action.player or ""
    if row is not None:
        if row.facts is None and row.put(tx.state, player, row.read(action.value)) == tx.state:
            return  # it is so already, and nobody is told again
        _set_field(tx, row, player, action.field, action.value)
    elif action.field == "garnets" and game.garnets:
        garnets = table_prepare.whole(action.value)
        tx.emit(*table_rules.set_garnets(tx.state.table, player, garnets))
    else:
        raise table_prepare.no_such_field(action, game.fields)


def _amend(game: Game, tx: Transaction[AnyState], action: shared.AmendSetting, moment: Moment) -> None:
    """Change a setting from now on. The number of rounds is fixed once they are over; confirming one is always fine.

    Source: S-11.
    """
    state, rows = tx.state, game.rounds
    confirmed = table_settings.amended(state.table.settings, action.key, action.value) == state.table.settings
    if game.may_amend is not None and not confirmed:
        game.may_amend(state, action)
    amended = table_rules.setting_amended(state.table, action, game.settings, game.visibility)
    if rows is None or confirmed or action.key != rows.number:
        tx.emit(amended)
        return
    if game.over(state):
        raise table_rules.rounds_over(action)
    tx.emit(amended)
    on = state.table.round
    if on is not None and on.name not in rows.names(tx.state):
        what = f"{called(on.name)} has already begun, so there cannot be {action.value}"
        raise Refused("table.rounds", what, table_rules.BACK_A_ROUND)


# ---- sealed rounds -----------------------------------------------------------------------------------------------


def number_of(table: Table) -> int:
    """The number of the current or else the last round; 0 if it has none."""
    name = table.round.name if table.round else table.resolved[-1] if table.resolved else ""
    return int(name.removeprefix("round_")) if name.startswith("round_") else 0


def _opened(game: Game, table: Table) -> Refused:
    """The refusal of `open`, with what the host may want instead."""
    what, fix = "play has begun already", "hl status"
    if table.round is not None:
        name, closed = called(table.round.name), table.round.closed is not None
        what = f"{name} is {'closed and not resolved yet' if closed else 'open already'}"
        fix = "hl resolve\nhl reopen" if closed else fix
    return Refused(f"{game.name}.opened", what, fix)


def rounds_of(stated: Rounds) -> Rounds:
    """The rounds, with default names and a default `spelled`."""
    number = stated.number or "rounds"

    def spelled(sheet: AnySheet) -> str:
        """A sheet as it is typed, without the player; with the verb if there are several."""
        typed = ((field, getattr(sheet, field.name)) for field in fields(sheet.__class__) if field.name != "player")
        words = (_typed_back(field, value) for field, value in typed if field.required or value != field.default)
        return " ".join([kebab(sheet.__class__)] * (len(stated.sheets) > 1) + [*words])

    if stated.items is None and stated.spelled is None:
        stated = stated._replace(spelled=spelled)
    if stated.names is not DERIVED:
        return stated
    return stated._replace(
        number=number, names=lambda state: [f"round_{n + 1}" for n in range(getattr(state.settings, number))]
    )


def _typed_back(field: Field, value: AnyValue) -> str:
    words = " ".join(map(str, value)) if field.many else str(value)
    return words if field.in_place else field.option if field.bare else f"{field.option} {words}"


def over(rows: Rounds, state: State) -> bool:
    """Are all rounds resolved?"""
    return not _left(rows, state)


def _rounds(game: Game, rows: Rounds) -> dict[type, Do]:
    def open_(tx: Transaction[AnyState], action: shared.Open, moment: Moment) -> None:
        state = tx.state
        left = _left(rows, state)
        if state.table.phase == BREAK:
            raise Refused(f"{game.name}.opened", "the next round opens by itself after the break", "hl close break")
        if state.table.status != "setup" and (state.table.round is not None or not left or game.over(state)):
            raise _opened(game, state.table)
        must_have_places(game, state.settings, state.table.present)
        if rows.may_open is not None:
            rows.may_open(state)
        must_be_drawn(game, state, action)
        if rows.opened is not None and state.table.status == "setup":
            rows.opened(tx, action.drawn or ())
        _begin(tx, rows, left[0], moment)

    def resolve(tx: Transaction[AnyState], action: shared.Resolve, moment: Moment) -> None:
        round_ = table_rounds.resolving(tx.state.table, action.round)
        must_be_drawn(game, tx.state, action)
        rows.resolve(tx, round_, action.drawn or (), moment)
        tx.emit(RoundResolved(round_.name))
        if rows.after is not None:
            rows.after(tx, round_, moment)
        left = _left(rows, tx.state)
        if not left or game.over(tx.state) or (length := rows.between(tx.state, left[0])) is None:
            return
        if ms := span(length):
            tx.emit(table_facts.PhaseBegan(BREAK, "running", moment.at, later(moment.at, ms)))
        else:
            _begin(tx, rows, left[0], moment)

    def after_break(tx: Transaction[AnyState], action: shared.Close | Elapsed, moment: Moment) -> None:
        """End a break and begin the next round; any other phase ends as it does in every game."""
        ends = tx.state.table.phase == BREAK and (isinstance(action, Elapsed) or action.phase == BREAK)
        if not ends:
            by_the_table(tx, action, moment)
            return
        why = "its time is over" if isinstance(action, Elapsed) else "a host ended it"
        tx.emit(table_facts.PhaseEnded(BREAK, why))
        if left := _left(rows, tx.state):
            _begin(tx, rows, left[0], moment)

    def blank(tx: Transaction[AnyState], action: shared.Blank, moment: Moment) -> None:
        if tx.state.table.round is not None:
            _must_be_asked(rows, tx.state, tx.state.table.round, action.player)
        by_the_table(tx, action, moment)

    return {
        shared.Open: open_,
        shared.Resolve: resolve,
        shared.Blank: blank,
        **dict.fromkeys((shared.Close, Elapsed), after_break),
        **{cls: partial(submit, row=row, rows=rows) for cls, row in rows.sheets.items()},
    }


def _left(rows: Rounds, state: State) -> Sequence[str]:
    return [name for name in rows.names(state) if name not in state.table.resolved]


def _begin(tx: Transaction[AnyState], rows: Rounds, name: str, moment: Moment) -> None:
    tx.emit(RoundOpened(name, moment.at, later(moment.at, span(rows.hours(tx.state, name)))))


def submit(
    tx: Transaction[AnyState], action: AnyAction, moment: Moment, row: Sheet, rows: Rounds | None = None
) -> None:
    """Check a sheet against the rules and seal it.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.not_this_round`, `sealed.not_asked`, or what the game says.
    """
    state, player = tx.state, action.player
    round_ = taking(state.table, player, getattr(action, "round", ABSENT))
    if rows is not None:
        _must_be_asked(rows, state, round_, player)
    kept = row.check(state, round_, action) or action
    tx.emit(table_rounds.seal(state.table, player, kept, moment, parts=row.parts(kept)))
    if row.after is not None:
        row.after(tx, action)


def faulty(game: Game, state: State) -> tuple[tuple[int, str], ...]:
    """(entry, line for hosts) for all on the sheets of the current round that the rules ignore as things are."""
    found = game.faults(state, state.table.round) if state.table.round else ()
    mend = 'to correct it: hl amend {0}, to leave it so: hl ruling --about {0} "TEXT"'
    return tuple((seq, f"{sentence}; {mend.format(seq)}" if seq else sentence) for seq, sentence in found)


def _must_be_asked(rows: Rounds, state: State, round_: Round, player: str) -> None:
    """Refuse a sheet or a blank from a player who owes nothing in that round."""
    if player not in (state.table.players if rows.who is None else rows.who(state, round_.name)):
        what = f"{state.table.name(player)} sends nothing in {called(round_.name)}"
        raise Refused("sealed.not_asked", what, "hl waiting")


def _dropped(tx: Transaction[AnyState], before: State, items: Callable[[State, Round, str], Mapping[str, str]]) -> None:
    """Tell what a new whole sheet no longer has that was on the earlier one. Source: S-9."""
    was, now = before.table.round, tx.state.table.round
    if was is None or now is None:
        return
    for fact in [event for event in tx if isinstance(event, (SheetSealed, LateAdmitted))]:
        player = fact.player
        seq = fact.seq if isinstance(fact, LateAdmitted) else fact.sheet.seq
        sheet = next(sent for sent in now.sheets[player] if sent.seq == seq)
        if sheet.content is None or sheet.parts is not None:
            continue
        old, new = items(before, was, player), items(tx.state, now, player)
        if gone := tuple(words for kind, words in old.items() if kind[0] != "-" and kind not in new):
            tx.emit(SheetDropped(player, now.name, gone, seq, hasattr(sheet.content, "add")))


def taking(table: Table, player: str, sent_for: str = ABSENT) -> Round:
    """The round that takes a sheet from this player.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.not_this_round`.
    """
    table_rules.must_be_here(table, player)
    return table_rounds.taking(table, sent_for)


def due(game: Game, state: State) -> Instant | None:
    """The next derived end; in a void match only the table's."""
    return state.table.next_end() if game.due is DERIVED or state.table.void else game.due(state)


def invariants(game: Game, state: State) -> tuple[str, ...]:
    """The laws that are broken, which a host's override may do."""
    broken = (*game.broken(state), *warnings(state.table))
    return broken if sum(state.table.purses.values()) == 0 else (*broken, "the purses do not balance")
