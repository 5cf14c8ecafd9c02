"""The information table is the only door: every line closed, nothing is told; a line opened, something is.

With each line at `host`, an audience is told the course of the match (phases, rounds, ends), and a player besides what
he sent himself. Which words those are stands here, so that a new text is decided on before it is sent. And every line
does something: opened alone, it tells somebody something that he was not told before.

Source: design sections 3 and 7; docs/games, the information tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import secrecy_harness as harness

from events import Body
from events.audiences import PUBLIC_VIEWER
from games.kit.blocks import items
from games.registry import load, names
from games.table.facts import DecisionOpened
from ledger import reports
from ledger.match import Match
from ledger.outbox import desk, remindable, reminder

LOGS = sorted((Path(__file__).resolve().parent / "old_logs").glob("*/*.jsonl"))
COURSE = (
    r"## .* · (Equilibrium|Hex Parties|MarsMatch|Poker Auction|Polar RPS Party)",
    r"### (Round \d+|The start|Clubs|Diamonds|Hearts|Spades)",
    r"(- )?(The \w+ round|Round \d+|The pregame) is (open|resolved)\.( It ends <t> \(<t>\)\.)?",
    r"(- )?Trading is (open|over)\.",
    r"(- )?The match is over\.",
    r"(Trading|The auction|Play|The last round) is over; something is still to be decided\."
    r"( There is time for that until <t> \(<t>\)\.| It ends <t> \(<t>\)\.)?",
    r"- Until <t> \(<t>\)\.",
)  # fmt: skip
"""What everybody may be told of any match: that it goes on, and until when."""
SHEETS = (
    r"A reminder: your (sheet for \w+( \d+)?|submission for powers|sheet of orders|choice of the odd piece|move"
    r"|room, sign and two bombs) is still missing\.( It is due <t> \(<t>\)\.)?",
    r"- You submit nothing for (the \w+ round|the pregame|round \d+)\.",
    r"- Your late sheet for (the \w+ round|the pregame|round \d+) counts\.",
    r"- Your sheet is (in|taken back) for the \w+ round"
    r"(; it came after the deadline and counts only if a host rules so)?\.",
)
"""What a player may be told of his own sheets."""
MORE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "equilibrium": ((), (r"- You are no longer locked in\.",)),
    "poker_auction": ((), (r"- Your cards: \*\*[\w ]*\*\*", r"- Your best hand: .*", r"- Your cards: none")),
    "hex_parties": ((), (r"- Your odd piece is the one on \w+\..*", r"- Your orders are in: .*")),
    "polar": (
        (r"(- )?(The pregame|Round \d+ of \d+)\..*", r"(- )?The rounds are over.*"),
        (r"- Your sheet for (the pregame|round \d+): .*",),
    ),
    "marsmatch": (
        (
            r"- \w+ is Banker\. Clockwise: [\w, ]+\.", r"- The cards are dealt\.", r"- The Real Match begins\.",
            r"The match is over\. Banker: \w+\.", r"```", r"player +cards +points", r"Ann|Bob|Cyd|Dan",
        ),
        (r"- You (received|lost) \d+ garnets?\.",),
    ),
}  # fmt: skip
"""Game -> (more that is everybody's, more that is a player's own). There is no line for them in its table."""


@cache
def entries(log: Path) -> tuple[Body, ...]:
    """What was recorded, without what was posted."""
    return tuple(entry.body for entry in Match(str(log)).book.entries if entry.body.do != "posted")


def lines_set(log: Path, levels: Mapping[str, str], most: int | None = None) -> Match:
    """The match of a log, or of its first entries, with these levels in its information table from line 1 on."""
    first, *rest = entries(log)[:most]
    args = {**first.args, "settings": {**first.args["settings"], "visibility": dict(levels)}}
    return harness.Sheet(load(str(first.args["game"])), [first._replace(args=args), *rest])


def texts(match: Match) -> Iterable[tuple[str, str]]:
    """(audience, line) of everything that anybody is sent, and of reminders now; times are left out."""
    late = [reminder(match, due) for due in remindable(match)]
    for item in (*desk(match).waiting, *late):
        for line in re.sub(r"<t:\d+:\w>", "<t>", item.text).splitlines():
            if not re.fullmatch("[0-9a-f]{64}", line):
                yield item.audience, line


def seen(match: Match, viewer: str) -> Any:
    """The view and the result for somebody."""
    told = reports.view_json(match, reports.Shown(match.fold, viewer))
    return {key: value for key, value in told["result"].items() if key != "assumptions"}, told["view"]


def moments(log: Path, levels: Mapping[str, str]) -> Iterable[Match]:
    """The match at some points: a third and two thirds of it, each entry that leaves a decision open, and the end."""
    whole = lines_set(log, levels)
    count = len(whole.book.entries)
    asked = {
        outcome.live.seq
        for outcome in whole.fold.outcomes
        if any(isinstance(fact, DecisionOpened) for fact in outcome.facts)
    }
    yield from (lines_set(log, levels, most) for most in sorted({count // 3, 2 * count // 3, *asked} - {0, count}))
    yield whole


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_with_every_line_closed_only_the_course_and_own_sheets_are_told(log: Path) -> None:
    game = log.parent.name
    everybody, own = MORE[game]
    for match in moments(log, dict.fromkeys(load(game).visibility, "host")):
        found = [
            (audience, line)
            for audience, line in texts(match)
            if not any(
                re.fullmatch(form, line)
                for form in (*COURSE, *everybody, *(() if audience == PUBLIC_VIEWER else (*SHEETS, *own)))
            )
        ]
        assert not found, found


COURSE_SHOWN = (
    r"(status|game|head|entries|phase|round|ends|closed|paused|of|banker|sides_known|begin\.round)"
    r"|rounds\.\[\]\.(round|suit)|bonuses\.\[\]"
)
"""Where in a view and a result anything may stand: the course, and rules of the match."""
OWN_SHOWN = r"submitted|sheet|sheets\.MINE|players\.MINE\.(locked|cards\.\[\]|best\.(class|cards\.\[\]))"
"""And for a player besides: his sheets; whether he is locked; and his cards in Poker Auction, which have no line."""


def leaves(value: Any, viewer: str, path: str = "") -> Iterable[tuple[str, Any]]:
    """(path, value) of everything that says something; the viewer's own key reads MINE."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            yield from leaves(held, viewer, f"{path}.{'MINE' if key == viewer else key}".lstrip("."))
    elif isinstance(value, list):
        for held in value:
            yield from leaves(held, viewer, f"{path}.[]")
    elif value not in (None, "sealed"):
        yield path, value


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_with_every_line_closed_a_view_shows_the_course_alone(log: Path) -> None:
    for match in moments(log, dict.fromkeys(load(log.parent.name).visibility, "host")):
        for viewer in (PUBLIC_VIEWER, *match.table.players):
            form = COURSE_SHOWN if viewer == PUBLIC_VIEWER else f"{COURSE_SHOWN}|{OWN_SHOWN}"
            found = [leaf for part in seen(match, viewer) for leaf in leaves(part, viewer)]
            assert not [leaf for leaf in found if not re.fullmatch(form, leaf[0])], viewer


STANDS_ON = {
    ("equilibrium", "dealt_garnet"): "garnet_gained",
    ("poker_auction", "bids"): "cards_received",
    ("poker_auction", "gifts"): "cards_received",
    ("poker_auction", "invalid_bids"): "cards_received",
}
"""Lines that add to what another line tells, and tell nothing without it."""


def told(log: Path, levels: Mapping[str, str]) -> Any:
    """Everything that anybody but the hosts gets, at the end of the log and in all texts before."""
    match = lines_set(log, levels)
    return sorted(set(texts(match))), [seen(match, viewer) for viewer in (PUBLIC_VIEWER, *match.table.players)]


@pytest.mark.parametrize("game", names())
def test_every_line_that_is_opened_tells_something(game: str) -> None:
    """Opened at its own level, to everybody where that is nobody; all others stay closed, but one that it stands on."""
    table = load(game).visibility
    silent = set(table)
    for log in (log for log in LOGS if log.parent.name == game):
        for line in sorted(silent):
            level = table[line][0] if table[line][0] not in ("host", "nobody_ever") else "everybody"
            closed = dict.fromkeys(table, "host")
            if (game, line) in STANDS_ON:
                closed[STANDS_ON[game, line]] = "everybody"
            if told(log, {**closed, line: level}) != told(log, closed):
                silent.discard(line)
    assert not silent, f"these lines tell nobody anything: {sorted(silent)}"


def test_sabotage_a_text_behind_no_line_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice that asks no line of the table."""
    log = next(log for log in LOGS if log.parent.name == "polar")
    game = load("polar")

    def tell(state: Any, facts: Any, viewer: str) -> Any:
        return [*game.tell(state, facts, viewer), items("You hold 3 garnets.")] if viewer in state.table.seats else []

    monkeypatch.setitem(globals(), "load", lambda name: game._replace(tell=tell))
    with pytest.raises(AssertionError, match="You hold 3 garnets"):
        test_with_every_line_closed_only_the_course_and_own_sheets_are_told(log)
