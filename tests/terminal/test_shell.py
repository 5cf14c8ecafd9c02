"""`hl shell`: the loop with somebody who types, what stands before the cursor, and what its history keeps."""

from __future__ import annotations

import functools
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

from events.record import NamedTuple
from games.contract import Verb
from games.records import Arg
from games.registry import load
from games.table.actions import Player
from ledger.cli import root, shell
from ledger.cli.app import App
from ledger.cli.root import run, split_line

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
MATCH = "\n".join(
    ['game = "equilibrium"', 'title = "An evening"', 'hosts = ["mara", "theo"]', "[players]",
     *(f'{p} = {{ name = "{p.capitalize()}", garnets = 1 }}' for p in PLAYERS)]
)  # fmt: skip


class Bid(NamedTuple):
    """A verb with a word that a player sealed."""

    player: Annotated[Player, Arg("Who bids.")]
    amount: Annotated[int, Arg("How much.", sealed=True)]


@pytest.fixture
def app(stage: Any) -> Iterator[App]:
    """A session in a match that has just been dealt."""
    Path("match.toml").write_text(MATCH, encoding="utf-8")
    for line in ("new m --from match.toml", "-g m --as mara deal", "-g m --as mara open"):
        stage.run((f"$ hl {line} > told.txt",))
    stage.now += 60_000
    made = App()
    made.match_name, made.host_name = "m", "mara"
    yield made


def typing(*lines: str | type[BaseException]) -> tuple[Callable[[str], str], list[str]]:
    """Somebody who types these lines, or presses these keys; and the prompts he was shown."""
    source, shown = iter(lines), list[str]()

    def ask(prompt: str) -> str:
        shown.append(prompt)
        line = next(source, EOFError)
        if isinstance(line, str):
            return line
        raise line

    return ask, shown


# ---- the loop ------------------------------------------------------------------------------------------------------


def test_a_session(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    """The same grammar, with and without `hl`; a refusal ends nothing; the match is opened once; Ctrl-D leaves."""
    ask, shown = typing("lock ann", "hl lock bob", "lock ann", "", "# a remark", "note 'two words'", "close --yes")
    app.glance()
    opened = app._match
    assert shell.loop(app, ask) == 0
    err = capsys.readouterr().err
    assert app._match is opened and opened is not None
    assert opened.table.phase != "trading" and "bob" in opened.fold.state.locked
    assert err.count("recorded #") == 4 and "[equilibrium.locked]" in err
    assert shown[0] == "An evening · trading> " and shown[-1] == f"An evening · {opened.table.phase}> "


def test_what_another_host_records_is_seen(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    """Between two lines somebody else wrote: the next line builds on it."""
    ask, _ = typing("lock ann")
    assert shell.loop(app, ask) == 0
    assert run(["-g", "m", "--as", "theo", "lock", "bob"]) == 0
    ask, _ = typing("lock bob", "lock cyd")
    shell.loop(app, ask)
    assert "Bob is locked already" in capsys.readouterr().err
    assert list(app.match.fold.state.locked) == ["ann", "bob", "cyd"]


def test_ctrl_c_drops_a_line(app: App) -> None:
    """And nothing else; exit and quit leave as Ctrl-D does."""
    ask, shown = typing("lock ann", KeyboardInterrupt, "lock bob", "quit", "lock cyd")
    assert shell.loop(app, ask) == 0
    assert len(shown) == 4
    assert list(app.match.fold.state.locked) == ["ann", "bob"]


def test_global_options_hold_for_their_line_alone(app: App, stage: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Those before `shell` hold for all."""
    stage.run(("$ hl new n --from match.toml > told.txt",))
    ask, _ = typing("--as theo note x", "-g n note y", "--no-input note z")
    shell.loop(app, ask)
    assert [e.body.by for e in app.match.book.entries[-2:]] == ["theo", "mara"]
    assert (app.host_name, app.match_name, app.no_input) == ("mara", "m", False)


def test_bad_lines_are_answered(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    """Quotes, unknown verbs, a shell in the shell: said, and on it goes."""
    ask, shown = typing('note "open', "dance", "shell")
    assert shell.loop(app, ask) == 0 and len(shown) == 4
    err = capsys.readouterr().err
    assert "[run.quotes]" in err and "[verb.unknown]" in err and "Ctrl-D leaves it" in err


def test_a_number_is_no_remark(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    """`undo #19` strikes entry 19: taken for a remark, it would strike the last."""
    assert split_line("undo #19 # that one") == ["undo", "#19"]
    assert split_line("  # all of it") == []
    assert split_line("note 'a # b' \"#\"x") == ["note", "a # b", "#x"]
    ask, _ = typing("lock ann", "lock bob", "undo #20 --yes")
    shell.loop(app, ask)
    assert list(app.match.fold.state.locked) == ["bob"]


@pytest.mark.parametrize("spoil", ["gone", "damaged", "nowhere"])
def test_the_prompt_without_a_match(spoil: str, app: App, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong with the log is said by the commands, not by the prompt."""
    log = Path("m/log.jsonl")
    if spoil == "gone":
        log.unlink()
    elif spoil == "damaged":
        log.write_bytes(log.read_bytes()[:-40])
    else:
        app.match_name = None
    assert shell.prompt(app) == "hl> "
    ask, shown = typing("status")
    assert shell.loop(app, ask) == 0 and shown == ["hl> ", "hl> "]
    assert capsys.readouterr().err.startswith("hl: ")


def test_it_needs_a_terminal(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["shell"], app) == 2
    assert "[shell.terminal]" in capsys.readouterr().err


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits there."""
    stream = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(shell, "sys", SimpleNamespace(stdin=stream, stdout=stream, platform=sys.platform))


def test_without_the_extra(
    app: App, terminal: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what to install; --plain needs nothing."""
    monkeypatch.delitem(sys.modules, "ledger.cli.prompt", raising=False)
    for name in [n for n in sys.modules if n.partition(".")[0] == "prompt_toolkit"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    assert run(["shell"], app) == 2
    told = capsys.readouterr().err
    assert "[shell.extra]" in told and "-m pip install" in told and "[shell]" in told and "hl shell --plain" in told
    ask, shown = typing("lock ann")
    monkeypatch.setattr("builtins.input", ask)
    assert run(["shell", "--plain"], app) == 0
    assert list(app.match.fold.state.locked) == ["ann"] and len(shown) == 2


# ---- history -------------------------------------------------------------------------------------------------------


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of the match has a verb with a sealed word."""
    game = load("equilibrium")
    made = game._replace(verbs={**game.verbs, Bid: Verb()}, synonyms={**game.synonyms, "offers": "bid"})
    monkeypatch.setattr(shell, "game_here", lambda app: made)
    monkeypatch.setattr(root, "game_here", lambda app: made)


KEPT = [
    ("trade ann R7 bob B9", "file"),
    ("hl note 'bid ann 12'", "file"),
    ("status", "file"),
    ("amend 20 give=R7", "file"),
    ("override garnets ann 2", "file"),
    ("bid ann 12", "nowhere"),
    ("hl bid ann 12", "nowhere"),
    ("--as mara -g m bid ann 12 --at 18:42", "nowhere"),
    ("--as=mara bid ann -", "nowhere"),
    ("offers ann 12", "nowhere"),
    ("bid ann '12", "nowhere"),
    ("amend 20 amount=12", "nowhere"),
    ("override amount ann 12", "nowhere"),
    ("bdi ann 12", "session"),
    ("", "session"),
]


@pytest.mark.parametrize(("line", "place"), KEPT)
def test_where_a_line_may_be_remembered(line: str, place: str, app: App, sealed: None) -> None:
    """Sealed words nowhere, however the line is dressed; a slip not on disk: it may be such a line."""
    assert shell.kept(app, line) == place


def test_the_history_is_kept_apart_and_closed(tmp_path: Path) -> None:
    """A file for each match, outside its folder, for its owner alone; old rights are mended."""
    env = {"XDG_STATE_HOME": str(tmp_path)}
    name = shell.history_file("ab" * 32, env, "linux")
    assert name == str(tmp_path / "host-ledger" / "history-abababababababab")
    assert shell.history_file(None, env, "linux") != name
    os.chmod(name, 0o644)
    assert shell.history_file("ab" * 32, env, "linux") == name
    assert stat.S_IMODE(os.stat(name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "host-ledger").st_mode) == 0o700
    assert "Application Support" in str(shell.history_file(None, {"HOME": str(tmp_path)}, "macos"))


def test_a_history_that_cannot_be_kept(tmp_path: Path) -> None:
    """A file in the way of the folder, a link where the file should be: nothing is written."""
    (tmp_path / "host-ledger").write_text("in the way")
    assert shell.history_file(None, {"XDG_STATE_HOME": str(tmp_path)}, "linux") is None
    other = tmp_path / "other"
    (other / "host-ledger").mkdir(parents=True)
    (other / "host-ledger" / "history-none").symlink_to(tmp_path / "elsewhere")
    assert shell.history_file(None, {"XDG_STATE_HOME": str(other)}, "linux") is None
    assert not (tmp_path / "elsewhere").exists()


# ---- with prompt_toolkit -------------------------------------------------------------------------------------------


def test_the_file_holds_no_sealed_word(app: App, sealed: None, tmp_path: Path) -> None:
    """Nor does the session; what is on disk comes back in the next one."""
    pytest.importorskip("prompt_toolkit")
    from ledger.cli.prompt import KeptHistory

    path = tmp_path / "history"
    history = KeptHistory(functools.partial(shell.kept, app), str(path))
    for line in ("lock ann", "bid ann 12", "bdi ann 77", "lock bob"):
        history.append_string(line)
    assert history.get_strings() == ["lock ann", "bdi ann 77", "lock bob"]
    text = path.read_text()
    assert [line for line in text.splitlines() if line[:1] == "+"] == ["+lock ann", "+lock bob"]
    assert list(KeptHistory(functools.partial(shell.kept, app), str(path)).load_history_strings()) == [
        "lock bob",
        "lock ann",
    ]


def test_completion_in_the_shell(app: App) -> None:
    """The words that a shell offers, put where the half word stands; within quotes none."""
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from ledger.cli.prompt import ShellWords

    def offered(text: str) -> list[tuple[str, int]]:
        found = ShellWords(app).get_completions(Document(text), CompleteEvent())
        return [(one.text, one.start_position) for one in found]

    assert offered("lo") == [("lock", -2), ("lot", -2), ("log", -2)]
    assert [word for word, _ in offered("hl trade ann ")] == list(dict.fromkeys(app.match.fold.state.hands["ann"]))
    assert offered("amend-setting er_metric=v") == [("er_metric=value", -11)]
    assert offered('note "an') == []
    assert offered("run mat") == [("ch.toml", 0)]


def test_real_keys(app: App, tmp_path: Path) -> None:
    """prompt_toolkit itself, fed with keys: Enter runs, Ctrl-C drops the line, Ctrl-D leaves."""
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from ledger.cli.prompt import session

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        ask = session(app, str(tmp_path / "history"), functools.partial(shell.kept, app))
        keys.send_text("lock ann\rlock bob\x03lock fox\r\x04")
        assert shell.loop(app, ask) == 0
    assert list(app.match.fold.state.locked) == ["ann", "fox"]
    kept = [line for line in (tmp_path / "history").read_text().splitlines() if line[:1] == "+"]
    assert kept == ["+lock ann", "+lock fox"]
