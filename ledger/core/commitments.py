"""The commitment and words published before a deal, and whether the deal follows them.

A host who could choose among commitments, words or deals after seeing them could choose the cards. So the entries
recorded first count, struck or not: the first commitment, every word before the deal, the first deal drawn. A deal
names them by the hashes of their lines. Anything else is a replacement: players are told at once, and it stays a
finding until a ruling names it. Source: docs/decisions/0032.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

from events import Body, Entry, Finding
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Published
from games.kinds import grouped
from games.kit.luck import commitment, mix
from games.table.actions import MOMENTARY
from ledger.core.effective import Index, Marks, marks

# ---- the entries about a deal ----------------------------------------------------------------------------------------

DEAL_VERBS = frozenset({"commit", "seed", "word", "hand", "deal", "join", "replace"})


def draw_of(do: str, args: Mapping[str, Any]) -> str:
    """The name of an entry's draw, if a commitment can fix it: `deal` or `draw:LABEL`; "" for other entries."""
    if do == "deal":
        return "deal"
    source = args.get("draw")
    label = source.get("label") if isinstance(source, Mapping) else None
    return f"draw:{label}" if isinstance(label, str) else ""


def draws_alone(do: str, args: Mapping[str, Any]) -> bool:
    return "seed" in args and do != "seed"


def same_draw(body: Body, other: Body) -> bool:
    """Whether two entries draw the same thing: same verb, round and kind of card, and for a lot overlapping players."""
    if any(body.args.get(name) != other.args.get(name) for name in ("round", "item")) or body.do != other.do:
        return False
    among, others = body.args.get("among"), other.args.get("among")
    return not isinstance(among, list) or not isinstance(others, list) or not {*among}.isdisjoint(others)


def fixes(commit: Entry, source: Mapping[str, Any], newcomers: frozenset[str]) -> bool:
    """Whether the commitment fixes the draw from this source, given these newcomers."""
    return Published("", b"", (), (), "", draws=digests(commit), newcomers=newcomers).fixes(source)


def digests(commit: Entry) -> frozenset[str]:
    listed = commit.body.args.get("draws")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def typed_in(deal: Entry) -> bool:
    args = deal.body.args
    return args.get("method") == "typed" or ("drawn" in args and not args.get("seed") and not args.get("commitment"))


def word_lines(args: Mapping[str, Any]) -> list[str]:
    words = args.get("words")
    return [str(line) for line in words] if isinstance(words, list) else []


def _last_args(said: Marks, seq: int) -> Mapping[str, Any]:
    last = [amend.body.args.get("args") for amend in said.amended.get(seq, ())][-1:]
    return last[0] if last and isinstance(last[0], Mapping) else {}


class Record:
    def __init__(self, game_id: str, entries: Iterable[Entry], common: Mapping[int, Any], layout: Index) -> None:
        self.game_id, self.layout, self.common = game_id, layout, common
        self.entries = sorted(entries, key=lambda entry: layout.place(entry.seq))
        self.by_line = {self.line(entry): entry for entry in self.entries}
        self.by_line |= {line: e for e in self.entries for _, line in layout.also.get(e.seq, ())}
        self.commits = [entry for entry in self.entries if entry.body.do == "commit"]

    def line(self, entry: Entry) -> str:
        """The hash of the line where the entry was recorded first."""
        return self.layout.first_line(entry)

    def current(self, struck: Collection[int]) -> Entry:
        return next((entry for entry in self.commits if entry.seq not in struck), self.commits[0])

    def words_since(self, start: Entry, until: Entry | None = None) -> list[Entry]:
        place = self.layout.place
        words = [e for e in self.entries if e.body.do == "word" and place(e.seq) > place(start.seq)]
        return words if until is None else [e for e in words if place(e.seq) < place(until.seq)]

    def draws(self, start: Entry) -> list[Entry]:
        place = self.layout.place
        return [e for e in self.entries if draw_of(e.body.do, e.body.args) and place(e.seq) > place(start.seq)]

    def newcomers(self, commit: Entry, until: Entry | None = None) -> frozenset[str]:
        """Players whose seat is taken by different people at the commitment and at `until` (default: now)."""
        return frozenset(player for player, _ in self._replaced_by(commit) ^ self._replaced_by(until))

    def _replaced_by(self, until: Entry | None) -> frozenset[tuple[str, str]]:
        """(player, name of who took over their seat) for each `replace` recorded before `until` and in effect there."""
        place = self.layout.place
        end = (math.inf, "") if until is None else place(until.seq)
        if not (found := [e for e in self.entries if e.body.do == "replace" and place(e.seq) < end]):
            return frozenset()
        said = marks(self.layout._replace(about=[entry for entry in self.layout.about if place(entry.seq) < end]))
        amends = ({**e.body.args, **_last_args(said, e.seq)} for e in found if e.seq not in said.struck)
        return frozenset((str(args.get("player")), str(args.get("name"))) for args in amends)

    def amended(self, amends: Mapping[int, Sequence[Entry]]) -> Iterator[Entry]:
        """Entries that were drawn from their own seed, and whose last amend no longer gives that seed."""
        for entry in self.entries:
            if draws_alone(entry.body.do, entry.body.args) and entry.seq in amends:
                args = amends[entry.seq][-1].body.args.get("args", entry.body.args)
                if not isinstance(args, Mapping) or args.get("seed") != entry.body.args["seed"]:
                    yield entry

    def drawn_again(self, struck: Collection[int], accepted: Callable[[int], bool]) -> Iterator[tuple[Entry, Entry]]:
        """(entry, before) for each draw that was undone and repeated: the entry that counts, and the first undone."""
        undone: list[Entry] = []
        for entry in self.entries:
            if entry.seq in struck:
                undone += [entry] if draws_alone(entry.body.do, entry.body.args) else []
            elif accepted(entry.seq) and (before := [e for e in undone if same_draw(e.body, entry.body)]):
                yield entry, before[0]
                undone = [e for e in undone if e not in before]

    def seed(self, commit: Entry) -> bytes | None:
        digest = commit.body.args.get("commitment")
        for entry in self.entries:
            seed_hex = entry.body.args.get("seed")
            if entry.body.do == "seed" and isinstance(seed_hex, str):
                with suppress(ValueError):
                    seed = bytes.fromhex(seed_hex)
                    if commitment(self.game_id, seed) == digest:
                        return seed
        return None

    def commitment_of(self, deal: Entry) -> Entry | None:
        entry = self.by_line.get(str(deal.body.args.get("commitment")))
        return entry if entry is not None and entry.body.do == "commit" else None

    def words_of(self, deal: Entry) -> list[Entry]:
        entries = (self.by_line.get(line) for line in word_lines(deal.body.args))
        return [entry for entry in entries if entry is not None and entry.body.do == "word"]

    def fault_of(self, deal: Entry, first: Entry, commit: Entry | None, marks: Marks) -> str:
        """Why a deal is not the one that `commit` fixed, or ""."""
        if typed_in(deal):
            return "was typed in, although there was a commitment to a seed"
        if commit is None:
            return "was drawn from another seed than that of the commitment"
        source = deal.body.args.get("draw")
        if not isinstance(source, Mapping) or not fixes(commit, source, self.newcomers(commit, deal)):
            return "was drawn from something or for somebody newer than the commitment"
        last_args = [amend.body.args.get("args") for amend in marks.amended.get(deal.seq, ())][-1:]
        if any(isinstance(args, Mapping) and args.get("drawn") != deal.body.args.get("drawn") for args in last_args):
            return "was amended to something other than what was drawn"
        words, expected = self.words_of(deal), self.known_words(deal, commit)
        closed = next(draw for draw in self.draws(commit) if self.commitment_of(draw) is commit)
        other = draw_of(closed.body.do, closed.body.args) != draw_of(deal.body.do, deal.body.args)
        if other and deal.seq not in self.layout.joined:
            if words != self.words_of(closed):
                return f"was drawn with other words than entry {closed.seq} before it"
            expected = words
        if missing := [word for word in expected if word not in words]:
            return f"was drawn without the words of entry {missing[0].seq}, which were added before it"
        if words != [word for word in self.words_since(commit) if word in words]:
            return "was drawn with the words in another order than they were added in"
        if deal is not first and self._cards(deal) != self._cards(first):
            return f"gives other cards than that of entry {first.seq} before it"
        return ""

    def known_words(self, deal: Entry, commit: Entry) -> list[Entry]:
        """The words that were known in the copy of the log where a deal was made.

        For a deal from another copy: the words in lines that both copies share, and those that the same `join` brought.
        """
        words = [word for word in self.words_since(commit) if word.seq < deal.seq]
        if deal.seq not in self.layout.joined:
            return words
        brought, common = deal.body.joined, self.common.get(deal.body.joined or 0)
        common_lines = common if isinstance(common, int) else 0
        return [word for word in words if word.seq <= common_lines or word.body.joined == brought]

    def _cards(self, deal: Entry) -> list[tuple[str, Any]]:
        if deal.body.do != "deal":
            return [("", deal.body.args.get("drawn"))]
        hands = (e for e in self.entries if e.body.do == "hand" and e.body.batch == deal.body.batch is not None)
        return sorted((str(e.body.args.get("player")), e.body.args.get("cards")) for e in hands)

    def word_remarks(self, deal: Entry, marks: Marks) -> Iterator[str]:
        """Sentences that tell a reader what to know about the words of a deal."""
        commit = self.commitment_of(deal)
        if words := self.words_of(deal):
            yield f"words in the deal: entr{'y' if len(words) == 1 else 'ies'} {', '.join(str(w.seq) for w in words)}"
        for word in self.words_since(commit) if commit is not None else ():
            if word not in words:
                yield f"the words of entry {word.seq} came after the deal and are not in it"
            elif word.seq in marks.struck:
                yield f"the words of entry {word.seq} were undone after they were recorded, so they are in the deal"
            elif word.seq in marks.amended:
                yield (
                    f"the words of entry {word.seq} were amended; the deal goes by the words that were recorded first"
                )
        if commit is not None and commit.seq in marks.struck:
            yield f"the commitment of entry {commit.seq} was undone after it was recorded, so the deal goes by it"

    def moved_findings(self, first: Entry, marks: Marks) -> Iterator[Finding]:
        for entry in self.entries:
            body = entry.body
            after = self.layout.place(entry.seq) >= self.layout.place(first.seq)
            if body.do not in MOMENTARY and not (after and draw_of(body.do, body.args)):
                continue
            amends = marks.amended.get(entry.seq, ())
            shifted = body.at != body.recorded and entry.seq not in self.layout.joined
            if shifted or (amends and "at" in amends[-1].body.args):
                message = f"entry {entry.seq} ({body.do}) counts at another time than it was recorded"
                yield Finding(entry.seq, "draw.moved", message)


class Replaced(NamedTuple):
    """An entry that replaces a commitment or a deal that was published first."""

    seq: int
    kind: str
    what: str
    at: Instant
    ruled: bool
    """Whether a ruling in effect names it, or another entry of its batch."""


class Judgement(NamedTuple):
    replaced: tuple[Replaced, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Entries that an unmodified host-ledger never writes."""
    remarks: tuple[str, ...] = ()
    """Sentences that a reader should know although they are not findings."""


class Deals:
    """The entries of a log that commit to a deal, add words to it or make it, including struck ones."""

    def __init__(self, game_id: str = "", entries: Iterable[Entry] = ()) -> None:
        self.game_id = game_id
        self.entries: list[Entry] = []
        self.common: dict[int, Any] = {}
        """First line of a join -> the number of lines that the other copy shared with this one."""
        self.drawing: set[str] = set()
        """The verbs that have drawn from their own seed: a later entry with a typed outcome may replace such a draw."""
        for entry in entries:
            self.keep(entry)

    def keep(self, entry: Entry) -> None:
        """Keep an entry if it is about draws, or could replace a draw. Call it in the order of the log."""
        do, args = entry.body.do, entry.body.args
        if do == "join":
            self.common[entry.body.batch or entry.seq] = args.get("common")
            return
        if draws_alone(do, args):
            self.drawing.add(do)
        if do in DEAL_VERBS or do in self.drawing or draw_of(do, args):
            self.entries.append(entry)

    def again(self, layout: Index, struck: Collection[int], do: str, args: dict[str, Any]) -> str | None:
        """The line of the undone draw that an entry recorded now would repeat; None if no such draw was undone."""
        record = Record(self.game_id, self.entries, self.common, layout)
        added = Entry(len(layout.batches) + 1, "", Body(do, Instant(0), "", Instant(0), args))
        record.entries.append(added)
        pairs = record.drawn_again(struck, lambda seq: True)
        return next((record.line(before) for entry, before in pairs if entry is added), None)

    def published(self, layout: Index, struck: Collection[int]) -> Published | None:
        """The commitment and words that fix a deal drawn now; None without a commitment whose seed can be read.

        The first commitment that is not struck counts, with all words recorded after it. Once a deal was drawn from
        it, exactly the words of that deal count.
        """
        record = Record(self.game_id, self.entries, self.common, layout)
        if not record.commits:
            return None
        first, current = record.commits[0], record.current(struck)
        if (seed := record.seed(current)) is None:
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
            draws=digests(current),
            newcomers=record.newcomers(current),
            dealt={draw: record.line(entry) for draw, entry in first_deals.items()},
            closed=bool(later),
            repeats=frozenset(draw for draw, entry in _first_by_draw(drawn).items() if entry is first_deals[draw]),
        )

    def key(self, layout: Index, args: Mapping[str, Any]) -> bytes | None:
        """The key that a deal with these arguments was drawn with; None if the log lacks a line that it names."""
        record = Record(self.game_id, self.entries, self.common, layout)
        commit = record.by_line.get(str(args.get("commitment")))
        words = [record.by_line.get(line) for line in word_lines(args)]
        seed = record.seed(commit) if commit is not None and commit.body.do == "commit" else None
        if seed is None or any(word is None or word.body.do != "word" for word in words):
            return None
        return mix(seed, [_player_and_text(word) for word in words if word is not None])

    def judged(self, layout: Index, marks: Marks, accepted: Callable[[int], bool], ruled: Set[object]) -> Judgement:
        """Judge whether the deal follows the commitment and words published first.

        Args:
            accepted: Tells whether an entry is live and was accepted by the rules.
            ruled: The entries that a ruling in effect is about.
        """
        record = Record(self.game_id, self.entries, self.common, layout)
        replaced: dict[int, tuple[str, str]] = {}
        for entry in record.amended(marks.amended):
            if accepted(entry.seq):
                message = f"the {entry.body.do} of entry {entry.seq} was amended to something other than what was drawn"
                replaced[entry.seq] = "again", message
        for entry, before in record.drawn_again(marks.struck, accepted):
            message = f"the {before.body.do} of entry {before.seq} was undone, and entry {entry.seq} drew again"
            replaced[entry.seq] = "again", message
        if not record.commits:
            return self._judgement(layout, replaced, ruled)
        first, current = record.commits[0], record.current(marks.struck)
        if current is not first:
            message = f"the commitment of entry {current.seq} replaces that of entry {first.seq}"
            replaced[current.seq] = "commitment", message
        remarks: list[str] = []
        draws = record.draws(first)
        for draw, before in _first_by_draw(draws).items():
            same_draws = [entry for entry in draws if draw_of(entry.body.do, entry.body.args) == draw]
            same_draws.sort(key=lambda entry: (entry.body.at, layout.place(entry.seq)))  # as they fold
            deal = next((entry for entry in same_draws if accepted(entry.seq)), None)
            noun = f"the {before.body.do} of entry"
            if deal is None:
                remarks.append(f"{noun} {before.seq} was undone")
                continue
            named_commit = record.commitment_of(deal)
            if named_commit is not None and named_commit is not first and named_commit is not current:
                message = f"the {deal.body.do} goes by the commitment of entry {named_commit.seq}, not by the first one"
                replaced[named_commit.seq] = "commitment", message
            if fault := record.fault_of(deal, before, named_commit, marks):
                alone = deal.body.args.get("seed") is not None
                kind = "cards" if typed_in(deal) else "newer" if alone else "deal"
                replaced[deal.seq] = kind, f"{noun} {deal.seq} {fault}"
            elif deal is not before:
                remarks.append(f"{noun} {before.seq} was undone and made again with the same cards")
            remarks += record.word_remarks(deal, marks)
        judgement = self._judgement(layout, replaced, ruled)
        moved = tuple(record.moved_findings(first, marks))
        return judgement._replace(findings=moved, remarks=tuple(dict.fromkeys(remarks)))

    def _judgement(self, layout: Index, replaced: Mapping[int, tuple[str, str]], ruled: Set[object]) -> Judgement:
        at = {entry.seq: entry.body.at for entry in self.entries}
        settled = {seq for seq in replaced if not set(layout.batch(seq)).isdisjoint(ruled)}
        rows = (Replaced(seq, *row, at[seq], seq in settled) for seq, row in sorted(replaced.items()))
        return Judgement(tuple(rows))


def _player_and_text(word: Entry) -> tuple[str, str]:
    return str(word.body.args.get("player")), str(word.body.args.get("text"))


def _first_by_draw(draws: Iterable[Entry]) -> dict[str, Entry]:
    by_draw = grouped((draw_of(entry.body.do, entry.body.args), entry) for entry in draws)
    return {draw: entries[0] for draw, entries in by_draw.items()}
