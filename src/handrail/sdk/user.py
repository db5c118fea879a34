"""Who a turn belongs to, as handlers see it."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["User", "user_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """The user of a turn.

    Attributes:
        id: Unique among the users of the host; `imperal_id` is the same.
        email: Address, where the host knows it.
        tenant_id: The organisation, where there are several.
        role: A word of the host's, such as ``user`` or ``admin``.
        scopes: What the user may do, as words of the host's; ``*`` is everything, ``notes:*``
            everything that begins with ``notes:``.
        confirmations: Whether writes are confirmed, for all or for each kind of action.
    """

    id: str
    email: str = ""
    tenant_id: str = ""
    role: str = "user"
    scopes: frozenset[str] = frozenset()
    confirmations: bool | Mapping[str, bool] = False

    @property
    def imperal_id(self) -> str:
        """The id, under the name that the seeds use."""
        return self.id

    def has_scope(self, scope: str) -> bool:
        """Whether the user has a scope, by itself or by one with a star at its end."""
        return any(
            scope == own or (own.endswith("*") and scope.startswith(own[:-1]))
            for own in self.scopes
        )


def user_of(given: object) -> User:
    """A user from what a host has: a `User`, an id, an object with ``id``, or nothing (``local``).

    Attributes of the object that a `User` has too are taken over.
    """
    if isinstance(given, User):
        return given
    if given is None or isinstance(given, str | int):
        return User(id="local" if given is None else str(given))
    names = ("email", "tenant_id", "role")
    stated = {name: str(getattr(given, name)) for name in names if getattr(given, name, None)}
    scopes = frozenset(map(str, getattr(given, "scopes", None) or ()))
    confirmations = getattr(given, "confirmations", False)
    identity = str(getattr(given, "id", getattr(given, "imperal_id", given)))
    return User(id=identity, scopes=scopes, confirmations=confirmations, **stated)
