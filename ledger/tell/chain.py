"""An explanation: how things stand, and the chain of facts behind it; as lines to be pasted as an answer, and as JSON.

Belongs here: how a chain looks. Does not belong here: which facts are in it (explain.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from events import write_instant
from events.record import NamedTuple
from ledger.core.match import Match
from ledger.core.times import crowded, show_clock
from ledger.render.safe import PlainText, filled, joined, without_pings

GROUPS = {
    "garnets": "Garnets",
    "tokens": "Tokens of Life",
    "elimination": "Elimination Candidate",
    "decisions": "Decisions",
    "phases": "How it went on",
    "play": "In the game",
    "around": "Around it",
}
"""What a fact is about -> the heading in a text, in their order."""


class Link(NamedTuple):
    """One fact of a chain."""

    seq: int
    at: int
    fact: str
    text: str
    rule: str
    about: str = ""
    """One of `GROUPS` where the chain is sorted by them; otherwise empty."""
    player: str = ""
    """Whose account it is, for garnets and tokens."""
    change: int = 0
    now: int | None = None
    """What that account holds after it."""

    def line(self, zone: str, *, seconds: bool = False) -> PlainText:
        return _line(f"#{self.seq:<4} {show_clock(self.at, zone, seconds=seconds)}  {self.text} [{self.rule}]")

    def as_json(self) -> dict[str, Any]:
        """Source: docs/json.md, explain."""
        at = write_instant(self.at)
        entry: dict[str, Any] = {"seq": self.seq, "at": at, "fact": self.fact, "text": self.text, "rule": self.rule}
        entry |= {"about": self.about} if self.about else {}
        if self.now is not None:
            entry |= {"player": self.player, "change": self.change, "now": self.now}
        return entry


class Why(NamedTuple):
    """An explanation: how things stand, and the chain behind it."""

    stands: tuple[str, ...]
    """Sentences that say how things stand now."""
    chain: tuple[Link, ...]

    def lines(self, match: Match) -> list[PlainText]:
        """To be pasted as an answer: grouped by what the facts are about, each group in the order of events."""
        lines = [_line(sentence) for sentence in self.stands]
        zone, seconds = match.zone, crowded(link.at for link in self.chain)
        groups = dict.fromkeys(link.about for link in self.chain)
        if list(groups) in ([], [""]):
            return [*lines, *(link.line(zone, seconds=seconds) for link in self.chain)]
        several = len({link.player for link in self.chain if link.player}) > 1
        for group in (name for name in GROUPS if name in groups):
            links = [link for link in self.chain if link.about == group]
            if group == "garnets" and not any(link.now for link in links):
                continue  # nobody ever held one: a game may have none
            lines += [*([_line("")] if lines else []), _line(f"{GROUPS[group]}:")]
            purses = several and group == "garnets"
            lines += _purse_lines(match, links) if purses else _fact_lines(match, links, several)
        return lines


def _line(text: str) -> PlainText:
    return without_pings(text.replace("\n", " "))


def _purse_lines(match: Match, links: Sequence[Link]) -> Iterator[PlainText]:
    """A line for each purse: `Ann 2: +1 (#2), +1 (#22), -1 (#54), +1 (#62)`."""
    for player in match.table.players:
        own_links = [link for link in links if link.player == player]
        steps: PlainText = joined((filled("{:+} (#{})", link.change, link.seq) for link in own_links), ", ")
        if own_links:
            yield filled("  {} {}: {}", _line(match.table.name(player)), own_links[-1].now or 0, steps)


def _fact_lines(match: Match, links: Sequence[Link], several: bool) -> Iterator[PlainText]:
    """A line for each fact, with the balances of the accounts that it changed."""
    seconds = crowded(link.at for link in links)
    for _, group in groupby(links, key=lambda link: (link.seq, link.text)):
        accounts = list(group)
        line = accounts[0].line(match.zone, seconds=seconds)
        balances = [(_line(match.table.name(link.player)), link.now) for link in accounts if link.now is not None]
        if not balances:
            yield filled("  {}", line)
        elif several:
            yield filled("  {} = {}", line, joined((filled("{} {}", name, now) for name, now in balances), ", "))
        else:
            yield filled("  {} = {}", line, balances[0][1])
