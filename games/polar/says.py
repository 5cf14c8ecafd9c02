"""What is said of each fact, and to whom. Source: section 6."""

from __future__ import annotations

from games.contract import OWN, FactSpec, News
from games.kinds import count
from games.kit.sealed import RoundOpened, RoundResolved, SheetDropped, SheetSealed, SubmissionsClosed
from games.parts.words import said
from games.polar import actions as a
from games.polar import facts as f
from games.polar.end import SECOND
from games.polar.scoring import BEATEN_BY, BEATS
from games.polar.sheets import kind_of
from games.polar.state import State
from games.polar.view import may, why
from games.table import facts as table_facts
from games.table.words import SAYS as SHARED


def _placed(fact: f.Placed, state: State) -> str:
    counted = {bomb: fact.bombs.count(bomb) for bomb in fact.bombs}
    bombs = " and ".join(count(n, a.bomb_name(bomb)) for bomb, n in counted.items()) or "no bomb"
    drawn = f" ({' and '.join(fact.drawn)} by lot)" if fact.drawn else ""
    return f"{state.table.name(fact.player)} begins in {fact.room.title()} with {fact.sign}{drawn} and {bombs}"


def _drawn(fact: f.Placed, state: State, viewer: str) -> News:
    drawn = {"room": fact.room.title(), "sign": fact.sign}
    known = [drawn[what] for what in fact.drawn if may(state, f"{what}s", viewer, viewer)]
    return f"Drawn by lot for you: {' and '.join(known)}." if known else None


def _void(fact: f.ItemVoid, state: State) -> str:
    what = "counts for nothing" if fact.resolved else "would count for nothing as things stand"
    return f"{state.table.name(fact.player)}, {fact.item}: {what}: {fact.why}"


def _my_void(fact: f.ItemVoid, state: State, viewer: str) -> News:
    counted = "This counted" if fact.resolved else "As things stand this counts"
    return f"{counted} for nothing: {fact.item} ({why(state, fact)})."


def _bought(fact: f.Bought, state: State, viewer: str) -> News:
    """What was bought and what was paid, as far as each has an open line."""
    price = count(fact.price, "garnet")
    item, asked, purse = (may(state, line, viewer, viewer) for line in (f"{kind_of(fact.item)}s", "prices", "garnets"))
    if not item:
        return f"You lost {price}." if purse else None
    return f"You bought {a.item_name(fact.item)}{f' for {price}' if asked or purse else ''}."


def _paid(fact: table_facts.Moved, state: State, viewer: str) -> News:
    """Garnets that moved; those of a purchase are told with it."""
    return None if fact.rule == f.PRICE else said(SHARED[table_facts.Moved].owner, fact, state, viewer)


def _scored(fact: f.Scored, state: State) -> str:
    """The sum behind the points, in the order of section 3."""
    winner, loser = BEATEN_BY[fact.room].title(), BEATS[fact.room].title()
    parts = [f"+{fact.beats} for those in {loser}"] if fact.beats else []
    parts += [f"-{fact.beaten} for those in {winner}"] if fact.beaten else []
    parts += [f"+1 for the rarer sign {fact.sign}"] if fact.minority else []
    text = f"in {fact.room.title()}, {', '.join(parts) or f'with nobody in {loser} or {winner}'}"
    if fact.doubled or fact.confetti or fact.polarity:
        text += f": {fact.base}"
    text += f", doubled {2 * fact.base}" if fact.doubled else ""
    text += f", +{fact.confetti} Confetti" if fact.confetti else ""
    text += f", +{2 * fact.polarity} Polarity" if fact.polarity else ""
    text += f"; and {count(fact.tickets, 'ticket')} from Ticket Bombs" if fact.tickets else ""
    return f"{state.table.name(fact.player)} scores {fact.points} in round {fact.round}: {text}"


def _rules(fact: f.Scored, state: State) -> str:
    gaps = {"PL-4": fact.minority or fact.polarity, "PL-5": fact.doubled, "PL-12": fact.tickets}
    return ", ".join(["section 3", *(gap for gap, used in gaps.items() if used)])


def _reward(fact: table_facts.RewardPaid, state: State, viewer: str) -> News:
    """Garnets won; the reason tells the points."""
    because = f": {fact.reward.why}" if may(state, "scoreboard", viewer, viewer) else ""
    return f"You won {count(fact.reward.garnets, 'garnet')}{because}."


def _asked(fact: table_facts.DecisionOpened, state: State, viewer: str) -> News:
    among = state.table.one_of(fact.decision.among)
    if fact.decision.about == SECOND:
        return f"You are first. Choose who of those in the second place wins a Token of Life: {among}."
    if fact.decision.kind == "gift":
        return f"You won a second Token of Life: give it to {among}."
    return f"You vote who is Elimination Candidate: {among}."


def corrected(fact: table_facts.FieldSet, state: State) -> News:
    """What a host set that everybody sees; where anybody begins is told when the pregame is resolved."""
    if fact.field != "points" and not state.history:
        return None
    if fact.value == "none":
        return f"A host took {state.table.name(fact.player)} out of the rooms."
    return f"A host set the {fact.field} of {state.table.name(fact.player)}: {fact.value.title()}."


SAYS: Mapping[type, FactSpec] = {
    f.Placed: FactSpec(lambda fact, state: "section 1, PL-3" if fact.drawn else "section 1", _placed, OWN, _drawn),
    f.ItemVoid: FactSpec(lambda fact, state: fact.rule, _void, "invalid_items", _my_void),
    f.Bought: FactSpec(
        "section 4",
        lambda fact, state: (
            f"{state.table.name(fact.player)} buys {a.item_name(fact.item)} at {count(fact.price, 'garnet')}"
        ),
        OWN,
        _bought,
    ),
    table_facts.Moved: FactSpec(owner=_paid),
    f.TicketUsed: FactSpec(
        "section 2",
        lambda fact, state: (
            f"{state.table.name(fact.player)} goes from {fact.src.title()} to {fact.to.title()} with a ticket"
        ),
    ),
    f.SwapUsed: FactSpec("section 2, PL-25", "{player} swaps signs and is {sign} now"),
    f.BombUsed: FactSpec(
        "section 2",
        lambda fact, state: f"{state.table.name(fact.player)} uses a {a.bomb_name(fact.bomb)} on {fact.room.title()}",
    ),
    f.Scored: FactSpec(_rules, _scored),
    RoundOpened: FactSpec("section 1"),
    SubmissionsClosed: FactSpec("section 1"),
    RoundResolved: FactSpec("section 3"),
    table_facts.PhaseBegan: FactSpec("section 5"),
    table_facts.EliminationFound: FactSpec("section 5, PL-19, PL-20"),
    table_facts.DecisionOpened: FactSpec(owner=_asked),
    table_facts.RewardPaid: FactSpec(owner=_reward),
}
"""A row for each fact of the game, and for those of the table that it words otherwise."""


def stands(facts: tuple[object, ...], has_news: bool) -> bool:
    """Is a player also told where they stand? Not when only a sheet came in, or submissions ended."""
    return not all(isinstance(fact, (SheetSealed, SheetDropped, f.ItemVoid, SubmissionsClosed)) for fact in facts)
