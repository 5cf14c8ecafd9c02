"""A match in memory: finding, reading and folding its log; times; loading its game."""
