"""The outbox: every text that somebody has to post, with its channel, until it is posted; and drift.

A text is named by the entry that caused it and a letter for its audience (`22b`), so its name stays when something
is inserted before it. `posted` keeps what was really sent. Drift compares what an item said when it was posted (the
match as known then) with what it says now, both with this engine; what differs becomes one correction an audience.
Which entry lets the clock run, or completes a vote, is no news: what is told in the same words under another entry now
was told already.
Under each text for the public stands a receipt: whoever keeps the message can tell every later change of the log.
Source: design section 7.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from events import Entry, Unreadable
from events.audiences import PUBLIC_VIEWER
from events.record import NamedTuple
from games.contract import Due, Game
from games.kit.blocks import Block, Items, Span, Text, When, items, text
from games.table import Table
from games.table import actions as shared
from ledger.match import Match
from ledger.render import discord
from ledger.render.safe import DiscordText, joined
from ledger.replay import BEFORE_ALL, Engine, Index, Live, Outcome, fold, late_entries
from ledger.times import show_time

PUBLIC_CHANNEL = "the public channel"
RECEIPT_LINE = re.compile(r"\nreceipt ([0-9a-f]{64})\Z")
"""The last line of a text for the public."""


class Item(NamedTuple):
    """One text for one audience."""

    name: str
    seq: int
    at: int
    audience: str
    channel: str
    blocks: tuple[Block, ...]
    covers: tuple[str, ...] = ()
    """For a correction: the items it corrects."""
    receipt: str = ""
    """For the public: the hash of the last line that this text follows from. Later lines do not change it."""

    @property
    def text(self) -> DiscordText:
        """As one pastes it."""
        text = discord.render(self.blocks)
        return joined((text, discord.code(f"receipt {self.receipt}"))) if self.receipt else text


class Sent(NamedTuple):
    """What became of an item: the entry that says so, and the text as it was posted."""

    seq: int
    by: str
    at: int
    text: str
    dropped: bool


class Desk(NamedTuple):
    """The outbox as it is now."""

    waiting: tuple[Item, ...]
    """Oldest first; corrections last."""
    sent: Mapping[str, Sent]
    drifted: tuple[Drift, ...]


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


def letter(place: int) -> str:
    """The letter of an audience: `a` the public, `b` the first seat, ..., `aa` after `z`.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'aa')
    """
    word = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        word = chr(ord("a") + rest) + word
    return word


def channel_of(table: Table, audience: str) -> str:
    """Where a text for that audience goes."""
    if audience == PUBLIC_VIEWER:
        return PUBLIC_CHANNEL
    seat = table.seats[audience]
    return seat.channel or f"a message to {seat.name}"


def collect(match: Match, entries: Sequence[Entry]) -> dict[str, Item]:
    """Every text that these entries ask for, by name, in the order of the match."""
    found: dict[str, Item] = {}

    def watch(outcome: Outcome, state: Any) -> None:
        found.update((item.name, item) for item in _texts_of(match.engine, outcome, state))

    log = fold(match.engine, entries, watch=watch).layout
    texts = _one_text_a_batch(found, lambda seq: entries[seq - 1].body.batch or seq)
    return {name: item._replace(receipt=_receipt(entries, log, item)) for name, item in texts.items()}


def news(engine: Engine, state: Any, before: Iterable[Live], after: Iterable[Live], mine: frozenset[int]) -> list[Item]:
    """What one command has to tell, as the outbox tells it, without what was told to the same audience already.

    Args:
        state: The match before the first of these entries.
        before: The entries that counted from there on before the command.
        after: Those that count now.
        mine: The entries of the command: one batch.
    """
    tells = _folded(engine, state, after)
    told = _said(_folded(engine, state, before))
    others = _said(item for item in tells if item.seq not in mine)
    own = {item.name: item for item in tells if item.seq in mine}
    texts = _one_text_a_batch(own, lambda seq: min(mine)).values()
    new = (_unknown(item, told[item.audience] - others[item.audience]) for item in texts)
    return [item for item in new if item is not None]


def _folded(engine: Engine, state: Any, lives: Iterable[Live]) -> list[Item]:
    """What these entries tell, folded one after another."""
    found: list[Item] = []
    for live in lives:
        state, outcome = engine.step(state, live)
        found += _texts_of(engine, outcome, state)
    return found


def _said(listed: Iterable[Item]) -> dict[str, Counter[Any]]:
    """Audience -> how often each sentence is said to it."""
    said: dict[str, Counter[Any]] = defaultdict(Counter)
    for item in listed:
        said[item.audience].update(_lines(item))
    return said


def _unknown(item: Item, known: Counter[Any]) -> Item | None:
    """The text without the sentences that are known, each as often as it is said; None when nothing is left."""
    new = Counter(_lines(item)) - known
    if not new or new == Counter(_lines(item)):
        return item if new else None
    return item._replace(blocks=(Items(tuple(line for line in _news(item.blocks) if line in new)), *item.blocks[1:]))


def _texts_of(engine: Engine, outcome: Outcome, state: Any) -> tuple[Item, ...]:
    return engine.once(outcome, lambda: tuple(_told(engine.game, outcome, state)))


def _told(game: Game, outcome: Outcome, state: Any) -> Iterator[Item]:
    """What one entry tells, and the ends that the clock brought before it, to each audience.

    Args:
        state: The match right after it: what comes later changes nothing of what it told.
    """
    live, facts = outcome.live, outcome.facts
    if not facts or live.at == BEFORE_ALL:
        return
    for place, audience in enumerate((PUBLIC_VIEWER, *state.table.seats)):
        if blocks := game.tell(state, facts, audience):
            where = channel_of(state.table, audience)
            yield Item(f"{live.seq}{letter(place)}", live.seq, live.at, audience, where, tuple(blocks))


def _receipt(entries: Sequence[Entry], log: Index, item: Item) -> str:
    """The receipt of the command that caused it; none under what only one player reads, or what is only tried."""
    return entries[log.batch(item.seq)[-1] - 1].hash if item.audience == PUBLIC_VIEWER else ""


def without_receipt(text: str) -> str:
    """A text as it is in every copy of the log: a receipt belongs to one of them."""
    return RECEIPT_LINE.sub("", text)


def _one_text_a_batch(found: dict[str, Item], batch: Callable[[int], int]) -> dict[str, Item]:
    """What a batch tells the same player goes out once, under the last of its entries that tells him anything."""
    kept: dict[tuple[int, str], str] = {}
    for name, item in found.items():
        key = (batch(item.seq), item.audience)
        if (earlier := kept.get(key)) is not None:
            lines = dict.fromkeys((*_news(found[earlier].blocks), *_news(item.blocks)))
            found[name] = item._replace(blocks=(Items(tuple(lines)), *item.blocks[1:]))
        kept[key] = name
    last = set(kept.values())
    return {name: item for name, item in found.items() if name in last}


def _news(blocks: Sequence[Block]) -> tuple[Any, ...]:
    """The sentences of a notice: its first list."""
    return blocks[0].items if blocks and isinstance(blocks[0], Items) else ()


def _lines(item: Item | None) -> tuple[Any, ...]:
    """What a text says, to be counted: its sentences; all of it where it has none."""
    if item is None or not item.blocks:
        return ()
    return _news(item.blocks) or (discord.render(item.blocks),)


def posted_entries(match: Match) -> Iterator[tuple[Entry, shared.Posted]]:
    """The `posted` entries in effect, in order; one that cannot be read says nothing."""
    struck = match.fold.marks.struck
    for entry in match.fold.layout.about:
        if entry.body.do == "posted" and entry.seq not in struck:
            try:
                yield entry, match.engine.reader(shared.Posted)(entry.body.args)
            except Unreadable:
                continue


def desk(match: Match, now: int | None = None) -> Desk:
    """What waits, what was sent, and what of it has drifted.

    Args:
        now: The present instant, ms: with it the reminders that are due wait too. They change with the clock alone.
    """
    items_now = collect(match, match.book.entries)
    sent: dict[str, Sent] = {}
    settled: dict[str, int] = {}
    """Item -> the entry that last told its audience the truth about it."""
    brought: dict[int, shared.Posted] = {}
    """What was posted from another copy of the log, by what was known there: only the text itself can be compared."""
    for entry, said in posted_entries(match):
        seq = entry.seq
        sent[said.item] = Sent(seq, entry.body.by, entry.body.recorded, said.text, said.dropped)
        if seq in match.fold.layout.joined and not said.covers:
            brought[seq] = said
        for name in said.covers or (said.item,):
            settled[name] = seq if not said.dropped or said.covers else settled.get(name, 0)
    texts = [*items_now.values(), *(reminders(match, now) if now is not None else ())]
    waiting = [item for item in texts if item.name not in sent and item.name not in settled]
    drifted, moved = _followed(tuple(_drift(match, items_now, sent, settled, brought)), waiting)
    waiting = [item for item in waiting if item.name not in moved]
    return Desk((*waiting, *_corrections(match, drifted, sent)), sent, drifted)


def reminders(match: Match, now: int) -> list[Item]:
    """A text for each player who owes something, may know of it, and has had three quarters of its time."""
    return [
        reminder(match, due)
        for due in remindable(match)
        if due.until is not None and due.since + (due.until - due.since) * 3 // 4 <= now < due.until
    ]


def remindable(match: Match) -> list[Due]:
    """What is owed by those who may know that they owe it."""
    return [due for due in match.game.waiting(match.fold.state) if due.told]


def reminder(match: Match, due: Due) -> Item:
    """The text for one who owes something, named by the entry since when he does, and an `r`."""
    table = match.table
    seq = max((o.live.seq for o in match.fold.outcomes if due.since in o.times), default=1)
    place = (PUBLIC_VIEWER, *table.seats).index(due.who)
    ends: tuple[Span, ...] = () if due.until is None else (" It is due ", When(due.until), ".")
    said = text(f"A reminder: your {due.what} is still missing.", *ends)
    return Item(f"{seq}{letter(place)}r", seq, due.since, due.who, channel_of(table, due.who), (said,))


def _drift(
    match: Match,
    now: Mapping[str, Item],
    sent: Mapping[str, Sent],
    settled: Mapping[str, int],
    brought: Mapping[int, shared.Posted],
) -> Iterator[Drift]:
    """Compare each posted item as it was known when it was last told with what it says now."""
    stirs = disturbances(match)
    known: dict[int, dict[str, Item]] = {}
    for name, seq in settled.items():
        if "+" in name or not seq or (name in sent and sent[name].dropped):
            continue
        if (said := brought.get(seq)) is not None:
            present = now.get(name)
            if present is None or without_receipt(present.text) != without_receipt(said.text):
                told = _worded(now.values(), said)
                blocks = told.blocks if told else present.blocks[:1] if present else ()
                posted = Item(name, seq, 0, said.audience, said.channel, blocks)
                what = _what(posted, present)
                yield Drift(name, said.audience, said.channel, what, seq, posted, present, textual=told is None)
            continue
        if not any(stir > seq for stir in stirs):
            continue
        # Between two disturbances nothing told before changes, so one fold serves all that was posted there.
        epoch = min((stir for stir in stirs if stir > seq), default=len(match.book.entries) + 1) - 1
        if epoch not in known:
            known[epoch] = collect(match, match.book.entries[:epoch])
        then, today = known[epoch].get(name), now.get(name)
        if then is None and today is not None:
            then = today._replace(blocks=())  # a correction took it back, and it holds again
        if then is None or (today is not None and then.blocks == today.blocks):
            continue
        yield Drift(name, then.audience, then.channel, _what(then, today), seq, then, today)


def _worded(texts: Iterable[Item], said: shared.Posted) -> Item | None:
    """The text that says the same to the same audience, under whatever name."""
    wanted = without_receipt(said.text)
    listed = (item for item in texts if (item.audience, item.channel) == (said.audience, said.channel))
    return next((item for item in listed if without_receipt(item.text) == wanted), None)


def _followed(drifted: Sequence[Drift], waiting: Sequence[Item]) -> tuple[tuple[Drift, ...], set[str]]:
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
    then = Counter(line for drift in listed for line in _lines(drift.then))
    today = Counter(line for drift in listed for line in _lines(drift.today))
    missing, carriers = then - today, []
    for item in waiting:
        if (lines := Counter(_lines(item))) <= missing:
            missing -= lines
            carriers.append(item)
    shown = [*(drift.today for drift in listed if drift.today), *carriers]
    same = not missing and not today - then and _pictures(drift.then for drift in listed) == _pictures(shown)
    return tuple(carriers), same and not any(drift.textual for drift in listed)


def _carried(drift: Drift, carriers: Iterable[Item]) -> Drift:
    """The drift with those that say its words now."""
    own = tuple(item for item in carriers if set(_lines(item)) & set(_lines(drift.then)))
    return drift._replace(what=_what(drift.then, drift.today or next(iter(own), None)), carriers=own)


def _pictures(listed: Iterable[Item]) -> set[DiscordText]:
    """What stands below the sentences of texts."""
    return {drawn for item in listed if (drawn := discord.render(item.blocks[1:]))}


def _what(then: Item, today: Item | None) -> str:
    if today is not None:
        return "it says something else now"
    if then.audience == PUBLIC_VIEWER:
        return "it should not have been posted"
    return "it should not have been sent, and what it showed cannot be un-shown"


def disturbances(match: Match) -> list[int]:
    """Entries that can make what was told before them wrong: corrections, and entries placed before others."""
    entries = match.book.entries
    late = late_entries(entries, match.fold.layout)
    return [entry.seq for entry in entries if entry.seq in late or entry.body.do in ("undo", "redo", "amend")]


def _corrections(match: Match, drifted: Sequence[Drift], sent: Mapping[str, Sent]) -> Iterator[Item]:
    """One text for each audience that was told something wrong: what no longer holds, what does, how it stands."""
    by_audience: dict[str, list[Drift]] = {}
    for drift in drifted:
        by_audience.setdefault(drift.audience, []).append(drift)
    for audience, listed in by_audience.items():
        names = tuple(drift.item for drift in listed)
        moved = tuple(dict.fromkeys(item.name for drift in listed for item in drift.carriers))
        blocks = _correction(match, listed, audience)
        number = 1 + sum(item.startswith(f"{names[0]}+") for item in sent)
        seq = max(drift.posted for drift in listed)
        where = channel_of(match.table, audience)
        last = max((*disturbances(match), *(drift.posted for drift in listed)))
        receipt = match.book.entries[last - 1].hash if audience == PUBLIC_VIEWER else ""
        yield Item(f"{names[0]}+{number}", seq, match.fold.last, audience, where, blocks, names + moved, receipt)


def _correction(match: Match, listed: Sequence[Drift], audience: str) -> tuple[Block, ...]:
    old = dict.fromkeys(line for drift in listed for line in _news(drift.then.blocks))
    texts = [item for drift in listed for item in (drift.today, *drift.carriers) if item is not None]
    new = dict.fromkeys(line for item in texts for line in _news(item.blocks))
    gone = [("No longer: ", *line) for line in old if line not in new]
    come = [("Instead: ", *line) for line in new if line not in old]
    state = match.fold.state
    view, result = match.game.view(state, audience), match.game.result(state, audience)
    standing = match.game.report(match.frame(state, audience), view, result)
    said: Text = text("A correction of what we told you before.")
    return (said, *([items(*gone, *come)] if gone or come else []), *standing)


def summary_news(match: Match, audience: str) -> list[Block]:
    """What has happened for this audience since the last text that was posted to it."""
    told = [item for item in desk(match).waiting if item.audience == audience and not item.covers]
    lines = [line for item in told for line in _news(item.blocks)]
    return [text("New since the last text posted to you:"), items(*lines)] if lines else []


def head_line(item: Item, zone: str) -> str:
    """`22b  to #ann  since 2026-03-02 18:42:00 CET`."""
    kind = "correction" if item.covers else "text"
    return f"{item.name}  {kind} for {item.audience} in {item.channel}, of {show_time(item.at, zone)}"
