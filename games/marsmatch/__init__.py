"""MarsMatch: N players, N packs of 54 cards; whoever is first to be rid of his cards wins the Real Match.

Heavenly hands win before it; in it, combinations are beaten by higher ones of the same shape, and by bombs.
"""

from games.contract import Game, Lookup
from games.marsmatch import actions, facts, hint, notices, report, rules, settings, suggest, view, words

GAME = Game(
    name="marsmatch",
    title="MarsMatch",
    rules=1,
    texts=1,
    players=(2, 999),
    garnet_cap=lambda s: None,
    settings=settings.Settings,
    visibility=settings.VISIBILITY,
    actions=actions.OWN,
    facts=facts.OWN,
    lookups=(Lookup("hint", "List what a player could play now (for hosts alone).", hint.hint, hint.report),),
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
    rounds=lambda frame, view, name: [],
    tell=notices.tell,
    explain=words.explain,
    waiting=view.waiting,
    suggest=suggest.suggest,
    invariants=rules.invariants,
    demo="demo.hl",
)
