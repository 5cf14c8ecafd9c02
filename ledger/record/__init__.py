"""Recording: one command's entries under one lock, and what a host asks before changing what stands."""
