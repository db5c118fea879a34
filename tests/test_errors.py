"""The exceptions a programmer may catch."""

import re

import pytest

from handrail import errors
from handrail.errors import ApprovalError, ContractError, HandrailError


def test_one_root_catches_all() -> None:
    """Every exception of the module is a `HandrailError`."""
    kinds = [getattr(errors, name) for name in errors.__all__]
    assert [kind.__name__ for kind in kinds if not issubclass(kind, HandrailError)] == []


def test_siblings_do_not_catch_each_other() -> None:
    """Below the root each exception is a kind of its own."""
    kinds = [getattr(errors, name) for name in errors.__all__ if name != "HandrailError"]
    assert [
        (one.__name__, other.__name__)
        for one in kinds
        for other in kinds
        if one is not other and issubclass(one, other)
    ] == []


def test_docstring_draws_the_whole_tree() -> None:
    """The tree in the module's docstring names exactly what can be imported."""
    drawn = re.findall(r"\w+(?:Error|Forbidden)\b", errors.__doc__ or "")
    assert sorted(drawn) == sorted(errors.__all__)


def test_contract_error_lists_every_fault() -> None:
    """A programmer repairs a declaration in one go."""
    error = ContractError("pay", ["no handler", "duplicate name"])
    assert error.tool == "pay"
    assert error.faults == ("no handler", "duplicate name")
    assert str(error) == "tool 'pay' cannot be declared:\n  - no handler\n  - duplicate name"


def test_contract_error_quotes_a_hostile_name() -> None:
    """A tool's name cannot add lines to the message."""
    first, *rest = str(ContractError("a\n  - all is well", ["bad name"])).splitlines()
    assert first == r"tool 'a\n  - all is well' cannot be declared:"
    assert rest == ["  - bad name"]


@pytest.mark.parametrize("reason", ["wrong_user", "used", "expired", "changed", "unknown"])
def test_approval_error_tells_why(reason: errors.ApprovalReason) -> None:
    """A program branches on `reason`, a person reads the message."""
    error = ApprovalError(reason, "approval 'a1' cannot be used")
    assert error.reason == reason
    assert str(error) == "approval 'a1' cannot be used"
