"""The course of a match of a file: rounds, sheets, the end, and what is added to the file during play.

The rules are those of the file: a rule is named by where it stands there (`verbs.buy`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from events.errors import Refused
from events.instants import later
from games.contract import Moment, Transaction
from games.freeform import actions as a
from games.freeform import facts as f
from games.freeform.hold import card_moved, counted, with_
from games.freeform.lang import DECK, TABLE
from games.freeform.model import Item
from games.freeform.read import tables_of
from games.freeform.facts import TABLES_OWN, State, filled, rules_of
from games.freeform.typed import same, words_of_sheet
from games.kit.sealed import Round, RoundOpened, called, contents
from games.parts import Evolve
from games.parts.rules import by_the_table
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.endgame import HOUR

# ---- sheets ------------------------------------------------------------------------------------------------------


def check_sheet(state: State, round_: Round, action: a.Seal) -> None:
    """A sheet of another round, or one that is not spelled as the log spells it, is refused."""
    same(words_of_sheet(state, round_.name, action), action.words)


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """All sheets are opened; what follows from them the host records."""
    sheets = contents(round_)
    tx.emit(*(f.SheetOpened(p, round_.name, sheets[p].words) for p in tx.state.table.players if p in sheets))


def sheet_opened(fact: f.SheetOpened, state: State) -> State:
    sheets = {**state.opened.get(fact.round, {}), fact.player: fact.words}
    return state._replace(opened={**state.opened, fact.round: sheets})


# ---- the course --------------------------------------------------------------------------------------------------


def left(state: State) -> list[str]:
    """The rounds that are still to come."""
    return [name for name in state.rules.rounds() if name not in state.table.resolved]


def undrawn(state: State, *, secret: bool) -> list[Item]:
    """What the file says is drawn, and is not yet. Nothing that anybody sees may hang on a secret one."""
    return [i for i in state.rules.items.values() if i.draw and i.secret is secret and i.name not in state.drawn]


def undrawn_secrets(state: State, round_: Round) -> Iterator[str]:
    """A line for hosts for each secret kind of card that is still to be drawn."""
    for item in undrawn(state, secret=True):
        yield f"{item.label}, which is secret, is not drawn yet: hl draw {item.name}"


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """Play begins, or the next round."""
    state, table = tx.state, tx.state.table
    rounds = left(state)
    if table.status != "setup" and (table.round is not None or not rounds or state.ended):
        what = "a round is on" if table.round else "the match is over" if state.ended else "no round is left"
        raise Refused("freeform.opened", f"{what}: there is nothing to open", "hl status")
    for item in undrawn(state, secret=False):
        raise Refused("freeform.undrawn", "something is to be drawn first", f"hl draw {item.name}")
    if rounds:
        hours = state.rules.sheet(rounds[0]).hours
        tx.emit(RoundOpened(rounds[0], moment.at, later(moment.at, hours * HOUR)))
    else:
        tx.emit(table_facts.PhaseBegan("play", "running", moment.at, None))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """With all rounds resolved the match ends; `close match` ends it in any case."""
    state, table = tx.state, tx.state.table
    ends = table.status == "running" and table.round is None and not state.ended
    if action.phase == "match" and table.round is not None:
        what = f"{called(table.round.name)} is on: the match ends between rounds"
        raise Refused("freeform.rounds_left", what, "hl resolve")
    if not ends or action.phase not in ("match", table.phase):
        by_the_table(tx, action, moment)
    elif action.phase != "match" and (rounds := left(state)):
        what = f"{len(rounds)} round{'s are' if len(rounds) > 1 else ' is'} still to come"
        raise Refused("freeform.rounds_left", what, "hl open")
    else:
        tx.emit(table_facts.PhaseEnded("match", "a host ended it"))


def follow(tx: Transaction[State], moment: Moment) -> None:
    """When a round begins, cards of the deck are laid open, where the file says so."""
    on = tx.state.table.round
    for item in tx.state.rules.items.values() if on else ():
        state = tx.state
        if item.turn and on is not None and (on.name, item.name) not in state.laid:
            tx.emit(f.LaidOpen(item.name, state.cards(item.name, DECK)[: item.turn], on.name))


def laid_open(fact: f.LaidOpen, state: State) -> State:
    places = state.items[fact.item]
    table = (*places.get(TABLE, ()), *fact.cards)
    moved = {**places, DECK: places.get(DECK, ())[len(fact.cards) :], TABLE: table}
    return state._replace(items={**state.items, fact.item: moved}, laid=state.laid | {(fact.round, fact.item)})


def may_amend(state: State, action: shared.AmendSetting) -> None:
    """The file may grow during play; what is in it stays as it is."""
    head, _, tail = action.key.partition(".")
    if head not in ("counters", "items", "sheets", "verbs", "result"):
        return
    if not tail or tail in getattr(state.settings, head):
        what = f"{action.key} is in the file already" if tail else f"{head} is in the file"
        raise Refused(
            "freeform.added", f"{what}: things are added, never changed or removed", f"hl amend-setting {head}.NAME=..."
        )
    tables = tables_of(state.table.settings)
    rules_of({**tables, head: {**tables.get(head, {}), tail: action.value}})


def amended(fact: table_facts.SettingAmended, state: State) -> State:
    """The rules after a thing was added to the file."""
    tables = tables_of(state.table.settings)
    return filled(state._replace(rules=rules_of(tables))) if tables else state


EVOLVE: Evolve[State] = {
    **dict.fromkeys((f.Done, f.Told, f.Announced, f.CardsGot), lambda fact, state: state),
    f.Counted: counted,
    f.TableCounted: lambda fact, state: with_(state, fact.counter, {TABLES_OWN: fact.value}),
    f.CardMoved: card_moved,
    f.LaidOpen: laid_open,
    f.SheetOpened: sheet_opened,
    table_facts.SettingAmended: amended,
    table_facts.PhaseEnded: lambda fact, state: state._replace(ended=True),
}


def invariants(state: State) -> Iterable[str]:
    """Bounds hold, unless a host set a counter; no card is lost or doubled."""
    for item in state.rules.items.values():
        lying = sorted(card for cards in state.items[item.name].values() for card in cards)
        if item.draw != "one each" and lying != sorted(item.values):
            yield f"the cards {item.name} are not all there once"
