"""What the options mean that read verbs share: for whom, as of when, in which format, into which file."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from events.errors import Unmet, Unreadable
from games.kit.blocks import Block
from ledger.cli.app import App, ReadOptions, entry_number
from ledger.cli.new_file import write_new
from ledger.cli.terminal import width
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.post.clipboard import copy
from ledger.render import PICTURES, png, svg
from ledger.render.safe import SafeText, joined, json_text
from ledger.tell import reports
from ledger.tell.reports import Shown


def hosts_match(app: App, reading: ReadOptions) -> Match:
    """The match at the point that the options ask for, for a list that only hosts may read.

    Raises:
        Unreadable: `audience.host_only`; an entry or time that cannot be read.
    """
    if reading.viewer not in (None, "host"):
        theirs = "hl reveal" if reading.viewer == "public" else f"hl summary {reading.viewer}"
        raise Unreadable("audience.host_only", "this list is for hosts", theirs)
    match, point = match_point(app, reading, "host")
    return match.at(point.fold)


def match_point(app: App, reading: ReadOptions, otherwise: str) -> tuple[Match, Shown]:
    """The match with the lines that `--known` leaves, and the point of it that the options ask for.

    Raises:
        Unreadable: audience, entry or time that cannot be read.
    """
    point, known = read_point(app, reading, otherwise), reading.known
    return (app.match if known is None else app.match.as_known(entry_number(known))), point


def read_point(app: App, reading: ReadOptions, otherwise: str) -> Shown:
    """The audience and point of the match that the options ask for.

    Raises:
        Unreadable: audience, entry or time that cannot be read.
    """
    match = app.match
    viewer = reports.viewer_of(match, reading.viewer, otherwise)
    known = None if reading.known is None else entry_number(reading.known)
    return reports.at_point(match, viewer, as_of=reading.as_of, known=known, now=now_ms())


def deliver(app: App, text: SafeText, reading: ReadOptions) -> None:
    """Print it, or write it to the file that was named; no file is overwritten unasked.

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
    """Print lines that a host reads, in the columns of the terminal, or write them to the file that was named.

    Args:
        document: What `-f json` gives in place of the lines.
        styles: Of each line, if they are not all plain.
        paged: Through a pager, if they are more than the screen has.

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
    """Copy what was printed, and say which program took it.

    Raises:
        Unmet: `copy.none`, nothing did: what is pasted next may be another player's.
    """

    program = copy(text)
    if not program:
        what = "nothing was copied: no program here took the text, and a terminal does not say whether it did"
        raise Unmet("copy.none", what, "hl doctor")
    app.to_host(f"copied by {program}")


def columns(reading: ReadOptions) -> int | None:
    """Columns of the terminal that the output goes to; None where it goes elsewhere, or is copied."""

    return None if reading.target is not None or reading.copy else width()


def deliver_blocks(app: App, blocks: Sequence[Block], reading: ReadOptions) -> None:
    """Print blocks in the format asked for, or write them to the file that was named.

    Raises:
        Unreadable: `picture.none`, `picture.extra`, `picture.terminal`; as `deliver`.
    """
    if reading.fmt == "png":
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
            f"no font here has {' '.join(lacking)}: a box is drawn in its place; -f svg takes the reader's fonts"
        )
    if reading.target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    _write(app, reading.target, data, reading)
