"""`diff`: what differs, between two moments or two logs. `evidence`: what differs between the log and the chat."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import click

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.derive import Verb, verb
from ledger.cli.output import check_format, deliver, format_option, output_options
from ledger.inputs import read_bytes

MOMENT = re.compile(r"#?[0-9]{1,9}|now|(known|round):.*", re.IGNORECASE)
"""What is a moment whatever lies in the folder: `./12` is a file of that name."""


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"diff": _diff, "evidence": _evidence}[name]()
    return made


def _diff() -> Verb:
    def run(app: App, one: str, other: str, check: bool, **given: Any) -> int:
        check_format(given["fmt"])
        if any(not MOMENT.fullmatch(word) and _is_path(word) for word in (one, other)):
            same = _logs(app, one, other, given)
        else:
            same = _moments(app, one, other, given)
        return 5 if check and not same else 0

    params = [
        click.Argument(["one"], metavar="A"),
        click.Argument(["other"], metavar="B"),
        click.Option(["--check"], is_flag=True, help="Exit 5 if anything differs."),
        click.Option(["--for", "viewer"], metavar="P|public|host", help="Two moments: for whose eyes."),
        format_option(),
        *(option for option in output_options() if option.name != "fmt"),
    ]
    about = (
        "What differs. A and B are two moments of the match (SEQ, round:NAME, a time, now, or known:SEQ for what was "
        "known at an entry), or two logs (folders or .jsonl files)."
    )
    return verb("diff", about, params, run)


def _is_path(word: str) -> bool:
    return os.path.exists(os.path.expanduser(word)) or "/" in word or word.endswith(".jsonl")


def _moments(app: App, one: str, other: str, given: dict[str, Any]) -> bool:
    """Print what changed for the audience; has nothing?"""
    from ledger.clock import now_ms
    from ledger.compare import between, moment
    from ledger.render.text import escape
    from ledger.reports import viewer_of

    match, now = app.match, now_ms()
    viewer = viewer_of(match, given["viewer"], "host")
    first, second = (moment(match, word, viewer, now) for word in (one, other))
    changes = between(match, first, second)
    if given["fmt"] == "json":
        told = {"audience": viewer, "a": one, "b": other, "same": not changes, "changes": list(changes)}
        deliver(app, json.dumps(told, ensure_ascii=False), given)
        return not changes
    whose = {"host": "the hosts", "public": "everybody"}.get(viewer) or match.table.name(viewer)
    lines = [escape(line).replace("\n", " ") for line in changes] or ["nothing is different"]
    deliver(app, "\n".join([f"from {one} to {other}, for {escape(whose)}:", *lines]), given)
    return not changes


def _logs(app: App, one: str, other: str, given: dict[str, Any]) -> bool:
    """Print the first line that differs; does none?"""
    from ledger.compare import copies

    if given["viewer"] not in (None, "host"):
        raise Unreadable("audience.host_only", "two logs are compared for hosts alone", "leave --for out")
    found = copies(_log(one), _log(other))
    if given["fmt"] == "json":
        told = {
            "a": one,
            "b": other,
            "same": found.same,
            "common": found.common and found.common.as_json(),
            "differs": [side and side.as_json() for side in found.first],
            "more": list(found.more),
            "findings": [[one_._asdict() for one_ in listed] for listed in found.findings],
        }
        deliver(app, json.dumps(told, ensure_ascii=False), given)
        return found.same
    from ledger.render.text import escape

    if found.common is None:
        lines = ["not even the first line is the same: two matches, or one that does not begin as a log does"]
    else:
        lines = [f"the same up to line {found.common.seq}:", f"  {found.common.line(found.zone)}"]
    if found.first != (None, None):
        lines.append("the first line that differs:")
        for name, side, more, wrong in zip((one, other), found.first, found.more, found.findings, strict=True):
            none = "cannot be read any further" if wrong else "has no more lines"
            rest = f" ({more} line{'' if more == 1 else 's'} from here on)" if side else ""
            lines.append(f"  {escape(name)}: {side.line(found.zone) if side else none}{rest}")
    for name, listed in zip((one, other), found.findings, strict=True):
        for bad in listed:
            what = bad.what.removeprefix(f"line {bad.line} of the log is bad: ")
            lines.append(f"  {escape(name)}: line {bad.line}: {escape(what)} [{bad.code}]")
    if found.same:
        lines.append("and no line more in either: they are the same")
    deliver(app, "\n".join(lines), given)
    return found.same


def _log(named: str) -> str:
    """The log that is meant.

    Raises:
        Unreadable: `match.none`.
    """
    from ledger.where import find_log

    try:
        if not named:
            raise Unreadable("match.none", "a log has no name")
        return find_log(named)
    except Unreadable as error:
        fix = "hl diff FOLDER OTHER, or two .jsonl files; two moments: hl diff 12 now"
        raise Unreadable("match.none", error.what, fix) from None


def _evidence() -> Verb:
    def run(app: App, chats: tuple[str, ...], check: bool, **given: Any) -> int:
        from ledger.chat import read_chat
        from ledger.evidence import compare
        from ledger.render.text import escape
        from ledger.times import show_clock

        check_format(given["fmt"])
        match = app.match
        read = [read_chat(_bytes(name), os.path.basename(name)) for name in chats]
        found = compare(match, read)
        code = 5 if check and found.doubts else 0
        if given["fmt"] == "json":
            told = {
                "messages": found.messages,
                "cited": found.cited,
                "doubts": [doubt.as_json() for doubt in found.doubts],
                "not_checked": list(found.not_checked),
            }
            deliver(app, json.dumps(told, ensure_ascii=False), given)
            return code
        channels = {chat.channel: chat.name for chat in read}
        lines = []
        for doubt in found.doubts:
            said = f'{doubt.who}: "{doubt.content}"' if doubt.who else f"message {doubt.message}"
            head = f"{show_clock(doubt.at, match.zone)}  #{channels[doubt.channel]}  {said}"
            lines += [escape(line).replace("\n", " ") for line in (head, f"  {doubt.what}", f"  try: {doubt.fix}")]
        lines += [escape(f"not checked: {line}") for line in found.not_checked]
        if lines:
            deliver(app, "\n".join(lines), given)
        cited, doubts = found.cited, len(found.doubts)
        app.note(f"{found.messages} messages, {cited} of them cited by entries; {doubts or 'no'} doubts")
        return code

    params = [
        click.Argument(["chats"], nargs=-1, required=True, metavar="CHAT..."),
        click.Option(["--check"], is_flag=True, help="Exit 5 if there is any doubt."),
        format_option(),
        *(option for option in output_options() if option.name != "fmt"),
    ]
    about = (
        "Compare exported Discord chats (DiscordChatExporter, JSON) with the log: messages that look like something to "
        "record and no entry says so, entries whose message is not there, edited messages, wrong authors."
    )
    return verb("evidence", about, params, run)


def _bytes(name: str) -> bytes:
    try:
        return read_bytes(os.path.expanduser(name))
    except OSError as error:
        fix = "hl evidence CHAT.json, an export of DiscordChatExporter"
        raise Unreadable("chat.missing", f"{name} cannot be read: {error.strerror}", fix) from None
