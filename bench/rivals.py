"""Four programs that sum, check or rebuild a ledger, on as many entries as ours.

What is not installed is skipped, with a reason. Programs are looked for beside this interpreter and on the PATH;
eventsourcing in the interpreter named by $BENCH_PYTHON, or this one. None of them does what `hl verify` does: hash each
line, check that history was not rewritten, and decide every entry by the rules again. So each says what it does. Those
with a limit must not be quicker than we are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
EVENTS = """
import os, sys, uuid
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

class Hands(Aggregate):
    @event("Started")
    def __init__(self):
        self.hands = {}
        self.traded = {}

    @event("Traded")
    def trade(self, a, b, give, take):
        self.hands[a] = (*self.hands.get(a, ()), take)[-5:]
        self.hands[b] = (*self.hands.get(b, ()), give)[-5:]
        self.traded[a, b] = self.version

folder, what = sys.argv[1:]
os.environ.update(PERSISTENCE_MODULE="eventsourcing.sqlite", SQLITE_DBNAME=folder + "/events.sqlite")
app = Application()
if what == "again":
    hands = app.repository.get(uuid.UUID(open(folder + "/id").read()))
    print(hands.version)
else:
    hands, people = Hands(), "ann bob cyd dan eve fox gil hal".split()
    for n in range(int(what) - 1):
        hands.trade(people[n % 8], people[(n + 1) % 8], f"R{n % 10 + 1}", f"B{n % 10 + 1}")
        if n % 5000 == 4999:
            app.save(hands)
    app.save(hands)
    open(folder + "/id", "w").write(str(hands.id))
"""
"""An aggregate kept in SQLite, and rebuilt from there in a fresh process: as we read a file."""


def journal(path: Path, entries: int, *, beancount: bool) -> None:
    """As many transactions of two postings as the log has entries."""
    with path.open("w", encoding="utf-8") as file:
        if beancount:
            file.writelines(f"2026-01-01 open Assets:{p.capitalize()}\n" for p in PEOPLE)
        for n in range(entries):
            a, b = PEOPLE[n % 8], PEOPLE[(n + 1) % 8]
            if beancount:
                file.write(f'2026-03-0{1 + n * 3 // entries} * "trade {n}"\n  Assets:{a.capitalize()}  1 GARNET\n')
                file.write(f"  Assets:{b.capitalize()}  -1 GARNET\n\n")
            else:
                file.write(f"2026-03-0{1 + n * 3 // entries} * trade {n}\n    players:{a}  1 garnet\n")
                file.write(f"    players:{b}  -1 garnet\n\n")


def _first_line(command: list[str]) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return (result.stdout or result.stderr).strip().splitlines()[0] if result.returncode == 0 else ""


class Rival(NamedTuple):
    """A program that is timed beside ours."""

    name: str
    does: str
    """What it does with the entries, and what it leaves out."""
    command: list[str] | None
    """None: it is not installed."""
    version: str
    """Or why it is skipped."""
    limit: float | None = 1.0
    """Most that ours may cost, in theirs."""


def find(program: str) -> str | None:
    """A program beside this interpreter, or on the PATH."""
    return shutil.which(program, path=str(Path(sys.executable).parent)) or shutil.which(program)


JOURNALS = (
    (
        "ledger balance",
        ["ledger", "balance", "-f"],
        "C++; balances each entry and sums; no hashes, no rules, no secrets",
        None,
    ),
    (
        "hledger check",
        ["hledger", "check", "-f"],
        "compiled; balances each entry; no hashes, no rules, no secrets",
        1.0,
    ),
    (
        "bean-check",
        ["bean-check", "--no-cache"],
        "C and Python; balances and checks accounts; no hashes, no secrets",
        1.0,
    ),
)


def rivals(folder: Path, entries: int) -> Iterator[Rival]:
    """The programs, each with its own file of as many entries."""
    for name, (program, *options), does, limit in JOURNALS:
        tool = find(program)
        if tool is None:
            yield Rival(name, does, None, f"{program} is not installed here")
            continue
        path = folder / f"{program}.journal"
        journal(path, entries, beancount=program == "bean-check")
        yield Rival(name, does, [tool, *options, str(path)], _first_line([tool, "--version"]), limit)
    python = os.environ.get("BENCH_PYTHON", sys.executable)
    version = _first_line([python, "-c", "from importlib.metadata import version; print(version('eventsourcing'))"])
    name, does = (
        "eventsourcing, rebuild",
        "Python; reads from SQLite and applies; no hashes, no rules asked, no secrets",
    )
    if not version:
        yield Rival(name, does, None, "eventsourcing is not installed here (BENCH_PYTHON names an interpreter)")
    else:
        command = [python, "-c", EVENTS, str(folder)]
        subprocess.run([*command, str(entries)], check=True)
        yield Rival(name, does, [*command, "again"], f"eventsourcing {version}, SQLite")
