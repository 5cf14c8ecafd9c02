"""Times and ends as hosts type them: --at beside --msg, readings that are told, ends that move. Source: S-9, S-G1.

Poker Auction in Berlin, whose clocks go back on Sunday 25 October 2026 at 03:00, and Polar where rounds are counted.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from events import read_instant
from tests.support.saturday import LINK, MINUTE, Evening


@pytest.fixture
def evening(stage: Any) -> Evening:
    return Evening(stage)


@pytest.fixture
def polar_evening(stage: Any) -> Evening:
    return Evening(stage, "polar")


# ---- what is read into a typed time --------------------------------------------------------------------------------


def test_a_reading_is_told_in_full_and_a_complete_time_is_not_repeated(evening: Evening) -> None:
    """Issue: the reading is echoed in full with the weekday; once a command, also where the command is refused."""
    told = evening.hl('note hello --at "fri 21:50"')
    assert told.startswith("fri 21:50: Friday 23 October 2026, 21:50 CEST\nrecorded")
    assert evening.body("note")["at"] == "2026-10-23T19:50:00.000Z"
    assert evening.hl('note hello --at "2026-10-24 10:00"').startswith("recorded")
    assert evening.hl("resolve --at 10:02").count("Saturday 24 October 2026, 10:02 CEST") == 1
    refused = evening.hl("vote ann bob --at '20 min ago'")
    assert "20 min ago: Saturday 24 October 2026, 09:" in refused and refused.endswith("[exit 3]")
    assert "10 Nov 9:50 or 11 Oct 9:50" in evening.hl("note x --at '10/11 9:50'")
    assert evening.hl("note hello --at 'sat 09:50' --json")[0] == "{"
    amended = evening.hl("amend 6 at='thu 12:00' --yes")
    assert "thu 12:00: Thursday 22 October 2026, 12:00 CEST" in amended


def test_a_time_beside_a_message_is_when_it_counts(evening: Evening) -> None:
    """Agreed then, seen there: the message is kept as evidence, and one later than it is asked about."""
    evening.stage.now += 60 * MINUTE
    link = evening.message(10)
    assert "[exit" not in evening.hl(f"note agreed --at '50 min ago' --msg {link}")
    body = evening.body("note")
    assert body["evidence"] == link and body["at"] == "2026-10-24T08:12:00.000Z"
    lines = len(evening.lines())
    link = evening.message(10)
    asked = evening.hl(f"note agreed --at '5 min ago' --msg {link}")
    assert asked.endswith("[exit 5]") and "but its message was written" in asked and len(evening.lines()) == lines
    link = evening.message(10)
    assert "[exit" not in evening.hl(f"note agreed --at '5 min ago' --msg {link} --yes")
    assert "evidence.duplicate" in evening.hl(f"note agreed --at '20 min ago' --msg {link}")


def test_a_message_gives_no_time_to_what_counts_when_it_is_recorded(stage: Any) -> None:
    """A commitment takes no --at, and none beside --msg either."""
    shutil.copy(Path(__file__).resolve().parents[2] / "games" / "equilibrium" / "demo.toml", "demo.toml")
    assert "[exit" not in stage.run(("$ hl new a --from demo.toml",))
    link = f"{LINK}{stage.now - MINUTE - 1420070400000 << 22}"
    assert "draw.at" in stage.run((f"$ hl -g a --as mara commit --at -5m --msg {link}",))
    assert "[exit" not in stage.run((f"$ hl -g a --as mara commit --msg {link}",))


def test_a_log_since_a_weekday_is_since_the_past_one(evening: Evening) -> None:
    """At 10 o'clock on Saturday, `sat 09:50` is ten minutes ago, and not in a week."""
    evening.hl("note --at '2 days ago' early")
    told = evening.hl("log --kind note --since 'fri 0:00'") + evening.hl("log --kind note --since 'thu 0:00'")
    assert told.count("early") == 1


# ---- changes of the clocks -----------------------------------------------------------------------------------------


def test_a_change_of_the_clocks_within_a_phase_is_told_when_it_opens(evening: Evening) -> None:
    """24 hours from 10:00 on Saturday end at 09:00, since Berlin goes back in that night."""
    assert "the power round ends at 09:01, because the clocks go back 1 h: Sunday 25 October 2026, 09:01 CET" in (
        evening.opening.replace("\\", "")
    ), evening.opening
    evening.stage.now += 30 * 60 * MINUTE
    again = evening.hl("resolve --yes --early")
    assert "the clocks" not in again


# ---- ends that move ------------------------------------------------------------------------------------------------


def test_an_end_moves_by_so_much_from_where_it_is(evening: Evening) -> None:
    """`+6h` is six hours more than the present end, however late it is typed; the answer says both."""
    assert evening.end() == "2026-10-25T08:01:00.000Z"
    told = evening.hl("deadline +6h")
    assert "the power round ends Sunday 25 October 2026, 15:01 CET, not Sunday 25 October 2026, 09:01 CET" in told
    assert evening.end() == evening.body("deadline")["args"]["when"] == "2026-10-25T14:01:00.000Z"
    asked = evening.hl("deadline -30m")
    assert asked.endswith("[exit 5]") and "not Sunday 25 October 2026, 15:01 CET" in asked
    assert evening.end() == "2026-10-25T14:01:00.000Z"
    assert "not Sunday" in str(evening.stage.run(("$ hl -g a --as mara deadline -30m # types: n",)))
    assert "[exit" not in evening.hl("deadline -30m --yes") and evening.end() == "2026-10-25T13:31:00.000Z"
    lines = len(evening.lines())
    assert "table.deadline_past" in evening.hl("deadline -40h --yes") and len(evening.lines()) == lines
    assert "[exit" not in evening.hl("deadline 'tomorrow 18:00'") and evening.end() == "2026-10-25T17:00:00.000Z"
    assert "no change: already in effect" in evening.hl("deadline 'sun 18:00'")


def test_an_end_is_worked_out_where_its_entry_stands(evening: Evening) -> None:
    """From the end as folded at the entry's moment, and `in 6h` from that moment: also with --at and --msg."""
    evening.stage.now += 120 * MINUTE
    assert "[exit" not in evening.hl("deadline '25 Oct 12:00'")
    assert "[exit" not in evening.hl("deadline +6h --at '1h ago' --yes")
    assert evening.body("deadline")["args"]["when"] == "2026-10-25T14:01:00.000Z"
    assert evening.end() == "2026-10-25T11:00:00.000Z", "the entry that counts later sets the end"
    link = evening.message(30)
    assert "[exit" not in evening.hl(f"deadline 'in 6h' --msg {link} --yes")
    assert evening.body("deadline")["at"] == "2026-10-24T09:35:00.000Z"
    assert evening.body("deadline")["args"]["when"] == "2026-10-24T15:35:00.000Z"
    seq = len(evening.lines())
    assert "[exit" not in evening.hl(f"amend {seq} 'when=in 8h' --yes")
    assert evening.body("amend")["args"]["args"]["when"] == "2026-10-24T17:35:00.000Z"
    assert "[exit" not in evening.hl(f"amend {seq} when=+1h --yes")
    assert evening.body("amend")["args"]["args"]["when"] == "2026-10-25T15:01:00.000Z"


def test_where_there_is_no_end_it_cannot_be_moved_by_so_much(evening: Evening) -> None:
    evening.hl("close --yes")
    evening.hl("reopen")
    lines = len(evening.lines())
    refused = evening.hl("deadline +6h")
    assert "table.no_end" in refused and 'deadline "in 2h"' in refused and len(evening.lines()) == lines
    assert "[exit" not in evening.hl("deadline 'in 6h'") and evening.end() == "2026-10-24T14:05:00.000Z"


def test_an_end_that_has_passed_is_moved_from_where_it_was(evening: Evening) -> None:
    """An hour after the deadline `+6h` gives five more, and a moved end that lies behind the entry is refused."""
    evening.stage.now = read_instant("2026-10-25T09:00:00.000Z")
    assert "table.deadline_past" in evening.hl("deadline +30m")
    assert "[exit" not in evening.hl("deadline +6h") and evening.end() == "2026-10-25T14:01:00.000Z"


def test_a_key_answers_for_the_same_relative_end(evening: Evening) -> None:
    """--once: typed again it is the same command, although the end has moved meanwhile."""
    assert "recorded #" in evening.hl("deadline +6h --once more")
    assert "recorded before" in evening.hl("deadline +6h --once more")
    assert "once.other" in evening.hl("deadline +7h --once more")


def test_the_same_extension_in_two_copies_is_one(evening: Evening) -> None:
    """Two hosts' same `+6h` after a `join` give one extension, and the preview says so."""
    shutil.copytree("a", "b")
    evening.hl("deadline +6h")
    evening.hl("deadline +6h", by="ben", copy="b")
    told = evening.hl("join b --yes")
    assert "both move the end to Sunday 25 October 2026, 15:01 CET; it is moved once" in told, told
    assert evening.end() == "2026-10-25T14:01:00.000Z"
    evening.hl("join a --yes", by="ben", copy="b")
    evening.hl("deadline +1h", by="ben", copy="b")
    assert "one extension" not in evening.hl("join b --yes")
    assert evening.end() == "2026-10-25T15:01:00.000Z"


# ---- late sheets and the end as it stands --------------------------------------------------------------------------


def test_an_extension_lets_in_what_lies_before_the_new_end(evening: Evening) -> None:
    """S-G1: late is what lies at or after the end as it stands when the round is resolved; the player is told."""
    evening.stage.now = read_instant("2026-10-25T08:00:30.000Z")
    assert "late: hl ruling admit" in evening.hl("power bob 12 hearts")
    assert "Bob" in evening.hl("status")
    told = evening.hl("deadline +6h")
    assert "the late sheet of Bob counts in the power round" in told and "[exit" not in told
    assert "--- to Bob\n- Your late sheet for the power round counts: its end was moved." in told
    assert "came late and does not count" not in evening.hl("status")
    assert "Bob takes Hearts (pick 1, with 12 chips)" in evening.hl("resolve --yes --early")


def test_a_sheet_let_in_over_one_in_time_is_asked_about(evening: Evening) -> None:
    """Also where the extension is recorded late, with the time at which it was promised, and when the round reopens."""
    evening.hl("power ann 5 hearts")
    evening.stage.now = read_instant("2026-10-25T08:00:30.000Z")
    late = evening.hl("power ann 7 clubs")
    assert "late" in late
    seq, lines = len(evening.lines()), len(evening.lines())
    for typed in ("deadline +6h", "deadline '25 Oct 12:00' --at '25 Oct 9:00'", "reopen"):
        asked = evening.hl(typed)
        sheet = f"the late sheet of Ann (entry {seq})"
        want = f"{sheet} counts in the power round instead of entry {seq - 1}, which was in time"
        assert asked.endswith("[exit 5]") and want in asked.replace("\\", ""), asked
        assert len(evening.lines()) == lines
    assert "[exit" not in evening.hl("deadline '25 Oct 12:00' --at '25 Oct 9:00' --yes")
    assert "came late and does not count" not in evening.hl("status")
    evening.hl("undo --yes")
    assert "came late and does not count" in evening.hl("status")
    evening.hl(f"ruling 'admit {seq}'")
    assert "Your late sheet" not in evening.hl("deadline +6h"), "a ruling let it in before"


def test_a_sheet_after_the_new_end_is_late_again(evening: Evening) -> None:
    evening.stage.now = read_instant("2026-10-25T08:10:00.000Z")
    evening.hl("deadline +30m")
    evening.hl("power bob 12 hearts")
    assert "came late and does not count" not in evening.hl("status")
    evening.stage.now = read_instant("2026-10-25T08:31:00.000Z") - MINUTE
    assert "late: hl ruling admit" in evening.hl("power bob 13 hearts")
    assert "Bob" in evening.hl("status")


# ---- rounds resolved too early -------------------------------------------------------------------------------------


def test_a_round_is_not_resolved_early_by_a_yes_alone(evening: Evening) -> None:
    """While somebody owes a sheet and the deadline lies ahead, `--yes` is not enough: `--early`, or an answer."""
    evening.hl("power ann 5 hearts")
    lines = len(evening.lines())
    why = "this ends the power round now, not Sunday 25 October 2026, 09:01 CET, and Bob and Cyd still owe something"
    asked = evening.hl("resolve --yes").replace("\\", "")
    assert asked.endswith("[exit 5]") and why in asked and "--early" in asked and len(evening.lines()) == lines
    shown = evening.hl("resolve").replace("\\", "")
    assert why in shown and "--yes --early records it" in shown and len(evening.lines()) == lines
    assert "not confirmed" in evening.stage.run(("$ hl -g a --as mara resolve --yes # types: n",))
    told = evening.stage.run(("$ hl -g a --as mara resolve # types: n",))
    assert " ".join(told.split()).count("still owe something") == 1
    evening.hl("power bob 5 hearts")
    assert "Cyd still owes something" in evening.hl("resolve --yes")
    evening.hl("blank cyd")
    assert "[exit" not in evening.hl("resolve --yes"), "nobody owes anything"
    assert "[exit" not in evening.hl("resolve --yes --early")


def test_a_terminal_asks_once_before_an_early_resolve(evening: Evening) -> None:
    told = evening.stage.run(("$ hl -g a --as mara resolve # types: y",))
    assert "recorded #" in told and " ".join(told.split()).count("still owe something") == 1


def test_a_round_whose_end_has_passed_or_is_not_set_is_resolved_by_yes(evening: Evening) -> None:
    assert "[exit" not in evening.hl("resolve --yes --at now --early")
    evening.hl("close --yes")
    assert "[exit" not in evening.hl("resolve --yes")
    evening.hl("close --yes")
    evening.hl("reopen")
    assert "[exit" not in evening.hl("resolve --yes"), "no end is set"
    evening.stage.now += 30 * 60 * MINUTE
    assert "[exit" not in evening.hl("resolve --yes"), "its end has passed"


def test_a_resolve_names_its_round_after_that_of_another_host(evening: Evening) -> None:
    """Seen: two hosts typed `resolve`, and round 2 was resolved seconds after it had opened."""
    evening.hl("note ready")
    assert "[exit" not in evening.hl("resolve --yes --early", by="ben")
    lines = len(evening.lines())
    refused = evening.hl("resolve --yes --early").replace("\\", "")
    assert "ben has resolved the power round (entry 7)" in refused and "resolve.which" in refused
    assert "resolve clubs" in refused and refused.endswith("[exit 3]") and len(evening.lines()) == lines
    assert "resolve.which" in evening.hl("resolve")
    assert "sealed.not_this_round" in evening.hl("resolve power --yes --early")
    assert "[exit" not in evening.hl("resolve clubs --yes --early")
    assert evening.body("resolve")["args"]["round"] == "clubs"
    assert "[exit" not in evening.hl("resolve --yes --early"), "the newest resolve is their own"
    evening.hl("note seen", by="ben")
    assert "[exit" not in evening.hl("resolve --yes --early", by="ben"), "they have recorded something since"


def test_rounds_that_are_counted_go_by_their_number(polar_evening: Evening) -> None:
    polar_evening.hl("resolve pregame --yes --early")
    assert "[exit" not in polar_evening.hl("resolve 1 --yes --early", by="ben")
    assert polar_evening.body("resolve")["args"]["round"] == "round_1"
    assert "resolve 2" in polar_evening.hl("resolve --yes --early")


# ---- after an end ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "before"), [("polar", "choose"), ("poker_auction", "round"), ("hex_parties", "taken")]
)
@pytest.mark.parametrize("how", ["close", "the clock"])
def test_a_headline_asks_for_nothing_once_the_end_has_passed(stage: Any, game: str, before: str, how: str) -> None:
    """Seen: "orders are taken. Orders have ended"; the same for an end by a host and by the clock, in each report."""
    evening = Evening(stage, game)
    assert before in evening.hl("reveal") and "have ended" not in evening.hl("reveal")
    if how == "close":
        evening.hl("close --yes")
    else:
        evening.stage.now += 200 * 60 * MINUTE
        evening.hl("note 'the end has passed'")
    for line in ("reveal", "status", "summary ann"):
        text = evening.hl(line)
        assert "have ended" in text and "choose a room" not in text and "are taken" not in text, line
        assert "It ends" not in text, line
