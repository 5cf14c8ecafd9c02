"""`read`: the commands that an exported chat calls for, one by one, with the message beside each.

Nothing is recorded unasked: taken or changed, a command runs as if the host had typed it, with its own questions.
Belongs here: showing and asking. Does not belong here: which commands they are (exchange/proposals.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.errors import LedgerError, Unmet, Unreadable
from ledger.cli.app import App
from ledger.cli.asking import typed_line
from ledger.cli.evidence import read_chats
from ledger.cli.new_file import write_new
from ledger.cli.tools import run_words, split_line
from ledger.cli.typed_words import typed_action
from ledger.core.quoting import for_shell
from ledger.core.times import show_clock
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from ledger.cli.options import ReadOptions
    from ledger.exchange.chat import Message
    from ledger.exchange.proposals import Proposal, Words

OFFERED = {
    "t": "take", "take": "take", "c": "change", "change": "change", "s": "skip", "skip": "skip", "": "skip",
    "n": "nothing to record", "q": "stop", "quit": "stop",
}  # fmt: skip
QUESTION = "t takes it, c changes it, s or Enter skips it, n: nothing to record, q stops"


def do_read(app: App, chats: tuple[str, ...], reading: ReadOptions) -> int:
    from ledger.exchange.proposals import proposals
    from ledger.exchange.settled import read_settled

    exported = read_chats(chats)
    settled = read_settled(app.log())
    left = proposals(app.match, exported, settled)
    if reading.json:
        app.out(json_text({"proposals": [_as_json(app, one) for one in left]}))
        return 0
    if not app.may_ask:
        shown = [_show(app, one) for one in left]
        many = f"{len(shown)} message{'' if len(shown) == 1 else 's'}"
        app.to_host(f"{many} to look at; at a terminal each is asked about, and nothing is recorded unasked")
        return 0
    asked: set[str] = set()
    recorded = 0
    while (next_one := next(left, None)) is not None:
        asked.add(next_one.message.id)
        answer, done = _ask(app, _show(app, next_one))
        if done:
            recorded += 1
            left = proposals(app.match, exported, settled | asked)  # what was recorded may say others too
        if answer == "nothing to record":
            settled |= {next_one.message.id}
            _keep(app, settled)
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
    from ledger.cli.failing import fail

    try:
        words = split_line(line)
    except Unreadable as error:
        fail(app, error)
        return False
    before = len(app.match.book.entries)
    done = bool(words) and run_words(app, words) == 0
    app.match.refresh()
    return done and len(app.match.book.entries) > before


def _keep(app: App, settled: frozenset[str]) -> None:
    from ledger.exchange.settled import ENDING, as_file

    write_new(app.log(to_record=True) + ENDING, as_file(settled), overwrite=True, ours=True)


# ---- what is shown -----------------------------------------------------------------------------------------------


def _show(app: App, one: Proposal) -> str:
    """The message, the answer to it, and the command. Returns the command without `hl`."""
    words, refusal = _likeliest(app, one)
    line = one.line(words)
    lines = [_said(app, one, one.message), *([_said(app, one, one.answer)] if one.answer else [])]
    lines.append(f"  {for_shell(f'hl {line}')}")
    if lacks := one.lacks(words):
        lines.append(f"  the message does not say {' and '.join(lacks)}")
    elif refusal is not None:
        lines.append(f"  it would be refused: {refusal.what}")
        lines += [f"  (host only: {refusal.host_only})"] if refusal.host_only else []
    app.show(*map(plain_line, lines))
    return line


def _said(app: App, one: Proposal, message: Message) -> str:
    clock = show_clock(message.at, app.match.zone)
    return f'{clock}  #{one.chat.name}  {message.author.called}: "{message.in_one_line}"'


def _likeliest(app: App, one: Proposal) -> tuple[Words, LedgerError | None]:
    """The first reading that the rules allow; otherwise the first one, with its refusal, if it is whole."""
    if one.lacks(one.readings[0]):
        return one.readings[0], None
    refusals = [_refused(app, one, words) for words in one.readings]
    return next(
        ((words, None) for words, refusal in zip(one.readings, refusals, strict=True) if refusal is None),
        (one.readings[0], refusals[0]),
    )


def _refused(app: App, one: Proposal, words: Words) -> LedgerError | None:
    """Why the rules would refuse it, if they would."""
    from ledger.record.plan import Options
    from ledger.record.recorder import preview

    at = one.settles.at
    options = Options(app.host_name or app.match.table.hosts[0], at, seen=at, dry_run=True, again=True)
    try:
        seen, _ = preview(app.match, typed_action(app, one.cls, words, at), options)
    except Unmet:
        return None
    except LedgerError as error:
        return error
    return next((outcome.refusal for outcome in seen.outcomes if outcome.refusal is not None), None)


def _as_json(app: App, one: Proposal) -> dict[str, Any]:
    """Source: docs/json.md, read."""
    from events import write_instant

    words, refusal = _likeliest(app, one)
    message = one.message
    made: dict[str, Any] = {"message": message.id, "channel": one.chat.channel, "at": write_instant(message.at)}
    made |= {"who": message.author.called, "content": message.content}
    made |= {"command": f"hl {one.line(words)}", "lacks": list(one.lacks(words))}
    return made | ({} if refusal is None else {"refused": refusal.what})
