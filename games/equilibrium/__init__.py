"""Equilibrium: eight players, five cards each; every pair may trade one card each way, once.

Whoever balances black and red best, holds the best poker hand, or does well in both, wins a Token of Life.
"""

from games.contract import Elapsed
from games.equilibrium import evolve, report, rules, view
from games.equilibrium import settings as gaps
from games.equilibrium.cards import DECK, HAND_SIZE, read_cards
from games.equilibrium.end import ranking, standing, verdict
from games.equilibrium.facts import HandSet
from games.equilibrium.says import SAYS
from games.equilibrium.state import State
from games.equilibrium.suggest import suggest
from games.parts import Deal, Line, Override, Parts, Scored, build
from games.table import actions as shared
from games.table.prepare import NONE, or_none

GAME = build(
    Parts(
        name="equilibrium",
        title="Equilibrium",
        players=(8, 8),
        settings=gaps.Settings,
        visibility=gaps.VISIBILITY,
        phases=report.PHASES,
        state=State,
        deal=Deal(
            deck=lambda state: DECK,
            each=HAND_SIZE,
            read=read_cards,
            may_deal=rules.must_be_undealt,
            after=rules.dealt,
            others="dealt_hands",
        ),
        verbs=rules.VERBS,
        decide={
            shared.Open: rules.open_,
            shared.Close: rules.close,
            shared.Reopen: rules.reopen,
            shared.AmendSetting: rules.amend,
            Elapsed: rules.elapsed,
        },
        evolve=evolve.EVOLVE,
        audience={shared.Hand: rules.hand_audience},
        follow=rules.follow,
        due=rules.due,
        overrides={
            "hand": Override(
                '"R4 B4 R9 B9 R2"|none',
                or_none(lambda typed: " ".join(read_cards(typed))),
                facts=lambda state, player, cards: (HandSet(player, () if cards == NONE else tuple(cards.split())),),
            )
        },
        verdict=verdict,
        scored=Scored(
            lambda state: {player: worth.difference for player, worth in standing(state).worths.items()},
            Line("final_er", after_end=True),
            ranking,
            (Line("final_classes", after_end=True),),
            lambda state: "difference (lower is better)",
        ),
        invariants=evolve.broken,
        says=SAYS,
        player=view.PlayerView,
        of_player=view.of_player,
        view=view.EquilibriumView,
        of_match=view.of_match,
        report=report.report,
        scores=report.scores,
        board=report.board,
        now=report.standing_now,
        short=report.in_short,
        suggest=suggest,
        synonyms={"recolor": "recolour"},
    )
)
