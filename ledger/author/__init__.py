"""For who writes a game: the skeleton, the page, a match played in memory."""
