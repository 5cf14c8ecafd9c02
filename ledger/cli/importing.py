"""`import`: the rows of a form's CSV, each an entry of its own; without `--yes` it only tells."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from events.errors import Unreadable
from ledger.cli.answer import contested_line, newly_line
from ledger.cli.app import App, exit_code
from ledger.cli.derive import read_word
from ledger.core.inputs import read_bytes
from ledger.core.quoting import for_shell
from ledger.render.discord import code, escape
from ledger.render.safe import SafeText, filled, joined, json_text, plain_line

if TYPE_CHECKING:
    from ledger.cli.options import WriteOptions
    from ledger.exchange.importing import Done

SAID = {
    "recorded": "recorded",
    "known": "recorded before",
    "double": "doubled in the file",
    "unreadable": "unreadable",
    "refused": "refused",
}


def do_import(app: App, file: str, map_: str, writing: WriteOptions) -> int:
    from ledger.core.clock import now_ms
    from ledger.core.tomlfile import located, read_toml, refuse
    from ledger.exchange.importing import run
    from ledger.exchange.importmap import SAMPLE, read_map
    from ledger.exchange.orders import Reader
    from ledger.exchange.rows import read_rows

    match, host, source = app.match, app.host, Path(file).name
    data = read_toml(Path(map_), SAMPLE)
    columns = read_map(data, Path(map_).name, match.zone)
    reader = Reader(match, columns, source, host, now_ms(), read_word)
    if faults := [*reader.faults()]:
        refuse(located(faults, data), Path(map_).name, SAMPLE)
    rows, blank = read_rows(_bytes(file), columns, source)
    ask = app.ask if writing.yes and not writing.dry_run else None
    found: list[Done] = []
    try:
        for done in run(match, reader, rows, ask=ask, again=writing.again, force=writing.force):
            found.append(done)
    finally:  # a disk that fails half-way: what was recorded before it is told all the same
        found.sort(key=lambda done: done.row)
        if not writing.json:
            _tell(app, found, blank, dry=ask is None)
    if writing.json:
        app.out_recorded(json_text(_json(app, found, blank, dry=ask is None)))
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
        app.out_recorded(joined(line for done in found for line in _lines(app, done, dry=dry)), prose=True)
    for done in found:
        if done.error is not None and done.error.host_only:
            app.to_host(f"row {done.row}, host only: {done.error.host_only}")
    count = Counter(done.status for done in found)
    parts = [f"{count[status]} {_word(status, dry)}" for status in SAID if count[status]]
    parts += [f"{blank} blank"] if blank else []
    app.to_host(f"{len(found) + blank} row{'' if len(found) + blank == 1 else 's'}: {', '.join(parts) or 'nothing'}")
    if dry and count["recorded"]:
        app.to_host("nothing was recorded; --yes records")


def _word(status: str, dry: bool) -> str:
    return "would be recorded" if dry and status == "recorded" else SAID[status]


def _lines(app: App, done: Done, *, dry: bool) -> list[SafeText]:
    """What became of a row; what is refused may be forwarded to who filled it in."""
    from ledger.core.times import show_time

    if done.error is not None:
        column = f', column "{done.column}"' if done.column else ""
        head, what = (escape(said.replace("\n", " ")) for said in (f"row {done.row}{column}", done.told))
        line = filled("{}: {}: {} [{}]", head, code(SAID[done.status]), what, code(done.error.code))
        return [line, *([plain_line(f"  try: {for_shell(done.error.fix)}")] if done.error.fix else [])]
    if done.status != "recorded" or done.written is None:
        return [plain_line(f"row {done.row}: {done.told}")]
    written = done.written
    number = "would record" if dry else f"#{written.seqs[0]}"
    outcome = next(iter(written.outcomes), None)
    at = f", {show_time(outcome.live.at, app.match.zone)}" if outcome is not None else ""
    late = f", late: placed before {written.passed} recorded earlier" if written.passed else ""
    lines: list[SafeText] = [plain_line(f"row {done.row}: {number} {done.told}{at}{late}")]
    lines += [contested_line(outcome.refusal) for outcome in written.outcomes if outcome.refusal is not None]
    becomes = "would become contested" if dry else "is contested now"
    lines += [newly_line(outcome, becomes) for outcome in written.newly]
    for drift in written.drift:
        lines.append(plain_line(f"  text {drift.item}, posted to {drift.channel}, is wrong then: {drift.what}"))
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
