"""Feedback under a policy: the renderer with the policy's form, bounds and counter."""

from handrail.contract.call import ToolResult
from handrail.contract.feedback import Judged, Named, fits_in, written
from handrail.contract.policy import Settings

__all__ = ["feedback_text", "in_form"]

_DOCUMENTS = ("json", "problem")


def feedback_text(
    judgement: Judged,
    tool: Named | str,
    policy: Settings,
    *,
    attempt: int = 1,
    max_attempts: int = 3,
    repeated: bool = False,
) -> str:
    """What the model is told about one judged proposal.

    Args:
        judgement: What was found.
        tool: The contract, or only the name where there is no such tool.
        policy: Form, bounds and token counter.
        attempt: Number of the attempt, from 1.
        max_attempts: The attempts budget.
        repeated: Whether the same arguments came back unchanged.
    """
    fits = fits_in(policy.max_message_length, policy.token_counter, policy.token_budget)
    return written(
        judgement,
        tool,
        attempt,
        max_attempts,
        policy.form,
        policy.max_errors_shown,
        policy.max_value_preview,
        repeated,
        fits,
    )


def in_form(result: ToolResult, policy: Settings) -> ToolResult:
    """A result that a budget stopped, as a document where the policy asks for documents.

    Its plain words stay where the policy's form is plain words too.
    """
    if policy.form not in _DOCUMENTS:
        return result
    text = feedback_text(
        result,
        result.tool,
        policy,
        attempt=result.attempt,
        max_attempts=result.max_attempts,
    )
    return result.replace(_text=text)
