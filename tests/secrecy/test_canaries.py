"""Unmistakable words in everything that is the hosts', looked for in everything that leaves.

The bundled match of each game is played again with a 12-digit number in every note, remark, ruling, alias, channel and
message link: what only hosts may know. Then every verb that can tell somebody something tells each audience, in every
format and at several points of the match. The pairs of secrecy/ find what depends on a secret; this finds the secret
itself, wherever a verb, a format or a file was forgotten. The verbs, formats and games are those that are there.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events import LedgerError
from games.contract import Elapsed
from games.registry import load, names
from games.table import actions as shared
from games.table.settings import LEVELS
from ledger.author.simulation import course
from ledger.cli.app import App
from ledger.cli.verbs import shared_verbs
from ledger.core.clock import OsLuck
from ledger.record import recorder
from ledger.record.plan import Options
from ledger.render import FORMATS
from ledger.tell import explain
from tests.secrecy.desk import PaperDesk
from tests.secrecy.folder import toml_file
from tests.secrecy.generators import BEGAN, generator
from tests.secrecy.harness import Memory, Run
from tests.secrecy.on_paper import Clock
from tests.secrecy.reads import FOR_HOSTS, READING, Here, look
from tests.secrecy.script import HEX, PUBLIC, Look, NotAPair, Script
from tests.support.demos import NOW
from tests.support.guide import built_in, folder_of
from tests.support.host import hl
from tests.support.sizes import log_number, many
from tests.support.transcripts import Stage

TEXTS = ("note", "ruling")
MORE: dict[str, tuple[tuple[str, ...], ...]] = {
    "explain": (("final",), ("{player}",), ("12",)),
    "show": (("12",),),
    "diff": (("12", "{last}"), ("round:1", "{last}")),
    "reveal": ((), ("1",)),
    "evidence": (),
    "redact": (),
}
"""Words that a verb needs besides its options; no word at all where none are listed. No tuple: it needs a file."""


class Canaries:
    """Makes unmistakable numbers, and knows where each was put."""

    def __init__(self, seed: int) -> None:
        self.luck, self.put = random.Random(seed), dict[str, str]()

    def one(self, where: str) -> str:
        number = str(self.luck.randrange(10**11, 10**12))
        self.put[number] = where
        return number

    def found_in(self, text: str) -> list[str]:
        return sorted({self.put[number] for number in re.findall(r"\d{12}", text) if number in self.put})


class Told(NamedTuple):
    """What one command line was answered."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def notices(self) -> list[str]:
        """What it printed for players."""
        return [part for part in re.split(r"(?m)^(?=--- )", self.out) if part.startswith("--- ")]


class Bundled:
    """The bundled match of a game, played line by line, with other words in every field that a host types freely.

    Args:
        word: Where it stands -> what is put there.
        called: Player, their name -> their name.
    """

    def __init__(
        self,
        game: str,
        folder: Path,
        word: Callable[[str], str],
        called: Callable[[str, str], str] = lambda p, name: name,
    ) -> None:
        home, script = folder_of(game), folder_of(game) / load(game).demo
        setup = tomllib.loads(script.with_suffix(".toml").read_text(encoding="utf-8"))
        for player, row in setup["players"].items():
            row["name"] = called(player, row.get("name", player))
            row["channel"] = word("channel")
            row["aliases"] = [*row.get("aliases", []), word("alias")]
        for path in home.glob("demo*"):
            (folder / path.name).write_bytes(path.read_bytes())
        (folder / script.with_suffix(".toml").name).write_text(toml_file(setup), encoding="utf-8")
        self.app, self.match, self.game = App(), folder / "m", game
        self.players, self.host = tuple(setup["players"]), str(setup["hosts"][0])
        self.heard: list[Told] = []
        self.lines, self.refused = list[tuple[str, ...]](), 0
        for line in script.read_text(encoding="utf-8").splitlines():
            words = shlex.split(line, comments=True)
            for at, typed in enumerate(words):
                before = words[at - 1] if at else ""
                if before == "--note" or (at == 1 and words[0] in TEXTS and not typed.startswith("admit")):
                    words[at] = word(before.lstrip("-"))
            filled = tuple(typed.replace("$MATCH", str(self.match)).replace("$DEMO", str(folder)) for typed in words)
            self.lines += [filled] if words else []
            self.refused += line.endswith("# refused")
        link = f"https://discord.com/channels/{word('link')}/21/1478127559387512832"
        self.lines += [("ruling", word("ruling")), ("note", word("note"), "--msg", link, "--again")]

    def hl(self, *words: str) -> Told:
        """One command; the match stays in memory."""
        self.app.match_name, self.app.host_name = str(self.match), self.host
        self.heard.append(Told(words, *hl("--no-input", *words, app=self.app)))
        return self.heard[-1]

    def typed(self) -> list[tuple[str, ...]]:
        """The lines that record something."""
        verbs = shared_verbs()
        return [words for words in self.lines if words[0] not in verbs or verbs[words[0]].writes]

    def play(self) -> None:
        """Play it to its end; refused are as many lines as its file says."""
        codes = [self.hl(*words).code for words in self.typed()]
        assert {*codes} <= {0, 2, 3} and len(codes) - codes.count(0) == self.refused, codes


def tellers() -> dict[str, Any]:
    """Every verb that can tell an audience something: it takes `--for`, or a player."""
    found = {}
    for name, command in shared_verbs().items():
        options = {opt for param in command.params for opt in param.opts}
        if "--for" in options or name == "summary":
            found[name] = command
    return found


def tellings(match: Path, players: Sequence[str], last: int) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """(audience, command line, format) for every verb, audience and format; some at earlier points of the match."""
    for verb, command in tellers().items():
        options = {opt for param in command.params for opt in param.opts}
        for words in MORE.get(verb, ((),)):
            filled = tuple(word.format(player=players[0], last=last) for word in words)
            for who in ("public", *players):
                if verb == "summary":
                    if who == "public":
                        continue
                    line: tuple[str, ...] = (verb, who)
                else:
                    line = (verb, *filled, "--for", who)
                for fmt in sorted({*FORMATS, "csv"} - {"png"}) if "-f" in options else ("",):
                    asked = (*line, *(("-f", fmt) if fmt else ()))
                    yield who, asked, fmt
                if "--as-of" in options:
                    yield who, (*line, "--as-of", str(last // 2)), ""
                    yield who, (*line, "--known", str(last // 2)), ""


@pytest.mark.parametrize("game", names())
def test_what_is_the_hosts_reaches_nobody_else(game: str, tmp_path: Path, record_property: Any) -> None:
    canaries = Canaries(1)
    here = Bundled(game, tmp_path, canaries.one)
    with pytest.MonkeyPatch.context() as patch:
        Stage(tmp_path, patch, began=NOW)
        here.play()
    match, notices = here.match, "\n".join(part for told in here.heard for part in told.notices)
    assert not canaries.found_in(without_addresses(notices)), "a notice to players holds what is the hosts'"
    from ledger.core.match import Match

    open_ = Match(str(match / "log.jsonl"))
    players, last = list(open_.table.seats), len(open_.book.entries)
    own = {str(seat.channel): player for player, seat in open_.table.seats.items()}
    told, answered, app = 0, set(), App()
    for who, line, _ in tellings(match, players if many(0, 1) else players[:1], last):
        answer = hl("-g", str(match), *line, app=app)
        assert answer.code in (0, 2), (line, answer)
        told += 1
        answered |= {line[0]} if answer.code == 0 else set()
        out = answer.out + answer.err
        if line[0] == "summary":
            out = without_addresses(out)  # who copies it sees above it where it goes
        numbers = [number for number in re.findall(r"\d{12}", out) if own.get(number) != who]
        found = [canaries.put[number] for number in numbers if number in canaries.put]
        assert not found, (line, found, out[-2000:])
    for viewer in ("public", *players[:2]):
        copy = tmp_path / f"{viewer}.jsonl"
        assert hl("-g", str(match), "redact", "--for", viewer, "-o", str(copy)).code == 0
        shown = copy.read_text(encoding="utf-8")
        found = [canaries.put[n] for n in re.findall(r"\d{12}", shown) if n in canaries.put]
        found = [where for where in found if where not in ("alias", "channel") or viewer == "public"]
        assert not found, (viewer, found)
    items = json.loads(hl("-g", str(match), "outbox", "-f", "json").out)["items"]
    assert not canaries.found_in(json.dumps([item["text"] for item in items if item["audience"] != "host"]))
    log_number(record_property, told)
    host = hl("-g", str(match), "log", "-f", "json").out + (match / "log.jsonl").read_text()
    assert {"alias", "channel", "note", "ruling", "link"} <= set(canaries.found_in(host)), "they are not there at all"
    assert {"view", "summary", "reveal", "scores", "board", "final", "status"} <= answered, answered
    silent = set(tellers()) - answered - {*FOR_HOSTS, "explain"}
    assert not silent - {verb for verb, words in MORE.items() if not words}, f"{silent} never answered: add its words"


# ---- seeds ---------------------------------------------------------------------------------------------------------


def same_seeds(patch: pytest.MonkeyPatch) -> None:
    """What the system draws is the same each time."""
    number = count()
    patch.setattr(OsLuck, "seed", lambda self: sha256(f"{next(number)}".encode()).digest())


def with_draws(name: str, chance: random.Random, levels: Sequence[str], clock: Clock) -> Iterator[Run]:
    """A match of random moves, under a table of these levels, in which all is drawn, cards from a commitment: when play
    begins, and at its end; where any level is drawn, it is void before."""
    game, own, sheet = load(name), generator(name), None
    while sheet is None:
        with contextlib.suppress(NotAPair, LedgerError):
            setup = own.draw(chance).one.setup
            table = {line: chance.choice(levels) for line in game.visibility}
            setup = {**setup, "settings": {**setup.get("settings", {}), "visibility": table}}
            run = Run(Memory(game, own.knows), Script(setup, {}, (Look(BEGAN),)), PUBLIC, clock, [])
            sheet = run.sheet
    began, (first, *_) = False, sheet.table.players
    moves: Iterable[Any] = course(game, lambda: sheet.fold.state, sheet.table.players, chance, 3, 0.1)
    if levels is LEVELS:
        moves = chain(islice(moves, 40), [shared.Declare("void")])
    for action in chain((shared.Commit(), shared.Word(first, "rain")), moves):
        clock.now += 60_000
        if isinstance(action, Elapsed):
            clock.now, action = max(clock.now, game.due(sheet.fold.state) or 0), shared.Note("it is over")
        with contextlib.suppress(LedgerError):
            recorder.record_actions(sheet, [action], Options("mara", yes=True, early=True), lambda question: True)
        if not began and (began := sheet.table.status == "running"):
            yield run
    yield run


def seeds_told(run: Run, viewer: str, turn: int, met: Counter[tuple[str, bool]]) -> Iterator[str]:
    """Where a verb tells the viewer a seed that stands in no line of the log that their copy opens.

    Args:
        turn: In the quick run a verb answers in a third of its formats, other ones from turn to turn.
        met: Counts seeds (the verb of the entry, is it open).
    """
    run.viewer, run.desk = viewer, PaperDesk(run.desk.app, viewer, run.desk.host)
    bodies = [entry.body for entry in run.sheet.book.entries]
    seeds = {str(body.args["seed"]): body.do for body in bodies if body.args.get("seed")}
    opened = {*HEX.findall(run.desk.read(("redact", "--for", viewer, "-o", "FILE")))}
    met.update((do, seed in opened) for seed, do in seeds.items())
    for kind in READING[many(turn % 3, 0) :: many(3, 1)]:
        if found := look(*kind, Here((run, run), random.Random(f"{kind} {turn}"), turn)):
            told = {*HEX.findall(run.desk.read(found[0]))} & {*seeds}
            yield from (f"{viewer} is told the seed of {seeds[seed]} by {found[0]}" for seed in told - opened)


@pytest.mark.parametrize("name", built_in())
def test_a_seed_is_told_only_to_whom_its_line_stands_open(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the seed of a deal draws all hands again. Met are seeds that stay closed, and others that open."""
    met = Counter[tuple[str, bool]]()
    same_seeds(monkeypatch)
    for turn in range(many(2, 60)):
        levels = ("everybody", "everybody_after_end") if turn % 2 else LEVELS
        with Clock(BEGAN) as clock:
            for run in with_draws(name, random.Random(f"seeds {name} {turn}"), levels, clock):
                for place, viewer in enumerate((PUBLIC, *run.sheet.table.players[: many(1, 9)])):
                    assert not [*seeds_told(run, viewer, place + turn, met)]
    deal = load(name).deal
    assert met["seed", False] and (met["seed", True] or deal is None or deal.others is None), met


def test_a_seed_that_another_line_opens_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """`final` prints it wherever there is one."""
    monkeypatch.setattr(explain, "may_open", lambda match, viewer: {entry.seq for entry in match.book.entries})
    with pytest.raises(AssertionError, match=r"final"):
        test_a_seed_is_told_only_to_whom_its_line_stands_open("marsmatch", monkeypatch)


def without_addresses(text: str) -> str:
    """Without the lines above each text that tell the host where it goes."""
    return re.sub(r"(?m)^--- .*$", "", text)


def test_sabotage_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that quotes the hosts' last note."""
    import ledger.tell.reports

    real = ledger.tell.reports.text

    def leaky(match: Any, blocks: Any, fmt: str, width: int | None = None) -> str:
        notes = [e.body.args["text"] for e in match.book.entries if e.body.do == "note"]
        return real(match, blocks, fmt, width) + "\n" + str(notes[-1])

    monkeypatch.setattr(ledger.tell.reports, "text", leaky)
    with pytest.raises(AssertionError, match=r"note|remark"):
        test_what_is_the_hosts_reaches_nobody_else(names()[0], tmp_path, lambda *_: None)
