"""A match in memory: find, read and fold its log, load its game, read and show times."""
