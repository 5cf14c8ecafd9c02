"""Changes of a source that no test should overlook: what they are, and how a module is made with one of them.

A comparison turned, an operator exchanged, a number one off, a condition negated, a short word altered, a statement
left out. Types, docstrings, imports and the words of messages are left alone.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
MESSAGES = ("Refused", "Unreadable", "Arg", "Setting", "Damaged")
"""Calls of which only the first argument is more than words."""


class Mutant(NamedTuple):
    """One source with one change."""

    file: str
    """From the folder of the project."""
    line: int
    lines: range
    """Lines of the statement that is changed: a test that runs none of them cannot notice."""
    old: str
    new: str
    code: CodeType
    """The whole module, compiled; line numbers are those of the file."""

    @property
    def name(self) -> str:
        """As it stands in mutants_explained.txt."""
        return f"{self.file}\t{self.old.strip()}\t{self.new.strip()}"

    @property
    def any_name(self) -> str:
        """As it stands there when any change of that line is explained."""
        return f"{self.file}\t{self.old.strip()}\t*"


def mutants(path: Path, root: Path, variants: Callable[[ast.AST], Iterator[ast.AST]] | None = None) -> Iterator[Mutant]:
    """Every change of one source, in the order of its lines.

    Args:
        variants: What could stand in the place of a node; by default whatever no test should overlook.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    quiet, statements = _says_nothing(tree), _statements(tree)
    before = ast.unparse(tree).splitlines()
    for at, node in enumerate(_counted(tree)):
        if id(node) in quiet:
            continue
        for new in (variants or _variants)(node):
            changed = ast.fix_missing_locations(_Swap(at, new).visit(copy.deepcopy(tree)))
            after = ast.unparse(changed).splitlines()
            line = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
            if line is not None:
                code = compile(changed, str(path), "exec", dont_inherit=True)
                where, number = path.relative_to(root).as_posix(), getattr(node, "lineno", 0)
                yield Mutant(where, number, statements[id(node)], before[line], after[line], code)


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """The code of every function of a module or a class body, but not of those within functions."""
    for held in code.co_consts:
        if isinstance(held, CodeType):
            if held.co_flags & 1:  # CO_OPTIMIZED: of a function, a lambda or a comprehension
                yield held
            else:
                yield from functions_in(held)


def outside_functions(code: CodeType) -> tuple[Any, ...]:
    """What runs when the module is loaded: equal for two modules that differ within functions only."""
    held = tuple(
        c if not isinstance(c, CodeType) else None if c.co_flags & 1 else outside_functions(c) for c in code.co_consts
    )
    return code.co_code, code.co_names, tuple((type(c), c) for c in held)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """What could stand in the place of a node."""
    made: Any = copy.deepcopy(node)
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            made.ops = [SWAPS[type(op)]()]
            yield made
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            made.op = SWAPS[type(op)]()
            yield made
        case ast.UnaryOp(op=ast.Not()):
            yield made.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield ast.Constant(node.value + 1)
        case ast.Constant(value=str()) if node.value and len(node.value) < 24 and " " not in node.value:
            yield ast.Constant(node.value + "X")
        case ast.Constant(value=bytes()) if node.value:
            yield ast.Constant(node.value + b"X")
        case ast.IfExp():
            made.body, made.orelse = made.orelse, made.body
            yield made
        case ast.If() | ast.While():
            made.test = ast.UnaryOp(ast.Not(), made.test)
            yield made
        case ast.Raise() | ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Break() | ast.Continue():
            yield ast.Pass()


def more_open(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in the place of a node where a guard of secrecy is left out: either branch of a condition, one side
    of an `and`, everything that a filter would drop, an order as it came, the hosts for the viewer."""

    def held(test: ast.expr, always: bool) -> ast.expr:
        """With the test in it, so that a function keeps the names of the one around it."""
        return ast.BoolOp(ast.Or() if always else ast.And(), [test, ast.Constant(always)])

    made: Any = copy.deepcopy(node)
    match node:
        case ast.If(test=test, body=[ast.Return() | ast.Continue()]):
            made.test = held(test, False)
            yield made
        case ast.IfExp(test=test):
            for always in (True, False):
                yield ast.IfExp(held(test, always), node.body, node.orelse)
        case ast.BoolOp(op=ast.And(), values=values):
            for at, value in enumerate(values):
                yield ast.BoolOp(node.op, [*values[:at], held(value, True), *values[at + 1 :]])
        case ast.comprehension(ifs=[*tests]):
            for at, test in enumerate(tests):
                made.ifs = [*tests[:at], held(test, True), *tests[at + 1 :]]
                yield copy.copy(made)
        case ast.Call(func=ast.Name(id="sorted"), args=[first, *_]):
            yield ast.Call(ast.Name("list", ast.Load()), [first], [])
        case ast.Name(id="viewer" | "audience", ctx=ast.Load()):
            yield ast.Subscript(ast.Tuple([node, ast.Constant("host")], ast.Load()), ast.Constant(1), ast.Load())


def _says_nothing(tree: ast.Module) -> set[int]:
    """Ids of nodes that say nothing at run time: annotations, docstrings, imports, words of messages."""
    out: set[int] = set()

    def all_of(node: ast.AST | None) -> None:
        out.update(id(n) for n in ast.walk(node)) if node is not None else None

    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                all_of(node)
            case ast.AnnAssign() | ast.arg():
                all_of(node.annotation)
            case ast.FunctionDef():
                for one in (node.returns, *node.decorator_list):
                    all_of(one)
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                all_of(node)
            case ast.keyword(arg="strict"):  # of zip: it catches slips of ours, and there are none
                all_of(node)
            case ast.Assign() if ast.unparse(node.targets[0]) in ("__all__", "TYPE_CHECKING"):
                all_of(node)
            case ast.Call() if ast.unparse(node.func) in MESSAGES:
                for word in (*node.args[1:], *node.keywords):
                    all_of(word)
    return out


def _statements(tree: ast.Module) -> dict[int, range]:
    """Id of each node -> the lines of the statement it belongs to; of one with a body, those before the body."""
    found: dict[int, range] = {}

    def walk(node: ast.AST, lines: range) -> None:
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            last = node.end_lineno or node.lineno
            if body:
                last = max(node.lineno, getattr(body[0], "lineno", node.lineno + 1) - 1)
            lines = range(node.lineno, last + 1)
        found[id(node)] = lines
        for child in ast.iter_child_nodes(node):
            walk(child, lines)

    walk(tree, range(0))
    return found


class _Swap(ast.NodeTransformer):
    """Puts a node in the place of the one counted `at`."""

    def __init__(self, at: int, new: ast.AST) -> None:
        self.at, self.new, self.count = at, new, -1

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.count += 1
        if self.count == self.at:
            return ast.copy_location(copy.deepcopy(self.new), node)
        return super().generic_visit(node)

    visit = generic_visit


def _counted(tree: ast.AST) -> list[ast.AST]:
    """Nodes in the order in which `_Swap` counts them."""
    found: list[ast.AST] = []

    class Walk(ast.NodeVisitor):
        def visit(self, node: ast.AST) -> None:
            found.append(node)
            self.generic_visit(node)

    Walk().visit(tree)
    return found
