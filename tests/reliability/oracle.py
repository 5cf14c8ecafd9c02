"""The oracle of the adversary: what was published and is not so any more, and whether anything says so."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from events import LedgerError
from games.contract import Action
from ledger.core.clock import OsLuck
from ledger.core.effective import EffectiveEntry, late_entries
from ledger.core.match import Match
from ledger.tell.texts import collect
from tests.reliability.deceiving import AS_FINAL, DONE_TO, UNSPEAKING, Known, World, chain, check_deal, draws

# ---- the oracle ----------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """Something counts now that is not what the public was told first."""

    datum: str
    what: str
    told: str
    by: frozenset[int]
    """Entries that made it so."""
    of: frozenset[int]
    """Entries that it happened to."""
    says: tuple[str, ...] = ()
    """What a sentence can quote that tells the truth."""


def corrections_of(match: Match, seqs: frozenset[int]) -> frozenset[int]:
    """The entries that correct any of these."""
    found: set[int] = set()
    for seq, _, body in match.fold.layout.about:
        target = body.args.get("target")
        if not isinstance(target, int):
            continue
        if body.do == "redo":
            found.update({seq} if target in found else ())
        elif body.do in ("undo", "amend") and seqs & {target, *match.fold.layout.batch(target)}:
            found.add(seq)
    return frozenset(found)


def differences(world: World) -> list[Difference]:
    """What of the things that were published no longer holds, in the copy that is shown at the end."""
    match, known = world.copy.match(), world.known
    entries = match.book.entries
    there = {entry.hash for entry in entries} | {entry.body.once for entry in entries}
    now = draws(match)
    return [
        *_pinned(match, known, now),
        *_committed(world, match, known, there, now),
        *_newer(match, known, there),
        *(_texts(match, known, there) or _drifted(world, match)),
        *_finals(world, match, known, there),
    ]


def _pinned(match: Match, known: Known, now: dict[Any, Any]) -> Iterator[Difference]:
    entries = {entry.hash for entry in match.book.entries}
    for question, (value, seqs, _) in known.pinned.items():
        datum = {"decision": "lot"}.get(question[0], question[0])
        if question not in now:
            if question[0] == "lot" and question[1] in entries:
                yield Difference(datum, "taken back", str(value), corrections_of(match, seqs), seqs)
            continue
        present, its = now[question]
        if present == value:
            continue
        by = corrections_of(match, seqs | its) | (its - seqs)
        yield Difference(datum, "drawn anew", f"{value}, now {present}", by, seqs, (f"{present}",))


def _seed_behind(match: Match, commitment: str | None) -> str | None:
    """The seed in the log that this commitment was made of."""
    for entry in match.book.entries:
        if entry.body.do == "seed":
            seed = bytes.fromhex(entry.body.args["seed"])
            whole = b"hl-deal-v1\0" + match.book.game_id.encode() + b"\0" + seed
            if hashlib.sha256(whole).hexdigest() == commitment:
                return seed.hex()
    return None


def _committed(
    world: World, match: Match, known: Known, there: set[str | None], now: dict[Any, Any]
) -> Iterator[Difference]:
    """The deal against the commitment and the words as they were told."""
    told = [one for one in known.commitments if one.line in there]
    if ("deal", 0) not in now or not told:
        return
    hands, its = now["deal", 0]
    counting = [o.entry for o in match.fold.outcomes if o.refusal is None]
    dealt = next(live for live in counting if live.do == "deal")
    if dealt.args["method"] != "drawn":
        return  # verify always says so; what was told of it is for `_pinned`
    named = {entry.hash: entry for entry in match.book.entries}
    first = told[0]
    commit = named.get(str(dealt.args.get("commitment")))
    present = commit.body.args.get("commitment") if commit is not None else None
    if present != first.what:
        other = {entry.seq for entry in match.book.entries if entry.body.do == "commit"} - first.seqs
        by = corrections_of(match, first.seqs) | other | {dealt.seq}
        yield Difference("deal", "of another commitment", f"{first.what}, now {present}", by, first.seqs)
    mixed = [named[line] for line in dealt.args.get("words", ()) if line in named]
    words = [((entry.body.args["player"], entry.body.args["text"]), entry.seq) for entry in mixed]
    counted = [said for said, _ in words]
    for one in known.words:
        if one.line in there and one.what not in counted and min(one.seqs) < dealt.seq:
            yield Difference("words", "left out", str(one.what), corrections_of(match, one.seqs), one.seqs)
    said = {one.what: one for one in reversed(known.words)}
    for i, (one, seq) in enumerate(words):
        if one not in said:
            by = corrections_of(match, frozenset({seq})) | {seq}
            yield Difference("words", "that nobody was told", str(one), by, frozenset(), (one[1],))
        step = world.recorded.get(match.book.entries[seq - 1].hash, 0)
        for after, late in words[i + 1 :]:
            if after in said and said[after].step < step:
                by = corrections_of(match, frozenset({seq, late})) | {seq}
                yield Difference("words", "in another order", f"{after}, then {one}", by, frozenset({late}))
    seed = dealt.args.get("seed") or _seed_behind(match, present)
    if seed is None:
        return
    each = dealt.args["draw"]["each"]
    deck = [card for card, copies in dealt.args["draw"]["deal"] for _ in range(copies)]
    mixing = counted if "seed" not in dealt.args else []
    cards = check_deal.shuffled(deck, check_deal.stream(check_deal.mixed(bytes.fromhex(seed), mixing), "deal"))
    to = dealt.args["draw"]["to"]
    drawn = {p: tuple(sorted(cards[each * i : each * (i + 1)])) for i, p in enumerate(to)}
    if drawn != hands:
        wrong = [p for p in to if drawn[p] != hands.get(p)]
        by = corrections_of(match, its) | {seq for seq in its if match.book.entries[seq - 1].body.do == "override"}
        yield Difference("deal", "other hands than the seed's", f"those of {', '.join(wrong)}", by, its)


def _newer(match: Match, known: Known, there: set[str | None]) -> Iterator[Difference]:
    """What is drawn from a commitment that was told, and was not there, or not so, when it was told."""
    named = {entry.hash: entry for entry in match.book.entries}
    told = [one for one in known.commitments if one.line in there]
    for live in [o.entry for o in match.fold.outcomes if o.refusal is None and told]:
        commit = named.get(str(live.args.get("commitment")))
        source = live.args.get("draw")
        if commit is None or not isinstance(source, dict) or live.do == "commit":
            continue
        then, now = match.as_known(commit.seq), match.as_known(live.seq)
        people = [p for p in source.get("to", source.get("each", ())) if p in now.table.seats]
        same = [p for p in people if p in then.table.present and then.table.name(p) == now.table.name(p)]
        seed = OsLuck(live.seq)
        try:
            drawn = then.game.prepare(then.fold.state, _asked(then, live), seed)[-1]
            other = getattr(drawn, "draw", None) != source
        except LedgerError as error:
            other = error.code == "freeform.name"  # a deal of MarsMatch waits for its draw, and that may come after
        if other or same != people:
            changed = {e.seq for e in match.book.entries if commit.seq < e.seq < live.seq and e.body.do in NEWER}
            yield Difference(
                "draw", "newer than the commitment", str(source), changed | {live.seq}, frozenset({live.seq})
            )


NEWER = ("amend-setting", "drop", "replace")


def _asked(match: Match, live: EffectiveEntry) -> Action:
    """What a host would type to have that drawn."""
    kept = {name: live.args[name] for name in ("item", "method") if name in live.args}
    return match.engine.read(live.do, kept, match.table)


def _texts(match: Match, known: Known, there: set[str | None]) -> list[Difference]:
    """Posted sentences that no text for everybody says now."""
    if not known.texts:
        return []
    found: list[Difference] = []
    items = collect(match, match.book.entries).values()
    said = {line for item in items if item.audience == "public" for line in item.text.splitlines()}
    entries = match.book.entries
    late = late_entries(entries, match.fold.layout)
    for one in known.texts:
        if one.line not in there:
            continue
        caused = next(entry.seq for entry in entries if one.line in (entry.hash, entry.body.once))
        seqs = frozenset(match.fold.layout.batch(caused))
        gone = [line for line in one.what if line not in said]
        if not gone or any(known.corrected.get(entries[seq - 1].hash, -99) > one.step for seq in seqs):
            continue
        after = [entry for entry in entries if entry.seq > min(seqs)]
        by = {entry.seq for entry in after if entry.body.do in ("undo", "redo", "amend") or entry.seq in late}
        of = {t for entry in after if isinstance(t := entry.body.args.get("target"), int)} | seqs
        found.append(Difference("text", entries[caused - 1].body.do, gone[0], frozenset(by), frozenset(of)))
    return found


def _drifted(world: World, match: Match) -> Iterator[Difference]:
    """What the outbox itself would correct of what stands in the public channel."""
    about = match.fold.layout.about
    if not any(entry.body.do == "posted" for entry in about):
        return
    late = late_entries(match.book.entries, match.fold.layout)
    by = {entry.seq for entry in about if entry.body.do in ("undo", "redo", "amend")} | late
    if not by:
        return
    code, out, _ = world.hl("drift", "-f", "json")
    for row in json.loads(out)["drift"] if code == 0 else ():
        if row["channel"] == "the public channel":
            seq = int(re.match(r"\d+", row["item"])[0])  # type: ignore[index]
            of = {t for entry in about if isinstance(t := entry.body.args.get("target"), int)} | {seq}
            told = f"{row['item']}: {row['what']}"
            cause = match.book.entries[seq - 1].body.do
            yield Difference("text", cause, told, frozenset(by), frozenset(of), (row["item"],))


def _finals(world: World, match: Match, known: Known, there: set[str | None]) -> Iterator[Difference]:
    """`final` for everybody: of the commitment it says what was told first, and it is what was posted before."""
    told = [one for one in known.commitments if one.line in there]
    if match.table.status != "finished" or not (told or known.finals):
        return
    _, out, _ = world.hl("final")
    named = AS_FINAL.search(out)
    if told and named and named[1] != told[0].what:
        by = corrections_of(match, told[0].seqs)
        by |= {e.seq for e in match.book.entries if e.body.do == "commit" and e.seq not in told[0].seqs}
        yield Difference("final", "names another commitment", f"{told[0].what}, now {named[1]}", by, told[0].seqs)
    for one in known.finals:
        if one.line in there and one.what != out:
            late = late_entries(match.book.entries, match.fold.layout)
            after = [e for e in match.book.entries if e.seq > max(one.seqs) and e.body.do != "posted"]
            by = frozenset(e.seq for e in after)
            lines = set(out.splitlines())
            gone = next((line for line in one.what.splitlines() if line not in lines), "something was added")
            targets = {t for e in after if isinstance(t := e.body.args.get("target"), int)}
            if any(e.body.do in ("undo", "redo", "amend") or e.seq in late for e in after):
                yield Difference("final", "says something else", gone, by, frozenset(targets))


def speaks(sentence: str, of: Difference) -> bool:
    """Does a sentence of `verify` tell of this difference?"""
    numbers = {int(word) for word in re.findall(r"(?<![\w.:-])#?(\d{1,5})(?![\w:-])", sentence)}
    if numbers & of.by or any(word in sentence for word in of.says if len(word) > 3):
        return True
    if "a host decided" in sentence and of.datum == "deal":
        return True
    return bool(numbers & of.of and DONE_TO.search(sentence))


class Violation(NamedTuple):
    datum: str
    what: str
    told: str


def judge(world: World) -> list[Violation]:
    """What verify keeps silent about."""
    if world.crashed:
        return [Violation("crash", "unexpected error", world.crashed)]
    missing = set(world.known.receipts) - set(chain(world.copy.log.read_bytes()))
    try:
        found = differences(world)
    except LedgerError as error:
        told = world.verify()
        return [] if told["findings"] else [Violation("log", "verifies and cannot be read", error.what)]
    world.differs = bool(missing or found)
    if not world.differs:
        return []
    answer = world.verify()
    joined = any(entry.body.do == "join" for entry in world.copy.match().book.entries)
    second = "" if joined else world.second()
    if answer["findings"]:
        silent = missing and world.redacted_verifies()
        return [Violation("receipt", "unknown, and the copy for the public verifies", min(missing))] if silent else []
    if missing:
        return [Violation("receipt", "unknown, and verified", min(missing))]
    sentences = [*answer.get("remarks", ()), *(s for s in answer["not_checked"] if not s.startswith(UNSPEAKING))]
    unsaid, entries = [], world.copy.match().book.entries
    for one in found:
        drawn = any("seed" in entries[seq - 1].body.args for seq in one.of if seq <= len(entries))
        if one.what == "drawn anew" and drawn and one.datum in ("lot", "draw", "resolve"):  # a remark says too little
            ruled = [
                sentence for sentence in sentences if "a host has ruled on it" in sentence or "typed in" in sentence
            ]
            if not any(speaks(sentence, one) for sentence in ruled):
                unsaid.append(Violation(one.datum, one.what, one.told))
            continue
        wrong = second.startswith("WRONG") and one.datum in ("deal", "words", "lot", "draw", "resolve")
        if not (wrong or any(speaks(sentence, one) for sentence in sentences)):
            unsaid.append(Violation(one.datum, one.what, one.told))
    return unsaid
