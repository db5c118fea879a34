"""Users as handlers see them."""

from types import SimpleNamespace

import pytest

from handrail.sdk.user import User, user_of


def test_imperal_id_is_the_id() -> None:
    """The name that the seeds use."""
    assert User(id="u1").imperal_id == User(id="u1").id == "u1"


@pytest.mark.parametrize(
    ("scopes", "asked", "expected"),
    [
        ([], "notes:read", False),
        (["notes:read"], "notes:read", True),
        (["notes:read"], "notes:write", False),
        (["notes:*"], "notes:write", True),
        (["notes:*"], "tasks:write", False),
        (["*"], "anything", True),
    ],
)
def test_has_scope(scopes: list[str], asked: str, expected: bool) -> None:
    """By itself, by a star at the end, or by the star alone."""
    assert User(id="u1", scopes=frozenset(scopes)).has_scope(asked) is expected


def test_user_of_what_a_host_has() -> None:
    """An id, a number, nothing, a user, an object with an id."""
    given = User(id="u1", role="admin")
    row = SimpleNamespace(id=7, email="a@example.org", scopes=["x"], role=None)
    assert user_of(given) is given
    assert [user_of(one).id for one in ("u2", 3, None)] == ["u2", "3", "local"]
    assert user_of(row) == User(id="7", email="a@example.org", scopes=frozenset({"x"}))
    assert user_of(SimpleNamespace(imperal_id="i1")).id == "i1"
