"""`verify` for a stranger: texts that were posted, receipts, and what it says was not checked.

Signatures and anchors: test_anchors. Source: docs/log-format.md section 10, docs/audit.md, docs/reliability.md.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from events import GENESIS, Body, LogFile, write_body, write_line
from games.records import args_of, kebab, reader
from games.registry import load, names
from ledger.audit.receipts import Digest, PublicHead, read_receipts
from ledger.audit.verify import verify
from ledger.core.match import Match
from ledger.post import posting
from ledger.tell.outbox import outbox
from ledger.tell.texts import Item, split_name
from tests.support import replaying
from tests.support.audited import CHECKED, append, codes, host_of
from tests.support.host import Host, hl
from tests.support.lines import lined, plays


@pytest.fixture(scope="module", params=names())
def game_demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundled match with every text posted, on the way a correction, and posted again."""
    folder = tmp_path_factory.mktemp("audit") / request.param
    replaying.played(request.param, folder)
    here = host_of(folder)
    post(folder, everything=False)
    assert hl(*here, "note", "a remark of the hosts")[0] == 0
    undo = disturbed(folder)
    post(folder)
    assert hl(*here, "redo", str(undo), "--yes")[0] == 0
    post(folder)
    return folder


def disturbed(folder: Path) -> int:
    """Strike a vote or entry of the game's own that makes a posted text wrong, if it can be one told; its number."""
    match, here = Match(str(folder / "log.jsonl")), host_of(folder)
    own = {"vote", *(kebab(cls) for cls in match.game.actions)}
    struck = match.fold.marks.struck
    told = {int(re.match(r"\d+", e.body.args["item"])[0]) for e in match.book.entries if e.body.do == "posted"}  # type: ignore[index]
    able = [e.seq for e in match.book.entries if e.body.do in own and e.seq not in struck]
    for seq in sorted(able, key=lambda seq: (seq in told, seq), reverse=True):
        assert hl(*here, "undo", str(seq), "--yes")[0] == 0
        if outbox(Match(str(folder / "log.jsonl"))).drifted:
            return seq
        assert hl(*here, "redo", str(seq), "--yes")[0] == 0
    raise AssertionError("nothing that was told depends on what was recorded")


def post(folder: Path, *, everything: bool = True) -> None:
    """`outbox done` of what waits, all of it or the first half: what it would write, in one go."""
    match = Match(str(folder / "log.jsonl"))
    waiting = outbox(match).waiting
    now, by = match.book.entries[-1].body.recorded, match.table.hosts[0]
    assert hl(*host_of(folder), "outbox", "done", waiting[0].name)[0] == 0  # and once as a host does it
    with LogFile(folder / "log.jsonl").writing() as writer:
        chosen = waiting[1:] if everything else waiting[1 : len(waiting) // 2]
        writer.append([Body("posted", now, by, now, posted_args(item)) for item in chosen])


def posted_args(item: Item) -> dict[str, Any]:
    return args_of(posting.posted_as(posting.claim_of(item)))


@pytest.fixture
def played(game_demo: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(game_demo, tmp_path / "m"))


# ---- what players were told ----------------------------------------------------------------------------------------


def test_every_posted_text_comes_out_again(played: Path) -> None:
    """As it was known when it was posted, not as it would be now: corrections as well."""
    match = Match(str(played / "log.jsonl"))
    posted = [entry.body.args for entry in match.book.entries if entry.body.do == "posted"]
    assert len(posted) >= 10
    assert any(args.get("covers") for args in posted), "a correction was posted"
    found = verify(str(played / "log.jsonl"))
    assert found.ok, found.findings
    assert not any("told" in line for line in found.not_checked)


def test_a_posted_text_that_the_log_does_not_give_is_found(played: Path) -> None:
    """One word more, with a digest that fits and a chain that holds."""
    bodies = [entry.body for entry in Match(str(played / "log.jsonl")).book.entries]
    seqs = [seq for seq, body in enumerate(bodies, 1) if body.do == "posted" and body.args["audience"] != "public"]
    for seq in (seqs[-1], seqs[len(seqs) // 2], seqs[0]):
        text = bodies[seq - 1].args["text"] + " And you won."
        args = {**bodies[seq - 1].args, "text": text, "digest": hashlib.sha256(text.encode()).hexdigest()}
        changed = [*bodies[: seq - 1], bodies[seq - 1]._replace(args=args)]
        rewrite(played / "log.jsonl", changed)
        found = verify(str(played / "log.jsonl")).findings
        # An undo without its redo leaves entries contested; that is another matter.
        assert [(f.line, f.code) for f in found if f.code != "log.contested"] == [(seq, "posted.other")]


def rewrite(path: Path, bodies: list[Body]) -> None:
    """A log with these bodies and hashes that fit."""
    sealed(path, [write_body(body) for body in bodies])
    Path(f"{path}.head").unlink(missing_ok=True)


def sealed(path: Path, bodies: list[bytes]) -> None:
    """The same of bodies that no release may have written; with the salts that stand there."""
    lines, prev = [], GENESIS
    for seq, (body, old) in enumerate(zip(bodies, path.read_bytes().splitlines(), strict=False), start=1):
        line, prev = write_line(seq, prev, old.split(b'"salt":"')[1][:32].decode(), body)
        lines.append(line)
    path.write_bytes(b"".join(lines))


def test_an_old_wording_is_said_not_to_be_checked(evening: Path) -> None:
    """Only where the texts version is this release's is a text made again."""
    item = outbox(Match(str(evening / "log.jsonl"))).waiting[0]
    assert hl(*host_of(evening), "outbox", "done", item.name)[0] == 0
    bodies = [entry.body for entry in Match(str(evening / "log.jsonl")).book.entries]
    older = bodies[0]._replace(args={**bodies[0].args, "texts": 99})
    text = "as it was worded then"
    args = {**bodies[-1].args, "text": text, "digest": hashlib.sha256(text.encode()).hexdigest()}
    rewrite(evening / "log.jsonl", [older, *bodies[1:-1], bodies[-1]._replace(args=args)])
    found = verify(str(evening / "log.jsonl"))
    assert found.ok, found.findings
    assert any(
        line.startswith("what players were told: 1 posted text of texts version 99") for line in found.not_checked
    )


# ---- receipts under texts ------------------------------------------------------------------------------------------


def test_texts_for_everybody_end_with_a_receipt_and_no_other_text_does(game_demo: Path) -> None:
    """`receipt` and 64 hex digits: the hash of an earlier line, and no number that tells how many there are."""
    match = Match(str(game_demo / "log.jsonl"))
    hashes = {entry.hash: entry.seq for entry in match.book.entries}
    seen = 0
    for entry in match.book.entries:
        if entry.body.do == "posted":
            *_, last = entry.body.args["text"].splitlines()
            word, _, hash = last.partition(" ")
            part, parts = split_name(entry.body.args["item"])[1], entry.body.args.get("parts") or 0
            if entry.body.args["audience"] == "public" and part == parts:
                assert word == "receipt" and hashes[hash] < entry.seq
                seen += 1
            else:  # of a text in several messages the last one has it
                assert word != "receipt" and not {last, hash} & set(hashes)
    assert seen


# ---- receipts that somebody kept -----------------------------------------------------------------------------------


def test_a_head_in_three_lines_is_checked_in_all_three(evening: Path) -> None:
    path = str(evening / "log.jsonl")
    entries = Match(path).book.entries
    game, last, number = entries[0].hash, entries[-1].hash, len(entries)
    good = PublicHead(game, number, last)
    assert verify(path, heads=[good]).ok
    assert codes(verify(path, heads=[good._replace(entries=number - 1)])) == ["receipt.number"]
    assert codes(verify(path, heads=[good._replace(game=last)])) == ["receipt.match"]
    assert codes(verify(path, heads=[good._replace(hash="1" * 64)])) == ["receipt.unknown"]


def test_heads_are_read_out_of_chats() -> None:
    head = PublicHead("a1" * 32, 51, "b2" * 32)
    for text in (head.text, f"mara:\n{head.text}good night", "```\n" + head.text + "```"):
        assert read_receipts(text).heads == (head,)
        assert read_receipts(text).digests == (Digest("receipt", head.hash),)
    quoted = "".join(f"> {line}\n" for line in head.text.splitlines()).removeprefix("> ")
    assert read_receipts(quoted).heads == (head,)
    assert read_receipts(f"{'c3' * 32} and {'C3' * 32}").digests == (Digest("", "c3" * 32),)
    assert read_receipts("d4" * 33).digests == ()


A, B = "a1" * 32, "b2" * 32


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        (f"receipt {A}", [("receipt", A)]),
        (f"mara: the Receipt of tonight is `{A}`", [("receipt", A)]),
        (f"> **receipt**: \\`{A}\\`", [("receipt", A)]),
        (f"receipts {A} and {B}", [("receipt", A), ("receipt", B)]),
        (f"verified: 24 entries, receipt {A}", [("receipt", A)]),
        (f"  hash {A}", [("receipt", A)]),
        (f"the commitment is {A}, its receipt is {B}", [("commitment", A), ("receipt", B)]),
        (f"The deal is committed to: commitment {A}. Add words.\nreceipt {B}", [("commitment", A), ("receipt", B)]),
        (f"commitment\n{A}", [("", A)]),
        (f"commitments are fine\n{A}", [("", A)]),
        (f"{A}\nreceipt {A}", [("receipt", A)]),
        (f"Its seed was {A}: anyone can", [("seed", A)]),
        (f"Bob added words to the deal: {A}", [("word", A)]),
        (f'{{"prev":"{A}","seal":"{B}"}}', [("prev", A), ("seal", B)]),
        (f'{{"content":"It is so.\\nreceipt {A}"}}', [("receipt", A)]),
        (f'{{"content":"a commitment\\n{A}"}}', [("", A)]),
        (f"https://cdn.example/x.png?ex=1&hm={A}& receipt {B}", [("receipt", B)]),
        (f'"https://cdn.example/x.png?a={A}&hm={B}","receipt {B}"', [("receipt", B)]),
        (f"reheaded hashish proceeds {A}", [("", A)]),
    ],
)
def test_the_last_word_before_a_hash_in_its_line_says_what_it_is(text: str, taken: list[tuple[str, str]]) -> None:
    """docs/log-format.md section 10; in links there is no receipt, and an exported chat writes \\n for a line's end."""
    assert list(read_receipts(text).digests) == taken


# ---- at the command line -------------------------------------------------------------------------------------------


def posts(here: Host, name: str, audience: str, *words: str) -> None:
    """The mark of a text that no command posted; ` / ` between its lines."""
    text = " ".join(words).replace(" / ", "\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    append(here.path, "posted", {"item": name, "audience": audience, "channel": "#x", "text": text, "digest": digest})


def texts(here: Host) -> list[str]:
    return [item.text for item in outbox(here.match).waiting]


def says(here: Host, *words: str) -> None:
    """Type it and post what everybody and each player is told of it, or else what it shows: chat.txt is the channel."""
    shown = here.hl(" ".join(words)).out
    with (here.folder / "chat.txt").open("a", encoding="utf-8") as chat:
        chat.write("\n".join([*(texts(here) or [shown]), ""]))
    here.hl("outbox done all --yes")


def unmoved(here: Host, *words: str) -> bool:
    before = texts(here)
    here.hl(" ".join(words))
    return before == texts(here)


def named(here: Host) -> dict[str, str]:
    """What stands for a hash in a case."""
    entries = here.match.book.entries
    commitment = next(entry.body.args["commitment"] for entry in entries if entry.body.do == "commit")
    own = {"COMMITMENT": commitment, "LAST": entries[-1].hash}
    return {**own, "WORD": "5e" * 32, "FORGED": "ab" * 32, "SEAL": "77" * 32}


def against(here: Host, name: str, *words: str) -> str:
    """What `verify --receipts` says of these words, ` / ` between the lines, or of the channel."""
    given = here.file("other.txt", " ".join(words).replace(" / ", "\n").format(**named(here)))
    file = given if words else here.folder / "chat.txt"
    told = here.type("-g", name, "verify", "--receipts", str(file), code=None).text
    for word, found in named(here).items():
        told = told.replace(found, f"{{{word}}}")
    return lined(told)


def with_receipts(here: Host, *seqs: str) -> str:
    """What `verify` says with the receipts of these lines; the last is in capitals."""
    receipts = [here.match.book.entries[int(seq) - 1].hash for seq in seqs]
    receipts[-1] = receipts[-1].upper()
    return lined(here.hl("verify", *(word for receipt in receipts for word in ("--receipt", receipt))).text)


SHOWS = {
    **CHECKED,
    "posts": posts,
    "says": says,
    "against": against,
    "alarms": lambda here, *words: re.findall(r" \[(receipt\.\w+)\]", against(here, *words)),
    "with": with_receipts,
    "unmoved": unmoved,
}
FILES = {"night.txt": "good night " + "ab" * 32}
SHORT = {
    "committed": f"""
        match equilibrium p0 p1 p2 p3 p4 p5 p6 p7 ; : says commit ; : says word p0 'a rainy day'
        : says word p1 {"5e" * 32} ; : says deal ; : says open ; : says anchor {{link}}
        : says close --yes ; : says final ; : says receipt
    """,
}
NEED_BODIES = (
    "status", "log", "view --for ann", "outbox", "final", "explain ann", "redact --for ann -o x", "note hello",
)  # fmt: skip
CHECKS = f"""
a text to the wrong player, or of no name, is found
  demo equilibrium ; : posts 21b bob hello ; : posts 999z ann hello ; : found == posted.audience posted.unknown
a receipt under a text does not change while others record: what a host has pasted is what `done` keeps
  demo equilibrium ; : unmoved note meanwhile == yes
a foreign receipt under a text is found, also in a redacted copy
  demo equilibrium ; : posts 21a public All is well. / receipt {"ab" * 32} ; : found == posted.other posted.receipt
  redact --for ann -o ann.jsonl ; : found ann.jsonl == posted.receipt
the newest receipt says from where on nothing is proved
  demo equilibrium ; verify ~ whether all of it was rewritten: you gave no receipt (--receipt HASH)
  : with 10 4 ~ whether lines 11 to 69 was rewritten: you gave no receipt of it or of a later line (--receipt HASH)
  : with 68 ~ whether line 69 was rewritten ; : with 4 69 !~ rewritten ; : with 4 69 ~ is of line 4 / ~ is of line 69 /
verbs that need the bodies say so of a redacted log
  demo equilibrium ; redact --for ann -o copy.jsonl ; > -g copy.jsonl receipt
  {" ; ".join(f"2 > -g copy.jsonl {line} ~ so it can only be verified [log.redacted]" for line in NEED_BODIES)}
a receipt that is none is refused
  file equilibrium ; 2 verify --receipt '' ~ [receipt.unreadable]
  2 verify --receipt 12 ~ [receipt.unreadable] ; 2 verify --receipt {"g" * 64} ~ [receipt.unreadable]
  2 verify --receipt {"ab" * 33} ~ [receipt.unreadable] ; 2 verify --receipts night.txt --signers x ~ [receipt.unsigned]
  2 verify --receipts m ~ [receipt.file]
"""
CHANNEL = """
the hosts' own texts are no alarm: a commitment is no receipt (issue 16), and a player's word may look like a hash too
  committed ; : alarms m == ; : against m ~ / verified: ~ commitment {COMMITMENT} is of line 10 / ~ word {WORD} is of
  : verify --receipts chat.txt | receipts.kind ~ receipt ~ commitment ~ word !~ none
a forged receipt and a forged commitment are found, also with a copy
  committed ; : alarms m receipt {FORGED} == receipt.unknown ; : alarms m {FORGED} == receipt.unknown
  : alarms m mara: the receipt of tonight is {FORGED} == receipt.unknown
  : alarms m receipt {COMMITMENT} == receipt.unknown
  : alarms m The deal is committed to: commitment {FORGED}. == receipt.commitment
  : alarms m Its seed was {FORGED} == receipt.seed ; redact --for p3 -o copy.jsonl
  : alarms copy.jsonl commitment {FORGED} == receipt.commitment ; : alarms copy.jsonl commitment {COMMITMENT} ==
  : alarms copy.jsonl seed {FORGED} ==
  : against copy.jsonl seed {FORGED} ~ not checked: whether seed {FORGED} is of this log
what is no receipt and has no word is told as what it was taken for
  committed ; : alarms m {COMMITMENT} / {LAST} / {WORD} / seal {SEAL} ==
  : against m {COMMITMENT} / {LAST} ~ commitment {COMMITMENT} is of line 10 / ~ receipt {LAST} is of line
  : against m {WORD} / seal {SEAL} ~ word {WORD} is of line ~ not checked: seal {SEAL}: hl looks up receipts
"""
test_what_verify_says = plays(CHECKS, CHANNEL)


# ---- what this release cannot read, and what it needs --------------------------------------------------------------


@pytest.mark.parametrize(
    ("newer", "said"),
    [({"rules": 99}, "rules 99"), ({"format": 2}, "what the other lines say, the rules, the laws, the draws")],
    ids=["rules", "format"],
)
def test_a_log_of_a_newer_release_is_checked_as_far_as_can_be(evening: Path, newer: Any, said: str) -> None:
    """Chain and seals; under a newer format a body may hold what this release does not know."""
    log = evening / "log.jsonl"
    first, *more = [entry.body for entry in Match(str(log)).book.entries]
    rewrite(log, [first._replace(args={**first.args, **newer}), *more])
    if "format" in newer:
        bodies = [line[line.index(b',"body":') + 8 : -2] for line in log.read_bytes().splitlines(keepends=True)]
        bodies[4] = bodies[4].replace(b'"do":"seat"', b'"do":"seat","mood":"new"')
        sealed(log, bodies)
    found = verify(str(log))
    assert found.ok, found.findings
    assert found.entries == 1 + len(more) and any(said in line for line in found.not_checked)
    for verb in ("status", "final", "note x"):
        code, _, err = hl(*host_of(evening, "mara"), *verb.split())
        assert code == 2 and "[log.newer]" in err


def test_all_findings_come_at_once_in_the_order_of_the_lines(evening: Path) -> None:
    """A posted text, a draw, a contested entry, a bad byte at the end, a receipt: one run."""
    here = host_of(evening)
    assert hl(*here, "override", "ann", "hand", "R1 R1 R1 R1 R1", "--yes")[0] == 0
    append(evening, "posted", {"item": "19b", "audience": "ann", "channel": "c", "text": "x", "digest": "0" * 64})
    append(evening, "trade", {"a": "ann", "b": "bob", "give": "B1", "take": "B2"})
    args = {"among": ["ann", "bob"], "outcome": "bob", "seed": "00" * 32}
    append(evening, "lot", args)
    with (evening / "log.jsonl").open("ab") as log:
        log.write(b'{"seq":1}\n')
    found = verify(str(evening / "log.jsonl"), ["ab" * 32])
    told = codes(found)
    assert {"posted.digest", "posted.unknown", "log.contested", "draw.other", "receipt.unknown", "log.layout"} <= set(
        told
    )
    assert [finding.line for finding in found.findings] == sorted(finding.line for finding in found.findings)
    assert any(line.startswith("everything after line") for line in found.not_checked)


def test_contested_entries_beyond_a_hundred_are_counted(evening: Path) -> None:
    """Nothing is left out in silence."""
    last = Match(str(evening / "log.jsonl")).book.entries[-1].body
    args = {"a": "ann", "b": "bob", "give": "B1", "take": "B2"}
    with LogFile(evening / "log.jsonl").writing() as writer:
        writer.append([Body("trade", last.recorded, last.by, last.recorded, args) for _ in range(130)])
    found = verify(str(evening / "log.jsonl")).findings
    assert {finding.code for finding in found} == {"log.contested"} and len(found) == 101
    assert "and 29 more either" in found[-1].what


def test_a_long_text_counts_as_posted_too(evening: Path) -> None:
    """A final reveal of many players is longer than a note may be."""
    from games.table import actions as shared

    item = outbox(Match(str(evening / "log.jsonl"))).waiting[0]
    action = reader(shared.Posted)({**posted_args(item), "text": "x" * 20_000})
    assert len(action.text) == 20_000


def test_what_a_host_set_and_undid_excuses_no_broken_law(evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = load("equilibrium")._replace(invariants=lambda state: ("nothing adds up",))
    monkeypatch.setattr("ledger.audit.verify.load", lambda *_: odd)
    log = evening / "log.jsonl"
    bodies = [entry.body for entry in Match(str(log)).book.entries]
    opened = [body.do for body in bodies].index("open") + 1
    start = [body for body in bodies[:opened] if body.do != "amend-setting"]
    rewrite(log, start)
    append(evening, "override", {"field": "garnets", "player": "ann", "value": "1"})
    report = verify(str(log))
    assert "fold.law" not in codes(report) and any("nothing adds up" in line for line in report.not_checked)
    append(evening, "undo", {"target": len(start) + 1})
    assert "fold.law" in codes(verify(str(log)))
