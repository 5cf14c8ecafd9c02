"""The parts of a game and what is made of them. A game states `Parts`, and `build` makes the rest.

Rooms: `declare` (what a game fills in), `build` (putting together, checks), `rules` (decide, evolve, draws), `dealing`
(a deal of cards), `shown` (views, results, audiences), `words` (explain, tell), `pages` (reports). See
docs/add-a-game.md.
"""

from games.kit.tell import COURSE, HOSTS, OWN, Say
from games.parts.build import build
from games.parts.dealing import CardsDealt, HandDealt
from games.parts.declare import Deal, Draw, Evolve, Label, Line, Override, Parts, Rounds, Scored, Sheet, Verb
from games.parts.shown import MatchView

__all__ = [
    "COURSE", "HOSTS", "OWN", "CardsDealt", "Deal", "Draw", "Evolve", "HandDealt", "Label", "Line", "MatchView",
    "Override", "Parts", "Rounds", "Say", "Scored", "Sheet", "Verb", "build",
]  # fmt: skip
