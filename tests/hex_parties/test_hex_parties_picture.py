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
from games.table.view import frame
from tests.support.hexparties import PLAYERS, Hexes
from tests.table import lines

GAME = load("hex_parties")


def picture(play: Any, viewer: str = "public", round_: str = "") -> Board | None:
    """The picture of the board for a viewer, or that of a resolved round."""
    called = frame(play.state.table, GAME.title, viewer)
    view = GAME.view(play.state, viewer)
    made = (
        GAME.round_report(called, view, round_) if round_ else GAME.board(called, view, GAME.result(play.state, viewer))
    )
    boards = [block for block in made if isinstance(block, Board)]
    return boards[0] if boards else None


def drawn(board: Board | None) -> dict[str, Any]:
    """What a case asks of a picture: `pieces` have their tag and shape, with a star for a marked one."""
    if board is None:
        return {}
    return {
        "pieces": {p.cell: f"{p.tag} {p.shape}{'*' if p.marked else ''}" for p in board.pieces},
        "marked": {p.cell for p in board.pieces if p.marked},
        "shaded": [cell.name for cell in board.cells if cell.shade],
        "colours": {p.tag: p.colour for p in board.pieces},
        "legend": dict(board.legend),
        "alt": board.alt,
    }


STARTS = {
    "": lambda said, **given: Hexes(**given),
    "hx2": lambda said, **given: Hexes.at([int(n) for n in said.split()], **given),
}
SHOWS = {
    "picture": lambda play: {viewer: drawn(picture(play, viewer)) for viewer in ("public", "host", *PLAYERS)},
    "round": lambda play: drawn(picture(play, round_="round_1")),
}
PICTURES = """
2, 6 a circle is odd, a square even, in the colour of the seat
  sides p1 A4; resolve; picture public.pieces.A4 == P1 circle; picture public.pieces.A2 == P1 square
  picture public.colours == P2 1, P3 2, P4 3, P5 4, P6 5; picture public.legend.circle == odd
  picture public.legend.P3 == P3
6 before round 1 is resolved everybody sees the piece listed first as odd; the player and the hosts see what was chosen
  sides p1 A4; picture public.pieces.A4 == P1 square; picture p2.pieces.A4 == P1 square
  picture p1.pieces.A4 == P1 circle; picture host.pieces.A4 == P1 circle
  picture public.legend.circle == odd (may change in round 1)
6 what scored in the last round is marked, not what a host has moved since; the picture of the round stays
  hx2 3 2 6 1 5 2; picture public.marked == nothing; resolve; picture public.marked == A1 A2 B1 D5 E5
  override p1 odd I5
  picture public.marked == A1 A2 B1 D5; picture public.pieces.I5 == P1 circle; round pieces.E5 == P1 circle*
6 where nothing scored nothing is said to have
  resolve; picture public.alt !~ cored; picture public.legend.marked == absent
5, 6, HX-13 victory spaces are shaded for the player whose picture it is, by their points now; at 16 the whole board
  hx2 3 4 7 16 0 0; picture public.shaded == nothing; picture host.shaded == nothing; picture p1.shaded == nothing
  picture p2.shaded == E5; picture p3.shaded == D4 D5 E4 E5 E6 F4 F5; picture p4.shaded.60 == I5
  picture p3.legend.victory == P3 ends the match by scoring here
5, 6 not after the end
  hx2 4 0 0 0 0 0; resolve; view host winners == p1; picture p1.shaded == nothing
6 positions = owner: no picture for others, and for players their own two pieces
  set see.positions=owner; picture public == nothing; picture p1.pieces == A2 P1 circle, A4 P1 square
"""
test_picture = lines.plays(PICTURES, STARTS, SHOWS)


def test_every_cell_is_drawn_where_it_lies(hexes):
    """1: 61 cells by name; neighbours in a row 2 apart, rows 1 apart, E5 in the middle."""
    board = picture(hexes())
    assert board is not None and [cell.name for cell in board.cells] == list(BOARD.axial)
    places = {cell.name: (cell.x, cell.y) for cell in board.cells}
    assert len(set(places.values())) == 61 and places["E5"] == (0, 0)
    assert places["E6"] == (2, 0) and places["D5"] == (1, -1) and places["F4"] == (-1, 1)


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
    said = ["E5 and everything within 1 cell of it", "E5 and everything within 3 cells of it", "every cell"]
    assert [spaces_in_words(BOARD.within(n)) for n in (1, 3, 4)] == said
