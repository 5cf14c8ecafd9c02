"""The match file that `hl template GAME` prints: every setting of the game, to fill in."""

from __future__ import annotations

from typing import Literal, get_args, get_origin

from games.contract import Game
from games.records import Field
from games.table.settings import LEVELS, Gap, as_toml, known


def template(game: Game) -> str:
    """A complete file for `hl new`, with every setting, its gap, its meaning and its default.

    Settings stand in comments: taking the `#` away is how a host confirms one.
    """
    if game.written:
        return game.written.template
    least, most = game.players
    out = [
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
        out.append(f'{player} = {{ name = "{player.capitalize()}", garnets = 0, channel = "#{player}" }}')
    out += [
        "",
        "[settings]",
        "# Each line fills a gap of the original rules with its default. Nobody has confirmed one",
    ]
    out += ["# until its # is taken away; what is left is listed as an assumption."]
    marked = {name: field for name, field in known(game.settings, game.has).items() if isinstance(field.note, Gap)}
    first = [name for name, field in marked.items() if field.note.look]
    rest = [name for name in marked if name not in first]
    for words, names in (("Look at these first: the original text is lost or doubtful.", first), ("The rest.", rest)):
        out += ["", f"# -- {words}"]
        for name in names:
            field = marked[name]
            number = "" if field.note.number == "T" else f"[{field.note.number}] "
            out += [f"# {number}{field.arg.help}{_allowed(field)}", f"#{name} = {as_toml(field.default)}"]
            out += [f"#   {line}" for line in field.note.samples]
    out += ["", "#[settings.visibility]", f"# Who may know what; each one of: {' '.join(LEVELS)}"]
    for key, (level, meaning) in game.visibility.items():
        out.append(f'#{key} = "{level}"'.ljust(38) + f" # {meaning}")
    return "\n".join(out) + "\n"


def _allowed(field: Field) -> str:
    if get_origin(field.base) is Literal:
        return (
            f" One of: {' '.join(map(str, get_args(field.base)))}."
            if not field.many
            else f" From: {' '.join(map(str, get_args(field.base)))}."
        )
    return ""
