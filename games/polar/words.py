"""Facts in words for the host, each with the numbered rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.kit.sealed import RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed, called
from games.kit.tell import count
from games.polar import actions as a
from games.polar import facts as f
from games.polar.scoring import BEATEN_BY, BEATS
from games.polar.state import State
from games.table import facts as told
from games.table.facts import HOST_POWERS
from games.table.words import reason as shared_reason
from games.table.words import sheet_reason


def explain(state: State, fact: Fact) -> Reason:
    """What happened, and why it may. `state` is used for names only."""
    name = state.table.name
    match fact:
        case SheetSealed():
            sheet = fact.sheet.content
            said = f": {a.spelled(sheet)}" if isinstance(sheet, (a.Start, a.Submit)) else ""
            return sheet_reason(state.table, fact, said)
        case f.ItemVoid():
            what = "counts for nothing" if fact.resolved else "would count for nothing as things stand"
            return Reason(f"{name(fact.player)}, {fact.item}: {what}: {fact.why}", fact.rule)
        case f.Placed():
            return Reason(_placed(state, fact), "section 1, PL-3" if fact.drawn else "section 1")
        case f.Bought():
            price = count(fact.price, "garnet")
            return Reason(f"{name(fact.player)} buys {a.item_name(fact.item)} at {price}", "section 4")
        case f.TicketUsed():
            went = f"{name(fact.player)} goes from {fact.src.title()} to {fact.to.title()} with a ticket"
            return Reason(went, "section 2")
        case f.SwapUsed():
            return Reason(f"{name(fact.player)} swaps signs and is {fact.sign} now", "section 2, PL-25")
        case f.BombUsed():
            return Reason(f"{name(fact.player)} uses a {fact.bomb.title()} Bomb on {fact.room.title()}", "section 2")
        case f.Scored():
            return Reason(
                f"{name(fact.player)} scores {fact.points} in round {fact.round}: {_scored(fact)}", _rule(fact)
            )
        case f.FieldSet():
            return Reason(f"a host sets {fact.field} of {name(fact.player)} to {fact.value or 'none'}", HOST_POWERS)
        case RoundOpened() | SubmissionsClosed():
            return shared_reason(state.table, fact)._replace(rule="section 1")
        case RoundResolved():
            return Reason(f"{called(fact.round)} is resolved", "section 3")
        case told.PhaseBegan():
            return shared_reason(state.table, fact)._replace(rule="section 5")
        case told.EliminationFound():
            return shared_reason(state.table, fact)._replace(rule="section 5, PL-19, PL-20")
        case _:
            return shared_reason(state.table, fact)


def _placed(state: State, fact: f.Placed) -> str:
    counted = {bomb: fact.bombs.count(bomb) for bomb in fact.bombs}
    bombs = " and ".join(count(n, f"{bomb.title()} Bomb") for bomb, n in counted.items()) or "no bomb"
    drawn = f" ({' and '.join(fact.drawn)} by lot)" if fact.drawn else ""
    return f"{state.table.name(fact.player)} begins in {fact.room.title()} with {fact.sign}{drawn} and {bombs}"


def _scored(fact: f.Scored) -> str:
    """The sum behind the points, in the order of section 3."""
    winner, loser = BEATEN_BY[fact.room].title(), BEATS[fact.room].title()
    parts = [f"+{fact.beats} for those in {loser}"] if fact.beats else []
    parts += [f"-{fact.beaten} for those in {winner}"] if fact.beaten else []
    parts += [f"+1 for the rarer sign {fact.sign}"] if fact.minority else []
    said = f"in {fact.room.title()}, {', '.join(parts) or f'with nobody in {loser} or {winner}'}"
    if fact.doubled or fact.confetti or fact.polarity:
        said += f": {fact.base}"
    said += f", doubled {2 * fact.base}" if fact.doubled else ""
    said += f", +{fact.confetti} Confetti" if fact.confetti else ""
    said += f", +{2 * fact.polarity} Polarity" if fact.polarity else ""
    return said + (f"; and {count(fact.tickets, 'ticket')} from Ticket Bombs" if fact.tickets else "")


def _rule(fact: f.Scored) -> str:
    gaps = {"PL-4": fact.minority or fact.polarity, "PL-5": fact.doubled, "PL-12": fact.tickets}
    return ", ".join(["section 3", *(gap for gap, used in gaps.items() if used)])
