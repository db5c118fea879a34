"""What a tool says that it returns: enforced, or only warned of."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict

from handrail import ContractError, Severity, Tool, ToolError
from handrail.contract.payload import payload_of
from handrail.contract.returns import VIOLATION, Fit, compile_returns


class Order(BaseModel):
    """An order of the article (seed 001)."""

    id: str
    total_cents: int
    status: Literal["placed", "shipped", "delivered", "cancelled"]


class Orders(BaseModel):
    """A page of them."""

    orders: list[Order]
    page: int = 1


class Strict(BaseModel):
    """Strict models take dates from JSON only."""

    model_config = ConfigDict(strict=True)
    day: date


@dataclass
class Point:
    """A dataclass."""

    x: int
    y: int


class Named(TypedDict):
    """A typed dict."""

    name: str


class Outer(TypedDict, total=False):
    """One around it, with a field that may be absent."""

    inner: Required[list[Named]]
    note: str


class Colour(StrEnum):
    """A set of values."""

    RED = "red"


class ActionResult(BaseModel):
    """Carries a result, and is none."""

    status: str


GOOD = {"id": "O-1", "total_cents": 5, "status": "placed"}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def fit(kind: Any, value: object, *, annotated: bool = True) -> Fit:
    """How a value fits."""
    declared = compile_returns(kind, annotated=annotated)
    assert declared is not None
    return declared.judge(payload_of(value))


@pytest.mark.parametrize(
    ("kind", "value", "data"),
    [
        (Order, GOOD, GOOD),
        (Order, Order(**GOOD), GOOD),
        (Order, '{"id": "O-1", "total_cents": "5", "status": "placed"}', GOOD),
        (Order | None, None, None),
        (Order | ToolError, GOOD, GOOD),
        (Annotated[Order, "an order"], GOOD, GOOD),
        (list[Order], [GOOD], [GOOD]),
        (Iterator[Order], [GOOD], [GOOD]),
        (AsyncIterator[Order], [GOOD], [GOOD]),
        (Point, {"x": 1, "y": 2}, {"x": 1, "y": 2}),
        (Point, Point(1, 2), {"x": 1, "y": 2}),
        (Named, {"name": "a"}, {"name": "a"}),
        (Outer, {"inner": [{"name": "a"}]}, {"inner": [{"name": "a"}]}),
        (Strict, '{"day": "2026-05-03"}', {"day": "2026-05-03"}),
        (Strict, {"day": date(2026, 5, 3)}, {"day": "2026-05-03"}),
        (SCHEMA, {"n": 1, "more": 2}, {"n": 1, "more": 2}),
        (SCHEMA, '{"n": 1}', {"n": 1}),
        ({"type": "string"}, "plain", "plain"),
        ({"type": "string"}, '{"n": 1}', '{"n": 1}'),
    ],
)
def test_a_result_of_the_declared_form_fits(kind: Any, value: object, data: object) -> None:
    """As values or as text; the data is the declared form as JSON."""
    found = fit(kind, value)
    assert (found.issues, found.text, found.value) == ((), False, data)


@pytest.mark.parametrize(
    ("kind", "value", "path", "message"),
    [
        (Orders, {"orders": [GOOD, {**GOOD, "status": "returned"}]}, "/orders/1/status",
         "Invalid enum value 'returned' (allowed: delivered, cancelled, placed, shipped)"),
        (Orders, {"orders": [{"id": "O-1", "status": "placed"}]}, "/orders/0/total_cents",
         "Required field 'total_cents' is missing"),
        (Orders, {"orders": "none"}, "/orders", "Type mismatch: expected array, got string"),
        (Orders, [], "", "Type mismatch: expected object, got array"),
        (list[Order], [{**GOOD, "total_cents": None}], "/0/total_cents",
         "Type mismatch: expected integer, got null"),
        (Point, {"x": 1}, "/y", "Required field 'y' is missing"),
        (Named, {"name": 1}, "/name", "Type mismatch: expected string, got integer"),
        (Outer, {"inner": [{}]}, "/inner/0/name", "Required field 'name' is missing"),
        (SCHEMA, {"n": "one"}, "/n", "Type mismatch: expected integer, got string"),
    ],
)  # fmt: skip
def test_a_violation_names_place_value_and_known_set(
    kind: Any, value: object, path: str, message: str
) -> None:
    """In the words of the input side; hints are left out, since nobody can send it again."""
    (issue,) = fit(kind, value).issues
    assert (issue.code, issue.path, issue.message) == (VIOLATION, path, message)
    assert (issue.severity, issue.hint, issue.suggestion) == (Severity.ERROR, None, None)


@pytest.mark.parametrize("kind", [Order, Named, SCHEMA])
def test_text_that_is_no_json_is_marked(kind: Any) -> None:
    """JSON is declared, and this is none."""
    assert fit(kind, "Order O-1 placed") == Fit(value="Order O-1 placed", text=True)


@pytest.mark.parametrize(
    ("kind", "value"),
    [(str, {"a": 1}), (int, "7 or so"), (dict, [1]), (dict[str, int], []), (list[int], {"a": 1}),
     (bool, 1), (int, True), (str | int, [])],
)  # fmt: skip
def test_simple_annotations_only_warn(kind: Any, value: object) -> None:
    """They are written for people: the result is delivered."""
    declared = compile_returns(kind, annotated=True)
    assert declared is not None
    (issue,) = declared.judge(payload_of(value)).issues
    assert (declared.enforced, issue.severity) == (False, Severity.WARNING)
    assert "declared is" in issue.message


@pytest.mark.parametrize(
    ("kind", "value"),
    [(str, "x"), (float, 1), (dict, "{}"), (list[int], ["x"]), (dict[str, int], {"a": "x"}),
     (str, None), (str, b"x"), (str | None, None), (bool, True), (list, (1,))],
)  # fmt: skip
def test_the_kind_is_all_that_is_looked_at(kind: Any, value: object) -> None:
    """What is inside is not, and nothing returned is nothing to warn of."""
    assert fit(kind, value).issues == ()


@pytest.mark.parametrize(
    "kind",
    [None, Any, object, ActionResult, ToolError, ActionResult | ToolError, Colour, Literal["a"]],
)
def test_some_annotations_say_nothing(kind: Any) -> None:
    """Carriers, anything at all, and what only narrows a scalar."""
    assert compile_returns(kind, annotated=True) is None


def test_what_is_stated_is_enforced_whatever_it_is() -> None:
    """`returns=` is a decision; the same words as an annotation are not."""
    declared = compile_returns(dict[str, int], annotated=False)
    assert declared is not None
    assert declared.enforced is True
    assert [issue.path for issue in declared.judge(payload_of({"a": "x"})).issues] == ["/a"]
    assert fit(str, "plain text", annotated=False).issues == ()
    assert fit(Literal["a", "b"], "c", annotated=False).text is True


def test_a_tool_tells_the_two_apart() -> None:
    """Even where the keyword repeats the annotation."""

    def count() -> list[int]:
        """Count."""
        return []

    plain, stated = Tool.from_function(count), Tool.from_function(count, returns=list[int])
    assert plain.declared is not None
    assert stated.declared is not None
    assert (plain.declared.enforced, stated.declared.enforced) == (False, True)


def test_an_annotation_that_cannot_be_judged_is_let_be() -> None:
    """The same stated is a fault of the contract."""

    class Client:
        pass

    @dataclass
    class Held:
        client: Client

    assert compile_returns(Held, annotated=True) is None
    with pytest.raises(ContractError, match="is no type that pydantic can judge"):
        compile_returns(Held, annotated=False)


def test_many_violations_are_bounded() -> None:
    """A thousand rows with one fault are not a thousand issues."""
    assert len(fit(list[Order], [{}] * 1_000).issues) == 100
