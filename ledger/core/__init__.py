"""A match in memory: finding, reading and folding its log; times; loading its game.

Belongs here: what every other room needs. Does not belong here: a sentence, a file that is written.
"""
