"""The door to chains."""

import inspect

from handrail import chain


def test_resolve_id_field_is_handed_on() -> None:
    """With the signature that is pinned."""
    given = inspect.signature(chain.resolve_id_field).parameters
    assert list(given) == ["function_name", "params_model", "id_projection"]
    assert given["id_projection"].default == ""
