"""Pairs are drawn, compared, counted; a pair that leaks is made small, for a person to read."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from operator import eq
from types import ModuleType
from typing import Any, NamedTuple

from events import LedgerError, write_instant
from games.contract import Game
from games.table.settings import defaults
from ledger.exchange.matchfile import setup_bodies
from tests.secrecy.harness import Memory
from tests.secrecy.script import KNOWN, OUTSIDER, PUBLIC, Leak, Look, NotAPair, Pair, Script, Shown, Step, Trace

# ---- judging a pair ----------------------------------------------------------------------------------------------


def differs(pair: Pair, play: Callable[[Script, str], Trace]) -> str | None:
    """The first thing that leaves for the viewer and differs, in words; None when nothing does.

    Raises:
        NotAPair: before anything that left differed, he knew other things.
    """
    return compared(play(pair.one, pair.viewer), play(pair.other, pair.viewer))


def compared(one: Trace, other: Trace) -> str | None:
    """As `differs`, of two traces."""
    for mine, yours in itertools.zip_longest(one.out, other.out, fillvalue=("nothing", "")):
        if mine == yours:
            continue
        if mine[0] == yours[0] and mine[0].startswith(KNOWN):
            raise NotAPair("the viewer knows other things")
        return beside(mine, yours)
    if one.crash is not None:
        raise one.crash
    return None


def beside(mine: tuple[str, Any], yours: tuple[str, Any]) -> str:
    """Two things that differ, each with where it came from; of what is long the place where they part."""
    one, other = repr(mine[1]), repr(yours[1])
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    cut = max(0, same - 300) if max(len(one), len(other)) > 2_000 else 0
    parts = [f"{'...' if cut else ''}{said[cut:][:2_000]}" for said in (one, other)]
    return f"{mine[0]}\n  one:   {parts[0]}\n  {yours[0]}\n  other: {parts[1]}"


def as_in_any_match(pair: Pair, seed: int) -> Pair:
    """The same, in some pairs with what any match may have: the clock stands still at a look, the viewer leaves before
    the last, or is somebody who only watches; hosts draw a lot that nothing asks for."""
    looks = [number for number, step in enumerate(pair.one.steps) if isinstance(step, Look)]
    kind, scripts = seed % 6, []
    for script in (pair.one, pair.other):
        steps, at = list(script.steps), [number for number, step in enumerate(script.steps) if isinstance(step, Look)]
        if kind in (1, 5) and pair.viewer != PUBLIC:
            steps.insert(at[-1], Step(("drop", pair.viewer), steps[at[-1]].at, seen=True))
        elif kind == 4:
            place = at[len(looks) // 2]
            paused, resumed = (Step((verb,), steps[place].at, seen=True) for verb in ("pause", "resume"))
            steps[place : place + 1] = [paused, steps[place], resumed]
        elif kind == 3:
            among = [*script.setup["players"]][:2]
            outcome = among[script is pair.other]
            steps.insert(at[-1], Step(("lot", *among, "--outcome", outcome), steps[at[-1]].at))
        scripts.append(script._replace(steps=tuple(steps)))
    made = Pair(pair.viewer, *scripts)
    return watching(made) if kind in (2, 5) else made


def watching(pair: Pair) -> Pair:
    """The same, before somebody who only watches in place of everybody."""
    scripts = [watched(script) for script in (pair.one, pair.other)]
    there = pair.viewer == PUBLIC and all(OUTSIDER in script.setup["players"] for script in scripts)
    return Pair(OUTSIDER, *scripts) if there else pair


def watched(script: Script) -> Script:
    """The same before somebody who plays no part, where its file needs nothing else of them."""
    players = {**script.setup["players"], OUTSIDER: {"name": "Zed", "outsider": True}}
    setup = {**script.setup, "players": players}
    try:
        setup_bodies(setup, source="match.toml", by=None, now=0)
    except LedgerError:
        return script
    return script._replace(setup=setup)


def draw_pair(draw: Callable[[random.Random], Pair], seed: int, play: Callable[[Script, str], Trace]) -> Drawn:
    """The first candidate of a seed that is a pair, and whether it leaks."""
    for attempt in range(60):
        try:
            pair = as_in_any_match(draw(random.Random(f"{seed}/{attempt}")), seed)
            one = play(pair.one, pair.viewer)
            return Drawn(pair, compared(one, play(pair.other, pair.viewer)), attempt, one)
        except NotAPair:
            continue
    raise AssertionError(f"seed {seed} gives no pair: the generator and the rules have drifted apart")


class Drawn(NamedTuple):
    pair: Pair
    leak: str | None
    rejected: int
    one: Trace
    """Of its first script."""


def smaller(pair: Pair, play: Callable[[Script, str], Trace]) -> Pair:
    """A pair that still leaks, with as few steps and looks as can be: for a person to read.

    Left out are, the last first, all steps of some moments in both, or the hidden ones in one of them. What is left
    must be a pair: at the end, too, the viewer knows the same of both.
    """

    def without(script: Script, out: Sequence[int], *, known: bool) -> Script:
        kept = (s for s in script.steps if s.at not in out or not (known or (isinstance(s, Step) and not s.seen)))
        return script._replace(steps=tuple(kept))

    def leaks(candidate: Pair) -> bool:
        scripts = (script._replace(steps=(*script.steps, last)) for script in candidate[1:])
        with contextlib.suppress(Exception):  # what is left may be no pair, or no match
            one, other = (play(script, pair.viewer) for script in scripts)
            return all(map(eq, knowledge(one), knowledge(other))) and compared(one, other) is not None
        return False

    moments = sorted({step.at for script in (pair.one, pair.other) for step in script.steps}, reverse=True)
    last = Look(moments[0] + 1, (), ())
    moments.pop()  # with the first both matches begin
    for many in (len(moments) // 8 + 1, 1):
        for out in (moments[at : at + many] for at in range(0, len(moments), many)):
            for sides in (("one", "other"), ("one",), ("other",)):
                known = len(sides) == 2
                less = pair._replace(**{side: without(getattr(pair, side), out, known=known) for side in sides})
                pair = less if less != pair and leaks(less) else pair
    return pair


def knowledge(trace: Trace) -> list[Any]:
    """What the viewer knows at each look and each step that he knows of."""
    return [known for where, known in trace.out if where in (f"{KNOWN} at a look", f"{KNOWN} at a step")]


def in_words(pair: Pair) -> str:
    """Both scripts for a person."""

    def listed(script: Script) -> str:
        lines = [f"  players {script.setup['players']}", f"  hands {dict(script.hands)}"]
        for step in script.steps:
            word = f"look {step.probes}" if isinstance(step, Look) else " ".join(step.words)
            lines.append(f"  {'*' if isinstance(step, Look) or step.seen else ' '} {write_instant(step.at)} {word}")
        return "\n".join(lines)

    return (
        f"viewer {pair.viewer}; settings {pair.one.setup.get('settings')}\none:\n{listed(pair.one)}\nother:\n"
        + listed(pair.other)
    )


def check(pair: Pair, leak: str | None, play: Callable[[Script, str], Trace]) -> None:
    """Fail with the smallest pair that shows the leak.

    Raises:
        Leak: there is one.
    """
    if leak is None:
        return
    least = smaller(pair, play)
    raise Leak(
        f"this leaves for {pair.viewer} and depends on what he may not know:\n{differs(least, play)}\n{in_words(least)}"
    )


class Reached(NamedTuple):
    """Where so many pairs get to. Of what a generator never reaches, its pairs prove nothing."""

    pairs: list[Pair]
    seen: set[str]
    """Words of steps that the viewer knows of."""
    hidden: set[str]
    """Words of the others; `refused` where one was, `admit` where a ruling admits a late sheet."""
    kinds: set[str]
    """Where things came from (`notice`, `probe`, `entries`), and with the code where it was a refusal."""
    text: str
    """Everything that left."""
    overrides: set[str]
    """Words of hidden overrides that stand in one match of a pair and not in the other."""
    looks: set[Shown]
    """Settings at looks while play is on."""
    traces: list[Trace]
    """What left in the first match of each."""

    @property
    def viewers(self) -> set[str]:
        return {pair.viewer for pair in self.pairs} - {OUTSIDER}

    @property
    def differing(self) -> int:
        """In how many of them the two matches differ."""
        return sum(pair.one != pair.other for pair in self.pairs)

    def lacks(self, seen: str, hidden: str, told: Sequence[str], kinds: Sequence[str]) -> list[str]:
        """Which of the words stand in no such step, nowhere in what left, or as no kind of it."""
        rows = ((seen.split(), self.seen), (hidden.split(), self.hidden), (told, self.text), (kinds, self.kinds))
        return [word for words, found in rows for word in words if word not in found]

    def unmet(self, game: Game, pairs: ModuleType) -> list[str]:
        """What of a game's facts, overrides and settings the pairs do not meet, and do not excuse by name either.

        Args:
            pairs: The module that draws them: `TOLD_AT_ONCE` has overrides that need not be drawn hidden, each with
                the reason; `OPENING` the settings on which depends who may know something, each with its values,
                the verb after which a look must come, and who must look; `OF_PLAY` the other settings.
        """
        overrides = [f"override {name}" for name in {*game.overrides} - self.overrides - {*pairs.TOLD_AT_ONCE}]
        excused = [f"excused though drawn: {name}" for name in self.overrides & {*pairs.TOLD_AT_ONCE}]
        named = {*pairs.OF_PLAY, *(row.setting for row in pairs.OPENING)}
        unnamed = [f"setting {name}: may somebody know more by it?" for name in named ^ {*game.settings._fields}]
        never = {kind.__name__ for kind in game.facts}.difference(NEVER, *(trace.happened for trace in self.traces))
        facts = [f"fact {name}" for name in never]
        return sorted([*overrides, *excused, *unnamed, *facts, *(str(row) for row in {*pairs.OPENING} - self.looks)])


NEVER = {"RoundReopened": "hosts go back only into what they closed, and then all hands are shown"}
"""Facts that no pair has, each with the reason."""


def _shown(game: Game, pair: Pair, trace: Trace, names: set[str]) -> Iterator[Shown]:
    """How these settings stood at each look of a pair while play was on."""
    flat = {**defaults(game.settings, game.visibility, game.has), **pair.one.setup.get("settings", {})}
    views = iter(json.loads(text) for where, text in trace.out if where == f"view --for {pair.viewer} -f json")
    after = ""
    for step in pair.one.steps:
        if isinstance(step, Step):
            after = step.words[0] if step.words[0] in ("deal", "open", "resolve") else after
        elif next(views)["result"]["status"] not in ("deciding", "finished"):
            who = PUBLIC if pair.viewer in (PUBLIC, OUTSIDER) else "player"
            yield from (Shown(name, flat[name], after, who) for name in names)


def overridden(pair: Pair, names: set[str]) -> set[str]:
    """Fields of hidden overrides that stand in one match and not in the other."""
    one, other = (
        {
            step.words
            for step in script.steps
            if isinstance(step, Step) and step.words[0] == "override" and not step.seen
        }
        for script in (pair.one, pair.other)
    )
    return {word for words in one ^ other for word in words[1:3]} & names


DRIFTED = "more than half of the candidates are no pairs: the generator has drifted"


def reached(paper: Memory, pairs: ModuleType, *, seen: str, hidden: str, told: Sequence[str], refused: str) -> Reached:
    """Draw the pairs of the quick run and look what is in them; what leaves is the same in each, byte for byte.

    The generator is no good if it never gets there.

    Args:
        seen: Words of steps that the viewer knows of, which must be there.
        hidden: The same of the others.
        told: What must stand somewhere in what left.
        refused: Codes of the game with which something is refused that is tried.

    Raises:
        Leak: something differs.
    """
    found = Reached([], set(), set(), set(), "", set(), set(), [])
    texts, rejected, game = [], 0, paper.game
    for seed in range(pairs.QUICK):
        pair, leak, more, trace = draw_pair(pairs.draw, seed, paper.play)
        check(pair, leak, paper.play)
        rejected += more
        found.pairs.append(pair)
        found.traces.append(trace)
        found.overrides.update(overridden(pair, {*game.overrides}))
        found.looks.update(_shown(game, pair, trace, {row.setting for row in pairs.OPENING}))
        for step in (step for script in (pair.one, pair.other) for step in script.steps if isinstance(step, Step)):
            (found.seen if step.seen else found.hidden).update(step.words)
            found.hidden.update({"admit"} if step.words[-1].startswith("admit @") else ())
            found.hidden.update(() if step.ok else {"refused"})
        for where, text in trace.out:
            if not where.startswith(KNOWN):
                kind = where.split(" ")[0]
                found.kinds.update({kind, f"{kind} {text.split(' |')[0]}"} if " | " in text else {kind})
                texts.append(text)
    assert rejected < pairs.QUICK, DRIFTED
    steps = [(pair.viewer, step) for pair in found.pairs for step in pair.one.steps if isinstance(step, Step)]
    seldom = {step.words[0] for viewer, step in steps if step.words in (("pause",), ("drop", viewer))}
    assert seldom == {"pause", "drop"}, "the clock never stands still, or no viewer leaves"
    watched_by_none = [pair for pair in found.pairs if watching(pair) != pair]  # not where the file refuses it
    assert OUTSIDER in {viewer for viewer, _ in steps} or not watched_by_none, "nobody only watches"
    assert not (unmet := found.unmet(game, pairs)), f"the pairs of the quick run do not meet {unmet}"
    found = found._replace(text="\n".join(texts))
    codes = (code if "." in code else f"{game.name}.{code}" for code in refused.split())
    kinds = ["probe", "notice", "entries", *(f"probe {code}" for code in codes)]
    assert not (lacking := found.lacks(seen, hidden, told, kinds)), f"the pairs of the quick run have no {lacking}"
    return found
