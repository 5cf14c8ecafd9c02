"""`hl init`: a match file by questions and answers. Nothing is written before the last of them.

Belongs here: asking. Does not belong here: what names suggest (exchange/roster.py), what the file says
(exchange/template.py), what is wrong with it (exchange/checking.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from events.disk import line_to_run
from events.errors import LedgerError, Unreadable
from games import registry
from games.contract import Game
from games.records import plain
from games.table.actions import AmendSetting
from games.table.prepare import setting
from games.table.settings import LEVELS, check, gaps, in_words, known
from ledger.cli.app import App, WriteOptions
from ledger.cli.new_file import write_new
from ledger.cli.terminal import lines, typed
from ledger.core.outside import listed, load
from ledger.core.tomlfile import Fault
from ledger.exchange.checking import check_text
from ledger.exchange.roster import Seat, names_in, seats
from ledger.exchange.template import Answers, allowed, filled_in
from ledger.render.safe import plain_line
from ledger.render.text import table

ROSTER = (
    "The players, in seat order. Paste their names or type them: one a line, or with commas. "
    "An empty line ends the list."
)


def by_answers(app: App, game: str | None, target: str, make_match: Callable[..., None]) -> int:
    """Write a match file as the host answers, and make the match if they want to; the exit code.

    Args:
        make_match: Makes a match of the file: `make_match` of setup.py.
    """
    chosen = load(game) if game else None
    if not app.may_ask:
        instead = f"{line_to_run('hl', 'template', game or 'GAME')} > {line_to_run(target)}"
        raise Unreadable("init.terminal", "init asks, and nobody sits at a terminal", instead)
    _must_be_free(target)
    try:
        asked = _Asking(app, chosen or load(_which_game(app)), target, make_match)
        asked.head()
        asked.assumptions()
        return asked.finish()
    except EOFError:
        raise KeyboardInterrupt from None


def _must_be_free(target: str) -> None:
    """Refuse a file that is there, and a folder that is not: before anybody has answered anything."""
    if os.path.lexists(target):
        raise Unreadable("output.exists", f"{target} is there already", "hl init -o another name")
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise Unreadable("output.exists", f"there is no folder {os.path.dirname(target)}", "hl init -o another name")


def _which_game(app: App) -> str:
    games = [(name, registry.load(name).title) for name in registry.names()]
    games += [(row.name, f"from {row.package}") for row in listed() if row.trusted]
    offered: dict[str, str] = {}
    for number, (name, title) in enumerate(games, 1):
        app.to_host(f"  {number}  {name}: {title}")
        offered |= {str(number): name, name: name}
    for row in listed():
        if not row.trusted:
            app.to_host(f"  -  {row.name}, from {row.package}, is not trusted: hl games --trust {row.name}")
    return app.choose(f"Which game? 1 to {len(games)}, or its name", offered)


class _Asking:
    """The answers so far."""

    def __init__(self, app: App, game: Game, target: str, make_match: Callable[..., None]) -> None:
        config, env = app.config, os.environ.get("HL_AS")
        host = app.host_name or env or config.host
        self.app, self.game, self.target, self.make_match = app, game, target, make_match
        self.host = host.lower() if host else ""
        self.answers = Answers(game.title, config.zone or "UTC", (self.host or "host",))

    def say(self, text: str, indent: str = "") -> None:
        self.app.to_host("\n".join(indent + line for line in text.split("\n")))

    def faults(self, answers: Answers) -> list[Fault]:
        return check_text(filled_in(self.game, answers), self.target)

    def take(self, key: str, **answer: Any) -> None:
        """Take this answer; refuse it where the file would be wrong there."""
        answers = self.answers._replace(**answer)
        for fault in self.faults(answers):
            if key in fault.where[:2]:
                raise Unreadable(fault.code, fault.sentence, fault.fix)
        self.answers = answers

    # ---- title, players, zone, hosts --------------------------------------------------------------------------------

    def head(self) -> None:
        def title(line: str) -> None:
            self.take("title", title=line or self.game.title)

        def zone(line: str) -> None:
            self.take("zone", zone=line or self.answers.zone)

        def hosts(line: str) -> None:
            names = tuple(word.lower() for word in re.split(r"[\s,;]+", line or self.host) if word)
            if not names:
                raise Unreadable("toml.key", "a match has at least one host", "mara, or mara, ben")
            self.take("hosts", hosts=names)

        typed(f"Title (Enter: {self.game.title})", title)
        self.roster()
        typed(f"Zone in which times are typed and shown (Enter: {self.answers.zone})", zone)
        typed(f"Hosts, who record{f' (Enter: {self.host})' if self.host else ''}", hosts)

    def roster(self) -> None:
        """The players, until the host is content with them."""
        self.paste()
        while True:
            wrong = [fault for fault in self.faults(self.answers) if fault.where[:1] == ("players",)]
            self.show_roster(wrong)
            offered = {str(n): str(n) for n in range(1, len(self.answers.seats) + 1)} | {"p": "paste"}
            question = f"1 to {len(self.answers.seats)}: change that player, p: paste the names anew"
            if len(self.answers.seats) > 1 and [fault.code for fault in wrong] == ["roster.size"]:
                offered["o"], question = "odd", f"{question}, o: this many are meant"
            go = "k" if wrong else ""
            offered[go] = "on"
            question += ", k: keep it, and correct the file by hand" if wrong else ", Enter: go on"
            match self.app.choose(question, offered):
                case "on":
                    return
                case "paste":
                    self.paste()
                case "odd":
                    self.answers = self.answers._replace(settings={**self.answers.settings, "allow_odd_roster": True})
                case number:
                    self.change(int(number) - 1)

    def paste(self) -> None:
        self.say(ROSTER)
        self.answers = self.answers._replace(seats=seats(names_in(lines())))

    def show_roster(self, wrong: Sequence[Fault]) -> None:

        rows = [
            (str(n), seat.id, seat.name, ", ".join(seat.aliases), seat.channel or "")
            for n, seat in enumerate(self.answers.seats, 1)
        ]
        self.app.note(table(("", "id", "name", "also", "channel"), rows))
        for fault in wrong:
            self.say(_fault_line(fault))

    def change(self, place: int) -> None:
        seat = self.answers.seats[place]

        def words(line: str, old: tuple[str, ...]) -> tuple[str, ...]:
            typed_words = tuple(word.strip() for word in line.split(",") if word.strip())
            return old if not line else () if line == "-" else typed_words

        changed = Seat(
            typed(f"id, a word that you type (Enter: {seat.id})", lambda line: line.lower() or seat.id),
            typed(f"name (Enter: {seat.name})", lambda line: next(iter(names_in([line])), seat.name)),
            typed(
                f"other spellings, with commas (Enter: {', '.join(seat.aliases) or 'none'}; -: none)",
                lambda line: words(line, seat.aliases),
            ),
            typed(
                f"channel (Enter: {seat.channel or 'none'}; -: none)",
                lambda line: None if line == "-" else line or seat.channel,
            ),
        )
        seats_now = self.answers.seats
        self.answers = self.answers._replace(seats=(*seats_now[:place], changed, *seats_now[place + 1 :]))

    # ---- the rules that are filled in -------------------------------------------------------------------------------

    def assumptions(self) -> None:
        """Those to look at first, then the others."""
        from ledger.exchange.matchfile import assumed

        marked = gaps(self.game)
        names = [name for name in assumed(self.game, {}) if name not in self.answers.settings]
        first = [name for name in names if name not in marked or marked[name].look]
        rest = [name for name in names if name not in first]
        self.say(f"The original rules of {self.game.title} have gaps, which defaults fill.")
        if first:
            question = f"{len(first)} to look at first. Enter: one by one, a: accept them all, s: leave them open"
            self.settle_each(first, self.app.choose(question, {"": "ask", "a": "accept", "s": "leave"}))
        if rest:
            question = f"{len(rest)} more. Enter: leave them open, a: accept them all, o: one by one"
            self.settle_each(rest, self.app.choose(question, {"": "leave", "a": "accept", "o": "ask"}))

    def settle_each(self, names: Sequence[str], how: str) -> None:
        """Ask about these, accept or leave them, until the host wants to hear of no more."""
        for number, name in enumerate(names, 1):
            place = f"{number} of {len(names)}"
            if how == "accept":
                self.accept(name)
            elif how == "ask":
                how = (self.ask_table(place) if name == "visibility" else self.ask_setting(name, place)) or how

    def accept(self, name: str) -> None:
        if name == "visibility":
            self.answers = self.answers._replace(visibility=self.answers.visibility or {})
        else:
            self.settle(name, plain(known(self.game.settings, self.game.has)[name].default))

    def settle(self, name: str, value: Any) -> None:
        self.take(name, settings={**self.answers.settings, name: value})

    def ask_setting(self, name: str, place: str) -> str:

        field = known(self.game.settings, self.game.has)[name]
        gap = gaps(self.game)[name]
        default = in_words(field.default) or "empty"
        self.say(f"{place}: {name} [{gap.number}]")
        self.say(f"{field.arg.help}{allowed(field)}", "  ")
        for sample in gap.samples:
            self.say(sample.strip(), "    ")

        def read(line: str) -> str:
            if line in ("s", "q"):
                return "leave" if line == "q" else ""
            if line:
                value = setting(AmendSetting(name, line), self.game.settings, self.game.visibility, self.game.has).value
                self.settle(name, value)
            else:
                self.accept(name)
            return ""

        return typed(f"Enter: {default}, s: leave it open, q: leave it and the rest, or another value", read)

    def ask_table(self, place: str) -> str:
        changed: dict[str, str] = {}

        def read(line: str) -> str:
            if line in ("", "s", "q"):
                return line or "accept"
            key, eq, level = (part.strip() for part in line.partition("="))
            if not eq:
                raise Unreadable("settings.visibility", "a line is changed with LINE=LEVEL", "s leaves the table open")
            check(self.game.settings, self.game.visibility, {"visibility": {key: level}})
            changed[key] = level
            return ""

        self.say(f"{place}: visibility, who may know what; each one of: {' '.join(LEVELS)}")
        while True:
            for key, (level, about) in self.game.visibility.items():
                self.say(f"{key} = {changed.get(key, level)}: {about}", "  ")
            match typed("Enter: accept the table, s: leave it open, q: leave it and the rest, or LINE=LEVEL", read):
                case "accept":
                    self.answers = self.answers._replace(visibility=changed)
                    return ""
                case "s" | "q" as answer:
                    return "leave" if answer == "q" else ""

    # ---- the file ---------------------------------------------------------------------------------------------------

    def finish(self) -> int:
        """Show what is wrong, write the file, and make the match if the host wants to."""
        wrong = self.faults(self.answers)
        for fault in wrong:
            self.app.note(plain_line(_fault_line(fault)))
        summary = f"{self.target}: {self.answers.title}, {len(self.answers.seats)} players"
        if wrong:
            faults = f"{len(wrong)} fault{'s' if len(wrong) > 1 else ''}"
            question = f"{summary}, {faults}. w: write it, to be corrected by hand, q: write nothing"
            answer = self.app.choose(question, {"w": "y", "q": "n"})
        else:
            yes_no = {"": "y", "y": "y", "yes": "y", "n": "n", "no": "n"}
            answer = self.app.choose(f"{summary}, no fault. Write it? [Y/n]", yes_no)
        if answer == "n":
            self.app.to_host("nothing was written")
            return 0
        self.write()
        if wrong:
            self.app.to_host(f"  {line_to_run('hl', 'check', self.target)} lists what is still wrong")
            return 2
        return self.play()

    def write(self) -> None:
        """Write the file; under another name where that one cannot be had any more."""
        text = filled_in(self.game, self.answers).encode(errors="replace")
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
            self.say("Its counters, items, sheets and verbs are the sample's: write your own into the file first.")

        def folder(line: str) -> str:
            if line and os.path.lexists(line):
                raise Unreadable("log.exists", f"{line} is there already", "choose another folder, or Enter")
            return line

        if place := typed("Make the match now? Its new folder (Enter: later)", folder):
            self.make_match(self.app, place, self.target, (), death_match=False, writing=WriteOptions())
        else:
            self.app.to_host(f"  {line_to_run('hl', 'new', 'FOLDER', '--from', self.target)} makes the match")
        return 0


def _fault_line(fault: Fault) -> str:
    """`line 9: players.ann: ...`."""
    return f"line {fault.line}: {fault.sentence}{f'; {fault.fix}' if fault.fix else ''}"
