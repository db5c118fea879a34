"""A set of tools under one policy: where a program begins."""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, overload

from handrail.contract.author import Broken, ask_author, broken
from handrail.contract.call import ToolCall, ToolResult
from handrail.contract.goal import Goal
from handrail.contract.issue import Issue, Severity
from handrail.contract.judge import OUT_OF_SCOPE, Judgement, judge_input, with_findings
from handrail.contract.offer import Unenforced, report
from handrail.contract.policy import Settings
from handrail.contract.preview import word
from handrail.contract.screens import unknown_tool
from handrail.contract.terms import Handler
from handrail.contract.tool import Tool
from handrail.errors import ConfigError, ContractError, ProtocolError
from handrail.protocol.asks import Card
from handrail.protocol.journal import Journal, Subscriber
from handrail.protocol.progress import Progress
from handrail.protocol.run_ledger import RunLedger
from handrail.protocol.seen import Seen
from handrail.protocol.turn import TurnState
from handrail.protocol.visibility import Visibility
from handrail.runtime.approvals import Approvals, identity
from handrail.runtime.artifacts import Fitting, MemoryArtifacts
from handrail.runtime.config import attempts_of, policy_of
from handrail.runtime.conversation import Conversation, converse
from handrail.runtime.driver import look, result_of
from handrail.runtime.faults import subscriber_failed
from handrail.runtime.parties import Human, Judge, ModelLike
from handrail.runtime.turn import Turn, definitions

__all__ = ["Toolbox"]

_KEYED_TURNS = 10_000
"""Turns with a key that are remembered; the one used longest ago is forgotten first."""

_RUNS = 1_000
"""Runs of several turns whose counts are remembered; the one used longest ago goes first."""


class Toolbox:
    """Tools under one policy.

    Args:
        tools: Functions or `Tool` values.
        name: Shown in log lines.
        policy: ``strict``, ``balanced``, ``lenient``, or a `Policy`.
        enforce: False observes and records, and blocks nothing.
        store: Where state is kept; None is memory. Durable stores need the ``[sql]`` extra.
        human: Asked at once where a call needs approval; None leaves such calls pending.
        scope: ``(user, tool name, arguments) -> bool | str``, sync or async: whether the call is
            within what the user may do; a string is the reason why not.
        clock: Seconds since the epoch; the seam for tests.
        subscribers: Readers of the journal.
    """

    _readers: ClassVar[list[Callable[[str], Subscriber]]] = []

    @classmethod
    def read_with(cls, make: Callable[[str], Subscriber]) -> None:
        """Give every later toolbox a reader of its journal, made with the toolbox's name."""
        cls._readers.append(make)

    def __init__(
        self,
        tools: Iterable[Tool | Handler] = (),
        *,
        name: str = "handrail",
        policy: str | Settings = "balanced",
        enforce: bool = True,
        store: None = None,
        human: Human | None = None,
        scope: Callable[..., object] | None = None,
        clock: Callable[[], float] | None = None,
        subscribers: Sequence[Subscriber] = (),
    ) -> None:
        if store is not None:
            raise ConfigError(
                f"store={store!r}: this version keeps state in memory only; leave store out"
            )
        self.name = name
        self.policy = policy_of(policy)
        if not enforce:
            self.policy = self.policy.replace(enforce=False)
        self._tools: dict[str, Tool] = {}
        self._attempts: dict[str, int] = {}
        self._strict: set[str] = set()
        self._clock = clock or time.time
        self._human = _checked_human(human)
        self._scope = scope
        readers = [make(name) for make in self._readers]
        self.journal = Journal(subscribers=(*readers, *subscribers), on_fault=subscriber_failed)
        self._approvals = Approvals(self._clock, self._tools)
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._runs: OrderedDict[tuple[str, str | None], tuple[RunLedger, threading.Lock]]
        self._runs = OrderedDict()
        self._artifacts = MemoryArtifacts()
        self._fits = Fitting.wanted(self.policy)
        self._lock = threading.Lock()
        for tool in tools:
            self.add(tool)

    # declaring

    @overload
    def tool(self, fn: Handler, /) -> Handler: ...

    @overload
    def tool(self, fn: None = None, /, **contract: Any) -> Callable[[Handler], Handler]: ...

    def tool(
        self, fn: Handler | None = None, /, **contract: Any
    ) -> Handler | Callable[[Handler], Handler]:
        """Declare a function as a tool; the function itself is handed back unchanged.

        Keyword arguments are those of the contract, and ``name`` and ``description``.

        Raises:
            ContractError: The contract is wrong; every fault is listed.
        """  # Any: contract keywords
        if fn is not None:
            self.add(Tool.from_function(fn, **contract))
            return fn

        def declare(function: Handler) -> Handler:
            self.add(Tool.from_function(function, **contract))
            return function

        return declare

    def add(self, tool: Tool | Handler) -> Tool:
        """Add a tool, or a function as one.

        Raises:
            ContractError: There is a tool of that name already.
        """
        made = tool if isinstance(tool, Tool) else Tool.from_function(tool)
        if made.name in self._tools:
            raise ContractError(made.name, [f"there is a tool named {made.name!r} already"])
        self._tools[made.name] = made
        self._attempts[made.name] = attempts_of(self.policy, made.name, made.attempts)
        return made

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, in the order in which they were added."""
        return tuple(self._tools.values())

    def wrap(self, fn: Handler, **contract: Any) -> Callable[..., ToolResult]:
        """A guarded callable: keyword arguments in, a `ToolResult` out, never an exception.

        Each call is a turn of its own.
        """  # Any: contract keywords
        tool = self.add(Tool.from_function(fn, **contract))

        @wraps(fn)
        def guarded(**arguments: Any) -> ToolResult:  # Any: JSON values
            with self.turn() as turn:
                return turn.answer_sync(ToolCall("", tool.name, arguments))

        return guarded

    def schemas(
        self, provider: str = "openai", *, strict: bool = False
    ) -> list[dict[str, Any]]:  # Any: definitions of the provider
        """Tool definitions for the provider.

        Full JSON Schema; with `strict` what the provider's decoding enforces, for each tool that
        can be said in it. From then on nulls that this forces on fields that may be left out are
        taken out of calls before they are judged.

        Raises:
            ConfigError: The provider is unknown.
        """
        return definitions(self.tools, provider, strict=strict, published=self._strict)

    def schema_report(self, provider: str = "openai") -> tuple[Unenforced, ...]:
        """What the provider's strict decoding will not enforce; it is still enforced here.

        Raises:
            ConfigError: The provider is unknown.
        """
        return report(self.tools, provider)

    # judging without running

    def check(self, call: ToolCall) -> Judgement:
        """Judge a call and run nothing. Async checks are skipped, and an info says so."""
        judgement = self._judged(call)
        if not judgement.lookups:
            return judgement
        skipped = Issue.of(
            "VAL-015", "", severity=Severity.INFO, problem="An async check was not run"
        )
        return judgement.replace(issues=(*judgement.issues, skipped))

    async def acheck(self, call: ToolCall) -> Judgement:
        """Judge a call with its async checks, and run nothing."""
        judgement = self._judged(call)
        if not judgement.lookups:
            return judgement
        findings = [await look(lookup, judgement.value) for lookup in judgement.lookups]
        return with_findings(self._tools[call.name], judgement, findings)

    def _judged(self, call: ToolCall) -> Judgement:
        tool = self._tools.get(call.name)
        if tool is None:
            return Judgement.unknown_tool(unknown_tool(call.name, list(self._tools)))
        strict = tool.name in self._strict
        return judge_input(tool, call.arguments, self.policy, strict=strict)

    # turns

    def turn(
        self,
        key: str | None = None,
        *,
        user_text: str = "",
        known_ids: Iterable[object] = (),
        user: object = None,
        goal: Goal | str | None = None,
        judge: Judge | None = None,
        visible: Iterable[str] | None = None,
    ) -> Turn:
        """The calls between two user messages.

        Args:
            key: The same key continues the same turn, with its counters, its judge and the tools
                that it sees. Turns whose keys share what is before the last colon
                (``conversation-7:3``) are one run: what went round in one of them is known in
                the next.
            user_text: What the user wrote: ids in it count as seen.
            known_ids: Ids that the host vouches for.
            user: Whom the turn belongs to; a string or an object with ``id``.
            goal: What the turn is for; an answer that comes before it is covered is sent back,
                a few times at most. Text is a query.
            judge: Says whether the results answer the goal, where rules cannot tell: a model, or
                ``async (goal, results, answer) -> Coverage``.
            visible: Names of the tools that the model sees; None is all of them. When such a
                turn gets no further it is widened once, and then ends.

        Raises:
            ConfigError: `goal` or `visible` names no tool of this toolbox.
            ProtocolError: The turn with this key belongs to another user.
        """
        aim = self._aim(goal)
        if key is None:
            return self._new_turn(user_text, known_ids, user, None, (aim, judge, visible))
        with self._lock:
            turn = self._turns.get(key)
            if turn is None:
                run = self._run_of(key, user)
                aims = (aim, judge, visible)
                turn = self._new_turn(user_text, known_ids, user, run, aims, key)
                self._turns[key] = turn
            elif user is not None and identity(user) != identity(turn.user):
                raise ProtocolError(f"the turn with the key {key!r} belongs to another user")
            else:
                turn.show(user_text, known_ids, goal=aim)
            self._turns.move_to_end(key)
            while len(self._turns) > _KEYED_TURNS:
                self._turns.popitem(last=False)
        return turn

    def _run_of(self, key: str, user: object) -> tuple[RunLedger, threading.Lock]:
        """The counts that the turn with this key shares, and the lock that is held around them.

        Nothing is shared between users, whatever their keys are.
        """
        shared = key.rpartition(":")[0]
        if not shared:
            return RunLedger(), threading.Lock()
        name = (shared, None if user is None else identity(user))
        ledger, lock = self._runs.setdefault(name, (RunLedger(), threading.Lock()))
        self._runs.move_to_end(name)
        while len(self._runs) > _RUNS:
            self._artifacts.drop(_scope_of(*self._runs.popitem(last=False)[0]))
        with lock:
            ledger.begin_turn()
        return ledger, lock

    def _new_turn(
        self,
        user_text: str,
        known_ids: Iterable[object],
        user: object,
        run: tuple[RunLedger, threading.Lock] | None = None,
        aims: tuple[Goal | None, Judge | None, Iterable[str] | None] = (None, None, None),
        key: str | None = None,
    ) -> Turn:
        ledger, lock = run or (None, None)
        goal, judge, visible = aims
        visibility = Visibility(self._tools, visible)
        state = TurnState(
            os.urandom(8).hex(),
            self._tools,
            self.policy,
            self.journal,
            Seen([user_text], known_ids),
            user=user,
            attempts=self._attempts,
            scope=self._scoped(user) if self._scope is not None else None,
            ledger=ledger,
            strict=self._strict,
            progress=Progress(visibility, goal, user_text, enforce=self.policy.enforce),
        )
        turn = Turn(state, self._clock, self._human, self._approvals.add, lock, judge)
        if self._fits:
            owner = None if user is None else identity(user)
            scope = state.id if key is None else _scope_of(key.rpartition(":")[0] or key, owner)
            turn.fitting = Fitting(state, self._artifacts, scope, owner, lasting=key is not None)
            state.fit = turn.fitting
        return turn

    def _aim(self, goal: Goal | str | None) -> Goal | None:
        """The goal of a turn, all of whose tools exist."""
        if goal is None or isinstance(goal, str):
            return None if goal is None else Goal(goal)
        for name in goal.needs:
            if name not in self._tools:
                said = unknown_tool(name, list(self._tools)).message
                raise ConfigError(f"the goal needs a tool that is not there: {said}")
        return goal

    async def read_goal(self, text: str, model: ModelLike) -> Goal:
        """What the user wants, as a model reads it; the text as a query where it cannot."""
        from handrail.runtime.goals import read_by  # late: few programs let a model read goals

        return await read_by(model, text, self.tools)

    def _scoped(self, user: object) -> Callable[..., object]:
        scope = self._scope
        assert scope is not None  # asked for only where there is one
        return _ScopeLookup(scope, user)

    async def run(
        self,
        model: ModelLike,
        messages: Sequence[Mapping[str, Any]],  # Any: OpenAI chat messages
        *,
        max_rounds: int = 10,
        user: object = None,
        known_ids: Iterable[object] = (),
        tool_choice: Any = None,  # Any: as OpenAI takes it
        goal: Goal | str | None = None,
        judge: Judge | None = None,
        visible: Iterable[str] | None = None,
    ) -> Conversation:
        """Talk to the model until it answers, a human is awaited, or the rounds are spent.

        `goal`, `judge` and `visible` are those of `turn`.
        """
        said = [str(one.get("content") or "") for one in messages if one.get("role") == "user"]
        with self.turn(
            user_text="\n".join(said),
            known_ids=known_ids,
            user=user,
            goal=goal,
            judge=judge,
            visible=visible,
        ) as turn:
            return await converse(
                turn, model, messages, max_rounds=max_rounds, tool_choice=tool_choice
            )

    # approvals

    def approvals(self, user: object = None) -> list[Card]:
        """The calls that wait for a human: of one user, or of all."""
        return self._approvals.cards(user)

    async def approve(self, id: str, *, by: object) -> ToolResult:
        """Allow a waiting call, run it, and give its result.

        Raises:
            ApprovalError: Wrong user, used, expired, changed or unknown.
        """
        claimed = self._approvals.approve(id, by)
        return await claimed.turn.driver.finish(claimed.slot)

    def approve_sync(self, id: str, *, by: object) -> ToolResult:
        """As `approve`, from synchronous code."""
        claimed = self._approvals.approve(id, by, sync=True)
        return claimed.turn.driver.finish_sync(claimed.slot)

    async def deny(self, id: str, *, by: object, reason: str = "") -> ToolResult:
        """Refuse a waiting call. `reason` is told to the model."""
        return self.deny_sync(id, by=by, reason=reason)

    def deny_sync(self, id: str, *, by: object, reason: str = "") -> ToolResult:
        """As `deny`, from synchronous code."""
        return result_of(self._approvals.deny(id, by, reason).slot)

    async def edit(self, id: str, arguments: Mapping[str, Any], *, by: object) -> Judgement:
        """Put other arguments on a card; they are judged, and the card gets a new hash.

        The call still waits for `approve`. Unless the judgement is ``ok`` nothing changed.
        """  # Any: JSON values
        return self.edit_sync(id, arguments, by=by)

    def edit_sync(self, id: str, arguments: Mapping[str, Any], *, by: object) -> Judgement:
        """As `edit`, from synchronous code."""  # Any: JSON values
        return self._approvals.edit(id, arguments, by)


def _scope_of(name: str, owner: str | None) -> str:
    """The name under which a conversation of this user keeps its artifacts."""
    return f"{name}\n{owner}" if owner is not None else name


class _ScopeLookup:
    """Asks the host's scope whether a call is allowed, and says so as an issue."""

    def __init__(self, scope: Callable[..., object], user: object) -> None:
        self._scope = scope
        self._user = user

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> object:  # Any: JSON values
        """None if allowed, an issue if not; awaitable if the scope is async."""
        said = ask_author(self._scope, self._user, tool, arguments)
        if hasattr(said, "__await__"):
            return self._later(said)
        return _scope_issue(said)

    async def _later(self, said: Any) -> object:  # Any: an awaitable of bool or str
        try:
            return _scope_issue(await said)
        except Exception as error:
            return _scope_issue(broken(self._scope, error))


def _scope_issue(said: object) -> Issue | list[object] | None:
    if said is True:
        return None
    if isinstance(said, Broken):
        return [_scope_issue("Whether the call is allowed could not be found out"), said]
    why = word(said, 300) if isinstance(said, str) else "The call is not allowed for this user"
    return Issue(
        OUT_OF_SCOPE,
        "",
        why,
        hint="do not call it again; use another tool or tell the user",
    )


def _checked_human(human: Human | None) -> Human | None:
    if human is None or callable(human) or callable(getattr(human, "decide", None)):
        return human
    raise ConfigError(
        f"human={human!r} must be a function that takes the card, or an object with decide(card)"
    )
