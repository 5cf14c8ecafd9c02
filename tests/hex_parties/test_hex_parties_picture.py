"""What the picture of Hex Parties shows: blocks made from the view alone. How it is drawn is not here.

Source: docs/games/hex_parties.md, section 6; the words of the picture are its alt text.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.hex_parties.board import BOARD
from games.hex_parties.report import spaces_in_words
from games.kit.blocks import Board
from games.kit.grid import tags
from games.registry import load
from games.table import actions as shared
from games.table.view import frame

GAME = load("hex_parties")
PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")


def picture(play: Any, viewer: str = "public", round_: str = "") -> Board | None:
    """The picture of the board for a viewer, or that of a resolved round."""
    called = frame(play.state.table, GAME.title, viewer)
    view = GAME.view(play.state, viewer)
    made = (
        GAME.round_report(called, view, round_) if round_ else GAME.board(called, view, GAME.result(play.state, viewer))
    )
    boards = [block for block in made if isinstance(block, Board)]
    return boards[0] if boards else None


def standing(board: Board | None) -> dict[str, str]:
    """Cell -> tag and shape, with a star for a marked piece."""
    assert board is not None
    return {p.cell: f"{p.tag} {p.shape}{'*' if p.marked else ''}" for p in board.pieces}


def test_every_cell_is_drawn_where_it_lies(hexes):
    """1: 61 cells by name; neighbours in a row 2 apart, rows 1 apart, E5 in the middle."""
    board = picture(hexes())
    assert board is not None and [cell.name for cell in board.cells] == list(BOARD.axial)
    places = {cell.name: (cell.x, cell.y) for cell in board.cells}
    assert len(set(places.values())) == 61 and places["E5"] == (0, 0)
    assert places["E6"] == (2, 0) and places["D5"] == (1, -1) and places["F4"] == (-1, 1)


def test_a_circle_is_odd_a_square_even(hexes):
    """2, 6: two pieces a player, the odd one a circle, in the colour of his seat."""
    play = hexes()
    play.sides("p1", "A4")
    play.resolve()
    board = picture(play)
    assert standing(board)["A4"] == "P1 circle" and standing(board)["A2"] == "P1 square"
    assert board is not None and {p.tag: p.colour for p in board.pieces} == {f"P{n + 1}": n for n in range(6)}
    assert dict(board.legend)["circle"] == "odd" and dict(board.legend)["P3"] == "P3"


def test_before_round_1_is_resolved_the_choice_is_its_owners(hexes):
    """6: everybody sees the piece listed first as odd; the player and the hosts see what he chose."""
    play = hexes()
    play.sides("p1", "A4")
    assert standing(picture(play))["A4"] == standing(picture(play, "p2"))["A4"] == "P1 square"
    assert standing(picture(play, "p1"))["A4"] == standing(picture(play, "host"))["A4"] == "P1 circle"
    board = picture(play)
    assert board is not None and dict(board.legend)["circle"] == "odd (may change in round 1)"


def test_what_scored_is_marked_while_it_stands_there(hexes):
    """6: the pieces that scored in the last round; not one that a host has moved since."""
    play = hexes.at((3, 2, 6, 1, 5, 2))
    assert not [piece for piece in picture(play).pieces if piece.marked]
    play.resolve()
    marked = {cell for cell, said in standing(picture(play)).items() if said.endswith("*")}
    assert marked == {"E5", "D5", "A2", "A1", "B1"}
    play.do(shared.Override("p1", "odd", "I5"))
    assert not standing(picture(play))["I5"].endswith("*")
    assert standing(picture(play, round_="round_1"))["E5"] == "P1 circle*", "the picture of the round stays"


def test_victory_spaces_are_shaded_for_one(hexes):
    """5, 6: those of the player whose picture it is, by his points now; for nobody else and not after the end."""
    play = hexes.at(
        (3, 4, 7, 16, 0, 0), {p: (f"A{n}", f"I{n}") if n < 6 else ("E1", "E9") for n, p in enumerate(PLAYERS, 1)}
    )

    def shaded(viewer: str) -> set[str]:
        board = picture(play, viewer)
        assert board is not None
        return {cell.name for cell in board.cells if cell.shade}

    assert shaded("p1") == shaded("public") == shaded("host") == set()
    assert shaded("p2") == {"E5"} and shaded("p3") == set(BOARD.within(1)) and len(shaded("p4")) == 61
    board = picture(play, "p3")
    assert board is not None and dict(board.legend)["victory"] == "P3 ends the match by scoring here"
    over = hexes.at((4, 0, 0, 0, 0, 0))
    over.resolve()
    assert over.state.over and not [cell for cell in picture(over, "p1").cells if cell.shade]


def test_the_alt_text_says_what_the_picture_shows(hexes):
    """6: every piece by its player and cell, what scored, what is shaded; no more."""
    play = hexes.at((3, 2, 6, 1, 5, 2))
    play.resolve()
    public, mine = picture(play), picture(play, "p1")
    assert public is not None and mine is not None
    assert public.alt == (
        "Hexagonal board of 61 cells in rows A to I. P1 odd E5, even A2; P2 odd B2, even E6; P3 odd D5, even I2; "
        "P4 odd I3, even A1; P5 odd F1, even B1; P6 odd H6, even E9. Scored in round 1: P1 odd on E5, P1 even on A2, "
        "P3 odd on D5, P4 even on A1, P5 even on B1."
    )
    assert mine.alt == public.alt + " Shaded for P1: the centre E5."
    fresh = picture(hexes())
    assert fresh is not None and "Scored" not in fresh.alt and "Shaded" not in fresh.alt


def test_where_nothing_scored_nothing_is_said_to_have(hexes):
    play = hexes()
    play.resolve()
    board = picture(play)
    assert board is not None and "cored" not in board.alt and "marked" not in dict(board.legend)


def test_no_picture_where_the_places_are_secret(hexes):
    """6: with the line positions closed there is no picture for others, and for a player his own two pieces."""
    play = hexes(settings={"visibility": {"positions": "owner"}})
    assert picture(play) is None
    assert set(standing(picture(play, "p1"))) == {"A2", "A4"}


@pytest.mark.parametrize(
    ("players", "wanted"),
    [
        (["ann", "bob"], ["An", "Bo"]),
        (["ann", "anton", "anna"], ["An", "At", "Aa"]),
        (["p1", "p2", "p10"], ["P1", "P2", "P0"]),
        (["b1", "e5", "i2b"], ["Ba", "Ea", "Ib"]),
        (["a", "ab", "a_b", "a-b"], ["Aa", "Ab", "Ac", "Ad"]),
        (["mara", "marc", "mary", "mark"], ["Ma", "Mr", "My", "Mk"]),
    ],
)
def test_tags_are_two_letters_and_different(players, wanted):
    """6: two characters of a-z and 0-9 whatever the players are called, so that any font can draw them."""
    made = tags(players, BOARD.axial)
    assert list(made.values()) == wanted and len(set(made.values())) == len(players)
    assert all(len(tag) == 2 and tag.isascii() for tag in made.values())


def test_there_is_a_tag_for_everybody():
    """6: also where more players begin with one letter than the second character can tell apart."""
    made = tags([f"a{n}" for n in range(99)], BOARD.axial)
    assert len(set(made.values())) == 99 and not set(made.values()) & set(BOARD.axial)


def test_spaces_in_words():
    """5: victory spaces in a few words."""
    assert [spaces_in_words(BOARD.within(n)) for n in (1, 3, 4)] == [
        "E5 and everything within 1 cell of it",
        "E5 and everything within 3 cells of it",
        "every cell",
    ]
