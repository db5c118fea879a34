"""Reads Python literals and calls that a model wrote instead of JSON, without running anything.

Only what has one JSON reading is read: constants, lists and dicts with text keys. Positional
arguments, repeated keys, sets and expressions are not. `ast` builds a tree of the whole text,
so longer texts than `MAX_LITERAL` are left alone.
"""

import ast
import json
import re
from typing import Any

__all__ = ["MAX_LITERAL", "decoded", "dict_literal", "is_json", "is_nearly_json", "python_calls"]

MAX_LITERAL = 200_000
"""Characters; about 100 ms of `ast.parse`."""

_JSON_WORDS = {"true": True, "false": False, "null": None}
_PREFIXES = ("default_api.", "functions.", "tools.")
# Escapes that Python keeps as two characters with a warning: JSON reads them otherwise.
_FOREIGN_ESCAPE = re.compile(r"""(?<!\\)(?:\\\\)*+\\[^\n\\'"abfnrtvxuUN0-7]""")
_TRAILING_COMMA = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")|,(?=\s*+[}\]])', re.DOTALL)
_FAILURES = (ValueError, SyntaxError, RecursionError, MemoryError, Warning)


def is_json(raw: str) -> bool:
    """Whether Python's JSON reader takes it: NaN and duplicate keys pass."""
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def is_nearly_json(raw: str) -> bool:
    """Whether it is JSON but for trailing commas."""
    return is_json(_TRAILING_COMMA.sub(lambda match: match.group(1) or "", raw))


def decoded(token: str) -> str:
    """The value of a quoted string; what cannot be decoded stays as written, without quotes."""
    try:
        value = json.loads(token) if token[0] == '"' else _parsed(token)
    except _FAILURES:
        return token[1:-1]
    return value if isinstance(value, str) else token[1:-1]


def dict_literal(raw: str) -> dict[str, Any] | None:  # Any: JSON values
    """A Python dict as JSON values; None if it is none, or has more than one reading."""
    try:
        value = _parsed(raw)
    except _FAILURES:
        return None
    return value if isinstance(value, dict) else None


def python_calls(source: str) -> list[tuple[str, dict[str, Any]]] | None:  # Any: JSON values
    """Calls as ``f(a=1)``, several of them, a list of them, or each printed; None if not only that.

    Returns:
        Dotted name and keyword arguments of each call, in order.
    """
    try:
        tree = _tree(source.strip(), "exec")
        assert isinstance(tree, ast.Module)
        found = [
            (_dotted(call.func), _keywords(call))
            for statement in tree.body
            for call in _calls_of(statement)
        ]
    except (*_FAILURES, AssertionError):
        return None
    return [(_bare_name(name), arguments) for name, arguments in found] or None


def _parsed(raw: str) -> Any:  # Any: JSON value
    tree = _tree(raw.strip(), "eval")
    assert isinstance(tree, ast.Expression)
    return _value(tree.body)


def _tree(source: str, mode: str) -> ast.AST:
    if len(source) > MAX_LITERAL or _FOREIGN_ESCAPE.search(source):
        raise ValueError("no literal with one reading")
    return ast.parse(source, mode=mode)


def _value(node: ast.expr) -> Any:  # Any: JSON value
    match node:
        case ast.Constant(value=str() | bool() | int() | float() | None as value):
            return value
        case ast.Name(id="true" | "false" | "null" as word):
            return _JSON_WORDS[word]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=elements):
            return [_value(element) for element in elements]
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return _unique([(_key(key), _value(value)) for key, value in pairs])
    raise ValueError("no JSON value")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("a key is a string")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:  # Any: JSON values
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("a key is repeated")
    return found


def _calls_of(statement: ast.stmt) -> list[ast.Call]:
    if not isinstance(statement, ast.Expr):
        raise ValueError("no call")
    node = statement.value
    match node:
        case ast.Call(func=ast.Name(id="print"), args=[inner], keywords=[]):
            node = inner
    nodes = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    calls = [call for call in nodes if isinstance(call, ast.Call)]
    if len(calls) != len(nodes) or not calls:
        raise ValueError("no call")
    return calls


def _keywords(call: ast.Call) -> dict[str, Any]:  # Any: JSON values
    if call.args:
        raise ValueError("a positional argument has no name")
    return _unique([(_keyword(keyword), _value(keyword.value)) for keyword in call.keywords])


def _keyword(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError("unpacking is no value")
    return keyword.arg


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ValueError("no name")


def _bare_name(name: str) -> str:
    prefix = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), "")
    return name.removeprefix(prefix)
