"""The draw of Banker and seats, and the deal: what may be, how it is drawn, and how a draw is repeated.

Source: section 1; section 2, 1; MM-6. Randomness: docs/log-format.md.
"""

from __future__ import annotations

from events.errors import Refused
from games.contract import Action, Luck, Moment
from games.kit import luck as kit_luck
from games.marsmatch import actions as a
from games.marsmatch import facts as f
from games.marsmatch.cards import EACH, RANKS, Hand, cards_of, count, deck, packs, read_cards, total
from games.marsmatch.state import State
from games.story import Story
from games.table import actions as shared
from games.table import prepare as table_prepare
from games.table import rules as table_rules


def draw(story: Story[State], action: a.Draw, moment: Moment) -> None:
    """The Banker and the seats. Source: section 2, 1; MM-6."""
    state = story.state
    _must_be_undealt(state)
    if state.banker is not None:
        name = state.table.name(state.banker)
        raise Refused("marsmatch.drawn", f"{name} is Banker already", "hl undo takes the draw back")
    if action.banker is None or not action.seats:
        raise Refused("marsmatch.undrawn", "a draw is recorded with Banker and seats", "hl draw draws them")
    if sorted(action.seats) != sorted(state.table.players):
        players = ",".join(state.table.players)
        raise Refused("marsmatch.seats", "the seats name every player once", f"hl draw --seats {players}")
    story.tell(f.BankerDrawn(action.banker, action.seats))


def _must_be_undealt(state: State) -> None:
    if state.dealt is not None:
        raise Refused("marsmatch.dealt", "the cards of this round are dealt", "hl undo takes the deal back")
    if state.over:
        raise Refused("marsmatch.over", "the match is over", "hl status")


def fairness(story: Story[State], action: shared.Commit | shared.Seed | shared.Word, moment: Moment) -> None:
    """A commitment, and players' words, come before the first deal."""
    state = story.state
    story.tell(*table_rules.fairness(state.table, action, dealt=state.dealt is not None))


def hand(story: Story[State], action: shared.Hand, moment: Moment) -> None:
    """54 cards each, unless short hands are allowed. Source: section 1."""
    _must_be_undealt(story.state)
    cards = count(card for word in action.cards for card in read_cards(word))
    size = sum(cards)
    if size != EACH and not (story.state.settings.short_hands and size):
        short = "; short_hands = true allows fewer or more" if size else ""
        what = f"a hand has {EACH} cards; {story.state.table.name(action.player)} was given {size}{short}"
        raise Refused("marsmatch.hand_size", what, "hl deal --from FILE")
    story.tell(f.HandDealt(action.player, cards_of(cards)))


def deal(story: Story[State], action: shared.Deal, moment: Moment) -> None:
    """Every hand of the round has been given. Source: section 1."""
    state = story.state
    _must_be_undealt(state)
    if state.banker is None:
        raise Refused("marsmatch.undrawn", "nobody is Banker yet", "hl draw, or hl draw --banker PLAYER")
    if problem := misdealt(state):
        raise Refused("marsmatch.deck", f"this deal cannot be: {problem}", "correct the file and deal again")
    story.tell(f.CardsDealt(), *table_rules.deal_replaced(action))


def misdealt(state: State) -> str:
    """What keeps the hands from being a deal of the packs; "" when nothing does. Source: section 1."""
    if missing := [p for p in state.table.players if p not in state.hands]:
        return f"{', '.join(missing)} got no hand"
    number = len(state.table.players)
    held, copies = total(state.hands.values()), packs(number)
    over = [f"{n} x {RANKS[i]} where {number} packs have {copies[i]}" for i, n in enumerate(held) if n > copies[i]]
    return "; ".join(over)


# ---- chance ------------------------------------------------------------------------------------------------------


def prepare_draw(state: State, action: a.Draw, luck: Luck) -> tuple[Action, ...]:
    """What was not typed is drawn; but a Banker typed alone takes the seats of the match file."""
    if action.seed is not None:  # amended: it is typed now, and no longer drawn
        return (action._replace(method="typed", seed=None) if audit_draw(state, action, luck.seq) else action,)
    if action.banker is not None:
        return (action._replace(seats=action.seats or state.table.players, method="typed"),)
    drawing = action._replace(method="banker" if action.seats else "both", seed=luck.seed().hex())
    seats, banker = drawn_seats(state, drawing, luck.seq)
    return (drawing._replace(seats=seats, banker=banker),)


def drawn_seats(state: State, action: a.Draw, seq: int) -> tuple[tuple[str, ...], str]:
    """Seats and Banker that the seed of a draw gives, under its number.

    Both: the players of the match file are shuffled, the first of them is Banker. The Banker alone: a lot among seats.

    Raises:
        ValueError: the seed is not written in hex digits.
    """
    key = kit_luck.mix(bytes.fromhex(action.seed or ""))
    if action.method == "banker":
        return action.seats, kit_luck.lot(action.seats, key, seq)
    seats = kit_luck.repeat({"shuffle": state.table.players}, key, seq)
    return seats, seats[0]


def audit_draw(state: State, action: a.Draw, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded draw of Banker and seats, or None."""
    if action.seed is None:
        return None
    try:
        again = drawn_seats(state, action, seq)
    except (ValueError, IndexError):
        return table_prepare.NO_SEED
    return None if again == (action.seats, action.banker) else "the seed draws another Banker or other seats"


def prepare_hand(state: State, action: shared.Hand, luck: Luck) -> tuple[Action, ...]:
    """Cards in their one spelling."""
    return (action._replace(cards=read_cards(" ".join(action.cards)) if action.cards else ()),)


def prepare_deal(state: State, action: shared.Deal, luck: Luck) -> tuple[Action, ...]:
    """The hands that are drawn, and the deal; a commitment serves the first one."""
    if action.method == "typed" or action.seed or action.commitment:
        return (action,)
    _must_be_undealt(state)
    drawn, key = table_prepare.drawn_deal(action, luck.published if state.round == 1 else None, luck)
    return (*(shared.Hand(player, cards_of(cards)) for player, cards in drawn_hands(state, key).items()), drawn)


def drawn_hands(state: State, key: bytes) -> dict[str, Hand]:
    """The deal that this key gives: the packs low to high, player i of the match file the i-th 54. Source: S-G5."""
    players = state.table.players
    return {p: count(cards) for p, cards in kit_luck.deal(deck(len(players)), players, EACH, key).items()}


def audit_deal(state: State, action: shared.Deal, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded deal that was drawn, or None."""
    if action.method != "drawn":
        return None
    return table_prepare.redealt(action, key, lambda key: drawn_hands(state, key), state.dealt)
