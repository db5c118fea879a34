"""``ctx.http``: calls to other servers, pooled, capped, and not to private addresses.

Nothing of httpx is imported before the first call.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from handrail.errors import ConfigError
from handrail.sdk.addresses import allowed_address

if TYPE_CHECKING:
    import httpx

__all__ = ["MOST_BYTES", "MOST_SECONDS", "Http", "HttpPool", "Response"]

MOST_SECONDS = 180.0
"""Longest that one call may take, redirects and body included (seed 002, I-LONGRUN)."""

MOST_BYTES = 10 * 1024 * 1024
"""Largest body that is read."""

_DEFAULT_TIMEOUT_S = 30.0
_MOST_REDIRECTS = 5


@dataclass(frozen=True)
class Response:
    """What a server answered.

    Attributes:
        status_code: Status of HTTP.
        headers: Names in lower case.
        content: The body as it came.
        url: The address that answered, after redirects.
    """

    status_code: int
    headers: Mapping[str, str]
    content: bytes
    url: str

    @property
    def ok(self) -> bool:
        """Whether the status is 200 to 299."""
        return 200 <= self.status_code < 300

    @cached_property
    def text(self) -> str:
        """The body as text."""
        _, _, stated = self.headers.get("content-type", "").partition("charset=")
        try:
            return self.content.decode(stated.split(";")[0].strip().strip('"') or "utf-8")
        except (UnicodeDecodeError, LookupError):
            return self.content.decode("utf-8", "replace")

    def json(self) -> Any:  # Any: JSON value
        """The body as JSON.

        Raises:
            ValueError: It is none.
        """
        return json.loads(self.content)

    @cached_property
    def body(self) -> Any:  # Any: JSON value
        """The body as JSON where it is JSON, else as text."""
        try:
            return self.json()
        except ValueError:
            return self.text


class HttpPool:
    """Connections that stay open between calls; one set for each event loop and list of hosts."""

    def __init__(self) -> None:
        self._clients: WeakKeyDictionary[
            asyncio.AbstractEventLoop, dict[frozenset[str], httpx.AsyncClient]
        ] = WeakKeyDictionary()

    def client(self, allowed: frozenset[str]) -> "httpx.AsyncClient":
        """The client of the running loop.

        Raises:
            ConfigError: httpx is not installed.
        """
        clients = self._clients.setdefault(asyncio.get_running_loop(), {})
        if allowed not in clients:
            clients[allowed] = _client(allowed)
        return clients[allowed]

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.aclose()


class Http:
    """Calls to other servers.

    Proxy settings of the environment are not read: behind a proxy nobody could tell which
    address is called.

    Args:
        pool: Where connections are kept.
        allowed: Hosts that may be private.
    """

    def __init__(self, pool: HttpPool, allowed: Collection[str] = ()) -> None:
        self._pool = pool
        self._allowed = frozenset(host.lower().strip("[]") for host in allowed)

    async def request(
        self,
        method: str,
        url: str,
        *,
        timeout: float = _DEFAULT_TIMEOUT_S,  # noqa: ASYNC109  # the seeds' own keyword
        **options: Any,
    ) -> Response:
        """Call a server.

        Args:
            method: ``GET``, ``POST`` and so on.
            url: ``http://`` or ``https://``.
            timeout: Seconds for the whole call; more than 180 is read as 180.
            options: ``json``, ``params``, ``headers``, ``data``, ``content``, as httpx takes them.

        Raises:
            TimeoutError: No whole answer in time.
            ConnectionError: The server cannot be reached, or broke off.
            PermissionError: Its address is private and not allowed.
            ValueError: The address is none, the body is larger than 10 MiB, or there are more
                than 5 redirects.
            ConfigError: httpx is not installed.
        """  # Any: options of httpx
        unknown = sorted(options.keys() - _OPTIONS)
        if unknown:
            raise TypeError(f"ctx.http takes no {', '.join(unknown)}; there is {_LISTED}")
        client = self._pool.client(self._allowed)
        seconds = min(timeout, MOST_SECONDS)
        try:
            async with asyncio.timeout(seconds):
                return await _whole(client, method, url, options)
        except TimeoutError:
            raise TimeoutError(f"{method} {url}: no answer within {seconds:g} s") from None

    async def get(self, url: str, **options: Any) -> Response:
        """Call a server with GET; see `request`."""  # Any: options of httpx
        return await self.request("GET", url, **options)

    async def post(self, url: str, **options: Any) -> Response:
        """Call a server with POST; see `request`."""  # Any: options of httpx
        return await self.request("POST", url, **options)

    async def put(self, url: str, **options: Any) -> Response:
        """Call a server with PUT; see `request`."""  # Any: options of httpx
        return await self.request("PUT", url, **options)

    async def patch(self, url: str, **options: Any) -> Response:
        """Call a server with PATCH; see `request`."""  # Any: options of httpx
        return await self.request("PATCH", url, **options)

    async def delete(self, url: str, **options: Any) -> Response:
        """Call a server with DELETE; see `request`."""  # Any: options of httpx
        return await self.request("DELETE", url, **options)

    async def head(self, url: str, **options: Any) -> Response:
        """Call a server with HEAD; see `request`."""  # Any: options of httpx
        return await self.request("HEAD", url, **options)


_OPTIONS = frozenset({"json", "params", "headers", "data", "content"})
_LISTED = ", ".join(sorted(_OPTIONS | {"timeout"}))


async def _whole(
    client: "httpx.AsyncClient",
    method: str,
    url: str,
    options: Mapping[str, Any],  # Any: options of httpx
) -> Response:
    import httpx

    try:
        async with client.stream(method, url, **options) as answer:
            chunks, size = [], 0
            async for chunk in answer.aiter_bytes():
                size += len(chunk)
                if size > MOST_BYTES:
                    raise ValueError(f"{url}: the body is larger than {MOST_BYTES} bytes")
                chunks.append(chunk)
            headers = {name.lower(): value for name, value in answer.headers.items()}
            return Response(answer.status_code, headers, b"".join(chunks), str(answer.url))
    except httpx.TimeoutException as error:
        raise TimeoutError(f"{url} did not answer in time") from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.TooManyRedirects) as error:
        raise ValueError(f"{url} cannot be called: {error}") from error
    except httpx.HTTPError as error:
        raise ConnectionError(f"{url} cannot be reached ({type(error).__name__})") from error


def _client(allowed: frozenset[str]) -> "httpx.AsyncClient":
    try:
        import httpx
    except ImportError:
        raise ConfigError("ctx.http needs httpx: pip install 'handrail[models]'") from None

    class Guarded(httpx.AsyncHTTPTransport):
        """Calls the address that was looked up and allowed; each redirect comes through here."""

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            host = request.url.host
            if request.url.scheme not in ("http", "https") or not host:
                raise httpx.UnsupportedProtocol("write http://host/path or https://host/path")
            port = request.url.port or (443 if request.url.scheme == "https" else 80)
            address = await allowed_address(host, port, allowed)
            request.extensions["sni_hostname"] = host
            named, request.url = request.url, request.url.copy_with(host=address)
            try:
                return await super().handle_async_request(request)
            finally:
                request.url = named

    limits = httpx.Limits(max_connections=100, max_keepalive_connections=20)
    return httpx.AsyncClient(
        transport=Guarded(limits=limits),
        timeout=httpx.Timeout(MOST_SECONDS),
        trust_env=False,
        follow_redirects=True,
        max_redirects=_MOST_REDIRECTS,
    )
