"""Delivering output: to the terminal, to a file, to the clipboard, or repeatedly with `--follow`."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import click

from events import Entry, LogFile
from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.disk import DISK, attempt, folded, folder_of, in_folder, name_of, same_file
from events.errors import LedgerError, NotRecorded, Unmet, Unreadable
from games.contract import Lookup
from games.kinds import casefolded, digits, shown
from games.kit.blocks import Block
from games.records import plain
from ledger.cli.app import App, entry_number
from ledger.cli.terminal import width
from ledger.cli.verb import ReadOptions
from ledger.core import clock
from ledger.core.clock import now_ms
from ledger.core.inputs import open_plain
from ledger.core.logs import FIRST_LINE, LOG_NAME
from ledger.core.match import Match
from ledger.post.copies import copy
from ledger.render import PICTURES, png, svg
from ledger.render.safe import SafeText, joined, json_text, verbatim
from ledger.tell import reports
from ledger.tell.listing import newest
from ledger.tell.reports import Shown

if TYPE_CHECKING:
    from ledger.wire.mirror import SharedLog

# ---- printing --------------------------------------------------------------------------------------------------------


LAST = "last"


def entry_words(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Check the words that name an entry: a number, or `last` and the words after it."""
    if not ctx.resilient_parsing and words[1:] and words[0].lower() != LAST:
        if all(digits(word.strip("#,")) is not None for word in words):
            lines = "\n".join(f"hl {ctx.info_name} {word.strip('#,')}" for word in words)
            raise Unreadable("command.usage", f"{shown(' '.join(words))}: name one entry at a time", lines)
        raise click.UsageError(f"{shown(' '.join(words))} is not one entry", ctx)
    return words


def entry_meant(match: Match, words: Sequence[str], fits: Callable[[Entry], bool] = lambda entry: True) -> int:
    """The number of the entry that these words name: `12`, `#12`, or `last` with a verb, a player, or both.

    Raises:
        Unreadable: `entry.unreadable`, `entry.none`, `player.unknown`.
    """
    if words[0].lower() == LAST:
        return newest(match, words[1:], fits)
    try:
        return entry_number(words[0])
    except Unreadable as error:
        if casefolded(words[0]) not in {*match.table.directory().spelled(), *match.engine.actions}:
            raise
        line = f"hl {click.get_current_context().info_name} {LAST} {shlex.quote(words[0])}"
        raise Unreadable(error.code, error.what, line) from None


def hosts_match(app: App, reading: ReadOptions) -> Match:
    """The match at the point that the options ask for, for a list that only hosts may read.

    Raises:
        Unreadable: `audience.host_only`; an entry or time cannot be read.
    """
    if reading.viewer not in (None, "host"):
        theirs = "hl reveal" if reading.viewer == "public" else f"hl summary {reading.viewer}"
        raise Unreadable("audience.host_only", "this list is for hosts", theirs)
    match, point = match_point(app, reading, "host")
    return match.at(point.fold)


def match_point(app: App, reading: ReadOptions, otherwise: str) -> tuple[Match, Shown]:
    """The match with only the lines known with `--known`, and the point of it that the options ask for.

    Raises:
        Unreadable: the audience, entry or time cannot be read.
    """
    point, known = read_point(app, reading, otherwise), reading.known
    return (app.match if known is None else app.match.as_known(entry_number(known))), point


def read_point(app: App, reading: ReadOptions, otherwise: str) -> Shown:
    """The audience and point of the match that the options ask for.

    Raises:
        Unreadable: the audience, entry or time cannot be read.
    """
    match = app.match
    viewer = reports.viewer_of(match, reading.viewer, otherwise)
    known = None if reading.known is None else entry_number(reading.known)
    return reports.at_point(match, viewer, as_of=reading.as_of, known=known, now=now_ms())


def deliver(app: App, text: SafeText, reading: ReadOptions) -> None:
    """Print a text, or write it to the named file; no file is overwritten unasked.

    Raises:
        Unreadable: `output.exists`, `output.match`. NotRecorded: `output.disk`. Unmet: `copy.none`.
    """
    if reading.target is None:
        app.out(text)
    else:
        _write(app, reading.target, (text + "\n").encode(), reading)
    if reading.copy:
        copied(app, text)


def _write(app: App, target: str, data: bytes, reading: ReadOptions) -> None:
    write_new(target, data, overwrite=reading.overwrite)
    app.to_host(f"wrote {target}")


def deliver_lines(
    app: App, lines: Sequence[SafeText], reading: ReadOptions, styles: Sequence[str] = (), *, paged: bool = False,
    document: object = None,
) -> None:  # fmt: skip
    """Print lines that a host reads, wrapped to the terminal, or write them to the named file.

    Args:
        document: The data that `-f json` prints instead of the lines.
        styles: The style of each line, if not all are plain.
        paged: Use a pager if they do not fit on the screen.

    Raises:
        As `deliver`.
    """
    if reading.json or reading.target is not None:
        deliver(app, json_text(document) if reading.json else joined(lines), reading)
        return
    app.show(*lines, styles=styles, paged=paged)
    if reading.copy:
        copied(app, joined(lines))


def copied(app: App, text: SafeText) -> None:
    """Copy what was printed to the clipboard, and say which program took it.

    Raises:
        Unmet: `copy.none`, none did, so the next paste may be a text for another player.
    """
    program = copy(text)
    if not program:
        what = "the text may not be on the clipboard: no program took it, and a terminal does not say whether it did"
        raise Unmet("copy.none", what, "hl doctor")
    app.to_host(f"copied by {program}")


def columns(reading: ReadOptions) -> int | None:
    return None if reading.target is not None or reading.copy else width()


def deliver_blocks(app: App, blocks: Sequence[Block], reading: ReadOptions, *, document: object = None) -> None:
    """Print blocks in the chosen format, or write them to the named file.

    Args:
        document: The data that `-f json` prints instead of the blocks.

    Raises:
        Unreadable: `picture.none`, `picture.extra`, `picture.terminal`; as `deliver`.
    """
    if reading.json:
        deliver(app, json_text(document), reading)
    elif reading.fmt == "png":
        _deliver_png(app, blocks, reading)
    else:
        deliver(app, reports.text(app.match, list(blocks), reading.fmt, columns(reading)), reading)
    if reading.fmt in PICTURES and reading.target is not None:
        app.to_host(f"its alt text: {svg.alt(blocks)}")


def _deliver_png(app: App, blocks: Sequence[Block], reading: ReadOptions) -> None:
    if reading.copy:
        raise Unreadable("command.usage", "a PNG is not text that could be copied", "-o FILE, then attach the file")
    if reading.target is None and sys.stdout.isatty():
        raise Unreadable("picture.terminal", "a terminal cannot show a PNG", "-o board.png, or -f text")
    data = png.render(blocks)
    if lacking := png.missing(blocks):
        app.to_host(
            f"no font on this machine has {' '.join(lacking)}, so a box is drawn instead; -f svg uses the reader's "
            "fonts"
        )
    if reading.target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    _write(app, reading.target, data, reading)


def look_up(app: App, lookup: Lookup, player: str, reading: ReadOptions) -> None:
    """Print what a reading verb of a game shows of a player."""
    if lookup.audience == "host":
        match, viewer = hosts_match(app, reading), HOST_VIEWER
        state = match.fold.state
        known: object = state
    else:
        match, (fold, viewer) = match_point(app, reading, PUBLIC_VIEWER)
        state = fold.state
        known = match.game.view(state, viewer)
    view = lookup.view(known, match.table.directory().find(player))
    deliver_blocks(app, lookup.report(match.frame(state, viewer), view), reading, document=plain(view))


# ---- writing files ---------------------------------------------------------------------------------------------------


def make_folder(folder: str) -> None:
    """Make a folder that only its owner may read, and its parents; an existing one is left as it is.

    Raises:
        NotRecorded: `output.disk`.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"the folder {folder} cannot be made: {error.strerror}"
        raise NotRecorded("output.disk", what, "choose another place") from None


def write_new(target: str, data: bytes, *, overwrite: bool, ours: bool = False) -> None:
    """Write a private file, completely or not at all; no file is overwritten unasked, and no link is followed.

    Args:
        ours: Whether the file belongs to a log.

    Raises:
        Unreadable: `output.exists`; `output.match`, it would replace a file of a match.
        NotRecorded: `output.disk`.
    """
    try:
        if not ours and is_of_a_match(target):
            what = f"{target} is a log or belongs to one, so it is not overwritten"
            raise Unreadable("output.match", what, f"another name: {free_name(target)}")
        overwrite = _is_there(target, overwrite=overwrite)
        handle, unfinished = _unfinished(folder_of(target))
        try:
            done = 0
            while done < len(data):
                done += DISK.write(handle, data[done : done + (1 << 20)])
            DISK.fsync(handle)
            if overwrite:
                DISK.close(handle)
                handle = -1
                DISK.replace(unfinished, target)
            else:
                handle = _give_name(handle, unfinished, target)
        except BaseException:
            attempt(DISK.close, handle)
            attempt(DISK.unlink, unfinished)
            raise
        attempt(DISK.close, handle)
    except FileExistsError:
        raise Unreadable("output.exists", f"{target} already exists", "--overwrite, or another name") from None
    except OSError as error:
        what = f"{target} cannot be written: {error.strerror}"
        raise NotRecorded("output.disk", what, "choose another place") from None


def _unfinished(folder: str) -> tuple[int, str]:
    for number in itertools.count():
        path = in_folder(folder, f".hl-{os.getpid()}-{number}.new")
        try:
            return DISK.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL), path
        except FileExistsError:
            continue  # left by a killed process with the same number
    raise AssertionError("counting never ends")


def _is_there(target: str, *, overwrite: bool) -> bool:
    """Whether there is a plain file that may be replaced. Raises OSError if something else has the name."""
    try:
        there = os.lstat(target)
    except FileNotFoundError:
        return False
    if not overwrite:
        raise FileExistsError(errno.EEXIST, "File exists")
    if not stat.S_ISREG(there.st_mode):
        raise OSError(errno.EINVAL, "it is not a plain file")
    return True


def _give_name(handle: int, unfinished: str, target: str) -> int:
    """Give the finished file its name without replacing another; return its descriptor, or -1 if it was closed."""
    try:
        handle = DISK.give_name(handle, unfinished, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        _is_there(target, overwrite=False)
        DISK.rename(unfinished, target)
        return handle
    return DISK.settle_name(handle, unfinished, target)


_BESIDE = r"head|((head|wire|pending)\.)?new-.*|torn-.*|settled|webhooks|wire|wire-unfinished|pending|signed|git"
_OF_A_LOG = rf"(?s)(.+\.jsonl)\.({_BESIDE})"


def is_of_a_match(target: str) -> bool:
    """Whether a path is a log, or a file that belongs to a log.

    A file is a log if it has a head record or begins like a log, whatever its name and folder are. A copy with closed
    lines and without a head record is not, since nobody records in it.

    Raises:
        PermissionError: the file may not be read.
    """
    name = folded(name_of(target)).rstrip(". ")  # as Windows and macOS compare names
    if re.fullmatch(_OF_A_LOG, name) or (name.endswith(".jsonl") and os.path.lexists(f"{target}.head")):
        return True
    if _other_name_of_a_log(target):
        return True
    try:
        with os.fdopen(open_plain(target), "rb") as file:
            if not re.match(rb'\{"seq":1,"prev":"0{64}","seal":"[0-9a-f]{64}"', file.readline(FIRST_LINE)):
                return name == LOG_NAME
            closed = rb'\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","seal":"[0-9a-f]{64}"\}\n'
            return not any(re.fullmatch(closed, line) for line in iter(lambda: file.readline(FIRST_LINE), b""))
    except PermissionError:
        raise
    except OSError:
        return False  # there is nothing, or nothing that could be a log


def _other_name_of_a_log(target: str) -> bool:
    """Whether this is another name (a hard link, or a short name of Windows) of a log's file in the same folder."""
    try:
        there = os.stat(target)
        names = [name for name in os.listdir(folder_of(target) or ".") if re.fullmatch(_OF_A_LOG, folded(name))]
        return any(same_file(there, os.stat(in_folder(folder_of(target), name))) for name in names)
    except OSError:
        return False


def free_name(target: str) -> str:
    stem, dot, kind = os.path.basename(target).partition(".")
    names = (f"{stem}-{n}{dot}{kind.partition('.')[0]}" for n in itertools.count(2))
    return next(name for name in names if not os.path.lexists(name))


# ---- --follow --------------------------------------------------------------------------------------------------------


LOOK_SECONDS = 1.0


class Watch:
    """Waits until somebody records in a log: by the time and size of the file, or by news from the server."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self._seen = self._stamp()
        self._since = 0.0  # seconds since we last asked a server that does not notify

    def wait(self, seconds: float) -> None:
        """Wait at most `seconds`, or less if there may be something new."""
        for _ in range(max(1, round(seconds / LOOK_SECONDS))):
            if self._look() or self._stamp() != self._seen:
                break
        self._seen = self._stamp()

    def _stamp(self) -> tuple[int, int]:
        try:
            status = os.stat(self.log.path)
        except OSError:
            return (0, 0)
        return (status.st_mtime_ns, status.st_size)

    def _look(self) -> bool:
        if self.log.shared:
            wire = cast("SharedLog", self.log).wire
            self._since += LOOK_SECONDS
            with suppress(LedgerError):  # the next reading will report that the server does not answer
                if not wire.pause:
                    return wire.changed(LOOK_SECONDS)
                if self._since >= wire.pause:
                    self._since = 0.0
                    if wire.changed(0.0):
                        return True
        clock.wait_for(LOOK_SECONDS)
        return False


def check_follow(reading: ReadOptions) -> None:
    """Refuse options that cannot be combined with `--follow`.

    Raises:
        Unreadable: `command.usage`.
    """
    if reading.target is not None or reading.copy or reading.fmt not in ("text", "json"):
        what = "--follow prints text, or with -f json a document a line; it writes no file and copies nothing"
        raise Unreadable("command.usage", what, "the same without -o, --copy and other formats")


def follow_answer(app: App, answer: Callable[[], Sequence[SafeText]], *, whole: bool = False) -> None:
    """Print an answer, then its new parts each time something is recorded, until the host stops it.

    Args:
        answer: Makes the parts of the answer from the match, in order. Parts already printed are not printed again.
        whole: Whether a changed answer is printed completely, after an empty line.
    """
    printed: list[SafeText] = []
    with suppress(KeyboardInterrupt):
        watch = Watch(app.match.book.log)
        while True:
            parts = list(answer())
            if not app.json and not whole and parts[: len(printed)] != printed:
                app.to_host("what was shown has changed; here it is again")
                printed = []
            new = parts if whole or app.json else parts[len(printed) :]
            if parts != printed:
                if whole and printed and not app.json:
                    app.out(verbatim(""))
                for part in new:
                    app.out(part)
            printed = parts
            head = app.match.book.mark
            while app.match.book.mark == head:
                watch.wait(30.0)
                app.stale()
