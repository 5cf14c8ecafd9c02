"""MarsMatch: N players, N packs of 54 cards; whoever is first to be rid of his cards wins the Real Match.

Heavenly hands win before it; in it, combinations are beaten by higher ones of the same shape, and by bombs.
"""

from games.contract import Lookup
from games.marsmatch import actions as a
from games.marsmatch import deal, hint, report, rules, settings, tricks, view
from games.marsmatch.says import SAYS, for_hosts
from games.marsmatch.state import State
from games.parts import COURSE, Parts, Verb, build
from games.table import actions as shared

GAME = build(
    Parts(
        name="marsmatch",
        title="MarsMatch",
        players=(2, 999),
        settings=settings.Settings,
        visibility=settings.VISIBILITY,
        state=State,
        phases=report.PHASES,
        verbs={
            a.Draw: Verb(deal.draw, others=COURSE),
            a.Play: Verb(tricks.play, own="plays", others="plays"),
            a.Pass: Verb(tricks.pass_, own="plays", others="plays"),
            a.Timeout: Verb(tricks.timeout, own="plays", others="plays"),
        },
        decide={
            **dict.fromkeys((shared.Commit, shared.Seed, shared.Word), deal.fairness),
            shared.Hand: deal.hand,
            shared.Deal: deal.deal,
            shared.Open: rules.open_,
            shared.Close: rules.close,
            shared.Reopen: rules.reopen,
            shared.Ruling: rules.ruling,
        },
        follow=rules.follow,
        evolve=rules.EVOLVE,
        over=view.over,
        due=rules.due,
        overrides=rules.OVERRIDES,
        prepare={
            a.Draw: deal.prepare_draw,
            shared.Hand: deal.prepare_hand,
            shared.Deal: deal.prepare_deal,
            shared.Reopen: rules.prepare_reopen,
        },
        audit={a.Draw: deal.audit_draw, shared.Deal: deal.audit_deal},
        invariants=rules.broken,
        says=SAYS,
        stands=lambda facts, said: False,
        for_hosts=for_hosts,
        has=("choose", "deal"),
        decided=("plays",),
        view=view.MarsView,
        of_match=view.of_match,
        player=view.PlayerView,
        of_player=view.of_player,
        result=view.result,
        audience=view.AUDIENCE,
        waiting=view.waiting,
        report=report.report,
        scores=report.scores,
        board=report.board,
        lookups=(Lookup("hint", "List what a player could play now (for hosts alone).", hint.hint, hint.report),),
        suggest=hint.suggest,
        moves=hint.moves,
    )
)
