"""Pairs of random matches that differ only in what a viewer may not know, for any game without further declarations.

One match is played at random (`simulate`). Then a second one is derived for each viewer: steps of others that the
viewer does not know of are left out, replaced, doubled, moved or added, and draws are repeated, one change at a time. A
change is kept only if it changes nothing that the viewer knows after any step. Then both matches are shown to the
viewer step by step, for as long as they know the same about both.

What the viewer knows is measured in one of two ways. A game may say it, following its rules page: while
`knows(state, viewer)` is the same, all output must be the same. Otherwise two declarations of the game check each
other: while all facts told to the viewer (`Game.known`) are the same, all output must be; and while the views are the
same, every notice and every open entry must be. Facts that are under no line do not tell who may know them.

`prove` plays many pairs and fails if they prove too little: if a verb was never played, a datum was never hidden, or no
pair differed.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.errors import LedgerError
from events.record import NamedTuple
from games.contract import COURSE, Action, Fact, Game, Override, VisibleTo, players_of
from games.parts.moves import candidates
from games.parts.view import data_of
from games.records import fields, kebab, plain
from games.table import actions as shared
from games.table.facts import FieldSet
from games.table.rounds import SheetDropped, SheetSealed, contents
from games.table.settings import defaults
from games.table.view import frame
from ledger.author.simulation import (
    GUIDE,
    Done,
    ProvesNothing,
    Trial,
    advice,
    any_move,
    never_played,
    of_hosts,
    simulate,
)
from ledger.tell.diff import compare

if TYPE_CHECKING:
    from random import Random

LEVELS = ("everybody", "owner", "owner_then_everybody", "everybody_after_end", "host")
EXCHANGES = 20
"""How many swaps of two words of a shuffle to try, until the viewer sees no difference."""
BETWEEN = 10_000
"""Entries added to the second match have numbers from here on, which no step of the first match has."""
REPORTS = tuple(name for name, type_ in Game.__annotations__.items() if type_ == "Report")
"""The functions of a game that draw a view. All that a verb prints, exports or puts on a page comes from these."""
Knows = Callable[[Any, str], Any]


class Slot(NamedTuple):
    """One step of a match: its time (ms), the entry before it, its actions, whether they draw, and with which luck."""

    now: int
    seq: int
    actions: tuple[Action, ...]
    draws: bool = False
    luck: int = 0
    rest: tuple[str, ...] = ()
    """For a deal: the cards of the deck that nobody has."""

    @property
    def player(self) -> str:
        return next((p for action in self.actions for p in players_of(action)), "")


class Knowledge(NamedTuple):
    said: Any
    """The value of `knows`, or else the status, the open decisions and the final result."""
    facts: Any
    views: Callable[[], str]

    def same(self, other: Knowledge) -> bool:
        return bool(self.said == other.said and (self.facts == other.facts or self.views() == other.views()))


class Side:
    def __init__(self, start: Trial, viewer: str, knows: Knows | None) -> None:
        self.match, self.viewer, self.knows = start.twin(), viewer, knows
        self._facts: Counter[str] = Counter()
        self._read = self._sets = 0
        self._stage: Any = None

    def twin(self) -> Side:
        twin = copy.copy(self)
        twin.match = self.match.twin()
        return twin

    def do(self, slot: Slot) -> tuple[list[Fact], str]:
        match, made = self.match, sum(len(step.made) for step in self.match.done)
        match.seq, match.luck, match.shift = slot.seq, slot.luck, made + 1 - slot.seq  # the numbers of its own log
        facts = match.wait(slot.now)
        for action in slot.actions:
            try:
                facts += self.match.do(action)
            except LedgerError as refused:
                return facts, f"{refused.code}: {refused.what}; {refused.fix}"
        return facts, ""

    def knowledge(self) -> Knowledge:
        match, viewer = self.match, self.viewer
        if self.knows is not None:
            return Knowledge(self.knows(match.state, viewer), None, str)
        result = match.result(viewer)
        ended = (result.tokens, result.elimination, result.winners, result.losers)
        decisions = [(d.kind, d.who, d.among) for d in match.state.table.decisions], sorted(match.state.table.lots)
        said = (result.status, decisions, ended if result.status == "finished" else None)
        views = functools.cache(functools.partial(_views, match.game, match.state, viewer))
        return Knowledge(said, self._told(), views)

    def _told(self) -> Counter[str]:
        """The facts told to the viewer so far, regardless of order except around fields set by hosts. All facts are
        checked again when a line may have opened or closed."""
        match, table = self.match, self.match.state.table
        stage = (table.status, table.phase, table.resolved, table.settings)
        if stage != self._stage:
            self._facts, self._read, self._sets, self._stage = Counter(), 0, 0, stage
        known = [f for f in match.told[self._read :] if match.game.known(match.state, f, self.viewer)]
        sets = accumulate((isinstance(f, FieldSet) for f in known), initial=self._sets)
        self._facts = self._facts + Counter(f"{n} {f!r}" for n, f in zip(sets, known, strict=False))
        self._sets += sum(isinstance(f, FieldSet) for f in known)
        self._read = len(match.told)
        return self._facts

    def was_set(self, new: Sequence[Fact]) -> Counter[str]:
        """The fields that hosts had set before these facts, as far as the viewer knows of them."""
        match = self.match
        earlier = (f for f in match.told[: len(match.told) - len(new)] if isinstance(f, FieldSet))
        return Counter(repr(f) for f in earlier if match.game.known(match.state, f, self.viewer))

    def views(self) -> str:
        return _views(self.match.game, self.match.state, self.viewer)

    def output(self, facts: Sequence[Fact], *, blank: bool) -> tuple[Any, ...]:
        """All output for the viewer: the notice of a step, the entries that are open to them now, their reminders, and
        reports and board. The latter are compared as blocks, since rendered text lacks the labels of pictures.

        Args:
            blank: Leave drawn outcomes out of the entries.
        """
        match, game, state, viewer = self.match, self.match.game, self.match.state, self.viewer
        ended = state.table.status == "finished"
        entries = (action for step in match.done for action in step.made)
        known = (action for action in entries if game.audience(state, action).admits(viewer, ended=ended))
        open_entries = tuple(_seedless(action, blank) for action in known)
        heading, view, result = frame(state.table, game.title, viewer), game.view(state, viewer), match.result(viewer)
        shown = {name: getattr(game, name)(heading, view, result) for name in REPORTS}
        shown |= {name: game.round_report(heading, view, name) for name in state.table.resolved}
        reminders = tuple(due for due in game.waiting(state) if due.who == viewer)
        return game.tell(state, facts, viewer), open_entries, shown, game.counts(state), reminders

    def tries(self, action: Action) -> str:
        """The refusal of an action tried now, or ""."""
        try:
            self.match.twin().do(action)
        except LedgerError as error:
            return f"{error.code}: {error.what}; {error.fix}"
        return ""


class Pair:
    """Two matches that differ only in what the viewer may not know. `leaks` describes differences in their output.

    Attributes:
        slots, other: The steps of both matches, equally many; a step without actions is missing in that match.
        hidden: For each step, whether the viewer does not know of it.
    """

    def __init__(
        self, start: Trial, slots: Sequence[Slot], viewer: str, chance: Random, knows: Knows | None = None,
        levels: Mapping[str, str] = MappingProxyType({}), starts: Iterable[Trial] = (),
    ) -> None:  # fmt: skip
        self.start, self.slots, self.viewer, self.chance, self.knows = start, slots, viewer, chance, knows
        self.levels = levels
        self.hidden, self.known = self._met()
        begin = self.side().knowledge()
        sides = (Side(one, viewer, knows) for one in starts)
        found = (one for one in sides if one.knowledge().same(begin) and self._went(one, slots, 0) is not None)
        self.other_start = next(found, self.side()).match
        self.other = self._changed()

    @property
    def differs(self) -> bool:
        return self.other_start.state != self.start.state or any(
            one.actions != two.actions or one.luck != two.luck for one, two in self._both()
        )

    def _both(self) -> Iterator[tuple[Slot, Slot]]:
        return zip(self.slots, self.other, strict=True)

    def side(self) -> Side:
        return Side(self.start, self.viewer, self.knows)

    def leaks(self, met: Met | None = None) -> Iterator[str]:
        """The differences in the first step whose output differs although the viewer knows the same."""
        first, second = self.side(), Side(self.other_start, self.viewer, self.knows)
        same_views, apart = True, first.match.state != second.match.state
        for number, (original, slot) in enumerate(self._both()):
            facts, refused = first.do(original)
            facts_too, refused_too = second.do(slot)
            if refused or refused_too:
                return  # the rules allow different things now, so the viewer could find out by trying
            apart = apart or original != slot
            if not apart:
                continue
            one, two = first.knowledge(), second.knowledge()
            after = f"{self.viewer}, after step {number} {original.actions}"
            blank = one.facts != two.facts  # then they know the outcome of a draw
            try:
                views = first.views(), second.views()
                outputs = first.output(facts, blank=blank), second.output(facts_too, blank=blank)
            except Exception as crash:
                yield f"{after}: {crash!r}, at least in one of the two"
                return
            same_views = same_views and views[0] == views[1]
            if one.said != two.said or not (one.facts == two.facts or same_views):
                return
            if one.facts != two.facts and first.was_set(facts) != second.was_set(facts_too):
                return  # a host set in one match what happened by itself in the other
            if views[0] != views[1]:
                if self.knows is not None or not _silent(first, second):
                    apart_in = "; ".join(compare("", *map(json.loads, views))) or "what reads the same"
                    yield f"{after}: the views differ in {apart_in}, and nothing they know says why{self._how()}"
                return
            for output, output_too in zip(*outputs, strict=True):
                if output != output_too:
                    why = "" if one.facts == two.facts else "\n  what a text tells must stand in the view too"
                    yield f"{after}: they are told {output!r} and {output_too!r}{why}{self._how()}"
                    return
            if met is not None:
                met.meet(first, second, facts, facts_too, own=not self.levels)
            yield from self._tried(first, second, after)

    def _how(self) -> str:
        steps = [f"{one.actions or 'nothing'} -> {two.actions or 'nothing'}" for one, two in self._both() if one != two]
        levels = ", ".join(f"{line} {level}" for line, level in self.levels.items())
        said = [f"changed: {step}" for step in steps[:3]] + ([f"levels: {levels}"] if levels else [])
        game, settings = self.start.game, self.start.state.table.settings
        usual = defaults(game.settings, game.visibility, game.has)
        now = ((row.name, settings[row.name]) for row in fields(game.settings))
        said += [f"setting: {name}={value}" for name, value in now if value != usual[name]]
        return "".join(f"\n  {line}" for line in said)

    def _tried(self, first: Side, second: Side, after: str) -> Iterator[str]:
        match, viewer = first.match, self.viewer
        if viewer == PUBLIC_VIEWER:
            return
        actions: list[Action] = list(candidates(match.game.actions, match.state.table, viewer))
        somebody = self.chance.choice([p for p in match.state.table.seats if p != viewer])
        actions = self.chance.sample(actions, min(2, len(actions)))
        actions += [shared.Blank(viewer), shared.Vote(viewer, somebody), shared.Gift(viewer, somebody)]
        (sheets, state), (sheets_too, state_too) = map(_apart_from_sheets, (first, second))
        only_sheets = sheets != sheets_too and state == state_too
        actions += [sheet._replace(player=viewer) for sheet in (*sheets, *sheets_too)][:2] if only_sheets else []
        for action in actions:
            refusal, refusal_too = first.tries(action), second.tries(action)
            if refusal != refusal_too and ((refusal and refusal_too) or only_sheets):
                said, said_too = refusal or "taken", refusal_too or "taken"
                yield f"{after}: {action} is refused with {said!r} and {said_too!r}{self._how()}"

    # ---- deriving the second match -------------------------------------------------------------------------------

    def _met(self) -> tuple[list[bool], list[Knowledge]]:
        side, hidden, known = self.side(), list[bool](), list[Knowledge]()
        for slot in self.slots:
            side.match.wait(slot.now)
            before = side.knowledge() if self._of_others(slot) else None
            side.do(slot)
            known.append(after := side.knowledge())
            hidden.append(before is not None and after.same(before))
        return hidden, known

    def _of_others(self, slot: Slot) -> bool:
        """Whether the step is by other players, or by a host with a verb of the game, and does not name the viewer."""
        own = [action for action in slot.actions if type(action) in self.start.game.actions]
        named = [p for action in own for p in players_of(action)]
        return bool(slot.player or own or not slot.actions) and self.viewer not in (slot.player, *named)

    def _changed(self) -> list[Slot]:
        steps, before = list(self.slots), [Side(self.other_start, self.viewer, self.knows)]
        for step in steps:
            before.append(before[-1].twin())
            before[-1].do(step)
        places = [n for n, (slot, hidden) in enumerate(zip(steps, self.hidden, strict=True)) if hidden or slot.draws]
        for _ in range(16 if places else 0):
            at = self.chance.choice(places)
            changed = self._change(before[at], steps, at)
            if changed != steps and (went := self._went(before[at], changed[at:], at)) is not None:
                steps, before = changed, [*before[:at], *went]
        return steps

    def _change(self, before: Side, steps: Sequence[Slot], at: int) -> list[Slot]:
        steps, chance, slot = list(steps), self.chance, steps[at]
        if not self.hidden[at]:
            steps[at] = self._dealt(slot) if len(slot.actions) > 1 else self._drawn_anew(before, slot, at)
            return steps
        form = chance.random()
        later = [n for n in range(at + 1, min(at + 8, len(steps))) if self.hidden[n]]
        if form < 0.15 and slot.actions:
            steps[at] = slot._replace(actions=())
        elif form < 0.25:
            steps[at] = slot._replace(actions=slot.actions * 2)
        elif form < 0.45 and later:
            other = chance.choice(later)
            steps[at] = slot._replace(actions=steps[other].actions)
            steps[other] = steps[other]._replace(actions=slot.actions)
        elif made := self._another(before, slot):
            steps[at] = slot._replace(actions=made)
        return steps

    def _another(self, before: Side, slot: Slot) -> tuple[Action, ...]:
        """An action to do instead: of another player, of a host, or of a host against another player."""
        match, chance = before.match, self.chance
        if slot.actions and not slot.player:
            verbs = of_hosts(match.game, match.state, chance)
            return next((tuple(made[:1]) for made in verbs if made and isinstance(made[0], type(slot.actions[0]))), ())
        others = [p for p in match.state.table.seats if p != self.viewer]
        who = slot.player or chance.choice(others)
        if slot.actions or chance.random() < 0.5:
            return tuple(filter(None, [any_move(match.game, match.state, who, chance)]))
        number = chance.choice((1, 2))
        to_them: list[Action] = [shared.Breach(who), shared.Penalty(who), shared.Blank(who)]
        to_them += _overrides(match, who, chance)
        if "garnets" in match.game.has:
            to_them += [shared.Award(who, "garnets", number), shared.Override(who, "garnets", str(number))]
        return (chance.choice(to_them),)

    def _dealt(self, slot: Slot) -> Slot:
        """The same deal with some cards of others exchanged, among themselves or with the rest of the deck."""
        hands = [action for action in slot.actions if isinstance(action, shared.Hand)]
        held = {hand.player: list(hand.cards) for hand in hands if hand.player != self.viewer and hand.cards}
        if not held:
            return slot
        held[""] = list(slot.rest)
        for _ in range(self.chance.choice((1, 1, 2, 5))):
            mine, theirs = (cards for cards in self.chance.choices([c for c in held.values() if c], k=2))
            x, y = self.chance.randrange(len(mine)), self.chance.randrange(len(theirs))
            mine[x], theirs[y] = theirs[y], mine[x]
        dealt = tuple(hand._replace(cards=tuple(held.get(hand.player, hand.cards))) for hand in hands)
        return slot._replace(actions=(*dealt, shared.Deal("typed")), rest=tuple(held[""]))

    def _drawn_anew(self, before: Side, slot: Slot, at: int) -> Slot:
        """The step with another outcome of its draw: a shuffle with two words swapped, if the viewer sees no
        difference, or else any draw with other luck. The step is unchanged if that changes no fact.
        """
        side = before.twin()
        outcome, match = Counter(map(repr, side.do(slot)[0])), side.match
        made: Sequence[Any] = match.done[-1].made if match.done else ()
        if self.knows is not None and any(
            _has_draw(a) and match.game.audience(match.state, a).admits(self.viewer, ended=False) for a in made
        ):
            return slot  # the entry is open to the viewer, so they know the draw
        row = match.game.verb(slot.actions[0]).draw
        for _ in range(EXCHANGES if made and row is not None and row.shuffle is not None and made[0].drawn else 0):
            words = list(made[0].drawn)
            x, y = (self.chance.randrange(len(words)) for _ in range(2))
            words[x], words[y] = words[y], words[x]
            anew, side = slot._replace(actions=(slot.actions[0]._replace(drawn=tuple(words)),)), before.twin()
            if Counter(map(repr, side.do(anew)[0])) != outcome and side.knowledge().same(self.known[at]):
                return anew
        anew = slot._replace(luck=self.chance.randrange(1, 1_000_000))
        return slot if Counter(map(repr, before.twin().do(anew)[0])) == outcome else anew

    def _went(self, side: Side, steps: Sequence[Slot], begin: int) -> list[Side] | None:
        """The match before these steps and after each; None if the viewer ever knows something else than in the first
        match."""
        went = [side]
        for number, step in enumerate(steps, begin):
            side = side.twin()
            if self.hidden[number] and not self._of_others(step):
                return None
            _, refused = side.do(step)
            if refused or not side.knowledge().same(self.known[number]):
                return None
            went.append(side)
        return went


def _views(game: Game, state: Any, viewer: str) -> str:
    return json.dumps([plain(game.view(state, viewer)), plain(game.result(state, viewer))])


def _apart_from_sheets(side: Side) -> tuple[list[Any], Any]:
    """The sheets that others have sealed in the current round, and the state without them."""
    state, viewer = side.match.state, side.viewer
    if (on := state.table.round) is None:
        return [], state
    own = {viewer: on.sheets[viewer]} if viewer in on.sheets else {}
    without = state._replace(table=state.table._replace(round=on._replace(sheets=own)))
    return [sheet for player, sheet in contents(on).items() if player != viewer], without


def _silent(first: Side, second: Side) -> bool:
    """Whether one match alone has a fact that no line of the table tells the viewer at any level, so that facts do not
    say who may know the difference. (Sealed sheets do not count: it is clear that nobody is told of them.)

    Also true if the end of the match opens fields that were closed when their facts were told.
    """
    match = first.match
    table = match.state.table
    ends = table.status in ("deciding", "finished")
    views = match.game.match_view, match.game.player_view
    if ends and any(line.after_end for cls in views for datum in data_of(cls) for line in datum.lines):
        return True
    opened = {**table.settings, "visibility": dict.fromkeys(table.settings["visibility"], "everybody")}
    state = match.state._replace(table=table._replace(settings=opened))
    told = [{repr(fact): fact for fact in side.match.told} for side in (first, second)]
    apart = [fact for one, two in (told, told[::-1]) for said, fact in one.items() if said not in two]
    apart = [fact for fact in apart if not isinstance(fact, (SheetSealed, SheetDropped))]
    return any(not match.game.known(state, fact, first.viewer) for fact in apart)


def _has_draw(action: Action) -> bool:
    return getattr(action, "seed", None) is not None


def _seedless(action: Action, blank: bool) -> str:
    """An open entry as text without its seed, which differs even for equal outcomes, and without the words that were
    shuffled, which `drawn` repeats.
    """
    drawn, draw = getattr(action, "drawn", None), getattr(action, "draw", None) or {}
    if drawn is None and not _has_draw(action):
        return repr(action)
    without = ["seed", *(["drawn"] if drawn and blank else []), *(["draw"] if "shuffle" in draw else [])]
    return repr(action._replace(**dict.fromkeys(without)))


# ---- many pairs ------------------------------------------------------------------------------------------------------


class Met:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.pairs = self.differing = 0
        self.matches: list[Trial] = []
        self.data: set[str] = set()
        """The fields of views that the information table of some match may keep from somebody."""
        self.hidden: set[str] = set()
        """Classes of facts, and fields like `PlayerView.hand`, that differed while the viewer did not know."""
        self.kept: set[str] = set()
        self.own: set[str] = set()
        self.told: set[str] = set()
        self.closed: set[str] = set()

    def play(self, match: Trial) -> None:
        """Count a whole match that was played with the game's own levels."""
        self.matches.append(match)
        names = closed_data(self.game, match.state.table.settings["visibility"])
        self.data |= names if self.game.sheets else {name for name in names if not name.endswith(".sheets")}

    def meet(self, first: Side, second: Side, facts: Sequence[Fact], facts_too: Sequence[Fact], *, own: bool) -> None:
        """Count what differs between both matches after a step, while the viewer knows the same about them.

        Args:
            own: Whether the information table has the game's own levels.
        """
        told, closed = set[str](), set[str]()
        for fact in (*facts, *facts_too):
            (told if self.game.known(first.match.state, fact, first.viewer) else closed).add(type(fact).__name__)
        self.told |= told
        self.closed |= closed
        counts = Counter(map(repr, facts)), Counter(map(repr, facts_too))
        apart = {*(counts[0] - counts[1]), *(counts[1] - counts[0])}
        met = {type(fact).__name__ for fact in (*facts, *facts_too) if repr(fact) in apart}
        seen = self.game.view(first.match.state, HOST_VIEWER)
        if not self.data <= (self.own if own else self.hidden) and first.match.state != second.match.state:
            met |= {*_apart(seen, self.game.view(second.match.state, HOST_VIEWER))}
        self.hidden |= met
        if own:
            self.own |= met
            self.kept |= closed
            if not self.data <= self.kept:
                self.kept |= {*_apart(seen, self.game.view(first.match.state, first.viewer))}

    def gaps(self) -> dict[str, str]:
        """What these pairs do not cover -> why, and what to do."""
        match, never = self.matches[0], "never differed while a viewer did not know it"
        unplayed = never_played(self.matches)
        found = {kebab(verb): f"was never played in a whole match {advice(match, verb)}" for verb in unplayed}
        secret = {kind.__name__ for kind in self.game.facts} & self.told & self.closed
        wanted = self.data | secret
        return {**found, **dict.fromkeys(sorted(wanted - self.hidden | (wanted & self.kept) - self.own), never)}


def _apart(one: Any, two: Any) -> Iterator[str]:
    """The fields, like `PlayerView.hand`, in which two views differ, including those of players whom both have."""
    rows = [(one, two), *((row, two.players[p]) for p, row in (one.players or {}).items() if p in (two.players or {}))]
    for mine, theirs in rows:
        cls: Any = type(mine)
        names = (datum.name for datum in data_of(cls) if getattr(mine, datum.name) != getattr(theirs, datum.name))
        yield from (f"{cls.__name__}.{name}" for name in names)


def closed_data(game: Game, levels: Mapping[str, str]) -> set[str]:
    """The fields of views that an information table with these levels may keep from somebody."""

    def closes(line: VisibleTo) -> bool:
        return any(key != COURSE and levels.get(key) != "everybody" for key in line.keys)

    data = ((cls.__name__, datum) for cls in (game.match_view, game.player_view) for datum in data_of(cls))
    return {f"{cls}.{datum.name}" for cls, datum in data if datum.lines and all(map(closes, datum.lines))}


def of_match(
    game: Game, players: Sequence[str], chance: Random, *, knows: Knows | None = None, outside: Collection[str] = (),
    **settings: Any,
) -> Iterator[Pair]:  # fmt: skip
    """Pairs of one random match with a second match for each viewer.

    Args:
        settings: Settings of the match. Some of the game's other settings are drawn if their values can be listed. In
            half of the matches levels of the information table are drawn too, without `visibility` and `knows`.
    """
    settings = {**_settings(game, players, outside, type(chance)(f"{chance.getstate()}")), **settings}
    levels = {} if knows or "visibility" in settings else _levels(game, chance)
    settings = {**settings, "visibility": levels} if levels else settings
    given = _given(game, [p for p in players if p not in outside], chance)
    between = functools.partial(_hosts_act, chance) if chance.random() < 0.5 else lambda match: None
    number = chance.randrange(1, 4)
    played = simulate(game, players, chance, number, between, given=given, outside=outside, **settings)
    steps = played.done[len(players) :][:60]
    for viewer in (PUBLIC_VIEWER, *players):
        shown = steps if chance.random() < 0.5 or not steps else steps[: chance.randint(1, len(steps))]
        start = Trial(game, players, settings=settings, given=given, outside=outside)
        other = [*_otherwise(game, given, viewer, chance)] if given else []
        starts = (Trial(game, players, settings=settings, given=one, outside=outside) for one in other)
        yield Pair(start, list(_slots(shown, chance)), viewer, chance, knows, levels, starts)


def _levels(game: Game, chance: Random) -> dict[str, str]:
    """Random levels for some lines of the information table, in half of the matches."""
    if chance.random() >= 0.5:
        return {}
    return {line: chance.choice(LEVELS) for line in game.visibility if chance.random() < 0.5}


def _settings(
    game: Game, players: Sequence[str], outside: Collection[str], chance: Random, often: float = 0.25
) -> dict[str, Any]:
    """Random values for some of the game's settings whose values can be listed; empty if the game refuses them."""
    rows = (row for row in fields(game.settings) if not row.many)
    listed = {row.name: (False, True) if row.base is bool else get_args(row.base) for row in rows}
    drawn = {name: chance.choice(words) for name, words in listed.items() if words and chance.random() < often}
    with contextlib.suppress(LedgerError):
        Trial(game, players, settings=drawn, outside=outside)
        return drawn
    return {}


def late(
    match: Trial, players: Sequence[str], chance: Random, *, knows: Knows | None = None, own: bool = False
) -> Iterator[Pair]:
    """Pairs for two viewers from the later steps of a whole match, mostly stopping before its end, which reveals much.

    Args:
        own: Keep the levels of that match; otherwise half of the pairs get others.
    """
    slots = [*_slots(match.done[len(players) :], chance)]
    slots = slots[: chance.randint(len(slots) // 2, len(slots))]
    table = match.state.table
    levels = {} if knows or own else _levels(match.game, type(chance)(f"{chance.getstate()}"))
    settings = {**table.settings, "visibility": {**table.settings["visibility"], **levels}}
    start = Trial(match.game, players, settings=settings, outside=table.outside)
    before = Side(start, PUBLIC_VIEWER, knows)
    for slot in slots[:-120]:
        before.do(slot)
    for viewer in chance.sample((PUBLIC_VIEWER, *players), 2):
        yield Pair(before.match, slots[-120:], viewer, chance, knows, levels)


def _hosts_act(chance: Random, match: Trial) -> None:
    """Now and then let a host set a field, stop or start the clock or end a round, or let a player leave."""
    if chance.random() < 0.85:
        return
    table, who = match.state.table, chance.choice(match.state.table.present)
    acts = [shared.Pause() if table.paused is None else shared.Resume(), *_overrides(match, who, chance)]
    acts += [] if table.left else [shared.Drop(who)]
    acts += [shared.Close()] if table.round is not None and table.round.closed is None else []
    with contextlib.suppress(LedgerError):
        match.do(chance.choice(acts))


def _overrides(match: Trial, player: str, chance: Random) -> list[Action]:
    """The game's own overrides for a player, each with a value that can be listed or that some player has."""
    view: Any = match.game.view(match.state, HOST_VIEWER)
    rows = view.players or {}
    made: list[Action] = []
    for name, row in match.game.overrides.items():
        held, *others = (str(getattr(rows.get(p), name, "")) for p in (player, *rows))
        if words := [word for word in (*_values(row), *others) if word != held]:
            made.append(shared.Override(None if row.table else player, name, chance.choice(words)))
    return made


def _given(game: Game, players: Sequence[str], chance: Random) -> dict[str, dict[str, str]]:
    """Start values that a match file might give each player, for fields with known values; empty in half of matches."""
    values = {name: _values(row) for name, row in game.overrides.items() if row.at_start}
    if not any(values.values()) or chance.random() < 0.5:
        return {}
    return {p: {name: chance.choice(listed) for name, listed in values.items() if listed} for p in players}


def _values(row: Override) -> list[str]:
    """Values of a field according to its usage, `moth|flame` or `N`; none if it has neither form."""
    found = []
    for word in ("1", "2", "3") if row.how == "N" else row.how.split("|"):
        with contextlib.suppress(LedgerError):
            found.append(row.read(word))
    return found


def _otherwise(
    game: Game, given: Mapping[str, Mapping[str, str]], viewer: str, chance: Random
) -> Iterator[Mapping[str, Mapping[str, str]]]:
    """Variants of `given` that change one field: for all players, for all but the viewer, or for one player."""
    players = list(given)
    others = [p for p in players if p != viewer]
    rows = [name for name, row in game.overrides.items() if row.at_start and len(_values(row)) > 1]
    for whom in (players, others, *([p] for p in chance.sample(players, len(players)))):
        for name in chance.sample(rows, len(rows)):
            values = _values(game.overrides[name])
            changed = {p: chance.choice([value for value in values if value != given[p].get(name)]) for p in whom}
            yield {p: {**row, **({name: changed[p]} if p in changed else {})} for p, row in given.items()}


def _slots(steps: Sequence[Done], chance: Random) -> Iterator[Slot]:
    for number, step in enumerate(steps):
        if isinstance(step.action, shared.Deal):
            hands = tuple(action for action in step.made if isinstance(action, shared.Hand))
            packed = [a.draw["deal"] for a in step.made if isinstance(a, shared.Deal) and a.draw]
            deck = [card for row in packed for card, many in row for _ in range(many)]
            rest = Counter(deck) - Counter(card for hand in hands for card in hand.cards)
            yield Slot(step.now, step.seq, (*hands, shared.Deal("typed")), True, rest=tuple(rest.elements()))
        else:
            yield Slot(step.now, step.seq, (step.action,), any(map(_has_draw, step.made)))
        if chance.random() < 0.3:
            yield Slot(step.now, BETWEEN + 100 * number, ())


def prove(
    game: Game,
    players: Sequence[str],
    chances: Iterable[Random],
    *,
    knows: Knows | None = None,
    excused: Mapping[str, str] | None = None,
    outside: Collection[str] = (),
    **settings: Any,
) -> Met:
    """Play pairs of random matches, and check that nothing leaks and that they cover the whole game.

    Args:
        chances: One for each match; forty are enough for a small game: `map(Random, range(40))`.
        excused: What pairs need not cover (a verb as typed, `PlayerView.hand`, the class of a fact) -> the reason.

    Raises:
        AssertionError: something leaks.
        ProvesNothing: a verb was never played in a whole match, a datum was never hidden under the game's own levels,
            or no pair differed; or an excuse is no longer needed.
    """
    met, excuses = Met(game), dict(excused or {})
    for number, chance in enumerate(chances):
        met.play(simulate(game, players, chance, outside=outside, **settings))
        early = of_match(game, players, chance, knows=knows, outside=outside, **settings)
        for pair in chain(early, late(met.matches[-1], players, chance, knows=knows, own="visibility" in settings)):
            met.pairs += 1
            met.differing += pair.differs
            for leak in pair.leaks(met):
                raise AssertionError(f"match {number}: {leak}")
    found = met.gaps()
    gaps = [f"  {name} {why}" for name, why in found.items() if name not in excuses]
    gaps += [f"  {name} was met: it needs no excuse" for name in excuses if name not in found]
    if not met.differing:
        gaps.insert(0, "  no pair differed at all: is there anything that players do not know of each other?")
    if gaps:
        listed = "\n".join(gaps)
        raise ProvesNothing(f"{met.pairs} pairs of {game.name} leak nothing, but they prove little:\n{listed}\n{GUIDE}")
    return met
