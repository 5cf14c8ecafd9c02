"""Sealed rounds: each player has one sheet a round, secret until all are resolved, replaceable until the deadline.

In some games a sheet that breaks a rule is refused and the earlier one stays; in others every sheet is kept and its bad
items are blank. What belongs here: which sheet counts; opening, closing, reopening and resolving a round; admitting
late sheets; who still owes one. What does not: the order of the rounds, what is on a sheet and what follows from it.
Source: season S-9, S-10, S-G1, S-G3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, TypeVar

from events.errors import Refused, Unreadable
from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, OWN, Action, AnySheet, Due, Fact, Moment, News, State, fact
from games.kinds import BREAK, TEXT_LIMIT, Player, called, shown, upper
from games.kit.blocks import When
from games.records import ABSENT
from games.spans import SECOND, Length, span
from games.table import actions as a, facts as f
from games.table.state import Round, Submission, Table

Standing: TypeAlias = Literal["submitted", "blank", "silent"]
A = TypeVar("A", bound=Action)
_ADMIT = r"(?s)(admit\s+#?)([0-9]{1,9})(\b.*)"


# ---- facts ---------------------------------------------------------------------------------------------------------


@fact("season S-9", line=COURSE)
class RoundOpened(NamedTuple):
    """A phase that takes submissions begins at `at` and lasts until `ends`, or until a host closes it."""

    round: str
    at: Instant
    ends: Instant | None

    def host(self, state: State) -> str:
        return f"{called(self.round)} begins"

    def public(self, state: State) -> News:
        until = (" It ends ", When(self.ends), ".") if self.ends else ()
        return (f"{upper(called(self.round))} is open.", *until)

    def evolve(self, table: Table) -> Table:
        began = table.begun(self.round, self.at, self.ends)
        return began._replace(status="running", round=Round(self.round, self.at))


@fact("season S-9, S-G1", line=OWN)
class SheetSealed(NamedTuple):
    """A sheet, a blank or a withdrawal came in. Only the player and the hosts know what it says."""

    player: Player
    sheet: Submission
    round: str

    def host(self, state: State, on_it: str = "", off_it: str = "") -> str:
        """A submission in words.

        Args:
            on_it: What is on the sheet now.
            off_it: What an addition replaced or took off.
        """
        name, sheet, on = state.table.name(self.player), self.sheet, state.table.round
        waits = on is not None and on.name == self.round and sheet.seq not in on.admitted
        late = f"; late{f': hl ruling admit {sheet.seq}' if waits else ''}" if sheet.late else ""
        round_ = called(self.round)
        whose = f"{name}'s sheet for {round_}"
        instead = _instead(on, self)
        if sheet.kind == "blank":
            return f"{name} submits nothing for {round_}, on purpose{instead}{late}"
        if sheet.kind == "withdrawn":
            return f"{whose} is taken back{late}"
        if sheet.parts is None:
            return f"{whose}{f': {on_it}' if on_it else ' is in'}{instead}{late}"
        now = " with it" if sheet.late else " now" if on is not None and on.name == self.round else ""
        off = f"; no longer: {off_it}" if off_it else ""
        return f"{'' if now else 'added to '}{whose}{now}: {on_it}{instead}{off}{late}"

    def owner(self, state: State, viewer: str, whole: str = "") -> str:
        """A submission read back to its player; `whole` is all that is on the sheet now."""
        where, on = called(self.round), state.table.round
        waits = self.sheet.late and (on is None or self.sheet.seq not in on.admitted)
        late = f" It came after {where} had closed and counts only if a host rules so." if waits else ""
        if whole and self.sheet.content is not None:
            return f"Your sheet for {where}: {whole}.{late}"
        if self.sheet.kind == "blank":
            replaces = " It replaces your sheet before it." if "instead" in _instead(state.table.round, self) else ""
            return f"You submit nothing for {where}.{replaces}{late}"
        return f"Your sheet for {where} is {'in' if self.sheet.kind == 'sheet' else 'taken back'}.{late}"

    def evolve(self, table: Table) -> Table:
        return table._replace(round=self.into(_running_round(table)))

    def into(self, round_: Round) -> Round:
        return round_.with_sheet(self.player, self.sheet)


@fact("season S-G1", line=OWN)
class LateAdmitted(NamedTuple):
    """A late sheet counts after all, by a ruling or because the end was moved past it."""

    player: Player
    seq: int
    round: str
    by: Literal["ruling", "end"] = "ruling"

    def host(self, state: State) -> str:
        moved = f": its end was moved (entry {self.seq})" if self.by == "end" else ""
        sheet = f"the late sheet of {state.table.name(self.player)}"
        if newer := self._newer(state):
            return f"{sheet} (entry {self.seq}) does not count: #{newer} came after it and counts instead"
        return f"{sheet} counts in {called(self.round)}{_instead(state.table.round, self)}{moved}"

    def owner(self, state: State, viewer: str, whole: str = "") -> News:
        """Which late sheet counts; with `whole`, all that is on it, for a player who has sent several."""
        if self._newer(state):
            return None
        moved, on = ": its end was moved" if self.by == "end" else "", state.table.round
        several = sum(sheet.late for sheet in on.sheets.get(self.player, ())) > 1 if on is not None else False
        says = f" It says: {whole or 'nothing, on purpose'}." if several else ""
        return f"Your late sheet for {called(self.round)} counts{moved}.{says}"

    def _newer(self, state: State) -> int | None:
        own = (on for on in (state.table.round, state.table.last) if on is not None and on.name == self.round)
        return next((counts_instead(on, self.seq) for on in own), None)

    def evolve(self, table: Table) -> Table:
        return table._replace(round=self.into(_running_round(table)))

    def into(self, round_: Round) -> Round:
        return round_.with_admitted(self.seq)


@fact("season S-9", line=OWN, told_only=True)
class SheetDropped(NamedTuple):
    """A whole sheet replaced another, and lacks these items of it."""

    player: Player
    round: str
    items: tuple[str, ...]
    seq: int
    """The entry of the new sheet."""
    adds: bool
    """Could the new sheet have been recorded as an addition?"""

    def host(self, state: State) -> str:
        name, round_ = state.table.name(self.player), called(self.round)
        instead = "a new sheet replaces the old one"
        if self.adds:
            instead = f"to add to the old sheet: hl amend {self.seq} add=true"
        return f"no longer on {name}'s sheet for {round_}: {'; '.join(self.items)}; {instead}"

    def owner(self, state: State, viewer: str) -> str:
        return f"It replaces your sheet before it. No longer on your sheet: {'; '.join(self.items)}."


@fact("season S-9, S-G1")
class SubmissionsClosed(NamedTuple):
    """The deadline has passed, or a host closed: what comes later is late. `garnets` are those of each player then."""

    round: str
    at: Instant
    garnets: tuple[tuple[str, int], ...]

    def host(self, state: State) -> str:
        return f"{called(self.round)} takes no more sheets"

    def evolve(self, table: Table) -> Table:
        round_ = _running_round(table)._replace(closed=self.at, held=dict(self.garnets))
        return table._replace(round=round_, ends=None)


@fact("season S-9", line=COURSE)
class RoundResolved(NamedTuple):
    round: str

    def host(self, state: State) -> str:
        return f"{called(self.round)} is resolved"

    def public(self, state: State) -> str:
        return f"{upper(called(self.round))} is resolved."

    def evolve(self, table: Table) -> Table:
        past, resolved = (*table.past, self.round), (*table.resolved, self.round)
        return table._replace(round=None, last=table.round, ends=None, past=past, resolved=resolved)


SEALED_FACTS: tuple[type, ...] = (
    RoundOpened, SheetSealed, SheetDropped, LateAdmitted, SubmissionsClosed, RoundResolved
)  # fmt: skip


def _running_round(table: Table) -> Round:
    assert table.round is not None, "a round is on"
    return table.round


def _instead(on: Round | None, fact: SheetSealed | LateAdmitted) -> str:
    """Which entry this sheet takes the place of, the last of its kind that counted; of a late one and of an addition,
    which it repeats."""
    if on is None or on.name != fact.round:
        return ""
    seq = fact.seq if isinstance(fact, LateAdmitted) else fact.sheet.seq
    if is_late := isinstance(fact, SheetSealed) and fact.sheet.late:
        on = on._replace(admitted=frozenset(sheet.seq for sheet in on.sheets.get(fact.player, ())))
    _, sheet, _ = _around(on, seq)
    last = gives_way(on, seq)
    if sheet is None or last is None:
        return ""
    same, whole = is_same(last, sheet), sheet.parts is None and not is_late
    return f" ({'the same as' if same else 'instead of'} #{last.seq})" if same or whole else ""


def same_kind(first: Submission, second: Submission) -> bool:
    """Whether one takes the place of the other. A blank does of every sheet without `outlasts_blank`."""
    if None in (first.content, second.content):
        return not any(getattr(sheet.content, "outlasts_blank", False) for sheet in (first, second))
    return type(first.content) is type(second.content)


# ---- which sheet counts --------------------------------------------------------------------------------------------


def is_late(round_: Round, grace_seconds: Length, at: Instant) -> bool:
    """Did it come after the deadline and its grace? Intervals are half-open. Source: S-G1."""
    return round_.closed is not None and at >= round_.closed + span(grace_seconds, SECOND)


def admit_all(round_: Round) -> list[LateAdmitted]:
    """Admit every late sheet, because the end was moved past it. Source: S-G1."""
    return [
        LateAdmitted(player, sheet.seq, round_.name, "end")
        for player, sheets in round_.sheets.items()
        for sheet in sheets
        if sheet.late and sheet.seq not in round_.admitted
    ]


def counted(round_: Round, player: str) -> tuple[Submission, ...]:
    """The sheets of a player that came in time or were admitted, in order."""
    return tuple(s for s in round_.sheets.get(player, ()) if not s.late or s.seq in round_.admitted)


def current_sheet(round_: Round, player: str) -> Submission | None:
    """The sheet that counts: the last whole one of `counted`, with later additions.

    A withdrawal removes the earlier sheet. An addition to nothing is a whole sheet.
    """
    current: Submission | None = None
    for sheet in counted(round_, player):
        if sheet.kind == "withdrawn":
            current = None
        elif sheet.parts is None or current is None or current.content is None:
            current = sheet
        else:
            added = {name: getattr(sheet.content, name) for name in sheet.parts}
            current = sheet._replace(content=current.content._replace(**added))
    return current


def counts_instead(round_: Round, seq: int) -> int | None:
    """The entry of the sheet that counts in the place of that of entry `seq`: the last whole one of its kind after it;
    of an addition, also the one after which nothing of it is left. Source: S-9, S-G1."""
    _, this, later = _around(round_, seq)
    parts = {*(this.parts or ())} if this else set()
    newer, rest = None, parts
    for sheet in later:
        if this is not None and None in (sheet.parts, this.content):
            return counts_instead(round_, sheet.seq) or sheet.seq
        if parts & {*(sheet.parts or ())}:
            newer, rest = sheet.seq, rest - {*(sheet.parts or ())}
    return None if rest else newer


def gives_way(round_: Round, seq: int) -> Submission | None:
    """The sheet in whose place that of entry `seq` counts; of an addition, only if it replaces something of it."""
    earlier, this, _ = _around(round_, seq)
    for old in earlier[::-1]:
        if this is None or old.kind == "withdrawn":
            break
        parts = {*(this.parts or ())}.intersection(old.parts or this.parts or ())
        if this.parts is None or is_same(old, this) or any(getattr(old.content, part, None) for part in parts):
            return old
    return None


def _around(round_: Round, seq: int) -> tuple[list[Submission], Submission | None, list[Submission]]:
    """The sheet of entry `seq`, between those of its player and kind that count before and after it."""
    for player, sheets in round_.sheets.items():
        for place, this in enumerate(sheets):
            if this.seq == seq:
                own = [sheet for sheet in counted(round_, player) if same_kind(sheet, this)]
                return [s for s in own if s in sheets[:place]], this, [s for s in own if s in sheets[place + 1 :]]
    return [], None, []


def is_same(first: Submission, second: Submission) -> bool:
    return (first.content, first.kind, first.parts) == (second.content, second.kind, second.parts)


def up_to(round_: Round, player: str, seq: int | None = None) -> Round:
    """The round with a player's sheets only up to entry `seq` (None: all); the last of them counts even if late."""
    sheets = round_.sheets.get(player, ())
    kept = sheets[: next((i for i, sheet in enumerate(sheets, 1) if sheet.seq == seq), len(sheets))]
    last = frozenset(sheet.seq for sheet in kept[-1:])
    return round_._replace(sheets={**round_.sheets, player: kept}, admitted=round_.admitted | last)


def before(round_: Round, player: str, seq: int) -> Round:
    """The round with only those sheets of a player that came before entry `seq`."""
    sheets = round_.sheets.get(player, ())
    kept = sheets[: next((i for i, sheet in enumerate(sheets) if sheet.seq == seq), len(sheets))]
    return round_._replace(sheets={**round_.sheets, player: kept})


def content(round_: Round, player: str) -> AnySheet:
    """What is on the current sheet of a player; None for a blank or no sheet."""
    sheet = current_sheet(round_, player)
    return None if sheet is None else sheet.content


def contents(round_: Round) -> dict[str, AnySheet]:
    """Player -> what is on their current sheet, without blanks; sorted by id, as the order of arrival is secret."""
    return {p: sheet for p in sorted(round_.sheets) if (sheet := content(round_, p)) is not None}


def entry_of(sent: Mapping[int, Sequence[Fact]], fact: Fact) -> int:
    """The last entry of `sent` (entry -> what is wrong with it alone, in order) that has this fault, else the last."""
    return ([seq for seq, faults in sent.items() if fact in faults] or [*sent])[-1]


def standing(round_: Round, player: str) -> Standing:
    """Has the player submitted, said that nothing will come, or been silent?"""
    sheets = counted(round_, player)
    if not sheets or sheets[-1].kind == "withdrawn":
        return "silent"
    return "blank" if sheets[-1].kind == "blank" else "submitted"


def all_rounds(facts: Iterable[Fact]) -> dict[str, Round]:
    """Round -> its sheets and which late ones of them count, from the `facts` of a whole match, in order."""
    found = dict[str, Round]()
    for event in facts:
        if isinstance(event, (SheetSealed, LateAdmitted)):
            found[event.round] = event.into(found.get(event.round, Round(event.round, Instant(0))))
    return found


def not_counted(facts: Iterable[Fact], name: str | None = None) -> list[SheetSealed]:
    """The late sheets of a round (None: of all) that do not count, in the order of `facts`, those of a whole match."""
    both = (fact for fact in facts if isinstance(fact, (SheetSealed, LateAdmitted)))
    of_round = [fact for fact in both if name is None or fact.round == name]
    counts = {fact.seq for fact in of_round if isinstance(fact, LateAdmitted)}
    sheets = (fact for fact in of_round if isinstance(fact, SheetSealed))
    return [fact for fact in sheets if fact.sheet.late and fact.sheet.seq not in counts]


# ---- the course of a round -----------------------------------------------------------------------------------------


BACK = "hl undo last resolve -n"
"""Back into the round that was resolved last."""


def taking(table: Table, sent_for: str = ABSENT) -> Round:
    """The current round.

    Args:
        sent_for: The round that a sheet names; absent in old logs, where the current one is meant.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_this_round`.
    """
    if table.round is None:
        before = table.status == "setup"
        what = "sheets are not taken yet" if before else "sheets are no longer taken"
        if table.phase == BREAK:
            what = "it is the break between two rounds; sheets are taken again when the next round opens"
        fix = "add --at TIME if it was sent while a round was open\nhl status"
        fix += f"\n{BACK}" if table.resolved and table.phase != BREAK else ""
        raise Refused("sealed.no_round", what, "hl open" if before else fix)
    if sent_for and sent_for != table.round.name:
        fix = "hl log --kind resolve" if sent_for in table.past else "hl resolve --at TIME"
        raise _not_this_round(table.round, called(sent_for), fix)
    return table.round


def _not_this_round(round_: Round, wanted: str, fix: str) -> Refused:
    return Refused("sealed.not_this_round", f"{called(round_.name)} is on, not {wanted}", fix)


def addressed(table: Table, action: A) -> A:
    """Fill in the field `round` of an action: the current round, or `VOTE` for a blank in a vote.

    An action without that field, or with a value in it, is unchanged. Source: decision 0025.
    """
    if getattr(action, "round", None) is not ABSENT:
        return action
    if table.round is not None:
        return action._replace(round=table.round.name)
    voting = isinstance(action, a.Blank) and any(d.kind == "vote" and action.player in d.who for d in table.decisions)
    return action._replace(round=a.VOTE) if voting else action


def seal(
    table: Table,
    player: str,
    content: AnySheet,
    moment: Moment,
    kind: Literal["sheet", "blank", "withdrawn"] = "sheet",
    parts: tuple[str, ...] | None = None,
) -> SheetSealed:
    """The fact of a submission, late or in time. The caller has checked that the player may submit in this round.

    The fact says which round it is for and whether it is an addition, so both are cleared in the kept content.
    """
    round_ = taking(table)
    said_elsewhere: dict[str, object] = {"round": ABSENT, "add": False}
    if content is not None:
        content = content._replace(**{name: said_elsewhere[name] for name in said_elsewhere if hasattr(content, name)})
    late = is_late(round_, table.settings["grace_seconds"], moment.at)
    return SheetSealed(player, Submission(moment.seq, moment.at, content, kind, late, parts), round_.name)


def admit(table: Table, text: str) -> LateAdmitted | None:
    """The fact of a ruling `admit SEQ`; None for any other ruling. Source: S-G1.

    Raises:
        Refused: `sealed.not_late`, the current round has no such late sheet.
    """
    seq, round_ = let_in(text), table.round
    if seq is None:
        return None
    if round_ and seq in round_.admitted:
        newer = counts_instead(round_, seq)
        so = f"; #{newer} came after it and counts instead" if newer else ", and counts"
        raise Refused("sealed.not_late", f"entry {seq} is admitted already{so}", f"hl show {newer or seq}")
    for player, sheets in round_.sheets.items() if round_ else ():
        if round_ and any(sheet.seq == seq and sheet.late for sheet in sheets):
            return LateAdmitted(player, seq, round_.name)
    raise _not_late(round_, f"entry {seq} is not a late sheet")


def _not_late(round_: Round | None, what: str) -> Refused:
    fix = "hl log\nfor one of a resolved round: undo the resolve (hl log --kind resolve), then admit it"
    fix += "" if round_ else "\nwhat is no sheet: type it again with --at TIME, when it was sent"
    return Refused("sealed.not_late", f"{what} for {called(round_.name)}" if round_ else "no round is on", fix)


def which_late(table: Table, text: str) -> str:
    """A ruling `admit last`, `admit last ann` (the newest) or `admit ann` (the only one) with the number that it means.

    Raises:
        Refused: `sealed.not_late`, there is none.
        Unreadable: `entry.unreadable`, the words name none; nothing is recorded that only looks like an admission.
            `entry.ambiguous`, the player has several, which may add to each other.
    """
    said, colon, why = text.partition(":")
    admit, *words = said.lower().split() or [""]
    if admit != "admit":
        return text
    if words and let_in(f"admit {words[0]}") is not None:
        return f"admit{text.lstrip()[5:]}"
    name, player = " ".join(words[words[:1] == ["last"] :]), None
    if words != ["last"]:
        try:
            player = table.directory().find(name)
        except Unreadable:
            what = f"{shown(name or said)} is neither the number of a late sheet nor a player"
            raise Unreadable("entry.unreadable", what, "hl ruling admit SEQ\nhl ruling admit last") from None
    late = [fact.seq for fact in admit_all(table.round) if player in (None, fact.player)] if table.round else []
    if not late:
        what = f"{table.name(player)} has no late sheet" if player else "nobody has a late sheet"
        raise _not_late(table.round, what)
    if late[1:] and player and words[0] != "last":
        what = f"{table.name(player)} has {len(late)} late sheets"
        fix = "\n".join(["hl status", *(f"hl ruling admit {seq}" for seq in sorted(late))])
        raise Unreadable("entry.ambiguous", f"{what}: say which", fix)
    return f"admit {max(late)}{colon}{why}"


def let_in(text: str) -> int | None:
    """The entry that a ruling `admit SEQ` is about; None for any other ruling.

    >>> let_in("admit #9: the train"), let_in("Ann is admitted")
    (9, None)
    """
    match = re.fullmatch(_ADMIT, text)
    return int(match[2]) if match else None


def renumbered(text: str, seq: int) -> str:
    """A ruling `admit SEQ` for a copy of the log in which that entry has another number.

    >>> renumbered("admit #9: 9 minutes late", 14)
    'admit #14: 9 minutes late'
    """
    match = re.fullmatch(_ADMIT, text)
    return f"{match[1]}{seq}{match[3]}"[:TEXT_LIMIT] if match else text


def closed(table: Table, at: Instant) -> SubmissionsClosed:
    return SubmissionsClosed(taking(table).name, at, tuple((p, table.garnets(p)) for p in table.players))


def close(table: Table, name: str, moment: Moment) -> list[Fact]:
    """Close submissions now; what comes later is late. The round is resolved later.

    Raises:
        Refused: `sealed.not_this_round`.
    """
    if table.round is not None and table.round.name == name:
        return [closed(table, moment.at)] if table.round.closed is None else []
    if name in table.past:
        return []
    on = f"what is on is {called(table.round.name)}" if table.round else "no round is on"
    raise Refused("sealed.not_this_round", f"{shown(name)} cannot be closed: {on}", "hl status")


def reopen(table: Table, name: str, moment: Moment) -> list[Fact]:
    """Take sheets again in the current round; it has no end until a host sets one.

    Raises:
        Refused: `sealed.reopen`.
    """
    if table.round is None or table.round.name != name:
        what = f"{called(name)} is not on, so it cannot be reopened; to go back into it, undo its resolve"
        raise Refused("sealed.reopen", what, BACK if name in table.resolved[-1:] else "hl log --kind resolve")
    return [] if table.round.closed is None else [f.DeadlineMoved(None, None, moment.at), *admit_all(table.round)]


def resolving(table: Table, name: str | None) -> Round:
    """The round that a `resolve` means.

    Raises:
        Refused: `sealed.no_round`, `sealed.not_this_round`.
    """
    if table.round is None:
        raise Refused("sealed.no_round", "there is no round to resolve", "hl status")
    if name != table.round.name:
        known = name is not None and (name in table.past or name.startswith("round_"))
        raise _not_this_round(table.round, called(name or "") if known else shown(name or ""), "hl status")
    return table.round


def silent(table: Table, round_: Round, among: Iterable[str] | None = None) -> tuple[str, ...]:
    """The players of `among` (None: all) who still owe a submission: they have not left and did not say blank."""
    asked = table.players if among is None else among
    return tuple(p for p in asked if p not in table.left and standing(round_, p) == "silent")


def owed(table: Table, what: str, among: Iterable[str] | None = None) -> tuple[Due, ...]:
    """What the players of `among` (None: all) still owe in the current round."""
    round_ = table.round
    if round_ is None:
        return ()
    ends = round_.closed or table.ends
    return tuple(Due(p, what, round_.opened, ends) for p in silent(table, round_, among))
