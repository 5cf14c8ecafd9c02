"""What is broken on purpose, and what is explained as unbreakable, fits the sources as they are.

A break whose line was rewritten breaks nothing, and an explanation of a line that is gone hides the next one that reads
the same. Source: docs/reliability.md, "The tests can fail".
"""

from __future__ import annotations

import ast
import re

import pytest

from tests.reliability.sabotage import BREAKS, where_test_is
from tests.support.sources import ROOT

EXPLAINED = ROOT / "tests" / "reliability" / "mutants_explained.txt"


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_has_its_line_and_its_test(name: str) -> None:
    one = BREAKS[name]
    assert (ROOT / one.file).read_text(encoding="utf-8").count(one.old) == 1, "its line was rewritten"
    assert one.old != one.new
    for test in one.test.split():
        file, _, function = test.partition("::")
        source = where_test_is(ROOT, file).read_text(encoding="utf-8")
        assert re.search(rf"^(def )?{function.partition('[')[0]}( = |\()", source, re.MULTILINE) or not function, test


def test_an_explanation_has_its_line_and_a_reason() -> None:
    lines = EXPLAINED.read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if not line.startswith("#")]
    assert lines[0].startswith("# ") and len(set(entries)) == len(entries)
    unparsed: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("#"):
            assert len(line) > 12, f"no reason: {line}"
            continue
        file, old, new = line.split("\t")
        if file not in unparsed:
            source = (ROOT / file).read_text(encoding="utf-8")
            unparsed[file] = {made.strip() for made in ast.unparse(ast.parse(source)).splitlines()}
        assert old in unparsed[file], f"no line of {file} reads: {old}"
        assert new not in ("", old)
