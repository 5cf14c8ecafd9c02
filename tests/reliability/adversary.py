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
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from events import LedgerError
from ledger.core.match import Match
from tests.reliability.deceiving import HOSTS, PLAYERS, SETUPS, Frozen, Script, Words, World
from tests.reliability.oracle import Violation, judge

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
            dealt = any(o.entry.do == "deal" and o.refusal is None for o in match.fold.outcomes)
            if game != "polar":
                steps += [(1, self._newer(game))]
                steps += [(5 if table.commitment is None else 0.3, ("hl", "commit"))]
                word = ("hl", "word", self.player(), f"w{luck.randint(100, 999)}")
                steps += [(3.5 if table.commitment else 0.3, word)]
                steps += [(3, ("hl", "deal")), (0.4, ("hl", "deal", "--from", "typed.toml"))]
            if game == "freeform":
                rules = getattr(match.fold.state, "rules", None)
                steps += [(3, ("hl", "draw", item)) for item in (rules.items if rules is not None else ())]
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

    def _newer(self, game: str) -> Words:
        """What a draw reads is changed before it: what is drawn, how much of it, who is dealt to, who sits there."""
        luck = self.luck
        values = luck.sample(["sheep", "goat", "wolf", "owl"], 4)
        kind = luck.choice(['"deal 1"', '"order"', '"one each"'])
        items = [f'items.role={{values={json.dumps(values)}, draw={kind}, seen_by="everybody"}}']
        seats: list[Words] = [
            ("hl", "drop", self.player()),
            ("hl", "replace", self.player(), luck.choice(["Zoe", "Yan"])),
        ]
        added: list[Words] = [("hl", "amend-setting", item) for item in items] if game == "freeform" else []
        return luck.choice([*seats, *added, *added])

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
            ("note", "hm", *about), ("ruling", "so be it", *about), ("override", p, "garnets", "2"), ("drop", p),
            *4 * [("override", p, "hand", "R1 B1 R2 B2 R3")], ("replace", p, luck.choice(["Zoe", "Yan"])), ("close",),
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
        contested = {outcome.entry.seq for outcome in match.fold.contested}
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
    game: str
    told: str
    script: tuple[str, ...]
    """As it can be typed."""
    sequence: int
    """The how manyeth sequence showed it first."""

    def __str__(self) -> str:
        lines = [f"{self.datum}: {self.what}", f"    {self.game}, sequence {self.sequence}"]
        return "\n".join([*lines, *(f"    {line}" for line in self.script), f"    -> nobody says: {self.told}"])


class Search:
    """Where matches are played, and how long: `seconds` of the processor in all, `patience` to shrink a script.

    Attributes:
        sequences: How many were tried; of these `differing`, in which something is not what the public was told first.
        kinds: What was found, each by the first script that shows it.
    """

    BRANCHES = 8

    def __init__(
        self, folder: Path, games: Sequence[str] = tuple(SETUPS), seconds: float = 1e9, patience: float = 5
    ) -> None:
        self.folder, self.games, self.patience = folder, games, patience
        self.until = time.process_time() + seconds
        self.worlds: dict[str, tuple[World, dict[str, Any]]] = {}
        self.sequences = self.steps = self.differing = 0
        self.kinds: dict[tuple[str, str], Kind] = {}

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
            verdict = judge(world)
            self.differing += world.differs
            for found in verdict:
                if found[:2] not in self.kinds:
                    self.kinds[found[:2]] = self.shrunk(setup, seed, whole, found)

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

    def shrunk(self, setup: str, seed: int, script: Script, wanted: Violation) -> Kind:
        """It by a script from which no step can be taken."""
        until = time.process_time() + self.patience

        def shown(tried: Script) -> list[Violation]:
            return [one for one in judge(self.play(setup, seed, tried)) if one[:2] == wanted[:2]]

        size = max(1, len(script) // 2)
        while size:
            i = 0
            while i < len(script):
                tried = (*script[:i], *script[i + size :])
                if not self.over() and time.process_time() < until and shown(tried):
                    script = tried
                else:
                    i += size
            size //= 2
        told = [*shown(script), wanted][0].told
        return Kind(*wanted[:2], setup, told, tuple(self.worlds[setup][0].shown), self.sequences)


def run(search: Search, seed: int, sequences: int) -> list[Kind]:
    """Try so many sequences (fewer when the time is over); the kinds that were found."""
    with Frozen():
        number = 0
        while search.sequences < sequences and not search.over():
            branches = min(search.BRANCHES, sequences - search.sequences)
            search.root(seed * 1_000_003 + number, branches)
            number += 1
    return sorted(search.kinds.values())


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for a log that verifies and is not what the public was told.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sequences", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--game", action="append", choices=[*SETUPS])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games = {"games": given.game} if given.game else {}
        search = Search(Path(folder), seconds=given.seconds, **games)
        began = time.process_time()
        kinds = run(search, given.seed, given.sequences)
        spent = time.process_time() - began
    print(
        *kinds, f"{search.sequences} sequences, {search.steps} steps in {spent:.0f} s: {len(kinds)} kinds", sep="\n\n"
    )
    sys.exit(bool(kinds))


if __name__ == "__main__":
    main()
