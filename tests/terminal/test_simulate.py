"""`hl simulate`: whole matches at random, what they show, and that what is kept is an ordinary log.

Source: docs/commands.md, docs/json.md (simulate).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import toml
from games.freeform.actions import Do, Seal
from games.parts.build import build
from games.parts.moves import MAX_COMBINATIONS, combinations
from games.registry import load
from ledger.author.pairs import of_match, prove
from ledger.author.playtest import Spread, playtest, said, wilson
from ledger.author.simulation import Trial, simulate
from ledger.cli.root import run
from ledger.core.match import Match
from ledger.exchange.matchfile import setup_bodies
from ledger.exchange.template import template
from tests.support.guide import stated
from tests.support.host import match_file


def kept_of(make: Callable[[], Trial], seed: int, number: int) -> dict[int, Trial]:
    """The matches that are played from that seed on."""
    kept: dict[int, Trial] = {}
    playtest(make, seed, number, kept.__setitem__)
    return kept


NOW = 1_795_000_000_000
PEOPLE = ("ann", "bob", "cyd")
MATCHES = Path(__file__).parents[2] / "docs" / "matches"


def bodies_of(name: str) -> Any:
    text = (MATCHES / name).read_text("utf-8") if name.endswith(".toml") else template(load(name))
    return setup_bodies(toml.parse(text), source=name, by=None, now=NOW)


@pytest.mark.parametrize("name", ["polar", "equilibrium", "poker_auction", "hex_parties", "grunkle.toml"])
def test_a_kept_match_is_an_ordinary_log_of_the_same_state(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It verifies, nothing in it is contested, and folded it is what was played in memory."""
    game, bodies = bodies_of(name)
    kept = kept_of(lambda: Trial.from_entries(game, bodies), 7, 1)
    subject = str(MATCHES / name) if name.endswith(".toml") else name
    monkeypatch.setattr("ledger.cli.tools.now_ms", lambda: NOW)
    assert run(["simulate", subject, "-n", "1", "--seed", "7", "--keep", "1", "--into", str(tmp_path / "s")]) == 0
    log = tmp_path / "s" / "7" / "log.jsonl"
    assert ("1 matches of" in capsys.readouterr().out.splitlines()[0]) == (subject != name)
    capsys.readouterr()
    assert run(["-g", str(log), "verify"]) == 0
    fold = Match(str(log)).fold
    assert not fold.contested
    table = kept[7].state.table
    assert fold.state._replace(table=fold.state.table._replace(game_id="")) == kept[7].state, table.status


def test_the_match_of_a_seed_is_the_same_in_every_run() -> None:
    """So a line repeats it, whatever was played before; another seed is another match."""
    game, bodies = bodies_of("polar")
    made: dict[int, list[Any]] = {}
    for seed, number in ((3, 2), (4, 1)):
        for n, match in kept_of(lambda: Trial.from_entries(game, bodies), seed, number).items():
            assert made.setdefault(n, match.bodies()) == match.bodies()
    assert made[3] != made[4] and len(made) == 2


def test_outsiders_do_what_they_are_asked_for() -> None:
    """In a match at random and in one of a file; the pairs have them too."""
    whole = stated()
    assert whole.rounds is not None
    asked = whole.rounds._replace(who=lambda state, name: state.table.seats)
    game = build(whole._replace(rounds=asked))
    kept = kept_of(lambda: Trial(game, PEOPLE, outside=PEOPLE[2:]), 1, 3)
    for match in (*kept.values(), simulate(game, PEOPLE, Random(1), outside=PEOPLE[2:])):
        assert match.state.table.outside == {"cyd"} and match.state.table.players == ("ann", "bob")
    assert any("cyd" in match.state.table.last.sheets for match in kept.values())
    prove(game, PEOPLE, map(Random, range(12)), outside=PEOPLE[2:])
    assert all(pair.start.state.table.outside == {"cyd"} for pair in of_match(game, PEOPLE, Random(1), outside=["cyd"]))


def test_what_never_happens_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Verbs and secrets that no match met; then what the matches show, with every seat."""
    game, bodies = bodies_of("poker_auction")
    bid = next(cls for cls in game.actions if cls.__name__ == "Bid")
    silent = game._replace(choices=lambda state, player: [m for m in game.choices(state, player) if type(m) is not bid])
    shown = playtest(lambda: Trial.from_entries(silent, bodies), 1, 2)
    assert "bid" in shown.never_played and "bid" not in shown.played and "power" in shown.played
    lines = said(shown)
    assert any(line.startswith("never played: bid ") for line in lines[: len(shown.never_played)])
    assert said(shown, of_file=True) == lines[len(shown.never_played) + len(shown.never_met) :]
    assert shown.ends == {"finished": 2} and shown.rounds == Spread(5, 5, 5)
    assert [seat.player for seat in shown.seats] == list(
        bodies[0].args["roster"][n]["id"] for n in range(len(shown.seats))
    )


def test_a_match_that_breaks_is_kept_with_the_line_that_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log holds what was recorded up to there; exit code 1; the JSON says all of it."""
    monkeypatch.chdir(tmp_path)

    def from_entries(game: Any, bodies: Any) -> Trial:
        match = made(game, bodies)
        match.game = game._replace(invariants=lambda state: ("six are too many",) if state.table.resolved[5:] else ())
        return match

    made = Trial.from_entries
    monkeypatch.setattr(Trial, "from_entries", from_entries)
    assert run(["simulate", "polar", "-n", "3", "--seed", "4", "-f", "json"]) == 1
    out, err = capsys.readouterr()
    failed = json.loads(out)["failed"]
    assert failed["what"] == "a law is broken: six are too many" and failed["seed"] == 4
    assert failed["repeat"] == "hl simulate polar -n 1 --seed 4" and failed["repeat"] in err
    assert run(["-g", failed["log"], "verify"]) == 0


DUEL = """
[counters]
hits = { start = 0, seen_by = "everybody" }
[sheets.pick]
fields = { place = "one of north, east, west" }
rounds = 4
[verbs.hit]
fields = { who = "player", whom = "player", with = "one of axe, bow, club" }
does = ["hits who += 1", "hits whom -= 3"]
[result]
score = "hits"
tokens = "highest"
elimination = "lowest"
"""


def test_of_a_match_file_each_player_and_each_word_is_drawn() -> None:
    """Whom a verb names second, and the word between the first and the last, as often as the others: no seat wins by
    it."""
    file = match_file("freeform", "ann bob cyd dan") + DUEL
    game, bodies = setup_bodies(toml.parse(file), source="duel.toml", by=None, now=NOW)
    kept: dict[int, Trial] = {}
    shown = playtest(lambda: Trial.from_entries(game, bodies), 1, 40, kept.__setitem__)
    words = Counter(step.action.words for match in kept.values() for step in match.done if type(step.action) is Do)
    people = ("ann", "bob", "cyd", "dan")
    assert set(words) == {(a, b, w) for a in people for b in people for w in ("axe", "bow", "club")}
    places = {s.action.words for match in kept.values() for s in match.done if type(s.action) is Seal}
    assert places == {("north",), ("east",), ("west",)}
    assert all(seat.low < 0.25 < seat.high for seat in shown.seats), shown.seats


def test_of_many_ways_each_word_is_among_those_tried() -> None:
    """Also where the number of ways and the step from one to the next have a divisor in common."""
    tried = [*combinations([range(4)] * 5)]
    assert len(tried) <= MAX_COMBINATIONS and all({way[n] for way in tried} == {0, 1, 2, 3} for n in range(5))


def test_json_has_what_its_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    """And fits its schema."""
    from jsonschema import Draft202012Validator

    from ledger.exchange.schema import schema

    assert run(["simulate", "polar", "-n", "2", "-f", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    Draft202012Validator(schema("simulate")).validate(shown)
    assert shown["matches"] == 2 and shown["failed"] is None and len(shown["seats"]) == 5


def test_the_interval_of_a_share() -> None:
    """Wilson, 95 %: 0 of 10 may be up to 28 %."""
    share, low, high = wilson(0, 10)
    assert (share, low) == (0, 0) and 0.27 < high < 0.28
