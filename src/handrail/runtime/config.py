"""Policies by name or from a file, and the ceilings of this process.

A `Toolbox` never reads a file by itself; commands and hosts call `Policy.load`. Source: seed
004, FR-056..FR-060 and its configuration example; the contract `handrail/1`, section 10.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from handrail.contract.policy import CEILINGS, OUTPUT_RANGES, PRESETS, Settings, check_range
from handrail.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Policy", "attempts_of", "policy_of", "set_ceilings", "states_rules", "tool_overrides"]

_FILE_KEYS = {
    ("retry", "max_attempts"): "attempts",
    ("formatting", "max_message_length"): "max_message_length",
    ("formatting", "max_errors_shown"): "max_errors_shown",
    ("formatting", "max_value_preview"): "max_value_preview",
}
_lowered: dict[str, float] = {}


@dataclass(frozen=True, kw_only=True)
class Policy(Settings):
    """A printable, frozen set of rules: a preset, a preset with changes, or a file's content.

    Attributes:
        per_tool: Attempts of single tools, by name, from the file's ``tools.validation.per_tool``.
    """

    per_tool: Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.per_tool is None:
            return
        if not isinstance(self.per_tool, Mapping):
            raise ConfigError(f"per_tool={self.per_tool!r} must map a tool's name to attempts")
        for tool, attempts in self.per_tool.items():
            check_range(f"per_tool[{tool!r}]", attempts, CEILINGS["attempts"])
        object.__setattr__(self, "per_tool", MappingProxyType(dict(self.per_tool)))

    @classmethod
    def preset(cls, name: str) -> Self:
        """The preset of that name: ``strict``, ``balanced`` or ``lenient``."""
        if name not in tuple(PRESETS):
            raise ConfigError(f"policy={name!r} is unknown: choose one of {', '.join(PRESETS)}")
        return cls(**PRESETS[name])

    @classmethod
    def load(cls, path: "str | Path") -> Self:
        """Read ``tools.validation`` and ``tools.outputs`` of a YAML file.

        Seed 004 calls it ``.agent/config.yml``. ``tools.outputs.compact_tokens`` and
        ``artifact_tokens`` are the sizes of outputs; null switches each of them off.

        Raises:
            ConfigError: The file cannot be read, or a key or value in it is not understood.
        """
        data = _read_yaml(path)
        tools = _section(data, "tools", str(path))
        section = _section(tools, "validation", str(path))
        values = _values(section, str(path))
        values |= _output_values(_section(tools, "outputs", str(path)), str(path))
        name = section.get("policy", "balanced")
        if not isinstance(name, str) or name not in PRESETS:
            known = ", ".join(PRESETS)
            raise ConfigError(
                f"{path}: tools.validation.policy={name!r} is unknown: choose one of {known}"
            )
        return cls.preset(name).replace(**values)


def states_rules(path: "str | Path") -> bool:
    """Whether a YAML file holds anything under ``tools.validation``.

    Raises:
        ConfigError: The file cannot be read.
    """
    tools = _section(_read_yaml(path), "tools", str(path))
    return bool(_section(tools, "validation", str(path)))


def policy_of(policy: "str | Settings") -> Settings:
    """The policy of that name, or the given one, under the ceilings of this process."""
    chosen = policy if isinstance(policy, Settings) else Policy.preset(policy)
    lowered = {key: top for key, top in _lowered.items() if getattr(chosen, key) > top}
    return chosen.replace(**lowered) if lowered else chosen


def tool_overrides(policy: Settings) -> Mapping[str, int]:
    """Attempts of single tools that the policy names."""
    stated = (policy.per_tool or {}) if isinstance(policy, Policy) else {}
    return {name: min(attempts, _most_attempts()) for name, attempts in stated.items()}


def attempts_of(policy: Settings, tool: str, own: int | None) -> int:
    """Attempts of one tool: the file's, else the tool's `own`, else the policy's; capped."""
    stated = tool_overrides(policy).get(tool) or own or policy.attempts
    return min(stated, _most_attempts())


def _most_attempts() -> int:
    return int(_lowered.get("attempts", CEILINGS["attempts"].high))


def set_ceilings(**tops: float) -> None:
    """Lower the upper ends for this process, once, before the first toolbox is made.

    Raises:
        ConfigError: Called twice, an unknown name, or a value outside the hard range.
    """
    if _lowered:
        raise ConfigError(f"the ceilings of this process are fixed already: {_lowered}")
    if not tops:
        raise ConfigError(f"name a ceiling to lower: {', '.join(CEILINGS)}")
    for key, top in tops.items():
        if key not in CEILINGS:
            raise ConfigError(f"{key!r} has no ceiling: choose from {', '.join(CEILINGS)}")
        check_range(key, top, CEILINGS[key], whole=key != "approval_ttl_s")
    _lowered.update(tops)


def _read_yaml(path: "str | Path") -> Any:  # Any: whatever the file holds
    from pathlib import Path

    try:
        import yaml
    except ImportError as error:
        raise ConfigError("a policy file needs PyYAML: pip install 'handrail[cli]'") from error
    try:
        return yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: no such date
        raise ConfigError(f"{path}: is not YAML ({error})") from error


def _section(data: Any, key: str, path: str) -> Mapping[str, Any]:  # Any: file content
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: expected a mapping around {key!r}, got {_kind(data)}")
    inner = data.get(key)
    if inner is None:
        return {}
    if not isinstance(inner, Mapping):
        raise ConfigError(f"{path}: {key!r} must be a mapping, got {_kind(inner)}")
    return inner


def _kind(value: object) -> str:
    """A short name of a value that is not what it should be."""
    shown = repr(value)
    return shown if len(shown) <= 80 else f"a {type(value).__name__}"


def _values(section: Mapping[str, Any], path: str) -> dict[str, Any]:  # Any: file content
    known = {"policy", "per_tool", *(group for group, _ in _FILE_KEYS)}
    for key in section:
        if key not in known:
            raise ConfigError(
                f"{path}: tools.validation.{key} is unknown; allowed: {', '.join(sorted(known))}"
            )
    values: dict[str, Any] = {}
    for group in {group for group, _ in _FILE_KEYS}:
        for key, value in _section(section, group, path).items():
            setting = _FILE_KEYS.get((group, str(key)))
            if setting is None:
                names = ", ".join(sorted(name for part, name in _FILE_KEYS if part == group))
                raise ConfigError(
                    f"{path}: tools.validation.{group}.{key} is unknown; allowed: {names}"
                )
            values[setting] = _number(value, setting, f"{path}: tools.validation.{group}.{key}")
    overrides = _section(section, "per_tool", path)
    if overrides:
        values["per_tool"] = {
            str(tool): _attempts(item, f"{path}: tools.validation.per_tool.{tool}")
            for tool, item in overrides.items()
        }
    return values


def _output_values(section: Mapping[str, Any], path: str) -> dict[str, Any]:  # Any: file content
    for key, value in section.items():
        where = f"{path}: tools.outputs.{key}"
        if key not in tuple(OUTPUT_RANGES):
            raise ConfigError(f"{where} is unknown; allowed: {', '.join(sorted(OUTPUT_RANGES))}")
        if value is not None:
            check_range(where, value, OUTPUT_RANGES[key])
    return dict(section)


def _attempts(item: Any, where: str) -> int:  # Any: file content
    if not isinstance(item, Mapping) or set(item) != {"max_attempts"}:
        raise ConfigError(f"{where} must be a mapping with max_attempts, got {item!r}")
    return _number(item["max_attempts"], "attempts", f"{where}.max_attempts")


def _number(value: Any, setting: str, where: str) -> int:  # Any: file content
    check_range(where, value, CEILINGS[setting])
    return int(value)
