"""One call that ended."""

import pytest

from evidence import CALL, SEARCH, found
from handrail import Status


@pytest.mark.parametrize("data", [[], {}, None, "", " [] ", {"items": []}])
def test_empty(data: object) -> None:
    """In every shape, JSON text included."""
    assert found(SEARCH, data).empty


def test_changed() -> None:
    """A write that succeeded; a read or a failure changes nothing."""
    assert found(CALL, "x").changed
    assert not found(CALL, status=Status.FAILED).changed
    assert not found(SEARCH, ["x"]).changed
    assert found(SEARCH, ["x"]).good


def test_the_ids_it_was_called_with() -> None:
    """Whole values, in lists too, whatever their type."""
    one = found(SEARCH, [], {"query": "c1 or c2", "ids": ["c3", [4]], "n": 5})
    assert [one.names(id) for id in ("c1", "c3", 4, "4", "5", "6")] == [
        False, True, True, True, True, False,
    ]  # fmt: skip
