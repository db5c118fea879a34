"""One judgement over everything that can be wrong with a proposal.

`judge_input` runs the whole chain on every attempt: parse, mend, validate, rules, screens, the
author's own check. All findings come in one judgement, so that a model can correct them in one
go. Precedence of verdicts: refused (an invented or unseen id) over invalid over clean; a refused
call lists its argument issues too. Unknown tools never get this far.

The way of a valid call through here is the hot path of the library. What costs and is rarely
needed (walking all strings for placeholders, say) is done only if a look at the raw text shows
that there may be something to find.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from handrail.contract.aggregate import Aggregate, aggregate, in_order
from handrail.contract.author import Broken, ask_author
from handrail.contract.call import Mend, Status
from handrail.contract.canonical import digest
from handrail.contract.forced import without_forced
from handrail.contract.issue import Issue, Severity, Suggestion, split_pointer
from handrail.contract.mend import mend_issues, read_broken, read_input
from handrail.contract.parse import Parsed, parse
from handrail.contract.patch import apply
from handrail.contract.patch import in_order as ops_in_order
from handrail.contract.policy import Settings
from handrail.contract.preview import neutralise, word
from handrail.contract.reading import Rejected
from handrail.contract.record import Record
from handrail.contract.schema_engine import CHECK_VALUES
from handrail.contract.screens import (
    ALWAYS_IDS,
    error_echoes,
    fabricated_ids,
    placeholders,
    unseen_ids,
)
from handrail.contract.terms import is_async
from handrail.contract.tool import Tool

__all__ = ["OUT_OF_SCOPE", "Judgement", "judge_input", "with_findings"]

_ECHO_MARKS = ("VAL-", "BUD-", "alidation failed", "was not called (", "RESULT", "handrail")
"""Words of which one stands in every error text of ours."""

_MOST_SHOWN = 20
"""The hard ceiling of issues in a message (contract `handrail/1`, section 3)."""

_AUTHORS_TEXT = 500
"""Characters of a text that a check of the author says."""

OUT_OF_SCOPE = "out_of_scope"
"""Code of an issue that says: this call is not within what the user may do."""

_REFUSING = frozenset({"VAL-017", "VAL-018", OUT_OF_SCOPE})
_ADVICE_CUT = (
    "the reply was cut off by the output limit: "
    "raise max_tokens, or make the tool's arguments smaller"
)
_ADVICE_BROKEN = (
    "the stream broke off before the reply was whole, and nothing of it was run: "
    "look at time limits and connections, and ask the model again"
)
_CUTS = {"length": _ADVICE_CUT, "interrupted": _ADVICE_BROKEN}
"""Finish reasons that say that arguments are not whole, with what the operator can do."""


class Judgement(Record):
    """What one stage found.

    Attributes:
        stage: ``input`` or ``output``.
        value: The judged JSON value, mended; None when the text could not be read.
        issues: Everything found, errors and warnings.
        mends: What was read as something else than it was written.
        status: ``ok``, ``invalid`` or ``refused``.
        error_class: The public word; None when clean.
        given: The arguments as sent, parsed; None when they could not be read.
        text: The arguments as sent, as text.
        prepared: What the handler gets, as the engine built it.
        lookups: Checks that the host must run; each takes the argument object.
        host_advice: For the operator; never reaches the model.
    """

    stage: Literal["input", "output"] = "input"
    value: Any = None  # Any: JSON value
    issues: tuple[Issue, ...] = ()
    mends: tuple[Mend, ...] = ()
    status: Status = Status.OK
    error_class: str | None = None
    given: Any = None  # Any: JSON value
    text: str = ""
    prepared: Any = None  # Any: what the handler gets
    lookups: tuple[Callable[..., object], ...] = ()
    host_advice: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the call may go on."""
        return self.status is Status.OK

    @classmethod
    def unknown_tool(cls, issue: Issue) -> "Judgement":
        """The judgement of a call of a tool that does not exist."""
        return cls(status=Status.REFUSED, error_class="refused", issues=(issue,))

    @cached_property
    def key(self) -> str:
        """Hash by which the same arguments are recognised when they come back."""
        return digest(self.text if self.given is None else self.given)

    @cached_property
    def aggregated(self) -> Aggregate:
        """What there is to show of the issues, as much as may ever be shown."""
        return aggregate(self.issues, _MOST_SHOWN, given=self.given)

    @cached_property
    def fields_at_fault(self) -> frozenset[str]:
        """Top-level fields that an error points into."""
        return frozenset(
            split_pointer(issue.path)[0] for issue in self.issues if _is_error(issue) and issue.path
        )


def _never(_: str) -> bool:
    return False


def judge_input(
    tool: Tool,
    arguments: str | bytes | Mapping[str, Any] | None,  # Any: JSON values
    policy: Settings,
    seen: Callable[[str], bool] | None = None,
    *,
    finish_reason: str | None = None,
    mends: tuple[Mend, ...] = (),
    strict: bool = False,
) -> Judgement:
    """Judge the arguments of one proposal.

    Args:
        tool: The contract.
        arguments: As the model sent them.
        policy: The rules.
        seen: Whether an id was shown to the model before; None where that is not known, and
            ids that must have been seen are not screened.
        finish_reason: ``length`` if the reply was cut off by its limit, ``interrupted`` if its
            stream broke off.
        mends: How the call itself was read, where it was not sent as a call.
        strict: Whether the tool was published in a form that forces nulls.
    """
    parsed = parse(arguments)
    value = parsed.value
    cut = _CUTS.get(finish_reason) if finish_reason else None
    if cut:
        return _unreadable(parsed, cut)
    if value is None:
        again = read_broken(tool, arguments, parsed, policy)
        if again is None or again[0].value is None:
            return _unreadable(parsed, None)
        parsed, value, mends = again[0], again[0].value, (*mends, *again[1])
    if strict and "null" in parsed.text:
        parsed, value = _without_forced(tool, parsed, value)
    text = parsed.text
    try:
        prepared = tool.engine.accept(text, exact=tool.action_type == "destructive")
    except Rejected as rejected:
        return _judge_fully(tool, parsed, policy, seen, mends, rejected)
    if mends or not tool.plain or policy.seen_ids or _suspicious(text, tool.action_type):
        return _judge_fully(tool, parsed, policy, seen, mends, prepared)
    unknown = tool.engine.unknown(value)
    if unknown:
        return Judgement(
            value=value, given=value, text=text, prepared=prepared, issues=tuple(unknown)
        )
    return Judgement(value=value, given=value, text=text, prepared=prepared)


def _without_forced(
    tool: Tool, parsed: Parsed, value: dict[str, Any]
) -> tuple[Parsed, dict[str, Any]]:  # Any: JSON values
    kept: dict[str, Any] = without_forced(value, tool.schema)
    if kept is value:
        return parsed, value
    return Parsed(kept, json.dumps(kept, ensure_ascii=False), parsed.issues), kept


def _suspicious(text: str, action_type: str) -> bool:
    """Whether a screen might find something; a look at the text is enough to say no."""
    if "<" in text or "\\u" in text:
        return True
    if "_id" in text and any(name in text for name in ALWAYS_IDS):
        return True
    return action_type != "read" and any(mark in text for mark in _ECHO_MARKS)


def _unreadable(parsed: Parsed, cut: str | None) -> Judgement:
    issues = parsed.issues
    if cut:
        issue = Issue.of(
            "VAL-011",
            length=len(parsed.text),
            expected="a complete JSON object",
            hint="send the complete arguments again, shorter if they were too long",
        )
        issues = (issue,)
    is_cut = any(issue.code == "VAL-011" for issue in issues)
    return Judgement(
        status=Status.INVALID,
        error_class="invalid_arguments",
        issues=issues,
        text=parsed.text,
        host_advice=cut or (_ADVICE_CUT if is_cut else None),
    )


def _judge_fully(
    tool: Tool,
    parsed: Parsed,
    policy: Settings,
    seen: Callable[[str], bool] | None,
    mends: tuple[Mend, ...],
    tried: Rejected | object,
) -> Judgement:
    reading = read_input(tool, parsed, policy, tried)
    mends = (*mends, *reading.mends)
    issues = list(reading.issues)
    issues += [issue for rule in tool.rules for issue in rule.check(reading.value)]
    issues += _screened(tool, reading.value, parsed.text, policy, seen)
    advice = [reading.fault] if reading.fault else []
    lookups: tuple[Callable[..., object], ...] = ()
    clean = reading.prepared is not None and not _errors(issues)
    if clean and tool.check_input is not None:
        if is_async(tool.check_input):
            lookups = (tool.check_input,)
        else:
            finding = ask_author(tool.check_input, reading.value)
            found, fault = _findings_of(finding)
            issues += found
            advice += [fault] if fault else []
    if reading.prepared is not None:
        issues += tool.engine.unknown(reading.value)
    wrong = _errors(issues)
    issues += mend_issues([mend for mend in mends if not (wrong and mend.kind == "salvage")])
    return Judgement(
        value=reading.value,
        mends=mends,
        given=parsed.value,
        text=parsed.text,
        prepared=reading.prepared,
        lookups=lookups,
        host_advice="; ".join(advice) or None,
        **_verdict(tool, reading.value if mends else parsed.value, issues),
    )


def _screened(
    tool: Tool,
    value: Mapping[str, Any],  # Any: JSON values
    text: str,
    policy: Settings,
    seen: Callable[[str], bool] | None,
) -> list[Issue]:
    if tool.plain and not policy.seen_ids and not _suspicious(text, tool.action_type):
        return []
    issues = placeholders(value)
    empty = {issue.path for issue in issues}
    invented = fabricated_ids(value, tool.id_patterns, seen or _never)
    wanted = {*tool.seen_ids, *(tool.id_patterns if policy.seen_ids else ())}
    if wanted and seen is not None:
        invented += unseen_ids(value, wanted, seen)
    issues += [issue for issue in invented if issue.path not in empty]
    if tool.action_type != "read":
        issues += error_echoes(value)
    return issues


def _errors(issues: Sequence[Issue]) -> bool:
    return Severity.ERROR in [issue.severity for issue in issues]


def _verdict(
    tool: Tool, given: object, issues: Sequence[Issue]
) -> dict[str, Any]:  # Any: fields of Judgement
    """Issues, status and error class of a judgement; with errors, in the order of showing."""
    errors = [issue for issue in issues if issue.severity is Severity.ERROR]
    if not errors:
        return {"issues": tuple(issues)}
    refused = not _REFUSING.isdisjoint([issue.code for issue in errors])
    return {
        "issues": tuple(in_order(_proved(tool, given, issues, errors))),
        "status": Status.REFUSED if refused else Status.INVALID,
        "error_class": "refused" if refused else "invalid_arguments",
    }


def _proved(
    tool: Tool, given: object, issues: Sequence[Issue], errors: Sequence[Issue]
) -> Sequence[Issue]:
    """The issues; without their exact edits, unless these are proved to do what they say."""
    edits = [issue.suggestion for issue in errors if issue.suggestion is not None]
    if edits and _mended_by(tool, given, errors, edits):
        return issues
    if not [issue for issue in issues if issue.suggestion]:
        return issues
    return [issue.replace(suggestion=None) for issue in issues]


def _mended_by(
    tool: Tool, given: object, errors: Sequence[Issue], edits: Sequence[Suggestion]
) -> bool:
    """Whether the edits, done together, leave only errors that have no edit, and no new one."""
    try:
        value = apply(ops_in_order(op for edit in edits for op in edit.ops), given)
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, LookupError, TypeError):
        return False
    try:
        tool.engine.accept(text, exact=tool.action_type == "destructive")
        left = []
    except Rejected as rejected:
        left = tool.engine.explain(text, value, rejected)
    left += [issue for rule in tool.rules for issue in rule.check(value)]
    known = {(issue.code, issue.path) for issue in errors if issue.suggestion is None}
    return all((issue.code, issue.path) in known for issue in left if _is_error(issue))


def _is_error(issue: Issue) -> bool:
    return issue.severity is Severity.ERROR


def _findings_of(finding: object) -> tuple[list[Issue], str | None]:
    """What an author's check said, as issues; and a sentence for the operator if it broke."""
    match finding:
        case None | True:
            return [], None
        case Broken():
            return [_unchecked()], finding.detail
        case Issue():
            return [_made_safe(finding)], None
        case str():
            problem = (
                word(finding, _AUTHORS_TEXT) or "The arguments do not pass a check of the tool"
            )
            return [Issue.of("VAL-015", "", problem=problem)], None
        case list() | tuple():
            pairs = [_findings_of(item) for item in finding]
            issues = [issue for found, _ in pairs for issue in found]
            faults = [fault for _, fault in pairs if fault]
            return issues, "; ".join(faults) or None
    kind = type(finding).__name__
    return [_unchecked()], f"a check returned {kind}, expected None, str, Issue or a list"


def _unchecked() -> Issue:
    problem = "The arguments could not be checked"
    return Issue.of("VAL-015", "", problem=problem, hint=CHECK_VALUES)


def _made_safe(issue: Issue) -> Issue:
    """An author's issue: in a warning behind a result nobody else cleans its texts."""
    texts = {
        name: text if text is None else word(text, _AUTHORS_TEXT)
        for name in ("code", "message", "slug", "expected", "actual", "hint")
        for text in (getattr(issue, name),)
    }
    return issue.replace(path=neutralise(str(issue.path or "")), **texts)


def with_findings(tool: Tool, judgement: Judgement, findings: Sequence[object]) -> Judgement:
    """The judgement with what the host's look-ups found."""
    pairs = [_findings_of(finding) for finding in findings]
    issues = [issue for found, _ in pairs for issue in found]
    faults = [fault for _, fault in pairs if fault]
    advice = [judgement.host_advice] if judgement.host_advice else []
    return judgement.replace(
        lookups=(),
        host_advice="; ".join([*advice, *faults]) or None,
        **_verdict(
            tool,
            judgement.value if judgement.mends else judgement.given,
            (*judgement.issues, *issues),
        ),
    )
