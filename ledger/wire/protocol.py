"""What a wire to a server is: its two operations, and the URLs that name a place on one.

URLs are refused where they could hold a secret or an option. Nothing else in the project knows the parts of a URL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from events.errors import LedgerError, Moved, OutcomeUnknown, Unreadable
from events.record import NamedTuple

READ_WAIT = 2.0
"""Seconds a command that only looks waits for a server; then it answers from the mirror."""
WRITE_WAIT = 20.0
"""Seconds a command that records waits for what is new."""
PUSH_WAIT = 30.0
"""Seconds it waits for its entries to be taken."""
LOOK_AGAIN = 5.0
"""Seconds it waits for the server, where its push got no answer."""


class Wire:
    """The lines of one match, elsewhere. No operation changes a line that is there.

    pause: Seconds between two looks for `changed`; 0 where the server tells by itself.

    Every operation raises NotRecorded when nothing was sent or the server said no (`wire.unreachable`, `wire.denied`,
    ...), and Damaged when what is there is not a match's.
    """

    pause = 0.0

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from number `seq` (1 or more) on, in order; none where there are fewer, or no match at all.

        Args:
            wait: Seconds after which the server counts as unreachable.
        """
        raise NotImplementedError

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append these lines, the first of them number `seq`, all or none: only if the last line there is `prev`.

        The same rows again are no second entry: who pushes what is there already, at its place, has succeeded.

        Raises:
            Moved: Another line is the last; nothing was recorded.
            OutcomeUnknown: They were sent, and no answer came.
        """
        raise NotImplementedError

    def changed(self, wait: float) -> bool:
        """May there be something after the last line that was seen? Where the server tells by itself, it is waited
        for, at most `wait` seconds."""
        raise NotImplementedError

    def names(self, wait: float) -> list[str]:
        raise NotImplementedError

    def tidy(self) -> None:
        """Put in order what the wire keeps on this machine, when that is worth while."""

    def forget(self) -> None:
        """Take away what the wire keeps on this machine."""

    def found(self, seq: int, rows: Sequence[Stored]) -> bool | None:
        """After a push without an answer: are the lines at their place? None: nobody can tell yet."""
        try:
            there = self.tail(max(seq - 1, 1), LOOK_AGAIN)
        except LedgerError:
            return None
        there = there[1:] if seq > 1 else there
        return there[: len(rows)] == list(rows) if there else None

    def settle(self, seq: int, rows: Sequence[Stored]) -> None:
        """After a push without an answer: find out what became of it. Raises as `push`."""
        found = self.found(seq, rows)
        if found is None:
            what = "whether this was recorded is unknown: it was sent to the server, and no answer came"
            raise OutcomeUnknown("wire.unknown", what, "hl sync")
        if not found:
            raise overtaken()


def overtaken() -> Moved:
    return Moved("wire.moved", "nothing was recorded: others recorded first, again and again", "run it again")


class Stored(NamedTuple):
    """A line as a server keeps it: its hash (64 hex digits), and one line of ASCII that is the line, or seals it."""

    hash: str
    data: str


def rows_text(rows: Sequence[Stored]) -> str:
    """Lines for a wire that keeps several in one file: of each its hash, a space, and itself."""
    return "".join(f"{row.hash} {row.data}\n" for row in rows)


def read_rows(data: bytes) -> list[Stored]:
    """The lines of such a file; none where any of it is something else.

    >>> read_rows(rows_text([Stored("a" * 64, "{}")]).encode())[0].data, read_rows(b"what")
    ('{}', [])
    """
    found = re.findall(r"([0-9a-f]{64}) ([\x21-\x7e][\x20-\x7e]*)\n", data.decode("ascii", "replace"))
    found = [Stored(*row) for row in found]
    return found if rows_text(found).encode() == data else []


class Place(NamedTuple):
    """Where a shared match lies. url: as hosts hand it on. server: what the engine is given. name: of the match
    there; "" where only one is expected."""

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
    """The place a URL names.

    Raises:
        Unreadable: `wire.password`, it holds a password; `wire.url`, anything else that is none. Neither shows it.

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
    """The address of a cluster's scheduler.

    Raises:
        Unreadable: `audit.scheduler`, it is none, or one without certificates on another machine.
    """
    found = re.fullmatch(r"(tls|tcp)://([^/?#@]+:[0-9]{1,5})/?", typed)
    if found is None or not re.fullmatch(_HOST, found[2]) or (found[1] == "tcp" and not is_here(found[2])):
        what = "that is not a scheduler: tls://HOST:PORT; tcp://HOST:PORT on this machine only"
        raise Unreadable("audit.scheduler", what, "hl audit --scheduler tls://HOST:8786 FOLDER")
    return typed.rstrip("/")


def is_here(host: str) -> bool:
    """Whether this host, with or without a port, is this machine."""
    return re.fullmatch(r"(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?", host) is not None


def _good(scheme: str, host: str, path: str) -> bool:
    path, _, query = path.partition("?")
    if query and not all(re.fullmatch(_QUERY, part) for part in query.split("&")):
        return False
    here = host == "" and scheme in ("file", "postgresql")
    user = host.rpartition("@")[0]  # servers take a token in the place of name and password
    is_token = scheme == "https" and (len(user) > 30 or user.startswith(("ghp_", "gho_", "github_pat_", "glpat-")))
    there = scheme != "file" and re.fullmatch(_HOST, host) is not None and not is_token
    return (here or there) and re.fullmatch(r"/[^\x00-\x20\x7f\\]*", path) is not None
