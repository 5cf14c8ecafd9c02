"""What a command knows besides its own words: the match meant, who records, where output goes, how to ask."""

from __future__ import annotations

import errno
import os
import sys

from events.disk import line_to_run
from events.errors import LedgerError, Unmet, Unprinted, Unreadable
from ledger.cli.guard import escape_controls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from ledger.cli.options import WriteOptions
    from ledger.core.config import Config
    from ledger.core.match import Match
    from ledger.record.plan import Options
    from ledger.render.safe import SafeText

VALUE_MARK = "\x1f"
"""Put before a word like -2 or -2h, so that it is read as a value and not as an option."""


class App:
    """One run of `hl`, or a whole session of `run`.

    Attributes:
        match_name, host_name, color, no_input: the global options.
        json: Is an error to be printed as JSON on stdout?
        running: The files whose lines are being run, each by the one before it.
    """

    def __init__(self) -> None:
        self.match_name: str | None = None
        self.host_name: str | None = None
        self.color = "auto"
        self.no_input = False
        self.json = False
        self.prog = "hl"
        self.running: list[str] = []
        self._match: Match | None = None
        self._match_key: tuple[str | None, str] | None = None
        self._fresh = False
        self._readings: set[str] = set()
        self._config: Config | None = None
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
        doubtful: list[str] = []
        self.json = self._fresh = False
        self._readings.clear()
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
                break
            name, eq, value = word.partition("=")
            if name in ("-g", "--match", "--as", "--color") and (eq or len(word) >= 2):
                given = value if eq else next(words, None)
                if given is None:
                    raise Unreadable("command.usage", f"option {name} needs a value", f"hl {name} ... --help")
                if name == "--as" and rest:
                    doubtful.append(given)
                else:
                    self._global(name, given)
            elif word == "--no-input":
                self.no_input = True
            else:
                after = rest[-1] if rest else ""
                if word in ("--json", "-fjson", "--format=json") or (word == "json" and after in ("-f", "--format")):
                    self.json = True
                rest.append(VALUE_MARK + word if word[:1] == "-" and word[1:2].isdigit() else word)
        for given in doubtful:
            if own_option(self, rest[0], "--as", given):
                rest[1:1] = ["--as", given]
            else:
                self._global("--as", given)
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

    # ---- the match --------------------------------------------------------------------------------------------------

    @property
    def config(self) -> Config:
        """What the host has settled for themself. Read when first asked for.

        Raises:
            Unreadable: `config.unreadable`.
        """
        from ledger.core.config import Config, read_config

        if self._config is None:
            self._config = Config("")  # what is said of a file that cannot be read goes by none
            self._config = read_config()
        return self._config

    def log(self, *, to_record: bool = False) -> str:
        """The log meant: `-g`, `$HL_MATCH`, the folder here; to look at, else the one that the host has settled.

        Raises:
            Unreadable: `match.none`; `match.default`, that one is not recorded in unasked.
        """
        from ledger.core.where import config_file, find_log

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
        """The match meant. Read once a command; between the lines of `run` only what is new."""
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
        named = self.host_name or os.environ.get("HL_AS")
        if not named and self.config.host in match.table.hosts:
            named = self.config.host
        return match.host(named)

    def back_up(self) -> None:
        """Bring the copy of the log up to it, where the host has settled a folder for copies."""
        if self._match is not None and (folder := self.config.backup):
            from ledger.post.backup import keep_copy

            book = self._match.book
            end = book.mark.size if book.mark else 0
            if (wrong := keep_copy(book.log.path, book.game_id, folder, end)) is not None:
                self.to_host(f"backup: {wrong}")

    # ---- output -----------------------------------------------------------------------------------------------------

    def out(self, text: SafeText) -> None:
        """What one pastes or pipes, line by line as it is. Only what went through the escaper of its sink fits:
        ledger/render/safe.py."""
        import click

        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        click.echo(escape_controls(text, as_json=self.json), color=self.colored(sys.stdout))

    def told(self, *lines: SafeText, styles: Sequence[str] = (), paged: bool = False) -> None:
        """What one reads, on standard output: in the columns of a terminal, and with `paged` through a pager there."""
        import click

        from ledger.cli.screen import fit, is_long, pager, through

        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        colored = self.colored(sys.stdout)
        text = fit(lines, styles, sys.stdout, colored=colored, as_json=self.json)
        if paged and self.may_page and is_long(text) and (command := pager(self.config.pager)):
            if through(command, text + "\n"):
                return
            self.to_host(f"pager: there is no program {command}")
        click.echo(text, color=colored)

    def note(self, text: SafeText, style: str = "") -> None:
        """Confirmations, refusals, hints and warnings: what may be forwarded is a `DiscordText`."""
        import click

        from ledger.cli.screen import fit

        colored = self.colored(sys.stderr)
        click.echo(fit([text], [style], sys.stderr, colored=colored, as_json=self.json), err=True, color=colored)

    def to_host(self, text: str, style: str = "") -> None:
        """Any text, for the host's terminal only."""
        from ledger.render.safe import plain_text

        self.note(plain_text(text), style)

    def colored(self, stream: Any) -> bool:
        """May colours be sent? `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are honoured."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        if self.config.color != "auto":
            return self.config.color == "always"
        return os.environ.get("TERM") != "dumb" and bool(getattr(stream, "isatty", lambda: False)())

    def out_recorded(self, text: SafeText, *, prose: bool = False) -> None:
        """Print what belongs to a recorded entry; `prose`: in the columns of the terminal.

        Raises:
            Unprinted: it could not be printed; the entry is recorded all the same.
        """
        try:
            (self.told if prose else self.out)(text)
            sys.stdout.flush()
        except OSError as error:
            raise unprinted(error) from None

    @property
    def may_ask(self) -> bool:
        """Is there somebody at a terminal?"""
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def may_page(self) -> bool:
        """May a pager take the terminal? Not while a file of commands is run."""
        return self.may_ask and sys.stdout.isatty() and not self.running

    def ask(self, question: str, fix: str = "look at it with -n, then add --yes") -> bool:
        """Ask the host to confirm, on the terminal; `fix` is said where there is none.

        Raises:
            Unmet: `confirm.needed`, when there is no terminal.
        """
        if not self.may_ask:
            raise Unmet("confirm.needed", "a host must confirm this first", fix, question)
        self.to_host(question, "strong")
        return self.choose("Go on? [y/N]", {"": "no", "n": "no", "no": "no", "y": "yes", "yes": "yes"}) == "yes"

    def choose(self, question: str, offered: Mapping[str, str]) -> str:
        """Ask at a terminal until one of the answers offered is typed; what it means (asking.py).

        Raises:
            KeyboardInterrupt: the host ended the input.
        """
        from ledger.cli.asking import choose

        try:
            return choose(question, offered)
        except EOFError:
            raise KeyboardInterrupt from None

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
        """What the options of a write verb say, with times and links read.

        Raises:
            Unreadable: a time or link that cannot be read.
        """
        from games.kinds import TEXT, clean
        from ledger.core.clock import now_ms
        from ledger.core.times import read_message
        from ledger.record.plan import Options

        at, evidence, seen = None, None, None
        typed, link = writing.at, writing.msg
        if link:
            message = read_message(link)
            if message.at > now_ms():
                raise Unreadable("time.future", "this message lies in the future", "check the clock of this machine")
            at, evidence, seen = message.at, message.evidence, message.at
        if typed:
            at = self.read_at(typed)
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


def unprinted(error: OSError) -> Unprinted:
    """What is said when the entry is in the log and its receipt could not be shown."""
    said = f"recorded, but the answer could not be printed: {error.strerror}"
    return Unprinted("output.failed", said, "hl receipt")


def usage(what: str, fix: str) -> NoReturn:
    """Refuse a command line that cannot be understood."""
    raise Unreadable("command.usage", what, fix)


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


def exit_code(error: LedgerError) -> int:
    """The exit code of an error. Source: design section 8, exit codes."""
    from events import errors as e

    kinds = (e.Unreadable, e.Refused, e.Damaged, e.Unmet, e.NotRecorded, e.OutcomeUnknown, e.Unprinted)
    return next((code for code, kind in enumerate(kinds, 2) if isinstance(error, kind)), 1)
