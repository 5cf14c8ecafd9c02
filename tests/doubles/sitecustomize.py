"""Puts the laws of another system in the place of this one's, in every Python that is started with this folder on its
path and HL_DOUBLE set to `windows` or `macos`: the project's own code for that system runs, on real files."""

from __future__ import annotations

import os

if os.environ.get("HL_DOUBLE"):
    import sys

    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from tests.support import laws

    laws.install(os.environ["HL_DOUBLE"])
    del sys.path[0]
