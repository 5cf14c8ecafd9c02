"""Why: the chain of entries and numbered rules behind an entry, a player's cards and garnets, or the result."""

from __future__ import annotations

from typing import Any

from events import write_instant
from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import Fact
from games.records import is_record, snake
from games.table import facts as told
from ledger.listing import outcome_of
from ledger.match import Match
from ledger.replay import BEFORE_ALL, Outcome
from ledger.times import show_clock

RESULT = (
    told.TokenAwarded, told.TokenWithdrawn, told.GiftMade, told.GiftReturned, told.TokenLapsed, told.TokensGranted,
    told.RewardPaid, told.RewardReturned, told.ChoiceMade, told.VoteCast, told.Abstained, told.LotDrawn,
    told.EliminationFound, told.PhaseEnded, told.DecisionOpened, told.DecisionClosed,
)  # fmt: skip
"""The facts that the result of a match consists of."""


class Link(NamedTuple):
    """One fact of the chain."""

    seq: int
    at: int
    fact: str
    text: str
    rule: str

    def line(self, zone: str) -> str:
        return f"#{self.seq:<4} {show_clock(self.at, zone)}  {self.text} [{self.rule}]"

    def as_json(self) -> dict[str, Any]:
        at = write_instant(self.at)
        return {"seq": self.seq, "at": at, "fact": self.fact, "text": self.text, "rule": self.rule}


def chain(match: Match, what: str) -> list[Link]:
    """What is behind an entry number, a player, `final`, or any one word that a fact holds, like a card.

    Raises:
        Unreadable: `entry.unknown`, `player.unknown`.
    """
    word = what.removeprefix("#")
    if word.isdigit() and word.isascii() and len(word) < 10:
        match.check_entry(int(word))
        outcome = outcome_of(match, int(word))
        return [link for link in _links(match, [outcome] if outcome else [])]
    links = _links(match, match.fold.outcomes)
    if word == "final":
        wanted = {snake(cls) for cls in RESULT}
        return [link for link in links if link.fact in wanted]
    try:
        return _concerning(match, match.table.directory().find(what))
    except Unreadable:
        if found := _concerning(match, what):
            return found
        raise


def _concerning(match: Match, word: str) -> list[Link]:
    return [
        link
        for outcome in match.fold.outcomes
        for fact, link in zip(outcome.facts, _links(match, [outcome]), strict=False)
        if concerns(fact, word)
    ]


def concerns(value: Fact, word: str) -> bool:
    """Does a fact name the player, or hold that word, anywhere in it?"""
    if isinstance(value, str):
        return value.casefold() == word.casefold()
    if is_record(value) or isinstance(value, tuple):
        return any(concerns(item, word) for item in value)
    return False


def _links(match: Match, outcomes: Any) -> list[Link]:
    found = []
    listed: list[Outcome] = list(outcomes)
    began = match.book.entries[0].body.at

    def shown(at: int) -> int:
        return began if at == BEFORE_ALL else at

    for outcome in listed:
        seq, refusal = outcome.live.seq, outcome.refusal
        for fact, happened in zip(outcome.facts, outcome.times, strict=True):
            reason = match.game.explain(match.fold.state, fact)
            found.append(Link(seq, shown(happened), snake(type(fact)), reason.text, reason.rule))
        if refusal is not None:
            found.append(Link(seq, shown(outcome.live.at), "contested", refusal.what, refusal.code))
    return found
