"""Logs that were recorded once, and what was told of them: no later change may alter a byte of it.

For each game, old_logs/<game>/ holds logs, beside each what is told of it (`.told`), the facts of every entry
(`.facts`), and `rules.json`: which sources its rules had. Where a game's rules changed, and neither its rules version
nor its settings did, a test fails.

`make old-logs` adds what is missing: a new game, a new log, a new format. It rewrites what differs too: read every line
of the difference before you keep it. JSON and facts may never differ; texts may only when the game's `texts` version
was raised; and a line of `rules.json` only when every old log folded as before.

Source: docs/log-format.md, "Old logs"; promise 4.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from games.contract import Game
from games.records import plain, snake
from games.registry import load
from ledger.cli.app import App
from ledger.core.match import Match
from tests.secrecy.generators import generator, has_generator
from tests.support.demos import NOW
from tests.support.guide import built_in
from tests.support.host import hl
from tests.support.sources import ROOT

KEPT = Path(__file__).resolve().parents[1] / "old_logs"
LOGS = sorted(KEPT.glob("*/*.jsonl"))
WORDS = frozenset({"report.py", "words.py", "pages.py", "moves.py", "blocks.py"})
"""Files that say how things are told; all others are rules: what they decide is JSON and state."""
WHOLE = ("view --for public -f json", "final -f json", "final", "reveal -f discord", "verify -f json")
"""Commands of which everything is kept; of the others, a digest."""
FORMATS = ("text", "discord", "json")
"""What is posted or read by programs. How a page or a picture looks may change."""


@pytest.fixture(autouse=True)
def at_a_known_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import ledger.core.clock

    monkeypatch.setattr(ledger.core.clock, "time", SimpleNamespace(time=lambda: NOW / 1000))
    for name in ("HL_MATCH", "HL_AS", "HL_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--old-logs-update"))


# ---- what is told ---------------------------------------------------------------------------------------------------


def commands(log: Path) -> list[str]:
    """What is asked of a log."""
    players = list(Match(str(log)).table.seats)[:2]
    found = [*WHOLE, "log -f json", "outbox -f json", "waiting -f json", "drift -f json", "summary --all"]
    for who in ("host", "public", *players):
        found += [f"{verb} --for {who} -f {fmt}" for verb in ("view", "scores", "board", "final") for fmt in FORMATS]
    return list(dict.fromkeys(found))


def tell(log: Path) -> dict[str, str]:
    """Command -> exit code and standard output, or the digest of it. Hints and warnings may be worded anew."""
    told, app = {}, App()
    for line in commands(log):
        answer = hl("-g", str(log), *line.split(), app=app)
        out = json.dumps(_verdict(json.loads(answer.out))) if line.startswith("verify") else answer.out
        text = f"[exit {answer.code}]\n{out}".replace(str(log), log.name)
        told[line] = text if line in WHOLE else hashlib.sha256(text.encode()).hexdigest()
    return told


def _verdict(told: dict[str, Any]) -> dict[str, Any]:
    """What `verify` finds. A later release checks and tells more."""
    return {key: told[key] for key in ("ok", "entries", "open", "head", "findings")}


def written(told: dict[str, str]) -> str:
    return "".join(f"$ hl {line}\n{text.rstrip()}\n\n" for line, text in told.items())


def read(text: str) -> dict[str, str]:
    parts = text.split("$ hl ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2].rstrip() for part in parts}


def facts(log: Path) -> list[str]:
    """Of each entry in the order they fold: its number, and a digest of what followed from it."""
    match = Match(str(log))
    rows = []
    for outcome in match.fold.outcomes:
        told = [{**plain(fact), "fact": snake(type(fact))} for fact in outcome.facts]
        refusal = outcome.refusal.code if outcome.refusal is not None else ""
        whole = json.dumps([told, list(outcome.times), refusal], sort_keys=True, default=str)
        digest = hashlib.sha256(whole.encode()).hexdigest()[:16]
        names_ = " ".join(row["fact"] for row in told) or refusal or "-"
        rows.append(f"{outcome.entry.seq} {outcome.entry.do} {digest} {names_}")
    return rows


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_the_same_is_told_for_ever(log: Path, request: pytest.FixtureRequest) -> None:
    kept, now = log.with_suffix(".told"), tell(log)
    if update(request):
        kept.write_text(written(now), encoding="utf-8")
    before = read(kept.read_text(encoding="utf-8"))
    changed = [line for line, text in before.items() if line not in now or now[line].rstrip() != text]
    assert not changed, f"{log.name} is told otherwise by: {changed}"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_the_same_follows_for_ever(log: Path, request: pytest.FixtureRequest) -> None:
    """The first entry from which something else follows is named."""
    kept, now = log.with_suffix(".facts"), facts(log)
    if update(request):
        kept.write_text("\n".join(now) + "\n", encoding="utf-8")
    before = kept.read_text(encoding="utf-8").splitlines()
    other = next((f"{a!r} is now {b!r}" for a, b in zip(before, now, strict=False) if a != b), "")
    assert not other and len(before) == len(now), other


# ---- rules and their version ----------------------------------------------------------------------------------------


class Rules(NamedTuple):
    """What a game's rules were when its logs were kept."""

    rules: int
    settings: str
    sources: dict[str, str]


class WithoutWords(ast.NodeTransformer):
    """A source without what is said of facts: what `fact` is given, the methods that word it; of a `FactSpec` what it
    changes is left."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        if any(ast.unparse(mark).startswith("fact(") for mark in node.decorator_list):
            node.decorator_list = []
            node.body = [one for one in node.body if getattr(one, "name", "") not in SAID]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if ast.unparse(node.func) == "FactSpec":
            node.args, node.keywords = [], [word for word in node.keywords if word.arg == "evolve"]
        return node


SAID = frozenset({"rule", "host", "line", "owner", "public", "who"})


@functools.cache
def fingerprint(source: str) -> str:
    """A digest of what a source does: comments, docstrings, layout and the words of facts do not count."""
    tree = WithoutWords().visit(ast.parse(source))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
            ] or [ast.Pass()]
    return hashlib.sha256(ast.unparse(tree).encode()).hexdigest()[:16]


def shared_by(files: set[Path]) -> set[Path]:
    """The other modules of games/ on which these files stand, and those on which they stand in turn."""
    found: set[Path] = set()
    left = set(files)
    while left:
        new = imported(left.pop()) - found
        found, left = found | new, left | new
    return found


@functools.cache
def imported(file: Path) -> set[Path]:
    """The modules of games/ that a file names in its imports."""
    modules: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games."):
            place = ROOT.joinpath(*str(node.module).split("."))
            modules |= {place.with_suffix(".py"), place / "__init__.py", *(place / f"{n.name}.py" for n in node.names)}
    return {module for module in modules if module.is_file() and module.name not in WORDS}


def rules_of(game: Game) -> Rules:
    """What its rules are now: its own, and what it takes from the rest of games/."""
    folder = ROOT / "games" / game.name
    own = {path for path in folder.rglob("*.py") if path.name not in WORDS}
    sources = {path.relative_to(folder).as_posix(): path for path in own}
    sources |= {path.relative_to(folder.parent).as_posix(): path for path in shared_by(own) - own}
    found = {name: fingerprint(path.read_text(encoding="utf-8")) for name, path in sorted(sources.items())}
    settings = fingerprint(
        inspect.getsource(game.settings) + (ROOT / "games" / "table" / "settings.py").read_text("utf-8")
    )
    return Rules(game.rules, settings, found)


def complaints(before: Rules, now: Rules) -> list[str]:
    """What changed although neither the version of the rules nor a setting did."""
    if before.rules != now.rules or before.settings != now.settings:
        return []
    files = before.sources.keys() | now.sources.keys()
    return sorted(name for name in files if before.sources.get(name) != now.sources.get(name))


@pytest.mark.parametrize("name", built_in())
def test_changed_rules_have_a_new_version_or_setting(name: str, request: pytest.FixtureRequest) -> None:
    kept, now = KEPT / name / "rules.json", rules_of(load(name))
    if update(request):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(now._asdict(), indent=1) + "\n", encoding="utf-8")
    assert kept.is_file(), f"{name} has no old logs yet: pytest tests/log/test_old_logs.py --old-logs-update, twice"
    before = Rules(**json.loads(kept.read_text(encoding="utf-8")))
    changed = complaints(before, now)
    assert not changed, (
        f"the rules of {name} changed in {', '.join(changed)}, and neither `rules` in GAME nor a setting did. If every "
        "old log still folds the same (the other tests here): --old-logs-update. If not: a setting with a `before`, or "
        "a new rules version beside the old one"
    )
    assert before.rules <= now.rules, "a version is never taken back"


def test_the_check_of_rules_can_fail() -> None:
    game = load(built_in()[0])
    now = rules_of(game)
    changed = now._replace(sources={**now.sources, "rules.py": "0"})
    assert complaints(now, changed) == ["rules.py"]
    assert complaints(now, now._replace(sources={k: v for k, v in now.sources.items() if k != "rules.py"}))
    assert complaints(now, changed._replace(rules=now.rules + 1)) == []
    assert complaints(now, changed._replace(settings="0")) == []
    assert complaints(now, now._replace(sources={**now.sources, "table/rules.py": "0"})) == ["table/rules.py"]
    assert fingerprint('"""A."""\nx = 1  # one') == fingerprint("x=1") != fingerprint("x = 2")
    worded = '@fact("{}")\nclass A:\n    def host(self): return "{}"\n    def evolve(self): return {}\n'
    one, other, changed = (
        fingerprint(worded.format(*three)) for three in (("1", "a", 1), ("2", "b", 1), ("1", "a", 2))
    )
    assert one == other != changed
    spec = 'A = FactSpec("{}", evolve={})'
    assert (
        fingerprint(spec.format("1", "f")) == fingerprint(spec.format("2", "f")) != fingerprint(spec.format("1", "g"))
    )


# ---- making the corpus ----------------------------------------------------------------------------------------------


def _drawn(game: str, demos: Any, folder: Path, patch: pytest.MonkeyPatch) -> list[Path]:
    """Matches that the generator of the secrecy tests draws: ends, late sheets, corrections, refusals."""
    from tests.secrecy import harness, judging
    from tests.secrecy.folder import Terminal

    pairs = generator(game) if has_generator(game) else None
    if pairs is None or not hasattr(pairs, "draw"):
        return []
    paper, terminal = harness.Memory(load(game), pairs.knows), Terminal(folder)
    for seed in range(3):
        pair = judging.draw_pair(pairs.draw, 31 * seed, paper.play).pair
        terminal.play(pair.one, pair.viewer)
    return sorted(folder.glob("m*/match/log.jsonl"))


MAKERS: dict[str, Callable[..., list[Path]]] = {
    "demo": lambda game, demos, *rest: [Path(demos.made(game)) / "log.jsonl"],
    "drawn": _drawn,
}


def test_every_game_has_old_logs(
    any_game: str, demos: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if update(request):
        (KEPT / any_game).mkdir(parents=True, exist_ok=True)
        for kind, make in MAKERS.items():
            if not list((KEPT / any_game).glob(f"{kind}*.jsonl")):
                for number, log in enumerate(make(any_game, demos, tmp_path, monkeypatch), start=1):
                    shutil.copy(log, KEPT / any_game / f"{kind}-{number}.jsonl")
                    (KEPT / any_game / f"{kind}-{number}.jsonl").chmod(0o644)
    logs = sorted((KEPT / any_game).glob("*.jsonl"))
    assert logs, f"{any_game} has no old logs yet: pytest tests/log/test_old_logs.py --old-logs-update, twice"
    assert all(log.with_suffix(".told").is_file() and log.with_suffix(".facts").is_file() for log in logs) or update(
        request
    )
