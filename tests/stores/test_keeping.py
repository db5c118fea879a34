"""Retention, redaction, and what can be kept at all."""

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import ConfigError, StoreError
from handrail.stores.keeping import (
    Retention,
    from_json,
    kept_copy,
    kept_name,
    redacted,
    to_json,
)
from store_rows import entry

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)  # fmt: skip


@given(JSON)
def test_any_json_value_comes_back(value: Any) -> None:
    """As ASCII, which every database holds."""  # Any: JSON value
    text = to_json(value, "it")
    assert text.isascii()
    assert "\0" not in text
    assert from_json(text) == value


@pytest.mark.parametrize("bad", [object(), {1: {2}}, float("inf"), {"a": float("nan")}, b"x"])
def test_what_is_no_json_is_named(bad: object) -> None:
    """With the thing that it is a part of."""
    with pytest.raises(StoreError, match=r"^the note cannot be kept, since it is not JSON: "):
        to_json(bad, "the note")


def test_a_value_that_contains_itself_is_refused() -> None:
    """Instead of an endless text."""
    value: list[object] = []
    value.append(value)
    with pytest.raises(StoreError, match="not JSON"):
        to_json(value, "it")


def test_a_copy_is_apart_from_what_was_given() -> None:
    """Also of a mapping that is no dict."""
    from types import MappingProxyType

    given = {"a": MappingProxyType({"b": [1]})}
    copy = kept_copy(given, "it")
    copy["a"]["b"].append(2)
    assert given["a"]["b"] == [1]


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800", "a" * 501, "é" * 251, "\ud800" * 200])
def test_a_name_that_no_database_holds_is_refused(name: str) -> None:
    """Any other is kept as it is."""
    assert kept_name("é 𝄞\n", "it") == "é 𝄞\n"
    with pytest.raises(StoreError, match="the user"):
        kept_name(name, "the user")


def test_the_redact_rule_says_what_is_written() -> None:
    """A mapping, or None for no body."""
    entries = [entry(1), entry(2)._replace(tool="pay")]
    assert redacted(None, entries) is entries
    kept = redacted(lambda one: None if one.tool == "pay" else {"kind": one.kind}, entries)
    assert [one.body for one in kept] == [{"kind": "Proposed"}, {}]
    assert [one.id for one in kept] == [one.id for one in entries]


def test_a_redact_rule_that_fails_lets_nothing_through(caplog: pytest.LogCaptureFixture) -> None:
    """The operator is told, and not of the body."""

    def raises(_: object) -> None:
        raise RuntimeError("no")

    def returns(_: object) -> Any:  # Any: on purpose no mapping
        return "hunter2"

    with caplog.at_level(logging.ERROR, "handrail.stores"):
        kept = [*redacted(raises, [entry(1)]), *redacted(returns, [entry(2)])]
    assert [one.body for one in kept] == [{"withheld": "the redact rule failed"}] * 2
    assert "raises raised RuntimeError: no" in caplog.messages[0]
    assert "not str" in caplog.messages[1]
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize(
    "settings",
    [{"keep_days": 0}, {"keep_days": "7"}, {"max_rows": -1}, {"max_rows": True}, {"max_rows": 1.5}],
)
def test_a_retention_that_makes_no_sense_is_refused(settings: dict[str, Any]) -> None:
    """It is named, with its value."""
    (name, value), *_ = settings.items()
    with pytest.raises(ConfigError, match=f"{name}={value!r}"):
        Retention(**settings)


def test_the_horizon_is_so_many_days_ago() -> None:
    """Without days there is none."""
    assert Retention(keep_days=0.5).horizon(100_000.0) == 56_800.0
    assert Retention(max_rows=1).horizon(100_000.0) is None
