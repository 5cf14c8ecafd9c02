"""`read`: the commands that an exported chat calls for, one by one, with the message beside each.

Nothing is recorded unasked: taken or changed, a command runs as if the host had typed it, with its own questions.
Belongs here: asking. Does not belong here: how a proposal is shown (proposal.py), which there are
(exchange/proposals.py).
"""

from __future__ import annotations

from ledger.cli.app import App
from ledger.cli.command_line import run_line
from ledger.cli.console import typed_line
from ledger.cli.evidence import read_chats
from ledger.cli.new_file import write_new
from ledger.cli.options import ReadOptions
from ledger.cli.proposal import as_json, show
from ledger.render.safe import json_text

OFFERED = {
    "t": "take", "take": "take", "c": "change", "change": "change", "s": "skip", "skip": "skip", "": "skip",
    "n": "nothing to record", "q": "stop", "quit": "stop",
}  # fmt: skip
QUESTION = "t takes it, c changes it, s or Enter skips it, n: nothing to record, q stops"


def do_read(app: App, chats: tuple[str, ...], reading: ReadOptions) -> int:
    from ledger.exchange.citations import SETTLED, as_file, read_settled
    from ledger.exchange.proposals import proposals

    exported = read_chats(chats)
    settled = read_settled(app.log())
    left = proposals(app.match, exported, settled)
    if reading.json:
        app.out(json_text({"proposals": [as_json(app, proposal) for proposal in left]}))
        return 0
    if not app.may_ask:
        count = len([show(app, proposal) for proposal in left])
        messages = f"{count} message{'' if count == 1 else 's'}"
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
    app.to_host(f"{recorded} recorded, of {len(asked)} messages looked at")
    return 0


def _ask(app: App, line: str) -> tuple[str, bool]:
    """What the host wants done with it, and whether something was recorded."""
    while True:
        answer = app.choose(QUESTION, OFFERED)
        if answer not in ("take", "change"):
            return answer, False
        if answer == "change":
            try:
                line = typed_line("hl ").strip()
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
