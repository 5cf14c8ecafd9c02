"""What an error says after `try:` can be pasted as it stands; after `like:` capitals stand for what only a host knows.

Every such line of the sources is read by the command line that it is for. Every one that a kept conversation shows is
pasted there, into a copy of the match, and runs (test_golden.py). Source: issue "A safe evening", 3.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from typing import Any

import click

from events import LedgerError
from games.registry import load, names
from ledger.cli.app import App
from ledger.cli.derive import games_with, verb_of
from ledger.cli.errors import advice
from ledger.cli.verbs import shared_verb
from tests.support.sources import modules, nodes
from tests.terminal import test_errors

# ---- every line of the sources ---------------------------------------------------------------------------------------


def fixes() -> Iterator[tuple[str, str]]:
    """(where, line) of every line that an error of the sources names; what is filled in is `x`."""
    for source in modules():
        for node in nodes(source):
            said = [*node.args[1:], *(key.value for key in node.keywords)] if isinstance(node, ast.Call) else []
            said = [node.value] if isinstance(node, ast.Assign) else said
            for kind in (ast.IfExp, ast.Tuple, ast.BoolOp) if said else ():
                said += [inner for part in said if isinstance(part, kind) for inner in ast.iter_child_nodes(part)]
            for one in said:
                text = test_errors.text(one).replace("...", "x") if isinstance(one, ast.JoinedStr) else ""
                text = text or (str(one.value) if isinstance(one, ast.Constant) else "")
                for line in text.splitlines():
                    if re.match(r"hl [a-z-]", line):
                        yield f"{source.where}:{one.lineno}", line


def command(verb: str, where: str) -> click.Command | None:
    """The command of a verb: of the game that speaks of it, or of whichever has it."""
    if (shared := shared_verb(verb)) is not None:
        return shared
    having = games_with(verb)
    mine = next((cls for name, cls in having.items() if f"games/{name}/" in where), None)
    return verb_of(mine or next(iter(having.values()))) if having else None


def unread(line: str, where: str = "") -> str:
    """Why a line cannot be read by its command; "" when it can. Words of its own kinds are not looked at."""
    words = shlex.split(line)[1:]
    while words[:1] in (["-g"], ["--as"], ["--color"]):
        words = words[2:]
    if not words or words[0] in ("...", "x", "VERB", "--help", "help") or "--help" in words:
        return ""
    found = command(words[0], where)
    if found is None:
        return "" if words[0] in LOOKUPS else "there is no such verb"
    try:
        found.make_context(words[0], words[1:], resilient_parsing=False, obj=App())
    except click.UsageError as error:
        return error.format_message()
    except (LedgerError, SystemExit):
        return ""
    return ""


LOOKUPS = {one.verb for name in names() for one in load(name).lookups}


def test_every_line_of_the_sources_can_be_read_by_its_command() -> None:
    """No words of a sentence stand behind a command: they would be read as its arguments."""
    listed = dict(fixes())
    assert len(listed) > 150
    odd = {where: f"{line}: {why}" for where, line in listed.items() if (why := unread(line, where))}
    assert not odd, "\n".join(f"{where}  {what}" for where, what in odd.items())


def test_sentences_behind_a_command_are_seen() -> None:
    assert unread("hl undo takes the deal back") and unread("hl log --player ann shows it") and unread("hl nosuch")
    assert not unread("hl undo 12") and not unread("hl log --player ann") and not unread("hl override ann hand CARDS")


def test_capitals_make_a_line_an_example() -> None:
    assert advice("hl play a J K 2 10D") == "try: hl play a J K 2 10D"
    examples = ("hl breach PLAYER --note x", "hl override ann garnets N", "hl --as mara ...", "hl amend SEQ KEY=VALUE")
    for line in examples:
        assert advice(line) == f"like: {line}"


def test_after_trading_is_over_nothing_is_reopened(at_desk: Any) -> None:
    """What is said to try is a preview of going back into trading: a vote or gift that is open stays as it is."""
    desk = at_desk("over")
    for player in ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal"):
        desk.hl("lock", player, "--yes")
    desk.hl("trade", "ann", "R2", "bob", "R6", code=3)
    before = desk.log
    tried = re.search(r"  try: hl (.*)", desk.err)
    assert tried is not None and tried[1] == "reopen trading -n"
    desk.hl(*tried[1].split())
    assert desk.log == before
