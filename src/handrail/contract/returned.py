"""One judgement over what a tool gave back: complete, partial, broken or senseless.

`judge_output` normalises the result, judges it by what is declared, and looks for what its own
structure says; `handrail.contract.raised` does the same for what a handler raised. Both are pure,
never raise, and need no turn: a guard around one function or a replay of recorded results uses
them as an exchange does. Order: what the envelope says (an exception, HTTP, MCP), what the
contract calls a failure, the declared form, the structure, rows that are missing, the author's own
check. A declared form that fits wins over guesses from the structure.

The way of a clean result through here is part of the hot path: `is_clean` answers most with a
look at the keys. Source: seeds 001 and 003; the contract `handrail/1`, section 7.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from handrail.contract import emptiness, envelopes
from handrail.contract.author import ask_author, described
from handrail.contract.call import Advice
from handrail.contract.cut import cut_in
from handrail.contract.facts import facts_of
from handrail.contract.failures import code_of_status, wait_in
from handrail.contract.findings import with_found
from handrail.contract.output import Case, Output, failed, made, stated
from handrail.contract.output_texts import (
    cut_words,
    first_sentence,
    issue_lines,
    more_words,
    row_text,
    said_words,
    words_of,
)
from handrail.contract.paging import More, Paged, more_of, next_arguments, speaks_of_pages
from handrail.contract.payload import NOT_JSON, Payload, media_type, payload_of, plain_value
from handrail.contract.preview import preview, word
from handrail.contract.raised import judge_failure
from handrail.contract.returns import Fit
from handrail.contract.terms import is_async
from handrail.contract.tool import Tool
from handrail.contract.tool_error import ToolError

__all__ = ["is_clean", "judge_output"]

_AUTHORS_TEXT = 500
_PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})


def judge_output(
    tool: Tool,
    value: Any,  # Any: whatever the handler returned
    arguments: Mapping[str, Any] | None = None,  # Any: JSON values
    *,
    at: float = 0.0,
    others: Sequence[str] | None = None,
) -> Output:
    """Judge what a handler returned; never raises.

    Args:
        tool: The contract.
        value: As returned; a sync iterator is read to its end.
        arguments: Those of the call: the next page is asked for with them.
        at: When it returned, in seconds since the epoch: ``Retry-After`` may be a date.
        others: Names of the other tools of its group that may be used; None where there is no
            group.

    Returns:
        The judgement. Checks that must be awaited are its ``lookups``, each to be called with
        the arguments; `with_output_findings` takes what they found.
    """
    if is_clean(tool, value):
        return Output(value=value)
    case = Case(tool, arguments or {}, at, others)
    try:
        return _judged(case, value)
    except Exception as error:  # an author's serializer, hostile attributes
        advice = f"the result of {tool.name} cannot be written as JSON: {described(error)}"
        return failed(case, "unshowable", host=advice)


# ---- what is plainly fine


def is_clean(tool: Tool, value: Any) -> bool:  # Any: whatever the handler returned
    """Whether a look at a result shows that nothing can be found in it."""
    kind = type(value)
    if kind not in tool.plain_results:
        return False
    if kind is str:
        return value[:1] not in _SUSPECT
    if kind is dict:
        if not value or len(value) > _FEW_KEYS or _telling(tuple(value)):
            return False
        return tool.action_type != "read" or not any(map(_is_hollow, value.values()))
    return kind is not list or bool(value)


_FEW_KEYS = 64
_SUSPECT = frozenset({"", "{", "[", "\ufeff", " ", "\t", "\r", "\n"})
"""Beginnings of a text that may be JSON, or nothing."""


def _is_hollow(item: object) -> bool:
    return (type(item) is list or type(item) is dict) and not item


@lru_cache(maxsize=2048)
def _telling(names: tuple[Any, ...]) -> bool:  # Any: keys of a dict
    """Whether fields of these names may state a failure, a question or another page."""
    return any(type(name) is not str or name in _TELLING or speaks_of_pages(name) for name in names)


_TELLING = envelopes.TELLING | {"content", "structuredContent"}


# ---- one result


def _judged(case: Case, value: Any) -> Output:  # Any: whatever the handler returned
    declared = case.tool.declared
    if declared is not None and declared.holds(value):
        plain = plain_value(value)
        payload, fit = Payload(plain, plain, typed=True), Fit(value=plain, typed=value)
    else:
        payload, fit = payload_of(value), None
    found = _of_envelope(case, payload) or _failed_by_contract(case, payload)
    if found is not None:
        return found
    if fit is None:
        fit = Fit(value=payload.value) if declared is None else declared.judge(payload)
    enforced = declared is not None and declared.enforced
    if enforced and (fit.text or fit.issues):
        return _misformed(case, payload, fit)
    if not enforced and not payload.typed:
        found = _of_structure(case, payload)
    return found or _checked(case, payload, fit)


def _of_envelope(case: Case, payload: Payload) -> Output | None:
    """What is said by how the result came: raised, over HTTP, by MCP, as an `ActionResult`."""
    if payload.error is not None and not (payload.cut and payload.value):
        if isinstance(payload.error, ToolError):
            return stated(case, payload.error)
        if payload.status is None:
            return judge_failure(
                case.tool, payload.error, case.arguments, at=case.at, others=case.others
            )
    code = code_of_status(payload.status)
    if code is not None:
        return _refused(case, payload, code)
    if payload.error is not None and payload.status is not None:  # nobody read its body
        return failed(case, "unshowable", host=described(payload.error))
    if payload.failed:
        said = envelopes.said_in(payload.text if payload.parsed is NOT_JSON else payload.parsed)
        if payload.retryable:
            return failed(case, "retry_after", data=payload.value)
        return failed(case, "reported_error", own=payload.code, said=said, data=payload.value)
    return None


def _refused(case: Case, payload: Payload, code: str) -> Output:
    """A response whose status is an error, with what its body says where that is data."""
    status = f"{case.tool.name} got HTTP {payload.status}"
    if code == "retry_after":
        wait = wait_in(payload.headers, case.at)
        return failed(case, code, wait=wait, data=payload.value, host=status)
    if isinstance(payload.parsed, Mapping):
        told = envelopes.stated_failure({"status": payload.status, **payload.parsed})
        if told is not None and told.row == "problem":
            return failed(
                case, "problem", own=told.code, said=told.said, data=payload.value, host=status
            )
        said = envelopes.said_in(payload.parsed)
        return failed(case, code, said=said, data=payload.value, host=status)
    text = payload.text or ""
    said = (
        (envelopes.page_said(text) or "")
        if envelopes.is_page(text)
        else word(text.strip(), envelopes.SAID)
    )
    return failed(case, code, said=said, data=payload.value, host=status)


def _failed_by_contract(case: Case, payload: Payload) -> Output | None:
    if not case.tool.failed_when:
        return None
    name = envelopes.failed_by(payload.parsed, case.tool.failed_when)
    if name is None:
        return None
    said = envelopes.said_in(payload.parsed)
    host = f"failed_when names {name!r} of the result of {case.tool.name}"
    return failed(case, "reported_error", said=said, data=payload.value, host=host)


def _misformed(case: Case, payload: Payload, fit: Fit) -> Output:
    """A result that is not what is declared: what its structure says, else what does not fit."""
    found = _of_structure(case, payload, declared=True)
    if found is not None:
        return found
    host = f"{case.tool.name} returned {preview(payload.value, limit=_AUTHORS_TEXT)}"
    if fit.text:
        return failed(case, "invalid_json", data=payload.value, host=host)
    issues = fit.issues
    words = {"issues": issue_lines(issues)}
    return failed(
        case, "schema_violation", data=payload.value, issues=issues, words=words, host=host
    )


def _of_structure(case: Case, payload: Payload, *, declared: bool = False) -> Output | None:
    """What the structure of a result says by itself."""
    if isinstance(payload.parsed, Mapping):
        question = envelopes.question_in(payload.parsed)
        if question is not None:
            return _asking(case, payload, question)
        told = envelopes.stated_failure(payload.parsed)
        if told is None:
            return None
        wait = wait_in(payload.parsed, case.at) if told.row == "retry_after" else None
        status = payload.parsed.get("status_code", payload.parsed.get("status"))
        host = f"{case.tool.name} returned status {status}" if told.row == "retry_after" else None
        return failed(
            case,
            told.row,
            own=told.code,
            said=told.said,
            wait=wait,
            data=payload.value,
            host=host,
        )
    if payload.text is None or payload.parsed is not NOT_JSON:
        return None
    if declared or payload.status is not None:
        page = _of_page(case, payload, declared=declared)
        if page is not None:
            return page
    cut = cut_in(payload.text, declared=declared)
    if cut is None:
        return None
    host = f"{case.tool.name} returned {cut.length} characters of JSON that is cut off"
    host = f"{host}, at {cut.path or 'its root'}: {preview(payload.text[-200:], limit=200)}"
    words = cut_words(cut, case.tool)
    return failed(case, "truncated_response", data=payload.value, words=words, host=host)


def _of_page(case: Case, payload: Payload, *, declared: bool) -> Output | None:
    """An HTML page in place of data; undeclared, only one that says it is an HTTP error."""
    text = payload.text or ""
    if not (envelopes.is_page(text) or media_type(payload.headers) in _PAGE_TYPES):
        return None
    said = envelopes.page_said(text, failing=not declared)
    if said is None:
        return None
    return failed(case, "html_error_page", said=said, data=payload.value)


# ---- rows, emptiness, the author's check


def _checked(case: Case, payload: Payload, fit: Fit) -> Output:
    """A result of a good form: rows that are missing, nothing found, the author's check."""
    tool = case.tool
    enforced = tool.declared is not None and tool.declared.enforced
    value = fit.value if enforced else payload.value
    shown = value if enforced or payload.parsed is NOT_JSON else payload.parsed
    raw = shown if payload.parsed is NOT_JSON else payload.parsed  # a model may drop a flag
    more = _more(case, payload, raw)
    found = _empty(case, shown, more)
    if found is None:
        found = _partial(case, more, cut=payload.cut) if more or payload.cut else Output()
    output = found.replace(value=value)
    if payload.told is not None and output.told is None:
        output = output.replace(told=payload.told)
    if payload.error is not None:
        output = output.replace(host_advice=f"its rows broke off: {described(payload.error)}")
    if not output.is_error and fit.issues:
        output = output.replace(issues=fit.issues)
    if tool.facts and not output.is_error:
        facts = {**facts_of(raw, tool.facts), **facts_of(shown, tool.facts)}
        output = output.replace(facts=facts)
    if tool.check_output is None or output.is_error:
        return output
    typed = fit.typed if enforced else shown
    if is_async(tool.check_output):
        return output.replace(lookups=(partial(tool.check_output, typed),))
    finding = ask_author(tool.check_output, typed, dict(case.arguments))
    return with_found(case, output, [finding])


def _more(case: Case, payload: Payload, raw: Any) -> More | None:  # Any: JSON value
    if not isinstance(raw, Mapping | list):
        return None
    paged = Paged(case.tool.engine, case.tool.pages)
    return more_of(raw, paged, case.arguments, payload.headers, payload.cursor)


def _empty(case: Case, shown: Any, more: More | None) -> Output | None:  # Any: JSON value
    """What an empty result means; None where it is not empty, or where that is fine."""
    tool = case.tool
    if more is not None and emptiness.has_no_first_page(more, case.arguments):
        return failed(case, "empty_first_page")
    if more is not None and more.cursor is not None:
        return None
    if tool.empty == "ok" or not emptiness.is_empty(shown):
        return None
    if tool.action_type != "read" and tool.empty != "error":
        return None
    problem = emptiness.excluding(case.arguments, more)
    if problem is not None:
        return failed(case, "impossible_filter", words={"problem": problem})
    named = emptiness.named_id(case.arguments, tool.id_patterns)
    if named is not None:
        return failed(case, "id_searched_by_name", words={"field": named[0], "value": named[1]})
    if tool.empty == "error":
        return failed(case, "empty_result")
    text = row_text("nothing_found", words_of(tool, case.others))
    return Output(
        code="nothing_found", behind=text, advice=Advice("none", reason=first_sentence(text))
    )


def _partial(case: Case, more: More | None, *, cut: bool) -> Output:
    arguments = None
    if more is not None:
        paged = Paged(case.tool.engine, case.tool.pages)
        arguments = next_arguments(more, paged, case.arguments)
    code = "more_pages" if more is not None and more.paged and not cut else "incomplete"
    words = {**words_of(case.tool, case.others), **more_words(more, case.tool, arguments)}
    return made(case, "partial_data", code, row_text(code, words), arguments=arguments)


def _asking(case: Case, payload: Payload, question: str) -> Output:
    words = {**words_of(case.tool, case.others), "said": said_words(question)}
    text = row_text("need_user_input", words)
    output = made(case, "need_user_input", "need_user_input", text, reason=question)
    value = payload.value if payload.parsed is NOT_JSON else payload.parsed
    return output.replace(value=value)
