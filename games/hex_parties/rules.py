"""What is legal and what comes of it: orders come in sealed, and all pieces move at once. Source: sections 2 to 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from events.errors import Refused, Unreadable
from games.contract import Action, Luck, Moment, Transaction
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.bonuses import listed
from games.hex_parties.cells import PARITIES, Cells, Parity, Piece, on_board, placed, read_cell
from games.hex_parties.evolve import with_piece
from games.hex_parties.moves import Judged, Order, Rules, judge, resolve
from games.hex_parties.parties import enders, gained, parties, scorers
from games.hex_parties.facts import piece_placed
from games.hex_parties.settings import Settings
from games.hex_parties.facts import State, move, odd_cell, orders, sides, standing_cells
from games.kinds import count, did_you_mean, shown
from games.kit.sealed import Round, counted, standing, up_to
from games.parts import Override
from games.parts.rules import by_the_table, taking
from games.table import BANK, Table, rounds
from games.table import actions as shared
from games.table import rules as table_rules
from games.table.prepare import NONE, or_none

LOT = ("first", "second")
"""Which of a player's pieces, as they are listed, a lot makes the odd one."""
ORDERS_DUE, SIDES_DUE = "sheet of orders", "choice of the odd piece"


def start(table: Table, settings: Settings) -> State:
    return State(table, settings, placed(settings.start, table.players), dict.fromkeys(table.seats, 0))


# ---- submissions -------------------------------------------------------------------------------------------------


def choose_sides(tx: Transaction[State], action: a.Sides, moment: Moment) -> None:
    """Which piece is odd: in the first round only, for good. Source: section 2, HX-9, HX-24."""
    state, player = tx.state, action.player
    round_ = taking(state.table, player)
    if state.results:
        raise Refused(
            "hex_parties.sides_over",
            "odd and even were chosen in round 1, for the whole match",
            f"hl override odd {player} CELL",
        )
    mine = [state.cells[player, which] for which in on_board(state.cells, player)]
    if action.cell not in mine:
        fix = f"hl sides {player} {mine[0]}" if mine else f"hl override odd {player} CELL"
        raise _no_piece(state, player, action.cell, fix)
    fact = rounds.seal(state.table, player, action, moment)
    if state.settings.missing_parity == "host" and sides(round_, player) is None:  # a host says it when all is closed
        fact = fact._replace(sheet=fact.sheet._replace(late=False))
    tx.emit(fact)
    _tell_faults(tx, player, orders(round_, player))


def _no_piece(state: State, player: str, cell: str, fix: str) -> Refused:
    where = " and ".join(state.cells[player, which] for which in on_board(state.cells, player)) or "no cell"
    what = f"no piece of {state.table.name(player)} stands on {cell}; they stand on {where}"
    return Refused("hex_parties.no_piece", what, fix)


def slips(state: State, action: a.Move, luck: Luck) -> tuple[Action, ...]:
    """Two cells for a piece, and two bonuses, are refused unless the player wrote them so.

    Raises:
        Unreadable: `sealed.twice`.
    """
    order = a.order_of(action)
    if order.twice and not action.as_sent:
        which = next((which for which in PARITIES if which in order.twice), None)
        what = f"the {which} piece is sent to {order.targets[which]}" if which else f"{order.bonus} in one message"
        rule = "one cell a piece (HX-21)" if which else "one bonus a round (HX-7)"
        raise Unreadable("sealed.twice", f"{what}: {rule}", "--as-sent if the player wrote it so")
    return (action,)


def check_move(state: State, round_: Round, action: a.Move) -> None:
    """Whatever breaks a rule is kept; only a bonus that the match has not is no order. Source: S-9, HX-2."""
    known = listed(state.settings.bonuses)
    names = [name.partition(":")[0] for name in (action.bonus or "").split(", ") if name]
    for name in (name for name in names if name not in known):
        add = "hl amend-setting bonuses='[{ name = \"sprint\", range = 5 }]'"
        there = f"the bonuses are {', '.join(known)}" if known else "this match has no movement bonuses (HX-2)"
        raise Unreadable(
            "hex_parties.bonus", f"there is no bonus {shown(name)}; {there}", did_you_mean(name, [*known], add, 1)
        )


def warn_at_once(tx: Transaction[State], action: a.Move) -> None:
    """What breaks a rule is recorded, and its consequence is said, with all that is added. Source: S-9, HX-8."""
    on = tx.state.table.round
    assert on is not None, "orders are in"
    _tell_faults(tx, action.player, orders(up_to(on, action.player), action.player))


def parts(action: a.Move) -> tuple[str, ...] | None:
    """What an addition says anything of. Source: S-9."""
    return a.named(action) if action.add else None


def on_sheet(state: State, round_: Round, player: str) -> Mapping[str, str]:
    """All that counts of a player in that round, in words."""
    orders_, choice = move(round_, player), sides(round_, player)
    nothing = {"-orders": "nothing moves"} if orders_ is not None and not orders_.orders else {}
    return a.items(choice, orders_) | nothing


def _tell_faults(tx: Transaction[State], player: str, order: Order) -> None:
    """What of a player's orders comes to nothing as things stand, whatever the others send."""
    state = tx.state
    name, cells = rounds.taking(state.table).name, standing_cells(state)
    judged = _judged(state, cells, player, order)
    for which, why in judged.illegal.items():
        tx.emit(f.OrderFaulty(player, name, which, order.targets[which], f"{why}: it stays", "HX-8"))
    if judged.ignored:
        why = f"{judged.ignored}: it is ignored, nothing is paid"
        tx.emit(f.OrderFaulty(player, name, "bonus", order.bonus, why, "HX-7"))
    alone = {piece: cell for piece, cell in cells.items() if piece[0] == player}
    moving = {(player, w): to for w, to in judged.moves.items() if to != cells.get((player, w))}
    for (_, which), others in resolve(alone, moving).bounced.items():
        both = (player, others[0][1]) in moving
        why = "both pieces want it" if both else f"the own {others[0][1]} piece stands there and stays"
        tx.emit(f.OrderFaulty(player, name, which, judged.moves[which], f"{why}: it stays", "HX-4, HX-5"))


def _judged(state: State, cells: Cells, player: str, order: Order) -> Judged:
    """An order held against the rules as they are set, and what its player has left."""
    rules = Rules(state.settings.vacated_cells, state.settings.own_cell)
    garnets, used = state.table.garnets(player), state.used.get(player, ())
    return judge(cells, player, order, rules, listed(state.settings.bonuses), garnets, used)


def unpaid(state: State, round_: Round) -> Iterator[str]:
    """Bonuses on sheets that nobody can pay: garnets may have changed since they came in. Source: HX-7."""
    for player in round_.sheets:
        order = orders(round_, player)
        bonus, held = listed(state.settings.bonuses).get(order.bonus), state.table.garnets(player)
        if bonus is not None and bonus.cost > held:
            cost = f"{bonus.name} costs {count(bonus.cost, 'garnet')}, {held} held"
            yield f"the orders of {state.table.name(player)}: {cost} (HX-7)"


# ---- rounds ------------------------------------------------------------------------------------------------------


def may_open(state: State) -> None:
    """Everybody needs two cells. Source: section 2, HX-1."""
    if missing := [state.table.name(p) for p in state.table.present if not on_board(state.cells, p)]:
        raise Refused(
            "hex_parties.start",
            f"the start layout has six pairs of cells; {', '.join(missing)} would have none (HX-1)",
            "[settings.start] in the match file, one line a player",
        )


def owes(state: State, round_: Round, player: str) -> tuple[str, ...]:
    """Orders and, in round 1, the choice of the odd piece. Source: S-10."""
    status = standing(round_, player)
    if status == "silent":
        return (ORDERS_DUE,)
    if status == "blank" or state.results:
        return ()
    blank = any(sheet.kind == "blank" for sheet in counted(round_, player))
    missing = (SIDES_DUE,) if sides(round_, player) is None else ()
    return missing if blank or move(round_, player) is not None else (*missing, ORDERS_DUE)


def resolve_round(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """Everybody at once: pieces move, parties score. Source: section 3, Resolution; sections 4 and 5."""
    if not tx.state.results:
        _choose_sides(tx, round_, drawn)
    _move_all(tx, round_)
    _score(tx)


def end_of_play(tx: Transaction[State], round_: Round, moment: Moment) -> None:
    """The match ends when somebody scored on a victory space, or with the last round. Source: section 5, HX-14."""
    state = tx.state
    winners = tuple(p for p in state.table.players if any(fact.player == p for fact in state.reached))
    if winners or len(state.results) >= state.settings.max_rounds:
        why = f"{state.table.named(winners)} scored on a victory space" if winners else "that was the last round"
        held = tuple((p, state.table.garnets(p)) for p in state.table.players)
        tx.emit(f.PlayEnded(winners, why, held))


def _choose_sides(tx: Transaction[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Which piece of each player is odd. Source: section 2, HX-9."""
    state, lots = tx.state, {player: word for player, _, word in (line.partition(" ") for line in drawn)}
    missing: list[str] = []
    for player in state.table.players:
        choice, first = sides(round_, player), state.cells.get((player, "odd"), "")
        if len(on_board(state.cells, player)) < len(PARITIES) and choice is None:
            continue  # a host took pieces off: what is left stays what it is
        if choice is not None:
            tx.emit(f.ParityChosen(player, odd_cell(state, player, choice), "player"))
        elif state.settings.missing_parity == "first_listed" or player in state.table.left:
            tx.emit(f.ParityChosen(player, first, "first_listed"))
        elif state.settings.missing_parity == "lot" and player in lots:
            tx.emit(f.ParityChosen(player, first if lots[player] == LOT[0] else state.cells[player, "even"], "lot"))
        else:
            missing.append(player)
    if missing:
        cell = state.cells[missing[0], "odd"]
        raise Refused(
            "hex_parties.sides_missing",
            "not everybody has said which piece is odd (HX-9)",
            "hl waiting",
            f"not said for {state.table.named(missing)}; hl sides {missing[0]} {cell}, or the other cell",
        )


def _move_all(tx: Transaction[State], round_: Round) -> None:
    """Illegal orders are dropped, the others happen at once. Source: section 3, HX-2 to HX-11."""
    state = tx.state
    moves: dict[Piece, str] = {}
    judged: dict[str, Judged] = {}
    for player in state.table.players:
        order = orders(round_, player)
        judged[player] = result = _judged(state, state.cells, player, order)
        moves |= {(player, which): to for which, to in result.moves.items()}
        if result.ignored:
            tx.emit(f.BonusIgnored(player, order.bonus, result.ignored))
        for which, why in result.illegal.items():
            tx.emit(f.OrderIllegal(player, which, order.targets[which], why))
    out = resolve(state.cells, moves)
    for player, result in judged.items():
        if result.bonus is None:
            continue
        if state.settings.refund_bounced_bonus and all((player, which) in out.bounced for which in result.carried):
            tx.emit(f.BonusReturned(player, result.bonus.name))
            continue
        tx.emit(f.BonusUsed(player, result.bonus.name, result.carried))
        if result.bonus.cost:
            why = f"the movement bonus {result.bonus.name}"
            tx.emit(table_rules.transfer(state.table, player, BANK, result.bonus.cost, why, "HX-2, HX-7"))
    for piece, others in out.bounced.items():
        tx.emit(f.PieceBounced(*piece, moves[piece], tuple(f"{owner} {which}" for owner, which in others)))
    for piece, cell in out.cells.items():
        if cell != state.cells[piece]:
            tx.emit(f.PieceMoved(*piece, state.cells[piece], cell))


def _score(tx: Transaction[State]) -> None:
    """Parties, points, and the pieces that end the match. Source: sections 4 and 5."""
    cells, before = tx.state.cells, tx.state.points
    formed = parties(cells.values())
    scored = scorers(cells, formed)
    sizes = {cell: len(party.cells) for party in formed for cell in party.cells}
    tx.emit(*formed)
    for player, points in gained(tx.state.table.players, scored).items():
        if points:
            mine = tuple(f"{which} {cells[p, which]} {sizes[cells[p, which]]}" for p, which in scored if p == player)
            tx.emit(f.PointsScored(player, points, mine))
    if not tx.state.may_be_won:
        return
    present = [piece for piece in scored if piece[0] not in tx.state.table.left]  # who has left ends nothing: HX-27
    for piece in enders(cells, present, before):
        tx.emit(f.VictoryReached(*piece, cells[piece], before[piece[0]]))


def typed_lot(state: State, line: str) -> str:
    """`ann A4`, or as it is kept: `ann second`."""
    name, _, answer = line.partition(" ")
    player, word = state.table.directory().find(name), answer.strip().lower()
    if word not in LOT:
        mine = [state.cells.get((player, which), "") for which in PARITIES]
        if (cell := read_cell(word)) not in mine:
            raise _no_piece(state, player, cell, f'--drawn "{player} {mine[0]}"')
        word = LOT[mine.index(cell)]
    return f"{player} {word}"


# ---- host powers -------------------------------------------------------------------------------------------------


def may_amend(state: State, action: shared.AmendSetting) -> None:
    """Where the pieces start only as long as they stand there; how many rounds until they are over. Source: S-11."""
    if action.key.partition(".")[0] == "start" and state.table.status != "setup":
        raise Refused(
            "hex_parties.started",
            "the pieces stand on the board already: where they start no longer matters",
            "hl override odd PLAYER CELL",
        )
    if action.key == "max_rounds" and state.over:
        raise table_rules.rounds_over(action)


def lot(tx: Transaction[State], action: shared.Lot, moment: Moment) -> None:
    """Where a host must name the Elimination Candidate no lot is drawn. Source: HX-16."""
    if action.seed is not None:
        host_names(tx.state)
    by_the_table(tx, action, moment)


def prepared_lot(state: State, action: shared.Lot, luck: Luck) -> tuple[Action, ...]:
    if action.outcome is None:
        host_names(state)
    return (action,)


def host_names(state: State) -> None:
    """Raises `Refused` if a host must name the Elimination Candidate. Source: HX-16."""
    open_lots = any(d.kind == "lot" and d.about == "elimination" for d in state.table.decisions)
    if open_lots and not state.winners and state.settings.ec_tie_no_winner == "host":
        raise Refused(
            "hex_parties.host_names",
            "here no lot is drawn: a host names the Elimination Candidate",
            "hl lot --outcome PLAYER",
        )


def piece_override(which: Parity) -> Override[State]:
    """A host puts a piece somewhere. In round 1 the odd one is the one that its player has chosen so far."""
    opposite: Parity = "even" if which == "odd" else "odd"

    def put(state: State, player: str, cell: str) -> State:
        now = standing_cells(state)
        swapped = any(now.get((player, piece)) != state.cells.get((player, piece)) for piece in PARITIES)
        piece = opposite if swapped else which
        if cell == NONE:  # off the board
            return state._replace(cells={at: where for at, where in state.cells.items() if at != (player, piece)})
        return with_piece(state, player, piece, cell)

    return Override("CELL|none", or_none(read_cell), put, "positions", public=piece_placed)
