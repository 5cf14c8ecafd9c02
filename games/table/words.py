"""What is said of the facts of every table: a row each. A game replaces what it words otherwise."""

from __future__ import annotations

from functools import partial
from typing import Any

from events.audiences import PUBLIC_VIEWER
from events.instants import write_end
from games.kit.blocks import When
from games.kit.sealed import (
    BREAK,
    LateAdmitted,
    RoundOpened,
    RoundResolved,
    SheetDropped,
    SheetSealed,
    SubmissionsClosed,
    called,
)
from games.kit.tell import COURSE, OWN, Lines, News, Say, Says, count
from games.table import facts as f
from games.table.facts import HOST_POWERS
from games.table.settings import in_words
from games.table.sheet_words import no_longer, own_sheet, sheet_words, yours_no_longer
from games.table.state import BANK, DECISIONS, OPPONENT
from games.table.view import allowed, declared_line

REPLACED = {
    "commitment": "the commitment of the deal was replaced by another one",
    "deal": "the cards were dealt anew, and this deal replaces the first one",
    "cards": "the cards were typed in by a host, in place of those that were drawn or committed to",
    "newer": "what was drawn now is newer than the commitment, and so it comes from a seed of its own",
    "again": "a draw was made again: what had been drawn, or committed to, does not count",
}
FAIR = "design: fair deals"
DECIDES = "season S-2 to S-4"


def upper(words: str) -> str:
    """With a capital letter."""
    return words[0].upper() + words[1:]


def replaced_in_words(what: str) -> str:
    """What everybody is told of a draw that was replaced."""
    return f"{upper(REPLACED[what])}."


def _went(state: Any, fact: f.Moved) -> str:
    name, amount = state.table.name, count(fact.garnets, "garnet")
    if fact.src == BANK:
        return f"{name(fact.to)} receives {amount} ({fact.why})"
    if fact.to == BANK:
        return f"{name(fact.src)} pays {amount} ({fact.why})"
    return f"{name(fact.src)} gives {amount} to {name(fact.to)} ({fact.why})"


def _opened(state: Any, fact: f.DecisionOpened) -> str:
    d, named = fact.decision, state.table.named
    who = f"a {d.noun} is open for {named(d.who)}" if d.who else f"a host must settle a {d.noun}"
    return f"{who}, among {named(d.among)}"


def _asked(state: Any, fact: f.DecisionOpened, viewer: str) -> News:
    among = state.table.one_of(fact.decision.among)
    if fact.decision.kind == "gift":
        return f"You won a second Token of Life: give it to {among}."
    if fact.decision.kind == "choose":
        about = "who is Elimination Candidate: " if fact.decision.about == "elimination" else ""
        return f"You choose {about}{among}."
    return f"You may vote {voted_on(fact.decision.about)}: {among}."


def voted_on(about: str) -> str:
    """What a vote is about, in words."""
    return "who is Elimination Candidate" if about == "elimination" else "who wins a Token of Life"


def _remarked(state: Any, fact: f.Remarked) -> str:
    if fact.player:
        verbs = {"penalty": "is penalised", "breach": "broke a rule"}
        return f"{state.table.name(fact.player)} {verbs[fact.kind]}"
    return f"{fact.kind}: {fact.text}" + (f" (about entry {fact.about})" if fact.about else "")


def _found(state: Any, fact: f.EliminationFound) -> str:
    if not fact.players:
        return "nobody is Elimination Candidate (yet)"
    what = "is Elimination Candidate" if len(fact.players) == 1 else "are Elimination Candidates"
    return f"{state.table.named(fact.players)} {what} ({fact.why})"


def _won(state: Any, fact: f.WinnersFound) -> str:
    if not fact.players:
        return "nobody has won (yet)"
    lost = f", {state.table.named(fact.losers)} {'loses' if len(fact.losers) == 1 else 'lose'}" if fact.losers else ""
    return f"{state.table.named(fact.players)} {'wins' if len(fact.players) == 1 else 'win'}{lost} ({fact.why})"


def _set(state: Any, fact: f.FieldSet) -> str:
    whose = f" of {state.table.name(fact.player)}" if fact.player else ""
    return f"a host sets {fact.field}{whose} to {fact.value or 'none'}"


def _moved_end(state: Any, fact: f.DeadlineMoved) -> str:
    if fact.ends is None:
        return "the end has no time any more"
    return f"the end is moved to {write_end(fact.ends)[:16].replace('T', ' ')} UTC"


def _new_end(state: Any, fact: f.DeadlineMoved) -> News:
    if fact.ends is not None:
        breaks = fact.about is None and state.table.phase == BREAK
        return ("The next round now opens " if breaks else "The end is now ", When(fact.ends), ".")
    takes = fact.about is None and state.table.round is not None
    return f"{upper(called(state.table.phase))} takes submissions again." if takes else None


def _round_opened(state: Any, fact: RoundOpened) -> News:
    until = (" It ends ", When(fact.ends), ".") if fact.ends else ()
    return (f"{upper(called(fact.round))} is open.", *until)


def _lapsed(state: Any, fact: f.TokenLapsed) -> str:
    word = "lapses" if fact.tokens > 0 else "counts again"
    return f"{count(abs(fact.tokens), 'spare token')} of {state.table.name(fact.player)} {word}"


def _granted(state: Any, fact: f.TokensGranted) -> str:
    verb = "is given" if fact.tokens >= 0 else "loses"
    lapsed = f", {fact.lapsed} of them lapsed before" if fact.lapsed else ""
    return f"{state.table.name(fact.player)} {verb} {count(abs(fact.tokens), 'token')} by a host{lapsed}"


def _declared(state: Any, fact: f.Declared) -> str:
    names = state.table.named(fact.players)
    return {
        "elimination": f"hosts declare {names} Elimination Candidate",
        "token": f"hosts declare that {names} has {count(fact.tokens or 0, 'token')} in all",
        "winner": f"hosts declare that {names} {'wins' if len(fact.players) == 1 else 'win'}",
        "void": "hosts declare the match void",
    }[fact.kind] + ("" if fact.kind == "void" or _ended(state) else "; it is kept until the match ends")


def _ended(state: Any) -> bool:
    return state.table.status in ("deciding", "finished")


def _reason_line(state: Any, fact: f.ReasonTold) -> str:
    """The line that tells what it is the reason of."""
    kind = next((row.kind for row in state.table.declared if row.seq == fact.about), "elimination")
    return declared_line(state.table.settings["visibility"], kind) or COURSE


def _weighed(state: Any, fact: f.VotesWeighed) -> str:
    held = ", ".join(f"{state.table.name(p)} {n}" for p, n in fact.weighed.garnets)
    return f"the votes are tied and weighed by the voters' garnets: {held}"


CHANGED = {
    "elimination": "the Elimination Candidate was {was}, and is {now} now",
    "winner": "the winner was {was}, and is {now} now",
    "tokens": "the Tokens of Life were {was}, and are {now} now",
    "scores": "the scores were {was}, and are {now} now",
    "ranking": "the places were {was}, and are {now} now",
}
"""What of a result has changed, in words."""
_LINE_OF = {"elimination": "elimination", "winner": "winner", "tokens": "token"}


def _changed(state: Any, fact: f.ResultChanged) -> str:
    counted = fact.kind not in ("elimination", "winner")

    def listed(pairs: tuple[tuple[str, int], ...]) -> str:
        if not counted:
            return str(state.table.named([p for p, _ in pairs]))
        return ", ".join(f"{state.table.name(p)} {n}" for p, n in pairs) or "nobody's"

    return f"{CHANGED[fact.kind].format(was=listed(fact.was), now=listed(fact.now))}" + (
        f"; why: {fact.why}" if fact.why else ""
    )


def _changed_line(state: Any, fact: f.ResultChanged) -> Lines:
    """Where a game has no such line nobody is told: what hosts declare is told by itself."""
    return declared_line(state.table.settings["visibility"], _LINE_OF.get(fact.kind, "")) or ()


def _changed_own(state: Any, fact: f.ResultChanged, viewer: str) -> News:
    """Of themselves, where the public is not told."""
    line = _changed_line(state, fact)
    if fact.kind not in ("elimination", "tokens") or not isinstance(line, str):
        return None
    if allowed(state.table, line, PUBLIC_VIEWER, (), over=True):
        return None
    was, now = dict(fact.was).get(viewer, 0), dict(fact.now).get(viewer, 0)
    if was == now:
        return None
    if fact.kind == "elimination":
        return f"A correction: you are {'now' if now else 'no longer'} Elimination Candidate."
    return f"A correction: you have {count(now, 'Token')} of Life, not {was}."


def began(state: Any, fact: f.PhaseBegan) -> str:
    """A phase begins, for the hosts."""
    words = {
        "finished": "the match is over",
        "deciding": "the match waits for what is still to be decided",
        BREAK: "a break begins; the next round opens by itself",
    }
    return words.get(fact.phase, f"{fact.phase} begins")


def _began_to_all(state: Any, fact: f.PhaseBegan) -> News:
    if fact.phase == BREAK and fact.ends is not None:
        return ("There is a break now. The next round opens ", When(fact.ends), ".")
    return "The match is over." if fact.phase == "finished" else None


SAYS: Says = {
    f.SeatTaken: Say("season S-6", "{player} takes a seat with {garnets:garnet}"),
    f.AliasAdded: Say(HOST_POWERS, "{alias} now means {player}"),
    f.Committed: Say(
        FAIR,
        "the deal is committed to: commitment {commitment}",
        COURSE,
        public="The deal is committed to: commitment {commitment}. Add words of your own before it.",
    ),
    f.DrawReplaced: Say(
        FAIR, lambda state, fact: REPLACED[fact.what], COURSE, public=lambda state, fact: replaced_in_words(fact.what)
    ),
    f.SeedKept: Say(FAIR, "the seed behind the commitment is kept, for hosts only"),
    f.WordAdded: Say(
        FAIR, "{player} adds words to the deal: {text}", COURSE, public="{player} added words to the deal: {text}"
    ),
    f.WordLate: Say(
        FAIR,
        "the words of {player} came after the deal, and are not in it",
        COURSE,
        public="The words of {player} came after the deal, and are not in it.",
    ),
    f.Moved: Say(
        lambda state, fact: fact.rule,
        _went,
        "garnets",
        lambda state, fact, viewer: (
            f"You {'received' if fact.to == viewer else 'lost'} {count(fact.garnets, 'garnet')}."
        ),
        who=lambda fact: [who for who in (fact.src, fact.to) if who != BANK],
        holds=True,
    ),
    SheetSealed: Say(
        "season S-9, S-G1", partial(sheet_words, lambda fact: ""), OWN, partial(own_sheet, lambda state, fact: "")
    ),
    SheetDropped: Say("season S-9", no_longer, OWN, yours_no_longer),
    LateAdmitted: Say(
        "season S-G1",
        lambda state, fact: (
            f"the late sheet of {state.table.name(fact.player)} counts in {called(fact.round)}"
            + (f": its end was moved (entry {fact.seq})" if fact.by == "end" else "")
        ),
        OWN,
        lambda state, fact, viewer: (
            f"Your late sheet for {called(fact.round)} counts" + (": its end was moved." if fact.by == "end" else ".")
        ),
    ),
    RoundOpened: Say("season S-9", lambda state, fact: f"{called(fact.round)} begins", COURSE, public=_round_opened),
    SubmissionsClosed: Say("season S-9, S-G1", lambda state, fact: f"{called(fact.round)} takes no more sheets"),
    RoundResolved: Say(
        "season S-9",
        lambda state, fact: f"{called(fact.round)} is resolved",
        COURSE,
        public=lambda state, fact: f"{upper(called(fact.round))} is resolved.",
    ),
    f.PhaseBegan: Say("the course of the game", began, COURSE, public=_began_to_all),
    f.PhaseEnded: Say("the course of the game", "{phase} ends: {why}"),
    f.DeadlineMoved: Say(HOST_POWERS, _moved_end, COURSE, public=_new_end),
    f.DecisionOpened: Say(DECIDES, _opened, "tokens", _asked, who=lambda fact: fact.decision.who),
    f.DecisionClosed: Say(DECIDES, lambda state, fact: f"the {fact.decision.noun} is over: {fact.why}"),
    f.Reopened: Say(
        HOST_POWERS, lambda state, fact: f"{'the ' if fact.name in DECISIONS else ''}{fact.name} is open again"
    ),
    f.VoteCast: Say("season S-3", "{voter} votes for {candidate}"),
    f.Abstained: Say("season S-10", "{voter} names nobody, on purpose"),
    f.GiftNamed: Say("season S-2", "{player} wants to give a token to {receiver}"),
    f.ChoiceMade: Say(
        lambda state, fact: "season S-1" if fact.about == OPPONENT else "season: decisions after the end",
        lambda state, fact: (
            f"{state.table.name(fact.player)} chooses {state.table.name(fact.choice)}"
            + (" as the opponent in the Death Match" if fact.about == OPPONENT else "")
        ),
    ),
    f.Paused: Say(HOST_POWERS, "the clock is paused", COURSE, public="The clock is paused."),
    f.Resumed: Say(
        HOST_POWERS,
        lambda state, fact: f"the clock runs again; every end moves by {count(fact.moved // 60_000, 'minute')}",
        COURSE,
        public="The clock runs again; every end moves by the length of the pause.",
    ),
    f.SeatReplaced: Say(
        HOST_POWERS,
        "{name} takes over the seat of {before}",
        COURSE,
        "You take over the seat of {before}. This is all there is to it.",
        "{name} takes over the seat of {before}.",
    ),
    f.PlayerLeft: Say("season S-G3", "{player} has left the match", COURSE, public="{player} has left the match."),
    f.LotDrawn: Say("season S-4, S-G5", "a lot among {among} falls on {outcome}"),
    f.TokenAwarded: Say(
        lambda state, fact: fact.award.rule,
        lambda state, fact: f"{state.table.name(fact.award.player)} wins a Token of Life ({fact.award.why})",
    ),
    f.TokenWithdrawn: Say(
        lambda state, fact: fact.award.rule,
        lambda state, fact: (
            f"{state.table.name(fact.award.player)} no longer wins the token for {fact.award.condition}"
        ),
    ),
    f.GiftMade: Say("season S-2", "{player} gives a Token of Life to {receiver}"),
    f.GiftReturned: Say("season S-2", "the gift of {player} to {receiver} no longer counts"),
    f.TokenLapsed: Say("season S-2", _lapsed),
    f.RewardPaid: Say(
        lambda state, fact: fact.reward.rule,
        lambda state, fact: (
            f"{state.table.name(fact.reward.player)} receives {count(fact.reward.garnets, 'garnet')} "
            f"({fact.reward.why})"
        ),
        "garnets",
        lambda state, fact, viewer: f"You won {count(fact.reward.garnets, 'garnet')}.",
        who=lambda fact: (fact.reward.player,),
    ),
    f.RewardReturned: Say(
        lambda state, fact: fact.reward.rule,
        lambda state, fact: (
            f"{state.table.name(fact.reward.player)} gives {count(fact.reward.garnets, 'garnet')} back: "
            "the result is another"
        ),
    ),
    f.TokensGranted: Say(HOST_POWERS, _granted),
    f.TokensSettled: Say(
        HOST_POWERS,
        lambda state, fact: (
            f"{state.table.name(fact.player)} has {count(abs(fact.tokens), 'token')} "
            f"{'more' if fact.tokens > 0 else 'fewer'} by what hosts declared or took"
        ),
    ),
    f.Declared: Say(
        HOST_POWERS,
        _declared,
        lambda state, fact: declared_line(state.table.settings["visibility"], fact.kind) or COURSE,
        public=lambda state, fact: f"{upper(_declared(state, fact))}." if _ended(state) else None,
        who=lambda fact: fact.players,
    ),
    f.ReasonTold: Say(
        HOST_POWERS,
        "the reason: {text}",
        _reason_line,
        public=lambda state, fact: f"The hosts' reason: {fact.text}" if not fact.private and _ended(state) else None,
    ),
    f.VotesWeighed: Say("season S-4", _weighed),
    f.EliminationFound: Say("the end of the game", _found),
    f.WinnersFound: Say("the end of the game", _won),
    f.ResultChanged: Say(
        HOST_POWERS,
        _changed,
        _changed_line,
        _changed_own,
        lambda state, fact: f"A correction: {_changed(state, fact)}.",
        who=lambda fact: dict.fromkeys(p for p, _ in (*fact.was, *fact.now)),
    ),
    f.SettingAmended: Say("season S-11", lambda state, fact: f"{fact.key} is now {in_words(fact.value)}"),
    f.ChoicesCleared: Say(HOST_POWERS, "votes, gifts and lots of the former end count no more"),
    f.FieldSet: Say(HOST_POWERS, _set, holds=True),
    f.Remarked: Say(HOST_POWERS, _remarked),
}
"""A row for each fact of the table and of sealed rounds."""
