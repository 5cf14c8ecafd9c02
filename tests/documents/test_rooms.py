"""The rooms and the arrows between them: ledger -> games -> events, and what may be used where.

Source: docs/rooms.md; docs/decisions/0001. Nothing is imported here but the list of games: the sources are read.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pytest

from games.registry import NOT_GAMES
from tests.support.guide import built_in as names
from tests.support.sources import Module, module, modules, nodes

ARROWS = {"events": {"events"}, "games": {"events", "games"}, "ledger": {"events", "games", "ledger"}}
BELOW = {
    "core": (),
    "wire": ("core",),
    "render": ("core",),
    "tell": ("core", "render"),
    "record": ("core", "render", "tell"),
    "audit": ("wire", "core", "render", "tell", "record"),
    **dict.fromkeys(("author", "exchange", "page", "post"), ("core", "render", "tell", "record")),
}
"""Inside ledger/: what each room may use besides itself. The command line, and what stands in no room, use them all."""
WORLD = frozenset(
    {
        "click", "fcntl", "io", "os", "pathlib", "random", "secrets", "shutil", "signal", "socket", "subprocess",
        "sys", "tabulate", "tempfile", "time",
    }
)  # fmt: skip
"""What a game may not touch: disk, terminal, clock, randomness, network."""
CALLS = frozenset({"open", "input", "print", "exec", "eval", "breakpoint"})
ANNOTATIONS = ("events/record.py", "eval")
"""Where annotations of our own records, which stand there as text, are evaluated."""
CLOCKS = frozenset({"time", "random", "secrets", "uuid"})
MODELS = tuple(f"ledger/exchange/{name}.py" for name in ("models", "matchfile", "importing", "chat"))
"""Where files of somebody else are read with pydantic's models; loaded by the verbs that read such a file."""
OUTSIDE = {
    "click": lambda where: where.startswith("ledger/cli/"),
    "distributed": lambda where: where == "ledger/audit/many_logs.py",
    "psycopg": lambda where: where == "ledger/wire/postgres.py",
    "nacl": lambda where: where == "ledger/wire/sealing.py",
    "httpx": lambda where: where == "ledger/post/discord_http.py",
    "prompt_toolkit": lambda where: where == "ledger/cli/prompt.py",
    "pydantic": lambda where: where in MODELS,
    "pydantic_core": lambda where: where == "ledger/exchange/models.py",
    "resvg_py": lambda where: where == "ledger/render/png.py",
    "tabulate": lambda where: where == "ledger/render/text.py",
}
"""Packages that are not Python's, and where each may be used."""
LATE = frozenset({"distributed", "nacl", "psycopg", "resvg_py", "tabulate"})
"""Those that are only loaded inside a function: they are slow to start."""
MAX_LATE = 38
"""Imports inside functions in all rooms together."""
DOOR = tuple(f"events/{name}.py" for name in ("disk", "door", "posix", "windows"))
"""The one door to the system, and its two sides."""
ONE_PLATFORM_MODULES = """
    fcntl grp pwd resource termios tty pty posix syslog crypt spwd nis readline curses
    msvcrt winreg winsound _winapi nt ctypes
"""
ONE_PLATFORM_NAMES = """
    O_BINARY O_NOINHERIT O_TEXT O_CLOEXEC O_DIRECTORY O_DSYNC O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC F_FULLFSYNC
    chown chroot eventfd fchdir fchmod fchown fdatasync fork forkpty getegid geteuid getgid getgroups getloadavg
    getpgid getuid getxattr initgroups killpg lchown lockf mkfifo mknod nice openpty pathconf pipe2 posix_fadvise
    posix_fallocate posix_spawn pread preadv pwrite pwritev sched_getaffinity sched_yield sendfile setuid startfile
    statvfs sync sysconf ttyname uname wait3 wait4 WIFSIGNALED SIGALRM SIGBREAK SIGCHLD SIGHUP SIGKILL SIGPIPE
    SIGQUIT SIGUSR1 SIGWINCH CTRL_BREAK_EVENT CTRL_C_EVENT alarm pause pthread_kill pthread_sigmask setitimer
    sigwait tzset clock_gettime getwindowsversion
"""
ONE_PLATFORM = {"modules": set(ONE_PLATFORM_MODULES.split()), "names": set(ONE_PLATFORM_NAMES.split())}
"""What Linux, macOS or Windows lacks, of what is easily used. `mypy --platform` of each holds the rest."""
SPELT = frozenset(name for name in ONE_PLATFORM["names"] if name[:2] in ("O_", "F_") or name.startswith("SIG"))
"""Those that are known when they stand in a text, for `getattr`."""
PURE_OS = re.compile(r"O_[A-Z]+|fspath|PathLike|stat_result")


def room(one: Module) -> str:
    return one.where.split("/")[0]


def dotted(one: Module) -> str:
    return one.where.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def game_of(one: Module) -> str:
    """The game it belongs to, or ""."""
    parts = one.where.split("/")
    return parts[1] if parts[0] == "games" and len(parts) > 2 and parts[1] not in NOT_GAMES else ""


class Imported(NamedTuple):
    name: str
    """The module, dotted; with the imported name where that may be a module too."""
    line: int
    late: bool
    """Inside a function."""


@functools.cache
def imports(one: Module, typing: bool = False) -> tuple[Imported, ...]:
    """Every import of a module, wherever it stands; those for the type checker only are counted where it says so."""

    def walk(node: ast.AST, late: bool) -> Iterator[Imported]:
        for child in ast.iter_child_nodes(node):
            inside = late or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING" and not typing:
                for other in child.orelse:
                    yield from walk(ast.Module([other], []), late)
            elif isinstance(child, ast.Import):
                yield from (Imported(alias.name, child.lineno, late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{one.where}:{child.lineno}: imports are absolute"
                yield from (Imported(f"{child.module}.{alias.name}", child.lineno, late) for alias in child.names)
            else:
                yield from walk(child, inside)

    return tuple(walk(one.tree, False))


@functools.cache
def calls(one: Module) -> tuple[tuple[str, int], ...]:
    """(what is called, line): `open`, `os.open`, `datetime.now`."""
    made = (node for node in nodes(one) if isinstance(node, ast.Call))
    return tuple((ast.unparse(x.func), x.lineno) for x in made if isinstance(x.func, (ast.Name, ast.Attribute)))


@functools.cache
def spelled(name: str) -> re.Pattern[str]:
    """A game's name as a word in any of its spellings."""
    return re.compile(rf"\b{name.replace('_', '[-_ ]?')}\b", re.IGNORECASE)


# ---- the rules: each gives what is wrong in one module -------------------------------------------------------------


def arrows(one: Module) -> Iterator[str]:
    """ledger -> games -> events, and nothing back."""
    for found in imports(one):
        top = found.name.split(".")[0]
        if top in ARROWS and top not in ARROWS[room(one)]:
            yield f"line {found.line}: {room(one)} may not import {top}"


def inner_arrows(one: Module) -> Iterator[str]:
    """Inside ledger/: cli -> audit, author, exchange, page, post -> record -> tell -> render -> core; wire -> core."""
    where = one.where.split("/")
    if room(one) != "ledger" or where[1] not in BELOW:
        return
    for found in imports(one):
        parts = found.name.split(".")
        if parts[0] == "ledger" and parts[1] not in (where[1], "__version__", *BELOW[where[1]]):
            yield f"line {found.line}: ledger/{where[1]} may not import {found.name}"


def by_name(one: Module) -> Iterator[str]:
    """Importing by a name in a text goes round the arrows: registry, plug-ins, command line and public names do it."""
    allowed = {
        "games/registry.py",
        "ledger/core/logs.py",
        "ledger/cli/verbs.py",
        "events/__init__.py",
        "ledger/__init__.py",
    }
    for what, line in calls(one):
        if what.split(".")[-1] in ("import_module", "__import__") and one.where not in allowed:
            yield f"line {line}: {what} imports by name"


def world(one: Module) -> Iterator[str]:
    """A game touches neither disk nor terminal, clock or randomness."""
    if room(one) != "games":
        return
    for found in imports(one):
        if found.name.split(".")[0] in WORLD:
            yield f"line {found.line}: a game may not import {found.name}"
    for what, line in calls(one):
        if what in CALLS or what in ("datetime.now", "datetime.utcnow", "datetime.today", "date.today"):
            yield f"line {line}: a game may not call {what}"


FIRST = ("ledger/cli/tools.py", "equilibrium")
"""The game that `hl demo` plays where none is named: the tutorial goes by it."""


def strangers(one: Module) -> Iterator[str]:
    """A game knows no other game; what games share, and the ledger, know none at all."""
    if room(one) == "events":
        return
    for name in names():
        if name == game_of(one) or (one.where, name) == FIRST:
            continue
        for found in spelled(name).finditer(one.source):
            yield f"line {one.source.count(chr(10), 0, found.start()) + 1}: names the game {name}"


def reports(one: Module) -> Iterator[str]:
    """A report is made from a view: it cannot reach state, rules or facts, nor the table's."""
    if not (game_of(one) and one.where.endswith("/report.py")):
        return
    for found in imports(one):
        parts = found.name.split(".")
        own = parts[:2] == ["games", game_of(one)] or parts[:2] == ["games", "table"]
        if own and len(parts) > 2 and (parts[2] in ("state", "rules", "facts", "end") or parts[2][0].isupper()):
            yield f"line {found.line}: a report may not import {found.name}"


TYPED = ("games/contract.py", "ledger/record/recorder.py", "ledger/core/replay.py", "ledger/core/match.py")


def clocks(one: Module) -> Iterator[str]:
    """Only ledger/core/clock.py reads the clock or makes randomness; of events only the disk object does."""
    if one.where in ("ledger/core/clock.py", *DOOR):
        return
    for found in imports(one):
        if found.name.split(".")[0] in CLOCKS:
            yield f"line {found.line}: {found.name}; time and luck come from ledger/core/clock.py"
    for what, line in calls(one):
        if what in ("os.urandom", "os.getrandom") or what.endswith(
            ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
        ):
            yield f"line {line}: {what}; time and luck come from ledger/core/clock.py"


def disks(one: Module) -> Iterator[str]:
    """Only the door (events/disk.py and its sides) calls the system on files: a test replaces it, and sees all."""
    if room(one) != "events" or one.where in DOOR:
        return
    for found in imports(one):
        if found.name.split(".")[0] in WORLD - {"os", "sys", "io"}:
            yield f"line {found.line}: {found.name}; files are reached through events/disk.py"
        if found.name.startswith("os.") and not PURE_OS.fullmatch(found.name[3:]):
            yield f"line {found.line}: {found.name}; files are reached through events/disk.py"
    for node in nodes(one):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os" and not PURE_OS.fullmatch(node.attr):
            yield f"line {node.lineno}: os.{node.attr}; files are reached through events/disk.py"
    for what, line in calls(one):
        if (what in CALLS and (one.where, what) != ANNOTATIONS) or what.startswith("os.path."):
            yield f"line {line}: {what}; files are reached through events/disk.py"


def packages(one: Module) -> Iterator[str]:
    """click, pydantic and tabulate stand in one place each, and the slow ones are loaded inside functions."""
    for found in imports(one):
        top = found.name.split(".")[0]
        if top in OUTSIDE and not OUTSIDE[top](one.where):
            yield f"line {found.line}: {top} is not used here"
        elif top in LATE and not found.late:
            yield f"line {found.line}: {top} is loaded inside the function that needs it"
        brings = f"{found.name.rpartition('.')[0].replace('.', '/')}.py" in MODELS
        if brings and not found.late and not one.where.startswith("ledger/exchange/"):
            yield f"line {found.line}: {found.name} brings pydantic along; it is loaded inside the function"


def one_platform(one: Module) -> Iterator[str]:
    """Names that only some systems have stand in the two sides of the door; everything else is the same everywhere."""
    if one.where in ("events/posix.py", "events/windows.py"):
        return
    for found in imports(one):
        if found.name.split(".")[0] in ONE_PLATFORM["modules"]:
            yield f"line {found.line}: {found.name} is not on every system"
        if found.name.startswith(("os.", "signal.", "time.")) and found.name.split(".")[1] in ONE_PLATFORM["names"]:
            yield f"line {found.line}: {found.name} is not on every system"
    for node in nodes(one):
        if isinstance(node, ast.Attribute) and node.attr in ONE_PLATFORM["names"]:
            if ast.unparse(node.value) in ("os", "signal", "time", "sys"):
                yield f"line {node.lineno}: {ast.unparse(node)} is not on every system"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.platform", "os.name", "os.sep"):
            if one.where != "events/disk.py":
                yield f"line {node.lineno}: {ast.unparse(node)}; the system is asked of events/disk.py"
        elif isinstance(node, ast.Constant) and node.value in SPELT:
            yield f"line {node.lineno}: {node.value} is not on every system"


def typed(one: Module) -> Iterator[str]:
    """What the engine and its games say to each other, record and replay has types, and no `Any`: what only a game
    knows has a name of its own, like `AnyState`."""
    if one.where not in TYPED:
        return
    named = {
        id(node.value)
        for node in nodes(one)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id.startswith("Any")
    }
    for node in nodes(one):
        if isinstance(node, ast.Name) and node.id == "Any" and id(node) not in named:
            yield f"line {node.lineno}: Any says nothing; games/contract.py has Action, Fact, View and State"


RULES: list[Callable[[Module], Iterator[str]]] = [
    arrows, inner_arrows, by_name, world, strangers, reports, clocks, disks, packages, one_platform, typed,
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_rooms_are_kept(rule: Callable[[Module], Iterator[str]]) -> None:
    """Each rule, over every source file."""
    found = [f"{one.where} {offence}" for one in modules() for offence in rule(one)]
    assert not found, "\n".join([rule.__doc__ or "", *found])


def test_every_room_of_the_ledger_has_its_arrows() -> None:
    """A new folder gets a line of its own above, or nothing would hold it."""
    rooms = {one.where.split("/")[1] for one in modules() if room(one) == "ledger" and one.where.count("/") == 2}
    assert rooms == {"cli", *BELOW}


def circles(found: Sequence[Module]) -> list[list[str]]:
    """Modules that import each other, directly or by way of others; inside functions and for types alone counts too."""
    known = {dotted(one): one for one in found}
    uses = {
        name: {
            other if other in known else other.rpartition(".")[0]
            for other in (i.name for i in imports(one, typing=True))
        }
        & set(known)
        for name, one in known.items()
    }
    left = {name: others - {name} for name, others in uses.items()}
    while free := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in free}
    while free := {name for name in left if not any(name in others for others in left.values())}:
        left = {name: others for name, others in left.items() if name not in free}
    return [sorted(left)] if left else []


def test_no_modules_import_in_a_circle() -> None:
    """Each module can be read after those that it uses."""
    assert not circles(modules())


def test_a_circle_is_found() -> None:
    planted = [
        module("ledger/core/outside.py", "from ledger.core import match"),
        module("ledger/core/match.py", "def f():\n    from ledger.core.logs import g"),
        module("ledger/core/logs.py", "if TYPE_CHECKING:\n    from ledger.core.outside import listed"),
        module("ledger/core/times.py", "from ledger.core.logs import g"),
    ]
    assert circles(planted) == [["ledger.core.logs", "ledger.core.match", "ledger.core.outside"]]
    assert not circles(planted[:2])


def test_few_imports_stand_in_functions() -> None:
    """Each saves a load that can be felt, and its line says how much. Source: docs/decisions/0064."""
    late = [{found.line for found in imports(one) if found.late} for one in modules()]
    assert sum(map(len, late)) <= MAX_LATE


def test_every_room_was_read() -> None:
    """A wrong path must not pass for a clean room."""
    read = [one.where for one in modules()]
    assert {where.split("/")[0] for where in read} == set(ARROWS)
    assert {"events/disk.py", "games/registry.py", "ledger/cli/root.py"} <= set(read)
    assert names() and set(names()) <= {game_of(one) for one in modules()}


GAME = next(iter(names()))
PLANTED = [
    (arrows, "events/log.py", "from games.kinds import casefolded"),
    (arrows, "events/log.py", "def f():\n    import ledger.core.match"),
    (arrows, "games/kit/luck.py", "import ledger"),
    (inner_arrows, "ledger/core/match.py", "from ledger.cli.verbs import SHARED"),
    (inner_arrows, "ledger/core/logs.py", "def f():\n    from ledger.wire.mirror import SharedLog"),
    (inner_arrows, "ledger/wire/mirror.py", "from ledger.render import text"),
    (packages, "ledger/wire/git.py", "def f():\n    import nacl"),
    (inner_arrows, "ledger/tell/outbox.py", "def f():\n    from ledger.record.recorder import record_actions"),
    (inner_arrows, "ledger/audit/verify.py", "from ledger.exchange.join import join"),
    (inner_arrows, "ledger/render/text.py", "from ledger.tell import steps"),
    (by_name, "games/kit/luck.py", 'import importlib\nimportlib.import_module("ledger")'),
    (world, f"games/{GAME}/rules.py", "import os"),
    (world, "games/kit/luck.py", "def f():\n    from random import shuffle"),
    (world, "games/table/rules.py", 'open("log.jsonl")'),
    (world, "games/table/rules.py", 'eval("1")'),
    (disks, "events/record.py", 'exec("1")'),
    (world, "games/table/rules.py", "from datetime import datetime\ndatetime.now()"),
    (strangers, "ledger/core/match.py", f'if game == "{GAME}":\n    pass'),
    (strangers, "ledger/core/match.py", f"from games.{GAME} import GAME"),
    (strangers, "games/kit/luck.py", f'"""Used by {GAME.title()}."""'),
    (strangers, "games/table/rules.py", f"from games import {GAME}"),
    (strangers, "games/another/rules.py", f"from games.{GAME}.cards import DECK"),
    (reports, f"games/{GAME}/report.py", f"from games.{GAME}.state import State"),
    (reports, f"games/{GAME}/report.py", f"from games.{GAME} import rules"),
    (reports, f"games/{GAME}/report.py", "from games.table import facts as table_facts"),
    (reports, f"games/{GAME}/report.py", "from games.table import Table"),
    (clocks, "ledger/tell/reports.py", "import time"),
    (clocks, "ledger/record/recorder.py", "import os\nos.urandom(8)"),
    (clocks, "ledger/core/times.py", "import datetime\ndatetime.datetime.now()"),
    (disks, "events/log.py", "import os\nos.fsync(3)"),
    (disks, "events/log.py", 'open("x")'),
    (disks, "events/log.py", "from os import rename"),
    (disks, "events/log.py", "from pathlib import Path"),
    (one_platform, "ledger/core/match.py", "import fcntl"),
    (one_platform, "ledger/core/match.py", "def f():\n    from os import fchmod"),
    (one_platform, "ledger/cli/output.py", "import os\nos.fchmod(3, 0o600)"),
    (one_platform, "ledger/core/inputs.py", 'import os\ngetattr(os, "O_NONBLOCK", 0)'),
    (one_platform, "ledger/post/copies.py", 'import sys\nif sys.platform == "darwin":\n    pass'),
    (packages, "ledger/core/match.py", "import click"),
    (packages, "games/kinds.py", "from pydantic import BaseModel"),
    (packages, "games/records.py", "def f():\n    from pydantic_core import SchemaValidator"),
    (packages, "ledger/core/config.py", "def f():\n    from pydantic import BaseModel"),
    (packages, "ledger/cli/setup.py", "from ledger.exchange.matchfile import setup_bodies"),
    (packages, "ledger/render/text.py", "import tabulate"),
    (packages, "ledger/render/png.py", "import resvg_py"),
    (typed, "ledger/core/replay.py", "from typing import Any\ndef fold(state: Any) -> None: ..."),
    (packages, "ledger/render/svg.py", "def f():\n    import resvg_py"),
]


@pytest.mark.parametrize(("rule", "where", "source"), PLANTED, ids=lambda value: getattr(value, "__name__", None))
def test_the_check_itself_can_fail(rule: Callable[[Module], Iterator[str]], where: str, source: str) -> None:
    """A planted offence is found, and by its own rule."""
    assert list(rule(module(where, source)))


def test_what_is_allowed_is_not_reported() -> None:
    """Each rule lets its own exceptions through: a rule that reports everything would hold nothing."""
    allowed = [
        ("events/disk.py", "import os\nimport time\nos.fsync(3)\ntime.monotonic()"),
        ("ledger/core/clock.py", "import time\ntime.time()"),
        ("ledger/cli/app.py", "import click"),
        ("events/record.py", 'eval("1")'),
        ("ledger/exchange/models.py", "from pydantic_core import PydanticCustomError"),
        (f"games/{GAME}/view.py", f"from games.{GAME}.state import State"),
        (
            f"games/{GAME}/report.py",
            f"from games.{GAME}.view import PlayerView\nfrom games.table.report import decided",
        ),
        ("games/kit/luck.py", "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from pathlib import Path"),
    ]
    for where, source in allowed:
        one = module(where, source)
        assert not [offence for rule in RULES for offence in rule(one)], where
