"""A match in memory: its log found, read and folded; times; where a game comes from.

Belongs here: what every other room needs. Does not belong here: a sentence, a file that is written.
"""
