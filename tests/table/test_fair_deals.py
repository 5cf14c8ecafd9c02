"""Provably fair deals: commitment, words, deal, and a second program that repeats it. docs/audit.md; S-G5."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from events import Body, LogFile
from games.kit import luck
from ledger.audit.verify import verify
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match
from ledger.render import discord
from ledger.tell.explain import fairness
from ledger.tell.outbox import outbox
from ledger.tell.redact import may_open
from ledger.tell.reports import Shown, needs
from tests.support.host import hl, run_all
from tests.support.second import program
from tests.support.sizes import log_number, many

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")


SOURCE = {
    "deal": [[f"{colour}{value}", 2] for value in range(1, 11) for colour in "BR"], "each": 5, "to": list(PLAYERS)
}  # fmt: skip
"""What a deal of Equilibrium is drawn from, as its entry says it. Source: docs/log-format.md, Randomness."""


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    (tmp_path / "m.toml").write_text(
        'game = "equilibrium"\nhosts = ["mara"]\n[players]\n' + "\n".join(f"{p} = {{}}" for p in PLAYERS)
    )
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")).code == 0
    return tmp_path / "m"


def test_a_committed_deal_verifies_and_the_second_program_agrees(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "word", "ann", "too early").code == 3
    assert hl(*here, "commit").code == 0
    assert hl(*here, "commit").code == 3
    assert hl(*here, "word", "ann", "the rain in Spaiñ").code == 0
    assert hl(*here, "word", "bob", "🂡 xyzzy").code == 0
    assert hl(*here, "deal").code == 0
    assert hl(*here, "word", "cyd", "too late").code == 3
    log = fair / "log.jsonl"
    assert verify(str(log)).ok
    assert program("check_deal").main(log).startswith("the deal of 8 hands")
    entries = Match(str(log)).book.entries
    commit, *words = (entry.hash for entry in entries if entry.body.do in ("commit", "word"))
    assert entries[-1].body.args == {"method": "drawn", "commitment": commit, "words": words, "draw": SOURCE}


def test_both_programs_draw_the_same_from_any_seed(record_property: Any) -> None:
    """Any seed, words of any signs, labels, orders of up to 60 and draws from up to 2**32. Source: log-format.md."""
    check, draw, cases = program("check_deal"), random.Random("both programs"), many(2_000, 20_000)
    signs = 'aZ 0\0\n"\\ñß漢🂡\u202e\ufeff'
    for _ in range(cases):
        seed = draw.randbytes(32)
        words = [
            ("".join(draw.choices(signs, k=draw.randrange(4))), "".join(draw.choices(signs, k=draw.randrange(9))))
            for _ in range(draw.randrange(5))
        ]
        label = draw.choice(("deal", f"lot:{draw.randrange(1, 10**6)}"))
        ours, theirs = luck.stream(luck.mix(seed, words), label), check.stream(check.mixed(seed, words), label)
        cards = list(range(draw.randrange(61)))
        same = check.shuffled(cards.copy(), theirs)
        luck.shuffle(cards, ours)
        assert cards == same
        most = draw.choice((1, 2, 3, 52, 2**32, draw.randrange(1, 2**32)))
        assert [luck.below(ours, most) for _ in range(3)] == [check.below(theirs, most) for _ in range(3)]
    log_number(record_property, cases)


def test_a_deal_that_was_changed_is_found(fair: Path) -> None:
    """The right number of the right cards, and not the seed's."""
    assert hl("-g", str(fair), "commit").code == 0
    commit = next(e.hash for e in Match(str(fair / "log.jsonl")).book.entries if e.body.do == "commit")
    hands = [("hand", {"player": p, "cards": h.split()}) for p, h in HANDS.items()]
    append(fair, *hands, ("deal", {"method": "drawn", "commitment": commit, "words": [], "draw": SOURCE}))
    assert codes(fair) == ["draw.other"]
    assert program("check_deal").main(fair / "log.jsonl").startswith("WRONG: other hands")


def test_a_deal_of_whole_packs_is_repeated_by_the_second_program(tmp_path: Path) -> None:
    """MarsMatch: 54 cards each, with and without commitment and words; a later round has a seed of its own."""
    (tmp_path / "m.toml").write_text(
        'game = "marsmatch"\nhosts = ["mara"]\n[settings]\nrounds = 2\n[players]\n'
        + "\n".join(f"{p} = {{}}" for p in PLAYERS[:5])
    )
    here = ("-g", str(tmp_path / "m"))
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")).code == 0
    log = tmp_path / "m" / "log.jsonl"
    deal, lot = "the deal of 5 hands is the seed's", "the lot of entry {} is its seed's"
    for line in (["commit"], ["word", "ann", "the rain in Spaiñ"], ["draw"], ["deal"]):
        assert hl(*here, *line).code == 0
    assert program("check_deal").main(log).splitlines() == [deal, lot.format(10)]
    for line in (["open"], ["close", "real"], ["draw", "--seats", "bob,ann,cyd,dan,eve"], ["deal"]):
        assert hl(*here, *line).code == 0
    assert program("check_deal").main(log).splitlines() == [deal, deal, lot.format(10), lot.format(19)]
    assert verify(str(log)).ok


@pytest.mark.parametrize("game", ["poker_auction", "polar", "hex_parties"])
def test_the_lot_of_a_round_is_repeated_by_the_second_program(game: str, tmp_path: Path) -> None:
    """What a round draws for ties, or for players who named nothing: repeated, and found when another stands there."""
    text = (ROOT / "games" / game / "demo.toml").read_text(encoding="utf-8")
    lotted = text.replace("[settings]", '[settings]\nmissing_parity = "lot"') if game == "hex_parties" else text
    (tmp_path / "m.toml").write_text(lotted, encoding="utf-8")
    here = ("-g", str(tmp_path / "m"), "--as", "mara")
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")).code == 0
    assert hl(*here, "open").code == hl(*here, "resolve", "--yes", "--early").code == 0
    log = tmp_path / "m" / "log.jsonl"
    seq = len(Match(str(log)).book.entries)
    assert program("check_deal").main(log) == f"the lot of entry {seq} is its seed's"
    lines = log.read_text().splitlines()
    resolve, answers = json.loads(lines[-1]), set()
    for other in range(20):  # a lot has few outcomes: some of these seeds may draw the same
        resolve["body"]["args"]["seed"] = f"{other:064x}"
        log.write_text("\n".join([*lines[:-1], json.dumps(resolve)]) + "\n")
        answers.add(program("check_deal").main(log))
    assert f"WRONG: the lot of entry {seq} is not its seed's" in answers


def test_another_seed_than_the_committed_one_is_contested(fair: Path) -> None:
    log = fair / "log.jsonl"
    with LogFile(log).writing() as writer:
        first = len(writer.reading.lines) + 1
        writer.append(
            [
                Body("commit", 2**41, "mara", 2**41, {"commitment": "0" * 64}, batch=first),
                Body("seed", 2**41, "mara", 2**41, {"seed": "1" * 64}, batch=first),
            ]
        )
    assert [finding.code for finding in verify(str(log)).findings] == ["log.contested"]


def test_the_seed_is_the_hosts_alone(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "commit").code == 0
    assert hl(*here, "word", "ann", "rain").code == 0
    match = Match(str(fair / "log.jsonl"))
    numbers = {entry.body.do: entry.seq for entry in match.book.entries}
    for viewer in ("public", *PLAYERS):
        opened = may_open(match, viewer)
        assert {numbers["commit"], numbers["word"]} <= opened
        assert numbers["seed"] not in opened


# ---- what an audit finds of draws ----------------------------------------------------------------------------------

TYPED = "B1 B1 R1 R1 B2", "B2 R2 R2 B3 B3", "R3 R3 B4 B4 R4", "R4 B5 B5 R5 R5", "B6 B6 R6 R6 B7", "B7 R7 R7 B8 B8"
HANDS = dict(zip(PLAYERS, (*TYPED, "R8 R8 B9 B9 R9", "R9 B10 B10 R10 R10"), strict=True))


def append(folder: Path, *rows: tuple[str, dict[str, Any]]) -> None:
    """Entries that no command would write, as one batch, with a chain that holds."""
    with LogFile(folder / "log.jsonl").writing() as writer:
        last = writer.reading.lines[-1]
        writer.append([Body(do, 2**41, "mara", 2**41, args, batch=last.seq + 1) for do, args in rows])


def codes(folder: Path) -> list[str]:
    return [finding.code for finding in verify(str(folder / "log.jsonl")).findings]


def test_cards_drawn_from_another_seed_than_the_committed_one_are_found(fair: Path) -> None:
    """The deal is that of its own seed, which is not the one that was published."""
    from games.equilibrium.cards import DECK, sort

    assert hl("-g", str(fair), "commit").code == 0
    dealt = luck.deal(DECK, PLAYERS, 5, luck.mix(bytes(32)))
    hands = [("hand", {"player": p, "cards": list(sort(cards))}) for p, cards in dealt.items()]
    append(fair, *hands, ("deal", {"method": "drawn", "seed": "00" * 32, "draw": SOURCE}))
    assert codes(fair) == ["draw.replaced"]
    assert "was drawn from another seed" in program("check_deal").main(fair / "log.jsonl").splitlines()[0]


def test_what_was_typed_in_is_said_and_is_no_finding(fair: Path) -> None:
    """A match that was dealt elsewhere."""
    hands = [("hand", {"player": p, "cards": h.split()}) for p, h in HANDS.items()]
    append(fair, *hands, ("deal", {"method": "typed"}))
    append(fair, ("open", {}))
    append(fair, ("lot", {"among": ["ann", "bob"], "outcome": "bob"}))
    found = verify(str(fair / "log.jsonl"))
    assert found.ok, found.findings
    told = [line for line in found.not_checked if "typed" in line]
    assert [line.split(":")[0] for line in told] == ["the deal of entry 18", "the lot of entry 20"]


def test_lots_are_drawn_again_by_both_programs_and_a_changed_one_is_found(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "deal").code == hl(*here, "open").code == 0
    for _ in range(3):
        assert hl(*here, "lot", *PLAYERS).code == 0
    assert hl(*here, "undo", "--yes").code == 0 and hl(*here, "redo", "--yes").code == 0
    told = program("check_deal").main(fair / "log.jsonl").splitlines()
    assert len(told) == 4 and all(line.endswith("seed's") for line in told)
    entries = Match(str(fair / "log.jsonl")).book.entries
    lot = entries[-3].body.args
    right = luck.lot(lot["among"], luck.mix(bytes.fromhex(lot["seed"])), len(entries) + 1)
    other = next(p for p in PLAYERS if p != right)
    append(fair, ("lot", {**lot, "outcome": other}))
    assert codes(fair) == ["draw.other"]
    assert program("check_deal").main(fair / "log.jsonl").startswith("WRONG: the lot of entry ")


# ---- when the seed is opened ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "opened"), [("nobody_ever", False), ("everybody_after_end", True), ("everybody", True)]
)
def test_the_seed_is_opened_where_all_it_gave_may_be_known_and_only_after_the_end(
    fair: Path, tmp_path: Path, level: str, opened: bool
) -> None:
    """docs/audit.md; and `final` says how the deal can be checked, or why it cannot."""
    here = ("-g", str(fair))
    assert hl(*here, "amend-setting", f"visibility.dealt_hands={level}").code == 0
    run_all(fair, "commit", "word ann rain", "deal", "open")
    match = Match(str(fair / "log.jsonl"))
    numbers = {entry.body.do: entry.seq for entry in match.book.entries}
    secret = {numbers["seed"], numbers["deal"]}
    assert not secret & may_open(match, "public") and not secret & may_open(match, "ann")
    assert hl(*here, "close", "--yes").code == 0
    for decision in ("gift", "vote", "lot"):
        hl(*here, "close", decision, "--yes")
    while Match(str(fair / "log.jsonl")).table.status == "deciding":
        kind = Match(str(fair / "log.jsonl")).table.decisions[0].kind
        assert hl(*here, *(("lot",) if kind == "lot" else ("close", kind, "--yes"))).code == 0, kind
    match = Match(str(fair / "log.jsonl"))
    assert match.table.status == "finished"
    begin = match.engine.start(match.book.entries[0].body, match.book.game_id).table.settings["visibility"]
    assert begin["dealt_hands"] == "nobody_ever", "the copy looks at what was promised in line 1 too"
    assert not secret & may_open(match, "public")
    entry = {seq: match.book.entries[seq - 1].body for seq in secret}
    for body in entry.values():
        action = match.engine.read(body.do, body.args, match.table)
        told = match.game.audience(match.fold.state, action)
        assert told.admits("public", ended=True) is opened
        assert not told.admits("public", ended=False)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert run([*here, "final"], App()) == 0
    assert "before anybody added words: commitment" in out.getvalue()
    assert "stay secret, and so does the seed" in out.getvalue()
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert run([*here, "final", "--for", "host"], App()) == 0
    assert f"seed {entry[numbers['seed']].args['seed']}" in out.getvalue()


def test_a_seed_that_line_1_promises_to_open_is_opened_to_everybody_after_the_end(tmp_path: Path) -> None:
    """Then a copy for the public is enough to draw the deal again, and `final` shows the seed."""
    rows = "\n".join(f"{p} = {{}}" for p in PLAYERS)
    (tmp_path / "m.toml").write_text(
        'game = "equilibrium"\nhosts = ["mara"]\n[settings.visibility]\ndealt_hands = "everybody_after_end"\n'
        f"[players]\n{rows}"
    )
    folder = tmp_path / "m"
    here = ("-g", str(folder))
    assert hl("new", str(folder), "--from", str(tmp_path / "m.toml")).code == 0
    run_all(folder, "commit", "word ann rain", "deal", "open")
    numbers = {entry.body.do: entry.seq for entry in Match(str(folder / "log.jsonl")).book.entries}
    assert not {numbers["seed"], numbers["hand"]} & may_open(Match(str(folder / "log.jsonl")), "public")
    assert hl(*here, "close", "--yes").code == 0
    while Match(str(folder / "log.jsonl")).table.status == "deciding":
        kind = Match(str(folder / "log.jsonl")).table.decisions[0].kind
        assert hl(*here, *(("lot",) if kind == "lot" else ("close", kind, "--yes"))).code == 0, kind
    assert {numbers["seed"], numbers["deal"], numbers["hand"]} <= may_open(Match(str(folder / "log.jsonl")), "public")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert run([*here, "final"], App()) == 0
    assert "Anyone can draw it again: seed " in out.getvalue()


# ---- what was published fixes the deal -----------------------------------------------------------------------------


def table(folder: Path) -> tuple[str, ...]:
    """A commitment, two words, all of it posted, and a receipt that somebody kept."""
    here = ("-g", str(folder))
    run_all(folder, "commit", "word ann rain", "word bob xyzzy")
    match = Match(str(folder / "log.jsonl"))
    for item in outbox(match).waiting:
        assert hl(*here, "outbox", "done", item.name).code == 0
    return (Match(str(folder / "log.jsonl")).book.head,)


def seq_of(folder: Path, do: str, number: int = 0) -> str:
    """The number of an entry of that kind."""
    entries = Match(str(folder / "log.jsonl")).book.entries
    return str([entry.seq for entry in entries if entry.body.do == do][number])


def hands(folder: Path) -> dict[str, Any]:
    return dict(Match(str(folder / "log.jsonl")).fold.state.hands)


def findings(folder: Path, receipts: tuple[str, ...]) -> list[str]:
    found = verify(str(folder / "log.jsonl"), receipts)
    second = program("check_deal").main(folder / "log.jsonl")
    replaced = [finding for finding in found.findings if finding.code == "draw.replaced"]
    assert second.count("REPLACED") == len(replaced), second
    return [finding.code for finding in found.findings]


def told_everybody(folder: Path) -> str:
    return "\n".join(
        item.text for item in outbox(Match(str(folder / "log.jsonl"))).waiting if item.audience == "public"
    )


def test_another_commitment_is_a_replacement(fair: Path) -> None:
    """The first commitment counts, struck or not: a second one is told to everybody, and found until a ruling."""
    here, kept = ("-g", str(fair)), table(fair)
    assert hl(*here, "undo", seq_of(fair, "commit"), "--yes").code == 0
    assert hl(*here, "commit", "--at", "2026-03-02T10:00:00Z").code == 3
    assert hl(*here, "commit").code == 0
    second = seq_of(fair, "commit", 1)
    assert "The commitment of the deal was replaced by another one." in told_everybody(fair)
    assert findings(fair, kept) == ["draw.replaced"]
    assert hl(*here, "deal").code == 0
    assert findings(fair, kept) == ["draw.replaced"]
    assert hl(*here, "ruling", "the first was made on the wrong machine").code == 0
    assert findings(fair, kept) == ["draw.replaced"], "a ruling must name the entry"
    assert hl(*here, "ruling", "the first was made on the wrong machine", "--about", str(int(second) + 1)).code == 0
    found = verify(str(fair / "log.jsonl"), kept)
    assert found.ok and any("replaces that of entry" in line for line in found.remarks)
    assert hl(*here, "undo", "--yes").code == 0
    assert findings(fair, kept) == ["draw.replaced"], "the ruling was taken back"


def test_a_commitment_that_was_undone_still_fixes_the_deal(fair: Path) -> None:
    """Nothing is gained by undoing it: the deal goes by what was published."""
    other = fair.parent / "other"
    kept = table(fair)
    shutil.copytree(fair, other)
    assert hl("-g", str(other), "undo", seq_of(other, "commit"), "--yes").code == 0
    assert hl("-g", str(fair), "deal").code == hl("-g", str(other), "deal").code == 0
    assert hands(fair) == hands(other)
    assert findings(other, kept) == []
    assert any("was undone after it was published" in line for line in verify(str(other / "log.jsonl")).remarks)


@pytest.mark.parametrize("fix", [("undo",), ("amend", "text=sunshine"), ("amend", "player=cyd")])
def test_a_word_that_was_undone_or_amended_is_in_the_deal(fair: Path, fix: tuple[str, ...]) -> None:
    """Otherwise who knows the seed could choose among the deals of all sets of words."""
    other = fair.parent / "other"
    kept = table(fair)
    shutil.copytree(fair, other)
    assert hl("-g", str(other), fix[0], seq_of(other, "word"), *fix[1:], "--yes").code == 0
    assert hl("-g", str(fair), "deal").code == hl("-g", str(other), "deal").code == 0
    assert hands(fair) == hands(other)
    assert findings(other, kept) == []
    assert any("the words of entry 12 were" in line for line in verify(str(other / "log.jsonl")).remarks)


def test_a_deal_that_was_seen_is_the_deal(fair: Path) -> None:
    """Undone, it is made again with the same cards; no word is taken any more, and another deal is a replacement."""
    here, kept = ("-g", str(fair)), table(fair)
    assert hl(*here, "deal").code == 0
    first = hands(fair)
    assert hl(*here, "undo", "--yes").code == 0
    assert hl(*here, "word", "cyd", "one more").code == 3
    assert hl(*here, "undo", seq_of(fair, "word"), "--yes").code == hl(*here, "deal").code == 0
    assert hands(fair) == first and findings(fair, kept) == []
    assert hl(*here, "undo", seq_of(fair, "deal", 1), "--yes").code == 0
    run_all(fair, f"undo {seq_of(fair, 'commit')} --yes", "commit", "deal")
    assert hands(fair) != first
    assert findings(fair, kept) == ["draw.replaced", "draw.replaced"]
    assert "The cards were dealt again, and this deal replaces the first one." in told_everybody(fair)


def test_cards_that_a_host_types_in_after_a_commitment_are_a_replacement(fair: Path) -> None:
    """Everybody is told at once; status, final, verify and the second program say so until a ruling names it."""
    here, kept = ("-g", str(fair)), table(fair)
    rows = "\n".join(f'{player} = "{hand}"' for player, hand in HANDS.items())
    (fair.parent / "deal.toml").write_text(f"[hands]\n{rows}\n")
    assert hl(*here, "undo", seq_of(fair, "commit"), "--yes").code == 0
    assert hl(*here, "deal", "--from", str(fair.parent / "deal.toml")).code == 0
    assert "A host typed the cards in, in place of those that were drawn or committed to" in told_everybody(fair)
    assert findings(fair, kept) == ["draw.replaced"]
    match = Match(str(fair / "log.jsonl"))
    assert any("was typed in" in line for line in needs(match, Shown(match.fold, "host")))
    said = discord.render(fairness(match, "public"))
    assert "A host typed the cards in" in said and "No host has said why." in said
    assert hl(*here, "ruling", "dealt at a real table", "--about", seq_of(fair, "deal")).code == 0
    assert findings(fair, kept) == []
    match = Match(str(fair / "log.jsonl"))
    assert "A host has ruled on it." in discord.render(fairness(match, "public"))
    assert not any("was typed in" in line for line in needs(match, Shown(match.fold, "host")))


@pytest.mark.parametrize("verb", [("commit",), ("word", "ann", "x"), ("deal",)])
def test_what_fixes_a_deal_counts_when_it_is_recorded(fair: Path, verb: tuple[str, ...]) -> None:
    """No --at; a message is evidence alone; and no amend moves it, nor a hand."""
    here = ("-g", str(fair))
    if verb != ("commit",):
        assert hl(*here, "commit").code == 0
    assert hl(*here, *verb, "--at", "2026-03-02T10:00:00Z").code == 3
    assert hl(*here, *verb, "--msg", "https://discord.com/channels/1/2/1484493831536640000").code == 0
    entries = Match(str(fair / "log.jsonl")).book.entries
    made = next(entry for entry in reversed(entries) if entry.body.do == verb[0])
    assert made.body.at == made.body.recorded and any(entry.body.evidence for entry in entries)
    for entry in entries[9:]:
        assert hl(*here, "amend", str(entry.seq), "at=2026-03-02T10:00:00Z", "--yes").code == 3, entry.body.do
    assert codes(fair) == []


def test_a_deal_without_a_commitment_may_be_recorded_late(fair: Path) -> None:
    """Nothing was published that it could break."""
    assert hl("-g", str(fair), "deal", "--at", "2026-03-02T10:00:00Z").code == 0


def forged(folder: Path, words: list[str], **more: Any) -> None:
    """A deal that names these lines, with the cards that follow from them."""
    from games.equilibrium.cards import DECK, sort

    match = Match(str(folder / "log.jsonl"))
    named = {entry.hash: entry.body.args for entry in match.book.entries}
    commit = next(entry for entry in match.book.entries if entry.body.do == "commit")
    seed = next(entry.body.args["seed"] for entry in match.book.entries if entry.body.do == "seed")
    said = [(named[line]["player"], named[line]["text"]) for line in words if line in named]
    key = luck.mix(bytes.fromhex(seed), said)
    rows = [("hand", {"player": p, "cards": list(sort(c))}) for p, c in luck.deal(DECK, PLAYERS, 5, key).items()]
    deal = {"method": "drawn", "commitment": commit.hash, "words": words, "draw": SOURCE, **more}
    append(folder, *rows, ("deal", deal))


def test_a_list_of_words_that_was_chosen_is_found(fair: Path) -> None:
    """Whoever writes the log by hand: left out, in another order, of lines that are not there, at another time."""
    kept = table(fair)
    words = [entry.hash for entry in Match(str(fair / "log.jsonl")).book.entries if entry.body.do == "word"]
    cases = {"draw.replaced": (words[:1], words[1:], words[::-1], []), "draw.other": (["ab" * 32],), "": (words,)}
    for code, lists in cases.items():
        for number, listed in enumerate(lists):
            copy = fair.parent / f"{code}{number}"
            shutil.copytree(fair, copy)
            forged(copy, listed)
            found = {finding.code for finding in verify(str(copy / "log.jsonl"), kept).findings}
            assert found >= ({code} if code else set()) and bool(found) == bool(code), listed
            second = program("check_deal").main(copy / "log.jsonl")
            assert ("REPLACED" in second or "WRONG" in second) == bool(code), second


def test_what_is_said_of_a_deal_stays_open_to_everybody(fair: Path) -> None:
    """commit, word, and what is about them: struck or not, posted or not."""
    here = ("-g", str(fair))
    run_all(fair, "commit", "word ann rain", "word bob snow")
    for line in (("undo", "12"), ("amend", "13", "text=sun"), ("undo", "10"), ("redo", "10"), ("confirm", "10")):
        hl(*here, *line, "--yes")
    match = Match(str(fair / "log.jsonl"))
    public = {entry.seq for entry in match.book.entries[9:] if entry.body.do != "seed"}
    assert public <= may_open(match, "public") and public <= may_open(match, "cyd")


# ---- two copies ----------------------------------------------------------------------------------------------------


def two_copies(fair: Path) -> tuple[Path, Path]:
    """A commitment and a word that both have; then the copies part."""
    assert hl("-g", str(fair), "commit").code == hl("-g", str(fair), "word", "ann", "rain").code == 0
    other = fair.parent / "other"
    shutil.copytree(fair, other)
    return fair, other


def joined_both_ways(one: Path, two: Path) -> None:
    run_all(one, f"join {two} --yes")
    run_all(two, f"join {one} --yes")


def test_a_word_in_one_copy_and_the_deal_in_the_other(fair: Path) -> None:
    """Both copies judge alike: the word came after the deal, has no effect, is listed, and is no finding."""
    one, two = two_copies(fair)
    assert hl("-g", str(one), "word", "bob", "snow").code == hl("-g", str(two), "deal").code == 0
    dealt = hands(two)
    joined_both_ways(one, two)
    for copy in (one, two):
        assert hands(copy) == dealt and findings(copy, ()) == []
        remarks = verify(str(copy / "log.jsonl")).remarks
        assert any("came after the deal and are not in it" in line for line in remarks), remarks
        assert program("check_deal").main(copy / "log.jsonl").startswith("the deal of 8 hands")
        said = discord.render(fairness(Match(str(copy / "log.jsonl")), "public"))
        assert "Ann added: rain" in said and "Bob" not in said


def test_a_deal_in_each_copy_is_a_finding_until_a_ruling(fair: Path) -> None:
    """Only one of them can be the deal."""
    one, two = two_copies(fair)
    run_all(one, "word bob snow", "deal")
    run_all(two, "deal")
    joined_both_ways(one, two)
    for copy in (one, two):
        found = verify(str(copy / "log.jsonl")).findings
        assert found, "two deals, and nothing is said"
        for finding in found:
            assert hl("-g", str(copy), "ruling", "the first deal counts", "--about", str(finding.line)).code == 0
        assert codes(copy) == [], copy


def test_a_deal_of_another_copy_names_the_words_that_were_known_there(fair: Path) -> None:
    """Of the lines that both copies had, none may be left out, whoever wrote the deal."""
    one, two = two_copies(fair)
    forged(two, [])
    assert codes(two) == ["draw.replaced"]
    assert hl("-g", str(one), "note", "so").code == hl("-g", str(one), "join", str(two), "--yes").code == 0
    assert codes(one) == ["draw.replaced"]
    assert "was drawn without the words of entry 12" in program("check_deal").main(one / "log.jsonl")


# ---- what has a seed of its own, and is drawn again ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "before", "draw", "again"),
    [
        ("marsmatch", (), ("draw",), ("draw",)),
        ("marsmatch", (), ("draw",), ("draw", "--banker", "bob")),
        ("equilibrium", (), ("lot", "ann", "bob"), ("lot", "bob", "ann")),
        ("equilibrium", (), ("lot", "ann", "bob"), ("lot", "ann", "bob", "--outcome", "ann")),
        ("equilibrium", (), ("deal",), ("deal",)),
        ("poker_auction", ("open",), ("resolve", "--yes", "--early"), ("resolve", "--yes", "--early")),
    ],
)
def test_a_draw_that_is_made_again_is_told_and_found(
    tmp_path: Path, game: str, before: tuple[str, ...], draw: tuple[str, ...], again: tuple[str, ...]
) -> None:
    """A host could draw until it suits. Everybody is told at once, and it is a finding until a ruling names it."""
    rows = "\n".join(f"{p} = {{}}" for p in PLAYERS[: 8 if game == "equilibrium" else 5])
    (tmp_path / "m.toml").write_text(f'game = "{game}"\nhosts = ["mara"]\n[players]\n{rows}')
    folder = tmp_path / "m"
    assert hl("new", str(folder), "--from", str(tmp_path / "m.toml")).code == 0
    here = ("-g", str(folder))
    assert not before or hl(*here, *before).code == 0
    assert hl(*here, *draw).code == 0 and codes(folder) == []
    assert hl(*here, "undo", "--yes").code == 0 and codes(folder) == []
    assert hl(*here, *again).code == 0
    assert codes(folder) == ["draw.replaced"]
    assert "REPLACED" in program("check_deal").main(folder / "log.jsonl")
    words = "A host typed the cards in" if draw == ("deal",) and "--from" in again else "A draw was made again"
    assert words in told_everybody(folder)
    about = str(len(Match(str(folder / "log.jsonl")).book.entries))
    assert hl(*here, "ruling", "the first was a test", "--about", about).code == 0
    assert codes(folder) == [] and "REPLACED" not in program("check_deal").main(folder / "log.jsonl")


def test_a_lot_that_is_amended_is_found_and_other_lots_are_not(fair: Path) -> None:
    """Among others it is another lot; amended, it is no longer what was drawn."""
    here = ("-g", str(fair))
    for line in (("lot", "ann", "bob"), ("undo", "--yes"), ("lot", "cyd", "dan")):
        assert hl(*here, *line).code == 0
    assert codes(fair) == []
    lot = Match(str(fair / "log.jsonl")).book.entries[-1]
    other = "dan" if lot.body.args["outcome"] == "cyd" else "cyd"
    assert hl(*here, "amend", str(lot.seq), f"outcome={other}", "--yes").code == 0
    assert codes(fair) == ["draw.replaced"] and "REPLACED" in program("check_deal").main(fair / "log.jsonl")
    assert "A draw was made again" in told_everybody(fair)
