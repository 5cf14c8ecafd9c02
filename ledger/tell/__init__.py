"""Output about a match: reports, texts to be posted, listings, explanations, differences, copies for others.

Belongs here: reading a match for somebody. Does not belong here: recording, and the command line.
"""
