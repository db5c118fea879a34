"""How a tool is offered to a provider, and what of its contract only we enforce.

Whatever a provider enforces is judged here again, so a form that says less loses nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from handrail.contract.references import inlined
from handrail.contract.strict import StrictForm, strict_form
from handrail.contract.subsets import Subset, subset_of
from handrail.contract.tool import Tool
from handrail.wire.shapes import ToolDict

__all__ = ["Offer", "Unenforced", "offer", "report"]

_forms: WeakKeyDictionary[Tool, dict[Subset, StrictForm]] = WeakKeyDictionary()
_plain: WeakKeyDictionary[Tool, Mapping[str, Any]] = WeakKeyDictionary()  # Any: JSON Schema


class Offer(NamedTuple):
    """A tool as a provider is told of it.

    Attributes:
        tool: Name, description and schema.
        flag: Whether the definition asks for strict decoding.
        forces_null: Whether the schema wants a null where a field is left out.
    """

    tool: ToolDict
    flag: bool
    forces_null: bool


@dataclass(frozen=True, slots=True)
class Unenforced:
    """Something of a contract that a provider does not enforce.

    Attributes:
        tool: Name of the tool; empty for what concerns all of them.
        path: JSON Pointer into its schema.
        keyword: The keyword that is not enforced; ``strict`` if the whole tool is not.
        text: The same in words.
    """

    tool: str
    path: str
    keyword: str
    text: str


def offer(tool: Tool, provider: str, *, strict: bool = False) -> Offer:
    """A tool for a provider: in full, or in its strict subset if it can be said in it.

    Raises:
        ConfigError: The provider is unknown.
    """
    subset = subset_of(provider)
    schema, flag, forces_null = tool.schema, False, False
    form = _form(tool, subset) if strict and subset is not None else None
    if subset is not None and form is not None and form.schema is not None:
        schema, flag = form.schema, subset.flag
        forces_null = subset.optional == "nullable"
    elif subset is not None and subset.inline:
        schema = _written_out(tool)
    told = ToolDict(name=tool.name, description=tool.full_description, schema=dict(schema))
    return Offer(told, flag, forces_null)


def report(tools: Sequence[Tool], provider: str) -> tuple[Unenforced, ...]:
    """What the strict decoding of a provider does not enforce of these tools.

    Raises:
        ConfigError: The provider is unknown.
    """
    subset = subset_of(provider)
    found: list[Unenforced] = []
    for tool in tools:
        if subset is None:
            text = "a server's schema is not enforced by its clients"
            found.append(Unenforced(tool.name, "", "strict", text))
        else:
            found += _of_schema(tool, subset, provider)
        found += _of_contract(tool)
    if subset is not None:
        found += _of_request(tools, subset)
    return tuple(found)


def _form(tool: Tool, subset: Subset) -> StrictForm:
    known = _forms.setdefault(tool, {})
    if subset not in known:
        known[subset] = strict_form(tool.schema, subset)
    return known[subset]


def _written_out(tool: Tool) -> Mapping[str, Any]:  # Any: JSON Schema
    if tool not in _plain:
        _plain[tool] = inlined(tool.schema) or tool.schema
    return _plain[tool]


def _of_schema(tool: Tool, subset: Subset, provider: str) -> list[Unenforced]:
    form = _form(tool, subset)
    if form.schema is None:
        text = f"published in full and not strict: {form.why}"
        return [Unenforced(tool.name, form.place, "strict", text)]
    return [
        Unenforced(tool.name, path, keyword, f"{keyword} is not enforced by {provider}")
        for path, keyword in form.dropped
    ]


def _of_contract(tool: Tool) -> list[Unenforced]:
    said = [("rules", f"the rule {type(rule).__name__}") for rule in tool.rules]
    if tool.id_patterns:
        said.append(("ids", "ids that look invented"))
    if tool.seen_ids:
        said.append(("seen_ids", "ids that were never seen"))
    if tool.check_input is not None:
        said.append(("check_input", "the check of its author"))
    return [
        Unenforced(tool.name, "", keyword, f"{what}: known here only") for keyword, what in said
    ]


def _of_request(tools: Sequence[Tool], subset: Subset) -> list[Unenforced]:
    """Limits of a whole request, beyond which the provider refuses it."""
    forms = [form.schema for tool in tools if (form := _form(tool, subset)).schema is not None]
    optional = sum(map(_optional, forms))
    over = []
    if len(forms) > subset.most_tools:
        over.append(f"{len(forms)} strict tools, of at most {subset.most_tools:g}")
    if optional > subset.most_optional:
        over.append(f"{optional} optional fields, of at most {subset.most_optional:g}")
    return [
        Unenforced("", "", "strict", f"a request with all tools is refused: {what}")
        for what in over
    ]


def _optional(part: Any) -> int:  # Any: JSON Schema in strict form
    if isinstance(part, list):
        return sum(map(_optional, part))
    if not isinstance(part, dict):
        return 0
    own = 0
    if isinstance(part.get("properties"), dict) and isinstance(part.get("required"), list):
        own = len(part["properties"]) - len(part["required"])
    return own + sum(map(_optional, part.values()))
