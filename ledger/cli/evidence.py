"""`evidence`: what differs between the log and an exported chat; reading such an export."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from events.errors import Unreadable
from ledger.cli.app import App, ReadOptions, file_named
from ledger.cli.completion import files
from ledger.cli.output import deliver, deliver_lines
from ledger.cli.verb import into_options, list_option, verb
from ledger.core.quoting import advice
from ledger.core.times import show_clock
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from ledger.exchange.chat import Chat

_EXPORT = "a JSON, HTML or CSV export of DiscordChatExporter, or a folder of them; docs/looking-back.md shows one"
_ENDINGS = (".json", ".html", ".htm", ".csv")


@verb("evidence", "audit")
@click.argument("chats", metavar="CHAT...", nargs=-1, required=True, shell_complete=files)
@click.option("--check", is_flag=True, help="Exit 5 if there is any doubt.")
@list_option
@into_options
def evidence(app: App, chats: tuple[str, ...], check: bool, reading: ReadOptions) -> int:
    """What differs between the log and an exported Discord chat.

    CHAT is JSON, HTML or CSV of DiscordChatExporter, or a folder of such files. It finds messages that look like
    something to record and no entry says so, entries whose message is not there, edited messages, wrong authors.
    """
    from ledger.exchange.evidence import Comparison, read_settled

    match, exported = app.match, read_chats(chats)
    report = Comparison(match, exported, read_settled(app.log())).run()
    code = 5 if check and report.doubts else 0
    if reading.json:
        document = {
            "messages": report.messages,
            "cited": report.cited,
            "doubts": [doubt.as_json() for doubt in report.doubts],
            "not_checked": list(report.not_checked),
        }
        deliver(app, json_text(document), reading)
        return code
    names = {chat.channel: chat.name for chat in exported}
    lines = []
    for doubt in report.doubts:
        message = f'{doubt.who}: "{doubt.content}"' if doubt.who else f"message {doubt.message}"
        head = f"{show_clock(doubt.at, match.zone)}  #{names[doubt.channel]}  {message}"
        lines += [head, f"  {doubt.what}", f"  {advice(doubt.fix)}"]
    lines += [f"not checked: {line}" for line in report.not_checked]
    if lines:
        deliver_lines(app, [*map(plain_line, lines)], reading)
    cited = f"{report.cited or 'none'} of them cited by entries"
    if report.messages == 1:
        cited = f"{'' if report.cited else 'not '}cited by an entry"
    told = f"{counted(report.messages, 'message')}, {cited}" if report.messages else "no messages"
    app.to_host(f"{told}; {counted(len(report.doubts), 'doubt')}")
    return code


def counted(number: int, what: str) -> str:
    """`no doubts`, `1 doubt`, `2 doubts`."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def read_chats(names: Sequence[str]) -> list[Chat]:
    """The exported channels, each of all its files; of a folder every JSON, HTML and CSV file in it.

    Raises:
        Unreadable: `chat.missing`, `chat.shape`.
    """
    from ledger.exchange.chat import channels, read_export

    files: list[str] = []
    for name in names:
        path = os.path.expanduser(name)
        inside = [path]
        if os.path.isdir(path):
            inside = sorted(glob.glob(os.path.join(glob.escape(path), "*")))
            inside = [file for file in inside if file.lower().endswith(_ENDINGS)]
        if not inside:
            raise Unreadable("chat.missing", f"there is no JSON, HTML or CSV in {name}", _EXPORT)
        files += inside
    return channels(
        read_export(file_named(file, code="chat.missing", fix=_EXPORT), os.path.basename(file)) for file in files
    )
