"""Nothing that hosts do in any game, and nothing that any command reads, tells a player what is not theirs.

Pairs of every game in which hosts go on: every shared verb that writes, every verb and format that reads, by the real
commands on paper and in a folder. The method: secrecy/hosts.py, secrecy/reads.py.

Source: docs/log-format.md, docs/reliability.md, docs/json.md (promise 3); season S-9, S-11, S-G3; docs/rooms.md, the
table of commands.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from games.contract import Game
from games.registry import load
from ledger.cli.verb import Verb
from ledger.cli.verbs import shared_verbs
from tests.secrecy import harness as harness, hosts as hosts, judging as judging, moves as moves, reads as reads
from tests.secrecy.folder import Terminal
from tests.secrecy.generators import generator
from tests.secrecy.kept import Kept
from tests.secrecy.leaks import ANYWHERE
from tests.secrecy.script import BLANKED, NotAPair
from tests.support.guide import built_in as names
from tests.support.sizes import every_eighth, log_number, many

QUICK = 14
"""Pairs of each game in the quick run."""
RARE = {"equilibrium": 5, "poker_auction": 5, "hex_parties": 9, "polar": 11, "marsmatch": 19}
"""So many more, until hosts have typed every verb and each seeded leak below is among them."""
DRAWN = names()
ROUNDLESS = {"equilibrium": {"ROUND", "--as-of round"}, "marsmatch": {"ROUND", "--as-of round"}}
"""Games without rounds that can be told one by one."""
NO_MEANING = {
    "marsmatch": {
        "reopen": "only what a host closed can be gone back into, and that shows all hands",
        "override": "there are no garnets to set; the generator sets hands with it",
    }
}
"""Shared verbs after which a pair is none any more, each with the reason."""


def memory(name: str, game: Game | None = None) -> harness.Memory:
    return harness.Memory(game or load(name), generator(name).knows)


@pytest.mark.parametrize("name", DRAWN)
def test_pairs_in_which_hosts_go_on_leave_the_same(name: str, kept: Kept, record_property: Any) -> None:
    """14 pairs a game or more (2,000 at full size): what leaves is the same; every verb and surface was there."""
    tally, paper, quick = hosts.Tally(), memory(name), []
    for seed in range(many(QUICK + RARE.get(name, 0), 2_000)):
        went = hosts.pairs(paper, generator(name).draw, seed, tally)
        judging.check(went.pair, went.leak, paper.play)
        quick += [went.one] if seed < QUICK else []
    log_number(record_property, tally.pairs)
    assert tally.rejected < 2 * tally.pairs, "two of three candidates are no pairs: the generator has drifted"
    assert sum(tally.refused.values()) < sum(tally.moves.values()) * 2 / 3, f"come to nothing: {tally.refused}"
    missed = [verb for verb in hosts.undrawn(tally.seen + tally.hidden) if verb not in NO_MEANING.get(name, {})]
    assert not missed, f"these verbs write, and no pair of {name} typed them: {missed}"
    assert {"undo", "redo", "amend", "confirm", "--at", "--force", "outbox", "award"} <= {*tally.hidden}
    told = [f"{verb} {fmt}".strip() for verb, fmt in (*reads.READING, *reads.BESIDES)]
    missed = [kind for kind in (*told, *reads.VARIANTS - ROUNDLESS.get(name, set())) if not tally.compared[kind]]
    assert not missed, f"{missed}: compared in no pair of {name}; secrecy/reads.py draws them, or says why not"
    assert not kept.changed(f"{name} hosts", quick), "look at what is told otherwise: make told; then make goldens"


@pytest.mark.parametrize("name", DRAWN)
def test_pairs_in_which_hosts_go_on_print_the_same(name: str, tmp_path: Path) -> None:
    """The same through the real commands in a folder: log, copies, joins, files."""
    paper, terminal, tally = memory(name), Terminal(tmp_path), hosts.Tally(hosts.ROLES)
    for seed in range(many(1, 50)):
        pair = hosts.pairs(paper, generator(name).draw, 1_000 + seed, tally).pair
        found = judging.differs(pair, terminal.play)
        assert found is None, f"{found}\n{judging.in_words(pair)}"


def test_the_folder_finds_a_leak_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of entries in the JSON of a running match, by the real commands in a folder."""
    name, leak = ANYWHERE["the number of entries in JSON"]
    seed = FOUND_BY["the number of entries in JSON"]
    pair = hosts.pairs(memory(name), generator(name).draw, seed, hosts.Tally(hosts.ROLES)).pair
    leak(load(name), monkeypatch)
    assert "-f json" in (judging.differs(pair, Terminal(tmp_path).play) or "")


# ---- nothing of the table is forgotten ----------------------------------------------------------------------------


def unknown(table: Iterable[Verb]) -> list[str]:
    """Verbs that neither hosts draw, nor lines read, nor an exception names."""
    typed = {*hosts.BY_THE_GAME, *hosts.NOT_DRAWN, *typed_by_hosts()}
    read = {*reads.NOT_TOLD, *(verb for verb, _ in reads.READING)}
    return [row.name for row in table if row.name not in (typed if row.writes else read)]


def typed_by_hosts() -> set[str]:
    """The verbs that stand in the source of the moves."""
    sources = "".join(Path(one.__file__ or "").read_text(encoding="utf-8") for one in (hosts, moves))
    return set(re.findall(r'"([a-z]+(?:-[a-z]+)?)"', sources))


def test_every_verb_of_the_table_is_drawn_or_compared() -> None:
    """A new verb fails here by its name until somebody draws or compares it, or says why not."""
    assert unknown(shared_verbs().values()) == []
    new = (Verb("whisper", "tell"), Verb("swap-seats", "any match", records=("swap-seats",)))
    assert unknown((*shared_verbs().values(), *new)) == ["whisper", "swap-seats"]


def test_each_leak_is_looked_for_in_the_quick_run() -> None:
    """No leak may rest on a pair that the quick run does not play."""
    assert all(seed < QUICK + RARE.get(ANYWHERE[name][0], 0) for name, seed in FOUND_BY.items())


def test_exceptions_are_few_and_there() -> None:
    """Each exception names a verb of the table and has a reason."""
    exceptions = {**hosts.BY_THE_GAME, **hosts.NOT_DRAWN, **reads.NOT_TOLD}
    assert exceptions.keys() <= {row.name for row in shared_verbs().values()} and all(exceptions.values())
    assert all(BLANKED.values())
    assert {row.name for row in shared_verbs().values() if row.audience == "any"}.isdisjoint(reads.NOT_TOLD)


# ---- seeded leaks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", every_eighth(ANYWHERE))
def test_seeded_leaks_are_found(name: str, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """Each leak is found by a pair of the quick run, in which nothing else leaks."""
    game, leak = ANYWHERE[name]
    for seed in dict.fromkeys((FOUND_BY.get(name, 0), *range(QUICK + RARE.get(game, 0)))):
        with monkeypatch.context() as patch:
            leaky = memory(game, leak(load(game), patch))
            went = hosts.pairs(leaky, generator(game).draw, seed, hosts.Tally(hosts.ROLES))
        with contextlib.suppress(NotAPair):  # without the leak it is none
            if went.leak is not None and judging.differs(went.pair, memory(game).play) is None:
                record_property("pair", seed)
                return
    raise AssertionError("the pairs of the quick run did not show it: has the game, or what hosts type, changed?")


FOUND_BY: dict[str, int] = {
    "a replaced seat tells what it holds": 32, "who leaves tells whether a sheet is in": 6,
    "a correction names the texts of others": 4, "a correction counts texts": 4, "the first player's news for all": 2,
    "a round with the eyes of hosts": 12, "a copy with dropped texts of others": 0,
    "a copy judged by the first words": 1, "a lot that is told though its line is closed": 20,
    "what another copy brought stands open": 2, "rows in the order of purses": 6, "a column that counts lines": 19,
    "the name of a file counts": 5, "an earlier moment with the eyes of hosts": 1,
    "a key where something is contested": 24, "an exit code where something is contested": 6,
    "the page with the data of hosts": 5, "an attribute of the page counts": 11,
    "a try is refused with what all hold": 3, "a list that is refused with its length": 2,
    "a receipt only under the last line": 2, "the receipt of the newest line": 3,
    "a text named by how many were made": 0,
    "what was undone, in the words of hosts": 4, "what was undone in a round, in the words of hosts": 22,
    "the number of entries in JSON": 2, "how many owe something, in a reminder": 7,
    "that another entry causes a text now": 8,
}  # fmt: skip
"""At which pair to begin, only to be quick: each is one of the quick run."""
