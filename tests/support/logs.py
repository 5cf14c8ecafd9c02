"""A log of three notes on a real disk, and what is done to it: for tests of the file. The fixture is `path`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from events import Body, Disk, Finding, LedgerError, LogFile, create
from events.instants import Instant


def body(n: int, text: str = "x", batch: int | None = None, by: str = "mara") -> Body:
    """The n-th note."""
    at = Instant(1_800_000_000_000 + n)
    return Body("note", at, by, at, {"n": n, "text": text}, batch=batch)


def add(path: Path, *bodies: Body, disk: Disk | None = None) -> list[str]:
    """Record them; what was warned of."""
    with LogFile(path, disk=disk or Disk()).writing() as writer:
        writer.append(bodies)
        return writer.warnings


def scanned(path: Path) -> tuple[int, list[Finding], bool]:
    """Of a log: how many lines, findings, whether its end is unproved."""
    findings: list[Finding] = []
    log = LogFile(path)
    return len(list(log.scan(findings))), findings, log.unproved


def found(path: Path) -> tuple[int, list[tuple[int, str]], bool]:
    """The same, of each finding its line and code."""
    count, findings, unproved = scanned(path)
    return count, [(one.line, one.code) for one in findings], unproved


def three_lines(path: Path) -> Path:
    """A new log of three entries there."""
    create(path, [body(1, batch=1), body(2, batch=1)])
    add(path, body(3))
    return path


@contextmanager
def told(kind: type[LedgerError], code: str = "", *words: str, line: int | None = None) -> Iterator[Any]:
    """Expect an error of that kind with that code, these words in what it says, and that line."""
    with pytest.raises(kind) as caught:
        yield caught
    error = caught.value
    assert code in ("", error.code) and all(word in error.what for word in words), (error.code, error.what)
    assert line is None or getattr(error, "line", None) == line


class Scripted(Disk):
    """Notes every call, and answers some otherwise: name of the call -> what is done instead."""

    def __init__(self, **instead: Callable[..., Any]) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.instead = instead

    def __getattribute__(self, name: str) -> Any:
        real = object.__getattribute__(self, name)
        if name.startswith("_") or name in ("calls", "instead", "did", "opened") or not callable(real):
            return real

        def call(*words: Any) -> Any:
            self.calls.append((name, words))
            return self.instead[name](real, *words) if name in self.instead else real(*words)

        return call

    def did(self, *names: str) -> list[str]:
        """Which of these calls were made, in order."""
        return [name for name, _ in self.calls if name in names]

    def opened(self) -> list[str]:
        """Which files were opened, in order."""
        return [Path(words[0]).name for name, words in self.calls if name == "open"]


def fails(number: int, *, at: int = 1) -> Callable[..., Any]:
    """That call fails the `at`-th time."""
    count = 0

    def call(real: Callable[..., Any], *words: Any) -> Any:
        nonlocal count
        count += 1
        if count == at:
            raise OSError(number, os.strerror(number))
        return real(*words)

    return call


def exchanged(path: Path) -> None:
    """Another file of the same bytes takes the name."""
    fresh = path.parent / "fresh"
    fresh.write_bytes(path.read_bytes())
    fresh.chmod(0o600)
    fresh.replace(path)


def behind(path: Path, *more: Body) -> bytes:
    """Record some entries, and put the head record back that stood before; the bytes of those entries."""
    stale, size = (path.parent / "log.jsonl.head").read_bytes(), path.stat().st_size
    for one in more:
        add(path, one)
    (path.parent / "log.jsonl.head").write_bytes(stale)
    return path.read_bytes()[size:]


def nested(depth: int, kind: type = list) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if kind is list else {"a": value}
    return value
