"""What a terminal gets: lines as wide as it is, colours, a pager. What is pasted or piped keeps its lines.

Source: docs/commands.md, "At a terminal".
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.registry import names
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.cli.terminal import fitted
from ledger.cli.verbs import shared_verbs
from ledger.core.match import Match
from ledger.render.text import MIN_CELL_COLUMNS, table
from tests.support.demos import SHARED, Demos
from tests.support.sizes import FULL

WIDTHS = (40, 60, 80)
Look = Callable[..., str]


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Demos:
    """Copies of this file alone: lines that record are typed here."""
    copies = Demos(tmp_path_factory.mktemp("demos"))
    for name in names():
        SHARED.copy(name, copies.folder / name / "m")
    return copies


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Look:
    """What somebody sees at a terminal of so many columns; `pasted`: without what is sent on to a file."""
    for name in ("NO_COLOR", "FORCE_COLOR", "LESS", "HL_MATCH", "HL_AS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PAGER", "cat")

    def look(
        line: str, columns: int = 60, *, lines: int = 1000, color: str = "never", app: App | None = None,
        pasted: bool = False,
    ) -> str:  # fmt: skip
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        screen = Terminal()
        output = io.StringIO() if pasted else screen
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(screen), monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Terminal())
            run(["--color", color, *shlex.split(line)], app)
        return screen.getvalue()

    return look


def reading(match: Match) -> Iterator[str]:
    """Command lines of the verbs that look, as one reads them."""
    ann, bob, *_ = match.table.players
    rounds = [o.entry.args["round"] for o in match.fold.outcomes if o.entry.do == "resolve" and o.refusal is None]
    yield from ("status", "status --for public", f"status --for {ann}", "waiting", "log", "log --by-time --all")
    yield from ("assumptions", "rules", "explain final", f"explain {ann}", "explain final --for public", "show 1")
    yield from (f"show {len(match.book.entries)}", "board", "board --for host", "scores", "scores --for host")
    yield from ("view --for host", "view --for public", f"view --for {bob}", "outbox", "verify", "doctor", "drift")
    yield from ("reveal -f text", "final -f text", f"summary {ann} -f text", f"replay --for {bob}", "replay")
    yield from (f"diff 1 {len(match.book.entries)}", "evidence .", "read .", "audit .", "waiting --check", "receipt")
    yield from (f"reveal {name} -f text" for name in rounds[:2])
    yield from (f"{lookup.verb} {ann}" for lookup in match.game.lookups)


def may_be_wide(line: str) -> bool:
    """A command to be pasted; or a word in it that stays whole: an address, a hash, a path."""
    return bool(re.match(r"\s*(try: |hl )", line) or re.search(r"https?://|[0-9a-f]{64}|<t:|/\S+/", line))


def test_no_line_is_wider_than_the_terminal(any_game: str, demos: Demos, seen: Look, tmp_path: Path) -> None:
    """Every verb that looks, at every bundled match, at 40, 60 and 80 columns (quick: 40, and 60 and 80 in turn)."""
    folder, there = demos.made(any_game), tmp_path / "none"
    there.mkdir()
    match, app = Match(str(folder / "log.jsonl")), App()
    for number, line in enumerate(reading(match)):
        for columns in WIDTHS if FULL else {WIDTHS[0], WIDTHS[1 + number % 2]}:
            told = seen(f"-g '{folder}' {line.replace(' .', f' {there}')}", columns, app=app)
            assert told.strip() and "[unexpected]" not in told and "[command.usage]" not in told, (line, told)
            wide = [row for row in told.splitlines() if len(row) > columns and not may_be_wide(row)]
            assert not wide, (line, columns, wide)


def test_who_looks_at_the_public_view_is_told_of_the_hosts(demos: Demos, seen: Look, tmp_path: Path) -> None:
    """Only where the two differ, at a terminal, and with nothing that is forwarded."""
    match, hint = f"-g {demos.made('equilibrium')} board", "hosts see more: hl"
    assert f"{hint} {match} --as-of 40 --for host" in seen(f"{match} --as-of 40", 1000)
    assert hint not in seen(match.replace("board", "scores"), 1000)
    for options in ("--for host", "--as-of 40 --for public", "--as-of 40 -f json", f"--as-of 40 -o {tmp_path}/b.txt"):
        assert hint not in seen(f"{match} {options}", 1000), options
    assert hint not in seen(f"{match} --as-of 40 --copy", 1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(App, "may_ask", False)
        assert hint not in seen(f"{match} --as-of 40", 1000)


WRITES = (
    "note 'a remark that is long enough to be wrapped at every width that is tried here' -n", "undo 44 -n",
    "amend 46 take=B9 -n", "amend 46 take=B9", "award ann garnets 1 -n", "drop hal -n", "override ann garnets 2 -n",
    "declare token ann 2 --note 'they were promised it' -n", "trade ann R2 bob B4", "vote bob zoe", "amend-setting x=1",
    "reopen -n", "deadline +6h", "replace ann 'Somebody Else' -n", "note x --at noon", "undo", "redo", "confirm 5 -n",
    "anchor 12", "outbox done all -n", "assumptions --accept all -n", "import none.csv --map none.toml", "close vote",
    "summary zoe", "show 999", "board -f pdf", "log --kind trad", "join nowhere", "nothing",
)  # fmt: skip


@pytest.mark.parametrize("columns", WIDTHS)
def test_what_a_verb_that_records_says_fits(columns: int, demos: Demos, seen: Look) -> None:
    """Confirmations, questions and refusals; texts to be posted stand on standard output, as they are."""
    folder = demos.made("equilibrium")
    for line in WRITES:
        told = seen(f"-g '{folder}' --as mara {line}", columns, pasted=True)
        assert told.strip() and "[unexpected]" not in told, (line, told)
        wide = [row for row in told.splitlines() if len(row) > columns and not may_be_wide(row)]
        assert not wide, (line, wide)


def test_every_verb_that_looks_is_measured(demos: Demos) -> None:
    """A new one fails here by name."""
    other = {
        "export", "redact", "webhook", "games", "page", "new-game", "template", "check", "new", "demo", "simulate",
        "schema", "completion", "shell", "run", "init", "share", "clone", "sync", "unshare", "remind",
    }  # fmt: skip
    measured = {line.split()[0] for line in reading(Match(str(demos.made("equilibrium") / "log.jsonl")))}
    assert {row.name for row in shared_verbs().values() if not row.writes or row.name in measured} - other == measured


def test_the_help_of_every_verb_fits(seen: Look) -> None:
    """Its options too; below 50 columns click has no room for them."""
    for row in shared_verbs().values():
        for columns in WIDTHS[1:]:
            told = seen(f"{row.name} --help", columns)
            wide = [line for line in told.splitlines() if len(line) > columns]
            assert not [line for line in wide if line.strip() not in row.examples], (row.name, columns, told)
    for columns in WIDTHS:
        told = seen("--help", columns)
        assert not [line for line in told.splitlines() if len(line) > columns and not may_be_wide(line)], told


def test_what_is_piped_or_pasted_keeps_its_lines(
    demos: Demos, seen: Look, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = demos.made("equilibrium")
    monkeypatch.setenv("COLUMNS", "40")
    for line in ("log", "status", "rules", "explain ann"):
        run(["-g", str(folder), *line.split()])
        assert any(len(row) > 60 for row in capsys.readouterr().out.splitlines()), line
    run(["-g", str(folder), "summary", "ann"])
    piped = capsys.readouterr().out
    assert max(map(len, piped.splitlines())) > 60 and seen(f"-g '{folder}' summary ann", 40) == piped


# ---- pieces ----------------------------------------------------------------------------------------------------------


def test_a_line_goes_on_under_its_text() -> None:
    assert fitted("#12   Mon 2 Mar 18:42  mara  trade a=ann", 30) == "#12   Mon 2 Mar 18:42  mara\n      trade a=ann"
    assert fitted("- to ann: a text that is long", 20) == "- to ann: a text\n  that is long"
    assert fitted("  try: hl log --player ann --kind trade", 20) == "  try: hl log --player ann --kind trade"
    assert fitted("see https://discord.com/channels/1/2/3 there", 20) == (
        "see\n  https://discord.com/channels/1/2/3\n  there"
    )
    assert fitted("x" * 45, 20) == "\n".join(["x" * 20, "  " + "x" * 18, "  " + "x" * 7])
    for text in ("", "\n", " ", "a\n\nb"):
        assert fitted(text, 20) == text


def test_a_table_is_cut_down_or_becomes_a_list() -> None:
    """Nothing of it is lost. The widest column may be cut down to MIN_CELL_COLUMNS columns."""
    header, rows = ("name", "n", "meaning"), [("ann", "1", "word " * 20), ("bob", "", "short")]
    for columns in (20, 24, 30, 40, 60, 200):
        told = table(header, rows, (1,), columns)
        assert max(map(len, told.splitlines())) <= columns
        assert told.count("word") == 20 and "ann" in told and "bob" in told
        assert told.startswith("- ") == (columns < len("name    n  ") + MIN_CELL_COLUMNS)


# ---- the pager -------------------------------------------------------------------------------------------------------


@pytest.fixture
def paged(demos: Demos, seen: Look, monkeypatch: pytest.MonkeyPatch) -> Look:
    """What is seen at a terminal of ten lines with that pager."""

    def look(command: str | None, words: str, **how: Any) -> str:
        if command is None:
            monkeypatch.delenv("PAGER", raising=False)
        else:
            monkeypatch.setenv("PAGER", command)
        return seen(f"-g '{demos.made('equilibrium')}' {words}", **{"lines": 10, **how})

    return look


@pytest.mark.posix
def test_a_long_log_goes_through_the_pager(paged: Look, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    command, plain = f"sh -c 'cat > {kept}'", paged("cat", "log", lines=1000)
    assert paged(command, "log") == ""
    assert kept.read_text() == plain
    for words, how in (
        ("log --no-pager", {}), ("log --no-input", {}), ("log -f json", {}), ("log --kind gift", {}),
        ("log", {"lines": plain.count("\n") + 1}), (f"log -o {tmp_path / 'file'}", {}),
    ):  # fmt: skip
        kept.unlink(missing_ok=True)
        assert paged(command, words, **how) and not kept.exists(), words
    assert paged(command, "log", lines=plain.count("\n")) == "" and kept.exists()
    (tmp_path / "lines.hl").write_text("log\n")
    kept.unlink()
    assert paged(command, f"run '{tmp_path / 'lines.hl'}'") and not kept.exists()


@pytest.mark.posix
def test_a_pager_that_ends_early_or_is_not_there_is_no_error(paged: Look) -> None:
    plain = paged("cat", "log", lines=1000)
    assert paged("false", "log") == ""
    assert paged("sh -c 'head -1 >/dev/null'", "log --all") == ""
    for missing in ("no-such-program", "'unfinished"):
        told = paged(missing, "log")
        assert told == f"pager: there is no program {missing}\n{plain}"
    for none in ("", "cat", "  "):
        assert paged(none, "log") == plain


@pytest.mark.posix
def test_the_pager_of_the_environment_comes_before_the_settled_one(
    paged: Look, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept, settled = tmp_path / "kept", tmp_path / "settled"
    (tmp_path / "host-ledger").mkdir()
    (tmp_path / "host-ledger" / "config.toml").write_text(f"""pager = "sh -c 'cat > {settled}'"\n""")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert paged(f"sh -c 'cat > {kept}'", "log") == ""
    assert kept.exists() and not settled.exists()
    assert paged(None, "log") == "" and settled.exists()


# ---- colours ---------------------------------------------------------------------------------------------------------


def test_colours_say_what_is_undone_and_what_needs_a_host(
    demos: Demos, seen: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--color`, then NO_COLOR, then the terminal; and nothing but colours differs."""
    folder = demos.made("equilibrium")
    told = seen(f"-g '{folder}' log", 200, color="always")
    undone = [line for line in told.splitlines() if "[undone" in line]
    assert undone and all(line.startswith("\x1b[2m#") and line.endswith("\x1b[0m") for line in undone)
    assert told.count("\x1b[2m") == len(undone)
    assert re.sub(r"\x1b\[[0-9;]*m", "", told) == seen(f"-g '{folder}' log", 200)
    assert seen(f"-g '{folder}' show 999", color="always").startswith("\x1b[1;31mhl: ")
    assert "\x1b" in seen(f"-g '{folder}' show 999", color="auto")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in seen(f"-g '{folder}' show 999", color="auto")
    assert "\x1b" in seen(f"-g '{folder}' show 999", color="always")


def test_no_colour_goes_into_a_file_or_a_pipe(
    demos: Demos, seen: Look, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = demos.made("equilibrium")
    seen(f"-g '{folder}' log -o '{tmp_path / 'kept'}'", color="always")
    assert "\x1b" not in (tmp_path / "kept").read_text()
    run(["-g", str(folder), "log"])
    run(["-g", str(folder), "show", "999"])
    assert "\x1b" not in "".join(capsys.readouterr())


def test_a_colour_of_a_name_is_none_of_ours(seen: Look, demos: Demos, tmp_path: Path) -> None:
    """What a host typed is shown, never sent: also where colours are."""
    folder = demos.copy("equilibrium", tmp_path / "m")
    run(["-g", str(folder), "--as", "mara", "note", "red \u202e text", "--at", "2026-03-05 21:00"])
    told = seen(f"-g '{folder}' log --kind note", 200, color="always")
    assert "\u202e" not in told and "red <U+202E> text" in told
