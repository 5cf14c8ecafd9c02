"""decide, evolve, prepare, audit, made of the parts: handlers by class, and the table for what the game does not own.

What belongs here: which handler is asked, and the steps that every game takes alike. What does not: a rule of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Fact, Luck, Moment
from games.kinds import Desk, choice, shown
from games.kit import luck as kit_luck
from games.kit import sealed
from games.kit.sealed import LateAdmitted, Round, RoundOpened, RoundResolved, SheetDropped, SheetSealed
from games.parts.changed import cause, changed
from games.parts.declare import Do, Draw, Override, Parts, Rounds, Sheet
from games.parts.reasons import as_it_is
from games.records import ABSENT, kebab, plain
from games.story import Story
from games.table import actions as shared
from games.table import facts as told
from games.table import prepare as table_prepare
from games.table import rounds as table_rounds
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import HOUR, follow, follow_void, odd
from games.table.evolve import evolve as table_evolve
from games.table.state import Table

TABLE_FACTS = frozenset({*told.TABLE_FACTS, *sealed.OWN})


def start(parts: Parts[Any]) -> Callable[[Table], Any]:
    """(table) -> the first state."""
    before = next(iter(parts.phases))

    def start(table: Table) -> Any:
        settings: Any = table_settings.own(parts.settings, table.settings)
        fresh = table._replace(phase=before, virtual=parts.virtual)
        return parts.start(fresh, settings) if parts.start else parts.state(fresh, settings)

    return start


def decide(parts: Parts[Any]) -> Callable[[Any, Action, Moment], list[Fact]]:
    """(state, action, moment) -> the facts that follow, and whatever they bring about. Raises `Refused`."""
    handlers: dict[type, Do[Any]] = {
        shared.Override: _override(parts),
        shared.AmendSetting: _amend(parts),
        **(_rounds(parts, parts.rounds) if parts.rounds else {}),
        **{cls: verb.do for cls, verb in parts.verbs.items()},
        **parts.decide,
    }
    tells_dropped = parts.rounds.items if parts.rounds else None
    differs = changed(parts)
    by_itself, verdict, over, evolved = parts.follow, parts.verdict or as_it_is, parts.over, evolve(parts)

    def decide(state: Any, action: Action, moment: Moment) -> list[Fact]:
        table_rules.must_count(state.table, action)
        story: Story[Any] = Story(state, evolved)
        do = handlers.get(type(action))
        if do is None:
            story.tell(*table_rules.decide(state.table, action, moment))
        else:
            do(story, action, moment)
        if tells_dropped is not None:
            _dropped(story, state, tells_dropped)
        if story.state.table.void:
            follow_void(story, moment.at)
        else:
            if by_itself is not None:
                by_itself(story, moment)
            if over(story.state) and (parts.verdict is not None or story.state.table.declared):
                follow(story, verdict, moment.at)
        story.tell(*differs(state, story.state, cause(action)))
        return story.facts

    return decide


def by_the_table(story: Story[Any], action: Action, moment: Moment) -> None:
    """A shared verb means here what it means everywhere."""
    story.tell(*table_rules.decide(story.state.table, action, moment))


def evolve(parts: Parts[Any]) -> Callable[[Any, Fact], Any]:
    """(state, fact) -> the state after it. Total: a fact that it cannot place is a bug."""
    handlers, overrides = parts.evolve, parts.overrides

    def evolve(state: Any, fact: Fact) -> Any:
        cls = type(fact)
        put = handlers.get(cls)
        if cls in TABLE_FACTS:
            table = table_evolve(state.table, fact)
            if table is not state.table:
                state = state._replace(table=table)
            if cls is told.SettingAmended:
                state = state._replace(settings=table_settings.own(parts.settings, table.settings))
            elif cls is told.FieldSet:
                return _set(overrides[fact.field], state, fact)
        elif put is None:
            raise AssertionError(f"a fact that nobody can place: {fact!r}")
        return state if put is None else put(state, fact)

    return evolve


def _set(row: Override[Any], state: Any, fact: Any) -> Any:
    """The state with what a host set."""
    if row.put is not None:
        return row.put(state, fact.player, fact.value)
    if row.table:
        return state._replace(**{fact.field: int(fact.value)})
    return state._replace(**{fact.field: {**getattr(state, fact.field), fact.player: int(fact.value)}})


def _override(parts: Parts[Any]) -> Do[Any]:
    """Set that field of that player and nothing else. Source: season, host powers."""
    fields = typed_fields(parts)

    def override(story: Story[Any], action: shared.Override, moment: Moment) -> None:
        row = parts.overrides.get(action.field)
        must_say_whose(action, row is not None and row.table)
        player = action.player or ""
        if row is not None:
            value = row.read(action.value)
            made = row.facts(story.state, player, value) if row.facts else ()
            story.tell(*(made or (told.FieldSet(player, action.field, value),)))
        elif action.field == "garnets" and parts.garnets:
            garnets = table_prepare.whole(action.value)
            story.tell(*table_rules.set_garnets(story.state.table, player, garnets))
        else:
            raise table_prepare.no_such_field(action.field, fields)

    return override


def must_say_whose(action: shared.Override, table: bool) -> None:
    """A field of a player needs one, and a field of the table has none.

    Raises:
        Unreadable: `override.whose`.
    """
    if table and action.player is not None:
        what = f"{action.field} is the table's, and nobody's"
        raise Unreadable("override.whose", what, f"hl override {action.field} VALUE")
    if not table and action.player is None:
        fix = f"hl override {action.field} PLAYER VALUE"
        raise Unreadable("override.whose", f"it is not said whose {action.field} that is", fix)


def typed_fields(parts: Parts[Any]) -> Mapping[str, str]:
    """What `override` may set, and how its value is typed."""
    own = {name: row.how for name, row in parts.overrides.items()}
    return {**own, "garnets": "N"} if parts.garnets else own


def _amend(parts: Parts[Any]) -> Do[Any]:
    """A setting from now on; how many rounds there are is fixed once they are over. What it is may always be confirmed.

    Source: S-11.
    """

    def amend(story: Story[Any], action: shared.AmendSetting, moment: Moment) -> None:
        state = story.state
        confirmed = table_settings.amended(state.table.settings, action.key, action.value) == state.table.settings
        if parts.may_amend is not None and not confirmed:
            parts.may_amend(state, action)
        told_ = table_rules.setting_amended(
            state.table, action, parts.settings, parts.visibility, tuple(state.table.players)
        )
        rows = parts.rounds
        if rows is None or confirmed or action.key != rows.number:
            story.tell(told_)
            return
        table_rules.must_leave_rounds(action, rows.number, over=parts.over(state))
        story.tell(told_)
        on = state.table.round
        if on is not None and on.name not in rows.names(story.state):
            what = f"{sealed.called(on.name)} is on already: there cannot be {action.value}"
            raise Refused("table.rounds", what, table_rules.BACK_A_ROUND)

    return amend


# ---- sealed rounds -----------------------------------------------------------------------------------------------


def number_of(table: Table) -> int:
    """The number of the round that is on, or of the last one; 0 for one that has none."""
    name = table.round.name if table.round else table.resolved[-1] if table.resolved else ""
    return int(name.removeprefix("round_")) if name.startswith("round_") else 0


def _rounds(parts: Parts[Any], rows: Rounds[Any]) -> dict[type, Do[Any]]:
    def sheet(row: Sheet[Any]) -> Do[Any]:
        return lambda story, action, moment: submit(story, action, moment, row, rows)

    def open_(story: Story[Any], action: shared.Open, moment: Moment) -> None:
        state = story.state
        left = _left(rows, state)
        if state.table.status != "setup" and (rows.at_once or state.table.round is not None or not left):
            raise Refused(f"{parts.name}.opened", "play has begun already", "hl status")
        if rows.may_open is not None:
            rows.may_open(state)
        _must_be_drawn(parts, state, action)
        if rows.opened is not None and state.table.status == "setup":
            rows.opened(story, action.drawn or ())
        _begin(story, rows, left[0], moment)

    def resolve(story: Story[Any], action: shared.Resolve, moment: Moment) -> None:
        round_ = table_rounds.resolving(story.state.table, action.round)
        _must_be_drawn(parts, story.state, action)
        rows.resolve(story, round_, action.drawn or (), moment)
        story.tell(RoundResolved(round_.name))
        if rows.after is not None:
            rows.after(story, round_, moment)
        left = _left(rows, story.state)
        if left and rows.at_once and not parts.over(story.state):
            _begin(story, rows, left[0], moment)

    def blank(story: Story[Any], action: shared.Blank, moment: Moment) -> None:
        if story.state.table.round is not None:
            _must_be_asked(rows, story.state, story.state.table.round, action.player)
        by_the_table(story, action, moment)

    return {
        shared.Open: open_,
        shared.Resolve: resolve,
        shared.Blank: blank,
        **{cls: sheet(row) for cls, row in rows.sheets.items()},
    }


def _left(rows: Rounds[Any], state: Any) -> Sequence[str]:
    """The rounds that are still to come."""
    return [name for name in rows.names(state) if name not in state.table.resolved]


def _begin(story: Story[Any], rows: Rounds[Any], name: str, moment: Moment) -> None:
    story.tell(RoundOpened(name, moment.at, moment.at + rows.hours(story.state, name) * HOUR))


def submit(story: Story[Any], action: Action, moment: Moment, row: Sheet[Any], rows: Rounds[Any] | None = None) -> None:
    """A sheet comes in: it is held against the rules and sealed.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.not_this_round`, `sealed.not_asked`, or what the game says.
    """
    state, player = story.state, action.player
    round_ = taking(state.table, player, getattr(action, "round", ABSENT))
    if rows is not None:
        _must_be_asked(rows, state, round_, player)
    kept = row.check(state, round_, action) or action
    story.tell(table_rounds.seal(state.table, player, kept, moment, parts=row.parts(kept)))
    if row.after is not None:
        row.after(story, action)


def _must_be_asked(rows: Rounds[Any], state: Any, round_: Round, player: str) -> None:
    """Refuse a sheet or a blank of somebody who owes nothing in that round."""
    if player not in (state.table.players if rows.who is None else rows.who(state, round_.name)):
        what = f"{state.table.name(player)} sends nothing in {sealed.called(round_.name)}"
        raise Refused("sealed.not_asked", what, "hl waiting shows who is asked")


def _dropped(story: Story[Any], before: Any, items: Callable[[Any, Round, str], Mapping[str, str]]) -> None:
    """Tell what of a sheet is not on the whole one that counts now in its place. Source: S-9."""
    was, now = before.table.round, story.state.table.round
    if was is None or now is None:
        return
    for fact in [one for one in story.facts if isinstance(one, (SheetSealed, LateAdmitted))]:
        player = fact.player
        seq = fact.seq if isinstance(fact, LateAdmitted) else fact.sheet.seq
        sheet = next(one for one in now.sheets[player] if one.seq == seq)
        if sheet.content is None or sheet.parts is not None:
            continue
        old, new = items(before, was, player), items(story.state, now, player)
        if gone := tuple(words for kind, words in old.items() if kind[0] != "-" and kind not in new):
            story.tell(SheetDropped(player, now.name, gone, seq, hasattr(sheet.content, "add")))


def taking(table: Table, player: str, sent_for: str = ABSENT) -> Round:
    """The round whose sheets are taken, for somebody who is still here.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.not_this_round`.
    """
    table_rules.must_be_here(table, player)
    return table_rounds.taking(table, sent_for)


# ---- draws, prepare, audit ---------------------------------------------------------------------------------------


def source_of(row: Draw[Any], state: Any) -> dict[str, Any]:
    """What a draw is made from, as its entry keeps it: all that is needed to repeat it from its seed."""
    if row.shuffle is not None:
        return {"shuffle": list(row.shuffle(state))}
    assert row.each is not None and row.of is not None, "a draw shuffles, or draws for each"
    return {"each": list(row.each(state)), "of": [list(words) for words in row.of(state)]}


def _must_be_drawn(parts: Parts[Any], state: Any, action: Any) -> None:
    """A draw where the rules ask for one, and no other."""
    row = parts.draws.get(type(action))
    if row is None or not row.when(state):
        if action.drawn is not None or action.seed is not None:
            raise _no_draw()
    elif action.drawn is None:
        raise Refused("table.undrawn", "a draw is recorded with its outcome", f"hl {kebab(type(action))} draws it")
    elif row.shuffle is not None:
        wanted = row.shuffle(_as_drawn(state, action.drawn))
        if sorted(action.drawn) != sorted(wanted):
            raise _not_each(state.table, wanted)


def _as_drawn(state: Any, drawn: Sequence[str]) -> Any:
    """The state in which those whom a draw names were still here."""
    return table_prepare.as_drawn(state, (line.partition(" ")[0] for line in drawn))


def _no_draw() -> Refused:
    return Refused("table.no_draw", "nothing is drawn here: --drawn has no meaning", "leave --drawn out")


def _not_each(table: Table, wanted: Iterable[str]) -> Refused:
    what = f"what was drawn names each of {table.named(wanted)} once"
    return Refused("table.drawn", what, "leave --drawn out, and it is drawn here")


def prepare(parts: Parts[Any]) -> Callable[[Any, Action, Luck], tuple[Action, ...]]:
    """(state, action, luck) -> what is recorded: draws made, defaults that depend on the state filled in."""
    fields = typed_fields(parts)

    def prepare(state: Any, action: Action, luck: Luck) -> tuple[Action, ...]:
        if own := parts.prepare.get(type(action)):
            made = own(state, action, luck)
            by_its_part = parts.deal is not None and isinstance(action, shared.Deal)
            if by_its_part or len(made) != 1 or type(made[0]) is not type(action):
                return made
            action = made[0]
        if isinstance(action, shared.Override) and action.field in parts.overrides:
            must_say_whose(action, parts.overrides[action.field].table)
            return (action._replace(value=parts.overrides[action.field].read(action.value)),)
        if isinstance(action, shared.Override) and action.field == "garnets" and parts.garnets:
            return (action._replace(value=str(table_prepare.whole(action.value))),)
        made = table_prepare.prepare(state.table, action, luck, fields, parts.settings, parts.visibility)
        if (row := parts.draws.get(type(action))) and row.when(state):
            return (_drawn(row, state, made[0], luck),)
        if getattr(action, "drawn", None) is not None and type(action) in (shared.Open, shared.Resolve):
            raise _no_draw()
        return made

    return prepare


def _drawn(row: Draw[Any], state: Any, action: Any, luck: Luck) -> Any:
    """The action with its draw. What was typed in, or is amended, is drawn no more."""
    source = source_of(row, state)
    if action.drawn is None:
        seed = luck.seed()
        drawn = kit_luck.repeat(source, kit_luck.mix(seed), luck.seq)
        return action._replace(drawn=drawn, draw=source, seed=seed.hex())
    typed = action._replace(drawn=_typed(row, state, source, action.drawn))
    if typed.seed is not None and _redrawn(row, state, typed, luck.seq) is None:
        return typed
    return typed._replace(seed=None, draw=None)


def _typed(row: Draw[Any], state: Any, source: Mapping[str, Any], lines: Sequence[str]) -> tuple[str, ...]:
    """What a host typed of a draw, in its one spelling.

    Raises:
        Unreadable: a word that cannot be drawn here. Refused: `table.drawn`, somebody has no line, or two.
    """
    lines = [part.strip() for line in lines for part in line.split(",") if part.strip()]
    if row.typed is not None:
        return tuple(row.typed(state, line) for line in lines)
    read = tuple(_typed_line(state.table, source, line.split()) for line in lines)
    whose, wanted = [line.partition(" ")[0] for line in read], source.get("shuffle") or source["each"]
    if sorted(whose) != sorted(wanted):
        raise _not_each(state.table, wanted)
    return read


def _typed_line(table: Table, source: Mapping[str, Any], words: Sequence[str]) -> str:
    lists = source.get("of", ())
    if len(words) != 1 + len(lists):
        what = f"{shown(' '.join(words))} is not a player{' and what was drawn' if lists else ''}"
        raise Unreadable("draw.unreadable", what, "one part for each player, between commas")
    said = [
        choice("draw", of).read(word, Desk(table.directory(), str)) for word, of in zip(words[1:], lists, strict=True)
    ]
    return " ".join([table.directory().find(words[0]), *said])


def _redrawn(row: Draw[Any], state: Any, action: Any, seq: int) -> str | None:
    """What is wrong with a recorded draw; None when its seed, and what it was drawn from, give it again."""
    source = source_of(row, _as_drawn(state, action.drawn or ()))
    if plain(action.draw) != source:
        return "it was drawn from something else than the rules say"
    return table_prepare.redrawn(
        action.seed, lambda seed: kit_luck.repeat(source, kit_luck.mix(seed), seq), action.drawn, row.what
    )


def audit(parts: Parts[Any]) -> Callable[..., str | None]:
    """(state, action, seq, key) -> what is wrong with a draw that was folded into `state`, or None."""

    def audit(state: Any, action: Action, seq: int, key: bytes | None = None) -> str | None:
        if own := parts.audit.get(type(action)):
            return own(state, action, seq, key)
        if (row := parts.draws.get(type(action))) and action.seed is not None:
            return _redrawn(row, state, action, seq)
        return table_prepare.audit(state.table, action, seq)

    return audit


def invariants(parts: Parts[Any]) -> Callable[[Any], tuple[str, ...]]:
    """(state) -> the laws that are broken; a host's override may break them."""

    def invariants(state: Any) -> tuple[str, ...]:
        broken = (*(parts.invariants(state) if parts.invariants else ()), *odd(state.table))
        return broken if sum(state.table.purses.values()) == 0 else (*broken, "the purses do not balance")

    return invariants
