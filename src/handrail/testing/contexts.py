"""A ``ctx`` for tests of handlers."""

from collections.abc import Iterable, Mapping
from typing import Any

from handrail.sdk.ctx import Ctx
from handrail.sdk.user import User

__all__ = ["make_ctx"]


def make_ctx(
    user: str | User = "u1",
    *,
    role: str = "user",
    scopes: Iterable[str] = (),
    confirmations: bool | Mapping[str, bool] = False,
    config: Mapping[str, Any] | None = None,  # Any: settings of the host
) -> Ctx:
    """A ``ctx`` with everything in memory, for calling a handler directly or for a whole turn.

    Args:
        user: Id of the user, or a `User`, whose own role, scopes and confirmations then hold.
        role: Role of the user.
        scopes: What the user may do.
        confirmations: Whether writes are confirmed, for all or for each kind of action.
        config: Settings of the host; those of the extension stand behind them.
    """
    if not isinstance(user, User):
        user = User(id=user, role=role, scopes=frozenset(scopes), confirmations=confirmations)
    return Ctx(user, config=config)
