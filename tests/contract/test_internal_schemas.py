"""The schemas of handrail's own model calls say what they are for, and nothing is left to luck."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from handrail.contract import internal_schemas
from handrail.contract.call import Coverage
from handrail.contract.internal_schemas import COVERAGE_SCHEMA, GOAL_SCHEMA, PLAN_SCHEMA
from handrail.contract.schema_engine import SchemaEngine
from handrail.contract.strict import strict_form
from handrail.contract.subsets import SUBSETS

Schema = Mapping[str, Any]  # Any: JSON Schema
ALL = [getattr(internal_schemas, name) for name in internal_schemas.__all__]


def accepts(schema: Schema, value: object) -> bool:
    """Whether the engine takes the value."""
    try:
        SchemaEngine(schema).accept(json.dumps(value))
    except Exception:
        return False
    return True


@pytest.mark.parametrize("schema", [GOAL_SCHEMA, COVERAGE_SCHEMA], ids=["goal", "coverage"])
@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_goal_and_coverage_have_a_strict_form_everywhere(schema: Schema, provider: str) -> None:
    """Decoding keeps to the shape, whoever serves the model."""
    subset = SUBSETS[provider]
    assert subset is not None
    assert strict_form(schema, subset).schema is not None


def test_a_plan_has_none_because_arguments_are_free() -> None:
    """Each function has its own; the contract of the function judges them."""
    subset = SUBSETS["openai"]
    assert subset is not None
    form = strict_form(PLAN_SCHEMA, subset)
    assert (form.schema, form.place) == (None, "/properties/steps/items/properties/args")


def test_coverage_knows_the_words_of_the_contract() -> None:
    """The judge cannot say another status."""
    assert COVERAGE_SCHEMA["properties"]["status"]["enum"] == [one.value for one in Coverage]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (
            GOAL_SCHEMA,
            {"text": "Find the order O-1", "kind": "query", "needs": []},
            {"text": "", "kind": "wish", "needs": []},
        ),
        (
            COVERAGE_SCHEMA,
            {"reason": "r", "missing": [], "status": "SATISFIED", "confidence": 0.5},
            {"reason": "r", "missing": [], "status": "DONE", "confidence": 0.5},
        ),
        (
            PLAN_SCHEMA,
            {"steps": [{"call": "notes.delete", "args": {"id": {"$from": "list", "path": "/0"}}}]},
            {"steps": []},
        ),
    ],
    ids=["goal", "coverage", "plan"],
)
def test_they_tell_good_from_bad(schema: Schema, good: object, bad: object) -> None:
    """The engine that judges tools judges these."""
    assert (accepts(schema, good), accepts(schema, bad)) == (True, False)
