"""A match without a disk: its log, its clock, what it knows once and for all, and its commands typed."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import ledger.core.clock
from events import Body, Entry, read_instant
from events.entry import GENESIS, write_body, write_line
from games.contract import Game
from games.records import fields
from games.table import actions as shared
from ledger.cli.app import App
from ledger.cli.carry_out import read_word
from ledger.core.match import Book, Match
from ledger.core.replay import Remembering
from ledger.record.plan import Options
from ledger.render import discord
from tests.secrecy.script import ABOUT


class Paper(Book):
    """The entries of a log in memory: what the recorder needs of a book, and nothing of a disk."""

    path, shared = "on paper", False

    def __init__(self, bodies: Sequence[Body] = ()) -> None:
        self.entries: list[Entry] = []
        self.mark: Any = ()
        self.notes: tuple[str, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self.interrupted = False
        self.log = self.reading = self
        self.appended((), bodies, None)

    @contextlib.contextmanager
    def writing(self, mark: Any) -> Iterator[Paper]:
        yield self

    def take(self, reading: Any) -> None:
        """Nobody else writes here."""

    def refresh(self) -> None:
        """Nobody else writes here."""

    def append(self, bodies: Sequence[Body]) -> Sequence[Body]:
        return bodies

    def appended(self, lines: Any, bodies: Sequence[Body], mark: Any) -> None:
        prev = self.entries[-1].hash if self.entries else ""
        for body in bodies:
            prev = hashlib.sha256(f"{prev}{body}".encode()).hexdigest()
            self.entries.append(Entry(len(self.entries) + 1, prev, body))

    def raw_lines(self, mark: Any) -> Iterator[bytes]:
        """The lines as they would stand in a file, with salts that tell nothing."""
        prev = GENESIS
        for seq, _, body in self.entries:
            raw, prev = write_line(seq, prev, "0" * 32, write_body(body))
            yield raw


class Sheet(Match):
    """A match whose log is on paper."""

    def __init__(self, game: Game, bodies: Sequence[Body]) -> None:
        self.book = Paper(bodies)  # type: ignore[assignment]
        self.game = game
        self.engine = Remembering(game)
        self._fold, self._folded = None, 0

    def copy(self) -> Sheet:
        """The same match, which goes on by itself. What was folded is not folded once more: a fold never changes."""
        copy = Sheet(self.game, ())
        copy.book.entries = list(self.book.entries)
        copy.adopt(self.fold)
        return copy


class PaperApp(App):
    """`hl` where the match is on paper: the real commands run on it, without a disk."""

    def __init__(self, sheet: Match) -> None:
        super().__init__()
        self.sheet = sheet

    @property
    def match(self) -> Match:
        return self.sheet

    @property
    def has_match(self) -> bool:
        return True


class Clock:
    """The only clock of the ledger, held still. Use as a context."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def time(self) -> float:
        return self.now / 1000

    def __enter__(self) -> Clock:
        self._real, ledger.core.clock.time = ledger.core.clock.time, self  # type: ignore[assignment]
        return self

    def __exit__(self, *_: object) -> None:
        ledger.core.clock.time = self._real


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Escaping is a pure function of a short text; the same few thousand come again and again. So is drawing a PNG.
    Randomness is the same in both matches."""
    import resvg_py

    real, drawn, luck = discord.escape, resvg_py.svg_to_bytes, ledger.core.clock.OsLuck.seed
    discord.escape = _ESCAPED.setdefault(real, functools.lru_cache(maxsize=1 << 16)(real))
    resvg_py.svg_to_bytes = lambda svg_string, **_: svg_string.encode()  # type: ignore[method-assign]
    ledger.core.clock.OsLuck.seed = lambda self: bytes(32)  # type: ignore[method-assign]
    try:
        yield
    finally:
        discord.escape, resvg_py.svg_to_bytes, ledger.core.clock.OsLuck.seed = real, drawn, luck


_ESCAPED: dict[Any, Any] = {}


def typed(sheet: Match, words: Sequence[str], now: int) -> tuple[Any, Options]:
    """A command line as the action and the options of the recorder: the few forms that generators write."""
    verb, *rest = words
    cls = ABOUT.get(verb) or sheet.engine.actions[sheet.game.synonyms.get(verb, verb)]
    known = {f.name: f for f in fields(cls)}
    open_ = [f for f in known.values() if f.in_place]
    desk, values, options = sheet.desk(now), {}, Options("")
    while rest:
        word = rest.pop(0)
        name = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--"):
            field = open_[0] if open_[0].many else open_.pop(0)
            read = read_word(field, word, desk)
            values[field.name] = (*values.get(field.name, ()), read) if field.many else read
        elif name == "force":
            options = options._replace(force=True)
        elif name == "at":
            options = options._replace(at=read_instant(rest.pop(0)))
        elif name == "note":
            options = options._replace(note=rest.pop(0))
        elif known[name].base is bool:
            values[name] = True
        elif known[name].arg.counted:
            values[name] = values.get(name, 0) + 1
        else:
            several = " ".join(rest.pop(0) for _ in range(known[name].arg.words))
            read = read_word(known[name], several, desk)
            values[name] = (*values.get(name, ()), read) if known[name].many else read
    if cls is shared.AmendSetting:
        values["key"], _, values["value"] = values["key"].partition("=")
    return cls(**values), options
