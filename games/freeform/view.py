"""What may be known of a match of a file. The file says who sees what: `level_of` gives the level of each line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from events.audiences import EVERYBODY as ALL, HOST, HOST_VIEWER, Audience
from events.record import NamedTuple
from games.contract import COURSE, AnyValue, Fact, MatchView, VisibleTo
from games.freeform import actions as a
from games.freeform.facts import TABLES_OWN, CardMoved, Counted, SheetOpened, State
from games.freeform.lang import DECK, PLACES, TABLE
from games.freeform.model import EVERYBODY, HOSTS, Level, audience_of, touched
from games.freeform.read import is_secret
from games.freeform.words import sheet_words
from games.kinds import count
from games.records import ABSENT
from games.table import actions as shared

LINES = ("has", "table", "deck", "opened", "label", "score")
"""The prefixes of the lines of a file: `has:oil` is the oil that a player holds."""


def level_of(state: State, line: str) -> str | None:
    """The level of a line of the file; None for any other line."""
    kind, colon, name = line.partition(":")
    rules = state.rules
    if line == "score":
        return rules.ending.level.line()
    if not colon:
        return None
    match kind:
        case "has":
            return rules.level(name).line()
        case "table":
            return rules.level(name).laid_open().line()
        case "deck":
            return Level(HOSTS, rules.level(name).end).line()
        case "opened":
            return rules.sheet(name).level.line()
        case "label":
            thing = rules.things.get(name)
            return "host" if thing is None or thing.secret else "everybody"
    return None


class PlayerView(NamedTuple):
    has: Annotated[Mapping[str, int], VisibleTo("has", by_key=True)] = ABSENT
    """Counter -> value."""
    cards: Annotated[Mapping[str, tuple[str, ...]], VisibleTo("has", by_key=True)] = ABSENT
    """Kind of card -> cards."""
    opened: Annotated[Mapping[str, tuple[str, ...]], VisibleTo("opened", by_key=True)] = ABSENT
    """Resolved round -> the words of the sheet."""
    garnets: Annotated[int, VisibleTo("garnets")] = ABSENT


class FileView(MatchView):
    table: Annotated[Mapping[str, int], VisibleTo("table", by_key=True)] = ABSENT
    """Counters of the table."""
    laid: Annotated[Mapping[str, tuple[str, ...]], VisibleTo("table", by_key=True)] = ABSENT
    """Kind of card -> cards that are open on the table."""
    deck: Annotated[Mapping[str, tuple[str, ...]], VisibleTo("deck", by_key=True)] = ABSENT
    labels: Annotated[Mapping[str, str], VisibleTo("label", by_key=True)] = ABSENT
    """Counter or kind of card -> its name in texts."""
    fields: Annotated[Mapping[str, tuple[str, ...]], VisibleTo(COURSE)] = ABSENT
    """Round -> the fields of its sheet."""


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    has = {name: values[player] for name, values in state.counters.items() if player in values}
    cards = {name: places.get(player, ()) for name, places in state.items.items()}
    opened = {name: sheets[player] for name, sheets in state.opened.items() if player in sheets}
    return PlayerView(has, cards, opened, state.table.garnets(player))


def of_match(state: State, viewer: str) -> Mapping[str, AnyValue]:
    table = state.table
    data: dict[str, AnyValue] = {
        "table": {name: held[TABLES_OWN] for name, held in state.counters.items() if TABLES_OWN in held},
        "laid": {name: cards for name in state.items if (cards := state.cards(name, TABLE))},
        "deck": {name: cards for name in state.items if (cards := state.cards(name, DECK))},
        "labels": {thing.name: thing.label for thing in state.rules.things.values()},
        "fields": {name: tuple(field.name for field in state.rules.sheet(name).fields) for name in table.resolved},
    }
    if table.status == "running" and table.round is None and table.phase != "play":
        rest = [name for name in state.rules.rounds() if name not in table.resolved]
        data["phase"] = "between" if rest else "settling"
    return data


# ---- who may open an entry ---------------------------------------------------------------------------------------


def of_counter(state: State, action: a.Set | a.Add | a.Move) -> Audience:
    """The audience of an entry that changes a counter: the viewers who know it."""
    counter = state.rules.counters.get(action.counter)
    if counter is None:
        return HOST
    owners = tuple(p for p in (action.player, getattr(action, "to", None)) if p)
    return audience_of((counter.level.entries(), owners))


def of_give(state: State, action: a.Give) -> Audience:
    """The audience of a given card: the viewers who know where it was and where it is."""
    item = state.rules.items.get(action.item)
    if item is None:
        return HOST
    places = (action.src, action.to)
    owners = tuple(place for place in places if place not in PLACES)
    level = item.level.laid_open() if TABLE in places else item.level if owners else Level(HOSTS, HOSTS)
    return audience_of((level.entries(), owners))


def of_draw(state: State, action: a.Draw) -> Audience:
    """The audience of a draw: everybody, if all of it may be known, or after the end if the cards are then revealed, so
    that anybody can repeat the draw."""
    item = state.rules.items.get(action.item)
    if item is None or item.secret:
        return HOST
    now = EVERYBODY if item.level.now == EVERYBODY and item.draw == "one each" else HOSTS
    return audience_of((Level(now, item.level.end), ()))


def of_seed(state: State, action: shared.Seed) -> Audience:
    """The audience of a commitment's seed: everybody after the end, if everything drawn from it may be known then."""
    drawn = (item for item in state.rules.items.values() if item.draw and not item.secret)
    return audience_of(*((Level(HOSTS, item.level.end), ()) for item in drawn))


def of_do(state: State, action: a.Do) -> Audience:
    """The audience of a verb: the narrowest of everything that it reads and changes."""
    verb = state.rules.verbs.get(action.verb)
    if verb is None or verb.secret or len(action.words) > len(verb.fields):
        return HOST
    typed = {field.name: word for field, word in zip(verb.fields, action.words, strict=False)}
    data = touched(state.rules, verb)
    return audience_of(*((row.level.entries(), [typed[o] for o in row.owners if o in typed]) for row in data))


def of_amendment(state: State, action: shared.AmendSetting) -> Audience:
    """The audience of an addition to the file: everybody, unless it is marked secret."""
    return HOST if is_secret(action.value) else ALL


# ---- the answer to the host ------------------------------------------------------------------------------------------


def in_short(player: str, row: PlayerView) -> str:
    parts = [f"{name} {value}" for name, value in (row.has or {}).items()]
    parts += [f"{name} {' '.join(cards)}" for name, cards in (row.cards or {}).items() if cards]
    parts += [count(row.garnets, "garnet")] if row.garnets else []
    return f"{player}: {', '.join(parts) or 'nothing'}"


def for_hosts(state: State, facts: tuple[Fact, ...]) -> list[str]:
    """The opened sheets next to what each player holds; otherwise the players whose holdings changed."""
    opened = {fact.player: fact for fact in facts if isinstance(fact, SheetOpened)}
    touched = {fact.player for fact in facts if isinstance(fact, Counted)}
    touched |= {place for fact in facts if isinstance(fact, CardMoved) for place in (fact.src, fact.to)}
    who = state.table.players if opened else [p for p in state.table.players if p in touched]
    if not who:
        return []
    lines = []
    for p in who:
        line = in_short(p, of_player(state, p, HOST_VIEWER)._replace(garnets=ABSENT))
        if p in opened:
            names = tuple(field.name for field in state.rules.sheet(opened[p].round).fields)
            line += f" · sent {sheet_words(names, opened[p].words)}"
        lines.append(line)
    laid = of_match(state, HOST_VIEWER)["laid"] if opened else {}
    lines += [f"on the table: {name} {' '.join(cards)}" for name, cards in laid.items()]
    return lines
