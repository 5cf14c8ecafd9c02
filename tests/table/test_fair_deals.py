"""Provably fair deals: commitment, words, deal, and a second program that repeats it. docs/audit.md; S-G5.

How a case is written: support/lines.py, and what is asked: support/fair.py.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.equilibrium.cards import DECK, sort
from games.kit import luck
from ledger.core.match import Match
from ledger.render import discord
from ledger.tell.explain import fairness
from ledger.tell.outbox import outbox
from tests.support import fair
from tests.support.ended import NAMES as PLAYERS
from tests.support.fair import append
from tests.support.host import Host, match_file
from tests.support.lines import plays
from tests.support.sizes import log_number, many

TYPED = "B1 B1 R1 R1 B2", "B2 R2 R2 B3 B3", "R3 R3 B4 B4 R4", "R4 B5 B5 R5 R5", "B6 B6 R6 R6 B7", "B7 R7 R7 B8 B8"
HANDS = dict(zip(PLAYERS, (*TYPED, "R8 R8 B9 B9 R9", "R9 B10 B10 R10 R10"), strict=True))
SOURCE = {
    "deal": [[f"{colour}{value}", 2] for value in range(1, 11) for colour in "BR"], "each": 5, "to": list(PLAYERS)
}  # fmt: skip
"""What a deal of Equilibrium is drawn from, as its entry says it. Source: docs/log-format.md, Randomness."""
FILES = {
    "secrets": match_file("freeform", "ann bob cyd")
    + """
[items]
deed = { values = "1..4", draw = "order", seen_by = "everybody" }
traitor = { values = ["yes", "no"], draw = "one each", seen_by = "hosts", secret = true }
""",
    "fair": match_file("equilibrium", " ".join(PLAYERS)),
    "typed": "[hands]\n" + "".join(f'{player} = "{hand}"\n' for player, hand in HANDS.items()),
    "opening": match_file("equilibrium", " ".join(PLAYERS), 'visibility = { dealt_hands = "everybody_after_end" }'),
}


def entries(here: Host, *kinds: str) -> list[Any]:
    return [entry for entry in here.match.book.entries if entry.body.do in kinds]


def dealt(here: Host, words: list[str], hands: dict[str, Any] | None = None, **more: Any) -> None:
    """A deal that no command made: of these lines with words; without `hands`, the cards that follow from them."""
    (commit, *_), (seed, *_) = entries(here, "commit"), entries(here, "seed")
    named = {entry.hash: (entry.body.args["player"], entry.body.args["text"]) for entry in entries(here, "word")}
    key = luck.mix(bytes.fromhex(seed.body.args["seed"]), [named[line] for line in words if line in named])
    hands = hands or luck.deal(DECK, PLAYERS, 5, key)
    rows = [("hand", {"player": p, "cards": list(sort(cards))}) for p, cards in hands.items()]
    deal = {"method": "drawn", "commitment": commit.hash, "words": words if not more else None, "draw": SOURCE, **more}
    append(here, *rows, ("deal", {name: value for name, value in deal.items() if value is not None}))


def other_seed(here: Host) -> None:
    """The deal is that of its own seed, which is not the one that was published."""
    hands = luck.deal(DECK, PLAYERS, 5, luck.mix(bytes(32)))
    dealt(here, [], hands, commitment=None, seed="00" * 32)


def other_lot(here: Host) -> None:
    """The last lot once more, with another outcome than its seed gives."""
    lot = entries(here, "lot")[-1].body.args
    right = luck.lot(lot["among"], luck.mix(bytes.fromhex(lot["seed"])), here.last + 1)
    append(here, ("lot", {**lot, "outcome": next(p for p in PLAYERS if p != right)}))


def finish(here: Host) -> None:
    """Whatever the end leaves open is closed."""
    here.hl("close --yes")
    while here.match.table.status == "deciding":
        kind = here.match.table.decisions[0].kind
        here.hl("lot" if kind == "lot" else f"close {kind} --yes")


def for_everybody(here: Host) -> list[str]:
    """Which of the entries that give the deal everybody could open after the end, by the table as it is now."""
    match, admitted = here.match, []
    for entry in entries(here, "seed", "deal"):
        told = match.game.audience(match.fold.state, match.engine.read(entry.body.do, entry.body.args, match.table))
        assert not told.admits("public", ended=False)
        admitted += [entry.body.do] if told.admits("public", ended=True) else []
    return admitted


class At:
    """Another folder in place of a host's."""

    def __init__(self, here: Host, name: str) -> None:
        self.path = here.folder / name
        self.match = Match(str(self.path / "log.jsonl"))


def rule(here: Host) -> None:
    """A ruling about each finding."""
    for finding in fair.verified(here).findings:
        here.hl(f"ruling 'the first counts' --about {finding.line}")


def amend_lot(here: Host) -> None:
    """The other outcome in place of the one that was drawn."""
    drawn = entries(here, "lot")[-1].body.args["outcome"]
    here.hl(f"amend {here.last} outcome={'dan' if drawn == 'cyd' else 'cyd'} --yes")


def shut(here: Host) -> list[int]:
    """What stands behind the making of the match, is no seed, and may not be opened by everybody, or by Cyd."""
    rest = {entry.seq for entry in here.match.book.entries[9:] if entry.body.do != "seed"}
    return sorted(rest - fair.may_open(here.match, "public") & fair.may_open(here.match, "cyd"))


SHOWS = {
    **fair.SHOWS,
    "typed_in": lambda here: dealt(here, [], {p: hand.split() for p, hand in HANDS.items()}),
    "other_seed": other_seed,
    "other_lot": other_lot,
    "left_out": lambda here: dealt(here, []),
    "wrong_seed": lambda here: append(here, ("commit", {"commitment": "0" * 64}), ("seed", {"seed": "1" * 64})),
    "finish": finish,
    "for_everybody": for_everybody,
    "seed_in": lambda here, *line: f"seed {entries(here, 'seed')[0].body.args['seed']}" in here.hl(" ".join(line)).out,
    "everybody": lambda here: " / ".join(item.text for item in outbox(here.match).waiting if item.audience == "public"),
    "fairness": lambda here: discord.render(fairness(here.match, "public")).replace("**", ""),
    "rule": rule,
    "amend_lot": amend_lot,
    "shut": shut,
    "late": lambda here: [entry.seq for entry in here.match.book.entries if entry.body.at != entry.body.recorded],
    "forged": lambda here, name: dealt(At(here, name), []),
    "hands_as": lambda here, name: (
        here.match.fold.state.hands == Match(str(here.folder / name / "log.jsonl")).fold.state.hands
    ),
}
SHORT = {
    "made": "file fair ; commit ; word ann rain ; word bob xyzzy ; outbox done all --yes ; : receipt",
    "two": "file fair ; commit ; word ann rain ; : copied b",
    "b's": "> -g b",
    "again": ": found == ; undo --yes ; : found ==",
    "found_again": ": found == draw.replaced ; : everybody ~ A draw was made again ; : rule ; : found ==",
    "found_again_hidden": ": found == draw.replaced ; untold ; : rule ; : found ==",
    "untold": ": everybody !~ made again !~ typed the ; : fairness !~ made again !~ typed the ; "
    "replay --for ann !~ made again !~ typed the",
}
FAIR = """
a committed deal verifies and the second program agrees; words are taken between commitment and deal
  file fair ; 3 word ann "too early" ; commit ; 3 commit ; word ann "the rain in Spaiñ" ; word bob "🂡 xyzzy" ; deal
  3 word cyd "too late" ; verify ; : second ~ the deal of 8 hands ; : body args.method == drawn
a deal that was changed is found: the right number of the right cards, and not the seed's
  file fair ; commit ; : typed_in ; : found == draw.other ; : second ~ WRONG: other hands
a deal of whole packs is repeated, with a commitment and words; a later round has a seed of its own
  match marsmatch ann bob cyd dan eve rounds=2 ; commit ; word ann "the rain in Spaiñ" ; draw ; deal
  : second == the deal of 5 hands is the seed's / the lot of entry 10 is its seed's
  open ; close real ; draw --seats bob,ann,cyd,dan,eve ; deal ; verify
  : second ~ the deal of 5 hands is the seed's / the lot of entry 10 is its seed's / the lot of entry 19 is its seed's
another seed than the committed one is contested
  file fair ; : wrong_seed ; : found == log.contested
the seed is the hosts' alone
  file fair ; commit ; word ann rain ; : opened public ~ commit ~ word !~ seed ; : opened ann ~ commit ~ word !~ seed
  : opened hal ~ commit ~ word !~ seed
cards drawn from another seed than the committed one are found
  file fair ; commit ; : other_seed ; : found == draw.replaced ; : second ~ was drawn from another seed
what was typed in is said and is no finding
  file fair ; deal --from typed.toml ; open ; lot ann bob --outcome bob ; verify
  : unchecked ~ the deal of entry 18: ~ the lot of entry 20:
lots are drawn again by both programs, undone and redone as well, and a changed one is found
  file fair ; deal ; open ; lot ann bob cyd ; lot ann bob cyd ; lot ann bob cyd ; undo --yes ; redo --yes
  : second ~ the deal of 8 hands is the seed's / the lot of entry 20 is its seed's / the lot of entry 21 is
  : found == ; : other_lot ; : found == draw.other ; : second ~ WRONG: the lot of entry
the seed is opened where all that it gave may be known: nobody_ever
  file fair ; amend-setting visibility.dealt_hands=nobody_ever ; commit ; deal ; open ; : opened public !~ seed !~ deal
  : finish ; : opened public !~ seed !~ deal ; : for_everybody ==
the seed is opened where all that it gave may be known, after the end; the copy looks at line 1 too: everybody_after_end
  file fair ; amend-setting visibility.dealt_hands=everybody_after_end ; commit ; word ann rain ; deal ; open
  : opened public !~ seed !~ deal ; : opened ann !~ seed !~ deal ; : finish ; : opened public !~ seed !~ deal
  : for_everybody == seed deal ; final ~ before anybody added words: commitment ~ stay secret, and so does the seed
  : seed_in final --for host == yes
the seed is opened where all that it gave may be known: everybody
  file fair ; amend-setting visibility.dealt_hands=everybody ; commit ; deal ; open ; : opened public !~ seed !~ deal
  : finish ; : opened public !~ seed !~ deal ; : for_everybody == seed deal
a seed that line 1 promises to open is opened to everybody after the end, and `final` shows it
  file opening ; commit ; word ann rain ; deal ; open ; : opened public !~ seed !~ hand ; : finish
  : opened public ~ seed ~ deal ~ hand ; final ~ Anyone can draw it again: seed
the first commitment counts, struck or not: a second one is told to everybody, and found until a ruling names it
  made ; undo {commit} --yes ; 3 commit --at -1m ; commit
  : everybody ~ The commitment of the deal was replaced by another one. ; : found == draw.replaced ; deal
  : found == draw.replaced ; ruling "the first was made on the wrong machine" ; : found == draw.replaced
  ruling "the first was made on the wrong machine" --about {seed} ; : found == ; : remarks ~ replaces that of entry
  undo --yes ; : found == draw.replaced
a commitment that was undone still fixes the deal: nothing is gained by undoing it
  made ; : copied b ; undo {commit} --yes ; deal ; b's deal ; : hands_as b == yes ; : found ==
  : remarks ~ was undone after it was recorded ; : everybody ~ A host took back the commitment, but the deal goes by it
a word that was undone is in the deal: who knows the seed could choose among the deals of all sets of words
  made ; : copied b ; undo 12 --yes ; deal ; b's deal ; : hands_as b == yes ; : found ==
  : remarks ~ the words of entry 12 were
so its text is still to be posted, whoever never said it, and the result says that it was taken back
  file fair ; commit ; word ann rain ; undo ~ the deal goes by what was recorded first, posted or not !~ no longer
  : everybody ~ Ann added words to the deal: rain ~ A host took back what Ann added, but the deal goes by it
  explain 12 ~ the deal goes by that all the same !~ changes nothing
  word bob rain ; deal ; : fairness ~ added: rain - A host took back what Ann added, but the deal ~ Bob added: rain
  undo {commit} --yes ; : everybody ~ A host took back the commitment, but
so is one whose text was amended
  made ; : copied b ; amend 12 text=sunshine --yes ; deal ; b's deal ; : hands_as b == yes ; : found ==
  : remarks ~ the words of entry 12 were ; : fairness ~ rain - A host amended what Ann added, but the deal !~ sunshine
the same word typed again is remarked upon: both are in the deal
  file fair ; commit ; word ann rain !~ the same ; word bob rain !~ the same ; +1h
  word ann rain ~ entry 12 is the same, and both count: the deal goes by both !~ Not meant
nor is it told as what counts
  made ; amend 12 text=sunshine --yes ~ the deal goes by what was recorded first !~ sunshine ; deal
  explain 12 ~ Before: word ann rain; the deal goes by that all the same /
  : everybody ~ True now: A host amended what Ann added, but the deal goes by it !~ sunshine !~ Taken back
  outbox done all --yes ; : everybody == ; undo {amend} --yes ; : everybody ~ No longer true: A host amended what Ann
so is one that was given to another player
  made ; : copied b ; amend 12 player=cyd --yes ; deal ; b's deal ; : hands_as b == yes ; : found ==
  : remarks ~ the words of entry 12 were
a deal that was seen is the deal: made again it has the same cards, no word is taken any more, another is a replacement
  made ; deal ; : copied b ; undo --yes ; 3 word cyd more ; undo 12 --yes ; deal ; : hands_as b == yes ; : found ==
  undo {deal} --yes ; undo {commit} --yes ; commit ; deal ; : hands_as b == no ; : found == draw.replaced draw.replaced
  : everybody ~ The cards were dealt again, and this deal replaces the first one.
cards that a host types in after a commitment are a replacement: told at once, and found until a ruling names them
  made ; undo {commit} --yes ; deal --from typed.toml ; : found == draw.replaced ; status ~ was typed in
  : everybody ~ A host typed the cards in, in place of those that were drawn or committed to
  : fairness ~ A host typed the cards in ~ No host has said why. ; ruling "at a real table" --about {deal} ; : found ==
  : fairness ~ A host has ruled on it. ; status !~ was typed in
a commitment counts when it is recorded: no --at, a message is evidence alone, no amend moves it
  file fair ; 3 commit --at -1m ; commit --msg {link-5m} ; 3 amend {commit} at=-1m
  3 amend {seed} at=-1m ; : found == ; : late ==
so does a word
  file fair ; commit ; 3 word ann x --at -1m ; word ann x --msg {link-5m} ; : found == ; : late ==
  3 amend {word} at=-1m
so does a deal that was committed to, with its hands
  file fair ; commit ; 3 deal --at -1m ; deal --msg {link-5m} ; : found == ; : late ==
  3 amend {deal} at=-1m ; 3 amend {hand} at=-1m
a deal without a commitment may be recorded late: nothing was published that it could break
  file fair ; deal --at -1m
what is said of a deal stays open to everybody: struck or not, posted or not
  file fair ; commit ; word ann rain ; word bob snow ; undo 12 --yes ; amend 13 text=sun --yes ; undo 10 --yes
  redo {undo} --yes ; : shut ==
of two copies, a word in one and the deal in the other: it came after the deal, has no effect, and is no finding
  two ; word bob snow ; b's deal ; join b --yes ; b's join m --yes ; : hands_as b == yes ; : found ==
  : remarks ~ came after the deal and are not in it ; : second ~ the deal of 8 hands
  : fairness ~ Ann added: rain !~ Bob ; b's verify
a deal in each copy is a finding until a ruling: only one of them can be the deal
  two ; word bob snow ; deal ; b's deal ; join b --yes ; : found ~ draw. ; : rule ; : found ==
a deal of another copy names the words that were known there, whoever wrote it
  two ; : forged b ; note so ; join b --yes ; : found == draw.replaced
  : second ~ was drawn without the words of entry 12
what has a seed of its own, and is drawn again, is told and found until a ruling names it: the seats of MarsMatch
  match marsmatch ann bob cyd dan eve ; draw ; again ; draw ; found_again
with a Banker who is typed in
  match marsmatch ann bob cyd dan eve ; draw ; again ; draw --banker bob ; found_again
a lot that nothing asks for is told nobody, nor that it was drawn again
  file fair ; commit ; lot ann bob ; again ; lot bob ann ; found_again_hidden
a lot whose outcome is typed in
  file fair ; commit ; lot ann bob ; again ; lot ann bob --outcome ann ; found_again_hidden
a secret draw of a file
  file secrets ; commit ; draw traitor ; again ; draw traitor ; found_again_hidden
a draw of a file that is no secret
  file secrets ; draw deed ; again ; draw deed ; found_again
a deal
  file fair ; deal ; again ; deal ; found_again
the lot of a round
  match poker_auction ann bob cyd dan eve ; open ; resolve --yes --early ; again ; resolve --yes --early ; found_again
a lot that is amended is found; among others it is another lot
  file fair ; lot ann bob ; undo --yes ; lot cyd dan ; : found == ; : amend_lot ; : found == draw.replaced
  untold
"""
test_what_fixes_a_deal = plays(FAIR)


def test_a_list_of_words_that_was_chosen_is_found(host: Host) -> None:
    """Whoever writes the log by hand: left out, in another order, of lines that are not there, at another time."""
    host.new(FILES["fair"])
    for line in ("commit", "word ann rain", "word bob xyzzy"):
        host.hl(line)
    words = [entry.hash for entry in entries(host, "word")]
    for n, (listed, code) in enumerate(
        [(words[:1], "replaced"), (words[1:], "replaced"), (words[::-1], "replaced"), ([], "replaced"),
         (["ab" * 32], "other"), (words, "")]
    ):  # fmt: skip
        fair.SHOWS["copied"](host, f"copy{n}")
        copy: Any = At(host, f"copy{n}")
        dealt(copy, listed)
        found = {finding.code for finding in fair.verified(copy).findings}
        assert found >= ({f"draw.{code}"} if code else set()) and bool(found) == bool(code), listed
        second = fair.second(copy)
        assert ("REPLACED" in second or "WRONG" in second) == bool(code), second


@pytest.mark.parametrize(("game", "setting"), [("poker_auction", ""), ("polar", ""), ("hex_parties", "missing_parity")])
def test_the_lot_of_a_round_is_repeated_by_the_second_program(host: Host, game: str, setting: str) -> None:
    """What a round draws for ties, or for players who named nothing: repeated, and found when another stands there."""
    host.new(
        match_file(
            game, " ".join(PLAYERS[: 5 + bool(setting)]), {setting: "lot"} if setting else "allow_odd_roster = true"
        )
    )
    host.hl("open")
    host.hl("resolve --yes --early")
    assert fair.second(host) == f"the lot of entry {host.last} is its seed's"
    (*before, last), answers = host.log.decode().splitlines(), set()
    resolve = json.loads(last)
    for other in range(20):  # a lot has few outcomes: some of these seeds may draw the same
        resolve["body"]["args"]["seed"] = f"{other:064x}"
        (host.path / "log.jsonl").write_text("\n".join([*before, json.dumps(resolve)]) + "\n")
        answers.add(fair.second(host))
    assert f"WRONG: the lot of entry {host.last} is not its seed's" in answers


def test_both_programs_draw_the_same_from_any_seed(record_property: Any) -> None:
    """Any seed, words of any signs, labels, orders of up to 60 and draws from up to 2**32. Source: log-format.md."""
    check, draw, cases = fair.SECOND, random.Random("both programs"), many(2_000, 20_000)
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
