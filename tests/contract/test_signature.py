"""From a handler's signature to the model of its arguments."""

from functools import partial
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, create_model

from handrail import Toolbox, ToolCall
from handrail.contract.call import Context
from handrail.contract.engine import engine_for_model
from handrail.contract.signature import model_for
from handrail.contract.tool import Tool
from handrail.errors import ContractError


class Query(BaseModel):
    text: str


def test_parameters_become_fields_with_their_descriptions() -> None:
    """Types, defaults, constraints and both kinds of description are published."""

    def search(text: str, limit: Annotated[int, Field(ge=1, description="most rows")] = 5) -> str:
        """Find rows
        by text.

        Args:
            text (str): What to look for,
                any case.
            limit: not this one
        """
        return text * limit

    signature = model_for(search)
    assert engine_for_model(signature.model).schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["text"],
        "properties": {
            "text": {"type": "string", "description": "What to look for, any case."},
            "limit": {"type": "integer", "minimum": 1, "default": 5, "description": "most rows"},
        },
    }
    assert (signature.description, signature.returns) == ("Find rows by text.", str)


def test_prepared_arguments_become_keyword_arguments() -> None:
    """Nested models stay models; names that a model cannot use go through an alias."""

    def put(query: Query, schema: dict[str, int], _x: int, copy: bool = False, json: str = "{}"):
        return None

    signature = model_for(put)
    prepared = engine_for_model(signature.model).accept(
        '{"query": {"text": "a"}, "schema": {"b": 1}, "_x": 2, "json": "[]"}'
    )
    assert signature.bind(prepared) == {
        "query": Query(text="a"),
        "schema": {"b": 1},
        "_x": 2,
        "copy": False,
        "json": "[]",
    }


def test_one_model_parameter_is_the_contract() -> None:
    """A single model parameter is the model itself, beside an injected context."""

    def search(query: Query, ctx: Any) -> None: ...

    signature = model_for(search)
    assert (signature.model, signature.whole, signature.ctx) == (Query, "query", "ctx")
    assert signature.bind(Query(text="a")) == {"query": Query(text="a")}


def test_the_context_is_injected_by_its_annotation() -> None:
    """Any name will do when the annotation is Context, optional or not."""

    def one(c: Context, n: int) -> None: ...

    def two(n: int, c: Context | None = None) -> None: ...

    assert [model_for(fn).ctx for fn in (one, two)] == ["c", "c"]
    assert [list(model_for(fn).model.model_fields) for fn in (one, two)] == [["n"], ["n"]]


def test_skipped_parameters_are_not_asked_for() -> None:
    """What the caller fills itself is no field."""

    def method(self: Any, n: int) -> None: ...

    assert list(model_for(method, skip={"self"}).model.model_fields) == ["n"]


def test_string_annotations_and_local_classes() -> None:
    """A class that exists only in the enclosing function is found."""

    class Place(BaseModel):
        x: int

    def go(place: "Place", again: "list[Place] | None" = None) -> None: ...

    model = model_for(go).model
    assert model.model_fields["place"].annotation is Place


class Shop:
    async def sell(self, item: str) -> None: ...

    def __call__(self, item: int) -> None: ...


def test_methods_and_callable_objects() -> None:
    """Bound methods, coroutine functions and callable objects have signatures too."""
    assert model_for(Shop().sell).model.model_fields["item"].annotation is str
    assert model_for(Shop()).model.model_fields["item"].annotation is int


def test_a_handler_without_parameters() -> None:
    """No parameters is an object without fields."""
    signature = model_for(lambda: None, tool="ping")
    assert signature.bind(engine_for_model(signature.model).accept("{}")) == {}


def test_unusable_signatures_list_every_fault() -> None:
    """One error names each parameter that cannot be a contract."""

    def bad(a: int, /, b, *args: int, **more: int) -> None: ...

    with pytest.raises(ContractError) as caught:
        model_for(bad)
    assert caught.value.tool == "bad"
    assert len(caught.value.faults) == 4


def test_what_cannot_be_resolved_or_built_is_told() -> None:
    """A missing name and a pattern that Rust's regex refuses are faults of the declaration."""

    def lost(a: "Nowhere") -> None: ...  # noqa: F821

    def ahead(a: Annotated[str, Field(pattern="(?=x)x")]) -> None: ...

    with pytest.raises(ContractError, match="'Nowhere' cannot be resolved"):
        model_for(lost)
    with pytest.raises(ContractError, match="look-around"):
        model_for(ahead)


def looked_up(order: str, shop: str) -> str:
    """Look."""
    return order + shop


@pytest.mark.parametrize(
    ("handler", "kind"),
    [(partial(looked_up, shop="x"), "a functools.partial"), (len, "a builtin"), (dict, "a class")],
)
def test_handlers_without_annotations_of_their_own(handler: Any, kind: str) -> None:
    """They say what to write instead."""
    with pytest.raises(ContractError) as caught:
        Tool.from_function(handler, description="Look.")
    assert caught.value.faults == (
        f"{kind} has no annotations to read: write a function with annotated parameters that "
        "calls it, or say what it takes: Tool(name, description, handler, params)",
    )


def test_a_partial_is_named_by_what_it_calls() -> None:
    """The error is found, and what it advises works."""
    shop = partial(looked_up, shop="x")
    with pytest.raises(ContractError, match="'looked_up' cannot be declared"):
        Tool.from_function(shop)
    fields = create_model("Fields", order=(str, ...))
    box = Toolbox([Tool("look", "Look.", shop, fields)])
    assert box.turn().answer_sync(ToolCall("1", "look", '{"order": "a"}')).data == "ax"


def test_a_callable_object_needs_a_name() -> None:
    """It has none of its own."""

    class Looks:
        def __call__(self, order: str) -> str:
            """Look."""
            return order

    with pytest.raises(ContractError, match="it has no name: give it one with name="):
        Tool.from_function(Looks())
    assert Tool.from_function(Looks(), name="look", description="Look.").name == "look"
