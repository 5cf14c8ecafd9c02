"""The verbs that every match has: which module holds which, in the order of `hl --help`.

A module is imported when one of its verbs is asked for: `hl trade` needs neither the audits nor the pages.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from ledger.cli.verb import Verb

MODULES: Mapping[str, str] = {
    "init": "setup",
    **dict.fromkeys(("games", "page", "new-game"), "game_verbs"),
    "simulate": "simulate",
    **dict.fromkeys(("template", "check", "new"), "setup"),
    "demo": "demo",
    **dict.fromkeys(("assumptions", "rules"), "settings"),
    **dict.fromkeys(("alias", "commit", "word", "deal", "open", "close", "reopen"), "recording"),
    **dict.fromkeys(("note", "ruling", "override", "declare", "penalty", "breach", "award", "blank", "vote", "gift",
                     "lot", "resolve", "choose", "deadline", "pause", "resume", "replace", "drop"), "recording"),
    "amend-setting": "settings",
    **dict.fromkeys(("undo", "redo", "amend", "confirm"), "fix"),
    **dict.fromkeys(("status", "waiting", "log", "show", "explain", "board", "scores", "view"), "see"),
    "outbox": "outbox",
    "webhook": "webhook",
    **dict.fromkeys(("drift", "remind", "reveal", "summary", "final"), "tell"),
    "verify": "verify",
    "audit": "audit",
    "redact": "export",
    "replay": "retell",
    "diff": "diff",
    "evidence": "evidence",
    "read": "from_chat",
    "export": "export",
    **dict.fromkeys(("receipt", "anchor"), "receipt"),
    "run": "tools",
    "import": "importing",
    "join": "join",
    "share": "shared",
    "clone": "clone",
    **dict.fromkeys(("sync", "unshare"), "shared"),
    "shell": "shell",
    **dict.fromkeys(("completion", "schema"), "tools"),
    "doctor": "doctor",
}  # fmt: skip
"""Verb -> its module in ledger/cli."""
SHARED = tuple(MODULES)


def shared_verb(name: str) -> Verb | None:
    """The verb of that name that every match has."""
    if name not in MODULES:
        return None
    module = importlib.import_module(f"ledger.cli.{MODULES[name]}")
    return next(verb for verb in vars(module).values() if isinstance(verb, Verb) and verb.name == name)


def shared_verbs() -> dict[str, Verb]:
    """All of them, in the order of `hl --help`."""
    return {name: verb for name in SHARED if (verb := shared_verb(name)) is not None}
