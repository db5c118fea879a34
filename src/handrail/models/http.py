"""Any server that speaks OpenAI chat completions, over HTTP.

A connection is opened for each request and closed with it: a reply takes seconds, a connection
milliseconds, and so a model may be used from any event loop, one after the other or at once,
with nothing to close. What is expensive, reading the trusted certificates, happens once.

A loopback address is reached directly; for any other the usual proxy settings of the
environment hold.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from handrail.contract.call import ToolCall
from handrail.errors import ConfigError
from handrail.models.model import Message, ModelError, ModelReply, ToolDict, Usage

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpModel", "read_completion"]

_CONNECT_TIMEOUT_S = 10.0
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class HttpModel:
    """A model behind an OpenAI-compatible server.

    Args:
        base_url: Up to and with the version, such as ``http://127.0.0.1:8080/v1``.
        model: Name that the server knows; None asks the server once and takes its first.
        api_key: Sent as a bearer token; None takes ``HANDRAIL_API_KEY`` where it is set. Other
            variables are not read: a key for one server is not shown to another.
        timeout_s: Longest wait for the server to send something, seconds.
        body: Further fields of each request, such as ``{"temperature": 0}``.

    Raises:
        ConfigError: httpx is not installed, or ``base_url`` is no address.
    """

    def __init__(
        self,
        base_url: str,
        *,
        model: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 120.0,
        body: Mapping[str, Any] | None = None,  # Any: JSON values
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ConfigError(f"{base_url!r} is no address; write http://host:port/v1")
        self.model = model
        self._url = base_url.rstrip("/")
        self._key = os.environ.get("HANDRAIL_API_KEY") if api_key is None else api_key
        self._body = dict(body or {})
        self._httpx, self._settings = _client_settings(address.scheme, address.hostname, timeout_s)

    async def respond(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDict] = (),
        *,
        tool_choice: str | Message | None = None,
        response_format: Message | None = None,
    ) -> ModelReply:
        """One reply to a conversation; see `Model.respond`."""
        async with self._httpx.AsyncClient(**self._settings) as client:
            if self.model is None:
                self.model = _first_model(await self._ask(client, "GET", "/models"))
            request: dict[str, Any] = {  # Any: JSON values
                **self._body,
                "model": self.model,
                "messages": list(messages),
            }
            if tools:
                request["tools"] = list(tools)
                if tool_choice is not None:
                    request["tool_choice"] = tool_choice
            if response_format is not None:
                request["response_format"] = response_format
            return read_completion(await self._ask(client, "POST", "/chat/completions", request))

    async def _ask(
        self, client: "httpx.AsyncClient", method: str, path: str, body: Message | None = None
    ) -> object:
        """The JSON value that the server answers."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        url = self._url + path
        try:
            response = await client.request(method, url, json=body, headers=headers)
        except self._httpx.TimeoutException as error:
            raise ModelError(f"{url} did not answer in time ({type(error).__name__})") from error
        except self._httpx.HTTPError as error:
            raise ModelError(
                f"{url} cannot be reached ({type(error).__name__}: {error})"
            ) from error
        if response.status_code != 200:
            raise ModelError(
                f"{url} answered {response.status_code}",
                status=response.status_code,
                body=self._without_key(response.text),
                retry_after=_seconds(response.headers.get("retry-after")),
            )
        try:
            return response.json()
        except ValueError as error:
            told = self._without_key(response.text)
            raise ModelError(f"{url} did not answer with JSON", status=200, body=told) from error

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "[redacted]") if self._key else text


def read_completion(answer: object) -> ModelReply:
    """A chat completion as a `ModelReply`.

    Raises:
        ModelError: It is not one.
    """
    try:
        given: Any = answer  # Any: checked by what follows
        choice = given["choices"][0]
        message, usage = choice["message"], given.get("usage") or {}
        return ModelReply(
            text=_text(message.get("content")),
            tool_calls=tuple(_call(call) for call in message.get("tool_calls") or ()),
            usage=Usage(
                input_tokens=int(usage.get("prompt_tokens") or 0),
                output_tokens=int(usage.get("completion_tokens") or 0),
            ),
            finish_reason=choice.get("finish_reason"),
            model=str(given.get("model") or ""),
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        told = json.dumps(answer, ensure_ascii=False, default=repr)
        raise ModelError("the server's answer is no chat completion", body=told) from error


def _text(content: Any) -> str:  # Any: JSON value
    """Text of a message whose content is null, a string, or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text") or "" for part in content)


def _call(call: Any) -> ToolCall:  # Any: JSON value
    function = call["function"]
    return ToolCall(str(call.get("id") or ""), str(function["name"]), function.get("arguments"))


def _first_model(listing: object) -> str:
    try:
        given: Any = listing  # Any: checked by what follows
        return str(given["data"][0]["id"])
    except (IndexError, KeyError, TypeError) as error:
        raise ModelError("the server lists no model; connect(url, model=...) names one") from error


def _seconds(header: str | None) -> float | None:
    """A ``Retry-After`` header in seconds; None where it is a date or absent (RFC 9110, 10.2.3)."""
    try:
        return float(header) if header else None
    except ValueError:
        return None


def _client_settings(scheme: str, host: str, timeout_s: float) -> tuple[Any, dict[str, Any]]:
    """The httpx module and the keyword arguments of a client."""  # Any: a late import
    try:
        import httpx
    except ImportError:
        raise ConfigError(
            "a model behind an address needs httpx: pip install 'handrail[models]'"
        ) from None
    settings: dict[str, Any] = {  # Any: keyword arguments of httpx
        "timeout": httpx.Timeout(timeout_s, connect=min(_CONNECT_TIMEOUT_S, timeout_s)),
        "trust_env": host not in _LOOPBACK,
        "verify": httpx.create_ssl_context() if scheme == "https" else False,
    }
    return httpx, settings
