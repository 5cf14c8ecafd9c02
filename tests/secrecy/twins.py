"""Twins: one match, and the same with all that only hosts know, for every audience at once.

A script of a generator is played twice. In the second match hosts also type every verb there is, for somebody for whom
it was not meant, and correct it before anybody has heard of it: it is struck, struck after a redo, or amended to another
player and then struck; typed late; or amended, and the amend is struck or replaced. They write notes and rulings,
and post nothing of it. At the end both matches stand alike for every audience, so everything that any verb
tells any audience must be the same: text, JSON, pictures, pages, exports, the names of files, copies of the log.

Nothing is sampled: every verb is corrected in every form, and every verb and format that reads is compared for every
audience. The pairs (harness.py) vary what players do; these vary what hosts take back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from events import LedgerError
from games.kinds import PLAYER
from games.parts.moves import candidates
from games.records import fields, kebab
from games.table import actions as shared
from ledger.record import recorder
from ledger.record.plan import Options
from tests.secrecy.desk import PaperDesk, never
from tests.secrecy.harness import Memory, Run
from tests.secrecy.on_paper import Clock, PaperApp
from tests.secrecy.reads import READING, Here, look
from tests.secrecy.script import PUBLIC, NotAPair, Script, Step

Words = tuple[str, ...]
FORMS = ("struck", "redone", "late", "amended", "amend struck", "amend replaced")
"""How an entry is taken back: see `Slips`."""
GAPS = 3
"""At so many moments of a match hosts slip."""


class Twins(NamedTuple):
    """Two matches that stand alike for every audience; only in the second have hosts slipped."""

    one: Run
    other: Run
    slipped: Counter[tuple[str, str]]
    """(verb, form) -> how often it was typed and taken back."""

    def told(self, audience: str, kind: tuple[str, str], turn: int) -> list[str] | None:
        """What a line of that verb and format tells the audience in each of the two; None where it means nothing."""
        for run in (self.one, self.other):
            seen, marks = run.desk.seen, run.desk.marks
            run.viewer, run.desk = audience, PaperDesk(run.desk.app, audience, run.desk.host)
            run.desk.seen, run.desk.marks = seen, marks
        here = Here((self.one, self.other), random.Random(f"{audience} {kind} {turn}"), turn)
        found = look(*kind, here)
        return found and [run.desk.read(found[0]) for run in (self.one, self.other)]

    def audiences(self) -> tuple[str, ...]:
        return (PUBLIC, *self.one.sheet.table.players)


def twins(memory: Memory, script: Script, chance: random.Random) -> Twins:
    """Play a script twice; in the second match hosts slip at some moments.

    Raises:
        NotAPair: a step came out otherwise than its author meant, or the slips changed what somebody may know.
    """
    steps = [step for step in script.steps if isinstance(step, Step)]
    moments = {len(steps), *(chance.randrange(2, len(steps)) for _ in range(GAPS - 1))}
    with Clock() as clock:
        runs = tuple(Run(memory, script, PUBLIC, clock, []) for _ in range(2))
        slips = Slips(runs[1], chance)
        for number, step in enumerate(steps, start=1):
            for run in runs:
                before = len(run.sheet.book.entries)
                run.do(step)
                if not step.seen and len(run.sheet.book.entries) > before and step.words[0] not in shared.META_VERBS:
                    run.desk.seen.append(before + 1)
            if number in moments:
                slips.all()
        for who in (PUBLIC, *runs[0].sheet.table.players):
            knows = [memory.knows(run.sheet.fold.state, who, True) for run in runs]
            if knows[0] != knows[1]:
                raise NotAPair(f"{who} knows other things")
        return Twins(runs[0], runs[1], slips.done)


class Slips:
    """Everything that can be typed now is typed, and taken back."""

    def __init__(self, run: Run, chance: random.Random) -> None:
        self.run, self.chance = run, chance
        self.done: Counter[tuple[str, str]] = Counter()

    def all(self) -> None:
        """Every verb, in every form, for a player drawn for it."""
        for action in self.actions():
            for form in FORMS:
                self.slip(action, form)
        self.remark()

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
        yield from (
            shared.Alias(p, f"x{chance.randrange(10**6)}"), shared.Breach(p), shared.Penalty(p), shared.Penalty(p, 1),
            shared.Award(p, "garnets", 1), shared.Award(p, "tokens", 1), shared.Blank(p), shared.Vote(p, q),
            shared.Gift(p, q), shared.Choose(p, q), shared.Lot(outcome=p), shared.Replace(p, "Zoe"), shared.Drop(p),
            shared.Override("garnets", p, "2"), shared.Pause(), shared.Open(), shared.Close(), shared.Resolve(),
            shared.Reopen(), shared.Deal(), shared.Note("he has the ace"), shared.Ruling("he has the ace"),
            shared.AmendSetting("allow_odd_roster", True),
        )  # fmt: skip

    def slip(self, action: Any, form: str) -> None:
        """Type it, and take it back: nothing is left of it, whichever of its steps is refused."""
        verb, who = kebab(type(action)), next((f.name for f in fields(type(action)) if f.base == PLAYER), "")
        other = self.chance.choice([p for p in self.run.sheet.table.players if p != getattr(action, who, "")])
        if (number := self.typed(action, late=form == "late")) is None:
            return
        steps: Sequence[Words] = ()
        if form == "redone":
            steps = (("undo", f"{number}"), ("redo", "LAST"))
        elif form.startswith("amend"):
            steps = (("amend", f"{number}", f"{who}={other}"),) if who else (("amend", f"{number}", "note=twice"),)
            steps += (("undo", "LAST"),) if form == "amend struck" else ()
            steps += (("amend", f"{number}", "note=thrice"),) if form == "amend replaced" else ()
        done = all(self.line(words) for words in steps)
        if not self.line(("undo", f"{number}")) and number not in self.run.sheet.fold.marks.struck:
            raise NotAPair(f"{action} cannot be taken back")
        if done:
            self.done[verb, form] += 1

    def remark(self) -> None:
        """What only hosts know, and keep."""
        player, word = self.chance.choice(self.run.sheet.table.players), self.chance.randrange(10**6)
        for words in (("note", f"{player} has {word}"), ("ruling", f"{word}")):
            self.line(words)
        self.line(("confirm", f"{len(self.run.sheet.book.entries)}"), by=1)

    def typed(self, action: Any, *, late: bool) -> int | None:
        """The number of the entry; None where it is refused."""
        sheet = self.run.sheet
        number = len(sheet.book.entries) + 1
        options = Options(sheet.table.hosts[0], yes=True, at=self.run.clock.now - 1 if late else None)
        for force in (False, True):
            try:
                recorder.record_actions(sheet, [action], options._replace(force=force), lambda question: True)
            except LedgerError:
                continue
            return number
        return None

    def line(self, words: Words, by: int = 0) -> bool:
        """Is a command line accepted?"""
        sheet = self.run.sheet
        last = f"{len(sheet.book.entries)}"
        answer = self.run.desk.line([last if word == "LAST" else word for word in words], sheet.table.hosts[by])
        return answer.code == 0


COMPARED = (*READING, ("__complete", ""))
"""Each for every audience."""


def where_told_apart(pair: Twins, turn: int, counted: Counter[tuple[str, str, str]]) -> Iterator[str]:
    """Every verb and format for every audience: where the two matches are told apart."""
    for audience in pair.audiences():
        for verb, fmt in COMPARED:
            told = pair.told(audience, (verb, fmt), turn)
            if told is None:
                continue
            counted[audience, verb, fmt] += 1
            if told[0] != told[1]:
                yield f"{audience}: {verb} {fmt} tells\n{told[0]}\nand\n{told[1]}"
