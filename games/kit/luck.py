"""The published randomness: anyone can repeat a deal or a lot from the seed in the log, in any language.

What belongs here: commitment, mixing, stream, shuffle, exactly as docs/log-format.md section "Randomness" says.
What does not: making a seed (the ledger does that) and what is drawn (the game says).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, MutableSequence
from itertools import groupby
from typing import Any, TypeVar

from events.canon import dumps

T = TypeVar("T")
WORD = 2**64


def commitment(game_id: str, seed: bytes) -> str:
    """The commitment that is published before anybody adds words: it fixes the 32-byte seed without revealing it.

    >>> commitment("demo", bytes(32))
    'cccac7fa59481c1f200ee70cf9422b773d459620544c55fb643e1b652522a4f7'
    """
    return hashlib.sha256(b"hl-deal-v1\0" + game_id.encode() + b"\0" + seed).hexdigest()


def mix(seed: bytes, words: Iterable[tuple[str, str]] = ()) -> bytes:
    """The key of all draws: the seed, and what players added as (player, text) in order.

    >>> mix(bytes(32), [("ann", "x"), ("bob", "y")]).hex()
    'ad1b48ddb51f35a31e18b5a84260210cf8f0bfe72f61d2d35e0e85351f94093e'
    """
    parts = [b"hl-mix-v1\0"]
    for word in words:
        for text in word:
            data = text.encode()
            parts.append(len(data).to_bytes(4, "big") + data)
    return hmac.digest(seed, b"".join(parts), "sha256")


def stream(key: bytes, label: str) -> Iterator[int]:
    """Endless 64-bit words for one draw. `label` is `deal`, `lot:<seq>`, or `draw:<its label>`."""
    prefix = b"hl-stream-v1\0" + label.encode() + b"\0"
    block = 0
    while True:
        data = hmac.digest(key, prefix + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def below(words: Iterator[int], n: int) -> int:
    """A whole number from 0 to n - 1, all equally likely: words that would favour some are discarded.

    Args:
        n: 1 to 2**32.
    """
    limit = WORD - WORD % n
    return next(word for word in words if word < limit) % n


def shuffle(items: MutableSequence[Any], words: Iterator[int]) -> None:
    """Fisher-Yates in place, from the end.

    >>> cards = list(range(10)); shuffle(cards, stream(mix(bytes(32), [("ann", "x"), ("bob", "y")]), "deck")); cards
    [4, 1, 7, 0, 5, 8, 2, 6, 9, 3]
    """
    for i in range(len(items) - 1, 0, -1):
        j = below(words, i + 1)
        items[i], items[j] = items[j], items[i]


def deal(deck: Iterable[T], seats: Iterable[str], each: int, key: bytes) -> dict[str, tuple[T, ...]]:
    """Shuffle the deck (in its documented order) and give seat i the next `each` cards."""
    cards = list(deck)
    shuffle(cards, stream(key, "deal"))
    return {seat: tuple(cards[i * each : (i + 1) * each]) for i, seat in enumerate(seats)}


def digest(source: Mapping[str, Any]) -> str:
    """How a commitment names a draw: the SHA-256 of the draw's source in canonical JSON.

    >>> digest({"label": "role", "shuffle": ["sheep", "wolf"]})[:16]
    'dec2d977ccba7a13'
    """
    return hashlib.sha256(dumps(source)).hexdigest()


def repeat(source: Mapping[str, Any], key: bytes, seq: int, label: str = "") -> tuple[str, ...]:
    """The outcome of the draw in entry `seq`: an order, one word of a list, or for each player a word of each list.

    A draw that a commitment fixes uses its label in place of `seq`, so the same key gives the same outcome anywhere.

    >>> repeat({"shuffle": ["ann", "bob", "cyd"]}, mix(bytes(32)), 7)
    ('cyd', 'ann', 'bob')
    >>> repeat({"each": ["ann", "bob"], "of": [["rock", "paper"], ["+", "-"]]}, mix(bytes(32)), 7)
    ('ann rock +', 'bob paper +')
    """
    words = stream(key, f"draw:{label}" if label else f"lot:{seq}")
    if "shuffle" in source:
        drawn = list(source["shuffle"])
        shuffle(drawn, words)
        return tuple(drawn)
    if "one" in source:
        return (source["one"][below(words, len(source["one"]))],)
    return tuple(" ".join([who, *(of[below(words, len(of))] for of in source["of"])]) for who in source["each"])


def pack(cards: Iterable[str]) -> list[list[Any]]:
    """Cards in order, as an entry keeps them: (card, how many equal ones follow each other).

    >>> pack(["B1", "B1", "R1"])
    [['B1', 2], ['R1', 1]]
    """
    return [[card, len([*copies])] for card, copies in groupby(cards)]


def lot(among: Iterable[str], key: bytes, seq: int) -> str:
    """One of `among` (in their given order) for the lot that is entry `seq`."""
    return repeat({"one": list(among)}, key, seq)[0]
