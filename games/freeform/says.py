"""What is said of each fact of a match of a file. Who hears it is said by the line of the file it belongs to."""

from __future__ import annotations

from typing import Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import COURSE, HOSTS, OWN, FactSpec, News
from games.freeform import facts as f
from games.freeform.lang import DECK, PLACES, TABLE
from games.freeform.read import TABLES
from games.freeform.report import in_short
from games.freeform.facts import State
from games.freeform.view import of_match, of_player
from games.freeform.words import NOTHING, sheet_words
from games.kit.blocks import When
from games.kit.sealed import Round, called, content
from games.records import ABSENT
from games.table import facts as table_facts
from games.table.facts import HOST_POWERS
from games.table.settings import in_words
from games.table.view import DECIDED, allowed, decision_lines
from games.table.words import upper, voted_on

RULE = "the file"


def _label(state: State, name: str) -> str:
    thing = state.rules.counters.get(name) or state.rules.items.get(name)
    return thing.label if thing else name


def _why(fact: Any) -> str:
    return f" ({fact.why})" if fact.why else ""


def _reason(fact: Any) -> str:
    """A reason as it is told: that a verb did it, the file's own words say."""
    return "" if not fact.why or isinstance(fact.why, f.ByVerb) else f", {fact.why}"


def _counter(fact: f.Counted | f.TableCounted, state: State, viewer: str = "") -> str:
    """What a counter is called; to the `viewer` whose it is, theirs."""
    label = _label(state, fact.counter)
    if viewer:
        return f"Your {label}"
    return f"{label} of {state.table.name(fact.player)}" if isinstance(fact, f.Counted) else label


def _counted(fact: f.Counted | f.TableCounted, state: State) -> str:
    return f"{_counter(fact, state)} is {fact.value}, was {fact.was}{_why(fact)}"


def _count_told(fact: f.Counted | f.TableCounted, state: State, *viewer: str) -> News:
    if not fact.told:
        return None
    return f"{_counter(fact, state, *viewer)}: {fact.value} (before: {fact.was}){_reason(fact)}."


def _place(state: State, place: str) -> str:
    return {TABLE: "the table", DECK: "the deck"}.get(place, "away" if place in PLACES else state.table.name(place))


def _goes(fact: f.CardMoved, state: State) -> str:
    item = _label(state, fact.item)
    return f"{item} {fact.card} goes from {_place(state, fact.src)} to {_place(state, fact.to)}"


def _moved_own(fact: f.CardMoved, state: State, viewer: str) -> News:
    if not fact.told:
        return None
    verb = "received" if viewer == fact.to else "gave away"
    return f"You {verb} {_label(state, fact.item)} {fact.card}{_reason(fact)}."


def _moved_line(fact: f.CardMoved, state: State) -> str | tuple[str, ...]:
    """A card that lies open on one side is known; between the deck and away nobody knows it."""
    if TABLE in (fact.src, fact.to):
        return f"table:{fact.item}"
    return f"has:{fact.item}" if any(place not in PLACES for place in (fact.src, fact.to)) else f"deck:{fact.item}"


def _in_words(state: State, round_: str, words: tuple[str, ...]) -> dict[str, str]:
    """What is on a sheet, by its fields: players by their names; nothing of what was left out."""
    texts = {}
    for field, word in zip(state.rules.sheet(round_).fields, words, strict=False):
        if word != NOTHING:
            value = state.table.named(word.split(",")) if field.kind == "player" else word
            texts[field.name] = f"{field.name} {value}"
    return texts


def items_of(state: State, round_: Round, player: str) -> dict[str, str]:
    """All that counts of a player in a round, in words, by the fields of the sheet."""
    sheet = content(round_, player)
    return {} if sheet is None else _in_words(state, round_.name, sheet.words)


def _sheet(fact: f.SheetOpened, state: State) -> str:
    return ", ".join(_in_words(state, fact.round, fact.words).values()) or "nothing"


def _laid(fact: f.LaidOpen, state: State) -> str:
    return f"{_label(state, fact.item)} on the table: {' '.join(fact.cards) or 'none, the deck is empty'}"


def _drawn(fact: f.CardsDrawn, state: State) -> str:
    deck = " ".join(state.items.get(fact.item, {}).get(DECK, ()))
    return f"{_label(state, fact.item)} is drawn{f'; in the deck: {deck}' if deck else ''}"


def _amended(fact: table_facts.SettingAmended, state: State) -> str:
    added = fact.key.partition(".")[0] in TABLES
    return f"{fact.key} is {'added to the file' if added else f'now {in_words(fact.value)}'}"


def _added(fact: table_facts.SettingAmended, state: State) -> News:
    head, dot, tail = fact.key.partition(".")
    if not dot or head not in ("counters", "items", "sheets", "verbs"):
        return None
    return f"The rules have something new: {tail.replace('_', ' ')} ({head})."


def for_hosts(state: State, facts: tuple[Any, ...]) -> list[str]:
    """The host is answered the sheets that were opened, beside what each player holds; or who was touched."""
    opened = {fact.player: fact for fact in facts if isinstance(fact, f.SheetOpened)}
    touched = {fact.player for fact in facts if isinstance(fact, f.Counted)}
    touched |= {place for fact in facts if isinstance(fact, f.CardMoved) for place in (fact.src, fact.to)}
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


DECIDES = {
    "vote": "{who} {vote} {about}",
    "lot": "a lot decides {about}",
    "ruling": "the hosts decide {about}",
}
"""What everybody is told of a decision, by its kind."""


def _decision_told(fact: table_facts.DecisionOpened, state: State) -> News:
    """A tie, who settles it, until when: where all may know the tokens, and of the elimination that as well."""
    table, decision = state.table, fact.decision
    if not all(allowed(table, line, PUBLIC_VIEWER, (), over=True) for line in decision_lines(decision)):
        return None
    who, vote = table.named(decision.who), "votes" if len(decision.who) == 1 else "vote"
    sentence = DECIDES[decision.kind].format(who=who, vote=vote, about=voted_on(decision.about))
    until: tuple[Any, ...] = (", until ", When(decision.ends)) if decision.ends is not None else ()
    return (f"{upper(sentence)}: {table.one_of(decision.among)}", *until, ".")


def _began(fact: table_facts.PhaseBegan, state: State) -> News:
    """That something is open tells of a tie: those hear it who may know the tokens and the elimination."""
    if fact.phase == "deciding" and all(allowed(state.table, line, PUBLIC_VIEWER, (), over=True) for line in DECIDED):
        return "Play is over; something is still to be decided."
    return "The match is over." if fact.phase == "finished" else None


SAYS = {
    table_facts.DecisionOpened: FactSpec(public=_decision_told),
    table_facts.PhaseBegan: FactSpec(public=_began),
    f.Done: FactSpec(
        lambda fact, state: f"the file, verbs.{fact.verb}",
        lambda fact, state: f"{fact.verb} {' '.join(fact.words)}".strip(),
    ),
    f.Counted: FactSpec(RULE, _counted, lambda fact, state: f"has:{fact.counter}", _count_told, _count_told, holds=True),
    f.TableCounted: FactSpec(RULE, _counted, lambda fact, state: f"table:{fact.counter}", public=_count_told),
    f.CardMoved: FactSpec(
        RULE,
        lambda fact, state: f"{_goes(fact, state)}{_why(fact)}",
        _moved_line,
        _moved_own,
        lambda fact, state: f"{_goes(fact, state)}{_reason(fact)}." if fact.told else None,
        who=lambda fact: [place for place in (fact.src, fact.to) if place not in PLACES],
        holds=True,
    ),
    f.CardsDrawn: FactSpec(RULE, _drawn, HOSTS),
    f.CardsGot: FactSpec(
        RULE,
        lambda fact, state: f"{state.table.name(fact.player)} has {_label(state, fact.item)} {' '.join(fact.cards)}",
        lambda fact, state: f"has:{fact.item}",
        lambda fact, state, viewer: f"You have {_label(state, fact.item)} {' '.join(fact.cards)}.",
        lambda fact, state: f"{state.table.name(fact.player)} has {_label(state, fact.item)} {' '.join(fact.cards)}.",
        holds=True,
    ),
    f.LaidOpen: FactSpec(
        RULE, _laid, lambda fact, state: f"table:{fact.item}", public=lambda fact, state: f"{_laid(fact, state)}."
    ),
    f.Told: FactSpec("the file, says", "{player} is told: {text}", OWN, lambda fact, state, viewer: fact.text),
    f.Announced: FactSpec("the file, says", "everybody is told: {text}", COURSE, public=lambda fact, state: fact.text),
    f.SheetOpened: FactSpec(
        RULE,
        lambda fact, state: (
            f"the sheet of {state.table.name(fact.player)}, {called(fact.round)}: {_sheet(fact, state)}"
        ),
        lambda fact, state: f"opened:{fact.round}",
        lambda fact, state, viewer: f"You sent: {_sheet(fact, state)}.",
        lambda fact, state: f"{state.table.name(fact.player)}: {_sheet(fact, state)}.",
    ),
    table_facts.SettingAmended: FactSpec(
        HOST_POWERS,
        _amended,
        lambda fact, state: HOSTS if isinstance(fact.value, dict) and fact.value.get("secret") is True else COURSE,
        public=_added,
    ),
}
