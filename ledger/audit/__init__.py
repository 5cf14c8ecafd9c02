"""Proving a finished log, one or many: bytes, chain, seals, draws, texts, receipts."""
