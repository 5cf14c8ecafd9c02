"""The published randomness: its vectors, what is thrown away, and that no order is favoured.

By chance a 64-bit word is thrown away about never, so the words around the limit are given by hand.

Source: docs/log-format.md, Randomness; docs/audit.md.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from games.kit.luck import WORD, below, mix, shuffle, stream
from tests.support.sizes import log_number, many

SEED = bytes(32)
WORDS = [("ann", "x"), ("bob", "y")]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 40, 52, 2**31 + 1, 2**32 - 1, 2**32])
def test_words_that_would_favour_some_are_thrown_away(n: int) -> None:
    limit = WORD - WORD % n
    for word, thrown in ((limit - 1, False), (limit, True), (limit + 1, True), (WORD - 1, True), (0, False)):
        if word >= WORD:
            continue
        given = iter([word, n + 1])
        assert below(given, n) == ((n + 1) % n if thrown and word >= limit else word % n)
        assert len(list(given)) == (0 if thrown and word >= limit else 1)


def test_what_a_draw_depends_on() -> None:
    """The seed, every word, who gave it, their order, and the label; and nothing is the same by joining texts."""
    keys = [
        mix(SEED, WORDS), mix(SEED, WORDS[::-1]), mix(SEED), mix(bytes(31) + b"\1", WORDS),
        mix(SEED, [("annx", ""), ("bob", "y")]), mix(SEED, [("ann", "xbob"), ("", "y")]), mix(SEED, [("ann", "x")]),
    ]  # fmt: skip
    assert len(set(keys)) == len(keys)
    assert list(islice(stream(keys[0], "deal"), 9)) != list(islice(stream(keys[0], "lot:1"), 9))
    assert len(set(islice(stream(keys[0], "deal"), 1000))) == 1000


def test_no_order_is_favoured(record_property: Any) -> None:
    """All 24 orders of four, within what chance allows (chi-square, 23 degrees: 49.7 is passed once in a thousand)."""
    number = many(4_800, 240_000)
    seen: Counter[tuple[int, ...]] = Counter()
    words = stream(mix(SEED, [("test", "chi-square")]), "deal")
    for _ in range(number):
        cards = [0, 1, 2, 3]
        shuffle(cards, words)
        seen[tuple(cards)] += 1
    expected = number / 24
    assert len(seen) == 24
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 49.7
    log_number(record_property, number)
