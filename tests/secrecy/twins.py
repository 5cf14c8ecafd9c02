"""Twins: one match, and the same with all that hosts took back, for every audience at once.

A script of a generator is played twice, before somebody who only watches; at the end somebody leaves. In the second
match hosts also type every verb there is, for somebody for whom it was not meant, and correct it before anybody has
heard of it: it is struck, struck after a redo, or amended to another player and then struck; typed late; or amended,
and the amend is struck or replaced. They write notes and rulings, and post nothing of it. At the end both matches stand
alike for every audience, so everything that any verb tells any audience must be the same: text, JSON, pictures,
pages, exports, the names of files, copies of the log.

The pairs (harness.py) vary what players do; these vary what hosts take back, and compare for everybody at once: every
verb that reads (reads.py) in every format.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from events import LedgerError, read_instant, write_instant
from games.kinds import PLAYER
from games.parts.moves import candidates
from games.records import fields, kebab
from games.table import actions as shared
from ledger.record import recorder
from ledger.record.plan import Options
from ledger.tell.outbox import outbox
from tests.secrecy.desk import PaperDesk
from tests.secrecy.harness import Memory, Run
from tests.secrecy.judging import watched
from tests.secrecy.on_paper import Clock, typed
from tests.secrecy.reads import BESIDES, READING, Here, look
from tests.secrecy.script import PUBLIC, NotAPair, Script, Step

Words = tuple[str, ...]
FORMS = ("struck", "redone", "late", "amended", "amend struck", "amend replaced")
"""How an entry is taken back: see `Slips`."""
MOMENTS = 3
"""So often in a match hosts slip."""
COMPARED = (*READING, *(kind for kind in BESIDES if kind[0] != "-n"))


class Twins(NamedTuple):
    """Two matches that stand alike for every audience; only in the second have hosts slipped."""

    one: Run
    other: Run
    slipped: Counter[tuple[str, str]]
    """(verb, form) -> how often it was typed and taken back; (verb, "") -> how often somebody tried to type it."""

    def audiences(self) -> tuple[str, ...]:
        """Everybody who may be told something: those who have left, and those who only watch, as well."""
        return (PUBLIC, *self.one.sheet.table.seats)

    def told(self, audience: str, kind: tuple[str, str], turn: int, *, file: bool) -> tuple[str, list[str]] | None:
        """A line of that verb and format, and what it tells the audience in each of the two; None: it means nothing."""
        for run in (self.one, self.other):
            seen, marks = run.desk.seen, run.desk.marks
            run.viewer, run.desk = audience, PaperDesk(run.desk.app, audience, run.desk.host)
            run.desk.seen, run.desk.marks = seen, marks
        found = look(*kind, Here((self.one, self.other), random.Random(f"{audience} {kind} {turn}"), turn), file=file)
        return found and (" ".join(found[0]), [run.desk.read(found[0]) for run in (self.one, self.other)])

    def apart(self, turn: int, whole: bool, compared: Counter[tuple[str, str, str]]) -> Iterator[str]:
        """Where any verb tells any audience something else of the one than of the other.

        Args:
            whole: Every format for every audience; otherwise every third for each of them, everything for the public.
            compared: Counts (audience, verb, format).
        """
        for place, audience in enumerate(self.audiences()):
            for number, (verb, fmt) in enumerate(COMPARED):
                formats = [other for named, other in COMPARED if named == verb]
                turns = min(3, len(formats))
                if not (whole or audience == PUBLIC or formats.index(fmt) % turns == place % turns):
                    continue
                found = self.told(audience, (verb, fmt), turn + place, file=(number + place) % 4 == 0)
                if found is None:
                    continue
                line, (one, other) = found
                compared[audience, verb, fmt] += 1
                if one != other:
                    yield f"{audience} is told by {line}\n{one}\nand\n{other}"


def first_words(run: Run, chance: random.Random, *, whole: bool) -> Iterator[str]:
    """Where somebody is told what hosts typed first for everybody, and amended before they posted the text of it; or
    whose text was not sent after all before they took it back.

    What is typed first stands nowhere else. (The twins post nothing of what is amended: what was told with these words
    stays open.) An end and a setting are typed where the match takes them.

    Args:
        whole: For every audience; otherwise for everybody and one player.
    """
    desk, players, right = run.desk, run.sheet.table.present, f"Neo{chance.randrange(10**6)}"
    wrong = [f"Smith{chance.randrange(10**11, 10**12)}" for _ in range(5)]
    traces = [*wrong, r"\b2099\b", r"\b40897\d{5}\b", r"\b1217\b"]
    one, other = chance.sample(players, 2)
    setting = next(name for name in run.sheet.table.settings if name.endswith(("hours", "seconds", "minutes")))
    typed: Sequence[tuple[str, str]] = (  # `#`: the number of the first line; `@`: of the newest
        (f"replace {one} {wrong[0]}", f"amend # name={right} ; outbox done #a"),
        (f"replace {other} {wrong[1]}", f"amend # name={wrong[2]} ; amend # name={right}s ; outbox done #a"),
        (f"replace {other} {wrong[3]}", f"amend # name={right}t ; outbox done #a ; undo #"),
        (f"replace {other} {wrong[4]}", "outbox done #a ; undo @ ; undo #"),
        ("deadline 2099-08-07T06:05:04Z", "amend # when=2027-02-03T04:05:06Z ; outbox done #a"),
        (f"amend-setting {setting}=1217", "amend # value=7 ; outbox done #a"),
    )
    for words, then in typed:
        run.clock.now += 60_000
        number = f"{len(run.sheet.book.entries) + 1}"
        for line in (words, *then.split(" ; ")):
            newest = f"{len(run.sheet.book.entries)}"
            answer = desk.line(line.replace("#", number).replace("@", newest).split(), "")
            assert not words.startswith("replace") or not answer.code, (line, answer.err)
            if answer.code:
                break
    for who in run.sheet.table.seats if whole else (PUBLIC, chance.choice(players)):
        desk.viewer = who
        for line in (
            ("redact", "--for", who, "-o", "FILE"), ("replay", "--for", who), ("replay", "--for", who, "-f", "json"),
            ("replay", "--html", "FILE", "--audiences", who), ("outbox", "-f", "json"), ("drift", "-f", "json"),
        ):  # fmt: skip
            told = desk.read(line)
            assert line[0] != "redact" or right in told, "nothing of it is told at all"
            yield from (f"{who} is told {word} by {' '.join(line)}" for word in traces if re.search(word, told))


def twins(memory: Memory, script: Script, chance: random.Random, *, whole: bool) -> Twins:
    """Play a script twice; in the second match hosts slip at some moments.

    Args:
        whole: Every verb in every form at each moment, and not one form that is dealt to it.

    Raises:
        NotAPair: a step came out otherwise than its author meant, or the slips changed what somebody may know.
    """
    steps = [step for step in script.steps if isinstance(step, Step)]
    steps.append(Step(("drop", chance.choice(list(script.setup["players"]))), steps[-1].at + 1, seen=True))
    script = watched(script)
    moments = {len(steps), *(chance.randrange(2, max(3, len(steps))) for _ in range(MOMENTS - 1))}
    with Clock() as clock:
        runs = Run(memory, script, PUBLIC, clock, []), Run(memory, script, PUBLIC, clock, [])
        slips = Slips(runs[1], chance)
        for number, step in enumerate(steps, start=1):
            for run in runs:
                before = len(run.sheet.book.entries)
                run.do(step)
                if not step.seen and len(run.sheet.book.entries) > before and step.words[0] not in shared.META_VERBS:
                    run.desk.seen.append(before + 1)
            if number in moments:
                slips.all(whole=whole)
        for who in (PUBLIC, *runs[0].sheet.table.seats):
            knows = [memory.knows(run.sheet.fold.state, who, True) for run in runs]
            if knows[0] != knows[1]:
                raise NotAPair(f"{who} knows other things")
        return Twins(*runs, slips.done)


class Slips:
    """Everything that can be typed now is typed, and taken back."""

    def __init__(self, run: Run, chance: random.Random) -> None:
        self.run, self.chance, self.turn, self.began = run, chance, 0, run.clock.now
        self.done: Counter[tuple[str, str]] = Counter()

    def all(self, *, whole: bool) -> None:
        """Every verb, for a player drawn for it; then what only hosts know, and keep."""
        for number, action in enumerate(self.actions()):
            for form in FORMS if whole else (FORMS[(number + self.turn) % len(FORMS)],):
                self.slip(action, form)
        self.turn += 2
        player, word = self.chance.choice(self.run.sheet.table.players), self.chance.randrange(10**6)
        for words in (("note", f"{player} has {word}"), ("ruling", f"{word}")):
            self.line(words)
        self.line(("confirm", f"{len(self.run.sheet.book.entries)}"), by=1)
        self.post()

    def actions(self) -> Iterator[Any]:
        """An action of every verb that can be done now."""
        sheet, chance = self.run.sheet, self.chance
        state, game, players = sheet.fold.state, sheet.game, list(sheet.table.players)
        p, q = chance.sample(players, 2)
        for who in chance.sample(players, len(players)):
            moves = list(game.moves(state, who))
            legal = {type(action): action for action in chance.sample(moves, len(moves))}
            listed = {type(action): action for action in candidates(game.actions, sheet.table, who)}
            yield from {**listed, **legal}.values()
        yield from self.as_in_the_script()
        yield from (
            shared.Alias(p, f"x{chance.randrange(10**6)}"), shared.Breach(p), shared.Penalty(p), shared.Penalty(p, 1),
            shared.Award(p, "garnets", 1), shared.Award(p, "tokens", 1), shared.Blank(p), shared.Vote(p, q),
            shared.Gift(p, q), shared.Choose(p, q), shared.Lot(outcome=p), shared.Replace(p, "Zoe"), shared.Drop(p),
            shared.Override(p, "garnets", "2"), shared.Pause(), shared.Open(), shared.Close(), shared.Resolve(),
            shared.Reopen(), shared.Deal(), shared.Note("he has the ace"), shared.Ruling("he has the ace"),
            shared.AmendSetting("allow_odd_roster", True),
        )  # fmt: skip

    def as_in_the_script(self) -> Iterator[Any]:
        """Of each verb of the game whose words cannot be listed one line of the script, typed again."""
        game, table = self.run.sheet.game, self.run.sheet.table
        listed = {type(action) for action in candidates(game.actions, table, table.players[0])}
        rest = {kebab(cls): cls for cls in game.actions if cls not in listed}
        steps = [step for step in self.run.script.steps if isinstance(step, Step) and step.words[0] in rest]
        for step in {step.words[0]: step for step in self.chance.sample(steps, len(steps))}.values():
            with contextlib.suppress(LedgerError):
                yield typed(self.run.sheet, step.words, self.run.clock.now)[0]

    def slip(self, action: Any, form: str) -> None:
        """Type it, and take it back: nothing is left of it, whichever of its steps is refused."""
        verb, who = kebab(type(action)), next((f.name for f in fields(type(action)) if f.kind is PLAYER), "")
        self.done[verb, ""] += 1
        others = [p for p in self.run.sheet.table.players if p != getattr(action, who, "")]
        one, two = (f"{who}={p}" if who else f"at={self.earlier()}" for p in self.chance.sample(others, 2))
        if (number := self.typed(action, late=form == "late")) is None:
            return
        steps: list[Words] = []
        if form == "redone":
            steps = [("undo", f"{number}"), ("redo", "LAST")]
        elif form.startswith("amend"):
            steps = [("amend", f"{number}", one)]
            steps += [("undo", "LAST")] if form == "amend struck" else []
            steps += [("amend", f"{number}", two)] if form == "amend replaced" else []
        done = all(self.line(words) for words in steps)
        if not self.line(("undo", f"{number}")) and number not in self.run.sheet.fold.marks.struck:
            raise NotAPair(f"{action} cannot be taken back")
        if done:
            self.done[verb, form] += 1

    def typed(self, action: Any, *, late: bool) -> int | None:
        """The number of the entry; None where it is refused, or draws: that a draw is made again everybody is told."""
        sheet, kept = self.run.sheet, self.run.kept()
        number = len(sheet.book.entries) + 1
        options = Options(sheet.table.hosts[0], yes=True, at=read_instant(self.earlier()) if late else None)
        for force in (False, True):
            try:
                recorder.record_actions(sheet, [action], options._replace(force=force), lambda question: True)
            except LedgerError:
                continue
            if not any("seed" in entry.body.args for entry in sheet.book.entries[number - 1 :]):
                return number
            self.run.back(kept)
        return None

    def earlier(self) -> str:
        """A moment before, as it is typed."""
        return write_instant(self.chance.randrange(self.began, self.run.clock.now))

    def post(self) -> None:
        """A host begins to send a text, to anybody, and it is not sent after all."""
        sheet, host = self.run.sheet, Options(self.run.sheet.table.hosts[0], yes=True)
        if waiting := outbox(sheet, self.run.clock.now).waiting:
            item = self.chance.choice(waiting)
            claim = shared.Posting(item.name, item.audience, "#x", item.text, item.covers)
            recorder.record_marks(sheet, [claim], host, lambda question: True, lambda match: None)
            self.done["posting", "struck"] += self.line(("undo", "LAST"))

    def line(self, words: Words, by: int = 0) -> bool:
        """Is a line accepted?"""
        sheet = self.run.sheet
        typed = tuple(f"{len(sheet.book.entries)}" if word == "LAST" else word for word in words)
        try:
            self.run._record(typed, Step(typed, self.run.clock.now, by=sheet.table.hosts[by]), dry=False)
        except LedgerError:
            return False
        return True
