"""Crashes and faults on a simulated disk: every crash point, what a disk may hold after it, and repair again.

The disks are those of simulated.py: one of Linux, one of macOS, and one of Windows on which events/windows.py itself
runs. HL_FULL=1 looks at many more states.
"""

from __future__ import annotations

import errno
import itertools
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest

from events import Body, Finding, LedgerError, LogFile, NotRecorded, OutcomeUnknown, Unreadable, create
from tests.support import simulated
from tests.support.simulated import Crash, MacSim, Node, WindowsSim
from tests.support.sizes import FULL, log_number, many

PATH = "/m/log.jsonl"
Sim = simulated.Sim


@pytest.fixture(autouse=True, params=[simulated.Sim, MacSim, WindowsSim], ids=["linux", "macos", "windows"])
def system(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every test of this file is one of each system."""
    global Sim
    Sim = request.param
    yield request.node.callspec.id
    Sim = simulated.Sim


def states_of(system: str, number: int) -> int:
    """How many states a test looks at: fewer where it repeats what the test of Linux has looked at."""
    return number if FULL or system == "linux" else number // 4


PLANS = many(4, 300, mutants=12)
"""Plans besides the usual one."""


def body(n: int, size: int = 40, batch: int | None = None) -> Body:
    return Body("note", 1_800_000_000_000 + n, "mara", 1_800_000_000_000 + n, {"n": n, "text": "x" * size}, batch=batch)


Plan = tuple[tuple[int, ...], ...]
USUAL: Plan = ((40, 3500), (300,), (2500, 3000, 40), (5000,))
"""Text sizes of the entries of each command; the first makes the log."""
TWO_IN_ONE: Plan = ((40,), (40, 40), (40,))
"""After two entries of one command both slots of the head record are written."""


def plans(count: int) -> list[Plan]:
    """These two, and others drawn by chance."""
    rng = random.Random(5)
    sizes = (0, 40, 300, 900, 2500, 3700, 4096, 5000, 9000)
    return [USUAL, TWO_IN_ONE] + [
        tuple(tuple(rng.choice(sizes) for _ in range(rng.choice((1, 1, 2, 3)))) for _ in range(rng.randint(2, 4)))
        for _ in range(count)
    ]


def workload(disk: Sim, acked: list[list[str]], tries: list[int], plan: Plan = USUAL) -> None:
    """Create, then append single entries and batches; `acked` holds the hashes of each command that succeeded."""
    log = LogFile(PATH, disk=disk, wait=0.0)

    def done(lines: list) -> None:
        acked.append([line.hash for line in lines])

    tries.append(len(plan[0]))
    done(create(PATH, [body(1 + i, size, batch=1) for i, size in enumerate(plan[0])], disk=disk))
    seq = len(plan[0])
    for sizes in plan[1:]:
        tries.append(len(sizes))
        with log.writing() as writer:
            batch = seq + 1 if len(sizes) > 1 else None
            done(writer.append([body(seq + 1 + i, size, batch) for i, size in enumerate(sizes)]))
        seq += len(sizes)


def check(state: Sim, acked: list[list[str]], unsure: int, proved: bool = False) -> None:
    """All that was acknowledged is there, at most `unsure` lines more; then one more entry can be recorded.

    proved: nothing failed before the crash, so the head record names all that was acknowledged.
    """
    promised = [h for command in acked for h in command]
    log = LogFile(PATH, disk=state, wait=0.0)
    before = {name: bytes(node.data) for name, node in state.names.items()}
    if PATH not in state.names:
        assert not promised, "an acknowledged log is gone"
        for name in list(state.names):
            assert name.startswith(PATH + ".new-"), f"{name} stands without a log"
        create(PATH, [body(1)], disk=state)
        assert len(log.read().lines) == 1
        return
    reading = log.read()
    found = [line.hash for line in reading.lines]
    if proved and promised:
        assert (log.head() or (0, ""))[0] >= len(promised), "the head record was lost"
    assert found[: len(promised)] == promised, "an acknowledged entry is gone"
    assert len(found) <= len(promised) + unsure, "more than one command's entries are there"
    with log.writing() as writer:
        assert [line.hash for line in writer.reading.lines] == found, "a writer sees something else than a reader"
        added = writer.append([body(99)])
    again = log.read()
    assert not again.notes, again.notes
    assert [line.hash for line in again.lines] == [*found, added[0].hash]
    findings: list[Finding] = []
    assert len(list(log.scan(findings))) == len(found) + 1
    assert not findings
    assert not log.unproved
    end = again.lines[-2].offset + again.lines[-2].size
    lost = before[PATH][end:]
    if lost:
        kept = [bytes(n.data) for name, n in state.names.items() if name.startswith(PATH + ".torn-")]
        assert lost in kept, "a torn tail was thrown away"


def crash_points(plan: Plan = USUAL) -> int:
    disk = Sim()
    workload(disk, [], [], plan)
    return disk.count


def crash_states(
    rng: random.Random, per_point: int, plan: Plan = USUAL, parts: Sequence[int] = (1, 200, 4500, 10**6),
    only: Sequence[str] = ("write", "fsync"),
) -> Iterator[tuple[Sim, list[list[str]], int]]:  # fmt: skip
    """(state, acknowledged, unsure) of crashes inside writes and before flushes: what repair has to deal with.

    Args:
        parts: So many bytes of a write are through.
        only: The operations at which it crashes; none: before every one.
    """
    for point in range(1, crash_points(plan) + 1):
        for part in parts:
            disk, acked, tries = Sim(), [], []
            disk.crash_at, disk.part = point, part
            with suppress(Crash):
                workload(disk, acked, tries, plan)
            if only and disk.done[-1] not in only:
                break
            for state in disk.states(per_point, rng):
                yield state, acked, tries[-1] if len(tries) > len(acked) else 0
            if not only and disk.done[-1] not in ("write", "pwrite"):  # a part means nothing there
                break


def every_crash(per_point: int = 12, plan: Plan = USUAL) -> int:
    """Crash before every operation, and inside every write; returns how many states were looked at."""
    looked, parts = 0, (0, 1, 37, 200, 4095, 4096, 4500, 10**6)
    for found in crash_states(random.Random(1), per_point, plan, parts, ()):
        check(*found, proved=True)
        looked += 1
    return looked


def test_every_crash_point_keeps_what_was_acknowledged(record_property, system):
    some = plans(states_of(system, PLANS))
    looked = sum(every_crash(per_point=200 if FULL else 40, plan=plan) for plan in some)
    log_number(record_property, looked)
    assert looked > (100_000 if FULL else states_of(system, 200 * PLANS)), looked


def copy(state: Sim) -> Sim:
    new = Sim(folders=tuple(state.folders))
    nodes = {id(n): Node(next(new.inos), bytes(n.data)) for n in state.names.values()}
    new.names = {name: nodes[id(n)] for name, n in state.names.items()}
    new.kept_names = dict(new.names)
    return new


def hashes(disk: Sim) -> list[str]:
    """Of the lines that a reader finds, whatever goes wrong with the disk."""
    return [line.hash for line in LogFile(PATH, disk=copy(disk)).read().lines]


def append(disk: Sim, one: Body) -> list[list[str]]:
    """Record it; the hashes of what stood before, and of it."""
    with LogFile(PATH, disk=disk, wait=0.0).writing() as writer:
        return [[line.hash for line in writer.reading.lines], [line.hash for line in writer.append([one])]]


def torn_tail(state: Sim) -> bytes:
    """What stands after the last good line."""
    mark = LogFile(PATH, disk=copy(state)).read().mark
    return bytes(state.names[PATH].data[mark.size :])


def repair_crashes(per_point: int = 4, per_crash: int = 4, most: int = 10**9, plan: Plan = USUAL) -> int:
    looked, rng = 0, random.Random(2)
    for state, acked, unsure in crash_states(rng, per_point, plan):
        if PATH not in state.names:
            continue
        torn = torn_tail(state)
        for point in range(1, 200):
            disk, more = copy(state), list(acked)
            disk.crash_at, disk.part = point, rng.choice((0, 1, 50, 10**6))
            try:
                more = append(disk, body(50, 4000))
            except Crash:
                pass
            else:
                if not disk.dead:
                    break
            for second in disk.states(per_crash, rng):
                kept = [bytes(n.data) for name, n in second.names.items() if name.startswith(PATH + ".torn-")]
                assert torn in kept or torn in bytes(second.names[PATH].data), "a torn tail was thrown away"
                check(second, more, unsure + 1)
                looked += 1
        if looked > most:
            break
    return looked


def test_repair_can_be_interrupted_anywhere(record_property, system):
    """A crash, and a second one anywhere in the repair; or an error there, and then a crash."""
    if FULL:
        looked = sum(repair_crashes(12, 12, plan=plan) for plan in plans(7))
    else:
        looked = repair_crashes(1, 2, most=states_of(system, many(1_500, 0, mutants=3_000)))
    log_number(record_property, looked)
    assert looked > (40_000 if FULL else states_of(system, 1_000)), looked


# -- faults: the error class tells the truth


def faulty(disk: Sim, seen: list[str]) -> None:
    """Append twice on a disk that fails; after each error the live log is what the error says."""
    log = LogFile(PATH, disk=disk, wait=0.0)
    for n in (10, 11):
        before = bytes(disk.names[PATH].data)
        promised = hashes(disk)
        try:
            with log.writing() as writer:
                lines = writer.append([body(n, 3000, batch=None)])
        except NotRecorded:
            seen.append("NotRecorded")
            assert bytes(disk.names[PATH].data) == before, "not recorded, and yet the log changed"
        except OutcomeUnknown:
            seen.append("OutcomeUnknown")
            assert hashes(disk)[: len(promised)] == promised
        except Unreadable as error:
            seen.append("Unreadable")
            assert error.code in ("log.missing", "log.denied")
            assert bytes(disk.names[PATH].data) == before
        else:
            seen.append("ok")
            assert hashes(disk) == [*promised, lines[0].hash]


def base() -> Sim:
    disk = Sim()
    workload(disk, [], [])
    return copy(disk)


def failing(start: Sim, count: int) -> Iterator[Sim]:
    """That disk, failing at each of so many calls, once or from then on."""
    for point in range(1, count + 1):
        for number in (errno.EIO, errno.ENOSPC):
            once, lasting = copy(start), copy(start)
            once.fail[point] = number
            lasting.fail_from, lasting.fail_errno = point, number
            yield from (once, lasting)


def every_fault() -> list[str]:
    start = base()
    clean = copy(start)
    faulty(clean, [])
    seen: list[str] = []
    for disk in failing(start, clean.count):
        faulty(disk, seen)
    for point in range(1, clean.count + 1):
        for taken in (0, 1, 100, 3000):
            disk = copy(start)
            disk.short[point] = taken
            faulty(disk, seen)
    return seen


def test_every_fault_is_named_as_what_it_is():
    seen = every_fault()
    assert {"ok", "NotRecorded", "OutcomeUnknown"} <= set(seen)
    assert seen.count("NotRecorded") > 50


def test_a_fault_in_repair_leaves_acknowledged_entries_alone():
    rng = random.Random(3)
    looked = 0
    for state, acked, unsure in itertools.islice(crash_states(rng, 3), None if FULL else 60):
        if PATH not in state.names:
            continue
        for point in range(1, 60):
            disk = copy(state)
            disk.fail[point] = errno.EIO
            try:
                append(disk, body(50))
            except (NotRecorded, OutcomeUnknown, Unreadable):
                check(copy(disk), acked, unsure + 1)
                looked += 1
            if disk.count < point:
                break
    assert looked > 300, looked


def fault_then_crash() -> int:
    """One command fails anywhere, once or twice in a row; a later one succeeds; then the power goes."""
    start, looked, rng = base(), 0, random.Random(4)
    promised, clean = hashes(start), copy(start)
    append(clean, body(10, 6000))
    for point in range(1, clean.count + 4):
        for run in (1, 2, 3):
            disk = copy(start)
            for i in range(run):
                disk.fail[point + i] = errno.EIO
            with suppress(LedgerError):
                append(disk, body(10, 6000))
            disk.fail.clear()
            there = append(disk, body(11, 2000))
            assert there[0][: len(promised)] == promised
            for state in disk.states(40, rng):
                check(state, there, 0)
                looked += 1
    return looked


def test_a_failed_flush_leaves_no_hole_under_later_entries():
    assert fault_then_crash() > 50


def test_not_recorded_stays_not_recorded_after_a_crash():
    start, rng, looked = base(), random.Random(6), 0
    before = bytes(start.names[PATH].data)
    for point in range(1, 60):
        for reached in (False, True):
            disk = copy(start)
            disk.fail[point], disk.reached = errno.EIO, reached
            try:
                append(disk, body(10, 6000))
            except NotRecorded:
                for state in disk.states(20, rng):
                    assert bytes(state.names[PATH].data) == before
                    looked += 1
            except OutcomeUnknown:
                pass
    assert looked > 10


def test_creating_fails_whole_or_not_at_all():
    clean = Sim()
    create(PATH, [body(1), body(2, 4000)], disk=clean)
    for disk in failing(Sim(), clean.count):
        try:
            create(PATH, [body(1), body(2, 4000)], disk=disk)
        except NotRecorded:
            assert PATH not in disk.names
        except OutcomeUnknown:
            pass
        else:
            assert len(hashes(disk)) == 2
