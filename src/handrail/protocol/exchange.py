"""The life of one call, as a state machine that does no I/O.

An `Exchange` is asked nothing and asks nothing by itself. Whoever carries messages for it calls
`receive` with an answer and gets the next ask::

    ask = exchange.receive(Proposed(call, at=now))
    while not isinstance(ask, Close):
        answer = ...            # carry the ask to the party that it names, wait for what it says
        ask = exchange.receive(answer)
    return ask.result

The first proposal and every retry come through the same door, so every check runs on every
attempt, in one order: parse, mend, validate and screen (one judgement), look-ups of the host,
budget, approval, run, judge the output, close. Why this order:

* A human is asked last, about arguments that can run; what runs is what was approved.
* The budget of identical calls is taken when everything else is clean, so that a call which
  never runs costs nothing.
* A problem in the arguments goes back to the model inside this exchange. A problem in the
  output, or an exception in the handler, closes it: the arguments were right.

Who may say what, and who may be awaited next, is the table `TURNS`; `receive` checks both sides.
An answer that is out of turn raises `ProtocolError` and changes nothing.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol

from handrail.contract.call import Attempt, Escalation, Status, ToolCall, ToolResult
from handrail.contract.escalation import blocked_text, bounded_history, escalate
from handrail.contract.issue import Issue
from handrail.contract.judge import Judgement, judge_input, with_findings
from handrail.contract.output import Output, result_of
from handrail.contract.policy import Settings
from handrail.contract.texts import feedback_text, in_form
from handrail.contract.tool import Tool
from handrail.errors import ProtocolError
from handrail.protocol import limits, outputs, reruns, results
from handrail.protocol.asks import (
    AWAITED,
    TURNS,
    Answer,
    Approved,
    Ask,
    AskHost,
    AskHuman,
    AskModel,
    AskTool,
    Cancelled,
    Card,
    Close,
    Denied,
    Edited,
    Expired,
    GaveUp,
    Looked,
    Lost,
    Party,
    Proposed,
    Raised,
    Returned,
    Started,
    out_of_turn,
)
from handrail.protocol.cards import card_of
from handrail.protocol.identical import Made
from handrail.protocol.journal import Journal
from handrail.protocol.loops import CYCLES
from handrail.protocol.results import Facts

__all__ = ["Exchange", "Surroundings"]

_SHOWN_IN_HISTORY = 10
_FEW_ISSUES = 8
"""So few issues cannot exceed the bound of a history, so that it need not be measured."""
_INVENTED = frozenset({"VAL-017", "VAL-018"})


class Surroundings(Protocol):
    """What an exchange needs to know of its turn."""

    policy: Settings
    user: object
    journal: Journal
    scope: Callable[..., object] | None
    strict: set[str]

    @property
    def visible(self) -> Sequence[Tool]:
        """The tools that may be called."""

    @property
    def seen(self) -> Callable[[str], bool]:
        """Whether an id was shown to the model before."""

    def admit(self, exchange: "Exchange") -> ToolResult | None:
        """Reserve one run in the budgets; a result where none is left."""

    def settle(self, exchange: "Exchange", result: ToolResult) -> ToolResult:
        """Note how a closed exchange ended, give back what it did not use; the final result."""

    def times_abandoned(self, exchange: "Exchange") -> int:
        """How often the model left exactly these bad arguments as they are."""

    def refuses_retry(self) -> str | None:
        """The limit of the run that keeps the model from being asked again."""


class Exchange:
    """One logical call, over all its attempts.

    Attributes:
        id: Stable id; also the idempotency key and the handle of an approval.
        tool: The contract.
        waiting: Who is awaited.
        attempt: Proposals judged so far.
        call: The latest proposal.
        made: Its place among identical calls, once it was admitted.
        step: Number of the model message that last proposed it.
        chain: The host's own name of it, where it has one.
        reran: Re-runs after a transient failure so far.
    """

    __slots__ = (
        "_admitted_at",
        "_bad",
        "_card",
        "_history",
        "_last_bad",
        "_max_attempts",
        "_output",
        "_took_ms",
        "_turn",
        "attempt",
        "call",
        "chain",
        "first_call",
        "id",
        "judgement",
        "made",
        "reran",
        "result",
        "step",
        "tool",
        "waiting",
    )

    def __init__(self, id: str, tool: Tool, turn: Surroundings, *, max_attempts: int = 3) -> None:
        self.id = id
        self.tool = tool
        self.waiting = Party.MODEL
        self.attempt = 0
        self.call: ToolCall | None = None
        self.first_call: ToolCall | None = None
        self.judgement: Judgement | None = None
        self.made: Made | None = None
        self.result: ToolResult | None = None
        self.step = 0
        self.chain: str | None = None
        self.reran = 0
        self._turn = turn
        self._max_attempts = max_attempts
        self._history: tuple[Attempt, ...] = ()
        self._bad: tuple[str, ...] = ()
        self._last_bad: Judgement | None = None
        self._card: Card | None = None
        self._admitted_at = 0.0
        self._output: Output | None = None
        self._took_ms = 0.0

    @property
    def ran(self) -> bool:
        """Whether the handler was run to its end, well or not."""
        return self.waiting is Party.TOOL or self._output is not None

    @property
    def history(self) -> tuple[Attempt, ...]:
        """Every attempt that was not clean, oldest first."""
        return self._history

    def receive(self, answer: Answer) -> Ask:
        """Take one answer and say what is wanted next.

        Raises:
            ProtocolError: The answer is out of turn; nothing has changed.
        """
        said = type(answer)
        allowed = TURNS[self.waiting].get(said)
        if allowed is None:
            raise ProtocolError(out_of_turn(self.waiting, said, self.tool.name))
        ask = self._HANDLERS[said](self, answer)
        party = AWAITED[type(ask)]
        if party not in allowed:
            raise ProtocolError(f"{said.__name__} may not lead to {type(ask).__name__}")
        self.waiting = party
        outcome = ask.result.outcome if type(ask) is Close else None
        journal = self._turn.journal
        journal.exchanged(self.id, self.tool.name, answer, ask, outcome, self.attempt)
        return ask

    # the model

    def _proposed(self, said: Proposed) -> Ask:
        self.attempt += 1
        self.call = said.call
        if self.first_call is None:
            self.first_call = said.call
        turn = self._turn
        judgement = judge_input(
            self.tool,
            said.call.arguments,
            turn.policy,
            turn.seen,
            finish_reason=said.finish_reason,
            mends=said.mends,
            strict=self.tool.name in turn.strict,
        )
        self.judgement = judgement
        lookups = self._lookups(judgement)
        if lookups:
            return AskHost(lookups, judgement.value)
        return self._judged(judgement, said.at)

    def _lookups(self, judgement: Judgement) -> tuple[Callable[..., object], ...]:
        if judgement.status is not Status.OK:
            return ()
        scope = self._turn.scope
        if scope is None:
            return judgement.lookups
        return (*judgement.lookups, partial(scope, self.tool.name))

    def _looked(self, said: Looked) -> Ask:
        if self._output is not None:
            found = outputs.looked_up(self.tool, self._output, said, self._current(), self._turn)
            return self._deliver(found, self._current())
        if self._card is not None:
            return self._rechecked(said)
        judgement = with_findings(self.tool, self._current(), said.findings)
        self.judgement = judgement
        return self._judged(judgement, said.at)

    def _judged(self, judgement: Judgement, at: float) -> Ask:
        shadow = not self._turn.policy.enforce and judgement.value is not None
        if judgement.status is Status.OK or shadow:
            return self._admit(judgement, at)
        self._remember(judgement, at)
        if judgement.status is Status.REFUSED:
            return self._refuse(judgement)
        return self._correct(judgement)

    def _remember(self, judgement: Judgement, at: float) -> None:
        items = judgement.aggregated.items[:_SHOWN_IN_HISTORY]
        shown = tuple([item.issue for item in items])
        history = (*self._history, Attempt(self.attempt, shown, at, self._call_id()))
        many = sum([len(one.issues) for one in history]) > _FEW_ISSUES
        self._history = bounded_history(history) if many else history

    def _refuse(self, judgement: Judgement) -> Ask:
        outcome = self._late_outcome()
        if outcome and any(issue.code in _INVENTED for issue in judgement.issues):
            outcome = "fabricated_id_on_retry"
        text = self._feedback(judgement, repeated=False)
        result = results.refused(self.facts(), judgement.issues, text)
        return self._close(result.replace(outcome=outcome))

    def _correct(self, judgement: Judgement) -> Ask:
        repeated, repetitions = self._repeated(judgement)
        spent = self.attempt >= self._max_attempts
        left = self._turn.times_abandoned(self)
        redundant = repetitions > 1 or left >= CYCLES
        if spent or redundant:
            return self._block(spent=spent, outcome="redundant" if redundant else "exhausted")
        limit = self._turn.refuses_retry()
        if limit is not None:
            return self._stop(limit)
        text = self._feedback(judgement, repeated=repeated or left > 0)
        result = results.invalid(self.facts(), judgement.issues, text)
        return AskModel(judgement, self.attempt, self._max_attempts, result)

    def _repeated(self, judgement: Judgement) -> tuple[bool, int]:
        """Whether these arguments failed before, and how often any came back in all.

        A hash is made only when there is another attempt to compare with.
        """
        before, self._last_bad = self._last_bad, judgement
        if before is None:
            return False, 0
        bad = self._bad = (*self._bad, before.key)
        repeated = judgement.key in bad
        return repeated, len(bad) - len({*bad}) + repeated

    def _feedback(self, judgement: Judgement, *, repeated: bool) -> str:
        return feedback_text(
            judgement,
            self.tool,
            self._turn.policy,
            attempt=self.attempt,
            max_attempts=self._max_attempts,
            repeated=repeated,
        )

    def _block(self, *, spent: bool, outcome: str) -> Ask:
        if spent:
            issue = Issue.of("BUD-001", spent=self.attempt, limit=self._max_attempts)
        else:
            problem = "The same invalid arguments came back again and again"
            issue = Issue.of("BUD-003", problem=problem)
        escalation = self._escalation()
        text = blocked_text(self.tool.name, self.attempt)
        result = results.blocked(self.facts(), issue, text, escalation, outcome=outcome)
        return self._close(in_form(result, self._turn.policy))

    def _stop(self, limit: str) -> Ask:
        """The call is wrong, and the run may not ask for another attempt."""
        escalation = self._escalation()
        result = in_form(limits.run_limit(self.facts(), limit), self._turn.policy)
        return self._close(result.replace(escalation=escalation, outcome="exhausted"))

    def _escalation(self) -> Escalation:
        first = self.first_call or ToolCall("", self.tool.name)
        return escalate(self.tool.name, first, self._history, self._max_attempts)

    def _gave_up(self, said: GaveUp) -> Ask:
        issues = self._current().issues if self.judgement else ()
        outcome = "llm_gave_up" if self.attempt else None
        return self._close(results.stopped(self.facts(), issues, outcome or ""))

    # budget, approval

    def _admit(self, judgement: Judgement, at: float) -> Ask:
        refusal = self._turn.admit(self)
        if refusal is not None:
            if refusal.status is Status.OK:  # ran before, and its result is given again
                return self._close(refusal.replace(outcome=self._outcome()))
            told = in_form(refusal, self._turn.policy)
            return self._close(told.replace(outcome=self._late_outcome()))
        if self._turn.policy.enforce and self._confirmable():
            return self._ask_human(judgement, at)
        return self._run(judgement, at)

    def _confirmable(self) -> bool:
        return self._turn.policy.needs_approval(self.tool.name, self.tool.action_type)

    def _late_outcome(self) -> str | None:
        return "success" if self.attempt > 1 else None

    def _ask_human(self, judgement: Judgement, at: float) -> Ask:
        self._card = card_of(
            self.id,
            self.tool,
            judgement.value,
            user=self._turn.user,
            expires_at=at + self._turn.policy.approval_ttl_s,
            already_done=self.made.runs if self.made else 0,
        )
        return AskHuman(self._card, results.pending(self.facts(), self.id))

    def _approved(self, said: Approved) -> Ask:
        card = self._card
        assert card is not None  # set before a human is awaited
        if said.at > card.expires_at:
            return self._decline("", expired=True)
        changed = said.fingerprint is not None and said.fingerprint != card.fingerprint
        if changed or said.hash != card.items[0].hash:
            return self._decline("what was approved is not what would run")
        judgement = self._current()
        lookups = self._lookups(judgement)
        if lookups:
            return AskHost(lookups, judgement.value)
        return self._run(judgement, said.at)

    def _rechecked(self, said: Looked) -> Ask:
        judgement = with_findings(self.tool, self._current(), said.findings)
        if judgement.status is Status.REFUSED:
            return self._refuse(judgement)
        if not judgement.ok:
            return self._decline("what was put in place does not pass a check of the tool")
        return self._run(judgement, said.at)

    def _edited(self, said: Edited) -> Ask:
        turn = self._turn
        judgement = judge_input(self.tool, said.arguments, turn.policy, lambda _: True)
        if not judgement.ok:
            assert self._card is not None  # a human is awaited
            return AskHuman(self._card, results.pending(self.facts(), self.id))
        self.judgement = judgement
        turn.admit(self)
        return self._ask_human(judgement, said.at)

    def _denied(self, said: Denied | Expired) -> Ask:
        if isinstance(said, Expired):
            return self._decline("", expired=True)
        return self._decline(said.reason)

    def _decline(self, reason: str, *, expired: bool = False) -> Ask:
        result = results.denied(self.facts(), reason, expired=expired)
        return self._close(result.replace(outcome=self._late_outcome()))

    # the tool

    def _run(self, judgement: Judgement, at: float) -> Ask:
        self._admitted_at = at
        call = self.call or ToolCall("", self.tool.name)
        return AskTool(call, judgement.value, judgement.prepared, self.attempt, self.id)

    def _came(self, said: Returned | Raised) -> Ask:
        judgement = self._current()
        if outputs.is_plain(self.tool, said, judgement):
            ran_ms = (said.at - self._admitted_at) * 1000.0
            return self._close(outputs.plain(said, self.facts(), ran_ms, self._outcome()))
        output = outputs.judged(self.tool, said, judgement, self._turn)
        asked = output.advice.retry_after
        if output.error_class == "transient" and (again := self._again(asked, said.at)):
            return again
        self._output = output
        self._took_ms = (said.at - self._admitted_at) * 1000.0
        if output.lookups:
            return AskHost(output.lookups, judgement.value)
        return self._deliver(output, judgement)

    def _deliver(self, output: Output, judgement: Judgement) -> Ask:
        result = result_of(
            self.tool,
            output,
            judgement,
            call_id=self._call_id(),
            duration_ms=self._took_ms,
            max_attempts=self._max_attempts,
            outcome=self._outcome(),
            attempt=self.attempt,
            history=self._history,
        )
        if not self._turn.policy.enforce:
            result = outputs.unblocked(result, output)
            if result.is_error and not judgement.ok:
                result = result.replace(_text=self._feedback(judgement, repeated=False))
        return self._close(result)

    def _outcome(self) -> str:
        return "success" if self.attempt > 1 else "no_retry"

    def _again(self, asked: float | None, at: float) -> AskTool | None:
        """The same run once more, where the contract of the tool allows it."""
        policy = self._turn.policy
        if self.reran >= reruns.allowed(self.tool, policy):
            return None
        delay_s = reruns.wait(self.reran, asked, policy.backoff)
        if delay_s is None:
            return None
        self.reran += 1
        self._admitted_at = at + delay_s
        call = self.call or ToolCall("", self.tool.name)
        return AskTool(call, self._current().value, None, self.attempt, self.id, delay_s)

    def _lost(self, said: Lost) -> Ask:
        return self._close(results.lost(self.facts()).replace(outcome=self._outcome()))

    def _started(self, said: Started) -> Ask:
        return self._run(self._current(), self._admitted_at)

    def _cancelled(self, said: Cancelled) -> Ask:
        return self._close(results.cancelled(self.facts()))

    # closing

    def _current(self) -> Judgement:
        assert self.judgement is not None  # set by the first proposal
        return self.judgement

    def _call_id(self) -> str:
        return self.call.id if self.call else ""

    def facts(self) -> Facts:
        """What every result of this exchange carries."""
        advice = self.judgement.host_advice if self.judgement else None
        number, name = self.attempt or 1, self.tool.name
        return Facts(self._call_id(), name, number, self._max_attempts, self._history, advice)

    def _close(self, result: ToolResult) -> Close:
        self.result = result = self._turn.settle(self, result)
        return Close(result)

    _HANDLERS: ClassVar[dict[type, Callable[[Any, Any], Ask]]] = {  # Any: the answer of that type
        Proposed: _proposed,
        GaveUp: _gave_up,
        Cancelled: _cancelled,
        Looked: _looked,
        Approved: _approved,
        Edited: _edited,
        Denied: _denied,
        Expired: _denied,
        Started: _started,
        Returned: _came,
        Raised: _came,
        Lost: _lost,
    }
