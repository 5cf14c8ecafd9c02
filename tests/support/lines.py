"""What hosts type at the command line, and what comes of it, in lines: a table of such cases for each subject.

    a late entry that hurts others is asked about first
      desk ; trade ann R2 bob B4
      5 trade ann R2 cyd R9 --at -3m ~ would no longer allow entry 20
      trade ann R2 cyd R9 --at -4m --yes ; status ~ so it changes nothing

Statements stand with ` ; ` between them, or one a line. The first one says how the match begins: `desk` (Equilibrium,
dealt and open, with the hosts mara, who types, and ben), `demo GAME` (its bundled match), `match GAME a b KEY=VALUE`
(a new one of these players), `file NAME` (of a match file that the tests have), `nothing`. Then:

* `LINE` is typed in the match, a minute after the one before it, and ends with exit code 0; `5 LINE` with 5, and what
  fails writes not a byte (`5! LINE`: it may). `> LINE`: without the match and the host.
* `+6h`: time passes; `pace 0`: so many minutes before each command.
* `: WHAT` asks without typing: a row of `SHOWS`, or `VERB WORDS | PATH`, what stands at that place of its JSON. A path
  goes through a list by number or takes the same of each: `items[audience=ann].text`.
* Behind a statement: `~ TEXT` is part of it, `!~ TEXT` is not, `== TEXT` is all of it. Where a line of an answer ends
  stands ` /`; spaces count once.
* `@` is the number of the last entry, `@1` of the one before, `{trade}` that of the newest trade; `{link-30m}` links to
  a message that was sent so long before the last command, `{link+1h}` after it. A row of `SHORT` is what it says.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from ledger.tell.texts import texts_now
from tests.support.host import MINUTE, Host, link
from tests.table.lines import SPANS, at as at, cases as cases, shown


def items(here: Host, audience: str = "") -> list[Any]:
    """What waits in the outbox, for everybody's eyes or of one audience."""
    return [item for item in here.json("outbox")["items"] if audience in ("", item["audience"])]


def part(value: Any, path: str) -> Any:
    """What stands at `players.ann.hand` of records and tables."""
    for name in filter(None, path.split(".")):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return value


def lined(text: str) -> str:
    """On one line, without what makes words bold, or keeps Discord from it."""
    return text.replace("\n", " / ").replace("**", "").replace("\\", "")


Shows = Mapping[str, Callable[..., Any]]
SHOWS: Shows = {
    "waits": lambda here, audience="": [item["item"] for item in items(here, audience)],
    "texts": lambda here, audience: lined("\n".join(item["text"] for item in items(here, audience))),
    "covers": lambda here: [item["item"] for item in items(here) if item["covers"]],
    "to": lambda here, *words: [item["audience"] for item in items(here) if " ".join(words) in item["text"]],
    "heard": lambda here, *words: [
        item.audience
        for item in texts_now(here.match).values()
        if item.seq == here.last and " ".join(words) in item.text
    ],
    "drift": lambda here: [row["item"] for row in here.json("drift")["drift"]],
    "table": lambda here, path: part(here.match.table, path),
    "state": lambda here, path: part(here.match.fold.state, path),
    "ends": lambda here: f"{(here.match.table.ends - here.now) / MINUTE:g}m",
    "body": lambda here, path: part(here.match.book.entries[-1].body, path),
    "kinds": lambda here, number: [entry.body.do for entry in here.match.book.entries[-int(number) :]],
    "contested": lambda here: [outcome.entry.seq for outcome in here.match.fold.contested],
    "told": lambda here, who: lined(
        "\n".join(item.text for item in texts_now(here.match).values() if (item.audience, item.seq) == (who, here.last))
    ),
}


def statements(said: str, short: Mapping[str, str]) -> Iterator[str]:
    words = "|".join(map(re.escape, short)) or "(?!)"
    for one in (one.strip() for line in said.splitlines() for one in line.split(" ; ")):
        found = re.fullmatch(rf"((?:\d!? )?)({words})((?: .*)?)", one)
        yield from statements(f"{found[1]}{short[found[2]]}{found[3]}", short) if found else filter(None, [one])


def span(text: str) -> int:
    """`-1h30m` in ms."""
    parts = re.findall(r"(\d+)([a-z]+)", text)
    return sum(int(number) * SPANS[unit] for number, unit in parts) * (-1 if text[:1] == "-" else 1)


def filled(here: Host, line: str) -> str:
    """With the numbers of entries, and links."""
    line = re.sub(r"@(\d?)(?![\w:])", lambda back: str(here.last - int(back[1] or 0)), line)
    line = re.sub(r"\{link([+-]\w+)?\}", lambda back: link(here.now + span(back[1] or "")), line)
    kinds = {entry.body.do: entry.seq for entry in here.match.book.entries} if re.search(r"\{[a-z-]+\}", line) else {}
    return re.sub(r"\{([a-z-]+)\}", lambda verb: str(kinds[verb[1]]), line)


def written(here: Host) -> bytes:
    """The bytes of the log, once there is one."""
    return here.log if here.path.exists() else b""


def said_to(here: Host, line: str, shows: Shows) -> str:
    """Do what a statement says; what it is compared with."""
    if re.fullmatch(r"[+-](\d+(d|h|ms|m|s))+", line):
        here.now += span(line)
        return ""
    if line.startswith("pace "):
        here.pace = int(line[5:]) * MINUTE
        return ""
    if line.startswith(":"):
        what, _, path = line[1:].strip().partition(" | ")
        name, *words = what.split()
        found = {**SHOWS, **shows}
        return shown(at(here.json(what), path) if path else found[name](here, *words))
    code, may_write, line = re.fullmatch(r"(?:(\d)(!?) )?(.*)", line).groups("")  # type: ignore[union-attr]
    before = written(here)
    run = partial(here.type, *shlex.split(line[2:])) if line[:2] == "> " else partial(here.hl, line)
    answer = run(code=int(code or 0))
    assert may_write or not code or written(here) == before, f"{line}: it wrote"
    return lined(answer.text)


def check(said: str, starts: Mapping[str, Callable[..., Host]], shows: Shows, short: Mapping[str, str]) -> None:
    """Play one case."""
    first, *rest = statements(said, short)
    name, *words = first.split()
    here = starts[name](*words)
    here.patch.chdir(here.folder)
    for one in rest:
        line, *compared = re.split(r" (==|!~|~)(?: |$)", one)
        found = " ".join(said_to(here, filled(here, line), shows).split())
        for how, text in zip(compared[::2], compared[1::2], strict=True):
            wanted = " ".join(filled(here, text).split())
            good = found == wanted if how == "==" else (wanted in found) is (how == "~")
            assert good, f"{one}\n    but: {found[:1500]}"


def plays(*tables: str, uses: str = "lines") -> Any:
    """A test that plays each case of these tables; `uses`: a further fixture."""

    @pytest.mark.usefixtures(uses)
    @pytest.mark.parametrize("said", [case for table in tables for case in cases(table)])
    def test(said: str, lines: Callable[[str], None]) -> None:
        lines(said)

    return test
