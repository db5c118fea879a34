"""Every provider that pydantic-ai reaches, through its model layer alone.

No agent of pydantic-ai is involved: messages are translated (`provider_messages`), one request is
made with ``pydantic_ai.direct.model_request``, and the reply is translated back.

Some providers want more back than a chat message holds: the reasoning behind a call, a
signature. Responses with calls are therefore remembered, a bounded number of them, and go back
whole where the conversation repeats them unchanged. Any other history is translated plainly.

A client belongs to one event loop, so there is one model for each loop, and its connections are
closed after each request: nothing is left to close when the loop ends.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from handrail.errors import ConfigError
from handrail.models.model import Message, ModelError, ModelReply, ToolDict
from handrail.models.provider_messages import (
    own_words,
    read_response,
    request_parameters,
    response_key,
    to_provider_messages,
)

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model as ProviderModel
    from pydantic_ai.settings import ModelSettings

__all__ = ["AnyProvider"]

_REMEMBERED = 256


class AnyProvider:
    """A model that pydantic-ai knows.

    Args:
        model: A model name of pydantic-ai, such as ``anthropic:claude-haiku-4-5``, or one of its
            models.
        api_key: For a name: None takes the provider's own environment variable.
        base_url: For a name: another address of the same provider.
        settings: Model settings of pydantic-ai, such as ``temperature`` or ``max_tokens``.

    Raises:
        ConfigError: pydantic-ai or the provider's library is not installed, the name or a setting
            is unknown, or no key is set.
    """

    def __init__(
        self,
        model: "str | ProviderModel",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        **settings: Any,  # Any: see ModelSettings of pydantic-ai
    ) -> None:
        _require_extra()
        self._name = model
        given = {"api_key": api_key, "base_url": base_url}
        self._options = {key: value for key, value in given.items() if value is not None}
        self._settings = _known(model, settings)
        self._built: WeakKeyDictionary[asyncio.AbstractEventLoop, ProviderModel]
        self._built = WeakKeyDictionary()
        self._spare: ProviderModel | None = _build(model, self._options)
        self._seen: OrderedDict[str, ModelResponse] = OrderedDict()

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """One reply to a conversation; see `handrail.models.model.Model.respond`."""
        from pydantic_ai.direct import model_request

        history = to_provider_messages(messages, self._seen)
        settings = self._request_settings(tools, tool_choice)
        parameters = request_parameters(tools, response_format)
        model = self._model()
        try:
            async with model:
                response = await model_request(
                    model, history, model_settings=settings, model_request_parameters=parameters
                )
        except Exception as error:
            raise _told(error) from error
        self._remember(response)
        return read_response(response)

    def _model(self) -> "ProviderModel":
        """The model of the running loop."""
        if not isinstance(self._name, str):
            return self._name
        loop = asyncio.get_running_loop()
        if loop not in self._built:
            spare, self._spare = self._spare, None
            self._built[loop] = spare or _build(self._name, self._options)
        return self._built[loop]

    def _request_settings(
        self, tools: Sequence[ToolDict], choice: str | Message | None
    ) -> "ModelSettings":
        settings: ModelSettings = self._settings.copy()
        if choice is not None and tools:
            named: Any = choice if isinstance(choice, str) else [choice["function"]["name"]]
            settings["tool_choice"] = named
        return settings

    def _remember(self, response: "ModelResponse") -> None:
        """Keep a response with calls for the requests that repeat it."""
        if not response.tool_calls:
            return
        from dataclasses import replace

        calls = [(c.tool_call_id, c.tool_name, c.args) for c in response.tool_calls]
        parts = [
            own_words(part) if part.part_kind == "tool-call" else part for part in response.parts
        ]
        self._seen[response_key(response.text or "", calls)] = replace(response, parts=parts)
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)


def _told(error: Exception) -> Exception:
    """A failure of pydantic-ai as one of ours."""
    from pydantic_ai.exceptions import AgentRunError, ModelAPIError, ModelHTTPError, UserError

    match error:
        case ModelHTTPError():
            return ModelError(
                f"{error.model_name} answered {error.status_code}",
                status=error.status_code,
                body=json.dumps(error.body, ensure_ascii=False, default=str),
                retry_after=error.retry_after,
            )
        case ModelAPIError():
            return ModelError(f"{error.model_name} cannot be asked", retry_after=error.retry_after)
        case UserError():
            return ConfigError(f"the model cannot take this request: {error}")
        case AgentRunError():
            return ModelError("the model's answer is not understood", body=str(error))
        case _:
            return ModelError(f"the model cannot be asked ({type(error).__name__}: {error})")


def _require_extra() -> None:
    try:
        import pydantic_ai.direct  # noqa: F401
    except ImportError:
        raise ConfigError(
            "models of other providers need pydantic-ai: pip install 'handrail[models]'"
        ) from None


def _build(model: "str | ProviderModel", options: Mapping[str, str]) -> "ProviderModel":
    """The model of pydantic-ai; building one reads keys from the environment and asks nobody."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import Provider, infer_provider, infer_provider_class

    def with_options(name: str) -> Provider[Any]:  # Any: the provider's client
        make: Any = infer_provider_class(name)  # Any: each provider takes its own options
        return make(**options)  # type: ignore[no-any-return]  # see above

    try:
        return infer_model(model, with_options if options else infer_provider)
    except ImportError as error:
        raise ConfigError(f"{model!r} needs a package that is not installed: {error}") from None
    except (UserError, ValueError, TypeError) as error:
        raise ConfigError(f"{model!r} cannot be used as a model: {error}") from None


def _known(model: object, settings: Mapping[str, Any]) -> "ModelSettings":  # Any: setting values
    """The settings, if each is one of pydantic-ai's or starts with the provider's name."""
    from pydantic_ai.settings import ModelSettings

    family = str(model).partition(":")[0].partition("-")[0] + "_" if isinstance(model, str) else ""
    known = set(ModelSettings.__annotations__)
    unknown = [key for key in settings if key not in known and not key.startswith(family or key)]
    if unknown:
        raise ConfigError(
            f"{model!r} does not take {', '.join(unknown)}; there are api_key, base_url, "
            f"{', '.join(sorted(known))}, and the provider's own settings ({family}...)"
        )
    given: ModelSettings = {**settings}  # type: ignore[typeddict-item]  # checked above
    return given
