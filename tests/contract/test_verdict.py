"""The verdict table, against section 7 of the contract."""

import pytest

from handrail.contract.call import Coverage, Status
from handrail.contract.verdict import VERDICTS

MORE, ASK, FAILED = Coverage.NEEDS_MORE_TOOLS, Coverage.NEED_USER_INPUT, Coverage.FAILED


@pytest.mark.parametrize(
    ("row", "stage", "status", "coverage", "again"),
    [
        ("clean", "output", Status.OK, Coverage.SATISFIED, "-"),
        ("invalid_arguments", "input", Status.INVALID, MORE, "no"),
        ("refused", "input", Status.REFUSED, MORE, "never"),
        ("denied", "human", Status.DENIED, FAILED, "never"),
        ("pending", "human", Status.PENDING, ASK, "-"),
        ("schema_mismatch", "output", Status.FAILED, MORE, "never"),
        ("partial_data", "output", Status.OK, MORE, "only changed"),
        ("semantic_garbage", "output", Status.FAILED, MORE, "never"),
        ("need_user_input", "output", Status.OK, ASK, "-"),
        ("transient", "tool", Status.FAILED, MORE, "yes, within its budget"),
        ("tool_failed", "tool", Status.FAILED, FAILED, "never"),
        ("started", "tool", Status.STARTED, MORE, "-"),
        ("unknown", "tool", Status.UNKNOWN, ASK, "never by itself"),
        ("budget_spent", "either", Status.BLOCKED, FAILED, "never"),
    ],
)
def test_each_row_is_the_contracts(
    row: str, stage: str, status: Status, coverage: Coverage, again: str
) -> None:
    """Stage, status, coverage and whether the same call may come again."""
    verdict = VERDICTS[row]
    assert (*verdict[1:3], verdict.coverage, verdict.again) == (stage, status, coverage, again)


def test_there_are_fourteen_rows() -> None:
    """A new row is first of all a row of the contract."""
    assert len(VERDICTS) == 14


def test_only_what_went_well_or_waits_is_no_error() -> None:
    """The flag that a provider gets."""
    good = {"clean", "pending", "partial_data", "need_user_input", "started"}
    assert {name for name, row in VERDICTS.items() if not row.is_error} == good


def test_error_classes_name_their_rows() -> None:
    """A public word means one row, and rows without one are in parentheses in the contract."""
    without = {"clean", "pending", "started", "unknown"}
    assert {name for name, row in VERDICTS.items() if row.error_class != name} == without
    assert {VERDICTS[name].error_class for name in without} == {""}


def test_the_table_is_frozen() -> None:
    """A law that a program could change by the way is none."""
    with pytest.raises(TypeError):
        VERDICTS["clean"] = VERDICTS["denied"]  # type: ignore[index]  # what the test is about
