"""The texts that hosts have to post: their names, their contents, and the messages that they are split into.

A text is named by the entry that caused it and a letter for its audience (`22b`), so the name does not change if
entries are inserted before it. A text too long for one Discord message is posted in parts, `22b.1` and so on. Each
text for the public ends with a receipt: anybody who keeps the message can detect every later change of the log. Source:
docs/reliability.md; docs/decisions/0012, 0021, 0033.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from events import Entry, LedgerError
from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Fact, Game, spec_of
from games.kinds import called, digits
from games.kit.blocks import Block, Items, Notice, When, text
from games.records import kebab
from games.table import Table, actions as shared
from games.table.facts import (
    TABLE_FACTS,
    ChoiceMade,
    Committed,
    DeadlineMoved,
    DecisionClosed,
    DecisionOpened,
    GiftMade,
    PhaseBegan,
    PhaseEnded,
    Reopened,
    ResultChanged,
    Resumed,
    RewardPaid,
    WordAdded,
)
from games.table.rounds import RoundResolved, SheetSealed, SubmissionsClosed, counts_instead
from games.table.state import DECISIONS, Decision, Round
from ledger.core.commitments import Deals
from ledger.core.effective import BEFORE_ALL, EffectiveEntry, Index, Marks, Place, counting, is_posting_mark, unamended
from ledger.core.match import Match
from ledger.core.replay import Engine, Outcome, fold
from ledger.render import discord
from ledger.render.safe import DiscordText, joined

PUBLIC_CHANNEL = "the public channel"
END = "end"
"""The `Item.sheet` of a text that announces a moved end."""
CHOICE = "choice"
"""How the `Item.sheet` of a text begins that only says what a player chose, which they may choose again."""
RESOLVED = "resolved"
"""How the `Item.sheet` of a text begins that tells what a round brought, which hosts may resolve again."""
RECEIPT_LINE = r"\nreceipt ([0-9a-f]{64})\Z"
"""The last line of a text for the public."""


class Item(NamedTuple):
    name: str
    seq: int
    at: Instant
    audience: str
    channel: str
    notice: Notice
    """The whole text, even if the item is one message of it."""
    covers: tuple[str, ...] = ()
    receipt: str = ""
    """For the public: the hash of the last line that the text depends on. Later lines do not change it."""
    part: int = 0
    """The number of the message, from 1; 0 for the whole text."""
    sheet: str = ""
    """A key shared by texts that replace each other: the sheet that they read back, whose choice, or `END`."""
    reopened: str = ""
    """The text of the `reopen` that took back all that this one tells; empty if it still tells something."""
    asks: tuple[tuple[Decision, Any], ...] = ()
    """The decisions that its reader is asked for, each with the sentence that asks."""
    round: str = ""
    """The round that it tells of, as it is called; empty for none."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.notice.blocks

    @property
    def messages(self) -> tuple[DiscordText, ...]:
        return _messages(self.blocks, self.receipt)

    @property
    def text(self) -> DiscordText:
        """The text to paste; for a whole text with several messages, all of them joined."""
        return self.messages[self.part - 1] if self.part else discord.in_one(self.messages)

    def posted_as(self, name: str, parts: int | None) -> DiscordText | None:
        """The whole text, or the message with this name if there are `parts`; None if there is no such message."""
        part, messages = split_name(name)[1], self.messages
        if part == 0:
            return discord.in_one(messages)
        return messages[part - 1] if part <= len(messages) == parts else None

    def settled(self, table: Table) -> dict[Any, Decision]:
        """The sentences that ask for what is decided by now, or is asked in other words."""
        open_now = {(decision.key, decision.among) for decision in table.decisions}
        return {line: decision for decision, line in self.asks if (decision.key, decision.among) not in open_now}

    @property
    def whole(self) -> str:
        return split_name(self.name)[0]

    def in_parts(self) -> tuple[Item, ...]:
        count = len(self.messages)
        if count == 1 or self.part:
            return (self,)
        return tuple(self._replace(name=f"{self.name}.{part}", part=part) for part in range(1, count + 1))


@lru_cache(maxsize=4096)
def _messages(blocks: tuple[Block, ...], receipt: str) -> tuple[DiscordText, ...]:
    texts = discord.messages(blocks) or [discord.in_one(())]
    if receipt:
        texts[-1] = joined((texts[-1], discord.code(f"receipt {receipt}")))
    return tuple(texts)


def split_name(name: str) -> tuple[str, int]:
    """Split a name into the name of the text and the number of a message, 0 for all.

    >>> split_name("22b+1.2"), split_name("22b")
    (('22b+1', 2), ('22b', 0))
    """
    stem, _, part = name.partition(".")
    number = digits(part)
    return (stem, int(number)) if number is not None else (stem if not part else name, 0)


def entry_of(name: str) -> int:
    """The number of the entry that a text is named after; 0 if it is named after none."""
    return digits(re.split("[^0-9]", name)[0]) or 0


def letter(place: int) -> str:
    """The letter of an audience: `a` for the public, `b` for the first seat, ..., `aa` after `z`.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'aa')
    """
    letters = ""
    place += 1
    while place:
        place, digit = divmod(place - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def channel_of(table: Table, audience: str) -> str:
    if audience == PUBLIC_VIEWER:
        return PUBLIC_CHANNEL
    seat = table.seats[audience]
    return seat.channel or f"a message to {seat.name}"


def collect(match: Match, entries: Sequence[Entry]) -> dict[str, Item]:
    log, changes, lives = counts = counting(entries)
    collector = Collector(match.engine, lives, log.place, changes.amended)
    state = fold(match.engine, entries, watch=collector.watch, counts=counts).state
    kept = _kept(match, entries, log, changes, state)
    items = {item.name: item for item in (*collector.items, *kept)}
    texts = _one_text_a_batch(items, lambda seq: entries[seq - 1].body.batch or seq)
    return {name: item._replace(receipt=_receipt(entries, log, item)) for name, item in texts.items()}


def _kept(match: Match, entries: Sequence[Entry], log: Index, changes: Marks, state: Any) -> Iterator[Item]:
    """The texts of a corrected commitment and of corrected words, if the deal goes by them. Source: decision 0032."""
    seqs = {**changes.struck, **changes.amended}
    corrected = [entries[seq - 1] for seq in seqs if entries[seq - 1].body.do in ("commit", "word")]
    if not corrected or (published := Deals(match.book.game_id, entries).published(log, changes.struck)) is None:
        return
    words = map(WordAdded._make, published.words)
    facts: dict[str, Fact] = dict(zip(published.lines, words, strict=True))
    for entry in corrected:
        if (line := log.first_line(entry)) == published.commitment:
            facts[line] = Committed(entry.body.args["commitment"])
        if line in facts:
            outcome = Outcome(unamended(entry.body, entry.seq), (facts[line],), (entry.body.at,), None)
            for item in _compose(match.game, outcome, state):
                lines = (*item.notice.lines, (fixed_all_the_same(state.table, changes, entry.seq, facts[line]),))
                yield item._replace(notice=item.notice._replace(lines=lines))


def fixed_all_the_same(table: Table, changes: Marks, seq: int, fact: Fact) -> str:
    """What to say of an undone or amended entry, if the deal goes by what it said first."""
    what = f"what {table.name(fact.player)} added" if isinstance(fact, WordAdded) else "the commitment"
    how = "took back" if seq in changes.struck else "amended"
    return f"A host {how} {what}, but the deal goes by it all the same."


def texts_at(match: Match, seq: int) -> Mapping[str, Item]:
    """All texts that the first `seq` lines ask for. The last few results are cached, since lines never change."""
    entries, log = match.book.entries, match.fold.layout
    newest = next(entry for entry in reversed(entries[:seq]) if not is_posting_mark(entry, entries, log))
    points = _cache.setdefault(match, {})
    cached = points.get(newest.seq)
    if cached is None or cached[0] is not newest:
        cached = points[newest.seq] = (newest, collect(match, entries[: newest.seq]))
        while len(points) > 8:
            del points[next(iter(points))]
    return cached[1]


_cache: WeakKeyDictionary[Match, dict[int, tuple[Entry, Mapping[str, Item]]]] = WeakKeyDictionary()


def texts_now(match: Match) -> Mapping[str, Item]:
    return texts_at(match, len(match.book.entries))


def news(
    engine: Engine, state: Any, before: Sequence[EffectiveEntry], after: Sequence[EffectiveEntry], mine: frozenset[int]
) -> list[Item]:
    """The texts that one command adds to the outbox, without sentences that their audience was told already.

    Args:
        state: The state before the first of these entries.
        before: The entries that counted from there on before the command.
        after: The entries that count from there on now.
        mine: The entries of the command: one batch, recorded after all the others.
    """
    now = _folded(engine, state, after, mine)
    counts_before = _count_sentences(_folded(engine, state, before, frozenset()).items)
    counts_of_others = _count_sentences(item for item in now.items if item.seq not in mine)
    replaced = replaced_by({item.name: item for item in now.items}, now.outcomes)
    own_items = {item.name: item for item in now.items if item.seq in mine and item.name not in replaced}
    texts = _one_text_a_batch(own_items, lambda seq: min(mine)).values()
    unread = (_without_known(item, counts_before[item.audience] - counts_of_others[item.audience]) for item in texts)
    return [*filter(None, unread)]


def replaced_by(items: Mapping[str, Item], outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Text -> the text that tells what holds in its place, so that it need not be posted."""
    newest, places, moves_ends = dict[tuple[str, str], str](), dict[str, int](), False
    for name, item in items.items():
        newest[item.audience, item.sheet], places[name] = name, len(places)
        moves_ends = moves_ends or item.sheet == END
    ends, anew = overridden(outcomes) if moves_ends else {}, newcomers(outcomes, items.values())
    replaced = {}
    for name, item in items.items():
        by = newest[item.audience, item.sheet] if item.sheet not in ("", END) else name
        if item.sheet == END and item.seq in ends:
            by = f"{ends[item.seq].entry.seq}{letter(0)}"
        if item.audience in anew and places[name] < places[anew[item.audience].name]:
            by = anew[item.audience].name
        if item.reopened:
            by = item.reopened
        if by != name:
            replaced[name] = by
    return replaced


def newcomers(outcomes: Iterable[Outcome], items: Iterable[Item]) -> dict[str, Item]:
    """Player -> the text that tells whoever took over the seat last all that goes with it, anew. Source: S-G3."""
    seats = dict[int, Any]()
    for outcome in outcomes:
        if outcome.entry.do == "replace":
            seats[outcome.entry.seq] = outcome.entry.args.get("player")
    return {item.audience: item for item in items if seats.get(item.seq) == item.audience} if seats else {}


def overridden(outcomes: Iterable[Outcome]) -> dict[int, Outcome]:
    """Entry that moved an end -> the later outcome, in the order of the match, that moved or ended the same."""
    found: dict[int, Outcome] = {}
    moved: dict[Any, list[int]] = {}  # whose end: None, the phase's; a decision's, by its key
    for outcome in outcomes:
        for fact in outcome.facts[outcome.passed :]:
            match fact:
                case DeadlineMoved():
                    ends = {fact.about}
                case DecisionClosed():
                    ends = {fact.decision.key}
                case PhaseEnded() | SubmissionsClosed() | RoundResolved():
                    ends = {None}
                case _:
                    ends = {*moved} if isinstance(fact, Resumed) else set()
            found |= {seq: outcome for about in moved.keys() & ends for seq in moved.pop(about)}
            if isinstance(fact, DeadlineMoved) and fact.ends is not None:
                moved[fact.about] = [outcome.entry.seq]
        if outcome.entry.do == kebab(shared.Deadline) and not outcome.facts:  # typed again
            moved.setdefault(None, []).append(outcome.entry.seq)
    return found


def _folded(engine: Engine, state: Any, lives: Sequence[EffectiveEntry], mine: frozenset[int]) -> Collector:
    """The texts of these entries, folded one after the other; `mine` are the entries of the newest command."""
    collector = Collector(engine, lives, lambda seq: (seq if seq in mine else 0, ""))
    for live in lives:
        state, outcome = engine.step(state, live)
        collector.watch(outcome, state)
    return collector


class Collector:
    """Collects the texts of entries while they are folded, in order.

    A text tells its audience what happened, and below that how the match stands for them. If an entry is recorded late,
    texts of entries after it were posted already. So its text shows how the match stands after everything that was
    known when it was recorded, but nothing that was recorded later.
    """

    def __init__(
        self,
        engine: Engine,
        lives: Sequence[EffectiveEntry],
        place: Callable[[int], Place],
        amended: Mapping[int, tuple[Entry, ...]] = MappingProxyType({}),
    ) -> None:
        self._engine = engine
        self.outcomes: list[Outcome] = []
        self._levels: list[Any] = []
        """The information table after each outcome."""
        self._ends: dict[str, int] = {}
        """Phase, or kind of decision -> the place of the outcome that ended it, in the order in which they ended."""
        self.items: list[Item] = []
        moved = {seq: place(amends[-1].seq) for seq, amends in amended.items() if "at" in amends[-1].body.args}
        order = [(place(live.seq), moved.get(live.seq) or place(live.seq), live) for live in lives if not live.still]
        self._late = _known_after(order)

    def watch(self, outcome: Outcome, state: Any) -> None:
        self.outcomes.append(outcome)
        self._levels.append(state.table.settings["visibility"])
        for place, fact in enumerate(outcome.facts):
            if isinstance(fact, Reopened) and state.table.status != "finished":  # else nothing is open again
                before = self._reopened(fact.name, outcome._replace(facts=outcome.facts[:place]), state)
                if place:  # what it reopens had come to its end just before it
                    outcome = outcome._replace(facts=before + outcome.facts[place:])
            elif name := ended_by(fact):
                if name not in DECISIONS:  # what was decided before belongs to an earlier end
                    self._ends = {end: at for end, at in self._ends.items() if end not in {*DECISIONS, name}}
                self._ends.setdefault(name, len(self.outcomes) - 1)
        items = self._engine.once(outcome, lambda: tuple(_compose(self._engine.game, outcome, state)))
        if items and (since := self._late.get(outcome.entry.seq)):
            now = state
            for live in since:
                now, _ = self._engine.step(now, live)
            on = {each.name: each for each in [now.table.round] if each is not None}
            told = (read_back_now(self._engine.game, item, outcome, state, on) for item in items)
            told = (_with_standing_now(self._engine, item, outcome, state, now) for item in filter(None, told))
            items = tuple(filter(None, told))
        self.items += items

    def _reopened(self, name: str, by: Outcome, state: Any) -> tuple[Fact, ...]:
        """Tell what was recorded from that end on as if there had been none; return the facts of `by` that still hold.

        Each fact is told under the information table of its own time: what was a secret then stays untold.

        Args:
            by: The outcome of the `reopen`, up to there.
            state: The state after it.
        """
        start = self._ends.get(name, 0)
        self._ends = dict(takewhile(lambda end: end[0] != name, self._ends.items()))
        told: dict[str, tuple[Notice, Notice]] = {}
        """Name -> the text under the table of its own time, and under that of now."""
        holding: tuple[Fact, ...] = ()
        stale = [*self.outcomes[start:-1], by]
        for place, (outcome, levels) in enumerate(zip(stale, self._levels[start:], strict=True)):
            before = () if place else tuple(takewhile(lambda fact: ended_by(fact) != name, outcome.facts))
            own = outcome.facts[max(len(before), outcome.passed) :]
            holding = (*before, *takewhile(lambda fact: not isinstance(fact, ENDING), own))
            settings = {**state.table.settings, "visibility": levels}
            then = state._replace(table=state.table._replace(settings=settings))
            both = (_compose(self._engine.game, outcome._replace(facts=holding), of) for of in (then, state))
            first, now = ({item.name: item.notice for item in items} for items in both)
            told |= {of_both: (first[of_both], now[of_both]) for of_both in first.keys() & now.keys()}
        seqs = {outcome.entry.seq for outcome in stale}
        for at, item in enumerate(self.items):
            if item.seq in seqs and item.name in told:
                first_told, now_told = told[item.name]
                lines = (line for line in first_told.lines if line in (*item.notice.lines, *now_told.lines))
                self.items[at] = item._replace(notice=now_told._replace(lines=tuple(lines)))
            elif item.seq in seqs:
                self.items[at] = item._replace(reopened=f"{by.entry.seq}{letter(0)}")
        return holding


ENDING = (
    ChoiceMade, DeadlineMoved, DecisionClosed, DecisionOpened, GiftMade, PhaseBegan, PhaseEnded, Reopened,
    ResultChanged, RewardPaid,
)  # fmt: skip
"""The facts of an end and of what is decided after it that have words; what follows them, follows from them."""


def ended_by(fact: Any) -> str | None:
    """The phase, or the kind of decision, that this fact ended."""
    if isinstance(fact, DecisionClosed):
        return fact.decision.kind
    return fact.phase if isinstance(fact, PhaseEnded) else None


def _known_after(order: Sequence[tuple[Place, Place, EffectiveEntry]]) -> dict[int, list[EffectiveEntry]]:
    """Late entry -> the entries that fold after it and were known when it was recorded."""
    late: dict[int, list[EffectiveEntry]] = {}
    least: Place | None = None
    for at in reversed(range(len(order))):
        own_place, timed, live = order[at]
        if least is not None and least < own_place:
            late[live.seq] = [after for _, known, after in order[at + 1 :] if known < own_place]
        least = timed if least is None else min(least, timed)
    return late


def _with_standing_now(engine: Engine, item: Item, outcome: Outcome, then: Any, state: Any) -> Item | None:
    """The text of a late entry with the time at which it counts and the present standing, if that has changed since.
    Nobody is asked for what has been decided since, or told of a turn that has passed; None if that was all.

    Who may not open the entry, `then` and now, may not learn that it was recorded late. If hosts corrected a count or a
    result changed, their text has the present standing alone. Else they are told of it because it let an end pass or
    completed a vote, and their text is that of its moment. Source: docs/decisions/0018, 0050.
    """
    live = outcome.entry
    if not item.notice.lines or item.audience in state.table.left:
        return item
    try:
        audiences = [engine.game.audience(of, engine.read(live.do, live.args, of.table)) for of in (then, state)]
    except LedgerError:
        return item
    opens = all(a.admits(item.audience, ended=False) for a in audiences)
    changes = [fact for fact in outcome.facts if isinstance(fact, ResultChanged)]
    told = any(engine.game.tell(then, changes, who).lines for who in (item.audience, PUBLIC_VIEWER))
    if not opens and live.do != "override" and not told:
        return item
    passed = [fact for fact in outcome.facts if (spec := spec_of(type(fact))) and spec.over and spec.over(fact, state)]
    settled = {*item.settled(state.table), *engine.game.tell(then, passed, item.audience).lines} if opens else ()
    lines = tuple(line for line in item.notice.lines if line not in settled)
    below = item.notice.below
    standing_now = engine.game.tell(state, outcome.facts, item.audience).below if below else below
    if standing_now == below:
        return item._replace(notice=item.notice._replace(lines=lines)) if lines else None
    what = "How the match stands" if item.audience == PUBLIC_VIEWER else "What you have"
    introduction = (f" {what} now, with everything since then:",) if standing_now else ()
    late = text("This was recorded late: it counts from ", When(live.at), ".", *introduction)
    return item._replace(notice=Notice(lines, (late, *standing_now) if lines and opens else standing_now))


def read_back_now(game: Game, item: Item, outcome: Outcome, then: Any, on: Mapping[str, Round]) -> Item | None:
    """The text of a sheet, which does not leave open whether it counts if that is settled by now; None if another sheet
    counts in its place: the text of that one, or of what let it in, tells which counts.

    Args:
        then: The state after the sheet.
        on: Each round with the sheets that are in it now.
    """
    sheets = [fact for fact in outcome.facts if isinstance(fact, SheetSealed) and fact.player == item.audience]
    for seq, now in ((fact.sheet.seq, on[fact.round]) for fact in sheets if fact.round in on):
        if counts_instead(now, seq) is not None:
            return None
        if seq in now.admitted:
            admitted = then._replace(table=then.table._replace(round=then.table.round.with_admitted(seq)))
            lines = game.tell(admitted, outcome.facts, item.audience).lines
            item = item._replace(notice=item.notice._replace(lines=lines))
    return item


def _count_sentences(items: Iterable[Item]) -> dict[str, Counter[Any]]:
    counts: dict[str, Counter[Any]] = defaultdict(Counter)
    for item in items:
        counts[item.audience].update(lines_of(item))
    return counts


def _without_known(item: Item, known: Counter[Any]) -> Item | None:
    """The text without the known sentences, each as often as it is known; None if none is left."""
    remaining = Counter(lines_of(item)) - known
    if not remaining or remaining == Counter(lines_of(item)):
        return item if remaining else None
    return item._replace(
        notice=item.notice._replace(lines=tuple(line for line in item.notice.lines if line in remaining))
    )


def _compose(game: Game, outcome: Outcome, state: Any) -> Iterator[Item]:
    live, facts = outcome.entry, outcome.facts
    if live.at == BEFORE_ALL or not game.worded(facts):
        return
    opened = [fact for fact in facts if isinstance(fact, DecisionOpened)]
    for place, audience in enumerate((PUBLIC_VIEWER, *state.table.seats)):
        if audience in state.table.left:  # S-G3
            continue
        if notice := game.tell(state, facts, audience):
            known = [fact for fact in facts if game.known(state, fact, audience)]
            where, sheet = channel_of(state.table, audience), _sheet(game, known, audience)
            asks = [(fact.decision, line) for fact in opened for line in game.tell(state, (fact,), audience).lines]
            name = f"{live.seq}{letter(place)}"
            on = round_of(state, facts)
            yield Item(name, live.seq, live.at, audience, where, notice, sheet=sheet, asks=tuple(asks), round=on)


def round_of(state: Any, facts: Sequence[Any] = ()) -> str:
    """The round that these facts are of, or else that of the state: the one that is on, or that was the last; empty if
    there was none."""
    on = state.table.round or state.table.last
    name = on.name if on else getattr(state, "round", "")
    for fact in reversed(facts):
        name = getattr(fact, "round", name)
    return f"round {name}" if isinstance(name, int) else called(name) if name else ""


def _sheet(game: Game, facts: Sequence[Any], audience: str) -> str:
    """`Item.sheet` of these facts: round and kind of the audience's sheet if they only say that it came in on time,
    `END` if they only say that an end was moved, `CHOICE` and whose if they only say what somebody chose, `RESOLVED`
    and the round if it is resolved; otherwise empty.
    """
    if facts and all(isinstance(fact, DeadlineMoved) and fact.ends is not None for fact in facts):
        return END
    for fact in facts:
        if isinstance(fact, RoundResolved):
            return f"{RESOLVED}/{fact.round}"
    if len(facts) == 1 and isinstance(facts[0], ChoiceMade):
        return f"{CHOICE}/{facts[0].about}/{facts[0].player}"
    sealed = [fact for fact in facts if isinstance(fact, SheetSealed)]
    only_theirs = all(getattr(fact, "player", None) == audience and not isinstance(fact, TABLE_FACTS) for fact in facts)
    if not only_theirs or len(sealed) != 1 or sealed[0].sheet.late:
        return ""
    return f"{sealed[0].round}/{kind_of_sheet(game, sealed[0].sheet.content)}"


def kind_of_sheet(game: Game, content: Any) -> str:
    """Sheets of one kind replace each other: those of the round, blanks and withdrawals, whose kind is empty; and those
    of each verb that the game has besides.
    """
    main = game.rounds is not None and type(content) in game.rounds.sheets
    return "" if main or content is None else type(content).__name__


def _receipt(entries: Sequence[Entry], log: Index, item: Item) -> str:
    """The receipt of the command that caused the text; only texts for the public have one."""
    return entries[log.batch(item.seq)[-1] - 1].hash if item.audience == PUBLIC_VIEWER else ""


def without_receipt(text: str) -> str:
    """A text without its receipt. The receipt belongs to one copy of the log; the rest is the same in all copies."""
    return re.sub(RECEIPT_LINE, "", text)


def _one_text_a_batch(items: dict[str, Item], batch_of: Callable[[int], int]) -> dict[str, Item]:
    """Merge the texts of each batch and audience into one, named by the last entry of the batch with such a text."""
    last_names: dict[tuple[int, str], str] = {}
    for name, item in items.items():
        key = (batch_of(item.seq), item.audience)
        if (earlier := last_names.get(key)) is not None:
            held = [one for one in (items[earlier], item) if not one.reopened] or [item]
            lines = dict.fromkeys(line for one in held for line in one.notice.lines)
            notice = held[-1].notice._replace(lines=tuple(lines))
            asks = tuple(ask for one in held for ask in one.asks)
            items[name] = item._replace(notice=notice, reopened=held[-1].reopened, asks=asks)
        last_names[key] = name
    kept_names = set(last_names.values())
    return {name: item for name, item in items.items() if name in kept_names}


def sentences_in(item: Item, message: str) -> tuple[Any, ...]:
    """The sentences of a text that are in this message of it."""
    return tuple(line for line in item.notice.lines if _messages((Items((line,)),), "")[0] in message)


def lines_of(item: Item | None) -> tuple[Any, ...]:
    """The parts of a text that are counted and compared: its sentences, or its messages if it has none."""
    return (item.notice.lines or _messages(item.blocks, "")) if item is not None and item.notice else ()


def shared_channels(channels: Mapping[str, str | None]) -> list[tuple[str, tuple[str, ...]]]:
    """(channel, its readers) for each private channel that several players share or that everybody reads.

    >>> shared_channels({"ann": "#Ann", "bob": "ann", "cyd": "#public", "dan": None})
    [('ann', ('ann', 'bob')), ('public', ('everybody', 'cyd'))]
    """
    readers_by_channel: dict[str, list[str]] = {name: ["everybody"] for name in ("public", PUBLIC_CHANNEL)}
    for player, channel in channels.items():
        if channel:
            readers_by_channel.setdefault(channel.removeprefix("#").casefold(), []).append(player)
    return sorted((name, tuple(readers)) for name, readers in readers_by_channel.items() if len(readers) > 1)
