"""What a game is made of, for those who write one: `from games.parts import *` in a game of one file.

`Game` says what is its own, and `build` makes the rest. See docs/add-a-game.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from events.errors import Refused, Unreadable
from events.record import NamedTuple
from games.contract import (
    COURSE,
    HOSTS,
    OWN,
    Adds,
    Deal,
    Draw,
    FactSpec,
    Game,
    Label,
    MatchView,
    Moment,
    Override,
    Puts,
    ReportContext,
    Result,
    Rounds,
    Scored,
    Sheet,
    Transaction,
    Verb,
    VisibleTo,
    each,
    fact,
    players_of,
    put,
)  # fmt: skip
from games.kinds import Player, choice, count
from games.kit.blocks import Block, Heading, Piece, text
from games.kit.grid import DIRECTIONS, STRAIGHT, grid, tags
from games.parts.build import build
from games.parts.dealing import CardsDealt, HandDealt
from games.records import ABSENT, Arg, Bounds
from games.table import BANK, Reward, Spare, Table, TokenReason, Verdict
from games.table.actions import AmendSetting, Open, Resolve
from games.table.endgame import Worst, elect, eliminate, fewest_lose, most_win, ranked
from games.table.facts import EliminationFound, PlayerLeft, WinnersFound
from games.table.report import PHASES
from games.table.rounds import contents
from games.table.rules import must_be_here, on_now, transfer
from games.table.settings import Gap, Hours
from games.table.state import Round

__all__ = [
    "ABSENT", "BANK", "COURSE", "DIRECTIONS", "HOSTS", "OWN", "PHASES", "STRAIGHT", "Adds", "AmendSetting", "Arg",
    "Block", "Bounds", "CardsDealt", "Deal", "Draw", "EliminationFound", "FactSpec", "Game", "Gap", "HandDealt",
    "Heading", "Hours", "Iterable", "Iterator", "Label", "Mapping", "MatchView", "Moment", "NamedTuple", "Open",
    "Override", "Piece", "Player", "PlayerLeft", "Puts", "Refused", "ReportContext", "Resolve", "Result", "Reward",
    "Round", "Rounds", "Scored", "Sequence", "Sheet", "Spare", "Table", "TokenReason", "Transaction", "Unreadable",
    "Verb", "Verdict", "VisibleTo", "WinnersFound", "Worst", "build", "choice", "contents", "count", "each", "elect",
    "eliminate", "fact", "fewest_lose", "grid", "most_win", "must_be_here", "on_now", "players_of", "put", "ranked",
    "tags", "text", "transfer",
]  # fmt: skip
