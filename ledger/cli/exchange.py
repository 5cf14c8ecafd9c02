"""Verbs that read input from elsewhere: exported chats, a form's CSV, another host's copy."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from events import write_instant
from events.disk import line_to_run
from events.errors import LedgerError, Unmet, Unreadable
from games.kinds import count
from ledger.cli.app import App, file_named, log_named
from ledger.cli.carry_out import as_json, contested_line, newly_line, numbers, read_word, tell_contested, typed_action
from ledger.cli.completion import files
from ledger.cli.errors import advice, exit_code, for_shell
from ledger.cli.output import deliver, deliver_lines, write_new
from ledger.cli.root import run_line
from ledger.cli.terminal import drop_typed, read_line
from ledger.cli.verb import ReadOptions, WriteOptions, answer_options, into_options, json_option, list_option, verb
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import show_clock, show_time
from ledger.core.tomlfile import located, read_toml, refuse
from ledger.exchange.join import join
from ledger.record.plan import Options, Written
from ledger.record.recorder import preview
from ledger.render.safe import SafeText, joined, json_text, plain_line, without_pings

if TYPE_CHECKING:  # pydantic: 5 bare interpreters of `hl --help`
    from ledger.exchange.chat import Chat
    from ledger.exchange.evidence import Proposal, Words
    from ledger.exchange.importing import RowOutcome

# ---- evidence: the log compared with an exported chat ----------------------------------------------------------------


_EXPORT = "a JSON, HTML or CSV export of DiscordChatExporter, or a folder of them; docs/looking-back.md shows one"


@verb("evidence", "audit")
@click.argument("chats", metavar="CHAT...", nargs=-1, required=True, shell_complete=files)
@click.option("--check", is_flag=True, help="Exit 5 if there is any doubt.")
@list_option
@into_options
def evidence(app: App, chats: tuple[str, ...], check: bool, reading: ReadOptions) -> int:
    """What differs between the log and an exported Discord chat.

    hl evidence chat.json

    CHAT is JSON, HTML or CSV of DiscordChatExporter, or a folder of such files. It finds messages that look like
    something to record and no entry says so, entries whose message is not there, edited messages, wrong authors.
    """
    from ledger.exchange.evidence import Comparison, read_settled  # pydantic: 5 bare interpreters of `hl --help`

    match, exported = app.match, read_chats(chats)
    report = Comparison(match, exported, read_settled(app.log())).run()
    code = 5 if check and report.doubts else 0
    if reading.json:
        document = {**report._asdict(), "doubts": [doubt.as_json() for doubt in report.doubts]}
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
    return count(number, what) if number else f"no {what}s"


def read_chats(names: Sequence[str]) -> list[Chat]:
    """Read exported channels, each merged from all its files. A folder stands for its JSON, HTML and CSV files.

    Raises:
        Unreadable: `chat.missing`, `chat.shape`.
    """
    from ledger.exchange.chat import channels, read_export  # pydantic: 5 bare interpreters of `hl --help`

    files: list[str] = []
    for name in names:
        path = os.path.expanduser(name)
        inside = [path]
        if os.path.isdir(path):
            inside = sorted(glob.glob(os.path.join(glob.escape(path), "*")))
            inside = [file for file in inside if file.lower().endswith((".json", ".html", ".htm", ".csv"))]
        if not inside:
            raise Unreadable("chat.missing", f"there is no JSON, HTML or CSV in {name}", _EXPORT)
        files += inside
    contents = ((file_named(file, code="chat.missing", fix=_EXPORT), os.path.basename(file)) for file in files)
    return channels(read_export(*one) for one in contents)


# ---- read: the commands that an exported chat calls for --------------------------------------------------------------


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

    hl read chat.json

    Each message that looks like something to record, and that no entry says, is shown with the command for it: take it,
    change it, skip it. Nothing is recorded unasked. CHAT is JSON, HTML or CSV of DiscordChatExporter, or a folder of
    such files. Where nobody sits at a terminal, the commands are listed.
    """
    from ledger.exchange.evidence import SETTLED, as_file, proposals, read_settled  # pydantic, as in `evidence`

    exported = read_chats(chats)
    settled = read_settled(app.log())
    left = proposals(app.match, exported, settled)
    if reading.json:
        app.out(json_text({"proposals": [proposal_json(app, proposal) for proposal in left]}))
        return 0
    if not app.may_ask:
        messages = counted(len([show(app, proposal) for proposal in left]), "message")
        app.to_host(
            f"{messages} to look at; run this at a terminal to be asked about each. Nothing is recorded unasked"
        )
        return 0
    asked: set[str] = set()
    recorded = 0
    while (proposal := next(left, None)) is not None:
        asked.add(proposal.message.id)
        answer, is_recorded = _ask(app, show(app, proposal))
        if is_recorded:
            recorded += 1
            left = proposals(app.match, exported, settled | asked)  # the new entry may cover other messages too
        if answer == "nothing to record":
            settled |= {proposal.message.id}
            write_new(app.log(to_record=True) + SETTLED, as_file(settled), overwrite=True, ours=True)
        if answer == "stop":
            break
    app.to_host(f"{counted(len(asked), 'message')} looked at, {recorded} recorded")
    return 0


def _ask(app: App, line: str) -> tuple[str, bool]:
    while True:
        answer = app.choose(QUESTION, OFFERED)
        if answer not in ("take", "change"):
            return answer, False
        if answer == "change":
            try:
                drop_typed()
                line = (read_line("hl ") or "").strip()  # a paste counts as nothing
            except EOFError:
                raise KeyboardInterrupt from None
        if line:
            before = len(app.match.book.entries)
            is_done = run_line(app, line) == 0  # a refusal was already explained
            app.match.refresh()
            if is_done and len(app.match.book.entries) > before:
                return answer, True


def show(app: App, proposal: Proposal) -> str:
    """Show the message, the answer to it, and the command; return the command without `hl`."""
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
    first = proposal.readings[0]
    if proposal.lacks(first):
        return first, None
    refusals = [(words, _refused(app, proposal, words)) for words in proposal.readings]
    return next((row for row in refusals if row[1] is None), refusals[0])


def _refused(app: App, proposal: Proposal, words: Words) -> LedgerError | None:
    at = proposal.settles.at
    options = Options(app.host_name or app.match.table.hosts[0], at, seen=at, dry_run=True, again=True)
    try:
        written, _ = preview(app.match, typed_action(app, proposal.cls, words, at), options)
    except Unmet:
        return None
    except LedgerError as error:
        return error
    return next((outcome.refusal for outcome in written.outcomes if outcome.refusal is not None), None)


def proposal_json(app: App, proposal: Proposal) -> dict[str, Any]:
    words, refusal = _likeliest(app, proposal)
    message = proposal.message
    row: dict[str, Any] = {"message": message.id, "channel": proposal.chat.channel, "at": write_instant(message.at)}
    row |= {"who": message.author.called, "content": message.content}
    row |= {"command": f"hl {proposal.line(words)}", "lacks": list(proposal.lacks(words))}
    return row | ({} if refusal is None else {"refused": refusal.what})


# ---- import: an entry for each row of a form's CSV -------------------------------------------------------------------


STATUS_WORDS = {
    "recorded": "recorded",
    "known": "recorded before",
    "double": "doubled in the file",
    "unreadable": "unreadable",
    "refused": "refused",
}


@verb("import", "tools", records=("*",))
@click.argument("file", metavar="FILE", shell_complete=files)
@click.option("--map", "map_", metavar="MAP.toml", required=True, help="Which column gives what.", shell_complete=files)
@click.option("--again", is_flag=True, help="Also rows whose message is recorded already.")
@click.option("--force", is_flag=True, help="Also what the rules refuse: it is kept, and changes nothing.")
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would happen; the same as without --yes.")
@click.option("-y", "--yes", is_flag=True, help="Record.")
@json_option
def import_rows(app: App, file: str, map_: str, writing: WriteOptions) -> int:
    """Record the rows of a form's CSV; a preview without --yes.

    hl import form.csv --map form.toml

    Each row is an entry of its own. It says what each would do; --yes records. A row that was recorded is not recorded
    again, in a later export either.
    """
    from ledger.exchange.importing import SAMPLE, Reader, read_map, read_rows, run  # pydantic, as in `evidence`

    match, host, source = app.match, app.host, Path(file).name
    data = read_toml(Path(map_), SAMPLE)
    columns = read_map(data, Path(map_).name, match.zone)
    reader = Reader(match, columns, source, host, now_ms(), read_word)
    if faults := [*reader.faults()]:
        refuse(located(faults, data), Path(map_).name, SAMPLE)
    table = file_named(file, code="import.missing", fix="hl import FILE --map MAP.toml")
    rows, blank = read_rows(table, columns, source)
    ask = app.ask if writing.yes and not writing.dry_run else None
    outcomes: list[RowOutcome] = []
    try:
        for outcome in run(match, reader, rows, ask=ask, again=writing.again, force=writing.force):
            outcomes.append(outcome)
    finally:  # even if the disk fails half-way, report what was recorded before
        outcomes.sort(key=lambda outcome: outcome.row)
        if not writing.json:
            _tell(app, outcomes, blank, dry=ask is None)
    if writing.json:
        app.out_recorded(json_text(_rows_json(outcomes, blank, dry=ask is None)))
    return next((exit_code(outcome.error) for outcome in outcomes if outcome.error is not None), 0)


def _tell(app: App, outcomes: list[RowOutcome], blank: int, *, dry: bool) -> None:
    if outcomes:
        app.out_recorded(joined(line for outcome in outcomes for line in _lines(app, outcome, dry=dry)), prose=True)
    for outcome in outcomes:
        if outcome.error is not None and outcome.error.host_only:
            app.to_host(f"row {outcome.row}, host only: {outcome.error.host_only}")
    statuses = Counter(outcome.status for outcome in outcomes)
    words = {**STATUS_WORDS, "recorded": "would be recorded"} if dry else STATUS_WORDS
    parts = [f"{statuses[status]} {word}" for status, word in words.items() if statuses[status]]
    parts += [f"{blank} blank"] if blank else []
    app.to_host(f"{count(len(outcomes) + blank, 'row')}: {', '.join(parts) or 'nothing'}")
    if dry and statuses["recorded"]:
        app.to_host("nothing was recorded; --yes records")


def _lines(app: App, outcome: RowOutcome, *, dry: bool) -> list[SafeText]:
    if outcome.error is not None:
        column = f', column "{outcome.column}"' if outcome.column else ""
        what = f"{STATUS_WORDS[outcome.status]}: {outcome.text}"
        line = f"row {outcome.row}{column}: {what} [{outcome.error.code}]".replace("\n", " ")
        fix = [plain_line(f"  try: {for_shell(outcome.error.fix)}")] if outcome.error.fix else []
        return [without_pings(line), *fix]
    if outcome.written is None:
        return [plain_line(f"row {outcome.row}: {outcome.text}")]
    written = outcome.written
    number = "would record" if dry else f"#{written.seqs[0]}"
    at = f", {show_time(written.outcomes[0].entry.at, app.match.zone)}" if written.outcomes else ""
    late = f", late: it counts before {len(written.passed)} recorded earlier" if written.passed else ""
    lines: list[SafeText] = [plain_line(f"row {outcome.row}: {number} {outcome.text}{at}{late}")]
    lines += [contested_line(folded.refusal) for folded in written.outcomes if folded.refusal is not None]
    allow = "would no longer allow" if dry else "no longer allow"
    lines += [newly_line(folded, allow) for folded in written.newly]
    for drift in written.drift:
        lines.append(plain_line(f"  text {drift.item}, posted to {drift.channel}, would be false: {drift.what}"))
    return [*lines, *(plain_line(f"  {line}") for line in (*written.early, *written.shown))]


def _rows_json(outcomes: list[RowOutcome], blank: int, *, dry: bool) -> dict[str, Any]:
    rows = []
    for outcome in outcomes:
        row: dict[str, Any] = {"row": outcome.row, "status": outcome.status, "what": outcome.text}
        if outcome.error is not None:
            row |= {"column": outcome.column, "code": outcome.error.code, "fix": outcome.error.fix}
        elif outcome.written is not None:
            row |= {"seq": [] if dry else [*outcome.written.seqs], "late": bool(outcome.written.passed)}
        elif outcome.seqs:
            row |= {"seq": [*outcome.seqs], "late": False}
        rows.append(row)
    ok = all(outcome.error is None for outcome in outcomes)
    return {"ok": ok, "rows": rows, "blank": blank, **({"dry_run": True} if dry else {})}


# ---- join: what another copy recorded --------------------------------------------------------------------------------


@verb("join", "tools", records=("join", "*"))
@click.argument("other", metavar="OTHER", shell_complete=files)
@answer_options
def join_copy(app: App, other: str, writing: WriteOptions) -> None:
    """Add what another copy of this match has recorded.

    hl join ../ben/match

    OTHER is that copy: a folder or a .jsonl file; it is not changed. Safe to repeat, and to do the other way round.
    """
    match = app.match
    options = Options(by=app.host, dry_run=writing.dry_run, yes=writing.yes)
    copy = Match(log_named(other, "the other copy has no name", "hl join FOLDER"))
    app.to_host(*(f"the other copy: {note}" for note in copy.book.notes))
    joining, written, lines = join(match, copy, options, lambda text: app.ask(f"{text}\nrecord this here?"))
    if app.json:
        document = {
            **as_json(app.match.game, written, dry=writing.dry_run),
            "common": joining.common,
            "taken": [{"there": theirs, "here": ours} for theirs, ours in joining.taken.items()],
            "same": [{"there": theirs, "here": ours} for theirs, ours in joining.same.items()],
            "clashes": [*joining.clashes],
        }
        app.out_recorded(json_text(document))
        return
    if not joining.bodies or writing.yes or writing.dry_run:
        app.to_host(*lines)
    if not joining.bodies:
        return
    _tell_joined(app, written, dry=writing.dry_run)
    if joining.own and not writing.dry_run:
        its_host = next((e.body.by for e in reversed(copy.book.entries) if e.body.by != options.by), None)
        named = ("--as", its_host) if its_host else ()
        here = os.path.relpath(os.path.dirname(match.book.path) or ".")
        back = for_shell(line_to_run("hl", "-g", other, *named, "join", here))
        app.to_host(f"  the other copy does not have {joining.own} of ours; there: {back}")


def _tell_joined(app: App, written: Written, *, dry: bool) -> None:
    recorded = numbers(written.seqs)
    app.to_host(f"would record {recorded}" if dry else f"recorded {recorded} · receipt {written.head}")
    app.to_host(*(f"  now {line}" for line in written.changes))
    tell_contested(app, written)
    if not written.changes:
        app.to_host("  nothing changes in the match")
    for drift in written.drift:
        app.to_host(f"  text {drift.item}, posted to {drift.channel}, is false now: {drift.what}; hl outbox has more")
    app.to_host(*(f"  {line}" for line in (*written.early, *written.shown)))
    app.to_host(*(f"  note: {warning}" for warning in written.warnings))
    if written.contested:
        app.to_host("  hl status lists what the rules do not allow, until undo, amend or ruling settles it")
