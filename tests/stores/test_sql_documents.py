"""The documents and the cache of every store."""

import random

import pytest

from handrail.errors import StoreError
from handrail.protocol.rows import DocumentRow
from handrail.runtime.storage import Store

PLACE = ("notes", "u1", "notes")


def test_a_document_is_made_changed_and_deleted(store: Store) -> None:
    """Each change is a version, and may name the one that it was made from."""
    with store.group() as rows:
        documents = rows.documents
        made = documents.create(*PLACE, "n1", {"text": "a\0"}, 1.0)
        assert made == DocumentRow(*PLACE, "n1", 1, {"text": "a\0"}, 1.0, 1.0)
        assert documents.create(*PLACE, "n1", {}, 1.0) is None
        assert documents.get(*PLACE, "n1") == made
        second = documents.update(*PLACE, "n1", {"text": "b"}, 2.0, if_match=1)
        assert second == DocumentRow(*PLACE, "n1", 2, {"text": "b"}, 1.0, 2.0)
        assert documents.update(*PLACE, "n1", {}, 3.0, if_match=1) is None
        assert documents.update(*PLACE, "n2", {}, 3.0) is None
        assert documents.delete(*PLACE, "n1", if_match=1) is False
        assert documents.delete(*PLACE, "n1", if_match=2) is True
        assert documents.delete(*PLACE, "n1") is False
        assert documents.get(*PLACE, "n1") is None


def test_apps_users_and_collections_are_apart(store: Store) -> None:
    """The same id is another document in each."""
    places = [PLACE, ("mail", "u1", "notes"), ("notes", "u2", "notes"), ("notes", "u1", "tags")]
    with store.group() as rows:
        for number, place in enumerate(places):
            assert rows.documents.create(*place, "n1", {"n": number}, 1.0) is not None
        found = [rows.documents.get(*place, "n1") for place in places]
        assert [one.data["n"] for one in found if one] == [0, 1, 2, 3]
        assert rows.documents.count(*PLACE) == 1


def test_a_collection_is_paged_by_id_in_the_order_of_code_points(store: Store) -> None:
    """Whatever language the database sorts by."""
    ids = ["b", "A", "é", "a", "B", "ä", "𝄞", "\uffee"]
    with store.group() as rows:
        for id in ids:
            rows.documents.create(*PLACE, id, {}, 1.0)
        first = [one.id for one in rows.documents.scan(*PLACE, limit=3)]
        rest = [one.id for one in rows.documents.scan(*PLACE, after=first[-1])]
    assert first + rest == sorted(ids)


def test_a_cached_value_is_there_until_it_expires(store: Store) -> None:
    """A kept None is told from nothing."""
    with store.group() as rows:
        cache, place = rows.cache, ("notes", "u1")
        cache.set(*place, "a", None, expires_at=None)
        cache.set(*place, "b", {"n": 1}, expires_at=10.0)
        assert cache.get(*place, "a", now=99.0) == (None,)
        assert (cache.get(*place, "b", now=9.9), cache.get(*place, "b", now=10.0)) == (
            ({"n": 1},),
            None,
        )
        assert cache.get("notes", "u2", "a", now=0.0) is None
        cache.set(*place, "b", [2], expires_at=20.0)
        assert cache.get(*place, "b", now=10.0) == ([2],)
        assert (cache.delete(*place, "a"), cache.delete(*place, "a")) == (True, False)


def test_expired_values_are_deleted(opened: object) -> None:
    """By `prune`, whatever the retention says."""
    assert callable(opened)
    store: Store = opened(clock=lambda: 10.0)
    with store.group() as rows:
        for key, end in (("a", 9.0), ("b", 10.0), ("c", 11.0), ("d", None)):
            rows.cache.set("notes", "", key, 1, expires_at=end)
    assert store.prune() == {"cache": 2}
    with store.reading() as rows:
        assert rows.cache.get("notes", "", "c", now=0.0) == (1,)


def test_what_is_no_json_is_refused(store: Store) -> None:
    """And names that no database holds."""
    with store.group() as rows:
        with pytest.raises(StoreError, match="'n1'"):
            rows.documents.create(*PLACE, "n1", {"a": {1, 2}}, 1.0)
        with pytest.raises(StoreError, match="the cached value of 'k'"):
            rows.cache.set("notes", "", "k", object(), expires_at=None)
        with pytest.raises(StoreError, match="the collection"):
            rows.documents.create("notes", "", "\0", "n1", {}, 1.0)
        with pytest.raises(StoreError, match="the document id"):
            rows.documents.get(*PLACE, "\ud800")
        with pytest.raises(StoreError, match="the cache key"):
            rows.cache.get("notes", "", "\0", now=0.0)


def test_the_longest_names_have_a_place(store: Store) -> None:
    """Also in the index of a database that bounds them, and where they cannot be compressed."""
    long = random.Random(1)
    names = ["".join(chr(long.randrange(0x4E00, 0x9FFF)) for _ in range(166)) for _ in range(4)]
    with store.group() as rows:
        assert rows.documents.create(*names, {}, 1.0) is not None
        assert rows.documents.get(*names) is not None
        rows.cache.set(*names[:3], 1, expires_at=None)
        assert rows.cache.get(*names[:3], now=0.0) == (1,)
        assert rows.budgets.spend(names[0], names[1]) == 1
        rows.ledger.append([(names[0], 1.0, {"tool": names[1] * 9, "user": names[2] * 9})])
