"""Random matches of every game, recorded on paper as hosts record them: for the law of leaving, and to read English."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from events import Body, LedgerError
from games.registry import load
from games.table import actions as shared
from ledger.exchange.matchfile import setup_bodies
from ledger.record import recorder
from ledger.record.plan import Options
from tests.secrecy.on_paper import Clock, Sheet
from tests.support.sizes import FULL

BEGAN, MINUTE = 1_795_000_000_000, 60_000
PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fox")
SIZES = {"equilibrium": (3, 4), "poker_auction": (3, 5), "hex_parties": (3, 6), "polar": (2, 6), "marsmatch": (3, 4)}
SHORT: dict[str, dict[str, Any]] = {"polar": {"rounds": 2}, "hex_parties": {"max_rounds": 3}}
SETTINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    "equilibrium": {
        "tol_conditions": (["best_er"], ["best_er", "best_poker"], ["most_trades", "host_decides"]),
        "multi_tol": ("give_away", "next_best", "lapse"), "lock_grace_minutes": (0, 7),
    },
    "poker_auction": {"multi_ec": ("all", "winner_picks", "fewest_cards", "lot"), "power_tie": ("holdings", "lot")},
    "hex_parties": {"missing_parity": ("first_listed", "lot"), "ec_excludes_token_holders": (True, False)},
    "polar": {"polarity_scope": ("room", "all"), "ec_excludes_token_holders": (True, False), "max_tied_tol": (1, 4)},
    "marsmatch": {"post_win_lead": ("next_clockwise", "named"), "snatch": ("best_class", "every_holder"),
                  "three_in_a_row": ("tempo", "ask_host", "instant_win")},
}  # fmt: skip
LONGEST = 60 if FULL else 40


class Played(NamedTuple):
    """A match as it was recorded: its entries, and of which of them a later `drop` may stand before."""

    game: Any
    bodies: tuple[Body, ...]
    setup: int
    """So many entries made the match."""


def yes(question: str) -> bool:
    return True


def take(sheet: Sheet, action: Any, at: int | None = None) -> bool:
    """A host records it. Do the rules take it?"""
    try:
        recorder.record_actions(sheet, [action], Options("mara", at=at, yes=True), yes)
    except LedgerError:
        return False
    return True


def play(name: str, chance: random.Random, clock: Clock) -> Played:
    """A random match, to its end or so many entries long; each entry a minute after the one before."""
    game = load(name)
    least, most = SIZES.get(name, (3, 5))
    players = PEOPLE[: chance.randint(least, most)]
    settings = {key: chance.choice(values) for key, values in SETTINGS.get(name, {}).items()}
    settings["allow_odd_roster"] = True
    if "elimination" in game.has:
        settings["leaver_result"] = chance.choice(("as_played", "out", "eliminated"))
    rows = {p: {"name": p.title(), "garnets": chance.randint(0, 3)} for p in players}
    clock.now = BEGAN
    file = {"game": name, "title": "A law", "zone": "UTC", "hosts": ["mara"], "players": rows}
    _, bodies = setup_bodies(
        {**file, "settings": {**settings, **SHORT.get(name, {})}}, source="match.toml", by=None, now=BEGAN
    )
    sheet, first = Sheet(game, bodies), len(bodies)
    for action in acts(sheet, players, chance, clock):
        clock.now += MINUTE
        take(sheet, action)
        if len(sheet.book.entries) >= first + LONGEST:
            break
    return Played(game, tuple(entry.body for entry in sheet.book.entries), first)


def acts(sheet: Sheet, players: Sequence[str], chance: random.Random, clock: Clock) -> Iterator[Any]:
    """What happens next, for ever until the match is over; some of it is refused."""
    game = sheet.game
    if "draw" in sheet.engine.actions and "deal" in game.has:
        yield sheet.engine.actions["draw"]()
    if "deal" in game.has:
        yield shared.Deal()
    yield shared.Open()
    while sheet.table.status != "finished":
        table = sheet.table
        if table.round is not None:
            for player in chance.sample(players, len(players)):
                if chance.random() < 0.6 and (legal := game.moves(sheet.fold.state, player)):
                    yield chance.choice(legal)
            yield shared.Resolve()
        elif table.decisions:
            yield from decide(table.decisions[0], chance)
        elif moves := [move for p in players for move in game.moves(sheet.fold.state, p)]:
            yield chance.choice(moves)
            if chance.random() < 0.02:
                yield shared.Close()
        else:
            clock.now = max(clock.now, game.due(sheet.fold.state) or 0)
            yield shared.Note("time passes")


def decide(decision: Any, chance: random.Random) -> Iterator[Any]:
    """What is open is decided somehow: each who is asked names somebody, or a host ends it."""
    if decision.kind == "lot":
        yield shared.Lot()
    elif decision.kind == "ruling" or chance.random() < 0.2:
        yield shared.Close(decision.kind)
    else:
        says = {"vote": shared.Vote, "gift": shared.Gift, "choose": shared.Choose}[decision.kind]
        for player in decision.who:
            yield says(player, chance.choice(decision.among))
        if decision.kind == "choose":
            yield shared.Close("choose")
