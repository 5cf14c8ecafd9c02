"""Poker Auction: five players buy the 52 cards suit by suit with sealed bids; a tied amount counts for nobody.

The highest poker hand wins; who has fewer than five cards, or else the lowest hand, is Elimination Candidate.
"""

from games.contract import COURSE, OWN, Draw, Game, Override, Rounds, Scored, Sheet, Verb, VisibleTo
from games.parts.build import assemble
from games.poker_auction import actions as a, facts, report, rules, view
from games.poker_auction.actions import VISIBILITY
from games.poker_auction.cards import ROUNDS
from games.poker_auction.facts import ORDER, State
from games.table import actions as shared
from games.table.prepare import with_value, word_or_none
from games.table.report import phases_after
from games.table.rounds import content

GAME = assemble(
    Game(
        name="poker_auction",
        title="Poker Auction",
        players=(5, 5),
        places=lambda settings: (len(a.POWERS), "there are five powers (PA-19)"),
        visibility=VISIBILITY,
        phases={
            "power": ("The power round", "submit chips and a ranking of the powers"),
            **{suit: (f"The {suit} round", f"bid on the thirteen {suit}") for suit in ROUNDS},
            **phases_after("The auction"),
            "setup": "The match has not begun.",
        },
        state=State,
        table_facts=facts.TABLE_FACTS,
        rounds=Rounds(
            names=lambda state: ORDER,
            sheets={a.Power: Sheet(rules.power, prepare=rules.prepared), a.Bid: Sheet(rules.bid)},
            resolve=rules.resolve,
            what=lambda state, name: "submission for powers" if name == "power" else f"sheet for {name}",
            items=lambda state, round_, player: a.items(
                content(round_, player), state.table.name, state.settings.min_bid
            ),
            spelled=a.spelled,
        ),
        verbs={
            a.Withdraw: Verb(rules.withdraw),
            # Drawn even if nobody ties: everybody may open this entry, and ties are secret (PA-18).
            shared.Resolve: Verb(
                draw=Draw(
                    "another order",
                    when=lambda state: state.table.round is not None and state.table.round.name == "power",
                    shuffle=lambda state: state.table.present,
                    line=COURSE,
                )
            ),
        },
        overrides={
            "chips": Override("N", line="own_chips", owner="A host corrected your chips."),
            "cards": Override(
                '"2C AS"',
                rules.read_cards,
                lambda state, player, cards: state._replace(cards={**state.cards, player: tuple(cards.split())}),
                line=OWN,
                owner="A host corrected your cards.",
            ),
            "power": Override(
                "spades|diamonds|hearts|clubs|joker|none",
                word_or_none(a.POWERS, code="poker_auction.power", what="power"),
                lambda state, player, power: state._replace(powers=with_value(state.powers, player, power)),
                line="powers",
                public=facts.power_corrected,
            ),
        },
        has=("tokens", "elimination", "gift", "choose", "lot"),
        verdict=rules.verdict,
        scored=Scored(
            rules.scores,
            VisibleTo(("final_hands", "elimination"), after_end=True),
            rules.ranking,
            counts=lambda state: "class of the best hand (9 is best)",
        ),
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.AuctionView,
        of_match=view.of_match,
        order=facts.in_seat_order,
        page=report.page,
        scores=report.scores,
        board=report.board,
        round_report=report.rounds,
        now=report.now,
        short=report.in_short,
        completions=rules.suggest,
        asks=rules.asks,
        choices=rules.moves,
        broken=rules.invariants,
        faults=rules.faults,
    )
)
