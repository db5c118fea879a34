"""Requests with their replies: the request holds the tools, so nothing need be declared.

Only the reply is judged. The messages of the request are its history, and each call in them was
the reply to an earlier request of the same log; the history tells which, and what came of it.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.conversations import history_of, text_calls
from handrail.replay.definitions import definitions_in, text_tools, tools_of
from handrail.replay.plain_calls import conversation_of
from handrail.replay.records import (
    Answered,
    Definition,
    Offer,
    Place,
    Recorded,
    Unanswered,
    Unreadable,
    content_key,
)
from handrail.replay.replies import failure, opened, replies, reply_id
from handrail.replay.threads import Thread, Threads
from handrail.wire.shapes import ReplyDict, UsageDict

__all__ = ["Offers", "is_exchange", "read_exchange"]

Object = Mapping[str, Any]  # Any: JSON values
Read = Recorded | Answered | Definition | Unanswered | Unreadable

_OFFERS = 256
_ADVICE_REPLY = "log the whole response as the provider sent it, as JSON, or all of its chunks"
_ADVICE_TOOLS = "log the request with its tools, each with a name; the reply was read"
_MODELS = ("model", "modelId", "model_id")


class Offers:
    """The tool lists of requests; the same list, sent with every request, is read once."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[Offer | None, list[Unreadable]]] = OrderedDict()

    def of(self, request: Object, place: Place) -> tuple[Offer | None, list[Unreadable]]:
        """The tools of a request (None if it has none), and what of them cannot be read.

        Faults of a list are told where it first occurs.
        """
        listed = tools_of(request)
        if not listed:
            return None, []
        key = content_key(listed)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key][0], []
        read = _offer(listed, place)
        self._known[key] = read
        if len(self._known) > _OFFERS:
            self._known.popitem(last=False)
        return read


def is_exchange(row: Object) -> bool:
    """Whether a row is a request with its reply, or with the place where a reply would be."""
    return "response" in row or isinstance(row.get("request"), Mapping)


def read_exchange(
    row: Object,
    place: Place,
    offers: Offers,
    schemas: Mapping[str, Any],  # Any: JSON Schema
    threads: Threads | None = None,
) -> Iterator[Read]:
    """The calls of the reply, or why there are none; before them, results of earlier calls.

    Args:
        row: ``request`` and ``response``; beside them may stand ``conversation``, ``model`` and
            ``trace`` (what executions of its tools have in common with it).
        place: Where the row stands.
        offers: Tool lists that are known.
        schemas: Known tools, for calls that were written as text.
        threads: The conversations of the log.
    """
    threads = threads or Threads()
    sent = opened(row.get("request"))
    request: Object = sent if isinstance(sent, Mapping) else {}
    offer, faults = offers.of(request, place)
    yield from faults
    trace = row.get("trace")
    thread = threads.thread(
        place,
        history_of(request),
        named=conversation_of(row) or conversation_of(request),
        after=_text(request.get("previous_response_id")),
        trace=trace if isinstance(trace, str) else "",
    )
    yield from thread.answers
    response = opened(row.get("response"))
    why = failure(row, response)
    if why:
        yield Unanswered(place, why)
        return
    threads.replied(thread, reply_id(response))
    model = next((text for key in _MODELS if (text := _text(request.get(key)))), None)
    base = Recorded(place=place, tool="", offer=offer, model=model or _model(row, response))
    for reply in replies(response):
        if isinstance(reply, ValueError):
            yield Unreadable(place, f"response: {reply}".rstrip("."), _ADVICE_REPLY)
        else:
            yield from _calls(reply, base, schemas, thread, threads)


def _calls(
    reply: ReplyDict,
    base: Recorded,
    schemas: Mapping[str, Any],  # Any: JSON Schema
    thread: Thread,
    threads: Threads,
) -> Iterator[Recorded]:
    calls, as_text = reply["calls"], False
    if not calls and reply["text"]:
        calls = text_calls(reply["text"], base.offer.schemas if base.offer else schemas)
        as_text = True
    broken = reply["finish_reason"] == "interrupted"
    for number, call in enumerate(calls, start=1):
        last = number == len(calls)
        is_text = base.offer is not None and call["name"] in base.offer.texts
        read = Recorded(
            place=base.place,
            tool=call["name"],
            arguments=call["arguments"],
            schema="(free text)" if is_text else None,
            offer=base.offer,
            model=base.model,
            usage=_usage(reply["usage"]) if number == 1 else None,
            finish_reason=reply["finish_reason"] if last or broken else None,
            as_text=as_text,
        )
        yield threads.add(thread, read, call["id"])


def _usage(usage: UsageDict) -> UsageDict | None:
    return usage if usage["input_tokens"] or usage["output_tokens"] else None


def _offer(listed: object, place: Place) -> tuple[Offer | None, list[Unreadable]]:
    if not isinstance(listed, list):
        kind = type(listed).__name__
        return None, [Unreadable(place, f"tools must be a list, got {kind}", _ADVICE_TOOLS)]
    read = list(definitions_in(listed, place))
    faults = [
        Unreadable(place, f"request.tools: {one.problem}", _ADVICE_TOOLS)
        for one in read
        if isinstance(one, Unreadable)
    ]
    known = {one.name: one for one in read if not isinstance(one, Unreadable)}
    return Offer(known, text_tools(listed)), faults


def _model(row: Object, response: object) -> str | None:
    """The model that answered, where the request does not name one."""
    said = response.get("model") if isinstance(response, Mapping) else None
    return _text(row.get("model")) or _text(said)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
