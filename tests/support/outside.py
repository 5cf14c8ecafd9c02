"""Programs beside the tests, which may open no socket themselves: servers, and `hl` as a process of its own.

No test stands here.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def needs(*packages: str) -> None:
    """Leave the test out, and say so, where one of these packages is not installed."""
    for package in packages:
        code = f"import sys, importlib.util as u; sys.exit(u.find_spec({package!r}) is None)"
        if subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode:
            pytest.skip(f"{package} is not installed: make cluster")


def hl(*words: str, **env: str) -> tuple[int, str, str]:
    """One command in a process of its own: exit code, stdout, stderr."""
    code = "from ledger.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env}, timeout=900,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def running(*words: str, says: str, **env: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A Python program that runs until it is no longer needed, and what it first says that fits the pattern."""
    program = subprocess.Popen(
        [sys.executable, "-u", *words], cwd=ROOT, env={**os.environ, **env}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert program.stdin is not None and program.stdout is not None
    try:
        for line in program.stdout:
            if found := re.search(says, line):
                yield program, found[1]
                break
        else:
            raise AssertionError(f"{words} ended with {program.wait()}")
    finally:
        program.stdin.close()
        program.terminate()
        program.stdout.close()
        program.wait(30)
