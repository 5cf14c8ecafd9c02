"""Generate match files: templates with every setting of a game, rosters from names, and files completed from earlier
matches of a season.

Reading and checking a match file is in matchfile.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from events import LedgerError, Refused
from events.audiences import RESERVED
from events.record import NamedTuple
from games.contract import Game
from games.kinds import casefolded, clean
from games.records import Field
from games.table import Table
from games.table.rules import able_opponents
from games.table.settings import LEVELS, Gap, as_toml, defaults, known, own
from games.table.state import OPPONENT
from ledger.core.match import Match
from ledger.core.outside import load
from ledger.core.replay import CANDIDATE
from ledger.core.tomlfile import Document, table_of

_WORD_GAP = re.compile(r"""[\s_|/\\&+.:!?"“”„«»(){}<>\[\]@#~*=‐-―-]+""")
_TO_LATIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "", "'": ""}
)
MAX_ID = 32


class RosterRow(NamedTuple):
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    channel: str | None = None
    garnets: int = 0


_REMARK = re.compile(r"#\d{4}$|\s+[-–—|]?\s*(?:she|he|they|it|xe|ze|any)(?:/\w+)+$", re.IGNORECASE)
"""An old Discord number, or pronouns, after a name."""


def names_in(lines: Sequence[str]) -> tuple[str, ...]:
    """The names in pasted lines, one per line or separated by commas; list markers and pronouns are dropped.

    >>> names_in(["1. Mara Jade", "- @Bob#1234", "", "Nia - she/her"]), names_in(["Ann, Bob ,Cyd"])
    (('Mara Jade', 'Bob', 'Nia'), ('Ann', 'Bob', 'Cyd'))
    """
    unlisted = (re.sub(r"^(?:[-*•–·]\s+|\d{1,3}[.)]\s*)", "", clean(line), count=1) for line in lines)
    parts = [part.strip() for line in unlisted for part in re.split(r"[,;\t،、，；]", line)]
    names = (_REMARK.sub("", part.removeprefix("@")).strip() for part in parts)
    return tuple(name for name in names if name)


def seats(names: Sequence[str]) -> tuple[RosterRow, ...]:
    """A seat for each name, in this order.

    The id is the first word of the name in a-z, or all its words if two names begin alike, or `p` and the seat number
    if the name has no such letters. Words of the name that nobody else shares become aliases.

    >>> [(seat.id, seat.aliases, seat.channel) for seat in seats(["Zoë (she)", "An Li", "An Ko", "דנה"])]
    [('zoe', ('zoë',), '#zoe'), ('an_li', ('li',), '#an-li'), ('an_ko', ('ko',), '#an-ko'), ('p4', (), '#דנה')]
    """
    words = [_words(name) for name in names]
    count = Counter(word for name_words in words for word in {casefolded(word) for word in name_words})
    spellings = [[*filter(None, map(_latin, name_words))] for name_words in words]
    first_words = Counter(next(iter(latin), "") for latin in spellings)
    ids: list[str] = []
    for number, (name, latin) in enumerate(zip(names, spellings, strict=True), 1):
        others = {*map(casefolded, names)} - {casefolded(name)}
        ids.append(_free_id(latin if first_words[next(iter(latin), "")] > 1 else latin[:1], number, {*ids, *others}))
    taken = {*ids, *map(casefolded, names)}
    roster: list[RosterRow] = []
    for name, name_words, player in zip(names, words, ids, strict=True):
        own = [casefolded(word) for word in dict.fromkeys(name_words) if len(word) > 1 and count[casefolded(word)] == 1]
        channel = _channel(name, player, [seat.channel for seat in roster])
        roster.append(RosterRow(player, name, tuple(word for word in own if word not in taken), channel))
    return tuple(roster)


def _words(name: str) -> list[str]:
    bare = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", name)  # drop pronouns and the like
    parts = ("".join(filter(_in_word, part)) for part in _WORD_GAP.split(bare))
    return [part for part in parts if any(map(str.isalnum, part))]


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign in "'’" or (unicodedata.category(sign)[0] == "M" and not "\ufe00" <= sign <= "\ufe0f")


def _latin(word: str) -> str:
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold().translate(_TO_LATIN))
    return re.sub(r"[^a-z0-9]", "", plain)


def _free_id(words: Sequence[str], number: int, taken: Collection[str]) -> str:
    proposed = re.sub(r"^[^a-z]+", "", "_".join(words))[:MAX_ID].strip("_") or f"p{number}"
    candidates = (proposed, *(f"{proposed[: MAX_ID - 4]}_{n}" for n in range(2, len(taken) + len(RESERVED) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken and candidate not in RESERVED)


def _channel(name: str, player: str, taken: Sequence[str | None]) -> str:
    by_name = "-".join(_words(name)).casefold() if not name.isascii() else ""
    by_id = f"#{player.replace('_', '-')}"
    proposed = f"#{by_name}" if by_name and re.fullmatch(r"p\d+(_\d+)?", player) else by_id
    return proposed if proposed not in taken and proposed not in ("#public", "#everybody") else by_id


class Answers(NamedTuple):
    title: str
    zone: str
    hosts: tuple[str, ...]
    seats: tuple[RosterRow, ...] = ()
    settings: Mapping[str, Any] = {}
    """Setting -> the value that the host has confirmed. The other settings stay assumptions."""
    visibility: Mapping[str, str] | None = None
    """Line of the information table -> level, if the host has confirmed the table; defaults may be left out."""


def template(game: Game) -> str:
    """A complete file for `hl new`. A host confirms a setting by removing its `#`."""
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
        lines.append(f'{player} = {{ name = "{player.capitalize()}"{_purse(game)}, channel = "#{player}" }}')
    lines += [
        "",
        "[settings]",
        "# The original rules leave these things open. Each line has a default, which counts as unconfirmed",
        "# until you remove its #. hl assumptions lists what is unconfirmed.",
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
    if field.bounds and field.bounds.unit:
        return ' Or a text: "90s", "3m", "1d12h".'
    if get_origin(field.base) is not Literal:
        return ""
    return f" {'From' if field.many else 'One of'}: {' '.join(map(str, get_args(field.base)))}."


def filled_in(game: Game, answers: Answers) -> str:
    template_lines: Iterator[str] = iter(template(game).splitlines())
    head = {"title": as_toml(answers.title), "zone": as_toml(answers.zone), "hosts": as_toml(answers.hosts)}
    unwritten = {**answers.settings}
    lines: list[str] = []
    table = ""
    for line in template_lines:
        if heading := re.match(r"(#?)\[(.+?)\]", line):
            table = heading[2]
        if line.startswith("[players]"):
            lines += [line, *(_seat(seat, game) for seat in answers.seats)]
            while next(template_lines, ""):
                pass  # skip the sample players
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
    """The settings for a file whose template lists none, because its rules are in separate tables."""
    lines = [f"{key} = {as_toml(value)}" for key, value in settings.items()]
    levels = {key: level for key, (level, _) in game.visibility.items()} | {**(visibility or {})}
    visibility_lines = ["", "[settings.visibility]", *(f'{key} = "{level}"' for key, level in levels.items())]
    return [*(["", "[settings]", *lines] if lines else []), *(visibility_lines if visibility is not None else [])]


def _with_remark(pair: str, line: str) -> str:
    if (remark := re.search(r"\s+# ", line)) is None:
        return pair
    return f"{pair} ".ljust(remark.end() - 2) + line[remark.end() - 2 :]


def _purse(game: Game, garnets: int = 0) -> str:
    return f", garnets = {garnets}" if "garnets" in game.has else ""


def _seat(seat: RosterRow, game: Game) -> str:
    further = f", aliases = {as_toml(seat.aliases)}" if seat.aliases else ""
    channel = f", channel = {as_toml(seat.channel)}" if seat.channel else ""
    key = seat.id if re.fullmatch(r"[\w-]+", seat.id, re.ASCII) else as_toml(seat.id)
    return f"{key} = {{ name = {as_toml(seat.name)}{_purse(game, seat.garnets)}{channel}{further} }}"


# ---- a match that continues earlier ones -----------------------------------------------------------------------------


def carry_over(data: Mapping[str, Any], olds: Sequence[Match]) -> tuple[Document, list[str]]:
    """Complete a match file from earlier matches of the season: hosts, zone, roster in its order, garnets held.

    Players who left or lost a Death Match get no seat. Values in the file take precedence; a player listed without
    garnets gets those that they held after their last match. Garnets above the new game's cap are discarded (S-7).
    Returns the file's data and remarks for the host.

    Args:
        olds: The earlier matches in the order in which they were played; at least one.
    """
    in_file, remarks = table_of(data, "players"), list[str]()
    rows: dict[str, Any] = {}
    for old in olds:
        table = old.table
        if table.void:
            remarks.append(f"{table.title} was declared void: garnets are as they were brought")
        elif table.status != "finished":
            remarks.append(f"{table.title} is {table.status}: its garnets may still change")
        rows |= {p: _row(table, p) for p in table.seats}
        left = dict.fromkeys(table.left, "had left") | dict.fromkeys(lost(old), "lost the Death Match")
        for player in [p for p in rows if p in left and p not in in_file]:
            remarks.append(f"{table.name(player)} {left[player]}, so they get no seat")
            del rows[player]
    remarks += _discard(data, rows)
    return _filled(data, olds[-1].table, rows), remarks


def _filled(data: Mapping[str, Any], old: Table, rows: Mapping[str, Any]) -> Document:
    if in_file := table_of(data, "players"):
        rows = {p: {**rows.get(p, {}), **row} if isinstance(row, Mapping) else row for p, row in in_file.items()}
    text = data.text if isinstance(data, Document) else ""
    return Document({"hosts": list(old.hosts), "zone": old.zone, **data, "players": rows}, text)


def _row(table: Table, player: str) -> dict[str, Any]:
    seat = table.seats[player]
    aliases = [alias for alias, owner in table.aliases.items() if owner == player]
    row = {"name": seat.name, "garnets": table.garnets(player), "aliases": aliases}
    return {**row, "channel": seat.channel} if seat.channel else row


def _discard(data: Mapping[str, Any], rows: Mapping[str, Any]) -> list[str]:
    """Discard garnets above the cap of the game that the file names; return remarks. Source: S-7."""
    name, settings = data.get("game"), data.get("settings", {})
    if not isinstance(name, str) or not isinstance(settings, Mapping):
        return []  # `setup_bodies` will refuse the file for this
    try:
        game = load(name.strip())
        cap = game.garnet_cap(own(game.settings, defaults(game.settings, game.visibility, game.has) | dict(settings)))
    except LedgerError:
        return []  # likewise, listing all its faults
    remarks: list[str] = []
    for row in rows.values():
        if cap is not None and (held := row["garnets"]) > cap:
            remarks.append(f"{row['name']} held {held} garnets; {held - cap} above the cap of {cap} are discarded")
            row["garnets"] = cap
    return remarks


def lost(old: Match) -> tuple[str, ...]:
    table = old.table
    roster = old.book.entries[0].body.args["roster"]
    if table.void or table.status != "finished" or not any(row.get("kind") == CANDIDATE for row in roster):
        return ()
    if table.declares("elimination") or table.losers or table.elimination:
        return table.losers or table.elimination
    if table.winners:
        return tuple(p for p in table.players if p not in table.winners)
    ranking = old.game.result(old.fold.state, "host").ranking or ()
    return ranking[-1] if len(ranking) > 1 and len(ranking[-1]) == 1 else ()


def death_match(data: Mapping[str, Any], main: Match, typed: str) -> tuple[Document, list[str]]:
    """Fill in a file with two players: the Elimination Candidate of a main match and the opponent they chose there.

    Raises:
        Refused: `season.death_match`, the main match does not determine these two.
    """
    table = main.table
    if table.void or table.status != "finished":
        ending = "was declared void" if table.void else f"is {table.status}"
        what = f"{table.title} {ending}: it has no Elimination Candidate"
        raise Refused("season.death_match", what, f"hl -g {typed} status")
    if len(table.elimination) != 1:
        what = "nobody is Elimination Candidate"
        if table.elimination:
            what = f"{table.named(table.elimination)} are Elimination Candidates, but only one plays"
        fix = f"hl -g {typed} declare elimination PLAYER --note WHY"
        raise Refused("season.death_match", what, fix)
    (candidate,) = table.elimination
    opponent, possible = table.choices.get((OPPONENT, candidate)), able_opponents(table)
    candidate_name = table.name(candidate)
    if candidate in table.left or not possible:
        reason = f"{candidate_name} has left" if candidate in table.left else "everybody else has left or holds a token"
        raise Refused("season.death_match", f"{reason}, so there is no Death Match", f"hl -g {typed} final")
    if opponent not in possible:
        lapsed = f"{candidate_name} chose {table.name(opponent)}, who can no longer be chosen" if opponent else ""
        what = f"{lapsed or f'{candidate_name} has chosen no opponent'}; {table.one_of(possible)} can be"
        fix = f"hl -g {typed} choose {candidate} {possible[0] if len(possible) == 1 else 'PLAYER'}"
        raise Refused("season.death_match", what, fix)
    rows = {p: _row(table, p) for p in (candidate, opponent)}
    rows[candidate][CANDIDATE] = True
    remarks = [*_discard(data, rows), f"the Death Match: {candidate_name} against {table.name(opponent)}"]
    if not table_of(data, "players").keys() <= rows.keys():  # the file of the main match, with garnets of its beginning
        data = Document({**data, "players": {}}, getattr(data, "text", ""))
    return _filled(data, table, rows), remarks
