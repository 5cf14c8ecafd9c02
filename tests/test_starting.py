"""Setting a match up: names with capital letters, assumptions confirmed as they are, several settings in one command,
verbs that are not there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.registry import load, names
from ledger.cli.root import run

Hl = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def hl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hl:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("HL_MATCH", "HL_AS"):
        monkeypatch.delenv(name, raising=False)

    def typed(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return typed


def made(hl: Hl, game: str = "equilibrium", **changed: str) -> None:
    """A match in folder `m`, of a game's demo."""
    text = (Path(str(sys.modules[load(game).settings.__module__].__file__)).parent / "demo.toml").read_text("utf-8")
    for old, new in changed.items():
        text = text.replace(old, new)
    Path("m.toml").write_text(text, encoding="utf-8")
    assert hl("new", "m", "--from", "m.toml")[0] == 0


# ---- names -----------------------------------------------------------------------------------------------------------


def test_capital_letters_of_hosts_and_ids_are_small_ones(hl: Hl) -> None:
    made(hl, **{"mara": "Mara", "\nann ": "\nANN "})
    assert hl("-g", "m", "--as", "MARA", "note", "hello")[0] == 0
    code, out, _ = hl("-g", "m", "log", "-f", "json")
    assert code == 0 and '"by": "mara"' in out and '"id": "ann"' in out
    Path("hands.toml").write_text('[hands]\nANN = "R1"\nann = "R2"\n')
    code, _, err = hl("-g", "m", "--as", "mara", "deal", "--from", "hands.toml")
    assert code == 2 and "the cards of ann are there twice" in err


def test_two_ids_that_differ_by_a_capital_letter_are_refused(hl: Hl) -> None:
    text = (ROOT / "games" / "equilibrium" / "demo.toml").read_text(encoding="utf-8")
    Path("m.toml").write_text(text.replace("[players]", '[players]\nAnn = { name = "Anna" }'), encoding="utf-8")
    code, _, err = hl("new", "m", "--from", "m.toml")
    assert code == 2 and "ann is there twice [roster.twice]" in err and not Path("m").exists()


# ---- settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*names()])
def test_all_assumptions_are_accepted_as_they_are(hl: Hl, game: str) -> None:
    """Before play and after it has begun: nothing changes but that it is confirmed. Source: S-11."""
    made(hl, game)
    here = ("-g", "m", "--as", "mara")
    before = hl(*here, "rules", "-f", "json")[1].replace('"assumed": true', '"assumed": false')
    hl(*here, "open")
    code, _, err = hl(*here, "assumptions", "--accept", "all")
    assert code == 0, err
    assert "every rule of this match has been confirmed" in hl(*here, "assumptions")[1]
    assert hl(*here, "rules", "-f", "json")[1] == before
    code, _, err = hl(*here, "assumptions", "--accept", "visibility")
    assert code == 2 and 'no assumption is called "visibility"' in err


def test_some_assumptions_are_accepted(hl: Hl) -> None:
    made(hl)
    here = ("-g", "m", "--as", "mara")
    assert hl(*here, "assumptions", "--accept", "er_metric,gift-hours", "--accept", "visibility.locks")[0] == 0
    left = hl(*here, "assumptions", "-f", "json")[1]
    assert all(f'"{name}"' not in left for name in ("er_metric", "gift_hours", "visibility.locks"))
    assert '"vote_hours"' in left and '"visibility.dealt_hands"' in left
    assert hl(*here, "undo", "-y")[0] == 0  # one command, one undo
    assert '"er_metric"' in hl(*here, "assumptions", "-f", "json")[1]
    code, _, err = hl(*here, "assumptions", "--accept", "er_metrik")
    assert code == 2 and "did you mean er_metric?" in err


def test_several_settings_in_one_command(hl: Hl) -> None:
    """A word that begins no other setting belongs to the value before it."""
    made(hl)
    here = ("-g", "m", "--as", "mara")
    assert hl(*here, "amend-setting", "er_metric=value", "garnet-hands=four,", "full", "gift_hours", "=", "30")[0] == 0
    rules = {row["setting"]: row["value"] for row in json.loads(hl(*here, "rules", "-f", "json")[1])["rules"]}
    assert (rules["er_metric"], rules["garnet_hands"], rules["gift_hours"]) == ("value", ["four", "full"], 30)
    size = len(hl(*here, "log")[1].splitlines())
    code, _, err = hl(*here, "amend-setting", "gift_hours=20", "vote_hours=soon")
    assert code == 2 and "vote" in err
    assert len(hl(*here, "log")[1].splitlines()) == size  # all or nothing
    assert hl(*here, "amend-setting", "gift_hours")[0] == 2


# ---- verbs that are not there ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("st",), "did you mean hl status?"),
        (("verfy",), "did you mean hl verify?"),
        (("xyzzy",), "try: hl --help lists the verbs"),
        (("trade", "ann"), "there is no verb trade here: it is one of equilibrium, and needs a match of it"),
    ],
)
def test_a_verb_that_is_not_there(hl: Hl, words: tuple[str, ...], said: str) -> None:
    code, out, err = hl(*words)
    assert (code, out) == (2, "") and said in err and "[verb.unknown]" in err


def test_the_help_of_a_games_verb_needs_no_match(hl: Hl) -> None:
    code, out, err = hl("help", "trade")
    assert code == 0 and "hl trade [OPTIONS] A GIVE B TAKE" in out
    assert "trade is a verb of equilibrium, and needs a match of it" in err


# ---- all that is wrong with a file, at once --------------------------------------------------------------------------

WRONG = """game = "equilibrium"
hosts = ["mara", "Mara"]
zonen = "UTC"
[players]
ann = { name = "Ann", garnets = 9 }
bob = { name = "ann", aliases = ["b", 3] }
"Cy d" = {}
bank = {}
eve = [1]
[settings]
best_of = 3
garnet_cap = 2
[settings.visibility]
votez = "host"
votes = "friends"
"""


def test_every_fault_of_a_match_file_is_told_with_its_line(hl: Hl) -> None:
    """What `new` tells and what `check` tells are the same faults; nothing is made."""
    Path("wrong.toml").write_text(WRONG, encoding="utf-8")
    code, out, err = hl("new", "m", "--from", "wrong.toml")
    head, *lines = err.splitlines()
    assert (code, out) == (2, "") and head == "hl: wrong.toml has 8 faults [toml.key]" and not Path("m").exists()
    assert [line.split(":")[0].strip() for line in lines[:-1]] == [f"line {n}" for n in (3, 6, 7, 8, 9, 11, 14, 15)]
    assert "bob.aliases, item 2: must be a text" in err and lines[-1] == "  try: hl check wrong.toml"
    checked = json.loads(hl("check", "wrong.toml", "-f", "json")[1])
    assert [fault["line"] for fault in checked["faults"]] == [3, 6, 7, 8, 9, 11, 14, 15]
    assert {fault["code"] for fault in checked["faults"]} == {
        "toml.key", "roster.name", "settings.unknown", "settings.visibility"
    }  # fmt: skip
    told = json.loads(hl("new", "m", "--from", "wrong.toml", "--json")[1])["error"]
    assert told["what"].count("\n") == 8 and told["code"] == "toml.key"


def test_what_no_shape_can_say_comes_with_the_rest(hl: Hl) -> None:
    """Ids, words and channels that mean two, a host twice, and a cap that a setting of the same file gives."""
    lines = WRONG.splitlines()
    kept = [line for n, line in enumerate(lines, 1) if n not in (3, 7, 8, 9, 11, 13, 14, 15)]
    text = "\n".join(kept).replace(', aliases = ["b", 3]', ', channel = "#ann"')
    text = text.replace("garnets = 9", 'channel = "ann"')
    Path("wrong.toml").write_text(text.replace("[settings]", "Bob = { garnets = 3 }\n[settings]"), encoding="utf-8")
    code, _, err = hl("check", "wrong.toml")
    out = hl("check", "wrong.toml")[1]
    assert code == 2 and "wrong.toml:6: players.Bob.garnets: must be at most 2" in out and "1 fault;" in err
    Path("wrong.toml").write_text(text, encoding="utf-8")
    out = hl("check", "wrong.toml")[1]
    assert "wrong.toml:2: hosts, item 2: a host is listed twice" in out
    assert 'wrong.toml:5: players.bob: "ann" means both ann and bob' in out
    assert 'players.bob.channel: "ann" is the channel of ann and bob' in out


def test_a_roster_of_the_wrong_size_has_the_line_of_its_table(hl: Hl) -> None:
    """It is refused (3) by `new`, and one fault of `check`."""
    text = 'game = "equilibrium"\nhosts = "mara"\n[players]\nann = {}\nbob = {}\n'
    Path("few.toml").write_text(text, encoding="utf-8")
    assert hl("new", "m", "--from", "few.toml")[0] == 3
    assert hl("check", "few.toml")[1].startswith("few.toml:3: players: Equilibrium is played by 8; the roster has 2")


def test_every_fault_of_a_deal_file_is_told(hl: Hl) -> None:
    made(hl)
    Path("hands.toml").write_text('[hands]\nann = 3\nzoe = "R1"\n', encoding="utf-8")
    _, _, err = hl("-g", "m", "--as", "mara", "deal", "--from", "hands.toml")
    assert "hands.toml, line 2: hands.ann: must be a text [deal.file]" in err
    Path("hands.toml").write_text('[hands]\nzoe = "R1"\nann = "R1"\nAnnie = "R2"\n', encoding="utf-8")
    code, _, err = hl("-g", "m", "--as", "mara", "deal", "--from", "hands.toml")
    assert code == 2 and "hands.toml has 2 faults [player.unknown]" in err
    assert "line 2: hands.zoe: there is no player" in err and "line 4: hands.Annie: the cards of ann" in err
