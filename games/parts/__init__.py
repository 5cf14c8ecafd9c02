"""What a game is made of, for those who write one: `Game`, which says what is its own, and `build`, which makes the
rest.

See docs/add-a-game.md.
"""

from games.contract import (
    COURSE,
    HOSTS,
    OWN,
    Deal,
    Draw,
    FactSpec,
    Game,
    Label,
    MatchView,
    Override,
    Rounds,
    Scored,
    Sheet,
    Transaction,
    Verb,
    VisibleTo,
    fact,
)  # fmt: skip
from games.parts.build import build
from games.parts.dealing import CardsDealt, HandDealt

__all__ = [
    "COURSE", "HOSTS", "OWN", "CardsDealt", "Deal", "Draw", "FactSpec", "Game", "HandDealt", "Label", "MatchView",
    "Override", "Rounds", "Scored", "Sheet", "Transaction", "Verb", "VisibleTo", "build", "fact",
]  # fmt: skip
