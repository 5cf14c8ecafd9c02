"""prepare and audit, made of the parts: what is drawn when an entry is made, and drawn again when it is checked.

Source: design section 5, Draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Luck
from games.kinds import NOBODY, choice, shown
from games.kit import luck as kit_luck
from games.parts.declare import Deal, Draw, Parts
from games.records import kebab, plain
from games.table import actions as shared
from games.table import prepare as table_prepare
from games.table.state import Table


def source_of(row: Draw[Any], state: Any, action: Any) -> dict[str, Any] | None:
    """What a draw is made from, as its entry keeps it: all that is needed to repeat it from its seed. None: no draw."""
    if row.source is not None:
        source: dict[str, Any] | None = plain(row.source(state, action))
        return source
    if row.shuffle is not None:
        return {"shuffle": list(row.shuffle(state))}
    assert row.each is not None and row.of is not None, "a draw shuffles, or draws for each"
    return {"each": list(row.each(state)), "of": [list(words) for words in row.of(state)]}


def fixed_now(parts: Parts[Any], state: Any) -> Iterator[Mapping[str, Any]]:
    """What each draw is made from that a commitment made now fixes, as their entries would keep it."""
    if parts.deal is not None and parts.deal.committed(state):
        yield deal_source(parts.deal, state)
    for row in parts.draws.values():
        yield from (plain(source) for source in row.fixed(state))


def deal_source(deal: Deal[Any], state: Any) -> dict[str, Any]:
    """What a deal is drawn from, as its entry keeps it: all that is needed to repeat it from its seed."""
    return {"deal": kit_luck.pack(deal.deck(state)), "each": deal.each, "to": list(state.table.present)}


def must_be_drawn(parts: Parts[Any], state: Any, action: Any) -> None:
    """A draw where the rules ask for one, and no other."""
    row = parts.draws.get(type(action))
    if row is None or not row.when(state):
        if action.drawn is not None or action.seed is not None:
            raise _no_draw()
    elif action.drawn is None:
        raise Refused("table.undrawn", "a draw is recorded with its outcome", f"hl {kebab(type(action))}")
    elif row.shuffle is not None:
        wanted = row.shuffle(as_drawn(state, action))
        if sorted(action.drawn) != sorted(wanted):
            raise _not_each(state.table, wanted)


def as_drawn(state: Any, action: Any) -> Any:
    """The state in which those whom a recorded draw names were still here: whom it deals to, or whose lines it has."""
    to = (action.draw or {}).get("to")
    players = to if isinstance(to, list) else [line.partition(" ")[0] for line in action.drawn or ()]
    return table_prepare.as_drawn(state, [player for player in players if isinstance(player, str)])


def _no_draw() -> Refused:
    return Refused("table.no_draw", "nothing is drawn here: --drawn has no meaning", "leave --drawn out")


def _not_each(table: Table, wanted: Iterable[str]) -> Refused:
    what = f"what was drawn names each of {table.named(wanted)} once"
    return Refused("table.drawn", what, "leave --drawn out, and it is drawn here")


def must_say_whose(action: shared.Override, table: bool) -> None:
    """A field of a player needs one, and a field of the table has none.

    Raises:
        Unreadable: `override.whose`.
    """
    if table and action.player is not None:
        what = f"{action.field} is the table's, and nobody's"
        raise Unreadable("override.whose", what, f"hl override {action.field} VALUE")
    if not table and action.player is None:
        fix = f"hl override {action.field} PLAYER VALUE"
        raise Unreadable("override.whose", f"it is not said whose {action.field} that is", fix)


def typed_fields(parts: Parts[Any]) -> Mapping[str, str]:
    """What `override` may set, and how its value is typed."""
    own = {name: row.how for name, row in parts.overrides.items()}
    return {**own, "garnets": "N"} if parts.garnets else own


def prepare(parts: Parts[Any], state: Any, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What is recorded: draws made, defaults that depend on the state filled in."""
    if own := parts.prepare.get(type(action)):
        entries = own(state, action, luck)
        by_its_part = parts.deal is not None and isinstance(action, shared.Deal)
        if by_its_part or len(entries) != 1 or type(entries[0]) is not type(action):
            return entries
        action = entries[0]
    if isinstance(action, shared.Override):
        if (field := parts.overrides.get(action.field)) is not None:
            must_say_whose(action, field.table)
            return (action._replace(value=field.read(action.value)),)
        if action.field == "garnets" and parts.garnets:
            return (action._replace(value=str(table_prepare.whole(action.value))),)
        raise table_prepare.no_such_field(action.field, typed_fields(parts))
    fixed = fixed_now(parts, state)
    entries = table_prepare.prepare(state.table, action, luck, parts.settings, parts.visibility, parts.has, fixed)
    if (row := parts.draws.get(type(action))) and row.when(state):
        return (_drawn(row, state, entries[0], luck),)
    if getattr(action, "drawn", None) is not None and type(action) in (shared.Open, shared.Resolve):
        raise _no_draw()
    return entries


def _drawn(row: Draw[Any], state: Any, action: Any, luck: Luck) -> Any:
    """The action with its draw. What was typed in, or is amended, is drawn no more."""
    source = source_of(row, state, action)
    if source is None:
        return action
    label = source.get("label", "")
    fixed = luck.published if label else None
    if action.drawn is None and fixed is not None and fixed.fixes(source):
        drawn = kit_luck.repeat(source, kit_luck.mix(fixed.seed, fixed.words), luck.seq, label)
        replaces = fixed.replaced_by(f"draw:{label}")
        entry = action._replace(commitment=fixed.commitment, words=fixed.lines, replaces=replaces)
        return entry._replace(drawn=drawn, draw=source)
    if action.drawn is None:
        seed = luck.seed()
        drawn = kit_luck.repeat(source, kit_luck.mix(seed), luck.seq)
        entry = action._replace(drawn=drawn, draw=source, seed=seed.hex())
        return entry if fixed is None else entry._replace(replaces=fixed.before(f"draw:{label}"))
    typed = action._replace(drawn=_typed(row, state, source, action.drawn))
    if typed.seed is not None and _redrawn(row, state, typed, luck.seq) is None:
        return typed
    kept = {key: source[key] for key in ("label", "to") if key in source}
    typed = typed._replace(seed=None, draw=kept or None)
    return typed if fixed is None else typed._replace(replaces=fixed.before(f"draw:{label}"))


def _typed(row: Draw[Any], state: Any, source: Mapping[str, Any], lines: Sequence[str]) -> tuple[str, ...]:
    """What a host typed of a draw, in its one spelling.

    Raises:
        Unreadable: a word that cannot be drawn here. Refused: `table.drawn`, somebody has no line, or two.
    """
    lines = [part.strip() for line in lines for part in line.split(",") if part.strip()]
    if row.typed is not None:
        return tuple(row.typed(state, line) for line in lines)
    read = tuple(_typed_line(state.table, source, line.split()) for line in lines)
    whose, wanted = [line.partition(" ")[0] for line in read], source.get("shuffle") or source["each"]
    if sorted(whose) != sorted(wanted):
        raise _not_each(state.table, wanted)
    return read


def _typed_line(table: Table, source: Mapping[str, Any], words: Sequence[str]) -> str:
    lists = source.get("of", ())
    if len(words) != 1 + len(lists):
        what = f"{shown(' '.join(words))} is not a player{' and what was drawn' if lists else ''}"
        raise Unreadable("draw.unreadable", what, "one part for each player, between commas")
    outcomes = [choice("draw", of).read(word, NOBODY) for word, of in zip(words[1:], lists, strict=True)]
    return " ".join([table.directory().find(words[0]), *outcomes])


def _redrawn(row: Draw[Any], state: Any, action: Any, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded draw; None when its seed, or the `key` of its commitment, gives it again."""
    source = source_of(row, as_drawn(state, action), action)
    if source is None:
        return None
    if plain(action.draw) != source:
        return "it was drawn from something else than the rules say"
    label = source.get("label", "") if key else ""
    return table_prepare.redrawn(
        action.seed or "",
        lambda seed: kit_luck.repeat(source, key or kit_luck.mix(seed), seq, label),
        tuple(action.drawn),
        row.what,
    )


def audit(parts: Parts[Any], state: Any, action: Any, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a draw that was folded into `state`, or None."""
    if own := parts.audit.get(type(action)):
        return own(state, action, seq, key)
    if (row := parts.draws.get(type(action))) and action.drawn is not None and (action.seed is not None or key):
        return _redrawn(row, state, action, seq, key)
    return table_prepare.audit(state.table, action, seq)
