"""Every posted text, made again from what the log held at that line: is it the one that was sent?

Belongs here: that comparison, for `verify`. Does not belong here: what a text says (the games) and which texts there
are (outbox.py). Source: docs/log-format.md and docs/reliability.md.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence

from events import Finding
from events.record import NamedTuple
from games.kinds import shown
from games.table import actions as shared
from ledger.core.match import Match
from ledger.tell.drift import Mark, disturbances
from ledger.tell.outbox import outbox, posted_marks
from ledger.tell.reminders import reminder
from ledger.tell.texts import Item, collect, split_name


class Retold(NamedTuple):
    """The result of comparing posted texts."""

    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """Texts that say something else than the match does now."""


def retold(match: Match) -> Retold:
    """Compare each posted text in effect with the one that this engine makes of the lines before it.

    A text that was right when it was posted may be wrong now; whether its readers were told so is remarked on.
    """
    posted = [mark for mark in posted_marks(match) if not mark.action.dropped]
    recorded, current = match.book.entries[0].body.args.get("texts"), match.game.texts
    if posted and recorded != current:
        what = f"{_count(posted)} of texts version {recorded}, and this release writes version {current}"
        unchecked = f"what players were told: {what}; text and digest were compared"
        return Retold((), (unchecked,), tuple(_untold(match)))
    joined = [mark for mark in posted if mark.brought]
    own = [mark for mark in posted if not mark.brought]
    unchecked = f"what players were told from another copy of the log: {_count(joined)}, to be checked with that copy"
    remarks = [
        *_untold(match),
        *(
            f"text {shown(drift.item)}, posted to {shown(drift.channel)}: {drift.what}; no correction was posted"
            for drift in outbox(match).drifted
        ),
    ]
    return Retold(tuple(_compared(match, own)), (unchecked,) if joined else (), tuple(remarks))


def _untold(match: Match) -> Iterator[str]:
    """Marks of posting that were undone, and corrections that were dropped: readers may not know the present state."""
    struck = match.fold.marks.struck
    for entry in match.fold.layout.about:
        if entry.body.do == "posted" and entry.seq in struck and not entry.body.args.get("dropped"):
            yield f"text {shown(str(entry.body.args.get('item')))} was marked as posted, and the mark was undone"
    for mark in posted_marks(match):
        if mark.action.dropped and mark.action.covers:
            yield f"a correction of text {' '.join(map(shown, mark.action.covers))} was dropped and not posted"


def _count(posted: Sequence[object]) -> str:
    return f"{len(posted)} posted text{'' if len(posted) == 1 else 's'}"


def _compared(match: Match, posted: Sequence[Mark]) -> Iterator[Finding]:
    """Findings about posted texts. Between two entries that disturb texts one fold serves all that was posted there."""
    entries = match.book.entries
    disturbing = sorted({*disturbances(match), *(entry.seq for entry in entries if entry.body.do == "join")})
    texts_at: dict[int, dict[str, Item]] = {}
    for mark in posted:
        seq, post, item_name = mark.seq, mark.action, split_name(mark.action.item)[0]
        later = bisect.bisect_right(disturbing, mark.known)
        epoch = disturbing[later] - 1 if later < len(disturbing) else len(entries)
        if epoch not in texts_at:
            texts_at = {epoch: collect(match, entries[:epoch])}
        item = texts_at[epoch].get(item_name)
        if item is None or item.seq >= mark.known:
            derived = _derived(match.as_known(mark.known - 1), post)
            item = next((text for text in derived if text.whole == item_name), None)
        if item is None:
            what = f"entry {seq}: no text {shown(post.item)} waited to be posted when it was recorded"
            yield Finding(seq, "posted.unknown", what)
        elif item.audience != post.audience:
            what = f"text {post.item} is for {item.audience}, and entry {seq} sent it to {shown(post.audience)}"
            yield Finding(seq, "posted.audience", what)
        elif not _is_of(item, post):
            what = f"text {post.item}, posted by entry {seq}, is not what the lines before it give"
            yield Finding(seq, "posted.other", what)


def _is_of(item: Item, post: shared.Posted) -> bool:
    """Is it that text, or that message of it?"""
    part, messages = split_name(post.item)[1], item.messages
    if part == 0:
        return item._replace(part=0).text == post.text
    return len(messages) == post.parts and part <= len(messages) and messages[part - 1] == post.text


def _derived(past_match: Match, post: shared.Posted) -> Iterator[Item]:
    """The texts that no entry causes: corrections, and reminders, which the clock causes."""
    if post.covers:
        yield from outbox(past_match).waiting
    else:
        yield from (reminder(past_match, due) for due in past_match.game.waiting(past_match.fold.state))
