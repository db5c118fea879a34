"""Logged streams -> whole replies: a list of chunks, or the text of the stream as it came.

Text is server-sent events (``data: {...}``), one JSON value per line, or a JSON array, which is
how Gemini streams without events. Whose stream it is, its first chunk that has a shape tells.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handrail.wire.registry import PROVIDERS, recognise
from handrail.wire.shapes import ReplyDict
from handrail.wire.stream import Collector

__all__ = ["chunks_in", "collected", "is_stream", "stream_error"]

_ANTHROPIC = frozenset(
    (
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
    )
)
_BEDROCK = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
)
_GEMINI = ("candidates", "usageMetadata", "usage_metadata", "promptFeedback", "prompt_feedback")
_FIELDS = ("data:", "event:", "id:", "retry:", ":")

Chunk = Mapping[str, Any]  # Any: JSON values


def _is_bedrock(chunk: Chunk) -> bool:
    return any(key in chunk for key in _BEDROCK) or list(chunk) == ["metadata"]


_WHOSE: tuple[tuple[str, Callable[[Chunk, object], bool]], ...] = (
    ("mcp", lambda chunk, kind: chunk.get("jsonrpc") == "2.0"),
    ("openai-responses", lambda chunk, kind: isinstance(kind, str) and kind[:9] == "response."),
    ("anthropic", lambda chunk, kind: kind in _ANTHROPIC),
    ("bedrock", lambda chunk, kind: _is_bedrock(chunk)),
    ("gemini", lambda chunk, kind: any(key in chunk for key in _GEMINI)),
    ("openai", lambda chunk, kind: isinstance(chunk.get("choices"), list)),
)


def chunks_in(value: object) -> list[object] | None:
    """The chunks of a logged stream; None for what is none, a whole reply above all.

    Args:
        value: A list of chunks (objects, JSON texts or lines of events), or the stream's text.
    """
    if isinstance(value, str):
        return _split(value)
    if not isinstance(value, list) or not value or recognise(value) is not None:
        return None
    if any(isinstance(one, str) for one in value):
        return _joined([one if isinstance(one, str) else json.dumps(one) for one in value])
    if not all(isinstance(one, Mapping) for one in value) or any(map(_is_whole, value)):
        return None
    return value


def collected(chunks: Sequence[object]) -> ReplyDict:
    """The reply that a stream made; ``interrupted`` if it broke off.

    Raises:
        ValueError: If the chunks are of no known provider, or one of them is malformed.
    """
    whose = next((name for name in map(_provider, chunks) if name), None)
    if whose is None:
        raise ValueError(f"{len(chunks)} chunks, none of them of a known provider's stream")
    collector = Collector(PROVIDERS[whose])
    for number, chunk in enumerate(chunks):
        try:
            collector.feed(chunk)
        except ValueError as error:
            raise ValueError(f"chunk {number}: {error}") from None
    return collector.reply()


def is_stream(value: list[Any]) -> bool:  # Any: JSON values
    """Whether a list by itself can be nothing but a stream.

    Gemini's chunks and MCP's messages are also rows of their own.
    """
    first = value[0] if value else None
    if not isinstance(first, Mapping) or _is_whole(first):
        return False
    name = _provider(first)
    return name in ("openai-responses", "anthropic", "bedrock") or (
        name == "openai" and first.get("object") == "chat.completion.chunk"
    )


def stream_error(chunks: Sequence[object]) -> bool:
    """Whether a stream holds nothing but an error."""
    return bool(chunks) and not any(map(_provider, chunks)) and any(map(_is_error, chunks))


def _joined(texts: list[str]) -> list[object] | None:
    """Pieces of a stream's text: whole lines, or cut wherever the network cut them."""
    if any("\n" in one for one in texts):
        return _split("".join(texts))
    return _split("\n".join(texts)) or _split("".join(texts))


def _provider(chunk: object) -> str | None:
    if not isinstance(chunk, Mapping):
        return None
    kind = chunk.get("type")
    kind = kind if isinstance(kind, str) else None
    return next((name for name, is_its in _WHOSE if is_its(chunk, kind)), None)


def _is_whole(chunk: Chunk) -> bool:
    """Whether this is a whole chat completion and no chunk of one."""
    choices = chunk.get("choices")
    return isinstance(choices, list) and any(
        isinstance(one, Mapping) and "delta" not in one and "message" in one for one in choices
    )


def _is_error(chunk: object) -> bool:
    return isinstance(chunk, Mapping) and (bool(chunk.get("error")) or chunk.get("type") == "error")


def _split(text: str) -> list[object] | None:
    """The JSON values of a stream's text; None if it is no such text."""
    stripped = text.strip()
    if stripped.startswith("["):
        whole = _parsed(stripped)
        return whole if isinstance(whole, list) else None
    if not stripped.startswith(_FIELDS):
        lines = [_parsed(line) for line in stripped.splitlines() if line.strip()]
        return lines if lines and all(isinstance(line, Mapping) for line in lines) else None
    found = [_parsed(data) for data in _events(stripped) if data and data != "[DONE]"]
    # A last event that was cut is how a broken stream ends.
    if found and found[-1] is None:
        found.pop()
    return found if all(isinstance(one, Mapping) for one in found) else None


def _events(text: str) -> list[str]:
    """The data of each server-sent event; lines of one event are joined (HTML 9.2.6)."""
    found: list[str] = []
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("data:"):
            if lines and _parsed("\n".join(lines)) is not None:  # no blank line in between
                found.append("\n".join(lines))
                lines = []
            lines.append(line[5:].removeprefix(" "))
        elif not line.strip() and lines:
            found.append("\n".join(lines).strip())
            lines = []
    return found


def _parsed(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
