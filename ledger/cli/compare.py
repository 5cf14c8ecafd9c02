"""`diff`: what differs, between two moments or two logs. `evidence`: what differs between the log and the chat."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.output import deliver, deliver_lines
from ledger.core.inputs import read_bytes
from ledger.core.quoting import advice
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from ledger.cli.options import ReadOptions
    from ledger.exchange.chat import Chat

_EXPORT = "a JSON, HTML or CSV export of DiscordChatExporter, or a folder of them; docs/looking-back.md shows one"
_ENDINGS = (".json", ".html", ".htm", ".csv")
MOMENT = re.compile(r"#?[0-9]{1,9}|now|(known|round):.*", re.IGNORECASE)
"""What is a moment whatever lies in the folder: `./12` is a file of that name."""


def do_diff(app: App, one: str, other: str, check: bool, reading: ReadOptions) -> int:
    if any(not MOMENT.fullmatch(word) and _is_path(word) for word in (one, other)):
        same = _logs(app, one, other, reading)
    else:
        same = _moments(app, one, other, reading)
    return 5 if check and not same else 0


def _is_path(word: str) -> bool:
    return os.path.exists(os.path.expanduser(word)) or "/" in word or "\\" in word or word.endswith(".jsonl")


def _moments(app: App, one: str, other: str, reading: ReadOptions) -> bool:
    """Print what changed for the audience; has nothing?"""
    from ledger.core.clock import now_ms
    from ledger.tell.differences import differences
    from ledger.tell.reports import moment, viewer_of

    match, now = app.match, now_ms()
    viewer = viewer_of(match, reading.viewer, "host")
    first, second = (moment(match, word, viewer, now) for word in (one, other))
    changes = differences(match, first.fold.state, second.fold.state, viewer)
    if reading.json:
        told = {"audience": viewer, "a": one, "b": other, "same": not changes, "changes": list(changes)}
        deliver(app, json_text(told), reading)
        return not changes
    whose = {"host": "the hosts", "public": "everybody"}.get(viewer) or match.table.name(viewer)
    lines = [f"from {one} to {other}, for {whose}:", *(changes or ["nothing is different"])]
    deliver_lines(app, [*map(plain_line, lines)], reading)
    return not changes


def _logs(app: App, one: str, other: str, reading: ReadOptions) -> bool:
    """Print the first line that differs; does none?"""
    from ledger.tell.compare import copies

    if reading.viewer not in (None, "host"):
        raise Unreadable("audience.host_only", "two logs are compared for hosts only", "leave --for out")
    found = copies(_log(one), _log(other))
    if reading.json:
        told = {
            "a": one,
            "b": other,
            "same": found.same,
            "common": found.common and found.common.as_json(),
            "differs": [side and side.as_json() for side in found.first],
            "more": list(found.more),
            "findings": [[one_._asdict() for one_ in listed] for listed in found.findings],
        }
        deliver(app, json_text(told), reading)
        return found.same
    if found.common is None:
        lines = ["not even the first line is the same: two matches, or one that does not begin as a log does"]
    else:
        lines = [f"the same up to line {found.common.seq}:", f"  {found.common.line(found.zone)}"]
    if found.first != (None, None):
        lines.append("the first line that differs:")
        for name, side, more, wrong in zip((one, other), found.first, found.more, found.findings, strict=True):
            none = "cannot be read any further" if wrong else "has no more lines"
            rest = f" ({more} line{'' if more == 1 else 's'} from here on)" if side else ""
            lines.append(f"  {name}: {side.line(found.zone) if side else none}{rest}")
    for name, listed in zip((one, other), found.findings, strict=True):
        for bad in listed:
            what = bad.what.removeprefix(f"line {bad.line} of the log is bad: ")
            lines.append(f"  {name}: line {bad.line}: {what} [{bad.code}]")
    if found.same:
        lines.append("and no line more in either: they are the same")
    deliver_lines(app, [*map(plain_line, lines)], reading)
    return found.same


def _log(named: str) -> str:
    """The log that is meant.

    Raises:
        Unreadable: `match.none`.
    """
    from ledger.core.where import find_log

    try:
        if not named:
            raise Unreadable("match.none", "a log has no name")
        return find_log(named)
    except Unreadable as error:
        fix = "hl diff FOLDER OTHER"
        raise Unreadable("match.none", error.what, fix) from None


def do_evidence(app: App, chats: tuple[str, ...], check: bool, reading: ReadOptions) -> int:
    from ledger.core.times import show_clock
    from ledger.exchange.evidence import Comparison
    from ledger.exchange.settled import read_settled

    match, read = app.match, read_chats(chats)
    found = Comparison(match, read, read_settled(app.log())).run()
    code = 5 if check and found.doubts else 0
    if reading.json:
        told = {
            "messages": found.messages,
            "cited": found.cited,
            "doubts": [doubt.as_json() for doubt in found.doubts],
            "not_checked": list(found.not_checked),
        }
        deliver(app, json_text(told), reading)
        return code
    channels = {chat.channel: chat.name or chat.channel for chat in read}
    lines = []
    for doubt in found.doubts:
        said = f'{doubt.who}: "{doubt.content}"' if doubt.who else f"message {doubt.message}"
        head = f"{show_clock(doubt.at, match.zone)}  #{channels[doubt.channel]}  {said}"
        lines += [head, f"  {doubt.what}", f"  {advice(doubt.fix)}"]
    lines += [f"not checked: {line}" for line in found.not_checked]
    if lines:
        deliver_lines(app, [*map(plain_line, lines)], reading)
    cited, doubts = found.cited, len(found.doubts)
    app.to_host(f"{found.messages} messages, {cited} of them cited by entries; {doubts or 'no'} doubts")
    return code


def read_chats(names: Sequence[str]) -> list[Chat]:
    """The exported channels; of a folder every JSON, HTML and CSV file in it.

    Raises:
        Unreadable: `chat.missing`, `chat.shape`.
    """
    from ledger.exchange.chat import each_once, read_chat

    files: list[str] = []
    for name in names:
        folder = os.path.expanduser(name)
        inside = [folder]
        if os.path.isdir(folder):
            listed = sorted(glob.glob(os.path.join(glob.escape(folder), "*")))
            inside = [file for file in listed if file.lower().endswith(_ENDINGS)]
        if not inside:
            raise Unreadable("chat.missing", f"there is no JSON, HTML or CSV in {name}", _EXPORT)
        files += inside
    return each_once([read_chat(_bytes(file), os.path.basename(file)) for file in files])


def _bytes(name: str) -> bytes:
    try:
        return read_bytes(os.path.expanduser(name))
    except OSError as error:
        raise Unreadable("chat.missing", f"{name} cannot be read: {error.strerror}", _EXPORT) from None
