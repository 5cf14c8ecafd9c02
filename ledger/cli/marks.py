"""The marks of `hl outbox`: posted, dropped, taken back; and the texts that neither wait nor were posted."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import Refused, Unmet, Unreadable
from games.kinds import nearest, shown
from games.table.actions import Posted, Undo
from ledger.cli.answer import answer
from ledger.cli.app import App, WriteOptions
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.post.posting import claim_of, posted_as
from ledger.record.plan import Options
from ledger.record.recorder import record_marks
from ledger.tell.outbox import Claim, Outbox, Sent, outbox
from ledger.tell.texts import Item, split_name


def current_outbox(match: Match) -> Outbox:
    """With the reminders that are due by now."""
    return outbox(match, now_ms())


def tell_not_waiting(app: App, outbox: Outbox) -> None:
    for item, name in outbox.superseded:
        app.to_host(f"{item.name} for {item.audience} in {item.channel} is superseded by {name}: it need not be posted")
    by_player: dict[str, list[str]] = {}
    for item in outbox.gone:
        by_player.setdefault(item.audience, []).append(item.name)
    for player, names in by_player.items():
        app.to_host(f"not posted to {player}, who has left the match: {' '.join(names)}")
    for name, claim in outbox.claims.items():
        app.to_host(in_doubt(name, claim, app.match.zone))


def in_doubt(name: str, claim: Claim, zone: str) -> str:
    """What a host does about a text that may have been sent or not."""
    return (
        f"{name} for {claim.action.audience}: {claim.by} began to send it to {claim.action.channel} at "
        f"{show_time(claim.at, zone)}, and no answer is recorded. Look there: hl outbox done {name} if it was posted, "
        f"hl outbox undo {name} if not"
    )


def settle(app: App, names: Sequence[str], writing: WriteOptions, *, dropped: bool) -> None:
    """Record that texts were posted, or that they will not be."""
    outbox = current_outbox(app.match)
    word = "dropped" if dropped else "posted"
    if "all" in names:
        names = [item.name for item in outbox.waiting if item.name not in outbox.claims]
        if not names:
            app.to_host("nothing waits to be posted")
            return
        channels = {item.name: item.channel for item in outbox.waiting}
        texts = ", ".join(f"{name} ({channels[name]})" for name in names)
        count = f"{len(names)} text{'s' if len(names) > 1 else ''}"
        question = f"all that waits would be marked as {word}, {count}: {texts}"
        fix = f"hl outbox {'drop' if dropped else 'done'} all --yes"
        if not (writing.yes or writing.dry_run) and not app.ask(question, fix):
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", fix)
    marks = _marks(outbox, names, dropped=dropped)

    def check(current: Match) -> None:
        texts = {mark.item: mark.text for mark in _marks(current_outbox(current), names, dropped=dropped)}
        for mark in marks:
            if not dropped and texts.get(mark.item) != mark.text:
                what = f"text {mark.item} has changed meanwhile"
                raise Refused("outbox.changed", what, f"hl outbox show {mark.item}")

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    written = record_marks(app.match, marks, options, app.ask, check)
    be = "would be" if writing.dry_run else "is" if len(marks) == 1 else "are"
    items = " ".join(mark.item for mark in marks)
    answer(app, written, writing, effect=f"text{'s' * (len(marks) > 1)} {items} {be} {word}")


def _marks(outbox: Outbox, names: Sequence[str], *, dropped: bool) -> list[Posted]:
    """The entries that settle these texts, each once and in the order in which they were named."""

    marks: dict[str, Posted] = {}
    for name in names:
        claim = outbox.claims.get(name)
        claims = [claim.action] if claim is not None else [claim_of(item) for item in texts_named(outbox, name)]
        marks |= {posting.item: posted_as(posting, dropped=dropped) for posting in claims}
    return list(marks.values())


def texts_named(outbox: Outbox, name: str) -> list[Item]:
    """The messages of a text that are not settled: one of them, or all by the name of the text.

    Raises:
        Refused: `outbox.settled`. Unreadable: `outbox.unknown`.
    """
    superseded = [part for item, _ in outbox.superseded for part in item.in_parts()]
    items = [item for item in (*outbox.waiting, *superseded) if name in (item.name, item.whole)]
    if unsettled := [item for item in items if item.name not in outbox.claims]:
        return unsettled
    if (sent := outbox.sent.get(name) or outbox.sent.get(f"{name}.1")) is not None:
        word = "dropped" if sent.dropped else "posted"
        what = f"text {name} was {word} by {sent.by} (entry {sent.seq})"
        raise Refused("outbox.settled", what, f"hl outbox undo {name}")
    near = nearest(name, [item.name for item in outbox.waiting])
    hint = f"did you mean {' or '.join(near)}?" if near else "hl outbox"
    raise Unreadable("outbox.unknown", f"no text {shown(name)} waits to be posted", hint)


def take_back(app: App, name: str, writing: WriteOptions) -> None:
    """Strike the marks that say what became of a text: it waits again."""
    seqs = _seqs_of(current_outbox(app.match), name)

    def check(current: Match) -> None:
        if _seqs_of(current_outbox(current), name) != seqs:
            raise Refused("outbox.changed", f"text {name} was marked anew meanwhile", "hl outbox")

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    written = record_marks(app.match, [Undo(seq) for seq in seqs], options, app.ask, check)
    entries = f"entr{'y' if len(seqs) == 1 else 'ies'} {', '.join(map(str, seqs))}"
    answer(app, written, writing, effect=f"the mark of text {name} is taken back ({entries})")


def _seqs_of(outbox: Outbox, name: str) -> list[int]:
    """The marks in effect of a text, or of all its messages: the numbers of their entries."""
    marks: dict[str, Sent | Claim] = {**outbox.sent, **outbox.claims}
    seqs = sorted(mark.seq for item, mark in marks.items() if name in (item, split_name(item)[0]))
    if not seqs:
        what = f"nothing is marked of a text {shown(name)}: it was neither posted nor dropped"
        raise Unreadable("outbox.unmarked", what, "hl outbox")
    return seqs
