"""Nothing that leaves for a viewer of MarsMatch depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, and seeded leaks that must be found.

Source: docs/games/marsmatch.md, section 5, MM-25; docs/reliability.md (promise 3).
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError, Refused
from events.instants import later
from games.contract import Game
from games.marsmatch import actions as a, facts as f, rules, view
from games.marsmatch.cards import BIG, RANKS, TWO, Hand, cards_of, count, in_words, plus
from games.marsmatch.combos import beats, formable, nearest
from games.marsmatch.rules import grammar, heavenly
from games.marsmatch.view import hint
from games.parts import CardsDealt
from games.spans import SECOND, span
from games.table import actions as shared
from tests.secrecy import leaks
from tests.secrecy.leaks import others
from tests.secrecy.test_secrecy_default import begun, refused, shown, step, tried, went
from tests.support.host import Host, match_file
from tests.support.sizes import many

# ---- hints ---------------------------------------------------------------------------------------------------------


def test_a_hint_is_for_hosts(host: Host) -> None:
    """Whoever it is asked for, `hint` answers hosts alone, and the refusal is the same whatever is held."""
    told = set()
    for name, cards in (("one", "3 3"), ("other", "K BJ")):
        table = host.at(name).new(match_file("marsmatch", "ann bob", {"short_hands": True}))
        table.hl("draw --banker ann")
        table.deal({"ann": "4 5", "bob": cards})
        table.hl("open")
        refused = (table.hl(f"hint bob --for {viewer}", code=2) for viewer in ("ann", "bob", "public"))
        told.add("".join(answer.text for answer in refused).replace(name, "MATCH"))
    assert len(told) == 1 and "hosts" in told.pop()


# ---- closed hand sizes -----------------------------------------------------------------------------------------------


def test_with_their_line_closed_how_many_cards_others_hold_is_told_nobody() -> None:
    """All others hold some cards more: views, notices, reminders, scores and refusals are the same, as long as nobody
    goes out by it. Every other line is open, but for the hands. Source: MM-25."""
    closed, met = {"own_hand": "owner", "hand_sizes": "host", "final_hands": "host"}, 0
    for seed in range(many(1, 200)):
        chance = Random(f"sizes {seed}")
        match = begun("marsmatch", chance, ("everybody",))
        table = match.state.table
        levels = {**table.settings["visibility"], **closed}
        match.state = match.state._replace(table=table._replace(settings={**table.settings, "visibility": levels}))
        moments = [*islice(went(match, chance), many(60, 400))]
        for before, action, _ in chance.sample(moments, min(many(25, 200), len(moments))):
            viewer = chance.choice((PUBLIC_VIEWER, *table.players))
            both, hands = (before.twin(), before.twin()), before.state.hands
            more = {p: plus(hand, count(chance.choices(RANKS, k=3))) for p, hand in hands.items() if any(hand)}
            more |= {p: hand for p, hand in hands.items() if p == viewer}
            both[1].state = before.state._replace(hands={**hands, **more})
            assert shown(both[0], viewer) == shown(both[1], viewer), (seed, viewer)
            for tried_ in tried(before, viewer, chance) if viewer != PUBLIC_VIEWER else ():
                assert refused(both[0], tried_) == refused(both[1], tried_), (seed, viewer, tried_)
            with contextlib.suppress(LedgerError):
                facts = [step(one, action) for one in both]
                if len({repr([type(fact) for fact in rows]) for rows in facts}) == 1:
                    met += any(isinstance(fact, f.Played) for fact in facts[0])
                    told = map(match.game.tell, (one.state for one in both), facts, (viewer, viewer))
                    assert len({*map(repr, told)}) == 1, (seed, viewer, action)
                    assert repr(shown(both[0], viewer)) == repr(shown(both[1], viewer)), (seed, viewer, action)
    assert met > 3, "hardly anything was played"


# ---- seeded leaks --------------------------------------------------------------------------------------------------


def of_others(state: Any, viewer: str, place: int) -> int:
    """How many of that rank the others hold together."""
    return sum(state.hands[p][place] for p in others(state, viewer) if p in state.hands)


def next_plays(state: Any, viewer: str) -> Any:
    """What could be played by whose turn it is, if that is not the viewer."""
    return hint(state, state.turn).plays if state.playing and state.turn not in (None, viewer) else None


def passed_although_able(state: Any, facts: list[Any], viewer: str) -> str | None:
    passes = [x.player for x in facts if isinstance(x, f.Passed) and x.player != viewer]
    return f"{passes[0]} keeps a 2." if passes and state.hands[passes[0]][TWO] else None


def silent_heaven(state: Any, facts: list[Any], viewer: str) -> str | None:
    if not any(isinstance(x, f.TurnBegan) and x.leads for x in facts) or not state.heavenly:
        return None
    losers = [p for p in state.hands if heavenly(state.dealt[p]) and p not in state.heavenly and p != viewer]
    return f"{len(losers)} more." if losers else None


def nearest_of_the_hand(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is None or not refusal.code.endswith("no_combination"):
        return refusal
    near = nearest(state.hands[action.player], grammar(state, action.player))
    return Refused(refusal.code, refusal.what, in_words(near.cards))


def jokers_of_the_turn(state: Any, action: Any, refusal: Refused) -> int | None:
    hand = state.hands.get(state.turn or "", ())
    return int(hand[BIG]) if isinstance(action, a.Play) and any(hand) else None


def cards_left_over(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A round that is over says which cards were left, while the match goes on."""

    class Round(f.Round):
        left: Mapping[str, Hand] = {}

    class RoundView(view.RoundView):
        left: Mapping[str, tuple[str, ...]] = {}

    def rounds(state: f.State) -> tuple[f.Round, ...]:
        last = Round(state.round, state.banker, state.titles, state.gained, state.hands)
        return (*state.before, last) if state.ended else state.before

    patch.setattr(f.State, "rounds", property(rounds))
    patch.setattr(view, "RoundView", RoundView)
    return game


@leaks.put(rules, "_begin_turn", alone=True)
def time_for_who_can_beat(real: Any, tx: Any, player: str, moment: Any, *, leads: bool) -> None:
    """Who can only pass has a third of the time."""
    state, length = tx.state, span(tx.state.settings.turn_seconds, SECOND)
    able = leads or any(
        beats(reading, state.trick.reading) for reading, _ in formable(state.hands[player], grammar(state, player))
    )
    ends = later(moment.at, length if able else length // 3) if length else None
    tx.emit(f.TurnBegan(player, leads, moment.at, ends))


LEAKS: dict[str, leaks.Leaky] = {
    "cards left over in a round before": cards_left_over,
    "less time for who can only pass": time_for_who_can_beat,
    "2s that the others hold": leaks.added_text(lambda s, v: f"{of_others(s, v, TWO)} twos." if s.hands else None),
    "whether a Big Joker is out there": leaks.added_text(
        lambda s, v: "A Big Joker is out there." if s.hands and of_others(s, v, BIG) else None
    ),
    "players by their highest card": leaks.added_text(
        lambda s, v: " ".join(sorted(s.hands, key=lambda p: max(i for i, n in enumerate((1, *s.hands[p])) if n)))
    ),
    "the hand of whose turn it is": leaks.changed_rows(
        lambda s, p, row: {"hand": cards_of(s.hands[p])} if p == s.turn else {}
    ),
    "whether the play can be beaten": leaks.added_text(
        lambda s, v: "It can be beaten." if s.trick is not None and next_plays(s, v) else None
    ),
    "how much the next one could play": leaks.added_text(
        lambda s, v: None if (able := next_plays(s, v)) is None else str(len(able))
    ),
    "that somebody passed with a 2": leaks.added_notice(passed_although_able),
    "a heavenly hand that did not win": leaks.added_notice(silent_heaven),
    "the sizes of groups that were dealt": leaks.added_notice(
        lambda s, facts, v: (
            str(sorted(max(s.hands[p]) for p in s.hands)) if any(isinstance(x, CardsDealt) for x in facts) else None
        )
    ),
    "a refusal that says how many are held": leaks.refused_with(
        "not_held", lambda s, action, refusal: refusal.host_only
    ),
    "a nearest reading out of the hand": leaks.changed_rules(nearest_of_the_hand),
    "a refusal that counts the Jokers of another": leaks.refused_with("", jokers_of_the_turn),
    "who may open a dealt hand": leaks.opened_to_everybody(shared.Hand),
    "who may open an override": leaks.opened_to_everybody(shared.Override),
}
