"""Translation between providers' shapes and plain dicts.

RULE: knows no policy; plain dicts in and out; imports nothing of the package but its errors.

One small file per provider shape; `find_calls` reads calls that a model wrote as text.
"""

from handrail.wire.registry import PROVIDERS, read_reply, recognise
from handrail.wire.shapes import (
    CallDict,
    Event,
    FinishReason,
    ReplyDict,
    ResultDict,
    ToolDict,
    UsageDict,
    Wire,
)
from handrail.wire.text import TextCalls, find_calls

__all__ = [
    "PROVIDERS",
    "CallDict",
    "Event",
    "FinishReason",
    "ReplyDict",
    "ResultDict",
    "TextCalls",
    "ToolDict",
    "UsageDict",
    "Wire",
    "find_calls",
    "read_reply",
    "recognise",
]
