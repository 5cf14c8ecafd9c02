"""The terminal of one command: what is printed where and how, and what a host is asked.

Belongs here: streams, colours, questions, and the last guard before a terminal. Does not belong here: what a match
says; wrapping, styles and the pager (screen.py, pager.py), which are imported when something is printed.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from events.disk import DISK
from events.errors import Unmet, Unprinted
from ledger.core.config import Config, read_config
from ledger.render.safe import SafeText

_UNSEEN = [
    c for c in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)) if c not in (9, 10)
]
_SHOWN = {c: f"<U+{c:04X}>" for c in _UNSEEN if c not in (0x2068, 0x2069)}
"""But for the two that isolate a name (ledger/render/scripts.py)."""
_IN_JSON = {c: f"\\u{c:04x}" for c in _UNSEEN}


def escape_controls(text: str, *, as_json: bool = False) -> str:
    """Text whose control characters and changes of direction are shown, never sent: whatever a name or a log holds.

    The last guard: renderers escape more, and each in the way of its sink.

    >>> escape_controls("\\x1b[2Jhi"), escape_controls('"\\x9b"', as_json=True)
    ('<U+001B>[2Jhi', '"\\\\u009b"')
    """
    return text if text.isascii() and text.isprintable() else text.translate(_IN_JSON if as_json else _SHOWN)


class Terminal:
    """Where the output of a command goes, and who is asked.

    Attributes:
        color, no_input: the global options.
        json: Is an error to be printed as JSON on stdout?
        running: The files whose lines are being run, each by the one before it.
    """

    def __init__(self) -> None:
        self.color = "auto"
        self.no_input = False
        self.json = False
        self.running: list[str] = []
        self._config: Config | None = None

    @property
    def config(self) -> Config:
        """What the host has settled for themself. Read when first asked for.

        Raises:
            Unreadable: `config.unreadable`.
        """
        if self._config is None:
            self._config = Config("")  # what is said of a file that cannot be read goes by none
            self._config = read_config()
        return self._config

    def out(self, text: SafeText) -> None:
        """What one pastes or pipes, line by line as it is. Only what went through the escaper of its sink fits:
        ledger/render/safe.py."""
        import click

        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        click.echo(escape_controls(text, as_json=self.json), color=self.colored(sys.stdout))

    def show(self, *lines: SafeText, styles: Sequence[str] = (), paged: bool = False) -> None:
        """What one reads, on standard output: in the columns of a terminal, and with `paged` through a pager there."""
        import click

        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        text = self._fit(lines, styles, sys.stdout)
        if paged and self.may_ask and sys.stdout.isatty() and not self.running:
            if is_long(text) and (command := pager(self.config.pager)):
                if through(command, text + "\n"):
                    return
                self.to_host(f"pager: there is no program {command}")
        click.echo(text, color=self.colored(sys.stdout))

    def note(self, text: SafeText, style: str = "") -> None:
        """Confirmations, refusals, hints and warnings: what may be forwarded is a `DiscordText`."""
        import click

        click.echo(self._fit([text], [style], sys.stderr), err=True, color=self.colored(sys.stderr))

    def _fit(self, texts: Sequence[SafeText], styles: Sequence[str], stream: Any) -> str:
        escaped = [escape_controls(text, as_json=self.json) for text in texts]
        return fit(escaped, styles, stream, colored=self.colored(stream))

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
            (self.show if prose else self.out)(text)
            sys.stdout.flush()
        except OSError as error:
            raise unprinted(error) from None

    @property
    def may_ask(self) -> bool:
        """Is there somebody at a terminal?"""
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

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


def unprinted(error: OSError) -> Unprinted:
    """What is said when the entry is in the log and its receipt could not be shown."""
    what = f"recorded, but the answer could not be printed: {error.strerror}"
    return Unprinted("output.failed", what, "hl receipt")


STYLES = {"wrong": "1;31", "doubt": "33", "faint": "2", "strong": "1"}
"""What a line can be -> its colour, as terminals call it (SGR)."""
_NO_PROSE = r"\s*(try: |hl |\$ )"
"""A command that can be pasted stays one line."""
_HANGING = r"(\s*)([-!] |#?\S+ {2,}|#[0-9]+ +)?"


def width(stream: Any = None) -> int | None:
    """Columns of the terminal; None where the stream (standard output) is none: it is not wrapped."""
    size = terminal_size(stream, "COLUMNS")
    return None if size is None else max(20, size)


def terminal_size(stream: Any, name: str) -> int | None:
    """`COLUMNS` or `LINES` of the terminal; None where the stream (standard output) is none."""
    from games.kinds import digits

    stream = sys.stdout if stream is None else stream
    if not getattr(stream, "isatty", bool)():
        return None
    if number := digits(os.environ.get(name, "")):
        return number
    try:
        size = os.get_terminal_size(stream.fileno())
        return (size.columns if name == "COLUMNS" else size.lines) or None
    except (OSError, ValueError):
        return 80 if name == "COLUMNS" else 24


def fitted(text: str, columns: int | None) -> str:
    """Prose and lists in so many columns, each line going on under its text; commands to be pasted stay one line.

    >>> print(fitted("- to ann: a text that is long", 20))
    - to ann: a text
      that is long
    """
    if columns is None or max(map(len, text.split("\n"))) <= columns:
        return text
    from ledger.render.text import wrapped

    pieces = []
    for line in text.split("\n"):
        pieces += [line] if re.match(_NO_PROSE, line) else wrapped(line, columns, _hanging(line, columns))
    return "\n".join(pieces)


def _hanging(line: str, columns: int) -> str:
    """The indent of the further lines of a line."""
    matched = re.match(_HANGING, line)
    assert matched is not None
    whole = len(matched[0]) if matched[2] else 0
    return " " * (whole if 0 < whole <= columns // 3 else min(len(matched[1]) + 2, columns // 3))


def styled(text: str, style: str) -> str:
    """Escaped text in a style, line by line."""
    if not style:
        return text
    return "\n".join(f"\x1b[{STYLES[style]}m{line}\x1b[0m" if line else line for line in text.split("\n"))


def fit(texts: Sequence[str], styles: Sequence[str], stream: Any, *, colored: bool) -> str:
    """Escaped texts below each other, in the columns of the terminal if the stream is one, each in its style."""
    columns = width(stream)
    pieces = [fitted(text, columns) for text in texts]
    return "\n".join(map(styled, pieces, styles) if colored and styles else pieces)


def is_long(text: str) -> bool:
    """Is it longer than the screen, with a line for the prompt?"""
    return text.count("\n") + 2 > (terminal_size(None, "LINES") or 0)


def pager(settled: str | None) -> str:
    """The command of the pager: $PAGER, what the host has settled, `less` or `more`; empty: none is wanted."""
    if (command := os.environ.get("PAGER", settled)) is not None:
        return "" if command.strip() == "cat" else command.strip()
    if os.environ.get("TERM") == "dumb":
        return ""
    import shutil  # with subprocess it would cost each command 1 bare interpreter

    usual = ("less",) if DISK.system == "windows" else ("less", "more")  # more.com shows no UTF-8
    return next((name for name in usual if shutil.which(name)), "")


def through(command: str, text: str) -> bool:
    """Give the text to a pager and wait until it has ended; is there such a program?

    Not click's: that puts the text into a file in a folder for all where the system is Windows.
    """
    import shlex
    import shutil
    import subprocess

    try:
        words = shlex.split(command, posix=DISK.system != "windows")
    except ValueError:
        return False
    program = shutil.which(words[0].strip('"')) if words else None
    if program is None:
        return False
    env = {**os.environ, "LESS": os.environ.get("LESS", "-R")}
    running = subprocess.Popen([program, *words[1:]], stdin=subprocess.PIPE, env=env)
    left = text.encode(errors="replace")
    while True:
        try:
            running.communicate(left)  # that it was left before the end is no error
        except KeyboardInterrupt:
            left = b""  # the pager answers it
            continue
        return True
