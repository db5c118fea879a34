"""The reply in a logged exchange: out of its envelope, out of its chunks, or why there is none."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.streams import chunks_in, collected, stream_error
from handrail.wire.registry import read_reply, recognise
from handrail.wire.shapes import ReplyDict

__all__ = ["failure", "opened", "replies", "reply_id"]

_OWN_KEYS = ("messages", "choices", "contents", "candidates", "output", "input")
_LISTS = ("choices", "candidates")


def opened(value: object) -> object:
    """A request or response without the envelope of HTTP, and as JSON if it was logged as text."""
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return value
        if isinstance(value, Mapping) and not any(key in value for key in _OWN_KEYS):
            inner = value.get("body")
            status = value.get("status_code", value.get("status"))
            failed = isinstance(status, int) and status >= 400
            if inner is not None and not failed:
                value = inner
                continue
        return value
    return value


def failure(row: Mapping[str, Any], response: object) -> str:  # Any: JSON values
    """Why there is no reply; ``""`` if there is one."""
    if response is None:
        return "an error instead of a reply" if row.get("error") else "no reply (null)"
    if (isinstance(response, str) and not response.strip()) or response == []:
        return "an empty reply"
    chunks = chunks_in(response)
    if chunks is not None and (not chunks or stream_error(chunks)):
        return "an error instead of a reply" if chunks else "an empty reply"
    if not isinstance(response, Mapping):
        return ""
    status = response.get("status_code", response.get("status"))
    if isinstance(status, int) and status >= 400:
        return f"HTTP status {status}"
    if response.get("error") and not any(response.get(key) for key in (*_LISTS, "output")):
        return "an error instead of a reply"
    if response == {}:
        return "an empty reply"
    return "a reply without choices" if response.get("choices") == [] else ""


def replies(response: object) -> Iterator[ReplyDict | ValueError]:
    """Every alternative that was asked for; the error says why one cannot be read."""
    for part in _alternatives(response):
        try:
            yield _reply(part)
        except ValueError as error:
            yield error


def reply_id(response: object) -> object:
    """The id that a provider gave its reply."""
    return response.get("id") if isinstance(response, Mapping) else None


def _alternatives(response: object) -> list[object]:
    if isinstance(response, list) and chunks_in(response) is None and recognise(response) is None:
        return response
    if not isinstance(response, Mapping):
        return [response]
    for key in _LISTS:
        listed = response.get(key)
        if isinstance(listed, list) and len(listed) > 1:
            first = {**response, key: listed[:1]}
            # The tokens of a reply are those of all its alternatives.
            rest = {k: v for k, v in response.items() if k not in ("usage", "usageMetadata")}
            return [first, *({**rest, key: [one]} for one in listed[1:])]
    return [response]


def _reply(part: object) -> ReplyDict:
    chunks = chunks_in(part)
    if chunks is not None:
        return collected(chunks)
    if isinstance(part, list) and recognise(part) is None:
        raise ValueError("a list of neither chunks nor output items is no reply")
    if isinstance(part, str):
        raise ValueError("text that is neither JSON nor a stream is no reply")
    if recognise(part) is None and isinstance(part, Mapping) and "content" in part:
        return read_reply({"role": "assistant", **part})
    return read_reply(part)
