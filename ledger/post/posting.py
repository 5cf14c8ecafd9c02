"""Sending the waiting texts of the outbox, each exactly once, also after a crash.

1. A `posting` entry claims the text under the lock of the log, so that only one host can claim it. 2. It is sent.
3. A `posted` entry records the link to the message; or an undo returns the claim, if it certainly was not posted.
A claim that remains is doubtful: it is shown to the hosts, and the text is never sent again automatically.

The webhooks of a match, one for each audience, are in a file beside the log that only its owner may read. The address
of a webhook is a password: anybody who has it can write to the channel. It is in no log and is never printed.

Source: docs/decisions/0034-a-post-is-claimed.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

from events import LedgerError, Refused, Unreadable
from events.audiences import PUBLIC_VIEWER
from events.disk import DISK
from events.record import NamedTuple
from games.contract import Action
from games.kinds import grouped
from games.table import actions as shared
from ledger.core.clock import now_ms
from ledger.core.inputs import MAX_TOML_BYTES, read_text
from ledger.core.match import Match
from ledger.record.plan import Options
from ledger.record.recorder import record_marks
from ledger.tell.outbox import Drift, Outbox, disturbances, outbox
from ledger.tell.texts import Item, split_name

ENDING = ".webhooks"
ADDRESS = re.compile(
    r"https://(?:(?:canary|ptb)\.)?discord(?:app)?\.com/api(?:/v[0-9]{1,2})?/webhooks/[0-9]{15,20}/[\w-]{20,200}/?",
    re.A,
)


class Hook(NamedTuple):
    url: str
    channel: str
    guild: str

    def link(self, message: str) -> str:
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{message}"


class Picture(NamedTuple):
    data: bytes
    alt: str


class Answer(NamedTuple):
    kind: Literal["taken", "refused", "later", "unknown"]
    """`taken`: the request was carried out. `refused`, `later`: it was not. `unknown`: it may have been."""
    what: str = ""
    data: Mapping[str, Any] = {}
    wait: float = 0.0
    """For `later`: how many seconds to wait."""


class Hooks(NamedTuple):
    of: Mapping[str, Hook]
    log: str = ""
    """The log that they were added for. They are not used in a copy of its folder."""

    def lacking(self, players: Iterable[str]) -> list[str]:
        return [who for who in (PUBLIC_VIEWER, *players) if who not in self.of]


def read_hooks(log: str) -> Hooks:
    """Read the webhooks beside a log; empty if there is no such file.

    Raises:
        Refused: `webhooks.rights`, others can read the file. Unreadable: `webhooks.unreadable`.
    """
    path = log + ENDING
    fix = "move it away; hl webhook add makes a new one"
    try:
        status = DISK.stat(path)
        if DISK.others_may_read(status):
            message = f"others on this machine can read {path}, and anybody who has a webhook can write to its channel"
            raise Refused("webhooks.rights", message, f"chmod 600 {path}")
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("webhooks.unreadable", f"{path} is not a plain file", fix)
        data = json.loads(read_text(path, MAX_TOML_BYTES))
        hooks = {
            str(audience): Hook(str(row["url"]), str(row["channel"]), str(row["guild"]))
            for audience, row in data["hooks"].items()
        }
        return Hooks(hooks, str(data["log"]))
    except FileNotFoundError:
        return Hooks({})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable("webhooks.unreadable", f"{path} cannot be read as a list of webhooks", fix) from None


def as_file(hooks: Hooks) -> bytes:
    rows = {audience: hook._asdict() for audience, hook in hooks.of.items()}
    return (json.dumps({"log": hooks.log, "hooks": rows}, indent=1) + "\n").encode()


def into_one_channel(hooks: Mapping[str, Hook]) -> list[tuple[str, ...]]:
    """Groups of audiences whose webhooks write to one channel, so that each would read the texts of the others."""
    channels = grouped((hook.channel, audience) for audience, hook in hooks.items())
    return [tuple(group) for group in channels.values() if len(group) > 1]


CLAIM_ACTIVE_MS = 120_000
"""How long a claim means that a host is sending, ms. Others do not use the channel meanwhile, to keep its order."""
RETRY_PAUSE_MS = 60_000
"""How long to wait before using a channel again after a refusal, ms."""
Send = Callable[[Hook, Item, str], Answer]
"""Posts the text of an item; the third argument is the id of the message to edit, "" for a new one."""


class Sending(NamedTuple):
    item: str
    audience: str
    channel: str
    kind: Literal["posted", "edited", "refused", "doubtful"]
    what: str = ""
    link: str = ""


class Poster:
    def __init__(
        self, match: Match, by: str, hooks: Mapping[str, Hook], send: Send, *, only: Collection[str] = (), hold: int = 0
    ) -> None:
        self.match, self.by, self.hooks, self.send = match, by, hooks, send
        self.only, self.hold = frozenset(only), hold
        self.retry_at: dict[str, int] = {}
        self.own_claims: set[int] = set()
        self.held_back: dict[str, tuple[str, int]] = {}
        """Name of a text held back -> its wording, and since when it has that wording."""

    def run(self) -> Iterator[Sending]:
        """Send all texts that can be sent now, one after the other."""
        while True:
            self.match.refresh()
            if (item := self.ready(self.match, now_ms())) is None:
                return
            if (seq := self._claim(item)) is not None:
                yield self._send_claimed(item, seq)

    def ready(self, match: Match, now: int) -> Item | None:
        """The next text to send: the oldest one whose channel is not blocked."""
        current = outbox(match, now)
        resting = {audience for audience, until in self.retry_at.items() if now < until}
        claims = (claim for claim in current.claims.values() if claim.seq not in self.own_claims)
        closed = resting | {claim.action.audience for claim in claims if now - claim.at < CLAIM_ACTIVE_MS}
        doubtful = {split_name(name)[0] for name in current.claims}
        for item in current.waiting:
            if item.audience in closed or item.audience not in self.hooks or item.whole in doubtful:
                continue
            if self.only and not self.only & {item.name, item.whole}:
                continue
            if self._is_held_back(match, item, now):
                closed.add(item.audience)
                continue
            return item
        return None

    def _is_held_back(self, match: Match, item: Item, now: int) -> bool:
        """Whether the text is still held back, so that a host can undo a mistake before it is sent."""
        if not self.hold:
            return False
        text = item.text
        if (last_seen := self.held_back.get(item.name)) is None or last_seen[0] != text:
            entries = match.book.entries
            touched = max(entries[seq - 1].body.recorded for seq in (item.seq, *disturbances(match)[-1:]))
            self.held_back[item.name] = last_seen = (text, touched if last_seen is None else now)
        return now - last_seen[1] < self.hold

    def _claim(self, item: Item) -> int | None:

        def still_ours(current: Match) -> None:
            if self.ready(current, now_ms()) != item:
                raise Refused("outbox.changed", f"text {item.name} is no longer the next one", "hl outbox post")

        try:
            return self._record(claim_of(item), still_ours)
        except Refused as error:
            if error.code != "outbox.changed":
                raise
            return None

    def _send_claimed(self, item: Item, seq: int) -> Sending:
        hook = self.hooks[item.audience]
        answer = self.send(hook, item, "")
        sending = Sending(item.name, item.audience, item.channel, "posted", answer.what)
        if answer.kind == "taken":
            link = hook.link(str(answer.data["id"]))
            try:
                self._record(posted_as(claim_of(item)), lambda match: None, link)
            except LedgerError as error:
                self.own_claims.add(seq)
                message = f"it was posted ({link}), but that could not be recorded: {error.what}"
                return sending._replace(kind="doubtful", what=message, link=link)
            return sending._replace(link=link)
        if answer.kind == "unknown":
            self.own_claims.add(seq)
            return sending._replace(kind="doubtful")
        self.retry_at[item.audience] = now_ms() + max(int(answer.wait * 1000), RETRY_PAUSE_MS)
        self._give_back(item.name, seq)
        return sending._replace(kind="refused")

    def _give_back(self, name: str, seq: int) -> None:
        """Return the claim of a text that certainly was not posted, unless a host has marked it meanwhile."""

        def still_open(current: Match) -> None:
            claim = outbox(current).claims.get(name)
            if claim is None or claim.seq != seq:
                raise Refused("outbox.changed", f"somebody else marked text {name} in the meantime", "hl outbox")

        with suppress(Refused):
            self._record(shared.Undo(seq), still_open)

    def _record(self, entry: Action, check: Callable[[Match], object], link: str | None = None) -> int:
        options = Options(by=self.by, yes=True, evidence=link)
        return record_marks(self.match, [entry], options, lambda question: True, check).seqs[0]

    def edits(self) -> Iterator[Sending]:
        self.match.refresh()
        current = outbox(self.match, now_ms())
        for drift in current.drifted:
            pairs = _editable(current, drift)
            if not pairs or drift.audience not in self.hooks or (self.only and drift.item not in self.only):
                continue
            for item, link in pairs:
                answer = self.send(self.hooks[drift.audience], item, link.rpartition("/")[2])
                sending = Sending(item.name, item.audience, item.channel, "edited", answer.what, link)
                if answer.kind != "taken":
                    yield sending._replace(kind="refused")
                    break
                self._record(posted_as(claim_of(item)), lambda match: None, link)
                yield sending


def _editable(current: Outbox, drift: Drift) -> list[tuple[Item, str]]:
    """The new messages of a text, each with the link to the message it replaces; empty if it cannot be edited."""
    if drift.now is None or drift.carriers:
        return []
    links = {name: sent.link for name, sent in current.sent.items() if split_name(name)[0] == drift.item}
    items = drift.now.in_parts()
    fits = {item.name for item in items} == set(links) and all(links.values())
    return [(item, links[item.name]) for item in items] if fits else []


def claim_of(item: Item) -> shared.Posting:
    parts = len(item.messages) if item.part else None
    return shared.Posting(item.name, item.audience, item.channel, item.text, item.covers, parts)


def posted_as(post: shared.Posting, *, dropped: bool = False) -> shared.Posted:
    """The entry to record when a claimed text was posted, or (`dropped`) will not be."""
    text = "" if dropped else post.text
    digest = "" if dropped else hashlib.sha256(text.encode()).hexdigest()
    return shared.Posted(post.item, post.audience, post.channel, text, digest, post.covers, dropped, post.parts)
