"""Which entries cite which messages of a chat, and which messages a host has settled without an entry."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from events import Entry
from games.kinds import digits
from ledger.core.inputs import read_text
from ledger.core.match import Match
from ledger.core.times import is_message_id, message_id
from ledger.exchange.chat import Chat, Message, instant_of_id
from ledger.tell.outbox import posted_marks

_LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/([0-9]{1,20}|@me)/([0-9]{1,20})/([0-9]{15,20})/?")


SETTLED = ".settled"
"""Added to the path of a log: messages of which a host has said that there is nothing to record, one id a line.

It belongs to this copy of the match, is no part of the log, and may be deleted at any time.
"""


def read_settled(log: str) -> frozenset[str]:
    """The ids of settled messages; none where there is no such file, or it cannot be read."""
    try:
        lines = read_text(log + SETTLED).splitlines()
    except OSError:
        return frozenset()
    return frozenset(line for line in lines if digits(line, 20) is not None)


def as_file(settled: Iterable[str]) -> bytes:
    """What the file holds."""
    return "".join(f"{message}\n" for message in sorted(settled, key=int)).encode()


class Citations:
    """The messages that the entries of a match cite.

    Args:
        settled: Ids of messages of which a host has said that there is nothing to record.
    """

    def __init__(self, match: Match, chats: Sequence[Chat], settled: Collection[str]) -> None:
        self.entries, self.chats, self.settled = match.book.entries, chats, settled
        self.live = {outcome.live.seq: outcome.live for outcome in match.fold.outcomes}
        self.cited = _cited(self.entries)
        marks = (mark for mark in posted_marks(match) if self.entries[mark.seq - 1].body.evidence)
        self.posted = {mark.seq: mark.action for mark in marks}
        """What the ledger itself wrote into the chat; a message that was edited counts as it was written last."""

    def link(self, seq: int) -> re.Match[str] | None:
        """(server, channel, message) of the link that an entry cites, as groups; None where it cites no link."""
        return _LINK.fullmatch(self.entries[seq - 1].body.evidence or "")

    def citing(self, chat: Chat, message: Message) -> tuple[int, ...]:
        """The entries that cite a message; where it has no id, those that cite one of its moment in its channel."""
        if chat.form != "CSV":
            return self.cited.get(message.id, ())
        seqs = [seq for cited_id in self._cited_at.get(message.at, ()) for seq in self.cited[cited_id]]
        links = {seq: self.link(seq) for seq in seqs}
        return tuple(seq for seq, link in links.items() if link is None or link[2] == chat.channel)

    @cached_property
    def _cited_at(self) -> dict[int | None, list[str]]:
        """The ids that entries cite, by their moment."""
        ids: dict[int | None, list[str]] = {}
        for cited_id in self.cited:
            ids.setdefault(instant_of_id(cited_id), []).append(cited_id)
        return ids

    def is_settled(self, chat: Chat, message: Message) -> bool:
        """Has a host said that there is nothing to record? Where it has no id, of any message of its moment."""
        return message.id in self.settled or (chat.form == "CSV" and message.at in self._settled_at)

    @cached_property
    def _settled_at(self) -> frozenset[int | None]:
        return frozenset(map(instant_of_id, self.settled))


def _cited(entries: Sequence[Entry]) -> dict[str, tuple[int, ...]]:
    """Message id -> the entries that cite it. Undone ones too: a host has dealt with that message."""
    citing: dict[str, tuple[int, ...]] = {}
    for seq, _, body in entries:
        if body.evidence and is_message_id(cited_id := message_id(body.evidence)):
            citing[cited_id] = (*citing.get(cited_id, ()), seq)
    return citing
