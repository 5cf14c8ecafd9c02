"""What a tired host types: `last` for a number, a correction without fields, a singular, a file name without `-f`; and
the line that comes next. Source: docs/commands.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.core.replay import fold
from ledger.tell.reports import next_steps
from tests.support.demos import Demos
from tests.support.host import Host, hl
from tests.support.replaying import DEMOS, demo_of, played
from tests.terminal.test_try_lines import unread


@pytest.fixture
def here(demos: Demos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled match, in which the words are typed."""
    folder = demos.copy("equilibrium", tmp_path / "m")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_MATCH", str(folder))
    monkeypatch.setenv("HL_AS", "mara")
    return folder


def entries(**wanted: str) -> list[int]:
    """The numbers of the entries in effect of a verb that name a player."""
    options = [word for name, value in wanted.items() for word in (f"--{name}", value)]
    return [row["seq"] for row in json.loads(hl("log", "--live", *options, "-f", "json").out)["entries"]]


def test_last_is_the_newest_entry_of_a_verb_and_a_player(here: Path) -> None:
    """`last`, `last ann`, `last trade ann`: the newest entry in effect that fits."""
    for words, wanted in ((("ann",), {"player": "ann"}), (("trade", "ann"), {"kind": "trade", "player": "ann"})):
        shown = json.loads(hl("show", "last", *words, "-f", "json").out)
        assert shown["seq"] == entries(**wanted)[-1]
        assert f"#{shown['seq']}," in hl("undo", "last", *words, "-n", "--yes").err.splitlines()[0]
    answer = hl("show", "last", "recolour", "bob")
    assert answer.code == (2 if not entries(kind="recolour", player="bob") else 0)
    assert hl("show", "last", "nobody").code == 2
    assert hl("undo", "12", "13").code == 2


def test_amend_alone_shows_what_can_be_corrected(here: Path) -> None:
    """Every field of the entry and its time, each as it is now; nothing is recorded."""
    seq, before = entries(kind="trade")[-1], (here / "log.jsonl").read_bytes()
    args = json.loads(hl("show", str(seq), "-f", "json").out)["args"]
    answer = hl("amend", str(seq))
    assert answer.code == 0 and (here / "log.jsonl").read_bytes() == before
    for name in ("a", "give", "b", "take"):
        assert f"{name}={args[name]} " in answer.out
    assert "at=" in answer.out and f"hl amend {seq} KEY=VALUE" in answer.err
    assert {*json.loads(hl("amend", str(seq), "--json").out)["fields"]} == {"a", "give", "b", "take", "at"}


def test_amend_takes_a_value_of_several_words_and_capitals(here: Path) -> None:
    """As the verb itself does, without quotes; what is no pair is told as the pair that it may be."""
    seq = entries(kind="trade")[-1]
    moved = hl("amend", str(seq), "at=2026-03-02", "19:10", "-n", "--yes")
    assert moved.code == 0 and moved == hl("amend", str(seq), "at=2026-03-02 19:10", "-n", "--yes")
    taken = json.loads(hl("amend", str(seq), "--json").out)["fields"]["take"]
    again = hl("amend", str(seq), f"TAKE={taken.lower()}", "-n")
    assert again.code == 3 and "says that already" in again.err
    missing = hl("amend", str(seq), "take", "R4")
    assert missing.code == 2 and "like: hl amend SEQ take=R4" in missing.err
    assert hl("amend", str(seq), "take=R4", "R5", "-n").code == 2, "a card is one word"


def test_a_name_of_two_words_needs_no_quotes(here: Path) -> None:
    """Where the line cannot be read otherwise; what can is read as it stands."""
    assert hl("alias", "ann", "Ann Lee").code == hl("alias", "bob", "Bob of the Hills").code == 0
    answer = hl("award", "Ann", "Lee", "garnets", "-1", "-n", "--yes", "--json")
    assert answer.code == 0 and "Ann" in json.loads(answer.out)["facts"][0]["text"], answer
    assert hl("breach", "bob", "of", "the", "hills", "--note", "late", "-n").code == 0
    assert "too much is" in hl("award", "Ann", "Loe", "garnets", "1", "-n").err
    assert '"Ann Lee"' not in (recorded := hl("note", "Ann", "Lee", "is", "away")).err and recorded.code == 0


def test_all_is_no_player(here: Path) -> None:
    """Each entry is about one, with its own text: the line to type names one. A summary of all there is."""
    for words in (["lock", "all"], ["drop", "Everybody", "--as", "mara"], ["award", "all", "garnets", "1"]):
        answer = hl(*words)
        assert answer.code == 2 and "is no player: name each" in answer.err
        assert f"like: hl {words[0]} ann" in answer.err.replace(" --as mara", ""), answer
    assert hl("summary", "all").out == hl("summary", "--all").out != ""


def test_several_players_are_an_entry_each_and_all_or_none(here: Path) -> None:
    assert hl("alias", "cyd", "Cyd Dan").code == 0, "whose name begins with the names of two"
    refused = hl("drop", "bob", "zed", "-n")
    assert refused.code == 2 and "no player" in refused.err
    answer = hl("drop", "bob,", "Cyd", "Dan", "bob", "eve", "--json")
    seqs = json.loads(answer.out)["seq"]
    assert [json.loads(hl("show", str(seq), "-f", "json").out)["args"]["player"] for seq in seqs] == [
        "bob",
        "cyd",
        "eve",
    ]
    again = hl("drop", "dan", "eve")
    assert again.code == 3 and not entries(kind="drop", player="dan"), "all or none"
    assert hl("undo", "--yes").code == 0 and not entries(kind="drop")


def test_every_line_to_run_has_the_match_and_the_host_that_were_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HL_AS", "HL_MATCH"):
        monkeypatch.delenv(name, raising=False)
    folder, setup = tmp_path / "m", demo_of("equilibrium").parent / "demo.toml"
    named = ("-g", str(folder), "--as", "ben")
    assert hl("new", str(folder), "--from", str(setup)).code == 0
    assert f"next: hl -g {folder} --as HOST deal\n" in hl("-g", str(folder), "status").err, "of two hosts none is named"
    assert f"next: hl {' '.join(named)} deal\n" in hl(*named, "status").err
    assert f"! 9 texts wait to be sent: hl {' '.join(named)} outbox\n" in [
        hl(*named, "deal"), hl(*named, "open"), hl(*named, "status")
    ][-1].out  # fmt: skip
    award = ("award", "ann", "garnets", "1")
    twice = [hl(*named, *award), hl(*named, *award)][-1].err
    assert f"Not meant? hl {' '.join(named)} undo 21\n" in twice
    assert f"try: hl -g {folder} log\n" in hl(*named, "undo", "x").err, "it records nothing, so nobody is named"
    amended = hl(*named, "amend", "20", "amount=-1").err
    assert f"To see it now: hl {' '.join(named)} outbox show 20" in amended, amended
    undone = hl(*named, "undo", "20").err
    assert f"If one was sent already: hl {' '.join(named)} outbox done 20" in undone, undone


def test_remove_and_a_player_leads_to_what_each_verb_does(here: Path) -> None:
    """`undo` first; what records that somebody left is named with what it does, and never as what is meant."""
    for word in ("remove", "delete"):
        said = hl(word, "cyd").err
        assert "to take back the last entry about cyd: hl undo last cyd" in said.splitlines()[1], said
        assert "to record that cyd has left: hl drop cyd" in said and "did you mean" not in said
        assert "did you mean hl undo?" in hl(word, "12").err and "drop" not in hl(word, "12").err


def test_what_acts_at_once_says_how_it_is_taken_back(
    at_desk: Callable[[str], Host],
) -> None:
    """`pause`, `drop`, `replace` and `reopen` need a word or two."""
    at = at_desk("at-once")
    for words in ("pause", "drop hal", "replace gil Gina"):
        at.hl(f"{words} --yes")
        seq = len(at.match.book.entries)
        assert re.search(rf"not meant\? hl .*undo {seq} takes it back", at.err), at.err
        assert "not meant?" not in at.hl(f"undo {seq} --yes").err
    assert "not meant?" not in at.hl("trade ann R2 bob B4").err


def test_an_award_that_is_typed_twice_names_the_one_before(here: Path) -> None:
    """It counts: a host may mean it. Half an hour later, or with another number, it is another."""
    for words, is_same in ((["1"], False), (["2"], False), (["2"], True), (["2", "--at", "-30m"], False)):
        said = hl("award", "ann", "garnets", *words, "--yes")
        assert said.code == 0 and (" is the same, and both count. Not meant? hl undo " in said.err) is is_same, said


def test_an_offer_that_goes_the_other_way_round_is_named(at_desk: Callable[[str], Host]) -> None:
    """Who offered to whom is easily mixed up; without any offer between them the line makes one."""
    at = at_desk("turned")
    assert "offer cyd CARD ann CARD" in at.hl("decline ann cyd", code=3).err
    at.hl("offer ann R4 cyd R9")
    for typed, meant in {
        "decline ann cyd": "decline cyd ann", "accept ann cyd": "accept cyd ann",
        "withdraw cyd ann": "withdraw ann cyd",
    }.items():  # fmt: skip
        assert f"{meant}\n" in at.hl(typed, code=3).err and "Ann has one to Cyd" in at.err
    at.hl("decline cyd ann")


def test_who_is_chosen_for_a_death_match_is_asked_where_there_are_candidates(demos: Demos, tmp_path: Path) -> None:
    """MarsMatch has no Elimination Candidate; a host may declare one all the same."""
    for name, asked in (("marsmatch", False), ("freeform", True)):
        own = ("-g", str(demos.copy(name, tmp_path / name)), "--as", "mara")
        answer = hl(*own, "declare", "elimination", "ann", "--note", "settled", "--yes")
        assert answer.code == 0 and ("Death Match" in answer.err) is asked, answer


def test_a_length_in_another_unit_is_written_with_it(tmp_path: Path) -> None:
    """`minutes = 3` for `hours = "3m"`, in a sheet of a file and among the settings of a game."""
    for game, was, typed, said in (
        ("freeform", "hours = 24", "minutes = 3", 'hours = "3m"'),
        ("equilibrium", "[settings]", "[settings]\ntrading_minutes = 3", 'trading_hours = "3m"'),
    ):
        sample = Path(__file__).parents[2] / "games" / game / "demo.toml"
        (tmp_path / "m.toml").write_text(sample.read_text().replace(was, typed, 1))
        assert said in hl("check", str(tmp_path / "m.toml")).out


def test_a_singular_is_read(here: Path) -> None:
    """`award bob garnet 1` means garnets."""
    answer = hl("award", "bob", "garnet", "1", "-n", "--yes", "--json")
    assert answer.code == 0 and json.loads(answer.out)["ok"]


def test_the_ending_of_a_file_chooses_its_format(here: Path) -> None:
    """`-o x.svg` writes an SVG; `-f md -o x.svg` is refused."""
    assert hl("reveal", "-o", "board.html").code == 0
    assert Path("board.html").read_text(encoding="utf-8").lower().startswith("<!doctype html")
    answer = hl("reveal", "-f", "md", "-o", "other.html")
    assert answer.code == 2 and "[format.contradiction]" in answer.err and not Path("other.html").exists()
    assert hl("reveal", "-o", "plain.note").code == 0


def test_what_comes_next_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`new`, then `deal`, then `open`: each answer names the next, and `status` and `waiting` say it again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    demo = demo_of("equilibrium").with_name("demo.toml")
    assert "next: hl -g m deal\n" in hl("new", "m", "--from", str(demo)).err
    told = hl("-g", "m", "status")
    assert "! no cards have been dealt yet" in told.out and "next: hl -g m deal\n" in told.err
    assert "next: hl -g m open\n" in hl("-g", "m", "deal").err
    assert "next: hl -g m open\n" in hl("-g", "m", "waiting").err
    trade = "next: hl -g m trade NAME CARD NAME CARD, or hl -g m lock NAME\n"
    assert trade in hl("-g", "m", "open").err and trade in hl("-g", "m", "status").err
    assert "next: hl -g m resume\n" in hl("-g", "m", "pause").err


@pytest.mark.parametrize("name", DEMOS)
def test_each_point_of_a_whole_match_has_a_next_line(name: str, tmp_path: Path) -> None:
    """From the first entry to the end there is a line to type, and the command that it is for reads it."""
    match = played(name, tmp_path / "m")
    for seq in range(1, len(match.book.entries) + 1):
        state = fold(match.engine, match.book.entries[:seq]).state
        steps = next_steps(match.game, state)
        assert steps or state.table.status == "finished", f"entry {seq}: {state.table.phase}"
        for step in steps:
            for line in re.split(", (?:or|then) ", re.sub(r" \([A-Z][^|]*\)(, if .*)?$|, once .*", "", step)):
                assert not unread(line, f"games/{name}/"), f"entry {seq}: {line}"


def test_next_names_who_has_not_sent_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verb of the sheet, whom it waits for; with one left that one's line, with none `resolve`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    Path("p.toml").write_text('game = "polar"\nhosts = ["mara"]\n[players]\nann = {}\nbob = {}\ncyd = {}\n')
    hl("new", "p", "--from", "p.toml")
    start = "hl -g p start NAME ROOM SIGN BOMB,BOMB"
    assert f"next: {start} (Ann, Bob or Cyd)\n" in hl("-g", "p", "open").err
    assert f"next: {start} (Ann or Cyd)\n" in hl("-g", "p", "start", "bob", "rock", "+", "double,double").err
    assert "next: hl -g p start cyd ROOM SIGN BOMB,BOMB\n" in hl("-g", "p", "blank", "ann").err
    assert "next: hl -g p resolve\n" in hl("-g", "p", "blank", "cyd").err
    submit = "next: hl -g p submit NAME --ticket ROOM --bomb BOMB ROOM (Ann, Bob or Cyd)\n"
    assert submit in hl("-g", "p", "resolve", "-y").err
    assert submit in hl("-g", "p", "status").err and submit in hl("-g", "p", "waiting").err


def test_the_end_of_a_turn_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`deadline` in MarsMatch moves the end of a turn, and names whose; not the phase, whose name says nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    folder = demo_of("marsmatch").parent
    hl("new", "m", "--from", str(folder / "demo.toml"))
    for words in "draw --banker cyd", f"deal --from {folder / 'demo-deal.toml'}", "open":
        assert hl("-g", "m", *words.split()).code == 0
    assert "Cyd's move ends in 10 min" in hl("-g", "m", "deadline", "in 10m", "--yes").err
    for words in ("show", "last"), ("explain", "13"), ("replay",):  # in the zone of the match, as everywhere else
        (moved,) = (line for line in hl("-g", "m", *words).out.splitlines() if "the end is moved to " in line)
        assert " CE" in moved and "UTC" not in moved


def test_what_must_be_drawn_first_is_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next step is what `open` would ask for: in MarsMatch a draw before the deal, in Freeform each draw."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    assert "next: hl -g m draw\n" in hl("new", "m", "--from", str(demo_of("marsmatch").with_name("demo.toml"))).err
    Path("wolf.toml").write_text(WOLF)
    assert "next: hl -g w draw role\n" in hl("new", "w", "--from", "wolf.toml").err
    told = hl("-g", "w", "status")
    assert "! role is not drawn yet" in told.out and "next: hl -g w draw role\n" in told.err
    for slip in "ann wolf, bob sheep", "wolf sheep":
        assert '  like: hl draw role --drawn "wolf sheep sheep"\n' in hl("-g", "w", "draw", "role", "--drawn", slip).err
    assert "next: hl -g w open\n" in hl("-g", "w", "draw", "role", "--drawn", "wolf sheep sheep").err
    assert "next: hl -g w seal NAME SUSPECT (Ann or Bob)\n" in hl("-g", "w", "open").err
    for who, suspect in ("ann", "bob"), ("bob", "ann"):
        hl("-g", "w", "seal", who, suspect)
    assert "next: hl -g w open\n" in hl("-g", "w", "resolve", "-y").err  # the second round
    assert "next: hl -g w open\n" in hl("-g", "w", "status").err


WOLF = """
game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
[items]
role = { values = ["wolf", "sheep", "sheep"], draw = "deal 1", seen_by = "owner" }
[sheets.vote]
fields = { suspect = "player" }
rounds = 2
opened = "everybody"
"""


def test_a_sheet_that_is_called_like_a_verb_is_sealed_with_seal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`check` says so; and the verb that it is called like says what to type, where it is refused."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    Path("wolf.toml").write_text(WOLF)
    assert "sheets.vote: hl vote is another verb already: type hl seal for this one" in hl("check", "wolf.toml").err
    for line in ("new w --from wolf.toml", "-g w draw role", "-g w open"):
        assert hl(*line.split()).code == 0
    refused = hl("-g", "w", "vote", "ann", "bob")
    assert refused.code == 3 and "try: hl -g w seal ann bob" in refused.err
    assert hl("-g", "w", "seal", "ann", "bob").code == 0
    unknown = hl("-g", "w", "vote", "ann", "bop")
    assert "did you mean bob?" in unknown.err  # a slip is told as ever


TIE = """
[counters]
points = { seen_by = "everybody" }
[result]
score = "points"
tokens = "highest"
ties = "vote"
"""


def test_a_vote_that_is_open_keeps_its_own_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet is called vote, and a tie is voted on: who may not vote is not sent to the sheet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    Path("wolf.toml").write_text(f"{WOLF.replace('bob = {}', 'bob = {}' + chr(10) + 'cyd = {}')}{TIE}")
    for line in ("new w --from wolf.toml", "-g w draw role", "-g w add points cyd -1", "-g w open",
                 "-g w resolve --yes --early", "-g w close match --yes"):  # fmt: skip
        assert hl(*line.split()).code == 0, line
    refused = hl("-g", "w", "vote", "ann", "bob")
    assert "[table.no_vote_right]" in refused.err and "hl -g w seal" not in refused.err


@pytest.fixture
def wolf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file above as a match with round 1 open."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    monkeypatch.setenv("HL_MATCH", "w")
    Path("wolf.toml").write_text(WOLF)
    assert hl(*["new", "w", "--from", "wolf.toml"]).code == 0
    assert "try: hl status\n" in hl("deal").err and "next: hl draw role\n" in hl("status").err  # no verb of this game
    for line in ("draw role", "open"):
        assert hl(*line.split()).code == 0, line
    return tmp_path


def test_a_late_sheet_of_a_resolved_round_counts_after_the_resolve_is_undone(wolf: Path) -> None:
    """`status` names a line that works: before the resolve the ruling, after it the resolve as well."""
    for line in ("close --yes", "seal ann bob"):
        assert hl(*line.split()).code == 0, line
    seq = entries(kind="seal")[-1]
    assert f"To let it count: hl ruling admit {seq}" in hl("status").out
    assert hl("resolve", "--yes").code == 0
    assert f"To let it count: undo the resolve (hl log --kind resolve), then hl ruling admit {seq}" in hl("status").out
    refused = hl("ruling", "admit", str(seq)).err
    assert "no round is on [sealed.not_late]" in refused and "try: hl log" in refused
    for line in ("undo last resolve --yes", f"ruling admit {seq}"):
        assert hl(*line.split()).code == 0, line


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("role", "the file has it under items"), ("roles", "the file has it under items"),
        ("sheet", "did you mean hl seal?"), ("transfer", "did you mean hl give?"), ("pay", "did you mean hl add?"),
        ("give ann role away", "like: hl give ITEM FROM TO; or one of: table deck away"),
    ],
)  # fmt: skip
def test_words_that_are_no_verb_of_a_file_lead_to_what_it_has(wolf: Path, typed: str, said: str) -> None:
    """Not to a verb of another game, or to one that is spelled alike."""
    assert said in hl(*typed.split()).err


def test_the_same_sheet_again_is_said_to_be_the_same(wolf: Path) -> None:
    hl("seal", "ann", "bob")
    seq = entries(kind="seal")[-1]
    assert f"(the same as #{seq})" in hl("seal", "ann", "bob").err
    assert f"(instead of #{seq + 1})" in hl("seal", "ann", "ann").err


def test_after_the_last_round_a_bare_close_ends_the_match_and_says_so(wolf: Path) -> None:
    for _ in range(2):
        hl("resolve", "--yes", "--early")
        hl("open")
    assert "not final yet: the match is still played; hl status says what comes next\n" in hl("final").err
    assert "to record: close match\n" in hl("close").err
    assert hl("close", "--yes").code == 0 and "phase=match" in hl("log", "--kind", "close").out


def test_the_score_is_called_score_where_a_counter_is_called_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    monkeypatch.setenv("HL_MATCH", "w")
    Path("wolf.toml").write_text(f"{WOLF}{TIE}")
    hl("new", "w", "--from", "wolf.toml")
    assert "score" in hl("scores", "--for", "host").out and "points" not in hl("scores", "--for", "host").out
    assert hl("explain", "result").out == hl("explain", "final").out != ""


def test_a_player_reads_nothing_of_it(here: Path) -> None:
    """What comes next is for who records: an answer for everybody or a player does not say it."""
    for who in ("public", "ann"):
        assert "next:" not in "".join(hl("status", "--for", who)[1:])


def test_an_auditor_names_the_file_after_the_verb(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify`, `show` and `replay` read the log that is named, as with -g; two that differ are refused."""
    log, seq = here / "log.jsonl", str(entries(kind="trade")[-1])
    wanted = [hl("verify").out, hl("show", seq).out, hl("replay").out]
    monkeypatch.delenv("HL_MATCH")
    named = [hl("verify", str(log)), hl("show", str(log), seq), hl("replay", str(log))]
    assert [answer.code for answer in named] == [0, 0, 0] and [answer.out for answer in named] == wanted
    assert hl("show", str(log), "last", "trade").out == wanted[1]
    assert hl("verify", str(here)).out == wanted[0]  # a folder, as with -g
    assert hl("-g", str(log), "verify", str(log)).code == 0
    assert "two matches are named" in hl("-g", "other", "verify", str(log)).err
    assert "which entry of" in hl("show", str(log)).err


def test_what_cannot_be_opened_closed_or_reopened_now_says_what_is_on_and_what_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line to run leads on: before play to `open`, after an early close to `resolve` and `reopen`."""
    monkeypatch.chdir(tmp_path)
    Path("hex.toml").write_text(hl("template", "Hex Parties").out)
    assert hl("new", "m", "--from", "hex.toml").code == 0
    own = ("-g", "m", "--as", "mara")

    def refused(verb: str) -> str:
        answer = hl(*own, verb, "--yes") if verb == "close" else hl(*own, verb)
        assert answer.code == 3, answer
        return answer.err

    for verb in ("close", "reopen"):
        assert "try: hl -g m --as mara open" in refused(verb)
    assert hl(*own, "open").code == 0
    for verb in ("open", "reopen"):
        assert "round 1 is open" in refused(verb)
    assert hl(*own, "close", "--yes").code == 0
    assert "closed and not resolved yet" in (said := refused("open"))
    assert "mara resolve" in said and "mara reopen" in said
    late = hl(*own, "move", "ann", "odd", "A3")
    assert "after round 1 had closed" in late.out and "late: hl ruling admit 10" in late.err
    reminded = dict(part.split("\n", 1) for part in hl(*own, "remind").out.split("--- to #")[1:])
    assert "What came later counts only if a host rules so." in reminded["ann"], reminded
    assert "Nothing has come from you." in reminded["bob"] and "missing" not in "".join(reminded.values())
    assert "is open again, and has no end until a host sets one" in hl(*own, "reopen").out
    assert "admitted already" in hl(*own, "ruling", "admit 10").err
    assert "ruling admit" not in hl("-g", "m", "show", "10").out


def test_what_looks_like_a_time_and_is_none_is_told_as_it_was_typed(here: Path) -> None:
    """Times of entries are told in the zone of the match; a remark may hold anything."""
    word = "2026-99-99T99:99:99.999Z"
    assert hl("note", word).code == 0
    answer = hl("undo", "last", "--yes")
    assert answer.code == 0 and f"note {word}" in answer.err


def test_a_correction_shows_the_entry_as_it_counts_now(here: Path) -> None:
    """What was amended is shown amended, and what cannot be corrected names the line that does it."""
    assert hl("alias", "ann", "Annabel").code == 0
    assert "is taken back; nothing else changes" in hl("undo", "last", "--yes").err
    row = next(
        row for row in json.loads(hl("log", "-f", "json").out)["entries"] if row["first"] and row["args"].get("take")
    )
    assert row["first"]["args"]["take"] != (held := row["args"]["take"])
    for verb in (("undo", str(row["seq"]), "-n", "--yes"), ("amend", str(row["seq"]))):
        answer = hl(*verb)
        assert f" {held}" in (answer.err if verb[0] == "undo" else answer.out).splitlines()[0], answer
    item = json.loads(hl("outbox", "-f", "json").out)["items"][0]["item"]
    assert hl("outbox", "done", item).code == 0
    mark = json.loads(hl("log", "--all", "-f", "json").out)["entries"][-1]["seq"]
    assert f"try: hl outbox undo {item}" in hl("amend", str(mark)).err


def test_who_submits_nothing_on_purpose_is_not_told_of_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a resolve is undone, their correction says how they stand: they have answered, and there is no sheet."""
    monkeypatch.chdir(tmp_path)
    Path("auction.toml").write_text(hl("template", "poker_auction").out)
    assert hl("new", "m", "--from", "auction.toml").code == 0
    for words in (["open"], ["blank", "ann"], ["resolve", "--early", "--yes"], ["outbox", "done", "all", "--yes"]):
        assert hl("-g", "m", "--as", "mara", *words).code == 0, words
    assert hl("-g", "m", "--as", "mara", "undo", "last", "resolve", "--yes").code == 0
    correction = next(
        row["text"] for row in json.loads(hl("-g", "m", "outbox", "-f", "json").out)["items"]
        if row["audience"] == "ann" and row["covers"]
    )  # fmt: skip
    assert "You have answered for this round." in correction and "sheet" not in correction, correction


def test_beside_a_typed_time_a_refusal_names_the_help_of_a_verb_that_records(at_desk: Callable[[str], Host]) -> None:
    """The line itself would count now, and might do something else. `amend` has no option for its time."""
    at = at_desk("paused")
    at.hl("pause")
    assert at.hl("pause", code=3).err.endswith(" resume\n")
    assert at.hl("pause --at -1s", code=3).err.endswith(" resume --help\n")
    assert "like: hl amend 12 at=" in at.hl("amend 12 --at -1s", code=2).err
