"""Read a TOML file that somebody typed: its tables, and the line of each key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games import toml
from games.kinds import shown
from ledger.core.inputs import MAX_TOML_BYTES, read_text

KeyPath: TypeAlias = tuple[str | int, ...]
_TOKEN = re.compile(
    r"""[ \t\r]+|\#[^\n]*"""
    r"""|("{3}(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*"""
    r"""'|[\n\[\]{}=,.]|[^\s\[\]{}=,.\#"']+)""",
    re.DOTALL,
)


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every key, table and list item in a TOML text that is known to be valid.

    >>> key_lines('[a]\\nb = [1,\\n{ "c d" = 2 }]\\n[[e]]\\nf.g = 3')
    {('a',): 1, ('a', 'b'): 2, ('a', 'b', 0): 2, ('a', 'b', 1): 3, ('a', 'b', 1, 'c d'): 3, ('e',): 4, \
('e', 0): 4, ('e', 0, 'f'): 5, ('e', 0, 'f', 'g'): 5}
    """
    reading = _Lines(text)
    with suppress(StopIteration):
        reading.run()
    return reading.found


class _Lines:
    """One pass over the tokens of a text; `word` is the next token. It stops at anything that is not TOML."""

    def __init__(self, text: str) -> None:
        self.found: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        """Array of tables -> the index of the table being read."""
        self.word, self.line = "\n", 1
        self.tokens = self._tokens(text)

    def _tokens(self, text: str) -> Iterator[tuple[str, int]]:
        line = 1
        for token in _TOKEN.finditer(text):
            if token[1]:
                yield token[1], line
            line += token[0].count("\n")
        yield "\n", line

    def _next(self) -> str:
        word = self.word
        self.word, self.line = next(self.tokens)
        return word

    def run(self) -> None:
        base: KeyPath = ()
        while True:
            if self.word == "[":
                base = self._header()
            elif self.word == "\n":
                self._next()
            else:
                self._pair(base)

    def _header(self) -> KeyPath:
        line = self.line
        path: KeyPath = ()
        self._next()
        if is_array := self.word == "[":
            self._next()
        key = self._key()
        for place, part in enumerate(key, 1):
            path = (*path, part)
            self.found.setdefault(path, line)
            if is_array and place == len(key):
                self.counts[path] = self.counts.get(path, -1) + 1
            path = (*path, self.counts[path]) if path in self.counts else path
        self.found.setdefault(path, line)
        while self.word != "\n":
            self._next()
        return path

    def _key(self) -> list[str]:
        parts, dot = [], "."
        while dot == ".":
            part = self._next()
            parts.append(next(iter(toml.parse(f"{part} = 0"))) if part[0] in "\"'" else part)
            dot = self._next() if self.word == "." else ""
        return parts

    def _pair(self, path: KeyPath) -> None:
        line = self.line
        for part in self._key():
            path = (*path, part)
            self.found.setdefault(path, line)
        self._next()  # =
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self.word not in ("[", "{"):
            while self.word not in ("\n", ",", "]", "}"):
                self._next()
            return
        table, number = self._next() == "{", 0
        while self.word not in ("]", "}"):
            if self.word in ("\n", ","):
                self._next()
            elif table:
                self._pair(path)
            else:
                self.found[(*path, number)] = self.line
                self._value((*path, number))
                number += 1
        self._next()


# ---- reading ---------------------------------------------------------------------------------------------------------

MAX_FAULTS = 20
_QUOTED = re.compile(r'"(.+?)":')


class Document(dict[str, Any]):
    def __init__(self, tables: Mapping[str, Any], text: str = "") -> None:
        super().__init__(tables)
        self.text = text

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return key_lines(self.text)

    def line(self, keys: Sequence[str | int], message: str = "") -> int:
        """The line (from 1) of the deepest of these keys that has one, or 0.

        Args:
            message: The fault. If it begins with a quoted text, the result is the first line from there that has it.

        >>> Document({}, '[a]\\nb = [\\n"one",\\n"two"]').line(("a", "b"), '"two": nothing is called so')
        4
        """
        places = (self._lines.get(tuple(keys[:end]), 0) for end in range(len(keys), 0, -1))
        line = next(filter(None, places), 0)
        if not line or (quoted := _QUOTED.match(message)) is None:
            return line
        quoted_text, lines_below = quoted[1].removesuffix("…"), self.text.split("\n")[line - 1 :]
        return next((line + n for n, line_text in enumerate(lines_below) if quoted_text in line_text), line)


class Fault(NamedTuple):
    where: KeyPath
    """The keys that lead to the fault; empty for the whole file."""
    what: str
    fix: str = ""
    """How to correct it: the end of a sentence, or a corrected line of the file."""
    code: str = "toml.key"
    line: int = 0

    @property
    def place(self) -> str:
        return place_of(self.where)

    @property
    def sentence(self) -> str:
        return f"{self.place}: {self.what}" if self.where else self.what


def place_of(keys: Sequence[str | int]) -> str:
    """Keys as messages write them.

    >>> place_of(("players", "Hal 9")), place_of(("messages", 1, "author", "id"))
    ('players."Hal 9"', 'messages, item 2, author.id')
    """
    text = ""
    for part, key_before in zip(keys, (0, *keys), strict=False):
        if isinstance(part, int):
            text += f", item {part + 1}"
        else:
            separator = "" if not text else ", " if isinstance(key_before, int) else "."
            text += separator + (part if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", part) else shown(part))
    return text


class Faulty(Unreadable):
    def __init__(self, code: str, what: str, fix: str, faults: Sequence[Fault]) -> None:
        super().__init__(code, what, fix)
        self.faults = faults


def read_toml(path: Path, sample: str = "hl template GAME") -> Document:
    """Read a TOML file; `sample` is a command that prints one to start from.

    Raises:
        Unreadable: `toml.missing` or `toml.unreadable`, with line and column.
    """
    try:
        text = read_text(str(path), MAX_TOML_BYTES)
        return Document(toml.parse(text), text)
    except FileNotFoundError:
        raise Unreadable("toml.missing", f"there is no file {path}", sample) from None
    except OSError as error:
        raise Unreadable("toml.missing", f"{path} cannot be read: {error.strerror}", sample) from None
    except Unreadable as error:
        raise Unreadable(error.code, f"{path}: {error.what}", error.fix) from None


def located(faults: Sequence[Fault], data: Mapping[str, Any]) -> list[Fault]:
    """The faults with their lines, in the order of the file; those without a line come first."""
    if isinstance(data, Document):
        faults = [fault._replace(line=data.line(fault.where, fault.what)) for fault in faults]
    return sorted(faults, key=lambda fault: fault.line)


def refuse(faults: Sequence[Fault], source: str, fix: str) -> NoReturn:
    """Refuse a file and list all its faults: one in a single line, several with a line each.

    Args:
        faults: At least one. The error has the code of the first.
        fix: A line to run; used if there are several faults, or if a single one has no fix.

    Raises:
        Faulty: always.
    """
    first, *others = faults
    if not others:
        at = f", line {first.line}" if first.line else ""
        raise Faulty(first.code, f"{source}{at}: {first.sentence}", first.fix or fix, faults)
    lines = [f"{source} has {len(faults)} faults"]
    for fault in faults[:MAX_FAULTS]:
        at = f"line {fault.line}: " if fault.line else ""
        lines.append(f"{at}{fault.sentence}; {fault.fix}".removesuffix("; "))
    lines += [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
    raise Faulty(first.code, "\n".join(lines), fix, faults)


def table_of(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}
