"""MarsMatch: any number of players and as many packs; whoever gets rid of all their cards first wins the Real Match.

Heavenly hands win before it; in it, combinations are beaten by higher ones of the same shape, and by bombs.
"""

from games.contract import COURSE, Deal, Game, Lookup, Scored, Verb, VisibleTo
from games.marsmatch import actions as a, cards, facts, report, rules, view
from games.parts.build import assemble
from games.table import actions as shared
from games.table.view import everybody_who_knows, line_audience

GAME = assemble(
    Game(
        name="marsmatch",
        title="MarsMatch",
        players=(2, 999),
        visibility=a.VISIBILITY,
        state=facts.State,
        table_facts=facts.TABLE_FACTS,
        phases=report.PHASES,
        verbs={
            a.Draw: Verb(rules.draw, others=COURSE, prepare=rules.prepare_draw, audit=rules.audit_draw),
            a.Play: Verb(rules.as_told(rules.play), own="plays", others="plays"),
            a.Pass: Verb(rules.as_told(rules.pass_), own="plays", others="plays"),
            a.Timeout: Verb(rules.as_told(rules.timeout), own="plays", others="plays"),
            shared.Open: Verb(rules.open_),
            shared.Close: Verb(rules.close),
            shared.Reopen: Verb(rules.reopen, prepare=rules.prepare_reopen),
            shared.Ruling: Verb(rules.ruling),
            # A choice names who leads; a deadline moves the end of a turn.
            shared.Choose: Verb(audience=lambda state, act: line_audience(state.table, "plays", "plays", act.player)),
            shared.Deadline: Verb(audience=lambda state, action: everybody_who_knows(state.table, "plays")),
        },
        deal=Deal(
            deck=lambda state: cards.deck(len(state.table.present)),
            each=cards.EACH,
            read=cards.read_cards,
            may_deal=rules.may_deal,
            hands=lambda state: {p: cards.cards_of(hand) for p, hand in state.hands.items()},
            dealt=lambda state: state.dealt and {p: cards.cards_of(hand) for p, hand in state.dealt.items()},
            other_sizes="short_hands",
            committed=lambda state: state.round == 1,
        ),
        follow=rules.follow,
        over=lambda state: state.finished,
        due=rules.due,
        overrides=rules.OVERRIDES,
        broken=rules.broken,
        stands=lambda facts, has_news: False,
        for_hosts=facts.for_hosts,
        has=("choose", "deal"),
        decided=("plays",),
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.MarsView,
        of_match=view.of_match,
        result=view.result,
        scored=Scored(view.points, VisibleTo("points")),
        waiting=view.waiting,
        asks=rules.asks,
        report=report.report,
        scores=report.scores,
        board=report.board,
        round_report=report.rounds,
        lookups=(
            Lookup(
                "hint", "List what a player could play now, for hosts alone.\n\nhl hint ann", view.hint, report.hint
            ),
        ),
        completions=rules.suggest,
        choices=rules.moves,
    )
)
