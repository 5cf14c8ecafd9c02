"""A log in memory: its entries in the order of the file, and where the reader stopped.

`refresh` reads only new lines while the file is the same one; `run` and a shell keep the book between commands.
"""

from __future__ import annotations

from collections.abc import Iterable

from events import Body, Damaged, Entry, Line, LogFile, Mark, NotCanonical, Reading, Unreadable, read_body
from ledger.core.logs import open_log
from ledger.core.replay import FORMAT


class Book:
    """The entries of one log.

    Attributes:
        entries: Line n is entries[n - 1].
        notes: Warnings of the last reading, for stderr.

    `local` reads the lines on this machine, also for a shared match.
    """

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
        """The receipt: the hash of the last line."""
        return self.entries[-1].hash

    @property
    def game_id(self) -> str:
        """The hash of line 1."""
        return self.entries[0].hash

    def refresh(self) -> None:
        """Read the new lines, without lock.

        Raises:
            Damaged, Unreadable: it does not verify, or there is no log; `log.redacted` for a copy with closed lines.
        """
        self.take(self.log.read(self.mark))

    def take(self, reading: Reading) -> None:
        """Adopt a reading made elsewhere (under the lock)."""
        if reading.whole:
            self.entries = []
        self.entries.extend(opened(reading.lines))
        self.mark, self.notes = reading.mark, reading.notes

    def appended(self, lines: list[Line], bodies: Iterable[Body], mark: Mark) -> None:
        """Adopt lines that were just written."""
        self.entries.extend(Entry(line.seq, line.hash, body) for line, body in zip(lines, bodies, strict=True))
        self.mark = mark


def opened(lines: Iterable[Line]) -> Iterable[Entry]:
    """The entries of these lines, strictly read.

    Raises:
        Damaged: `log.not_canonical`, naming the line. Unreadable: `log.redacted`, at a closed line; `log.newer`, when
            line 1 names a format that this release does not know.
    """
    for line in lines:
        if line.body is None:
            message = f"line {line.seq} is closed: a redacted log can be verified, not folded or continued"
            raise Unreadable("log.redacted", message, "hl verify")
        try:
            body = read_body(line.body)
        except NotCanonical as error:
            message = f"line {line.seq} is not as the ledger writes it: {error}"
            raise Damaged("log.not_canonical", message, "hl verify", line=line.seq) from None
        version = body.args.get("format") if line.seq == 1 else None
        if isinstance(version, int) and version > FORMAT:
            message = f"this log is of format {version}, and this release reads format {FORMAT}"
            fix = "install a newer host-ledger; hl verify still checks chain and seals"
            raise Unreadable("log.newer", message, fix)
        yield Entry(line.seq, line.hash, body)
