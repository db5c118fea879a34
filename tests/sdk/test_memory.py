"""What the store in memory has beside what every store promises."""

import asyncio
import threading

from handrail.sdk.memory import MemoryData, MemoryDocuments


def test_threads_lose_nothing() -> None:
    """Sync handlers run in threads, each with a loop of its own."""
    documents = MemoryDocuments()

    def write() -> None:
        for _ in range(50):
            asyncio.run(documents.create("c", {}))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert asyncio.run(documents.count("c")) == 200


async def test_is_empty_until_something_was_stored() -> None:
    """Also when it was deleted again."""
    documents = MemoryDocuments()
    assert documents.is_empty
    made = await documents.create("c", {})
    await documents.delete("c", made.id)
    assert not documents.is_empty


async def test_move_gives_everything_to_another_app() -> None:
    """Documents and cache of one user."""
    data = MemoryData()
    made = await data.documents("", "u1").create("c", {"a": 1})
    await data.cache("", "u1").set("k", 1)
    data.move("", "notes", "u1")
    data.move("", "notes", "u2")
    assert await data.documents("notes", "u1").get("c", made.id) == made
    assert await data.cache("notes", "u1").get("k") == 1
    assert await data.documents("", "u1").count("c") == 0
