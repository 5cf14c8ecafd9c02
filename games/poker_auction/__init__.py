"""Poker Auction: five players buy the 52 cards suit by suit with sealed bids; a tied amount counts for nobody.

The highest poker hand wins; who has fewer than five cards, or else the lowest hand, is Elimination Candidate.
"""

from games.kit.sealed import content
from games.parts import COURSE, OWN, Draw, Line, Override, Parts, Rounds, Scored, Sheet, Verb, build
from games.poker_auction import actions as a
from games.poker_auction import end, report, rules, says, view
from games.poker_auction.cards import ROUNDS
from games.poker_auction.settings import VISIBILITY, Settings
from games.poker_auction.state import CHIPS, ORDER, State
from games.poker_auction.suggest import moves, suggest
from games.table import actions as shared
from games.table.prepare import whole, with_value, word_or_none
from games.table.report import phases_after

GAME = build(
    Game(
        name="poker_auction",
        title="Poker Auction",
        players=(5, 5),
        settings=Settings,
        visibility=VISIBILITY,
        phases={
            "power": ("The power round", "submit chips and a ranking of the powers"),
            **{suit: (f"The {suit} round", f"bid on the thirteen {suit}") for suit in ROUNDS},
            **phases_after("The auction"),
            "setup": "The match has not begun: nothing but questions.",
        },
        state=State,
        start=lambda table, settings: State(table, settings, dict.fromkeys(table.seats, CHIPS)),
        prepare={a.Power: rules.prepared},
        rounds=Rounds(
            names=lambda state: ORDER,
            hours=lambda state, name: state.settings.round_hours,
            sheets={a.Power: Sheet(rules.power), a.Bid: Sheet(rules.bid)},
            resolve=rules.resolve,
            what=lambda state, name: "submission for powers" if name == "power" else f"sheet for {name}",
            items=lambda state, round_, player: a.items(content(round_, player), state.table.name),
            spelled=a.spelled,
            may_open=rules.may_open,
        ),
        verbs={a.Withdraw: Verb(rules.withdraw)},
        draws={
            # Drawn also where nobody ties: everybody may open this entry, and ties are secret (PA-18).
            shared.Resolve: Draw(
                "another order",
                when=lambda state: state.table.round is not None and state.table.round.name == "power",
                shuffle=lambda state: state.table.present,
                line=COURSE,
            )
        },
        overrides={
            "chips": Override(
                "N", lambda typed: str(whole(typed)), line="own_chips", owner="A host corrected your chips."
            ),
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
                public=says.power_corrected,
            ),
        },
        says=says.SAYS,
        evolve=rules.EVOLVE,
        has=("tokens", "elimination", "gift", "choose", "lot"),
        verdict=end.verdict,
        scored=Scored(
            end.scores,
            Line("final_hands", after_end=True),
            end.ranking,
            counts=lambda state: "class of the best hand (9 is best)",
        ),
        player=view.PlayerView,
        of_player=view.of_player,
        view=view.AuctionView,
        of_match=view.of_match,
        order=says.in_seat_order,
        page=report.page,
        scores=report.scores,
        board=report.board,
        rounds_told=report.rounds,
        now=report.now,
        short=report.in_short,
        suggest=suggest,
        moves=moves,
        invariants=rules.invariants,
        unpaid=rules.unpaid,
    )
)
