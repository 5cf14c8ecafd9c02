"""Drift: posted texts that say something else by now, or should never have been posted.

What a text said when it was posted (the match as known then) is compared with what it says now, both with this engine.
Which entry lets the clock run, or completes a vote, is no news: what is told in the same words under another entry now
was told already. Belongs here: that comparison. Does not belong here: the corrections to be posted (outbox.py).
Source: design section 7.
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
    """A posted text that says something else now."""

    item: str
    audience: str
    channel: str
    what: str
    posted: int
    """The entry that says it was posted."""
    then: Item
    today: Item | None
    textual: bool = False
    """Only its text is known, from another copy of the log, and nothing says that now."""
    carriers: tuple[Item, ...] = ()
    """Texts under other names that say now, in its words, what it said."""

    def as_json(self) -> dict[str, str]:
        return {"item": self.item, "channel": self.channel, "what": self.what}


class Mark(NamedTuple):
    """An entry in effect that says what became of a text, or of one message of it."""

    seq: int
    said: shared.Posted
    known: int
    """The text is what the first so many lines asked for: up to the entry itself, or to where its sending began."""
    brought: bool
    """From another copy of the log: only the text itself can be compared."""

    @property
    def text(self) -> str:
        """As it was posted, in every copy of the log."""
        return without_receipt(self.said.text)


def drifting(match: Match, now: Mapping[str, Item], settled: Mapping[str, tuple[Mark, ...]]) -> Iterator[Drift]:
    """Compare each posted text as it was known when it was last told with what it says now.

    Args:
        now: The texts that the log asks for now, by name.
        settled: Text -> the marks that say it was told: one, or one for each of its messages; or that of a correction.
    """
    stirs = disturbances(match)
    for name, marks in settled.items():
        today = now.get(name)
        brought = [mark for mark in marks if mark.brought and not mark.said.covers]
        if brought:
            if any(not _says(today, mark) for mark in brought):
                yield _textual(now, name, today, brought)
            continue
        latest = max(mark.known for mark in marks)
        if not any(stir > latest for stir in stirs):
            continue
        # Between two disturbances nothing told before changes, so one fold serves all that was posted there.
        epoch = min((stir for stir in stirs if stir > latest), default=len(match.book.entries) + 1) - 1
        then = texts_at(match, epoch).get(name)
        if then is None and today is not None:
            then = today._replace(said=Notice())  # a correction took it back, and it holds again
        if then is None or (today is not None and then.said == today.said):
            continue
        yield Drift(name, then.audience, then.channel, _what(then, today), max(m.seq for m in marks), then, today)


def _says(today: Item | None, mark: Mark) -> bool:
    """Does the text, or that message of it, still say what was posted?"""
    if today is None:
        return False
    part = split_name(mark.said.item)[1]
    if part == 0:
        return without_receipt(today.text) == mark.text
    texts = today.messages
    return len(texts) == mark.said.parts and part <= len(texts) and without_receipt(texts[part - 1]) == mark.text


def _textual(now: Mapping[str, Item], name: str, today: Item | None, marks: Sequence[Mark]) -> Drift:
    """The drift of what was posted from another copy."""
    said = marks[-1].said
    told = _worded(now.values(), said)
    text = told.said if told else today.said._replace(below=()) if today else Notice()
    seq = max(mark.seq for mark in marks)
    then = Item(name, seq, Instant(0), said.audience, said.channel, text)
    return Drift(name, said.audience, said.channel, _what(then, today), seq, then, today, textual=told is None)


def half_told(match: Match, now: Mapping[str, Item], name: str, marks: Sequence[Mark]) -> Drift | None:
    """The drift of a text of which some messages were posted and the others not; None: these may still follow.

    Once the text is another one, the rest of it is not sent: a correction says what was read and holds no more.
    """
    today, posted = now.get(name), [mark for mark in marks if not mark.said.dropped]
    if not posted or all(_says(today, mark) for mark in posted):
        return None
    known = max(mark.known for mark in posted)
    was = texts_at(match, known).get(name) or today
    kept = dict.fromkeys(line for mark in posted if was for line in _read(was, mark))
    said = posted[-1].said
    then = Item(name, known, Instant(0), said.audience, said.channel, Notice(tuple(kept)))
    return Drift(name, said.audience, said.channel, _what(then, today), max(m.seq for m in posted), then, today)


def _worded(texts: Iterable[Item], said: shared.Posted) -> Item | None:
    """The text that says the same to the same audience, under whatever name."""
    wanted = without_receipt(said.text)
    listed = (item for item in texts if (item.audience, item.channel) == (said.audience, said.channel))
    return next((item for item in listed if without_receipt(item.text) == wanted), None)


def _read(was: Item, mark: Mark) -> tuple[Any, ...]:
    """The sentences that stood in the message that was posted."""
    part = split_name(mark.said.item)[1]
    return sentences_in(was._replace(part=part)) if 0 < part <= len(was.messages) else ()


def followed(drifted: Sequence[Drift], waiting: Sequence[Item]) -> tuple[tuple[Drift, ...], set[str]]:
    """The drifts that are left when each posted text follows its words, and the waiting texts that were told so.

    Another entry may let the clock run now, or complete a vote: what was posted under one name then waits under
    another. That it does may show that something hidden was recorded, so it is neither told again nor corrected.
    """
    groups: dict[tuple[str, str], list[Drift]] = {}
    for drift in drifted:
        groups.setdefault((drift.audience, drift.channel), []).append(drift)
    left: list[Drift] = []
    moved: set[str] = set()
    for (audience, channel), listed in groups.items():
        texts = [item for item in waiting if (item.audience, item.channel) == (audience, channel)]
        carriers, same = _carriers(listed, texts)
        moved.update(item.name for item in carriers)
        if not same:
            left += (_carried(drift, carriers) for drift in listed)
    return tuple(left), moved


def _carriers(listed: Sequence[Drift], waiting: Iterable[Item]) -> tuple[tuple[Item, ...], bool]:
    """The waiting texts all of whose words were posted under other names; and whether, with them, nothing differs."""
    then = Counter(line for drift in listed for line in lines_of(drift.then))
    today = Counter(line for drift in listed for line in lines_of(drift.today))
    missing, carriers = then - today, []
    for item in waiting:
        if (lines := Counter(lines_of(item))) <= missing:
            missing -= lines
            carriers.append(item)
    shown = [*(drift.today for drift in listed if drift.today), *carriers]
    same = not missing and not today - then and _pictures(drift.then for drift in listed) == _pictures(shown)
    return tuple(carriers), same and not any(drift.textual for drift in listed)


def _carried(drift: Drift, carriers: Iterable[Item]) -> Drift:
    """The drift with those that say its words now."""
    own = tuple(item for item in carriers if set(lines_of(item)) & set(lines_of(drift.then)))
    return drift._replace(what=_what(drift.then, drift.today or next(iter(own), None)), carriers=own)


def _pictures(listed: Iterable[Item]) -> set[DiscordText]:
    """What stands below the sentences of texts."""
    return {drawn for item in listed if (drawn := discord.render(item.said.below))}


def _what(then: Item, today: Item | None) -> str:
    if today is not None:
        return "it says something else now"
    if then.audience == PUBLIC_VIEWER:
        return "it should not have been posted"
    return "it should not have been sent, and what it showed cannot be un-shown"


def disturbances(match: Match) -> list[int]:
    """Entries that can make what was told before them wrong: corrections, and entries placed before others."""
    entries = match.book.entries
    log = match.fold.layout
    late = late_entries(entries, log)
    listed = [entry for entry in entries if entry.seq in late or entry.body.do in ("undo", "redo", "amend")]
    return [entry.seq for entry in listed if not is_mark(entry, entries, log)]
