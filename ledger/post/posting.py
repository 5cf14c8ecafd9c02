"""Sending what waits in the outbox: each text once, whatever happens in between.

1. A `posting` entry claims the text, under the lock of the log: of two hosts one gets it. 2. It is sent. 3. A `posted`
entry says that it is there, with the link to the message; or an undo gives the claim back, when it certainly is not
there. A claim that stays is doubtful: it is shown to the hosts, and nothing sends that text again by itself.

Belongs here: that order, and which text is next. Does not belong here: requests (discord_http.py), words (cli/post.py).
Source: docs/decisions/0034-a-post-is-claimed.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from events import LedgerError, Refused
from events.audiences import PUBLIC_VIEWER
from events.record import NamedTuple
from games.contract import Action
from games.table import actions as shared
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.post.webhooks import Hook
from ledger.record.plan import Options
from ledger.record.recorder import record_marks
from ledger.tell.drift import Drift, disturbances
from ledger.tell.outbox import Outbox, outbox
from ledger.tell.texts import Item, split_name

if TYPE_CHECKING:
    from ledger.post.discord_http import Answer

IN_FLIGHT = 120_000
"""For how long a claim is taken for a host who is at it, ms: others leave that channel alone, so its order is kept."""
REST = 60_000
"""For how long a channel is left alone after a refusal, ms."""
Send = Callable[[Hook, Item, str], "Answer"]
"""Posts a text of an item; the third is the id of the message to put it into, "" for a new one."""


class Sending(NamedTuple):
    """What became of one text."""

    item: str
    audience: str
    channel: str
    kind: Literal["posted", "edited", "refused", "doubtful"]
    what: str = ""
    link: str = ""

    def as_json(self) -> dict[str, str]:
        return self._asdict()


class Poster:
    """One host who sends.

    Attributes:
        hooks: Audience -> webhook; who has none is left to the hosts.
        only: The texts meant, whole or one message; empty: all.
        hold: For how long what one player reads is held back after the entry that caused it, or changed it, ms.
    """

    def __init__(
        self, match: Match, by: str, hooks: Mapping[str, Hook], send: Send, *, only: Collection[str] = (), hold: int = 0
    ) -> None:
        self.match, self.by, self.hooks, self.send = match, by, hooks, send
        self.only, self.hold = frozenset(only), hold
        self.resting: dict[str, int] = {}
        """Audience -> when it may be tried again, ms."""
        self.mine: set[int] = set()
        """Claims of ours of which nothing will be heard any more: they hold up no other text."""
        self.since: dict[str, tuple[str, int]] = {}
        """Text held back -> what it said, and since when it says so."""

    def run(self) -> Iterator[Sending]:
        """Send what can be sent now, one after another.

        Raises:
            LedgerError: the log cannot be read or written.
        """
        while True:
            self.match.refresh()
            item = self.ready(self.match, now_ms())
            if item is None:
                return
            if (seq := self._claim(item)) is not None:
                yield self._sent(item, seq)

    def ready(self, match: Match, now: int) -> Item | None:
        """The next text: the oldest of the first channel where nothing is in the way."""
        found = outbox(match, now)
        closed = {who for who, until in self.resting.items() if now < until} | self._busy(found, now)
        doubtful = {split_name(name)[0] for name in found.claims}
        for item in found.waiting:
            if item.audience in closed or item.audience not in self.hooks or item.whole in doubtful:
                continue
            if self.only and not self.only & {item.name, item.whole}:
                continue
            if self._held(match, item, now):
                closed.add(item.audience)
                continue
            return item
        return None

    def _busy(self, found: Outbox, now: int) -> set[str]:
        """The audiences to whom a host is sending something just now."""
        claims = found.claims.values()
        return {one.said.audience for one in claims if now - one.at < IN_FLIGHT and one.seq not in self.mine}

    def _held(self, match: Match, item: Item, now: int) -> bool:
        """A slip of the finger must not be out before it can be undone."""
        if not self.hold or item.audience == PUBLIC_VIEWER:
            return False
        text = item.text
        if (seen := self.since.get(item.name)) is None or seen[0] != text:
            entries = match.book.entries
            touched = max(entries[seq - 1].body.recorded for seq in (item.seq, *disturbances(match)[-1:]))
            self.since[item.name] = seen = (text, touched if seen is None else now)
        return now - seen[1] < self.hold

    def _claim(self, item: Item) -> int | None:
        """Claim a text; None where another host was first, or it is another text now."""

        def still_ours(current: Match) -> None:
            if self.ready(current, now_ms()) != item:
                raise Refused("outbox.changed", f"text {item.name} is not the next any more", "hl outbox post")

        try:
            return self._record(claim_of(item), still_ours)
        except Refused as error:
            if error.code != "outbox.changed":
                raise
            return None

    def _sent(self, item: Item, seq: int) -> Sending:
        """Send a text that is claimed, and record what became of it."""
        hook = self.hooks[item.audience]
        answer = self.send(hook, item, "")
        told = Sending(item.name, item.audience, item.channel, "posted", answer.what)
        if answer.kind == "taken":
            link = hook.link(str(answer.data["id"]))
            try:
                self._record(posted_as(claim_of(item)), lambda match: None, link)
            except LedgerError as error:
                self.mine.add(seq)
                what = f"it was posted ({link}), and that could not be recorded: {error.what}"
                return told._replace(kind="doubtful", what=what, link=link)
            return told._replace(link=link)
        if answer.kind == "unknown":
            self.mine.add(seq)
            return told._replace(kind="doubtful")
        self.resting[item.audience] = now_ms() + max(int(answer.wait * 1000), REST)
        self._give_back(item.name, seq)
        return told._replace(kind="refused")

    def _give_back(self, name: str, seq: int) -> None:
        """The text is not there for certain: it waits again, unless a host has said something of it meanwhile."""

        def still_open(current: Match) -> None:
            claim = outbox(current).claims.get(name)
            if claim is None or claim.seq != seq:
                raise Refused("outbox.changed", f"text {name} was marked meanwhile", "hl outbox")

        try:
            self._record(shared.Undo(seq), still_open)
        except Refused:
            pass

    def _record(self, entry: Action, check: Callable[[Match], object], link: str | None = None) -> int:
        options = Options(by=self.by, yes=True, evidence=link)
        return record_marks(self.match, [entry], options, lambda question: True, check).seqs[0]

    # ---- what has drifted ------------------------------------------------------------------------------------------

    def edits(self) -> Iterator[Sending]:
        """Put into the messages of drifted texts what they say now, where the same messages can hold it."""
        self.match.refresh()
        found = outbox(self.match, now_ms())
        for drift in found.drifted:
            pairs = _editable(found, drift)
            if not pairs or drift.audience not in self.hooks or (self.only and drift.item not in self.only):
                continue
            for item, link in pairs:
                hook = self.hooks[drift.audience]
                answer = self.send(hook, item, link.rpartition("/")[2])
                told = Sending(item.name, item.audience, item.channel, "edited", answer.what, link)
                if answer.kind != "taken":
                    yield told._replace(kind="refused")
                    break
                self._record(posted_as(claim_of(item)), lambda match: None, link)
                yield told


def _editable(found: Outbox, drift: Drift) -> list[tuple[Item, str]]:
    """The messages of a text as it is now, each with the link to the one where it stood; none: it cannot be edited."""
    if drift.today is None or drift.carriers:
        return []
    links = {}
    for name, sent in found.sent.items():
        if split_name(name)[0] == drift.item:
            links[name] = sent.link
    items = drift.today.in_parts()
    fits = {item.name for item in items} == set(links) and all(links.values())
    return [(item, links[item.name]) for item in items] if fits else []


def claim_of(item: Item) -> shared.Posting:
    """What is recorded before an item is sent."""
    parts = len(item.messages) if item.part else None
    return shared.Posting(item.name, item.audience, item.channel, item.text, item.covers, parts)


def posted_as(said: shared.Posting, *, dropped: bool = False) -> shared.Posted:
    """What is recorded when it was posted, or will not be."""
    text = "" if dropped else said.text
    digest = "" if dropped else hashlib.sha256(text.encode()).hexdigest()
    return shared.Posted(said.item, said.audience, said.channel, text, digest, said.covers, dropped, said.parts)
