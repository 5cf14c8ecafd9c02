"""Drift: posted texts that have changed since, or should never have been posted.

Each text is made twice with this engine, from the match as it was known when the text was posted, and as it is known
now, and the two are compared. Which entry lets the clock run, or completes a vote, does not matter: a sentence that now
belongs to the text of another entry was told already. Belongs here: that comparison. Does not belong here: the
corrections to be posted (outbox.py).
Source: docs/reliability.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.kit.blocks import Notice
from games.table import actions as shared
from ledger.core.live import is_mark, late_entries
from ledger.core.match import Match
from ledger.render import discord
from ledger.render.safe import DiscordText
from ledger.tell.texts import Item, lines_of, sentences_in, split_name, texts_at, without_receipt


class Drift(NamedTuple):
    """A posted text that is no longer right."""

    item: str
    audience: str
    channel: str
    what: str
    posted: int
    """The number of the `posted` entry."""
    before: Item
    """The text as it was posted."""
    now: Item | None
    """The text of that name now; None: there is none any more."""
    textual: bool = False
    """Posted from another copy of the log, so that only its words are known, and no text has these words now."""
    carriers: tuple[Item, ...] = ()
    """Texts under other names that hold some of its sentences now."""

    def as_json(self) -> dict[str, str]:
        return {"item": self.item, "channel": self.channel, "what": self.what}


class Mark(NamedTuple):
    """A `posted` entry in effect: a text, or one message of it, was posted or dropped."""

    seq: int
    action: shared.Posted
    known: int
    """How many lines of the log the text was made from: up to this entry, or up to where its sending began."""
    brought: bool
    """Joined from another copy of the log: only the words of the text can be compared."""

    @property
    def text(self) -> str:
        """As it was posted, in every copy of the log."""
        return without_receipt(self.action.text)


def drifting(match: Match, items_now: Mapping[str, Item], settled: Mapping[str, tuple[Mark, ...]]) -> Iterator[Drift]:
    """The posted texts that differ from what their audience was last told.

    Args:
        items_now: The texts that the log asks for now, by name.
        settled: Text -> the marks that say it was told: its own, one for each of its messages, or that of a correction.
    """
    disturbing = disturbances(match)
    for name, marks in settled.items():
        current = items_now.get(name)
        brought = [mark for mark in marks if mark.brought and not mark.action.covers]
        if brought:
            if any(not _says(current, mark) for mark in brought):
                yield _drift_of_brought(items_now, name, current, brought)
            continue
        latest = max(mark.known for mark in marks)
        first_after = next((seq for seq in disturbing if seq > latest), None)
        if first_after is None:
            continue
        # Between two disturbances no posted text changes, so one fold serves all texts posted there.
        before = texts_at(match, first_after - 1).get(name)
        if before is None and current is not None:
            before = current._replace(notice=Notice())  # a correction took it back, and it holds again
        if before is None or (current is not None and before.notice == current.notice):
            continue
        yield _drift(name, marks, before, current)


def _says(current: Item | None, mark: Mark) -> bool:
    """Does the text, or the message of it that was posted, still have the words of the post?"""
    if current is None:
        return False
    part = split_name(mark.action.item)[1]
    if part == 0:
        return without_receipt(current.text) == mark.text
    texts = current.messages
    return len(texts) == mark.action.parts and part <= len(texts) and without_receipt(texts[part - 1]) == mark.text


def _drift_of_brought(items_now: Mapping[str, Item], name: str, current: Item | None, marks: Sequence[Mark]) -> Drift:
    """The drift of a text that was posted from another copy of the log."""
    action = marks[-1].action
    posted_text = without_receipt(action.text)
    place = (action.audience, action.channel)
    in_place = (item for item in items_now.values() if (item.audience, item.channel) == place)
    same_text = next((item for item in in_place if without_receipt(item.text) == posted_text), None)
    notice = same_text.notice if same_text else current.notice._replace(below=()) if current else Notice()
    seq = max(mark.seq for mark in marks)
    before = Item(name, seq, Instant(0), action.audience, action.channel, notice)
    return _drift(name, marks, before, current)._replace(textual=same_text is None)


def half_told(match: Match, items_now: Mapping[str, Item], name: str, marks: Sequence[Mark]) -> Drift | None:
    """The drift of a text of which only some messages were posted; None: it is unchanged, the others may follow.

    Once the text has changed, the rest of it is not sent: a correction takes back what was read and no longer holds.
    """
    current, posted = items_now.get(name), [mark for mark in marks if not mark.action.dropped]
    if not posted or all(_says(current, mark) for mark in posted):
        return None
    known_lines = max(mark.known for mark in posted)
    item = texts_at(match, known_lines).get(name) or current
    lines = dict.fromkeys(line for mark in posted if item for line in _lines_in_message(item, mark))
    action = posted[-1].action
    before = Item(name, known_lines, Instant(0), action.audience, action.channel, Notice(tuple(lines)))
    return _drift(name, posted, before, current)


def _drift(name: str, marks: Sequence[Mark], before: Item, current: Item | None) -> Drift:
    verdict = _verdict(before, current)
    return Drift(name, before.audience, before.channel, verdict, max(mark.seq for mark in marks), before, current)


def _lines_in_message(item: Item, mark: Mark) -> tuple[Any, ...]:
    """The sentences that stood in the message that was posted."""
    part = split_name(mark.action.item)[1]
    return sentences_in(item._replace(part=part)) if 0 < part <= len(item.messages) else ()


def followed(drifted: Sequence[Drift], waiting: Sequence[Item]) -> tuple[tuple[Drift, ...], set[str]]:
    """The drifts that remain once sentences posted under another name are accounted for, and the names of those texts.

    Another entry may let the clock run now, or complete a vote: then a sentence posted under one name waits under
    another. The change of name may show that something hidden was recorded, so it is neither told again nor corrected.
    """
    groups: dict[tuple[str, str], list[Drift]] = {}
    for drift in drifted:
        groups.setdefault((drift.audience, drift.channel), []).append(drift)
    remaining: list[Drift] = []
    carrier_names: set[str] = set()
    for (audience, channel), group in groups.items():
        texts = [item for item in waiting if (item.audience, item.channel) == (audience, channel)]
        carriers, unchanged = _carriers(group, texts)
        carrier_names.update(item.name for item in carriers)
        for drift in group if not unchanged else ():
            own = tuple(item for item in carriers if set(lines_of(item)) & set(lines_of(drift.before)))
            what = _verdict(drift.before, drift.now or next(iter(own), None))
            remaining.append(drift._replace(what=what, carriers=own))
    return tuple(remaining), carrier_names


def _carriers(group: Sequence[Drift], waiting: Iterable[Item]) -> tuple[tuple[Item, ...], bool]:
    """The waiting texts whose sentences were all posted under other names; and whether, with them, nothing differs."""
    lines_before = Counter(line for drift in group for line in lines_of(drift.before))
    lines_now = Counter(line for drift in group for line in lines_of(drift.now))
    missing, carriers = lines_before - lines_now, []
    for item in waiting:
        if (lines := Counter(lines_of(item))) <= missing:
            missing -= lines
            carriers.append(item)
    items_now = [*(drift.now for drift in group if drift.now), *carriers]
    unchanged = not (missing or lines_now - lines_before or any(drift.textual for drift in group))
    return tuple(carriers), unchanged and _pictures(drift.before for drift in group) == _pictures(items_now)


def _pictures(items: Iterable[Item]) -> set[DiscordText]:
    """The blocks below the sentences of these texts, rendered."""
    return {picture for item in items if (picture := discord.render(item.notice.below))}


def _verdict(before: Item, current: Item | None) -> str:
    if current is not None:
        return "it says something else now"
    if before.audience == PUBLIC_VIEWER:
        return "it should not have been posted"
    return "it should not have been sent, and what it showed cannot be un-shown"


def disturbances(match: Match) -> list[int]:
    """The numbers of the entries that can make earlier posted texts wrong, ascending: corrections, and late entries."""
    entries, log = match.book.entries, match.fold.layout
    late = late_entries(entries, log)
    correcting = [entry for entry in entries if entry.seq in late or entry.body.do in ("undo", "redo", "amend")]
    return [entry.seq for entry in correcting if not is_mark(entry, entries, log)]
