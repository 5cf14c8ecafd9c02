"""The commitment and words published before a deal, and whether the deal follows them.

A host who could choose among commitments, words or deals after seeing them could choose the cards. So the entries that
were recorded first count, struck or not: the first commitment, every word before the deal, the first deal drawn. A deal
names them by the hashes of their lines; anything else is a replacement: players are told at once, and it stays a
finding until a ruling names it. Source: docs/decisions/0032.

Belongs here: reading this from the entries. Does not belong here: drawing (games/kit/luck.py), repeating a draw
(draws.py), what a result shows of it (fairness.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from events import Body, Entry, Finding
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Published
from games.kit.luck import mix
from ledger.core.deal_record import DEAL_VERBS, Record, draw_of, typed_in, word_lines
from ledger.core.layout import Index
from ledger.core.live import Marks


def keeps(body: Body) -> bool:
    """Is it an entry that `Deals` keeps?"""
    return body.do in DEAL_VERBS or draw_of(body) != ""


class Replaced(NamedTuple):
    """An entry that replaces a commitment or a deal that was published first."""

    seq: int
    kind: str
    """`commitment`, `deal` or `cards`, as in the fact `DrawReplaced`."""
    what: str
    at: Instant
    """When, ms."""
    ruled: bool
    """Does a ruling in effect name it, or another entry of its command?"""


class Judgement(NamedTuple):
    """Whether the deal of a match follows its commitment."""

    replaced: tuple[Replaced, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Entries that an unchanged ledger never writes."""
    remarks: tuple[str, ...] = ()
    """Sentences that a reader should know, and that are no findings."""


class Deals:
    """The entries of a log that commit to a deal, add to it or make it: all that were ever recorded, struck or not.

    Args:
        game_id: The hash of line 1; a commitment is bound to it.
    """

    def __init__(self, game_id: str = "", entries: Iterable[Entry] = ()) -> None:
        self.game_id = game_id
        self.entries: list[Entry] = []
        self.common: dict[int, Any] = {}
        """The first line that a join wrote -> how many lines the other copy had in common with this one."""
        for entry in entries:
            self.keep(entry)

    def keep(self, entry: Entry) -> None:
        """Keep an entry, in the order of the log."""
        if entry.body.do == "join":
            self.common[entry.body.batch or entry.seq] = entry.body.args.get("common")
        elif keeps(entry.body):
            self.entries.append(entry)

    def published(self, layout: Index, struck: Collection[int]) -> Published | None:
        """The commitment and words that fix a deal drawn now; None without a commitment whose seed can be read.

        The first commitment counts; another one only where a host took the first back and committed anew. All words
        recorded after it count; once a deal was drawn from it, exactly the words of that deal.
        """
        record = Record(self.game_id, self.entries, self.common, layout)
        if not record.commits:
            return None
        first, current = record.commits[0], record.current(struck)
        seed = record.seed(current)
        if seed is None:
            return None
        deals, later = record.draws(first), record.draws(current)
        drawn = [deal for deal in later if record.commitment_of(deal) is current]
        words = record.words_of(drawn[0]) if drawn else record.words_since(current, until=next(iter(later), None))
        first_deals = _first_by_draw(deals)
        return Published(
            commitment=record.line(current),
            seed=seed,
            words=tuple(_player_and_text(word) for word in words),
            lines=tuple(record.line(word) for word in words),
            first=record.line(first),
            dealt={draw: record.line(entry) for draw, entry in first_deals.items()},
            closed=bool(later),
            repeats=frozenset(draw for draw, entry in _first_by_draw(drawn).items() if entry is first_deals[draw]),
        )

    def key(self, layout: Index, args: Mapping[str, Any]) -> bytes | None:
        """The key that a deal with these arguments was drawn with; None where the log lacks a line that it names."""
        record = Record(self.game_id, self.entries, self.common, layout)
        commit = record.by_line.get(str(args.get("commitment")))
        words = [record.by_line.get(line) for line in word_lines(args)]
        seed = record.seed(commit) if commit is not None and commit.body.do == "commit" else None
        if seed is None or any(word is None or word.body.do != "word" for word in words):
            return None
        return mix(seed, [_player_and_text(word) for word in words if word is not None])

    def judged(self, layout: Index, marks: Marks, accepted: Callable[[int], bool], ruled: Collection[int]) -> Judgement:
        """Whether the deal follows the commitment and words published first.

        Args:
            accepted: Is the entry live, and did the rules take it?
            ruled: The entries that a ruling in effect is about.
        """
        record = Record(self.game_id, self.entries, self.common, layout)
        if not record.commits:
            return Judgement()
        first, current = record.commits[0], record.current(marks.struck)
        replaced: dict[int, tuple[str, str]] = {}
        if current is not first:
            message = f"the commitment of entry {current.seq} replaces that of entry {first.seq}"
            replaced[current.seq] = "commitment", message
        remarks: list[str] = []
        draws = record.draws(first)
        for draw, before in _first_by_draw(draws).items():
            same_draws = [entry for entry in draws if draw_of(entry.body) == draw]
            same_draws.sort(key=lambda entry: (entry.body.at, layout.place(entry.seq)))  # as they fold
            deal = next((entry for entry in same_draws if accepted(entry.seq)), None)
            noun = f"the {before.body.do} of entry"
            if deal is None:
                remarks.append(f"{noun} {before.seq} was undone")
                continue
            named_commit = record.commitment_of(deal)
            if named_commit is not None and named_commit is not first and named_commit is not current:
                message = f"the {deal.body.do} goes by the commitment of entry {named_commit.seq}, and not by the first"
                replaced[named_commit.seq] = "commitment", message
            if fault := record.fault_of(deal, before, named_commit, marks):
                replaced[deal.seq] = "cards" if typed_in(deal) else "deal", f"{noun} {deal.seq} {fault}"
            elif deal is not before:
                remarks.append(f"{noun} {before.seq} was undone, and made again with the same cards")
            remarks += record.word_remarks(deal, marks)
        at = {entry.seq: entry.body.at for entry in self.entries}
        settled = {seq for seq in replaced if not set(layout.batch(seq)).isdisjoint(ruled)}
        rows = (Replaced(seq, *row, at[seq], seq in settled) for seq, row in sorted(replaced.items()))
        return Judgement(tuple(rows), tuple(record.moved_findings(first, marks)), tuple(dict.fromkeys(remarks)))


def _player_and_text(word: Entry) -> tuple[str, str]:
    """(player, text) of a word, as first recorded."""
    return str(word.body.args.get("player")), str(word.body.args.get("text"))


def _first_by_draw(draws: Iterable[Entry]) -> dict[str, Entry]:
    """Name of a draw -> the entry that made it first."""
    first_by_draw: dict[str, Entry] = {}
    for entry in draws:
        first_by_draw.setdefault(draw_of(entry.body), entry)
    return first_by_draw
