"""An adversary: a host who holds everything and wants another match than the one that the public was told of.

The law: whatever a host does after something was published, `verify` with every published receipt either still tells
the whole truth to a stranger, or has a finding. This draws sequences of commands at random and looks for one that
verifies while a draw, its words or a posted text is no longer what was published first, and nobody says so.

    python tests/reliability/adversary.py [--seed N] [--sequences N] [--seconds S] [--game NAME]

What the stranger holds (`Known`): texts for everybody, as they were posted (from the outbox, or copied from what a verb
printed), and published receipts. With a receipt he holds, sealed, every draw up to that line (`pinned`). At the end he
gets the log, runs `verify --receipts`, docs/check_deal.py and `final`.

The oracle (`differences`, `speaks`) keeps what was published first and compares it with what counts at the end: the
commitment, the words in their order, the hands with which play began (drawn once more by docs/check_deal.py, which
shares nothing with the ledger), lots, draws and resolved rounds, every sentence of a posted text. A difference that a
finding, a remark, a line of `not_checked` or docs/check_deal.py speaks of is no violation. A sentence speaks of it when
it names the entry that made it, or the one concerned and that something was done to it.

Held to be no violation: what only a text posted by hand could prove, when the log was cut before it (docs/audit.md,
"What is not proved"); a lot tried in a copy before anything was published; a text whose correction was posted (but a
draw stays what it was: a posted correction says that it is another, and `verify` must say so too).

Two things make it quick: everything runs in one process on one fold kept from command to command, and several endings
are tried after each beginning, from a saved point, as a host can try many copies.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import hashlib
import importlib.util
import io
import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import events.disk  # noqa: E402
import ledger.cli.root  # noqa: E402
import ledger.core.clock  # noqa: E402
from events import LedgerError  # noqa: E402
from ledger.cli.app import App  # noqa: E402
from ledger.core.live import late_entries  # noqa: E402
from ledger.core.match import Match  # noqa: E402
from ledger.tell.texts import collect  # noqa: E402

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
TELLS = ("post", "receipt", "final", "wait", "fork")
"""Steps that change nothing in the log, or only that something was posted."""

_spec = importlib.util.spec_from_file_location("check_deal", ROOT / "docs" / "check_deal.py")
assert _spec is not None and _spec.loader is not None
check_deal = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_deal)


Words = tuple[str, ...]
Script = tuple[tuple[int, Words], ...]
"""Steps, each with a number of its own: it stays when others are taken out. See `World.play` for what a step may be."""


def match_file(game: str, settings: str = "") -> str:
    people = "\n".join(f"{p} = {{ garnets = {i % 3} }}" for i, p in enumerate(PLAYERS))
    hosts = json.dumps(HOSTS)
    return f'game = "{game}"\nhosts = {hosts}\n[players]\n{people}\n[settings]\nallow_odd_roster = true\n{settings}'


class Setup(NamedTuple):
    """A match file, and what has happened before the adversary begins. Those steps have numbers below zero."""

    file: str
    opening: tuple[str, ...] = ()

    @property
    def script(self) -> Script:
        return tuple((n - len(self.opening), tuple(line.split())) for n, line in enumerate(self.opening))


OPEN_HANDS = '[settings.visibility]\ndealt_hands = "everybody_after_end"\n'
WORDS_TOLD = ("hl commit", "post done", "hl word ann w1", "hl word bob w2", "post done")
SETUPS = {
    "equilibrium": Setup(match_file("equilibrium")),
    "equilibrium committed": Setup(match_file("equilibrium"), WORDS_TOLD),
    "equilibrium dealt": Setup(match_file("equilibrium", OPEN_HANDS), (*WORDS_TOLD, "hl deal", "receipt")),
    "equilibrium opened": Setup(match_file("equilibrium"), ("hl deal", "hl open", "post done")),
    "equilibrium tied": Setup(
        match_file("equilibrium", 'tol_conditions = ["best_er"]\n'),
        ("hl deal --from typed.toml", "hl open", "hl close", "hl close vote", "post done"),
    ),
    "marsmatch": Setup(match_file("marsmatch")),
    "marsmatch drawn": Setup(match_file("marsmatch"), ("hl commit", "hl draw", "post done")),
    "polar": Setup(match_file("polar", "rounds = 1\n")),
    "polar resolved": Setup(match_file("polar", "rounds = 1\n"), ("hl open", "hl resolve --yes --early", "post done")),
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
        live = outcome.live
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
        seq, salt = entry.seq + 1, self.random(16).hex()
        seal = hashlib.sha256(f"{salt}\n{body}".encode()).hexdigest()
        line = f'{{"seq":{seq},"prev":"{entry.hash}","seal":"{seal}","salt":"{salt}","body":{body}}}\n'
        overwrite(self.copy.log, self.copy.log.read_bytes() + line.encode())
        self.copy.head.unlink(missing_ok=True)
        self.hl("receipt", "--accept", "--yes")
        self.copy.app._match = None
        self.copy.wrote[self.step] = (seq,)
        self.recorded[chain(line.encode())[0]] = self.step
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
            lines = [one.replace("- Instead: ", "- ", 1) for one in lines if one.startswith("- Instead: ")]
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
        find = root.find

        def remembered(app: App, verb: str, words: Sequence[str] = ()) -> Any:
            """Commands are made from records; the same few are wanted again and again."""
            game = app._match.game.name if app._match is not None else ""
            if not game:
                return find(app, verb, words)
            if (game, verb) not in made:
                made[game, verb] = find(app, verb, words)
            return made[game, verb]

        self.stack = contextlib.ExitStack()
        for where, name, value in (
            (ledger.core.clock, "time", SimpleNamespace(time=lambda: Frozen.world.now / 1000)),
            (ledger.core.clock.OsLuck, "seed", lambda luck: Frozen.world.random(32)),
            (root, "find", remembered),
        ):
            self.stack.callback(setattr, where, name, getattr(where, name))
            setattr(where, name, value)
        for name, value in (("random", lambda size: Frozen.world.random(size)), ("fsync", lambda fd: None)):
            setattr(disk, name, value)
            self.stack.callback(delattr, disk, name)
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()


# ---- the oracle ----------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """Something counts now that is not what the public was told first."""

    datum: str
    what: str
    told: str
    by: frozenset[int]
    """Entries that made it so."""
    of: frozenset[int]
    """Entries that it happened to."""
    says: tuple[str, ...] = ()
    """What a sentence can quote that tells the truth."""


def corrections_of(match: Match, seqs: frozenset[int]) -> frozenset[int]:
    """The entries that correct any of these."""
    found: set[int] = set()
    for seq, _, body in match.fold.layout.about:
        target = body.args.get("target")
        if not isinstance(target, int):
            continue
        if body.do == "redo":
            found.update({seq} if target in found else ())
        elif body.do in ("undo", "amend") and seqs & {target, *match.fold.layout.batch(target)}:
            found.add(seq)
    return frozenset(found)


def differences(world: World) -> list[Difference]:
    """What of the things that were published no longer holds, in the copy that is shown at the end."""
    match, known = world.copy.match(), world.known
    entries = match.book.entries
    there = {entry.hash for entry in entries} | {entry.body.once for entry in entries}
    now = draws(match)
    return [
        *_pinned(match, known, now),
        *_committed(world, match, known, there, now),
        *(_texts(match, known, there) or _drifted(world, match)),
        *_finals(world, match, known, there),
    ]


def _pinned(match: Match, known: Known, now: dict[Any, Any]) -> Iterator[Difference]:
    entries = {entry.hash for entry in match.book.entries}
    for question, (value, seqs, _) in known.pinned.items():
        datum = {"decision": "lot"}.get(question[0], question[0])
        if question not in now:
            if question[0] == "lot" and question[1] in entries:
                yield Difference(datum, "taken back", str(value), corrections_of(match, seqs), seqs)
            continue
        present, its = now[question]
        if present == value:
            continue
        by = corrections_of(match, seqs | its) | (its - seqs)
        yield Difference(datum, "drawn anew", f"{value}, now {present}", by, seqs, (f"{present}",))


def _seed_behind(match: Match, commitment: str | None) -> str | None:
    """The seed in the log that this commitment was made of."""
    for entry in match.book.entries:
        if entry.body.do == "seed":
            seed = bytes.fromhex(entry.body.args["seed"])
            whole = b"hl-deal-v1\0" + match.book.game_id.encode() + b"\0" + seed
            if hashlib.sha256(whole).hexdigest() == commitment:
                return seed.hex()
    return None


def _committed(
    world: World, match: Match, known: Known, there: set[str | None], now: dict[Any, Any]
) -> Iterator[Difference]:
    """The deal against the commitment and the words as they were told."""
    told = [one for one in known.commitments if one.line in there]
    if ("deal", 0) not in now or not told:
        return
    hands, its = now["deal", 0]
    counting = [o.live for o in match.fold.outcomes if o.refusal is None]
    dealt = next(live for live in counting if live.do == "deal")
    if dealt.args["method"] != "drawn":
        return  # verify always says so; what was told of it is for `_pinned`
    named = {entry.hash: entry for entry in match.book.entries}
    first = told[0]
    commit = named.get(str(dealt.args.get("commitment")))
    present = commit.body.args.get("commitment") if commit is not None else None
    if present != first.what:
        other = {entry.seq for entry in match.book.entries if entry.body.do == "commit"} - first.seqs
        by = corrections_of(match, first.seqs) | other | {dealt.seq}
        yield Difference("deal", "of another commitment", f"{first.what}, now {present}", by, first.seqs)
    mixed = [named[line] for line in dealt.args.get("words", ()) if line in named]
    words = [((entry.body.args["player"], entry.body.args["text"]), entry.seq) for entry in mixed]
    counted = [said for said, _ in words]
    for one in known.words:
        if one.line in there and one.what not in counted and min(one.seqs) < dealt.seq:
            yield Difference("words", "left out", str(one.what), corrections_of(match, one.seqs), one.seqs)
    said = {one.what: one for one in reversed(known.words)}
    for i, (one, seq) in enumerate(words):
        if one not in said:
            by = corrections_of(match, frozenset({seq})) | {seq}
            yield Difference("words", "that nobody was told", str(one), by, frozenset(), (one[1],))
        step = world.recorded.get(match.book.entries[seq - 1].hash, 0)
        for after, late in words[i + 1 :]:
            if after in said and said[after].step < step:
                by = corrections_of(match, frozenset({seq, late})) | {seq}
                yield Difference("words", "in another order", f"{after}, then {one}", by, frozenset({late}))
    seed = dealt.args.get("seed") or _seed_behind(match, present)
    if seed is None:
        return
    each = dealt.args["draw"]["each"]
    deck = [card for card, copies in dealt.args["draw"]["deal"] for _ in range(copies)]
    mixing = counted if "seed" not in dealt.args else []
    cards = check_deal.shuffled(deck, check_deal.stream(check_deal.mixed(bytes.fromhex(seed), mixing), "deal"))
    drawn = {p: tuple(sorted(cards[each * i : each * (i + 1)])) for i, p in enumerate(PLAYERS)}
    if drawn != hands:
        wrong = [p for p in PLAYERS if drawn[p] != hands.get(p)]
        by = corrections_of(match, its) | {seq for seq in its if match.book.entries[seq - 1].body.do == "override"}
        yield Difference("deal", "other hands than the seed's", f"those of {', '.join(wrong)}", by, its)


def _texts(match: Match, known: Known, there: set[str | None]) -> list[Difference]:
    """Posted sentences that no text for everybody says now."""
    if not known.texts:
        return []
    found: list[Difference] = []
    items = collect(match, match.book.entries).values()
    said = {line for item in items if item.audience == "public" for line in item.text.splitlines()}
    entries = match.book.entries
    late = late_entries(entries, match.fold.layout)
    for one in known.texts:
        if one.line not in there:
            continue
        caused = next(entry.seq for entry in entries if one.line in (entry.hash, entry.body.once))
        seqs = frozenset(match.fold.layout.batch(caused))
        gone = [line for line in one.what if line not in said]
        if not gone or any(known.corrected.get(entries[seq - 1].hash, -99) > one.step for seq in seqs):
            continue
        after = [entry for entry in entries if entry.seq > min(seqs)]
        by = {entry.seq for entry in after if entry.body.do in ("undo", "redo", "amend") or entry.seq in late}
        of = {t for entry in after if isinstance(t := entry.body.args.get("target"), int)} | seqs
        found.append(Difference("text", entries[caused - 1].body.do, gone[0], frozenset(by), frozenset(of)))
    return found


def _drifted(world: World, match: Match) -> Iterator[Difference]:
    """What the outbox itself would correct of what stands in the public channel."""
    about = match.fold.layout.about
    if not any(entry.body.do == "posted" for entry in about):
        return
    late = late_entries(match.book.entries, match.fold.layout)
    by = {entry.seq for entry in about if entry.body.do in ("undo", "redo", "amend")} | late
    if not by:
        return
    code, out, _ = world.hl("drift", "-f", "json")
    for row in json.loads(out)["drift"] if code == 0 else ():
        if row["channel"] == "the public channel":
            seq = int(re.match(r"\d+", row["item"])[0])  # type: ignore[index]
            of = {t for entry in about if isinstance(t := entry.body.args.get("target"), int)} | {seq}
            told = f"{row['item']}: {row['what']}"
            cause = match.book.entries[seq - 1].body.do
            yield Difference("text", cause, told, frozenset(by), frozenset(of), (row["item"],))


def _finals(world: World, match: Match, known: Known, there: set[str | None]) -> Iterator[Difference]:
    """`final` for everybody: of the commitment it says what was told first, and it is what was posted before."""
    told = [one for one in known.commitments if one.line in there]
    if match.table.status != "finished" or not (told or known.finals):
        return
    _, out, _ = world.hl("final")
    named = AS_FINAL.search(out)
    if told and named and named[1] != told[0].what:
        by = corrections_of(match, told[0].seqs)
        by |= {e.seq for e in match.book.entries if e.body.do == "commit" and e.seq not in told[0].seqs}
        yield Difference("final", "names another commitment", f"{told[0].what}, now {named[1]}", by, told[0].seqs)
    for one in known.finals:
        if one.line in there and one.what != out:
            late = late_entries(match.book.entries, match.fold.layout)
            after = [e for e in match.book.entries if e.seq > max(one.seqs) and e.body.do != "posted"]
            by = frozenset(e.seq for e in after)
            lines = set(out.splitlines())
            gone = next((line for line in one.what.splitlines() if line not in lines), "something was added")
            targets = {t for e in after if isinstance(t := e.body.args.get("target"), int)}
            if any(e.body.do in ("undo", "redo", "amend") or e.seq in late for e in after):
                yield Difference("final", "says something else", gone, by, frozenset(targets))


def speaks(sentence: str, of: Difference) -> bool:
    """Does a sentence of `verify` tell of this difference?"""
    numbers = {int(word) for word in re.findall(r"(?<![\w.:-])#?(\d{1,5})(?![\w:-])", sentence)}
    if numbers & of.by or any(word in sentence for word in of.says if len(word) > 3):
        return True
    if "a host decided" in sentence and of.datum == "deal":
        return True
    return bool(numbers & of.of and DONE_TO.search(sentence))


class Violation(NamedTuple):
    datum: str
    what: str
    told: str


def judge(world: World, doubts: bool = False) -> list[Violation]:
    """What verify keeps silent about. `doubts`: also what is odd without being a violation."""
    if world.crashed:
        return [Violation("crash", "unexpected error", world.crashed)]
    missing = set(world.known.receipts) - set(chain(world.copy.log.read_bytes()))
    try:
        found = differences(world)
    except LedgerError as error:
        told = world.verify()
        return [] if told["findings"] else [Violation("log", "verifies and cannot be read", error.what)]
    world.differs = bool(missing or found)
    if not (world.differs or doubts):
        return []
    answer = world.verify()
    joined = any(entry.body.do == "join" for entry in world.copy.match().book.entries)
    second = "" if joined else world.second()
    if doubts and not answer["findings"] and second.startswith("WRONG"):
        return [Violation("doubt", "check_deal disagrees with verify", second)]
    if answer["findings"]:
        silent = missing and world.redacted_verifies()
        return [Violation("receipt", "unknown, and the copy for the public verifies", min(missing))] if silent else []
    if missing:
        return [Violation("receipt", "unknown, and verified", min(missing))]
    sentences = [*answer.get("remarks", ()), *(s for s in answer["not_checked"] if not s.startswith(UNSPEAKING))]
    unsaid = []
    for one in found:
        wrong = second.startswith("WRONG") and one.datum in ("deal", "words", "lot", "draw", "resolve")
        if not (wrong or any(speaks(sentence, one) for sentence in sentences)):
            unsaid.append(Violation(one.datum, one.what, one.told))
    return unsaid


# ---- what the host does --------------------------------------------------------------------------------------------


class Adversary:
    """Draws the next step, with an eye on what the match allows now."""

    def __init__(self, luck: random.Random, world: World) -> None:
        self.luck, self.world = luck, world
        self.verb = {n: words[1] if words[0] == "hl" else words[0] for n, words in SETUPS[world.setup].script}
        """Step -> the verb of it, where it was a command."""
        self.planned: list[Words] = []

    def next(self, number: int, *, calm: bool = False) -> Words:
        words = self.planned.pop(0) if self.planned else self._drawn(calm)
        self.verb[number] = words[1] if words[0] == "hl" else words[0]
        return words

    def _drawn(self, calm: bool) -> Words:
        luck, world = self.luck, self.world
        try:
            match = world.copy.match()
        except LedgerError:
            return luck.choice([("hl", "receipt", "--accept", "--yes"), ("go", "c1"), ("go", "m"), ("go", "c2")])
        if calm:
            return luck.choice([self._forward, self._forward, self._publish, self._lot])(match)
        kinds = [
            (22, self._forward), (16, self._correct), (14, self._publish), (10, self._power), (7, self._copies),
            (5, self._lot), (2, self._write_anew), (2, self._odd),
        ]  # fmt: skip
        return luck.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0](match)

    def ref(self, *verbs: str) -> int | None:
        """A step that wrote something here, of these verbs if any are given; rather one that is worth changing."""
        listed = [n for n in self.world.copy.wrote if n in self.verb and (not verbs or self.verb[n] in verbs)]
        if not listed:
            return None
        dear = [n for n in listed if self.verb[n] in ("commit", "word", "deal", "lot", "draw", "resolve", "open")]
        return self.luck.choice(dear if dear and self.luck.random() < 0.6 else listed)

    def player(self) -> str:
        return self.luck.choice(PLAYERS)

    def options(self, words: Words, *, plain: bool = False) -> Words:
        """With what else a host may type."""
        luck, more = self.luck, ["--yes"]
        if not plain and luck.random() < 0.2:
            ref = self.ref()
            near = f"{{at:{ref}:{luck.choice(['+1', '-1', '+0', '+2'])}}}" if ref is not None else "-2m"
            more += ["--at", luck.choice([f"-{luck.randint(1, 40)}m", near, near])]
        elif not plain and luck.random() < 0.06:
            more += ["--msg", f"{{msg:-{luck.randint(0, 20)}}}"]
        if not plain and luck.random() < 0.08:
            more += ["--force"]
        for option, value, odds in (("--note", "so", 0.03), ("--once", f"k{luck.randint(1, 3)}", 0.03)):
            if luck.random() < odds:
                more += [option, value]
        if luck.random() < 0.15:
            more += ["--as", HOSTS[1]]
        return (*words, *more)

    def _forward(self, match: Match) -> Words:
        """The match goes on, as its game wants it."""
        table, luck = match.table, self.luck
        game, here = table.game, table.status
        steps: list[tuple[float, Words]] = []
        if here == "setup":
            dealt = any(o.live.do == "deal" and o.refusal is None for o in match.fold.outcomes)
            if game != "polar":
                steps += [(5 if table.commitment is None else 0.3, ("hl", "commit"))]
                word = ("hl", "word", self.player(), f"w{luck.randint(100, 999)}")
                steps += [(3.5 if table.commitment else 0.3, word)]
                steps += [(3, ("hl", "deal")), (0.4, ("hl", "deal", "--from", "typed.toml"))]
            if game == "marsmatch":
                steps += [(4 if getattr(match.fold.state, "banker", None) is None else 0.2, ("hl", "draw"))]
            steps += [(4 if dealt or game == "polar" else 0.3, ("hl", "open"))]
        elif game == "polar":
            rooms, signs = ("rock", "paper", "scissors", "blank"), ("+", "-", "blank")
            start = ("hl", "start", self.player(), luck.choice(rooms), luck.choice(signs), "confetti", "double")
            steps += [(2, start), (2, ("hl", "close")), (4, ("hl", "resolve")), (1, ("hl", "reopen"))]
        else:
            a, b = luck.sample(PLAYERS, 2)
            if game == "equilibrium":
                steps += [(3, ("hl", "trade", a, f"{{card:{a}}}", b, f"{{card:{b}}}"))]
                steps += [(0.5, ("hl", "lock", a)), (0.5, ("hl", "recolour", a, f"{{card:{a}}}"))]
            else:
                steps += [(1, ("hl", "timeout", a)), (1, ("hl", "pass", a))]
            steps += [(2.5, ("hl", "close")), (1, ("hl", "reopen")), (0.5, ("wait", "130"))]
        steps += [(0.4, ("hl", "vote", *luck.sample(PLAYERS, 2))), (0.5, ("wait", str(luck.choice([0, 1, 30, 200]))))]
        words = luck.choices([step for _, step in steps], [weight for weight, _ in steps])[0]
        return words if words[0] != "hl" else self.options(words)

    def _lot(self, match: Match) -> Words:
        luck = self.luck
        among = luck.sample(PLAYERS, luck.choice([2, 3]))
        typed = ("--outcome", luck.choice(among)) if luck.random() < 0.15 else ()
        return self.options(("hl", "lot", *(among if luck.random() < 0.9 else ()), *typed))

    def _correct(self, match: Match) -> Words:
        luck = self.luck
        kind = luck.random()
        undone = self.ref("undo")
        if undone is not None and kind < 0.15:
            return self.options(("hl", "redo", f"{{{undone}}}"), plain=True)
        if (ref := self.ref()) is None:
            return ("wait", "1")
        if kind < 0.6:
            verb = self.verb[ref]
            again: dict[str, Words] = {
                "deal": ("hl", "deal"), "commit": ("hl", "commit"), "draw": ("hl", "draw"),
                "resolve": ("hl", "resolve"), "open": ("hl", "open"), "close": ("hl", "close"),
                "lot": ("hl", "lot", *luck.sample(PLAYERS, 2)),
                "word": ("hl", "word", self.player(), f"w{luck.randint(100, 999)}"),
            }  # fmt: skip
            if verb in again and luck.random() < 0.6:
                self.planned.append(self.options(again[verb]))
                if verb in ("word", "commit", "open") and luck.random() < 0.6:
                    deal = self.ref("deal")
                    if deal is not None:
                        self.planned.insert(0, self.options(("hl", "undo", f"{{{deal}}}"), plain=True))
                        self.planned.append(self.options(("hl", "deal")))
            return self.options(("hl", "undo", f"{{{ref}}}"), plain=True)
        if kind < 0.95:
            return self.options(("hl", "amend", *self._amended(ref)), plain=True)
        return self.options(("hl", "confirm", f"{{{ref}}}"), plain=True)

    def _amended(self, ref: int) -> Words:
        """A correction of a step: of a field that its verb has, or of its time."""
        luck, verb, other = self.luck, self.verb[ref], self.ref()
        times = [f"at=-{luck.randint(1, 40)}m", f"at={{at:{other}:{luck.choice(['+1', '-1', '+0'])}}}"]
        some = {
            "word": [f"text=w{luck.randint(100, 999)}", f"player={self.player()}"],
            "lot": [f"outcome={self.player()}", f"among={','.join(luck.sample(PLAYERS, 2))}"],
            "deal": ["method=typed", "method=drawn", "cards=R1 B1 R2 B2 R3", f"player={self.player()}"],
            "commit": [f"commitment={'ab' * 32}", f"seed={'cd' * 32}"],
            "draw": [f"banker={self.player()}", f"seats={','.join(luck.sample(PLAYERS, 3))}"],
            "resolve": ["drawn=ann rock +", f"order={','.join(luck.sample(PLAYERS, 3))}"],
            "start": ["room=paper", "sign=+", f"player={self.player()}"],
            "ruling": ["text=other"], "note": ["text=other"], "award": ["amount=2"], "replace": ["name=Zed"],
            "drop": [f"player={self.player()}"], "override": ["value=3"], "trade": [f"a={self.player()}"],
            "close": ["phase=vote"], "reopen": ["phase=trading"], "deadline": ["when=+3h"],
            "amend-setting": ["value=1"], "vote": [f"candidate={self.player()}"],
        }.get(verb, [])  # fmt: skip
        place = luck.choice(["", ":1", ":-1"]) if verb in ("deal", "commit") else ""
        return (f"{{{ref}{place}}}", luck.choice(some if some and luck.random() < 0.6 else times))

    def _publish(self, match: Match) -> Words:
        which = self.luck.choice(["all", "all", "all", "first", "last", "fix"])
        return self.luck.choices(
            [("post", "done", which), ("post", "notice"), ("post", "copy", which), ("post", "drop", which),
             ("receipt",), ("final",)],
            [5, 3, 2, 1, 3, 1 if match.table.status == "finished" else 0],
        )[0]  # fmt: skip

    def _power(self, match: Match) -> Words:
        """What hosts may do in every game."""
        luck, p, ref = self.luck, self.player(), self.ref()
        about = ("--about", f"{{{ref}}}") if ref is not None and luck.random() < 0.5 else ()
        setting = luck.choice([
            "trading_hours=3", "er_metric=value", "garnet_hands=flush", "visibility.final_hands=host", "vote_hours=5",
            "rounds=2", "round_hours=5", "garnet_cap=1", "visibility.rooms=host", "visibility.points=host",
        ])  # fmt: skip
        listed: list[Words] = [
            ("note", "hm", *about), ("ruling", "so be it", *about), ("override", "garnets", p, "2"), ("drop", p),
            *4 * [("override", "hand", p, "R1 B1 R2 B2 R3")], ("replace", p, luck.choice(["Zoe", "Yan"])), ("close",),
            ("award", p, luck.choice(["garnets", "tokens"]), "1"), ("deadline", luck.choice(["+1h", "+9h"])),
            ("reopen",), ("reopen", luck.choice(["trading", "vote", "lot", "r1", "pregame"])), ("pause",), ("resume",),
            ("close", luck.choice(["pregame", "trading", "vote"])), ("penalty", p), ("breach", p),
            ("alias", p, "sunny"), ("amend-setting", setting),
        ]  # fmt: skip
        return self.options(("hl", *luck.choice(listed)))

    def settling(self) -> Words | None:
        """Rule on what is contested, so that it is none of verify's findings. None: nothing is."""
        try:
            match = self.world.copy.match()
        except LedgerError:
            return None
        contested = {outcome.live.seq for outcome in match.fold.contested}
        for number, seqs in self.world.copy.wrote.items() if contested else ():
            for place, seq in enumerate(seqs):
                if seq in contested:
                    return ("hl", "ruling", "so be it", "--about", f"{{{number}:{place}}}", "--yes")
        return None

    def _copies(self, match: Match) -> Words:
        names = ["m", "c1", "c2"]
        others = [name for name in self.world.copies if name != self.world.here]
        free = [name for name in names if name != self.world.here]
        if not others or self.luck.random() < 0.3:
            return ("fork", self.luck.choice(free))
        return (self.luck.choice(["go", "go", "join"]), self.luck.choice(others))

    def _write_anew(self, match: Match) -> Words:
        """Past all commands: with an editor."""
        if (ref := self.ref()) is None:
            return ("wait", "1")
        lot = self.ref("lot")
        if lot is not None and self.luck.random() < 0.4:
            return ("forge", "amend", json.dumps({"target": f"@{lot}", "args": {}}))
        if self.luck.random() < 0.3:
            return ("forge", self.luck.choice(["undo", "undo", "redo"]), json.dumps({"target": f"@{ref}"}))
        return ("cut", str(ref), self.luck.choice(["keep", "remove", "accept", "accept"]))

    def _odd(self, match: Match) -> Words:
        luck, ref = self.luck, self.ref()
        if luck.random() < 0.4 or ref is None:
            return ("hl", "anchor", f"{{msg:-{luck.randint(0, 5)}}}", "--yes")
        when = f"{{at:{ref}:{luck.choice(['+1', '-1', '+0'])}}}"
        rows = [f"word,{self.player()},w{luck.randint(100, 999)},{when}", f"drop,{self.player()},,{when}"]
        return ("import", luck.choice(rows))


# ---- the search ----------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """One way to deceive a stranger."""

    datum: str
    what: str
    verbs: tuple[str, ...]
    """What the host does in the smallest script once something is published."""
    game: str
    told: str
    script: tuple[str, ...]
    """As it can be typed."""
    steps: Script
    sequence: int
    """The how manyeth sequence showed it first."""

    def __str__(self) -> str:
        lines = [f"{self.datum}: {self.what}, by {' + '.join(self.verbs) or 'nothing more'}"]
        lines += [f"    {line}" for line in (f"{self.game}, sequence {self.sequence}", *self.script)]
        return "\n".join([*lines, f"    -> nobody says: {self.told}"])


class Search:
    """Where matches are played, and how long: `seconds` of the processor in all, `patience` to shrink a script.

    Attributes:
        sequences: How many were tried; of these `differing`, in which something is not what the public was told first.
        kinds: What was found.
    """

    BRANCHES = 8

    def __init__(
        self,
        folder: Path,
        games: Sequence[str] = tuple(SETUPS),
        seconds: float = 1e9,
        patience: float = 5,
        doubts: bool = False,
        say: Callable[[str], object] = lambda line: None,
    ) -> None:
        self.folder, self.games, self.patience, self.doubts, self.say = folder, games, patience, doubts, say
        self.until = time.process_time() + seconds
        self.worlds: dict[str, tuple[World, dict[str, Any]]] = {}
        self.sequences = self.steps = self.differing = 0
        self.kinds: dict[tuple[Any, ...], Kind] = {}
        self.seen: dict[tuple[str, str, frozenset[str]], int] = {}

    def world(self, setup: str) -> World:
        """A match just made."""
        if setup not in self.worlds:
            made = World(self.folder / setup.replace(" ", "_"), setup)
            made.begin()
            self.worlds[setup] = (made, made.save())
        world, saved = self.worlds[setup]
        world.put_back(saved)
        return world

    def over(self) -> bool:
        return time.process_time() > self.until

    def play(self, setup: str, seed: int, script: Script) -> World:
        world = self.world(setup)
        world.seed = seed
        for number, words in script:
            world.play(number, words)
        return world

    def root(self, seed: int, branches: int) -> None:
        """One beginning, and several endings of it."""
        luck = random.Random(seed)
        setup = self.games[luck.randrange(len(self.games))]
        world = self.world(setup)
        world.seed = seed
        host = Adversary(luck, world)
        script = self._played(world, host, (), luck.randint(0, 6), calm=True)
        saved, verbs, planned = world.save(), dict(host.verb), list(host.planned)
        for _ in range(branches):
            if self.over():
                return
            world.put_back(saved)
            host.verb, host.planned = dict(verbs), list(planned)
            whole = self._played(world, host, script, luck.randint(2, 8))
            if luck.random() < 0.8:
                whole = self._played(world, host, whole, 9, settle=True)
            self.sequences += 1
            doubtful = self.doubts and luck.random() < 0.2
            verdict = judge(world, doubtful)
            self.differing += world.differs
            for found in verdict:
                self._found(setup, seed, whole, found, host)
                world.put_back(saved)
                world.seed = seed

    def _played(
        self, world: World, host: Adversary, script: Script, more: int, *, calm: bool = False, settle: bool = False
    ) -> Script:
        """The script with so many more steps; with `settle`, only while something is contested."""
        listed = list(script)
        for _ in range(more):
            number = len(listed) + 1
            if settle:
                words = host.settling()
                if words is None:
                    break
                host.verb[number] = "ruling"
            else:
                words = host.next(number, calm=calm)
            listed.append((number, words))
            world.play(number, words)
            self.steps += 1
        return tuple(listed)

    def _found(self, setup: str, seed: int, script: Script, found: Violation, host: Adversary) -> None:
        """Shrink it, if it may be something new."""
        verbs = frozenset(self._verbs(script))
        what = found.what if found.datum != "text" else ""
        mark = (found.datum, what, verbs & {"undo", "amend", "redo", "join", "cut", "forge", "late", "import"})
        self.seen[mark] = self.seen.get(mark, 0) + 1
        explained = any(key[:2] == (found.datum, what) and key[2] <= verbs for key in self.kinds)
        if self.seen[mark] > (1 if explained else 4) or self.over():
            return
        least = self.shrunk(setup, seed, script, found)
        world = self.play(setup, seed, least)
        told = next((v for v in self._judged(world, found) if (v.datum, v.what) == (found.datum, found.what)), found)
        began = min([*world.known.receipts.values(), *(t.step for t in world.known.texts + world.known.finals)] or [0])
        shown = tuple(dict.fromkeys(self._verbs([(n, w) for n, w in least if n > began])))
        like = {key for key in self.kinds if key[:2] == (found.datum, what)}
        if any(key[2] <= set(shown) for key in like):
            return
        for key in like:
            if key[2] >= set(shown):
                del self.kinds[key]
        kind = Kind(*found[:2], shown, setup, told.told, tuple(world.shown), least, self.sequences)
        self.kinds[found.datum, what, frozenset(shown)] = kind
        self.say(str(kind) + "\n")

    @staticmethod
    def _verbs(script: Sequence[tuple[int, Words]]) -> Iterator[str]:
        for _, words in script:
            if words[0] == "post" and words[1] == "drop":
                yield "outbox drop"
            elif words[0] == "hl":
                late = " late" if "--at" in words or "--msg" in words else ""
                forced = " forced" if "--force" in words else ""
                at = " at=" if words[1] == "amend" and words[3].startswith("at=") else ""
                yield f"{words[1]}{at}{late}{forced}"
            elif words[0] not in TELLS:
                yield words[0]

    def _judged(self, world: World, wanted: Violation) -> list[Violation]:
        return judge(world, wanted.datum == "doubt")

    @staticmethod
    def _together(script: Script) -> Iterator[Script]:
        """Steps that only make sense with each other: those between copies, and any two."""
        yield tuple(step for step in script if step[1][0] in ("fork", "go", "join"))
        if len(script) <= 9:
            yield from itertools.combinations(script, 2)

    def shrunk(self, setup: str, seed: int, script: Script, wanted: Violation) -> Script:
        """A script that still shows it, and from which no step and no option can be taken."""

        until = time.process_time() + self.patience

        def shows(tried: Script) -> bool:
            if self.over() or time.process_time() > until:
                return False
            found = self._judged(self.play(setup, seed, tried), wanted)
            return any((one.datum, one.what) == (wanted.datum, wanted.what) for one in found)

        size = max(1, len(script) // 2)
        while size:
            i = 0
            while i < len(script):
                tried = (*script[:i], *script[i + size :])
                if shows(tried):
                    script = tried
                else:
                    i += size
            size //= 2
        for out in self._together(script):
            tried = tuple(step for step in script if step not in out)
            if shows(tried):
                script = tried
        for i, (number, words) in enumerate(script):
            if words[0] == "forge" and words[1] == "undo":
                plain = ("hl", "undo", f"{{{json.loads(words[2])['target'][1:]}}}", "--yes")
                tried = (*script[:i], (number, plain), *script[i + 1 :])
                script = tried if shows(tried) else script
        for i, (number, words) in enumerate(script):
            for option in ("--at", "--msg", "--note", "--once", "--as", "--force"):
                if option in words:
                    place = words.index(option)
                    fewer = words[:place] + words[place + (1 if option == "--force" else 2) :]
                    tried = (*script[:i], (number, fewer), *script[i + 1 :])
                    if shows(tried):
                        script, words = tried, fewer
        return script


def run(search: Search, seed: int, sequences: int) -> list[Kind]:
    """Try so many sequences (fewer when the time is over); the kinds that were found, doubts last."""
    with Frozen():
        number = 0
        while search.sequences < sequences and not search.over():
            branches = min(search.BRANCHES, sequences - search.sequences)
            search.root(seed * 1_000_003 + number, branches)
            number += 1
    return sorted(search.kinds.values(), key=lambda kind: (kind.datum == "doubt", kind.datum, kind.what, kind.verbs))


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for a log that verifies and is not what the public was told.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sequences", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--game", action="append", choices=[*SETUPS])
    parser.add_argument("--doubts", action="store_true", help="Also where docs/check_deal.py and verify disagree.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games = {"games": given.game} if given.game else {}
        search = Search(Path(folder), seconds=given.seconds, doubts=given.doubts, say=print, **games)
        began = time.process_time()
        kinds = run(search, given.seed, given.sequences)
        spent = time.process_time() - began
    print(f"{search.sequences} sequences, {search.steps} steps in {spent:.0f} s: {len(kinds)} kinds")
    sys.exit(bool(kinds))


if __name__ == "__main__":
    main()
