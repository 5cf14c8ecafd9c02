"""Verify one or many finished logs: bytes, chain, seals, draws, texts, receipts."""
