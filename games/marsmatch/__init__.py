"""MarsMatch: N players, N packs of 54 cards; whoever is first to be rid of their cards wins the Real Match.

Heavenly hands win before it; in it, combinations are beaten by higher ones of the same shape, and by bombs.
"""

from games.contract import Lookup
from games.marsmatch import actions as a
from games.marsmatch import cards, draw, hint, report, rules, settings, tricks, view
from games.marsmatch.facts import SAYS, for_hosts
from games.marsmatch.facts import State
from games.parts import COURSE, Deal, Line, Parts, Scored, Verb, build
from games.table import actions as shared

GAME = build(
    Game(
        name="marsmatch",
        title="MarsMatch",
        players=(2, 999),
        settings=settings.Settings,
        visibility=settings.VISIBILITY,
        state=State,
        phases=report.PHASES,
        verbs={
            a.Draw: Verb(draw.draw, others=COURSE),
            a.Play: Verb(tricks.play, own="plays", others="plays"),
            a.Pass: Verb(tricks.pass_, own="plays", others="plays"),
            a.Timeout: Verb(tricks.timeout, own="plays", others="plays"),
        },
        deal=Deal(
            deck=lambda state: cards.deck(len(state.table.present)),
            each=cards.EACH,
            read=cards.read_cards,
            may_deal=draw.may_deal,
            hands=lambda state: {p: cards.cards_of(hand) for p, hand in state.hands.items()},
            dealt=lambda state: state.dealt and {p: cards.cards_of(hand) for p, hand in state.dealt.items()},
            other_sizes="short_hands",
            committed=lambda state: state.round == 1,
        ),
        decide={
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
        prepare={a.Draw: draw.prepare, shared.Reopen: rules.prepare_reopen},
        audit={a.Draw: draw.audit},
        invariants=rules.broken,
        says=SAYS,
        stands=lambda facts, has_news: False,
        for_hosts=for_hosts,
        has=("choose", "deal"),
        decided=("plays",),
        player=view.PlayerView,
        of_player=view.of_player,
        view=view.MarsView,
        of_match=view.of_match,
        result=view.result,
        scored=Scored(view.points, Line("points")),
        audience=view.AUDIENCE,
        waiting=view.waiting,
        report=report.report,
        scores=report.scores,
        board=report.board,
        rounds_told=report.rounds,
        lookups=(Lookup("hint", "List what a player could play now (for hosts alone).", hint.hint, hint.report),),
        suggest=hint.suggest,
        moves=hint.moves,
    )
)
