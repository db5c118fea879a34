"""The table of results: what can be seen in what a tool gives back, and what that means.

Each row has the class and code of the result, what is seen, what the model is told and who acts
next; status, coverage and advice of the class are those of the verdict table. ``docs/outputs.md``
is generated from it. Sources: seeds 001 and 003; the contract `handrail/1`, sections 1 and 7.

What is told are templates. Words that are filled in are made safe by whoever fills them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["OUTPUTS", "STATED", "OutputRow"]


class OutputRow(NamedTuple):
    """One row of the table.

    Attributes:
        code: Code of the result.
        verdict: Name of a row of the verdict table; ``clean`` has no error class.
        seen: What is there to be seen.
        told: What the model is told, as a template.
        who: Who acts next.
        behind: Whether `told` stands behind the data, which is kept, or in its place.
    """

    code: str
    verdict: str
    seen: str
    told: str
    who: str
    behind: bool = False


_ELSE = "Do not repeat the call; {otherwise}."
_IN_DOUBT = "it is not known whether the call was carried out. Do not repeat it as it is; {lookup}."

_ROWS = (
    OutputRow(
        "truncated_response",
        "schema_mismatch",
        "JSON that is cut off; at a known limit of size, that is named",
        "The result of {tool} was cut off {after}{inside}, so it is not complete JSON. The same "
        "arguments will be cut off again. Ask for less: {less}.",
        "the model, with other arguments",
    ),
    OutputRow(
        "invalid_json",
        "schema_mismatch",
        "no JSON, though a form is declared",
        "The tool {tool} is broken: its result is not JSON, although it should be. The arguments "
        f"are not the problem. {_ELSE}",
        "the user or another tool",
    ),
    OutputRow(
        "schema_violation",
        "schema_mismatch",
        "a wrong type, a missing field, a value outside its known set: not the declared form",
        "The tool {tool} is broken: its result does not have the declared form.\n\n{issues}\n\n"
        f"The arguments are not the problem. {_ELSE}",
        "the user or another tool",
    ),
    OutputRow(
        "html_error_page",
        "tool_failed",
        "an HTML page where data is declared, or a page whose title is an HTTP error",
        "The tool {tool} got an HTML page instead of data{said} " + _ELSE,
        "the model or the user",
    ),
    OutputRow(
        "problem",
        "tool_failed",
        "problem details (RFC 9457); their `type`, where they have one, gives the code",
        "The tool {tool} reported a problem{said} " + _ELSE,
        "the model or the user",
    ),
    OutputRow(
        "reported_error",
        "tool_failed",
        "an `error` that says something, `success: false`, a `returncode` that is not 0, "
        "`isError` of MCP, `failed_when`",
        "The tool {tool} failed{said} Do not repeat the call with the same arguments; change "
        "what it speaks of, or {otherwise}.",
        "the model or the user",
    ),
    OutputRow(
        "permission",
        "tool_failed",
        "HTTP 401 or 403, and what other clients call so",
        "The tool {tool} was refused access{said} Other arguments of the same kind will be "
        f"refused too. {_ELSE}",
        "the model or the user",
    ),
    OutputRow(
        "not_found",
        "tool_failed",
        "HTTP 404 or 410, and what other clients call so",
        "The tool {tool} did not find what was asked for{said} Do not repeat the call; check the "
        "ids and names in the arguments, or {otherwise}.",
        "the model or the user",
    ),
    OutputRow(
        "conflict",
        "tool_failed",
        "HTTP 409, and what other clients call so",
        "The tool {tool} met a conflict: what the call asks for does not go with the present "
        "state{said} Do not repeat the call; look at the present state first, or {otherwise}.",
        "the model or the user",
    ),
    OutputRow(
        "rejected",
        "tool_failed",
        "any other HTTP 4xx, and what other clients call so",
        "What the tool {tool} asked for was rejected by the other side{said} Do not repeat the "
        "call with the same arguments; change them, or {otherwise}.",
        "the model or the user",
    ),
    OutputRow(
        "internal",
        "tool_failed",
        "anything else that is raised, pydantic's `ValidationError` included; HTTP 500",
        "The tool {tool} failed inside{reference}. The arguments were accepted, so changing them "
        "is not known to help. Do not repeat the call; use another tool or tell the user.",
        "the model or the user",
    ),
    OutputRow(
        "unshowable",
        "tool_failed",
        "a result that cannot be written as JSON, or that nobody read to its end",
        "The tool {tool} ran, but its result cannot be shown. The arguments are not the problem. "
        "Do not repeat the call; tell the user.",
        "the user",
    ),
    OutputRow(
        "retry_after",
        "transient",
        "a timeout, a lost connection, HTTP 408, 425, 429, 502, 503 or 504",
        "The tool {tool} could not be reached or did not answer in time. The arguments are not "
        "the problem: you may call it again {wait}, unchanged.",
        "the model, with a new call after `retry_after`",
    ),
    OutputRow(
        "in_doubt",
        "transient",
        "the same, of a tool that changes something and is not `idempotent`, `repeatable` or "
        "`poll`; `advice.next` is `ask_user`",
        "The tool {tool} could not be reached or did not answer in time. The arguments are not "
        f"the problem, but {_IN_DOUBT}",
        "the model, with a tool that reads, or the user",
    ),
    OutputRow(
        "more_pages",
        "partial_data",
        "`has_more`, a cursor, a link or a number of the next page",
        "This is not everything{count}. {further}",
        "the model, with the arguments given",
        True,
    ),
    OutputRow(
        "incomplete",
        "partial_data",
        "`truncated: true`, fewer rows than their total, rows whose source broke off",
        "This is not everything{count}. {further}",
        "the model, with the arguments given",
        True,
    ),
    OutputRow(
        "empty_first_page",
        "semantic_garbage",
        "no rows on the first page, although more exist",
        "The result of {tool} makes no sense: the first page has no rows, although more exist. "
        "Do not repeat the call, and do not ask for the next page. Check the filters and the "
        "form of the ids in the arguments, or try a broader search.",
        "the model, with a new idea",
    ),
    OutputRow(
        "id_searched_by_name",
        "semantic_garbage",
        "no rows, where an id field was given what looks like a name",
        "Nothing was found, and {field} was given {value}, which does not look like an id. "
        "Do not repeat the call; find the id first, with a tool that searches by name, or ask "
        "the user.",
        "the model, with a new idea",
    ),
    OutputRow(
        "impossible_filter",
        "semantic_garbage",
        "no rows, where the arguments exclude each other or a page is beyond the last",
        "Nothing was found, and nothing could be: {problem}. Do not repeat the call; correct the "
        "arguments.",
        "the model, with a new idea",
    ),
    OutputRow(
        "empty_result",
        "semantic_garbage",
        'no rows, where the contract says `empty="error"`',
        "The tool {tool} found nothing, which should not be. Do not repeat the call; check the "
        "arguments (spelling, ids, filters), or {otherwise}.",
        "the model, with a new idea",
    ),
    OutputRow(
        "nothing_found",
        "clean",
        'no rows, where the contract says `empty="advise"` or nothing',
        "Nothing was found. If something was expected, check the arguments (spelling, ids, "
        "filters); otherwise tell the user that there is nothing.",
        "nobody",
        True,
    ),
    OutputRow(
        "semantic",
        "semantic_garbage",
        "a check of the tool's author says so",
        "The result of {tool} does not make sense: {problem}. Do not repeat the call; rethink "
        "what to ask for, or {otherwise}.",
        "the model, with a new idea",
    ),
    OutputRow(
        "need_user_input",
        "need_user_input",
        "an envelope `need_user_input`, or an ambiguity with its candidates",
        "The user must decide first{said} Ask the user, and name the candidates where there are "
        "any. Do not guess, and do not repeat the call before there is an answer.",
        "the user",
        True,
    ),
    OutputRow(
        "unchecked",
        "clean",
        "a check of the tool's author that raises: its own fault, so the data is delivered",
        "This result could not be checked",
        "nobody",
        True,
    ),
)

OUTPUTS: Mapping[str, OutputRow] = MappingProxyType({row.code: row for row in _ROWS})
"""Rows by code."""

STATED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "schema_mismatch": ("The tool {tool} is broken{said}", _ELSE),
        "partial_data": ("This is not everything{said}", "{further}"),
        "semantic_garbage": (
            "The result of {tool} does not make sense{said}",
            "Do not repeat the call; rethink what to ask for, or {otherwise}.",
        ),
        "need_user_input": (
            "The user must decide first{said}",
            "Ask the user. Do not guess, and do not repeat the call before there is an answer.",
        ),
        "transient": (
            "The tool {tool} cannot do it at present{said}",
            "You may call it again {wait}, unchanged.",
        ),
        "in_doubt": (
            "The tool {tool} cannot do it at present{said}",
            _IN_DOUBT[0].upper() + _IN_DOUBT[1:],
        ),
        "tool_failed": ("The tool {tool} failed{said}", _ELSE),
        "budget_spent": (
            "The tool {tool} was called often enough{said}",
            "Do not call it again; use what you have, or tell the user.",
        ),
    }
)
"""What an author's own `ToolError` is told as, by class: its frame, and what stands behind it
where the author gives no hint. ``in_doubt`` is ``transient`` of a tool that must not run twice."""
