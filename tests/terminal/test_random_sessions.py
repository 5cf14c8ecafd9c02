"""Long random evenings at the command line: every verb, legal and illegal words, late entries, corrections, two hosts.

After every command: an exit code of the contract, no unexpected error, nothing written unless it says 0, a log that
verifies (contested entries apart), views with the keys of the contract, and a fold kept from command to command equal
to one made from the file anew.

Then rare orders of the matches of all games, and what the answers tell hosts to type: it is typed, as it stands.

`HL_FULL=1` plays 300 sessions; a failure names its seed, and `HL_SEED=n` plays that one alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import events.disk
import ledger.core.clock
from games.records import args_of, kebab
from games.registry import load
from ledger.audit.verify import verify
from ledger.author import simulation
from ledger.cli.app import App
from ledger.core.match import Match
from ledger.tell.listing import as_typed
from ledger.tell.outbox import outbox
from ledger.tell.reports import Shown, view_json
from tests.support.host import MINUTE, OPENED, hl, match_file, set_clock
from tests.support.randomly import SETTINGS, SHORT, SIZES, some_settings
from tests.support.schemas import wrong

FULL = bool(os.environ.get("HL_FULL"))
SEEDS = [int(os.environ["HL_SEED"])] if os.environ.get("HL_SEED") else list(range(300 if FULL else 3))
LENGTH = 120 if FULL else 90
PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
CARDS = tuple(f"{colour}{value}" for value in range(1, 11) for colour in "BR")
ALLOWED = {0, 2, 3, 5}
"""What a sound disk and a sound log can bring about."""
READS = (
    "games", "template equilibrium", "assumptions", "rules", "status", "waiting", "waiting --check", "log",
    "log --live", "board", "scores", "final", "reveal", "summary --all", "summary {player}", "summary {player} --news",
    "outbox", "outbox next", "drift", "remind", "verify", "receipt", "show {seq}", "explain {seq}", "explain {player}",
    "explain final", "view --for {player}", "view --for public", "view --for host", "log --player {player}",
    "log --kind trade", "log --since -{hours}h", "log --until -20m", "status --as-of {seq}", "status --known {seq}",
    "view --for {player} --as-of -{hours}h", "view --for public --known {seq}", "status --as-of now", "reveal 3",
    "status --as-of round:2", "summary", "view", "explain nobody", "show 0", "status --for {player}",
    "replay", "replay --for {player}", "replay --for public --as-of {seq}", "replay --known {seq} -f json",
    "replay -f json --for {player}", "diff {seq} now", "diff known:{seq} -{hours}h --for {player}",
    "export", "export --for {player} --as-of {seq}", "export -f json --for public", "diff . .", "evidence nothing.json",
    "explain R7", "explain round:1",
)  # fmt: skip
NONSENSE = (
    "", "  ", "--", "-", "-2", "0", "-1", "99999999999999999999", "²", "٣", "#", "#7", "=", "a=b", "None",
    "true", "\x00", "\x1b[2J", "\u202e", "@everyone", "|||", "'", '"', "R", "R11", "B0", "7", "host", "public", "bank",
    "{}", "é" * 40, "x" * 3000, "-h", "--json", "-n", "<t:1772442000>", "+6h", "yesterday 25:99", "--5", "1e9",
    "2026-02-30T10:00Z",
)  # fmt: skip
WRITE_ANSWER = {"ok", "seq", "facts", "contested", "drift"}


class Session:
    """One match with its clock, played through `run` as `hl run` and `hl shell` do: what is read stays in memory."""

    game, people = "equilibrium", PEOPLE
    after: tuple[int, ...] = (1, 1, 2, 5, 20, 90, 400)
    """Minutes from one command to the next."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, seed: int) -> None:
        self.luck, self.now, self.drawn = random.Random(seed), OPENED, 0
        self.folder, self.patch = folder, patch
        self.app = App()
        self.log = folder / "m" / "log.jsonl"

        def known(size: int) -> bytes:
            self.drawn += 1
            return hashlib.sha256(b"%d %d" % (seed, self.drawn)).digest()[:size]

        set_clock(patch, self)
        patch.setattr(ledger.core.clock.OsLuck, "seed", lambda luck: known(32))
        patch.setattr(events.disk.DISK, "random", known, raising=False)
        patch.setenv("HL_MATCH", str(folder / "m"))
        for name in ("HL_AS", "HL_DEBUG", "NO_COLOR", "FORCE_COLOR"):
            patch.delenv(name, raising=False)
        patch.chdir(folder)
        Path("m.toml").write_text(self.file(), encoding="utf-8")
        code, told = self.hl(["new", "m", "--from", "m.toml"])
        assert code == 0, told

    def file(self) -> str:
        rows = {player: i % 4 for i, player in enumerate(PEOPLE)}
        settings = "\n".join(self.settings())
        return match_file("equilibrium", rows, settings, hosts=("mara", "theo"), zone="Europe/Berlin")

    def settings(self) -> Iterator[str]:
        """Sometimes other settings than the defaults."""
        for line in (
            'er_metric = "value"', "lock_grace_minutes = 30", "allow_identical_trade = false", "trading_hours = 5",
            'tol_conditions = ["best_er", "host_decides", "most_trades"]', 'multi_tol = "next_best"', "vote_hours = 2",
            'garnet_class_mode = "contains"', "auto_end_after_last_trade = false", "max_garnets_from_match = 1",
        ):  # fmt: skip
            if self.luck.random() < 0.2:
                yield line

    def hl(self, words: list[str]) -> tuple[int, str]:
        """Run one command; its exit code and everything it said."""
        self.app.host_name = self.app.match_name = None
        answer = hl(*words, app=self.app)
        self.out = answer.out
        return answer.code, answer.text

    # ---- what is typed --------------------------------------------------------------------------------------------

    def player(self) -> str:
        return self.luck.choice(PEOPLE)

    def seq(self) -> str:
        return str(self.luck.randint(1, self.log.read_bytes().count(b"\n")))

    def card(self, player: str) -> str:
        """Mostly one that the player holds."""
        held = Match(str(self.log)).fold.state.hands.get(player, ())
        return self.luck.choice(held) if held and self.luck.random() < 0.85 else self.luck.choice(CARDS)

    def write(self) -> list[str]:
        """A verb that records, with words that may be right."""
        luck, player, other = self.luck, self.player(), self.player()
        card = self.card
        made: list[list[str]] = [
            *5 * [["trade", player, card(player), other, card(other)]],
            *2 * [["offer", player, card(player), other, card(other)]],
            ["accept", player, other], ["withdraw", player, other], ["decline", player, other],
            *2 * [["recolour", player, card(player)]], ["recolor", player, card(player)],
            *2 * [["lock", player]], ["unlock", player],
            ["deal"], ["open"], ["close"], ["close", "trading"], ["close", "vote"], ["reopen"], ["reopen", "vote"],
            ["note", "a", "remark"], ["note", "about", "--about", self.seq()],
            ["ruling", "so", "be", "it", "--about", self.seq()],
            ["override", player, "hand", " ".join(luck.sample(CARDS, 5))],
            ["override", player, "garnets", str(luck.randint(0, 5))],
            ["penalty", player, "--garnets", str(luck.randint(0, 2))], ["breach", player], ["blank", player],
            ["award", player, "garnets", str(luck.randint(-2, 4))],
            ["award", player, "tokens", str(luck.randint(-1, 2))],
            *2 * [["vote", player, other]], ["gift", player, other], ["choose", player, other],
            ["lot"], ["lot", player, other], ["lot", player, other, "--outcome", other],
            ["deadline", luck.choice(["+6h", "-30m", "23:59", "+1m"])], ["pause"], ["resume"],
            ["alias", player, luck.choice(["sunny", "bo", "Ann"])], ["replace", player, luck.choice(["Zoe", "Bob"])],
            ["drop", player],
            ["amend-setting", luck.choice([
                "vote_hours=5", "trading_hours=50", "er_metric=value", "garnet_cap=2", "visibility.votes=everybody",
                "garnet_hands=flush straight", "lock_grace_minutes=9", "tol_conditions=best_er", "zap=1", "emoji.x=1",
                "visibility.trades=everybody_after_end", "multi_tol=lapse", "vote_hours=--5", "emoji=5",
            ])],
        ]  # fmt: skip
        words = luck.choice(made)
        if luck.random() < 0.3:
            words += ["--at", f"-{luck.randint(1, 600)}m"]
        elif luck.random() < 0.1:
            words += ["--msg", str((self.now - luck.randint(0, 10**6) * 60 - 1_420_070_400_000) << 22)]
        for options, odds in (
            (["-y"], 0.6), (["-n"], 0.15), (["--force"], 0.15), (["--note", "why"], 0.15), (["--json"], 0.2),
            (["--once", f"k{luck.randint(1, 9)}"], 0.1), (["--again"], 0.05), (["--at", luck.choice(NONSENSE)], 0.02),
        ):  # fmt: skip
            if luck.random() < odds:
                words += options
        return words

    def fix(self) -> list[str]:
        """A correction."""
        luck, seq = self.luck, self.seq()
        words = luck.choice([
            ["undo"], ["undo", seq], ["undo", f"#{seq}"], ["redo"], ["redo", seq], ["confirm", seq],
            ["amend", seq, f"at=-{luck.randint(1, 600)}m"], ["amend", seq, f"a={self.player()}"],
            ["amend", seq, f"player={self.player()}"], ["amend", seq, f"take={luck.choice(CARDS)}"],
            ["amend", seq, f"text={luck.choice(NONSENSE)}"], ["amend", seq, "method=drawn"],
            ["amend", seq, "phase=vote"], ["amend", seq, f"outcome={self.player()}"],
            ["amend", seq, "amount=1", "garnets=1"],
        ])  # fmt: skip
        for options, odds in ((["-y"], 0.7), (["-n"], 0.1), (["--note", "misread"], 0.2), (["--json"], 0.2)):
            if luck.random() < odds:
                words = [*words, *options]
        return words

    def read(self) -> list[str]:
        luck = self.luck
        line = luck.choice(READS)
        words = line.format(player=self.player(), seq=self.seq(), hours=luck.randint(1, 90)).split()
        if luck.random() < 0.4:
            words += ["-f", luck.choice(["json", "json", "discord", "text", "html"])]
        return words

    def post(self) -> list[str]:
        """Something of the outbox."""
        waiting = [item.name for item in outbox(Match(str(self.log))).waiting]
        if not waiting:
            return ["outbox", "done", "1a"]
        return ["outbox", self.luck.choice(["done", "done", "drop"]), self.luck.choice(waiting[:3])]

    def command(self) -> list[str]:
        """The next thing that somebody types."""
        kind = self.luck.choices([self.write, self.fix, self.read, self.post], [55, 15, 20, 10])[0]
        words = kind()
        if self.luck.random() < 0.06:
            words[self.luck.randrange(len(words))] = self.luck.choice(NONSENSE)
        if self.luck.random() < 0.03:
            words.append(self.luck.choice(NONSENSE))
        return [*words, "--as", self.luck.choice(["mara", "mara", "theo"]), "--no-input"]

    def opening(self) -> list[list[str]]:
        """Most sessions are dealt and opened."""
        if self.luck.random() < 0.1:
            return []
        return [["deal", "--as", "mara"], ["open", "--as", "theo"]]

    def go_on(self, steps: int) -> None:
        """Type that many commands; a failure names the last ones."""
        typed, ahead = list[str](), self.opening()
        for _ in range(steps):
            self.now += self.luck.choice(self.after) * MINUTE
            before, words = self.log.read_bytes(), ahead.pop(0) if ahead else self.command()
            code, told = self.hl(words)
            typed.append(f"{code}  {words}")
            try:
                self.check(before, words, code, told)
            except Exception as error:
                error.add_note(f"{self.game}, after:\n" + "\n".join(typed[-12:]))
                raise

    # ---- what must hold -------------------------------------------------------------------------------------------

    def check(self, before: bytes, words: list[str], code: int, told: str) -> None:
        after = self.log.read_bytes()
        assert "[unexpected]" not in told and "Traceback" not in told, told
        assert code in ALLOWED or (code == 4 and words[0] == "verify"), (code, told)
        assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e" for c in told), told
        if code or "-n" in words:
            assert after == before, "something was written"
        assert after.startswith(before), "an entry was changed"
        if "--json" in words and self.out.startswith('{"ok": true'):
            told = json.loads(self.out)
            assert set(told) == WRITE_ANSWER | ({"dry_run", "asks"} if told.get("dry_run") else set()), self.out
        if after != before:
            self.check_state(before.count(b"\n"), forced="--force" in words)

    def check_state(self, lines: int, *, forced: bool) -> None:
        fresh, kept = Match(str(self.log)), self.app.match
        assert kept.fold.state == fresh.fold.state, "the fold kept in memory is another one"
        assert [o.entry for o in kept.fold.outcomes] == [o.entry for o in fresh.fold.outcomes]
        assert [o.entry.seq for o in kept.fold.contested] == [o.entry.seq for o in fresh.fold.contested]
        assert kept.fold.last == fresh.fold.last
        refused = [o for o in fresh.fold.outcomes if o.entry.seq > lines and o.refusal is not None]
        assert forced or not refused, "the rules refuse what was recorded without --force"
        # what is undone, drawn again and not ruled on is a finding, whoever plays
        found = [f for f in verify(str(self.log)).findings if f.code not in ("log.contested", "draw.replaced")]
        assert not found, found
        self.check_views(fresh)

    def check_views(self, match: Any) -> None:
        """Each has the keys that its schema lists; of hands nobody but their player sees one before the end."""
        for viewer in ("host", "public", self.people[0]):
            told = view_json(match, Shown(match.fold, viewer))
            assert not wrong(told, "view", self.game), told
            over = "trading" in match.table.past or match.table.status == "finished"
            if self.game == "equilibrium" and viewer != "host" and not over:
                assert set(told["view"].get("players", {})) <= {viewer}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_session(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(tmp_path, monkeypatch, seed)
    session.go_on(LENGTH)
    assert session.log.read_bytes().count(b"\n") > 25, "hardly anything was recorded"


# ---- rare orders, and what the answers tell hosts to type ------------------------------------------------------------

GAMES = ("equilibrium", "poker_auction", "hex_parties", "polar", "marsmatch", "freeform")
ADVISED = [int(os.environ["HL_SEED"])] if os.environ.get("HL_SEED") else list(range(100)) if FULL else [2]
STEPS = 60 if FULL else 6
BEHIND = r" \[season|; |, (?!\d)|\. |: |\)| \(| or hl | if | takes | says | has the| would have| before |, or |\? |$"
"""Where a line to type ends in a sentence."""
FILLED = {"HOST": "mara", "TEXT": "why", "WHY": "why", "WHEN": "'in 2h'", "TIME": "-1m", '"why"': "why"}
LOOKS = ("hl outbox", "hl assumptions", "hl log", "hl status", "hl waiting")
"""Lines that are the same whatever happened: each is typed once."""
SECRET = ("hex_parties.sides_missing",)
"""Why such a line is refused is for hosts alone, so the answer that leads to it may not say so."""


def advised(told: str) -> Iterator[str]:
    """Each line that an answer tells its host to type, NAME filled in from the list behind it.

    Without examples, and what is typed only after the resolve of a round is undone.

    >>> list(advised("next: hl gift dan NAME (Ann or Bob)")), list(advised("  like: hl breach PLAYER"))
    (['hl gift dan Ann', 'hl gift dan Bob'], [])
    """
    for line in told.splitlines():
        for found in re.finditer(r"(?<!kind resolve\), then )\bhl (?=[a-z-])", line if "like: " not in line else ""):
            rest = line[found.end() :]
            part = re.match(rf"""(?:'[^']*'|"[^"]*"|.)*?(?={BEHIND})""", rest)
            typed = rest if "try: hl" in line or part is None else part[0]
            for word, filled in FILLED.items():
                typed = typed.replace(word, filled)
            names = re.match(r"[^()]* \(([^)]*)\)", rest)
            listed = re.split(", | or ", names[1]) if names else []
            for name in listed if "NAME" in typed else [""]:
                if not re.search(r"\b[A-Z]{3,}\b|\bN\b|\.\.\.|\[", full := typed.replace("NAME", name)):
                    yield f"hl {full.strip()}"


class Evening(Session):
    """A match of any game, in which hosts type what they do once in a season."""

    after = (*Session.after, 1500)

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, seed: int, game: str) -> None:
        self.game, self.tried = game, set[str]()
        super().__init__(folder, patch, seed)
        self.people = Match(str(self.log)).table.players

    def file(self) -> str:
        if self.game == "freeform":
            return (Path(simulation.__file__).parents[2] / "games/freeform/demo.toml").read_text(encoding="utf-8")
        luck, game = self.luck, load(self.game)
        rows = {p: {"garnets": 2} if "garnets" in game.fields else {} for p in PEOPLE[: SIZES[self.game][1]]}
        chosen = {key: luck.choice(values) for key, values in SETTINGS[self.game].items() if luck.random() < 0.5}
        chosen |= some_settings(game, luck) if luck.random() < 0.4 else {}
        return match_file(self.game, rows, chosen | {"allow_odd_roster": True} | SHORT.get(self.game, {}))

    def player(self) -> str:
        return self.luck.choice(self.people)

    def play(self, match: Match) -> list[str]:
        """What comes next, as far as it can be listed."""
        luck, state, table = self.luck, match.fold.state, match.table
        if table.decisions and luck.random() < 0.8:
            kind, who, among = (one := luck.choice(table.decisions)).kind, one.who, one.among
            return [kind, luck.choice(who), luck.choice(among)] if who and among else [kind]
        moves = [move for player in luck.sample(self.people, 3) for move in match.game.moves(state, player)]
        moves = moves or [group[0] for group in simulation.of_hosts(match.game, state, luck) if group]
        if moves and luck.random() < 0.7:
            kind = luck.choice([*dict.fromkeys(map(type, moves))])
            move = luck.choice([move for move in moves if type(move) is kind])
            return shlex.split(as_typed(match, kebab(kind), args_of(move), 10**6))
        return luck.choice([["deal"], ["open"], ["close"], ["resolve", "--yes", "--early"]])

    def rare(self, match: Match) -> list[str]:
        luck, player, seq, last = self.luck, self.player(), self.seq(), match.book.entries[-1].seq
        word = luck.choice([*match.table.past, *(d.kind for d in match.table.decisions), "vote"])
        return luck.choice([
            ["close"], ["close", word], ["reopen"], ["reopen", word], ["pause"], ["resume"], ["lot"], ["deal"],
            *2 * [["deadline", luck.choice(["+6h", "-30m", "in 2h", "+1m", "in 1d"])]],
            ["undo"], ["undo", seq], ["undo", str(last)], ["redo"], ["redo", seq], ["amend", seq], ["confirm", seq],
            *2 * [["amend", luck.choice([seq, str(last)]), f"at=-{luck.randint(1, 600)}m"]],
            ["amend", seq, f"player={player}"], ["drop", player], ["replace", player, "Zoe"],
            ["alias", player, "sunny"],
            ["award", player, "garnets", "1"], ["award", player, "tokens", str(luck.randint(-1, 2))],
            ["override", player, luck.choice([*match.game.fields]), str(luck.randint(0, 5))],
            ["declare", "winner", player, "--note", "x"], ["declare", "void", "--note", "x"], ["commit"],
            ["declare", "elimination", player, "--note", "x"], ["declare", "token", player, "2", "--note", "x"],
            ["ruling", "admit", "last"], ["ruling", "admit", seq], ["ruling", "so", "--about", seq], ["blank", player],
            ["word", player, "seven"], ["penalty", player], ["vote", player, self.player()], ["final"],
            ["assumptions", "--accept", "all"],
        ])  # fmt: skip

    def command(self) -> list[str]:
        luck, match = self.luck, Match(str(self.log))
        kind = luck.choices(["play", "rare", "post"], [50, 35, 15])[0]
        if kind == "post":
            return luck.choice([["outbox", "done", "all", "--yes"], ["outbox", "next"], ["remind"], self.post()])
        words = self.play(match) if kind == "play" else self.rare(match)
        late = ["--at", f"-{luck.randint(1, 900)}m"] if luck.random() < 0.1 and words[0] != "amend" else []
        yes = ["--yes"] if luck.random() < 0.7 and words[0] not in ("final", "resolve") else []
        return [*words, *late, *yes]

    def opening(self) -> list[list[str]]:
        return []

    def check(self, before: bytes, words: list[str], code: int, told: str) -> None:
        super().check(before, words, code, told)
        status = self.check_status(words, told) if self.log.read_bytes() != before else ""
        if code != 5:
            self.check_advice(f"{told}{status}" if words[0] != "amend" or code else status)

    def check_advice(self, told: str) -> None:
        """What an answer tells its host to type is accepted or asks; what it asks for then is accepted."""
        copy = self.folder / "copy"
        for line in dict.fromkeys(advised(told)):
            if line in LOOKS and line in self.tried:
                continue
            self.tried.add(line)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self.folder / "m", copy)
            self.patch.setenv("HL_MATCH", str(copy))
            for _ in range(2):
                answer = hl(*shlex.split(line)[1:], app=App())
                assert answer.code in (0, 5) or any(code in answer.text for code in SECRET), f"{line}: {answer.text}"
                asked = re.findall(r"^  try: (hl .*)", answer.err, re.M)[:1]
                if answer.code == 0 or asked in ([], [line]):
                    break
                line = asked[0]
            self.patch.setenv("HL_MATCH", str(self.folder / "m"))

    def check_status(self, words: list[str], told: str) -> str:
        """After what was recorded, `status` counts the texts that wait and has a next line, which is another one."""
        _, status = self.hl(["status"])
        match = Match(str(self.log))
        assert bool(outbox(match, self.now).unclaimed) == (" to be sent" in status), status
        ahead = re.search(r"^next: |the next end comes in|the end passed", status, re.M)
        assert ahead or match.table.status == "finished", status
        assert f"next: {shlex.join(['hl', *words])}\n" not in status or words[0] in ("lot", "resolve"), status
        assert told.strip() and not PROGRAM.search(f"{told}{status}"), f"{told}{status}"
        return status


PROGRAM = re.compile(r"\bNone\b|\{\}|<\w+ object|\w\('|\d\d:\d\d:\d\d\.\d")
"""What only a program would say."""


def test_what_is_advised_is_read_from_sentences() -> None:
    said = 'so it changes nothing; settle it: hl undo 5, hl amend 5 KEY=VALUE, or hl ruling --about 5 "TEXT"'
    assert [*advised(said)] == ["hl undo 5", "hl ruling --about 5 why"]
    assert [*advised("  not meant? hl undo 7 takes it back")] == ["hl undo 7"]
    assert [*advised("next: hl gift dan NAME (Ann or Bob)")] == ["hl gift dan Ann", "hl gift dan Bob"]
    assert not [*advised("  like: hl breach PLAYER")]
    said = "To let it count: undo the resolve (hl log --kind resolve), then hl ruling admit 5"
    assert [*advised(said)] == ["hl log --kind resolve"]


@pytest.mark.parametrize("seed", ADVISED)
@pytest.mark.parametrize("game", GAMES)
def test_what_an_answer_says_to_type_is_accepted(
    game: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever hosts did before, each line that they are told is never refused where they type it at once."""
    Evening(tmp_path, monkeypatch, seed, game).go_on(STEPS)
