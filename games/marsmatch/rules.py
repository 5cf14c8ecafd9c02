"""A round of MarsMatch: the draw, the Initial Phase, turns and tricks, titles, host powers.

Source: sections 2 to 4; MM-1 to MM-11, MM-19 to MM-25.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from events.audiences import PUBLIC_VIEWER
from events.errors import Refused
from events.instants import Instant, later
from games.contract import Action, Do, Luck, Moment, Override, Transaction
from games.kinds import casefolded, count as counted
from games.kit import luck as kit_luck
from games.kit.blocks import Strong
from games.marsmatch import actions as a, cards as deck, combos, facts as f
from games.marsmatch.actions import TITLES, Title
from games.marsmatch.cards import BIG, EMPTY, LITTLE, RANKS, THREE, Hand, cards_of, count, in_words, plus, total
from games.marsmatch.combos import Grammar, Reading, a_, beats, best, declared, readings, spelled, why, why_not
from games.marsmatch.facts import HeavenlyWon, State
from games.parts.dealing import must_be_dealt
from games.parts.rules import by_the_table
from games.records import plain
from games.spans import SECOND, span
from games.table import actions as shared, endgame, facts as table_facts, prepare as table_prepare, rules as table_rules
from games.table.prepare import NONE, or_none, signed, with_value, word_or_none
from games.table.rules import must_be_here
from games.table.state import Decision, Need, Verdict

_WINS = re.compile(r"win\s+(\S+?):?(?:\s.*)?", re.DOTALL)
LONG_RUN = 3
"""The plays in a row that MM-9 is about."""
LEADS = "it leads the trick"
"""Why a combination may be played that beats no other."""


# ---- the draw of Banker and seats ----------------------------------------------------------------------------------
#
# Randomness: docs/log-format.md. Source: section 2, 1; MM-6.


def draw(tx: Transaction[State], action: a.Draw, moment: Moment) -> None:
    """Set the Banker and the seats. Source: section 2, 1; MM-6."""
    state = tx.state
    _must_be_undealt(state)
    if state.banker is not None:
        raise Refused("marsmatch.drawn", f"{state.table.name(state.banker)} is Banker already", "hl log")
    if action.banker is None or not action.seats:
        raise Refused("marsmatch.undrawn", "a draw is recorded with Banker and seats", "hl draw")
    seated = table_prepare.as_drawn(state, (action.banker, *action.seats)).table.present
    if sorted(action.seats) != sorted(seated):
        seats, typed = ",".join(state.table.present), action.seed is None and action.banker in state.table.present
        whom = "every player who has not left" if state.table.left else "every player"
        fix = f"hl draw --banker {action.banker} --seats {seats}" if typed else f"hl draw --seats {seats}"
        raise Refused("marsmatch.seats", f"--seats must name {whom} once", fix)
    tx.emit(f.BankerDrawn(action.banker, action.seats))


def _must_be_undealt(state: State) -> None:
    if state.dealt is not None:
        raise Refused("marsmatch.dealt", "the cards of this round are dealt", "hl log")
    if state.over:
        raise Refused("marsmatch.over", "the match is over", "hl status")


def may_deal(state: State) -> None:
    _must_be_undealt(state)
    if state.banker is None:
        raise Refused("marsmatch.undrawn", "nobody is Banker yet", "hl draw")


def prepare_draw(state: State, action: a.Draw, luck: Luck) -> tuple[Action, ...]:
    """Draw what was not typed; but a Banker typed alone takes the seats of the match file."""
    if action.seed is not None:  # amended: it is now typed in, not drawn
        typed = action._replace(drawn=None, draw=None, seed=None)
        return (typed if audit_draw(state, action, luck.seq) else action,)
    must_be_here(state.table, *action.seats, *([action.banker] if action.banker is not None else []))
    if action.banker is not None:
        return (action._replace(seats=action.seats or state.table.present),)
    source, seed = {"one": list(action.seats)} if action.seats else {"shuffle": list(state.table.present)}, luck.seed()
    drawn = kit_luck.repeat(source, kit_luck.mix(seed), luck.seq)
    seats = action.seats or drawn
    return (action._replace(banker=drawn[0], seats=seats, drawn=drawn, draw=source, seed=seed.hex()),)


def audit_draw(state: State, action: a.Draw, seq: int, key: bytes | None = None) -> str | None:
    """What is wrong with a recorded draw of Banker and seats, or None.

    To draw both, the players who are present are shuffled, and the first is Banker. Alone, the Banker is one of the
    seats.
    """
    if action.seed is None or action.drawn is None:
        return None
    present = table_prepare.as_drawn(state, action.seats).table.present
    both = plain(action.draw) == {"shuffle": list(present)} and action.seats == action.drawn
    if not both and plain(action.draw) != {"one": list(action.seats)}:
        return "it was not drawn from what the rules say"
    wrong = table_prepare.redrawn(
        action.seed,
        lambda seed: kit_luck.repeat(action.draw or {}, kit_luck.mix(seed), seq),
        action.drawn,
        "another Banker or other seats",
    )
    differs = action.drawn[:1] != (action.banker,)
    return wrong or ("the seed draws another Banker or other seats" if differs else None)


# ---- the Initial Phase ---------------------------------------------------------------------------------------------

Heavenly: TypeAlias = Literal["starlink", "ufo"]


def heavenly(hand: Hand) -> Heavenly | None:
    """The better heavenly hand that a hand is: exactly six 3s, or exactly two Jokers of each kind. Source: MM-2.

    >>> heavenly((6,) + (0,) * 12 + (2, 2)), heavenly((7,) + (0,) * 12 + (1, 3))
    ('starlink', None)
    """
    if hand[THREE] == 6:
        return "starlink"
    return "ufo" if hand[LITTLE] == hand[BIG] == 2 else None


def heavenly_winners(
    hands: Mapping[str, Hand], seats: Sequence[str], banker: str, snatch: str
) -> Iterator[HeavenlyWon]:
    """The players who win in the Initial Phase, clockwise from the Banker."""
    at = seats.index(banker)
    order = (p for p in (*seats[at:], *seats[:at]) if p in hands)
    holders = {p: held for p in order if (held := heavenly(hands[p])) is not None}
    best = "starlink" if "starlink" in holders.values() else "ufo"
    for player, held in holders.items():
        title: Title
        if banker in holders:
            title = "heavenly_hand" if player == banker else "non_banker_heavenly"
        elif snatch == "best_class" and held != best:
            continue
        else:
            title = "heaven_snatch"
        starlink, ufo = TITLES[title].points
        yield HeavenlyWon(player, held, title, starlink if held == "starlink" else ufo)


# ---- the phases of a round ---------------------------------------------------------------------------------------


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """Begin the Initial Phase, which plays itself, and the first lead. Source: section 2, 2 and 3; MM-1 to MM-6."""
    state = tx.state
    if state.opened:
        raise Refused("marsmatch.opened", "play of this round has begun already", "hl status")
    if state.banker is None:
        raise Refused("marsmatch.not_dealt", "nobody is Banker yet", "hl draw")
    must_be_dealt(state)
    if state.table.status == "setup":
        tx.emit(table_facts.PhaseBegan("initial", "running", moment.at, None))
    hands = {p: hand for p, hand in state.hands.items() if p not in state.table.left}  # leavers win nothing: MM-32
    tx.emit(*heavenly_winners(hands, state.order, state.banker, state.settings.snatch))
    tx.emit(table_facts.PhaseEnded("initial", "it plays itself"))
    if not must_end(tx.state):
        tx.emit(table_facts.PhaseBegan("real", "running", moment.at, None))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """End the round now: players with cards are Total Losers. It changes nothing if the round has ended meanwhile."""
    state, phase = tx.state, action.phase
    if phase not in ("initial", "real"):
        by_the_table(tx, action, moment)
    elif phase == "real" and state.playing:
        end_round(tx, "a host ended it")
    elif not state.opened or phase not in state.table.past:
        raise Refused("marsmatch.not_open", f"the {phase} phase is not being played", "hl open")


def reopen(tx: Transaction[State], action: shared.Reopen, moment: Moment) -> None:
    """Go on with a round that a host ended, or that the settings would no longer end. Source: MM-8."""
    state, phase = tx.state, action.phase
    if phase not in ("initial", "real"):
        by_the_table(tx, action, moment)
        return
    if phase == "initial" or not state.ended or must_end(state):
        what = "you can only go back into a round that a host ended"
        if state.round > 1 and not state.ended:
            what += f"; round {state.round} has begun, so only the undo of what ended the one before goes back"
        raise Refused("marsmatch.reopen", what, "hl log")
    tx.emit(
        table_facts.Reopened(phase),
        f.RoundReopened(state.round),
        table_facts.PhaseBegan("real", "running", moment.at, None),
    )
    if state.turn is not None and state.turn in state.active():  # the same turn, with its full time
        _begin_turn(tx, state.turn, moment, leads=state.trick is None)


def prepare_reopen(state: State, action: shared.Reopen, luck: Luck) -> tuple[Action, ...]:
    """Without a named phase, reopen the round if it has ended."""
    return (action._replace(phase="real") if action.phase is None and state.ended else action,)


def follow(tx: Transaction[State], moment: Moment) -> None:
    """What happens by itself: turns of leavers, the end of the round, decisions, the next round."""
    _play_on(tx, moment)
    verdict = needed(tx.state)
    endgame.follow(tx, lambda state: verdict, moment.at, over=tx.state.over)
    state = tx.state
    if state.ended and not state.over and not verdict.needed:
        tx.emit(f.RoundBegan(state.round + 1), table_facts.PhaseBegan("initial", "running", moment.at, None))
    elif not state.opened and state.table.status == "finished" and not state.over:
        tx.emit(table_facts.PhaseBegan("initial", "running", moment.at, None))  # a setting added rounds


def due(state: State) -> Instant | None:
    """The end of a decision. A turn has none, because a host records that its time is over. Source: MM-25."""
    return state.table._replace(ends=None).next_end() if state.table.decisions else None


# ---- host powers -------------------------------------------------------------------------------------------------


def ruling(tx: Transaction[State], action: shared.Ruling, moment: Moment) -> None:
    """`win PLAYER ...` decides that a player's run of three, which a host must judge, wins. Source: MM-9."""
    state, wins = tx.state, _WINS.fullmatch(action.text.strip())
    player = state.table.directory().spelled().get(casefolded(wins[1])) if wins else None
    by_the_table(tx, action, moment)
    if player in [p for need in needed(state).needed if need.decision.kind == "ruling" for p in need.decision.among]:
        go_out(tx, player, "human_hand", "a host ruled that three plays in a row win")


OVERRIDES: Mapping[str, Override] = {
    "hand": Override(
        '"3 3 10 BJ"|none',
        or_none(lambda typed: " ".join(deck.read_cards(typed))),
        lambda state, player, value: state._replace(
            hands={**state.hands, player: EMPTY if value == NONE else count(value.split())}
        ),
        line="own_hand",
        owner=lambda fact, state, viewer: (
            "A host corrected your hand: ", Strong(deck.compact(state.hands.get(viewer, EMPTY))), "."
        ),
    ),
    "points": Override(
        "N (may be below zero)",
        signed,
        line="points",
        public="A host set the points of {player}: {value}.",
    ),
    "title": Override(
        "|".join([*TITLES, NONE]),
        word_or_none(TITLES, code="marsmatch.title", what="title"),
        lambda state, player, title: state._replace(titles=with_value(state.titles, player, title)),
        line="points",
        public=lambda fact, state: (
            f"A host corrected the score: {state.table.name(fact.player)} has "
            f"{TITLES[fact.value].name if fact.value in TITLES else 'no title'}."
        ),
    ),
}  # fmt: skip


# ---- a turn ------------------------------------------------------------------------------------------------------


def as_told(do: Do) -> Do:
    """Where plays are closed, hosts alone read why a turn is refused: whose it is, or what must be beaten."""

    def told(tx: Transaction[State], action: a.Play | a.Pass | a.Timeout, moment: Moment) -> None:
        state = tx.state
        try:
            do(tx, action, moment)
        except Refused as refusal:
            if state.may("plays", PUBLIC_VIEWER) or not (state.playing and refusal.code.startswith("marsmatch.")):
                raise
            what, why = f"{state.table.name(action.player)} cannot do that now", (refusal.what, refusal.host_only)
            raise Refused("marsmatch.not_now", what, "hl status", "; ".join(filter(None, why))) from None

    return told


def play(tx: Transaction[State], action: a.Play, moment: Moment) -> None:
    """Play a combination that beats the last one, or lead with any. Source: section 2, 3.

    What everybody can see is checked first, so that such a refusal reveals nothing about the hand.
    """
    state, player = tx.state, action.player
    _must_be_his_turn(state, player)
    cards, hand, name = count(action.cards.split()), state.hands.get(player, EMPTY), state.table.name(player)
    rows = zip(RANKS, cards, hand, strict=True)
    lacking = "; ".join(f"{rank}: {n} played, {has} held" for rank, n, has in rows if has < n)
    try:
        reading, reason = judge(state, player, cards, action.reading)
        if lacking:
            what = f"{name} does not hold these cards: {in_words(cards)}"
            raise Refused("marsmatch.not_held", what, f"hl hint {player}")
    except Refused as refusal:
        refusal.host_only = lacking and f"{name}: {lacking}"
        if not (state.settings.super_drone_by_holding and cards[THREE] >= 3):
            raise
        # How these cards read reveals how many 3s the player holds: MM-17.
        what, why = f"{in_words(cards)} cannot be played so", refusal.host_only or refusal.fix
        raise Refused("marsmatch.not_so", what, f"hl hint {player}", f"{refusal.what}; {why}") from None
    _late(tx, moment)
    _put(tx, player, cards, reading, reason, moment, automatic=False)


def pass_(tx: Transaction[State], action: a.Pass, moment: Moment) -> None:
    """Pass, even if the player could beat the last play; but a leader must play. Source: MM-19, MM-20."""
    state, player = tx.state, action.player
    _must_be_his_turn(state, player, "pass")
    if state.trick is None:
        what = f"{state.table.name(player)} leads this trick and must play"
        raise Refused("marsmatch.leader_passes", what, f"hl play {player} CARDS")
    _late(tx, moment)
    _passes(tx, player, moment, automatic=False)


def _late(tx: Transaction[State], moment: Moment) -> None:
    ends, turn = tx.state.table.end_at(moment.at), tx.state.turn
    if ends is not None and turn is not None and moment.at - ends >= 1000:
        tx.emit(f.CameLate(turn, moment.at - ends))


def timeout(tx: Transaction[State], action: a.Timeout, moment: Moment) -> None:
    """The player's time is over: pass, or lead the lowest card. Source: MM-25."""
    state, player = tx.state, action.player
    _must_be_his_turn(state, player)
    name, ends, hand = state.table.name(player), state.table.ends, state.hands.get(player, EMPTY)
    if state.table.paused is not None:
        raise Refused("marsmatch.paused", "the clock is paused", "hl resume")
    if ends is None:
        raise Refused("marsmatch.no_clock", "turns have no clock in this match", "hl amend-setting turn_seconds=N")
    if moment.at < ends:
        seconds = -(-(ends - moment.at) // 1000)
        left = counted(seconds, "second") if seconds < 120 else counted(-(-seconds // 60), "minute")
        raise Refused("marsmatch.in_time", f"{name} has {left} left", "hl waiting")
    if state.trick is not None:
        _passes(tx, player, moment, automatic=True)
        return
    if not any(hand):
        raise Refused("marsmatch.no_cards", f"{name} holds no cards to lead", "hl close real")
    cards = count(cards_of(hand)[:1])
    (reading,) = readings(cards, Grammar())
    _put(tx, player, cards, reading, LEADS, moment, automatic=True)


def _must_be_his_turn(state: State, player: str, verb: str = "play") -> None:
    table_rules.must_be_here(state.table, player)
    name = state.table.name
    if not state.playing:
        what, fix = ("the round is over", "hl status") if state.ended else ("play has not begun", "hl open")
        raise Refused("marsmatch.not_playing", what, fix)
    if player in state.out:
        title = TITLES[state.titles[player]].name if player in state.titles else "left"
        what, host_only = f"{name(player)} is out of this round", f"{name(player)}: {title}"
        if state.table.settings["visibility"]["points"] == "everybody":
            what, host_only = f"{what} ({title})", ""
        raise Refused("marsmatch.is_out", what, "hl board", host_only)
    if state.turn is None:
        orphan = state.orphan or player
        what = f"{name(orphan)} must say who leads before anybody plays"
        raise Refused("marsmatch.lead_open", what, f"hl choose {orphan} PLAYER")
    if player != state.turn:
        whose = f"it is {name(state.turn)}'s turn, not {name(player)}'s"
        leads = state.trick is None or verb == "play"
        fix = f"hl play {state.turn} CARDS" if leads else f"like: hl {verb} {state.turn}"
        raise Refused("marsmatch.not_your_turn", whose, fix)


def grammar(state: State, player: str) -> Grammar:
    return state.settings.grammar(state.hands.get(player, EMPTY)[THREE])


def judge(state: State, player: str, cards: Hand, typed: str | None) -> tuple[Reading, str]:
    """The reading that counts, and why it may be played. Source: section 3, the last paragraph.

    When following, the strongest reading that beats the last play; when leading, the declared one, or the only one that
    is not weaker than another in every way.

    Raises:
        Refused: there is no reading, none of the declared type, none that beats, or more than one to lead with.
    """
    rules, text = grammar(state, player), in_words(cards)
    line, candidates = f"hl play {player} {text}", readings(cards, rules)
    if not candidates:
        near = combos.nearest(cards, rules)
        what = f"{text} is no combination; the nearest is {in_words(near.cards)} ({a_(near.reading)})"
        raise Refused("marsmatch.no_combination", what, f"hl hint {player}")
    matching = declared(candidates, typed) if typed else candidates
    if not matching:
        what = f"{text} is no {typed}: it is {' or '.join(map(a_, candidates))}"
        raise Refused("marsmatch.declared", what, f"{line} --as {spelled(candidates[0])}")
    if state.trick is not None:
        old, across = state.trick.reading, state.settings.cross_type
        able = [reading for reading in matching if beats(reading, old, cross_type=across)]
        if not able:
            reason = why_not(matching, old, cross_type=across)
            what = f"{text} does not beat {in_words(state.trick.cards)}: {reason}"
            raise Refused("marsmatch.does_not_beat", what, f"hl hint {player}")
        return best(able)[0], why(best(able)[0], old)
    ways = best(matching)
    if len(ways) > 1 and typed is None:
        what = f"{text} can be {' or '.join(map(a_, ways))}; who leads says which"
        raise Refused("marsmatch.declare", what, "\n".join(f"{line} --as {spelled(way)}" for way in ways))
    return ways[0], LEADS


def _put(
    tx: Transaction[State], player: str, cards: Hand, reading: Reading, reason: str, moment: Moment, *, automatic: bool
) -> None:
    """Put the cards on the table; a player without cards is out of play."""
    tx.emit(f.Played(player, cards_of(cards), reading, reason, automatic))
    state = tx.state
    if not any(state.hands[player]):
        go_out(tx, player, *_title(state, player))
    elif state.run == LONG_RUN and state.settings.three_in_a_row == "ask_host":
        tx.emit(f.RunReached(player, f"run of {player} in round {state.round}, play {state.plays[player]}"))
    _move_on(tx, player, moment)


def _passes(tx: Transaction[State], player: str, moment: Moment, *, automatic: bool) -> None:
    tx.emit(f.Passed(player, automatic))
    _move_on(tx, player, moment)


def go_out(tx: Transaction[State], player: str, title: Title, reason: str) -> None:
    tx.emit(f.WentOut(player, title, TITLES[title].points[0], reason))


def _title(state: State, player: str) -> tuple[Title, str]:
    """The title of a player who has just played their last cards, and why. Section 2, 4; MM-8, MM-10, MM-11."""
    most = state.settings.ground_hand_max_plays
    quick = state.plays[player] == state.run <= most
    ground = quick and (player == state.first or state.settings.ground_hand_who == "anybody")
    if ground and not state.emptied:
        first = f"first {counted(state.run, 'play')}" if state.run > 1 else "first play"
        return "ground_hand", f"out in the {first}, nobody having played in between"
    if state.settings.real_end == "one_winner_tiers":
        if quick and set(state.plays) <= {player, state.first}:
            return "ground_snatch", "out in direct reply to the first leader's opening"
        return "human_hand", "out, neither at once nor in direct reply"
    if not state.emptied:
        return "ground_snatch", "the first to go out, and no Ground Hand"
    return "human_hand", "the second to go out"


# ---- from one turn to the next -----------------------------------------------------------------------------------


def _begin_turn(tx: Transaction[State], player: str, moment: Moment, *, leads: bool) -> None:
    length = span(tx.state.settings.turn_seconds, SECOND)
    ends = later(moment.at, length) if length else None
    tx.emit(f.TurnBegan(player, leads, moment.at, ends))


def _move_on(tx: Transaction[State], player: str, moment: Moment) -> None:
    """Begin the turn after that player's; the trick is won if everybody else has passed.

    Source: section 2, 3; MM-7, MM-9.
    """
    state = tx.state
    if must_end(state):
        return
    active, owner = state.active(), state.trick.by if state.trick is not None else None
    able = [p for p in state.clockwise(player) if p in active and p != owner and p not in state.passed]
    if owner is None or able:
        _begin_turn(tx, able[0], moment, leads=owner is None)
        return
    tx.emit(f.TrickWon(owner))
    if state.settings.three_in_a_row == "instant_win" and state.run >= LONG_RUN and owner in active:
        go_out(tx, owner, "human_hand", f"{LONG_RUN} tricks in a row that nobody answered")
    if not must_end(tx.state):
        _lead(tx, owner, moment)


def _lead(tx: Transaction[State], owner: str, moment: Moment) -> None:
    """The owner of the trick leads; if out, the next or previous player, or one whom they name. Source: MM-7."""
    state = tx.state
    active, others = state.active(), state.clockwise(owner)
    if owner in active:
        _begin_turn(tx, owner, moment, leads=True)
        return
    following = [p for p in others if p in active]
    setting, about = state.settings.post_win_lead, _lead_about(state, owner)
    player, reason = following[0], "the next seat clockwise"
    if setting == "player_before":
        player, reason = following[-1], "the seat before"
    elif setting == "named" and _must_name(state):
        return
    elif setting == "named" and state.table.choices.get((about, owner)) in active:
        player, reason = state.table.choices[about, owner], f"named by {state.table.name(owner)}"
    tx.emit(f.LeadNamed(player, reason))
    _begin_turn(tx, player, moment, leads=True)


def _lead_about(state: State, owner: str) -> str:
    return f"lead:{state.round}:{owner}"


def _must_name(state: State) -> bool:
    """Must a player name who leads?"""
    owner = state.orphan
    if not state.playing or owner is None or state.settings.post_win_lead != "named" or owner in state.active():
        return False
    about = _lead_about(state, owner)
    if owner in state.table.left or ("choose", about, (owner,)) in state.table.closed:
        return False
    return state.table.choices.get((about, owner)) not in state.active()


# ---- what happens by itself --------------------------------------------------------------------------------------


def must_end(state: State) -> bool:
    """Is the round over by the rules? Source: section 2, 2 and 4; MM-5, MM-8."""
    outs = len(state.out) - len(state.heavenly)
    return len(state.active()) < 2 or outs >= (2 if state.settings.real_end == "human_hand" else 1)


def end_round(tx: Transaction[State], reason: str) -> None:
    state = tx.state
    if state.table.phase == "real":
        tx.emit(table_facts.PhaseEnded("real", reason))
    tx.emit(f.RoundEnded(state.round, tuple(p for p in state.order if p not in state.out and p in state.hands)))


def _play_on(tx: Transaction[State], moment: Moment) -> None:
    """Begin the first lead or a named one, skip the turn of a player who has left, or end the round."""
    state = tx.state
    if not state.playing:
        return
    if must_end(state):
        pass
    elif state.first is None:  # the Banker leads, or else the next active seat clockwise: MM-6
        assert state.banker is not None, "play was opened without a Banker"
        seats = (state.banker, *state.clockwise(state.banker))
        _begin_turn(tx, next(p for p in seats if p in state.active()), moment, leads=True)
    elif state.orphan is not None:
        _lead(tx, state.orphan, moment)
    elif state.turn is not None and state.turn not in state.active():
        _move_on(tx, state.turn, moment)
    if must_end(tx.state):  # the pass of a leaver may win a trick, and that may win the round: MM-9, MM-32
        two = len(tx.state.active()) < 2
        end_round(tx, "fewer than two hold cards" if two else "the last title is taken")


def needed(state: State) -> Verdict:
    """What must be decided before play goes on: who leads; whether a run of three wins."""
    needs = []
    if _must_name(state) and state.orphan is not None:
        naming = Decision("choose", (state.orphan,), state.active(), _lead_about(state, state.orphan))
        needs.append(Need(naming, 0))
    runs = (run for run in state.asked if run.player not in state.table.left)
    asked = (Decision("ruling", (), (run.player,), run.about) for run in runs)
    needs += [Need(decision, 0) for decision in asked if decision.key not in state.table.closed]
    return Verdict(needed=tuple(needs))


# ---- laws, what a player can do, words likely meant ----------------------------------------------------------------


def broken(state: State) -> Iterator[str]:
    """Laws that only an override can break: cards are conserved, and a title has its points; a host may set others."""
    if state.dealt is not None:
        now, before = plus(total(state.hands.values()), state.gone), total(state.dealt.values())
        out = any(not any(state.hands.get(p, EMPTY)) for p in state.table.left)  # a host took their cards away: MM-32
        for rank, held, dealt in zip(RANKS, now, before, strict=True):
            if held > dealt or (held != dealt and not out):
                yield f"{held} x {rank} are held or played; {dealt} were dealt"
    yield from (f"{p} is out and holds cards" for p in state.emptied if any(state.hands[p]))
    if state.round == 1:
        for player, points in state.points.items():
            title = state.titles.get(player)
            if {points, state.gained.get(player, 0)}.isdisjoint(TITLES[title].points if title else (0,)):
                yield f"{player} has {points} points as {TITLES[title].name if title else 'one without title'}"


def moves(state: State, player: str) -> Iterator[Action]:
    """A sample: passing, a timeout, and every reading that the hand can form, with the lowest cards for it."""
    if player == state.turn:
        yield from (a.Pass(player), a.Timeout(player))
        formed = combos.formable(state.hands.get(player, EMPTY), grammar(state, player))
        yield from (a.Play(player, in_words(cards), spelled(reading)) for reading, cards in formed)


def asks(state: State) -> str:
    if not state.playing or state.turn is None:
        return ""
    passes = f", or hl pass {state.turn}" if state.trick is not None else ""
    return f"hl play {state.turn} CARDS{passes}"


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Suggest the player whose turn it is, and the cards of that player."""
    if action in (a.Play, a.Pass, a.Timeout) and field == "player":
        return (state.turn,) if state.playing and state.turn is not None else ()
    if action is a.Play and field == "cards":
        return tuple(dict.fromkeys(cards_of(state.hands.get(words.get("player", ""), EMPTY))))
    return ()
