"""Verbs about the settings of a match: assumptions, rules, amend-setting."""

from __future__ import annotations

from typing import Any

import click

from events.errors import Unreadable
from games.kinds import nearest, shown
from games.table.actions import AmendSetting
from games.table.settings import Gap, gaps, in_words, known
from ledger.cli.answer import answer
from ledger.cli.app import App, ReadOptions, WriteOptions
from ledger.cli.completion import assumed, settings
from ledger.cli.terminal import width
from ledger.cli.verb import about_options, list_option, verb, write_options
from ledger.record.recorder import record_actions
from ledger.render.safe import PlainText, json_text, plain_text
from ledger.render.text import table


def _rows(app: App) -> list[dict[str, Any]]:
    """Every setting of the match: gap, value, meaning, and whether anybody confirmed it."""
    settings, assumptions, game = app.match.table.settings, app.match.table.assumptions, app.match.game
    rows = []
    for name, field in known(game.settings, game.has).items():
        if isinstance(field.note, Gap):
            number = "" if field.note.number == "T" else field.note.number
            row = {"setting": name, "gap": number, "value": settings[name], "meaning": field.arg.help}
            rows.append({**row, "assumed": name in assumptions})
    for key, (_, about) in game.visibility.items():
        level = settings["visibility"][key]
        assumed = "visibility" in assumptions or f"visibility.{key}" in assumptions
        row = {"setting": f"visibility.{key}", "gap": "", "value": level, "meaning": f"Who may know {about}."}
        rows.append({**row, "assumed": assumed})
    return rows


@verb("assumptions", "set up", records=("amend-setting",))
@click.option(
    "--accept", metavar="KEY|all", multiple=True, help="Confirm this one, or all of them.", shell_complete=assumed
)
@list_option
@about_options
def assumptions(app: App, accept: tuple[str, ...], reading: ReadOptions, writing: WriteOptions) -> None:
    """List the rules nobody has confirmed yet.

    The most important first. --accept confirms them as they are.
    """
    if accept:
        _accept(app, accept, writing)
        return
    rows = [row for row in _rows(app) if row["assumed"]]
    order = {name: place for place, name in enumerate(app.match.table.assumptions)}
    rows.sort(key=lambda row: order.get(row["setting"], order.get(row["setting"].partition(".")[0], 0)))
    if reading.json:
        app.out(json_text({"assumptions": rows}))
        return
    if not rows:
        app.show(plain_text("every rule of this match has been confirmed"))
        return
    app.show(plain_text("Filled in by default; nobody has confirmed these (hl assumptions --accept KEY or all does):"))
    app.out(_table(app, rows))


def _accept(app: App, accept: tuple[str, ...], writing: WriteOptions) -> None:
    match_table = app.match.table
    values = {name: value for name in match_table.assumptions for name, value in _lines(match_table.settings, name)}
    chosen: dict[str, Any] = {}
    for key in (part for word in accept for part in word.replace("-", "_").split(",")):
        confirmed = values if key == "all" else dict(_lines(match_table.settings, key))
        if not confirmed or not confirmed.keys() <= values.keys():
            near = nearest(key, values)
            hint = f"did you mean {near[0]}?" if near else "hl assumptions"
            raise Unreadable("settings.unknown", f"no assumption is called {shown(key)}", hint)
        chosen |= confirmed
    actions = [AmendSetting(key, value) for key, value in chosen.items()]
    answer(app, record_actions(app.match, actions, app.options(writing), app.ask), writing)


def _lines(settings: Any, name: str) -> list[tuple[str, Any]]:
    """(name, value) of a setting; for the information table, of each of its lines."""
    head, dot, line = name.partition(".")
    if head not in settings or (dot and line not in settings[head]):
        return []
    if dot:
        return [(name, settings[head][line])]
    if name == "visibility":
        return [(f"{name}.{key}", level) for key, level in settings[name].items()]
    return [(name, settings[name])]


@verb("rules", "set up")
@list_option
def rules(app: App, reading: ReadOptions) -> None:
    """List every setting with its gap, value and meaning."""
    rows = _rows(app)
    if reading.json:
        app.out(json_text({"rules": rows}))
    else:
        app.out(_table(app, rows))


def _table(app: App, rows: list[dict[str, Any]]) -> PlainText:
    """The rows, with `assumed` or `confirmed` for those that fill a gap of the game's own text."""
    doubtful = gaps(app.match.game)

    def standing(row: dict[str, Any]) -> str:
        name = row["setting"]
        if name not in doubtful and not name.startswith("visibility."):
            return ""
        return "assumed" if row["assumed"] else "confirmed"

    cells = [(row["setting"], row["gap"], in_words(row["value"]), standing(row), row["meaning"]) for row in rows]
    return table(("setting", "gap", "value", "", "meaning"), cells, width=width())


@verb("amend-setting", "any match", records=("amend-setting",))
@click.argument("setting", metavar="KEY=VALUE", nargs=-1, required=True, shell_complete=settings)
@write_options()
def amend_setting(app: App, setting: tuple[str, ...], writing: WriteOptions) -> None:
    """Change settings from now on.

    KEY=VALUE, or several, with the new values.
    """
    pairs = _pairs(app, setting)
    actions = [AmendSetting(key, value) for key, value in pairs]
    try:
        written = record_actions(app.match, actions, app.options(writing), app.ask)
    except Unreadable as error:
        names = {key for key, _ in pairs}
        unknown = next((key for key, eq, _ in (word.partition("=") for word in setting) if eq and key not in names), "")
        if error.code != "settings.value" or not unknown:
            raise
        raise Unreadable(error.code, f"{error.what}; no setting is called {unknown}", "hl rules") from None
    answer(app, written, writing)


def _pairs(app: App, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """(setting, value) of each KEY=VALUE; a word that begins no other setting belongs to the value before it."""
    texts: list[str] = []
    for word, after in zip(words, (*words[1:], ""), strict=True):
        key, eq, _ = word.partition("=")
        is_setting = key.partition(".")[0].replace("-", "_") in app.match.table.settings
        if not texts or (is_setting and (eq or after.startswith("="))):
            texts.append(word)
        else:
            texts[-1] += f" {word}"
    pairs = [(key.strip(), eq, value.strip()) for key, eq, value in (text.partition("=") for text in texts)]
    if not pairs or not all(key and eq for key, eq, _ in pairs):
        raise Unreadable("command.usage", "a setting is changed with KEY=VALUE", "hl amend-setting KEY=VALUE")
    return [(key, value) for key, _, value in pairs]
