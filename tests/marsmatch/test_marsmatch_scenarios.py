"""Two worked scenarios of MarsMatch through the command line: MM1 (grammar) and MM2 (the Initial Phase).

Every expected value was worked out by hand from the rules. The commands run in this process; what is checked is what a
host's script would read: the exit code and the JSON.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.kit import luck
from tests.support import completing, host
from tests.support.host import match_file

PACK = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]


class Host(host.Host):
    """A host of MarsMatch."""

    def points(self) -> dict[str, int]:
        return {p: n for p, n in self.have("points", "public").items() if n}


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Makes a match of these hands, drawn, dealt and opened."""

    def made(hands: dict[str, str], settings: str = "short_hands = true") -> Host:
        at = Host(tmp_path / f"t{len(list(tmp_path.iterdir()))}", monkeypatch)
        at.new(match_file("marsmatch", {p: {"name": p.upper()} for p in hands}, settings, zone="UTC"))
        at.write(f"draw --banker {next(iter(hands))} --seats {','.join(hands)}")
        at.deal(hands)
        at.write("open")
        return at

    return made


# ---- several rounds ------------------------------------------------------------------------------------------------


def two_rounds(start: Any) -> Host:
    """Ann wins the first round by a Ground Hand, Cyd the second, which hosts end; Bob loses 50 points to hosts."""
    host: Host = start({"ann": "3", "bob": "4", "cyd": "5 6"}, "short_hands = true\nrounds = 2")
    host.write("play ann 3")
    host.write("play bob 4")
    host.write("draw --banker cyd --seats cyd,ann,bob")
    host.deal({"ann": "4 4", "bob": "5 5", "cyd": "A"})
    host.write("open")
    host.write("play cyd A")
    host.write("override points bob -50 --note 'two hours late'")
    host.write("close real")
    return host


def test_final_shows_each_round_with_its_titles_then_the_total(start):
    """MM-24: what each round brought and to whom; then all rounds together, with what hosts set."""
    host = two_rounds(start)
    text = host.hl("final -f text").text
    first, second, total = (text.index(word) for word in ("Round 1", "Round 2", "All rounds"))
    assert first < second < total
    assert "ANN · Ground Hand · 500 points" in text[first:second] and "BOB · Human Hand" in text[first:second]
    assert "CYD · Total Loser · 0 points" in text[first:second]
    assert "CYD · Ground Hand · 500 points" in text[second:total] and "BOB · Total Loser" in text[second:total]
    assert "BOB · -150 by the hosts" in text[total:] and "Ground Hand" not in text[total:].partition("Cards left")[0]
    assert host.points() == {"ann": 500, "bob": -50, "cyd": 500}
    rounds = host.view("public")["rounds"]
    assert [one["banker"] for one in rounds] == ["ann", "cyd"]
    assert rounds[0]["points"] == {"ann": 500, "bob": 100} and rounds[1]["titles"]["bob"] == "total_loser"


def test_reveal_prints_a_round_that_is_over(start):
    """MM-24: `reveal ROUND` as in the other games; of a round that is not over it is refused."""
    host = two_rounds(start)
    text = host.hl("reveal 1 -f text").text
    assert "Banker: ANN." in text and "ANN · Ground Hand · 500 points" in text and "Round 2" not in text
    assert "Round 2" in host.hl("reveal 2").text and "no round" in host.hl("reveal 3", code=2).text
    host.write("amend-setting visibility.points=host")
    assert "no round" in host.hl("reveal 1", code=2).text, "who may not know the points is told no round"
    assert "Round 1" in host.hl("reveal 1 --for host").text


def test_points_may_fall_below_zero(start):
    """4: `override points P -50`, in each of its spellings; what is no number is refused."""
    host = start({"ann": "3 4", "bob": "4 5", "cyd": "6 7"})
    host.write("override points bob -50")
    assert host.points() == {"bob": -50}
    assert host.json("final")["ranking"] == [["ann", "cyd"], ["bob"]]
    host.refused("override points bob fifty", "override.number", 2)


@pytest.mark.parametrize(("setting", "ok"), [("other", False), ("same", False), ("joker", True), ("any", True)])
def test_a_joker_is_attached_where_the_setting_says_so(start, setting, ok):
    """MM-18: `attachment_rank` at the command line, and what `hint` then lists."""
    host = start({"a": "5 5 5 BJ", "b": "7", "c": "8"}, f'short_hands = true\nattachment_rank = "{setting}"')
    listed = [f"{play['type']} {' '.join(play['cards'])}" for play in host.json("hint a")["plays"]]
    assert ("rocket 5 5 5 BJ" in listed) is ok
    if ok:
        assert host.write("play a 5 5 5 BJ")["facts"][0]["fact"] == "played"
    else:
        host.refused("play a 5 5 5 BJ", "marsmatch.no_combination")


# ---- MM1 -----------------------------------------------------------------------------------------------------------

SEVEN_NINES = "9 9 9 9 9 9 9"
COMPARISONS = [
    ("5 5 2", "4 4 4", True), ("4 4 4 4 4", "2 2 2 2", True), ("5 2", "4 4", True), ("2 2 2 2", "A A A A", True),
    ("2 2", "A A", True), ("4 4 5 2 6 6", "3 3 4 4 5 5", True), ("BJ 4", "LJ A", True),
    ("4 4 5 5 6 6 7 7", "3 3 4 4 5 5", False), ("BJ 7", "BJ 6", True), ("6 6 6 6 9 J", "5 5 5 5 3 4", True),
    ("BJ 7", "BJ 7", False), ("7 7 7 8 8 8 4 4 5 5", "5 5 5 6 6 6 9 9 J J", True), ("LJ", "2", True),
    ("7 7 7 8 8 8 4 5", "5 5 5 6 6 6 9 9 J J", False), ("LJ", "LJ", False), ("BJ LJ", "LJ LJ", True),
    ("BJ", "LJ", True), ("LJ LJ", "BJ LJ", False), ("3 3 3", SEVEN_NINES, True), ("BJ BJ", "BJ LJ", True),
    ("3 3 3", "LJ LJ", False), ("6 6 6 6", "A A A K", True), ("5 5", "5 2", False), ("BJ 4 4", "LJ A", False),
    ("4 4 4 4", "BJ A", True), ("2", "A", True), ("9 9 9 K", "8 8 8 3", True), ("9 9 9", "8 8 8 3", False),
    ("LJ", "A A", False),
]  # fmt: skip


@pytest.mark.parametrize(("new", "old", "ok"), COMPARISONS, ids=lambda value: str(value).replace(" ", ""))
def test_mm1_comparisons(start, new, old, ok):
    """MM1: the old play leads, the new one follows; a refusal writes nothing and says why."""
    host = start({"a": f"{old} Q", "b": f"{new} Q", "c": "10", "d": "10", "e": "10"})
    host.write(f"play a {old}")
    if ok:
        told = host.write(f"play b {new}")
        assert told["facts"][0]["fact"] == "played"
        assert host.view()["trick"]["by"] == "b"
    else:
        assert old.split()[0] in host.refused(f"play b {new}", "marsmatch.does_not_beat")["what"]
        assert host.view()["trick"]["by"] == "a"


ILLEGAL = ["2 BJ", "BJ 2", "5 5 2 2 7 7", "6 6 6 2 9 J", "5 6 7 8 9", "BJ LJ 5", "4 4 5 5"]
PARSED = [
    ("2 2 K K A A", "rocket", "A"), ("Q Q K K A A", "pair_sequence", "A"), ("3 3 2", "rocket", "3"),
    ("3 3 3", "super_drone", "3"), ("3 3 3 3", "drone", "3"), ("6 6 6 6", "drone", "6"), ("3 3 3 K", "rocket", "3"),
    ("8 8 8 2", "rocket", "8"), ("2 2 2", "rocket", "2"),
]  # fmt: skip


@pytest.mark.parametrize("text", ILLEGAL)
def test_mm1_parses_that_are_none(start, text):
    """MM1: these form nothing; the answer has the nearest legal reading."""
    host = start({"a": f"{text} Q", "b": "10", "c": "10", "d": "10"})
    told = host.refused(f"play a {text}", "marsmatch.no_combination")
    assert "the nearest is " in told["what"] and told["fix"].startswith("hl play a ")


@pytest.mark.parametrize(("text", "type_", "rank"), PARSED)
def test_mm1_parses(start, text, type_, rank):
    """MM1: these are read in one way only, so nothing has to be declared."""
    host = start({"a": f"{text} Q", "b": "10", "c": "10", "d": "10"})
    host.write(f"play a {text}")
    trick = host.view("public")["trick"]
    assert (trick["type"], trick["rank"], sorted(trick["cards"])) == (type_, rank, sorted(text.split()))


@pytest.mark.parametrize(
    ("declared", "type_", "rank"), [("starship:6", "starship", "6"), ("starship:5+pairs", "starship", "5"),
                                    ("starship:6+pairs", "starship", "6"), ("starship", "starship", "6")],
)  # fmt: skip
def test_mm1_what_can_be_read_in_three_ways(start, declared, type_, rank):
    """MM1: 5555 6666 is what its player declares; `--as` after the verb is the game's, and the host's name is not."""
    host = start({"a": "5 5 5 5 6 6 6 6 Q", "b": "10", "c": "10"})
    told = host.refused("play a 5 5 5 5 6 6 6 6", "marsmatch.declare")
    assert "--as starship:6\n" in told["fix"] and told["fix"].endswith("--as starship:6+pairs")
    host.write(f"play a 55556666 --as {declared} --as mara")
    trick = host.view()["trick"]
    assert (trick["type"], trick["rank"]) == (type_, rank)


def test_the_hosts_option_and_the_games(start):
    """`--as HOST` before the verb, or after it with the name of a host; `--as TYPE` after `play` alone."""
    host = start({"a": "5 5 5 5 6 6 6 6 Q", "b": "10", "c": "10"})
    host.refused("play a Q --as rockt", "combination.unknown", 2)
    host.refused("play a Q --as rocket", "marsmatch.declared")
    host.refused("pass a --as rocket", "host.unknown", 2)
    assert host.write("--as rocket play a Q", code=2)["error"]["code"] == "host.unknown"
    host.write("--as mara play a Q --as single")
    host.write("pass b --as mara")
    host.write("pass c --as=mara")


# ---- MM2 -----------------------------------------------------------------------------------------------------------

SIX, UFO = "3 3 3 3 3 3", "LJ LJ BJ BJ"
FIVE, SEVEN, THREE_ONE = "3 3 3 3 3", "3 3 3 3 3 3 3", "BJ BJ BJ LJ"
ROWS = [
    ((SIX, UFO, FIVE, ""), {"a": 10_000, "b": 700}, "cd"),
    (("", UFO, SIX, SEVEN), {"c": 9_000}, "abd"),
    (("", UFO, UFO, SEVEN), {"b": 900, "c": 900}, "ad"),
    ((UFO, UFO, "", ""), {"a": 1_000, "b": 700}, "cd"),
    ((SEVEN, THREE_ONE, "", ""), {}, "abcd"),
]


def filled(relevant: tuple[str, ...]) -> dict[str, str]:
    """Whole hands of 54 out of four packs, with these of the 3s and Jokers and no other."""
    stock = {rank: 16 for rank in PACK[1:]}
    left = {"3": 16, "LJ": 4, "BJ": 4}
    hands: dict[str, list[str]] = {}
    for player, held in zip("abcd", relevant, strict=True):
        hands[player] = held.split()
        for card in hands[player]:
            left[card] -= 1
    for card, spare in left.items():
        for _ in range(spare):  # to whom it makes no heavenly hand
            to = next(p for p in "dcba" if relevant["abcd".index(p)] in ("", FIVE, SEVEN, THREE_ONE) and
                      _harmless([*hands[p], card]))  # fmt: skip
            hands[to].append(card)
    for player, held in hands.items():
        while len(held) < 54:
            rank = max(stock, key=lambda r: stock[r])
            stock[rank] -= 1
            held.append(rank)
        assert len(held) == 54, player
    assert not any(stock.values())
    return {p: " ".join(held) for p, held in hands.items()}


def _harmless(held: list[str]) -> bool:
    return held.count("3") != 6 and not (held.count("LJ") == held.count("BJ") == 2)


@pytest.mark.parametrize(("relevant", "points", "playing"), ROWS)
def test_mm2_short_hands(start, relevant, points, playing):
    """MM2, the relevant cards alone: who scores and leaves, and who plays on; Banker A."""
    host = start({p: f"{held} K".strip() for p, held in zip("abcd", relevant, strict=True)})
    assert host.points() == points
    view = host.view("public")
    assert "".join(p for p, row in view["players"].items() if not row["out"]) == playing
    assert view["turn"] == playing[0] and view["phase"] == "real" and set(view["titles"]) == set(points)


@pytest.mark.parametrize("row", [1, 4])
def test_mm2_whole_hands(start, row):
    """MM2 with 54 cards each out of four packs."""
    relevant, points, playing = ROWS[row]
    host = start(filled(relevant), "")
    assert host.points() == points
    assert "".join(p for p, row in host.view()["players"].items() if not row["out"]) == playing


def test_mm2_every_holder(start):
    """MM2, row 2 with snatch = every_holder: B 900 as well."""
    hands = {p: f"{held} K".strip() for p, held in zip("abcd", ROWS[1][0], strict=True)}
    host = start(hands, 'short_hands = true\nsnatch = "every_holder"')
    assert host.points() == {"b": 900, "c": 9_000}


# ---- a match -------------------------------------------------------------------------------------------------------


def test_a_whole_match(start):
    """From the deal to the result: tricks, going out, titles, scores; the log verifies; hint and explain."""
    host = start({"a": "3 3 K", "b": "4 4 9", "c": "5 A", "d": "6 7"})
    hint = host.json("hint b")
    assert hint["player"] == "b" and hint["turn"] is False and hint["trick"] is None
    host.write("play a 33")
    assert [row["cards"] for row in host.json("hint b")["plays"]] == [["4", "4"]]
    host.refused("pass a", "marsmatch.not_your_turn")
    host.write("play b 4,4")
    told = host.json("explain 14")["chain"][0]
    assert told["text"] == "B plays 4 4: Pair of 4; 4 over 3, the same type and shape"
    for player in "cda":
        host.write(f"pass {player}")
    host.write("play b 9")
    assert host.view()["titles"] == {"b": "ground_snatch"}
    host.write("play c A")
    for player in "da":
        host.write(f"pass {player}")
    host.write("play c 5")
    final = host.json("final")
    assert final["status"] == "finished" and final["scores"] == {"a": 0, "b": 300, "c": 100, "d": 0}
    assert final["ranking"] == [["b"], ["c"], ["a", "d"]]
    assert (final["garnets"], final["tokens"], final["elimination"]) == ({}, {}, [])
    assert host.view("public")["players"]["a"]["hand"] == ["K"]
    assert host.json("verify")["ok"] is True


def test_a_late_turn(start):
    """MM-25: `waiting` shows that a turn is overdue; `timeout` records what follows."""
    host = start({"a": "3 K", "b": "4 5", "c": "6 7"}, "short_hands = true\nturn_seconds = 30")
    (due,) = host.json("waiting")["waiting"]
    assert due["who"] == "a" and due["until"]
    assert host.json("waiting --check", code=5)["waiting"]
    host.write("timeout a")
    assert host.view()["trick"]["cards"] == ["3"] and host.view()["turn"] == "b"
    assert host.json("verify")["ok"] is True


@pytest.mark.parametrize(
    ("line", "code", "exit_code"),
    [
        ("play a 4", "marsmatch.not_held", 3), ("play a 3 X", "marsmatch.card", 2),
        ("play b 4", "marsmatch.not_your_turn", 3),
        ("pass a", "marsmatch.leader_passes", 3), ("play z 3", "player.unknown", 2), ("play a", "command.usage", 2),
        ("play a 3 K", "marsmatch.no_combination", 3), ("timeout a", "marsmatch.no_clock", 3),
        ("draw", "marsmatch.dealt", 3), ("open", "marsmatch.opened", 3), ("deal", "marsmatch.dealt", 3),
        ("hint z", "player.unknown", 2), ("hint a --for b", "audience.host_only", 2),
        ("override garnets a x", "override.number", 2), ("override title a king", "marsmatch.title", 2),
        ("reopen real", "marsmatch.reopen", 3), ("resolve", "sealed.no_round", 3),
    ],
)  # fmt: skip
def test_bad_input(start, line, code, exit_code):
    """One clear message, the right exit code, nothing written."""
    host = start({"a": "3 K", "b": "4 5", "c": "6 7"})
    if line.startswith("hint"):
        assert host.json(line, code=exit_code)["error"]["code"] == code
    else:
        host.refused(line, code, exit_code)


def test_what_is_held_is_told_to_the_host_alone(start):
    """How many are held stands on stderr, in the line that is not forwarded."""
    host = start({"a": "3 K", "b": "4 5"})
    told = host.refused("play a 3 3", "marsmatch.not_held")
    assert "held" not in told["what"] + told["fix"]
    assert "host only: A: 3: 2 played, 1 held" in host.err


def test_a_deal_with_too_many_of_a_card(tmp_path, start):
    """More of a card than the packs hold; a wrong number of cards; nothing is written."""
    host = start({"a": "3 K", "b": "4 5"})
    host.write("undo 8")
    host.write("undo 5")
    bad = host.file("bad.toml", '[hands]\na = "BJ BJ BJ"\nb = "3"\n')
    told = host.refused(f"deal --from {bad}", "marsmatch.deck")
    assert "3 x BJ where the deck has 2" in told["what"]


def test_a_drawn_match_verifies(start, tmp_path):
    """Draw and deal by the program: kept with their seeds, repeated by `verify`; another outcome is found."""
    from events import Body, LogFile
    from ledger.audit.verify import verify

    host = start({"a": "3", "b": "4"}, "rounds = 2\nshort_hands = true")
    host.write("play a 3")
    host.write("draw")
    host.write("deal")
    assert sum(row["count"] for row in host.view()["players"].values()) == 108
    log = host.folder / "m" / "log.jsonl"
    assert verify(str(log)).ok
    host.write("undo")
    host.write("undo")
    source, seed = {"shuffle": ["a", "b"]}, "11" * 32

    def draw(seq: int, turned: int) -> Body:
        drawn = luck.repeat(source, luck.mix(bytes.fromhex(seed)), seq)[::turned]
        args = {"banker": drawn[0], "seats": list(drawn), "drawn": list(drawn), "draw": source, "seed": seed}
        return Body("draw", 2**41, "mara", 2**41, args)

    with LogFile(log).writing() as writer:
        seq = len(writer.reading.lines) + 1
        writer.append([draw(seq, 1)])
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.replaced"]  # the first draw was undone
    with LogFile(log).writing() as writer:
        writer.append([Body("undo", 2**41, "mara", 2**41, {"target": seq})])
        writer.append([draw(seq + 2, -1)])
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.other", "draw.replaced"]


def test_completion(start):
    """Whose turn it is, the cards he holds; `--as` after `play` offers how they are read; lookups take a player."""
    host = start({"ann": "3 3 K", "bob": "4 5"})

    def offered(*words: str) -> list[str]:
        return completing.offered("-g", str(host.path), *words)

    assert offered("pla") == ["play"] and offered("hin") == ["hint"]
    assert offered("play", "") == ["ann"] and offered("play", "ann", "") == ["3", "K"]
    assert offered("play", "ann", "K", "--as", "s") == ["single:K"]
    assert offered("hint", "") == ["ann", "bob"] and "--as-of" in offered("hint", "ann", "--")
    assert offered("draw", "--banker", "b") == ["bob"]
    assert offered("--as", "") == ["mara"]


def test_help_lists_the_verbs_of_the_game(start):
    host = start({"a": "3", "b": "4"})
    text = host.hl("--help").out
    assert all(f"  {verb} " in text for verb in ("draw", "play", "pass", "timeout", "hint"))
    assert "for hosts alone" in host.hl("hint --help").out


def test_every_gap_is_settled_on_the_page(root):
    """MM-1 to MM-31: each is a setting, or a decision that is written down."""
    page = (root / "docs" / "games" / "marsmatch.md").read_text(encoding="utf-8")
    for number in range(1, 32):
        said = page.partition(f"* **MM-{number}. ")[2].partition("\n* **")[0]
        assert "*Setting" in said or "*Decided*" in said, f"MM-{number}"
