"""docs/providers.md: the same five cases with every provider, run and written down.

The replies are those of the tests (`tests/support/wire_samples.py`), which build the providers'
own objects of them and check what comes out by the providers' own request types.
"""

import json
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

from handrail import Toolbox, ToolResult

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
from wire_samples import PROVIDER_NAMES, Said, chunks, whole  # found by the line above

__all__ = ["provider_page"]

Json = Any  # Any: JSON of a provider

LONGEST = 64
VALID = ("search_orders", '{"customer_id": "C-9921"}')
INVALID = ("set_status", '{"order_id": "O-1", "status": "lost"}')
UNKNOWN = ("serch_orders", '{"customer_id": "C-9921"}')

HEADS = ["", "name", "reply for `take`", "results of one reply", "error flag", "ids"]
SHAPES = [
    [
        "OpenAI Chat Completions",
        "openai",
        "completion, assistant message",
        "one `tool` message each",
        "none",
        "the model's",
    ],
    [
        "OpenAI Responses",
        "openai-responses",
        "response, list of output items",
        "one item each",
        "none",
        "the model's (`call_id`)",
    ],
    ["Anthropic Messages", "anthropic", "message", "one user message", "`is_error`", "the model's"],
    [
        "Gemini `generateContent`",
        "gemini",
        "response, content",
        "one user content",
        "key `error`",
        "the model's; where it gave none, none goes back",
    ],
    [
        "Bedrock Converse",
        "bedrock",
        "response, assistant message",
        "one user message",
        "`status`",
        "the model's",
    ],
    [
        "MCP `tools/call`",
        "mcp",
        "request, list of requests",
        "one response each",
        "`isError`",
        "the request's; without one a bare result",
    ],
]
INTRO = """
# Providers

What goes in and what comes out, for six shapes and five cases. The tables are made by running the
cases; the tests build the same replies of the providers' own classes (`openai`, `anthropic`,
`google-genai`, `botocore`, `mcp`) and check what comes out by their request types.

"""
RULES = """
- `name` is what `schemas(name)` and `turn.stream(name)` take; `take` knows a reply by its shape.
- `take` also takes a list of one provider's calls, and text that holds a call. A missing or
  repeated id is replaced; what `to_messages()` gives is consistent in itself.
- What is no call (reasoning, thought signatures, tools that the provider runs) goes back
  unchanged, in its place.
- Arguments that are no JSON object go back as they are where the shape takes text, and as `{}`
  where it takes objects.
- A single result: `result.to_openai()`, `.to_openai_responses()`, `.to_anthropic()`,
  `.to_gemini()`, `.to_bedrock()`, `.to_mcp()`. A single call: `ToolCall.parse(block)`.
- `schemas("gemini")` is one tool that holds all functions, since several are refused; the others
  list one entry per tool.
- A stream: `collector = turn.stream(name)`, `collector.feed(chunk)` for each chunk, then
  `take(collector)`. A stream that did not say that it is finished has the finish reason
  `interrupted`: each of its calls is answered with `VAL-011` and none is run. At the length limit
  that holds for the last call.
- MCP does not stream a call; there the text of the connection is fed, and a line that is cut is no
  message.

Below, the tools are `search_orders(customer_id)` and `set_status(order_id, status)`. Envelopes are
left out, and texts are cut at 64 characters (`...`).
"""


class Case(NamedTuple):
    """One case: what the model says, and how much of its stream comes."""

    title: str
    calls: tuple[tuple[str, str], ...]
    cut: bool = False


CASES = [
    Case("a valid call", (VALID,)),
    Case("an invalid call", (INVALID,)),
    Case("two parallel calls, one invalid", (VALID, INVALID)),
    Case("an unknown tool", (UNKNOWN,)),
    Case("a stream that is cut", (VALID,), cut=True),
]


def provider_page() -> str:
    """docs/providers.md"""
    shapes = [[title, f"`{name}`", *rest] for title, name, *rest in SHAPES]
    return INTRO.lstrip() + _table(HEADS, shapes) + RULES + "".join(map(_section, PROVIDER_NAMES))


def _section(provider: str) -> str:
    rows = [_row(provider, case) for case in CASES]
    return f"\n## {provider}\n\n" + _table(
        ["case", "what goes in", "result", "what comes out"], rows
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines) + "\n"


def _row(provider: str, case: Case) -> list[str]:
    own = [f"call_{letter}" for letter in "abc"]
    ids = [""] * 3 if provider == "gemini" else own
    said = Said(tuple((id, *call) for id, call in zip(ids, case.calls, strict=False)))
    ran: list[str] = []
    with _box(ran).turn() as turn:
        if case.cut:
            parts = chunks(provider, said, 15)
            parts = parts[: _cut(provider, parts)]
            collector = turn.stream(provider)
            for part in parts:
                collector.feed(part)
            answers, given = turn.take_sync(collector), [_essence(one) for one in parts]
        else:
            reply = whole(provider, said)
            answers, given = turn.take_sync(reply), _essence(reply)
    results = "<br>".join(map(_result, answers.results)) or "no call"
    return [
        case.title,
        _shown(given),
        f"{results}<br>ran: {len(ran)}",
        _shown(answers.to_messages()),
    ]


def _box(ran: list[str]) -> Toolbox:
    box = Toolbox(name="docs")

    @box.tool(action_type="read")
    def search_orders(customer_id: str) -> dict[str, list[str]]:
        """List the orders of a customer."""
        ran.append("search_orders")
        return {"orders": ["O-1"]}

    @box.tool(action_type="write")
    def set_status(order_id: str, status: Literal["placed", "shipped"]) -> str:
        """Set the status of an order."""
        ran.append("set_status")
        return f"{order_id} is {status}"

    return box


def _cut(provider: str, parts: list[Json]) -> int:
    """Where the stream breaks off: in the middle of the arguments, or before its last chunk."""
    if provider == "gemini":
        return len(parts) - 1
    pieces = [n for n, part in enumerate(parts) if "C-99" in str(part) or "customer" in str(part)]
    return pieces[0] + 1


def _essence(reply: Json) -> Json:
    """A reply without its envelope."""
    if isinstance(reply, list | str):
        return reply
    kept = ("choices", "output", "status", "content", "stop_reason", "candidates", "stopReason")
    found = {key: reply[key] for key in kept if key in reply} or dict(reply)
    if reply.get("type") not in (None, "message"):
        found = {key: one for key, one in reply.items() if key != "sequence_number"}
    if "message" in found:
        found["message"] = {"content": []}
    return found


def _result(result: ToolResult) -> str:
    return f"{result.status}" + (f", {result.code}" if result.code else "")


def _shown(value: Json) -> str:
    listed = value if isinstance(value, list) else [value]
    texts = [json.dumps(_short(one), ensure_ascii=False).replace("`", "'") for one in listed]
    return "<br>".join(f"`{text}`".replace("|", "\\|") for text in texts) or "nothing"


def _short(value: Json) -> Json:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 3] + "..."
    if isinstance(value, list):
        return [_short(one) for one in value]
    if isinstance(value, dict):
        return {key: _short(one) for key, one in value.items() if one is not None}
    return value
