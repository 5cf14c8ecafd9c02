"""Words as a host types them: cards, several cards, players."""

from __future__ import annotations

import pytest

from events.errors import Unreadable
from games.equilibrium.cards import CARD, DECK, face, flip, read_card, read_cards, sort, swap
from games.kinds import Directory
from tests.support.logs import told


@pytest.mark.parametrize("card", dict.fromkeys(DECK))
def test_every_spelling_of_every_card(card):
    """1: R7, 7r, red7, in any case and with a space or hyphen between; all are one card. T is read as 10."""
    colour, value = {"R": "red", "B": "black"}[card[0]], card[1:]
    words = [f"{c}{gap}{value}" for c in (card[0], colour) for gap in ("", " ", "-", "_")]
    words += [f"{value}{gap}{c}" for c in (card[0], colour) for gap in ("", " ", "-", "_")]
    for word in [*words, *(word.replace("10", "T") for word in words)]:
        for spelled in (word, word.lower(), word.upper(), word.title(), f"  {word} "):
            assert read_card(spelled) == card, spelled


@pytest.mark.parametrize(
    "word",
    [
        "", " ", "R", "7", "R0", "R11", "R100", "R-", "0r", "11b", "7 7", "RR7", "7rr", "R7R", "re7", "r7ed", "G7",
        "S7", "blue7", "R7 B7", "R7,", "R7.0", "R+7", "R١", "R７", "seven red", "10C", "AS", "LJ", "R\n",
        "R7\x1b[31m", "R7x", "R" * 500, "7" * 500,
    ],
)  # fmt: skip
def test_what_is_no_card(word):
    """1: what cannot be read is refused with one code and a line on what a card is; nothing is guessed."""
    with pytest.raises(Unreadable) as refusal:
        read_card(word)
    assert refusal.value.code == "equilibrium.card" and "R7" in refusal.value.fix
    assert len(refusal.value.what) < 400 and "\x1b" not in refusal.value.what


def test_reading_what_was_written():
    """1: the spelling of a card reads back as that card, and matches the pattern that the log demands."""
    import re

    for card in DECK:
        assert read_card(card) == card and re.fullmatch(CARD.pattern, card)
        assert f"{face(card)[1]}{face(card)[0]}" == card
        assert flip(flip(card)) == card != flip(card) and flip(card)[1:] == card[1:]
    assert CARD.choices == tuple(dict.fromkeys(DECK))
    for word in ("R0", "R11", "r7", "R07", "7R", "R1 ", ""):
        assert not re.fullmatch(CARD.pattern, word)


def test_several_cards_are_one_value():
    """docs/audit.md: several cards are one value, apart by spaces or commas, kept sorted."""
    assert read_cards("R4 B4 R9 B9 R2") == ("R2", "B4", "R4", "B9", "R9")
    assert read_cards(" r4,b4 ,9r,  black9\tred2 ") == ("R2", "B4", "R4", "B9", "R9")
    for word in ("", "  ", ",", "R4 B4 X9"):
        with pytest.raises(Unreadable):
            read_cards(word)


def test_a_hand_is_sorted_by_value_black_before_red():
    """1: a hand is sorted by value, black before red; 10 after 9, not after 1."""
    assert sort(["R10", "B10", "R2", "B9", "R1"]) == ("R1", "R2", "B9", "B10", "R10")
    assert sort(DECK[::-1]) == DECK


def test_swapping_one_copy():
    """1: copies have no identity: giving one of two leaves the other."""
    assert swap(("B4", "B4", "R4", "B9", "R9"), "B4", "R1") == ("R1", "B4", "R4", "B9", "R9")
    assert swap(("R1", "R2", "R4", "R6", "B8"), "R1", "R1") == ("R1", "R2", "R4", "R6", "B8")


BOOK = Directory(
    {"ann": "Ann", "anton": "Anton", "bob": "Bobby Tables", "cyd": "Çelik", "p1": "One", "p10": "Ten"},
    {"annie": "ann", "sid": "cyd", "robert": "bob"},
)


@pytest.mark.parametrize(
    ("typed", "player"),
    [
        ("ann", "ann"), ("ANN", "ann"), (" Ann ", "ann"), ("@ann", "ann"),
        ("annie", "ann"), ("anni", "ann"), ("ant", "anton"), ("b", "bob"), ("Bobby Tables", "bob"), ("bobby t", "bob"),
        ("rob", "bob"), ("Robert", "bob"), ("sid", "cyd"), ("çelik", "cyd"), ("C\u0327elik", "cyd"), ("ÇE", "cyd"),
        ("p1", "p1"), ("p10", "p10"), ("te", "p10"),
    ],
)  # fmt: skip
def test_players_by_any_unique_spelling(typed, player):
    """Issue, commands: ids, names, aliases and their unique beginnings, in any case; a whole word beats a beginning."""
    assert BOOK.find(typed) == player


@pytest.mark.parametrize(
    ("typed", "code", "named"),
    [
        ("an", "ambiguous", "ann anton"), ("a", "ambiguous", "ann anton"), ("p", "ambiguous", "p1 p10"),
        ("bop", "unknown", "bob"), ("antno", "unknown", "anton"), ("zzz", "unknown", ""), ("", "unknown", ""),
        ("@", "unknown", ""),
    ],
)  # fmt: skip
def test_a_player_who_is_not_found(typed, code, named):
    """Issue, bad input: of several who are meant all are named and none is chosen; else the nearest names."""
    with told(Unreadable, f"player.{code}") as refusal:
        BOOK.find(typed)
    assert all(player in (refusal.value.what if code == "ambiguous" else refusal.value.fix) for player in named.split())


def test_a_beginning_that_two_spellings_of_one_player_share():
    """Issue, commands: `an` is no doubt when both `ann` and `annie` are the same player."""
    assert Directory({"ann": "Ann", "bob": "Bob"}, {"annie": "ann"}).find("an") == "ann"
