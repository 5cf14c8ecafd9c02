"""The part of `final` about a deal with a commitment: how an audience can draw it again, or why it cannot.

It is made from the entries that the audience may open, and from what everybody was told about the deal: that it was
replaced is no secret. Source: docs/decisions/0032.
"""

from __future__ import annotations

from games.kit.blocks import Block, Span, When, items, text
from games.table.facts import replaced_in_words as sentence
from ledger.core.match import Match
from ledger.tell.redact import may_open


def fairness(match: Match, viewer: str) -> list[Block]:
    """A paragraph, and a list of the words in the deal and of replaced entries. Empty without a commitment."""
    published = match.published()
    if published is None:
        return []
    deals = match.deals()
    opened = may_open(match, viewer)
    by_line = {match.fold.layout.first_line(entry): entry for entry in deals.entries}
    digest, seed = by_line[published.commitment].body.args["commitment"], published.seed.hex()
    beginning = f"The deal was fixed before anybody added words: commitment {digest}. "
    if any(entry.body.args.get("seed") == seed and entry.seq in opened for entry in deals.entries):
        paragraph = text(f"{beginning}Anyone can draw it again: seed {seed}.")
    else:
        why = "The hands that were dealt stay secret, and so does the seed: an auditor with the whole log can check it."
        paragraph = text(beginning + why)
    ruled = {True: ". A host has ruled on it.", False: ". No host has said why."}
    lines: list[str | tuple[Span, ...]] = [f"{match.table.name(p)} added: {words}" for p, words in published.words]
    lines += [(f"{sentence(r.kind)} It was on ", When(r.at), ruled[r.ruled]) for r in match.judged().replaced]
    return [paragraph, *([items(*lines)] if lines else [])]
