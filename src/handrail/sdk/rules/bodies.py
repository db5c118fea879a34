"""Rules about the author's code: what it imports, what handlers reach for, what errors say."""

import ast
from collections.abc import Iterator

from handrail.contract.terms import Handler
from handrail.sdk.blame import Place
from handrail.sdk.rules.app import App, Found
from handrail.sdk.rules.source import File, FunctionNode

__all__ = ["docstring", "error_codes", "provider_sdks", "skeleton_access"]

_PROVIDERS = (
    "anthropic", "cohere", "google.genai", "google.generativeai", "groq", "huggingface_hub",
    "langchain_anthropic", "langchain_openai", "litellm", "mistralai", "ollama", "openai",
    "replicate", "together", "vertexai", "xai_sdk",
)  # fmt: skip


def provider_sdks(app: App) -> Iterator[Found]:
    """V7: no file of the author's imports a provider's SDK."""
    for file in app.sources.files.values():
        for node in ast.walk(file.tree):
            names: list[str] = []
            match node:
                case ast.Import(names=aliases):
                    names = [alias.name for alias in aliases]
                case ast.ImportFrom(module=str(module), level=0, names=aliases):
                    names = [f"{module}.{alias.name}" for alias in aliases]
                case ast.Call(args=[ast.Constant(value=str(name)), *_], func=called) if ast.unparse(
                    called
                ).endswith(("import_module", "__import__")):
                    names = [name]
            for known in sorted({one for name in names for one in _PROVIDERS if _in(name, one)}):
                assert isinstance(node, ast.stmt | ast.expr)
                yield Found(f"{file.path.name} imports {known}", file.at(node))


def _in(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def docstring(app: App) -> Iterator[Found]:
    """V11: a handler says in a docstring what it does."""
    for function in app.callables:
        if not (getattr(function.handler, "__doc__", None) or "").strip():
            yield Found(f"the handler of {function.name} has no docstring", function.place)


def error_codes(app: App) -> Iterator[Found]:
    """V32: every ActionResult.error carries a code."""
    for file in app.sources.files.values():
        names = _names_of("ActionResult", file.tree)
        for node in ast.walk(file.tree):
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr="error")) if (
                    ast.unparse(value).rpartition(".")[2] in names
                ):
                    keys = {keyword.arg for keyword in node.keywords}
                    if len(node.args) < 3 and not keys & {"code", None}:
                        yield Found("an ActionResult.error has no code", file.at(node))


def _names_of(imported: str, tree: ast.Module) -> set[str]:
    """What a file calls something that it imports."""
    found = {imported}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names if one.name == imported}
    return found


def skeleton_access(app: App) -> Iterator[Found]:
    """V24: no handler reads ``ctx.skeleton``, under whatever name."""
    ext = app.ext
    handlers: list[tuple[str, Handler]] = [(one.name, one.handler) for one in app.callables]
    handlers += [(one.type, one.handler) for one in ext.subscriptions]
    handlers += [(one.panel_id, one.handler) for one in ext.panels]
    seen: set[Place] = set()
    for name, handler in handlers:
        known = app.sources.node_of(handler)
        if known is None:
            continue
        file, node = known
        for place in _Reach(file).accesses(node, 0, frozenset()):
            if place not in seen:
                seen.add(place)
                yield Found(f"the handler of {name} reads ctx.skeleton", place)


class _Reach:
    """Follows ``ctx`` through a function, its aliases, and functions of the file that get it."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._functions = {
            node.name: node for node in file.tree.body if isinstance(node, FunctionNode)
        }

    def accesses(
        self, node: FunctionNode, position: int, followed: frozenset[str]
    ) -> Iterator[Place]:
        """Places where the parameter at a position is asked for its skeleton."""
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        if parameters and parameters[0].arg in ("self", "cls"):
            position += 1
        if position >= len(parameters) or node.name in followed:
            return
        names = self._aliases(node, parameters[position].arg)
        for each in ast.walk(node):
            match each:
                case ast.Attribute(value=value, attr="skeleton") if _is(value, names):
                    yield self._file.at(each)
                case ast.Call(
                    func=ast.Name(id="getattr"),
                    args=[value, ast.Constant(value="skeleton"), *_],
                ) if _is(value, names):
                    yield self._file.at(each)
                case ast.Call(func=ast.Name(id=called)) if called in self._functions:
                    yield from self._through(each, called, names, followed | {node.name})

    def _through(
        self, call: ast.Call, called: str, names: set[str], followed: frozenset[str]
    ) -> Iterator[Place]:
        target = self._functions[called]
        listed = [one.arg for one in (*target.args.posonlyargs, *target.args.args)]
        listed += [one.arg for one in target.args.kwonlyargs]
        at = [number for number, given in enumerate(call.args) if _is(given, names)]
        at += [
            listed.index(keyword.arg)
            for keyword in call.keywords
            if keyword.arg in listed and _is(keyword.value, names)
        ]
        for position in at:
            yield from self.accesses(target, position, followed)

    def _aliases(self, node: FunctionNode, name: str) -> set[str]:
        """Names that stand for the parameter anywhere in the function."""
        names, before = {name}, 0
        while len(names) > before:
            before = len(names)
            for each in ast.walk(node):
                match each:
                    case ast.Assign(targets=targets, value=value) if _is(value, names):
                        names |= {one.id for one in targets if isinstance(one, ast.Name)}
                    case (
                        ast.AnnAssign(target=ast.Name(id=alias), value=ast.expr() as value)
                        | ast.NamedExpr(target=ast.Name(id=alias), value=value)
                    ) if _is(value, names):
                        names.add(alias)
        return names


def _is(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.NamedExpr):
        node = node.value
    return isinstance(node, ast.Name) and node.id in names
