"""A copy of the log for one audience: lines it may not open are closed, and the head is the same.

What an audience may open is the game's to say (`Game.audience`), by the visibility of the beginning and of now alike:
a line is opened only when both allow it. Entries about the log go with what they are about. Source: design section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from events import Entry, LedgerError, close_line
from events.audiences import HOST, PUBLIC_VIEWER, Audience
from games.table import actions as shared
from ledger.match import Match


def redacted(match: Match, viewer: str) -> Iterator[bytes]:
    """The lines of the copy, in order.

    Args:
        viewer: `public` or a player; the hosts have the log itself.

    Raises:
        Damaged, Unreadable, NotRecorded: from the log.
    """
    opened = may_open(match, viewer)
    assert match.book.mark is not None, "an open match has been read"
    for seq, raw in enumerate(match.book.log.raw_lines(match.book.mark), start=1):
        yield raw if seq in opened else close_line(raw)


def may_open(match: Match, viewer: str) -> frozenset[int]:
    """The numbers of the entries that the audience may see opened."""
    entries = match.book.entries
    end = match.fold.state
    begin = match.engine.start(entries[0].body, match.book.game_id)
    ended = end.table.status == "finished"
    found: set[int] = set()
    for entry in entries:
        if entry.body.do in shared.ABOUT_THE_LOG:
            allowed = _about(match, entry, viewer, found, begin, end, ended=ended)
        else:
            allowed = _allows(match, entry.body.do, entry.body.args, viewer, begin, end, ended=ended)
        if allowed:
            found.add(entry.seq)
    return frozenset(found)


def _allows(match: Match, do: str, args: Mapping[str, Any], viewer: str, begin: Any, end: Any, *, ended: bool) -> bool:
    """May an entry with these arguments be opened? What cannot be read is the hosts'."""
    try:
        action = match.engine.read(do, args, end.table)
    except LedgerError:
        return False
    return all(_audience(match, state, action).admits(viewer, ended=ended) for state in (begin, end))


def _audience(match: Match, state: Any, action: Any) -> Audience:
    if isinstance(action, (shared.Note, shared.Ruling)):
        return HOST
    return match.game.audience(state, action)


def _about(match: Match, entry: Entry, viewer: str, found: set[int], begin: Any, end: Any, *, ended: bool) -> bool:
    """An entry about the log goes with its target; an amend also says what it says now; an anchor is for all."""
    args = entry.body.args
    if entry.body.do == "anchor":
        return True
    if entry.body.do == "posted":
        return args.get("audience") in (viewer, PUBLIC_VIEWER)
    target = args.get("target")
    if not isinstance(target, int) or target not in found:
        return False
    if entry.body.do != "amend":
        return True
    said, do = args.get("args"), match.book.entries[target - 1].body.do
    return isinstance(said, dict) and _allows(match, do, said, viewer, begin, end, ended=ended)
