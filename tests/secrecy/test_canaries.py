"""Unmistakable words in everything that is the hosts', looked for in everything that leaves.

The bundled match of each game is played again with a 12-digit number in every note, remark, ruling, alias, channel and
message link: what only hosts may know. Then every verb that can tell somebody something tells each audience, in every
format and at several points of the match. The pairs of secrecy/ find what depends on a secret; this finds the secret
itself, wherever a verb, a format or a file was forgotten. The verbs, formats and games are those that are there.
"""

from __future__ import annotations

import json
import random
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.registry import load, names
from ledger.cli.app import App
from ledger.cli.verbs import shared_verbs
from tests.secrecy.folder import toml_file
from tests.secrecy.reads import FOR_HOSTS
from tests.support.demos import NOW
from tests.support.guide import folder_of
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


def formats() -> Sequence[str]:
    from ledger.render import FORMATS

    return tuple(dict.fromkeys([*(fmt for fmt in FORMATS if fmt != "png"), "csv"]))


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
                for fmt in formats() if "-f" in options else ("",):
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


FAIR: dict[str, tuple[str, tuple[str, ...]]] = {
    "equilibrium": (
        'game = "equilibrium"\n[settings.visibility]\ndealt_hands = "{level}"\n',
        ("commit", "word ann rain", "deal", "open", "close --yes", "close gift --yes", "close vote --yes")
        + ("lot", "close gift --yes", "close vote --yes", "lot"),
    ),
    "freeform": (
        'game = "freeform"\n[counters]\noil = {{ seen_by = "owner" }}\n[items]\n'
        'deed = {{ values = "1..12", draw = "order", turn = 1, seen_by = "owner", final = "{level}" }}\n',
        ("commit", "word ann rain", "draw deed", "open", "close match --yes"),
    ),
}  # fmt: skip
"""Game -> its match file but for the players, and a match whose cards are drawn from a commitment, to its end."""


def seeds_told(game: str, level: str, folder: Path) -> set[str]:
    """To whom the seed behind a commitment is told by any verb, or in a copy, once the match is over.

    Raises:
        AssertionError: a verb tells it where the copy of the log for the same audience does not; or before the end.
    """
    from ledger.core.match import Match

    people = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
    top, lines = FAIR[game]
    players = "".join(f"{p} = {{}}\n" for p in people)
    setup = f'hosts = ["mara"]\n{top.format(level=level)}[players]\n{players}'
    (folder / "match.toml").write_text(setup, encoding="utf-8")
    match, app, told = folder / "m", App(), set[str]()
    assert hl("new", str(match), "--from", str(folder / "match.toml"), app=app).code == 0
    for number, line in enumerate(lines, start=1):
        code = hl("-g", str(match), *line.split(), app=app).code
        assert code == 0 or line.split()[0] in ("close", "lot"), line
        if line != "open" and number < len(lines):
            continue
        open_ = Match(str(match / "log.jsonl"))
        seeds = [str(entry.body.args["seed"]) for entry in open_.book.entries if entry.body.args.get("seed")]
        assert seeds, "nothing was drawn"
        for who in ("public", "ann"):
            copy = hl("-g", str(match), "redact", "--for", who, "-o", str(folder / f"{who}.jsonl"), app=app)
            opened = (folder / f"{who}.jsonl").read_text(encoding="utf-8")
            (folder / f"{who}.jsonl").unlink()
            assert copy.code == 0
            told |= {who for seed in seeds if seed in opened}
            assert open_.table.status == "finished" or not told, "a copy opens a seed before the end"
            for _, asked, _ in tellings(match, ("ann",), len(open_.book.entries)):
                if who in asked:
                    answer = hl("-g", str(match), *asked, app=app)
                    found = [seed for seed in seeds if seed in answer.out + answer.err and seed not in opened]
                    assert not found, (line, asked, answer.out)
    assert Match(str(match / "log.jsonl")).table.status == "finished"
    return told


@pytest.mark.parametrize(
    ("game", "level", "opened"),
    [("equilibrium", "nobody_ever", False), ("equilibrium", "owner_then_everybody", True),
     ("freeform", "owner", False), ("freeform", "everybody", True)],
)  # fmt: skip
def test_a_seed_is_told_where_all_that_it_draws_may_be_known(
    game: str, level: str, opened: bool, tmp_path: Path
) -> None:
    """Whoever has the seed draws all hands again: no verb tells it to whom the copy of the log keeps it closed."""
    assert seeds_told(game, level, tmp_path) == ({"public", "ann"} if opened else set())


def test_a_seed_that_is_told_though_hands_stay_closed_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`final` prints it wherever there is one."""
    from ledger.tell import explain

    monkeypatch.setattr(explain, "may_open", lambda match, viewer: {entry.seq for entry in match.book.entries})
    with pytest.raises(AssertionError, match=r"final"):
        seeds_told("equilibrium", "nobody_ever", tmp_path)


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
