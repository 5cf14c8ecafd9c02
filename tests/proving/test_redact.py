"""Redacted copies: the same head for every audience, and nothing opened that it may not know. docs/log-format.md."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from events import Body, LogFile, read_body, write_instant
from events.audiences import EVERYBODY, HOST
from games.records import kebab
from games.registry import load, names
from games.table import actions as shared
from games.table.settings import LEVELS
from games.table.state import DECISIONS
from ledger.audit.verify import verify
from ledger.core.match import Match
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.redact import OPEN_VERBS, _OpeningRules, may_open
from ledger.tell.steps import steps_of
from tests.secrecy.on_paper import Sheet
from tests.support import replaying
from tests.support.host import Host, hl, match_file
from tests.support.paper import BEGAN, HANDS, HOUR, TRADE, paper
from tests.support.sizes import many


@pytest.fixture(scope="module", params=names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundled match, played to its end, with a remark that nobody but hosts may read, and two texts posted."""
    folder = tmp_path_factory.mktemp("redact") / request.param
    host = replaying.played(request.param, folder).table.hosts[0]
    where = ("-g", str(folder), "--as", host)
    assert hl(*where, "note", "CANARY 731905518264").code == 0
    for _ in range(2):
        from ledger.tell.outbox import outbox

        item = outbox(Match(str(folder / "log.jsonl"))).waiting[0]
        assert hl(*where, "outbox", "done", item.name).code == 0
    return folder


def opened(path: Path) -> list[dict[str, Any]]:
    """The bodies of the open lines of a copy."""
    return [read_body(line.body)._asdict() for line in LogFile(path).scan([]) if line.body is not None]


def test_every_copy_has_the_same_head_and_verifies(played: Path) -> None:
    """And players find their own entries open: otherwise a copy with every line closed would pass."""
    match = Match(str(played / "log.jsonl"))
    for viewer in ("public", *match.table.seats):
        target = played / f"{viewer}.jsonl"
        assert hl("-g", str(played), "redact", "--for", viewer, "-o", str(target)).code == 0
        found, verbs = verify(str(target), receipts=[match.book.head]), {body["do"] for body in opened(target)}
        assert found.ok and found.head == match.book.head, found.findings
        assert target.stat().st_mode & 0o777 == 0o600
        assert viewer == "public" or {"create", "seat", "open"} < verbs
        assert viewer != next(iter(match.table.seats)) or verbs & {kebab(cls) for cls in match.game.actions}


@pytest.mark.parametrize("taken_back", ["replaced", "struck"])
def test_an_amend_that_does_not_count_opens_for_nobody(played: Path, taken_back: str) -> None:
    """Decision 28: what was typed for another player by mistake may hold their secret. Every verb of every game."""
    match = Match(str(played / "log.jsonl"))
    bodies, seats = [entry.body for entry in match.book.entries], list(match.table.seats)
    now, amends, verbs = bodies[-1].recorded + 1, set(), set()

    def note(do: str, **args: Any) -> int:
        bodies.append(Body(do, now, bodies[0].by, now, args))
        return len(bodies)

    for seq, body in enumerate(list(bodies), start=1):
        named = [name for name, word in body.args.items() if word in seats]
        if body.do in (*shared.META_VERBS, *OPEN_VERBS) or not named or seq == 1 or body.do == "seat":
            continue
        wrong = {**body.args, named[0]: next(p for p in seats if p != body.args[named[0]])}
        amends.add(last := note("amend", target=seq, args=wrong))
        verbs.add(body.do)
        note("undo", target=last) if taken_back == "struck" else note("amend", target=seq, args=dict(body.args))
    copy = Sheet(match.game, bodies)
    assert verbs
    for viewer in ("public", *seats):
        assert not amends & set(may_open(copy, viewer)), viewer


def test_full_finds_closed_lines_and_receipts_are_read_from_a_text(evening: Path, tmp_path: Path) -> None:
    """Issue: --full, --receipts FILE: a saved chat with the heads that were posted."""
    target, chat = tmp_path / "copy.jsonl", tmp_path / "chat.txt"
    head = Match(str(evening / "log.jsonl")).book.head
    for viewer, code in (("host", 2), ("public", 0)):  # hosts have the log itself
        assert hl("-g", str(evening), "redact", "--for", viewer, "-o", str(target)).code == code
    for where, more, code in ((target, (), 0), (target, ("--full",), 4), (evening, ("--full",), 0)):
        assert hl("-g", str(where), "verify", *more).code == code
    said = f"mara: the receipt of tonight is {head.upper()}, good night"
    for text, code in ((said, 0), (f"mara: {head}\nben: {'0' * 64}", 4), ("nothing here", 2)):
        chat.write_text(text)
        assert hl("-g", str(target), "verify", "--receipts", str(chat)).code == code


# ---- who may know every reading of an entry ------------------------------------------------------------------------


def recorded(game: str, *rows: tuple[Any, ...], **settings: Any) -> Match:
    """A match of ann, bob, cyd, dan and eve on paper. Rows: (verb, arguments[, hours after the beginning])."""
    players = {p: {"name": p.title()} for p in ("ann", "bob", "cyd", "dan", "eve")}
    file = {"game": game, "title": "On paper", "zone": "UTC", "hosts": ["mara"], "players": players}
    setup = {**file, "settings": {"allow_odd_roster": True, **settings}}
    _, bodies = setup_bodies(setup, source="match.toml", by=None, now=BEGAN)
    for n, (do, args, *at) in enumerate(rows, start=1):
        when = BEGAN + (at[0] * HOUR if at else n)
        bodies.append(Body(do, when, "mara", BEGAN + n, args))
    return Sheet(load(game), bodies)


NEXT = 7
"""The number of the first row of `recorded`."""
SLIPS: dict[str, tuple[str, dict[str, Any]]] = {
    "polar": ("start", {"room": "rock", "sign": "+"}),
    "poker_auction": ("power", {"chips": 7, "ranking": "joker>hearts>spades>diamonds>clubs"}),
    "hex_parties": ("move", {"orders": "even A4"}),
}


def may(match: Match, seq: int) -> list[str]:
    """Who may open an entry, in a copy of their own."""
    return [who for who in ("public", *match.table.seats) if seq in may_open(match, who)]


def typed(match: Match, viewer: str) -> list[str]:
    """What a replay shows a viewer as it was typed."""
    return [step.typed for step in steps_of(match, match.fold, viewer).steps if step.typed]


def started(player: str, room: str = "rock") -> tuple[str, dict[str, Any]]:
    return "start", {"player": player, "room": room, "sign": "+"}


@pytest.mark.parametrize("game", [name for name in names() if load(name).deal])
def test_a_seed_opens_only_where_all_that_was_drawn_from_it_does(game: str) -> None:
    """Whatever line of the table has which level: from the seed of a deal follow all hands."""
    opened = set()
    for line, level in product(load(game).visibility, LEVELS):
        state = recorded(game, visibility={line: level}).fold.state
        state = state._replace(table=state.table._replace(phase="play"))
        hand, *secrets = (
            load(game).audience(state, action) for action in (shared.Hand("ann", ()), shared.Seed(""), shared.Deal())
        )
        for secret in secrets:
            assert not secret.admits("public", ended=True) or hand.admits("public", ended=True), (line, level)
            opened.add(secret.admits("public", ended=True))
    assert opened == ({False, True} if load(game).deal.others else {False})


@pytest.mark.parametrize("game", SLIPS)
def test_a_sheet_typed_for_another_player_reaches_the_right_one_alone(game: str) -> None:
    """Ann never sees what Bob sent, under her own name; Bob sees it where it is said to be his."""
    do, sheet = SLIPS[game]
    match = recorded(
        game,
        ("open", {}),
        (do, {"player": "ann", **sheet}),
        ("amend", {"target": NEXT + 1, "args": {"player": "bob", **sheet}}),
    )
    assert not match.fold.contested
    assert may(match, NEXT + 1) == [] and may(match, NEXT + 2) == ["bob"]
    assert [line.split()[:2] for line in typed(match, "bob")] == [["open"], [do, "bob"]]
    assert typed(match, "ann") == ["open"]


def test_a_card_that_was_typed_wrong_is_nobodys() -> None:
    """The trade as it was is between the same two; the card that Bob never gave is his secret all the same."""
    wrong, right = {**TRADE, "take": "R4"}, TRADE
    match = paper((2 * HOUR, "trade", wrong), (80 * HOUR, "amend", {"target": 20, "args": right}))
    assert may(match, 20) == [] and may(match, 21) == ["p1", "p2"]
    assert "trade p1 R3 p2 B4" in typed(match, "p1") and "R4" not in json.dumps(typed(match, "p1"))


def test_only_the_time_was_wrong_so_both_lines_stay_open() -> None:
    """The reading is the same: nothing in it was ever wrong."""
    at = write_instant(BEGAN + 3 * HOUR)
    match = paper((2 * HOUR, "trade", TRADE), (80 * HOUR, "amend", {"target": 20, "args": TRADE, "at": at}))
    assert may(match, 20) == may(match, 21) == ["p1", "p2"]


def test_an_amend_that_was_amended_again_is_a_slip_itself() -> None:
    """Only the reading that counts is opened; and a first line whose wrong amend was undone is opened to nobody who may
    not know that reading too."""
    first, again = {"player": "bob", "room": "rock", "sign": "+"}, {"player": "cyd", "room": "rock", "sign": "+"}
    amends = [("amend", {"target": 8, "args": args}) for args in (first, again)]
    rows = [("open", {}), started("ann"), *amends]
    match = recorded("polar", *rows)
    assert [may(match, seq) for seq in (8, 9, 10)] == [[], [], ["cyd"]]
    match = recorded("polar", *rows, ("undo", {"target": 10}))
    assert [may(match, seq) for seq in (8, 9, 10, 11)] == [[], ["bob"], [], []]
    match = recorded("polar", *rows[:3], ("undo", {"target": 9}))
    assert [may(match, seq) for seq in (8, 9, 10)] == [[], [], []]
    assert typed(match, "ann") == ["open"]


def test_what_is_undone_is_the_hosts_and_open_again_when_it_is_redone() -> None:
    """A slip: typed for Ann from what Bob wrote. Its undo, and what follows that, goes with it."""
    rows = [("open", {}), started("ann"), ("confirm", {"target": 8}), ("undo", {"target": 8})]
    match = recorded("polar", *rows)
    assert [may(match, seq) for seq in (8, 9, 10)] == [[], [], []]
    assert typed(match, "ann") == ["open"]
    match = recorded("polar", *rows, ("redo", {"target": 10}))
    assert [may(match, seq) for seq in (8, 9, 10, 11)] == [["ann"]] * 4


def test_a_contested_entry_is_the_hosts() -> None:
    """It changes nothing and is told to nobody: that it is refused may tell what somebody holds."""
    assert may(paper((2 * HOUR, "trade", {**TRADE, "give": "R10"})), 20) == []


def test_a_line_that_is_closed_later_or_was_when_it_counted_closes_an_entry() -> None:
    """Open, closed, open: every table from when it counts until now, and that of line 1. So does a change that was
    undone, or that was recorded after the entry and counts before it."""

    def setting(level: str, line: str = "trade_done") -> tuple[str, dict[str, str]]:
        return "amend-setting", {"key": f"visibility.{line}", "value": level}

    def trade(a: str, b: str) -> tuple[str, dict[str, str]]:
        cards = {p: HANDS[p].split()[-1] for p in (a, b)}
        return "trade", {"a": a, "give": cards[a], "b": b, "take": cards[b]}

    def at(*rows: tuple[int, tuple[str, Any]]) -> Match:
        return paper(*((hour * HOUR, *row) for hour, row in rows))

    one, two, three = trade("p1", "p2"), trade("p3", "p4"), trade("p5", "p6")
    match = at((2, one), (3, setting("host")), (4, two), (5, setting("traders")), (6, three))
    assert not match.fold.contested
    assert [may(match, seq) for seq in (20, 22, 24)] == [[], [], ["p5", "p6"]]
    assert [line.split()[0] for line in typed(match, "p1")].count("trade") == 0
    match = at((2, setting("host")), (3, one), (4, setting("traders")), (5, setting("host")), (6, two))
    assert [may(match, seq) for seq in (21, 24)] == [[], []]
    match = at((2, one), (3, setting("host")), (4, ("undo", {"target": 21})), (5, two))
    assert [may(match, seq) for seq in (20, 23)] == [[], []], "for a while it was closed, and two counts after it"
    match = at((4, one), (2, setting("host")), (3, setting("traders")))
    assert may(match, 20) == [], "recorded late: when the trade was recorded nobody knew of it, and then it was closed"
    amend = ("amend", {"target": 20, "args": setting("traders")[1]})
    assert may(at((2, setting("host")), (3, one), (4, amend)), 21) == []
    match = at((2, setting("everybody", "trades")), (3, one))
    assert may(match, 21) == ["p1", "p2"], "line 1 promised that nobody else ever knows"


def closed_once(match: Match, seq: int, line: str) -> bool:
    """Was the line the hosts' at some moment from which that entry counted on, as known at any line since?"""
    for known in range(seq, len(match.book.entries) + 1):
        outcomes = match.as_known(known).fold.outcomes
        level, levels = "traders", list[str]()
        for live in (outcome.entry for outcome in outcomes if outcome.refusal is None):
            if live.do == "amend-setting" and live.args["key"] == f"visibility.{line}":
                level = str(live.args["value"])
            elif live.seq != seq:
                continue
            levels = [*levels, level] if levels or live.seq == seq else []
        if "host" in levels:
            return True
    return False


def opened_though_closed(found: Counter[tuple[bool, bool]]) -> Iterator[Any]:
    """What hosts typed, where a trader opens what was closed: a trade and its line, late, undone, or at another time.

    Args:
        found: Counts (was it ever closed, is it open).
    """
    hands = {p: HANDS[p].split()[-1] for p in ("p1", "p2")}
    trade = ("trade", {"a": "p1", "give": hands["p1"], "b": "p2", "take": hands["p2"]})
    for seed in range(many(80, 5_000)):
        chance = Random(seed)
        levels = chance.choice((["host"], ["host", "traders"], ["host", "traders"], ["traders", "host", "traders"]))
        rows: list[tuple[str, Any]] = [
            ("amend-setting", {"key": "visibility.trade_done", "value": level}) for level in levels
        ]
        rows.insert(chance.choice((len(rows), chance.randrange(len(rows) + 1))), trade)
        ats = [chance.randrange(1, 9) for _ in rows]
        ats = sorted(ats) if chance.random() < 0.7 else ats
        for _ in range(chance.choice((0, 1, 1, 2))):
            target = chance.choice((rows.index(trade), chance.randrange(len(ats))))
            at = write_instant(BEGAN + chance.randrange(1, 9) * HOUR)
            amend = ("amend", {"target": 20 + target, "args": rows[target][1], "at": at})
            if rows[target][0] != "amend":
                rows.append(amend if chance.random() < 0.7 else ("undo", {"target": 20 + target}))
        ats += [9] * (len(rows) - len(ats))
        match = paper(*((at * HOUR, *row) for at, row in zip(ats, rows, strict=True)))
        seq = 20 + rows.index(trade)
        was_closed, opened_ = closed_once(match, seq, "trade_done"), "p1" in may(match, seq)
        found[was_closed, opened_] += 1
        if was_closed and opened_:
            yield rows, ats


def test_no_order_of_changes_opens_what_was_closed_while_it_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where an entry is judged by the time that was typed first, that is found."""
    found = Counter[tuple[bool, bool]]()
    assert not [*opened_though_closed(found)]
    assert min(found[True, False], found[False, True]) > 10, found
    points = lambda self, entry: [(entry.body.at, self.log.place(entry.seq))]  # noqa: E731
    monkeypatch.setattr(_OpeningRules, "_points", points)
    assert next(opened_though_closed(found), None), "not found"


def test_an_entry_of_everybody_stays_open_if_its_text_was_posted_while_it_stood() -> None:
    """What is undone is open to hosts alone, but for what everybody was told."""

    def posted(seq: int, **more: Any) -> tuple[str, dict[str, Any]]:
        return "posted", {"item": f"{seq}a", "audience": "public", "channel": "x", "text": "", "digest": "", **more}

    drop, undo = ("drop", {"player": "eve"}), ("undo", {"target": 8})
    everybody = ["public", "ann", "bob", "cyd", "dan", "eve"]
    for rows, who in (
        ((drop, undo), []),
        ((drop, posted(8), undo), everybody),
        ((drop, undo, posted(8)), []),
        ((drop, posted(8, dropped=True), undo), []),
        ((drop, posted(8), ("undo", {"target": 9}), undo), []),
        ((drop, posted(8, audience="ann"), undo), []),
    ):
        assert may(recorded("polar", ("open", {}), *rows), 8) == who, rows
    amends = [("amend", {"target": 8, "args": {"player": player}}) for player in ("dan", "cyd")]
    for told, end in product(range(1, 5), ((), (undo,))):  # of each version: posted before its own next change?
        rows = [drop, *amends, *end]
        rows.insert(told, posted(8))
        match, versions = recorded("polar", ("open", {}), *rows), [seq for seq in range(8, 12) if seq != 8 + told]
        opened_ = [may(match, seq) == everybody for seq in versions[:3]]
        assert opened_ == [n == told or (n == 3 and not end) for n in (1, 2, 3)], rows


def test_a_text_that_was_dropped_or_not_posted_after_all_is_the_hosts() -> None:
    """Nobody was sent it. One that was posted is open to whom it was for."""
    said = {"item": "8b", "audience": "ann", "channel": "x", "text": "hi", "digest": ""}
    rows = (("open", {}), ("posted", said), ("posted", {**said, "dropped": True}), ("undo", {"target": 8}))
    assert [may(recorded("polar", *rows[:3]), seq) for seq in (8, 9)] == [["ann"], []]
    assert [may(recorded("polar", *rows), seq) for seq in (8, 9, 10)] == [[], [], []]


def test_what_is_public_by_being_said_stays_open_whatever_became_of_it() -> None:
    """The commitment and the words, struck, amended or contested, under any table; and what is about them. The seed is
    the hosts', and an undo that names it is told, for it strikes the commitment with it."""
    word = {"player": "ann", "text": "rain"}
    shut = dict.fromkeys(load("equilibrium").visibility, "host")
    rows = [
        ("commit", {"commitment": "0" * 64}), ("seed", {"seed": "1" * 64}), ("word", word),
        ("amend", {"target": 9, "args": {**word, "text": "snow"}}), ("confirm", {"target": 9}), ("undo", {"target": 9}),
        ("redo", {"target": 12}), ("undo", {"target": 8}), ("anchor", {"link": "1", "head": "0" * 64}),
    ]  # fmt: skip
    match = recorded("equilibrium", *rows, visibility=shut)
    bodies = [entry.body for entry in match.book.entries]
    bodies[6:8] = [body._replace(batch=7) for body in bodies[6:8]]
    match = Sheet(match.game, bodies)
    assert [seq for seq in range(7, 16) if "public" not in may(match, seq)] == [8]


# ---- each shared verb, and its line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in names() if {"tokens", "elimination"} <= set(load(game).visibility)])
def test_what_a_shared_verb_tells_has_its_line(game: str) -> None:
    """Each line closed in turn: nobody but hosts opens what tells its datum."""
    table = load(game).visibility
    purse = next(line for line in ("own_garnets", "garnets") if line in table)
    own = {
        "tokens": ("gift", "choose", "vote", "blank", "award tokens", "close gift", "reopen vote", "lot"),
        "elimination": ("gift", "choose", "vote", "blank", "close vote", "close lot", "lot"),
        purse: ("seat", "penalty", "award garnets"),
    }
    actions = {
        "gift": shared.Gift("ann", "bob"), "choose": shared.Choose("ann", "bob"), "vote": shared.Vote("ann", "bob"),
        "blank": shared.Blank("ann", shared.VOTE), "seat": shared.Seat("ann", 3), "penalty": shared.Penalty("ann", 1),
        "award tokens": shared.Award("ann", "tokens", 1), "award garnets": shared.Award("ann", "garnets", 1),
        **{f"close {kind}": shared.Close(kind) for kind in DECISIONS},
        **{f"reopen {kind}": shared.Reopen(kind) for kind in DECISIONS}, "lot": shared.Lot(("ann", "bob"), "ann"),
    }  # fmt: skip
    free = shared.Lot(("cyd", "dan"), "cyd")

    def who(action: Any, **levels: str) -> Any:
        state = recorded(game, visibility=levels).fold.state
        about = "token:x" if levels.get("elimination") != "host" else "elimination"
        lots = {("lot", about, ("ann", "bob")): "ann", ("lot", "", ("cyd", "dan")): "cyd"}
        return state.table and load(game).audience(state._replace(table=state.table._replace(lots=lots)), action)

    for line, verbs in own.items():
        for verb in verbs:
            assert who(actions[verb]) != HOST, f"{verb} is opened to somebody"
            assert who(actions[verb], **{line: "host"}) == HOST, f"{verb} tells of {line}"
    assert who(free) == HOST, "of a lot that no decision asked for nobody is told"
    assert who(shared.Close("round_1")) == who(shared.Drop("ann"), tokens="host", elimination="host") == EVERYBODY


def test_what_is_everybodys_after_the_end_is_closed_while_something_is_decided(host: Host) -> None:
    """Freeform: votes that are told after the end stand in no copy as long as others have to vote."""
    settings = (
        'visibility = { votes = "everybody_after_end" }\n[counters]\nfame = { seen_by = "everybody" }\n'
        '[result]\nscore = "fame"\ntokens = "highest"\nties = "vote"'
    )
    host.new(match_file("freeform", "ann bob cyd dan", settings))
    for line in ("open", "add fame ann 5", "add fame bob 5", "close match", "vote cyd ann"):
        host.write(line)
    vote = host.last
    assert host.match.table.status == "deciding" and may(host.match, vote) == ["cyd"]
    host.write("vote dan ann")
    assert host.match.table.status == "finished" and may(host.match, vote) == ["public", "ann", "bob", "cyd", "dan"]


@pytest.mark.parametrize(
    ("level", "first", "known"),
    [
        ("host", 5, set()), ("everybody_after_end", 5, {"lot"}),
        ("host", 1, set()), ("everybody_after_end", 1, {"close vote"}),
    ],
)  # fmt: skip
def test_a_lot_among_candidates_is_told_as_the_line_says(host: Host, level: str, first: int, known: set[str]) -> None:
    """Polar: two are last; nobody may vote, or nobody does. Through copies, replays, their page, and tables."""
    host.new(match_file("polar", "ann bob cyd dan eve fox gil", {"rounds": 1, "visibility": {"elimination": level}}))
    points = {player: 20 if n < first else 10 - n for n, player in enumerate(["ann", "bob", "cyd", "dan", "eve"])}
    points |= {"fox": 0, "gil": 0}
    for line in ("open", "resolve", "resolve", *(f"override {player} points {n}" for player, n in points.items())):
        host.write(line)
    while (match := host.match).table.status == "deciding":
        kind = match.table.decisions[0].kind
        host.write("lot" if kind == "lot" else f"close {kind}")
    lot = next(entry for entry in match.book.entries if entry.body.do == "lot")
    assert match.table.status == "finished" and lot.body.args["among"] == ["fox", "gil"]
    target, page = host.folder / "copy.jsonl", host.folder / "page.html"
    host.hl("redact --for public -o", str(target))
    host.hl("replay --html", str(page))
    told = [json.dumps(step.as_json()) for step in steps_of(match, match.fold, "public").steps]
    verbs = {body["do"] for body in opened(target)}
    assert ("lot" in verbs) is ('"kind":"lot"' in page.read_text()) is ("lot" in known)
    for line in ("lot", "close vote"):
        assert any(f'"typed": "{line}' in step for step in told) is (line in known)
