"""What the adversary plays in: what the public was told, the match on disk, its copies, the commands."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import io
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import events.disk
import ledger.cli.root
import ledger.core.clock
from events import LedgerError, write_line
from ledger.cli.app import App
from ledger.core.match import Match
from ledger.tell.texts import collect
from tests.support.host import match_file
from tests.support.second import program

BEGAN = 1_772_442_000_000
MINUTE = 60_000
PLAYERS = ("ann", "bob", "cyd")
HOSTS = ("mara", "theo")
RECEIPT = re.compile(r"(?:receipt )?([0-9a-f]{64})")
HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
TOKEN = re.compile(r"\{(-?\w+)(?::([^{}]*))?\}")
RECORDED = re.compile(r"^(?:recorded|row \d+:) #(\d+)(?: to #(\d+))?", re.MULTILINE)
COMMITTED = re.compile(r"The deal is committed to: (?:commitment )?([0-9a-f]{64})")
ADDED = re.compile(r"^- (\w+) added words to the deal: (.*)$", re.MULTILINE)
AS_FINAL = re.compile(r"before anybody added words: commitment ([0-9a-f]{64})")
DONE_TO = re.compile(r"undo|undone|redo|amend|struck|correct|chang|anew|again|another|later?\b|replac|contest|before")
UNSPEAKING = ("whether ", "that the message", "the end of the log", "what players were told from", "closed lines")
"""How lines of `not_checked` begin that stand there whatever was done."""
check_deal = program("check_deal")


Words = tuple[str, ...]
Script = tuple[tuple[int, Words], ...]
"""Steps, each with a number of its own: it stays when others are taken out. See `World.play` for what a step may be."""


def file_of(game: str, settings: str = "") -> str:
    garnets = {p: i % 3 for i, p in enumerate(PLAYERS)}
    return match_file(game, garnets, f"allow_odd_roster = true\n{settings}", hosts=HOSTS)


class Setup(NamedTuple):
    """A match file, and what has happened before the adversary begins. Those steps have numbers below zero."""

    file: str
    opening: tuple[str, ...] = ()

    @property
    def script(self) -> Script:
        return tuple((n - len(self.opening), tuple(line.split())) for n, line in enumerate(self.opening))


OPEN_HANDS = '[settings.visibility]\ndealt_hands = "everybody_after_end"\n'
WORDS_TOLD = ("hl commit", "post done", "hl word ann w1", "hl word bob w2", "post done")
ROLES = 'guild = { values = ["north", "south", "east"], draw = "one each", seen_by = "everybody" }\n'
SETUPS = {
    "equilibrium": Setup(file_of("equilibrium")),
    "equilibrium committed": Setup(file_of("equilibrium"), WORDS_TOLD),
    "equilibrium dealt": Setup(file_of("equilibrium", OPEN_HANDS), (*WORDS_TOLD, "hl deal", "receipt")),
    "equilibrium opened": Setup(file_of("equilibrium"), ("hl deal", "hl open", "post done")),
    "equilibrium tied": Setup(
        file_of("equilibrium", 'tol_conditions = ["best_er"]\n'),
        ("hl deal --from typed.toml", "hl open", "hl close --yes", "hl close vote --yes", "post done"),
    ),
    "marsmatch": Setup(file_of("marsmatch")),
    "marsmatch drawn": Setup(file_of("marsmatch"), ("hl commit", "hl draw", "post done")),
    "freeform committed": Setup(
        f"{file_of('freeform').partition('[settings]')[0]}[items]\n{ROLES}"
        '[sheets.bid]\nfields = { much = "number" }\n',
        WORDS_TOLD,
    ),
    "polar": Setup(file_of("polar", "rounds = 1\n")),
    "polar resolved": Setup(file_of("polar", "rounds = 1\n"), ("hl open", "hl resolve --yes --early", "post done")),
}
TYPED = '[hands]\nann = "R1 B1 R2 B2 R3"\nbob = "R4 R6 R7 R8 R10"\ncyd = "R4 R6 R7 R8 R10"\n'
FORM = (
    'delimiter = ","\nzone = "UTC"\n[verb]\ncolumn = "V"\n[fields]\nplayer = "P"\ntext = "T"\n'
    '[time]\ncolumn = "A"\nformats = ["iso"]\n'
)


# ---- what the public was told --------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Something the public was told, and the line from which it follows."""

    what: Any
    line: str
    """Hash."""
    seqs: frozenset[int]
    step: int


class Pinned(NamedTuple):
    """A draw as it counted when a receipt of its line, or of a later one, was published."""

    value: Any
    seqs: frozenset[int]
    step: int


class Known:
    """What the stranger holds. Only ever grows."""

    def __init__(self) -> None:
        self.texts: list[Told] = []
        """`what`: the lines of it, without the receipt."""
        self.named: set[tuple[str, str]] = set()
        self.corrected: dict[str, int] = {}
        """Line of a text -> the step that posted a correction of it."""
        self.receipts: dict[str, int] = {}
        """Receipt -> the step that published it."""
        self.commitments: list[Told] = []
        self.words: list[Told] = []
        """`what`: (player, text)."""
        self.pinned: dict[Any, Pinned] = {}
        self.finals: list[Told] = []

    def copy(self) -> Known:
        made = Known()
        for name, value in vars(self).items():
            setattr(made, name, value.copy())
        return made


def draws(match: Match) -> dict[Any, tuple[Any, frozenset[int]]]:
    """Every draw that counts, with the entries it stands in; the hands are those with which play begins."""
    found: dict[Any, tuple[Any, frozenset[int]]] = {}
    hands: dict[str, tuple[str, ...]] = {}
    seqs: set[int] = set()
    deals = 0
    begun = False
    for outcome in match.fold.outcomes:
        if outcome.refusal is not None:
            continue
        live = outcome.entry
        do, args = live.do, live.args
        if do == "hand":
            hands[args["player"]] = tuple(sorted(args["cards"]))
            seqs.add(live.seq)
        elif do == "deal":
            found["deal", deals] = (dict(hands), frozenset({*seqs, live.seq}))
            hands, seqs, deals = {}, set(), deals + 1
        elif do == "open":
            begun = True
        elif do == "override" and args["field"] == "hand" and deals == 1 and not begun:
            dealt, its = found["deal", 0]
            found["deal", 0] = ({**dealt, args["player"]: tuple(sorted(args["value"].split()))}, its | {live.seq})
        elif do == "lot":
            found["lot", match.book.entries[live.seq - 1].hash] = (args["outcome"], frozenset({live.seq}))
            for fact in outcome.facts:
                if about := getattr(fact, "about", ""):
                    found["decision", about, frozenset(args["among"])] = (args["outcome"], frozenset({live.seq}))
        elif do == "draw" and "item" in args:
            found["draw", args["item"]] = (tuple(args["drawn"]), frozenset({live.seq}))
        elif do == "draw":
            found["draw", 0] = ((args["banker"], tuple(args["seats"])), frozenset({live.seq}))
        elif do == "resolve" and args.get("drawn"):
            found["resolve", args["round"]] = (tuple(args["drawn"]), frozenset({live.seq}))
    return found


# ---- the match on disk, its copies, and the commands ---------------------------------------------------------------


class Copy:
    """One folder with a log, as its host sees it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app = App()
        self.app.match_name, self.app.host_name, self.app.no_input = str(folder), HOSTS[0], True
        self.wrote: dict[int, tuple[int, ...]] = {}
        """Step -> the entries that it wrote here."""

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"

    @property
    def head(self) -> Path:
        return self.folder / "log.jsonl.head"

    def match(self) -> Match:
        """Raises LedgerError when the log cannot be read."""
        self.app.stale()
        with contextlib.redirect_stderr(io.StringIO()):
            return self.app.match


def overwrite(path: Path, data: bytes) -> None:
    """Put these bytes into the file that is there: a fold in memory knows it by its inode."""
    if not path.exists():
        path.touch(0o600)
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()


def twin(match: Match | None) -> Match | None:
    """The same match in memory, to be gone on with apart."""
    if match is None:
        return None
    made = copy.copy(match)
    made.book = copy.copy(match.book)
    made.book.entries = list(match.book.entries)
    return made


def chain(log: bytes) -> list[str]:
    """The hash of each line, by docs/log-format.md sections 1 and 2."""
    found = []
    for line in log.splitlines():
        row = json.loads(line)
        found.append(
            hashlib.sha256(f"host-ledger/1\n{row['seq']}\n{row['prev']}\n{row['seal']}\n".encode()).hexdigest()
        )
    return found


class World:
    """A match with its copies, what the public knows of it, and the clock. It can be saved and put back.

    `seed` and the number of a step say what is drawn in it, whatever the other steps are.
    """

    def __init__(self, folder: Path, setup: str, seed: int = 0) -> None:
        self.folder, self.setup, self.seed = folder, setup, seed
        self.now, self.step, self.drawn = BEGAN, 0, 0
        self.here = "m"
        self.copies = {"m": Copy(folder / "m")}
        self.known = Known()
        self.notice: tuple[str, str, tuple[int, ...]] | None = None
        """What the last command that wrote printed for everybody, in which copy, and the entries it wrote."""
        self.recorded: dict[str, int] = {}
        """Hash of a line -> the step that wrote it."""
        self.shown: list[str] = []
        self.crashed = ""
        self.differs = False
        """Was something of what was published another at the last look?"""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "m.toml").write_text(SETUPS[setup].file)
        (folder / "typed.toml").write_text(TYPED)
        (folder / "form.toml").write_text(FORM)

    @property
    def copy(self) -> Copy:
        return self.copies[self.here]

    def random(self, size: int) -> bytes:
        """In place of the system's randomness."""
        self.drawn += 1
        return hashlib.sha512(b"%d %d %d" % (self.seed, self.step, self.drawn)).digest()[:size]

    def begin(self) -> None:
        Frozen.world = self
        code, _, err = self.hl("new", str(self.folder / "m"), "--from", str(self.folder / "m.toml"))
        assert code == 0, err
        for number, words in SETUPS[self.setup].script:
            before = self.copy.match().book.head
            self.play(number, words)
            assert words[0] != "hl" or before != self.copy.match().book.head, words

    def save(self) -> dict[str, Any]:
        kept = {}
        for name, one in self.copies.items():
            head = one.head.read_bytes() if one.head.exists() else None
            kept[name] = (one.log.read_bytes(), head, twin(one.app._match), dict(one.wrote))
        rest = {"now": self.now, "here": self.here, "notice": self.notice}
        lists = {"recorded": dict(self.recorded), "shown": list(self.shown), "known": self.known.copy()}
        return {"copies": kept, **rest, **lists}

    def put_back(self, saved: dict[str, Any]) -> None:
        Frozen.world = self
        self.now, self.here, self.notice, self.crashed = saved["now"], saved["here"], saved["notice"], ""
        self.recorded, self.shown, self.known = dict(saved["recorded"]), list(saved["shown"]), saved["known"].copy()
        for name in [*self.copies]:
            if name not in saved["copies"]:
                del self.copies[name]
        for name, (log, head, match, wrote) in saved["copies"].items():
            one = self.copies.setdefault(name, Copy(self.folder / name))
            overwrite(one.log, log)
            overwrite(one.head, head) if head is not None else one.head.unlink(missing_ok=True)
            one.app._match = twin(match)
            one.wrote = dict(wrote)

    def hl(self, *words: str) -> tuple[int, str, str]:
        """One command; what it wrote belongs to the present step."""
        app, out, err = self.copy.app, io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = ledger.cli.root.run(list(words), app)
        app.host_name = HOSTS[0]
        if code == 1:
            self.crashed = self.crashed or f"{' '.join(words)}: {err.getvalue().strip()}"
        return code, out.getvalue(), err.getvalue()

    def wrote(self, err: str) -> tuple[int, ...]:
        """Keep which entries a command says it wrote."""
        seqs: tuple[int, ...] = ()
        for found in RECORDED.finditer(err):
            seqs += tuple(range(int(found[1]), int(found[2] or found[1]) + 1))
        if seqs:
            self.copy.wrote[self.step] = self.copy.wrote.get(self.step, ()) + seqs
            entries = self.copy.match().book.entries
            self.recorded.update((entries[seq - 1].hash, self.step) for seq in seqs if seq <= len(entries))
        return seqs

    # ---- steps ---------------------------------------------------------------------------------------------------

    def play(self, number: int, words: Words) -> None:
        """Take one step. What it cannot do it leaves: a step may have lost what it was about.

        `hl ...`: a command; in its words `{5}` is the first entry that step 5 wrote here (`{5:1}` the next, `{5:-1}`
        the last), `{at:5:+1}` its time and a minute more, `{msg:-3}` a message of three minutes ago, `{card:ann}` a
        card that ann holds. `post notice|copy|done|drop WHICH`: texts are posted as the last command printed them, or
        from the outbox, recorded or not; or recorded as never to be posted. `receipt`, `final`: are printed and posted.
        `wait N`: minutes. `fork NAME`: the folder is copied; `go NAME`: on in that copy; `join NAME`. `cut N HOW`: the
        file is written anew without the lines from those of step N on; `forge DO JSON`: with one more ("@5": as `{5}`).
        """
        self.step, self.drawn = number, 0
        self.now += MINUTE if words[0] != "wait" else int(words[1]) * MINUTE
        try:
            getattr(self, f"_{words[0]}")(*words[1:])
        except _Lost:
            return
        except LedgerError:
            return  # the log cannot be read any more, and so nothing can be done here

    def _wait(self, _: str) -> None:
        self.shown.append(f"({_} minutes)")

    def _hl(self, *words: str) -> None:
        words = tuple(TOKEN.sub(self._resolved, word) for word in words)
        code, out, err = self.hl(*(str(self.folder / word) if word == "typed.toml" else word for word in words))
        if code == 0:
            self.shown.append(f"hl {' '.join(word if ' ' not in word else repr(word) for word in words)}")
        seqs = self.wrote(err) if code in (0, 2, 3) else ()
        notices = re.split(r"^--- to ", out, flags=re.MULTILINE)[1:]
        mine = [part.partition("\n")[2].strip() for part in notices if part.startswith("everybody\n")]
        if seqs:
            self.notice = (mine[0], self.here, seqs) if mine else None

    def _resolved(self, found: re.Match[str]) -> str:
        name, more = found[1], found[2]
        match = self.copy.match()
        if name == "msg":
            ms = self.now + int(more) * MINUTE
            return f"https://discord.com/channels/1/2/{(ms - 1_420_070_400_000) << 22}"
        if name == "card":
            hand = getattr(match.fold.state, "hands", {}).get(more)
            if not hand or not isinstance(hand[0], str):
                raise _Lost
            return str(hand[0])
        if name == "at":
            step, _, shift = more.rpartition(":")
            at = match.book.entries[self._seq(int(step)) - 1].body.at + int(shift) * MINUTE
            return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        return str(self._seq(int(name), int(more or 0)))

    def _seq(self, step: int, place: int = 0) -> int:
        seqs = self.copy.wrote.get(step, ())
        if not -len(seqs) <= place < len(seqs):
            raise _Lost
        return seqs[place]

    def _receipt(self) -> None:
        code, out, _ = self.hl("receipt")
        if code == 0:
            self.shown.append(f"POST the receipt of line {out.split()[2]}")
            self._published(out.split()[-1])

    def _final(self) -> None:
        code, out, _ = self.hl("final")
        match = self.copy.match()
        if code == 0 and match.table.status == "finished":
            self.shown.append("POST hl final")
            entry = match.book.entries[-1]
            self.known.finals.append(Told(out, entry.hash, frozenset({entry.seq}), self.step))

    def _post(self, how: str, which: str = "all") -> None:
        if how == "notice":
            if self.notice is None or self.notice[1] != self.here:
                raise _Lost
            text, _, seqs = self.notice
            self.shown.append(f"POST what was printed for everybody by #{seqs[0]}")
            self._read("", text, seqs[-1], frozenset(seqs))
            return
        items = [one for one in self._waiting() if one["audience"] == "public" and (which != "fix" or one["covers"])]
        for item in items if which in ("all", "fix") else items[:1] if which == "first" else items[-1:]:
            if how == "drop":
                _, _, err = self.hl("outbox", "drop", item["item"])
                self.shown.append(f"hl outbox drop {item['item']}")
                self.wrote(err)
                continue
            self.shown.append(f"POST text {item['item']}")
            seq = int(re.match(r"\d+", item["item"])[0])  # type: ignore[index]
            batch = frozenset(self.copy.match().fold.layout.batch(seq))
            self._read(item["item"], item["text"], seq, batch, item["covers"])
            if how == "done":
                _, _, err = self.hl("outbox", "done", item["item"])
                self.shown.append(f"hl outbox done {item['item']}")
                self.wrote(err)

    def _waiting(self) -> list[dict[str, Any]]:
        code, out, _ = self.hl("outbox", "-f", "json")
        found: list[dict[str, Any]] = json.loads(out)["items"] if code == 0 else []
        return found

    def _fork(self, name: str) -> None:
        if name == self.here:
            raise _Lost
        there = Copy(self.folder / name)
        there.folder.mkdir(exist_ok=True)
        overwrite(there.log, self.copy.log.read_bytes())
        there.head.unlink(missing_ok=True)
        if self.copy.head.exists():
            overwrite(there.head, self.copy.head.read_bytes())
        there.wrote = dict(self.copy.wrote)
        self.copies[name] = there
        self.shown.append(f"cp -r {self.here} {name}")

    def _go(self, name: str) -> None:
        if name not in self.copies or name == self.here:
            raise _Lost
        self.here = name
        self.shown.append(f"(go on in {name})")

    def _join(self, name: str) -> None:
        if name not in self.copies or name == self.here:
            raise _Lost
        there = self.copies[name]
        code, out, _ = self.hl("join", str(there.folder), "--yes", "--json")
        told = json.loads(out) if code == 0 else {}
        if told.get("ok"):
            self.shown.append(f"hl -g {self.here} join {name} --yes")
            numbers = {row["there"]: row["here"] for row in (*told["taken"], *told["same"])}
            for step, seqs in there.wrote.items():
                if step not in self.copy.wrote and all(seq in numbers for seq in seqs):
                    self.copy.wrote[step] = tuple(numbers[seq] for seq in seqs)

    def _import(self, *rows: str) -> None:
        text = "V,P,T,A\n" + "\n".join(TOKEN.sub(self._resolved, row) for row in rows) + "\n"
        (self.folder / "form.csv").write_text(text)
        form = (str(self.folder / "form.csv"), "--map", str(self.folder / "form.toml"))
        _, out, err = self.hl("import", *form, "--yes")
        if self.wrote(out + err):
            self.shown.append(f"hl import of {'; '.join(text.splitlines()[1:])}")

    def _cut(self, step: str, how: str) -> None:
        """The file anew, without its last lines; its head record is left, taken away or made to fit."""
        first = self._seq(int(step))
        lines = self.copy.log.read_bytes().splitlines(keepends=True)
        setup = 1 + len(PLAYERS)
        if not setup < first <= len(lines):
            raise _Lost
        self.copy.log.write_bytes(b"".join(lines[: first - 1]))
        self.copy.app._match = None
        if how != "keep":
            self.copy.head.unlink(missing_ok=True)
        if how == "accept":
            self.hl("receipt", "--accept", "--yes")
        kept = {n: tuple(s for s in seqs if s < first) for n, seqs in self.copy.wrote.items()}
        self.copy.wrote = {n: seqs for n, seqs in kept.items() if seqs}
        self.notice = None
        self.shown.append(f"CUT the log before line {first}, head record: {how}")

    def _forge(self, do: str, args: str) -> None:
        """A line that no command writes, with seal, chain and head record as they must be."""
        given = json.loads(re.sub(r'"@(-?\d+)"', lambda found: str(self._seq(int(found[1]))), args))
        entry = self.copy.match().book.entries[-1]
        when = datetime.fromtimestamp(self.now / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        if do == "amend" and isinstance(given.get("target"), int):
            old = self.copy.match().book.entries[given["target"] - 1].body.args
            given["args"] = self._redrawn({**old, **given["args"]}, given["target"])
        body = json.dumps(
            {"args": given, "at": when, "by": HOSTS[0], "do": do, "recorded": when}, sort_keys=True,
            separators=(",", ":"),
        )  # fmt: skip
        seq = entry.seq + 1
        line, sealed = write_line(seq, entry.hash, self.random(16).hex(), body.encode())
        overwrite(self.copy.log, self.copy.log.read_bytes() + line)
        self.copy.head.unlink(missing_ok=True)
        self.hl("receipt", "--accept", "--yes")
        self.copy.app._match = None
        self.copy.wrote[self.step] = (seq,)
        self.recorded[sealed] = self.step
        self.shown.append(f"FORGE line {seq}: {do} {json.dumps(given)}")

    def _redrawn(self, args: dict[str, Any], target: int) -> dict[str, Any]:
        """A draw with another seed that fits it, if it is one."""
        if "among" in args and args.get("seed"):
            for n in range(64):
                seed = hashlib.sha256(b"%d" % n).digest()
                words = check_deal.stream(check_deal.mixed(seed), f"lot:{target}")
                outcome = args["among"][check_deal.below(words, len(args["among"]))]
                if outcome != args["outcome"]:
                    return {**args, "seed": seed.hex(), "outcome": outcome}
        return args

    # ---- what the public learns ------------------------------------------------------------------------------------

    def _published(self, receipt: str) -> None:
        """A receipt is out: all draws up to its line are pinned as they counted there."""
        self.known.receipts.setdefault(receipt, self.step)
        match = self.copy.match()
        line = next((entry.seq for entry in match.book.entries if entry.hash == receipt), 0)
        for question, (value, seqs) in draws(match.as_known(line)).items() if line else ():
            self.known.pinned.setdefault(question, Pinned(value, seqs, self.step))

    def _read(self, item: str, text: str, seq: int, seqs: frozenset[int], covers: Sequence[str] = ()) -> None:
        """A text is out: what a reader takes from it."""
        if (item, text) in self.known.named:
            return
        self.known.named.add((item, text))
        match = self.copy.match()
        line = match.book.entries[seq - 1].hash
        lines = [one for one in text.splitlines() if one.strip()]
        if lines and (receipt := RECEIPT.fullmatch(lines[-1])):
            lines.pop()
            self._published(receipt[1])
        if covers:
            for name in covers:
                its = match.fold.layout.batch(int(re.match(r"\d+", name)[0]))  # type: ignore[index]
                self.known.corrected.update((match.book.entries[n - 1].hash, self.step) for n in its)
            found = (re.fullmatch(r"- True now(?: \(.*?\))?: (.*)", one) for one in lines)
            lines = [f"- {line[1]}" for line in found if line]
        self.known.texts.append(Told(tuple(self._backed(match, lines, seq)), line, seqs, self.step))
        told = "\n".join(lines)
        for found in COMMITTED.finditer(told):
            self.known.commitments.append(Told(found[1], line, seqs, self.step))
        ids = {seat.name: player for player, seat in match.table.seats.items()}
        for name, words in ADDED.findall(told):
            self.known.words.append(Told((ids.get(name, name.lower()), words), line, seqs, self.step))

    def _backed(self, match: Match, lines: Sequence[str], seq: int) -> Iterator[str]:
        """The lines that the log gave with no more than what the receipt of their command covers.

        Of the others no receipt says anything: they are held against the log where it says that they were posted.
        """
        known = match.as_known(match.fold.layout.batch(seq)[-1])
        items = collect(known, known.book.entries).values()
        said = {line for item in items if item.audience == "public" for line in item.text.splitlines()}
        return (line for line in lines if line in said)

    # ---- what the stranger runs --------------------------------------------------------------------------------------

    def verify(self, *where: str) -> dict[str, Any]:
        """`hl verify --receipts` with all that was published."""
        found: tuple[str, ...] = ()
        if self.known.receipts:
            (self.folder / "chat.txt").write_text("\n".join(self.known.receipts) + "\n")
            found = ("--receipts", str(self.folder / "chat.txt"))
        code, out, err = self.hl(*where, "verify", *found, "-f", "json")
        self.copy.app.match_name = str(self.copy.folder)
        told: dict[str, Any] = json.loads(out)
        assert (code == 0) == (not told.get("findings", True)), (code, out, err)
        return told

    def redacted_verifies(self) -> bool:
        """Is the copy for the public without a finding?"""
        path = str(self.folder / "public.jsonl")
        code, _, _ = self.hl("redact", "--for", "public", "-o", path, "--overwrite")
        return code == 0 and not self.verify("-g", path)["findings"]

    def second(self) -> str:
        """docs/check_deal.py; nothing of a log that was joined, which is not for it."""
        try:
            told: str = check_deal.main(str(self.copy.log))
        except Exception as error:
            return f"WRONG: {type(error).__name__}: {error}"
        return told


class _Lost(Exception):
    """A step has nothing to act on."""


class Frozen:
    """The clock, the randomness, the disk's flushing and the making of commands, as they are needed. A context."""

    world: World

    def __enter__(self) -> Frozen:
        disk, root = events.disk.DISK, ledger.cli.root
        made: dict[Any, Any] = {}
        find = root.Root.get_command

        def remembered(hl: Any, ctx: Any, verb: str) -> Any:
            """Commands are made from records; the same few are wanted again and again."""
            game = ctx.obj._match.game.name if ctx.obj._match is not None else ""
            if not game:
                return find(hl, ctx, verb)
            if (game, verb) not in made:
                made[game, verb] = find(hl, ctx, verb)
            return made[game, verb]

        self.stack = contextlib.ExitStack()
        for where, name, value in (
            (ledger.core.clock, "time", SimpleNamespace(time=lambda: Frozen.world.now / 1000)),
            (ledger.core.clock.OsLuck, "seed", lambda luck: Frozen.world.random(32)),
            (root.Root, "get_command", remembered),
            (disk, "random", lambda size: Frozen.world.random(size)),
            (disk, "fsync", lambda fd: None),
        ):
            self.stack.enter_context(patch.object(where, name, value))
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()
