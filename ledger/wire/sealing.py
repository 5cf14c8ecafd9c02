"""The form in which lines are sent: encrypted with the key of the match, with the signatures of their senders."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from events.disk import DISK, Disk, attempt
from events.entry import MAX_LINE_BYTES
from events.errors import Damaged, Unreadable
from events.files import add_to_file
from events.record import NamedTuple
from ledger.core.extras import NotInstalled
from ledger.wire.protocol import Stored
from ledger.wire.sidecars import read_file

if TYPE_CHECKING:
    from nacl.secret import SecretBox

CLASS_BYTES = 256
KEY_BYTES = 32
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"


class Sealing(NamedTuple):
    """How the lines of a match are kept on its server. key: 32 bytes, or empty for lines that are not encrypted."""

    key: bytes

    def stored(self, raw: bytes, hash_: str, beside: str = "") -> Stored:
        """A line of the log (with its newline) as the server keeps it; `beside` is a text that is sent with it.

        Raises:
            NotInstalled: `wire.extra`.
        """
        if not self.key:
            other = f" {b64encode(beside.encode()).decode()}" if beside else ""
            return Stored(hash_, raw[:-1].decode("ascii") + other)
        data = raw + beside.encode()
        padded = data + bytes(-len(data) % CLASS_BYTES)
        return Stored(hash_, b64encode(bytes(_box(self.key)[0].encrypt(padded, DISK.random(24)))).decode("ascii"))

    def opened(self, row: Stored) -> bytes:
        return self.both(row)[0]

    def both(self, row: Stored) -> tuple[bytes, str]:
        """The line, and the text that was sent with it, or "".

        Raises:
            Unreadable: `wire.key`. NotInstalled: `wire.extra`. Damaged: `wire.key_other`, it was not written with our
                key.
        """
        plain = row.data.startswith(("{", '"'))
        if not self.key:
            if not plain:
                what = "the entries on the server are encrypted, and no key was given"
                raise Unreadable("wire.key", what, "hl clone URL")
            raw, other = row.data.encode(), ""
            if not raw.endswith(b"}") and b" " in raw:
                raw, _, coded = raw.rpartition(b" ")
                with suppress(ValueError):  # anything may follow a line that is not encrypted
                    other = b64decode(coded, validate=True).decode("utf-8", "replace")
            return raw + b"\n", other
        if plain or len(row.data) > 2 * MAX_LINE_BYTES:
            raise _not_ours()
        box, not_opened = _box(self.key)
        try:
            held = box.decrypt(b64decode(row.data, validate=True))
        except (not_opened, ValueError):
            raise _not_ours() from None
        line, newline, rest = held.rstrip(b"\0").partition(b"\n")
        return line + newline, rest.decode("utf-8", "replace")

    def mark(self, prev: str, url: str) -> Stored:
        """The row that closes a match on its server: after the line `prev`, the URL where it continues, as a JSON
        string. No line of a log is a JSON string."""
        text = json.dumps(url) + "\n"
        return self.stored(text.encode(), sha256(f"host-ledger moved\n{prev}\n{text}".encode()).hexdigest())

    def without_mark(self, rows: Sequence[Stored], prev: str) -> tuple[Sequence[Stored], str]:
        """The lines after the line `prev`, and the URL in the closing mark at their end, or ""."""
        raw = self.opened(rows[-1]) if rows else b""
        if raw[:1] != b'"':
            return rows, ""
        try:
            url = str(json.loads(raw))
        except ValueError:
            return rows, ""
        true = self.mark(rows[-2].hash if len(rows) > 1 else prev, url).hash == rows[-1].hash
        return (rows[:-1], url) if true else (rows, "")


def _not_ours() -> Damaged:
    what = "the key of this match does not open some entries on the server: the key was changed, or others wrote there"
    return Damaged("wire.key_other", what, "ask the host who shared it; hl clone URL asks for the key again")


def _box(key: bytes) -> tuple[SecretBox, type[Exception]]:
    """The box that encrypts and decrypts with a key, and the error that it raises for data of another key."""
    with NotInstalled("wire.extra", "sealing", "share"):
        from nacl import exceptions, secret
    return secret.SecretBox(key), exceptions.CryptoError


def fresh_key() -> bytes:
    key = DISK.random(KEY_BYTES)
    _box(key)
    return key


def words_of(key: bytes) -> str:
    """A key as one line of seventeen words of two bytes each; the last is a checksum.

    >>> words_of(bytes(32))[:17]
    'babab babab babab'
    """
    data = key + sha256(b"host-ledger key\n" + key).digest()[:2]
    return " ".join(_word(data[i] << 8 | data[i + 1]) for i in range(0, len(data), 2))


def _word(number: int) -> str:
    """Sixteen bits as a pronounceable word: consonant, vowel, consonant, vowel, consonant."""
    signs = []
    for many in (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS):
        number, at = divmod(number, len(many))
        signs.append(many[at])
    return "".join(reversed(signs))


def key_of(typed: str) -> bytes:
    """Read a key from its words.

    Raises:
        Unreadable: `wire.key_words`; what was typed is not shown.

    >>> key_of(words_of(bytes(range(32)))) == bytes(range(32))
    True
    """
    numbers = []
    for word in typed.lower().split():
        number = 0
        for sign, many in zip(word, (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS), strict=False):
            number = number * len(many) + max(many.find(sign), 0)
        numbers.append(number)
    data = b"".join(number.to_bytes(2, "big") for number in numbers)
    key = data[:KEY_BYTES]
    if len(data) != KEY_BYTES + 2 or words_of(key) != " ".join(typed.lower().split()):
        raise Unreadable("wire.key_words", "that is not the key of a match: seventeen words in one line", "hl share")
    return key


Signer: TypeAlias = Callable[[int, int, str], str]
"""(number of the first line sent, number of the last, hash of the last) -> signature."""

SIGNED = ".signed"
"""Ending of the file beside the log that has one signature per line, as JSON."""


class Signed(NamedTuple):
    """A host's signature that they sent the lines `first` to `last`, whose last hash is `head`."""

    first: int
    last: int
    head: str
    signature: str

    @property
    def text(self) -> str:
        return f"{self.first}\n{self.signature}"


def signed_rows(rows: Iterable[Stored], sealing: Sealing, seq: int) -> list[Signed]:
    """The signatures that were sent with these lines; the first line has number `seq`."""
    found = []
    for number, row in enumerate(rows, seq):
        first, _, signature = sealing.both(row)[1].partition("\n")
        if first.isdecimal() and len(first) < 10 and 1 <= int(first) <= number:
            found.append(Signed(int(first), number, row.hash, signature))
    return found


def keep_signed(disk: Disk, path: str, several: Sequence[Signed]) -> OSError | None:
    """Add signatures to the file beside the log at `path`, before the lines are recorded; return the error, if any."""
    lines = "".join(f"\n{json.dumps(one._asdict())}\n" for one in several)  # the first newline ends a broken line
    return attempt(add_to_file, disk, path + SIGNED, lines.encode()) if several else None


def read_signed(disk: Disk, path: str) -> list[Signed]:
    """The signatures kept beside the log at `path`, without duplicates and unreadable ones."""
    try:
        data = read_file(disk, path + SIGNED)
    except OSError:
        return []
    found = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        with suppress(ValueError, KeyError, TypeError, OverflowError, RecursionError):
            kept = json.loads(line) if line else {}
            one = Signed(int(kept["first"]), int(kept["last"]), str(kept["head"]), str(kept["signature"]))
            found[one[:3]] = one
    return list(found.values())
