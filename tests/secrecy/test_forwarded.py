"""What a host reads and may copy into a channel pings nobody: refusals, confirmations, `explain`, `waiting`.

Promise 5 for what stands on stderr, or in a list, and is pasted all the same. The escapers themselves: the sinks
`refusal`, `confirmation` and `explanation` of test_hostile_text.py. Here verbs are driven to refusals in matches of
players with hostile names. That the two kinds of text are kept apart is held by mypy.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.kinds import clean
from games.registry import names
from ledger.cli.app import App
from ledger.cli.derive import own_verbs
from ledger.cli.verbs import shared_verbs
from ledger.render.safe import without_pings
from tests.secrecy.test_canaries import Bundled, tellings, without_addresses
from tests.support.demos import NOW
from tests.support.guide import built_in
from tests.support.host import hl
from tests.support.hostile import CORPUS
from tests.support.sinks import PING, ZWSP, OneElement, unseen
from tests.support.sizes import log_number, many
from tests.support.transcripts import Stage

CALLED = (
    "@everyone", "<@&123456789012345678>", "||x||", "`a`*b*_c_", "[x](https://evil.example)", "# \u202ehead",
    "~~z~~ @here", "a\u200b:smile:", "discord.gg/abc",
)  # fmt: skip
"""Names: mentions, markup, links, emoji, what turns and what cannot be seen."""
SHARED = [
    row.name for row in shared_verbs().values() if row.writes and row.group not in ("see", "tell", "audit", "tools")
]
SHARED.remove("new")
HOSTS = (
    "recorded", "  now ", "  host only: ", "  try: ", "  like: ", "  help: ", "  note: ", "  did you mean",
    "  one of: ",
)  # fmt: skip
"""How lines begin that nobody forwards."""


class Table(Bundled):
    """The bundled match of a game whose players have hostile names."""

    def __init__(self, game: str, folder: Path, called: Iterable[str] = CALLED) -> None:
        words = iter(random.Random(game).choices([text for text in CORPUS if usable(text)], k=1000))
        numbers, names = itertools.count(), iter(called)

        def spoken(where: str) -> str:
            """Hostile notes and rulings; channels and aliases that nobody else has."""
            return "845" if where == "link" else next(words) if where in ("note", "ruling") else f"x{next(numbers)}"

        super().__init__(game, folder, spoken, lambda player, name: next(names, name))

    def slips(self) -> Iterator[tuple[str, ...]]:
        """Every verb with what it cannot take: names in place of words, and players where nothing is left to do.

        The shared verbs in one game: they are the same in all.
        """
        one, other, *_ = self.players
        own = [verb for verb, _ in own_verbs(self.app, self.app.match.game)]
        for verb in [*own, *SHARED] if self.shared else own:
            yield from ((verb, *words, "-n") for words in ((CALLED[0],), (one, CALLED[1]), (one, other), (one, "?")))
        yield from (
            ("alias", one, CALLED[1], "-n"), ("note", "", "-n"), ("ruling", "", "-n"),
            ("lot", "--outcome", CALLED[0], "-n"), ("award", one, "garnets", "-9999", "-n"),
            ("amend", "2", f"player={CALLED[0]}", "-n"), ("pause", "x", "-n"), ("undo", "3"), ("undo", "1"),
        )  # fmt: skip

    @property
    def shared(self) -> bool:
        """Are the shared verbs tried here?"""
        return self.game == names()[0]


def usable(text: str) -> bool:
    """Can it be a note that `explain` shows as it was typed, in one line?"""
    return bool(clean(text)) and not clean(text).startswith("-") and not {"\\", "\n"} & {*text}


def key(text: str) -> str:
    return clean(text).casefold().strip().lstrip("@#")


TAKEN = {"host", "public", "bank", "everybody", "nobody", "ann"}
FIT = [text for text in CORPUS if 0 < len(clean(text)) <= 64 and not {"\n", "\x7f"} & {*clean(text), *text}]
NAMES = [text for name, text in {key(text): text for text in FIT}.items() if name not in TAKEN]
"""What somebody can be called: names are cleaned, and mean nobody else. DEL is left out: TOML does not take it."""


def forwarded(err: str) -> list[str]:
    """The lines of an answer that a host may forward."""
    return [line for line in err.splitlines() if not line.startswith(HOSTS)]


def check(line: str) -> None:
    """Nothing in a line pings or links, and no backslash of Discord's is on the host's own screen."""
    assert not unseen(line, ZWSP), line
    assert not PING.findall(line), line
    assert "\\" not in line, line


@pytest.fixture(scope="module", params=names())
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A match that was played with hostile names, verbs of it typed twice, slips in the middle of it."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        Stage(folder, patch, began=NOW)
        here = Table(request.param, folder)
        typed, tried = here.typed(), set()
        for number, words in enumerate(typed):
            told = here.hl(*words)
            assert told.code in (0, 2, 3), told
            if number and words[0] not in tried:
                tried.add(words[0])
                here.hl(*words, "--again", "-n")
            if number == len(typed) // 3:
                here.hl("waiting")
                here.hl("status", "-f", "discord")
                for slip in here.slips():
                    here.hl(*slip)
        yield here


def test_no_refusal_and_no_confirmation_pings(table: Table) -> None:
    """Names are as they were typed, and ping nobody: in what is wrong, and in the reasons for what was recorded."""
    named = {"hl: ": 0, "  ": 0}
    for told in table.heard:
        for line in forwarded(told.err):
            check(line)
            for begins in named:
                if line.startswith(begins):
                    named[begins] += any(without_pings(name) in line for name in CALLED)
    assert min(named.values()) >= (4 if table.game in built_in() else 2), named


def test_every_verb_was_refused(table: Table) -> None:
    """The test above looks at each verb, the game's own as well."""
    refused = {told.words[0] for told in table.heard if told.code in (2, 3, 5)}
    verbs = {*(SHARED if table.shared else ()), *(verb for verb, _ in own_verbs(table.app, table.app.match.game))}
    assert verbs <= refused, verbs - refused


def test_what_to_try_can_be_typed_as_it_stands(table: Table) -> None:
    """`fix` is a line for a terminal: no backslash of Discord's is in it, nor anything that cannot be seen."""
    for told in table.heard:
        for line in told.err.splitlines():
            if line.startswith("  try: "):
                assert not unseen(line) and "\\" not in line.replace("\\U", ""), line


def test_explain_can_be_pasted(table: Table) -> None:
    """`explain` answers a question of a player, so nothing in its sentences pings."""
    named = 0
    last = int(json.loads(table.hl("receipt", "-f", "json").out)["entries"])
    for what in ("final", *table.players, *map(str, range(1, last + 1))):
        told = table.hl("explain", what)
        for line in told.out.splitlines():
            check(line)
            named += any(without_pings(name) in line for name in CALLED)
    assert named > 20, named


def test_lists_that_are_pasted_are_escaped(table: Table) -> None:
    """`status -f discord` is asked for to be pasted: no name is in it as typed. `waiting` is read on the terminal."""
    for told in table.heard:
        if told.words[0] == "waiting":
            assert told.code == 0 and "<t:" not in told.out, told
            for line in told.out.splitlines():
                check(line)
        if told.words[0] == "status":
            assert told.code == 0, told
            outside = re.sub(r"<t:\d+:[RF]>", "", "\n".join(told.out.split("```")[::2]))
            assert not PING.findall(outside) and not [name for name in CALLED if name in outside], told


def test_json_keeps_what_was_typed(table: Table) -> None:
    """In JSON names are data: a program escapes what it posts."""
    error = json.loads(table.hl("drop", CALLED[0] + "x", "-n", "--json").out)["error"]
    assert CALLED[0] in error["what"] and "\\" not in error["what"], error


def test_a_check_can_fail() -> None:
    for name in filter(PING.search, CALLED):
        with pytest.raises(AssertionError):
            check(f"hl: {name} has traded already [x.y]")
    for name in CALLED:
        check(f"hl: {without_pings(name)} has traded already [x.y]")


# ---- everything that is told -----------------------------------------------------------------------------------------


def test_whatever_is_told_obeys_nobody(table: Table, tmp_path: Path, record_property: Any) -> None:
    """Every verb that tells, for every audience, in every format: nothing moves a cursor, pings, links, or is an
    element of a page. At full size with each name of the corpus."""
    answers = _check_all(table)
    for number in range(many(0, -(-len(NAMES) // 5))):
        (folder := tmp_path / f"{number}").mkdir()
        with pytest.MonkeyPatch.context() as patch:
            Stage(folder, patch, began=NOW)
            here = Table(table.game, folder, NAMES[number * 5 :] + NAMES)
            here.play()
            answers += _check_all(here)
    log_number(record_property, answers)


def _check_all(table: Table) -> int:
    """How many answers there were."""
    lines: list[tuple[tuple[str, ...], str]] = [((verb,), "text") for verb in ("log", "rules", "verify", "waiting")]
    lines += [(("log", "-f", "json"), "json"), (("explain", "final"), "text")]
    told = tellings(table.match, table.players[: many(1, 3)], len(table.app.match.book.entries))
    lines += [(line, fmt) for _, line, fmt in told]
    for line, fmt in lines:
        check_answer(line, fmt, hl("-g", str(table.match), *line, app=table.app))
    for heard in table.heard:
        check_discord("\n".join(heard.notices))
    return len(lines)


def check_answer(line: tuple[str, ...], fmt: str, answer: Any) -> None:
    assert answer.code in (0, 2), (line, answer)
    assert not unseen(answer.err, "\n" + ZWSP), (line, answer.err)
    if answer.code:
        return
    if fmt == "json":
        json.loads(answer.out)
        assert not [c for c in answer.out if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160], (line, answer.out)
    elif fmt == "html":
        tags = {tag for tag, _ in OneElement(answer.out).tags}
        assert not tags & {"script", "img", "image", "iframe", "a", "comment", "object"}, (line, tags)
    elif fmt in ("", "text", "csv", "md", "svg"):
        spoken = line[0] in ("reveal", "summary", "final") and not fmt
        if not spoken:
            assert not [c for c in answer.out if ord(c) in (27, 0x9B, 0x202E, 13, 0)], (line, answer.out)
        else:
            check_discord(answer.out)
    elif fmt == "discord":
        check_discord(answer.out)
    else:
        raise AssertionError(f"nothing says what must not stand in {fmt}")


def check_discord(text: str) -> None:
    """Nothing in a text for Discord pings, links or is a mention, wherever it stands."""
    assert not re.findall(r"@(?:everyone|here)|<@!?&?\d", text), text
    outside = "\n".join(without_addresses(text).split("```")[::2])
    assert not re.findall(r"<#\d|</\w|(?<!\\):\w+:\d{15}", outside), text
    assert "://" not in outside and not re.findall(r"(?i)discord(?:app)?\.(?:gg|com)", outside), text
    assert not [c for c in text if ord(c) in (27, 0x9B, 0x202E, 13, 0)], text


def test_the_checks_can_fail() -> None:
    for bad in ("hi @everyone", "<@123456789012345678>", "see https://evil", "discord.gg/x", "\x1b[2J"):
        with pytest.raises(AssertionError):
            check_discord(bad)


# ---- the types ------------------------------------------------------------------------------------------------------

SLIPS = """
from ledger.render.discord import code, escape
from ledger.render.safe import DiscordText, PlainText, SafeText, filled, joined, plain_text

def forward(text: DiscordText) -> None: ...
def at_terminal(text: PlainText) -> None: ...
def out(text: SafeText) -> None: ...

def use(name: str) -> None:
    forward(name)  # no
    forward(f"{escape(name)} has traded")  # no
    forward(plain_text(name))  # no
    forward(joined([escape(name), plain_text(name)]))  # no
    forward(filled("{} has traded", name))  # no
    forward(filled("{} has traded", plain_text(name)))  # no
    at_terminal(name)  # no
    at_terminal(escape(name))  # no
    out(name)  # no
    out(f"{name} has traded")  # no
    forward(filled("{} has traded [{}]", escape(name), code("section 3")))
    at_terminal(joined([plain_text(name), plain_text("x")]))
    out(escape(name))
    out(plain_text(name))
"""


def test_mypy_keeps_the_two_kinds_apart(tmp_path: Path, root: Path) -> None:
    """A name fits nowhere before it went through an escaper, and text for a terminal is none for Discord."""
    mypy = pytest.importorskip("mypy.api")
    source = tmp_path / "slips.py"
    source.write_text(SLIPS, encoding="utf-8")
    wanted = [number for number, line in enumerate(SLIPS.splitlines(), start=1) if line.endswith("# no")]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        said, _, code = mypy.run([str(source)])  # as `make lint` does, whose cache it finds
    found = [int(line) for line in re.findall(r"slips\.py:(\d+): error", said)]
    assert code == 1 and sorted(set(found)) == wanted, said
    for door in (App.out, App.show, App.note, App.out_recorded):
        _, texts, *_ = inspect.signature(door).parameters.values()
        assert texts.annotation == "SafeText", door


def test_only_escapers_make_the_types(root: Path) -> None:
    """The types are made where text is escaped, by the renderers; our own words around them are constants."""
    kinds, joins = {"DiscordText", "PlainText", "FileText"}, {"filled": 0, "joined": 1}
    homes = {"safe.py": kinds, "discord.py": {"DiscordText"}, "text.py": {"PlainText"}}
    homes |= {"__init__.py": {"FileText"}, "csv.py": {"FileText"}}
    homes = {f"render/{name}": made for name, made in homes.items()} | {"page/__init__.py": {"PlainText"}}
    for path in sorted((root / "ledger").rglob("*.py")):
        allowed = homes.get(f"{path.parent.name}/{path.name}", set())
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            assert name not in kinds or name in allowed, f"{path.name}:{call.lineno}: {name} is made by an escaper"
            place = joins.get(name, len(call.args))
            if place < len(call.args) and path.name != "safe.py":
                words = call.args[place]
                constant = isinstance(words, ast.Constant) or (isinstance(words, ast.Name) and words.id.isupper())
                assert constant, f"{path.name}:{call.lineno}: the words of {name} are a constant"
