"""What of the table an audience may know; the shared half of every game's view."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING, TypeAlias

from events.audiences import EVERYBODY, EVERYBODY_AFTER_END, HOST, HOST_VIEWER, Audience
from games.contract import COURSE, LEFT, Action, Due, ReportContext
from games.records import ABSENT
from games.table import actions as a
from games.table.state import ABSTAINS, DECISIONS, Decision, Table

if TYPE_CHECKING:
    from games.contract import OpenDecision

SECRET = ("host", "nobody_ever")
"""Levels of the information table at which nobody but the hosts may ever know."""


OWNERS = ("owner", "owner_then_everybody", "traders")
"""Levels at which those whom a datum concerns know it now."""
AT_THE_END = ("everybody_after_end", "owner_then_everybody")
"""Levels at which everybody knows it once the match is over."""


def allowed(table: Table, line: str, viewer: str, owners: Iterable[str | None], *, over: bool) -> bool:
    """May `viewer` know the datum of that line of the information table which concerns `owners`? The one gate.

    Args:
        over: Has that come after which `everybody_after_end` is open? Each game says when.
    """
    return viewer == HOST_VIEWER or opens(table.settings["visibility"][line], viewer, owners, over=over)


def opens(level: str, viewer: str, owners: Iterable[str | None], *, over: bool) -> bool:
    """Does this level open a datum that concerns `owners` to `viewer`? As for `allowed`."""
    if level in SECRET:
        return False
    if level == "everybody" or (level in AT_THE_END and over):
        return True
    return level in OWNERS and viewer in owners


Lines: TypeAlias = Callable[[Decision], Iterable[str]]


def decision_lines(decision: Decision) -> tuple[str, ...]:
    """The lines of the information table that tell what somebody learns who is asked to decide this.

    Whoever is asked holds a token, or won one. A gift cannot go to an Elimination Candidate, so among whom it is tells
    who that is.
    """
    return ("tokens", "elimination") if decision.about == "elimination" or decision.kind == "gift" else ("tokens",)


def asked(table: Table, decision: Decision, viewer: str, lines: Lines = decision_lines) -> bool:
    """Is `viewer` one of those who decide, and may the viewer know what being asked tells? One's own tokens are known.

    Args:
        lines: Which lines of the information table tell that.
    """
    return viewer in decision.who and all(_asked_by(table, line, viewer) for line in lines(decision))


def _asked_by(table: Table, line: str, viewer: str) -> bool:
    return allowed(table, line, viewer, (viewer,) if line == "tokens" else (), over=True)


def owed(table: Table, lines: Lines = decision_lines) -> tuple[Due, ...]:
    """Who still owes a vote, a gift or a choice. Lots and rulings are the hosts' to make.

    Args:
        lines: As for `asked`; who may not be asked is not reminded either.
    """
    due: list[Due] = []
    for d in table.decisions:
        cast = table.votes.get(d.about, {}) if d.kind == "vote" else {}
        late = [p for p in d.who if p not in table.left and cast.get(p) not in (*d.among, ABSTAINS)]
        due += [Due(p, d.noun, d.opened, d.ends, asked(table, d, p, lines)) for p in late]
    return tuple(due)


def decisions(table: Table, *, who: bool = True, among: bool = True) -> tuple[OpenDecision, ...]:
    """What is open at the end: which kind, who decides, among whom; of a vote also what it is about, unless that is the
    elimination. What it is about must be known to the viewer.

    Args:
        who: May the viewer know who decides? It tells who holds tokens.
        among: May the viewer know among whom? It tells who may be Elimination Candidate; of a gift or a choice it
            tells who holds tokens, so that both must be known.
    """
    rows: list[OpenDecision] = []
    for d in table.decisions:
        if not (among if d.about == "elimination" else who):
            continue
        row: OpenDecision = {"kind": d.kind}
        if d.kind == "vote" and d.about != "elimination":
            row["about"] = d.about
        if who:
            row["who"] = list(d.who)
        if among and (who or d.kind not in ("gift", "choose")):
            row["among"] = list(d.among)
        rows.append(row)
    return tuple(rows)


def who_left(table: Table) -> tuple[str, ...]:
    """Who has left, as a result shows it: absent while nobody has."""
    return tuple(p for p in table.seats if p in table.left) or ABSENT


def frame(table: Table, game: str, viewer: str) -> ReportContext:
    """What every audience may know: how the match and its players are called. Who has left carries a mark. S-G3."""
    names = {p: f"{s.name} {LEFT}" if p in table.left else s.name for p, s in table.seats.items()}
    return ReportContext(viewer, table.title, game, names, table.settings["emoji"], tuple(table.left))


DECLARED = {"elimination": ("elimination",), "token": ("tokens",), "winner": ("winner", "winners", "tokens")}
"""Kind of declaration -> the lines that tell it, the first that a game has; of void everybody may know."""


def declared_line(visibility: Container[str], kind: str) -> str | None:
    """The line that tells what hosts declared, once the match is over. None: everybody may know then."""
    return next((line for line in DECLARED.get(kind, ()) if line in visibility), None)


def _declared_audience(table: Table, kind: str) -> Audience:
    """Of a declaration and its reason: nobody but the hosts before the end, when it is kept."""
    if kind == "void":
        return EVERYBODY
    line = declared_line(table.settings["visibility"], kind)
    wide = EVERYBODY_AFTER_END if line is None else everybody_who_knows(table, line)
    return wide._replace(everybody=False, after_end=wide.everybody or wide.after_end)


def line_audience(table: Table, own: str, others: str | None, *owners: str) -> Audience:
    """The audience of an entry that line `own` shows to its owners and line `others` to everybody else.

    An entry is opened whole: only the line that tells all that is in it may open it.
    """
    level = table.settings["visibility"]
    wide = "everybody" if others == COURSE else level[others] if others else ""
    if wide == "everybody":
        return EVERYBODY
    concerned = owners if level[own] in (*OWNERS, "everybody") else ()
    return Audience(tuple(sorted(set(concerned))), after_end=wide in AT_THE_END)


DECIDED = ("tokens", "elimination")
"""The lines that tell what an entry about a decision of the end does: who wins or holds, who may be eliminated."""
PURSES = ("own_garnets", "garnets")
"""The line of the information table that tells players their garnets."""


def everybody_who_knows(table: Table, *lines: str) -> Audience:
    """Everybody, where all of these lines say so; a line that a game does not have tells nobody anything."""
    levels = {table.settings["visibility"].get(line, "host") for line in lines}
    if levels == {"everybody"}:
        return EVERYBODY
    return EVERYBODY_AFTER_END if levels <= {"everybody", *AT_THE_END} else HOST


def shared_audience(table: Table, action: Action, lines: tuple[str, ...] = DECIDED) -> Audience:
    """Who may see an entry of a shared verb opened: those who may know the line of the information table it touches.

    What is not named here is the hosts': an override, a note, a ruling or a deal may hold anything.

    Args:
        lines: Those that tell what the decisions of the game do. `DECIDED` where there are Tokens of Life.
    """
    known = table.settings["visibility"]
    match action:
        case a.Create() | a.Commit() | a.Word() | a.Open() | a.Deadline() | a.AmendSetting():
            return EVERYBODY
        case a.Pause() | a.Resume() | a.Replace() | a.Drop():
            return EVERYBODY
        case a.Close() | a.Reopen():  # that a decision is open tells what it is about
            return everybody_who_knows(table, *lines) if action.phase in DECISIONS else EVERYBODY
        case a.Declare():
            return _declared_audience(table, action.kind)
        case a.Reason():
            row = next((row for row in table.declared if row.seq == action.about), None)
            return HOST if action.private or row is None else _declared_audience(table, row.kind)
        case a.Lot():
            return everybody_who_knows(table, *_drawn_about(table, action))
        case a.Vote():
            return _of_a_decision(table, action.voter, lines, (*lines, "votes"))
        case a.Gift() | a.Choose():
            return _of_a_decision(table, action.player, lines, lines)
        case a.Blank(round=a.VOTE):
            return _of_a_decision(table, action.player, lines, ())
        case a.Blank() | a.Alias():
            return Audience.only(action.player)
        case a.Award(what="tokens"):
            return line_audience(table, "tokens", "tokens", action.player) if "tokens" in known else HOST
        case a.Seat() | a.Penalty() | a.Award():
            purse = next((line for line in PURSES if line in known), None)
            return line_audience(table, purse, None, action.player) if purse else Audience.only(action.player)
        case _:
            return HOST


def _of_a_decision(table: Table, player: str, own: tuple[str, ...], others: tuple[str, ...]) -> Audience:
    """The audience of what a player decides: that player, if they may know what being asked tells."""
    known = table.settings["visibility"]
    asked_ = (line in known and _asked_by(table, line, player) for line in own)
    wide = everybody_who_knows(table, *others) if others else HOST
    return wide._replace(players=(player,) if all(asked_) else ())


def _drawn_about(table: Table, action: a.Lot) -> tuple[str, ...]:
    """The lines that tell among whom a lot is drawn. Of one that no decision asked for nobody is told: no line does."""
    keys = (*table.lots, *(decision.key for decision in table.decisions))
    about = {key[1] for key in keys if key[0] == "lot" and set(key[2]) == set(action.among)}
    if not about or "" in about:
        return ("",)
    return tuple("elimination" if topic == "elimination" else "tokens" for topic in about)
