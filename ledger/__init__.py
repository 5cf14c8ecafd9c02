"""The world around the games: recorder, replay engine, reports, renderers, audit, command line. Names no game."""
