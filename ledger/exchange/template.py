"""The match file that `hl template GAME` prints: every setting of the game, to fill in; and the same file filled in.

Belongs here: the text of the file. Does not belong here: what it may say (matchfile.py), asking for it (cli/init.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from events.record import NamedTuple
from games.contract import Game
from games.records import Field
from games.table.settings import LEVELS, Gap, as_toml, known
from ledger.exchange.roster import Seat


class Answers(NamedTuple):
    """The answers of a host about a match that is still to be made."""

    title: str
    zone: str
    hosts: tuple[str, ...]
    seats: tuple[Seat, ...] = ()
    settings: Mapping[str, Any] = {}
    """Setting -> the value that the host has confirmed. The others stay assumptions."""
    visibility: Mapping[str, str] | None = None
    """Line of the information table -> level, once the host has confirmed it; defaults may be left out."""


def template(game: Game) -> str:
    """A complete file for `hl new`, with every setting, its gap, its meaning and its default.

    Settings stand in comments: taking the `#` away is how a host confirms one.
    """
    if game.written:
        return game.written.template
    least, most = game.players
    lines = [
        f"# A match of {game.title}. Fill in the players, look at the settings, then: hl new FOLDER --from THIS.toml",
        f'game = "{game.name}"',
        f'title = "{game.title}"',
        'zone = "UTC"                   # the zone in which times are typed and shown, like "Europe/Berlin"',
        'hosts = ["mara"]               # who records; with several, each says hl --as NAME',
        "",
        "[players]                      # in seat order; everything but the key may be left out",
    ]
    sample = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal", "ivy", "joe", "kim", "leo", "mia")
    for player in sample[: max(least, min(most, 5))]:
        lines.append(f'{player} = {{ name = "{player.capitalize()}", garnets = 0, channel = "#{player}" }}')
    lines += [
        "",
        "[settings]",
        "# Each line fills a gap of the original rules with its default. Nobody has confirmed one",
        "# until its # is taken away; what is left is listed as an assumption.",
    ]
    gaps = {name: field for name, field in known(game.settings, game.has).items() if isinstance(field.note, Gap)}
    doubtful = [name for name, field in gaps.items() if field.note.look]
    others = [name for name in gaps if name not in doubtful]
    first = "Look at these first: the original text is lost or doubtful."
    for title, names in ((first, doubtful), ("The rest.", others)):
        lines += ["", f"# -- {title}"]
        for name in names:
            field = gaps[name]
            number = "" if field.note.number == "T" else f"[{field.note.number}] "
            lines += [f"# {number}{field.arg.help}{allowed(field)}", f"#{name} = {as_toml(field.default)}"]
            lines += [f"#   {line}" for line in field.note.samples]
    lines += ["", "#[settings.visibility]", f"# Who may know what; each one of: {' '.join(LEVELS)}"]
    for key, (level, meaning) in game.visibility.items():
        lines.append(f'#{key} = "{level}"'.ljust(38) + f" # {meaning}")
    return "\n".join(lines) + "\n"


def allowed(field: Field) -> str:
    """What a setting may be, where that can be listed: ` One of: count value.`; of a length, how else it is written."""
    if field.bounds and field.bounds.unit:
        return ' Or a text: "90s", "3m", "1d12h".'
    if get_origin(field.base) is not Literal:
        return ""
    return f" {'From' if field.many else 'One of'}: {' '.join(map(str, get_args(field.base)))}."


def filled_in(game: Game, answers: Answers) -> str:
    """The template with these answers filled in: a complete match file."""
    template_lines: Iterator[str] = iter(template(game).splitlines())
    head = {"title": _text(answers.title), "zone": _text(answers.zone), "hosts": _list(answers.hosts)}
    unwritten = {**answers.settings}
    lines: list[str] = []
    table = ""
    for line in template_lines:
        if heading := re.match(r"(#?)\[(.+?)\]", line):
            table = heading[2]
        if line.startswith("[players]"):
            lines += [line, *map(_seat, answers.seats)]
            while next(template_lines, ""):
                pass  # the players of the sample
            line = ""
        setting = re.match(r"#?([a-z][a-z0-9_]*) = ", line)
        key = setting[1] if setting else ""
        if not table and key in head:
            line = _with_remark(f"{key} = {head[key]}", line)
        elif table == "settings" and key in unwritten:
            line = f"{key} = {as_toml(unwritten.pop(key))}"
        elif table == "settings.visibility" and answers.visibility is not None:
            level = answers.visibility.get(key, game.visibility[key][0] if key in game.visibility else "")
            line = _with_remark(f'{key} = "{level}"', line) if level else line.removeprefix("#") if heading else line
        lines.append(line)
    lines += _appended(game, unwritten, None if table == "settings.visibility" else answers.visibility)
    return "\n".join(lines) + "\n"


def _appended(game: Game, settings: Mapping[str, Any], visibility: Mapping[str, str] | None) -> list[str]:
    """The settings of a file whose template has none: its rules stand in tables of their own."""
    lines = [f"{key} = {as_toml(value)}" for key, value in settings.items()]
    levels = {key: level for key, (level, _) in game.visibility.items()} | {**(visibility or {})}
    visibility_lines = ["", "[settings.visibility]", *(f'{key} = "{level}"' for key, level in levels.items())]
    return [*(["", "[settings]", *lines] if lines else []), *(visibility_lines if visibility is not None else [])]


def _with_remark(pair: str, line: str) -> str:
    """The new line with the remark of the old one, where it stood."""
    if (remark := re.search(r"\s+# ", line)) is None:
        return pair
    return f"{pair} ".ljust(remark.end() - 2) + line[remark.end() - 2 :]


def _seat(seat: Seat) -> str:
    further = f", aliases = {_list(seat.aliases)}" if seat.aliases else ""
    channel = f", channel = {_text(seat.channel)}" if seat.channel else ""
    return f"{seat.id} = {{ name = {_text(seat.name)}, garnets = 0{channel}{further} }}"


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    """A text as TOML writes it, which is as JSON does."""
    return json.dumps(text, ensure_ascii=False)
