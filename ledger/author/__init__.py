"""Tools for authors of games: the skeleton, the page, matches played in memory."""
