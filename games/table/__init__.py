"""What every match shares: seats, phases and deadlines, purses, rulings, votes, gifts, lots, overrides."""

from games.table.state import BANK, Decision, Need, Reward, Seat, Table, TokenReason, Verdict

__all__ = ["BANK", "Decision", "Need", "Reward", "Seat", "Table", "TokenReason", "Verdict"]
