"""Where a key of a TOML file stands: every key that the reader finds has the line in which somebody typed it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events.errors import Unreadable
from games.table.settings import as_toml
from ledger.core.tomlfile import Document, Fault, Faulty, key_lines, located, read_toml, refuse
from tests.support.sizes import examples
from tests.support.sources import ROOT

FILES = [*sorted((ROOT / "games").rglob("*.toml")), ROOT / "pyproject.toml"]


def paths(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every key and item of a parsed file."""
    if at:
        yield at
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*at, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from paths(item, (*at, number))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_key_of_our_own_files_has_its_line(path: Path) -> None:
    """And the line holds the key."""
    text = path.read_text(encoding="utf-8")
    lines, listed = key_lines(text), text.split("\n")
    for where in paths(tomllib.loads(text)):
        named = next(part for part in reversed(where) if isinstance(part, str))
        if isinstance(where[-1], str):
            assert named in listed[lines[where] - 1], where
        else:
            assert 1 <= lines[where] <= len(listed)


KEYS = st.text("ab .\"=[]#{}'é", min_size=1, max_size=3)
VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text("ab]}=,#[{. '", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=2),
    max_leaves=6,
)


LAST = '  { x = "}", y = "\\"" },'


def quoted(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@examples(150, 2_000)
@given(
    st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3),
    st.lists(st.sampled_from(["", "# a = 1 [b]", '  # "'])),
)
def test_any_file_is_followed(tables: dict[str, dict[str, Any]], between: list[str]) -> None:
    """Keys in quotes, signs inside texts, remarks and empty lines in between, tables in tables and lists of them."""
    said: dict[tuple[str | int, ...], int] = {}
    lines: list[str] = []
    for number, (name, rows) in enumerate(tables.items()):
        many = number % 2
        lines += [*between, f"[[{quoted(name)}]]" if many else f"[{quoted(name)}]"]
        head: tuple[str | int, ...] = (name, 0) if many else (name,)
        said[head] = len(lines)
        for key, value in rows.items():
            lines += [*between, f"{quoted(key)} = {as_toml(value)} # {key}".replace("\n", " ")]
            said[(*head, key)] = len(lines)
        lines += ['long = 3.5 # """', "text = '''", "a = [1", "[b] \\", "'''", "many = [", "  1, # ]", LAST, "]"]
        said |= {(*head, "long"): len(lines) - 8, (*head, "text"): len(lines) - 7, (*head, "many"): len(lines) - 3}
        said |= {(*head, "many", 0): len(lines) - 2, (*head, "many", 1, "x"): len(lines) - 1}
    text = "\n".join(lines)
    found = key_lines(text)
    assert set(paths(tomllib.loads(text))) == set(found)
    assert {where: found[where] for where in said} == said


def test_what_is_no_toml_ends() -> None:
    """Never for ever, and never with an error of its own: the reader has refused it already."""
    for text in ("[", "[[", "a", "a=", "a=[", '"', "a.", "[a]]", "a={", "=", "a=='", "[a", '"""', "a = [{b = ["):
        assert all(line >= 1 for line in key_lines(text).values())


def test_a_key_that_is_not_there_is_in_its_table() -> None:
    data = Document(tomllib.loads("\n[a]\nb = 1"), "\n[a]\nb = 1")
    assert [data.line(where) for where in (("a", "b"), ("a", "c"), ("x",))] == [3, 2, 0]


def test_faults_stand_in_the_order_of_the_file(tmp_path: Path) -> None:
    """One is a sentence with its line, several are a list; of very many the first twenty."""
    path = tmp_path / "x.toml"
    path.write_text("a = 1\nb = 2\n", encoding="utf-8")
    data = read_toml(path)
    faults = located([Fault(("b",), "is odd"), Fault(("a",), "is even", "a = 2"), Fault(("c",), "is missing")], data)
    with pytest.raises(Faulty) as error:
        refuse(faults, "x.toml", "hl check x.toml")
    assert error.value.what == "x.toml has 3 faults\nc: is missing\nline 1: a: is even; a = 2\nline 2: b: is odd"
    assert error.value.fix == "hl check x.toml" and isinstance(error.value, Unreadable)
    with pytest.raises(Faulty, match=r"x\.toml, line 2: b: is odd"):
        refuse(faults[2:], "x.toml", "")
    with pytest.raises(Faulty) as error:
        refuse(faults * 10, "x.toml", "")
    assert error.value.what.count("\n") == 21 and error.value.what.endswith("and 10 more")
