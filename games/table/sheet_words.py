"""What is said of a sheet of a sealed round: that it came in, what is on it, and what it dropped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.contract import News
from games.kit.sealed import SheetDropped, SheetSealed, called


def own_sheet(read: Callable[[SheetSealed, Any], str], fact: SheetSealed, state: Any, viewer: str) -> News:
    """A submission read back to its player; `read` gives all that is on the sheet now."""
    late = " It came after the deadline and counts only if a host rules so." if fact.sheet.late else ""
    where, content = called(fact.round), "" if fact.sheet.content is None else read(fact, state)
    if content:
        return f"Your sheet for {where}: {content}.{late}"
    what = {"sheet": "Your sheet is in", "blank": "You submit nothing", "withdrawn": "Your sheet is taken back"}
    return f"{what[fact.sheet.kind]} for {where}.{late}"


def no_longer(fact: SheetDropped, state: Any) -> str:
    """What a sheet dropped, for the hosts, with the line that adds instead."""
    name, round_ = state.table.name(fact.player), called(fact.round).removeprefix("the ")
    instead = f"hl amend {fact.seq} add=true adds instead" if fact.adds else "a new sheet holds all that is meant"
    return f"{name}, {round_}: no longer on the sheet: {'; '.join(fact.items)}; {instead}"


def yours_no_longer(fact: SheetDropped, state: Any, viewer: str) -> News:
    return f"It takes the place of your sheet before it: no longer on it: {'; '.join(fact.items)}."


def sheet_words(describe: Callable[[SheetSealed], str], fact: SheetSealed, state: Any) -> str:
    """A submission in words; `describe` is what the game has to say of what is on it."""
    what = {"sheet": "a sheet comes in", "blank": "nothing, on purpose", "withdrawn": "the sheet is taken back"}
    late = f"; late: hl ruling admit {fact.sheet.seq}" if fact.sheet.late else ""
    who, sheet = f"{state.table.name(fact.player)}, {called(fact.round).removeprefix('the ')}", fact.sheet
    if sheet.parts is None:
        return f"{who}: {what[sheet.kind]}{describe(fact)}{late}"
    if off := [kind for kind in sheet.parts if not getattr(sheet.content, kind, True)]:
        return f"{who}: taken off the sheet: {', '.join(off)}{late}"
    return f"{who}: added to the sheet{describe(fact)}{late}"
