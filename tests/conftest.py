"""Fixtures that several test files share. Transcripts are explained in support/transcripts.py."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from tests.support import laws, sizes

HERE = Path(__file__).resolve().parent

# A red suite means the change under test: the same examples every time. `make test-slow` looks for new ones.
settings.register_profile("the same examples", derandomize=True, max_examples=100 if sizes.LAWS else 40)
settings.load_profile("default" if os.environ.get("HL_FULL") else "the same examples")

DOUBLE = os.environ.get("HL_DOUBLE", "")
SYSTEM = "windows" if sys.platform == "win32" else DOUBLE
if DOUBLE:  # before any module of the project is there
    laws.install(DOUBLE)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE / "doubles"), os.environ.get("PYTHONPATH"))))

os.environ["XDG_CONFIG_HOME"] = str(HERE / "no-such-folder")  # what who runs the tests has settled must not count
for name in ("HL_MATCH", "HL_AS"):
    os.environ.pop(name, None)

from tests.support import guide  # noqa: E402

guide.install()  # before anything lists the games
from games.registry import names  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    """One browser for all files that ask for one."""
    from tests.support import browsers

    config.pluginmanager.register(browsers)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What needs a browser is not even read where it is left out: it is hundreds of tests."""
    left_out = "not browser" in config.option.markexpr and collection_path.name.endswith("_browser.py")
    return left_out or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under a double, tests of what only POSIX has, or only a disk that tells `A` from `a`, are left out."""
    for item in items:
        for mark in item.iter_markers("posix"):
            if SYSTEM == "windows" or (SYSTEM and "case" in mark.args):
                item.add_marker(pytest.mark.skip(reason=f"not of {SYSTEM}"))


def _no_network(*_: object, **__: object) -> None:
    raise AssertionError("no network: nothing here may open a socket")


@pytest.fixture(scope="session", autouse=True)
def sockets_forbidden() -> Iterator[None]:
    """The whole suite runs without a network: whatever opens a socket, or asks for an address, fails its test.

    Sockets between processes of this machine (AF_UNIX) are left: the workers of a test runner use them.
    """
    import socket

    real = socket.socket.__init__

    def guarded(self: socket.socket, family: int = -1, *more: object, **named: object) -> None:
        if family != getattr(socket, "AF_UNIX", None) and "fileno" not in named:
            _no_network()
        real(self, family, *more, **named)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "__init__", guarded)
        for name in ("getaddrinfo", "gethostbyname", "create_connection"):
            patch.setattr(socket, name, _no_network)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_the_disk() -> Iterator[None]:
    """No test in this process can tell whether the platter has it: that a line is flushed in time is seen in the calls.

    Who watches or breaks the calls puts their own in its place; `hl` in a process of its own flushes for real.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda fd: (os.fstat(fd), None)[1])
        yield


@pytest.fixture(scope="session", autouse=True)
def luck_of_hosts() -> Iterator[Callable[[Any], bytes]]:
    """How seeds are drawn for hosts. Here they follow from the number and the time of the entry, the same in each run:
    one lot in hundreds must not redden a test. `make test-slow` draws as hosts do.
    """
    from ledger.core.clock import OsLuck

    real = OsLuck.seed
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("HL_FULL"):
            patch.setattr(OsLuck, "seed", lambda luck: sha256(repr(luck).encode()).digest())
        yield real


@pytest.fixture(scope="session", autouse=True)
def workers_share_the_demos(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one worker of a run has played, the others copy."""
    from tests.support.demos import SHARED

    if hasattr(request.config, "workerinput"):
        SHARED.folder = tmp_path_factory.getbasetemp().parent / "demos"


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector of garbage need not go through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden transcripts anew")
    parser.addoption("--told", help="a folder for what anybody reads in the drawn matches (tests/secrecy/kept.py)")
    parser.addoption("--old-logs-update", action="store_true", help="keep what is told of the old logs anew")


@pytest.fixture
def built_in_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the games of the guide and of other packages: what is kept of a conversation lists those of this
    repository."""
    import games

    monkeypatch.setattr(games, "__path__", [place for place in games.__path__ if "guide-" not in place])
    monkeypatch.setattr("ledger.core.outside.GROUP", "none")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A fresh folder at a known time with known randomness, where a transcript can be played."""
    from tests.support import transcripts

    yield transcripts.Stage(tmp_path, monkeypatch)


@pytest.fixture
def minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by a minute whenever it is read; nothing is taken from the environment."""
    seconds = iter(range(1_795_000_000, 1_796_000_000, 60))
    monkeypatch.setattr("ledger.core.clock.time", SimpleNamespace(time=lambda: float(next(seconds))))
    for name in ("HL_MATCH", "HL_AS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A host at the command line, as yet without a match: `host.new(match_file("polar", "ann bob"))`."""
    from tests.support.host import Host

    return Host(tmp_path, monkeypatch)


@pytest.fixture
def at_desk(host: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """Makes a match of Equilibrium in a folder of that name, with the hosts mara, who types, and ben; play is open."""
    from tests.support import ended
    from tests.support.host import OPENED, match_file

    rows = {p: {"garnets": n, "channel": f"#{p}"} for p, n in zip(ended.NAMES, ended.GARNETS.values(), strict=True)}

    def sit(name: str) -> Any:
        kept = tmp_path_factory.getbasetemp() / "desk"
        if not kept.exists():  # made once; whoever sits down gets a copy
            first = type(host)(kept, host.patch, OPENED)
            first.by = "mara"
            first.new(match_file("equilibrium", rows, hosts=("mara", "ben"))).deal(ended.HANDS)
            first.hl("open")
        shutil.copytree(kept, host.folder / name)
        at = host.at(name, OPENED + 3 * host.pace)
        at.by = "mara"
        return at

    return sit


@pytest.fixture
def lines(request: pytest.FixtureRequest, host: Any, at_desk: Any, demos: Any, root: Path) -> Callable[..., None]:
    """Plays a case. The test module may have `FILES`, match files by name, `SHOWS`, which can be asked, `SHORT`, and
    fixtures with which a case begins."""

    from tests.support.demos import NOW
    from tests.support.host import match_file
    from tests.support.lines import check
    from tests.table.lines import value

    def folder(name: str) -> Any:
        """A host in a folder with the match files of the tests, and with what is bundled with a game."""
        host.by = "mara"
        for own, text in getattr(request.module, "FILES", {}).items():
            host.file(own if "." in own else f"{own}.toml", text)
        for bundled in (root / "games" / name).glob("demo*.toml"):
            shutil.copy(bundled, host.folder / {"demo": f"{name}.toml", "demo-deal": "deal.toml"}[bundled.stem])
        return host

    def demo(game: str) -> Any:
        host.now = NOW
        demos.copy(game, host.path)
        host.by = host.match.table.hosts[0]
        return host

    def match(game: str, *words: str) -> Any:
        settings = {key: value(of) for key, _, of in (word.partition("=") for word in words if "=" in word)}
        host.by = "mara"
        return host.new(match_file(game, " ".join(word for word in words if "=" not in word), settings))

    def nothing(name: str = "") -> Any:
        here = folder(name)
        here.by = ""
        return here

    def file(name: str) -> Any:
        return folder(name).new((host.folder / f"{name}.toml").read_text(encoding="utf-8"))

    class Starts(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            """A fixture: a host, or what makes one out of the words behind it."""
            found = request.getfixturevalue(name)
            return found if callable(found) else lambda: found

    starts = Starts(desk=lambda: at_desk("desk"), demo=demo, match=match, file=file, nothing=nothing)
    shows, short = (getattr(request.module, name, {}) for name in ("SHOWS", "SHORT"))
    return lambda said, **more: check(said, Starts(starts, **more), shows, short)


@pytest.fixture(params=names())
def any_game(request: pytest.FixtureRequest) -> Any:
    """The name of each game in turn, those of the guide too."""
    return request.param


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return HERE.parent


@pytest.fixture(scope="session")
def demos() -> Any:
    """The bundled match of each game: `demos.made(game)` to look at, `demos.copy(game, folder)` to write into."""
    from tests.support.demos import SHARED

    return SHARED


def _of_support(module: str, name: str) -> Any:
    """A fixture: that class, imported where it is asked for."""
    return pytest.fixture(scope="session")(lambda: getattr(import_module(f"tests.support.{module}"), name))


match = _of_support("play", "Play")
"""Makes a match in memory: `match(hands={"p1": "R1 B1 R2 B2 R3"}, garnets={"p1": 2}, settings={...})`."""
auction = _of_support("auction", "Auction")
"""A Poker Auction, its power round open: `auction(settings={...})`; `auction.clubs()` after PA1."""
hexes = _of_support("hexparties", "Hexes")
"""A Hex Parties match, its round 1 open: `hexes(settings={...})`; `hexes.at(points)` after HX2."""
mars = _of_support("mars", "Mars")
"""A MarsMatch with short hands: `mars({"a": "3 3 3 K", "b": "4 4"}, settings={...})`."""
polar = _of_support("polar", "Polar")
"""A match of Polar RPS Party, its pregame open: `polar(settings={...})`; `polar.placed({...})`."""
