"""What `verify` says of a log that is nothing wrong with it: which entries count otherwise than they were recorded.

Belongs here: naming them, so that whoever was told something before knows where to look. Does not belong here: what is
wrong (audit.py), posted texts (retold.py) and the deal (commitments.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.core.layout import Index
from ledger.core.live import BEFORE_ALL, Marks

MAX_NAMED = 100
"""Entries that one remark names."""


def corrections(layout: Index, said: Marks, at: Sequence[int], settled: Iterable[int]) -> Iterator[str]:
    """What was undone, amended, recorded late, or refused by the rules and ruled on.

    Args:
        at: When line n counts as recorded, at n - 1, ms; empty for a log in which no entry was recorded late.
        settled: The contested entries that a ruling is about.
    """
    yield from naming("undone", [f"{seq} (by {undo})" for seq, undo in sorted(said.struck.items())])
    back = (entry for entry in layout.about if entry.body.do == "redo")
    yield from naming("an undo that was taken back", [f"{e.body.args.get('target')} (by {e.seq})" for e in back])
    changed = ((seq, amends[-1].seq) for seq, amends in sorted(said.amended.items()))
    yield from naming("amended", [f"{seq} (by {amend})" for seq, amend in changed])
    yield from naming("recorded later than others that count after it", ranges(_late(layout, at)))
    yield from naming("contested, and a ruling is about it", ranges(sorted(settled)))


def _late(layout: Index, at: Sequence[int]) -> Iterator[int]:
    about, latest = {entry.seq for entry in layout.about}, int(BEFORE_ALL)
    for seq, moment in enumerate(at, start=1):
        if seq not in about and not layout.is_setup(seq):
            if moment < latest:
                yield seq
            latest = max(latest, moment)


def naming(what: str, listed: Sequence[str]) -> Iterator[str]:
    """The remark that names these entries; none where there are none."""
    if listed:
        more = f" and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
        many = "entry" if len(listed) == 1 and " to " not in listed[0] else "entries"
        yield f"{what}: {many} {', '.join(listed[:MAX_NAMED])}{more}"


def ranges(numbers: Iterable[int]) -> list[str]:
    """Numbers in order, those that follow one another as one.

    >>> ranges([2, 4, 5, 6, 9])
    ['2', '4 to 6', '9']
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return [" to ".join(map(str, ends)) for ends in found]
