"""Requests with their replies: the request holds the tools, so nothing need be declared.

Only the reply is judged. The messages of the request are its history, and each call in them was
the reply to an earlier request of the same log.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any

from handrail.replay.conversations import text_calls
from handrail.replay.definitions import definitions_in
from handrail.replay.records import Offer, Place, Recorded, Unanswered, Unreadable, content_key
from handrail.wire.registry import read_reply, recognise
from handrail.wire.shapes import ReplyDict

__all__ = ["Offers", "is_exchange", "read_exchange"]

Object = Mapping[str, Any]  # Any: JSON values

_OFFERS = 256
_ADVICE_REPLY = "log the whole response as the provider sent it, as JSON"
_ADVICE_TOOLS = "log the request with its tools, each with a name; the reply was read"


class Offers:
    """The tool lists of requests; the same list, sent with every request, is read once."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[Offer | None, list[Unreadable]]] = OrderedDict()

    def of(self, request: Object, place: Place) -> tuple[Offer | None, list[Unreadable]]:
        """The tools of a request (None if it has none), and what of them cannot be read.

        Faults of a list are told where it first occurs.
        """
        listed = request.get("tools") or request.get("functions")
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
) -> Iterator[Recorded | Unanswered | Unreadable]:
    """The calls of the reply, or why there are none."""
    request = _body(row.get("request"))
    offer, faults = offers.of(request, place) if isinstance(request, Mapping) else (None, [])
    yield from faults
    response = _body(row.get("response"))
    why = _failure(row, response)
    if why:
        yield Unanswered(place, why)
        return
    for part in _choices(response):
        try:
            reply = _reply(part)
        except ValueError as error:
            yield Unreadable(place, f"response: {error}".rstrip("."), _ADVICE_REPLY)
        else:
            model = request.get("model") if isinstance(request, Mapping) else None
            yield from _calls(reply, place, offer, schemas, model)


def _calls(
    reply: ReplyDict,
    place: Place,
    offer: Offer | None,
    schemas: Mapping[str, Any],  # Any: JSON Schema
    model: object,
) -> Iterator[Recorded]:
    calls, as_text = reply["calls"], False
    if not calls and reply["text"]:
        calls = text_calls(reply["text"], offer.schemas if offer else schemas)
        as_text = True
    for number, call in enumerate(calls, start=1):
        yield Recorded(
            place=place,
            tool=call["name"],
            arguments=call["arguments"],
            offer=offer,
            model=model if isinstance(model, str) else None,
            finish_reason=reply["finish_reason"] if number == len(calls) else None,
            as_text=as_text,
        )


def _offer(listed: object, place: Place) -> tuple[Offer | None, list[Unreadable]]:
    if not isinstance(listed, list):
        kind = type(listed).__name__
        return None, [Unreadable(place, f"tools must be a list, got {kind}", _ADVICE_TOOLS)]
    read = [one for entry in listed for one in definitions_in(entry, place)]
    faults = [
        Unreadable(place, f"request.tools: {one.problem}", _ADVICE_TOOLS)
        for one in read
        if isinstance(one, Unreadable)
    ]
    known = {one.name: one for one in read if not isinstance(one, Unreadable)}
    return Offer(known), faults


def _body(value: object) -> object:
    """A request or response without the envelope of HTTP, and as JSON if it was logged as text."""
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return value
        if isinstance(value, Mapping) and "messages" not in value and "choices" not in value:
            inner = value.get("body")
            status = value.get("status_code", value.get("status"))
            failed = isinstance(status, int) and status >= 400
            if inner is not None and not failed:
                value = inner
                continue
        return value
    return value


def _failure(row: Object, response: object) -> str:
    """Why there is no reply; ``""`` if there is one."""
    if response is None:
        return "an error instead of a reply" if row.get("error") else "no reply (null)"
    if isinstance(response, str) and not response.strip():
        return "an empty reply"
    if not isinstance(response, Mapping):
        return ""
    status = response.get("status_code", response.get("status"))
    if isinstance(status, int) and status >= 400:
        return f"HTTP status {status}"
    if response.get("error") and not response.get("choices"):
        return "an error instead of a reply"
    if response == {}:
        return "an empty reply"
    return "a reply without choices" if response.get("choices") == [] else ""


def _choices(response: object) -> list[object]:
    """One object for each alternative that was asked for."""
    choices = response.get("choices") if isinstance(response, Mapping) else None
    if isinstance(choices, list) and len(choices) > 1 and isinstance(response, Mapping):
        return [{**response, "choices": [choice]} for choice in choices]
    return [response]


def _reply(part: object) -> ReplyDict:
    if isinstance(part, list):
        raise ValueError("a list, perhaps the chunks of a stream, is no whole reply")
    if isinstance(part, str):
        raise ValueError("text that is not JSON is no whole reply")
    if recognise(part) is None and isinstance(part, Mapping) and "content" in part:
        return read_reply({"role": "assistant", **part})
    return read_reply(part)
