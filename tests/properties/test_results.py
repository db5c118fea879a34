"""Laws of the judgement of results, for any value."""

import json
from collections.abc import Callable
from typing import Any, TypedDict

from hypothesis import given
from hypothesis import strategies as st

from handrail import Advice, Status, Tool
from handrail.contract.judge import Judgement
from handrail.contract.output import result_of
from handrail.contract.returned import is_clean, judge_output
from handrail.contract.verdict import VERDICTS

AT = 1_000_000.0
ASKED = {"customer_id": "C-9921", "page": 1}
NAMES = (
    "error success status status_code has_more next page total items content type title "
    "need_user_input candidates ambiguous isError returncode next_cursor meta"
)


class Orders(TypedDict):
    """A declared result."""

    orders: list[str]


def declared(customer_id: str, page: int = 1) -> Orders:
    """List the orders of a customer."""
    raise NotImplementedError


def undeclared(customer_id: str, page: int = 1) -> object:
    """List the orders of a customer."""
    raise NotImplementedError


def tool(fn: Callable[..., Any] = undeclared, **terms: object) -> Tool:
    """The search of the article."""
    return Tool.from_function(fn, **terms)


@given(st.text().filter(lambda text: text.strip()[:1] not in ("{", "[", "\ufeff") and text != ""))
def test_plain_text_is_delivered_as_it_is(text: str) -> None:
    """Whatever it says (a third of real results)."""
    found = judge_output(tool(), text, ASKED)
    assert (found.code, found.told, found.behind, found.value) == (None, None, None, text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 600) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=4) | st.sampled_from(sorted({*NAMES.split()})),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(
    JSON | JSON.map(json.dumps) | st.binary(max_size=20), st.sampled_from([declared, undeclared])
)
def test_any_value_has_a_class_and_a_text(value: object, fn: Callable[..., Any]) -> None:
    """Nothing escapes; what does not fail keeps its data; what fails says what to do."""
    one = tool(fn)
    found = judge_output(one, value, ASKED, at=AT)
    result = result_of(one, found, Judgement(), call_id="c")
    result.content.encode()
    assert result.error_class in {None, *(row.error_class for row in VERDICTS.values())}
    assert result.is_error is (result.status is Status.FAILED)
    if is_clean(one, value):
        assert (found.code, found.value) == (None, value)
    if result.is_error:
        assert result.content == found.told
        assert result.advice != Advice()


@given(JSON)
def test_a_quick_look_never_overlooks(value: object) -> None:
    """What `is_clean` lets through, the whole judgement would let through as well."""
    quick = tool()
    whole = tool(facts={"x": "/never/there"})
    if is_clean(quick, value):
        assert not is_clean(whole, value)
        found = judge_output(whole, value, ASKED, at=AT)
        assert (found.code, found.value is value or found.value == value or value != value) == (
            None,
            True,
        )
