"""`hl init`: names of a paste become seats, answers become a match file, and nothing is written before the end."""

from __future__ import annotations

import re
import signal
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from events.audiences import RESERVED
from games.kinds import NAME_PATTERN, casefolded
from games.records import plain
from games.registry import load
from games.table.settings import gaps, known
from ledger.cli.root import run
from ledger.exchange.matchfile import assumed, check_text
from ledger.exchange.template import Answers, RosterRow, filled_in, names_in, seats, template
from tests.support.terminal import Terminal

ODD = (
    "Mara Jade",
    "Zoë (she/her)",
    "דנה לוי",
    "李雷",
    "👩‍🚀 Luna",
    "Ann Lee",
    "Ann Kay",
    "Øyvind",
    'B"o\\b',
    "The Host",
    "host",
)


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paste", "found"),
    [
        ("Ann\nBob\n\n Cyd \n", ("Ann", "Bob", "Cyd")),
        ("Ann, Bob,Cyd,", ("Ann", "Bob", "Cyd")),
        ("1. Ann\n2) Bob\n10. Cyd", ("Ann", "Bob", "Cyd")),
        ("- Ann\n* Bob\n• Cyd", ("Ann", "Bob", "Cyd")),
        ("1. Ann\nBob", ("Ann", "Bob")),  # not a list: somebody is called so
        ("@Ann\n@Bob", ("Ann", "Bob")),
        ("Ann - she/her\nBob he/they\nCyd (they/them)\nD/E", ("Ann", "Bob", "Cyd (they/them)", "D/E")),
        ("دانا، علی", ("دانا", "علی")),
        ("Ann\x1b[31m\nBo\u0301b", ("Ann[31m", "B\u00f3b")),
        ("\n ,, \n", ()),
    ],
)
def test_a_paste_is_names_one_a_line_or_with_commas(paste: str, found: tuple[str, ...]) -> None:
    assert names_in(paste.split("\n")) == found


def test_what_is_proposed_for_a_name() -> None:
    """Ids in a-z, of one word where that is enough; no id, name or spelling means two; channels are of one player."""
    made = {seat.name: seat for seat in seats(ODD)}
    assert made["Mara Jade"] == RosterRow("mara", "Mara Jade", ("jade",), "#mara")
    assert made["Zoë (she/her)"].id == "zoe" and "she" not in made["Zoë (she/her)"].aliases
    assert made["דנה לוי"] == RosterRow("p3", "דנה לוי", ("דנה", "לוי"), "#דנה-לוי")
    assert made["李雷"] == RosterRow("p4", "李雷", (), "#李雷")
    assert (made["👩‍🚀 Luna"].id, made["Øyvind"].id, made['B"o\\b'].id) == ("luna", "oyvind", "b")
    assert (made["Ann Lee"].id, made["Ann Kay"].id) == ("ann_lee", "ann_kay")
    assert made["host"].id not in RESERVED
    assert [seat.channel for seat in seats(["Public"])] == ["#public-2"]


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=2, max_size=13))
def test_any_names_make_seats_whose_words_mean_one_player(typed: list[str]) -> None:
    found = names_in(typed)
    made = seats(found)
    assert tuple(seat.name for seat in made) == found  # as they are
    assert len({seat.id for seat in made}) == len(made)
    assert all(re.fullmatch(NAME_PATTERN, seat.id) and seat.id not in RESERVED for seat in made)
    answers = Answers("x", "UTC", ("mara",), made, {"allow_odd_roster": True})
    wrong = check_text(filled_in(load("polar"), answers), "x.toml").faults
    # What cannot be proposed away: two who are called the same, a name that is too long, nobody at all.
    if len({casefolded(name) for name in found}) == len(found):
        assert {fault.code for fault in wrong} <= {"roster.name", "roster.size", "toml.key"}, wrong
    assert not any("channel" in fault.where or "aliases" in fault.where for fault in wrong), wrong


# ---- the file --------------------------------------------------------------------------------------------------------


def enough(game: str) -> tuple[RosterRow, ...]:
    return seats([f"Player{chr(97 + n)}" for n in range(max(2, load(game).players[0]))])


def test_accepting_everything_leaves_no_assumption_and_changes_no_rule(any_game: str) -> None:
    known_game = load(any_game)
    accepted = {name: plain(known(known_game.settings, known_game.has)[name].default) for name in gaps(known_game)}
    text = filled_in(known_game, Answers('Week "3"', "Europe/Berlin", ("mara", "ben"), enough(any_game), accepted, {}))
    data = tomllib.loads(text)
    assert check_text(text, "x.toml").faults == []
    assert data["settings"].pop("visibility") == {key: level for key, (level, _) in known_game.visibility.items()}
    assert data["settings"] == accepted
    assert assumed(known_game, {**data["settings"], "visibility": {}}) == ()
    assert (data["title"], data["zone"], data["hosts"]) == ('Week "3"', "Europe/Berlin", ["mara", "ben"])
    assert [*data["players"]] == [seat.id for seat in enough(any_game)]


def test_what_is_left_open_is_the_template(any_game: str) -> None:
    """Every line of the template but head and players; and what is answered is no line more."""
    text = filled_in(load(any_game), Answers("x", "UTC", ("mara",), enough(any_game)))
    old, new = template(load(any_game)).splitlines(), text.splitlines()
    start = old.index("", old.index(next(line for line in old if line.startswith("[players]"))))
    assert new[-(len(old) - start) :] == old[start:]
    assert check_text(text, "x.toml").faults == []


def test_every_fault_at_once_with_its_line() -> None:
    twice = (RosterRow("ann", "Ann", (), "#a"), RosterRow("bob", "ann", (), "#a"), RosterRow("Bank", "x" * 65))
    text = filled_in(load("polar"), Answers("", "Mars/Base", ("mara", "MARA"), twice, {"rounds": "nine"}))
    rows = text.splitlines()
    for fault in check_text(text, "x.toml").faults:
        named = next(str(part) for part in fault.where if part not in ("players", "settings"))
        assert named in rows[fault.line - 1], fault
    assert {fault.where[0] for fault in check_text(text, "x.toml").faults} >= {"title", "zone", "players", "settings"}


# ---- at a terminal ---------------------------------------------------------------------------------------------------


QUICK = "from ledger import __main__; import ledger.cli.terminal as t; t.PASTE_WAIT_SECONDS = 0.02; __main__.main()"


@pytest.fixture
def sit(tmp_path: Path, root: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []
    (tmp_path / "home" / "host-ledger").mkdir(parents=True)
    (tmp_path / "here").mkdir()

    def start(*words: str, settled: str = "") -> Terminal:
        (tmp_path / "home" / "host-ledger" / "config.toml").write_text(settled, encoding="utf-8")
        env = {"XDG_CONFIG_HOME": str(tmp_path / "home"), "HL_AS": "", "HL_MATCH": "", "COLUMNS": "70"}
        opened.append(Terminal(root, *words, env=env, cwd=tmp_path / "here", program=QUICK))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def answer(here: Terminal, *pairs: tuple[str, str]) -> str:
    """Type each answer once its question stands; all that was printed."""
    seen = ""
    for question, typed in pairs:
        seen += here.until(question)
        here.type(typed)
    return seen


LIST = "1. Mara Jade\n2. Bob\n\n3. דנה\n4. Cyd\n5. Eve #eves-den\n\n"


def test_a_match_by_questions_and_answers(sit: Callable[..., Terminal], tmp_path: Path) -> None:
    here = sit("init", settled='host = "Mara"\nzone = "Europe/Berlin"')
    seen = answer(
        here, ("Which game?", "chess\n"), ("no game here is called that", "auto\n"),
        ("no game here is called that", "rps\n"), ("Title", "Party\n"),
        ("ends the list.", LIST), ("go on:", "2\n"), ("id, a word", "\n"), ("name (Enter: Bob)", "Robert\n"),
        ("other spellings", "none\n"), ("channel", "\n"), ("go on:", "2\n"), ("id, a", "\n"),
        ("name (Enter: Robert)", "\n"),
        ("other spellings, with commas (Enter: none", "rob, bobby\n"), ("channel", "None\n"), ("a: add more", "a\n"),
        ("to add.", "<\n"), ("go on:", "a\n"), ("to add.", "Bob Lee\n\n"), ("bob_lee", ""), ("go on:", "\n"),
        ("Enter: Europe/Berlin", "Berlin\n"),
        ("did you mean Europe/Berlin?", "UTC\n"), ("Enter: mara", "\n"),
        ("one for each (Enter: 0)", "1 2\n"), ("not one number for all", "1\n"), ("rounds: How many", "<\n"),
        ("(Enter: 1)", "0 2 1 0 3 0\n"), ("rounds: How many rounds are scored. (Enter: 9)", "0\n"),
        ("must be", "3\n"), ("(Enter: 48)", "20m\n"), ("(Enter: 24)", "\n"), ("to look at first", "\n"),
        ("Enter: room", "\n"), ("Enter: base_only", "twice\n"), ("must be", "cancels_others\n"),
        ("Enter: as_played", "s\n"),
        ("LINE=LEVEL:", "tickets=everybody\n"), ("LINE=LEVEL:", "\n"), ("more. Enter: leave", "o\n"),
        ("Enter: lose_that_one", "bad_bomb = lose_both\n"), ("purchase_window [PL-7]", ""), ("another value:", "q\n"),
    )  # fmt: skip
    assert "1 of 11: bad_bomb [PL-3]" in seen and "hl " not in seen, "no command answers a question"
    before = seen[: seen.index("1 of 11")]  # each rule stands there before `a` could take it
    assert "  bad_bomb = lose_that_one" in before and "  tickets = " in before and "  double_mode = base_only" in before
    here.until("Write it? [Y/n]")
    assert not (tmp_path / "here" / "match.toml").exists()  # nothing before the end
    here.type("\n")
    here.until("Its new folder")
    here.type("ep3\n")
    here.until("amend-setting KEY")
    assert here.run.wait(20) == 0
    data = tomllib.loads((tmp_path / "here" / "match.toml").read_text(encoding="utf-8"))
    assert (data["game"], data["title"], data["zone"], data["hosts"]) == ("polar", "Party", "UTC", ["mara"])
    assert [*data["players"]] == ["mara", "bob", "p3", "cyd", "eve", "bob_lee"]
    assert [row["garnets"] for row in data["players"].values()] == [0, 2, 1, 0, 3, 0]
    assert data["players"]["bob"] == {"name": "Robert", "garnets": 2, "aliases": ["rob", "bobby"]}
    assert (data["players"]["eve"]["name"], data["players"]["eve"]["channel"]) == ("Eve", "#eves-den")
    kept = data["settings"]
    assert (kept["rounds"], kept["pregame_hours"], kept["round_hours"]) == (3, "20m", 24)
    assert kept["polarity_scope"] == "room" and kept["double_mode"] == "cancels_others"
    assert "leaver_result" not in kept and kept["visibility"]["tickets"] == "everybody"
    assert kept["bad_bomb"] == "lose_both" and "purchase_window" not in kept
    assert (tmp_path / "here" / "ep3" / "log.jsonl").exists()


@pytest.mark.slow
def test_a_roster_that_is_too_small_is_told_at_once_and_may_be_meant(
    sit: Callable[..., Terminal], tmp_path: Path
) -> None:
    here = sit("init", "poker_auction", "-o", "p.toml")
    answer(
        here, ("Title", "\n"), ("ends the list.", "Ann\nAnn\n\n"), ("means both ann and ann_2", ""),
        ("k: go on", "p\n"), ("ends the list.", "Ann, Bob, Cyd, Dan, Eve, Fay\n\n"), ("at most 5 can play", ""),
        ("k: go on", "o\n"), ("that is not one of the answers", "p\n"), ("ends the list.", "Ann, Bob, Cyd, Dan\n\n"),
        ("is played by 5; the roster has 4", ""), ("k: go on", "\n"),
        ("the answers: 1; 2; 3; 4; a: add more; p: paste", "o\n"),
        ("go on:", "\n"), ("Enter: UTC", "\n"), ("Hosts, who record:", "\n"), ("at least one host", "mara and ben\n"),
        ("Garnets", "\n"), ("round_hours", "3m\n"),
        ("to look at first", "a\n"), ("more. Enter", "a\n"), ("[Y/n]", "y\n"), ("Its new folder", "y\n"),
        ("The name of its new folder", "n\n"), ("hl new FOLDER --from p.toml", ""),
    )  # fmt: skip
    assert here.run.wait(20) == 0
    data = tomllib.loads((tmp_path / "here" / "p.toml").read_text(encoding="utf-8"))
    assert data["settings"]["allow_odd_roster"] is True and data["settings"]["round_hours"] == "3m"
    assert assumed(load("poker_auction"), data["settings"]) == () and data["hosts"] == ["mara", "ben"]


@pytest.mark.slow
def test_names_with_spaces_between_are_one_name_and_a_key_goes_one_question_back(
    sit: Callable[..., Terminal], tmp_path: Path
) -> None:
    here = sit("init", "equi")
    answer(
        here, ("to go one question back", ""), ("Title", "<\n"), ("Title", "One\n"),
        ("ends the list.", "Ann Bob Cyd Dan Eve Fay Gus Hal\n\n"),
        ("That is one name. Put commas or new lines between", ""), ("needs 8.", ""),
        ("1: change one", ""), ("k: go on", "p\n"), ("ends the list.", "Ann\n<\n"),
        ("Title (Enter: One)", "Two\n"),
        ("k: go on", "p\n"), ("ends the list.", "1. Ann\n2.Bob\n- Cyd\n* Dan\n5) Eve\n6)Fay\n7. Gus\n8. Hal\n\n"),
        ("go on:", "1\n"), ("id, a word", "anna\n"), ("name (Enter", "<\n"),
        ("go on:", "1\n"), ("id, a word", "Big Ann, an\n"), ("name (Enter", "\n"), ("other", "\n"), ("channel", "\n"),
        ("cannot be an id", ""), ("k: go on", "1\n"), ("id, a word", "ann\n"), ("name (Enter", "\n"), ("other", "\n"),
        ("channel", "\n"), ("go on:", "\n"),
        ("Enter: UTC", "\n"), ("Hosts, who", "mara\n"), ("Garnets", "<\n"), ("Enter: mara", "ben\n"),
        ("Garnets", "3\n"), ("trading_hours", "90m\n"), ("vote_hours", "\n"),
        ("to look at first", "\n"), ("1 of", "s\n"), ("2 of", "<\n"), ("1 of", "<\n"), ("to look at first", "a\n"),
        ("more. Enter", "\n"), ("Gus and Hal begin with all the garnets", "<\n"),
        ("more. Enter", "\n"), ("[Y/n]", "\n"), ("Its new folder", "\n"),
    )  # fmt: skip
    assert here.run.wait(20) == 0
    data = tomllib.loads((tmp_path / "here" / "match.toml").read_text(encoding="utf-8"))
    assert (data["title"], data["hosts"]) == ("Two", ["ben"])
    assert [*data["players"]] == ["ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"]


@pytest.mark.slow
def test_a_file_with_faults_can_be_kept_and_corrected(sit: Callable[..., Terminal], tmp_path: Path) -> None:
    here = sit("init", "hex_parties")
    answer(here, ("Title", "\n"), ("ends the list.", "Ann\nBob\n\n"), ("k: go on", "k\n"), ("Enter: UTC", "\n"),
           ("Hosts, who", "mara\n"), ("Garnets", "\n"), ("round_hours", "\n"), ("max_rounds", "\n"),
           ("to look at first", "s\n"), ("more. Enter", "\n"), ("1 fault", "\n"),
           ("the answers: w: write it; q: write nothing;", "w\n"), ("hl check match.toml", ""))  # fmt: skip
    assert here.run.wait(20) == 2
    assert run(["check", str(tmp_path / "here" / "match.toml")]) == 2


@pytest.mark.slow
def test_a_paste_answers_no_question(sit: Callable[..., Terminal], tmp_path: Path) -> None:
    here = sit("init", "polar")
    here.until("Title")
    here.type("Ann\nBob\nCyd\n")
    here.until("paste of several lines; nothing of it is taken")
    here.type("\n")
    here.until("ends the list.")
    here.type("Ann\n\n\nBob\n\n")  # empty lines within a paste do not end it
    assert "2  " in here.until("go on:").replace("\r", "")
    here.type("\n\n\n\n")
    here.until("a paste answers nothing")
    here.type("\n")
    here.until("Zone")
    here.run.send_signal(signal.SIGINT)
    assert here.run.wait(20) == 130
    assert [*(tmp_path / "here").iterdir()] == []


@pytest.mark.parametrize("words", [(), ("--no-input",)])
def test_without_a_terminal_it_is_refused_with_the_line_to_run(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", *words]) == 2
    assert "like: hl template GAME > match.toml" in capsys.readouterr().err
    assert run(["init", "polar", "-o", "a b.toml", *words]) == 2
    assert "[init.terminal]\n  try: hl template polar > 'a b.toml'" in capsys.readouterr().err
    assert run(["init", "ep 3.toml", *words]) == 2
    assert "  like: hl new FOLDER --from 'ep 3.toml'" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_is_there_stays_and_a_folder_that_is_not_is_told_before_any_question(
    sit: Callable[..., Terminal], tmp_path: Path
) -> None:
    (tmp_path / "here" / "match.toml").write_text("mine")
    here = sit("init")
    here.until("[output.exists]")
    here.until("hl init -o match-2.toml")
    assert here.run.wait(20) == 2 and (tmp_path / "here" / "match.toml").read_text() == "mine"
    here = sit("init", "-o", "nowhere/m.toml")
    here.until("there is no folder nowhere")
    assert here.run.wait(20) == 2


@pytest.mark.slow
def test_a_file_that_came_meanwhile_is_not_overwritten(sit: Callable[..., Terminal], tmp_path: Path) -> None:
    here = sit("init", "polar")
    answer(here, ("Title", "\n"), ("ends the list.", "Ann\nBob\n\n"), ("go on:", "\n"), ("Enter: UTC", "\n"),
           ("Hosts, who", "mara\n"), ("Garnets", "\n"), *((name, "\n") for name in ("rounds", "pregame", "round_h")),
           ("to look at first", "s\n"), ("more. Enter", "\n"))  # fmt: skip
    here.until("[Y/n]")
    (tmp_path / "here" / "match.toml").write_text("mine")
    here.type("\n")
    answer(here, ("Another name", "m2.toml\n"), ("Its new folder", "\n"))
    assert here.run.wait(20) == 0 and (tmp_path / "here" / "match.toml").read_text() == "mine"
    assert check_text((tmp_path / "here" / "m2.toml").read_text(encoding="utf-8"), "m2.toml").faults == []


def test_of_a_game_without_garnets_no_garnets_are_asked(sit: Callable[..., Terminal]) -> None:
    """MarsMatch, section 4: S-1 to S-7 do not apply there."""
    here = sit("init", "marsmatch")
    answer(here, ("Title", "\n"), ("ends the list.", "Ann\nBob\n\n"), ("go on:", "\n"), ("Enter: UTC", "\n"),
           ("Hosts, who", "mara\n"))  # fmt: skip
    assert "Garnets" not in here.until("How many rounds")
