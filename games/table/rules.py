"""What follows from the verbs that every game shares, fair deals, and completion of their words."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

from events.audiences import PUBLIC_VIEWER, Audience
from events.errors import Refused, Unreadable
from events.instants import read_instant
from games.contract import AnyAction, Elapsed, Fact, Moment
from games.kinds import called, casefolded, count, listed, shown
from games.kit.luck import commitment
from games.records import kebab
from games.table import actions as a, facts as f, rounds
from games.table.facts import HOST_POWERS
from games.table.settings import amended, check
from games.table.state import BANK, OPPONENT, Decision, Round, Table, noun


def decide(table: Table, action: AnyAction, moment: Moment) -> list[Fact]:
    """The facts that follow from a shared verb.

    Raises:
        Refused: the rules forbid it; nothing has changed. `what` and `fix` are safe to forward to the player.
    """
    match action:
        case a.Seat():
            return [f.SeatTaken(action.player, action.garnets, action.aliases, action.channel or "")]
        case a.Alias():
            word = _one_line(casefolded(action.alias), "hl alias PLAYER NAME")
            _must_be_free(table, action.player, action.alias, "choose another spelling")
            return [f.AliasAdded(action.player, word)]
        case a.Commit() | a.Seed() | a.Word():
            return fairness(table, action, dealt=False)
        case a.Note():
            return [f.Remarked("note", "", action.text, action.about)]
        case a.Ruling():
            let_in = rounds.admit(table, action.text)
            return [*([let_in] if let_in else []), f.Remarked("ruling", "", action.text, action.about)]
        case a.Declare():
            return [_declared(table, action, moment)]
        case a.Reason():
            return [f.ReasonTold(action.text, action.about, action.private)]
        case a.Breach():
            return [f.Remarked("breach", action.player, "", None)]
        case a.Blank():
            return _blank(table, action, moment)
        case a.Penalty():
            fewer = f"hl penalty {action.player} --garnets N"
            taken = [transfer(table, action.player, BANK, action.garnets, "a penalty", HOST_POWERS, fewer)]
            return [f.Remarked("penalty", action.player, "", None), *(taken if action.garnets else [])]
        case a.Award(what="tokens"):
            return [_award_tokens(table, action.player, action.amount)]
        case a.Award() if action.amount < 0:
            fewer = f"hl award {action.player} garnets AMOUNT"
            return [transfer(table, action.player, BANK, -action.amount, "a host took them", HOST_POWERS, fewer)]
        case a.Award():
            return [f.Moved(BANK, action.player, action.amount, "a host's award", HOST_POWERS)]
        case a.Vote():
            decision = _decision_of(table, action)
            return [f.VoteCast(action.voter, action.candidate, decision.about)]
        case a.Gift():
            _decision_of(table, action)
            return [f.GiftNamed(action.player, action.receiver)]
        case a.Choose():
            decision = _decision_of(table, action)
            known = table.choices.get((decision.about, action.player)) == action.choice
            return [] if known else [f.ChoiceMade(*action, decision.about)]
        case a.Pause():
            if table.paused is not None:
                raise Refused("table.paused", "the clock is paused already", "hl resume")
            if table.status not in ("running", "deciding"):
                raise Refused("table.no_clock", "no clock is running that could be paused", "hl status")
            return [f.Paused(moment.at)]
        case a.Resume():
            if table.paused is None:
                raise Refused("table.not_paused", "the clock is running", "hl status")
            return [f.Resumed(moment.at - table.paused)]
        case a.Replace():
            if table.never_played(action.player):
                what = f"{table.name(action.player)} left before play began, so there is nothing to take over"
                raise Refused("replace.nothing", what, f"hl undo last drop {action.player} -n")
            _must_be_free(table, action.player, action.name, "add a letter to the name")
            _one_line(action.name, "hl replace PLAYER NAME")
            return [f.SeatReplaced(action.player, action.name, casefolded(action.name), table.name(action.player))]
        case a.Drop():
            must_be_here(table, action.player)
            return [f.PlayerLeft(action.player, moment.at, table.stage)]
        case a.Lot():
            return [_lot(table, action)]
        case a.Deadline():
            return _deadline(table, action.when, moment)
        case a.Close():
            return _close(table, action.phase or "", moment)
        case a.Reopen():
            return _reopen(table, action.phase or "", moment)
        case Elapsed():
            if table.round is not None:
                return [rounds.closed(table, moment.at)]
            reached = [d for d in table.decisions if d.ends is not None and d.ends <= moment.at]
            if not reached:  # a host set an end for a phase that has none by the rules
                return [f.PhaseEnded(table.phase, "its time is over")]
            return [f.DecisionClosed(d, True, "its time is over") for d in reached]
    raise Refused("table.not_here", f"this game has no {type(action).__name__.lower()}", "hl status\nhl --help")


def setting_amended(
    table: Table, action: a.AmendSetting, settings: type, visibility: Mapping[str, tuple[str, str]]
) -> f.SettingAmended:
    """A setting changes from now on. Source: S-11.

    Raises:
        Unreadable: the game has no such setting, or the setting cannot have this value.
    """
    check(settings, visibility, amended(table.settings, action.key, action.value), table.players)
    return f.SettingAmended(action.key, action.value)


BACK_A_ROUND = "undo the entry that ended the round before, amend the setting, then redo it; hl log shows its number"


def rounds_over(action: a.AmendSetting) -> Refused:
    """The refusal to change the number of rounds once they are over. Source: S-11."""
    return Refused("table.rounds", f"the rounds are over, so there cannot be {action.value}", BACK_A_ROUND)


def transfer(table: Table, src: str, to: str, garnets: int, why: str, rule: str, fix: str = "") -> f.Moved:
    """Move whole garnets between two purses; the sum stays the same. The bank alone may go below zero. Source: S-6.

    Args:
        fix: The line that takes fewer. Without it hosts are offered to set the purse.
    """
    if src != BANK and table.garnets(src) < garnets:
        raise not_enough(table, src, garnets, fix or f"hl override {src} garnets N")
    return f.Moved(src, to, garnets, why, rule)


def not_enough(table: Table, player: str, garnets: int, fix: str) -> Refused:
    """The refusal to take more garnets than a purse holds; only the host reads how many those are."""
    what = f"{table.name(player)} does not hold {count(garnets, 'garnet')}"
    host_only = f"{table.name(player)} holds {count(table.garnets(player), 'garnet')}"
    return Refused("table.not_enough_garnets", what, fix, host_only)


def set_garnets(table: Table, player: str, garnets: int, why: str = "a host set them") -> list[Fact]:
    """The transfer to or from the bank after which `player` holds exactly `garnets` (>= 0)."""
    change = garnets - table.garnets(player)
    if change == 0:
        return []
    src, to = (BANK, player) if change > 0 else (player, BANK)
    return [f.Moved(src, to, abs(change), why, HOST_POWERS)]


def _must_be_free(table: Table, player: str, name: str, fix: str) -> None:
    owner = table.directory().spelled().get(casefolded(name), player)
    if owner != player:
        raise Refused("table.alias_taken", f"{name} already means {table.name(owner)}", fix)


def _award_tokens(table: Table, player: str, change: int) -> Fact:
    """Give or take tokens for a host: spare ones first, then the one that is kept, then lapsed ones.

    Tokens that were given away stay where they are. The next award first gives back the kept one.
    """
    held, lapsed = table.tokens.get(player, 0), table.lapsed.get(player, 0)
    if change >= 0:
        return f.TokensGranted(player, change, min(change, table.taken.get(player, 0)))
    if held + lapsed + change < 0:
        name = table.name(player)
        what = f"{name} does not hold {count(-change, 'token')}"
        host_only = f"{name} holds {count(held, 'token')}" + (f", and {lapsed} more lapsed" if lapsed else "")
        fix = f"hl declare token {player} 0 --note WHY"
        raise Refused("table.not_enough_tokens", what, fix, host_only)
    spare = max(0, held - 1) if table.status in ("deciding", "finished") else held
    kept = min(held - spare, max(0, -change - spare))
    return f.TokensGranted(player, change, -kept, max(0, -change - held))


def must_be_here(table: Table, *players: str) -> None:
    """Refuse an action of a player who has left. Source: S-G3."""
    for player in players if table.left else ():
        if player in table.left:
            to_others = not (table.never_played(player) or table.missed(player))
            fix = way_back(table, player) + (f"\nhl replace {player} NAME" if to_others else "")
            raise Refused("table.left", f"{table.name(player)} has left the match", fix)


def way_back(table: Table, player: str) -> str:
    """The line by which somebody who left plays again: the undo, unless a phase has ended without them since. Then they
    take over the seat that was theirs."""
    if table.missed(player):
        return f"hl replace {player} {quote(table.name(player))}"
    return f"hl undo last drop {player} -n"


def on_now(table: Table, *players: str) -> Round:
    """The current round, for a verb that acts at once; all `players` must be present.

    Raises:
        Refused: `table.left`, `sealed.no_round`, `sealed.closed`.
    """
    must_be_here(table, *players)
    round_ = rounds.taking(table)
    if round_.closed is not None:
        raise Refused("sealed.closed", f"{called(round_.name)} has ended", "hl resolve")
    return round_


def able_opponents(table: Table) -> tuple[str, ...]:
    """The opponents whom the Elimination Candidate may choose: no token, and not left. Source: S-1."""
    return tuple(p for p in table.present if p not in table.elimination and table.tokens.get(p, 0) < 1)


def facing(table: Table) -> str | None:
    """The player who chooses an opponent: the only Elimination Candidate, once the match is over. Source: S-1."""
    over = table.status == "finished" and not table.void
    alone = over and len(table.elimination) == 1 and table.elimination[0] not in table.left and able_opponents(table)
    return table.elimination[0] if alone else None


def _one_line(name: str, fix: str) -> str:
    if not 0 < len(name) <= 64 or "\n" in name:
        raise Refused("table.name", "a name is one line of 1 to 64 characters", fix)
    return name


def _decision_of(table: Table, action: a.Vote | a.Gift | a.Choose) -> Decision:
    """The open decision in which that player may name that one."""
    verb, (player, named), (_, field) = kebab(type(action)), action, action._fields
    must_be_here(table, player)
    of_kind = [d for d in table.decisions if d.kind == verb]
    if verb == "choose" and not of_kind and (candidate := facing(table)) is not None:
        of_kind = [Decision("choose", (candidate,), able_opponents(table), OPPONENT)]
    mine = [d for d in of_kind if player in d.who]
    if not mine:  # players may not know whether one is open for others
        what, fix = f"{table.name(player)} has no {noun(verb)} now", "add --at TIME if it was sent while one was open"
        may = table.named(p for d in of_kind for p in d.who)
        host_only = f"{may} may" if of_kind else f"no {noun(verb)} is open now"
        raise Refused(f"table.no_{verb}", what, f"{fix}\nhl status", host_only)
    decision = mine[0]
    if named not in decision.among:
        host_only = f"it can be {table.one_of(decision.among)}"
        raise Refused(f"table.{verb}_candidate", f"the {field} cannot be {table.name(named)}", "hl status", host_only)
    return decision


def _lot(table: Table, action: a.Lot) -> Fact:
    among = action.among
    if action.outcome is None:
        raise Refused("table.lot_undrawn", "a lot must be recorded with its outcome", "hl lot")
    open_lots = [d for d in table.decisions if d.kind == "lot" and (not among or set(d.among) == set(among))]
    if not among and not open_lots:
        raise Refused("table.no_lot", "no lot is needed now", "hl lot PLAYER PLAYER")
    about, among = (open_lots[0].about, open_lots[0].among) if open_lots else ("", among)
    if action.outcome not in among:
        what = f"{table.name(action.outcome)} is not in this lot"
        raise Refused("table.lot_outcome", what, "hl lot", f"it is among {table.named(among)}")
    return f.LotDrawn(about, among, action.outcome)


def _deadline(table: Table, typed: str, moment: Moment) -> list[Fact]:
    """Move the present end; no facts if it is there already, so two hosts' equal `+6h` are one extension."""
    try:
        when = read_instant(typed)
    except ValueError as error:
        raise Unreadable("time.unreadable", str(error), "hl deadline WHEN") from None
    if when <= moment.at:
        raise Refused("table.deadline_past", "the new end is already past", "hl close -n")
    timed = must_have_end(table)
    was = table.end_at(moment.at)
    if when == was:
        return []
    late = rounds.admit_all(table.round) if timed is None and table.round is not None else []
    return [f.DeadlineMoved(when, timed.key if timed else None, moment.at, was), *late]


def must_have_end(table: Table) -> Decision | None:
    """The decision whose end can be moved; None: the phase. Raises `Refused` if nothing open can end."""
    timed = table.timed()
    if timed is None and table.status != "running":
        raise Refused("table.no_deadline", "nothing is open, so nothing can end", "hl reopen -n")
    return timed


def _close(table: Table, kind: str, moment: Moment) -> list[Fact]:
    if table.round is not None:
        return rounds.close(table, kind, moment)
    decisions = [d for d in table.decisions if d.kind == kind]
    if not decisions and kind not in table.past:
        if table.status == "setup":
            raise Refused("table.nothing_to_close", "play is not open yet, so nothing can be closed", "hl open")
        on = [f"the {decision.noun}" for decision in table.decisions]  # not everybody may know of it
        what = f"{shown(kind)} cannot be closed: {'it is not on' if on else f'what is on is {table.phase}'}"
        what = what if kind else "no phase is open now"
        what = "the match is over: nothing is open" if table.status == "finished" else what
        raise Refused("table.nothing_to_close", what, "hl status", f"what is on is {listed(on)}" if on else "")
    return [f.DecisionClosed(d, True, "a host ended it") for d in decisions]


def _reopen(table: Table, kind: str, moment: Moment) -> list[Fact]:
    if table.round is not None or kind in table.resolved:
        return rounds.reopen(table, kind, moment)
    if kind not in table.past:
        raise Refused("table.nothing_to_reopen", f"no {kind or 'phase'} has ended yet", "hl status")
    if kind not in ("vote", "gift", "choose", "lot"):
        raise Refused("table.cannot_reopen", f"you cannot go back into {kind}", back_into(kind))
    return [f.Reopened(kind)]


def back_into(phase: str) -> str:
    """The line that shows what it does to take back the end of a phase that is not reopened."""
    ended_by = {"pregame": "open", "match": "close", "play": "deadline"}.get(phase)  # `play`: its time was over
    return f"hl undo last {ended_by} -n" if ended_by else "hl log"


TAKE_BACK = "hl log --kind declare"
"""Not the number of the entry, which counts earlier entries: a refusal may be forwarded."""
VOID_STILL = (a.Declare, a.Reason, a.Note, a.Ruling, a.Breach, a.Alias, a.Award, a.Penalty, a.Replace, a.Drop)
"""The shared verbs that still mean something in a void match."""


def must_count(table: Table, action: AnyAction) -> None:
    """Refuse to go on with a void match.

    Raises:
        Refused: `table.void`.
    """
    if table.void and not isinstance(action, VOID_STILL):
        what = "the match was declared void, so it does not go on"
        raise Refused("table.void", what, TAKE_BACK)


def _declared(table: Table, action: a.Declare, moment: Moment) -> Fact:
    """Declare a result, which overrules the rules from the end of the match on, until it is undone."""
    void = table.declares("void")
    if void is not None:
        raise Refused("table.void", "the match was declared void already", TAKE_BACK)
    fits = {
        "elimination": action.tokens is None,
        "token": len(action.players) == 1 and action.tokens is not None,
        "winner": bool(action.players) and action.tokens is None,
        "void": not action.players and action.tokens is None,
    }
    if not fits[action.kind] or len(set(action.players)) < len(action.players):
        raise Refused("table.declared", f"that is not how {action.kind} is declared", f"hl {a.DECLARES[action.kind]}")
    if strange := [p for p in action.players if p not in table.players]:
        what = f"{table.named(strange)} does not play in this match"
        raise Refused("declare.outsider", what, f"hl {a.DECLARES[action.kind]}")
    return f.Declared(action.kind, action.players, action.tokens, moment.seq)


def _blank(table: Table, action: a.Blank, moment: Moment) -> list[Fact]:
    must_be_here(table, action.player)
    if table.round is not None or (action.round and action.round != a.VOTE):
        rounds.taking(table, action.round)
        return [rounds.seal(table, action.player, None, moment, "blank")]
    mine = [d for d in table.decisions if d.kind == "vote" and action.player in d.who]
    if not mine:
        what = f"{table.name(action.player)} owes nothing now, so there is nothing to leave out"
        raise Refused("table.nothing_owed", what, "hl waiting")
    return [f.Abstained(action.player, d.about) for d in mine]


MAX_WORDS = 500
"""The most word entries of all players: a deal names the line of each, and a line of the log has 65,536 bytes."""


TOO_LATE = "a commitment is made before the first deal and before play begins, so it is too late for one"


def fairness(table: Table, action: a.Commit | a.Seed | a.Word, *, dealt: bool) -> list[Fact]:
    """A commitment first, then words, then the deal, so that nobody who knows one can choose another.

    Words that another copy of the log brings after the deal are kept but are not in it; `prepare` refuses new ones.
    Source: docs/decisions/0032.
    """
    match action:
        case a.Word() if dealt or table.status != "setup":
            return [f.WordLate(action.player)]
        case a.Word():
            if table.words >= MAX_WORDS:
                raise Refused("table.words_many", f"{MAX_WORDS} words are in the deal; it takes no more", "hl deal")
            return [f.WordAdded(action.player, action.text)]
        case a.Commit():
            if dealt or table.status != "setup":
                raise Refused("table.commit_late", TOO_LATE, "hl status")
            if table.commitment is not None:
                raise Refused("table.committed", "there is a commitment already", "hl word PLAYER TEXT")
            if action.commitment is None:
                raise Refused("table.commit_empty", "a commitment must be recorded with its hash", "hl commit")
            return [f.Committed(action.commitment)]
        case a.Seed():
            if commitment(table.game_id, bytes.fromhex(action.seed)) != table.commitment:
                raise Refused("table.seed_other", "this seed is not the one that was committed to", "hl verify")
            return [f.SeedKept(action.seed)]


def replaced(action: AnyAction, audience: Audience, *, fixed: bool) -> f.DrawReplaced:
    """The fact that an action replaces what was published or drawn first. Source: docs/decisions/0057.

    Args:
        audience: Who may open its entry. That there was a deal everybody knows.
        fixed: Is there a commitment that fixes such draws?
    """
    if isinstance(action, a.Commit):
        return f.DrawReplaced("commitment")
    hidden = not isinstance(action, a.Deal) and not audience.admits(PUBLIC_VIEWER, ended=True)
    if "commitment" in action._fields and action.commitment is not None:
        return f.DrawReplaced("deal", hidden)
    if "commitment" in action._fields and action.seed is None:
        return f.DrawReplaced("cards", hidden)
    return f.DrawReplaced("newer" if fixed else "again", hidden)


ASKED_OF: Mapping[tuple[type, str], tuple[str, str]] = {
    (a.Vote, "voter"): ("vote", "who"),
    (a.Vote, "candidate"): ("vote", "among"),
    (a.Gift, "player"): ("gift", "who"),
    (a.Gift, "receiver"): ("gift", "among"),
    (a.Choose, "player"): ("choose", "who"),
    (a.Choose, "choice"): ("choose", "among"),
    (a.Lot, "among"): ("lot", "among"),
    (a.Lot, "outcome"): ("lot", "among"),
}
"""A field -> the kind of open decision it belongs to, and which of its players to suggest."""


def suggest(table: Table, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words to suggest for a field of a shared verb, given the fields before it. Empty: none."""
    if (place := ASKED_OF.get((action, field))) is not None:
        kind, side = place
        pending = [d for d in table.decisions if d.kind == kind]
        return tuple(dict.fromkeys(p for d in pending for p in (d.who if side == "who" else d.among)))
    if action is a.Close:
        return tuple(dict.fromkeys([*(d.kind for d in table.decisions), table.phase]))
    if action is a.Reopen:
        return tuple(dict.fromkeys(name for name in reversed(table.past) if name != "pregame"))
    return ()
