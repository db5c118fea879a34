"""What the model is told about a result, from the table of results and what was found."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.contract.aggregate import aggregate
from handrail.contract.cut import Cut
from handrail.contract.issue import Issue
from handrail.contract.output_codes import OUTPUTS, STATED
from handrail.contract.paging import More
from handrail.contract.pointer import safe_pointer
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.contract.tool_error import ToolError

__all__ = [
    "cut_words",
    "first_sentence",
    "in_doubt",
    "issue_lines",
    "more_words",
    "row_text",
    "said_words",
    "stated_text",
    "wait_words",
    "words_of",
]

_SHOWN = 10
_WORDS = 500
_SIZES = ("limit", "page_size", "per_page", "max_results", "pageSize", "perPage", "size", "count")


def words_of(tool: Tool, others: Sequence[str] | None) -> dict[str, str]:
    """The words that every row may use."""
    named = " or ".join(word(name) for name in (others or ())[:3])
    another = f"use another tool, such as {named}," if named else "use another tool"
    otherwise = (
        "tell the user" if others is not None and not others else f"{another} or tell the user"
    )
    alone = others is not None and not others
    lookup = "" if alone else "look with a tool that reads whether it was done, or "
    return {
        "tool": word(tool.name),
        "otherwise": otherwise,
        "lookup": f"{lookup}tell the user",
    }


def in_doubt(tool: Tool) -> bool:
    """Whether a transient failure leaves open if something was done, and so bars a repetition.

    It changes something, and nothing says that twice is as good as once: the same call would be
    refused (the contract `handrail/1`, section 6).
    """
    return tool.action_type != "read" and not (tool.idempotent or tool.repeatable or tool.poll)


def row_text(code: str, words: Mapping[str, str]) -> str:
    """The text of a row, with nothing where a word is not given."""
    return OUTPUTS[code].told.format_map(_Words(words))


class _Words(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def said_words(said: str) -> str:
    """The tool's own words behind a colon, and the end of the sentence."""
    said = said.rstrip(". \n")
    if not said:
        return "."
    return f": {said}" if said.endswith(("?", "!")) else f": {said}."


def stated_text(error: ToolError, words: Mapping[str, str], row: str, wait: str) -> str:
    """What an author's own error says: its detail and hint, in the frame of its class."""
    detail, hint = word(error.detail, _WORDS), word(error.hint or "", _WORDS)
    hint = hint if not hint or hint.endswith((".", "!", "?")) else f"{hint}."
    frame, usual = STATED[row]
    text = frame.format_map(_Words({**words, "said": said_words(detail)}))
    return f"{text} {hint or usual.format_map(_Words({**words, 'wait': wait}))}".strip()


def wait_words(retry_after: float | None) -> str:
    """When a call may be made again."""
    if not retry_after:
        return "in a moment"
    return "after 1 second" if retry_after == 1 else f"after {retry_after:g} seconds"


def cut_words(cut: Cut, tool: Tool) -> dict[str, str]:
    """Where a text was cut, and how to ask for less."""
    limit = f" (a usual limit is {cut.limit})" if cut.limit is not None else ""
    fields = tool.schema.get("properties", {})
    size = next((name for name in _SIZES if name in fields), None)
    smaller = f"a smaller {size}" if size else "a smaller page"
    return {
        "after": f"after {cut.length} characters{limit}",
        "inside": f", inside {safe_pointer(cut.path)}" if cut.path else "",
        "less": f"{smaller}, a narrower filter or fewer fields",
    }


def issue_lines(issues: Sequence[Issue]) -> str:
    """One line for each cause, the first ten."""
    found = aggregate(issues, _SHOWN)
    lines = []
    for item in found.items:
        issue = item.issue
        times = f" ({len(item.places)} places)" if item.places else ""
        known = "allowed: " in issue.message
        expected = f" (expected: {issue.expected})" if issue.expected and not known else ""
        new = issue.actual is not None and issue.actual.strip('"') not in issue.message
        actual = f", got {issue.actual}" if new else ""
        lines.append(
            f"- {safe_pointer(issue.path) or '(root)'}{times}: {issue.message}{expected}{actual}"
        )
    if found.hidden:
        lines.append(f"- and {found.hidden} more")
    return "\n".join(lines)


def more_words(
    more: More | None, tool: Tool, arguments: Mapping[str, Any] | None
) -> dict[str, str]:
    # Any: JSON values
    """How much is here, and how to get the rest."""
    count = ""
    if more is not None and more.shown is not None:
        rows = "1 row" if more.shown == 1 else f"{more.shown} rows"
        count = f": {more.shown} of {more.total} rows" if _knows(more) else f": {rows} here"
    if arguments is not None:
        given = json.dumps(arguments, ensure_ascii=False)
        further = f"To go on, call {word(tool.name)} with exactly: {given}"
    else:
        further = "Use what is here; for the rest, ask for less at once or narrow the request."
    return {"count": count, "further": further}


def _knows(more: More) -> bool:
    return more.total is not None and more.shown is not None and more.total > more.shown


def first_sentence(text: str) -> str:
    """The first sentence of a text, for a program that shows one line."""
    return text.split("\n", 1)[0].split(". ", 1)[0].rstrip(".") + "."
