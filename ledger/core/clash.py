"""Detect another package with one of our names, and say so.

`events`, `games` and `ledger` are common words, and pip overwrites silently. This module imports none of our packages,
because the other package may have replaced them.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib.util import find_spec
from urllib.parse import urlsplit

OURS = ("events", "games", "ledger")
DISTRIBUTION = "host-ledger"


def not_ours() -> list[str]:
    """The names of our packages that Python finds in another folder than this one: another package takes precedence."""
    beside = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    specs = {name: find_spec(name) for name in OURS}
    folders = {name: os.path.dirname(os.path.abspath(spec.origin or "")) for name, spec in specs.items() if spec}
    return [name for name in OURS if folders.get(name) != os.path.join(beside, name)]


def packages_of_our_names() -> list[str]:
    from importlib.metadata import packages_distributions  # as in `source_folder`

    by_module = packages_distributions()
    packages = {package for name in OURS for package in by_module.get(name, ())}
    return sorted(package for package in packages if package.lower().replace("_", "-") != DISTRIBUTION)


def source_folder() -> str:
    """The folder that this program was installed from, or is in. It is on no package index."""
    from importlib import metadata  # 0.9 bare interpreters of `hl --help`, and the next one 1.1
    from urllib.request import url2pathname

    try:
        told = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        told = {}
    url = told.get("url", "")
    beside = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return url2pathname(urlsplit(url).path) if url.startswith("file:") else beside


def refuse(names: list[str]) -> int:
    """Print two lines that say that host-ledger cannot run here; return the exit code."""
    code = "install.clash"
    named = " and ".join(names)
    message = f"the package {named} that Python finds here is not host-ledger's, but another one of that name"
    print(f"hl: {message} [{code}]\n  try: pipx install {shlex.quote(source_folder())}", file=sys.stderr)  # noqa: T201
    return 2
