"""The secrecy harness: matches that differ only in what a viewer may not know tell him the same, byte for byte.

It names no game. A game's own generator (beside this file) draws a `Pair`: one whole legal match as a list of typed
commands, and another in which everything hidden from the viewer was drawn anew, values and presence. `Memory` plays a
script through the real recorder, rules, views, reports and renderers without a disk; `Terminal` plays it through the
real command line in a folder. What hosts do in any game is drawn on top of such a pair (hosts.py), and what reads is
compared by the table of commands (reads.py). Everything that leaves for the viewer is collected:

* the notices that a write verb prints for him and for everybody;
* the refusal of a command that concerns him: code, what, fix, exit code;
* at the end, the entries that he may open, and the replay;
* at every `Look`: view, summary, reveal, scores and final as text, Discord text and JSON (of `view`, `summary`,
  `reveal` and `final` the library makes one report and one JSON; the terminal runs each verb), and the pictures in
  them as SVG, with their alt text; or the lines of that look, which are real commands on paper too: any verb, format,
  file and moment of the table;
* on the terminal, the texts that wait in the outbox for him, posted at each look, and corrections of them;
* on the terminal, what completion offers where an audience is named;
* every line that is open in the copy of the log for him (`redact`), its numbers as he can know them;
* the reminder to him, where he owes something, and on the terminal what has drifted of the texts that were posted to
  him and to everybody;
* the answers to probes: commands that concern him and are only tried (`-n`).

Steps that the viewer knows of (`seen`) are the same in both, with the same times; their number in the log is not.
The clock stands at the moment of the step, so that no instant differs unless the viewer knows it.

Held constant, because the rules or the design disclose it: what `knows(state, viewer, look)` of the generator says, its
own list, from the rules page, of what the viewer may know at each step he knows of, at each notice and at each look
(what it shares with the others is in known.py). A candidate in which that differs, before anything that leaves does, is
no pair and is drawn anew. It must not be written by reading the view. Not compared: `BLANKED`.

An end that comes by the clock is let happen by the first entry at or after it, whatever that entry is (design
section 6). A generator puts a step that everybody may know there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import itertools
import json
import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ledger.core.clock
from events import Body, Entry, LedgerError, read_instant, write_instant
from events.entry import GENESIS, write_body, write_line
from games.contract import Game
from games.records import fields, plain
from games.table import actions as shared
from ledger.cli.answer import notices
from ledger.cli.app import App, exit_code
from ledger.cli.candidates import CompletionContext
from ledger.cli.commands import VERBS
from ledger.cli.complete import candidates
from ledger.cli.derive import read_word, typed_fields
from ledger.cli.tell import file_names
from ledger.core.match import Match
from ledger.core.remembering import Remembering
from ledger.exchange.join import join
from ledger.exchange.matchfile import setup_bodies
from ledger.page import watch
from ledger.record import corrections, recorder
from ledger.record.plan import Options
from ledger.render import discord, svg
from ledger.render.sheet import table
from ledger.tell import export, reports
from ledger.tell.differences import differences
from ledger.tell.outbox import outbox
from ledger.tell.steps import steps_of
from ledger.tell.texts import letter, remindable, reminder
from tests.support.sizes import log_number

PUBLIC = "public"
HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
ABOUT = {"undo": shared.Undo, "redo": shared.Redo, "confirm": shared.Confirm}
PAGES = ("text", "discord")
HEADS = ("head", "entries")
KNOWN = "what he knows"
BLANKED = {
    "receipts": "the hash of a line: every seal has its salt, so nothing can be guessed from it",
    "commitments, in a folder": "one comes out of fresh random bytes",
    "head and entries in the JSON of a finished match": "the copy of the log shows as much of every entry",
    "digest of a posted text": "it is of the text with its receipt",
    "the two moments in the answer of diff": "they are what the host has typed; a number among them tells how many "
    "entries there are before",
    "the drawing of a PNG, on paper": "it is compared as the SVG that it is drawn from",
}
"""What is not compared, each with the reason. Nothing else is blanked: numbers of entries are counted anew among the
lines that are open to the viewer (`copied`), which is all that he can know of them."""


class Step(NamedTuple):
    """One command as a host types it."""

    words: tuple[str, ...]
    """`@mark` stands for the number of the entry that the step of that mark wrote. `--at TIME` as in the log."""
    at: int
    """When it is typed, ms."""
    seen: bool = False
    """The viewer knows of it: it stands in both scripts, and if it is refused he is told why."""
    mark: str = ""
    ok: bool = True
    """Of a hidden step: is it accepted? Otherwise the script is not the one its author meant."""
    by: str = ""
    told: bool = False
    """He hears of a hidden step, and when: it stands in both scripts, with something in it that he may not know."""
    line: bool = False
    """A command line of any game, run by the real command on paper too. Besides verbs: `copy NAME` takes a copy of the
    log, `in NAME ...` is a command there, `join NAME`; `outbox done ann:0` means the first text that waits for Ann."""


class Look(NamedTuple):
    """A moment at which everything is shown to the viewer. It stands in both scripts."""

    at: int
    probes: tuple[tuple[str, ...], ...] = ()
    """Commands that concern the viewer, tried and not recorded."""
    lines: tuple[tuple[str, ...], ...] | None = None
    """Commands that read, whose answers go to the viewer: instead of the usual ones. `FILE` is a new file, `%3` the
    number of the fourth entry that the viewer knows of, `audience:0` as in a step."""


class Script(NamedTuple):
    """A match from its file to its last step."""

    setup: Mapping[str, Any]
    """The match file, as `tomllib` would read it."""
    hands: Mapping[str, str]
    """What `deal --from` reads; may be empty in a game without a deal."""
    steps: tuple[Step | Look, ...]


class Pair(NamedTuple):
    viewer: str
    one: Script
    other: Script


class Trace(NamedTuple):
    """What left for the viewer, in order, as (where it came from, text); among it, under `KNOWN`, what he may know."""

    out: tuple[tuple[str, Any], ...]
    crash: Exception | None = None
    """What ended it early, if anything: that leaves too."""


class NotAPair(Exception):
    """The candidate is not what was meant: a hidden step came out otherwise, or the viewer's knowledge differs."""


class Leak(AssertionError):
    """Something that left for the viewer differs."""


class Paper:
    """The entries of a log in memory: what the recorder needs of a book, and nothing of a disk."""

    path, shared = "on paper", False

    def __init__(self, bodies: Sequence[Body] = ()) -> None:
        self.entries: list[Entry] = []
        self.mark: Any = ()
        self.notes: tuple[str, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self.interrupted = False
        self.log = self.reading = self
        self.appended((), bodies, None)

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    @property
    def game_id(self) -> str:
        return self.entries[0].hash

    @contextlib.contextmanager
    def writing(self, mark: Any) -> Iterator[Paper]:
        yield self

    def take(self, reading: Any) -> None:
        """Nobody else writes here."""

    def refresh(self) -> None:
        """Nobody else writes here."""

    def append(self, bodies: Sequence[Body]) -> Sequence[Body]:
        return bodies

    def appended(self, lines: Any, bodies: Sequence[Body], mark: Any) -> None:
        prev = self.entries[-1].hash if self.entries else ""
        for body in bodies:
            prev = hashlib.sha256(f"{prev}{body}".encode()).hexdigest()
            self.entries.append(Entry(len(self.entries) + 1, prev, body))

    def raw_lines(self, mark: Any) -> Iterator[bytes]:
        """The lines as they would stand in a file, with salts that tell nothing."""
        prev = GENESIS
        for seq, _, body in self.entries:
            raw, prev = write_line(seq, prev, "0" * 32, write_body(body))
            yield raw


class Sheet(Match):
    """A match whose log is on paper."""

    def __init__(self, game: Game, bodies: Sequence[Body]) -> None:
        self.book = Paper(bodies)  # type: ignore[assignment]
        self.game = game
        self.engine = Remembering(game)
        self._fold, self._folded = None, 0


class PaperApp(App):
    """`hl` where the match is on paper: the real commands run on it, without a disk."""

    def __init__(self, sheet: Match) -> None:
        super().__init__()
        self.sheet = sheet

    @property
    def match(self) -> Match:
        return self.sheet

    @property
    def has_match(self) -> bool:
        return True


class Clock:
    """The only clock of the ledger, held still. Use as a context."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def time(self) -> float:
        return self.now / 1000

    def __enter__(self) -> Clock:
        self._real, ledger.core.clock.time = ledger.core.clock.time, self  # type: ignore[assignment]
        return self

    def __exit__(self, *_: object) -> None:
        ledger.core.clock.time = self._real


@contextlib.contextmanager
def _remembered() -> Iterator[None]:
    """Escaping is a pure function of a short text; the same few thousand come again and again. So is drawing a PNG.
    Randomness is the same in both matches."""
    import resvg_py

    real, drawn, luck = discord.escape, resvg_py.svg_to_bytes, ledger.core.clock.OsLuck.seed
    discord.escape = _ESCAPED.setdefault(real, functools.lru_cache(maxsize=1 << 16)(real))
    resvg_py.svg_to_bytes = lambda svg_string, **_: svg_string.encode()  # type: ignore[method-assign]
    ledger.core.clock.OsLuck.seed = lambda self: bytes(32)  # type: ignore[method-assign]
    try:
        yield
    finally:
        discord.escape, resvg_py.svg_to_bytes, ledger.core.clock.OsLuck.seed = real, drawn, luck


_ESCAPED: dict[Any, Any] = {}


def typed(sheet: Match, words: Sequence[str], now: int) -> tuple[Any, Options]:
    """A command line as the action and the options of the recorder: the few forms that generators write."""
    verb, *rest = words
    cls = ABOUT.get(verb) or sheet.engine.actions[sheet.game.synonyms.get(verb, verb)]
    known = {f.name: f for f in fields(cls)}
    open_ = [f for f in known.values() if f.in_place]
    desk, values, options = sheet.desk(now), {}, Options("")
    while rest:
        word = rest.pop(0)
        name = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--"):
            field = open_[0] if open_[0].many else open_.pop(0)
            read = read_word(field, word, desk)
            values[field.name] = (*values.get(field.name, ()), read) if field.many else read
        elif name == "force":
            options = options._replace(force=True)
        elif name == "at":
            options = options._replace(at=read_instant(rest.pop(0)))
        elif name == "note":
            options = options._replace(note=rest.pop(0))
        elif known[name].base is bool:
            values[name] = True
        elif known[name].arg.counted:
            values[name] = values.get(name, 0) + 1
        else:
            several = " ".join(rest.pop(0) for _ in range(known[name].arg.words))
            read = read_word(known[name], several, desk)
            values[name] = (*values.get(name, ()), read) if known[name].many else read
    if cls is shared.AmendSetting:
        values["key"], _, values["value"] = values["key"].partition("=")
    return cls(**values), options


class Memory:
    """Plays scripts on paper."""

    def __init__(self, game: Game, knows: Callable[[Any, str, bool], Any]) -> None:
        self.game, self.knows = game, knows

    def play(self, script: Script, viewer: str) -> Trace:
        """The trace of a script.

        Raises:
            NotAPair: a hidden step came out otherwise than its author meant.
        """
        out: list[tuple[str, Any]] = []
        with Clock() as clock, _remembered():
            try:
                self._play(script, viewer, clock, out)
            except (NotAPair, AssertionError):
                raise
            except Exception as crash:
                return Trace((*out, ("crash", f"{type(crash).__name__}: {crash}")), crash)
        return Trace(tuple(out))

    def _play(self, script: Script, viewer: str, clock: Clock, out: list[tuple[str, Any]]) -> None:
        run = Run(self, script, viewer, clock, out)
        for step in script.steps:
            run.do(step)
        out += self.closing(run.sheet, viewer)

    def closing(self, sheet: Match, viewer: str) -> list[tuple[str, Any]]:
        """What is shown of the whole match when the script is over."""
        return [("entries opened", opened(sheet, viewer)), ("replay", replayed(sheet, viewer))]


class Run:
    """One match on paper while it is played: what was told so far is in `out`."""

    def __init__(self, memory: Memory, script: Script, viewer: str, clock: Clock, out: list[tuple[str, Any]]) -> None:
        clock.now = script.steps[0].at if script.steps else clock.now
        _, bodies = setup_bodies(script.setup, source="match.toml", by=None, now=clock.now)
        self.memory, self.script, self.viewer, self.clock, self.out = memory, script, viewer, clock, out
        self.sheet = Sheet(memory.game, bodies)
        self.desk = PaperDesk(PaperApp(self.sheet), viewer, self.sheet.table.hosts[0])

    def knows(self, look: bool = False) -> Any:
        """What the viewer may know now."""
        return self.memory.knows(self.sheet.fold.state, self.viewer, look)

    def do(self, step: Step | Look) -> None:
        """One step more.

        Raises:
            NotAPair: a hidden step came out otherwise than its author meant.
        """
        self.clock.now = step.at
        if isinstance(step, Look):
            self._look(step)
            return
        before = len(self.sheet.book.entries) + 1
        words = tuple(self.desk.resolved(step.words))
        try:
            notes = self._line(words, step) if step.line else self._act(words, step, dry=False)
        except LedgerError as error:
            if step.seen:
                self.out.append((f"refusal of {' '.join(step.words)}", refusal(error)))
            elif step.ok:
                raise NotAPair(f"{' '.join(step.words)}: {error}") from None
            return
        if not (step.seen or step.ok):
            raise NotAPair(f"{' '.join(step.words)} was accepted")
        self.desk.recorded(step, before)
        if step.seen or notes:
            self.out.append((f"{KNOWN} at a {'step' if step.seen else 'notice'}", self.knows()))
        self.out += notes

    def _look(self, step: Look) -> None:
        self.out.append((f"{KNOWN} at a look", self.knows(True)))
        if step.lines is None:
            self.out += everything(self.sheet, self.viewer)
        for line in step.lines or ():
            self.out.append((" ".join(line), self.desk.read(line)))
        for probe in step.probes:
            self.out.append((f"probe {' '.join(probe)}", self._try(Step(probe, step.at))))

    def _try(self, step: Step) -> str:
        try:
            notes = self._act(step.words, step, dry=True)
        except LedgerError as error:
            return refusal(error)
        return "accepted\n" + "\n".join(text for _, text in notes)

    def _line(self, words: Sequence[str], step: Step) -> list[tuple[str, str]]:
        answer = self.desk.line(words, step.by)
        if answer.code:
            what = "\n".join(line for line in answer.err.splitlines() if not line.startswith("  host only:"))
            raise LedgerError(f"exit {answer.code}", self.desk.hashed(what))
        return [("notice", self.desk.hashed(note)) for note in self.desk.notices(answer)]

    def _act(self, words: Sequence[str], step: Step, *, dry: bool) -> list[tuple[str, str]]:
        written = self._record(words, step, dry=dry)
        return [(where, self.desk.hashed(text)) for where, text in told(self.desk.app, written, self.viewer)]

    def _record(self, words: Sequence[str], step: Step, *, dry: bool) -> recorder.Written:
        sheet, verb = self.sheet, words[0]
        by = step.by or sheet.table.hosts[0]
        options = Options(by, yes=True, dry_run=dry)
        if verb == "deal":
            hands = [shared.Hand(player, tuple(cards.split())) for player, cards in self.script.hands.items()]
            return recorder.record_actions(sheet, [*hands, shared.Deal("typed")], options, _never)
        if verb == "amend":
            target, *pairs = words[1:]
            said = dict(pair.split("=", 1) for pair in pairs)
            read = functools.partial(typed_fields, self.desk.app)
            entry = corrections.amended(sheet, int(target), said, read, None)
            return recorder.correct(sheet, entry, options, _never, lambda match: None)
        action, more = typed(sheet, words, step.at)
        options = options._replace(at=more.at, note=more.note, force=more.force)
        if verb in ABOUT:
            check = {"undo": corrections.check_undo, "redo": corrections.check_redo}.get(verb)
            return recorder.correct(sheet, action, options, _never, lambda m: check and check(m, action.target))
        return recorder.record_actions(sheet, [action], options, _never)

    # ---- for who draws while it is played --------------------------------------------------------------------------

    def kept(self) -> Any:
        """What `back` needs to come back here."""
        sheet, desk = self.sheet, self.desk
        return (
            len(sheet.book.entries), sheet._fold, sheet._folded, len(self.out), dict(desk.marks), list(desk.seen),
            dict(desk.copies),
        )  # fmt: skip

    def back(self, kept: Any) -> None:
        """Forget all that was recorded and told since."""
        entries, self.sheet._fold, self.sheet._folded, told_, self.desk.marks, self.desk.seen, self.desk.copies = kept
        del self.sheet.book.entries[entries:]
        del self.out[told_:]


# ---- command lines -------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def command(app: App, words: Sequence[str]) -> Answer:
    """One command line, run by the real `hl`."""
    from ledger.cli.root import run

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["--no-input", *words], app)
        out.flush()
    if code == 1:
        raise RuntimeError(f"{' '.join(words)}: {err.getvalue()}")
    return Answer(code, out.buffer.getvalue().decode("utf-8", "surrogateescape"), err.getvalue())  # type: ignore[attr-defined]


class Desk:
    """A host's desk: types the lines of a script, and hears of each answer what goes to the viewer.

    Attributes:
        seen: The numbers of entries that the viewer knows of, in order: as many in both matches of a pair.
        marks: Of each mark the number of its entry.
    """

    def __init__(self, app: App, viewer: str, host: str) -> None:
        self.app, self.viewer, self.host = app, viewer, host
        self.marks: dict[str, int] = {}
        self.seen: list[int] = []
        self.copies: dict[str, Any] = {}
        self.folder: Path | None = None

    # ---- what is typed ---------------------------------------------------------------------------------------------

    def resolved(self, words: Sequence[str]) -> Iterator[str]:
        """The words with what marks stand for."""
        for word in words:
            if found := re.fullmatch(r"(admit )?@(\w+)", word):
                if found[2] not in self.marks:
                    raise NotAPair(f"{word} was not written")
                yield f"{found[1] or ''}{self.marks[found[2]]}"
            elif found := re.fullmatch(r"(.*)%(\d+)", word):
                yield f"{found[1]}{self.seen[int(found[2])]}"
            elif words[0] == "outbox" and (found := re.fullmatch(r"([\w-]+):(\d+)", word)):
                waiting = outbox(self.app.match, ledger.core.clock.now_ms()).waiting
                mine = [item.name for item in waiting if item.audience == found[1]]
                yield mine[int(found[2])] if int(found[2]) < len(mine) else "nothing"
            else:
                yield word

    def recorded(self, step: Step, number: int) -> None:
        """Remember where a step was written."""
        if step.mark:
            self.marks[step.mark] = number
        if step.seen and step.words[0] not in ("copy", "in", "join"):
            self.seen.append(number)

    def line(self, words: Sequence[str], by: str) -> Answer:
        """Run a line of a script."""
        as_host = ("--as", by or self.host)
        if words[0] in ("copy", "in", "join"):
            return self.of_a_copy(words, as_host)
        return command(self.app, (*as_host, *words, *self.yes(words[0])))

    @staticmethod
    def yes(verb: str) -> tuple[str, ...]:
        """The word that keeps a verb from asking, where it takes one."""
        row = VERBS.get(verb)
        return ("--yes",) if row is None or any(one.name == "yes" for one in row.takes) else ()

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        raise NotImplementedError

    # ---- what is heard ---------------------------------------------------------------------------------------------

    def named(self, text: str) -> str:
        """To whom a text is: its first line is the name, then perhaps the channel."""
        head = text.split("\n", 1)[0]
        names = {"everybody": PUBLIC, **{seat.name: p for p, seat in self.app.match.table.seats.items()}}
        return next((who for name, who in names.items() if head == name or head.startswith(name + " ")), "")

    def notices(self, answer: Answer) -> list[str]:
        """What of an answer goes to the viewer or to everybody."""
        parts = re.split(r"^--- (?:would go )?to ", answer.out, flags=re.MULTILINE)[1:]
        return [part.strip() for part in parts if self.named(part) in (self.viewer, PUBLIC)]

    def hashes(self) -> Mapping[str, str]:
        """The hashes that are not compared, and what each is."""
        match = self.app.match
        known = {entry.hash: "(receipt)" for entry in match.book.entries}
        return {**known, str(match.table.commitment): "(commitment)"}

    def hashed(self, text: str) -> str:
        """A text without hashes of lines and commitments."""
        if not HEX.search(text):
            return text
        known = self.hashes()
        return HEX.sub(lambda found: known.get(found[0], found[0]), text)

    def read(self, line: Sequence[str]) -> str:
        """The answer to a command that reads, as far as it goes to the viewer, with the file that it wrote."""
        if line[0] == "__complete":
            return "\n".join(candidates(list(line[1:]), CompletionContext(known=self.app.match)))
        words = list(self.resolved(line))
        file = self.file() if "FILE" in words else None
        answer = command(self.app, [str(file) if word == "FILE" else word for word in words])
        verb, out, err = words[0], answer.out, answer.err
        err = "\n".join(part for part in err.splitlines() if not part.startswith("  host only:"))
        if file is not None:
            data = [
                self.own_files(path) if path.is_dir() else self.told(line, self.of_file(path, file), path == file)
                for path in sorted(file.parent.iterdir())
            ]
            shutil.rmtree(file.parent)
            out, err = "".join([out, *data]), err.replace(str(file), "FILE")
        elif not answer.code:
            out = self.told(line, out, True)
        if not answer.code and (verb in (*PARTS, "redact") or {"-n", "--all"} & {*line}):
            err = ""  # it is for the host
        return self.hashed(f"{answer.code}\n{out}\n{err}")

    def told(self, line: Sequence[str], out: str, whole: bool) -> str:
        """Of what a command has printed or written, that which goes to the viewer."""
        if not whole:
            return out
        verb = line[0]
        if "-n" in line:
            return "\n".join(part for part in self.notices(Answer(0, out, "")))
        if verb in PARTS:
            return PARTS[verb](self, line, out)
        if verb == "redact":
            return copied(out)
        if verb == "summary" and "--all" in line:
            return self.own_part(out, "json" in line)
        if verb == "diff":  # it repeats what the host has typed
            out = re.sub(r"^from \S+ to \S+,", "between them,", out)
            out = re.sub(r'"a": "[^"]*", "b": "[^"]*", ', "", out)
        return as_json(json.loads(out)) if "json" in line else out

    def file(self) -> Path:
        """The name of a new file, in a folder of its own."""
        import tempfile

        return Path(tempfile.mkdtemp(dir=self.folder)) / "told"

    def own_files(self, folder: Path) -> str:
        """Of a file for each player the rights of all, and name and content of the viewer's own: the others' are called
        by private channels, which a host alone sees."""
        told = [f"{path.stat().st_mode:o}" for path in folder.iterdir()]
        own = file_names({who: seat.channel for who, seat in self.app.match.table.seats.items()}).get(self.viewer, "")
        for path in sorted(folder.iterdir()):
            if path.stem == own:
                told.append(path.name)
                data = path.read_bytes().decode("utf-8", "surrogateescape")
                told.append(as_json(json.loads(data)) if path.suffix == ".json" else data)
        return "\n".join(told)

    @staticmethod
    def of_file(path: Path, meant: Path) -> str:
        """What a file holds; of one that was not asked for also its name and rights."""
        data = path.read_bytes().decode("utf-8", "surrogateescape")
        mode = f"{path.stat().st_mode:o}"
        return data if path == meant and mode == "100600" else f"{path.name} {mode}\n{data}"

    def own_part(self, out: str, is_json: bool) -> str:
        """Of a text for each player that of the viewer."""
        if is_json:
            return "\n".join(as_json(one) for one in json.loads(out) if one["audience"] in (self.viewer, PUBLIC))
        parts = re.split(r"^--- to ", out, flags=re.MULTILINE)[1:]
        return "\n".join(part.strip() for part in parts if self.named(part) in (self.viewer, PUBLIC))

    def waiting_parts(self, words: Sequence[str], out: str) -> str:
        """Of the outbox what is for the viewer and everybody, its names counted anew; of `next` the text."""
        if "json" not in words:
            return out if "next" in words else ""
        mine = [item for item in json.loads(out)["items"] if item["audience"] in (self.viewer, PUBLIC)]
        numbers = Numbers(())
        names = [[numbers.item(name) for name in (item["item"], *item["covers"])] for item in mine]
        return json.dumps([[*row, item["channel"], item["text"]] for row, item in zip(names, mine, strict=True)])

    def drifted_parts(self, words: Sequence[str], out: str) -> str:
        """Of what has drifted the texts of the viewer and of everybody."""
        seats = (PUBLIC, *self.app.match.table.seats)
        mine = {letter(place) for place, who in enumerate(seats) if who in (self.viewer, PUBLIC)}
        if out.startswith("{"):
            rows = [row for row in json.loads(out)["drift"] if re.sub(r"\d+|\+.*", "", row["item"]) in mine]
            return json.dumps([[row["channel"], row["what"]] for row in rows])
        parts = re.split(r"^--- correction \d+([a-z]+)\S* to ", out, flags=re.MULTILINE)
        return "\n".join(part.strip() for who, part in zip(parts[1::2], parts[2::2], strict=True) if who in mine)

    def reminding_parts(self, words: Sequence[str], out: str) -> str:
        """Of the reminders the viewer's own."""
        if out.startswith("{"):
            return json.dumps([row for row in json.loads(out)["reminders"] if row["who"] == self.viewer])
        seat = self.app.match.table.seats.get(self.viewer)
        mine = f"{seat.channel or f'a message to {seat.name}'}\n" if seat else "(nobody)"
        parts = re.split(r"^--- to ", out, flags=re.MULTILINE)
        return "\n".join(part.strip() for part in parts if part.startswith(mine))


PARTS: Mapping[str, Callable[[Desk, Sequence[str], str], str]] = {
    "outbox": Desk.waiting_parts, "drift": Desk.drifted_parts, "remind": Desk.reminding_parts,
}  # fmt: skip
"""Lists for hosts of which a part goes to the viewer."""


class PaperDesk(Desk):
    """A desk of a match on paper."""

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        what, name, *rest = words
        if what == "copy":
            self.copies[name] = Sheet(self.app.match.game, [entry.body for entry in self.app.match.book.entries])
        elif what == "in":
            return command(PaperApp(self.copies[name]), (*as_host, *rest, *self.yes(rest[0])))
        else:
            join(self.app.match, self.copies[name], Options(as_host[1], yes=True), _never)
        return Answer(0, "", "")


class Numbers:
    """Numbers of entries as the viewer can know them: counted among the lines that are open to him, in order."""

    def __init__(self, open_: Iterable[int]) -> None:
        self.known = {seq: f"open {place}" for place, seq in enumerate(open_, start=1)}

    def of(self, seq: Any) -> str:
        """An open line by its place among those; another by when it was first named."""
        return self.known.setdefault(seq, f"closed {len(self.known)}")

    def item(self, name: str) -> str:
        """The name of a text: the entry that caused it, and a letter for whom it is."""
        found = re.fullmatch(r"(\d+)(\D.*)", name)
        return f"{self.of(int(found[1]))}{found[2]}" if found else name


def copied(copy: str) -> str:
    """What stands open in a copy of the log, line by line, with the numbers that the viewer can know."""
    lines = [(line["seq"], line["body"]) for line in map(json.loads, copy.splitlines()) if "body" in line]
    numbers, out = Numbers(seq for seq, _ in lines), []
    for _, body in lines:
        args = body["args"]
        body |= {name: numbers.of(body[name]) for name in ("batch", "joined") if name in body}
        body |= {"once": HEX.sub("(receipt)", body["once"])} if "once" in body else {}
        args |= {name: numbers.of(args[name]) for name in ("target", "about") if name in args}
        args |= {"item": numbers.item(args["item"])} if "item" in args else {}
        args |= {"covers": [numbers.item(name) for name in args["covers"]]} if "covers" in args else {}
        args |= {"digest": "(digest)"} if args.get("digest") else {}
        out.append(json.dumps(body, sort_keys=True))
    return "\n".join(out)


class Walking(Memory):
    """Plays scripts on paper, and at the end walks through the replay.

    Told are the picture after each of its steps, what differs from the one before, the page, and the export.
    """

    def closing(self, sheet: Match, viewer: str) -> list[tuple[str, Any]]:
        out: list[tuple[str, Any]] = []
        walk = steps_of(sheet, sheet.fold, viewer)
        before = walk._states[0]
        for step, state in zip(walk.steps, walk._states, strict=True):
            n, changed = step.number, differences(sheet, before, state, viewer)
            pictures = (walk.report(n), walk.board(n), walk.scores(n), walk.rounds(n))
            told = [reports.text(sheet, blocks, "text") for blocks in pictures]
            out.append((f"{KNOWN} at step {n} of the replay", self.knows(state, viewer, True)))
            out.append((f"step {n} of the replay", as_json([step.as_json(), plain(walk.view(n)), changed, *told])))
            before = state
        out.append(("the page of the replay", watch.page([walk])))
        point = reports.Shown(sheet.fold, viewer)
        tables = export.tables(sheet, point)
        out.append(("export", as_json({**tables, "sheet": table(*export.sheet(tables, viewer))})))
        return out


def _never(question: str) -> bool:
    raise AssertionError(f"nobody is asked in a test: {question}")


def refusal(error: LedgerError) -> str:
    """What of a refusal may be forwarded. `host_only` stays with the host."""
    return f"{error.code} | {error.what} | {error.fix} | exit {exit_code(error)}"


def told(app: Any, written: recorder.Written, viewer: str) -> list[tuple[str, str]]:
    """The notices for the viewer and for everybody."""
    return [(f"notice to {who}", text) for who, text in notices(app, written) if who in (viewer, PUBLIC)]


def everything(sheet: Match, viewer: str) -> list[tuple[str, str]]:
    """Every text and JSON of the match as it stands, for the viewer.

    What everybody may see is the business of the pairs whose viewer is the public: more is varied there.
    """
    point = reports.Shown(sheet.fold, viewer)
    blocks = {"view": reports.report(sheet, point), "scores": reports.scores(sheet, point)}
    pages = [(verb, page, made) for verb, made in blocks.items() for page in PAGES]
    drawn = {**blocks, "board": reports.board(sheet, point)}
    pages += [(verb, "svg", made) for verb, made in drawn.items() if svg.pictures(made)]
    owed = (due for due in remindable(sheet) if due.who in (viewer, PUBLIC))
    return [
        (f"view --for {viewer} -f json", as_json(reports.view_json(sheet, point))),
        *((f"reminder to {due.who}", reminder(sheet, due).text) for due in owed),
        *((f"{verb} --for {viewer} -f {page}", reports.text(sheet, made, page)) for verb, page, made in pages),
    ]


def replayed(sheet: Match, viewer: str) -> str:
    """What a replay tells the viewer, step by step; without the pictures."""
    return json.dumps([step.as_json() for step in steps_of(sheet, sheet.fold, viewer).steps])


def opened(sheet: Match, viewer: str) -> str:
    """The live entries that the viewer may open, without their numbers: what a redacted log would show him."""
    state, found = sheet.fold.state, []
    ended = state.table.status == "finished"
    for outcome in sheet.fold.outcomes:
        live = outcome.live
        if outcome.refusal is None:
            action = sheet.engine.read(live.do, live.args, state.table)
            if sheet.game.audience(state, action).admits(viewer, ended=ended):
                found.append((live.do, dict(live.args), live.at))
    return json.dumps(found)


def as_json(value: Any) -> str:
    """JSON as it is printed, with head and number of entries held constant where the match is finished."""

    def steady(item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        if item.get("status") == "finished":
            return {key: "..." if key in HEADS else held for key, held in item.items()}
        return {key: steady(held) for key, held in item.items()}

    return json.dumps(steady(value), ensure_ascii=False)


# ---- judging a pair ----------------------------------------------------------------------------------------------


def differs(pair: Pair, play: Callable[[Script, str], Trace]) -> str | None:
    """The first thing that leaves for the viewer and differs, in words; None when nothing does.

    Raises:
        NotAPair: before anything that left differed, he knew other things.
    """
    return compared(play(pair.one, pair.viewer), play(pair.other, pair.viewer))


def compared(one: Trace, other: Trace) -> str | None:
    """As `differs`, of two traces."""
    for mine, yours in itertools.zip_longest(one.out, other.out, fillvalue=("nothing", "")):
        if mine == yours:
            continue
        if mine[0] == yours[0] and mine[0].startswith(KNOWN):
            raise NotAPair("the viewer knows other things")
        return beside(mine, yours)
    if one.crash is not None:
        raise one.crash
    return None


def beside(mine: tuple[str, Any], yours: tuple[str, Any]) -> str:
    """Two things that differ, each with where it came from; of what is long the place where they part."""
    one, other = repr(mine[1]), repr(yours[1])
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    cut = max(0, same - 300) if max(len(one), len(other)) > 2_000 else 0
    parts = [f"{'...' if cut else ''}{said[cut:][:2_000]}" for said in (one, other)]
    return f"{mine[0]}\n  one:   {parts[0]}\n  {yours[0]}\n  other: {parts[1]}"


def draw_pair(draw: Callable[[random.Random], Pair], seed: int, play: Callable[[Script, str], Trace]) -> Drawn:
    """The first candidate of a seed that is a pair, and whether it leaks."""
    for attempt in range(60):
        try:
            pair = draw(random.Random(f"{seed}/{attempt}"))
            one = play(pair.one, pair.viewer)
            return Drawn(pair, compared(one, play(pair.other, pair.viewer)), attempt, one)
        except NotAPair:
            continue
    raise AssertionError(f"seed {seed} gives no pair: the generator and the rules have drifted apart")


class Drawn(NamedTuple):
    pair: Pair
    leak: str | None
    rejected: int
    one: Trace
    """Of its first script."""


def smaller(pair: Pair, play: Callable[[Script, str], Trace]) -> Pair:
    """A pair that still leaks, with as few hidden steps and looks as can be: for a person to read."""

    def leaks(candidate: Pair) -> bool:
        try:
            return differs(candidate, play) is not None
        except NotAPair:
            return False

    steps = [(side, n) for side in ("one", "other") for n in range(len(getattr(pair, side).steps) - 1, 0, -1)]
    for side, n in steps:
        script: Script = getattr(pair, side)
        step = script.steps[n]
        if isinstance(step, Look) or step.seen:
            continue
        less = pair._replace(**{side: script._replace(steps=script.steps[:n] + script.steps[n + 1 :])})
        pair = less if leaks(less) else pair
    for look in [s for s in pair.one.steps if isinstance(s, Look)]:
        less = pair._replace(
            one=pair.one._replace(steps=tuple(s for s in pair.one.steps if s != look)),
            other=pair.other._replace(steps=tuple(s for s in pair.other.steps if s != look)),
        )
        pair = less if leaks(less) else pair
    return pair


def in_words(pair: Pair) -> str:
    """Both scripts for a person."""

    def listed(script: Script) -> str:
        lines = [f"  players {script.setup['players']}", f"  hands {dict(script.hands)}"]
        for step in script.steps:
            word = f"look {step.probes}" if isinstance(step, Look) else " ".join(step.words)
            lines.append(f"  {'*' if isinstance(step, Look) or step.seen else ' '} {write_instant(step.at)} {word}")
        return "\n".join(lines)

    return (
        f"viewer {pair.viewer}; settings {pair.one.setup.get('settings')}\none:\n{listed(pair.one)}\nother:\n"
        + listed(pair.other)
    )


def check(pair: Pair, leak: str | None, play: Callable[[Script, str], Trace]) -> None:
    """Fail with the smallest pair that shows the leak.

    Raises:
        Leak: there is one.
    """
    if leak is None:
        return
    least = smaller(pair, play)
    raise Leak(
        f"this leaves for {pair.viewer} and depends on what he may not know:\n{differs(least, play)}\n{in_words(least)}"
    )


class Reached(NamedTuple):
    """Where so many pairs get to. Of what a generator never reaches, its pairs prove nothing."""

    pairs: list[Pair]
    seen: set[str]
    """Words of steps that the viewer knows of."""
    hidden: set[str]
    """Words of the others; `refused` where one was, `admit` where a ruling admits a late sheet."""
    kinds: set[str]
    """Where things came from (`notice`, `probe`, `entries`), and with the code where it was a refusal."""
    text: str
    """Everything that left."""

    @property
    def viewers(self) -> set[str]:
        return {pair.viewer for pair in self.pairs}

    @property
    def differing(self) -> int:
        """In how many of them the two matches differ."""
        return sum(pair.one != pair.other for pair in self.pairs)

    def lacks(self, *words: str) -> list[str]:
        """Those of the words that stand nowhere in what left."""
        return [word for word in words if word not in self.text]


DRIFTED = "more than half of the candidates are no pairs: the generator has drifted"


def reached(paper: Memory, draw: Callable[[random.Random], Pair], many: int) -> Reached:
    """Draw the first so many pairs and look what is in them; what leaves is the same in each, byte for byte.

    Raises:
        Leak: something differs.
    """
    found = Reached([], set(), set(), set(), "")
    texts, rejected = [], 0
    for seed in range(many):
        pair, leak, more, trace = draw_pair(draw, seed, paper.play)
        check(pair, leak, paper.play)
        rejected += more
        found.pairs.append(pair)
        for step in (step for script in (pair.one, pair.other) for step in script.steps if isinstance(step, Step)):
            (found.seen if step.seen else found.hidden).update(step.words)
            found.hidden.update({"admit"} if step.words[-1].startswith("admit @") else ())
            found.hidden.update(() if step.ok else {"refused"})
        for where, text in trace.out:
            if not where.startswith(KNOWN):
                kind = where.split(" ")[0]
                found.kinds.update({kind, f"{kind} {text.split(' |')[0]}"} if " | " in text else {kind})
                texts.append(text)
    assert rejected < many, DRIFTED
    return found._replace(text="\n".join(texts))


def all_leave_the_same(paper: Memory, draw: Callable[[random.Random], Pair], seeds: range, record: Any) -> None:
    """Draw the pairs of these seeds; what leaves is the same in each, byte for byte.

    Raises:
        Leak: something differs.
    """
    pairs, rejected = len(seeds), 0
    for seed in seeds:
        found = draw_pair(draw, seed, paper.play)
        check(found.pair, found.leak, paper.play)
        rejected += found.rejected
    assert rejected < max(pairs, 30), DRIFTED
    log_number(record, pairs)


def all_print_the_same(paper: Memory, draw: Callable[[random.Random], Pair], many: int, folder: Path) -> None:
    """So many pairs through the real command line: verbs, formats, files, stderr, exit codes, notices, refusals."""
    terminal = Terminal(folder)
    for seed in range(many):
        pair = draw_pair(draw, 7_000_000 + seed, paper.play).pair
        found = differs(pair, terminal.play)
        assert found is None, f"{found}\n{in_words(pair)}"


# ---- the real command line ---------------------------------------------------------------------------------------


class FolderDesk(Desk):
    """A desk in a folder."""

    def of_a_copy(self, words: Sequence[str], as_host: tuple[str, ...]) -> Answer:
        what, name, *rest = words
        if what == "copy":
            shutil.copytree("match", name)
            return Answer(0, "", "")
        if what == "join":
            return command(self.app, (*as_host, "join", name, "--yes"))
        answer = command(self.app, ("-g", name, *as_host, *rest, *self.yes(rest[0])))
        self.app.match_name = "match"
        return answer


class Terminal:
    """Plays scripts with the real commands in a folder of its own.

    Attributes:
        raw: Everything that was printed or written for the viewer, for canaries.
    """

    VERBS = (("view",), ("summary",), ("summary", "--news"), ("reveal",), ("scores",), ("final",), ("status",))

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        self.raw: list[str] = []

    def play(self, script: Script, viewer: str) -> Trace:
        """The trace of a script."""
        from ledger.cli.app import App

        self.count += 1
        here = self.folder / f"m{self.count}"
        here.mkdir()
        with Clock() as clock, contextlib.chdir(here):
            return self._play(script, viewer, clock, App(), here)

    def _play(self, script: Script, viewer: str, clock: Clock, app: Any, here: Path) -> Trace:
        (here / "match.toml").write_text(toml(script.setup), encoding="utf-8")
        (here / "deal.toml").write_text(toml({"hands": dict(script.hands)}), encoding="utf-8")
        clock.now = script.steps[0].at
        made = self.run(app, ("new", "match", "--from", "match.toml"))
        assert made.code == 0, made
        app.match_name, app.host_name = "match", script.setup["hosts"][0]
        desk = FolderDesk(app, viewer, app.host_name)
        out: list[tuple[str, str]] = []
        for number, step in enumerate(script.steps):
            clock.now = step.at
            if isinstance(step, Look):
                out += self.everything(app, viewer, here, number) if step.lines is None else []
                out += [(" ".join(line), desk.read(line)) for line in step.lines or ()]
                self.raw += [text for _, text in out[len(out) - len(step.lines or ()) :]]
                for probe in step.probes:
                    found = self.run(app, (*probe, "-n", "--yes"))
                    out.append((f"probe {' '.join(probe)}", self.forward(found, desk)))
                continue
            words = list(desk.resolved(step.words))
            words += ["--from", "deal.toml"] if words[0] == "deal" else []
            before = len(app.match.book.entries) + 1
            found = desk.line(words, step.by)
            app.host_name = desk.host
            if found.code:
                assert step.seen or not step.ok, f"{words}: {found}"
                if step.seen:
                    out.append((f"refusal of {' '.join(step.words)}", self.forward(found, desk)))
                continue
            desk.recorded(step, before)
            if text := self.forward(found, desk):
                out.append(("notice", text))
        out += self.redacted(app, desk, here)
        return Trace(tuple(out))

    def redacted(self, app: Any, desk: Desk, here: Path) -> list[tuple[str, str]]:
        """What stands open in the copy of the log for him."""
        found = self.run(app, ("redact", "--for", desk.viewer, "-o", "copy.jsonl"))
        assert found.code == 0, found
        copy = (here / "copy.jsonl").read_text(encoding="ascii")
        self.raw.append(copy)
        known = desk.hashes()
        rows = HEX.sub(lambda found: known.get(found[0], found[0]), copied(copy)).splitlines()
        return [(f"{json.loads(row)['do']} in the redacted log", row) for row in rows]

    def run(self, app: Any, words: Sequence[str]) -> Answer:
        """One command line."""
        return command(app, words)

    def completed(self, begun: Sequence[str]) -> str:
        """What is offered where an audience is named. What is offered elsewhere only a host reads."""
        from ledger.cli.root import run

        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            run(["__complete", "-g", "match", *begun])
        self.raw.append(out.getvalue())
        return out.getvalue()

    def forward(self, answer: Answer, desk: Desk) -> str:
        """What of an answer a host would forward to the viewer: his notice and everybody's, or the refusal."""
        if answer.code:
            lines = [line for line in answer.err.splitlines() if not line.startswith("  host only:")]
            text = "\n".join([*lines, f"exit {answer.code}"])
        else:
            text = desk.hashed("\n".join(desk.notices(answer)))
        self.raw.append(text)
        return text

    def everything(self, app: Any, viewer: str, here: Path, number: int) -> list[tuple[str, str]]:
        """Every read verb in every format, printed and into a file: text, file names, exit codes, stderr."""
        out: list[tuple[str, str]] = []
        folder = here / f"out{number}"
        folder.mkdir()
        for who in dict.fromkeys((viewer, PUBLIC)):
            for verb in self.VERBS:
                if verb[0] == "summary" and who == PUBLIC:
                    continue
                audience = (who,) if verb[0] == "summary" else ("--for", who)
                for form in ("text", "discord", "json"):
                    found = self.run(app, (*verb, *audience, "-f", form))
                    text = as_json(json.loads(found.out)) if form == "json" else found.out
                    where = " ".join((*verb, *audience, "-f", form))
                    out.append((where, f"{found.code}\n{text}\n{found.err}"))
                    self.raw.append(found.out + found.err)
        asked = json.loads(self.run(app, ("remind", "-f", "json")).out)["reminders"]
        mine = [(row["channel"], row["text"]) for row in asked if row["who"] == viewer]
        out.append(("remind", json.dumps(mine)))
        self.raw.append(json.dumps(mine))
        for begun in (("view", "--for", ""), ("summary", ""), ("reveal", ""), ("replay", "--for", "")):
            out.append((f"completion of {' '.join(begun)}", self.completed(begun)))
        whose = f"--for {viewer}"
        for line in (
            f"replay {whose}", f"replay {whose} -f json", f"export {whose}", f"export {whose} -f json",
            f"diff 1 now {whose}", f"explain final {whose}",
        ):  # fmt: skip
            found = self.run(app, line.split())
            out.append((line, f"{found.code}\n{found.out}\n{found.err}"))
            self.raw.append(found.out + found.err)
        target = folder / f"{viewer}.txt"
        found = self.run(app, ("view", "--for", viewer, "-o", f"{folder.name}/{viewer}.txt"))
        files = "\n".join(
            f"{path.name} {path.stat().st_mode:o} {path.stat().st_size}" for path in sorted(folder.iterdir())
        )
        out.append(
            (f"files of -o, look {folder.name[:3]}", f"{found.code}\n{files}\n{target.read_text(encoding='utf-8')}")
        )
        self.raw.append(files)
        return [*out, *self.posted(app, viewer)]

    def posted(self, app: Any, viewer: str) -> list[tuple[str, str]]:
        """The texts that wait for him and for everybody, corrections as well; then they are posted.

        Those for others are posted in every second match only: whether they were is nothing he may know.
        """
        out: list[tuple[str, str]] = []
        items = json.loads(self.run(app, ("outbox", "-f", "json")).out)["items"]
        shared_with = {item["channel"]: item["audience"] for item in items if item["covers"]}
        for row in json.loads(self.run(app, ("drift", "-f", "json")).out)["drift"]:
            if shared_with.get(row["channel"]) in (viewer, PUBLIC):
                out.append(("drift", f"{row['channel']}\n{row['what']}"))
                self.raw.append(row["what"])
        numbers = Numbers(())
        for item in items:
            mine = item["audience"] in (viewer, PUBLIC)
            if mine:
                kind = "correction" if item["covers"] else "text"
                text = HEX.sub("(receipt)", item["text"])
                named = " ".join(map(numbers.item, (item["item"], *item["covers"])))
                out.append((f"{kind} in the outbox", f"{named} {item['channel']}\n{text}"))
                self.raw.append(item["text"])
            if mine or self.count % 2:
                done = self.run(app, ("outbox", "done", item["item"]))
                assert done.code == 0, done
        return out


def toml(value: Mapping[str, Any], where: str = "") -> str:
    """A match file as text: scalars and lists first, then the tables."""

    def word(item: Any) -> str:
        if isinstance(item, Mapping):
            return "{ " + ", ".join(f"{key} = {word(held)}" for key, held in item.items()) + " }"
        if isinstance(item, list):
            return f"[{', '.join(map(word, item))}]"
        return json.dumps(item, ensure_ascii=False)

    flat = [f"{key} = {word(item)}" for key, item in value.items() if not isinstance(item, Mapping)]
    tables = [
        f"[{key}]\n" + "\n".join(f"{k} = {word(v)}" for k, v in item.items())
        for key, item in value.items()
        if isinstance(item, Mapping)
    ]
    return "\n".join([*flat, *tables]) + "\n"
