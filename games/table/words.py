"""Table facts in words for the host, each with the rule it follows from."""

from __future__ import annotations

from events.instants import write_end
from games.contract import Fact, Reason
from games.kit.sealed import LateAdmitted, RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed, called
from games.kit.tell import count
from games.table import facts as f
from games.table.facts import HOST_POWERS
from games.table.settings import in_words
from games.table.state import BANK, Table

REPLACED = {
    "commitment": "the commitment of the deal was replaced by another one",
    "deal": "the cards were dealt anew, and this deal replaces the first one",
    "cards": "the cards were typed in by a host, although the deal was committed to",
}


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
        case f.Committed():
            return Reason(f"the deal is committed to: commitment {fact.commitment}", "design: fair deals")
        case f.DrawReplaced():
            return Reason(REPLACED[fact.what], "design: fair deals")
        case f.SeedKept():
            return Reason("the seed behind the commitment is kept, for the hosts alone", "design: fair deals")
        case f.WordAdded():
            return Reason(f"{name(fact.player)} adds words to the deal: {fact.text}", "design: fair deals")
        case f.WordLate():
            late = f"the words of {name(fact.player)} came after the deal, and are not in it"
            return Reason(late, "design: fair deals")
        case f.Moved():
            amount = count(fact.garnets, "garnet")
            went = f"{purse(fact.src)} gives {amount} to {purse(fact.to)}"
            if fact.src == BANK:
                went = f"{name(fact.to)} receives {amount}"
            elif fact.to == BANK:
                went = f"{name(fact.src)} pays {amount}"
            return Reason(f"{went} ({fact.why})", fact.rule)
        case SheetSealed():
            return sheet_reason(table, fact)
        case LateAdmitted():
            return Reason(f"the late sheet of {name(fact.player)} counts in {called(fact.round)}", "season S-G1")
        case RoundOpened():
            return Reason(f"{called(fact.round)} begins", "season S-9")
        case SubmissionsClosed():
            return Reason(f"{called(fact.round)} takes no more sheets", "season S-9, S-G1")
        case RoundResolved():
            return Reason(f"{called(fact.round)} is resolved", "season S-9")
        case f.PhaseBegan():
            began = {"finished": "the match is over", "deciding": "the match waits for what is still to be decided"}
            return Reason(began.get(fact.phase, f"{fact.phase} begins"), "section 2")
        case f.PhaseEnded():
            return Reason(f"{fact.phase} ends: {fact.why}", "section 2")
        case f.DeadlineMoved():
            until = "has no time any more" if fact.ends is None else f"is moved to {_instant(fact.ends)}"
            return Reason(f"the end {until}", HOST_POWERS)
        case f.DecisionOpened():
            d = fact.decision
            who = f"a {d.noun} is open for {table.named(d.who)}" if d.who else f"a host must settle a {d.noun}"
            return Reason(f"{who}, among {table.named(d.among)}", "season S-2 to S-4")
        case f.DecisionClosed():
            return Reason(f"the {fact.decision.noun} is over: {fact.why}", "season S-2 to S-4")
        case f.Reopened():
            the = "the " if fact.name in ("vote", "gift", "choose", "lot", "ruling") else ""
            return Reason(f"{the}{fact.name} is open again", HOST_POWERS)
        case f.VoteCast():
            return Reason(f"{name(fact.voter)} votes for {name(fact.candidate)}", "season S-3")
        case f.Abstained():
            return Reason(f"{name(fact.voter)} names nobody, on purpose", "season S-10")
        case f.GiftNamed():
            return Reason(f"{name(fact.player)} wants to give a token to {name(fact.receiver)}", "season S-2")
        case f.ChoiceMade():
            return Reason(f"{name(fact.player)} chooses {name(fact.choice)}", "season: decisions after the end")
        case f.Paused():
            return Reason("the clock is paused", HOST_POWERS)
        case f.Resumed():
            return Reason(
                f"the clock runs again; every end moves by {count(fact.moved // 60_000, 'minute')}", HOST_POWERS
            )
        case f.SeatReplaced():
            return Reason(f"{fact.name} takes over the seat {fact.player}", HOST_POWERS)
        case f.PlayerLeft():
            return Reason(f"{name(fact.player)} has left the match", "season S-G3")
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
        case f.RewardPaid():
            amount = count(fact.reward.garnets, "garnet")
            return Reason(f"{name(fact.reward.player)} receives {amount} ({fact.reward.why})", fact.reward.rule)
        case f.RewardReturned():
            amount = count(fact.reward.garnets, "garnet")
            return Reason(f"{name(fact.reward.player)} gives {amount} back: the result is another", fact.reward.rule)
        case f.TokensGranted():
            given = "is given" if fact.tokens >= 0 else "loses"
            return Reason(f"{name(fact.player)} {given} {count(abs(fact.tokens), 'token')} by a host", HOST_POWERS)
        case f.EliminationFound():
            if not fact.players:
                return Reason("nobody is Elimination Candidate (yet)", "section 7")
            return Reason(f"{table.named(fact.players)} is Elimination Candidate ({fact.why})", "section 7")
        case f.SettingAmended():
            return Reason(f"{fact.key} is now {in_words(fact.value)}", "season S-11")
        case f.ChoicesCleared():
            return Reason("votes, gifts and lots of the former end count no more", HOST_POWERS)
        case f.Remarked():
            if fact.player:
                said = {"penalty": "is penalised", "breach": "broke a rule", "blank": "submits nothing, on purpose"}
                return Reason(f"{name(fact.player)} {said[fact.kind]}", HOST_POWERS)
            about = f" (about entry {fact.about})" if fact.about else ""
            return Reason(f"{fact.kind}: {fact.text}{about}", HOST_POWERS)
        case _:
            raise AssertionError(f"a fact without words: {fact!r}")


def sheet_reason(table: Table, fact: SheetSealed, said: str = "") -> Reason:
    """A submission in words; `said` is what the game has to say of what is on it."""
    what = {"sheet": "a sheet comes in", "blank": "nothing, on purpose", "withdrawn": "the sheet is taken back"}
    late = f"; late: hl ruling admit {fact.sheet.seq}" if fact.sheet.late else ""
    round_ = called(fact.round).removeprefix("the ")
    return Reason(f"{table.name(fact.player)}, {round_}: {what[fact.sheet.kind]}{said}{late}", "season S-9, S-G1")


def _instant(at: int) -> str:
    return write_end(at)[:16].replace("T", " ") + " UTC"
