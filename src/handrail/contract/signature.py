"""A function's signature -> the pydantic model of its arguments, and how to call it.

Handlers take keyword arguments, or one parameter that is itself a model. A parameter named
``ctx`` or annotated `Context` is injected by the runtime and is not part of the schema. Names
that a pydantic model cannot use for a field (``schema``, ``copy``, ``_x``) go through an alias.
"""

import inspect
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import BuiltinFunctionType, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from handrail.contract.call import Context
from handrail.contract.terms import uncallable
from handrail.errors import ContractError

__all__ = ["Signature", "locals_of", "model_for"]

_UNUSABLE = frozenset(name for name in dir(BaseModel) if not name.startswith("__"))
_ARGS_HEAD = re.compile(r"^(?:Args|Arguments|Parameters):\s*$")
_UNREAD: Mapping[type, str] = {
    partial: "a functools.partial",
    BuiltinFunctionType: "a builtin",
    type: "a class",
}
_WRITE_ONE = (
    "write a function with annotated parameters that calls it, or say what it takes: "
    "Tool(name, description, handler, params)"
)
_ARG_LINE = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Signature:
    """How a handler is called.

    Attributes:
        model: The pydantic model of its arguments.
        whole: Name of the one parameter that takes the whole model, else None.
        names: Model field -> parameter, for a handler with keyword arguments.
        ctx: Name of the injected parameter, if there is one.
        description: First paragraph of the docstring, one line.
        returns: The return annotation; `inspect.Signature.empty` without one.
        same: Whether every parameter is called as its field.
    """

    model: type[BaseModel]
    whole: str | None
    names: Mapping[str, str]
    ctx: str | None
    description: str
    returns: Any  # Any: an annotation
    same: bool = field(init=False)

    def __post_init__(self) -> None:
        same = all(name == parameter for name, parameter in self.names.items())
        object.__setattr__(self, "same", same)

    def bind(self, prepared: Any) -> dict[str, Any]:  # Any: the model; validated Python objects
        """Keyword arguments for the handler, without the injected one; not to be changed."""
        if self.whole is not None:
            return {self.whole: prepared}
        fields: dict[str, Any] = prepared.__dict__  # Any: validated Python objects
        if len(fields) == len(self.names):
            if self.same:
                return fields
            return {parameter: fields[field] for field, parameter in self.names.items()}
        return {self.names[field]: item for field, item in fields.items() if field in self.names}


def model_for(fn: Callable[..., Any], *, skip: Collection[str] = (), tool: str = "") -> Signature:
    """Read a handler's signature.

    Args:
        fn: A function, method or callable object.
        skip: Parameters that the caller fills itself.
        tool: Name for errors; the function's own by default.

    Raises:
        ContractError: The signature cannot be a contract; every fault is listed.
    """
    name = tool or getattr(fn, "__name__", type(fn).__name__)
    parameters, hints = _read(fn, name)
    parameters = {key: item for key, item in parameters.items() if key not in skip}
    ctx = next((key for key in parameters if _is_context(key, hints.get(key))), None)
    asked = {key: item for key, item in parameters.items() if key != ctx}
    doc = inspect.getdoc(fn) or ""
    summary, returns = _summary(doc), hints.get("return", inspect.Signature.empty)
    unfilled = uncallable(fn, parameters)
    faults = [*unfilled, *_faults(asked, hints, told=bool(unfilled))]
    if faults:
        raise ContractError(name, faults)
    single = _single_model(asked, hints)
    if single is not None:
        key, model = single
        return Signature(model, key, {}, ctx, summary, returns)
    model, names = _build(name, asked, hints, _argument_docs(doc), fn)
    return Signature(model, None, names, ctx, summary, returns)


def _read(
    fn: Callable[..., Any], name: str
) -> tuple[dict[str, inspect.Parameter], dict[str, Any]]:  # Any: annotations
    for kind, words in _UNREAD.items():
        if isinstance(fn, kind):
            raise ContractError(name, [f"{words} has no annotations to read: {_WRITE_ONE}"])
    try:
        parameters = dict(inspect.signature(fn).parameters)
    except (TypeError, ValueError) as error:
        raise ContractError(name, ["its signature cannot be read"]) from error
    target = inspect.unwrap(fn)
    if not inspect.isroutine(target) and not inspect.isclass(target):
        target = type(target).__call__
    target = getattr(target, "__func__", target)
    try:
        hints = get_type_hints(target, localns=locals_of(target), include_extras=True)
    except NameError as error:
        fault = f"annotation {error.name!r} cannot be resolved: import it, or define it before"
        raise ContractError(name, [fault]) from error
    except Exception as error:  # an annotation may be any expression
        raise ContractError(name, ["an annotation cannot be resolved"]) from error
    return parameters, hints


def locals_of(fn: Any) -> dict[str, Any]:  # Any: a function; its free and local names
    """Names that string annotations may mean: closure cells and the scopes that call us."""
    found: dict[str, Any] = {}  # Any: anything
    frame = sys._getframe(1)
    qualified = getattr(fn, "__qualname__", "")
    outer = qualified.rsplit(".<locals>", 1)[0] if ".<locals>" in qualified else None
    while outer is not None and frame is not None:
        if frame.f_code.co_qualname == outer and frame.f_globals is fn.__globals__:
            found.update(frame.f_locals)
            break
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    code = getattr(fn, "__code__", None)
    for free, cell in zip(getattr(code, "co_freevars", ()), fn.__closure__ or (), strict=False):
        try:
            found[free] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return found


def _is_context(name: str, hint: Any) -> bool:  # Any: an annotation
    if name == "ctx":
        return True
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        return any(kind is not NoneType and _is_context("", kind) for kind in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Context)


def _faults(
    parameters: Mapping[str, inspect.Parameter], hints: Mapping[str, Any], *, told: bool
) -> list[str]:  # Any: annotations
    faults = []
    for name, parameter in parameters.items():
        match parameter.kind:
            case inspect.Parameter.VAR_POSITIONAL:
                faults.append(f"parameter '*{name}': name each parameter, a model fills keywords")
            case inspect.Parameter.VAR_KEYWORD:
                faults.append(f"parameter '**{name}': name each parameter, the schema lists them")
            case inspect.Parameter.POSITIONAL_ONLY:
                pass  # told of already, and whatever else is said of it
            case _ if name not in hints and not (told and name in ("self", "cls")):
                faults.append(f"parameter {name!r} has no type annotation")
    return faults


def _single_model(
    parameters: Mapping[str, inspect.Parameter], hints: Mapping[str, Any]
) -> tuple[str, type[BaseModel]] | None:  # Any: annotations
    if len(parameters) != 1:
        return None
    name = next(iter(parameters))
    hint = hints[name]
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return name, hint
    return None


def _build(
    name: str,
    parameters: Mapping[str, inspect.Parameter],
    hints: Mapping[str, Any],
    docs: Mapping[str, str],
    fn: Callable[..., Any],
) -> tuple[type[BaseModel], dict[str, str]]:  # Any: annotations, what the handler returns
    fields: dict[str, Any] = {}  # Any: pydantic's field definitions
    names: dict[str, str] = {}
    for key, parameter in parameters.items():
        field = key if _usable(key) else _other_name(key, parameters)
        extra: dict[str, Any] = {} if field == key else {"alias": key}  # Any: Field arguments
        if key in docs and not _described(hints[key], parameter.default):
            extra["description"] = docs[key]
        names[field] = key
        fields[field] = _definition(hints[key], parameter.default, extra)
    title = "".join(part.capitalize() for part in re.split(r"\W|_", name)) or "Arguments"
    try:
        model = create_model(
            f"{title}Arguments",
            __module__=getattr(fn, "__module__", __name__) or __name__,
            __config__=ConfigDict(protected_namespaces=()),
            **fields,
        )
    except Exception as error:  # pydantic has no common base for what a declaration may raise
        said = [line for line in str(error).splitlines() if line.strip()]
        told = [line.strip() for line in said if not line.startswith("For further information")]
        reason = told[-1] if told else "not usable"
        raise ContractError(name, [f"no pydantic model can be built: {reason}"]) from error
    return model, names


def _usable(name: str) -> bool:
    return not name.startswith("_") and name not in _UNUSABLE


def _other_name(name: str, taken: Collection[str]) -> str:
    other = f"{name.lstrip('_') or 'field'}_"
    while other in taken or not _usable(other):
        other += "_"
    return other


def _definition(hint: Any, default: Any, extra: Mapping[str, Any]) -> Any:
    # Any: an annotation, a default, Field arguments, a field definition
    if isinstance(default, FieldInfo):
        return (Annotated[hint, Field(**extra)] if extra else hint, default)
    missing = default is inspect.Parameter.empty
    annotated = Annotated[hint, Field(**extra)] if extra else hint
    return (annotated, ... if missing else default)


def _described(hint: Any, default: Any) -> bool:  # Any: an annotation, a default
    metadata = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return any(isinstance(item, FieldInfo) and item.description for item in (*metadata, default))


def _summary(doc: str) -> str:
    return " ".join(doc.split("\n\n", 1)[0].split())


def _argument_docs(doc: str) -> dict[str, str]:
    """Descriptions of parameters in a docstring's Google-style ``Args:`` section."""
    found: dict[str, list[str]] = {}
    inside, indent, current = False, -1, ""
    for line in doc.splitlines():
        text = line.strip()
        if not inside:
            inside = _ARGS_HEAD.match(line) is not None
            continue
        depth = len(line) - len(line.lstrip())
        if not text:
            continue
        if depth == 0:
            break
        indent = depth if indent < 0 else indent
        head = _ARG_LINE.match(text) if depth <= indent else None
        if head:
            current = head[1]
            found[current] = [head[2]]
        elif current:
            found[current].append(text)
    return {name: " ".join(" ".join(lines).split()) for name, lines in found.items()}
