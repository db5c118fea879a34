"""Rows as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.protocol.asks import AskTool, Close
from handrail.protocol.rows import INTENT, OUTCOME, ApprovalRow, keepable


def test_the_kinds_are_those_of_the_exchange() -> None:
    """They are stored, so they never change."""
    assert (INTENT, OUTCOME) == (AskTool.__name__, Close.__name__) == ("AskTool", "Close")


def test_an_approval_waits_until_somebody_decides() -> None:
    """What is not said of a new one."""
    row = ApprovalRow("a", None, "t", {}, "h", "f", 0.0, 1.0)
    assert (row.status, row.decided_at, row.decided_by, row.slot) == ("pending", None, None, {})


@pytest.mark.parametrize(
    ("text", "kept"), [("a", "a"), ("é\0", "é\\x00"), ("\ud800", "\\ud800"), ("\0", "\\x00")]
)
def test_what_no_database_holds_is_spelt_out(text: str, kept: str) -> None:
    """And nothing else."""
    assert keepable(text) == kept


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_other_text_is_kept_as_it_is(text: str) -> None:
    """Byte for byte."""
    assert keepable(text) == text
