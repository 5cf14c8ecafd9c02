"""One command that an exported chat calls for, as a host sees it: the message, the line, what the rules say to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events import write_instant
from events.errors import LedgerError, Unmet
from ledger.cli.typed_words import typed_action
from ledger.core.quoting import for_shell
from ledger.core.times import show_clock
from ledger.record.plan import Options
from ledger.record.recorder import preview
from ledger.render.safe import plain_line

if TYPE_CHECKING:
    from ledger.cli.app import App
    from ledger.exchange.proposals import Proposal, Words


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
