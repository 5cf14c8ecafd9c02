"""What a write verb answers as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.records import plain, snake

if TYPE_CHECKING:
    from games.contract import Game
    from ledger.record.plan import Written


def as_json(game: Game, written: Written, *, dry: bool) -> dict[str, Any]:
    """Source: design section 8, JSON of write verbs."""
    facts = [
        {
            **plain(fact),
            "fact": snake(type(fact)),
            "seq": outcome.live.seq,
            "text": game.explain(written.after, fact).text,
        }
        for outcome in written.outcomes
        for fact in outcome.facts
    ]
    contested = [
        {"seq": outcome.live.seq, "code": outcome.refusal.code, "what": outcome.refusal.what}
        for outcome in written.contested
        if outcome.refusal is not None
    ]
    drift = [text.as_json() for text in written.drift]
    seqs = [] if dry else list(written.seqs)
    document = {"ok": True, "seq": seqs, "facts": facts, "contested": contested, "drift": drift}
    return {**document, "dry_run": True} if dry else document
