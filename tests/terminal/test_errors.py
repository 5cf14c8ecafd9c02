"""Every code that an error can carry is found in the sources and stands in docs/errors.md
or on the page of its game, and nothing else does.

A code is `area.reason` and stable: hosts and programs look for it. A code that is put together from parts must be able
to become one of those in the page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest

from events import errors
from ledger.cli.errors import exit_code
from ledger.cli.verbs import shared_verbs
from ledger.core.extras import NotInstalled
from tests.support.sources import ROOT, modules, nodes

PAGE = ROOT / "docs" / "errors.md"
CODE = re.compile(r"[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*")
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
CLASSES = {**{name: cls for name, cls in vars(errors).items() if isinstance(cls, type)}, "NotInstalled": NotInstalled}


MADE = {"Finding": 1, "Fault": 3, "checked": 2, "wrong": 0}
"""What is made before an error is raised, or in its place, and where its code stands: ledger/exchange/models.py."""


class Site(NamedTuple):
    """One place where an error (or a finding of `verify`) is made."""

    where: str
    cls: str
    code: re.Pattern[str]
    fix: str


class Made(NamedTuple):
    """What the sources make: errors, and codes that are chosen before they are used."""

    sites: list[Site]
    chosen: set[str]


def sites(tree: Iterable[ast.AST], where: str) -> Iterator[Site]:
    """Every error made in a source file."""
    made = MADE if where.startswith(("ledger/exchange/", "ledger/core/")) else {"Finding": 1}
    for node in tree:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name == "_bad":  # events/reading.py: seq, code, what
            name, arguments = "Damaged", node.args[1:]
        else:
            arguments = node.args[made.get(name, 0) :]
        if (name in CLASSES or name in made) and arguments:
            fix = arguments[2] if len(arguments) > 2 else None
            for code in codes(arguments[0]):
                cls = name if name not in made or name == "Finding" else "Unreadable"
                yield Site(f"{where}:{node.lineno}", cls, code, text(fix))


def codes(node: ast.expr) -> list[re.Pattern[str]]:
    """What a code may be: itself, a pattern for one put together, nothing for one that is handed on."""
    if isinstance(node, ast.IfExp):
        return codes(node.body) + codes(node.orelse)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        return []  # it was made, and is seen, elsewhere
    return [re.compile(pattern(node))]


def pattern(node: ast.expr) -> str:
    """A text in the source as a regular expression: what is filled in may be any name."""
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(pattern(part) for part in node.values)
    return "[a-z_]+"


def text(node: ast.expr | None) -> str:
    """A fix as far as it is written out."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(text(part) if isinstance(part, ast.Constant) else "..." for part in node.values)
    return ""


def local_codes(tree: Iterable[ast.AST]) -> set[str]:
    """Codes that are chosen first and used later: `code = "log.seq" if ...`, a table of them, an argument `code=`."""
    found = set()
    for node in tree:
        if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
            found.add(node.value.value)
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        if node.targets[0].id.lower() in ("code", "codes"):
            found |= {one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)}
    return {code for code in found if isinstance(code, str) and CODE.fullmatch(code)}


@pytest.fixture(scope="module")
def made() -> Made:
    """All that the sources make, read when a test asks for it: every worker collects this file, one runs it."""
    found = [site for one in modules() for site in sites(nodes(one), one.where)]
    return Made(found, {code for one in modules() for code in local_codes(nodes(one))})


PAGES = [PAGE, *sorted((ROOT / "docs" / "games").glob("*.md"))]
LISTED = [row for page in PAGES for row in ROW.findall(page.read_text(encoding="utf-8"))]
ROWS = {code: (exits.strip(), what.strip(), fix.strip()) for code, exits, what, fix in LISTED}


def test_every_code_is_in_the_page_and_no_other(made: Made) -> None:
    """What a host may read in brackets he finds in docs/errors.md; a row that became stale is found."""
    missing = [f"{s.where} {s.code.pattern}" for s in made.sites if not any(s.code.fullmatch(code) for code in ROWS)]
    assert not missing, "\n".join(["no row in docs/errors.md for:", *missing])
    assert not made.chosen - set(ROWS)
    live = {code for code in ROWS if code in made.chosen or any(s.code.fullmatch(code) for s in made.sites)}
    assert not set(ROWS) - live - {"unexpected"}


def written(site: Site) -> int:
    """How much of a code is written out in the source."""
    return len(site.code.pattern.replace("[a-z_]+", "").replace("\\", ""))


def test_exit_codes_are_those_of_the_class(made: Made) -> None:
    """The page gives the exit codes that the classes in the source lead to."""
    wanted: dict[str, set[str]] = {}
    for code in ROWS:
        able = [site for site in made.sites if site.code.fullmatch(code)]
        most = max((written(site) for site in able), default=0)
        for site in able:
            if written(site) == most:  # what is written out wins over what may be put together
                cls = errors.Damaged if site.cls == "Finding" else CLASSES[site.cls]
                wanted.setdefault(code, set()).add(str(exit_code(cls("a.b", ""))))
    told = {code: set(ROWS[code][0].split(" or ")) for code in wanted}
    assert told == wanted


def test_every_row_says_what_to_do() -> None:
    """Codes have one form, area.reason in lower case; no cell is empty."""
    assert ROWS and not [code for code in ROWS if code != "unexpected" and not CODE.fullmatch(code)]
    assert not [code for code, cells in ROWS.items() if not all(cells)]


def test_fixes_name_verbs_that_exist(made: Made) -> None:
    """A message that says `hl waiting` when there is no such verb helps nobody."""
    from games.records import kebab
    from games.registry import load, names

    known = set(shared_verbs()) | {kebab(cls) for name in names() for cls in load(name).actions}
    known |= {one.verb for name in names() for one in load(name).lookups}
    named = [(s.where, verb) for s in made.sites for verb in re.findall(r"\bhl ([a-z][a-z-]*)", s.fix)]
    assert named
    assert not [(where, verb) for where, verb in named if verb not in known]


PLANTED = [
    'raise Refused("planted.code", "what", "fix")',
    'x = [Unreadable("planted.code", "what")]',
    'found.append(Finding(3, "planted.code", "what"))',
    'raise Refused(f"planted.{kind}", "what")',
]


@pytest.mark.parametrize("source", PLANTED)
def test_the_check_itself_can_fail(source: str) -> None:
    """An error made in any of these ways is seen."""
    (site,) = sites(ast.walk(ast.parse(source)), "planted.py")
    assert site.code.fullmatch("planted.code")
    assert not any(site.code.fullmatch(code) for code in ROWS)
