"""What a whole run may take: messages, calls, retries, tokens, money, time.

The run is the turn. Nothing here reads a clock: the time comes with each message. Source: the
contract `handrail/1`, section 6.
"""

from handrail.contract.policy import Limits

__all__ = ["RunLimits"]


class RunLimits:
    """Counts what a run has taken. Not thread-safe: the turn's lock is held.

    Attributes:
        limits: What it may take.
        rounds: Model messages.
        calls: Tool calls; the attempts of one call are one.
        retries: Times the model was asked again.
        tokens: Tokens in and out.
        cost: Money.
    """

    __slots__ = ("_began", "calls", "cost", "limits", "retries", "rounds", "tokens")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rounds = 0
        self.calls = 0
        self.retries = 0
        self.tokens = 0
        self.cost = 0.0
        self._began: float | None = None

    def message(self, at: float) -> None:
        """A model message came."""
        self.rounds += 1
        if self._began is None:
            self._began = at

    def spend(self, tokens: int, cost: float) -> None:
        """What a reply took."""
        self.tokens += max(0, tokens)
        self.cost += cost if cost > 0 else 0.0

    def refuses_call(self, at: float, *, new: bool) -> str | None:
        """The limit that keeps this call from being judged; None where there is none.

        Args:
            at: Time of the message.
            new: Whether the call is no further attempt of one that is counted already.
        """
        over = self._over(at, 1)
        if over is not None or not new:
            return over
        most = self.limits.calls
        if most is not None and self.calls >= most:
            return f"{most} calls"
        self.calls += 1
        return None

    def refuses_retry(self) -> str | None:
        """The limit that keeps the model from being asked again; None where there is none."""
        most = self.limits.retries
        if most is not None and self.retries >= most:
            return f"{most} retries"
        self.retries += 1
        return None

    def refuses_message(self, at: float) -> str | None:
        """The limit that a further model message would break; None where there is none."""
        return self._over(at, 0)

    def _over(self, at: float, counted: int) -> str | None:
        """The limit that is broken, `counted` of the messages being under way."""
        most, began = self.limits, self._began
        if most.rounds is not None and self.rounds - counted >= most.rounds:
            return f"{most.rounds} rounds"
        if most.tokens is not None and self.tokens >= most.tokens:
            return f"{most.tokens} tokens"
        if most.cost is not None and self.cost >= most.cost:
            return f"a cost of {most.cost:g}"
        if most.seconds is not None and began is not None and at - began >= most.seconds:
            return f"{most.seconds:g} seconds"
        return None
