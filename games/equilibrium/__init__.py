"""Equilibrium: eight players, five cards each; every pair may trade one card each way, once.

Whoever balances black and red best, holds the best poker hand, or does well in both, wins a Token of Life.
"""

from games.contract import Game
from games.equilibrium import actions, facts, notices, report, rules, settings, suggest, view, words

GAME = Game(
    name="equilibrium",
    title="Equilibrium",
    rules=1,
    texts=1,
    players=(8, 8),
    garnet_cap=lambda s: s.garnet_cap,
    settings=settings.Settings,
    visibility=settings.VISIBILITY,
    actions=actions.OWN,
    facts=facts.OWN,
    lookups=(),
    synonyms={"recolor": "recolour"},
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
    has=frozenset(("tokens", "elimination", "gift", "vote", "lot", "garnets", "deal", "rounds", "choose")),
    moves=lambda state, player: (),
    demo="demo.hl",
)
