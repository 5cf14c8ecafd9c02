"""The outbox: every text that somebody has to post, with its channel, until it is posted; and the corrections.

`posted` keeps what was really sent, `posting` that a host began to send it. What has drifted becomes one correction an
audience. Belongs here: what became of each text. Does not belong here: which texts there are (texts.py).
Source: design section 7; docs/decisions/0012, 0033, 0034.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from events import Entry, Unreadable
from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.kit.blocks import Block, Notice, items, listing, text
from games.records import reader
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.tell.drift import Drift, Mark, disturbances, drifting, followed, half_told
from ledger.tell.texts import (
    Item,
    channel_of,
    corrected,
    lines_of,
    reminders,
    sentences_in,
    split_name,
    texts_now,
)


class Sent(NamedTuple):
    """What became of an item: the entry that says so, and the text as it was posted."""

    seq: int
    by: str
    at: int
    text: str
    dropped: bool
    link: str = ""
    """The message in which it stands, where the ledger posted it."""


class Claim(NamedTuple):
    """A text that a host began to send, and of which no entry says what became of it.

    The host may be at it, or it may be doubtful: sent without an answer, or not sent at all. Nobody sends it again by
    itself. Source: docs/decisions/0034-a-post-is-claimed.md.
    """

    seq: int
    by: str
    at: int
    """When the sending began, ms."""
    said: shared.Posting


class Outbox(NamedTuple):
    """The outbox as it is now."""

    waiting: tuple[Item, ...]
    """Oldest first, in messages that Discord takes; corrections last."""
    sent: Mapping[str, Sent]
    drifted: tuple[Drift, ...]
    superseded: tuple[tuple[Item, str], ...] = ()
    """A text that was not posted, and the one that took its place."""
    claims: Mapping[str, Claim] = {}
    """By the name of the text, which may say something else by now, or be none any more."""
    gone: tuple[Item, ...] = ()
    """Texts that were not posted to players who have left since: nobody posts them. Source: S-G3."""


class _Kept(NamedTuple):
    """What the entries say that became of texts."""

    sent: Mapping[str, Sent]
    settled: Mapping[str, tuple[Mark, ...]]
    """Text -> the marks that last told its audience the truth about it; none: it was dropped, and nothing told."""
    half: Mapping[str, tuple[Mark, ...]]
    """Text of which some messages are settled and others are not -> the marks of those."""
    claims: Mapping[str, Claim]


def posted_entries(match: Match) -> Iterator[tuple[Entry, shared.Posted]]:
    """The `posted` entries in effect, in order; one that cannot be read says nothing."""
    return ((entry, mark.said) for entry, mark in _marks(match, {}))


def posted_marks(match: Match) -> Iterator[Mark]:
    """The same, each with what was known when it was sent."""
    return (mark for _, mark in _marks(match, {}))


def _marks(match: Match, claims: dict[str, Claim]) -> Iterator[tuple[Entry, Mark]]:
    """The marks of posting in effect, in order. `claims` gets those that are still open at each."""
    struck, joined = match.fold.marks.struck, match.fold.layout.joined
    for entry in match.fold.layout.about:
        seq, body = entry.seq, entry.body
        if body.do not in ("posted", "posting"):
            continue
        try:
            if body.do == "posting":
                claimed = reader(shared.Posting)(body.args)
                if seq not in struck:
                    claims[claimed.item] = Claim(seq, body.by, body.recorded, claimed)
                continue
            said = reader(shared.Posted)(body.args)
        except Unreadable:
            continue
        claim = claims.pop(said.item, None)  # struck or not: a host has said what became of it
        if seq not in struck:
            known = claim.seq if claim is not None and claim.said.text == said.text else seq
            yield entry, Mark(seq, said, known, seq in joined)


def _kept(match: Match) -> _Kept:
    sent: dict[str, Sent] = {}
    settled: dict[str, tuple[Mark, ...]] = {}
    parts: dict[str, dict[int, Mark]] = {}
    claims: dict[str, Claim] = {}
    for entry, mark in _marks(match, claims):
        said = mark.said
        link = "" if said.dropped else entry.body.evidence or ""
        sent[said.item] = Sent(entry.seq, entry.body.by, entry.body.recorded, said.text, said.dropped, link)
        whole, part = split_name(said.item)
        told: tuple[Mark, ...] = (mark,)
        if part and said.parts:
            found = parts.setdefault(whole, {})
            if any(one.said.parts != said.parts for one in found.values()):
                found.clear()
            found[part] = mark
            if len(found) < said.parts:
                continue
            told = tuple(found.values())
        else:
            parts.pop(whole, None)
        for name in said.covers or (whole,):
            if said.covers or not all(one.said.dropped for one in told):
                settled[name] = told
            else:
                settled.setdefault(name, ())
        if whole not in settled:
            settled[whole] = ()
    half = {name: tuple(found.values()) for name, found in parts.items() if _is_half(name, found, settled)}
    return _Kept(sent, settled, half, claims)


def _is_half(name: str, found: Mapping[int, Mark], settled: Mapping[str, tuple[Mark, ...]]) -> bool:
    """Were some messages of the text settled, and others not, since it was last told or corrected?"""
    latest = max(mark.seq for mark in found.values())
    told = max((mark.seq for mark in settled.get(name, ())), default=0)
    return len(found) < (next(iter(found.values())).said.parts or 0) and latest > told


def outbox(match: Match, now: int | None = None) -> Outbox:
    """What waits, what was sent, and what of it has drifted.

    Args:
        now: The present instant, ms: with it the reminders that are due wait too. They change with the clock alone.
    """
    items_now, kept = texts_now(match), _kept(match)
    texts = [*items_now.values(), *(reminders(match, now) if now is not None else ())]
    left = match.table.left
    gone = tuple(item for item in texts if item.audience in left and item.name not in kept.settled)
    texts = [item for item in texts if item.audience not in left]  # who has left gets no texts: S-G3
    told = {name: marks for name, marks in kept.settled.items() if marks and "+" not in name}
    halves = [half_told(match, items_now, name, marks) for name, marks in kept.half.items() if "+" not in name]
    changed = {drift.item for drift in halves if drift is not None}
    open_ = [item for item in texts if item.name not in kept.settled and item.name not in changed]
    superseded = _superseded([item for item in items_now.values() if item.sheet], open_, kept)
    superseded += _before_a_replace(match, items_now, open_, kept)
    out = {item.name for item, _ in superseded}
    waiting = [item for item in open_ if item.name not in out]
    whole = [item for item in waiting if item.name not in kept.half]
    drifted, moved = followed(tuple(drifting(match, items_now, told)), whole)
    drifted = (*drifted, *(drift for drift in halves if drift is not None))
    drifted = tuple(drift for drift in drifted if drift.audience not in left)
    waiting = [item for item in waiting if item.name not in moved]
    messages = (part for item in (*waiting, *_corrections(match, drifted, kept)) for part in item.in_parts())
    return Outbox(
        tuple(item for item in messages if not _is_settled(item, kept)),
        kept.sent,
        drifted,
        superseded,
        kept.claims,
        gone,
    )


def _is_settled(item: Item, kept: _Kept) -> bool:
    """Is it a message of a text that is settled in part, and one of those that are?"""
    return item.part > 0 and any(split_name(mark.said.item)[1] == item.part for mark in kept.half.get(item.whole, ()))


def _superseded(sheets: Sequence[Item], texts: Sequence[Item], kept: _Kept) -> tuple[tuple[Item, str], ...]:
    """The texts that read back a sheet which a later one has replaced: their reader needs them no more."""
    latest = {(item.audience, item.sheet): item.name for item in sheets}
    later = ((item, latest.get((item.audience, item.sheet), item.name)) for item in texts)
    return tuple((item, name) for item, name in later if name != item.name and item.name not in kept.half)


def _before_a_replace(
    match: Match, items: Mapping[str, Item], open_: Sequence[Item], kept: _Kept
) -> tuple[tuple[Item, str], ...]:
    """Texts for the one who sat there before: whoever takes a seat over is told the whole of it. Source: S-G3."""
    places = {name: place for place, name in enumerate(items)}
    latest: dict[str, str] = {}
    for item in items.values():
        body = match.book.entries[item.seq - 1].body
        if body.do == "replace" and body.args.get("player") == item.audience:
            latest[item.audience] = item.name
    found = ((item, latest.get(item.audience, item.name)) for item in open_ if item.name in places)
    return tuple(
        (item, name) for item, name in found if places[item.name] < places[name] and item.name not in kept.half
    )


def _corrections(match: Match, drifted: Sequence[Drift], kept: _Kept) -> Iterator[Item]:
    """One text for each audience that was told something wrong: what no longer holds, what does, how it stands."""
    by_audience: dict[str, list[Drift]] = {}
    for drift in drifted:
        by_audience.setdefault(drift.audience, []).append(drift)
    for audience, listed in by_audience.items():
        names = tuple(drift.item for drift in listed)
        moved = tuple(dict.fromkeys(item.name for drift in listed for item in drift.carriers))
        said = _correction(match, listed, audience)
        seq = max(drift.posted for drift in listed)
        where = channel_of(match.table, audience)
        last = max((*disturbances(match), *(drift.posted for drift in listed)))
        receipt = match.book.entries[last - 1].hash if audience == PUBLIC_VIEWER else ""
        item = Item(names[0], seq, match.fold.last, audience, where, said, names + moved, receipt)
        numbered = (item._replace(name=f"{names[0]}+{number}") for number in count(1))
        yield next(one for one in numbered if one.name not in kept.settled and not _is_other(one, kept))


def _is_other(item: Item, kept: _Kept) -> bool:
    """Were messages of another text posted under its name?"""
    texts, posted = item.messages, kept.half.get(item.name, ())
    return any(
        len(texts) != mark.said.parts or texts[split_name(mark.said.item)[1] - 1] != mark.said.text for mark in posted
    )


def _correction(match: Match, listed: Sequence[Drift], audience: str) -> Notice:
    old = dict.fromkeys(line for drift in listed for line in drift.then.said.lines)
    texts = [item for drift in listed for item in (drift.today, *drift.carriers) if item is not None]
    new = dict.fromkeys(line for item in texts for line in item.said.lines)
    gone = [("No longer: ", *line) for line in old if line not in new]
    come = [("Instead: ", *line) for line in new if line not in old]
    state = match.fold.state
    known = match.as_known(max(drift.posted for drift in listed) - 1).fold.state
    was = [
        line
        for item in corrected(match.game, known, state, Instant(0))
        if item.audience == audience
        for line in lines_of(item)
    ]
    come += [line for line in was if line not in new]
    view, result = match.game.view(state, audience), match.game.result(state, audience)
    standing = match.game.report(match.frame(state, audience), view, result)
    return Notice(below=(text("A correction of what we told you before."), *listing([*gone, *come]), *standing))


def summary_news(match: Match, audience: str) -> list[Block]:
    """What has happened for this audience since the last text that was posted to it."""
    waiting = [item for item in outbox(match).waiting if item.audience == audience and not item.covers]
    lines = dict.fromkeys((item.seq, line) for item in waiting for line in sentences_in(item))
    return [text("New since the last text posted to you:"), items(*(line for _, line in lines))] if lines else []


def head_line(item: Item, zone: str) -> str:
    """`22b  to #ann  since 2026-03-02 18:42:00 CET`."""
    kind = "correction" if item.covers else "text"
    return f"{item.name}  {kind} for {item.audience} in {item.channel}, of {show_time(item.at, zone)}"
