"""What every match shares: seats, phases and deadlines, purses, rulings, votes, gifts, lots, overrides."""

from games.table.state import BANK, Choice, Decision, Need, Reward, Seat, Spare, Table, TokenReason, Verdict

__all__ = ["BANK", "Choice", "Decision", "Need", "Reward", "Seat", "Spare", "Table", "TokenReason", "Verdict"]
