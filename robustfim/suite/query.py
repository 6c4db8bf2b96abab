"""Queries of slices: pandas' query language, cut down to what cannot reach anything but the table."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.errors import UsageError, did_you_mean

__all__ = ["check_query", "run_query"]

_NODES = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Invert, ast.Compare, ast.Eq,
    ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div,
    ast.Mod, ast.BitAnd, ast.BitOr, ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple, ast.Call, ast.keyword,
    ast.Attribute,
)  # fmt: skip
"""What a query may be made of: no powers, no subscripts, no lambdas."""

_METHODS = {"contains", "startswith", "endswith", "lower", "upper", "len", "count", "isupper", "islower", "isdigit"}
"""What may follow ``column.str.``: none of them leaves the table."""


def check_query(query: str) -> None:
    """Refuse a query that could reach anything but the columns.

    pandas evaluates attributes and calls of Python objects (``text.to_csv('…')`` would write a file), and ``@name``
    reads variables. What is allowed here is a list: comparisons, ``and``, ``or``, ``not``, ``in``, arithmetic, and
    ``column.str.contains('…')`` with its like.

    Args:
        query: The query.

    Raises:
        ValueError: It is no expression, or has a part that is not on the list.
    """
    for sign in ("@", "__", "`"):
        if sign in query:
            raise ValueError(f"{sign!r} is not allowed in a query: {query!r}")
    try:
        tree = ast.parse(query.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{query!r} is no query; an example of one: words > 20 and label == 'positive'") from None
    allowed = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_text_method(node.func)}
    allowed |= {id(node.value) for node in ast.walk(tree) if id(node) in allowed and isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ValueError(f"{type(node).__name__} is not allowed in a query: {query!r}")
        if isinstance(node, ast.Attribute) and id(node) not in allowed:
            raise ValueError(
                f"{ast.unparse(node)!r} is not allowed in a query; after a column may stand .str. and one of "
                f"{', '.join(sorted(_METHODS))}, as a call"
            )
        if isinstance(node, ast.Call):
            given = [*node.args, *(each.value for each in node.keywords)]
            if id(node.func) not in allowed or not all(isinstance(each, ast.Constant) for each in given):
                raise ValueError(f"the call {ast.unparse(node)!r} is not allowed in a query")
        if isinstance(node, ast.BinOp) and any(_is_text(each) for each in (node.left, node.right)):
            raise ValueError(f"arithmetic with a text is not allowed in a query: {ast.unparse(node)!r}")


def _is_text_method(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(), attr="str"), attr=method):
            return method in _METHODS
    return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def run_query(query: str, rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Run a query over rows.

    Args:
        query: A query that ``check_query`` lets pass.
        rows: Column to value, ``[rows]``.

    Returns:
        Whether each row is chosen, ``[rows]``.

    Raises:
        UsageError: pandas is missing, a column is unknown, or pandas refuses the query.
    """
    check_query(query)
    try:
        pandas: Any = importlib.import_module("pandas")
    except ModuleNotFoundError:
        raise UsageError("'query' needs pandas: pip install 'robustfim[data]'.") from None
    columns = {str(name) for row in rows for name in row}
    for node in ast.walk(ast.parse(query.strip(), mode="eval")):
        if isinstance(node, ast.Name) and node.id not in columns:
            raise UsageError(
                f"there is no column {node.id!r}.{did_you_mean(node.id, columns)} There are: "
                f"{', '.join(sorted(columns))}."
            )
    frame = pandas.DataFrame([{str(name): value for name, value in row.items()} for row in rows])
    try:
        # The python engine: numexpr, which pandas would prefer, has no text methods.
        answer = frame.eval(query.strip(), engine="python", local_dict={}, global_dict={})
    except Exception as error:  # pandas raises anything on a query it cannot evaluate
        raise UsageError(f"the query {query!r} cannot be run: {type(error).__name__}: {error}.") from error
    if not isinstance(answer, pandas.Series):
        raise UsageError(f"the query {query!r} names no column, so it cannot tell examples apart.")
    chosen = [False if each is None or each != each else each for each in answer.tolist()]  # NaN: no text to look in
    if not all(isinstance(each, bool) for each in chosen):
        raise UsageError(f"the query {query!r} gives numbers or texts; write a condition, such as {query} > 0.")
    return chosen
