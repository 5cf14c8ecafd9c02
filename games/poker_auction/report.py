"""View -> blocks. Cannot reach State or rules: what is not in the view cannot be said."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from games.contract import Frame, Result
from games.kit.blocks import Block, Emoji, Heading, Items, Span, Strong, Table, items, text
from games.kit.tell import count
from games.poker_auction.view import AuctionView, PlayerView, RoundView, best_words
from games.records import ABSENT
from games.table.report import clock, decided, heading, tokens_and_elimination

PHASES = {
    "power": "The power round: submit chips and a ranking of the powers.",
    "deciding": "The auction is over; something is still to be decided.",
    "finished": "The match is over.",
}


def report(frame: Frame, view: AuctionView, result: Result) -> list[Block]:
    """The picture of the match for the viewer of the frame."""
    blocks: list[Block] = [heading(frame), _phase(view, result)]
    if frame.viewer in frame.names:
        blocks += standing_now(frame, view.players[frame.viewer])
        if view.submitted is not ABSENT:
            blocks.append(text("Your sheet for this round is in." if view.submitted else "Nothing is in from you yet."))
    blocks += [_host_table(frame, view)] if frame.viewer == HOST_VIEWER else _powers(frame, view)
    for round_ in view.rounds[-1:] if result.status == "running" else view.rounds:
        blocks += round_blocks(frame, round_)
    if result.status in ("deciding", "finished"):
        blocks += _finals(frame, view)
    return [*blocks, *tokens_and_elimination(frame, result), *decided(frame, result)]


def _phase(view: AuctionView, result: Result) -> Block:
    if result.status == "setup":
        return text("The match has not begun: nothing but questions.")
    spans: list[Span] = [PHASES.get(view.phase, f"The {view.phase} round: bid on the thirteen {view.phase}.")]
    if view.closed:
        spans.append(" Submissions have ended; it waits to be resolved.")
    return text(*spans, *clock(view.paused, view.ends))


def standing_now(frame: Frame, me: PlayerView) -> list[Block]:
    """A player's own chips, cards and garnets."""
    lines: list[str | tuple[Span, ...]] = []
    if me.chips is not ABSENT:
        lines.append(f"Chips: {me.chips}")
    if me.cards:
        lines.append(("Your cards: ", Strong(" ".join(me.cards))))
    if me.best:
        lines.append(f"Your best hand: {best_words(me.best)}")
    if me.diamonds_income is not ABSENT and me.diamonds_income is not None:
        lines.append(f"Collected with Diamonds: {count(me.diamonds_income, 'chip')}")
    if me.garnets is not ABSENT:
        lines.append((Emoji(frame.emoji.get("garnet", "")), f"Garnets: {me.garnets}"))
    return [items(*lines)] if lines else []


def round_blocks(frame: Frame, round_: RoundView) -> list[Block]:
    """What became of the cards of one round, one line a receiver."""
    taken: dict[str, list[str]] = {}
    for card, shown in round_.cards.items():
        remark = "*" if shown.because_of_invalid_bids else ""
        if shown.why == "sealed":
            continue
        if shown.why == "destroyed":
            taken.setdefault("destroyed", []).append(card)
        elif shown.why == "no_valid_bids":
            receiver = f"{frame.names[shown.to]} (Spades, no valid bids)" if shown.to else "discarded, no valid bids"
            taken.setdefault(receiver, []).append(card + remark)
        elif shown.to is not None:
            taken.setdefault(frame.names[shown.to], []).append(
                card + (" (gift)" if shown.why == "gift" else "") + remark
            )
    lines: list[tuple[Span, ...]] = [(Strong(who), f": {', '.join(cards)}") for who, cards in taken.items()]
    if round_.diamonds is not ABSENT and round_.diamonds is not None:
        lines.append((f"Diamonds was used on {round_.diamonds}.",))
    for card, shown in round_.cards.items():
        if shown.bids:
            told = ", ".join(f"{frame.names[p]} {chips}" for p, chips in shown.bids.items())
            lines.append((f"Bids on {card}: {told}",))
    noted = any(shown.because_of_invalid_bids for shown in round_.cards.values())
    remark_line = [text("* because of invalid bids")] if noted else []
    return [Heading(f"{round_.suit.title()}", 2), Items(tuple(lines)), *remark_line]


def rounds(frame: Frame, view: AuctionView, name: str) -> list[Block]:
    """One resolved round: what became of its cards, or who has which power."""
    if name == "power":
        return _powers(frame, view)
    return [block for round_ in view.rounds if round_.suit == name for block in round_blocks(frame, round_)]


def _powers(frame: Frame, view: AuctionView) -> list[Block]:
    powers = [f"{frame.names[p]}: {shown.power.title()}" for p, shown in view.players.items() if shown.power]
    return [Heading("Powers", 2), items(*powers)] if powers else []


def _finals(frame: Frame, view: AuctionView) -> list[Block]:
    lines: list[tuple[Span, ...]] = []
    for player, shown in view.players.items():
        if shown.best is ABSENT or shown.cards is ABSENT:
            continue
        hand = best_words(shown.best) if shown.best else f"no hand, {count(len(shown.cards), 'card')}"
        if shown.garnets is not ABSENT:
            hand += f" · {count(shown.garnets, 'garnet')}"
        lines.append((Strong(frame.names[player]), f" · {hand}"))
    return [Heading("The hands", 2), Items(tuple(lines))] if lines else []


def _host_table(frame: Frame, view: AuctionView) -> Block:
    rows = []
    for player, shown in view.players.items():
        rows.append(
            (
                player,
                (shown.power or "").title(),
                str(shown.chips),
                " ".join(shown.cards),
                best_words(shown.best).partition(" (")[0] if shown.best else "",
                str(shown.garnets),
                "auto EC" if shown.auto_ec else "",
            )
        )
    return Table(("player", "power", "chips", "cards", "best", "garnets", ""), tuple(rows), numbers=(2, 5))


def in_short(player: str, shown: PlayerView) -> str:
    """One player in one line, for the host's answer to a command."""
    cards = f", {' '.join(shown.cards)}" if shown.cards else ""
    return f"{player}: {count(shown.chips, 'chip')}, {count(shown.garnets, 'garnet')}{cards}"


def board(frame: Frame, view: AuctionView, result: Result) -> list[Block]:
    """Where the cards lie, round by round."""
    blocks: list[Block] = [Heading(f"{frame.title} · board")]
    for round_ in view.rounds:
        blocks += round_blocks(frame, round_)
    return blocks if view.rounds else [*blocks, text("No card has been given yet.")]


def scores(frame: Frame, view: AuctionView, result: Result) -> list[Block]:
    """The ranking by hand: as far as the viewer may know it."""
    if not result.ranking:
        return [Heading(f"{frame.title} · scores"), text("The ranking is not public before the end.")]
    rows = []
    for place, player in result.places():
        best = view.players[player].best
        rows.append((str(place), frame.names[player], best_words(best) if best else "no hand"))
    return [Heading(f"{frame.title} · scores"), Table(("#", "player", "hand"), tuple(rows), (0,))]
