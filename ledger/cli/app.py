"""The context of a command beyond its own words: the match, who records, and when. Output is in terminal.py."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from events.disk import folder_of, line_to_run
from events.errors import LedgerError, Unreadable
from games.kinds import TEXT, clean, digits, shown
from games.records import kebab
from ledger.cli.terminal import Terminal
from ledger.cli.verb import WriteOptions
from ledger.cli.verbs import OF_NO_MATCH, SHARED, shared_verb
from ledger.core.clock import now_ms
from ledger.core.inputs import read_bytes
from ledger.core.logs import config_file, find_log, is_found
from ledger.core.match import Match
from ledger.core.times import is_complete, read_message, read_time, show_day
from ledger.post.copies import keep_copy
from ledger.record.plan import Options
from ledger.render.safe import without_pings


class App(Terminal):
    def __init__(self) -> None:
        super().__init__()
        self.match_name: str | None = None
        self.host_name: str | None = None
        self._match: Match | None = None
        self._match_key: tuple[str | None, str] | None = None
        self._fresh = False
        self._readings: set[str] = set()
        self._only_looked_at: str | None = None
        self._words: list[str] = []

    def begin(self, words: list[str]) -> None:
        self._words = words
        self._fresh = False
        self._readings.clear()
        self.json = any(
            word in ("--json", "-fjson", "--format=json") or (word == "json" and before in ("-f", "--format"))
            for before, word in zip(("", *words), words, strict=False)
        )

    def log(self, *, to_record: bool = False) -> str:
        """The path of the log: `-g`, `$HL_MATCH`, the current folder or its parents; to read, else that of the config.

        Raises:
            Unreadable: `match.none`; `match.default`, nothing is recorded in the match of the config unasked.
        """
        self._only_looked_at = None
        try:
            return find_log(self.match_name)
        except Unreadable:
            settled = self.config.match if os.path.exists(config_file()) else None
            if settled is None or self.match_name or os.environ.get("HL_MATCH"):
                raise
        self._only_looked_at = settled
        if to_record:
            self._must_be_named()
        return find_log(settled)

    def _must_be_named(self) -> None:
        if (settled := self._only_looked_at) is not None:
            what = f"no match is named, and there is none here; without -g, {settled} is only looked at"
            raise Unreadable("match.default", what, f"{line_to_run('hl', '-g', settled)} ...")

    @property
    def match(self) -> Match:
        """The match, read once per command; between the lines of `run` only new lines are read."""
        key = (self.match_name, os.getcwd())
        if self._match is not None and key == self._match_key:
            if self._fresh:
                return self._match
            self._match.refresh()
        else:
            self._match, self._match_key = Match(self.log()), key
            if (log := self._match.book.log).shared:
                from ledger.audit.senders import sign_pushes  # 0.9 bare interpreters of each trade

                sign_pushes(log, self.config.sign, self._match, ask=self.may_ask)
        self._fresh = True
        self.to_host(*self._match.book.notes)
        return self._match

    def glance(self) -> Match | None:
        """The match as this session last saw it, read now if it was not read before; None if it cannot be read."""
        if self._match is None or (self.match_name, os.getcwd()) != self._match_key:
            try:
                return self.match
            except LedgerError:
                return None
        return self._match

    @property
    def here(self) -> Match | None:
        """The match on this computer, for examples."""
        try:
            return self.glance() if os.path.exists(self.log()) else None
        except LedgerError:
            return None

    def stale(self) -> None:
        self._fresh = False

    @property
    def has_match(self) -> bool:
        return is_found(self.log)

    @property
    def host(self) -> str:
        """Who records: `--as`, `$HL_AS`, the host of the config, or the only host of the match.

        Raises:
            Unreadable: `host.unknown` or `host.unnamed`; `match.default`.
        """
        match = self.match
        self._must_be_named()
        return match.host(self._host_named)

    @property
    def _host_named(self) -> str | None:
        settled = self.config.host if self.config.host in self.match.table.hosts else None
        return self.host_name or os.environ.get("HL_AS") or settled

    def alias(self, word: str) -> list[str]:
        return [] if self.running or not self.may_ask else self.config.aliases.get(word, "").split()

    def ask(self, question: str, fix: str | None = None) -> bool:
        """As `Terminal.ask`; if nobody can be asked, the fix is the typed line with the answer added."""
        if fix is None:
            answer = "--early" if {"--yes", "-y"}.intersection(self._words) else "--yes"  # then `--yes` was not enough
            in_lines = any("\n" in word for word in self._words)
            fix = f"look at it with -n first, then add {answer}" if in_lines else self.again(answer)
        return super().ask(question, fix)

    def again(self, *more: str, instead: Mapping[str, str] = {}) -> str:
        """The typed line with more options, and with some words replaced."""
        words, options = [instead.get(word.lower(), word) for word in self._words], list[str]()
        end = words.index("--") if "--" in words else len(words)
        named = False
        for word in words[:end]:  # `in_place` adds the match and the host when the line is shown
            is_name = word in ("-g", "--match", "--as")
            if not named and not is_name and not word.startswith(("-g=", "--match=", "--as=")):
                options.append(word)
            named = not named and is_name
        return line_to_run("hl", *options, *more, *words[end:])

    def in_place(self, text: str, host: str | None = None) -> str:
        """A text in which lines to run get the match and host of this command, if their verbs need them.

        A URL is never added, since it may contain a password.

        Args:
            host: Who records, if the command named nobody.
        """
        here = bool(self.match_name) and os.path.exists(os.path.expanduser(self.match_name or ""))
        host = self.host_name or host
        own = {kebab(cls) for cls in self._match.game.actions} if self._match is not None else ()

        def put(found: re.Match[str]) -> str:
            if found[1] not in SHARED and found.start() and found[1] not in own:
                return found[0]  # a sentence about hl
            options = list[str]()
            if here and found[1] not in OF_NO_MATCH:
                options += ["-g", str(self.match_name)]
            if host and ((verb := shared_verb(found[1])) is None or verb.writes):
                options += ["--as", host]
            return f"{line_to_run('hl', *options)} {found[1]}"

        return re.sub(r"(?<!in )\bhl ([a-z][a-z-]*)", put, text) if here or host else text

    def to_host(self, *texts: str, style: str = "") -> None:
        super().to_host(*map(self.in_place, texts), style=style)

    def tell_next(self, steps: Sequence[str], what: str = "next") -> None:
        if not steps:
            return
        host = None if self._host_named or not self.match.table.hosts[1:] else "HOST"
        this = line_to_run(folder_of(self.match.book.log.path) or ".")
        self.note(*(without_pings(f"{what}: {self.in_place(step, host)}".replace("THIS", this)) for step in steps))

    def back_up(self) -> None:
        if self._match is not None and (folder := self.config.backup):
            book = self._match.book
            end = book.mark.size if book.mark else 0
            if (problem := keep_copy(book.log.path, book.game_id, folder, end)) is not None:
                self.to_host(f"backup: {problem}")

    def read_at(self, typed: str) -> int:
        """Read the typed time at which an entry counts; unless it is complete, show once how it was read.

        Raises:
            Unreadable: it is not a time, or is in the future.
        """
        at = read_time(typed, now=now_ms(), zone=self.match.zone)
        if not (self.json or is_complete(typed) or typed in self._readings):
            self._readings.add(typed)
            self.to_host(f"{typed.strip()}: {show_day(at, self.match.zone)}")
        return at

    def options(self, writing: WriteOptions) -> Options:
        """The options of a write verb, with times and links read.

        Raises:
            Unreadable: a time or link cannot be read.
        """
        at, evidence, seen = None, None, None
        if writing.msg:
            message = read_message(writing.msg)
            if message.at > now_ms():
                raise Unreadable("time.future", "this message is in the future", "check the clock of this machine")
            at, evidence, seen = message.at, message.evidence, message.at
        if writing.at:
            at = self.read_at(writing.at)
        note = TEXT.read(writing.note, self.match.desk(now_ms())) if writing.note is not None else None
        once = clean(writing.once) if writing.once is not None else None
        if once is not None and not 1 <= len(once) <= 128:
            raise Unreadable("once.length", "a --once key has 1 to 128 characters", "--once form-row-12")
        flags = {name: getattr(writing, name) for name in ("again", "force", "dry_run", "yes", "early")}
        return Options(self.host, at, evidence, seen, note, once=once, asking=self.may_ask, **flags)


def entry_number(typed: str) -> int:
    """Read the number of an entry, `12` or `#12`.

    Raises:
        Unreadable: `entry.unreadable`.
    """
    number = digits(typed.removeprefix("#"))
    if number is None:
        raise Unreadable("entry.unreadable", f"{shown(typed)} is not the number of an entry", "hl log")
    return number


def log_named(typed: str, unnamed: str, fix: str) -> str:
    """The path of another log, named by its folder or file.

    Raises:
        Unreadable: `match.none`; for an empty name its message is `unnamed`.
    """
    try:
        if not typed:
            raise Unreadable("match.none", unnamed)
        return find_log(typed)
    except Unreadable as error:
        raise Unreadable("match.none", error.what, fix) from None


def file_named(name: str, *, code: str, fix: str) -> bytes:
    """The bytes of a file.

    Raises:
        Unreadable: `code`, the file cannot be read.
    """
    try:
        return read_bytes(name)
    except OSError as error:
        raise Unreadable(code, f"{name} cannot be read: {error.strerror}", fix) from None
