"""The Real Match: whose turn it is, what may be played, who wins a trick, who goes out, when a round ends.

Source: section 2, 3 and 4; MM-7 to MM-11, MM-19 to MM-23, MM-25.
"""

from __future__ import annotations

from events.errors import Refused
from events.instants import later
from games.contract import Moment, Transaction
from games.kinds import count as counted
from games.marsmatch import actions as a
from games.marsmatch import facts as f
from games.marsmatch.cards import EMPTY, RANKS, THREE, Hand, cards_of, count, holds, in_words
from games.marsmatch.combos import Grammar, Reading, beats, best, readings
from games.marsmatch.finder import nearest
from games.marsmatch.names import a_, declared, spelled, why, why_not
from games.marsmatch.facts import State
from games.marsmatch.titles import TITLES
from games.table import Decision, Need, Verdict
from games.table import facts as table_facts
from games.table import rules as table_rules

LONG_RUN = 3
"""Plays in a row that MM-9 speaks of."""
LEADS = "it leads the trick"
"""Why a combination may be played that beats none."""


# ---- a turn ------------------------------------------------------------------------------------------------------


def play(tx: Transaction[State], action: a.Play, moment: Moment) -> None:
    """A combination that beats the last one, or any to lead with. Source: section 2, 3.

    What everybody can see is judged first: a play that is refused for it tells nothing of the hand.
    """
    state, player = tx.state, action.player
    _must_be_his_turn(state, player)
    cards, hand = count(action.cards.split()), state.hands.get(player, EMPTY)
    reading, reason = judge(state, player, cards, action.reading)
    if not holds(hand, cards):
        lacking = [(rank, n, has) for rank, n, has in zip(RANKS, cards, hand, strict=True) if has < n]
        name, held = state.table.name(player), "; ".join(f"{rank}: {n} played, {has} held" for rank, n, has in lacking)
        what, fix = "does not hold these cards", f"hl hint {player}"
        raise Refused("marsmatch.not_held", f"{name} {what}: {in_words(cards)}", fix, f"{name}: {held}")
    _put(tx, player, cards, reading, reason, moment, automatic=False)


def pass_(tx: Transaction[State], action: a.Pass, moment: Moment) -> None:
    """Also when they could beat the last play; but who leads must play. Source: MM-19, MM-20."""
    state, player = tx.state, action.player
    _must_be_his_turn(state, player)
    if state.trick is None:
        what = f"{state.table.name(player)} leads this trick and must play"
        raise Refused("marsmatch.leader_passes", what, f"hl play {player} CARDS")
    _passes(tx, player, moment, automatic=False)


def timeout(tx: Transaction[State], action: a.Timeout, moment: Moment) -> None:
    """Their time is over: a pass, or the lowest card when they lead. Source: MM-25."""
    state, player = tx.state, action.player
    _must_be_his_turn(state, player)
    name, ends, hand = state.table.name(player), state.table.ends, state.hands.get(player, EMPTY)
    if state.table.paused is not None:
        raise Refused("marsmatch.paused", "the clock is paused", "hl resume")
    if ends is None:
        raise Refused("marsmatch.no_clock", "no clock runs for a turn here", "hl amend-setting turn_seconds=N")
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


def _must_be_his_turn(state: State, player: str) -> None:
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
        what = f"{name(orphan)} names who leads before anybody plays"
        raise Refused("marsmatch.lead_open", what, f"hl choose {orphan} PLAYER")
    if player != state.turn:
        whose = f"it is the turn of {name(state.turn)}, not of {name(player)}"
        verbs = f"hl play {state.turn} CARDS"
        raise Refused("marsmatch.not_your_turn", whose, verbs)


def grammar(state: State, player: str) -> Grammar:
    """How the cards of this player are read now."""
    return state.settings.grammar(state.hands.get(player, EMPTY)[THREE])


def judge(state: State, player: str, cards: Hand, typed: str | None) -> tuple[Reading, str]:
    """The reading that counts, and why it may be played. Source: section 3, the last paragraph.

    When following, the strongest reading that beats; when leading, what the player declares, or the only one that is
    not weaker than another in every way.

    Raises:
        Refused: no reading, none of the declared type, none that beats, or several to lead with.
    """
    try:
        return _judged(state, player, cards, typed)
    except Refused as refusal:
        if not (state.settings.super_drone_by_holding and cards[THREE] >= 3):
            raise
        # How these cards read tells how many 3s they hold besides.
        what = f"{in_words(cards)} cannot be played so"
        fix = f"hl hint {player}"
        raise Refused(refusal.code, what, fix, f"{refusal.what}; {refusal.fix}") from None


def _judged(state: State, player: str, cards: Hand, typed: str | None) -> tuple[Reading, str]:
    rules, text = grammar(state, player), in_words(cards)
    line, candidates = f"hl play {player} {text}", readings(cards, rules)
    if not candidates:
        near = nearest(cards, rules)
        kept = in_words(near.cards)
        what = f"{text} forms no combination; nearest: {kept} is {a_(near.reading)}"
        raise Refused("marsmatch.no_combination", what, f"hl play {player} {kept}")
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
            fix = f"hl hint {player}"
            raise Refused("marsmatch.does_not_beat", what, fix)
        return best(able)[0], why(best(able)[0], old)
    ways = best(matching)
    if len(ways) > 1 and typed is None:
        what = f"{text} can be {' or '.join(map(a_, ways))}; who leads says which"
        raise Refused("marsmatch.declare", what, "\n".join(f"{line} --as {spelled(way)}" for way in ways))
    return ways[0], LEADS


def _put(
    tx: Transaction[State], player: str, cards: Hand, reading: Reading, reason: str, moment: Moment, *, automatic: bool
) -> None:
    """The cards are on the table; whose last cards these were leaves."""
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


def go_out(tx: Transaction[State], player: str, title: f.Title, reason: str) -> None:
    tx.emit(f.WentOut(player, title, TITLES[title].points[0], reason))


def _title(state: State, player: str) -> tuple[f.Title, str]:
    """The title of whoever has just played their last cards, and why. Source: section 2, 4; MM-8, MM-10, MM-11."""
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
    seconds = tx.state.settings.turn_seconds
    ends = later(moment.at, seconds * 1000) if seconds else None
    tx.emit(f.TurnBegan(player, leads, moment.at, ends))


def _move_on(tx: Transaction[State], player: str, moment: Moment) -> None:
    """Whose turn it is after that player's; when everybody else has passed, the trick is won. Source: section 2, 3."""
    state = tx.state
    if must_end(state):
        return
    active, owner = state.active(), state.trick.by if state.trick is not None else None
    able = [p for p in state.clockwise(player) if p in active and p != owner and p not in state.passed]
    if owner is not None and not able:
        _win(tx, owner, moment)
    else:
        _begin_turn(tx, able[0], moment, leads=owner is None)


def _win(tx: Transaction[State], owner: str, moment: Moment) -> None:
    """Nobody beat the last play. Source: section 2, 3; MM-7, MM-9."""
    state = tx.state
    tx.emit(f.TrickWon(owner))
    if state.settings.three_in_a_row == "instant_win" and state.run >= LONG_RUN and owner in state.active():
        reason = f"{LONG_RUN} tricks in a row that nobody answered"
        go_out(tx, owner, "human_hand", reason)
    if not must_end(tx.state):
        _lead(tx, owner, moment)


def _lead(tx: Transaction[State], owner: str, moment: Moment) -> None:
    """The owner of the trick leads; when they are out, the next, the one before, or whom they name. Source: MM-7."""
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
    """Is it open who leads, because somebody has to name them?"""
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
    """Everybody who holds cards still is a Total Loser."""
    state = tx.state
    if state.table.phase == "real":
        tx.emit(table_facts.PhaseEnded("real", reason))
    tx.emit(f.RoundEnded(state.round, tuple(p for p in state.order if p not in state.out and p in state.hands)))


def follow(tx: Transaction[State], moment: Moment) -> None:
    """The first lead, a lead that was named meanwhile, the turn of somebody who has left; the end of the round."""
    state = tx.state
    if not state.playing:
        return
    if must_end(state):
        pass
    elif state.first is None:  # the Banker leads; if out, the next seat clockwise that is not: MM-6
        assert state.banker is not None, "play was opened without a Banker"
        seats = (state.banker, *state.clockwise(state.banker))
        _begin_turn(tx, next(p for p in seats if p in state.active()), moment, leads=True)
    elif state.orphan is not None:
        _lead(tx, state.orphan, moment)
    elif state.turn is not None and state.turn not in state.active():
        _move_on(tx, state.turn, moment)
    if must_end(tx.state):  # the last pass of somebody who left may win a trick, and that the round: MM-9, MM-32
        two = len(tx.state.active()) < 2
        end_round(tx, "fewer than two hold cards" if two else "the last title is taken")


def resume(tx: Transaction[State], moment: Moment) -> None:
    """Go on where the round was ended: the same turn, its time anew."""
    state = tx.state
    if state.turn is not None and state.turn in state.active():
        _begin_turn(tx, state.turn, moment, leads=state.trick is None)


def needed(state: State) -> Verdict:
    """What somebody has to decide before play, or the match, goes on: who leads; whether a run of three wins."""
    needs = []
    if _must_name(state) and state.orphan is not None:
        naming = Decision("choose", (state.orphan,), state.active(), _lead_about(state, state.orphan))
        needs.append(Need(naming, 0))
    runs = (run for run in state.asked if run.player not in state.table.left)
    asked = (Decision("ruling", (), (run.player,), run.about) for run in runs)
    needs += [Need(decision, 0) for decision in asked if decision.key not in state.table.closed]
    return Verdict(needed=tuple(needs))


def open_runs(state: State) -> tuple[str, ...]:
    """Players whose run a host has still to judge."""
    return tuple(p for need in needed(state).needed if need.decision.kind == "ruling" for p in need.decision.among)
