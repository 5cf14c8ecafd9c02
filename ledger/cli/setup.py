"""Verbs that set a match up: init, template, check, new; and those about games: games, page, new-game."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from events import create
from events.disk import line_to_run
from events.errors import LedgerError, Unreadable
from games import registry
from games.contract import Game
from games.kinds import count, digits
from games.records import kebab, plain
from games.table.actions import AmendSetting
from games.table.prepare import setting
from games.table.settings import LEVELS, Gap, check as check_settings, gaps, in_words, known
from games.table.view import PURSES
from ledger.author.newgame import HAS, files as skeleton, missing, page, read_has
from ledger.cli.app import App
from ledger.cli.completion import files, games
from ledger.cli.derive import in_full, taken
from ledger.cli.errors import for_shell
from ledger.cli.output import deliver_lines, free_name, make_folder, write_new
from ledger.cli.terminal import lines, typed, width
from ledger.cli.verb import ReadOptions, WriteOptions, file_option, json_option, list_option, verb
from ledger.cli.verbs import SHARED
from ledger.core import outside
from ledger.core.clock import now_ms
from ledger.core.inputs import read_text
from ledger.core.logs import find_log
from ledger.core.match import Match, entries_of
from ledger.core.outside import game_named, listed, load, load_typed
from ledger.core.tomlfile import Fault, read_toml
from ledger.exchange import template
from ledger.render.safe import json_text, plain_line, verbatim
from ledger.render.text import table
from ledger.tell.reports import next_steps

if TYPE_CHECKING:
    from ledger.exchange.matchfile import Checked

T = TypeVar("T")

# ---- template, check, new --------------------------------------------------------------------------------------------


@verb("init", "set up", audience="none")
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
@file_option("-o", "--output", "target", default="match.toml", help="The new file; match.toml if not given.")
def init(app: App, game: str | None, target: str) -> int:
    """Write a match file by questions and answers.

    hl init

    Game, players from a paste, zone, hosts, and the rules to look at first. < goes one question back. It needs a
    terminal, and writes nothing before the end; then it offers to make the match.
    """
    if game and game.endswith(".toml"):
        what = f"init writes a new match file; {game} is made a match by another verb"
        raise Unreadable("command.usage", what, line_to_run("hl", "new", "FOLDER", "--from", game))
    chosen = load_typed(game) if game else None
    if not app.may_ask:
        instead = f"{line_to_run('hl', 'template', game or 'GAME')} > {line_to_run(target)}"
        raise Unreadable("init.terminal", "init asks questions, and there is no terminal to answer at", instead)
    if os.path.lexists(target):
        raise Unreadable("output.exists", f"{target} already exists", f"hl init -o {free_name(target)}")
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise Unreadable("output.exists", f"there is no folder {os.path.dirname(target)}", "hl init")
    try:
        return _Asking(app, chosen or load(_which_game(app)), target).ask()
    except EOFError:
        raise KeyboardInterrupt from None


@verb("template", "set up", audience="none")
@click.argument("game", metavar="GAME", shell_complete=games)
def print_template(app: App, game: str) -> None:
    """Print a match file with every setting, to fill in.

    hl template {game}

    Each with its meaning, its values and its default.
    """
    app.out(verbatim(template.template(load_typed(game)).rstrip("\n")))


@verb("check", "set up", audience="none")
@click.argument("source", metavar="FILE.toml", shell_complete=files)
@list_option
def check(app: App, source: str, reading: ReadOptions) -> int:
    """List everything that is wrong with a match file, with line numbers.

    hl check match.toml

    Of a file that holds its own rules it also shows who sees what, and when.
    """
    from ledger.exchange.matchfile import check_file  # pydantic: 5 bare interpreters of `hl --help`

    faults, full, seen, game, spoken = check_file(Path(source), app.host_name)
    if reading.json:
        rows = [{"line": f.line, "where": f.place, "what": f.what, "fix": f.fix, "code": f.code} for f in faults]
        viewers = [dict(zip(("what", "owner", "others", "end"), row, strict=True)) for row in seen]
        app.out(json_text({"ok": not faults, "faults": rows, "seen": viewers}))
        return 2 if faults else 0
    for fault in faults:
        app.show(plain_line(f"{source}:{fault.line}: {_told(fault)}"))
    if faults:
        app.to_host(f"{count(len(faults), 'fault')}; nothing was made")
        return 2
    if seen:
        app.out(table(("what", "its owner", "the others", "at the end"), seen, width=width()))
    for name, word in spoken.items():
        if game is not None and taken(game, name):
            app.to_host(f"{source}: {word.place}: hl {name} is another verb already: type {in_full(word)} for this one")
    app.to_host(*([f"{source}: {full}"] if full else []))
    app.to_host(f"{source} can be played; hl new FOLDER --from {source} makes the match")
    return 0


@verb("new", "set up", audience="none", records=("create", "seat"))
@click.argument("folder", metavar="DIR", shell_complete=files)
@file_option("--from", "source", metavar="FILE.toml", required=True, help="The match file.")
@file_option("--after", metavar="OLD", multiple=True, help="Take what FILE leaves out from an earlier match.")
@click.option(
    "--death-match", is_flag=True, help="Of the Elimination Candidate of OLD and the opponent whom they chose there."
)
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would be made.")
@json_option
def new(app: App, folder: str, source: str, after: tuple[str, ...], death_match: bool, writing: WriteOptions) -> None:
    """Make a match from a match file.

    hl new match --from match.toml

    Print one with hl template GAME, or let hl init ask for what it needs. --after takes players, garnets, hosts and
    zone of OLD where the file does not say them.
    """
    make_match(app, folder, source, after, death_match=death_match, writing=writing)


def make_match(
    app: App, folder: str, source: str, after: tuple[str, ...], *, death_match: bool, writing: WriteOptions
) -> None:
    from ledger.exchange.matchfile import setup_bodies  # pydantic: 5 bare interpreters of `hl --help`

    path = Path(folder)
    log = path if path.suffix == ".jsonl" else path / "log.jsonl"
    if path.suffix != ".jsonl" and os.path.exists(folder) and (not os.path.isdir(folder) or os.path.exists(log)):
        raise Unreadable("log.exists", f"{folder} already exists", "choose another folder")
    data = read_toml(Path(source))
    if "zone" not in data and not after and app.config.zone:
        data["zone"] = app.config.zone
    if death_match and len(after) != 1:
        fix = f"hl new {folder} --from {source} --after MAIN --death-match"
        raise Unreadable("command.usage", "a Death Match comes after one main match", fix)
    if after:
        matches = [Match(find_log(name)) for name in after]
        if death_match:
            data, lines = template.death_match(data, matches[0], after[0])
        else:
            data, lines = template.carry_over(data, matches)
        app.to_host(*lines)
    game, bodies = setup_bodies(data, source=source, by=app.host_name, now=now_ms())
    several = len(bodies[0].args["hosts"]) > 1 and not os.environ.get("HL_AS")
    options = ("-g", folder, *(("--as", bodies[0].by) if several else ()))
    document: dict[str, Any] = {"ok": True, "seq": [], "facts": [], "contested": [], "drift": []}
    if writing.dry_run:
        app.to_host(f"would make {log} with {len(bodies)} entries")
        document["dry_run"] = True
    else:
        entries = create(str(log), bodies)
        document["seq"] = [entry.seq for entry in entries]
        app.to_host(f"made {log} with {len(bodies)} entries · receipt {entries[-1].hash}")
        for step in next_steps(game, Match.of(str(log), [*entries_of(entries)]).fold.state, now_ms()):
            app.to_host(f"next: {for_shell(line_to_run('hl', *options, *step.split()[1:]))}")
    if writing.json:
        app.out_recorded(json_text(document))
    if assumptions := bodies[0].args["assumptions"]:
        gap_of = gaps(game)
        first = [name for name in assumptions if name not in gap_of or gap_of[name].look]
        look = f"; look at these first: {', '.join(first)}" if first else ""
        rules = f"{count(len(assumptions), 'rule')} of {game.title} {'has' if len(assumptions) == 1 else 'have'}"
        app.to_host(f"{rules} a default that nobody has confirmed{look}")
        here, as_host = (for_shell(line_to_run("hl", *words)) for words in (("-g", folder), options))
        app.to_host(f"  {here} assumptions lists them all; {as_host} amend-setting KEY=VALUE settles one")


# ---- init: a match file by questions and answers; nothing is written before the last answer --------------------------


def _which_game(app: App) -> str:
    games = [(name, registry.summary(name)) for name in registry.names()]
    games += [(row.name, f"{row.name}, from {row.package}") for row in listed() if row.trusted]
    offered: dict[str, str] = {}
    for number, (name, about) in enumerate(games, 1):
        app.to_host(f"  {number}  {about}")
        offered |= {str(number): name, name: name}
    for row in listed():
        if not row.trusted:
            app.to_host(f"  -  {row.name}, from {row.package}, is not trusted: hl games --trust {row.name}")

    def read(line: str) -> str:
        if (found := offered.get(line) or offered.get(game_named(line))) is None:
            raise Unreadable("command.usage", "no game here is called that", ", ".join(name for name, _ in games))
        return found

    return typed(f"Which game? 1 to {len(games)}, or its name", read)


_BACK = "<"
NONE = ("-", "none")


class _GoneBack(Exception):
    """The host wants to go back to the previous question."""


def _in_turn(questions: Sequence[Callable[[], bool]]) -> None:
    at, step = 0, 1
    while at < len(questions):
        try:
            if questions[at]():
                step = 1
            at += step
        except _GoneBack:
            step = -1
            at = max(0, at - 1)


def _typed(question: str, read: Callable[[str], T]) -> T:

    def reading(line: str) -> T:
        if line == _BACK:
            raise _GoneBack
        return read(line)

    return typed(question, reading)


class _Asking:
    def __init__(self, app: App, game: Game, target: str) -> None:
        self.app, self.game, self.target = app, game, target
        self.settings = known(game.settings, game.has)
        self.host = (app.host_name or os.environ.get("HL_AS") or app.config.host or "").lower()
        self.answers = template.Answers(game.title, app.config.zone or "UTC", (self.host or "host",))

    def say(self, text: str, indent: str = "") -> None:
        self.app.to_host("\n".join(indent + line for line in text.split("\n")))

    def checked(self, answers: template.Answers) -> Checked:
        from ledger.exchange.matchfile import check_text  # pydantic: 5 bare interpreters of `hl --help`

        return check_text(template.filled_in(self.game, answers), self.target)

    def take(self, key: str, **answer: Any) -> bool:
        """Accept an answer and return True (the question is answered), or raise if the file has a fault at `key`."""
        answers = self.answers._replace(**answer)
        for fault in self.checked(answers).faults:
            if key in fault.where:
                raise Unreadable(fault.code, fault.sentence, fault.fix)
        self.answers = answers
        return True

    def choose(self, question: str, offered: Mapping[str, str]) -> str:
        answer = self.app.choose(question, {**offered, _BACK: "one question back"})
        if answer == "one question back":
            raise _GoneBack
        return answer

    def ask(self) -> int:
        self.say(f"Type {_BACK} to go one question back. Nothing is written before the end.")
        title = partial(self.line, "title", "Title")
        zone = partial(self.line, "zone", "Zone in which times are typed and shown")
        _in_turn([title, self.roster, zone, self.hosts, *self.evening(), *self.open_rules(), self.may_write])
        if not self.wanted:
            self.app.to_host("nothing was written")
            return 0
        self.write()
        if self.wrong:
            self.app.to_host(f"  {line_to_run('hl', 'check', self.target)} lists what is still wrong")
            return 2
        return self.play()

    # ---- title, players, zone, hosts --------------------------------------------------------------------------------

    def line(self, key: str, asked: str) -> bool:
        old = getattr(self.answers, key)
        return _typed(f"{asked} (Enter: {old})", lambda line: self.take(key, **{key: line or old}))

    def hosts(self) -> bool:
        def read(line: str) -> bool:
            names = tuple(word.lower() for word in re.split(r"(?:[\s,;&]|\band\b)+", line or self.host) if word)
            if not names:
                raise Unreadable("toml.key", "a match has at least one host", "mara, or mara, ben")
            self.take("hosts", hosts=names)
            self.host = ", ".join(names)
            return True

        return _typed(f"Hosts, who record{f' (Enter: {self.host})' if self.host else ''}", read)

    def roster(self) -> bool:
        if not self.answers.seats:
            self.paste()
        while True:
            wrong = [fault for fault in self.checked(self.answers).faults if fault.where[:1] == ("players",)]
            self.show_roster(wrong)
            letters, last = {"a": "add more", "p": "paste all again"}, len(self.answers.seats)
            if last > 1 and [fault.code for fault in wrong] == ["roster.size"]:
                letters["o"] = "this number is meant"
            letters |= {"k": "go on, and correct the file by hand"} if wrong else {"": "go on"}
            rest = ", ".join(f"{letter or 'Enter'}: {meaning}" for letter, meaning in letters.items())
            question = f"{f'1 to {last}' if last > 1 else '1'}: change one, {rest}"
            match self.choose(question, {**{str(n): str(n) for n in range(1, last + 1)}, **letters}):
                case "go on" | "go on, and correct the file by hand":
                    return True
                case "paste all again":
                    self.paste()
                case "add more":
                    with contextlib.suppress(_GoneBack):
                        self.paste(self.answers.seats)
                case "this number is meant":
                    self.answers = self.answers._replace(settings={**self.answers.settings, "allow_odd_roster": True})
                case number:
                    with contextlib.suppress(_GoneBack):
                        self.change(int(number) - 1)

    def paste(self, before: tuple[template.RosterRow, ...] = ()) -> None:
        who = "The players to add" if before else "The players, in seat order"
        self.say(f"{who}. Paste their names or type them: one a line, or with commas. An empty line ends the list.")
        if (names := template.names_in(lines(_BACK))) == (_BACK,):
            raise _GoneBack
        typed = [re.split(r"\s+(?=#\S+$)", name) for name in names]  # `Tessa Quill #tessa`
        added = template.seats([*(f"{seat.id} {seat.name}" for seat in before), *(name for name, *_ in typed)])
        rows = zip(added[len(before) :], typed, strict=True)
        seats = (seat._replace(channel=(*channel, seat.channel)[0]) for seat, (_, *channel) in rows)
        self.answers = self.answers._replace(seats=(*before, *seats))

    def show_roster(self, wrong: Sequence[Fault]) -> None:
        rows = [
            (str(n), seat.id, seat.name, ", ".join(seat.aliases), seat.channel or "")
            for n, seat in enumerate(self.answers.seats, 1)
        ]
        self.app.note(table(("", "id", "name", "also", "channel"), rows))
        if len(rows) == 1 and " " in rows[0][2] and [fault.code for fault in wrong] == ["roster.size"]:
            least, most = self.game.players
            needs = f"{self.game.title} needs {least if least == most else f'{least} to {most}'}"
            self.say(f"That is one name. Put commas or new lines between names; {needs}.")
            return
        for fault in wrong:  # there is no file yet, so no line numbers
            self.say(fault.sentence if fault.code == "roster.size" else _told(fault))

    def change(self, place: int) -> None:
        seat = self.answers.seats[place]

        def words(line: str) -> tuple[str, ...]:
            typed_words = tuple(word.strip() for word in line.split(",") if word.strip())
            return seat.aliases if not line else () if line.lower() in NONE else typed_words

        changed = seat._replace(
            id=_typed(f"id, a word that you type (Enter: {seat.id})", lambda line: line.lower() or seat.id),
            name=_typed(f"name (Enter: {seat.name})", lambda line: next(iter(template.names_in([line])), seat.name)),
            aliases=_typed(
                f"other spellings, with commas (Enter: {', '.join(seat.aliases) or 'none'}; -: none)", words
            ),
            channel=_typed(
                f"channel (Enter: {seat.channel or 'none'}; -: none)",
                lambda line: None if line.lower() in NONE else line or seat.channel,
            ),
        )
        seats_now = self.answers.seats
        self.answers = self.answers._replace(seats=(*seats_now[:place], changed, *seats_now[place + 1 :]))

    # ---- settings for the evening: garnets at the start, and the settings that a game marks for this -----------------

    def evening(self) -> Sequence[Callable[[], bool]]:
        asked = [name for name, field in self.settings.items() if isinstance(field.note, Gap) and field.note.evening]
        purses = [self.garnets] if {*PURSES} & {*self.game.visibility} else []
        return [*purses, *(partial(self.ask_evening, name) for name in asked)]

    def garnets(self) -> bool:
        seats_now = self.answers.seats
        old = [str(seat.garnets) for seat in seats_now]

        def read(line: str) -> bool:
            words = line.replace(",", " ").split() or old
            purses = [digits(word) for word in (words * len(seats_now) if len(words) == 1 else words)]
            if len(purses) != len(seats_now) or None in purses:
                what = "that is not one number for all, nor one for each player"
                raise Unreadable("roster.garnets", what, "0, or 0 2 1")
            rows = zip(seats_now, purses, strict=True)
            return self.take("garnets", seats=tuple(seat._replace(garnets=purse or 0) for seat, purse in rows))

        default = " ".join(old if len({*old}) > 1 else old[:1])
        return _typed(f"Garnets at the start: one number for all, or one for each (Enter: {default})", read)

    def ask_evening(self, name: str) -> bool:
        field = self.settings[name]
        asked = f"{name}: {field.arg.help}{template.allowed(field)} (Enter: {self.value_of(name)})"
        return _typed(asked, lambda line: self.read_setting(name, line))

    def read_setting(self, name: str, line: str) -> bool:
        if line:
            settled = setting(AmendSetting(name, line), self.game.settings, self.game.visibility, self.game.has)
            self.settle(name, settled.value)
        elif name not in self.answers.settings:
            self.accept(name)
        return True

    def value_of(self, name: str) -> str:
        return in_words(self.answers.settings.get(name, self.settings[name].default))

    # ---- rules with a default ---------------------------------------------------------------------------------------

    def open_rules(self) -> Sequence[Callable[[], bool]]:
        from ledger.exchange.matchfile import assumed  # pydantic: 5 bare interpreters of `hl --help`

        marked = gaps(self.game)
        names = [name for name in assumed(self.game, {}) if name not in marked or not marked[name].evening]
        first = [name for name in names if name not in marked or marked[name].look]
        rest = [name for name in names if name not in first]
        about = f"The original rules of {self.game.title} leave some things open. Each has a default."
        look = "{} to look at first. Enter: one by one, a: accept them all, s: leave them open"
        more = "{} more. Enter: leave them open, a: accept them all, o: one by one"
        return [
            *self.some_rules(first, f"{about}\n{look}", {"": "ask", "a": "accept", "s": "leave"}),
            *self.some_rules(rest, more if first else f"{about}\n{more}", {"": "leave", "a": "accept", "o": "ask"}),
        ]

    def some_rules(
        self, rules: Sequence[str], question: str, offered: Mapping[str, str]
    ) -> Sequence[Callable[[], bool]]:
        """The question whether to ask about these rules, accept them or leave them open; then a question for each."""
        how = ""

        def meant() -> Sequence[str]:  # the roster question covers the number of players
            return [name for name in rules if name != "allow_odd_roster" or name not in self.answers.settings]

        def choose() -> bool:
            nonlocal how
            if not (names := meant()):
                return False
            *about, asked = question.format(len(names)).split("\n")
            for line in about:
                self.say(line)
            for name in names:
                self.say(self.values_of(name), "  ")
            how = self.choose(asked, offered)
            for name in names if how == "accept" else ():
                self.accept(name)
            return True

        def ask(name: str) -> bool:
            nonlocal how
            names = meant()
            if how != "ask" or name not in names:
                return False
            place = f"{names.index(name) + 1} of {len(names)}"
            how = (self.ask_table(place) if name == "visibility" else self.ask_setting(name, place)) or how
            return True

        return [choose, *(partial(ask, name) for name in rules)]

    def values_of(self, name: str) -> str:
        """The values that `accept` would take: a line for the setting, or for each line of the information table."""
        if name == "visibility":
            chosen = self.answers.visibility or {}
            return "\n".join(f"{key} = {chosen.get(key, level)}" for key, (level, _) in self.game.visibility.items())
        return f"{name} = {self.value_of(name)}"

    def accept(self, name: str) -> None:
        if name == "visibility":
            self.answers = self.answers._replace(visibility=self.answers.visibility or {})
        else:
            self.settle(name, plain(self.settings[name].default))

    def settle(self, name: str, value: Any) -> None:
        self.take(name, settings={**self.answers.settings, name: value})

    def ask_setting(self, name: str, place: str) -> str:
        field, gap = self.settings[name], gaps(self.game)[name]
        self.say(f"{place}: {name} [{gap.number}]")
        self.say(f"{field.arg.help}{template.allowed(field)}", "  ")
        for sample in gap.samples:
            self.say(sample.strip(), "    ")

        def read(line: str) -> str:
            if line in ("s", "q"):
                return "leave" if line == "q" else ""
            key, _, value = line.partition("=")  # as the sample shows it
            self.read_setting(name, value.strip() if key.strip() == name else line)
            return ""

        return _typed(
            f"Enter: {self.value_of(name)}, s: leave it open, q: leave it and the rest, or another value", read
        )

    def ask_table(self, place: str) -> str:
        changed: dict[str, str] = {}

        def read(line: str) -> str:
            if line in ("", "s", "q"):
                return line or "accept"
            key, eq, level = (part.strip() for part in line.partition("="))
            if not eq:
                raise Unreadable("settings.visibility", "a line is changed with LINE=LEVEL", "s leaves the table open")
            check_settings(self.game.settings, self.game.visibility, {"visibility": {key: level}})
            changed[key] = level
            return ""

        self.say(f"{place}: visibility, who may know what; each one of: {' '.join(LEVELS)}")
        while True:
            for key, (level, about) in self.game.visibility.items():
                self.say(f"{key} = {changed.get(key, level)}: {about}", "  ")
            match _typed("Enter: accept the table, s: leave it open, q: leave it and the rest, or LINE=LEVEL", read):
                case "accept":
                    self.answers = self.answers._replace(visibility=changed)
                    return ""
                case "s" | "q" as answer:
                    return "leave" if answer == "q" else ""

    # ---- the file ---------------------------------------------------------------------------------------------------

    def may_write(self) -> bool:
        self.wrong, full, *_ = self.checked(self.answers)
        self.app.note(*(plain_line(f"line {fault.line}: {_told(fault)}") for fault in self.wrong))
        self.app.to_host(*([full] if full else []))
        summary = f"{self.target}: {self.answers.title}, {count(len(self.answers.seats), 'player')}"
        if self.wrong:
            faults = count(len(self.wrong), "fault")
            question = f"{summary}, {faults}. w: write it, to be corrected by hand, q: write nothing"
            offered = {"w": "write it", "q": "write nothing"}
        else:
            question = f"{summary}, no fault. Write it? [Y/n]"
            offered = {**dict.fromkeys(("", "y", "yes"), "write it"), **dict.fromkeys(("n", "no"), "write nothing")}
        self.wanted = self.choose(question, offered) == "write it"
        return True

    def write(self) -> None:
        text = template.filled_in(self.game, self.answers).encode(errors="replace")
        try:
            write_new(self.target, text, overwrite=False)
        except LedgerError as error:
            self.app.to_host(error.what)

            def read(line: str) -> str:
                write_new(line or self.target, text, overwrite=False)
                return line or self.target

            self.target = typed("Another name for the file", read)
        self.app.to_host(f"wrote {self.target}; it can be edited")

    def play(self) -> int:
        if self.game.written:
            self.say("Its counters, items, sheets and verbs are a sample: write your own into the file first.")

        def folder(line: str) -> str:
            if line and os.path.lexists(line):
                raise Unreadable("log.exists", f"{line} already exists", "choose another folder, or Enter")
            return line

        place = typed("Make the match now? Its new folder (Enter: later)", folder)
        if place.lower() in ("y", "yes"):
            place = typed("The name of its new folder (Enter: later)", folder)
        if place.lower() not in ("", "n", "no"):
            make_match(self.app, place, self.target, (), death_match=False, writing=WriteOptions())
        else:
            self.app.to_host(f"  {line_to_run('hl', 'new', 'FOLDER', '--from', self.target)} makes the match")
        return 0


def _told(fault: Fault) -> str:
    return f"{fault.sentence}; {fault.fix}" if fault.fix else fault.sentence


# ---- games, and pages and skeletons of games -------------------------------------------------------------------------


@verb("games", "set up", audience="none")
@list_option
@click.option("--trust", metavar="NAME", help="Trust a game of another package on this computer.", shell_complete=games)
def list_games(app: App, trust: str | None, reading: ReadOptions) -> None:
    """List the games.

    hl games

    Those of other packages run only once they are trusted.
    """
    if trust is not None:
        row, path, text = outside.trust(trust)
        game = outside.imported(row)
        make_folder(os.path.dirname(path))
        write_new(path, text.encode(), overwrite=True)
        app.to_host(f"{row.name} of {row.package} is trusted on this computer: its code runs from now on")
        if hidden := sorted({kebab(cls) for cls in game.actions} & set(SHARED)):
            app.to_host(
                f"its verb {', '.join(hidden)} cannot be typed, because hl has a verb of that name; ask its author"
            )
        return
    rows: list[dict[str, Any]] = []
    lines = []
    for name in registry.names():
        game = registry.load(name)
        rows.append({"name": name, "title": game.title, "rules": game.rules})
        lines.append(f"{name}  {registry.summary(name)}")
    for row in outside.listed():
        rows.append({"name": row.name, "package": row.package, "trusted": row.trusted})
        untrusted = "" if row.trusted else f"; not trusted: hl games --trust {row.name}"
        lines.append(f"{row.name}  from {row.package}{untrusted}")
    deliver_lines(app, [*map(plain_line, lines)], reading, document={"games": rows})


@verb("page", "set up", audience="none")
@click.argument("game", metavar="GAME", shell_complete=games)
@file_option("--check", help="The page, in Markdown.")
def page_of(app: App, game: str, check: str | None) -> int:
    """Print what the page of a game must say: settings, lines, verbs, facts.

    hl page {game}

    For who writes a game; --check names what a page lacks.
    """
    chosen = load_typed(game)
    if check is None:
        app.out(verbatim(page(chosen)))
        return 0
    try:
        lacks = missing(chosen, read_text(check))
    except OSError as error:
        raise Unreadable("page.missing", f"{check} cannot be read: {error.strerror}", f"hl page {game}") from None
    for row in lacks:
        app.out(verbatim(row))
    app.to_host(f"{check} is complete" if not lacks else f"{len(lacks)} rows are missing from {check}")
    return 1 if lacks else 0


@verb("new-game", "set up", audience="none")
@click.argument("name", metavar="NAME")
@click.option("--with", "wanted", metavar="WORDS", help=f"What it has, with commas: {', '.join(HAS)}.")
@file_option("--into", metavar="DIR", help="The new folder of the package; NAME, if not given.")
def new_game(app: App, name: str, wanted: str | None, into: str | None) -> None:
    """Write the skeleton of a new game: rules, demo, page, tests.

    hl new-game tulip_market
    hl new-game night_market --with sheets,board,roles

    It is written in Python; for rules that fit into one text file, hl games lists a game of your own. At a terminal it
    asks what the game has; else it has sealed rounds.
    """
    if wanted is None and app.may_ask:
        skeleton(name)  # refuse a bad name before asking anything
        app.to_host(*(f"  {word}: {about}" for word, about in HAS.items()))
        has = typed("What has the game? Words with commas (Enter: sheets)", lambda line: read_has(line or "sheets"))
    else:
        has = read_has(wanted or "sheets")
    folder, files = into or name, skeleton(name, has)
    if os.path.lexists(folder):
        raise Unreadable("newgame.exists", f"{folder} already exists", "--into another new folder")
    for path, text in files.items():
        target = os.path.join(folder, *path.split("/"))
        make_folder(os.path.dirname(target))
        write_new(target, text.encode(), overwrite=False)
    app.to_host(f"made {folder} with {len(files)} files: {', '.join(files)}")
    app.to_host(f"  pip install -e {folder}, then hl games --trust {name}, hl demo {name}; pytest {folder}")
