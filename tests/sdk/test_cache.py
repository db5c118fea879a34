"""What every cache promises; each of them runs through here."""

import asyncio
from typing import Any

import pytest

from handrail.errors import ConfigError, StoreError
from handrail.sdk.cache import MOST_ENTRIES, Cache, MemoryCache
from handrail.sdk.ctx import Data
from stores import STORES, Hands


@pytest.fixture
def clock() -> Hands:
    """A clock that tests move."""
    return Hands()


@pytest.fixture(params=list(STORES))
def data(request: pytest.FixtureRequest, clock: Hands) -> Data:
    """An empty store."""
    return STORES[request.param](clock)


@pytest.fixture
def cache(data: Data) -> Cache:
    """The cache of one user of one app."""
    return data.cache("notes", "u1")


async def test_get_gives_what_was_set(cache: Cache) -> None:
    """A copy of it; None where there is nothing."""
    value = {"a": [1]}
    await cache.set("k", value)
    value["a"].append(2)
    (await cache.get("k"))["a"].append(3)
    assert await cache.get("k") == {"a": [1]}
    assert await cache.get("other") is None


async def test_ttl_ends_it(cache: Cache, clock: Hands) -> None:
    """Seconds; 300 where nothing is said."""
    await cache.set("short", 1, ttl=2)
    await cache.set("default", 2)
    clock.at += 1.9
    assert await cache.get("short") == 1
    clock.at += 0.1
    assert (await cache.get("short"), await cache.get("default")) == (None, 2)
    clock.at += 298
    assert await cache.get("default") is None


async def test_set_again_starts_anew(cache: Cache, clock: Hands) -> None:
    """Value and time."""
    await cache.set("k", 1, ttl=2)
    clock.at += 1
    await cache.set("k", 2, ttl=2)
    clock.at += 1.5
    assert await cache.get("k") == 2


async def test_delete_says_whether_there_was_one(cache: Cache, clock: Hands) -> None:
    """What is over is not there."""
    await cache.set("k", 1, ttl=1)
    await cache.set("over", 1, ttl=1)
    assert [await cache.delete("k"), await cache.delete("k")] == [True, False]
    clock.at += 1
    assert await cache.delete("over") is False


async def test_cache_is_of_one_app_and_one_user(data: Data) -> None:
    """Nobody else sees it."""
    await data.cache("notes", "u1").set("k", 1)
    assert await data.cache("notes", "u2").get("k") is None
    assert await data.cache("tasks", "u1").get("k") is None
    assert await data.cache("notes", "u1").get("k") == 1


async def test_get_or_fetch_fetches_once(cache: Cache, clock: Hands) -> None:
    """Then takes what it has, until its time is over; None is a value too."""
    fetched = []

    async def fetch() -> Any:
        fetched.append(1)
        return None

    for _ in range(2):
        assert await cache.get_or_fetch("k", fetch, ttl=5) is None
    clock.at += 5
    await cache.get_or_fetch("k", lambda: fetched.append(2), ttl=5)
    assert fetched == [1, 2]


async def test_get_or_fetch_is_shared_by_those_who_wait(cache: Cache) -> None:
    """One fetch for many at once; each gets a value of its own."""
    fetched = []

    async def fetch() -> list[int]:
        fetched.append(1)
        await asyncio.sleep(0)
        return [1]

    values = await asyncio.gather(*(cache.get_or_fetch("k", fetch) for _ in range(50)))
    assert (len(fetched), values) == (1, [[1]] * 50)
    assert len({id(value) for value in values}) == 50


async def test_get_or_fetch_keeps_no_failure(cache: Cache) -> None:
    """It is raised, and the next one tries again."""

    def broken() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await cache.get_or_fetch("k", broken)
    assert await cache.get_or_fetch("k", lambda: 3) == 3


async def test_waiter_that_is_cancelled_does_not_take_the_fetch_along(cache: Cache) -> None:
    """The others get their value."""
    gate = asyncio.Event()

    async def fetch() -> int:
        await gate.wait()
        return 1

    first = asyncio.ensure_future(cache.get_or_fetch("k", fetch))
    second = asyncio.ensure_future(cache.get_or_fetch("k", fetch))
    await asyncio.sleep(0)
    first.cancel()
    gate.set()
    assert await second == 1


@pytest.mark.parametrize("ttl", [0, -1, float("nan")])
async def test_ttl_is_above_zero(cache: Cache, ttl: float) -> None:
    """Else it would be kept for nothing."""
    with pytest.raises(ConfigError, match="must be a number of seconds above 0"):
        await cache.set("k", 1, ttl)


async def test_only_json_values_are_kept(cache: Cache) -> None:
    """As every store can."""
    with pytest.raises(StoreError) as raised:
        await cache.set("k", object())
    assert raised.value.reason == "data"


async def test_memory_is_bounded() -> None:
    """The one used longest ago goes first."""
    cache = MemoryCache()
    for number in range(MOST_ENTRIES):
        await cache.set(str(number), number)
    await cache.get("0")
    await cache.set("one more", 1)
    assert (await cache.get("0"), await cache.get("1")) == (0, None)
