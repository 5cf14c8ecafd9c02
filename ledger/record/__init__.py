"""Recording: the entries of one command under one lock, and the questions to a host before it."""
