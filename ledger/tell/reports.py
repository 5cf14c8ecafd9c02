"""Reports: state -> view -> blocks -> text, for one audience. There is no other path from a match to a reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from events import Refused, Unreadable
from events.audiences import HOST_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Due, Fact, Game, Moment, ReportContext, Result, State, View
from games.kinds import BREAK, called, count, digits, meant, shown
from games.kit.blocks import Block, Text, When, text as say
from games.records import kebab, plain
from games.spans import HOUR, show_span
from games.table import Table, actions as shared, rounds
from games.table.facts import ChoiceMade, DeadlineMoved, DecisionOpened, PhaseBegan, Resumed
from games.table.report import declared_in_words, reason_lines
from games.table.rounds import LateAdmitted, RoundOpened, SheetSealed, all_rounds, gives_way, not_counted
from games.table.rules import able_opponents, facing
from games.table.state import OPPONENT, Decision
from ledger.core.clock import now_ms
from ledger.core.effective import as_effective
from ledger.core.match import Match
from ledger.core.replay import Fold, fold, ruled_on
from ledger.core.times import clock_change, read_time, show_clock, show_day, show_end, show_time
from ledger.render import render
from ledger.render.safe import SafeText
from ledger.tell.listing import in_words
from ledger.tell.outbox import to_send

# ---- a moment of the match, for one audience -------------------------------------------------------------------------


class Shown(NamedTuple):
    fold: Fold
    viewer: str


def at_point(
    match: Match, viewer: str, *, as_of: str | None = None, known: int | None = None, now: int | None = None
) -> Shown:
    """The match for an audience: as it is, as of a moment (with today's knowledge), or as known at an entry.

    Args:
        as_of: An entry number, `round:NAME` (when it was resolved), `now`, or a time. Derived ends up to that moment
            have happened.
        known: Use only lines 1 to `known`.
        now: The present instant for reading a typed time, ms; None to use the clock.

    Raises:
        Unreadable: there is no such entry or time.
    """
    if known is not None:
        if as_of is not None:
            raise Unreadable("command.usage", "--as-of and --known both say which point", "give one of them")
        match.check_entry(known)
        return Shown(fold(match.engine, match.book.entries[:known]), viewer)
    if as_of is None:
        return Shown(match.fold, viewer)
    number = digits(as_of.removeprefix("#"))
    if as_of.startswith("round:"):
        advice = "--as-of an entry number or a time"
        number = resolved_in(match, as_of.removeprefix("round:"), "--as-of ", advice)
    if number is not None:
        return Shown(_as_of_entry(match, number), viewer)
    now = now_ms() if now is None else now
    moment = Instant(now if as_of == "now" else read_time(as_of, now=now, zone=match.zone))
    folded = match.fold_until(lambda live: live.at > moment)
    state, _ = match.engine.pass_time(folded.state, Moment(moment, len(match.book.entries)))
    return Shown(folded._replace(state=state, last=moment), viewer)


def resolved_in(match: Match, name: str, command: str, otherwise: str) -> int:
    """The entry that resolved the round of that name.

    Raises:
        Unreadable: `as_of.round`. The fix is `command` with each resolved round, or `otherwise` if there is none.
    """
    verb = kebab(shared.Resolve)
    resolves = [o.entry for o in match.fold.outcomes if o.entry.do == verb and o.refusal is None]
    for live in resolves:
        if live.args["round"] == meant(name):
            return live.seq
    options = " or ".join(f"{command}round:{live.args['round'].removeprefix('round_')}" for live in resolves)
    raise Unreadable("as_of.round", f"no round {shown(name)} of this match is resolved", options or otherwise)


def _as_of_entry(match: Match, seq: int) -> Fold:
    match.check_entry(seq)
    live = {o.entry.seq: o.entry for o in match.fold.outcomes}
    if seq != 1 and seq not in live:
        entry = match.book.entries[seq - 1]
        why = "is an entry about another entry or a text" if entry.body.do in shared.META_VERBS else "is undone"
        what = f"entry {seq} {why}, so it has no place in the order of the match"
        raise Unreadable("as_of.entry", what, f"--known {seq}")
    if seq == 1:
        return match.fold_until(lambda later: True)
    place = match.fold.layout.place
    point = (live[seq].at, place(seq))
    return match.fold_until(lambda later: (later.at, place(later.seq)) > point)


def moment(match: Match, typed: str, viewer: str, now: int) -> Shown:
    """Read a point of the match: a value of `--as-of`, or `known:SEQ` for the match as known at an entry.

    Raises:
        Unreadable: there is no such entry, round or time.
    """
    if known_at := re.fullmatch(r"known:#?([0-9]{1,9})", typed.strip().lower()):
        return at_point(match, viewer, known=int(known_at[1]), now=now)
    try:
        return at_point(match, viewer, as_of=typed, now=now)
    except Unreadable as error:  # its fix writes the point as an option
        fix = re.sub(r"--known ([0-9]+)", r"known:\1", error.fix).replace("--as-of ", "")
        raise Unreadable(error.code, error.what, fix) from None


def why_so(match: Match, point: Shown) -> tuple[str, ...]:
    state = point.fold.state
    frame, result = match.frame(state, point.viewer), match.game.result(state, point.viewer)
    rows = [declared_in_words(frame, row) for row in result.declared or ()]
    lines = [*reason_lines(frame, result), *(f"Declared by the hosts: {line}" for line in rows)]
    return (*lines,) if lines else ("Nothing is decided yet that you may know.",)


def view_json(match: Match, point: Shown) -> dict[str, Any]:
    """`{"audience","view","result"}`. Source: docs/json.md."""
    view = plain(match.game.view(point.fold.state, point.viewer))
    return {"audience": point.viewer, "view": view, "result": result_json(match, point)}


def result_json(match: Match, point: Shown) -> dict[str, Any]:
    """The result, with the head and number of entries of the whole log for those who may know them.

    Hosts always may; others only for the present state of a finished match. For an earlier point, both would reveal how
    many entries were recorded since, which is a secret if the match was reopened.
    """
    result = plain(match.game.result(point.fold.state, point.viewer))
    over = point.fold is match.fold and result["status"] == "finished"
    if point.viewer == "host" or over:
        result.update(head=match.book.head, entries=len(match.book.entries))
    return result  # type: ignore[no-any-return]


def _draw(match: Match, point: Shown, draw: Callable[[ReportContext, View, Result], list[Block]]) -> list[Block]:
    state, viewer = point.fold.state, point.viewer
    return draw(match.frame(state, viewer), match.game.view(state, viewer), match.game.result(state, viewer))


def report(match: Match, point: Shown) -> list[Block]:
    """The game's report of the match for the audience. An end in it that has passed is over, recorded or not."""
    blocks, end = _draw(match, point, match.game.report), match.game.due(point.fold.state)
    if end is None or end > now_ms() or point.fold is not match.fold:
        return blocks
    whose = f"The time of {called(match.table.phase)}" if match.table.round else "Time"
    over = say(f"{whose} was up ", When(end), ", and what came of it follows.")
    return [over if isinstance(block, Text) and When(end) in block.spans else block for block in blocks]


def round_report(match: Match, point: Shown, name: str) -> list[Block]:
    """The report of a resolved round, as far as the audience may know it.

    Raises:
        Unreadable: `reveal.round`, no resolved round has that name.
    """
    state, viewer = point.fold.state, point.viewer
    blocks = match.game.round_report(match.frame(state, viewer), match.game.view(state, viewer), meant(name))
    if not blocks:
        raise Unreadable("reveal.round", f"no round {shown(name)} of this match is resolved", "hl reveal")
    return blocks


def death_match(match: Match, point: Shown) -> list[Block]:
    """Who plays the Death Match against whom, or who chooses it, as far as the audience may know. Source: S-1."""
    state, viewer = point.fold.state, point.viewer
    table, result = state.table, match.game.result(state, viewer)
    candidates = result.elimination
    if table.status != "finished" or table.void or len(candidates or ()) != 1 or len(table.present) < 3:
        return []
    (candidate,) = candidates
    opponent = table.choices.get((OPPONENT, candidate))
    chosen = None if opponent is None else ChoiceMade(candidate, opponent, OPPONENT)
    if chosen is None or not (viewer == HOST_VIEWER or match.game.known(state, chosen, viewer)):
        chooses = f"If there is a Death Match, {table.name(candidate)} chooses whom they face."
        known = table._replace(tokens=result.tokens or {}, elimination=candidates)  # who has a token may be hidden
        return [say(chooses)] if facing(known) else []
    return [say(f"Death Match: {table.named((candidate, chosen.choice))}.")]


def scores(match: Match, point: Shown) -> list[Block]:
    return _draw(match, point, match.game.scores)


def board(match: Match, point: Shown) -> list[Block]:
    return _draw(match, point, match.game.board)


def text(match: Match, blocks: list[Block], fmt: str, width: int | None = None) -> SafeText:
    """Blocks in one of the text formats; `width` is that of the terminal."""
    return render(blocks, fmt, match.zone, width)


def viewer_of(match: Match, typed: str | None, otherwise: str) -> str:
    """The audience named by `--for`.

    Raises:
        Unreadable: `audience.unknown`.
    """
    if typed is None:
        return otherwise
    try:
        return match.viewer(typed)
    except Unreadable as error:
        raise Unreadable("audience.unknown", error.what, "host, public or a player") from None


# ---- what hosts must do ----------------------------------------------------------------------------------------------

DECIDED_BY = {
    "token": "hl award PLAYER tokens 1, or hl declare token PLAYER N --note WHY",
    "elimination": "hl declare elimination PLAYER --note WHY",
}
"""Subject of a ruling -> the line that settles it; games may have other subjects."""


def must(match: Match, due: Due) -> str:
    name = match.table.name(due.who)
    if due.what == "gift":
        return f"{name} must give a token away"
    return f"{name} owes {'an' if due.what[0] in 'aeiou' else 'a'} {due.what}"


def _refusal(game: Game, state: Any, action: Any) -> Refused | None:
    """Why the rules refuse an action now; None also if only its draw is missing, which is made when it is typed."""
    try:
        game.decide(state, action, Moment(Instant(0), 0))
    except Refused as refusal:
        return None if refusal.code == "table.undrawn" else refusal
    return None


def not_open(game: Game, state: Any) -> tuple[str, str] | None:
    """Why play or the next round is not open yet, and the line to type; None if it is open or the match is over."""
    if (refusal := _refusal(game, state, shared.Open())) is None:
        return "play is not open yet", "hl open"
    return None if refusal.code.endswith(".opened") else (refusal.what, refusal.fix)


def _to_type(fix: str) -> tuple[str, ...]:
    """The lines of a fix that are commands."""
    return tuple(line for line in fix.splitlines() if line.startswith("hl "))


def _settled_by(game: Game, state: Any, decision: Decision) -> str:
    if decision.kind == "lot":
        refusal = _refusal(game, state, shared.Lot(decision.among, decision.among[0], ""))
        return refusal.fix if refusal else "hl lot"
    return DECIDED_BY.get(decision.about.partition(":")[0], "hl ruling TEXT")


def amends(fold: Fold, seq: int) -> str:
    """The line that corrects this entry, or one of those that were recorded with it, as hands are with a deal."""
    first, *_, last = (*fold.layout.batch(seq), seq)
    return f"hl amend N KEY=VALUE (N: one of {first} to {last})" if first < last else f"hl amend {seq} KEY=VALUE"


def next_steps(game: Game, state: Any, at: int, fold: Fold | None = None, now: int = 0) -> tuple[str, ...]:
    """The lines that a host may type next; NAME and other words in capitals stand for what only players can say.

    Args:
        fold: If given, a deal that the rules no longer allow is to be corrected, not to be made again.
        at: The present instant or that of an entry, ms. Of an end that has passed by then only the line that records it
            is left.
        now: The present instant, ms. What ended by then takes only what was sent before.
    """
    table, owing, end = state.table, game.waiting(state), game.due(state)
    if table.paused is not None:
        return ("hl resume",)
    if end is not None and end <= at:
        return (_recorded_by(table),)
    steps = list[str]()
    for decision in table.decisions:
        who = [due.who for due in owing if due.what == decision.noun and due.who in decision.who]
        late = " --at TIME" if decision.ends is not None and decision.ends <= now else ""
        named = [f"hl {decision.kind} {player} NAME{late} ({table.one_of(decision.among)})" for player in who]
        steps += named[:1] if decision.kind == "vote" else named
        steps += [_settled_by(game, state, decision)] if decision.kind in ("lot", "ruling") else []
    candidate = facing(table) if "elimination" in game.has and not steps else None
    if candidate is not None:
        if (opponent := table.choices.get((OPPONENT, candidate))) is None:
            return (f"hl choose {candidate} NAME ({table.one_of(able_opponents(table))}), if there is a Death Match",)
        about = f"{table.named((candidate, opponent))}; FILE: what hl template GAME prints, without its hosts and zone"
        return (f"hl new FOLDER --from FILE --after THIS --death-match ({about})",)
    if table.round and (table.round.closed is not None or not owing):
        refusal = _refusal(game, state, shared.Resolve(table.round.name))
        return _to_type(refusal.fix) if refusal else ("hl resolve",)
    waits = table.status in ("setup", "running") and not (table.round or table.ends)
    if waits and (closed := not_open(game, state)) is not None:
        contested = fold.contested if fold else ()
        same = [outcome.entry.seq for outcome in contested if closed[1] == f"hl {outcome.entry.do}"]
        return (amends(fold, same[0]),) if fold and same else _to_type(closed[1])
    asked = game.asks(state) if table.status == "running" else ""
    if "NAME" in asked and (silent := [*dict.fromkeys(due.who for due in owing)]):
        asked = asked.replace("NAME", silent[0]) if len(silent) == 1 else f"{asked} ({table.one_of(silent)})"
    is_reopened = table.round is not None and table.round.held and table.ends is None
    return (*steps, *([asked] if asked else []), *(["hl deadline WHEN"] if is_reopened else []))


def needs(match: Match, point: Shown) -> list[str]:
    if point.viewer != HOST_VIEWER:
        return []
    state, fold = point.fold.state, point.fold
    table = state.table
    lines = []
    if table.status == "setup" and (closed := not_open(match.game, state)) is not None:
        lines.append(closed[0])
    end, now = match.game.due(state), now_ms()
    if end is not None and end <= now:
        lines.append(passed(end, now, table))
    elif end is not None:
        lines.append(f"the next end comes in {show_span(end - now)}")
    for outcome in fold.contested:
        assert outcome.refusal is not None
        seq, do, what = outcome.entry.seq, outcome.entry.do, outcome.refusal.what
        settle = f'settle it: hl undo {seq}, {amends(fold, seq)}, or hl ruling --about {seq} "TEXT"'
        lines.append(f"the rules do not allow entry {seq} ({do}), so it changes nothing: {what}; {settle}")
        lines += [f"  (host only: {outcome.refusal.host_only})"] if outcome.refusal.host_only else []
    for replacement in match.judged().replaced:
        if not replacement.ruled:
            deed = f"{replacement.what} ({show_time(replacement.at, match.zone)})"
            lines.append(f"{deed}. Say why: hl ruling TEXT --about {replacement.seq}")
    lines += [f"a law is broken: {law}" for law in match.game.invariants(state)]
    ruled = ruled_on(fold.outcomes)
    lines += [line for seq, line in match.game.faulty(state) if seq not in ruled]
    lines += late_sheets(match, fold)
    over = ", but the end has passed" if end is not None and end <= now else ""
    lines += [f"{must(match, due)}{over}" for due in match.game.waiting(state)]
    for decision in table.decisions:
        if decision.kind == "lot":
            lines.append(f"a lot must decide: {_settled_by(match.game, state, decision)}")
        elif decision.kind == "ruling":
            lines.append(f"a host must decide on the {decision.about}: {_settled_by(match.game, state, decision)}")
    lines += to_send(match, now) if fold is match.fold else []
    if table.assumptions and table.status == "setup":
        rules = f"{count(number := len(table.assumptions), 'rule')} {'has' if number == 1 else 'have'}"
        lines.append(f"{rules} a default that nobody has confirmed: hl assumptions")
    return lines


def sheet_in_words(match: Match, seq: int) -> str:
    """A sheet with when it came: `#15, swap ann, Mon 2 Mar 09:12`."""
    at = as_effective(match.book.entries[seq - 1], match.fold.marks, match.fold.layout).at
    return f"{in_words(match, seq)}, {show_clock(at, match.zone)}"


def late_sheets(match: Match, fold: Fold, of: str = "", beside: LateAdmitted | None = None) -> Iterator[str]:
    """A line for each late sheet of a round on how to let it count; a resolve must be undone first. None for one before
    a sheet of its kind that counts, which would count all the same, and for one that says what counts already.

    Args:
        of: The name of the round; by default the present one.
        beside: Only those of the player whose sheet this lets in, without that one.
    """
    table, name = fold.state.table, of or fold.state.table.phase
    first = "" if table.round and table.round.name == name else "undo the resolve (hl log --kind resolve), then "
    for fact in not_counted(fold.facts, name):
        player, seq, sent = fact.player, fact.sheet.seq, all_rounds(fold.facts)[name]
        same = [one.content for one in rounds.counted(sent, player)] == [fact.sheet.content]
        moot = (same and fact.sheet.parts is None) or rounds.counts_instead(sent, seq) is not None
        if not moot and (beside is None or (player == beside.player and seq != beside.seq)):
            whose = f"{table.name(player)}'s sheet ({sheet_in_words(match, seq)})"
            yield f"{whose} came late and does not count. To let it count: {first}hl ruling admit {seq}"


def counts_instead(fold: Fold, seq: int) -> int | None:
    """The entry of the sheet that counts in the place of that of entry `seq`."""
    return next(filter(None, (rounds.counts_instead(of, seq) for of in all_rounds(fold.facts).values())), None)


def moved_sheets(match: Match, before: Fold, after: Fold) -> Iterator[str]:
    """A line for each sheet that counts for another round than before, or no longer, except by a ruling; and what else
    the rules say of it there."""
    was, now = (dict(_sheets(match, fold)) for fold in (before, after))
    rounds_now = all_rounds(after.facts)
    for seq, (fact, counts, said) in now.items():
        old, counted, _ = was.get(seq, (fact, counts, ()))
        if fact.round == old.round and (counts or not counted):
            continue
        sheet, table = in_words(match, seq), after.state.table
        not_for = f", not for {called(old.round)}" if fact.round != old.round else ""
        if not counts:
            on = table.round is not None and table.round.name == fact.round
            first = "" if on else "undo the resolve (hl log --kind resolve), then "
            yield (
                f"{sheet}: late for {called(fact.round)}{not_for}, so it does not count. "
                f"To let it count: {first}hl ruling admit {seq}"
            )
        else:
            newer, older = rounds.counts_instead(rounds_now[fact.round], seq), gives_way(rounds_now[fact.round], seq)
            instead = f"; #{newer} came after it and counts instead" if newer else ""
            instead = f", instead of #{older.seq}" if older and not newer else instead
            yield f"{sheet}: counts for {called(fact.round)}{not_for}{instead}"
        yield from (f"{sheet}: {line}" for line in said)


def overtaken_sheets(fold: Fold, seqs: Iterable[int]) -> Iterator[str]:
    """A line for each of these sheets, recorded late, in whose place a later one counts."""
    newer = (counts_instead(fold, seq) for seq in sorted(seqs))
    return (f"#{seq} came after it and counts instead" for seq in newer if seq)


def _sheets(match: Match, fold: Fold) -> Iterator[tuple[int, tuple[SheetSealed, bool, list[str]]]]:
    """(entry, (sheet, whether it counts or waits for no ruling, what else the rules said of it)), as they count."""
    late = {fact.sheet.seq for fact in not_counted(fold.facts)}
    for outcome in fold.outcomes:
        for fact in (fact for fact in outcome.facts if isinstance(fact, SheetSealed)):
            rest = (other for other in outcome.facts if other is not fact)
            said = [match.explain(fold.state, other).text for other in rest]
            yield fact.sheet.seq, (fact, fact.sheet.seq not in late, said)


# ---- ends ------------------------------------------------------------------------------------------------------------


def lines(facts: Iterable[Fact], game: Game, state: State, at: Instant) -> Iterator[str]:
    """A line for each end that was set or moved, one more if the clocks change before it, and one for each decision
    that has run out since."""
    zone = state.table.zone
    for fact in facts:
        if isinstance(fact, DecisionOpened) and fact.decision.key in state.table.closed:
            yield from _ran_out(fact.decision, state.table)
        for name, end in _ends(fact, game, state):
            if end is None:
                continue
            soon = f"in {show_span(end - at)}, " if 0 <= end - at < HOUR else ""
            was = getattr(fact, "was", None)
            before = "" if was is None else f", not {show_end(was, at, zone)}"
            yield f"{name} ends {soon}{show_end(end, at, zone)}{before}"
            if change := clock_change(at, end, zone):
                yield f"{name} ends at {show_clock(end, zone)[-5:]}, because {change}: {show_day(end, zone)}"


def _ran_out(decision: Decision, table: Table) -> Iterator[str]:
    """A sentence about a decision that a late entry opened, and that later entries left behind."""
    when = f" {show_end(decision.ends, decision.opened, table.zone)}" if decision.ends else ""
    voted = table.votes.get(decision.about, {}) if decision.kind == "vote" else {}
    silent = [player for player in decision.who if player not in voted]
    lapsed = ", so the spare token lapsed" if decision.kind == "gift" else ""
    if silent:
        what = f"the {decision.noun} ended{when}, and {table.named(silent)} named nobody{lapsed}"
        yield f"{what}. What was sent before: hl {decision.kind} {silent[0]} NAME --at TIME"


def passed(end: int, now: int, table: Table) -> str:
    """A sentence that says that an end has passed without an entry that records it, and which command records it."""
    ago = show_span(now - end)
    return f"the end passed {ago} ago; run {_recorded_by(table)}; what was sent before it: with --at TIME"


def _recorded_by(table: Table) -> str:
    if table.phase == BREAK:
        return f"hl close {BREAK}"  # `hl close` alone would end the next round
    return "hl resolve" if table.round else "hl close"


def phase_name(game: Game, state: State) -> str:
    """The name of what ends with the phase: the round, the break, trading, or in a game of turns a player's move."""
    table = state.table
    if table.round or table.phase == BREAK:
        return called(table.phase)
    turn = [] if table.decisions else [f"{table.name(due.who)}'s {due.what}" for due in game.waiting(state)]
    return turn[0] if turn else table.phase


def _ends(fact: Fact, game: Game, state: State) -> list[tuple[str, Instant | None]]:
    """The name and end of each phase, round or decision that a fact gives an end."""
    table = state.table
    match fact:
        case RoundOpened():
            return [(called(fact.round), fact.ends)]
        case PhaseBegan():
            return [(called(BREAK) if fact.phase == BREAK else fact.phase, fact.ends)]
        case DecisionOpened() if any(decision.key == fact.decision.key for decision in table.decisions):
            return [(f"the {fact.decision.noun}", fact.decision.ends)]
        case DeadlineMoved(about=None):
            still = fact.ends is None or table.kept_end(fact.at, fact.ends) == table.ends
            return [(phase_name(game, state) if still else "what was open then", fact.ends)]
        case DeadlineMoved(about=(kind, *_)):
            return [(f"the {'choice' if kind == 'choose' else kind}", fact.ends)]
        case Resumed():
            return [(phase_name(game, state), table.ends), *((f"the {d.noun}", d.ends) for d in table.decisions)]
    return []
