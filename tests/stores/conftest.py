"""The three stores, each opened by the same call."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handrail.runtime.storage import Store
from handrail.stores.keeping import Retention
from handrail.stores.memory import CAPACITY, MemoryStore
from handrail.stores.urls import open_store
from postgres import Server, Unavailable, shared_server

Open = Callable[..., Store]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running server."""
    shared = shared_server()
    try:
        server = shared.__enter__()
    except Unavailable as missing:
        pytest.skip(str(missing))
    yield server
    shared.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store on disk can be, new for each test."""
    return _url(request.param, request, tmp_path)


def _url(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind == "sqlite":
        return f"sqlite:///{folder}/store.db"
    server: Server = request.getfixturevalue("postgres")
    return server.new_place()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the store with some settings; on disk it is the same one each time."""
    kind, stores = request.param, []
    url = "" if kind == "memory" else _url(kind, request, tmp_path)

    def opens(**settings: Any) -> Store:  # Any: of open_store
        made = _memory(**settings) if kind == "memory" else open_store(url, **settings)
        stores.append(made)
        return made

    yield opens
    for store in stores:
        store.close()


def _memory(
    keep_days: float | None = None, max_rows: int | None = CAPACITY.max_rows, **settings: Any
) -> Store:  # Any: of MemoryStore
    settings.pop("wait_s", None)
    return MemoryStore(retention=Retention(keep_days=keep_days, max_rows=max_rows), **settings)


@pytest.fixture
def store(opened: Open) -> Store:
    """A store as it is opened by default."""
    return opened()
