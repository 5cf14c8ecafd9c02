"""MarsMatch through the command line: rounds, a whole match, slips. MM1 and MM2: test_marsmatch_combos and _rules.

Every expected value was worked out by hand from the rules. The commands run in this process; what is checked is what a
host's script would read: the exit code and the JSON.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.kit import luck
from tests.support import completing, host
from tests.support.host import match_file


class Host(host.Host):
    """A host of MarsMatch."""

    def points(self) -> dict[str, int]:
        return {p: n for p, n in self.have("points", "public").items() if n}


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Makes a match of these hands, drawn, dealt and opened."""

    def made(hands: dict[str, str], settings: str = "short_hands = true") -> Host:
        at = Host(tmp_path / f"t{len(list(tmp_path.iterdir()))}", monkeypatch)
        at.new(match_file("marsmatch", {p: {"name": p.upper()} for p in hands}, settings, zone="UTC"))
        at.write(f"draw --banker {next(iter(hands))} --seats {','.join(hands)}")
        at.deal(hands)
        at.write("open")
        return at

    return made


# ---- several rounds ------------------------------------------------------------------------------------------------


def two_rounds(start: Any) -> Host:
    """Ann wins the first round by a Ground Hand, Cyd the second, which hosts end; Bob loses 50 points to hosts."""
    host: Host = start({"ann": "3", "bob": "4", "cyd": "5 6"}, "short_hands = true\nrounds = 2")
    host.write("play ann 3")
    host.write("play bob 4")
    host.write("draw --banker cyd --seats cyd,ann,bob")
    host.deal({"ann": "4 4", "bob": "5 5", "cyd": "A"})
    host.write("open")
    host.write("play cyd A")
    host.write("override bob points -50 --note 'two hours late'")
    host.write("close real")
    return host


def test_final_shows_each_round_with_its_titles_then_the_total(start):
    """MM-24: what each round brought and to whom; then all rounds together, with what hosts set."""
    host = two_rounds(start)
    text = host.hl("final -f text").text
    first, second, total = (text.index(word) for word in ("Round 1", "Round 2", "All rounds"))
    assert first < second < total
    assert "ANN · Ground Hand · 500 points" in text[first:second] and "BOB · Human Hand" in text[first:second]
    assert "CYD · Total Loser · 0 points" in text[first:second]
    assert "CYD · Ground Hand · 500 points" in text[second:total] and "BOB · Total Loser" in text[second:total]
    assert "BOB · -150 by the hosts" in text[total:] and "Ground Hand" not in text[total:].partition("Cards left")[0]
    assert host.points() == {"ann": 500, "bob": -50, "cyd": 500}
    rounds = host.view("public")["rounds"]
    assert [one["banker"] for one in rounds] == ["ann", "cyd"]
    assert rounds[0]["points"] == {"ann": 500, "bob": 100} and rounds[1]["titles"]["bob"] == "total_loser"


def test_reveal_prints_a_round_that_is_over(start):
    """MM-24: `reveal ROUND` as in the other games; of a round that is not over it is refused."""
    host = two_rounds(start)
    text = host.hl("reveal 1 -f text").text
    assert "Banker: ANN." in text and "ANN · Ground Hand · 500 points" in text and "Round 2" not in text
    assert "Round 2" in host.hl("reveal 2").text and "no round" in host.hl("reveal 3", code=2).text
    host.write("amend-setting visibility.points=host")
    assert "no round" in host.hl("reveal 1", code=2).text, "who may not know the points is told no round"
    assert "Round 1" in host.hl("reveal 1 --for host").text


def test_the_hosts_option_and_the_games(start):
    """`--as HOST` before the verb, or after it with the name of a host; `--as TYPE` after `play` alone."""
    host = start({"a": "5 5 5 5 6 6 6 6 Q", "b": "10", "c": "10"})
    host.refused("play a Q --as rockt", "combination.unknown", 2)
    host.refused("play a Q --as rocket", "marsmatch.declared")
    host.refused("pass a --as rocket", "host.unknown", 2)
    assert host.write("--as rocket play a Q", code=2)["error"]["code"] == "host.unknown"
    host.write("--as mara play a Q --as single")
    host.write("pass b --as mara")
    host.write("pass c --as=mara")


# ---- a match -------------------------------------------------------------------------------------------------------


def test_a_whole_match(start):
    """From the deal to the result: tricks, going out, titles, scores; the log verifies; hint and explain."""
    host = start({"a": "3 3 K", "b": "4 4 9", "c": "5 A", "d": "6 7"})
    hint = host.json("hint b")
    assert hint["player"] == "b" and hint["turn"] is False and hint["trick"] is None
    host.write("play a 33")
    assert [row["cards"] for row in host.json("hint b")["plays"]] == [["4", "4"]]
    host.refused("pass a", "marsmatch.not_your_turn")
    host.write("play b 4,4")
    told = host.json("explain 14")["chain"][0]
    assert told["text"] == "B plays 4 4: Pair of 4; 4 over 3, the same type and shape"
    for player in "cda":
        host.write(f"pass {player}")
    host.write("play b 9")
    assert host.view()["titles"] == {"b": "ground_snatch"}
    host.write("play c A")
    for player in "da":
        host.write(f"pass {player}")
    host.write("play c 5")
    final = host.json("final")
    assert final["status"] == "finished" and final["scores"] == {"a": 0, "b": 300, "c": 100, "d": 0}
    assert final["ranking"] == [["b"], ["c"], ["a", "d"]]
    assert (final["garnets"], final["tokens"], final["elimination"]) == ({}, {}, [])
    assert host.view("public")["players"]["a"]["hand"] == ["K"]
    assert host.json("verify")["ok"] is True


def test_a_late_turn(start):
    """MM-25: `waiting` shows that a turn is overdue; `timeout` records what follows."""
    host = start({"a": "3 K", "b": "4 5", "c": "6 7"}, "short_hands = true\nturn_seconds = 30")
    (due,) = host.json("waiting")["waiting"]
    assert due["who"] == "a" and due["until"]
    assert host.json("waiting --check", code=5)["waiting"]
    host.write("timeout a")
    assert host.view()["trick"]["cards"] == ["3"] and host.view()["turn"] == "b"
    assert host.json("verify")["ok"] is True


def test_a_drawn_match_verifies(start, tmp_path):
    """Draw and deal by the program: kept with their seeds, repeated by `verify`; another outcome is found."""
    from events import Body, LogFile
    from ledger.audit.verify import verify

    host = start({"a": "3", "b": "4"}, "rounds = 2\nshort_hands = true")
    host.write("play a 3")
    host.write("draw")
    host.write("deal")
    assert sum(row["count"] for row in host.view()["players"].values()) == 108
    log = host.folder / "m" / "log.jsonl"
    assert verify(str(log)).ok
    host.write("undo")
    host.write("undo")
    source, seed = {"shuffle": ["a", "b"]}, "11" * 32

    def draw(seq: int, turned: int) -> Body:
        drawn = luck.repeat(source, luck.mix(bytes.fromhex(seed)), seq)[::turned]
        args = {"banker": drawn[0], "seats": list(drawn), "drawn": list(drawn), "draw": source, "seed": seed}
        return Body("draw", 2**41, "mara", 2**41, args)

    with LogFile(log).writing() as writer:
        seq = len(writer.reading.lines) + 1
        writer.append([draw(seq, 1)])
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.replaced"]  # the first draw was undone
    with LogFile(log).writing() as writer:
        writer.append([Body("undo", 2**41, "mara", 2**41, {"target": seq})])
        writer.append([draw(seq + 2, -1)])
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.other", "draw.replaced"]


def test_completion(start):
    """Whose turn it is, the cards he holds; `--as` after `play` offers how they are read; lookups take a player."""
    host = start({"ann": "3 3 K", "bob": "4 5"})

    def offered(*words: str) -> list[str]:
        return completing.offered("-g", str(host.path), *words)

    assert offered("pla") == ["play"] and offered("hin") == ["hint"]
    assert offered("play", "") == ["ann"] and offered("play", "ann", "") == ["3", "K"]
    assert offered("play", "ann", "K", "--as", "s") == ["single:K"]
    assert offered("hint", "") == ["ann", "bob"] and "--as-of" in offered("hint", "ann", "--")
    assert offered("draw", "--banker", "b") == ["bob"]
    assert offered("--as", "") == ["mara"]


def test_help_lists_the_verbs_of_the_game(start):
    host = start({"a": "3", "b": "4"})
    text = host.hl("--help").out
    assert all(f"  {verb} " in text for verb in ("draw", "play", "pass", "timeout", "hint"))
    assert "for hosts alone" in host.hl("hint --help").out
