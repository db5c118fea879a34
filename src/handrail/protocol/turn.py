"""The calls between two user messages: which belong together, and what may still be made.

`TurnState` knows three things that no single exchange knows: which open exchange a new call
continues, how often exactly this call was made, and which tools are withdrawn. It does no I/O;
whoever drives it holds one lock around every call of its methods.

The calls of one model message are one *step*. The model saw nothing between them, so they never
count against each other: of two identical reads one runs and both get its result; of two
identical writes the second is refused.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from handrail.contract.call import Status, ToolCall, ToolResult
from handrail.contract.judge import Judgement
from handrail.contract.parse import parse
from handrail.contract.policy import NO_LIMITS, Settings
from handrail.contract.screens import unknown_tool
from handrail.contract.texts import feedback_text, in_form
from handrail.contract.tool import Tool
from handrail.protocol import limits
from handrail.protocol.asks import (
    AskTool,
    Close,
    GaveUp,
    Party,
    Proposed,
    Raised,
    Returned,
)
from handrail.protocol.exchange import Exchange
from handrail.protocol.found import Found
from handrail.protocol.identical import Made
from handrail.protocol.journal import Journal
from handrail.protocol.loops import Pattern
from handrail.protocol.matching import likeness, match
from handrail.protocol.progress import Progress
from handrail.protocol.results import Facts, refused, reused
from handrail.protocol.run_ledger import RunLedger
from handrail.protocol.run_limits import RunLimits
from handrail.protocol.seen import Seen
from handrail.protocol.slots import Incoming, Slot
from handrail.protocol.visibility import Visibility

__all__ = ["TurnState"]

_IN_A_LOOP = "again and again without anything new"

_COMPARED = 64
"""Open calls of one tool that a new call is compared with; a host with more names its chains."""


class TurnState:
    """The state of one turn.

    Args:
        id: Unguessable and unique; ids of exchanges and approvals begin with it.
        tools: The tools by name.
        policy: The rules.
        journal: Where asks and answers are written.
        seen: What the model can have seen.
        user: Whom the turn belongs to.
        attempts: Attempts of single tools, where the policy names them.
        scope: Decides whether a call is within what the user may do.
        ledger: Counts that the turns of one run share; None for a run of one turn.
        strict: Names of the tools that were published in a form that forces nulls.
        progress: How far the turn is, with the tools that it sees; None for one that sees all
            and has no goal.
    """

    def __init__(
        self,
        id: str,
        tools: Mapping[str, Tool],
        policy: Settings,
        journal: Journal,
        seen: Seen,
        *,
        user: object = None,
        attempts: Mapping[str, int] | None = None,
        scope: Callable[..., object] | None = None,
        ledger: RunLedger | None = None,
        strict: set[str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.id = id
        self.progress = Progress(Visibility(tools)) if progress is None else progress
        self.tools = self.progress.visibility.tools
        self.policy = policy
        self.journal = journal
        self.seen = seen
        self.user = user
        self.scope = scope
        self.strict = set() if strict is None else strict
        self.withdrawn: set[str] = set()
        self._attempts = attempts or {}
        self._open: dict[str, dict[str, Exchange]] = {}
        self._chains: dict[str, Exchange] = {}
        self._exhausted: dict[str, int] = {}
        self._ledger = RunLedger() if ledger is None else ledger
        self._identical = self._ledger.identical
        self._loops = self._ledger.loops
        self._looping: set[str] = set()
        self.limits: RunLimits | None = None
        if policy.enforce and policy.limits != NO_LIMITS:
            self.limits = RunLimits(policy.limits)
        self.fit: Callable[[Exchange, ToolResult], None] | None = None
        self._exchanges = 0
        self._step = 0
        self._lone = True

    @property
    def open_count(self) -> int:
        """How many calls wait for the model to correct them."""
        return sum(map(len, self._open.values()))

    @property
    def expected(self) -> list[str]:
        """Names of the tools whose call the model was asked to correct."""
        return list(self._open)

    @property
    def visible(self) -> list[Tool]:
        """The tools that are neither hidden nor withdrawn."""
        return [tool for name, tool in self.tools.items() if name not in self.withdrawn]

    # one call

    def propose(
        self, call: ToolCall, at: float, finish_reason: str | None = None, chain: str | None = None
    ) -> Slot:
        """One call that is a step of its own. Nothing that is open is given up."""
        self._step = self._ledger.steps = self._ledger.steps + 1
        self._lone = True
        tool = self.tools.get(call.name)
        exchange = None
        if chain is not None:
            exchange = self._of_chain(chain, call)
        elif self._open and tool is not None:
            exchange = self._retried(tool.name, call)
        if self.limits is not None:
            self.limits.message(at)
        over = self._over(call, exchange, at)
        if over is not None:
            return over
        if tool is None:
            return self._unknown_tool(call, at)
        return self._place(Incoming(call, finish_reason, chain), tool, exchange, at)

    def _retried(self, name: str, call: ToolCall) -> Exchange | None:
        waiting = self._open.get(name)
        if not waiting:
            return None
        if len(waiting) == 1:
            return next(iter(waiting.values()))
        value = parse(call.arguments).value
        candidates = list(islice(waiting.values(), _COMPARED))
        scores = [[likeness(*_failed(one), value)] for one in candidates]
        row = match(scores)[0]
        return None if row is None else candidates[row]

    # one message

    def step(self, incoming: Sequence[Incoming], at: float) -> list[Slot]:
        """All calls of one model message; what was open and is not among them is given up."""
        self._step = self._ledger.steps = self._ledger.steps + 1
        self._lone = len(incoming) < 2
        retried = self._matched(incoming)
        self._give_up(keep={id(one) for one in retried if one is not None}, at=at)
        if self.limits is not None:
            self.limits.message(at)
        slots: list[Slot] = []
        for item, exchange in zip(incoming, retried, strict=True):
            tool = self.tools.get(item.call.name)
            over = self._over(item.call, exchange, at)
            if over is not None:
                slots.append(over)
            elif tool is None:
                slots.append(self._unknown_tool(item.call, at))
            else:
                slots.append(self._place(item, tool, exchange, at))
        self.share(slots)
        return slots

    def _of_chain(self, chain: str, call: ToolCall) -> Exchange | None:
        """The open call of that name, if it is of the same tool: no call becomes another's."""
        exchange = self._chains.get(chain)
        return exchange if exchange is not None and exchange.tool.name == call.name else None

    def _matched(self, incoming: Sequence[Incoming]) -> list[Exchange | None]:
        retried: list[Exchange | None] = [None] * len(incoming)
        by_tool: dict[str, list[int]] = {}
        for number, item in enumerate(incoming):
            if item.chain is not None:
                retried[number] = self._of_chain(item.chain, item.call)
            else:
                by_tool.setdefault(item.call.name, []).append(number)
        for name, numbers in by_tool.items():
            open_ones = self._open.get(name, {}).values()
            waiting = list(islice((one for one in open_ones if one not in retried), _COMPARED))
            if not waiting:
                continue
            values = [parse(incoming[number].call.arguments).value for number in numbers]
            scores = [[likeness(*_failed(one), value) for value in values] for one in waiting]
            for number, row in zip(numbers, match(scores), strict=True):
                retried[number] = None if row is None else waiting[row]
        return retried

    def _give_up(self, keep: Iterable[int], at: float) -> None:
        kept = set(keep)
        for waiting in list(self._open.values()):
            for exchange in list(waiting.values()):
                if id(exchange) not in kept:
                    exchange.receive(GaveUp(at))

    def share(self, slots: Sequence[Slot]) -> None:
        """Join identical reads of one message: the first runs, the others get its result.

        Called again after the look-ups of a message, which hold a call back until then.
        """
        first: dict[int, Slot] = {}
        for slot in slots:
            exchange = slot.exchange
            made = exchange.made if exchange else None
            if made is None or exchange is None or exchange.tool.action_type != "read":
                continue
            ran = type(slot.said) in (Returned, Raised)
            if type(slot.ask) is not AskTool and not ran:
                continue
            twin = first.setdefault(id(made), slot)
            if twin is not slot and not ran:
                slot.twin = twin
                self.release(exchange)

    def release(self, exchange: Exchange) -> None:
        """Give back the run that was reserved for a call whose handler will not begin."""
        if exchange.made is not None:
            self._identical.release(exchange.made)
            exchange.made = None

    def close(self, at: float) -> None:
        """The turn ends: what was not corrected is given up."""
        if self._open:
            self._give_up(keep=(), at=at)

    # placing

    def _over(self, call: ToolCall, exchange: Exchange | None, at: float) -> Slot | None:
        """The call refused by a limit of the run; what it would correct stays open."""
        if self.progress.ended is not None:
            return self._direct(call, at, limits.ended(Facts(call.id, call.name)))
        if self.limits is None:
            return None
        new = exchange is None or exchange.waiting is not Party.MODEL
        limit = self.limits.refuses_call(at, new=new)
        if limit is None:
            return None
        return self._direct(call, at, limits.run_limit(Facts(call.id, call.name), limit))

    def _place(self, item: Incoming, tool: Tool, exchange: Exchange | None, at: float) -> Slot:
        call, mends = item.call, item.mends
        if self.progress.wants_all:
            call, lifted = self.progress.lift(tool, call)
            mends = (*mends, *lifted)
        if exchange is None or exchange.waiting is not Party.MODEL:
            if tool.name in self.withdrawn:
                return self._direct(call, at, self._stuck(self._gone(call)))
            exchange = self._new_exchange(tool)
            if item.chain is not None:
                exchange.chain = item.chain
                self._chains[item.chain] = exchange
        exchange.step = self._step
        ask = exchange.receive(Proposed(call, at, item.finish_reason, mends))
        self._note(exchange)
        return Slot(call, exchange, ask)

    def _new_exchange(self, tool: Tool) -> Exchange:
        self._exchanges += 1
        attempts = self._attempts.get(tool.name) or tool.attempts or self.policy.attempts
        return Exchange(f"{self.id}.{self._exchanges}", tool, self, max_attempts=attempts)

    def _note(self, exchange: Exchange) -> None:
        if exchange.waiting is Party.HUMAN:
            self.progress.waiting.add(exchange.id)
        if exchange.waiting is Party.MODEL:
            self._open.setdefault(exchange.tool.name, {})[exchange.id] = exchange
        elif self._open:
            self._forget(exchange)

    def answered(self, exchange: Exchange) -> None:
        """Call after an answer of host, human or tool: the exchange may wait for another party."""
        self._note(exchange)

    def _unknown_tool(self, call: ToolCall, at: float) -> Slot:
        facts = Facts(call.id, call.name)
        beyond = self._loops.unknown(call.name) - self.policy.unknown_tool_tellings
        if beyond > 0:
            result = self._stuck(limits.unknown_again(facts))
            return self._direct(call, at, limits.escalated(result, call) if beyond > 1 else result)
        issue = unknown_tool(call.name, [tool.name for tool in self.visible])
        text = feedback_text(Judgement.unknown_tool(issue), call.name, self.policy)
        return self._direct(call, at, refused(facts, [issue], text))

    def _gone(self, call: ToolCall) -> ToolResult:
        facts = Facts(call.id, call.name)
        if call.name not in self._looping:
            return limits.withdrawn(facts)
        return limits.escalated(limits.withdrawn(facts, _IN_A_LOOP), call)

    def _direct(self, call: ToolCall, at: float, result: ToolResult) -> Slot:
        self._exchanges += 1
        id = f"{self.id}.{self._exchanges}"
        self.journal.write(id, call.name, Proposed(call, at), None, 1)
        if result.error_class == "budget_spent":
            result = in_form(result, self.policy)
        ask = Close(result)
        self.journal.write(id, call.name, ask, None, 1)
        return Slot(call, None, ask)

    # budgets: what an exchange asks of its turn

    def admit(self, exchange: Exchange) -> ToolResult | None:
        """Reserve one run of this call; a result where it may not run again."""
        tool = exchange.tool
        judgement = exchange.judgement
        if judgement is None or judgement.value is None:
            return None
        self.release(exchange)  # of the arguments that were there before an edit
        if self._lone and (tool.poll or tool.repeatable) and tool.action_type != "destructive":
            return None
        plain = judgement.text.isascii() and "\\" not in judgement.text
        made = self._identical.find(tool, judgement.value, exchange.step, plain=plain)
        exchange.made = made
        refusal = None
        if made.runs or made.running:
            refusal = self._too_often(exchange, made)
        if refusal is None and self._loops.warm:
            found = self._loops.stopped(tool, made)
            if found is not None and self._stoppable(exchange):
                refusal = limits.going_round(exchange.facts(), tool, found)
                refusal = self._in_a_row(exchange, refusal)
        if refusal is not None:
            exchange.made = None
            return refusal
        made.step = exchange.step
        made.running += 1
        return None

    def _stoppable(self, exchange: Exchange) -> bool:
        """Whether the turn may refuse it: a human decides about the rest."""
        tool = exchange.tool
        if tool.repeatable or tool.poll or not self.policy.enforce:
            return False
        return tool.action_type != "destructive" and exchange.waiting is not Party.HUMAN

    def _too_often(self, exchange: Exchange, made: Made) -> ToolResult | None:
        tool = exchange.tool
        if made.step == exchange.step and tool.action_type == "destructive":
            stoppable = self.policy.enforce and exchange.waiting is not Party.HUMAN
            return limits.sent_twice(exchange.facts()) if stoppable else None
        if not self._stoppable(exchange):
            return None
        facts = exchange.facts()
        if made.step == exchange.step and tool.action_type == "read":
            again = tool.reuse and not made.running and made.by == self.id
            return self._again(exchange, made) if again else None
        if made.step == exchange.step:
            return limits.sent_twice(facts)
        allowed = self._allowed(tool)
        standing = self._identical.standing(made, allowed)
        if standing >= allowed:
            refusal = limits.identical(facts, standing, made.result)
            return refusal if made.running else self._in_a_row(exchange, refusal)
        return self._again(exchange, made) if tool.reuse and made.by == self.id else None

    def _allowed(self, tool: Tool) -> int:
        return tool.max_identical or self.policy.identical[tool.action_type]

    def _again(self, exchange: Exchange, made: Made) -> ToolResult | None:
        """The earlier result of a read, where nothing has changed since."""
        last, judgement = made.result, exchange.judgement
        fresh = made.epoch == self._identical.epoch and exchange.tool.action_type == "read"
        if last is None or judgement is None or last.status is not Status.OK or not fresh:
            return None
        made.count += made.step != exchange.step
        made.step = exchange.step
        return reused(exchange.facts(), last, judgement)

    def _in_a_row(self, exchange: Exchange, refusal: ToolResult) -> ToolResult:
        """Count a refusal of what goes round; too many in a row withdraw the tool."""
        tool = exchange.tool
        count = self._loops.refused(tool.name, exchange.step)
        if count >= self.policy.withdraw_after:
            self.withdrawn.add(tool.name)
            self._looping.add(tool.name)
            return self._stuck(limits.withdrawn(exchange.facts(), _IN_A_LOOP))
        return self._stuck(limits.sharper(tool, refusal) if count > 1 else refusal)

    def _stuck(self, result: ToolResult) -> ToolResult:
        """The turn got no further with this call: where tools are hidden, all are offered."""
        return self.progress.stuck(result, self._step)

    def widen(self) -> None:
        """All tools are seen from now on."""
        self.progress.visibility.widen()

    def refuses_retry(self) -> str | None:
        """The limit of the run that keeps the model from being asked again."""
        return None if self.limits is None else self.limits.refuses_retry()

    def times_abandoned(self, exchange: Exchange) -> int:
        """How often the model left exactly these bad arguments as they are."""
        if exchange.judgement is None or not (self.policy.enforce and self._loops.abandons):
            return 0
        return self._loops.times_abandoned(exchange.tool.name, exchange.judgement.key)

    def settle(self, exchange: Exchange, result: ToolResult) -> ToolResult:
        """Note how an exchange ended; the result, with a note behind it where calls go round."""
        made = exchange.made
        if made is not None:
            if exchange.ran:
                made.by = self.id
                self._identical.settle(exchange.tool, made, result)
                result = self._noted(exchange, made, result)
            else:
                self._identical.release(made)
        elif result.status is Status.OK and exchange.tool.action_type != "read":
            self._identical.changed()
            self._loops.changed()
        if result.outcome in ("exhausted", "redundant"):
            name = exchange.tool.name
            self._exhausted[name] = self._exhausted.get(name, 0) + 1
            if self._exhausted[name] >= self.policy.withdraw_after:
                self.withdrawn.add(name)
            result = self._stuck(result)
        elif result.outcome == "llm_gave_up" and exchange.judgement is not None:
            self._loops.abandoned(exchange.tool.name, exchange.judgement.key)
        if result.outcome in ("no_retry", "success") and not result.is_error:
            self.seen.add_result(result)
        if self._open:
            self._forget(exchange)
        if exchange.chain is not None and self._chains.get(exchange.chain) is exchange:
            del self._chains[exchange.chain]
        if self.progress.waiting:
            self.progress.waiting.discard(exchange.id)
        given = None if exchange.judgement is None else exchange.judgement.value
        self.progress.found.append(Found(exchange.tool, given or {}, result, exchange.step))
        if self.fit is not None and result.data is not None:
            self.fit(exchange, result)
        return result

    def _noted(self, exchange: Exchange, made: Made, result: ToolResult) -> ToolResult:
        tool = exchange.tool
        limit = self._allowed(tool) if made.count > 1 else 0
        found = self._loops.ran(tool, made, result, exchange.step, lone=self._lone, limit=limit)
        if found is None or not self.policy.enforce:
            return result
        result = limits.noted(tool, result, found)
        return self._stuck(result) if found.pattern is Pattern.EMPTY else result

    def _forget(self, exchange: Exchange) -> None:
        waiting = self._open.get(exchange.tool.name)
        if waiting is not None and waiting.pop(exchange.id, None) is not None and not waiting:
            del self._open[exchange.tool.name]


def _failed(exchange: Exchange) -> tuple[Mapping[str, object] | None, frozenset[str]]:
    judgement = exchange.judgement
    if judgement is None:
        return None, frozenset()
    return judgement.given, judgement.fields_at_fault
