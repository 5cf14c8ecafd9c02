"""What hosts do in any game: the shared verbs that write, drawn on top of a pair of any generator.

A drawn pair is cut at a moment that the viewer knows of. Then hosts go on in both matches: what he knows of is the same
in both, what he may not know stands in one of them, or says something else there. Each move is tried on paper in both
at once; where it is refused, or the viewer then knows other things (`knows` of the generator), it is taken back and
another is drawn. At looks, command lines that read are compared (reads.py). What comes of it is a pair like any other:
two scripts, which are played again when a leak is to be made small, or through the real command line.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice, zip_longest
from typing import NamedTuple, TypeVar

from events import write_instant
from ledger.cli.commands import TABLE
from ledger.tell.outbox import outbox
from tests.secrecy.harness import Memory, Run
from tests.secrecy.judging import beside, differs
from tests.secrecy.on_paper import Clock, remembered
from tests.secrecy.reads import Here, kinds, look, refused
from tests.secrecy.script import KNOWN, PUBLIC, Look, NotAPair, Pair, Script, Step

T = TypeVar("T")
MINUTE = 60_000
DISCORD_BEGAN = 1_420_070_400_000
PEOPLE = ("Zoe", "Yan", "Xia", "Wim", "Vic", "Una")
WORDS = ("asked twice", "see the chat", "late again", "he has the ace")
BY_THE_GAME = {
    "open": "every generator opens play", "deal": "the generators with cards deal", "resolve": "as open: of rounds",
    "close": "as open: what differs would be shown to all, where it is not drawn by them",
}  # fmt: skip
"""Shared verbs that the generators type themselves, each with the reason."""
NOT_DRAWN = {
    "new": "every script begins with it", "import": "it records what the verbs of its rows record, by the same way",
    "assumptions": "it records what amend-setting records, with the values of now",
}  # fmt: skip
"""Verbs that write and are not drawn, each with the reason."""

Both = tuple[Step | None, Step | None]
Words = tuple[str, ...]


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
        self.moves: list[frozenset[int]] = []

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
    yield s.seen("drop", s.anybody())


def clock(s: Scene) -> Iterator[Both]:
    yield s.seen("pause")
    if s.rng.random() < 0.5:
        yield s.apart(lambda: _remark(s))
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
    lines = sorted(s.runs[0].sheet.game.visibility)
    if s.rng.random() < 0.5:
        yield s.seen("amend-setting", f"visibility.{s.rng.choice(lines)}=host")
    else:
        yield s.seen("amend-setting", f"emoji={s.rng.choice(('true', 'false'))}")


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
            ("override", "garnets", who, n), ("vote", who, s.other()), ("gift", who, s.other()),
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
    listed = (("award", q, "garnets", n), ("penalty", q, "--garnets", n), ("override", "garnets", q, n),
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
        yield s.hidden(*(("lot", "--outcome", p) for p in s.rng.sample(found.among, 2)))
    else:
        yield s.seen("lot", "--outcome", s.rng.choice(found.among))


def declared(s: Scene) -> Iterator[Both]:
    """A result is declared: before the end in one match alone; later for all, with a reason that is the hosts'; or,
    with its line of the table closed, somebody else in each."""
    table, lines, more = s.runs[0].sheet.table, s.runs[0].sheet.game.visibility, ("--yes", "--private")
    kinds: list[Words] = [("winner", s.anybody()), ("elimination", s.anybody()), ("elimination", "nobody")]
    kinds += [("token", s.anybody(), s.rng.choice("0112"))]
    if table.status not in ("deciding", "finished"):
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
    if s.rng.random() < 0.6:
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
    elif s.seen_marks:
        mark, pair = s.rng.choice(s.seen_marks), ""
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


# ---- drawing -------------------------------------------------------------------------------------------------------


class Went(NamedTuple):
    """A pair in which hosts went on, and whether it leaks."""

    pair: Pair
    leak: str | None
    moves: tuple[frozenset[int], ...]
    """Of each move, and each look, when its steps were typed: only whole moves can be left out."""


class Tally:
    """What was drawn and compared so far: verbs, moves (and how often one was taken back), lines, pairs."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.hidden: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.compared: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.pairs = self.rejected = 0


MANY = 5
"""Moves of a pair; after three of them, and at the end, is a look."""
LINES = 11
"""Command lines that read, of a pair."""
ALWAYS = (("outbox", "-f", "json"), ("remind", "-f", "json"), ("__complete", "summary", ""))
"""Lines of every last look, besides the copy of the log and something that is tried."""
Kind = tuple[str, str]


def dealt(cards: Sequence[T], game: str, seed: int, many: int, own: Sequence[T] = ()) -> list[T]:
    """The cards of pair number `seed`: a shuffled deck is dealt from until it is used up, so that all come in turn.

    Args:
        own: What means nothing where everybody looks on: it is dealt to the first pairs of a deck alone.
    """
    round_, place = divmod(seed, -(-(len(cards) + len(own)) // many))
    rng = random.Random(f"{game} {round_} {len(cards)}")
    deck = rng.sample(cards, len(cards))
    cut = 3 * many - len(own) if own else 0
    deck = [*rng.sample([*deck[:cut], *own], cut + len(own)), *deck[cut:]] if own else deck
    return [*deck[place * many :], *deck[: place * many]]


def lines_of(game: str, seed: int) -> list[Kind]:
    """Which verbs and formats a pair compares first."""
    listed = kinds()
    own = [kind for kind in listed if kind[0] == "summary"]
    return dealt([kind for kind in listed if kind not in own], game, seed, LINES, own)


def go_on(memory: Memory, base: Pair, rng: random.Random, seed: int, tally: Tally) -> Went:
    """Cut a pair, and let hosts go on in it.

    Raises:
        NotAPair: it is none any more.
    """
    one, other = _cut(base, rng, committed=seed % 5 == 0)
    tally.seen.update(step.words[0] for step in one.steps if isinstance(step, Step) and step.line)
    with Clock() as held, remembered():
        runs = Run(memory, one, base.viewer, held, []), Run(memory, other, base.viewer, held, [])
        for run in runs:
            for step in run.script.steps:
                run.do(step)
        if [was for was in runs[0].out if was[0].startswith(KNOWN)] != [
            was for was in runs[1].out if was[0].startswith(KNOWN)
        ]:
            raise NotAPair("the viewer knows other things")
        scene = Scene(runs, rng, held.now, seed)
        _marks_of(scene)
        name = memory.game.name
        moves, lines = dealt(MOVES, name, seed, MANY), iter(lines_of(name, seed))
        if any(decision.kind == "lot" for decision in runs[0].sheet.table.decisions):
            moves.insert(0, lot)
        leak = _apart(runs)
        for moved, read, last in ((3, LINES // 2, False), (MANY - 3, LINES - LINES // 2, True)):
            for _ in range(moved):
                leak = leak or _move(scene, moves, tally)
            leak = leak or _look(scene, lines, read, tally, last=last)
    scripts = (
        run.script._replace(steps=(*run.script.steps, *more)) for run, more in zip(runs, scene.scripts, strict=True)
    )
    return Went(Pair(base.viewer, *scripts), leak, tuple(scene.moves))


def _marks_of(scene: Scene) -> None:
    """What of the cut pair can be undone or confirmed."""
    for run, marks in zip(scene.runs, scene.hidden_marks, strict=True):
        steps = [step for step in run.script.steps if isinstance(step, Step) and step.mark in run.desk.marks]
        hidden = (step for step in steps if not step.seen and not step.told)
        marks += [step.mark for step in hidden if step.words[0] not in ("undo", "redo", "confirm")]
    steps = [step for step in scene.runs[0].script.steps if isinstance(step, Step) and step.seen]
    scene.seen_marks += [step.mark for step in steps if step.mark in scene.runs[0].desk.marks]


def _cut(base: Pair, rng: random.Random, *, committed: bool) -> tuple[Script, Script]:
    """Both scripts up to a moment that the viewer knows of, without looks; some with a commitment before."""
    known = [step for step in base.one.steps if isinstance(step, Look) or step.seen]
    rare = [step for step in known if isinstance(step, Step) and step.words[0] in ("lot", "vote", "gift", "choose")]
    at = rng.choice(rare).at - 1 if rare and rng.random() < 0.3 else rng.choice(known).at
    at = next((step.at - 1 for step in rare if step.words[0] == "lot"), at)  # there are few
    first = base.one.steps[0].at
    public: list[Step] = []
    if committed:
        public.append(Step(("commit",), first - 3 * MINUTE, seen=True, line=True))
        names = rng.sample(list(base.one.setup["players"]), 2)
        public += [Step(("word", p, f"w{rng.randrange(10**6)}"), first - MINUTE, seen=True, line=True) for p in names]
    scripts = []
    for side, script in (("a", base.one), ("b", base.other)):
        steps = [step for step in script.steps if isinstance(step, Step) and step.at <= at]
        numbers = {True: 0, False: 0}
        marked = []
        for step in (*public, *steps):
            numbers[step.seen] += 1
            mark = step.mark or f"{'seen' if step.seen else side}{numbers[step.seen]}"
            marked.append(step._replace(mark=mark))
        scripts.append(script._replace(steps=tuple(marked)))
    if not scripts[0].steps or not scripts[1].steps:
        raise NotAPair("nothing is left")
    return scripts[0], scripts[1]


def _apart(runs: tuple[Run, Run]) -> str | None:
    """The first thing told that differs.

    Raises:
        NotAPair: it is what the viewer may know.
    """
    for mine, yours in zip_longest(runs[0].out, runs[1].out, fillvalue=("nothing", "")):
        if mine != yours:
            if mine[0] == yours[0] and mine[0].startswith(KNOWN):
                raise NotAPair("the viewer knows other things")
            return beside(mine, yours)
    return None


def _move(scene: Scene, moves: list[Move], tally: Tally) -> str | None:
    """The next move; another where it is none here. What it leaks, if anything."""
    for _ in range(3):
        move = moves.pop(0)
        kept = [run.kept() for run in scene.runs]
        done: list[Both] = []
        try:
            for both in move(scene):
                done.append(both)
                _do(scene, both)
                if (leak := _apart(scene.runs)) is not None:
                    _keep(scene, done, tally)
                    return leak
        except NotAPair:
            for run, before in zip(scene.runs, kept, strict=True):
                run.back(before)
            tally.refused[move.__name__] += 1
            continue
        if done:
            tally.moves[move.__name__] += 1
            _keep(scene, done, tally)
            return None
    return None


def _do(scene: Scene, both: Both) -> None:
    for run, step in zip(scene.runs, both, strict=True):
        if step is not None:
            run.do(step)
    known = [run.knows(True) for run in scene.runs]
    if known[0] != known[1]:
        raise NotAPair("the viewer knows other things")


def _keep(scene: Scene, done: list[Both], tally: Tally) -> None:
    scene.moves.append(frozenset(step.at for both in done for step in both if step is not None))
    for both in done:
        for run, script, step in zip(scene.runs, scene.scripts, both, strict=True):
            if step is None:
                continue
            script.append(step)
            if step.mark and step.mark not in run.desk.marks:
                continue  # refused
            said = tally.seen if step.seen else tally.hidden
            verb = step.words[2] if step.words[0] == "in" else step.words[0]
            said.update({verb} | {word for word in step.words if word in ("--force", "--at")})
            if step.mark and verb not in ("undo", "redo", "confirm", "outbox", "anchor"):
                marks = scene.seen_marks if step.seen else scene.hidden_marks[scene.runs.index(run)]
                marks += [step.mark] if step.mark not in marks else []


def _look(scene: Scene, kinds_: Iterator[Kind], read: int, tally: Tally, *, last: bool) -> str | None:
    at = scene.at(2)
    for run in scene.runs:
        run.clock.now = at
    here = Here(scene.runs, scene.rng, scene.seed * LINES // len(kinds()))
    drawn = list(islice(look(here, kinds_), read))
    if last:
        drawn += [*((line, ()) for line in ALWAYS), *islice(look(here, iter([("-n", "")])), 1)]
        drawn.append((("redact", "--for", scene.viewer, "-o", "FILE"), ()))
    step = Look(at, (), tuple(line for line, _ in drawn))
    scene.moves.append(frozenset({at}))
    for run, script in zip(scene.runs, scene.scripts, strict=True):
        run.do(step)
        script.append(step)
    for (_, counted), (_, answer) in zip(drawn, scene.runs[0].out[-len(drawn) :], strict=True):
        if counted and (answer.startswith("0\n") or refused(*counted[0].partition(" ")[::2])):
            tally.compared.update(counted)
    return _apart(scene.runs)


def pairs(memory: Memory, draw: Callable[[random.Random], Pair], seed: int, tally: Tally) -> Went:
    """The first pair of a seed in which hosts can go on."""
    for attempt in range(60):
        rng = random.Random(f"hosts {seed}/{attempt}")
        try:
            base = draw(rng)
            if base.viewer == PUBLIC and any(verb == "summary" for verb, _ in lines_of(memory.game.name, seed)[:LINES]):
                continue
            went = go_on(memory, base, rng, seed, tally)
        except NotAPair:
            tally.rejected += 1
            continue
        tally.pairs += 1
        return went
    raise AssertionError(f"seed {seed} gives no pair: the generator and the rules have drifted apart")


def undrawn(seen_or_hidden: Counter[str]) -> list[str]:
    """Verbs of the table that write in any game and were not drawn."""
    passed = {*BY_THE_GAME, *NOT_DRAWN}
    return [row.name for row in TABLE if row.writes and row.name not in passed and not seen_or_hidden[row.name]]


def smallest(memory: Memory, went: Went) -> Pair:
    """The pair with as few moves and looks as still leak, for a person to read."""

    def without(pair: Pair, times: frozenset[int]) -> Pair:
        one, other = (
            script._replace(steps=tuple(step for step in script.steps if step.at not in times))
            for script in (pair.one, pair.other)
        )
        return pair._replace(one=one, other=other)

    def leaks(candidate: Pair) -> bool:
        try:
            return differs(candidate, memory.play) is not None
        except (NotAPair, IndexError):
            return False

    pair = went.pair
    for times in reversed(went.moves):
        pair = less if leaks(less := without(pair, times)) else pair
    return pair
