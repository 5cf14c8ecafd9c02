"""Polar RPS Party: three rooms that beat each other, two signs, tickets to move and bombs that change a room's score.

Nine rounds of sealed sheets; most points win Tokens of Life, the fewest make an Elimination Candidate.
"""

from games.contract import Game
from games.polar import actions, facts, notices, report, rules, settings, suggest, view, words

GAME = Game(
    name="polar",
    title=notices.TITLE,
    rules=1,
    texts=1,
    players=(2, 13),
    garnet_cap=lambda s: None,
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
