"""`import`: the rows of a form's CSV, each an entry of its own; without `--yes` it only tells."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from events.errors import Unreadable
from ledger.cli.app import App, exit_code
from ledger.cli.derive import Verb, read_word, verb
from ledger.inputs import read_bytes

if TYPE_CHECKING:
    from ledger.importing import Done

SAID = {
    "recorded": "recorded",
    "known": "recorded before",
    "double": "doubled in the file",
    "unreadable": "unreadable",
    "refused": "refused",
}


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"import": _import}[name]()
    return made


def _import() -> Verb:
    params = [
        click.Argument(["file"], metavar="FILE"),
        click.Option(["--map", "map_"], metavar="MAP.toml", required=True, help="Which column gives what."),
        click.Option(["--again"], is_flag=True, help="Also rows whose message is recorded already."),
        click.Option(["--force"], is_flag=True, help="Also what the rules refuse; it stands as contested."),
        click.Option(
            ["-n", "--dry-run", "dry_run"], is_flag=True, help="Only tell what would happen; so without --yes."
        ),
        click.Option(["-y", "--yes"], is_flag=True, help="Record."),
        click.Option(["--json", "as_json"], is_flag=True, help="Answer as JSON on stdout."),
    ]
    text = (
        "Record the rows of a CSV, each as an entry of its own. It first only tells what each row would do; --yes "
        "records. A row that was recorded is not recorded again, in a later export either."
    )
    return verb("import", text, params, _run)


def _run(app: App, file: str, map_: str, again: bool, force: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    from ledger.clock import now_ms
    from ledger.importing import SAMPLE, Reader, read_map, read_rows, run
    from ledger.matchfile import read_toml

    app.json = as_json
    match, host, source = app.match, app.host, Path(file).name
    sheet = read_map(read_toml(Path(map_), SAMPLE), Path(map_).name, match.zone)
    rows, blank = read_rows(_bytes(file), sheet, source)
    reader = Reader(match, sheet, source, host, now_ms(), read_word)
    ask = app.ask if yes and not dry_run else None
    found: list[Done] = []
    try:
        for done in run(match, reader, rows, ask=ask, again=again, force=force):
            found.append(done)
    finally:  # a disk that fails half-way: what was recorded before it is told all the same
        found.sort(key=lambda done: done.row)
        if not as_json:
            _tell(app, found, blank, dry=ask is None)
    if as_json:
        app.out_recorded(json.dumps(_json(app, found, blank, dry=ask is None), ensure_ascii=False))
    return next((exit_code(done.error) for done in found if done.error is not None), 0)


def _bytes(file: str) -> bytes:
    try:
        return read_bytes(file)
    except OSError as error:
        raise Unreadable(
            "import.missing", f"{file} cannot be read: {error.strerror}", "hl import FILE --map MAP.toml"
        ) from None


def _tell(app: App, found: list[Done], blank: int, *, dry: bool) -> None:
    """A line for each row on stdout; the sum, and what needs a host, on stderr."""
    if found:
        app.out_recorded("\n".join(line for done in found for line in _lines(app, done, dry=dry)))
    for done in found:
        if done.error is not None and done.error.host_only:
            app.note(f"row {done.row}, host only: {done.error.host_only}")
    count = Counter(done.status for done in found)
    parts = [f"{count[status]} {_word(status, dry)}" for status in SAID if count[status]]
    parts += [f"{blank} blank"] if blank else []
    app.note(f"{len(found) + blank} row{'' if len(found) + blank == 1 else 's'}: {', '.join(parts) or 'nothing'}")
    if dry and count["recorded"]:
        app.note("nothing was recorded; --yes records")


def _word(status: str, dry: bool) -> str:
    return "would be recorded" if dry and status == "recorded" else SAID[status]


def _lines(app: App, done: Done, *, dry: bool) -> list[str]:
    from ledger.render.text import escape
    from ledger.times import show_time

    told = str(escape(done.told)).replace("\n", " ")
    if done.error is not None:
        column = f', column "{escape(done.column)}"' if done.column else ""
        lines = [f"row {done.row}{column}: {SAID[done.status]}: {told} [{done.error.code}]"]
        return [*lines, f"  try: {done.error.fix}"] if done.error.fix else lines
    if done.status != "recorded" or done.written is None:
        return [f"row {done.row}: {told}"]
    written = done.written
    number = "would record" if dry else f"#{written.seqs[0]}"
    outcome = next(iter(written.outcomes), None)
    at = f", {show_time(outcome.live.at, app.match.zone)}" if outcome is not None else ""
    late = f", late: placed before {written.passed} recorded earlier" if written.passed else ""
    lines = [f"row {done.row}: {number} {told}{at}{late}"]
    for outcome in written.outcomes:
        if outcome.refusal is not None:
            lines.append(f"  contested, it changes nothing: {outcome.refusal.what} [{outcome.refusal.code}]")
    for outcome in written.newly:
        if outcome.refusal is not None:
            becomes = "would become contested" if dry else "is contested now"
            lines.append(f"  entry {outcome.live.seq} ({outcome.live.do}) {becomes}: {outcome.refusal.what}")
    lines += [f"  text {drift.item}, posted to {drift.channel}, is wrong then: {drift.what}" for drift in written.drift]
    return lines


def _json(app: App, found: list[Done], blank: int, *, dry: bool) -> dict[str, Any]:
    """Source: docs/json.md, verbs that record."""
    rows = []
    for done in found:
        row: dict[str, Any] = {"row": done.row, "status": done.status, "what": done.told}
        if done.error is not None:
            row |= {"column": done.column, "code": done.error.code, "fix": done.error.fix}
        elif done.written is not None:
            row |= {"seq": [] if dry and done.status == "recorded" else [*done.written.seqs]}
            row |= {"late": done.written.passed > 0}
        rows.append(row)
    ok = not any(done.failed for done in found)
    return {"ok": ok, "rows": rows, "blank": blank, **({"dry_run": True} if dry else {})}
