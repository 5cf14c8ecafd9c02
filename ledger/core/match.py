"""A match on disk: its log in memory, its game and its present state. Every verb begins here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy

from events import Body, Damaged, Entry, Line, LogFile, Mark, NotCanonical, Reading, Unreadable, read_bodies
from events.instants import write_instant
from games.contract import Action, Fact, Game, Published, Reason, ReportContext, State
from games.kinds import ParseContext, shown
from games.records import args_of, fields, kebab
from games.table import Table, actions as shared
from games.table.facts import DeadlineMoved
from games.table.rounds import LateAdmitted, all_rounds
from games.table.view import frame
from ledger.core.clock import now_ms
from ledger.core.commitments import Deals, Judgement
from ledger.core.effective import EffectiveEntry
from ledger.core.logs import open_log
from ledger.core.outside import load
from ledger.core.replay import FORMAT, Fold, Remembering, fold, ruled_on
from ledger.core.times import read_end, read_time, show_time


class Book:
    """The entries of one log. With `local`, only the lines on this machine are read, even for a shared match."""

    def __init__(self, path: str, *, local: bool = False) -> None:
        self.log = LogFile(path) if local else open_log(path)
        self.entries: list[Entry] = []
        self.mark: Mark | None = None
        self.notes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return self.log.path

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    @property
    def game_id(self) -> str:
        return self.entries[0].hash

    def refresh(self) -> None:
        """Read the new lines, without a lock.

        Raises:
            Damaged, Unreadable: the log does not verify or does not exist; `log.redacted`, it has closed lines.
        """
        self.take(self.log.read(self.mark))

    def take(self, reading: Reading) -> None:
        if reading.whole:
            self.entries = []
        self.entries.extend(entries_of(reading.lines))
        self.mark, self.notes = reading.mark, reading.notes

    def appended(self, lines: list[Line], bodies: Iterable[Body], mark: Mark) -> None:
        self.entries.extend(Entry(line.seq, line.hash, body) for line, body in zip(lines, bodies, strict=True))
        self.mark = mark


def entries_of(lines: Sequence[Line]) -> Iterator[Entry]:
    """The entries of these lines.

    Raises:
        Damaged: `log.not_canonical`, with the line. Unreadable: `log.redacted`, a line is closed; `log.newer`, line 1
            names a format that this release does not know.
    """
    for first in range(0, len(lines), 512):
        some = lines[first : first + 512]
        bodies = read_bodies([line.body for line in some if line.body is not None])
        for line in some:
            if line.body is None:
                message = f"this log is redacted (line {line.seq} is closed), so it can only be verified"
                raise Unreadable("log.redacted", message, "hl verify")
            try:
                body = next(bodies)
            except NotCanonical as error:
                message = f"line {line.seq} is not as host-ledger writes it: {error}"
                raise Damaged("log.not_canonical", message, "hl verify", line=line.seq) from None
            version = body.args.get("format") if line.seq == 1 else None
            if isinstance(version, int) and version > FORMAT:
                message = f"this log is of format {version}, and this release reads format {FORMAT}"
                fix = "install a newer host-ledger; hl verify still finds every changed line"
                raise Unreadable("log.newer", message, fix)
            yield Entry(line.seq, line.hash, body)


class Match:
    """An open match: its log in memory, and its fold, computed when first asked for."""

    def __init__(self, path: str, *, local: bool = False) -> None:
        self.book = Book(path, local=local)
        self.book.refresh()
        self._prepare()

    def _prepare(self) -> None:
        create = self.book.entries[0].body
        name = create.args.get("game")
        if create.do != "create" or not isinstance(name, str):
            raise Unreadable("log.no_create", "line 1 does not create a match", "hl verify")
        self.game: Game = load(name, create.args.get("package"))
        self.engine = Remembering(self.game)
        self._fold: Fold | None = None
        self._folded = 0

    @property
    def fold(self) -> Fold:
        if self._fold is None or self._folded != len(self.book.entries):
            self._fold, self._folded = fold(self.engine, self.book.entries), len(self.book.entries)
        return self._fold

    def with_bodies(self, bodies: Sequence[Body]) -> Match:
        first = len(self.book.entries) + 1
        return self._copy([*self.book.entries, *(Entry(seq, "", body) for seq, body in enumerate(bodies, first))])

    def supposing(self, *actions: Action) -> Match:
        """The match as it would be if these had been recorded right after the last entry, and as that one was."""
        last = self.book.entries[-1].body
        return self.with_bodies([last._replace(do=kebab(type(a)), args=args_of(a), batch=None) for a in actions])

    @classmethod
    def of(cls, path: str, entries: Sequence[Entry]) -> Match:
        """The match of these entries, which the caller has read and checked; the file is not read."""
        match = cls.__new__(cls)
        match.book = Book(path, local=True)
        match.book.entries = list(entries)
        match._prepare()
        return match

    def _copy(self, entries: list[Entry]) -> Match:
        match = copy(self)
        match.book = copy(self.book)
        match.book.entries = entries
        return match

    def as_known(self, seq: int) -> Match:
        return self._copy(self.book.entries[:seq])

    def at(self, point: Fold) -> Match:
        match = self._copy(self.book.entries)
        match.adopt(point)
        return match

    def adopt(self, point: Fold) -> None:
        """Use a fold that was computed for exactly the entries now in memory."""
        self._fold, self._folded = point, len(self.book.entries)

    def deals(self) -> Deals:
        return Deals(self.book.game_id, self.book.entries)

    def judged(self) -> Judgement:
        outcomes = self.fold.outcomes
        accepted = {o.entry.seq for o in outcomes if o.refusal is None}
        return self.deals().judged(self.fold.layout, self.fold.marks, accepted.__contains__, ruled_on(outcomes))

    def published(self) -> Published | None:
        return self.deals().published(self.fold.layout, self.fold.marks.struck)

    def refresh(self) -> None:
        self.book.refresh()

    @property
    def table(self) -> Table:
        table: Table = self.fold.state.table
        return table

    @property
    def zone(self) -> str:
        return self.table.zone

    def explain(self, state: State, fact: Fact) -> Reason:
        """A fact in words for the hosts, and its rule. A moved end is shown in the zone of the match; a late sheet that
        was let in, with what counts in its place, also where its round is long over."""
        on = state.table.round
        if isinstance(fact, LateAdmitted) and (on is None or on.name != fact.round):
            every = all_rounds(self.fold.facts)
            state = state._replace(table=state.table._replace(last=every[fact.round]))
        reason = self.game.explain(state, fact)
        if isinstance(fact, DeadlineMoved) and fact.ends is not None:
            return reason._replace(text=f"the end is moved to {show_time(fact.ends, self.zone)}")
        return reason

    def frame(self, state: State, viewer: str) -> ReportContext:
        return frame(state.table, self.game.title, viewer)

    def desk(self, now: int, zone: str | None = None) -> ParseContext:
        """The context for reading typed words: the players of this match, and times in its zone from `now` (ms) on."""
        zone = zone or self.zone
        return ParseContext(
            self.table.directory(),
            lambda typed: write_instant(read_time(typed, now=now, zone=zone, future=True)),
            lambda typed: read_end(typed, now=now, zone=zone, present=now_ms()),
        )

    def host(self, typed: str | None, env: Mapping[str, str] = os.environ) -> str:
        """The host who records: `--as`, `$HL_AS`, or the only host of the match.

        Raises:
            Unreadable: `host.unknown` or `host.unnamed`.
        """
        hosts = self.table.hosts
        if name := typed or env.get("HL_AS"):
            if name.lower() in hosts:
                return name.lower()
            raise Unreadable("host.unknown", f"{shown(name)} is no host of this match", f"one of: {' '.join(hosts)}")
        if len(hosts) == 1:
            return hosts[0]
        raise Unreadable("host.unnamed", "this match has several hosts; say who you are", f"hl --as {hosts[0]} ...")

    def viewer(self, typed: str) -> str:
        name = typed.strip().lower()
        return name if name in ("host", "public") else self.table.directory().find(typed)

    def fold_until(self, until: Callable[[EffectiveEntry], bool]) -> Fold:
        return fold(self.engine, self.book.entries, until)

    def file_rows(self) -> Mapping[str, str]:
        """What the match file defines: name -> its table there; empty for a game without such a file."""
        settings, tables = self.table.settings, self.game.written.tables if self.game.written else ()
        return {name: table for table in tables for name in settings.get(table) or ()}

    def file_words(self, live: EffectiveEntry) -> tuple[Mapping[str, str], str]:
        """The words that an entry gives to a verb or sheet of the match file, by their names there, and the name of the
        field that holds them; empty for other entries."""
        for spoken in self.game.written.spoken(self.fold.state).values() if self.game.written else ():
            *places, last = [field.name for field in fields(spoken.action) if field.in_place]
            first = tuple(live.args.get(name) for name in places[: len(spoken.first)])
            words = live.args.get(last) or ()
            is_same_verb = self.engine.actions.get(live.do) is spoken.action and first == spoken.first
            if is_same_verb and len(words) == len(spoken.fields):
                return dict(zip(spoken.fields, words, strict=True)), last
        return {}, ""

    def check_entry(self, seq: int) -> None:
        last = len(self.book.entries)
        if not 1 <= seq <= last:
            raise Unreadable("entry.unknown", f"there is no entry {seq}; the last one is {last}", "hl log")

    def can_be_struck(self, entry: Entry) -> bool:
        """Whether the entry can be undone. All can, except those of `new` and some meta entries."""
        fixed = entry.body.do in shared.META_VERBS and entry.body.do not in shared.STRIKABLE
        return not (fixed or self.fold.layout.is_setup(entry.seq))
