"""The outbox: every text that has to be posted, with its channel, until it is posted; and the corrections.

A `posted` entry holds the text as it was sent; `posting` records that a host began to send it. All drifted texts of an
audience get one correction. Belongs here: the status of each text. Does not belong here: which texts there are
(texts.py).
Source: docs/reliability.md; docs/decisions/0012, 0033, 0034.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from events import Unreadable
from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.kit.blocks import Block, Notice, items, listing, text
from games.records import reader
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.tell.drift import Drift, Mark, disturbances, drifting, followed, half_told
from ledger.tell.reminders import reminders
from ledger.tell.texts import Item, channel_of, corrected, lines_of, sentences_in, split_name, texts_now


class Sent(NamedTuple):
    """How an item was settled: the entry that records it, and the text as it was posted."""

    seq: int
    by: str
    at: int
    text: str
    dropped: bool
    link: str = ""
    """The link to its message, where the ledger posted it."""


class Claim(NamedTuple):
    """A text that a host began to send, and no entry says whether it was sent.

    The host may still be sending it, or it is doubtful: sent without an answer, or not sent at all. It is never sent
    again automatically. Source: docs/decisions/0034-a-post-is-claimed.md.
    """

    seq: int
    by: str
    at: int
    """When the sending began, ms."""
    action: shared.Posting


class Outbox(NamedTuple):
    """The outbox as it is now."""

    waiting: tuple[Item, ...]
    """Oldest first, in messages that Discord takes; corrections last."""
    sent: Mapping[str, Sent]
    drifted: tuple[Drift, ...]
    superseded: tuple[tuple[Item, str], ...] = ()
    """A text that was not posted, and the name of the text that replaces it."""
    claims: Mapping[str, Claim] = {}
    """By the name of the text, which may have changed since, or no longer exist."""
    gone: tuple[Item, ...] = ()
    """Texts for players who left before they were posted: they are not posted any more. Source: S-G3."""


class _Statuses(NamedTuple):
    """What the entries record about the posting of texts."""

    sent: Mapping[str, Sent]
    settled: Mapping[str, tuple[Mark, ...]]
    """Text -> the marks of the posts that last told it to its audience; empty: it was dropped, never told."""
    half: Mapping[str, tuple[Mark, ...]]
    """Text of which some messages are settled and others are not -> the marks of those."""
    claims: Mapping[str, Claim]


def posted_marks(match: Match, claims: dict[str, Claim] | None = None) -> Iterator[Mark]:
    """The marks of the `posted` entries in effect, in order, without those that cannot be read.

    Args:
        claims: Is kept up to date with those still open.
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
        claim = claims.pop(action.item, None)  # struck or not, it settles the claim
        if seq not in struck:
            known_lines = claim.seq if claim is not None and claim.action.text == action.text else seq
            yield Mark(seq, action, known_lines, seq in joined)


def _statuses(match: Match) -> _Statuses:
    sent: dict[str, Sent] = {}
    settled: dict[str, tuple[Mark, ...]] = {}
    parts: dict[str, dict[int, Mark]] = {}
    claims: dict[str, Claim] = {}
    for mark in posted_marks(match, claims):
        action, body = mark.action, match.book.entries[mark.seq - 1].body
        link = "" if action.dropped else body.evidence or ""
        sent[action.item] = Sent(mark.seq, body.by, body.recorded, action.text, action.dropped, link)
        whole_name, part = split_name(action.item)
        settled_by: tuple[Mark, ...] = (mark,)
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
        for name in action.covers or (whole_name,):
            if action.covers or not all(part_mark.action.dropped for part_mark in settled_by):
                settled[name] = settled_by
            else:
                settled.setdefault(name, ())
        if whole_name not in settled:
            settled[whole_name] = ()
    half = {name: tuple(marks.values()) for name, marks in parts.items() if _is_half(name, marks, settled)}
    return _Statuses(sent, settled, half, claims)


def _is_half(name: str, part_marks: Mapping[int, Mark], settled: Mapping[str, tuple[Mark, ...]]) -> bool:
    """Were some messages of the text settled, and others not, since it was last told or corrected?"""
    latest = max(mark.seq for mark in part_marks.values())
    last_settled = max((mark.seq for mark in settled.get(name, ())), default=0)
    return len(part_marks) < (next(iter(part_marks.values())).action.parts or 0) and latest > last_settled


def outbox(match: Match, now: int | None = None) -> Outbox:
    """Which texts wait, which were sent, and which of these have drifted.

    Args:
        now: The present instant, ms: with it the reminders that are due wait too. They change with the clock alone.
    """
    items_now, statuses = texts_now(match), _statuses(match)
    texts = [*items_now.values(), *(reminders(match, now) if now is not None else ())]
    left = match.table.left
    gone = tuple(item for item in texts if item.audience in left and item.name not in statuses.settled)
    texts = [item for item in texts if item.audience not in left]  # players who left get no texts: S-G3
    told_marks = {name: marks for name, marks in statuses.settled.items() if marks and "+" not in name}
    in_part = (half_told(match, items_now, name, marks) for name, marks in statuses.half.items() if "+" not in name)
    halves = [drift for drift in in_part if drift is not None]
    changed = {drift.item for drift in halves}
    unsettled = [item for item in texts if item.name not in statuses.settled and item.name not in changed]
    superseded = _superseded([item for item in items_now.values() if item.sheet], unsettled, statuses)
    superseded += _before_a_replace(match, items_now, unsettled, statuses)
    superseded_names = {item.name for item, _ in superseded}
    waiting = [item for item in unsettled if item.name not in superseded_names]
    unsplit = [item for item in waiting if item.name not in statuses.half]
    drifted, carried_names = followed(tuple(drifting(match, items_now, told_marks)), unsplit)
    drifted = tuple(drift for drift in (*drifted, *halves) if drift.audience not in left)
    waiting = [item for item in waiting if item.name not in carried_names]
    messages = (part for item in (*waiting, *_corrections(match, drifted, statuses)) for part in item.in_parts())
    return Outbox(
        tuple(item for item in messages if not _is_settled(item, statuses)),
        statuses.sent,
        drifted,
        superseded,
        statuses.claims,
        gone,
    )


def _is_settled(item: Item, statuses: _Statuses) -> bool:
    """Is it one of the settled messages of a text that is settled in part?"""
    marks = statuses.half.get(item.whole, ())
    return item.part > 0 and any(split_name(mark.action.item)[1] == item.part for mark in marks)


def _superseded(sheets: Sequence[Item], texts: Sequence[Item], statuses: _Statuses) -> tuple[tuple[Item, str], ...]:
    """The texts that read back a sheet which a later one has replaced: their reader needs them no more."""
    latest = {(item.audience, item.sheet): item.name for item in sheets}
    pairs = ((item, latest.get((item.audience, item.sheet), item.name)) for item in texts)
    return tuple((item, name) for item, name in pairs if name != item.name and item.name not in statuses.half)


def _before_a_replace(
    match: Match, items: Mapping[str, Item], unsettled: Sequence[Item], statuses: _Statuses
) -> tuple[tuple[Item, str], ...]:
    """Texts for a player who was replaced: whoever takes the seat is told everything about it. Source: S-G3."""
    places = {name: place for place, name in enumerate(items)}
    latest: dict[str, str] = {}
    for item in items.values():
        body = match.book.entries[item.seq - 1].body
        if body.do == "replace" and body.args.get("player") == item.audience:
            latest[item.audience] = item.name
    pairs = ((item, latest.get(item.audience, item.name)) for item in unsettled if item.name in places)
    return tuple(
        (item, name) for item, name in pairs if places[item.name] < places[name] and item.name not in statuses.half
    )


def _corrections(match: Match, drifted: Sequence[Drift], statuses: _Statuses) -> Iterator[Item]:
    """One text for each audience with drifted texts: what no longer holds, what holds instead, how things stand."""
    by_audience: dict[str, list[Drift]] = {}
    for drift in drifted:
        by_audience.setdefault(drift.audience, []).append(drift)
    for audience, drifts in by_audience.items():
        names = tuple(drift.item for drift in drifts)
        carrier_names = tuple(dict.fromkeys(item.name for drift in drifts for item in drift.carriers))
        notice = _correction(match, drifts, audience)
        seq = max(drift.posted for drift in drifts)
        channel = channel_of(match.table, audience)
        last = max((*disturbances(match), seq))
        receipt = match.book.entries[last - 1].hash if audience == PUBLIC_VIEWER else ""
        item = Item(names[0], seq, match.fold.last, audience, channel, notice, names + carrier_names, receipt)
        candidates = (item._replace(name=f"{names[0]}+{number}") for number in count(1))
        yield next(item for item in candidates if _is_free(item, statuses))


def _is_free(item: Item, statuses: _Statuses) -> bool:
    """Was no text settled under the name of this one, and no message of a different text posted?"""
    texts, posted = item.messages, [mark.action for mark in statuses.half.get(item.name, ())]
    return item.name not in statuses.settled and all(
        len(texts) == action.parts and texts[split_name(action.item)[1] - 1] == action.text for action in posted
    )


def _correction(match: Match, drifts: Sequence[Drift], audience: str) -> Notice:
    old_lines = dict.fromkeys(line for drift in drifts for line in drift.before.notice.lines)
    texts = [item for drift in drifts for item in (drift.now, *drift.carriers) if item is not None]
    new_lines = dict.fromkeys(line for item in texts for line in item.notice.lines)
    withdrawn = [("No longer: ", *line) for line in old_lines if line not in new_lines]
    replacements = [("Instead: ", *line) for line in new_lines if line not in old_lines]
    state = match.fold.state
    state_then = match.as_known(max(drift.posted for drift in drifts) - 1).fold.state
    changed_results = [
        item for item in corrected(match.game, state_then, state, Instant(0)) if item.audience == audience
    ]
    replacements += [line for item in changed_results for line in lines_of(item) if line not in new_lines]
    view, result = match.game.view(state, audience), match.game.result(state, audience)
    standing = match.game.report(match.frame(state, audience), view, result)
    introduction = text("A correction of what we told you before.")
    return Notice(below=(introduction, *listing([*withdrawn, *replacements]), *standing))


def summary_news(match: Match, audience: str) -> list[Block]:
    """The sentences of the texts that wait for this audience, under a heading; empty when none does."""
    waiting = [item for item in outbox(match).waiting if item.audience == audience and not item.covers]
    lines = dict.fromkeys((item.seq, line) for item in waiting for line in sentences_in(item))
    return [text("New since the last text posted to you:"), items(*(line for _, line in lines))] if lines else []


def head_line(item: Item, zone: str) -> str:
    """`22b  to #ann  since 2026-03-02 18:42:00 CET`."""
    kind = "correction" if item.covers else "text"
    return f"{item.name}  {kind} for {item.audience} in {item.channel}, of {show_time(item.at, zone)}"
