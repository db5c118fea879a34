"""Feedback under a policy: the renderer with the policy's form, bounds and counter."""

from handrail.contract.feedback import Judged, Named, render
from handrail.contract.policy import Settings

__all__ = ["feedback_text"]


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
