"""State -> View: the only reader of State for output, built up by what is allowed. Source: section 6, HX-17, HX-18."""

from __future__ import annotations

from collections.abc import Mapping

from events.audiences import EVERYBODY, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.instants import write_instant
from events.record import NamedTuple
from games.contract import Action, Due, Fact, Result
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.bonuses import listed
from games.hex_parties.bonuses import words as bonus_words
from games.hex_parties.end import ranking
from games.hex_parties.parties import victory_cells
from games.hex_parties.state import Record, State, move, sides, standing_cells
from games.kit.sealed import Round, SheetSealed, counted, standing
from games.kit.tell import News, count
from games.records import ABSENT
from games.table import Decision, rounds
from games.table import actions as shared
from games.table import facts as told
from games.table.view import DECIDED, allowed, asked, decision_lines, owed, shared_audience, shared_news, table_result


class PlayerView(NamedTuple):
    """What the viewer may know of one player."""

    odd: str = ABSENT
    even: str = ABSENT
    points: int = ABSENT
    garnets: int = ABSENT
    bonuses_used: tuple[str, ...] = ABSENT
    victory_cells: tuple[str, ...] = ABSENT
    """Where he would end the match by scoring in the round that is on."""


class PlacesView(NamedTuple):
    odd: str
    even: str


class PartyView(NamedTuple):
    cells: tuple[str, ...]
    size: int
    scores: str


class BouncedView(NamedTuple):
    player: str
    piece: str
    to: str


class IllegalView(NamedTuple):
    player: str
    piece: str
    to: str
    why: str


class RoundView(NamedTuple):
    """One resolved round; `positions` and `points` are those after it."""

    round: int
    positions: Mapping[str, PlacesView] = ABSENT
    parties: tuple[PartyView, ...] = ABSENT
    gained: Mapping[str, int] = ABSENT
    points: Mapping[str, int] = ABSENT
    bounced: tuple[BouncedView, ...] = ABSENT
    illegal: tuple[IllegalView, ...] = ABSENT


class HexView(NamedTuple):
    """Source: docs/json.md, view of hex_parties."""

    phase: str
    ends: str | None
    round: int
    players: Mapping[str, PlayerView]
    rounds: tuple[RoundView, ...]
    winners: tuple[str, ...] = ABSENT
    sides_known: bool = ABSENT
    """True once round 1 is resolved: before, `odd` is the first listed piece, or what the viewer knows himself."""
    bonuses: tuple[str, ...] = ABSENT
    """The movement bonuses of the match in words; absent where there are none."""
    closed: bool = ABSENT
    """True once orders of this round have ended."""
    paused: bool = ABSENT
    sheets: Mapping[str, str | None] = ABSENT
    """What counts of each player in the round that is on, as far as the viewer may know; `blank` on purpose."""


def may(state: State, key: str, viewer: str, owner: str | None = None) -> bool:
    """May `viewer` know the datum of line `key` that concerns `owner`?"""
    return allowed(state.table, key, viewer, (owner,), over=state.over)


def view(state: State, viewer: str) -> HexView:
    """The match as `viewer` (`host`, `public` or a player) may know it."""
    table, end = state.table, state.table.next_end()
    return HexView(
        phase="round" if table.phase.startswith("round_") else table.phase,
        ends=None if end is None else write_instant(end),
        round=state.number,
        players={p: _player(state, viewer, p) for p in table.players},
        rounds=tuple(_round(state, viewer, record) for record in state.results),
        winners=state.winners if may(state, "winners", viewer) else ABSENT,
        sides_known=bool(state.results),
        bonuses=tuple(map(bonus_words, listed(state.settings.bonuses).values())) or ABSENT,
        closed=True if table.round is not None and table.round.closed is not None else ABSENT,
        paused=True if table.paused is not None else ABSENT,
        sheets=_sheets(state, table.round, viewer) if table.round is not None else ABSENT,
    )


def _player(state: State, viewer: str, player: str) -> PlayerView:
    own = viewer in (HOST_VIEWER, player)
    cells = standing_cells(state) if own else state.cells
    shown = PlayerView()
    if may(state, "positions", viewer, player) and (player, "odd") in cells:
        shown = shown._replace(odd=cells[player, "odd"], even=cells[player, "even"])
    if may(state, "points", viewer, player):
        shown = shown._replace(points=state.points[player])
    if may(state, "own_garnets", viewer, player):
        shown = shown._replace(garnets=state.table.garnets(player))
    if may(state, "bonus_use", viewer, player):
        shown = shown._replace(bonuses_used=state.used.get(player, ()))
    if may(state, "victory_cells", viewer, player):
        shown = shown._replace(victory_cells=victory_cells(state.points[player]))
    return shown


def _round(state: State, viewer: str, record: Record) -> RoundView:
    """A resolved round. Orders that failed are their owner's, unless the setting tells them at the end."""
    table, shown = state.table, RoundView(record.number)
    known = [p for p in table.players if (p, "odd") in record.cells and may(state, "positions", viewer, p)]
    shown = shown._replace(positions={p: PlacesView(record.cells[p, "odd"], record.cells[p, "even"]) for p in known})
    if may(state, "positions", viewer):
        parties = tuple(PartyView(party.cells, len(party.cells), party.scores) for party in record.parties)
        shown = shown._replace(parties=parties)
    scored = [p for p in table.players if may(state, "points", viewer, p)]
    shown = shown._replace(
        gained={p: record.gained.get(p, 0) for p in scored}, points={p: record.points[p] for p in scored}
    )
    told_all = state.over and state.settings.reveal_orders_at_end
    failed = [p for p in table.players if told_all or may(state, "failed_orders", viewer, p)]
    if failed:
        bounced = tuple(BouncedView(x.player, x.piece, x.to) for x in record.bounced if x.player in failed)
        illegal = tuple(IllegalView(x.player, x.piece, x.to, x.why) for x in record.illegal if x.player in failed)
        shown = shown._replace(bounced=bounced, illegal=illegal)
    return shown


def _sheets(state: State, round_: Round, viewer: str) -> Mapping[str, str | None]:
    """What counts of each player as it stands: for the hosts of everybody, for a player his own."""
    shown = {p: sheet_words(round_, p) for p in state.table.players if viewer in (HOST_VIEWER, p)}
    return shown or ABSENT


def sheet_words(round_: Round, player: str) -> str | None:
    """What a player has sent that counts, as a host would type it."""
    choice, orders = sides(round_, player), move(round_, player)
    said = [f"sides {choice.cell}"] if choice is not None else []
    if orders is not None:
        said.append(a.spelled(orders))
    elif standing(round_, player) == "blank":
        said.append("blank")
    return ", ".join(said) or None


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`. Scores are the points."""
    host, table = viewer == HOST_VIEWER, state.table

    def ok(key: str) -> bool:
        return host or (state.over and may(state, key, viewer))

    shown = table_result(
        table,
        who=ok("tokens") and ok("winners"),
        among=ok("elimination"),
        garnets=[p for p in table.players if may(state, "own_garnets", viewer, p)],
        tokens=table.players if ok("tokens") else (),
        elimination=ok("elimination"),
    )
    if not may(state, "points", viewer):
        return shown
    return shown._replace(ranking=ranking(state), scores=dict(state.points))


def audience(state: State, action: Action) -> Audience:
    """Who may see that entry opened. Orders are their player's; a lot of a resolve tells who chose no odd piece."""
    match action:
        case a.Sides() | a.Move():
            return Audience.only(action.player)
        case shared.Resolve():
            return HOST if action.drawn is not None else EVERYBODY
        case _:
            return shared_audience(state.table, action, (*DECIDED, "winners"))


def news(state: State, fact: Fact, viewer: str) -> News:
    """A fact in a sentence for `viewer`, or None when it is not for him. Source: section 6."""
    if viewer == HOST_VIEWER:
        return None
    name, public = state.table.name, viewer == PUBLIC_VIEWER
    mine = viewer == getattr(fact, "player", None)
    match fact:
        case f.ParityChosen(by="lot") if mine and may(state, "positions", viewer, viewer):
            return f"A lot made your piece on {fact.cell} the odd one."
        case f.ParityChosen(by="first_listed") if mine and may(state, "positions", viewer, viewer):
            return f"You chose no odd piece: it is the one on {fact.cell}."
        case SheetSealed(sheet=sheet) if mine and sheet.content is not None:
            late = "; it came after the deadline and counts only if a host rules so" if sheet.late else ""
            return f"{_received(sheet.content)}{late}."
        case f.OrderIllegal() if mine and may(state, "failed_orders", viewer, viewer):
            return f"Your {fact.piece} piece stays: {fact.why}."
        case f.PieceBounced() if mine and may(state, "failed_orders", viewer, viewer):
            return f"Your {fact.piece} piece stays: its move to {fact.to} bounced."
        case f.BonusIgnored() if mine and may(state, "failed_orders", viewer, viewer):
            return f"Your bonus {fact.bonus} does not count and costs nothing: {fact.why}."
        case f.BonusReturned() if mine and may(state, "bonus_use", viewer, viewer):
            return f"Your bonus {fact.bonus} is given back, for its moves bounced."
        case f.BonusUsed() if may(state, "bonus_use", viewer, fact.player):
            if mine:
                return f"Your bonus {fact.bonus} is used up."
            return f"{name(fact.player)} used {fact.bonus}." if public else None
        case f.PlayEnded() if public and may(state, "winners", viewer):
            if not fact.winners:
                return "That was the last round: nobody has won."
            return f"{state.table.named(fact.winners)} scored on a victory space: the match ends."
        case told.PhaseBegan(phase="finished") if public:
            return "The match is over."
        case f.FieldSet(field="points") if public and may(state, "points", viewer):
            return f"A host corrected points: {name(fact.player)} has {fact.value} now."
        case f.FieldSet(field="odd" | "even") if public and may(state, "positions", viewer):
            piece = f"the {fact.field} piece" if state.results else "a piece"  # which is odd is told with round 1
            return f"A host corrected a position: {piece} of {name(fact.player)} is on {fact.value}."
        case told.RewardPaid() if viewer == fact.reward.player and may(state, "own_garnets", viewer, viewer):
            return f"You won {count(fact.reward.garnets, 'garnet')}."
        case told.Moved() if viewer in (fact.src, fact.to) and may(state, "own_garnets", viewer, viewer):
            return f"You {'received' if fact.to == viewer else 'paid'} {count(fact.garnets, 'garnet')}."
        case told.DecisionOpened() if asked(state.table, fact.decision, viewer, _decision_lines):
            among = state.table.named(fact.decision.among)
            if fact.decision.kind == "gift":
                return f"You won a second Token of Life: give it to one of {among}."
            return f"You may vote who is Elimination Candidate: {among}."
        case _:
            return shared_news(state.table, fact, viewer)


def _decision_lines(decision: Decision) -> tuple[str, ...]:
    """Whoever is asked here is one of those who ended the match."""
    return (*decision_lines(decision), "winners")


def _received(content: a.Sides | a.Move) -> str:
    if isinstance(content, a.Sides):
        return f"Your odd piece is the one on {content.cell}"
    return f"Your orders are in: {a.spelled(content)}"


def waiting(state: State) -> tuple[Due, ...]:
    """Who still owes orders or, in round 1, the choice of the odd piece; or a decision of the end. Source: S-10."""
    table, round_ = state.table, state.table.round
    if round_ is None:
        return owed(table, _decision_lines)
    due = list(rounds.owed(table, "sheet of orders"))
    for player in table.players if not state.results else ():
        if player in table.left or standing(round_, player) != "submitted":
            continue
        missing = ["choice of the odd piece"] if sides(round_, player) is None else []
        missing += ["sheet of orders"] if move(round_, player) is None and not _blank(round_, player) else []
        due += [Due(player, what, round_.opened, round_.closed or table.ends) for what in missing]
    seats = list(table.players)
    return tuple(sorted(due, key=lambda one: seats.index(one.who)))


def _blank(round_: Round, player: str) -> bool:
    return any(sheet.kind == "blank" for sheet in counted(round_, player))
