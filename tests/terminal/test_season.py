"""A match that goes on from earlier ones: garnets, who is out, void results; the Death Match. Source: S-1, S-6, S-7."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.support.host import Host, match_file
from tests.support.schemas import wrong

POINTS = {"ann": 20, "bob": 10, "cyd": 5, "dan": 3, "eve": 1}
"""Ann is first and has a token to give, Bob second, Eve Elimination Candidate."""


class Season(Host):
    """A folder with matches of Polar of one round; `say` types a line, by the folder of the match."""

    def say(self, line: str, code: int = 0) -> str:
        """Run that line, in which `@NAME` is something in the folder: what it says."""
        words = [str(self.folder / word[1:]) if word.startswith("@") else word for word in shlex.split(line)]
        return self.type(*words, code=code).text

    def game(self, name: str) -> str:
        first = (self.folder / name / "log.jsonl").read_text(encoding="utf-8").partition("\n")[0]
        return str(json.loads(first)["body"]["args"]["game"])

    def main(self, played: bool = True, settings: str = "rounds = 1") -> None:
        """The main match, over but for the gift."""
        seats = {p: n for n, p in enumerate(POINTS)}
        self.file("main.toml", match_file("polar", seats, settings, title="Episode 4"))
        self.say("new @main --from @main.toml")
        self.play("main", POINTS if played else {})

    def play(self, name: str, points: dict[str, int]) -> None:
        """Open it; with points, both rounds are resolved, and these set."""
        self.say(f"-g @{name} open")
        for player in points:
            self.say(f"-g @{name} start {player} rock +")
        for _ in range(2 if points else 0):
            self.say(f"-g @{name} resolve --yes --early")
        for player, n in points.items():
            self.say(f"-g @{name} override {player} points {n} --yes")

    def roster(self, name: str) -> dict[str, int]:
        """Who sits in a match, with which garnets."""
        lines = (self.folder / name / "log.jsonl").read_text().splitlines()
        bodies = [json.loads(line)["body"] for line in lines]
        return {b["args"]["player"]: b["args"].get("garnets", 0) for b in bodies if b["do"] == "seat"}


@pytest.fixture
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Season:
    found = Season(tmp_path, monkeypatch)
    found.file("next.toml", 'game = "polar"\n[settings]\nrounds = 1\nallow_odd_roster = true\n')
    return found


def test_garnets_and_who_is_here_go_on(season: Season) -> None:
    """S-6: garnets after the rewards; who has left gets no seat, and the host is told."""
    season.main()
    season.say("-g @main drop dan")
    season.say("-g @main close gift --yes")
    told = season.say("new @next --from @next.toml --after @main")
    assert "Dan had left, so they get no seat" in told
    assert season.roster("next") == {"ann": 2, "bob": 2, "cyd": 2, "eve": 4}


def test_after_a_void_match_garnets_are_as_they_were_brought(season: Season) -> None:
    """Season, declare void: `new --after` goes on from there."""
    season.main()
    season.say("-g @main declare void --note rain --yes")
    told = season.say("new @next --from @next.toml --after @main")
    assert "Episode 4 was declared void: garnets are as they were brought" in told
    assert season.roster("next") == {p: n for n, p in enumerate(POINTS)}


def test_a_death_match_is_of_the_candidate_and_whom_they_chose(season: Season) -> None:
    """S-1: the opponent is chosen in the main match, once it is over, among those without a token."""
    season.main()
    assert "Episode 4 is deciding" in season.say("new @dm --from @next.toml --after @main --death-match", 3)
    assert "no choice is open now" in season.say("-g @main choose eve dan", 3)
    told = season.say("-g @main gift ann cyd")
    assert "next: hl -g" in told and "choose eve NAME (Dan), if there is a Death Match" in told
    assert "If there is a Death Match, Eve chooses whom they face." in season.say("-g @main final")
    refused = season.say("new @dm --from @next.toml --after @main --death-match", 3)
    assert "Eve has chosen no opponent; Dan can be" in refused and "main choose eve dan\n" in refused
    for who in ("ann", "bob", "cyd", "eve"):
        assert "only Dan" in season.say(f"-g @main choose eve {who}", 3), "who holds a token cannot be named"
    assert "no choice is open now" in season.say("-g @main choose dan eve", 3)
    told = season.say("-g @main choose eve dan")
    assert "--- to everybody\n- Eve chooses Dan as the opponent in the Death Match.\n" in told
    assert "next: hl new FOLDER --from FILE --after THIS --death-match (Eve and Dan)\n" in told
    assert "Death Match: Eve and Dan." in season.say("-g @main final --for bob")
    told = season.say("new @dm --from @next.toml --after @main --death-match")
    assert "the Death Match: Eve against Dan" in told and "seat" not in told
    assert season.roster("dm") == {"eve": 4, "dan": 3}


def test_who_loses_the_death_match_gets_no_seat(season: Season) -> None:
    """S-1: the season goes on from the main match and its Death Match; the loser is out, garnets are the last ones."""
    season.main()
    season.say("-g @main close gift --yes")
    season.say("-g @main choose eve dan")
    season.say("new @dm --from @next.toml --after @main --death-match")
    season.play("dm", {"eve": 9, "dan": 2})
    told = season.say("new @next --from @next.toml --after @main --after @dm -n")
    assert "is deciding: its garnets may still change" in told and "lost" not in told
    season.say("-g @dm declare elimination dan --note 'fewer points' --yes")
    for line in (season.folder / "dm" / "log.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        assert not wrong(entry, "log", game=season.game("dm")), entry
    told = season.say("new @next --from @next.toml --after @main --after @dm")
    assert "Dan lost the Death Match, so they get no seat" in told
    assert season.roster("next") == {"ann": 2, "bob": 2, "cyd": 2, "eve": 5}
    season.say("-g @dm declare void --note 'a wrong board' --yes")
    told = season.say("new @again --from @next.toml --after @main --after @dm")
    assert "lost" not in told and season.roster("again") == {"ann": 2, "bob": 2, "cyd": 2, "dan": 3, "eve": 4}


def test_who_cannot_play_a_death_match(season: Season) -> None:
    """A token or a drop after the choice; a candidate who left; nobody; several; a void match; no main match."""
    season.main()
    season.say("-g @main close gift --yes")
    season.say("-g @main choose eve dan")
    new = "new @dm --from @next.toml --after @main --death-match"
    for change, what in (
        ("award dan tokens 1", "Eve chose Dan, who can no longer be chosen"),
        ("drop dan", "Eve chose Dan, who can no longer be chosen"),
        ("drop eve", "Eve has left, so there is no Death Match"),
        ("declare elimination nobody --note peace", "nobody is Elimination Candidate"),
        ("declare elimination dan eve --note both", "Dan and Eve are Elimination Candidates, but only one plays"),
        ("declare void --note rain", "Episode 4 was declared void"),
    ):
        season.say(f"-g @main {change} --yes")
        assert what in season.say(new, 3), change
        season.say("-g @main undo --yes")
    season.say(new + " -n")
    assert "a Death Match comes after one main match" in season.say("new @dm --from @next.toml --death-match", 2)
