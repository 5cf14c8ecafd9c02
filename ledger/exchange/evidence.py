"""Compare an exported chat with the log: which action a message looks like, what to record, where the two disagree.

The results are doubts for a host to look at, never verdicts. What could not be compared is reported too.
Source: docs/looking-back.md.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from events import LedgerError, write_instant
from events.audiences import HOST
from events.record import NamedTuple
from games.contract import players_of
from games.kinds import PLAYER, Kind, ParseContext, casefolded, count, digits, grouped
from games.records import Field, fields, kebab
from games.spans import HOUR, show_span
from games.table import actions as shared
from ledger.core.effective import EffectiveEntry
from ledger.core.inputs import read_text
from ledger.core.match import Match
from ledger.core.times import is_message_id, message_id
from ledger.exchange.chat import Chat, Form, Message, instant_of_id
from ledger.tell.listing import COMMON_KINDS, as_typed
from ledger.tell.outbox import posted_marks

# ---- what a message looks like ---------------------------------------------------------------------------------------

MAX_ANSWER_GAP = 24 * HOUR
"""How long the other player may take to consent, ms."""
CONSENT_WORDS = frozenset({
    "yes", "yep", "yeah", "ok", "okay", "okey", "deal", "done", "confirm", "confirmed", "confirming", "agree", "agreed",
    "accept", "accepted", "sure",
})  # fmt: skip
COMMON_ACTIONS = (shared.Vote, shared.Gift, shared.Choose)

Who = Callable[[Iterable[str]], str | None]


class Shape(NamedTuple):
    cls: type
    verbs: frozenset[str]
    slots: tuple[Field, ...]
    people: int

    @property
    def agreed(self) -> bool:
        return self.people > 1 and self.cls not in COMMON_ACTIONS


def shapes(match: Match) -> tuple[Shape, ...]:
    possible = []
    for cls in (*match.game.actions, *COMMON_ACTIONS):
        params = fields(cls)
        people = sum(field.kind is PLAYER for field in params)
        own = (f for f in params if f.base is int or (f.kind is not None and f.kind not in COMMON_KINDS))
        slots = tuple(field for field in own if field.in_place)
        synonyms = (synonym for synonym, name in match.game.synonyms.items() if name == kebab(cls))
        if people:
            possible.append(Shape(cls, frozenset({kebab(cls), *synonyms}), slots, people))
    return tuple(possible)


class MessageReader:
    def __init__(self, match: Match, who: Who) -> None:
        self.shapes, self.who = shapes(match), who
        self.names = match.table.directory().spelled()
        self.desk: ParseContext = match.desk(0)
        self._read: dict[tuple[int, str], str | None] = {}

    def of(self, message: Message, later: Sequence[Message]) -> Shape | None:
        """The action that a message looks like: preferably one whose verb it names, then the one with the most words.

        Args:
            later: The later messages of the channel. If two players must agree, one of them consents there.
        """
        words = words_of(message.content)
        folded = [casefolded(word) for word in words]
        best: tuple[int, Shape] | None = None
        for shape in self.shapes:
            weights = [weight for *_, weight in self._filled_slots(shape, message.content)]
            if len(weights) < len(shape.slots):
                continue  # too few words of the game
            weight = sum(weights)
            has_verb = any(is_verb(word, verb) for word in folded for verb in shape.verbs)
            enough = has_verb and (bool(shape.slots) or len(words) <= 8)  # only a verb, like "I lock in"
            if not (enough or weight > 1) or (shape.agreed and not self._consented(message, later, folded)):
                continue
            if shape.cls in COMMON_ACTIONS and not any(word in self.names for word in folded):
                continue
            score = (10 if has_verb else 0) + weight
            if best is None or score > best[0]:
                best = (score, shape)
        return best[1] if best else None

    def game_words(self, content: str) -> frozenset[str]:
        kinds = {id(slot.kind): slot.kind for shape in self.shapes for slot in shape.slots if slot.kind}
        parts = [*words_of(content), *lines_of(content)]
        spelled = {spelling for kind in kinds.values() for part in parts if (spelling := self._reads(kind, part))}
        return frozenset(spelled | {part for part in parts if _is_number(part)})

    def words(self, shape: Shape, content: str) -> dict[str, str]:
        return {name: word for name, word, _ in self._filled_slots(shape, content)}

    def _filled_slots(self, shape: Shape, content: str) -> Iterator[tuple[str, str, int]]:
        """(field, word, weight) for each slot that a message fills; a whole line has weight 2."""
        unused, lines = words_of(content), [line for line in lines_of(content) if len(line.split()) > 1]
        for slot in shape.slots:
            kind = slot.kind
            if kind is not None and (spelling := next(filter(None, (self._reads(kind, line) for line in lines)), None)):
                yield slot.name, spelling, 2  # like a sheet of bids
                continue
            for word in unused:
                if spelling := (word if _is_number(word) else None) if kind is None else self._reads(kind, word):
                    unused.remove(word)
                    yield slot.name, spelling, 1
                    break

    def people(self, message: Message, answer: Message | None) -> list[str]:
        players = [self.who(message.author.names)]
        players += [self.names.get(casefolded(word)) for word in words_of(message.content)]
        players += [self.who(names) for names in message.approved]
        players += [self.who(answer.author.names)] if answer else []
        return list(dict.fromkeys(player for player in players if player))

    def answer(self, message: Message, later: Sequence[Message]) -> Message | None:
        """The first message in which another player agrees in words, if it came in time."""
        author = self.who(message.author.names)
        for answer in later:
            if answer.at > message.at + MAX_ANSWER_GAP:
                return None
            consents = not CONSENT_WORDS.isdisjoint(map(casefolded, words_of(answer.content)))
            if consents and self.who(answer.author.names) not in (None, "", author):
                return answer
        return None

    def _consented(self, message: Message, later: Sequence[Message], folded: Sequence[str]) -> bool:
        """Whether somebody else agreed, by a reaction or in a later message, or the message itself says so."""
        author = self.who(message.author.names)
        signed = any(self.who(names) not in (None, "", author) for names in message.approved)
        return bool(CONSENT_WORDS & set(folded)) or signed or message.ticked or self.answer(message, later) is not None

    def _reads(self, kind: Kind, word: str) -> str | None:
        key = (id(kind), word)
        if key not in self._read:
            try:
                self._read[key] = kind.read(word, self.desk)
            except LedgerError:
                self._read[key] = None
        return self._read[key]


def _is_number(word: str) -> bool:
    return digits(word, 15) is not None


def lines_of(content: str) -> list[str]:
    return [line.strip() for line in content.splitlines() if line.strip() and not line.startswith(">")]


def words_of(content: str) -> list[str]:
    """The words of a message, without mentions, quotes, formatting and punctuation.

    >>> words_of("> earlier\\n**R2** for `B4`? <@123> ok!")
    ['R2', 'for', 'B4', 'ok']
    """
    own = re.sub(r"<[@#:a][^>\s]*>", " ", "\n".join(lines_of(content)))
    return re.findall(r"[^\s,;.:!?()\[\]{}*_`~|<\"'/\\@=+&]+", own)


def is_verb(word: str, verb: str) -> bool:
    """Whether a word is a form of the verb.

    >>> [is_verb(word, "trade") for word in ("trade", "trading", "traded", "trader")]
    [True, True, True, False]
    """
    stem = verb.removesuffix("e")
    return word in (verb, f"{verb}s", f"{stem}ed", f"{stem}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing")


# ---- the chat compared with the log ----------------------------------------------------------------------------------

_LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/([0-9]{1,20}|@me)/([0-9]{1,20})/([0-9]{15,20})/?")
SETTLED = ".settled"
"""Ending of the file beside a log that lists messages with nothing to record, as a host has said; one id per line.

It belongs to this copy of the match, is not part of the log, and may be deleted at any time.
"""


class Doubt(NamedTuple):
    kind: str
    message: str
    channel: str
    at: int
    seq: int | None
    who: str
    content: str
    what: str
    fix: str

    def as_json(self) -> dict[str, Any]:
        values = {**self._asdict(), "at": write_instant(self.at)}
        return {key: value for key, value in values.items() if value is not None}


class Report(NamedTuple):
    messages: int
    cited: int
    doubts: tuple[Doubt, ...]
    not_checked: tuple[str, ...]


class Comparison:
    def __init__(self, match: Match, chats: Sequence[Chat], settled: Collection[str] = ()) -> None:
        self.match, self.chats, self.citations = match, chats, Citations(match, chats, settled)
        self.names = match.table.directory().spelled()
        self.hosts = {casefolded(host) for host in match.table.hosts}
        self.reader = MessageReader(match, self.who)
        self.by_verb = {kebab(shape.cls): shape for shape in self.reader.shapes}
        self.live, self.posted = self.citations.live, self.citations.posted
        latest = {match.book.entries[seq - 1].body.evidence: seq for seq in self.posted}
        self.posted_last = frozenset(latest.values())
        self.doubts: list[Doubt] = []
        self.unknown: dict[str, str] = {}
        self._seen: dict[tuple[str, frozenset[str]], int] = {}

    def run(self) -> Report:
        cited = 0
        for chat in self.chats:
            unrecorded = dict(self.unrecorded(chat))
            for n, message in enumerate(chat.messages):
                seqs = self.citations.citing(chat, message)
                cited += bool(seqs)
                written = instant_of_id(message.id)
                if written is not None and abs(written - message.at) > 1000:
                    what = "its id and its timestamp say different times: somebody changed the export"
                    self._doubt("clock", chat, message, None, what, "export the channel again")
                for seq in seqs:
                    if seq in self.posted:
                        self._posted_text(chat, message, seq)
                        continue
                    self._edited(chat, message, seq)
                    self._author(chat, message, seq)
                if n in unrecorded:
                    self._no_entry(chat, message, unrecorded[n])
            self._no_message(chat)
        self.doubts.sort(key=lambda doubt: (doubt.at, doubt.message, doubt.kind))
        messages = sum(len(chat.messages) for chat in self.chats)
        unchecked = not_checked(self.citations, self.by_verb, self.unknown.values())
        return Report(messages, cited, tuple(self.doubts), tuple(unchecked))

    def _doubt(self, kind: str, chat: Chat, message: Message, seq: int | None, what: str, fix: str) -> None:
        who, content = message.author.called, message.in_one_line
        self.doubts.append(Doubt(kind, message.id, chat.channel, message.at, seq, who, content, what, fix))

    # ---- messages that an entry cites --------------------------------------------------------------------------------

    def _edited(self, chat: Chat, message: Message, seq: int) -> None:
        """Add a doubt if a message was edited after a host last looked at it: it may say something else now."""
        entries, marks = self.match.book.entries, self.match.fold.marks
        if message.edited is None:
            return
        about = self.match.fold.layout.about
        reviews = [entries[seq - 1], *marks.amended.get(seq, ())]
        reviews += [entry for entry in about if entry.body.do == "confirm" and entry.body.args.get("target") == seq]
        last_review = max(entry.body.recorded for entry in reviews)
        if message.edited > last_review:
            delay = show_span(message.edited - last_review)
            what = f"edited {delay} after a host last looked at it; entry {seq} ({self._typed(seq)}) rests on it"
            self._doubt("edited", chat, message, seq, what, f"hl show {seq}")

    def _posted_text(self, chat: Chat, message: Message, seq: int) -> None:
        """Add a doubt if a posted text, or one message of it, no longer reads as in the log."""
        post = self.posted[seq]
        same = message.content.split() == post.text.split()
        alike = message.form != "JSON" and same_words(message.content, post.text)
        if seq in self.posted_last and not (same or alike):
            what = f"it does not say what entry {seq} posted there (text {post.item})"
            self._doubt("edited", chat, message, seq, what, f"hl outbox show {post.item}")

    def _author(self, chat: Chat, message: Message, seq: int) -> None:
        author = self.who(message.author.names)
        if author is None and not message.author.bot:
            self._note_unknown(message)
        if not author or (live := self.live.get(seq)) is None:
            return
        concerned = self._concerned(live)
        if concerned and author not in concerned:
            table = self.match.table
            what = f"written by {table.name(author)}, and entry {seq} ({self._typed(seq)})"
            what += f" is about {table.named(concerned)}"
            self._doubt("author", chat, message, seq, what, f"hl show {seq}")

    def _concerned(self, live: EffectiveEntry) -> tuple[str, ...]:
        """The players whom an entry names and who may read it; all whom it names if none of them may."""
        if (action := self._action(live)) is None:
            return ()
        people = tuple(dict.fromkeys(players_of(action)))
        readers = HOST if live.do in ("note", "ruling") else self.match.game.audience(self.match.fold.state, action)
        return tuple(player for player in people if player in readers.players) or people

    def _action(self, live: EffectiveEntry) -> Any:
        try:
            return self.match.engine.read(live.do, live.args, self.match.table)
        except LedgerError:
            return None

    # ---- found on one side only --------------------------------------------------------------------------------------

    def _no_message(self, chat: Chat) -> None:
        exported = {message.id for message in chat.messages}
        moments = {message.at for message in chat.messages if message.form == "CSV"}
        entries = self.match.book.entries
        for seq in (*self.live, *self.posted_last):
            link = self.citations.link(seq)
            if not link or link[2] != chat.channel or link[3] in exported:
                continue
            at = instant_of_id(link[3]) or entries[seq - 1].body.at
            if chat.holds(at) and at not in moments:
                what = f"entry {seq} ({self._typed(seq)}) rests on a message that is not in the export"
                if seq in self.posted:
                    what = f"text {self.posted[seq].item}, posted by entry {seq}, is not in the export"
                fix = f"hl show {seq}"
                self.doubts.append(Doubt("no_message", link[3], chat.channel, at, seq, "", "", what, fix))

    def unrecorded(self, chat: Chat) -> Iterator[tuple[int, Shape]]:
        """(index in the chat, shape) of each message that looks like an action that no entry records."""
        for n, message in enumerate(chat.messages):
            if message.author.bot or self.citations.citing(chat, message) or self.citations.is_settled(message):
                continue
            author = self.who(message.author.names)
            if author == "" or (shape := self.reader.of(message, chat.messages[n + 1 :])) is None:
                continue
            words, at = self.reader.game_words(message.content), message.at
            if not (self._covered(shape, words, at, author) or self._repeats(shape, words, at)):
                yield n, shape

    def _no_entry(self, chat: Chat, message: Message, shape: Shape) -> None:
        if self.who(message.author.names) is None:
            self._note_unknown(message)
        verb = kebab(shape.cls)
        places = " ".join(field.name.upper() for field in fields(shape.cls) if field.in_place)
        article = "a confirmed" if shape.agreed and shape.slots else "an" if verb[0] in "aeiou" else "a"
        what = f"looks like {article} {verb}, but no entry says so"
        self._doubt("no_entry", chat, message, None, what, f"hl {verb} {places} {' '.join(chat.evidence(message))}")

    def _covered(self, shape: Shape, game_words: frozenset[str], at: int, author: str | None) -> bool:
        for seq, (people, recorded_words) in self._recorded_as.items():
            live = self.live[seq]
            if abs(live.at - at) > 48 * HOUR or (author is not None and author not in people):
                continue
            wordless = not recorded_words and not shape.slots and live.do == kebab(shape.cls)
            if wordless or (recorded_words and recorded_words <= game_words):
                return True
        return False

    def _repeats(self, shape: Shape, game_words: frozenset[str], at: int) -> bool:
        """Whether the same doubt came up shortly before: a player who consents often repeats the words."""
        key = (kebab(shape.cls), game_words)
        repeated = key in self._seen and at - self._seen[key] <= MAX_ANSWER_GAP
        self._seen.setdefault(key, at)
        return bool(game_words) and repeated

    @cached_property
    def _recorded_as(self) -> dict[int, tuple[frozenset[str], frozenset[str]]]:
        """Entry -> (the players whom it names, the game's words in it)."""
        recorded = {}
        for seq, live in self.live.items():
            if (shape := self.by_verb.get(live.do)) is None or (action := self._action(live)) is None:
                continue
            values = [getattr(action, slot.name) for slot in shape.slots]
            words = frozenset(str(value) for value in values if value not in (None, "", ()))
            recorded[seq] = (frozenset(players_of(action)), words)
        return recorded

    # ---- names -----------------------------------------------------------------------------------------------------

    def who(self, names: Iterable[str]) -> str | None:
        for name in names:
            spelling = casefolded(re.sub(r"#[0-9]{4}$", "", name))
            if spelling in self.names:
                return self.names[spelling]
            if spelling in self.hosts:
                return ""
        return None

    def _note_unknown(self, message: Message) -> None:
        self.unknown.setdefault(message.author.id or "", message.author.called)

    def _typed(self, seq: int) -> str:
        body = self.match.book.entries[seq - 1].body
        return as_typed(self.match, body.do, self.live[seq].args if seq in self.live else body.args, 60)


def same_words(message: str, posted: str) -> bool:
    """Whether both texts have the same letters and digits. Discord changes emoji, and localises times.

    >>> same_words("It ends 5 March 2026. Hand: R2", "It ends <t:1772730000:F>. Hand: **R2**")
    True
    """
    first, *further = (re.sub(r"[\W_]+", "", part) for part in re.split(r"<t:[0-9]+(?::[a-zA-Z])?>", posted))
    letters = re.sub(r"[\W_]+", "", message)
    if not further:
        return letters == first
    middle = "".join(f"(?>.*?{part})" for part in further[:-1])  # (?>...): the first place that fits is the best
    return re.fullmatch(f"{first}{middle}.*{further[-1]}", letters) is not None


# ---- cited and settled messages --------------------------------------------------------------------------------------


def read_settled(log: str) -> frozenset[str]:
    try:
        lines = read_text(log + SETTLED).splitlines()
    except OSError:
        return frozenset()
    return frozenset(line for line in lines if digits(line, 20) is not None)


def as_file(settled: Iterable[str]) -> bytes:
    return "".join(f"{message}\n" for message in sorted(settled, key=int)).encode()


class Citations:
    def __init__(self, match: Match, chats: Sequence[Chat], settled: Collection[str]) -> None:
        self.entries, self.chats, self.settled = match.book.entries, chats, settled
        self.live = {outcome.entry.seq: outcome.entry for outcome in match.fold.outcomes}
        self.cited: dict[str, tuple[int, ...]] = {}
        """Message id -> the entries that cite it, even undone ones, because a host has dealt with the message."""
        for seq, _, body in self.entries:
            if body.evidence and is_message_id(cited_id := message_id(body.evidence)):
                self.cited[cited_id] = (*self.cited.get(cited_id, ()), seq)
        self.cited_at = grouped((instant_of_id(cited_id), cited_id) for cited_id in self.cited)
        marks = (mark for mark in posted_marks(match) if self.entries[mark.seq - 1].body.evidence)
        self.posted = {mark.seq: mark.action for mark in marks}
        """Entry -> the posted text whose message it cites."""

    def link(self, seq: int) -> re.Match[str] | None:
        return _LINK.fullmatch(self.entries[seq - 1].body.evidence or "")

    def citing(self, chat: Chat, message: Message) -> tuple[int, ...]:
        """The entries that cite a message; for one without id, those that cite a message of its moment and channel."""
        if message.form != "CSV":
            return self.cited.get(message.id, ())
        seqs = [seq for cited_id in self.cited_at.get(message.at, ()) for seq in self.cited[cited_id]]
        links = {seq: self.link(seq) for seq in seqs}
        return tuple(seq for seq, link in links.items() if link is None or link[2] == chat.channel)

    def is_settled(self, message: Message) -> bool:
        """Whether a host has said that it needs no entry; without an id, that a message of its moment needs none."""
        return message.id in self.settled or (message.form == "CSV" and message.at in self._settled_at)

    @cached_property
    def _settled_at(self) -> frozenset[int | None]:
        return frozenset(map(instant_of_id, self.settled))


# ---- unchecked evidence ----------------------------------------------------------------------------------------------


def not_checked(citations: Citations, verbs: Container[str], unknown: Iterable[str]) -> Iterator[str]:
    """What could not be checked with these files, one line each; `verbs`: those that players announce in this game."""
    by_channel = {chat.channel: chat for chat in citations.chats}
    elsewhere: dict[str, int] = {}
    outside = bare = without_evidence = 0
    for seq in citations.live:
        if (evidence := citations.entries[seq - 1].body.evidence) is None:
            without_evidence += citations.live[seq].do in verbs
        elif link := citations.link(seq):
            at = instant_of_id(link[3])
            if link[2] not in by_channel:
                elsewhere[link[2]] = elsewhere.get(link[2], 0) + 1
            elif at is not None and not by_channel[link[2]].holds(at):
                outside += 1
        elif is_message_id(evidence):
            bare += all(message.id != evidence for chat in citations.chats for message in chat.messages)
    if elsewhere:
        channels = ", ".join(sorted(elsewhere))
        yield f"{_entries(sum(elsewhere.values()))} on messages of channels that were not given: {channels}"
    if outside:
        yield f"{_entries(outside)} on messages outside the span of the export"
    if bare:
        yield f"{_entries(bare)} on a message id alone, so its channel is unknown"
    if without_evidence:
        yield f"{count(without_evidence, 'entry')} of players without evidence"
    yield from _limits_of_forms(citations)
    yield from _without_text(citations.chats)
    if n := sum(citations.is_settled(message) for chat in citations.chats for message in chat.messages):
        yield f"{count(n, 'message')}, because a host has said that there is nothing to record"
    for name in unknown:
        yield f'who "{name}" is: hl alias PLAYER "{name}"'


def _without_text(chats: Sequence[Chat]) -> Iterator[str]:
    """Lines about messages without text, in which nothing could be compared."""
    for chat in chats:
        written = [message for message in chat.messages if not message.author.bot]
        blank = [message for message in written if message.blank]
        if forwarded := sum(message.forwarded is not None for message in blank):
            yield f"{count(forwarded, 'message')} of {chat.name} with a forwarded text"
        if own := len(blank) - forwarded:
            why = "; may the account that exported them read messages?" if len(blank) == len(written) else ""
            yield f"{count(own, 'message')} of {chat.name} without text{why}"


def _limits_of_forms(citations: Citations) -> Iterator[str]:
    """Lines about what could not be checked because the form of a file lacks it."""
    missing: dict[Form, str] = {"HTML": "when a message was edited, who put a sign under it"}
    missing["CSV"] = "the ids of messages (they are known by their moments), edits, bots, who put a sign under one"
    for form, lacking in missing.items():
        if names := sorted({chat.name for chat in citations.chats if form in chat.forms}):
            yield f"{lacking}: {form} does not say it ({', '.join(names)})"
    for chat in citations.chats:
        if chat.undecided:
            told = f"{count(chat.undecided, 'message')} of {chat.name} that several files tell differently"
            yield f"{told}, and none says which is newer: export as JSON"
    undated = ((chat, message) for chat in citations.chats for message in chat.messages if message.edited_once)
    edited = {seq for place in undated for seq in citations.citing(*place) if seq not in citations.posted}
    if edited:
        seqs = ", ".join(map(str, sorted(edited)))
        yield f"{_entries(len(edited))} on a message that was edited at an unknown time: {seqs}; export as JSON"


def _entries(number: int) -> str:
    return f"{number} entr{'y rests' if number == 1 else 'ies rest'}"


# ---- what to record for a message ------------------------------------------------------------------------------------

Words = Mapping[str, Any]
"""Field -> the word or words that a host would type for it, as far as the message gives them."""


class Proposal(NamedTuple):
    chat: Chat
    message: Message
    answer: Message | None
    cls: type
    readings: tuple[Words, ...]
    """Possible readings, the likeliest first: "R3 for B4" may give R3 or take it."""

    @property
    def settles(self) -> Message:
        return self.answer or self.message

    def line(self, words: Words) -> str:
        typed = [kebab(self.cls)]
        for field in _required(self.cls):
            word = words.get(field.name, field.name.upper())
            typed += map(str, word if isinstance(word, tuple) else (word,))
        return shlex.join([*typed, *self.chat.evidence(self.settles)])

    def lacks(self, words: Words) -> tuple[str, ...]:
        return tuple(field.name.upper() for field in _required(self.cls) if field.name not in words)


def proposals(match: Match, chats: Sequence[Chat], settled: Collection[str] = ()) -> Iterator[Proposal]:
    comparison = Comparison(match, chats, settled)
    unrecorded = [(chat, n, shape) for chat in chats for n, shape in comparison.unrecorded(chat)]
    for chat, n, shape in sorted(unrecorded, key=lambda place: place[0].messages[place[1]].at):
        message = chat.messages[n]
        if not is_message_id(message.id):
            continue  # it cannot be linked to, so no entry can cite it
        reader = comparison.reader
        replies = [reply for reply in chat.messages[n + 1 :] if is_message_id(reply.id)]
        answer = reader.answer(message, replies) if shape.agreed else None
        people = reader.people(message, answer)
        readings = _readings(shape, reader.words(shape, message.content), people)
        yield Proposal(chat, message, answer, shape.cls, tuple(readings))


def _required(cls: type) -> list[Field]:
    return [field for field in fields(cls) if field.in_place and field.required]


def _readings(shape: Shape, spelled: Mapping[str, str], people: Sequence[str]) -> Iterator[Words]:
    """The words with the players filled in, the author first; then variants with two words of one kind swapped."""
    words: dict[str, Any] = dict(spelled)
    unplaced = list(people)
    for field in _required(shape.cls):
        if field.kind is PLAYER and unplaced:
            words[field.name] = tuple(unplaced) if field.many else unplaced.pop(0)
    yield words
    for first, second in pairwise(field for field in shape.slots if field.name in spelled):
        if first.kind is second.kind and spelled[first.name] != spelled[second.name]:
            yield {**words, first.name: spelled[second.name], second.name: spelled[first.name]}
