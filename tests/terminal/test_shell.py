"""`hl shell`: the loop with somebody who types, what stands before the cursor, and what its history keeps.

How a case is written: support/lines.py.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import stat
import sys
from collections.abc import Callable
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
from ledger.cli.root import run
from tests.support.host import Host, set_clock
from tests.support.lines import lined, plays


class Bid(NamedTuple):
    """A verb with a word that a player sealed."""

    player: Annotated[Player, Arg("Who bids.")]
    amount: Annotated[int, Arg("How much.", sealed=True)]


def session_of(here: Any) -> App:
    """The one session of a host in a match, if there is one."""
    if not hasattr(here, "app"):
        here.app = App()
        here.app.match_name, here.app.host_name = str(here.path) if here.path.exists() else None, here.by
    app: App = here.app
    return app


def typing(*lines: str) -> Callable[[str], str]:
    """Somebody who types these lines; `^C` is a key, and at the end comes Ctrl-D."""
    source = iter(lines)

    def ask(prompt: str) -> str:
        print(prompt, end="")
        line = next(source, None)
        if line in (None, "^C"):
            raise EOFError if line is None else KeyboardInterrupt
        return line

    return ask


def types(here: Host, *words: str) -> str:
    """What is shown to somebody who types these lines, ` / ` between them; options are of their line alone."""
    set_clock(here.patch, here)
    app, shown = session_of(here), io.StringIO()
    before = app.host_name, app.match_name, app.no_input
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        assert shell.loop(app, typing(*" ".join(words).split(" / "))) == 0
    assert (app.host_name, app.match_name, app.no_input) == before
    return lined(shown.getvalue())


SHOWS = {
    "types": types,
    "locked": lambda here: [*here.match.fold.state.locked],
    "gone": lambda here: (here.path / "log.jsonl").unlink() or "",
    "cut": lambda here: (here.path / "log.jsonl").write_bytes(here.log[:-40]) and "",
}
SHELL = """
the same grammar, with and without hl; a refusal ends nothing; the prompt says how the match stands; Ctrl-D leaves
  desk ; : types lock ann / hl lock bob /  / # all of it / note 'a # b' # that one / close --yes ~ · trading> recorded
  : kinds 4 == lock lock note close ; : show 22 | args == text a # b
  : types lock ann / note "open / dance / shell ~ Equilibrium · deciding> ~ [equilibrium.trading_over] ~ [run.quotes]
  : types lock ann / note "open / dance / shell ~ [verb.unknown] ~ Ctrl-D leaves it
what another host records between two lines is seen
  desk ; : types lock ann ; lock bob --as ben ; : types lock bob / lock cyd ~ Bob is locked already
  : locked == ann bob cyd
ctrl-C drops a line and nothing else; exit and quit leave as Ctrl-D does
  desk ; : types lock ann / ^C / lock bob / quit / lock cyd ; : types exit / lock cyd ; : locked == ann bob
global options hold for their line alone
  desk ; > new n --from match.toml ; : types --as ben note x / -g n note y / --no-input note z
  : log --kind note | entries.by == ben mara ; : log --kind note | entries.args.text == x z
a number is no remark: taken for one, undo would strike the last
  desk ; lock ann ; lock bob ; : types undo #20 --yes ; : locked == bob
what is wrong with the log is said by the commands, not by the prompt: a line is damaged, and then it is gone
  desk ; : cut ; : types status ~ hl> hl: ; : gone ; : types status ~ hl> hl:
where no match is named there is a prompt all the same
  nothing ; : types status ~ hl> hl:
it needs a terminal
  desk ; 2 shell ~ [shell.terminal]
"""
test_the_shell = plays(SHELL)


@pytest.fixture
def app(at_desk: Any) -> App:
    """A session in a match that has just been dealt."""
    here = at_desk("desk")
    set_clock(here.patch, here)
    here.patch.chdir(here.folder)
    return session_of(here)


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
    monkeypatch.setattr("builtins.input", typing("lock ann"))
    assert run(["shell", "--plain"], app) == 0
    assert list(app.match.fold.state.locked) == ["ann"]


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
    ("override ann garnets 2", "file"),
    ("bid ann 12", "nowhere"),
    ("hl bid ann 12", "nowhere"),
    ("--as mara -g m bid ann 12 --at 18:42", "nowhere"),
    ("--as=mara bid ann -", "nowhere"),
    ("offers ann 12", "nowhere"),
    ("bid ann '12", "nowhere"),
    ("amend 20 amount=12", "nowhere"),
    ("override ann amount 12", "nowhere"),
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
