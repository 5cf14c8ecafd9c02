"""Who has left is nowhere asked, told, chosen, paired, dealt in or waited for; what was before stands. Source: S-G3."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from games.contract import LEFT
from games.registry import load, names
from games.table import actions as shared
from ledger.author.simulation import Trial
from tests.support.ended import HANDS, NAMES as NAMED
from tests.support.guide import NAMES
from tests.support.host import Host, match_file

SIZES = {
    "equilibrium": 8,
    "poker_auction": 5,
    "hex_parties": 6,
    "polar": 6,
    "marsmatch": 4,
    "freeform": 5,
    **dict.fromkeys(NAMES, 5),
}


@pytest.fixture
def sit(host: Host) -> Callable[..., Host]:
    """Makes a match at the command line: `sit("polar", "ann bob cyd", rounds=2)`; Equilibrium is dealt and open."""

    def made(game: str, players: str = " ".join(NAMED), **settings: Any) -> Host:
        rows = {p: {"name": p.title(), "channel": f"#{p}"} for p in players.split()}
        host.new(match_file(game, rows, settings))
        if game == "equilibrium":
            host.deal(HANDS)
            host.write("open")
        return host

    return made


def trade_all(host: Host, pairs: Any) -> None:
    """Each pair trades the first cards of its hands."""
    for one, other in pairs:
        shown = host.view()["players"]
        host.write(f"trade {one} {shown[one]['hand'][0]} {other} {shown[other]['hand'][0]}")


def waiting_texts(host: Host) -> list[dict[str, Any]]:
    return list(host.json("outbox")["items"])


# ---- Equilibrium ---------------------------------------------------------------------------------------------------


def test_trading_ends_with_the_last_possible_trade_of_those_who_are_here(sit: Callable[..., Host]) -> None:
    """EQ-16, EQ-25: 21 pairs of seven players, and no eighth is possible."""
    at = sit("equilibrium")
    at.write("drop bob")
    assert at.view()["trades_left"] == 21
    here = [p for p in NAMED if p != "bob"]
    trade_all(at, list(combinations(here, 2))[:-1])
    assert at.view()["trades_left"] == 1 and at.view()["phase"] == "trading"
    trade_all(at, list(combinations(here, 2))[-1:])
    assert at.view()["phase"] != "trading"


def test_trading_ends_when_who_leaves_was_the_last_to_trade_with(sit: Callable[..., Host]) -> None:
    """EQ-16, EQ-25: what remains possible is counted anew with the drop; its undo counts them in again."""
    at = sit("equilibrium")
    trade_all(at, combinations([p for p in NAMED if p != "bob"], 2))
    assert at.view()["trades_left"] == 7 and at.view("ann")["trades_left"] == 1
    told = at.write("drop bob")
    assert any(fact["fact"] == "phase_ended" for fact in told["facts"])
    assert at.view()["phase"] != "trading"
    at.write("undo")
    assert at.view()["phase"] == "trading" and at.view()["trades_left"] == 7


def test_locks_are_counted_of_those_who_are_here(sit: Callable[..., Host]) -> None:
    """EQ-17, EQ-25: seven locks end it, and the text says so; a lock of who left is none."""
    at = sit("equilibrium")
    at.write("lock bob")
    at.write("drop bob")
    at.write("lock ann")
    assert "Locked in: 1 of 7." in at.hl("reveal").out
    for player in NAMED[2:]:
        assert at.view()["phase"] == "trading"
        at.write(f"lock {player}")
    assert at.view()["phase"] != "trading"


def test_who_has_left_is_no_partner(sit: Callable[..., Host]) -> None:
    """EQ-25: nobody is told to trade with them, and offers to them are gone."""
    at = sit("equilibrium")
    at.write("offer ann R2 bob B4")
    at.write("drop bob")
    said = at.hl("summary ann").out
    assert "Not yet traded with: Cyd, Dan, Eve, Fox, Gil and Hal" in said
    at.refused("trade ann R2 bob B4", "table.left")
    at.write("replace bob Zoe")
    at.refused("accept bob ann", "equilibrium.no_offer")
    assert "Not yet traded with: Zoe, Cyd" in at.hl("summary ann").out


def test_a_spare_token_is_not_given_to_who_has_left(sit: Callable[..., Host]) -> None:
    """S-2, S-G3: they are no receiver; a gift that was recorded before stands."""
    at = sit("equilibrium")
    at.write("close")
    while (open_ := at.final()["decisions"])[0]["kind"] != "gift":
        (at.write("lot") if open_[0]["kind"] == "lot" else at.write(f"close {open_[0]['kind']}"))
    giver, among = open_[0]["who"][0], open_[0]["among"]
    at.write(f"drop {among[0]}")
    assert at.final()["decisions"][0]["among"] == among[1:]
    at.refused(f"gift {giver} {among[0]}", "table.gift_candidate")
    at.write(f"gift {giver} {among[1]}")
    at.write(f"drop {among[1]}")
    assert at.final()["tokens"][among[1]] == 1


def test_who_has_left_gets_no_texts(sit: Callable[..., Host]) -> None:
    """S-G3: no private text and no correction; who takes the seat over gets all that there is to it."""
    at = sit("equilibrium")
    at.write("trade ann R2 bob B4")
    assert any(item["audience"] == "bob" for item in waiting_texts(at))
    at.write("drop bob")
    at.write("override bob hand 'R1 B1 R2 B2 R3'")
    at.write("award bob garnets 1")
    assert not any(item["audience"] == "bob" for item in waiting_texts(at))
    summaries = at.hl("summary --all").out
    assert summaries.count("--- to ") == 7 and "to Bob" not in summaries
    told = at.write("replace bob Zoe")
    assert [fact["text"] for fact in told["facts"]] == ["Zoe takes over the seat of Bob"]
    zoe = [item["text"] for item in waiting_texts(at) if item["audience"] == "bob"][-1]
    assert "You take over the seat of Bob" in zoe and "B1 R1 B2 R2 R3" in zoe and "Traded with: Ann" in zoe
    public = [item["text"] for item in waiting_texts(at) if item["audience"] == "public"]
    assert any("Zoe takes over the seat of Bob." in text for text in public)


def test_what_was_not_posted_to_who_has_left_is_named_and_waits_for_nobody(sit: Callable[..., Host]) -> None:
    """S-G3: the host is told which texts go to nobody; who takes the seat over reads the whole of it, and not these."""
    at = sit("equilibrium")
    at.write("trade ann R2 bob B4")
    mine = [item["item"] for item in waiting_texts(at) if item["audience"] == "bob"]
    at.write("drop bob")
    desk = at.json("outbox")
    assert [row["item"] for row in desk["gone"]] == mine and all(row["audience"] == "bob" for row in desk["gone"])
    assert f"not posted to bob, who has left the match: {' '.join(mine)}" in at.hl("outbox").err
    at.write("replace bob Zoe")
    desk = at.json("outbox")
    (told,) = [item["item"] for item in desk["items"] if item["audience"] == "bob"]
    assert "gone" not in desk and desk["superseded"] == [{"item": name, "by": told} for name in mine]
    at.write("undo")
    at.write("undo")
    assert [item["item"] for item in waiting_texts(at) if item["audience"] == "bob"] == mine


def test_names_and_never_ids_stand_in_what_everybody_reads_of_a_seat(sit: Callable[..., Host]) -> None:
    """S-G3: the seat of Robert is not called rob2."""
    at = sit("polar", "rob2 ann cyd")
    at.write("replace rob2 Zoe")
    at.write("replace rob2 Yan")
    texts = " ".join(item["text"] for item in waiting_texts(at) if item["audience"] == "public")
    assert "Zoe takes over the seat of Rob2." in texts and "Yan takes over the seat of Zoe." in texts
    assert "rob2" not in texts


def test_a_drop_recorded_late_is_asked_about(sit: Callable[..., Host]) -> None:
    """S-G3: what came later and needs them becomes contested, and the end comes earlier; its undo mends both."""
    at = sit("equilibrium")
    trade_all(at, combinations([p for p in NAMED if p != "bob"], 2))
    at.write("lock ann")
    moment = at.json("log")["entries"][-1]["at"]
    trade_all(at, [("ann", "bob")])
    before = at.log
    at.hl(f"drop bob --at {moment}", code=5)
    assert "the rules would no longer allow" in at.err and at.log == before
    told = at.write(f"drop bob --at {moment}")
    assert [one["code"] for one in told["contested"]] == ["equilibrium.trading_over"]
    assert at.view()["phase"] != "trading"
    at.write("undo")
    assert at.view()["phase"] == "trading" and at.json("status")["needs"][0].startswith("the next end")


# ---- MarsMatch -----------------------------------------------------------------------------------------------------


def mars_deal(players: str, each: str = "3 4 5") -> dict[str, str]:
    return dict.fromkeys(players.split(), each)


def test_who_leaves_before_the_draw_gets_no_seat_and_no_cards(sit: Callable[..., Host]) -> None:
    """MM-32, drawn: seven seats, a Banker among them, seven packs."""
    at = sit("marsmatch")
    at.write("drop bob")
    for _ in range(12):
        drawn = at.write("draw -n")["facts"][0]
        assert "bob" not in (drawn["banker"], *drawn["seats"]) and len(drawn["seats"]) == 7
    at.write("draw")
    at.write("deal")
    at.write("open")
    shown = at.view()
    assert shown["players"]["bob"]["count"] == 0 and sum(row["count"] for row in shown["players"].values()) == 7 * 54
    assert list(shown["players"])[-1] == "bob" and "Bob (left)" in at.hl("board --for public").out
    at.hl("verify")
    at.write("close real")
    assert "bob" not in at.view()["titles"]


def test_seats_and_cards_are_typed_without_who_has_left(sit: Callable[..., Host]) -> None:
    """MM-32, typed: with them it is refused, without them it is a draw and a deal."""
    at = sit("marsmatch", "ann bob cyd", short_hands=True)
    at.write("drop bob")
    at.refused("draw --banker bob", "table.left")
    at.refused("draw --banker ann --seats ann,bob,cyd", "table.left")
    at.write("draw --banker ann")
    assert at.deal(mars_deal("ann bob cyd"), code=3)["error"]["code"] == "table.left"
    at.deal(mars_deal("ann cyd"))
    at.write("open")
    assert at.view()["turn"] == "ann"


def test_who_has_left_wins_no_heavenly_hand_and_takes_none_away(sit: Callable[..., Host]) -> None:
    """MM-32: a Starlink that was dealt to who leaves before play counts for nothing; the UFO of Cyd wins."""
    at = sit("marsmatch", "ann bob cyd dan", short_hands=True)
    at.write("draw --banker bob")
    at.deal({"ann": "5 6 7", "bob": "3 3 3 3 3 3", "cyd": "BJ BJ LJ LJ", "dan": "8 9"})
    at.write("drop bob")
    at.write("open")
    final = at.final()["scores"]
    assert final == {"ann": 0, "bob": 0, "cyd": 900, "dan": 0}
    assert at.view()["turn"] == "dan"
    at.write("override bob hand none")
    assert not [line for line in at.json("status")["needs"] if "law" in line]


def test_a_drop_found_out_after_the_deal_undoes_neither_draw_nor_deal(sit: Callable[..., Host]) -> None:
    """MM-32, S-G3: seats and cards were drawn with them, and stay as they are; the audit repeats both."""
    at = sit("marsmatch", "ann bob cyd dan")
    at.write("alias bob bobby")
    moment = at.json("log")["entries"][-1]["at"]
    at.write("draw")
    at.write("deal")
    at.write("open")
    told = at.write(f"drop bob --at {moment}")
    assert told["contested"] == []
    at.hl("verify")
    assert at.view()["players"]["bob"]["count"] == 54 and at.view()["turn"] != "bob"


# ---- Hex Parties, Polar, Poker Auction -----------------------------------------------------------------------------


def test_pieces_of_who_has_left_stay_until_a_host_takes_them_off(sit: Callable[..., Host]) -> None:
    """HX-27: they count for parties and stand in the way; `none` takes one off, and a cell puts it back."""
    at = sit("hex_parties", "ann bob cyd dan eve fox")
    at.write("open")
    at.write("drop fox")
    at.write("resolve")
    assert at.view()["players"]["fox"]["odd"] == "D1"
    for piece in ("odd", "even"):
        told = at.write(f"override fox {piece} none")
        assert any("Fox" in item["text"] and "off the board" in item["text"] for item in waiting_texts(at))
        assert told["contested"] == []
    assert set(at.view()["players"]["fox"]) == {"points", "garnets", "bonuses_used", "victory_cells"}
    assert "D1" not in at.hl("board").out or "Fo" not in at.hl("board -f svg").out
    at.write("move bob odd C7")
    at.write("resolve")
    assert "fox" not in at.view()["rounds"][-1]["positions"]
    for verb in ("reveal", "board", "scores", "summary ann", "status", "reveal 2"):
        at.hl(verb)
    at.write("override fox odd E5")
    assert at.view()["players"]["fox"]["odd"] == "E5" and "even" not in at.view()["players"]["fox"]
    at.write("replace fox Zoe")
    at.refused("sides fox E5", "hex_parties.sides_over")
    at.write("move fox odd E6 even E4")
    at.write("resolve")
    assert at.view()["players"]["fox"]["odd"] == "E6"


@pytest.mark.parametrize("parity", ["first_listed", "lot", "host"])
def test_pieces_are_off_before_round_1_is_resolved(sit: Callable[..., Host], parity: str) -> None:
    """HX-9, HX-27: which piece is odd is not asked of who has none."""
    at = sit("hex_parties", "ann bob cyd dan eve fox", missing_parity=parity)
    at.write("open")
    at.write("sides fox B1")
    at.write("drop fox")
    at.write("override fox odd none")
    at.write("drop eve")
    at.write("override eve odd none")
    at.write("override eve even none")
    for player, cell in (("ann", "A2"), ("bob", "B6"), ("cyd", "F8"), ("dan", "I4")):
        at.write(f"sides {player} {cell}")
    at.write("resolve")
    shown = at.view()["players"]
    assert shown["fox"]["even"] == "D1" and "odd" not in shown["fox"] and "odd" not in shown["eve"]
    at.hl("verify")


def test_the_room_of_who_has_left_counts_until_a_host_takes_them_out(sit: Callable[..., Host]) -> None:
    """PL-26: they stay where they are and count for the others; `none` takes them out of the rooms."""
    at = sit("polar", "ann bob cyd", rounds=3)
    at.write("open")
    for player, room in (("ann", "rock"), ("bob", "scissors"), ("cyd", "scissors")):
        at.write(f"start {player} {room} + confetti,confetti")
    at.write("drop cyd")
    at.write("resolve")
    at.write("resolve")
    assert at.view()["rounds"][-1]["scores"] == {"ann": 2, "bob": -1, "cyd": -1}
    at.write("override cyd room none")
    assert any("took Cyd out of the rooms" in item["text"] for item in waiting_texts(at))
    at.write("resolve")
    assert at.view()["rounds"][-1]["scores"] == {"ann": 1, "bob": -1}
    at.write("resolve")
    for verb in ("reveal", "board", "scores", "summary ann", "status", "reveal 2", "final"):
        at.hl(verb)
    assert "Cyd (left)" in at.hl("final").out


def test_who_has_left_gets_no_unsold_cards_and_no_gift(sit: Callable[..., Host]) -> None:
    """PA-24: the Spades of who left take nothing, and nobody names them; a sheet that was sent before counts."""
    at = sit("poker_auction", "ann bob cyd dan eve")
    at.write("open")
    at.write("power ann 50 spades")
    at.write("power bob 40 hearts")
    at.write("resolve")
    at.write("bid ann 2C 5")
    at.write("drop ann")
    at.refused("bid bob 3C 5 --gift 3C=ann", "table.left")
    at.write("bid bob 3C 5 --gift 3C=cyd")
    at.write("resolve")
    cards = at.view()["rounds"][-1]["cards"]
    assert cards["2C"]["to"] == "ann" and cards["3C"]["to"] == "cyd" and cards["4C"]["to"] is None
    at.write("override ann cards none")
    assert not [line for line in at.json("status")["needs"] if "law" in line]


# ---- every game ----------------------------------------------------------------------------------------------------


def begun(name: str, **settings: Any) -> Trial:
    """A match of that game, open, with the number of players it is for."""
    play = Trial(load(name), NAMED[: SIZES[name]], settings={"allow_odd_roster": True, **settings})
    if "deal" in play.game.has:
        if name == "marsmatch":
            play.do(load(name).actions[0]())
        play.do(shared.Deal())
    play.do(shared.Open())
    return play


def end(play: Trial) -> None:
    """Play on, nobody doing anything, until play is over."""
    for _ in range(40):
        if play.state.table.status in ("deciding", "finished"):
            return
        if play.state.table.round is not None:
            play.do(shared.Resolve())
        else:
            play.do(shared.Close())


@pytest.mark.parametrize("name", names())
def test_who_has_left_carries_a_mark_in_every_list(name: str) -> None:
    """S-G3: in reports, scores and boards, of hosts, players and the public; and in the result."""
    from games.kit.blocks import Board, Items, Table
    from games.table.view import frame

    play = begun(name)
    play.do(shared.Drop("bob"))
    for _ in range(2):
        for viewer in ("host", "public", "ann"):
            shown, view, result = frame(play.state.table, play.game.title, viewer), None, play.result(viewer)
            assert result.left == ("bob",)
            view = play.game.view(play.state, viewer)
            for draw in (play.game.report, play.game.scores, play.game.board):
                for block in draw(shown, view, result):
                    if isinstance(block, Table):
                        named = [cell for row in block.rows for cell in row if cell.lower() in ("bob", f"bob {LEFT}")]
                        assert all(cell.endswith(LEFT) for cell in named)
                    if isinstance(block, Items):
                        said = ["".join(str(span) for span in line) for line in block.items]
                        assert not [line for line in said if "Bob" in line and f"Bob {LEFT}" not in line]
                    if isinstance(block, Board):
                        assert "Bob" not in dict(block.legend).values()
        end(play)


@pytest.mark.parametrize("name", [n for n in names() if "elimination" in load(n).has and n != "freeform"])
def test_every_leaver_is_eliminated_where_the_setting_says_so(name: str) -> None:
    """S-G3: `eliminated`: all who left, and no vote; `out`: none of them; and no token in any case."""
    for setting in ("eliminated", "out", "as_played"):
        play = begun(name, leaver_result=setting)
        play.do(shared.Drop("bob"))
        play.do(shared.Drop("ann"))
        end(play)
        for _ in range(20):
            open_ = play.state.table.decisions
            assert not {"ann", "bob"} & {p for d in open_ for p in (*d.who, *d.among)} or setting == "as_played"
            if not open_:
                break
            play.do(shared.Lot() if open_[0].kind == "lot" else shared.Close(open_[0].kind))
        table = play.state.table
        if setting == "eliminated":
            assert table.elimination == ("ann", "bob")
        if setting == "out":
            assert not {"ann", "bob"} & {*table.elimination}
        assert not {"ann", "bob"} & {award.player for award in table.awards}
        assert not {"ann", "bob"} & {reward.player for reward in table.rewards}


def test_what_was_decided_before_they_left_stands(polar: Any) -> None:
    """S-G3: who leaves after the end keeps the token, and stays Elimination Candidate; before the vote, neither."""
    play = polar.placed({"a": "rock +", "b": "scissors +", "c": "scissors +", "d": "paper -"}, settings={"rounds": 1})
    play.resolve()
    winner = play.state.table.awards[0].player
    while play.state.table.status != "finished":
        open_ = play.state.table.decisions[0]
        play.do(shared.Lot() if open_.kind == "lot" else shared.Close(open_.kind))
    before = play.state.table
    for gone in (winner, before.elimination[0]):
        play.do(shared.Drop(gone))
        assert (play.state.table.elimination, play.state.table.awards) == (before.elimination, before.awards)
