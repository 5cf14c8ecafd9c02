"""The rules: sealed orders, simultaneous moves, parties that score, and the end.

Source: sections 2 to 5, HX-12 to HX-21.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from events.errors import Refused, Unreadable
from games.contract import Action, Luck, Moment, Override, Transaction
from games.hex_parties import actions as a, board, facts as f
from games.hex_parties.actions import Settings
from games.hex_parties.board import BOARD, PARITIES, Cells, Order, Parity, Piece, Rules, bonuses_of, on_board, read_cell
from games.hex_parties.facts import PartyFormed, State, move, odd_cell, orders, piece_placed, sides, standing_cells
from games.kinds import count, did_you_mean, grouped, shown
from games.parts.rules import by_the_table, taking
from games.table import actions as shared, rounds, rules as table_rules
from games.table.endgame import Worst, eliminate, holders, ranked
from games.table.prepare import NONE, or_none
from games.table.rounds import counted, standing, up_to
from games.table.state import BANK, Reward, Round, Spare, Table, TokenReason, Verdict

LOT = ("first", "second")
"""The outcomes of a lot for the odd piece: the player's first or second listed piece."""
ORDERS_DUE, SIDES_DUE = "sheet of orders", "choice of the odd piece"


def start(table: Table, settings: Settings) -> State:
    return State(table, settings, board.placed(settings.start, table.players))


# ---- submissions -------------------------------------------------------------------------------------------------


def choose_sides(tx: Transaction[State], action: a.Sides, moment: Moment) -> None:
    """Choose the odd piece, in the first round only and for good. Source: section 2, HX-9, HX-24."""
    state, player = tx.state, action.player
    round_ = taking(state.table, player)
    if state.results:
        what = "players choose odd and even in round 1, for the whole match"
        fix = f"add --at TIME if it was sent in round 1\nhl override {player} odd CELL"
        raise Refused("hex_parties.sides_over", what, fix)
    mine = [state.cells[player, which] for which in on_board(state.cells, player)]
    if action.cell not in mine:
        raise _no_piece(state, player, action.cell, f"hl view --for {player}")
    fact = rounds.seal(state.table, player, action, moment)
    if state.settings.missing_parity == "host" and sides(round_, player) is None:  # a host may say it after the close
        fact = fact._replace(sheet=fact.sheet._replace(late=False))
    tx.emit(fact)
    tx.emit(*_faults(tx.state, player, orders(round_, player)))


def _no_piece(state: State, player: str, cell: str, fix: str) -> Refused:
    where = " and ".join(state.cells[player, which] for which in on_board(state.cells, player)) or "no cell"
    what = f"{state.table.name(player)} has no piece on {cell}"
    return Refused("hex_parties.no_piece", what, fix, f"the pieces are on {where}")


def slips(state: State, action: a.Move, luck: Luck) -> tuple[Action, ...]:
    """Refuse two cells for one piece, or two bonuses, unless the player wrote so.

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
    """Refuse an unknown bonus. Orders that break a rule are kept. Source: S-9, HX-2."""
    known = bonuses_of(state.settings.bonuses)
    names = [name.partition(":")[0] for name in (action.bonus or "").split(", ") if name]
    for name in (name for name in names if name not in known):
        add = "hl amend-setting bonuses='[{ name = \"sprint\", range = 5 }]'"
        there = f"the bonuses are {', '.join(known)}" if known else "this match has no movement bonuses (HX-2)"
        what = f"there is no bonus {shown(name)}; {there}"
        raise Unreadable("hex_parties.bonus", what, did_you_mean(name, [*known], "--bonus NAME" if known else add, 1))


def warn_at_once(tx: Transaction[State], action: a.Move) -> None:
    """Warn of orders, with all additions, that break a rule: they are recorded. Source: S-9, HX-8."""
    on = tx.state.table.round
    assert on is not None, "orders are in"
    tx.emit(*_faults(tx.state, action.player, orders(up_to(on, action.player), action.player)))


def parts(action: a.Move) -> tuple[str, ...] | None:
    """The kinds of items in an addition. Source: S-9."""
    return a.named(action) if action.add else None


def on_sheet(state: State, round_: Round, player: str) -> Mapping[str, str]:
    orders_, choice = move(round_, player), sides(round_, player)
    nothing = {"-orders": "nothing moves"} if orders_ is not None and not orders_.orders else {}
    return a.items(choice, orders_) | nothing


def _faults(state: State, player: str, order: Order) -> Iterator[f.OrderFaulty]:
    """Which of a player's orders will have no effect as things are, whatever the others send."""
    name, cells = rounds.taking(state.table).name, standing_cells(state)
    judged = _judged(state, cells, player, order)
    for which, why in judged.illegal.items():
        yield f.OrderFaulty(player, name, which, order.targets[which], f"{why}: it stays", "HX-8")
    if judged.ignored:
        why = f"{judged.ignored}: it is ignored, nothing is paid"
        yield f.OrderFaulty(player, name, "bonus", order.bonus, why, "HX-7")
    alone = {piece: cell for piece, cell in cells.items() if piece[0] == player}
    moving = {(player, w): to for w, to in judged.moves.items() if to != cells.get((player, w))}
    for (_, which), others in board.resolve(alone, moving).bounced.items():
        both = (player, others[0][1]) in moving
        why = "both pieces want it" if both else f"the player's own {others[0][1]} piece is there and stays"
        yield f.OrderFaulty(player, name, which, judged.moves[which], f"{why}: it stays", "HX-4, HX-5")


def _judged(state: State, cells: Cells, player: str, order: Order) -> board.Judged:
    """Check an order against the settings and what its player has left."""
    rules = Rules(state.settings.vacated_cells, state.settings.own_cell)
    garnets, used = state.table.garnets(player), state.used.get(player, ())
    return board.judge(cells, player, order, rules, bonuses_of(state.settings.bonuses), garnets, used)


def faults(state: State, round_: Round) -> Iterator[tuple[int, str]]:
    """Orders and bonuses on sheets that will have no effect as things are. Source: HX-7, HX-8."""
    for player in sorted(round_.sheets):
        moves = {s.seq: s.content for s in counted(round_, player) if isinstance(s.content, a.Move)}
        sent = {seq: [*_faults(state, player, a.order_of(move))] for seq, move in moves.items()}
        for fact in _faults(state, player, orders(round_, player)):
            yield rounds.entry_of(sent, fact), f"{fact.host(state)} ({fact.rule})"


# ---- rounds ------------------------------------------------------------------------------------------------------


def places(settings: Settings) -> tuple[int, str]:
    """Every player needs two start cells. Source: section 2, HX-1."""
    pairs = len(settings.start or board.TEMPLATE)
    return pairs, f"the setting start has cells for {count(pairs, 'player')} (HX-1)"


def owes(state: State, round_: Round, player: str) -> tuple[str, ...]:
    """What a player still owes: orders and, in round 1, the choice of the odd piece. Source: S-10."""
    status = standing(round_, player)
    if status == "silent":
        return (ORDERS_DUE,)
    if status == "blank" or state.results:
        return ()
    blank = any(sheet.kind == "blank" for sheet in counted(round_, player))
    missing = (SIDES_DUE,) if sides(round_, player) is None else ()
    return missing if blank or move(round_, player) is not None else (*missing, ORDERS_DUE)


def resolve_round(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """Move all pieces at once and score the parties. Illegal orders are dropped.

    Source: sections 3 to 5, HX-2 to HX-11.
    """
    if not tx.state.results:
        _choose_sides(tx, round_, drawn)
    state = tx.state
    moves: dict[Piece, str] = {}
    judged: dict[str, board.Judged] = {}
    for player in state.table.players:
        order = orders(round_, player)
        judged[player] = result = _judged(state, state.cells, player, order)
        moves |= {(player, which): to for which, to in result.moves.items()}
        if result.ignored:
            tx.emit(f.BonusIgnored(player, order.bonus, result.ignored))
        for which, why in result.illegal.items():
            tx.emit(f.OrderIllegal(player, which, order.targets[which], why))
    out = board.resolve(state.cells, moves)
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
    for piece, others in sorted(out.bounced.items()):
        tx.emit(f.PieceBounced(*piece, moves[piece], tuple(f"{owner} {which}" for owner, which in others)))
    for piece, cell in out.cells.items():
        if cell != state.cells[piece]:
            tx.emit(f.PieceMoved(*piece, state.cells[piece], cell))
    _score(tx)


def end_of_play(tx: Transaction[State], round_: Round, moment: Moment) -> None:
    """End play if somebody scored on a victory space, or after the last round. Source: section 5, HX-14."""
    state = tx.state
    winners = tuple(p for p in state.table.players if any(fact.player == p for fact in state.reached))
    if winners or len(state.results) >= state.settings.max_rounds:
        why = f"{state.table.named(winners)} scored on a victory space" if winners else "that was the last round"
        held = tuple((p, state.table.garnets(p)) for p in state.table.players)
        tx.emit(f.PlayEnded(winners, why, held))


def _choose_sides(tx: Transaction[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Fix the odd piece of each player. Source: section 2, HX-9."""
    state, lots = tx.state, {player: word for player, _, word in (line.partition(" ") for line in drawn)}
    missing: list[str] = []
    for player in state.table.players:
        choice, first = sides(round_, player), state.cells.get((player, "odd"), "")
        if len(on_board(state.cells, player)) < len(PARITIES) and choice is None:
            continue  # a host took pieces off; the rest keep their parity
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
        what = "some players have not said which piece is odd (HX-9)"
        host_only = f"not said for {state.table.named(missing)}; hl sides {missing[0]} {cell}, or the other cell"
        raise Refused("hex_parties.sides_missing", what, "hl sides PLAYER CELL", host_only)


def _score(tx: Transaction[State]) -> None:
    """Emit parties, points, and the pieces that end the match. Source: sections 4 and 5."""
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
    present = [piece for piece in scored if piece[0] not in tx.state.table.left]  # leavers end nothing: HX-27
    for piece in enders(cells, present, before):
        tx.emit(f.VictoryReached(*piece, cells[piece], before[piece[0]]))


def typed_lot(state: State, line: str) -> str:
    """Convert a typed `ann A4` to what is kept, `ann second`, which may also be typed."""
    name, _, answer = line.partition(" ")
    player, word = state.table.directory().find(name), answer.strip().lower()
    if word not in LOT:
        mine = [state.cells.get((player, which), "") for which in PARITIES]
        if (cell := read_cell(word)) not in mine:
            raise _no_piece(state, player, cell, f'--drawn "{player} first"')
        word = LOT[mine.index(cell)]
    return f"{player} {word}"


# ---- parties, points and victory -----------------------------------------------------------------------------------

WORTH = (0, 1, 3)
"""Points if none, one or both of a player's pieces score. Source: section 4."""
FIRST_RING = 4
"""The points that make the centre a victory space; each further ring takes 3 more. Source: section 5."""


def scoring(size: int) -> Literal["odd", "even", "none"]:
    """The pieces that score in a party of that size. Source: section 4.

    >>> [scoring(size) for size in (1, 2, 3, 4, 5)]
    ['none', 'none', 'odd', 'even', 'odd']
    """
    if size < 3:
        return "none"
    return "odd" if size % 2 else "even"


def parties(occupied: Iterable[str]) -> tuple[PartyFormed, ...]:
    """All groups of two or more cells connected by shared edges, in reading order. Source: section 4, HX-20.

    >>> parties(["E5", "A1", "E6", "D5"])
    (PartyFormed(cells=('D5', 'E5', 'E6'), scores='odd'),)
    """
    taken = set(occupied)
    groups = []
    for cell in (cell for cell in BOARD.axial if cell in taken):
        if cell not in taken:
            continue
        group, edge = {cell}, [cell]
        while edge:
            near = [at for at in BOARD.neighbours(edge.pop()) if at in taken and at not in group]
            group.update(near)
            edge += near
        taken -= group
        if len(group) > 1:
            groups.append(PartyFormed(tuple(c for c in BOARD.axial if c in group), scoring(len(group))))
    return tuple(groups)


def scorers(cells: Cells, formed: Iterable[PartyFormed]) -> tuple[Piece, ...]:
    scores = {cell: party.scores for party in formed for cell in party.cells}
    return tuple(piece for piece, cell in cells.items() if scores.get(cell) == piece[1])


def gained(players: Iterable[str], scored: Iterable[Piece]) -> dict[str, int]:
    owners = [owner for owner, _ in scored]
    return {player: WORTH[owners.count(player)] for player in players}


def radius(points: int) -> int | None:
    """The outermost ring of victory spaces for a number of points, or None. Source: section 5, HX-13.

    >>> [radius(points) for points in (3, 4, 6, 7, 10, 13, 16, 40)]
    [None, 0, 0, 1, 2, 3, 4, 4]
    """
    return None if points < FIRST_RING else min(BOARD.side - 1, (points - FIRST_RING) // 3)


@functools.cache
def victory_cells(points: int) -> tuple[str, ...]:
    """The victory spaces for a number of points, in reading order."""
    reach = radius(points)
    return () if reach is None else BOARD.within(reach)


def enders(cells: Cells, scored: Iterable[Piece], before: Mapping[str, int]) -> tuple[Piece, ...]:
    """The pieces that score on a victory space of their owner. Source: section 5.

    Args:
        before: Player -> points before this round, whose own points do not count yet (HX-12).
    """
    return tuple(piece for piece in scored if cells[piece] in victory_cells(before[piece[0]]))


# ---- host powers -------------------------------------------------------------------------------------------------


def may_amend(state: State, action: shared.AmendSetting) -> None:
    """The start cells can change only while the pieces are on them, the rounds only until they are over. S-11."""
    if action.key.partition(".")[0] == "start" and state.table.status != "setup":
        what = "the pieces are already on the board, so where they start no longer matters"
        raise Refused("hex_parties.started", what, "hl override PLAYER odd CELL")
    if action.key == "max_rounds" and state.over:
        raise table_rules.rounds_over(action)


def lot(tx: Transaction[State], action: shared.Lot, moment: Moment) -> None:
    """Draw a lot, unless a host must name the Elimination Candidate. Source: HX-16."""
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
        what = "no lot is drawn here: a host names the Elimination Candidate"
        raise Refused("hex_parties.host_names", what, "hl lot --outcome PLAYER")


def piece_override(which: Parity) -> Override:
    """The override that places a piece. In round 1 the odd one is the player's choice so far."""
    opposite: Parity = "even" if which == "odd" else "odd"

    def put(state: State, player: str, cell: str) -> State:
        now = standing_cells(state)
        swapped = any(now.get((player, piece)) != state.cells.get((player, piece)) for piece in PARITIES)
        piece = opposite if swapped else which
        if cell == NONE:  # off the board
            return state._replace(cells={at: where for at, where in state.cells.items() if at != (player, piece)})
        return state.with_piece(player, piece, cell)

    return Override("CELL|none", or_none(read_cell), put, "positions", public=piece_placed)


# ---- the end -------------------------------------------------------------------------------------------------------

RULE = "section 5"
LINES = ("points", "winners")
TOKENS = {1: 2, 2: 1}
"""Number of players who ended the match -> tokens for each; three or more get none."""


def verdict(state: State) -> Verdict:
    """How the match ends, as far as is known; empty while play goes on."""
    winners = state.winners
    tokens = TOKENS.get(len(winners), 0)
    alone = "ended the match alone" if len(winners) == 1 else f"one of {len(winners)} who ended the match"
    why = {p: f"{alone}: {' and '.join(x.in_words for x in state.reached if x.player == p)}" for p in winners}
    lines = (*LINES, "positions")  # it names the cell
    awards = [TokenReason(p, "ended", why[p], RULE, lines) for p in winners if tokens]
    second = "a second one, to give away"
    awards += [TokenReason(p, "ended_to_give", second, RULE, (), second) for p in winners if tokens > 1]
    unwon: tuple[TokenReason, ...] = ()
    if winners and not tokens:
        tie = f"{state.table.named(winners)} ended the match: three or more, so nobody wins a token"
        unwon = (TokenReason("", "ended", tie, RULE, ("winners",)),)
    rewards = tuple(_reward(state, p, alone) for p in winners)
    last = _elimination(state, holders(state.table, awards))
    spare = Spare(state.settings.gift_hours)
    return last._replace(awards=tuple(awards), unwon=unwon, rewards=rewards, spare=spare)


def _reward(state: State, player: str, why: str) -> Reward:
    """The reward of a winner; garnets above the cap are discarded. Source: HX-19, S-7."""
    garnets, lost = state.reward(player)
    why += f"; {state.discarded(lost)}" if lost else ""
    return Reward(player, garnets, why, f"{RULE}, HX-19" if lost else RULE)


def _elimination(state: State, having: Sequence[str]) -> Verdict:
    """The player with fewest points, and why, or the decision still needed. Section 5, HX-15, HX-16, HX-27."""
    table = state.table
    without = state.settings.ec_excludes_token_holders
    barred = having if without else ()

    def worst(able: Sequence[str]) -> Worst:
        last = ranked({p: state.points[p] for p in able}, lowest=True)[0]
        short = f"fewest points{' without a token' if without else ''}"
        why = f"{short}: {state.points[last[0]]}"
        lines = (*LINES, "tokens") if without else LINES  # who is equal and not named holds one
        if len(last) > 1:
            why += f"; {table.named(last)} are equal"
            if not state.winners and state.settings.ec_tie_no_winner == "lower_garnets":
                here = table.remaining(last, "elimination")
                had = {p: state.closing.get(p, table.garnets(p)) for p in here}  # later changes make no difference
                last = ranked(had, lowest=True)[0]
                why, lines = f"{why}; fewest garnets: {had[last[0]]}", (*lines, "own_garnets")
        return Worst(last, why, short, lines)

    return eliminate(table, barred, worst, state.winners, state.settings.vote_hours)


# ---- laws, what a player can do, words likely meant -----------------------------------------------------------------


def broken_laws(state: State) -> Iterator[str]:
    """Laws that only an override can break: one piece on a cell, each bonus once."""
    standing_ = grouped((cell, f"{player}'s {which} piece") for (player, which), cell in state.cells.items())
    yield from (f"{' and '.join(pieces)} are both on {cell}" for cell, pieces in standing_.items() if len(pieces) > 1)
    for player, names in state.used.items():
        yield from (f"{player} used {name} twice" for name in set(names) if names.count(name) > 1)


def asks(state: State) -> str:
    moves = "hl move NAME odd CELL even CELL" if state.table.round else ""
    return moves if state.results else f"hl sides NAME CELL, then {moves}"


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    round_, player = state.table.round, words.get("player", "")
    if action in (a.Sides, a.Move) and round_ is not None:
        if field == "player" and action is a.Sides:
            return tuple(p for p in state.table.present if sides(round_, p) is None)
        if field == "cell":
            return tuple(state.cells[player, which] for which in on_board(state.cells, player))
        if field == "orders" and on_board(state.cells, player):
            typed = words.get("orders", "").split()
            now = next((which for which in PARITIES if typed and typed[-1] == which), None)
            return reach(state, player, now) if now else tuple(which for which in PARITIES if which not in typed)
        if field == "bonus":
            used = state.used.get(player, ())
            return tuple(word for word, bonus in bonuses_of(state.settings.bonuses).items() if bonus.name not in used)
    return ()


def moves(state: State, player: str) -> Iterator[a.Sides | a.Move]:
    """A sample: either piece as the odd one; no orders; and every legal move of one piece without a bonus."""
    if pieces := on_board(state.cells, player):
        yield from (a.Sides(player, state.cells[player, which]) for which in pieces)
        yield a.Move(player)
        yield from (a.Move(player, f"{which} {cell}") for which in PARITIES for cell in reach(state, player, which))


def reach(state: State, player: str, which: Parity) -> tuple[str, ...]:
    rules, cells = Rules(state.settings.vacated_cells, state.settings.own_cell), standing_cells(state)
    return tuple(cell for cell in BOARD.axial if board.fault(cells, (player, which), cell, rules) is None)
