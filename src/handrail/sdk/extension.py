"""An extension: an app's identity, and what it declares.

Light on purpose: importing it loads neither pydantic's models nor an engine; the first declared
function does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from handrail.errors import ConfigError
from handrail.sdk.blame import author_place
from handrail.sdk.events import event_type
from handrail.sdk.surface import Chat, Emission, Panel, Section, Subscription

if TYPE_CHECKING:
    from handrail.contract.call import Context
    from handrail.contract.terms import Handler
    from handrail.sdk.ctx import Ctx, Data
    from handrail.sdk.function import Function
    from handrail.sdk.http import HttpPool
    from handrail.sdk.nodes import UINode
    from handrail.sdk.tasks import Tasks

__all__ = ["Extension"]

H = TypeVar("H", bound="Callable[..., Any]")  # Any: handlers return what they like


class Extension:
    """An app and what it declares.

    Nothing here is judged but types: ``handrail validate`` finds everything else at once.

    Args:
        app_id: Lower-case letters, digits and hyphens, such as ``my-app``.
        version: Semantic version.
        display_name: What users read.
        description: What the app is for; at least 40 characters.
        icon: Path of an SVG file, beside the app.
        actions_explicit: Whether every write can be called by a chain with its arguments.
        system: Whether it is part of the host.
        capabilities: Scopes that it uses.
        config_defaults: Settings, where the host says nothing.
        store: Where state is kept; None is memory.

    Raises:
        ConfigError: An argument is of a wrong type, or a store is asked for.
    """

    def __init__(
        self,
        app_id: str,
        *,
        version: str = "0.1.0",
        display_name: str = "",
        description: str = "",
        icon: str = "",
        actions_explicit: bool = True,
        system: bool = False,
        capabilities: Sequence[str] = (),
        config_defaults: Mapping[str, Any] | None = None,  # Any: what an author wrote
        store: None = None,
    ) -> None:
        if store is not None:
            raise ConfigError(
                f"store={store!r}: this version keeps state in memory only; leave store out"
            )
        stated = {"app_id": app_id, "version": version, "display_name": display_name}
        for key, value in {**stated, "description": description, "icon": icon}.items():
            if not isinstance(value, str):
                raise ConfigError(f"{key}={value!r} must be text")
        self.app_id = app_id
        self.version = version
        self.display_name = display_name
        self.description = description
        self.icon = icon
        self.actions_explicit = actions_explicit
        self.system = system
        self.capabilities = _names("capabilities", capabilities)
        self.config_defaults: Mapping[str, Any]  # Any: as above
        self.config_defaults = MappingProxyType(dict(config_defaults or {}))
        self.place = author_place()
        self.health: Handler | None = None
        self._chats: list[Chat] = []
        self._tools: dict[str, Function] = {}
        self._subscriptions: list[Subscription] = []
        self._emissions: list[Emission] = []
        self._sections: dict[str, Section] = {}
        self._panels: dict[str, Panel] = {}
        self._data: Data | None = None
        self._pool: HttpPool | None = None
        self._tasks: Tasks | None = None

    # declaring

    def tool(
        self, name: str = "", scopes: Sequence[str] = (), description: str = "", **contract: Any
    ) -> Callable[[H], H]:
        """Declare a function that the host calls by name; it is handed back unchanged.

        Args:
            name: Name in calls; the function's own by default.
            scopes: What a user needs to be allowed.
            description: What it does; the docstring's first paragraph by default.
            contract: Keywords of a tool's contract, such as ``action_type``.

        Raises:
            ContractError: The contract is wrong, or the name is taken.
        """  # Any: contract keywords
        place, needed = author_place(), _names("scopes", scopes)

        def decorate(handler: H) -> H:
            from handrail.sdk.function import Declaration
            from handrail.sdk.registry import register

            terms = {key: one for key, one in contract.items() if key not in _STATED}
            declared = Declaration(
                name=name or getattr(handler, "__name__", ""),
                description=description,
                scopes=needed,
                terms=terms,
                **{key: contract[key] for key in _STATED if key in contract},
            )
            register(
                self._tools,
                declared,
                handler,
                app_id=self.app_id,
                place=place,
                context=self.context_of_call,
            )
            return handler

        return decorate

    def on_event(self, type: str) -> Callable[[H], H]:
        """Declare a handler ``(ctx, event)`` of an event, by its full type (``notes.created``)."""
        place = author_place()

        def decorate(handler: H) -> H:
            self._subscriptions.append(Subscription(type=type, handler=handler, place=place))
            return handler

        return decorate

    def emits(self, type: str, schema_ref: Any = None) -> Callable[[H], H]:
        """Declare an event that is emitted otherwise than by a function's ``event=``.

        It counts as soon as it is called; used as a decorator it hands the function back.

        Args:
            type: What follows the app's id.
            schema_ref: A pydantic model of its data, or the name of a schema.
        """  # Any: a model or a name
        full, place = event_type(self.app_id, type), author_place()
        self._emissions.append(
            Emission(type=type, full_type=full, schema_ref=schema_ref, place=place)
        )
        return lambda handler: handler

    def skeleton(self, section: str, ttl: float = 300, alert: bool = False) -> Callable[[H], H]:
        """Declare a function ``(ctx)`` that makes a section of the skeleton.

        Args:
            section: Its name, in ``snake_case``.
            ttl: Seconds after which it is made anew.
            alert: Whether a change of it is told to the user.

        Raises:
            ConfigError: There is a section of this name already.
        """
        place = author_place()

        def decorate(handler: H) -> H:
            if section in self._sections:
                raise ConfigError(f"there is a skeleton section named {section!r} already")
            self._sections[section] = Section(
                section=section, ttl_s=ttl, alert=alert, handler=handler, place=place
            )
            return handler

        return decorate

    def panel(
        self,
        panel_id: str,
        slot: str = "center",
        title: str = "",
        icon: str = "",
        refresh: str = "manual",
    ) -> Callable[[H], H]:
        """Declare a function ``(ctx)`` that gives the `UINode` of a panel.

        Args:
            panel_id: Unique in the app; ``refresh_panels`` names it.
            slot: Where it stands.
            title: Its heading.
            icon: Name of an icon.
            refresh: When it is drawn anew: ``manual``, ``on_event`` or ``interval``.

        Raises:
            ConfigError: There is a panel of this id already.
        """
        place = author_place()

        def decorate(handler: H) -> H:
            if panel_id in self._panels:
                raise ConfigError(f"there is a panel named {panel_id!r} already")
            self._panels[panel_id] = Panel(
                panel_id=panel_id, slot=slot, title=title, icon=icon, refresh=refresh,
                handler=handler, place=place,
            )  # fmt: skip
            return handler

        return decorate

    def health_check(self, handler: H) -> H:
        """Declare the function ``(ctx)`` that says whether the app works."""
        self.health = handler
        return handler

    # what was declared

    @property
    def chats(self) -> tuple[Chat, ...]:
        """Its chats, in the order in which they were made."""
        return tuple(self._chats)

    @property
    def tools(self) -> tuple[Function, ...]:
        """What ``@ext.tool`` declared."""
        return tuple(self._tools.values())

    @property
    def functions(self) -> tuple[Function, ...]:
        """What ``@chat.function`` declared, in all of its chats."""
        return tuple(one for chat in self._chats for one in chat.functions)

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """What ``@ext.on_event`` declared."""
        return tuple(self._subscriptions)

    @property
    def emissions(self) -> tuple[Emission, ...]:
        """What ``@ext.emits`` declared."""
        return tuple(self._emissions)

    @property
    def sections(self) -> tuple[Section, ...]:
        """What ``@ext.skeleton`` declared."""
        return tuple(self._sections.values())

    @property
    def panels(self) -> tuple[Panel, ...]:
        """What ``@ext.panel`` declared."""
        return tuple(self._panels.values())

    # what handlers get

    @property
    def data(self) -> Data:
        """Where documents of its handlers are kept."""
        from handrail.sdk.memory import MemoryData

        if self._data is None:
            self._data = MemoryData()
        return self._data

    @property
    def pool(self) -> HttpPool:
        """Connections of its handlers to other servers."""
        from handrail.sdk.http import HttpPool

        if self._pool is None:
            self._pool = HttpPool()
        return self._pool

    @property
    def tasks(self) -> Tasks:
        """Background work of its handlers."""
        from handrail.sdk.tasks import Tasks

        if self._tasks is None:
            self._tasks = Tasks()
        return self._tasks

    def context(self, user: object = None) -> Ctx:
        """The ``ctx`` of a user: of a `User`, an id, an object with ``id``, or of a ``ctx``."""
        from handrail.sdk.ctx import Ctx
        from handrail.sdk.user import user_of

        made = user if isinstance(user, Ctx) else Ctx(user_of(user), data=self.data)
        return made.within(self)

    def context_of_call(self, context: Context) -> Ctx:
        """The ``ctx`` of one call, from what the runtime knows of it."""
        return self.context(context.user).for_call(context)

    async def render_panel(self, panel_id: str, ctx: Ctx) -> UINode:
        """Draw a panel for a user.

        Raises:
            ConfigError: There is no such panel.
            TypeError: Its handler gave something else than a `UINode`.
        """
        from handrail.sdk.nodes import UINode

        panel = self._panels.get(panel_id)
        if panel is None:
            known = ", ".join(self._panels) or "none"
            raise ConfigError(f"{self.app_id} has no panel {panel_id!r}; there is {known}")
        drawn = panel.handler(ctx.within(self))
        if inspect.isawaitable(drawn):
            drawn = await drawn
        if not isinstance(drawn, UINode):
            raise TypeError(f"panel {panel_id!r} gave {type(drawn).__name__}, not a UINode")
        return drawn

    def __repr__(self) -> str:
        return f"Extension({self.app_id!r}, version={self.version!r})"


_STATED = ("action_type", "effects", "returns", "params", "event", "id_projection")


def _names(key: str, given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise ConfigError(f"{key}={given!r} must be a list of texts: [{given!r}]")
    names = tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{key}={given!r} must be a list of texts")
    return names
