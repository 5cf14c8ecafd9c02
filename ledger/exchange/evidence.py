"""Does the chat say the same as the log? Messages without entry, entries without message, edits, wrong authors.

Each is a doubt for a host to look at, never a verdict. Belongs here: comparing. Does not belong here: reading the file
(chat.py), and what a message looks like (likeness.py). Source: docs/looking-back.md.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from events import LedgerError
from events.audiences import HOST
from events.record import NamedTuple
from games.kinds import PLAYER, fold
from games.records import fields, kebab
from ledger.core.live import Live
from ledger.core.match import Match
from ledger.core.times import is_message_id, message_id, show_span
from ledger.exchange.chat import Chat, Message, told_by_id
from ledger.exchange.likeness import ANSWER, HOUR, Likeness, Shape
from ledger.tell.listing import as_typed
from ledger.tell.outbox import posted_entries

MAX_GAP = 48 * HOUR
"""A message and an entry that say the same belong together when they are not further apart, ms."""
_LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/([0-9]{1,20}|@me)/([0-9]{1,20})/([0-9]{15,20})/?")


class Doubt(NamedTuple):
    """One thing that a host should look at."""

    kind: str
    """`no_entry`, `no_message`, `edited`, `author`, `clock`."""
    message: str
    """Id of the message."""
    channel: str
    at: int
    seq: int | None
    who: str
    """The author's name, "" when there is no such message."""
    content: str
    what: str
    fix: str

    def as_json(self) -> dict[str, Any]:
        from events import write_instant

        kept = {key: value for key, value in self._asdict().items() if value is not None}
        return {**kept, "at": write_instant(self.at)}


class Report(NamedTuple):
    """What the comparison came to."""

    messages: int
    cited: int
    """How many messages an entry cites."""
    doubts: tuple[Doubt, ...]
    not_checked: tuple[str, ...]


def compare(match: Match, chats: Sequence[Chat], settled: Collection[str] = ()) -> Report:
    """Compare exported chats with the log as it counts now.

    Args:
        settled: Ids of messages of which a host has said that there is nothing to record.
    """
    return Comparison(match, chats, settled).run()


class Comparison:
    """A match beside exported chats."""

    def __init__(self, match: Match, chats: Sequence[Chat], settled: Collection[str] = ()) -> None:
        self.match, self.chats, self.settled = match, chats, settled
        self.names = match.table.directory().spelled()
        self.hosts = {fold(host) for host in match.table.hosts}
        self.likeness = Likeness(match, self.who)
        self.by_verb = {kebab(shape.cls): shape for shape in self.likeness.shapes}
        self.live = {o.live.seq: o.live for o in match.fold.outcomes}
        self.cited = _cited(match)
        self.posted = {entry.seq: said for entry, said in posted_entries(match) if entry.body.evidence}
        """What the ledger itself wrote into the chat; a message that was edited counts as it was written last."""
        latest = {match.book.entries[seq - 1].body.evidence: seq for seq in self.posted}
        self.posted_last = frozenset(latest.values())
        self.doubts: list[Doubt] = []
        self.unknown: dict[str, str] = {}
        self._seen: dict[tuple[str, frozenset[str]], int] = {}

    def run(self) -> Report:
        cited = 0
        for chat in self.chats:
            for n, message in enumerate(chat.messages):
                seqs = self._citing(chat, message)
                cited += bool(seqs)
                self._clock(chat, message)
                for seq in seqs:
                    if seq in self.posted:
                        self._as_posted(chat, message, seq)
                        continue
                    self._edited(chat, message, seq)
                    self._author(chat, message, seq)
                if not seqs and not message.author.bot and not self._is_settled(chat, message):
                    self._no_entry(chat, message, chat.messages[n + 1 :])
            self._no_message(chat)
        self.doubts.sort(key=lambda doubt: (doubt.at, doubt.message, doubt.kind))
        messages = sum(len(chat.messages) for chat in self.chats)
        return Report(messages, cited, tuple(self.doubts), tuple(self._not_checked()))

    def _doubt(self, kind: str, chat: Chat, message: Message, seq: int | None, what: str, fix: str) -> None:
        who, content = message.author.called, message.in_one_line
        self.doubts.append(Doubt(kind, message.id, chat.channel, message.at, seq, who, content, what, fix))

    # ---- messages that an entry cites --------------------------------------------------------------------------------

    def _citing(self, chat: Chat, message: Message) -> tuple[int, ...]:
        """The entries that cite a message; where it has no id, those that cite one of its moment in its channel."""
        if chat.form != "CSV":
            return self.cited.get(message.id, ())
        entries = self.match.book.entries
        seqs = [seq for id_ in self._of_moment.get(message.at, ()) for seq in self.cited[id_]]
        links = {seq: _LINK.fullmatch(entries[seq - 1].body.evidence or "") for seq in seqs}
        return tuple(seq for seq, link in links.items() if link is None or link[2] == chat.channel)

    @cached_property
    def _of_moment(self) -> dict[int | None, list[str]]:
        """The ids that entries cite, by the moment that they tell."""
        found: dict[int | None, list[str]] = {}
        for id_ in self.cited:
            found.setdefault(told_by_id(id_), []).append(id_)
        return found

    def _is_settled(self, chat: Chat, message: Message) -> bool:
        """Has a host said that there is nothing to record? Where it has no id, of any message of its moment."""
        return message.id in self.settled or (chat.form == "CSV" and message.at in self._settled_at)

    @cached_property
    def _settled_at(self) -> frozenset[int | None]:
        return frozenset(map(told_by_id, self.settled))

    def _clock(self, chat: Chat, message: Message) -> None:
        """A message id is a clock: a time that differs from it was not written by Discord."""
        told = told_by_id(message.id)
        if told is not None and abs(told - message.at) > 1000:
            what = "its id tells another time than its timestamp: the export was changed"
            self._doubt("clock", chat, message, None, what, "export the channel again")

    def _edited(self, chat: Chat, message: Message, seq: int) -> None:
        """It may say something else now than what the host read, unless a host has looked again since."""
        entries, said = self.match.book.entries, self.match.fold.marks
        if message.edited is None:
            return
        looked = [entries[seq - 1], *said.amended.get(seq, ())]
        looked += [
            e for e in self.match.fold.layout.about if e.body.do == "confirm" and e.body.args.get("target") == seq
        ]
        last = max(entry.body.recorded for entry in looked)
        if message.edited > last:
            late = show_span(message.edited - last)
            what = f"edited {late} after a host last looked at it; entry {seq} ({self._typed(seq)}) rests on it"
            self._doubt("edited", chat, message, seq, what, f"hl show {seq}")

    def _as_posted(self, chat: Chat, message: Message, seq: int) -> None:
        """A text, or one message of it, must still say what the log says was posted."""
        said = self.posted[seq]
        same = message.content.split() == said.text.split()
        if seq in self.posted_last and not (same or (chat.form != "JSON" and same_words(message.content, said.text))):
            what = f"it does not say what entry {seq} posted there (text {said.item})"
            self._doubt("edited", chat, message, seq, what, f"hl outbox show {said.item}")

    def _author(self, chat: Chat, message: Message, seq: int) -> None:
        """Somebody else wrote it than those whom the entry concerns."""
        who = self.who(message.author.names)
        if who is None and not message.author.bot:
            self._note_unknown(message)
        if not who or (live := self.live.get(seq)) is None:
            return
        concerned = self._concerned(live)
        if concerned and who not in concerned:
            name = self.match.table.name
            what = f"written by {name(who)}, and entry {seq} ({self._typed(seq)}) is about {self._named(concerned)}"
            self._doubt("author", chat, message, seq, what, f"hl show {seq}")

    def _concerned(self, live: Live) -> tuple[str, ...]:
        """Those who may have said it: of the players that it names those who may open it."""
        try:
            action = self.match.engine.read(live.do, live.args, self.match.table)
        except LedgerError:
            return ()
        people = _people(action)
        may = HOST if live.do in ("note", "ruling") else self.match.game.audience(self.match.fold.state, action)
        return tuple(p for p in people if p in may.players) or people

    # ---- what is on one side only ------------------------------------------------------------------------------------

    def _no_message(self, chat: Chat) -> None:
        """Entries that cite a message of this channel which is not in the export."""
        there = {message.id for message in chat.messages}
        moments = {message.at for message in chat.messages} if chat.form == "CSV" else set()
        entries = self.match.book.entries
        for seq in (*self.live, *self.posted_last):
            found = _LINK.fullmatch(entries[seq - 1].body.evidence or "")
            if not found or found[2] != chat.channel or found[3] in there:
                continue
            at = told_by_id(found[3]) or entries[seq - 1].body.at
            if chat.holds(at) and at not in moments:
                what = f"entry {seq} ({self._typed(seq)}) rests on a message that is not in the export"
                if seq in self.posted:
                    what = f"text {self.posted[seq].item}, posted by entry {seq}, is not in the export"
                fix = f"hl show {seq}"
                self.doubts.append(Doubt("no_message", found[3], chat.channel, at, seq, "", "", what, fix))

    def unrecorded(self, chat: Chat) -> Iterator[tuple[int, Shape]]:
        """The messages that look like something to record, by their places in the chat, and no entry says it."""
        for n, message in enumerate(chat.messages):
            if message.author.bot or self._citing(chat, message) or self._is_settled(chat, message):
                continue
            if (shape := self._looks_like(message, chat.messages[n + 1 :])) is not None:
                yield n, shape

    def _looks_like(self, message: Message, later: Sequence[Message]) -> Shape | None:
        """What it says, if that is something to record, and no entry says it."""
        who = self.who(message.author.names)
        if who == "" or (shape := self.likeness.of(message, later)) is None:
            return None
        said = self.likeness.said(message.content)
        if self._covered(shape, said, message.at, who) or self._repeats(shape, said, message.at):
            return None
        return shape

    def _no_entry(self, chat: Chat, message: Message, later: Sequence[Message]) -> None:
        """A message that looks like something to record, and no entry says it."""
        if (shape := self._looks_like(message, later)) is None:
            return
        if self.who(message.author.names) is None:
            self._note_unknown(message)
        verb = kebab(shape.cls)
        words = " ".join(field.name.upper() for field in fields(shape.cls) if field.in_place)
        a = "a confirmed" if shape.agreed and shape.slots else "an" if verb[0] in "aeiou" else "a"
        what = f"looks like {a} {verb}, and no entry says so"
        self._doubt("no_entry", chat, message, None, what, f"hl {verb} {words} {' '.join(chat.evidence(message))}")

    def _covered(self, shape: Shape, said: frozenset[str], at: int, who: str | None) -> bool:
        """Is there an entry near it that says the same, whichever message it cites?"""
        for seq, (people, words) in self._recorded_as.items():
            live = self.live[seq]
            if abs(live.at - at) > MAX_GAP or (who is not None and who not in people):
                continue
            if (words and words <= said) or (not words and not shape.slots and live.do == kebab(shape.cls)):
                return True
        return False

    def _repeats(self, shape: Shape, said: frozenset[str], at: int) -> bool:
        """Has the same been doubted already, a little earlier? The one who consents often says it again."""
        key = (kebab(shape.cls), said)
        repeated = key in self._seen and at - self._seen[key] <= ANSWER
        self._seen.setdefault(key, at)
        return bool(said) and repeated

    @cached_property
    def _recorded_as(self) -> dict[int, tuple[tuple[str, ...], frozenset[str]]]:
        """Entry -> the players that it names, and the words of the game in it."""
        found = {}
        for seq, live in self.live.items():
            if (shape := self.by_verb.get(live.do)) is None:
                continue
            try:
                action = self.match.engine.read(live.do, live.args, self.match.table)
            except LedgerError:
                continue
            values = [getattr(action, slot.name) for slot in shape.slots]
            found[seq] = (_people(action), frozenset(str(value) for value in values if value not in (None, "", ())))
        return found

    # ---- words and names ---------------------------------------------------------------------------------------------

    def who(self, names: Iterable[str]) -> str | None:
        """The player of these names; "" for a host, None for nobody that is known."""
        for name in names:
            word = fold(re.sub(r"#[0-9]{4}$", "", name))
            if word in self.names:
                return self.names[word]
            if word in self.hosts:
                return ""
        return None

    def _note_unknown(self, message: Message) -> None:
        self.unknown.setdefault(message.author.id or "", message.author.called)

    def _typed(self, seq: int) -> str:
        live = self.live.get(seq)
        body = self.match.book.entries[seq - 1].body
        args = live.args if live else body.args
        return as_typed(self.match, body.do, args, 60)

    def _named(self, players: Sequence[str]) -> str:
        return self.match.table.named(tuple(players))

    def _not_checked(self) -> Iterator[str]:
        """What these files do not let one check."""
        here = {chat.channel: chat for chat in self.chats}
        elsewhere: dict[str, int] = {}
        outside = bare = none = 0
        for seq in self.live:
            evidence = self.match.book.entries[seq - 1].body.evidence
            if evidence is None:
                none += self.live[seq].do in self.by_verb
            elif found := _LINK.fullmatch(evidence):
                at = told_by_id(found[3])
                if found[2] not in here:
                    elsewhere[found[2]] = elsewhere.get(found[2], 0) + 1
                elif at is not None and not here[found[2]].holds(at):
                    outside += 1
            elif is_message_id(evidence):
                bare += all(message.id != evidence for chat in self.chats for message in chat.messages)
        if elsewhere:
            channels = ", ".join(sorted(elsewhere))
            yield f"{_entries(sum(elsewhere.values()))} on messages of channels that are not here: {channels}"
        if outside:
            yield f"{_entries(outside)} on messages outside the span of the export"
        if bare:
            yield f"{_entries(bare)} on a bare message id, and its channel is not known"
        if none:
            yield f"{none} entr{'y' if none == 1 else 'ies'} of players without evidence"
        yield from self._not_told()
        if left := sum(self._is_settled(chat, message) for chat in self.chats for message in chat.messages):
            yield f"{left} message{'' if left == 1 else 's'} of which a host has said that there is nothing to record"
        for name in self.unknown.values():
            yield f'who "{name}" is: hl alias PLAYER "{name}"'

    def _not_told(self) -> Iterator[str]:
        """What a form does not say of its messages."""
        missing = {"HTML": "when a message was edited, who put a sign under it"}
        missing["CSV"] = "the ids of messages (they are known by their moments), edits, bots, who put a sign under one"
        for form, what in missing.items():
            if names := sorted({chat.name or chat.channel for chat in self.chats if chat.form == form}):
                yield f"{what}: {form} does not say it ({', '.join(names)})"
        edited = {
            seq
            for chat in self.chats
            for message in chat.messages
            if message.edited_once
            for seq in self._citing(chat, message)
            if seq not in self.posted
        }
        if edited:
            listed = ", ".join(map(str, sorted(edited)))
            yield f"{_entries(len(edited))} on a message that was edited, nobody knows when: {listed}; export as JSON"


def same_words(message: str, posted: str) -> bool:
    """Do they hold the same letters and digits? Signs are drawn otherwise, and a time stands in the reader's words.

    >>> same_words("It ends 5 March 2026. Hand: R2", "It ends <t:1772730000:F>. Hand: **R2**")
    True
    """
    first, *more = (re.sub(r"[\W_]+", "", part) for part in re.split(r"<t:[0-9]+(?::[a-zA-Z])?>", posted))
    there = re.sub(r"[\W_]+", "", message)
    if not more:
        return there == first
    if not (there.startswith(first) and there.endswith(more[-1])):
        return False
    at, end = len(first), len(there) - len(more[-1])
    for part in more[:-1]:
        at = there.find(part, at, end) + len(part) if part in there[at:end] else end + 1
    return at <= end


def _entries(number: int) -> str:
    return f"{number} entr{'y rests' if number == 1 else 'ies rest'}"


def _cited(match: Match) -> dict[str, tuple[int, ...]]:
    """Message id -> the entries that cite it; those that are undone as well, for somebody has dealt with it."""
    found: dict[str, tuple[int, ...]] = {}
    for seq, _, body in match.book.entries:
        if body.evidence and is_message_id(id_ := message_id(body.evidence)):
            found[id_] = (*found.get(id_, ()), seq)
    return found


def _people(action: Any) -> tuple[str, ...]:
    """The players that an action names, in order."""
    names: list[str] = []
    for field in fields(action.__class__):
        if field.kind is PLAYER and (value := getattr(action, field.name)):
            names += value if isinstance(value, tuple) else [value]
    return tuple(dict.fromkeys(names))
