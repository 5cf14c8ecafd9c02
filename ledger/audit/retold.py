"""Every text that was posted, made once more from what the log held at that line: is it the one that was sent?

Belongs here: that comparison, for `verify`. Does not belong here: what a text says (the games) and which texts there
are (outbox.py). Source: design sections 4 and 7.
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
from ledger.tell.outbox import outbox, posted_entries, posted_marks
from ledger.tell.texts import Item, collect, reminder, split_name


class Retold(NamedTuple):
    """What came of it."""

    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """Texts that say something else than the match does now."""


def retold(match: Match) -> Retold:
    """Compare each posted text in effect with the one that this engine makes of the lines before it.

    A text that was right when it was posted may be wrong now; whether its readers were told so is remarked on.
    """
    posted = [mark for mark in posted_marks(match) if not mark.said.dropped]
    wanted, texts = match.book.entries[0].body.args.get("texts"), match.game.texts
    if posted and wanted != texts:
        what = f"{_count(posted)} of texts version {wanted}, and this release writes version {texts}"
        left = f"what players were told: {what}; text and digest were compared"
        return Retold((), (left,), tuple(_untold(match)))
    brought = [mark for mark in posted if mark.brought]
    own = [mark for mark in posted if not mark.brought]
    left = f"what players were told from another copy of the log: {_count(brought)}, to be checked with that copy"
    remarks = [*_untold(match), *_uncorrected(match)]
    return Retold(tuple(_compared(match, own)), (left,) if brought else (), tuple(remarks))


def _untold(match: Match) -> Iterator[str]:
    """Marks of posting that were taken back, and corrections that were dropped: readers may believe something else."""
    struck = match.fold.marks.struck
    for entry in match.fold.layout.about:
        if entry.body.do == "posted" and entry.seq in struck and not entry.body.args.get("dropped"):
            yield f"text {shown(str(entry.body.args.get('item')))} was marked as posted, and the mark was undone"
    for _, said in posted_entries(match):
        if said.dropped and said.covers:
            yield f"a correction of text {' '.join(map(shown, said.covers))} was dropped and not posted"


def _uncorrected(match: Match) -> Iterator[str]:
    """Posted texts that say something else than the match does now, without a correction that was posted."""
    for drift in outbox(match).drifted:
        yield f"text {shown(drift.item)}, posted to {shown(drift.channel)}: {drift.what}; no correction was posted"


def _count(posted: Sequence[object]) -> str:
    return f"{len(posted)} posted text{'' if len(posted) == 1 else 's'}"


def _compared(match: Match, posted: Sequence[Mark]) -> Iterator[Finding]:
    """Between two entries that disturb what was told, texts do not change: one fold serves all posted there."""
    entries = match.book.entries
    stirs = sorted({*disturbances(match), *(entry.seq for entry in entries if entry.body.do == "join")})
    known: dict[int, dict[str, Item]] = {}
    for mark in posted:
        seq, said, whole = mark.seq, mark.said, split_name(mark.said.item)[0]
        later = bisect.bisect_right(stirs, mark.known)
        epoch = stirs[later] - 1 if later < len(stirs) else len(entries)
        if epoch not in known:
            known = {epoch: collect(match, entries[:epoch])}
        item = known[epoch].get(whole)
        if item is None or item.seq >= mark.known:
            item = next((one for one in _derived(match.as_known(mark.known - 1), said) if one.whole == whole), None)
        if item is None:
            what = f"entry {seq}: no text {shown(said.item)} waited to be posted when it was recorded"
            yield Finding(seq, "posted.unknown", what)
        elif item.audience != said.audience:
            what = f"text {said.item} is for {item.audience}, and entry {seq} sent it to {shown(said.audience)}"
            yield Finding(seq, "posted.audience", what)
        elif not _is_of(item, said):
            what = f"text {said.item}, posted by entry {seq}, is not what the lines before it give"
            yield Finding(seq, "posted.other", what)


def _is_of(item: Item, said: shared.Posted) -> bool:
    """Is that the text, or that message of it?"""
    part, texts = split_name(said.item)[1], item.messages
    if part == 0:
        return item._replace(part=0).text == said.text
    return len(texts) == said.parts and part <= len(texts) and texts[part - 1] == said.text


def _derived(then: Match, said: shared.Posted) -> Iterator[Item]:
    """The texts that no entry causes: corrections, and reminders, whenever the clock asked for them."""
    if said.covers:
        yield from outbox(then).waiting
    else:
        yield from (reminder(then, due) for due in then.game.waiting(then.fold.state))
