"""`import`: the rows of a form's CSV, each an entry of its own; without `--yes` it only tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.answer import contested_line, newly_line
from ledger.cli.app import App, WriteOptions, file_named
from ledger.cli.completion import files
from ledger.cli.exit_codes import exit_code
from ledger.cli.typed_words import read_word
from ledger.cli.verb import json_option, verb
from ledger.core.quoting import for_shell
from ledger.core.times import show_time
from ledger.render.safe import SafeText, joined, json_text, plain_line, without_pings

if TYPE_CHECKING:
    from ledger.exchange.importing import RowOutcome

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
@click.option("--force", is_flag=True, help="Also what the rules refuse; it stands as contested.")
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would happen; so without --yes.")
@click.option("-y", "--yes", is_flag=True, help="Record.")
@json_option
def import_rows(app: App, file: str, map_: str, writing: WriteOptions) -> int:
    """Record the rows of a form's CSV; a preview without --yes.

    Each row is an entry of its own. It says what each would do; --yes records. A row that was recorded is not recorded
    again, in a later export either.
    """
    from ledger.core.clock import now_ms
    from ledger.core.tomlfile import located, read_toml, refuse
    from ledger.exchange.importing import Reader, run
    from ledger.exchange.sheet import SAMPLE, read_map, read_rows

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
    finally:  # a disk that fails half-way: what was recorded before it is told all the same
        outcomes.sort(key=lambda outcome: outcome.row)
        if not writing.json:
            _tell(app, outcomes, blank, dry=ask is None)
    if writing.json:
        app.out_recorded(json_text(_json(app, outcomes, blank, dry=ask is None)))
    return next((exit_code(outcome.error) for outcome in outcomes if outcome.error is not None), 0)


def _tell(app: App, outcomes: list[RowOutcome], blank: int, *, dry: bool) -> None:
    """A line for each row on stdout; the sum, and what needs a host, on stderr."""
    if outcomes:
        app.out_recorded(joined(line for outcome in outcomes for line in _lines(app, outcome, dry=dry)), prose=True)
    for outcome in outcomes:
        if outcome.error is not None and outcome.error.host_only:
            app.to_host(f"row {outcome.row}, host only: {outcome.error.host_only}")
    count = Counter(outcome.status for outcome in outcomes)
    words = {**STATUS_WORDS, "recorded": "would be recorded"} if dry else STATUS_WORDS
    parts = [f"{count[status]} {word}" for status, word in words.items() if count[status]]
    parts += [f"{blank} blank"] if blank else []
    app.to_host(
        f"{len(outcomes) + blank} row{'' if len(outcomes) + blank == 1 else 's'}: {', '.join(parts) or 'nothing'}"
    )
    if dry and count["recorded"]:
        app.to_host("nothing was recorded; --yes records")


def _lines(app: App, outcome: RowOutcome, *, dry: bool) -> list[SafeText]:
    """What became of a row; what is refused may be forwarded to who filled it in."""
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
    at = f", {show_time(written.outcomes[0].live.at, app.match.zone)}" if written.outcomes else ""
    late = f", late: placed before {written.passed} recorded earlier" if written.passed else ""
    lines: list[SafeText] = [plain_line(f"row {outcome.row}: {number} {outcome.text}{at}{late}")]
    lines += [contested_line(folded.refusal) for folded in written.outcomes if folded.refusal is not None]
    becomes = "would become contested" if dry else "is contested now"
    lines += [newly_line(folded, becomes) for folded in written.newly]
    for drift in written.drift:
        lines.append(plain_line(f"  text {drift.item}, posted to {drift.channel}, is wrong then: {drift.what}"))
    return [*lines, *(plain_line(f"  {line}") for line in (*written.early, *written.shown))]


def _json(app: App, outcomes: list[RowOutcome], blank: int, *, dry: bool) -> dict[str, Any]:
    """Source: docs/json.md, verbs that record."""
    rows = []
    for outcome in outcomes:
        row: dict[str, Any] = {"row": outcome.row, "status": outcome.status, "what": outcome.text}
        if outcome.error is not None:
            row |= {"column": outcome.column, "code": outcome.error.code, "fix": outcome.error.fix}
        elif outcome.written is not None:
            row |= {"seq": [] if dry else [*outcome.written.seqs], "late": outcome.written.passed > 0}
        elif outcome.seqs:
            row |= {"seq": [*outcome.seqs], "late": False}
        rows.append(row)
    ok = all(outcome.error is None for outcome in outcomes)
    return {"ok": ok, "rows": rows, "blank": blank, **({"dry_run": True} if dry else {})}
