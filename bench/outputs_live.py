"""A real small model against an order service that misbehaves: a plain loop, and a toolbox.

    python bench/outputs_live.py local:0.5b --output bench/results/search-orders-live.md
    python bench/outputs_live.py --scripted          # no weights: a model that only repeats itself

Both loops ask the same model with the same prompt and the same tool, whose calls are read by the
same reader, for at most `--calls` replies. *Before* hands the model what the tool returned if it
is what was promised, and ``str(exc)`` if anything was raised, which is what most programs do.
*After* is `Toolbox`. Nothing here asserts a share of successes: small models are what they are.
"""

import argparse
import asyncio
import itertools
import json
import logging
import platform
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from orders_server import MISBEHAVIOURS, OrderServer
from search_orders import Orders, orders_tool

from handrail import Toolbox, ToolCall
from handrail.checks import paged
from handrail.models import Model, ModelReply, connect
from handrail.runtime.replies import read
from handrail.testing import ScriptedModel, call

SYSTEM = (
    "You answer questions about orders. Look them up with the tool, then answer in one sentence."
)
QUESTION = "How many orders does customer C-9921 have on page 1?"
PATIENCE_S = 1.0
REPLY_TOKENS = 64
SHOWN = 600

Message = dict[str, Any]  # Any: JSON values
Tool = Callable[..., str]


@dataclass
class Talk:
    """One conversation, as it went."""

    replies: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    ended: str = "stopped at the cap"
    lines: list[str] = field(default_factory=list)

    def heard(self, reply: ModelReply) -> None:
        """One reply more."""
        self.replies += 1
        self.tokens_in += reply.usage.input_tokens
        self.tokens_out += reply.usage.output_tokens

    def said(self, who: str, words: str) -> None:
        """One line of the transcript; long texts lose their end."""
        words = words if len(words) <= SHOWN else f"{words[:SHOWN]} … ({len(words)} characters)"
        first, *rest = words.splitlines() or [""]
        self.lines.append(f"{who:<7}{first}")
        self.lines += [f"{'':<7}{line}" for line in rest]


def opening() -> list[Message]:
    """What both loops begin with."""
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]


async def plain(model: Model, tool: Tool, most: int) -> Talk:
    """The loop of most programs: results as they are, exceptions as their text."""
    talk, messages = Talk(), opening()
    box = Toolbox([])
    box.tool(tool)  # for the definition that the model gets; it runs nothing here
    known = {one.name: one for one in box.tools}
    numbers = itertools.count(1)
    while talk.replies < most:
        reply = await model.respond(messages, box.schemas("openai"))
        talk.heard(reply)
        message, _ = read(reply, known, lambda: f"call_{next(numbers)}")
        if not message["calls"]:
            talk.said("model", reply.text)
            talk.ended = "answered"
            break
        messages.append(message["message"])
        if not message["message"].get("tool_calls"):
            messages[-1] = _called(message["calls"])
        for one in message["calls"]:
            talk.said("model", f"{one['name']} {one['arguments']}")
            content = _attempted(tool, one["arguments"])
            talk.said("tool", content)
            messages.append({"role": "tool", "tool_call_id": one["id"], "content": content})
    return talk


def _called(calls: Any) -> Message:  # Any: calls of a reply
    """The assistant turn with its calls as calls."""
    written = []
    for one in calls:
        function = {"name": one["name"], "arguments": one["arguments"]}
        written.append({"id": one["id"], "type": "function", "function": function})
    return {"role": "assistant", "content": None, "tool_calls": written}


def _attempted(tool: Tool, sent: Any) -> str:  # Any: arguments as text or object
    try:
        arguments = json.loads(sent) if isinstance(sent, str) else dict(sent)
        text = tool(**arguments)
        Orders.model_validate(json.loads(text))
    except Exception as exc:
        return str(exc)
    return text


async def held(model: Model, tool: Tool, most: int) -> Talk:
    """The same tool in a toolbox."""
    talk, messages = Talk(), opening()
    box = Toolbox(name="orders")
    box.tool(tool, action_type="read", returns=Orders, check_output=paged(items="orders"))
    async with box.turn(user_text=QUESTION) as turn:
        while talk.replies < most:
            reply = await model.respond(messages, turn.schemas("openai"))
            talk.heard(reply)
            answers = await turn.take(reply)
            messages += answers.to_messages()
            for one, result in zip(_calls_of(messages), answers.results, strict=False):
                talk.said("model", f"{one['name']} {one['arguments']}")
                talk.said("tool", result.content)
            if answers.done:
                talk.said("model", reply.text)
                talk.ended = "answered"
                break
            if any(result.escalation for result in answers.results):
                talk.ended = "stopped, with its history, in front of a human"
                break
    return talk


def _calls_of(messages: list[Message]) -> list[Message]:
    """The calls of the last assistant turn."""
    turns = [one for one in messages if one["role"] == "assistant"]
    return [one["function"] for one in (turns[-1].get("tool_calls") or ())] if turns else []


async def compared(
    fresh: Callable[[], Model],
    server: OrderServer,
    asked: "Asked",
    found: dict[str, tuple[Talk, Talk]],
) -> AsyncIterator[None]:
    """Every misbehaviour, before and after; a step for each, so that a long run shows something."""
    for behaviour in asked.only:
        server.behaviour = behaviour
        talks = []
        for loop in (plain, held):
            server.requests.clear()
            talk = await loop(fresh(), orders_tool(server.url, PATIENCE_S), asked.calls)
            talk.requests = len(server.requests)
            talks.append(talk)
            figures = f"{talk.replies} replies, {talk.requests} requests, {talk.ended}"
            print(f"{behaviour:<9}{loop.__name__:<7}{figures}", flush=True)
        found[behaviour] = (talks[0], talks[1])
        yield


def page(name: str, found: dict[str, tuple[Talk, Talk]], most: int, seconds: float) -> str:
    """The page in Markdown."""
    lines = [
        f"# An order service that misbehaves: {name}, {datetime.now(UTC):%Y-%m-%d}",
        "",
        f"«{QUESTION}», one tool, {len(found)} of {len(MISBEHAVIOURS)} ways of failing; at most "
        f"{most} replies of the model, {REPLY_TOKENS} tokens each, temperature 0. *Before* is a "
        "plain loop that hands the model the text of a good result and `str(exc)` of anything "
        "else; *after* is a `Toolbox`. Both read calls with the same reader. A re-run after a "
        "transient failure is a request to the service and no reply of the model. "
        f"{seconds:.0f} s in all, Python {platform.python_version()}, {platform.machine()}. "
        "Made by `bench/outputs_live.py`; one run.",
        "",
        "| the service | | model calls | requests | tokens in | tokens out | end |",
        "|---|---|---|---|---|---|---|",
    ]
    sums = (Talk(), Talk())
    for behaviour, talks in found.items():
        for word, talk, total in zip(("before", "after"), talks, sums, strict=True):
            told = MISBEHAVIOURS[behaviour] if word == "before" else ""
            lines.append(_row(told, word, talk, talk.ended))
            for figure in ("replies", "requests", "tokens_in", "tokens_out"):
                setattr(total, figure, getattr(total, figure) + getattr(talk, figure))
    for word, total in zip(("before", "after"), sums, strict=True):
        lines.append(_row("all" if word == "before" else "", word, total, ""))
    for behaviour, talks in found.items():
        for word, talk in zip(("before", "after"), talks, strict=True):
            lines += ["", f"## {MISBEHAVIOURS[behaviour]}: {word}", ""]
            lines += ["```text", *talk.lines, f"{'':<7}({talk.ended})", "```"]
    return "\n".join(lines) + "\n"


def _row(told: str, word: str, talk: Talk, ended: str) -> str:
    figures = (talk.replies, talk.requests, talk.tokens_in, talk.tokens_out)
    return f"| {told} | {word} | {' | '.join(map(str, figures))} | {ended} |"


def stubborn() -> ScriptedModel:
    """A model that makes the same call whatever it is told."""
    same: ToolCall = call("search_orders", {"customer_id": "C-9921", "page": 1})
    return ScriptedModel([same] * 100)


def main(arguments: list[str]) -> int:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", nargs="?", default="local")
    parser.add_argument("--scripted", action="store_true", help="repeat one call, without weights")
    parser.add_argument("--calls", type=int, default=8, help="most replies of a conversation")
    everything = tuple(MISBEHAVIOURS)
    parser.add_argument("--only", nargs="+", choices=everything, default=everything)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    logging.getLogger("handrail").addHandler(logging.NullHandler())
    name = "a model that only repeats itself" if given.scripted else given.model
    if given.scripted:
        fresh: Callable[[], Model] = stubborn
    else:
        model = connect(name, body={"max_tokens": REPLY_TOKENS})
        fresh = lambda: model  # noqa: E731  # one server for all conversations
    asyncio.run(written(name, fresh, Asked(given.calls, tuple(given.only), given.output)))
    return 0


class Asked(NamedTuple):
    """What the command line asks for."""

    calls: int
    only: tuple[str, ...]
    output: Path | None


async def written(name: str, fresh: Callable[[], Model], asked: Asked) -> None:
    """Run everything; the page is written anew after each misbehaviour, or printed at the end."""
    began, found, text = time.monotonic(), dict[str, tuple[Talk, Talk]](), ""
    with OrderServer() as server:
        async for _ in compared(fresh, server, asked, found):
            text = page(name, found, asked.calls, time.monotonic() - began)
            if asked.output is not None:
                with asked.output.open("w", encoding="utf-8") as file:
                    file.write(text)
    if asked.output is None:
        print(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
