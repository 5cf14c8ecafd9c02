"""The course of a match of a file: typed words, sheets, rounds, what hosts set, the verbs of the file, the end.

The rules are those of the file, and a rule is named by its path there (`verbs.buy`). The draws are in draws.py.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from events.errors import Refused, Unreadable
from events.instants import later
from games.contract import Action, Fact, Luck, Moment, Transaction
from games.freeform import actions as a, facts as f, lang, words
from games.freeform.facts import TABLES_OWN, State, rules_of
from games.freeform.lang import DECK, LIMIT, PLACES, Change, Count, Effect, Held, Typed, Values, come_to, holds
from games.freeform.model import EVERYBODY, HOSTS, NAMED, PUBLIC, Field, Item, SheetKind, VerbKind
from games.freeform.read import level_of, tables_of
from games.kinds import ALIAS, Directory, called, did_you_mean, shown
from games.parts.moves import combinations
from games.parts.rules import by_the_table
from games.spans import span
from games.table import TokenReason, Verdict, actions as shared, facts as table_facts
from games.table.endgame import elect, elimination_of, granted, holders, may_lose, must_lose, ranked, who_left
from games.table.rounds import RoundOpened, contents
from games.table.rules import back_into, must_be_here
from games.table.state import Choice, Decision, Need, Round

# ---- words that a host typed, and the values of the little language --------------------------------------------------

Bound: TypeAlias = Callable[[Field], tuple[int, int]]


def known(things: Mapping[str, Any], name: str, what: str) -> Any:
    """Look a thing up by name.

    Raises:
        Unreadable: `freeform.name`, with the nearest names, but never a secret one.
    """
    if name in things:
        return things[name]
    names = [key for key, thing in things.items() if not getattr(thing, "secret", False)]
    spelled = {getattr(things[key], "label", key).casefold().replace(" ", "_"): key for key in names}
    spelled |= {key: key for key in names}
    hint = did_you_mean(name, spelled, f"one of: {' '.join(names)}" if names else "hl rules", 1)
    raise Unreadable("freeform.name", f"there is no {what} {shown(name)} in the file", hint)


def playing(state: State) -> Directory:
    """Who plays, by every spelling. Outsiders hold nothing, so no verb, sheet or counter names them."""
    names = {player: state.table.name(player) for player in state.table.players}
    return Directory(names, {word: player for word, player in state.table.aliases.items() if player in names})


def values_of(state: State, typed: Mapping[str, str], asked: str = "") -> Values:
    """The values of names in a text: what was typed, and the present state."""

    def who(field: str) -> str:
        return typed.get(field, field) if field else asked

    def leaf(tree: Typed | Held | Count) -> int:
        if isinstance(tree, Typed):
            word = typed.get(tree.field, words.NOTHING)
            return 0 if word == words.NOTHING else int(word)
        if isinstance(tree, Count):
            return sum(tree.card in ("", card) for card in state.cards(tree.item, who(tree.who)))
        counter = state.rules.counters[tree.counter]
        return state.held(tree.counter, TABLES_OWN if counter.table else who(tree.who))

    return Values(leaf, lambda word: typed.get(word, word))


def bounds(state: State, asked: str) -> Bound:
    """(field) -> its least and greatest number for that player now; any number if a player is needed and not given."""

    def of(field: Field) -> tuple[int, int]:
        values = values_of(state, {}, asked)
        try:
            least, most = (
                otherwise if tree is None else come_to(tree, values, lang.kept_within)
                for tree, otherwise in ((field.least, 0 if field.most is not None else -LIMIT), (field.most, LIMIT))
            )
        except KeyError:  # it reads a player's counter, and no player is given
            return anything(field)
        return least, most

    return of


def anything(field: Field) -> tuple[int, int]:
    return -LIMIT, LIMIT


def read_words(
    state: State, of: SheetKind | VerbKind, typed: Iterable[str], bound: Bound, line: str
) -> tuple[str, ...]:
    """The words of a sheet or verb in normal spelling, one for each field.

    Args:
        line: What is typed before them.

    Raises:
        Unreadable: `freeform.word`. Only hosts read the value of a counter that not everybody sees.
    """
    typed_words, fields = tuple(typed), of.fields
    needed = sum(not field.optional for field in fields)
    if not needed <= len(typed_words) <= len(fields):
        example = words.examples(fields, state.table.players)
        count = str(needed) if needed == len(fields) else f"{needed} to {len(fields)}"
        word = "word" if count == "1" else "words"
        problem = f"{of.name} takes {count} {word} ({' '.join(map(words.usage, fields))}), not {len(typed_words)}"
        meant = _joined(state, fields, typed_words)
        raise Unreadable("freeform.word", problem, f"{line} {meant}" if meant else f"like: {line} {example}".rstrip())
    whole = (*typed_words, *[words.NOTHING] * (len(fields) - len(typed_words)))
    return tuple(_read_word(state, field, word, bound) for field, word in zip(fields, whole, strict=True))


def _joined(state: State, fields: tuple[Field, ...], typed: tuple[str, ...]) -> str:
    """The words with some neighbours joined (`1 north bank` as `1 north_bank`) to fit the fields, or "" if none fit."""

    @cache
    def fitting(field: int, at: int) -> tuple[str, ...] | None:
        if field == len(fields) or at == len(typed):
            return () if at == len(typed) and all(each.optional for each in fields[field:]) else None
        for end in range(at + 1, len(typed) + 1):
            try:
                word = _read_word(state, fields[field], " ".join(typed[at:end]), anything)
            except Unreadable:
                continue
            if (others := fitting(field + 1, end)) is not None:
                return word, *others
        return None

    return shlex.join(fitting(0, 0) or ()) if len(typed) > len(fields) else ""


def _read_word(state: State, field: Field, word: str, bound: Bound) -> str:
    try:
        return words.read_word(field, word, playing(state), bound)
    except Unreadable as error:
        leaves = [leaf for tree in (field.least, field.most) if tree is not None for leaf in lang.leaves(tree)]
        least = min((level_of(leaf, state.rules.counters, state.rules.items).now for leaf in leaves), default=EVERYBODY)
        if least == EVERYBODY:
            raise
        what = f"{field.name} cannot be {shown(word)} now"
        fix = "hl status" if least == HOSTS else f"{field.name}: {field.said}"
        raise Unreadable(error.code, what, fix, error.what) from None


def words_of_verb(state: State, verb: VerbKind, typed: Iterable[str]) -> tuple[str, ...]:
    """The words of a verb in normal spelling; counters in bounds are those of the first player it names."""
    typed_words, line = tuple(typed), f"hl do {verb.name}"
    first = next((n for n, field in enumerate(verb.fields) if field.kind == "player" and not field.many), None)
    try:
        asked = playing(state).find(typed_words[first]) if first is not None and first < len(typed_words) else ""
        return read_words(state, verb, typed_words, bounds(state, asked), line)
    except Unreadable as error:
        if error.fix != ALIAS:
            raise
        what = f"{error.what}; {verb.name} takes {' '.join(map(words.usage, verb.fields))}"
        fix = f"like: {line} {words.examples(verb.fields, state.table.players)}\n{error.fix}"
        raise Unreadable(error.code, what, fix) from None


def same(spelled: tuple[str, ...], recorded: tuple[str, ...]) -> None:
    """Check that the words in the log have their normal spelling.

    Raises:
        Unreadable: `freeform.word`.
    """
    if spelled != recorded:
        raise Unreadable("freeform.word", f"{' '.join(recorded)} is not the spelling of the log", "hl verify")


def words_of_sheet(state: State, round_: str, action: a.Seal) -> tuple[str, ...]:
    kind = state.rules.sheet(round_)
    bound = anything if action.as_sent else bounds(state, action.player)
    return read_words(state, kind, action.words, bound, f"hl seal {action.player}")


# ---- sheets ------------------------------------------------------------------------------------------------------


def check_sheet(state: State, round_: Round, action: a.Seal) -> None:
    """Refuse a sheet of another round, or one that is not in normal spelling."""
    same(words_of_sheet(state, round_.name, action), action.words)


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """Open all sheets; the host records what follows from them."""
    sheets = contents(round_)
    tx.emit(*(f.SheetOpened(p, round_.name, sheets[p].words) for p in tx.state.table.players if p in sheets))


# ---- the course --------------------------------------------------------------------------------------------------


def left(state: State) -> list[str]:
    """The rounds that are still to come."""
    return [name for name in state.rules.rounds() if name not in state.table.resolved]


def undrawn(state: State, *, secret: bool) -> list[Item]:
    """The draws of the file that were not made yet. Nothing that players see may depend on secret ones."""
    return [i for i in state.rules.items.values() if i.draw and i.secret is secret and i.name not in state.drawn]


def undrawn_secrets(state: State, round_: Round) -> Iterator[tuple[int, str]]:
    """A line for hosts for each secret kind of card that is still to be drawn."""
    for item in undrawn(state, secret=True):
        yield 0, f"{item.label} (secret) is not drawn yet: hl draw {item.name}"


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """Begin play, or the next round."""
    state, table = tx.state, tx.state.table
    rounds = left(state)
    if table.status != "setup" and (table.round is not None or not rounds or state.ended):
        if state.rules.sheets and not (table.round or rounds or state.ended):
            raise Refused("freeform.no_round", "all rounds are resolved: what is next is the end", "hl close match")
        what = "a round is on" if table.round else "the match is over" if state.ended else "play is on"
        raise Refused("freeform.opened", f"{what}, so there is nothing to open", "hl status")
    for item in undrawn(state, secret=False):
        raise Refused("freeform.undrawn", f"{item.label} is not drawn yet", f"hl draw {item.name}")
    if rounds:
        ends = later(moment.at, span(state.rules.sheet(rounds[0]).hours))
        tx.emit(RoundOpened(rounds[0], moment.at, ends))
    else:
        tx.emit(table_facts.PhaseBegan("play", "running", moment.at, None))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """End the match once all rounds are resolved; `close match` ends it in any case."""
    state, table = tx.state, tx.state.table
    ends = table.status == "running" and table.round is None and not state.ended
    if action.phase == "match" and table.round is not None:
        what = f"{called(table.round.name)} is still on: end the match between rounds"
        raise Refused("freeform.rounds_left", what, "hl resolve")
    if not ends or action.phase not in ("match", table.phase):
        by_the_table(tx, action, moment)
    elif action.phase != "match" and (rounds := left(state)):
        what = f"{len(rounds)} round{'s are' if len(rounds) > 1 else ' is'} still to come"
        raise Refused("freeform.rounds_left", what, "hl open")
    else:
        tx.emit(table_facts.PhaseEnded("match", "a host ended it"))


def prepare_close(state: State, action: shared.Close, luck: Luck) -> tuple[Action, ...]:
    """Without a named phase, close the match once all rounds are resolved. What has ended is not ended twice."""
    if action.phase == "match" and state.ended:
        what = "play is over already, so there is nothing to end"
        raise Refused("table.nothing_to_close", what, "hl status")
    ends = action.phase is None and state.table.status == "running" and state.table.round is None and not left(state)
    return (action._replace(phase="match") if ends else action,)


def deadline(tx: Transaction[State], action: shared.Deadline, moment: Moment) -> None:
    """Move the end of a round or a decision; otherwise that of the match."""
    _must_have_end(tx.state)
    by_the_table(tx, action, moment)


def prepare_deadline(state: State, action: shared.Deadline, luck: Luck) -> tuple[Action, ...]:
    """Refuse `+6h` like any other time, where no end can be set."""
    _must_have_end(state)
    return (action,)


def _must_have_end(state: State) -> None:
    if not state.table.decisions and state.table.round is None and left(state):
        raise Refused("table.no_deadline", "no round is on, so there is no end to move", "hl open")


def follow(tx: Transaction[State], moment: Moment) -> None:
    """Lay open cards of the deck when a round begins, if the file says so."""
    on = tx.state.table.round
    for item in tx.state.rules.items.values() if on else ():
        state = tx.state
        if item.turn and on is not None and (on.name, item.name) not in state.laid:
            tx.emit(f.LaidOpen(item.name, state.cards(item.name, DECK)[: item.turn], on.name))


def may_amend(state: State, action: shared.AmendSetting) -> None:
    """Refuse to change what is in the file; during play it can only grow."""
    head, _, tail = action.key.partition(".")
    if head not in ("counters", "items", "sheets", "verbs", "result"):
        return
    if not tail or tail in getattr(state.settings, head):
        what = f"you can add to {head} of the file, but not change or remove what is there"
        there = f"{action.key} is already in the file" if tail else ""
        raise Refused("freeform.added", what, f"hl amend-setting {head}.NAME=...", there)
    tables: Mapping[str, Any] = tables_of(state.table.settings)
    rules_of({**tables, head: {**tables.get(head, {}), tail: action.value}})


# ---- counters that a host sets, cards that are given -----------------------------------------------------------------


def must_be_on(state: State) -> None:
    if state.ended:
        ended = "match" if "match" in state.table.past else "play"
        fix = f"add --at TIME if it happened before the end\n{back_into(ended)}"
        raise Refused("freeform.over", "the match is over", fix)


def _counter(state: State, action: a.Set | a.Add | a.Move) -> Any:
    counter = known(state.rules.counters, action.counter, "counter")
    if counter.table is not (action.player is None) and not getattr(action, "everybody", False):
        verb, name, player = type(action).__name__.lower(), counter.name, "" if counter.table else " PLAYER"
        what = f"{name} belongs to the table, not to a player" if counter.table else f"say whose {name} that is"
        raise Unreadable("freeform.whose", what, f"hl {verb} {name}{player} VALUE")
    for whose in filter(None, (action.player, getattr(action, "to", None))):
        playing(state).find(whose)
    return counter


def set_(tx: Transaction[State], action: a.Set, moment: Moment) -> None:
    counter = _counter(tx.state, action)
    value = words.whole(counter.name, action.value, -LIMIT, LIMIT)
    _to(tx, counter.name, {action.player or TABLES_OWN: value}, action.why or "", "set")


def add(tx: Transaction[State], action: a.Add, moment: Moment) -> None:
    must_be_on(tx.state)
    counter = _counter(tx.state, action)
    amount = words.whole(counter.name, action.value, -LIMIT, LIMIT)
    whose = action.player or TABLES_OWN
    _to(tx, counter.name, {whose: tx.state.held(counter.name, whose) + amount}, action.why or "", "add")


def move(tx: Transaction[State], action: a.Move, moment: Moment) -> None:
    """Move an amount of a counter from one player to another; the sum stays the same."""
    must_be_on(tx.state)
    counter = _counter(tx.state, action)
    if counter.table or action.player == action.to:
        what = "name two players: it goes from one to the other"
        raise Unreadable("freeform.whose", what, f"hl move {counter.name} PLAYER PLAYER N")
    amount = words.whole(counter.name, action.value, 0, LIMIT)
    now = tx.state.counters[counter.name]
    after = {action.player: now[action.player] - amount, action.to: now[action.to] + amount}
    _to(tx, counter.name, after, action.why or "", "move")


def _to(tx: Transaction[State], counter: str, after: Mapping[str, int], why: str, verb: str) -> None:
    state = tx.state
    must_be_within(state, {counter: after}, verb)
    tx.emit(*changes(state, counter, after, why, by_itself=True))


def _not_now(verb: str, host_only: str) -> Refused:
    """The refusal of a change: the same for every reason, which may depend on what is hidden; only hosts read it."""
    return Refused("freeform.bounds", f"{verb}: the file does not allow it now", "hl status", host_only)


def must_be_within(state: State, after: Mapping[str, Mapping[str, int]], verb: str) -> None:
    """Check that every value is within its bounds.

    Raises:
        Refused: `freeform.bounds`; only hosts read which value is not.
    """
    for name, values in after.items():
        counter = state.rules.counters[name]
        for who, value in values.items():
            if not counter.least <= value <= counter.most:
                whose = f" of {state.table.name(who)}" if who else ""
                bound = f"at least {counter.least}" if value < counter.least else f"at most {counter.most}"
                raise _not_now(verb, f"{counter.label}{whose} would be {value}; it must be {bound}")


def changes(state: State, counter: str, after: Mapping[str, int], why: str, *, by_itself: bool) -> Iterable[Fact]:
    for who, value in after.items():
        was = state.held(counter, who)
        if value != was:
            what = (counter, value, was, why, by_itself)
            yield f.Counted(who, *what) if who else f.TableCounted(*what)


def give(tx: Transaction[State], action: a.Give, moment: Moment) -> None:
    state = tx.state
    must_be_on(state)
    item = known(state.rules.items, action.item, "kind of card")
    for place in (action.src, action.to):
        if place not in PLACES and place not in state.table.players:
            raise Unreadable("player.unknown", f"there is no player {shown(place)} in this match", "hl status")
    card = the_card(state, action)
    tx.emit(f.CardMoved(item.name, card, action.src, action.to, action.why or "", True))


def the_card(state: State, action: a.Give) -> str:
    """The card that is meant: the named one, the only one there, or the top one of the deck.

    Raises:
        Refused: `freeform.cards`; only hosts read whether there is none or more than one.
    """
    kinds = [item.name for item in state.rules.items.values() if action.item in item.values and not item.secret]
    if action.item not in state.rules.items and kinds and not action.card:
        what = f"there is no kind of card {shown(action.item)} in the file"
        raise Unreadable("freeform.name", what, f"hl give {kinds[0]} {action.src} {action.to} {action.item}")
    item = known(state.rules.items, action.item, "kind of card")
    there = state.cards(item.name, action.src)
    whose = action.src if action.src in PLACES else state.table.name(action.src)
    if action.card:
        card = words.pick(item.name, action.card, tuple(dict.fromkeys(item.values)))
        if card not in there:
            what = "a card is not where it would be taken from"
            raise Refused("freeform.cards", what, "hl status", f"{whose} does not have {card}")
        return card
    if not there or (len(set(there)) > 1 and action.src != DECK):
        host_only = f"{whose} has {'several cards of' if there else 'no'} {item.label}"
        fix = f"hl give {item.name} {action.src} {action.to} CARD"
        raise Refused("freeform.cards", "say which card", fix, host_only)
    return there[0]


# ---- the verbs of the file: all or nothing ---------------------------------------------------------------------------


def do(tx: Transaction[State], action: a.Do, moment: Moment) -> None:
    """Apply all effects in order, each to the result of the one before; check bounds; tell its texts. All or nothing.

    The first player it names acts, and must be present, as for every verb. Source: S-G3.
    """
    state = tx.state
    must_be_on(state)
    verb: VerbKind = known(state.rules.verbs, action.verb, "verb")
    spelled = words_of_verb(state, verb, action.words)
    same(spelled, action.words)
    typed = {field.name: word for field, word in zip(verb.fields, spelled, strict=True)}
    whose = next((typed[field.name] for field in verb.fields if field.kind == "player" and not field.many), "")
    must_be_here(state.table, whose)
    after, moved = effects(state, verb, typed)
    changed = {name: values for name, values in after.counters.items() if values is not state.counters[name]}
    must_be_within(state, changed, verb.name)
    tx.emit(f.Done(verb.name, spelled))
    for name, values in changed.items():
        tx.emit(*changes(state, name, values, f.ByVerb(f"by {verb.name}"), by_itself=not verb.says))
    tx.emit(*moved)
    for reader, text in verb.says:
        line = filled_in(tx.state, verb, typed, text)
        if reader == PUBLIC:
            tx.emit(f.Announced(line))
        elif typed[reader] != words.NOTHING:
            tx.emit(*(f.Told(player, line) for player in typed[reader].split(",") if player in state.table.present))


def effects(state: State, verb: VerbKind, typed: Mapping[str, str]) -> tuple[State, list[f.CardMoved]]:
    """The state after all effects of a verb, and the cards that moved. It does not check bounds.

    Raises:
        Refused: `freeform.bounds`; only hosts read whether a value is beyond all limits, an amount is negative, or a
            card is not where it is taken from.
    """
    moved: list[f.CardMoved] = []
    for effect in verb.does:
        try:
            state = _one_effect(state, verb, typed, effect, moved)
        except lang.TooGreat:
            raise _not_now(verb.name, "a number would be larger than a thousand million") from None
    return state, moved


def _one_effect(
    state: State, verb: VerbKind, typed: Mapping[str, str], effect: Effect, moved: list[f.CardMoved]
) -> State:
    values = values_of(state, typed)
    if not holds(effect.when, values):
        return state
    if isinstance(effect, Change):
        counter = effect.target.counter
        whose = TABLES_OWN if state.rules.counters[counter].table else typed[effect.target.who]
        now, amount = state.held(counter, whose), come_to(effect.amount, values)
        return state.with_counter(counter, {whose: {"=": amount, "+=": now + amount, "-=": now - amount}[effect.sign]})
    src, to = typed.get(effect.src, effect.src), typed.get(effect.to, effect.to)
    if effect.amount is None:
        item = next(field.item for field in verb.fields if field.name == effect.what)
        card = typed[effect.what]
        if card not in state.cards(item, src):
            whose = state.table.name(src) if src in state.table.seats else src
            raise _not_now(verb.name, f"{whose} does not have {card}")
        moved.append(f.CardMoved(item, card, src, to, f.ByVerb(f"by {verb.name}"), not verb.says))
        return moved[-1].evolve(state)
    amount = come_to(effect.amount, values)
    if src == to:
        return state
    if amount < 0:
        raise _not_now(verb.name, "a negative amount would move")
    held = state.counters[effect.what]
    return state.with_counter(effect.what, {src: held[src] - amount, to: held[to] + amount})


def filled_in(state: State, verb: VerbKind, typed: Mapping[str, str], text: str) -> str:
    """Fill in the names of a verb's text: players' display names, and counters after the verb."""
    kinds = {field.name: field for field in verb.fields}

    def put(match: Any) -> str:
        word = match[1]
        if word in kinds:
            value = typed[word]
            if value == words.NOTHING:
                return "nobody" if kinds[word].kind == "player" else "nothing"
            parts = value.split(",") if kinds[word].many else [value]
            return state.table.named(parts) if kinds[word].kind == "player" else " ".join(parts)
        counter, _, who = word.partition(" ")
        return str(state.held(counter, typed[who] if who else TABLES_OWN))

    return NAMED.sub(put, text)


# ---- the end ---------------------------------------------------------------------------------------------------------

RULE = "the file, result"
LINES = ("score",)
"""The lines that reveal the scores."""
BY_SCORE = ("highest", "lowest")


def scores(state: State) -> Mapping[str, int]:
    """Player -> score; empty if the file has none."""
    tree = state.rules.ending.score
    if tree is None:
        return {}
    return {p: come_to(tree, values_of(state, {}, p), lang.kept_within) for p in state.table.players}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """Best first: by highest score, or by lowest if that wins or the highest is eliminated."""
    return ranked(scores(state), lowest=_fewest(state))


def _fewest(state: State) -> bool:
    return state.rules.ending.tokens == "lowest" or state.rules.ending.elimination == "highest"


def counts(state: State) -> str:
    return "score (lower is better)" if _fewest(state) else "score"


def verdict(state: State) -> Verdict:
    """Tokens and elimination by score, with ties and hosts' decisions, as the file says."""
    table, ending, points = state.table, state.rules.ending, scores(state)
    awards: tuple[TokenReason, ...] = ()
    able = [p for p in table.may_win if p in points]
    if ending.tokens == "hosts":
        if need := _by_hosts(state, "token", table.present):
            return Verdict(needed=(need,))
    elif ending.tokens in BY_SCORE and able:
        first = ranked({p: points[p] for p in able}, lowest=ending.tokens == "lowest")[0]
        choice = _settled(state, "token", first, tuple(p for p in able if p not in first))
        if choice is not None and choice.need is not None:
            return Verdict(needed=(choice.need,))
        who = (choice.player,) if choice else first
        awards = tuple(_token(state, p, points[first[0]], first, choice) for p in who if p)
    return _elimination(state, awards)._replace(awards=awards)


def _elimination(state: State, awards: tuple[TokenReason, ...]) -> Verdict:
    """The Elimination Candidate among the players without a token, or what must be decided first. Source: S-G3."""
    table, ending, points = state.table, state.rules.ending, scores(state)
    able = may_lose(table, holders(table, awards))
    if ending.elimination == "hosts":
        need = _by_hosts(state, "elimination", able) if able else None
        return Verdict(needed=(need,) if need else ())
    if ending.elimination not in BY_SCORE:
        return Verdict()
    if left := must_lose(table, able):
        return who_left(left)
    if not able:
        return Verdict()
    ends = ranked({p: points[p] for p in able}, lowest=ending.elimination == "lowest")[0]
    last = table.remaining(ends, "elimination")
    best = tuple(award.player for award in awards)
    choice = _settled(state, "elimination", last, best or tuple(p for p in able if p not in last))
    why, short = _score(state, ending.elimination, points[last[0]], last), f"the {ending.elimination} score"
    if choice is not None:
        return elimination_of(choice, why, short, LINES)
    return Verdict(elimination=last, elimination_why=why, elimination_short=short, elimination_lines=LINES)


def _score(state: State, which: str, points: int, level: Sequence[str]) -> str:
    shared = f", shared by {state.table.named(level)}" if len(level) > 1 else ""
    return f"{which} score: {points}{shared}"


def _token(state: State, player: str, points: int, level: Sequence[str], choice: Choice | None) -> TokenReason:
    """The reason of a player's token; only viewers who may know the votes read how they went."""
    which, voted = state.rules.ending.tokens, state.rules.ending.ties == "vote"
    why = _score(state, which, points, level) + (f"; {choice.why}" if choice else "")
    lines = (*LINES, "votes") if choice and voted else LINES
    how = "lot" if choice and choice.how == "lot" else "won"
    return TokenReason(player, f"{which}_score", why, RULE, lines, f"the {which} score", how)


def _by_hosts(state: State, about: str, among: Sequence[str]) -> Need | None:
    """What hosts must still declare; None if they did, or ended it with `close ruling`."""
    table, decision = state.table, Decision("ruling", (), tuple(among), about)
    if about == "token":
        declared = {row.players[0] for row in table.standing if row.kind == "token"}
        tied = table.players if state.rules.ending.tokens == "hosts" else among
        settled = any(p in declared or granted(table, p) for p in tied)
    else:
        settled = table.declares(about) is not None
    return None if settled or decision.key in table.closed else Need(decision, 0)


def _settled(state: State, about: str, among: tuple[str, ...], voters: tuple[str, ...]) -> Choice | None:
    """The choice among level players, or what must be decided first; None if it is all of them."""
    ending = state.rules.ending
    if len(among) == 1 or ending.ties == "all":
        return None
    if ending.ties == "hosts":
        return Choice(None, "", _by_hosts(state, about, among))
    return elect(state.table, about, among, voters if ending.ties == "vote" else (), ending.hours)


# ---- laws, what a player can do, words likely meant ------------------------------------------------------------------


def invariants(state: State) -> Iterable[str]:
    """Laws that only an override can break: no card is lost or doubled."""
    for item in state.rules.items.values():
        lying = sorted(card for cards in state.items[item.name].values() for card in cards)
        if item.draw != "one each" and lying != sorted(item.values):
            yield f"the cards of {item.name} are not all there exactly once"


def suggest(state: State, action: type, field: str, typed: Mapping[str, str]) -> tuple[str, ...] | None:
    """Suggest verbs, counters and cards of the file, or the words of the next field; None if they cannot be listed."""
    rules = state.rules
    if action is a.Do and field == "verb":
        return tuple(rules.verbs)
    if field == "counter" and action in (a.Set, a.Add, a.Move):
        return tuple(rules.counters)
    if field == "item":
        return tuple(rules.items)
    if action is a.Give and field == "card" and typed.get("item") in rules.items:
        return tuple(dict.fromkeys(state.cards(typed["item"], typed.get("src", ""))))
    if field == "words" and action in (a.Do, a.Seal):
        verb = rules.verbs.get(typed.get("verb", ""))
        asked = verb if action is a.Do else rules.sheet(state.table.phase) if rules.sheets else None
        fields, before = asked.fields if asked else (), len(typed.get("words", "").split())
        return (before < len(fields) and listed(state, fields[before])) or None
    return ()


def listed(state: State, field: Field) -> tuple[str, ...]:
    """The words that a field can hold, if they can be listed."""
    by_kind = {"player": tuple(state.table.players), "yes": ("yes", "no")}
    return by_kind.get(field.kind, field.words)


def asks(state: State) -> str:
    if (on := state.table.round) is None:
        return "hl close match, once play is over"
    return " ".join(["hl seal NAME", *map(words.usage, state.rules.sheet(on.name).fields)])


def moves(state: State, player: str) -> Iterator[Action]:
    """A sample: sheets and verbs with the least, middle and greatest of each number and every word that can be listed,
    where this player is the first whom a verb names; and one more and one less of each counter."""
    rules, table = state.rules, state.table
    if table.round is not None and rules.sheets:
        fields = rules.sheet(table.round.name).fields
        for words in combinations([_some(state, field, player) for field in fields]):
            yield a.Seal(player, words)
    if table.status != "running":
        return
    for verb in rules.verbs.values():
        first = next((field for field in verb.fields if field.kind == "player"), None)
        options = [(player,) if field is first else _some(state, field, player) for field in verb.fields]
        yield from (a.Do(verb.name, words) for words in combinations(options))
    for counter in rules.counters.values():
        yield from (a.Add(counter.name, None if counter.table else player, n) for n in ("1", "-1"))


def _some(state: State, field: Field, player: str) -> tuple[str, ...]:
    if field.kind == "number":
        least, most = (max(-9, min(9, bound)) for bound in bounds(state, player)(field))
        return tuple(map(str, dict.fromkeys((least, (least + most) // 2, most))))
    return ("something",) if field.kind == "text" else listed(state, field)
