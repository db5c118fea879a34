"""Policies by name and from a file, and the ceilings of a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import handrail
from handrail.errors import ConfigError
from handrail.policy import Policy
from handrail.runtime.config import attempts_of, policy_of, states_rules, tool_overrides

SEED = """
tools:
  validation:
    retry:
      max_attempts: 3

    formatting:
      max_message_length: 2000
      max_errors_shown: 10
      max_value_preview: 100
"""


def load(tmp_path: Path, text: str) -> Policy:
    """The policy of a file with that text."""
    file = tmp_path / "config.yml"
    file.write_text(text, encoding="utf-8")
    return Policy.load(file)


def within(text: str) -> str:
    """A file that says this below tools.validation."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return f"tools:\n  validation:\n{lines}"


# ---- presets


@pytest.mark.parametrize("name", ["strict", "balanced", "lenient"])
def test_presets_have_names(name: str) -> None:
    """The same value every time."""
    assert Policy.preset(name).name == name
    assert Policy.preset(name) == Policy.preset(name)
    assert policy_of(name) == Policy.preset(name)


@pytest.mark.parametrize("name", ["stict", "", None, []])
def test_an_unknown_preset_is_told_with_the_known_ones(name: object) -> None:
    """Whatever was given."""
    with pytest.raises(ConfigError, match="is unknown: choose one of strict, balanced, lenient"):
        policy_of(name)  # type: ignore[arg-type]  # what the test is about


def test_shadow_mode_is_a_preset_with_one_change() -> None:
    """Printable, like every policy."""
    policy = Policy.preset("strict").replace(enforce=False)
    assert (policy.name, policy.enforce) == ("strict", False)
    assert repr(policy).startswith("Policy(name='strict', enforce=False")


# ---- files


def test_the_seeds_file_is_read(tmp_path: Path) -> None:
    """Its values are the defaults."""
    assert load(tmp_path, SEED) == Policy.preset("balanced")


def test_every_key_of_the_seed_counts(tmp_path: Path) -> None:
    """Changed one by one from its example."""
    text = SEED
    for old, new in [(" 3", " 5"), ("2000", "900"), (" 10\n", " 7\n"), ("100", "50")]:
        text = text.replace(old, new)
    policy = load(tmp_path, text)
    shown = policy.max_message_length, policy.max_errors_shown, policy.max_value_preview
    assert (policy.attempts, *shown) == (5, 900, 7, 50)


def test_a_file_may_name_a_preset_and_single_tools(tmp_path: Path) -> None:
    """The preset first, then the values."""
    text = "policy: lenient\nretry: {max_attempts: 4}\nper_tool:\n  search: {max_attempts: 2}"
    policy = load(tmp_path, within(text))
    assert (policy.name, policy.attempts, policy.drop_unknown) == ("lenient", 4, True)
    assert dict(tool_overrides(policy)) == {"search": 2}


@pytest.mark.parametrize("text", ["", "# nothing", "tools:", "tools: {validation: }", "other: 1"])
def test_a_file_that_says_nothing_is_balanced(tmp_path: Path, text: str) -> None:
    """The file belongs to others too."""
    assert load(tmp_path, text) == Policy.preset("balanced")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (within("retries: {}"), r"tools\.validation\.retries is unknown; allowed: .*retry"),
        (
            within("retry: {attempts: 3}"),
            r"tools\.validation\.retry\.attempts is unknown; allowed: max_attempts",
        ),
        (within("formatting: {max: 3}"), "allowed: max_errors_shown, max_message_length"),
        (within("retry: {max_attempts: 11}"), r"max_attempts=11 is out of range: allowed is 1 to"),
        (within("retry: {max_attempts: 0}"), "max_attempts=0 is out of range: allowed is 1 to 10"),
        (within("retry: {max_attempts: '3'}"), "max_attempts='3' must be a whole number"),
        (within("retry: {max_attempts: yes}"), "max_attempts=True must be a whole number"),
        (within("retry: {max_attempts: 2.5}"), "max_attempts=2.5 must be a whole number"),
        (within("retry: {max_attempts: }"), "max_attempts=None must be a whole number"),
        (within("formatting: {max_message_length: 499}"), "=499 is out of range: .* 500 to 4000"),
        (within("formatting: {max_errors_shown: 21}"), "=21 is out of range: .* 1 to 20"),
        (within("formatting: {max_value_preview: 9}"), "=9 is out of range: .* 10 to 1000"),
        (within("policy: stern"), r"tools\.validation\.policy='stern' is unknown: choose one of"),
        (within("policy: [strict]"), r"tools\.validation\.policy=\['strict'\] is unknown"),
        (within("retry: 3"), "'retry' must be a mapping, got 3"),
        (within("per_tool: {x: 3}"), r"per_tool\.x must be a mapping with max_attempts, got 3"),
        (within("per_tool: {x: {max_attempts: 99}}"), r"x\.max_attempts=99 is out of range"),
        ("tools: [1]", r"'tools' must be a mapping, got \[1\]"),
        ("[1, 2]", r"expected a mapping around 'tools', got \[1, 2\]"),
        ("just words", "expected a mapping around 'tools', got 'just words'"),
        ("a: [", "is not YAML"),
        ("a: 2024-13-45", "is not YAML"),
        ("a: \0", "is not YAML"),
        ("!!python/object:os.system {}", "is not YAML"),
    ],
)
def test_a_bad_file_is_named_with_key_value_and_range(
    tmp_path: Path, text: str, message: str
) -> None:
    """Nothing but ConfigError comes out, and it begins with the file."""
    with pytest.raises(ConfigError, match=message) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "config.yml"))


def test_a_long_wrong_value_is_not_printed(tmp_path: Path) -> None:
    """A file with other people's content does not end up in an error."""
    with pytest.raises(ConfigError, match=r"around 'tools', got a list$"):
        load(tmp_path, "\n".join("- password-hunter2" for _ in range(50)))


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    """A directory too."""
    with pytest.raises(ConfigError, match=r"none\.yml: cannot be read \(No such file"):
        Policy.load(tmp_path / "none.yml")
    with pytest.raises(ConfigError, match="cannot be read"):
        Policy.load(tmp_path)


def test_bytes_that_are_no_text_are_no_yaml(tmp_path: Path) -> None:
    """A file may be anything."""
    file = tmp_path / "config.yml"
    file.write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(ConfigError, match="is not YAML"):
        Policy.load(file)


@pytest.mark.parametrize("stated", [{"x": 0}, {"x": "3"}, 3])
def test_attempts_of_single_tools_are_checked_in_code_too(stated: object) -> None:
    """Not only in files."""
    with pytest.raises(ConfigError, match="per_tool"):
        Policy(per_tool=stated)  # type: ignore[arg-type]  # what the test is about


# ---- ceilings: once per process, so each in a process of its own

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(handrail.__file__).parent.parent)}
HEAD = """
from handrail import Policy, Toolbox
from handrail.errors import ConfigError
from handrail.policy import set_ceilings
from handrail.runtime.config import policy_of, tool_overrides

def refused(**tops):
    try:
        set_ceilings(**tops)
    except ConfigError as error:
        return str(error)
"""


def in_a_process(code: str) -> str:
    """What a program prints."""
    script = [sys.executable, "-c", HEAD + code]
    done = subprocess.run(
        script, check=True, capture_output=True, text=True, timeout=30, env=ENVIRONMENT
    )
    return done.stdout.strip()


def test_ceilings_lower_every_policy_of_the_process() -> None:
    """By name, in code, and of single tools; what is below stays."""
    code = """
set_ceilings(attempts=2, max_message_length=800)
many = Policy(attempts=9, per_tool={"a": 7, "b": 1})
box = Toolbox(policy=many)
print(policy_of("balanced").attempts, box.policy.attempts, box.policy.max_message_length)
print(tool_overrides(box.policy), policy_of(Policy(attempts=1)).attempts)
"""
    assert in_a_process(code).splitlines() == ["2 2 800", "{'a': 2, 'b': 1} 1"]


def test_ceilings_are_set_once() -> None:
    """A refused attempt does not count, a second one is refused."""
    code = """
print(refused(attempts=11))
print(refused(atempts=2))
print(refused(attempts=2.5))
print(refused())
print(refused(attempts=2))
print(refused(attempts=3))
"""
    assert in_a_process(code).splitlines() == [
        "attempts=11 is out of range: allowed is 1 to 10",
        "'atempts' has no ceiling: choose from attempts, max_message_length, max_errors_shown, "
        "max_value_preview, approval_ttl_s",
        "attempts=2.5 must be a whole number: allowed is 1 to 10",
        "name a ceiling to lower: attempts, max_message_length, max_errors_shown, "
        "max_value_preview, approval_ttl_s",
        "None",
        "the ceilings of this process are fixed already: {'attempts': 2}",
    ]


def test_a_tools_own_attempts_stay_under_the_ceiling() -> None:
    """What the file says wins over the tool, the tool over the policy, the ceiling over all."""
    policy = Policy(attempts=4, per_tool={"named": 2})
    assert [
        attempts_of(policy, name, own) for name, own in (("named", 9), ("own", 9), ("x", None))
    ] == [
        2,
        9,
        4,
    ]
    code = """
from handrail.runtime.config import attempts_of
set_ceilings(attempts=3)
print(attempts_of(Policy(), "own", 9))
"""
    assert in_a_process(code) == "3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("tools:", False),
        ("tools: {validation: {}}", False),
        ("tools: {timeouts: {read: 5}}", False),
        ("tools: {validation: {policy: balanced}}", True),
    ],
)
def test_a_file_states_rules_or_not(tmp_path: Path, text: str, expected: bool) -> None:
    """What says nothing about validation is told apart from what says balanced."""
    file = tmp_path / "config.yml"
    file.write_text(text, encoding="utf-8")
    assert states_rules(file) is expected


def test_rules_of_a_broken_file_are_no_question(tmp_path: Path) -> None:
    """It is told as when it is loaded."""
    file = tmp_path / "config.yml"
    file.write_text("tools: [", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not YAML"):
        states_rules(file)


def test_sizes_of_outputs_are_read(tmp_path: Path) -> None:
    """Beside the validation; null switches one off."""
    text = "tools:\n  outputs:\n    compact_tokens: 4000\n    artifact_tokens: null\n"
    policy = load(tmp_path, text)
    assert (policy.compact_tokens, policy.artifact_tokens) == (4_000, None)
    assert load(tmp_path, "").compact_tokens == Policy.preset("balanced").compact_tokens


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compact: 4000", "tools.outputs.compact is unknown; allowed: artifact_tokens, compact_to"),
        ("compact_tokens: 5", "tools.outputs.compact_tokens=5 is out of range: allowed is at lea"),
        ("artifact_tokens: many", "tools.outputs.artifact_tokens='many' must be a whole number"),
    ],
)
def test_bad_sizes_are_told(tmp_path: Path, line: str, message: str) -> None:
    """With key, value and range."""
    with pytest.raises(ConfigError, match=message.replace(".", r"\.")):
        load(tmp_path, f"tools:\n  outputs:\n    {line}\n")
