"""Words of a command as the shell in use wants them: POSIX shells, PowerShell 7, Windows PowerShell 5.1, cmd.

Source: about_Parsing and about_Quoting_Rules of PowerShell; how a C program on Windows takes its line apart
("Parsing C++ command-line arguments"); `cmd /?`.
"""

from __future__ import annotations

import re
import shlex

from events.disk import DISK

_PLAIN = {
    "pwsh": re.compile(r"[\w./:\\=+%^][\w./:\\=+%^~!*-]*|-|--?[A-Za-z]+(?:-[A-Za-z]+)*|-[0-9]+", re.ASCII),
    "cmd": re.compile(r"[\w./:\\+@#{}\[\]'$~*?-][\w./:\\+@#{}\[\]'$~*?-]*", re.ASCII),
}
"""For PowerShell a word that starts with `-` is an option (letters alone) or a number: `-a.b` is two words to it."""
_WORD = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+|\s+""")
_COMMANDS = ("hl ", "chmod ", "cp ", "ls ", "mv ", "pip ", "ssh-keygen ", "icacls ", "copy ")


def advice(fix: str) -> str:
    """A fix as a line of a message: `try:` can be pasted, after `like:` the host replaces the words in capitals, and
    `help:` begins any other advice.

    >>> advice("hl log --player ann"), advice("hl breach PLAYER --note TEXT"), advice("name two players")
    ('try: hl log --player ann', 'like: hl breach PLAYER --note TEXT', 'help: name two players')
    """
    if fix.startswith(("did you mean", "one of:")):
        return fix
    if fix.startswith("like: "):
        return f"like: {for_shell(fix.removeprefix('like: '))}"
    if " install " in fix and fix.endswith(("]'", "]")):  # an extra: the brackets are its own
        return f"try: {for_shell(fix)}"
    if not fix.startswith(_COMMANDS):
        return f"help: {fix}"
    fill_in = re.search(r"(?<![\w-])(?:[A-Z]{3,}\b|[NP](?![\w-]))|\.\.\.|[\[|]", fix)
    return f"{'like' if fill_in else 'try'}: {for_shell(fix)}"


def quoted(word: str, shell: str) -> str:
    """One word as this shell wants it (`posix`, `pwsh`, `powershell` or `cmd`), for a program that is not its own.

    >>> quoted("it's", "pwsh"), quoted("a,b", "powershell"), quoted("50% off", "cmd")
    ("'it''s'", "'a,b'", '^"50^% off^"')
    """
    if shell == "posix":
        return shlex.quote(word)
    if _PLAIN["cmd" if shell == "cmd" else "pwsh"].fullmatch(word):
        return word
    if shell == "cmd":  # as a C program reads it; a word with marks of cmd itself has a caret before each of them
        inside = re.sub(r'(\\*)"', r'\1\1\\"', word)
        in_quotes = '"' + re.sub(r"(\\+)$", r"\1\1", inside) + '"'
        return re.sub(r'([()%!^"<>&|])', r"^\1", in_quotes) if set(word) & set('"%!') else in_quotes
    if shell == "powershell":  # 5.1 passes a word on without quoting quotes in it, and drops an empty one
        word = re.sub(r'(\\*)"', r'\1\1\\"', word) or '""'
        word = re.sub(r"(\\+)$", r"\1\1", word) if re.search(r"\s", word) else word
    return "'" + "".join(c * 2 if c in "'‘’‚‛" else c for c in word) + "'"  # any of these would end the text


def for_shell(text: str, shell: str | None = None) -> str:
    """A line to run, or a sentence with one in it, for the shell in use. Only words that need it are changed."""
    shell = shell or DISK.shell()
    if shell == "posix" or not any(name in text or text.startswith(name.strip()) for name in _COMMANDS):
        return text
    if re.search(r"\w'\w", text):
        return text  # a sentence with an apostrophe
    try:
        shlex.split(text)
    except ValueError:
        return text
    return "".join(_respelled(piece, shell) for piece in _WORD.findall(text))


def _respelled(piece: str, shell: str) -> str:
    """One word of a POSIX line in the spelling of the shell; punctuation after it stays."""
    if piece.isspace() or re.fullmatch(r"(?s)[\[({<|].*|.*[\])}>|.]|&&|\$[A-Z]+(?:/.*)?", piece):
        return piece  # it has to be filled in, or joins two commands
    unmarked, mark = (piece[:-1], piece[-1]) if piece[-1] in ",;:" and len(piece) > 1 else (piece, "")
    parts = shlex.split(unmarked)
    return (quoted(parts[0], shell) if len(parts) == 1 else unmarked) + mark
