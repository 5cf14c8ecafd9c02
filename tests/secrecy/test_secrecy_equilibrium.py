"""Nothing that leaves for a viewer of Equilibrium depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, canaries, seeded leaks that must be found, and the information
table: each field of the view stands in it, and each line of it changes what it says.

Source: docs/games/equilibrium.md, sections 3 and 9, EQ-6, EQ-9, EQ-17, EQ-23; docs/reliability.md (promise 3).
"""

from __future__ import annotations

from typing import Any

from events.audiences import PUBLIC_VIEWER
from events.errors import Refused
from games.equilibrium import actions as act, facts as f
from games.kit.blocks import Table
from tests.secrecy import leaks
from tests.secrecy.leaks import others


def garnets_of(state: Any, viewer: str) -> list[int]:
    return [state.table.garnets(p) for p in others(state, viewer)]


def check_partner(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is None and isinstance(action, act.Offer) and action.take not in state.hands[action.b]:
        return Refused("equilibrium.card_not_held", f"{action.b} does not hold {action.take}")
    return None


def name_entry(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is not None and refusal.code.endswith("pair_used"):
        return Refused(refusal.code, refusal.what, refusal.host_only)
    return None


def crash_at_none(state: Any, viewer: str, shown: Any) -> Any:
    assert state is not None
    if state.over or viewer == PUBLIC_VIEWER:
        return shown
    _ = [5 // n for n in garnets_of(state, viewer)]
    return shown


def padded(state: Any, viewer: str) -> Table | None:
    """A column as wide as the widest hidden hand, though nothing of it is printed."""
    width = max((len(" ".join(state.hands.get(p, ()))) for p in others(state, viewer)), default=0)
    return Table(("player", "hand"), tuple((p, "?" * width) for p in state.table.seats))


def partner_paid(state: Any, facts: list[Any], viewer: str) -> str | None:
    traders = {p for fact in facts if isinstance(fact, f.Traded) for p in (fact.a, fact.b)}
    paid = [fact for fact in facts if isinstance(fact, f.ClassTicked) and fact.player != viewer]
    return "Your partner made a paying hand." if viewer in traders and paid else None


def flush_is_out(state: Any, viewer: str) -> str | None:
    colours = [{card[0] for card in state.hands.get(p, ())} for p in others(state, viewer)]
    return "A flush is out." if any(len(found) == 1 for found in colours) else None


LEAKS: dict[str, leaks.Leaky] = {
    "sum of the other hands": leaks.added_text(
        lambda s, v: str(sum(int(card[1:]) for p in others(s, v) for card in s.hands.get(p, ())))
    ),
    "width of a column follows a hidden hand": leaks.added_text(padded),
    "order of players by hidden garnets": leaks.added_text(
        lambda s, v: None if s.over else " ".join(sorted(others(s, v), key=lambda p: (-s.table.garnets(p), p)))
    ),
    "list of the locked, not their number": leaks.changed_view(lambda s, v, w: w._replace(locked=sorted(s.locked))),
    "refusal names the partner's hand": leaks.refused_with(
        "", lambda s, action, refusal: s.hands[action.b] if isinstance(action, act.Offer) else None
    ),
    "refusal names the entry of the trade": leaks.changed_rules(name_entry),
    "offer checked against the partner": leaks.changed_rules(check_partner),
    "number of trades so far in a text": leaks.added_text(lambda s, v: f"{len(s.traded)} trades so far."),
    "number of the last trade's entry in a text": leaks.added_text(
        lambda s, v: f"As of {max(s.traded.values(), default=0)}."
    ),
    "trade told to everybody": leaks.noticed(f.Traded, "Two have traded."),
    "partner's garnet in the notice of a trade": leaks.added_notice(partner_paid),
    "lock told to everybody": leaks.noticed(f.Locked, "Somebody locked in."),
    "hint when a hidden value is 0": leaks.added_text(
        lambda s, v: "Somebody has no garnet left." if not s.over and 0 in garnets_of(s, v) else None
    ),
    "crash when a hidden value is 0": leaks.changed_view(crash_at_none),
    "dealt hands after the end": leaks.changed_rows(lambda s, p, row: {"dealt": s.dealt[p]} if s.over else {}),
    "who traded with whom after the end": leaks.changed_rows(
        lambda s, p, row: {"traded_with": s.partners(p)} if s.over else {}
    ),
    "number of votes that are in": leaks.added_text(
        lambda s, v: f"{sum(map(len, s.table.votes.values()))} have voted."
    ),
    "who recoloured most": leaks.added_text(
        lambda s, v: max(s.recolours, key=lambda p: (s.recolours[p], p)) if s.recolours else None
    ),
    "somebody holds a flush": leaks.added_text(flush_is_out),
    "somebody holds cards before the deal": leaks.added_text(
        lambda s, v: "A hand is out." if s.hands and s.dealt is None else None
    ),
    "who may open a trade": leaks.opened_to_everybody(act.Accept),
}
