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
