"""decide, evolve, due, prepare: orders come in sealed, and all pieces move at once. Source: sections 2 to 5."""

from __future__ import annotations

from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Fact, Luck, Moment
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.bonuses import listed
from games.hex_parties.cells import PARITIES, Parity, Piece, placed, read_cell
from games.hex_parties.end import verdict
from games.hex_parties.moves import Judged, Order, Rules, judge, resolve
from games.hex_parties.parties import enders, gained, parties, scorers
from games.hex_parties.settings import VISIBILITY, Settings
from games.hex_parties.state import Record, State, odd_cell, orders, sides, standing_cells, with_odd
from games.kinds import nearest, shown
from games.kit import luck as kit_luck
from games.kit.sealed import Round, RoundOpened, RoundResolved
from games.records import ABSENT
from games.story import Story
from games.table import BANK, Table, rounds
from games.table import actions as shared
from games.table import facts as told
from games.table import prepare as table_prepare
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import HOUR, follow
from games.table.evolve import evolve as table_evolve

FIELDS = {"points": "N", "odd": "CELL", "even": "CELL", "garnets": "N"}
"""What `override` may set, and how its value is typed."""
LOT = ("first", "second")
"""Which of a player's pieces, as they are listed, a lot makes the odd one."""


def start(table: Table) -> State:
    settings = table_settings.own(Settings, table.settings)
    points = dict.fromkeys(table.seats, 0)
    return State(table._replace(phase="round_1"), settings, placed(settings.start, table.players), points)


def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
    """What follows from an action.

    Raises:
        Refused: the rules say no. Nothing has changed.
    """
    story: Story[State] = Story(state, evolve)
    match action:
        case a.Sides():
            _sides(story, action, moment)
        case a.Move():
            _move(story, action, moment)
        case shared.Open():
            _open(story, moment)
        case shared.Resolve():
            _resolve(story, action, moment)
        case shared.Override():
            _override(story, action)
        case shared.AmendSetting():
            _amend(story, action)
        case shared.Lot(seed=str()) if _named_by_host(state):
            raise _host_names()
        case _:
            story.tell(*table_rules.decide(state.table, action, moment))
    if story.state.over:
        follow(story, verdict, moment.at)
    return story.facts


# ---- submissions -------------------------------------------------------------------------------------------------


def _taking(state: State, player: str, sent_for: str = ABSENT) -> Round:
    """The round whose orders are taken, for somebody who may send any."""
    table_rules.must_be_here(state.table, player)
    return rounds.taking(state.table, sent_for)


def _sides(story: Story[State], action: a.Sides, moment: Moment) -> None:
    """Which piece is odd: in the first round only, for good. Source: section 2, HX-9, HX-24."""
    state, player = story.state, action.player
    round_ = _taking(state, player)
    if state.results:
        raise Refused(
            "hex_parties.sides_over",
            "odd and even were chosen in round 1, for the whole match",
            f"hl override odd {player} CELL places a piece whatever the rules say",
        )
    mine = {which: state.cells[player, which] for which in PARITIES}
    if action.cell not in mine.values():
        where = " and ".join(mine.values())
        raise Refused(
            "hex_parties.no_piece",
            f"no piece of {state.table.name(player)} stands on {action.cell}; they stand on {where}",
            f"hl sides {player} {mine['odd']}",
        )
    fact = rounds.seal(state.table, player, action, moment)
    if state.settings.missing_parity == "host" and sides(round_, player) is None:  # a host says it when all is closed
        fact = fact._replace(sheet=fact.sheet._replace(late=False))
    story.tell(fact)
    _tell_faults(story, player, orders(round_, player))


def _move(story: Story[State], action: a.Move, moment: Moment) -> None:
    """Valid item by item: what breaks a rule is kept, and its consequence is said at once. Source: S-9, HX-8."""
    state, player = story.state, action.player
    _taking(state, player, action.round)
    order = a.order_of(action)
    name = order.bonus
    known = listed(state.settings.bonuses)
    if name and name not in known:
        near = nearest(name, known)
        hint = f"did you mean {near[0]}?" if near else "hl amend-setting bonuses='[{ name = \"sprint\", range = 5 }]'"
        there = f"the bonuses are {', '.join(known)}" if known else "this match has no movement bonuses (HX-2)"
        raise Unreadable("hex_parties.bonus", f"there is no bonus {shown(name)}; {there}", hint)
    story.tell(rounds.seal(state.table, player, action, moment))
    _tell_faults(story, player, order)


def _tell_faults(story: Story[State], player: str, order: Order) -> None:
    """What of a player's orders comes to nothing as things stand, whatever the others send."""
    state = story.state
    name, cells = rounds.taking(state.table).name, standing_cells(state)
    judged = _judged(state, cells, player, order)
    for which, why in judged.illegal.items():
        story.tell(f.OrderFaulty(player, name, which, order.targets[which], f"{why}: it stays", "HX-8"))
    if judged.ignored:
        why = f"{judged.ignored}: it is ignored, nothing is paid"
        story.tell(f.OrderFaulty(player, name, "bonus", order.bonus, why, "HX-7"))
    alone = {piece: cell for piece, cell in cells.items() if piece[0] == player}
    moving = {(player, w): to for w, to in judged.moves.items() if to != cells[player, w]}
    for (_, which), others in resolve(alone, moving).bounced.items():
        both = (player, others[0][1]) in moving
        why = "both pieces want it" if both else f"the own {others[0][1]} piece stands there and stays"
        story.tell(f.OrderFaulty(player, name, which, judged.moves[which], f"{why}: it stays", "HX-4, HX-5"))


def _judged(state: State, cells: Any, player: str, order: Order) -> Judged:
    """An order held against the rules as they are set, and what its player has left."""
    rules = Rules(state.settings.vacated_cells, state.settings.own_cell)
    garnets, used = state.table.garnets(player), state.used.get(player, ())
    return judge(cells, player, order, rules, listed(state.settings.bonuses), garnets, used)


# ---- phases ------------------------------------------------------------------------------------------------------


def _open(story: Story[State], moment: Moment) -> None:
    state = story.state
    if state.table.status != "setup":
        raise Refused("hex_parties.opened", "play has begun already", "hl status")
    if missing := [state.table.name(p) for p in state.table.players if (p, "odd") not in state.cells]:
        raise Refused(
            "hex_parties.start",
            f"the start layout has six pairs of cells; {', '.join(missing)} would have none (HX-1)",
            "[settings.start] in the match file, one line a player",
        )
    _begin(story, moment)


def _begin(story: Story[State], moment: Moment) -> None:
    ends = moment.at + story.state.settings.round_hours * HOUR
    story.tell(RoundOpened(f"round_{story.state.number}", moment.at, ends))


def _resolve(story: Story[State], action: shared.Resolve, moment: Moment) -> None:
    """Everybody at once; then the next round, or the end. Source: section 3, Resolution; sections 4 and 5."""
    round_ = rounds.resolving(story.state.table, action.round)
    if not story.state.results:
        _choose_sides(story, round_, action.drawn or ())
    _move_all(story, round_)
    before = story.state.points
    reached = _score(story, before)
    story.tell(RoundResolved(round_.name))
    state = story.state
    winners = tuple(p for p in state.table.players if any(owner == p for owner, _ in reached))
    if winners or len(state.results) >= state.settings.max_rounds:
        why = f"{state.table.named(winners)} scored on a victory space" if winners else "that was the last round"
        held = tuple((p, state.table.garnets(p)) for p in state.table.players)
        story.tell(f.PlayEnded(winners, why, held))
    else:
        _begin(story, moment)


def _choose_sides(story: Story[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Which piece of each player is odd. Source: section 2, HX-9."""
    state, lots = story.state, {player: word for player, _, word in (line.partition(" ") for line in drawn)}
    missing: list[str] = []
    for player in state.table.players:
        choice, first = sides(round_, player), state.cells[player, "odd"]
        if choice is not None:
            story.tell(f.ParityChosen(player, odd_cell(state, player, choice), "player"))
        elif state.settings.missing_parity == "first_listed" or player in state.table.left:
            story.tell(f.ParityChosen(player, first, "first_listed"))
        elif state.settings.missing_parity == "lot" and player in lots:
            story.tell(f.ParityChosen(player, first if lots[player] == LOT[0] else state.cells[player, "even"], "lot"))
        else:
            missing.append(player)
    if missing:
        cell = state.cells[missing[0], "odd"]
        raise Refused(
            "hex_parties.sides_missing",
            "not everybody has said which piece is odd (HX-9)",
            "hl waiting shows for whom; then hl sides PLAYER CELL",
            f"not said for {state.table.named(missing)}; hl sides {missing[0]} {cell}, or the other cell",
        )


def _move_all(story: Story[State], round_: Round) -> None:
    """Illegal orders are dropped, the others happen at once. Source: section 3, HX-2 to HX-11."""
    state = story.state
    moves: dict[Piece, str] = {}
    judged: dict[str, Judged] = {}
    for player in state.table.players:
        order = orders(round_, player)
        judged[player] = found = _judged(state, state.cells, player, order)
        moves |= {(player, which): to for which, to in found.moves.items()}
        if found.ignored:
            story.tell(f.BonusIgnored(player, order.bonus, found.ignored))
        for which, why in found.illegal.items():
            story.tell(f.OrderIllegal(player, which, order.targets[which], why))
    out = resolve(state.cells, moves)
    for player, found in judged.items():
        if found.bonus is None:
            continue
        if state.settings.refund_bounced_bonus and all((player, which) in out.bounced for which in found.carried):
            story.tell(f.BonusReturned(player, found.bonus.name))
            continue
        story.tell(f.BonusUsed(player, found.bonus.name, found.carried))
        if found.bonus.cost:
            why = f"the movement bonus {found.bonus.name}"
            story.tell(table_rules.transfer(state.table, player, BANK, found.bonus.cost, why, "HX-2, HX-7"))
    for piece, others in out.bounced.items():
        story.tell(f.PieceBounced(*piece, moves[piece], tuple(f"{owner} {which}" for owner, which in others)))
    for piece, cell in out.cells.items():
        if cell != state.cells[piece]:
            story.tell(f.PieceMoved(*piece, state.cells[piece], cell))


def _score(story: Story[State], before: Any) -> tuple[Piece, ...]:
    """Parties, points, and the pieces that end the match. Source: sections 4 and 5."""
    cells = story.state.cells
    formed = parties(cells.values())
    scored = scorers(cells, formed)
    sizes = {cell: party.size for party in formed for cell in party.cells}
    story.tell(*(f.PartyFormed(party.cells, party.scores) for party in formed))
    for player, points in gained(story.state.table.players, scored).items():
        if points:
            mine = tuple(f"{which} {cells[p, which]} {sizes[cells[p, which]]}" for p, which in scored if p == player)
            story.tell(f.PointsScored(player, points, mine))
    reached = enders(cells, scored, before)
    story.tell(*(f.VictoryReached(*piece, cells[piece], before[piece[0]]) for piece in reached))
    return reached


# ---- host powers, prepare, evolve --------------------------------------------------------------------------------


def _override(story: Story[State], action: shared.Override) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    if action.field == "garnets":
        story.tell(*table_rules.set_garnets(story.state.table, action.player, table_prepare.whole(action.value)))
    elif action.field in FIELDS:
        story.tell(f.FieldSet(action.player, action.field, field_value(action.field, action.value)))  # type: ignore[arg-type]
    else:
        raise table_prepare.no_such_field(action.field, FIELDS)


def field_value(field: str, typed: str) -> str:
    """The one spelling of an overridden value."""
    return str(table_prepare.whole(typed)) if field == "points" else read_cell(typed)


def _amend(story: Story[State], action: shared.AmendSetting) -> None:
    """A setting from now on; where the pieces start only as long as they stand there. Source: S-11."""
    state, table = story.state, story.state.table
    if action.key.partition(".")[0] == "start" and table.status != "setup":
        raise Refused(
            "hex_parties.started",
            "the pieces stand on the board already: where they start no longer matters",
            "hl override odd PLAYER CELL places one",
        )
    amended = table_rules.setting_amended(table, action, Settings, VISIBILITY, table.players)
    table_rules.must_leave_rounds(action, "max_rounds", over=state.over)
    story.tell(amended)


def _named_by_host(state: State) -> bool:
    """Must a host name the Elimination Candidate? Source: HX-16."""
    open_lots = any(d.kind == "lot" and d.about == "elimination" for d in state.table.decisions)
    return open_lots and not state.winners and state.settings.ec_tie_no_winner == "host"


def _host_names() -> Refused:
    return Refused(
        "hex_parties.host_names",
        "here no lot is drawn: a host names the Elimination Candidate",
        "hl lot --outcome PLAYER",
    )


def due(state: State) -> int | None:
    """The deadline of the round, or of a decision."""
    return state.table.next_end()


def prepare(state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What was typed, as it is recorded."""
    match action:
        case shared.Resolve():
            (named,) = table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)
            return (_with_lots(state, named, luck),)
        case shared.Lot(outcome=None) if _named_by_host(state):
            raise _host_names()
        case shared.Override() if action.field in ("points", "odd", "even"):
            return (action._replace(value=field_value(action.field, action.value)),)
        case _:
            return table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)


def _with_lots(state: State, action: shared.Resolve, luck: Luck) -> shared.Resolve:
    """In round 1 a lot for everybody, drawn or typed: a choice that is taken back later may need one. Source: HX-9."""
    if state.results or state.settings.missing_parity != "lot":
        if action.drawn is not None:
            raise Refused("hex_parties.drawn", "no lot decides here which piece is odd (HX-9)", "leave --drawn out")
        return action
    if action.drawn is None:
        seed = luck.seed()
        return action._replace(drawn=_drawn(state, seed, luck.seq), seed=seed.hex())
    typed = action._replace(drawn=tuple(_typed_lot(state, line) for line in action.drawn))
    if typed.seed is not None and audit(state, typed, luck.seq) is not None:
        return typed._replace(seed=None)  # amended: the outcome is typed in now
    return typed


def _typed_lot(state: State, line: str) -> str:
    """`ann A4`, or as it is kept: `ann second`."""
    name, _, said = line.strip().partition(" ")
    player, word = state.table.directory().find(name), said.strip().lower()
    if word not in LOT:
        mine = [state.cells[player, which] for which in PARITIES]
        if (cell := read_cell(word)) not in mine:
            what = f"no piece of {state.table.name(player)} stands on {cell}; they stand on {' and '.join(mine)}"
            raise Refused("hex_parties.no_piece", what, f'--drawn "{player} {mine[0]}"')
        word = LOT[mine.index(cell)]
    return f"{player} {word}"


def _drawn(state: State, seed: bytes, seq: int) -> tuple[str, ...]:
    stream = kit_luck.stream(kit_luck.mix(seed), f"lot:{seq}")
    return tuple(f"{player} {LOT[kit_luck.below(stream, 2)]}" for player in state.table.players)


def audit(state: State, action: Action, seq: int, key: bytes | None = None) -> str | None:
    """Repeats a recorded draw. Returns what is wrong with it, or None."""
    if isinstance(action, shared.Resolve) and action.seed is not None:
        return table_prepare.redrawn(action.seed, lambda seed: _drawn(state, seed, seq), action.drawn, "other pieces")
    return table_prepare.audit(state.table, action, seq)


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Total: a fact it cannot place is a bug."""
    match fact:
        case f.OrderFaulty() | f.BonusIgnored() | f.BonusReturned():
            return state
        case f.VictoryReached():
            return state._replace(reached=(*state.reached, fact))
        case f.ParityChosen():
            return state._replace(cells=with_odd(state.cells, fact.player, fact.cell))
        case f.OrderIllegal():
            return state._replace(now=state.now._replace(illegal=(*state.now.illegal, fact)))
        case f.BonusUsed():
            return state._replace(used={**state.used, fact.player: (*state.used.get(fact.player, ()), fact.bonus)})
        case f.PieceBounced():
            return state._replace(now=state.now._replace(bounced=(*state.now.bounced, fact)))
        case f.PieceMoved():
            return _placed(state, fact.player, fact.piece, fact.to)
        case f.PartyFormed():
            return state._replace(now=state.now._replace(parties=(*state.now.parties, fact)))
        case f.PointsScored():
            now = state.now._replace(gained={**state.now.gained, fact.player: fact.points})
            points = {**state.points, fact.player: state.points[fact.player] + fact.points}
            return state._replace(now=now, points=points)
        case RoundResolved():
            record = state.now._replace(cells=state.cells, points=state.points)
            table = table_evolve(state.table, fact)
            return state._replace(table=table, results=(*state.results, record), now=Record(record.number + 1))
        case f.PlayEnded():
            return state._replace(over=True, winners=fact.winners, closing=dict(fact.garnets))
        case f.FieldSet(field="points"):
            return state._replace(points={**state.points, fact.player: int(fact.value)})
        case f.FieldSet(field=("odd" | "even") as which):
            return _set_piece(state, fact.player, which, fact.value)
        case told.SettingAmended():
            table = table_evolve(state.table, fact)
            settings = table_settings.own(Settings, table.settings)
            fresh = table.status == "setup"
            cells = placed(settings.start, table.players) if fresh else state.cells
            return state._replace(table=table, settings=settings, cells=cells)
        case _:
            return state._replace(table=table_evolve(state.table, fact))


def _placed(state: State, player: str, which: Parity, cell: str) -> State:
    return state._replace(cells={**state.cells, (player, which): cell})


def _set_piece(state: State, player: str, which: Parity, cell: str) -> State:
    """A host puts a piece somewhere. In round 1 the odd one is the one that its player has chosen so far."""
    swapped = standing_cells(state)[player, "odd"] != state.cells[player, "odd"]
    other: Parity = "even" if which == "odd" else "odd"
    return _placed(state, player, other if swapped else which, cell)


def invariants(state: State) -> tuple[str, ...]:
    """Laws that hold unless a host overrode them: one piece a cell, garnets are not made of nothing."""
    standing: dict[str, list[str]] = {}
    for (player, which), cell in state.cells.items():
        standing.setdefault(cell, []).append(f"{player}'s {which} piece")
    broken = [f"{' and '.join(pieces)} stand on {cell}" for cell, pieces in standing.items() if len(pieces) > 1]
    broken += [
        f"{p} used {name} twice" for p, names in state.used.items() for name in {n for n in names if names.count(n) > 1}
    ]
    if sum(state.table.purses.values()) != 0:
        broken.append("the purses do not balance")
    return tuple(broken)
