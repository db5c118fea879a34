"""The table of results."""

import string

import pytest

from handrail.contract.output_codes import OUTPUTS, STATED
from handrail.contract.verdict import VERDICTS

WORDS = {
    *(
        "tool",
        "otherwise",
        "lookup",
        "said",
        "wait",
        "reference",
        "after",
        "inside",
        "less",
        "issues",
    ),
    *("count", "further", "field", "value", "problem"),
}


@pytest.mark.parametrize("row", OUTPUTS.values(), ids=lambda row: row.code)
def test_a_row_is_whole(row) -> None:  # type: ignore[no-untyped-def]  # an OutputRow
    """A row of the verdict table, words that somebody fills in, and what to do next."""
    assert row.verdict in VERDICTS
    assert all((row.seen, row.told, row.who))
    used = {name for _, name, _, _ in string.Formatter().parse(row.told) if name}
    assert used <= WORDS
    assert row.behind is not VERDICTS[row.verdict].is_error


def test_every_class_of_an_author_has_its_frame() -> None:
    """The classes of `ToolError`, the question to the user, a change in doubt."""
    assert set(STATED) == {
        *("schema_mismatch", "partial_data", "semantic_garbage", "transient"),
        *("tool_failed", "budget_spent", "need_user_input", "in_doubt"),
    }


@pytest.mark.parametrize(
    "row", [row for row in OUTPUTS.values() if not row.behind], ids=lambda r: r.code
)
def test_every_failure_says_what_to_do_next(row) -> None:  # type: ignore[no-untyped-def]  # as above
    """In words that a small model follows."""
    next_steps = ("Do not repeat", "Ask for less", "call it again", "{otherwise}")
    assert any(step in row.told for step in next_steps)
