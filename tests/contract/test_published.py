"""What a pydantic tool publishes."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any

import pytest
from pydantic import AliasPath, BaseModel, ConfigDict, Field, RootModel
from typing_extensions import TypedDict

from handrail.contract.published import publish
from handrail.contract.reading import Rejected
from handrail.contract.schema_engine import SchemaEngine
from handrail.errors import ContractError


class Colour(Enum):
    RED = "red"


class Row(TypedDict):
    x: int


@dataclass
class Point:
    y: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow", title="Own title")


class Inner(BaseModel):
    deep: int = Field(validation_alias=AliasPath("box", "left", 1))
    other: str = Field(validation_alias=AliasPath("box", "right"))


class Everything(BaseModel):
    """All kinds of objects."""

    row: Row
    point: Point
    open: Open
    inner: Inner
    colour: Colour
    size: int = Field(default=1, ge=0, title="Given", description="How many")


def test_silent_objects_are_closed_and_made_up_titles_left_out() -> None:
    """Models, dataclasses and TypedDicts are closed; what authors state stays."""
    published = publish(Everything)
    defs: dict[str, Any] = published.schema["$defs"]
    assert {name: part.get("additionalProperties") for name, part in defs.items()} == {
        "Row": False,
        "Point": False,
        "Open": True,
        "Inner": False,
        "Colour": None,
    }
    assert {name: part["title"] for name, part in defs.items() if "title" in part} == {
        "Open": "Own title"
    }
    assert published.schema["properties"]["size"] == {
        "type": "integer",
        "default": 1,
        "minimum": 0,
        "title": "Given",
        "description": "How many",
    }
    assert (published.silent, published.opened) == (True, True)
    assert published.schema["description"] == "All kinds of objects."


def test_fields_read_from_a_path_stand_at_the_path() -> None:
    """Paths that share their beginning share an object."""
    inner = publish(Everything).schema["$defs"]["Inner"]
    assert inner["required"] == ["box"]
    assert inner["properties"]["box"] == {
        "type": "object",
        "properties": {
            "left": {"type": "array", "prefixItems": [{}, {"type": "integer"}], "minItems": 2},
            "right": {"type": "string"},
        },
        "required": ["left", "right"],
    }


class Level(IntEnum):
    LOW = 1


class Numbers(BaseModel):
    levels: dict[Level, int] = {}
    price: Decimal = Decimal(1)


def test_what_pydantic_says_too_loosely_or_wrongly() -> None:
    """Keys of a mapping are strings, and a decimal in a string is a number."""
    schema = publish(Numbers).schema
    assert schema["properties"]["levels"]["propertyNames"] == {"enum": ["1"]}
    engine = SchemaEngine(schema)
    assert engine.prepare({"levels": {"1": 5}, "price": "1.50"}) is not None
    with pytest.raises(Rejected):
        engine.prepare({"price": "tomorrow"})


class Names(RootModel[list[str]]):
    pass


class Hook(BaseModel):
    call: Callable[[], None]


class Late(BaseModel):
    other: "Undefined"  # noqa: F821


@pytest.mark.parametrize(
    ("model", "fault"), [(Names, "must be an object"), (Hook, "JSON"), (Late, "Undefined")]
)
def test_models_that_cannot_be_published(model: type[BaseModel], fault: str) -> None:
    """No object at the root, no JSON type, an undefined name: errors of the declaration."""
    with pytest.raises(ContractError, match=fault):
        publish(model, "tool")
