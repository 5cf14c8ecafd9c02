"""What each viewer may see of a state: views cut by their marks, results with reasons, who may open an entry.

A view is a new record with only those fields that its marks open for the viewer. No other code reads the state for
output.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial, wraps
from typing import Annotated, TypeVar, get_args

from events.audiences import EVERYBODY, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.record import NamedTuple, hints
from games import contract
from games.contract import COURSE, OWN, AnyRecord, AnyValue, Due, Game, Label, MatchView, Result, State, VisibleTo
from games.records import ABSENT
from games.table import actions as shared, rounds as sealed, view as table_view
from games.table.endgame import DECLARED, Ruled, granted, ranked, ruled
from games.table.report import TOLD
from games.table.state import Decision, Declaration, Need, Round, Table, Verdict
from games.table.view import DECIDED, PURSES, decisions, line_audience, opens, owed, who_left

T = TypeVar("T")
PLAIN = frozenset({str, int, bool, type(None)})


class Datum(NamedTuple):
    name: str
    lines: tuple[VisibleTo, ...]
    label: Label | None


@cache
def data_of(cls: AnyRecord) -> tuple[Datum, ...]:
    """The fields of a record with their marks; empty if no field is marked, and the record is shown whole."""
    data = []
    for name, hint in hints(cls).items():
        marks = get_args(hint)[1:] if hasattr(hint, "__metadata__") else ()
        lines = tuple(mark for mark in marks if isinstance(mark, VisibleTo))
        data.append(Datum(name, lines, next((mark for mark in marks if isinstance(mark, Label)), None)))
    return tuple(data) if any(datum.lines for datum in data) else ()


def gate(game: Game, state: State, line: str, viewer: str, owners: Iterable[str], *, over: bool | None = None) -> bool:
    """May `viewer` know what that line reveals about the players concerned? Every check goes through here.

    Args:
        over: Is the match over? By default the game is asked.
    """
    if viewer == HOST_VIEWER or line == COURSE:
        return True
    if line in contract.SPECIAL:
        return line == OWN and viewer in owners
    over = game.over(state) if over is None else over
    if game.level is not None and (level := game.level(state, line)) is not None:
        return opens(level, viewer, owners, over=over)
    return table_view.allowed(state.table, line, viewer, owners, over=over)


class ViewFilter:
    """What one viewer may see of one state. The answer of a mark is kept, for the viewer's own data and for others'."""

    __slots__ = ("_opened", "_shows", "game", "over", "state", "viewer")

    def __init__(self, game: Game, state: State, viewer: str) -> None:
        self.game, self.state, self.viewer, self.over = game, state, viewer, game.over(state)
        self._opened: dict[tuple[int, bool, bool], bool] = {}
        self._shows: dict[tuple[AnyValue, bool, bool], tuple[tuple[int, VisibleTo | None], ...]] = {}

    def may_see(self, line: VisibleTo, owners: Sequence[str]) -> bool:
        """Does this mark open data of `owners` now?"""
        if self.viewer == HOST_VIEWER:
            return line.hosts
        asked = (id(line), bool(owners), self.viewer in owners)
        if (opened := self._opened.get(asked)) is None:
            opened = self._opened[asked] = self._opens(line, owners)
        return opened

    def _opens(self, line: VisibleTo, owners: Sequence[str]) -> bool:
        if line.mine:
            owners = owners or (self.viewer,)
            if self.viewer not in owners or self.viewer == PUBLIC_VIEWER:
                return False
        if (line.after_end and not self.over) or not line.when(self.state):
            return False
        return all(gate(self.game, self.state, key, self.viewer, owners, over=self.over) for key in line.keys)

    def cut(self, record: AnyValue, owner: str | None = None) -> AnyValue:
        """A copy of a player's record, or the match's, with only the fields that its marks open, at every depth.

        All other fields have their default, or None.
        """
        cls = record.__class__
        asked = (cls, owner is None, owner == self.viewer)
        if (fields := self._shows.get(asked)) is None:
            fields = self._shows[asked] = tuple(self._fields(cls, owner))
        values = [*map(cls._field_defaults.get, cls._fields)]
        for at, each in fields:
            value = record[at]
            if value is ABSENT:
                continue
            some = self._each(each, value, owner) if each else value
            if some is not ABSENT:
                values[at] = self._inside(some)
        return cls._make(values)

    def _fields(self, cls: AnyRecord, owner: str | None) -> Iterator[tuple[int, VisibleTo | None]]:
        """(index, None) for each field that is shown; (index, mark) if the mark must be asked for each player."""
        owners = () if owner is None else (owner,)
        for at, (_, lines, _) in enumerate(data_of(cls)):
            if not lines:
                yield at, None
            for line in lines:
                if line.by_key or (line.each and self.viewer != HOST_VIEWER):
                    yield at, line
                    break
                whose = (self.viewer,) if owner is None and line.key == OWN else owners  # in a match view: the viewer's
                if self.may_see(line, whose):
                    yield at, None
                    break

    def _each(self, line: VisibleTo, value: AnyValue, owner: str | None) -> AnyValue:
        """The part of a mapping or of a list of records that the viewer may know, by player or by name."""
        if line.by_key:
            (kind,), owners = line.keys, () if owner is None else (owner,)
            may = {k for k in value if gate(self.game, self.state, f"{kind}:{k}", self.viewer, owners)}
            return {k: item for k, item in value.items() if k in may} or ABSENT
        if value.__class__ is dict or isinstance(value, Mapping):
            mine, others = self.may_see(line, (self.viewer,)), self.may_see(line, ("",))
            if mine == others:
                return value if mine and value else ABSENT
            return {p: item for p, item in value.items() if (mine if p == self.viewer else others)} or ABSENT
        some = any(self.may_see(line, (p,)) for p in self.state.table.players)
        return tuple(item for item in value if self.may_see(line, tuple(contract.players_of(item)))) if some else ABSENT

    def _inside(self, value: AnyValue) -> AnyValue:
        """A field's value, with every marked record in it cut."""
        cls = value.__class__
        if cls in PLAIN or not value:
            return value
        if cls is tuple:
            return tuple([self.cut(item) for item in value]) if data_of(value[0].__class__) else value
        if cls is dict or isinstance(value, Mapping):
            cut = data_of(next(iter(value.values())).__class__)
            return {key: self.cut(item, key) for key, item in value.items()} if cut else value
        return self.cut(value) if data_of(cls) else value


STANDARD = frozenset({"phase", "ends", "paused", "closed", "submitted", "sheets"})
"""The fields of a view that are filled in here; everybody may know them."""


def _standard(game: Game, state: State, viewer: str) -> dict[str, AnyValue]:
    table, on = state.table, state.table.round
    numbered = table.phase.startswith("round_") and "round" in game.match_view._fields  # the number stands by itself
    return {
        "phase": "round" if numbered else table.phase,
        "ends": table.next_end(),
        "paused": True if table.paused is not None else ABSENT,
        "closed": True if on is not None and on.closed is not None else ABSENT,
        "submitted": ABSENT if on is None or viewer not in table.seats else sealed.standing(on, viewer) != "silent",
        "sheets": ABSENT
        if on is None
        else {p: words_of(game, on, p) for p in table.seats if p not in table.outside or p in on.sheets},
    }


def words_of(game: Game, round_: Round, player: str) -> str | None:
    """The sheet of a player that counts in a round, as a host types it: `blank` if on purpose, None if silent."""
    if game.rounds and game.rounds.words:
        return game.rounds.words(round_, player)
    sheet = sealed.content(round_, player)
    if sheet is not None:
        return str(game.rounds.spelled(sheet)) if game.rounds and game.rounds.spelled else "in"
    return "blank" if sealed.standing(round_, player) == "blank" else None


def by_name(game: Game, state: State, player: str, viewer: str) -> contract.AnyView:
    """A complete player view: each field is the player's value in the state's mapping of that name."""
    purses = {"garnets": {player: state.table.garnets(player)}}
    names = game.player_view._fields
    return game.player_view(*((purses.get(name) or getattr(state, name)).get(player, ABSENT) for name in names))


def _marked(state: AnyRecord, *, labelled: bool) -> dict[str, AnyValue]:
    """The marked fields of a state, with or without a label -> (type, marks)."""
    found = {name: get_args(hint) for name, hint in hints(state).items() if hasattr(hint, "__metadata__")}
    visible = {name: args for name, args in found.items() if any(isinstance(mark, VisibleTo) for mark in args[1:])}
    return {
        name: args for name, args in visible.items() if labelled == any(isinstance(mark, Label) for mark in args[1:])
    }


def _record(name: str, base: AnyValue, annotated: Mapping[str, AnyValue]) -> AnyRecord:
    body = {"__module__": __name__, "__qualname__": name, "__annotations__": annotated}
    return type(base)(name, (base,), {**body, **dict.fromkeys(annotated, ABSENT)})


def player_view(state: AnyRecord, visibility: Mapping[str, AnyValue]) -> AnyRecord:
    """The derived view of a player: a field for each labelled mapping of the state, and the purse if it has a line."""
    made = {
        name: Annotated[(get_args(held)[1], *marks)] for name, (held, *marks) in _marked(state, labelled=True).items()
    }
    purse = {"garnets": Annotated[int, VisibleTo("garnets"), Label("garnets", number=True)]}
    return _record("PlayerView", NamedTuple, {**made, **(purse if "garnets" in visibility else {})})


def match_view(state: AnyRecord) -> AnyRecord:
    """The derived view of the match: `MatchView` and the state's marked fields that have no label."""
    made = {name: Annotated[args] for name, args in _marked(state, labelled=False).items()}
    return _record("MatchView", MatchView, made) if made else MatchView


def _newest(make: Callable[[Game, State, str], T]) -> Callable[[Game, State, str], T]:
    """Keep the newest answers: one command asks several times what a viewer may know of one state."""
    kept: deque[tuple[Game, State, str, T]] = deque(maxlen=40)

    @wraps(make)
    def ask(game: Game, state: State, viewer: str) -> T:
        for its_game, its_state, its_viewer, answer in kept:
            if its_state is state and its_viewer == viewer and its_game is game:
                return answer
        kept.appendleft((game, state, viewer, answer := make(game, state, viewer)))
        return answer

    return ask


@_newest
def cut_view(game: Game, state: State, viewer: str) -> contract.AnyView:
    """What `host`, `public` or a player may know of the match."""
    cls, of_player = game.match_view, game.of_player or partial(by_name, game)
    whole = {name: value for name, value in _standard(game, state, viewer).items() if name in cls._fields}
    held: AnyValue = state
    for name in cls._fields:
        if name in held._fields and name != "players":
            whole[name] = getattr(held, name)
    whole |= game.of_match(state, viewer) if game.of_match is not None else {}
    order = whole.pop("order", state.table.players)
    eyes = ViewFilter(game, state, viewer)
    rows = {p: eyes.cut(of_player(state, p, viewer), p) for p in order}
    sparse = "players" in cls._field_defaults
    if sparse:
        empty = game.player_view()
        rows = {p: row for p, row in rows.items() if row != empty}
    seen = eyes.cut(cls(**{"players": {}, **whole}))
    return seen._replace(players=rows or (ABSENT if sparse and viewer == PUBLIC_VIEWER else {}))


def lines_of(game: Game, decision: Decision) -> tuple[str, ...]:
    """The lines that reveal what a player learns by being asked for this decision."""
    asked = table_view.decision_lines(decision)
    return (*(line for line in asked if line in game.decided), *(x for x in game.decided if x not in DECIDED))


def _by_rules(game: Game, state: State, viewer: str) -> Result:
    """The result so far, without what hosts declared."""
    table, scored, host, eyes = state.table, game.scored, viewer == HOST_VIEWER, ViewFilter(game, state, viewer)
    purse = next((lines for name, lines, _ in data_of(game.player_view) if name == "garnets"), ())

    def ok(line: str, *owners: str) -> bool:
        return host or (game.over(state) and line in game.visibility and gate(game, state, line, viewer, owners))

    who, won = all(ok(line) for line in game.decided if line != "elimination"), "winner" in game.has and ok("winner")
    lost = "elimination" in game.has and ok("elimination", *table.elimination)
    outcome = Result(
        table.game,
        table.status,
        decisions(table, who=who, among=ok("elimination"), votes=ok("votes")),
        table.assumptions,
        garnets={p: table.garnets(p) for p in table.players if any(eyes.may_see(line, (p,)) for line in purse)}
        or ABSENT,
        tokens={p: table.tokens.get(p, 0) for p in table.players if ok("tokens", p)} or ABSENT,
        elimination=table.elimination if lost else ABSENT,
        winners=table.winners if won else ABSENT,
        losers=table.losers if won else ABSENT,
        left=who_left(table),
    )
    if scored is None:
        return outcome
    open_now = host or not scored.line.after_end or game.over(state)
    scores = {p: n for p, n in scored.scores(state).items() if p not in table.outside} if open_now else {}
    seen = {p: n for p, n in scores.items() if eyes.may_see(scored.line, (p,))}
    if not seen and not host:
        return outcome
    whole = all(eyes.may_see(line, (p,)) for line in (scored.line, *scored.lines) for p in scores)
    return outcome._replace(scores=seen, ranking=places(game, state, scores) if whole else ABSENT)


@_newest
def result(game: Game, state: State, viewer: str) -> Result:
    """The result so far, with what the viewer may know of declarations. A void match has no places."""
    table, host = state.table, viewer == HOST_VIEWER

    def entry_of(row: Declaration) -> contract.DeclaredResult:
        why = table.reasons.get(row.seq)
        entry: contract.DeclaredResult = {"kind": row.kind, "players": list(row.players)}
        if row.tokens is not None:
            entry["tokens"] = row.tokens
        if why and (host or not why.private):
            entry["reason"] = why.text
        if host:
            entry["seq"] = row.seq  # a number counts the entries before it
        return entry

    def known(row: Declaration) -> bool:
        if host or row.kind == "void":
            return True
        line = table_view.declared_line(game.visibility, row.kind)
        return game.over(state) and (line is None or gate(game, state, line, viewer, row.players))

    outcome = game.result(state, viewer) if game.result is not contract.DERIVED else _by_rules(game, state, viewer)
    outcome = outcome._replace(reasons=reasons(game, state, viewer))
    if not table.declared:
        return outcome
    rows = [row for row in table.standing if known(row) and (row.kind == "void" or not table.void)]
    outcome = outcome._replace(declared=tuple(map(entry_of, rows)) or ABSENT)
    if table.void:
        return outcome._replace(ranking=ABSENT, scores=ABSENT, elimination=(), winners=ABSENT, losers=ABSENT)
    kinds = {row.kind for row in rows} if game.over(state) else set()
    outcome = outcome._replace(winners=table.winners, losers=table.losers) if "winner" in kinds else outcome
    if "token" in kinds and "tokens" not in game.has:
        outcome = outcome._replace(tokens={p: table.tokens.get(p, 0) for p in table.players})
    return outcome._replace(elimination=table.elimination) if "elimination" in kinds else outcome


def places(game: Game, state: State, scores: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    return game.scored.ranking(state) if game.scored and game.scored.ranking else ranked(scores)


def waiting(game: Game, state: State) -> tuple[Due, ...]:
    """Who still owes a sheet, or a decision at the end. Nobody in a void match."""
    on, rows = state.table.round, game.rounds
    if state.table.void:
        return ()
    if game.waiting is not contract.DERIVED:
        return game.waiting(state)
    if on is None or rows is None:
        return owed(state.table, partial(lines_of, game))
    if rows.owes is not None:
        ends = on.closed or state.table.ends
        return tuple(Due(p, what, on.opened, ends) for p in state.table.present for what in rows.owes(state, on, p))
    among = None if rows.who is None else rows.who(state, on.name)
    return sealed.owed(state.table, rows.what(state, on.name), among)


# ---- why a player holds a token or is Elimination Candidate ----------------------------------------------------------


class Row(NamedTuple):
    player: str
    how: str
    by: tuple[str, ...] = ()
    why: str = ""
    """For the hosts, and for viewers who may know all of `lines`."""
    lines: tuple[str, ...] | None = ()
    """None: hosts only."""
    short: str = ""
    """For viewers who may know the outcome only."""
    voted: str = ""
    """How the votes went, for viewers who may know the votes."""
    held: str = ""
    """Each vote and the garnets that weighed it, for viewers who may know both of everybody."""


def as_it_is(state: State) -> Verdict:
    """The verdict of a game that ends the match itself, read from its table."""
    table = state.table
    needs = tuple(Need(decision, 0) for decision in table.decisions)
    return Verdict(needed=needs, winners=table.winners, losers=table.losers)


def reasons(game: Game, state: State, viewer: str) -> AnyValue:
    """`{"tokens": [...], "elimination": [...]}`, as far as the viewer may know; `ABSENT` before the end."""
    table = state.table
    if table.void or not game.over(state):
        return ABSENT

    def open_(line: str, concerned: tuple[str, ...] = ()) -> bool:
        there = line in (COURSE, *game.visibility, *game.match_lines)
        return viewer == HOST_VIEWER or (there and gate(game, state, line, viewer, concerned))

    purses = open_(next((line for line in PURSES if line in game.visibility), ""))

    def cut(row: Row) -> Mapping[str, AnyValue]:
        all_of_it = viewer == HOST_VIEWER or (row.lines is not None and all(map(open_, row.lines)))
        votes = open_("votes")
        voted = row.voted + (row.held if purses else "") if votes else ""
        why = "; ".join(part for part in (row.why if all_of_it else row.short, voted) if part)
        entry: dict[str, AnyValue] = {"player": row.player} if row.player else {}
        entry |= {"how": row.how if votes or row.how != "weights" else "vote"}
        entry |= {"by": list(row.by)} if row.by and (votes or row.how not in ("vote", "weights")) else {}
        return entry | ({"why": why} if why else {})

    end = ruled(table, (game.verdict or as_it_is)(state))
    rows = {"tokens": _tokens(table, end), "elimination": _elimination(table, end.verdict)}
    visible = {
        line: [cut(row) for row in entries if open_(line, (row.player,) if row.player else ())]
        for line, entries in rows.items()
    }
    return visible if any(visible.values()) else ABSENT


def _declared(table: Table, kind: str, player: str) -> Row:
    """A row for what hosts declared, with their reason unless it is private."""
    rows = (row for row in table.standing if row.kind == kind and (kind != "token" or row.players == (player,)))
    why = next((table.reasons.get(row.seq) for row in rows), None)
    host, others = (why.text, "" if why.private else why.text) if why else ("", "")
    return Row(player, DECLARED, (), host or TOLD, None, others or TOLD)


def _tokens(table: Table, end: Ruled) -> Iterator[Row]:
    for award in end.verdict.awards:
        if award.condition == DECLARED:
            yield _declared(table, "token", award.player)
        else:
            yield Row(award.player, award.how, award.by, award.why, award.lines, award.short)
    for player in table.players:
        if number := granted(table, player) - table.taken.get(player, 0):
            yield Row(player, "awarded" if number > 0 else "taken")
    for giver, receiver in end.spares.given:
        yield Row(receiver, "given", (giver,))
    spare = end.verdict.spare
    for player, number in end.spares.lapsed.items():
        if spare is not None and not spare.give:
            why = "a second token cannot be given away"
        elif player in table.left:
            why = "its holder left"
        else:
            closed = ("gift", f"token:{player}", ()) in table.closed
            why = "it was not given away in time" if closed else "there is nobody to give it to"
        yield from [Row(player, "lapsed", (), why, ("elimination",))] * number
    for award in end.verdict.unwon:
        yield Row("", "nobody", (), award.why, award.lines, award.short)


def _elimination(table: Table, verdict: Verdict) -> Iterator[Row]:
    if verdict.elimination != table.elimination:
        return
    if verdict.elimination_how == DECLARED:
        yield from (_declared(table, "elimination", player) for player in verdict.elimination or ("",))
        return
    if not verdict.elimination:
        if verdict.elimination_why and not verdict.needed:
            yield Row("", "nobody", (), verdict.elimination_why, verdict.elimination_lines)
        return
    choice, base = verdict.choice, verdict.elimination_base or verdict.elimination_why
    how = verdict.elimination_how if choice is None or choice.how == "rank" else choice.how
    voted, weights = "" if choice is None or choice.how not in ("vote", "weights", "lot") else choice.why, ""
    if choice is not None and choice.weighed is not None:
        held = dict(choice.weighed.garnets)
        cast = (f"{table.name(v)} with {held[v]} for {table.name(c)}" for v, c in choice.weighed.votes)
        weights = f" ({', '.join(cast)})"
    for player in verdict.elimination:
        why = verdict.elimination_each.get(player, base)
        by, lines, short = choice.by if choice else (), verdict.elimination_lines, verdict.elimination_short
        yield Row(player, how, by, why, lines, short, voted, weights)


# ---- who may see an entry opened -------------------------------------------------------------------------------------


def audience(game: Game, state: State, action: contract.AnyAction) -> Audience:
    """Who may see that entry opened. By default only the hosts."""
    cls = type(action)
    verb = game.verb(action)
    if verb.audience is not None:
        return verb.audience(state, action)
    if cls in game.sheets:
        return Audience.only(action.player)
    if cls in game.actions:
        if verb.others == COURSE:
            return EVERYBODY
        if verb.own in contract.SPECIAL:
            return Audience.only(*verb.who(action)) if verb.own == OWN else HOST
        return line_audience(state.table, verb.own, verb.others, *verb.who(action))
    if (draw := verb.draw) and (action.drawn is not None or action.seed is not None):
        if draw.line in contract.SPECIAL:
            return EVERYBODY if draw.line == COURSE else HOST
        return table_view.everybody_who_knows(state.table, draw.line)
    wide = EVERYBODY if cls is shared.Resolve else table_view.shared_audience(state.table, action, game.decided)
    return _without_given(game, state, action, wide) if isinstance(action, shared.Seat) else wide


def _without_given(game: Game, state: State, action: shared.Seat, wide: Audience) -> Audience:
    """Open a seat's entry to its player only if they may know everything that a match file can give.

    What this one gives does not matter: a player who finds theirs closed and another's open would learn that something
    was given.
    """
    lines = [row.line for row in game.overrides.values() if row.at_start]
    plain = all(isinstance(line, str) for line in lines)
    mine = (action.player in line_audience(state.table, str(line), None, action.player).players for line in lines)
    return wide if plain and all(mine) else HOST
