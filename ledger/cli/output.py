"""What the options mean that read verbs share: for whom, as of when, in which format, into which file."""

from __future__ import annotations

import errno
import itertools
import os
import re
import stat
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from events.disk import DISK, attempt, folded
from events.errors import NotRecorded, Unmet, Unreadable
from events.files import same_file
from ledger.cli.app import App, entry_number
from ledger.core.inputs import open_plain
from ledger.core.where import FIRST_LINE, LOG_NAME
from ledger.render import PICTURES
from ledger.render.safe import joined

_BESIDE = r"head|((head|wire|pending)\.)?new-.*|torn-.*|settled|webhooks|wire|wire-unfinished|pending|signed|git"
_OF_A_LOG = rf"(?s)(.+\.jsonl)\.({_BESIDE})"
"""Names beside a log that are the log's own. Source: docs/log-format.md sections 6 to 8."""
_FIRST_LINE = rb'\{"seq":1,"prev":"0{64}","seal":"[0-9a-f]{64}"'
_CLOSED_LINE = rb'\{"seq":[0-9]+,"prev":"[0-9a-f]{64}","seal":"[0-9a-f]{64}"\}\n'

if TYPE_CHECKING:
    from games.kit.blocks import Block
    from ledger.cli.options import ReadOptions
    from ledger.core.match import Match
    from ledger.render.safe import SafeText
    from ledger.tell.reports import Shown


def hosts_match(app: App, reading: ReadOptions) -> Match:
    """The match at the point that the options ask for, for a list that only hosts may read.

    Raises:
        Unreadable: `audience.host_only`; an entry or time that cannot be read.
    """
    if reading.viewer not in (None, "host"):
        raise Unreadable("audience.host_only", "this list is for hosts", f"hl summary {reading.viewer}")
    match, shown = match_point(app, reading, "host")
    return match.at(shown.fold)


def match_point(app: App, reading: ReadOptions, otherwise: str) -> tuple[Match, Shown]:
    """The match with the lines that `--known` leaves, and the point of it that the options ask for.

    Raises:
        Unreadable: audience, entry or time that cannot be read.
    """

    shown, known = point(app, reading, otherwise), reading.known
    return (app.match if known is None else app.match.as_known(entry_number(known))), shown


def check_format(fmt: str, known: Sequence[str]) -> str:
    """The format, if it is one of these.

    Raises:
        Unreadable: `format.unknown`.
    """
    if fmt not in known:
        raise Unreadable("format.unknown", f"this cannot be printed as {fmt}", f"one of: {' '.join(known)}")
    return fmt


def point(app: App, reading: ReadOptions, otherwise: str) -> Shown:
    """The audience and point of the match that the options ask for.

    Raises:
        Unreadable: audience, entry or time that cannot be read.
    """
    from ledger.core.clock import now_ms
    from ledger.tell.reports import at_point, viewer_of

    match = app.match
    viewer = viewer_of(match, reading.viewer, otherwise)
    known = None if reading.known is None else entry_number(reading.known)
    return at_point(match, viewer, as_of=reading.as_of, known=known, now=now_ms())


def deliver(app: App, text: SafeText, reading: ReadOptions) -> None:
    """Print it, or write it to the file that was named; no file is overwritten unasked.

    Raises:
        Unreadable: `output.exists`, `output.match`. NotRecorded: `output.disk`. Unmet: `copy.none`.
    """
    target = reading.target
    if target is None:
        app.out(text)
    else:
        write_new(target, (text + "\n").encode(), overwrite=reading.overwrite)
        app.to_host(f"wrote {target}")
    if reading.copy:
        copied(app, text)


def deliver_lines(
    app: App, lines: Sequence[SafeText], reading: ReadOptions, styles: Sequence[str] = (), *, paged: bool = False
) -> None:
    """Print lines that a host reads, in the columns of the terminal, or write them to the file that was named.

    Args:
        styles: Of each line, if they are not all plain.
        paged: Through a pager, if they are more than the screen has.

    Raises:
        As `deliver`.
    """
    if reading.target is not None:
        deliver(app, joined(lines), reading)
        return
    app.told(*lines, styles=styles, paged=paged)
    if reading.copy:
        copied(app, joined(lines))


def copied(app: App, text: SafeText) -> None:
    """Copy what was printed, and say which program took it.

    Raises:
        Unmet: `copy.none`, nothing did: what is pasted next may be another player's.
    """
    from ledger.post.clipboard import copy

    program = copy(text)
    if not program:
        what = "nothing was copied: no program here took the text, and a terminal does not say whether it did"
        raise Unmet("copy.none", what, "hl doctor")
    app.to_host(f"copied by {program}")


def columns(reading: ReadOptions) -> int | None:
    """Columns of the terminal that the output goes to; None where it goes elsewhere, or is copied."""
    from ledger.cli.screen import width

    return None if reading.target is not None or reading.copy else width()


def deliver_blocks(app: App, blocks: Sequence[Block], reading: ReadOptions) -> None:
    """Print blocks in the format asked for, or write them to the file that was named.

    Raises:
        Unreadable: `picture.none`, `picture.extra`, `picture.terminal`; as `deliver`.
    """
    from ledger.tell.reports import text

    if reading.fmt == "png":
        _deliver_png(app, blocks, reading)
    else:
        deliver(app, text(app.match, list(blocks), reading.fmt, columns(reading)), reading)
    if reading.fmt in PICTURES and reading.target is not None:
        from ledger.render import svg

        app.to_host(f"its alt text: {svg.alt(blocks)}")


def _deliver_png(app: App, blocks: Sequence[Block], reading: ReadOptions) -> None:
    from ledger.render import png

    if reading.copy:
        raise Unreadable("command.usage", "a PNG is not text that could be copied", "-o FILE, then attach the file")
    if reading.target is None and sys.stdout.isatty():
        raise Unreadable("picture.terminal", "a terminal cannot show a PNG", "-o board.png, or -f text")
    data = png.render(blocks)
    if lacking := png.missing(blocks):
        app.to_host(
            f"no font here has {' '.join(lacking)}: a box is drawn in its place; -f svg takes the reader's fonts"
        )
    if reading.target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    write_new(reading.target, data, overwrite=reading.overwrite)
    app.to_host(f"wrote {reading.target}")


def make_folder(folder: str) -> None:
    """Make a folder that its owner alone may read, and those around it; one that is there stays as it is.

    Raises:
        NotRecorded: `output.disk`.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"{folder} cannot be a folder: {error.strerror}"
        raise NotRecorded("output.disk", what, "choose another place") from None


def write_new(target: str, data: bytes, *, overwrite: bool, ours: bool = False) -> None:
    """Write a private file, whole or not at all; no file is overwritten unasked, and no link is followed.

    Every file that a command writes comes through here, but for the log and what belongs to it (events/).

    Args:
        ours: It is one that belongs to a log.

    Raises:
        Unreadable: `output.exists`; `output.match`, it would take the place of a file of a match.
        NotRecorded: `output.disk`.
    """
    try:
        if not ours and _is_of_a_match(target):
            what = f"{target} is a log, or belongs to one, and is not written over"
            raise Unreadable("output.match", what, f"another name: {_free_name(target)}")
        overwrite = _is_there(target, overwrite=overwrite)
        handle, made = _unfinished(os.path.dirname(target))
        try:
            _fill(handle, data)
            if overwrite:
                DISK.close(handle)
                handle = -1
                DISK.replace(made, target)
            else:
                handle = _named(handle, made, target)
        except BaseException:
            attempt(DISK.close, handle)
            attempt(DISK.unlink, made)
            raise
        attempt(DISK.close, handle)
    except FileExistsError:
        raise Unreadable("output.exists", f"{target} is there already", "--overwrite, or another name") from None
    except OSError as error:
        raise NotRecorded(
            "output.disk", f"{target} cannot be written: {error.strerror}", "choose another place"
        ) from None


def _unfinished(folder: str) -> tuple[int, str]:
    """A new private file in that folder, open for writing: what stands under a name is whole."""
    for number in itertools.count():
        made = os.path.join(folder, f".hl-{os.getpid()}-{number}.new")
        try:
            return DISK.open(made, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL), made
        except FileExistsError:
            continue  # a process of that number was killed here once
    raise AssertionError("counting never ends")


def _fill(handle: int, data: bytes) -> None:
    """Write all of it and bring it to the disk."""
    done = 0
    while done < len(data):
        done += DISK.write(handle, data[done : done + (1 << 20)])
    DISK.fsync(handle)


def _is_there(target: str, *, overwrite: bool) -> bool:
    """Is there a plain file that may be replaced? Raise OSError if something else has the name."""
    try:
        there = os.lstat(target)
    except FileNotFoundError:
        return False
    if not overwrite:
        raise FileExistsError(errno.EEXIST, "File exists")
    if not stat.S_ISREG(there.st_mode):
        raise OSError(errno.EINVAL, "it is no plain file")
    return True


def _is_of_a_match(target: str) -> bool:
    """Is it a log, or a name beside a log that is the log's own?

    A file is a log when a head record stands beside it, or when it begins as one does: so under every name, through
    every folder, for every match. A copy with closed lines and without a head record is not: nobody records in it.

    Raises:
        PermissionError: nobody may look.
    """
    name = folded(os.path.basename(target)).rstrip(
        ". "
    )  # as Windows and macOS compare names, so that no disk is fooled
    if re.fullmatch(_OF_A_LOG, name) or (name.endswith(".jsonl") and os.path.lexists(f"{target}.head")):
        return True
    if _other_name_of_a_log(target):
        return True
    try:
        with os.fdopen(open_plain(target), "rb") as file:
            if not re.match(_FIRST_LINE, file.readline(FIRST_LINE)):
                return name == LOG_NAME
            return not any(re.fullmatch(_CLOSED_LINE, line) for line in iter(lambda: file.readline(FIRST_LINE), b""))
    except PermissionError:
        raise
    except OSError:
        return False  # there is nothing, or nothing that could be a log


def _other_name_of_a_log(target: str) -> bool:
    """Does a file of a log in that folder have this as another name: a short one of Windows, or a second one?"""
    try:
        there = os.stat(target)
        names = [name for name in os.listdir(os.path.dirname(target) or ".") if re.fullmatch(_OF_A_LOG, folded(name))]
        return any(same_file(there, os.stat(os.path.join(os.path.dirname(target), name))) for name in names)
    except OSError:
        return False


def _free_name(target: str) -> str:
    """A name in this folder that could be written instead."""
    stem, dot, kind = os.path.basename(target).partition(".")
    names = (f"{stem}-{n}{dot}{kind.partition('.')[0]}" for n in itertools.count(2))
    return next(name for name in names if not os.path.lexists(name))


def _named(handle: int, made: str, target: str) -> int:
    """Give the finished file its name, never over another; its descriptor, or -1 when it was closed."""
    try:
        handle = DISK.give_name(handle, made, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        _is_there(target, overwrite=False)
        DISK.rename(made, target)
        return handle
    return DISK.settle_name(handle, made, target)
