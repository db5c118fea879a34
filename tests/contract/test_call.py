"""What was proposed, what comes back, and the words for it."""

import dataclasses
import json
from datetime import date
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.call import (
    Advice,
    Context,
    Coverage,
    Escalation,
    Status,
    ToolCall,
    ToolResult,
)
from handrail.contract.issue import Issue, Severity

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def test_status_words() -> None:
    """The words of the contract, section 7: they are stored, so they never change."""
    assert [str(status) for status in Status] == [
        "ok",
        "invalid",
        "refused",
        "pending",
        "denied",
        "started",
        "failed",
        "unknown",
        "blocked",
    ]


def test_coverage_words_are_those_of_seed_003() -> None:
    """Each word is its own name."""
    assert [(each.name, str(each)) for each in Coverage] == [
        ("SATISFIED", "SATISFIED"),
        ("NEEDS_MORE_TOOLS", "NEEDS_MORE_TOOLS"),
        ("NEED_USER_INPUT", "NEED_USER_INPUT"),
        ("FAILED", "FAILED"),
    ]


def test_a_call_without_arguments() -> None:
    """Absent arguments stay absent; whoever parses them decides what that means."""
    assert ToolCall("c1", "list_orders") == ToolCall("c1", "list_orders", None)


def test_a_call_is_frozen() -> None:
    """What was proposed cannot be changed behind the judge's back."""
    call = ToolCall("c1", "pay", "{}")
    with pytest.raises(dataclasses.FrozenInstanceError):
        call.arguments = '{"amount": 1}'  # type: ignore[misc]
    assert call.arguments == "{}"


def test_a_context_is_frozen() -> None:
    """A handler cannot make itself somebody else."""
    context = Context("pay", "c1", user="u1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.user = "u2"  # type: ignore[misc]
    assert context.user == "u1"


def test_a_bare_result_is_a_success() -> None:
    """The happy path names the call and nothing else."""
    result = ToolResult(call_id="c1", tool="t")
    assert (result.status, result.is_error, result.complete) == (Status.OK, False, True)
    assert (result.coverage, result.advice) == (Coverage.SATISFIED, Advice(next="none"))


@given(json_values.filter(lambda value: value is not None and not isinstance(value, str)))
def test_content_is_the_data_as_json(value: object) -> None:
    """The model can read back exactly what the handler returned."""
    content = ToolResult(call_id="c1", tool="t", data=value).content
    assert json.loads(content) == value


def test_content_of_nothing_is_a_sentence() -> None:
    """An empty message would read like a failure."""
    content = ToolResult(call_id="c1", tool="t").content
    assert content == "The tool ran and returned nothing."


@given(st.text())
def test_content_of_text_is_the_text(text: str) -> None:
    """A handler that returns prose is not quoted."""
    assert ToolResult(call_id="c1", tool="t", data=text).content == text


def test_content_of_rich_values() -> None:
    """Dates, sets and enums become JSON as pydantic writes it."""
    data = {"on": date(2026, 5, 3), "tags": {"a"}, "status": Status.OK}
    content = ToolResult(call_id="c1", tool="t", data=data).content
    assert json.loads(content) == {"on": "2026-05-03", "tags": ["a"], "status": "ok"}


def test_warnings_stand_behind_the_data() -> None:
    """A call that ran with a warning tells of it, and keeps quiet about mere records."""
    notes = (
        Issue("VAL-005", "/x", "Unknown field 'x'", Severity.WARNING),
        Issue("MEND", "/y", "read as 1", Severity.INFO),
    )
    content = ToolResult(call_id="c1", tool="t", data=[1], _notes=notes).content
    assert content == "[1]\n\nNote:\n- /x: Unknown field 'x'"


@given(st.integers(min_value=1, max_value=40))
def test_many_warnings_are_counted(count: int) -> None:
    """Ten are shown, the rest is a number."""
    notes = tuple(Issue("VAL-015", f"/{n}", "odd", Severity.WARNING) for n in range(count))
    lines = ToolResult(call_id="c1", tool="t", data=[1], _notes=notes).content.splitlines()[3:]
    assert len(lines) == min(count, 11)
    assert (lines[-1] == f"- and {count - 10} more") == (count > 10)


def test_content_is_the_feedback_where_there_is_some() -> None:
    """A text written for the model stands before the data."""
    assert ToolResult(call_id="c1", tool="t", data={"a": 1}, _text="fix /a").content == "fix /a"


def test_content_never_holds_host_advice() -> None:
    """Whatever an operator is told stays with the operator."""
    result = ToolResult(call_id="c1", tool="t", data=[1], host_advice="rotate the key")
    assert "rotate" not in result.content


def test_to_dict_has_every_public_field() -> None:
    """The fields, the text that the model reads, and the version of the contract."""
    told = ToolResult(call_id="c1", tool="t", data={"a": 1}, _text="shown").to_dict()
    assert set(told) == {*ToolResult.field_names(), "content", "format"}
    assert (told["content"], told["data"], told["format"]) == ("shown", {"a": 1}, "handrail/1")


@given(json_values | st.dates() | st.uuids() | st.sets(st.integers()) | st.floats())
def test_to_dict_is_json(data: object) -> None:
    """Whatever a handler returned, the record of it can be written down."""
    result = ToolResult(call_id="c1", tool="t", data=data, issues=(Issue("VAL-015", "", "no"),))
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()


def test_to_openai_is_one_tool_message() -> None:
    """The shape that chat completions want, with the text that the model reads."""
    told = ToolResult(call_id="c1", tool="t", _text="fix /a", is_error=True).to_openai()
    assert told == {"role": "tool", "tool_call_id": "c1", "content": "fix /a"}


def test_one_result_in_every_shape() -> None:
    """One block each; an id only where the shape has one."""
    told = ToolResult(call_id="c1", tool="t", _text="fix /a", is_error=True)
    assert told.to_openai_responses() == {
        "type": "function_call_output",
        "call_id": "c1",
        "output": "fix /a",
    }
    assert told.to_anthropic() == {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": "fix /a",
        "is_error": True,
    }
    answer = {"id": "c1", "name": "t", "response": {"error": "fix /a"}}
    assert told.to_gemini() == {"functionResponse": answer}
    result = {"toolUseId": "c1", "content": [{"text": "fix /a"}], "status": "error"}
    assert told.to_bedrock() == {"toolResult": result}
    assert told.to_mcp() == {"content": [{"type": "text", "text": "fix /a"}], "isError": True}


@pytest.mark.parametrize(
    "block",
    [
        {"id": "c1", "name": "t", "arguments": {"a": 1}},
        {"id": "c1", "type": "function", "function": {"name": "t", "arguments": {"a": 1}}},
        {"type": "function_call", "id": "f", "call_id": "c1", "name": "t", "arguments": {"a": 1}},
        {"type": "tool_use", "id": "c1", "name": "t", "input": {"a": 1}},
        {"functionCall": {"id": "c1", "name": "t", "args": {"a": 1}}},
        {"id": "c1", "name": "t", "args": {"a": 1}},
        {"toolUse": {"toolUseId": "c1", "name": "t", "input": {"a": 1}}},
        {"toolUseId": "c1", "name": "t", "input": {"a": 1}},
        {"method": "tools/call", "id": "c1", "params": {"name": "t", "arguments": {"a": 1}}},
    ],
)
def test_every_providers_block_is_one_call(block: dict[str, object]) -> None:
    """Each shape, as a dict and as an object."""
    assert ToolCall.parse(block) == ToolCall("c1", "t", {"a": 1})
    if "name" in block or "type" in block:
        assert ToolCall.parse(SimpleNamespace(**block)) == ToolCall("c1", "t", {"a": 1})


def test_what_is_no_call_is_refused() -> None:
    """A whole reply and nonsense; the error shows no values."""
    for obj in ({"api_key": "sk-secret"}, 5, {"choices": []}):
        with pytest.raises(ValueError, match="as one call") as caught:
            ToolCall.parse(obj)
        assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(("is_error", "status"), [(True, 422), (False, 200)])
def test_to_problem_names_the_class(is_error: bool, status: int) -> None:
    """RFC 9457: a type, a title in words, a status, and our extensions."""
    told = ToolResult(
        call_id="c1", tool="t", is_error=is_error, error_class="tool_failed", _text="It failed."
    ).to_problem()
    assert (told["type"], told["title"]) == ("urn:handrail:tool_failed", "tool failed")
    assert (told["status"], told["detail"], told["instance"]) == (
        status,
        "It failed.",
        "urn:handrail:call:c1",
    )
    assert (told["tool"], told["attempt"], told["max_attempts"]) == ("t", 1, 3)


def test_an_escalation_speaks_to_a_human() -> None:
    """The message for the person is the stored text."""
    escalation = Escalation(
        call=ToolCall("c1", "pay", {}),
        attempts=(),
        by_code={"VAL-001": 3},
        by_field={"/amount": 3},
        likely_cause="The amount was never given.",
        text="pay stopped after 3 attempts.",
    )
    assert escalation.for_human() == "pay stopped after 3 attempts."


def test_data_are_fitted_when_somebody_reads_them_and_texts_never() -> None:
    """Feedback has a bound of its own; the data stay as they are."""
    asked: list[str] = []

    def shortened(text: str) -> str:
        asked.append(text)
        return "short"

    result = ToolResult(call_id="c", tool="t", data={"a": 1})
    result.fit_by(shortened)
    assert asked == []
    assert (result.content, result.data, asked) == ("short", {"a": 1}, ['{"a":1}'])
    assert result.replace(reused=True).content == "short"
    told = ToolResult(call_id="c", tool="t", data={"a": 1}, _text="No.")
    told.fit_by(shortened)
    assert told.content == "No."
