"""Gives every call an id of its own, and every call exactly one result.

Providers reject a history in which an id is missing or used twice, or in which a call is
answered never or twice.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from handrail.wire.shapes import CallDict, ResultDict

__all__ = ["Pending", "block_turns", "is_minted", "paired", "with_ids"]

Block = dict[str, Any]  # Any: block of the provider

_MINTED = re.compile(r"call_(?:[0-9a-z.]+_)?[0-9]+")


def is_minted(call_id: str) -> bool:
    """Whether an id looks like one that was given here, and not by a provider."""
    return not call_id or _MINTED.fullmatch(call_id) is not None


def with_ids(calls: Sequence[CallDict], taken: Collection[str] = ()) -> list[CallDict]:
    """The same calls, missing and repeated ids replaced by ``call_1``, ``call_2`` ...

    The first call that uses an id keeps it. The same calls always get the same ids.

    Args:
        calls: The calls of one reply, in order.
        taken: Ids that are used elsewhere and must not be minted.
    """
    sent = {call["id"] for call in calls} | set(taken)
    used: set[str] = set()
    named: list[CallDict] = []
    for number, call in enumerate(calls, start=1):
        wanted = call["id"]
        if not wanted or wanted in used:
            wanted = _minted(number, sent | used)
        used.add(wanted)
        fresh = CallDict(id=wanted, name=call["name"], arguments=call["arguments"])
        named.append(call if wanted == call["id"] else fresh)
    return named


def paired(
    calls: Sequence[CallDict], results: Sequence[ResultDict]
) -> list[tuple[CallDict, ResultDict]]:
    """Each call with its one result, in the order of the calls.

    A result belongs to the call with its id. Results without an id, or with an id that calls
    share, belong to those calls in order.

    Raises:
        ValueError: If a call has no result, or a result no call.
    """
    waiting: dict[str, list[ResultDict]] = {}
    for result in results:
        waiting.setdefault(result["call_id"], []).append(result)
    ided = with_ids(calls)
    pairs: list[tuple[CallDict, ResultDict]] = []
    for sent, call in zip(calls, ided, strict=True):
        queue = waiting.get(sent["id"]) or waiting.get(call["id"]) or []
        if not queue:
            raise ValueError(f"call {call['id']!r} of tool {call['name']!r} has no result")
        pairs.append((call, queue.pop(0)))
    left = [call_id for call_id, queue in waiting.items() if queue]
    if left:
        raise ValueError(f"results {left!r} answer no call of this reply")
    return pairs


def block_turns(
    blocks: Sequence[Block],
    is_call: Callable[[Block], bool],
    calls: Sequence[Block],
    answers: Sequence[Block],
) -> list[dict[str, Any]]:  # Any: message of the provider
    """The assistant turn, and all results of its calls in one user message.

    Each call stands where its block stood; calls without a block come last. A turn that has
    nothing to say is left out, since an empty one is refused.
    """
    waiting = list(calls)
    content: list[Block] = []
    for block in blocks:
        if not is_call(block):
            content.append(block)
        elif waiting:
            content.append(waiting.pop(0))
    content += waiting
    turns = [("assistant", content), ("user", list(answers))]
    return [{"role": role, "content": held} for role, held in turns if held]


class Pending:
    """The calls of a logged history that are not answered yet, oldest first."""

    def __init__(self) -> None:
        self._calls: list[CallDict] = []
        self._ids: set[str] = set()

    def add(self, calls: Sequence[CallDict]) -> list[CallDict]:
        """The calls of one message with ids of their own; they wait from now on."""
        missing = any(not call["id"] for call in calls)
        named = with_ids(calls, self._ids) if missing else list(calls)
        self._calls.extend(named)
        self._ids.update(call["id"] for call in named)
        return named

    def answer(self, call_id: str, name: str) -> tuple[str, str]:
        """Id and tool name of the call that a result answers: by id, else by name, else oldest."""
        for index, call in enumerate(self._calls):
            if call["id"] == call_id if call_id else name in ("", call["name"]):
                self._calls.pop(index)
                return call["id"], call["name"]
        return call_id, name


def _minted(number: int, used: Collection[str]) -> str:
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"
