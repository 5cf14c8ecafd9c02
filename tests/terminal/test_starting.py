"""Setting a match up: names with capital letters, assumptions confirmed as they are, several settings in one command,
verbs that are not there."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.records import fields, kebab
from games.registry import load, names
from ledger.cli.root import run
from ledger.cli.verbs import _WORDS, advice, by_meaning, meant, shared_verbs

Hl = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).resolve().parents[2]


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
    assert code == 2 and "the cards of ann are listed twice" in err


def test_two_ids_that_differ_by_a_capital_letter_are_refused(hl: Hl) -> None:
    text = (ROOT / "games" / "equilibrium" / "demo.toml").read_text(encoding="utf-8")
    Path("m.toml").write_text(text.replace("[players]", '[players]\nAnn = { name = "Anna" }'), encoding="utf-8")
    code, _, err = hl("new", "m", "--from", "m.toml")
    assert code == 2 and "ann is listed twice [roster.twice]" in err and not Path("m").exists()


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
    assert code == 2 and 'there is no assumption "visibility"' in err


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
        (("xyzzy",), "try: hl --help"),
        (("trade", "ann"), "there is no verb trade here: it belongs to equilibrium, and needs a match of that game"),
    ],
)
def test_a_verb_that_is_not_there(hl: Hl, words: tuple[str, ...], said: str) -> None:
    code, out, err = hl(*words)
    assert (code, out) == (2, "") and said in err and "[verb.unknown]" in err


def test_the_help_of_a_games_verb_needs_no_match(hl: Hl) -> None:
    code, out, err = hl("help", "trade")
    assert code == 0 and "hl trade [OPTIONS] A GIVE B TAKE" in out
    assert "trade is a verb of equilibrium, and needs a match of that game" in err


def test_a_word_that_is_no_setting_is_named_where_it_spoils_a_value(hl: Hl) -> None:
    """The words after KEY=VALUE may belong to the value; a wrong name must not hide behind it."""
    made(hl)
    here = ("-g", "m", "--as", "mara")
    code, _, err = hl(*here, "amend-setting", "vote_hours=12", "gift_ours=12")
    assert code == 2 and 'or "1d12h"; no setting is called gift' in err
    assert hl(*here, "amend-setting", "vote_hours=12", "gift_hours=12")[0] == 0


def test_the_beginning_of_a_verb_is_a_suggestion(hl: Hl) -> None:
    for typed, verb in (("st", "status"), ("hel", "help"), ("verif", "verify")):
        code, _, err = hl(typed)
        assert code == 2 and err.splitlines()[1].startswith("  did you mean ") and f"hl {verb}" in err.splitlines()[1]


def test_no_documented_ranking_makes_files_of_it() -> None:
    """A shell takes `>` for a file: what stands in pages, helps and bundled matches is typed as it stands."""
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "games").rglob("*.hl"), ROOT / "README.md"]
    helps = [field.arg.help for name in names() for cls in load(name).actions for field in fields(cls)]
    told = {str(page): page.read_text(encoding="utf-8") for page in pages} | {"helps": "\n".join(helps)}
    assert "SDHCJ" in told["helps"]
    assert not [where for where, text in told.items() if re.search(r"\b[SDHCJ]>[SDHCJ]\b", text)]


# ---- what newcomers type as verbs ------------------------------------------------------------------------------------

OWN = {kebab(action) for game in names() for action in load(game).actions}
ALL = [*shared_verbs(), *OWN]
REGRET = ("delete", "revert", "remove", "quit", "cancel", "rollback", "rm", "del", "erase", "undelete", "exit")
WANTED = {
    "begin": "open", "extend": "deadline", "addtime": "deadline", "time": "deadline", "leave": "drop", "kick": "drop",
    "remove": "undo", "delete": "undo", "cancel": "undo", "revert": "undo", "edit": "amend", "fix": "amend",
    "correct": "amend", "history": "log", "list": "log", "ls": "log", "who": "waiting", "post": "outbox",
    "send": "outbox", "next": "outbox", "hand": "status", "hands": "status", "players": "status", "info": "status",
    "rank": "scores", "ranking": "scores", "leaderboard": "scores", "results": "final", "winner": "final",
    "settings": "rules", "config": "rules", "finish": "close", "end": "close", "stop": "pause", "comment": "note",
    "round": "open", "say": "outbox", "pm": "outbox", "unclose": "reopen", "whoami": "status", "turn": "waiting",
    "late": "ruling", "copy": "export", "load": "new", "roster": "status", "done": "outbox", "color": "recolour",
    "flip": "recolour", "ticket": "go", "sheet": "bid",
}  # fmt: skip


def test_the_words_of_a_newcomer_lead_to_the_verb() -> None:
    """Each leads there first, whatever it is spelled like."""
    for typed, verb in WANTED.items():
        assert meant(typed, ALL)[0] == verb, typed
        assert meant(typed.upper(), ALL)[0] == verb, typed


def test_a_word_of_regret_never_leads_to_a_verb_that_records() -> None:
    """Nor does one that is spelled like such a verb: of those that record only undo and redo are named."""
    for typed in REGRET:
        recording = {verb for verb in ALL if verb not in shared_verbs() or shared_verbs()[verb].writes} - {
            "undo",
            "redo",
        }
        named = {word for word in advice(typed, ALL).replace("?", "").split() if word in ALL}
        assert not named & recording, (typed, named)


def test_every_word_leads_to_a_verb_and_is_none() -> None:
    """A word that is a verb itself would never be asked for; a verb that is not there never be named."""
    for verb, words in _WORDS.items():
        assert verb in ALL, verb
        assert not set(words.split()) & set(shared_verbs()), verb
        assert len(set(words.split())) == len(words.split()), verb


def test_a_verb_of_another_game_is_not_named() -> None:
    """`swap` is a verb of Polar, and a trade in Equilibrium."""
    assert by_meaning("swap", [*shared_verbs(), "trade"]) == ["trade"]
    assert by_meaning("swap", [*shared_verbs(), "bid"]) == []
    assert by_meaning("sheet", [*shared_verbs(), "bid"]) == ["bid"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("start", "did you mean hl open?"), ("swap", "did you mean hl trade?"), ("kick", "did you mean hl drop?"),
        ("players", "did you mean hl status or hl summary?"),
            ("delete", "to take back the last entry about ann: hl undo"),
        ("quit", "each command is kept at once, so there is nothing to leave; in hl shell: exit"),
        ("save", "each command is kept at once, so there is nothing to leave; in hl shell: exit"),
        ("play", "did you mean hl open?"), ("skip", "did you mean hl blank?"), ("add", "did you mean hl replace?"),
        ("ann", "the verb comes first, then the player"),
        ("order", "there is no verb order here: move belongs to freeform and hex_parties"),
        ("bid", "there is no verb bid here: it belongs to poker_auction"),
    ],
)  # fmt: skip
def test_it_is_said_in_a_match(hl: Hl, typed: str, said: str) -> None:
    """And nothing is run: the log is as it was."""
    made(hl)
    before = hl("-g", "m", "receipt")[1]
    code, out, err = hl("-g", "m", typed, "ann")
    assert (code, out) == (2, "") and said in err.replace("hl -g m ", "hl ") and "[verb.unknown]" in err, err
    assert hl("-g", "m", "receipt")[1] == before
