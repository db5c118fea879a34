"""`make_ctx`: a ``ctx`` for tests of handlers."""

import inspect

from handrail.sdk.user import User
from handrail.testing import make_ctx


def test_signature_is_pinned() -> None:
    """Keywords and defaults."""
    given = inspect.signature(make_ctx).parameters
    assert {name: one.default for name, one in given.items()} == {
        "user": "u1", "role": "user", "scopes": (), "confirmations": False, "config": None,
    }  # fmt: skip


def test_user_is_as_asked_for() -> None:
    """By keywords, or as given."""
    ctx = make_ctx("u2", role="admin", scopes=["a"], confirmations={"create": True})
    assert ctx.user == User(
        id="u2", role="admin", scopes=frozenset({"a"}), confirmations={"create": True}
    )
    given = User(id="u3", email="u3@example.org")
    assert make_ctx(given, role="other").user is given
    assert make_ctx(config={"a": 1}).config["a"] == 1
