"""The line of every key of a TOML text, so that a fault can be named with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from games import toml

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys, and the indexes in lists (from 0), that lead to a value."""
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
    try:
        reading.run()
    except StopIteration:
        pass
    return reading.found


class _Lines:
    """One pass over the tokens of a text; `word` is the next one. It ends early at anything that is not TOML."""

    def __init__(self, text: str) -> None:
        self.found: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        """Array of tables -> which of its tables is being read."""
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
        """Move past the next word, and return it."""
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
        *above, last = self._key()
        for part in above:
            path = (*path, part)
            self.found.setdefault(path, line)
            path = (*path, self.counts[path]) if path in self.counts else path
        path = (*path, last)
        if is_array:
            self.found.setdefault(path, line)
            self.counts[path] = self.counts.get(path, -1) + 1
            path = (*path, self.counts[path])
        self.found.setdefault(path, line)
        while self.word != "\n":
            self._next()
        return path

    def _key(self) -> list[str]:
        """The parts of a key; `word` is then the one after it."""
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
