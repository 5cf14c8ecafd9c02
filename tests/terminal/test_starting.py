"""Setting a match up: names with capital letters, assumptions confirmed as they are, several settings in one command,
verbs that are not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.records import fields, kebab
from games.registry import load, names
from ledger.cli.verbs import _WORDS, advice, by_meaning, meant, shared_verbs
from tests.support.host import Host
from tests.support.lines import plays
from tests.support.replaying import demo_of

DEMO = demo_of("equilibrium").with_name("demo.toml").read_text(encoding="utf-8")
FILES = {
    "capitals": DEMO.replace("mara", "Mara").replace("\nann ", "\nANN "),
    "twice": DEMO.replace("[players]", '[players]\nAnn = { name = "Anna" }'),
    "hands": '[hands]\nANN = "R1"\nann = "R2"\n',
}
STARTING = """
capital letters of hosts and ids are small ones
  file capitals ; note hello --as MARA ; log -f json ~ "by": "mara" ~ "id": "ann"
  2 deal --from hands.toml ~ the cards of ann are listed twice
two ids that differ by a capital letter are refused
  nothing twice ; 2 > new m --from twice.toml ~ ann is listed twice [roster.twice] ; > new m --from capitals.toml
some assumptions are accepted; one command is one undo
  file equilibrium ; assumptions --accept er_metric,gift-hours --accept visibility.locks
  assumptions -f json !~ "er_metric" !~ "gift_hours" !~ "visibility.locks" ~ "vote_hours" ~ "visibility.dealt_hands"
  undo -y ; assumptions -f json ~ "er_metric" ; 2 assumptions --accept er_metrik ~ did you mean er_metric?
several settings in one command: a word that begins no other setting belongs to the value before it; all or nothing
  file equilibrium ; amend-setting er_metric=value garnet-hands=four, full gift_hours = 30
  : rules | rules[setting=er_metric].value == value ; : rules | rules[setting=garnet_hands].value == four full
  : rules | rules[setting=gift_hours].value == 30 ; 2 amend-setting gift_hours=20 vote_hours=soon ~ vote
  2 amend-setting gift_hours
a word that is no setting is named where it spoils a value: a wrong name must not hide behind it
  file equilibrium ; 2 amend-setting vote_hours=12 gift_ours=12 ~ or "1d12h"; no setting is called gift
  amend-setting vote_hours=12 gift_hours=12
a verb that is not there, or only begun, is a suggestion
  nothing ; 2 > st ~ hl: there is no verb "st" [verb.unknown] / did you mean ~ hl status
  2 > verfy ~ did you mean hl verify? ; 2 > help revael ~ did you mean hl reveal ; 2 > simulate polr ~ polar
  2 > simulate no.toml ~ there is no file ; 2 > simulate polar -n 0
  2 > hel ~ / did you mean ~ hl help ; 2 > verif ~ / did you mean ~ hl verify
  2 > xyzzy ~ try: hl --help ~ [verb.unknown]
  2 > trade ann ~ there is no verb trade here: it belongs to equilibrium, and needs a match of that game
  2 > trade ann ~ like: hl -g FOLDER trade ...
the help of a game's verb needs no match
  nothing
  > help trade ~ hl trade [OPTIONS] A GIVE B TAKE ~ trade is a verb of equilibrium, and needs a match of that game
in a match a word that is no verb leads to one, and nothing is run
  file equilibrium ; 2 start ann ~ did you mean hl open? ~ [verb.unknown] ; 2 swap ann ~ did you mean hl trade?
  2 kick ann ~ did you mean hl drop? ; 2 players ann ~ did you mean hl status or hl summary?
  2 delete ann ~ to take back the last entry about ann: hl undo ; 2 play ann ~ did you mean hl open?
  2 quit ~ each command is kept at once, so there is nothing to leave; in hl shell: exit
  2 save ann ~ each command is kept at once, so there is nothing to leave; in hl shell: exit
  2 skip ann ~ did you mean hl blank? ; 2 add ann ~ did you mean hl replace?
  2 ann ann ~ the verb comes first, then the player ; 2 bid ann ~ there is no verb bid here: it belongs to poker_auction
  2 order ann ~ there is no verb order here: move belongs to freeform and hex_parties
"""
test_starting = plays(STARTING)


@pytest.mark.parametrize("game", [*names()])
def test_all_assumptions_are_accepted_as_they_are(game: str, host: Host) -> None:
    """Before play and after it has begun: nothing changes but that it is confirmed. Source: S-11."""
    host.by = "mara"
    host.new(demo_of(game).with_name("demo.toml").read_text(encoding="utf-8"))
    before = host.hl("rules -f json").out.replace('"assumed": true', '"assumed": false')
    host.hl("open", code=None)
    host.hl("assumptions --accept all")
    assert "every rule of this match has been confirmed" in host.hl("assumptions").out
    assert host.hl("rules -f json").out == before
    assert 'there is no assumption "visibility"' in host.hl("assumptions --accept visibility", code=2).err


def test_no_documented_ranking_makes_files_of_it(root: Path) -> None:
    """A shell takes `>` for a file: what stands in pages, helps and bundled matches is typed as it stands."""
    pages = [*(root / "docs").rglob("*.md"), *(root / "games").rglob("*.hl"), root / "README.md"]
    helps = [field.arg.help for name in names() for cls in load(name).actions for field in fields(cls)]
    told = {str(page): page.read_text(encoding="utf-8") for page in pages} | {"helps": "\n".join(helps)}
    assert "SDHCJ" in told["helps"]
    assert not [where for where, text in told.items() if re.search(r"\b[SDHCJ]>[SDHCJ]\b", text)]


# ---- what newcomers type as verbs ------------------------------------------------------------------------------------

OWN = {kebab(action) for game in names() for action in load(game).actions}
ALL = [*shared_verbs(), *OWN]
REGRET = (
    "delete", "revert", "remove", "cancel", "rollback", "rm", "del", "erase", "undelete", "scrap", "void", "nix",
    "discard", "clear", "reset", "oops", "unsend", "retract", "withdraw", "scratch", "abort", "reverse", "quit",
    "exit",
)  # fmt: skip
WANTED = {
    "begin": "open", "extend": "deadline", "addtime": "deadline", "time": "deadline", "leave": "drop", "kick": "drop",
    "remove": "undo", "delete": "undo", "cancel": "undo", "revert": "undo", "edit": "amend", "fix": "amend",
    "correct": "amend", "history": "log", "list": "log", "ls": "log", "who": "waiting", "post": "outbox",
    "send": "outbox", "next": "outbox", "hand": "status", "hands": "status", "players": "status", "info": "status",
    "rank": "scores", "ranking": "scores", "leaderboard": "scores", "results": "final", "winner": "final",
    "settings": "rules", "config": "rules", "finish": "close", "end": "close", "stop": "pause", "comment": "note",
    "round": "open", "say": "outbox", "pm": "outbox", "unclose": "reopen", "whoami": "status", "turn": "waiting",
    "late": "waiting", "copy": "export", "load": "new", "roster": "status", "done": "outbox", "color": "recolour",
    "flip": "recolour", "ticket": "go", "sheet": "bid", "gems": "award", "ban": "drop", "reply": "outbox",
    "take": "award", "bribe": "award", "rps": "submit", "throw": "submit", "pay": "add", "tie": "vote",
    "shuffle": "deal",
}  # fmt: skip


def test_the_words_of_a_newcomer_lead_to_the_verb() -> None:
    """Each leads there first, whatever it is spelled like."""
    for typed, verb in WANTED.items():
        assert meant(typed, ALL)[0] == verb, typed
        assert meant(typed.upper(), ALL)[0] == verb, typed


def test_a_word_of_regret_never_leads_to_a_verb_that_records() -> None:
    """Nor does one that is spelled like such a verb: of those that record only undo and redo are named."""
    for typed in REGRET:
        recording = {verb for verb in ALL if verb not in shared_verbs() or shared_verbs()[verb].writes}
        named = {word for word in advice(typed, ALL).replace("?", "").split() if word in ALL}
        assert named & recording <= {"undo", "redo"}, (typed, named)
        assert named & {"undo", "redo"} or typed in ("quit", "exit"), (typed, named)


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
