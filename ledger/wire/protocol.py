"""The interface of a wire to a server, and the URLs that name a place on one.

URLs that could contain a secret or an option are refused. Only this module knows the parts of a URL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from events.errors import LedgerError, Moved, OutcomeUnknown, Unreadable
from events.record import NamedTuple

READ_WAIT = 2.0
"""Seconds that a read command waits for a server before it answers from the mirror."""
WRITE_WAIT = 20.0
"""Seconds that a recording command waits for new lines."""
PUSH_WAIT = 30.0
"""Seconds that a recording command waits for the server to accept its entries."""
LOOK_AGAIN = 5.0
"""Seconds that it waits when it asks the server what became of a push without an answer."""


class Wire:
    """The lines of one match on a server. No operation changes an existing line.

    pause: Seconds between two calls of `changed`; 0 if the server notifies by itself.

    Every operation raises NotRecorded if nothing was sent or the server refused (`wire.unreachable`, `wire.denied`,
    ...), and Damaged if the data there is not a match's.
    """

    pause = 0.0

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from number `seq` (1 or more) on, in order; none if there are fewer, or no match at all.

        Args:
            wait: Seconds after which the server counts as unreachable.
        """
        raise NotImplementedError

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append these lines, the first with number `seq`, all or none, if the last line there is `prev`.

        Pushing the same rows again succeeds and adds nothing.

        Raises:
            Moved: The last line there is another one; nothing was recorded.
            OutcomeUnknown: The lines were sent, and no answer came.
        """
        raise NotImplementedError

    def changed(self, wait: float) -> bool:
        """Whether there may be lines after the last one seen. If the server notifies by itself, wait for it, at most
        `wait` seconds."""
        raise NotImplementedError

    def names(self, wait: float) -> list[str]:
        raise NotImplementedError

    def tidy(self) -> None:
        """Clean up the wire's files on this machine, if it is worth while."""

    def forget(self) -> None:
        """Delete what the wire keeps on this machine."""

    def found(self, seq: int, rows: Sequence[Stored]) -> bool | None:
        """Whether the lines are in place after a push without an answer; None if it cannot be known yet."""
        try:
            there = self.tail(max(seq - 1, 1), LOOK_AGAIN)
        except LedgerError:
            return None
        there = there[1:] if seq > 1 else there
        return there[: len(rows)] == list(rows) if there else None

    def settle(self, seq: int, rows: Sequence[Stored]) -> None:
        """Find out what became of a push without an answer. Raises as `push`."""
        if (found := self.found(seq, rows)) is None:
            what = "whether this was recorded is unknown: it was sent to the server, and no answer came"
            raise OutcomeUnknown("wire.unknown", what, "hl sync")
        if not found:
            raise overtaken()


def overtaken() -> Moved:
    return Moved("wire.moved", "nothing was recorded: others recorded first, again and again", "run it again")


class Stored(NamedTuple):
    """A line as a server keeps it. hash: 64 hex digits. data: one line of ASCII, the line itself or its ciphertext."""

    hash: str
    data: str


def rows_text(rows: Sequence[Stored]) -> str:
    """The text of several lines in one file: for each its hash, a space and its data."""
    return "".join(f"{row.hash} {row.data}\n" for row in rows)


def read_rows(data: bytes) -> list[Stored]:
    """The lines in a file that `rows_text` made; empty if any part of it is something else.

    >>> read_rows(rows_text([Stored("a" * 64, "{}")]).encode())[0].data, read_rows(b"what")
    ('{}', [])
    """
    found = re.findall(r"([0-9a-f]{64}) ([\x21-\x7e][\x20-\x7e]*)\n", data.decode("ascii", "replace"))
    found = [Stored(*row) for row in found]
    return found if rows_text(found).encode() == data else []


class Place(NamedTuple):
    """Where a shared match is kept. url: as hosts pass it on. server: the address for git or PostgreSQL. name: the name
    of the match there; "" if there should be only one."""

    url: str
    server: str
    name: str


_NAME = r"(?:#([a-z0-9][a-z0-9_-]{0,63}))?"
_GIT = rf"(?a)git\+(ssh|https|file)://([^/?#]*)(/[^?#]*){_NAME}"
_POSTGRES = rf"(?a)(postgresql)://([^/?#]*)(/[\w-]+(?:\?[^#]*)?){_NAME}"
_HOST = r"(?a)(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?"
_QUERY = r"(?a)(host|port|user|sslmode|sslrootcert|channel_binding)=[\w./-]*"
_SHAPES = "git+ssh://HOST/PATH#NAME, git+https://HOST/PATH#NAME, git+file:///PATH#NAME or postgresql://HOST/DB#NAME"


def read_place(typed: str) -> Place:
    """Read the place that a URL names.

    Raises:
        Unreadable: `wire.password`, it contains a password; `wire.url`, it is not such a URL. Neither shows the URL.

    >>> read_place("git+ssh://git@example.org/club/hl.git#ep4")
    Place(url='git+ssh://git@example.org/club/hl.git#ep4', server='ssh://git@example.org/club/hl.git', name='ep4')
    """
    rest = typed.partition("://")[2].partition("/")[0]
    if ":" in rest.rpartition("@")[0] or "%" in rest or "password" in typed.partition("?")[2].lower():
        what = "this URL holds a password, which would be kept and shown; it was not used"
        raise Unreadable("wire.password", what, "leave it out: git asks its credential helper, or ssh its agent")
    found = re.fullmatch(_GIT, typed.strip()) or re.fullmatch(_POSTGRES, typed.strip())
    if found is None or not _good(*found.groups()[:3]):
        raise Unreadable("wire.url", f"that is not the URL of a shared match: {_SHAPES}", "hl share --help")
    scheme, host, path, name = found.groups()
    return Place(typed.strip(), f"{scheme}://{host}{path}", name or "")


def read_scheduler(typed: str) -> str:
    """Read the address of a cluster's scheduler.

    Raises:
        Unreadable: `audit.scheduler`, it is not an address, or it is on another machine and without certificates.
    """
    found = re.fullmatch(r"(tls|tcp)://([^/?#@]+:[0-9]{1,5})/?", typed)
    if found is None or not re.fullmatch(_HOST, found[2]) or (found[1] == "tcp" and not is_here(found[2])):
        what = "that is not a scheduler: tls://HOST:PORT; tcp://HOST:PORT on this machine only"
        raise Unreadable("audit.scheduler", what, "hl audit --scheduler tls://HOST:8786 FOLDER")
    return typed.rstrip("/")


def is_here(host: str) -> bool:
    """Whether a host name, with or without a port, means this machine."""
    return re.fullmatch(r"(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?", host) is not None


def _good(scheme: str, host: str, path: str) -> bool:
    path, _, query = path.partition("?")
    if query and not all(re.fullmatch(_QUERY, part) for part in query.split("&")):
        return False
    here = host == "" and scheme in ("file", "postgresql")
    user = host.rpartition("@")[0]  # servers accept a token in place of name and password
    is_token = scheme == "https" and (len(user) > 30 or user.startswith(("ghp_", "gho_", "github_pat_", "glpat-")))
    there = scheme != "file" and re.fullmatch(_HOST, host) is not None and not is_token
    return (here or there) and re.fullmatch(r"/[^\x00-\x20\x7f\\]*", path) is not None
