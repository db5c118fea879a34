"""Any function has a contract, and its calls can be told apart."""

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handrail import ContractError
from handrail.contract.callee import Callee


class Filter(BaseModel):
    """One parameter that holds them all."""

    customer_id: str
    page: int = 1


def typed(customer_id: str, page: int = 1) -> dict[str, Any]:  # Any: JSON values
    """List the orders.

    More about it.
    """
    return {}


def untyped(customer_id, page=1, *rest, **more):  # type: ignore[no-untyped-def]  # on purpose
    return {}


def whole(query: Filter) -> Filter:
    return query


class Shop:
    """Methods are functions too."""

    def orders(self, customer_id: str) -> list[str]:
        return []

    def __call__(self, page: int) -> str:
        return ""


def test_a_typed_function_has_a_typed_contract() -> None:
    """Name, description and parameters come from it."""
    tool = Callee(typed).tool
    assert (tool.name, tool.description) == ("typed", "List the orders.")
    assert tool.schema["properties"]["page"]["type"] == "integer"


@pytest.mark.parametrize(
    ("fn", "name"),
    [
        (lambda: 0, "lambda"),
        (functools.partial(typed, page=2), "typed"),
        (Shop(), "Shop"),
        (Shop().orders, "orders"),
        (math.sqrt, "sqrt"),
        (Shop.orders, "orders"),
    ],
)
def test_whatever_can_be_called_has_a_name(fn: Callable[..., object], name: str) -> None:
    """One that every provider takes."""
    assert Callee(fn).tool.name == name


@pytest.mark.parametrize(
    ("own", "name"), [("größe", "gr_e"), ("日本", "tool"), ("1st", "_1st"), ("x" * 80, "x" * 64)]
)
def test_strange_names_become_plain(own: str, name: str) -> None:
    """Letters, digits, underscore and hyphen, at most 64."""

    def act() -> None: ...

    act.__name__ = own
    assert Callee(act).tool.name == name


def test_stated_names_win() -> None:
    """So do descriptions."""
    tool = Callee(typed, name="find", description="Finds.").tool
    assert (tool.name, tool.description) == ("find", "Finds.")


def test_positions_and_names_are_one_call() -> None:
    """However Python was told."""
    callee = Callee(typed)
    by_place = callee.called(("C-1", 2), {})
    assert by_place == callee.called((), {"page": 2, "customer_id": "C-1"})
    assert by_place.arguments == {"customer_id": "C-1", "page": 2}


def test_functions_without_types_are_taken_as_they_are() -> None:
    """Names and defaults are known; whatever else is given counts."""
    callee = Callee(untyped)
    assert callee.tool.schema["properties"] == {"customer_id": {}, "page": {"default": 1}}
    called = callee.called(("C-1", 2, "z"), {"status": "open"})
    assert called.arguments == {"customer_id": "C-1", "page": 2, "*2": "z", "status": "open"}


def test_a_model_parameter_is_its_fields() -> None:
    """As a toolbox sees it."""
    callee = Callee(whole)
    assert callee.called((Filter(customer_id="C-1"),), {}).arguments == {
        "customer_id": "C-1",
        "page": 1,
    }
    assert callee.called((None,), {}).all == {"query": None}


def test_objects_tell_calls_apart_and_are_no_arguments() -> None:
    """A client of another tenant is another call; its address tells nothing once it is gone."""
    callee, one, other = Callee(Shop.orders), Shop(), Shop()
    first, again, third = (callee.called((each, "C-1"), {}) for each in (one, one, other))
    assert first.arguments == third.arguments == {"customer_id": "C-1"}
    assert first == again
    assert first.all != third.all
    assert len({str(callee.called((Shop(), "C-1"), {}).all) for _ in range(5)}) == 5


def test_builtins_are_told_apart_by_their_place() -> None:
    """What cannot be watched is known by its address."""
    callee, lock = Callee(untyped), object()
    assert callee.called((lock,), {}) == callee.called((lock,), {})
    assert callee.called((lock,), {}).arguments == {}


def test_iterators_are_not_emptied() -> None:
    """Looking at a call must not change it."""
    rows: Iterator[int] = iter([1, 2])
    assert Callee(untyped).called((rows,), {}).arguments == {}
    assert list(rows) == [1, 2]


def test_functions_are_told_apart_even_where_they_cannot_be_hashed() -> None:
    """By themselves, or by their place."""

    class Unhashable(Shop):
        __hash__ = None  # type: ignore[assignment]  # on purpose

    one = Unhashable()
    assert Callee(one).identity == Callee(one).identity != Callee(Unhashable).identity
    assert Callee(typed).identity is typed


def test_return_annotations_are_read_whatever_the_parameters_are() -> None:
    """The form is declared, though no schema can be made of the parameters."""

    def found(session, /) -> Filter: ...  # type: ignore[no-untyped-def]  # on purpose

    def unknown(session) -> "Nowhere": ...  # type: ignore[no-untyped-def,name-defined]  # noqa: F821

    declared = Callee(found).tool.declared
    assert declared is not None
    assert declared.enforced
    assert Callee(unknown).tool.declared is None


def test_a_stated_form_is_more_than_an_annotation() -> None:
    """It is enforced, whatever it is."""
    stated, annotated = Callee(typed, dict).tool.declared, Callee(typed).tool.declared
    assert stated is not None
    assert annotated is not None
    assert (stated.enforced, annotated.enforced) == (True, False)


def test_faults_are_told_at_once() -> None:
    """All of them."""
    with pytest.raises(ContractError) as told:
        Callee(typed, empty="never", max_identical=0)
    assert len(told.value.faults) == 2


@given(st.lists(st.from_type(object), max_size=3), st.dictionaries(st.text(), st.text()))
def test_any_call_can_be_described(args: list[object], kwargs: dict[str, object]) -> None:
    """Whatever it is made with."""
    called = Callee(untyped).called(tuple(args), kwargs)
    assert set(called.arguments) <= set(called.all)
