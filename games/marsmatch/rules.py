"""decide, evolve, prepare: the draw, the deal, the phases of a round, and what hosts may do. Source: section 2.

Turns and tricks of the Real Match are in tricks.py, the Initial Phase is in heaven.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Fact, Luck, Moment
from games.kinds import fold
from games.kit import luck as kit_luck
from games.marsmatch import actions as a
from games.marsmatch import facts as f
from games.marsmatch import tricks
from games.marsmatch.cards import EACH, EMPTY, RANKS, Hand, cards_of, count, deck, minus, packs, plus, read_cards
from games.marsmatch.heaven import winners
from games.marsmatch.settings import VISIBILITY, Settings
from games.marsmatch.state import State, Trick
from games.marsmatch.titles import TITLES
from games.story import Story
from games.table import Table
from games.table import actions as shared
from games.table import facts as told
from games.table import prepare as table_prepare
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import settle
from games.table.evolve import evolve as table_evolve

FIELDS = {"hand": '"3 3 10 BJ"|none', "points": "N", "title": "|".join([*TITLES, "none"]), "garnets": "N"}
"""What `override` may set, and how its value is typed."""
_WINS = re.compile(r"win\s+(\S+?):?(?:\s.*)?", re.DOTALL)


def start(table: Table) -> State:
    return State(table._replace(phase="initial"), table_settings.own(Settings, table.settings))


def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
    """What follows from an action: its own facts, then whatever they bring about (the end of a round, the next one).

    Raises:
        Refused: the rules say no. Nothing has changed; `what` and `fix` name nothing of a hand: plays are public, and
            so a refusal of one may be. What a hand holds is in `host_only`.
    """
    story: Story[State] = Story(state, evolve)
    match action:
        case a.Draw():
            _draw(story, action)
        case a.Play():
            tricks.play(story, action, moment)
        case a.Pass():
            tricks.pass_(story, action.player, moment)
        case a.Timeout():
            tricks.timeout(story, action.player, moment)
        case shared.Hand():
            _hand(story, action)
        case shared.Deal():
            _deal(story, action)
        case shared.Commit() | shared.Seed() | shared.Word():
            story.tell(*table_rules.fairness(state.table, action, dealt=state.dealt is not None))
        case shared.Open():
            _open(story, moment)
        case shared.Close() if action.phase in ("initial", "real"):
            _close(story, action.phase)
        case shared.Reopen() if action.phase in ("initial", "real"):
            _reopen(story, action.phase, moment)
        case shared.Ruling() if (winner := _ruled(state, action.text)) is not None:
            story.tell(*table_rules.decide(state.table, action, moment))
            tricks.rule_win(story, winner)
        case shared.Override():
            _override(story, action)
        case shared.AmendSetting():
            story.tell(table_rules.setting_amended(state.table, action, Settings, VISIBILITY))
        case _:
            story.tell(*table_rules.decide(state.table, action, moment))
    _follow(story, moment)
    return story.facts


def _follow(story: Story[State], moment: Moment) -> None:
    """What happens by itself now: turns of those who left, the end of the round, decisions, the next round."""
    tricks.follow(story, moment)
    needed = tricks.needed(story.state)
    while story.tell_all(settle(story.state.table, needed, moment.at, over=story.state.over)):
        pass
    state = story.state
    if state.ended and not state.over and not needed.needed:
        story.tell(f.RoundBegan(state.round + 1), told.PhaseBegan("initial", "running", moment.at, None))
    elif not state.opened and state.table.status == "finished" and not state.over:
        story.tell(told.PhaseBegan("initial", "running", moment.at, None))  # there are more rounds again


# ---- draw, deal, phases ------------------------------------------------------------------------------------------


def _draw(story: Story[State], action: a.Draw) -> None:
    """The Banker and the seats. Source: section 2, 1; MM-6."""
    state = story.state
    _must_be_undealt(state)
    if state.banker is not None:
        name = state.table.name(state.banker)
        raise Refused("marsmatch.drawn", f"{name} is Banker already", "hl undo takes the draw back")
    if action.banker is None or not action.seats:
        raise Refused("marsmatch.undrawn", "a draw is recorded with Banker and seats", "hl draw draws them")
    if sorted(action.seats) != sorted(state.table.players):
        raise Refused(
            "marsmatch.seats",
            "the seats name every player once",
            f"hl draw --seats {','.join(state.table.players)}",
        )
    story.tell(f.BankerDrawn(action.banker, action.seats))


def _must_be_undealt(state: State) -> None:
    if state.dealt is not None:
        raise Refused("marsmatch.dealt", "the cards of this round are dealt", "hl undo takes the deal back")
    if state.over:
        raise Refused("marsmatch.over", "the match is over", "hl status")


def _hand(story: Story[State], action: shared.Hand) -> None:
    """54 cards each, unless short hands are allowed. Source: section 1."""
    _must_be_undealt(story.state)
    cards = count(card for word in action.cards for card in read_cards(word))
    size = sum(cards)
    if size != EACH and not (story.state.settings.short_hands and size):
        short = "; short_hands = true allows fewer or more" if size else ""
        raise Refused(
            "marsmatch.hand_size",
            f"a hand has {EACH} cards; {story.state.table.name(action.player)} was given {size}{short}",
            "hl deal --from FILE",
        )
    story.tell(f.HandDealt(action.player, cards_of(cards)))


def _deal(story: Story[State], action: shared.Deal) -> None:
    state = story.state
    _must_be_undealt(state)
    if state.banker is None:
        raise Refused("marsmatch.undrawn", "nobody is Banker yet", "hl draw, or hl draw --banker PLAYER")
    if problem := misdealt(state):
        raise Refused("marsmatch.deck", f"this deal cannot be: {problem}", "correct the file and deal again")
    story.tell(f.CardsDealt(), *table_rules.deal_replaced(action))


def misdealt(state: State) -> str:
    """What keeps the hands from being a deal of the packs; "" when nothing does. Source: section 1."""
    if missing := [p for p in state.table.players if p not in state.hands]:
        return f"{', '.join(missing)} got no hand"
    number = len(state.table.players)
    held, copies = total(state.hands.values()), packs(number)
    over = [f"{n} x {RANKS[i]} where {number} packs have {copies[i]}" for i, n in enumerate(held) if n > copies[i]]
    return "; ".join(over)


def total(hands: Any) -> Hand:
    """All these cards together."""
    held = EMPTY
    for hand in hands:
        held = plus(held, hand)
    return held


def _open(story: Story[State], moment: Moment) -> None:
    """The Initial Phase, which plays itself, and the first lead. Source: section 2, 2 and 3; MM-1 to MM-6."""
    state = story.state
    if state.opened:
        raise Refused("marsmatch.opened", "play of this round has begun already", "hl status")
    if state.banker is None or state.dealt is None:
        what, fix = (
            ("nobody is Banker yet", "hl draw") if state.banker is None else ("no cards are dealt yet", "hl deal")
        )
        raise Refused("marsmatch.not_dealt", what, fix)
    if state.table.status == "setup":
        story.tell(told.PhaseBegan("initial", "running", moment.at, None))
    story.tell(*winners(state.hands, state.seats, state.banker, state.settings.snatch))
    story.tell(told.PhaseEnded("initial", "it plays itself"))
    if not tricks.must_end(story.state):
        story.tell(told.PhaseBegan("real", "running", moment.at, None))


def _close(story: Story[State], phase: str) -> None:
    """End the round now: who holds cards is a Total Loser. What has ended meanwhile stays as it is."""
    state = story.state
    if phase == "real" and state.playing:
        tricks.end_round(story, "a host ended it")
    elif not state.opened or phase not in state.table.past:
        raise Refused("marsmatch.not_open", f"the {phase} phase is not being played", "hl open begins play")


def _reopen(story: Story[State], phase: str, moment: Moment) -> None:
    """Go on with a round that a host ended, or that the settings would not end any more. Source: MM-8."""
    state = story.state
    if phase != "real" or not state.opened or not state.ended or tricks.must_end(state):
        raise Refused(
            "marsmatch.reopen",
            "only a round that a host ended can be gone back into",
            "hl undo takes the entry that ended it",
        )
    story.tell(told.Reopened(phase), f.RoundReopened(state.round), told.PhaseBegan("real", "running", moment.at, None))
    tricks.resume(story, moment)


# ---- host powers -------------------------------------------------------------------------------------------------


def _ruled(state: State, text: str) -> str | None:
    """Of a ruling `win PLAYER ...`: the player, if a host has to judge a run of his. Source: MM-9."""
    found = _WINS.fullmatch(text.strip())
    player = state.table.directory().spelled().get(fold(found[1])) if found else None
    return player if player in tricks.open_runs(state) else None


def _override(story: Story[State], action: shared.Override) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    if action.field == "garnets":
        story.tell(*table_rules.set_garnets(story.state.table, action.player, table_prepare.whole(action.value)))
    elif action.field in FIELDS:
        story.tell(f.FieldSet(action.player, action.field, field_value(action.field, action.value)))  # type: ignore[arg-type]
    else:
        raise table_prepare.no_such_field(action.field, FIELDS)


def field_value(field: str, typed: str) -> str:
    """The one spelling of an overridden value."""
    if field in ("points", "garnets"):
        return str(table_prepare.whole(typed))
    word = typed.strip().lower()
    if field == "hand":
        return "none" if word == "none" else " ".join(read_cards(typed))
    if word not in (*TITLES, "none"):
        raise Unreadable("marsmatch.title", f"{typed!r} is no title", f"one of: {' '.join([*TITLES, 'none'])}")
    return word


# ---- prepare, audit ----------------------------------------------------------------------------------------------


def due(state: State) -> int | None:
    """The end of a decision. That of a turn is none: a host records that it was reached. Source: MM-25."""
    return state.table._replace(ends=None).next_end()


def prepare(state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What was typed, as it is recorded: draws made, defaults that depend on the state filled in."""
    match action:
        case a.Draw(seed=None):
            return (_prepared_draw(state, action, luck),)
        case a.Draw() if audit(state, action, luck.seq):  # amended: it is typed now, and no longer drawn
            return (action._replace(method="typed", seed=None),)
        case shared.Deal(method="drawn", seed=None, commitment=None):
            _must_be_undealt(state)
            published = luck.published if state.round == 1 else None  # a commitment serves one deal
            deal, key = table_prepare.drawn_deal(action, published, luck)
            return (*(shared.Hand(player, cards_of(hand)) for player, hand in drawn(state, key).items()), deal)
        case shared.Deal() if state.round > 1:
            return (action,)
        case shared.Hand():
            return (action._replace(cards=read_cards(" ".join(action.cards)) if action.cards else ()),)
        case shared.Reopen(phase=None) if state.ended:
            return (action._replace(phase="real"),)
        case shared.Override() if action.field in FIELDS:
            return (action._replace(value=field_value(action.field, action.value)),)
        case _:
            return table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)


def _prepared_draw(state: State, action: a.Draw, luck: Luck) -> a.Draw:
    """What was not typed is drawn; but a Banker typed alone takes the seats of the match file."""
    if action.banker is not None:
        return action._replace(seats=action.seats or state.table.players, method="typed")
    seed = luck.seed()
    drawing = action._replace(method="banker" if action.seats else "both", seed=seed.hex())
    seats, banker = draw(state, drawing, luck.seq)
    return drawing._replace(seats=seats, banker=banker)


def draw(state: State, action: a.Draw, seq: int) -> tuple[tuple[str, ...], str]:
    """Seats and Banker that the seed of a draw gives, under its number.

    Both: the players of the match file are shuffled, the first of them is Banker. The Banker alone: a lot among seats.

    Raises:
        ValueError: the seed is not written in hex digits.
    """
    key = kit_luck.mix(bytes.fromhex(action.seed or ""))
    if action.method == "banker":
        return action.seats, kit_luck.lot(action.seats, key, seq)
    seats = list(state.table.players)
    kit_luck.shuffle(seats, kit_luck.stream(key, f"lot:{seq}"))
    return tuple(seats), seats[0]


def drawn(state: State, key: bytes) -> dict[str, Hand]:
    """The deal that this key gives: the packs low to high, player i of the match file the i-th 54. Source: S-G5."""
    players = state.table.players
    return {p: count(hand) for p, hand in kit_luck.deal(deck(len(players)), players, EACH, key).items()}


def audit(state: State, action: Action, seq: int, key: bytes | None = None) -> str | None:
    """Repeats a recorded draw. Returns what is wrong with it, or None."""
    try:
        match action:
            case a.Draw(seed=str()):
                if draw(state, action, seq) != (action.seats, action.banker):
                    return "the seed draws another Banker or other seats"
            case shared.Deal(method="drawn"):
                return table_prepare.redealt(action, key, lambda key: drawn(state, key), state.dealt)
            case _:
                return table_prepare.audit(state.table, action, seq)
    except (ValueError, IndexError):
        return table_prepare.NO_SEED
    return None


# ---- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Total: a fact it cannot place is a bug."""
    match fact:
        case f.BankerDrawn():
            return state._replace(banker=fact.banker, seats=fact.seats)
        case f.HandDealt():
            return state._replace(hands={**state.hands, fact.player: count(fact.cards)})
        case f.CardsDealt():
            return state._replace(dealt=state.hands)
        case f.HeavenlyWon():
            return _out(state, fact.player, fact.title, fact.points)._replace(heavenly=state.heavenly | {fact.player})
        case f.TurnBegan():
            return _turn(state, fact)
        case f.Played():
            return _played(state, fact)
        case f.Passed():
            return state._replace(passed=state.passed | {fact.player})
        case f.TrickWon():
            table = state.table._replace(ends=None)
            return state._replace(table=table, trick=None, passed=frozenset(), turn=None, orphan=fact.player)
        case f.LeadNamed():
            return state._replace(orphan=None)
        case f.RunReached():
            return state._replace(asked=(*state.asked, fact.about))
        case f.WentOut():
            left = _out(state, fact.player, fact.title, fact.points)
            empty = (*left.emptied, fact.player) if not any(left.hands[fact.player]) else left.emptied
            asked = tuple(about for about in left.asked if tricks.runner(about) != fact.player)
            return left._replace(emptied=empty, asked=asked)
        case f.RoundEnded():
            return state._replace(ended=True, titles={**state.titles, **dict.fromkeys(fact.losers, "total_loser")})
        case f.RoundReopened():
            kept = {p: title for p, title in state.titles.items() if title != "total_loser"}
            return state._replace(ended=False, titles=kept)
        case f.RoundBegan():
            return State(state.table, state.settings, fact.round, points=state.points)
        case f.FieldSet():
            return _set(state, fact)
        case told.PhaseEnded(phase="initial"):
            return state._replace(table=table_evolve(state.table, fact), opened=True)
        case told.SettingAmended():
            table = table_evolve(state.table, fact)
            return state._replace(table=table, settings=table_settings.own(Settings, table.settings))
        case _:
            return state._replace(table=table_evolve(state.table, fact))


def _turn(state: State, fact: f.TurnBegan) -> State:
    """The end of a turn is that of the phase, so that a pause moves it: by what is left of the pause, if one is on."""
    table = state.table.begun(state.table.phase, fact.at, fact.ends)
    if not fact.leads:
        return state._replace(table=table, turn=fact.player)
    first = (state.first if state.plays else None) or fact.player  # who left before he led anything was no leader
    return state._replace(table=table, turn=fact.player, leader=fact.player, first=first, orphan=None)


def _played(state: State, fact: f.Played) -> State:
    cards, player = count(fact.cards), fact.player
    run = state.run + 1 if state.runner == player else 1
    return state._replace(
        hands={**state.hands, player: minus(state.hands[player], cards)},
        gone=plus(state.gone, cards),
        trick=Trick(player, cards, fact.reading),
        passed=state.passed if state.settings.pass_locks else frozenset(),
        plays={**state.plays, player: state.plays.get(player, 0) + 1},
        runner=player,
        run=run,
    )


def _out(state: State, player: str, title: Any, points: int) -> State:
    return state._replace(
        out=state.out if player in state.out else (*state.out, player),
        titles={**state.titles, player: title},
        points={**state.points, player: state.points.get(player, 0) + points},
    )


def _set(state: State, fact: f.FieldSet) -> State:
    if fact.field == "hand":
        hand = EMPTY if fact.value == "none" else count(fact.value.split())
        return state._replace(hands={**state.hands, fact.player: hand})
    if fact.field == "points":
        return state._replace(points={**state.points, fact.player: int(fact.value)})
    titles = {p: title for p, title in state.titles.items() if p != fact.player}
    named: Any = fact.value
    return state._replace(titles=titles if fact.value == "none" else {**titles, fact.player: named})


def invariants(state: State) -> tuple[str, ...]:
    """Laws that hold unless a host overrode them: cards are conserved, titles and points belong together."""
    return tuple(_broken(state))


def _broken(state: State) -> Iterator[str]:
    if state.dealt is not None:
        now, before = plus(total(state.hands.values()), state.gone), total(state.dealt.values())
        for rank, held, dealt in zip(RANKS, now, before, strict=True):
            if held != dealt:
                yield f"{held} x {rank} are held or played; {dealt} were dealt"
    yield from (f"{p} is out and holds cards" for p in state.emptied if any(state.hands[p]))
    if state.round == 1:
        for player, points in state.points.items():
            title = state.titles.get(player)
            if points not in (TITLES[title].points if title else (0,)):
                yield f"{player} has {points} points as {TITLES[title].name if title else 'one without title'}"
    if sum(state.table.purses.values()) != 0:
        yield "the purses do not balance"
