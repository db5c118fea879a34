"""An engine for a contract: pydantic for models, jsonschema-rs for JSON Schemas.

Both judge the same JSON with the same codes (contract `handrail/1`, section 2); which one holds
a contract is decided once, at declaration.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from handrail.contract.pydantic_engine import PydanticEngine
from handrail.contract.reading import Change, Engine, LaxReading, Rejected
from handrail.contract.schema_engine import SchemaEngine

__all__ = [
    "Change",
    "Engine",
    "LaxReading",
    "Rejected",
    "engine_for_model",
    "engine_for_schema",
]


def engine_for_model(model: type[BaseModel], *, tool: str = "") -> Engine:
    """The engine of a pydantic model.

    Raises:
        ContractError: The model cannot be built or published.
    """
    return PydanticEngine(model, tool=tool)


def engine_for_schema(
    schema: Mapping[str, Any], closed: bool | None = None, *, tool: str = ""
) -> Engine:  # Any: JSON Schema
    """The engine of a JSON Schema.

    Args:
        schema: Draft-07 or later; its root is an object.
        closed: True refuses unknown fields where the schema is silent.
        tool: Name for errors.

    Raises:
        ContractError: The schema cannot be used.
    """
    return SchemaEngine(schema, closed=closed, tool=tool)
