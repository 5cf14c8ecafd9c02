"""`hl outbox`: the texts that wait to be posted, and the marks of what became of them. Sending them: post.py."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from events.errors import Refused, Unmet, Unreadable
from games.table import actions as shared
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.desk import in_doubt, tell_apart
from ledger.cli.output import copied
from ledger.render.safe import json_text, plain_line, plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.cli.options import ReadOptions, WriteOptions
    from ledger.core.match import Match
    from ledger.render.safe import PlainText
    from ledger.tell.outbox import Claim, Outbox, Sent
    from ledger.tell.texts import Item

ALL = "all"


def do_outbox(
    app: App, what: str | None, items: tuple[str, ...], follow: bool, hold: str | None, edit: bool,
    reading: ReadOptions, writing: WriteOptions,
) -> int:  # fmt: skip
    verb = what or "list"
    if verb not in VERBS:
        fix = f"hl outbox [{' | '.join(f'{name} {words}'.rstrip() for name, words in VERBS.items())}]"
        raise Unreadable("command.usage", f"outbox does not know {verb}", fix)
    wants = VERBS[verb]
    if (items and not wants) or (len(items) > 1 and "..." not in wants):
        raise Unreadable("command.usage", f"outbox {verb} takes {wants or 'no name of a text'}", "hl outbox")
    if not items and wants[:1] not in ("", "["):
        raise Unreadable("command.usage", f"which text is meant by {verb}?", "hl outbox")
    if verb == "post":
        from ledger.cli.post import post

        return post(app, items, writing, follow=follow, hold=hold, edit=edit)
    if follow and verb != "list":
        raise Unreadable("command.usage", f"outbox {verb} takes no --follow", "hl outbox --follow")
    if verb == "list":
        _list(app, reading, follow=follow)
    elif verb == "show":
        _show(app, items[0], copy=reading.copy)
    elif verb == "next":
        _next(app, items[0] if items else None, writing, copy=reading.copy)
    elif verb == "undo":
        _take_back(app, items[0], writing)
    else:
        _settle(app, items, writing, dropped=verb == "drop")
    return 0


VERBS: Mapping[str, str] = {
    "list": "", "show": "ITEM", "next": "[ITEM]", "done": "ITEM...|all", "drop": "ITEM...|all", "undo": "ITEM",
    "post": "[ITEM...]",
}  # fmt: skip
"""What `outbox` does -> the names that it takes."""


def _desk(match: Match) -> Outbox:
    from ledger.core.clock import now_ms
    from ledger.tell.outbox import outbox

    return outbox(match, now_ms())


# ---- looking --------------------------------------------------------------------------------------------------------


def _list(app: App, reading: ReadOptions, *, follow: bool) -> None:
    if follow:
        from ledger.cli import following

        following.check(reading)
        shown: list[PlainText] = []

        def more() -> list[PlainText]:
            shown.extend(line for line in _lines(app, _desk(app.match)) if line not in shown)
            return shown

        following.follow(app, lambda: [json_text(desk_json(_desk(app.match)))] if app.json else more())
        return
    found = _desk(app.match)
    if app.json:
        app.out(json_text(desk_json(found)))
        return
    if lines := _lines(app, found):
        app.told(*lines)
    else:
        app.to_host("nothing waits to be posted")
    tell_apart(app, found)


def _lines(app: App, found: Outbox) -> list[PlainText]:
    """A line for each text that waits."""
    from ledger.tell.outbox import head_line

    waiting = [item for item in found.waiting if item.name not in found.claims]
    return [plain_line(head_line(item, app.match.zone)) for item in waiting]


def desk_json(found: Outbox) -> dict[str, Any]:
    from events import write_instant

    waiting = [item_json(item) for item in found.waiting if item.name not in found.claims]
    superseded = [{"item": item.name, "by": name} for item, name in found.superseded]
    sending = [
        {"item": name, "audience": one.said.audience, "channel": one.said.channel, "by": one.by,
         "at": write_instant(one.at), "text": one.said.text}
        for name, one in found.claims.items()
    ]  # fmt: skip
    gone = [{"item": item.name, "audience": item.audience} for item in found.gone]
    apart = {"superseded": superseded, "sending": sending, "gone": gone}
    return {"items": waiting, **{key: rows for key, rows in apart.items() if rows}}


def item_json(item: Item) -> dict[str, Any]:
    from events import write_instant

    return {
        "item": item.name,
        "audience": item.audience,
        "channel": item.channel,
        "at": write_instant(item.at),
        "covers": list(item.covers),
        "text": item.text,
    }


def _show(app: App, name: str, *, copy: bool) -> None:
    """A text that waits, in all its messages; or as it was posted."""
    from ledger.render.discord import numbered
    from ledger.tell.outbox import head_line

    found = _desk(app.match)
    if (sent := found.sent.get(name)) is not None:
        from ledger.core.times import show_time

        word = "dropped" if sent.dropped else "posted"
        app.to_host(f"{name} was {word} by {sent.by} at {show_time(sent.at, app.match.zone)} (entry {sent.seq})")
        app.out(json_text({"item": name, "text": sent.text}) if app.json else plain_text(sent.text))
        return
    if (claim := found.claims.get(name)) is not None:
        app.to_host(in_doubt(name, claim, app.match.zone))
        app.out(json_text({"item": name, "text": claim.said.text}) if app.json else plain_text(claim.said.text))
        return
    listed = _meant(found, name)
    if app.json:
        app.out(json_text({"items": [item_json(item) for item in listed]}))
        return
    for item in listed:
        app.to_host(head_line(item, app.match.zone))
    text = numbered([item.text for item in listed])
    app.out(text)
    if copy:
        copied(app, text)


def _next(app: App, after: str | None, writing: WriteOptions, *, copy: bool) -> None:
    """Show the oldest text; on a terminal go on until the host stops or nothing waits."""
    from ledger.post import clipboard
    from ledger.tell.outbox import head_line

    skipped: set[str] = set()
    terminal = sys.stdin.isatty() and sys.stderr.isatty() and not app.no_input
    while True:
        found = _desk(app.match)
        waiting = [
            item
            for item in found.waiting
            if item.name not in skipped and item.name not in found.claims and after in (None, item.name, item.whole)
        ]
        if not waiting:
            app.to_host("nothing more waits to be posted" if skipped else "nothing waits to be posted")
            if not skipped:
                tell_apart(app, found)
            return
        item = waiting[0]
        if app.json:
            app.out(json_text(item_json(item)))
            return
        app.to_host(head_line(item, app.match.zone))
        app.out(item.text)
        if not terminal:
            app.to_host(f"when it is posted: hl outbox done {item.name}")
            if copy:
                copied(app, item.text)
            return
        program = clipboard.copy(item.text)
        app.to_host(f"(copied by {program})" if program else "(not copied: select the text)")
        answered = {"": "posted", "s": "skip", "q": "quit"}
        reply = app.choose("Enter: posted, s: skip, q: quit", answered)
        if reply == "quit":
            return
        if reply == "skip":
            skipped.add(item.name)
        else:
            _settle(app, (item.name,), writing, dropped=False)
            app.stale()


# ---- marks ----------------------------------------------------------------------------------------------------------


def _settle(app: App, names: Sequence[str], writing: WriteOptions, *, dropped: bool) -> None:
    """Record that texts were posted, or that they will not be."""
    from ledger.record.plan import Options
    from ledger.record.recorder import record_marks

    match = app.match
    found = _desk(match)
    word = "dropped" if dropped else "posted"
    if ALL in names:
        names = [item.name for item in found.waiting if item.name not in found.claims]
        if not names:
            app.to_host("nothing waits to be posted")
            return
        where = {item.name: item.channel for item in found.waiting}
        listed = ", ".join(f"{name} ({where[name]})" for name in names)
        question = (
            f"all that waits would be marked as {word}, {len(names)} text{'s' if len(names) > 1 else ''}: {listed}"
        )
        fix = f"hl outbox {'drop' if dropped else 'done'} all --yes"
        if not (writing.yes or writing.dry_run) and not app.ask(question, fix):
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", fix)
    marks = _marks(found, names, dropped=dropped)

    def still_so(current: Match) -> None:
        now = {one.item: one for one in _marks(_desk(current), names, dropped=dropped)}
        for one in marks:
            if not dropped and (one.item not in now or now[one.item].text != one.text):
                fix = f"hl outbox show {one.item}"
                raise Refused("outbox.changed", f"text {one.item} has changed meanwhile", fix)

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    written = record_marks(match, marks, options, app.ask, still_so)
    listed = " ".join(one.item for one in marks)
    be = "would be" if writing.dry_run else "is" if len(marks) == 1 else "are"
    answer(app, written, writing, said=f"text{'s' * (len(marks) > 1)} {listed} {be} {word}")


def _marks(found: Outbox, names: Sequence[str], *, dropped: bool) -> list[shared.Posted]:
    """The entries that settle these texts, each once and in the order in which they were named."""
    from ledger.post.posting import claim_of, posted_as

    marks: dict[str, shared.Posted] = {}
    for name in names:
        if (claim := found.claims.get(name)) is not None:
            marks[name] = posted_as(claim.said, dropped=dropped)
            continue
        for item in _meant(found, name):
            marks[item.name] = posted_as(claim_of(item), dropped=dropped)
    return list(marks.values())


def _meant(found: Outbox, name: str) -> list[Item]:
    """The messages of a text that are not settled: one of them, or all by the name of the text.

    Raises:
        Refused: `outbox.settled`. Unreadable: `outbox.unknown`.
    """
    out = [part for item, _ in found.superseded for part in item.in_parts()]
    listed = [item for item in (*found.waiting, *out) if name in (item.name, item.whole)]
    if open_ := [item for item in listed if item.name not in found.claims]:
        return open_
    if (sent := found.sent.get(name) or found.sent.get(f"{name}.1")) is not None:
        word = "dropped" if sent.dropped else "posted"
        what = f"text {name} was {word} by {sent.by} (entry {sent.seq})"
        raise Refused("outbox.settled", what, f"hl outbox undo {name}")
    from games.kinds import nearest, shown

    near = nearest(name, [one.name for one in found.waiting])
    hint = f"did you mean {' or '.join(near)}?" if near else "hl outbox"
    raise Unreadable("outbox.unknown", f"no text {shown(name)} waits to be posted", hint)


def _take_back(app: App, name: str, writing: WriteOptions) -> None:
    """Strike the marks that say what became of a text: it waits again."""
    from ledger.record.plan import Options
    from ledger.record.recorder import record_marks

    match = app.match
    seqs = _marked(_desk(match), name)

    def still_so(current: Match) -> None:
        if _marked(_desk(current), name) != seqs:
            raise Refused("outbox.changed", f"text {name} was marked anew meanwhile", "hl outbox")

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    written = record_marks(match, [shared.Undo(seq) for seq in seqs], options, app.ask, still_so)
    said = f"the mark of text {name} is taken back (entr{'y' if len(seqs) == 1 else 'ies'} {', '.join(map(str, seqs))})"
    answer(app, written, writing, said=said)


def _marked(found: Outbox, name: str) -> list[int]:
    """The marks of a text, or of all its messages, that stand.

    Raises:
        Unreadable: `outbox.unmarked`.
    """
    from ledger.tell.texts import split_name

    marked: dict[str, Sent | Claim] = {**found.sent, **found.claims}
    seqs = [mark.seq for one, mark in marked.items() if name in (one, split_name(one)[0])]
    if seqs:
        return sorted(seqs)
    from games.kinds import shown

    what = f"nothing is marked of a text {shown(name)}: it was neither posted nor dropped"
    raise Unreadable("outbox.unmarked", what, "hl outbox")
