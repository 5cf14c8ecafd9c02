"""From the typed action to the recorded ones: defaults that depend on the state, and draws. Only this uses luck."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from events.errors import Refused, Unreadable
from events.instants import Instant, later, write_end
from games.contract import Action, AnyState, AnyValue, Luck, Published
from games.kinds import YES_NO, called, casefolded, did_you_mean, digits, shown
from games.kit import luck as kit_luck
from games.records import Field
from games.spans import Length
from games.table import actions as a, rounds, rules, settings as table_settings
from games.table.rules import must_be_here
from games.table.state import Table
from games.toml import parse

T = TypeVar("T")
NONE = "none"
"""Stands in for a value of `override`: the player has none."""
NO_SEED = "its seed is not in hex digits"
"""What is wrong with a draw that cannot be repeated."""


def prepare(
    table: Table,
    action: Action,
    luck: Luck,
    settings: type,
    visibility: Mapping[str, tuple[str, str]],
    has: Collection[str],
    fixed: Iterable[Mapping[str, AnyValue]] = (),
) -> tuple[Action, ...]:
    """A shared action, other than `override`, as the log will hold it.

    Args:
        fixed: The sources of the draws that a commitment made now would fix.
        settings: The game's settings; with `visibility` and `has` they say what `amend-setting` may set.
    """
    match action:
        case a.AmendSetting():
            return (setting(action, settings, visibility, has),)
        case a.Commit(commitment=None):
            seed, before = luck.seed(), luck.published
            replaces = before.first if before else None
            digests = tuple(map(kit_luck.digest, fixed))
            return (a.Commit(kit_luck.commitment(table.game_id, seed), digests, replaces), a.Seed(seed.hex()))
        case a.Deadline():
            return (a.Deadline(_end(table, action.when, luck.at)),)
        case a.Replace(player, name) if player not in table.left and casefolded(name) == casefolded(table.name(player)):
            what = f"{table.name(player)} sits there already: that is the same person"
            raise Refused("table.alias_taken", what, f"hl replace {player} NAME")
        case a.Word():
            return (_word(table, action, luck.published),)
        case a.Ruling():
            return (action._replace(text=rounds.which_late(table, action.text)),)
        case a.Close(phase=None) if table.round is not None and table.round.closed is not None:
            raise Refused("table.nothing_to_close", f"{called(table.round.name)} is closed already", "hl resolve")
        case a.Close(phase=None):
            timed = [d.kind for d in table.decisions if d.kind in ("vote", "gift", "choose")]
            if table.decisions and not timed:
                kind = table.decisions[0].kind
                what = f"a {kind} is open, and it has no clock that could be ended"
                raise Refused("table.cannot_close", what, "hl lot" if kind == "lot" else "hl status")
            return (action._replace(phase=timed[0] if timed else table.phase),)
        case a.Resolve(round=None):
            return (action._replace(round=rounds.resolving(table, table.round and table.round.name).name),)
        case a.Reopen(phase=None) if table.round is not None and table.round.closed is not None:
            return (action._replace(phase=table.round.name),)
        case a.Reopen(phase=None) if table.round is not None:
            what = f"{called(table.round.name)} is open: nothing is closed that could be reopened"
            fix = "hl undo last resolve -n" if table.resolved else "hl status"  # goes back into the round before
            raise Refused("table.nothing_to_reopen", what, fix)
        case a.Reopen(phase=None):
            ended = [name for name in table.past if name != "pregame"]
            if not ended:
                fix = "hl open" if table.status == "setup" else "hl status"
                raise Refused("table.nothing_to_reopen", "nothing has ended that could be opened again", fix)
            return (action._replace(phase=ended[-1]),)
        case a.Lot(outcome=None):
            open_lots = [d.among for d in table.decisions if d.kind == "lot"]
            among = action.among or next(iter(open_lots), ())
            must_be_here(table, *among)
            if not among:
                raise Refused("table.no_lot", "no lot is needed now", "hl lot PLAYER PLAYER")
            if open_lots and set(among) not in map(set, open_lots):
                fix = f"hl lot --outcome {among[0]}" if len(among) == 1 else "hl lot"
                host_only = f"it is among {table.named(open_lots[0])}"
                raise Refused("table.lot_among", "the lot that is open is among others", fix, host_only)
            if len(among) == 1:
                raise Refused("table.lot_among", "a lot is among two or more", "hl lot PLAYER PLAYER")
            seed = luck.seed()
            outcome = kit_luck.lot(among, kit_luck.mix(seed), luck.seq)
            return (action._replace(among=among, outcome=outcome, seed=seed.hex()),)
        case a.Lot() if audit(action, luck.seq):  # amended: the outcome is now typed in, not drawn
            return (action._replace(seed=None),)
        case _:
            return (rounds.addressed(table, action),)


def _end(table: Table, typed: str, at: Instant) -> str:
    """A relative end (`ParseContext.end`) as the instant that the log keeps.

    Raises:
        Refused: `table.no_deadline`, `table.no_end`.
    """
    if typed.startswith("in "):
        return write_end(later(at, int(typed.removeprefix("in "))))
    if typed[:1] not in ("+", "-"):
        return typed
    rules.must_have_end(table)
    end = table.end_at(at)
    if end is None:
        what = "no end is set, so it cannot be moved by an amount: say how long from now, or when"
        raise Refused("table.no_end", what, 'hl deadline "in 2h"')
    return write_end(max(Instant(0), later(end, int(typed))))


def _word(table: Table, action: a.Word, published: Published | None) -> a.Word:
    """Check that a player can still add words: there is a commitment, and no deal yet."""
    must_be_here(table, action.player)
    if published is None:
        what = "make the commitment first; words are added after it" if table.status == "setup" else rules.TOO_LATE
        raise Refused("table.no_commitment", what, "hl commit")
    if published.closed or table.status != "setup":
        fix = "hl log --kind commit"
        raise Refused("table.words_closed", "the cards have been dealt, so no more words go into the deal", fix)
    return action


def drawn_deal(action: a.Deal, published: Published | None, luck: Luck) -> tuple[a.Deal, bytes]:
    """The deal with the source it is drawn from, and the key of the draw. Source: docs/log-format.md, Randomness."""
    if published is None or not published.fixes(action.draw or {}):
        seed, before = luck.seed(), published and published.before("deal")
        return action._replace(seed=seed.hex(), replaces=before), kit_luck.mix(seed)
    before = published.replaced_by("deal")
    deal = action._replace(commitment=published.commitment, words=published.lines, replaces=before)
    return deal, kit_luck.mix(published.seed, published.words)


def as_drawn(state: AnyState, players: Collection[object], draw: Mapping[str, object] | None = None) -> AnyState:
    """The state from which a draw for these players was made: before any `drop` that was recorded late.

    Args:
        draw: The draw as it is recorded: where it says who it is for, that counts.
    """
    table: Table = state.table
    if not table.left:
        return state
    to = (draw or {}).get("to")
    left = {p: left for p, left in table.left.items() if p not in (to if isinstance(to, list) else players)}
    return state._replace(table=table._replace(left=left))


def redealt(
    action: a.Deal, key: bytes | None, draw: Callable[[bytes], Mapping[str, T]], dealt: Mapping[str, T] | None
) -> str | None:
    """What is wrong with a drawn deal; None if its seed, or its commitment, gives these hands.

    Args:
        key: The key made from the commitment and the words that the deal names.
        draw: (key) -> the hands it gives.
    """
    if key is None and action.seed is None:
        return "it says that it was drawn, but there is no seed"
    try:
        wanted = draw(key or kit_luck.mix(bytes.fromhex(action.seed or "")))
    except ValueError:
        return NO_SEED
    wrong = [player for player, hand in wanted.items() if (dealt or {}).get(player) != hand]
    return f"the seed deals other hands to {', '.join(wrong)}" if wrong else None


def audit(action: Action, seq: int) -> str | None:
    if isinstance(action, a.Lot) and action.seed is not None and action.among:
        among, outcome = action.among, action.outcome
        return redrawn(action.seed, lambda seed: kit_luck.lot(among, kit_luck.mix(seed), seq), outcome)
    return None


def redrawn(seed: str, draw: Callable[[bytes], T], drawn: T, instead: str = "") -> str | None:
    """What is wrong with a recorded draw; None if its seed draws it again.

    Args:
        instead: What the seed draws instead, in words; without it the message names both outcomes.
    """
    try:
        again = draw(bytes.fromhex(seed))
    except ValueError:
        return NO_SEED
    return None if again == drawn else f"the seed draws {instead or f'{again}, not {drawn}'}"


def whole(typed: str) -> int:
    """A whole number such as garnets: digits only, so that nothing is guessed."""
    number = digits(typed)
    if number is None:
        raise Unreadable("override.number", f"{shown(typed)} is not a whole number of at least 0", "hl override --help")
    return number


def signed(typed: str) -> str:
    """A whole number that may be negative, in normal spelling."""
    word = typed.strip()
    return str(-whole(word[1:]) if word.startswith("-") else whole(word))


def or_none(read: Callable[[str], str]) -> Callable[[str], str]:
    """A reader that also accepts `none`."""
    return lambda typed: NONE if typed.strip().lower() == NONE else read(typed)


def word_or_none(words: Collection[str], *, code: str, what: str) -> Callable[[str], str]:
    """A reader of one of these words, or of `none`. It raises `Unreadable` with this code."""

    def read(typed: str) -> str:
        word = typed.strip().lower()
        if word not in words:
            raise Unreadable(code, f"{typed!r} is no {what}", f"one of: {' '.join(words)} {NONE}")
        return word

    return or_none(read)


def with_value(values: Mapping[str, T], player: str, value: T) -> dict[str, T]:
    """The values of all players with this player's replaced, or removed if it is `none`."""
    rest = {p: held for p, held in values.items() if p != player}
    return rest if value == NONE else {**rest, player: value}


def no_such_field(action: a.Override, fields: Mapping[str, str]) -> Unreadable:
    """The error for an override of an unknown field. `fields` says how each value is typed."""
    field = action.field
    if action.player is None and action.value in fields:  # `hl override ann garnets`
        fix = f"hl override {field} {action.value} {fields[action.value]}"
        return Unreadable("override.field", f"the new value of {action.value} is missing", fix)
    usages = ", ".join(f"{name} {how}" for name, how in fields.items())
    hint = did_you_mean(field, [*fields], f"one of: {usages}", 1)
    if kind := next((kind for kind in a.DECLARES if casefolded(field).startswith(kind)), None):
        hint = f"hl {a.DECLARES[kind]}"
    named = field and (action.player or action.value)  # else it is one word: `hl override ann`
    what = f"override cannot set {shown(field)} in this game" if named else "override needs a field and its new value"
    return Unreadable("override.field", what, hint)


def setting(
    action: a.AmendSetting, game_settings: type, visibility: Mapping[str, tuple[str, str]], has: Collection[str]
) -> a.AmendSetting:
    """The new value of a setting, read from text by the setting's own type and checked."""
    key, value = action.key.strip(), action.value
    known = table_settings.known(game_settings, has)
    head, dot, tail = key.partition(".")
    head = head.replace("-", "_")
    if not (head in known and known[head].lists):  # there the keys are players, whose ids may have a hyphen
        tail = tail.replace("-", "_")
    key = f"{head}{dot}{tail}"
    if dot and (head == "visibility" or (head in known and known[head].base is Mapping)):
        if head in known and known[head].lists and isinstance(value, str):
            value = _words(value)
        table_settings.check(game_settings, visibility, {head: {tail: value}}, has=has)
        return a.AmendSetting(key, value)
    if key not in known:
        table_settings.check(game_settings, visibility, {key: value}, has=has)
    typed = value if not isinstance(value, str) else _typed(known[key], value)
    try:
        table_settings.check(game_settings, visibility, {key: typed}, has=has)
    except Unreadable as error:
        fix = f"hl amend-setting {key}=90m" if known[key].base == Length else error.fix
        raise Unreadable(error.code, error.what, fix) from None
    return a.AmendSetting(key, typed)


def _typed(field: Field, text: str) -> object:
    """`text` converted to the setting's type, or unchanged if that fails; the check then reports it."""
    if field.base is Mapping:
        with suppress(Unreadable):
            return parse(f"value = {text}")["value"]  # as in a match file
        return text
    if field.many:
        return _words(text)
    if field.base is bool:
        return YES_NO.get(text.lower(), text)
    if field.base is int or isinstance(field.default, int):
        number = digits(text.removeprefix("-"), 15)
        return text if number is None else -number if text.startswith("-") else number
    return text


def _words(text: str) -> list[str]:
    """A list as it is typed: `a b`, `a, b` or as TOML writes it."""
    words: Iterable[str] = text.strip("[]").replace(",", " ").split()
    return [word.strip("\"'") for word in words]
