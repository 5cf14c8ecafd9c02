"""A rule in lines: what it says, what hosts type, and what it comes to. Each game has tables of such cases.

    PA-9 flush_tie: with next_cards the suits do not decide
      set flush_tie=next_cards; ended a "AS 9S 4S 3S 2S", b "AH KH QH JH 9H"
      tokens == b 2; no gift_candidate: gift b b

Statements stand with `;` between them, on as many lines as they need. The first ones say how the match begins: `set`
(settings, `see.LINE` for the information table), `with a=5 b=3` garnets, `of a b c`, `unopened`, and a row of `starts`.
Then: `LINE` as a host types it, where `@` is the number of the last entry and `@1` of the one before; `+6h-1ms`: time
passes; `no CODE: LINE` is refused so (`no any: …`), and changes nothing; `WHAT == TEXT`, `WHAT ~ TEXT` (is part of it),
`WHAT !~ TEXT`. WHAT is a row of `SHOWS` or `HEARD`, or of the game's own.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from events.errors import LedgerError
from games.records import plain
from games.spans import HOUR, MINUTE
from games.table.view import frame
from ledger.core.match import Match
from ledger.core.replay import Engine
from tests.secrecy.on_paper import typed

SPANS = {"d": 24 * HOUR, "h": HOUR, "m": MINUTE, "s": 1000, "ms": 1}
Starts = Mapping[str, Callable[..., Any]]
"""Name -> makes the match, out of the words after the name; without a name (``) where a case names none."""


def cases(text: str) -> list[Any]:
    """The cases of a table: a rule begins in the first column, its statements are indented."""
    found = re.findall(r"^(\S.*)\n((?: .*\n|\n)*)", text, re.MULTILINE)
    assert len(dict(found)) == len(found) and all(dict(found).values()), "each case has a name, and says something"
    return [pytest.param(said, id=rule) for rule, said in found]


def pairs(said: str, between: str = " ") -> dict[str, str]:
    """`a "2C 3C", b 4C` by player."""
    return {words[0]: between.join(words[1:]) for words in map(shlex.split, said.split(",")) if words}


def value(word: str) -> Any:
    if word.startswith("[{"):
        return tomllib.loads(f"value = {word}")["value"]
    if word.startswith("["):
        return [value(part) for part in word.strip("[]").split(",") if part]
    return {"true": True, "false": False}.get(word, int(word) if re.fullmatch(r"-?\d+", word) else word)


def shown(value: Any) -> str:
    """Anything as the tables write it, without `;`; of a mapping what is there."""
    if isinstance(value, str):
        return value.replace(";", ",")
    if isinstance(value, Mapping):
        rows = {str(key): shown(one) for key, one in value.items() if one not in (None, 0, "", [], {}, ())}
        return ", ".join(f"{key} {one}" for key, one in sorted(rows.items()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return " ".join(map(shown, sorted(value) if isinstance(value, (set, frozenset)) else value))
    return {None: "none", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def at(value: Any, path: str) -> Any:
    """What stands at `players.a.chips`, or at `items[audience=ann].text`; `absent` where nothing does."""
    for name, key, wanted in re.findall(r"([^.\[\]]+)(?:\[(\w+)=([^\]]*)\])?", path):
        if isinstance(value, list) and re.fullmatch(r"-?\d+", name):
            value = value[int(name)] if -len(value) <= int(name) < len(value) else "absent"
        elif isinstance(value, list):
            value = [one.get(name, "absent") for one in value]
        else:
            value = value.get(name, "absent") if isinstance(value, Mapping) else "absent"
        if key:
            value = [one for one in value if shown(one.get(key, "absent")) == wanted]
    return value


def hours(play: Any, end: int | None) -> str:
    """How far off an end is."""
    return "none" if end is None else f"{(end - play.now) / HOUR:g}h"


def report(play: Any, viewer: str) -> str:
    """The report of the match for one viewer."""
    game, framed = play.game, frame(play.state.table, play.game.title, viewer)
    return repr(game.report(framed, game.view(play.state, viewer), game.result(play.state, viewer)))


def look(play: Any, verb: str, player: str, path: str = "") -> Any:
    """What a reading verb of the game shows: `hint` to hosts, `rings:p2` to p2, `rings` to everybody."""
    verb, _, viewer = verb.partition(":")
    (lookup,) = (one for one in play.game.lookups if one.verb == verb)
    known = play.state if lookup.audience == "host" else play.game.view(play.state, viewer or "public")
    return at(plain(lookup.view(known, player)), path)


def opens(play: Any, *line: str) -> list[str]:
    """Who may open the entry of that line: players, `everybody`, or `later`: everybody after the end."""
    may = play.game.audience(play.state, read(play, " ".join(line)))
    return [*may.players, *["everybody"] * may.everybody, *["later"] * may.after_end]


Shows = Mapping[str, Callable[[Any], Any]]
"""Name -> what it is now; what has rows is asked for one of them by a further word."""
SHOWS: Shows = {
    "tokens": lambda play: play.state.table.tokens,
    "garnets": lambda play: play.garnets(),
    "open": lambda play: "; ".join(
        f"{d.kind} {' '.join(d.who)}: {' '.join(d.among)}" for d in play.state.table.decisions
    ),
    "kinds": lambda play: [d.kind for d in play.state.table.decisions],
    "ec": lambda play: play.result().elimination,
    "ranking": lambda play: ["=".join(place) for place in play.result().ranking],
    "status": lambda play: play.result().status,
    "ends": lambda play: hours(play, play.state.table.ends),
    "until": lambda play: [hours(play, decision.ends) for decision in play.state.table.decisions],
    "laws": lambda play: " / ".join(play.game.invariants(play.state)),
    "owed": lambda play: ", ".join(f"{due.who} {due.what}" for due in play.game.waiting(play.state)),
    "why": lambda play: " / ".join(award.why for award in play.state.table.awards),
    "facts": lambda play: [type(fact).__name__ for fact in play.last],
    "explain": lambda play: " / ".join(play.game.explain(play.state, fact).text for fact in play.last),
    "refusal": lambda play: play.refusals[-1],
}
HEARD: Mapping[str, Callable[..., Any]] = {
    "view": lambda play, viewer, path="": at(play.view(viewer), path),
    "result": lambda play, viewer, path: at(plain(play.result(viewer)), path),
    "told": lambda play, viewer: play.notice(play.last, viewer),
    "news": lambda play, viewer: play.notice(play.told, viewer),
    "report": report,
    "look": look,
    "opens": opens,
}
"""Further words: the viewer, and where it stands; `look` has the verb before them; `opens` what a host types."""


def ask(play: Any, what: str, shows: Shows | None = None) -> str:
    """WHAT as the tables write it."""
    name, *where = what.split()
    if name in HEARD:
        return " ".join(shown(HEARD[name](play, *where)).split())
    return " ".join(shown(at({**SHOWS, **(shows or {})}[name](play), ".".join(where))).split())


def statements(said: str) -> Iterator[str]:
    return (one.strip() for line in said.splitlines() for one in line.split(";") if one.strip())


def read(play: Any, line: str) -> Any:
    """The action that a host types."""
    desk = SimpleNamespace(engine=Engine(play.game), game=play.game, table=play.state.table, zone="UTC")
    desk.desk = lambda now: Match.desk(desk, now)  # type: ignore[arg-type]
    line = re.sub(r"@(\d?)", lambda back: str(play.seq - int(back[1] or 0)), line)
    return typed(desk, shlex.split(line), play.now)[0]  # type: ignore[arg-type]


def act(play: Any, line: str) -> None:
    """What a host types; the facts of it are `play.last`."""
    play.last = play.do(read(play, line))


def check(said: str, starts: Starts, shows: Shows | None = None, line: Callable[[str], str] = str) -> None:
    """Play one case; `line`: what hosts type, of what the game's own table says shorter."""
    given: dict[str, Any] = {}
    play: Any = None
    for one in statements(said):
        head, _, rest = one.partition(" ")
        if play is None:
            if head == "set":
                rows = [word.partition("=")[::2] for word in shlex.split(rest)]
                chosen = given.setdefault("settings", {"visibility": {}})
                chosen |= {key: value(word) for key, word in rows if not key.startswith("see.")}
                chosen["visibility"] |= {key[4:]: word for key, word in rows if key.startswith("see.")}
                continue
            if head == "with":
                given["garnets"] = {p: int(n) for p, _, n in (word.partition("=") for word in rest.split())}
                continue
            if head == "of":
                given["players"] = rest.split()
                continue
            if head == "unopened":
                given["opened"] = False
                continue
            play = starts[head if head in starts else ""](rest if head in starts else "", **given)
            play.last, play.refusals = list(play.told), []
            if head in starts:
                continue
        if re.fullmatch(r"([+-]\d+(h|ms|m))+", one):
            parts = re.findall(r"([+-]\d+)(h|ms|m)", one)
            play.last = play.wait(play.now + sum(int(number) * SPANS[unit] for number, unit in parts))
        elif match := re.fullmatch(r"no (\S+): (.*)", one):
            before = play.state
            with pytest.raises(LedgerError) as refused:
                act(play, line(match[2]))
            assert match[1] == "any" or refused.value.code.endswith("." + match[1]), f"{one}: {refused.value.code}"
            assert play.state == before, one
            said_ = refused.value
            play.refusals.append(f"{said_.what} | {said_.fix} | {said_.host_only}")
        elif match := re.fullmatch(r"(.*?) (==|~|!~) ?(.*)", one):
            what, how, wanted = match.groups()
            found = ask(play, what, shows)
            wanted = "" if wanted == "nothing" else wanted
            same = sorted(found.split(", ")) == sorted(wanted.split(", "))
            good = same if how == "==" else (wanted in found) is (how == "~")
            assert good, f"{one}\n    but: {found[:900]}"
        else:
            act(play, line(one))
    if play is not None and play.game.verdict is not None and play.game.over(play.state):
        short_reasons_tell_no_more(play)


def plays(text: str, *known: Any) -> Any:
    """A test that checks each case of a table. What it knows: starts, shows, and what a line stands for."""

    @pytest.mark.parametrize("said", cases(text))
    def test(said: str) -> None:
        check(said, *known)

    return test


def short_reasons_tell_no_more(play: Any) -> None:
    """Short reasons name nobody, no card and no number: who may know the outcome alone reads them."""
    end, table = play.game.verdict(play.state), play.state.table
    said = "; ".join([row.short for row in (*end.awards, *end.unwon)] + [end.elimination_short])
    names = "|".join(re.escape(seat.name) for seat in table.seats.values())
    assert not re.search(rf"[0-9]|\b({names})\b", said), said
