"""Pairs of random matches that differ only in what a viewer may not know, for any game without further declarations.

One match is played at random (`simulate`) with levels of the information table drawn at random. Then, for each viewer,
a second match: what others did, and no open line shows the viewer, is left out, replaced, doubled or moved; draws are
drawn anew. Both are shown to the viewer step by step, for as long as the viewer knows the same about both.

What they know is measured in two ways that a game declares separately, so that each checks the other. While all facts
told to the viewer (`Game.known`) are the same, all output must be. And while the views are the same, so must be every
notice and every open entry. A game that by its rules shows more than its facts tell writes pairs of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError
from events.record import NamedTuple
from games.contract import Action, Fact, Game, players_of
from games.parts.moves import candidates
from games.records import plain
from games.table import actions as shared
from games.table.view import frame
from ledger.author.trial import Trial, simulate

if TYPE_CHECKING:
    from random import Random

LEVELS = ("everybody", "owner", "owner_then_everybody", "everybody_after_end", "host")
MAX_SEEDS = 30
"""How many draws are tried until one tells the viewer nothing new."""


class Slot(NamedTuple):
    """One step of a match: when (ms), after which entry, its actions, do they draw? `anew`: another action."""

    now: int
    seq: int
    actions: tuple[Action, ...]
    drew: bool = False
    anew: bool = False

    @property
    def player(self) -> str:
        """The player who acts; "" where a host does."""
        return next((p for action in self.actions for p in players_of(action)), "")


class Side:
    """One match of a pair, and all output for the viewer."""

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
        """The facts told to the viewer so far, in any order; open decisions, and among whom; and the result."""
        match, result = self.match, self.match.result(self.viewer)
        facts = Counter(repr(fact) for fact in match.told if match.game.known(match.state, fact, self.viewer))
        ended = (result.tokens, result.elimination, result.winners, result.losers)
        decisions = [(d.kind, d.who, d.among) for d in match.state.table.decisions], sorted(match.state.table.lots)
        return facts, (result.status, decisions, ended if result.status == "finished" else None)

    def views(self) -> str:
        """The view and the result, in their order."""
        return json.dumps([self.match.view(self.viewer), plain(self.match.result(self.viewer))])

    def output(self, facts: Sequence[Fact]) -> tuple[Any, ...]:
        """The notice of a step, the entries that are open to the viewer now, the report, and the viewer's reminders."""
        from ledger.render.text import render

        match, game, state, viewer = self.match, self.match.game, self.match.state, self.viewer
        ended = state.table.status == "finished"
        entries = (action for step in match.done for action in step.made)
        open_entries = tuple(_seedless(a) for a in entries if game.audience(state, a).admits(viewer, ended=ended))
        heading, view, result = frame(state.table, game.title, viewer), game.view(state, viewer), match.result(viewer)
        blocks = [*game.report(heading, view, result), *game.board(heading, view, result)]
        blocks += game.scores(heading, view, result)
        blocks += [block for name in state.table.resolved for block in game.round_report(heading, view, name)]
        reminders = tuple(due for due in game.waiting(state) if due.who == viewer)
        return match.notice(facts, viewer), open_entries, str(render(blocks, "UTC")), reminders

    def tries(self, action: Action) -> str:
        """How an action would be refused now; empty: it would not be."""
        try:
            self.match.twin().do(action)
        except LedgerError as error:
            return f"{error.code}: {error.what}; {error.fix}"
        return ""


class Pair:
    """Two matches that are reported to the viewer step by step; `leaks` are the differences, in words."""

    def __init__(self, start: Trial, slots: Sequence[Slot], viewer: str, chance: Random) -> None:
        self.slots, self.viewer, self.chance = slots, viewer, chance
        self.first, self.second = Side(start, viewer), Side(start, viewer)

    def leaks(self) -> Iterator[str]:
        """The differences of the first step in which anything that may not differ does."""
        same_views = True
        for number, slot in enumerate(self._changed()):
            original = self.slots[number]
            step_facts, refused = self.first.do(original)
            step_facts_too, refused_too = self._do(slot, original)
            if bool(refused) != bool(refused_too):
                return  # by the rules something else is possible: they could know by trying
            (facts, decided), (facts_too, decided_too) = self.first.knows(), self.second.knows()
            same_facts = facts == facts_too
            views = self.first.views(), self.second.views()
            same_views = same_views and views[0] == views[1]
            if decided != decided_too or not (same_facts or same_views):
                return
            after = f"{self.viewer}, after step {number} {original.actions}"
            if views[0] != views[1]:
                yield f"{after}: the views are {views[0]} and {views[1]}, and no fact told says why"
                return
            outputs = (refused, *self.first.output(step_facts)), (refused_too, *self.second.output(step_facts_too))
            for output, output_too in zip(*outputs, strict=True):
                if output != output_too:
                    yield f"{after}: they are told {output!r} and {output_too!r}"
                    return
            yield from self._tried(after)

    def _tried(self, after: str) -> Iterator[str]:
        """Actions of the viewer that both matches refuse are refused in the same words."""
        match, viewer = self.first.match, self.viewer
        if viewer == PUBLIC_VIEWER:
            return
        actions: list[Action] = list(candidates(match.game.actions, match.state.table, viewer))
        somebody = self.chance.choice([p for p in match.state.table.seats if p != viewer])
        actions = self.chance.sample(actions, min(2, len(actions)))
        actions += [shared.Blank(viewer), shared.Vote(viewer, somebody), shared.Gift(viewer, somebody)]
        for action in actions:
            refusal, refusal_too = self.first.tries(action), self.second.tries(action)
            if refusal and refusal_too and refusal != refusal_too:
                yield f"{after}: {action} is refused with {refusal!r} and {refusal_too!r}"

    def _hidden(self) -> Iterator[bool]:
        """Of each step: is it another player's, and does it tell the viewer no fact, or change no view of theirs?"""
        side = Side(self.first.match, self.viewer)
        for slot in self.slots:
            side.match.wait(slot.now)
            knowledge, views = side.knows(), side.views()
            side.do(slot)
            yield slot.player not in ("", self.viewer) and (side.knows() == knowledge or side.views() == views)

    def _changed(self) -> list[Slot]:
        """The steps of the second match: some hidden from the viewer are left out, replaced, doubled or moved."""
        slots, hidden = list(self.slots), list(self._hidden())
        share = self.chance.choice((0.25, 0.5))
        for n, is_hidden in enumerate(hidden):
            before = slots[n - 1]
            if is_hidden and n and hidden[n - 1] and self.chance.random() < share:
                slots[n - 1] = before._replace(actions=slots[n].actions)
                slots[n] = slots[n]._replace(actions=before.actions)
        for n, is_hidden in enumerate(hidden):
            if is_hidden and self.chance.random() < share:
                actions = self.chance.choice([(), (), slots[n].actions * 2, slots[n].actions])
                slots[n] = slots[n]._replace(actions=actions, anew=actions == slots[n].actions)
        return slots

    def _do(self, slot: Slot, original: Slot) -> tuple[list[Fact], str]:
        """Do a step in the second match. A hidden one stays hidden, or is left out; draws are drawn anew."""
        side = self.second
        elapsed = side.match.wait(slot.now)
        before, measure = side.match, self.first if slot.drew else side
        knowledge, views = measure.knows(), measure.views()
        if slot == original and not slot.drew:
            facts, refused = side.do(slot)
            return [*elapsed, *facts], refused
        if slot.anew:
            legal = before.game.moves(before.state, slot.player)
            slot = slot._replace(actions=(self.chance.choice(legal),) if legal else ())
        for luck in range(1, MAX_SEEDS) if slot.drew else (0,):
            side.match = before.twin()
            facts, refused = side.do(slot, luck)
            if not refused and (side.knows() == knowledge or side.views() == views):
                return [*elapsed, *facts], ""
        side.match = before.twin()
        facts, refused = side.do(original if slot.drew else slot._replace(actions=()))
        return [*elapsed, *facts], refused


def _has_draw(action: Action) -> bool:
    """Does this entry hold a draw?"""
    return getattr(action, "seed", None) is not None


def _seedless(action: Action) -> str:
    """An open entry without the seed of its draw, which differs even where the outcome is the same."""
    return repr(action._replace(seed=None) if _has_draw(action) else action)


def leaks(game: Game, players: Sequence[str], chance: Random, **settings: Any) -> Iterator[str]:
    """What differs, in words, where nothing may: of one random match and, for each viewer, another. None: no leak.

    Args:
        settings: Of the match; the levels of the information table are drawn, where it does not say `visibility`.
    """
    table = {line: chance.choice(LEVELS) for line in game.visibility if chance.random() < 0.5}
    settings = {"visibility": table, **settings}
    played = simulate(game, players, chance, chance.randrange(1, 4), **settings)
    steps = played.done[len(players) :]
    slots = [Slot(step.now, step.seq, (step.action,), any(map(_has_draw, step.made))) for step in steps]
    for viewer in (PUBLIC_VIEWER, *players):
        yield from Pair(Trial(game, players, settings=settings), slots, viewer, chance).leaks()
