"""Equilibrium as hosts type it late and out of order: what stands, and what waits for a ruling.

How a case is written: support/lines.py. The scenarios E1 and E2: test_equilibrium_rules.
"""

from __future__ import annotations

from tests.support.lines import plays

LATE = """
EQ-15 two trades give away one card: the earlier stands, though recorded last; the later is undone with all it brought
  desk ; trade ann R2 bob B4 ; trade bob R2 hal R5 ; : garnets ~ ann 2 ; 5 trade ann R2 cyd B5 --at -210s
  trade ann R2 cyd B5 --at -270s --yes ; : contested == @2 @1 ; : garnets ~ ann 1 ; : state hands.bob == B4 R6 R7 R8 R10
  ruling void --about @2 ; : contested == @2
4 events are ordered by effective time, ties by number
  desk ; trade ann R2 bob B4 ; trade ann R2 cyd B5 --at -1m --force --yes ; : contested == @
  : state hands.bob == R2 R6 R7 R8 R10
2, EQ-22 in time means before the end: an entry of that very millisecond is too late, whenever recorded
  desk ; +80h ; note later ; 3 trade ann R2 bob B4 --at 2026-03-05T09:03:00.000Z ~ trading_over
  trade ann R2 bob B4 --at 2026-03-05T09:02:59.999Z --yes ; : contested ==
docs/log-format.md contested while the rules refuse it, in effect once another entry makes it legal
  desk ; trade bob R2 hal R5 --force --yes ; : contested == @ ; : state hands.bob == B4 R6 R7 R8 R10
  trade ann R2 bob B4 --at -90s --yes ; : contested == ; : state hands.hal == B1 R1 B2 R2 R7
"""
SHOWS = {"garnets": lambda here: here.have("garnets")}
test_late = plays(LATE)
