"""Facts in words for the host, each with the numbered rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.end import reached
from games.hex_parties.state import State
from games.kit.sealed import RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed
from games.kit.tell import count
from games.table import facts as told
from games.table.facts import HOST_POWERS
from games.table.words import reason as shared_reason
from games.table.words import sheet_reason


def explain(state: State, fact: Fact) -> Reason:
    """What happened, and why it may. `state` is used for names only."""
    name = state.table.name
    match fact:
        case SheetSealed():
            return sheet_reason(state.table, fact, _sheet(fact))
        case f.OrderFaulty():
            item = "the bonus" if fact.item == "bonus" else f"the {fact.item} piece to"
            return Reason(f"as it stands, {name(fact.player)}, {item} {fact.to}: {fact.why}", fact.rule)
        case f.ParityChosen():
            by = {"player": "as chosen", "first_listed": "listed first; no choice came", "lot": "by lot"}
            rule = "section 2" if fact.by == "player" else "HX-9"
            return Reason(f"{name(fact.player)}: the piece on {fact.cell} is odd ({by[fact.by]})", rule)
        case f.OrderIllegal():
            return Reason(
                f"{name(fact.player)}, {fact.piece} to {fact.to}: illegal, {fact.why}: it stays", "HX-3, HX-8"
            )
        case f.BonusIgnored():
            return Reason(f"{name(fact.player)}, bonus {fact.bonus}: ignored, nothing is paid: {fact.why}", "HX-7")
        case f.BonusUsed():
            pieces = " and ".join(fact.pieces)
            return Reason(f"{name(fact.player)} uses the bonus {fact.bonus} for {pieces}", "HX-2, HX-7")
        case f.BonusReturned():
            return Reason(f"{name(fact.player)}, bonus {fact.bonus}: all its moves bounced, it is given back", "HX-7")
        case f.PieceBounced():
            rivals = ", ".join(_piece(state, word) for word in fact.against)
            text = f"{name(fact.player)}, {fact.piece} to {fact.to}: bounced with {rivals}: it stays"
            return Reason(text, "section 3, HX-10")
        case f.PieceMoved():
            return Reason(f"{name(fact.player)}, {fact.piece}: moved from {fact.start} to {fact.to}", "section 3")
        case f.PartyFormed():
            scores = "nobody scores" if fact.scores == "none" else f"its {fact.scores} pieces score"
            return Reason(f"a party of {len(fact.cells)} ({' '.join(fact.cells)}): {scores}", "section 4")
        case f.PointsScored():
            pieces = " and ".join(map(_scored, fact.pieces))
            return Reason(f"{name(fact.player)} scores {count(fact.points, 'point')} with {pieces}", "section 4")
        case f.VictoryReached():
            return Reason(f"{name(fact.player)} ends the match: {reached(fact)}", "section 5, HX-12")
        case f.PlayEnded():
            return Reason(f"play is over: {fact.why}", "section 5, HX-14")
        case f.FieldSet():
            return Reason(f"a host sets {fact.field} of {name(fact.player)} to {fact.value}", HOST_POWERS)
        case RoundOpened() | RoundResolved() | SubmissionsClosed() | told.PhaseBegan() | told.PhaseEnded():
            return shared_reason(state.table, fact)._replace(rule="section 3")
        case told.EliminationFound():
            return shared_reason(state.table, fact)._replace(rule="section 5, HX-15, HX-16")
        case _:
            return shared_reason(state.table, fact)


def _sheet(fact: SheetSealed) -> str:
    """What is on a sheet."""
    content = fact.sheet.content
    if isinstance(content, a.Sides):
        return f": the piece on {content.cell} is odd"
    return f": {a.spelled(content)}" if isinstance(content, a.Move) else ""


def _scored(word: str) -> str:
    """`odd A2 3` as the odd piece on A2 in a party of three."""
    which, _, rest = word.partition(" ")
    cell, _, size = rest.partition(" ")
    return f"{which} on {cell} in a party of {size}"


def _piece(state: State, word: str) -> str:
    """`bob odd` as Bob's odd piece."""
    player, _, which = word.partition(" ")
    return f"{state.table.name(player)}'s {which} piece".replace("  ", " ")
