"""After the end: votes weigh what their voters held when they were decided; what changes a told result is corrected.

By rule through the command line, with what was seen; and a law over drawn sequences. Source: season S-4;
docs/reliability.md.
"""

from __future__ import annotations

import json

from tests.support.host import Host
from tests.support.polar import FIRST


def voted(host: Host) -> Host:
    """a (2 garnets for points) names d, b (1 brought, 1 for points, 3 awarded) names e."""
    host.write("award b garnets 3")
    host.write("vote a d")
    host.write("vote b e")
    assert host.final()["elimination"] == ["e"]
    return host


# ---- what votes weigh ------------------------------------------------------------------------------------------------


def test_what_lies_before_the_moment_folds_anew_and_asks(polar_match):
    """A late entry placed before the moment of the decision counts in it; without a terminal it needs --yes."""
    host = voted(polar_match(FIRST))
    before = host.log
    at = json.loads(before.splitlines()[-3])["body"]["at"]  # before the two votes
    host.hl(f"award a garnets 9 --at {at}", code=5)
    assert "the Elimination Candidate is now D (before: E)" in host.err and host.log == before
    host.write(f"award a garnets 9 --at {at}")
    assert host.final()["elimination"] == ["d"]


# ---- a result that was told ------------------------------------------------------------------------------------------


TOLD = {
    "override d points 30": "the scores are now: D 30 (before: D 1)",
    "override d  points 30": "the Elimination Candidate is now C (before: D)",
    "award c tokens 1": "the Tokens of Life are now: A 1, B 1, C 1 (before: A 1, B 1)",
    "award b tokens -1": "the Tokens of Life are now: A 1 (before: A 1, B 1)",
    "declare elimination c --note why": "the Elimination Candidate is now C (before: D)",
    "declare token c 1 --note why": "the Tokens of Life are now: A 1, B 1, C 1 (before: A 1, B 1)",
    "declare winner c --note why": "the winner is now C (before: nobody)",
    "declare void --note why": "the Elimination Candidate is now nobody (before: D)",
    "reopen gift": "the Tokens of Life are now: A 2, B 1 (before: A 1, B 1)",
}


def test_what_changes_a_told_result_asks_and_is_told(polar_match):
    """It asks first, exit 5 without a terminal, and gives everybody what it was, what it is, and why."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1})
    host.write("close gift")
    for line, said in TOLD.items():
        before = host.log
        host.hl(line, code=5)
        assert said in host.err and host.log == before, line
        seq = host.last + 1
        text = host.hl(f"{line} --yes").out
        assert "to everybody" in text and f"A correction: {said}, because the hosts" in text, line
        item = [row for row in host.json("outbox")["items"] if row["audience"] == "public"][-1]
        assert said in host.hl(f"outbox show {item['item']}").out, line
        host.hl(f"undo {seq} --yes")


def test_what_nobody_was_told_is_not_asked(polar_match):
    """A vote, a gift, garnets awarded: nothing that was told is another."""
    host = polar_match(FIRST)
    for line in ("award a garnets 2", "vote a d", "vote b d", "gift a c", "award c garnets 1"):
        assert "A correction" not in host.hl(line).out
    assert host.final()["status"] == "finished"


def test_an_undo_after_the_end_is_told(polar_match):
    """What undoes a told result asks too. Not posted: the answer tells everybody. Posted: the outbox corrects it."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1}, settings="gift_hours = 1")
    told_ = host.write("declare elimination c --note why")["seq"]
    host.hl(f"undo {told_[0]}", code=5)
    assert "the Elimination Candidate is now D (before: C)" in host.err
    text = host.hl(f"undo {told_[0]} --yes").out
    assert "A correction: the Elimination Candidate is now D (before: C), because an earlier entry was" in text
    told_ = host.write("declare elimination c --note why")["seq"]
    host.hl("outbox done all --yes")
    assert "to everybody" not in host.hl(f"undo {told_[0]} --yes").out
    drift = host.hl("drift").out
    names = [row["item"] for row in host.json("outbox")["items"] if row["audience"] == "public"]
    shown = host.hl(f"outbox show {names[-1]}").out
    assert "the Elimination Candidate is now D (before: C)" in shown and "A correction" in shown, drift


def test_a_private_result_is_not_corrected_in_public(polar_match):
    """Where the table keeps the Elimination Candidate from everybody, so does the correction."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1}, settings='[settings.visibility]\nelimination = "host"')
    text = host.hl("declare elimination c --note secret-why --yes").out
    assert "Candidate" not in text and "secret-why" not in text
    assert "Candidate" not in host.hl("final").out and "secret-why" not in host.hl("final").out
