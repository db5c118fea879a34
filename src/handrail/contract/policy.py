"""What a policy consists of: frozen numbers and switches, checked at birth.

Three presets cover most programs: ``strict`` (seed 004), ``balanced`` (the default) and
``lenient`` (seed 003). Reading a configuration file is the shell's business
(`handrail.runtime.config`); here are only values. Source: the contract `handrail/1`, sections
5, 6 and 10.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

from handrail.contract.call import ActionType
from handrail.errors import ConfigError

__all__ = [
    "ACTION_TYPES",
    "CEILINGS",
    "NO_LIMITS",
    "OUTPUT_RANGES",
    "PRESETS",
    "Backoff",
    "Limits",
    "Range",
    "Settings",
    "check_range",
]

ACTION_TYPES: tuple[ActionType, ...] = ("read", "write", "destructive")

Confirm = Literal["destructive", "write"] | Mapping[str, bool]
Form = Literal["text", "compact", "prose", "json", "problem"]
FORMS: tuple[Form, ...] = ("text", "compact", "prose", "json", "problem")


class Range(NamedTuple):
    """The lowest and highest value that a setting may have."""

    low: float
    high: float


CEILINGS: Mapping[str, Range] = MappingProxyType(
    {
        "attempts": Range(1, 10),
        "max_message_length": Range(500, 4000),
        "max_errors_shown": Range(1, 20),
        "max_value_preview": Range(10, 1000),
        "approval_ttl_s": Range(1, 30 * 24 * 3600),
    }
)
"""Hard ranges. A process may lower the upper ends once, nothing can raise them."""


_FRACTIONAL = frozenset({"approval_ttl_s"})
_NO_END = float("inf")
_COUNTS: Mapping[str, Range] = {
    "token_budget": Range(1, _NO_END),
    "compact_tokens": Range(100, _NO_END),
    "artifact_tokens": Range(100, _NO_END),
    "withdraw_after": Range(1, _NO_END),
    "unknown_tool_tellings": Range(0, _NO_END),
}
_OPTIONAL = frozenset({"token_budget", "compact_tokens", "artifact_tokens"})
_PER_ACTION: Mapping[str, Range] = {
    "mend_level": Range(0, 3),
    "identical": Range(1, _NO_END),
    "transient_reruns": Range(0, _NO_END),
}


OUTPUT_RANGES: Mapping[str, Range] = MappingProxyType(
    {key: _COUNTS[key] for key in ("compact_tokens", "artifact_tokens")}
)
"""Ranges of the sizes of outputs, in tokens; None switches each of them off."""


def check_range(key: str, value: object, allowed: Range, *, whole: bool = True) -> None:
    """Raise ConfigError with key, value and allowed range unless the value is in it."""
    low, high = allowed
    bounds = f"allowed is {low} to {high}" if high != _NO_END else f"allowed is at least {low}"
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds):
        kind = "a whole number" if whole else "a number"
        raise ConfigError(f"{key}={value!r} must be {kind}: {bounds}")
    if not low <= value <= high:
        raise ConfigError(f"{key}={value!r} is out of range: {bounds}")


def _checked_per_action(key: str, given: object, allowed: Range) -> Mapping[str, int]:
    if not isinstance(given, Mapping) or set(given) != set(ACTION_TYPES):
        raise ConfigError(f"{key}={given!r} must map each of {', '.join(ACTION_TYPES)} to a number")
    for action, value in given.items():
        check_range(f"{key}[{action!r}]", value, allowed)
    return MappingProxyType(dict(given))


def _checked_lax(given: object) -> frozenset[str]:
    listed: list[Any] = (
        list(given) if isinstance(given, Set | Sequence) else [None]
    )  # Any: anything
    if isinstance(given, str) or any(kind not in ("read", "write") for kind in listed):
        raise ConfigError(
            f"lax={given!r} must be a set of 'read' and 'write': destructive calls need exact types"
        )
    return frozenset(listed)


def _checked_confirm(given: object) -> "Confirm":
    if given == "destructive" or given == "write":
        return given
    if isinstance(given, Mapping) and all(isinstance(item, bool) for item in given.values()):
        return MappingProxyType(dict(given))
    raise ConfigError(
        f"confirm={given!r} must be 'destructive', 'write', or a mapping of tool name to True"
    )


class Limits(NamedTuple):
    """Limits of a whole run; None is no limit.

    Attributes:
        rounds: Model messages.
        calls: Tool calls.
        retries: Times the model was asked again.
        tokens: Tokens in and out.
        cost: Money, in the currency of the price list.
        seconds: Wall time.
    """

    rounds: int | None = None
    calls: int | None = None
    retries: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Backoff(NamedTuple):
    """Wait before a transient re-run: ``first_s * factor ** n``, at most ``cap_s`` seconds."""

    first_s: float = 0.5
    factor: float = 2.0
    cap_s: float = 8.0


NO_LIMITS = Limits()
"""Nothing is limited."""

_USUAL_BACKOFF = Backoff()


def _per_action(read: int, write: int, destructive: int) -> Mapping[str, int]:
    return MappingProxyType({"read": read, "write": write, "destructive": destructive})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The values of a policy.

    Attributes:
        name: Name of the preset it started from.
        enforce: False observes and records, and blocks nothing.
        attempts: Attempts of one logical call, the first included (1..10).
        mend_level: Highest mending level by action type (0 salvage .. 3 value).
        lax: Action types whose own pydantic coercions are accepted.
        drop_unknown: Whether unknown fields are dropped with a warning instead of refused.
        identical: Identical calls allowed by action type.
        transient_reruns: Re-runs after a transient failure, by action type.
        confirm: Which calls a human confirms: ``destructive``, ``write`` (both), or by tool name
            on top of the destructive ones.
        approval_ttl_s: Seconds until an approval expires.
        seen_ids: Whether every declared id must have been seen before.
        form: Renderer of the feedback.
        max_message_length: Characters of one feedback message.
        max_errors_shown: Issues shown in one message.
        max_value_preview: Characters of one value preview.
        token_budget: Tokens of one feedback message; None is no budget.
        token_counter: Counts the tokens of a text; None is characters / 4.
        compact_tokens: Tokens up to which an output reaches the model as it is; beyond, it is
            compacted to fit. None compacts nothing.
        artifact_tokens: Tokens up to which an output is not kept as an artifact that the model
            reads piece by piece. None makes no artifacts.
        limits: Limits of the whole run.
        backoff: Waits between transient re-runs.
        withdraw_after: Exhausted calls of one tool after which it is withdrawn for the turn.
        unknown_tool_tellings: How often an unknown tool is explained in one turn.
    """

    name: str = "balanced"
    enforce: bool = True
    attempts: int = 3
    mend_level: Mapping[str, int] = field(default_factory=lambda: _per_action(3, 2, 1))
    lax: frozenset[str] = frozenset({"read", "write"})
    drop_unknown: bool = False
    identical: Mapping[str, int] = field(default_factory=lambda: _per_action(3, 1, 1))
    transient_reruns: Mapping[str, int] = field(default_factory=lambda: _per_action(2, 1, 0))
    confirm: Confirm = "destructive"
    approval_ttl_s: float = 900.0
    seen_ids: bool = False
    form: Form = "text"
    max_message_length: int = 2000
    max_errors_shown: int = 10
    max_value_preview: int = 100
    token_budget: int | None = None
    token_counter: Callable[[str], int] | None = None
    compact_tokens: int | None = 20_000
    artifact_tokens: int | None = 50_000
    limits: Limits = NO_LIMITS
    backoff: Backoff = _USUAL_BACKOFF
    withdraw_after: int = 3
    unknown_tool_tellings: int = 2

    def __post_init__(self) -> None:
        for key, allowed in CEILINGS.items():
            check_range(key, getattr(self, key), allowed, whole=key not in _FRACTIONAL)
        for key, allowed in _COUNTS.items():
            value = getattr(self, key)
            if value is not None or key not in _OPTIONAL:
                check_range(key, value, allowed)
        for key, top in _PER_ACTION.items():
            object.__setattr__(self, key, _checked_per_action(key, getattr(self, key), top))
        for key in ("enforce", "drop_unknown", "seen_ids"):
            if not isinstance(getattr(self, key), bool):
                raise ConfigError(f"{key}={getattr(self, key)!r} must be True or False")
        if self.form not in FORMS:
            raise ConfigError(f"form={self.form!r} is unknown: choose one of {', '.join(FORMS)}")
        object.__setattr__(self, "lax", _checked_lax(self.lax))
        object.__setattr__(self, "confirm", _checked_confirm(self.confirm))

    @property
    def ceilings(self) -> Mapping[str, Range]:
        """The ranges that these values were checked against."""
        return CEILINGS

    def replace(self, **changes: Any) -> Self:  # Any: any field
        """Another policy with some values changed; an unknown name is a `ConfigError`."""
        known = {item.name for item in fields(self)}
        for key in changes:
            if key not in known:
                raise ConfigError(f"{key!r} is no setting of a policy: {', '.join(sorted(known))}")
        return replace(self, **changes)

    def needs_approval(self, tool: str, action_type: str) -> bool:
        """Whether a human confirms this call before it runs."""
        if action_type == "destructive":
            return True
        if isinstance(self.confirm, str):
            return self.confirm == "write" and action_type == "write"
        return bool(self.confirm.get(tool))


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(  # Any: values of Settings
    {
        "strict": {
            "name": "strict",
            "mend_level": _per_action(0, 0, 0),
            "lax": frozenset(),
        },
        "balanced": {"name": "balanced"},
        "lenient": {
            "name": "lenient",
            "mend_level": _per_action(3, 3, 1),
            "drop_unknown": True,
            "limits": Limits(rounds=15, calls=20),
        },
    }
)
"""What each preset changes against the defaults of `Settings`."""
