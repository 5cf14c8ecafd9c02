"""Games: pure functions over frozen state. Nothing here touches disk, terminal, clock or randomness.

Rooms inside: `contract` (what a game is), `kinds` and `records` (how words and fields are read), `registry` (which
games there are), `table/` (what every match shares), `kit/` (parts on their second use), and one folder per game.
"""
