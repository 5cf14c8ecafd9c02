"""Verbs that record what happens in any match. They are made from their records; `deal` and `declare` need more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from events.errors import Unreadable
from games.kinds import Directory, digits, nearest, shown
from games.table import actions as shared
from games.table.actions import DECLARES, Declare
from ledger.cli.answer import answer
from ledger.cli.app import App, WriteOptions
from ledger.cli.completion import choices, files, players
from ledger.cli.derive import verb_of
from ledger.cli.verb import together, verb, write_options
from ledger.record.recorder import record_actions

NOBODY = "nobody"
MAX_TOKENS = 100
"""Tokens that a player can be declared to have."""
SET_UP, ANY = "set up", "any match"
EARLY: Any = click.option("--early", is_flag=True, help="Also while somebody owes a sheet and the deadline lies ahead.")
REASON: Any = click.option("--note", metavar="TEXT", help="Why: needed, and told to everybody.")

# ---- what needs nothing but its record ---------------------------------------------------------------------------

ALIAS = verb_of(shared.Alias, SET_UP, "Add another spelling of a player's name.")
COMMIT = verb_of(
    shared.Commit, SET_UP,
    "Publish a commitment to the deal, before players add words.\n\n"
    "It does not show the deal; with the players' words, nobody alone can steer it.",
    records=("commit", "seed"), needs=frozenset({"deal", "commit"}),
)  # fmt: skip
WORD = verb_of(
    shared.Word, SET_UP, "Add a player's own words to the deal.\n\nAny text, as the player sent it.",
    needs=frozenset({"deal", "commit"}),
)  # fmt: skip
OPEN = verb_of(shared.Open, SET_UP, "Start play.")
CLOSE = verb_of(shared.Close, SET_UP, "End the present phase or decision now.")
REOPEN = verb_of(shared.Reopen, SET_UP, "Go back to the phase that ended last.")
NOTE = verb_of(shared.Note, ANY, "Keep a remark for the hosts.")
RULING = verb_of(
    shared.Ruling, ANY, "Record what a host decided and why.\n\nWith --about it settles a contested entry."
)
OVERRIDE = verb_of(
    shared.Override, ANY,
    "Set one field of one player, whatever the rules say.\n\n"
    "Which fields there are depends on the game; an unknown one is answered with the list.",
)  # fmt: skip
PENALTY = verb_of(shared.Penalty, ANY, "Record a penalty.\n\nWith --garnets it takes garnets.")
BREACH = verb_of(shared.Breach, ANY, "Record that a player broke a rule.\n\nFor a ruling later.")
AWARD = verb_of(shared.Award, ANY, "Give or take garnets or tokens.\n\nBy a host's decision; a negative amount takes.")
BLANK = verb_of(
    shared.Blank, ANY, "Record that a player submits nothing, on purpose.", needs=frozenset({"rounds", "vote"})
)
VOTE = verb_of(
    shared.Vote, ANY, "Record one vote.\n\nA later vote of the same voter replaces it.", needs=frozenset({"vote"})
)
GIFT = verb_of(shared.Gift, ANY, "Record to whom a spare token goes.", needs=frozenset({"gift"}))
LOT = verb_of(shared.Lot, ANY, "Draw a lot, or type its outcome in.", needs=frozenset({"lot"}))
RESOLVE = verb_of(
    shared.Resolve, ANY, "Open all submissions of the round at once; a preview without --yes.",
    together(EARLY, write_options()), needs=frozenset({"rounds"}),
)  # fmt: skip
CHOOSE = verb_of(
    shared.Choose, ANY, "Record a choice that the rules give to a player.", needs=frozenset({"choose", "elimination"})
)
DEADLINE = verb_of(
    shared.Deadline, ANY,
    "Move the end of the present phase.\n\n"
    "Or of a decision: +6h is that much later than it is, in 6h counts from the moment of the entry.",
)  # fmt: skip
PAUSE = verb_of(shared.Pause, ANY, "Stop the clock; every end moves by as long.\n\nNothing ends until it runs again.")
RESUME = verb_of(shared.Resume, ANY, "Let the clock run again.")
REPLACE = verb_of(shared.Replace, ANY, "Another person takes over a seat.\n\nThe seat keeps its id, cards and garnets.")
DROP = verb_of(
    shared.Drop, ANY,
    "Record that a player has left.\n\nThey submit nothing more, nobody waits for them (S-G3).",
)  # fmt: skip

# ---- deal and declare --------------------------------------------------------------------------------------------


@verb("deal", SET_UP, records=("deal", "hand"), needs={"deal"})
@click.option(
    "--from", "source", metavar="FILE", help='TOML with [hands]: ann = "R4 B4 R9 B9 R2".', shell_complete=files
)
@write_options()
def deal(app: App, source: str | None, writing: WriteOptions) -> None:
    """Deal the cards: drawn and recorded, or read from a file."""
    options = app.options(writing)
    if source is None:
        written = record_actions(app.match, [shared.Deal()], options, app.ask)
    else:
        from ledger.exchange.deal_file import typed_hands

        hands = typed_hands(Path(source), app.match.table.directory())
        actions = [shared.Hand(player, tuple(cards.replace(",", " ").split())) for player, cards in hands.items()]
        written = record_actions(app.match, [*actions, shared.Deal("typed")], options, app.ask)
    answer(app, written, writing)


@verb("declare", ANY, records=("declare", "reason"))
@click.argument("kind", metavar="elimination|token|winner|void", shell_complete=choices(*DECLARES))
@click.argument("words", metavar="[PLAYER...]", nargs=-1, shell_complete=players)
@write_options(note=REASON)
@click.option("--private", is_flag=True, help="The reason is for hosts only.")
def declare(app: App, kind: str, words: tuple[str, ...], private: bool, writing: WriteOptions) -> None:
    """Declare a result, whatever the rules say: elimination, token, winner or void.

    elimination PLAYER... (or nobody), token PLAYER N (N in all), winner PLAYER..., void. The latest of a kind counts,
    undo restores the one before. Before the end it is kept, and counts then; void ends the match.
    """
    action = declared(app.match.table.directory(), kind, words)
    if writing.note is None:
        fix = f"hl declare {kind} {' '.join(words)}".strip() + ' --note "WHY"'
        raise Unreadable("declare.reason", "what hosts declare needs a reason, which everybody may read", fix)
    written = record_actions(app.match, [action], app.options(writing)._replace(private=private), app.ask)
    answer(app, written, writing)


def declared(players: Directory, typed: str, words: tuple[str, ...]) -> Declare:
    """What these words declare.

    Raises:
        Unreadable: `declare.kind`, `declare.unfit`, `player.unknown`, `number.unreadable`.
    """
    kind = typed.lower()
    if kind not in DECLARES:
        near = nearest(kind, DECLARES)
        hint = f"did you mean {near[0]}?" if near else f"one of: {' '.join(DECLARES)}"
        raise Unreadable("declare.kind", f"{shown(typed)} cannot be declared", hint)
    parts = [part for word in words for part in word.split(",") if part.strip()]
    if kind == "void" and not parts:
        return Declare("void")
    if kind == "token" and len(parts) == 2:
        tokens = digits(parts[1], 3)
        if tokens is None or tokens > MAX_TOKENS:
            what = f"{shown(parts[1])} is no number of tokens"
            raise Unreadable(
                "number.unreadable", what, f"a whole number, 0 to {MAX_TOKENS}: what the player has in all"
            )
        return Declare("token", (players.find(parts[0]),), tokens)
    if kind == "elimination" and [word.lower() for word in parts] == [NOBODY]:
        return Declare("elimination")
    if kind in ("elimination", "winner") and parts:
        chosen = tuple(players.find(word) for word in parts if word.lower() != NOBODY)
        if len(chosen) == len(parts):
            return Declare(kind, tuple(dict.fromkeys(chosen)))  # type: ignore[arg-type]
        raise Unreadable("declare.unfit", f"{NOBODY} stands alone, and only for an elimination", f"hl {DECLARES[kind]}")
    raise Unreadable("declare.unfit", f"that is not how {kind} is declared", f"hl {DECLARES[kind]}")
