"""Recording: write the entries of one command under one lock, after asking the host what must be confirmed."""
