"""Whether what was found and done covers what the turn is for: rules, in one order.

Each rule knows one way in which a turn looks finished and is not. The first that objects decides,
and says which call would help: tool, exact id, arguments. Where none objects, the evidence may
still be about something else; whether it answers the goal is then left to a judge, if there is
one (`Cover.decided` is False). A rule is never overruled by a judge.

The rules are about structure: which tools ran, which ids they gave and took, how many rows came
back. What the model says in its answer is only searched for the ids and names of candidates.
Sources: seed 003; the design's ``output.md``, section 2.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from handrail.contract.call import Advice, Coverage, Status
from handrail.contract.candidates import Candidate, candidates_of, chosen, newest
from handrail.contract.follow import arguments_for
from handrail.contract.goal import Goal, asks_for_all, asks_for_status, content_words
from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.protocol.evidence import Lead, leads, open_question, related
from handrail.protocol.found import Found
from handrail.protocol.whole import partial, rest_of

__all__ = ["Case", "Cover", "cover"]

_REPORTED = 3
"""Candidates that an answer may name before it counts as a list of them."""

_SATISFIED = Coverage.SATISFIED
_MORE = Coverage.NEEDS_MORE_TOOLS
_ASK = Coverage.NEED_USER_INPUT
_FAILED = Coverage.FAILED


class Case(NamedTuple):
    """What is judged.

    Attributes:
        found: The calls that ended, oldest first.
        tools: The tools that the model can see.
        goal: What the turn is for; None where the host said nothing.
        said: What the user wrote.
        answer: The model's final words; None before there are any.
        waiting: Whether a human must decide a call.
        correcting: Whether a call waits for the model to correct it.
        since: How many calls had ended when the user last spoke.
    """

    found: Sequence[Found]
    tools: Sequence[Tool] = ()
    goal: Goal | None = None
    said: Sequence[str] = ()
    answer: str | None = None
    waiting: bool = False
    correcting: bool = False
    since: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The goal and what the user wrote."""
        return (self.goal.text if self.goal else "", *self.said)

    @property
    def wants_all(self) -> bool:
        """Whether the user asked for all of it."""
        return self.goal is not None and asks_for_all(*self.words)


class Cover(NamedTuple):
    """How far a turn is.

    Attributes:
        coverage: The word of the verdict table.
        rule: Name of the rule that decided; ``""`` where none objected.
        reason: One sentence, for the model.
        next: The call that would help.
        decided: Whether rules could tell; False leaves it to a judge.
        forced: Whether an answer should not be taken before the next call was made.
    """

    coverage: Coverage
    rule: str = ""
    reason: str = ""
    next: Advice = Advice()
    decided: bool = True
    forced: bool = False


def cover(case: Case) -> Cover:
    """The first rule's word that objects; SATISFIED, or undecided, where none does."""
    for rule in _RULES:
        objection = rule(case)
        if objection is not None:
            return objection
    goal = case.goal
    if goal is None:
        return Cover(_SATISFIED)
    if goal.needs:
        return Cover(_SATISFIED, "needs", "Every tool that was needed succeeded.")
    telling = any(one.good and (one.changed or (one.result.complete and not one.empty))
                  for one in case.found)  # fmt: skip
    return Cover(_SATISFIED if telling else _MORE, decided=False)


def _user(case: Case) -> Cover | None:
    """A person must speak first: to approve, to look, to answer a question."""
    if case.waiting:
        return Cover(_ASK, "user", "A person must decide a call.", Advice("ask_user"))
    if any(one.result.status is Status.UNKNOWN for one in case.found[case.since :]):
        reason = "Whether a call ran to its end is not known; a person must look."
        return Cover(_ASK, "user", reason, Advice("ask_user"))
    asked = open_question(case.found[case.since :], case.said)
    if asked is None:
        return None
    return Cover(_ASK, "user", asked.question, Advice("ask_user", reason=asked.question))


def _correcting(case: Case) -> Cover | None:
    if not case.correcting:
        return None
    return Cover(_MORE, "correcting", "A call was not accepted and waits to be corrected.")


def _undeclared(case: Case) -> Cover | None:
    """Without a goal, the latest message's results speak for themselves."""
    if case.goal is not None or not case.found:
        return None
    return _of_last_step(case)


def _nothing_worked(case: Case) -> Cover | None:
    if case.goal is None or not case.found or any(one.good for one in case.found):
        return None
    return _of_last_step(case)


def _of_last_step(case: Case) -> Cover:
    last = [one for one in case.found if one.step == case.found[-1].step]
    words = {one.result.coverage for one in last}
    advice = last[-1].result.advice
    if words == {_SATISFIED}:
        return Cover(_SATISFIED)
    if words == {_FAILED}:
        return Cover(_FAILED, "failed", "No call succeeded.", advice)
    return Cover(_MORE, "failed", "Not every call brought a whole result.", advice)


def _whole(case: Case) -> Cover | None:
    """The user asked for all, and a result is only a part."""
    if not case.wants_all:
        return None
    part = partial(case.found)
    if part is None:
        return None
    name = word(part.tool.name)
    reason = f"The user asked for all, and the result of {name} is only a part of it."
    return Cover(_MORE, "whole", reason, rest_of(part)._replace(reason=reason), forced=True)


def _execution(case: Case) -> Cover | None:
    """What was to be done was not done: finding out about it is not doing it."""
    if case.goal is None or case.goal.kind != "action":
        return None
    if any(one.changed for one in case.found):
        return None
    tried = [one for one in case.found if one.tool.action_type != "read"]
    if tried and tried[-1].result.coverage is _FAILED:
        return Cover(_FAILED, "execution", "What was to be done failed or was not allowed.")
    doers = [tool for tool in case.tools if tool.action_type != "read"]
    near = [tool for tool in doers if any(related(tool, one.tool) for one in case.found)]
    reason = "Something was to be done, and so far it was only looked for; nothing was changed."
    return Cover(
        _MORE, "execution", reason, _with_id(case, near or doers, reason), forced=bool(doers)
    )


def _needs(case: Case) -> Cover | None:
    """A tool whose success was required has not succeeded."""
    for name in case.goal.needs if case.goal else ():
        calls = [one for one in case.found if one.tool.name == name]
        if any(one.good and one.result.coverage is _SATISFIED for one in calls):
            continue
        reason = f"The goal needs a successful result of {word(name)}, and there is none yet."
        if calls and calls[-1].result.status in (Status.BLOCKED, Status.DENIED):
            return Cover(_FAILED, "needs", reason)
        visible = [tool for tool in case.tools if tool.name == name]
        advice = _with_id(case, visible, reason)
        return Cover(_MORE, "needs", reason, advice, forced=bool(visible))
    return None


def _with_id(case: Case, tools: Sequence[Tool], reason: str) -> Advice:
    """The one tool to call, with the one id that is known; nothing where there are several."""
    if len(tools) != 1:
        return Advice("other_tool", None, None, None, reason)
    (tool,) = tools
    known = {(lead.field, lead.id) for lead in leads(case.found, (), tool)}
    if len(known) != 1:
        return Advice("other_tool", None, tool.name, None, reason)
    ((field, id),) = known
    return Advice("other_tool", arguments_for(tool, field, id), tool.name, None, reason)


def _contradiction(case: Case) -> Cover | None:
    """The latest search found nothing, though an earlier one had found something."""
    if case.goal is None or not case.found:
        return None
    at, last = len(case.found) - 1, case.found[-1]
    if last.tool.action_type != "read" or not last.good or not last.empty:
        return None
    if last.tool.empty == "ok":
        return None
    for earlier in reversed(case.found[:at]):
        if earlier.changed:
            return None
        if earlier.good and not earlier.empty and related(earlier.tool, last.tool):
            return _unless_used(case, earlier, last)
    return None


def _unless_used(case: Case, earlier: Found, last: Found) -> Cover | None:
    rows = candidates_of(earlier.result.data)
    place = next(at for at, one in enumerate(case.found) if one is earlier)
    open_ = [lead for lead in leads(case.found, case.tools) if lead.at == place]
    about_it = any(last.names(lead.id) for lead in open_) or _tells(case.answer, rows)
    if not rows or about_it or any(lead.followed(case.found) for lead in open_):
        return None
    reason = (
        f"An earlier call of {word(earlier.tool.name)} found {len(rows)}, so that «nothing found» "
        "would contradict it."
    )
    return Cover(_MORE, "contradiction", reason, _advice(case, open_, reason), forced=True)


def _inspection(case: Case) -> Cover | None:
    """A candidate was found and not looked at; for a status, the newest event comes first."""
    if case.goal is None or case.goal.kind != "query" or case.wants_all:
        return None
    known = leads(case.found, case.tools)
    if asks_for_status(*case.words):
        rows = [row for one in case.found if one.good for row in candidates_of(one.result.data)]
        latest = newest(rows, content_words(*case.words))
        if latest is not None:
            return _latest(case, known, latest.row)
    followed = {str(lead.id) for lead in known if lead.followed(case.found)}
    reported = _reported(case.answer, known)
    open_ = [lead for lead in reported or known if str(lead.id) not in followed]
    if not open_ or (followed and not reported):
        return None
    reason = "A candidate was found and not looked at yet."
    return Cover(_MORE, "inspection", reason, _advice(case, open_, reason), forced=True)


def _latest(case: Case, known: Sequence[Lead], row: object) -> Cover | None:
    """The newest event must be the one that was looked at, where a tool can look at it."""
    mine = [lead for lead in known if lead.candidate.row is row]
    if not mine or any(lead.followed(case.found) for lead in mine):
        return None
    reason = "For how something stands the newest event counts, and it was not looked at yet."
    return Cover(_MORE, "newest", reason, _advice(case, mine, reason), forced=True)


def _reported(answer: str | None, known: Sequence[Lead]) -> list[Lead]:
    """The candidates that an answer names, if they are few; a long list is no candidate."""
    named = [lead for lead in known if answer and _names(answer, lead)]
    return named if len({str(lead.id) for lead in named}) <= _REPORTED else []


def _names(answer: str, lead: Lead) -> bool:
    label = lead.candidate.label
    return str(lead.id) in answer or (len(label) > 2 and label.casefold() in answer.casefold())


def _tells(answer: str | None, rows: Sequence[Candidate]) -> bool:
    labels = (row.label for row in rows)
    return answer is not None and any(label and label in answer for label in labels)


def _advice(case: Case, open_: Sequence[Lead], reason: str) -> Advice:
    """The call that looks at the best of these."""
    best = chosen([lead.candidate for lead in open_], content_words(*case.words))
    for lead in open_:
        if lead.candidate is best:
            arguments = arguments_for(lead.tool, lead.field, lead.id)
            return Advice("other_tool", arguments, lead.tool.name, None, reason)
    return Advice("none", reason=reason)


_RULES: tuple[Callable[[Case], Cover | None], ...] = (
    _user,
    _correcting,
    _undeclared,
    _nothing_worked,
    _whole,
    _contradiction,
    _inspection,
    _needs,
    _execution,
)
"""In the order in which they are asked."""
