"""Sections: for skeleton tools only."""

from typing import Any

import pytest

from handrail.errors import HandrailError, SkeletonAccessForbidden
from handrail.sdk.skeleton import Sections
from handrail.testing import make_ctx


def test_get_is_forbidden_in_handlers() -> None:
    """Already when it is called, awaited or not; the text names what to use."""
    with pytest.raises(SkeletonAccessForbidden, match=r"use ctx.store, ctx.http or ctx.cache"):
        make_ctx().skeleton.get("recent")
    assert issubclass(SkeletonAccessForbidden, HandrailError)


async def test_get_reads_within_a_skeleton_tool() -> None:
    """What whoever runs the tool knows."""

    async def read(section: str) -> Any:
        return {"section": section}

    assert await Sections(read).get("recent") == {"section": "recent"}
    assert await make_ctx().for_skeleton(read).skeleton.get("x") == {"section": "x"}
