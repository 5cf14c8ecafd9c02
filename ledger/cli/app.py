"""What a command knows besides its own words: the match, who records, when. Where output goes: terminal.py."""

from __future__ import annotations

import os

from events.disk import line_to_run
from events.errors import LedgerError, Unreadable
from ledger.cli.terminal import Terminal
from ledger.core.inputs import read_bytes
from ledger.core.where import config_file, find_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.cli.options import WriteOptions
    from ledger.core.match import Match
    from ledger.record.plan import Options

VALUE_MARK = "\x1f"
"""Put before a word like -2 or -2h, so that it is read as a value and not as an option."""


class App(Terminal):
    """One run of `hl`, or a whole session of `run`.

    Attributes:
        match_name, host_name: the global options.
    """

    def __init__(self) -> None:
        super().__init__()
        self.match_name: str | None = None
        self.host_name: str | None = None
        self._match: Match | None = None
        self._match_key: tuple[str | None, str] | None = None
        self._fresh = False
        self._readings: set[str] = set()
        self._only_looked_at: str | None = None

    def take(self, args: list[str], own_option: Callable[[App, str, str, str], bool]) -> list[str]:
        """Take the global options out of a command line, wherever they stand; mark words like -2 as values.

        Args:
            own_option: Is (verb, option, value) the verb's own option rather than a global one? Asked for `--as` after
                a verb, once the match is known.

        Raises:
            Unreadable: an option lacks its value.
        """
        rest: list[str] = []
        hosts_or_own: list[str] = []
        self.json = self._fresh = False
        self._readings.clear()
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
                break
            name, eq, value = word.partition("=")
            if name in ("-g", "--match", "--as", "--color") and (eq or len(word) >= 2):
                operand = value if eq else next(words, None)
                if operand is None:
                    raise Unreadable("command.usage", f"option {name} needs a value", f"hl {name} ... --help")
                if name == "--as" and rest:
                    hosts_or_own.append(operand)
                else:
                    self._global(name, operand)
            elif word == "--no-input":
                self.no_input = True
            else:
                after = rest[-1] if rest else ""
                if word in ("--json", "-fjson", "--format=json") or (word == "json" and after in ("-f", "--format")):
                    self.json = True
                rest.append(VALUE_MARK + word if word[:1] == "-" and word[1:2].isdigit() else word)
        for value in hosts_or_own:
            if own_option(self, rest[0], "--as", value):
                rest[1:1] = ["--as", value]
            else:
                self._global("--as", value)
        return rest

    def _global(self, name: str, value: str) -> None:
        if name in ("-g", "--match"):
            self.match_name = value
        elif name == "--as":
            self.host_name = value
        elif value in ("auto", "always", "never"):
            self.color = value
        else:
            what = f"the value of --color is auto, always or never, not {value}"
            raise Unreadable("command.usage", what, "hl --color auto ...")

    def log(self, *, to_record: bool = False) -> str:
        """The path of the log: `-g`, `$HL_MATCH`, the folder here; to look at, else the one that the host has settled.

        Raises:
            Unreadable: `match.none`; `match.default`, that one is not recorded in unasked.
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
            what = f"no match is named, and there is none here; {settled} is only looked at by itself"
            raise Unreadable("match.default", what, f"{line_to_run('hl', '-g', settled)} ...")

    @property
    def match(self) -> Match:
        """The match. Read once a command; between the lines of `run` only what is new."""
        from ledger.core.match import Match

        key = (self.match_name, os.getcwd())
        if self._match is not None and key == self._match_key:
            if self._fresh:
                return self._match
            self._match.refresh()
        else:
            self._match, self._match_key = Match(self.log()), key
            if self._match.book.log.shared:
                from ledger.cli.senders import let_sign

                let_sign(self.config.sign, self._match, ask=self.may_ask)
        self._fresh = True
        for note in self._match.book.notes:
            self.to_host(note)
        return self._match

    def glance(self) -> Match | None:
        """The match as this session saw it last, read if it was not yet; None if none can be read."""
        if self._match is None or (self.match_name, os.getcwd()) != self._match_key:
            try:
                return self.match
            except LedgerError:
                return None
        return self._match

    def stale(self) -> None:
        """Something was recorded: the next look at the match reads what is new."""
        self._fresh = False

    @property
    def has_match(self) -> bool:
        """Is there a match here at all?"""
        try:
            self.log()
        except Unreadable as error:
            if error.code != "match.none":
                raise
            return False
        return True

    @property
    def host(self) -> str:
        """Who records: `--as`, `$HL_AS`, who has settled it for themself, or the only host.

        Raises:
            Unreadable: `host.unknown` or `host.unnamed`; `match.default`.
        """
        match = self.match
        self._must_be_named()
        name = self.host_name or os.environ.get("HL_AS")
        if not name and self.config.host in match.table.hosts:
            name = self.config.host
        return match.host(name)

    def back_up(self) -> None:
        """Bring the copy of the log up to it, where the host has settled a folder for copies."""
        if self._match is not None and (folder := self.config.backup):
            from ledger.post.backup import keep_copy

            book = self._match.book
            end = book.mark.size if book.mark else 0
            if (problem := keep_copy(book.log.path, book.game_id, folder, end)) is not None:
                self.to_host(f"backup: {problem}")

    def read_at(self, typed: str) -> int:
        """When an entry counts, as typed; what was read into it is told once, unless it is complete.

        Raises:
            Unreadable: it is no time, or one that has not come.
        """
        from ledger.core.clock import now_ms
        from ledger.core.times import is_complete, read_time, show_day

        at = read_time(typed, now=now_ms(), zone=self.match.zone)
        if not (self.json or is_complete(typed) or typed in self._readings):
            self._readings.add(typed)
            self.to_host(f"{typed.strip()}: {show_day(at, self.match.zone)}")
        return at

    def options(self, writing: WriteOptions) -> Options:
        """The options of a write verb, with times and links read.

        Raises:
            Unreadable: a time or link that cannot be read.
        """
        from games.kinds import TEXT, clean
        from ledger.core.clock import now_ms
        from ledger.core.times import read_message
        from ledger.record.plan import Options

        at, evidence, seen = None, None, None
        if writing.msg:
            message = read_message(writing.msg)
            if message.at > now_ms():
                raise Unreadable("time.future", "this message lies in the future", "check the clock of this machine")
            at, evidence, seen = message.at, message.evidence, message.at
        if writing.at:
            at = self.read_at(writing.at)
        note = TEXT.read(writing.note, self.match.desk(now_ms())) if writing.note is not None else None
        once = clean(writing.once) if writing.once is not None else None
        if once is not None and not 1 <= len(once) <= 128:
            raise Unreadable("once.length", "a --once key has 1 to 128 characters", "--once form-row-12")
        return Options(
            by=self.host,
            at=at,
            evidence=evidence,
            seen=seen,
            note=note,
            once=once,
            again=writing.again,
            force=writing.force,
            dry_run=writing.dry_run,
            yes=writing.yes,
            early=writing.early,
            asking=self.may_ask,
        )


def entry_number(typed: str) -> int:
    """The number of an entry, as `12` or `#12`.

    Raises:
        Unreadable: `entry.unreadable`.
    """
    from games.kinds import digits, shown

    number = digits(typed.removeprefix("#"))
    if number is None:
        raise Unreadable("entry.unreadable", f"{shown(typed)} is not the number of an entry", "hl log")
    return number


def log_named(typed: str, unnamed: str, fix: str) -> str:
    """The path of a further log, by its folder or file.

    Raises:
        Unreadable: `match.none`; `unnamed` is said of an empty name.
    """
    try:
        if not typed:
            raise Unreadable("match.none", unnamed)
        return find_log(typed)
    except Unreadable as error:
        raise Unreadable("match.none", error.what, fix) from None


def file_named(name: str, *, code: str, fix: str) -> bytes:
    """All of a file.

    Raises:
        Unreadable: `code`, it cannot be read.
    """
    try:
        return read_bytes(name)
    except OSError as error:
        raise Unreadable(code, f"{name} cannot be read: {error.strerror}", fix) from None


def exit_code(error: LedgerError) -> int:
    """The exit code of an error. Source: design section 8, exit codes."""
    from events import errors as e

    kinds = (e.Unreadable, e.Refused, e.Damaged, e.Unmet, e.NotRecorded, e.OutcomeUnknown, e.Unprinted)
    return next((code for code, kind in enumerate(kinds, 2) if isinstance(error, kind)), 1)
