"""A correction tells each audience what it may know, and nothing that only others, or hosts, were told.

Each log of a game is played again; what everybody was told by one of its entries is posted, and then the entry is
undone. What follows holds for the correction of every audience at once: each sentence of it was told to that audience
or to everybody, before or now, or it is what the game tells them of a result that changed. The pairs (moves.py,
`told_and_undone`) ask the same of one viewer at a time, with other secrets. And a correction is the same, with its
receipt and its date, whatever somebody else was told, and whatever hosts did later that its audience may not know of.

Source: docs/reliability.md; docs/decisions/0033; season S-11.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from events import Body, write_instant
from events.audiences import PUBLIC_VIEWER
from games.kit.blocks import Items
from games.registry import load, names
from games.table.facts import CORRECTION
from games.table.settings import LEVELS
from ledger.core.match import Match
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.outbox import changed_result, outbox
from ledger.tell.texts import texts_now
from tests.secrecy.leaks import Leaky, results_of_all, taken_back_by_hosts
from tests.secrecy.on_paper import Sheet
from tests.secrecy.test_closed_lines import LOGS, entries
from tests.support.sizes import FULL, log_number, many

Line = tuple[Any, ...]
LABEL = re.compile(r"(Taken back|No longer true|True now)( \(.*\))?: ")
VERBS = ("resolve", "close", "deal", "open", "override")
"""Whose entries tell most; of each the last ones of a log are undone."""
LAST = many(1, 100)
"""So many of each."""
OWN = {"tokens": "owner", "elimination": "owner"}
"""Levels under which each player is told another result."""


def sheet(log: Path, levels: Mapping[str, str]) -> Sheet:
    """The match of a log, with some levels of its information table from line 1 on; nothing is corrected in it yet."""
    first, *rest = entries(log)
    game = load(str(first.args["game"]))
    table = {
        **first.args["settings"].get("visibility", {}),
        **{k: v for k, v in levels.items() if k in game.visibility},
    }
    settings = {**first.args["settings"], "visibility": table}
    rest = [body for body in rest if body.do not in ("undo", "redo", "amend", "confirm", "join", "posting")]
    return Sheet(game, [first._replace(args={**first.args, "settings": settings}), *rest])


def posted(match: Match, seq: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Entries that say that all texts of an entry were posted."""
    for item in (item for item in texts_now(match).values() if item.seq == seq):
        args = {"audience": item.audience, "channel": item.channel, "item": item.name, "text": str(item.text)}
        yield "posted", {**args, "digest": "", "dropped": False}


def undone(match: Sheet, seq: int, left: str = "") -> Sheet:
    """The same, where all texts of an entry were posted, and it was undone after that.

    Args:
        left: Who left in between.
    """
    last = match.book.entries[-1].body
    bodies = [entry.body for entry in match.book.entries]
    bodies += [Body(do, last.at, last.by, last.recorded, args) for do, args in posted(match, seq)]
    bodies += [Body("drop", last.at, last.by, last.recorded, {"player": left})] if left else []
    bodies.append(Body("undo", last.at, last.by, last.recorded, {"target": seq}))
    return Sheet(match.game, bodies)


def changes(match: Match) -> Iterator[tuple[str, Line]]:
    """(audience, sentence) of every correction: what it says has changed, without its first words."""
    for item in outbox(match).waiting:
        introduction, *below = item.notice.below if item.covers else ("",)
        for line in below[0].items if "What changed:" in str(introduction) else ():
            yield item.audience, bare(line[1:] if LABEL.fullmatch(str(line[0])) else line)


def bare(line: Line) -> Line:
    """The sentence without the words that open a correction, and in small letters where it begins."""
    first, *rest = line
    first = first.removeprefix(CORRECTION) if isinstance(first, str) else first
    return (first[:1].lower() + first[1:] if isinstance(first, str) else first, *rest)


def told_lines(match: Match) -> dict[str, set[Line]]:
    """Audience -> every sentence and every line of a list that it, or everybody, is told."""
    found: dict[str, set[Line]] = {who: set() for who in (PUBLIC_VIEWER, *match.table.seats)}
    for item in texts_now(match).values():
        for who in found if item.audience == PUBLIC_VIEWER else (item.audience,):
            lists = (block.items for block in item.notice.below if isinstance(block, Items))
            found[who] |= {*map(bare, chain(item.notice.lines, *lists))}
    return found


def strange(game: str, compared: Counter[str]) -> Iterator[tuple[str, str, Line]]:
    """(what was undone, audience, sentence) of everything in corrections that was not told to that audience.

    Args:
        compared: Counts the sentences of each kind.
    """
    for log in (log for log in LOGS if log.parent.name == game):
        for levels in ({}, OWN) if FULL else (OWN,):  # lines that a game does not have are left out
            before = sheet(log, levels)
            tellers = {item.seq: before.book.entries[item.seq - 1].body.do for item in texts_now(before).values()}
            for verb in VERBS:
                for seq in [seq for seq, do in tellers.items() if do == verb][-LAST:]:
                    yield from _strange(before, seq, compared)


def sent_to_who_left(game: str, compared: Counter[str]) -> Iterator[tuple[str, int, str]]:
    """(log, what was undone, who) of every text that waits for somebody who has left.

    Args:
        compared: Counts those who had been told of what was undone.
    """
    for log in (log for log in LOGS if log.parent.name == game):
        before = sheet(log, {})
        told = {item.audience: item.seq for item in texts_now(before).values() if item.audience != PUBLIC_VIEWER}
        for who, seq in [*told.items()][-LAST:]:
            after = undone(before, seq, left=who)
            compared[who] += who in after.table.left
            yield from ((log.name, seq, who) for item in outbox(after).waiting if item.audience in after.table.left)


def _strange(before: Sheet, seq: int, compared: Counter[str]) -> Iterator[tuple[str, str, Line]]:
    after = undone(before, seq)
    was, now, states = told_lines(before), told_lines(after), (before.fold.state, after.fold.state)
    results = {
        who: {bare(line) for places in (True, False) for line in changed_result(after, *states, who, places)}
        for who in was
    }
    apart = {line for who, lines in results.items() for line in lines - results[PUBLIC_VIEWER]}
    for who, line in changes(after):
        compared["result of one" if line in apart else "sentence"] += 1
        if line not in was[who] | now[who] | results[who] | results[PUBLIC_VIEWER]:
            yield f"{before.book.entries[seq - 1].body.do} {seq}", who, line


@pytest.mark.parametrize("game", [name for name in names() if any(log.parent.name == name for log in LOGS)])
def test_a_correction_holds_what_its_audience_was_told(game: str, record_property: Any) -> None:
    """Of what every entry that tells much told; the results of one player are told to that player alone."""
    compared = Counter[str]()
    found = list(strange(game, compared))
    assert not found, found[:5]
    assert compared["sentence"] and (compared["result of one"] or "tokens" not in load(game).visibility), compared
    log_number(record_property, compared.total())


@pytest.mark.parametrize("game", [name for name in names() if any(log.parent.name == name for log in LOGS)])
def test_who_has_left_is_sent_nothing(game: str) -> None:
    """No correction either, of what they had been told."""
    compared = Counter[str]()
    assert not [*sent_to_who_left(game, compared)]
    assert compared.total(), "nobody left while something was to be corrected"


def typed(match: Sheet, *rows: tuple[str, dict[str, Any]]) -> Sheet:
    """The same match, with these entries after its last."""
    bodies = [entry.body for entry in match.book.entries]
    for do, args in rows:
        now = bodies[-1].at + 60_000
        bodies.append(Body(do, now, bodies[-1].by, now, args))
    return Sheet(match.game, bodies)


def beside_others(game: str, seed: int, compared: Counter[str]) -> Iterator[tuple[str, Any, Any]]:
    """(audience, its correction in the one, and in the other) of two matches that stand alike.

    In the one somebody else is told the same sentence as the player who gets a correction; in the other they are told
    of the same in two halves. Later hosts write two notes in the one, and take back the first of them in the other.

    Args:
        compared: Counts the corrections, and the players whose sentence somebody else was told too.
    """
    chance = random.Random(f"beside others {game} {seed}")
    before = sheet(
        chance.choice([log for log in LOGS if log.parent.name == game]),
        {line: chance.choice(LEVELS) for line in load(game).visibility},
    )
    player, other = chance.sample([*before.table.present], 2)
    whole, half = ({"player": other, "what": "garnets", "amount": n} for n in (2, 1))
    note, found = ("note", {"text": "x"}), []
    for rows, undo in (([("award", whole), note], False), ([("award", half)] * 2, True)):
        rows += [("award", {**whole, "player": player}), ("replace", {"player": other, "name": "Zoe"})]
        match = typed(before, *rows)
        public, told = len(match.book.entries), told_lines(match)
        match = typed(undone(undone(match, public - 1), public), note)
        match = typed(match, ("undo", {"target": len(match.book.entries)}) if undo else note)
        numbers = {entry.hash: entry.seq for entry in match.book.entries}
        found.append({
            item.audience: (item.name, item.covers, item.at, numbers.get(item.receipt), item.notice)
            for item in outbox(match).waiting if item.covers and item.audience != other
        })  # fmt: skip
        compared["same"] += bool(told[player] & told[other] - told[PUBLIC_VIEWER])
    compared.update(f"public {who == PUBLIC_VIEWER}" for who in found[0])
    yield from ((who, *(row.get(who) for row in found)) for who in found[0] | found[1])


@pytest.mark.parametrize("game", [name for name in names() if any(log.parent.name == name for log in LOGS)])
def test_a_correction_is_the_same_whatever_others_were_told(game: str) -> None:
    """Sentence by sentence, with its receipt and its date, under any information table."""
    compared = Counter[str]()
    for seed in range(many(2, 100)):
        for who, one, other in beside_others(game, seed, compared):
            assert one == other, f"{who} of pair {seed}"
    assert compared["same"] and compared["public True"] and compared["public False"], compared


@pytest.mark.parametrize(
    ("later", "newest"),
    [
        ("posted | undo 5", 8), ("posted | add | undo 5", 9), ("posted | undo 5 | add | undo 9", 8),
        ("posted | undo 5 | redo 8 | undo 5", 10), ("posted | undo 5 | redo 8 | undo 5 | add | undo 11", 10),
        ("posted | amend 5 7 | amend 5 8 | add | undo 10", 9), ("posted | add | undo 5 | undo 8 | add | undo 11", 9),
        ("posting | undo 5 | posted | add | undo 11", 9),
    ],
)  # fmt: skip
def test_the_receipt_of_a_correction_is_of_the_newest_entry_that_changed_what_was_told(later: str, newest: int) -> None:
    """And so is its date; where it was changed while it was being posted, that of its mark. Nobody but hosts knows what
    is added. Source: docs/decisions/0021."""
    counters = {name: {"start": 0, "seen_by": who} for name, who in (("tea", "everybody"), ("luck", "hosts"))}
    file = {"game": "freeform", "title": "t", "zone": "UTC", "hosts": ["mara"], "counters": counters}
    players = {p: {"name": p.title()} for p in ("ann", "bob")}
    _, bodies = setup_bodies({**file, "players": players}, source="match.toml", by=None, now=1_795_000_000_000)
    tea, luck = ({"counter": name, "player": "ann", "value": "5"} for name in counters)
    match = typed(Sheet(load("freeform"), bodies), ("open", {}), ("add", tea))
    marks = [args for _, args in posted(match, 5)]
    assert [mark["audience"] for mark in marks] == [PUBLIC_VIEWER, "ann"]
    for words in later.split(" | "):
        do, *numbers = words.split()
        args: dict[str, Any] = {"target": int(numbers[0])} if numbers else luck
        args |= {"args": {**tea, "value": numbers[1]}} if do == "amend" else {}
        claims = [{key: held for key, held in mark.items() if key not in ("digest", "dropped")} for mark in marks]
        rows = {"posted": marks, "posting": claims}.get(do, [args])
        match = typed(match, *((do, row) for row in rows))
    (correction,) = (item for item in outbox(match).waiting if item.covers and item.audience == PUBLIC_VIEWER)
    entry = match.book.entries[newest - 1]
    assert (correction.receipt, correction.at) == (entry.hash, entry.body.recorded)


@pytest.mark.parametrize(
    ("game", "leak"), [("polar", results_of_all), ("poker_auction", taken_back_by_hosts)],
)  # fmt: skip
def test_seeded_leaks_are_found(game: str, leak: Leaky, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results of others, and the words of hosts."""
    leak(load(game), monkeypatch)
    assert next(strange(game, Counter()), None)


def test_of_an_end_that_was_moved_twice_everybody_reads_one_text_whoever_was_late() -> None:
    """The move lets late sheets count: it changes no text of anybody but whose sheet it is."""
    players = {p: {"name": p.title()} for p in ("ann", "bob", "cyd", "dan", "eve")}
    file = {"game": "poker_auction", "title": "t", "zone": "UTC", "hosts": ["mara"], "players": players}
    began, told = 1_795_000_000_000, []
    _, bodies = setup_bodies(file, source="match.toml", by=None, now=began)
    sheet = {"player": "ann", "chips": 7, "ranking": "joker>hearts>spades>diamonds>clubs"}
    for other in (("power", sheet), ("note", {"text": "only bob was late"})):
        rows: list[tuple[str, dict[str, Any]]] = [("open", {}), ("close", {"phase": "power"})]
        rows += [("power", {**sheet, "player": "bob"}), other]
        rows += [("deadline", {"when": write_instant(began + hours * 3_600_000)}) for hours in (50, 60)]
        more = (Body(do, began + n * 60_000, "mara", began + n * 60_000, args) for n, (do, args) in enumerate(rows, 1))
        match = Sheet(load("poker_auction"), [*bodies, *more])
        assert not match.fold.contested
        told.append([(item.audience, item.notice) for item in outbox(match).waiting if item.audience != "ann"])
    assert told[0] == told[1] and str(told[0]).count("end is now") == 1 and "late sheet" in str(told[0])
