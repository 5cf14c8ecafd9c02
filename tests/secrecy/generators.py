"""The generators of pairs: the file of this folder that bears the name of a game, and what they share.

Each has `draw`, which makes a candidate for a pair, and `knows`, which says what a viewer may know; besides:

* `QUICK`: so many pairs get everywhere, and each seeded leak is found among them: the pairs of the quick run.
* `TELLING`: those of them that show most seeded leaks: where the search begins, only to be quick.
* `TOLD_AT_ONCE`: overrides that are drawn in no hidden position, each with the reason.
* `OPENING`: settings on which depends who may know something, where a look must find them.
* `OF_PLAY`: the others: by them other things happen, and nobody may know more of it.
"""

from __future__ import annotations

import importlib
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.secrecy.script import PUBLIC, Look, Pair, Script, Step

HERE = Path(__file__).resolve().parent
HOUR, MINUTE = 3_600_000, 60_000
BEGAN = 1_795_000_000_000
DRAWN_BY_NONE = {"points": "everybody is told, and it is the same in both"}
WORDS = ("bob looks worried", "asked twice", "see the chat", "0")
Words = Sequence[str]


def has_generator(game: str) -> bool:
    """Is there one for this game?"""
    return (HERE / f"{game}.py").is_file()


def generator(game: str) -> ModuleType:
    """The one for this game."""
    return importlib.import_module(f"tests.secrecy.{game}")


def match_file(game: str, players: Mapping[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """A match file, as `tomllib` would read it."""
    rows = {p: {"name": p.title(), **row} for p, row in players.items()}
    return {"game": game, "title": "Episode", "zone": "UTC", "hosts": ["mara", "theo"], "players": rows, **more}


class Side:
    """One of the two matches while it is drawn: its hidden steps."""

    def __init__(self, garnets: Mapping[str, int]) -> None:
        self.garnets = dict(garnets)
        self.steps: list[Step] = []


class Drawing:
    """Both matches of a pair, round by round.

    Attributes:
        sides: The two matches.
        shared: The steps that the viewer knows of, and looks.
        probes: Commands of the viewer that are tried at a look, given where it is.
    """

    WORDS: Sequence[str] = WORDS
    sides: Sequence[Any]
    probes: Callable[..., tuple[tuple[str, ...], ...]]

    def __init__(self, rng: random.Random, names: Sequence[str], *, public: int = 2) -> None:
        self.rng = rng
        self.viewer = rng.choice([*names, *[PUBLIC] * public])
        self.others = [p for p in names if p != self.viewer]
        self.now, self.marks = BEGAN, itertools.count(1)
        self.shared: list[Step | Look] = []

    def show(self, words: Words, at: int, **more: Any) -> None:
        """A step that the viewer knows of."""
        self.shared.append(Step(tuple(words), at, seen=True, **more))

    def add(self, side: Any, words: Words, least: int, most: int, **more: Any) -> None:
        """A hidden step between these minutes of the round."""
        at = self.now + self.rng.randint(least * MINUTE + 1, most * MINUTE + 1)
        side.steps.append(Step(tuple(words), at, **more))

    def sent(
        self, side: Any, p: str, words: Words | None, decoy: Words, wrong: Callable[[], Words], *, late: bool,
        forms: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """A sheet that counts, or none, in one of the ways in which it can have come.

        Args:
            decoy: A sheet that does not count.
            wrong: Draws one that is refused.
            late: May it come after the deadline?
            forms: More ways.
        """
        mark = f"s{next(self.marks)}"
        form = self.rng.choice(["plain", "plain", "replaced", "late", "extra", "undone", *forms, "refused"])
        if form in ("undone", "withdrawn") or (form == "replaced" and words is not None):
            self.add(side, decoy, 2, 50, mark=mark if form == "undone" else "")
        if form in ("undone", "withdrawn"):
            self.add(side, ("undo", f"@{mark}") if form == "undone" else ("withdraw", p), 51, 60)
        elif form == "refused":
            self.add(side, wrong(), 2, 290, ok=False)
        elif form == "extra" and late:
            self.add(side, decoy, 301, 350)
        if words is None:
            if self.rng.random() < 0.4:
                self.add(side, ("blank", p), 61, 290)
        elif form == "late" and late:
            self.add(side, words, 301, 350, mark=mark)
            self.add(side, ("ruling", f"admit @{mark}"), 351, 359)
        else:
            self.add(side, words, 61, 290)

    def remark(self, *more: str) -> tuple[str, ...]:
        """Something that hosts write down of somebody.

        Args:
            more: Further verbs with a player.
        """
        rng, q = self.rng, self.rng.choice(self.others)
        said = [("note", rng.choice(self.WORDS)), ("ruling", rng.choice(self.WORDS)), ("breach", q)]
        return rng.choice([*said, *((verb, q) for verb in more), ("alias", q, f"x{rng.randrange(10**6)}")])

    def remarks(self, side: Any) -> None:
        """What hosts write down besides."""
        for _ in range(self.rng.choice([0, 1, 3])):
            self.add(side, self.remark(), 0, 300)

    def token(self, side: Any) -> None:
        """One that a host gives: after the end everybody may know of it."""
        self.add(side, ("award", self.rng.choice(self.others), "tokens", "1"), 0, 300)

    def given_and_taken(self, side: Any, given: tuple[int, int], taken: tuple[int, int]) -> None:
        """Garnets for somebody, and the same taken away again, between these minutes."""
        q = self.rng.choice(self.others)
        self.add(side, ("award", q, "garnets", "2"), *given)
        self.add(side, ("penalty", q, "--garnets", "2"), *taken)

    def frame(
        self, mine: Words | None, lots: Words, *, resolved: bool, where: str = "", seldom: bool = False, last: int = 429
    ) -> None:
        """What the viewer knows of a round: its end, his own sheet, the resolve; and looks at everything.

        Args:
            where: What the probes of this round depend on.
            seldom: There is not always a look before the resolve.
            last: The minute of the last look.
        """
        now, probes = self.now, self.probes(where)
        if mine:
            if self.rng.random() < 0.3:
                self.show(("blank", self.viewer), now + 100 * MINUTE)
            self.show(mine, now + 120 * MINUTE)
        self.shared.append(Look(now + 180 * MINUTE, probes))
        if not resolved:
            self.shared.append(Look(now + 299 * MINUTE, probes))
            return
        self.show(("close",), now + 300 * MINUTE)
        if not seldom or self.rng.random() < 0.3:
            self.shared.append(Look(now + 360 * MINUTE, probes))
        self.show(("resolve", *lots), now + 420 * MINUTE)
        self.shared.append(Look(now + last * MINUTE, self.probes("")))
        self.now = now + 430 * MINUTE

    def a_day(self, since: int) -> None:
        """It passes after the end, so that the clock closes what is still open."""
        self.show(("note", "a day has passed"), since + 25 * HOUR)
        self.shared.append(Look(since + 25 * HOUR + MINUTE))

    def pair(self, *setups: Mapping[str, Any]) -> Pair:
        """Both as scripts, of these match files."""
        scripts = (
            Script(setup, {}, tuple(sorted([*self.shared, *side.steps], key=lambda step: step.at)))
            for setup, side in zip(setups, self.sides, strict=True)
        )
        return Pair(self.viewer, *scripts)
