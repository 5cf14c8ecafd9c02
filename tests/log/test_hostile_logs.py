"""Logs that no `hl` wrote: a chain that holds, and lines that say anything at all.

Whatever a line says, every verb that reads answers with an exit code of the contract, in time, without a traceback and
without a control character; `verify` gives a verdict; nothing is written. `HL_FULL=1` tries every case.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.canon import dumps
from events.entry import GENESIS, write_line
from ledger.cli.root import run
from ledger.core.replay import DRAFT
from tests.support.sizes import FULL, many

NOW = 1_772_470_000_000
AT = "2026-03-02T10:00:00.000Z"
LAST = "9999-12-31T23:59:59.999Z"
PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
ESC = "\x1b[2J\x9b\u202e\x00"
READS = (
    "verify -f json", "status", "log", "log -f json", "explain final", "explain ann", "show {last} -f json",
    "explain {last}", "view --for ann -f json", "view --for host", "summary --all", "outbox -f json", "drift",
    "waiting -f json", "remind", "final", "assumptions", "status --as-of now", "status --as-of {last}",
    "undo -n", "amend {last} at=-20m -n", "redo {last} -n", "confirm {last} -n", "note x --at -5h -n -y", "doctor",
    "trade ann R1 bob R2 -n --force", "replay", "replay --for ann -f json", "diff {last} now", "diff . .",
    "export", "export --for bob -f json", "evidence chat.json",
)  # fmt: skip
ANYTHING: tuple[Any, ...] = (
    0, -1, 2**53, True, "", "x", ESC, LAST, [], ["x"], [[1]], [{}], [ESC], {}, {"a": 1}, {"a": {"b": []}},
)  # fmt: skip


def body(do: str, args: Any, **more: Any) -> dict[str, Any]:
    return {"args": args, "at": AT, "by": "mara", "do": do, "recorded": AT, **more}


def forged(bodies: list[dict[str, Any]]) -> bytes:
    """The lines of these bodies, with seals and a chain that hold."""
    lines, prev = [], GENESIS
    for seq, one in enumerate(bodies, start=1):
        line, prev = write_line(seq, prev, "00" * 16, dumps(one))
        lines.append(line)
    return b"".join(lines)


def sound() -> list[dict[str, Any]]:
    """A match as `new`, `deal --from` and `open` write it."""
    from games.equilibrium.cards import DECK, sort
    from games.registry import load
    from games.table.settings import defaults

    game = load("equilibrium")
    create = {
        "format": 1, "draft": DRAFT, "game": "equilibrium", "rules": 1, "texts": 1, "zone": "UTC", "title": "T",
        "settings": defaults(game.settings, game.visibility, game.has), "hosts": ["mara", "theo"],
        "assumptions": ["er_metric"],
        "roster": [{"id": p, "name": p.capitalize()} for p in PEOPLE],
    }  # fmt: skip
    seats = [body("seat", {"player": p, "garnets": 1, "aliases": [], "channel": f"#{p}"}, batch=1) for p in PEOPLE]
    hands = [body("hand", {"player": p, "cards": list(sort(DECK[i::8]))}, batch=10) for i, p in enumerate(PEOPLE)]
    deal = body("deal", {"method": "typed"}, batch=10)
    return [body("create", create, batch=1), *seats, *hands, deal, body("open", {})]


SOUND = sound()


def create(**changed: Any) -> list[dict[str, Any]]:
    """The match with other args of its first line; `...` takes one away."""
    made = copy.deepcopy(SOUND)
    for key, value in changed.items():
        if value is ...:
            del made[0]["args"][key]
        else:
            made[0]["args"][key] = value
    return made


def after(*bodies: dict[str, Any]) -> list[dict[str, Any]]:
    return [*SOUND, *bodies]


BREACH = body("breach", {"player": "ann"})
TRADE = body("trade", {"a": "ann", "b": "eve", "give": "B1", "take": "B2"})
POSTED = {"item": "19a", "audience": "public", "channel": "c"}


def first_lines() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    first = SOUND[0]["args"]
    for key in first:
        yield f"create without {key}", create(**{key: ...})
        for value in ANYTHING:
            yield f"create {key}={value!r}", create(**{key: value})
    for key in first["settings"]:
        rest = {name: value for name, value in first["settings"].items() if name != key}
        yield f"settings without {key}", create(settings=rest)
        for value in ANYTHING:
            yield f"settings {key}={value!r}", create(settings={**rest, key: value})
    roster = first["roster"]
    for name, listed in {
        "twice": [*roster, roster[0]],
        "another key": [{**roster[0], "zap": "1"}, *roster[1:]],
        "no name": [{"id": "ann"}, *roster[1:]],
        "reserved": [{"id": word, "name": word} for word in ("host", "public", "bank", "everybody")] + roster,
        "hostile": [{"id": "ann", "name": ESC}, *roster[1:]],
        "no id": [{"id": "", "name": ""}, *roster],
        "one": roster[:1],
        "many": [*roster, *({"id": f"p{i}", "name": f"P{i}"} for i in range(300))],
    }.items():
        yield f"roster {name}", create(roster=listed)
    for zone in ("../../etc/passwd", "/etc/passwd", "a\x00b", "Europe", "UTC+1"):
        yield f"zone {zone!r}", create(zone=zone)
    for game in ("kit", "table", "..os", "os.path", "hex_parties"):
        yield f"game {game}", create(game=game)
    yield "create at the last instant", [{**SOUND[0], "at": LAST}, *SOUND[1:]]
    yield "create in another batch", [{**SOUND[0], "batch": 5}, *SOUND[1:]]
    yield "seat first", [SOUND[1], *SOUND]
    yield "create alone", SOUND[:1]
    yield "create again", after(SOUND[0])


def about_the_log() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for do in ("undo", "redo", "amend", "confirm", "posted", "anchor", "join"):
        yield f"{do} empty", after(BREACH, body(do, {}))
        for target in (20, 21, 22, 1, 2, 10, 18, 19, *ANYTHING):
            yield f"{do} {target!r}", after(BREACH, body(do, {"target": target, "args": {"player": "bob"}}))
    for args in (*ANYTHING, {"player": "zed"}, {"player": 5}, {"a": "ann"}, {"player": "bob", "zap": 1}):
        yield f"amend args {args!r}", after(BREACH, body("amend", {"target": 20, "args": args}))
    for at in (*ANYTHING, "1970-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "tomorrow"):
        yield f"amend at {at!r}", after(BREACH, body("amend", {"target": 20, "args": {"player": "bob"}, "at": at}))
    undo, redo = body("undo", {"target": 20}), body("redo", {"target": 21})
    yield (
        "undo, redo, undo of them",
        after(
            BREACH,
            undo,
            redo,
            undo,
            body("redo", {"target": 20}),
            body("undo", {"target": 21}),
            body("undo", {"target": 23}),
        ),
    )
    amend = body("amend", {"target": 20, "args": {"player": "bob"}})
    yield "amend of an amend", after(BREACH, amend, body("amend", {"target": 21, "args": {"player": "cyd"}}))
    yield "amend undone and back", after(BREACH, amend, body("undo", {"target": 21}), body("redo", {"target": 22}))
    for key in ("item", "audience", "channel", "text", "digest", "covers", "dropped"):
        for value in ANYTHING:
            yield f"posted {key}={value!r}", after(body("posted", {**POSTED, key: value}), TRADE, undo)
    for key in ("head", "lines", "known"):
        far = {"place": 2**53, "line": "x"}
        whole = {**far, "entry": 1, "also": [far, 5], "keys": [ESC, 5]}
        for value in (*ANYTHING, [far], [whole, whole], [{"entry": -1}], [5, 6]):
            said = body("join", {"head": "0" * 64, key: value})
            yield f"join {key}={value!r}", after(said, {**TRADE, "joined": 20}, {**BREACH, "joined": 2**53})
    for batch in (1, 2, 9, 19, 20, 21, 99, 2**31, 2**53):
        yield f"batch {batch}", after({**BREACH, "batch": batch}, body("undo", {"target": 20}))


def anything_else() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    fields = {
        "trade": TRADE["args"], "offer": TRADE["args"], "accept": {"player": "ann", "proposer": "bob"},
        "recolour": {"player": "ann", "card": "B1"}, "lock": {"player": "ann"}, "close": {"phase": "trading"},
        "reopen": {"phase": "trading"}, "deadline": {"when": LAST}, "note": {"text": "x", "about": 20},
        "ruling": {"text": "x", "about": 20}, "override": {"field": "hand", "player": "ann", "value": "R1"},
        "penalty": {"player": "ann", "garnets": 1}, "award": {"player": "ann", "what": "tokens", "amount": 1},
        "vote": {"voter": "ann", "candidate": "bob"}, "gift": {"player": "ann", "receiver": "bob"},
        "choose": {"player": "ann", "choice": "bob"}, "replace": {"player": "ann", "name": "Zoe"},
        "lot": {"among": ["ann", "bob"], "outcome": "ann", "seed": "00"}, "alias": {"player": "ann", "alias": "x"},
        "amend-setting": {"key": "vote_hours", "value": 5}, "seat": {"player": "ann", "garnets": 1, "aliases": []},
        "hand": {"player": "ann", "cards": ["R1"]}, "deal": {"method": "drawn", "seed": "00"},
    }  # fmt: skip
    for do, args in fields.items():
        for key in args:
            yield f"{do} without {key}", after(body(do, {k: v for k, v in args.items() if k != key}))
            for value in ANYTHING:
                yield f"{do} {key}={value!r}", after(body(do, {**args, key: value}))
    for key in ("visibility", "visibility.votes", "visibility.zap", "emoji", "emoji.garnet", "garnet_hands", "a.b.c"):
        for value in ANYTHING:
            yield f"setting {key}={value!r}", after(body("amend-setting", {"key": key, "value": value}))
    deal = next(i for i, one in enumerate(SOUND) if one["do"] == "deal")
    for args in ({"method": "drawn"}, {"method": "drawn", "seed": "zz"}, {"method": "drawn", "seed": "é"}):
        yield f"deal {args}", [*SOUND[:deal], body("deal", args), *SOUND[deal + 1 :]]
    for cards in ([], ["R1"] * 300, [ESC], ["r1", "7b", "R3", "R4", "R5"]):
        yield f"dealt {cards[:3]}", [*SOUND[:9], body("hand", {"player": "ann", "cards": cards}), *SOUND[10:]]
    for value in ("", "R1", "R1 " * 300, "R1 R1 R1", "B4 B4 B4 B4 B4", "9" * 3000):
        for field in ("hand", "garnets"):
            changed = body("override", {"field": field, "player": "ann", "value": value})
            yield f"override {field} {value[:20]}", after(changed, body("close", {"phase": "trading"}))
    for do, args in (
        ("breach", BREACH["args"]),
        ("close", {"phase": "trading"}),
        ("pause", {}),
        ("trade", TRADE["args"]),
    ):
        for at in (LAST, "1970-01-01T00:00:00.000Z"):
            yield f"{do} at {at}", after({**body(do, args), "at": at}, body("resume", {}, at=LAST))
    yield "open at the last instant", [*SOUND[:-1], {**SOUND[-1], "at": LAST}]
    yield "a long pause", after(body("deadline", {"when": LAST}), body("pause", {}), body("resume", {}, at=LAST))
    yield "unknown verb", after(body("frobnicate", {"a": 1}), body("undo", {"target": 20}))
    yield "by a stranger", after({**BREACH, "by": "stranger"})
    yield "evidence and key", after({**BREACH, "evidence": ESC, "once": ESC}, {**BREACH, "once": "0" * 64})
    yield "forced", after({**TRADE, "force": True}, {**TRADE, "again": True})
    yield "much", after(*[body("award", {"player": "ann", "what": "garnets", "amount": 1000})] * 40)


def polar() -> list[dict[str, Any]]:
    """A match of Polar RPS Party in round 1, some of whose sheets are in."""
    from games.registry import load
    from games.table.settings import defaults

    game = load("polar")
    create = {
        "format": 1, "draft": DRAFT, "game": "polar", "rules": 1, "texts": 1, "zone": "Europe/Berlin", "title": "T",
        "settings": {**defaults(game.settings, game.visibility, game.has), "rounds": 1}, "hosts": ["mara", "theo"],
        "assumptions": [], "roster": [{"id": p, "name": p.capitalize()} for p in PEOPLE],
    }  # fmt: skip
    seats = [body("seat", {"player": p, "garnets": 1, "aliases": [], "channel": f"#{p}"}, batch=1) for p in PEOPLE]
    start = {"player": "ann", "room": "rock", "sign": "+", "bombs": ["double", "ticket"], "buy": [], "as_sent": False}
    lots = {"round": "pregame", "drawn": [f"{p} paper -" for p in PEOPLE]}
    submit = {"player": "ann", "ticket": ["paper"], "swap": 1, "bomb": ["double rock"], "buy": [], "as_sent": False}
    sheets = [body("start", start), body("resolve", lots), body("submit", submit)]
    return [body("create", create, batch=1), *seats, body("open", {}), *sheets]


POLAR = polar()


def sheets_of_polar() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Sheets, lots and overrides that say anything, before and after a resolve."""
    by_do = {one["do"]: one["args"] for one in POLAR}
    end = body("resolve", {"round": "round_1"})
    fields = {
        "start": by_do["start"], "submit": by_do["submit"], "resolve": {**by_do["resolve"], "seed": "00"},
        "go": {"player": "ann", "room": "paper", "off": False, "as_sent": True}, "swap": {"player": "ann", "off": True},
        "bomb": {"player": "ann", "kind": "double", "room": "rock", "off": False, "as_sent": True},
        "buy": {"player": "ann", "items": ["swap"], "off": False, "as_sent": True}, "blank": {"player": "ann"},
    }  # fmt: skip
    odd = [["double"], [" "], ["a b c"], ["x" * 60], ["double rock"] * 200, ["blank"], "blank", "\u202e", -5, 99, 100]
    for do, args in fields.items():
        place = len(POLAR) - 2 if do in ("start", "resolve") else len(POLAR)
        for key in args:
            left = {k: v for k, v in args.items() if k != key}
            yield f"{do} without {key}", [*POLAR[:place], body(do, left), *POLAR[place:], end]
            for value in (*ANYTHING, *odd):
                changed = body(do, {**args, key: value})
                yield f"{do} {key}={value!r}", [*POLAR[:place], changed, *POLAR[place:], end]
    for drawn in ([], ["ann"], ["ann rock"], ["ann rock +"] * 2, ["zed rock +"], [ESC], ["x" * 4000], ["ann attic ?"]):
        for seed in ({}, {"seed": "00"}, {"seed": "zz"}):
            lots = body("resolve", {"round": "pregame", "drawn": drawn, **seed})
            yield f"drawn {drawn!r} {seed}", [*POLAR[:-2], lots, end]
    for field in ("points", "room", "sign", "tickets", "swaps", "bombs", "garnets", "hand", ESC):
        for value in ("", "-", "--", "-0", "-5", "5", "9" * 3000, "rock", "+", "none", "double " * 300, ESC, "blank"):
            changed = body("override", {"field": field, "player": "ann", "value": value})
            yield f"override {field} {value[:20]!r}", [*POLAR, changed, end]
    for key in (*POLAR[0]["args"]["settings"], "visibility.rooms", "visibility.zap"):
        for value in ANYTHING:
            yield f"setting {key}={value!r}", [*POLAR, body("amend-setting", {"key": key, "value": value}), end]


def some(cases: Iterator[tuple[str, list[dict[str, Any]]]], one_of: int) -> list[tuple[str, list[dict[str, Any]]]]:
    """All cases in a full run; otherwise one of so many."""
    return [case for i, case in enumerate(cases) if FULL or i % one_of == 0]


def hl(words: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, out.getvalue() + err.getvalue()


@pytest.mark.parametrize(
    ("cases", "name", "line"),
    [
        (first_lines, "create roster=[]", "verify -f json"),
        (anything_else, "open at the last instant", "replay --for ann -f json"),
        (anything_else, "open at the last instant", "replay --for ann -f html"),
    ],
)
def test_lines_that_were_not_answered(cases: Any, name: str, line: str, tmp_path: Path) -> None:
    """Nobody at the table, and an end after the year 9999: found at full size, tried in the quick suite too."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(forged(dict(cases())[name]))
    code, told = hl(["-g", str(log), "--as", "theo", *line.split(), "--no-input"])
    assert "[unexpected]" not in told and code in (0, 2, 4), told


@pytest.mark.parametrize("cases", [first_lines, about_the_log, anything_else, sheets_of_polar])
def test_any_line_is_answered(cases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ledger.core.clock

    monkeypatch.setattr(ledger.core.clock, "time", type("Time", (), {"time": staticmethod(lambda: NOW / 1000)}))
    monkeypatch.setenv("HL_AS", "theo")
    monkeypatch.delenv("HL_DEBUG", raising=False)
    log = tmp_path / "log.jsonl"
    one_of = many(20, 1, mutants=10) * (1 if cases is not sheets_of_polar else 2)
    for number, (name, bodies) in enumerate(some(cases(), one_of)):
        data = forged(bodies)
        log.write_bytes(data)
        reads = READS if FULL else [READS[0], *(READS[(number * 6 + i) % len(READS)] for i in range(6))]
        for line in reads:
            words = line.format(last=len(bodies)).split()
            began = time.process_time()  # a busy machine is not the log's fault
            code, told = hl(["-g", str(log), *words, "--no-input"])
            where = f"{name}: hl {line} -> {code}\n{told}"
            assert "[unexpected]" not in told and code in (0, 2, 3, 4, 5), where
            assert time.process_time() - began < 10, where
            assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e" for c in told), where
            if line.startswith("verify"):
                assert json.loads(told.splitlines()[-1]).keys() >= {"ok", "findings"}, where
        assert log.read_bytes() == data
        assert os.listdir(tmp_path) == ["log.jsonl"]


@pytest.mark.parametrize("part", ["1" * 5000, "9" * 30, "0"])
def test_a_mark_of_any_message_of_a_text_is_answered(part: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(forged(after(TRADE, body("posted", {**POSTED, "item": f"{POSTED['item']}.{part}"}))))
    for line in ("verify", "outbox", "outbox undo zed", "drift"):
        code, told = hl(["-g", str(log), *line.split(), "--no-input"])
        assert "[unexpected]" not in told and code in (0, 2, 4), told


def test_the_forger_itself(tmp_path: Path) -> None:
    """The sound match verifies; so a finding elsewhere is of what was changed."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(forged(SOUND))
    code, told = hl(["-g", str(log), "verify"])
    assert code == 0, told
    log.write_bytes(forged(after(SOUND[1])))
    code, told = hl(["-g", str(log), "verify"])
    assert code == 4 and "[log.batch]" in told, told
    log.write_bytes(forged(POLAR))
    code, told = hl(["-g", str(log), "verify"])
    assert code == 0, told
