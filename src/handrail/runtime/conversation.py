"""The active shell: asks the model itself, until it answers or somebody else must.

It is the passive shell with a model in front: each reply goes through `Turn.take`, so both write
the same journal for the same replies. While a call is being corrected the talk goes on in a side
branch; the main transcript then holds the corrected call and its one result.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from handrail.contract.call import ToolResult
from handrail.contract.record import Record
from handrail.runtime.answers import Answers
from handrail.runtime.parties import ModelLike
from handrail.runtime.transcript import tidied
from handrail.runtime.turn import Turn

__all__ = ["Conversation", "StopReason", "Usage", "converse"]

StopReason = Literal[
    "answered", "pending", "max_rounds", "run_limit", "no_progress", "empty_reply", "cut_reply"
]

_ADVICE = {
    "max_rounds": "the model still called tools after {rounds} rounds: raise max_rounds",
    "no_progress": "the calls brought nothing new, though every tool was offered",
    "run_limit": "the run reached a limit of Policy.limits: {finish}",
    "empty_reply": "the model answered with neither text nor a tool call (finish reason {finish})",
    "cut_reply": "the answer was cut off by the output limit: raise max_tokens",
}


class Usage(Record):
    """Tokens of a whole conversation.

    Attributes:
        input_tokens: Tokens sent.
        output_tokens: Tokens received.
        requests: Model requests.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0


class Conversation(Record):
    """What a run came to.

    Attributes:
        text: The model's last words.
        messages: The transcript, OpenAI chat messages; corrected calls stand once.
        results: Every result that was given to the model, in order.
        usage: Tokens and requests.
        stop_reason: ``answered``, ``pending``, ``max_rounds``, ``run_limit``, ``no_progress``,
            ``empty_reply`` or ``cut_reply``.
        host_advice: For the operator, where it did not end in an answer.
        turn: The turn; its `Turn.resume` goes on after an approval.
    """

    text: str
    messages: list[dict[str, Any]]  # Any: OpenAI chat messages
    results: tuple[ToolResult, ...]
    usage: Usage
    stop_reason: StopReason
    turn: Turn
    host_advice: str | None = None


class _Talk:
    """A conversation under way."""

    def __init__(self, turn: Turn, messages: Sequence[Mapping[str, Any]]) -> None:
        # Any: OpenAI chat messages
        self.turn = turn
        self.main: list[dict[str, Any]] = [dict(one) for one in messages]  # Any: as above
        self.branch: list[dict[str, Any]] = []  # Any: as above
        self.results: list[ToolResult] = []
        self.tokens_in = self.tokens_out = self.requests = 0

    def count(self, reply: object) -> None:
        usage = getattr(reply, "usage", None)
        self.tokens_in += getattr(usage, "input_tokens", 0) or 0
        self.tokens_out += getattr(usage, "output_tokens", 0) or 0
        self.requests += 1

    def add(self, answers: Answers) -> None:
        self.results += answers.results
        self.branch += answers.to_messages()
        if not self.turn.correcting:
            self.settle()

    def settle(self) -> None:
        self.main += tidied(self.branch, self.results)
        self.branch = []

    def ended(self, stop: StopReason, text: str, finish: object = None) -> Conversation:
        self.settle()
        advice = _ADVICE.get(stop)
        usage = Usage(
            input_tokens=self.tokens_in, output_tokens=self.tokens_out, requests=self.requests
        )
        return Conversation(
            text=text,
            messages=self.main,
            results=tuple(self.results),
            usage=usage,
            stop_reason=stop,
            turn=self.turn,
            host_advice=advice and advice.format(rounds=self.requests, finish=finish),
        )


async def converse(
    turn: Turn,
    model: ModelLike,
    messages: Sequence[Mapping[str, Any]],  # Any: OpenAI chat messages
    *,
    max_rounds: int,
    tool_choice: Any = None,  # Any: as OpenAI takes it
) -> Conversation:
    """Ask the model until it answers, a human is awaited, or the rounds are spent.

    What the model raises passes through as it is. The journal keeps what had happened by then,
    and nothing that ran is undone.
    """
    talk = _Talk(turn, messages)
    turn.reserve(
        one["id"] for message in talk.main for one in message.get("tool_calls") or () if "id" in one
    )
    text = ""
    for _ in range(max_rounds):
        limit = turn.limit_reached
        if limit is not None:
            return talk.ended("run_limit", text, limit)
        reply = await model.respond(
            [*talk.main, *talk.branch], turn.schemas("openai"), tool_choice=tool_choice
        )
        talk.count(reply)
        answers = await turn.take(reply)
        text = answers.text
        if answers.results:
            talk.add(answers)
            if answers.pending:
                return talk.ended("pending", text)
            if answers.ended is not None:
                talk.main.append({"role": "assistant", "content": text})
                return talk.ended("no_progress", text)
            for result in answers.results:
                if result.code == "BUD-004":
                    return talk.ended("run_limit", text, result.issues[0].message)
            continue
        if answers.follow_up is not None:
            talk.branch += answers.to_messages()
            continue
        finish = answers.reply["finish_reason"]
        if not text:
            return talk.ended("empty_reply", text, finish)
        talk.branch.append({"role": "assistant", "content": text})
        return talk.ended("cut_reply" if finish == "length" else "answered", text)
    return talk.ended("max_rounds", text)
