"""Completion: what is offered where, that it never says anything else, and that it loads next to nothing.

What it offers is for a host, who may see everything: it shows hands. So nothing here belongs to the secrecy harness;
docs/completion.md says so to the host.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.registry import names
from ledger.cli import completion
from ledger.cli.completion import MAX_ENTRIES, SHELLS, script
from ledger.cli.root import hl, run
from ledger.cli.verbs import SHARED
from ledger.core.match import Match
from ledger.render import FORMATS

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
MATCH = "\n".join(
    ['game = "equilibrium"', 'title = "A test"', 'hosts = ["mara", "theo"]', "[players]",
     *(f'{p} = {{ name = "{p.capitalize()}", garnets = 1 }}' for p in PLAYERS)]
)  # fmt: skip
PLAYED = (
    "alias ann queen", "alias bob $(reboot)", "deal --from deal.toml", "open", "trade ann R4 bob R6", "lock cyd",
    "offer dan R3 eve R8", "amend-setting garnet_hands=four,full", "note wrong", "undo", "amend 22 take=R7",
)  # fmt: skip
"""Lines 1 to 9 are the setup, 10 and 11 the aliases, 12 to 20 the deal, 21 `open`, 22 the trade, and so on."""


@pytest.fixture
def desk(stage: Any) -> Iterator[Any]:
    """A match in which something has happened; `$HL_MATCH` names it."""
    Path("match.toml").write_text(MATCH, encoding="utf-8")
    shutil.copy(ROOT / "games" / "equilibrium" / "demo-deal.toml", "deal.toml")
    stage.run(("$ hl new m --from match.toml > told.txt",))
    stage.run(("$ export HL_MATCH=m",))
    stage.run(("$ export HL_AS=mara",))
    for line in PLAYED:
        answer = stage.run((f"$ hl {line!s} > told.txt",))
        assert "[exit" not in answer, answer
    yield stage


def asked(line: str) -> int:
    """Ask as the script of bash does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(completion.VARIABLE, "bash_complete")
        patch.setenv("COMP_WORDS", line.replace(" ", "\n"))
        return run([])


@pytest.fixture
def offered(desk: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a line ends in, when Tab is pressed there; `WORD|` begins the last word."""

    def ask(line: str) -> list[str]:
        capsys.readouterr()
        found = asked(line)
        out, err = capsys.readouterr()
        assert err == "" and found == 0
        rows = [row.partition(",") for row in out.splitlines() if row]
        return ["a file" if kind == "file" else word for kind, _, word in rows]

    return ask


def hand(player: str) -> list[str]:
    return list(dict.fromkeys(Match("m/log.jsonl").fold.state.hands[player]))


# ---- what is offered -----------------------------------------------------------------------------------------------


def test_verbs(offered: Any) -> None:
    """The game's, its synonyms and the shared ones, each once; nothing hidden."""
    assert offered("tra") == ["trade"]
    assert offered("rec") == ["recolour", "recolor", "receipt"]
    every = offered("")
    assert set(SHARED) < set(every) and len(set(every)) == len(every)
    assert not [verb for verb in every if verb.startswith("_")]


def test_cards_are_those_the_player_holds(offered: Any) -> None:
    """`give` from the hand of the first, `take` from the hand of the second, `card` from the player's own."""
    assert offered("trade cyd ") == hand("cyd")
    assert offered("trade cyd B5 hal ") == hand("hal")
    assert offered("recolour eve ") == hand("eve")
    assert offered("trade cyd b") == [card for card in hand("cyd") if card[0] == "B"]
    assert offered("trade QUEEN ") == hand("ann")
    assert offered("amend 24 give=") == [f"give={card}" for card in hand("dan")]


def test_players(offered: Any) -> None:
    """Ids; a name or alias where that is what was begun; nobody with whom a trade is not possible any more."""
    assert offered("lock ") == [p for p in PLAYERS if p != "cyd"]
    assert offered("unlock ") == ["cyd"]
    assert offered("trade an") == ["ann"]
    assert offered("trade qu") == ["queen"]
    assert offered("trade ann B4 ") == list(PLAYERS[2:])
    assert offered("trade ann B4 bo") == ["bob"], "somebody else was meant: then all are offered"
    assert offered("accept eve ") == ["dan"]
    assert offered("withdraw dan ") == ["eve"]
    assert offered("summary ") == list(PLAYERS)


def test_what_a_shell_would_act_on_is_not_offered(offered: Any) -> None:
    """An alias is what somebody typed."""
    assert offered("award ") == list(PLAYERS)
    assert offered("award $") == []


def test_moments(offered: Any) -> None:
    """What `diff` compares and `explain` takes: entries, rounds, words; or the name of a log."""
    assert offered("diff ")[-2:] == ["now", "known:"] and offered("diff ")[0].isdigit()
    assert offered("diff 12 kn") == ["known:"]
    assert offered("diff m/") == ["a file"]
    assert offered("evidence ") == ["a file"]
    assert offered("explain fi") == ["final"]
    assert offered("export --only t") or offered("export --only=t") == ["--only=transfers"]


def test_settings(offered: Any) -> None:
    """KEY=, then its values, the present one first; lists go on after a comma; lines of the visibility table."""
    assert offered("amend-setting er_") == ["er_metric="]
    assert offered("amend-setting er_metric=") == ["er_metric=count", "er_metric=value"]
    assert offered("amend-setting trading_hours=") == ["trading_hours=72"]
    assert offered("amend-setting garnet_hands=f")[0] == "garnet_hands=four,full"
    assert offered("amend-setting garnet_hands=four,fl") == ["garnet_hands=four,flush"]
    assert offered("amend-setting dealt_hands_count=") == ["dealt_hands_count=true", "dealt_hands_count=false"]
    assert offered("amend-setting visibility.locks=e") == [
        "visibility.locks=everybody", "visibility.locks=everybody_after_end"
    ]  # fmt: skip
    assert offered("amend-setting er_metric=count ")[0] == "--at"


def test_entries(offered: Any) -> None:
    """The newest first, only those that the verb can mean."""
    last = len(Match("m/log.jsonl").book.entries)
    assert offered("show ")[:3] == [str(last), str(last - 1), str(last - 2)]
    assert len(offered("show ")) == MAX_ENTRIES
    undone = offered("redo ")
    assert len(undone) == 2, "the undo, and the note that it struck"
    assert not set(undone) & set(offered("undo "))
    assert "1" not in offered("undo 1") and "1" in offered("show 1")
    assert offered("show #22") == ["#22"]
    assert offered("note x --about 2")[0] == str(last)
    assert offered("amend 22 ") == ["a=", "give=", "b=", "take=", "at="]
    assert offered("amend 22 take=R7 a") == ["a=", "at="]
    assert offered("--as mara confirm ") == []
    assert "22" in offered("--as theo confirm ")


def test_words_of_a_kind(offered: Any) -> None:
    """Audiences, games, hosts, formats, choices, phases, fields, outbox."""
    assert offered("view --for p") == ["public"]
    assert offered("view --for=g") == ["--for=gil"]
    assert offered("view --for ") == ["host", "public", *PLAYERS]
    assert offered("template ") == list(names())
    assert offered("--as ") == ["mara", "theo"]
    assert offered("award ann ") == ["garnets", "tokens"]
    assert offered("override ann ") == ["hand", "garnets"]
    assert offered("close ") == ["trading"]
    assert offered("reveal -f ") == list(FORMATS)
    assert offered("waiting --format ") == ["text", "json"]
    assert offered("outbox ") == ["next", "done", "drop", "list", "show", "undo", "post"]
    from ledger.tell.outbox import outbox

    waiting = [item.name for item in outbox(Match("m/log.jsonl")).waiting]
    assert offered("outbox done ") == [*waiting, "all"] and offered("outbox show ") == waiting
    assert offered(f"outbox done {waiting[0]} ") == waiting[1:] and offered(f"outbox show {waiting[0]} ") == []
    assert offered("completion ") == ["bash", "zsh", "fish", "powershell"]
    assert offered("log --kind tra") == ["trade"]


def test_options(offered: Any) -> None:
    """Those of the verb that do not stand there yet; after the last word too; an option's value is no word."""
    assert offered("trade --fo") == ["--force"]
    assert "--at" in offered("trade ann B4 cyd B5 ")
    assert "--at" not in offered("trade ann B4 cyd B5 --at 18:42 ")
    assert offered("trade --at 18:42 ann ") == hand("ann")
    assert offered("lot --out") == ["--outcome"]
    assert offered("note x --at ") == []
    assert offered("--no") == ["--no-input"]
    assert offered("nonsense ") == []


def test_files(offered: Any) -> None:
    """Where a file name is wanted the shell knows better."""
    for line in ("run ", "new ", "new x --from ", "-g ", "reveal -o ", "demo --into "):
        assert offered(line) == ["a file"], line


def test_another_match_can_be_meant(offered: Any, stage: Any) -> None:
    """-g counts, not the folder one stands in."""
    Path("other.toml").write_text(MATCH.replace("fox =", "flo ="), encoding="utf-8")
    stage.run(("$ hl new other --from other.toml > told.txt",))
    assert offered("-g other summary f") == ["flo"]
    assert offered("summary --match=other f") == ["flo"]
    assert offered("summary f") == ["fox"]


# ---- it never fails aloud ------------------------------------------------------------------------------------------

LINES = ["", "tr", "trade ", "trade ann ", "undo ", "amend 22 x=", "amend-setting er_metric=", "view --for ", "--as ",
         "outbox done ", "nonsense ", "amend x ", "-g", "--", "\x01 ", "explain ", "lock -- "]  # fmt: skip


def _damage(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"R6"', b'"R9"'))


def _redact(log: Path) -> None:
    from events import close_line

    lines = log.read_bytes().splitlines(keepends=True)
    lines[15] = close_line(lines[15])
    log.write_bytes(b"".join(lines))


def _cut(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])


def _newer(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"rules":1', b'"rules":9'))


BROKEN = {
    "damaged": _damage,
    "redacted": _redact,
    "newer": _newer,
    "empty": lambda log: log.write_bytes(b""),
    "noise": lambda log: log.write_bytes(b'"game":"equilibrium"\xff\n' * 9),
    "unknown game": lambda log: log.write_bytes(log.read_bytes().replace(b'"game":"equilibrium"', b'"game":"nothing"')),
    "gone": lambda log: log.unlink(),
}


@pytest.mark.parametrize("name", BROKEN)
def test_with_a_broken_log_only_verbs_are_offered(name: str, offered: Any) -> None:
    """Nothing on stderr, no other exit code, and nothing out of a log that does not verify."""
    BROKEN[name](Path("m/log.jsonl"))
    for line in LINES:
        offered(line)
    assert offered("stat") == ["status"]
    for line in ("trade ann ", "undo ", "summary a", "amend-setting er_", "outbox done ", "--as "):
        assert [word for word in offered(line) if not word.startswith("-")] == [], line


def test_an_unfinished_line_is_no_reason(offered: Any) -> None:
    """A torn tail past the head: what counts is completed, the warning is for the commands."""
    with Path("m/log.jsonl").open("ab") as file:
        file.write(b'{"seq":')
    assert offered("summary a") == ["ann"]


def test_a_terminal_that_takes_nothing(
    desk: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even then."""
    capsys.readouterr()

    class Gone:
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert asked("trade ") == 0
    assert capsys.readouterr().err == ""


# ---- the scripts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_scripts_can_be_read(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is printed, and the shell itself finds no slip in it."""
    assert run(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed == script(hl, shell)
    if (program := shutil.which(shell)) is None:
        pytest.skip(f"no {shell} here")
    done = subprocess.run([program, "-n"], input=printed, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


BASH = [
    (["trade", "ann", ""], ["R2", "R4"], ["trade", "ann", ""]),
    (["amend-setting", "er_metric", "=", "c"], ["count"], ["amend-setting", "er_metric=c"]),
    (["amend-setting", "er_metric", "="], ["count"], ["amend-setting", "er_metric="]),
    (["lock", "--at", "18", ":", "42", "a"], ["ann"], ["lock", "--at", "18:42", "a"]),
    (["view", "--for", "=", "p"], ["public"], ["view", "--for=p"]),
]


@pytest.mark.parametrize(("typed", "shown", "asked"), BASH, ids=lambda value: " ".join(value))
def test_bash_puts_together_what_it_took_apart(
    typed: list[str], shown: list[str], asked: list[str], tmp_path: Path
) -> None:
    """`=` and `:` break a word in bash; what is asked is whole, what is put in is the rest."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    whole = asked[-1]
    answers = ["plain," + whole[: whole.rfind("=") + 1] + word for word in shown]
    stub = tmp_path / "hl"
    stub.write_text(
        f"#!/bin/sh\nprintf '%s\\n' \"$COMP_WORDS\" > {tmp_path}/asked\nprintf '%s\\n' {' '.join(answers)}\n"
    )
    stub.chmod(0o700)
    words = " ".join(f"'{word}'" for word in [str(stub), *typed])
    typed_here = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _hl_completion"
    run_it = f"{script(hl, 'bash')}\n{typed_here}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run([bash, "-c", run_it], capture_output=True, text=True, check=True)
    assert (tmp_path / "asked").read_text().splitlines() == asked
    assert done.stdout.splitlines() == shown


def test_the_log_is_only_read(desk: Any) -> None:
    """Completion changes nothing and leaves no file."""
    before = {path: path.read_bytes() for path in Path("m").iterdir()}
    for line in LINES:
        asked(line)
    assert {path: path.read_bytes() for path in Path("m").iterdir()} == before
