"""decide and evolve, made of the parts: handlers by class, and the table for what the game does not own.

What belongs here: which handler is asked, and the steps that every game takes alike. What does not: a rule of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from events.errors import Refused
from events.instants import later
from games.contract import Action, Elapsed, Fact, Moment
from games.kit import sealed
from games.kit.sealed import BREAK, LateAdmitted, Round, RoundOpened, RoundResolved, SheetDropped, SheetSealed
from games.parts.changed import cause, changed
from games.parts.declare import Do, Override, Parts, Rounds, Sheet
from games.parts.prepare import must_be_drawn, must_say_whose, typed_fields
from games.parts.reasons import as_it_is
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as table_facts
from games.table import fair_deals
from games.table import prepare as table_prepare
from games.table import rounds as table_rounds
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import HOUR, follow, follow_void, warnings
from games.table.evolve import evolve as table_evolve
from games.table.state import Table
from games.transaction import Transaction

TABLE_FACTS = frozenset({*table_facts.TABLE_FACTS, *sealed.OWN})


def start(parts: Parts[Any], table: Table) -> Any:
    """The first state."""
    settings: Any = table_settings.own(parts.settings, table.settings)
    fresh = table._replace(phase=next(iter(parts.phases)), virtual=parts.virtual)
    return parts.start(fresh, settings) if parts.start else parts.state(fresh, settings)


def decide(parts: Parts[Any], over: Callable[[Any], bool]) -> Callable[[Any, Action, Moment], list[Fact]]:
    """(state, action, moment) -> the facts that follow, and whatever they bring about. Raises `Refused`.

    Args:
        over: `Parts.over` as the game states it: of a match that is not void.
    """
    handlers: dict[type, Do[Any]] = {
        shared.Seat: partial(_seat, parts),
        shared.Override: partial(_override, parts),
        shared.AmendSetting: partial(_amend, parts),
        **(_rounds(parts, parts.rounds) if parts.rounds else {}),
        **{cls: verb.do for cls, verb in parts.verbs.items()},
        **parts.decide,
    }
    tells_dropped = parts.rounds.items if parts.rounds else None
    by_itself, verdict, evolved = parts.follow, parts.verdict or as_it_is, evolve(parts)

    def decide(state: Any, action: Action, moment: Moment) -> list[Fact]:
        if state.table.declared:
            table_rules.must_count(state.table, action)
        tx: Transaction[Any] = Transaction(state, evolved)
        handle: Do[Any] = handlers.get(type(action), by_the_table)
        handle(tx, action, moment)
        tx.emit(*fair_deals.replaced(state.table, action))
        if tx.state is state:
            return tx  # nothing follows from what changes nothing; what time brings is an `Elapsed` of its own
        if tells_dropped is not None:
            _dropped(tx, state, tells_dropped)
        if tx.state.table.void:
            follow_void(tx, moment.at)
        else:
            if by_itself is not None:
                by_itself(tx, moment)
            if over(tx.state) and (parts.verdict is not None or tx.state.table.declared):
                follow(tx, verdict, moment.at)
        if tx.state.table is not state.table:
            tx.emit(*changed(parts, state, tx.state, cause(action)))
        return tx

    return decide


def by_the_table(tx: Transaction[Any], action: Action, moment: Moment) -> None:
    """A shared verb means here what it means everywhere."""
    tx.emit(*table_rules.decide(tx.state.table, action, moment))


def evolve(parts: Parts[Any]) -> Callable[[Any, Fact], Any]:
    """(state, fact) -> the state after it. Total: a fact that it cannot place is a bug."""
    own = {cls: put for cls, put in parts.evolve.items() if cls not in TABLE_FACTS}
    besides = {cls: put for cls, put in parts.evolve.items() if cls in TABLE_FACTS}

    def evolve(state: Any, fact: Fact) -> Any:
        cls = type(fact)
        if (put := own.get(cls)) is not None:
            return put(state, fact)
        table = table_evolve(state.table, fact)
        if table is not state.table:
            state = state._replace(table=table)
        if isinstance(fact, table_facts.SettingAmended):
            state = state._replace(settings=table_settings.own(parts.settings, table.settings))
        elif isinstance(fact, table_facts.FieldSet):
            return _set(parts.overrides[fact.field], state, fact)
        return besides[cls](state, fact) if cls in besides else state

    return evolve


def _set(row: Override[Any], state: Any, fact: Any) -> Any:
    if row.put is not None:
        return row.put(state, fact.player, fact.value)
    if row.table:
        return state._replace(**{fact.field: int(fact.value)})
    return state._replace(**{fact.field: {**getattr(state, fact.field), fact.player: int(fact.value)}})


def _set_field(tx: Transaction[Any], row: Override[Any], player: str, field: str, typed: str) -> None:
    value = row.read(typed)
    facts = row.facts(tx.state, player, value) if row.facts else ()
    tx.emit(*(facts or (table_facts.FieldSet(player, field, value),)))


def _seat(parts: Parts[Any], tx: Transaction[Any], action: shared.Seat, moment: Moment) -> None:
    """A player sits down, and gets what the match file gives them."""
    by_the_table(tx, action, moment)
    rows = {name: row for name, row in parts.overrides.items() if row.at_start}
    for field, typed in action.given.items():
        if field not in rows:
            raise table_prepare.no_such_field(field, {name: row.how for name, row in rows.items()})
        _set_field(tx, rows[field], action.player, field, typed)


def _override(parts: Parts[Any], tx: Transaction[Any], action: shared.Override, moment: Moment) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    row = parts.overrides.get(action.field)
    must_say_whose(action, row is not None and row.table)
    player = action.player or ""
    if row is not None:
        _set_field(tx, row, player, action.field, action.value)
    elif action.field == "garnets" and parts.garnets:
        garnets = table_prepare.whole(action.value)
        tx.emit(*table_rules.set_garnets(tx.state.table, player, garnets))
    else:
        raise table_prepare.no_such_field(action.field, typed_fields(parts))


def _amend(parts: Parts[Any], tx: Transaction[Any], action: shared.AmendSetting, moment: Moment) -> None:
    """A setting from now on; how many rounds there are is fixed once they are over. What it is may always be confirmed.

    Source: S-11.
    """
    state, rows = tx.state, parts.rounds
    confirmed = table_settings.amended(state.table.settings, action.key, action.value) == state.table.settings
    if parts.may_amend is not None and not confirmed:
        parts.may_amend(state, action)
    amended = table_rules.setting_amended(state.table, action, parts.settings, parts.visibility)
    if rows is None or confirmed or action.key != rows.number:
        tx.emit(amended)
        return
    if parts.over(state):
        raise table_rules.rounds_over(action)
    tx.emit(amended)
    on = state.table.round
    if on is not None and on.name not in rows.names(tx.state):
        what = f"{sealed.called(on.name)} is on already: there cannot be {action.value}"
        raise Refused("table.rounds", what, table_rules.BACK_A_ROUND)


# ---- sealed rounds -----------------------------------------------------------------------------------------------


def number_of(table: Table) -> int:
    """The number of the round that is on, or of the last one; 0 for one that has none."""
    name = table.round.name if table.round else table.resolved[-1] if table.resolved else ""
    return int(name.removeprefix("round_")) if name.startswith("round_") else 0


def _rounds(parts: Parts[Any], rows: Rounds[Any]) -> dict[type, Do[Any]]:
    def open_(tx: Transaction[Any], action: shared.Open, moment: Moment) -> None:
        state = tx.state
        left = _left(rows, state)
        if state.table.phase == BREAK:
            raise Refused(f"{parts.name}.opened", "the next round opens by itself after the break", "hl close break")
        if state.table.status != "setup" and (state.table.round is not None or not left or parts.over(state)):
            raise Refused(f"{parts.name}.opened", "play has begun already", "hl status")
        if rows.may_open is not None:
            rows.may_open(state)
        must_be_drawn(parts, state, action)
        if rows.opened is not None and state.table.status == "setup":
            rows.opened(tx, action.drawn or ())
        _begin(tx, rows, left[0], moment)

    def resolve(tx: Transaction[Any], action: shared.Resolve, moment: Moment) -> None:
        round_ = table_rounds.resolving(tx.state.table, action.round)
        must_be_drawn(parts, tx.state, action)
        rows.resolve(tx, round_, action.drawn or (), moment)
        tx.emit(RoundResolved(round_.name))
        if rows.after is not None:
            rows.after(tx, round_, moment)
        left = _left(rows, tx.state)
        if not left or parts.over(tx.state) or (hours := rows.between(tx.state, left[0])) is None:
            return
        if hours:
            tx.emit(table_facts.PhaseBegan(BREAK, "running", moment.at, later(moment.at, hours * HOUR)))
        else:
            _begin(tx, rows, left[0], moment)

    def after_break(tx: Transaction[Any], action: shared.Close | Elapsed, moment: Moment) -> None:
        """The break ends, and the next round begins; anything else ends as it does everywhere."""
        ends = tx.state.table.phase == BREAK and (isinstance(action, Elapsed) or action.phase == BREAK)
        if not ends:
            by_the_table(tx, action, moment)
            return
        why = "its time is over" if isinstance(action, Elapsed) else "a host ended it"
        tx.emit(table_facts.PhaseEnded(BREAK, why))
        if left := _left(rows, tx.state):
            _begin(tx, rows, left[0], moment)

    def blank(tx: Transaction[Any], action: shared.Blank, moment: Moment) -> None:
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


def _left(rows: Rounds[Any], state: Any) -> Sequence[str]:
    return [name for name in rows.names(state) if name not in state.table.resolved]


def _begin(tx: Transaction[Any], rows: Rounds[Any], name: str, moment: Moment) -> None:
    tx.emit(RoundOpened(name, moment.at, later(moment.at, rows.hours(tx.state, name) * HOUR)))


def submit(tx: Transaction[Any], action: Any, moment: Moment, row: Sheet[Any], rows: Rounds[Any] | None = None) -> None:
    """A sheet comes in: it is held against the rules and sealed.

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


def _must_be_asked(rows: Rounds[Any], state: Any, round_: Round, player: str) -> None:
    """Refuse a sheet or a blank of somebody who owes nothing in that round."""
    if player not in (state.table.players if rows.who is None else rows.who(state, round_.name)):
        what = f"{state.table.name(player)} sends nothing in {sealed.called(round_.name)}"
        raise Refused("sealed.not_asked", what, "hl waiting")


def _dropped(tx: Transaction[Any], before: Any, items: Callable[[Any, Round, str], Mapping[str, str]]) -> None:
    """Tell what of a sheet is not on the whole one that counts now in its place. Source: S-9."""
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
    """The round whose sheets are taken, for somebody who is still here.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.not_this_round`.
    """
    table_rules.must_be_here(table, player)
    return table_rounds.taking(table, sent_for)


def invariants(parts: Parts[Any], state: Any) -> tuple[str, ...]:
    """The laws that are broken; a host's override may break them."""
    broken = (*(parts.invariants(state) if parts.invariants else ()), *warnings(state.table))
    return broken if sum(state.table.purses.values()) == 0 else (*broken, "the purses do not balance")
