"""Reports of powers, of the cards of a round and of the best hands. From views alone."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from games.contract import ReportContext, Result
from games.kinds import count
from games.kit.blocks import Block, Heading, Items, Line, Span, Strong, listing, text
from games.poker_auction.view import AuctionView, PlayerView, RoundView
from games.records import ABSENT
from games.table.report import own_garnets, ranking


def page(frame: ReportContext, view: AuctionView, result: Result) -> list[Block]:
    """The powers, the last resolved round (all rounds once none is open), and the hands at the end."""
    blocks = [] if frame.viewer == HOST_VIEWER else _powers(frame, view)
    for round_ in view.rounds[-1:] if result.status == "running" else view.rounds:
        blocks += round_blocks(frame, view, round_)
    return [*blocks, *(_finals(frame, view, result) if result.status in ("deciding", "finished") else [])]


def now(frame: ReportContext, me: PlayerView, view: AuctionView) -> list[Line]:
    lines: list[Line] = []
    if me.chips is not ABSENT:
        lines.append(f"Chips: {me.chips}")
    if me.cards:
        lines.append(("Your cards: ", Strong(" ".join(me.cards))))
    if me.best:
        lines.append(f"Your best hand: {me.best}")
    if me.diamonds_income is not ABSENT and me.diamonds_income is not None:
        lines.append(f"Collected with Diamonds: {count(me.diamonds_income, 'chip')}")
    return [*lines, *own_garnets(frame, me.garnets)]


def moved(frame: ReportContext, view: AuctionView) -> dict[str, str]:
    """Card -> words that say a host has moved it since its round, as far as the viewer may know where it is."""
    held = {p: row.cards for p, row in view.players.items() if row.cards is not ABSENT}
    holder = {card: p for p, cards in held.items() for card in cards}
    remarks = {}
    for round_ in view.rounds:
        for card, entry in round_.cards.items():
            if entry.why == "sealed" or entry.to == holder.get(card) or (entry.to not in held and card not in holder):
                continue
            to = f" to {frame.names[holder[card]]}" if card in holder else ""
            remarks[card] = f" (moved by a host{to})"
    return remarks


def round_blocks(frame: ReportContext, view: AuctionView, round_: RoundView) -> list[Block]:
    taken: dict[str, list[str]] = {}
    elsewhere = moved(frame, view)
    for card, entry in round_.cards.items():
        remark = ("*" if entry.because_of_invalid_bids else "") + elsewhere.get(card, "")
        name = frame.names[entry.to] if entry.to else ""
        receiver = "destroyed" if entry.why == "destroyed" else name
        if entry.why == "no_valid_bids":
            receiver = f"{name} (Spades, no valid bids)" if name else "discarded, no valid bids"
        if entry.why != "sealed":
            taken.setdefault(receiver, []).append(card + (" (gift)" if entry.why == "gift" else "") + remark)
    lines: list[tuple[Span, ...]] = [(Strong(who), f": {', '.join(cards)}") for who, cards in taken.items()]
    if round_.diamonds:
        lines.append((f"Diamonds was used on {round_.diamonds}.",))
    for card, entry in round_.cards.items():
        if entry.bids:
            bids = ", ".join(f"{frame.names[p]} {chips}" for p, chips in entry.bids.items())
            lines.append((f"Bids on {card}: {bids}",))
    noted = any(entry.because_of_invalid_bids for entry in round_.cards.values())
    notes = [text("* because of invalid bids")] if noted else []
    return [Heading(round_.suit.title(), 2), Items(tuple(lines)), *notes]


def rounds(frame: ReportContext, view: AuctionView, name: str) -> list[Block]:
    """One resolved round: what became of its cards, or who has which power."""
    if name == "power":
        return _powers(frame, view)
    return [block for round_ in view.rounds if round_.suit == name for block in round_blocks(frame, view, round_)]


def _powers(frame: ReportContext, view: AuctionView) -> list[Block]:
    powers = [f"{frame.names[p]}: {row.power.title()}" for p, row in view.players.items() if row.power]
    return listing(powers, "Powers")


def _finals(frame: ReportContext, view: AuctionView, result: Result) -> list[Block]:
    """The best hands, in order if their ranking may be known, and the players who won by theirs."""
    lines: list[Line] = []
    ranked = [p for _, p in result.places()]
    for player in ranked or view.players:
        row = view.players.get(player)
        if row is None or row.best is ABSENT:
            continue
        hand = str(row.best) if row.best else f"no hand, {count(len(row.cards), 'card')}"
        if row.garnets is not ABSENT:
            hand += f" · {count(row.garnets, 'garnet')}"
        lines.append((Strong(frame.names[player]), f" · {hand}"))
    won = dict.fromkeys(row["player"] for row in (result.reasons or {}).get("tokens", ()) if row["how"] == "won")
    winner = [text("Winner: ", Strong(frame.named(won)))] if won and not result.winners else []
    return [*listing(lines, "The hands"), *winner] if lines else []


def in_short(player: str, row: PlayerView) -> str:
    cards = f", {' '.join(row.cards)}" if row.cards else ""
    return f"{player}: {count(row.chips, 'chip')}, {count(row.garnets, 'garnet')}{cards}"


def board(frame: ReportContext, view: AuctionView, result: Result) -> list[Block]:
    blocks = [block for round_ in view.rounds for block in round_blocks(frame, view, round_)]
    return [Heading(f"{frame.title} · board"), *(blocks or [text("No card has been given yet.")])]


def scores(frame: ReportContext, view: AuctionView, result: Result) -> list[Block]:
    hands = {p: str(row.best) if row.best else "no hand" for p, row in view.players.items()}
    return ranking(frame, result, ("hand",), lambda p: (hands[p],), numbers=(0,))
