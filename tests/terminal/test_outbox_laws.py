"""A law over random matches of every game: an item of the outbox that named a result since withdrawn is corrected.

A match is played to its end, its texts are posted, and then hosts go on: awards, corrections, declarations, who left,
undone and redone, in time and late, and posting in between. After each: what was last said to everybody of tokens,
elimination, winner and points is the result; who was told otherwise is told so. Source: season S-4, declare;
docs/reliability.md.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from events import LedgerError
from events.audiences import PUBLIC_VIEWER
from games.registry import names
from games.table import actions as shared
from games.table.report import tokens_and_elimination
from ledger.record import corrections, recorder
from ledger.record.plan import Options
from ledger.render import discord
from ledger.tell.outbox import outbox
from ledger.tell.texts import split_name
from tests.secrecy.desk import command
from tests.secrecy.on_paper import Clock, PaperApp, Sheet
from tests.support.randomly import MINUTE, Played, decide, drawn, take, yes
from tests.support.sizes import log_number, many

SEEDS, ROUNDS = 2, 4
"""Matches of each game; how often hosts go on after the end."""


def all_posted(*words: Any) -> Iterator[tuple[int, random.Random, Clock, Played, PaperApp]]:
    """Random matches of which every text has been posted."""
    for seed, chance, clock, match in drawn(*words):
        app = PaperApp(Sheet(match.game, match.bodies))
        command(app, ["outbox", "done", "all", "--yes"])
        yield seed, chance, clock, match, app


def changes(sheet: Sheet, chance: random.Random, first: int) -> Iterator[Any]:
    """(what hosts record, the time that they give it; None: now)."""
    players, bodies = sheet.table.players, [entry.body for entry in sheet.book.entries]
    who, n = chance.choice(players), chance.randint(1, 3)
    marks = {seq for seq, body in enumerate(bodies, 1) if body.do == "posted"}
    targets = [seq for seq in range(first + 1, len(bodies) + 1) if seq not in marks]
    """Not the marks: an old text that is posted again after a newer one says the old, in its order of posting."""
    at = chance.choice([body.at for body in bodies[first:]]) + 1_000
    yield from chance.sample(
        [
            (shared.Award(who, "garnets", n), at), (shared.Award(who, "tokens", 1), None),
            (shared.Declare("elimination", (who,)), None), (shared.Declare("elimination"), None),
            (shared.Declare("token", (who,), n), None), (shared.Declare("winner", (who,)), None),
            (shared.Drop(who), at), (shared.Override(who, "points", str(n)), None),
            (shared.Override(who, "points", str(n)), at),
            (shared.Undo(chance.choice(targets)), None), (shared.Undo(chance.choice(targets)), None), ("outbox", None),
        ],
        3,
    )  # fmt: skip


def record(sheet: Sheet, what: Any, at: int | None, app: PaperApp) -> None:
    if what == "outbox":
        command(app, ["outbox", "done", "all", "--yes"])
    elif isinstance(what, shared.Undo):
        try:
            recorder.correct(
                sheet, what, Options("mara", yes=True), yes, lambda match: corrections.check_undo(match, what.target)
            )
        except LedgerError:
            pass
    else:
        take(sheet, what, at)


def claims(sheet: Sheet) -> list[str]:
    """What everybody may know of the result now, each as a pattern of a line that says it."""
    state, game = sheet.fold.state, sheet.game
    frame, result = sheet.frame(state, PUBLIC_VIEWER), game.result(state, PUBLIC_VIEWER)
    frame = frame._replace(names={p: name.replace(LEFT, "") for p, name in frame.names.items()})
    lines = discord.render(tokens_and_elimination(frame, result)).splitlines()
    said = [re.escape(line.replace("**", "")) for line in lines if "tokens" in game.has or "Token" not in line]
    if game.name in SCORED:
        said += [f"^.*{re.escape(frame.names[p])}.* {n}\\b.*$" for p, n in (result.scores or {}).items()]
    return said


LEFT = " (left)"
"""The mark alone is no other result."""
SCORED = ("hex_parties", "polar", "marsmatch", "freeform")
"""Games whose reports show the scores as they stand in the result."""


def last_told(sheet: Sheet) -> str:
    """The last report for everybody, posted or waiting, and what was told after it: whole texts, put together."""
    found: dict[str, str] = {}
    for entry in sheet.book.entries:
        args = entry.body.args
        struck = entry.seq in sheet.fold.marks.struck
        if entry.body.do == "posted" and args["audience"] == PUBLIC_VIEWER and not args.get("dropped") and not struck:
            whole = f"{args['item'].partition('.')[0]} {entry.body.at}"
            found[whole] = f"{found.get(whole, '')}\n{args['text']}"
    for item in outbox(sheet).waiting:
        if item.audience == PUBLIC_VIEWER:
            whole = f"{item.whole} waits"
            found[whole] = f"{found.get(whole, '')}\n{item.text}"
    texts = [text.replace(LEFT, "").replace("**", "") for text in found.values()]
    last = max((n for n, text in enumerate(texts) if "\n## " in text), default=len(texts))
    return "\n".join(texts[last:])


def test_what_was_last_told_is_the_result(any_game: str, record_property: Any) -> None:
    """Two matches of each game: of one that is over everybody was told tokens, elimination, winner and points."""
    checked = 0
    for seed, chance, clock, match, app in all_posted("other ", any_game, many(SEEDS, 60)):
        sheet = app.match
        command(app, ["close", "--yes"])
        for _ in range(ROUNDS):
            for what, at in changes(sheet, chance, match.setup):
                clock.now += MINUTE
                record(sheet, what, at, app)
            if sheet.table.status != "finished" or sheet.table.void:
                continue
            told = last_told(sheet)
            where = f"{any_game}, seed {seed}: {[e.body.do for e in sheet.book.entries[match.setup :]]}"
            lacks = [line for line in claims(sheet) if not re.search(line, told, re.M)]
            assert not lacks, f"{where}\n{lacks}\n{told}"
            checked += 1
    log_number(record_property, checked)
    assert checked


# ---- ends that hosts take back ---------------------------------------------------------------------------------------


def shown(sheet: Sheet) -> set[str]:
    """The lines of the report that everybody may read now."""
    state, game = sheet.fold.state, sheet.game
    frame, view = sheet.frame(state, PUBLIC_VIEWER), game.view(state, PUBLIC_VIEWER)
    return set(discord.render(game.report(frame, view, game.result(state, PUBLIC_VIEWER))).splitlines())


ENDS = ("close", "reopen", "decide", "deadline +6h")


@pytest.mark.parametrize("name", [name for name in names() if name != "freeform"])
def test_what_waits_for_everybody_opens_nothing_that_was_closed_again(name: str, record_property: Any) -> None:
    """Ends and reopens follow each other, and nothing of them is posted: no waiting text says what only an end said.

    A correction may speak of what was posted before these.
    """
    checked = 0
    for seed, chance, clock, match, app in all_posted("reopened ", name, many(5, 100), "over again "):
        sheet, stages = app.match, list[tuple[tuple[str, ...], set[str]]]()
        texts = (entry.body.args["text"] for entry in sheet.book.entries if entry.body.do == "posted")
        posted = {line for text in texts for line in text.splitlines()}
        for what in chance.choices(ENDS, (2, 2, 1, 1), k=12):
            clock.now += MINUTE
            stages.append((sheet.table.past, shown(sheet)))
            last = sheet.book.entries[-1]
            if what != "decide":
                command(app, [*what.split(), "--yes"])
            elif sheet.table.decisions:
                take(sheet, next(decide(sheet.table.decisions[0], chance)))
            if what == "reopen" and last is not sheet.book.entries[-1]:
                stands = {line for past, said in stages if sheet.table.past[: len(past)] == past for line in said}
                closed = {line for _, said in stages for line in said} - stands - shown(sheet) - posted
                waiting = [item for item in outbox(sheet).waiting if item.audience == PUBLIC_VIEWER]
                told = {line for item in waiting for line in item.text.splitlines()}
                first = {line for item in waiting if not item.covers for line in item.text.splitlines()}
                where = f"{name}, seed {seed}: {[e.body.do for e in sheet.book.entries[match.setup :]]}"
                assert sorted(told & closed) == [] and "(before: " not in str(first), where
                checked += 1
    log_number(record_property, checked)
    assert checked


@pytest.mark.parametrize("name", [name for name in names() if name != "freeform"])
def test_a_result_that_was_posted_and_reopened_is_taken_back_first(name: str, record_property: Any) -> None:
    """Hosts reopen one end after the other: of each result that was posted the first waiting text is a correction.

    Everybody reads it before anything else, once. Source: host powers.
    """
    checked = 0
    for seed, chance, clock, match in drawn("taken back ", name, many(8, 60), "over again "):
        match = level(match) if seed % 2 else match
        is_ended = chance.random() < 0.7  # else hosts end what goes on
        sheet = Sheet(match.game, match.bodies[: None if is_ended else (match.setup + len(match.bodies)) // 2])
        app = PaperApp(sheet)
        for words in (["close"], ["close"], ["lot"], ["outbox", "done", "all"]):
            command(app, [*words, "--yes"])
        told = claims(sheet)
        for _ in range(chance.randint(1, 3)):
            clock.now += MINUTE
            command(app, ["reopen", "--yes"])
        waiting = [item for item in outbox(sheet).waiting if item.audience == PUBLIC_VIEWER]
        if not {*told} <= {*claims(sheet)}:
            where = f"{name}, seed {seed}: {[e.body.do for e in sheet.book.entries[match.setup :]]}"
            assert waiting and "A correction" in waiting[0].text, where
            checked += 1
            command(app, ["outbox", "done", "all", "--yes"])
            assert not outbox(sheet).waiting, where
    log_number(record_property, checked)
    assert checked >= many(1, 10) or name == "marsmatch", "no result is told there but points, which a reopen leaves"


def level(match: Played) -> Played:
    """The same with equal bids: a lot decides, and only what is decided so can be gone back on in Sealed Bid."""
    bodies = (
        body._replace(args={**body.args, "amount": 7}) if body.do == "bid" and "amount" in body.args else body
        for body in match.bodies
    )
    return match._replace(bodies=tuple(bodies))


# ---- what corrections repeat -----------------------------------------------------------------------------------------


CHANGED = r"(Elimination Candidate is|winner is|Tokens of Life are|scores are|places are) now:? "
NOW = re.compile(CHANGED + r"(.*?)(?: \(before: (.*)\))?(?:, because .*)?\.$")
BACK = re.compile(r"- (?:Taken back|No longer true)(?: \(.*?\))?: .(.*?)\.?$")
REPORTED = {
    "Elimination Candidate is": (r"^Elimination Candidates?: (.*)()$", "nobody"),
    "winner is": (r"^Winners?: (.*)()$", "nobody"),
    "Tokens of Life are": (r"^- (.*) · (\d+) Tokens? of Life$", "none"),
}
"""How a report says it, and what it says without such a line."""


def by_player(listed: str | None) -> dict[str, str]:
    return dict(part.rsplit(" ", 1) for part in (listed or "").split(", ") if " " in part)


def reported(sheet: Sheet, audience: str, seq: int, text: str) -> Iterator[tuple[str, str]]:
    """What a posted report says of the result, and what it would have said as it was posted: what hosts give while a
    decision is open is told by the next report."""
    state, game = sheet.as_known(seq - 1).fold.state, sheet.game
    then = game.report(sheet.frame(state, audience), game.view(state, audience), game.result(state, audience))
    for what, (pattern, without) in REPORTED.items():
        for shown in (text, plain(discord.render(then))):
            rows = [" ".join(row).strip() for row in re.findall(pattern, shown, re.M)]
            yield what, ", ".join(rows) or without


def plain(text: str) -> str:
    return text.replace("**", "").replace(LEFT, "")


def repeated(sheet: Sheet) -> Iterator[str]:
    """What a posted correction says of a result and its readers were last told otherwise, or told already; and what it
    takes back that they were not told.

    They were told by the last sentence about it, and by reports since: an end without a change brings only these.
    """
    told, scores = dict[tuple[str, str], set[str]](), dict[tuple[str, str], dict[str, str]]()
    said, read = dict[tuple[str, str], str](), dict[str, str]()
    posted = (e for e in sheet.book.entries if e.body.do == "posted" and not e.body.args.get("dropped"))
    whole = groupby(posted, lambda e: (e.body.args["audience"], split_name(e.body.args["item"])[0]))
    for (audience, item), (first, *more) in whole:
        text = plain("\n".join(mark.body.args["text"] for mark in (first, *more)))
        text = re.sub("[Tt]here is no (.*) any more", r"the \1 is now nobody", text)
        for line in text.splitlines():
            if taken := BACK.match(line):
                if taken[1] not in read.get(audience, ""):
                    yield f"entry {first.seq}, {item}: {line} / told nobody"
                continue
            if not (found := NOW.search(line)):
                continue
            about, now, before = (audience, found[1]), found[2], found[3]
            if found[1] in ("scores are", "places are"):  # only of those who have others now
                last = scores.setdefault(about, {})
                known, wrong = str(last), any(last.get(who, n) != n for who, n in by_player(before).items())
                last |= by_player(now)
            else:
                values = told.get(about, {str(before)})
                known, wrong = str(values), before not in (None, *values) or values == {now} == {said.get(about)}
                told[about], said[about] = {now}, now
            if wrong and first.body.args["covers"]:
                yield f"entry {first.seq}, {item}: {line} / last told {known}"
        read[audience] = f"{read.get(audience)}\n{text}"
        for what, value in reported(sheet, audience, first.seq, text) if "\n## " in text else ():
            told.setdefault((audience, what), set()).add(value)


def test_a_correction_tells_what_changed_since_its_readers_were_last_told_once(
    any_game: str, record_property: Any
) -> None:
    """After the end hosts go on in every way, and post all that waits now and then."""
    checked = 0
    for seed, chance, clock, match, app in all_posted("over again ", any_game, many(4, 60)):
        sheet = app.match
        command(app, ["close", "--yes"])
        for _ in range(6):
            for what, at in changes(sheet, chance, match.setup):
                clock.now += MINUTE
                record(sheet, what, at, app)
            if chance.random() < 0.7:
                command(app, ["outbox", "done", "all", "--yes"])
            if chance.random() < 0.15:
                command(app, ["reopen", "--yes"])
        where = f"{any_game}, seed {seed}: {[e.body.do for e in sheet.book.entries[match.setup :]]}"
        found = [*repeated(sheet)]
        assert not found, "\n".join([where, *found])
        checked += sum(bool(e.body.args.get("covers")) for e in sheet.book.entries if e.body.do == "posted")
    log_number(record_property, checked)
    assert checked
