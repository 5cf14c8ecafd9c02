"""Every sentence that the games say is read: choices have "or", several "are", one is counted in the singular, no ids.

Random matches of every game, with what hosts do besides; of each fact that came up also what would be said of it with
one, two and three names, and with 1 and 2 of what it counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from events.audiences import PUBLIC_VIEWER
from games.kinds import PLAYER
from games.kit.blocks import Items, Text
from games.records import fields
from games.registry import load
from games.table import actions as shared
from games.table.state import Decision
from ledger.core.replay import fold
from ledger.render.text import render
from tests.secrecy.on_paper import Sheet
from tests.support.randomly import PEOPLE, drawn, take
from tests.support.sizes import many

NAME = "(?:Ann|Bob|Cyd|Dan|Eve|Fox|Zoe)"
SEVERAL = rf"{NAME}(?:, {NAME})* and {NAME}"
ID = re.compile(rf"(?<![\w#-])(?<!\"win )(?:{'|'.join(PEOPLE)})(?![\w-])")  # the ruling is a line to type
FAULTS = {
    "several, and the verb of one": re.compile(rf"{SEVERAL} (?:is|was|has|wins|loses|gives|receives|leaves|takes)\b"),
    "one, and the verb of several": re.compile(rf"(?<!and )(?<!or )\b{NAME} (?:are|were|have|win|lose)\b"),
    "a choice without or": re.compile(rf"(?:one of|give it to|[Cc]hoose|vote|name)[^.;]* and {NAME}[.;]"),
    "one, counted as several": re.compile(
        r"(?<![\d.,+-])1 (?:garnets|tokens|Tokens|points|cards|votes|chips|trades|swaps|tickets|minutes|players)\b"
    ),
    "several, counted as one": re.compile(
        r"\b(?:0|[2-9]|\d\d+) (?:garnet|token|Token|point|card|vote|chip|trade|swap|ticket|minute|player)\b(?! of a)"
    ),
    "an empty place": re.compile(r"\bNone\b|\(\)|  \S|, \.|\{\}|nobody and|and nobody"),
    "a person as he": re.compile(r"\b(?:he|him|his)\b"),
}
FEW = (1, 2, 3)


def faults(text: str) -> list[str]:
    """What is wrong with a sentence."""
    found = [what for what, pattern in FAULTS.items() if pattern.search(text)]
    return [*found, "an id"] if ID.search(text) else found


def with_numbers(fact: Any, players: tuple[str, ...]) -> Iterator[Any]:
    """The fact with one, two and three in each list of names that is not empty, and 1 and 2 wherever it counts."""
    yield fact
    for field in fields(type(fact)):
        value = getattr(fact, field.name)
        if field.kind is PLAYER and field.many and value:
            yield from (fact._replace(**{field.name: players[:n]}) for n in FEW)
        elif isinstance(value, Decision):
            for n in FEW:
                who = players[:n] if value.who else ()
                yield fact._replace(**{field.name: value._replace(who=who, among=players[:n])})
        elif type(value) is int and field.name in ("garnets", "points", "tokens", "chips", "amount", "price"):
            yield from (fact._replace(**{field.name: n}) for n in (1, 2))


def said_of(game: Any, state: Any, fact: Any) -> Iterator[str]:
    """What is said of a fact: to the hosts, to everybody, to each player."""
    yield game.explain(state, fact).text
    for viewer in (PUBLIC_VIEWER, *state.table.seats):
        yield from lines_of(game.tell(state, [fact], viewer).blocks)


def lines_of(blocks: Iterable[Any]) -> Iterator[str]:
    """The sentences of a text; not its tables and pictures."""
    sentences = [block for block in blocks if isinstance(block, Items | Text)]
    yield from filter(None, str(render(sentences, "UTC")).splitlines())


def matches(name: str) -> Iterator[Any]:
    """Random matches, in each of which somebody leaves, and another takes a seat over."""
    for _, _, clock, match in drawn("english ", name, many(3, 60), "over again "):
        sheet = Sheet(match.game, match.bodies)
        clock.now = match.bodies[-1].at + 60_000
        players = sheet.table.players
        for action in (
            shared.Award(players[0], "garnets", 1), shared.Award(players[1], "tokens", 1),
            shared.Penalty(players[0], 1), shared.Drop(players[0]), shared.Replace(players[0], "Zoe"),
            shared.Drop(players[1]),
        ):  # fmt: skip
            clock.now += 60_000
            take(sheet, action)
        yield sheet


def test_every_sentence_reads_well(any_game: str) -> None:
    """English: of facts with one, two and three names; and the reports of every audience."""
    wrong: dict[str, str] = {}
    game, seen = load(any_game), set()
    for sheet in matches(any_game):
        before, folded = None, list[Any]()
        fold(sheet.engine, sheet.book.entries, watch=lambda *outcome_and_state: folded.append(outcome_and_state))  # noqa: B023
        for outcome, state in folded:
            players = tuple(state.table.players)
            for fact in outcome.facts:
                seen.add(type(fact))
                for one in with_numbers(fact, players):
                    wrong.update((text, what) for text in said_of(game, state, one) for what in faults(text))
            before = state
        for viewer in (PUBLIC_VIEWER, *before.table.seats):
            blocks = game.report(sheet.frame(before, viewer), game.view(before, viewer), game.result(before, viewer))
            wrong.update((line, what) for line in lines_of(blocks) for what in faults(line))
    assert not wrong, "\n".join(f"{what}: {text}" for text, what in sorted(wrong.items())[:40])
    assert len(seen) > 6


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Ann and Bob is Elimination Candidate", "several, and the verb of one"),
        ("Bob are Elimination Candidates", "one, and the verb of several"),
        ("You won a second Token of Life: give it to one of Ann, Bob and Cyd.", "a choice without or"),
        ("You received 1 garnets.", "one, counted as several"),
        ("Dana takes over the seat of dan.", "an id"),
    ],
)
def test_a_fault_is_found(text: str, what: str) -> None:
    """The check itself can fail: each of these stood in a text."""
    assert faults(text) == [what]
