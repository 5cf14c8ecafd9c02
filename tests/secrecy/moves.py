"""What hosts do in any game: each move in both matches of a pair at once, seen, hidden, or said otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle

from events import write_instant
from ledger.tell.outbox import outbox
from ledger.tell.texts import letter
from tests.secrecy.generators import HOUR, MINUTE
from tests.secrecy.harness import Run
from tests.secrecy.script import PUBLIC, Look, Step

DISCORD_BEGAN = 1_420_070_400_000
PEOPLE = ("Zoe", "Yan", "Xia", "Wim", "Vic", "Una")
WORDS = ("asked twice", "see the chat", "late again", "he has the ace")

Both = tuple[Step | None, Step | None]
Words = tuple[str, ...]

ENDED = ("deciding", "finished")
"""Results are told then."""


class Scene:
    """Both matches while hosts go on."""

    def __init__(self, runs: tuple[Run, Run], rng: random.Random, now: int, seed: int) -> None:
        self.runs, self.rng, self.now, self.seed = runs, rng, now, seed
        self.turns = cycle((0, 1, 2, 3))
        for _ in range(seed % 4):
            next(self.turns)
        self.made = 0
        self.scripts: tuple[list[Step | Look], list[Step | Look]] = ([], [])
        table = runs[0].sheet.table
        self.players, self.viewer, self.hosts = table.players, runs[0].viewer, table.hosts
        self.others = [p for p in self.players if p != self.viewer]
        self.hidden_marks: tuple[list[str], list[str]] = ([], [])
        self.seen_marks: list[str] = []
        self.declared_before_the_end = False
        """Then both matches stay before the end: it tells what hosts declared in one of them."""

    def at(self, most: int = 12) -> int:
        """The next moment."""
        self.now += self.rng.randint(1, most * MINUTE)
        return self.now

    def mark(self) -> str:
        self.made += 1
        return f"h{self.made}"

    def other(self) -> str:
        """Somebody of whom the viewer may not know everything."""
        return self.rng.choice(self.others)

    def anybody(self) -> str:
        return self.rng.choice(self.players)

    def earlier(self) -> str:
        """A moment before, as it is typed."""
        first = self.runs[0].script.steps[0].at
        return write_instant(self.rng.randint(first + 1, max(first + 1, self.now - 1)))

    def seen(self, *words: str, by: str = "", mark: str | None = None, ok: bool = True) -> Both:
        """A step that the viewer knows of."""
        mark = self.mark() if mark is None else mark
        step = Step(words, self.at(), seen=True, mark=mark, by=by, line=True, ok=ok)
        return step, step

    def hidden(self, one: Words | None, other: Words | None, *, mark: str = "", by: str = "") -> Both:
        """A step that the viewer may not know of; None: none there. Which of the two comes first is drawn."""
        at = self.at()
        both = [None if words is None else Step(words, at, mark=mark, by=by, line=True) for words in (one, other)]
        return both[0], both[1]

    def apart(self, draw: Callable[[], Words | None]) -> Both:
        """Hidden words drawn for each match by itself; now and then in one of them only."""
        pair = [draw(), draw()]
        if self.rng.random() < 0.5:
            pair[self.rng.randrange(2)] = None
        mark = self.mark()
        return self.hidden(pair[0], pair[1], mark=mark)


# ---- moves ---------------------------------------------------------------------------------------------------------


def replace(s: Scene) -> Iterator[Both]:
    yield s.seen("replace", s.anybody(), f"{s.rng.choice(PEOPLE)}{s.rng.randrange(100)}")


def drop(s: Scene) -> Iterator[Both]:
    """Somebody leaves; often who has sent something in one match only, or the viewer."""
    rounds = [run.sheet.table.round for run in s.runs]
    apart = [p for p in s.others if len({bool(round_ and round_.sheets.get(p)) for round_ in rounds}) > 1]
    who = s.rng.choice(apart) if apart and s.rng.random() < 0.7 else s.anybody()
    yield s.seen("drop", s.viewer if s.viewer in s.players and s.seed % 4 == 3 else who)


def clock(s: Scene) -> Iterator[Both]:
    yield s.seen("pause")
    if s.rng.random() < 0.5:
        yield s.apart(lambda: _remark(s))
    if s.seed % 2:
        return  # it stands still from now on
    yield s.seen("resume")
    yield s.seen("deadline", f"+{s.rng.randint(2, 90)}h")


def phases(s: Scene) -> Iterator[Both]:
    """A phase ends, and is gone back into; or one that ended before is."""
    table = s.runs[0].sheet.table
    ended = [name for name in table.past if name not in ("pregame", "setup")]
    if ended and table.round is None:
        yield s.seen("reopen", ended[-1])
        return
    yield s.seen("close")
    yield s.seen("reopen")


def settings(s: Scene) -> Iterator[Both]:
    """A setting is amended; a line of the information table only so that less is told."""
    sheet = s.runs[0].sheet
    if s.rng.random() < 0.5:
        yield s.seen("amend-setting", f"visibility.{s.rng.choice(sorted(sheet.game.visibility))}=host")
    else:
        yield s.seen(
            "amend-setting", f"allow_odd_roster={'false' if sheet.table.settings['allow_odd_roster'] else 'true'}"
        )


def anchor(s: Scene) -> Iterator[Both]:
    number = (s.now - DISCORD_BEGAN) << 22
    yield s.seen("anchor", f"https://discord.com/channels/845/77/{number}")


def of_the_viewer(s: Scene) -> Iterator[Both]:
    """What hosts do to the viewer himself; anything at all where everybody looks on."""
    who = s.viewer if s.viewer != PUBLIC else s.other()
    n = str(s.rng.choice((1, 1, 2)))
    listed = [("alias", who, f"x{s.rng.randrange(10**6)}"), ("breach", who), ("penalty", who), ("blank", who)]
    if s.viewer != PUBLIC:
        listed += [
            ("award", who, "garnets", n), ("penalty", who, "--garnets", n), ("award", who, "tokens", n),
            ("override", who, "garnets", n), ("vote", who, s.other()), ("gift", who, s.other()),
            ("choose", who, s.other()), ("vote", who, s.other(), "--force"), ("choose", who, s.other(), "--force"),
        ]  # fmt: skip
    yield s.seen(*s.rng.choice(listed))


def remark(s: Scene) -> Iterator[Both]:
    yield s.apart(lambda: _remark(s))


def _remark(s: Scene) -> Words:
    q, word = s.other(), f"{s.rng.choice(WORDS)} {s.rng.randrange(10**6)}"
    return s.rng.choice(
        [("note", word), ("ruling", word), ("breach", q), ("penalty", q), ("alias", q, f"x{s.rng.randrange(10**6)}")]
    )


def purse(s: Scene) -> Iterator[Both]:
    """What others hold."""
    for _ in range(2):
        yield s.apart(lambda: _purse(s))


def _purse(s: Scene) -> Words:
    q, n = s.other(), str(s.rng.choice((1, 2)))
    listed = (("award", q, "garnets", n), ("penalty", q, "--garnets", n), ("override", q, "garnets", n),
              ("award", q, "tokens", "1"))  # fmt: skip
    return listed[next(s.turns)]


def decided(s: Scene) -> Iterator[Both]:
    """What others put into decisions, allowed or by force."""
    for _ in range(2):
        yield s.apart(lambda: _decided(s))


def _decided(s: Scene) -> Words:
    q, other = s.other(), s.anybody()
    words = (("vote", q, other), ("gift", q, other), ("choose", q, other), ("blank", q))[next(s.turns)]
    may = words[0] == "blank" or any(d.kind == words[0] for d in s.runs[0].sheet.table.decisions)
    return words if may and s.rng.random() < 0.7 else (*words, "--force")


def late(s: Scene) -> Iterator[Both]:
    """Placed before what was recorded earlier."""
    yield s.apart(lambda: (*s.rng.choice((_remark, _purse, _decided))(s), "--at", s.earlier()))


def lot(s: Scene) -> Iterator[Both]:
    """A lot that everybody is told; or, with its line of the table closed, one that only hosts know."""
    table = s.runs[0].sheet.table
    found = next((d for d in table.decisions if d.kind == "lot"), None)
    if found is None and s.seed % 3:
        yield from declared(s)
    elif found is None:
        among = s.rng.sample(s.players, min(3, len(s.players)))
        yield s.seen("lot", *among, "--outcome", s.rng.choice(among))
    elif "elimination" in s.runs[0].sheet.game.visibility and found.about == "elimination":
        yield s.seen("amend-setting", "visibility.elimination=host")
        others = [p for p in found.among if p != s.viewer]  # of himself the viewer may know
        yield s.hidden(*(("lot", "--outcome", p) for p in s.rng.sample(others if len(others) > 1 else found.among, 2)))
    else:
        yield s.seen("lot", "--outcome", s.rng.choice(found.among))


def declared(s: Scene) -> Iterator[Both]:
    """A result is declared: before the end in one match alone; later for all, with a reason that is the hosts'; or,
    with its line of the table closed, somebody else in each."""
    table, lines, more = s.runs[0].sheet.table, s.runs[0].sheet.game.visibility, ("--yes", "--private")
    kinds: list[Words] = [("winner", s.anybody()), ("elimination", s.anybody()), ("elimination", "nobody")]
    kinds += [("token", s.anybody(), s.rng.choice("0112"))]
    if table.status not in ENDED:
        s.declared_before_the_end = True
        yield s.apart(
            lambda: ("declare", *s.rng.choice(kinds), "--note", f"{s.rng.choice(WORDS)} {s.rng.random()}", *more)
        )
    elif "elimination" in lines and s.rng.random() < 0.5:
        yield s.seen("amend-setting", "visibility.elimination=host")
        yield s.hidden(
            *(("declare", "elimination", s.other(), "--note", word, *more) for word in s.rng.sample(WORDS, 2))
        )
    else:
        words, at, mark = s.rng.choice([*kinds, ("void",)]), s.at(), s.mark()
        one, other = (
            Step(("declare", *words, "--note", note, *more), at, seen=True, mark=mark, line=True, ok=True)
            for note in s.rng.sample(WORDS, 2)
        )
        yield one, other


def slip(s: Scene) -> Iterator[Both]:
    """Something of another player is typed for the viewer by mistake, and corrected before anything is told."""
    if s.viewer == PUBLIC:
        return
    mark, q = s.mark(), s.other()
    one, other = (("alias", s.viewer, f"x{s.rng.randrange(10**6)}") for _ in range(2))
    yield s.hidden(one, other if s.rng.random() < 0.7 else None, mark=mark)
    fix = s.rng.choice((("undo", f"@{mark}"), ("amend", f"@{mark}", f"player={q}")))
    both = [fix if mark in run.desk.marks else None for run in s.runs]
    yield s.hidden(both[0], both[1])


def undone(s: Scene) -> Iterator[Both]:
    """Something hidden that was recorded before is struck in one match; perhaps taken back, or struck in both."""
    side = s.rng.randrange(2)
    if not (marks := s.hidden_marks[side]):
        yield s.apart(lambda: _remark(s))
        return
    mark, again = s.rng.choice(marks), s.mark()
    yield _on(side, s.hidden(("undo", f"@{mark}"), None, mark=again))
    if s.rng.random() < 0.8:
        yield s.apart(lambda: _remark(s))
        yield _on(side, s.hidden(("redo", f"@{again}"), None))


def amended(s: Scene) -> Iterator[Both]:
    """Something hidden that was recorded before is corrected, or gets another time."""
    side = s.rng.randrange(2)
    if not (marks := s.hidden_marks[side]) or s.rng.random() < 0.4:
        mark = s.mark()
        yield _on(side, s.hidden(("award", s.other(), "garnets", "1"), None, mark=mark))
        field = s.rng.choice((f"player={s.other()}", "amount=2"))
    else:
        mark, field = s.rng.choice(marks), f"at={s.earlier()}"
    yield _on(side, s.hidden(("amend", f"@{mark}", field), None))


def confirmed(s: Scene) -> Iterator[Both]:
    side = s.rng.randrange(2)
    if marks := s.hidden_marks[side]:
        yield _on(side, s.hidden(("confirm", f"@{s.rng.choice(marks)}"), None, by=s.hosts[1]))
    if s.seen_marks:
        yield s.seen("confirm", f"@{s.rng.choice(s.seen_marks)}", by=s.hosts[1])


def _on(side: int, both: Both) -> Both:
    return (both[0], both[1]) if side == 0 else (both[1], both[0])


def _standing(s: Scene) -> list[str]:
    """What the viewer knows of and is not undone: that it is, a refusal would say with numbers of entries."""
    sheet, numbers = s.runs[0].sheet, s.runs[0].desk.marks
    return [mark for mark in s.seen_marks if mark in numbers and numbers[mark] not in sheet.fold.marks.struck]


def corrected(s: Scene) -> Iterator[Both]:
    """What the viewer knows of is undone, perhaps redone; or amended."""
    new = f"{s.rng.choice(PEOPLE)}{s.rng.randrange(100)}"
    form = s.rng.random()
    if form < 0.4:
        yield (first := s.seen("replace", s.other(), new))
        mark, pair = first[0].mark if first[0] else "", f"name=Neo{s.rng.randrange(100)}"
    elif form < 0.6:
        yield (first := s.seen("deadline", f"+{s.rng.randint(2, 90)}h"))
        mark, pair = first[0].mark if first[0] else "", f"when=+{s.rng.randint(2, 90)}h"
    elif marks := _standing(s):
        mark, pair = s.rng.choice(marks), ""
    else:
        return
    if pair and s.rng.random() < 0.5:
        yield s.seen("amend", f"@{mark}", pair)
        return
    again = s.mark()
    yield s.seen("undo", f"@{mark}", mark=again)
    if s.rng.random() < 0.5:
        yield s.seen("redo", f"@{again}")


def posting(s: Scene) -> Iterator[Both]:
    """Texts are posted or dropped: those of the viewer and of everybody in both, those of others in one."""
    for _ in range(s.rng.choice((1, 2))):
        yield s.seen("outbox", s.rng.choice(("done", "done", "drop")), f"{s.rng.choice((s.viewer, PUBLIC))}:0")
    for _ in range(s.rng.choice((0, 1, 2))):
        yield s.apart(lambda: ("outbox", s.rng.choice(("done", "drop")), f"{s.other()}:0"))


def post_and_correct(s: Scene) -> Iterator[Both]:
    """A text is posted, of others as well, and what it tells is then undone for all: corrections."""
    q, new = s.other(), f"{s.rng.choice(PEOPLE)}{s.rng.randrange(100)}"
    mark, given, side = s.mark(), s.mark(), s.rng.randrange(2)
    for _ in range(3):
        yield s.seen("outbox", "drop", f"{PUBLIC}:0")
    yield s.seen("replace", q, new, mark=mark)
    yield _on(side, s.hidden(("award", q, "garnets", "1"), None, mark=given))
    yield s.seen("outbox", "done", f"{PUBLIC}:0")
    while any(item.audience == q for item in outbox(s.runs[side].sheet).waiting):
        yield _on(side, s.hidden(("outbox", "done", f"{q}:0"), None))
    yield _on(side, s.hidden(("undo", f"@{given}"), None))
    yield s.seen("amend", f"@{mark}", f"name=Neo{s.rng.randrange(100)}")


def told_and_undone(s: Scene) -> Iterator[Both]:
    """All that the viewer and everybody were told of an entry is posted, in one match what others were told as well;
    then the entry is undone, so that each gets a correction. A round that was resolved, where there is one: of what was
    opened then, hosts know more than anybody."""
    run, audiences = s.runs[0], (PUBLIC, *s.runs[0].sheet.table.seats)
    known = [mark for mark in _standing(s) if run.desk.marks[mark] in run.desk.seen]
    steps = [step for step in run.script.steps if isinstance(step, Step) and step.mark in known]
    if not known:
        return
    mark = next((step.mark for step in reversed(steps) if step.words[0] == "resolve"), s.rng.choice(known))
    place, side = run.desk.seen.index(run.desk.marks[mark]), s.rng.randrange(2)
    for letter_, who in enumerate(audiences):
        words = ("outbox", "done", f"%{place}{letter(letter_)}")
        if who in (s.viewer, PUBLIC):
            yield s.seen(*words)
        elif next(s.runs[side].desk.resolved(words[2:])) != "nothing":
            yield _on(side, s.hidden(words, None))
    yield s.seen("undo", f"@{mark}")


def clock_ran(s: Scene) -> Iterator[Both]:
    """The clock brings an end, which a step lets come that all know of, and what is told is posted. Then something
    hidden of one match is placed between the two, so that it lets the clock run there."""
    run, side = s.runs[0], s.rng.randrange(2)
    end = run.sheet.game.due(run.sheet.fold.state)
    if end is None or end > s.now + 1000 * HOUR:
        return
    s.now = max(s.now, end + HOUR)
    yield s.seen("note", "it is over")
    while told := [item.audience for item in outbox(run.sheet).waiting if item.audience in (PUBLIC, s.viewer)]:
        yield s.seen("outbox", "done", f"{told[0]}:0")
    yield _on(side, s.hidden((*_remark(s), "--at", write_instant(end + s.rng.randint(1, HOUR - 1))), None))


def joined(s: Scene) -> Iterator[Both]:
    """A copy of the log is taken, both hosts go on by themselves, and the copies are joined."""
    name = f"copy{s.mark()}"
    at = s.at()
    yield (step := Step(("copy", name), at, seen=True, line=True)), step
    for _ in range(s.rng.choice((1, 2))):
        at = s.at()
        both = [("in", name, *_in_a_copy(s)) if s.rng.random() < 0.7 else None for _ in "ab"]
        steps = [None if words is None else Step(words, at, by=s.hosts[1], line=True) for words in both]
        yield steps[0], steps[1]
    if s.viewer != PUBLIC and s.rng.random() < 0.6:
        yield s.seen("in", name, "penalty", s.viewer, by=s.hosts[1], mark="")
    yield s.apart(lambda: _remark(s))
    yield s.seen("join", name, mark="")


def _in_a_copy(s: Scene) -> Words:
    """What others hold, but no tokens: in a copy that is over everybody would be told of them."""
    words = s.rng.choice((_remark, _purse))(s)
    return (*words[:2], "garnets", words[3]) if words[2:3] == ("tokens",) else words


Move = Callable[[Scene], Iterator[Both]]
MOVES: tuple[Move, ...] = (
    replace, drop, clock, phases, settings, anchor, of_the_viewer, remark, purse, decided, late, lot, slip, undone,
    amended, confirmed, corrected, posting, post_and_correct, joined,
)  # fmt: skip
