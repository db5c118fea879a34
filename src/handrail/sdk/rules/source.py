"""The author's source, read and not run."""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from handrail.contract.terms import Handler
from handrail.sdk.blame import Place

__all__ = ["File", "FunctionNode", "Sources", "place_of"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_MOST_FILES = 500


class File(NamedTuple):
    """One file of the author's.

    Attributes:
        path: Where it is.
        tree: What it says.
    """

    path: Path
    tree: ast.Module

    def at(self, node: ast.stmt | ast.expr) -> Place:
        """The place of a node."""
        return Place(str(self.path), node.lineno)


class Sources:
    """The author's files: those named, and what they import from the same folder.

    Args:
        folder: Where the app is.
        files: Files with declarations.
    """

    def __init__(self, folder: Path, files: Iterable[str]) -> None:
        self._folder = folder
        self._named = [Path(name).resolve() for name in dict.fromkeys(files) if name]

    @cached_property
    def files(self) -> Mapping[Path, File]:
        """Every readable file by its path."""
        found: dict[Path, File] = {}
        waiting = list(self._named)
        while waiting and len(found) < _MOST_FILES:
            path = waiting.pop(0)
            if path in found:
                continue
            file = _read(path)
            if file is not None:
                found[path] = file
                waiting += self._imported(file)
        return found

    def node_of(self, handler: Handler) -> tuple[File, FunctionNode] | None:
        """The definition of a handler; None where it has no source."""
        place = place_of(handler)
        file = self.files.get(Path(place.file).resolve()) if place.file else None
        if file is None:
            return None
        for node in ast.walk(file.tree):
            if isinstance(node, FunctionNode) and place.line in _first_lines(node):
                return file, node
        return None

    def _imported(self, file: File) -> Iterator[Path]:
        """Files of this app that a file imports."""
        for node in ast.walk(file.tree):
            names: list[tuple[Path, str]] = []
            match node:
                case ast.Import(names=aliases):
                    names = [(self._folder, alias.name) for alias in aliases]
                case ast.ImportFrom(module=module, names=aliases, level=level):
                    base = self._folder if not level else _up(file.path, level)
                    inner = [
                        f"{module}.{alias.name}" if module else alias.name for alias in aliases
                    ]
                    names = [(base, one) for one in ([module, *inner] if module else inner)]
            for base, name in names:
                where = base.joinpath(*name.split("."))
                for path in (where.with_suffix(".py"), where / "__init__.py"):
                    if path.is_file():
                        yield path.resolve()


def place_of(handler: Handler) -> Place:
    """Where a handler is defined."""
    target = inspect.unwrap(getattr(handler, "func", handler))
    code = getattr(target, "__code__", None)
    if code is None:
        code = getattr(type(target).__call__, "__code__", None)
    return Place() if code is None else Place(code.co_filename, code.co_firstlineno)


def _read(path: Path) -> File | None:
    try:
        return File(path, ast.parse(path.read_bytes(), str(path)))
    except (OSError, SyntaxError, ValueError):
        return None


def _up(path: Path, level: int) -> Path:
    return path.parents[min(level, len(path.parents)) - 1]


def _first_lines(node: FunctionNode) -> set[int]:
    return {node.lineno, *(each.lineno for each in node.decorator_list)}
