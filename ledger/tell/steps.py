"""A match told step by step, for one audience: the sentences about each step, and how things stood after it.

Belongs here: who builds the steps. Does not belong here: how they look (renderers), and how a host walks through them
(the command line).
"""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.tell.host_steps import HostStepBuilder
from ledger.tell.reader_steps import StepBuilder
from ledger.tell.step import Steps


def steps_of(match: Match, fold: Fold, viewer: str) -> Steps:
    """The steps of a match up to the point of `fold`, for one audience.

    Args:
        match: With the entries that are to be known: `match.as_known(seq)` for what was known at an entry.
        fold: A fold of those entries, whole or up to some moment (`reports.at_point`).
        viewer: `host`, `public` or a player.
    """
    match = match.at(fold)
    builder = HostStepBuilder(match) if viewer == HOST_VIEWER else StepBuilder(match, viewer)
    builder.build()
    return Steps(match, viewer, builder.steps, builder.states)
