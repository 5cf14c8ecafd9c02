"""What `final` says of a deal that was committed to: how an audience can draw it again, or why it cannot.

It is made from the entries that the audience may open, and from nothing else. Source: design section 5.
"""

from __future__ import annotations

from typing import Any

from games.kit.blocks import Block, text
from ledger.match import Match
from ledger.redact import may_open


def fairness(match: Match, viewer: str) -> list[Block]:
    """One paragraph; empty when nothing was committed to."""
    struck = match.fold.marks.struck
    opened = [match.book.entries[seq - 1].body for seq in sorted(may_open(match, viewer)) if seq not in struck]
    said: dict[str, Any] = {body.do: body.args for body in opened if body.do in ("commit", "seed")}
    if "commit" not in said:
        return []
    told = f"Before anybody added words, the deal was committed to as commitment {said['commit'].get('commitment')}. "
    if "seed" in said:
        return [text(f"{told}Its seed was {said['seed'].get('seed')}: anyone can draw it again.")]
    why = "The hands that were dealt stay secret, and so does the seed: an auditor with the whole log can check it."
    return [text(told + why)]
