"""SHA-256, from whichever place is cheaper.

Python's own SHA-256 needs no loading; that of OpenSSL, behind `hashlib`, is about two and a half times as fast and
takes about 2 ms to load: worth it from some thousands of lines on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import sha256 as sha256
else:
    try:
        from _sha2 import sha256  # 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

MANY_BYTES = 600_000
"""Bytes from which on loading the fast one pays."""


def sha256_for(size: int) -> Callable[[bytes], Any]:
    """The SHA-256 to use for `size` bytes of lines."""
    if size >= MANY_BYTES or "hashlib" in sys.modules:
        import hashlib

        return hashlib.sha256
    return sha256
