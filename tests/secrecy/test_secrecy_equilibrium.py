"""Nothing that leaves for a viewer of Equilibrium depends on what he may not know. The method: secrecy/harness.py.

Pairs of matches on paper and through the real commands, canaries, seeded leaks that must be found, and the information
table: each field of the view stands in it, and each line of it changes what it says.

Source: docs/games/equilibrium.md, sections 3 and 9, EQ-6, EQ-9, EQ-17, EQ-23; docs/reliability.md (promise 3).
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.audiences import PUBLIC_VIEWER
from events.errors import Refused
from games.contract import Result
from games.equilibrium import actions as act, facts as f
from games.equilibrium.actions import VISIBILITY
from games.equilibrium.view import EquilibriumView, PlayerView
from games.kit.blocks import Table
from games.parts import CardsDealt, HandDealt
from games.records import ABSENT, plain
from games.registry import load
from games.table import actions as shared, facts as table_facts
from games.table.settings import LEVELS
from games.table.view import frame
from ledger.render import render
from tests.secrecy import equilibrium as equilibrium, harness as harness, judging as judging
from tests.secrecy.folder import Terminal
from tests.secrecy.leaks import (
    Leaky,
    added_notice,
    added_text,
    changed_rules,
    changed_view,
    noticed,
    opened_besides,
    opened_to_everybody,
    others,
)
from tests.secrecy.script import Step
from tests.support.sizes import FULL, many

GAME = load("equilibrium")


# ---- pairs -------------------------------------------------------------------------------------------------------


def test_pairs_get_everywhere_and_leave_the_same() -> None:
    own = "trade offer accept withdraw decline recolour lock unlock"
    found = judging.reached(
        harness.Memory(GAME, equilibrium.knows), equilibrium,
        seen=f"{own} open close gift vote award lot deadline amend-setting pause",
        hidden=f"{own} deal note ruling override penalty breach award vote blank alias undo amend confirm",
        told=[f'"phase": "{phase}"' for phase in ("trading", "deciding", "finished")],
        refused="no_garnet card_not_held pair_used no_offer not_locked", besides="view scores",
    )  # fmt: skip
    assert {"--force", "--at"} <= found.seen | found.hidden
    unlike = sum(pair.one.hands != pair.other.hands for pair in found.pairs)
    assert unlike > len(found.pairs) / 2, "the hands hardly ever differ"


def test_a_repeated_message_tells_no_number(tmp_path: Path) -> None:
    """The refusal of a message typed twice goes back to its author: it names no entry (the host is told apart)."""
    link = "https://discord.com/channels/1/2/1507000000000000000"
    pair = judging.draw_pair(equilibrium.draw, 1, harness.Memory(GAME, equilibrium.knows).play).pair
    start = [s for s in pair.one.steps[:4] if isinstance(s, Step) and s.words[0] in ("deal", "open")]
    name = next(iter(pair.one.setup["players"]))
    at = start[-1].at + 400 * 24 * 3_600_000
    twice = [Step(("breach", name, "--msg", link), at, seen=True) for _ in range(2)]
    hidden = [Step(("note", "he asked twice"), start[-1].at)]
    one = pair.one._replace(steps=(*start, *twice))
    other = pair.one._replace(steps=(*start, *hidden, *twice))
    terminal = Terminal(tmp_path)
    first, second = (terminal.play(script, name).out for script in (one, other))
    assert first == second
    told = [text for where, text in first if where.startswith("refusal")][-1]
    assert "evidence.duplicate" in told and "entry" not in told


@pytest.mark.parametrize("verb", ["hand", "lock", "trade"])
def test_a_copy_that_opens_too_much_is_caught(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of what the pairs look for in redacted logs: one kind of entry opened to everybody."""
    opened_besides(lambda match, entry, viewer: entry.body.do == verb)(GAME, monkeypatch)
    paper, terminal = harness.Memory(GAME, equilibrium.knows), Terminal(tmp_path)
    pairs = (judging.draw_pair(equilibrium.draw, 7_000_000 + seed, paper.play).pair for seed in range(12))
    assert any("redact" in (judging.differs(pair, terminal.play) or "") for pair in pairs)


# ---- seeded leaks ------------------------------------------------------------------------------------------------


def hidden_values(state: Any, viewer: str) -> list[int]:
    return [int(card[1:]) for p in others(state, viewer) for card in state.hands.get(p, ())]


def garnets_of(state: Any, viewer: str) -> list[int]:
    return [state.table.garnets(p) for p in others(state, viewer)]


def check_partner(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is None and isinstance(action, act.Offer) and action.take not in state.hands[action.b]:
        return Refused("equilibrium.card_not_held", f"{action.b} does not hold {action.take}")
    return None


def name_entry(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is not None and refusal.code.endswith("pair_used"):
        return Refused(refusal.code, refusal.what, refusal.host_only)
    return None


def crash_at_none(state: Any, viewer: str, shown: Any) -> Any:
    assert state is not None
    if state.over or viewer == PUBLIC_VIEWER:
        return shown
    _ = [5 // n for n in garnets_of(state, viewer)]
    return shown


def after_the_end(row: Any) -> Leaky:
    """A game that says more of each player when all is over."""

    def changed(state: Any, viewer: str, shown: Any) -> Any:
        if not state.over or not shown.players:
            return shown
        return shown._replace(players={p: view._replace(**row(state, p)) for p, view in shown.players.items()})

    return changed_view(changed)


def padded(state: Any, viewer: str) -> Table | None:
    """A column as wide as the widest hidden hand, though nothing of it is printed."""
    width = max((len(" ".join(state.hands.get(p, ()))) for p in others(state, viewer)), default=0)
    return Table(("player", "hand"), tuple((p, "?" * width) for p in state.table.seats))


def by_garnets(state: Any, viewer: str) -> str | None:
    if state.over:
        return None
    return " ".join(sorted(others(state, viewer), key=lambda p: (-state.table.garnets(p), p)))


def partner_paid(state: Any, facts: list[Any], viewer: str) -> str | None:
    traders = {p for fact in facts if isinstance(fact, f.Traded) for p in (fact.a, fact.b)}
    paid = [fact for fact in facts if isinstance(fact, f.ClassTicked) and fact.player != viewer]
    return "Your partner made a paying hand." if viewer in traders and paid else None


def flush_is_out(state: Any, viewer: str) -> str | None:
    colours = [{card[0] for card in state.hands.get(p, ())} for p in others(state, viewer)]
    return "A flush is out." if any(len(found) == 1 for found in colours) else None


LEAKS: dict[str, Leaky] = {
    "sum of the other hands": added_text(lambda s, v: f"The others hold {sum(hidden_values(s, v))} in all."),
    "width of a column follows a hidden hand": added_text(padded),
    "order of players by hidden garnets": added_text(by_garnets),
    "list of the locked, not their number": changed_view(lambda s, v, w: w._replace(locked=sorted(s.locked))),
    "refusal names the partner's hand": changed_rules(
        lambda s, action, refusal: (
            Refused(refusal.code, f"{refusal.what} ({s.hands[action.b]})", refusal.fix)
            if refusal is not None and isinstance(action, act.Offer)
            else None
        )
    ),
    "refusal names the entry of the trade": changed_rules(name_entry),
    "offer checked against the partner": changed_rules(check_partner),
    "number of trades so far in a text": added_text(lambda s, v: f"{len(s.traded)} trades so far."),
    "number of the last trade's entry in a text": added_text(
        lambda s, v: f"As of {max(s.traded.values(), default=0)}."
    ),
    "trade told to everybody": noticed(f.Traded, "Two have traded."),
    "partner's garnet in the notice of a trade": added_notice(partner_paid),
    "lock told to everybody": noticed(f.Locked, "Somebody locked in."),
    "hint when a hidden value is 0": added_text(
        lambda s, v: "Somebody has no garnet left." if not s.over and 0 in garnets_of(s, v) else None
    ),
    "crash when a hidden value is 0": changed_view(crash_at_none),
    "dealt hands after the end": after_the_end(lambda s, p: {"dealt": s.dealt[p]}),
    "who traded with whom after the end": after_the_end(lambda s, p: {"traded_with": s.partners(p)}),
    "number of votes that are in": added_text(lambda s, v: f"{sum(map(len, s.table.votes.values()))} have voted."),
    "who recoloured most": added_text(
        lambda s, v: max(s.recolours, key=lambda p: (s.recolours[p], p)) if s.recolours else None
    ),
    "somebody holds a flush": added_text(flush_is_out),
    "somebody holds cards before the deal": added_text(
        lambda s, v: "A hand is out." if s.hands and s.dealt is None else None
    ),
    "who may open a trade": opened_to_everybody(act.Accept),
}


# ---- the information table ---------------------------------------------------------------------------------------

FIELDS = {
    "view.trades_left": "my trade_done", "view.locked": "locked_count", "view.votes": "votes",
    "player.hand": "own_hand, end final_hands", "player.class_": "own_hand, end final_classes",
    "player.equilibrium": "own_hand, end final_er", "player.total": "own_hand, end final_er",
    "player.garnets": "own_garnets, end final_garnets", "player.earned": "my garnet_gained, earned",
    "player.traded_with": "my trade_done, trades", "player.locked": "locks", "player.dealt": "dealt_hands",
    "player.recolours": "recolours", "result.scores": "end final_er",
    "result.garnets": "own_garnets, end final_garnets", "result.tokens": "end tokens",
    "result.elimination": "end elimination",
}  # fmt: skip
"""Of what the game shows, the lines that let it be known; `my`: of oneself only, `end`: only after the end."""
UNGOVERNED = {
    "view.phase view.ends view.paused": "announced to everybody (section 2)",
    "view.players": "holds the players of whom anything may be known",
    "result.game result.status result.decisions result.assumptions result.left": "everybody's (docs/json.md)",
    "result.ranking": "whole or not at all: where final_er and final_classes of all are known",
    "result.winners result.losers": "never there: Equilibrium has tokens, and no winner",
    "result.reasons": "cut by the lines of tokens and elimination (tests/table/test_reasons.py)",
    "result.declared": "cut by the same lines (tests/table/test_declare.py)",
}
"""Fields without a line, each with the reason."""
NOTICES = {
    HandDealt: ("own_hand",), f.HandSet: ("own_hand",), f.Traded: ("trade_done",), f.Recoloured: ("recolour_done",),
    f.ClassTicked: ("garnet_gained", "dealt_garnet"), f.HandsTold: ("own_hand",),
    f.EarnedTold: ("garnet_gained", "dealt_garnet"), table_facts.DecisionOpened: ("tokens", "elimination"),
}  # fmt: skip
"""The notice of such a fact to those whom it concerns needs these lines (`dealt_garnet` only of the deal). A gift
cannot go to an Elimination Candidate, so among whom it is tells who that is. His own tokens are his own.

A level wider than the owner tells nobody more: a notice goes to those concerned."""
ENTRIES: tuple[tuple[Any, str, str, str | None], ...] = (
    (act.Trade("p6", "R2", "p7", "R2"), "p6 p7", "trade_done", "trades"),
    (act.Accept("p7", "p6"), "p6 p7", "trade_done", "trades"),
    (act.Offer("p6", "R2", "p7", "R2"), "p6 p7", "trade_done", None),
    (act.Decline("p7", "p6"), "p6 p7", "trade_done", None),
    (act.Withdraw("p6", "p7"), "p6 p7", "trade_done", None),
    (act.Recolour("p8", "R5"), "p8", "recolour_done", None),
    (shared.Hand("p3", ("R9", "R6", "R5", "R4", "R3")), "p3", "own_hand", "dealt_hands"),
    (shared.Award("p3", "tokens", 1), "p3", "tokens", "tokens"),
)
"""Entries, whom they concern, and the line that opens them: to those, to everybody."""


def lines_of(name: str) -> Iterator[tuple[str, bool, bool]]:
    """(line, of oneself only, only after the end) of a field."""
    for said in FIELDS[name].split(", "):
        yield said.split()[-1], said.startswith("my "), said.startswith("end ")


def test_every_field_has_a_line_or_a_reason() -> None:
    """A new field of the view fails here until somebody has decided who may know it."""
    models = {"view": EquilibriumView, "player": PlayerView, "result": Result}
    fields = {f"{name}.{field}" for name, model in models.items() for field in model._fields}
    assert fields == {*FIELDS, *" ".join(UNGOVERNED).split()}
    used = {line for name in FIELDS for line, _, _ in lines_of(name)}
    used |= {line for rows in (*NOTICES.values(), *(lines for _, _, *lines in ENTRIES)) for line in rows if line}
    assert used == set(VISIBILITY), "a line of the information table that governs nothing, or one that is not there"
    untold = {CardsDealt, f.Offered, f.OfferClosed, f.Locked, f.Unlocked}
    told = {name for name in NOTICES if name in GAME.facts}
    assert told | untold == set(GAME.facts), "a new fact: who is told of it?"


OWNERS = ("owner", "owner_then_everybody", "traders")
"""Levels at which those whom it concerns know it now."""


def allowed(levels: dict[str, str], line: str, *, over: bool, mine: bool) -> bool:
    """May it be known, by the meaning of the level alone."""
    level = levels[line]
    open_ = level == "everybody" or (over and level in ("everybody_after_end", "owner_then_everybody"))
    return open_ or (mine and level in OWNERS)


class Played:
    """One match of 8 from deal to end, with a trade, a recolour, a lock, a vote; a view of it under any settings."""

    HANDS = (
        "R1 R1 B1 B1 R10", "R7 B7 B7 R8 B8", "R9 R6 R5 R4 R3", "B9 B6 B5 B4 B3",
        "R10 B10 R9 B9 B8", "R2 B3 R4 B5 B6", "R2 B2 B2 R3 B4", "R5 R6 R7 R8 B10",
    )  # fmt: skip
    """Scenario E2: with `count`, p5, p1 and p2 win tokens and p3 and p4 tie for the last place."""
    VIEWERS = ("p1", "p3", "p6", "p8", PUBLIC_VIEWER)

    def __init__(self, match: Any) -> None:
        hands = {f"p{i}": hand for i, hand in enumerate(self.HANDS, start=1)}
        play = match(hands=hands, garnets=dict.fromkeys(hands, 1))
        self.actions: list[Any] = [
            act.Lock("p3"), act.Trade("p6", "R2", "p7", "R2"), act.Recolour("p8", "R5"),
            shared.Override("p8", "hand", "B5 R6 R7 R8 B10"),
        ]  # fmt: skip
        self.during: list[Any] = [*play.dealt]
        for action in self.actions:
            self.during += play.do(action)
        self.running = play.state
        self.after = play.do(shared.Close("trading"))
        self.after += play.do(shared.Vote("p1", "p3")) + play.do(shared.Blank("p5"))
        self.deciding = play.state
        self.after += play.do(shared.Vote("p5", "p4")) + play.do(shared.Vote("p2", "p4"))
        self.finished = play.state

    def everywhere(self) -> Iterator[tuple[dict[str, str], Any, str]]:
        """(levels, match, viewer): the running, the deciding and the finished match under each levels."""
        for levels in each_line_changed():
            for state in (self.running, self.deciding, self.finished):
                flat = {**state.table.settings, "visibility": levels}
                for viewer in self.VIEWERS:
                    yield levels, state._replace(table=state.table._replace(settings=flat)), viewer


@pytest.fixture(scope="module")
def played(match: Any) -> Played:
    return Played(match)


def shown_fields(state: Any, viewer: str) -> dict[str, bool]:
    """Which fields are there: `player.hand of p3`."""
    view, result = GAME.view(state, viewer), GAME.result(state, viewer)
    found = {f"view.{name}": value is not ABSENT for name, value in view._asdict().items()}
    for p in state.table.seats:
        row = (view.players or {}).get(p, PlayerView())
        found |= {f"player.{name} of {p}": value is not ABSENT for name, value in row._asdict().items()}
        for name in ("scores", "garnets", "tokens"):
            value = getattr(result, name)
            found[f"result.{name} of {p}"] = value is not ABSENT and p in value
    for name in ("ranking", "elimination"):
        found[f"result.{name}"] = getattr(result, name) is not ABSENT
    return found


def expected_fields(state: Any, viewer: str, levels: dict[str, str]) -> dict[str, bool]:
    """The same from the information table alone."""

    def ok(name: str, *owners: str) -> bool:
        mine = viewer in owners
        return any(
            allowed(levels, line, over=state.over, mine=mine) and (mine or not own) and (state.over or not end)
            for line, own, end in lines_of(name)
        )

    votes, seats = state.table.votes.get("elimination", {}), tuple(state.table.seats)
    found = {"view.phase": True, "view.ends": True, "view.paused": False, "view.locked": ok("view.locked")}
    found["view.trades_left"] = viewer != PUBLIC_VIEWER and ok("view.trades_left", viewer)
    found["view.votes"] = any(ok("view.votes", p) for p in votes)
    for p in seats:
        found |= {f"{name} of {p}": ok(name, p) for name in FIELDS if name.startswith("player.")}
        found[f"player.locked of {p}"] |= viewer == p  # his own lock is his own doing
        found[f"player.recolours of {p}"] &= p in state.recolours
        found |= {f"result.{n} of {p}": ok(f"result.{n}", p) for n in ("scores", "garnets", "tokens")}
    whole = itertools.product(("final_er", "final_classes"), seats)
    ranked = (allowed(levels, line, over=state.over, mine=viewer == p) for line, p in whole)
    found["result.ranking"] = state.over and all(ranked)
    found["result.elimination"] = ok("result.elimination", *state.table.elimination)
    rows = any(there for name, there in found.items() if name.startswith("player."))
    return {**found, "view.players": rows or viewer != PUBLIC_VIEWER}


def each_line_changed() -> Iterator[dict[str, str]]:
    """The defaults, every line at every other level, and mixtures."""
    usual = {line: level for line, (level, _) in VISIBILITY.items()}
    yield usual
    for line in usual:
        yield from ({**usual, line: level} for level in LEVELS if level != usual[line])
    rng = random.Random(8)
    yield from ({line: rng.choice(LEVELS) for line in usual} for _ in range(many(15, 1_000)))


def test_each_line_changes_what_it_says(played: Played) -> None:
    """Under any settings exactly those fields are there that the information table lets be known."""
    for levels, state, viewer in played.everywhere():
        shown, wanted = shown_fields(state, viewer), expected_fields(state, viewer, levels)
        if state.table.status == "finished":
            wanted["view.ends"] = shown["view.ends"]  # there is none any more
        wrong = {name: there for name, there in shown.items() if wanted[name] != there}
        assert not wrong, f"{viewer}, {state.table.phase}: {wrong} under {levels}"


def test_texts_can_be_made_under_any_settings(played: Played) -> None:
    """Whatever is hidden, the texts of every viewer can be made, without a value that is not there."""
    for _, state, viewer in itertools.islice(played.everywhere(), 0, None, 1 if FULL else 4):
        parts = frame(state.table, GAME.title, viewer), GAME.view(state, viewer), GAME.result(state, viewer)
        for blocks in (GAME.report(*parts), GAME.scores(*parts)):
            assert "ABSENT" not in render(blocks, "text", "UTC") + render(blocks, "discord", "UTC")
        json.dumps([plain(parts[1]), plain(parts[2])])


def concerned(fact: Any) -> tuple[str, ...]:
    if isinstance(fact, f.Traded):
        return fact.a, fact.b
    return fact.decision.who if isinstance(fact, table_facts.DecisionOpened) else (fact.player,)


def test_each_line_governs_its_notices(played: Played) -> None:
    """Whom a fact concerns is told of it where the lines allow it; nobody else ever is."""
    for levels, state, viewer in played.everywhere():
        for fact in played.after if state.over else played.during:
            lines = NOTICES.get(type(fact), ())
            if isinstance(fact, f.ClassTicked) and fact.by != "deal":
                lines = lines[:1]
            mine = viewer in concerned(fact) if lines else False
            may = (allowed(levels, line, over=state.over, mine=mine and line != "elimination") for line in lines)
            told = bool(GAME.tell(state, [fact], viewer)) if lines else False
            assert told == (mine and all(may)), f"{fact} to {viewer} under {levels}"


def test_each_line_governs_its_entries(played: Played) -> None:
    """An entry is opened to nobody who may not know all that is in it."""
    for levels, state, viewer in played.everywhere():
        for action, owners, own, wide in ENTRIES:
            for ended in (False, True):
                may_know = viewer in owners.split() and levels[own] in (*OWNERS, "everybody")
                may_know |= wide is not None and allowed(levels, wide, over=ended, mine=False)
                found = GAME.audience(state, action).admits(viewer, ended=ended)
                assert found == may_know, f"{action} to {viewer} under {levels}"
