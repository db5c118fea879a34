"""Refusals are collected for whoever validates, and raised for everybody else."""

import pytest

from handrail.errors import ContractError
from handrail.sdk.blame import Place
from handrail.sdk.collecting import Refusal, collecting, refuse

ERROR, PLACE = ContractError("f", ["one", "two"]), Place("a.py", 3)


def test_refusal_is_raised() -> None:
    """At the author's line."""
    with pytest.raises(ContractError):
        refuse(ERROR, PLACE)


def test_refusals_are_collected_within() -> None:
    """And raised again afterwards."""
    with collecting() as refusals:
        refuse(ERROR, PLACE)
    assert refusals == [Refusal("f", ("one", "two"), PLACE)]
    with pytest.raises(ContractError):
        refuse(ERROR, PLACE)
