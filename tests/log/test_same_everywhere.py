"""The same log tells the same, byte for byte: any hash seed, zone, locale, date, folder and Python.

One program tells everything of the kept logs (old_logs/), in a process of its own for each surrounding.

Source: docs/reliability.md.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.sizes import FULL, log_number

HERE = Path(__file__).resolve().parents[1]
PROGRAM = HERE / "reliability" / "tell_all.py"
LOGS = sorted((HERE / "old_logs").glob("*/*.jsonl"))
NEEDED = "import click, pydantic_core, tabulate"


@functools.cache
def pythons() -> list[str]:
    """This Python, and every other supported one that is here with what the project needs.

    `HL_PYTHONS` names further ones, separated by colons.
    """
    found = [sys.executable]
    named = os.environ.get("HL_PYTHONS", "").split(":")
    for name in [*named, *(f"python3.{minor}" for minor in range(11, 16))]:
        path = shutil.which(name) if name else None
        if path and subprocess.run([path, "-c", NEEDED], capture_output=True, check=False).returncode == 0:
            found.append(path)
    return list(dict.fromkeys(found))


class Place(NamedTuple):
    """Surroundings in which the same must be told."""

    python: str
    hash_seed: str = "0"
    zone: str = "UTC"
    locale: str = "C.UTF-8"
    now: int = 1_798_761_600_000
    folder: str = "/"
    columns: str = "80"


STRANGE = Place(sys.executable, "4242", "Asia/Kathmandu", "C", 4_102_444_800_000, "/usr", "37")
"""It differs in everything from the first."""


def places() -> list[Place]:
    """192 for this Python and 16 for each other one in the full run; otherwise one that differs in everything.

    `HL_PLACES=24` takes so many of them, spread over all.
    """
    here, *others = pythons()
    if not FULL:
        return [Place(here), STRANGE, *(Place(other, "7", "America/St_Johns", "POSIX") for other in others)]
    zones = ("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia")
    dates = (1_798_761_600_000, 1_900_000_000_000, 2_147_483_648_000, 4_102_444_800_000)  # after every end in the logs
    around = itertools.product(("0", "1", "4242"), zones, ("C", "C.UTF-8"), dates, ("/", "/usr"))
    less = list(itertools.product(("0", "7"), zones[:2], ("C", "C.UTF-8"), dates[::2]))
    found = [Place(here, *one) for one in around] + [Place(other, *one) for other in others for one in less]
    few = int(os.environ.get("HL_PLACES") or len(found))
    return found[:: max(1, len(found) // few)]


def told(root: Path, place: Place, logs: list[Path], program: Path = PROGRAM, much: str = "some") -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env = {
        **kept,
        "PYTHONHASHSEED": place.hash_seed,
        "TZ": place.zone,
        "LC_ALL": place.locale,
        "LANG": place.locale,
        "COLUMNS": place.columns,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [place.python, str(program), str(root), str(place.now), much, *map(str, logs)]
    done = subprocess.run(command, env=env, cwd=place.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (place, done.stderr)
    answer: dict[str, str] = json.loads(done.stdout)
    return answer


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def test_the_same_is_told_everywhere(root: Path, record_property: Any) -> None:
    logs = LOGS if FULL else [next(logs) for _, logs in itertools.groupby(LOGS, key=lambda log: log.parent)]
    ones = places()
    first = told(root, ones[0], logs)
    for place in ones[1:]:
        found = told(root, place, logs)
        assert not differences(first, found), (place, differences(first, found)[:10])
    log_number(record_property, len(ones))
    assert len(first) >= 10 * len(logs)


@pytest.mark.slow
def test_every_command_tells_the_same_on_every_python(root: Path) -> None:
    """All commands, formats and players, under one strange place for each Python."""
    found = [told(root, Place(one, str(n), "Asia/Kathmandu"), LOGS, much="all") for n, one in enumerate(pythons())]
    for other in found[1:]:
        assert not differences(found[0], other), differences(found[0], other)[:10]


def test_which_pythons_were_tried(capsys: pytest.CaptureFixture[str], record_property: Any) -> None:
    """At least this one; `pytest -s` names them."""
    found = pythons()
    record_property("pythons", " ".join(found))
    print("\n".join(found))
    assert found


BROKEN = {
    "sorted by hash": "sorted(players, key=hash)",
    "dates of this machine's zone": "__import__('time').localtime(0)",
    "the clock": "ledger.core.clock.now_ms()",
    "the folder": "__import__('os').getcwd()",
}


def test_sabotage_is_seen(root: Path, tmp_path: Path) -> None:
    """A teller that depends on its surroundings in four ways is told from one that does not, by each of them."""
    broken, source = tmp_path / "tell.py", PROGRAM.read_text(encoding="utf-8")
    ways = "".join(f"    found[{name!r}] = str({words})\n" for name, words in BROKEN.items())
    marked = source.replace("    for line in lines:\n", f"{ways}    for line in lines[:1]:\n")
    assert marked != source
    broken.write_text(marked, encoding="utf-8")
    one, other = (told(root, place, LOGS[:1], broken) for place in (Place(sys.executable), STRANGE))
    assert differences(one, other) == sorted(BROKEN)
