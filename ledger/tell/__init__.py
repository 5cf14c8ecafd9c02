"""Output about a match: reports, texts to be posted, listings, explanations, differences, copies for others."""
