"""URLs of shared matches and of clusters: read, and refused where they could hold a secret or an option.

Belongs here: what a URL may look like. Does not belong here: asking what is there. Nothing else in the project knows
the parts of a URL.
"""

from __future__ import annotations

import re

from events.errors import Unreadable
from ledger.wire.protocol import Place

_NAME = r"(?:#([a-z0-9][a-z0-9_-]{0,63}))?"
_GIT = re.compile(rf"git\+(ssh|https|file)://([^/?#]*)(/[^?#]*){_NAME}", re.A)
_POSTGRES = re.compile(rf"(postgresql)://([^/?#]*)(/[\w-]+(?:\?[^#]*)?){_NAME}", re.A)
_HOST = re.compile(r"(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?", re.A)
_PATH = re.compile(r"/[^\x00-\x20\x7f\\]*")
_QUERY = re.compile(r"(host|port|user|sslmode|sslrootcert|channel_binding)=[\w./-]*", re.A)
"""What a PostgreSQL address may say besides."""
_SCHEDULER = re.compile(r"(tls|tcp)://([^/?#@]+:[0-9]{1,5})/?", re.A)
_SHAPES = "git+ssh://HOST/PATH#NAME, git+https://HOST/PATH#NAME, git+file:///PATH#NAME or postgresql://HOST/DB#NAME"


def read_place(typed: str) -> Place:
    """The place a URL names.

    Raises:
        Unreadable: `wire.password`, it holds a password; `wire.url`, anything else that is none. Neither shows it.

    >>> read_place("git+ssh://git@example.org/club/hl.git#ep4")
    Place(url='git+ssh://git@example.org/club/hl.git#ep4', server='ssh://git@example.org/club/hl.git', name='ep4')
    """
    _no_password(typed, "leave it out: git asks its credential helper, or ssh its agent")
    found = _GIT.fullmatch(typed.strip()) or _POSTGRES.fullmatch(typed.strip())
    if found is None or not _good(*found.groups()[:3]):
        raise Unreadable("wire.url", f"that is not the URL of a shared match: {_SHAPES}", "hl share --help")
    scheme, host, path, name = found.groups()
    return Place(typed.strip(), f"{scheme}://{host}{path}", name or "")


def read_scheduler(typed: str) -> str:
    """The address of a cluster's scheduler.

    Raises:
        Unreadable: `audit.scheduler`, it is none, or one without certificates on another machine.
    """
    found = _SCHEDULER.fullmatch(typed)
    if found is None or not _HOST.fullmatch(found[2]) or (found[1] == "tcp" and not is_here(found[2])):
        what = "that is no scheduler: tls://HOST:PORT; tcp://HOST:PORT on this machine only"
        raise Unreadable("audit.scheduler", what, "hl audit --scheduler tls://HOST:8786 FOLDER")
    return typed.rstrip("/")


def is_here(host: str) -> bool:
    """Whether this host, with or without a port, is this machine."""
    return re.fullmatch(r"(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?", host) is not None


def _no_password(typed: str, fix: str) -> None:
    rest = typed.partition("://")[2].partition("/")[0]
    if ":" in rest.rpartition("@")[0] or "%" in rest or "password" in typed.partition("?")[2].lower():
        what = "this URL holds a password, which would be kept and shown; it was not used"
        raise Unreadable("wire.password", what, fix)


def _good(scheme: str, host: str, path: str) -> bool:
    """May these stand in a URL?"""
    path, _, query = path.partition("?")
    if query and not all(_QUERY.fullmatch(part) for part in query.split("&")):
        return False
    here = host == "" and scheme in ("file", "postgresql")
    user = host.rpartition("@")[0]  # servers take a token in the place of name and password
    is_token = scheme == "https" and (len(user) > 30 or user.startswith(("ghp_", "gho_", "github_pat_", "glpat-")))
    there = scheme != "file" and _HOST.fullmatch(host) is not None and not is_token
    return (here or there) and _PATH.fullmatch(path) is not None
