"""Two worked scenarios of Poker Auction, played through the command line: PA1 (powers) and PA2 (the clubs round).

Every expected value was worked out by hand from the rules. The commands run in this process; what is checked is what a
host's script would read: the exit code and the JSON.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

from tests.support import completing, host
from tests.support.host import match_file

GARNETS = {"a": 2, "b": 5, "c": 1, "d": 3, "e": 0}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


class Host(host.Host):
    """A host of an auction."""

    def chips(self) -> dict[str, int]:
        return self.have("chips")

    def powers(self) -> dict[str, str]:
        return self.have("power", "public")

    def cards(self) -> dict[str, str]:
        """Player -> the ranks they own."""
        return {p: " ".join(card[:-1] for card in cards) for p, cards in self.have("cards").items()}

    def clubs(self, viewer: str = "host") -> Any:
        (round_,) = self.view(viewer)["rounds"]
        assert round_["suit"] == "clubs" and list(round_["cards"]) == [f"{rank}C" for rank in RANKS]
        return round_["cards"]


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Makes and opens a match."""

    def made(settings: str = "") -> Host:
        seats = {p: {"name": p.upper(), "garnets": n} for p, n in GARNETS.items()}
        at = Host(tmp_path, monkeypatch).new(match_file("poker_auction", seats, settings, zone="UTC"))
        at.write("open")
        return at

    return made


def play_pa1(host: Host) -> None:
    host.write("power a 30 S>D>H>C>J")
    host.write("power b 30 'spades joker diamonds hearts clubs'")
    host.write("power c 10 D>S>C>H>J")
    host.write("power e 25 JSDHC")
    host.write("resolve")


SHEETS = [
    'bid a "2C 5, 3C 4, 5C 6, 6C 8, 7C 1" --diamonds 7C',
    'bid b "2C 5, 3C 4"',
    'bid c "2C 3, 3C 2" --destroy 6C',
    'bid d "3C 2, 5C 7, 7C 10, KC 3" --gift 5C=c --gift KC=a',
    'bid e "6C 9, 7C 12, KC 20, AC 0"',
]


def play_pa2(host: Host, sheets: list[str] = SHEETS) -> Any:
    play_pa1(host)
    for line in sheets:
        host.write(line)
    return host.write("resolve")


# ---- PA2 -----------------------------------------------------------------------------------------------------------


def test_pa2(start):
    """PA2: each card, all chips, all cards."""
    host = start()
    play_pa2(host)
    assert host.chips() == {"a": 73, "b": 65, "c": 89, "d": 82, "e": 64}
    assert host.cards() == {"a": "", "b": "3 4 8 9 10 J Q A", "c": "2 5", "d": "", "e": "7 K"}
    clubs = host.clubs()
    assert clubs["2C"] == {"to": "c", "why": "won", "because_of_invalid_bids": True}
    assert clubs["5C"] == {"to": "c", "why": "gift", "because_of_invalid_bids": False}
    assert clubs["6C"] == {"to": None, "why": "destroyed", "because_of_invalid_bids": False}
    assert clubs["7C"] == clubs["KC"] == {"to": "e", "why": "won", "because_of_invalid_bids": False}
    for rank in ["3", "4", "8", "9", "10", "J", "Q", "A"]:
        assert clubs[f"{rank}C"] == {"to": "b", "why": "no_valid_bids", "because_of_invalid_bids": False}
    assert host.view()["phase"] == "diamonds"
    assert host.json("verify")["ok"] is True


def test_pa2_reasons_of_the_preview(start):
    """Issue: resolve without --yes shows the reason of each line, and records nothing."""
    host = start()
    play_pa1(host)
    for line in SHEETS[:-1]:
        host.write(line)
    before = host.log
    said = host.hl("resolve").err
    assert host.log == before
    for line in (
        "2C: C wins with 3; tied and skipped: 5",
        "3C has no valid bid, so it goes to B (Spades); tied and skipped: 4, 2",
        "4C has no valid bid, so it goes to B (Spades)",
        "5C: D wins with 7 and C receives it (Hearts)",
        "6C is destroyed (Clubs)",
        "A uses Diamonds on 7C",
        "nothing that counts has come from E",
        "nothing is recorded yet; --yes --early records it",
    ):
        assert line in said, said


def test_pa2_from_standard_input(start, monkeypatch):
    """Issue: `bid P -` reads the sheet from standard input."""
    host = start()
    play_pa1(host)
    monkeypatch.setattr("sys.stdin", io.StringIO("2c 5\n3c: 4\n\n5♣ = 6\nC6 8\n7C 1\n"))
    host.write("bid a - --diamonds 7C")
    for line in SHEETS[1:]:
        host.write(line)
    host.write("resolve")
    assert host.chips() == {"a": 73, "b": 65, "c": 89, "d": 82, "e": 64}


# ---- corrections ---------------------------------------------------------------------------------------------------


def test_explain_names_a_card_and_a_power(start):
    """Issue: `explain` for each card; also those that nobody received, and a power."""
    host = start()
    play_pa2(host)

    def texts(what: str) -> list[str]:
        return [link["text"] for link in host.json(f"explain {what}")["chain"]]

    assert "6C is destroyed (Clubs)" in texts("6c") and "C uses Clubs on 6C" in texts("6C")
    assert "A receives 23 chips (Diamonds on 7C)" in texts("7C")
    assert any("Joker" in text for text in texts("joker"))
    assert host.json("explain 2H", code=2)["error"]["code"] == "player.unknown"


def test_a_correction_is_previewed_card_by_card(start):
    """Issue, previews in words: of the rounds only what becomes different is told."""
    host = start()
    play_pa1(host)
    seq = [host.write(line)["seq"][0] for line in SHEETS][1]
    host.write("resolve")
    shown = host.hl(f"amend {seq} 'bids=2C 5' -n").err
    told = [line.strip() for line in shown.splitlines() if "rounds" in line]
    assert told == ["now rounds clubs cards 3C to: b -> a", "now rounds clubs cards 3C why: no_valid_bids -> won"]


def test_words_offered_for_a_sheet(start):
    """Issue: completion offers the cards of the round and the powers."""
    host = start()

    def offered(*words: str) -> list[str]:
        return completing.offered("-g", str(host.path), *words)

    assert offered("power", "a", "5", "") == [
        "spades", "diamonds", "hearts", "clubs", "joker",
    ]  # fmt: skip
    play_pa1(host)
    assert offered("bid", "a", "") == [f"{rank}C" for rank in RANKS]


# ---- the end -------------------------------------------------------------------------------------------------------


def test_the_end_is_told_to_everybody(start):
    """Issue of the desk, outbox: the final reveal waits to be posted when the last decision is made, not before."""
    host = start('multi_ec = "winner_picks"\n')
    play_pa1(host)
    for _ in range(4):
        host.write("resolve")

    def posted() -> list[str]:
        items = host.json("outbox")["items"]
        return [item["text"] for item in items if item["audience"] == "public"]

    assert host.view()["phase"] == "deciding" and not any("The match is over." in text for text in posted())
    (due,) = host.json("waiting")["waiting"]
    assert (due["who"], due["what"]) == ("b", "choice")
    assert "a choice is open for B" in str(host.json("explain final"))
    host.write("choose b a")
    host.write("gift b c")
    last = posted()[-1]
    assert (
        last.startswith("- The match is over.") and "Elimination Candidate: **A**" in last and "**C** · 1 Token" in last
    )
    assert "no hand, 0 cards" in last and host.view()["phase"] == "finished"


def test_as_of_a_round(start):
    """docs/json.md: `--as-of round:N` is the match as it was when that round was resolved, by its name."""
    host = start()
    play_pa2(host)
    host.write('bid a "2D 1"')
    told = host.json("view --for host --as-of round:clubs")["view"]
    assert told["phase"] == "diamonds" and set(told["sheets"].values()) == {None}
    assert {p: row["chips"] for p, row in told["players"].items()} == {"a": 73, "b": 65, "c": 89, "d": 82, "e": 64}
    assert host.json("view --for public --as-of round:power")["view"]["rounds"] == []
    error = host.json("view --for host --as-of round:hearts", code=2)["error"]
    assert (error["code"], error["fix"]) == ("as_of.round", "--as-of round:power or --as-of round:clubs")


def test_a_card_that_a_host_moved_is_marked_where_its_round_is_told(start):
    """Seen: a card of a round with Ann, in the hands with Bob. Each list says that a host moved it."""
    host = start()
    host.write("power a 5 H>D>C>J>S")
    host.write("power e 9 S>D>C>J>H")
    host.write("resolve")
    host.write("bid a '2C 3, 3C 2'")
    host.write("resolve")
    host.write("override b cards 2C")
    host.write("override a cards 3C")

    def told(line: str) -> str:
        return host.hl(f"{line} -f text").out

    assert "A: 2C (moved by a host to B), 3C" in told("reveal clubs --for host")
    assert "A: 2C (moved by a host), 3C" in told("reveal clubs --for a"), "where it went is not theirs to know"
    assert "moved" not in told("reveal clubs"), "before the end nobody else knows who holds what"
    for _ in range(3):
        host.write("resolve")
    assert "A: 2C (moved by a host to B), 3C" in told("final") and "moved" not in told("reveal hearts")
