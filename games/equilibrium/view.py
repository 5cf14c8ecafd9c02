"""State -> View: the only reader of State for output. Built up by what is allowed, never cut down.

Each datum has a line in the information table (`settings.VISIBILITY`); `may` answers from it for one viewer and the
players whom the datum concerns. Source: section 9, EQ-6, EQ-17, EQ-23.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.audiences import EVERYBODY_AFTER_END, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.instants import write_end
from events.record import NamedTuple
from games.contract import Action, Due, Fact, Result
from games.equilibrium import actions as a
from games.equilibrium import facts as f
from games.equilibrium.cards import Hand
from games.equilibrium.end import ranking, standing
from games.equilibrium.hands import CLASSES, worth
from games.equilibrium.state import State
from games.kit.tell import News, count
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as told
from games.table.view import allowed, asked, line_audience, owed, shared_audience, shared_news, table_result


class PlayerView(NamedTuple):
    """What the viewer may know of one player."""

    hand: Hand = ABSENT
    class_: str = ABSENT
    equilibrium: int = ABSENT
    total: int = ABSENT
    garnets: int = ABSENT
    earned: tuple[str, ...] = ABSENT
    traded_with: tuple[str, ...] = ABSENT
    locked: bool = ABSENT
    dealt: Hand = ABSENT
    recolours: int = ABSENT


class EquilibriumView(NamedTuple):
    """Source: docs/json.md, view of equilibrium."""

    phase: str
    ends: str | None
    trades_left: int = ABSENT
    locked: int = ABSENT
    players: Mapping[str, PlayerView] = ABSENT
    votes: Mapping[str, str] = ABSENT
    paused: bool = ABSENT
    """There, and true, while the clock stands still: then nothing ends by itself."""


def may(state: State, key: str, viewer: str, owners: Iterable[str] = ()) -> bool:
    """May `viewer` know the datum of line `key` that concerns `owners`?"""
    return allowed(state.table, key, viewer, owners, over=state.over)


def view(state: State, viewer: str) -> EquilibriumView:
    """The match as `viewer` (`host`, `public` or a player) may know it."""
    end = state.table.next_end()
    players = {p: shown for p in state.table.players if (shown := _player(state, viewer, p)) != PlayerView()}
    cast = {} if viewer == HOST_VIEWER else state.table.votes.get("elimination", {})
    votes = {p: cast[p] for p in state.table.players if p in cast and may(state, "votes", viewer, (p,))}
    return EquilibriumView(
        phase=state.table.phase,
        ends=None if end is None else write_end(end),
        trades_left=_trades_left(state, viewer),
        locked=len(state.locked) if may(state, "locked_count", viewer) else ABSENT,
        players=players or (ABSENT if viewer == PUBLIC_VIEWER else {}),
        votes=votes or ABSENT,
        paused=True if state.table.paused is not None else ABSENT,
    )


def _trades_left(state: State, viewer: str) -> int:
    if viewer == HOST_VIEWER:
        return state.trades_left()
    if viewer == PUBLIC_VIEWER or not may(state, "trade_done", viewer, (viewer,)):
        return ABSENT  # type: ignore[no-any-return]
    return len(state.table.seats) - 1 - len(state.partners(viewer))


def _player(state: State, viewer: str, player: str) -> PlayerView:
    """One player through the eyes of the viewer: a field is there because a line allows it."""
    mine = viewer == player

    def ok(key: str) -> bool:
        return may(state, key, viewer, (player,))

    final = state.over
    shown = PlayerView()
    if player in state.hands:
        now = worth(state.hands[player], state.settings.er_metric)
        if ok("own_hand") or (final and ok("final_hands")):
            shown = shown._replace(hand=state.hands[player])
        if ok("own_hand") or (final and ok("final_classes")):
            shown = shown._replace(class_=now.ranked.name)
        if ok("own_hand") or (final and ok("final_er")):
            shown = shown._replace(equilibrium=now.difference, total=now.total)
    elif viewer == HOST_VIEWER or mine:
        shown = shown._replace(hand=())
    if ok("own_garnets") or (final and ok("final_garnets")):
        shown = shown._replace(garnets=state.table.garnets(player))
    if ok("earned") or (mine and ok("garnet_gained")):
        made = state.ticked.get(player, {})
        shown = shown._replace(earned=tuple(made if mine or viewer == HOST_VIEWER else sorted(made, key=CLASSES.index)))
    if ok("trades") or (mine and ok("trade_done")):
        shown = shown._replace(traded_with=state.partners(player))
    if mine or ok("locks"):
        shown = shown._replace(locked=player in state.locked)
    if viewer != HOST_VIEWER and state.dealt is not None and ok("dealt_hands"):
        shown = shown._replace(dealt=state.dealt[player])
    if viewer != HOST_VIEWER and ok("recolours") and state.recolours.get(player):
        shown = shown._replace(recolours=state.recolours[player])
    return shown


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`. Source: design section 8, JSON."""
    host, table = viewer == HOST_VIEWER, state.table

    def ok(key: str, *owners: str) -> bool:
        return host or (state.over and may(state, key, viewer, owners))

    shown = table_result(
        table,
        who=ok("tokens"),
        among=ok("elimination"),
        garnets=[p for p in table.players if may(state, "own_garnets", viewer, (p,)) or ok("final_garnets", p)],
        tokens=[p for p in table.players if ok("tokens", p)],
        elimination=ok("elimination", *table.elimination),
    )
    worths = standing(state).worths if host or state.over else {}
    scores = {p: w.difference for p, w in worths.items() if ok("final_er", p)}
    if scores or host:
        whole = all(ok("final_er", p) and ok("final_classes", p) for p in worths)
        shown = shown._replace(scores=scores, ranking=ranking(state) if whole else ABSENT)
    return shown


def audience(state: State, action: Action) -> Audience:
    """Who may see that entry opened. What is not named here is the hosts'.

    An entry is opened whole: to those concerned by one line of the information table, to others only by the line that
    tells them all that is in it.
    """
    match action:
        case a.Trade():
            return line_audience(state.table, "trade_done", "trades", action.a, action.b)
        case a.Accept():
            return line_audience(state.table, "trade_done", "trades", action.player, action.proposer)
        case a.Offer():
            return line_audience(state.table, "trade_done", None, action.a, action.b)
        case a.Decline():
            return line_audience(state.table, "trade_done", None, action.player, action.proposer)
        case a.Withdraw():
            return line_audience(state.table, "trade_done", None, action.player, action.partner)
        case a.Recolour():
            return line_audience(state.table, "recolour_done", None, action.player)
        case a.Lock() | a.Unlock():
            return Audience.only(action.player)
        case shared.Hand():
            return line_audience(state.table, "own_hand", "dealt_hands", action.player)
        case shared.Deal() | shared.Seed():  # all hands follow from them
            told = state.table.settings["visibility"]["dealt_hands"] in ("everybody", "everybody_after_end")
            return EVERYBODY_AFTER_END if told else HOST
        case _:
            return shared_audience(state.table, action)


def news(state: State, fact: Fact, viewer: str) -> News:
    """A fact in a sentence for `viewer`, or None when it is not for him. Source: section 9, after each trade.

    `state` is the one after the entry; only the settings and names of it are read.
    """
    if viewer == HOST_VIEWER:
        return None
    name = state.table.name
    match fact:
        case f.HandDealt() if viewer == fact.player and may(state, "own_hand", viewer, (fact.player,)):
            return "You were dealt your five cards."
        case f.Traded() if viewer in (fact.a, fact.b) and may(state, "trade_done", viewer, (fact.a, fact.b)):
            first = viewer == fact.a
            partner, gave, took = (fact.b, fact.give, fact.take) if first else (fact.a, fact.take, fact.give)
            return f"Your trade with {name(partner)} is done: you gave {gave} and received {took}."
        case f.Recoloured() if viewer == fact.player and may(state, "recolour_done", viewer, (viewer,)):
            return f"You paid 1 garnet: your {fact.card} is now {fact.into}."
        case f.ClassTicked() if viewer == fact.player and may(state, "garnet_gained", viewer, (viewer,)):
            if fact.by == "deal" and not may(state, "dealt_garnet", viewer, (viewer,)):
                return None
            from games.kit.poker import WORDS

            made = f"{WORDS[fact.hand_class]}, for the first time"
            lost = {"at_cap": "you hold the most garnets allowed", "at_limit": "you had the most a match gives"}
            if fact.garnet == "received":
                return f"{made}: you earned 1 garnet."
            return f"{made}; {lost[fact.garnet]}, so it earned none."
        case f.Unlocked() if viewer == fact.player and fact.why != "on request":
            return "You are no longer locked in."
        case told.Moved() if viewer in (fact.src, fact.to) and fact.rule == told.HOST_POWERS:
            if not may(state, "own_garnets", viewer, (viewer,)):
                return None
            more = fact.to == viewer
            return f"You {'received' if more else 'lost'} {count(fact.garnets, 'garnet')}."
        case f.HandSet() if viewer == fact.player and may(state, "own_hand", viewer, (viewer,)):
            return "A host corrected your hand."
        case told.DecisionOpened() if asked(state.table, fact.decision, viewer):
            among = state.table.named(fact.decision.among)
            if fact.decision.kind == "vote":
                return f"You hold a Token of Life: vote who is Elimination Candidate, {among}."
            return f"You hold a spare Token of Life: give it to one of {among}."
        case told.PhaseBegan(phase="trading") if viewer == PUBLIC_VIEWER:
            return "Trading is open."
        case told.PhaseEnded(phase="trading") if viewer == PUBLIC_VIEWER:
            return "Trading is over."
        case told.PhaseBegan(phase="finished") if viewer == PUBLIC_VIEWER:
            return "The match is over."
        case _:
            return shared_news(state.table, fact, viewer)


def waiting(state: State) -> tuple[Due, ...]:
    """During trading nobody owes anything; at the end, votes and gifts."""
    return owed(state.table)
