"""For authors of games: the skeleton, the page, a match played in memory."""
