"""Equilibrium: eight players, five cards each; every pair may trade one card each way, once.

Whoever balances black and red best, holds the best poker hand, or does well in both, wins a Token of Life.
"""

from games.contract import Deal, Game, Override, Scored, VisibleTo
from games.equilibrium import facts, report, rules, view
from games.equilibrium.actions import VISIBILITY
from games.equilibrium.cards import DECK, HAND_SIZE, read_cards
from games.parts.build import assemble
from games.table.prepare import NONE, or_none

GAME = assemble(
    Game(
        name="equilibrium",
        title="Equilibrium",
        players=(8, 8),
        places=lambda settings: (len(DECK) // HAND_SIZE, "the deck has five cards each for eight"),
        visibility=VISIBILITY,
        state=facts.State,
        table_facts=facts.TABLE_FACTS,
        phases=report.PHASES,
        deal=Deal(
            deck=lambda state: DECK,
            each=HAND_SIZE,
            read=read_cards,
            may_deal=rules.must_be_undealt,
            after=rules.dealt,
            others="dealt_hands",
        ),
        verbs=rules.VERBS,
        on_elapsed=rules.elapsed,
        follow=rules.follow,
        due=rules.due,
        overrides={
            "hand": Override(
                '"R4 B4 R9 B9 R2"|none',
                or_none(lambda typed: " ".join(read_cards(typed))),
                facts=lambda state, player, cards: (
                    facts.HandSet(player, () if cards == NONE else tuple(cards.split())),
                ),
            )
        },
        verdict=rules.verdict,
        scored=Scored(
            lambda state: {player: worth.difference for player, worth in rules.standing(state).worths.items()},
            VisibleTo("final_er", after_end=True),
            rules.ranking,
            (VisibleTo("final_classes", after_end=True),),
            lambda state: "difference (lower is better)",
        ),
        broken=rules.broken,
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.EquilibriumView,
        of_match=view.of_match,
        report=report.report,
        scores=report.scores,
        board=report.board,
        now=report.standing_now,
        short=report.in_short,
        completions=rules.suggest,
        asks=rules.asks,
        synonyms={"recolor": "recolour"},
    )
)
