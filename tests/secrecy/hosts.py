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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from ledger.cli.verbs import shared_verbs
from tests.secrecy.harness import CHANGING, Memory, Run, opens
from tests.secrecy.judging import compared, watching
from tests.secrecy.moves import ENDED, MINUTE, MOVES, Both, Move, Scene, clock_ran, lot, told_and_undone
from tests.secrecy.on_paper import Clock, remembered
from tests.secrecy.reads import BESIDES, READING, Here, look, refused
from tests.secrecy.script import KNOWN, OUTSIDER, PUBLIC, Look, NotAPair, Pair, Script, Step, Trace

T = TypeVar("T")
ROLES = (PUBLIC, "player", "left")

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


# ---- drawing -------------------------------------------------------------------------------------------------------


class Went(NamedTuple):
    """A pair in which hosts went on, and whether it leaks."""

    pair: Pair
    leak: str | None
    one: Trace
    """Of its first script."""


class Tally:
    """What was drawn and compared so far: verbs, moves (and how often one was taken back), lines, pairs.

    Attributes:
        roles: Of viewers to whom every verb in every format was told once: everybody, a player, one who left.
    """

    def __init__(self, roles: Iterable[str] = ()) -> None:
        self.roles = {*roles}
        self.seen: Counter[str] = Counter()
        self.hidden: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.compared: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.pairs = self.rejected = 0


MANY = 5
"""Moves of a pair; after three of them, and at the end, is a look."""
ROUND = 7
"""Pairs in which each verb and format that reads has its turn once."""
ALWAYS = (("outbox", "-f", "json"), ("remind", "-f", "json"))
"""Lines of every last look, besides the copy of the log, what completion offers, and something that is tried."""
Kind = tuple[str, str]


def dealt(cards: Sequence[T], game: str, seed: int, many: int) -> list[T]:
    """The cards of pair number `seed`: a shuffled deck is dealt from until it is used up, so that all come in turn."""
    round_, place = divmod(seed, -(-len(cards) // many))
    deck = random.Random(f"{game} {round_} {len(cards)}").sample(cards, len(cards))
    return [*deck[place * many :], *deck[: place * many]]


def kinds_of(game: str, seed: int) -> list[Kind]:
    """Which verbs and formats pair number `seed` compares.

    Each draws by its own name in which pair of a round it has its turn, so a new verb moves no other. What means
    nothing to a viewer who is everybody is drawn for the first pairs of a round.
    """
    round_, place = divmod(seed, ROUND)
    turns = {
        kind: random.Random(f"{game} {round_} {kind}").random() * (3 if kind[0] == "summary" else ROUND)
        for kind in READING
    }
    return sorted((kind for kind, turn in turns.items() if int(turn) == place), key=turns.__getitem__)


def go_on(memory: Memory, base: Pair, rng: random.Random, seed: int, tally: Tally) -> Went:
    """Cut a pair, and let hosts go on in it.

    Raises:
        NotAPair: it is none any more.
    """
    undoing = seed % 3 == 1
    one, other = _cut(base, rng, committed=seed % 5 == 0, resolved=undoing)
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
        moves, kinds = dealt(MOVES, name, seed, MANY), kinds_of(name, seed)
        half = len(kinds) // 2
        if any(decision.kind == "lot" for decision in runs[0].sheet.table.decisions):
            moves.insert(0, lot)
        leak = _apart(runs)
        for moved, listed, last in ((3, kinds[:half], False), (MANY - 3, kinds[half:], True)):
            for _ in range(moved):
                leak = leak or _move(scene, moves, tally)
            if last and undoing:
                leak = leak or _move(scene, [told_and_undone] * 3, tally)
            if last and seed % 3 == 2:
                leak = leak or _move(scene, [clock_ran] * 3, tally)
            leak = leak or _look(scene, listed, tally, last=last)
    scripts = (
        run.script._replace(steps=(*run.script.steps, *more)) for run, more in zip(runs, scene.scripts, strict=True)
    )
    run = runs[0]
    one = Trace(tuple(run.out), others=(*run.others, opens(run.sheet)))
    return Went(Pair(base.viewer, *scripts), leak, one)


def _marks_of(scene: Scene) -> None:
    """What of the cut pair can be undone or confirmed."""
    for run, marks in zip(scene.runs, scene.hidden_marks, strict=True):
        steps = [step for step in run.script.steps if isinstance(step, Step) and step.mark in run.desk.marks]
        hidden = (step for step in steps if not (step.seen or step.told or _told_later(run, step)))
        marks += [step.mark for step in hidden if step.words[0] not in ("undo", "redo", "confirm")]
    steps = [step for step in scene.runs[0].script.steps if isinstance(step, Step) and step.seen]
    scene.seen_marks += [step.mark for step in steps if step.mark in scene.runs[0].desk.marks]


def _told_later(run: Run, step: Step) -> bool:
    """Would everybody be told of it, if it had been done at another time?"""
    overrides = run.sheet.game.overrides
    return step.words[0] == "override" and any(overrides[word].public for word in step.words[1:3] if word in overrides)


def _cut(base: Pair, rng: random.Random, *, committed: bool, resolved: bool) -> tuple[Script, Script]:
    """Both scripts up to a moment that the viewer knows of, without looks; some with a commitment before.

    Args:
        resolved: That moment is when a round was resolved, where one was.
    """
    known = [step for step in base.one.steps if isinstance(step, Look) or step.seen]
    rare = [step for step in known if isinstance(step, Step) and step.words[0] in ("lot", "vote", "gift", "choose")]
    at = rng.choice(rare).at - 1 if rare and rng.random() < 0.3 else rng.choice(known).at
    at = next((step.at - 1 for step in rare if step.words[0] == "lot"), at)  # there are few
    ends = [step.at for step in known if isinstance(step, Step) and step.words[0] == "resolve"]
    at = ends[at % len(ends)] if resolved and ends else at
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
    """The first thing told so far that differs.

    Raises:
        NotAPair: it is what the viewer may know.
    """
    return compared(*(Trace(run.out) for run in runs))  # type: ignore[arg-type]


def _move(scene: Scene, moves: list[Move], tally: Tally) -> str | None:
    """The next move; another where it is none here. What it leaks, if anything."""
    for _ in range(3):
        move = moves.pop(0)
        kept, now = [run.kept() for run in scene.runs], scene.now
        done: list[Both] = []
        try:
            for both in (one for drawn in move(scene) for one in (*_ended(scene, drawn), drawn)):
                done.append(both)
                _do(scene, both)
                if (leak := _apart(scene.runs)) is not None:
                    _keep(scene, done, tally)
                    return leak
        except NotAPair:
            for run, before in zip(scene.runs, kept, strict=True):
                run.back(before)
            scene.now = now if move is clock_ran else scene.now  # not past an end that nothing let come
            tally.refused[move.__name__] += 1
            continue
        if done:
            tally.moves[move.__name__] += 1
            _keep(scene, done, tally)
            return None
    return None


def _ended(scene: Scene, both: Both) -> Iterator[Both]:
    """What the clock has ended is told with the next entry: before one of a single match comes one in both."""
    if both[0] == both[1] and both[0] is not None and both[0].words[0] != "copy":
        return
    for run, step in zip(scene.runs, both, strict=True):
        if step is not None:
            where = step.words[:2] if step.words[0] == "in" else ()
            sheet = run.desk.copies[where[1]] if where else run.sheet
            if (end := sheet.game.due(sheet.fold.state)) is not None and end <= step.at:
                note = Step(
                    (*where, "note", "it is over"), step.at, seen=True, mark="" if where else scene.mark(), line=True
                )
                yield note, note
                return


def _do(scene: Scene, both: Both) -> None:
    for run, step in zip(scene.runs, both, strict=True):
        if step is not None:
            run.do(step)
    if scene.declared_before_the_end and scene.runs[0].sheet.table.status in ENDED:
        raise NotAPair("what hosts declared in one match is told with its end")
    hidden = [word for step in both if step is not None and not step.seen for word in step.words]
    past = not {*CHANGING, "--at"}.isdisjoint(hidden)  # what was told before may be another thing now
    known = [run.knows(True, past=past) for run in scene.runs]
    if known[0] != known[1]:
        raise NotAPair("the viewer knows other things")


def _keep(scene: Scene, done: list[Both], tally: Tally) -> None:
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


def _look(scene: Scene, listed: Sequence[Kind], tally: Tally, *, last: bool) -> str | None:
    at, left = scene.at(2), scene.runs[0].sheet.table.left
    role = PUBLIC if scene.viewer in (PUBLIC, OUTSIDER) else "left" if scene.viewer in left else "player"
    for run in scene.runs:
        run.clock.now = at
    if last and role not in tally.roles:
        listed = READING
        tally.roles.add(role)
    drawn = [
        read
        for kind in (*listed, *(BESIDES if last else ()))
        if (read := look(*kind, Here(scene.runs, random.Random(f"{scene.seed} {kind}"), scene.seed // ROUND)))
    ]
    if last:
        drawn += [(line, ()) for line in (*ALWAYS, ("redact", "--for", scene.viewer, "-o", "FILE"))]
    step = Look(at, (), tuple(line for line, _ in drawn))
    for run, script in zip(scene.runs, scene.scripts, strict=True):
        run.do(step)
        script.append(step)
    answers = scene.runs[0].out
    for (_, counted), (_, answer) in zip(drawn, answers[len(answers) - len(drawn) :], strict=True):
        if counted and (answer.startswith("0\n") or refused(*counted[0].partition(" ")[::2])):
            tally.compared.update(counted)
    return _apart(scene.runs)


def pairs(memory: Memory, draw: Callable[[random.Random], Pair], seed: int, tally: Tally) -> Went:
    """The first pair of a seed in which hosts can go on."""
    for attempt in range(60):
        rng = random.Random(f"hosts {seed}/{attempt}")
        try:
            base = draw(rng)
            if seed % 4 and not any(isinstance(step, Step) and step.words[0] == "open" for step in base.one.steps):
                continue  # before play hosts can do little
            if base.viewer == PUBLIC and any(verb == "summary" for verb, _ in kinds_of(memory.game.name, seed)):
                continue
            base = watching(base) if seed % 2 else base
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
    return [
        row.name
        for row in shared_verbs().values()
        if row.writes and row.name not in passed and not seen_or_hidden[row.name]
    ]
