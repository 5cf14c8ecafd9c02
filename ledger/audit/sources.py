"""Where the logs of an audit lie: in folders, in archives, on a web server or in a bucket.

Belongs here: finding them. Does not belong here: what is in an archive (packed.py), what a URL may say
(ledger/wire/urls.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO, FileIO
from typing import TYPE_CHECKING, Any

from events import Finding
from events.errors import NotInstalled, NotRecorded, Unreadable
from events.head import head_path
from ledger.audit.members import MAX_LOG, LogSource, Member, TooMuch, path_of, read_log
from ledger.audit.packed import MAX_ALL, LimitedFile, PackedFile, copied, logs_in, members_of
from ledger.audit.report import unread
from ledger.core.where import LOG_NAME
from ledger.wire.urls import read_source

if TYPE_CHECKING:
    pass


def find_logs(places: Sequence[str]) -> list[LogSource]:
    """Every log in these places, in one order; in a folder, those below as well. Links are not followed.

    Args:
        places: Folders, logs, archives, and URLs of all three; a file that is no archive is taken for a log.

    Raises:
        Unreadable: `audit.missing`, there is nothing of that name; `audit.empty`, no log is there; `audit.url`,
            `wire.password`, `audit.extra`. NotRecorded: `audit.unreachable`.
    """
    logs: dict[str, LogSource] = {}
    for place in places:
        # With one slash too: a mistyped URL may hold a password.
        if "://" in place or re.match(r"[a-z][a-z0-9+.-]+:/", place):
            sources: Iterator[LogSource] = _far(read_source(place))
        elif os.path.isfile(place):
            sources = iter([place]) if place.endswith(".jsonl") else _near(place)
        elif os.path.isdir(place):
            sources = _below(place)
        else:
            raise Unreadable("audit.missing", f"there is nothing at {place}", "hl audit FOLDER")
        for source in sources:
            logs.setdefault(path_of(source), source)
    if not logs:
        raise Unreadable("audit.empty", f"no log is in {' or '.join(places)}", "a log is a file that ends in .jsonl")
    return list(logs.values())


def _below(place: str) -> Iterator[str]:
    for folder, folders, files in os.walk(place):
        folders.sort()
        for name in sorted(files, key=lambda name: (name != LOG_NAME, name)):
            path = os.path.join(folder, name)
            if name.endswith(".jsonl") and not os.path.islink(path):
                yield path


def _near(place: str) -> Iterator[LogSource]:
    try:
        file = LimitedFile(FileIO(place))
        return logs_in(file, place) or iter([place])
    except OSError:
        return iter([place])  # `verify` says why it cannot be read


def _far(url: str) -> Iterator[LogSource]:
    """The logs behind a URL: one, those in an archive, or those below a name in a bucket."""
    server = _server(url)
    try:
        if url.endswith(".jsonl"):
            opened = partial(server.open, url, "rb"), partial(server.open, head_path(url), "rb")
            return iter([Member(url, MAX_LOG, partial(read_log, url, *opened))])
        if url.startswith("s3:") and not server.isfile(url):
            sizes = {name: row["size"] for name, row in server.find(url, detail=True).items()}
            entries = [
                PackedFile(name, size, "", lambda name=name: BytesIO(server.cat_file(name)))  # type: ignore[misc]
                for name, size in sizes.items()
                if name.endswith((".jsonl", head_path(".jsonl")))
            ]
            return members_of(entries, "s3:/", MAX_ALL)
        not_a_log = unread(url, Finding(1, "audit.archive", "this is no zip, no tar, and no log, which ends in .jsonl"))
        return logs_in(copied(server.open(url, "rb"), MAX_ALL), url) or iter([not_a_log])
    except TooMuch as error:
        raise Unreadable("audit.limit", f"{url} was not read: {error}", "fetch it, then hl audit FILE") from None
    except Exception as error:  # of any kind that the client raises; a server's answer may repeat what was sent
        cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
        if isinstance(cause, FileNotFoundError):
            raise Unreadable("audit.missing", f"there is nothing at {url}", "name an archive or a log") from None
        fix = "keys: ~/.netrc for https, ~/.aws or the environment for s3"
        raise NotRecorded("audit.unreachable", f"{url} cannot be read: {type(cause).__name__}", fix) from None


def _server(url: str) -> Any:
    with NotInstalled("audit.extra", "a URL", "archives"):
        import fsspec

        if url.startswith("s3:"):
            return fsspec.filesystem("s3")
        from aiohttp import ClientTimeout
    session = {"trust_env": True, "timeout": ClientTimeout(total=None, sock_connect=10, sock_read=60)}
    return fsspec.filesystem(url.partition(":")[0], block_size=0, client_kwargs=session)
