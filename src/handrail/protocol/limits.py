"""What the model is told when a call may not be made again."""

from handrail.contract.call import Status, ToolResult
from handrail.contract.issue import Issue
from handrail.contract.preview import word
from handrail.protocol.results import Facts, blocked

__all__ = ["identical", "sent_twice", "unknown_again", "withdrawn"]


def identical(facts: Facts, made: int, last: ToolResult | None) -> ToolResult:
    """The same call was made too often and nothing has changed since."""
    issue = Issue.of("BUD-002", "", spent=made)
    times = "once" if made == 1 else f"{made} times"
    if last is None:
        return _under_way(facts, issue)
    same = "with the same result" if made == 1 else "each time with the same result"
    ended = "and failed" if last.is_error else same
    text = (
        f"Not run: {word(facts.tool)} was already called {times} with exactly these arguments, "
        f"{ended}, and nothing has changed since. Calling it again gives nothing new. "
        "Use the result that you have, change the arguments, or tell the user what is missing."
    )
    return blocked(facts, issue, text, status=Status.REFUSED)


def _under_way(facts: Facts, issue: Issue) -> ToolResult:
    text = (
        f"Not run: exactly this call of {word(facts.tool)} was already made and is not finished. "
        "Wait for its result, and do not send it again."
    )
    return blocked(facts, issue, text, status=Status.REFUSED)


def sent_twice(facts: Facts) -> ToolResult:
    """Two identical state-changing calls in one message."""
    issue = Issue.of("BUD-002", "", spent=1)
    text = (
        f"Not run: exactly this call of {word(facts.tool)} was sent twice in one message. "
        "The first one was carried out once. Do not send it again."
    )
    return blocked(facts, issue, text, status=Status.REFUSED)


def withdrawn(facts: Facts) -> ToolResult:
    """The tool was called wrongly too often in this turn."""
    problem = "The tool was withdrawn for this turn after repeated invalid calls"
    issue = Issue.of("BUD-003", "", problem=problem)
    text = (
        f"{word(facts.tool)} is not available any more in this turn: it was called with invalid "
        "arguments too often. Do not call it again. Use another tool, or tell the user what is "
        "missing."
    )
    return blocked(facts, issue, text)


def unknown_again(facts: Facts) -> ToolResult:
    """An unknown tool was called although the model was told."""
    problem = "Unknown tools were called although the known ones were named"
    issue = Issue.of("BUD-003", "", problem=problem)
    text = (
        f"There is no tool {word(facts.tool)}, and you were told which tools exist. "
        "Do not call it again. Use one of the tools that you were given, or answer the user."
    )
    return blocked(facts, issue, text)
