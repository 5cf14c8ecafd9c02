"""Logs that no `hl` wrote: a chain that holds, and lines that say anything at all.

Whatever a line says, every verb that reads answers with an exit code of the contract, in time, without a traceback and
without a control character; `verify` gives a verdict; nothing is written. The logs are kept ones of every game, with
entries of all verbs strewn in, of which one thing was exchanged. `HL_FULL=1` tries many more.
"""

from __future__ import annotations

import copy
import json
import os
import random
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from events import read_body, write_instant
from events.canon import dumps
from events.entry import GENESIS, write_line
from events.reading import read_chain
from games.records import args_of, kebab
from games.registry import load
from tests.support.host import hl
from tests.support.randomly import anything
from tests.support.sizes import FULL, many

KEPT = Path(__file__).resolve().parents[1] / "old_logs"
NOW = 1_798_761_600_000
LAST = "9999-12-31T23:59:59.999Z"
ESC = "\x1b[2J\x9b\u202e\x00"
READS = (
    "verify -f json", "status", "log", "log -f json", "explain final", "explain {who}", "show {last} -f json",
    "explain {last}", "view --for {who} -f json", "view --for host", "summary --all", "outbox -f json", "drift",
    "waiting -f json", "remind", "final", "assumptions", "status --as-of now", "status --as-of {last}",
    "undo -n", "amend {last} at=-20m -n", "confirm {last} -n", "note x --at -5h -n -y", "doctor",
    "breach {who} -n --force", "diff {last} now", "diff . .",
    "export", "export --for {who} -f json", "evidence chat.json", "reveal", "board --for public", "replay",
    "replay --for {who} -f json", "replay --for {who} -f html", "outbox undo zed", "redo {last} -n",
)  # fmt: skip
ANYTHING: tuple[Any, ...] = (
    0, -1, 2**53, True, "", "x", ESC, LAST, [], ["x"], [[1]], [{}], [ESC], {}, {"a": 1}, {"a": {"b": []}}, None, 40,
    "host", "public", "\u202e", ["a b c"], ["x" * 60] * 90, "9" * 3000, "R1 " * 300, "1970-01-01T00:00:00.000Z",
    "2026-02-30T00:00:00.000Z", "../../etc/passwd", "a\x00b", "..os", "zz", "-0", {"place": 2**53, "line": "x"},
    {"entry": -1, "also": [{"place": 5, "line": 5}, 5], "keys": [ESC, 5]}, [{"id": "bank", "name": ESC}] * 300,
)  # fmt: skip
Log = list[dict[str, Any]]


def kept(game: str) -> Log:
    """The bodies of the shortest log that is kept of it; theo, who types here, is one of its hosts."""
    lines = min((log.read_bytes().splitlines(keepends=True) for log in KEPT.glob(f"{game}/*.jsonl")), key=len)
    first, *more = [json.loads(line.body) for line in read_chain(lines) if line.body is not None]
    return [first | {"args": first["args"] | {"hosts": [*first["args"]["hosts"], "theo"]}}, *more]


def forged(bodies: Log) -> bytes:
    """The lines of these bodies, with seals and a chain that hold."""
    lines, prev = [], GENESIS
    for seq, one in enumerate(bodies, start=1):
        line, prev = write_line(seq, prev, "00" * 16, dumps(one))
        lines.append(line)
    return b"".join(lines)


def entry(like: dict[str, Any], do: str, args: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"args": args, "at": like["at"], "by": like["by"], "do": do, "recorded": like["recorded"], **more}


def strewn(game: str, bodies: Log, dice: random.Random) -> Log:
    """With entries of any verbs behind some of its lines, some of them at another time."""
    found, said = load(game), [read_body(dumps(one)) for one in bodies]
    players = tuple(seat["id"] for seat in bodies[0]["args"]["roster"])
    made = bodies[: dice.randint(len(bodies) // 2, len(bodies))]
    for _ in range(dice.randint(1, 9)):
        action = anything(found, dice, said, players)
        args = {name: value for name, value in args_of(action).items() if value is not None}
        one = entry(dice.choice(made), kebab(type(action)), json.loads(json.dumps(args)))
        if dice.random() < 0.1:
            one["at"] = dice.choice([LAST, "1970-01-01T00:00:00.000Z", write_instant(NOW)])
        made.append(one)
    return made


def spoiled(bodies: Log, dice: random.Random) -> Log:
    """One thing is taken away or says something else: an argument, something inside it, seldom a field of the line."""
    made = copy.deepcopy(bodies)
    place: Any = made[0] if dice.random() < 0.2 else dice.choice(made)
    place = place["args"] if place["args"] and dice.random() < 0.9 else place
    key = dice.choice([*place])
    while isinstance(place[key], (dict, list)) and place[key] and dice.random() < 0.6:
        place = place[key]
        key = dice.choice([*place] if isinstance(place, dict) else range(len(place)))
    if isinstance(place, dict) and dice.random() < 0.15:
        del place[key]
    else:
        place[key] = dice.choice([*ANYTHING, *range(1, len(made) + 2), dice.choice(made)["args"]])
        if isinstance(place, dict) and dice.random() < 0.05:
            place["zap"] = 1
    return made


def answered(log: Path, bodies: Log, line: str, who: str = "ann") -> str:
    """What a command says of these lines; it must say something."""
    data = forged(bodies)
    if not log.exists() or log.read_bytes() != data:
        log.write_bytes(data)
    words = line.format(last=len(bodies), who=who).split()
    began = time.process_time()  # a busy machine is not the log's fault
    code, out, err = hl("-g", str(log), "--no-input", *words)
    told, where = out + err, f"hl {line} -> {code}\n{out}{err}\n{json.dumps(bodies[-9:])}"
    assert "[unexpected]" not in told and code in (0, 2, 3, 4, 5), where
    assert time.process_time() - began < 10, where
    assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e" for c in told), where
    assert log.read_bytes() == data and os.listdir(log.parent) == ["log.jsonl"], where
    return told


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where one may stand."""
    monkeypatch.setattr("ledger.core.clock.time", SimpleNamespace(time=lambda: NOW / 1000))
    monkeypatch.setenv("HL_AS", "theo")
    monkeypatch.delenv("HL_DEBUG", raising=False)
    return tmp_path / "log.jsonl"


def test_any_line_is_answered(any_game: str, log: Path) -> None:
    sound = kept(any_game)
    findings = json.loads(answered(log, sound, READS[0]))["findings"]
    assert not [one for one in findings if one["code"].startswith("log.")], "so a finding is of what was changed"
    for number in range(many(7, 250, mutants=40)):
        dice = random.Random(f"{any_game} {number}")
        bodies = spoiled(strewn(any_game, sound, dice), dice)
        assert json.loads(answered(log, bodies, READS[0]).splitlines()[-1]).keys() >= {"ok", "findings"}
        who = dice.choice([seat["id"] for seat in sound[0]["args"]["roster"]])
        for line in dice.sample(READS, many(4, 12)):
            answered(log, bodies, line, who)


def changed(bodies: Log, **args: Any) -> Log:
    return [{**bodies[0], "args": {**bodies[0]["args"], **args}}, *bodies[1:]]


ALONE = kept("equilibrium")
ODD: dict[str, Log] = {
    "nobody at the table": changed(ALONE, roster=[]),
    "an end after the year 9999": [{**one, "at": LAST} if one["do"] == "open" else one for one in ALONE],
    "a line before the first": [ALONE[1], *ALONE],
    "the first alone": ALONE[:1],
    "the first twice": [*ALONE, ALONE[0]],
    "another game": changed(ALONE, game="hex_parties"),
    "an undo that struck nothing": [*ALONE, entry(ALONE[-1], "undo", {"target": 1})],
    "a newest line of no form": [*ALONE, {**ALONE[-1], "at": 5}],
    "no game": changed(ALONE, game="kit"),
    "much": [*ALONE, *[entry(ALONE[-1], "award", {"player": "ann", "what": "garnets", "amount": 1000})] * 40],
    **{f"a batch from {n}": [*ALONE, entry(ALONE[-1], "pause", {}, batch=n)] for n in (1, 20, 34, 2**53)},
    **{
        f"a mark of message {part[:9]}": [
            *ALONE,
            entry(ALONE[-1], "posted", {"item": f"19a.{part}", "audience": "public", "channel": "c"}),
        ]
        for part in ("1" * 5000, "9" * 30, "0")
    },
}


@pytest.mark.parametrize("odd", ODD)
def test_what_chance_hardly_finds_is_answered(odd: str, log: Path) -> None:
    """Some of these were not, and were found at full size."""
    for line in READS if FULL else (READS[0], "doctor", *READS[[*ODD].index(odd) % 9 :: 9], *READS[-4:]):
        answered(log, ODD[odd], line)
