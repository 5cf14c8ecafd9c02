"""A deal of cards before play: hands that are typed in, or drawn from a seed that may have been committed to.

What belongs here: the handlers of a `Deal`. What does not: which cards there are and what a hand is worth, which each
game says. Source: docs/log-format.md, Randomness.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from events.audiences import EVERYBODY_AFTER_END, HOST, Audience
from events.errors import Refused
from events.record import NamedTuple
from games.contract import Action, AnyState, AnyValue, Deal, Game, Luck, Moment, State, Transaction, Verb, with_stated
from games.kinds import Player
from games.kit import luck as kit_luck
from games.records import plain
from games.table import actions as shared, prepare as table_prepare, rules as table_rules
from games.table.state import Table
from games.table.view import AT_THE_END, line_audience


class HandDealt(NamedTuple):
    player: Player
    cards: tuple[str, ...]


class CardsDealt(NamedTuple):
    """Every player has a hand, and together they are a deal of the deck."""


class _Dealing:
    def __init__(self, name: str, deal: Deal) -> None:
        self.name, self.deal = name, deal

    def hand(self, tx: Transaction[State], action: shared.Hand, moment: Moment) -> None:
        state = tx.state
        self.deal.may_deal(state)
        cards = _read(self.deal, action.cards)
        setting = self.deal.other_sizes
        hint = setting and f"; {setting} = true allows fewer or more"
        if len(cards) != self.deal.each and not (cards and setting and getattr(state.settings, setting)):
            what = f"a hand has {self.deal.each} cards; {state.table.name(action.player)} was given {len(cards)}"
            raise Refused(f"{self.name}.hand_size", what + (hint if cards else ""), "correct the file and deal again")
        tx.emit(HandDealt(action.player, cards))

    def whole(self, tx: Transaction[State], action: shared.Deal, moment: Moment) -> None:
        self.deal.may_deal(tx.state)
        if problem := _misdealt(self.deal, tx.state, action):
            what = f"this deal is not the deck: {problem}"
            raise Refused(f"{self.name}.deck", what, "correct the file and deal again")
        tx.emit(CardsDealt())
        if self.deal.after is not None:
            self.deal.after(tx)

    def fair(self, tx: Transaction[State], action: shared.Commit | shared.Seed | shared.Word, moment: Moment) -> None:
        dealt = self.deal.dealt(tx.state) is not None
        tx.emit(*table_rules.fairness(tx.state.table, action, dealt=dealt))

    def prepare_hand(self, state: State, action: shared.Hand, luck: Luck) -> tuple[Action, ...]:
        """A player who has left gets no cards."""
        table_rules.must_be_here(state.table, action.player)
        return (action._replace(cards=_read(self.deal, action.cards)),)

    def prepare(self, state: State, action: shared.Deal, luck: Luck) -> tuple[Action, ...]:
        published = luck.published if self.deal.committed(state) else None
        if action.method == "typed":
            return (action._replace(replaces=published.before("deal")) if published else action,)
        if action.seed is not None or action.commitment is not None:
            return (action,)
        self.deal.may_deal(state)
        entry, key = table_prepare.drawn_deal(action._replace(draw=source(self.deal, state)), published, luck)
        return (*(shared.Hand(player, cards) for player, cards in drawn(self.deal, state, key).items()), entry)

    def audit(self, state: State, action: shared.Deal, seq: int, key: bytes | None) -> str | None:
        if action.method == "typed":
            return None
        state = table_prepare.as_drawn(state, self.deal.hands(state), action.draw)
        if plain(action.draw) != source(self.deal, state):
            return "it was not drawn from this deck for these players"
        return table_prepare.redealt(action, key, lambda key: drawn(self.deal, state, key), self.deal.dealt(state))

    def own_hand(self, state: State, action: shared.Hand) -> Audience:
        return line_audience(state.table, self.deal.line, self.deal.others, action.player)

    def opened(self, state: State, action: Action) -> Audience:  # all hands follow from it
        level = state.table.settings["visibility"][self.deal.others] if self.deal.others else "host"
        return EVERYBODY_AFTER_END if level in ("everybody", *AT_THE_END) else HOST


def put_in(game: Game, deal: Deal) -> Game:
    """Add the verbs of a deal to a game; what the game states about them takes precedence."""
    does = _Dealing(game.name, deal)
    verbs = {
        shared.Hand: Verb(does.hand, prepare=does.prepare_hand, audience=does.own_hand),
        shared.Deal: Verb(does.whole, prepare=does.prepare, audit=does.audit, audience=does.opened),
        shared.Seed: Verb(does.fair, audience=does.opened),
        **dict.fromkeys((shared.Commit, shared.Word), Verb(does.fair)),
    }
    own = {cls: with_stated(verbs[cls], verb) if cls in verbs else verb for cls, verb in game.verbs.items()}
    return game._replace(verbs={**verbs, **own})


def _read(deal: Deal, cards: tuple[str, ...]) -> tuple[str, ...]:
    """A hand in normal spelling. An empty one is left for the check of its size."""
    return deal.read(" ".join(cards)) if cards else ()


def must_be_dealt(state: AnyState) -> None:
    """Refuse to begin play before the deal, and with a player who was not dealt to: they came back after it."""
    table: Table = state.table
    if state.dealt is None:
        raise Refused(f"{table.game}.not_dealt", "no cards are dealt yet", "hl deal")
    if without := sorted({*table.present} - state.hands.keys()):
        what = f"no cards are dealt to {table.named(without)}, who came back after the deal"
        raise Refused(f"{table.game}.not_dealt", what, "\n".join(f"hl drop {player}" for player in without))


def source(deal: Deal, state: State) -> dict[str, AnyValue]:
    """The source of a deal, as its entry keeps it: everything needed to repeat the deal from its seed."""
    return {"deal": kit_luck.pack(deal.deck(state)), "each": deal.each, "to": list(state.table.present)}


def drawn(deal: Deal, state: State, key: bytes) -> Mapping[str, tuple[str, ...]]:
    """The hands that this key gives: the shuffled deck is cut into equal parts in seat order. Source: S-G5."""
    hands = kit_luck.deal(deal.deck(state), state.table.present, deal.each, key)
    return {player: _read(deal, cards) for player, cards in hands.items()}


def _misdealt(deal: Deal, state: State, action: shared.Deal) -> str:
    """Why the hands are not a deal of the deck; "" if they are. Source: S-G4."""
    state = table_prepare.as_drawn(state, deal.hands(state), action.draw)
    hands, deck = deal.hands(state), Counter(deal.deck(state))
    if missing := [state.table.name(player) for player in state.table.present if player not in hands]:
        return f"there is no hand for {', '.join(missing)}"
    held = Counter(card for player in state.table.present for card in hands[player])
    problems = [
        f"{held[card]} x {card} where the deck has {copies}" for card, copies in deck.items() if held[card] > copies
    ]
    if problems and held.total() == deck.total():
        problems.append(f"missing {' '.join((deck - held).elements())}")
    return "; ".join(problems)
