"""The commands that come before play, in the one table (commands.py): from a match file to `open`."""

from __future__ import annotations

from ledger.cli.command import Command
from ledger.cli.params import ABOUT, JSON, LIST, WRITE, Param

_SETUP = "set up"

SETUP = (
    Command(
        _SETUP, "init", "Write a match file by questions and answers.",
        "Game, players from a paste, zone, hosts, and the rules to look at first. It needs a terminal, and writes "
        "nothing before the end; then it offers to make the match.", module="init",
        takes=[Param("[GAME]"), Param("-o, --output FILE", "The new file; match.toml if not given.", name="target")],
        audience="none",
    ),
    Command(
        _SETUP, "games", "List the games.", "Those of other packages run only once they are trusted.",
        module="game_verbs", audience="none",
        takes=[LIST, Param("--trust NAME", "Trust a game of another package on this computer.", kind="GAME")],
    ),
    Command(
        _SETUP, "page", "Print what the page of a game must say: settings, lines, verbs, facts.",
        "For who writes a game; --check names what a page lacks.", module="game_verbs",
        takes=[Param("GAME"), Param("--check FILE", "The page, in Markdown.", kind="FILE")], audience="none",
    ),
    Command(
        _SETUP, "new-game", "Write the skeleton of a new game: rules, demo, page, tests.", module="game_verbs",
        takes=[Param("NAME"), Param("--into DIR", "The folder it is written into.", kind="FILE")], audience="none",
    ),
    Command(
        _SETUP, "template", "Print a match file with every setting, to fill in.",
        "Each with its gap, meaning and default.", module="setup", takes=[Param("GAME")], audience="none",
    ),
    Command(
        _SETUP, "check", "List everything that is wrong with a match file, with line numbers.",
        "Of a file that holds its own rules it also shows who sees what, and when.", module="setup",
        takes=[Param("FILE.toml", kind="FILE", name="source"), LIST], audience="none",
    ),
    Command(
        _SETUP, "new", "Make a match from a match file.", "hl template GAME prints one.", module="setup",
        takes=[
            Param("DIR", kind="FILE", name="folder"),
            Param("--from FILE.toml", "The match file.", kind="FILE", name="source", required=True),
            Param("--after OLD", "Take roster, zone, hosts and garnets of an earlier match.", kind="FILE", many=True),
            Param("--death-match", "Of the Elimination Candidate of OLD and the opponent whom they chose there."),
            Param("-n, --dry-run", "Only say what would be made."),
            JSON,
        ],
        records=("create", "seat"), audience="none",
    ),
    Command(
        _SETUP, "demo", "Play a bundled match through the real commands.", "Then it says what to look at.",
        module="demo",
        takes=[
            Param("[GAME]"),
            Param("--into DIR", "The new folder; demo-match if not given, numbered if it is there.", kind="FILE"),
        ],
        audience="none",
    ),
    Command(
        _SETUP, "assumptions", "List the rules nobody has confirmed yet.",
        "The most important first. --accept confirms them as they are.", module="settings",
        takes=[
            Param("--accept KEY|all", "Confirm this one, or all of them.", many=True),
            LIST, *ABOUT,
        ],
        records=("amend-setting",),
    ),
    Command(_SETUP, "rules", "List every setting with its gap, value and meaning.", module="settings", takes=[LIST]),
    Command(_SETUP, "alias", "Add another spelling of a player's name."),
    Command(
        _SETUP, "commit", "Publish a commitment to the deal, before players add words.",
        "It does not show the deal; with the players' words, nobody alone can steer it.", records=("commit", "seed"),
    ),
    Command(_SETUP, "word", "Add a player's own words to the deal.", "Any text, as the player sent it."),
    Command(
        _SETUP, "deal", "Deal the cards: drawn and recorded, or read from a file.", module="setup",
        takes=[Param("--from FILE", 'TOML with [hands]: ann = "R4 B4 R9 B9 R2".', name="source"), *WRITE],
        records=("deal", "hand"),
    ),
    Command(_SETUP, "open", "Start play."),
    Command(_SETUP, "close", "End the present phase or decision now."),
    Command(_SETUP, "reopen", "Go back to the phase that ended last."),
)  # fmt: skip
