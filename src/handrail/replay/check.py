"""Judges a stream of recorded calls, counts, and tells what each model would have been told.

Nothing is run and nothing is written. A recorded call has no history here, so it is judged as a
first attempt, and as a read unless a tool of the candidate toolbox says otherwise.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from handrail.contract.call import Mend, Status
from handrail.contract.feedback import Named
from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import Judgement, judge_input
from handrail.contract.policy import Settings
from handrail.contract.preview import word
from handrail.contract.screens import unknown_tool
from handrail.contract.texts import feedback_text
from handrail.replay.habits import Habits
from handrail.replay.records import (
    Answered,
    Definition,
    Item,
    Place,
    Recorded,
    Unanswered,
    Unreadable,
)
from handrail.replay.schemas import Catalogue, Contract, Faulty, NotOffered, Unknown

__all__ = ["OTHER_TOOLS", "Check", "Finding", "ToolTotals", "Totals"]

OTHER_TOOLS = "(other tools)"
"""Where calls are counted once `MOST_TOOLS` names have been seen."""

MOST_TOOLS = 10_000
_MOST_REASONS = 50
_ADVICE_SCHEMA = "correct the schema; calls of this tool are not judged"
_SALVAGE = (Mend("salvage", "", "text", "tool call"),)


@dataclass(slots=True)
class ToolTotals:
    """Counts of one tool.

    Attributes:
        calls: Calls in the log.
        ok: Calls that would run, mended ones included.
        invalid: Calls that the model would have been asked to correct.
        mended: Calls among the ok ones that were read as something else than written.
        refused: Calls that would not be made: unknown tools, invented ids.
        no_schema: Calls that could not be judged, since nothing tells what the tool takes.
        by_code: Calls that have an error of that code.
    """

    calls: int = 0
    ok: int = 0
    invalid: int = 0
    mended: int = 0
    refused: int = 0
    no_schema: int = 0
    by_code: Counter[str] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The counts as a JSON object."""
        return {
            "calls": self.calls,
            "ok": self.ok,
            "invalid": self.invalid,
            "mended": self.mended,
            "refused": self.refused,
            "no_schema": self.no_schema,
            "by_code": dict(sorted(self.by_code.items())),
        }


@dataclass(slots=True)
class Totals(ToolTotals):
    """Counts of everything that was read.

    Attributes:
        unreadable: Parts of the log, and schemas, that could not be read.
        no_reply: Requests that got no reply.
        warned: Calls that would run with a warning, mends apart.
        unchecked: Calls whose async check was not run.
        by_tool: Counts by name of the tool.
        warnings: Calls that have a warning of that code.
        mends: Calls that were mended, by kind of mend.
        reasons: Why calls were not judged and requests have no reply.
    """

    unreadable: int = 0
    no_reply: int = 0
    warned: int = 0
    unchecked: int = 0
    by_tool: dict[str, ToolTotals] = field(default_factory=dict)
    warnings: Counter[str] = field(default_factory=Counter)
    mends: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def clean(self) -> bool:
        """Whether nothing was found: no wrong call, and nothing that could not be read."""
        return not (self.invalid or self.refused or self.unreadable)

    @property
    def judged(self) -> int:
        """How many calls could be judged."""
        return self.ok + self.invalid + self.refused

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The counts as a JSON object."""
        own = ToolTotals.to_dict(self)
        by_code = own.pop("by_code")
        return {
            **own,
            "by_tool": {name: one.to_dict() for name, one in sorted(self.by_tool.items())},
            "by_code": by_code,
            "warned": self.warned,
            "warnings_by_code": dict(sorted(self.warnings.items())),
            "mends_by_kind": dict(sorted(self.mends.items())),
            "no_reply": self.no_reply,
            "unreadable": self.unreadable,
            "unchecked": self.unchecked,
            "reasons": dict(self.reasons.most_common()),
        }

    def of(self, tool: str) -> ToolTotals:
        """The counts of one tool."""
        found = self.by_tool.get(tool)
        if found is None:
            name = tool if len(self.by_tool) < MOST_TOOLS else OTHER_TOOLS
            found = self.by_tool.setdefault(name, ToolTotals())
        return found

    def explain(self, reason: str) -> None:
        """Count one reason."""
        known = reason in self.reasons or len(self.reasons) < _MOST_REASONS
        self.reasons[reason if known else "other reasons"] += 1


@dataclass(frozen=True, eq=False)
class Finding:
    """A call that would not have run, or a part of the log that could not be read.

    Attributes:
        place: Where it stands.
        tool: Name of the tool, safe for one line; None if no call was read.
        status: ``invalid``, ``refused`` or ``unreadable``.
        issues: Everything found.
        judgement: The whole judgement; None if no call was read.
        named: The tool for the message.
        policy: The rules of the message.
        problem: What is unreadable and what to do about it.
        attempts: The attempts budget that the message states.
    """

    place: Place
    tool: str | None
    status: str
    issues: tuple[Issue, ...] = ()
    judgement: Judgement | None = None
    named: Named | str = ""
    policy: Settings = field(default_factory=Settings)
    problem: str = ""
    attempts: int = 1

    @cached_property
    def message(self) -> str:
        """What the model would have been told; for what is unreadable, what to do about it."""
        if self.judgement is None:
            return self.problem
        return feedback_text(self.judgement, self.named, self.policy, max_attempts=self.attempts)

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the errors, each once."""
        errors = (one.code for one in self.issues if one.severity is Severity.ERROR)
        return tuple(dict.fromkeys(errors))

    def to_dict(self) -> dict[str, Any]:  # Any: JSON object
        """The finding as a JSON object."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "tool": self.tool,
            "status": self.status,
            "issues": [issue.to_dict() for issue in self.issues],
            "message": self.message,
        }


class Check:
    """A run over logs: contracts, rules, and the counts so far.

    Args:
        catalogue: The contracts.
        policy: The rules.
        attempts: Attempts of single tools, by name.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        policy: Settings,
        attempts: Mapping[str, int] | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.policy = policy
        self.totals = Totals()
        self.habits = Habits(policy)
        self._attempts = attempts or {}
        self._told: set[Faulty] = set()
        self._refusals: dict[tuple[str, Sequence[str]], Judgement] = {}

    def findings(self, items: Iterable[Item]) -> Iterator[Finding]:
        """Judge everything that a log holds; gives what was found, in the order of the log.

        Conversations end with the log; what they came to is in `habits` then.
        """
        for item in items:
            match item:
                case Recorded():
                    yield from self._call(item)
                case Answered():
                    self.habits.answered(item)
                case Definition():
                    fault = self.catalogue.add(item)
                    if fault is not None:
                        yield from self._faulty(word(item.name), fault)
                case Unanswered():
                    self.totals.no_reply += 1
                    self.totals.explain(f"request without a reply: {item.why}")
                case Unreadable():
                    yield self._unreadable(item)
        self.habits.end()

    def _call(self, call: Recorded) -> Iterator[Finding]:
        name = word(call.tool)
        match self.catalogue.match(call):
            case Contract() as contract:
                try:
                    judgement = self._judged(contract, call)
                    self.habits.call(call, contract, judgement)
                except Exception as error:  # one row must not end the run
                    yield self._unjudged(call, error)
                    return
                yield from self._counted(call, name, judgement, contract)
            case NotOffered(names):
                refusal = self._refusal(call.tool, names)
                self.habits.call(call, None, refusal, unknown=True)
                yield from self._counted(call, name, refusal, name)
            case Unknown(why):
                self.habits.call(call, None, None)
                self._without_schema(name, f"call not judged: {why}")
            case Faulty() as faulty:
                self.habits.call(call, None, None)
                self._without_schema(name, f"call not judged: the schema of {name} is none")
                yield from self._faulty(name, faulty)

    def _faulty(self, name: str, faulty: Faulty) -> Iterator[Finding]:
        """Report a schema that is none, once."""
        if faulty in self._told:
            return
        if len(self._told) >= MOST_TOOLS:
            self._told.clear()
        self._told.add(faulty)
        problem = f"the schema of {name} is no JSON Schema that can be used: "
        problem += "; ".join(word(fault, 300) for fault in faulty.faults)
        yield self._unreadable(Unreadable(faulty.place, problem, _ADVICE_SCHEMA))

    def _judged(self, contract: Contract, call: Recorded) -> Judgement:
        return judge_input(
            contract.tool,
            call.arguments,
            self.policy,
            finish_reason=call.finish_reason,
            mends=_SALVAGE if call.as_text else (),
        )

    def _refusal(self, tool: str, names: Sequence[str]) -> Judgement:
        key = (tool, names)
        if key not in self._refusals:
            if len(self._refusals) >= MOST_TOOLS:
                self._refusals.clear()
            others = [name for name in names if name != tool]
            self._refusals[key] = Judgement.unknown_tool(unknown_tool(tool, others))
        return self._refusals[key]

    def _counted(
        self, call: Recorded, name: str, judgement: Judgement, named: Contract | str
    ) -> Iterator[Finding]:
        both = (self.totals, self.totals.of(name))
        for totals in both:
            totals.calls += 1
            if judgement.ok:
                totals.ok += 1
                totals.mended += bool(judgement.mends)
            elif judgement.status is Status.REFUSED:
                totals.refused += 1
            else:
                totals.invalid += 1
        self.totals.unchecked += bool(judgement.lookups)
        if not judgement.issues:
            return
        if judgement.ok:
            self._warned(judgement)
            return
        own = named.tool.attempts if isinstance(named, Contract) else None
        finding = Finding(
            call.place,
            name,
            str(judgement.status),
            judgement.issues,
            judgement,
            named,
            self.policy,
            attempts=own or self._attempts.get(call.tool) or self.policy.attempts,
        )
        for totals in both:
            totals.by_code.update(finding.codes)
        yield finding

    def _warned(self, judgement: Judgement) -> None:
        codes = {one.code for one in judgement.issues if one.severity is Severity.WARNING}
        self.totals.warnings.update(sorted(codes - {"MEND"}))
        self.totals.warned += bool(codes - {"MEND"})
        self.totals.mends.update(sorted({mend.kind for mend in judgement.mends}))

    def _without_schema(self, name: str, reason: str) -> None:
        for totals in (self.totals, self.totals.of(name)):
            totals.calls += 1
            totals.no_schema += 1
        self.totals.explain(reason)

    def _unreadable(self, item: Unreadable) -> Finding:
        self.totals.unreadable += 1
        problem = f"{item.problem}. {item.advice[:1].upper()}{item.advice[1:]}."
        return Finding(item.place, None, "unreadable", problem=problem)

    def _unjudged(self, call: Recorded, error: Exception) -> Finding:
        self._without_schema(word(call.tool), "call not judged: a fault in handrail")
        problem = f"the call could not be judged ({type(error).__name__} in handrail)"
        return self._unreadable(Unreadable(call.place, problem, "please report it with this row"))
