"""What an extension declares beside its functions: chats, events, skeleton sections, panels."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from handrail.contract.terms import Handler
from handrail.sdk.blame import Place

if TYPE_CHECKING:
    from handrail.sdk.function import Function

__all__ = ["Chat", "Emission", "Panel", "Section", "Subscription"]


class Chat(Protocol):
    """What an extension knows of its chats."""

    tool_name: str
    description: str
    place: Place

    @property
    def functions(self) -> "tuple[Function, ...]":
        """What was declared, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A handler of an event.

    Attributes:
        type: The full type, such as ``notes.created``.
        handler: Takes ``(ctx, event)``; the event is a mapping ``id, type, at, user_id, data``.
        place: Where it was declared.
    """

    type: str
    handler: Handler
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Emission:
    """An event that is emitted otherwise than by a function's ``event=``.

    Attributes:
        type: What follows the app's id.
        full_type: With the app's id.
        schema_ref: A pydantic model of its data, or the name of a schema.
        place: Where it was declared.
    """

    type: str
    full_type: str
    schema_ref: Any = None  # Any: a model or a name
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the skeleton: what is known of the user's data when a tool is chosen.

    Attributes:
        section: Its name.
        ttl_s: Seconds after which it is made anew.
        alert: Whether a change of it is told to the user.
        handler: Takes ``(ctx)`` and gives the section's data.
        place: Where it was declared.
    """

    section: str
    ttl_s: float
    alert: bool
    handler: Handler
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A panel that the host draws.

    Attributes:
        panel_id: Unique in the app; ``refresh_panels`` names it.
        slot: Where it stands, such as ``left`` or ``center``.
        title: Its heading.
        icon: Name of an icon.
        refresh: When it is drawn anew: ``manual``, ``on_event`` or ``interval``.
        handler: Takes ``(ctx)`` and gives a `UINode`.
        place: Where it was declared.
    """

    panel_id: str
    slot: str
    title: str
    icon: str
    refresh: str
    handler: Handler
    place: Place
