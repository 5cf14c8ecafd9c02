"""The public names of the package: each is there, says what it is, and stands on the page."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import ledger

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ledger.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    found = getattr(ledger, name)
    assert inspect.getdoc(found), name
    assert name in PAGE, f"docs/api.md does not say what {name} is for"


def test_the_lists_agree() -> None:
    """What may be imported is what is listed; nothing else is found."""
    assert sorted(ledger._MODULE_OF) == sorted(ledger.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ledger.__getattr__("nothing")
