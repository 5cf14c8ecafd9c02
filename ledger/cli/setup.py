"""Verbs that set a match up: games, template, new, assumptions, rules, deal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from events.disk import line_to_run
from events.errors import Unreadable
from games.records import kebab
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.commands import VERBS
from ledger.cli.new_file import make_folder, write_new
from ledger.cli.options import ReadOptions, WriteOptions
from ledger.core.quoting import for_shell
from ledger.render.safe import PlainText, json_text, plain_line, plain_text, verbatim


def do_games(app: App, trust: str | None, reading: ReadOptions) -> None:
    from games import registry
    from ledger.core import outside

    if trust is not None:
        row, path, text = outside.trust(trust)
        game = outside.imported(row)
        make_folder(os.path.dirname(path))
        write_new(path, text.encode(), overwrite=True)
        app.to_host(f"{row.name} of {row.package} is trusted on this computer: its code runs from now on")
        if hidden := sorted({kebab(cls) for cls in game.actions} & set(VERBS)):
            app.to_host(f"its {', '.join(hidden)} cannot be reached: the ledger has such a verb itself; ask its author")
        return
    rows: list[dict[str, Any]] = []
    for name in registry.names():
        game = registry.load(name)
        rows.append({"name": name, "title": game.title, "rules": game.rules})
    told = [f"{row['name']}  {row['title']}" for row in rows]
    for row in outside.listed():
        rows.append({"name": row.name, "package": row.package, "trusted": row.trusted})
        how = "" if row.trusted else f"; not trusted: hl games --trust {row.name}"
        told.append(f"{row.name}  from {row.package}{how}")
    if reading.json:
        app.out(json_text({"games": rows}))
    else:
        app.show(*map(plain_line, told))


def do_page(app: App, game: str, check: str | None) -> int:
    from ledger.author.gamepage import missing, page
    from ledger.core.inputs import read_text
    from ledger.core.outside import load

    chosen = load(game)
    if check is None:
        app.out(verbatim(page(chosen)))
        return 0
    try:
        lacks = missing(chosen, read_text(check))
    except OSError as error:
        raise Unreadable("page.missing", f"{check} cannot be read: {error.strerror}", f"hl page {game}") from None
    for row in lacks:
        app.out(verbatim(row))
    app.to_host(f"{check} says all that it must" if not lacks else f"{check} lacks {len(lacks)} rows")
    return 1 if lacks else 0


def do_new_game(app: App, name: str, into: str | None) -> None:
    from ledger.author.newgame import files as made

    folder, files = into or name, made(name)
    if os.path.lexists(folder):
        raise Unreadable("newgame.exists", f"{folder} is there already", "--into another folder")
    for path, text in files.items():
        target = os.path.join(folder, *path.split("/"))
        make_folder(os.path.dirname(target))
        write_new(target, text.encode(), overwrite=False)
    app.to_host(f"made {folder} with {len(files)} files: {', '.join(files)}")
    app.to_host(f"  pip install -e {folder}, then hl games --trust {name}, hl demo {name}; pytest {folder}")


def do_template(app: App, game: str) -> None:
    from ledger.core.outside import load
    from ledger.exchange.template import template

    app.out(verbatim(template(load(game)).rstrip("\n")))


def do_check(app: App, source: str, reading: ReadOptions) -> int:
    from ledger.cli.screen import width
    from ledger.exchange.checking import check_file
    from ledger.render.text import table

    faults, seen = check_file(Path(source), app.host_name)
    if reading.json:
        rows = [
            {"line": one.line, "where": one.place, "what": one.what, "fix": one.fix, "code": one.code} for one in faults
        ]
        told = [dict(zip(("what", "owner", "others", "end"), row, strict=True)) for row in seen]
        app.out(json_text({"ok": not faults, "faults": rows, "seen": told}))
        return 2 if faults else 0
    for one in faults:
        app.show(plain_line(f"{source}:{one.line}: {one.sentence}{f'; {one.fix}' if one.fix else ''}"))
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
    taken = os.path.exists(folder) and (not os.path.isdir(folder) or os.path.exists(log))
    if path.suffix != ".jsonl" and taken:
        raise Unreadable("log.exists", f"{folder} is there already", "choose another folder")
    data = read_toml(Path(source))
    if "zone" not in data and not after and app.config.zone:
        data["zone"] = app.config.zone
    if death_match and len(after) != 1:
        fix = f"hl new {folder} --from {source} --after MAIN --death-match"
        raise Unreadable("command.usage", "a Death Match comes after one main match", fix)
    if after:
        from ledger.core.match import Match
        from ledger.core.where import find_log
        from ledger.exchange.season import carry_over
        from ledger.exchange.season import death_match as made

        olds = [Match(find_log(one)) for one in after]
        data, told_of = made(data, olds[0], after[0]) if death_match else carry_over(data, olds)
        for line in told_of:
            app.to_host(line)
    game, bodies = setup_bodies(data, source=source, by=app.host_name, now=now_ms())
    told = bodies[0].args["assumptions"]
    answered: dict[str, Any] = {"ok": True, "seq": [], "facts": [], "contested": [], "drift": []}
    if writing.dry_run:
        app.to_host(f"would make {log} with {len(bodies)} entries")
        answered["dry_run"] = True
    else:
        from events import create

        lines = create(str(log), bodies)
        answered["seq"] = [line.seq for line in lines]
        app.to_host(f"made {log} with {len(bodies)} entries · receipt {lines[-1].hash}")
    if writing.json:
        app.out_recorded(json_text(answered))
    if told:
        marked = gaps(game)
        first = [name for name in told if name not in marked or marked[name].look]
        look = f"; look at these first: {', '.join(first)}" if first else ""
        app.to_host(f"{len(told)} rules of {game.title} are filled in by assumption{look}")
        listing = for_shell(line_to_run("hl", "-g", folder, "assumptions"))
        app.to_host(f"  {listing} lists them all; hl amend-setting KEY=VALUE settles one")


def _rows(app: App) -> list[dict[str, Any]]:
    """Every setting of the match: gap, value, meaning, and whether anybody confirmed it."""
    from games.table.settings import Gap, known

    match = app.match
    table, game = match.table, match.game
    rows = []
    for name, field in known(game.settings, game.has).items():
        if isinstance(field.note, Gap):
            number = "" if field.note.number == "T" else field.note.number
            row = {"setting": name, "gap": number, "value": table.settings[name], "meaning": field.arg.help}
            rows.append({**row, "assumed": name in table.assumptions})
    for key, (_, about) in game.visibility.items():
        level = table.settings["visibility"][key]
        assumed = "visibility" in table.assumptions or f"visibility.{key}" in table.assumptions
        row = {"setting": f"visibility.{key}", "gap": "", "value": level, "meaning": f"Who may know {about}."}
        rows.append({**row, "assumed": assumed})
    return rows


def do_assumptions(app: App, accept: tuple[str, ...], reading: ReadOptions, writing: WriteOptions) -> None:
    if accept:
        _accept(app, accept, writing)
        return
    told = app.match.table.assumptions
    rows = [row for row in _rows(app) if row["assumed"]]
    order = {name: place for place, name in enumerate(told)}
    rows.sort(key=lambda row: order.get(row["setting"], order.get(row["setting"].partition(".")[0], 0)))
    if reading.json:
        app.out(json_text({"assumptions": rows}))
        return
    if not rows:
        app.show(plain_text("every rule of this match has been confirmed"))
        return
    about = "Filled in by default; nobody has confirmed these (hl assumptions --accept KEY or all does):"
    app.show(plain_text(about))
    app.out(_table(app, rows))


def _accept(app: App, accept: tuple[str, ...], writing: WriteOptions) -> None:
    """Confirm assumptions as they are, in one command.

    Raises:
        Unreadable: `settings.unknown`, nothing of that name is assumed.
    """
    from games.kinds import nearest, shown
    from games.table.actions import AmendSetting
    from ledger.record.recorder import record_actions

    table = app.match.table
    values = {name: value for name in table.assumptions for name, value in _lines(table.settings, name)}
    chosen: dict[str, Any] = {}
    for key in (part for word in accept for part in word.replace("-", "_").split(",")):
        found = values if key == "all" else dict(_lines(table.settings, key))
        if not found or not found.keys() <= values.keys():
            near = nearest(key, values)
            hint = f"did you mean {near[0]}?" if near else "hl assumptions"
            raise Unreadable("settings.unknown", f"no assumption is called {shown(key)}", hint)
        chosen |= found
    actions = [AmendSetting(key, value) for key, value in chosen.items()]
    answer(app, record_actions(app.match, actions, app.options(writing), app.ask), writing)


def _lines(settings: Any, name: str) -> list[tuple[str, Any]]:
    """(name, value) of a setting; for the information table, of each of its lines."""
    head, dot, line = name.partition(".")
    if head not in settings or (dot and line not in settings[head]):
        return []
    if dot:
        return [(name, settings[head][line])]
    return (
        [(f"{name}.{one}", level) for one, level in settings[name].items()]
        if name == "visibility"
        else [(name, settings[name])]
    )


def do_rules(app: App, reading: ReadOptions) -> None:
    rows = _rows(app)
    if reading.json:
        app.out(json_text({"rules": rows}))
    else:
        app.out(_table(app, rows))


def _table(app: App, rows: list[dict[str, Any]]) -> PlainText:
    """The rows, with `assumed` or `confirmed` for those that fill a gap of the game's own text."""
    from games.table.settings import gaps, in_words
    from ledger.cli.screen import width
    from ledger.render.text import table

    doubtful = gaps(app.match.game)

    def standing(row: dict[str, Any]) -> str:
        name = row["setting"]
        if name not in doubtful and not name.startswith("visibility."):
            return ""
        return "assumed" if row["assumed"] else "confirmed"

    cells = [(row["setting"], row["gap"], in_words(row["value"]), standing(row), row["meaning"]) for row in rows]
    return table(("setting", "gap", "value", "", "meaning"), cells, width=width())


def do_deal(app: App, source: str | None, writing: WriteOptions) -> None:
    from games.table import actions as shared
    from ledger.record.recorder import record_actions

    options = app.options(writing)
    if source is None:
        written = record_actions(app.match, [shared.Deal()], options, app.ask)
    else:
        from ledger.exchange.matchfile import typed_hands

        hands = typed_hands(Path(source), app.match.table.directory())
        actions = [shared.Hand(player, tuple(cards.replace(",", " ").split())) for player, cards in hands.items()]
        written = record_actions(app.match, [*actions, shared.Deal("typed")], options, app.ask)
    answer(app, written, writing)


def do_amend_setting(app: App, setting: tuple[str, ...], writing: WriteOptions) -> None:
    from games.table.actions import AmendSetting
    from ledger.record.recorder import record_actions

    pairs = _pairs(app, setting)
    try:
        written = record_actions(
            app.match, [AmendSetting(key, value) for key, value in pairs], app.options(writing), app.ask
        )
    except Unreadable as error:
        known = {key for key, _ in pairs}
        other = next((key for key, eq, _ in (word.partition("=") for word in setting) if eq and key not in known), "")
        if error.code != "settings.value" or not other:
            raise
        raise Unreadable(error.code, f"{error.what}; no setting is called {other}", "hl rules") from None
    answer(app, written, writing)


def _pairs(app: App, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """(setting, value) of each KEY=VALUE; a word that begins no other setting belongs to the value before it.

    Raises:
        Unreadable: `command.usage`.
    """
    begun: list[str] = []
    for word, after in zip(words, (*words[1:], ""), strict=True):
        key, eq, _ = word.partition("=")
        new = not begun or (_is_setting(app, key) and (eq or after.startswith("=")))
        begun = [*begun, word] if new else [*begun[:-1], f"{begun[-1]} {word}"]
    pairs = [(key.strip(), eq, value.strip()) for key, eq, value in (one.partition("=") for one in begun)]
    if not pairs or not all(key and eq for key, eq, _ in pairs):
        raise Unreadable("command.usage", "a setting is changed with KEY=VALUE", "hl amend-setting KEY=VALUE")
    return [(key, value) for key, _, value in pairs]


def _is_setting(app: App, word: str) -> bool:
    return word.partition(".")[0].replace("-", "_") in app.match.table.settings
