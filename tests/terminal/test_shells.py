"""Lines to run, in the shell in use: what PowerShell, cmd and a POSIX shell make of them.

PowerShell's lines are read by a grammar of it (tree-sitter), cmd's by a reader of Windows' command lines (mslex).
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import mslex
import pytest
import tree_sitter
import tree_sitter_powershell
from hypothesis import example, given, settings, strategies as st

from ledger.cli.completion import script
from ledger.cli.errors import for_shell, quoted
from ledger.cli.root import hl
from tests.support.sources import ROOT

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
WORDS = st.text(st.sampled_from("ab09 _-./\\:=,;@#$%!^&|<>()[]{}*?~'\"`‘’‚‛“”äß漢"), max_size=12)
PAGES = sorted(
    page for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")) if "```console" in page.read_text("utf-8")
)
NAMED = ("export", "python3", "head", "cat > FILE <<END")
"""What docs/install.md says in PowerShell's words."""
KNOWN = ("cat", "cp", "mv", "mkdir", "echo", "sleep", "git")
"""What PowerShell has by that name, or is a program of its own."""
WRITES = re.compile(r" >>? [\w.-]+(?: 2>&1)?$")
PLAIN = re.compile(r"[\w./:\\=+%^~!*-][\w./:\\=+%^~!*#-]*")


def powershell_words(line: str, shell: str = "pwsh") -> list[str]:
    """The words that PowerShell hands to a program; only forms that mean one thing are understood."""
    marks = re.sub(
        r"(?<= )[-+=%^!~*:/\\\\.]+(?= |$)", "x", f"hl {line}"
    )  # the grammar has no words of such marks alone
    tree = PARSER.parse(marks.encode())
    assert not tree.root_node.has_error, line
    words, at = [], 0
    quotes = "'‘’‚‛"
    while at < len(line):
        if line[at] == " ":
            at += 1
        elif line[at] in quotes:
            text, at = "", at + 1
            while True:
                assert at < len(line), f"not closed: {line}"
                if line[at] in quotes and line[at + 1 : at + 2] and line[at + 1] in quotes:
                    text, at = text + line[at], at + 2
                elif line[at] in quotes:
                    break
                else:
                    text, at = text + line[at], at + 1
            at += 1
            assert line[at : at + 1] in ("", " "), line
            words.append(c_word(text) if shell == "powershell" else text)
        elif line[at] == '"':
            end = line.index('"', at + 1)
            assert not set(line[at:end]) & set("$`“”„"), line
            words.append(line[at + 1 : end])
            at = end + 1
        else:
            found = PLAIN.match(line, at)
            assert found and not re.match(r"-[^:.]*[:.].", found[0]), line
            words.append(found[0])
            at = found.end()
            assert line[at : at + 1] in ("", " "), line
    return words


def c_word(text: str) -> str:
    """What a program gets of a word that Windows PowerShell 5.1 hands on: quoted when it has spaces, else as it is."""
    line = f'"{text}"' if re.search(r"\s", text) else text
    (word,) = mslex.split(line, like_cmd=False) or [""]
    return word


@settings(max_examples=600, deadline=None)
@given(WORDS)
@example("-a0")
@example("-a.b")
def test_a_word_comes_through_every_shell(word: str) -> None:
    """Whatever is in it: quotes of every kind, marks of the shell, backslashes at the end."""
    assert shlex.split(quoted(word, "posix")) == [word]
    assert powershell_words(quoted(word, "pwsh")) == [word]
    assert powershell_words(quoted(word, "powershell"), "powershell") == [word]
    assert mslex.split(quoted(word, "cmd"), like_cmd=True) == [word]


@pytest.mark.parametrize("shell", ["pwsh", "powershell", "cmd"])
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hl -g 'my match' log", ["hl", "-g", "my match", "log"]),
        ("chmod 600 'it'\"'\"'s/log.jsonl'", ["chmod", "600", "it's/log.jsonl"]),
        ("hl swap ann P1,P2 --note '50% off'", ["hl", "swap", "ann", "P1,P2", "--note", "50% off"]),
        ('hl ruling "admit 9"', ["hl", "ruling", "admit 9"]),
    ],
)
def test_a_line_to_run_is_right_for_the_shell(shell: str, line: str, words: list[str]) -> None:
    turned = for_shell(line, shell)
    assert (mslex.split(turned) if shell == "cmd" else powershell_words(turned, shell)) == words
    assert for_shell(line, "posix") == line


@pytest.mark.parametrize(
    "text", ["one of: a b", "an entry's number, or a text's name as in hl outbox", "check the clock"]
)
def test_a_sentence_stays(text: str) -> None:
    assert for_shell(text, "pwsh") == text


def lines_of_docs(page: Path) -> list[str]:
    """The lines of a page's console blocks, as a host would type them."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return [line[2:].partition("  # ")[0] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_lines_of_the_docs_mean_the_same_in_powershell(page: Path) -> None:
    """Typed as they stand, PowerShell takes them apart into the words that a POSIX shell makes of them.

    Both put the present folder for `$PWD`, and both write into a file with `>`.
    """
    for line in lines_of_docs(page):
        for part in WRITES.sub("", line.replace("$PWD", "/here")).split(" | "):
            if part.startswith("hl "):
                assert powershell_words(part) == shlex.split(part), f"{page.name}: {line}"


def test_the_page_install_says_what_is_another_line_in_powershell() -> None:
    """README and tutorial have no other command; what stands for it is PowerShell."""
    install = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    told = " ".join(install[install.index("In PowerShell") :].partition("What Windows")[0].split())
    assert all(f"`{word}" in told for word in NAMED)
    for page in (ROOT / "README.md", ROOT / "docs" / "tutorial.md"):
        words = {part.split()[0] for line in lines_of_docs(page) for part in line.split(" | ")}
        assert words <= {"hl", *KNOWN, *NAMED}, page.name
    for line in [
        *re.findall(r" is `([^`]+)`", told),
        *re.findall(r"`([^`]+)`", install[install.index("| Windows") :][:120]),
    ]:
        assert not PARSER.parse(line.encode()).root_node.has_error, line


def test_the_completion_of_powershell_is_powershell() -> None:
    """By its grammar; each branch that it needs stands in it."""
    text = script(hl, "powershell")
    assert not PARSER.parse(text.encode()).root_node.has_error
    assert PARSER.parse(text.replace("{", "", 1).encode()).root_node.has_error, "the grammar sees an error"
    assert "_HL_COMPLETE" in text and "CompleteFilename" in text
