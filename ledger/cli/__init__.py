"""The command line `hl`. Commands call library functions and decide nothing about a game."""
