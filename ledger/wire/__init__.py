"""A match that several hosts share: a local mirror, and the wires to servers."""
