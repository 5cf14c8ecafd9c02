"""`declare`: what hosts declare to be the result, above the rules, with the reason."""

from __future__ import annotations

from events.errors import Unreadable
from games.kinds import Directory, digits, nearest, shown
from games.table.actions import DECLARES, Declare
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.options import WriteOptions
from ledger.record.recorder import record_actions

NOBODY = "nobody"
MAX_TOKENS = 100
"""Tokens that a player can be declared to have."""


def do_declare(app: App, kind: str, words: tuple[str, ...], private: bool, writing: WriteOptions) -> None:
    action = read(app.match.table.directory(), kind, words)
    if writing.note is None:
        fix = f"hl declare {kind} {' '.join(words)}".strip() + ' --note "WHY"'
        raise Unreadable("declare.reason", "what hosts declare needs a reason, which everybody may read", fix)
    written = record_actions(app.match, [action], app.options(writing)._replace(private=private), app.ask)
    answer(app, written, writing)


def read(players: Directory, typed: str, words: tuple[str, ...]) -> Declare:
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
