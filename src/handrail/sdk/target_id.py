"""Which field of a function's parameters holds the id of what it acts on.

Source: seed 002, "id_projection". A guess is never a placeholder: either the field exists, or the
author is asked to name it.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from handrail.errors import ContractError

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["resolve_id_field"]


def resolve_id_field(
    function_name: str,
    params_model: "type[BaseModel] | Mapping[str, Any] | None",  # Any: JSON Schema
    id_projection: str | None = "",
) -> str:
    """The field that a chain fills with the id found by an earlier step.

    In this order: what is declared, which may be a container too; the name without its first word
    and with ``_id``, if there is such a field; the same of a single noun in the name; the only
    field that ends in ``_id``.

    Args:
        function_name: Such as ``delete_note``.
        params_model: The pydantic model of its parameters, or their JSON Schema.
        id_projection: What its author declared; empty or None where nothing is.

    Raises:
        ContractError: No field, or more than one, comes into question.
    """
    if id_projection:
        return id_projection
    fields = _fields(params_model)
    words = function_name.lower().split("_")
    for rest in _singulars("_".join(words[1:])):
        if f"{rest}_id" in fields:
            return f"{rest}_id"
    nouns = [f"{noun}_id" for word in words[1:] for noun in _singulars(word)]
    matching = [name for name in dict.fromkeys(nouns) if name in fields]
    if len(matching) == 1:
        return matching[0]
    candidates = matching or [name for name in fields if name.endswith("_id")]
    if not candidates and "id" in fields:
        return "id"
    if len(candidates) == 1:
        return candidates[0]
    told = (
        f"candidates are {', '.join(candidates)}"
        if candidates
        else f"no field ends in _id, there is {', '.join(fields) or 'no field at all'}"
    )
    fault = f"which field holds the id of its target is not clear: {told}"
    raise ContractError(function_name, [f'{fault}; declare id_projection="..."'])


def _fields(params: Any) -> list[str]:  # Any: a model class, a JSON Schema, or nothing
    if params is None:
        return []
    if isinstance(params, Mapping):
        return list(params.get("properties", {}))
    return [field.alias or name for name, field in params.model_fields.items()]


def _singulars(word: str) -> Sequence[str]:
    """A word as it is, then what it may be the plural of."""
    if word.endswith("ies") and len(word) > 4:
        return word, f"{word[:-3]}y", word[:-1]
    if word.endswith("ses") or word.endswith(("xes", "zes", "ches", "shes")):
        return word, word[:-2], word[:-1]
    if word.endswith("s") and not word.endswith("ss"):
        return word, word[:-1]
    return (word,) if word else ()
