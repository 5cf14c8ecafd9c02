"""Pairs of matches that differ only in what a viewer may not know: the harness, a generator for each game, leaks."""
