"""The first schema."""

import pytest

from handrail.stores.migrations.versions import v0001_first


def test_it_is_the_first() -> None:
    """There is nothing below it; what it makes is compared in `test_schema`."""
    assert (v0001_first.revision, v0001_first.down_revision) == ("0001", None)
    with pytest.raises(NotImplementedError, match="no way down"):
        v0001_first.downgrade()
