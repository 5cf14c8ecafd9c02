"""Table facts in words for the host, each with the rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.table import facts as f
from games.table.state import BANK, Table

HOST_POWERS = "season: host powers"


def reason(table: Table, fact: Fact) -> Reason:
    """What happened, and why it may."""
    name = table.name

    def purse(who: str) -> str:
        return "the bank" if who == BANK else name(who)

    match fact:
        case f.SeatTaken():
            return Reason(f"{name(fact.player)} takes a seat with {count(fact.garnets, 'garnet')}", "season S-6")
        case f.AliasAdded():
            return Reason(f"{fact.alias} now means {name(fact.player)}", HOST_POWERS)
        case f.Moved():
            amount = count(fact.garnets, "garnet")
            went = f"{purse(fact.src)} gives {amount} to {purse(fact.to)}"
            if fact.src == BANK:
                went = f"{name(fact.to)} receives {amount}"
            elif fact.to == BANK:
                went = f"{name(fact.src)} pays {amount}"
            return Reason(f"{went} ({fact.why})", fact.rule)
        case f.PhaseBegan():
            return Reason(
                f"the match is {fact.phase}" if fact.phase == "finished" else f"{fact.phase} begins", "section 2"
            )
        case f.PhaseEnded():
            return Reason(f"{fact.phase} ends: {fact.why}", "section 2")
        case f.DeadlineMoved():
            return Reason("the end is moved", HOST_POWERS)
        case f.DecisionOpened():
            d = fact.decision
            who = table.named(d.who) if d.who else "hosts"
            return Reason(f"a {d.kind} is open for {who}, among {table.named(d.among)}", "season S-2 to S-4")
        case f.DecisionClosed():
            return Reason(f"the {fact.decision.kind} is over: {fact.why}", "season S-2 to S-4")
        case f.Reopened():
            return Reason(f"{fact.name} is open again", HOST_POWERS)
        case f.VoteCast():
            return Reason(f"{name(fact.voter)} votes for {name(fact.candidate)}", "season S-3")
        case f.GiftNamed():
            return Reason(f"{name(fact.player)} wants to give a token to {name(fact.receiver)}", "season S-2")
        case f.LotDrawn():
            return Reason(f"a lot among {table.named(fact.among)} falls on {name(fact.outcome)}", "season S-4, S-G5")
        case f.TokenAwarded():
            return Reason(f"{name(fact.award.player)} wins a Token of Life ({fact.award.why})", fact.award.rule)
        case f.TokenWithdrawn():
            return Reason(
                f"{name(fact.award.player)} no longer wins the token for {fact.award.condition}", fact.award.rule
            )
        case f.GiftMade():
            return Reason(f"{name(fact.player)} gives a Token of Life to {name(fact.receiver)}", "season S-2")
        case f.GiftReturned():
            return Reason(f"the gift of {name(fact.player)} to {name(fact.receiver)} no longer counts", "season S-2")
        case f.TokenLapsed():
            word = "lapses" if fact.tokens > 0 else "counts again"
            return Reason(f"{count(abs(fact.tokens), 'spare token')} of {name(fact.player)} {word}", "season S-2")
        case f.TokensGranted():
            given = "is given" if fact.tokens >= 0 else "loses"
            return Reason(f"{name(fact.player)} {given} {count(abs(fact.tokens), 'token')} by a host", HOST_POWERS)
        case f.EliminationFound():
            if not fact.players:
                return Reason("nobody is Elimination Candidate (yet)", "section 7")
            return Reason(f"{table.named(fact.players)} is Elimination Candidate ({fact.why})", "section 7")
        case f.SettingAmended():
            return Reason(f"{fact.key} is now {fact.value}", "season S-11")
        case f.ChoicesCleared():
            return Reason("votes, gifts and lots of the former end count no more", HOST_POWERS)
        case f.Remarked():
            who = f"{name(fact.player)}: " if fact.player else ""
            about = f" (about entry {fact.about})" if fact.about else ""
            return Reason(f"{fact.kind}: {who}{fact.text}{about}".rstrip(": "), HOST_POWERS)
        case _:
            raise AssertionError(f"a fact without words: {fact!r}")


def count(number: int, noun: str) -> str:
    """>>> count(1, "garnet"), count(0, "garnet")
    ('1 garnet', '0 garnets')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
