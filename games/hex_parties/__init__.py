"""Hex Parties: six players move two pieces each, all at once, on a board of 61 hexagonal cells.

Pieces that stand together are a party; an odd party scores for its odd pieces, an even one for its even ones. Who has
points enough and scores near the centre ends the match.
"""

from games.contract import Game
from games.hex_parties import actions, facts, notices, report, rules, settings, suggest, view, words

GAME = Game(
    name="hex_parties",
    title="Hex Parties",
    rules=1,
    texts=1,
    players=(6, 6),
    garnet_cap=lambda s: s.garnet_cap,
    settings=settings.Settings,
    visibility=settings.VISIBILITY,
    actions=actions.OWN,
    facts=facts.OWN,
    lookups=(),
    synonyms={},
    fields=rules.FIELDS,
    start=rules.start,
    decide=rules.decide,
    evolve=rules.evolve,
    due=rules.due,
    prepare=rules.prepare,
    audit=rules.audit,
    audience=view.audience,
    view=view.view,
    result=view.result,
    report=report.report,
    scores=report.scores,
    board=report.board,
    rounds=report.rounds,
    tell=notices.tell,
    explain=words.explain,
    waiting=view.waiting,
    suggest=suggest.suggest,
    invariants=rules.invariants,
    demo="demo.hl",
)
