"""Walking through a replay at a terminal, one line typed at a time: next, back, round, search, a number, quit.

Belongs here: what a typed line means, and which step comes next. Does not belong here: what a step says (steps.py of
the ledger) and how it looks (its renderer).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from games.kinds import digits, meant
from ledger.page.steps import page
from ledger.render.safe import PlainText, plain_text
from ledger.render.text import render, wrapped
from ledger.tell.step import Step, Steps

WORDS = {
    "": "next", "n": "next", "j": "next", "b": "back", "p": "back", "k": "back", "prev": "back", "previous": "back",
    "r": "round", "s": "search", "g": "go", "f": "first", "l": "last", "m": "mark", "v": "view",
    "h": "help", "?": "help", "q": "quit", "exit": "quit", ":q": "quit",
}  # fmt: skip
"""Keys and further words for the commands."""
HELP = """\
Enter, n   the next step
b          the one before
r, r NAME  next round or phase; that one
/WORD      the next step that says it
m          the next with a host's remark
12, #22    step 12; entry 22 (hosts)
f, l       the first, the last
v          the scores
q          quit
The words next back round search mark
first last view help quit do the same."""
SHORT = "Enter next · b back · r round · /word · ? help · q quit"


class Walk:
    """Where somebody stands in a replay.

    Attributes:
        steps: All of them.
        at: The number of the present step.
    """

    def __init__(self, steps: Steps, width: Callable[[], int]) -> None:
        self.steps, self.width = steps, width
        self.at = 1
        self.sought = ""

    @property
    def step(self) -> Step:
        return self.steps.steps[self.at - 1]

    def page(self) -> PlainText:
        """The present step, in the columns that the terminal has now."""
        return page(self.steps, self.at, self.width())

    def turn(self, line: str) -> PlainText | None:
        """The text that answers a typed line; None: the walk has ended. Nothing that can be typed is an error."""
        word, _, rest = line.strip().partition(" ")
        if word.startswith("/"):
            word, rest = "search", line.strip()[1:]
        name, rest = WORDS.get(word.lower(), word.lower()), rest.strip()
        if (number := digits(name.removeprefix("#"))) is not None:
            return self._go(number, entry=name.startswith("#"))
        match name:
            case "next":
                return self._move(self.at + 1, "this is the last step; q leaves")
            case "back":
                return self._move(self.at - 1, "this is the first step")
            case "first":
                return self._move(1, "")
            case "last":
                return self._move(len(self.steps.steps), "")
            case "round":
                return self._round(rest.lower())
            case "search":
                return self._search(rest)
            case "mark":
                number = next((step.number for step in self._after() if step.bookmark), 0)
                return self._move(number, "there is no remark here")
            case "go":
                if (number := digits(rest.removeprefix("#"))) is not None:
                    return self._go(number, entry=rest.startswith("#"))
                return self._say("g 12 goes to step 12, g #22 to entry 22")
            case "view":
                return render(self.steps.scores(self.at), self.steps.match.zone, self.width())
            case "help":
                return self._say(HELP)
            case "quit":
                return None
            case _:
                return self._say(f"? {SHORT}")

    def _say(self, text: str) -> PlainText:
        lines = [piece for line in text.splitlines() for piece in wrapped(line, self.width(), "  ")]
        return plain_text("\n".join(lines))

    def _move(self, number: int, otherwise: str) -> PlainText:
        if not 1 <= number <= len(self.steps.steps):
            return self._say(otherwise)
        self.at = number
        return self.page()

    def _go(self, number: int, *, entry: bool) -> PlainText:
        if not entry:
            return self._move(number, f"there are {len(self.steps.steps)} steps")
        steps = (step.number for step in self.steps.steps if step.entry and step.entry.seq == number)
        return self._move(next(steps, 0), f"entry {number} has no step of its own")

    def _after(self) -> Iterator[Step]:
        """The steps after the present one, then those from the first."""
        yield from self.steps.steps[self.at :]
        yield from self.steps.steps[: self.at]

    def _round(self, name: str) -> PlainText:
        marked = [step for step in self._after() if step.round or step.phase]
        if not name:
            later = [step for step in marked if step.number > self.at]
            return self._move(later[0].number if later else 0, "no round or phase begins or ends after this step")
        number = next((step.number for step in marked if step.round == meant(name)), 0)
        number = number or next((step.number for step in marked if step.phase == name), 0)
        known = [word for step in self.steps.steps for word in (step.round.removeprefix("round_"), step.phase) if word]
        return self._move(number, f"there is no round of that name here; there are {', '.join(dict.fromkeys(known))}")

    def _search(self, word: str) -> PlainText:
        self.sought = word or self.sought
        if not self.sought:
            return self._say("/WORD looks for a word")
        number = next((step.number for step in self._after() if says(step, self.sought)), 0)
        return self._move(number, "no step says that")


def says(step: Step, word: str) -> bool:
    """Does a step say that word, in any case? Only what its audience sees is looked through."""
    entry = step.entry
    texts = [step.typed, step.round, step.phase, *(sentence.text for sentence in step.sentences)]
    if entry is not None:
        texts += [entry.do, entry.by, *entry.marks, *entry.notes, *(fix.what for fix in entry.corrections)]
    return any(word.casefold() in text.casefold() for text in texts)


def walk(steps: Steps, width: Callable[[], int], show: Callable[[PlainText], None]) -> None:
    """Walk until `quit`, or until the input ends."""
    position = Walk(steps, width)
    show(position.page())
    while True:
        sys.stderr.write(f"{position.at}/{len(steps.steps)} {SHORT if width() > 72 else 'n b r /word ? q'} > ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            sys.stderr.write("\n")
            return
        if (text := position.turn(line)) is None:
            return
        show(text)
