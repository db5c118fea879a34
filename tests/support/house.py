"""The house rules, as functions from a source file to its offences; `test_house` applies them.

They read syntax trees and import nothing. Imports count wherever they stand, at the head of a
file, inside a function or under ``TYPE_CHECKING``: direction is about knowing, not about load
time.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SRC = ROOT / "src"

# A room may know the rooms with a smaller number; rooms with the same number do not know each
# other. The command line joins its siblings, so it stands outside the console that it serves.
RANKS = {
    "errors": 0,
    "wire": 1,
    "contract": 2,
    "protocol": 3,
    "runtime": 4,
    "stores": 4,
    "subscribers": 4,
    "models": 4,
    "replay": 4,
    "sdk": 5,
    "adapters": 5,
    "testing": 6,
    "console": 7,
    "cli": 8,
    "__main__": 9,
}
DOORS = {"", "chat", "chain", "checks", "rules", "policy", "approvals", "ui"}
PURE_ROOMS = {"contract", "protocol"}
MOST_FILE_LINES = 500
MOST_FUNCTION_LINES = 50

IMPURE_MODULES = {
    "anyio", "asyncio", "http", "logging", "multiprocessing", "os", "pathlib", "random", "secrets",
    "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib.request",
    "uuid",
}  # fmt: skip
PURE_NAMES = {"pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath", "uuid.UUID"}
IMPURE_CALLS = {"breakpoint", "input", "open", "print"}
CLOCK_METHODS = {"now", "today", "utcnow"}
EMPTY_WORDS = {
    "helper", "helpers", "manager", "managers", "service", "services", "util", "utils",
}  # fmt: skip

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One file: its dotted name, its path, and what it says."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, path: Path, text: str | None = None) -> "Source":
        """The file at `path` below the root; `text` stands in for what is on disk."""
        text = path.read_text(encoding="utf-8") if text is None else text
        below = path.relative_to(SRC if path.is_relative_to(SRC) else ROOT).with_suffix("")
        name = ".".join(below.parts).removesuffix(".__init__")
        return cls(name, path.relative_to(ROOT), text, ast.parse(text, str(path)))

    @property
    def is_package(self) -> bool:
        """Whether this is the `__init__` of a folder."""
        return self.path.name == "__init__.py"

    def at(self, node: ast.stmt | ast.expr, offence: str) -> str:
        """One offence with its place."""
        return f"{self.path}:{node.lineno} {offence}"


@cache
def package() -> tuple[Source, ...]:
    """Every source file of the package."""
    return tuple(Source.of(path) for path in sorted(SRC.rglob("*.py")))


@cache
def everything() -> tuple[Source, ...]:
    """Every Python file that the repository keeps."""
    folders = ("tests", "scripts", "bench", "examples")
    more = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return package() + tuple(Source.of(path) for path in more)


def offences(
    rule: Callable[[Source], Iterable[str]], sources: Iterable[Source] | None = None
) -> list[str]:
    """Everything that breaks `rule`, in the package or in `sources`."""
    return [each for source in (package() if sources is None else sources) for each in rule(source)]


# ---- imports


def room(name: str) -> str:
    """First folder or module below the package; the package itself is ``""``."""
    return [*name.split("."), ""][1]


def imported(source: Source, known: Iterable[str]) -> Iterator[tuple[str, ast.stmt | ast.expr]]:
    """Modules of this package that `source` imports, early or late, with their place."""
    for node in ast.walk(source.tree):
        names: list[str] = []
        match node:
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case ast.ImportFrom(names=aliases):
                base = _base(source, node)
                deeper = [f"{base}.{alias.name}" for alias in aliases]
                names = [name if name in known else base for name in deeper]
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _called(node) == (
                "import_module"
            ):
                names = [name]
        for name in names:
            if name.split(".")[0] == "handrail" and isinstance(node, ast.stmt | ast.expr):
                yield name, node


def _base(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = source.name.split(".")
    kept = parts[: len(parts) - node.level + source.is_package]
    return ".".join([*kept, *filter(None, [node.module])])


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def graph(sources: Iterable[Source]) -> dict[str, set[str]]:
    """Who imports whom."""
    sources = tuple(sources)
    known = {source.name for source in sources}
    return {
        source.name: {name for name, _ in imported(source, known)} - {source.name}
        for source in sources
    }


def behind(door: str, edges: Mapping[str, set[str]]) -> set[str]:
    """Rooms whose names a door hands on, through other doors too."""
    rooms: set[str] = set()
    seen, todo = {door}, [door]
    while todo:
        for name in edges.get(todo.pop(), set()) - seen:
            seen.add(name)
            if room(name) in DOORS:
                todo.append(name)
            else:
                rooms.add(room(name))
    return rooms


def outward(source: Source, edges: Mapping[str, set[str]]) -> Iterator[str]:
    """Imports that do not point inward. A door is as far out as what it hands on."""
    own = room(source.name)
    limit = RANKS["testing"] if own in DOORS else RANKS.get(own, -1)
    for name, node in imported(source, edges):
        targets = behind(name, edges) if room(name) in DOORS else {room(name)}
        for target in sorted(targets - {own}):
            if RANKS.get(target, 99) >= limit:
                yield source.at(node, f"{own or 'handrail'} must not know {target} ({name})")


def loop(edges: Mapping[str, set[str]]) -> list[str]:
    """One import loop, or nothing."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# ---- one file at a time


def impurities(source: Source) -> Iterator[str]:
    """Waiting, clocks, input and output, chance and logging."""
    for node in ast.walk(source.tree):
        match node:
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor():
                yield source.at(node, "waits")
            case ast.comprehension(is_async=1, target=target):
                yield source.at(target, "waits")
            case ast.AsyncWith():
                yield source.at(node, "waits")
            case ast.Import(names=aliases):
                yield from (_impure(source, node, alias.name) for alias in aliases)
            case ast.ImportFrom(module=str(module), names=aliases):
                yield from (_impure(source, node, f"{module}.{alias.name}") for alias in aliases)
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield source.at(node, f"calls {name}")
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_METHODS:
                yield source.at(node, f"reads a clock with .{name}()")
            case ast.Global(names=names):
                yield source.at(node, f"keeps state in {', '.join(names)}")


def _impure(source: Source, node: ast.stmt, name: str) -> str:
    parts = name.split(".")
    prefixes = {".".join(parts[: end + 1]) for end in range(len(parts))}
    if name in PURE_NAMES or not prefixes & IMPURE_MODULES:
        return ""
    return source.at(node, f"imports {name}")


def empty_names(source: Source) -> Iterator[str]:
    """Names that say nothing about what the thing is."""
    named = [(source.name.split(".")[-1], 1)]
    for node in ast.walk(source.tree):
        if isinstance(node, Function | ast.ClassDef):
            named.append((node.name, node.lineno))
    for name, line in named:
        words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
        if words & EMPTY_WORDS or name.lstrip("_").startswith("process_"):
            yield f"{source.path}:{line} {name}"


def undocumented(source: Source) -> Iterator[str]:
    """Public modules, classes, functions and methods without a docstring."""

    def visit(node: ast.Module | ast.ClassDef | Function, name: str) -> Iterator[str]:
        if not ast.get_docstring(node) and not _is_variant(node):
            line = 1 if isinstance(node, ast.Module) else node.lineno
            yield f"{source.path}:{line} {name}"
        if not isinstance(node, Function):
            for child in node.body:
                if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
                    yield from visit(child, child.name)

    yield from visit(source.tree, source.name)


def _is_variant(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(ast.unparse(each).endswith(("overload", ".setter")) for each in decorators)


def oversized(source: Source) -> Iterator[str]:
    """Files and functions that are too long; tables at the top level are not counted."""
    tables = sum(_lines(node) for node in source.tree.body if _is_table(node))
    lines = len(source.text.splitlines()) - tables
    if lines > MOST_FILE_LINES:
        yield f"{source.path} has {lines} lines"
    for node in ast.walk(source.tree):
        if isinstance(node, Function) and _lines(node) > MOST_FUNCTION_LINES:
            yield source.at(node, f"{node.name} has {_lines(node)} lines")


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _is_table(node: ast.AST | None) -> bool:
    match node:
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            return _is_table(value) and not any(
                isinstance(part, ast.Lambda | ast.comprehension) for part in ast.walk(node)
            )
        case ast.Call(args=arguments):
            return any(map(_is_table, arguments))
    return isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set)


# ---- what is handed on


def exports(source: Source) -> list[str] | None:
    """The names in `__all__`, or None where there is none."""
    for node in source.tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.List() as value)
            ):
                return list(ast.literal_eval(value))
    return None


def handed_on(source: Source) -> dict[str, str]:
    """Names that a file takes from this package at its top level, and where from."""
    found: dict[str, str] = {}
    for node in source.tree.body:
        inner = node.body if isinstance(node, ast.If) else [node]
        for each in inner:
            if isinstance(each, ast.ImportFrom) and _base(source, each).startswith("handrail"):
                for alias in each.names:
                    found[alias.asname or alias.name] = _base(source, each)
    return found


def defined(source: Source) -> set[str]:
    """Public classes and functions of a file."""
    nodes = (node for node in source.tree.body if isinstance(node, Function | ast.ClassDef))
    return {node.name for node in nodes if not node.name.startswith("_")}


def misexported(source: Source, homes: Mapping[str, Source]) -> Iterator[str]:
    """Files whose `__all__` is absent, or is not what they define or hand on."""
    listed = exports(source)
    if listed is None:
        yield f"{source.path} has no __all__"
        return
    hands_on = source.is_package or room(source.name) in DOORS
    given = handed_on(source) if hands_on else {}
    wanted = defined(source) | {name for name in given if not name.startswith("_")}
    for name in sorted(wanted - set(listed)):
        yield f"{source.path} does not list {name}"
    for name in sorted(set(listed) - wanted if given else []):
        if name not in _assigned(source):
            yield f"{source.path} lists {name}, which it does not hand on"
    for name, home in given.items():
        if home in homes and name not in (exports(homes[home]) or [name]):
            yield f"{source.path} hands on {name}, which {home} does not list"


def _assigned(source: Source) -> set[str]:
    names = (node for node in ast.walk(source.tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


def own_doing(source: Source) -> Iterator[str]:
    """What a public door does by itself; only the process-wide ceilings may live in one."""
    name = room(source.name)
    if name not in DOORS or name == "policy":
        return
    for node in source.tree.body:
        lazy = isinstance(node, ast.FunctionDef) and node.name in {"__getattr__", "__dir__"}
        if isinstance(node, Function | ast.ClassDef) and not lazy:
            yield source.at(node, f"defines {node.name}")
