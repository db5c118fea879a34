"""What the model is told when a call may not be made again."""

from handrail.contract.call import Escalation, Status, ToolCall, ToolResult
from handrail.contract.escalation import escalate
from handrail.contract.issue import Issue, Severity
from handrail.contract.parameters import failing_fields, fields_line
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.protocol.loops import Found, Pattern, Rung
from handrail.protocol.results import Facts, blocked

__all__ = [
    "ended",
    "escalated",
    "going_round",
    "identical",
    "noted",
    "run_limit",
    "sent_twice",
    "sharper",
    "unknown_again",
    "withdrawn",
]

_GOES_ROUND = {
    Pattern.IDENTICAL: "Exactly this call gave exactly this result {count} times now",
    Pattern.PING_PONG: "The same two calls were made in turn {count} times, with the same results",
    Pattern.SAME_RESULT: "{count} calls of {tool} with varying arguments gave one result",
    Pattern.EMPTY: "{count} calls of {tool} in a row found nothing",
}
_HINT = "Use what you have, try something different, or tell the user what is missing."
_SHARPER = "The next one may not run. Tell the user what is missing, or use other arguments."


def identical(facts: Facts, made: int, last: ToolResult | None) -> ToolResult:
    """The same call was made too often and nothing has changed since."""
    issue = Issue.of("BUD-002", spent=made)
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
    issue = Issue.of("BUD-002", spent=1)
    text = (
        f"Not run: exactly this call of {word(facts.tool)} was sent twice in one message. "
        "Only the first one counts: see its result. Do not send it again."
    )
    return blocked(facts, issue, text, status=Status.REFUSED)


def noted(tool: Tool, result: ToolResult, found: Found) -> ToolResult:
    """The result with a note behind it: calls go round, and what to do instead."""
    told = _told(tool, found)
    if found.rung is Rung.HINT:
        problem = f"{told}. {_HINT}"
    else:
        problem = f"{told}. {_SHARPER}{_fields(tool)}"
    issue = Issue.of("BUD-003", severity=Severity.WARNING, problem=problem)
    return result.replace(issues=(*result.issues, issue), _notes=(*result._notes, issue))


def going_round(facts: Facts, tool: Tool, found: Found) -> ToolResult:
    """A call that would go on with a pattern which the model was told of."""
    told = _told(tool, found)
    text = f"Not run: {told[:1].lower()}{told[1:]}, and nothing has changed since. {_HINT}"
    issue = Issue.of("BUD-003", problem=told)
    return blocked(facts, issue, text, status=Status.REFUSED)


def run_limit(facts: Facts, limit: str) -> ToolResult:
    """A limit of the whole run is reached.

    Args:
        facts: Of the call.
        limit: Which one, such as ``20 calls``.
    """
    issue = Issue.of("BUD-004", limit=limit)
    text = (
        f"Not run: the limit of {limit} for this task is reached, and no more tools run. "
        "Tell the user what you have found and what is missing."
    )
    advice = f"the run reached its limit of {limit}: raise Policy.limits"
    return blocked(facts._replace(host_advice=advice), issue, text)


def ended(facts: Facts) -> ToolResult:
    """The turn has ended, because nothing new came of its calls though every tool was offered."""
    issue = Issue.of("BUD-003", "", problem="The turn ended: its calls brought nothing new")
    text = (
        "Not run: every tool was offered, and the calls brought nothing new. No more tools run. "
        "Tell the user what was found and what is missing."
    )
    return blocked(facts, issue, text)


def sharper(tool: Tool, refusal: ToolResult) -> ToolResult:
    """The refusal, told once more and with the fields of the tool."""
    text = (
        f"{refusal.content} This was refused before: {word(tool.name)} will be withdrawn if it "
        f"goes on like this.{_fields(tool)}"
    )
    return refusal.replace(_text=text)


def _told(tool: Tool, found: Found) -> str:
    return _GOES_ROUND[found.pattern].format(count=found.times, tool=word(tool.name))


def _fields(tool: Tool) -> str:
    line = fields_line(failing_fields(tool.schema, ["/"]))
    return f" Fields: {line}." if line else ""


def withdrawn(facts: Facts, reason: str = "with invalid arguments too often") -> ToolResult:
    """The tool may not be called any more in this turn.

    Args:
        facts: Of the call.
        reason: How it was called.
    """
    problem = f"The tool was withdrawn for this turn: it was called {reason}"
    issue = Issue.of("BUD-003", problem=problem)
    text = (
        f"{word(facts.tool)} is not available any more in this turn: it was called {reason}. "
        "Do not call it again. Use another tool, or tell the user what is missing."
    )
    return blocked(facts, issue, text)


def escalated(result: ToolResult, call: ToolCall) -> ToolResult:
    """The same stop, handed to a human: the model was told and goes on."""
    name = word(call.name, 64)
    issue = result.issues[0]
    escalation: Escalation = escalate(call.name, call, (), result.max_attempts).replace(
        by_code={issue.code: 1},
        likely_cause=f"{issue.message}.",
        text=(
            f"Tool '{name}' was stopped: the model calls it again and again without getting "
            f"further.\n\n{issue.message}.\n\nPlease intervene or provide guidance."
        ),
    )
    return result.replace(escalation=escalation)


def unknown_again(facts: Facts) -> ToolResult:
    """An unknown tool was called although the model was told."""
    problem = "Unknown tools were called although the known ones were named"
    issue = Issue.of("BUD-003", problem=problem)
    text = (
        f"There is no tool {word(facts.tool)}, and you were told which tools exist. "
        "Do not call it again. Use one of the tools that you were given, or answer the user."
    )
    return blocked(facts, issue, text)
