"""What an audience may know of the table: the shared half of every game's view."""

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
"""The levels at which only hosts may ever know."""


OWNERS = ("owner", "owner_then_everybody", "traders")
"""The levels at which the players concerned know the datum now."""
AT_THE_END = ("everybody_after_end", "owner_then_everybody")
"""The levels at which everybody knows the datum once the match is over."""


def allowed(table: Table, line: str, viewer: str, owners: Iterable[str | None], *, over: bool) -> bool:
    """May `viewer` know the datum of that line which concerns `owners`? Every check goes through here.

    Args:
        over: Is the match over, so that `everybody_after_end` is open? Each game says when.
    """
    return viewer == HOST_VIEWER or opens(table.settings["visibility"][line], viewer, owners, over=over)


def opens(level: str, viewer: str, owners: Iterable[str | None], *, over: bool) -> bool:
    """Does this level open a datum that concerns `owners` to `viewer`? Arguments as in `allowed`."""
    if level == "everybody" or (level in AT_THE_END and over):
        return True
    return level in OWNERS and viewer in owners


Lines: TypeAlias = Callable[[Decision], Iterable[str]]


def decision_lines(decision: Decision) -> tuple[str, ...]:
    """The lines that reveal what a player learns by being asked for this decision.

    A player who is asked holds or won a token. The possible receivers of a gift reveal the Elimination Candidate, who
    is not among them.
    """
    return ("tokens", "elimination") if decision.about == "elimination" or decision.kind == "gift" else ("tokens",)


def asked(table: Table, decision: Decision, viewer: str, lines: Lines = decision_lines) -> bool:
    """Does `viewer` decide, and may they know what being asked reveals? They know their own tokens.

    Args:
        lines: (decision) -> the lines that reveal that.
    """
    return viewer in decision.who and all(_asked_by(table, line, viewer) for line in lines(decision))


def _asked_by(table: Table, line: str, viewer: str) -> bool:
    return allowed(table, line, viewer, (viewer,) if line == "tokens" else (), over=True)


def owed(table: Table, lines: Lines = decision_lines) -> tuple[Due, ...]:
    """Who still owes a vote, a gift or a choice. Hosts make lots and rulings.

    Args:
        lines: As in `asked`; players who may not be asked are not reminded either.
    """
    due: list[Due] = []
    for d in table.decisions:
        cast = table.votes.get(d.about, {}) if d.kind == "vote" else {}
        late = [p for p in d.who if p not in table.left and cast.get(p) not in (*d.among, ABSTAINS)]
        due += [Due(p, d.noun, d.opened, d.ends, asked(table, d, p, lines)) for p in late]
    return tuple(due)


def decisions(table: Table, *, who: bool = True, among: bool = True, votes: bool = True) -> tuple[OpenDecision, ...]:
    """The open decisions of the end: their kind, who decides, among whom, and the subject of a vote about tokens.

    Args:
        who: May the viewer know who decides? It reveals who holds tokens.
        among: May the viewer know among whom? It reveals who may be Elimination Candidate; for a gift or a choice it
            also reveals who holds tokens, so both are needed.
        votes: May the viewer know the votes? A lot after a vote is among those for whom most voted.
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
        if among and (who or d.kind != "choose") and (votes or not of_votes(table, d.kind, d.about)):
            row["among"] = list(d.among)
        rows.append(row)
    return tuple(rows)


def of_votes(table: Table, kind: str, about: str) -> bool:
    """Does it tell how a vote went, among whom this decision is? Decision 28."""
    return kind == "lot" and table.voted(about)


def who_left(table: Table) -> tuple[str, ...]:
    """The players who have left, for a result: `ABSENT` while nobody has."""
    return tuple(p for p in table.seats if p in table.left) or ABSENT


def frame(table: Table, game: str, viewer: str) -> ReportContext:
    """The names that every audience may know; a player who has left is marked. Source: S-G3."""
    names = {p: f"{s.name} {LEFT}" if p in table.left else s.name for p, s in table.seats.items()}
    return ReportContext(viewer, table.title, game, names, table.settings["emoji"], tuple(table.left))


DECLARED = {"elimination": ("elimination",), "token": ("tokens",), "winner": ("winner", "winners", "tokens")}
"""Kind of declaration -> the lines that reveal it; the first that the game has is used. Everybody may know of void."""


def declared_line(visibility: Container[str], kind: str) -> str | None:
    """The line that reveals a declaration once the match is over. None: everybody may know."""
    return next((line for line in DECLARED.get(kind, ()) if line in visibility), None)


def _declared_audience(table: Table, kind: str) -> Audience:
    """The audience of a declaration and its reason: only hosts before the end."""
    if kind == "void":
        return EVERYBODY
    line = declared_line(table.settings["visibility"], kind)
    wide = EVERYBODY_AFTER_END if line is None else everybody_who_knows(table, line)
    return wide._replace(everybody=False, after_end=wide.everybody or wide.after_end)


def line_audience(table: Table, own: str, others: str | None, *owners: str) -> Audience:
    """The audience of an entry that line `own` opens to its owners and line `others` to everybody else.

    An entry is opened whole, so such a line must cover everything in it.
    """
    level = table.settings["visibility"]
    wide = "everybody" if others == COURSE else level[others] if others else ""
    if wide == "everybody":
        return EVERYBODY
    concerned = owners if level[own] in (*OWNERS, "everybody") else ()
    return Audience(tuple(sorted(set(concerned))), after_end=wide in AT_THE_END)


DECIDED = ("tokens", "elimination")
"""The lines that reveal what a decision at the end does: who wins or holds tokens, who may be eliminated."""
PURSES = ("own_garnets", "garnets")
"""The lines that reveal garnets, the first that the game has."""


def everybody_who_knows(table: Table, *lines: str) -> Audience:
    """Everybody, if all of these lines are open to everybody; a line that the game does not have is closed."""
    levels = {table.settings["visibility"].get(line, "host") for line in lines}
    if levels == {"everybody"}:
        return EVERYBODY
    return EVERYBODY_AFTER_END if levels <= {"everybody", *AT_THE_END} else HOST


def shared_audience(table: Table, action: Action, lines: tuple[str, ...] = DECIDED) -> Audience:
    """The audience of a shared verb's entry: the viewers who may know the line that it touches.

    By default only hosts: an override, a note, a ruling or a deal may hold anything.

    Args:
        lines: The lines that reveal what the game's decisions do; `DECIDED` for Tokens of Life.
    """
    known = table.settings["visibility"]
    match action:
        case a.Create() | a.Commit() | a.Word() | a.Open() | a.Deadline() | a.AmendSetting():
            return EVERYBODY
        case a.Pause() | a.Resume() | a.Replace() | a.Drop():
            return EVERYBODY
        case a.Close() | a.Reopen():  # an open decision reveals its subject
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
    """The audience of a player's decision: that player, if they may know what being asked reveals."""
    known = table.settings["visibility"]
    asked_ = (line in known and _asked_by(table, line, player) for line in own)
    wide = everybody_who_knows(table, *others) if others else HOST
    return wide._replace(players=(player,) if all(asked_) else ())


def _drawn_about(table: Table, action: a.Lot) -> tuple[str, ...]:
    """The lines that reveal among whom a lot is drawn; none, so nobody is told, if no decision asked for the lot."""
    keys = (*table.lots, *(decision.key for decision in table.decisions))
    about = {key[1] for key in keys if key[0] == "lot" and set(key[2]) == set(action.among)}
    if not about or "" in about:
        return ("",)
    lines = {"elimination" if topic == "elimination" else "tokens" for topic in about}
    return (*lines, *["votes"] * any(of_votes(table, "lot", topic) for topic in about))
