"""All that is said of each fact: to the hosts with its rule, to its player, to everybody. Source: section 6, HX-17."""

from __future__ import annotations

from games.contract import FactSpec, News
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.rules import discarded, reached, reward
from games.hex_parties.facts import State
from games.kinds import count
from games.kit.sealed import RoundOpened, RoundResolved, SubmissionsClosed
from games.table import facts as table_facts

BY = {"player": "as chosen", "first_listed": "listed first; no choice came", "lot": "by lot"}
"""How it was settled which piece is odd."""


def on_sheet(content: a.Sides | a.Move) -> str:
    """What is on a sheet, for the hosts."""
    return a.spelled(content) if isinstance(content, a.Move) else f"the piece on {content.cell} is odd"


def _faulty(fact: f.OrderFaulty, state: State) -> str:
    item = "the bonus" if fact.item == "bonus" else f"the {fact.item} piece to"
    return f"as it stands, {state.table.name(fact.player)}, {item} {fact.to}: {fact.why}"


def _chosen_for(fact: f.ParityChosen, state: State, viewer: str) -> News:
    if fact.by == "lot":
        return f"A lot made your piece on {fact.cell} the odd one."
    return f"You chose no odd piece: it is the one on {fact.cell}." if fact.by == "first_listed" else None


def _bounced(fact: f.PieceBounced, state: State) -> str:
    others = (word.partition(" ") for word in fact.against)
    rivals = ", ".join(f"{state.table.name(player)}'s {which} piece" for player, _, which in others)
    return f"{state.table.name(fact.player)}, {fact.piece} to {fact.to}: bounced with {rivals}: it stays"


def _party(fact: f.PartyFormed, state: State) -> str:
    scores = "nobody scores" if fact.scores == "none" else f"its {fact.scores} pieces score"
    return f"a party of {len(fact.cells)} ({' '.join(fact.cells)}): {scores}"


def _scored(fact: f.PointsScored, state: State) -> str:
    parts = []
    for word in fact.pieces:
        piece, _, size = word.rpartition(" ")
        parts.append(f"{piece.replace(' ', ' on ')} in a party of {size}")
    return f"{state.table.name(fact.player)} scores {count(fact.points, 'point')} with {' and '.join(parts)}"


def _ended(fact: f.PlayEnded, state: State) -> str:
    if not fact.winners:
        return "That was the last round: nobody has won."
    return f"{state.table.named(fact.winners)} scored on a victory space: the match ends."


def piece_placed(fact: table_facts.FieldSet, state: State) -> str:
    """What everybody is told of a piece that a host placed; which of the two is odd is told with round 1."""
    piece = f"the {fact.field} piece" if state.results else "a piece"
    where = "off the board" if fact.value == "none" else f"on {fact.value}"
    return f"A host corrected a position: {piece} of {state.table.name(fact.player)} is {where}."


def _reward(fact: table_facts.RewardPaid, state: State, viewer: str) -> str:
    won, (_, lost) = fact.reward.garnets, reward(state, viewer)
    sentences = [f"You won {count(won, 'garnet')}."] if won else []
    return " ".join([*sentences, *([f"{discarded(state, lost)}."] if lost else [])])


SAYS: Mapping[type, FactSpec] = {
    f.OrderFaulty: FactSpec(lambda fact, state: fact.rule, _faulty),
    f.ParityChosen: FactSpec(
        lambda fact, state: "section 2" if fact.by == "player" else "HX-9",
        lambda fact, state: f"{state.table.name(fact.player)}: the piece on {fact.cell} is odd ({BY[fact.by]})",
        "positions",
        owner=_chosen_for,
    ),
    f.OrderIllegal: FactSpec(
        "HX-3, HX-8",
        "{player}, {piece} to {to}: illegal, {why}: it stays",
        "failed_orders",
        owner="Your {piece} piece stays: {why}.",
    ),
    f.BonusIgnored: FactSpec(
        "HX-7",
        "{player}, bonus {bonus}: ignored, nothing is paid: {why}",
        "failed_orders",
        owner="Your bonus {bonus} does not count and costs nothing: {why}.",
    ),
    f.BonusUsed: FactSpec(
        "HX-2, HX-7",
        lambda fact, state: (
            f"{state.table.name(fact.player)} uses the bonus {fact.bonus} for {' and '.join(fact.pieces)}"
        ),
        "bonus_use",
        owner="Your bonus {bonus} is used up.",
        public="{player} used {bonus}.",
    ),
    f.BonusReturned: FactSpec(
        "HX-7",
        "{player}, bonus {bonus}: all its moves bounced, it is given back",
        "bonus_use",
        owner="Your bonus {bonus} is given back, for its moves bounced.",
    ),
    f.PieceBounced: FactSpec(
        "section 3, HX-10", _bounced, "failed_orders", owner="Your {piece} piece stays: its move to {to} bounced."
    ),
    f.PieceMoved: FactSpec("section 3", "{player}, {piece}: moved from {start} to {to}"),
    f.PartyFormed: FactSpec("section 4", _party),
    f.PointsScored: FactSpec("section 4", _scored),
    f.VictoryReached: FactSpec(
        "section 5, HX-12", lambda fact, state: f"{state.table.name(fact.player)} ends the match: {reached(fact)}"
    ),
    f.PlayEnded: FactSpec("section 5, HX-14", "play is over: {why}", "winners", public=_ended),
    table_facts.Moved: FactSpec(
        lambda fact, state: fact.rule,
        owner=lambda fact, state, viewer: (
            f"You {'received' if fact.to == viewer else 'paid'} {count(fact.garnets, 'garnet')}."
        ),
    ),
    table_facts.RewardPaid: FactSpec(line="own_garnets", owner=_reward),
    table_facts.EliminationFound: FactSpec("section 5, HX-15, HX-16"),
    **dict.fromkeys(
        (RoundOpened, RoundResolved, SubmissionsClosed, table_facts.PhaseBegan, table_facts.PhaseEnded),
        FactSpec("section 3"),
    ),
}
"""A row for each fact of the game, and for those of the table that are worded or numbered otherwise here."""
