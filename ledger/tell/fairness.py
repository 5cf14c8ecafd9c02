"""What `final` says of a deal that was committed to: how an audience can draw it again, or why it cannot.

It is made from the entries that the audience may open, and from what everybody was told of the deal: that it was
replaced is no secret. Source: design section 5.
"""

from __future__ import annotations

from games.kit.blocks import Block, Span, When, items, text
from games.table.words import replaced_in_words as sentence
from ledger.core.match import Match
from ledger.tell.redact import may_open


def fairness(match: Match, viewer: str) -> list[Block]:
    """One paragraph, and a list: the words in the deal, what was replaced. Empty when nothing was committed to."""
    published = match.published()
    if published is None:
        return []
    deals = match.deals()
    opened = may_open(match, viewer)
    by_line = {match.fold.layout.first_line(entry): entry for entry in deals.entries}
    digest, seed = by_line[published.commitment].body.args["commitment"], published.seed.hex()
    told = f"The deal was fixed before anybody added words: commitment {digest}. "
    if any(entry.body.args.get("seed") == seed and entry.seq in opened for entry in deals.entries):
        said = text(f"{told}Anyone can draw it again: seed {seed}.")
    else:
        why = "The hands that were dealt stay secret, and so does the seed: an auditor with the whole log can check it."
        said = text(told + why)
    more = {True: ". A host has ruled on it.", False: ". No host has said why."}
    lines: list[str | tuple[Span, ...]] = [f"{match.table.name(p)} added: {words}" for p, words in published.words]
    lines += [(f"{sentence(one.kind)} It was on ", When(one.at), more[one.ruled]) for one in match.judged().replaced]
    return [said, *([items(*lines)] if lines else [])]
