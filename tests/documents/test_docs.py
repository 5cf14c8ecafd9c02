"""The pages are run: every console block, every doctest; and every verb stands on the page of commands.

How a console block is read: transcripts.py. `...` stands for what is different every time, or too long for a page.
"""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.entry import MAX_LINE_BYTES
from tests.support import transcripts
from tests.support.sources import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TALKING = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]
MODULES = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for room in ("events", "games", "ledger")
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]
COMMANDS = ROOT / "docs" / "commands.md"
READ_ON = 1_774_000_800_000
"""2026-03-20T10:00:00Z: the pages tell of a match in the first days of that month."""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder in which the paths of the project that pages name are there."""
    for name in ("docs", "games"):
        (tmp_path / name).symlink_to(ROOT / name)
    return transcripts.Stage(tmp_path, monkeypatch, READ_ON)


# ---- what is shown is what comes out -------------------------------------------------------------------------------


@pytest.mark.usefixtures("built_in_only")
@pytest.mark.parametrize("page", TALKING, ids=lambda page: page.stem)
def test_the_console_blocks_are_true(page: Path, desk: Any, request: pytest.FixtureRequest) -> None:
    """All blocks of a page are one session, in order. `--golden-update` writes what has changed into the page."""
    wrong = []
    for step in transcripts.console_blocks(page.read_text(encoding="utf-8")):
        answer = desk.run(step.command)
        if not transcripts.agrees(step.answer, answer):
            if request.config.getoption("--golden-update"):
                text = page.read_text(encoding="utf-8")
                old = "\n".join([*step.command, step.answer]).rstrip("\n") + "\n"
                new = "\n".join([*step.command, renewed(step.answer, answer)]).rstrip("\n") + "\n"
                page.write_text(text.replace(old, new, 1), encoding="utf-8")
                continue
            wrong.append("\n".join([*step.command, "says on the page:", step.answer, "says now:", answer]))
    assert not wrong, "\n\n".join([str(page), *wrong])


def renewed(claimed: str, answer: str) -> str:
    """What a page should claim now: hashes left open, and `...` kept where the page left lines out."""
    told = re.sub(r"[0-9a-f]{64}", "...", answer).splitlines()
    old = claimed.splitlines()
    gaps = [i for i, line in enumerate(old) if line == "..."]
    if not gaps:
        return "\n".join(told)
    after = len(old) - 1 - gaps[-1]
    return "\n".join([*told[: gaps[0]], *old[gaps[0] : gaps[-1] + 1], *(told[-after:] if after else [])])


def test_there_are_pages_to_run() -> None:
    """A renamed fence must not pass for a page that is true."""
    assert {"README", "commands", "tutorial"} <= {page.stem for page in TALKING}


@pytest.mark.parametrize(
    ("claimed", "answer", "same"),
    [
        ("", "", True),
        ("recorded #3 · receipt ...", "recorded #3 · receipt 5f", True),
        ("recorded #3\n...", "recorded #3\n  one\n  two", True),
        ("recorded #3\n...", "recorded #3", True),
        ("...\n  two", "recorded #3\n  one\n  two", True),
        ("recorded #3", "recorded #4", False),
        ("recorded #3", "recorded #3\n  one", False),
        ("recorded #3\n...", "recorded #4\n  one", False),
        ("", "recorded #3", False),
    ],
)
def test_the_comparison_itself_can_fail(claimed: str, answer: str, same: bool) -> None:
    """A page that says something else, or too little, is found."""
    assert transcripts.agrees(claimed, answer) is same


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    """Every `>>>` in the three rooms."""
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried and not failed


@pytest.mark.parametrize("page", [page for page in PAGES if ">>>" in page.read_text(encoding="utf-8")], ids=str)
def test_the_examples_in_pages_are_true(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert not failed


# ---- every verb is on the page -------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """One verb as the command line has it."""

    name: str
    usage: str
    """`hl trade A GIVE B TAKE`."""
    options: tuple[str, ...]


def verbs(folder: Path) -> list[Verb]:
    """Every shared verb, and those of each game, from the commands themselves."""
    import click

    from games.records import kebab
    from games.registry import load
    from ledger.cli.derive import verb_of, verb_of_lookup
    from ledger.cli.verbs import shared_verbs
    from tests.support.guide import built_in

    commands = dict(shared_verbs())
    for game in built_in():
        commands.update({kebab(cls): verb_of(cls) for cls in load(game).actions})
        commands.update({one.verb: verb_of_lookup(one) for one in load(game).lookups})
    found = []
    for name, command in commands.items():
        ctx = click.Context(command, info_name=f"hl {name}")
        words = [p.make_metavar(ctx) for p in command.params if isinstance(p, click.Argument)]
        options = [p.opts[-1] for p in command.params if isinstance(p, click.Option) and not p.hidden]
        found.append(Verb(name, " ".join([f"hl {name}", *words]), tuple(options)))
    return found


def _commands() -> str:
    """The page of the shared verbs, and what the page of each game says of its own."""
    own = [sections(page.read_text(encoding="utf-8")) for page in sorted((ROOT / "docs" / "games").glob("*.md"))]
    return "\n".join([COMMANDS.read_text(encoding="utf-8"), *(parts.get("Its commands", "") for parts in own)])


def sections(page: str) -> dict[str, str]:
    """The text under each heading of the second level."""
    parts: dict[str, list[str]] = {"": []}
    fenced, title = False, ""
    for line in page.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            title = line.removeprefix("## ")
        parts.setdefault(title, []).append(line)
    return {title: "\n".join(lines) for title, lines in parts.items()}


def missing(page: str, found: list[Verb]) -> list[str]:
    """What the page does not say of these verbs."""
    parts = sections(page)
    common = parts.pop("What holds for all of them")
    told = []
    for verb in found:
        home = next((part for part in parts.values() if f"`{verb.usage}`" in part), None)
        if home is None:
            told.append(f"{verb.name}: no line with its usage, `{verb.usage}`")
            continue
        if not re.search(rf"^\$ (?:cat \S+ \| )?hl (?:-\S+ \S+ |--as \S+ )*{verb.name}\b", home, re.MULTILINE):
            told.append(f"{verb.name}: no example")
        if "Exit codes:" not in home:
            told.append(f"{verb.name}: its group does not say which exit codes there are")
        told += [f"{verb.name}: {option}" for option in verb.options if f"`{option}" not in home + common]
    return told


def test_every_verb_is_on_the_page(tmp_path: Path) -> None:
    """Usage as the program prints it, an example, its options, exit codes."""
    assert not missing(_commands(), verbs(tmp_path))


def test_a_missing_verb_is_noticed(tmp_path: Path) -> None:
    """The check itself can fail: for a verb, an example, an option."""
    page = _commands()
    found = verbs(tmp_path)
    assert missing(page, [*found, Verb("dance", "hl dance P", ())])
    assert missing(page.replace("$ hl recolour", "$ hl lock"), found)
    assert missing(page.replace("--keep-going", ""), found)


def test_the_page_names_no_verb_that_is_not_there(tmp_path: Path) -> None:
    """A verb that was renamed leaves no line behind."""
    known = {verb.name for verb in verbs(tmp_path)}
    listed = re.findall(r"^\* `hl ([a-z-]+)", _commands(), re.MULTILINE)
    assert set(listed) == known


# ---- links and the package -----------------------------------------------------------------------------------------


def test_links_lead_somewhere() -> None:
    """Every relative link of every page names a file that is there."""
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken, "\n".join(broken)


def test_code_for_those_who_work_on_it_stands_in_the_sources() -> None:
    """The samples of CONTRIBUTING are copied from files that they name, and are kept like them."""
    samples = re.findall(
        r"```python\n# (\S+)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert len(samples) == 6
    assert [file for file, code in samples if code not in (ROOT / file).read_text(encoding="utf-8")] == []


def test_every_decision_is_listed() -> None:
    """The list of decisions has each page once, under its own title."""
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(
        r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$", (folder / "README.md").read_text("utf-8"), re.MULTILINE
    )
    pages = {path.name: path.read_text(encoding="utf-8").split("\n")[0] for path in sorted(folder.glob("[0-9]*.md"))}
    assert {name: f"# {int(number)}. {title}" for number, name, title in listed} == pages


def test_the_pages_name_the_limits_of_the_code() -> None:
    """A number that stands in a page and in the code is the same one."""
    assert f"{MAX_LINE_BYTES:,}" in (ROOT / "docs" / "log-format.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("hatchling") is None, reason="needs the build back-end: pip install hatchling"
)
def test_the_wheel_holds_the_three_rooms_and_nothing_else(tmp_path: Path) -> None:
    """events, games with its bundled matches, ledger; never tests."""
    build = "-m pip wheel --no-deps --no-build-isolation -q -w"
    command = [sys.executable, *build.split(), str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in inside}
    assert {"events", "games", "ledger"} < tops
    assert all(top.startswith("host_ledger-") for top in tops - {"events", "games", "ledger"})
    wanted = {
        path.relative_to(ROOT).as_posix() for room in ("events", "games", "ledger") for path in (ROOT / room).rglob("*")
    }
    wanted = {name for name in wanted if "__pycache__" not in name and (ROOT / name).is_file()}
    assert wanted <= set(inside)
