"""The programs of docs/ that share no code with ours, and forms of a log to ask them about."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from events import GENESIS, close_line, write_line

DOCS = Path(__file__).resolve().parents[2] / "docs"
CHECKER = compile((DOCS / "check_log.py").read_text(encoding="utf-8"), "check_log.py", "exec")


def program(name: str) -> Any:
    """A program of docs/ as a module; the checker of logs is run from its source each time."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def second(path: Path) -> str:
    """What check_log.py says."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr(sys, "argv", ["check_log.py", str(path)])
        try:
            exec(CHECKER, {"__name__": "__main__"})
        except SystemExit as stop:
            return str(stop.code)
    return out.getvalue().strip()


def variant(lines: list[bytes], dice: random.Random) -> bytes:
    """Some form of a real log: a prefix, perhaps with closed lines, perhaps written anew, perhaps damaged."""
    lines = lines[: dice.randint(1, len(lines))]
    if dice.random() < 0.3:
        chosen = dice.random()
        lines = [close_line(line) if dice.random() < chosen else line for line in lines]
    elif dice.random() < 0.2:
        lines = anew(lines, dice)
    data = b"".join(lines)
    for _ in range(dice.choice((0, 0, 1, 1, 1, 2))):
        at = dice.randrange(max(1, len(data)))
        shuffled = data.splitlines(keepends=True)
        dice.shuffle(shuffled)
        end = dice.choice((b"\n", b"{}\n", b"\0" * 40, data[: at // 2], b"x" * 70_000 + b"\n"))
        swap = dice.choice(
            (
                (b'"do"', b'"od"'), (b"\n", b"\r\n"), (b'","seal"', b'", "seal"'), (b'"seq":2,', b'"seq":3,'),
                (b'"prev":"%x' % dice.randrange(16), b'"prev":"%x' % dice.randrange(16)),
            )
        )  # fmt: skip
        data = dice.choice(
            (
                data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],
                data[:at] + data[at + 1 :],
                data[:at] + bytes([dice.choice(b'\n\r\0 "}0a{')]) + data[at:],
                data[:at],
                data[:at] + data[dice.randint(at, len(data)) :],
                b"".join(shuffled),
                data + end,
                data.replace(*swap, 1),
            )
        )
    return data


def anew(lines: list[bytes], dice: random.Random) -> list[bytes]:
    """The same entries with other salts, and a chain that holds; one of them perhaps not as the ledger spells it."""
    made, prev, odd = [], GENESIS, dice.randrange(2 * len(lines))
    for seq, line in enumerate(lines, start=1):
        body = line[line.index(b',"body":') + 8 : -2]
        body = body.replace(b'"args":', b'"args" :') if seq == odd else body
        raw, prev = write_line(seq, prev, dice.randbytes(16).hex(), body)
        made.append(raw)
    return made
