"""The verbs that every match has, the modules that define them, and the words that people type for them.

A module is imported when one of its verbs is used: `hl trade` needs neither the audits nor the pages. For a word that
is not a verb, lines to type are suggested and nothing runs. A word of regret (delete, revert, quit) never suggests a
verb that records, publishes or decides, except `undo`.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence

from games.kinds import nearest
from ledger.cli.verb import Verb

_IN_ORDER = (
    ("setup", "init games page new-game template check new"),
    ("tools", "simulate demo"),
    ("recording", "assumptions rules alias commit word deal open close reopen"),
    ("recording", "note ruling override declare penalty breach award blank vote gift lot resolve choose"),
    ("recording", "deadline pause resume replace drop amend-setting undo redo amend confirm"),
    ("reading", "status waiting log show explain board scores view"),
    ("outbox", "outbox webhook"),
    ("texts", "drift remind reveal summary final"),
    ("proofs", "verify audit"),
    ("exports", "redact replay"),
    ("proofs", "diff"),
    ("exchange", "evidence read"),
    ("exports", "export"),
    ("proofs", "receipt anchor"),
    ("tools", "run"),
    ("exchange", "import join"),
    ("sharing", "share clone sync unshare"),
    ("shell", "shell"),
    ("tools", "completion schema doctor"),
)
MODULES: Mapping[str, str] = {verb: module for module, verbs in _IN_ORDER for verb in verbs.split()}
SHARED = tuple(MODULES)
EVENING = ("status", "waiting", "outbox", "undo", "amend", "log")
"""The verbs that a host types all evening, with those of the game: `hl --help` in a match begins with them."""
_SETUP = {verb for verb, module in MODULES.items() if module == "setup"}
OF_NO_MATCH = frozenset({*_SETUP, "simulate", "demo", "completion", "schema", "clone"})
"""The verbs that are about no match that is there: a line to run says none."""
FOR_PROGRAMS = frozenset({"page", "new-game", "schema", "anchor", "completion", "doctor", "run"})
"""Verbs for authors of games and programs; only `hl help all` lists them."""


def shared_verb(name: str) -> Verb | None:
    if name not in MODULES:
        return None
    module = importlib.import_module(f"ledger.cli.{MODULES[name]}")
    return next(verb for verb in vars(module).values() if isinstance(verb, Verb) and verb.name == name)


def shared_verbs() -> dict[str, Verb]:
    return {name: verb for name in SHARED if (verb := shared_verb(name)) is not None}


_WORDS = {
    "open": "start begin launch kickoff play round",
    "new": "create make load",
    "init": "setup newgame newmatch",
    "deadline": "extend extension addtime time clock postpone delay timer until prolong reschedule lengthen later",
    "reopen": "unclose",
    "pause": "stop freeze halt",
    "resume": "continue unpause restart",
    "close": "finish end endphase endround end-round conclude stop-round lock",
    "drop": "leave kick eject ban dropout remove-player forfeit resign withdraw-player",
    "undo": "remove delete cancel revert rollback roll-back rm del erase oops back unlog strike mistake takeback void"
    " scrap nix discard clear reset retract unsend withdraw scratch abort reverse return rejoin",
    "redo": "reapply undelete restore",
    "amend": "edit fix correct change update modify correction wrong fixup typo",
    "log": "history list ls entries events timeline search find grep happened record",
    "waiting": "who whosleft missing pending todo owes left-to-do turn turns late overdue timeleft time-left",
    "outbox": "say post send done next publish announce message messages msg dm texts queue broadcast pm whisper reply",
    "remind": "nudge reminder reminders ping nag poke",
    "status": "hand hands player players roster info state overview garnets tokens cards chips purse money whoami"
    " me whois round late overdue timeleft time-left next",
    "summary": "hand hands player players info private tell cards",
    "scores": "rank ranking ranks leaderboard standings points score table count tally",
    "final": "results result winner winners outcome win victory won champion",
    "board": "map picture image png",
    "rules": "settings setting config options rule rulebook ruleset",
    "amend-setting": "settings setting config options",
    "confirm": "doublecheck approve seen",
    "vote": "ballot poll tie",
    "lot": "random coin dice roll tiebreak tie raffle draw-lots rand",
    "gift": "give donate",
    "add": "pay cost charge subtract",
    "award": "reward garnet token grant gem gems money pay take bribe",
    "penalty": "fine punish punishment ban pay take",
    "breach": "warn warning cheat violation",
    "note": "comment remark memo reply",
    "ruling": "late decide decision judge judgement admit",
    "override": "force overrule",
    "blank": "skip pass absent abstain",
    "declare": "eliminate elimination kill out",
    "replace": "sub substitute takeover add addplayer newplayer newcomer",
    "alias": "name names nick nickname rename",
    "verify": "validate prove proof audit-log integrity",
    "receipt": "hash head",
    "replay": "watch html film",
    "reveal": "public show-all print",
    "drift": "stale outdated",
    "deal": "shuffle distribute",
    "resolve": "reveal-round next-round process",
    "join": "merge",
    "import": "csv upload form forms",
    "export": "download dump copy",
    "share": "host-together push remote",
    "sync": "pull fetch",
    "webhook": "webhooks discord bot",
    "buy": "purchase shop spend",
    "trade": "swap exchange barter",
    "recolour": "paint flip color colour",
    "lock": "lockin lock-in ready",
    "unlock": "unready",
    "bid": "bet wager raise sheet sheets auction destroy buy submit spend",
    "power": "submit spend joker",
    "draw": "banker shuffle",
    "start": "sheet room",
    "submit": "sheet sheets rps throw",
    "play": "meld trick combo beat lead throw bomb",
    "pass": "skip fold",
    "go": "move ticket walk",
    "seal": "sheet sheets submit",
    "move": "order orders step sheet sheets submit bonus pieces place",
    "give": "transfer swap",
}
"""Verb -> the words that mean it. If a word means several verbs, they are suggested in this order."""


def meant(word: str, verbs: Collection[str]) -> list[str]:
    """The verbs that a word which is not a verb may mean, the likeliest first; empty if there is no guess.

    Args:
        verbs: The verbs of this match.

    >>> meant("kick", ["drop", "undo"]), meant("statsu", ["status"]), meant("delete", ["undo", "declare"])
    (['drop'], ['status'], ['undo'])
    """
    typed = word.lower()
    begun = [verb for verb in verbs if verb.startswith(typed)] if len(typed) > 1 else []
    near = [verb for verb in nearest(typed, verbs) if verb[0] == typed[0] or nearest(typed, [verb], 0.7)]
    return by_meaning(word, verbs) or (begun or near)[:3]


def by_meaning(word: str, verbs: Collection[str] = _WORDS) -> list[str]:
    """As `meant`, but by meaning alone, not by spelling; by default among the verbs of all games."""
    typed = word.lower().replace("_", "-")
    return [verb for verb, words in _WORDS.items() if typed in words.split() and verb in verbs]


def advice(word: str, verbs: Sequence[str], player: str = "", back: str = "") -> str:
    """The fix for an unknown verb; `player` is the id of a player typed after it, and `back` the line by which they
    play again."""
    if word.lower() in ("quit", "exit", "bye", "logout", "q", "save"):
        if player and word.lower() in ("quit", "exit"):
            return f"to record that {player} has left: hl drop {player}"
        return "each command is kept at once, so there is nothing to leave; in hl shell: exit"
    if word.lower() == "backup":
        return 'for a copy of the log after each command: backup = "FOLDER" in the file that hl doctor names'
    found = meant(word, verbs)
    if player and word.lower() in ("return", "rejoin", "back"):
        return f"for {player} to play again: {back}"
    if player and found[:1] == ["undo"]:
        return (
            f"to take back the last entry about {player}: hl undo last {player}\n"
            f"to record that {player} has left: hl drop {player}\n"
            f"to give the seat to another person: hl replace {player} NAME"
        )
    if found:
        return f"did you mean hl {' or hl '.join(found)}?"
    return "hl --help"
