"""Pairs that every game gets without a word about it (ledger/author/pairs.py), and leaks that they must find.

The leaks are put into Lantern Walk of docs/add-a-game.md: into its marks, its rows, its
order, its counts, its refusals.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, groupby, islice, pairwise, product
from random import Random
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_type_hints

import pytest

from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER
from events.errors import LedgerError, Refused
from events.record import NamedTuple
from games.contract import COURSE, HOSTS, OWN, Action, Draw, Elapsed, Game, MatchView, Verb, VisibleTo, players_of
from games.equilibrium.cards import CLASSES
from games.freeform import actions as freeform_actions
from games.hex_parties import actions as hexes
from games.hex_parties.board import BOARD, PARITIES
from games.kinds import Player, grouped
from games.marsmatch import actions as mars
from games.parts import view as parts_view, words
from games.parts.build import build
from games.parts.moves import candidates
from games.parts.view import ViewFilter
from games.poker_auction.cards import DECK, ROUNDS
from games.polar import actions as polar
from games.polar.actions import BOMBS, ROOMS
from games.records import ABSENT, Arg, plain
from games.registry import load, names
from games.table import actions as shared, facts as table_facts, rounds as sealed
from games.table.facts import FieldSet
from games.table.view import frame, line_audience
from ledger.author import pairs
from ledger.author.pairs import (
    Met,
    _hosts_act as hosts_act,
    _overrides as overrides,
    _settings as settings_of,
    late,
    of_match,
    prove,
)  # fmt: skip
from ledger.author.simulation import ProvesNothing, Trial, play, simulate
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.diff import differences
from ledger.tell.reports import death_match
from tests.secrecy import leaks
from tests.secrecy.generators import BEGAN, generator, has_generator
from tests.secrecy.hex_parties import BONUSES, around
from tests.secrecy.test_closed_lines import leaves
from tests.support.guide import built_in, folder_of, stated
from tests.support.sizes import every_eighth, many

PEOPLE = ["ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal"]
WITHIN = 30
"""Every seeded leak is found within so many matches."""
TELLING = (0, 1, 20, 27)
"""Those that show most leaks: where the search begins, only to be quick."""


def first(*seeds: int) -> Iterable[int]:
    """The matches in which a leak is looked for, these before the others."""
    return dict.fromkeys((*seeds, *range(WITHIN)))


def leaks_of(game: Game, players: Sequence[str], chance: Random) -> Iterator[str]:
    for pair in of_match(game, players, chance):
        yield from pair.leaks()


def leaking(game: Game, seeds: Iterable[int]) -> int | None:
    """The first match that shows a leak."""
    return next((seed for seed in seeds if any(leaks_of(game, PEOPLE[:4], Random(seed)))), None)


@pytest.mark.parametrize("share", range(4))
@pytest.mark.parametrize("name", [name for name in names() if not has_generator(name)])
def test_a_game_without_pairs_of_its_own_tells_nobody_what_they_may_not_know(name: str, share: int) -> None:
    game = load(name)
    for seed in range(share, many(8, 2_000), 4):
        assert not list(leaks_of(game, PEOPLE[: max(4, game.players[0])], Random(seed))), seed


TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "equilibrium": (4, {"allow_odd_roster": True}), "polar": (4, {}), "hex_parties": (6, {}), "poker_auction": (5, {}),
    "marsmatch": (5, {"short_hands": True}),
}  # fmt: skip
"""Players and settings of our own games; Freeform has no rules without a file."""


@pytest.mark.parametrize("name", TABLES)
def test_there_is_no_false_alarm_in_our_own_games(name: str) -> None:
    """With what their rules pages let a viewer know: the pairs differ, and nothing of it is told."""
    (many_players, settings), own = TABLES[name], generator(name)
    made = differ = 0
    for seed in range(many(1, 1_000)):
        people, knows = PEOPLE[:many_players], lambda state, viewer: own.knows(state, viewer, True)
        drawn = list(of_match(load(name), people, Random(seed), knows=knows, **settings))
        made, differ = made + len(drawn), differ + sum(pair.differs for pair in drawn)
        assert not [leak for pair in drawn for leak in pair.leaks()], seed
    assert differ > made / 2, "there is hardly anything to be told"


@pytest.mark.parametrize("name", [name for name in TABLES if load(name).sheets])
def test_in_which_order_sheets_came_is_told_nobody(name: str) -> None:
    """Not even where every line of the table is open: the last sheets of a round come in another order."""
    (many_players, settings), game = TABLES[name], load(name)
    settings = {**settings, "visibility": dict.fromkeys(game.visibility, "everybody")}
    moved = 0
    for seed in range(many(1, 100)):
        steps = simulate(game, PEOPLE[:many_players], Random(seed), **settings).done[many_players:]
        slots = [pairs.Slot(step.now, step.seq, (step.action,)) for step in steps]
        start = Trial(game, PEOPLE[:many_players], settings=settings)
        one, other = (pairs.Side(start, PUBLIC_VIEWER, None) for _ in range(2))
        for are_sheets, group in groupby(slots, key=lambda slot: isinstance(slot.actions[0], tuple(game.sheets))):
            came = list(group)
            others = sorted(came, key=lambda slot: slot.player, reverse=True) if are_sheets else came
            moved += came != others
            told = [
                [
                    side.output(side.do(slot._replace(actions=now.actions))[0], blank=True)
                    for slot, now in zip(came, by, strict=True)
                ]
                for side, by in ((one, came), (other, others))
            ]
            assert are_sheets or repr(told[0]) == repr(told[1]), seed
            assert one.views() == other.views(), seed
    assert moved, "all sheets came in the order of the names"


PRINTED: dict[str, tuple[Sequence[Any], ...]] = {
    "equilibrium": (CLASSES,), "polar": (BOMBS, ROOMS), "poker_auction": (DECK, [*ROUNDS]),
}  # fmt: skip
"""Orders that the rules of a game print. A mapping that stands in one, or in that of the seats, shows nothing by it."""
KEPT = {
    "settings": "what the match file holds, in its order",
    "rules": "the same",
    "trick": "everybody saw it",
}
"""Data whose order everybody may know, each with the reason."""
LISTED = {
    "hands": "a hand is sorted, or counts the cards of each rank",
    **dict.fromkeys(("sheets", "words", "opened", "void"), "who sends a sheet orders it; the last one counts"),
    **dict.fromkeys(("results", "history", "parties", "bounced"), "rounds and what they brought, as they are printed"),
    "items": "who draws, draws the first card",
    "seats": "everybody sees in which order they sit",
}
"""Lists that stand in their own order, each with the reason; mappings in them are turned."""


class Turned(frozenset[Any]):
    """The same set, read in the opposite order."""

    def __iter__(self) -> Iterator[Any]:
        return reversed([*super().__iter__()])


hints = cache(get_type_hints)


def turned(value: Any, viewer: str, orders: Sequence[Sequence[Any]], hint: Any = None) -> Any:
    """A state with the entries of every mapping, set and list in the opposite order, but for orders that all may know
    and for what is the viewer's own."""
    if isinstance(value, frozenset):
        return Turned(value)
    if hasattr(value, "_fields"):
        kinds = hints(type(value))
        rows = ((name, getattr(value, name)) for name in value._fields if name not in KEPT)
        new = {name: turned(row, viewer, orders, None if name in LISTED else kinds[name]) for name, row in rows}
        return value._replace(**new)
    inner = get_args(hint)
    if not isinstance(value, Mapping) and inner[1:] != (...,):
        return value
    known = any(all(row in order for row in value) and [*value] == sorted(value, key=order.index) for order in orders)
    rows = value if known else reversed([*value])
    if isinstance(value, Mapping):
        of = inner[-1] if inner else None
        return {key: value[key] if key == viewer else turned(value[key], viewer, orders, of) for key in rows}
    return tuple(turned(row, viewer, orders, inner[0]) for row in rows)


OFTEN = {"equilibrium": {"garnet_hands": [*CLASSES]}}
"""Settings by which more comes about one after the other: each class pays a garnet."""


def shown(match: Trial, viewer: str) -> tuple[Any, ...]:
    """All that a report is made of, and what the viewer is reminded of. Where it reads the same, so does each report,
    which sees nothing else."""
    state, game = match.state, match.game
    reminders = [due for due in game.waiting(state) if due.told and due.who == viewer]
    return frame(state.table, game.title, viewer), game.view(state, viewer), game.result(state, viewer), reminders


CLOSED = ("nobody_ever", "host", "owner", "everybody_after_end")
TABLES_OF = ((CLOSED, "everybody"), (("everybody",), "host"), (("host",), "host"))
"""Levels of up to three lines, and the level of the others: what one line hides must not come out by another, and what
one opens is no more than its own."""


FURTHER: dict[str, dict[str, Sequence[Any]]] = {
    "equilibrium": {"garnet_hands": ([*CLASSES], ["four", "full", "flush"])},
    "hex_parties": {
        "max_rounds": (2, 10),
        "bonuses": (BONUSES,),
        "refund_bounced_bonus": (True, True, False),
    },
    "marsmatch": {"rounds": (1, 2), "turn_seconds": (90, 0), "three_in_a_row": ("ask_host", "tempo", "instant_win")},
}
"""Settings whose values cannot be listed, and without which some facts never happen."""


def begun(name: str, chance: Random, levels: Sequence[str], others: str = "", **more: Any) -> Trial:
    """A match of one of our games whose lines have some of these levels, and some settings other values; Freeform plays
    the file of its pairs.

    Args:
        levels: Empty: each line has its own.
        others: The level of all lines but up to three; empty: the levels are for all.
        more: More settings.
    """
    game = load(name)
    some = chance.sample([*game.visibility], chance.randint(1, 3)) if others else game.visibility
    table = {line: chance.choice(levels) if line in some else others for line in game.visibility if levels}
    if name in TABLES:
        many_players, settings = TABLES[name]
        people = PEOPLE[:many_players]
        settings = {**settings, **{key: chance.choice(values) for key, values in FURTHER.get(name, {}).items()}}
        drawn = next(filter(None, (settings_of(game, people, (), chance, 0.6) for _ in range(9))), {})
        purses = {player: chance.randint(0, 3) for player in people}
        return Trial(game, people, garnets=purses, settings={**drawn, **settings, **more, "visibility": table})
    setup = generator(name).draw(chance).one.setup
    setup = {**setup, "settings": {**setup.get("settings", {}), "visibility": table}}
    return Trial.from_entries(game, setup_bodies(setup, source="match.toml", by=None, now=BEGAN)[1])


def went(match: Trial, chance: Random, pace: float = 0) -> Iterator[tuple[Trial, Action, list[Any]]]:
    """A match goes on at random to its end: the match before, what was done, and what happened; what is refused is left
    out. Now and then comes what `play` never tries."""
    before = match.twin()
    for action, facts, refused in play(match, match.state.table.players, chance, pace=pace):
        if refused is None:
            yield before, action, facts
        for action in besides(match, chance) if chance.random() < 0.3 else ():
            before = match.twin()
            with contextlib.suppress(LedgerError):
                yield before, action, match.do(action)
        before = match.twin()


def besides(match: Trial, chance: Random) -> Sequence[Action]:
    """Time passes, and somebody does what the game offers nobody; hosts set something; or they end what is on, and go
    back into it."""
    game, table = match.game, match.state.table
    match.now += chance.choice((0, 0, 100_000))
    who = getattr(match.state, "turn", None) or chance.choice(table.players)
    listed = [*candidates(game.actions, table, who)]
    offered = {type(action): action for action in chance.sample(listed, len(listed))}
    acts = [(one,) for one in (*offered.values(), *unlisted(match, who, chance), *overrides(match, who, chance))]
    return chance.choice([*acts, (shared.Close(), shared.Reopen())])


def unlisted(match: Trial, p: str, chance: Random) -> Iterator[Action]:
    """What a player, or a host with them and another, may try with words that cannot be listed."""
    q = chance.choice(match.state.table.players)
    if match.game.name == "freeform":
        yield from (freeform_actions.Give("charm", *both) for both in ((p, q), (q, p)))
        yield from (freeform_actions.Move("purse", p, q, "1"), freeform_actions.Set("favour", q, "5"))
        yield from (freeform_actions.Do(verb, (p, "9")) for verb in ("pay", "vow", "weigh"))
        yield freeform_actions.Do("wager", (p,))
    elif match.game.name == "hex_parties":
        yield from (hexes.Move(p, f"{which} {chance.choice(BOARD.within(1))}") for which in PARITIES)
        for which in PARITIES:
            near = around(match.state.cells.get((p, which), "E5"), 5)[1][:6]
            yield from (hexes.Move(p, f"{which} {chance.choice(near)}", bonus) for bonus in ("sprint", "leap", "leap"))
        yield shared.Override(p, "points", "16")
    elif match.game.name == "marsmatch":
        yield from (mars.Play(p, cards) for cards in ("BJ BJ BJ", "3 4 5", "Q Q"))


def tells(match: Trial, action: Action, viewer: str) -> tuple[str, ...]:
    """What a step tells the viewer, and all that they read after it.

    Raises:
        LedgerError: it is refused.
    """
    happened = step(match, action)
    return repr(match.game.tell(match.state, happened, viewer)), repr(shown(match, viewer))


def step(match: Trial, action: Action) -> list[Any]:
    """What happens; time may pass."""
    return match.wait(match.game.due(match.state)) if isinstance(action, Elapsed) else match.do(action)


def answers(match: Trial, action: Action, viewer: str) -> tuple[str, ...]:
    """What a step tells the viewer, or its refusal."""
    try:
        return tells(match, action, viewer)
    except LedgerError as error:
        return in_words(error)


@pytest.mark.parametrize("name", built_in())
def test_in_which_order_anything_came_about_is_told_nobody(name: str) -> None:
    """But for plays: the state remembers it, and what is shown is sorted; so is what a fact tells of several players,
    as they sit at the table or in the circle. Every line is open, or each as is drawn.

    It showed which orders of Hex Parties bounced first, and who of two had chosen their power first.
    """
    met = 0
    for seed in (8, *range(many(2, 400))):
        chance = Random(f"turned {name} {seed}")
        match = begun(name, chance, (("everybody",), pairs.LEVELS)[seed % 2], **OFTEN.get(name, {}))
        players, before = match.state.table.players, match.twin()
        for action, facts, refused in islice(play(match, players, chance, pace=0.1), many(300, 2000)):
            sitting = players, *(getattr(one.state, "order", ()) for one in (before, match))
            for told in (value for fact in facts for value in fact if isinstance(value, tuple) and len(value) > 1):
                orders = [tuple(p for p in order if p in told) for order in sitting]
                assert told in orders or not {*players}.issuperset(told), (seed, action, told)
            table, viewer = before.state.table, chance.choice((PUBLIC_VIEWER, *players))
            files = (rows for rows in table.settings.values() if isinstance(rows, Mapping))
            orders = [[*rows] for rows in (table.seats, table.resolved, *files, *PRINTED.get(name, ()))]
            other, crowded = before.twin(), name == "hex_parties" and any(match.game.broken(before.state))
            other.state = turned(before.state, viewer, orders)
            skipped = crowded or (refused and chance.random() < 0.75)
            if not skipped and repr(other.state) != repr(before.state):
                met += 1
                assert answers(before, action, viewer) == answers(other, action, viewer), (seed, viewer, action)
            hosts_act(chance, match)
            before = match.twin()
    assert met, "everything came about in the order of the seats"


def after_the_end(match: Trial, chance: Random) -> Iterator[tuple[Action, list[Any]]]:
    """What hosts correct then, each with what happened, and a change of the result besides."""
    for player in match.state.table.players if match.game.over(match.state) else ():
        for action in (*overrides(match, player, chance), *unlisted(match, player, chance)):
            with contextlib.suppress(LedgerError):
                kind = chance.choice(["elimination", "winner", "tokens"])
                changed = table_facts.ResultChanged(kind, (), ((player, 1),), "the hosts corrected a count")
                yield action, [*match.do(action), changed]


COURSE_FACTS = (sealed.RoundResolved, sealed.SubmissionsClosed, table_facts.PhaseBegan, table_facts.PhaseEnded)
"""What everybody sees without a word about it."""


def nothing_of_what_is_hidden(match: Trial, action: Action, facts: Sequence[Any]) -> None:
    """What an entry did that neither the viewer nor everybody is told brings them no word, no standing and no report.

    The report came with a text for everybody where hosts had corrected a count and a hidden result changed by it.
    """
    tell = partial(match.game.tell, match.state)
    for viewer in {PUBLIC_VIEWER, getattr(action, "player", PUBLIC_VIEWER)}:
        if tell(facts, viewer).lines:
            words = [any(tell((fact,), who).lines for who in (viewer, PUBLIC_VIEWER)) for fact in facts]
            told = [f for f, word in zip(facts, words, strict=True) if word or isinstance(f, COURSE_FACTS)]
            assert tell(facts, viewer) == tell(told, viewer), (viewer, action, facts)


LACKS = {
    "poker_auction.not_owned": "it names that of the powers on the sheet which they lack: they are refused for it",
    "equilibrium.no_offer": "its line accepts what they have been offered themselves, where they have",
    "equilibrium.not_open": "its line is what hosts do next: that they have dealt is no secret",
}
"""Refusals that differ by what is closed, each with the reason."""


@pytest.mark.parametrize("name", TABLES)
def test_with_every_line_closed_no_refusal_tells_what_a_host_has_set(name: str) -> None:
    """Of the player who tries something, or of another: what is refused for the same reason is refused alike."""
    (many_players, settings), game, met = TABLES[name], load(name), 0
    settings = {**settings, "visibility": dict.fromkeys(game.visibility, "host")}
    played: list[Trial] = []
    for chance in map(Random, range(many(1, 300))):
        played.clear()
        simulate(game, PEOPLE[:many_players], chance, 1000, lambda match: played.append(match.twin()), **settings)
        deciding = [match for match in played if match.state.table.decisions]
        for match in (*chance.sample(played[:20], 3), *chance.sample(played, 2), *deciding[:3]):
            asked = [p for decision in match.state.table.decisions for p in decision.who]
            p, q = (*asked[:1], *(p for p in chance.sample(PEOPLE[:many_players], 2) if p not in asked[:1]))[:2]
            tried = [*candidates(game.actions, match.state.table, p)]
            tried = chance.sample(tried, min(20, len(tried)))
            tried += [kind(p, other) for kind in (shared.Vote, shared.Gift, shared.Choose) for other in (p, q)]
            tried += [shared.Blank(p), shared.Penalty(p, 9), shared.Award(p, "garnets", -9)]
            done: list[Any] = [
                row for who in (p, q) for row in (*overrides(match, who, chance), shared.Award(who, "tokens", 1))
            ]
            for action in (*done, *(shared.Override(p, "garnets", number) for number in "03")):
                if (other := match.twin()).refusal(action) is None:
                    for error, again in ((match.twin().refusal(one), other.twin().refusal(one)) for one in tried):
                        if error and again and error.code == again.code and error.code not in LACKS:
                            met += 1
                            assert (error.what, error.fix) == (again.what, again.fix), action
    assert met > 50


ALLOWS = (
    "equilibrium.hands", "equilibrium.locked", "equilibrium.table.purses", "poker_auction.chips",
    "poker_auction.powers", "polar.players.bombs", "polar.players.bought",
    "polar.players.room", "polar.players.swaps", "polar.players.tickets", "polar.table.purses", "marsmatch.hands",
    "marsmatch.turn", "freeform.items.charm", "freeform.counters.favour",
)  # fmt: skip
"""Data on which it depends what a player may do, and so why they are refused or warned; for the same reason all are
alike."""


MAY_BE_EMPTY = ("plays", "choices", "votes")
"""Data of what players have done, by which a state without them is one too."""


def exchanged(value: Any, p: str, q: str, name: str) -> Iterator[tuple[str, Any]]:
    """(which datum, the state): one datum of two players exchanged, a number of each player raised, one player named
    in the place of the other, or what was done undone."""
    if isinstance(value, Mapping) and (p in value or q in value):
        one, two = rows = value.get(p), value.get(q)
        if all(hasattr(row, "_fields") for row in rows):
            for key, mine, theirs in zip(one._fields, one, two, strict=True):
                if mine != theirs:
                    new = {p: one._replace(**{key: theirs}), q: two._replace(**{key: mine})}
                    yield f"{name}.{key}", {**value, **new}
        elif one != two:
            yield name, {{p: q, q: p}.get(player, player): row for player, row in value.items()}
        if isinstance(one, int):
            yield name, {player: row + 3 for player, row in value.items()}
    elif isinstance(value, Mapping):
        for key, row in value.items():
            yield from ((datum, {**value, key: new}) for datum, new in exchanged(row, p, q, f"{name}.{key}"))
    elif hasattr(value, "_fields"):
        empty = (key for key in MAY_BE_EMPTY if getattr(value, key, {}))
        yield from ((f"{name}.{key} none", value._replace(**{key: {}})) for key in empty)
        for key in (key for key in value._fields if key not in ("seats", "round", "last", "settings")):
            for datum, new in exchanged(getattr(value, key), p, q, f"{name}.{key}"):
                yield datum, value._replace(**{key: new})
    elif value == p:
        yield name, q


@pytest.mark.parametrize("name", built_in())
def test_nothing_depends_on_what_came_of_play_behind_a_closed_line(name: str) -> None:
    """Points, titles and the like of two players are exchanged, raised for all or set by a host, with every line closed
    or some. Who sees nothing of it is allowed or refused as before; and while they see nothing of it, they are told the
    same, of their own doing too where it comes to the same.
    Moments of a match that look alike to somebody refuse alike, too: whose turn it is, is no datum of a player.
    What is told of an entry is the same without what it did that nobody tells.
    Every fact and verb of the game happens in these matches, and each of its refusals, but for `NOT_TRIED`.
    """
    game, met, told, happened, codes = load(name), 0, 0, set[type](), set[str]()
    for seed in range(many(3, 300)):
        chance = Random(f"{'played on' if name in ('freeform', 'hex_parties', 'polar') else 'of play'} {seed}")
        played, drawn = list[tuple[Trial, Any]](), dict[str, list[Any]]()
        match = begun(name, chance, *TABLES_OF[seed % 3])
        levels = match.state.table.settings["visibility"]
        for before, action, facts in went(match, chance):
            played.append((before, action))
            happened.update(map(type, (action, *facts)))
            nothing_of_what_is_hidden(match, action, facts)
        for action, facts in after_the_end(ended := match.twin(), Random(seed)):
            nothing_of_what_is_hidden(ended, action, facts)
        played.append((match, shared.Reopen()))
        looks = cache(lambda match, player: pairs._views(game, match.state, player))
        again = [row for row in played if isinstance(row[1], shared.Reopen)][-3:]
        for match, action in (*chance.sample(played, min(40, len(played))), *played[-2:], *again):
            who = chance.sample(match.state.table.players, 3)
            for datum, state in exchanged(match.state, *who[:2], name):
                if datum.endswith((".orphan", ".table.lapsed")):
                    continue  # who must say who leads stands in the open decision too; what lapsed, in the tokens
                if datum == "equilibrium.ticked" and levels["garnet_gained"] not in ("host", "nobody_ever"):
                    continue  # of each class they were told when they first had it
                if datum != "hex_parties.closing" or levels["own_garnets"][:9] != "everybody":  # as they held then
                    drawn.setdefault(datum, []).append((match, action, state, who))
            for override in overrides(match, who[0], chance):
                if (other := match.twin()).refusal(override) is None:
                    for viewer in who:  # what is over stays as it was told
                        then, now = (getattr(one.view(viewer), "rounds", None) for one in (match, other))
                        assert then == now, (seed, override, viewer)
                    drawn.setdefault(f"{name}.set.{override.field}", []).append((match, action, other.state, who))
        for datum, rows in drawn.items():
            allows = datum in ALLOWS or ".set." in datum
            some = [(row, chance) for row in (*chance.sample(rows, min(3, len(rows))), *rows[-2:])]
            early = [(min(rows, key=lambda row: len(row[0].done)), Random(seed))] if ".set." in datum else []
            for (match, following, state, who), luck in (*some, *early):
                other = match.twin()
                other.state = state
                for player in (*who, PUBLIC_VIEWER):
                    if pairs._views(game, state, player) != looks(match, player):
                        continue
                    assert read(match, match.state, player) == read(match, state, player), (seed, datum, player)
                    own = [] if player == PUBLIC_VIEWER else tried(match, player, luck)
                    voted = (
                        who[:2]
                        if ".votes." in datum
                        else match.state.table.players
                        if datum.endswith("votes none")
                        else ()
                    )
                    own_vote = player in voted  # which no view shows
                    for action in (following, *own):
                        one, two = (end_of(side.twin(), action, player) for side in (match, other))
                        code, another = one.refusal[0], two.refusal[0]
                        if action is not following:
                            met += code != ""
                            codes.add(code)
                            same = one.refusal == two.refusal or (allows and (code != another or code in LACKS))
                            assert same, (seed, datum, action, one.refusal, two.refusal)
                        if code == another == "" and one.seen == two.seen:
                            told += 1
                            apart_of = {who for _, who, *_ in {*one.outline} ^ {*two.outline}}
                            own_doing = player in apart_of | {getattr(action, "player", "")} and apart_of != set()
                            excused = own_vote or (allows and own_doing)
                            assert excused or one.told == two.told, (seed, datum, action)
        for player in (PUBLIC_VIEWER, *chance.sample(match.state.table.players, 2)):
            for first, second in alike(game, [match for match, _ in played], player, chance):
                assert not [*apart(first, second, player, chance)], (seed, player)
    assert met and told, "nothing was refused, or told"
    never = {*{kind.__name__ for kind in {*game.facts, *game.actions} - happened}, *codes_of(game) - codes}
    lacking = sorted(never - {*" ".join(NOT_TRIED.values()).split()})
    assert not lacking, f"in no match, and in no list of what need not be in one: {lacking}"


def read(match: Trial, state: Any, viewer: str) -> tuple[Any, ...]:
    """What commands show of this state that stands in no report: how it differs from that of the match, and who plays
    the Death Match."""
    at_hand: Any = SimpleNamespace(
        game=match.game, zone="UTC", table=state.table, frame=lambda state, who: frame(state.table, "", who)
    )
    point: Any = SimpleNamespace(fold=SimpleNamespace(state=state), viewer=viewer)
    return differences(at_hand, match.state, state, viewer), death_match(at_hand, point)


class End(NamedTuple):
    """What a step comes to."""

    refusal: tuple[str, ...]
    outline: Sequence[Any] = ()
    """What happened to whom, without what may be hidden of it."""
    seen: Any = None
    told: str = ""
    """All that the viewer is told of it, and reads after it."""


def end_of(match: Trial, action: Action, viewer: str) -> End:
    try:
        facts = step(match, action)
    except LedgerError as error:
        return End(in_words(error))
    outline = [(type(fact), *(getattr(fact, field, "") for field in ("player", "item", "why"))) for fact in facts]
    now, asked = shown(match, viewer), [d for d in match.state.table.decisions if viewer in d.who]
    return End(("",), outline, (*seen(*now[:3]), asked), repr((match.game.tell(match.state, facts, viewer), now)))


def codes_of(game: Game) -> set[str]:
    """The codes with which a game refuses, as they stand in its source."""
    source = "".join(path.read_text(encoding="utf-8") for path in folder_of(game.name).glob("*.py"))
    return {*re.findall(rf'"({game.name}\.\w+)"', source)}


NOT_TRIED = {
    "it says how a word is written": "equilibrium.card freeform.drawn_wrong freeform.file freeform.name "
    "hex_parties.bonus hex_parties.cell hex_parties.orders marsmatch.card marsmatch.title poker_auction.amount "
    "poker_auction.bid poker_auction.bid_twice poker_auction.card poker_auction.gift poker_auction.gift_twice "
    "poker_auction.gift_without_bid poker_auction.power polar.bomb polar.bomb_room polar.item polar.room polar.sign",
    "hosts alone try it": "equilibrium.close_pregame equilibrium.deal_late equilibrium.dealt equilibrium.not_dealt "
    "equilibrium.opened equilibrium.reopen_running freeform.added freeform.drawn freeform.no_draw freeform.no_round "
    "freeform.opened freeform.rounds_left freeform.undrawn hex_parties.host_names hex_parties.sides_missing "
    "hex_parties.started marsmatch.no_hint marsmatch.not_dealt marsmatch.not_open marsmatch.opened "
    "marsmatch.over marsmatch.reopen marsmatch.undrawn polar.drawn polar.lot",
    "it is rare, and comes where there are more matches": "equilibrium.identical marsmatch.declare marsmatch.lead_open "
    "marsmatch.no_cards marsmatch.no_clock marsmatch.not_so marsmatch.paused",
}
"""Reason -> the codes that need not come in the matches of the quick run."""


@pytest.mark.parametrize("name", built_in())
def test_which_of_two_it_was_is_told_nobody_who_may_only_know_that_it_was_done(name: str) -> None:
    """A step of one player in one match, and one of the same verb of another in the other; or what a host does to one
    and to another. Then both go on alike. As long as a viewer may know the same of both, by the rules page of the game,
    they read the same, and are refused alike."""
    knows, met = generator(name).knows, 0
    for seed in range(many(1, 200)):
        chance, played = Random(f"of two {seed}"), list[tuple[Trial, Any]]()
        match = begun(name, chance, ())
        before, players = match.twin(), match.state.table.players
        for action, _, why in islice(play(match, players, chance, pace=0.1), many(150, 1000)):
            if why is None:
                played.append((before, action))
            before = match.twin()
        for number, (match, action) in enumerate(played):
            both, sides = of_two(match, action, chance), (match.twin(), match.twin())
            named = {player for one in both for player in players_of(one)}
            viewers = [viewer for viewer in chance.sample((PUBLIC_VIEWER, *players), 4) if viewer not in named]
            then = ((later, later) for _, later in played[number + (action in both) :][:3])
            for one, other in (both, *then) if both else ():
                try:
                    facts = step(sides[0], one), step(sides[1], other)
                except LedgerError:
                    break  # who may do it then did it, or it was done to them
                states = [side.state for side in sides]
                viewers = [p for p in viewers if knows(states[0], p, True) == knows(states[1], p, True)]
                for viewer in viewers:
                    met += 1
                    read = [reads(side, told, viewer) for side, told in zip(sides, facts, strict=True)]
                    assert read[0] == read[1], (seed, viewer, both, one)
                    assert chance.random() < 0.8 or not [*apart(*sides, viewer, chance)], (seed, viewer, both, one)
    assert met, "it always shows"


def of_two(match: Trial, action: Any, chance: Random) -> tuple[Any, ...]:
    """The same verb of two players, or of a host for each of two; nothing if the other cannot do it."""
    who = next(players_of(action), "")
    p, q = chance.sample([p for p in match.state.table.present if p != who], 2)
    if not who or chance.random() < 0.3:
        acts = (*overrides(match, p, chance), shared.Award(p, "garnets", 1), shared.Award(p, "tokens", 1))
        done: Any = chance.choice((*acts, shared.Breach(p), shared.Blank(p), shared.Penalty(p)))
        return (done, done._replace(player=q)) if done.player else ()
    is_move = type(action) in match.game.actions
    first = action._fields[0]
    of_other = [action._replace(**{first: q})] if getattr(action, first) == who else []  # a lot is of several
    moves = match.game.moves(match.state, q) if is_move else of_other
    same = [move for move in moves if isinstance(move, type(action))]
    return (action, chance.choice(same)) if same else ()


def reads(match: Trial, facts: Sequence[Any], viewer: str) -> tuple[Any, ...]:
    """What a step tells somebody, all that they read after it, and the newest entries that are open to them."""
    ended = match.state.table.status == "finished"
    entries = (action for done in match.done[-4:] for action in done.made)
    opened = [action for action in entries if match.game.audience(match.state, action).admits(viewer, ended=ended)]
    return repr(match.game.tell(match.state, facts, viewer)), repr(shown(match, viewer)), opened


OWN_DOING = {
    *("equilibrium.card_not_held", "equilibrium.no_garnet", "equilibrium.no_offer", "equilibrium.pair_used"),
    "equilibrium.identical",
    *("poker_auction.not_owned", "poker_auction.over_budget", "poker_auction.used"),
    *("marsmatch.drawn", "marsmatch.dealt"),
}
"""Refusals of which one or the other tells what the players concerned hold or have done, or a host, of whom no line is
open to them: they did it themselves."""


def tried(match: Trial, player: str, chance: Random) -> list[Any]:
    """What somebody may try, one of each verb: of the words that can be listed, and what others have done. Everybody
    reads of anybody whatever is open to all."""
    game, table = match.game, match.state.table
    who = chance.choice(table.players) if player == PUBLIC_VIEWER else player
    listed: list[Any] = [*candidates(game.actions, table, who), *unlisted(match, who, chance)]
    done = [a for step in match.done for a in step.made if type(a) in game.actions]
    of_others = {type(a): a._replace(player=who) for a in done if hasattr(a, "player")}
    own = {type(a): a for a in chance.sample(listed, len(listed))}
    found = [*own.values(), *of_others.values()]
    if game.name == "polar":
        found += [polar.Start(who, "attic", "0", as_sent=True), polar.Submit(who, buy=("ticket",) * 9, as_sent=True)]
    return [a for a in found if who == player or game.audience(match.state, a).admits(player, ended=False)]


def apart(one: Trial, other: Trial, player: str, chance: Random) -> Iterator[Any]:
    """What somebody may try that is refused in each of the matches, and not alike, but for their own doing."""
    for action in tried(one, player, chance):
        both = refused(one, action), refused(other, action)
        codes = {*(row[0] for row in both)}
        own_doing = "" in codes or codes <= {*LACKS} or (len(codes) == 2 and codes <= OWN_DOING)
        if both[0] != both[1] and not own_doing:
            yield action, both


def alike(game: Game, moments: Sequence[Trial], viewer: str, chance: Random) -> Iterator[tuple[Trial, Trial]]:
    """Moments of a match that look alike to somebody; the second has the clock and the log of the first."""
    some = chance.sample(moments, min(30, len(moments)))
    for rows in grouped((pairs._views(game, match.state, viewer), match) for match in some).values():
        for one, two in pairwise(rows[:4]):
            other = one.twin()
            other.state = two.state
            yield one, other


def seen(frame: Any, view: Any, end: Any) -> tuple[Any, ...]:
    """The view, what is to be decided, and how the match has ended: who got what in which order, and in which way."""
    ways = [(kind, row.get("player"), row["how"]) for kind, rows in (end.reasons or {}).items() for row in rows]
    return view, end.decisions, end.tokens, end.elimination, end.winners, end.losers, ways


def refused(match: Trial, action: Action) -> tuple[str, ...]:
    return in_words(error) if (error := match.twin().refusal(action)) else ("",)


def in_words(error: LedgerError) -> tuple[str, ...]:
    return error.code, error.what, error.fix


@pytest.mark.parametrize("name", [name for name in TABLES if load(name).sheets])
def test_of_two_sheets_that_come_to_the_same_nobody_is_told_which(name: str) -> None:
    """Before a round is resolved somebody sends another sheet: nothing, what can be listed, or what others have sent.
    Who sees afterwards the same, and saw nothing of it, was told the same."""
    met = 0
    for seed in range(many(4, 200)):
        chance = Random(f"sheets {name} {seed}")
        match = begun(name, chance, *TABLES_OF[seed % 2 * 2])
        rounds = [(before, action) for before, action, _ in went(match, chance) if isinstance(action, shared.Resolve)]
        for before, action in rounds:
            players = match.state.table.players
            p, viewers = chance.choice(players), (PUBLIC_VIEWER, chance.choice(players))
            told = dict[tuple[str, str], dict[str, Any]]()
            for sheet in sheets_of(before, p, chance):
                twin = before.twin()
                with contextlib.suppress(LedgerError):
                    facts = (*twin.do(sheet), *twin.do(action))
                    for viewer in viewers:
                        if viewer != p:
                            same = told.setdefault((viewer, repr(shown(twin, viewer))), {})
                            met += bool(same)
                            same.setdefault(repr(twin.game.tell(twin.state, facts, viewer)), sheet)
            for (viewer, _), texts in told.items():
                assert len(texts) == 1, (seed, viewer, texts)
    assert met, "it always shows"


def sheets_of(match: Trial, p: str, chance: Random) -> list[Any]:
    """Sheets of a player: what can be listed, what is tried besides, what the others have sent, and to their cells."""
    sent = [a._replace(player=p) for step in match.done[-12:] for a in step.made if type(a) in match.game.sheets]
    listed = [*candidates(match.game.actions, match.state.table, p), *unlisted(match, p, chance), *sent]
    if match.game.name == "hex_parties":
        aimed = sorted({*re.findall(r"\b[A-I]\d\b", " ".join(move.orders for move in sent))})
        listed += [hexes.Move(p, f"{which} {cell}", "leap") for which in PARITIES for cell in aimed]
    some = [a for a in listed if type(a) in match.game.sheets]
    return [shared.Blank(p), *chance.sample(some, min(16, len(some)))]


@pytest.mark.parametrize("name", built_in())
def test_what_hosts_declared_before_a_void_match_is_told_nobody(name: str) -> None:
    """Of two matches that stand alike, in one hosts declare who is eliminated or wins; then both are void."""
    met = 0
    for seed in range(many(3, 200)):
        chance = Random(f"void {seed}")
        match = begun(name, chance, *TABLES_OF[seed % 3])
        players = match.state.table.players
        for _ in islice(play(match, players, chance), chance.randint(0, 30)):
            pass
        one, other = match.twin(), match.twin()
        declares = [shared.Declare(kind, (chance.choice(players),)) for kind in ("elimination", "token", "winner")]
        declared = [other.refusal(declare) for declare in declares].count(None)
        if not any(match.game.over(each.state) for each in (one, other)):  # then it is told at once
            met += declared
            for viewer in (PUBLIC_VIEWER, *players):
                void = shared.Declare("void")
                assert tells(one.twin(), void, viewer) == tells(other.twin(), void, viewer), (seed, viewer)
    assert met, "nothing could be declared"


@pytest.mark.parametrize("name", ["equilibrium", "poker_auction"])
def test_what_is_final_waits_for_the_end_where_its_line_is_open_to_everybody_too(name: str) -> None:
    """Each such line alone, all others closed: until then it opens nothing. MarsMatch has a case of its own."""
    (many_players, settings), game, played = TABLES[name], load(name), list[Trial]()
    simulate(game, PEOPLE[:many_players], Random(0), 1000, lambda match: played.append(match.twin()), **settings)
    for line in (line for line in game.visibility if line.startswith("final_")):
        opens = set[bool]()
        for match in (*played[::9], played[-1]):
            reads = list[str]()
            for level in ("host", "everybody"):
                table, levels = match.state.table, {**dict.fromkeys(game.visibility, "host"), line: level}
                table = table._replace(settings={**table.settings, "visibility": levels})
                match.state = match.state._replace(table=table)
                reads += [repr((shown(match, PUBLIC_VIEWER), shown(match, PEOPLE[0])))]
            opens.add(game.over(match.state))
            assert reads[0] == reads[1] or game.over(match.state), line
        assert True in opens and reads[0] != reads[1], line


@pytest.mark.parametrize("name", TABLES)
def test_at_the_end_who_sees_the_same_reads_the_same_whichever_line_is_closed(name: str) -> None:
    """One line alone, and what stands behind it exchanged. The Death Match told who held no token."""
    (many_players, settings), game, met = TABLES[name], load(name), 0
    for chance in map(Random, range(many(1, 60))):
        match = simulate(game, PEOPLE[:many_players], chance, 1000, **settings)
        for line in game.visibility:
            table, levels = match.state.table, {**dict.fromkeys(game.visibility, "everybody"), line: "host"}
            state = match.state._replace(table=table._replace(settings={**table.settings, "visibility": levels}))
            who = chance.sample(table.players, 2)
            for viewer in (PUBLIC_VIEWER, who[0]):
                seen = pairs._views(game, state, viewer)
                for datum, other in exchanged(state, *who, name):
                    if pairs._views(game, other, viewer) == seen:
                        met += 1
                        match.state = state
                        assert read(match, state, viewer) == read(match, other, viewer), (line, viewer, datum)
    assert met


@pytest.mark.parametrize("name", [name for name in TABLES if "tokens" in load(name).visibility])
def test_no_reason_tells_what_a_host_gave_behind_a_closed_line(name: str) -> None:
    """Before the end, where all have as many points, hosts give this player or that a garnet, a token, cards and the
    like. Each line is closed alone: where the end looks the same to somebody who saw nothing of it, so does what they
    read.

    In Equilibrium whether a reason spoke of a tie told who of the equal held a token.
    """
    game, met = load(name), 0
    people = PEOPLE[: TABLES[name][0]] if game.sheets else PEOPLE[: game.players[1]]
    purse = next(line for line in game.visibility if line.endswith("garnets"))
    for seed in (39, *range(many(2 if game.sheets else 8, 300))):
        chance = Random(f"given {seed}")
        before, last = an_end(game, people, chance)
        p, viewers = chance.choice(people), (PUBLIC_VIEWER, chance.choice(people))
        for q in people:
            before.do(shared.Award(q, "garnets", 3 if q != p else 1))
        for line in (*chance.sample([*game.visibility], 3), "tokens", purse):
            gifts: list[Any] = [None, *overrides(before, p, chance)]
            gifts += [shared.Award(q, "tokens", 1) for q in people] if line == "tokens" else []
            gifts += [shared.Award(p, "garnets", 1)] if line.endswith("garnets") else []
            table = before.state.table
            levels = {**dict.fromkeys(game.visibility, "everybody"), line: "host"}
            table = table._replace(settings={**table.settings, "visibility": levels})
            ends = dict[str, dict[str, Any]]()
            for gift in gifts:
                one = before.twin()
                one.state = one.state._replace(table=table)
                with contextlib.suppress(LedgerError):
                    for known, told in to_the_end(one, gift, last, viewers):
                        ends.setdefault(known, {})[told] = gift
            met += len(ends) < len(gifts) * len(viewers)
            assert all(len(texts) == 1 for texts in ends.values()), (seed, line, [*ends.values()])
    assert met, "everything shows"


def to_the_end(match: Trial, gift: Any, last: Action, viewers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What each viewer knows anyhow, and all that they are told, from a host's gift to the result."""
    known, told = ({viewer: [viewer] for viewer in viewers} for _ in range(2))
    facts = match.do(gift) if gift else []
    for viewer in viewers:
        known[viewer].append(repr((match.game.tell(match.state, facts, viewer), shown(match, viewer))))
    for facts in chain([step(match, last)], settled(match)):
        for viewer in viewers:
            end = shown(match, viewer)
            known[viewer].append(repr(seen(*end[:3])))
            told[viewer].append(repr((match.game.tell(match.state, facts, viewer), end)))
    yield from ((repr(known[viewer]), repr(told[viewer])) for viewer in viewers)


def settled(match: Trial) -> Iterator[list[Any]]:
    """What hosts do until all is decided: nobody answers, and lots are drawn."""
    for _ in range(9):
        if decisions := match.state.table.decisions:
            kind = decisions[0].kind
            yield match.do(shared.Lot() if kind == "lot" else shared.Close(kind))


def an_end(game: Game, people: Sequence[str], chance: Random) -> tuple[Trial, Action]:
    """A match before its last step, in which all have as many points, and that step."""
    drawn = next(filter(None, (settings_of(game, people, (), chance, 0.6) for _ in range(9))), {})
    match = Trial(game, people, settings={**drawn, **TABLES[game.name][1]})
    if not game.sheets and shared.Deal in game.actions:  # a tie of hands is rare: many short matches
        match.luck = chance.randrange(1000)
        for action in (shared.Deal(), shared.Open()):
            match.do(action)
        return match, shared.Close()
    before = match.twin()
    course = (row[0] for row in play(match, people, chance, pace=0.1))
    while (action := next(course)) and match.state.table.status not in ("deciding", "finished"):
        before = match.twin()
    if "points" in game.overrides:
        for player in people:
            before.do(shared.Override(player, "points", "5"))
    return before, action


BESIDES = (
    r"(Round|offer|bid) \d+|^Your (late )?sheet .*|^You (spent|pay|paid) \d+|you earned \d+ garnet"
    r"|hold \d+ spare Tokens|give \d+ spare Tokens"
    r"|your \w+ is now \w+|lowest sum of the two placings: placings \d \+ \d"
    r"|(shows a \w+ |plays )[^:.]*|^Somebody offers \d|^You (received|won) \d+ (chips|garnets?: \d+ points|garnets)"
    r"|^Your trade with \w+ is done: you gave \w+ and received \w+|^A correction: the places are now: .*"
    r"|\([A-Z]{2}-\d+\)"
)
"""Numbers that stand in no view: of a round, of what a player did or got now and of sums of it, how many tokens they
may give, places of a ranking that is open, a play of MarsMatch."""


@pytest.mark.parametrize("name", built_in())
def test_each_number_and_card_that_is_told_stands_in_the_view_of_who_reads_it(name: str) -> None:
    """In what a step tells, by how much that changed, and in the reasons of the result, whenever that was: no sentence
    goes around what the lines close.

    It showed the cards of the highest hand, and how many points a garnet was won for.
    """
    met = 0
    for seed in (11, *range(many(2, 400))):
        chance = Random(f"told {seed}")
        match = begun(name, chance, *TABLES_OF[seed % 2])
        known = {viewer: set[str]() for viewer in (PUBLIC_VIEWER, *chance.sample(match.state.table.players, 2))}
        for before, _, facts in islice(went(match, chance), many(80, 2000)):
            for viewer in known:
                results = [one.result(viewer) for one in (before, match)]
                reasons = [] if (rows := results[1].reasons) is ABSENT else [*chain(*rows.values())]
                why = [row.get("why", "") for row in reasons]
                views = [plain(one.view(viewer)) for one in (before, match)]
                views += [plain(result._replace(reasons=ABSENT)) for result in results]
                shown, values = (
                    {*re.findall(r"\w+", text)}
                    for text in (json.dumps(views), " ".join(str(value) for _, value in leaves(views, viewer)))
                )
                was, now = (dict(leaves(view, viewer)) for view in views[:2])
                numbers = ((held, now.get(path)) for path, held in was.items())
                shown |= {str(new - held) for held, new in numbers if type(held) is type(new) is int}
                known[viewer] |= values
                for sentence in (*map(plain_text, match.game.tell(match.state, facts, viewer).lines), *why):
                    told = {*re.findall(r"[A-Za-z]?\d+[A-Za-z]?", re.sub(BESIDES, "", sentence))}
                    met += len(told)
                    assert told <= (known[viewer] if sentence in why else shown), (seed, viewer, sentence)
    assert met


def plain_text(line: Iterable[Any]) -> str:
    return "".join(span if isinstance(span, str) else getattr(span, "text", "") for span in line)


# ---- what proves nothing ---------------------------------------------------------------------------------------------

UNLISTED = ('Bounds(1, 1000), Arg("How much.", sealed=True)', 'Arg("How much.", sealed=True)')
"""A number without bounds: its words cannot be listed."""


def test_a_match_in_which_nobody_can_do_anything_proves_nothing() -> None:
    """It was played to its end, without one sheet, and no pair of it leaked. The message names what to do."""
    game = build(stated("sealed_bid", UNLISTED))
    for played in (
        lambda: simulate(game, PEOPLE[:4], Random(1)),
        lambda: prove(game, PEOPLE[:4], map(Random, range(2))),
    ):
        with pytest.raises(ProvesNothing, match=r"bid \(the words of amount cannot be listed\).*choices=.*section 9"):
            played()


def test_pairs_that_say_nothing_of_a_verb_or_a_datum_prove_little() -> None:
    """One verb is never played, one field never differs; what is excused by name need not be met."""
    whole = stated("lantern_walk")
    idle = build(whole._replace(verbs={**whole.verbs, Wait: Verb(lambda *_: None)}))
    with pytest.raises(ProvesNothing, match=r"wait was never played .*the words of until cannot be listed.*choices="):
        prove(idle, PEOPLE[:3], map(Random, range(1)))
    assert prove(idle, PEOPLE[:3], map(Random, range(3)), excused={"wait": "a test"}).differing
    with pytest.raises(ProvesNothing, match="needs no excuse"):
        prove(load("lantern_walk"), PEOPLE[:3], map(Random, range(1)), excused={"step": "it is played"})
    all_moths = build(stated("lantern_walk", ('GUILDS = ("moth", "flame")', 'GUILDS = ("moth",)')))
    with pytest.raises(ProvesNothing, match=r"PlayerView\.guild never differed while a viewer did not know it"):
        prove(all_moths, PEOPLE[:3], map(Random, range(2)))


def test_a_text_of_what_no_view_has_is_found_and_the_message_says_so() -> None:
    told = ('"{player} bids {amount}", "bids"', '"{player} bids {amount}", "course"')
    with pytest.raises(AssertionError, match=r"(?s)they are told .*what a text tells must stand in the view too"):
        prove(build(stated("sealed_bid", told)), PEOPLE[:3], map(Random, first(10)))


def test_what_only_late_rounds_tell_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are made of the later steps of whole matches too."""
    game = load("lantern_walk")
    leaky = leaks.added_text(lambda state, viewer: str(state.points) if len(state.table.resolved) > 3 else None)(
        game, monkeypatch
    )
    with pytest.raises(AssertionError, match="they are told"):
        prove(leaky, PEOPLE[:4], map(Random, first(5)))


def test_later_steps_are_played_under_other_levels_too() -> None:
    """In half of the pairs; where a test says who may know what, under its own."""
    match = simulate(load("lantern_walk"), PEOPLE[:4], Random(1))
    own = match.state.table.settings["visibility"]
    for keeps in (False, True):
        made = [pair for seed in range(many(3, 8)) for pair in late(match, PEOPLE[:4], Random(seed), own=keeps)]
        assert all(pair.start.state.table.settings["visibility"] == {**own, **pair.levels} for pair in made)
        assert any(pair.levels for pair in made) != keeps


HORSES = (
    ("    bid: Mapping[str, int] = {}\n", "    bid: Mapping[str, int] = {}\n    horse: str = ''\n"),
    (
        "def verdict(",
        """from games.table import rounds as sealed


class First(NamedTuple):
    '''Say which horse wins, before bids are opened.'''

    horse: Annotated[Literal["ash", "bolt", "comet"], Arg("Which.")]


@fact("section 1", "{horse} is first")
class HorseNamed(NamedTuple):
    horse: Puts[str]


def first(tx: Transaction[State], action: First, moment: Moment) -> None:
    sealed.taking(tx.state.table)
    tx.emit(HorseNamed(action.horse))


def verdict(""",
    ),
    (
        "    sheets = contents(round_)\n",
        "    if not tx.state.horse:\n"
        "        raise Refused('sealed_bid.horse', 'no horse is first yet', 'hl first HORSE')\n"
        "    sheets = contents(round_)\n",
    ),
)
"""Sealed Bid, where a host says something before a round can be resolved."""
NAMING = (
    "def resolve(",
    """def naming(state: State, round_: Round, bid: Bid) -> None:
    if bid.amount == 1000:
        raise Refused("sealed_bid.much", f"{state.horse} is first", "bid less")


def resolve(""",
)
"""A refusal that names the horse."""


def racing(*changes: tuple[str, str]) -> Game:
    """Sealed Bid with a horse."""
    game = stated("sealed_bid", *HORSES, *changes)
    module: Any = sys.modules["stated_sealed_bid"]
    return build(game._replace(verbs={module.First: Verb(module.first)}))


def test_hosts_say_what_a_round_needs_to_be_resolved() -> None:
    """A verb of a host that names no player is played while a round is on, each time with other words; and the pairs
    know that what a host said in secret may not come out."""
    matches = [simulate(racing(), PEOPLE[:3], Random(seed)) for seed in range(10)]
    assert {match.state.horse for match in matches if match.state.table.resolved} == {"ash", "bolt", "comet"}
    assert prove(racing(), PEOPLE[:3], map(Random, range(many(6, 12)))).differing
    told = ("sheets={Bid: Sheet()}", "sheets={Bid: Sheet(check=naming)}")
    with pytest.raises(AssertionError, match=r"is refused with .* is first"):
        prove(racing(told, NAMING), PEOPLE[:3], map(Random, range(12)))


def test_only_a_round_that_can_never_be_resolved_is_left_open() -> None:
    """Where the rules refuse to resolve, time passes, and then a host says what it needs; what can always be said keeps
    no round closed. One that is never resolved is tried a few times: no match goes on for ever."""
    early = "    if not sealed.taking(tx.state.table).closed:\n        raise Refused('sealed_bid.early', 'no', '')\n"
    late, never = racing(("    sealed.taking(tx.state.table)\n", early)), racing(("if not tx.state.horse:", "if True:"))
    waving = build(stated()._replace(verbs={Wave: Verb(lambda *_: None)}))
    played = ((late,), (waving, 1), (never,))
    tables = [simulate(game, PEOPLE[:3], Random(1), *steps).state.table for game, *steps in played]
    assert [bool(table.resolved) for table in tables] == [True, True, False] and tables[-1].round is not None


class Wait(NamedTuple):
    """Wait for an entry."""

    player: Annotated[Player, Arg("Who.")]
    until: Annotated[int, Arg("For which.")]


class Wave(NamedTuple):
    """Wave to somebody."""

    player: Annotated[Player, Arg("Who.")]
    to: Annotated[Player, Arg("To whom.")]


WAVED = """@fact("section 1", "{player} waves to {to}", "own", "You wave to {to}.", told_only=True)
class Waved(NamedTuple):
    player: Player
    to: Player


def verdict("""


@pytest.mark.parametrize("line", [OWN, "garnets"])
def test_what_one_player_does_to_another_is_their_own(line: str) -> None:
    """The other knows neither the entry nor the fact, nor does a text tell them; a line opens the entry to who acts."""
    game = build(stated("sealed_bid", ("def verdict(", WAVED))._replace(verbs={Wave: Verb(lambda *_: None, line)}))
    state, waved = Trial(game, PEOPLE[:3]).state, sys.modules["stated_sealed_bid"].Waved("ann", "bob")
    for viewer in (*PEOPLE[:3], PUBLIC_VIEWER):
        opens = game.audience(state, Wave("ann", "bob")).admits(viewer, ended=True)
        told = bool(game.tell(state, [waved], viewer).lines)
        assert [opens, game.known(state, waved, viewer), told] == [viewer == "ann"] * 3, viewer


SIDES = (
    (
        'awards=(TokenReason(named.player, "highest_bid", why, "section 2"),)',
        "(), winners=(named.player,), losers=tuple(p for p in state.table.players if p != named.player)",
    ),
    ('"tokens": ("everybody_after_end", "who wins a Token of Life")', '"winner": ("host", "who wins")'),
    ('has=("tokens", "lot"),\n        decided=("tokens",)', 'has=("winner", "lot"),\n        decided=("winner",)'),
)
"""Sealed Bid with a side that wins and one that loses."""


def test_who_loses_is_told_where_who_wins_is() -> None:
    """To nobody, by the result or a pair of matches, where that line is closed."""
    game, told = build(stated("sealed_bid", *SIDES)), set[bool]()
    for seed, level in product(range(4), ("host", "everybody")):
        match = simulate(game, PEOPLE[:3], Random(seed), visibility={"winner": level})
        for viewer in (*PEOPLE[:3], PUBLIC_VIEWER) if match.state.table.winners else ():
            result = game.result(match.state, viewer)
            told.add(level == "host")
            assert (result.winners, result.losers).count(ABSENT) == 2 * (level == "host"), (viewer, result)
    assert told == {True, False} and prove(game, PEOPLE[:3], map(Random, range(many(4, 12)))).differing


def test_an_entry_that_is_the_hosts_is_not_opened_to_who_it_names() -> None:
    """A verb may keep its entries for the hosts, whoever is named in them."""
    game = build(stated("sealed_bid", ("def verdict(", WAVED))._replace(verbs={Wave: Verb(lambda *_: None, HOSTS)}))
    assert game.audience(Trial(game, PEOPLE[:3]).state, Wave("ann", "bob")) == HOST


# ---- seeded leaks ----------------------------------------------------------------------------------------------------


def sent(state: Any) -> list[str]:
    """Who has sent a sheet of the round that is on."""
    return sorted(state.table.round.sheets) if state.table.round else []


def taken(state: Any, action: Any, refused: Refused | None) -> Refused | None:
    """A sheet is refused where somebody else has sent the same."""
    way, sheets = getattr(action, "way", None), sealed.contents(state.table.round) if state.table.round else {}
    same = any(sheet.way == way for player, sheet in sheets.items() if player != action.player) if way else False
    return refused or (Refused("lantern_walk.taken", f"{way} is taken", "another way") if same else None)


BY_POINTS = '{"order": sorted(s.table.players, key=lambda p: -s.points.get(p, 0))}'
BUILT: dict[str, tuple[str, str]] = {
    "a datum that everybody may know": ('VisibleTo("guilds"), Label', 'VisibleTo("course"), Label'),
    "a datum under another line": ('VisibleTo("points"), Label', 'VisibleTo("places"), Label'),
    "a row that everybody may know": ('"guilds", "You are a {guild}."', '"course", public="{player} is a {guild}."'),
    "a row under another line": (
        '"points", "You score {points:point}."', '"places", public="{player} scores {points:point}."'
    ),
    "the order of arrival": ("for p in state.table.players if p in steps}", "for p in round_.sheets if p in steps}"),
    "the order of the points": ("board=board,", f"board=board, of_match=lambda s, viewer: {BY_POINTS},"),
    "who chose to stay": (" if cell != state.at[p]", ""),
}  # fmt: skip
CHANGED: dict[str, Any] = {
    "how many sheets are in": leaks.added_text(lambda state, viewer: f"{len(sent(state))} steps are in"),
    "how many moths there are": leaks.added_text(lambda state, viewer: str([*state.guild.values()].count("moth"))),
    "the alt text of a picture": leaks.added_alt(lambda state: f"{len(sent(state))} steps are in."),
    "who has sent a sheet": leaks.changed_view(lambda state, viewer, shown: shown._replace(submitted=sent(state))),
    "that a sheet came in": leaks.noticed(sealed.SheetSealed, "A step!"),
    "a refusal that counts": leaks.refused_with("", lambda state, action, refusal: len(sent(state))),
    "a refusal of what somebody else has sent": leaks.changed_rules(taken),
    "how many sheets are in, by a setting": leaks.added_text(
        lambda state, viewer: f"{len(sent(state))} steps are in" if state.settings.edge == "around" else None
    ),
    "the number of an entry": leaks.added_notice(
        lambda state, facts, viewer: next(
            (f"entry {x.sheet.seq}" for x in facts if isinstance(x, sealed.SheetSealed) and x.player == viewer), None
        )
    ),
    "what a host has set": leaks.added_notice(
        lambda state, facts, viewer: next((f"now {x.value}" for x in facts if isinstance(x, FieldSet)), None)
    ),
    "guilds once somebody has left": leaks.added_text(
        lambda state, viewer: str(state.guild) if state.table.left else None
    ),
    "who has sent, once a round is closed": leaks.added_text(
        lambda state, viewer: str(sent(state)) if state.table.round and state.table.round.closed else None
    ),
    "who has sent, while the clock stands": leaks.added_text(
        lambda state, viewer: str(sent(state)) if state.table.paused is not None else None
    ),
}


@pytest.mark.parametrize("name", every_eighth([*BUILT, *CHANGED, "who may open a sheet", "who may open the draw"]))
def test_seeded_leaks_are_found(name: str, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """The check can fail: which match showed it is recorded with the test."""
    game: Game
    if name in BUILT:
        game = build(stated("lantern_walk", BUILT[name]))
    elif name in CHANGED:
        game = CHANGED[name](load("lantern_walk"), monkeypatch)
    else:
        own = load("lantern_walk")
        game = leaks.opened_to_everybody(shared.Open if "draw" in name else own.actions[0])(own, monkeypatch)
    found = leaking(game, first(*TELLING))
    assert found is not None, "not found"
    record_property("match", found)


# ---- data of the match, and what a match file gives ----------------------------------------------------------------

POT = (
    ("    points: Annotated[Mapping", '    pot: Annotated[int, VisibleTo("pot")] = 0\n    points: Annotated[Mapping'),
    (
        '@fact("section 1", "{player} is a {guild}"',
        """@fact("section 2", "the pot is {pot}", "pot", public=True)
class PotGrew(NamedTuple):
    pot: Puts[int]


@fact("section 1", "{player} is a {guild}\"""",
    ),
    ('    "garnets": ("owner", ', '    "pot": ("owner", "what lies in the pot"),\n    "garnets": ("owner", '),
    (
        "    tx.emit(*scored(tx.state))\n",
        "    tx.emit(PotGrew(state.pot + len(steps)))\n    tx.emit(*scored(tx.state))\n",
    ),
)
"""Lantern Walk with a pot, in which those who sent a step put something: it is nobody's own."""
TWO_GIVEN = (
    ('owner="A host set your points."', 'owner="A host set your points.", at_start=True'),
    ('"points": ("owner_then_everybody"', '"points": ("host"'),
)
"""Lantern Walk whose match file may give points as well as a guild, of which a player knows the one alone."""

TWO_LINES = (
    ('"points", "You score {points:point}."', '("guilds", "points"), "You score {points:point}."'),
    ('"points": ("owner_then_everybody"', '"points": ("host"'),
)
"""Lantern Walk in which a score tells of a guild too, and a player knows the guild alone."""


def told_if_any_is_open(patch: pytest.MonkeyPatch) -> None:
    """A fact that two lines tell is told where one of them is open."""
    patch.setattr(words, "all", any, raising=False)


def own_of_everybody(patch: pytest.MonkeyPatch) -> None:
    """Data of the match at level owner are everybody's own."""
    real = ViewFilter.may_see
    patch.setattr(ViewFilter, "may_see", lambda self, line, owners: real(self, line, owners or (self.viewer,)))


def given_if_any_is_known(patch: pytest.MonkeyPatch) -> None:
    """A seat opens to its player where they may know any of what the file may give, and not all."""

    def leaky(game: Game, state: Any, action: shared.Seat, wide: Any) -> Any:
        lines = [str(row.line) for row in game.overrides.values() if row.at_start]
        mine = [line_audience(state.table, line, None, action.player).players for line in lines]
        return wide if not lines or any(action.player in players for players in mine) else HOST

    patch.setattr(parts_view, "_without_given", leaky)


@pytest.mark.parametrize(
    ("changes", "leak"),
    [(POT, own_of_everybody), (TWO_GIVEN, given_if_any_is_known), (TWO_LINES, told_if_any_is_open)],
    ids=["a pot", "two given", "two lines"],
)
def test_data_of_the_match_and_what_a_file_gives(changes: Any, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They differ while a viewer does not know of them, and nothing of it is told; where it is, that is found."""
    game = build(stated("lantern_walk", *changes))
    made = [pair for seed in range(many(4, 400)) for pair in of_match(game, PEOPLE[:4], Random(seed))]
    assert not [leak for pair in made for leak in pair.leaks()]
    assert leak is not given_if_any_is_known or sum(pair.other_start.state != pair.start.state for pair in made) > 2
    leak(monkeypatch)
    assert leaking(game, range(WITHIN)) is not None, "not found"


class Lamp(NamedTuple):
    mark: Annotated[str, VisibleTo("guilds", mine=True)] = ABSENT


class LampView(MatchView):
    lamps: Annotated[Mapping[str, Lamp], VisibleTo(COURSE)] = ABSENT


def test_of_a_record_for_each_player_only_its_owner_sees_what_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the view of the match; where all are cut alike, that is found."""

    def lamps(state: Any, viewer: str) -> Mapping[str, Any]:
        return {"lamps": {p: Lamp(guild) for p, guild in state.guild.items()}}

    game = build(stated("lantern_walk")._replace(match_view=LampView, of_match=lamps))
    assert not [leak for seed in range(2) for leak in leaks_of(game, PEOPLE[:4], Random(seed))]
    real = ViewFilter.cut

    def alike(eyes: Any, row: Any, owner: str | None = None) -> Any:
        return real(eyes, row, None if isinstance(row, Lamp) else owner)

    monkeypatch.setattr(ViewFilter, "cut", alike)
    assert leaking(game, range(2)) is not None, "not found"


def test_a_game_may_call_a_setting_rounds_and_shuffle_what_is_no_player() -> None:
    """Lantern Walk has a setting of that name; what its draw puts in an order may be cells."""
    assert simulate(load("lantern_walk"), PEOPLE[:3], Random(1), 1000, rounds=2).state.settings.rounds == 2
    cells = Draw("cells", shuffle=lambda state: ["A1", "A2", "ann"], line=COURSE)
    match = Trial(build(stated()._replace(verbs={shared.Open: Verb(draw=cells)})), PEOPLE[:3])
    for drawn, what in (("A1", "each of A1, A2 and Ann once"), ("A1, a3, ann", 'no draw "a3"')):
        with pytest.raises(LedgerError, match=what):
            match.do(shared.Open(drawn=(drawn,)))
    match.do(shared.Open(drawn=("a2, Ann, a1",)))
    assert match.done[-1].made[0].drawn == ("A2", "ann", "A1")


MIXED = (
    ("""each=lambda state: state.table.present, of=lambda state: [GUILDS], line="guilds\"""",
    "shuffle=lambda state: [*BOARD.places, *state.table.present]"),
    ("""    guilds = {**dict(line.split(" ") for line in drawn), **tx.state.guild}
    tx.emit(*(Called(player, guilds[player]) for player in tx.state.table.present))""",
    """    cells = (word for word in drawn if word in BOARD.places)
    tx.emit(*(Walked(player, next(cells)) for player in tx.state.table.players))
    flame = next(word for word in drawn if word not in BOARD.places)
    tx.emit(*(Called(p, "flame" if p == flame else "moth") for p in tx.state.table.players))"""),
)  # fmt: skip
"""One shuffle gives everybody's cell, which all see, and the one flame."""


def test_some_of_a_shuffle_differs_while_the_rest_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other seed deals the same cells to all: words change places instead. Both what it hides and a leak are met."""
    game = build(stated("lantern_walk", *MIXED))
    assert "PlayerView.guild" in prove(game, PEOPLE[:4], map(Random, range(many(2, 8)))).own
    leaky = game._replace(audience=lambda state, action: EVERYBODY if isinstance(action, shared.Open) else HOST)
    assert leaking(leaky, range(8)) is not None, "not found"
    monkeypatch.setattr(pairs, "EXCHANGES", 0)
    monkeypatch.setattr(pairs, "_overrides", lambda match, player, chance: [])
    with pytest.raises(ProvesNothing, match=r"PlayerView.guild never differed"):
        prove(game, PEOPLE[:4], map(Random, range(many(2, 8))))


def test_a_secret_of_the_games_own_levels_must_differ_under_them() -> None:
    """Where only other levels hide it, the pairs say nothing of the match that will be played."""
    met = Met(game := build(stated()))
    match = Trial(game, PEOPLE[:3])
    met.play(match)
    met.hidden |= met.data | {kind.__name__ for kind in game.facts}
    assert "PlayerView.bid" not in met.gaps()
    met.kept.add("PlayerView.bid")
    assert "never differed" in met.gaps()["PlayerView.bid"]
    met.own.add("PlayerView.bid")
    assert "PlayerView.bid" not in met.gaps()
