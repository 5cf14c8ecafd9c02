"""The command line `hl`. Each command calls library functions; none decides anything about a game."""
