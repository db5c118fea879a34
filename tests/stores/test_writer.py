"""One thread that writes for all."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from handrail.errors import StoreError
from handrail.stores.writer import GroupWriter


class Disk:
    """Takes rows, slowly or not at all."""

    def __init__(self) -> None:
        self.commits: list[tuple[list[int], bool]] = []
        self.full = False
        self.open = threading.Event()
        self.open.set()
        self.tried = threading.Semaphore(0)

    def __call__(self, rows: list[int], durable: bool) -> None:
        self.tried.release()
        self.open.wait()
        if self.full:
            raise StoreError("the disk is full")
        self.commits.append((rows, durable))

    @property
    def rows(self) -> list[int]:
        """Everything that was written."""
        return [row for rows, _ in self.commits for row in rows]


@pytest.fixture
def disk() -> Disk:
    """An empty disk."""
    return Disk()


Make = Callable[..., GroupWriter[int]]


@pytest.fixture
def make(disk: Disk) -> Iterator[Make]:
    """Writers to the disk, closed at the end."""
    made: list[GroupWriter[int]] = []

    def makes(**settings: float) -> GroupWriter[int]:
        how: dict[str, float] = {"linger_s": 0.001, "retry_s": 0.01, **settings}
        made.append(GroupWriter(disk, "the disk", **how))  # type: ignore[arg-type]  # whole numbers
        return made[-1]

    yield makes
    disk.open.set()
    for writer in made:
        with suppress(StoreError):
            writer.close()


def test_a_durable_put_returns_when_it_is_written(disk: Disk, make: Make) -> None:
    """With everything put before it."""
    writer = make(linger_s=60)
    writer.put([1], durable=False)
    writer.put([2, 3], durable=True)
    assert disk.commits == [([1, 2, 3], True)]


def test_the_rest_is_written_soon_and_in_order(disk: Disk, make: Make) -> None:
    """At the latest by `flush`; flushing what is flushed does nothing."""
    writer = make(linger_s=60)
    writer.flush()
    for number in range(100):
        writer.put([number], durable=False)
    writer.flush()
    assert disk.rows == list(range(100))
    written = len(disk.commits)
    writer.flush()
    assert len([rows for rows, _ in disk.commits[written:] if rows]) == 0


def test_those_who_wait_share_a_commit(disk: Disk, make: Make) -> None:
    """While one commit is under way, the next is collected."""
    writer = make()
    disk.open.clear()
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(writer.put, [0], durable=True)
        disk.tried.acquire()
        rest = [threads.submit(writer.put, [n], durable=True) for n in range(1, 9)]
        while writer._waiting < 9:
            pass
        disk.open.set()
        for one in (first, *rest):
            one.result(timeout=10)
    assert [len(rows) for rows, _ in disk.commits] == [1, 8]
    assert sorted(disk.rows) == list(range(9))


def test_what_cannot_be_written_is_refused_to_who_waits(disk: Disk, make: Make) -> None:
    """And is not written later; what nobody waits for is."""
    writer = make()
    disk.full = True
    writer.put([1], durable=False)
    with pytest.raises(StoreError, match="full"):
        writer.put([2], durable=True)
    with pytest.raises(StoreError, match="full"):
        writer.flush()
    disk.full = False
    writer.put([3], durable=True)
    assert disk.rows == [1, 3]


def test_what_failed_is_tried_again_by_itself(disk: Disk, make: Make) -> None:
    """Without anybody putting more."""
    writer = make()
    disk.full = True
    writer.put([1], durable=False)
    disk.tried.acquire()
    disk.full = False
    for _ in range(2):
        disk.tried.acquire(timeout=10)
        if disk.commits:
            break
    writer.flush()
    assert disk.rows == [1]


def test_too_much_that_waits_is_refused(disk: Disk, make: Make) -> None:
    """Nothing is dropped in silence."""
    writer = make(most_waiting=3, retry_s=60)
    disk.full = True
    writer.put([1, 2], durable=False)
    with pytest.raises(StoreError):
        writer.flush()
    with pytest.raises(StoreError, match=r"2 entries wait already, .*: the disk is full"):
        writer.put([3, 4], durable=False)
    writer.put([3], durable=False)
    disk.full = False
    writer.flush()
    assert disk.rows == [1, 2, 3]


def test_a_disk_that_is_slow_slows_down_who_writes(disk: Disk, make: Make) -> None:
    """Instead of filling the memory."""
    writer = make(most_waiting=2)
    disk.open.clear()
    writer.put([1, 2], durable=False)
    disk.tried.acquire()
    with ThreadPoolExecutor(1) as threads:
        slowed = threads.submit(writer.put, [3], durable=False)
        assert not slowed.done()
        disk.open.set()
        slowed.result(timeout=10)
    writer.flush()
    assert disk.rows == [1, 2, 3]


def test_closing_writes_what_waits(disk: Disk, make: Make) -> None:
    """Afterwards nothing is taken any more; closing again is allowed."""
    writer = make(linger_s=60)
    writer.put([1], durable=False)
    writer.close()
    writer.close()
    writer.flush()
    assert disk.rows == [1]
    with pytest.raises(StoreError, match="the disk: the store is closed"):
        writer.put([2], durable=True)


def test_closing_tells_what_is_lost(disk: Disk, make: Make) -> None:
    """How much, and why."""
    writer = make(retry_s=60)
    disk.full = True
    writer.put([1, 2], durable=False)
    with pytest.raises(StoreError, match=r"2 entries that could not be written: the disk is full"):
        writer.close()


def test_a_writer_that_never_wrote_closes(make: Make) -> None:
    """Without a thread."""
    writer = make()
    writer.close()
    with pytest.raises(StoreError, match="closed"):
        writer.put([1], durable=False)


def test_a_forked_child_leaves_what_waits_to_its_parent(disk: Disk, make: Make) -> None:
    """It has the queue, but not the thread."""
    writer = make(linger_s=60)
    writer.put([1], durable=False)
    writer._process -= 1
    writer.close()
    assert disk.rows == []
    writer._process += 1
    writer.close()
    assert disk.rows == [1]


def test_a_large_queue_is_written_in_parts(disk: Disk, make: Make) -> None:
    """Each commit has a bound, one put stays whole."""
    writer = make(linger_s=60)
    disk.open.clear()
    writer.put([0], durable=False)
    with ThreadPoolExecutor(1) as threads:
        flushed = threads.submit(writer.flush)
        disk.tried.acquire()
        for _ in range(3):
            writer.put(list(range(3_000)), durable=False)
        disk.open.set()
        flushed.result(timeout=10)
    writer.flush()
    assert [len(rows) for rows, _ in disk.commits if len(rows) > 1] == [3_000] * 3
