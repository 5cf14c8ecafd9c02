"""The outbox: which texts wait to be posted, which were posted, and which posted texts are no longer true.

Only some entries can make posted texts wrong: `disturbances`. A text that differs since is a `Drift`, unless texts with
other names that wait say the same (`followed`). All drifts of one audience are corrected by one text, which waits
before the newer texts of that audience (`_corrections`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count as counting
from typing import Any

from events import Body, Unreadable
from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Due
from games.kinds import called, count, grouped, upper
from games.kit.blocks import Block, Heading, Items, Notice, Strong, Table, Text, When, items, listing, text
from games.records import ABSENT, reader
from games.table import actions as shared
from games.table.facts import CORRECTION
from games.table.report import reason_lines
from games.table.rounds import SheetSealed, all_rounds, counted
from ledger.core.effective import is_posting_mark, late_entries
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.render import discord
from ledger.tell.texts import (
    CHOICE,
    RESOLVED,
    Item,
    channel_of,
    entry_of,
    kind_of_sheet,
    letter,
    lines_of,
    newcomers,
    read_back_now,
    replaced_by,
    round_of,
    sentences_in,
    split_name,
    texts_at,
    texts_now,
    without_receipt,
)

# ---- reminders, caused by the clock ----------------------------------------------------------------------------------


def reminders(match: Match, now: int) -> list[Item]:
    return [
        reminder(match, due)
        for due in remindable(match)
        if due.until is not None and due.since + (due.until - due.since) * 3 // 4 <= now < due.until
    ]


def remindable(match: Match) -> list[Due]:
    """What players owe and may know that they owe."""
    return [due for due in match.game.waiting(match.fold.state) if due.told]


def reminder(match: Match, due: Due, now: int = 0) -> Item:
    """The reminder of what a player owes, named by the entry since which they owe it, plus `r`.

    Args:
        now: The present instant, ms. By default the end is still to come, as for all reminders in the outbox.
    """
    table, on = match.table, match.table.round
    seq = max((o.entry.seq for o in match.fold.outcomes if due.since in o.times), default=1)
    place = (PUBLIC_VIEWER, *table.seats).index(due.who)
    sheets = on.sheets.get(due.who, ()) if on is not None and on.opened == due.since else ()
    are, were, they, have = ("are", "were", "They", "have") if " and " in due.what else ("is", "was", "It", "has")
    late = any(sheet.late for sheet in sheets)
    came = "What came later counts only if a host rules so." if late else f"{they} {have} not come."
    missing = f"A reminder: your {due.what} {are} still missing."
    if due.until is None:
        said = text(missing)
    elif now < due.until:
        said = text(f"{missing} {they} {are} due ", When(due.until), ".")
    else:
        said = text(f"Your {due.what} {were} due ", When(due.until), f". {came}")
    return Item(f"{seq}{letter(place)}r", seq, due.since, due.who, channel_of(table, due.who), Notice(below=(said,)))


# ---- posted texts that are no longer true ----------------------------------------------------------------------------


class Drift(NamedTuple):
    """A posted text that says something else now, or that should not have been posted."""

    item: str
    audience: str
    channel: str
    what: str
    """What is wrong with it, for hosts."""
    posted: int
    """The newest mark of its posting."""
    before: Item
    """The text as its readers know it."""
    now: Item | None
    """The text of that name now, or None if it no longer exists."""
    textual: bool = False
    """It was posted from another copy of the log, so only its wording is known, and no text has this wording now."""
    carriers: tuple[Item, ...] = ()
    """Texts with other names that have some of its sentences now."""
    known: int = 0
    """How many lines of the log the posted text was made from."""

    def as_json(self) -> dict[str, str]:
        return {"item": self.item, "channel": self.channel, "what": self.what}


class Postmark(NamedTuple):
    """A `posted` entry in effect, which says that a text, or one message of it, was posted or dropped."""

    seq: int
    action: shared.Posted
    body: Body
    known: int
    """How many lines of the log the text was made from: up to this entry, or up to the claim before it was sent."""
    brought: bool
    """It was joined from another copy of the log, so only the wording of the text can be compared."""

    @property
    def text(self) -> str:
        """The text as it was posted, without its receipt, which differs between copies of the log."""
        return without_receipt(self.action.text)

    @property
    def link(self) -> str:
        """The link to the message that was posted; empty if none is known."""
        return "" if self.action.dropped else self.body.evidence or ""


def drifting(match: Match, items_now: Mapping[str, Item], settled: Mapping[str, Sequence[Postmark]]) -> Iterator[Drift]:
    """The posted texts whose present content differs from what their audience was last told.

    Args:
        items_now: The texts that the log asks for now, by name.
        settled: Text -> the marks of its posting: its own, one for each of its messages, or that of a correction.
    """
    disturbing = disturbances(match)
    for name, marks in settled.items():
        current = _without_end(items_now.get(name))
        brought = [mark for mark in marks if mark.brought and not mark.action.covers]
        if brought:
            if any(not _says(current, mark) for mark in brought):
                yield _drift_of_brought(items_now, name, current, brought)
            continue
        latest = max(mark.known for mark in marks)
        later = (seq for seq in disturbing if seq > latest)
        first_after = next((seq for seq in later if not _corrects(match, items_now, settled, seq, name)), None)
        if first_after is None:
            continue
        # Between two disturbances no posted text changes, so one fold serves all texts posted there.
        before = _without_end(texts_at(match, first_after - 1).get(name))
        if before is None and current is not None:
            before = current._replace(notice=Notice())  # a correction took it back, and now it is true again
        if before is None or (current is not None and before.notice == current.notice):
            continue
        if current and not (_read_back(match, current) or _read_back(match.as_known(first_after - 1), before)):
            continue  # another sheet counts in its place, now as then
        yield _drift(name, marks, before, current)


def _without_end(item: Item | None) -> Item | None:
    """The text; if all that it tells was of an end that a `reopen` took back, without content."""
    return item._replace(notice=Notice()) if item is not None and item.reopened else item


def _corrects(match: Match, items: Mapping[str, Item], told: Container[str], seq: int, name: str) -> bool:
    """Whether this entry is a `reopen` whose text for everybody, or for the readers of `name`, is a correction that was
    posted or is to be posted.

    Args:
        told: The names of the posted texts.
    """
    if match.book.entries[seq - 1].body.do != "reopen":
        return False
    texts = (items.get(f"{seq}{audience}") for audience in (letter(0), name.lstrip("0123456789")))
    return any(text and (text.name in told or not text.reopened) and _tells_result(text.notice) for text in texts)


def _says(current: Item | None, mark: Postmark) -> bool:
    """Whether the text, or its message of that name, has the words that were posted."""
    told = None if current is None else current.posted_as(mark.action.item, mark.action.parts)
    return told is not None and without_receipt(told) == mark.text


def _drift_of_brought(items: Mapping[str, Item], name: str, current: Item | None, marks: Sequence[Postmark]) -> Drift:
    action = marks[-1].action
    place = (action.audience, action.channel)
    in_place = (item for item in items.values() if (item.audience, item.channel) == place)
    same_text = next((item for item in in_place if without_receipt(item.text) == marks[-1].text), None)
    notice = same_text.notice if same_text else current.notice._replace(below=()) if current else Notice()
    before = Item(name, max(mark.seq for mark in marks), Instant(0), action.audience, action.channel, notice)
    return _drift(name, marks, before, current)._replace(textual=same_text is None)


def half_told(
    match: Match, items_now: Mapping[str, Item], told: Container[str], half: Mapping[str, Sequence[Postmark]]
) -> Iterator[Drift]:
    """The drifts of texts with only some messages posted. If these are unchanged there is none: the others may follow.

    Args:
        told: The names of the texts that were posted whole.
        half: Text with only some messages settled -> the marks of these.
    """
    for name, marks in half.items():
        current, posted = _without_end(items_now.get(name)), [mark for mark in marks if not mark.action.dropped]
        if all(_says(current, mark) for mark in posted):
            continue
        by = current.reopened if current is not None else ""
        if by and _corrects(match, items_now, told, entry_of(by), name):
            continue
        known_lines = max(mark.known for mark in posted)
        item = texts_at(match, known_lines).get(name) or current
        lines = dict.fromkeys(line for mark in posted if item for line in sentences_in(item, mark.text))
        action, on = posted[-1].action, item.round if item else ""
        before = Item(name, known_lines, Instant(0), action.audience, action.channel, Notice(tuple(lines)), round=on)
        yield _drift(name, posted, before, current)


def made_wrong_by(match: Match, drift: Drift) -> int:
    """The first entry after which the text differs from what was told; its mark, if it was posted from another copy."""
    if drift.now is not None and drift.now.name != drift.item:
        return drift.now.seq
    for seq in disturbances(match) if not drift.textual else ():
        if seq > drift.known and _told_by(texts_at(match, seq).get(drift.item)) != drift.before.notice:
            return seq
    return drift.posted


def last_changed_by(match: Match, drifts: Sequence[Drift]) -> int:
    """The newest entry that changed one of these texts of everybody, or chose again; at least their newest mark.

    Its readers see what it changed: an entry that only moves sentences from one of their texts to another is none.
    """
    texts = [item for drift in drifts for item in (drift.now, *drift.carriers) if item is not None]
    names = {*(drift.item for drift in drifts), *(item.name for item in texts)}
    chosen = (drift.now.seq for drift in drifts if drift.now is not None and drift.now.name != drift.item)
    latest = max((*chosen, *(drift.posted for drift in drifts)))
    for seq in reversed(disturbances(match)):
        if seq <= latest:
            break
        before, after = (
            {name: item for name, item in texts_at(match, known).items() if item.audience == PUBLIC_VIEWER}
            for known in (seq - 1, seq)
        )
        changed = any(_told_by(before.get(name)) != _told_by(after.get(name)) for name in names)
        if changed and _told(before.values()) != _told(after.values()):
            return seq
    return latest


def _told(items: Iterable[Item]) -> tuple[Counter[Any], set[tuple[Block, ...]]]:
    """What these texts tell, whichever of them tells it."""
    told = [_told_by(item) for item in items]
    return Counter(line for notice in told for line in notice.lines), {notice.below for notice in told}


def _told_by(item: Item | None) -> Notice:
    """What the text tells; nothing if there is none, or if all that it tells was of an end that was taken back."""
    return item.notice if item is not None and not item.reopened else Notice()


def rechosen(items: Mapping[str, Item], settled: Mapping[str, Sequence[Postmark]]) -> Iterator[Drift]:
    """The posted texts of choices that their players have made again since. The text of the new choice carries it."""
    chosen = [item for item in items.values() if item.sheet.startswith(CHOICE) and not item.reopened]
    for of_one in grouped(((item.audience, item.sheet), item) for item in chosen).values():
        told = [item for item in of_one if settled.get(item.name)]
        if told and (newest := of_one[-1]).name not in settled:
            yield _drift(told[-1].name, settled[told[-1].name], told[-1], newest)._replace(carriers=(newest,))


def _drift(name: str, marks: Sequence[Postmark], before: Item, current: Item | None) -> Drift:
    verdict, known = _verdict(before, current), max(mark.known for mark in marks)
    posted = max(mark.seq for mark in marks)
    return Drift(name, before.audience, before.channel, verdict, posted, before, current, known=known)


def followed(drifted: Sequence[Drift], waiting: Sequence[Item]) -> tuple[tuple[Drift, ...], set[str]]:
    """The drifts that remain if sentences posted under another name are accounted for, and the names of those texts.

    If a different entry now lets an end pass or completes a vote, a sentence posted under one name waits under another
    name. The change of name may reveal a hidden entry, so the sentence is neither posted again nor corrected.
    """
    remaining: list[Drift] = []
    carrier_names: set[str] = set()
    for (audience, channel), group in grouped(((drift.audience, drift.channel), drift) for drift in drifted).items():
        texts = [item for item in waiting if (item.audience, item.channel) == (audience, channel)]
        carriers, unchanged = _carriers(group, texts)
        carrier_names.update(item.name for item in carriers)
        for drift in group if not unchanged else ():
            if same := [item for item in carriers if item.notice == drift.before.notice]:
                carriers.remove(same[0])  # it stands word for word, whatever else of its audience has changed
                continue
            own = tuple(item for item in carriers if set(lines_of(item)) & set(lines_of(drift.before)))
            what = _verdict(drift.before, drift.now or next(iter(own), None))
            remaining.append(drift._replace(what=what, carriers=own))
    return tuple(remaining), carrier_names


def _carriers(group: Sequence[Drift], waiting: Iterable[Item]) -> tuple[list[Item], bool]:
    """The waiting texts whose sentences were all posted under other names, and whether they account for all drift."""
    lines_before = Counter(line for drift in group for line in lines_of(drift.before))
    lines_now = Counter(line for drift in group for line in lines_of(drift.now))
    missing, carriers = lines_before - lines_now, []
    for item in waiting:
        if (lines := Counter(lines_of(item))) <= missing:
            missing -= lines
            carriers.append(item)
        elif item.audience == PUBLIC_VIEWER and item.notice.below:
            break  # it shows how things stood before what follows, which must be told after it
    items_now = [*(drift.now for drift in group if drift.now), *carriers]
    unchanged = not (missing or lines_now - lines_before or any(drift.textual for drift in group))
    below_before, below_now = {drift.before.notice.below for drift in group}, {item.notice.below for item in items_now}
    return carriers, unchanged and below_before - {()} == below_now - {()}


def _verdict(before: Item, current: Item | None) -> str:
    if current is not None:
        return "it says something else now" if current.notice else "what it says no longer counts"
    if before.audience == PUBLIC_VIEWER:
        return "it should not have been posted, and may be deleted there"
    return "it was sent in error"


CORRECTING = ("undo", "redo", "amend", "reopen")


def disturbances(match: Match) -> list[int]:
    """The numbers of the entries that can make earlier posted texts wrong: corrections, late entries and reopens."""
    entries, log = match.book.entries, match.fold.layout
    late = late_entries(entries, log)
    correcting = [entry for entry in entries if entry.seq in late or entry.body.do in CORRECTING]
    return [entry.seq for entry in correcting if not is_posting_mark(entry, entries, log)]


# ---- waiting and sent texts ------------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """A text that a host began to send, while no entry says whether it was sent.

    The host may still be sending it, or it is doubtful: sent without an answer, or never sent. It is never sent again
    automatically. Source: docs/decisions/0034-a-post-is-claimed.md.
    """

    seq: int
    by: str
    at: int
    action: shared.Posting


class Outbox(NamedTuple):
    waiting: tuple[Item, ...]
    """Oldest first, split into messages that fit Discord; a correction comes before newer texts of its audience."""
    sent: Mapping[str, Postmark]
    """Name of the text, or of one message of it -> the last mark that it was posted or dropped."""
    drifted: tuple[Drift, ...]
    superseded: tuple[tuple[Item, str], ...] = ()
    claims: Mapping[str, Claim] = {}
    """Name of the text -> its claim. The text may have changed since, or no longer exist."""
    gone: tuple[Item, ...] = ()
    """Texts for players who left before these were posted; they will not be posted. Source: S-G3."""

    @property
    def unclaimed(self) -> list[Item]:
        """The waiting texts that no host has begun to send."""
        return [item for item in self.waiting if item.name not in self.claims]


class _Statuses(NamedTuple):
    sent: Mapping[str, Postmark]
    settled: Mapping[str, tuple[Postmark, ...]]
    """Text -> the marks of the posts that last told it to its audience; empty if it was dropped and never told."""
    half: Mapping[str, tuple[Postmark, ...]]
    """Text with only some messages settled -> the marks of these."""
    claims: Mapping[str, Claim]


def posted_marks(match: Match, claims: dict[str, Claim] | None = None) -> Iterator[Postmark]:
    """The marks of the `posted` entries in effect, in order; unreadable ones are skipped.

    Args:
        claims: Filled with the claims that are still open.
    """
    claims = {} if claims is None else claims
    struck, joined = match.fold.marks.struck, match.fold.layout.joined
    for entry in match.fold.layout.about:
        seq, body = entry.seq, entry.body
        if body.do not in ("posted", "posting"):
            continue
        try:
            if body.do == "posting":
                posting = reader(shared.Posting)(body.args)
                if seq not in struck:
                    claims[posting.item] = Claim(seq, body.by, body.recorded, posting)
                continue
            action = reader(shared.Posted)(body.args)
        except Unreadable:
            continue
        claim = claims.pop(action.item, None)  # even a struck mark settles the claim
        if seq not in struck:
            known_lines = claim.seq if claim is not None and claim.action.text == action.text else seq
            yield Postmark(seq, action, body, known_lines, seq in joined)


def _statuses(match: Match) -> _Statuses:
    sent: dict[str, Postmark] = {}
    settled: dict[str, tuple[Postmark, ...]] = {}
    parts: dict[str, dict[int, Postmark]] = {}
    claims: dict[str, Claim] = {}
    for mark in posted_marks(match, claims):
        action = mark.action
        sent[action.item] = mark
        whole_name, part = split_name(action.item)
        settled_by: tuple[Postmark, ...] = (mark,)
        if part and action.parts:
            part_marks = parts.setdefault(whole_name, {})
            if any(part_mark.action.parts != action.parts for part_mark in part_marks.values()):
                part_marks.clear()
            part_marks[part] = mark
            if len(part_marks) < action.parts:
                continue
            settled_by = tuple(part_marks.values())
        else:
            parts.pop(whole_name, None)
        settled.setdefault(whole_name, ())
        for name in action.covers:  # by its correction
            settled[name] = settled_by
            parts.pop(name, None)
        if not action.covers and not all(part_mark.action.dropped for part_mark in settled_by):
            settled[whole_name] = settled_by
    half = {name: tuple(marks.values()) for name, marks in parts.items()}
    half = {name: marks for name, marks in half.items() if len(marks) < (marks[0].action.parts or 0)}
    return _Statuses(sent, settled, half, claims)


def outbox(match: Match, now: int | None = None) -> Outbox:
    """Which texts wait, which were sent, and which of these have drifted.

    Args:
        now: The present instant, ms. If given, due reminders wait too; they depend on the clock alone.
    """
    items_now, statuses = texts_now(match), _statuses(match)
    left = match.table.left  # players who left get no texts: S-G3
    anew = newcomers(match.fold.outcomes, items_now.values())
    told, told_in_part = (_told_to_present(postings, anew, left) for postings in (statuses.settled, statuses.half))
    halves = [*half_told(match, items_now, statuses.settled, told_in_part)]
    corrected = {*statuses.settled, *(drift.item for drift in halves)}
    texts = [*items_now.values(), *(reminders(match, now) if now is not None else ())]
    unsettled = [item for item in texts if item.name not in corrected]
    replaced = replaced_by(items_now, match.fold.outcomes)
    superseded = [
        (item, replaced[item.name])
        for item in unsettled
        if item.name in replaced and (item.reopened or item.name not in statuses.half)
    ]
    superseded_names = {item.name for item, _ in superseded}
    unread = [item for item in unsettled if item.name not in superseded_names]
    gone = [item for item in unread if item.audience in left]
    waiting = [item for item in unread if item.audience not in left]
    unsplit = [item for item in waiting if item.name not in statuses.half]
    followed_drifts, carried_names = followed(tuple(drifting(match, items_now, told)), unsplit)
    chosen = {drift.item: drift for drift in rechosen(items_now, told)}
    drifts = [*(drift for drift in followed_drifts if drift.item not in chosen), *chosen.values(), *halves]
    drifts = [_with_carriers(match, drift, drifts, waiting) for drift in drifts]
    carried_names |= {item.name for drift in drifts for item in drift.carriers}
    waiting = [item for item in waiting if item.name not in carried_names]
    for since, correction in _corrections(match, drifts, statuses, waiting):
        newer = (i for i, item in enumerate(waiting) if item.audience == correction.audience and item.seq > since)
        waiting.insert(next(newer, len(waiting)), correction)
    messages = (part for item in waiting for part in item.in_parts())
    posted_messages = {mark.action.item for marks in statuses.half.values() for mark in marks}
    others = (mark for name, marks in statuses.settled.items() if name not in items_now for mark in marks)
    known = {(mark.action.audience, mark.text) for mark in others}  # the same, posted under the name of an undone entry
    return Outbox(
        tuple(item for item in messages if item.name not in posted_messages),
        statuses.sent,
        tuple(drifts),
        tuple(row for row in superseded if (row[0].audience, without_receipt(row[0].text)) not in known),
        statuses.claims,
        tuple(item for item in gone if (item.audience, without_receipt(item.text)) not in known),
    )


def _told_to_present(
    postings: Mapping[str, tuple[Postmark, ...]], anew: Mapping[str, Item], left: Container[str]
) -> dict[str, tuple[Postmark, ...]]:
    """The texts that their present reader was told, not one who has left or who had the seat before, with their marks.

    Args:
        anew: Player -> the text that tells whoever took over the seat last all that goes with it.
    """
    whole = ((name, marks, marks[-1].action.audience) for name, marks in postings.items() if marks and "+" not in name)
    return {
        name: marks
        for name, marks, reader in whole
        if reader not in left and (reader not in anew or marks[-1].seq > anew[reader].seq)
    }


def to_send(match: Match, now: int) -> Iterator[str]:
    """A line about the texts that `hl outbox` lists at this instant (ms), and one about those perhaps already sent."""
    current = outbox(match, now)
    waiting = len(current.unclaimed)
    corrections = sum(bool(item.covers) for item in current.unclaimed)
    if waiting:
        texts = count(waiting, "text" if corrections < waiting else "correction")
        among = f", {count(corrections, 'correction')} among them" if 0 < corrections < waiting else ""
        yield f"{texts} wait{'s' if waiting == 1 else ''} to be sent{among}: hl outbox"
    if current.claims:
        yield f"{count(len(current.claims), 'text')} may have been sent or not: hl outbox"


def _corrections(
    match: Match, drifted: Sequence[Drift], statuses: _Statuses, waiting: Sequence[Item]
) -> Iterator[tuple[int, Item]]:
    """For each audience with drifted texts: the entry that first made one wrong, and the text that corrects all."""
    for audience, drifts in grouped((drift.audience, drift) for drift in drifted).items():
        names = tuple(drift.item for drift in drifts)
        carrier_names = tuple(dict.fromkeys(item.name for drift in drifts for item in drift.carriers))
        seq = max(drift.posted for drift in drifts)
        untold = [item for item in waiting if item.audience == audience and _tells_result(item.notice)]
        notice = _correction(match, drifts, audience, statuses, untold)
        channel = channel_of(match.table, audience)
        causes = [made_wrong_by(match, drift) for drift in drifts]
        last = last_changed_by(match, drifts) if audience == PUBLIC_VIEWER else max(causes)
        at = match.book.entries[last - 1].body.recorded
        receipt = match.book.entries[last - 1].hash if audience == PUBLIC_VIEWER else ""
        item = Item(names[0], seq, at, audience, channel, notice, names + carrier_names, receipt)
        numbered = (item._replace(name=f"{names[0]}+{number}") for number in counting(1))
        unused = (item for item in numbered if item.name not in statuses.settled)
        first = min(causes)
        is_told_after = match.book.entries[first - 1].body.do == "reopen"
        yield (
            min([first - is_told_after, *(item.seq - 1 for item in untold)]),
            next(item for item in unused if all(_says(item, mark) for mark in statuses.half.get(item.name, ()))),
        )


def _as_last_told(
    match: Match, drifts: Sequence[Drift], audience: str, statuses: _Statuses, untold: Sequence[Item]
) -> Any:
    """The state of the match as this audience was last told its result: without the entries whose texts of it waited
    then, too.

    What an earlier entry brought, of whose text the result was no part yet, was told with the rest.
    """
    last, known = max(drift.posted for drift in drifts), 0
    for name, marks in statuses.settled.items():
        posted = [mark for mark in marks if mark.action.audience == audience and not mark.action.dropped]
        if any(CORRECTION in mark.text for mark in posted):  # it told how the result stands
            last = max(last, posted[-1].seq)
            known = max(known, posted[-1].known if posted[-1].action.covers else entry_of(name))
    then = texts_at(match, last - 1)
    unread = [*untold, *(item for drift in drifts for item in drift.carriers)]
    waited = (item for item in unread if item.seq > known or _tells_result(_told_by(then.get(item.name))))
    return _without(match.as_known(last - 1), waited)


def _tells_result(notice: Notice) -> bool:
    return any(map(_is_of_result, notice.lines))


def _is_of_result(line: Any) -> bool:
    return str(line[0]).startswith(CORRECTION)


def _reasons(match: Match, state: Any, audience: str) -> list[Any]:
    """The reasons of the result, as far as the audience may know it; of a player their own."""
    player, result = "" if audience == PUBLIC_VIEWER else audience, match.game.result(state, audience)
    return [(line,) for line in reason_lines(match.frame(state, audience), result, player)]


def _without(match: Match, items: Iterable[Item]) -> Any:
    """The state of the match if the entries of these texts were undone."""
    return match.supposing(*(shared.Undo(item.seq) for item in items if item.seq <= len(match.book.entries))).fold.state


def changed_result(match: Match, before: Any, after: Any, audience: str, places: bool) -> tuple[Any, ...]:
    """What changed in the result that the audience knows, of places only if `places`; a correction says why itself."""
    return match.game.tell(after, match.game.changed(before, after, "", places), audience).lines


def _correction(
    match: Match, drifts: Sequence[Drift], audience: str, statuses: _Statuses, untold: Sequence[Item]
) -> Notice:
    """The correction of these texts.

    Args:
        untold: The waiting texts that tell that audience what changed in the result.
    """
    state, is_public = match.fold.state, audience == PUBLIC_VIEWER
    marks = (mark for mark in posted_marks(match) if mark.action.audience == audience and not mark.action.dropped)
    read = "\n".join(mark.text for mark in marks)
    drifts = [_as_told(match, drift, read) for drift in drifts]
    changed = (item for drift in drifts for item in (drift.now or _stands(match, drift), *drift.carriers) if item)
    texts = [item for item in (_read_back(match, item) for item in changed) if item is not None]
    both = (*(drift.before for drift in drifts), *texts)
    label = partial(_label, match, {line: item.round for item in both for line in item.notice.lines})
    latest = max(drift.posted for drift in drifts)
    standing = _report(match, audience)

    # The sentences: those told, and those of now. Of what was asked and is settled by now neither is mentioned.
    old_lines = dict.fromkeys(line for drift in drifts for line in drift.before.notice.lines)
    new_lines = dict.fromkeys(line for item in texts for line in item.notice.lines)
    told_below = {line for drift in drifts for line in _in_lists(drift.before.notice.below)}
    settled = {line: decision.key for item in texts for line, decision in item.settled(match.table).items()}
    over = {*settled.values()} - {decision.key for decision in match.table.decisions}
    silent = {*settled, *(line for drift in drifts for decision, line in drift.before.asks if decision.key in over)}
    known = {*old_lines, *told_below, *silent}
    replacements = [
        (label("True now", line), *line) for line in new_lines if line not in known and not _is_of_result(line)
    ]

    # The result: what changed in it since they were told, with places only if the report shows places.
    as_told = _as_last_told(match, drifts, audience, statuses, untold)
    places = _report(match, audience, ranking=ABSENT) != standing
    replacements += changed_result(match, as_told, _without(match, untold), audience, places)

    # What is no longer true: of entries undone or amended since it is taken back.
    still = {_bare(line) for line in (*new_lines, *_lines_below(standing))}
    taken_back = dict.fromkeys(_taken_back(match, drifts, still))

    # The reasons of a result, which stand below the sentences. Everybody reads of these in what changed in the result.
    points = sorted({drift.posted - 1 for drift in drifts if drift.before.notice.below})
    reasons_then = (line for seq in points for line in _reasons(match, match.as_known(seq).fold.state, audience))
    reasons = _reasons(match, state, audience)
    gone = (line for line in reasons_then if line in told_below and line not in reasons)
    lost = dict.fromkeys(line for line in gone if _in_words(line) in read)
    if not match.game.over(state):
        taken_back |= lost
    elif not is_public:
        if not any(drift.textual for drift in drifts):
            new = {line for item in texts for line in _in_lists(item.notice.below)} - told_below
            replacements += [("True now: ", *line) for line in reasons if line in new and line not in old_lines]
        old_lines |= lost

    withdrawn = [line for line in old_lines if _bare(line) not in still and line not in {*taken_back, *silent}]
    earlier = (item for item in _texts_for(match, audience) if item.seq < latest and not item.reopened)
    twice = {line for item in earlier for line in item.notice.lines}
    once = "once; where you were told the same before or after, it stands"
    changes = [
        *((label("Taken back", line, *[once] * (line in twice)), *line) for line in taken_back),
        *((label("No longer true", line), *line) for line in withdrawn),
        *replacements,
    ]
    reveals = [*_reveals(match, drifts, standing)] if is_public else []
    if is_public and not (changes or reveals):  # one line of the report may say it all
        shown = {line for drift in drifts for line in _lines_below(drift.before.notice.below)}
        differ = [line for line in _lines_below(standing) if line not in shown]
        changes = [("True now: ", *line) for line in differ if len(differ) == 1]

    was_over = is_public and match.game.over(as_told) and any(drift.before.notice.below for drift in drifts)
    past = all(drift.now is not None and (drift.now.reopened or drift.now.name != drift.item) for drift in drifts)
    wrong = "what we told you is no longer true" if past else "we told you something wrong"
    wrong = "the result that we told you no longer counts" if was_over and not match.game.over(state) else wrong
    introduction = text(f"{CORRECTION}{wrong}. {'What changed:' if changes else 'This is right:'}")
    reveals += [text("How the match stands now:")] if reveals else []
    if not is_public:
        own = {block for item in both for block in item.notice.below}
        standing = [*_for_them_alone(match, standing, own)] or ([] if changes else standing)
        standing = [text("How you stand now:"), *standing] if changes and standing else standing
    return Notice(below=(introduction, *listing(map(_below_a_heading, changes)), *reveals, *standing))


def _report(match: Match, audience: str, **other: Any) -> list[Block]:
    """How the match stands for this audience; with `other`, if that were in the result."""
    state = match.fold.state
    result = match.game.result(state, audience)._replace(**other)
    return match.game.report(match.frame(state, audience), match.game.view(state, audience), result)


def _label(match: Match, rounds: Mapping[Any, str], what: str, line: Any, *notes: str) -> str:
    """The words before a sentence of a correction, with its round if that is not the present one and not in it."""
    present, own = round_of(match.fold.state), rounds.get(line, "")
    named = {present, *rounds.values(), *map(called, match.table.past)} - {""}
    told = own in ("", present) or any(name in _in_words(line).casefold() for name in named)
    notes = notes if told else (own, *notes)
    return f"{what} ({', '.join(notes)}): " if notes else f"{what}: "


def _read_back(match: Match, item: Item) -> Item | None:
    """The text; of a sheet, without what was settled since."""
    outcome = next((o for o in match.fold.outcomes if o.entry.seq == item.seq), None)
    if outcome is None or not any(isinstance(fact, SheetSealed) for fact in outcome.facts):
        return item
    then, _ = match.engine.step(match.fold_until(lambda live: live.seq == item.seq).state, outcome.entry)
    return read_back_now(match.game, item, outcome, then, all_rounds(match.fold.facts))


def _as_told(match: Match, drift: Drift, read: str) -> Drift:
    """The drift without what its readers never `read`: a correction says in its own words how a result has changed, and
    leaves out what is asked no longer, and what was settled of a sheet."""
    before, asked = drift.before, {line for _, line in drift.before.asks}
    if any(_in_words(line) not in read for line in before.notice.lines):
        before = _read_back(match.as_known(drift.known), before) or before._replace(notice=Notice())
    left_out = (line for line in before.notice.lines if _is_of_result(line) or line in asked)
    untold = {line for line in left_out if _in_words(line) not in read}
    lines = tuple(line for line in before.notice.lines if line not in untold)
    return drift._replace(before=before._replace(notice=before.notice._replace(lines=lines)))


def _in_words(line: Any) -> str:
    return discord.render((Items((line,)),)).removeprefix("- ")


def _for_them_alone(match: Match, standing: Sequence[Block], own: Container[Block]) -> Iterator[Block]:
    """How the match stands for a player, without what everybody is shown too, unless their own texts show it: what
    everybody is shown may change without them, and a correction for everybody tells it.
    """
    public, above = {part for block in _report(match, PUBLIC_VIEWER) for part in _parts(block)}, None
    for heading, block in _headed(standing):
        if block in own or not public.issuperset(_parts(block)):
            yield from (heading,) if heading is not None and heading != above else ()
            yield block
            above = heading


def _parts(block: Block) -> Sequence[Any]:
    """A block, or of a table its rows: to a player it shows the others."""
    return [(block.header, row) for row in block.rows] if isinstance(block, Table) else [block]


def _reveals(match: Match, drifts: Sequence[Drift], standing: Sequence[Block]) -> Iterator[Block]:
    """What everybody was told wrong below the sentences, as it is now, under its headings; without what is in the
    standing, which shows the last round in its own way."""
    shown = {*_headed(standing)}
    reveals = [item.name for item in _texts_for(match, PUBLIC_VIEWER) if item.notice.below]
    for drift in drifts:
        was = {*_headed(drift.before.notice.below)}
        for item in filter(None, (drift.now, *drift.carriers)):
            title: tuple[Block, ...] = item.notice.below[:1]
            rows = (row for row in _headed(item.notice.below) if row not in was | shown)
            new = [row for row in rows if item.name not in reveals[-1:] or row[1] not in standing]
            if new and title != tuple(standing[:1]):  # a report of the whole match is in the standing
                yield from dict.fromkeys(block for row in (title, *new) for block in row if block is not None)


def _headed(blocks: Iterable[Block]) -> Iterator[tuple[Heading | None, Block]]:
    """Each block with the heading above it."""
    heading = None
    for block in blocks:
        if isinstance(block, Heading):
            heading = block
        else:
            yield heading, block


def _below_a_heading(line: Any) -> Any:
    """The sentence without the opening words of a correction, which are above the list that it is put into."""
    first, *rest = (part.removeprefix(CORRECTION) if isinstance(part, str) else part for part in line)
    return (upper(first) if isinstance(first, str) else first, *rest)


def _with_carriers(match: Match, drift: Drift, drifts: Sequence[Drift], waiting: Sequence[Item]) -> Drift:
    """The drift with the waiting texts that its correction carries: the one that holds again instead of it; and for the
    last of its audience the older ones that came into being, or became others, after it was posted, and show how things
    stood before the last text. Read after the correction, these would be what is read last.
    """
    carriers = [*drift.carriers]
    if drift.now is None and (standing := _stands(match, drift)) in waiting and standing:
        carriers.append(standing)
    if drift.posted == max(other.posted for other in drifts if other.audience == drift.audience):
        texts = [item for item in _texts_for(match, drift.audience) if item.notice.below]
        older = [item for item in texts if item.seq < drift.posted and item.notice.below != texts[-1].notice.below]
        then = texts_at(match, drift.posted)
        carriers += [item for item in older if item in waiting and _told_by(then.get(item.name)) != item.notice]
    return drift._replace(carriers=tuple(dict.fromkeys(carriers)))


def _stands(match: Match, drift: Drift) -> Item | None:
    """The text that read back the sheet that counts now, after a later sheet of its kind or a withdrawal was undone; or
    that said what a player had chosen, or a round had brought, after that was done again, or undone
    and done again."""
    texts = [item for item in _texts_for(match, drift.audience) if item.sheet and not item.reopened]
    if drift.before.sheet.startswith((CHOICE, RESOLVED)):
        return next((item for item in reversed(texts) if item.sheet == drift.before.sheet), None)
    round_, _, kind = drift.before.sheet.rpartition("/")
    on = match.table.round
    if on is None or on.name != round_:
        return None
    seqs = [sheet.seq for sheet in counted(on, drift.audience) if kind_of_sheet(match.game, sheet.content) == kind]
    return next((item for item in texts if [item.seq] == seqs[-1:]), None)


def _texts_for(match: Match, audience: str) -> list[Item]:
    return [item for item in texts_now(match).values() if item.audience == audience]


def _lines_below(blocks: Sequence[Block]) -> Iterator[Any]:
    yield from _in_lists(blocks)
    yield from (block.spans for block in blocks if isinstance(block, Text))


def _in_lists(blocks: Iterable[Block]) -> Iterator[Any]:
    return (line for block in blocks if isinstance(block, Items) for line in block.items)


def _bare(line: Any) -> str:
    """The words of a line, bold or not, without a full stop: sentences have one, lines of how things stand none."""
    return "".join(part.text if isinstance(part, Strong) else str(part) for part in line).removesuffix(".")


def _taken_back(match: Match, drifts: Sequence[Drift], still: Container[Any]) -> Iterator[Any]:
    """The sentences told about entries undone or amended since, each to the audience that was told it.

    Args:
        still: The lines that are true now, bare.
    """
    amended = {seq: amends[-1].seq for seq, amends in match.fold.marks.amended.items()}
    corrected = {**amended, **match.fold.marks.struck}
    for drift in drifts:
        if corrected.get(drift.before.seq, 0) >= drift.posted:
            yield from (line for line in drift.before.notice.lines if _bare(line) not in still)


def summary_news(match: Match, audience: str) -> list[Block]:
    """The sentences of the texts that wait for this audience, below an introduction; empty if none waits."""
    waiting = [item for item in outbox(match).waiting if item.audience == audience and not item.covers]
    lines = dict.fromkeys((item.seq, line) for item in waiting for line in sentences_in(item, item.text))
    return [text("New since the last text posted to you:"), items(*(line for _, line in lines))] if lines else []


def head_line(item: Item, zone: str) -> str:
    """`22b  text for ann in #ann, of 2026-03-02 18:42:00 CET`."""
    is_reminder = re.fullmatch(r"\d+[b-z]r", item.whole) is not None
    kind = "correction" if item.covers else "reminder" if is_reminder else "text"
    return f"{item.name}  {kind} for {item.audience} in {item.channel}, of {show_time(item.at, zone)}"
