"""`read`: the commands that an exported chat calls for, one by one, with the message beside each.

Nothing is recorded unasked: taken or changed, a command runs as if the host had typed it, with its own questions.
Belongs here: showing and asking. Does not belong here: which proposals there are (exchange/proposals.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from events import write_instant
from events.errors import LedgerError, Unmet
from ledger.cli.app import App, ReadOptions
from ledger.cli.completion import files
from ledger.cli.evidence import counted, read_chats
from ledger.cli.new_file import write_new
from ledger.cli.root import run_line
from ledger.cli.terminal import drop_typed, read_line
from ledger.cli.typed_words import typed_action
from ledger.cli.verb import list_option, verb
from ledger.core.quoting import for_shell
from ledger.core.times import show_clock
from ledger.record.plan import Options
from ledger.record.recorder import preview
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from ledger.exchange.proposals import Proposal, Words

OFFERED = {
    "t": "take", "take": "take", "c": "change", "change": "change", "s": "skip", "skip": "skip", "": "skip",
    "n": "nothing to record", "q": "stop", "quit": "stop",
}  # fmt: skip
QUESTION = "t takes it, c changes it, s or Enter skips it, n: nothing to record, q stops"


@verb("read", "audit")
@click.argument("chats", metavar="CHAT...", nargs=-1, required=True, shell_complete=files)
@list_option
def read(app: App, chats: tuple[str, ...], reading: ReadOptions) -> int:
    """What an exported Discord chat calls for, one command after the other.

    Each message that looks like something to record, and that no entry says, is shown with the command for it: take it,
    change it, skip it. Nothing is recorded unasked. CHAT is JSON, HTML or CSV of DiscordChatExporter, or a folder of
    such files. Where nobody sits at a terminal, the commands are listed.
    """
    from ledger.exchange.evidence import SETTLED, as_file, read_settled
    from ledger.exchange.proposals import proposals

    exported = read_chats(chats)
    settled = read_settled(app.log())
    left = proposals(app.match, exported, settled)
    if reading.json:
        app.out(json_text({"proposals": [as_json(app, proposal) for proposal in left]}))
        return 0
    if not app.may_ask:
        count = len([show(app, proposal) for proposal in left])
        messages = counted(count, "message")
        app.to_host(f"{messages} to look at; at a terminal each is asked about, and nothing is recorded unasked")
        return 0
    asked: set[str] = set()
    recorded = 0
    while (proposal := next(left, None)) is not None:
        asked.add(proposal.message.id)
        answer, is_recorded = _ask(app, show(app, proposal))
        if is_recorded:
            recorded += 1
            left = proposals(app.match, exported, settled | asked)  # what was recorded may say others too
        if answer == "nothing to record":
            settled |= {proposal.message.id}
            write_new(app.log(to_record=True) + SETTLED, as_file(settled), overwrite=True, ours=True)
        if answer == "stop":
            break
    app.to_host(f"{recorded} recorded, of {counted(len(asked), 'message')} looked at")
    return 0


def _ask(app: App, line: str) -> tuple[str, bool]:
    """What the host wants done with it, and whether something was recorded."""
    while True:
        answer = app.choose(QUESTION, OFFERED)
        if answer not in ("take", "change"):
            return answer, False
        if answer == "change":
            try:
                drop_typed()
                line = (read_line("hl ") or "").strip()  # of a paste nothing is taken
            except EOFError:
                raise KeyboardInterrupt from None
        if line and _run(app, line):
            return answer, True


def _run(app: App, line: str) -> bool:
    """Run the command; was something recorded? A refusal has said why."""
    before = len(app.match.book.entries)
    done = run_line(app, line) == 0
    app.match.refresh()
    return done and len(app.match.book.entries) > before


def show(app: App, proposal: Proposal) -> str:
    """The message, the answer to it, and the command. Returns the command without `hl`."""
    words, refusal = _likeliest(app, proposal)
    line = proposal.line(words)
    lines = [
        f'{show_clock(said.at, app.match.zone)}  #{proposal.chat.name}  {said.author.called}: "{said.in_one_line}"'
        for said in (proposal.message, proposal.answer)
        if said is not None
    ]
    lines.append(f"  {for_shell(f'hl {line}')}")
    if lacks := proposal.lacks(words):
        lines.append(f"  the message does not say {' and '.join(lacks)}")
    elif refusal is not None:
        lines.append(f"  it would be refused: {refusal.what}")
        lines += [f"  (host only: {refusal.host_only})"] if refusal.host_only else []
    app.show(*map(plain_line, lines))
    return line


def _likeliest(app: App, proposal: Proposal) -> tuple[Words, LedgerError | None]:
    """The first reading that the rules allow; otherwise the first one, with its refusal, if it is whole."""
    if proposal.lacks(proposal.readings[0]):
        return proposal.readings[0], None
    refusals = [_refused(app, proposal, words) for words in proposal.readings]
    return next(
        ((words, None) for words, refusal in zip(proposal.readings, refusals, strict=True) if refusal is None),
        (proposal.readings[0], refusals[0]),
    )


def _refused(app: App, proposal: Proposal, words: Words) -> LedgerError | None:
    """Why the rules would refuse it, if they would."""
    at = proposal.settles.at
    options = Options(app.host_name or app.match.table.hosts[0], at, seen=at, dry_run=True, again=True)
    try:
        written, _ = preview(app.match, typed_action(app, proposal.cls, words, at), options)
    except Unmet:
        return None
    except LedgerError as error:
        return error
    return next((outcome.refusal for outcome in written.outcomes if outcome.refusal is not None), None)


def as_json(app: App, proposal: Proposal) -> dict[str, Any]:
    """Source: docs/json.md, read."""
    words, refusal = _likeliest(app, proposal)
    message = proposal.message
    row: dict[str, Any] = {"message": message.id, "channel": proposal.chat.channel, "at": write_instant(message.at)}
    row |= {"who": message.author.called, "content": message.content}
    row |= {"command": f"hl {proposal.line(words)}", "lacks": list(proposal.lacks(words))}
    return row | ({} if refusal is None else {"refused": refusal.what})
