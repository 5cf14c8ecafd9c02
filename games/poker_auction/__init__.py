"""Poker Auction: five players buy the 52 cards suit by suit with sealed bids; a tied amount counts for nobody.

The highest poker hand wins; who has fewer than five cards, or else the lowest hand, is Elimination Candidate.
"""

from games.contract import Game
from games.poker_auction import actions, facts, notices, report, rules, settings, suggest, view, words

GAME = Game(
    name="poker_auction",
    title="Poker Auction",
    rules=1,
    texts=1,
    players=(5, 5),
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
    has=frozenset(("tokens", "elimination", "gift", "vote", "lot", "garnets", "deal", "rounds", "choose")),
    moves=lambda state, player: (),
    demo="demo.hl",
)
