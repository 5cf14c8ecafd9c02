"""A host at the command line, in this process: every test that types commands takes this one.

`hl` runs one line. `Host` is a match in a folder with a clock that the test sets; the fixture `host` makes one. What a
game needs on top is a few functions, or a thin subclass, in the file of its tests.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

import pytest

from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match

MINUTE, HOUR = 60_000, 3_600_000
OPENED = 1_772_442_000_000
"""2026-03-02T09:00:00Z, when every test begins."""
EPOCH = 1_420_070_400_000
"""What Discord counts from."""


class Answer(NamedTuple):
    """What one command left with and printed."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Both streams, stdout first."""
        return self.out + self.err


def hl(*words: str, app: App | None = None) -> Answer:
    """Run one command line; nobody sits at the terminal.

    Args:
        app: Of the commands before, as in `hl shell`: of a log that stays as it is they fold once.
    """
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*words], app)
        out.flush()
    printed: bytes = out.buffer.getvalue()
    return Answer(code, printed.decode("utf-8", "surrogateescape"), err.getvalue())


def run_all(folder: Path | str, *lines: str) -> None:
    """Run these lines on the match in that folder; each must end with exit code 0."""
    for line in lines:
        answer = hl("-g", str(folder), *shlex.split(line))
        assert answer.code == 0, f"{line}: {answer}"


def set_clock(patch: pytest.MonkeyPatch, clock: Any) -> None:
    """From here on `clock.now` (ms) is the time of every command."""
    patch.setattr("ledger.core.clock.time", SimpleNamespace(time=lambda: clock.now / 1000))


def nothing_set(patch: pytest.MonkeyPatch) -> None:
    """Which match and which host: nothing of it is taken from the environment."""
    for name in ("HL_MATCH", "HL_AS"):
        patch.delenv(name, raising=False)


def link(at: int) -> str:
    """A link to a message that was sent at that instant (ms)."""
    return f"https://discord.com/channels/1/2/{(at - EPOCH) << 22}"


def toml(value: Any) -> str:
    """A value as TOML, on one line.

    >>> toml({"name": "Ann", "tokens": [1, True]})
    '{ name = "Ann", tokens = [1, true] }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def match_file(
    game: str,
    players: str | Mapping[str, Any],
    settings: str | Mapping[str, Any] = "",
    *,
    hosts: Iterable[str] = ("mara",),
    **more: Any,
) -> str:
    """The text of a match file.

    Args:
        players: Ids with spaces between them; or of each id how many garnets, or the whole row.
        settings: By name; or lines of TOML, which may open further tables.
        more: What else is at its head: `title`, `zone`.
    """
    rows = {p: {} for p in players.split()} if isinstance(players, str) else players
    rows = {p: {"garnets": row} if isinstance(row, int) else row for p, row in rows.items()}
    if isinstance(settings, Mapping):
        settings = "\n".join(f"{name} = {toml(value)}" for name, value in settings.items())
    top = [f"{name} = {toml(value)}" for name, value in {"game": game, "hosts": [*hosts], **more}.items()]
    seats = [f"{p} = {toml(row)}" for p, row in rows.items()]
    return "\n".join([*top, "[players]", *seats, "[settings]", settings, ""])


class Host:
    """A host with a match in `folder`/m.

    `pace` is how much time passes before each command (ms).

    Attributes:
        now: The time of the last command (ms).
        by: Who types where a call does not say: for matches of several hosts.
        out, err: What the last command printed.
    """

    pace = MINUTE

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, now: int = OPENED) -> None:
        self.folder, self.patch, self.now, self.by = folder, patch, now, ""
        self.out = self.err = ""
        folder.mkdir(exist_ok=True)
        nothing_set(patch)

    def at(self, name: str, now: int | None = None) -> Self:
        """Another one like this, in a folder of that name, at that time or at the present one."""
        other = type(self)(self.folder / name, self.patch, self.now if now is None else now)
        other.by = self.by
        return other

    def new(self, match_file: str, *more: str, code: int = 0) -> Self:
        """Make the match of that file. What was said is in `out` and `err`."""
        path = self.file("match.toml", match_file)
        self.type("new", str(self.path), "--from", str(path), *more, code=code)
        return self

    def deal(self, hands: Mapping[str, str], code: int = 0) -> Any:
        """Deal these hands from a file; what the command answers as JSON."""
        path = self.file("deal.toml", "[hands]\n" + "".join(f"{p} = {toml(hand)}\n" for p, hand in hands.items()))
        return self.write(f"deal --from {shlex.quote(str(path))}", code=code)

    def file(self, name: str, text: str) -> Path:
        """Write a file of that name."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def type(self, *words: str, code: int | None = 0, by: str = "") -> Answer:
        """Run a command that is not of this match."""
        self.now += self.pace
        set_clock(self.patch, self)
        answer = hl(*(["--as", by or self.by] if by or self.by else []), *words)
        self.out, self.err = answer.out, answer.err
        assert code is None or answer.code == code, f"{words}: {answer}"
        return answer

    def hl(self, line: str, *more: str, code: int | None = 0, by: str = "") -> Answer:
        """Run a command on the match, which must end with that exit code.

        Args:
            line: Words as a shell reads them.
            more: Further words, as they are.
            code: None: any.

        Returns:
            What was answered; lines to run are in it without the match and the host.
        """
        answer = self.type("-g", str(self.path), *shlex.split(line), *more, code=code, by=by)
        placed = rf"\bhl -g {re.escape(shlex.quote(str(self.path)))}( --as [\w-]+)? "
        self.out, self.err = (re.sub(placed, "hl ", text) for text in (answer.out, answer.err))
        return answer._replace(out=self.out, err=self.err)

    def json(self, line: str, *more: str, code: int = 0, by: str = "") -> Any:
        """What a command that reads answers as JSON."""
        return json.loads(self.hl(line, *more, "-f", "json", code=code, by=by).out)

    def write(self, line: str, *more: str, code: int = 0, by: str = "") -> Any:
        """Record something: yes to every question, and a round is resolved before its time. The answer as JSON."""
        early = ["--early"] if line.startswith("resolve") else []
        return json.loads(self.hl(line, *more, "--json", "--yes", *early, code=code, by=by).out)

    def refused(self, line: str, error: str, code: int = 3) -> Any:
        """A command that must end with that error and exit code, and not write a byte; the error."""
        before = self.log
        told = json.loads(self.hl(line, "--json", "--yes", code=code).out)
        assert told["ok"] is False and told["error"]["code"] == error and told["error"]["what"] and told["error"]["fix"]
        assert self.log == before
        return told["error"]

    def view(self, viewer: str = "host") -> Any:
        return self.json(f"view --for {viewer}")["view"]

    def have(self, field: str, viewer: str = "host") -> dict[str, Any]:
        """Player -> what the view shows of them."""
        return {p: row[field] for p, row in self.view(viewer)["players"].items()}

    def final(self, viewer: str = "host") -> Any:
        return self.json(f"final --for {viewer}")

    @property
    def path(self) -> Path:
        """The folder of the match."""
        return self.folder / "m"

    @property
    def log(self) -> bytes:
        """Every byte of the log."""
        return (self.path / "log.jsonl").read_bytes()

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.log.count(b"\n")

    @property
    def match(self) -> Match:
        """The match as the log has it now."""
        return Match(str(self.path / "log.jsonl"))

    @property
    def bodies(self) -> list[Any]:
        """The body of each entry."""
        return [json.loads(line)["body"] for line in self.log.splitlines()]
