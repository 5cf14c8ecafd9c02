"""Hostile files, and the little language: one error, bounded time and memory, nothing outside the match.

`HL_FULL=1` reads 100,000 random and mutated files.
"""

from __future__ import annotations

import random
import re
import sys
import time
import tomllib
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from events.audiences import EVERYBODY, HOST, Audience
from events.errors import LedgerError
from games import toml
from games.freeform import actions as a, lang, model, view, written
from games.freeform.facts import start
from games.freeform.model import shown
from games.freeform.read import read_rules
from games.registry import load
from games.table.state import Seat, Table
from ledger.exchange.matchfile import check_file, check_text, setup_bodies
from tests.support.sizes import log_number, many
from tests.support.sources import ROOT

FILES = [written.TEMPLATE, *(path.read_text() for path in sorted((ROOT / "docs" / "matches").glob("*.toml")))]
FILES.append((ROOT / "games" / "freeform" / "demo.toml").read_text())
WORDS = (
    "oil", "who", "price", "__import__('os')", "open('/etc/passwd')", "who.__class__", "oil who", "{who}", "{0}",
    "9" * 40, "-1", "1e9", "(" * 60, "(" * 22 + "1" + ")" * 22, "min(", "max(1,2,3)", "count(deed, who)",
    "if", "if 1 = 1: stock -= 1", "move", "oil who oil who -= 1", "a" * 400, "\u202e", "é", "number 0..oil", "list of",
    "list of list of number", "number 0..", "one of , ,", "card of", "cell 99x99", "player??", "text?", "", " ", "\x00",
    "lambda: 0", "oil who = 10 * 10 * 10 * 10 * 10 * 10 * 10 * 10 * 10 * 10 * 10", "stock / 0", "everybody", "hosts",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    0, 1, -1, 10**9, 10**15, True, False, 1.5, [], {}, [[]], {"a": {"b": {}}}, ["oil who -= 1"] * 50, "1..50",
    "1..999999", ["a", "a"], ["a b"], [1, 2, 3],
)  # fmt: skip


def mutated(luck: random.Random) -> Any:
    """A file's tables with some keys, values or rows replaced, moved, doubled or gone."""
    data = tomllib.loads(luck.choice(FILES))
    for _ in range(luck.randint(1, 6)):
        at: Any = data
        while isinstance(at, dict) and at:
            key = luck.choice(list(at))
            if luck.random() < 0.4 or not isinstance(at[key], (dict, list)) or not at[key]:
                break
            at = at[key]
        if isinstance(at, list) and at:
            at[luck.randrange(len(at))] = deepcopy(luck.choice((*WORDS, *VALUES)))
            continue
        if not isinstance(at, dict) or not at:
            continue
        key = luck.choice(list(at))
        what = luck.random()
        if what < 0.2:
            del at[key]
        elif what < 0.3:
            at[luck.choice(WORDS)[:30] or "x"] = deepcopy(at[key])
        else:
            at[key] = deepcopy(luck.choice((*WORDS, *VALUES)))
    return data


def test_hostile_files_end_in_faults_and_nothing_else(record_property: Any) -> None:
    """Whatever stands in a file: it is read, or each fault is named; what is read can be played."""
    luck, number, read, slowest = random.Random(5), many(600, 100_000), 0, 0.0
    game = load("freeform")
    for _ in range(number):
        data = mutated(luck)
        began = time.process_time()
        tables = {key: data[key] for key in ("counters", "items", "sheets", "verbs", "result") if key in data}
        rules, faults = read_rules(tables)
        assert all(isinstance(fault.what, str) and fault.what for fault in faults)
        try:
            _, bodies = setup_bodies(data, source="x.toml", by=None, now=0)
        except LedgerError:
            pass
        else:
            assert not faults
            read += 1
            assert list(shown(rules)) is not None
            settings = bodies[0].args["settings"]
            seats = {"ann": Seat("Ann"), "bob": Seat("Bob")}
            table = Table("freeform", "x", "UTC", ("mara",), seats, settings, (), 0, "setup")
            assert game.view(start(table, game.settings()), "public")
        slowest = max(slowest, time.process_time() - began)
    assert read > number // 60 and slowest < 2
    log_number(record_property, number)


def test_random_text_is_no_file_and_no_crash(tmp_path: Path, record_property: Any) -> None:
    """Bytes of a file replaced, cut and doubled: faults with their lines, or a file that can be played."""
    luck, number = random.Random(6), many(150, 2_000)
    for n in range(number):
        text = list(luck.choice(FILES))
        for _ in range(luck.randint(1, 8)):
            at = luck.randrange(len(text))
            if luck.random() < 0.5:
                text[at] = chr(luck.choice([*range(32, 127), 10, 0x202E, 0xE9]))
            else:
                del text[at : at + luck.randint(1, 40)]
        path = tmp_path / f"{n % 10}.toml"
        path.write_text("".join(text), encoding="utf-8")
        checked = check_file(path)
        assert checked.faults or checked.seen
        assert all(fault.line <= text.count("\n") + 1 for fault in checked.faults)
    log_number(record_property, number)


@pytest.mark.parametrize(
    ("name", "tie"),
    [("auction-auction", "level"), ("coin-collectors", "level"), ("grunkle", "level"), ("number-auction", "equal")],
)
def test_each_match_that_hosts_described_is_whole(name: str, tie: str) -> None:
    """A file of less than 80 lines; a transcript with a late bid, an undo, who leaves, a tie, an end that verifies."""
    file = (ROOT / "docs" / "matches" / f"{name}.toml").read_text(encoding="utf-8")
    assert 20 < len(file.splitlines()) < 80 and tomllib.loads(file)["game"] == "freeform"
    text = (ROOT / "tests" / "golden" / "freeform" / f"{name}.txt").read_text(encoding="utf-8")
    typed = [line for line in text.splitlines() if line.startswith(("$ ", "# "))]
    for wanted in ("$ hl ruling", "$ hl undo", "$ hl drop", "$ hl close", "$ hl final", "$ hl verify", tie):
        assert any(wanted in line for line in typed), wanted
    assert f"$ hl new m --from {name}.toml" in typed and re.search("late", text) and "\nverified: " in text


def test_a_huge_file_is_refused_at_once(tmp_path: Path) -> None:
    rows = {f"c{n}": {"seen_by": "hosts"} for n in range(5_000)}
    began = time.process_time()
    _, faults = read_rules({"counters": rows})
    assert faults and time.process_time() - began < 1
    with pytest.raises(LedgerError):
        toml.parse("a" * (2 << 20))


# ---- the language ------------------------------------------------------------------------------------------------

SCOPE = lang.Scope(
    {"who": "player", "other": "player", "n": "number", "house": "one", "card": "card"},
    {"oil": False, "stock": True},
    {"deed": ("7", "Wolf", "R-4")},
    {"house": ("red", "blue")},
    {"card": "deed"},
)
HELD = {"n": 7, "oil": 10, "stock": 3, "deed": 4}
VALUES_OF = lang.Values(
    lambda leaf: HELD[leaf[0]],  # the name of the field, the counter or the cards
    lambda word: {"house": "red", "who": "ann", "other": "bob"}.get(word, word),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3), ("-7 / 2", -4), ("1 / 0", 0), ("min(n, 3, oil who)", 3),
        ("max(stock, oil other) - n", 3), ("count(deed, who) * 2", 8), ("count(deed, table)", 4), ("- - 3", 3),
        ("10 - 3 - 2", 5),
    ],
)  # fmt: skip
def test_values(text: str, value: int) -> None:
    """Whole numbers; a division is rounded down, and one by 0 is 0."""
    assert lang.come_to(lang.read_value(text, SCOPE), VALUES_OF) == value


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("if n > 3: stock -= 1", True), ("if n > 3 and house = blue: stock -= 1", False),
        ("if house != blue: stock -= 1", True), ("if who = other: stock -= 1", False),
        ("if oil who <= 9: stock -= 1", False),
    ],
)  # fmt: skip
def test_conditions(text: str, holds: bool) -> None:
    assert lang.holds(lang.read_effect(text, SCOPE).when, VALUES_OF) is holds


@pytest.mark.parametrize(
    ("text", "card"),
    [("deed = Wolf, who", "Wolf"), ("deed = 'R-4', table", "R-4"), ("deed=7, who", "7"), ("deed, who", "")],
)
def test_one_card_is_counted(text: str, card: str) -> None:
    """`count(deed = Wolf, who)`; a card that is no plain word stands between ' and '."""
    tree = lang.read_value(f"count({text})", SCOPE)
    assert tree == lang.Count("deed", text.split()[-1], card)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("oil who -= pric", "there is no counter or field pric; one of: oil stock n"),
        ("oil who -= stok", "there is no counter or field stok; did you mean stock?"),
        ("Oil who -= 1", "there is no counter Oil; did you mean oil?"),
        ("drop card who", "no counter drop; one of: oil stock; a card goes like this: move card who table"),
        ("oil -= 1", "oil is a counter of each player: whose? like oil who"),
        ("oil n -= 1", "oil is a counter of each player: whose? like oil who; n does not name one player"),
        ("stock who -= 1", "stock is the table's: no player stands beside it"),
        ("stock who 1", "stock is the table's: no player stands beside it"),
        ("oil who + 1", "there is no change +; did you mean +=?"),
        ("if n 3: stock -= 1", "there is no comparison 3; one of: = != < <= > >="),
        ("stock -= 2 x n", '"x" is too much there'),
        ("stock -= count(ded, who)", "there is no kind of card ded; did you mean deed?"),
        ("stock -= count(deed = wolf, who)", "there is no deed wolf; did you mean Wolf?"),
        ("stock -= count(deed, whom)", "there is no player field whom; did you mean who?"),
        ("stock -= deed", "how many a player has: count(deed, PLAYER), or of one card: count(deed = 7, PLAYER)"),
        ("if house = green: stock -= 1", "there is no house green; one of: red blue"),
        ("if n == 3: stock -= 1", "write one = , not =="), ("if n ~ 3: stock -= 1", '"~ 3: stock …" cannot be read'),
        ("move oli who other 1", "there is no counter of players, or field that names a card, oli; did you mean oil?"),
        ("move oil who othr 1", "there is no player field othr; did you mean other?"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_the_nearest(text: str, why: str) -> None:
    """In the words of the file: what was meant, or all that can stand there."""
    with pytest.raises(lang.Wrong) as caught:
        lang.read_effect(text, SCOPE)
    assert why in caught.value.what


NAMES_TWO_WORDS = """game = "freeform"
hosts = ["mara"]
[players]
ann = {}
bob = {}
[items]
role = { values = ["night wolf", "old sheep"], draw = "deal 1", seen_by = "owner" }
tool = { values = "key, lamp", seen_by = "everybody" }
[sheets.night]
fields = { where = "one of north bank, south", what = "card of tol" }
[verbs.go]
fields = { who = "player" }
does = [
  "wins who += 1",
]
open = ["whom"]
says = { who = "You go, {hwo}." }
[result]
score = "count(role = wolf)"
tokens = "highest"
"""


def test_each_fault_is_told_once_with_a_word_that_can_stand_there() -> None:
    """Two words are joined by _; what only follows from another fault is not told."""
    faults = {(fault.line, fault.place): fault.what for fault in check_text(NAMES_TWO_WORDS, "x.toml").faults}
    assert faults == {
        (7, "items.role.values"): '"night wolf" is not one word of at most 24 letters; write "night_wolf"',
        (8, "items.tool.values"): 'values are the cards: a list of words like ["key", "lamp"], or a span like "1..50"',
        (10, "sheets.night.fields.where"): (
            'where: "north bank" is not one word of at most 24 letters; write one of north_bank, south'
        ),
        (10, "sheets.night.fields.what"): 'what: there are no items "tol"; did you mean tool?',
        (14, "verbs.go.does"): '"wins who += 1": there is no counter wins; the file has none',
        (16, "verbs.go.open"): 'open lists fields of this verb: ["who"]',
        (17, "verbs.go.says.who"): "{hwo} is no field, and no counter with the field of its player; did you mean who?",
        (19, "result.score"): '"count(role = wolf)": there is no role wolf; one of: night_wolf old_sheep',
    }


EXAMPLES = re.findall(r"^#(?:\[.*\n(?:#[a-z]+ = .*\n)+|[a-z]+ = .*\n)", written.TEMPLATE, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_of_the_template_can_be_taken(example: str) -> None:
    """Without its #, and without the line of its table that says the same: a file that can be played."""
    before, after = written.TEMPLATE.split(example)
    taken = re.sub("^#", "", example, flags=re.MULTILINE)
    key = taken.partition(" = ")[0]
    head, bracket, table = before.rpartition("\n[")
    rows, bracket_after, rest = after.partition("\n[")
    if not key.startswith("["):
        table, rows = (re.sub(rf"^{key} = .*\n", "", part, flags=re.MULTILINE) for part in (table, rows))
    text = head + bracket + table + taken + rows + bracket_after + rest
    assert not check_text(text, "x.toml").faults and tomllib.loads(text) != tomllib.loads(written.TEMPLATE)


def test_the_template_shows_each_thing_once() -> None:
    assert len(EXAMPLES) == 12 and len(written.TEMPLATE.splitlines()) < 76


@pytest.mark.parametrize(
    "text",
    [
        "", "oil", "oil who", "oil -= 1", "oil who +- 1", "stock who -= 1", "n -= 1", "stock -= who", "stock -= house",
        "stock -= 1 stock -= 1", "stock -= 99999999999", "stock -= gold", "if n: stock -= 1", "if n > 1 stock -= 1",
        "if house = green: stock -= 1", "if who = ann: stock -= 1", "move stock who other 1", "move oil who table 1",
        "move card who", "move oil who other", "stock -= min(1)", "stock -= count(oil, who)", "stock -= count(deed)",
        "import os", "stock -= n.real", "stock -= n[0]", "stock = 'x'", "for who: stock -= 1", "stock -= f(1)",
        "stock -= " + "(" * 25 + "1" + ")" * 25, "stock -= " + "-" * 50 + "1", "Stock -= 1", "stock -= 0x10",
    ],
)  # fmt: skip
def test_what_the_language_does_not_have(text: str) -> None:
    """No call, no name of ours, nothing inside something for ever: all of it is one error."""
    with pytest.raises(lang.Wrong):
        lang.read_effect(text, SCOPE)


NAMES = "oil who other n stock deed card house red count min max if and move"


def test_no_text_of_the_language_fails_otherwise(record_property: Any) -> None:
    """Random words and signs: a tree, or `Wrong`; every tree comes to a number within the bounds."""
    luck, number, read = random.Random(7), many(20_000, 300_000), 0
    words = f"{NAMES} ( ) , + - * / = += -= > 1 999999999".split()
    for _ in range(number):
        text = " ".join(luck.choices(words, k=luck.randint(1, 14)))
        try:
            tree = lang.read_value(text, SCOPE)
        except lang.Wrong:
            continue
        read += 1
        assert -lang.LIMIT <= lang.come_to(tree, VALUES_OF, lang.kept_within) <= lang.LIMIT
        try:
            assert -lang.LIMIT <= lang.come_to(tree, VALUES_OF) <= lang.LIMIT
        except lang.TooGreat:
            pass
    assert read > number // 400
    log_number(record_property, number)


def test_a_tree_holds_nothing_but_what_it_reads() -> None:
    """What an expression can be made of: no node knows a name outside the file."""
    assert {lang.Number, lang.Typed, lang.Held, lang.Count, lang.Sum} == set(lang.Expression.__args__)  # type: ignore[attr-defined]
    source = "".join((ROOT / "games" / "freeform" / f"{name}.py").read_text() for name in ("lang", "read"))
    assert not [word for word in ("eval(", "exec(", "__import__", "globals(") if word in source]
    assert sys.getrecursionlimit() > 2 * lang.MAX_CHARACTERS


@pytest.mark.parametrize("seen_by", ["owner", "hosts"])
@pytest.mark.parametrize("condition", ["", "if luck who > 3: ", "if amount > 5: ", "if points who > 0: "])
@pytest.mark.parametrize("said", ["who", "amount"])
def test_what_changes_only_on_a_condition_tells_nobody_what_was_typed(seen_by: str, condition: str, said: str) -> None:
    """All may hear a field that they can read off what they see, but not where that may have stayed as it was."""
    text = f"""
[counters]
luck = {{ seen_by = "{seen_by}" }}
points = {{ seen_by = "everybody" }}
[verbs.pray]
fields = {{ who = "player", amount = "number 0..9" }}
does = ["luck who += amount", "{condition}points who += amount"]
says = {{ public = "{{{said}}} prayed." }}
[result]
score = "points"
"""
    found = [
        what for where, what in written.faults(tomllib.loads(text)) if where == ("verbs", "pray", "says", "public")
    ]
    assert bool(found) is bool(condition), found


WEIGH = """
[counters]
favour = {{ seen_by = "{seen_by}", start = 4{more} }}
stock = {{ of = "table", start = 9, seen_by = "everybody" }}
[verbs.weigh]
fields = {{ who = "player", much = "number 0..{most}", aim = "number?" }}
does = {does}
says = {{ {says} }}
"""


@pytest.mark.parametrize(
    ("seen_by", "most", "opened"),
    [
        ("hosts", "stock-favour", HOST), ("owner", "favour", Audience(("ann",))), ("everybody", "favour", EVERYBODY),
        ("hosts", "stock", EVERYBODY), ("hosts", "9", EVERYBODY),
    ],
)  # fmt: skip
def test_that_a_number_was_taken_is_for_those_who_know_its_bounds(seen_by: str, most: str, opened: Audience) -> None:
    """Where 5 was taken out of `0..stock-favour`, favour is at most 4: so the entry is not open, nor told in a text."""
    text = WEIGH.format(seen_by=seen_by, more="", most=most, does='["stock += 1"]', says='public = "{much} was given."')
    tables = tomllib.loads(text)
    faults = [what for _, what in written.faults(tables)]
    told = opened == EVERYBODY
    assert bool(faults) is not told and all("{much} tells everybody of favour" in what for what in faults), faults
    rules, _ = read_rules(tables)
    verb = rules.verbs["weigh"]
    state = SimpleNamespace(rules=rules)
    assert view.of_do(state, a.Do("weigh", ("ann", "3", "-"))) == opened  # type: ignore[arg-type]
    row = next(row for row in written.seen(tables) if row[0] == "entry of weigh")
    assert row[1:3] == ("-", "see") if told else row[2] == "hidden"
    assert model.leak(rules, verb, "aim", "public") is None
    assert model.leak(rules, verb._replace(open=frozenset({"much"})), "much", "public") is None


@pytest.mark.parametrize("does", ["[]", '["stock += 1"]'])
def test_bounds_open_nothing_and_name_nothing_secret(does: str) -> None:
    """Of a verb that touches nothing the hosts; a secret counter stands in no bound that everybody may read."""
    rules, _ = read_rules(tomllib.loads(WEIGH.format(seen_by="hosts", more="", most="stock", does=does, says="")))
    state = SimpleNamespace(rules=rules)
    opened = view.of_do(state, a.Do("weigh", ("ann", "3", "-")))  # type: ignore[arg-type]
    assert opened == (EVERYBODY if "stock" in does else HOST)
    secret = WEIGH.format(seen_by="hosts", more=", secret = true", most="favour", does=does, says="")
    secret += '[sheets.offer]\nfields = { oil = "number 0..favour" }\n'
    faults = {where[0]: what for where, what in written.faults(tomllib.loads(secret))}
    assert faults.keys() == {"verbs", "sheets"} and all("names favour, which is secret" in x for x in faults.values())
