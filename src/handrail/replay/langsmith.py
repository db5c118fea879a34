"""LangSmith runs -> exchanges and executions.

A run has ``run_type``, ``inputs`` and ``outputs`` (LangSmith documentation, «Run (span) data
format»). Of type ``llm`` it is a request with its reply, in one of the message formats that
LangSmith takes: LangChain's, OpenAI's or Anthropic's («Log LLM calls»). Of type ``tool`` it is
the execution of a call. Runs of other types only enclose these.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.messages import as_json, finish_of, message_of, messages_of, usage_of
from handrail.replay.records import Place, Recorded
from handrail.replay.threads import Execution
from handrail.wire.plain import raw_arguments
from handrail.wire.registry import recognise

__all__ = ["is_run", "read_run"]

Object = Mapping[str, Any]  # Any: JSON values

_THREADS = ("thread_id", "conversation_id", "session_id")
_INNER = ("output", "message", "response")
_FINISH = ("finish_reason", "stop_reason", "done_reason")
_DEEPEST = 50


def is_run(row: Object) -> bool:
    """Whether a row is a run."""
    return isinstance(row.get("run_type"), str) and ("inputs" in row or "outputs" in row)


def read_run(row: Object, place: Place, depth: int = 0) -> Iterator[Object | Execution]:
    """The exchange or execution that a run is, and those of the runs inside it."""
    kind = row["run_type"].lower()
    if kind == "llm":
        yield _exchange(row)
    elif kind == "tool":
        yield _execution(row, place)
    children = row.get("child_runs")
    for child in children if isinstance(children, list) and depth < _DEEPEST else ():
        if isinstance(child, Mapping) and is_run(child):
            yield from read_run(child, place, depth + 1)


def _exchange(run: Object) -> Object:
    inputs, outputs = _object(run.get("inputs")), as_json(run.get("outputs"))
    extra = _object(run.get("extra"))
    params, metadata = _object(extra.get("invocation_params")), _object(extra.get("metadata"))
    model = next(
        (text for text in (params.get("model"), metadata.get("ls_model_name")) if text),
        params.get("model_name"),
    )
    return {
        "request": {
            "model": model,
            "tools": next((found for one in (params, inputs) if (found := _tools(one))), None),
            "messages": messages_of(inputs.get("messages")) or messages_of(inputs.get("input")),
        },
        "response": _response(outputs, run, metadata),
        "conversation": _thread(run, metadata),
        "trace": _trace(run),
        "error": run.get("error"),
    }


def _tools(holder: Object) -> object:
    if holder.get("tools") or holder.get("functions"):
        return holder.get("tools") or holder.get("functions")
    return _object(holder.get("config")).get("tools")


def _response(outputs: object, run: Object, metadata: Object) -> object:
    if not isinstance(outputs, Mapping) or not outputs:
        return None
    usage = usage_of(
        outputs.get("usage_metadata"),
        metadata.get("usage_metadata"),
        {"input": run.get("prompt_tokens"), "output": run.get("completion_tokens")},
    )
    generations = outputs.get("generations")
    if isinstance(generations, list) and generations:
        return _generated(generations, usage)
    messages = [one for one in messages_of(outputs) if one["role"] == "assistant"]
    if messages:
        return _completion([(messages[-1], _finish(outputs))], usage)
    if "tool_calls" not in outputs and recognise(outputs) is not None:
        return outputs
    message = message_of(outputs)
    if message is not None:
        return _completion([(message, _finish(outputs))], usage)
    inner = next((outputs[key] for key in _INNER if isinstance(outputs.get(key), Mapping)), None)
    return outputs if inner is None else _response(inner, run, metadata)


def _generated(generations: list[Any], usage: object) -> object:  # Any: JSON values
    """What LangChain's models give: a list of alternatives, inside a list of prompts."""
    listed = generations[0] if isinstance(generations[0], list) else generations
    found = []
    for one in listed:
        message = message_of(_object(one).get("message"))
        if message is None:
            message = {"role": "assistant", "content": _object(one).get("text") or ""}
        own = _object(_object(one).get("message"))
        inner = _object(own.get("kwargs")) or _object(own.get("data")) or own
        usage = usage or usage_of(inner.get("usage_metadata"))
        places = (inner.get("response_metadata"), _object(one).get("generation_info"))
        finish = next((text for place in places if (text := _finish(place))), None)
        found.append((message, finish))
    return _completion(found, usage)


def _completion(found: list[tuple[dict[str, Any], str | None]], usage: object) -> object:
    # Any: JSON object
    choices = [{"message": message, "finish_reason": finish} for message, finish in found]
    return {"choices": choices, "usage": usage}


def _finish(place: object) -> str | None:
    said = _object(place)
    return next((reason for key in _FINISH if (reason := finish_of(said.get(key)))), None)


def _execution(run: Object, place: Place) -> Execution:
    inputs, outputs = _object(run.get("inputs")), _object(run.get("outputs"))
    given = inputs["input"] if list(inputs) == ["input"] else inputs
    output = outputs["output"] if list(outputs) == ["output"] else outputs
    message = _object(output)
    message = _object(message.get("kwargs")) or message
    extra = _object(run.get("extra"))
    call_id = extra.get("tool_call_id") or message.get("tool_call_id")
    error = run.get("error") or message.get("status") == "error"
    call = Recorded(
        place=place,
        tool=str(run.get("name") or ""),
        arguments=raw_arguments(as_json(given)),
        result=message.get("content") if "tool_call_id" in message else output or None,
        error=error or False,
        call_id=call_id if isinstance(call_id, str) else "",
        conversation=_thread(run, _object(extra.get("metadata"))),
    )
    return Execution(trace=_trace(run), call=call)


def _trace(run: Object) -> str:
    found = run.get("trace_id") or run.get("id")
    return found if isinstance(found, str) else ""


def _thread(run: Object, metadata: Object) -> str:
    """The thread that a trace belongs to, else the trace itself."""
    named = next((metadata[key] for key in _THREADS if isinstance(metadata.get(key), str)), "")
    return named or _trace(run)


def _object(value: object) -> Object:
    value = as_json(value)
    return value if isinstance(value, Mapping) else {}
