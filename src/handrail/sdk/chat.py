"""A chat over an extension's functions: where ``@chat.function`` lives. Source: seed 002."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from handrail.contract.terms import Handler
from handrail.contract.tool import Tool
from handrail.errors import ConfigError
from handrail.sdk.blame import Place, author_place, warn_author
from handrail.sdk.extension import Extension
from handrail.sdk.function import Declaration, Function
from handrail.sdk.registry import register

__all__ = ["MOST_ATTEMPTS", "ChatExtension"]

H = TypeVar("H", bound=Callable[..., Any])  # Any: handlers return what they like
Scope = Callable[..., object]

MOST_ATTEMPTS = 3
"""Attempts of one call: the first and two retries; no setting raises it (seed 002)."""

_warned: set[str] = set()
"""Warnings that were given once in this process."""


class ChatExtension:
    """A chat over an extension's functions.

    Args:
        ext: The extension.
        tool_name: Name of the chat.
        description: What it can be asked.
        system_prompt: Said to the model before everything else.
        model: Deprecated and ignored; the model is given with each message.
        max_rounds: Calls of the model in one turn.
        attempts: Attempts of one call, 1 to 3; None is 3, which are two retries (seed 000,
            I-PYDANTIC-RETRY-BUDGET).
        scope: ``(ctx, tool, args) -> bool | str``: whether the user may make a call; a text is
            the reason why not.

    Raises:
        ConfigError: An argument is of a wrong type or out of range.
    """

    def __init__(
        self,
        ext: Extension,
        tool_name: str,
        description: str,
        system_prompt: str = "",
        model: object = None,
        max_rounds: int = 10,
        *,
        attempts: int | None = None,
        scope: Scope | None = None,
    ) -> None:
        if not isinstance(ext, Extension):
            raise ConfigError(f"ext={ext!r} must be an Extension")
        if max_rounds < 1:
            raise ConfigError(f"max_rounds={max_rounds!r} must be a whole number, at least 1")
        if attempts not in (None, 1, 2, 3):
            raise ConfigError(f"attempts={attempts!r} must be 1, 2 or 3")
        if model is not None and "model" not in _warned:
            _warned.add("model")
            warn_author(
                "ChatExtension(model=...) is deprecated and ignored: give the model to "
                "handle_message, and leave it out here",
                DeprecationWarning,
            )
        self.ext = ext
        self.tool_name = tool_name
        self.description = description
        self.system_prompt = system_prompt
        self.max_rounds = max_rounds
        self.attempts = MOST_ATTEMPTS if attempts is None else attempts
        self.scope = scope
        self.place = author_place()
        self._functions: dict[str, Handler] = {}
        self._declared: dict[str, Function] = {}
        ext._chats.append(self)

    def function(
        self,
        name: str = "",
        description: str = "",
        params: Any = None,
        action_type: str = "read",
        event: str = "",
        event_schema: type | None = None,
        chain_callable: bool | None = None,
        effects: Sequence[str] | None = None,
        id_projection: str | None = None,
        background: bool = False,
        long_running: bool = False,
        *,
        returns: Any = None,
        scopes: Sequence[str] = (),
        **contract: Any,
    ) -> Callable[[H], H]:
        """Declare a handler that the model can call; it is handed back unchanged.

        Args:
            name: Name in calls, unique in this chat; the handler's own by default.
            description: For the model that chooses; else the docstring's first paragraph.
            params: A JSON Schema, or fields by name; else the second parameter's pydantic model.
            action_type: ``read``, ``write`` or ``destructive``; never guessed from the name.
            event: What follows the app's id in the type of the event of a success.
            event_schema: The pydantic model of that event's data.
            chain_callable: Whether a chain calls it with arguments; None means yes.
            effects: What it changes, as ``verb:resource``.
            id_projection: The field with the id of its target, where the name misleads.
            background: Whether it runs detached, after an acknowledgement.
            long_running: Whether it may take 1,800 s instead of 180 s there.
            returns: The type or JSON Schema of its data; ``ActionResult[T]`` says the same.
            scopes: What a user needs to be allowed.
            contract: Further keywords of a tool's contract, such as ``ids``.

        Raises:
            ContractError: The contract is wrong, or the name is taken; every fault is listed.
        """  # Any: schemas, types and contract keywords
        if callable(name):  # written without parentheses
            return self._declare(name, author_place(), {"name": "", "terms": {}})
        stated = {
            "name": name, "description": description, "params": params, "event": event,
            "action_type": action_type, "event_schema": event_schema, "returns": returns,
            "chain_callable": chain_callable, "effects": [] if effects is None else effects,
            "id_projection": id_projection, "background": background, "terms": contract,
            "long_running": long_running, "scopes": tuple(scopes),
        }  # fmt: skip
        return partial(self._declare, place=author_place(), stated=stated)

    def _declare(self, handler: H, place: Place, stated: dict[str, Any]) -> H:
        # Any: keywords of Declaration
        named = stated["name"] or getattr(handler, "__name__", "")
        declared = Declaration(**{**stated, "name": named})
        register(
            self._declared,
            declared,
            handler,
            app_id=self.ext.app_id,
            place=place,
            context=self.ext.context_of_call,
        )
        self._functions.setdefault(declared.name, handler)
        return handler

    @property
    def functions(self) -> tuple[Function, ...]:
        """What was declared, in order."""
        return tuple(self._declared.values())

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The contracts of its functions, in order; for a `Toolbox` of one's own too."""
        return tuple(one.tool for one in self._declared.values() if one.tool is not None)

    def __repr__(self) -> str:
        return f"ChatExtension({self.tool_name!r}, functions={list(self._functions)!r})"
