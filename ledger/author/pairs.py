"""Pairs of random matches that differ only in what a viewer may not know, made of any game without a word about it.

One match is played at random (`simulate`) with levels of the information table drawn at random. Then, for each viewer,
another: what others did, and no open line tells the viewer, is left out, done otherwise, twice, in another order; what
is drawn is drawn anew. Both are shown to the viewer step by step, as long as they know the same of both.

What they know is asked twice, of two things that a game says apart, so that each is the measure of the other. While all
facts told to the viewer (`Game.known`) are the same, all that leaves must be. And while the views are the same, so must
be every notice and every open entry. A game that shows more than its facts tell, by its rules, writes pairs of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError
from events.record import NamedTuple
from games.contract import Action, Fact, Game
from games.kit.tell import players_of
from games.parts.moves import candidates
from games.records import plain
from games.table import actions as shared
from games.table.view import frame
from ledger.author.trial import Trial, simulate

if TYPE_CHECKING:
    from random import Random

LEVELS = ("everybody", "owner", "owner_then_everybody", "everybody_after_end", "host")
SEEDS = 30
"""So many draws are tried until one tells the viewer nothing new."""


class Slot(NamedTuple):
    """One step of a match: when (ms), after which entry, what is done, whether that draws. `anew`: something else."""

    now: int
    seq: int
    actions: tuple[Action, ...]
    drew: bool = False
    anew: bool = False

    @property
    def who(self) -> str:
        """Whose act it is; nobody's where a host did it."""
        return next((p for action in self.actions for p in players_of(action)), "")


class Side:
    """One match of a pair, with all that has left for the viewer."""

    def __init__(self, start: Trial, viewer: str) -> None:
        self.match, self.viewer = start.twin(), viewer

    def do(self, slot: Slot, luck: int = 0) -> tuple[list[Fact], str]:
        """The facts of a step, and how it was refused."""
        self.match.seq, self.match.luck, facts = slot.seq, luck, self.match.wait(slot.now)
        for action in slot.actions:
            try:
                facts += self.match.do(action)
            except LedgerError as refused:
                return facts, f"{refused.code}: {refused.what}; {refused.fix}"
        return facts, ""

    def knows(self) -> tuple[Counter[str], Any]:
        """The facts told to the viewer so far, in any order; what is decided, and among whom; and what it came to."""
        match, result = self.match, self.match.result(self.viewer)
        told = Counter(repr(fact) for fact in match.told if match.game.known(match.state, fact, self.viewer))
        ended = (result.tokens, result.elimination, result.winners, result.losers)
        asked = [(d.kind, d.who, d.among) for d in match.state.table.decisions], sorted(match.state.table.lots)
        return told, (result.status, asked, ended if result.status == "finished" else None)

    def shown(self) -> str:
        """The view and the result, in their order."""
        return json.dumps([self.match.view(self.viewer), plain(self.match.result(self.viewer))])

    def said(self, facts: Sequence[Fact]) -> tuple[Any, ...]:
        """The notice of a step, the entries that stand open now, the report, and what the viewer is reminded of."""
        from ledger.render.text import render

        match, game, state, viewer = self.match, self.match.game, self.match.state, self.viewer
        ended = state.table.status == "finished"
        entries = (one for done in match.done for one in done.made)
        open_ = tuple(_seedless(one) for one in entries if game.audience(state, one).admits(viewer, ended=ended))
        called, view, result = frame(state.table, game.title, viewer), game.view(state, viewer), match.result(viewer)
        blocks = [*game.report(called, view, result), *game.board(called, view, result)]
        blocks += game.scores(called, view, result)
        blocks += [block for name in state.table.resolved for block in game.rounds(called, view, name)]
        owed = tuple(due for due in game.waiting(state) if due.who == viewer)
        return match.notice(facts, viewer), open_, str(render(blocks, "UTC")), owed

    def tries(self, action: Action) -> str:
        """How that would be refused now; empty: not at all."""
        try:
            self.match.twin().do(action)
        except LedgerError as error:
            return f"{error.code}: {error.what}; {error.fix}"
        return ""


class Pair:
    """Two matches that are told the viewer step by step; `leaks` are the differences, in words."""

    def __init__(self, start: Trial, slots: Sequence[Slot], viewer: str, chance: Random) -> None:
        self.slots, self.viewer, self.chance = slots, viewer, chance
        self.one, self.other = Side(start, viewer), Side(start, viewer)

    def leaks(self) -> Iterator[str]:
        """The differences of the first step in which anything that may not differ does."""
        same_views = True
        for number, slot in enumerate(self._changed()):
            true = self.slots[number]
            ours, refused = self.one.do(true)
            theirs, refused_too = self._do(slot, true)
            if bool(refused) != bool(refused_too):
                return  # by the rules something else is possible: they could know by trying
            (facts, decided), (facts_too, decided_too) = self.one.knows(), self.other.knows()
            same_facts = facts == facts_too
            views = self.one.shown(), self.other.shown()
            same_views = same_views and views[0] == views[1]
            if decided != decided_too or not (same_facts or same_views):
                return
            after = f"{self.viewer}, after step {number} {true.actions}"
            if views[0] != views[1]:
                yield f"{after}: the views are {views[0]} and {views[1]}, and no fact told says why"
                return
            told = (refused, *self.one.said(ours)), (refused_too, *self.other.said(theirs))
            for mine, others in zip(*told, strict=True):
                if mine != others:
                    yield f"{after}: they are told {mine!r} and {others!r}"
                    return
            yield from self._tried(after)

    def _tried(self, after: str) -> Iterator[str]:
        """What the viewer types, and is refused in both, is refused in the same words."""
        match, me = self.one.match, self.viewer
        if me == PUBLIC_VIEWER:
            return
        listed: list[Action] = list(candidates(match.game.actions, match.state.table, me))
        other = self.chance.choice([p for p in match.state.table.seats if p != me])
        listed = self.chance.sample(listed, min(2, len(listed)))
        listed += [shared.Blank(me), shared.Vote(me, other), shared.Gift(me, other)]
        for action in listed:
            said, said_too = self.one.tries(action), self.other.tries(action)
            if said and said_too and said != said_too:
                yield f"{after}: {action} is refused with {said!r} and {said_too!r}"

    def _hidden(self) -> Iterator[bool]:
        """Of each step: is it not theirs, and does it tell the viewer no fact, or change no view of theirs?"""
        side = Side(self.one.match, self.viewer)
        for slot in self.slots:
            side.match.wait(slot.now)
            known, shown = side.knows(), side.shown()
            side.do(slot)
            yield slot.who not in ("", self.viewer) and (side.knows() == known or side.shown() == shown)

    def _changed(self) -> list[Slot]:
        """The steps of the other match: what is hidden from the viewer is left out, done anew or twice, or later."""
        slots, hidden = list(self.slots), list(self._hidden())
        often = self.chance.choice((0.25, 0.5))
        for n, kept in enumerate(hidden):
            before = slots[n - 1]
            if kept and n and hidden[n - 1] and self.chance.random() < often:
                slots[n - 1] = before._replace(actions=slots[n].actions)
                slots[n] = slots[n]._replace(actions=before.actions)
        for n, kept in enumerate(hidden):
            if kept and self.chance.random() < often:
                actions = self.chance.choice([(), (), slots[n].actions * 2, slots[n].actions])
                slots[n] = slots[n]._replace(actions=actions, anew=actions == slots[n].actions)
        return slots

    def _do(self, slot: Slot, true: Slot) -> tuple[list[Fact], str]:
        """The same step of the other match. What is hidden stays so, or is left out; what is drawn is drawn anew."""
        side = self.other
        waited = side.match.wait(slot.now)
        before, like = side.match, self.one if slot.drew else side
        known, shown = like.knows(), like.shown()
        if slot == true and not slot.drew:
            facts, refused = side.do(slot)
            return [*waited, *facts], refused
        if slot.anew:
            legal = before.game.moves(before.state, slot.who)
            slot = slot._replace(actions=(self.chance.choice(legal),) if legal else ())
        for luck in range(1, SEEDS) if slot.drew else (0,):
            side.match = before.twin()
            facts, refused = side.do(slot, luck)
            if not refused and (side.knows() == known or side.shown() == shown):
                return [*waited, *facts], ""
        side.match = before.twin()
        facts, refused = side.do(true if slot.drew else slot._replace(actions=()))
        return [*waited, *facts], refused


def _drawn(action: Action) -> bool:
    """Was anything drawn for this entry?"""
    return getattr(action, "seed", None) is not None


def _seedless(action: Action) -> str:
    """An entry that stands open, without the seed of its draw: that differs where the outcome is the same."""
    return repr(action._replace(seed=None) if _drawn(action) else action)


def leaks(game: Game, players: Sequence[str], chance: Random, **settings: Any) -> Iterator[str]:
    """What differs, in words, where nothing may: of one random match and, for each viewer, another. None: no leak seen.

    Args:
        settings: Of the match; the levels of the information table are drawn, where it does not say `visibility`.
    """
    table = {line: chance.choice(LEVELS) for line in game.visibility if chance.random() < 0.5}
    settings = {"visibility": table, **settings}
    played = simulate(game, players, chance, chance.randrange(1, 4), **settings)
    slots = [Slot(one.now, one.seq, (one.action,), any(map(_drawn, one.made))) for one in played.done[len(players) :]]
    for viewer in (PUBLIC_VIEWER, *players):
        yield from Pair(Trial(game, players, settings=settings), slots, viewer, chance).leaks()
