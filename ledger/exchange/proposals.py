"""What a host could type for a message that looks like something to record.

Belongs here: the command with its words filled in. A proposal is a guess for a host to look at; nothing is recorded by
it. Does not belong here: what looks like something (likeness.py), what is recorded already (evidence.py), asking.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from events.record import NamedTuple
from games.kinds import PLAYER
from games.records import Field, fields, kebab
from ledger.core.match import Match
from ledger.core.times import is_message_id
from ledger.exchange.chat import Chat, Message
from ledger.exchange.evidence import Comparison
from ledger.exchange.likeness import Shape

Words = Mapping[str, Any]
"""Field -> the word, or the words, that a host would type for it. What the message does not say is not in it."""


class Proposal(NamedTuple):
    """A message that no entry says, and what it could be."""

    chat: Chat
    message: Message
    answer: Message | None
    """The message in which somebody else agrees; where two must agree, the entry rests on that."""
    cls: type
    readings: tuple[Words, ...]
    """The likely ones, the likeliest first: "R3 for B4" may give R3 or take it."""

    @property
    def settles(self) -> Message:
        """The message on which the entry rests."""
        return self.answer or self.message

    def line(self, words: Words) -> str:
        """The command without `hl`; what the message does not say is in capitals."""
        typed = [kebab(self.cls)]
        for field in _required(self.cls):
            word = words.get(field.name, field.name.upper())
            typed += map(str, word if isinstance(word, tuple) else (word,))
        return shlex.join([*typed, *self.chat.evidence(self.settles)])

    def lacks(self, words: Words) -> tuple[str, ...]:
        """What a command needs and the message does not say."""
        return tuple(field.name.upper() for field in _required(self.cls) if field.name not in words)


def proposals(match: Match, chats: Sequence[Chat], settled: Collection[str] = ()) -> Iterator[Proposal]:
    """One for each message that looks like something to record, oldest first, but those whose ids are `settled`."""
    comparison = Comparison(match, chats, settled)
    unrecorded = [(chat, n, shape) for chat in chats for n, shape in comparison.unrecorded(chat)]
    for chat, n, shape in sorted(unrecorded, key=lambda place: place[0].messages[place[1]].at):
        message = chat.messages[n]
        if not is_message_id(message.id):
            continue  # no link leads there, so no entry can rest on it
        likeness = comparison.likeness
        replies = [reply for reply in chat.messages[n + 1 :] if is_message_id(reply.id)]
        answer = likeness.answer(message, replies) if shape.agreed else None
        people = likeness.people(message, answer)
        readings = _readings(shape, likeness.words(shape, message.content), people)
        yield Proposal(chat, message, answer, shape.cls, tuple(readings))


def _required(cls: type) -> list[Field]:
    """The fields that are typed in place and must be there."""
    return [field for field in fields(cls) if field.in_place and field.required]


def _readings(shape: Shape, spelled: Mapping[str, str], people: Sequence[str]) -> Iterator[Words]:
    """The words with the players filled in, the author first; then with two words of one kind swapped."""
    words: dict[str, Any] = dict(spelled)
    unplaced = list(people)
    for field in _required(shape.cls):
        if field.kind is PLAYER and unplaced:
            words[field.name] = tuple(unplaced) if field.many else unplaced.pop(0)
    yield words
    for first, second in pairwise(field for field in shape.slots if field.name in spelled):
        if first.kind is second.kind and spelled[first.name] != spelled[second.name]:
            yield {**words, first.name: spelled[second.name], second.name: spelled[first.name]}
