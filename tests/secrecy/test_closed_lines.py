"""The information table is the only door: every line closed, nothing is told; a line opened, something is.

With each line at `host`, an audience is told the course of the match (phases, rounds, ends), and a player besides what
he sent himself. Which words those are stands here, so that a new text is decided on before it is sent; and which
entries are open in a redacted copy. A replay, in JSON, as text and as a page, tells the same. And every line does
something: opened alone, it tells somebody something that he was not told before.

Source: docs/rooms.md and docs/reliability.md; docs/games, the information tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events import Body
from events.audiences import EVERYBODY, PUBLIC_VIEWER
from games.kit.blocks import notice
from games.parts.rules import CAUSES
from games.records import args_of, kebab
from games.registry import load, names
from games.table import actions as shared
from games.table.facts import DecisionOpened, PhaseBegan
from games.table.state import DECISIONS
from ledger import page as drawn
from ledger.core.match import Match
from ledger.page import book, picture as picture_of
from ledger.render import discord
from ledger.tell import redact, reports
from ledger.tell.outbox import outbox, remindable, reminder
from ledger.tell.steps import Steps, steps_of
from tests.secrecy.on_paper import Sheet

LOGS = sorted((Path(__file__).resolve().parents[1] / "old_logs").glob("*/*.jsonl"))
TITLES = "|".join(re.escape(load(name).title) for name in names())
COURSE = (
    rf"## .* · ({TITLES})",
    r"### (Round \d+|The start|Clubs|Diamonds|Hearts|Spades)",
    r"(- )?(The [\w ]+ round|Round \d+|The pregame) is (open|resolved)\.( It ends <t> \(<t>\)\.)?",
    r"(- )?Trading is (open\.( It ends <t> \(<t>\)\.)?|over\.)",
    r"(- )?The match is over\.",
    r"(- )?\w+ has left the match\.",
    r"(- )?(Trading|The auction|Play|The last round) is over; something is still to be decided\."
    r"( There is time for that until <t> \(<t>\)\.| It ends <t> \(<t>\)\.)?",
)  # fmt: skip
"""What everybody may be told of any match: that it goes on, and until when."""
SHEETS = (
    r"A reminder: your (?!(vote|gift|choice)( is| and|,))[\w, ()]+ (is|are) still missing\.( (It is|They are) due <t> \(<t>\)\.)?",  # noqa: E501
    r"- You submit nothing for (the [\w ]+ round|the pregame|round \d+)\.( It replaces your sheet before it\.)?",
    r"- Your late sheet for (the [\w ]+ round|the pregame|round \d+) counts(: its end was moved)?\.( It says: .*)?",
    r"- Your sheet for (the [\w ]+ round|round \d+) is taken back\.( It came after the deadline .* if a host rules so\.)?",  # noqa: E501
    r"- Your sheet for (the [\w ]+ round|the pregame|round \d+): .*",
    r"- It replaces your sheet before it. No longer on your sheet: .*",
)
"""What a player may be told of his own sheets."""
MORE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "equilibrium": ((), (r"- You are no longer locked in\.",)),
    "poker_auction": (
        (), (r"- Your cards: (\*\*)?[\w ]*(\*\*)?", r"- Your best hand: .*", r"- A host corrected your cards\."),
    ),
    "hex_parties": ((), ()),
    "polar": ((r"(- )?(The pregame|Round \d+ of \d+)\..*",), ()),
    "freeform": (
        (
            r"The round is resolved; the next one begins when a host opens it\.",
            r"All rounds are resolved; the hosts are recording what follows\.",
            r"(- )?The rules have something new: [\w ]+ \(\w+\)\.",
            r"The [\w ]+ round\.( It ends <t> \(<t>\)\.| Submissions have ended; it waits to be resolved\.)*",
        ),
        (r"- You sent: .*", r"## .* · (the )?[\w ]*round[\w ]*", r"- \*\*\w+\*\* · .*"),
    ),
    "marsmatch": (
        (
            r"- \w+ is Banker\. Clockwise: [\w, ]+\.", r"- The cards are dealt\.", r"- The Real Match begins\.",
            r"The match is over\. Banker: \w+( \(left\))?\.", r"```", r"player +cards +points",
            r"(Ann|Bob|Cyd|Dan)( \(left\))?",
        ),
        (r"- You (received|lost) \d+ garnets?\.",),
    ),
}  # fmt: skip
"""Game -> (more that is everybody's, more that is a player's own). There is no line for them in its table."""


@cache
def entries(log: Path) -> tuple[Body, ...]:
    """What was recorded, without what was posted."""
    return tuple(entry.body for entry in Match(str(log)).book.entries if entry.body.do != "posted")


def lines_set(log: Path, levels: Mapping[str, str], most: int | None = None, more: Sequence[Body] = ()) -> Match:
    """The match of a log, or of its first entries, with these levels in its information table from line 1 on.

    Args:
        more: What is recorded after that.
    """
    return of_bodies([*entries(log)[:most], *more], levels)


def of_bodies(bodies: Sequence[Body], levels: Mapping[str, str]) -> Match:
    first, *rest = bodies
    settings = {**first.args["settings"], "visibility": dict(levels)}
    if load(str(first.args["game"])).written:
        settings = {key: shut(value) for key, value in settings.items()}
        rest = [
            body._replace(args={**body.args, "value": shut({"": body.args["value"]})[""]})
            if body.do == "amend-setting"
            else body
            for body in rest
        ]
    return Sheet(load(str(first.args["game"])), [first._replace(args={**first.args, "settings": settings}), *rest])


def shut(rows: Any) -> Any:
    """The rows of a file that holds its own rules with every line closed: nothing seen, opened or said."""
    if not isinstance(rows, Mapping):
        return rows
    return {name: _shut(row) if isinstance(row, Mapping) else row for name, row in rows.items()}


def _shut(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in row.items() if key not in ("final", "says")}
    if "seen_by" in kept:
        kept["seen_by"] = "hosts"
    return {**kept, "opened": "owner"} if "rounds" in kept else kept


def texts(match: Match) -> Iterable[tuple[str, str]]:
    """(audience, line) of everything that anybody is sent, and of reminders now; times are left out."""
    late = [reminder(match, due) for due in remindable(match)]
    for item in (*outbox(match).waiting, *late):
        for line in re.sub(r"<t:\d+:\w>", "<t>", item.text).splitlines():
            if not re.fullmatch("receipt [0-9a-f]{64}", line):
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
        outcome.entry.seq
        for outcome in whole.fold.outcomes
        if any(isinstance(fact, DecisionOpened) for fact in outcome.facts)
    }
    yield from (lines_set(log, levels, most) for most in sorted({count // 3, 2 * count // 3, *asked} - {0, count}))
    yield whole


CLOCK: tuple[Mapping[str, dict[str, Any]], ...] = (
    {"deadline": {"when": "2099-08-07T06:05:04.000Z"}},
    {"pause": {}, "resume": {}},
    {},
)
"""What hosts do with the clock after every entry, in turn."""


def _moved(log: Path, viewer: str) -> Iterable[Match]:
    """The match with every line closed, the clock moved and stopped all the time; and the same, with each entry of play
    that the viewer may not open a second later."""
    levels, rows = dict.fromkeys(load(log.parent.name).visibility, "host"), list[Body]()
    for n, body in enumerate(bodies := entries(log)):
        room = min((other.at - body.at for other in bodies if other.at > body.at), default=600_000)
        acts = enumerate(CLOCK[n % 3].items(), start=3)
        at = [(body.at + step * room // 9, do, args) for step, (do, args) in acts]
        rows += [body, *(Body(do, when, "mara", when, args) for when, do, args in at)]
    yield (one := of_bodies(rows, levels))
    kept = {seq for seq, audience in redact.audiences(one).items() if audience.admits(viewer, ended=True)}
    outcomes = [outcome for outcome in one.fold.outcomes if outcome.refusal is None]
    over = next((n for n, outcome in enumerate(outcomes) if any(map(_ends_play, outcome.facts))), len(outcomes))
    kept |= {outcome.entry.seq for outcome in outcomes[over:]}  # when something is to be decided is the course
    later = {body.at: min((o.at - body.at for o in rows if o.at > body.at), default=9_000) // 2 for body in rows}
    yield of_bodies(
        [
            body
            if seq in kept or body.do in COURSE_RECORDED
            else body._replace(at=body.at + min(1_000, later[body.at]))
            for seq, body in enumerate(rows, start=1)
        ],
        levels,
    )


def _ends_play(fact: Any) -> bool:
    return isinstance(fact, PhaseBegan) and fact.status in ("deciding", "finished")


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_with_every_line_closed_the_moment_of_a_closed_entry_is_told_nowhere(log: Path) -> None:
    """Not by an end that is moved, nor by one that is told after a pause, in texts, replays and views."""
    for viewer in (PUBLIC_VIEWER, entries(log)[0].args["roster"][0]["id"]):
        one, other = (
            [
                *(
                    (item.audience, item.notice)
                    for item in outbox(match).waiting
                    if item.audience in (viewer, PUBLIC_VIEWER)
                ),
                *(step.as_json() for step in steps_of(match, match.fold, viewer).steps),
                [{key: value for key, value in part.items() if key != "head"} for part in seen(match, viewer)],
            ]
            for match in _moved(log, viewer)
        )
        assert one == other, viewer


COURSE_SHOWN = (
    r"(status|game|head|entries|phase|round|ends|closed|paused|of|banker|sides_known|begin\.round)"
    r"|rounds\.\[\]\.(round|suit)|bonuses\.\[\]|labels\.\w+|left\.\[\]|fields\.\w+\.\[\]"
)
"""Where in a view and a result anything may stand: the course, and rules of the match."""
OWN_SHOWN = (
    r"submitted|sheet|sheets\.MINE|players\.MINE\.(locked|opened\.\w+\.\[\]|cards\.\[\]|best\.(class|cards\.\[\]))"
)
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
def test_with_every_line_closed_only_the_course_and_own_sheets_are_told(log: Path) -> None:
    """In texts, and in views and results."""
    everybody, own = MORE.get(log.parent.name, ((), ()))
    public = (*COURSE, *everybody)
    for match in moments(log, dict.fromkeys(load(log.parent.name).visibility, "host")):
        for audience, line in texts(match):
            forms = public if audience == PUBLIC_VIEWER else (*public, *SHEETS, *own)
            assert any(re.fullmatch(form, line) for form in forms), (audience, line)
        for viewer in (PUBLIC_VIEWER, *match.table.players):
            form = COURSE_SHOWN if viewer == PUBLIC_VIEWER else f"{COURSE_SHOWN}|{OWN_SHOWN}"
            found = [leaf for part in seen(match, viewer) for leaf in leaves(part, viewer)]
            assert not [leaf for leaf in found if not re.fullmatch(form, leaf[0])], viewer


@pytest.mark.parametrize("game", MORE)
def test_what_needs_a_host_is_told_hosts_alone(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor when the next end comes: that all are locked, or who votes, may bring it. The clock stands before them."""
    monkeypatch.setattr(reports, "now_ms", lambda: 0)
    seen_by_hosts = 0
    for match in (match for log in LOGS if log.parent.name == game for match in moments(log, {})):
        needed = {
            who: reports.needs(match, reports.Shown(match.fold, who)) for who in ("host", "public", *match.table.seats)
        }
        seen_by_hosts += bool(needed.pop("host"))
        assert not any(needed.values()), needed
    assert seen_by_hosts


STANDS_ON = {
    ("equilibrium", "dealt_garnet"): "garnet_gained",
    ("poker_auction", "bids"): "cards_received",
    ("poker_auction", "gifts"): "cards_received",
    ("poker_auction", "invalid_bids"): "cards_received",
}
"""Lines that add to what another line tells, and tell nothing without it."""


def told(log: Path, levels: Mapping[str, str]) -> Any:
    """Everything that anybody but the hosts gets, at the end of the log and in all texts before; a report is made."""
    match = lines_set(log, levels)
    viewers = (PUBLIC_VIEWER, *match.table.players)
    for shown in (reports.Shown(match.fold, viewer) for viewer in viewers[:2]):
        for blocks in (reports.report(match, shown), reports.scores(match, shown)):
            assert "ABSENT" not in reports.text(match, blocks, "text"), levels
    return sorted(set(texts(match))), [seen(match, viewer) for viewer in viewers]


@pytest.mark.parametrize("game", names())
def test_every_line_that_is_opened_tells_something(game: str) -> None:
    """Opened at its own level, to everybody where that is nobody; all others stay closed, but one that it stands on.

    And with any line closed alone there is a report without a value that is not there.
    """
    table = load(game).visibility
    silent = set(table)
    for line in table:
        told(next(log for log in LOGS if log.parent.name == game), {line: "host"})
    for log in (log for log in LOGS if log.parent.name == game):
        for line in sorted(silent):
            level = table[line][0] if table[line][0] not in ("host", "nobody_ever") else "everybody"
            closed = dict.fromkeys(table, "host")
            if (game, line) in STANDS_ON:
                closed[STANDS_ON[game, line]] = "everybody"
            if told(log, {**closed, line: level}) != told(log, closed):
                silent.discard(line)
    assert not silent, f"these lines tell nobody anything: {sorted(silent)}"


def test_why_a_result_changed_names_no_deed_of_a_player() -> None:
    """A late vote and a late abstention change it in the same words: who did what may be closed."""
    own = {cls for game in names() for cls in load(game).actions}
    assert not own.union((shared.Vote, shared.Gift, shared.Choose, shared.Blank, shared.Lot)).intersection(CAUSES)


# ---- copies and replays ----------------------------------------------------------------------------------------------

COURSE_RECORDED = frozenset(
    {"create", "commit", "word", "anchor", "open", "close", "reopen", "deadline", "pause", "resume", "replace", "drop",
     "amend-setting", "resolve", "draw"}
)  # fmt: skip
"""What may stand open for everybody: the course, and what is public by being said."""


def _own(game: str) -> frozenset[str]:
    """What a player may find open of his own; without a row, his sheets."""
    return OWN_RECORDED.get(game, frozenset({"alias", "blank", *(kebab(cls) for cls in load(game).actions)}))


OPEN_LOTS = frozenset({"poker_auction"})
"""Games whose lot is drawn in any case, so that it tells nobody of a tie."""
OWN_RECORDED: Mapping[str, frozenset[str]] = {
    "equilibrium": frozenset({"alias", "blank", "lock", "unlock"}),
    "poker_auction": frozenset({"alias", "blank", "power", "bid", "withdraw"}),
    "hex_parties": frozenset({"alias", "blank", "sides", "move"}),
    "polar": frozenset({"alias", "blank", "start", "submit", "go", "swap", "bomb", "buy"}),
    "marsmatch": frozenset({"alias", "blank", "seat", "penalty", "award"}),
}
"""And for a player besides: what he sent himself; in MarsMatch his garnets, which have no line."""


def may_stand_open(match: Match, viewer: str, do: str, args: Mapping[str, Any]) -> bool:
    """May an entry with these arguments be open although every line is closed?"""
    if do == "declare":
        return args == args_of(shared.Declare("void"))
    if do in COURSE_RECORDED:
        decides = do in ("close", "reopen") and args.get("phase") in DECISIONS
        return not decides and ("drawn" not in args or match.game.name in OPEN_LOTS)
    mine = args.get("player") == viewer and "tokens" not in args.values() and args.get("round") != shared.VOTE
    return mine and do in _own(match.game.name)


def opened(match: Match, viewer: str) -> dict[int, tuple[str, Mapping[str, Any]]]:
    """Entry that stands open in a copy -> what it tells: for one about the log that is what its target is."""
    found: dict[int, tuple[str, Mapping[str, Any]]] = {}
    for seq in sorted(redact.may_open(match, viewer)):
        body = match.book.entries[seq - 1].body
        target = body.args.get("target")
        if body.do == "amend":
            found[seq] = (match.book.entries[target - 1].body.do, body.args["args"])
        else:
            found[seq] = found.get(target, (body.do, body.args)) if isinstance(target, int) else (body.do, body.args)
    return found


def all_closed(log: Path) -> Match:
    """The whole log with every line closed; at its end a host uses each shared verb that may be accepted then. Of every
    other log two thirds, and then the match is void."""
    void = LOGS.index(log) % 2
    most = 2 * len(entries(log)) // 3 if void else len(entries(log))
    last = max(body.at for body in entries(log)[:most])
    ann, bob, cyd, dan, *_ = (row["id"] for row in entries(log)[0].args["roster"])
    acts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("lot", {"among": [ann, bob], "outcome": bob}), ("lot", {"outcome": ann}), ("penalty", {"player": ann}),
        ("award", {"player": ann, "what": "garnets", "amount": 1}), ("breach", {"player": ann}),
        ("award", {"player": ann, "what": "tokens", "amount": 1}), ("alias", {"player": ann, "alias": "anna"}),
        ("vote", {"voter": ann, "candidate": bob}), ("gift", {"player": ann, "receiver": bob}),
        ("choose", {"player": ann, "choice": bob}), ("blank", {"player": ann, "round": "vote"}), ("pause", {}),
        ("close", {"phase": "gift"}), ("close", {"phase": "vote"}), ("reopen", {"phase": "vote"}), ("resume", {}),
        ("replace", {"player": dan, "name": "Dan"}), ("drop", {"player": cyd}), ("ruling", {"text": "no"}),
        ("override", {"field": "garnets", "player": ann, "value": "2"}),
    )  # fmt: skip
    acts += (("declare", args_of(shared.Declare("void"))),) if void else ()
    more = [Body(do, last + n, "mara", last + n, args) for n, (do, args) in enumerate(acts, start=1)]
    return lines_set(log, dict.fromkeys(load(log.parent.name).visibility, "host"), most, more)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_with_every_line_closed_a_copy_holds_the_course_and_own_sheets(log: Path) -> None:
    match = all_closed(log)
    for viewer in (PUBLIC_VIEWER, *match.table.players):
        found = opened(match, viewer)
        assert {1} < set(found), "the course is told"
        assert not [row for row in found.values() if not may_stand_open(match, viewer, *row)], viewer


SAID_COURSE = rf"(Recorded by the hosts: ({'|'.join(sorted(COURSE_RECORDED))})|A rule is settled\. .* Now: .*)\."
TYPED_COURSE = rf"(recorded: )?({'|'.join(sorted(COURSE_RECORDED))})\b(?! ({'|'.join(sorted(DECISIONS))})$).*"
DRAWN = (
    rf".* is made, a match of ({TITLES}): [\w, ]+\.",
    r"The match has not begun.*",
    r"Trading is open\.( It ends <t> \(<t>\)\.)?",
    r"The (power|clubs|diamonds|hearts|spades) round(: .*|\. Submissions have ended; it waits to be resolved\.)",
    r"(Round \d+( of \d+)?|The pregame): .*",
    r"(Round \d+|Bids may be sealed|Bidding has not begun|The walk has not begun)\.( It ends <t> \(<t>\)\.)?.*",
    r"(The Real Match|Round \d waits for (its draw, )?(its deal and )?the Initial Phase)\."
    r"( Round \d+\.)?( Banker: \w+( \(left\))?\.)?",
    r"The clock (is paused|runs again)\.( (The end is now|[\w ]+ now (ends|opens)) <t> \(<t>\)\.)?",
    r"Dan (takes over the seat of \w+|is back in their seat)(, and sits after \w+)?\.",
    r"Hosts declare the match void\.|declare void|### Declared by the hosts|(- )?The match is void: no tokens, .*",
)
"""What a replay shows besides: how a match begins, and its phases."""
DRAWN_OWN = (
    r"Nothing is in from you yet\.", r"You have answered for this round\.", r"Your sheet: .*",
    r"Your orders for round \d+: .*", r"- You (are locked in|have not locked in)\.",
    r"### The hands", r"- \*\*MINE\*\* · .*",
)  # fmt: skip
"""And to a player: what he sent; his best hand in Poker Auction, whose cards have no line."""


def strange(told: Steps) -> list[tuple[int, str]]:
    """(step, line) of everything in a replay, in each of its forms, that is neither the course nor an own sheet."""
    match, viewer = told.match, told.viewer
    everybody, own = MORE.get(match.game.name, ((), ()))
    name = "" if viewer == PUBLIC_VIEWER else match.table.name(viewer)
    mine = [form.replace("MINE", re.escape(name)) for form in DRAWN_OWN]
    sent = f"(recorded: )?({'|'.join(sorted(_own(match.game.name)))}) {viewer}\\b.*"
    forms = (
        *COURSE,
        *everybody,
        *DRAWN,
        TYPED_COURSE,
        SAID_COURSE,
        *(() if not name else (*SHEETS, *own, *mine, sent)),
    )

    def known(line: str) -> bool:
        line = line.removesuffix(" The clock is paused.")
        line = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3}Z| [A-Z]+)", "<t> (<t>)", line)
        return any(re.fullmatch(form, said) for form in forms for said in (line, f"- {line}"))

    found: list[tuple[int, str]] = []
    data = book(told)
    for step, shown in zip(told.steps, data["steps"], strict=True):
        row = step.as_json()
        assert set(row) <= {"step", "at", "known_to", "sentences", "round", "phase", "typed"}, row
        assert set(shown) <= {"at", "known", "said", "round", "phase", "typed", "kind", "who", "pic"}, shown
        picture = re.sub(r"<t:\d+:\w>", "<t>", discord.render(picture_of(told, step.number))).splitlines()
        lines = [*(said["text"] for said in row["sentences"]), *(said for said, _ in shown.get("said", ())), *picture]
        lines += [line for line in (step.typed, shown.get("typed", "").replace("\\", "")) if line]
        found += [(step.number, line) for line in lines if not known(line)]
    text = [re.sub(r"^(\d+)? +", "", line) for line in "\n".join(drawn.entries(told, None)).splitlines()]
    head = r".* · known to (everybody|you)( · round \w+ is resolved)?"
    return [*found, *((0, line) for line in text if not known(line) and not re.fullmatch(head, line)), *data["charts"]]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_with_every_line_closed_a_replay_tells_the_course_and_own_sheets(log: Path) -> None:
    """As JSON, as text, and in the data of its page: for everybody, and for two of the players."""
    match = all_closed(log)
    for viewer in (PUBLIC_VIEWER, *match.table.players[:2]):
        assert not (found := strange(steps_of(match, match.fold, viewer))), (viewer, found)


OPENS: Mapping[str, frozenset[str]] = {
    "equilibrium": frozenset({"own_hand", "own_garnets", "trade_done", "recolour_done", "trades", "dealt_hands"}),
    "poker_auction": frozenset({"own_garnets"}),
    "hex_parties": frozenset({"own_garnets", "tokens"}),
    "polar": frozenset({"garnets", "tokens"}),
    "marsmatch": frozenset({"own_hand", "plays"}),
    "lantern_walk": frozenset({"guilds"}),
    "freeform": frozenset({"garnets", "elimination"}),
}
"""The lines that open entries of the old logs by themselves, at their own level or to everybody."""


@pytest.mark.parametrize("game", names())
def test_a_line_that_is_opened_opens_the_entries_that_it_tells_all_of(game: str) -> None:
    """In copies and replays alike; every other line tells too little of an entry to open it."""
    table = load(game).visibility
    found = set()
    for log in (log for log in LOGS if log.parent.name == game and log.stem in ("demo-1", "drawn-1")):
        shut = lines_set(log, dict.fromkeys(table, "host"))
        before = redact.audiences(shut)
        for line in table:
            level = table[line][0] if table[line][0] not in ("host", "nobody_ever") else "everybody"
            if redact.audiences(lines_set(log, {**dict.fromkeys(table, "host"), line: level})) != before:
                found.add(line)
    assert found == OPENS.get(game, {"garnets"})


def test_sabotage_an_entry_behind_no_line_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trade that everybody may open, in copies and in replays."""
    log = next(log for log in LOGS if log.parent.name == "equilibrium" and log.stem == "demo-1")
    real = redact.audiences

    def leaky(match: Match) -> Any:
        bodies = match.book.entries
        return {seq: EVERYBODY if bodies[seq - 1].body.do == "trade" else may for seq, may in real(match).items()}

    monkeypatch.setattr(redact, "audiences", leaky)
    with pytest.raises(AssertionError, match="trade"):
        test_with_every_line_closed_a_copy_holds_the_course_and_own_sheets(log)
    monkeypatch.setattr("ledger.tell.steps.audiences", leaky)
    with pytest.raises(AssertionError, match="trade"):
        test_with_every_line_closed_a_replay_tells_the_course_and_own_sheets(log)


def test_sabotage_a_text_behind_no_line_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice that asks no line of the table."""
    log = next(log for log in LOGS if log.parent.name == "polar")
    game = load("polar")

    def tell(state: Any, facts: Any, viewer: str) -> Any:
        said = game.tell(state, facts, viewer).lines
        return notice([*said, "You hold 3 garnets."] if viewer in state.table.seats else [])

    monkeypatch.setitem(globals(), "load", lambda name: game._replace(tell=tell))
    with pytest.raises(AssertionError, match="You hold 3 garnets"):
        test_with_every_line_closed_only_the_course_and_own_sheets_are_told(log)
