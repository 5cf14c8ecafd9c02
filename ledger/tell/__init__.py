"""Output about a match: reports, texts to post, listings, explanations, differences, copies for others."""
