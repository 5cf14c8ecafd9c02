"""Facts in words for the host, each with the numbered rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.kit.tell import count
from games.marsmatch import facts as f
from games.marsmatch.names import called
from games.marsmatch.state import State
from games.marsmatch.titles import HEAVENLY, TITLES
from games.table.facts import HOST_POWERS
from games.table.words import reason as shared_reason


def explain(state: State, fact: Fact) -> Reason:
    """What happened, and why it may. `state` is used for names only."""
    name = state.table.name
    match fact:
        case f.BankerDrawn():
            order = ", ".join(name(p) for p in fact.seats)
            return Reason(f"{name(fact.banker)} is Banker; clockwise: {order}", "section 2, 1; MM-6")
        case f.HandDealt():
            return Reason(f"{name(fact.player)} is dealt {count(len(fact.cards), 'card')}", "section 1")
        case f.CardsDealt():
            return Reason("the cards of this round are dealt", "section 1")
        case f.HeavenlyWon():
            won = f"{TITLES[fact.title].name}, {fact.points} points"
            return Reason(f"{name(fact.player)} holds a {HEAVENLY[fact.hand][0]}: {won}", "section 2, 2; MM-1 to MM-4")
        case f.TurnBegan():
            return Reason(f"{name(fact.player)} {'leads' if fact.leads else 'is next'}", "section 2, 3")
        case f.Played():
            late = ", his time being over (MM-25)" if fact.automatic else ""
            said = f"{name(fact.player)} plays {' '.join(fact.cards)}: {called(fact.reading)}; {fact.why}{late}"
            return Reason(said, "section 3, Beats")
        case f.Passed():
            return Reason(
                f"{name(fact.player)} passes{', his time being over' if fact.automatic else ''}",
                "MM-25" if fact.automatic else "section 2, 3; MM-19, MM-20",
            )
        case f.TrickWon():
            return Reason(f"{name(fact.player)} wins the trick: everybody else has passed", "section 2, 3")
        case f.LeadNamed():
            return Reason(f"{name(fact.player)} leads next ({fact.why})", "section 2, 3; MM-7")
        case f.RunReached():
            said = f"{name(fact.player)} has played three times in a row"
            return Reason(f'{said}: hl ruling "win {fact.player} WHY", or hl close ruling', "MM-9")
        case f.WentOut():
            worth = f"{TITLES[fact.title].name}, {count(fact.points, 'point')}"
            return Reason(f"{name(fact.player)} is out: {worth} ({fact.why})", "section 2, 4; MM-8 to MM-11")
        case f.RoundEnded():
            losers = state.table.named(fact.losers) if fact.losers else "nobody"
            return Reason(f"round {fact.round} is over; Total Loser: {losers}", "section 2, 4; MM-5, MM-8")
        case f.RoundReopened():
            return Reason(f"round {fact.round} goes on; nobody is a Total Loser yet", HOST_POWERS)
        case f.RoundBegan():
            return Reason(f"round {fact.round} begins: draw the Banker, then deal", "MM-24")
        case f.FieldSet():
            return Reason(f"a host sets {fact.field} of {name(fact.player)} to {fact.value}", HOST_POWERS)
        case _:
            return shared_reason(state.table, fact)
