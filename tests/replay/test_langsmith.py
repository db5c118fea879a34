"""LangSmith runs.

The samples are what `langsmith.run_trees.RunTree` dumps for langchain-core's tracer, and what the
package's wrappers of the OpenAI and Anthropic clients give as ``inputs`` and ``outputs``.
"""

from typing import Any

import pytest

from handrail.replay.langsmith import is_run, read_run
from handrail.replay.readers import Reader
from handrail.replay.records import Definition, Item, Place, Recorded
from handrail.replay.threads import Execution

HERE = Place("runs.jsonl", 1)
PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}}}
TOOL = {"type": "function", "function": {"name": "find", "parameters": PARAMETERS}}
TRACE = "01a200d1-e12f-7231-89c1-599b0aae0cde"
USER = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"]}
USER |= {"kwargs": {"content": "hi", "type": "human"}}
CALLED = {"name": "find", "args": {"a": 1}, "id": "call_Xy7", "type": "tool_call"}
OPENAI_CALL = {"id": "call_Xy7", "type": "function"}
OPENAI_CALL |= {"function": {"name": "find", "arguments": '{"a": 1}'}}


def run(kind: str = "llm", **fields: Any) -> dict[str, Any]:  # Any: JSON values
    """A run of a trace that belongs to a thread."""
    extra = {"metadata": {"thread_id": "th", "ls_model_name": "m"}, **fields.pop("extra", {})}
    head = {"id": TRACE, "trace_id": TRACE, "run_type": kind, "name": "M", "error": None}
    return {**head, "inputs": {}, "outputs": {}, "extra": extra, **fields}


def langchain(**kwargs: Any) -> dict[str, Any]:  # Any: JSON values
    """What a chat model of LangChain gives."""
    message = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages"]}
    message["id"] = ["langchain", "schema", "messages", "AIMessage"]
    message |= {"kwargs": {"content": "", "type": "ai", **kwargs}}
    return {"generations": [[{"text": "", "generation_info": None, "message": message}]]}


def read(*rows: dict[str, Any]) -> list[Item]:  # Any: JSON values
    """What a log of these rows holds."""
    reader = Reader(dict)
    return [item for row in rows for item in reader.read(row, HERE)] + list(reader.rest())


OUTPUTS = [
    langchain(tool_calls=[CALLED], usage_metadata={"input_tokens": 5, "output_tokens": 7})
    | {"llm_output": None},
    {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [OPENAI_CALL]}}]}
    | {"usage": {"prompt_tokens": 5, "completion_tokens": 7}},
    {"role": "assistant", "content": None, "stop_reason": "tool_use", "tool_calls": [OPENAI_CALL]}
    | {"usage_metadata": {"input_tokens": 5, "output_tokens": 7}},
    {"messages": [{"role": "assistant", "content": [CALLED]}]}
    | {"usage_metadata": {"input_tokens": 5, "output_tokens": 7}},
    {"output": {"role": "assistant", "content": "", "tool_calls": [CALLED]}},
]


@pytest.mark.parametrize("outputs", OUTPUTS)
def test_formats_of_replies_mean_the_same(outputs: dict[str, Any]) -> None:
    """LangChain's, OpenAI's, Anthropic's as the wrapper flattens it, and by hand."""
    tokens = {"prompt_tokens": 5, "completion_tokens": 7}
    params = {"invocation_params": {"model": "m", "tools": [TOOL]}}
    (found,) = read(run(outputs=outputs, inputs={"messages": [[USER]]}, extra=params, **tokens))
    assert isinstance(found, Recorded)
    assert found.offer is not None
    assert (found.tool, *found.offer.definitions, found.model) == ("find", "find", "m")
    assert found.usage == {"input_tokens": 5, "output_tokens": 7}
    assert (found.call_id, found.turn) == ("call_Xy7", 1)


def test_openai_responses_are_read() -> None:
    """The wrapper gives the whole response."""
    item = {"type": "function_call", "call_id": "call_Xy7", "name": "find", "arguments": "{}"}
    (found,) = read(run(outputs={"object": "response", "status": "completed", "output": [item]}))
    assert isinstance(found, Recorded)
    assert (found.tool, found.finish_reason, found.conversation) == ("find", "tool_calls", "th")


def test_call_that_langchain_could_not_read_is_judged() -> None:
    """It is what the report is about."""
    bad = {"type": "invalid_tool_call", "name": "find", "args": '{"a": ', "id": "call_Zz9"}
    finish = {"response_metadata": {"finish_reason": "length"}}
    found = read(run(outputs=langchain(tool_calls=[], invalid_tool_calls=[bad], **finish)))
    assert [(one.arguments, one.finish_reason) for one in found if isinstance(one, Recorded)] == [
        ('{"a": ', "length")
    ]


def test_thread_is_the_conversation_and_else_the_trace() -> None:
    """It is named in the metadata."""
    known = {"metadata": {"thread_id": "th"}}
    found = [*read(run(outputs=OUTPUTS[0], extra=known)), *read(run(outputs=OUTPUTS[0], extra={}))]
    names = [one.conversation for one in found if isinstance(one, Recorded)]
    assert names == ["th", "th"]
    (alone,) = read(run(outputs=OUTPUTS[0], extra={"metadata": {}}))
    assert isinstance(alone, Recorded)
    assert alone.conversation == TRACE


@pytest.mark.parametrize("newest_first", [False, True])
def test_tool_run_is_the_result_of_its_call(newest_first: bool) -> None:
    """By the id of the call, in whatever order the export has them."""
    message = {"type": "tool", "content": "x", "tool_call_id": "call_Xy7", "status": "success"}
    tool = run("tool", name="find", inputs={"a": 1}, outputs={"output": message})
    rows = [run(outputs=OUTPUTS[0]), {**tool, "extra": {"tool_call_id": "call_Xy7"}}]
    found = read(*(reversed(rows) if newest_first else rows))
    called = next(one for one in found if isinstance(one, Recorded))
    told = called if newest_first else found[1]
    assert not isinstance(told, Definition)
    assert (len(found), getattr(told, "result", None)) == (1 if newest_first else 2, "x")
    assert getattr(told, "failed", None) is False


def test_tool_run_without_a_reply_is_a_call() -> None:
    """A log of tools only is judged too; an error is the tool's."""
    (found,) = read(run("tool", name="find", inputs={"input": '{"a": 1}'}, error="boom"))
    assert isinstance(found, Recorded)
    assert (found.tool, found.arguments, found.error) == ("find", {"a": 1}, "boom")


def test_runs_inside_runs_are_read() -> None:
    """Chains hold no calls of their own."""
    inner = run(outputs=OUTPUTS[0])
    found = list(read_run(run("chain", child_runs=[inner, 3, {"a": 1}]), HERE))
    assert len(found) == 1
    assert not isinstance(found[0], Execution)


def test_run_without_outputs_has_no_reply() -> None:
    """It failed, or was still running."""
    (found,) = read(run(outputs=None, error="timeout"))
    assert getattr(found, "why", None) == "an error instead of a reply"


def test_other_rows_are_no_runs() -> None:
    """The type alone is not enough."""
    assert [is_run(one) for one in (run(), {"run_type": "llm"}, {"inputs": {}})] == [
        True,
        False,
        False,
    ]
