"""Provably fair deals: commitment, words, deal, and a second program that repeats it. Design section 5; S-G5."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from sizes import log_number, many

from events import Body, LogFile
from games.kit import luck
from ledger.audit import verify
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.match import Match
from ledger.redact import may_open

ROOT = Path(__file__).resolve().parent.parent
PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")


def independent() -> Any:
    spec = importlib.util.spec_from_file_location("check_deal", ROOT / "docs" / "check_deal.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    (tmp_path / "m.toml").write_text(
        'game = "equilibrium"\nhosts = ["mara"]\n[players]\n' + "\n".join(f"{p} = {{}}" for p in PLAYERS)
    )
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")) == 0
    return tmp_path / "m"


def hl(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run(list(words), App())


def test_a_committed_deal_verifies_and_the_second_program_agrees(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "word", "ann", "too early") == 3
    assert hl(*here, "commit") == 0
    assert hl(*here, "commit") == 3
    assert hl(*here, "word", "ann", "the rain in Spaiñ") == 0
    assert hl(*here, "word", "bob", "🂡 xyzzy") == 0
    assert hl(*here, "deal") == 0
    assert hl(*here, "word", "cyd", "too late") == 3
    log = fair / "log.jsonl"
    assert verify(str(log)).ok
    assert independent().main(log).startswith("the deal of 8 hands")
    deal = Match(str(log)).book.entries[-1].body
    assert (deal.do, deal.args) == ("deal", {"method": "drawn"})


def test_many_deals_are_equal_in_both_programs(fair: Path) -> None:
    """With and without commitment and words: the seed in the log is enough to repeat the deal."""
    check, here = independent(), ("-g", str(fair))
    for n in range(12):
        if n == 6:
            assert hl(*here, "commit") == 0
        if n > 6:
            assert hl(*here, "word", PLAYERS[n % 8], f"word {n}") == 0
        assert hl(*here, "deal") == 0
        assert check.main(fair / "log.jsonl").startswith("the deal of 8 hands")
        assert hl(*here, "undo", "--yes") == 0


def test_both_programs_draw_the_same_from_any_seed(record_property: Any) -> None:
    """Any seed, words of any signs, labels, orders of up to 60 and draws from up to 2**32. Source: log-format.md."""
    check, draw, cases = independent(), random.Random("both programs"), many(2_000, 20_000)
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
    assert hl("-g", str(fair), "commit") == 0
    log = fair / "log.jsonl"
    seq = len(Match(str(log)).book.entries) + 1
    typed = "B1 B1 R1 R1 B2", "B2 R2 R2 B3 B3", "R3 R3 B4 B4 R4", "R4 B5 B5 R5 R5", "B6 B6 R6 R6 B7", "B7 R7 R7 B8 B8"
    hands = dict(zip(PLAYERS, (*typed, "R8 R8 B9 B9 R9", "R9 B10 B10 R10 R10"), strict=True))
    bodies = [Body("hand", 1, "mara", 1, {"player": p, "cards": h.split()}, batch=seq) for p, h in hands.items()]
    bodies.append(Body("deal", 1, "mara", 1, {"method": "drawn"}, batch=seq))
    with LogFile(log).writing() as writer:
        bodies = [body._replace(at=2**41, recorded=2**41) for body in bodies]
        writer.append(bodies)
    assert [finding.code for finding in verify(str(log)).findings] == ["draw.other"]
    assert independent().main(log).startswith("WRONG: other hands")


def test_a_deal_of_whole_packs_is_repeated_by_the_second_program(tmp_path: Path) -> None:
    """MarsMatch: 54 cards each, with and without commitment and words; a later round has a seed of its own."""
    (tmp_path / "m.toml").write_text(
        'game = "marsmatch"\nhosts = ["mara"]\n[settings]\nrounds = 2\n[players]\n'
        + "\n".join(f"{p} = {{}}" for p in PLAYERS[:5])
    )
    here = ("-g", str(tmp_path / "m"))
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")) == 0
    log = tmp_path / "m" / "log.jsonl"
    deal, lot = "the deal of 5 hands is the seed's", "the lot of entry {} is its seed's"
    for line in (["commit"], ["word", "ann", "the rain in Spaiñ"], ["draw"], ["deal"]):
        assert hl(*here, *line) == 0
    assert independent().main(log).splitlines() == [deal, lot.format(10)]
    for line in (["open"], ["close", "real"], ["draw", "--seats", "bob,ann,cyd,dan,eve"], ["deal"]):
        assert hl(*here, *line) == 0
    assert independent().main(log).splitlines() == [deal, deal, lot.format(10), lot.format(19)]
    assert verify(str(log)).ok


@pytest.mark.parametrize("game", ["poker_auction", "polar", "hex_parties"])
def test_the_lot_of_a_round_is_repeated_by_the_second_program(game: str, tmp_path: Path) -> None:
    """What a round draws for ties, or for players who named nothing: repeated, and found when another stands there."""
    text = (ROOT / "games" / game / "demo.toml").read_text(encoding="utf-8")
    lotted = text.replace("[settings]", '[settings]\nmissing_parity = "lot"') if game == "hex_parties" else text
    (tmp_path / "m.toml").write_text(lotted, encoding="utf-8")
    here = ("-g", str(tmp_path / "m"), "--as", "mara")
    assert hl("new", str(tmp_path / "m"), "--from", str(tmp_path / "m.toml")) == 0
    assert hl(*here, "open") == hl(*here, "resolve", "--yes") == 0
    log = tmp_path / "m" / "log.jsonl"
    seq = len(Match(str(log)).book.entries)
    assert independent().main(log) == f"the lot of entry {seq} is its seed's"
    lines = log.read_text().splitlines()
    resolve = json.loads(lines[-1])
    resolve["body"]["args"]["seed"] = "00" * 32
    log.write_text("\n".join([*lines[:-1], json.dumps(resolve)]) + "\n")
    assert independent().main(log) == f"WRONG: the lot of entry {seq} is not its seed's"


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
    assert hl(*here, "commit") == 0
    assert hl(*here, "word", "ann", "rain") == 0
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


def test_cards_typed_in_after_a_commitment_are_found(fair: Path) -> None:
    """Who commits to a seed deals from it."""
    hands = [("hand", {"player": p, "cards": h.split()}) for p, h in HANDS.items()]
    assert hl("-g", str(fair), "commit") == 0
    append(fair, *hands, ("deal", {"method": "typed"}))
    assert codes(fair) == ["draw.other"]
    assert independent().main(fair / "log.jsonl").startswith("WRONG: the hands were typed in")


def test_cards_drawn_from_another_seed_than_the_committed_one_are_found(fair: Path) -> None:
    """The deal is that of its own seed, which is not the one that was published."""
    from games.equilibrium.cards import DECK, sort

    assert hl("-g", str(fair), "commit") == 0
    dealt = luck.deal(DECK, PLAYERS, 5, luck.mix(bytes(32)))
    hands = [("hand", {"player": p, "cards": list(sort(cards))}) for p, cards in dealt.items()]
    append(fair, *hands, ("deal", {"method": "drawn", "seed": "00" * 32}))
    assert codes(fair) == ["draw.other"]
    assert independent().main(fair / "log.jsonl").startswith("WRONG: the seed is not the one")


def test_what_was_typed_in_is_said_and_is_no_finding(fair: Path) -> None:
    """A match that was dealt elsewhere."""
    hands = [("hand", {"player": p, "cards": h.split()}) for p, h in HANDS.items()]
    append(fair, *hands, ("deal", {"method": "typed"}))
    append(fair, ("open", {}))
    append(fair, ("lot", {"among": ["ann", "bob"], "outcome": "bob"}))
    found = verify(str(fair / "log.jsonl"))
    assert found.ok, found.findings
    told = [line for line in found.not_checked if "typed in" in line]
    assert [line.split(":")[0] for line in told] == ["the deal of entry 18", "the lot of entry 20"]


def test_lots_are_drawn_again_by_both_programs_and_a_changed_one_is_found(fair: Path) -> None:
    here = ("-g", str(fair))
    assert hl(*here, "deal") == hl(*here, "open") == 0
    for _ in range(3):
        assert hl(*here, "lot", *PLAYERS) == 0
    assert hl(*here, "undo", "--yes") == 0 and hl(*here, "redo", "--yes") == 0
    told = independent().main(fair / "log.jsonl").splitlines()
    assert len(told) == 4 and all(line.endswith("seed's") for line in told)
    entries = Match(str(fair / "log.jsonl")).book.entries
    lot = entries[-3].body.args
    right = luck.lot(lot["among"], luck.mix(bytes.fromhex(lot["seed"])), len(entries) + 1)
    other = next(p for p in PLAYERS if p != right)
    append(fair, ("lot", {**lot, "outcome": other}))
    assert codes(fair) == ["draw.other"]
    assert independent().main(fair / "log.jsonl").startswith("WRONG: the lot of entry ")


def test_the_lot_of_a_round_is_drawn_again_by_both_programs(tmp_path: Path) -> None:
    """Poker Auction, PA-18: the lot for ties is drawn with the power round."""
    (tmp_path / "p.toml").write_text(
        'game = "poker_auction"\nhosts = ["mara"]\n[players]\n' + "\n".join(f"{p} = {{}}" for p in PLAYERS[:5])
    )
    folder = tmp_path / "p"
    assert hl("new", str(folder), "--from", str(tmp_path / "p.toml")) == 0
    here = ("-g", str(folder))
    assert hl(*here, "open") == 0
    assert hl(*here, "resolve", "--yes") == 0
    assert independent().main(folder / "log.jsonl").endswith("is its seed's")
    assert verify(str(folder / "log.jsonl")).ok
    args = Match(str(folder / "log.jsonl")).book.entries[-1].body.args
    assert hl(*here, "undo", "--yes") == 0
    append(folder, ("resolve", {**args, "order": sorted(args["order"], reverse=True)}))
    assert codes(folder) == ["draw.other"]
    assert independent().main(folder / "log.jsonl").startswith("WRONG: the lot")


# ---- when the seed is opened ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "opened"), [("nobody_ever", False), ("everybody_after_end", True), ("everybody", True)]
)
def test_the_seed_is_opened_where_all_it_gave_may_be_known_and_only_after_the_end(
    fair: Path, tmp_path: Path, level: str, opened: bool
) -> None:
    """Design section 5; and `final` says how the deal can be checked, or why it cannot."""
    here = ("-g", str(fair))
    assert hl(*here, "amend-setting", f"visibility.dealt_hands={level}") == 0
    assert hl(*here, "commit") == hl(*here, "word", "ann", "rain") == hl(*here, "deal") == hl(*here, "open") == 0
    match = Match(str(fair / "log.jsonl"))
    numbers = {entry.body.do: entry.seq for entry in match.book.entries}
    secret = {numbers["seed"], numbers["deal"]}
    assert not secret & may_open(match, "public") and not secret & may_open(match, "ann")
    assert hl(*here, "close", "--yes") == 0
    for decision in ("gift", "vote", "lot"):
        hl(*here, "close", decision, "--yes")
    while Match(str(fair / "log.jsonl")).table.status == "deciding":
        kind = Match(str(fair / "log.jsonl")).table.decisions[0].kind
        assert hl(*here, *(("lot",) if kind == "lot" else ("close", kind, "--yes"))) == 0, kind
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
    assert "the deal was committed to as" in out.getvalue() and "stay secret, and so does the seed" in out.getvalue()
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert run([*here, "final", "--for", "host"], App()) == 0
    assert f"Its seed was {entry[numbers['seed']].args['seed']}" in out.getvalue()


def test_a_seed_that_line_1_promises_to_open_is_opened_to_everybody_after_the_end(tmp_path: Path) -> None:
    """Then a copy for the public is enough to draw the deal again, and `final` shows the seed."""
    rows = "\n".join(f"{p} = {{}}" for p in PLAYERS)
    (tmp_path / "m.toml").write_text(
        'game = "equilibrium"\nhosts = ["mara"]\n[settings.visibility]\ndealt_hands = "everybody_after_end"\n'
        f"[players]\n{rows}"
    )
    folder = tmp_path / "m"
    here = ("-g", str(folder))
    assert hl("new", str(folder), "--from", str(tmp_path / "m.toml")) == 0
    assert hl(*here, "commit") == hl(*here, "word", "ann", "rain") == hl(*here, "deal") == hl(*here, "open") == 0
    numbers = {entry.body.do: entry.seq for entry in Match(str(folder / "log.jsonl")).book.entries}
    assert not {numbers["seed"], numbers["hand"]} & may_open(Match(str(folder / "log.jsonl")), "public")
    assert hl(*here, "close", "--yes") == 0
    while Match(str(folder / "log.jsonl")).table.status == "deciding":
        kind = Match(str(folder / "log.jsonl")).table.decisions[0].kind
        assert hl(*here, *(("lot",) if kind == "lot" else ("close", kind, "--yes"))) == 0, kind
    assert {numbers["seed"], numbers["deal"], numbers["hand"]} <= may_open(Match(str(folder / "log.jsonl")), "public")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert run([*here, "final"], App()) == 0
    assert ": anyone can draw it again." in out.getvalue()
