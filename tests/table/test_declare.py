"""What hosts declare stands above the rules: elimination, tokens, winner, void; and tokens that hosts take away.

By rule through the command line, with the matches that were seen. Source: season, host powers, S-2, S-6.
"""

from __future__ import annotations

import json

import pytest

from tests.support.host import match_file
from tests.support.polar import FIRST

# ---- the reason ------------------------------------------------------------------------------------------------------


def test_a_reason_is_needed(polar_match):
    """`--note` is the reason, and required; nothing is written without one."""
    host = polar_match(FIRST)
    before = host.log
    for line in ("elimination d", "elimination nobody", "token d 1", "winner d", "void"):
        told = host.write(f"declare {line}", code=2)
        assert told["error"]["code"] == "declare.reason"
        assert told["error"]["fix"] == f'hl declare {line} --note "WHY"'
    assert host.log == before


def test_the_reason_is_an_entry_of_its_own_and_told_to_everybody(polar_match):
    """The reason stands in `final` for everybody, in the log as an entry apart from the outcome."""
    host = polar_match(FIRST)
    told = host.write("declare elimination d --note 'Dan shared his cards'")
    assert len(told["seq"]) == 2
    rows = [json.loads(line)["body"] for line in host.log.splitlines()[-2:]]
    assert [row["do"] for row in rows] == ["declare", "reason"] and rows[0]["batch"] == rows[1]["batch"]
    assert rows[1]["args"]["text"] == "Dan shared his cards" and "text" not in rows[0]["args"]
    for viewer in ("public", "a", "host"):
        assert "Reason: Dan shared his cards" in host.hl(f"final --for {viewer}").out
        assert host.final(viewer)["declared"][0]["reason"] == "Dan shared his cards"


def test_a_private_reason_is_the_hosts(polar_match):
    """`--private`: the reason is for hosts; what is declared stays for everybody."""
    host = polar_match(FIRST)
    host.write("declare elimination d --note 'a complaint by Bob' --private")
    (row,) = host.final()["declared"]
    assert row["reason"] == "a complaint by Bob"
    for viewer in ("public", "b", "d"):
        (row,) = host.final(viewer)["declared"]
        assert row["kind"] == "elimination" and row["players"] == ["d"] and "reason" not in row
        assert "complaint" not in host.hl(f"final --for {viewer}").out
    host.hl("reveal")
    assert "complaint" not in host.out


def test_the_number_of_the_entry_is_the_hosts(polar_match):
    """Where in the log it stands counts the entries before it, hidden ones too: nobody else reads that."""
    host = polar_match(FIRST)
    (seq, _) = host.write("declare elimination d --note 'he agreed to'")["seq"]
    host.write("close gift")
    assert host.final()["status"] == "finished" and host.final()["declared"][0]["seq"] == seq
    for viewer in ("public", "a", "d"):
        assert "seq" not in host.final(viewer)["declared"][0]


def test_a_declaration_cites_the_powers_of_hosts(polar_match):
    """What hosts declare follows from no section of the game."""
    host = polar_match(FIRST)
    host.hl("declare elimination d --note 'he agreed to' --yes")
    assert "D is Elimination Candidate (hosts declared it) [season: host powers]" in host.err


# ---- what is understood ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [
        ("elimnation d", 2, "declare.kind"),
        ("elimination", 2, "declare.unfit"),
        ("elimination nobody d", 2, "declare.unfit"),
        ("elimination zed", 2, "player.unknown"),
        ("token d", 2, "declare.unfit"),
        ("token d x", 2, "number.unreadable"),
        ("token d -1", 2, "number.unreadable"),
        ("token d 101", 2, "number.unreadable"),
        ("token nobody 1", 2, "player.unknown"),
        ("winner nobody", 2, "declare.unfit"),
        ("winner", 2, "declare.unfit"),
        ("void d", 2, "declare.unfit"),
    ],
)
def test_what_cannot_be_declared(polar_match, line, code, error):
    """Every wrong input has one clear message with a line to run, and writes nothing."""
    host = polar_match(FIRST)
    before = host.log
    told = host.write(f"declare {line} --note why", code=code)
    assert told["error"]["code"] == error and told["error"]["what"] and told["error"]["fix"]
    assert host.log == before


def test_override_names_declare(polar_match):
    """Seen: `override elimination` was refused, and nothing said what else there is."""
    host = polar_match(FIRST)
    told = host.write("override elimination d", code=2)
    assert told["error"]["fix"].startswith("hl declare elimination")


def test_nobody_is_no_player(host):
    """`nobody` is no player id, since `declare elimination nobody` means that."""
    host.new(match_file("polar", "ann nobody bob"), code=2)
    assert "nobody" in host.err


# ---- above the rules -------------------------------------------------------------------------------------------------


def test_a_ruling_in_words_closes_nothing(polar_match):
    """Seen: after `ruling "Dan is EC"` a tied match closed with nobody. A ruling closes no decision; `declare` does."""
    host = polar_match(dict.fromkeys("abcd", 3))
    assert host.final()["status"] == "deciding"
    host.write("ruling 'D is EC'")
    assert host.final()["status"] == "deciding" and host.final()["elimination"] == []
    assert "hl declare elimination" in host.hl("status").out
    host.write("declare elimination d --note 'he agreed to'")
    assert host.final()["status"] == "finished" and host.final()["elimination"] == ["d"]


def test_the_latest_counts_and_undo_restores_the_one_before(polar_match):
    """The latest in fold order counts for its kind; undoing it restores the one before, undoing that the rules."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1})
    assert host.final()["elimination"] == ["d"]
    first = host.write("declare elimination c --note one")["seq"]
    second = host.write("declare elimination nobody --note two")["seq"]
    assert host.final()["elimination"] == [] and len(host.final()["declared"]) == 1
    host.hl(f"undo {second[0]} --yes")
    assert host.final()["elimination"] == ["c"] and host.final()["declared"][0]["reason"] == "one"
    host.hl(f"undo {first[0]} --yes")
    assert host.final()["elimination"] == ["d"] and "declared" not in host.final()


def test_the_latest_in_order_of_the_match(polar_match):
    """Fold order: what is declared with an earlier time stands below what was declared for a later one."""
    host = polar_match(FIRST)
    host.write("declare elimination d --note late")
    host.write("declare elimination e --note earlier --at -3m")
    assert host.final()["elimination"] == ["d"]


def test_a_token_holder_may_be_declared_and_is_warned_about(polar_match):
    """A declared elimination of a token holder is allowed and warned about."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1})
    host.write("declare elimination b --note why")
    assert host.final()["elimination"] == ["b"] and host.final()["tokens"]["b"] == 1
    assert host.json("verify")["ok"] is True
    assert "B is declared Elimination Candidate and holds a Token of Life" in host.hl("status").out


# ---- before the end --------------------------------------------------------------------------------------------------


def test_before_the_end_it_is_kept(polar_match):
    """Before the end it is kept, ends nothing and is told to hosts alone; it is applied when the match ends."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1}, played=False)
    told = host.write("declare elimination c --note 'a foul'")
    assert host.final()["status"] == "running" and host.final()["elimination"] == []
    assert "kept until the match ends" in host.hl("explain final").out
    for viewer in ("public", "a", "c"):
        assert "foul" not in host.hl(f"final --for {viewer}").out + host.hl(f"view --for {viewer}").out
        assert "declared" not in host.final(viewer)
    assert not told.get("drift")
    host.hl("resolve --yes --early")
    assert host.final("public")["elimination"] == ["c"] and "a foul" in host.hl("final").out
    host.hl(f"undo {told['seq'][0]} --yes")
    assert host.final()["elimination"] != ["c"]


def test_void_ends_the_match_at_once(polar_match):
    """`void`: no tokens, elimination or rewards, garnets as at the seats; nothing is played on; undo takes it back."""
    for played in (False, True):
        host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1}, played=played)
        before = host.final()
        told = host.write("declare void --note 'the site was down'")
        final = host.final("public")
        assert final["status"] == "finished" and final["elimination"] == [] and not any(final["tokens"].values())
        assert final["decisions"] == [] and "ranking" not in final and "scores" not in final
        assert [row["kind"] for row in final["declared"]] == ["void"]
        assert host.final()["garnets"] == {"a": 0, "b": 1, "c": 2, "d": 3}
        assert "the site was down" in host.hl("final").out and "the site was down" in host.hl("status").out
        assert host.write("submit a --swap", code=3)["error"]["code"] == "table.void"
        assert host.write("declare void --note again", code=3)["error"]["code"] == "table.void"
        host.hl(f"undo {told['seq'][0]} --yes")
        after = host.final()
        assert {**after, "head": "", "entries": 0} == {**before, "head": "", "entries": 0}
