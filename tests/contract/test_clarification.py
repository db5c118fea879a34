"""A question that a tool puts to the user, in and out."""

from typing import Any

import mcp.types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types._v2025_11_25 import PrimitiveSchemaDefinition
from pydantic import TypeAdapter

from handrail.contract.clarification import (
    Clarification,
    ClarificationField,
    Option,
    read_clarification,
)

TWO = [{"contact_id": "c1", "name": "Anna Kos"}, {"contact_id": "c2", "name": "Anna Berg"}]
KEYS = (
    "need_user_input status question fields candidates options name type id label "
    "requestedSchema properties enum enumNames default required"
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def read(data: object) -> Clarification:
    """The question, which must be there."""
    found = read_clarification(data, "lookup_contact")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "envelope",
    [
        {"need_user_input": True, "question": "Which Anna?", "candidates": TWO},
        {"need_user_input": {"question": "Which Anna?", "candidates": TWO}},
        {"status": "NEED_USER_INPUT", "message": "Which Anna?", "options": TWO},
        {"type": "needs-clarification", "details": {"prompt": "Which Anna?", "choices": TWO}},
        {"needs_clarification": True, "data": {"question": "Which Anna?", "matches": TWO}},
        {"error": "ambiguous", "message": "Which Anna?", "candidates": TWO},
        {"ambiguous": TWO, "question": "Which Anna?"},
        {"ambiguity": {"reason": "Which Anna?", "candidates": TWO}},
        {"question": "Which Anna?", "candidates": TWO},
        '{"type": "clarification_needed", "text": "Which Anna?", "candidates": '
        '[{"contact_id": "c1", "name": "Anna Kos"}, {"contact_id": "c2", "name": "Anna Berg"}]}',
    ],
)  # fmt: skip
def test_each_spelling_is_one_question(envelope: object) -> None:
    """A question with candidates is one select field, named as the id that they carry."""
    options = (Option("c1", "Anna Kos"), Option("c2", "Anna Berg"))
    field = ClarificationField("contact_id", "select", "Contact", options=options)
    assert read(envelope) == Clarification("Which Anna?", (field,), "lookup_contact")


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "need_user_input",
        "{",
        {"candidates": TWO},
        {"need_user_input": False, "candidates": TWO},
        {"status": "ok", "message": "Which Anna?"},
        {"question": "What is 6 x 7?", "answer": 42},
        {"requestedSchema": {"type": "object"}},
    ],
)
def test_an_ordinary_result_asks_nothing(data: object) -> None:
    """Candidates alone, a question alone, or a flag that says no are data."""
    assert read_clarification(data) is None


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("text", "text"), ("string", "text"), ("number", "number"), ("integer", "number"),
        ("datetime", "datetime"), ("date", "datetime"), ("boolean", "boolean"),
        ("checkbox", "boolean"), ("colour_wheel", "text"), ("select", "text"), (7, "text"),
    ],
)  # fmt: skip
def test_kinds_and_what_they_degrade_to(stated: object, kind: str) -> None:
    """An unknown kind is text, and so is a choice without choices."""
    asked = {"need_user_input": True, "fields": [{"name": "when", "type": stated}]}
    assert read(asked).fields[0].kind == kind


def test_fields_in_their_shapes() -> None:
    """A list of objects, of names, or a mapping; choices make a select of what has no kind."""
    listed = read({"need_user_input": {"fields": ["when", {"label": "Where?", "required": False}]}})
    mapped = read({"need_user_input": {"inputs": {"size": {"options": [1, "L", True]}}}})
    assert listed.fields == (
        ClarificationField("when", label="when"),
        ClarificationField("answer_2", label="Where?", required=False),
    )
    assert mapped.fields[0].options == (Option(1, "1"), Option("L", "L"))


def test_a_bare_question_gets_one_field() -> None:
    """A form is never empty, and never without words."""
    asked = read({"need_user_input": True})
    assert asked.question == "More information is needed to go on."
    assert asked.fields == (ClarificationField("answer", label="Answer"),)


EVERY_KIND = Clarification(
    "Please say more.",
    (
        ClarificationField("note", label="Note", required=False, default="hm"),
        ClarificationField("place", "select", "Place", options=(Option(7, "Home"),), default=7),
        ClarificationField("size", "select", "Size", options=(Option("S", "S"), Option("L", "L"))),
        ClarificationField("at", "datetime", "At"),
        ClarificationField("count", "number", "Count", default=2),
        ClarificationField("sure", "boolean", "Sure", default=False),
    ),
)


def test_out_as_an_elicitation_of_mcp() -> None:
    """The form is what MCP's own types and its schema of primitive fields accept."""
    params = EVERY_KIND.to_elicitation()
    sent = mcp.types.ElicitRequestFormParams.model_validate(params)
    primitive: TypeAdapter[object] = TypeAdapter(PrimitiveSchemaDefinition)
    for asked in sent.requested_schema["properties"].values():
        primitive.validate_python(asked)
    assert params["requestedSchema"]["required"] == ["place", "size", "at", "count", "sure"]
    assert params["requestedSchema"]["properties"]["place"] == {
        "title": "Place", "type": "string", "oneOf": [{"const": "7", "title": "Home"}],
        "default": "7",
    }  # fmt: skip


def test_in_from_an_elicitation_of_mcp() -> None:
    """What goes out comes back; only numbers that are choices come back as text."""
    back = Clarification.from_elicitation(EVERY_KIND.to_elicitation())
    place = EVERY_KIND.fields[1]._replace(options=(Option("7", "Home"),), default="7")
    expected = (EVERY_KIND.fields[0], place, *EVERY_KIND.fields[2:])
    assert back == EVERY_KIND._replace(fields=expected)
    assert read_clarification(EVERY_KIND.to_elicitation()) == back


def test_titles_of_the_older_shape() -> None:
    """``enum`` with ``enumNames`` is a select too."""
    asked = {"type": "string", "enum": ["a", "b"], "enumNames": ["First", "Second"]}
    form = {"message": "?", "requestedSchema": {"type": "object", "properties": {"x": asked}}}
    (field,) = Clarification.from_elicitation(form).fields
    assert (field.kind, field.options) == ("select", (Option("a", "First"), Option("b", "Second")))
    assert field.required is False


def test_what_is_no_form_is_refused() -> None:
    """An elicitation by URL has no fields."""
    with pytest.raises(ValueError, match="requestedSchema"):
        Clarification.from_elicitation({"mode": "url", "url": "https://example.com"})


def test_an_answer_is_read_by_kind() -> None:
    """Values come back as the tool wants them, ids of choices included."""
    given_ = {
        "place": "Home",
        "size": "L",
        "at": "2026-01-05T10:00:00Z",
        "count": "3",
        "sure": "no",
    }
    read_ = {"place": 7, "size": "L", "at": "2026-01-05T10:00:00Z", "count": 3, "sure": False}
    accepted = mcp.types.ElicitResult(action="accept", content=given_).model_dump()
    assert EVERY_KIND.read_answer(accepted) == read_
    assert EVERY_KIND.read_answer({**given_, "note": " x "}) == {**read_, "note": "x"}


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "decline"},
        {"action": "cancel"},
        {"action": "accept"},
        {"place": "Mars", "size": "L", "at": "now", "count": 1, "sure": True},
        {"place": 7, "size": "L", "at": "", "count": 1, "sure": True},
        {"place": 7, "size": "L", "at": "now", "count": "nan", "sure": True},
        {"place": 7, "size": "L", "at": "now", "count": "x", "sure": True},
        {"place": 7, "size": "L", "at": "now", "count": None, "sure": True},
        {"place": 7, "size": "L", "at": "now", "count": 1, "sure": "perhaps"},
    ],
)
def test_no_answer_is_made_up(answer: dict[str, Any]) -> None:
    """Declined, dismissed, or a required field that cannot be read: there is no answer."""
    assert EVERY_KIND.read_answer(answer) is None


def test_as_json() -> None:
    """For a host that shows its own form."""
    shown = EVERY_KIND.to_dict()
    assert shown["fields"][1]["options"] == [{"value": 7, "label": "Home"}]
    assert EVERY_KIND.candidates == (Option(7, "Home"), Option("S", "S"), Option("L", "L"))


@given(JSON)
def test_any_result_is_read_or_left_alone(data: object) -> None:
    """Whatever a tool returns, reading raises nothing, and a form is one that MCP accepts."""
    asked = read_clarification(data)
    if asked is not None:
        assert asked.fields
        assert asked.question
        sent = mcp.types.ElicitRequestFormParams.model_validate(asked.to_elicitation())
        primitive: TypeAdapter[object] = TypeAdapter(PrimitiveSchemaDefinition)
        for one in sent.requested_schema["properties"].values():
            primitive.validate_python(one)
