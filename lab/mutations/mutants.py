"""Plant small faults in Python source: each changes one expression."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

_OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault.

    Attributes:
        line: The line where the expression begins, from 1.
        old: The expression.
        new: The text that replaces it.
        start: The offset of the expression in the source, in bytes.
    """

    line: int
    old: str
    new: str
    start: int

    def apply(self, source: str) -> str:
        """Return the source with the fault."""
        data = source.encode()
        end = self.start + len(self.old.encode())
        return (data[: self.start] + self.new.encode() + data[end:]).decode()


def find_mutants(source: str) -> Iterator[Mutant]:
    """Yield the possible faults of a module, in the order of its lines."""
    data = source.encode()
    lines = [0]
    for line in data.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node in _expressions(ast.parse(source)):
        start = lines[node.lineno - 1] + node.col_offset
        end = lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        for changed in _changed(node):
            yield Mutant(node.lineno, data[start:end].decode(), f"({ast.unparse(changed)})", start)


def _expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are run: no annotations, docstrings, messages or parts of f-strings.

    Arguments such as `zip(strict=…)` only guard against the impossible, so they are left out.
    """
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "exc", "type_params"}:
            continue
        children = cast("list[object]", value if isinstance(value, list) else [value])
        for child in children:
            match child:
                case (
                    ast.Expr(value=ast.Constant())
                    | ast.JoinedStr()
                    | ast.keyword(arg="doc" | "strict")
                ):
                    continue
                case ast.Tuple() if name == "slice":  # tuple[int, str]
                    continue
                case (
                    ast.If(test=ast.Name(id="TYPE_CHECKING"))
                    | ast.Assign(targets=[ast.Name(id="TYPE_CHECKING")])
                ):
                    continue
                case ast.AST():
                    if isinstance(child, ast.expr):
                        yield child
                    yield from _expressions(child)
                case _:
                    pass


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _OPPOSITE:
            yield _with(node, ops=[_OPPOSITE[type(op)]()])
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _OPPOSITE:
            yield _with(node, op=_OPPOSITE[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value and not value.strip(" ,.;:-\n\t/|"):
            yield ast.Constant("")
        case ast.Tuple(elts=[_, _, *_], ctx=ast.Load()):
            yield _with(node, elts=node.elts[:-1])
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case _:
            pass


def _with(node: ast.expr, **changes: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed
