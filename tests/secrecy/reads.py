"""What reads: every verb and format of the table of commands by which something of a match can go to an audience.

Each command line here is run at a look of both matches of a pair, and what of its answer goes to the viewer is compared
(`Desk.read` in desk.py). A verb or format of the table that stands nowhere here fails a test by its name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from events import LedgerError, write_instant
from ledger.cli.verbs import shared_verb, shared_verbs
from ledger.core.match import Match
from ledger.render import PICTURES, SEVERAL
from ledger.tell.reports import moment
from ledger.tell.steps import steps_of
from tests.secrecy.harness import Run
from tests.secrecy.script import PUBLIC

T = TypeVar("T")
NOT_TOLD = {
    "init": "it knows no match",
    "games": "it knows no match", "check": "it knows no match", "page": "it knows no match",
    "new-game": "it knows no match", "template": "it knows no match", "new": "nothing is recorded yet",
    "demo": "it plays a match of its own", "completion": "it knows no match", "doctor": "a host reads it alone",
    "assumptions": "a host reads it alone; settings are everybody's", "rules": "as assumptions",
    "verify": "it says how many lines there are, which every copy shows, and a hash",
    "audit": "as verify", "receipt": "as verify", "evidence": "a host reads it alone", "read": "as evidence",
    "run": "it runs other verbs", "shell": "it runs other verbs", "webhook": "a host reads it alone",
    "share": "a host reads it alone", "clone": "a host reads it alone", "sync": "as verify",
    "unshare": "it tells nothing", "schema": "it knows no match", "simulate": "it knows no match",
}  # fmt: skip
"""Verbs of the table of whose answers nothing goes to a player, each with the reason."""


class Here(NamedTuple):
    """A moment of both matches at which something is read."""

    runs: tuple[Run, Run]
    rng: random.Random
    turn: int
    """How often each verb and format had its turn before."""

    @property
    def run(self) -> Run:
        return self.runs[0]

    @property
    def viewer(self) -> str:
        return self.run.viewer

    def one_of(self, among: Sequence[T], verb: str, fmt: str) -> T:
        """One after the other, from turn to turn and from format to format."""
        row = shared_verb(verb)
        return among[(self.turn + (row.formats.index(fmt) if row and fmt in row.formats else 0)) % len(among)]

    def who(self) -> str:
        """For whose eyes: mostly the viewer's; what everybody may see is his too."""
        return PUBLIC if self.rng.random() < 0.2 else self.viewer

    def counting(self) -> list[int]:
        """Which of the entries that the viewer knows of have a place in the order of the match, in both."""
        live = [{outcome.entry.seq for outcome in run.sheet.fold.outcomes} for run in self.runs]
        both = zip(*(run.desk.seen for run in self.runs), strict=True)
        return [place for place, numbers in enumerate(both) if all(map(set.__contains__, live, numbers))]

    def rounds(self) -> tuple[str, ...]:
        """The rounds that are resolved, as they are typed."""
        return tuple(name.removeprefix("round_") for name in self.run.sheet.table.resolved)

    def an_entry(self) -> str:
        """A number that may be that of an entry in one of the matches only."""
        return f"{self.rng.randint(1, max(len(run.sheet.book.entries) for run in self.runs) + 1)}"

    def moments(self) -> dict[str, str]:
        """Moments of the match that the viewer knows of, by their kind."""
        run, seen = self.run, self.run.desk.seen
        began, now = run.script.steps[0].at, run.clock.now
        found = {"time": write_instant(self.rng.randint(began, now)), "now": "now"}
        found |= {"known": f"known:%{self.rng.randrange(len(seen))}"} if seen else {}
        if counting := self.counting():
            found["entry"] = f"%{self.rng.choice(counting)}"
        if rounds := self.rounds():
            found["round"] = f"round:{self.rng.choice(rounds)}"
        return found

    def same(self, word: str) -> bool:
        """Does the viewer know the same of both matches at that moment, if he looks at it now?"""
        known = []
        for run in self.runs:
            (typed,) = run.desk.resolved([word])
            try:
                state = moment(run.sheet, typed, run.viewer, run.clock.now).fold.state
            except LedgerError as error:
                known.append(error.code)
            else:
                known.append(run.memory.knows(state, run.viewer, True))
        return bool(known[0] == known[1])

    def same_steps(self, line: Line) -> bool:
        """Does he know the same of both matches at each step of that replay, if he had looked at it then?

        What he sees only when he looks (how many are locked in) may have differed in between.
        """
        word = next((line[at + 1] for at, one in enumerate(line) if one in ("--as-of", "--known")), None)
        known = []
        for run in self.runs:
            sheet: Match = run.sheet
            fold = sheet.fold
            if word is not None:
                (typed,) = run.desk.resolved([word])
                sheet = sheet.as_known(int(typed)) if "--known" in line else sheet
                try:
                    fold = sheet.fold if "--known" in line else moment(sheet, typed, self.viewer, run.clock.now).fold
                except LedgerError:
                    return True  # of both it is refused alike: `same`
            audiences = {self.viewer, PUBLIC if PUBLIC in line else self.viewer}
            states = [(who, state) for who in audiences for state in steps_of(sheet, fold, who)._states]
            known.append([run.memory.knows(state, who, True) for who, state in states])
        return len(known[0]) != len(known[1]) or bool(known[0] == known[1])  # another number of steps is a leak


Line = tuple[str, ...]
Drawn = tuple[Line, tuple[str, ...]]
"""A command line, and as what it is counted."""
AT_POINTS = frozenset(row.name for row in shared_verbs().values() if "as_of" in row.options)
FOR_HOSTS = AT_POINTS & {row.name for row in shared_verbs().values() if row.audience == "host"}
"""Lists with `--for` that are refused to everybody but hosts."""


def look(verb: str, fmt: str, here: Here, *, file: bool | None = None) -> Drawn | None:
    """A line of that verb and format, and as what it is counted; None where it means nothing here.

    Args:
        file: Is it written to a file, where it can be? None: now and then.
    """
    made = MAKERS.get(verb, _for_hosts if verb in FOR_HOSTS else _for_anybody)(verb, fmt, here)
    if made is None:
        return None
    line, kinds = made
    if fmt and (verb, fmt) != ("replay", "html"):
        line = (*line, "-f", fmt)
    if verb in AT_POINTS and "--news" not in line and "ROUND" not in kinds and here.rng.random() < 0.5:
        line, kinds = _at_a_point(line, kinds, here)
    if verb == "replay" and not here.same_steps(line):
        return None
    to_file = here.rng.random() < 0.1 if file is None else file
    if to_file and "FILE" not in line and "target" in _options(verb):
        line, kinds = (*line, "-o", "FILE"), (*kinds, "-o")
    return line, (f"{verb} {fmt}".strip(), *kinds)


def _options(verb: str) -> frozenset[str]:
    row = shared_verb(verb)
    return row.options if row else frozenset()


def _at_a_point(line: Line, kinds: tuple[str, ...], here: Here) -> Drawn:
    kind, word = here.rng.choice(list(here.moments().items()))
    if not here.same(word):
        return line, kinds
    options = ("--known", word.removeprefix("known:")) if kind == "known" else ("--as-of", word)
    return (*line, *options), (*kinds, " ".join((options[0], *([] if kind == "known" else [kind]))))


def _for_anybody(verb: str, fmt: str, here: Here) -> Drawn | None:
    return (verb, "--for", here.who()), ()


def _for_hosts(verb: str, fmt: str, here: Here) -> Drawn | None:
    """A list that is refused to everybody else."""
    return (verb, *((here.an_entry(),) if verb == "show" else ()), "--for", here.who()), ()


def _explain(verb: str, fmt: str, here: Here) -> Drawn | None:
    """Why the match ended as it did; why an entry, or how a player stands, only hosts are told."""
    about = here.one_of(("final", "final", here.an_entry(), here.rng.choice(here.run.sheet.table.players)), verb, fmt)
    return (verb, about, "--for", here.who()), (() if about != "final" else ("explain final",))


def _whole(verb: str, fmt: str, here: Here) -> Drawn | None:
    """A list for hosts of which a part goes to players."""
    if verb == "outbox" and fmt == "text":
        return ("outbox", "next", f"{here.who()}:0"), ("next",)
    return (verb,), ()


def _reveal(verb: str, fmt: str, here: Here) -> Drawn | None:
    if (rounds := here.rounds()) and here.one_of((True, True, False), verb, fmt):
        return (verb, here.rng.choice(rounds), "--for", here.who()), ("ROUND",)
    return (verb, "--for", here.who()), ()


def _summary(verb: str, fmt: str, here: Here) -> Drawn | None:
    if here.viewer == PUBLIC:
        return None
    more: Line = here.one_of((("--all", "--news"), ("--news",), ("--all",), ()), verb, fmt)
    if fmt not in SEVERAL or fmt == "json":  # the one has no several texts, the other no news
        more = tuple(word for word in more if word == ("--all" if fmt == "json" else "--news"))
    return (verb, *([] if "--all" in more else [here.viewer]), *more), (" ".join(more),) if more else ()


def _replay(verb: str, fmt: str, here: Here) -> Drawn | None:
    if fmt == "html":
        whose = here.one_of((("--audiences", here.viewer), ("--for", here.viewer)), verb, fmt)
        return (verb, "--html", "FILE", *whose), (f"--html {whose[0]}",)
    return (verb, "--for", here.who()), ()


def _diff(verb: str, fmt: str, here: Here) -> Drawn | None:
    words = [word for word in here.moments().values() if here.same(word)]
    if len(words) < 2:
        return None
    return (verb, *here.rng.sample(words, 2), "--for", here.who()), ()


def _export(verb: str, fmt: str, here: Here) -> Drawn | None:
    only = ("facts", "scores", "transfers", None)[(2 * here.turn + (fmt == "json")) % 4]
    return (verb, "--for", here.who(), *(["--only", only] if only else [])), (f"--only {only}",) if only else ()


def _tried(verb: str, fmt: str, here: Here) -> Drawn | None:
    """What concerns the viewer and is only tried: what a host would forward of it."""
    who = here.viewer if here.viewer != PUBLIC else here.rng.choice(here.run.sheet.table.players)
    listed = [("penalty", who, "--garnets", "999"), ("award", who, "garnets", "-999"), ("award", who, "tokens", "-9")]
    if here.viewer != PUBLIC:
        other = here.rng.choice([p for p in here.run.sheet.table.players if p != who])
        listed += [("vote", who, other), ("gift", who, other), ("choose", who, other), ("blank", who),
                   ("penalty", who, "--garnets", "1")]  # fmt: skip
    return (*here.rng.choice(listed), verb), ()


def _offered(verb: str, fmt: str, here: Here) -> Drawn | None:
    begun = (("view", "--for", ""), ("summary", ""), ("reveal", ""), ("replay", "--for", ""))
    return (verb, *here.rng.choice(begun)), ()


def _redact(verb: str, fmt: str, here: Here) -> Drawn | None:
    return (verb, "--for", here.who(), "-o", "FILE"), ()


MAKERS: dict[str, Callable[[str, str, Here], Drawn | None]] = {
    "-n": _tried, "__complete": _offered,
    "reveal": _reveal, "summary": _summary, "replay": _replay, "diff": _diff, "export": _export, "redact": _redact,
    **dict.fromkeys(("outbox", "drift", "remind"), _whole),
    "explain": _explain,
}  # fmt: skip
FURTHER = {"replay": ("html",), "redact": ("",)}
"""Formats besides those of `-f`."""
BESIDES = (("-n", ""), ("__complete", ""))
"""Besides the verbs that read: what is only tried, and what completion offers where an audience is named."""
ONLY = {"outbox": ("json", "text"), **dict.fromkeys(FOR_HOSTS, ("text",))}
"""Where a list is refused, one format tells as much as the other."""


READING = tuple(
    (row.name, fmt)
    for row in shared_verbs().values()
    if row.name not in NOT_TOLD and (row.name == "outbox" or not row.writes)
    for fmt in (*ONLY.get(row.name, row.formats), *FURTHER.get(row.name, ()))
)
"""Every verb and format that reads."""


VARIANTS = {
    "ROUND", "explain final", "--all", "--news", "--all --news", "--html --audiences", "--html --for", "next", "-o",
    "--known", "--as-of entry", "--as-of time", "--as-of now", "--as-of round", "--only facts", "--only scores",
    "--only transfers",
}  # fmt: skip
"""The variants that have to be reached; `ROUND` and `--as-of round` in games with rounds."""


def refused(verb: str, fmt: str) -> bool:
    """Is a refusal an answer too: of a list for hosts, of a picture where there is none, of what is tried?"""
    return verb in FOR_HOSTS or verb in ("explain", "-n", "__complete") or fmt in PICTURES
