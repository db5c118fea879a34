"""Rules about the schemas that a model and a provider get."""

from collections.abc import Iterator, Mapping
from typing import Any

from handrail.contract.offer import report
from handrail.contract.words import resolve
from handrail.sdk.rules.app import App, Found

__all__ = ["field_descriptions", "weakened"]

_MOST_DEPTH = 8
_PROVIDER = "openai"
"""Its strict decoding enforces the most: what it leaves out, all of them leave out."""


def field_descriptions(app: App) -> Iterator[Found]:
    """V40: every field says what it is."""
    for function in app.callables:
        if function.tool is None or not function.retries:
            continue
        bare = dict.fromkeys(_bare(function.tool.schema, function.tool.schema, "", 0))
        for path in bare:
            yield Found(f"field {path} of {function.name} has no description", function.place)


def _bare(schema: Any, root: Mapping[str, Any], at: str, depth: int) -> Iterator[str]:
    # Any: JSON Schema
    """Paths of properties without a description."""
    if depth > _MOST_DEPTH or not isinstance(schema, Mapping):
        return
    whole = resolve(schema, root)
    for name, field in whole.get("properties", {}).items():
        path = f"{at}/{name}"
        if not isinstance(field, Mapping):
            continue
        if not (field.get("description") or resolve(field, root).get("description")):
            yield path
        yield from _bare(field, root, path, depth + 1)
    for key in ("items", "additionalProperties"):
        yield from _bare(whole.get(key), root, at, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        for branch in whole.get(key, ()):
            yield from _bare(branch, root, at, depth + 1)


def weakened(app: App) -> Iterator[Found]:
    """V43: strict decoding enforces the schema as it is written."""
    for function in app.callables:
        if function.tool is None or not function.retries:
            continue
        for lost in report([function.tool], _PROVIDER):
            if lost.path:
                yield Found(f"{function.name}, {lost.path}: {lost.text}", function.place)
