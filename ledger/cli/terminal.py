"""The terminal: streams, width and colours of output, the pager, and questions to the host.

A paste is recognised by the marks that terminals put around it if asked to, or else by further input right after the
line, since nobody types the next line within a tenth of a second. A paste is never an answer.
"""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from events.disk import DISK
from events.errors import LedgerError, Unmet, Unprinted, Unreadable
from games.kinds import digits, grouped
from ledger.core.config import Config, read_config
from ledger.render.safe import SafeText, plain_text
from ledger.render.text import wrapped

_UNSEEN = [
    c for c in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)) if c not in (9, 10)
]
_SHOWN = {c: f"<U+{c:04X}>" for c in _UNSEEN if c not in (0x2068, 0x2069)}  # these two isolate names
_IN_JSON = {c: f"\\u{c:04x}" for c in _UNSEEN}


def escape_controls(text: str, *, as_json: bool = False) -> str:
    """Text with control characters and direction changes made visible, whatever a name or a log contains.

    This is the last guard; renderers escape more, each for its own sink.

    >>> escape_controls("\\x1b[2Jhi"), escape_controls('"\\x9b"', as_json=True)
    ('<U+001B>[2Jhi', '"\\\\u009b"')
    """
    return text if text.isascii() and text.isprintable() else text.translate(_IN_JSON if as_json else _SHOWN)


class Terminal:
    def __init__(self) -> None:
        self.color = "auto"
        self.no_input = False
        self.json = False
        self.running: list[str] = []
        self._config: Config | None = None

    @property
    def config(self) -> Config:
        """The host's own settings, read when first asked for.

        Raises:
            Unreadable: `config.unreadable`.
        """
        if self._config is None:
            self._config = Config("")  # defaults for reporting that the file cannot be read
            self._config = read_config()
        return self._config

    @property
    def help_width(self) -> int:
        columns = width()
        return 80 if columns is None else max(30, min(100, columns - 2))

    def out(self, text: SafeText) -> None:
        """Print text to paste or pipe, without wrapping. It must have gone through the escaper of its sink:
        ledger/render/safe.py."""
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        click.echo(escape_controls(text, as_json=self.json), color=self.colored(sys.stdout))

    def show(self, *lines: SafeText, styles: Sequence[str] = (), paged: bool = False) -> None:
        """Print text to read on standard output, wrapped to the terminal, and with `paged` through a pager there."""
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        text = self._fit(lines, styles, sys.stdout)
        is_long = text.count("\n") + 2 > (terminal_size(None, "LINES") or 0)  # one line is for the prompt
        if paged and self.may_ask and sys.stdout.isatty() and not self.running and is_long:
            command = pager(self.config.pager)
            if command and through(command, text + "\n"):
                return
            if command:
                self.to_host(f"pager: there is no program {command}")
        click.echo(text, color=self.colored(sys.stdout))

    def note(self, *texts: SafeText, style: str = "") -> None:
        """Print confirmations, refusals, hints and warnings on stderr; text to be forwarded is a `DiscordText`."""
        for text in texts:
            click.echo(self._fit([text], [style], sys.stderr), err=True, color=self.colored(sys.stderr))

    def _fit(self, texts: Sequence[SafeText], styles: Sequence[str], stream: Any) -> str:
        columns = width(stream)
        pieces = [fitted(escape_controls(text, as_json=self.json), columns) for text in texts]
        return "\n".join(map(styled, pieces, styles) if styles and self.colored(stream) else pieces)

    def to_host(self, *texts: str, style: str = "") -> None:
        self.note(*map(plain_text, texts), style=style)

    def colored(self, stream: Any) -> bool:
        """Whether to send colours. `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are honoured."""
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
        """Print the answer to a recorded entry; `prose`: wrap it to the terminal.

        Raises:
            Unprinted: it could not be printed, although the entry is recorded.
        """
        try:
            (self.show if prose else self.out)(text)
            sys.stdout.flush()
        except OSError as error:
            raise unprinted(error) from None

    @property
    def may_ask(self) -> bool:
        return not self.no_input and sys.stdin.isatty() and sys.stderr.isatty()

    def ask(self, question: str, fix: str) -> bool:
        """Ask the host at the terminal to confirm. `fix` is the fix of the error if there is no terminal.

        Raises:
            Unmet: `confirm.needed`, there is no terminal.
        """
        if not self.may_ask:
            raise Unmet("confirm.needed", "a host must confirm this first", fix, question)
        self.to_host(question, style="strong")
        return self.choose("Go on? [y/N]", {"": "no", "n": "no", "no": "no", "y": "yes", "yes": "yes"}) == "yes"

    def choose(self, question: str, offered: Mapping[str, str]) -> str:
        """Ask at a terminal until one of the answers is typed; return its meaning.

        Args:
            question: Printed on standard error, in one line; it names the answers.
            offered: Answer in small letters ("" is Enter alone) -> its meaning.

        Raises:
            KeyboardInterrupt: the host ended the input.
        """
        answers = _spelled(offered)

        def read(line: str) -> str:
            if line.lower() not in offered:
                raise Unreadable("command.usage", "that is not one of the answers", answers)
            return offered[line.lower()]

        pasted = f"this was pasted, and a paste answers nothing: {answers}"
        try:
            return _until(question, read, marked=True, pasted=pasted)
        except EOFError:
            raise KeyboardInterrupt from None


def unprinted(error: OSError) -> Unprinted:
    what = f"recorded, but the answer could not be printed: {error.strerror}"
    return Unprinted("output.failed", what, "hl receipt")


STYLES = {"wrong": "1;31", "doubt": "33", "faint": "2", "strong": "1"}
"""Style of a line -> its SGR code."""


def width(stream: Any = None) -> int | None:
    """Columns of the terminal; None (do not wrap) if the stream, by default standard output, is not a terminal."""
    size = terminal_size(stream, "COLUMNS")
    return None if size is None else max(20, size)


def terminal_size(stream: Any, name: str) -> int | None:
    """`COLUMNS` or `LINES` of the terminal; None if the stream, by default standard output, is not a terminal."""
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
    """Wrap prose and lists to `columns`, with hanging indents; commands to paste stay in one line.

    >>> print(fitted("- to ann: a text that is long", 20))
    - to ann: a text
      that is long
    """
    if columns is None or max(map(len, text.split("\n"))) <= columns:
        return text
    pieces = []
    for line in text.split("\n"):
        pieces += [line] if re.match(r"\s*(try: |hl |\$ )", line) else wrapped(line, columns, _hanging(line, columns))
    return "\n".join(pieces)


def _hanging(line: str, columns: int) -> str:
    matched = re.match(r"(\s*)([-!] |#?\S+ {2,}|#[0-9]+ +)?", line)
    assert matched is not None
    whole = len(matched[0]) if matched[2] else 0
    return " " * (whole if 0 < whole <= columns // 3 else min(len(matched[1]) + 2, columns // 3))


def styled(text: str, style: str) -> str:
    if not style:
        return text
    return "\n".join(f"\x1b[{STYLES[style]}m{line}\x1b[0m" if line else line for line in text.split("\n"))


PASTE_WAIT_SECONDS = 0.1
_MARKS_ON, _MARKS_OFF, _PASTED = "\x1b[?2004h", "\x1b[?2004l", "\x1b[200~"


def lines(back: str | None = None) -> list[str]:
    """The lines typed or pasted, up to an empty line that nothing follows; only `back` if that line is typed.

    Raises:
        EOFError: the input has ended without any line.
    """
    drop_typed()
    texts: list[str] = []
    while line := sys.stdin.readline():
        text = re.sub("\x1b\\[20[01]~", "", line).strip()
        if not text and texts and not (_is_console() and DISK.typed_waits(sys.stdin.fileno(), PASTE_WAIT_SECONDS)):
            break
        if text == back:
            return [back]
        texts += [text] if text else []
    if not (texts or line):
        raise EOFError
    return texts


def write(text: str) -> None:
    """Print a text on standard error, wrapped to the terminal, and keep its trailing spaces."""
    words = text.rstrip()
    sys.stderr.write(fitted(plain_text(words), width(sys.stderr)) + text[len(words) :])
    sys.stderr.flush()


def read_line(question: str, *, marked: bool = True) -> str | None:
    """The line that was typed; None for a paste, which is dropped entirely.

    Args:
        marked: Ask the terminal to mark pastes, so that even a single pasted line is recognised.

    Raises:
        EOFError: the input has ended.
    """
    marked = marked and os.isatty(2) and _is_console()
    sys.stderr.write(_MARKS_ON if marked else "")
    write(question)
    try:
        line = sys.stdin.readline()
        if not line:
            write("\n")
            raise EOFError
        is_paste = drop_typed(PASTE_WAIT_SECONDS)
    finally:
        sys.stderr.write(_MARKS_OFF if marked else "")
        sys.stderr.flush()
    return None if is_paste or _PASTED in line else line


def _is_console() -> bool:
    try:
        return os.isatty(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):
        return False


def drop_typed(silent: float = 0.0) -> bool:
    """Drop unread input, including a half-typed line; return whether there was any.

    Args:
        silent: Stop after this many seconds without input.
    """
    return _is_console() and DISK.drop_typed(sys.stdin.fileno(), silent, PASTE_WAIT_SECONDS)


T = TypeVar("T")


def typed(question: str, read: Callable[[str], T]) -> T:
    """Ask until a line can be read. A pasted single line counts as typed; a longer paste is dropped.

    Args:
        question: As in `Terminal.choose`.
        read: Reads the stripped line, or raises an error with a fix.

    Raises:
        EOFError: the input has ended.
    """
    return _until(question, read, marked=False, pasted="this was a paste of several lines; nothing of it is taken")


def _until(question: str, read: Callable[[str], T], *, marked: bool, pasted: str) -> T:
    drop_typed()  # input from before the question does not answer it
    while True:
        line = read_line(f"{question}: ", marked=marked)
        try:
            if line is not None:
                return read(line.strip())
            problem = pasted
        except LedgerError as error:
            fix = "" if error.fix.startswith("hl ") else error.fix  # a line to run is no answer to a question
            problem = f"{error.what}: {fix}" if fix else error.what
        write(f"{problem}\n")


def _spelled(offered: Mapping[str, str]) -> str:
    words = grouped((meaning, word or "Enter") for word, meaning in offered.items())
    return "; ".join(
        meaning if typed == [meaning] else f"{' or '.join(', '.join(typed).rsplit(', ', 1))}: {meaning}"
        for meaning, typed in words.items()
    )


def pager(settled: str | None) -> str:
    """The command of the pager: $PAGER, the host's setting, `less` or `more`; "" if none is wanted."""
    if (command := os.environ.get("PAGER", settled)) is not None:
        return "" if command.strip() == "cat" else command.strip()
    if os.environ.get("TERM") == "dumb":
        return ""
    usual = ("less",) if DISK.system == "windows" else ("less", "more")  # more.com cannot show UTF-8
    return next((name for name in usual if shutil.which(name)), "")


def through(command: str, text: str) -> bool:
    """Show the text in a pager and wait until it ends; return whether the program exists.

    click's pager is not used, because on Windows it writes the text to a file in a shared folder.
    """
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
            running.communicate(left)  # leaving the pager early is no error
            return True
        except KeyboardInterrupt:
            left = b""  # the pager handles Ctrl-C
