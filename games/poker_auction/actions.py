"""What a host can say happened, the gaps of the rules, and who may know what. Source: sections 2, 3, 6 and 7."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import Kind, ParseContext, Player, count, digits, shown
from games.poker_auction.cards import CARD_PATTERN, TYPED, Card, FlushTie, read_card, sort
from games.records import ABSENT, Arg, Bounds
from games.table.actions import Garnets, SentFor
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours

POWERS = ("spades", "diamonds", "hearts", "clubs", "joker")
"""The powers in the printed order, which completes a ranking that misses some. Source: PA-3."""
_POWER_WORDS = {**{p: p for p in POWERS}, **{p[0]: p for p in POWERS}}


def read_ranking(typed: str) -> tuple[str, ...]:
    """The powers named in `SDHCJ`, `S>D>H`, or by names with spaces or commas.

    A power that is named twice counts at its first place.

    Raises:
        Unreadable: a word is no power. Nothing is guessed.

    >>> read_ranking("J>S>J")
    ('joker', 'spades')
    """
    words = [word for word in re.split(r"[>\s,]+", typed.strip().lower()) if word]
    if words and set(words[0]) <= _POWER_WORDS.keys():  # SDHCJ
        words[:1] = words[0]
    ranking: list[str] = []
    for word in words:
        if word not in _POWER_WORDS:
            raise Unreadable("poker_auction.power", f"{shown(word)} is no power", f"one of: {' '.join(POWERS)}")
        if _POWER_WORDS[word] not in ranking:
            ranking.append(_POWER_WORDS[word])
    return tuple(ranking)


def complete(ranking: Sequence[str]) -> tuple[str, ...]:
    """A ranking of all five: the missing powers follow in the printed order. Source: PA-3.

    >>> complete(["joker", "spades"])
    ('joker', 'spades', 'diamonds', 'hearts', 'clubs')
    """
    return (*ranking, *(power for power in POWERS if power not in ranking))


_AMOUNT = re.compile(rf"({TYPED}|\S+) (\S+)")


def read_bids(typed: str) -> str:
    """`"AC 20, KC 11"`: each card once, in the order of the cards; whole chips of at least 0.

    Raises:
        Unreadable: a part cannot be read; the message names it.

    >>> read_bids("kc 11, ac 20"), read_bids("kc=11 ac - 20")
    ('KC 11, AC 20', 'KC 11, AC 20')
    """
    bids: dict[str, int] = {}
    for part in _parted(typed):
        match = _AMOUNT.fullmatch(part)
        if match is None:
            raise Unreadable("poker_auction.bid", f"{shown(part)} is not a card and an amount", '"AC 20, KC 11"')
        card, chips = read_card(match[1]), match[2]
        if (amount := digits(chips, 6)) is None:
            why = "a bid is a whole number of chips, at least 0"
            what = f"{shown(chips)} cannot be bid on {card}: {why}"
            raise Unreadable("poker_auction.amount", what, f"like: {card} 12")
        if card in bids:
            raise Unreadable("poker_auction.bid_twice", f"{card} is bid on twice", "one amount a card")
        bids[card] = amount
    return ", ".join(f"{card} {bids[card]}" for card in sort(bids))


def _parted(typed: str) -> list[str]:
    """Split the text into cards with amounts. Commas may be left out if each card and amount is one word."""
    parts = list[str]()
    for part in re.split(r"[,;\n]+", typed):
        words = [word for word in re.split(r"[\s:=]+", part) if word not in ("", "-")]
        pairs = [" ".join(words[place : place + 2]) for place in range(0, len(words), 2)]
        parts += [" ".join(words)] if _AMOUNT.fullmatch(" ".join(words)) else pairs
    return parts


@functools.lru_cache(maxsize=512)
def bids_of(text: str) -> Mapping[str, int]:
    return {card: int(amount) for card, amount in (part.split(" ") for part in text.split(", "))} if text else {}


def read_gift(typed: str, desk: ParseContext) -> str:
    """`AC=bob`: the card goes to bob if the bid on it wins."""
    card, eq, player = typed.partition("=")
    if not eq:
        raise Unreadable("poker_auction.gift", f"{shown(typed)} is not CARD=PLAYER", "--gift AC=bob")
    return f"{read_card(card)}={desk.players.find(player)}"


def gifts_of(gifts: Sequence[str]) -> dict[str, str]:
    """Card -> recipient."""
    return dict(gift.split("=") for gift in gifts)


_NAMES = "|".join(POWERS)
_UP_TO_FIVE = rf"(?:(?:{_NAMES})(?:>(?:{_NAMES})){{0,4}})?"
RANKING = Kind("RANKING", _UP_TO_FIVE, lambda typed, desk: ">".join(read_ranking(typed)))
_BID = rf"{CARD_PATTERN} [0-9]{{1,6}}"
BIDS = Kind("BIDS", rf"(?:{_BID}(?:, {_BID})*)?", lambda typed, desk: read_bids(typed))
GIFT = Kind("CARD=PLAYER", rf"{CARD_PATTERN}=[a-z][a-z0-9_-]{{0,31}}", read_gift)
Chips = Annotated[int, Bounds(0, 999_999)]


class Power(NamedTuple):
    """Seal one submission for the power round: chips (all are spent) and the powers from most to least wanted.

    hl power ann 30 SDHCJ
    """

    player: Annotated[Player, Arg("Who submits.")]
    chips: Annotated[Chips, Arg("How many chips.", sealed=True)]
    ranking: Annotated[
        str,
        RANKING,
        Arg("SDHCJ, or names; what is missing follows in that order.", positional=True, phrase=True, sealed=True),
    ] = ""
    garnets: Annotated[Garnets, Arg("Garnets bid, where the setting power_tie is bid.", sealed=True)] = 0
    as_sent: Annotated[bool, Arg("Recorded as the player wrote it, even over budget.")] = False
    named: Annotated[int, Bounds(0, 5), Arg("Filled in: how many powers the player ranked.", hidden=True)] = 5


class Bid(NamedTuple):
    """Seal one sheet for the round; a later one replaces it.

    hl bid ann "2C 5, 3C 4"
    hl bid ann "2C 5, 7C 2" --diamonds 7C
    """

    player: Annotated[Player, Arg("Who bids.")]
    bids: Annotated[
        str, BIDS, Arg('"AC 20, KC 11", or - for standard input.', positional=True, phrase=True, sealed=True)
    ] = ""
    gift: Annotated[tuple[Annotated[str, GIFT], ...], Arg("Hearts: the card goes to that player.", sealed=True)] = ()
    diamonds: Annotated[Card | None, Arg("Diamonds: collect all chips bid on this card.", sealed=True)] = None
    destroy: Annotated[Card | None, Arg("Clubs: nobody gets this card.", sealed=True)] = None
    as_sent: Annotated[bool, Arg("Recorded as the player wrote it, even over budget.")] = False


def spelled(sheet: Power | Bid) -> str:
    """A submission as a host would type it, without the player.

    >>> spelled(Bid("ann", "AC 20", ("AC=bob",)))
    'AC 20 --gift AC=bob'
    """
    if isinstance(sheet, Power):
        return f"{sheet.chips} {sheet.ranking}" + (f" --garnets {sheet.garnets}" if sheet.garnets else "")
    used = [f"--gift {gift}" for gift in sheet.gift]
    used += [f"--{name} {card}" for name, card in (("diamonds", sheet.diamonds), ("destroy", sheet.destroy)) if card]
    return " ".join([*([sheet.bids] if sheet.bids else []), *used])


def spends(sheet: Power | Bid) -> int:
    return sheet.chips if isinstance(sheet, Power) else sum(bids_of(sheet.bids).values())


def uses(sheet: Power | Bid) -> list[str]:
    """The powers that work once and are used on this sheet."""
    cards = {} if isinstance(sheet, Power) else {"diamonds": sheet.diamonds, "clubs": sheet.destroy}
    return [power for power, card in cards.items() if card]


def items(sheet: Power | Bid | None, name: Callable[[str], str], min_bid: int) -> dict[str, str]:
    """What is on a submission, in words by kind of item; `name` gives a player's name.

    >>> items(Bid("ann", "AC 20, KC 11", ("AC=bob",), "KC"), str.title, 1)["KC"]
    '11 chips on KC'
    """
    if sheet is None:
        return {}
    if isinstance(sheet, Power):
        ranked = ", ".join(power.title() for power in complete([word for word in sheet.ranking.split(">") if word]))
        rest = len(POWERS) - sheet.named
        filled = f" (the last {rest} in the printed order)" if 1 < rest < len(POWERS) else ""
        texts = {
            "chips": count(sheet.chips, "chip"),
            "ranking": ranked + (" (the printed order)" if rest == len(POWERS) else filled),
        }
        return texts | ({"garnets": f"{count(sheet.garnets, 'garnet')} to break a tie"} if sheet.garnets else {})
    bids = bids_of(sheet.bids)
    texts = {card: f"{count(chips, 'chip')} on {card}" for card, chips in bids.items()}
    texts |= {card: f"a bid of 0 on {card} is none" for card, chips in bids.items() if chips < min_bid}
    if len(bids) > 1:
        texts["-total"] = f"{count(sum(bids.values()), 'chip')} in all"
    for card, to in gifts_of(sheet.gift).items():
        gift = f"{card} goes to {name(to)} if you win it"
        texts[f"gift {card}"] = gift if to != sheet.player else f"a gift of {card} to yourself is none"
    texts |= {"diamonds": f"Diamonds on {sheet.diamonds}"} if sheet.diamonds else {}
    return texts | ({"destroy": f"Clubs destroys {sheet.destroy}"} if sheet.destroy else {})


class Withdraw(NamedTuple):
    """Take a player's submission of this round back. None is left.

    hl withdraw ann
    """

    player: Annotated[Player, Arg("Whose.")]
    round: SentFor = ABSENT


# ---- what is settled before it begins --------------------------------------------------------------------------------


class Settings(NamedTuple):
    round_hours: Annotated[
        Hours,
        Gap("PA-1", look=True, evening=True),
        Arg("How long submissions are taken in the power round and in each auction round."),
    ] = 24
    min_bid: Annotated[
        Literal[0, 1], Gap("PA-5"), Arg("The least bid: with 1 a bid of 0 is no bid, with 0 a lone 0 wins.")
    ] = 1
    power_tie: Annotated[
        Literal["holdings", "bid", "lot"],
        Gap("PA-4"),
        Arg(
            "Equal chips for powers: more garnets held first (holdings), more garnets bid and paid (bid), or a lot "
            "(lot); then a lot."
        ),
    ] = "holdings"
    flush_tie: Annotated[
        FlushTie,
        Gap("PA-9"),
        Arg("Flushes with the same highest card: by suit at once (suit), or by their next cards first (next_cards)."),
    ] = "suit"
    kickers: Annotated[bool, Gap("PA-12"), Arg("Side cards are compared before suits, as in usual poker.")] = False
    multi_ec: Annotated[
        Literal["all", "winner_picks", "fewest_cards", "lot"],
        Gap("PA-7"),
        Arg(
            "Several players with fewer than five cards: all are Elimination Candidates (all), or one: whom the "
            "winner picks (winner_picks), who has fewest cards (fewest_cards), or by lot (lot)."
        ),
    ] = "all"
    overspend: Annotated[
        Literal["refuse", "flag"],
        Gap("PA-6"),
        Arg(
            "A sheet over budget is refused (refuse), or taken, and who wins a card with it is Elimination "
            "Candidate (flag)."
        ),
    ] = "refuse"
    announce_diamonds: Annotated[bool, Gap("PA-15"), Arg("The use of Diamonds is told after the round.")] = False
    announce_gift: Annotated[bool, Gap("PA-14"), Arg("It is told that a card was a Hearts gift.")] = False
    auto_ec_can_win: Annotated[
        bool, Gap("PA-20"), Arg("An overspender, who is Elimination Candidate, may all the same have the winning hand.")
    ] = False
    gift_hours: Annotated[SecondTokenHours, Gap("PA-22")] = 24
    vote_hours: Annotated[Hours, Gap("PA-7"), Arg("How long the winner may take to pick, with winner_picks.")] = 24


VISIBILITY = {
    "powers": ("everybody", "who has which power"),
    "cards_received": ("everybody", "for each card of a round: who received it, or that it went or was destroyed"),
    "invalid_bids": ("everybody", 'the remark "because of invalid bids"'),
    "own_chips": ("owner", "the chips a player has left"),
    "diamonds_income": ("owner", "the chips collected with Diamonds"),
    "own_garnets": ("owner", "the garnets a player holds"),
    "bids": ("nobody_ever", "amounts bid, and who bid"),
    "chips": ("nobody_ever", "the chips of others"),
    "diamonds_use": ("nobody_ever", "whether and where Diamonds was used"),
    "gifts": ("nobody_ever", "that a card was a Hearts gift"),
    "power_bids": ("nobody_ever", "chips and rankings submitted for powers (PA-18)"),
    "final_hands": ("everybody_after_end", "the best hands and their ranking"),
    **RESULT_LINES,
    "final_garnets": ("everybody_after_end", "the garnets of each player at the end"),
}
