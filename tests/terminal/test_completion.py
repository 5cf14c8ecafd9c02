"""Completion: what is offered where, that it never says anything else, and that it loads next to nothing.

What it offers is for a host, who may see everything: it shows hands. So nothing here belongs to the secrecy harness;
docs/completion.md says so to the host.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
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
from ledger.tell.outbox import outbox
from tests.support.sources import ROOT
from tests.table.lines import cases

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

OFFERED = """
verbs: the game's, its synonyms and the shared ones
  tra -> trade ; rec -> recolour recolor receipt ; nonsense~ ->
cards are those the player holds: give from the hand of the first, take from the second's, card from the player's own
  trade cyd~ -> HAND cyd ; trade cyd B5 hal~ -> HAND hal ; recolour eve~ -> HAND eve ; trade cyd b -> HAND cyd B
  trade QUEEN~ -> HAND ann ; amend 24 give= -> HAND dan give=
players: ids; a name or alias where that is what was begun; nobody with whom a trade is not possible any more
  lock~ -> ann bob dan eve fox gil hal ; unlock~ -> cyd ; trade an -> ann ; trade qu -> queen
  trade ann B4~ -> cyd dan eve fox gil hal ; trade ann B4 bo -> bob ; accept eve~ -> dan ; withdraw dan~ -> eve
  summary~ -> ann bob cyd dan eve fox gil hal
what a shell would act on is not offered: an alias is what somebody typed
  award~ -> ann bob cyd dan eve fox gil hal ; award $ ->
moments: what diff compares and explain takes; or the name of a log
  diff~ -> 28 ... now known: ; diff 12 kn -> known: ; diff m/ -> a file ; evidence~ -> a file ; explain fi -> final
  export --only=t -> --only=transfers
settings: KEY=, then its values, the present one first; lists go on after a comma; lines of the visibility table
  amend-setting er_ -> er_metric= ; amend-setting er_metric= -> er_metric=count er_metric=value
  amend-setting trading_hours= -> trading_hours=72 ; amend-setting garnet_hands=f -> garnet_hands=four,full ...
  amend-setting garnet_hands=four,fl -> garnet_hands=four,flush ; amend-setting er_metric=count~ -> --at ...
  amend-setting dealt_hands_count= -> dealt_hands_count=true dealt_hands_count=false
  amend-setting visibility.locks=e -> visibility.locks=everybody visibility.locks=everybody_after_end
entries: the newest first, only those that the verb can mean
  show~ -> 28 27 26 ... ; show #22 -> #22 ; note x --about 2 -> 28 ... ; amend 22~ -> a= give= b= take= at=
  amend 22 take=R7 a -> a= at= ; --as mara confirm~ -> ; --as theo confirm~ -> ... 22 ... ; show 1 -> ... 1
words of a kind: audiences, games, hosts, formats, choices, phases, fields, outbox
  view --for p -> public ; view --for=g -> --for=gil ; view --for~ -> host public ann bob cyd dan eve fox gil hal
  --as~ -> mara theo ; award ann~ -> garnets tokens ; override ann~ -> hand garnets ; close~ -> trading
  waiting --format~ -> text json ; outbox~ -> next done drop list show undo post ; log --kind tra -> trade
  completion~ -> bash zsh fish powershell
options: those of the verb that do not stand there yet; after the last word too; an option's value is no word
  trade --fo -> --force ; trade ann B4 cyd B5~ -> --at ... ; trade --at 18:42 ann~ -> HAND ann
  lot --out -> --outcome
  note x --at~ -> ; --no -> --no-input
files: where a file name is wanted the shell knows better
  run~ -> a file ; new~ -> a file ; new x --from~ -> a file ; -g~ -> a file ; reveal -o~ -> a file
  demo --into~ -> a file
"""


@pytest.mark.parametrize("said", cases(OFFERED))
def test_what_is_offered(said: str, offered: Any) -> None:
    """`LINE -> WORDS` in their order; `~` ends the line with a space, `...` is any words, `HAND cyd B` the cards of Cyd
    that begin so, and `HAND dan give=` all of his behind that."""
    for one in said.replace("\n", " ; ").split(" ; "):
        line, arrow, words = one.strip().partition(" ->")
        if words.startswith(" HAND"):
            _, player, *more = words.split()
            put = more[0] if more and "=" in more[0] else ""
            words = " ".join(f"{put}{card}" for card in hand(player) if put or card.startswith(tuple(more) or card))
        if arrow:
            found = " ".join(offered(re.sub("~$", " ", line)))
            assert re.fullmatch(re.escape(words.strip()).replace(re.escape("..."), ".*"), found), f"{one}: {found}"


def test_lists_that_the_program_has(offered: Any) -> None:
    """Verbs each once, nothing hidden; games; formats; what waits in the outbox; what is undone."""
    every = offered("")
    assert set(SHARED) < set(every) and len(set(every)) == len(every)
    assert not [verb for verb in every if verb.startswith("_")]
    assert offered("template ") == list(names()) and offered("reveal -f ") == list(FORMATS)
    assert len(offered("show ")) == MAX_ENTRIES and "--at" not in offered("trade ann B4 cyd B5 --at 18:42 ")
    assert len(offered("redo ")) == 2, "the undo, and the note that it struck"
    assert not {*offered("redo "), "1"} & set(offered("undo "))
    waiting = [item.name for item in outbox(Match("m/log.jsonl")).waiting]
    assert offered("outbox done ") == [*waiting, "all"] and offered("outbox show ") == waiting
    assert offered(f"outbox done {waiting[0]} ") == waiting[1:] and offered(f"outbox show {waiting[0]} ") == []


def test_another_match_can_be_meant(offered: Any, stage: Any) -> None:
    """-g counts, not the folder one stands in."""
    Path("other.toml").write_text(MATCH.replace("fox =", "flo ="), encoding="utf-8")
    stage.run(("$ hl new other --from other.toml > told.txt",))
    assert offered("-g other summary f") == offered("summary --match=other f") == ["flo"]
    assert offered("summary f") == ["fox"]


# ---- it never fails aloud ------------------------------------------------------------------------------------------

LINES = ["", "tr", "trade ", "trade ann ", "undo ", "amend 22 x=", "amend-setting er_metric=", "view --for ", "--as ",
         "outbox done ", "nonsense ", "amend x ", "-g", "--", "\x01 ", "explain ", "lock -- "]  # fmt: skip


def replaced(old: bytes, new: bytes) -> Callable[[Path], Any]:
    return lambda log: log.write_bytes(log.read_bytes().replace(old, new))


def _redact(log: Path) -> None:
    from events import close_line

    lines = log.read_bytes().splitlines(keepends=True)
    lines[15] = close_line(lines[15])
    log.write_bytes(b"".join(lines))


BROKEN = {
    "damaged": replaced(b'"R6"', b'"R9"'),
    "redacted": _redact,
    "newer": replaced(b'"rules":1', b'"rules":9'),
    "empty": lambda log: log.write_bytes(b""),
    "noise": lambda log: log.write_bytes(b'"game":"equilibrium"\xff\n' * 9),
    "unknown game": replaced(b'"game":"equilibrium"', b'"game":"nothing"'),
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
