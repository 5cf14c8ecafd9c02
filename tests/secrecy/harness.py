"""The secrecy harness: matches that differ only in what a viewer may not know tell him the same, byte for byte.

It names no game. A game's own generator (beside this file) draws a `Pair`: one whole legal match as a list of typed
commands, and another in which everything hidden from the viewer was drawn anew, values and presence. `Memory` plays a
script through the real recorder, rules, views, reports and renderers without a disk. What hosts do in any game is drawn
on top of such a pair (hosts.py), and what reads is compared by the table of commands (reads.py); `Terminal` plays those
pairs through the real command line in a folder. Everything that leaves for the viewer is collected:

* the notices that a write verb prints for him and for everybody;
* the refusal of a command that concerns him: code, what, fix, exit code;
* at the end, the entries that he may open, and the replay;
* at every `Look`: the report and the scores as text, Discord text and JSON, the pictures in them as SVG, with their
  alt text, and the reminder to him, where he owes something; or the lines of that look, which are real commands on
  paper too: any verb, format, file and moment of the table, the outbox, what has drifted, what completion offers;
* where a script holds the outcome of a draw: what an entry that is drawn there would hold open for him;
* every line that is open in the copy of the log for him (`redact`), its numbers as he can know them;
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

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

from events import LedgerError, read_instant
from events.audiences import HOST
from games.contract import Game
from games.table import actions as shared
from ledger.author.simulation import Chance
from ledger.cli.carry_out import notices, typed_fields
from ledger.cli.errors import exit_code
from ledger.core.match import Match
from ledger.core.replay import fold
from ledger.exchange.matchfile import setup_bodies
from ledger.record import corrections, recorder
from ledger.record.plan import Options
from ledger.render import svg
from ledger.tell import reports
from ledger.tell.outbox import remindable, reminder
from ledger.tell.redact import audiences, may_open
from ledger.tell.steps import steps_of
from tests.secrecy.desk import PaperDesk, as_json, never
from tests.secrecy.on_paper import Clock, PaperApp, Sheet, remembered, typed
from tests.secrecy.script import ABOUT, DRAWS, KNOWN, OUTSIDER, PAGES, PUBLIC, Look, NotAPair, Script, Step, Trace

DRAWING = ("resolve", "lot")
"""Verbs that draw, of which a script holds the outcome: the generators type it, so that it is the same in both."""
CHANGING = ("undo", "redo", "amend", "reopen")
"""What takes back something that may have been told."""


class Memory:
    """Plays scripts on paper."""

    def __init__(self, game: Game, knows: Callable[[Any, str, bool], Any]) -> None:
        self.game = game
        self.knows = lambda state, viewer, look: knows(state, PUBLIC if viewer == OUTSIDER else viewer, look)

    def play(self, script: Script, viewer: str) -> Trace:
        """The trace of a script.

        Raises:
            NotAPair: a hidden step came out otherwise than its author meant.
        """
        out: list[tuple[str, Any]] = []
        others: list[str] = []
        happened: set[str] = set()
        with Clock() as clock, remembered():
            try:
                self._play(script, viewer, clock, out, others, happened)
            except (NotAPair, AssertionError):
                raise
            except Exception as crash:
                return Trace((*out, ("crash", f"{type(crash).__name__}: {crash}")), crash)
        return Trace(tuple(out), others=tuple(others), happened=frozenset(happened))

    def _play(
        self, script: Script, viewer: str, clock: Clock, out: list[tuple[str, Any]], others: list[str],
        happened: set[str],
    ) -> None:  # fmt: skip
        run = Run(self, script, viewer, clock, out)
        for step in script.steps:
            run.do(step)
        out += [("entries opened", opened(run.sheet, viewer)), ("replay", replayed(run.sheet, viewer))]
        others += [*run.others, opens(run.sheet)]
        happened |= {type(fact).__name__ for outcome in run.sheet.fold.outcomes for fact in outcome.facts}


class Run:
    """One match on paper while it is played: what was told so far is in `out`."""

    def __init__(self, memory: Memory, script: Script, viewer: str, clock: Clock, out: list[tuple[str, Any]]) -> None:
        clock.now = script.steps[0].at if script.steps else clock.now
        _, bodies = setup_bodies(script.setup, source="match.toml", by=None, now=clock.now)
        self.memory, self.script, self.viewer, self.clock, self.out = memory, script, viewer, clock, out
        self.sheet = Sheet(memory.game, bodies)
        self.desk = PaperDesk(PaperApp(self.sheet), viewer, self.sheet.table.hosts[0])
        self.others: list[str] = []
        """What left for everybody else."""
        self.rewritten = False
        """Did the viewer see that something which may have been told was taken back?"""

    def knows(self, look: bool = False, *, past: bool = False) -> Any:
        """What the viewer may know now; at a look, where the past was changed, also what they could know all along.

        Args:
            past: It was changed by a step that the viewer does not know of.
        """
        now = self.memory.knows(self.sheet.fold.state, self.viewer, look)
        if not (look and (self.rewritten or past)):
            return now
        before: list[Any] = []
        engine, last = self.sheet.engine, None

        def watch(outcome: Any, state: Any) -> None:
            nonlocal last
            ended = outcome.facts[: outcome.passed]  # what the clock brought, whichever entry let it run
            for now in (*((engine.apply(last, ended),) if ended else ()), state):
                if now.table.status != "setup":
                    before.append(self.memory.knows(now, self.viewer, True))
            last = state

        fold(self.sheet.engine, self.sheet.book.entries, watch=watch)
        return [known for at, known in enumerate(before) if at == 0 or known != before[at - 1]], now

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
        if step.seen and words[0] in DRAWING:
            self.out.append((DRAWS, self.drawn(words)))
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
        self.rewritten = self.rewritten or (step.seen and not {*CHANGING}.isdisjoint(step.words))
        if step.seen or notes:
            self.out.append((f"{KNOWN} at a {'step' if step.seen else 'notice'}", self.knows()))
        self.out += notes

    def drawn(self, words: Sequence[str]) -> str:
        """What of a draw would stand open to the viewer, now or after the end, were it made here with the same luck."""
        sheet = self.sheet
        try:
            action = typed(sheet, words, self.clock.now)[0]
            action = action._replace(**dict.fromkeys({"drawn", "outcome", "seed"} & {*action._fields}))
            made = sheet.game.prepare(sheet.fold.state, action, Chance(1, sheet.published()))
        except LedgerError as error:
            return refusal(error)
        opens = (sheet.game.audience(sheet.fold.state, action).admits(self.viewer, ended=True) for action in made)
        return "\n".join(repr(action) if open_ else "closed" for action, open_ in zip(made, opens, strict=True))

    def _look(self, step: Look) -> None:
        self.out.append((f"{KNOWN} at a look", self.knows(True)))
        seen = (PUBLIC, *self.sheet.table.seats)[len(self.out) % (len(self.sheet.table.seats) + 1)]  # one at each look
        self.others.append(repr(self.memory.game.view(self.sheet.fold.state, seen)))
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
        self.others.append(self.desk.hashed(answer.out.partition("--- to")[2]))
        return [("notice", self.desk.hashed(note)) for note in self.desk.notices(answer)]

    def _act(self, words: Sequence[str], step: Step, *, dry: bool) -> list[tuple[str, str]]:
        written = self._record(words, step, dry=dry)
        self.others += [self.desk.hashed(text) for _, text in notices(written)]
        return [(where, self.desk.hashed(text)) for where, text in told(self.desk.app, written, self.viewer)]

    def _record(self, words: Sequence[str], step: Step, *, dry: bool) -> recorder.Written:
        sheet, verb = self.sheet, words[0]
        by = step.by or sheet.table.hosts[0]
        options = Options(by, yes=True, dry_run=dry)
        if verb == "deal":
            again = any(entry.body.do == "deal" for entry in sheet.book.entries)
            dealt = self.script.hands if again else self.script.first or self.script.hands
            hands = [shared.Hand(player, tuple(cards.split())) for player, cards in dealt.items()]
            return recorder.record_actions(sheet, [*hands, shared.Deal("typed")], options, never)
        if verb == "amend":
            target, *pairs = words[1:]
            said = dict(pair.split("=", 1) for pair in pairs)
            at = read_instant(said.pop("at")) if "at" in said else None
            read = functools.partial(typed_fields, self.desk.app)
            entry = corrections.amended(sheet, int(target), said, read, at)
            return recorder.correct(sheet, entry, options, never, lambda match: None)
        action, more = typed(sheet, words, step.at)
        options = options._replace(at=more.at, note=more.note, force=more.force)
        if verb in ABOUT:
            check = {"undo": corrections.check_undo, "redo": corrections.check_redo}.get(verb)
            return recorder.correct(sheet, action, options, never, lambda m: check and check(m, action.target))
        return recorder.record_actions(sheet, [action], options, never)

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


def refusal(error: LedgerError) -> str:
    """What of a refusal may be forwarded. `host_only` stays with the host."""
    return f"{error.code} | {error.what} | {error.fix} | exit {exit_code(error)}"


def told(app: Any, written: recorder.Written, viewer: str) -> list[tuple[str, str]]:
    """The notices for the viewer and for everybody."""
    return [(f"notice to {who}", text) for who, text in notices(written) if who in (viewer, PUBLIC)]


def everything(sheet: Match, viewer: str) -> list[tuple[str, str]]:
    """Every text and JSON of the match as it stands, for the viewer.

    What everybody may see is the business of the pairs whose viewer is the public: more is varied there.
    """
    point = reports.Shown(sheet.fold, viewer)
    blocks = {"view": reports.report(sheet, point), "scores": reports.scores(sheet, point)}
    pages = [(verb, page, made) for verb, made in blocks.items() for page in PAGES]
    drawn = {**blocks, "board": reports.board(sheet, point)}
    pictured = {verb: made for verb, made in drawn.items() if svg.pictures(made)}
    pages += [(verb, "svg", made) for verb, made in pictured.items()]
    owed = (due for due in remindable(sheet) if due.who in (viewer, PUBLIC))
    return [
        (f"view --for {viewer} -f json", as_json(reports.view_json(sheet, point))),
        *((f"reminder to {due.who}", reminder(sheet, due).text) for due in owed),
        *((f"{verb} --for {viewer} -f {page}", reports.text(sheet, made, page)) for verb, page, made in pages),
        *((f"{verb} --for {viewer}, each cell and word", repr(made)) for verb, made in pictured.items()),
    ]


def replayed(sheet: Match, viewer: str) -> str:
    """What a replay tells the viewer, step by step; without the pictures."""
    return json.dumps([step.as_json() for step in steps_of(sheet, sheet.fold, viewer).steps])


def opens(sheet: Match) -> str:
    """Who may open which entry; hosts alone what the rules refuse."""
    of = audiences(sheet)
    assert all(of[outcome.entry.seq] == HOST for outcome in sheet.fold.outcomes if outcome.refusal is not None)
    return repr(of)


def opened(sheet: Match, viewer: str) -> str:
    """The live entries that the viewer may open, without their numbers: what a redacted log shows him."""
    may, amended = may_open(sheet, viewer), sheet.fold.marks.amended
    lives = (outcome.entry for outcome in sheet.fold.outcomes if outcome.refusal is None)
    shown = (live for live in lives if (amended[live.seq][-1].seq if live.seq in amended else live.seq) in may)
    return json.dumps([(live.do, dict(live.args), live.at) for live in shown])
