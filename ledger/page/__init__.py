"""The replay as one page, and as steps in a terminal."""
