"""handrail: the contract between a validator and a model.

Every tool call that a language model makes ends in one of three ways: it runs with valid
arguments, the model retries it from feedback that says exactly what to change, or it stops, with
its history, in front of a human.
"""

from handrail.contract.call import (
    Advice,
    Context,
    Coverage,
    Escalation,
    Mend,
    Status,
    ToolCall,
    ToolResult,
)
from handrail.contract.feedback import format_pydantic_for_llm, render
from handrail.contract.goal import Goal
from handrail.contract.issue import CONTRACT, Issue, Severity, Suggestion
from handrail.contract.judge import Judgement
from handrail.contract.rules import AnyOf, Exclusive, Irrelevant, Ordered, Requires
from handrail.contract.structured import build_json_schema_response_format
from handrail.contract.tool import Tool
from handrail.contract.tool_error import ToolError
from handrail.errors import (
    ApprovalError,
    ConfigError,
    ContractError,
    HandrailError,
    ProtocolError,
    StoreError,
)
from handrail.protocol.journal import Journal
from handrail.runtime.config import Policy
from handrail.runtime.guarding import guard, guarded_call
from handrail.runtime.toolbox import Toolbox
from handrail.runtime.turn import Turn
from handrail.sdk.extension import Extension
from handrail.subscribers import logs as _logs
from handrail.wire.heal import Healed, heal

__all__ = [
    "CONTRACT",
    "Advice",
    "AnyOf",
    "ApprovalError",
    "ConfigError",
    "Context",
    "ContractError",
    "Coverage",
    "Escalation",
    "Exclusive",
    "Extension",
    "Goal",
    "HandrailError",
    "Healed",
    "Irrelevant",
    "Issue",
    "Journal",
    "Judgement",
    "Mend",
    "Ordered",
    "Policy",
    "ProtocolError",
    "Requires",
    "Severity",
    "Status",
    "StoreError",
    "Suggestion",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolResult",
    "Toolbox",
    "Turn",
    "build_json_schema_response_format",
    "format_pydantic_for_llm",
    "guard",
    "guarded_call",
    "heal",
    "render",
]

# Siblings do not know each other; here, where they meet, every toolbox gets its log lines.
Toolbox.read_with(_logs.LogLines)
