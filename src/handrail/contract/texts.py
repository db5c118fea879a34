"""Feedback under a policy: the renderer with the policy's form, bounds and counter."""

from handrail.contract.feedback import render
from handrail.contract.issue import Issue
from handrail.contract.judge import Judgement
from handrail.contract.policy import Settings
from handrail.contract.tool import Tool

__all__ = ["feedback_text", "refusal_text"]


def feedback_text(
    judgement: Judgement,
    tool: Tool,
    policy: Settings,
    *,
    attempt: int,
    max_attempts: int,
    repeated: bool = False,
) -> str:
    """What the model is told about one judged proposal."""
    return render(
        judgement,
        tool=tool,
        attempt=attempt,
        max_attempts=max_attempts,
        form=policy.form,
        limit=policy.max_message_length,
        max_issues=policy.max_errors_shown,
        max_preview=policy.max_value_preview,
        token_counter=policy.token_counter,
        token_budget=policy.token_budget,
        repeated=repeated,
    )


def refusal_text(name: str, issue: Issue, policy: Settings) -> str:
    """What the model is told when there is no such tool."""
    return render(
        Judgement.unknown_tool(issue),
        tool=name,
        form=policy.form,
        limit=policy.max_message_length,
        max_issues=policy.max_errors_shown,
        max_preview=policy.max_value_preview,
    )
