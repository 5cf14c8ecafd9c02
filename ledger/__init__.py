"""The world around the games: recorder, replay engine, reports, renderers, audit, command line. Names no game."""

__version__ = "0.1.0"
