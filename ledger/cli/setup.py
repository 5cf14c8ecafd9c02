"""Verbs that set a match up: template, check, new, deal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from events import create
from events.disk import line_to_run
from events.errors import Unreadable
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.options import ReadOptions, WriteOptions
from ledger.core.quoting import for_shell
from ledger.core.where import find_log
from ledger.render.safe import json_text, plain_line, verbatim
from ledger.render.text import table


def do_template(app: App, game: str) -> None:
    from ledger.core.outside import load
    from ledger.exchange.template import template

    app.out(verbatim(template(load(game)).rstrip("\n")))


def do_check(app: App, source: str, reading: ReadOptions) -> int:
    from ledger.cli.screen import width
    from ledger.exchange.checking import check_file

    faults, seen = check_file(Path(source), app.host_name)
    if reading.json:
        rows = [{"line": f.line, "where": f.place, "what": f.what, "fix": f.fix, "code": f.code} for f in faults]
        viewers = [dict(zip(("what", "owner", "others", "end"), row, strict=True)) for row in seen]
        app.out(json_text({"ok": not faults, "faults": rows, "seen": viewers}))
        return 2 if faults else 0
    for fault in faults:
        app.show(plain_line(f"{source}:{fault.line}: {fault.sentence}{f'; {fault.fix}' if fault.fix else ''}"))
    if faults:
        app.to_host(f"{len(faults)} fault{'s' if len(faults) > 1 else ''}; nothing was made")
        return 2
    if seen:
        app.out(table(("what", "its owner", "the others", "at the end"), seen, width=width()))
    app.to_host(f"{source} can be played; hl new FOLDER --from {source} makes the match")
    return 0


def do_new(
    app: App, folder: str, source: str, after: tuple[str, ...], death_match: bool, writing: WriteOptions
) -> None:
    from games.table.settings import gaps
    from ledger.core.clock import now_ms
    from ledger.core.tomlfile import read_toml
    from ledger.exchange.matchfile import setup_bodies

    path = Path(folder)
    log = path if path.suffix == ".jsonl" else path / "log.jsonl"
    if path.suffix != ".jsonl" and os.path.exists(folder) and (not os.path.isdir(folder) or os.path.exists(log)):
        raise Unreadable("log.exists", f"{folder} is there already", "choose another folder")
    data = read_toml(Path(source))
    if "zone" not in data and not after and app.config.zone:
        data["zone"] = app.config.zone
    if death_match and len(after) != 1:
        fix = f"hl new {folder} --from {source} --after MAIN --death-match"
        raise Unreadable("command.usage", "a Death Match comes after one main match", fix)
    if after:
        from ledger.core.match import Match
        from ledger.exchange import season

        matches = [Match(find_log(name)) for name in after]
        data, lines = (
            season.death_match(data, matches[0], after[0]) if death_match else season.carry_over(data, matches)
        )
        for line in lines:
            app.to_host(line)
    game, bodies = setup_bodies(data, source=source, by=app.host_name, now=now_ms())
    document: dict[str, Any] = {"ok": True, "seq": [], "facts": [], "contested": [], "drift": []}
    if writing.dry_run:
        app.to_host(f"would make {log} with {len(bodies)} entries")
        document["dry_run"] = True
    else:
        entries = create(str(log), bodies)
        document["seq"] = [entry.seq for entry in entries]
        app.to_host(f"made {log} with {len(bodies)} entries · receipt {entries[-1].hash}")
    if writing.json:
        app.out_recorded(json_text(document))
    if assumptions := bodies[0].args["assumptions"]:
        gap_of = gaps(game)
        first = [name for name in assumptions if name not in gap_of or gap_of[name].look]
        look = f"; look at these first: {', '.join(first)}" if first else ""
        app.to_host(f"{len(assumptions)} rules of {game.title} are filled in by assumption{look}")
        listing = for_shell(line_to_run("hl", "-g", folder, "assumptions"))
        app.to_host(f"  {listing} lists them all; hl amend-setting KEY=VALUE settles one")


def do_deal(app: App, source: str | None, writing: WriteOptions) -> None:
    from games.table import actions as shared
    from ledger.record.recorder import record_actions

    options = app.options(writing)
    if source is None:
        written = record_actions(app.match, [shared.Deal()], options, app.ask)
    else:
        from ledger.exchange.deal_file import typed_hands

        hands = typed_hands(Path(source), app.match.table.directory())
        actions = [shared.Hand(player, tuple(cards.replace(",", " ").split())) for player, cards in hands.items()]
        written = record_actions(app.match, [*actions, shared.Deal("typed")], options, app.ask)
    answer(app, written, writing)
