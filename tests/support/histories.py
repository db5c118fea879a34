"""Healthy histories of both shapes, and the ways in which they get damaged."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

__all__ = ["as_anthropic", "damaged", "healthy"]

Messages = list[dict[str, Any]]  # Any: OpenAI chat messages


@st.composite
def healthy(draw: st.DrawFn) -> Messages:
    """OpenAI chat messages as a provider accepts them: words, single and parallel calls."""
    steps = draw(st.lists(st.integers(-2, 3), min_size=1, max_size=6))
    messages: Messages = [{"role": "user", "content": "go"}]
    number = 0
    for step in steps:
        if step <= 0:
            role = "assistant" if step else "user"
            messages.append({"role": role, "content": f"words {len(messages)}"})
            continue
        calls = []
        for _ in range(step):
            number += 1
            function = {"name": "look", "arguments": json.dumps({"n": number})}
            calls.append({"id": f"call_{number}", "type": "function", "function": function})
        words = draw(st.sampled_from([None, "I look."]))
        messages.append({"role": "assistant", "content": words, "tool_calls": calls})
        for call in draw(st.permutations(calls)):
            answer = {"role": "tool", "tool_call_id": call["id"], "content": f"r {call['id']}"}
            messages.append(answer)
    return messages


def damaged(messages: Sequence[dict[str, Any]], seed: int, times: int = 3) -> Messages:
    """The same messages after some accidents; the same seed gives the same."""
    chance = random.Random(seed)
    made: Messages = copy.deepcopy(list(messages))
    for _ in range(times):
        if made:
            chance.choice(_ACCIDENTS)(made, chance)
    return made


def _lose(messages: Messages, chance: random.Random) -> None:
    messages.pop(chance.randrange(len(messages)))


def _repeat(messages: Messages, chance: random.Random) -> None:
    at = chance.randrange(len(messages))
    messages.insert(chance.randrange(len(messages) + 1), copy.deepcopy(messages[at]))


def _swap(messages: Messages, chance: random.Random) -> None:
    one, other = chance.randrange(len(messages)), chance.randrange(len(messages))
    messages[one], messages[other] = messages[other], messages[one]


def _cut(messages: Messages, chance: random.Random) -> None:
    at = chance.randrange(len(messages))
    del messages[at : at + 3]


def _empty(messages: Messages, chance: random.Random) -> None:
    messages.insert(
        chance.randrange(len(messages) + 1),
        {"role": "assistant", "content": chance.choice([None, ""])},
    )


def _break_call(messages: Messages, chance: random.Random) -> None:
    for message in chance.sample(messages, len(messages)):
        if calls := message.get("tool_calls"):
            call = chance.choice(calls)
            call |= chance.choice([{"id": ""}, {"id": "x" * 50}, {"id": calls[0]["id"]}, {}])
            call["function"] |= chance.choice([{"name": "a b"}, {"arguments": {"n": 1}}, {}])
            if chance.random() < 0.3:
                calls.remove(call)
            return


def _break_result(messages: Messages, chance: random.Random) -> None:
    results = [message for message in messages if message["role"] == "tool"]
    if results:
        other = chance.choice(results)["tool_call_id"]
        chance.choice(results)["tool_call_id"] = chance.choice(["", "unheard", other])


_ACCIDENTS: list[Callable[[Messages, random.Random], None]] = [
    _lose, _repeat, _swap, _cut, _empty, _break_call, _break_result,
]  # fmt: skip


def as_anthropic(messages: Sequence[dict[str, Any]], together: bool = True) -> Messages:
    """The same history in Anthropic's shape; damage is carried over.

    Args:
        messages: OpenAI chat messages without system messages.
        together: Whether results that follow one another are put into one message.
    """
    made: Messages = []
    for message in messages:
        if message["role"] == "tool":
            result = {"tool_use_id": message["tool_call_id"], "content": message["content"]}
            block = {"type": "tool_result", **result}
            last = made[-1]["content"] if made and together else None
            if isinstance(last, list) and last[-1:] and last[-1]["type"] == "tool_result":
                last.append(block)
            else:
                made.append({"role": "user", "content": [block]})
        elif message.get("tool_calls") is not None:
            words = [{"type": "text", "text": message["content"]}] if message["content"] else []
            calls = [_use(call) for call in message["tool_calls"]]
            made.append({"role": "assistant", "content": [*words, *calls]})
        else:
            made.append({"role": message["role"], "content": message["content"] or ""})
    return made


def _use(call: dict[str, Any]) -> dict[str, Any]:  # Any: JSON values
    function = call["function"]
    given = function["arguments"]
    parsed = json.loads(given) if isinstance(given, str) else "no object"
    return {"type": "tool_use", "id": call["id"], "name": function["name"], "input": parsed}
