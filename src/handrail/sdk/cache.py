"""``ctx.cache``: values that may be lost at any time, of one app and one user."""

import asyncio
import inspect
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from handrail.errors import ConfigError, StoreError

__all__ = ["MOST_ENTRIES", "Cache", "MemoryCache"]

MOST_ENTRIES = 10_000
"""Entries of one cache in memory; the one used longest ago goes first."""

DEFAULT_TTL_S = 300.0

Fetch = Callable[[], Any | Awaitable[Any]]  # Any: JSON value


class Cache(Protocol):
    """JSON values by key, each for a while."""

    async def get(self, key: str) -> Any:  # Any: JSON value
        """The value; None where there is none, or where its time is over."""
        ...

    async def set(self, key: str, value: Any, ttl: float = DEFAULT_TTL_S) -> None:
        """Keep a value.

        Args:
            key: Its key.
            value: A JSON value.
            ttl: Seconds.

        Raises:
            StoreError: It is no JSON value (reason ``data``).
            ConfigError: `ttl` is not above 0.
        """  # Any: JSON value
        ...

    async def delete(self, key: str) -> bool:
        """Forget a value; whether there was one."""
        ...

    async def get_or_fetch(self, key: str, fetch: Fetch, ttl: float = DEFAULT_TTL_S) -> Any:
        """The value, fetched and kept where there is none.

        Several who ask at once share one fetch. What `fetch` raises is raised and not kept.

        Args:
            key: Its key.
            fetch: Gives the value; sync or async, without parameters.
            ttl: Seconds.
        """  # Any: JSON value
        ...


class MemoryCache:
    """`Cache` in memory; of one owner.

    Args:
        clock: Seconds since the epoch.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()
        self._fetching: dict[tuple[int, str], asyncio.Future[Any]] = {}  # Any: JSON value

    async def get(self, key: str) -> Any:  # Any: JSON value
        """See `Cache.get`."""
        return self._found(key)[1]

    async def set(self, key: str, value: Any, ttl: float = DEFAULT_TTL_S) -> None:
        """See `Cache.set`."""  # Any: JSON value
        if not ttl > 0:
            raise ConfigError(f"ttl={ttl!r} must be a number of seconds above 0")
        try:
            text = json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise StoreError(f"{key!r} cannot be kept as JSON: {error}", reason="data") from error
        with self._lock:
            self._entries[key] = self._clock() + ttl, text
            self._entries.move_to_end(key)
            while len(self._entries) > MOST_ENTRIES:
                self._entries.popitem(last=False)

    async def delete(self, key: str) -> bool:
        """See `Cache.delete`."""
        was_there, _ = self._found(key)
        with self._lock:
            self._entries.pop(key, None)
        return was_there

    async def get_or_fetch(self, key: str, fetch: Fetch, ttl: float = DEFAULT_TTL_S) -> Any:
        """See `Cache.get_or_fetch`."""  # Any: JSON value
        was_there, value = self._found(key)
        if was_there:
            return value
        loop = asyncio.get_running_loop()
        mark = id(loop), key
        under_way = self._fetching.get(mark)
        if under_way is None:
            under_way = loop.create_task(self._fetch(key, fetch, ttl))
            self._fetching[mark] = under_way
            under_way.add_done_callback(lambda _: self._fetching.pop(mark, None))
        return json.loads(json.dumps(await asyncio.shield(under_way)))

    async def _fetch(self, key: str, fetch: Fetch, ttl: float) -> Any:  # Any: JSON value
        value = fetch()
        if inspect.isawaitable(value):
            value = await value
        await self.set(key, value, ttl)
        return value

    def _found(self, key: str) -> tuple[bool, Any]:  # Any: JSON value
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return False, None
            if entry[0] <= self._clock():
                del self._entries[key]
                return False, None
            self._entries.move_to_end(key)
            return True, json.loads(entry[1])
