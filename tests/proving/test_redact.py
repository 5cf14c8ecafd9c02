"""Redacted copies: the same head for every audience, and nothing opened that it may not know. docs/log-format.md."""

from __future__ import annotations

import json
import re
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
from ledger.tell.redact import OPEN_VERBS, _OpeningRules, may_open, redacted
from ledger.tell.steps import steps_of
from tests.secrecy.on_paper import Sheet
from tests.support import replaying
from tests.support.host import Host, hl, match_file
from tests.support.lines import plays
from tests.support.paper import BEGAN, HANDS, HOUR, paper
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
    """Decision 28: what was typed for another player by mistake may hold their secret. Every verb of every game, though
    a text was posted."""
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
        note("posted", item=f"{seq}a", audience="public", channel="x", text="", digest="")
        note("undo", target=last) if taken_back == "struck" else note("amend", target=seq, args=dict(body.args))
    copy = Sheet(match.game, bodies)
    assert verbs
    for viewer in ("public", *seats):
        assert not amends & may_open(copy, viewer), viewer


# ---- who may know every reading of an entry ------------------------------------------------------------------------


def recorded(game: str, *rows: tuple[str, Any], **settings: Any) -> Match:
    """A match of ann, bob, cyd, dan and eve on paper. Rows: (verb, arguments)."""
    players = {p: {"name": p.title()} for p in ("ann", "bob", "cyd", "dan", "eve")}
    file = {"game": game, "title": "On paper", "zone": "UTC", "hosts": ["mara"], "players": players}
    setup = {**file, "settings": {"allow_odd_roster": True, **settings}}
    _, bodies = setup_bodies(setup, source="match.toml", by=None, now=BEGAN)
    bodies += [Body(do, BEGAN + n, "mara", BEGAN + n, args) for n, (do, args) in enumerate(rows, start=1)]
    return Sheet(load(game), bodies)


def may(match: Match, seq: int) -> list[str]:
    """Who may open an entry, in a copy of their own."""
    return [who for who in ("public", *match.table.seats) if seq in may_open(match, who)]


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


def typed(here: Host, viewer: str) -> str:
    """What a replay shows a viewer as it was typed."""
    return " / ".join(step.typed for step in steps_of(here.match, here.match.fold, viewer).steps if step.typed)


SHOWS = {
    "typed": typed,
    "may": lambda here, *seqs: {seq: may(here.match, int(seq)) for seq in seqs},
    "chat": lambda here, *words: (
        here.file("chat.txt", " ".join(words).replace("HEAD", here.match.book.head.upper())) and ""
    ),
}
FIVE = "ann bob cyd dan eve allow_odd_roster=true"
SHORT = {
    "hidden": "amend-setting visibility.trade_done=host --yes",
    "shown": "amend-setting visibility.trade_done=traders --yes",
    "first": "trade ann R2 bob B4",
    "second": "trade cyd R9 dan R5",
    "third": "trade eve R3 gil R6",
    "copy": "redact -o copy.jsonl --for",
    "checked": "> -g copy.jsonl verify",
}
FILES = {
    "fame": match_file(
        "freeform",
        "ann bob cyd dan",
        'visibility = { votes = "everybody_after_end" }\n[counters]\nfame = { seen_by = "everybody" }\n'
        '[result]\nscore = "fame"\ntokens = "highest"\nties = "vote"',
    )
}
OPENING = f"""
--full finds closed lines, and receipts are read from a text, as from a saved chat; hosts have the log itself
  demo equilibrium ; 2 copy host ; copy public ; checked ; 4 checked --full ; verify --full
  : chat mara: the receipt of tonight is HEAD, good night ; checked --receipts chat.txt
  : chat mara: HEAD ben: {"0" * 64} ; 4 checked --receipts chat.txt ; : chat nothing here
  2 checked --receipts chat.txt
a sheet that was typed for another player reaches the right one alone: Ann never sees what Bob sent, under her own name
  match polar {FIVE} ; open ; start ann rock + ; amend @ player=bob --yes ; : may 8 9 == 9 bob ; : typed ann == open
  : typed bob == open / start bob rock +
in Poker Auction
  match poker_auction {FIVE} ; open ; power ann 7 'joker>hearts>spades>diamonds>clubs' ; amend @ player=bob --yes
  : may 8 9 == 9 bob ; : typed ann == open ; : typed bob ~ open / power bob
in Hex Parties
  match hex_parties {FIVE} ; open ; move ann 'even A4' ; amend @ player=bob --yes ; : may 8 9 == 9 bob
  : typed ann == open ; : typed bob ~ open / move bob
a card that was typed wrong is nobody's: the trade is between the same two, but Bob never gave it
  desk ; trade ann R2 bob R6 ; +1h ; amend 20 take=B4 --yes ; : may 20 21 == 21 ann bob
  : typed ann ~ trade ann R2 bob B4 !~ R6
only the time was wrong, so both lines stay open: nothing in the reading was ever wrong
  desk ; first ; +1h ; amend 20 at=-1m --yes ; : may 20 21 == 20 ann bob, 21 ann bob
an amend that was amended again is a slip itself: only the reading that counts is opened
  match polar {FIVE} ; open ; start ann rock + ; amend 8 player=bob --yes ; amend 8 player=cyd --yes
  : may 8 9 10 == 10 cyd ; undo 10 --yes ; : may 8 9 10 11 == 9 bob
a first line whose wrong amend was undone is opened to nobody who may not know that reading too
  match polar {FIVE} ; open ; start ann rock + ; amend 8 player=bob --yes ; undo 9 --yes ; : may 8 9 10 ==
  : typed ann == open
what is undone is the hosts', with its undo and what follows that, and open again when it is redone
  desk ; lock hal ; confirm 20 --as ben ; undo 20 --yes ; : may 20 21 22 == ; : typed hal !~ lock ; redo 22 --yes
  : may 20 21 22 23 == 20 hal, 21 hal, 22 hal, 23 hal
a contested entry is the hosts': that it is refused may tell what somebody holds
  desk ; trade ann R10 bob B4 --force ; : may 20 ==
a line that is closed later closes an entry: every table from when it counts until now
  desk ; first ; hidden ; second ; shown ; third ; : may 20 22 24 == 24 eve gil ; : typed ann !~ trade ann
so does one that was closed when it counted, or that is closed again
  desk ; hidden ; first ; shown ; hidden ; second ; : may 21 24 ==
a change that was undone: for a while it was closed, and two counts after it
  desk ; first ; hidden ; undo 21 --yes ; second ; : may 20 23 ==
one of several in a command that was undone and redone: what was recorded meanwhile was closed then
  desk ; hidden ; amend-setting visibility.locks=everybody visibility.trade_done=traders --yes ; undo 21 --yes ; first
  redo 23 --yes ; : may 24 ==
one that was recorded late: when the trade was recorded nobody knew of it, and then it was closed
  desk ; +4h ; first ; hidden --at -2h ; shown --at -1h ; : may 20 ==
one that is amended
  desk ; hidden ; first ; amend 20 value=traders --yes ; : may 21 ==
line 1 promised that nobody else ever knows
  desk ; amend-setting visibility.trades=everybody --yes ; first ; : may 21 == 21 ann bob
a text that was dropped, or not posted after all, is the hosts'; one that was posted is open to whom it was for
  desk ; first ; outbox done 20b ; outbox drop 20c ; : may 21 22 == 21 ann ; outbox undo 20b --yes ; : may 21 22 23 ==
votes that are told after the end stand in no copy as long as others have to vote
  file fame ; open ; add fame ann 5 ; add fame bob 5 ; close match --yes ; vote cyd ann ; : table status == deciding
  : may @ == 10 cyd ; vote dan ann ; : table status == finished ; : may @1 == 10 public ann bob cyd dan
"""
test_who_opens_an_entry = plays(OPENING)


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


@pytest.mark.parametrize("ended", [False, True])
def test_of_two_levels_that_an_entry_had_only_whom_both_admit_may_open_it(ended: bool) -> None:
    """Whatever the two are, for the entry of a trade."""
    trade = {"a": "p1", "give": HANDS["p1"].split()[-1], "b": "p2", "take": HANDS["p2"].split()[-1]}
    match = paper((HOUR, "trade", trade), *([(2 * HOUR, "declare", {"kind": "void"})] if ended else []))
    state, rules, viewers = match.fold.state, _OpeningRules(match), ("public", *match.table.seats)
    assert (match.table.status == "finished") == ended
    action = match.engine.read("trade", trade, state.table)

    def admitted(level: str) -> set[str]:
        settings = {**state.table.settings, "visibility": dict.fromkeys(match.game.visibility, level)}
        audience = match.game.audience(state._replace(table=state.table._replace(settings=settings)), action)
        return {viewer for viewer in viewers if audience.admits(viewer, ended=ended)}

    for one, other in product(LEVELS, repeat=2):
        assert admitted(rules._tightest({one, other})) == admitted(one) & admitted(other), (one, other)


def test_what_counts_no_more_is_open_to_hosts_alone_though_it_was_posted() -> None:
    """Each version of an entry that everybody may know, amended or undone after its text was posted: a text tells less
    than its entry holds."""
    text = {"item": "8a", "audience": "public", "channel": "x", "text": "", "digest": ""}
    everybody, drop, undo = (
        ["public", "ann", "bob", "cyd", "dan", "eve"],
        ("drop", {"player": "eve"}),
        ("undo", {"target": 8}),
    )
    amends = [("amend", {"target": 8, "args": {"player": player}}) for player in ("dan", "cyd")]
    for told, end in product(range(1, 5), ((), (undo,))):
        rows = [drop, *amends, *end]
        rows.insert(told, ("posted", text))
        match = recorded("polar", ("open", {}), *rows)
        opened_ = {seq: may(match, seq) for seq, (do, _) in enumerate(rows, start=8) if do != "undo"}
        assert opened_.pop(8 + rows.index(("posted", text))) == everybody, "the text itself"
        assert [*opened_.values()] == [[], [], [] if end else everybody], rows


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


class Corrected:
    """A match in which hosts give garnets, ever another number, and correct what they gave: alone or in a batch,
    amended, undone, redone, posted, dropped, confirmed, late.

    Attributes:
        versions: Entry -> (line, player, number) of each of its versions.
        undone: Undo in effect -> the lines that it strikes.
        told: (line, audience, number) of what was posted.
    """

    def __init__(self, game: str, chance: Random) -> None:
        line = next((line for line in load(game).visibility if line.endswith("garnets")), "")
        self.closed = bool(line) and chance.random() < 0.2
        base = recorded(game, **({"visibility": {line: "host"}} if self.closed else {}))
        self.game, self.chance, self.players = base.game, chance, [*base.table.seats]
        self.bodies = [entry.body for entry in base.book.entries]
        self.versions: dict[int, list[tuple[int, str, str]]] = {}
        self.undone, self.batches = dict[int, tuple[int, ...]](), dict[int, tuple[int, ...]]()
        self.told, self.ever = list[tuple[int, str, str]](), set[int]()
        self.numbers = [number for number in range(101, 1000) if f"{number}" not in repr(self.bodies)]
        chance.shuffle(self.numbers)
        acts = (self.give, self.amend, self.undo, self.redo, self.post, self.confirm)
        for act in chance.choices(acts, (2, 2, 1, 1, 2, 1), k=30):
            act()

    def note(self, do: str, batch: int | None = None, **args: Any) -> int:
        now = BEGAN + len(self.bodies) * 1000
        self.bodies.append(Body(do, now, "mara", now, args, batch=batch))
        return len(self.bodies)

    def given(self) -> tuple[str, int]:
        return self.chance.choice(self.players), self.numbers.pop()

    def give(self) -> None:
        first, many_ = len(self.bodies) + 1, self.chance.choice((1, 1, 2, 3))
        lines = tuple(range(first, first + many_))
        for line in lines:
            player, number = self.given()
            self.note("award", first if many_ > 1 else None, player=player, what="garnets", amount=number)
            self.versions[line], self.batches[line] = [(line, player, str(number))], lines

    def amend(self) -> None:
        if self.versions:
            seq = self.chance.choice([*self.versions])
            player, number = self.given()
            player = self.chance.choice((player, self.versions[seq][-1][1]))
            late = {"at": write_instant(BEGAN + self.chance.randrange(9) * 1000)} if self.chance.random() < 0.3 else {}
            args = {"player": player, "what": "garnets", "amount": number}
            self.versions[seq].append((self.note("amend", target=seq, args=args, **late), player, str(number)))

    def undo(self) -> None:
        amends = [line for rows in self.versions.values() for line, *_ in rows[1:]]
        if lines := [*self.versions, *amends, *(line for line, *_ in self.told)]:
            target = self.chance.choice(lines)
            struck = self.batches.get(target, (target,))
            self.undone[self.note("undo", target=target)] = struck
            self.ever |= {*struck}

    def redo(self) -> None:
        if self.undone:
            undo = self.chance.choice([*self.undone])
            del self.undone[undo]
            self.note("redo", target=undo)

    def post(self) -> None:
        """A text of any version is posted, is dropped, or a host only begins to send it."""
        if self.versions:
            seq = self.chance.choice([*self.versions])
            _, player, number = self.chance.choice(self.versions[seq])
            text = {"item": f"{seq}b", "audience": player, "channel": "x", "text": f"You received {number} garnets."}
            form = self.chance.choice(("sent", "sent", "dropped", "begun"))
            if form == "begun":
                self.note("posting", covers=[], **text)
            elif (line := self.note("posted", digest="", dropped=form == "dropped", **text)) and form == "sent":
                self.told.append((line, player, number))

    def confirm(self) -> None:
        if self.versions:
            self.note("confirm", target=self.chance.choice([*self.versions]))

    def known(self) -> dict[str, set[str]]:
        """Player -> the numbers that they may know: of what counts, and of what they were sent."""
        struck, found = (
            {line for lines in self.undone.values() for line in lines},
            {p: set[str]() for p in self.players},
        )
        for seq, (first, *amends) in self.versions.items():
            _, player, number = [first, *(row for row in amends if row[0] not in struck)][-1]
            if seq not in struck and not self.closed:
                found[player].add(number)
        for line, player, number in self.told:
            found[player] |= {number} if line not in struck else set()
        return found

    def sure(self) -> dict[str, set[str]]:
        """Of those what was never corrected."""
        rows = [rows[0] for rows in self.versions.values() if len(rows) == 1 and not self.closed]
        return {p: {number for line, who, number in rows if who == p and line not in self.ever} for p in self.players}


@pytest.mark.parametrize("game", names())
def test_a_copy_holds_no_number_that_its_audience_may_not_know(game: str) -> None:
    """Whatever was corrected, in whichever order, before and after it was posted. Said here by what counts, not by who
    may open a line: a number stands in the copy of a player only if it counts for them, or they were sent it."""
    found: Counter[bool] = Counter()
    for seed in range(many(3, 1_000)):
        here = Corrected(game, Random(f"copies {game} {seed}"))
        match, known, sure = Sheet(here.game, here.bodies), here.known(), here.sure()
        numbers = {number for rows in here.versions.values() for _, _, number in rows}
        for viewer in ("public", *here.players):
            copy = b"".join(redacted(match, viewer)).decode()
            held = numbers.intersection(re.findall(r"\b\d{3}\b", copy))
            assert sure.get(viewer, set()) <= held <= known.get(viewer, set()), (seed, viewer)
            found.update(number in held for number in numbers)
    assert min(found[True], found[False]) > 10, found


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
