"""explain and tell, made of the rows: a fact for the hosts with its rule, and what each viewer is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import Fact, Reason
from games.kit.blocks import Notice, notice
from games.kit.sealed import RoundResolved, SheetSealed, content, up_to
from games.kit.tell import COURSE, OWN, News, Say, Says, because, news_of, said
from games.parts import pages
from games.parts.declare import Parts, Rounds
from games.parts.shown import data_of, gate, lines_of, result, view
from games.table import facts
from games.table.facts import HOST_POWERS
from games.table.report import TOLD, reason_lines
from games.table.sheet_words import own_sheet, sheet_words
from games.table.view import PURSES, asked, frame
from games.table.words import SAYS

Rows: TypeAlias = Callable[[], Says]
"""The rows, made when they are first asked for: a command that says nothing does not pay for them."""


def rows(parts: Parts[Any]) -> Says:
    """A row for each fact that there can be: what the game leaves out of a row of the table, the table says."""
    marked = (line.key for name, lines, _ in data_of(parts.player) if name == "garnets" for line in lines)
    purse = next(marked, next((line for line in PURSES if line in parts.visibility), OWN))
    rounds = parts.rounds
    derived = {
        facts.Moved: SAYS[facts.Moved]._replace(line=purse),
        facts.RewardPaid: SAYS[facts.RewardPaid]._replace(line=purse),
        facts.FieldSet: _field_set(parts),
        facts.ResultChanged: _result_changed(parts),
    }
    if rounds is not None and rounds.spelled is not None:
        host = partial(sheet_words, partial(_on_it, rounds.spelled))
        owner = partial(own_sheet, partial(_read_back, rounds, rounds.spelled))
        derived[SheetSealed] = SAYS[SheetSealed]._replace(host=host, owner=owner)
    by_fact = {**SAYS, **derived}
    for cls, row in parts.says.items():
        under = by_fact.get(cls)
        if under is not None:
            stated = {name: value for name, value in row._asdict().items() if value != Say._field_defaults.get(name)}
            row = under._replace(**stated)
        by_fact[cls] = row
    for cls in (facts.EliminationFound, facts.WinnersFound):
        by_fact[cls] = by_fact[cls]._replace(rule=_unless_declared(by_fact[cls].rule))
    by_fact[facts.DecisionOpened] = _asked_only(parts, by_fact[facts.DecisionOpened])
    return by_fact


Rule: TypeAlias = str | Callable[[Any, Any], str]


def _unless_declared(rule: Rule) -> Rule:
    """The game's own section, or that of the hosts' powers where they declared it."""
    return lambda state, fact: HOST_POWERS if fact.why == TOLD else rule if isinstance(rule, str) else rule(state, fact)


def _on_it(spelled: Callable[[Any], str], fact: SheetSealed) -> str:
    return "" if fact.sheet.content is None else f": {spelled(fact.sheet.content)}"


def _read_back(rounds: Rounds[Any], spelled: Callable[[Any], str], state: Any, fact: SheetSealed) -> str:
    """All that is on a sheet with what came in, in words for its player: also of a late one, as if it counted."""
    on = state.table.round
    if on is None or on.name != fact.round:
        return ""
    whole = up_to(on, fact.player, fact.sheet.seq)
    if rounds.items is not None:
        return "; ".join(rounds.items(state, whole, fact.player).values()) or "nothing on it"
    sheet = content(whole, fact.player)
    return "" if sheet is None else spelled(sheet)


def _field_set(parts: Parts[Any]) -> Say:
    """What a host set is told as its row among the overrides says."""

    def lines(state: Any, fact: facts.FieldSet) -> Any:
        row = parts.overrides.get(fact.field)
        line = row and row.line
        return line(state, fact) if callable(line) else line or ()

    return SAYS[facts.FieldSet]._replace(
        line=lines,
        owner=lambda state, fact, viewer: said(parts.overrides[fact.field].owner, state, fact, viewer),
        public=lambda state, fact: said(parts.overrides[fact.field].public, state, fact),
    )


def _result_changed(parts: Parts[Any]) -> Say:
    """That scores or places are others is told where they are."""
    row = SAYS[facts.ResultChanged]

    def lines(state: Any, fact: facts.ResultChanged) -> Any:
        if fact.kind not in ("scores", "ranking"):
            return row.lines(state, fact)
        scored = parts.scored
        asked = () if scored is None else (scored.line, *(scored.lines if fact.kind == "ranking" else ()))
        return tuple(key for line in asked for key in line.keys)

    return row._replace(line=lines)


def _asked_only(parts: Parts[Any], row: Say) -> Say:
    """A player is asked only if they may know what being asked tells them."""
    lines = lines_of(parts)

    def owner(state: Any, fact: facts.DecisionOpened, viewer: str) -> News:
        return said(row.owner, state, fact, viewer) if asked(state.table, fact.decision, viewer, lines) else None

    return row._replace(owner=owner, line=COURSE)


def explain(says: Rows, state: Any, fact: Fact) -> Reason:
    """What happened, and the rule. The state is read for names and settings only."""
    return because(says(), state, fact)


def known(parts: Parts[Any], says: Rows, state: Any, fact: Fact, viewer: str) -> bool:
    """Are the lines open that tell all of that fact?"""
    may, row = gate(parts), says()[type(fact)]
    lines, concerned = row.lines(state, fact), row.concerned(fact)
    return bool(lines) and all(may(state, line, viewer, concerned) for line in lines)


def tell(parts: Parts[Any], says: Rows) -> Callable[[Any, Iterable[Fact], str], Notice]:
    """(state, facts, viewer) -> the notice of these facts; empty when there is nothing in them for the viewer."""
    may, look, stands, report = gate(parts), view(parts), partial(result, parts), partial(pages.report, parts)
    short, standing = parts.short or partial(pages.short, parts), parts.now or partial(pages.now, parts)

    def tell(state: Any, happened: Iterable[Fact], viewer: str) -> Notice:
        what = tuple(happened)
        resolved = [fact.round for fact in what if isinstance(fact, RoundResolved)]
        if viewer == HOST_VIEWER and parts.for_hosts is not None:
            return notice(parts.for_hosts(state, what))
        if viewer == HOST_VIEWER:
            held = [(row, fact) for fact in what if (row := says()[type(fact)]).holds]
            touched = dict.fromkeys(p for row, fact in held for p in row.concerned(fact))
            players = look(state, viewer).players if touched or resolved else {}
            who = players if parts.rounds else touched
            rows = frame(state.table, parts.title, viewer)
            return notice(short(rows.row(p), players[p]) for p in who if p in players)
        ordered = parts.order(state, what) if parts.order else what
        told = (news_of(says(), may, state, fact, viewer) for fact in ordered)
        lines = tuple(dict.fromkeys(line for line in told if line))
        if not lines and not (resolved and (viewer in state.table.seats or parts.reveals)):
            return Notice()
        if any(isinstance(fact, facts.SeatReplaced) and fact.player == viewer for fact in what):  # all there is to it
            called, seen = frame(state.table, parts.title, viewer), look(state, viewer)
            return notice(lines, below=report(called, seen, stands(state, viewer)))
        began = [fact for fact in what if isinstance(fact, facts.PhaseBegan) and fact.status != "running"]
        said_anew = any(isinstance(fact, (facts.Declared, facts.ReasonTold, facts.ResultChanged)) for fact in what)
        ended = (began or said_anew) and parts.over(state)
        rounds = parts.rounds_told if parts.reveals and resolved else None
        if not (ended or rounds if viewer == PUBLIC_VIEWER else parts.stands(what, bool(lines))):
            return notice(lines)
        called, seen = frame(state.table, parts.title, viewer), look(state, viewer)
        if viewer != PUBLIC_VIEWER:
            mine = (seen.players or {}).get(viewer)
            why = reason_lines(called, stands(state, viewer), viewer) if ended else []
            return notice(lines, standing(called, mine, seen) if mine else (), why)
        if ended:
            return notice(lines, below=report(called, seen, stands(state, viewer)))
        return notice(lines, below=[block for name in resolved if rounds for block in rounds(called, seen, name)])

    return tell
