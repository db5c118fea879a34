"""What every store of documents promises; each of them runs through here."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import ConfigError, StoreError
from handrail.sdk.ctx import Data
from handrail.sdk.documents import MOST_ROWS, Documents
from stores import STORES, Hands

TITLES = ["b", "a", "c", "a"]


@pytest.fixture(params=list(STORES))
def clock(request: pytest.FixtureRequest) -> Hands:
    """A clock; carries the name of the store."""
    made = Hands()
    made.store = request.param  # type: ignore[attr-defined]  # for the fixture below
    return made


@pytest.fixture
def data(clock: Hands) -> Data:
    """An empty store."""
    return STORES[clock.store](clock)  # type: ignore[attr-defined]  # set above


@pytest.fixture
def store(data: Data) -> Documents:
    """The documents of one user of one app."""
    return data.documents("notes", "u1")


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Its result."""
    return asyncio.run(work)


async def filled(store: Documents) -> list[str]:
    """Four notes with a place each; their ids."""
    made = [
        await store.create("notes", {"title": title, "at": at, "in": {"shelf": at % 2}})
        for at, title in enumerate(TITLES)
    ]
    return [one.id for one in made]


async def test_create_gives_the_document(store: Documents, clock: Hands) -> None:
    """With an id of its own, version 1 and the time."""
    made = await store.create("notes", {"title": "Milk", "tags": ["a", 1, None]})
    other = await store.create("notes", {"title": "Milk", "tags": ["a", 1, None]})
    assert (made.data, made.version) == ({"title": "Milk", "tags": ["a", 1, None]}, 1)
    assert (made.created_at, made.updated_at) == (clock.at, clock.at)
    assert made.id
    assert made.id != other.id


async def test_get_finds_it_in_its_collection(store: Documents) -> None:
    """None where there is none."""
    made = await store.create("notes", {"a": 1})
    assert await store.get("notes", made.id) == made
    assert await store.get("tasks", made.id) is None
    assert await store.get("notes", "none") is None


async def test_update_replaces_fields_and_keeps_the_others(store: Documents, clock: Hands) -> None:
    """And raises the version."""
    made = await store.create("notes", {"a": 1, "b": {"c": 1}})
    clock.at += 5
    changed = await store.update("notes", made.id, {"b": {"d": 2}, "e": None})
    assert changed is not None
    assert changed.data == {"a": 1, "b": {"d": 2}, "e": None}
    assert (changed.version, changed.created_at, changed.updated_at) == (
        2, made.created_at, clock.at,
    )  # fmt: skip
    assert await store.get("notes", made.id) == changed
    assert await store.update("notes", "none", {"a": 2}) is None


async def test_update_if_match(store: Documents) -> None:
    """Only on the version that was read; else nothing is changed."""
    made = await store.create("notes", {"a": 1})
    await store.update("notes", made.id, {"a": 2}, if_match=1)
    with pytest.raises(StoreError) as raised:
        await store.update("notes", made.id, {"a": 3}, if_match=1)
    now = await store.get("notes", made.id)
    assert raised.value.reason == "conflict"
    assert now is not None
    assert (now.data, now.version) == ({"a": 2}, 2)


async def test_delete_says_whether_there_was_one(store: Documents) -> None:
    """Once."""
    made = await store.create("notes", {"a": 1})
    assert [await store.delete("notes", made.id) for _ in range(2)] == [True, False]
    assert await store.get("notes", made.id) is None


async def test_documents_are_of_one_app_and_one_user(data: Data) -> None:
    """Nobody else sees, counts, changes or deletes them."""
    own = data.documents("notes", "u1")
    made = await own.create("notes", {"a": 1})
    for app, user in (("notes", "u2"), ("tasks", "u1")):
        other = data.documents(app, user)
        assert await other.get("notes", made.id) is None
        assert (await other.query("notes")).total == await other.count("notes") == 0
        assert await other.update("notes", made.id, {"a": 2}) is None
        assert await other.delete("notes", made.id) is False
    assert await data.documents("notes", "u1").get("notes", made.id) == made


async def test_what_comes_out_is_a_copy(store: Documents) -> None:
    """And so is what goes in."""
    given = {"tags": ["a"]}
    made = await store.create("notes", given)
    given["tags"].append("b")
    made.data["tags"].append("c")
    kept = await store.get("notes", made.id)
    assert kept is not None
    assert kept.data == {"tags": ["a"]}


@pytest.mark.parametrize("bad", [[1], "text", None, {"a": object()}, {"a": float("nan")}])
async def test_only_json_objects_are_stored(store: Documents, bad: Any) -> None:
    """The reason is the data."""
    made = await store.create("notes", {"a": 1})
    for work in (store.create("notes", bad), store.update("notes", made.id, bad)):
        with pytest.raises(StoreError) as raised:
            await work
        assert raised.value.reason == "data"
    assert await store.count("notes") == 1


async def test_query_comes_in_the_order_of_creation(store: Documents) -> None:
    """With everything that a page says."""
    ids = await filled(store)
    page = await store.query("notes")
    assert [one.id for one in page.data] == ids
    assert (page.has_more, page.cursor, page.total) == (False, None, 4)
    assert (await store.query("none")).data == []


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"title": "a"}, [1, 3]),
        ({"title": "a", "at": 3}, [3]),
        ({"title": "x"}, []),
        ({"absent": None}, [0, 1, 2, 3]),
        ({"at": True}, []),
        ({"at": 1.0}, [1]),
        ({"in": {"shelf": 1}}, [1, 3]),
        ({"in.shelf": 0}, [0, 2]),
        ({"at": {"$gte": 1, "$lt": 3}}, [1, 2]),
        ({"at": {"$gt": 1}}, [2, 3]),
        ({"at": {"$lte": 0}}, [0]),
        ({"title": {"$gt": 1}}, []),
        ({"title": {"$ne": "a"}}, [0, 2]),
        ({"title": {"$in": ["b", "c"]}}, [0, 2]),
        ({"title": {"$contains": "A"}}, [1, 3]),
        ({"absent": {"$exists": False}, "at": {"$exists": True}}, [0, 1, 2, 3]),
        ({}, [0, 1, 2, 3]),
    ],
)
async def test_where(store: Documents, where: dict[str, Any], expected: list[int]) -> None:
    """Equality, fields inside fields, and every operator; count agrees."""
    await filled(store)
    found = await store.query("notes", where)
    assert [one.data["at"] for one in found.data] == expected
    assert found.total == await store.count("notes", where) == len(expected)


async def test_where_contains_looks_into_lists(store: Documents) -> None:
    """One of several."""
    await store.create("notes", {"tags": ["red", 3]})
    found = [await store.count("notes", {"tags": {"$contains": one}}) for one in ("red", 3, "re")]
    assert found == [1, 1, 0]


async def test_unknown_operator_is_an_error(store: Documents) -> None:
    """Not an empty page."""
    await filled(store)
    with pytest.raises(ConfigError, match=r"'\$like' is no operator; known are \$ne"):
        await store.query("notes", {"title": {"$like": "a"}})


@pytest.mark.parametrize(
    ("order_by", "expected"),
    [
        ("at", [0, 1, 2, 3]),
        ("-at", [3, 2, 1, 0]),
        ("title", [1, 3, 0, 2]),
        ("-title", [2, 0, 1, 3]),
        (["title", "-at"], [3, 1, 0, 2]),
        (["in.shelf", "-at"], [2, 0, 3, 1]),
        ("absent", [0, 1, 2, 3]),
    ],
)
async def test_order_by(store: Documents, order_by: Any, expected: list[int]) -> None:
    """Equal ones in the order of creation; absent fields last."""
    await filled(store)
    page = await store.query("notes", order_by=order_by)
    assert [one.data["at"] for one in page.data] == expected


async def test_order_of_several_kinds_is_settled(store: Documents) -> None:
    """A store does not break on what its users wrote."""
    values: list[Any] = ["a", None, 3, True, [1], {"a": 1}, 2.5]
    for value in values:
        await store.create("notes", {"value": value})
    page = await store.query("notes", order_by="value")
    assert [one.data["value"] for one in page.data] == [True, 2.5, 3, "a", [1], {"a": 1}, None]


async def test_pages_follow_each_other(store: Documents) -> None:
    """Each document once, whatever is deleted or created between pages."""
    ids = await filled(store)
    first = await store.query("notes", order_by="title", limit=2)
    assert (first.has_more, first.total) == (True, 4)
    await store.delete("notes", ids[1])  # of the first page
    await store.create("notes", {"title": "A", "at": 9})  # comes before
    rest = await store.query("notes", order_by="title", limit=2, cursor=first.cursor)
    assert [one.data["at"] for one in rest.data] == [0, 2]
    assert (rest.has_more, rest.cursor) == (False, None)


@pytest.mark.parametrize(("limit", "size"), [(3, 3), (0, 1), (-5, 1), (10**9, 4)])
async def test_limit_is_kept_within_bounds(store: Documents, limit: int, size: int) -> None:
    """A model may ask for anything."""
    await filled(store)
    assert len((await store.query("notes", limit=limit)).data) == size
    assert MOST_ROWS == 1_000


@pytest.mark.parametrize("cursor", ["", "x", "é", "bm90IGpzb24="])
async def test_foreign_cursor_is_an_error(store: Documents, cursor: str) -> None:
    """One that somebody made up, and that of another query."""
    await filled(store)
    page = await store.query("notes", limit=1)
    for one, where in ((cursor, None), (page.cursor, {"title": "a"})):
        with pytest.raises(StoreError) as raised:
            await store.query("notes", where, cursor=one)
        assert raised.value.reason == "cursor"


@pytest.mark.parametrize("name", list(STORES))
@given(
    rows=st.lists(st.integers(0, 3) | st.none() | st.text(max_size=1), max_size=12),
    limit=st.integers(1, 5),
    turned=st.booleans(),
)
def test_law_pages_hold_every_row_once(
    name: str, rows: list[Any], limit: int, turned: bool
) -> None:
    """In one order, whatever the size of the pages."""

    async def go() -> None:
        store = STORES[name](Hands()).documents("a", "u")
        for value in rows:
            await store.create("c", {"v": value})
        order = "-v" if turned else "v"
        whole = await store.query("c", order_by=order, limit=MOST_ROWS)
        seen, cursor = [], None
        for _ in range(len(rows) + 1):
            page = await store.query("c", order_by=order, limit=limit, cursor=cursor)
            seen += [one.id for one in page.data]
            assert (page.total, page.has_more) == (len(rows), page.cursor is not None)
            cursor = page.cursor
            if cursor is None:
                break
        assert seen == [one.id for one in whole.data]
        assert len(set(seen)) == len(rows)

    run(go())


async def test_many_at_once_lose_nothing(store: Documents) -> None:
    """Side by side on one loop."""
    await asyncio.gather(*(store.create("notes", {"n": n}) for n in range(200)))
    page = await store.query("notes", limit=MOST_ROWS)
    assert sorted(one.data["n"] for one in page.data) == list(range(200))
