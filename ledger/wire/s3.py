"""The S3 wire: one object a command, created only if nothing has its name.

An object is called by the number of its first line, in nine digits, under the name of the match. It holds the numbers
of its lines and the hash of the line before them; then for each line its hash, a space, and the line as it is stored.
Objects come whole and are never changed, so whoever has seen a line has seen all of its object: for all who know the
same head the same name is the next one, and one of them gets it.

Belongs here: what lies in the bucket, and the two operations. Nothing that a store says is shown. Credentials come from
the environment or the profile of the AWS tools, never from the address.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from events.entry import GENESIS
from events.errors import Damaged, NotInstalled, NotRecorded, OutcomeUnknown, Refused
from ledger.wire.protocol import Place, Stored, Wire, overtaken, read_rows, rows_text, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

MAX_OBJECT_BYTES = 64 * 1024 * 1024
MAX_REQUESTS = 16
"""Objects that are asked for at the same time."""
PROBE = "host-ledger-probe"
"""The object that is created by several at once: a good store lets one of them at most."""
_BACK = (64, 4096, 1_000_000_000)
"""How many lines before the one looked for the object may begin that holds it; mostly the first is enough."""
_HEAD = re.compile(rb"host-ledger ([1-9][0-9]{0,8})-([1-9][0-9]{0,8}) ([0-9a-f]{64})\n")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_LOOK = "look at it with: aws s3 ls"


class S3Wire(Wire):
    """One match in one bucket.

    Args:
        place: With the name of the match there.
    """

    pause = 3.0

    def __init__(self, place: Place) -> None:
        self.place = place
        self._store: Any = None
        self._at: tuple[int, str] | None = None
        """Number and hash of the last line that was seen."""
        self._last = ""
        """The key of the object that holds it."""

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from `seq` on. See `Wire`; besides, Damaged `wire.foreign`, `wire.gaps`."""
        self._at = None
        rows: list[Stored] = self._asked(lambda: self._tail(seq), wait)
        return rows

    async def _tail(self, seq: int) -> list[Stored]:
        import asyncio

        store, some = self._open(), asyncio.Semaphore(MAX_REQUESTS)

        async def read(key: str) -> bytes:
            async with some:
                return bytes(await (await store.get_async(key)).bytes_async())

        keys = await self._keys(seq)
        rows: list[Stored] = []
        first = 0
        for key, data in zip(keys, await asyncio.gather(*map(read, keys)), strict=True):
            began, prev, held = _object(key, data)
            first = first or began
            if began != first + len(rows) or prev != (rows[-1].hash if rows else prev if began > 1 else GENESIS):
                raise _gaps()
            rows += held
        if rows:
            self._at, self._last = (first + len(rows) - 1, rows[-1].hash), keys[-1]
        if first > seq:
            raise _gaps()
        return rows[max(seq - first, 0) :]

    async def _keys(self, seq: int) -> list[str]:
        """The keys of the objects from that on which holds line `seq`; fewer lines there are none."""
        for back in _BACK:
            found: list[str] = []
            async for some in self._open().list(self.place.name, offset=self._key(max(seq - back, 0))):
                if any(one["size"] > MAX_OBJECT_BYTES for one in some):
                    raise _foreign()
                found += [one["path"] for one in some]
            found.sort()
            begun = [at for at, key in enumerate(found) if key <= self._key(seq)]
            if begun or back >= seq:
                break
        return found[begun[-1] if begun else 0 :]

    def _key(self, seq: int) -> str:
        return f"{self.place.name}/{seq:09d}"

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append lines, as one object. See `Wire`; besides, Refused `wire.unguarded`, NotRecorded `wire.refused`."""
        if self._at != ((seq - 1, prev) if seq > 1 else None):
            raise overtaken()
        data = f"host-ledger {seq}-{seq + len(rows) - 1} {prev}\n{rows_text(rows)}".encode("ascii")
        if seq == 1:
            self._asked(self._probe, wait)
        try:
            if not self._asked(lambda: self._put(self._key(seq), data), wait, sent=True):
                raise overtaken()
        except OutcomeUnknown:
            self.settle(seq, rows)
        self._at, self._last = (seq + len(rows) - 1, rows[-1].hash), self._key(seq)

    async def _put(self, key: str, data: bytes) -> bool:
        """Create an object; is it there now with these bytes, by this try or an earlier one?"""
        from obstore.exceptions import AlreadyExistsError

        try:
            await self._open().put_async(key, data, mode="create")
        except AlreadyExistsError:
            return bytes(await (await self._open().get_async(key)).bytes_async()) == data
        return True

    async def _probe(self) -> None:
        """See that of several who create an object at once the store lets one: else two hosts could write one line.

        Raises:
            Refused: `wire.unguarded`.
        """
        import asyncio

        tries = (self._put(PROBE, b"host-ledger %d\n" % n) for n in range(MAX_REQUESTS))
        if sum(await asyncio.gather(*tries)) > 1:
            what = "this store writes over what is there although asked not to (If-None-Match); nothing was shared"
            raise Refused("wire.unguarded", what, "share it at a store with conditional writes, or by way of git")

    def changed(self, wait: float) -> bool:
        """Is there an object after the last that was seen? See `Wire`."""
        found: bool = self._asked(self._newer, max(wait, 2.0))
        return found

    async def _newer(self) -> bool:
        async for some in self._open().list(self.place.name, offset=self._last or self._key(0)):
            if some:
                return True
        return False

    def names(self, wait: float) -> list[str]:
        """The names of the matches in the bucket. Raises as `tail`."""

        async def folders() -> list[str]:
            found: list[str] = (await self._open().list_with_delimiter_async())["common_prefixes"]
            return found

        found: list[str] = self._asked(folders, wait)
        return sorted(name for name in found if _NAME.fullmatch(name))

    def _open(self) -> Any:
        """The bucket."""
        if self._store is None:
            from obstore.store import S3Store

            bucket, _, prefix = self.place.server.removeprefix("s3://").partition("/")
            local = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
            self._store = S3Store(
                bucket,
                prefix=prefix or None,
                client_options={"allow_http": local, "connect_timeout": "5s", "timeout": "60s"},
                retry_config={"max_retries": 1},
                **_profile(os.environ),
            )
        return self._store

    def _asked(self, what: Callable[[], Coroutine[Any, Any, Any]], wait: float, *, sent: bool = False) -> Any:
        """The answer, or what it means that there is none.

        Raises:
            NotRecorded: `wire.unreachable`, `wire.denied`, `wire.missing`. OutcomeUnknown: `wire.unknown`, if `sent`.
            NotInstalled: `wire.extra`.
        """
        import asyncio

        with NotInstalled("wire.extra", "a match that is shared by way of S3", "s3"):
            from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
        try:
            return asyncio.run(asyncio.wait_for(what(), wait))
        except (PermissionDeniedError, UnauthenticatedError):
            told = "nothing was recorded: the store does not let this machine in"
            raise NotRecorded("wire.denied", told, "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and its secret") from None
        except (BaseError, OSError, ValueError) as error:
            if "NoSuchBucket" in str(error):
                raise NotRecorded("wire.missing", "nothing was recorded: there is no such bucket", _LOOK) from None
            if sent:
                raise unknown() from None
            raise NotRecorded("wire.unreachable", "nothing was recorded: the server does not answer", _LOOK) from None


def _object(key: str, data: bytes) -> tuple[int, str, list[Stored]]:
    """(number of its first line, hash of the line before, lines) of an object. Raises Damaged: `wire.foreign`."""
    head = _HEAD.match(data)
    rows = read_rows(data[head.end() :]) if head else []
    if head is None or int(head[2]) - int(head[1]) + 1 != len(rows):
        raise _foreign()
    if key.rpartition("/")[2] != f"{int(head[1]):09d}":
        raise _foreign()
    return int(head[1]), head[3].decode(), rows


def _profile(env: Mapping[str, str]) -> dict[str, Any]:
    """What the files of the AWS tools say, where the environment does not: keys, region, endpoint."""
    from configparser import ConfigParser, Error

    known: dict[str, str] = {}
    name = env.get("AWS_PROFILE", "default")
    for variable, file, section in (
        ("AWS_CONFIG_FILE", "config", name if name == "default" else f"profile {name}"),
        ("AWS_SHARED_CREDENTIALS_FILE", "credentials", name),
    ):
        read = ConfigParser(interpolation=None)
        try:
            read.read(env.get(variable) or os.path.expanduser(f"~/.aws/{file}"), encoding="utf-8")
            known |= dict(read[section]) if read.has_section(section) else {}
        except (Error, OSError, ValueError):
            pass  # a file that cannot be read says nothing; the store will
    given: dict[str, Any] = {}
    if "AWS_ACCESS_KEY_ID" not in env and "aws_access_key_id" in known:
        names = {"aws_access_key_id": "access_key_id", "aws_secret_access_key": "secret_access_key",
                 "aws_session_token": "token"}  # fmt: skip
        given |= {ours: known[theirs] for theirs, ours in names.items() if theirs in known}
    if not env.keys() & {"AWS_REGION", "AWS_DEFAULT_REGION"} and "region" in known:
        given["region"] = known["region"]
    if not env.keys() & {"AWS_ENDPOINT", "AWS_ENDPOINT_URL"} and "endpoint_url" in known:
        given["endpoint"] = known["endpoint_url"]
    return given


def _foreign() -> Damaged:
    what = "the folder of this match in the bucket holds what host-ledger did not put there"
    return Damaged("wire.foreign", what, "hl unshare")


def _gaps() -> Damaged:
    what = "the objects of this match in the bucket lack lines, or hold some twice"
    return Damaged("wire.gaps", what, "hl unshare")
